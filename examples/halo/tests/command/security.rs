//! What SECURITY.md promises, held by what it names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::root;

/// The sections that promise something, each with fewer sentences than it has.
const SECTIONS: [(&str, usize); 3] = [
    ("What counts", 9),
    ("What the code holds", 12),
    ("What a fault may not do", 18),
];

#[test]
fn every_sentence_names_a_test_that_is_there() {
    let page = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let names = names();
    for (title, few) in SECTIONS {
        let section = section(&page, title);
        assert!(section.matches("\n- ").count() > few, "{title}");
        assert_eq!(unheld(section, &names), [""; 0], "{title}");
    }
}

/// Each test vanishes once: the page then says so, for each name on it.
#[test]
fn a_test_that_vanishes_is_missed() {
    let page = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let all = names();
    let mut named = BTreeSet::new();
    for (title, _) in SECTIONS {
        let section = section(&page, title);
        for name in sentences(section).iter().flat_map(|text| named_in(text)) {
            let mut fewer = all.clone();
            assert_eq!(fewer.remove(name), Some(1), "{name}");
            assert_ne!(unheld(section, &fewer), [""; 0], "{title}: {name}");
            named.insert(name.to_owned());
        }
    }
    assert!(named.len() > 60, "{}", named.len());
}

#[test]
fn what_promises_without_a_test_is_found() {
    let names = [("a_good_test", 1), ("faults:kills", 1), ("a_test_twice", 2)];
    let names = names.map(|(name, count)| (name.to_owned(), count)).into();
    for (section, found) in [
        (
            "\nOf these:\n\n- It holds (`a_good_test`,\n  `faults:kills`).\n",
            0,
        ),
        ("\n- It holds.\n", 1),
        ("\n- It holds (`a_bad_test`).\n", 1),
        // One of the two may vanish, and nothing would say so.
        ("\n- It holds (`a_test_twice`).\n", 1),
        ("\n- It holds (`faults:races`).\n", 1),
        ("\n- It holds (`a_good_test`, `a_bad_test`).\n", 1),
        ("\n- It holds `Cargo.toml` and `snake_case`.\n", 1),
        // A second sentence has no test of its own.
        ("\n- It holds (`a_good_test`). So does all else.\n", 1),
        ("\n- It holds. So does all else (`a_good_test`).\n", 1),
        ("\n- It holds (`a_good_test`).\n- It holds.\n", 1),
        // Nothing is promised outside of a list, but what is not held.
        ("\nIt holds.\n", 1),
        ("\nIt holds (`a_good_test`).\n", 1),
        (
            "\nNot held: this. And that.\n\n### Title\n\n| a | b |\n|---|---|\n",
            0,
        ),
        ("\n- It holds (`a_good_test`).\n\nIt holds.\n", 1),
    ] {
        assert_eq!(unheld(section, &names).len(), found, "{section}");
    }
}

fn section<'t>(page: &'t str, title: &str) -> &'t str {
    let (_, rest) = page.split_once(&format!("\n## {title}\n")).unwrap();
    rest.split("\n## ").next().unwrap()
}

/// What a section says in lists.
fn sentences(section: &str) -> Vec<&str> {
    let lists = section.split("\n\n").map(str::trim_start);
    let items = lists.filter_map(|part| part.strip_prefix("- "));
    items.flat_map(|list| list.split("\n- ")).collect()
}

fn named_in(text: &str) -> impl Iterator<Item = &str> {
    let spans = text.split('`').skip(1).step_by(2);
    spans.filter(|span| span.contains(':') || span.matches('_').count() > 1)
}

/// What a section promises that nothing which is there holds.
fn unheld(section: &str, names: &BTreeMap<String, usize>) -> Vec<String> {
    let is_harmless = |part: &str| {
        ["- ", "#", "|", "Not held"]
            .iter()
            .any(|start| part.starts_with(start))
            || part.ends_with(':')
    };
    let parts = section
        .split("\n\n")
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let outside = parts.filter(|part| !is_harmless(part));
    let mut unheld: Vec<String> = outside
        .map(|part| format!("outside a list: {part}"))
        .collect();
    for sentence in sentences(section) {
        let mut named = named_in(sentence).peekable();
        if named.peek().is_none() {
            unheld.push(format!("names no test: {sentence}"));
        } else if let Some(name) = named.find(|name| names.get(*name) != Some(&1)) {
            let count = names.get(name).unwrap_or(&0);
            unheld.push(format!("`{name}` is {count} tests, not one: {sentence}"));
        } else if sentence.trim().replace('\n', " ").contains(". ") {
            unheld.push(format!("is more than one sentence: {sentence}"));
        }
    }
    unheld
}

/// Every test function of the workspace, fuzz target, stage of `scripts/faults` and stage of `.ci/run`, and how
/// often its name is given.
fn names() -> BTreeMap<String, usize> {
    let mut names = Vec::new();
    for member in ["policy-core", "harness-render", "tls-sni", "egress-preset"] {
        collect(&root().join(member).join("src"), &mut names);
        collect(&root().join(member).join("tests"), &mut names);
    }
    collect(&root().join("examples/halo/src"), &mut names);
    collect(&root().join("examples/halo/tests"), &mut names);
    for entry in fs::read_dir(root().join("fuzz/fuzz_targets")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        names.push(format!("fuzz:{name}"));
    }
    let faults = fs::read_to_string(root().join("scripts/faults")).unwrap();
    let stages = faults.lines().filter_map(|line| line.strip_prefix("def "));
    names.extend(
        stages
            .filter_map(|line| line.strip_suffix("(suite):"))
            .map(|stage| format!("faults:{stage}")),
    );
    let run = fs::read_to_string(root().join(".ci/run")).unwrap();
    let stages = run.lines().filter_map(|line| line.strip_prefix("stage '"));
    names.extend(stages.map(|line| format!("ci:{}", line.split('\'').next().unwrap())));
    names.into_iter().fold(BTreeMap::new(), |mut counts, name| {
        *counts.entry(name).or_default() += 1;
        counts
    })
}

fn collect(directory: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(path).unwrap();
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                is_test |= line == "#[test]";
                is_test &= !line.starts_with("#[ignore");
                if let Some((name, _)) = line
                    .strip_prefix("fn ")
                    .and_then(|rest| rest.split_once('('))
                {
                    if is_test {
                        names.push(name.to_owned());
                    }
                    is_test = false;
                }
            }
        }
    }
}

#[test]
fn every_crate_forbids_unsafe_code() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(workspace.contains("\nunsafe_code = \"forbid\""));
    let (_, members) = workspace.split_once("members = [").unwrap();
    let members: Vec<&str> = members
        .split(']')
        .next()
        .unwrap()
        .lines()
        .filter_map(|line| line.split('"').nth(1))
        .collect();
    assert!(members.len() > 8, "{members:?}");
    for member in members {
        let manifest = fs::read_to_string(root().join(member).join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains("\n[lints]\nworkspace = true\n"),
            "{member}"
        );
    }
    // Also where a crate is built outside the workspace.
    for library in ["policy-core", "harness-render", "tls-sni", "egress-preset"] {
        let text = fs::read_to_string(root().join(library).join("src/lib.rs")).unwrap();
        assert!(text.contains("\n#![forbid(unsafe_code)]\n"), "{library}");
    }
}

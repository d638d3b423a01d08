//! What SECURITY.md says that a fault may not do, held by what it names.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::root;

const HEAD: &str = "## What a fault may not do\n";

#[test]
fn every_sentence_names_a_test_that_is_there() {
    let page = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let (_, part) = page.split_once(HEAD).unwrap();
    let part = part.split("\n## ").next().unwrap();
    let items: Vec<&str> = part.split("\n- ").skip(1).collect();
    assert!(items.len() > 15, "{}", items.len());
    let tests = tests();
    let stages = fs::read_to_string(root().join("scripts/faults")).unwrap();
    for item in items {
        let item = item.split("\n\n").next().unwrap();
        let named: Vec<&str> = item
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|name| name.contains("faults:") || name.matches('_').count() > 1)
            .collect();
        assert!(!named.is_empty(), "names no test: {item}");
        for name in named {
            let is_there = match name.strip_prefix("faults:") {
                Some(stage) => stages.contains(&format!("\ndef {stage}(suite):")),
                None => tests.contains(name),
            };
            assert!(is_there, "`{name}` is no test: {item}");
        }
    }
}

/// The name of every test function of the workspace.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for member in ["examples/halo", "harness-render", "policy-core"] {
        collect(&root().join(member).join("tests"), &mut names);
    }
    names
}

fn collect(directory: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(path).unwrap();
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                is_test |= line == "#[test]";
                if let Some((name, _)) = line
                    .strip_prefix("fn ")
                    .and_then(|rest| rest.split_once('('))
                {
                    if is_test {
                        names.insert(name.to_owned());
                    }
                    is_test = false;
                }
            }
        }
    }
}

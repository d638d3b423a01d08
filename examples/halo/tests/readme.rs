//! The commands that the README shows do what it says.

use std::path::Path;
use std::process::Command;

const RUN: &str = "cargo run -q -p halo -- ";

/// The fenced blocks of a page, with their language.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language, String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

#[test]
fn every_command_prints_the_text_after_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("README.md")).unwrap();
    let blocks = blocks(&page);
    let mut compared = 0;
    for (index, (language, text)) in blocks.iter().enumerate() {
        let Some(arguments) = text.trim_end().strip_prefix(RUN) else {
            continue;
        };
        assert_eq!(*language, "sh");
        let output = Command::new(env!("CARGO_BIN_EXE_halo"))
            .args(arguments.split(' '))
            .current_dir(&root)
            .output()
            .unwrap();
        let answer = String::from_utf8(output.stdout).unwrap();
        let expected = blocks
            .iter()
            .skip(index + 1)
            .find(|(language, _)| *language == "text");
        let (_, expected) = expected.expect("a command is followed by what it prints");
        // The README shows the end or the whole of an answer.
        assert!(
            answer.contains(expected.trim_end()),
            "{arguments}:\n{answer}"
        );
        compared += 1;
    }
    assert!(
        compared >= 2,
        "the README shows the main command and the validation"
    );
}

#[test]
fn the_sample_policy_is_the_one_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("README.md")).unwrap();
    let base = std::fs::read_to_string(root.join("examples/acme/profiles/base.yaml")).unwrap();
    assert!(
        blocks(&page)
            .iter()
            .any(|(language, text)| *language == "yaml" && *text == base)
    );
}

//! What goes in comes out as it was, and what does not go in is told.
#![expect(
    clippy::unwrap_used,
    reason = "a test says what must hold by unwrapping it"
)]

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn halo(arguments: &[&str], input: Stdio) -> Output {
    Command::new(env!("CARGO_BIN_EXE_halo"))
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../acme"))
        .stdin(input)
        .output()
        .unwrap()
}

#[test]
fn json_repeats_an_input_to_the_letter() {
    for input in [
        "a\u{7f}b",
        "a\u{9b}31mb",
        "\u{1b}[31mred\u{1b}[0m",
        "\u{1b}]0;x\u{7}",
    ] {
        let output = halo(
            &["egress", "test", input, "--output", "json"],
            Stdio::null(),
        );
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["input"], input);
        // People are shown it without anything that a terminal would act on.
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(
            !told.trim_end().replace('\n', "").contains(char::is_control),
            "{told:?}"
        );
    }
}

#[test]
#[cfg(unix)]
fn an_input_that_cannot_be_read_is_told_as_such() {
    let directory = File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
    let output = halo(&["egress", "test", "-"], directory.into());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.starts_with("error: standard input could not be read\n"),
        "{told}"
    );
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
}

#[test]
fn the_name_of_a_directory_is_escaped() {
    let directory = "no such\u{1b}[31mdirectory";
    let output = halo(
        &[
            "egress",
            "test",
            "a.example",
            "--policy-dir",
            directory,
            "--color",
            "always",
        ],
        Stdio::null(),
    );
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains(r"the policy in `no such\u{1b}[31mdirectory` has 1 errors"),
        "{told}"
    );
    assert!(!told.contains(directory), "{told}");
}

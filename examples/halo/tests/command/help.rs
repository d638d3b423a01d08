//! Every example of every help works as it is printed, in a clone.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{halo, policy, root};

const COMMANDS: [&[&str]; 10] = [
    &[],
    &["validate"],
    &["egress", "test"],
    &["egress", "diff"],
    &["egress", "explain"],
    &["release", "build"],
    &["harnesses"],
    &["doctor"],
    &["presets"],
    &["egress"],
];

/// Two clones beside each other, with a list of hosts.
fn clone() -> PathBuf {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let to = to.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                copy(&entry.path(), &to);
            } else {
                std::fs::copy(entry.path(), to).unwrap();
            }
        }
    }
    let above = policy("examples-of-help", &[("clone/hosts.txt", "github.com\n")]);
    for one in ["clone", "main"] {
        copy(
            &root().join("examples/acme"),
            &above.join(one).join("examples/acme"),
        );
    }
    above.join("clone")
}

/// The command of an example, without what is done with its answer.
fn plain(example: &str) -> &str {
    let ends = [" | jq", " && echo", " < hosts.txt"];
    let end = ends.iter().filter_map(|end| example.find(end)).min();
    example.split_at(end.unwrap_or(example.len())).0
}

#[test]
fn every_example_of_every_help_works_as_it_is_printed() {
    let mut ran = 0;
    for name in COMMANDS {
        let clone = clone();
        let help = halo(&[name, &["--help"]].concat()).stdout;
        for example in help
            .lines()
            .filter_map(|line| line.strip_prefix("  "))
            .filter(|line| line.starts_with("halo ") || line.starts_with("sudo halo "))
        {
            // Another user's home and another device are not here, and what this device holds is
            // not the test's.
            if example.contains("halo doctor") && !example.contains("--project") {
                continue;
            }
            let arguments = plain(example).split(' ').skip(1);
            let mut command = Command::new(env!("CARGO_BIN_EXE_halo"));
            command
                .args(arguments)
                .current_dir(&clone)
                .env_remove("HALO_POLICY_DIR");
            if example.ends_with("< hosts.txt") {
                command.stdin(std::fs::File::open(clone.join("hosts.txt")).unwrap());
            }
            let output = command.output().unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            // 1 is an answer as well: denied, wider, a failure of the device.
            assert!(
                matches!(output.status.code(), Some(0 | 1)) && !told.contains("error"),
                "{example}: {:?}: {told}",
                output.status
            );
            // A project without settings is told in a note.
            let is_told = !output.stdout.is_empty() || example.contains("--project");
            assert!(is_told, "{example}: {told}");
            ran += 1;
        }
    }
    assert!(ran >= 25, "{ran} examples");
}

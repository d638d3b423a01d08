//! The command as a whole: what it prints, byte for byte where that is promised, and how it exits.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::std_instead_of_core,
    reason = "a test says what must hold by unwrapping it, and has the standard library"
)]

mod conformance;
mod decide;
mod diff;
mod explain;
mod guide;
mod help;
mod input;
mod refuse;
mod schema;
mod security;
#[expect(dead_code, reason = "the command shows no class of an address")]
#[path = "../../../../policy-core/tests/vectors/mod.rs"]
mod vectors;

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ACME: &str = "examples/acme";

/// How a run of the command ended.
struct Answer {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Answer {
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }

    /// The first line of standard error.
    fn complaint(&self) -> &str {
        self.stderr.lines().next().unwrap_or_default()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halo"));
    command.args(arguments).current_dir(root());
    for variable in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "TERM",
        "COLUMNS",
        "HALO_POLICY_DIR",
    ] {
        command.env_remove(variable);
    }
    command
}

fn run(mut command: Command, input: &[u8]) -> Answer {
    let pipes = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // Beside the reading: a command that answers as it reads would wait for both.
    let writer = std::thread::spawn(move || {
        // It may end without reading all.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Answer {
        status: output.status.code().expect("an exit code"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the command in the project's root.
fn halo(arguments: &[&str]) -> Answer {
    run(command(arguments), b"")
}

/// The same about the policy of a directory.
fn about(directory: impl AsRef<OsStr>, arguments: &[&str]) -> Answer {
    let mut command = command(arguments);
    command.arg("--policy-dir").arg(directory);
    run(command, b"")
}

/// Asks about the hosts of standard input.
fn ask(directory: impl AsRef<OsStr>, arguments: &[&str], input: &[u8]) -> Answer {
    let mut command = command(&["egress", "test", "-"]);
    command.args(arguments).arg("--policy-dir").arg(directory);
    run(command, input)
}

/// Writes a policy repository into a fresh directory.
fn policy(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    if root.exists() {
        std::fs::remove_dir_all(&root).unwrap();
    }
    std::fs::create_dir_all(&root).unwrap();
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    root
}

const HALOS: (&str, &str) = (
    "halos.yaml",
    "rings: { ga: { profile: base, default: true } }",
);

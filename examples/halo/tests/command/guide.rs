//! The commands of the guide to comparing a proposed policy do what it says.

use std::path::Path;
use std::process::{Command, Output};

use super::{policy, root};

/// The shell blocks of a page.
fn scripts(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect()
}

/// Runs a script as a CI step does: in a shell that stops at the first failure.
fn shell(directory: &Path, script: &str) -> Output {
    let halo = Path::new(env!("CARGO_BIN_EXE_halo")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        [halo.to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&path)),
    );
    Command::new("sh")
        .args(["-eu", "-c", script])
        .current_dir(directory)
        .env("PATH", path.unwrap())
        .env("TMPDIR", directory.parent().unwrap())
        // No settings of whoever runs the test.
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap()
}

/// A clone of a policy repository, on a branch that changes a file.
fn pull_request(test: &str, path: &str, text: &str) -> std::path::PathBuf {
    let acme = root().join("examples/acme").canonicalize().unwrap();
    let outer = policy(test, &[(path, text)]);
    let setup = format!(
        "
        git init -q -b main upstream
        cp -r {acme}/. upstream
        cd upstream
        git config user.email ci@acme.example
        git config user.name ci
        git add .
        git commit -qm policy
        cd ..
        git clone -q upstream clone
        cp {path} clone/{path}
        ",
        acme = acme.display(),
    );
    let output = shell(&outer, &setup);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    outer.join("clone")
}

#[test]
fn the_step_stops_a_pull_request_that_permits_more_and_no_other() {
    let page = std::fs::read_to_string(root().join("docs/ci-diff.md")).unwrap();
    let scripts = scripts(&page);
    let [step, every_ring, ..] = &scripts[..] else {
        panic!("the guide shows a step and one for every ring")
    };
    let wider = "extends: base\negress: { allowedDomains: [mcp.acme.example, docs.acme.example, new.acme.example] }\n";
    let narrower = "extends: base\negress: { allowedDomains: [mcp.acme.example] }\n";
    for (test, text, status) in [("guide-wider", wider, 1), ("guide-narrower", narrower, 0)] {
        for script in [step, every_ring] {
            let clone = pull_request(test, "profiles/engineering.yaml", text);
            let output = shell(&clone, script);
            let (stdout, stderr) = (
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr),
            );
            assert_eq!(
                output.status.code(),
                Some(status),
                "{script}\n{stdout}\n{stderr}"
            );
            assert_eq!(
                stdout.contains("for example new.acme.example"),
                status == 1,
                "{stdout}"
            );
        }
    }
}

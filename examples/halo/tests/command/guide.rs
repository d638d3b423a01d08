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

/// A clone of a policy repository, on a commit that changes it as a script says; the runner has been
/// used before: files of other runs lie in the checkout and beside it.
fn pull_request(test: &str, change: &str) -> std::path::PathBuf {
    let acme = root().join("examples/acme").canonicalize().unwrap();
    let outer = policy(
        test,
        &[("main/halos.yaml", "stale"), ("proposed/stale", "")],
    );
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
        cd clone
        git config user.email ci@acme.example
        git config user.name ci
        {change}
        git add --all .
        git commit -q --allow-empty -m change
        mkdir -p profiles units
        printf 'egress: {{ default: block }}' > profiles/stale.yaml
        printf 'overlays: []' > units/payments.yaml
        printf 'stale' > halos.yaml
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
    let [line, step, parts, in_json] = &scripts[..] else {
        panic!("the guide shows a line, the step with it, one for parts, and one with JSON")
    };
    assert!(step.ends_with(&**line), "{step}");
    let engineering = "profiles/engineering.yaml";
    for (name, change, status, shows) in [
        ("nothing", String::new(), 0, "A and B permit the same"),
        (
            "host",
            format!(
                "sed -i 's/docs.acme.example/docs.acme.example, new.acme.example/' {engineering}"
            ),
            1,
            "new.acme.example",
        ),
        (
            "less",
            format!("sed -i 's/, docs.acme.example//' {engineering}"),
            0,
            "B permits less",
        ),
        (
            "unit",
            "git rm -q units/payments.yaml".to_owned(),
            1,
            "without the unit",
        ),
        (
            "posture",
            "sed -i 's/posture: enforce, //' halos.yaml".to_owned(),
            1,
            "posture `warn`",
        ),
        (
            "pin",
            format!("sed -i '/codex:/d' {engineering}"),
            1,
            "no pin of `codex`",
        ),
        (
            "lowered",
            format!("sed -i 's/0.166.0/0.90.0/' {engineering}"),
            1,
            "`codex` 0.90.0",
        ),
        (
            "ring",
            "printf '  new: { profile: engineering }\\n' >> halos.yaml".to_owned(),
            1,
            "ring new, compared with ring ring3-ga",
        ),
        (
            "errors",
            format!("printf '%s' 'nonsense: 1' > {engineering}"),
            1,
            "unknown-key",
        ),
        (
            "gone",
            "git rm -q -r halos.yaml profiles units; echo > kept".to_owned(),
            2,
            "empty-repository",
        ),
    ] {
        let clone = pull_request(&format!("guide-{name}"), &change);
        // Twice: a runner is used again.
        for script in [step, step, in_json] {
            let output = shell(&clone, script);
            let (stdout, stderr) = (
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr),
            );
            let code = output.status.code();
            // The step validates first, where a policy with errors is 1.
            let expected = if script == in_json && name == "errors" {
                2
            } else {
                status
            };
            assert_eq!(code, Some(expected), "{name}: {script}\n{stdout}\n{stderr}");
            let said = stdout.contains(shows) || stderr.contains(shows);
            assert!(said || script == in_json, "{name}: {stdout}\n{stderr}");
        }
        if ["nothing", "host", "less"].contains(&name) {
            let output = shell(&clone, parts);
            // The payments unit narrows its list, and `base` is as it was.
            assert_eq!(output.status.code(), Some(0), "{name}, parts");
        }
    }
}

//! `halo doctor` on devices that are directory trees.
#![cfg(target_os = "linux")]

#[cfg(test)]
#[path = "doctor/device.rs"]
mod device;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;

use device::Device;

const ACME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../acme");

/// The policy document, "Verify on the device".
const OF_THE_DOCUMENT: &str = r#"ok   posture/claude-code      sandbox: on (managed); egress: default deny, 19 allowed, 2 denied (managed)
ok   posture/codex            sandbox: modes [read-only workspace-write] (managed); egress: default deny, 19 allowed, 2 denied (managed)
warn posture/codex            ~/.codex/config.toml sets sandbox_mode = "danger-full-access"
                              fix: remove sandbox_mode from ~/.codex/config.toml; requirements.toml refuses it on codex >= 0.77.0, older versions run unsandboxed
"#;

const CANARY: [&str; 4] = ["--policy-dir", ACME, "--ring", "ring0-canary"];
const POLICY: [&str; 4] = ["--policy-dir", ACME, "--ring", "ring3-ga"];

fn of_the_document() -> Device {
    let device = Device::managed(&["claude-code", "codex"]);
    device.put(
        "~/.codex/config.toml",
        b"sandbox_mode = \"danger-full-access\"\n",
    );
    device
}

#[test]
fn the_documents_own_output_line_for_line() {
    let device = of_the_document();
    for arguments in [&[][..], &POLICY] {
        let output = device.doctor(arguments, &[]);
        assert_eq!(String::from_utf8(output.stdout).unwrap(), OF_THE_DOCUMENT);
        // The ring's posture is enforce, and the device has drifted.
        let code = if arguments.is_empty() { 0 } else { 1 };
        assert_eq!(output.status.code(), Some(code));
        // What was skipped is said apart from the answer.
        let skipped = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            skipped.contains("were not compared"),
            arguments.is_empty(),
            "{skipped}"
        );
    }
}

#[test]
fn the_json_follows_its_schema_and_says_the_same() {
    let device = of_the_document();
    let value = device.json(&[]);
    assert_eq!(value["ok"], true);
    assert_eq!(value["warnings"], 1);
    assert_eq!(value["policy"], Value::Null);
    assert_eq!(value["harnesses"][0]["egress"]["allowed"], 19);
    assert_eq!(value["harnesses"][0]["rendered"], "skipped");
    assert_eq!(
        value["harnesses"][1]["sandbox"]["modes"][1],
        "workspace-write"
    );
    assert_eq!(value["findings"][0]["code"], "codex-danger-full-access");
    assert_eq!(value["report"]["drift"][0], value["findings"][0]["line"]);
    let value = device.json(&POLICY);
    assert_eq!(value["policy"]["compliant"], false);
    assert_eq!(value["ok"], false);
    assert_eq!(value["failures"], 0);
    assert_eq!(value["harnesses"][0]["rendered"], "same");
    assert_eq!(value["harnesses"][0]["pin"], "2.1.280");
    // Empty, and with everything there is.
    Device::new().json(&[]);
    let all = Device::managed(&["claude-code"]);
    for path in [
        "/etc/codex/requirements.toml",
        "/etc/opencode/opencode.json",
        "/usr/bin/cursor-agent",
        "/usr/bin/gemini",
    ] {
        all.put(path, b"{");
    }
    all.put(
        "/etc/github-copilot/managed-settings.json",
        b"{\"sandbox\": {\"enabled\": true}}",
    );
    all.put(
        "/usr/lib/node_modules/@google/gemini-cli/package.json",
        b"{\"version\": \"0.61.0\"}",
    );
    let value = all.json(&POLICY);
    assert_eq!(value["ok"], false);
    assert_eq!(value["harnesses"].as_array().unwrap().len(), 6);
}

#[test]
fn exit_codes() {
    let code = |device: &Device, arguments: &[&str]| device.doctor(arguments, &[]).status.code();
    let clean = Device::managed(&["claude-code", "codex"]);
    assert_eq!(code(&clean, &[]), Some(0));
    assert_eq!(code(&clean, &POLICY), Some(0));
    assert_eq!(code(&Device::new(), &[]), Some(0));
    let failed = Device::new();
    failed.put("~/.cursor/sandbox.json", b"{\"type\": \"insecure_none\"}");
    assert_eq!(code(&failed, &[]), Some(1));
    let unknown = Device::new();
    unknown.put("~/.cursor/sandbox.json", b"{");
    assert_eq!(code(&unknown, &[]), Some(0));
    assert_eq!(code(&unknown, &POLICY), Some(1));
    assert_eq!(code(&unknown, &CANARY), Some(0));
    let unknown = Device::new();
    unknown.put("/etc/codex/requirements.toml", b"{");
    assert_eq!(code(&unknown, &[]), Some(1));
    for arguments in [
        &["--home", "/home/nobody"][..],
        &["--root", "/nowhere/at/all"],
        &["--project", "/nowhere"],
        &["--policy-dir", ACME, "--ring", "no-such-ring"],
        &["--policy-dir", "/nowhere", "--ring", "ring3-ga"],
    ] {
        let output = clean.doctor_with(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(output.stdout, b"");
        assert!(!output.stderr.is_empty());
    }
}

/// What is unknown under enforce is not good, however a user makes it so.
#[test]
fn a_file_that_cannot_be_judged_does_not_turn_a_failure_into_a_pass() {
    type Hide = fn(&Device, &Path);
    let fault = b"{\"type\": \"insecure_none\"}";
    let ways: [(&str, Hide); 5] = [
        ("link", |device, path| {
            device.put("~/real.json", b"{\"type\": \"insecure_none\"}");
            fs::remove_file(path).unwrap();
            std::os::unix::fs::symlink("../real.json", path).unwrap();
        }),
        ("too large", |_, path| {
            let text = format!(
                "{{\"type\": \"insecure_none\", \"x\": \"{}\"}}",
                "x".repeat(1 << 20)
            );
            fs::write(path, text).unwrap();
        }),
        ("byte order mark", |_, path| {
            fs::write(path, b"\xef\xbb\xbf{\"type\": \"insecure_none\"}").unwrap();
        }),
        ("duplicate key", |_, path| {
            fs::write(path, b"{\"type\": \"insecure_none\", \"type\": \"x\"}").unwrap();
        }),
        ("linked directory", |_, path| {
            let directory = path.parent().unwrap();
            fs::rename(directory, directory.with_file_name("real")).unwrap();
            std::os::unix::fs::symlink("real", directory).unwrap();
        }),
    ];
    for (way, hide) in ways {
        let device = Device::managed(&["claude-code", "codex"]);
        device.put("~/.cursor/sandbox.json", fault);
        assert_eq!(device.json(&POLICY)["ok"], false, "{way}");
        // A home in which others may place links.
        let home = device.path("~/.");
        fs::set_permissions(home, fs::Permissions::from_mode(0o777)).unwrap();
        hide(&device, &device.path("~/.cursor/sandbox.json"));
        let value = device.json(&POLICY);
        assert_eq!(value["ok"], false, "{way}");
        assert_ne!(value["report"]["unknown"], serde_json::json!([]), "{way}");
        assert_eq!(device.doctor(&POLICY, &[]).status.code(), Some(1), "{way}");
    }
}

#[test]
fn a_clone_is_judged_without_a_policy() {
    let device = Device::new();
    let code = |arguments: &[&str]| device.doctor(arguments, &[]).status.code();
    device.put("/work/README.md", b"hooks");
    assert_eq!(code(&["--project", "/work"]), Some(0));
    device.put(
        "/work/.claude/settings.json",
        b"{\"hooks\": {\"SessionStart\": [{\"hooks\": [{\"command\": \"x\"}]}]}}",
    );
    assert_eq!(code(&[]), Some(0));
    assert_eq!(code(&["--project", "/work"]), Some(1));
    let value = device.json(&["--project", "/work"]);
    assert_eq!(value["ok"], false);
    assert_eq!(value["findings"][0]["kind"], "failure");
    assert_eq!(value["findings"][0]["status"], "FAIL");
    // What cannot be judged is not taken for harmless.
    device.put("/other/.mcp.json", b"{");
    assert_eq!(code(&["--project", "/other"]), Some(1));
    assert!(
        device
            .text(&["--project", "/other"])
            .contains("FAIL posture/claude-code      unknown: .mcp.json is not valid JSON")
    );
}

#[test]
fn a_clone_does_not_bring_the_policy_that_it_is_judged_by() {
    let device = Device::new();
    device.put("halos.yaml", b"not: [a, policy");
    device.put(
        ".cursor/sandbox.json",
        b"{\"networkPolicy\": {\"default\": \"deny\", \"allow\": [\"c.example\"]}}",
    );
    let root = device.path("/");
    let output = device.doctor(&["--project", root.to_str().unwrap()], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains(".cursor/sandbox.json allows hosts")
    );
    // Named, it is read.
    let output = device.doctor(
        &[
            "--project",
            root.to_str().unwrap(),
            "--policy-dir",
            root.to_str().unwrap(),
        ],
        &[],
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn files_of_the_other_strength_are_told_once() {
    let device = Device::managed(&["claude-code"]);
    let strict = [&POLICY[..], &["--strict"]].concat();
    let text = device.text(&strict);
    assert_eq!(
        text.matches("without --strict, and was compared").count(),
        1,
        "{text}"
    );
    assert!(!text.contains("is not what the policy renders"), "{text}");
    assert!(!device.text(&POLICY).contains("--strict"));
}

#[test]
fn every_kind_of_line() {
    let device = Device::managed(&["claude-code"]);
    device.put("/usr/local/bin/codex", b"");
    device.put("/usr/local/bin/cursor-agent", b"");
    device.put("~/.gemini/settings.json", b"{\"secret\": ");
    device.put(
        "/usr/lib/node_modules/@anthropic-ai/claude-code/package.json",
        b"{\"version\": \"2.1.62\"}",
    );
    let expected = r"ok   posture/claude-code      sandbox: on (managed); egress: default deny, 19 allowed, 2 denied (managed)
FAIL posture/claude-code      an installed release is older than the one the policy pins (installed 2.1.62, pinned 2.1.280)
                              fix: install the pinned release, and remove the older installation
warn posture/codex            sandbox: not managed; egress: not managed
                              fix: place the managed files that `halo release build` renders
FAIL posture/codex            /etc/codex/requirements.toml is missing, so nothing is managed
                              fix: place /etc/codex/requirements.toml as `halo release build` renders it
";
    let text = device.text(&POLICY);
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains(
        "warn posture/gemini-cli       unknown: ~/.gemini/settings.json is not valid JSON\n                              fix: correct its JSON\n"
    ), "{text}");
    assert!(text.ends_with(
        "warn posture/cursor-cli       sandbox: not managed; egress: not managed\n                              fix: set the team sandbox policy in Cursor's admin dashboard\n"
    ), "{text}");
}

#[test]
fn the_environment_overrides_that_it_can_see() {
    let output = Device::new().doctor(
        &[],
        &[
            ("GEMINI_SANDBOX", "false"),
            ("OPENCODE_PERMISSION", "{}"),
            ("CODEX_HOME", "/elsewhere"),
        ],
    );
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        r"warn posture/codex            CODEX_HOME is set, so that Codex reads its configuration there; both places were checked
                              fix: unset CODEX_HOME unless it is meant
warn posture/gemini-cli       GEMINI_SANDBOX = false is set, which turns tools.sandbox off
                              fix: unset GEMINI_SANDBOX
warn posture/opencode         OPENCODE_PERMISSION is set, which overrides the managed permissions
                              fix: unset OPENCODE_PERMISSION
"
    );
}

#[test]
fn a_repository_is_judged_when_it_is_named() {
    let device = Device::new();
    device.put(
        "/work/.cursor/sandbox.json",
        b"{\"type\": \"insecure_none\"}",
    );
    assert_eq!(device.text(&[]), "");
    assert!(
        device
            .text(&["--project", "/work"])
            .contains(".cursor/sandbox.json sets type = \"insecure_none\"")
    );
}

#[test]
fn no_secret_of_a_device_is_in_any_output() {
    const SECRET: &str = "zqxjkvbpzyxwvuts";
    let device = Device::managed(&["claude-code", "codex"]);
    for (path, text) in [
        (
            "~/.codex/config.toml",
            "[profiles.SECRET]\nsandbox_mode = \"danger-full-access\"\nkey = \"SECRET\"",
        ),
        (
            "~/.claude/settings.json",
            r#"{"sandbox": {"excludedCommands": ["SECRET"], "filesystem": {"allowWrite": ["/SECRET"]}}}"#,
        ),
        ("~/.gemini/settings.json", "{\"SECRET\": SECRET"),
        (
            "~/.cursor/sandbox.json",
            "{\"type\": \"insecure_none\", \"SECRET\": \"SECRET\"}",
        ),
        (
            "~/.config/opencode/agents/SECRET.md",
            "---\nSECRET: [\n---\n",
        ),
        ("/etc/codex/managed_config.toml", "SECRET = SECRET"),
    ] {
        device.put(
            &path.replace("SECRET", SECRET),
            text.replace("SECRET", SECRET).as_bytes(),
        );
    }
    let variables = [
        ("OPENCODE_PERMISSION", SECRET),
        ("GEMINI_CLI_HOME", SECRET),
        ("RUST_LOG", "trace"),
        ("RUST_BACKTRACE", "full"),
    ];
    for arguments in [
        &[][..],
        &["--output", "json"],
        &["--color", "always"],
        &["--project", "/home/alice", "--output", "json"],
        &POLICY,
    ] {
        let output = device.doctor(arguments, &variables);
        let mut shown = output.stdout;
        shown.extend(output.stderr);
        assert!(!shown.is_empty());
        let shown = String::from_utf8(shown).unwrap();
        let letters: Vec<char> = SECRET.chars().collect();
        for part in letters.windows(8) {
            let part: String = part.iter().collect();
            assert!(!shown.contains(&part), "{arguments:?}: {shown}");
        }
        assert!(!shown.contains("alice"), "{arguments:?}: {shown}");
    }
}

//! `halo doctor` on devices that are directory trees.
#![cfg(target_os = "linux")]

#[cfg(test)]
#[path = "doctor/device.rs"]
mod device;

use serde_json::Value;

use device::Device;

const ACME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../acme");

/// The policy document, "Verify on the device".
const OF_THE_DOCUMENT: &str = r#"ok   posture/claude-code      sandbox: on (managed); egress: default deny, 19 allowed, 2 denied (managed)
ok   posture/codex            sandbox: modes [read-only workspace-write] (managed); egress: default deny, 19 allowed, 2 denied (managed)
warn posture/codex            ~/.codex/config.toml sets sandbox_mode = "danger-full-access"
                              fix: remove sandbox_mode from ~/.codex/config.toml; requirements.toml refuses it on codex >= 0.77.0, older versions run unsandboxed
"#;

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
        assert_eq!(output.status.code(), Some(0));
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

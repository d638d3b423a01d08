//! The policy document's own words.

use harness_render::{Context, DeviceReport, Os};
use policy_core::Harness;

use crate::tree::{Entry, Tree};

const REQUIREMENTS: Entry<'_> = (
    "/etc/codex/requirements.toml",
    "allowed_sandbox_modes = [\"read-only\", \"workspace-write\"]\n[permissions.filesystem]\ndeny_read = [\"~/.ssh\"]",
);

fn drift(entries: &[Entry<'_>]) -> Vec<String> {
    let report = DeviceReport::of(&Tree::of(entries).examine(Os::Linux));
    assert_eq!(report.unknown(), []);
    report.drift().iter().map(ToString::to_string).collect()
}

#[test]
fn codex() {
    assert_eq!(
        drift(&[
            REQUIREMENTS,
            (
                "~/.codex/config.toml",
                "sandbox_mode = \"danger-full-access\""
            )
        ]),
        [
            "posture:codex: ~/.codex/config.toml sets sandbox_mode = \"danger-full-access\"; fix: remove \
          sandbox_mode from ~/.codex/config.toml; requirements.toml refuses it on codex >= 0.77.0, \
          older versions run unsandboxed"
        ]
    );
    assert_eq!(
        drift(&[
            REQUIREMENTS,
            (
                "~/.codex/config.toml",
                "[profiles.any]\nsandbox_mode = \"danger-full-access\""
            )
        ]),
        [
            "posture:codex: ~/.codex/config.toml sets sandbox_mode = \"danger-full-access\" in a profile; \
          fix: remove sandbox_mode from the profiles in ~/.codex/config.toml; requirements.toml refuses \
          it on codex >= 0.77.0, older versions run unsandboxed"
        ]
    );
    assert_eq!(
        drift(&[(
            "~/.codex/config.toml",
            "sandbox_mode = \"danger-full-access\""
        )]),
        [""; 0]
    );
}

#[test]
fn gemini_cli() {
    let managed = (
        "/etc/gemini-cli/settings.json",
        r#"{"tools": {"sandbox": true}}"#,
    );
    let users = (
        "~/.gemini/settings.json",
        r#"{"tools": {"sandbox": false}}"#,
    );
    assert_eq!(
        drift(&[managed, users]),
        [
            "posture:gemini-cli: ~/.gemini/settings.json sets tools.sandbox = false; fix: remove \
          tools.sandbox from ~/.gemini/settings.json"
        ]
    );
    assert_eq!(drift(&[users]), [""; 0]);
}

#[test]
fn cursor_cli_is_always_checked() {
    assert_eq!(
        drift(&[("~/.cursor/sandbox.json", r#"{"type": "insecure_none"}"#)]),
        [
            "posture:cursor-cli: ~/.cursor/sandbox.json sets type = \"insecure_none\"; fix: remove type \
          from ~/.cursor/sandbox.json, or set another; nothing else keeps commands in a sandbox"
        ]
    );
}

#[test]
fn summaries() {
    let summary = |harness, path: &str, text: &str| {
        let mut context = Context::unmanaged(harness, Os::Linux);
        let file = harness_render::watched(harness);
        let file = file
            .iter()
            .find(|file| file.path(Os::Linux) == Some(path))
            .unwrap();
        context.manage(file, text.as_bytes()).unwrap();
        context.summary().to_string()
    };
    let claude = |text: &str| {
        summary(
            Harness::ClaudeCode,
            "/etc/claude-code/managed-settings.json",
            text,
        )
    };
    let codex = |text: &str| summary(Harness::Codex, "/etc/codex/requirements.toml", text);
    let copilot = |text: &str| {
        summary(
            Harness::CopilotCli,
            "/etc/github-copilot/managed-settings.json",
            text,
        )
    };
    let gemini = |text: &str| summary(Harness::GeminiCli, "/etc/gemini-cli/settings.json", text);
    let rules = |text: &str| summary(Harness::GeminiCli, "/etc/gemini-cli/policies/*.toml", text);
    let opencode = |text: &str| summary(Harness::OpenCode, "/etc/opencode/opencode.json", text);
    for (found, expected) in [
        (claude("{}"), "sandbox: not managed; egress: not managed"),
        (
            claude(r#"{"sandbox": {"enabled": false}}"#),
            "sandbox: off (managed); egress: not managed",
        ),
        (
            claude(
                r#"{"sandbox": {"enabled": true, "network": {"allowedDomains": ["a.example", "a.example"], "allowManagedDomainsOnly": true}}}"#,
            ),
            "sandbox: on (managed); egress: default deny, 1 allowed, 0 denied (managed)",
        ),
        (
            claude(
                r#"{"sandbox": {"enabled": true, "network": {"allowedDomains": ["a.example"]}}}"#,
            ),
            "sandbox: on (managed); egress: default ask, 1 allowed, 0 denied (managed)",
        ),
        (
            claude(
                r#"{"sandbox": {"enabled": true, "network": {"allowedDomains": ["*"], "deniedDomains": ["b.example"]}}}"#,
            ),
            "sandbox: on (managed); egress: default allow, 0 allowed, 1 denied (managed)",
        ),
        (
            claude(r#"{"permissions": {"deny": ["WebFetch(domain:b.example)"]}}"#),
            "sandbox: not managed; egress: fetch tool, 1 rules (managed)",
        ),
        (
            codex("allowed_sandbox_modes = [\"read-only\", \"made-up\"]"),
            "sandbox: modes [read-only] (managed); egress: not managed",
        ),
        (
            codex(
                "[experimental_network]\nenabled = true\nmanaged_allowed_domains_only = true\n[experimental_network.domains]\n\"a.example\" = \"allow\"\n\"b.example\" = \"deny\"",
            ),
            "sandbox: not managed; egress: default deny, 1 allowed, 1 denied (managed)",
        ),
        (
            copilot(
                r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"allowedHosts": ["a.example", "bad:1"], "blockedHosts": []}}}}"#,
            ),
            "sandbox: on (managed); egress: default deny, 1 allowed, 0 denied (managed)",
        ),
        (
            copilot(
                r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"allowedHosts": ["bad:1"]}}}}"#,
            ),
            "sandbox: on (managed); egress: default allow, 0 allowed, 0 denied (managed)",
        ),
        (
            copilot(
                r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"allowedHosts": ["a.example"], "allowOutbound": false}}}}"#,
            ),
            "sandbox: on (managed); egress: default deny, 0 allowed, 0 denied (managed)",
        ),
        (
            gemini(r#"{"security": {"toolSandboxing": true}}"#),
            "sandbox: on (managed); egress: not managed",
        ),
        (
            rules(
                "[[rule]]\ntoolName = \"web_fetch\"\nargsPattern = \"x\"\ndecision = \"deny\"\npriority = 1",
            ),
            "sandbox: not managed; egress: fetch tool, 1 rules (managed)",
        ),
        (
            rules("[[rule]]\ntoolName = \"web_fetch\"\nargsPattern = \"x\"\ndecision = \"deny\""),
            "sandbox: not managed; egress: not managed",
        ),
        (
            rules("[[rule]]\ntoolName = \"web_fetch\"\ndecision = \"deny\"\npriority = 1"),
            "sandbox: not managed; egress: fetch tool denied (managed)",
        ),
        (
            opencode(r#"{"permission": {"webfetch": "deny"}}"#),
            "sandbox: not managed; egress: fetch tool denied (managed)",
        ),
        (
            opencode(r#"{"permission": {"*": "ask"}}"#),
            "sandbox: not managed; egress: fetch tool asks (managed)",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

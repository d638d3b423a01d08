//! What a user or a repository can set against a rendering, and how it is set in a world.

use std::path::Path;

use serde_json::Value;

use crate::Result;
use crate::layout::{HOME, WORKSPACE};

/// The policy that is loosened: it has clauses of every kind.
pub(crate) const POLICY: &str = "paths";

/// One thing that a user or a repository sets.
#[derive(Debug)]
pub(crate) struct Loosening {
    /// The section of `versions.toml`.
    pub(crate) program: &'static str,
    pub(crate) name: &'static str,
    /// Files, `~/` in the home and otherwise in the workspace. Where the session has such a file of
    /// its own, the two are merged.
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// Variables of the environment.
    pub(crate) variables: &'static [(&'static str, &'static str)],
}

const fn file(
    program: &'static str,
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
) -> Loosening {
    Loosening {
        program,
        name,
        files,
        variables: &[],
    }
}

const fn variable(
    program: &'static str,
    name: &'static str,
    variables: &'static [(&'static str, &'static str)],
) -> Loosening {
    Loosening {
        program,
        name,
        files: &[],
        variables,
    }
}

/// Every loosening.
#[rustfmt::skip]
pub(crate) const LOOSENINGS: &[Loosening] = &[
    file("codex", "full-access", &[("~/.codex/config.toml", "sandbox_mode = \"danger-full-access\"\napproval_policy = \"never\"\n")]),
    file("codex", "writable-roots", &[("~/.codex/config.toml", "sandbox_mode = \"workspace-write\"\n[sandbox_workspace_write]\nnetwork_access = true\nwritable_roots = [\"/\"]\n")]),
    file("codex", "own-network", &[("~/.codex/config.toml", "[features.network_proxy]\nenabled = true\nallow_local_binding = true\n[features.network_proxy.domains]\n\"*\" = \"allow\"\n")]),
    file("codex", "own-profile", &[("~/.codex/config.toml", "default_permissions = \"mine\"\n[permissions.mine]\nextends = \":workspace\"\n[permissions.mine.filesystem]\n\"/\" = \"write\"\n")]),
    file("codex", "rules", &[("~/.codex/rules/default.rules", "prefix_rule(pattern=[\"bash\"], decision=\"allow\")\n")]),
    file("codex", "network-rule", &[("~/.codex/rules/default.rules", "network_rule(host=\"a.plain.example\", protocol=\"http\", decision=\"allow\")\n")]),
    file("codex", "profile-collision", &[("~/.codex/config.toml", "[permissions.halo-managed]\nextends = \":workspace\"\n[permissions.halo-managed.filesystem]\n\"/\" = \"write\"\n")]),
    file("codex", "project", &[(".codex/config.toml", "sandbox_mode = \"danger-full-access\"\n")]),

    file("claude-code", "sandbox-off", &[("~/.claude/settings.json", r#"{"sandbox": {"enabled": false, "failIfUnavailable": false, "allowUnsandboxedCommands": true}}"#)]),
    file("claude-code", "excluded-commands", &[("~/.claude/settings.json", r#"{"sandbox": {"excludedCommands": ["bash *", "bash:*"]}}"#)]),
    file("claude-code", "allow-write", &[("~/.claude/settings.json", r#"{"sandbox": {"filesystem": {"allowWrite": ["/"]}}}"#)]),
    file("claude-code", "allow-write-beside", &[("~/.claude/settings.json", r#"{"sandbox": {"filesystem": {"allowWrite": ["/opt/other"]}}}"#)]),
    file("claude-code", "weaker-switches", &[("~/.claude/settings.json", r#"{"sandbox": {"enableWeakerNestedSandbox": true, "allowNestedUserNamespaces": true, "enableWeakerNetworkIsolation": true, "network": {"allowAllUnixSockets": true, "allowLocalBinding": true}}}"#)]),
    file("claude-code", "allow-read", &[("~/.claude/settings.json", r#"{"sandbox": {"filesystem": {"allowRead": ["~/.ssh"]}}}"#)]),
    file("claude-code", "allowed-domains", &[("~/.claude/settings.json", r#"{"sandbox": {"network": {"allowedDomains": ["*", "a.plain.example"]}}}"#)]),
    file("claude-code", "filesystem-disabled", &[("~/.claude/settings.json", r#"{"sandbox": {"filesystem": {"disabled": true}}}"#)]),
    file("claude-code", "additional-directories", &[("~/.claude/settings.json", r#"{"permissions": {"additionalDirectories": ["/opt/other"]}}"#)]),
    file("claude-code", "fetch-rule", &[("~/.claude/settings.json", r#"{"permissions": {"allow": ["WebFetch(domain:a.plain.example)"]}}"#)]),
    // For the superuser this mode needs the variable as well.
    Loosening {
        program: "claude-code",
        name: "bypass-mode",
        files: &[("~/.claude/settings.json", r#"{"permissions": {"defaultMode": "bypassPermissions"}}"#)],
        variables: &[("IS_SANDBOX", "1")],
    },
    file("claude-code", "scrub-in-settings", &[("~/.claude/settings.json", r#"{"env": {"CLAUDE_CODE_SUBPROCESS_ENV_SCRUB": "1"}}"#)]),
    variable("claude-code", "scrub", &[("CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", "1")]),
    file("claude-code", "project-settings", &[(".claude/settings.json", r#"{"sandbox": {"enabled": false, "excludedCommands": ["bash *"], "network": {"allowedDomains": ["*"]}}}"#)]),

    file("copilot-cli", "sandbox-off", &[("~/.copilot/settings.json", r#"{"sandbox": {"enabled": false}}"#)]),
    file("copilot-cli", "own-paths", &[("~/.copilot/settings.json", r#"{"sandbox": {"userPolicy": {"filesystem": {"readwritePaths": ["/opt/other", "/etc"]}}}}"#)]),
    file("copilot-cli", "own-hosts", &[("~/.copilot/settings.json", r#"{"sandbox": {"userPolicy": {"network": {"allowedHosts": ["*", "plain.example"]}}}}"#)]),

    file("copilot-cli", "read-paths", &[("~/.copilot/settings.json", r#"{"sandbox": {"userPolicy": {"filesystem": {"readonlyPaths": ["~/.ssh", "/srv/vault"]}}}}"#)]),
    file("copilot-cli", "dev-tools", &[("~/.copilot/settings.json", r#"{"sandbox": {"allowDevToolAccess": true}}"#)]),
    variable("copilot-cli", "allow-all-variable", &[("COPILOT_ALLOW_ALL", "true")]),

    variable("opencode", "content-variable", &[("OPENCODE_CONFIG_CONTENT", r#"{"agent": {"build": {"permission": {"webfetch": "allow", "read": "allow", "edit": "allow", "external_directory": "allow"}}}}"#)]),
    file("opencode", "agent-file", &[("~/.config/opencode/agent/build.md", "---\npermission:\n  webfetch: allow\n  read: allow\n  edit: allow\n  external_directory: allow\n---\nBuild.\n")]),
    variable("opencode", "permission-variable", &[("OPENCODE_PERMISSION", r#"{"webfetch": "allow", "read": "allow", "edit": "allow", "external_directory": "allow"}"#)]),
    variable("opencode", "managed-directory", &[("OPENCODE_TEST_MANAGED_CONFIG_DIR", "/nosuch")]),
    file("opencode", "agent-permission", &[("~/.config/opencode/opencode.json", r#"{"agent": {"build": {"permission": {"webfetch": "allow", "read": "allow", "edit": "allow", "external_directory": "allow"}}}}"#)]),
    file("opencode", "key-order", &[("~/.config/opencode/opencode.json", r#"{"permission": {"webfetch": "ask", "read": "ask", "*": "allow"}}"#)]),

    file("gemini-cli", "sandbox-network", &[("~/.gemini/policies/sandbox.toml", "[modes.plan]\nnetwork = true\nreadonly = false\napprovedTools = []\nallowOverrides = true\n[modes.default]\nnetwork = true\nreadonly = false\napprovedTools = []\nallowOverrides = true\n[modes.accepting_edits]\nnetwork = true\nreadonly = false\napprovedTools = []\nallowOverrides = true\n[commands]\n")]),
    file("gemini-cli", "own-policy", &[("~/.gemini/policies/mine.toml", "[[rule]]\ntoolName = [\"web_fetch\", \"read_file\", \"write_file\"]\ndecision = \"allow\"\npriority = 999\n")]),
    file("gemini-cli", "sandboxing-off", &[("~/.gemini/settings.json", r#"{"security": {"toolSandboxing": false}}"#)]),
    file("gemini-cli", "older-sandbox-off", &[("~/.gemini/settings.json", r#"{"tools": {"sandbox": false}}"#)]),
    file("gemini-cli", "env-file", &[("~/.gemini/.env", "GEMINI_SANDBOX=false\nSANDBOX=x\n")]),
    variable("gemini-cli", "system-settings-path", &[("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/nosuch")]),
    variable("gemini-cli", "sandbox-variable", &[("GEMINI_SANDBOX", "false"), ("SANDBOX", "x")]),
];

/// The loosenings of a program.
pub(crate) fn of(program: &str) -> impl Iterator<Item = &'static Loosening> {
    LOOSENINGS
        .iter()
        .filter(move |loosening| loosening.program == program)
}

/// Where a file of a loosening lies.
pub(crate) fn place(path: &str) -> String {
    match path.strip_prefix("~/") {
        Some(path) => format!("{HOME}/{path}"),
        None => format!("{WORKSPACE}/{path}"),
    }
}

/// A session's own file with what a user adds to it.
pub(crate) fn merged(path: &str, own: &str, added: &str) -> Result<String> {
    if Path::new(path)
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        let mut both: Value = serde_json::from_str(own)?;
        merge(&mut both, serde_json::from_str(added)?);
        return Ok(both.to_string());
    }
    let mut both: toml::Table = own.parse()?;
    merge_tables(&mut both, added.parse()?);
    Ok(both.to_string())
}

fn merge_tables(into: &mut toml::Table, from: toml::Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(into)), toml::Value::Table(from)) => merge_tables(into, from),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_users_file_is_added_to_the_sessions_own() {
        for (path, own, added, both) in [
            (
                "a.json",
                r#"{"a":{"b":1},"c":[1]}"#,
                r#"{"a":{"d":2}}"#,
                r#"{"a":{"b":1,"d":2},"c":[1]}"#,
            ),
            ("a.json", r#"{"a":1}"#, r#"{"a":[2]}"#, r#"{"a":[2]}"#),
            ("a.toml", "[t]\nx = 1\n", "y = 2\n", "y = 2\n\n[t]\nx = 1\n"),
            (
                "a.toml",
                "y = 2\n[t]\nx = 1\n",
                "[t]\nz = 3\n",
                "y = 2\n\n[t]\nx = 1\nz = 3\n",
            ),
        ] {
            assert_eq!(merged(path, own, added).expect(added), both);
        }
    }

    #[test]
    fn every_added_file_can_be_read() {
        for (path, text) in LOOSENINGS.iter().flat_map(|loosening| loosening.files) {
            match path.rsplit_once('.') {
                Some((_, "json")) => assert!(serde_json::from_str::<Value>(text).is_ok(), "{text}"),
                Some((_, "toml")) => assert!(text.parse::<toml::Table>().is_ok(), "{text}"),
                other => {
                    let extension = other.map(|(_, extension)| extension);
                    assert!(matches!(extension, Some("env" | "md" | "rules")), "{path}");
                }
            }
        }
    }
}

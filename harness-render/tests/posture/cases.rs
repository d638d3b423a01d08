//! A row a check: the managed settings that stand around it, the fault, and what comes near it.
//!
//! Without the fault is the managed settings alone; a near miss is the managed settings and something
//! that looks like the fault. An entry of the fault or of a near miss replaces the one of the same
//! path.

use std::collections::BTreeSet;

use harness_render::{HarnessPosture, Os, Severity, checks};
use policy_core::{Egress, Harness, Pattern, Verdict};

use crate::tree::{Entry, Tree, codes};

#[derive(Clone, Copy)]
struct Case {
    code: &'static str,
    os: Os,
    managed: &'static [Entry<'static>],
    fault: &'static [Entry<'static>],
    near: &'static [&'static [Entry<'static>]],
}

const fn case(
    code: &'static str,
    managed: &'static [Entry<'static>],
    fault: &'static [Entry<'static>],
    near: &'static [&'static [Entry<'static>]],
) -> Case {
    Case {
        code,
        os: Os::Linux,
        managed,
        fault,
        near,
    }
}

const fn on_macos(case: Case) -> Case {
    Case {
        os: Os::MacOs,
        ..case
    }
}

const CLAUDE: &str = "/etc/claude-code/managed-settings.json";
const CLAUDE_DROP_IN: &str = "/etc/claude-code/managed-settings.d/90-x.json";
const CLAUDE_USER: &str = "~/.claude/settings.json";
const CLAUDE_OPEN: &str = r#"{"sandbox": {"enabled": true, "network": {"allowedDomains": ["a.example"]},
    "filesystem": {"denyRead": ["~/.kube"], "denyWrite": ["~/.kube"]}}}"#;
const CLAUDE_LOCKED: &str = r#"{
    "env": {"CLAUDE_CODE_SUBPROCESS_ENV_SCRUB": "0"},
    "allowManagedHooksOnly": true, "allowManagedMcpServersOnly": true, "allowManagedPermissionRulesOnly": true,
    "permissions": {"disableBypassPermissionsMode": "disable"},
    "sandbox": {"enabled": true, "failIfUnavailable": true, "allowUnsandboxedCommands": false,
        "enableWeakerNestedSandbox": false, "allowNestedUserNamespaces": false, "allowAppleEvents": false,
        "enableWeakerNetworkIsolation": false,
        "network": {"allowedDomains": ["a.example"], "allowManagedDomainsOnly": true,
            "allowAllUnixSockets": false, "allowLocalBinding": false},
        "filesystem": {"denyRead": ["~/.kube"], "denyWrite": ["~/.kube"], "allowManagedReadPathsOnly": true}}}"#;
const C_OPEN: &[Entry<'_>] = &[(CLAUDE, CLAUDE_OPEN)];
const C_LOCKED: &[Entry<'_>] = &[(CLAUDE, CLAUDE_LOCKED)];

const CODEX: &str = "/etc/codex/requirements.toml";
const CODEX_USER: &str = "~/.codex/config.toml";
const CODEX_OPEN: &str = "allowed_sandbox_modes = [\"read-only\", \"workspace-write\"]
[permissions.filesystem]\ndeny_read = [\"~/.kube\"]";
const CODEX_LOCKED: &str = "allowed_sandbox_modes = [\"read-only\", \"workspace-write\"]
default_permissions = \"org\"\nallow_managed_hooks_only = true\nmcp_servers = {}\nallowed_web_search_modes = []
[allowed_permission_profiles]\norg = true
[permissions.org]\nextends = \":workspace\"
[permissions.filesystem]\ndeny_read = [\"~/.kube\"]
[experimental_network]\nenabled = true\nmanaged_allowed_domains_only = true
dangerously_allow_all_unix_sockets = false\nallowed_domains = [\"a.example\"]\ndenied_domains = [\"b.example\"]";
const X_OPEN: &[Entry<'_>] = &[(CODEX, CODEX_OPEN)];
const X_LOCKED: &[Entry<'_>] = &[(CODEX, CODEX_LOCKED)];

const COPILOT: &str = "/etc/github-copilot/managed-settings.json";
const COPILOT_USER: &str = "~/.copilot/settings.json";
const COPILOT_OPEN: &str = r#"{"sandbox": {"enabled": true}}"#;
const COPILOT_LOCKED: &str = r#"{
    "permissions": {"disableBypassPermissionsMode": "disable"},
    "sandbox": {"enabled": true, "failIfUnavailable": true, "allowBypass": false, "sandboxMcpServers": true,
        "sandboxLspServers": true, "allowDevToolAccess": false, "userPolicy": {
            "filesystem": {"readwritePaths": ["/opt/cache"], "readonlyPaths": [], "deniedPaths": ["~/.ssh"]},
            "network": {"allowOutbound": true, "allowedHosts": ["a.example"], "blockedHosts": ["b.example"]}}}}"#;
const P_OPEN: &[Entry<'_>] = &[(COPILOT, COPILOT_OPEN)];
const P_LOCKED: &[Entry<'_>] = &[(COPILOT, COPILOT_LOCKED)];

const GEMINI: &str = "/etc/gemini-cli/settings.json";
const GEMINI_RULES: &str = "/etc/gemini-cli/policies/org.toml";
const GEMINI_USER: &str = "~/.gemini/settings.json";
const GEMINI_SANDBOX: &str = "~/.gemini/policies/sandbox.toml";
const GEMINI_ON: &str = r#"{"security": {"toolSandboxing": true, "disableYoloMode": true}}"#;
const G_ON: &[Entry<'_>] = &[(GEMINI, GEMINI_ON)];
const G_WHOLE: &[Entry<'_>] = &[(GEMINI, r#"{"tools": {"sandbox": true}}"#)];

const OPENCODE: &str = "/etc/opencode/opencode.json";
const OPENCODE_USER: &str = "~/.config/opencode/opencode.json";
const OPENCODE_OPEN: &str = r#"{"permission": {"webfetch": "deny", "read": {"*.env": "deny"}}}"#;
const OPENCODE_LOCKED: &str = r#"{"permission": {"webfetch": "deny"}, "agent": {
    "build": {"permission": {"webfetch": "deny", "bash": {"*": "ask", "curl *": "deny"}}},
    "plan": {"permission": {"webfetch": "deny"}}, "general": {"permission": {"webfetch": "deny"}},
    "explore": {"permission": {"webfetch": "deny"}}}}"#;
const O_OPEN: &[Entry<'_>] = &[(OPENCODE, OPENCODE_OPEN)];
const O_LOCKED: &[Entry<'_>] = &[(OPENCODE, OPENCODE_LOCKED)];

const CURSOR: &str = "~/.cursor/sandbox.json";
const CURSOR_CONFIG: &str = "~/.cursor/cli-config.json";
const CURSOR_PROJECT: &str = ".cursor/sandbox.json";
const CURSOR_USER_HOOKS: &str = "~/.cursor/hooks.json";
const CURSOR_SERVERS: &str = "~/.cursor/mcp.json";
const CLAUDE_PROJECT: &str = ".claude/settings.json";
const CLAUDE_LOCAL: &str = ".claude/settings.local.json";
const COPILOT_PROJECT: &str = ".github/copilot/settings.json";
const GEMINI_PROJECT: &str = ".gemini/settings.json";
const CODEX_PROJECT: &str = ".codex/config.toml";
/// Something is managed, and no sandbox.
const P_FETCH: &[Entry<'_>] = &[(
    COPILOT,
    r#"{"permissions": {"limitTo": ["Domain(a.example)"]}}"#,
)];
const NONE: &[Entry<'_>] = &[];

#[rustfmt::skip]
static CLAUDE_CODE: &[Case] = &[
    case("claude-code-excluded-commands", C_OPEN,
        &[(CLAUDE_USER, r#"{"sandbox": {"excludedCommands": ["docker"]}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"excludedCommands": []}}"#)], &[(CLAUDE_USER, r#"{"excludedCommands": ["docker"]}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_USER, r#"{"sandbox": {"excludedCommands": ["docker"]}}"#)],
          &[(CLAUDE, "{}"), (CLAUDE_USER, r#"{"sandbox": {"excludedCommands": ["docker"]}}"#)]]),
    case("claude-code-excluded-commands-ask", C_LOCKED,
        &[(CLAUDE_USER, r#"{"sandbox": {"excludedCommands": ["docker"]}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"excludedCommands": []}}"#)],
          &[(CLAUDE, CLAUDE_OPEN), (CLAUDE_USER, r#"{"sandbox": {"excludedCommands": ["docker"]}}"#)]]),
    case("claude-code-allow-read", C_OPEN,
        &[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowRead": ["~/.kube"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowRead": []}}}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowRead": ["~/.kube"]}}}"#)],
          &[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"denyRead": ["~/.kube"]}}}"#)]]),
    case("claude-code-allow-write", C_LOCKED,
        &[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["/opt/cache"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": []}}}"#)],
          &[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["/"]}}}"#)]]),
    case("claude-code-allow-write", &[(CLAUDE, r#"{"sandbox": {"enabled": true, "filesystem": {"allowWrite": ["/opt/cache"]}}}"#)],
        &[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["/opt/cache", "/opt/other"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["/opt/cache"]}}}"#)]]),
    case("claude-code-allow-write-widely", C_LOCKED,
        &[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["//"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["/opt/cache", "~/work"]}}}"#)]]),
    case("claude-code-allow-write-widely", C_LOCKED,
        &[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["/home/someone/.kube/cache"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["~/.kubeconfig"]}}}"#)]]),
    case("claude-code-edit-allow", C_LOCKED, &[(CLAUDE_USER, r#"{"permissions": {"allow": ["Edit(//opt/x/**)"]}}"#)],
        &[&[(CLAUDE_USER, r#"{"permissions": {"allow": ["Edit", "Write(//opt/x/**)", "Edit(src/**)", "Read(//opt/x/**)"]}}"#)],
          &[(CLAUDE_USER, r#"{"permissions": {"deny": ["Edit(//opt/x/**)"]}}"#)]]),
    case("claude-code-edit-allow", NONE, &[(CLAUDE_PROJECT, r#"{"permissions": {"allow": ["Edit(//opt/x/**)"]}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"permissions": {"allow": ["Edit(/src/**)", "Edit(./x)", "Edit(*)", "Edit(/**)"]}}"#)]]),
    case("claude-code-edit-allow-widely", C_LOCKED, &[(CLAUDE_USER, r#"{"permissions": {"allow": ["Edit(~/**)"]}}"#)],
        &[&[(CLAUDE_USER, r#"{"permissions": {"allow": ["Edit(~/work/**)"]}}"#)]]),
    case("claude-code-edit-allow-widely", NONE, &[(CLAUDE_PROJECT, r#"{"permissions": {"allow": ["Edit(//**)"]}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"permissions": {"allow": ["Edit(**)"]}}"#)]]),
    case("claude-code-additional-directories-widely", C_LOCKED, &[(CLAUDE_USER, r#"{"permissions": {"additionalDirectories": ["~"]}}"#)],
        &[&[(CLAUDE_USER, r#"{"permissions": {"additionalDirectories": ["/opt/other"]}}"#)]]),
    case("claude-code-additional-directories", NONE, &[(CLAUDE_PROJECT, r#"{"permissions": {"additionalDirectories": ["/opt/x"]}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"permissions": {"additionalDirectories": [".", "./docs"]}}"#)]]),
    // What is writable as it is.
    case("claude-code-allow-write", NONE, &[(CLAUDE_PROJECT, r#"{"sandbox": {"filesystem": {"allowWrite": ["./build", "/opt/x"]}}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"sandbox": {"filesystem": {"allowWrite": ["./build", "."]}}}"#)]]),
    case("claude-code-allow-write-widely", NONE, &[(CLAUDE_PROJECT, r#"{"sandbox": {"filesystem": {"allowWrite": [".."]}}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"sandbox": {"filesystem": {"allowWrite": ["."]}}}"#)]]),
    case("claude-code-allow-write", &[(CLAUDE, r#"{"sandbox": {"enabled": true, "filesystem": {"allowWrite": ["/opt/cache"]}}}"#)],
        &[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["/opt/cachex"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["/opt/cache/x"]}}}"#)]]),
    case("claude-code-weaker-sandbox", NONE, &[(CLAUDE_PROJECT, r#"{"sandbox": {"enableWeakerNestedSandbox": true}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"sandbox": {"allowAppleEvents": true}}"#)]]),
    case("claude-code-skill-plugins", NONE, &[(".claude/skills/pl/.claude-plugin/plugin.json", r#"{"name": "pl"}"#)],
        &[&[(".claude/skills/pl/SKILL.md", "plugin.json")]]),
    case("claude-code-skill-plugins", C_LOCKED, &[("~/.claude/skills/pl/.claude-plugin/plugin.json", r#"{"name": "pl"}"#)],
        &[&[("~/.claude/skills/pl/plugin.md", "")]]),
    case("claude-code-helpers", C_LOCKED, &[(CLAUDE_USER, r#"{"sandbox": {"ripgrep": {"command": "x"}}}"#)],
        &[&[(CLAUDE_USER, r#"{"ripgrep": {"command": "x"}, "sandbox": {"ripgrep": {"args": []}}}"#)]]),
    case("claude-code-hooks", NONE, &[(CLAUDE_PROJECT, r#"{"hooks": {"Stop": [{"matcher": "x", "hooks": [{"type": "command", "command": "x"}]}]}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"hooks": {"Stop": []}}"#)], &[(CLAUDE_PROJECT, r#"{"hooks": {"Stop": [{"matcher": "x", "hooks": []}]}}"#)]]),
    case("claude-code-additional-directories", C_LOCKED,
        &[(CLAUDE_USER, r#"{"permissions": {"additionalDirectories": ["/opt/other"]}}"#)],
        &[&[(CLAUDE_USER, r#"{"permissions": {"additionalDirectories": []}}"#)]]),
    case("claude-code-allowed-domains", C_OPEN,
        &[(CLAUDE_USER, r#"{"sandbox": {"network": {"allowedDomains": ["c.example"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"network": {"deniedDomains": ["c.example"]}}}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_USER, r#"{"sandbox": {"network": {"allowedDomains": ["c.example"]}}}"#)]]),
    case("claude-code-allowed-domains", C_OPEN,
        &[(CLAUDE_USER, r#"{"permissions": {"allow": ["WebFetch(domain:c.example)"]}}"#)],
        &[&[(CLAUDE_USER, r#"{"permissions": {"deny": ["WebFetch(domain:c.example)"]}}"#)]]),
    case("claude-code-fetch-allow", C_OPEN,
        &[(CLAUDE_USER, r#"{"permissions": {"allow": ["WebFetch"]}}"#)],
        &[&[(CLAUDE_USER, r#"{"permissions": {"allow": ["WebSearch", "Bash(ls)"], "ask": ["WebFetch"]}}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_USER, r#"{"permissions": {"allow": ["WebFetch"]}}"#)]]),
    case("claude-code-bypass-permissions", C_OPEN,
        &[(CLAUDE_USER, r#"{"permissions": {"defaultMode": "bypassPermissions"}}"#)],
        &[&[(CLAUDE_USER, r#"{"permissions": {"defaultMode": "acceptEdits"}}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_USER, r#"{"permissions": {"defaultMode": "bypassPermissions"}}"#)]]),
    case("claude-code-env-scrub", C_OPEN,
        &[(CLAUDE_USER, r#"{"env": {"CLAUDE_CODE_SUBPROCESS_ENV_SCRUB": "1"}}"#)],
        &[&[(CLAUDE_USER, r#"{"env": {"CLAUDE_CODE_SUBPROCESS_ENV_SCRUB": "0"}}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_USER, r#"{"env": {"CLAUDE_CODE_SUBPROCESS_ENV_SCRUB": "1"}}"#)]]),
    case("claude-code-env-scrub-variable", C_OPEN, &[("$CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", "1")],
        &[&[("$CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", "0")], &[("$CLAUDE_CODE_SUBPROCESS_ENV_SCRUBS", "1")],
          &[(CLAUDE, CLAUDE_LOCKED), ("$CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", "1")]]),
    case("claude-code-weaker-sandbox", C_OPEN,
        &[(CLAUDE_USER, r#"{"sandbox": {"allowNestedUserNamespaces": "true"}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"allowNestedUserNamespaces": false}}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_USER, r#"{"sandbox": {"allowAppleEvents": true}}"#)]]),
    case("claude-code-weaker-network", C_OPEN,
        &[(CLAUDE_USER, r#"{"sandbox": {"network": {"allowAllUnixSockets": true}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"allowAllUnixSockets": true}}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_USER, r#"{"sandbox": {"enableWeakerNetworkIsolation": true}}"#)]]),
    case("claude-code-unix-sockets", C_LOCKED,
        &[(CLAUDE_USER, r#"{"sandbox": {"network": {"allowUnixSockets": ["/run/docker.sock"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"network": {"allowUnixSockets": []}}}"#)]]),
    case("claude-code-hooks", C_OPEN,
        &[(CLAUDE_USER, r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
        &[&[(CLAUDE_USER, r#"{"hooks": {}}"#)], &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_USER, r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)]]),
    case("claude-code-servers", C_OPEN,
        &[("~/.claude.json", r#"{"projects": {"/x": {"mcpServers": {"y": {}}}}}"#)],
        &[&[("~/.claude.json", r#"{"mcpServers": {}, "projects": {"/x": {"mcpServers": {}}}}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), ("~/.claude.json", r#"{"mcpServers": {"y": {}}}"#)]]),
    // What a policy allows itself is none that it does not name.
    case("claude-code-fetch-allow", C_OPEN,
        &[(CLAUDE_USER, r#"{"permissions": {"allow": ["WebFetch(domain:c.example)"]}}"#)],
        &[&[(CLAUDE_USER, r#"{"permissions": {"allow": ["WebFetch(domain:a.example)"]}}"#)],
          &[(CLAUDE, r#"{"sandbox": {"enabled": true, "network": {"allowedDomains": ["*.a.example"]}}}"#), (CLAUDE_USER, r#"{"permissions": {"allow": ["WebFetch(domain:b.a.example)"]}}"#)]]),
    case("claude-code-fetch-allow", &[(CLAUDE, r#"{"sandbox": {"enabled": true, "network": {"allowedDomains": ["*.a.example"], "deniedDomains": ["b.a.example"]}}}"#)],
        &[(CLAUDE_USER, r#"{"permissions": {"allow": ["WebFetch(domain:*.a.example)"]}}"#)],
        &[&[(CLAUDE_USER, r#"{"permissions": {"allow": ["WebFetch(domain:c.a.example)"]}}"#)]]),
    case("claude-code-allowed-domains", C_OPEN,
        &[(CLAUDE_USER, r#"{"sandbox": {"network": {"allowedDomains": ["a.example", "*.a.example"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"network": {"allowedDomains": ["a.example"]}}}"#)]]),
    case("claude-code-auto-mode", C_OPEN,
        &[(CLAUDE_USER, r#"{"permissions": {"defaultMode": "auto"}}"#)],
        &[&[(CLAUDE_USER, r#"{"permissions": {"defaultMode": "plan"}}"#)], &[(CLAUDE_USER, r#"{"defaultMode": "auto"}"#)],
          &[(CLAUDE, r#"{"sandbox": {"enabled": true}, "permissions": {"disableAutoMode": "disable"}}"#), (CLAUDE_USER, r#"{"permissions": {"defaultMode": "auto"}}"#)]]),
    // As the program reads them: a byte order mark, a key that stands twice, nothing at all.
    case("claude-code-hooks", C_OPEN,
        &[(CLAUDE_USER, "\u{feff}{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"x\"}]}]}}")],
        &[&[(CLAUDE_USER, "\u{feff}{\"hooks\": {}}")], &[(CLAUDE_USER, "")], &[(CLAUDE_USER, "\u{feff}\n")]]),
    case("claude-code-hooks", C_OPEN,
        &[(CLAUDE_USER, r#"{"hooks": {}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
        &[&[(CLAUDE_USER, r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}, "hooks": {}}"#)]]),
    case("claude-code-hooks", NONE,
        &[(CLAUDE_PROJECT, r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"hooks": {}}"#)], &[("settings.json", r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
          &[(CLAUDE_PROJECT, r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}, "disableAllHooks": true}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_PROJECT, r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
          &[(CLAUDE_USER, r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)]]),
    case("claude-code-head-hooks", NONE,
        &[(".claude/skills/x/SKILL.md", "---\nname: x: y\nhooks:\n  Stop: [{hooks: [{command: x}]}]\n---\n")],
        &[&[(".claude/skills/x/SKILL.md", "---\nname: hooks\n---\nhooks: x")], &[(".claude/skills/x/README.md", "---\nhooks: x\n---\n")],
          &[(CLAUDE, CLAUDE_LOCKED), (".claude/agents/x.md", "---\nhooks: {Stop: [x]}\n---\n")],
          &[(".claude/agents/x.md", "---\nhooks: {}\n---\n")], &[(".claude/agents/x.md", "---\nhooks: {Stop: [{matcher: x, hooks: []}]}\n---\n")]]),
    case("claude-code-head-hooks", C_OPEN, &[("~/.claude/commands/a/x.md", "---\n\"h\\x6foks\": {Stop: [{hooks: [{command: x}]}]}\n---\n")],
        &[&[("~/.claude/commands/a/x.md", "# hooks: {}\n")]]),
    case("claude-code-head-servers", NONE, &[(".claude/agents/x.md", "---\nmcpServers:\n  - y\n  - z: {command: x}\n---\n")],
        &[&[(".claude/agents/x.md", "---\ndescription: mcpServers\n---\n")], &[(".claude/agents/x.md", "---\nmcpServers: [github]\n---\n")],
          &[(".claude/agents/x.md", "---\n{hooks: {Stop: [x]}}\n---\n")],
          &[(CLAUDE, CLAUDE_LOCKED), (".claude/agents/x.md", "---\nmcpServers: [y: {command: x}]\n---\n")]]),
    case("claude-code-servers", NONE, &[(".mcp.json", r#"{"mcpServers": {"x": {"command": "y"}}}"#)],
        &[&[(".mcp.json", r#"{"mcpServers": {}}"#)], &[("mcp.json", r#"{"mcpServers": {"x": {}}}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (".mcp.json", r#"{"mcpServers": {"x": {"command": "y"}}}"#)]]),
    case("claude-code-servers-approved", NONE, &[(CLAUDE_LOCAL, r#"{"enabledMcpjsonServers": ["x"]}"#)],
        &[&[(CLAUDE_LOCAL, r#"{"enabledMcpjsonServers": [], "disabledMcpjsonServers": ["x"]}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_LOCAL, r#"{"enableAllProjectMcpServers": true}"#)]]),
    case("claude-code-servers-approved", C_OPEN, &[(CLAUDE_USER, r#"{"enableAllProjectMcpServers": true}"#)],
        &[&[(CLAUDE_USER, r#"{"enableAllProjectMcpServers": false}"#)]]),
    case("claude-code-plugins", C_LOCKED, &[(CLAUDE_USER, r#"{"enabledPlugins": {"x@y": true}}"#)],
        &[&[(CLAUDE_USER, r#"{"enabledPlugins": {"x@y": false}}"#)], &[(CLAUDE_USER, r#"{"plugins": {"x@y": true}}"#)]]),
    case("claude-code-plugins", NONE, &[(CLAUDE_PROJECT, r#"{"extraKnownMarketplaces": {"y": {"source": {}}}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"extraKnownMarketplaces": {}}"#)]]),
    case("claude-code-helpers", NONE, &[(CLAUDE_PROJECT, r#"{"apiKeyHelper": "x"}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"apiKeyHelper": ""}"#)],
          &[(CLAUDE, r#"{"apiKeyHelper": "", "sandbox": {"enabled": true}}"#), (CLAUDE_PROJECT, r#"{"apiKeyHelper": "x"}"#)]]),
    case("claude-code-helpers", C_LOCKED, &[(CLAUDE_USER, r#"{"statusLine": {"type": "command", "command": "x"}}"#)],
        &[&[(CLAUDE_USER, r#"{"statusLine": {"type": "command"}}"#)]]),
    case("claude-code-env", NONE, &[(CLAUDE_PROJECT, r#"{"env": {"BASH_ENV": "x"}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"env": {"FORCE_COLOR": "1", "BASH_DEFAULT_TIMEOUT_MS": "1"}}"#)],
          &[(CLAUDE, r#"{"sandbox": {"enabled": true}, "env": {"BASH_ENV": ""}}"#), (CLAUDE_PROJECT, r#"{"env": {"BASH_ENV": "x"}}"#)]]),
    case("claude-code-env", C_LOCKED, &[(CLAUDE_USER, r#"{"env": {"https_proxy": "http://c.example"}}"#)],
        &[&[(CLAUDE_USER, r#"{"environment": {"https_proxy": "http://c.example"}}"#)]]),
    case("claude-code-shell-variable", C_LOCKED, &[("$BASH_ENV", "/x")], &[&[("$BASH_ENV", "")], &[("$BASH_ENVS", "/x")]]),
    case("claude-code-project-sandbox-off", NONE, &[(CLAUDE_LOCAL, r#"{"sandbox": {"enabled": false}}"#)],
        &[&[(CLAUDE_LOCAL, r#"{"sandbox": {"enabled": true}}"#)], &[(CLAUDE_USER, r#"{"sandbox": {"enabled": false}}"#)],
          &[(CLAUDE, CLAUDE_OPEN), (CLAUDE_LOCAL, r#"{"sandbox": {"enabled": false}}"#)]]),
    case("claude-code-excluded-commands", NONE, &[(CLAUDE_PROJECT, r#"{"sandbox": {"excludedCommands": ["x"]}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"sandbox": {"excludedCommands": []}}"#)],
          &[(CLAUDE, CLAUDE_OPEN), (CLAUDE_PROJECT, r#"{"sandbox": {"excludedCommands": ["x"]}}"#)]]),
    case("claude-code-fetch-allow", NONE, &[(CLAUDE_PROJECT, r#"{"permissions": {"allow": ["WebFetch(domain:c.example)"]}}"#)],
        &[&[(CLAUDE_PROJECT, r#"{"permissions": {"allow": ["Bash(ls)"]}}"#)]]),
    case("claude-code-managed-key-unknown", C_LOCKED,
        &[(CLAUDE_DROP_IN, r#"{"permissions": {"allowManagedPermissionRulesOnly": true}}"#)],
        &[&[(CLAUDE_DROP_IN, r#"{"allowManagedPermissionRulesOnly": true, "theme": "dark"}"#)]]),
    case("claude-code-managed-key-unknown", C_LOCKED,
        &[(CLAUDE_DROP_IN, r#"{"sandbox": {"network": {"additionalAllowedHosts": ["x"]}}}"#)],
        &[&[(CLAUDE_DROP_IN, r#"{"sandbox": {"network": {"strictAllowlist": true}}}"#)]]),
    case("claude-code-managed-key-later", C_OPEN,
        &[("/usr/lib/node_modules/@anthropic-ai/claude-code/package.json", r#"{"version": "2.1.200"}"#), (CLAUDE_DROP_IN, r#"{"sandbox": {"network": {"strictAllowlist": true}}}"#)],
        &[&[("/usr/lib/node_modules/@anthropic-ai/claude-code/package.json", r#"{"version": "2.1.219"}"#), (CLAUDE_DROP_IN, r#"{"sandbox": {"network": {"strictAllowlist": true}}}"#)],
          &[(CLAUDE_DROP_IN, r#"{"sandbox": {"network": {"strictAllowlist": true}}}"#)]]),
    case("claude-code-managed-sandbox-off", C_LOCKED,
        &[(CLAUDE_DROP_IN, r#"{"sandbox": {"enabled": false}}"#)],
        &[&[(CLAUDE_DROP_IN, r#"{"sandbox": {"enabled": true}}"#)],
          &[("/etc/claude-code/managed-settings.d/.90-x.json", r#"{"sandbox": {"enabled": false}}"#)],
          &[("/etc/claude-code/managed-settings.d/90-x.json.bak", r#"{"sandbox": {"enabled": false}}"#)],
          &[(CLAUDE, r#"{"permissions": {"deny": ["WebFetch"]}}"#)]]),
    case("claude-code-managed-fail-open", C_LOCKED, C_OPEN,
        &[&[(CLAUDE_DROP_IN, r#"{"sandbox": {"failIfUnavailable": true}}"#)]]),
    case("claude-code-managed-retry", C_LOCKED, &[(CLAUDE_DROP_IN, r#"{"sandbox": {"allowUnsandboxedCommands": true}}"#)],
        &[&[(CLAUDE_DROP_IN, r#"{"sandbox": {"allowUnsandboxedCommands": false}}"#)]]),
    case("claude-code-managed-domains-open", C_LOCKED, C_OPEN,
        &[&[(CLAUDE, r#"{"sandbox": {"enabled": true, "network": {"allowedDomains": ["*"]}}}"#)]]),
    case("claude-code-managed-read-open", C_LOCKED, C_OPEN,
        &[&[(CLAUDE, r#"{"sandbox": {"enabled": true, "filesystem": {"denyRead": []}}}"#)]]),
    case("claude-code-managed-write-open", C_LOCKED, &[(CLAUDE_DROP_IN, r#"{"sandbox": {"filesystem": {"denyRead": ["~/.aws"]}}}"#)],
        &[&[(CLAUDE_DROP_IN, r#"{"sandbox": {"filesystem": {"denyRead": ["~/.aws"], "denyWrite": ["~/.aws"]}}}"#)]]),
    case("claude-code-managed-platforms", C_LOCKED, &[(CLAUDE_DROP_IN, r#"{"sandbox": {"enabledPlatforms": ["macos"]}}"#)],
        &[&[(CLAUDE_DROP_IN, r#"{"sandbox": {"enabledPlatforms": ["macos", "linux"]}}"#)]]),
    case("claude-code-managed-excluded-commands", C_LOCKED, &[(CLAUDE_DROP_IN, r#"{"sandbox": {"excludedCommands": ["x"]}}"#)],
        &[&[(CLAUDE_DROP_IN, r#"{"sandbox": {"excludedCommands": []}}"#)]]),
    case("claude-code-managed-scrub-open", C_LOCKED, C_OPEN,
        &[&[(CLAUDE_DROP_IN, r#"{"env": {"OTHER": "1"}}"#)]]),
    on_macos(case("claude-code-managed-elsewhere", NONE,
        &[("/Library/Managed Preferences/com.anthropic.claudecode.plist", "bplist00")],
        &[&[("/Library/Managed Preferences/com.example.plist", "bplist00")]])),
];

#[rustfmt::skip]
static CODEX_CASES: &[Case] = &[
    case("codex-provider-address", X_LOCKED, &[(CODEX_USER, "openai_base_url = \"https://c.example\"")],
        &[&[(CODEX_PROJECT, "openai_base_url = \"https://c.example\"")], &[(CODEX_USER, "[model_providers.x]\nenv_key = \"Y\"")]]),
    case("codex-full-access-permissions", NONE, &[(CODEX_PROJECT, "default_permissions = \":danger-full-access\"")],
        &[&[(CODEX_PROJECT, "default_permissions = \":workspace\"")], &[(CODEX_USER, "default_permissions = \":danger-full-access\"")]]),
    case("codex-full-access-permissions", X_OPEN, &[("~/.codex/x.config.toml", "[permissions.x]\nextends = \":danger-full-access\"")],
        &[&[("~/.codex/x.config.toml", "[permissions.x]\nextends = \":read-only\"")]]),
    case("codex-full-access-permissions", X_OPEN, &[("/etc/codex/config.toml", "default_permissions = \":danger-full-access\"")],
        &[&[("/etc/codex/config.toml", "default_permissions = \":read-only\"")]]),
    case("codex-writable-roots-widely", NONE, &[(CODEX_PROJECT, "default_permissions = \"x\"\n[permissions.x.filesystem]\n\":root\" = \"write\"")],
        &[&[(CODEX_PROJECT, "[permissions.x.filesystem]\n\":root\" = \"read\"")], &[(CODEX_PROJECT, "[permissions.x.filesystem]\n\":workspace_roots\" = {\".\" = \"write\"}")]]),
    case("codex-writable-roots-widely", X_OPEN, &[(CODEX_USER, "[permissions.x.filesystem]\n\":root\" = {\"etc\" = \"write\"}")],
        &[&[(CODEX_USER, "[permissions.x.filesystem]\n\":tmpdir\" = \"write\"")]]),
    case("codex-network-access", NONE, &[(CODEX_PROJECT, "[permissions.x.network]\nenabled = true")],
        &[&[(CODEX_PROJECT, "[permissions.x.network]\nenabled = false")]]),
    case("codex-servers", X_OPEN, &[("/etc/codex/config.toml", "[mcp_servers.x]\ncommand = \"y\"")], &[&[("/etc/codex/config.toml", "model = \"y\"")]]),
    case("codex-servers", NONE, &[(".codex/agents/a/x.toml", "[mcp_servers.x]\ncommand = \"y\"")], &[&[(".codex/agents/x.md", "[mcp_servers.x]\ncommand = \"y\"")]]),
    case("codex-danger-full-access", X_OPEN, &[("~/.codex/agents/x.toml", "sandbox_mode = \"danger-full-access\"")], &[&[("~/.codex/agents/x.toml", "name = \"x\"")]]),
    case("codex-agents", NONE, &[(CODEX_PROJECT, "[agents.r]\nconfig_file = \"r.toml\"")],
        &[&[(CODEX_PROJECT, "[agents.r]\nconfig_file = \"./agents/r.toml\"")], &[(CODEX_PROJECT, "[agents.r]\ndescription = \"r.toml\"")]]),
    case("codex-agents", X_OPEN, &[(CODEX_USER, "[agents.r]\nconfig_file = \"agents/../r.toml\"")], &[&[(CODEX_USER, "[agents]\nmax_threads = 2")]]),
    case("codex-env-file", X_LOCKED, &[("~/.codex/.env", "A=1\nexport BASH_ENV=/x\n")],
        &[&[("~/.codex/.env", "OPENAI_API_KEY=x\nCODEX_HOME=/x\nEDITOR=vim\n")], &[("~/.codex/env", "BASH_ENV=/x")]]),
    case("codex-command-rule", NONE, &[(".codex/rules/x.rules", "prefix_rule(pattern=[\"curl\"], decision=\"allow\")")],
        &[&[(".codex/rules/x.rules", "prefix_rule(pattern = ['x', ['y']],\n  justification = 'a \\' decision = )', decision = 'forbidden')\n# prefix_rule()")],
          &[(CODEX, CODEX_OPEN), (".codex/rules/x.rules", "prefix_rule(pattern=[\"curl\"], decision=\"allow\")")]]),
    case("codex-command-rule", NONE, &[(".codex/rules/x.rules", "prefix_rule(pattern=[\"curl\"], justification=\"decision='prompt'\")")], &[&[(".codex/rules/x.rules", "x = \"prefix_rule()\"")]]),
    case("codex-command-rule", NONE, &[(".codex/rules/x.rules", "p = prefix_rule\np(pattern=[\"curl\"])")], &[&[(".codex/rules/x.rules", "my_prefix_rule(x)")]]),
    case("codex-command-rule", NONE, &[(".codex/rules/x.rules", "prefix_rule(pattern=[\"curl\"], decision=\"prompt\"[:0] + \"allow\")")],
        &[&[(".codex/rules/x.rules", "prefix_rule(pattern=[\"curl\"], decision=\"prompt\")")]]),
    case("codex-managed-full-access", X_LOCKED, &[(CODEX, "[allowed_permission_profiles]\n\":danger-full-access\" = true")],
        &[&[(CODEX, "[allowed_permission_profiles]\n\":read-only\" = true")]]),
    case("codex-managed-defaults-full-access", X_LOCKED, &[("/etc/codex/managed_config.toml", "default_permissions = \":danger-full-access\"")],
        &[&[("/etc/codex/managed_config.toml", "default_permissions = \":workspace\"")]]),
    case("codex-hooks", NONE, &[(".codex/hooks.json", r#"{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}"#)], &[&[(".codex/hooks.json", r#"{"hooks": {"Stop": []}}"#)]]),
    case("codex-danger-full-access", X_LOCKED,
        &[(CODEX_USER, "sandbox_mode = \"danger-full-access\"")],
        &[&[(CODEX_USER, "sandbox_mode = \"workspace-write\"")], &[(CODEX_USER, "# sandbox_mode = \"danger-full-access\"")],
          &[(CODEX_USER, "[tui]\nsandbox_mode = \"danger-full-access\"")],
          &[(CODEX, "# nothing is managed"), (CODEX_USER, "sandbox_mode = \"danger-full-access\"")]]),
    case("codex-danger-full-access", X_LOCKED,
        &[(".codex/config.toml", "sandbox_mode = 'danger-full-access'")],
        &[&[("~/.codex/other.toml", "sandbox_mode = 'danger-full-access'")]]),
    case("codex-danger-full-access", X_OPEN,
        &[("$CODEX_HOME", "/elsewhere"), ("/elsewhere/config.toml", "sandbox_mode = \"danger-full-access\"")],
        &[&[("$CODEX_HOME", "/other"), ("/elsewhere/config.toml", "sandbox_mode = \"danger-full-access\"")]]),
    case("codex-danger-full-access-profile", X_LOCKED,
        &[(CODEX_USER, "[profiles.yolo]\nsandbox_mode = \"danger-full-access\"")],
        &[&[(CODEX_USER, "[profiles.yolo]\nsandbox_mode = \"read-only\"")],
          &[(CODEX_USER, "[profile.yolo]\nsandbox_mode = \"danger-full-access\"")]]),
    case("codex-network-access", X_OPEN,
        &[(CODEX_USER, "[sandbox_workspace_write]\nnetwork_access = true")],
        &[&[(CODEX_USER, "[sandbox_workspace_write]\nnetwork_access = false")],
          &[(CODEX, CODEX_LOCKED), (CODEX_USER, "[sandbox_workspace_write]\nnetwork_access = true")],
          &[("/etc/codex/managed_config.toml", "[sandbox_workspace_write]\nnetwork_access = false"),
            (CODEX_USER, "[sandbox_workspace_write]\nnetwork_access = true")]]),
    case("codex-network-domains", X_OPEN,
        &[(CODEX_USER, "[features.network_proxy.domains]\n\"*\" = \"allow\"")],
        &[&[(CODEX, CODEX_LOCKED), (CODEX_USER, "[permissions.own.network.domains]\n\"*\" = \"allow\"")],
          &[(CODEX_USER, "[features.network_proxy]\nenabled = true")]]),
    case("codex-network-rule", X_OPEN,
        &[("~/.codex/rules/default.rules", "network_rule(host = \"c.example\", decision = \"allow\")")],
        &[&[("~/.codex/rules/default.rules", "# network_rule()\nprefix_rule(pattern = [\"ls\"])")],
          &[("~/.codex/rules/default.txt", "network_rule(host = \"c.example\")")],
          &[(CODEX, CODEX_LOCKED), ("~/.codex/rules/default.rules", "network_rule(host = \"c.example\")")]]),
    case("codex-unix-sockets", X_OPEN,
        &[(CODEX_USER, "[features.network_proxy]\ndangerously_allow_all_unix_sockets = true")],
        &[&[(CODEX_USER, "[features.network_proxy]\ndangerously_allow_all_unix_sockets = false")],
          &[(CODEX, CODEX_LOCKED), (CODEX_USER, "[features.network_proxy]\ndangerously_allow_all_unix_sockets = true")]]),
    case("codex-writable-roots", X_OPEN,
        &[(CODEX_USER, "[sandbox_workspace_write]\nwritable_roots = [\"/opt/cache\"]")],
        &[&[(CODEX_USER, "[sandbox_workspace_write]\nwritable_roots = []")],
          &[(CODEX, CODEX_LOCKED), (CODEX_USER, "[sandbox_workspace_write]\nwritable_roots = [\"/opt/cache\"]")],
          &[(CODEX, "allowed_sandbox_modes = [\"read-only\"]"), (CODEX_USER, "[sandbox_workspace_write]\nwritable_roots = [\"/opt/cache\"]")]]),
    case("codex-writable-roots-widely", X_OPEN,
        &[(CODEX_USER, "[profiles.x.sandbox_workspace_write]\nwritable_roots = [\"/home/someone/.kube\"]")],
        &[&[(CODEX_USER, "[sandbox_workspace_write]\nwritable_roots = [\"~/.kubex\"]")],
          &[(CODEX, CODEX_LOCKED), (CODEX_USER, "[sandbox_workspace_write]\nwritable_roots = [\"/\"]")]]),
    case("codex-writable-roots-held", X_LOCKED,
        &[(CODEX_USER, "[sandbox_workspace_write]\nwritable_roots = [\"/\"]")],
        &[&[(CODEX_USER, "[sandbox_workspace_write]\nwritable_roots = [\"/opt/cache\"]")]]),
    case("codex-profile-collision", X_LOCKED,
        &[(CODEX_USER, "[permissions.org]\nextends = \":workspace\"")],
        &[&[(CODEX_USER, "[permissions.own]\nextends = \":workspace\"")],
          &[(CODEX_USER, "[permissions.filesystem]\ndeny_read = []")]]),
    case("codex-servers", X_OPEN,
        &[(CODEX_USER, "[mcp_servers.x]\ncommand = \"y\"")],
        &[&[(CODEX_USER, "mcp_servers = {}")], &[(CODEX, CODEX_LOCKED), (CODEX_USER, "[mcp_servers.x]\ncommand = \"y\"")]]),
    case("codex-hooks", X_OPEN,
        &[("~/.codex/hooks.json", r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
        &[&[("~/.codex/hooks.json", r#"{"hooks": {}}"#)], &[(CODEX_USER, "[hooks.state]\nx = true")],
          &[(CODEX, CODEX_LOCKED), ("~/.codex/hooks.json", r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)]]),
    case("codex-notify", X_LOCKED,
        &[(CODEX_USER, "notify = [\"say\"]")], &[&[(CODEX_USER, "notify = []")], &[(CODEX_USER, "[tui]\nnotify = [\"say\"]")]]),
    case("codex-web-search", X_OPEN,
        &[(CODEX_USER, "web_search = \"live\"")],
        &[&[(CODEX_USER, "web_search = \"disabled\"")], &[(CODEX, CODEX_LOCKED), (CODEX_USER, "web_search = \"live\"")]]),
    case("codex-home", NONE, &[("$CODEX_HOME", "/elsewhere")], &[&[("$CODEX_HOME", "")], &[("$CODEX_HOMES", "/elsewhere")]]),
    // What `--profile x` reads.
    case("codex-danger-full-access", X_LOCKED, &[("~/.codex/x.config.toml", "sandbox_mode = \"danger-full-access\"")],
        &[&[("~/.codex/x.config.toml", "sandbox_mode = \"read-only\"")], &[("~/.codex/x.toml", "sandbox_mode = \"danger-full-access\"")],
          &[("~/.codex/deep/x.config.toml", "sandbox_mode = \"danger-full-access\"")]]),
    case("codex-network-access", X_OPEN, &[("~/.codex/x.config.toml", "[sandbox_workspace_write]\nnetwork_access = true")],
        &[&[("~/.codex/x.config.toml", "[sandbox_workspace_write]\nnetwork_access = false")]]),
    case("codex-profile-unread", NONE, &[(CODEX_USER, "[profiles.x]\nmodel = \"y\"")],
        &[&[(CODEX_USER, "profile = \"x\"")], &[(CODEX_PROJECT, "[profiles.x]\nmodel = \"y\"")]]),
    case("codex-danger-full-access", NONE, &[(CODEX_PROJECT, "sandbox_mode = \"danger-full-access\"")],
        &[&[(CODEX_PROJECT, "[profiles.x]\nsandbox_mode = \"danger-full-access\"")], &[(CODEX_USER, "sandbox_mode = \"danger-full-access\"")]]),
    case("codex-network-domains", &[(CODEX, "[experimental_network]\nenabled = true\nallowed_domains = [\"a.example\"]")],
        &[(CODEX_USER, "[features.network_proxy.domains]\n\"c.example\" = \"allow\"")],
        &[&[(CODEX_USER, "[features.network_proxy.domains]\n\"a.example\" = \"allow\"\n\"c.example\" = \"deny\"")]]),
    case("codex-servers", X_OPEN, &[(CODEX_USER, "[mcp_servers.x]\ncommand = \"y\"\nenabled = true\n[mcp_servers.z]\nenabled = false")],
        &[&[(CODEX_USER, "[mcp_servers.x]\ncommand = \"y\"\nenabled = false")]]),
    case("codex-hooks", NONE, &[(".codex/hooks.json", r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
        &[&[(".codex/hooks.json", r#"{"hooks": {}}"#)], &[("hooks.json", r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
          &[(CODEX, CODEX_LOCKED), (".codex/hooks.json", r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)]]),
    case("codex-network-rule", NONE, &[(".codex/rules/x.rules", "network_rule(host = \"c.example\", decision = \"allow\")")],
        &[&[(".codex/rules/x.rules", "prefix_rule(pattern = [\"ls\"])")]]),
    case("codex-notify", X_LOCKED, &[("~/.codex/x.config.toml", "notify = [\"say\"]")], &[&[(CODEX_PROJECT, "notify = [\"say\"]")]]),
    case("codex-plugins", X_LOCKED, &[(CODEX_USER, "[plugins.\"x@y\"]\nenabled = true")],
        &[&[(CODEX_USER, "[plugins.\"x@y\"]\nenabled = false")], &[(CODEX_USER, "[features]\nplugins = true")]]),
    case("codex-plugins", NONE, &[(CODEX_PROJECT, "[marketplaces.y]\nsource = \"z\"")], &[&[(CODEX_PROJECT, "[marketplaces]")]]),
    case("codex-provider-command", X_LOCKED, &[(CODEX_USER, "[model_providers.x.auth]\ncommand = \"y\"")],
        &[&[(CODEX_USER, "[model_providers.x]\nenv_key = \"Y\"")], &[(CODEX_PROJECT, "[model_providers.x.auth]\ncommand = \"y\"")]]),
    case("codex-otel", X_LOCKED, &[(CODEX_USER, "[otel.exporter.otlp-http]\nendpoint = \"https://c.example\"")],
        &[&[(CODEX_USER, "[otel]\nexporter = \"none\"")], &[(CODEX_PROJECT, "[otel.exporter.otlp-http]\nendpoint = \"https://c.example\"")]]),
    case("codex-managed-key-unknown", X_LOCKED, &[(CODEX, "allowed_sandbox_modes = [\"read-only\"]\nbogus = true")],
        &[&[(CODEX, "allowed_sandbox_modes = [\"read-only\"]\nenforce_residency = \"us\"")]]),
    case("codex-managed-key-unknown", X_LOCKED, &[(CODEX, "[experimental_network]\nenabled = true\nmode = \"limited\"")],
        &[&[(CODEX, "[permissions.own]\nmode = \"limited\"")]]),
    case("codex-managed-key-later", X_LOCKED,
        &[("/usr/lib/node_modules/@openai/codex/package.json", r#"{"version": "0.130.0"}"#)],
        &[&[("/usr/lib/node_modules/@openai/codex/package.json", r#"{"version": "0.138.0"}"#)]]),
    case("codex-managed-full-access", X_LOCKED,
        &[(CODEX, "allowed_sandbox_modes = [\"read-only\", \"danger-full-access\"]")],
        &[&[(CODEX, "allowed_sandbox_modes = [\"read-only\"]")]]),
    case("codex-managed-defaults-full-access", X_LOCKED,
        &[("/etc/codex/managed_config.toml", "sandbox_mode = \"danger-full-access\"")],
        &[&[("/etc/codex/managed_config.toml", "sandbox_mode = \"read-only\"")]]),
    case("codex-managed-read-only-missing", X_LOCKED,
        &[(CODEX, "allowed_sandbox_modes = [\"workspace-write\"]")], &[&[(CODEX, "allowed_approval_policies = [\"never\"]")]]),
    case("codex-managed-modes-missing", X_LOCKED,
        &[(CODEX, "default_permissions = \"org\"\n[allowed_permission_profiles]\norg = true\n[permissions.org]\nextends = \":workspace\"")],
        &[&[(CODEX, "default_permissions = \"org\"\n[allowed_permission_profiles]\norg = true\n[permissions.org]\nextends = \":workspace\"\n[permissions.filesystem]\ndeny_read = [\"~/.kube\"]")]]),
    case("codex-managed-network-off", X_LOCKED,
        &[(CODEX, "[experimental_network]\nallowed_domains = [\"a.example\"]")],
        &[&[(CODEX, "[experimental_network]\nenabled = true\nallowed_domains = [\"a.example\"]")]]),
    case("codex-managed-network-off", X_LOCKED,
        &[(CODEX, "[permissions.org.network]\nenabled = true")], &[&[(CODEX, "[permissions.org.filesystem]\n\"~/.ssh\" = \"deny\"")]]),
    case("codex-managed-domains-open", X_LOCKED,
        &[(CODEX, "[experimental_network]\nenabled = true\nallowed_domains = [\"a.example\"]")],
        &[&[(CODEX, "default_permissions = \"org\"\n[permissions.org.network]\nenabled = true\n[permissions.org.network.domains]\n\"*\" = \"allow\"\n[experimental_network]\nenabled = true")]]),
    case("codex-managed-domains-twice", X_LOCKED,
        &[(CODEX, "[experimental_network]\nenabled = true\ndenied_domains = []\n[experimental_network.domains]\n\"a.example\" = \"allow\"")],
        &[&[(CODEX, "[experimental_network]\nenabled = true\n[experimental_network.domains]\n\"a.example\" = \"allow\"")]]),
    case("codex-managed-domain-unreadable", X_LOCKED,
        &[(CODEX, "[experimental_network]\nenabled = true\nallowed_domains = [\"a.example:443\"]")],
        &[&[(CODEX, "[experimental_network]\nenabled = true\nallowed_domains = [\"*.a_b.example\", \"2001:db8::1\", \"192.0.2.1\"]")]]),
    case("codex-managed-escalation", X_LOCKED,
        &[(CODEX, "[experimental_network]\nenabled = true\n[permissions.filesystem]\ndeny_read = []")],
        &[&[(CODEX, "allowed_approval_policies = [\"never\"]\n[experimental_network]\nenabled = true")]]),
    case("codex-managed-deny-read-inert", X_LOCKED,
        &[(CODEX, "[permissions.filesystem]\ndeny_read = [\".env*\"]")],
        &[&[(CODEX, "[permissions.filesystem]\ndeny_read = [\"~/.env*\", \"/etc/shadow\", \"~/**/.env\"]")]]),
    on_macos(case("codex-managed-elsewhere", NONE,
        &[("/Library/Managed Preferences/com.openai.codex.plist", "bplist00")],
        &[&[("/Library/Managed Preferences/com.openai.plist", "bplist00")]])),
];

#[rustfmt::skip]
static COPILOT_CLI: &[Case] = &[
    case("copilot-cli-paths", P_OPEN,
        &[(COPILOT_USER, r#"{"sandbox": {"userPolicy": {"filesystem": {"readwritePaths": ["/etc"]}}}}"#)],
        &[&[(COPILOT_USER, r#"{"sandbox": {"userPolicy": {"filesystem": {"readwritePaths": []}}}}"#)],
          &[(COPILOT, COPILOT_LOCKED), (COPILOT_USER, r#"{"sandbox": {"userPolicy": {"filesystem": {"readwritePaths": ["/opt/cache"]}}}}"#)]]),
    case("copilot-cli-read-paths", P_OPEN,
        &[(COPILOT_USER, r#"{"sandbox": {"userPolicy": {"filesystem": {"readonlyPaths": ["/etc"]}}}}"#)],
        &[&[(COPILOT, COPILOT_LOCKED), (COPILOT_USER, r#"{"sandbox": {"userPolicy": {"filesystem": {"readonlyPaths": ["/etc"]}}}}"#)]]),
    case("copilot-cli-paths-outside", P_LOCKED,
        &[(COPILOT_USER, r#"{"sandbox": {"userPolicy": {"filesystem": {"readwritePaths": ["/opt/cache/"]}}}}"#)],
        &[&[(COPILOT_USER, r#"{"sandbox": {"userPolicy": {"filesystem": {"readwritePaths": ["/opt/cache"]}}}}"#)]]),
    case("copilot-cli-hosts-disjoint", P_LOCKED,
        &[(COPILOT_USER, r#"{"sandbox": {"userPolicy": {"network": {"allowedHosts": ["c.example"]}}}}"#)],
        &[&[(COPILOT_USER, r#"{"sandbox": {"userPolicy": {"network": {"allowedHosts": ["c.example", "a.example"]}}}}"#)]]),
    case("copilot-cli-servers-unsandboxed", P_OPEN,
        &[(COPILOT_USER, r#"{"sandbox": {"sandboxMcpServers": false}}"#)],
        &[&[(COPILOT_USER, r#"{"sandbox": {"sandboxMcpServers": true}}"#)],
          &[(COPILOT, COPILOT_LOCKED), (COPILOT_USER, r#"{"sandbox": {"sandboxMcpServers": false}}"#)]]),
    case("copilot-cli-dev-tools", P_OPEN,
        &[(COPILOT_USER, r#"{"sandbox": {"allowDevToolAccess": true}}"#)],
        &[&[(COPILOT_USER, r#"{"sandbox": {"allowDevToolAccess": false}}"#)],
          &[(COPILOT, COPILOT_LOCKED), (COPILOT_USER, r#"{"sandbox": {"allowDevToolAccess": true}}"#)]]),
    case("copilot-cli-servers", P_LOCKED,
        &[("~/.copilot/mcp-config.json", r#"{"mcpServers": {"x": {"url": "https://c.example"}}}"#)],
        &[&[("~/.copilot/mcp-config.json", r#"{"mcpServers": {"x": {"command": "url"}}}"#)]]),
    case("copilot-cli-servers", NONE, &[(".github/mcp.json", r#"{"mcpServers": {"x": {"url": "https://c.example"}}}"#)],
        &[&[(".github/mcp.json", r#"{"mcpServers": {"x": {"url": "https://c.example", "disabled": true}}}"#)]]),
    case("copilot-cli-local-servers", P_OPEN, &[("~/.copilot/mcp-config.json", r#"{"mcpServers": {"x": {"command": "y"}}}"#)],
        &[&[("~/.copilot/mcp-config.json", r#"{"mcpServers": {"x": {"command": "y", "enabled": false}}}"#)],
          &[(COPILOT, COPILOT_LOCKED), ("~/.copilot/mcp-config.json", r#"{"mcpServers": {"x": {"command": "y"}}}"#)]]),
    case("copilot-cli-local-servers", NONE, &[(".mcp.json", r#"{"mcpServers": {"x": {"command": "y"}}}"#)],
        &[&[(".mcp.json", r#"{"mcpServers": {"x": {"url": "https://c.example"}}}"#)]]),
    case("copilot-cli-head-servers", NONE, &[(".github/agents/a.agent.md", "---\nmcp-servers:\n  x:\n    command: y\n---\n")],
        &[&[(".github/agents/a.agent.md", "---\ntools: [x]\n---\n")], &[(COPILOT, COPILOT_LOCKED), (".github/agents/a.md", "---\nmcp-servers: {x: {command: y}}\n---\n")]]),
    case("copilot-cli-head-servers", P_OPEN, &[("~/.copilot/agents/a.md", "---\nmcp-servers: {x: {command: y}}\n---\n")], &[&[("~/.copilot/agents/a.md", "mcp-servers: {x: {command: y}}\n")]]),
    case("copilot-cli-extensions", NONE, &[(".github/extensions/x/extension.mjs", "")], &[&[(".github/extensions/x/README.md", "")]]),
    case("copilot-cli-extensions", P_LOCKED, &[("~/.copilot/extensions/x/extension.mjs", "")], &[&[("~/.copilot/extensions/x/extension.txt", "")]]),
    case("copilot-cli-hooks", P_FETCH, &[(COPILOT_USER, r#"{"hooks": {"sessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
        &[&[(COPILOT_USER, r#"{"hooks": {}}"#)], &[(COPILOT, COPILOT_OPEN), (COPILOT_USER, r#"{"hooks": {"sessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)]]),
    case("copilot-cli-hooks", NONE, &[(".github/hooks/x.json", r#"{"version": 1, "hooks": {"sessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
        &[&[(".github/hooks/x.txt", r#"{"hooks": {"sessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)],
          &[(COPILOT, COPILOT_OPEN), (".github/hooks/x.json", r#"{"hooks": {"sessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#)]]),
    case("copilot-cli-plugins", P_OPEN, &[(COPILOT_USER, r#"{"enabledPlugins": {"x@y": true}}"#)],
        &[&[(COPILOT_USER, r#"{"enabledPlugins": {"x@y": false}}"#)],
          &[(COPILOT, COPILOT_LOCKED), (COPILOT_USER, r#"{"enabledPlugins": {"x@y": true}}"#)]]),
    case("copilot-cli-plugins", NONE, &[(COPILOT_PROJECT, r#"{"extraKnownMarketplaces": {"y": {}}}"#)],
        &[&[(COPILOT_PROJECT, r#"{"extraKnownMarketplaces": {}}"#)]]),
    case("copilot-cli-project-sandbox", NONE, &[(COPILOT_PROJECT, r#"{"sandbox": {"enabled": false}}"#)],
        &[&[(COPILOT_PROJECT, r#"{"sandbox": {"enabled": true}}"#)],
          &[(COPILOT, COPILOT_OPEN), (COPILOT_PROJECT, r#"{"sandbox": {"enabled": false}}"#)]]),
    case("copilot-cli-managed-key-unknown", P_LOCKED, &[(COPILOT, r#"{"sandbox": {"enabled": true, "allowDevToolCaches": false}}"#)],
        &[&[(COPILOT, r#"{"sandbox": {"enabled": true, "allowDevToolAccess": false}}"#)]]),
    case("copilot-cli-managed-key-unknown", P_LOCKED, &[(COPILOT, r#"{"sandbox": {"enabled": true}, "limitTo": []}"#)],
        &[&[(COPILOT, r#"{"sandbox": {"enabled": true}, "permissions": {"limitTo": []}, "theme": "x"}"#)]]),
    case("copilot-cli-managed-key-later", P_FETCH,
        &[("/usr/lib/node_modules/@github/copilot/package.json", r#"{"version": "1.0.92"}"#)],
        &[&[("/usr/lib/node_modules/@github/copilot/package.json", r#"{"version": "1.0.93"}"#)]]),
    case("copilot-cli-allow-all-variable", P_OPEN, &[("$COPILOT_ALLOW_ALL", "true")],
        &[&[("$COPILOT_ALLOW_ALL", "Off")], &[(COPILOT, COPILOT_LOCKED), ("$COPILOT_ALLOW_ALL", "true")]]),
    case("copilot-cli-no-update-variable", P_OPEN, &[("$COPILOT_AUTO_UPDATE", "false")], &[&[("$COPILOT_AUTO_UPDATE", "true")]]),
    case("copilot-cli-home", NONE, &[("$COPILOT_HOME", "/elsewhere")], &[&[("$COPILOT_HOME", "")]]),
    case("copilot-cli-managed-sandbox-off", P_LOCKED,
        &[(COPILOT, r#"{"sandbox": {"enabled": false, "allowBypass": false}}"#)], &[&[(COPILOT, r#"{"permissions": {"limitTo": []}}"#)]]),
    case("copilot-cli-managed-bypass", P_LOCKED, P_OPEN, &[&[(COPILOT, r#"{"sandbox": {"enabled": true, "allowBypass": false}}"#)]]),
    case("copilot-cli-managed-fail-open", P_LOCKED, P_OPEN, &[&[(COPILOT, r#"{"sandbox": {"enabled": true, "failIfUnavailable": true}}"#)]]),
    case("copilot-cli-managed-paths-open", P_LOCKED, P_OPEN,
        &[&[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"filesystem": {"readwritePaths": []}}}}"#)]]),
    case("copilot-cli-managed-host-dropped", P_LOCKED,
        &[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"allowedHosts": ["a.example:443"]}}}}"#)],
        &[&[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"allowedHosts": ["*.a.example", "192.0.2.1"]}}}}"#)]]),
    case("copilot-cli-managed-host-dropped", P_LOCKED,
        &[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"blockedHosts": "b.example"}}}}"#)],
        &[&[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"blockedHosts": ["b.example"]}}}}"#)]]),
    case("copilot-cli-managed-hosts-empty", P_LOCKED,
        &[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"allowedHosts": []}}}}"#)],
        &[&[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"allowedHosts": [], "allowOutbound": false}}}}"#)],
          &[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"blockedHosts": []}}}}"#)]]),
    case("copilot-cli-managed-hosts-inactive", P_LOCKED,
        &[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"allowedHosts": ["a.example"], "allowOutbound": false}}}}"#)],
        &[&[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"network": {"allowOutbound": false}}}}"#)]]),
    case("copilot-cli-managed-path-glob", P_LOCKED,
        &[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"filesystem": {"deniedPaths": [".env*"]}}}}"#)],
        &[&[(COPILOT, r#"{"sandbox": {"enabled": true, "userPolicy": {"filesystem": {"deniedPaths": [".env"]}}}}"#)]]),
];

#[rustfmt::skip]
static GEMINI_CLI: &[Case] = &[
    case("gemini-cli-sandbox-off", G_ON,
        &[(GEMINI_USER, r#"{"tools": {"sandbox": false}} // mine"#)],
        &[&[(GEMINI_USER, r#"{"tools": {"sandbox": "docker"}}"#)], &[(GEMINI_USER, r#"{"sandbox": false}"#)],
          &[(GEMINI, "{}"), (GEMINI_USER, r#"{"tools": {"sandbox": false}}"#)]]),
    case("gemini-cli-sandbox-off", G_WHOLE,
        &[(".gemini/settings.json", r#"{"tools": {"sandbox": {"enabled": false}}}"#)],
        &[&[(GEMINI_USER, r#"{"tools": {"sandbox": {"enabled": true}}}"#)]]),
    case("gemini-cli-sandbox-network", G_ON,
        &[(GEMINI_SANDBOX, "[modes.default]\nnetwork = true")],
        &[&[(GEMINI_SANDBOX, "[modes.default]\nnetwork = false")], &[("~/.gemini/policies/other.toml", "[modes.default]\nnetwork = true")]]),
    case("gemini-cli-sandbox-network", G_ON,
        &[(GEMINI_SANDBOX, "[commands.curl]\nallow_network = true")], &[&[(GEMINI_SANDBOX, "[commands.curl]\nallow_network = false")]]),
    case("gemini-cli-sandbox-writes", G_ON,
        &[(GEMINI_SANDBOX, "[modes.plan]\nreadonly = false")], &[&[(GEMINI_SANDBOX, "[modes.plan]\nreadonly = true")]]),
    case("gemini-cli-sandbox-writes", G_ON,
        &[(GEMINI_SANDBOX, "[commands.tee]\nallowed_paths = [\"/\"]")], &[&[(GEMINI_SANDBOX, "[commands.tee]\nallowed_paths = []")]]),
    case("gemini-cli-sandbox-settings", G_WHOLE,
        &[(GEMINI_USER, r#"{"tools": {"sandboxNetworkAccess": true}}"#)],
        &[&[(GEMINI_USER, r#"{"tools": {"sandboxNetworkAccess": false}}"#)],
          &[(GEMINI, GEMINI_ON), (GEMINI_USER, r#"{"tools": {"sandboxNetworkAccess": true}}"#)]]),
    case("gemini-cli-env-file", G_ON,
        &[("~/.gemini/.env", "export GEMINI_SANDBOX=false\n")],
        &[&[("~/.gemini/.env", "# GEMINI_SANDBOX=false\nGEMINI_API_KEY=x\nMY_SANDBOX=x\n")]]),
    case("gemini-cli-sandbox-off", NONE, &[(GEMINI_PROJECT, r#"{"security": {"toolSandboxing": false}}"#)],
        &[&[(GEMINI_PROJECT, r#"{"security": {"toolSandboxing": true}}"#)],
          &[(GEMINI, GEMINI_ON), (GEMINI_PROJECT, r#"{"security": {"toolSandboxing": false}}"#)]]),
    case("gemini-cli-env-file", NONE, &[(".env", "SANDBOX=x\n")], &[&[(".env.example", "SANDBOX=x\n")], &[(".env", "DATABASE_URL=x\n")]]),
    case("gemini-cli-env-code", NONE, &[(".env", "A=1\nexport NODE_OPTIONS=\"-r ./x\"\n")],
        &[&[(".env", "# NODE_OPTIONS=x\nNODE_ENV=test\nOPENAI_API_KEY=x\n")]]),
    case("gemini-cli-env-code", G_ON, &[("~/.gemini/.env", "GOOGLE_GEMINI_BASE_URL=https://c.example\n")], &[&[("~/.gemini/.env", "GEMINI_API_KEY=x\n")]]),
    case("gemini-cli-project-tools", NONE, &[(GEMINI_PROJECT, r#"{"tools": {"allowed": ["web_fetch"]}}"#)],
        &[&[(GEMINI_PROJECT, r#"{"tools": {"exclude": ["web_fetch"]}}"#)], &[(GEMINI_PROJECT, r#"{"general": {"defaultApprovalMode": "yolo"}}"#)]]),
    case("gemini-cli-sandbox-settings", NONE, &[(GEMINI_PROJECT, r#"{"tools": {"sandboxNetworkAccess": true}}"#)],
        &[&[(GEMINI_PROJECT, r#"{"tools": {"sandboxNetworkAccess": false}}"#)],
          &[(GEMINI, GEMINI_ON), (GEMINI_PROJECT, r#"{"tools": {"sandboxNetworkAccess": true}}"#)]]),
    case("gemini-cli-servers", G_ON, &[(GEMINI_USER, r#"{"mcpServers": {"x": {"command": "y"}}}"#)],
        &[&[(GEMINI_USER, r#"{"mcpServers": {}}"#)], &[(GEMINI, "{}"), (GEMINI_USER, r#"{"mcpServers": {"x": {}}}"#)]]),
    case("gemini-cli-servers", NONE, &[(GEMINI_PROJECT, r#"{"mcpServers": {"x": {"command": "y"}}}"#)], &[&[(GEMINI_PROJECT, r#"{"mcp": {"excluded": ["x"]}}"#)]]),
    case("gemini-cli-hooks", NONE, &[(GEMINI_PROJECT, r#"{"hooks": {"BeforeTool": [{"hooks": [{"command": "x"}]}]}}"#)],
        &[&[(GEMINI_PROJECT, r#"{"hooks": {"enabled": true, "disabled": ["x"]}}"#)],
          &[(GEMINI_PROJECT, r#"{"hooks": {"BeforeTool": [{}]}, "hooksConfig": {"enabled": false}}"#)]]),
    case("gemini-cli-policy-paths", NONE, &[(GEMINI_PROJECT, r#"{"adminPolicyPaths": ["./x.toml"]}"#)], &[&[(GEMINI_PROJECT, r#"{"policyPaths": []}"#)]]),
    case("gemini-cli-telemetry", G_ON, &[(GEMINI_USER, r#"{"telemetry": {"otlpEndpoint": "http://c.example"}}"#)], &[&[(GEMINI_USER, r#"{"telemetry": {"enabled": false}}"#)]]),
    case("gemini-cli-head-servers", NONE, &[(".gemini/agents/x.md", "---\nkind: remote\nagent_card_url: http://c.example\n---\n")], &[&[(".gemini/agents/x.md", "---\nkind: local\n---\n")]]),
    case("gemini-cli-env-code", NONE, &[(".env", "GEMINI_SANDBOX_PROXY_COMMAND=x")], &[&[(".env", "EDITOR=vim\nNODE_ENV=x\nHTTP_PROXY_HOST=x\nPATH_PREFIX=x\nDEBUG=1\nSHELL=/bin/sh")]]),
    case("gemini-cli-servers", G_ON, &[("/etc/gemini-cli/system-defaults.json", r#"{"mcpServers": {"x": {"command": "y"}}}"#)], &[&[("/etc/gemini-cli/system-defaults.json", r#"{"mcpServers": {}}"#)]]),
    case("gemini-cli-env-file", G_ON, &[("~/.env", "SEATBELT_PROFILE=permissive-open")], &[&[("~/.envrc", "SEATBELT_PROFILE=permissive-open")]]),
    case("gemini-cli-hooks", G_ON, &[(GEMINI_USER, r#"{"hooks": {"SessionStart": [{"hooks": [{"command": "x"}]}]}}"#)], &[&[(GEMINI_USER, r#"{"hooks": {"SessionStart": []}}"#)]]),
    case("gemini-cli-commands", NONE, &[(GEMINI_PROJECT, r#"{"tools": {"discoveryCommand": "x"}}"#)], &[&[(GEMINI_PROJECT, r#"{"tools": {"discoveryCommand": ""}}"#)]]),
    case("gemini-cli-extensions", G_ON, &[("~/.gemini/extensions/x/gemini-extension.json", "{}")],
        &[&[("~/.gemini/extensions/extension-enablement.json", "{}")], &[(".gemini/extensions/x/gemini-extension.json", "{}")]]),
    case("gemini-cli-head-servers", NONE, &[(".gemini/agents/x.md", "---\nmcp_servers: {x: {command: y}}\n---\n")],
        &[&[(".gemini/agents/x.md", "mcp_servers: {}\n")], &[(".gemini/agents/x.md", "---\nmcpServers: {}\n---\n")]]),
    case("gemini-cli-managed-key-unknown", G_ON, &[(GEMINI, r#"{"tools": {"toolSandboxing": true}}"#)], &[&[(GEMINI, r#"{"security": {"toolSandboxing": true, "disableYoloMode": true}, "ui": {"theme": "x"}}"#)]]),
    case("gemini-cli-managed-key-later", G_ON,
        &[("/usr/lib/node_modules/@google/gemini-cli/package.json", r#"{"version": "0.34.0"}"#)],
        &[&[("/usr/lib/node_modules/@google/gemini-cli/package.json", r#"{"version": "0.35.0"}"#)]]),
    case("gemini-cli-sandbox-variable", NONE, &[("$GEMINI_SANDBOX", "false")], &[&[("$GEMINI_SANDBOX", "docker")], &[("$GEMINI_SANDBOX", "")]]),
    case("gemini-cli-inside-variable", G_WHOLE, &[("$SANDBOX", "x")], &[&[("$SANDBOX", "")], &[(GEMINI, GEMINI_ON), ("$SANDBOX", "x")]]),
    case("gemini-cli-seatbelt-variable", G_WHOLE, &[("$SEATBELT_PROFILE", "permissive-open")],
        &[&[("$SEATBELT_PROFILE", "strict-open")], &[(GEMINI, GEMINI_ON), ("$SEATBELT_PROFILE", "permissive-open")]]),
    case("gemini-cli-flags-variable", G_WHOLE, &[("$SANDBOX_FLAGS", "--privileged")], &[&[("$SANDBOX_FLAGS", "")]]),
    case("gemini-cli-mounts-variable", G_WHOLE, &[("$SANDBOX_MOUNTS", "/:/")], &[&[("$SANDBOX_MOUNTS", "")]]),
    case("gemini-cli-image-variable", G_WHOLE, &[("$GEMINI_SANDBOX_IMAGE", "x")], &[&[("$GEMINI_SANDBOX_IMAGE", "")]]),
    case("gemini-cli-settings-path-variable", G_ON, &[("$GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/dev/null")],
        &[&[("$GEMINI_CLI_SYSTEM_SETTINGS_PATH", "")], &[(GEMINI, "{}"), ("$GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/dev/null")]]),
    case("gemini-cli-defaults-path-variable", G_ON, &[("$GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "/x")], &[&[("$GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "")]]),
    case("gemini-cli-home", NONE, &[("$GEMINI_CLI_HOME", "/elsewhere")], &[&[("$GEMINI_CLI_HOME", "")]]),
    case("gemini-cli-managed-yolo", G_ON, &[(GEMINI, r#"{"security": {"toolSandboxing": true}}"#)],
        &[&[(GEMINI, r#"{"security": {"disableYoloMode": false}}"#)]]),
    case("gemini-cli-managed-policy-dropped", G_ON,
        &[(GEMINI_RULES, "[[rule]]\ntoolName = \"web_fetch\"\ndecision = \"deny\"")],
        &[&[(GEMINI_RULES, "[[rule]]\ntoolName = \"web_fetch\"\ndecision = \"deny\"\npriority = 999")],
          &[("/etc/gemini-cli/policies/readme.md", "[[rule]]")]]),
    case("gemini-cli-managed-policy-dropped", G_ON,
        &[(GEMINI_RULES, "[[rule]]\ntoolName = \"web_fetch\"\ndecision = \"block\"\npriority = 1")],
        &[&[(GEMINI_RULES, "[[rule]]\ntoolName = [\"a\", \"b\"]\ndecision = \"ask_user\"\npriority = 0")]]),
    case("gemini-cli-managed-policy-dropped", G_ON,
        &[(GEMINI_RULES, "[[rule]]\ntoolName = \"web_fetch\"\ncommandRegex = \"x\"\ndecision = \"deny\"\npriority = 1")],
        &[&[(GEMINI_RULES, "[[rule]]\ntoolName = \"run_shell_command\"\ncommandRegex = \"x\"\ndecision = \"deny\"\npriority = 1")]]),
    case("gemini-cli-managed-rule-dropped", G_ON,
        &[(GEMINI_RULES, "[[rule]]\ntoolName = \"web_fetch\"\nargsPattern = '(?:a)?'\ndecision = \"deny\"\npriority = 1")],
        &[&[(GEMINI_RULES, "[[rule]]\ntoolName = \"web_fetch\"\nargsPattern = '(?!(?:a|b))'\ndecision = \"deny\"\npriority = 1")]]),
    case("gemini-cli-managed-policy-allows", G_ON,
        &[(GEMINI_RULES, "[[rule]]\ntoolName = \"web_fetch\"\ndecision = \"allow\"\npriority = 1")],
        &[&[(GEMINI_RULES, "[[rule]]\ntoolName = \"allow\"\ndecision = \"deny\"\npriority = 1")]]),
];

#[rustfmt::skip]
static OPENCODE_CASES: &[Case] = &[
    case("opencode-plugins", NONE, &[(".opencode/tui.json", r#"{"plugin": ["./x.ts"]}"#)], &[&[(".opencode/tui.json", r#"{"theme": "x"}"#)]]),
    case("opencode-plugins", O_LOCKED, &[("$OPENCODE_TUI_CONFIG", "/x/my.json"), ("/x/my.json", r#"{"plugin": ["./x.ts"]}"#)], &[&[("/x/my.json", r#"{"plugin": ["./x.ts"]}"#)]]),
    case("opencode-agent-permission", NONE, &[("opencode.json", r#"{"agent": {"x": {"permission": {"webfetch": "{file:./p.txt}"}}}}"#)],
        &[&[("opencode.json", r#"{"agent": {"x": {"prompt": "{file:./p.txt}", "permission": {"webfetch": "deny"}}}}"#)],
          &[("opencode.json", r#"{"agent": {"x": {"disable": true, "permission": {"webfetch": "allow"}}}}"#)]]),
    case("opencode-agent-permission", O_LOCKED, &[(OPENCODE_USER, r#"{"agent": {"x": {"tools": {"webfetch": "{env:XX}"}}}}"#)],
        &[&[(OPENCODE_USER, r#"{"provider": {"x": {"options": {"apiKey": "{env:XX}"}}}}"#)]]),
    case("opencode-key-order", O_OPEN, &[(OPENCODE_USER, r#"{"permission": {"webfetch": "ask", "*": "{env:XX}"}}"#)],
        &[&[(OPENCODE_USER, r#"{"permission": {"webfetch": "ask", "*": "deny"}}"#)]]),
    case("opencode-substituted-key", NONE, &[("opencode.json", r#"{"{file:./k.txt}": {"x": {"permission": "allow"}}}"#)],
        &[&[("opencode.json", r#"{"username": "{env:USER}"}"#)]]),
    case("opencode-agent-permission", O_LOCKED,
        &[(OPENCODE_USER, r#"{"agent": {"mine": {"permission": {"webfetch": "allow"}}}}"#)],
        &[&[(OPENCODE_USER, r#"{"agent": {"mine": {"permission": {"webfetch": "deny"}}}}"#)],
          &[(OPENCODE_USER, r#"{"agent": {"mine": {"description": "allow"}}}"#)],
          &[(OPENCODE_USER, r#"{"agent": {"build": {"permission": {"webfetch": "allow"}}}}"#)]]),
    case("opencode-agent-permission", O_LOCKED,
        &[(OPENCODE_USER, r#"{"agent": {"build": {"permission": {"webfetch": "ask", "*": "allow"}}}}"#)],
        &[&[(OPENCODE_USER, r#"{"agent": {"build": {"permission": "allow"}}}"#)]]),
    case("opencode-agent-permission", O_LOCKED,
        &[(OPENCODE_USER, r#"{"agent": {"build": {"permission": {"bash": {"curl *": "allow", "*": "allow"}}}}}"#)],
        &[&[(OPENCODE_USER, r#"{"agent": {"build": {"permission": {"bash": {"*": "allow", "curl *": "allow"}}}}}"#)]]),
    case("opencode-agent-permission", O_LOCKED,
        &[("opencode.json", r#"{"mode": {"mine": {"tools": {"webfetch": true}}}}"#)],
        &[&[("opencode.json", r#"{"mode": {"mine": {"tools": {"webfetch": false}}}}"#)]]),
    case("opencode-agent-file", O_OPEN,
        &[("~/.config/opencode/agents/deep/er/mine.md", "---\npermission:\n  webfetch: allow\n---\nHello")],
        &[&[("~/.config/opencode/agents/mine.md", "---\npermission:\n  webfetch: deny\n---\npermission: allow")],
          &[("~/.config/opencode/agents/mine.txt", "---\npermission: allow\n---\n")],
          &[("~/.config/opencode/agents/mine.md", "permission: allow")]]),
    case("opencode-agent-file", O_OPEN,
        &[(".opencode/agent/mine.md", "---\ntools:\n  webfetch: true\n---\n")],
        &[&[(".opencode/agent/mine.md", "---\ntools:\n  webfetch: false\n---\n")]]),
    case("opencode-agent-file", O_OPEN,
        &[("$XDG_CONFIG_HOME", "/xdg"), ("/xdg/opencode/agent/mine.md", "---\npermission: ask\n---\n")],
        &[&[("/xdg/opencode/agent/mine.md", "---\npermission: ask\n---\n")]]),
    // An agent that only tightens.
    case("opencode-agent-permission", O_LOCKED,
        &[(OPENCODE_USER, r#"{"agent": {"mine": {"permission": {"*": "ask"}}}}"#)],
        &[&[(OPENCODE_USER, r#"{"agent": {"mine": {"permission": {"bash": "ask", "edit": "deny"}}}}"#)],
          &[(OPENCODE_USER, r#"{"agent": {"mine": {"permission": {"edit": "ask", "bash": {"git *": "allow", "*": "ask"}}, "tools": {"bash": true, "webfetch": false}}}}"#)]]),
    case("opencode-agent-permission", &[(OPENCODE, r#"{"permission": {"webfetch": "ask"}}"#)],
        &[(OPENCODE_USER, r#"{"agent": {"mine": {"permission": {"webfetch": "allow"}}}}"#)],
        &[&[(OPENCODE_USER, r#"{"agent": {"mine": {"permission": {"webfetch": "ask"}}}}"#)]]),
    case("opencode-agent-permission", &[(OPENCODE, r#"{"permission": {"read": {"*.env": "deny"}}}"#)],
        &[(OPENCODE_USER, r#"{"agent": {"mine": {"permission": {"read": {"src/*": "allow"}}}}}"#)],
        &[&[(OPENCODE_USER, r#"{"agent": {"mine": {"permission": {"read": {"*.md": "allow"}}}}}"#)]]),
    case("opencode-agent-permission", NONE,
        &[("opencode.json", r#"{"agent": {"mine": {"permission": {"webfetch": "allow"}}}}"#)],
        &[&[("opencode.json", r#"{"agent": {"mine": {"permission": {"webfetch": "ask", "bash": "ask", "edit": "deny"}}}}"#)],
          &[(OPENCODE_USER, r#"{"agent": {"mine": {"permission": {"webfetch": "allow"}}}}"#)]]),
    case("opencode-agent-file", O_OPEN,
        &[("~/.config/opencode/agents/mine.md", "---\npermission:\n  \"web*\": ask\n---\n")],
        &[&[("~/.config/opencode/agents/mine.md", "---\npermission:\n  edit: deny\n  bash:\n    \"*\": ask\n---\n")],
          &[("~/.config/opencode/agents/mine.md", "---\ntools: {bash: true, webfetch: false}\npermissions: [{action: bash, effect: ask}]\n---\n")]]),
    case("opencode-agent-file", O_OPEN,
        &[("~/.config/opencode/agents/mine.md", "---\npermissions: [{action: webfetch, effect: allow}]\n---\n")],
        &[&[("~/.config/opencode/agents/mine.md", "---\npermissions: [{action: webfetch, effect: deny}]\n---\n")]]),
    case("opencode-agent-file", NONE, &[(".opencode/mode/mine.md", "---\npermission: allow\n---\n")],
        &[&[(".opencode/mode/mine.md", "---\npermission: {edit: deny, bash: ask}\n---\n")]]),
    case("opencode-key-order", O_OPEN,
        &[(OPENCODE_USER, r#"{"permission": {"webfetch": "ask", "*": "allow"}}"#)],
        &[&[(OPENCODE_USER, r#"{"permission": {"*": "allow", "webfetch": "ask"}}"#)],
          &[(OPENCODE_USER, r#"{"permission": {"edit": "ask", "*": "allow"}}"#)],
          &[(OPENCODE, OPENCODE_LOCKED), (OPENCODE_USER, r#"{"permission": {"webfetch": "ask", "*": "allow"}}"#)]]),
    case("opencode-key-order", O_OPEN,
        &[("~/.config/opencode/opencode.jsonc", r#"{"permission": {"read": {"*.env": "deny", "*": "allow", /* last */ },},}"#)],
        &[&[("~/.config/opencode/opencode.jsonc", r#"{"permission": {"read": {"*": "allow", "*.env": "deny"}}}"#)]]),
    case("opencode-servers", O_OPEN, &[(OPENCODE_USER, r#"{"mcp": {"x": {}}}"#)], &[&[(OPENCODE_USER, r#"{"mcp": {}}"#)]]),
    case("opencode-plugins", O_OPEN, &[(OPENCODE_USER, r#"{"plugin": ["x"]}"#)], &[&[(OPENCODE_USER, r#"{"plugin": []}"#)]]),
    case("opencode-plugins", O_OPEN, &[("~/.config/opencode/plugin/x.ts", "")], &[&[("~/.config/opencode/plugin.ts", "")]]),
    case("opencode-servers", NONE, &[(".opencode/opencode.jsonc", r#"{"mcp": {"x": {"type": "local", "command": ["y"]}}}"#)],
        &[&[(".opencode/opencode.jsonc", r#"{"mcp": {"x": {"type": "local", "command": ["y"], "enabled": false}}}"#)]]),
    case("opencode-plugins", NONE, &[(".opencode/plugin/x.ts", "")], &[&[(".opencode/plugin.ts", "")], &[("plugin/x.ts", "")], &[(".opencode/plugin/README.md", "")], &[(".opencode/plugin/x/y.ts", "")]]),
    case("opencode-plugins", NONE, &[(".opencode/tools/x.ts", "")], &[&[(".opencode/command/x.md", "")]]),
    case("opencode-programs", NONE, &[("opencode.json", r#"{"formatter": {"x": {"command": ["y"]}}}"#)],
        &[&[("opencode.json", r#"{"formatter": {"x": {"command": ["y"], "disabled": true}}, "lsp": {"z": {"disabled": true}}}"#)]]),
    case("opencode-programs", O_OPEN, &[(OPENCODE_USER, r#"{"provider": {"x": {"npm": "y"}}}"#)],
        &[&[(OPENCODE_USER, r#"{"provider": {"x": {"options": {}}}}"#)], &[(OPENCODE_USER, r#"{"provider": {"x": {"npm": "@ai-sdk/openai-compatible"}}}"#)]]),
    case("opencode-programs", NONE, &[("opencode.json", r#"{"provider": {"anthropic": {"options": {"baseURL": "https://c.example"}}}}"#)],
        &[&[("opencode.json", r#"{"provider": {"anthropic": {"options": {"timeout": 1}}}}"#)]]),
    case("opencode-managed-key-unknown", O_LOCKED, &[(OPENCODE, r#"{"webfetch": "deny"}"#)],
        &[&[(OPENCODE, r#"{"permission": {"webfetch": "deny"}, "tools": {"webfetch": false}, "theme": "x"}"#)]]),
    case("opencode-permission-variable", NONE, &[("$OPENCODE_PERMISSION", "{}")], &[&[("$OPENCODE_PERMISSION", "")]]),
    case("opencode-managed-directory-variable", O_OPEN, &[("$OPENCODE_TEST_MANAGED_CONFIG_DIR", "/x")],
        &[&[("$OPENCODE_TEST_MANAGED_CONFIG_DIR", "")], &[(OPENCODE, "{}"), ("$OPENCODE_TEST_MANAGED_CONFIG_DIR", "/x")]]),
    case("opencode-content-variable", O_OPEN, &[("$OPENCODE_CONFIG_CONTENT", "{}")], &[&[("$OPENCODE_CONFIG_CONTENT", "")]]),
    case("opencode-managed-agents-open", O_LOCKED, O_OPEN, &[&[(OPENCODE, r#"{"theme": "x"}"#)]]),
    on_macos(case("opencode-managed-elsewhere", NONE,
        &[("/Library/Managed Preferences/ai.opencode.managed.plist", "bplist00")],
        &[&[("/Library/Managed Preferences/ai.opencode.plist", "bplist00")]])),
];

#[rustfmt::skip]
static CURSOR_CLI: &[Case] = &[
    case("cursor-cli-insecure-none", NONE, &[(CURSOR, r#"{"type": "insecure_none"}"#)],
        &[&[(CURSOR, r#"{"type": "workspace_readwrite"}"#)], &[(CURSOR, r#"{"kind": "insecure_none"}"#)], &[(CURSOR, r#"{} // "type": "insecure_none""#)]]),
    case("cursor-cli-insecure-none", NONE, &[(CURSOR_PROJECT, r#"{"type": "insecure_none"}"#)], &[&[("sandbox.json", r#"{"type": "insecure_none"}"#)]]),
    case("cursor-cli-network-default", NONE, &[(CURSOR, r#"{"networkPolicy": {"default": "allow"}}"#)], &[&[(CURSOR, r#"{"networkPolicy": {"default": "deny"}}"#)], &[(CURSOR, "{}")]]),
    case("cursor-cli-project-hosts", NONE, &[(CURSOR_PROJECT, r#"{"networkPolicy": {"default": "deny", "allow": ["c.example"]}}"#)],
        &[&[(CURSOR, r#"{"networkPolicy": {"default": "deny", "allow": ["c.example"]}}"#)], &[(CURSOR_PROJECT, r#"{"networkPolicy": {"default": "deny", "deny": ["c.example"]}}"#)]]),
    case("cursor-cli-writes-widely", NONE, &[(CURSOR, r#"{"additionalReadwritePaths": ["/home/someone"]}"#)], &[&[(CURSOR, r#"{"additionalReadwritePaths": ["/opt/cache"]}"#)]]),
    case("cursor-cli-project-writes", NONE, &[(CURSOR_PROJECT, r#"{"additionalReadwritePaths": ["/opt/cache"]}"#)],
        &[&[(CURSOR, r#"{"additionalReadwritePaths": ["/opt/cache"]}"#)], &[(CURSOR_PROJECT, r#"{"additionalReadonlyPaths": ["/opt/cache"]}"#)]]),
    case("cursor-cli-unrestricted", NONE, &[(CURSOR_CONFIG, r#"{"approvalMode": "unrestricted"}"#)], &[&[(CURSOR_CONFIG, r#"{"approvalMode": "allowlist"}"#)]]),
    case("cursor-cli-unrestricted", NONE, &[("$CURSOR_CONFIG_DIR", "/elsewhere"), ("/elsewhere/cli-config.json", r#"{"approvalMode": "unrestricted"}"#)],
        &[&[("/elsewhere/cli-config.json", r#"{"approvalMode": "unrestricted"}"#)]]),
    case("cursor-cli-sandbox-disabled", NONE, &[(CURSOR_CONFIG, r#"{"sandbox": {"mode": "disabled"}}"#)], &[&[(CURSOR_CONFIG, r#"{"sandbox": {"mode": "enabled"}}"#)]]),
    case("cursor-cli-network-open", NONE, &[(CURSOR_CONFIG, r#"{"sandbox": {"networkAccess": "allow_all"}}"#)], &[&[(CURSOR_CONFIG, r#"{"sandbox": {"networkAccess": "user_config_only"}}"#)]]),
    case("cursor-cli-network-defaults", NONE, &[(CURSOR_CONFIG, r#"{"sandbox": {"networkAccess": "user_config_with_defaults"}}"#)], &[&[(CURSOR_CONFIG, r#"{"sandbox": {"networkAccess": "user_config_only"}}"#)]]),
    case("cursor-cli-project-permissions", NONE, &[(".cursor/cli.json", r#"{"permissions": {"allow": ["WebFetch(c.example)"]}}"#)],
        &[&[(".cursor/cli.json", r#"{"permissions": {"allow": ["Shell(ls)"], "deny": ["WebFetch(*)"]}}"#)]]),
    case("cursor-cli-hooks", NONE, &[(CURSOR_USER_HOOKS, r#"{"version": 1, "hooks": {"stop": [{"command": "x"}]}}"#)], &[&[(CURSOR_USER_HOOKS, r#"{"version": 1, "hooks": {"stop": []}}"#)]]),
    case("cursor-cli-hooks", NONE, &[(".cursor/hooks.json", r#"{"version": 1, "hooks": {"stop": [{"command": "x"}]}}"#)], &[&[("hooks.json", r#"{"hooks": {"stop": [{}]}}"#)]]),
    case("cursor-cli-servers", NONE, &[(CURSOR_SERVERS, r#"{"mcpServers": {"x": {"command": "y"}}}"#)], &[&[(CURSOR_SERVERS, r#"{"mcpServers": {}}"#)]]),
    case("cursor-cli-servers", NONE, &[(".cursor/mcp.json", r#"{"mcpServers": {"x": {"command": "y"}}}"#)], &[&[(".cursor/mcp.json", r#"{"mcp": {"x": {}}}"#)]]),
    case("cursor-cli-managed-key-unknown", NONE, &[("/etc/cursor/hooks.json", r#"{"version": 1, "hook": {}}"#)], &[&[("/etc/cursor/hooks.json", r#"{"version": 1, "hooks": {}}"#)]]),
    case("cursor-cli-config-variable", NONE, &[("$CURSOR_CONFIG_DIR", "/elsewhere")], &[&[("$CURSOR_CONFIG_DIR", "")]]),
    case("cursor-cli-managed-hook-open", NONE,
        &[("/etc/cursor/hooks.json", r#"{"version": 1, "hooks": {"preToolUse": [{"command": "/x"}]}}"#)],
        &[&[("/etc/cursor/hooks.json", r#"{"version": 1, "hooks": {"preToolUse": [{"command": "/x", "failClosed": true}]}}"#)]]),
];

/// Codes that are about a device rather than a file's content; their trees are elsewhere.
const OF_THE_DEVICE: [&str; 9] = [
    "managed-missing",
    "managed-differs",
    "managed-unexpected",
    "managed-strict",
    "managed-not-strict",
    "managed-owner",
    "version-too-old",
    "version-below-pin",
    "version-above-pin",
];

/// Codes that need a policy; their trees are elsewhere.
const OF_A_POLICY: [&str; 1] = ["cursor-cli-hosts"];

fn cases() -> impl Iterator<Item = &'static Case> {
    [
        CLAUDE_CODE,
        CODEX_CASES,
        COPILOT_CLI,
        GEMINI_CLI,
        OPENCODE_CASES,
        CURSOR_CLI,
    ]
    .into_iter()
    .flatten()
}

fn overlaid(under: &[Entry<'static>], over: &[Entry<'static>]) -> Tree {
    let mut tree = Tree::of(under);
    for (path, text) in over {
        tree.put(path, text.as_bytes());
    }
    tree
}

#[test]
fn a_fault_is_found_and_nothing_near_it_is() {
    for Case {
        code,
        os,
        managed,
        fault,
        near,
    } in cases()
    {
        let with = overlaid(managed, fault).codes(*os);
        assert!(with.contains(code), "{code} in {fault:?}: {with:?}");
        let without = Tree::of(managed).codes(*os);
        assert!(!without.contains(code), "{code} in {managed:?}");
        for near in *near {
            let found = overlaid(managed, near).codes(*os);
            assert!(!found.contains(code), "{code} near {near:?}");
            let unknown = found.iter().find(|code| code.starts_with("unknown-"));
            assert_eq!(unknown, None, "{code} near {near:?}");
        }
    }
}

#[test]
fn what_is_locked_has_no_finding() {
    for managed in [C_LOCKED, X_LOCKED, P_LOCKED, G_ON, O_LOCKED] {
        assert_eq!(Tree::of(managed).codes(Os::Linux), [""; 0], "{managed:?}");
    }
}

#[test]
fn every_check_has_its_cases() {
    let known: BTreeSet<&str> = Harness::ALL
        .iter()
        .flat_map(|harness| checks(*harness))
        .map(harness_render::Check::code)
        .collect();
    let covered = cases().map(|case| case.code).chain(OF_THE_DEVICE);
    let covered: BTreeSet<&str> = covered.chain(OF_A_POLICY).collect();
    assert_eq!(covered, known);
}

#[test]
fn a_code_is_of_one_check_and_names_its_harness() {
    let mut seen = BTreeSet::new();
    for harness in Harness::ALL {
        for check in checks(*harness) {
            let code = check.code();
            if OF_THE_DEVICE.contains(&code) {
                continue;
            }
            assert!(code.starts_with(harness.name()), "{code}");
            assert!(seen.insert(code), "{code} twice");
            assert!(!check.source().is_empty(), "{code}");
        }
    }
}

#[test]
fn what_a_repository_weakens_is_a_failure() {
    let mut clones = 0;
    for Case { fault, os, .. } in cases() {
        let is_clones = |(path, _): &Entry<'_>| !path.starts_with(['/', '~', '$']);
        if !fault.iter().all(is_clones) {
            continue;
        }
        // Alone in an empty home, as in a job that checks a clone.
        let postures = Tree::of(fault).examine(*os);
        let findings = postures.iter().flat_map(HarnessPosture::findings);
        let failures = findings.filter(|finding| finding.severity() == Severity::Failure);
        assert_ne!(failures.count(), 0, "{fault:?}");
        assert!(postures.iter().any(HarnessPosture::has_failed), "{fault:?}");
        clones += 1;
    }
    assert!(clones >= 40, "{clones}");
}

#[test]
fn an_ordinary_repository_has_no_finding() {
    let tree = Tree::of(&[
        (
            CLAUDE_PROJECT,
            r#"{"permissions": {"allow": ["Bash(npm test)"], "deny": ["WebFetch"]}, "env": {"CI": "1"}, "model": "x"}"#,
        ),
        (
            ".claude/agents/x.md",
            "---\nname: x\ndescription: use it: always\ntools: Read\n---\nHello",
        ),
        (".claude/commands/y.md", "Do y."),
        (
            CODEX_PROJECT,
            "model = \"x\"\napproval_policy = \"on-request\"\nsandbox_mode = \"workspace-write\"",
        ),
        (COPILOT_PROJECT, r#"{"model": "x"}"#),
        (GEMINI_PROJECT, r#"{"context": {"fileName": "AGENTS.md"}}"#),
        (".gemini/commands/x.toml", "prompt = \"x\""),
        (".env", "DATABASE_URL=x\nENV=dev\nAPI_BASE_URL=x\n"),
        (
            "opencode.json",
            r#"{"model": "x", "permission": {"bash": "ask"}, "agent": {"mine": {"permission": {"edit": "deny"}}}}"#,
        ),
        (
            ".cursor/cli.json",
            r#"{"permissions": {"allow": ["Shell(ls)"], "deny": []}}"#,
        ),
        (
            ".cursor/sandbox.json",
            r#"{"networkPolicy": {"default": "deny"}}"#,
        ),
        ("AGENTS.md", "hooks: {}"),
    ]);
    assert_eq!(tree.codes(Os::Linux), [""; 0]);
}

#[test]
fn a_clone_that_cannot_be_judged_has_failed() {
    for (path, text) in [
        (CLAUDE_PROJECT, "{"),
        (".mcp.json", "[]"),
        (CODEX_PROJECT, "a ="),
        (GEMINI_PROJECT, "\u{feff}{}"),
        (".cursor/hooks.json", "{"),
        ("opencode.json", r#"{"mcp": {}, "mcp": {"x": {}}}"#),
    ] {
        let postures = Tree::of(&[(path, text)]).examine(Os::Linux);
        assert!(postures.iter().any(HarnessPosture::has_failed), "{path}");
    }
}

#[test]
fn a_link_does_not_hide_what_a_clone_brings() {
    let head = "---\nhooks: {Stop: [{hooks: [{command: x}]}]}\n---\n";
    let tree = Tree::of(&[("other/SKILL.md", head), (".claude/skills/y/SKILL.md", "")]);
    assert_eq!(tree.codes(Os::Linux), [""; 0]);
    let link = tree.path(".claude/skills/x");
    std::os::unix::fs::symlink("../../other", link).unwrap();
    assert_eq!(tree.codes(Os::Linux), ["unknown-link", "unknown-link"]);
    assert!(tree.examine(Os::Linux)[0].has_failed());
}

#[test]
fn a_list_of_hosts_is_judged_by_the_policy() {
    let policy = |allowed: &[&str], denied: &[&str]| {
        let pattern = |text: &&str| Pattern::parse(text).unwrap();
        let mut egress = Egress::builder().default_verdict(Verdict::Deny);
        for allowed in allowed.iter().map(pattern) {
            egress = egress.allow(allowed);
        }
        for denied in denied.iter().map(pattern) {
            egress = egress.deny(denied);
        }
        egress.build().unwrap()
    };
    let egress = policy(&["a.example", "*.b.example", "b.example"], &["x.b.example"]);
    for (host, permitted) in [
        ("a.example", true),
        ("c.b.example", true),
        ("*.c.b.example", true),
        ("*.b.example", false),
        ("x.b.example", false),
        ("c.example", false),
        ("*", false),
        ("a.example:80", false),
    ] {
        let list = format!(r#"{{"networkPolicy": {{"default": "deny", "allow": ["{host}"]}}}}"#);
        let rule = format!(r#"{{"permissions": {{"allow": ["WebFetch({host})"]}}}}"#);
        let fetch = format!(r#"{{"permissions": {{"allow": ["WebFetch(domain:{host})"]}}}}"#);
        let own = format!(
            r#"{{"sandbox": {{"userPolicy": {{"network": {{"allowedHosts": ["{host}"]}}}}}}}}"#
        );
        for (path, text, code) in [
            (CURSOR, &list, "cursor-cli-hosts"),
            (CURSOR_PROJECT, &list, "cursor-cli-project-hosts"),
            (".cursor/cli.json", &rule, "cursor-cli-project-permissions"),
            (CLAUDE_PROJECT, &fetch, "claude-code-fetch-allow"),
            (COPILOT_PROJECT, &own, "copilot-cli-project-sandbox"),
        ] {
            let tree = Tree::of(&[(path, text)]);
            let found = codes(&tree.device(Os::Linux).with_egress(&egress).examine(&[]));
            assert_eq!(
                found.contains(&code),
                !permitted,
                "{host} in {path}: {found:?}"
            );
            let user_alone = path == CURSOR;
            assert_eq!(
                tree.codes(Os::Linux).contains(&code),
                !user_alone,
                "{host} in {path}"
            );
        }
    }
}

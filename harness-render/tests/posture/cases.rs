//! A row a check: the managed settings that stand around it, the fault, and what comes near it.
//!
//! Without the fault is the managed settings alone; a near miss is the managed settings and something
//! that looks like the fault. An entry of the fault or of a near miss replaces the one of the same
//! path.

use std::collections::BTreeSet;

use harness_render::{Os, checks};
use policy_core::Harness;

use crate::tree::{Entry, Tree};

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
    case("claude-code-allow-write-widely", C_LOCKED,
        &[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["//"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["/opt/cache", "~/work"]}}}"#)]]),
    case("claude-code-allow-write-widely", C_LOCKED,
        &[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["/home/someone/.kube/cache"]}}}"#)],
        &[&[(CLAUDE_USER, r#"{"sandbox": {"filesystem": {"allowWrite": ["~/.kubeconfig"]}}}"#)]]),
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
        &[(CLAUDE_USER, r#"{"hooks": {"PreToolUse": []}}"#)],
        &[&[(CLAUDE_USER, r#"{"hooks": {}}"#)], &[(CLAUDE, CLAUDE_LOCKED), (CLAUDE_USER, r#"{"hooks": {"PreToolUse": []}}"#)]]),
    case("claude-code-servers", C_OPEN,
        &[("~/.claude.json", r#"{"projects": {"/x": {"mcpServers": {"y": {}}}}}"#)],
        &[&[("~/.claude.json", r#"{"mcpServers": {}, "projects": {"/x": {"mcpServers": {}}}}"#)],
          &[(CLAUDE, CLAUDE_LOCKED), ("~/.claude.json", r#"{"mcpServers": {"y": {}}}"#)]]),
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
        &[("~/.codex/hooks.json", r#"{"hooks": {"Stop": []}}"#)],
        &[&[("~/.codex/hooks.json", r#"{"hooks": {}}"#)], &[(CODEX_USER, "[hooks.state]\nx = true")],
          &[(CODEX, CODEX_LOCKED), ("~/.codex/hooks.json", r#"{"hooks": {"Stop": []}}"#)]]),
    case("codex-notify", X_LOCKED,
        &[(CODEX_USER, "notify = [\"say\"]")], &[&[(CODEX_USER, "notify = []")], &[(CODEX_USER, "[tui]\nnotify = [\"say\"]")]]),
    case("codex-web-search", X_OPEN,
        &[(CODEX_USER, "web_search = \"live\"")],
        &[&[(CODEX_USER, "web_search = \"disabled\"")], &[(CODEX, CODEX_LOCKED), (CODEX_USER, "web_search = \"live\"")]]),
    case("codex-home", NONE, &[("$CODEX_HOME", "/elsewhere")], &[&[("$CODEX_HOME", "")], &[("$CODEX_HOMES", "/elsewhere")]]),
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
    case("cursor-cli-config-variable", NONE, &[("$CURSOR_CONFIG_DIR", "/elsewhere")], &[&[("$CURSOR_CONFIG_DIR", "")]]),
    case("cursor-cli-managed-hook-open", NONE,
        &[("/etc/cursor/hooks.json", r#"{"version": 1, "hooks": {"preToolUse": [{"command": "/x"}]}}"#)],
        &[&[("/etc/cursor/hooks.json", r#"{"version": 1, "hooks": {"preToolUse": [{"command": "/x", "failClosed": true}]}}"#)]]),
];

/// Codes that are about a device rather than a file's content; their trees are elsewhere.
const OF_THE_DEVICE: [&str; 7] = [
    "managed-missing",
    "managed-differs",
    "managed-unexpected",
    "managed-owner",
    "version-too-old",
    "version-below-pin",
    "version-above-pin",
];

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
    let covered: BTreeSet<&str> = cases().map(|case| case.code).chain(OF_THE_DEVICE).collect();
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

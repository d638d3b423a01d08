//! What a managed file of Claude Code leaves open.

use super::facts::*;
use super::locks::is_sandboxed;
use crate::way::{Opens, Residual, Way, ways};

const RULES: Option<&str> = Some("strict: allowManagedPermissionRulesOnly, after which it asks");

ways! {
    Everything "user", "commands named in sandbox.excludedCommands run outside the sandbox",
        RULES, EXCLUDED_COMMANDS, |request| is_sandboxed(request) && !request.is_strict(),
        ["claude-code-excluded-commands", "claude-code-managed-excluded-commands"];
    Paths "user", "sandbox.filesystem.allowWrite, --add-dir and additionalDirectories add writable roots",
        None, USER_ROOTS, is_sandboxed,
        ["claude-code-allow-write", "claude-code-allow-write-widely", "claude-code-additional-directories"];
    Everything "user", "commands named in sandbox.excludedCommands run outside the sandbox once the user approves",
        None, EXCLUDED_COMMANDS, |request| request.is_strict(),
        ["claude-code-excluded-commands-ask"];
    Everything "user", "hooks run outside the sandbox",
        Some("strict: allowManagedHooksOnly"), HOOKS_LOCK, |request| !request.is_strict(),
        ["claude-code-hooks", "claude-code-head-hooks", "claude-code-plugins"];
    Everything "user", "tool servers (MCP) run outside the sandbox",
        Some("strict: allowManagedMcpServersOnly with no server allowed"), MCP_LOCK, |request| !request.is_strict(),
        ["claude-code-servers", "claude-code-servers-approved", "claude-code-head-servers"];
    Hosts "user", "a WebFetch allow rule fetches hosts that no deny rule names, unasked",
        Some("strict: allowManagedPermissionRulesOnly"), RULES_LOCK, |request| !request.is_strict(),
        ["claude-code-fetch-allow"];
    Hosts "user", "the mode that bypasses permissions fetches hosts that no deny rule names, unasked",
        Some("strict: disableBypassPermissionsMode"), BYPASS_LOCK, |request| !request.is_strict(),
        ["claude-code-bypass-permissions"];
    Hosts "user", "in auto mode a classifier answers instead of the user, so that hosts that no deny rule names are fetched unasked",
        Some("strict: permissions.disableAutoMode"), AUTO_MODE, |request| !request.is_strict() && request.has(&AUTO_MODE),
        ["claude-code-auto-mode"];
    Hosts "user", "the user's own shell line, the status line and editor integrations are outside the sandbox",
        None, OUTSIDE, |request| request.is_strict(),
        ["claude-code-helpers", "claude-code-env", "claude-code-shell-variable"];
    Hosts "user", "web search, the user's own shell line, the status line and editor integrations are outside the sandbox",
        None, OUTSIDE, |request| !request.is_strict(),
        ["claude-code-helpers", "claude-code-env", "claude-code-shell-variable"];
    Everything "administrator", "a later file in managed-settings.d can switch the sandbox off",
        None, DROP_INS, |request| request.has(&DROP_INS),
        ["managed-unexpected", "claude-code-managed-sandbox-off"];
    Everything "administrator", "server-managed settings or a device policy replace the file as a whole",
        None, HIGHER_TIER, |_| true,
        ["claude-code-managed-elsewhere"];
}

//! The keys that a managed file of Claude Code always has.

use super::facts::*;
use crate::lock::Locked::{EmptyList, No, Text, Yes};
use crate::lock::{Lock, locks};
use crate::request::Request;
use crate::target::Os;

locks! {
    "sandbox.enabled" = Yes, SANDBOX, is_sandboxed;
    "sandbox.failIfUnavailable" = Yes, FAIL_IF_UNAVAILABLE, is_sandboxed;
    "sandbox.allowUnsandboxedCommands" = No, NO_RETRY, is_sandboxed;
    "sandbox.allowAppleEvents" = No, WEAKER_SWITCHES, is_sandboxed;
    "sandbox.allowNestedUserNamespaces" = No, WEAKER_SWITCHES, is_sandboxed;
    "sandbox.enableWeakerNestedSandbox" = No, WEAKER_SWITCHES, is_sandboxed;
    "sandbox.enableWeakerNetworkIsolation" = No, WEAKER_SWITCHES, is_sandboxed;
    "sandbox.network.allowAllUnixSockets" = No, WEAKER_SWITCHES, is_sandboxed;
    "sandbox.network.allowLocalBinding" = No, WEAKER_SWITCHES, is_sandboxed;
    "env.CLAUDE_CODE_SUBPROCESS_ENV_SCRUB" = Text("0"), ENV_PIN, is_sandboxed;
    "sandbox.network.allowManagedDomainsOnly" = Yes, MANAGED_ONLY, lists_hosts;
    "sandbox.network.strictAllowlist" = Yes, STRICT_ALLOWLIST, lists_hosts;
    "sandbox.filesystem.allowManagedReadPathsOnly" = Yes, READ_LOCK, is_sandboxed;
    "sandbox.filesystem.disabled" = No, FILESYSTEM_ON, is_sandboxed;
    "allowManagedHooksOnly" = Yes, HOOKS_LOCK, |request| request.is_strict();
    "allowManagedMcpServersOnly" = Yes, MCP_LOCK, |request| request.is_strict();
    "allowedMcpServers" = EmptyList, MCP_LOCK, |request| request.is_strict();
    "allowManagedPermissionRulesOnly" = Yes, RULES_LOCK, |request| request.is_strict();
    "permissions.disableBypassPermissionsMode" = Text("disable"), BYPASS_LOCK, |request| request.is_strict();
    "permissions.disableAutoMode" = Text("disable"), AUTO_LOCK, |request| request.is_strict();
}

/// Whether the program has a sandbox on the system.
pub(super) fn is_sandboxed(request: &Request<'_>) -> bool {
    request.os() != Os::Windows
}

fn lists_hosts(request: &Request<'_>) -> bool {
    is_sandboxed(request) && request.denies_by_default()
}

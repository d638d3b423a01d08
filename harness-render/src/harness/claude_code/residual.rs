//! What a managed file of Claude Code leaves open.

use super::facts::*;
use crate::ledger::{Opens, Residual};
use crate::request::Request;
use crate::target::Os;

const RULES: Option<&str> = Some("strict: allowManagedPermissionRulesOnly, after which it asks");

pub(super) fn residuals(request: &Request<'_>) -> Vec<Residual> {
    use Opens::{Everything, Hosts, Paths};
    let mut open = Vec::new();
    let sandboxed = request.os() != Os::Windows;
    if sandboxed && !request.is_strict() {
        open.push(Residual::new(
            Everything,
            "user",
            "commands named in sandbox.excludedCommands run outside the sandbox",
            RULES,
            &EXCLUDED_COMMANDS,
        ));
    }
    if sandboxed {
        open.push(Residual::new(
            Paths,
            "user",
            "sandbox.filesystem.allowWrite, --add-dir and additionalDirectories add writable roots",
            None,
            &USER_ROOTS,
        ));
    }
    if request.is_strict() {
        open.push(Residual::new(
            Everything,
            "user",
            "commands named in sandbox.excludedCommands run outside the sandbox once the user approves",
            None,
            &EXCLUDED_COMMANDS,
        ));
    } else {
        open.extend([
            Residual::new(
                Everything,
                "user",
                "hooks run outside the sandbox",
                Some("strict: allowManagedHooksOnly"),
                &HOOKS_LOCK,
            ),
            Residual::new(
                Everything,
                "user",
                "tool servers (MCP) run outside the sandbox",
                Some("strict: allowManagedMcpServersOnly with no server allowed"),
                &MCP_LOCK,
            ),
            Residual::new(
                Hosts,
                "user",
                "a WebFetch allow rule fetches hosts that no deny rule names, unasked",
                Some("strict: allowManagedPermissionRulesOnly"),
                &RULES_LOCK,
            ),
            Residual::new(
                Hosts,
                "user",
                "the mode that bypasses permissions fetches hosts that no deny rule names, unasked",
                Some("strict: disableBypassPermissionsMode"),
                &BYPASS_LOCK,
            ),
        ]);
        if request.has(&AUTO_MODE) {
            open.push(Residual::new(
                Hosts,
                "user",
                "in auto mode a classifier answers instead of the user, so that hosts that no deny rule names are fetched unasked",
                Some("strict: permissions.disableAutoMode"),
                &AUTO_MODE,
            ));
        }
    }
    open.push(Residual::new(
        Hosts,
        "user",
        if request.is_strict() {
            "the user's own shell line, the status line and editor integrations are outside the sandbox"
        } else {
            "web search, the user's own shell line, the status line and editor integrations are outside the sandbox"
        },
        None,
        &OUTSIDE,
    ));
    if request.has(&DROP_INS) {
        open.push(Residual::new(
            Everything,
            "administrator",
            "a later file in managed-settings.d can switch the sandbox off",
            None,
            &DROP_INS,
        ));
    }
    open.push(Residual::new(
        Everything,
        "administrator",
        "server-managed settings or a device policy replace the file as a whole",
        None,
        &HIGHER_TIER,
    ));
    open
}

//! What the managed files of Codex leave open.

use super::facts::*;
use crate::ledger::{Opens, Residual};
use crate::request::Request;

pub(super) fn residuals(request: &Request<'_>) -> Vec<Residual> {
    use Opens::{Everything, Hosts, Paths};
    let strict = |lock| request.is_strict() && request.has(lock);
    let mut open = vec![Residual::new(
        // The entries of deny_read keep hosts and denied paths bound.
        if request.has(&DENY_READ) {
            Paths
        } else {
            Everything
        },
        "user",
        "a command that the user lets run outside the sandbox writes anywhere",
        Some("allowed_approval_policies without on-request, which refuses every such command"),
        &ESCALATION,
    )];
    open.push(Residual::new(
        Paths,
        "user",
        "--add-dir, and a client of the app server, add writable roots",
        None,
        &ADDED_ROOTS,
    ));
    if !strict(&MCP_LOCK) {
        open.push(Residual::new(
            Everything,
            "user",
            "tool servers (MCP) run outside the sandbox",
            Some("strict, on 0.90.0 or later: an empty mcp_servers"),
            &MCP_LOCK,
        ));
    }
    if !strict(&HOOKS_LOCK) {
        open.push(Residual::new(
            Everything,
            "user",
            "hooks run outside the sandbox",
            Some("strict, on 0.131.0 or later: allow_managed_hooks_only"),
            &HOOKS_LOCK,
        ));
    }
    open.push(Residual::new(
        Everything,
        "user",
        "the notify program runs outside the sandbox",
        None,
        &NOTIFY,
    ));
    if !strict(&WEB_SEARCH_LOCK) {
        open.push(Residual::new(
            Hosts,
            "user",
            "web search is bound by no list of hosts",
            Some("strict, on 0.101.0 or later: allowed_web_search_modes"),
            &WEB_SEARCH_LOCK,
        ));
    }
    open.extend([
        Residual::new(
            Hosts,
            "user",
            "apps, browser and computer use are outside the sandbox",
            None,
            &APPS,
        ),
        Residual::new(
            Everything,
            "administrator",
            "cloud requirements and device management come before the file",
            None,
            &HIGHER_TIER,
        ),
    ]);
    open
}

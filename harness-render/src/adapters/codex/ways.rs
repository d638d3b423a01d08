//! What the managed files of Codex leave open.

use super::facts::*;
use crate::fact::Fact;
use crate::request::Request;
use crate::way::{Opens, Residual, Way, ways};

/// Whether the strict rendering closes the way, on a release that reads the key.
fn is_locked(request: &Request<'_>, lock: &Fact) -> bool {
    request.is_strict() && request.has(lock)
}

ways! {
    Paths "user", "a command that the user lets run outside the sandbox writes anywhere",
        Some("allowed_approval_policies without on-request, which refuses every such command"), ESCALATION, |request| request.has(&DENY_READ),
        "a choice made in a session, which leaves nothing on the device";
    Everything "user", "a command that the user lets run outside the sandbox writes anywhere",
        Some("allowed_approval_policies without on-request, which refuses every such command"), ESCALATION, |request| !request.has(&DENY_READ),
        ["codex-managed-escalation"];
    Paths "user", "--add-dir, and a client of the app server, add writable roots",
        None, ADDED_ROOTS, |_| true,
        ["codex-writable-roots", "codex-writable-roots-widely"];
    Everything "user", "tool servers (MCP) run outside the sandbox",
        Some("strict, on 0.90.0 or later: an empty mcp_servers"), MCP_LOCK, |request| !is_locked(request, &MCP_LOCK),
        ["codex-servers", "codex-plugins"];
    Everything "user", "hooks run outside the sandbox",
        Some("strict, on 0.131.0 or later: allow_managed_hooks_only"), HOOKS_LOCK, |request| !is_locked(request, &HOOKS_LOCK),
        ["codex-hooks", "codex-plugins"];
    Everything "user", "the notify program runs outside the sandbox",
        None, NOTIFY, |_| true,
        ["codex-notify"];
    Hosts "user", "web search is bound by no list of hosts",
        Some("strict, on 0.101.0 or later: allowed_web_search_modes"), WEB_SEARCH_LOCK, |request| !is_locked(request, &WEB_SEARCH_LOCK),
        ["codex-web-search"];
    Hosts "user", "apps, browser and computer use are outside the sandbox",
        None, APPS, |_| true,
        "parts of the program that no file switches on";
    Everything "administrator", "cloud requirements and device management come before the file",
        None, HIGHER_TIER, |_| true,
        ["codex-managed-elsewhere"];
}

//! What the managed files of Gemini CLI leave open.

use super::facts::*;
use super::is_sandboxed;
use crate::ledger::{Opens, Residual};
use crate::request::Request;

pub(super) fn residuals(request: &Request<'_>) -> Vec<Residual> {
    use Opens::{Everything, Hosts, Paths};
    let mut open = Vec::new();
    if is_sandboxed(request) {
        open.extend([
            Residual::new(
                Everything,
                "user",
                "GEMINI_CLI_SYSTEM_SETTINGS_PATH moves the settings away, and with them the sandbox of commands",
                None,
                &SETTINGS_MOVED,
            ),
            Residual::new(
                Everything,
                "user",
                "~/.gemini/policies/sandbox.toml opens the network and paths to commands",
                None,
                &USER_SANDBOX,
            ),
            Residual::new(
                Everything,
                "user",
                "a command that the sandbox refuses runs with more once the user approves",
                None,
                &EXPANSION,
            ),
        ]);
    }
    open.push(Residual::new(
        Everything,
        "user",
        "tool servers (MCP) and extensions run outside the sandbox",
        Some("the vendor's admin controls, for enterprise accounts"),
        &SERVERS,
    ));
    if !request.is_strict() {
        open.push(Residual::new(
            Hosts,
            "user",
            "web search is bound by no list of hosts",
            Some("strict: a rule that denies google_web_search"),
            &SEARCH,
        ));
    }
    if request.protects_paths() {
        open.extend([
            Residual::new(
                Paths,
                "user",
                "search tools given a directory above a protected path read what lies in it",
                None,
                &DIRECTORY_TOOLS,
            ),
            Residual::new(
                Paths,
                "user",
                "from a workspace inside a directory above it, or by a link, a protected path has another spelling",
                None,
                &SPELLING,
            ),
            Residual::new(
                Paths,
                "user",
                "a protected file that is open in the editor integration is read",
                None,
                &IDE_FILES,
            ),
        ]);
    }
    open.push(Residual::new(
        Everything,
        "administrator",
        "the policies directory is skipped unless it is the superuser's own and closed to other writers",
        None,
        &POLICIES_GUARD,
    ));
    open
}

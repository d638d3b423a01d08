//! What the managed file of OpenCode leaves open.

use super::facts::*;
use crate::ledger::{Opens, Residual};
use crate::request::Request;

pub(super) fn residuals(request: &Request<'_>) -> Vec<Residual> {
    use Opens::{Everything, Hosts, Paths};
    let mut open = vec![
        Residual::new(
            Everything,
            "user",
            "OPENCODE_TEST_MANAGED_CONFIG_DIR moves the managed file away",
            None,
            &MOVED,
        ),
        Residual::new(
            Everything,
            "repository",
            "an agent that the user or the project adds brings rules of its own",
            None,
            &CUSTOM_AGENTS,
        ),
        Residual::new(
            Everything,
            "repository",
            "a file of the user's or the project's that sets the same keys for an agent, and a rule for every tool behind them, has the last word",
            None,
            &AGENT_ORDER,
        ),
        Residual::new(
            Everything,
            "user",
            "plugins, custom tools and tool servers (MCP) run unconfined",
            None,
            &PLUGINS,
        ),
        Residual::new(
            Hosts,
            "user",
            "--auto answers every question with yes",
            None,
            &AUTO,
        ),
    ];
    if !request.is_strict() {
        open.push(Residual::new(
            Hosts,
            "user",
            "web search is bound by no list of hosts",
            Some("strict: permission.websearch"),
            &WEB_SEARCH,
        ));
    }
    if request.protects_paths() {
        open.push(Residual::new(
            Paths,
            "user",
            "grep finds lines of protected files of the workspace",
            None,
            &SEARCH_TOOLS,
        ));
    }
    open
}

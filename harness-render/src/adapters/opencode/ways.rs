//! What the managed file of OpenCode leaves open.

use super::facts::*;
use crate::way::{Opens, Residual, Way, ways};

ways! {
    Everything "user", "OPENCODE_TEST_MANAGED_CONFIG_DIR moves the managed file away",
        None, MOVED, |_| true,
        ["opencode-managed-directory-variable"];
    Everything "repository", "an agent that the user or the project adds brings rules of its own",
        None, CUSTOM_AGENTS, |_| true,
        ["opencode-agent-permission", "opencode-agent-file"];
    Everything "repository", "a file of the user's or the project's that sets the same keys for an agent, and a rule for every tool behind them, has the last word",
        None, AGENT_ORDER, |_| true,
        ["opencode-agent-permission", "opencode-key-order"];
    Everything "user", "plugins, custom tools and tool servers (MCP) run unconfined",
        None, PLUGINS, |_| true,
        ["opencode-plugins", "opencode-servers", "opencode-programs"];
    Hosts "user", "--auto answers every question with yes",
        None, AUTO, |_| true,
        "a choice made in a session, which leaves nothing on the device";
    Hosts "user", "web search is bound by no list of hosts",
        Some("strict: permission.websearch"), WEB_SEARCH, |request| !request.is_strict(),
        "it is on unless a rule denies it";
    Paths "user", "grep finds lines of protected files of the workspace",
        None, SEARCH_TOOLS, |request| request.protects_paths(),
        "it is how the tool works";
}

//! What the managed files of Gemini CLI leave open.

use super::facts::*;
use super::locks::is_sandboxed;
use crate::way::{Opens, Residual, Way, ways};

ways! {
    Everything "user", "GEMINI_CLI_SYSTEM_SETTINGS_PATH moves the settings away, and with them the sandbox of commands",
        None, SETTINGS_MOVED, is_sandboxed,
        ["gemini-cli-settings-path-variable"];
    Everything "user", "~/.gemini/policies/sandbox.toml opens the network and paths to commands",
        None, USER_SANDBOX, is_sandboxed,
        ["gemini-cli-sandbox-network", "gemini-cli-sandbox-writes"];
    Everything "user", "a command that the sandbox refuses runs with more once the user approves",
        None, EXPANSION, is_sandboxed,
        "a choice made in a session, which leaves nothing on the device";
    Everything "user", "tool servers (MCP) and extensions run outside the sandbox",
        Some("the vendor's admin controls, for enterprise accounts"), SERVERS, |_| true,
        ["gemini-cli-servers", "gemini-cli-head-servers", "gemini-cli-extensions"];
    Hosts "user", "web search is bound by no list of hosts",
        Some("strict: a rule that denies google_web_search"), SEARCH, |request| !request.is_strict(),
        "it is on unless a rule denies it";
    Paths "user", "search tools given a directory above a protected path read what lies in it",
        None, DIRECTORY_TOOLS, |request| request.protects_paths(),
        "it is how the tools work";
    Paths "user", "from a workspace inside a directory above it, or by a link, a protected path has another spelling",
        None, SPELLING, |request| request.protects_paths(),
        "it depends on where a session starts";
    Paths "user", "a protected file that is open in the editor integration is read",
        None, IDE_FILES, |request| request.protects_paths(),
        "it depends on what the editor shows";
    Everything "administrator", "the policies directory is skipped unless it is the superuser's own and closed to other writers",
        None, POLICIES_GUARD, |_| true,
        ["managed-owner"];
}

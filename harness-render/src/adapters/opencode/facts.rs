//! What is known of OpenCode. The release of a fact is the gate of the keys that rest on it.

use crate::fact::{Fact, facts};
use crate::target::Release;

pub(super) const DATE: &str = "2026-11";

const CONFIG: &str = "https://opencode.ai/docs/config/";
const PERMISSIONS: &str = "https://opencode.ai/docs/permissions/";
const AGENTS: &str = "https://opencode.ai/docs/agents/";
const SOURCE: &str = "https://github.com/anomalyco/opencode";

/// The one release that was run. Rules for every tool are older, 1.1.1; since when the managed
/// directory is read, nobody says.
const SEEN: Release = Release(1, 18, 33);

const fn seen(claim: &'static str, page: &'static str) -> Fact {
    Fact::observed(claim, SEEN, page, DATE)
}

const fn said(claim: &'static str, page: &'static str) -> Fact {
    Fact::vendor(claim, SEEN, page, DATE)
}

facts! {
    MANAGED = seen("the managed opencode.json stands above the user's, the project's and the inline configuration", CONFIG);
    NO_SANDBOX = said("there is no sandbox; a permission of bash looks at the text of a command", PERMISSIONS);
    PATH_RULES = seen("read and edit compare the path as seen from the work tree, external_directory the absolute one of what lies outside", PERMISSIONS);
    HOST_RULES = seen("a rule named webfetc? holds by address for the fetch tool, though no documentation says so, and the last that matches decides", SOURCE);
    ASKS = seen("an action of ask asks the user, and refuses in a session that cannot ask", PERMISSIONS);
    ORDER = seen("the last rule that matches decides, in the order of the keys of the merged configuration", PERMISSIONS);
    AGENT_RULES = seen("rules under agent.<name>.permission come after all others, and after OPENCODE_PERMISSION", AGENTS);
    CUSTOM_AGENTS = seen("an agent of the user's or of the project's brings rules of its own", AGENTS);
    AGENT_ORDER = said("a key that the user's file has first keeps its place when the managed file sets it", SOURCE);
    MOVED = seen("OPENCODE_TEST_MANAGED_CONFIG_DIR moves the managed directory away", SOURCE);
    AUTO = seen("--auto answers every question with yes", PERMISSIONS);
    PLUGINS = said("plugins, custom tools and tool servers (MCP) run unconfined", CONFIG);
    SEARCH_TOOLS = said("grep reads files of the workspace whatever their names", PERMISSIONS);
    WEB_SEARCH = said("web search is bound by no list of hosts", PERMISSIONS);
    NO_GUARD = seen("the owner and the mode of the managed file are not looked at", CONFIG);
}

//! What is known of Codex. The release of a fact is the gate of the keys that rest on it.

use crate::fact::{Fact, facts};
use crate::target::Release;

pub(super) const DATE: &str = "2026-11";

const MANAGED: &str = "https://developers.openai.com/codex/enterprise/managed-configuration";
const SECURITY: &str = "https://developers.openai.com/codex/agent-approvals-security";
const SOURCE: &str = "https://github.com/openai/codex";

/// Before this release the file is not read.
const FLOOR: Release = Release(0, 77, 0);

facts! {
    dated DATE;
    MODES = seen("allowed_sandbox_modes keeps every other mode from being chosen", FLOOR, MANAGED);
    TMP = seen("workspace-write leaves /tmp and $TMPDIR writable", FLOOR, SECURITY);
    /// Seen in 0.171.0 only.
    PINNED_CONFIG = said("managed_config.toml stands above the user's configuration and command line", FLOOR, MANAGED);
    /// Parsed since 0.101; from there to 0.114 commands had no network at all.
    NETWORK = seen("[experimental_network] with enabled = true gives sandboxed commands the listed hosts and no others", Release(0, 118, 0), MANAGED);
    MANAGED_ONLY = seen("managed_allowed_domains_only ignores the hosts that a user adds", Release(0, 118, 0), MANAGED);
    DENIED = seen("denied_domains denies, and beats an allowed entry", Release(0, 118, 0), MANAGED);
    ADDRESS_TEXT = said("an IPv6 address is compared as it is written", Release(0, 118, 0), SOURCE);
    PLAIN_IPV6 = seen("a plain HTTP request to an IPv6 literal is answered 400; tunnels to an allowed one pass", Release(0, 130, 0), SOURCE);
    RESERVED_LITERALS = seen("an exact entry opens an IPv4 address that is not public; in 0.130.0 nothing arrives there", Release(0, 150, 0), SOURCE);
    OFF_BY_DEFAULT = seen("without a profile the network of commands is off until the user sets network_access", Release(0, 130, 0), SECURITY);
    PRIVATE = seen("this machine and private addresses are refused unless an exact entry names them", Release(0, 118, 0), SOURCE);
    DENY_READ = seen("deny_read closes a path with all below it to reading and writing; its globs match files", Release(0, 122, 0), MANAGED);
    /// Seen to write in 0.133.0, and in 0.130.0 to read as well; the releases between and this one do
    /// not start with a profile.
    FILE_TOOLS = seen("the tools that show an image and apply a patch keep to denied paths, whatever the user approves; before, an approved patch wrote them", Release(0, 138, 0), SOURCE);
    DENY_READ_GLOBS = seen("a glob of deny_read may stand in any name; before, in the last one only, which is then looked for at every depth", Release(0, 168, 0), MANAGED);
    DENY_READ_BRICKS = seen("a deny_read over Codex's own directory, or a glob from the root, keeps sessions from starting", Release(0, 122, 0), MANAGED);
    PROFILES_REFUSED = seen("these releases refuse to start when the file defines a permission profile", Release(0, 134, 0), SOURCE);
    PROFILE = seen("a managed permission profile fixes writable roots, denied paths and network", Release(0, 138, 0), MANAGED);
    ANY_HOST = seen("a profile's domain * = allow opens every host that is not denied", Release(0, 138, 0), MANAGED);
    WORKSPACE_GLOBS = seen("a profile's globs under :workspace_roots need glob_scan_max_depth, which bounds the search on Linux", Release(0, 138, 0), SECURITY);
    UNBOUNDED_GLOBS = seen("a profile's globs under :workspace_roots hold at any depth", Release(0, 153, 0), SECURITY);
    WINDOWS = said("on native Windows commands have no sandbox by default, network limits are partial, and deny_read binds the file tools only", FLOOR, MANAGED);
    NO_FETCH_TOOL = said("there is no fetch tool; web search runs at the provider and knows no list of hosts", FLOOR, MANAGED);
    WEB_SEARCH_LOCK = said("allowed_web_search_modes = [] switches web search off", Release(0, 101, 0), MANAGED);
    MCP_LOCK = seen("an empty mcp_servers table leaves no tool server", Release(0, 90, 0), MANAGED);
    HOOKS_LOCK = seen("allow_managed_hooks_only ignores a user's hooks, which run outside the sandbox", Release(0, 131, 0), MANAGED);
    ESCALATION = seen("a command that the user lets run outside the sandbox writes anywhere; with a deny_read its hosts and denied paths stay bound", FLOOR, SECURITY);
    ADDED_ROOTS = seen("--add-dir and a client of the app server add writable roots", FLOOR, SECURITY);
    NOTIFY = seen("a user's notify program runs outside the sandbox", FLOOR, SECURITY);
    APPS = said("apps, browser and computer use are outside the sandbox", FLOOR, MANAGED);
    HIGHER_TIER = said("cloud requirements and device management come before the file, key by key", FLOOR, MANAGED);
}

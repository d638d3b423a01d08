//! What is known of Gemini CLI. The release of a fact is the gate of the keys that rest on it.

use crate::fact::{Fact, facts};
use crate::target::Release;

pub(super) const DATE: &str = "2026-11";

const ENTERPRISE: &str = "https://geminicli.com/docs/cli/enterprise/";
const POLICY_ENGINE: &str = "https://geminicli.com/docs/reference/policy-engine/";
const SANDBOX: &str = "https://geminicli.com/docs/cli/sandbox/";
const SOURCE: &str = "https://github.com/google-gemini/gemini-cli";

/// Before this release no managed file enforces anything of a policy.
const FLOOR: Release = Release(0, 13, 0);

facts! {
    dated DATE;
    /// This and the following were observed in 0.61.0; the releases are those of the vendor's tags.
    POLICIES = seen("rules in the administrator's policies directory beat the user's, and no variable or flag moves them", FLOOR, POLICY_ENGINE);
    POLICIES_GUARD = seen("the policies directory is skipped, with a warning, unless it is the superuser's own and closed to other writers", FLOOR, POLICY_ENGINE);
    /// Later releases ignore the key, as every key that they do not know.
    MESSAGE_BUS = said("the first releases with policies consult them only with tools.enableMessageBusIntegration", FLOOR, POLICY_ENGINE);
    FETCH_RULES = seen("a rule on web_fetch sees the arguments as JSON text, and its expression decides", FLOOR, POLICY_ENGINE);
    PRIVATE = seen("web_fetch refuses this machine and addresses that are not public", FLOOR, SOURCE);
    REWRITE = said("web_fetch rewrites a github.com page of a file to raw.githubusercontent.com after the rules were asked", FLOOR, SOURCE);
    PATH_RULES = seen("a rule on the file tools sees the path as it is spelt", FLOOR, POLICY_ENGINE);
    /// The vendor's own macOS sandbox; not run.
    SEATBELT = said("tools.sandbox confines the whole program by Seatbelt, unless a flag or a variable says otherwise", FLOOR, SANDBOX);
    TOOL_SANDBOX = seen("security.toolSandboxing gives commands the workspace, a temporary directory of their own and no network, and no flag or variable switches it off", Release(0, 35, 0), SANDBOX);
    TOOL_SANDBOX_WINDOWS = said("security.toolSandboxing works on native Windows as well", Release(0, 36, 0), SANDBOX);
    MASKED = seen("the tool sandbox masks .env and .env.* of the workspace, three levels deep", Release(0, 35, 0), SANDBOX);
    READS_OPEN = seen("the tool sandbox leaves every other file readable, on Linux those in /tmp apart", Release(0, 35, 0), SANDBOX);
    NO_ROOTS = seen("sandboxAllowedPaths and sandboxNetworkAccess act on the older sandbox only", FLOOR, SANDBOX);
    NO_READ_ONLY = said("no managed key makes the workspace read-only", FLOOR, SANDBOX);
    YOLO_LOCK = seen("disableYoloMode refuses the mode that approves everything, in which the sandbox has a network", FLOOR, ENTERPRISE);
    SETTINGS_MOVED = seen("GEMINI_CLI_SYSTEM_SETTINGS_PATH moves the system settings away; policies stay", FLOOR, ENTERPRISE);
    USER_SANDBOX = seen("~/.gemini/policies/sandbox.toml opens the network and paths of the tool sandbox", Release(0, 35, 0), SANDBOX);
    EXPANSION = seen("a command that the sandbox refuses may ask the user for more", Release(0, 35, 0), SANDBOX);
    SEARCH = seen("google_web_search is bound by no list of hosts", FLOOR, POLICY_ENGINE);
    IDE_FILES = said("a file that is open in the editor integration is read past a deny rule", FLOOR, SOURCE);
    DIRECTORY_TOOLS = said("a tool that searches a directory reads the files below it, whatever their names", FLOOR, SOURCE);
    SPELLING = said("a path is compared as it is spelt: not from where a relative one starts, nor through links", FLOOR, SOURCE);
    SERVERS = said("tool servers (MCP) and extensions run outside the sandbox", FLOOR, ENTERPRISE);
}

//! What is known of Claude Code. The release of a fact is the gate of the keys that rest on it.

use crate::fact::{Fact, facts};
use crate::target::Release;

pub(super) const DATE: &str = "2026-11";

const SETTINGS: &str = "https://code.claude.com/docs/en/settings";
const SANDBOXING: &str = "https://code.claude.com/docs/en/sandboxing";
const PERMISSIONS: &str = "https://code.claude.com/docs/en/permissions";
const MCP: &str = "https://code.claude.com/docs/en/managed-mcp";
const HOOKS: &str = "https://code.claude.com/docs/en/hooks";
const CHANGELOG: &str = "https://github.com/anthropics/claude-code/blob/main/CHANGELOG.md";

/// Before this release no rendered key was observed to take effect.
const FLOOR: Release = Release(2, 1, 62);

facts! {
    dated DATE;
    SANDBOX = seen("a managed sandbox.enabled wins over the user's", FLOOR, SANDBOXING);
    NO_RETRY = seen("allowUnsandboxedCommands: false ignores a request to run outside the sandbox", FLOOR, SANDBOXING);
    FAIL_IF_UNAVAILABLE = seen("failIfUnavailable ends the program where the sandbox cannot start; before, commands ran without it", Release(2, 1, 83), SANDBOXING);
    /// Seen in 2.1.332. A release that does not know one of the switches ignores it, and has
    /// nothing to switch.
    WEAKER_SWITCHES = seen("a user's switch for a weaker sandbox counts unless the managed settings say false", FLOOR, SANDBOXING);
    /// Likewise.
    ENV_PIN = seen("CLAUDE_CODE_SUBPROCESS_ENV_SCRUB=1 opens writes everywhere unless the managed env pins it to 0", FLOOR, SETTINGS);
    ALLOWED_DOMAINS = seen("sandbox.network.allowedDomains matches exact hosts and, for *.x, strict subdomains", FLOOR, SANDBOXING);
    MANAGED_ONLY = seen("allowManagedDomainsOnly counts managed entries only", FLOOR, SETTINGS);
    HARD_BLOCK = said("allowManagedDomainsOnly blocks an unlisted host instead of asking", Release(2, 1, 69), CHANGELOG);
    STRICT_ALLOWLIST = said("strictAllowlist denies an unlisted host instead of asking", Release(2, 1, 219), SANDBOXING);
    DENIED_DOMAINS = seen("sandbox.network.deniedDomains denies, and beats an allowed entry", Release(2, 1, 113), SANDBOXING);
    /// The first release lies between 2.1.173 and this one; before, the entry blocked every host.
    ANY_HOST = seen("an allowed entry * opens every host, and *.tld every host below it", Release(2, 1, 197), SANDBOXING);
    IPV6 = seen("an IPv6 address is written in brackets", Release(2, 1, 229), CHANGELOG);
    THIS_MACHINE = seen("an allowed host that resolves to this machine is refused", FLOOR, SANDBOXING);
    ALLOW_WRITE = seen("sandbox.filesystem.allowWrite opens existing directories", FLOOR, SANDBOXING);
    /// Before it, only `//` begins an absolute path; from it on both do.
    SINGLE_SLASH = seen("a path of sandbox.filesystem that begins with / is absolute", Release(2, 1, 78), CHANGELOG);
    DENY_READ = seen("sandbox.filesystem denyRead and denyWrite close paths and globs to commands", FLOOR, SANDBOXING);
    /// Seen in 2.1.126, 2.1.170 and 2.1.172; the first release in which it holds lies between the last
    /// of them and this one. Writing is closed in all.
    WORKSPACE_READS = seen("denyRead closes a path of the workspace that denyWrite names as well; before, it stayed readable", Release(2, 1, 197), SANDBOXING);
    READ_LOCK = seen("allowManagedReadPathsOnly keeps a user's allowRead from re-opening a denied path", Release(2, 1, 78), SETTINGS);
    FILESYSTEM_ON = seen("sandbox.filesystem.disabled of the user is ignored once managed settings hold sandbox.filesystem", Release(2, 1, 216), SETTINGS);
    NO_READ_ONLY = seen("no key makes the workspace read-only", FLOOR, SANDBOXING);
    NO_WINDOWS_SANDBOX = said("on native Windows the sandbox must be set up first, and with failIfUnavailable nothing starts until then", FLOOR, SANDBOXING);
    DENY_RULES = seen("a managed permissions.deny rule beats every rule that allows", FLOOR, PERMISSIONS);
    FETCH_WILDCARD = seen("WebFetch(domain:*.x) matches; before, it matched nothing", Release(2, 1, 172), CHANGELOG);
    /// Seen to miss in 2.1.170, and to match in this one.
    FETCH_ROOT_DOT = seen("WebFetch(domain:x) matches x. with the root's dot as well; before, only WebFetch(domain:x.) did", Release(2, 1, 172), PERMISSIONS);
    FETCH_ASKS = seen("WebFetch asks the user about a host that no rule names", FLOOR, PERMISSIONS);
    PRE_APPROVED = seen("WebFetch fetches about a hundred documentation hosts unasked", FLOOR, PERMISSIONS);
    PATH_RULES = seen("Read and Edit rules bind the file tools; an absolute path begins with //", FLOOR, PERMISSIONS);
    REQUIRED_MINIMUM = seen("requiredMinimumVersion keeps an older program from starting", Release(2, 1, 163), SETTINGS);
    EXCLUDED_COMMANDS = seen("a user's sandbox.excludedCommands run outside the sandbox", FLOOR, SANDBOXING);
    USER_ROOTS = seen("a user's sandbox.filesystem.allowWrite and additional directories are added", FLOOR, SANDBOXING);
    DROP_INS = seen("a later file in managed-settings.d can switch the sandbox off", Release(2, 1, 83), SETTINGS);
    HIGHER_TIER = said("server-managed settings or a device policy replace the file as a whole", FLOOR, SETTINGS);
    HOOKS_LOCK = seen("allowManagedHooksOnly keeps a user's hooks, which run outside the sandbox, from running", FLOOR, HOOKS);
    MCP_LOCK = said("allowManagedMcpServersOnly with an empty allowedMcpServers leaves no tool server", FLOOR, MCP);
    RULES_LOCK = seen("allowManagedPermissionRulesOnly ignores a user's permission rules", FLOOR, PERMISSIONS);
    BYPASS_LOCK = seen("disableBypassPermissionsMode refuses the mode that asks nothing", FLOOR, PERMISSIONS);
    AUTO_LOCK = said("disableAutoMode refuses the mode in which a classifier approves", FLOOR, PERMISSIONS);
    /// Built in since this release.
    AUTO_MODE = said("in auto mode a classifier answers instead of the user", Release(2, 1, 283), PERMISSIONS);
    OUTSIDE = said("web search, the user's own shell line, the status line and editor integrations are outside the sandbox", FLOOR, SANDBOXING);
}

/// Some of the hosts of [`PRE_APPROVED`].
pub(super) const PRE_APPROVED_HOSTS: [&str; 3] =
    ["docs.python.org", "learn.microsoft.com", "nodejs.org"];

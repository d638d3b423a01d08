//! What is known of Copilot CLI. The release of a fact is the gate of the keys that rest on it.

use crate::fact::{Fact, facts};
use crate::target::Release;

pub(super) const DATE: &str = "2026-11";

const MANAGED: &str = "https://docs.github.com/en/copilot/reference/enterprise-administrators/enterprise-managed-settings";
const ALLOWLIST: &str = "https://docs.github.com/en/copilot/reference/copilot-allowlist-reference";
const CHANGELOG: &str = "https://github.com/github/copilot-cli/blob/main/changelog.md";

/// Before this release the lists of hosts are offered and inert.
const FLOOR: Release = Release(1, 0, 85);

facts! {
    dated DATE;
    SANDBOX = seen("a managed sandbox.enabled and allowBypass: false cannot be switched off", FLOOR, MANAGED);
    CONFINED = seen("commands see the workspace, the system's programs and settings, and a shared /tmp that they may write; the home, /opt, /srv, /var/lib and /usr/local are not there", Release(1, 0, 102), MANAGED);
    NO_READ_ONLY = seen("no key makes the workspace read-only: without addCurrentWorkingDirectory no command starts", FLOOR, MANAGED);
    CEILING = seen("managed readwritePaths is intersected with the user's own list, string by string; without it the user may add any path", FLOOR, MANAGED);
    DENIED_PATHS = seen("deniedPaths closes a literal path with all below it to commands; ~/ is the home, a relative path counts from the workspace", FLOOR, MANAGED);
    NO_GLOBS = seen("deniedPaths takes a glob literally", FLOOR, MANAGED);
    MISSING_PATH = seen("on Linux a denied path that does not exist is not enforced", FLOOR, MANAGED);
    ALLOWED = seen("with allowOutbound, allowedHosts matches exact hosts and, for *.x, strict subdomains, on any port", FLOOR, MANAGED);
    OUTBOUND = seen("allowOutbound: false closes every host, those of allowedHosts as well", FLOOR, MANAGED);
    EMPTY_LIST = seen("an empty allowedHosts allows every host", FLOOR, MANAGED);
    DROPPED = seen("an entry that is no host is dropped without a word, in either list", FLOOR, MANAGED);
    BLOCKED = seen("blockedHosts denies, and beats an allowed entry", FLOOR, MANAGED);
    BLOCKED_BELOW = seen("a blocked host takes every host below it along", FLOOR, MANAGED);
    LOCAL_REFUSED = seen("beside allowedHosts this machine is refused, and with allowLocalNetwork: false the local network", FLOOR, MANAGED);
    LOCAL_NETWORK = said("the local network is open unless allowLocalNetwork says false; before, it was closed", Release(1, 0, 100), CHANGELOG);
    WINDOWS = said("on Windows the lists of hosts need allowLocalNetwork and programs that honour the proxy", FLOOR, ALLOWLIST);
    LIMIT = seen("permissions.limitTo bounds the fetch tool, and no rule or mode of the user widens it", Release(1, 0, 93), MANAGED);
    LIMIT_APEX = seen("in permissions.limitTo *.x matches x as well, and no entry denies", Release(1, 0, 93), MANAGED);
    /// Seen as well, but not for every command: it is what the program recognises in one.
    LIMIT_IN_COMMANDS = said("permissions.limitTo bounds the addresses that are recognised in a command", Release(1, 0, 93), MANAGED);
    UNMANAGED = seen("without limitTo the user's own rules decide about a host", FLOOR, MANAGED);
    DENY_ASKS_ALL = seen("one managed deny or ask rule makes a question of every operation that no rule names, which a session without a terminal refuses", FLOOR, MANAGED);
    BYPASS_LOCK = seen("disableBypassPermissionsMode refuses the modes that ask nothing", FLOOR, MANAGED);
    REMOTE_SERVERS = said("remote tool servers are never in the sandbox", FLOOR, MANAGED);
    OLD_RELEASE = said("an older release of the program that a user installs beside this one honours less", FLOOR, CHANGELOG);
    FILE_GUARD = seen("the file is read only if it is strict JSON of at most 65536 bytes, the superuser's own, closed to other writers and no link", FLOOR, MANAGED);
}

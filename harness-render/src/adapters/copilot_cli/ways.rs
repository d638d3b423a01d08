//! What the managed file of Copilot CLI leaves open.

use super::facts::*;
use crate::target::Os;
use crate::way::{Opens, Residual, Way, ways};

ways! {
    Everything "user", "remote tool servers (MCP) run outside the sandbox",
        None, REMOTE_SERVERS, |_| true,
        ["copilot-cli-servers"];
    Hosts "user", "the modes that bypass permissions fetch every host unasked",
        Some("strict: disableBypassPermissionsMode"), BYPASS_LOCK, |request| {
            let is_limited = request.denies_by_default() && request.has(&LIMIT);
            !request.is_strict() && !is_limited
        },
        ["copilot-cli-allow-all-variable"];
    Paths "user", "the modes that bypass permissions read and write protected paths by the file tools, unasked",
        Some("strict: disableBypassPermissionsMode"), BYPASS_LOCK, |request| request.protects_paths() && !request.is_strict(),
        ["copilot-cli-allow-all-variable"];
    Paths "user", "a protected path that does not exist when a command starts is not closed to it",
        None, MISSING_PATH, |request| request.protects_paths() && request.os() == Os::Linux,
        "it depends on the moment at which a command starts";
    Everything "user", "an older release of the program, installed beside this one, honours less",
        None, OLD_RELEASE, |_| true,
        ["version-below-pin", "copilot-cli-no-update-variable"];
}

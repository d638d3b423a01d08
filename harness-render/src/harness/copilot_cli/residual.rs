//! What the managed file of Copilot CLI leaves open.

use super::facts::*;
use crate::ledger::{Opens, Residual};
use crate::request::Request;
use crate::target::Os;

pub(super) fn residuals(request: &Request<'_>) -> Vec<Residual> {
    use Opens::{Everything, Hosts, Paths};
    let mut open = vec![Residual::new(
        Everything,
        "user",
        "remote tool servers (MCP) run outside the sandbox",
        None,
        &REMOTE_SERVERS,
    )];
    let is_limited = request.denies_by_default() && request.has(&LIMIT);
    if !request.is_strict() && !is_limited {
        open.push(Residual::new(
            Hosts,
            "user",
            "the modes that bypass permissions fetch every host unasked",
            Some("strict: disableBypassPermissionsMode"),
            &BYPASS_LOCK,
        ));
    }
    let protects = request.protects_paths();
    if protects && !request.is_strict() {
        open.push(Residual::new(
            Paths,
            "user",
            "the modes that bypass permissions read and write protected paths by the file tools, unasked",
            Some("strict: disableBypassPermissionsMode"),
            &BYPASS_LOCK,
        ));
    }
    if protects && request.os() == Os::Linux {
        open.push(Residual::new(
            Paths,
            "user",
            "a protected path that does not exist when a command starts is not closed to it",
            None,
            &MISSING_PATH,
        ));
    }
    open.push(Residual::new(
        Everything,
        "user",
        "an older release of the program, installed beside this one, honours less",
        None,
        &OLD_RELEASE,
    ));
    open
}

//! The keys that a managed file of Copilot CLI always has.

use super::facts::*;
use crate::lock::Locked::{No, Text, Yes};
use crate::lock::{Lock, locks};

locks! {
    "sandbox.allowBypass" = No, SANDBOX, |_| true;
    "sandbox.allowDevToolAccess" = No, SANDBOX, |_| true;
    "sandbox.enabled" = Yes, SANDBOX, |_| true;
    "sandbox.failIfUnavailable" = Yes, SANDBOX, |_| true;
    "sandbox.sandboxLspServers" = Yes, SANDBOX, |_| true;
    "sandbox.sandboxMcpServers" = Yes, SANDBOX, |_| true;
    "permissions.disableBypassPermissionsMode" = Text("disable"), BYPASS_LOCK, |request| request.is_strict();
}

//! The keys that the system settings of Gemini CLI always have.

use super::facts::*;
use crate::fact::Fact;
use crate::lock::Locked::Yes;
use crate::lock::{Lock, locks};
use crate::request::Request;
use crate::target::Os;

locks! {
    "security.toolSandboxing" = Yes, TOOL_SANDBOX, is_sandboxed;
    /// The mode that approves everything would give the sandbox a network.
    "security.disableYoloMode" = Yes, YOLO_LOCK, is_sandboxed;
    /// Elsewhere the program would not start without a container.
    "tools.sandbox" = Yes, SEATBELT, |request| !is_sandboxed(request) && request.os() == Os::MacOs;
    "tools.enableMessageBusIntegration" = Yes, MESSAGE_BUS, |request| !is_sandboxed(request);
}

/// The fact on which the tool sandbox of a system rests.
pub(super) fn tool_sandbox(os: Os) -> &'static Fact {
    match os {
        Os::Linux | Os::MacOs => &TOOL_SANDBOX,
        Os::Windows => &TOOL_SANDBOX_WINDOWS,
    }
}

pub(super) fn is_sandboxed(request: &Request<'_>) -> bool {
    request.has(tool_sandbox(request.os()))
}

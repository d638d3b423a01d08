//! What on a device undoes the managed settings.
//!
//! A [`Context`] holds the managed settings of one harness; the checks of that harness judge it, the
//! user's and a repository's files, and the environment. All of that is pure: bytes in,
//! [`Finding`]s out. What cannot be judged is [`Unknown`], which is never "fine".

mod check;
mod claude_code;
mod codex;
mod comments;
mod common;
mod context;
mod copilot_cli;
mod cursor_cli;
mod front_matter;
mod gemini_cli;
mod hosts;
mod keys;
mod opencode;
mod outside;
mod path;
mod place;
mod report;
mod summary;
mod unknown;
mod value;

#[cfg(feature = "device")]
mod device;
#[cfg(feature = "device")]
mod disk;

use policy_core::Harness;

pub use check::{Check, Finding, Severity, Weakens};
pub use context::Context;
#[cfg(feature = "device")]
pub use device::{Comparison, Device, DeviceError, Expected, HarnessPosture};
pub use place::Watched;
pub use report::{DeviceReport, Entry, EntryError, is_compliant};
pub use summary::{EgressState, SandboxState, Summary, Unlisted};
pub use unknown::{Obstacle, Unknown};

use value::Lists;

/// Everything that is watched of one harness. Each module builds its own in the same order: files,
/// checks, summary.
#[derive(Debug)]
#[cfg_attr(
    not(feature = "device"),
    expect(dead_code, reason = "only a look at a device needs all of it")
)]
pub(crate) struct Watch {
    harness: Harness,
    files: &'static [Watched],
    checks: &'static [Check],
    summary: fn(&Context) -> Summary,
    /// How the program combines the lists of several managed files.
    lists: Lists,
    /// The most bytes of a managed file that the program accepts.
    most_managed: usize,
    /// The names under which the program is started.
    programs: &'static [&'static str],
    /// The packages of the npm registry that hold it.
    packages: &'static [&'static str],
    /// Directories that hold one entry for each installed release, named by it.
    versions: &'static [&'static str],
}

fn watch(harness: Harness) -> &'static Watch {
    match harness {
        Harness::ClaudeCode => &claude_code::WATCH,
        Harness::Codex => &codex::WATCH,
        Harness::CopilotCli => &copilot_cli::WATCH,
        Harness::GeminiCli => &gemini_cli::WATCH,
        Harness::OpenCode => &opencode::WATCH,
        Harness::CursorCli => &cursor_cli::WATCH,
        // `Harness` may grow before this crate knows the newcomer's files.
        _ => &common::NO_WATCH,
    }
}

/// The files that are looked at for a harness, in the order in which its program reads them.
#[must_use]
pub fn watched(harness: Harness) -> &'static [Watched] {
    watch(harness).files
}

/// The checks of a harness, those of any harness last.
pub fn checks(harness: Harness) -> impl Iterator<Item = &'static Check> {
    watch(harness).checks.iter().chain(common::CHECKS)
}

//! What on a device undoes the managed settings.
//!
//! A [`Context`] holds the managed settings of one harness; the checks of that harness judge it, the
//! user's and a repository's files, and the environment. All of that is pure: bytes in,
//! [`Finding`]s out. What cannot be judged is [`Unknown`], which is never "fine".

pub(crate) mod check;
mod comments;
pub(crate) mod common;
mod context;
mod front_matter;
pub(crate) mod hosts;
pub(crate) mod input;
pub(crate) mod keys;
mod obstacle;
pub(crate) mod outside;
pub(crate) mod parse;
pub(crate) mod path;
pub(crate) mod place;
mod report;
pub(crate) mod summary;
mod unknown;
pub(crate) mod value;

#[cfg(feature = "device")]
mod device;
#[cfg(feature = "device")]
mod disk;

pub use check::{Check, Finding, Severity, Weakens};
pub use context::Context;
#[cfg(feature = "device")]
pub use device::{Comparison, Device, DeviceError, Expected, HarnessPosture};
pub use obstacle::Obstacle;
pub use place::Watched;
pub use report::{DeviceReport, Entry, EntryError, is_compliant};
pub use summary::{EgressState, SandboxState, Summary, Unlisted};
pub use unknown::Unknown;

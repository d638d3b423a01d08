#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

extern crate alloc;

mod adapter;
mod adapters;
mod capability;
mod clause;
mod enforcement;
mod fact;
mod file;
mod format;
mod ledger;
mod lock;
mod opening;
mod pin;
mod posture;
mod registry;
mod render;
mod request;
mod statement;
mod target;
mod way;

pub use capability::{Capability, Feature, Level};
pub use clause::{Channel, Clause};
pub use enforcement::{Enforcer, HostEnforcement, enforcement};
pub use fact::{Evidence, Fact};
pub use file::ManagedFile;
pub use ledger::{Ledger, Row, Warning};
pub use opening::{Opening, openings};
pub use pin::{PinProblem, pin_problems};
pub use posture::{
    Check, Context, DeviceReport, EgressState, Entry, EntryError, Finding, Obstacle, SandboxState,
    Severity, Summary, Unknown, Unlisted, Watched, Weakens, is_compliant,
};
#[cfg(feature = "device")]
pub use posture::{Comparison, Device, DeviceError, Expected, HarnessPosture};
pub use registry::{capability, checks, facts, verified, watched};
pub use render::{RenderError, Rendering, render};
pub use statement::State;
pub use target::{Hardening, Os, Target};
pub use way::Residual;

#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

extern crate alloc;

mod capability;
mod clause;
mod enforcement;
mod fact;
mod format;
mod harness;
mod ledger;
mod opening;
mod pin;
mod posture;
mod render;
mod request;
mod target;

pub use capability::{Capability, Feature, Level};
pub use clause::{Channel, Clause};
pub use enforcement::{Enforcer, HostEnforcement, enforcement};
pub use fact::{Evidence, Fact};
pub use harness::{capability, facts, verified};
pub use ledger::{Ledger, Residual, Row, State, Warning};
pub use opening::{Opening, openings};
pub use pin::{PinProblem, pin_problems};
pub use posture::{
    Check, Context, DeviceReport, EgressState, Entry, EntryError, Finding, Obstacle, SandboxState,
    Severity, Summary, Unknown, Unlisted, Watched, Weakens, checks, is_compliant, watched,
};
#[cfg(feature = "device")]
pub use posture::{Comparison, Device, DeviceError, Expected, HarnessPosture};
pub use render::{ManagedFile, RenderError, Rendering, render};
pub use target::{Hardening, Os, Target};

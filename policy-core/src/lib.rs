//! Policies.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod class;
mod decision;
mod egress;
mod host;
mod pattern;
mod refusal;
mod set;
mod suggestion;

pub use class::Class;
pub use decision::{Decision, Rule, Verdict};
pub use egress::{Egress, EgressBuilder, EgressError, Source};
pub use egress_preset::Preset;
pub use host::Host;
pub use pattern::{Pattern, PatternRef};
pub use refusal::{HostError, PatternError};
pub use set::PatternSet;

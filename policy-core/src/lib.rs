//! Policies.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod class;
mod compare;
mod decision;
mod egress;
mod host;
mod pattern;
mod set;

pub use class::Class;
pub use compare::{HostWitness, witnesses};
pub use decision::{Decision, Rule, Verdict};
pub use egress::{Egress, EgressBuilder, EgressError, Source};
pub use egress_preset::Preset;
pub use host::{Host, HostError};
pub use pattern::{Pattern, PatternError, PatternRef};
pub use set::PatternSet;

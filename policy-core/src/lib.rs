//! Policies.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod class;
mod compare;
mod decision;
#[cfg(feature = "repository")]
mod document;
mod egress;
#[cfg(feature = "repository")]
mod finding;
mod harness;
mod host;
mod pattern;
#[cfg(feature = "repository")]
mod quote;
#[cfg(feature = "repository")]
mod report;
mod set;
#[cfg(feature = "repository")]
mod yaml;

pub use class::Class;
pub use compare::{HostWitness, witnesses};
pub use decision::{Decision, Rule, Verdict};
pub use egress::{Egress, EgressBuilder, EgressError, Source};
pub use egress_preset::Preset;
#[cfg(feature = "repository")]
pub use finding::{Code, Finding, Position, Severity};
pub use harness::Harness;
pub use host::{Host, HostError};
pub use pattern::{Pattern, PatternError, PatternRef};
pub use set::PatternSet;

//! Policies.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod class;
mod compare;
mod compiled;
mod decision;
#[cfg(feature = "repository")]
mod document;
mod egress;
#[cfg(feature = "repository")]
mod finding;
mod harness;
mod host;
mod image;
#[cfg(feature = "repository")]
mod layer;
#[cfg(feature = "repository")]
mod lint;
mod name;
#[cfg(feature = "repository")]
mod organisation;
#[cfg(feature = "repository")]
mod overlay;
mod path;
mod pattern;
mod policy;
mod quote;
mod refusal;
#[cfg(feature = "repository")]
mod repo;
#[cfg(feature = "repository")]
mod report;
mod sandbox;
mod set;
mod suggestion;
#[cfg(feature = "repository")]
mod validate;
#[cfg(feature = "repository")]
mod yaml;

pub use class::Class;
pub use compare::{HostWitness, witnesses};
pub use compiled::CompiledEgress;
pub use decision::{Decision, Rule, Verdict};
pub use egress::{Egress, EgressBuilder, EgressError, Source};
pub use egress_preset::Preset;
#[cfg(feature = "repository")]
pub use finding::{Code, Finding, Position, Severity};
pub use harness::Harness;
pub use host::Host;
pub use image::ImageError;
#[cfg(feature = "repository")]
pub use organisation::{Organisation, Posture, Ring, SelectError, Selection};
pub use path::{FilePath, PathAnchor, PathError, ProtectedPath, WritableRoot};
pub use pattern::{Pattern, PatternRef};
pub use policy::{Policy, PolicyError, Wider, WiderKind};
#[cfg(feature = "repository")]
pub use quote::quoted;
pub use refusal::{HostError, PatternError};
#[cfg(feature = "repository")]
pub use repo::Repository;
pub use sandbox::{Access, Mode, Overlap, Sandbox, SandboxError, SandboxWitness};
pub use set::PatternSet;
#[cfg(feature = "repository")]
pub use validate::Validation;

//! One policy says which hosts a coding agent may reach and what its shell may write, and every
//! answer names the rule that gave it.
//!
//! ```
//! use policy_core::{Egress, Host, Pattern, Preset};
//!
//! let egress = Egress::builder()
//!     .deny(Pattern::parse("pastebin.com")?)
//!     .allow(Pattern::parse("*.acme.example")?)
//!     .preset(Preset::Vcs)
//!     .build()?;
//!
//! let host = Host::parse("https://github.com@pastebin.com/raw/x")?;
//! let decision = egress.decide(&host);
//! assert!(!decision.is_allowed());
//! assert_eq!(decision.rule().to_string(), "egress.deniedDomains pastebin.com");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How a host is decided
//!
//! | | matches | then |
//! |---|---|---|
//! | 1 | an entry of `deniedDomains` | deny, always |
//! | 2 | an entry of `allowedDomains`, or a host of a preset | allow |
//! | 3 | nothing | `default`; unset, it is deny when anything is allowed, else allow |
//!
//! `github.com` is that host only; `*.github.com` is every name below it and never the name itself;
//! an address is that address only. Of several matches an exact pattern is named before a wildcard,
//! a longer wildcard before a shorter, `allowedDomains` before presets.
//!
//! # The way through the crate
//!
//! - A request's text becomes a [`Host`] or is refused with a [`HostError`]; who must answer denies.
//!   [`Egress::decide`] takes a `Host` and never a string.
//! - A directory of YAML becomes a [`Repository`], and [`Repository::validate`] is the only road
//!   from there: every [`Finding`] at once, and an [`Organisation`] when none is an error. Its
//!   [`select`](Organisation::select) gives the [`Policy`] of a ring, with a unit's overlays applied.
//! - A policy may be compared with another: [`Policy::is_within`] answers exactly, or with a host or
//!   path that one permits and the other does not.
//!
//! # Features
//!
//! `std` and `repository` are on by default. Without them the crate is the engine alone (hosts,
//! patterns, the decision, the sandbox, comparison), needs `alloc` and no standard library, and
//! decides the same.
//!
//! # What it is not
//!
//! It opens no connection and resolves no name: an allowed name may lead to any address, so whoever
//! dials checks the address as well, with [`Class::of_address`]. It has no rules for ports, paths or
//! methods, and no regular expressions.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]
// What needs no standard library says so.
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

mod advice;
mod class;
mod compare;
mod compiled;
mod decision;
mod egress;
mod harness;
mod host;
mod image;
mod name;
mod path;
mod pattern;
mod policy;
mod posture;
mod quote;
mod refusal;
#[cfg(feature = "repository")]
mod repository;
mod sandbox;
mod set;
mod suggestion;
mod unknown;

pub use class::Class;
pub use compare::{HostWitness, witnesses};
pub use compiled::CompiledEgress;
pub use decision::{Decision, Rule, Verdict};
pub use egress::{Egress, EgressBuilder, EgressError, Source};
pub use egress_preset::Preset;
pub use harness::Harness;
pub use host::Host;
pub use image::ImageError;
pub use path::{FilePath, PathAnchor, PathError, ProtectedPath, WritableRoot};
pub use pattern::{Pattern, PatternRef};
pub use policy::{Policy, PolicyError, Wider, WiderKind};
pub use posture::Posture;
pub use quote::{is_hidden, masked, masked_host, quoted, quoted_host};
pub use refusal::{HostError, PatternError};
#[cfg(feature = "repository")]
pub use repository::{
    Change, Code, Contribution, Difference, DifferenceKind, Explanation, Finding, Lost, Opposite,
    Organisation, Pin, Place, Position, Repinned, Repository, Ring, Role, Scope, SelectError,
    Selection, Severity, Validation, nearest,
};
pub use sandbox::{Access, Mode, Overlap, Sandbox, SandboxError, SandboxWitness};
pub use set::PatternSet;
pub use unknown::UnknownName;

//! Policies.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "repository")]
mod document;
#[cfg(feature = "repository")]
mod finding;
#[cfg(feature = "repository")]
mod harness;
#[cfg(feature = "repository")]
mod quote;
#[cfg(feature = "repository")]
mod repo;
#[cfg(feature = "repository")]
mod report;
#[cfg(feature = "repository")]
mod yaml;

#[cfg(feature = "repository")]
pub use finding::{Code, Finding, Position, Severity};
#[cfg(feature = "repository")]
pub use harness::Harness;
#[cfg(feature = "repository")]
pub use repo::Repository;

//! Policies.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod path;
mod sandbox;

pub use path::{FilePath, PathAnchor, PathError, ProtectedPath, WritableRoot};
pub use sandbox::{Access, Mode, Overlap, Sandbox, SandboxError, SandboxWitness};

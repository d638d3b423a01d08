//! Authored policies: from a directory of files to what they mean, every finding on the way, and why an answer is what it is.

mod document;
mod explain;
mod finding;
mod layer;
mod lint;
mod organisation;
mod overlay;
mod pin;
mod read;
mod report;
mod resolved;
mod validate;
mod yaml;

pub use document::nearest;
pub use explain::{Change, Contribution, Explanation, Lost, Opposite, Place};
pub use finding::{Code, Finding, Position, Severity};
pub use layer::Role;
pub use organisation::{
    Difference, DifferenceKind, Organisation, Repinned, Ring, Scope, SelectError, Selection,
};
pub use pin::Pin;
pub use read::Repository;
pub use validate::Validation;

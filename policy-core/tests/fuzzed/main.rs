//! What holds for any input whatever: laws that the fuzz targets assert, over the targets' corpora
//! and over generated inputs.
#![cfg(feature = "repository")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_alloc,
    reason = "a test says what must hold by unwrapping it, and has the standard library"
)]

mod comparison;
mod document;
mod draw;
mod image;
#[path = "../laws/mod.rs"]
mod laws;
mod replay;
#[expect(dead_code, reason = "shared with tests that write policies as texts")]
#[path = "../compare/rules.rs"]
mod rules;

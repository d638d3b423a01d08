//! What holds for any input whatever: laws that the fuzz targets assert, over the targets' corpora
//! and over generated inputs.
#![cfg(feature = "repository")]

#[cfg(test)]
mod comparison;
#[cfg(test)]
mod document;
#[cfg(test)]
mod draw;
#[cfg(test)]
mod image;
#[cfg(test)]
#[path = "../laws/mod.rs"]
mod laws;
#[cfg(test)]
mod replay;
#[cfg(test)]
#[expect(dead_code, reason = "shared with tests that write policies as texts")]
#[path = "../compare/rules.rs"]
mod rules;

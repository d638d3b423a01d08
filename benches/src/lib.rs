//! Criterion benches of the workspace, each beside its peers in the same run.

pub mod hello;

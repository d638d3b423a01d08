//! halo
#![forbid(unsafe_code)]
fn main() {}

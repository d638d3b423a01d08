//! What the benches share: inputs, rule lists, hosts that hit and miss them, and peers.
#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "a bench that cannot run says so"
)]

pub mod hello;
pub mod hosts;
pub mod measure;
pub mod peers;

//! What the benches share: inputs, rule lists, hosts that hit and miss them, and peers.

pub mod hello;
pub mod hosts;

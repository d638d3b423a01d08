//! What the benches share: rule lists, hosts that hit and miss them, and peers.

pub mod hosts;

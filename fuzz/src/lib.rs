//! The laws the targets assert, taken from where the ordinary tests keep them.

#![allow(dead_code, reason = "the ordinary tests use more of these modules than the targets do")]

// tls-sni.
#[path = "../../tls-sni/tests/hello/laws.rs"]
mod laws;
#[path = "../../tls-sni/tests/hello/peers.rs"]
mod peers;
#[path = "../../tls-sni/tests/hello/plan.rs"]
mod plan;
#[path = "../../tls-sni/tests/hello/reference.rs"]
mod reference;
#[path = "../../tls-sni/tests/hello/wire.rs"]
mod wire;

// harness-render.
#[path = "../../harness-render/tests/posture/law.rs"]
mod posture_law;

/// Any bytes.
pub fn hello(bytes: &[u8]) {
    laws::hello(bytes);
}

/// A well-formed hello drawn from the bytes, then spoiled.
pub fn hello_drawn(bytes: &[u8]) {
    plan::drawn_hellos_read_back(bytes);
}

/// What other implementations make of the bytes.
pub fn hello_peers(bytes: &[u8]) {
    peers::no_peer_reads_another_name(bytes);
}

/// The managed files and, after a NUL, everything else of a device.
pub fn posture(bytes: &[u8]) {
    posture_law::every_word_is_the_checks_own(bytes);
}

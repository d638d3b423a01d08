//! The laws the targets assert, taken from where the ordinary tests keep them.

#![allow(
    dead_code,
    reason = "the ordinary tests use more of these modules than the targets do"
)]

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

// policy-core.
#[path = "../../policy-core/tests/fuzzed/comparison.rs"]
mod comparison;
#[path = "../../policy-core/tests/fuzzed/document.rs"]
mod document;
#[path = "../../policy-core/tests/fuzzed/draw.rs"]
mod draw;
#[path = "../../policy-core/tests/fuzzed/image.rs"]
mod image;
#[path = "../../policy-core/tests/compare/rules.rs"]
mod rules;
#[path = "../../policy-core/tests/laws/mod.rs"]
mod texts;

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

/// A hello and what follows it.
pub fn hello_second(bytes: &[u8]) {
    laws::second_hello(bytes);
}

/// Any text as a host.
pub fn host(bytes: &[u8]) {
    texts::of_hosts(&String::from_utf8_lossy(bytes));
}

/// Any text as a pattern.
pub fn pattern(bytes: &[u8]) {
    texts::of_patterns(&String::from_utf8_lossy(bytes));
}

/// Any files as a policy repository.
pub fn document(bytes: &[u8]) {
    document::document(bytes);
}

/// A policy repository drawn from the bytes.
pub fn document_drawn(bytes: &[u8]) {
    document::drawn_document(bytes);
}

/// Policies and sandboxes drawn from the bytes, compared.
pub fn compare(bytes: &[u8]) {
    comparison::drawn_policies(bytes);
}

/// Any bytes as a compiled policy.
pub fn image(bytes: &[u8]) {
    image::image(bytes);
}

/// The compiled form of a policy drawn from the bytes, then spoiled.
pub fn image_drawn(bytes: &[u8]) {
    image::drawn_image(bytes);
}

/// The managed files and, after a NUL, everything else of a device.
pub fn posture(bytes: &[u8]) {
    posture_law::every_word_is_the_checks_own(bytes);
}

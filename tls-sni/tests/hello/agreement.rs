//! The samples, put to the peers.

use tls_sni::ClientHello;

use crate::material::{captures, vectors};
use crate::peers::{rustls, tls_parser};

/// The comparison is worth something only while the peers accept.
#[test]
fn the_peers_accept_most_captures() {
    let captures = captures();
    for peer in [rustls, tls_parser] {
        let accepted = captures
            .iter()
            .filter(|capture| peer(&capture.bytes).is_some())
            .count();
        assert!(accepted >= 55, "{accepted} of {}", captures.len());
    }
}

#[test]
fn every_allowed_disagreement_with_rustls_happens() {
    let vectors = vectors();
    let refused = vectors.iter().filter(|vector| {
        rustls(&vector.bytes).is_some() && ClientHello::parse(&vector.bytes).is_err()
    });
    let refused: Vec<&str> = refused.map(|vector| vector.id.as_str()).collect();
    assert_eq!(
        refused,
        [
            "rec-too-long",
            "sni-host-then-type1",
            "sni-name-short",
            "ext-count-500"
        ]
    );
}

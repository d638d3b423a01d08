//! The example decides as its documentation says.

use std::path::Path;

use embed::{connect, load};

#[test]
fn a_proxy_lets_through_what_the_ring_allows_and_nothing_else() {
    let acme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../acme");
    let policy = load(&acme, "ring3-ga").unwrap();
    for (target, allowed, line) in [
        (
            "github.com:443",
            true,
            "allow github.com by egress.presets vcs (github.com)",
        ),
        (
            "pastebin.com:443",
            false,
            "deny pastebin.com by egress.deniedDomains pastebin.com",
        ),
        (
            "x.github.com:443",
            false,
            "deny x.github.com by egress.default deny (implied)",
        ),
        (
            "[::1%25.github.com]:80",
            false,
            "deny: a zone id in an IPv6 address; write the address without `%` and what follows",
        ),
    ] {
        assert_eq!(
            connect(&policy, target),
            (allowed, line.to_owned()),
            "{target}"
        );
    }
}

#[test]
fn an_invalid_repository_and_an_unknown_ring_yield_no_policy() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(load(&here.join("no-such-directory"), "ring3-ga").is_err());
    let error = load(&here.join("../acme"), "ring3-gb").unwrap_err();
    assert_eq!(
        error,
        "there is no ring `ring3-gb`, did you mean `ring3-ga`?"
    );
}

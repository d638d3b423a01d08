//! What patterns match and cover, by table and by complete enumeration.
#![expect(
    clippy::unwrap_used,
    reason = "a test says what must hold by unwrapping it, and has the standard library"
)]

use std::net::IpAddr;

use policy_core::{Host, Pattern, PatternRef};

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

fn host(text: &str) -> Host {
    Host::parse(text).unwrap()
}

#[test]
fn a_pattern_matches_whole_labels_of_canonical_hosts() {
    for (rule, input, matches) in [
        ("github.com", "github.com", true),
        ("github.com", "GitHub.com.", true),
        ("github.com", "https://u@github.com:443/x", true),
        ("github.com", "x.github.com", false),
        ("github.com", "notgithub.com", false),
        ("github.com", "github.com.evil.example", false),
        ("github.com", "github.co", false),
        ("*.github.com", "x.github.com", true),
        ("*.github.com", "y.x.github.com", true),
        ("*.github.com", "_.github.com", true),
        ("*.github.com", "github.com", false),
        ("*.github.com", "xgithub.com", false),
        ("*.github.com", "notgithub.com", false),
        ("*.github.com", "x.github.com.evil.example", false),
        ("*.github.com", "github.com.github.com", true),
        ("*.com", "github.com", true),
        ("*.com", "com", false),
        ("xn--bcher-kva.example", "Bücher.example", true),
        ("*.xn--bcher-kva.example", "a.bücher.example", true),
        ("192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "[::ffff:192.0.2.1]:80", true),
        ("192.0.2.1", "192.0.2.1.example", false),
        ("192.0.2.1", "192.0.2.10", false),
        ("*.example", "192.0.2.1", false),
        ("::1", "[0:0:0:0:0:0:0:1]", true),
        ("::1", "::2", false),
        ("::7f00:1", "::127.0.0.1", true),
        ("127.0.0.1", "::127.0.0.1", false),
        ("127.0.0.1", "localhost", false),
    ] {
        assert_eq!(
            pattern(rule).matches(&host(input)),
            matches,
            "{rule} {input}"
        );
    }
}

#[test]
fn a_pattern_tells_its_parts() {
    let address = |text: &str| text.parse::<IpAddr>().ok();
    for (text, is_wildcard, base, address) in [
        ("github.com", false, Some("github.com"), None),
        ("*.github.com", true, Some("github.com"), None),
        ("192.0.2.1", false, None, address("192.0.2.1")),
        ("2001:db8::1", false, None, address("2001:db8::1")),
    ] {
        let owned = pattern(text);
        let borrowed: PatternRef<'_> = owned.as_ref();
        let parts = (owned.is_wildcard(), owned.base(), owned.address());
        assert_eq!(parts, (is_wildcard, base, address), "{text}");
        let parts = (borrowed.is_wildcard(), borrowed.base(), borrowed.address());
        assert_eq!(parts, (is_wildcard, base, address), "{text} borrowed");
        assert_eq!(owned, Pattern::from(borrowed), "{text} owned again");
        assert_eq!(
            format!("{owned} {owned:?} {borrowed} {borrowed:?}"),
            format!("{text} Pattern({text}) {text} Pattern({text})")
        );
    }
}

/// Every name of up to `depth` labels of `alphabet`.
fn names(alphabet: &[&str], depth: usize) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut level = vec![String::new()];
    for _ in 0..depth {
        level = level
            .iter()
            .flat_map(|base| alphabet.iter().map(move |label| format!("{label}.{base}")))
            .collect();
        all.extend(
            level
                .iter()
                .map(|name| name.trim_end_matches('.').to_string()),
        );
    }
    all
}

#[test]
fn covers_agrees_with_enumeration() {
    let mut patterns: Vec<_> = names(&["a", "b"], 3)
        .iter()
        .flat_map(|name| [pattern(name), pattern(&format!("*.{name}"))])
        .collect();
    patterns.extend(["192.0.2.1", "192.0.2.2", "::1"].map(pattern));
    // One label deeper than any pattern, and one letter that none has.
    let mut hosts: Vec<_> = names(&["a", "b", "c"], 4)
        .iter()
        .map(|name| host(name))
        .collect();
    hosts.extend(["192.0.2.1", "192.0.2.2", "192.0.2.3", "::1"].map(host));
    let matched: Vec<Vec<bool>> = patterns
        .iter()
        .map(|pattern| hosts.iter().map(|host| pattern.matches(host)).collect())
        .collect();
    for (wide, by_wide) in patterns.iter().zip(&matched) {
        for (narrow, by_narrow) in patterns.iter().zip(&matched) {
            let all = by_narrow
                .iter()
                .zip(by_wide)
                .all(|(narrow, wide)| !narrow || *wide);
            assert_eq!(wide.covers(narrow), all, "{wide} {narrow}");
        }
    }
}

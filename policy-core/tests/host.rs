//! Hosts and patterns as texts: the laws on any text, and every refusal with its words.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::std_instead_of_alloc,
    reason = "a test says what must hold by unwrapping it, and has the standard library"
)]

mod laws;

use std::collections::BTreeSet;

use policy_core::{Host, HostError, Pattern, PatternError};
use proptest::prelude::*;

/// Pieces of hosts, URLs, globs and attacks, so that random texts come near what is read.
const PIECES: &[&str] = &[
    "a",
    "b",
    "A",
    "1",
    "0x7f",
    "127.0.0.1",
    "github",
    "com",
    "example",
    ".",
    "..",
    "-",
    "_",
    "*",
    "*.",
    "**",
    ":",
    "443",
    "://",
    "http",
    "https",
    "ssh",
    "git",
    "file",
    "/",
    "//",
    "\\",
    "?",
    "#",
    "@",
    "@[",
    "%",
    "%40",
    "%2f",
    "[",
    "]",
    "::",
    "::1",
    "ffff",
    "{",
    "}",
    "^",
    "+",
    "!",
    ",",
    " ",
    "\t",
    "\n",
    "\0",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "ü",
    "Ü",
    "ß",
    "ς",
    "א",
    "١",
    "\u{301}",
    "\u{ad}",
    "\u{200d}",
    "\u{1806}",
    "\u{13a0}",
    "。",
    "ａ",
    "K",
    "xn--",
    "xn--bcher-kva",
    "xn--fa-hia",
    "xn--a",
];

fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..8);
    prop_oneof![
        any::<String>(),
        pieces.prop_map(|pieces| pieces.concat()),
        prop::collection::vec(any::<u8>(), 0..64)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn every_text_is_one_host_or_a_refusal_with_a_remedy(text in texts()) {
        laws::of_hosts(&text);
    }

    #[test]
    fn every_text_is_one_pattern_or_a_refusal_with_a_remedy(text in texts()) {
        laws::of_patterns(&text);
    }
}

#[test]
fn the_laws_hold_for_every_short_text_of_pieces() {
    for first in PIECES {
        for second in PIECES {
            let text = format!("{first}{second}");
            laws::of_hosts(&text);
            laws::of_patterns(&text);
            laws::of_hosts(&format!("https://{text}"));
            laws::of_hosts(&format!("ssh://{text}"));
            laws::of_patterns(&format!("{text}.example"));
        }
    }
}

#[test]
fn white_space_and_control_characters_are_refused_at_every_place() {
    let texts = [
        "github.com",
        "github.com:443",
        "[::1]:443",
        "127.0.0.1",
        "https://user@github.com:443/path?query#fragment",
        "bücher.example",
    ];
    let controls = (0..=0x20).chain([0x7f]).map(char::from);
    for control in controls {
        for text in texts {
            let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            for at in places {
                let (before, after) = text.split_at(at);
                let text = format!("{before}{control}{after}");
                assert_eq!(Host::parse(&text), Err(HostError::Control), "{text:?}");
                assert!(Pattern::parse(&text).is_err(), "{text:?}");
            }
        }
    }
}

#[test]
fn a_percent_sign_in_the_host_is_refused_at_every_place() {
    for text in ["github.com", "127.0.0.1", "xn--bcher-kva.example", "[::1]"] {
        for at in 0..=text.len() {
            let (before, after) = text.split_at(at);
            for prefix in ["", "https://", "https://u:%2f@", "ssh://"] {
                let text = format!("{prefix}{before}%2e{after}");
                assert!(Host::parse(&text).is_err(), "{text}");
            }
        }
    }
}

/// Quadratic work on any of these would take the better part of an hour.
#[test]
fn half_a_megabyte_of_anything_is_read_or_refused() {
    const SIZE: usize = 1 << 19;
    for (before, piece) in [
        ("", "a"),
        ("", "a."),
        ("", "."),
        ("", "1."),
        ("", "@"),
        ("", ":"),
        ("", "%"),
        ("", "["),
        ("", "\\"),
        ("", "*."),
        ("", "*"),
        ("", "{"),
        ("", "ü"),
        ("", "ü."),
        ("", "xn--a."),
        ("", "xn--bcher-kva."),
        ("xn--", "a"),
        ("", "://"),
        ("[", "0:"),
        ("git@github.com:", "/"),
        ("https://", "u:"),
        ("https://", "a@"),
        ("https://github.com/", "../"),
        ("https://github.com/", "ü"),
        ("https://github.com:", "0"),
        ("ssh://github.com/", "%4"),
        ("github.com/", "x/"),
        ("10.0.0.0/", "8"),
    ] {
        let text = format!("{before}{}", piece.repeat(SIZE / piece.len()));
        if let Err(error) = Host::parse(&text) {
            assert!(error.help(&text).len() < 100, "{before}{piece}…");
        }
        let error = Pattern::parse(&text).unwrap_err();
        assert!(error.help(&text).len() < 100, "{before}{piece}…");
    }
}

/// A text for every refusal, with the message and the help that people get.
#[test]
fn every_refusal_of_a_host_says_what_is_wrong_and_what_to_write() {
    use HostError::*;
    let long_label = format!("{}.example", "a".repeat(64));
    let long_name = "a.".repeat(127) + "a";
    let mut seen = BTreeSet::new();
    for (input, error, message, help) in [
        (
            "",
            Empty,
            "there is no host",
            "write a host such as `github.com`",
        ),
        (
            "git hub.com",
            Control,
            "white space or a control character",
            "ask about one host or URL at a time, and nothing around it",
        ),
        (
            "data:text/plain,x",
            Scheme,
            "a scheme without `//`, or one whose clients may go to another host",
            "ask about the host itself",
        ),
        (
            "redis://github.com/0@evil.example",
            Scheme,
            "a scheme without `//`, or one whose clients may go to another host",
            "ask about the host itself",
        ),
        (
            "https:/github.com/x",
            Scheme,
            "a scheme without `//`, or one whose clients may go to another host",
            "write `https://github.com/x`",
        ),
        (
            "github.com/o/r",
            NotAHost,
            "a path or query without a scheme is no host",
            "write `https://github.com/o/r`",
        ),
        (
            "/o/r",
            NotAHost,
            "a path or query without a scheme is no host",
            "write `https://` before it, or the host alone",
        ),
        (
            "https://github.com\\x",
            Backslash,
            "a backslash, which clients read in different ways",
            "write `/`",
        ),
        (
            "https://a@b@github.com",
            SeveralAt,
            "several `@`, which clients read in different ways",
            "ask about the host itself",
        ),
        (
            "https://{a}@github.com",
            Userinfo,
            "userinfo with characters that clients read in different ways",
            "write `github.com`",
        ),
        (
            "git@github.com:o/r",
            UserinfoWithoutScheme,
            "userinfo without a scheme",
            "write `ssh://git@github.com/o/r`",
        ),
        (
            "git@github.com",
            UserinfoWithoutScheme,
            "userinfo without a scheme",
            "write `ssh://git@github.com/`",
        ),
        (
            "user:password@github.com",
            UserinfoWithoutScheme,
            "userinfo without a scheme",
            "write `github.com`",
        ),
        (
            "user@",
            UserinfoWithoutScheme,
            "userinfo without a scheme",
            "write the host alone, or `ssh://user@host/path`",
        ),
        (
            "github.com:0443",
            Port,
            "the port is not a number from 1 to 65535 in plain digits",
            "write a port from 1 to 65535 without leading zeros, or none",
        ),
        (
            "git+ssh://git@github.com:npm/cli.git",
            Port,
            "the port is not a number from 1 to 65535 in plain digits",
            "write `git+ssh://git@github.com/npm/cli.git`",
        ),
        (
            "%67ithub.com",
            Percent,
            "a `%` in the host, which some clients decode",
            "write the characters themselves",
        ),
        (
            "fe80::1%eth0",
            ZoneId,
            "a zone id in an IPv6 address",
            "write the address without `%` and what follows",
        ),
        (
            "[github.com]",
            Ipv6,
            "not an IPv6 address",
            "write a full IPv6 address, in brackets when a port follows",
        ),
        (
            "127.1",
            NumericLastLabel,
            "a number where a name or a plain IPv4 address belongs",
            "write an IPv4 address as four decimal numbers without leading zeros",
        ),
        (
            "github..com",
            EmptyLabel,
            "an empty label",
            "write one dot between labels and at most one at the end",
        ),
        (
            &long_label,
            LabelTooLong,
            "a label over 63 bytes",
            "labels are at most 63 bytes",
        ),
        (
            &long_name,
            TooLong,
            "a name over 253 bytes",
            "names are at most 253 bytes",
        ),
        (
            "github,com",
            Character,
            "a character that no host name has",
            "host names are letters, digits, `-`, `_` and `.`",
        ),
        (
            "\u{301}a.example",
            Idn,
            "a label that is not valid in an internationalised name",
            "write the A-label of a registered name",
        ),
        (
            "BÜCHER.example",
            Mapped,
            "characters that clients replace or drop before they look the name up",
            "write `bücher.example`",
        ),
        // A look-alike of an ASCII name is not what anyone meant.
        (
            "\u{212a}.example",
            Mapped,
            "characters that clients replace or drop before they look the name up",
            "write the name in lower case, or its A-label",
        ),
        (
            "faß.example",
            Deviation,
            "a character that IDNA2003 and IDNA2008 clients read differently",
            "write the A-label (`xn--…`) of the name that is meant",
        ),
        (
            "xn--a",
            ALabel,
            "an `xn--` label that is no valid A-label",
            "write the A-label of a registered name",
        ),
        (
            "ssh://github.com?@evil.example/x",
            Ambiguous,
            "URL parsers do not agree on the host",
            "ask about the host itself",
        ),
        (
            "http://github.com?@evil.example/x",
            Ambiguous,
            "URL parsers do not agree on the host",
            "write `http://github.com/?…`",
        ),
        (
            "https://u%40evil.example:443@github.com/",
            Ambiguous,
            "URL parsers do not agree on the host",
            "write `github.com`",
        ),
    ] {
        assert_eq!(Host::parse(input), Err(error), "{input}");
        assert_eq!(error.to_string(), message, "{input}");
        assert_eq!(error.help(input), help, "{input}");
        seen.insert(error.code());
    }
    let all: BTreeSet<_> = HostError::ALL.iter().map(|error| error.code()).collect();
    assert_eq!(seen, all);
}

/// As above; `conformance/patterns.tsv` has the suggestions.
#[test]
fn every_refusal_of_a_pattern_says_what_is_wrong_and_what_such_a_text_needs() {
    use PatternError::*;
    let shared = "write each host: `*.` before the name they share names all that is below it";
    let mut seen = BTreeSet::new();
    for (error, message, remedy) in [
        (
            Empty,
            "there is no host",
            "write a host such as `github.com`",
        ),
        (
            Control,
            "a control character",
            "type the entry anew: what is left without it may be another host",
        ),
        (
            WhiteSpace,
            "white space",
            "one entry names one host: write each as an entry of its own",
        ),
        (
            NonAscii,
            "characters beyond ASCII",
            "write the A-label (`xn--…`) of the name",
        ),
        (UpperCase, "an upper-case letter", "write it in lower case"),
        (Scheme, "a scheme", "write the host alone"),
        (Userinfo, "userinfo", "write the host alone"),
        (
            Port,
            "a port",
            "write the host alone: a rule covers every port",
        ),
        (
            Path,
            "a path",
            "write the host alone: a rule covers every path",
        ),
        (Query, "a query", "write the host alone"),
        (QuestionMark, "a `?`, which is no wildcard here", shared),
        (
            Percent,
            "a `%`",
            "write the characters themselves, and an address without its zone",
        ),
        (
            Brackets,
            "brackets around an address",
            "write the address without brackets",
        ),
        (Regex, "characters of a glob or regular expression", shared),
        (
            BareWildcard,
            "a bare `*` allows or denies everything",
            "remove it and write `default: allow` or `default: deny`",
        ),
        (
            DoubleWildcard,
            "a `**`",
            "write the name, and `*.` before it for the names below it at any depth",
        ),
        (
            WildcardPosition,
            "a `*` that is not the whole first label",
            "write each host: `*.` before a name names all that is below it",
        ),
        (
            WildcardAddress,
            "a wildcard before an address",
            "nothing is below an address: write the address alone if it is meant",
        ),
        (Cidr, "an address range", "write each address"),
        (TrailingDot, "a dot at the end", "write it without the dot"),
        (
            LeadingDot,
            "a dot at the beginning",
            "write the name, and `*.` before it for the names below it",
        ),
        (EmptyLabel, "an empty label", "write one dot between labels"),
        (
            LabelTooLong,
            "a label over 63 bytes",
            "no such name exists; labels are at most 63 bytes",
        ),
        (
            TooLong,
            "a name over 253 bytes",
            "no such name exists; names are at most 253 bytes",
        ),
        (
            NumericLastLabel,
            "a number where a name or a plain IPv4 address belongs",
            "write an IPv4 address as four decimal numbers without leading zeros",
        ),
        (
            MappedAddress,
            "an IPv4-mapped IPv6 address",
            "write the IPv4 address",
        ),
        (
            Ipv6,
            "not an IPv6 address",
            "write a full IPv6 address without brackets, port or zone",
        ),
        (
            Ipv6Spelling,
            "an IPv6 address that is not in RFC 5952 form",
            "write it in RFC 5952 form",
        ),
        (
            ALabel,
            "an `xn--` label that is no valid A-label",
            "write the A-label of a registered name",
        ),
        (
            Character,
            "a character that no host name has",
            "host names are letters, digits, `-`, `_` and `.`",
        ),
    ] {
        assert_eq!(error.to_string(), message);
        assert_eq!(error.help(""), remedy, "{error:?}");
        seen.insert(error.code());
    }
    let all: BTreeSet<_> = PatternError::ALL.iter().map(|error| error.code()).collect();
    assert_eq!(seen, all);
}

/// What is written where a refused text may have it, by the text and by the spelling to write.
#[test]
fn spellings_are_suggested_without_what_may_be_a_secret() {
    for (input, help) in [
        (
            "ssh://git@github.com:o/r",
            "write `ssh://git@github.com/o/r`",
        ),
        (
            "git+ssh://git@github.com:npm/cli.git#v1",
            "write `git+ssh://git@github.com/npm/cli.git#…`",
        ),
        ("ssh://alice@github.com:o/r", "write `github.com`"),
        (
            "git://git@github.com:o/r",
            "write `git://git@github.com/o/r`",
        ),
        (
            "git@github.com:o/r?token",
            "write `ssh://git@github.com/o/r?…`",
        ),
        ("token@github.com", "write `github.com`"),
        ("https:/u:a@token@localhost", "ask about the host itself"),
        ("token@github.com:o/r", "write `github.com`"),
        ("token@[::1]:22", "write `::1`"),
        ("a:b@github.com/x", "write `github.com`"),
        ("github.com?token", "write `https://github.com/?…`"),
        ("github.com/x?token", "write `https://github.com/x?…`"),
        ("github.com/#token", "write `https://github.com/#…`"),
        (
            "https:/u:token@github.com/x?token",
            "write `https://github.com/x?…`",
        ),
        ("https:github.com?token", "write `https://github.com/?…`"),
        ("https://github.com?a.b", "write `https://github.com/?…`"),
        ("https://github.com#a.b", "write `https://github.com/#…`"),
        (
            "https://u:token@github.com?a.b",
            "write `https://github.com/?…`",
        ),
        (
            "http://github.com#@evil.example/x",
            "write `http://github.com/#…`",
        ),
        ("https://[::1]?@evil.example", "write `https://[::1]/?…`"),
        ("https://evil.example:@github.com/", "write `github.com`"),
        (
            "http://evil.example%2f@GitHub.com:80/x",
            "write `github.com`",
        ),
        ("https://u^token@github.com/x", "write `github.com`"),
        (
            "https://u:token@B\u{dc}cher.example/?token",
            "write `b\u{fc}cher.example`",
        ),
        // Where a secret cannot be told from a host or a path, none is named.
        ("https://token?@github.com/", "ask about the host itself"),
        (
            "https://u{@github.com/,@evil.example/}x",
            "ask about the host itself",
        ),
        ("ssh://github.com:token/r", "write `github.com`"),
        (
            "ssh://alice:token/r",
            "write a port from 1 to 65535 without leading zeros, or none",
        ),
        ("scp://github.com:o/x", "write `github.com`"),
        (
            "git+ssh://git@github.com:cli.git",
            "write `git+ssh://git@github.com/cli.git`",
        ),
        (
            "git+ssh://git@[::1]:npm/cli.git",
            "write `git+ssh://git@[::1]/npm/cli.git`",
        ),
        (
            "ssh://git@github.com:22:o/r",
            "write `ssh://git@github.com:22/o/r`",
        ),
        ("github.com:o/r", "write `github.com`"),
        ("alice:token/x", "ask about the host itself"),
        ("//cdn.example.com/x", "write `https://cdn.example.com/x`"),
        (
            "https:////cdn.example.com/x?token",
            "write `https://cdn.example.com/x?…`",
        ),
        // What a shell, a mail or a paper put around it.
        (
            "'https://pastebin.com/raw/x?token'",
            "write `https://pastebin.com/raw/x?…`",
        ),
        ("\"pastebin.com\"", "write `pastebin.com`"),
        (
            "<https://u:token@pastebin.com/>",
            "write `https://pastebin.com/`",
        ),
        ("'git@github.com:o/r'", "write `ssh://git@github.com/o/r`"),
        // Servers, unless something may name another one.
        ("redis://cache.example:6379/0", "write `cache.example`"),
        ("postgres://db.example/app", "write `db.example`"),
        ("redis://cache.example/0@token", "ask about the host itself"),
        (
            "postgres://db.example/app?host=token",
            "ask about the host itself",
        ),
        (
            "postgres://alice:token@db.example/app",
            "ask about the host itself",
        ),
        ("s3://bucket.example/key", "ask about the host itself"),
        (
            "ssh://git@github.com:0443/r",
            "write a port from 1 to 65535 without leading zeros, or none",
        ),
        (
            "https://alice:token/x",
            "write a port from 1 to 65535 without leading zeros, or none",
        ),
        // What the message hides, the help does not show.
        (
            "good.test/p%3fSECRET",
            "write `https://` before it, or the host alone",
        ),
        (
            "git@u:SECRET#x@good.test",
            "write the host alone, or `ssh://user@host/path`",
        ),
        (
            "SECRET#x@good.test",
            "write `https://` before it, or the host alone",
        ),
    ] {
        let error = Host::parse(input).unwrap_err();
        assert_eq!(error.help(input), help, "{input}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// A secret in any place where one may stand, in texts that are refused for any reason.
    #[test]
    fn a_secret_is_never_repeated(
        before in "(|https?://|ssh://|redis://|https:/?|//|git::https://|x|\\*://|\\|https://|curl https://|git clone https://|https;//)",
        userinfo in "(|SECRET@|u:SECRET@|SECRET:@|SECRET:x@|u:a[/?#@:.]SECRET@|u%40@|git@|u:a[=&]SECRET@|u=SECRET@)",
        host in "(127\\.1|a\\.example|github\\.com|\\[::1\\]|\\[|B\u{dc}\\.example|a%2fb|localhost)",
        port in "(|:443|:0|:SECRET|:1SECRET|:x:SECRET)",
        path in "(|/|/x|/x/y|:o/r)",
        rest in "(|&SECRET|=SECRET|;id=SECRET|/;id=SECRET|&t=SECRET|\\|t=SECRET|%3dSECRET|%3fSECRET|%3FSECRET|%23SECRET|\\?SECRET|\\?t=SECRET|#SECRET|\\?a=b#SECRET|\\?@SECRET|\\?SECRET@evil\\.example/x|#\\.SECRET/|\u{ff1f}SECRET)",
    ) {
        // What follows the colon of `git@github.com:o/r` is a path.
        prop_assume!(userinfo != "git@" || !port.contains("SECRET"));
        let input = format!("{before}{userinfo}{host}{port}{path}{rest}");
        prop_assert!(!policy_core::masked_host(&input).contains("SECRET"), "{input}");
        prop_assert!(!policy_core::quoted_host(&input).contains("SECRET"), "{input}");
        if let Err(error) = Host::parse(&input) {
            let help = error.help(&input).to_ascii_uppercase();
            prop_assert!(!help.contains("SECRET"), "{input}: {help}");
        }
        if let Err(error) = Pattern::parse(&input) {
            let help = error.help(&input).to_ascii_uppercase();
            prop_assert!(!help.contains("SECRET"), "{input}: {help}");
        }
    }
}

#[test]
fn a_host_is_shown_to_people_and_to_programmers() {
    for (input, unicode, debug) in [
        ("GitHub.com", "github.com", "Host(github.com)"),
        (
            "bücher.example",
            "bücher.example",
            "Host(xn--bcher-kva.example)",
        ),
        ("192.0.2.1", "192.0.2.1", "Host(192.0.2.1)"),
        ("[2001:db8::1]:443", "2001:db8::1", "Host(2001:db8::1)"),
    ] {
        let host = Host::parse(input).unwrap();
        assert_eq!(host.to_unicode(), unicode, "{input}");
        assert_eq!(format!("{host:?}"), debug, "{input}");
    }
}

/// A host, and a text that reads as the same host without being its canonical spelling.
const SPELLINGS: &[(&str, &str)] = &[
    ("github.com", "GitHub.com"),
    ("github.com", "github.com."),
    ("github.com", "https://github.com/x"),
    ("xn--bcher-kva.example", "bücher.example"),
    ("127.0.0.1", "[::ffff:127.0.0.1]"),
    ("::1", "0:0::1"),
    ("::1", "[::1]"),
    ("2001:db8::a", "2001:DB8::A"),
];

#[test]
fn a_host_equals_its_canonical_spelling_and_no_other() {
    for (canonical, other) in SPELLINGS {
        let host = Host::try_from(*other).unwrap();
        assert_eq!(host, *canonical);
        assert_eq!(host, **canonical);
        assert_ne!(host, *other);
        assert_eq!(Host::parse(canonical), Ok(host));
    }
    assert_eq!(Host::try_from("a b"), Err(HostError::Control));
}

//! The compiled form: the same answers, the same bytes, and no wrong answer from wrong bytes.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what must hold by unwrapping it"
)]

use policy_core::{CompiledEgress, Egress, Host, ImageError, Pattern, Preset, Verdict};
use proptest::prelude::*;
use proptest::sample::select;

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

fn host(text: &str) -> Host {
    Host::parse(text).unwrap()
}

fn egress<'t>(denied: &[&'t str], allowed: impl IntoIterator<Item = &'t str>) -> Egress {
    let builder = denied.iter().fold(Egress::builder(), |builder, text| {
        builder.deny(pattern(text))
    });
    let allowed = allowed.into_iter();
    let builder = allowed.fold(builder, |builder, text| builder.allow(pattern(text)));
    builder.build().unwrap()
}

/// A policy with an entry in every part of its image.
fn small() -> Egress {
    let long = format!("{}.acme.example", "l".repeat(63));
    let builder = Egress::builder()
        .deny(pattern("paste.acme.example"))
        .allow(pattern("*.acme.example"))
        .allow(pattern(&long))
        .allow(pattern("192.0.2.1"))
        .allow(pattern("2001:db8::1"))
        .preset(Preset::Vcs);
    builder.build().unwrap()
}

fn hosts_of_small() -> Vec<Host> {
    let long = format!("{}.acme.example", "l".repeat(63));
    let names = [
        "acme.example",
        "x.acme.example",
        "paste.acme.example",
        "x.paste.acme.example",
        "github.com",
        "x.github.com",
        "x.githubusercontent.com",
        "192.0.2.1",
        "192.0.2.2",
        "2001:db8::1",
        "example",
        &long,
    ];
    names.into_iter().map(host).collect()
}

#[test]
fn bytes_decide_like_the_policy() {
    let egress = small();
    let bytes = egress.to_bytes();
    let compiled = CompiledEgress::open(&bytes).unwrap();
    let read = Egress::from_bytes(&bytes).unwrap();
    assert_eq!(read, egress);
    assert_eq!(read.to_bytes(), bytes);
    for host in hosts_of_small() {
        assert_eq!(compiled.decide(&host), egress.decide(&host), "{host}");
        assert_eq!(read.decide(&host), egress.decide(&host), "{host}");
    }
}

#[test]
fn every_default_survives() {
    let builders = [
        Egress::builder(),
        Egress::builder().default_verdict(Verdict::Allow),
        Egress::builder().default_verdict(Verdict::Deny),
        Egress::builder().allow(pattern("acme.example")),
        Egress::builder()
            .allow(pattern("acme.example"))
            .default_verdict(Verdict::Deny),
    ];
    for builder in builders {
        let egress = builder.build().unwrap();
        let read = Egress::from_bytes(&egress.to_bytes()).unwrap();
        assert_eq!(read.default_rule(), egress.default_rule());
        assert_eq!(read, egress);
    }
}

#[test]
fn neither_order_nor_repetition_changes_the_bytes() {
    let texts = ["a.example", "*.a.example", "b.example", "192.0.2.1", "::1"];
    let once = egress(&["c.example"], texts).to_bytes();
    let backwards = egress(
        &["c.example", "c.example"],
        texts.into_iter().rev().chain(texts),
    );
    assert_eq!(backwards.to_bytes(), once);
}

/// Images that a system of 64 bits with little-endian bytes wrote; the tests run on others as well.
#[test]
fn every_system_writes_these_bytes_and_answers_from_them_alike() {
    let written: &[u8] = include_bytes!("../../fuzz/corpus/image/small");
    let texts = ["*.acme.example", "192.0.2.1", "b"];
    assert_eq!(egress(&["a.acme.example"], texts).to_bytes(), written);
    let compiled = CompiledEgress::open(written).unwrap();
    for (text, rule) in [
        ("x.acme.example", "egress.allowedDomains *.acme.example"),
        ("a.acme.example", "egress.deniedDomains a.acme.example"),
        ("192.0.2.1", "egress.allowedDomains 192.0.2.1"),
        ("b", "egress.allowedDomains b"),
        ("acme.example", "egress.default deny (implied)"),
    ] {
        assert_eq!(compiled.decide(&host(text)).rule().to_string(), rule);
    }
    // One with a preset, addresses, and names that no line of the table holds.
    let spilled: &[u8] = include_bytes!("../../fuzz/corpus/image/spilled");
    let read = Egress::from_bytes(spilled).unwrap();
    assert_eq!(read.to_bytes(), spilled);
}

#[test]
fn no_single_wrong_byte_is_verified() {
    let bytes = small().to_bytes();
    for at in 0..bytes.len() {
        for wrong in [0, 1, 0x40, 0x80, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x80] {
            let mut changed = bytes.clone();
            changed[at] = wrong;
            if changed == bytes {
                continue;
            }
            let error = Egress::from_bytes(&changed).unwrap_err();
            if at >= 72 {
                assert_eq!(error, ImageError::Checksum, "byte {at}");
            }
            // What was not verified may be wrong, but it is an answer.
            let opened = CompiledEgress::open(&changed).map(drop);
            assert_eq!(opened, Err(error), "byte {at}");
            if let Ok(compiled) = CompiledEgress::open_unverified(&changed) {
                assert_eq!(compiled.verify(), Err(error), "byte {at}");
                for host in hosts_of_small() {
                    let _ = compiled.decide(&host).rule().to_string();
                }
            }
        }
    }
}

#[test]
fn no_part_and_no_continuation_is_opened() {
    let bytes = small().to_bytes();
    for len in 0..bytes.len() {
        let part = CompiledEgress::open_unverified(&bytes[..len]);
        assert!(part.is_err(), "{len} bytes");
    }
    let mut longer = bytes;
    longer.push(0);
    assert_eq!(
        CompiledEgress::open_unverified(&longer).unwrap_err(),
        ImageError::Length
    );
}

/// The checksum of an image, as its format defines it.
fn seal(bytes: &mut [u8]) {
    let step = |sum: u64, word: u64| {
        (sum ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    };
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let mut lanes = [1, 2, 3, 4];
    let rows = bytes[72..].chunks_exact(32);
    let rest = rows.remainder();
    for row in rows {
        for (lane, bytes) in lanes.iter_mut().zip(row.chunks(8)) {
            *lane = step(*lane, word(bytes));
        }
    }
    let whole = rest.chunks_exact(8);
    let last = word(whole.remainder());
    let sum = bytes[..64].chunks(8).chain(whole).map(word).chain([last]);
    let sum = sum.fold(bytes.len() as u64, step);
    let sum = lanes.into_iter().fold(sum, step);
    bytes[64..72].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn bytes_that_no_policy_compiles_to_are_refused_under_a_right_checksum() {
    let bytes = small().to_bytes();
    let mut sealed = bytes.clone();
    seal(&mut sealed);
    assert_eq!(sealed, bytes, "the checksum here is the library's");
    for at in 72..bytes.len() {
        for bit in 0..8 {
            let mut forged = bytes.clone();
            forged[at] ^= 1 << bit;
            seal(&mut forged);
            // A forger may write another policy; what is read is then that policy, canonically.
            match Egress::from_bytes(&forged) {
                Ok(other) => assert_eq!(other.to_bytes(), forged, "byte {at}, bit {bit}"),
                Err(error) => assert_eq!(error, ImageError::Content, "byte {at}, bit {bit}"),
            }
        }
    }
}

#[test]
fn the_header_is_read_strictly() {
    let bytes = small().to_bytes();
    for (at, value, error) in [
        (0, b'h', ImageError::Magic),
        (8, 2, ImageError::Version),
        (9, 1, ImageError::Version),
        (10, 0x80, ImageError::Unknown),
        (11, 0xff, ImageError::Unknown),
        (12, 2, ImageError::Unknown),
        (13, 1, ImageError::Unknown),
        (23, 0xff, ImageError::Length),
    ] {
        let mut changed = bytes.clone();
        changed[at] = value;
        assert_eq!(
            CompiledEgress::open_unverified(&changed).unwrap_err(),
            error,
            "byte {at}"
        );
    }
    assert_eq!(
        CompiledEgress::open_unverified(b"").unwrap_err(),
        ImageError::Length
    );
    assert_eq!(
        CompiledEgress::open_unverified(b"deny: []").unwrap_err(),
        ImageError::Magic
    );
}

#[test]
fn an_allowed_entry_under_default_allow_is_refused() {
    let mut forged = egress(&[], ["a.example"]).to_bytes();
    forged[10] |= 1;
    seal(&mut forged);
    assert_eq!(
        Egress::from_bytes(&forged).unwrap_err(),
        ImageError::Content
    );
}

/// Names of every length up to 253 bytes, in labels of one byte, of many, and of 63.
fn odd_names() -> Vec<String> {
    let mut names = Vec::new();
    for label in [1, 2, 7, 15, 16, 17, 31, 62, 63] {
        let labels = format!("{}.", "x".repeat(label));
        let name = labels.repeat(254 / (label + 1));
        names.extend((1..=253).filter_map(|len| {
            let name = name.get(..len)?.trim_end_matches('.');
            (!name.is_empty()).then(|| name.to_string())
        }));
    }
    names.sort();
    names.dedup();
    names
}

#[test]
fn names_of_every_length_are_found_and_their_neighbours_are_not() {
    let names = odd_names();
    let even = || names.iter().step_by(2);
    let compiled = egress(&[], even().map(String::as_str));
    for name in even() {
        assert!(compiled.decide(&host(name)).is_allowed(), "{name}");
        assert_eq!(
            compiled.decide(&host(name)).rule().pattern(),
            Some(pattern(name).as_ref())
        );
    }
    for name in names.iter().skip(1).step_by(2) {
        assert!(!compiled.decide(&host(name)).is_allowed(), "{name}");
    }
}

#[test]
fn nested_wildcards_of_every_depth_are_told_apart() {
    let deepest = vec!["a"; 126].join(".");
    let bases: Vec<_> = (0..126).filter_map(|at| deepest.get(2 * at..)).collect();
    let wildcards: Vec<_> = bases.iter().map(|base| format!("*.{base}")).collect();
    let wildcards = || {
        wildcards
            .iter()
            .map(String::as_str)
            .filter(|text| text.len() <= 253)
    };
    let compiled = egress(&["*.a.a.a"], wildcards());
    for base in &bases {
        let below = host(&format!("b.{base}"));
        let rule = compiled.decide(&below).rule().to_string();
        let denied = base.ends_with("a.a.a");
        let expected = if denied {
            "egress.deniedDomains *.a.a.a".to_string()
        } else {
            format!("egress.allowedDomains *.{base}")
        };
        assert_eq!(rule, expected, "{below}");
        let matching = wildcards()
            .filter(|text| pattern(text).matches(&below))
            .count();
        assert_eq!(
            compiled.rules_for(&below).count(),
            matching + usize::from(denied)
        );
    }
}

#[test]
fn names_that_no_line_holds_are_found() {
    let long = |at: usize| format!("{}{at}.acme.example", "x".repeat(55));
    let names: Vec<_> = (0..400).map(long).collect();
    let compiled = egress(&[], names.iter().map(String::as_str));
    for name in &names {
        assert!(compiled.decide(&host(name)).is_allowed(), "{name}");
    }
    assert!(!compiled.decide(&host(&long(400))).is_allowed());
    let bytes = compiled.to_bytes();
    assert_eq!(Egress::from_bytes(&bytes).unwrap(), compiled);
}

/// Every policy over six patterns, each denied, allowed or absent, and every host over two labels
/// up to three deep: the image answers as the naive rule does.
#[test]
fn a_small_world_is_decided_from_bytes_as_written() {
    let patterns = ["a", "*.a", "b.a", "*.b.a", "a.b.a", "*.b"];
    let labels = ["a", "b"];
    let mut names: Vec<String> = labels.map(String::from).to_vec();
    for _ in 0..2 {
        let longer: Vec<_> = labels
            .iter()
            .flat_map(|label| names.iter().map(move |name| format!("{label}.{name}")))
            .collect();
        names.extend(longer);
    }
    names.sort();
    names.dedup();
    for world in 0..3_usize.pow(6) {
        let role = |at: usize| world / 3_usize.pow(u32::try_from(at).unwrap()) % 3;
        let of = |wanted| {
            (0..6)
                .filter(move |at| role(*at) == wanted)
                .map(|at| patterns[at])
        };
        let denied: Vec<_> = of(1).collect();
        let written = egress(&denied, of(2));
        let bytes = written.to_bytes();
        let compiled = CompiledEgress::open(&bytes).unwrap();
        for name in &names {
            let host = host(name);
            let most_specific = |wanted| {
                let matching = of(wanted).filter(|text| pattern(text).matches(&host));
                matching.max_by_key(|text| (!text.starts_with('*'), text.len()))
            };
            let expected = match (most_specific(1), most_specific(2)) {
                (Some(denied), _) => format!("egress.deniedDomains {denied}"),
                (None, Some(allowed)) => format!("egress.allowedDomains {allowed}"),
                (None, None) if of(2).next().is_some() => "egress.default deny (implied)".into(),
                (None, None) => "egress.default allow (implied)".into(),
            };
            assert_eq!(
                compiled.decide(&host).rule().to_string(),
                expected,
                "{name}"
            );
        }
    }
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let label = select(vec!["a", "b", "xx", "github", "cdn-7", "_dmarc"]);
    let zone = select(vec!["com", "example", "co.uk", "a.b.example"]);
    let name = (prop::collection::vec(label, 0..5), zone).prop_map(|(labels, zone)| {
        let labels: String = labels.iter().map(|label| format!("{label}.")).collect();
        labels + zone
    });
    let text = (name, any::<bool>()).prop_map(
        |(name, below)| {
            if below { format!("*.{name}") } else { name }
        },
    );
    prop::collection::vec(text, 0..200)
}

proptest! {
    #[test]
    fn reading_what_was_written_gives_the_policy(denied in texts(), allowed in texts()) {
        let denied: Vec<_> = denied.iter().map(String::as_str).collect();
        let written = egress(&denied, allowed.iter().map(String::as_str));
        let bytes = written.to_bytes();
        let compiled = CompiledEgress::open(&bytes).unwrap();
        let read = Egress::from_bytes(&bytes).unwrap();
        prop_assert!(read.denied().eq(written.denied()));
        prop_assert!(read.allowed().eq(written.allowed()));
        for text in denied.into_iter().chain(allowed.iter().map(String::as_str)) {
            let host = host(text.trim_start_matches("*."));
            prop_assert_eq!(compiled.decide(&host), written.decide(&host));
        }
    }

    #[test]
    fn any_bytes_are_refused_or_answered(
        mut bytes in prop::collection::vec(any::<u8>(), 0..600),
        counts in prop::array::uniform6(0_u8..4),
    ) {
        let header = small().to_bytes();
        let len = bytes.len().min(16);
        bytes[..len].copy_from_slice(&header[..len]);
        for (at, count) in counts.into_iter().enumerate() {
            if let Some(field) = bytes.get_mut(16 + 8 * at..24 + 8 * at) {
                field.copy_from_slice(&u64::from(count).to_le_bytes());
            }
        }
        prop_assert!(Egress::from_bytes(&bytes).is_err());
        if let Ok(compiled) = CompiledEgress::open_unverified(&bytes) {
            for host in hosts_of_small() {
                let _ = compiled.decide(&host).rule().to_string();
            }
        }
    }
}

//! Where a label just fits or no longer does, where every short one is taken, and what is said.

use policy_core::{Egress, Host, Pattern, Preset, Verdict, witnesses};

use crate::rules::{Rules, host, pattern};

/// The witnesses of some patterns that are names, less those that do not depend on the patterns.
fn name_witnesses(patterns: &[String]) -> Vec<String> {
    let patterns: Vec<Pattern> = patterns.iter().map(|text| pattern(text)).collect();
    witnesses(patterns.iter().map(Pattern::as_ref))
        .filter_map(|host| host.name().map(str::to_owned))
        .skip(1)
        .collect()
}

/// A name of this many bytes that ends in these labels.
fn long_name(bytes: usize, end: &str) -> String {
    let mut name = end.to_owned();
    while name.len() < bytes {
        let room = bytes - name.len() - 1;
        // No remainder of a single byte, which would leave no room for a label and its dot.
        let label = if room == 64 { 62 } else { room.min(63) };
        name = format!("{}.{name}", "x".repeat(label));
    }
    assert_eq!(name.len(), bytes);
    name
}

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
const OTHERS: &str = "0123456789-_";

/// Every label of one character.
fn single() -> impl Iterator<Item = String> {
    LETTERS.chars().chain(OTHERS.chars()).map(String::from)
}

#[test]
fn a_label_is_made_up_only_where_one_fits() {
    for (bytes, below) in [(249, 1), (250, 1), (251, 1), (252, 0), (253, 0)] {
        let base = long_name(bytes, "example");
        let found = name_witnesses(core::slice::from_ref(&base));
        assert_eq!(found.len(), 1 + below, "{bytes} bytes: {found:?}");
        assert!(
            found
                .iter()
                .skip(1)
                .all(|name| *name == format!("a.{base}")),
            "{bytes} bytes"
        );
    }
}

#[test]
fn a_class_is_empty_when_every_label_that_fits_is_listed() {
    let plain = long_name(251, "example");
    let right_to_left = long_name(251, "xn--4dbrk0ce");
    // Beside a right-to-left label, a label of one character is a letter (RFC 5893 §2).
    for (base, labels) in [(plain, single().count()), (right_to_left, LETTERS.len())] {
        let children: Vec<String> = single()
            .take(labels)
            .map(|label| format!("{label}.{base}"))
            .collect();
        let wildcard = format!("*.{base}");

        let mut listed = children.clone();
        listed.push(wildcard.clone());
        let found = name_witnesses(&listed);
        assert_eq!(
            found.len(),
            1 + children.len(),
            "the base and its children: {found:?}"
        );

        let below = Rules {
            allowed: vec![pattern(&wildcard)],
            ..Rules::default()
        }
        .egress();
        let each: Vec<Pattern> = children.iter().map(|child| pattern(child)).collect();
        let all = Rules {
            allowed: each.clone(),
            ..Rules::default()
        }
        .egress();
        assert!(below.is_equivalent(&all), "{base}");

        for (missing, child) in children.iter().enumerate() {
            let mut allowed = each.clone();
            allowed.remove(missing);
            let rest = Rules {
                allowed,
                ..Rules::default()
            }
            .egress();
            let witness = below.is_within(&rest).expect_err("one child is missing");
            assert_eq!(witness.host().to_string(), *child);
        }
    }
}

#[test]
fn a_longer_label_is_made_up_when_every_shorter_one_is_listed() {
    let double = single().flat_map(|first| single().map(move |second| format!("{first}{second}")));
    let labels = single().chain(double);
    let mut listed: Vec<String> = labels.map(|label| format!("{label}.example")).collect();
    listed.push("*.example".to_owned());
    let found = name_witnesses(&listed);
    let made_up = found
        .iter()
        .find(|name| name.ends_with(".example") && !listed.contains(name));
    assert_eq!(made_up.map(String::as_str), Some("aaa.example"));
}

#[test]
fn made_up_hosts_step_aside() {
    // At the root, digits make no name; so after the letters comes `-`.
    let letters: Vec<String> = LETTERS.chars().map(String::from).collect();
    for (listed, made_up) in [
        (vec!["b", "example"], "a"),
        (vec!["a", "*.b"], "c"),
        (letters.iter().map(String::as_str).collect(), "-"),
        (vec!["192.0.2.2"], "192.0.2.1"),
        (vec!["192.0.2.1", "192.0.2.2"], "192.0.2.3"),
        (vec!["2001:db8::1"], "2001:db8::2"),
        (vec!["2001:db8::", "2001:db8::2"], "2001:db8::1"),
    ] {
        let patterns: Vec<Pattern> = listed.iter().map(|text| pattern(text)).collect();
        let found: Vec<Host> = witnesses(patterns.iter().map(Pattern::as_ref))
            .filter(|host| !patterns.iter().any(|pattern| pattern.matches(host)))
            .collect();
        assert!(found.contains(&host(made_up)), "{listed:?}: {found:?}");
    }
}

#[test]
fn a_preset_is_worth_its_hosts() {
    for preset in Preset::ALL {
        let named = Egress::builder().preset(*preset).build().expect("a policy");
        let hosts = preset
            .hosts()
            .iter()
            .map(|host| host.pattern())
            .collect::<Vec<_>>();
        let written = Rules::new(&hosts, &[], None).egress();
        assert!(named.is_equivalent(&written), "{preset}");
    }
}

#[test]
fn a_witness_says_which_rules_disagree() {
    let vcs = Egress::builder()
        .preset(Preset::Vcs)
        .build()
        .expect("a policy");
    let open = Egress::builder().build().expect("a policy");
    let closed = Egress::builder()
        .default_verdict(Verdict::Deny)
        .build()
        .expect("a policy");
    let denying = Rules::new(&[], &["*.githubusercontent.com", "192.0.2.1"], None).egress();
    for (here, there, said) in [
        (
            &open,
            &closed,
            "allows `a` by egress.default allow (implied); denied there by egress.default deny",
        ),
        (
            &open,
            &vcs,
            "allows `a` by egress.default allow (implied); denied there by egress.default deny (implied)",
        ),
        (
            &vcs,
            &closed,
            "allows `github.com` by egress.presets vcs (github.com); denied there by egress.default deny",
        ),
        (
            &vcs,
            &denying,
            "allows `a.githubusercontent.com` by egress.presets vcs (*.githubusercontent.com); denied there by egress.deniedDomains *.githubusercontent.com",
        ),
    ] {
        let witness = here.is_within(there).expect_err(said);
        assert_eq!(witness.to_string(), said);
    }
}

//! The vectors of `conformance/` through the library.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "a test says what must hold by unwrapping it, and has the standard library"
)]

mod vectors;

use std::collections::BTreeSet;

use policy_core::{Egress, Host, HostError, Pattern, PatternError, Verdict};
use vectors::{Expected, Outcome};

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

fn policy(allowed: &[&str], denied: &[&str]) -> Egress {
    let builder = denied.iter().fold(Egress::builder(), |builder, text| {
        builder.deny(pattern(text))
    });
    allowed
        .iter()
        .fold(builder, |builder, text| builder.allow(pattern(text)))
        .default_verdict(if allowed.is_empty() {
            Verdict::Allow
        } else {
            Verdict::Deny
        })
        .build()
        .unwrap()
}

fn decide(policy: &Egress, input: &str) -> Outcome {
    match Host::parse(input) {
        Ok(host) => {
            let decision = policy.decide(&host);
            let pattern = decision.rule().pattern().map(|pattern| pattern.to_string());
            Outcome::Decided(decision.verdict(), pattern)
        }
        Err(_) => Outcome::Invalid,
    }
}

/// The words of the table for classes that have another name here.
fn class(word: &str) -> &str {
    match word {
        "cgnat" => "shared",
        "this-network" => "unspecified",
        "6to4" => "translated",
        word => word,
    }
}

#[test]
fn every_host_row_is_decided_as_it_says() {
    let (allowlist, denylist) = (
        policy(&vectors::ALLOWED, &vectors::DENIED),
        policy(&[], &vectors::DENIED),
    );
    let mut wrong = Vec::new();
    for row in vectors::hosts() {
        let host = Host::parse(&row.input);
        let read = match (&row.expected, &host) {
            (Expected::Refused, Err(_)) => true,
            (Expected::Name(name), Ok(host)) => host.name() == Some(name),
            (Expected::Address(address, word), Ok(host)) => {
                host.address() == Some(*address)
                    && class(word.as_deref().unwrap_or("public")) == host.class().as_str()
            }
            _ => false,
        };
        if !read {
            wrong.push(format!("{} {:?}: {host:?}", row.id, row.input));
        }
        for (policy, expected) in [(&allowlist, &row.allowlist), (&denylist, &row.denylist)] {
            let decided = decide(policy, &row.input);
            if decided != *expected {
                wrong.push(format!("{} {:?}: {decided:?}", row.id, row.input));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_authority_is_decided_as_it_says() {
    let policy = policy(&vectors::AUTHORITIES_ALLOWED, &vectors::AUTHORITIES_DENIED);
    let rows = vectors::authorities();
    assert_eq!(rows.len(), 35);
    for (id, input, expected) in rows {
        assert_eq!(decide(&policy, &input), expected, "{id} {input:?}");
    }
}

#[test]
fn every_rule_row_is_a_pattern_or_none_as_it_says() {
    for row in vectors::rules() {
        let pattern = Pattern::parse(&row.input)
            .ok()
            .map(|pattern| pattern.to_string());
        assert_eq!(pattern, row.pattern, "{} {:?}", row.id, row.input);
        // What validation adds is judged where the public suffix list is at hand; here it only has
        // to be about a legal pattern.
        assert!(
            row.validation.is_none() || row.pattern.is_some(),
            "{}",
            row.id
        );
    }
}

#[test]
fn every_further_host_is_read_as_it_says() {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in vectors::more_hosts() {
        let read = Host::parse(&row.input)
            .map(|host| host.to_string())
            .map_err(|error| error.code().to_string());
        if read != row.expected {
            wrong.push(format!(
                "{} {:?}: {read:?}, not {:?}",
                row.id, row.input, row.expected
            ));
        }
        seen.extend(row.expected.err());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let all: BTreeSet<_> = HostError::ALL
        .iter()
        .map(|error| error.code().to_string())
        .collect();
    assert_eq!(seen, all, "every reason has a row, and every row a reason");
}

#[test]
fn every_pattern_is_read_or_refused_with_the_suggestion_it_says() {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in vectors::patterns() {
        let (refusal, suggestion) = match Pattern::parse(&row.input) {
            Ok(pattern) => {
                assert_eq!(pattern.to_string(), row.input);
                (None, None)
            }
            Err(error) => {
                let patterns = error.suggestions(&row.input);
                let texts: Vec<String> = patterns.iter().map(ToString::to_string).collect();
                let told = Some(texts.join(" ")).filter(|told| !told.is_empty());
                (Some(error.code().to_string()), told)
            }
        };
        if (&refusal, &suggestion) != (&row.refusal, &row.suggestion) {
            wrong.push(format!(
                "{} {:?}: {refusal:?} {suggestion:?}",
                row.id, row.input
            ));
        }
        seen.extend(row.refusal);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let all: BTreeSet<_> = PatternError::ALL
        .iter()
        .map(|error| error.code().to_string())
        .collect();
    assert_eq!(seen, all, "every reason has a row, and every row a reason");
}

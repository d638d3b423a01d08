//! Comparing egress policies: small worlds completely, large ones by sampling, and the edges.

use std::collections::{BTreeMap, BTreeSet};

use policy_core::{Egress, Host, Pattern, Preset, Verdict, witnesses};
use proptest::prelude::*;

fn host(text: &str) -> Host {
    Host::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A policy as a list of rules, decided by trying each: the reading of the specification against
/// which the compiled one is held.
#[derive(Clone, Debug, Default)]
struct Rules {
    allowed: Vec<Pattern>,
    denied: Vec<Pattern>,
    default: Option<Verdict>,
}

impl Rules {
    fn new(allowed: &[&str], denied: &[&str], default: Option<Verdict>) -> Self {
        Self {
            allowed: allowed.iter().copied().map(pattern).collect(),
            denied: denied.iter().copied().map(pattern).collect(),
            default,
        }
    }

    fn permits(&self, host: &Host) -> bool {
        let matches = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(host));
        if matches(&self.denied) {
            false
        } else if matches(&self.allowed) {
            true
        } else {
            self.default == Some(Verdict::Allow)
                || self.default.is_none() && self.allowed.is_empty()
        }
    }

    fn egress(&self) -> Egress {
        let mut builder = Egress::builder();
        for pattern in &self.allowed {
            builder = builder.allow(pattern.clone());
        }
        for pattern in &self.denied {
            builder = builder.deny(pattern.clone());
        }
        if let Some(verdict) = self.default {
            builder = builder.default_verdict(verdict);
        }
        builder
            .build()
            .expect("no allowed entry under default allow")
    }
}

/// Every pattern of the small world: names that are siblings, one below another, and one below
/// another with a name between them, exact and as wildcards; and an address.
const SMALL_PATTERNS: [&str; 9] = [
    "a",
    "*.a",
    "*.b",
    "a.a",
    "*.a.a",
    "b.a",
    "a.b.b",
    "*.a.b.b",
    "192.0.2.1",
];

/// Every name of up to four labels `a`, `b` or `c`, and three addresses. No pattern has the label
/// `c`, or four labels, or the last two addresses: they stand for all the others.
fn small_hosts() -> Vec<Host> {
    let mut names = vec![String::new()];
    let mut hosts = Vec::new();
    for _ in 0..4 {
        names = names
            .iter()
            .flat_map(|above| ["a", "b", "c"].map(|label| format!("{label}.{above}")))
            .collect();
        hosts.extend(names.iter().map(|name| host(name)));
    }
    hosts.extend(["192.0.2.1", "192.0.2.2", "2001:db8::1"].map(host));
    hosts
}

/// Every policy of at most two of the small patterns, with every default that may stand beside
/// them.
fn small_policies() -> Vec<Rules> {
    let rules: Vec<(bool, &str)> = [true, false]
        .into_iter()
        .flat_map(|allow| SMALL_PATTERNS.map(|pattern| (allow, pattern)))
        .collect();
    let mut lists: Vec<Vec<(bool, &str)>> = vec![Vec::new()];
    for (at, first) in rules.iter().enumerate() {
        lists.push(vec![*first]);
        lists.extend(rules[at + 1..].iter().map(|second| vec![*first, *second]));
    }
    let mut policies = Vec::new();
    for list in lists {
        let of = |wanted| {
            let kept = list.iter().filter(move |(allow, _)| *allow == wanted);
            kept.map(|(_, pattern)| *pattern).collect::<Vec<_>>()
        };
        let (allowed, denied) = (of(true), of(false));
        for default in [None, Some(Verdict::Deny), Some(Verdict::Allow)] {
            if allowed.is_empty() || default != Some(Verdict::Allow) {
                policies.push(Rules::new(&allowed, &denied, default));
            }
        }
    }
    policies
}

#[test]
fn within_agrees_with_enumeration() {
    let hosts = small_hosts();
    assert!(hosts.len() <= 128, "one bit for each host");
    let policies: Vec<(Egress, u128)> = small_policies()
        .iter()
        .map(|rules| {
            let permitted = hosts.iter().enumerate().fold(0, |set, (at, host)| {
                set | u128::from(rules.permits(host)) << at
            });
            (rules.egress(), permitted)
        })
        .collect();
    for (p, permitted_by_p) in &policies {
        for (q, permitted_by_q) in &policies {
            assert_eq!(
                p.is_within(q).is_ok(),
                permitted_by_p & !permitted_by_q == 0,
                "{p:?}\n{q:?}"
            );
        }
    }
}

/// Two hosts can be told apart by some policy of these patterns exactly when different patterns
/// match them. Every way of matching that a host of the small world has, some witness has, and
/// the reverse.
#[test]
fn the_witnesses_meet_every_class_of_hosts() {
    let hosts = small_hosts();
    let patterns = SMALL_PATTERNS.map(pattern);
    for chosen in 0_u32..1 << patterns.len() {
        let chosen: Vec<&Pattern> = (0..patterns.len())
            .filter(|at| chosen & 1 << at != 0)
            .map(|at| &patterns[at])
            .collect();
        let class = |host: &Host| -> Vec<bool> {
            let is_name = host.name().is_some();
            let matched = chosen.iter().map(|pattern| pattern.matches(host));
            matched.chain([is_name]).collect()
        };
        let all: BTreeSet<_> = hosts.iter().map(class).collect();
        let met: BTreeSet<_> = witnesses(chosen.iter().map(|pattern| pattern.as_ref()))
            .map(|host| class(&host))
            .collect();
        assert_eq!(all, met, "{chosen:?}");
    }
}

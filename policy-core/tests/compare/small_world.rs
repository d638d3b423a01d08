//! Every host, every set of patterns and every small policy of a small world.

use alloc::collections::{BTreeMap, BTreeSet};

use policy_core::{Egress, Host, Pattern, Verdict, witnesses};

use crate::rules::{Rules, host, pattern};

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

/// The reasons of a difference are the pairs of rules that some host of the small world has.
#[test]
fn a_difference_names_every_reason() {
    let hosts = small_hosts();
    let policies: Vec<Egress> = small_policies().iter().map(Rules::egress).collect();
    for p in policies.iter().step_by(7) {
        for q in policies.iter().step_by(11) {
            let mut reasons = BTreeMap::new();
            for host in &hosts {
                let (here, there) = (p.decide(host), q.decide(host));
                if here.is_allowed() && !there.is_allowed() {
                    reasons.insert((here.rule(), there.rule()), host);
                }
            }
            let difference = p.difference(q);
            let named: Vec<_> = difference
                .iter()
                .map(|witness| (witness.allowed_by(), witness.denied_by()))
                .collect();
            assert!(
                named.iter().eq(reasons.keys()),
                "{p:?}\n{q:?}\n{difference:?}"
            );
        }
    }
}

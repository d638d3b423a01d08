//! Laws on policies of up to eighty patterns.

use alloc::collections::BTreeSet;

use policy_core::{Host, Pattern, Verdict, witnesses};
use proptest::prelude::*;

use crate::rules::{Rules, host, pattern};

/// Names with much in common: few labels, some of them the ends of others.
fn name() -> impl Strategy<Value = String> {
    let label = prop_oneof![
        Just("a"),
        Just("b"),
        Just("api"),
        Just("my-api"),
        Just("_x"),
        Just("0"),
        Just("xn--4dbrk0ce"),
    ];
    let last = prop_oneof![
        Just("a"),
        Just("example"),
        Just("not-example"),
        Just("xn--4dbrk0ce")
    ];
    (prop::collection::vec(label, 0..5), last).prop_filter_map("no host", |(labels, last)| {
        let name = labels
            .iter()
            .fold(last.to_owned(), |name, label| format!("{label}.{name}"));
        Host::parse(&name).is_ok().then_some(name)
    })
}

fn address() -> impl Strategy<Value = String> {
    prop_oneof![
        (1..6_u8).prop_map(|last| format!("192.0.2.{last}")),
        (1..6_u8).prop_map(|last| format!("2001:db8::{last}")),
    ]
}

fn patterns() -> impl Strategy<Value = Vec<Pattern>> {
    let one = prop_oneof![
        8 => name(),
        8 => name().prop_map(|name| format!("*.{name}")),
        1 => address(),
    ];
    prop::collection::vec(one.prop_map(|text| pattern(&text)), 0..40)
}

fn rules() -> impl Strategy<Value = Rules> {
    let default = prop_oneof![
        Just(None),
        Just(Some(Verdict::Deny)),
        Just(Some(Verdict::Allow))
    ];
    (patterns(), patterns(), default, any::<bool>()).prop_map(
        |(allowed, denied, default, deny_only)| Rules {
            allowed: if deny_only || default == Some(Verdict::Allow) {
                Vec::new()
            } else {
                allowed
            },
            denied,
            default,
        },
    )
}

fn hosts() -> impl Strategy<Value = Vec<Host>> {
    let one = prop_oneof![8 => name(), 1 => address()];
    prop::collection::vec(one.prop_map(|text| host(&text)), 0..200)
}

/// A policy that permits no more: some allowed entries less, some denied ones more.
fn narrowed(rules: &Rules, fewer: usize, denied: Vec<Pattern>) -> Rules {
    Rules {
        allowed: rules.allowed.iter().skip(fewer).cloned().collect(),
        denied: rules.denied.iter().cloned().chain(denied).collect(),
        // What is unset must not turn with the last allowed entry that goes.
        default: rules
            .default
            .or((!rules.allowed.is_empty()).then_some(Verdict::Deny)),
    }
}

proptest! {
    // A comparison is some hundred decisions; 64 of each law take about a second unoptimised.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn within_means_that_no_sampled_host_is_permitted_by_one_policy_only(
        p in rules(), q in rules(), hosts in hosts(),
    ) {
        let sampled = hosts.iter().any(|host| p.permits(host) && !q.permits(host));
        prop_assert!(!(sampled && p.egress().is_within(&q.egress()).is_ok()));
    }

    #[test]
    fn a_policy_with_less_allowed_and_more_denied_is_within(
        p in rules(), fewer in 0..5_usize, denied in patterns(),
    ) {
        let (narrow, wide) = (narrowed(&p, fewer, denied).egress(), p.egress());
        prop_assert_eq!(narrow.is_within(&wide), Ok(()));
    }

    #[test]
    fn witness_is_real(p in rules(), q in rules()) {
        let (here, there) = (p.egress(), q.egress());
        let difference = here.difference(&there);
        prop_assert_eq!(difference.is_empty(), here.is_within(&there).is_ok());
        prop_assert_eq!(
            here.is_equivalent(&there),
            difference.is_empty() && there.difference(&here).is_empty()
        );
        for witness in difference.iter().chain(here.is_within(&there).as_ref().err()) {
            let host = witness.host();
            prop_assert_eq!(Host::parse(&host.to_string()), Ok(host.clone()));
            prop_assert!(here.decide(host).is_allowed() && p.permits(host));
            prop_assert!(!there.decide(host).is_allowed() && !q.permits(host));
            prop_assert_eq!(here.decide(host).rule(), witness.allowed_by());
            prop_assert_eq!(there.decide(host).rule(), witness.denied_by());
        }
    }

    #[test]
    fn within_is_a_partial_order(
        p in rules(), fewer in 0..5_usize, denied in (patterns(), patterns()), other in rules(),
    ) {
        let middle = narrowed(&p, fewer, denied.0);
        let low = narrowed(&middle, fewer, denied.1);
        let chain = [low, middle, p, other].map(|rules| rules.egress());
        let within = chain.each_ref().map(|a| chain.each_ref().map(|b| a.is_within(b).is_ok()));
        for a in 0..chain.len() {
            prop_assert!(within[a][a]);
            for b in 0..chain.len() {
                // Both ways only for policies that decide alike.
                let same = witnesses(chain[a].patterns().chain(chain[b].patterns()))
                    .all(|host| chain[a].decide(&host).verdict() == chain[b].decide(&host).verdict());
                prop_assert_eq!(within[a][b] && within[b][a], same);
                for c in 0..chain.len() {
                    prop_assert!(!(within[a][b] && within[b][c]) || within[a][c]);
                }
            }
        }
    }

    #[test]
    fn every_witness_is_a_host_and_comes_once(p in rules()) {
        let egress = p.egress();
        let hosts: Vec<Host> = witnesses(egress.patterns()).collect();
        let different: BTreeSet<&Host> = hosts.iter().collect();
        prop_assert_eq!(different.len(), hosts.len());
        for host in &hosts {
            prop_assert_eq!(Host::parse(&host.to_string()), Ok(host.clone()));
        }
    }
}

//! The decision against a naive oracle: by generated policies, and completely in a small world.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what must hold by unwrapping it, and has the standard library"
)]

use policy_core::{Egress, Host, Pattern, PatternSet, Preset, Source, Verdict};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// A policy as someone writes it.
#[derive(Clone, Debug)]
struct Written {
    denied: Vec<String>,
    allowed: Vec<String>,
    presets: Vec<Preset>,
    default: Option<Verdict>,
}

impl Written {
    fn compile(&self) -> Egress {
        let pattern = |text: &String| Pattern::parse(text).unwrap();
        let mut builder = Egress::builder();
        for text in &self.denied {
            builder = builder.deny(pattern(text));
        }
        for text in &self.allowed {
            builder = builder.allow(pattern(text));
        }
        for preset in &self.presets {
            builder = builder.preset(*preset);
        }
        if let Some(verdict) = self.default {
            builder = builder.default_verdict(verdict);
        }
        builder.build().unwrap()
    }

    fn oracle(&self, host: &str) -> String {
        if let Some(pattern) = most_specific(&self.denied, host) {
            return format!("deny by egress.deniedDomains {pattern}");
        }
        let mut presets = self.presets.clone();
        presets.sort_by_key(|preset| preset.name());
        let allowed = self
            .allowed
            .iter()
            .map(|text| (text.clone(), format!("egress.allowedDomains {text}")));
        let by_presets = presets.iter().flat_map(|preset| {
            let rule = move |text: &str| format!("egress.presets {} ({text})", preset.name());
            preset
                .hosts()
                .iter()
                .map(move |host| (host.pattern().to_string(), rule(host.pattern())))
        });
        let (patterns, rules): (Vec<_>, Vec<_>) = allowed.chain(by_presets).unzip();
        if let Some(pattern) = most_specific(&patterns, host) {
            let first = patterns.iter().position(|text| text == pattern).unwrap();
            return format!("allow by {}", rules[first]);
        }
        let implied = if patterns.is_empty() {
            Verdict::Allow
        } else {
            Verdict::Deny
        };
        match self.default {
            Some(verdict) => format!("{verdict} by egress.default {verdict}"),
            None => format!("{implied} by egress.default {implied} (implied)"),
        }
    }
}

/// An exact pattern before a wildcard, a longer wildcard before a shorter.
fn most_specific<'p>(patterns: &'p [String], host: &str) -> Option<&'p String> {
    patterns
        .iter()
        .filter(|pattern| match pattern.strip_prefix('*') {
            Some(dot_and_base) => host.ends_with(dot_and_base),
            None => host == **pattern,
        })
        .max_by_key(|pattern| (!pattern.starts_with('*'), pattern.len()))
}

fn answer(egress: &Egress, host: &Host) -> String {
    let decision = egress.decide(host);
    format!("{} by {}", decision.verdict(), decision.rule())
}

/// Names that share suffixes and differ at label boundaries, hosts of presets, addresses.
fn hosts() -> impl Strategy<Value = String> {
    let labels = select(vec![
        "a",
        "b",
        "ab",
        "x",
        "_",
        "a-b",
        "xn--bcher-kva",
        "github",
        "api",
    ]);
    let top = select(vec![
        "a",
        "b",
        "com",
        "github.com",
        "githubcopilot.com",
        "openai.com",
    ]);
    let name = (prop::collection::vec(labels, 0..4), top).prop_map(|(labels, top)| {
        labels
            .iter()
            .map(|label| format!("{label}."))
            .collect::<String>()
            + top
    });
    let glued = (select(vec!["a", "x", "not"]), name.clone())
        .prop_map(|(glue, name)| format!("{glue}{name}"));
    let of_presets: Vec<_> = Preset::ALL
        .iter()
        .flat_map(|preset| preset.hosts())
        .map(|host| host.pattern().replace('*', "x"))
        .collect();
    let address = select(vec![
        "192.0.2.1",
        "192.0.2.2",
        "127.0.0.1",
        "::1",
        "2001:db8::1",
    ]);
    prop_oneof![
        6 => name,
        1 => glued,
        2 => select(of_presets),
        1 => address.prop_map(str::to_string),
    ]
}

fn patterns() -> impl Strategy<Value = String> {
    (hosts(), any::<bool>()).prop_map(|(host, below)| {
        let is_name = Host::parse(&host).unwrap().name().is_some();
        if below && is_name {
            format!("*.{host}")
        } else {
            host
        }
    })
}

fn policies() -> impl Strategy<Value = Written> {
    (
        prop::collection::vec(patterns(), 0..6),
        prop::collection::vec(patterns(), 0..6),
        subsequence(Preset::ALL.to_vec(), 0..=Preset::ALL.len()),
        select(vec![None, Some(Verdict::Deny), Some(Verdict::Allow)]),
    )
        .prop_map(|(denied, allowed, presets, default)| {
            let nothing = allowed.is_empty() && presets.is_empty();
            // `default: allow` beside an allowlist is no policy.
            let default = default.filter(|verdict| nothing || *verdict == Verdict::Deny);
            Written {
                denied,
                allowed,
                presets,
                default,
            }
        })
}

/// Hosts at and around every entry of a policy, which is where decisions change.
fn near(policy: &Written, others: &[String]) -> Vec<Host> {
    let entries = policy.denied.iter().chain(&policy.allowed).chain(others);
    entries
        .flat_map(|text| {
            let base = text.strip_prefix("*.").unwrap_or(text);
            [
                base.to_string(),
                format!("z.{base}"),
                format!("y.z.{base}"),
                format!("z{base}"),
            ]
        })
        // `z.192.0.2.1` is no host.
        .filter_map(|text| Host::parse(&text).ok())
        .collect()
}

proptest! {
    #[test]
    fn decision_agrees_with_the_oracle(
        policy in policies(),
        others in prop::collection::vec(hosts(), 1..8),
    ) {
        let egress = policy.compile();
        for host in near(&policy, &others) {
            prop_assert_eq!(answer(&egress, &host), policy.oracle(&host.to_string()), "{}", host);
        }
    }

    #[test]
    fn deny_always_wins(policy in policies(), others in prop::collection::vec(hosts(), 1..8)) {
        let egress = policy.compile();
        for host in near(&policy, &others) {
            if policy.denied.iter().any(|text| Pattern::parse(text).unwrap().matches(&host)) {
                let decision = egress.decide(&host);
                prop_assert_eq!(decision.verdict(), Verdict::Deny);
                prop_assert_eq!(decision.rule().field(), "egress.deniedDomains");
            }
        }
    }

    #[test]
    fn adding_a_deny_never_widens(
        policy in policies(),
        denied in patterns(),
        others in prop::collection::vec(hosts(), 1..8),
    ) {
        let mut narrower = policy.clone();
        narrower.denied.push(denied);
        let (before, after) = (policy.compile(), narrower.compile());
        for host in near(&narrower, &others) {
            prop_assert!(before.decide(&host).is_allowed() || !after.decide(&host).is_allowed(), "{}", host);
        }
    }

    #[test]
    fn decision_is_independent_of_entry_order(
        (policy, shuffled) in policies().prop_flat_map(|policy| {
            let twice = |entries: &Vec<String>| Just([&entries[..], &entries[..]].concat()).prop_shuffle();
            let shuffled = (twice(&policy.denied), twice(&policy.allowed), Just(policy.presets.clone()).prop_shuffle());
            (Just(policy), shuffled)
        }),
        others in prop::collection::vec(hosts(), 1..8),
    ) {
        let (denied, allowed, presets) = shuffled;
        let other = Written { denied, allowed, presets, default: policy.default }.compile();
        let egress = policy.compile();
        for host in near(&policy, &others) {
            prop_assert_eq!(answer(&egress, &host), answer(&other, &host));
        }
        prop_assert_eq!(egress, other);
    }

    #[test]
    fn every_rule_for_a_host_matches_it_and_the_first_decides(
        policy in policies(),
        others in prop::collection::vec(hosts(), 1..8),
    ) {
        let egress = policy.compile();
        for host in near(&policy, &others) {
            let rules: Vec<_> = egress.rules_for(&host).collect();
            prop_assert_eq!(egress.decide(&host).rule(), rules.first().copied().unwrap_or(egress.default_rule()));
            let denying = egress.denied().filter(|pattern| pattern.matches(&host)).count();
            let allowing = egress.allowed().filter(|(pattern, _)| pattern.matches(&host)).count();
            prop_assert_eq!(rules.len(), denying + allowing);
            for rule in &rules {
                prop_assert!(rule.pattern().is_some_and(|pattern| pattern.matches(&host)));
            }
        }
    }

    #[test]
    fn whether_a_list_has_entries_is_what_listing_them_shows(policy in policies()) {
        let egress = policy.compile();
        prop_assert_eq!(egress.has_allowed(), egress.allowed().next().is_some());
        prop_assert_eq!(egress.has_denied(), egress.denied().next().is_some());
    }

    #[test]
    fn a_set_names_its_most_specific_pattern(
        texts in prop::collection::vec(patterns(), 0..8),
        others in prop::collection::vec(hosts(), 1..8),
    ) {
        let set: PatternSet = texts.iter().map(|text| Pattern::parse(text).unwrap()).collect();
        let policy = Written { denied: texts, allowed: vec![], presets: vec![], default: None };
        for host in near(&policy, &others) {
            let named = set.matching(&host).map(|pattern| pattern.to_string());
            prop_assert_eq!(named.as_ref(), most_specific(&policy.denied, &host.to_string()));
        }
    }
}

/// Every name of up to `depth` labels of `a` and `b`.
fn small_names(depth: u32) -> Vec<String> {
    let label = |bit| if bit == 0 { "a" } else { "b" };
    (1..=depth)
        .flat_map(|depth| (0..1_u32 << depth).map(move |bits| (depth, bits)))
        .map(|(depth, bits)| {
            (0..depth)
                .map(|at| label(bits >> at & 1))
                .collect::<Vec<_>>()
                .join(".")
        })
        .collect()
}

/// Every pattern over those names, and an address.
fn small_patterns(depth: u32) -> Vec<String> {
    let names = small_names(depth);
    let below = names.iter().map(|name| format!("*.{name}"));
    names
        .iter()
        .cloned()
        .chain(below)
        .chain(["192.0.2.1".to_string()])
        .collect()
}

/// Every list of at most two different entries.
fn short_lists(patterns: &[String]) -> Vec<Vec<String>> {
    let mut lists = vec![vec![]];
    for (at, first) in patterns.iter().enumerate() {
        lists.push(vec![first.clone()]);
        lists.extend(
            patterns[at + 1..]
                .iter()
                .map(|second| vec![first.clone(), second.clone()]),
        );
    }
    lists
}

fn agree_everywhere(lists: &[Vec<String>], depth: u32) -> usize {
    let mut hosts = small_names(depth);
    hosts.extend(["192.0.2.1".to_string(), "192.0.2.2".to_string()]);
    let hosts: Vec<_> = hosts
        .iter()
        .map(|text| (Host::parse(text).unwrap(), text))
        .collect();
    let mut decisions = 0;
    for denied in lists {
        for allowed in lists {
            for default in [None, Some(Verdict::Deny), Some(Verdict::Allow)] {
                if default == Some(Verdict::Allow) && !allowed.is_empty() {
                    continue;
                }
                let policy = Written {
                    denied: denied.clone(),
                    allowed: allowed.clone(),
                    presets: vec![],
                    default,
                };
                let egress = policy.compile();
                for (host, text) in &hosts {
                    assert_eq!(
                        answer(&egress, host),
                        policy.oracle(text),
                        "{policy:?} {text}"
                    );
                    decisions += 1;
                }
            }
        }
    }
    decisions
}

#[test]
fn every_policy_of_two_rules_a_list_decides_every_small_host_as_the_oracle() {
    let lists = short_lists(&small_patterns(2));
    assert_eq!(lists.len(), 92);
    assert_eq!(agree_everywhere(&lists, 3), (92 * 92 * 2 + 92) * 16);
}

#[test]
fn every_policy_of_one_deep_rule_a_list_decides_every_small_host_as_the_oracle() {
    let lists: Vec<_> = small_patterns(3)
        .into_iter()
        .map(|pattern| vec![pattern])
        .collect();
    assert_eq!(agree_everywhere(&lists, 4), 29 * 29 * 2 * 32);
}

#[test]
fn the_order_of_presets_in_a_decision_is_that_of_their_names() {
    let mut names: Vec<_> = Preset::ALL.iter().map(|preset| preset.name()).collect();
    let egress = Preset::ALL
        .iter()
        .rev()
        .fold(Egress::builder(), |builder, preset| builder.preset(*preset));
    let egress = egress.build().unwrap();
    let mut listed: Vec<_> = egress
        .allowed()
        .filter_map(|(_, source)| match source {
            Source::Preset(preset) => Some(preset.name()),
            _ => None,
        })
        .collect();
    listed.dedup();
    names.sort_unstable();
    assert_eq!(listed, names);
}

#[test]
fn a_source_is_told_by_the_key_that_an_author_writes() {
    for (source, text) in [
        (Source::Denied, "egress.deniedDomains"),
        (Source::Allowed, "egress.allowedDomains"),
        (Source::Preset(Preset::Vcs), "egress.presets vcs"),
    ] {
        assert_eq!(source.to_string(), text);
    }
}

#[test]
fn a_policy_shows_its_rules_where_it_is_logged() {
    let egress = Egress::builder()
        .allow(Pattern::parse("*.acme.example").unwrap())
        .deny(Pattern::parse("pastebin.com").unwrap())
        .build()
        .unwrap();
    assert_eq!(
        format!("{egress:?}"),
        "Egress { denied: [Pattern(pastebin.com)], \
         allowed: [(Pattern(*.acme.example), Allowed)], \
         default: Default { verdict: Deny, implied: true } }"
    );
}

//! What holds of every ring and every unit.

use core::fmt::Write as _;

use policy_core::{Host, Organisation, Validation};
use proptest::prelude::*;
use proptest::sample::subsequence;

use super::validate;

/// The patterns of the small world in which rings and units are made up.
const PATTERNS: [&str; 7] = [
    "a.example",
    "*.a.example",
    "b.a.example",
    "*.b.a.example",
    "c.example",
    "github.com",
    "192.0.2.1",
];

/// Hosts that these patterns tell apart, and some that they do not.
pub(super) const HOSTS: [&str; 12] = [
    "a.example",
    "b.a.example",
    "c.a.example",
    "x.b.a.example",
    "c.example",
    "x.c.example",
    "github.com",
    "api.github.com",
    "x.github.com",
    "192.0.2.1",
    "192.0.2.2",
    "z.example",
];
const ROOTS: [&str; 4] = ["/opt/a", "/opt/a/b", "/opt/ab", "~/cache"];
const PATHS: [&str; 5] = ["~/.ssh", ".env*", "~/.aws", "~/cache/x", "/opt/c"];

/// One layer, as YAML in flow style; a list may be absent.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub(super) allowed: Option<Vec<&'static str>>,
    pub(super) presets: Option<Vec<&'static str>>,
    pub(super) denied: Vec<&'static str>,
    pub(super) default: Option<&'static str>,
    pub(super) mode: Option<&'static str>,
    pub(super) roots: Option<Vec<&'static str>>,
    pub(super) protected: Vec<&'static str>,
}

impl Said {
    pub(super) fn yaml(&self) -> String {
        fn list(out: &mut String, key: &str, entries: Option<&[&str]>) {
            if let Some(entries) = entries {
                let entries: Vec<String> =
                    entries.iter().map(|entry| format!("'{entry}'")).collect();
                write!(out, "{key}: [{}], ", entries.join(", ")).unwrap();
            }
        }
        // `[]` says something of these lists that overlays may not say.
        fn unless_empty<'l>(list: &'l [&'static str]) -> Option<&'l [&'static str]> {
            Some(list).filter(|list| !list.is_empty())
        }
        let (mut egress, mut sandbox) = (String::new(), String::new());
        list(&mut egress, "allowedDomains", self.allowed.as_deref());
        list(&mut egress, "presets", self.presets.as_deref());
        list(&mut egress, "deniedDomains", unless_empty(&self.denied));
        list(&mut sandbox, "writableRoots", self.roots.as_deref());
        list(
            &mut sandbox,
            "protectedPaths",
            unless_empty(&self.protected),
        );
        if let Some(default) = self.default {
            write!(egress, "default: {default}").unwrap();
        }
        if let Some(mode) = self.mode {
            write!(sandbox, "mode: {mode}").unwrap();
        }
        format!("egress: {{ {egress} }}, sandbox: {{ {sandbox} }}")
    }
}

fn some<T: Clone + core::fmt::Debug + 'static>(
    all: &'static [T],
    most: usize,
) -> impl Strategy<Value = Vec<T>> {
    subsequence(all, 0..=most)
}

pub(super) fn ring() -> impl Strategy<Value = Said> {
    let egress = prop_oneof![
        // A list, or "allow all", or "deny all".
        3 => (some(&PATTERNS, 6), some(&["vcs"], 1)).prop_map(|(allowed, presets)| {
            let default = if allowed.is_empty() && presets.is_empty() { Some("deny") } else { None };
            Said { allowed: Some(allowed), presets: Some(presets), default, ..Said::default() }
        }),
        1 => Just(Said::default()),
        1 => Just(Said { default: Some("allow"), ..Said::default() }),
    ];
    let mode = prop_oneof![
        Just(None),
        Just(Some("workspace-write")),
        Just(Some("read-only"))
    ];
    (
        egress,
        some(&PATTERNS, 2),
        mode,
        some(&ROOTS, 3),
        some(&PATHS, 2),
    )
        .prop_map(|(said, denied, mode, roots, protected)| Said {
            denied,
            mode,
            roots: Some(roots).filter(|_| mode != Some("read-only")),
            protected,
            ..said
        })
}

/// An overlay that often narrows, and sometimes does not.
pub(super) fn overlay() -> impl Strategy<Value = Said> {
    let maybe = |list: BoxedStrategy<Vec<&'static str>>| proptest::option::weighted(0.4, list);
    (
        maybe(some(&PATTERNS, 3).boxed()),
        maybe(some(&["vcs"], 1).boxed()),
        some(&PATTERNS, 2),
        prop_oneof![6 => Just(None), 1 => Just(Some("deny"))],
        prop_oneof![5 => Just(None), 1 => Just(Some("workspace-write")), 1 => Just(Some("read-only"))],
        maybe(some(&ROOTS, 2).boxed()),
        some(&PATHS, 2),
    )
        .prop_map(|(allowed, presets, denied, default, mode, roots, protected)| Said {
            allowed,
            presets,
            denied,
            default,
            mode,
            roots,
            protected,
        })
}

fn repository(ring: &Said, overlays: &[Said]) -> Validation {
    let unit: String = overlays
        .iter()
        .map(|said| format!("  - {{ {} }}\n", said.yaml()))
        .collect();
    validate(&[
        (
            "halos.yaml",
            "rings: { ga: { profile: base, default: true } }",
        ),
        ("profiles/base.yaml", &format!("{{ {} }}", ring.yaml())),
        ("units/u.yaml", &format!("overlays:\n{unit}")),
    ])
}

/// The policy of the ring and that of the unit in it decide every host of the small world.
fn decisions(organisation: &Organisation, unit: Option<&str>) -> Vec<bool> {
    let selection = organisation.select(None, unit).unwrap();
    let egress = selection.policy().egress().clone();
    let hosts = HOSTS.iter().map(|host| Host::parse(host).unwrap());
    hosts
        .map(|host| egress.decide(&host).is_allowed())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Of an organisation that is valid, no unit permits what its ring does not: neither by the
    /// comparison of policies nor by a look at each host.
    #[test]
    fn overlay_never_widens(ring in ring(), overlays in proptest::collection::vec(overlay(), 1..3)) {
        let validation = repository(&ring, &overlays);
        let Some(organisation) = validation.organisation() else { return Ok(()) };
        let of_ring = organisation.select(None, None).unwrap();
        let of_unit = organisation.select(None, Some("u")).unwrap();
        prop_assert_eq!(of_unit.policy().is_within(of_ring.policy()), Ok(()));
        let hosts = decisions(organisation, Some("u")).into_iter().zip(decisions(organisation, None));
        for ((unit, ring), host) in hosts.zip(HOSTS) {
            prop_assert!(!unit || ring, "{}", host);
        }
    }

    /// In whatever order overlays stand, they are valid or not, and mean the same.
    #[test]
    fn overlays_commute(
        ring in ring(),
        (overlays, shuffled) in proptest::collection::vec(overlay(), 2..4)
            .prop_flat_map(|overlays| (Just(overlays.clone()), Just(overlays).prop_shuffle())),
    ) {
        let (one, other) = (repository(&ring, &overlays), repository(&ring, &shuffled));
        let policy = |validation: &Validation| {
            let organisation = validation.organisation()?;
            Some(organisation.select(None, Some("u")).unwrap().into_policy())
        };
        prop_assert_eq!(policy(&one), policy(&other));
    }
}

/// The two laws would say nothing of units that are all refused, or that never say anything.
#[test]
fn the_laws_see_units_that_are_valid_and_units_that_are_not() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let strategy = (ring(), proptest::collection::vec(overlay(), 1..3));
    let (mut valid, mut narrower) = (0, 0);
    for _ in 0..200 {
        let (ring, overlays) = strategy.new_tree(&mut runner).unwrap().current();
        let validation = repository(&ring, &overlays);
        if let Some(organisation) = validation.organisation() {
            valid += 1;
            let narrowed = decisions(organisation, Some("u")) != decisions(organisation, None);
            narrower += usize::from(narrowed);
        }
    }
    assert!((20..180).contains(&valid), "{valid} of 200 are valid");
    assert!(
        narrower > 10,
        "{narrower} of {valid} decide a host of the small world otherwise"
    );
}

//! An explanation names every place that had a say, and its changes turn the answer round.

use alloc::collections::BTreeMap;

use policy_core::{
    Change, Explanation, Host, Opposite, Organisation, Place, Repository, Selection,
};
use proptest::prelude::*;
use serde_yaml::{Mapping, Value};

use super::laws::{HOSTS, Said, overlay, ring};
use super::organisation;

type Files = BTreeMap<String, String>;

fn files(texts: &[(&str, &str)]) -> Files {
    texts
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect()
}

fn validate(files: &Files) -> policy_core::Validation {
    let files = files
        .iter()
        .map(|(path, text)| (path.clone(), text.clone().into_bytes()));
    Repository::from_files(files).validate()
}

/// An explanation in lines.
fn lines(explanation: &Explanation<'_>) -> Vec<String> {
    let places = |places: &[Place]| {
        let places: Vec<String> = places
            .iter()
            .map(|place| format!("{place} {}", place.role().as_str()))
            .collect();
        places.join(", ")
    };
    let decided = explanation.decided();
    let mut lines = vec![format!("{} ({})", decided.rule(), places(decided.places()))];
    for lost in explanation.lost() {
        let why = lost.lost().unwrap().as_str();
        lines.push(format!(
            "{why}: {} ({})",
            lost.rule(),
            places(lost.places())
        ));
    }
    match explanation.opposite() {
        Opposite::Changes(changes) => lines.extend(changes.iter().map(Change::to_string)),
        _ => lines.push("the gateway".to_owned()),
    }
    lines
}

const WORLD: [(&str, &str); 5] = [
    (
        "halos.yaml",
        "gateway: https://ai.example\nrings: { ga: { profile: child, default: true }, open: { profile: open } }",
    ),
    (
        "profiles/base.yaml",
        "
sandbox: { mode: workspace-write }
egress:
  allowedDomains: [ai.example, docs.example, '*.docs.example']
  presets: [vcs]
  deniedDomains: [paste.example]
",
    ),
    (
        "profiles/child.yaml",
        "
extends: base
egress:
  allowedDomains: ['*.a.docs.example', b.a.docs.example, github.com]
  deniedDomains: [paste.example, '*.paste.example', x.docs.example]
",
    ),
    ("profiles/open.yaml", "permissions: { sandbox: off }"),
    (
        "units/u.yaml",
        "
overlays:
  - egress: { deniedDomains: [gist.example] }
    sandbox: { mode: workspace-write }
  - rings: [ga]
    egress:
      allowedDomains: [ai.example, docs.example]
      presets: []
",
    ),
];

#[test]
fn an_explanation_tells_the_whole_way_to_the_answer() {
    let world = files(&WORLD);
    let validation = validate(&world);
    let organisation = organisation(&validation);
    for (ring, unit, host, expected) in [
        // Every layer that says it.
        (
            "ga",
            None,
            "paste.example",
            &[
                "egress.deniedDomains paste.example (profiles/base.yaml:6:19 profile, profiles/child.yaml:5:19 profile)",
                "pattern-matched: egress.default deny (implied) (profiles/child.yaml:4:3 profile)",
                "remove `paste.example` from profiles/base.yaml:6:19 (profiles.base.egress.deniedDomains[0])",
                "remove `paste.example` from profiles/child.yaml:5:19 (profiles.child.egress.deniedDomains[0])",
                "add `paste.example` in profiles/child.yaml (profiles.child.egress.allowedDomains)",
            ][..],
        ),
        // Deny wins; of those that allow, the longer wildcard before the shorter.
        (
            "ga",
            None,
            "x.docs.example",
            &[
                "egress.deniedDomains x.docs.example (profiles/child.yaml:5:53 profile)",
                "deny-wins: egress.allowedDomains *.docs.example (profiles/base.yaml:4:46 profile)",
                "pattern-matched: egress.default deny (implied) (profiles/child.yaml:4:3 profile)",
                "remove `x.docs.example` from profiles/child.yaml:5:53 (profiles.child.egress.deniedDomains[2])",
            ],
        ),
        (
            "ga",
            None,
            "b.a.docs.example",
            &[
                "egress.allowedDomains b.a.docs.example (profiles/child.yaml:4:40 profile)",
                "exact-first: egress.allowedDomains *.a.docs.example (profiles/child.yaml:4:20 profile)",
                "exact-first: egress.allowedDomains *.docs.example (profiles/base.yaml:4:46 profile)",
                "pattern-matched: egress.default deny (implied) (profiles/child.yaml:4:3 profile)",
                "add `b.a.docs.example` in profiles/child.yaml (profiles.child.egress.deniedDomains)",
            ],
        ),
        (
            "ga",
            None,
            "c.a.docs.example",
            &[
                "egress.allowedDomains *.a.docs.example (profiles/child.yaml:4:20 profile)",
                "longer-first: egress.allowedDomains *.docs.example (profiles/base.yaml:4:46 profile)",
                "pattern-matched: egress.default deny (implied) (profiles/child.yaml:4:3 profile)",
                "add `c.a.docs.example` in profiles/child.yaml (profiles.child.egress.deniedDomains)",
            ],
        ),
        // A list before a preset.
        (
            "ga",
            None,
            "github.com",
            &[
                "egress.allowedDomains github.com (profiles/child.yaml:4:58 profile)",
                "list-order: egress.presets vcs (github.com) (profiles/base.yaml:5:13 profile)",
                "pattern-matched: egress.default deny (implied) (profiles/child.yaml:4:3 profile)",
                "add `github.com` in profiles/child.yaml (profiles.child.egress.deniedDomains)",
            ],
        ),
        // The default, and what makes it.
        (
            "ga",
            None,
            "z.example",
            &[
                "egress.default deny (implied) (profiles/child.yaml:4:3 profile)",
                "add `z.example` in profiles/child.yaml (profiles.child.egress.allowedDomains)",
            ],
        ),
        // What a unit lists by itself may not be denied under it.
        (
            "ga",
            None,
            "docs.example",
            &[
                "egress.allowedDomains docs.example (profiles/base.yaml:4:32 profile)",
                "pattern-matched: egress.default deny (implied) (profiles/child.yaml:4:3 profile)",
                "add `docs.example` in profiles/child.yaml (profiles.child.egress.deniedDomains)",
                "remove `docs.example` from units/u.yaml:7:36 (units.u.overlays[1].egress.allowedDomains[1])",
            ],
        ),
        (
            "ga",
            None,
            "ai.example",
            &[
                "egress.allowedDomains ai.example (profiles/base.yaml:4:20 profile)",
                "pattern-matched: egress.default deny (implied) (profiles/child.yaml:4:3 profile)",
                "the gateway",
            ],
        ),
        // In a unit.
        (
            "ga",
            Some("u"),
            "gist.example",
            &[
                "egress.deniedDomains gist.example (units/u.yaml:3:31 overlay)",
                "pattern-matched: egress.default deny (implied) (units/u.yaml:7:7 overlay)",
                "add `gist.example` in profiles/child.yaml (profiles.child.egress.allowedDomains)",
                "remove `gist.example` from units/u.yaml:3:31 (units.u.overlays[0].egress.deniedDomains[0])",
                "add `gist.example` in units/u.yaml (units.u.overlays[1].egress.allowedDomains)",
            ],
        ),
        (
            "ga",
            Some("u"),
            "docs.example",
            &[
                "egress.allowedDomains docs.example (units/u.yaml:7:36 overlay)",
                "pattern-matched: egress.default deny (implied) (units/u.yaml:7:7 overlay)",
                "add the overlay `{ rings: [ga], egress: { deniedDomains: [docs.example] } }` in units/u.yaml (units.u.overlays)",
            ],
        ),
        // No rules, and no sandbox that would hold one.
        (
            "open",
            None,
            "z.example",
            &[
                "egress.default allow (implied) ()",
                "add `z.example` in profiles/open.yaml (profiles.open.egress.deniedDomains)",
                "write `workspace-write` in profiles/open.yaml (profiles.open.permissions.sandbox)",
            ],
        ),
    ] {
        let selection = organisation.select(Some(ring), unit).unwrap();
        let explanation = organisation
            .explain(&selection, &Host::parse(host).unwrap())
            .unwrap();
        assert_eq!(lines(&explanation), expected, "{ring} {unit:?} {host}");
        turned_round(&world, organisation, &selection, host);
    }
}

#[test]
fn every_answer_of_the_sample_repository_can_be_turned_round() {
    let world = files(&[
        (
            "halos.yaml",
            include_str!("../../../examples/acme/halos.yaml"),
        ),
        (
            "profiles/base.yaml",
            include_str!("../../../examples/acme/profiles/base.yaml"),
        ),
        (
            "profiles/canary.yaml",
            include_str!("../../../examples/acme/profiles/canary.yaml"),
        ),
        (
            "profiles/engineering.yaml",
            include_str!("../../../examples/acme/profiles/engineering.yaml"),
        ),
        (
            "units/payments.yaml",
            include_str!("../../../examples/acme/units/payments.yaml"),
        ),
    ]);
    let validation = validate(&world);
    let organisation = organisation(&validation);
    for ring in ["ring0-canary", "ring3-ga"] {
        for unit in [None, Some("payments")] {
            let selection = organisation.select(Some(ring), unit).unwrap();
            let egress = selection.policy().egress();
            for host in policy_core::witnesses(egress.patterns()) {
                turned_round(&world, organisation, &selection, &host.to_string());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_changes_turn_the_answer_round(
        base in ring(),
        child in overlay(),
        overlays in proptest::collection::vec((overlay(), 0..4_usize), 0..3),
    ) {
        const RINGS: [&str; 4] = ["", "rings: [ga], ", "rings: [old], ", "rings: [ga, old], "];
        let child = Said { mode: None, ..child };
        let unit: String = overlays
            .iter()
            .map(|(said, rings)| format!("  - {{ {}{} }}\n", RINGS[*rings], said.yaml()))
            .collect();
        let unit = if unit.is_empty() { "overlays: []".to_owned() } else { format!("overlays:\n{unit}") };
        let world = files(&[
            ("halos.yaml", "rings: { ga: { profile: child, default: true }, old: { profile: base } }"),
            ("profiles/base.yaml", &format!("{{ {} }}", base.yaml())),
            ("profiles/child.yaml", &format!("{{ extends: base, {} }}", child.yaml())),
            ("units/u.yaml", &unit),
        ]);
        let validation = validate(&world);
        let Some(organisation) = validation.organisation() else { return Ok(()) };
        for ring in ["ga", "old"] {
            for unit in [None, Some("u")] {
                let selection = organisation.select(Some(ring), unit).unwrap();
                for host in HOSTS {
                    turned_round(&world, organisation, &selection, host);
                }
            }
        }
    }
}

/// What a layer may say in the small world of modes.
fn sayings() -> Vec<Said> {
    let modes = [
        None,
        Some("off"),
        Some("workspace-write"),
        Some("read-only"),
    ];
    let egress = [
        Said::default(),
        Said {
            default: Some("allow"),
            ..Said::default()
        },
        Said {
            default: Some("deny"),
            ..Said::default()
        },
        Said {
            allowed: Some(vec!["a.example"]),
            ..Said::default()
        },
        Said {
            allowed: Some(Vec::new()),
            default: Some("allow"),
            ..Said::default()
        },
        Said {
            denied: vec!["a.example"],
            ..Said::default()
        },
    ];
    let with = |mode| egress.clone().map(|said| Said { mode, ..said });
    let all = modes.into_iter().flat_map(with);
    // To hosts `read-only` is what `workspace-write` is.
    all.filter(|said| said.mode != Some("read-only") || said.default.is_none())
        .collect()
}

#[test]
fn every_answer_is_turned_round_whatever_the_modes_of_baseline_ring_and_unit() {
    let sayings = sayings();
    let world = |base: &Said, child: &Said, unit: &str| {
        files(&[
            (
                "halos.yaml",
                "rings: { ga: { profile: child, default: true }, old: { profile: base } }",
            ),
            ("profiles/base.yaml", &format!("{{ {} }}", base.yaml())),
            (
                "profiles/child.yaml",
                &format!("{{ extends: base, {} }}", child.yaml()),
            ),
            ("units/u.yaml", unit),
        ])
    };
    let mut turned = 0_usize;
    let pairs = sayings
        .iter()
        .flat_map(|base| sayings.iter().map(move |child| (base, child)));
    let is_valid = |files: &Files| validate(files).organisation().is_some();
    for (base, child) in pairs.filter(|(base, child)| is_valid(&world(base, child, "{}"))) {
        // None that allows by default is valid.
        for unit in sayings.iter().filter(|unit| unit.default != Some("allow")) {
            let unit = format!("overlays: [{{ rings: [ga], {} }}]", unit.yaml());
            let world = world(base, child, &unit);
            let validation = validate(&world);
            let Some(organisation) = validation.organisation() else {
                continue;
            };
            for (ring, unit) in [("ga", None), ("ga", Some("u")), ("old", None)] {
                let selection = organisation.select(Some(ring), unit).unwrap();
                for host in ["a.example", "z.example"] {
                    turned_round(&world, organisation, &selection, host);
                    turned += 1;
                }
            }
        }
    }
    assert!(turned > 5_000, "{turned} are too few");
}

/// Applies the changes of an explanation and sees the opposite answer.
fn turned_round(world: &Files, organisation: &Organisation, selection: &Selection<'_>, host: &str) {
    let host = Host::parse(host).unwrap();
    let explanation = organisation.explain(selection, &host).unwrap();
    let Opposite::Changes(changes) = explanation.opposite() else {
        assert_eq!(organisation.gateway(), Some(&host));
        return;
    };
    let changed = apply(world, changes);
    let validation = validate(&changed);
    let (ring, unit) = (selection.ring().unwrap().name(), selection.unit());
    let told = || {
        format!(
            "{host} in {ring} {unit:?}\n{world:#?}\n{changes:#?}\n{changed:#?}\n{:#?}",
            validation.findings()
        )
    };
    let Some(organisation) = validation.organisation() else {
        panic!("the changed policy has errors: {}", told());
    };
    let after = organisation.select(Some(ring), unit).unwrap();
    let verdict = after.policy().egress().decide(&host).verdict();
    assert_ne!(verdict, explanation.decision().verdict(), "{}", told());
    // What is removed may have spoken for other hosts as well; what is added may not.
    let only_adds = changes.iter().all(|change| match change {
        Change::Remove { .. } => false,
        Change::Add { ends_clearing, .. } => !ends_clearing,
        _ => true,
    });
    if only_adds {
        let others = HOSTS.iter().map(|other| Host::parse(other).unwrap());
        for other in others.filter(|other| *other != host) {
            let decide =
                |selection: &Selection<'_>| selection.policy().egress().decide(&other).verdict();
            assert_eq!(decide(selection), decide(&after), "{other}: {}", told());
        }
    }
}

/// The files after the changes.
fn apply(world: &Files, changes: &[Change]) -> Files {
    let mut trees: BTreeMap<&str, Value> = BTreeMap::new();
    for (path, text) in world {
        let tree: Value = serde_yaml::from_str(text).unwrap();
        trees.insert(
            path,
            if tree.is_null() {
                Mapping::new().into()
            } else {
                tree
            },
        );
    }
    // First what adds, so that indices stay; then what removes, the last entry first.
    let mut removals = Vec::new();
    for change in changes {
        match change {
            Change::Remove { place, entry } => {
                assert_stands_at(&world[place.file()], place, entry);
                removals.push((place.file(), keys(place.path())));
            }
            Change::Add {
                file, path, entry, ..
            } => {
                let list = at(trees.get_mut(&**file).unwrap(), &keys(path));
                push(list, Value::String(entry.clone()));
            }
            Change::Set { file, path, value } => {
                let value = serde_yaml::from_str(value).unwrap();
                *at(trees.get_mut(&**file).unwrap(), &keys(path)) = value;
            }
            Change::AddOverlay {
                file,
                path,
                overlay,
            } => {
                let list = at(trees.get_mut(&**file).unwrap(), &keys(path));
                push(list, serde_yaml::from_str(overlay).unwrap());
            }
            other => panic!("{other}"),
        }
    }
    removals.sort();
    for (file, mut keys) in removals.into_iter().rev() {
        let Some(Key::Index(index)) = keys.pop() else {
            panic!()
        };
        let tree = trees.get_mut(file).unwrap();
        let list = at(tree, &keys).as_sequence_mut().unwrap();
        list.remove(index);
        if list.is_empty() && keys.last() == Some(&Key::Name("deniedDomains".to_owned())) {
            keys.pop();
            at(tree, &keys)
                .as_mapping_mut()
                .unwrap()
                .remove("deniedDomains");
        }
    }
    let text = |tree: &Value| serde_yaml::to_string(tree).unwrap();
    trees
        .iter()
        .map(|(path, tree)| ((*path).to_owned(), text(tree)))
        .collect()
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Name(String),
    Index(usize),
}

/// `profiles.base.egress.deniedDomains[0]` in its file.
fn keys(path: &str) -> Vec<Key> {
    let in_file = path.splitn(3, '.').nth(2).unwrap();
    let mut keys = Vec::new();
    for part in in_file.split('.') {
        let (name, index) = part.split_once('[').unwrap_or((part, ""));
        keys.push(Key::Name(name.to_owned()));
        if let Some(index) = index.strip_suffix(']') {
            keys.push(Key::Index(index.parse().unwrap()));
        }
    }
    keys
}

/// The value at these keys, made where it is not there yet.
fn at<'t>(tree: &'t mut Value, keys: &[Key]) -> &'t mut Value {
    keys.iter().fold(tree, |tree, key| match key {
        Key::Name(name) => {
            if tree.is_null() {
                *tree = Mapping::new().into();
            }
            let mapping = tree.as_mapping_mut().unwrap();
            mapping.entry(name.as_str().into()).or_insert(Value::Null)
        }
        Key::Index(index) => tree.get_mut(index).unwrap(),
    })
}

fn push(list: &mut Value, entry: Value) {
    if list.is_null() {
        *list = Value::Sequence(Vec::new());
    }
    list.as_sequence_mut().unwrap().push(entry);
}

fn assert_stands_at(text: &str, place: &Place, entry: &str) {
    let position = place.position().unwrap();
    let number = |n: core::num::NonZeroU32| usize::try_from(n.get()).unwrap() - 1;
    let line = text.lines().nth(number(position.line())).unwrap();
    let rest: String = line.chars().skip(number(position.column())).collect();
    assert!(
        rest.trim_start_matches(['"', '\'']).starts_with(entry),
        "{place}: {rest}"
    );
}

//! Two repositories: everything that one permits and the other does not.

use alloc::collections::{BTreeMap, BTreeSet};

use core::fmt::Write as _;

use policy_core::{Difference, DifferenceKind, Host, Organisation, Validation};
use proptest::prelude::*;
use proptest::sample::subsequence;

use super::{organisation, validate};

const BASE: &str = "
harnesses: { codex: 0.166.0, claude-code: 2.1.280 }
egress: { allowedDomains: [ai.example, '*.a.example'], deniedDomains: [x.a.example] }
sandbox: { mode: workspace-write, writableRoots: [/opt/a], protectedPaths: [~/.ssh] }
";
const HALOS: &str = "
gateway: https://ai.example
rings: { ga: { profile: base, posture: enforce, default: true }, canary: { profile: base } }
";
const UNIT: &str = "overlays: [{ egress: { deniedDomains: [y.a.example] } }]";

/// A repository: the one above, with some files replaced; an empty one is left out.
fn repository(changes: &[(&'static str, &str)]) -> Validation {
    let mut files = BTreeMap::from([
        ("halos.yaml", HALOS),
        ("profiles/base.yaml", BASE),
        ("units/pay.yaml", UNIT),
    ]);
    files.extend(changes.iter().copied());
    let files: Vec<(&str, &str)> = files
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .collect();
    validate(&files)
}

fn told(differences: &[Difference<'_>]) -> Vec<String> {
    let lines = differences.iter().map(|one| {
        let scopes: Vec<String> = one.scopes().iter().map(ToString::to_string).collect();
        format!(
            "{} {} ({}) in {}",
            one.kind(),
            one.what(),
            one.evidence(),
            scopes.join("; ")
        )
    });
    lines.collect()
}

fn difference(here: &Validation, there: &Validation) -> Vec<String> {
    let (here, there) = (organisation(here), organisation(there));
    told(&here.difference(there).unwrap())
}

/// One change a row: what it permits more, and what its reverse does.
#[test]
fn every_kind_of_change_is_told_in_both_directions() {
    const EVERYWHERE: &str = "ring ga; ring ga, unit pay; ring canary; ring canary, unit pay";
    let base = |from: &str, to: &str| {
        assert!(BASE.contains(from), "{from}");
        BASE.replace(from, to)
    };
    let halos = |from: &str, to: &str| {
        assert!(HALOS.contains(from), "{from}");
        HALOS.replace(from, to)
    };
    let everywhere = |what: &str| vec![format!("{what} in {EVERYWHERE}")];
    let list = |lines: &[&str]| -> Vec<String> { lines.iter().map(ToString::to_string).collect() };
    let rows: Vec<(&str, Vec<(&'static str, String)>, Vec<String>, Vec<String>)> = vec![
        ("nothing", vec![], vec![], vec![]),
        (
            "hosts",
            vec![(
                "profiles/base.yaml",
                base("'*.a.example'", "'*.a.example', b.example"),
            )],
            everywhere("hosts `b.example` (b.example)"),
            vec![],
        ),
        (
            "a host that was permitted already",
            vec![(
                "profiles/base.yaml",
                base("'*.a.example'", "'*.a.example', z.a.example"),
            )],
            vec![],
            vec![],
        ),
        (
            "a denied host",
            vec![(
                "profiles/base.yaml",
                base("x.a.example", "x.a.example, w.a.example"),
            )],
            vec![],
            everywhere("hosts `*.a.example` (w.a.example)"),
        ),
        (
            "a writable root",
            vec![("profiles/base.yaml", base("[/opt/a]", "[/opt/a, /opt/b]"))],
            everywhere("paths writable root `/opt/b` (/opt/b)"),
            vec![],
        ),
        (
            "a protected path",
            vec![("profiles/base.yaml", base("[~/.ssh]", "[]"))],
            everywhere("paths no protection of `~/.ssh` (~/.ssh)"),
            vec![],
        ),
        (
            "a mode",
            vec![(
                "profiles/base.yaml",
                base("workspace-write, writableRoots: [/opt/a]", "read-only"),
            )],
            vec![],
            list(&[
                &format!("paths writable root `/opt/a` (/opt/a) in {EVERYWHERE}"),
                &format!("mode mode `workspace-write` (.) in {EVERYWHERE}"),
            ]),
        ),
        (
            "a posture that is no longer written",
            vec![("halos.yaml", halos("posture: enforce, ", ""))],
            list(&["posture posture `warn` (a device with drift) in ring ga"]),
            vec![],
        ),
        (
            "a posture that is off",
            vec![(
                "halos.yaml",
                halos(
                    "canary: { profile: base",
                    "canary: { profile: base, posture: off",
                ),
            )],
            list(&["posture posture `off` (a device with drift) in ring canary"]),
            vec![],
        ),
        (
            "a posture that is written as it was implied",
            vec![(
                "halos.yaml",
                halos(
                    "canary: { profile: base",
                    "canary: { profile: base, posture: warn",
                ),
            )],
            vec![],
            vec![],
        ),
        (
            "a gateway's scheme",
            vec![("halos.yaml", halos("https", "http"))],
            list(&["gateway gateway `http://ai.example/` (http://ai.example/) in every ring"]),
            list(&["gateway gateway `https://ai.example/` (https://ai.example/) in every ring"]),
        ),
        (
            "a gateway's port",
            vec![("halos.yaml", halos("ai.example", "ai.example:8443"))],
            list(&[
                "gateway gateway `https://ai.example:8443/` (https://ai.example:8443/) in every ring",
            ]),
            list(&["gateway gateway `https://ai.example/` (https://ai.example/) in every ring"]),
        ),
        (
            "no gateway",
            vec![("halos.yaml", halos("gateway: https://ai.example", ""))],
            list(&["gateway no gateway (https://ai.example/) in every ring"]),
            list(&["gateway gateway `https://ai.example/` (https://ai.example/) in every ring"]),
        ),
        (
            "a gateway that is written otherwise",
            vec![(
                "halos.yaml",
                halos("https://ai.example", "HTTPS://AI.example:443/"),
            )],
            vec![],
            vec![],
        ),
        (
            "a pin",
            vec![("profiles/base.yaml", base("codex: 0.166.0, ", ""))],
            list(&["pin no pin of `codex` (codex 0.166.0) in ring ga; ring canary"]),
            vec![],
        ),
        (
            "a ring",
            vec![("halos.yaml", halos(", canary: { profile: base }", ""))],
            list(&["ring no ring `canary` (canary) in ring canary"]),
            // As the default ring, but for its posture.
            list(&[
                "posture posture `warn` (a device with drift) in ring canary, compared with ring ga",
            ]),
        ),
        (
            "the default ring",
            vec![(
                "halos.yaml",
                halos(", default: true", "").replace(
                    "canary: { profile: base",
                    "canary: { profile: base, default: true",
                ),
            )],
            list(&[
                "posture posture `warn` (a device with drift) in default ring canary, compared with ring ga",
            ]),
            vec![],
        ),
        (
            "no default ring",
            vec![("halos.yaml", halos(", default: true", ""))],
            list(&["ring no default ring (ga) in default ring ga"]),
            vec![],
        ),
        (
            "a unit",
            vec![("units/pay.yaml", String::new())],
            list(&[
                "unit without the unit, `*.a.example` (y.a.example) in ring ga, unit pay; ring canary, unit pay",
            ]),
            vec![],
        ),
        (
            "a unit that has become one of one ring",
            vec![("units/pay.yaml", UNIT.replace("[{", "[{ rings: [ga],"))],
            list(&["hosts `*.a.example` (y.a.example) in ring canary, unit pay"]),
            vec![],
        ),
        (
            "a unit that says nothing more",
            vec![("units/other.yaml", "overlays: []".to_owned())],
            vec![],
            vec![],
        ),
        (
            "a profile that no ring uses",
            vec![(
                "profiles/other.yaml",
                "egress: { default: allow }".to_owned(),
            )],
            vec![],
            vec![],
        ),
    ];
    let before = repository(&[]);
    for (name, changes, more, less) in rows {
        let changes: Vec<(&'static str, &str)> = changes
            .iter()
            .map(|(path, text)| (*path, &**text))
            .collect();
        let after = repository(&changes);
        assert_eq!(difference(&after, &before), more, "{name}");
        assert_eq!(difference(&before, &after), less, "{name}, reversed");
        assert_eq!(difference(&after, &after), Vec::<String>::new(), "{name}");
    }
}

/// A ring that is only here is compared with the default ring there, whatever its units say.
#[test]
fn a_new_ring_is_compared_with_the_default_ring() {
    let before = repository(&[("units/pay.yaml", &UNIT.replace("[{", "[{ rings: [ga],"))]);
    let ring = HALOS.replace(
        "canary:",
        "new: { profile: base, posture: enforce }, canary:",
    );
    let after = repository(&[
        ("halos.yaml", &ring),
        ("units/pay.yaml", &UNIT.replace("[{", "[{ rings: [ga],")),
    ]);
    assert_eq!(
        difference(&after, &before),
        ["hosts `*.a.example` (y.a.example) in ring new, unit pay, compared with ring ga"]
    );
    let before = repository(&[("halos.yaml", &HALOS.replace(", default: true", ""))]);
    assert_eq!(
        difference(&after, &before),
        [
            "hosts `*.a.example` (y.a.example) in ring canary, unit pay",
            "ring ring `new` (new) in ring new",
        ]
    );
}

/// A unit's absence is told by what it alone forbade.
#[test]
fn what_a_ring_permits_anew_is_not_told_again_of_a_missing_unit() {
    let before = repository(&[]);
    let more = BASE.replace("'*.a.example'", "'*.a.example', b.example");
    let after = repository(&[("profiles/base.yaml", &more), ("units/pay.yaml", "")]);
    assert_eq!(
        difference(&after, &before),
        [
            "hosts `b.example` (b.example) in ring ga; ring canary",
            "unit without the unit, `*.a.example` (y.a.example) in ring ga, unit pay; ring canary, unit pay",
        ]
    );
}

#[test]
fn other_versions_are_told_with_the_policies_that_they_are_to_hold() {
    let before = repository(&[]);
    let lowered = BASE
        .replace("0.166.0", "0.150.0")
        .replace("claude-code: 2.1.280", "opencode: 1.0.0");
    let after = repository(&[("profiles/base.yaml", &lowered)]);
    let (here, there) = (organisation(&after), organisation(&before));
    let repinned: Vec<String> = here
        .repinned(there)
        .map(|one| {
            let one = one.unwrap();
            let pins = one
                .pins()
                .map(|(harness, here, there)| format!("{harness} {here} {there}"));
            let pins: Vec<String> = pins.collect();
            let denied = one.policy().egress().denied().count();
            format!("{}: {}, {denied} denied", one.scope(), pins.join(" "))
        })
        .collect();
    assert_eq!(
        repinned,
        [
            "ring ga: codex 0.150.0 0.166.0, 1 denied",
            "ring ga, unit pay: codex 0.150.0 0.166.0, 2 denied",
            "ring canary: codex 0.150.0 0.166.0, 1 denied",
            "ring canary, unit pay: codex 0.150.0 0.166.0, 2 denied",
        ]
    );
    assert_eq!(here.repinned(here).count(), 0);
}

const RINGS: [&str; 3] = ["r", "s", "t"];
const UNITS: [&str; 2] = ["u", "v"];
const HOSTS: [&str; 3] = ["a.example", "b.example", "c.example"];
const PATHS: [&str; 2] = ["~/.a", "~/.b"];

/// What a layer of the small world says.
#[derive(Clone, Debug, Default)]
struct Layer {
    /// The hosts that it leaves open, of those that it finds open.
    hosts: BTreeSet<&'static str>,
    /// The paths that it closes.
    closed: BTreeSet<&'static str>,
    read_only: bool,
    pinned: bool,
}

/// A small repository: a profile of its own for each ring, and overlays by unit and ring.
#[derive(Clone, Debug)]
struct World {
    rings: BTreeMap<&'static str, (usize, Layer)>,
    default: Option<&'static str>,
    units: BTreeMap<&'static str, BTreeMap<&'static str, Layer>>,
}

/// What devices may do: the hosts, the open paths, whether they write.
#[derive(Debug, PartialEq, Eq)]
struct Permitted {
    hosts: BTreeSet<&'static str>,
    open: BTreeSet<&'static str>,
    writes: bool,
}

impl World {
    fn validation(&self) -> Validation {
        let postures = ["off", "warn", "enforce"];
        let sandbox = |layer: &Layer| {
            let closed: Vec<&str> = layer.closed.iter().copied().collect();
            let mut text = String::new();
            if !closed.is_empty() {
                write!(text, "protectedPaths: [{}], ", closed.join(", ")).unwrap();
            }
            text
        };
        let mut halos = String::from("rings:\n");
        let mut files = Vec::new();
        for (name, (posture, layer)) in &self.rings {
            let (posture, default) = (postures[*posture], self.default == Some(name));
            writeln!(
                halos,
                "  {name}: {{ profile: {name}, posture: {posture}, default: {default} }}"
            )
            .unwrap();
            let hosts: Vec<&str> = layer.hosts.iter().copied().collect();
            let mode = if layer.read_only {
                "read-only"
            } else {
                "workspace-write"
            };
            let pins = if layer.pinned {
                "{ codex: 0.166.0 }"
            } else {
                "{}"
            };
            files.push((
                format!("profiles/{name}.yaml"),
                format!(
                    "harnesses: {pins}\negress: {{ default: deny, allowedDomains: [{}] }}\nsandbox: {{ {}mode: {mode} }}\n",
                    hosts.join(", "),
                    sandbox(layer),
                ),
            ));
        }
        files.push(("halos.yaml".to_owned(), halos));
        for (name, overlays) in &self.units {
            let mut text = String::from("overlays:\n");
            let overlays = overlays
                .iter()
                .filter(|(ring, _)| self.rings.contains_key(*ring));
            for (ring, layer) in overlays {
                let denied: Vec<&str> = HOSTS
                    .into_iter()
                    .filter(|host| !layer.hosts.contains(host))
                    .collect();
                let denied = match denied.is_empty() {
                    true => String::new(),
                    false => format!("deniedDomains: [{}]", denied.join(", ")),
                };
                let mode = if layer.read_only {
                    "mode: read-only"
                } else {
                    ""
                };
                writeln!(
                    text,
                    "  - {{ rings: [{ring}], egress: {{ {denied} }}, sandbox: {{ {}{mode} }} }}",
                    sandbox(layer)
                )
                .unwrap();
            }
            if text.ends_with(":\n") {
                text = "overlays: []".to_owned();
            }
            files.push((format!("units/{name}.yaml"), text));
        }
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (&**path, &**text))
            .collect();
        validate(&files)
    }

    fn permitted(&self, ring: &str, unit: Option<&str>) -> Permitted {
        let ring_layer = &self.rings[ring].1;
        let overlay = unit.and_then(|unit| self.units.get(unit)?.get(ring));
        let layers = [Some(ring_layer), overlay];
        let layers = || layers.into_iter().flatten();
        Permitted {
            hosts: HOSTS
                .into_iter()
                .filter(|host| layers().all(|layer| layer.hosts.contains(host)))
                .collect(),
            open: PATHS
                .into_iter()
                .filter(|path| !layers().any(|layer| layer.closed.contains(path)))
                .collect(),
            writes: !layers().any(|layer| layer.read_only),
        }
    }

    /// The rings of this world with those of another that they are to be compared with.
    fn pairs(&self, other: &Self) -> Vec<(&'static str, &'static str)> {
        let mut pairs = Vec::new();
        for name in self.rings.keys() {
            if other.rings.contains_key(name) {
                pairs.push((*name, *name));
            } else {
                pairs.extend(other.default.map(|default| (*name, default)));
            }
        }
        pairs.extend(self.default.zip(other.default));
        pairs
    }

    /// Whether this world permits more, by a look at everything in it.
    fn permits_more(&self, other: &Self) -> bool {
        let lost = other
            .rings
            .keys()
            .any(|ring| !self.rings.contains_key(ring));
        let unknown = other.default.is_none()
            && self
                .rings
                .keys()
                .any(|ring| !other.rings.contains_key(ring));
        let no_default = other.default.is_some() && self.default.is_none();
        let units = [None].into_iter().chain(UNITS.map(Some));
        lost || unknown
            || no_default
            || self.pairs(other).into_iter().any(|(here, there)| {
                let (now, was) = (&self.rings[here], &other.rings[there]);
                now.0 < was.0
                    || (was.1.pinned && !now.1.pinned)
                    || units.clone().any(|unit| {
                        let (now, was) = (self.permitted(here, unit), other.permitted(there, unit));
                        !now.hosts.is_subset(&was.hosts)
                            || !now.open.is_subset(&was.open)
                            || (now.writes && !was.writes)
                    })
            })
    }
}

fn layer() -> impl Strategy<Value = Layer> {
    let closed = subsequence(&PATHS[..], 0..=2);
    // Mostly as others are, so that few things differ at once.
    let hosts = prop_oneof![3 => Just(HOSTS.to_vec()), 1 => subsequence(&HOSTS[..], 1..=3)];
    let closed = prop_oneof![3 => Just(Vec::new()), 1 => closed];
    (
        hosts,
        closed,
        proptest::bool::weighted(0.1),
        proptest::bool::weighted(0.8),
    )
        .prop_map(|(hosts, closed, read_only, pinned)| Layer {
            hosts: hosts.into_iter().collect(),
            closed: closed.into_iter().collect(),
            read_only,
            pinned,
        })
}

fn world() -> impl Strategy<Value = World> {
    let rings = prop_oneof![
        2 => Just(RINGS.to_vec()),
        1 => subsequence(&RINGS[..], 1..=3),
    ];
    let rings = (rings, proptest::collection::vec((1_usize..3, layer()), 3));
    let overlays =
        || proptest::collection::btree_map(proptest::sample::select(&RINGS[..]), layer(), 0..3);
    let units =
        proptest::collection::btree_map(proptest::sample::select(&UNITS[..]), overlays(), 0..3);
    (rings, 0_usize..5, units).prop_map(|((names, layers), default, units)| World {
        default: names
            .get(default)
            .or(names.first())
            .copied()
            .filter(|_| default != 4),
        rings: names.into_iter().zip(layers).collect(),
        units,
    })
}

/// A world, and one that is made of it by a few changes.
fn pair_of_worlds() -> impl Strategy<Value = (World, World)> {
    (world(), world(), 0_usize..7).prop_map(|(one, other, what)| {
        let mut changed = one.clone();
        match what {
            0 => changed.units = other.units,
            1 => changed.default = other.default.filter(|name| one.rings.contains_key(name)),
            2 => {
                let ring = other.rings.into_iter().next();
                changed.rings.extend(ring);
            }
            3 => changed = other,
            4 => {
                let narrower = |(_, (posture, layer)): (_, &mut (usize, Layer))| {
                    *posture = 2;
                    layer.closed.extend(PATHS);
                };
                changed.rings.iter_mut().for_each(narrower);
            }
            5 => {
                changed.units.pop_first();
            }
            _ => {}
        }
        (one, changed)
    })
}

/// What a difference says is so in the two worlds.
fn assert_shown(one: &Difference<'_>, here: &World, there: &World) {
    for scope in one.scopes() {
        let Some(ring) = scope.ring() else { continue };
        let other = scope.against().unwrap_or(ring);
        if one.kind() == DifferenceKind::Ring {
            continue;
        }
        let of_unit = scope.unit();
        let (now, was) = (
            here.permitted(ring, of_unit),
            there.permitted(other, of_unit),
        );
        let evidence = one.evidence();
        let shown = match one.kind() {
            DifferenceKind::Hosts => now.hosts.contains(evidence) && !was.hosts.contains(evidence),
            DifferenceKind::Paths => now.open.contains(evidence) && !was.open.contains(evidence),
            DifferenceKind::Mode => now.writes && !was.writes,
            DifferenceKind::Posture => here.rings[ring].0 < there.rings[other].0,
            DifferenceKind::Pin => !here.rings[ring].1.pinned && there.rings[other].1.pinned,
            DifferenceKind::Unit => !here.units.contains_key(of_unit.unwrap()) && now != was,
            kind => panic!("{kind}"),
        };
        assert!(shown, "{one} in {scope}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    /// The comparison agrees with a look at every ring, unit, host and path, both ways round, and
    /// whatever it tells is so.
    #[test]
    fn the_comparison_agrees_with_an_enumeration((one, other) in pair_of_worlds()) {
        let (of_one, of_other) = (one.validation(), other.validation());
        for (here, there, now, was) in
            [(&of_one, &of_other, &one, &other), (&of_other, &of_one, &other, &one)]
        {
            let (here, there) = (organisation(here), organisation(there));
            let differences = here.difference(there).unwrap();
            prop_assert_eq!(!differences.is_empty(), now.permits_more(was), "{:?}", told(&differences));
            for one in &differences {
                assert_shown(one, now, was);
            }
            prop_assert_eq!(here.difference(here).unwrap(), Vec::new());
        }
    }

    /// The enumeration's own reading of a world is that of the policies.
    #[test]
    fn the_enumeration_reads_worlds_as_they_are_meant(world in world()) {
        let validation = world.validation();
        let organisation: &Organisation = organisation(&validation);
        for ring in world.rings.keys() {
            for unit in [None].into_iter().chain(world.units.keys().map(|unit| Some(*unit))) {
                let selection = organisation.select(Some(ring), unit).unwrap();
                let permitted = world.permitted(ring, unit);
                for host in HOSTS {
                    let allowed = selection.policy().egress().decide(&Host::parse(host).unwrap());
                    prop_assert_eq!(allowed.is_allowed(), permitted.hosts.contains(host));
                }
            }
        }
    }
}

/// The law would say nothing of pairs that always differ, or never.
#[test]
fn the_law_sees_every_answer() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut answers = BTreeMap::new();
    let mut kinds = BTreeSet::new();
    for _ in 0..300 {
        let (one, other) = pair_of_worlds().new_tree(&mut runner).unwrap().current();
        *answers
            .entry((one.permits_more(&other), other.permits_more(&one)))
            .or_insert(0) += 1;
        let (one, other) = (one.validation(), other.validation());
        let differences = organisation(&one).difference(organisation(&other)).unwrap();
        kinds.extend(differences.iter().map(Difference::kind));
    }
    for answer in [(false, false), (false, true), (true, false), (true, true)] {
        assert!(
            answers.get(&answer).is_some_and(|count| *count > 15),
            "{answers:?}"
        );
    }
    let every = DifferenceKind::ALL.iter().copied();
    let missing: Vec<DifferenceKind> = every.filter(|kind| !kinds.contains(kind)).collect();
    // The small world has no gateway.
    assert_eq!(missing, [DifferenceKind::Gateway]);
}

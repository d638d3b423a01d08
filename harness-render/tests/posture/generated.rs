//! Generated devices against a naive judge: a table of keys, of which each says by itself what is found of
//! it, in whose file and under which managed settings.

use std::collections::BTreeSet;

use harness_render::{
    Device, Expected, Hardening, Os, Rendering, Severity, Target, checks, render,
};
use policy_core::{
    Egress, Harness, Mode, Pattern, Policy, ProtectedPath, Sandbox, Verdict, WritableRoot,
};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use crate::rows::{FILES, Judged, Row, Text};
use crate::tree::Tree;

/// What stands on a device around the files that are generated, in the order of a row's columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing is managed, and no policy is known.
    Bare,
    /// A few managed settings without a lock, and no policy.
    Loose,
    /// What the policy renders.
    Standard,
    /// What it renders with everything closed.
    Strict,
}

const STATES: [State; 4] = [State::Bare, State::Loose, State::Standard, State::Strict];

/// The small policy of all states that have one.
fn policy() -> Policy {
    let pattern = |text: &str| Pattern::parse(text).unwrap();
    let egress = Egress::builder()
        .default_verdict(Verdict::Deny)
        .allow(pattern("a.example"))
        .allow(pattern("*.b.example"))
        .deny(pattern("c.b.example"));
    let sandbox = Sandbox::new(
        Mode::WorkspaceWrite,
        [WritableRoot::parse("/opt/cache").unwrap()],
        [ProtectedPath::parse("~/.kube").unwrap()],
    );
    Policy::new(egress.build().unwrap(), Some(sandbox.unwrap())).unwrap()
}

/// The managed settings of a state that has no policy, with what is found of them.
type Managed = (&'static str, &'static str, &'static [(&'static str, char)]);

#[rustfmt::skip]
fn loose(harness: Harness) -> Managed {
    match harness {
        Harness::ClaudeCode => ("/etc/claude-code/managed-settings.json",
            r#"{"sandbox": {"enabled": true, "network": {"allowedDomains": ["a.example"]},
                "filesystem": {"denyRead": ["~/.kube"], "denyWrite": ["~/.kube"]}}}"#,
            &[("managed-fail-open", 'f'), ("managed-retry", 'f'), ("managed-domains-open", 'f'),
              ("managed-read-open", 'f'), ("managed-scrub-open", 'w')]),
        Harness::Codex => ("/etc/codex/requirements.toml",
            "allowed_sandbox_modes = ['read-only', 'workspace-write']\npermissions.filesystem.deny_read = ['~/.kube']",
            &[]),
        Harness::CopilotCli => ("/etc/github-copilot/managed-settings.json", r#"{"sandbox": {"enabled": true}}"#,
            &[("managed-bypass", 'f'), ("managed-fail-open", 'f'), ("managed-paths-open", 'f')]),
        Harness::GeminiCli => ("/etc/gemini-cli/settings.json", r#"{"tools": {"sandbox": true}}"#, &[]),
        Harness::OpenCode => ("/etc/opencode/opencode.json", r#"{"permission": {"webfetch": "deny"}}"#,
            &[("managed-agents-open", 'f')]),
        _ => ("/etc/cursor/hooks.json", r#"{"version": 1, "hooks": {"preToolUse": [{"failClosed": true}]}}"#, &[]),
    }
}

/// A harness in a state: what its policy renders, rendered once.
struct World {
    harness: Harness,
    state: State,
    policy: Option<Policy>,
    rendered: Option<(Target, Rendering)>,
}

impl World {
    fn new(harness: Harness, state: State) -> Self {
        let hardening = match state {
            State::Bare | State::Loose => None,
            State::Standard => Some(Hardening::Standard),
            State::Strict => Some(Hardening::Strict),
        };
        let rendered = hardening.and_then(|hardening| {
            let (version, _) = harness_render::verified(harness)?;
            let target = Target::new(harness, version, Os::Linux);
            let rendering = render(&policy(), &target, hardening).unwrap();
            Some((target, rendering))
        });
        Self {
            harness,
            state,
            policy: hardening.map(|_| policy()),
            rendered,
        }
    }

    fn all(harness: Harness) -> [Self; 4] {
        STATES.map(|state| Self::new(harness, state))
    }
}

/// What is found, and how bad it is: the check's own words with the place, and the severity.
type Found = BTreeSet<(String, Severity)>;

fn found(tree: &Tree, world: &World) -> Found {
    let mut device: Device = tree.device(Os::Linux);
    if let Some(policy) = &world.policy {
        device = device.with_egress(policy.egress());
    }
    let rendered = world.rendered.as_ref();
    let expected = rendered.map(|(target, rendering)| Expected::new(target, rendering));
    let postures = device.examine(expected.as_slice());
    let posture = postures
        .iter()
        .find(|posture| posture.harness() == world.harness);
    let Some(posture) = posture else {
        return Found::new();
    };
    let unknown = posture
        .unknown()
        .iter()
        .map(|unknown| (unknown.to_string(), Severity::Failure));
    let findings = posture.findings().iter().map(|finding| {
        let words = format!("{}: {}", finding.check().code(), finding.problem());
        (words, finding.severity())
    });
    unknown.chain(findings).collect()
}

/// A row's verdict in the words of its check.
fn expect(expected: &mut Found, harness: Harness, place: &str, code: &str, severity: char) {
    let severity = match severity {
        '-' => return,
        'n' => Severity::Notice,
        'w' => Severity::Warning,
        'f' => Severity::Failure,
        other => panic!("{other}"),
    };
    let of_the_harness = format!("{harness}-{code}");
    let check =
        checks(harness).find(|check| check.code() == of_the_harness || check.code() == code);
    let check = check.unwrap_or_else(|| panic!("{of_the_harness}"));
    let problem = check.problem().replace("{}", place);
    expected.insert((format!("{}: {problem}", check.code()), severity));
}

/// A file as it is written: nested keys, with the text of each value.
enum Node {
    Value(&'static str),
    Table(Vec<(&'static str, Node)>),
}

/// Puts a value under nested keys; whether nothing stood there.
fn put(into: &mut Vec<(&'static str, Node)>, keys: &[&'static str], value: &'static str) -> bool {
    let (first, rest) = keys.split_first().unwrap();
    let known = into.iter_mut().find(|(key, _)| key == first);
    match (known, rest.is_empty()) {
        (Some((_, Node::Table(below))), false) => put(below, rest, value),
        (Some(_), _) => false,
        (None, true) => {
            into.push((first, Node::Value(value)));
            true
        }
        (None, false) => {
            let mut below = Vec::new();
            put(&mut below, rest, value);
            into.push((first, Node::Table(below)));
            true
        }
    }
}

fn written(table: &[(&'static str, Node)], text: Text) -> String {
    fn inline(node: &Node, sign: &str) -> String {
        match node {
            Node::Value(value) => (*value).to_owned(),
            Node::Table(table) => {
                let entries = table
                    .iter()
                    .map(|(key, node)| format!("{key:?}{sign} {}", inline(node, sign)));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }
    let lines = |sign: &str| -> String {
        let line = |(key, node): &(&str, Node)| format!("{key}{sign}{}\n", inline(node, sign));
        table.iter().map(line).collect()
    };
    match text {
        Text::Json => {
            let entries = table
                .iter()
                .map(|(key, node)| format!("{key:?}: {}", inline(node, ":")));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(",\n"))
        }
        Text::Toml => table
            .iter()
            .map(|(key, node)| format!("{key:?} = {}\n", inline(node, " =")))
            .collect(),
        Text::Head => format!("---\n{}---\nText.\n", lines(": ")),
        Text::Assignments => lines("="),
        // Each value is a file's or a variable's whole text.
        Text::Whole => table.iter().map(|(_, node)| inline(node, "")).collect(),
    }
}

/// A device with the chosen rows of each file, and what the naive judge finds of it.
fn judge(files: &'static [Judged], world: &World, chosen: &[Vec<bool>]) -> (Tree, Found) {
    let (harness, state) = (world.harness, world.state);
    let column = STATES.iter().position(|known| *known == state).unwrap();
    let mut tree = Tree::empty();
    let mut expected = Found::new();
    let mut has_expected_files = false;
    if state == State::Loose {
        let (path, text, found) = loose(harness);
        tree.put(path, text.as_bytes());
        for (code, severity) in found {
            expect(&mut expected, harness, path, code, *severity);
        }
    }
    if let Some((_, rendering)) = &world.rendered {
        for file in rendering.files() {
            tree.put(file.path(), file.bytes());
            has_expected_files = true;
        }
    }
    for (file, chosen) in files.iter().zip(chosen) {
        let managed = file.path.starts_with("/etc/");
        // Read where there is none in `.gemini`.
        let is_shadowed = file.path == ".env" && tree.path(".gemini/.env").exists();
        if is_shadowed || (managed && state == State::Bare) {
            continue;
        }
        let mut table = Vec::new();
        for (Row(keys, value, verdicts), _) in
            file.rows.iter().zip(chosen).filter(|(_, chosen)| **chosen)
        {
            if !put(&mut table, keys, value) {
                continue;
            }
            for (code, users, clones) in *verdicts {
                let columns = if file.is_clones { clones } else { users };
                let severity = columns.chars().nth(column).unwrap();
                expect(&mut expected, harness, file.shown, code, severity);
            }
        }
        if table.is_empty() {
            continue;
        }
        if managed && has_expected_files {
            expect(
                &mut expected,
                harness,
                file.unexpected,
                "managed-unexpected",
                'w',
            );
        }
        for (variable, value) in file.moved {
            tree.put(variable, value.as_bytes());
        }
        for (code, severity) in file.found {
            expect(&mut expected, harness, file.shown, code, *severity);
        }
        // A table of hosts without a default leaves every other host open.
        if let Some((_, Node::Table(hosts))) = table.iter().find(|(key, _)| *key == "networkPolicy")
            && !hosts.iter().any(|(key, _)| *key == "default")
        {
            let severity = if file.is_clones { 'f' } else { 'w' };
            expect(
                &mut expected,
                harness,
                file.shown,
                "network-default",
                severity,
            );
        }
        tree.put(file.path, written(&table, file.text).as_bytes());
    }
    (tree, expected)
}

fn nothing(files: &[Judged]) -> Vec<Vec<bool>> {
    files
        .iter()
        .map(|file| vec![false; file.rows.len()])
        .collect()
}

/// What the two do not agree on.
fn compare(files: &'static [Judged], world: &World, chosen: &[Vec<bool>]) -> Result<(), String> {
    let (tree, expected) = judge(files, world, chosen);
    let found = found(&tree, world);
    if found == expected {
        return Ok(());
    }
    let less: Vec<_> = expected.difference(&found).collect();
    let more: Vec<_> = found.difference(&expected).collect();
    Err(format!("{:?}: not {less:?}, but {more:?}", world.state))
}

#[test]
fn each_row_alone_is_judged_as_the_table_says() {
    let mut wrong = Vec::new();
    for files in FILES {
        let worlds = World::all(files[0].harness);
        for (at, file) in files.iter().enumerate() {
            // In the first place of each table; what is generated covers the others.
            let is_first = !files[..at].iter().any(|earlier| {
                std::ptr::eq(earlier.rows, file.rows) && earlier.is_clones == file.is_clones
            });
            for row in (0..file.rows.len()).filter(|_| is_first) {
                for world in &worlds {
                    let mut chosen = nothing(files);
                    chosen[at][row] = true;
                    if let Err(error) = compare(files, world, &chosen) {
                        let Row(keys, value, _) = file.rows[row];
                        wrong.push(format!("{} {keys:?} {value} {error}", file.path));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), wrong.len());
}

#[test]
fn doctor_judges_as_the_naive_judge() {
    // For each harness, over all its places at once.
    for files in FILES {
        let worlds = World::all(files[0].harness);
        let rows = files
            .iter()
            .map(|file| prop::collection::vec(prop::bool::weighted(0.1), file.rows.len()))
            .collect::<Vec<_>>();
        let devices = (0..worlds.len(), rows);
        let config = ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(120)
        };
        let judged = TestRunner::new(config).run(&devices, |(world, chosen)| {
            compare(files, &worlds[world], &chosen).map_err(TestCaseError::fail)
        });
        judged.unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn every_watched_place_is_generated() {
    for files in FILES {
        let harness = files[0].harness;
        for watched in harness_render::watched(harness) {
            let Some(path) = watched.path(Os::Linux) else {
                continue;
            };
            let (fixed, _, _) = loose(harness);
            let stands = files
                .iter()
                .any(|file| file.shown == path || file.unexpected == path);
            assert!(stands || path == fixed, "{path}");
        }
    }
}

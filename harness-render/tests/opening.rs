//! What another pin opens, by the ledgers' own witnesses.
#![expect(
    clippy::unwrap_used,
    reason = "a test says what must hold by unwrapping it"
)]

use harness_render::{Hardening, Os, Target, openings, render};
use policy_core::{Harness, Policy, Repository};

const POLICY: &str = "
egress: { allowedDomains: ['*.a.example'], deniedDomains: [x.a.example] }
sandbox: { mode: read-only, protectedPaths: [~/.ssh] }
";

fn policy(text: &str) -> Policy {
    let files = [
        (
            "halos.yaml".into(),
            b"rings: { ga: { profile: base, default: true } }".to_vec(),
        ),
        ("profiles/base.yaml".into(), text.as_bytes().to_vec()),
    ];
    let validation = Repository::from_files(files).validate();
    let organisation = validation.organisation().unwrap();
    organisation.select(None, None).unwrap().into_policy()
}

/// Every system, in one word.
fn told(policy: &Policy, harness: Harness, here: &str, there: &str) -> Vec<String> {
    let openings = openings(
        policy,
        harness,
        &here.parse().unwrap(),
        &there.parse().unwrap(),
    );
    let lines = openings.iter().map(|opening| {
        let systems: Vec<&str> = opening.systems().map(Os::name).collect();
        assert!(!systems.is_empty());
        format!("{} on {}", opening.evidence(), systems.join(" "))
    });
    lines.collect()
}

/// Releases on both sides of what each harness learnt.
const RELEASES: [(Harness, &str, &str); 5] = [
    (Harness::ClaudeCode, "2.1.0", "2.1.280"),
    (Harness::Codex, "0.90.0", "0.166.0"),
    (Harness::CopilotCli, "0.0.300", "1.0.100"),
    (Harness::GeminiCli, "0.10.0", "0.61.0"),
    (Harness::OpenCode, "0.1.0", "1.18.10"),
];

#[test]
fn a_lowered_pin_opens_what_the_higher_held_and_a_raised_one_nothing() {
    let policy = policy(POLICY);
    for (harness, old, new) in RELEASES {
        let lowered = told(&policy, harness, old, new);
        // Of OpenCode, no release is known that honours less.
        let learnt = harness != Harness::OpenCode;
        assert_eq!(
            lowered
                .iter()
                .any(|line| line.starts_with("x.a.example on linux")),
            learnt,
            "{harness}: {lowered:#?}"
        );
        assert_eq!(
            told(&policy, harness, new, old),
            Vec::<String>::new(),
            "{harness}"
        );
        assert_eq!(
            told(&policy, harness, old, old),
            Vec::<String>::new(),
            "{harness}"
        );
    }
}

/// Two releases between which nothing was learnt.
#[test]
fn neighbours_open_nothing() {
    let policy = policy(POLICY);
    for (harness, _, new) in RELEASES {
        let version: semver::Version = new.parse().unwrap();
        let next = semver::Version::new(version.major, version.minor, version.patch + 1);
        let next = next.to_string();
        assert_eq!(
            told(&policy, harness, new, &next),
            Vec::<String>::new(),
            "{harness}"
        );
        assert_eq!(
            told(&policy, harness, &next, new),
            Vec::<String>::new(),
            "{harness}"
        );
    }
}

#[test]
fn a_policy_without_limits_has_nothing_to_open() {
    let policy = policy("egress: { default: allow }");
    for (harness, old, new) in RELEASES {
        assert_eq!(
            told(&policy, harness, old, new),
            Vec::<String>::new(),
            "{harness}"
        );
    }
}

/// What would not start is nothing that was shown to hold.
#[test]
fn a_release_that_cannot_be_rendered_counts() {
    let policy = policy(POLICY);
    let version = "0.134.0";
    let target = Target::new(Harness::Codex, version.parse().unwrap(), Os::Linux);
    render(&policy, &target, Hardening::Standard).unwrap_err();
    assert_eq!(
        told(&policy, Harness::Codex, version, "0.166.0"),
        ["codex 0.134.0 on linux macos windows"]
    );
    // The other way round, nothing is known to have been closed or open before.
    let raised = told(&policy, Harness::Codex, "0.166.0", version);
    assert!(!raised.is_empty());
}

//! Long lists: nothing is compared with everything.
//!
//! No clock is read: a step that is quadratic in these lists takes hours and not seconds.
#![cfg(feature = "repository")]

use policy_core::{Code, Host, Opposite, Repository, Severity, Validation};

/// Entries of a policy that has one list.
const MOST: usize = 200_000;
/// Entries of a policy whose lists are compared with each other, in several layers.
const MANY: usize = 40_000;

const HALOS: &str = "gateway: https://ai.example
rings: { ga: { profile: base, default: true } }
";

fn validate(files: Vec<(&str, String)>) -> Validation {
    let halos = ("halos.yaml", HALOS.to_owned());
    let files = core::iter::once(halos).chain(files);
    Repository::from_files(files.map(|(path, text)| (path.to_owned(), text.into_bytes())))
        .validate()
}

fn list(count: usize, entry: impl Fn(usize) -> String) -> String {
    let entries: Vec<String> = (0..count).map(|n| format!("'{}'", entry(n))).collect();
    format!("[{}]", entries.join(", "))
}

/// How many findings have this code.
fn count(validation: &Validation, code: Code) -> usize {
    let findings = validation.findings().iter();
    findings.filter(|finding| finding.code() == code).count()
}

#[test]
fn a_long_list_that_leaves_every_subdomain_open_is_one_policy() {
    let denied = list(MOST, |n| format!("h{n}.zone{}.example", n % 100));
    let base = format!("egress: {{ deniedDomains: {denied} }}");
    let validation = validate(vec![("profiles/base.yaml", base)]);
    assert_eq!(validation.count(Severity::Error), 0);
    assert_eq!(count(&validation, Code::MoreWarnings), 1);
    let organisation = validation.organisation().unwrap();
    let selection = organisation.select(None, None).unwrap();
    assert_eq!(selection.policy().egress().denied().count(), MOST);
}

#[test]
fn long_lists_of_hosts_are_validated_in_a_child_and_in_a_unit() {
    let allowed = list(MANY / 4, |n| format!("h{n}.zone{}.example", n % 100));
    let denied = list(MANY / 4, |n| format!("*.x.h{n}.zone{}.example", n % 100));
    let more = list(MANY / 4, |n| format!("g{n}.zone{}.example", n % 100));
    let narrowed = list(MANY / 4, |n| format!("h{n}.zone{}.example", n % 100));
    let validation = validate(vec![
        (
            "profiles/parent.yaml",
            format!("egress: {{ allowedDomains: {allowed}, deniedDomains: {denied} }}"),
        ),
        (
            "profiles/base.yaml",
            format!("extends: parent\negress: {{ allowedDomains: {more} }}"),
        ),
        (
            "units/u.yaml",
            format!("overlays: [{{ egress: {{ allowedDomains: {narrowed} }} }}]"),
        ),
    ]);
    // That the gateway is left out, and that the child permits more: one finding each.
    assert_eq!(count(&validation, Code::GatewayDenied), 1);
    assert_eq!(count(&validation, Code::WidensParent), 1);
    assert_eq!(validation.count(Severity::Error), 1);
}

#[test]
fn many_warnings_of_every_kind_are_found_and_do_not_refuse_the_policy() {
    let each = MANY / 8;
    let covered = list(each, |n| format!("c{n}.w{n}.example"));
    let covers = list(each, |n| format!("*.w{n}.example"));
    let twice = list(each, |n| format!("t{}.example", n / 2));
    let shadowed = list(each, |n| format!("s{n}.example"));
    // Two names of each shape, as `1` and `l` look alike.
    let alike = list(each, |n| {
        format!(
            "{}{}.example",
            if n % 2 == 0 { "pa1" } else { "pal" },
            n / 2
        )
    });
    let join = |lists: &[&str]| {
        let inner: Vec<&str> = lists
            .iter()
            .map(|list| list.trim_matches(['[', ']']))
            .collect();
        format!("[{}]", inner.join(", "))
    };
    let allowed = join(&[
        "['ai.example']",
        &covered,
        &covers,
        &twice,
        &shadowed,
        &alike,
    ]);
    let validation = validate(vec![(
        "profiles/base.yaml",
        format!("egress: {{ allowedDomains: {allowed}, deniedDomains: {shadowed} }}"),
    )]);
    assert_eq!(validation.count(Severity::Error), 0);
    assert_eq!(count(&validation, Code::MoreWarnings), 1);
    assert!(validation.organisation().is_some());
}

#[test]
fn long_lists_of_paths_are_validated_and_their_contradictions_found() {
    let roots = list(MANY / 4, |n| format!("/opt/r{n}/x"));
    let protected = list(MANY / 4, |n| format!("/opt/r{n}"));
    let apart = list(MANY / 4, |n| format!("/srv/p{n}/q"));
    let contradictory = validate(vec![(
        "profiles/base.yaml",
        format!(
            "sandbox: {{ mode: workspace-write, writableRoots: {roots}, protectedPaths: {protected} }}"
        ),
    )]);
    assert_eq!(count(&contradictory, Code::RootAndProtected), 1_000);
    assert_eq!(count(&contradictory, Code::MoreFindings), 1);
    let sound = validate(vec![
        (
            "profiles/base.yaml",
            format!(
                "sandbox: {{ mode: workspace-write, writableRoots: {roots}, protectedPaths: {apart} }}\negress: {{ default: allow }}"
            ),
        ),
        (
            "units/u.yaml",
            format!("overlays: [{{ sandbox: {{ writableRoots: {roots} }} }}]"),
        ),
    ]);
    assert_eq!(sound.findings(), []);
}

#[test]
fn of_a_mistake_that_is_repeated_a_thousand_are_listed() {
    let numbers = vec!["1"; 3_000].join(", ");
    let words = list(3_000, |n| format!("Host{n}.example"));
    for (base, code) in [
        (
            format!("egress: {{ deniedDomains: [{numbers}] }}"),
            Code::WrongType,
        ),
        (
            format!("egress: {{ deniedDomains: {words} }}"),
            Code::PatternUpperCase,
        ),
    ] {
        let validation = validate(vec![("profiles/base.yaml", base)]);
        assert_eq!(count(&validation, code), 1_000, "{code}");
        assert_eq!(count(&validation, Code::MoreFindings), 1, "{code}");
        assert_eq!(validation.count(Severity::Error), 1_001, "{code}");
    }
}

#[test]
fn a_decision_that_many_entries_give_is_explained() {
    let denied = list(MOST, |_| "paste.example".to_owned());
    let base = format!("egress: {{ deniedDomains: {denied} }}");
    let validation = validate(vec![("profiles/base.yaml", base)]);
    let organisation = validation.organisation().unwrap();
    let selection = organisation.select(None, None).unwrap();
    let host = Host::parse("paste.example").unwrap();
    let explanation = organisation.explain(&selection, &host).unwrap();
    assert_eq!(explanation.decided().places().len(), MOST);
    let Opposite::Changes(changes) = explanation.opposite() else {
        panic!("no gateway");
    };
    assert_eq!(changes.len(), MOST);
}

/// Rings in a chain: each has an overlay with the ring before it, and what one lists all list.
#[test]
fn overlays_that_hang_together_over_many_rings_are_explained() {
    const RINGS: usize = 1_000;
    let rings: String = (0..RINGS)
        .map(|n| format!("r{n}: {{ profile: base }}, "))
        .collect();
    let halos = format!("gateway: https://ai.example\nrings: {{ {rings} }}");
    let overlays: String = (1..RINGS)
        .map(|n| {
            let rings = format!("rings: [r{}, r{n}]", n - 1);
            format!("  - {{ {rings}, egress: {{ allowedDomains: [ai.example, b.example] }} }}\n")
        })
        .collect();
    let base = "egress: { allowedDomains: [ai.example, b.example] }";
    let files = [
        ("halos.yaml", halos),
        ("profiles/base.yaml", base.to_owned()),
        ("units/u.yaml", format!("overlays:\n{overlays}")),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.into_bytes()));
    let validation = Repository::from_files(files).validate();
    let organisation = validation.organisation().unwrap();
    let host = Host::parse("b.example").unwrap();
    let selection = organisation.select_profile("base").unwrap();
    let explanation = organisation.explain(&selection, &host).unwrap();
    let Opposite::Changes(changes) = explanation.opposite() else {
        panic!("b.example is no gateway");
    };
    // The profile denies it, and every overlay stops listing it.
    assert_eq!(changes.len(), 1 + RINGS - 1);
}

//! Warnings: where each is told, and what none is told about.

use super::{of_severity, validate};
use policy_core::Severity;

/// The warnings about a child and a unit, without those that every such policy has.
fn warnings(parent: &str, child: &str, unit: &str) -> Vec<String> {
    let child = format!("extends: parent\n{child}");
    let unit = if unit.is_empty() {
        "overlays: []".to_owned()
    } else {
        format!("overlays:\n{unit}")
    };
    let validation = validate(&[
        (
            "halos.yaml",
            "gateway: https://ai.example\nrings: { ga: { profile: child, default: true } }",
        ),
        (
            "profiles/parent.yaml",
            &format!("permissions: {{ sandbox: workspace-write }}\n{parent}"),
        ),
        ("profiles/child.yaml", &child),
        ("units/u.yaml", &unit),
    ]);
    assert_eq!(
        super::errors(&validation),
        [""; 0],
        "{parent} | {child} | {unit}"
    );
    let warnings = of_severity(&validation, Severity::Warning).into_iter();
    warnings
        .filter(|line| !line.starts_with("widens-parent") && !line.starts_with("unrestricted-"))
        .collect()
}

const LISTED: &str = "egress: { allowedDomains: [ai.example, a.example, '*.b.example'], presets: [vcs], deniedDomains: [c.b.example, '*.c.b.example'] }";
const OPEN: &str = "egress: { deniedDomains: [a.example, '*.a.example'] }";

#[test]
fn a_pair_of_entries_is_told_where_the_later_one_is_written() {
    for (parent, child, unit, expected) in [
        (LISTED, "", "", &[][..]),
        (
            LISTED,
            "egress: { allowedDomains: [a.example] }",
            "",
            &["duplicate-entry profiles.child.egress.allowedDomains[0]"],
        ),
        (
            LISTED,
            "egress: { allowedDomains: [x.b.example] }",
            "",
            &["covered-entry profiles.child.egress.allowedDomains[0]"],
        ),
        (
            LISTED,
            "egress: { allowedDomains: [x.c.b.example] }",
            "",
            &[
                "covered-entry profiles.child.egress.allowedDomains[0]",
                "shadowed-entry profiles.child.egress.allowedDomains[0]",
            ],
        ),
        (
            LISTED,
            "egress: { presets: [vcs] }",
            "",
            &["duplicate-entry profiles.child.egress.presets[0]"],
        ),
        (
            LISTED,
            "egress: { allowedDomains: [github.com] }",
            "",
            &["preset-overlap profiles.child.egress.allowedDomains[0]"],
        ),
        (
            "egress: { allowedDomains: [ai.example, github.com] }",
            "egress: { presets: [vcs] }",
            "",
            &["preset-overlap profiles.child.egress.presets[0]"],
        ),
        (
            "egress: { allowedDomains: [ai.example, '*.github.com'] }",
            "egress: { presets: [vcs] }",
            "",
            &[
                "preset-overlap profiles.child.egress.presets[0]",
                "preset-overlap profiles.child.egress.presets[0]",
            ],
        ),
        // A parent's entry is right for its other children.
        (
            LISTED,
            "egress: { allowedDomains: ['*.d.a.example', 'x.a.example'], deniedDomains: ['*.x.example'] }",
            "",
            &[],
        ),
        (
            "egress: { allowedDomains: [ai.example, x.a.example] }",
            "egress: { allowedDomains: ['*.a.example'] }",
            "",
            &[],
        ),
        (
            "egress: { deniedDomains: [x.a.example, '*.x.a.example'] }",
            "egress: { deniedDomains: ['*.a.example'] }",
            "",
            &["open-apex profiles.child.egress.deniedDomains[0]"],
        ),
        // To take back is told of the layer that does it.
        (
            LISTED,
            "egress: { deniedDomains: ['*.b.example'] }",
            "",
            &["shadowed-entry profiles.child.egress.deniedDomains[0]"],
        ),
        (
            LISTED,
            "egress: { deniedDomains: [bitbucket.org] }",
            "",
            &["shadowed-preset profiles.child.egress.deniedDomains[0]"],
        ),
        (
            "egress: { allowedDomains: [ai.example], deniedDomains: [bitbucket.org] }",
            "egress: { presets: [vcs] }",
            "",
            &["shadowed-preset profiles.child.egress.presets[0]"],
        ),
        // Half of a preset's wildcard is no part of it.
        (
            LISTED,
            "egress: { deniedDomains: ['*.raw.githubusercontent.com'] }",
            "",
            &["open-apex profiles.child.egress.deniedDomains[0]"],
        ),
        // Subdomains left open: by the default, by a wildcard, by a preset; told where it opens them.
        (
            "egress: { deniedDomains: [x.example] }",
            "",
            "",
            &["open-subdomains profiles.parent.egress.deniedDomains[0]"],
        ),
        (
            "egress: { deniedDomains: [x.example] }",
            "egress: { deniedDomains: ['*.x.example'] }",
            "",
            &["open-subdomains profiles.parent.egress.deniedDomains[0]"],
        ),
        (
            OPEN,
            "egress: { deniedDomains: [x.example] }",
            "",
            &["open-subdomains profiles.child.egress.deniedDomains[0]"],
        ),
        (
            OPEN,
            "egress: { deniedDomains: [x.a.example] }",
            "",
            &["covered-entry profiles.child.egress.deniedDomains[0]"],
        ),
        (
            LISTED,
            "egress: { deniedDomains: [x.b.example] }",
            "",
            &["open-subdomains profiles.child.egress.deniedDomains[0]"],
        ),
        (
            LISTED,
            "egress: { deniedDomains: [x.githubusercontent.com] }",
            "",
            &["open-subdomains profiles.child.egress.deniedDomains[0]"],
        ),
        (
            "egress: { allowedDomains: [ai.example], deniedDomains: [x.d.example] }",
            "egress: { allowedDomains: ['*.d.example'] }",
            "",
            &["open-subdomains profiles.child.egress.allowedDomains[0]"],
        ),
        (
            "egress: { default: deny, allowedDomains: [ai.example], deniedDomains: [x.example] }",
            "egress: { allowedDomains: [], default: allow }",
            "",
            &["open-subdomains profiles.child.egress.default"],
        ),
        // Denied by default below, or an address: nothing is below it.
        (
            LISTED,
            "egress: { deniedDomains: [z.example, 192.0.2.1] }",
            "",
            &[],
        ),
        // Paths.
        (
            "sandbox: { writableRoots: [/opt/a], protectedPaths: [~/.ssh] }",
            "sandbox: { writableRoots: [/opt/a/b], protectedPaths: [~/.ssh, ~/.ssh/id] }",
            "",
            &[
                "covered-entry profiles.child.sandbox.writableRoots[0]",
                "duplicate-entry profiles.child.sandbox.protectedPaths[0]",
                "covered-entry profiles.child.sandbox.protectedPaths[1]",
            ],
        ),
        (
            "sandbox: { writableRoots: [/opt/a], protectedPaths: [~/.ssh] }",
            "sandbox: { writableRoots: [/opt/ab], protectedPaths: [~/.sshx, .ssh] }",
            "",
            &[],
        ),
        // A unit repeats and takes back: that is what it is for.
        (
            LISTED,
            "",
            "  - egress: { allowedDomains: [ai.example, a.example], deniedDomains: ['*.b.example', bitbucket.org] }\n  - egress: { deniedDomains: ['*.c.b.example'] }",
            &["presets-remain units.u.overlays[0].egress.allowedDomains"],
        ),
        (
            LISTED,
            "",
            "  - egress: { deniedDomains: [x.b.example] }",
            &["open-subdomains units.u.overlays[0].egress.deniedDomains[0]"],
        ),
        // What it says twice itself is told.
        (
            LISTED,
            "",
            "  - egress: { allowedDomains: [ai.example, ai.example], presets: [vcs] }",
            &["duplicate-entry units.u.overlays[0].egress.allowedDomains[1]"],
        ),
        (
            LISTED,
            "",
            "  - egress: { allowedDomains: [ai.example, a.example], deniedDomains: [a.example], presets: [] }",
            &["shadowed-entry units.u.overlays[0].egress.allowedDomains[1]"],
        ),
        // The list is narrowed, and the preset that it repeats stays.
        (
            LISTED,
            "",
            "  - egress: { allowedDomains: [ai.example, github.com] }",
            &[
                "presets-remain units.u.overlays[0].egress.allowedDomains",
                "preset-overlap units.u.overlays[0].egress.allowedDomains[1]",
            ],
        ),
        (
            LISTED,
            "",
            "  - egress: { allowedDomains: [ai.example, github.com], presets: [] }",
            &[],
        ),
    ] {
        assert_eq!(
            warnings(parent, child, unit),
            expected,
            "{parent} | {child} | {unit}"
        );
    }
}

#[test]
fn a_name_that_looks_like_another_is_told() {
    let looks = |names: &str| {
        let child =
            format!("egress: {{ allowedDomains: [{names}], deniedDomains: ['*.evi1.example'] }}");
        let warnings = warnings(
            "egress: { allowedDomains: [ai.example, login.acme.example] }",
            &child,
            "",
        );
        warnings
            .iter()
            .filter(|line| line.starts_with("look-alike"))
            .count()
    };
    for (names, told) in [
        // The same as a name of the parent, of the same layer, of a preset that is not even used,
        // and of what is denied.
        ("1ogin.acme.example", 1),
        ("paypal.example, paypa1.example", 1),
        ("g1thub.com", 0),
        ("githu6.com", 0),
        ("api.0penai.com", 0),
        ("gitlab.corn", 1),
        ("evil.example", 1),
        // Cyrillic letters in a Latin label.
        ("xn--gthub-n2e.com", 1),
        ("xn--pypal-4ve.example", 1),
        // The same name, once below it; other names; labels in scripts that are written together.
        ("'*.login.acme.example'", 0),
        ("login-acme.example, l0gin.acme.example", 0),
        ("xn--mnchen-3ya.example", 0),
        ("xn--eckwd4c7c.xn--zckzah", 0),
        ("192.0.2.1", 0),
    ] {
        assert_eq!(looks(names), told, "{names}");
    }
}

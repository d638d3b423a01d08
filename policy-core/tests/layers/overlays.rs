//! Overlays narrow: what they make of a ring's policy, and what they may not say.

use super::{errors, unit, validate};

const HALOS: (&str, &str) = (
    "halos.yaml",
    "rings: { ga: { profile: base, default: true }, canary: { profile: base } }",
);

/// The policy of a unit with these overlays, in the ring `ga`, or its errors.
fn narrowed(base: &str, overlays: &str) -> Result<String, Vec<String>> {
    let overlays = format!("overlays:\n{overlays}");
    let validation = validate(&[
        HALOS,
        ("profiles/base.yaml", base),
        ("units/u.yaml", &overlays),
    ]);
    match validation.organisation() {
        Some(_) => Ok(unit(&validation, "ga", "u")),
        None => Err(errors(&validation)),
    }
}

const LIMITED: &str = "
sandbox: { mode: workspace-write, writableRoots: [/opt/a, /opt/b], protectedPaths: [.env] }
egress: { allowedDomains: [a.example, '*.b.example'], presets: [vcs], deniedDomains: [x.b.example] }
";
const OPEN: &str = "egress: { default: allow }";

#[test]
fn an_overlay_narrows() {
    for (base, overlay, expected) in [
        // Restrictions are added.
        (
            OPEN,
            "- egress: { deniedDomains: [a.example] }",
            "-a.example else allow workspace-write (implied)",
        ),
        (
            OPEN,
            "- sandbox: { protectedPaths: [.env] }",
            "else allow workspace-write (implied) -.env",
        ),
        // Grants are replaced by the narrowed list.
        (
            LIMITED,
            "- egress: { allowedDomains: [a.example] }",
            "+a.example +vcs -x.b.example else deny (implied) workspace-write +/opt/a +/opt/b -.env",
        ),
        (
            LIMITED,
            "- egress: { allowedDomains: [y.b.example, '*.z.b.example'], presets: [] }",
            "+y.b.example +*.z.b.example -x.b.example else deny (implied) workspace-write +/opt/a +/opt/b -.env",
        ),
        (
            LIMITED,
            "- sandbox: { writableRoots: [/opt/a/c] }",
            "+a.example +*.b.example +vcs -x.b.example else deny (implied) workspace-write +/opt/a/c -.env",
        ),
        // What implied the sandbox goes, and the sandbox stays.
        (
            "sandbox: { writableRoots: [/opt/a] }",
            "- sandbox: { writableRoots: [] }",
            "else allow (implied) workspace-write (implied)",
        ),
        // Part of a preset, written out.
        (
            LIMITED,
            "- egress: { allowedDomains: [a.example, github.com], presets: [] }",
            "+a.example +github.com -x.b.example else deny (implied) workspace-write +/opt/a +/opt/b -.env",
        ),
        // Narrowed to nothing denies all.
        (
            LIMITED,
            "- egress: { allowedDomains: [], presets: [] }",
            "-x.b.example else deny (implied) workspace-write +/opt/a +/opt/b -.env",
        ),
        (
            OPEN,
            "- egress: { allowedDomains: [] }",
            "else deny (implied) workspace-write (implied)",
        ),
        (
            OPEN,
            "- egress: { presets: [] }",
            "else deny (implied) workspace-write (implied)",
        ),
        (
            "",
            "- egress: { presets: [] }",
            "else deny (implied) workspace-write (implied)",
        ),
        // From "allow all" to a list of any hosts.
        (
            OPEN,
            "- egress: { allowedDomains: [a.example] }",
            "+a.example else deny (implied) workspace-write (implied)",
        ),
        (
            OPEN,
            "- egress: { default: deny }",
            "else deny workspace-write (implied)",
        ),
        // A present list ends `default: allow`, also beside an empty one of another overlay.
        (
            OPEN,
            "- egress: { allowedDomains: [a.example] }\n- egress: { default: deny }",
            "+a.example else deny workspace-write (implied)",
        ),
        // Only stricter modes.
        (
            LIMITED,
            "- sandbox: { mode: read-only, writableRoots: [] }",
            "+a.example +*.b.example +vcs -x.b.example else deny (implied) read-only -.env",
        ),
        (
            LIMITED,
            "- sandbox: { mode: workspace-write }",
            "+a.example +*.b.example +vcs -x.b.example else deny (implied) workspace-write +/opt/a +/opt/b -.env",
        ),
        (
            OPEN,
            "- sandbox: { mode: workspace-write }\n- sandbox: { mode: read-only }",
            "else allow read-only",
        ),
        (
            "sandbox: { mode: off }",
            "- sandbox: { mode: workspace-write, writableRoots: [/opt/a] }",
            "else allow (implied) workspace-write +/opt/a",
        ),
        // Two overlays may set the same list to the same set.
        (
            LIMITED,
            "- egress: { allowedDomains: [a.example, y.b.example] }\n- egress: { allowedDomains: [y.b.example, a.example] }",
            "+a.example +y.b.example +vcs -x.b.example else deny (implied) workspace-write +/opt/a +/opt/b -.env",
        ),
        // Nothing.
        (OPEN, "- {}", "else allow"),
    ] {
        assert_eq!(
            narrowed(base, overlay).as_deref(),
            Ok(expected),
            "{base} | {overlay}"
        );
    }
}

#[test]
fn an_overlay_that_loosens_is_refused() {
    for (base, overlay, expected) in [
        (
            LIMITED,
            "- egress: { allowedDomains: [c.example] }",
            "overlay-loosens units.u.overlays[0].egress.allowedDomains[0]",
        ),
        (
            LIMITED,
            "- egress: { allowedDomains: [a.example, b.example] }",
            "overlay-loosens units.u.overlays[0].egress.allowedDomains[1]",
        ),
        (
            LIMITED,
            "- egress: { allowedDomains: ['*.a.example'] }",
            "overlay-loosens units.u.overlays[0].egress.allowedDomains[0]",
        ),
        (
            LIMITED,
            "- egress: { allowedDomains: ['*.example'] }",
            "overlay-loosens units.u.overlays[0].egress.allowedDomains[0]",
        ),
        // Denied by the ring, and listed by it as well.
        (
            LIMITED,
            "- egress: { allowedDomains: [x.b.example] }",
            "overlay-loosens units.u.overlays[0].egress.allowedDomains[0]",
        ),
        (
            "egress: { deniedDomains: [a.example] }",
            "- egress: { allowedDomains: [a.example] }",
            "overlay-loosens units.u.overlays[0].egress.allowedDomains[0]",
        ),
        (
            LIMITED,
            "- egress: { presets: [vcs, model-providers] }",
            "overlay-loosens units.u.overlays[0].egress.presets[1]",
        ),
        (
            "egress: { default: deny }",
            "- egress: { presets: [vcs] }",
            "overlay-loosens units.u.overlays[0].egress.presets[0]",
        ),
        (
            LIMITED,
            "- egress: { default: allow }",
            "overlay-loosens units.u.overlays[0].egress.default",
        ),
        (
            OPEN,
            "- egress: { default: allow }",
            "overlay-loosens units.u.overlays[0].egress.default",
        ),
        (
            LIMITED,
            "- egress: { deniedDomains: [] }",
            "overlay-loosens units.u.overlays[0].egress.deniedDomains",
        ),
        (
            LIMITED,
            "- egress: { deniedDomains: ['!x.b.example'] }",
            "overlay-loosens units.u.overlays[0].egress.deniedDomains[0]",
        ),
        (
            LIMITED,
            "- sandbox: { protectedPaths: [] }",
            "overlay-loosens units.u.overlays[0].sandbox.protectedPaths",
        ),
        (
            LIMITED,
            "- sandbox: { protectedPaths: ['!.env'] }",
            "overlay-loosens units.u.overlays[0].sandbox.protectedPaths[0]",
        ),
        (
            LIMITED,
            "- sandbox: { writableRoots: [/opt/c] }",
            "overlay-loosens units.u.overlays[0].sandbox.writableRoots[0]",
        ),
        (
            LIMITED,
            "- sandbox: { writableRoots: [/opt/ab] }",
            "overlay-loosens units.u.overlays[0].sandbox.writableRoots[0]",
        ),
        (
            "sandbox: { mode: workspace-write }",
            "- sandbox: { writableRoots: [/opt/a] }",
            "overlay-loosens units.u.overlays[0].sandbox.writableRoots[0]",
        ),
        (
            LIMITED,
            "- sandbox: { mode: off }",
            "overlay-loosens units.u.overlays[0].sandbox.mode",
        ),
        (
            "sandbox: { mode: read-only }",
            "- permissions: { sandbox: workspace-write }",
            "overlay-loosens units.u.overlays[0].sandbox.mode",
        ),
        // The mode is implied, and holds.
        (
            "egress: { default: deny }",
            "- sandbox: { mode: off }",
            "overlay-loosens units.u.overlays[0].sandbox.mode",
        ),
        // Not a loosening: a contradiction, with the remedy.
        (
            LIMITED,
            "- sandbox: { mode: read-only }",
            "read-only-with-roots units.u.overlays[0].sandbox.mode",
        ),
        (
            "sandbox: { mode: off }",
            "- egress: { deniedDomains: [a.example] }",
            "off-with-rules units.u.overlays[0].egress.deniedDomains[0]",
        ),
        (
            "sandbox: { writableRoots: [~/work] }",
            "- sandbox: { protectedPaths: [~/work/secret] }",
            "root-and-protected units.u.overlays[0].sandbox.protectedPaths[0]",
        ),
        // Two overlays, one list.
        (
            LIMITED,
            "- egress: { allowedDomains: [a.example] }\n- egress: { allowedDomains: [] }",
            "overlay-conflict units.u.overlays[1].egress.allowedDomains",
        ),
        (
            LIMITED,
            "- egress: { presets: [vcs] }\n- egress: { presets: [] }",
            "overlay-conflict units.u.overlays[1].egress.presets",
        ),
        (
            LIMITED,
            "- sandbox: { writableRoots: [/opt/a] }\n- sandbox: { writableRoots: [/opt/b] }",
            "overlay-conflict units.u.overlays[1].sandbox.writableRoots",
        ),
        // What a unit has not.
        (
            LIMITED,
            "- extends: base",
            "unknown-key units.u.overlays[0].extends",
        ),
        (
            LIMITED,
            "- harnesses: {}",
            "unknown-key units.u.overlays[0].harnesses",
        ),
    ] {
        assert_eq!(
            narrowed(base, overlay),
            Err(vec![expected.to_owned()]),
            "{base} | {overlay}"
        );
    }
}

#[test]
fn a_read_only_overlay_over_inherited_roots_is_told_the_remedy() {
    let overlays = "overlays: [{ sandbox: { mode: read-only } }]";
    let validation = validate(&[
        HALOS,
        ("profiles/base.yaml", LIMITED),
        ("units/u.yaml", overlays),
    ]);
    let help = validation
        .findings()
        .iter()
        .find_map(|finding| finding.help());
    let finding = validation
        .findings()
        .iter()
        .find(|finding| finding.path().ends_with(".mode"));
    assert!(help.is_some());
    assert_eq!(
        finding.unwrap().help(),
        Some("write `writableRoots: []` to clear inherited roots, or mode `workspace-write`")
    );
}

#[test]
fn an_overlay_applies_to_the_rings_it_names() {
    let unit_file = "
overlays:
  - egress: { deniedDomains: [all.example] }
  - rings: [canary]
    egress: { deniedDomains: [canary.example], default: deny }
  - rings: [ga, canary]
    egress: { deniedDomains: [both.example] }
";
    let validation = validate(&[
        HALOS,
        ("profiles/base.yaml", OPEN),
        ("units/u.yaml", unit_file),
    ]);
    assert_eq!(
        unit(&validation, "ga", "u"),
        "-all.example -both.example else allow workspace-write (implied)"
    );
    assert_eq!(
        unit(&validation, "canary", "u"),
        "-all.example -both.example -canary.example else deny workspace-write (implied)"
    );
}

#[test]
fn what_one_ring_permits_another_may_not() {
    // The unit narrows the canary ring's policy and loosens that of the other.
    let halos = "rings: { ga: { profile: base, default: true }, canary: { profile: canary } }";
    let overlays = |rings: &str| {
        format!("overlays: [{{ {rings} egress: {{ allowedDomains: [staging.example] }} }}]")
    };
    let errors_of = |unit: &str| {
        errors(&validate(&[
            ("halos.yaml", halos),
            (
                "profiles/base.yaml",
                "egress: { allowedDomains: [a.example] }",
            ),
            (
                "profiles/canary.yaml",
                "extends: base\negress: { allowedDomains: [staging.example] }",
            ),
            ("units/u.yaml", unit),
        ]))
    };
    assert_eq!(errors_of(&overlays("rings: [canary],")), [""; 0]);
    assert_eq!(
        errors_of(&overlays("")),
        ["overlay-loosens units.u.overlays[0].egress.allowedDomains[0]"]
    );
}

#[test]
fn all_that_is_wrong_with_a_unit_is_told_at_once() {
    let overlays = "
- egress: { allowedDomains: [C.example, c.example], deniedDomains: ['!x.b.example'], default: allow }
  sandbox: { mode: off, writableRoots: [/opt/c] }
- egress: { presets: [model-providers] }
";
    assert_eq!(
        narrowed(LIMITED, overlays).unwrap_err(),
        [
            "pattern-upper-case units.u.overlays[0].egress.allowedDomains[0]",
            "overlay-loosens units.u.overlays[0].egress.allowedDomains[1]",
            "overlay-loosens units.u.overlays[0].egress.deniedDomains[0]",
            "overlay-loosens units.u.overlays[0].egress.default",
            "overlay-loosens units.u.overlays[0].sandbox.mode",
            "overlay-loosens units.u.overlays[0].sandbox.writableRoots[0]",
            "overlay-loosens units.u.overlays[1].egress.presets[0]",
        ]
    );
}

#[test]
fn a_unit_names_a_preset_that_its_ring_names_or_permits_whole() {
    let unit = "- egress: { presets: [vcs] }";
    let not_allowed = ["overlay-loosens units.u.overlays[0].egress.presets[0]"];
    for (base, accepted) in [
        ("egress: { default: allow }", true),
        (
            "egress: { default: allow, deniedDomains: [elsewhere.example] }",
            true,
        ),
        (
            "egress: { presets: [vcs], deniedDomains: [bitbucket.org] }",
            true,
        ),
        (
            "egress: { default: allow, deniedDomains: [bitbucket.org] }",
            false,
        ),
        (
            "egress: { default: allow, deniedDomains: [x.githubusercontent.com] }",
            false,
        ),
        ("egress: { default: deny }", false),
    ] {
        let found = narrowed(base, unit);
        if accepted {
            assert!(found.is_ok(), "{base}: {found:?}");
        } else {
            assert_eq!(found.unwrap_err(), not_allowed, "{base}");
        }
    }
}

#[test]
fn a_fault_that_holds_in_several_rings_is_told_once_with_all_of_them() {
    let halos = "rings: { a: { profile: base }, b: { profile: child }, c: { profile: base } }";
    let unit = "overlays: [{ egress: { allowedDomains: [x.example] } }]";
    let validation = validate(&[
        ("halos.yaml", halos),
        (
            "profiles/base.yaml",
            "egress: { allowedDomains: [a.example] }",
        ),
        ("profiles/child.yaml", "extends: base"),
        ("units/u.yaml", unit),
    ]);
    let messages: Vec<&str> = validation
        .findings()
        .iter()
        .filter(|finding| finding.file() == "units/u.yaml")
        .map(policy_core::Finding::message)
        .collect();
    let told = "`x.example` is not allowed in rings `a`, `b` and `c`";
    assert_eq!(messages, [told]);
}

//! The proof catches overlay code that is wrong, whatever is wrong with it; and all work is counted.

use super::{Narrow, Validation, validate_with};
use crate::repository::document::{read_organisation, read_profile, read_unit};
use crate::repository::finding::{Code, Finding, Severity};
use crate::repository::layer::Layer;
use crate::repository::report::Report;
use crate::repository::resolved::Resolved;
use crate::repository::yaml;

const HALOS: &str = "
gateway: https://ai.acme.example
rings: { ga: { profile: base, default: true } }
";

const BASE: &str = r#"
sandbox:
  mode: read-only
  protectedPaths: [~/.ssh]
egress:
  allowedDomains: [ai.acme.example, docs.acme.example, "*.dev.acme.example"]
  deniedDomains: ["*.old.dev.acme.example"]
"#;

/// It loosens nothing: what permits more is the code.
const UNIT: &str = r#"
overlays:
  - egress:
      allowedDomains: [ai.acme.example, "*.dev.acme.example"]
      deniedDomains: [docs.acme.example]
"#;

fn validation(narrow: Narrow) -> Validation {
    let files = parts(HALOS, &[("base", BASE)], &[("payments", UNIT)]);
    validate_with(files, super::MOST_ENTRIES, narrow)
}

/// Profiles and units by their names.
fn parts(halos: &str, profiles: &[(&str, &str)], units: &[(&str, &str)]) -> super::Parts {
    let mut report = Report::new("");
    let tree = |text: &str| yaml::parse(text.as_bytes()).unwrap();
    let organisation = read_organisation(tree(halos), &mut report);
    let profiles = profiles.iter().map(|(name, text)| {
        let file = format!("profiles/{name}.yaml");
        let document = read_profile(name, &file, tree(text), &mut report);
        ((*name).to_owned(), document)
    });
    let profiles = profiles.collect();
    let units = units.iter().map(|(name, text)| {
        let file = format!("units/{name}.yaml");
        let document = read_unit(name, &file, tree(text), &mut report);
        ((*name).to_owned(), document)
    });
    super::Parts {
        organisation: Some(organisation),
        profiles,
        units: units.collect(),
        findings: report.finish(),
    }
}

#[test]
fn right_overlay_code_passes_the_proof() {
    let validation = validation(|ring, overlays| ring.narrow(overlays));
    let codes: Vec<Code> = validation.findings().iter().map(Finding::code).collect();
    // In the profile, and in the unit that allows the wildcard again.
    assert_eq!(codes, [Code::OpenApex; 2]);
    assert!(validation.organisation().is_some());
}

#[test]
fn the_proof_catches_overlay_code_that_is_wrong() {
    /// The right result without something that restricts, or with something that permits.
    fn and<'l>(
        ring: &Resolved<'l>,
        overlays: &[&'l Layer],
        go_wrong: impl FnOnce(&mut Resolved<'l>),
    ) -> Resolved<'l> {
        let mut narrowed = ring.narrow(overlays);
        go_wrong(&mut narrowed);
        narrowed
    }
    let wrong: [(&str, Narrow, &str); 6] = [
        (
            "forgets what the ring denies",
            |ring, overlays| and(ring, overlays, |wrong| wrong.denied.clear()),
            "`*.dev.acme.example`",
        ),
        (
            "takes an emptied allowlist for none",
            |ring, overlays| {
                and(ring, overlays, |wrong| {
                    wrong.allowed.clear();
                    wrong.allowlist = None;
                    wrong.narrowed = false;
                })
            },
            "every host that is not denied",
        ),
        (
            "allows what the ring denies",
            |ring, overlays| {
                and(ring, overlays, |wrong| {
                    wrong.allowed = core::mem::take(&mut wrong.denied);
                })
            },
            "`*.old.dev.acme.example`",
        ),
        (
            "drops the mode",
            |ring, overlays| and(ring, overlays, |wrong| wrong.mode = None),
            "mode `workspace-write`",
        ),
        (
            "drops the protected paths",
            |ring, overlays| and(ring, overlays, |wrong| wrong.protected.clear()),
            "no protection of `~/.ssh`",
        ),
        (
            "applies nothing at all",
            |_, _| Resolved::default(),
            "every host that is not denied",
        ),
    ];
    for (what, narrow, added) in wrong {
        let validation = validation(narrow);
        let proof = validation
            .findings()
            .iter()
            .find(|finding| finding.code() == Code::OverlayLoosens)
            .unwrap_or_else(|| panic!("{what}: {:#?}", validation.findings()));
        assert_eq!(proof.file(), "units/payments.yaml");
        assert_eq!(
            proof.message(),
            format!("unit `payments` permits more than ring `ga`: {added}"),
            "{what}"
        );
        assert!(proof.evidence().is_some(), "{what}");
        assert!(validation.organisation().is_none(), "{what}");
    }
}

#[test]
fn findings_are_counted_by_severity() {
    let told =
        "egress: { allowedDomains: [a.example, a.example, A.example, B.example, C.example] }";
    let validation = validate_with(
        parts(HALOS, &[("base", told)], &[]),
        super::MOST_ENTRIES,
        |ring, overlays| ring.narrow(overlays),
    );
    let of = |severity: Severity| {
        let findings = validation.findings().iter();
        findings
            .filter(|finding| finding.severity() == severity)
            .count()
    };
    let counts = [Severity::Error, Severity::Warning].map(|severity| validation.count(severity));
    assert_eq!(counts, [of(Severity::Error), of(Severity::Warning)]);
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    assert_ne!(counts[0], counts[1]);
}

#[test]
fn the_suffix_list_has_the_date_of_the_pinned_crate() {
    assert_eq!(Validation::suffix_list_date(), "2026-11-05");
}

/// Work that is not seen in what holds in the end: lists that are cleared or replaced, parents that
/// are only compared with, and the same overlays in one ring after another.
#[test]
fn what_a_later_layer_clears_is_counted_as_well() {
    let long = format!(
        "egress: {{ allowedDomains: [{}] }}",
        "a.example, ".repeat(1_000)
    );
    let clears = "extends: long\negress: { allowedDomains: [], default: deny }";
    let two_rings = "rings: { a: { profile: long }, b: { profile: long } }";
    let replaces = "overlays: [{ egress: { allowedDomains: [a.example] } }]";
    let long_overlay = format!("overlays: [{{ {long} }}]");
    type Files<'f> = &'f [(&'f str, &'f str)];
    let cases: [(&str, &str, Files<'_>, Files<'_>, usize); 5] = [
        ("nothing inherited", "", &[("long", &long)], &[], 1_001),
        // The child, what it inherits and clears, and the parent that it is compared with.
        ("cleared", "", &[("long", &long), ("x", clears)], &[], 3_004),
        ("a ring more", two_rings, &[("long", &long)], &[], 1_001),
        // In one ring, as the other is the same to the unit: the ring, the overlay with its entry, and
        // what any unit costs; and in both a look at which overlays apply.
        (
            "replaced",
            two_rings,
            &[("long", &long)],
            &[("u", replaces)],
            1_001 + 2 + 1_001 + 2 + 32,
        ),
        (
            "a long overlay",
            two_rings,
            &[("long", &long)],
            &[("u", &long_overlay)],
            1_001 + 2 + 1_001 + 1_001 + 32,
        ),
    ];
    for (what, halos, profiles, units, work) in cases {
        for (most, refused) in [(work, false), (work - 1, true)] {
            let narrow: Narrow = |ring, overlays| ring.narrow(overlays);
            let validation = validate_with(parts(halos, profiles, units), most, narrow);
            let mut findings = validation.findings().iter();
            let found = findings.any(|finding| finding.code() == Code::TooManyEntries);
            assert_eq!(found, refused, "{what}: {most}");
        }
    }
}

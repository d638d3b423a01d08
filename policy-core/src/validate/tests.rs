//! The proof catches overlay code that is wrong, whatever is wrong with it.

use super::{Narrow, Validation, validate_with};
use crate::document::{read_organisation, read_profile, read_unit};
use crate::finding::Code;
use crate::layer::Layer;
use crate::report::Report;
use crate::resolved::Resolved;
use crate::yaml;

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
    let mut report = Report::new("");
    let tree = |text: &str| yaml::parse(text.as_bytes()).unwrap();
    let parts = super::Parts {
        organisation: Some(read_organisation(tree(HALOS), &mut report)),
        profiles: [("base", "profiles/base.yaml")]
            .map(|(name, file)| {
                (
                    name.to_owned(),
                    read_profile(name, file, tree(BASE), &mut report),
                )
            })
            .into(),
        units: [("payments", "units/payments.yaml")]
            .map(|(name, file)| {
                (
                    name.to_owned(),
                    read_unit(name, file, tree(UNIT), &mut report),
                )
            })
            .into(),
        findings: report.finish(),
    };
    validate_with(parts, narrow)
}

#[test]
fn right_overlay_code_passes_the_proof() {
    let validation = validation(|ring, overlays| ring.narrow(overlays));
    assert_eq!(validation.findings(), []);
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
            format!("unit `payments` permits what ring `ga` does not: {added}"),
            "{what}"
        );
        assert!(proof.evidence().is_some(), "{what}");
        assert!(validation.organisation().is_none(), "{what}");
    }
}

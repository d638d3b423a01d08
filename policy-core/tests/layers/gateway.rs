//! The gateway rule, on the final policy of every ring and of every ring with every unit.

use super::{errors, of_severity, validate};
use policy_core::{Code, Severity};

#[test]
fn every_ring_and_every_ring_with_every_unit_allows_the_gateway() {
    // Whether the ring `ga` lets the gateway through, by the profile it uses.
    let profiles = [
        ("egress: { allowedDomains: [ai.example] }", true),
        ("egress: { allowedDomains: ['*.example'] }", true),
        ("egress: { deniedDomains: [b.example] }", true),
        ("", true),
        ("egress: { presets: [vcs] }", false),
        ("egress: { deniedDomains: [ai.example] }", false),
        (
            "egress: { allowedDomains: [ai.example], deniedDomains: ['*.example'] }",
            false,
        ),
        ("egress: { default: deny }", false),
    ];
    // In which rings an overlay keeps it out.
    let overlays = [
        ("{}", &[][..]),
        ("{ egress: { deniedDomains: [c.example] } }", &[]),
        (
            "{ egress: { deniedDomains: [ai.example] } }",
            &["ga", "other"],
        ),
        (
            "{ egress: { allowedDomains: [], presets: [] } }",
            &["ga", "other"],
        ),
        (
            "{ egress: { allowedDomains: [], presets: [], default: deny } }",
            &["ga", "other"],
        ),
        (
            "{ rings: [ga], egress: { deniedDomains: ['*.example'] } }",
            &["ga"],
        ),
        (
            "{ rings: [other], egress: { deniedDomains: ['*.example'] } }",
            &["other"],
        ),
        (
            "{ rings: [other], egress: { allowedDomains: [ai.example] } }",
            &[],
        ),
    ];
    let halos = "gateway: https://ai.example:8443/v1\n\
                 rings: { ga: { profile: base }, other: { profile: open } }";
    for (profile, ring_allows) in profiles {
        for (overlay, kept_out) in overlays {
            let validation = validate(&[
                ("halos.yaml", halos),
                ("profiles/base.yaml", profile),
                ("profiles/open.yaml", "egress: { default: allow }"),
                ("units/u.yaml", &format!("overlays: [{overlay}]")),
            ]);
            let mut expected = Vec::new();
            if !ring_allows {
                expected.push("profile `base` denies".to_owned());
            }
            // A unit cannot allow what its ring denies: that is told of the profile alone.
            let kept_out = kept_out
                .iter()
                .filter(|ring| ring_allows || **ring == "other");
            let kept_out: Vec<String> = kept_out.map(|ring| format!("`{ring}`")).collect();
            let in_rings: &[Vec<String>] = match &*kept_out {
                [] => &[],
                // One rule of one overlay is one finding, with every ring in which it holds.
                _ => &[kept_out],
            };
            expected.extend(in_rings.iter().map(|rings| match &**rings {
                [ring] => format!("unit `u` in ring {ring} denies"),
                rings => format!("unit `u` in rings {} denies", rings.join(" and ")),
            }));
            let findings = validation.findings().iter();
            let denied = findings.filter(|finding| finding.code() == Code::GatewayDenied);
            let who = |message: &str| message.split(" the gateway").next().unwrap().to_owned();
            let denied: Vec<String> = denied.map(|finding| who(finding.message())).collect();
            assert_eq!(denied, expected, "{profile} with {overlay}");
        }
    }
}

#[test]
fn a_profile_that_no_ring_uses_need_not_allow_it() {
    let validation = validate(&[
        ("halos.yaml", "gateway: https://ai.example\nrings: {}"),
        (
            "profiles/sealed.yaml",
            "sandbox: { mode: read-only }\negress: { default: deny }",
        ),
    ]);
    assert_eq!(errors(&validation), [""; 0]);
    assert_eq!(
        of_severity(&validation, Severity::Warning),
        [
            "no-rings halos.rings",
            "gateway-denied-unused profiles.sealed.egress.default"
        ]
    );
}

#[test]
fn a_gateway_is_an_absolute_http_url() {
    for (gateway, is_one) in [
        ("https://ai.example", true),
        ("http://ai.example:8080/v1?x", true),
        ("HTTPS://AI.example", true),
        ("https://192.0.2.1", true),
        ("'https://[2001:db8::1]:8443'", true),
        ("ai.example", false),
        ("ai.example:443", false),
        ("//ai.example", false),
        ("ssh://ai.example", false),
        ("ftp://ai.example", false),
        ("https://", false),
        ("https:ai.example", false),
        ("https:///ai.example", false),
        ("https://user@ai.example", false),
        ("https://user:secret@ai.example", false),
        ("https://*.ai.example", false),
        ("https://ai.example:0", false),
        ("'https://ai.example '", false),
        ("''", false),
    ] {
        let halos = format!("gateway: {gateway}\nrings: {{ ga: {{ profile: base }} }}");
        let validation = validate(&[("halos.yaml", &halos), ("profiles/base.yaml", "{}")]);
        let expected: &[&str] = if is_one {
            &[]
        } else {
            &["gateway-url halos.gateway"]
        };
        assert_eq!(errors(&validation), expected, "{gateway}");
    }
}

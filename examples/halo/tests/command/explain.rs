//! `egress explain`: the whole way to the answer.

use super::{ACME, about};

#[test]
fn the_way_to_the_answer_is_laid_out() {
    let answer = about(ACME, &["egress", "explain", "https://pastebin.com/raw/x"]);
    assert_eq!(
        answer.stdout,
        "\
DENY pastebin.com  (ring ring3-ga, profile engineering)
rule   egress.deniedDomains pastebin.com
       profiles/base.yaml:9:19  profile, profiles.base.egress.deniedDomains[0]
lost   egress.default deny (implied)
       the default decides only where no pattern matches
       profiles/engineering.yaml:8:3  profile, profiles.engineering.egress.allowedDomains
to allow it
       remove `pastebin.com` from profiles/base.yaml:9:19 (profiles.base.egress.deniedDomains[0])
       add `pastebin.com` in profiles/engineering.yaml (profiles.engineering.egress.allowedDomains)
"
    );
    assert_eq!((answer.status, &*answer.stderr), (1, ""));
    let answer = about(
        ACME,
        &[
            "egress",
            "explain",
            "mcp.acme.example",
            "--unit",
            "payments",
        ],
    );
    assert_eq!(
        answer.stdout,
        "\
DENY mcp.acme.example  (ring ring3-ga, unit payments, profile engineering)
rule   egress.default deny (implied)
       units/payments.yaml:7:7  overlay, units.payments.overlays[1].egress.allowedDomains
to allow it
       add `mcp.acme.example` in units/payments.yaml (units.payments.overlays[1].egress.allowedDomains)
"
    );
    assert_eq!(answer.status, 1);
}

#[test]
fn the_exit_code_is_that_of_the_decision() {
    for (host, status) in [
        ("github.com", 0),
        ("pastebin.com", 1),
        ("x y", 2),
        ("ai.acme.example", 0),
    ] {
        assert_eq!(
            about(ACME, &["egress", "explain", host]).status,
            status,
            "{host}"
        );
    }
    let gateway = about(ACME, &["egress", "explain", "ai.acme.example"]).stdout;
    let last = gateway.lines().last();
    assert_eq!(
        last,
        Some("it is the gateway, and every policy must allow it")
    );
}

//! Every JSON answer has the shape of its published schema.

use std::path::Path;

use serde_json::{Value, json};

use super::{ACME, HALOS, about, ask, halo, policy, root};

fn schema(name: &str) -> jsonschema::Validator {
    let path = root()
        .join("examples/halo/schemas")
        .join(format!("{name}.schema.json"));
    let text = std::fs::read_to_string(path).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn assert_fits(name: &str, answer: &Value) {
    let errors: Vec<String> = schema(name)
        .iter_errors(answer)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}\n{answer:#}");
}

#[test]
fn every_answer_fits_its_schema() {
    let invalid = policy(
        "schema-invalid",
        &[HALOS, ("profiles/base.yaml", "egress: { default: block }")],
    );
    let open = policy("schema-open", &[HALOS, ("profiles/base.yaml", "{}")]);
    // Every kind of difference from the sample, one way or the other.
    let kinds = policy(
        "schema-kinds",
        &[
            (
                "halos.yaml",
                "gateway: http://ai.acme.example\nrings: { ring3-ga: { profile: base }, new: { profile: base } }",
            ),
            (
                "profiles/base.yaml",
                "harnesses: { codex: 0.90.0 }\negress: { allowedDomains: ['*.acme.example'] }\nsandbox: { mode: read-only }",
            ),
        ],
    );
    let kinds = kinds.display().to_string();
    let nowhere = policy("schema-nowhere", &[]).join("nothing");
    let (acme, invalid, open, nowhere) = (Path::new(ACME), &*invalid, &*open, &*nowhere);
    for (name, directory, arguments) in [
        ("validate", acme, &["validate"][..]),
        ("validate", invalid, &["validate"]),
        ("validate", nowhere, &["validate"]),
        ("egress-test", acme, &["egress", "test", "github.com"]),
        (
            "egress-test",
            acme,
            &[
                "egress",
                "test",
                "x.github.com",
                "--unit",
                "payments",
                "--os",
                "windows",
            ],
        ),
        ("egress-test", open, &["egress", "test", "x.github.com"]),
        ("egress-test", acme, &["egress", "test", "x y"]),
        (
            "egress-test",
            acme,
            &["egress", "test", "github.com", "--ring", "none"],
        ),
        ("egress-test", invalid, &["egress", "test", "github.com"]),
        ("egress-test", nowhere, &["egress", "test", "github.com"]),
        (
            "egress-diff",
            acme,
            &["egress", "diff", "ring3-ga", "ring0-canary+payments"],
        ),
        (
            "egress-diff",
            acme,
            &["egress", "diff", "profile:base", "profile:base"],
        ),
        ("egress-diff", acme, &["egress", "diff", "ring3-ga", "none"]),
        (
            "egress-diff",
            acme,
            &["egress", "diff", "examples/acme", "examples/acme"],
        ),
        (
            "egress-diff",
            acme,
            &["egress", "diff", "examples/acme", &kinds],
        ),
        (
            "egress-diff",
            acme,
            &["egress", "diff", &kinds, "examples/acme"],
        ),
        ("egress-diff", acme, &["egress", "diff", "ring3-ga", "."]),
        ("egress-diff", invalid, &["egress", "diff", "ga", "ga"]),
        (
            "egress-explain",
            acme,
            &["egress", "explain", "github.com", "--unit", "payments"],
        ),
        (
            "egress-explain",
            acme,
            &["egress", "explain", "pastebin.com"],
        ),
        (
            "egress-explain",
            acme,
            &["egress", "explain", "ai.acme.example"],
        ),
        ("egress-explain", open, &["egress", "explain", "github.com"]),
        ("egress-explain", acme, &["egress", "explain", "x y"]),
        (
            "egress-explain",
            invalid,
            &["egress", "explain", "github.com"],
        ),
    ] {
        let answer = about(directory, &[arguments, &["--output", "json"]].concat());
        assert_fits(name, &answer.json());
    }
    assert_fits("presets", &halo(&["presets", "--output", "json"]).json());
    let many = ask(
        ACME,
        &["--output", "json"],
        b"github.com\npastebin.com\nx y\n\xFF\n",
    );
    for line in many.stdout.lines() {
        assert_fits("egress-test", &serde_json::from_str(line).unwrap());
    }
}

#[test]
fn a_schema_refuses_what_is_not_its_answer() {
    for (name, wrong) in [
        (
            "validate",
            json!({ "ok": true, "errors": 0, "warnings": 0 }),
        ),
        (
            "egress-test",
            json!({ "input": "x y", "error": { "code": "c", "message": "m", "help": "h" }, "decision": "allow" }),
        ),
        (
            "egress-diff",
            json!({ "a": {}, "b": {}, "within": true, "wider": [], "narrower": [] }),
        ),
        (
            "egress-diff",
            json!({ "a": { "dir": "a" }, "b": { "dir": "b" }, "within": true, "differences": [{}] }),
        ),
        ("egress-explain", json!({})),
        ("presets", json!([{ "name": "vcs" }])),
    ] {
        assert!(!schema(name).is_valid(&wrong), "{name}");
    }
}

/// What the schema says of a comparison of repositories is all that there is to say.
#[test]
fn every_kind_of_difference_is_in_the_schema() {
    let text =
        std::fs::read_to_string(root().join("examples/halo/schemas/egress-diff.schema.json"));
    let schema: Value = serde_json::from_str(&text.unwrap()).unwrap();
    let kind = &schema["oneOf"][1]["properties"]["differences"]["items"]["properties"]["kind"];
    let kinds: Vec<&str> = policy_core::DifferenceKind::ALL
        .iter()
        .map(|kind| kind.as_str())
        .collect();
    assert_eq!(kind["enum"], json!(kinds));
}

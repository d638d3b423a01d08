//! The language-neutral vectors of comparisons, `conformance/comparisons.json`.

use alloc::collections::BTreeSet;
use core::net::IpAddr;

use policy_core::{Egress, Host, Pattern, PatternRef, Verdict, witnesses};
use serde_json::Value;

const VECTORS: &str = include_str!("../../../conformance/comparisons.json");

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|text| text.as_str().expect("a string"))
}

fn egress(policy: &Value) -> Egress {
    let mut builder = Egress::builder();
    for (field, value) in policy.as_object().expect("a policy") {
        match field.as_str() {
            "allowedDomains" => {
                for text in texts(value) {
                    builder = builder.allow(Pattern::parse(text).expect(text));
                }
            }
            "deniedDomains" => {
                for text in texts(value) {
                    builder = builder.deny(Pattern::parse(text).expect(text));
                }
            }
            "presets" => {
                for text in texts(value) {
                    builder = builder.preset(text.parse().expect(text));
                }
            }
            "default" => {
                builder = builder.default_verdict(match value.as_str() {
                    Some("allow") => Verdict::Allow,
                    Some("deny") => Verdict::Deny,
                    _ => panic!("default {value}"),
                });
            }
            _ => panic!("unknown field {field}"),
        }
    }
    builder.build().expect("a policy")
}

/// The class of a host, in the words of the vectors.
fn class(host: &Host, a: &Egress, b: &Egress) -> String {
    let patterns = || a.patterns().chain(b.patterns());
    if let Some(address) = host.address() {
        return match address {
            _ if patterns().any(|pattern| pattern.matches(host)) => address.to_string(),
            IpAddr::V4(_) => "ipv4".to_owned(),
            IpAddr::V6(_) => "ipv6".to_owned(),
        };
    }
    let name = host.name().expect("a name");
    let bases: BTreeSet<&str> = patterns().filter_map(PatternRef::base).collect();
    if bases.contains(name) {
        return name.to_owned();
    }
    let mut above = core::iter::successors(Some(name), |name| Some(name.split_once('.')?.1));
    match above.find(|name| bases.contains(name)) {
        Some(base) => format!("*.{base}"),
        None => "*".to_owned(),
    }
}

fn beyond(a: &Egress, b: &Egress) -> BTreeSet<String> {
    witnesses(a.patterns().chain(b.patterns()))
        .filter(|host| a.decide(host).is_allowed() && !b.decide(host).is_allowed())
        .map(|host| class(&host, a, b))
        .collect()
}

#[test]
fn every_vector() {
    let vectors: Value = serde_json::from_str(VECTORS).expect("JSON");
    let cases = vectors["cases"].as_array().expect("cases");
    let names: BTreeSet<&str> = cases
        .iter()
        .map(|case| case["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names.len(), cases.len(), "each case has its own name");

    for case in cases {
        let name = &case["name"];
        let (a, b) = (egress(&case["a"]), egress(&case["b"]));
        for (here, there, field) in [(&a, &b, "aBeyondB"), (&b, &a, "bBeyondA")] {
            let expected: BTreeSet<String> = texts(&case[field]).map(str::to_owned).collect();
            assert_eq!(beyond(here, there), expected, "{name}: {field}");
            match here.is_within(there) {
                Ok(()) => assert!(expected.is_empty(), "{name}: {field}"),
                Err(witness) => {
                    let class = class(witness.host(), &a, &b);
                    assert!(expected.contains(&class), "{name}: {field}: {witness}");
                }
            }
        }
    }
}

//! Every row of the conformance vectors through the command: a host by standard input where a line
//! can carry it, else by argument; a pattern through the validation.

use std::path::Path;

use policy_core::Verdict;
use serde_json::Value;

use super::vectors::{self, Expected, Outcome};
use super::{Answer, HALOS, about, ask, policy};

fn list(texts: &[&str]) -> String {
    format!("[{}]", entries(texts))
}

/// The policies of `hosts.tsv`: one that denies by default and one that allows.
fn policies(test: &str) -> [std::path::PathBuf; 2] {
    let (allowed, denied) = (list(&vectors::ALLOWED), list(&vectors::DENIED));
    let listed =
        format!("egress: {{ allowedDomains: {allowed}, deniedDomains: {denied}, default: deny }}");
    let open = format!("egress: {{ deniedDomains: {denied}, default: allow }}");
    [("listed", listed), ("open", open)].map(|(name, text)| {
        policy(
            &format!("{test}-{name}"),
            &[HALOS, ("profiles/base.yaml", &text)],
        )
    })
}

/// Texts as the entries of a YAML list.
fn entries(texts: &[&str]) -> String {
    let quoted = texts.iter().map(|text| {
        let escaped = text.chars().map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            ' '..='~' => c.to_string(),
            c => format!("\\U{:08x}", u32::from(c)),
        });
        format!("\"{}\"", escaped.collect::<String>())
    });
    quoted.collect::<Vec<_>>().join(", ")
}

/// What the command says of each host, one object a host.
fn decisions(directory: &Path, hosts: &[&str]) -> Vec<Value> {
    // A line ends at a line feed, a CR before it is not part of it, and some lines are skipped.
    let fits = |host: &str| {
        !(host.is_empty() || host.starts_with('#') || host.contains('\n') || host.ends_with('\r'))
    };
    let lines: String = hosts
        .iter()
        .filter(|host| fits(host))
        .map(|host| format!("{host}\n"))
        .collect();
    let answer = ask(directory, &["--output", "json"], lines.as_bytes());
    let mut lines = answer
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let by_argument = |host: &&str| {
        let arguments = ["egress", "test", "--output", "json", "--", host];
        let mut command = super::command(&[]);
        command.arg("--policy-dir").arg(directory).args(arguments);
        let answer: Answer = super::run(command, b"");
        let json = answer.json();
        let expected = match (json["error"].is_object(), json["decision"].as_str()) {
            (true, _) => 2,
            (false, Some("allow")) => 0,
            _ => 1,
        };
        assert_eq!(answer.status, expected, "{host:?}");
        json
    };
    hosts
        .iter()
        .map(|host| {
            if fits(host) {
                lines.next().unwrap()
            } else {
                by_argument(host)
            }
        })
        .collect()
}

#[test]
fn every_host_is_decided_as_its_row_says() {
    let rows = vectors::hosts();
    assert!(rows.len() > 200);
    let hosts: Vec<&str> = rows.iter().map(|row| &*row.input).collect();
    let [listed, open] = policies("hosts").map(|directory| decisions(&directory, &hosts));
    for (row, (listed, open)) in rows.iter().zip(listed.iter().zip(&open)) {
        let host = listed["host"].as_str();
        match &row.expected {
            Expected::Name(name) => assert_eq!(host, Some(&**name), "{}", row.id),
            Expected::Address(address, _) => {
                assert_eq!(host, Some(&*address.to_string()), "{}", row.id);
            }
            Expected::Refused => assert_eq!(host, None, "{}", row.id),
        }
        for (json, expected) in [(listed, &row.allowlist), (open, &row.denylist)] {
            assert_eq!(outcome(json), *expected, "{} {:?}", row.id, row.input);
        }
    }
}

/// What the command made of a text.
fn outcome(json: &Value) -> Outcome {
    if json["error"].is_object() {
        assert_eq!(json["decision"], "deny", "{json}");
        return Outcome::Invalid;
    }
    let verdict = match json["decision"].as_str() {
        Some("allow") => Verdict::Allow,
        _ => Verdict::Deny,
    };
    Outcome::Decided(verdict, json["rule"]["pattern"].as_str().map(str::to_owned))
}

#[test]
fn every_authority_is_decided_as_its_row_says() {
    let rows = vectors::authorities();
    let hosts: Vec<&str> = rows.iter().map(|(_, input, _)| &**input).collect();
    let text = format!(
        "egress: {{ allowedDomains: {}, deniedDomains: {}, default: deny }}",
        list(&vectors::AUTHORITIES_ALLOWED),
        list(&vectors::AUTHORITIES_DENIED)
    );
    let directory = policy("authorities", &[HALOS, ("profiles/base.yaml", &text)]);
    for ((id, input, expected), json) in rows.iter().zip(decisions(&directory, &hosts)) {
        assert_eq!(outcome(&json), *expected, "{id} {input:?}");
    }
}

#[test]
fn every_further_host_is_read_as_its_row_says() {
    let rows = vectors::more_hosts();
    let hosts: Vec<&str> = rows.iter().map(|row| &*row.input).collect();
    let [listed, _] = policies("more-hosts");
    for (row, json) in rows.iter().zip(decisions(&listed, &hosts)) {
        let read = match json["error"]["code"].as_str() {
            Some(code) => Err(code.to_owned()),
            None => Ok(json["host"].as_str().unwrap().to_owned()),
        };
        assert_eq!(read, row.expected, "{} {:?}", row.id, row.input);
    }
}

/// For each text as an entry of `allowedDomains` the findings about it.
fn findings(name: &str, texts: &[&str]) -> Vec<Vec<Value>> {
    let base = format!("egress:\n  allowedDomains: [{}]\n", entries(texts));
    let directory = policy(name, &[HALOS, ("profiles/base.yaml", &base)]);
    let json = about(&directory, &["validate", "--output", "json"]).json();
    let mut of_entry = vec![Vec::new(); texts.len()];
    for finding in json["findings"].as_array().unwrap() {
        let path = finding["path"].as_str().unwrap_or_default();
        let index = path.strip_prefix("profiles.base.egress.allowedDomains[");
        if let Some(index) = index.and_then(|rest| rest.strip_suffix(']')) {
            of_entry[index.parse::<usize>().unwrap()].push(finding.clone());
        }
    }
    of_entry
}

#[test]
fn every_rule_is_a_pattern_or_none_as_its_row_says() {
    let rows = vectors::rules();
    let texts: Vec<&str> = rows.iter().map(|row| &*row.input).collect();
    for (row, findings) in rows.iter().zip(findings("vectors-rules", &texts)) {
        let codes: Vec<&str> = findings
            .iter()
            .map(|finding| finding["code"].as_str().unwrap())
            .collect();
        let refused = codes.iter().any(|code| code.starts_with("pattern-"));
        assert_eq!(refused, row.pattern.is_none(), "{} {codes:?}", row.id);
        if let Some(note) = &row.validation {
            let word = note.trim_start_matches("warn=").split(' ').next().unwrap();
            assert!(
                codes.iter().any(|code| code.contains(word)),
                "{}: {note} {codes:?}",
                row.id
            );
        }
    }
}

#[test]
fn every_pattern_is_refused_with_the_suggestion_of_its_row() {
    let rows = vectors::patterns();
    let texts: Vec<&str> = rows.iter().map(|row| &*row.input).collect();
    for (row, findings) in rows.iter().zip(findings("vectors-patterns", &texts)) {
        let refusal = findings
            .iter()
            .find(|finding| finding["code"].as_str().unwrap().starts_with("pattern-"));
        let code = refusal.map(|finding| finding["code"].as_str().unwrap());
        assert_eq!(code, row.refusal.as_deref(), "{} {:?}", row.id, row.input);
        if let (Some(refusal), Some(suggestion)) = (refusal, &row.suggestion) {
            let help = refusal["help"].as_str().unwrap();
            assert!(help.starts_with("write `"), "{}: {help}", row.id);
            for pattern in suggestion.split(' ') {
                let is_named = help.contains(&format!("`{pattern}`"));
                assert!(is_named, "{}: {help}", row.id);
            }
        }
    }
}

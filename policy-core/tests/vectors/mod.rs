//! The language-neutral vectors of `conformance/`, read once into rows.
//!
//! Every test that runs a table runs it from here, so that the library and whatever sits on it are
//! held to the same rows.

use std::net::IpAddr;

use policy_core::Verdict;

/// A row of `hosts.tsv` that asks about a host.
pub(crate) struct HostRow {
    pub(crate) id: String,
    pub(crate) input: String,
    pub(crate) expected: Expected,
    /// Under the policy that denies by default.
    pub(crate) allowlist: Outcome,
    /// Under the policy that allows by default.
    pub(crate) denylist: Outcome,
}

/// What a text is.
pub(crate) enum Expected {
    Name(String),
    /// An address, and the word for its class where the row has one.
    Address(IpAddr, Option<String>),
    Refused,
}

/// What a policy makes of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The verdict and the pattern that decided; none when the default did.
    Decided(Verdict, Option<String>),
    /// No host: whoever must answer denies.
    Invalid,
}

/// A row of `hosts.tsv` that asks about a pattern.
pub(crate) struct RuleRow {
    pub(crate) id: String,
    pub(crate) input: String,
    /// The pattern as written, or none where it is refused by itself.
    pub(crate) pattern: Option<String>,
    /// What validation says about a legal pattern, in the words of the row: `warn=single-label`,
    /// `wildcard-over-public-suffix (in allowedDomains; legal in deniedDomains)`.
    pub(crate) validation: Option<String>,
}

/// The policy that denies by default, as in the first line of `hosts.tsv`.
pub(crate) const ALLOWED: [&str; 4] = [
    "github.com",
    "api.github.com",
    "*.githubusercontent.com",
    "xn--bcher-kva.example",
];
/// What both policies deny.
pub(crate) const DENIED: [&str; 3] = ["pastebin.com", "*.pastebin.com", "transfer.sh"];

/// The rows of `hosts.tsv` that ask about hosts.
pub(crate) fn hosts() -> Vec<HostRow> {
    let rows = table(include_str!("../../../conformance/hosts.tsv"));
    let of_form = |row: &[String], form: &str| row[2] == form;
    rows.iter()
        .filter(|row| !of_form(row, "rule"))
        .map(|row| {
            // A URL without `://` is read as a host, by the row that asks about it as one.
            let row = rows
                .iter()
                .find(|other| {
                    of_form(row, "url")
                        && !row[3].contains("://")
                        && of_form(other, "host")
                        && other[3] == row[3]
                })
                .unwrap_or(row);
            HostRow {
                id: row[0].clone(),
                input: json(&row[3]),
                expected: expected(&row[6]),
                allowlist: outcome(&row[7]),
                denylist: outcome(&row[8]),
            }
        })
        .collect()
}

/// The rows of `hosts.tsv` that ask about patterns.
pub(crate) fn rules() -> Vec<RuleRow> {
    table(include_str!("../../../conformance/hosts.tsv"))
        .iter()
        .filter(|row| row[2] == "rule")
        .map(|row| {
            let (verdict, rest) = row[6].split_once(':').expect("verdict:rest");
            let (pattern, validation) = match verdict {
                "OK" | "OK*" => {
                    let (name, note) = rest.split_once(':').unwrap_or((rest, ""));
                    let stars = if verdict == "OK" { "" } else { "*." };
                    (Some(format!("{stars}{name}")), Some(note))
                }
                // A pattern by itself; refused only among the allowed.
                _ if rest.starts_with("wildcard-over-public-suffix") => {
                    (Some(json(&row[3])), Some(rest))
                }
                _ => (None, None),
            };
            RuleRow {
                id: row[0].clone(),
                input: json(&row[3]),
                pattern,
                validation: validation
                    .filter(|note| !note.is_empty())
                    .map(str::to_string),
            }
        })
        .collect()
}

/// What the policy of `authorities.tsv` allows.
pub(crate) const AUTHORITIES_ALLOWED: [&str; 6] = [
    "exact.example",
    "*.wild.example",
    "ok.blocked.example",
    "xn--bcher-kva.example",
    "192.0.2.10",
    "2001:db8::10",
];
/// What it denies.
pub(crate) const AUTHORITIES_DENIED: [&str; 6] = [
    "bad.wild.example",
    "blocked.example",
    "*.blocked.example",
    "evil.example",
    "192.0.2.66",
    "2001:db8::66",
];

/// The rows of `authorities.tsv`: an id, the text, and what is decided.
pub(crate) fn authorities() -> Vec<(String, String, Outcome)> {
    table(include_str!("../../../conformance/authorities.tsv"))
        .iter()
        .map(|row| (row[0].clone(), json(&row[1]), outcome(&row[2])))
        .collect()
}

/// A row of `hosts-more.tsv`.
pub(crate) struct MoreHost {
    pub(crate) id: String,
    pub(crate) input: String,
    /// The canonical spelling, or the code of the reason.
    pub(crate) expected: Result<String, String>,
}

/// The rows of `hosts-more.tsv`.
pub(crate) fn more_hosts() -> Vec<MoreHost> {
    table(include_str!("../../../conformance/hosts-more.tsv"))
        .iter()
        .map(|row| MoreHost {
            id: row[0].clone(),
            input: json(&row[2]),
            expected: match row[3].strip_prefix("REJECT:") {
                Some(code) => Err(code.to_string()),
                None => Ok(row[3].clone()),
            },
        })
        .collect()
}

/// A row of `patterns.tsv`.
pub(crate) struct PatternRow {
    pub(crate) id: String,
    pub(crate) input: String,
    /// The code of the reason, or none where the pattern is legal.
    pub(crate) refusal: Option<String>,
    /// What the help tells to write, with a space between patterns; none where nothing is evident.
    pub(crate) suggestion: Option<String>,
}

/// The rows of `patterns.tsv`.
pub(crate) fn patterns() -> Vec<PatternRow> {
    let present = |text: &str| (!text.is_empty()).then(|| text.to_string());
    table(include_str!("../../../conformance/patterns.tsv"))
        .iter()
        .map(|row| PatternRow {
            id: row[0].clone(),
            input: json(&row[1]),
            refusal: row[2].strip_prefix("REJECT:").map(str::to_string),
            suggestion: present(&row[3]),
        })
        .collect()
}

/// The rows of a table of tab-separated columns, without comments and the line of column names.
fn table(text: &str) -> Vec<Vec<String>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let width = lines.next().expect("column names").split('\t').count();
    lines
        .map(|line| {
            let row: Vec<_> = line.split('\t').map(str::to_string).collect();
            assert_eq!(row.len(), width, "{line}");
            row
        })
        .collect()
}

fn json(text: &str) -> String {
    serde_json::from_str(text).expect("a JSON string")
}

fn expected(text: &str) -> Expected {
    if text.starts_with("REJECT:") {
        return Expected::Refused;
    }
    match text.strip_prefix("IP4:").or(text.strip_prefix("IP6:")) {
        None => Expected::Name(text.to_string()),
        Some(address) => {
            let (address, class) = address.split_once('(').unwrap_or((address, ""));
            let class = class.strip_suffix(')').map(str::to_string);
            Expected::Address(address.parse().expect("an address"), class)
        }
    }
}

fn outcome(text: &str) -> Outcome {
    let (verdict, by) = text
        .strip_suffix(')')
        .and_then(|text| text.split_once('('))
        .expect("VERDICT(rule)");
    let verdict = match verdict {
        "ALLOW" => Verdict::Allow,
        "DENY" => Verdict::Deny,
        other => panic!("{other}"),
    };
    match by {
        "invalid" => Outcome::Invalid,
        "default" => Outcome::Decided(verdict, None),
        pattern => Outcome::Decided(verdict, Some(pattern.to_string())),
    }
}

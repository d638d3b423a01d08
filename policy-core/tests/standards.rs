//! The URL Standard's and UTS 46's own test data against `Host`.
//!
//! The law: where we accept, our host is theirs, and what they refuse we refuse. What departs from
//! it is listed in `data/differences.tsv` with the reason, and nothing else may depart, nor may a
//! listed row cease to. How much is accepted is counted, so that it cannot shrink unseen.
#![expect(
    clippy::unwrap_used,
    clippy::std_instead_of_alloc,
    reason = "a test says what must hold by unwrapping it, and has the standard library"
)]

use std::collections::BTreeMap;

use policy_core::Host;
use serde_json::Value;

/// What a standard makes of a text: a host, no host, or nothing that compares.
type Theirs = Option<String>;

/// Departures from the law, and how many texts both accept.
#[derive(Default)]
struct Comparison {
    differences: Vec<String>,
    agreed: usize,
    refused: usize,
}

impl Comparison {
    fn add(&mut self, input: &str, theirs: Theirs) {
        let ours = Host::parse(input).ok().map(|host| host.to_string());
        match (ours, theirs) {
            (None, _) => self.refused += 1,
            (Some(ours), Some(theirs)) if ours == theirs => self.agreed += 1,
            (Some(ours), theirs) => self.differences.push(format!(
                "{}\t{ours}\t{}",
                serde_json::to_string(input).unwrap(),
                theirs.as_deref().unwrap_or("refused"),
            )),
        }
    }

    /// Demands exactly these departures and counts.
    fn must_be(mut self, file: &str, agreed: usize, refused: usize) {
        let mut listed: Vec<_> = include_str!("data/differences.tsv")
            .lines()
            .filter_map(|line| line.strip_prefix(file)?.strip_prefix('\t'))
            .filter_map(|line| Some(line.rsplit_once('\t')?.0.to_string()))
            .collect();
        listed.sort();
        listed.dedup();
        self.differences.sort();
        self.differences.dedup();
        assert_eq!(self.differences, listed, "{file}");
        assert_eq!((self.agreed, self.refused), (agreed, refused), "{file}");
    }
}

/// A host as the URL Standard serialises it, in our one spelling: less the root dot and the
/// brackets, IPv4-mapped addresses as IPv4.
fn folded(hostname: &str) -> String {
    match hostname
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        Some(address) => Host::parse(address).unwrap().to_string(),
        None => hostname.strip_suffix('.').unwrap_or(hostname).to_string(),
    }
}

fn is_special(url: &str) -> bool {
    ["http:", "https:", "ws:", "wss:", "ftp:"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap()
}

#[test]
fn url_test_data() {
    let data: Vec<Value> = serde_json::from_str(include_str!("data/urltestdata.json")).unwrap();
    let mut comparison = Comparison::default();
    for case in data.iter().filter(|case| case.is_object()) {
        let input = text(case, "input");
        // A relative reference is none of the forms that a host is read from.
        let absolute = input.contains("://") || case["base"].is_null() && input.contains(':');
        if !absolute {
            continue;
        }
        if case["failure"].is_boolean() {
            comparison.add(input, None);
        } else if is_special(text(case, "href")) {
            comparison.add(input, Some(folded(text(case, "hostname"))));
        }
    }
    comparison.must_be("urltestdata.json", 105, 335);
}

#[test]
fn url_setters_test_data() {
    let data: BTreeMap<String, Vec<Value>> =
        serde_json::from_str(include_str!("data/setters_tests.json")).unwrap();
    let mut comparison = Comparison::default();
    for setter in ["host", "hostname"] {
        for case in data[setter]
            .iter()
            .filter(|case| is_special(text(case, "href")))
        {
            let before = Host::parse(text(case, "href")).unwrap().to_string();
            let Some(after) = case["expected"]["hostname"].as_str().map(folded) else {
                continue;
            };
            // A value that the setter ignores is a failure.
            let theirs = (before != after).then_some(after);
            comparison.add(text(case, "new_value"), theirs);
        }
    }
    comparison.must_be("setters_tests.json", 11, 40);
}

#[test]
fn idna_test_data() {
    let mut comparison = Comparison::default();
    for line in include_str!("data/IdnaTestV2.txt").lines() {
        let line = line.split('#').next().unwrap();
        let columns: Vec<_> = line.split(';').map(str::trim).collect();
        let [source, unicode, unicode_status, ascii, ascii_status, ..] = columns[..] else {
            continue;
        };
        // An unpaired surrogate is no text.
        let Some(source) = unescaped(source) else {
            continue;
        };
        let or = |column: &str, default: &str| match column {
            "" => default.to_string(),
            column => unescaped(column).unwrap(),
        };
        let ascii = or(ascii, &or(unicode, &source));
        let status = if ascii_status.is_empty() {
            unicode_status
        } else {
            ascii_status
        };
        // We check no hyphens (V2, V3: `r3---sn.example` is in use), and the root dot is no empty
        // label (A4_2).
        let failed = status
            .trim_matches(['[', ']'])
            .split(", ")
            .any(|code| !["", "V2", "V3", "A4_2"].contains(&code));
        comparison.add(&source, (!failed).then(|| folded(&ascii)));
    }
    comparison.must_be("IdnaTestV2.txt", 336, 6046);
}

/// The text that a column of the file stands for; none if it has an unpaired surrogate.
fn unescaped(column: &str) -> Option<String> {
    if column == "\"\"" {
        return Some(String::new());
    }
    let mut text = String::new();
    let mut rest = column;
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        let (digits, after) = match escape.strip_prefix("x{") {
            Some(braced) => braced.split_once('}').unwrap(),
            None => escape.strip_prefix('u').unwrap().split_at(4),
        };
        text.push(char::from_u32(u32::from_str_radix(digits, 16).unwrap())?);
        rest = after;
    }
    text.push_str(rest);
    Some(text)
}

#[test]
fn punycode_test_data() {
    let data: Vec<Value> = serde_json::from_str(include_str!("data/punycode_tests.json")).unwrap();
    let mut comparison = Comparison::default();
    for case in &data {
        // Our spelling is in lower case, and an ASCII label is its own A-label.
        let u_label = format!("{}.example", text(case, "decoded").to_ascii_lowercase());
        let a_label = format!("xn--{}.example", text(case, "encoded").to_ascii_lowercase());
        if u_label.is_ascii() {
            comparison.add(&u_label, Some(u_label.clone()));
            comparison.add(&a_label, None);
        } else {
            comparison.add(&u_label, Some(a_label.clone()));
            comparison.add(&a_label, Some(a_label.clone()));
        }
    }
    let bad: Vec<Value> =
        serde_json::from_str(include_str!("data/bad_punycode_tests.json")).unwrap();
    for case in &bad {
        comparison.add(text(case, "decoded"), None);
    }
    comparison.must_be("punycode_tests.json", 41, 10);
}

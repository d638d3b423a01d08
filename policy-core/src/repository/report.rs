//! The findings of a file, and of all files: each once, and as many as a person can use.

use alloc::collections::{BTreeMap, BTreeSet};
use core::fmt;

use crate::quote::quoted;
use crate::repository::finding::{Code, Finding, Position, Severity};

/// More errors of one file than this are not kept, nor are more warnings: a list of a million
/// numbers where hosts belong is one mistake.
pub(crate) const MOST_FINDINGS_OF_A_FILE: usize = 1_000;

/// Collects what is found when a file is read: errors.
#[derive(Debug)]
pub(crate) struct Report {
    file: String,
    findings: Vec<Finding>,
    more: bool,
}

impl Report {
    /// Nothing found yet in `file`, relative to the repository and with `/`.
    pub(crate) fn new(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            findings: Vec::new(),
            more: false,
        }
    }

    /// Keeps a finding, unless there are too many; then it is never made.
    pub(crate) fn add(&mut self, finding: impl FnOnce() -> Finding) {
        if self.findings.len() < MOST_FINDINGS_OF_A_FILE {
            self.findings.push(finding().in_file(self.file.clone()));
        } else {
            self.more = true;
        }
    }

    /// Whether nothing was found.
    pub(crate) fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether an error was found.
    pub(crate) fn has_errors(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|finding| finding.severity() == Severity::Error)
    }

    /// The findings, and one more if some are not kept.
    pub(crate) fn finish(self) -> Vec<Finding> {
        let Self {
            file,
            mut findings,
            more,
        } = self;
        findings.extend(more.then(|| not_listed(Code::MoreFindings, &file)));
        findings
    }
}

/// That a file has more errors, or more warnings, than are listed.
fn not_listed(code: Code, file: &str) -> Finding {
    let what = match code.severity() {
        Severity::Error => "errors",
        _ => "warnings",
    };
    let message = format!("more {what} than the {MOST_FINDINGS_OF_A_FILE} that are listed");
    Finding::new(code, message)
        .in_file(file)
        .with_help("correct what is listed first")
}

/// Collects the findings of all files, each once however many ways lead to it.
#[derive(Debug, Default)]
pub(crate) struct Reports(BTreeMap<Box<str>, Listed>);

#[derive(Debug, Default)]
struct Listed {
    errors: Vec<Finding>,
    more_errors: bool,
    warnings: Vec<Finding>,
    more_warnings: bool,
    /// The same fault met again, in a child or in another ring, is one finding.
    seen: BTreeSet<Fault>,
    /// The rings in which a fault holds that depends on the ring.
    rings: BTreeMap<Fault, InRings>,
}

/// Stands in a message for the rings in which the fault holds. Text of the policy cannot hold it:
/// where it is repeated, control characters are escaped.
pub(crate) const RINGS: &str = "\0";

/// A message names this many rings, and counts the others.
const SHOWN_RINGS: usize = 8;

/// Rings by their places in `halos.yaml`: the first of them, and how many there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct InRings {
    first: BTreeMap<usize, Box<str>>,
    count: usize,
    /// The first of the rings that joined last.
    joined: Option<usize>,
}

impl InRings {
    /// With one more ring, which comes so far down in `halos.yaml`.
    pub(crate) fn add(&mut self, place: usize, name: &str) {
        if self.first.insert(place, name.into()).is_some() {
            return;
        }
        self.count = self.count.saturating_add(1);
        if self.first.len() > SHOWN_RINGS {
            self.first.pop_last();
        }
    }

    /// Whether there is no ring.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds rings that are judged together; the same may join several times in a row.
    fn join(&mut self, other: &Self) {
        let joining = other.first.keys().next().copied();
        if self.joined == joining {
            return;
        }
        self.joined = joining;
        self.count = self.count.saturating_add(other.count);
        for (place, name) in &other.first {
            self.first.insert(*place, name.clone());
        }
        while self.first.len() > SHOWN_RINGS {
            self.first.pop_last();
        }
    }
}

impl fmt::Display for InRings {
    /// Writes `ring a`, or `rings a, b and 3 more`, each name in backticks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.first.values().map(|name| quoted(name)).collect();
        let more = self.count.saturating_sub(names.len());
        match (names.split_last(), more) {
            (None, _) => Ok(()),
            (Some((one, [])), 0) => write!(f, "ring {one}"),
            (Some((last, rest)), 0) => write!(f, "rings {} and {last}", rest.join(", ")),
            (Some(_), more) => write!(f, "rings {} and {more} more", names.join(", ")),
        }
    }
}

/// What makes two findings of a file the same fault: code, position, path and message.
type Fault = (&'static str, Option<Position>, Box<str>, Box<str>);

fn fault(finding: &Finding) -> Fault {
    (
        finding.code().as_str(),
        finding.position(),
        finding.path().into(),
        finding.message().into(),
    )
}

impl Reports {
    pub(crate) fn add(&mut self, finding: Finding) {
        let file: Box<str> = finding.file().into();
        self.offer(&file, finding.code(), || finding);
    }

    /// Keeps a finding whose message says where it holds by [`RINGS`]; met again in other rings, it
    /// names them as well.
    pub(crate) fn add_in(&mut self, rings: &InRings, finding: Finding) {
        let file: Box<str> = finding.file().into();
        let fault = fault(&finding);
        self.offer(&file, finding.code(), || finding);
        let listed = self.0.get_mut(&file);
        if let Some(listed) = listed.filter(|listed| listed.seen.contains(&fault)) {
            listed.rings.entry(fault).or_default().join(rings);
        }
    }

    /// Keeps a finding about `file`, unless there are too many; then it is never made.
    pub(crate) fn offer(&mut self, file: &str, code: Code, finding: impl FnOnce() -> Finding) {
        if !self.0.contains_key(file) {
            self.0.insert(file.into(), Listed::default());
        }
        let Some(listed) = self.0.get_mut(file) else {
            return;
        };
        let (kept, more) = match code.severity() {
            Severity::Error => (&mut listed.errors, &mut listed.more_errors),
            _ => (&mut listed.warnings, &mut listed.more_warnings),
        };
        if matches!(code, Code::MoreFindings | Code::MoreWarnings) {
            *more = true;
            return;
        }
        let is_full = kept.len() >= MOST_FINDINGS_OF_A_FILE;
        if is_full && *more {
            return;
        }
        let finding = finding().in_file(file);
        let fault = fault(&finding);
        if listed.seen.contains(&fault) {
            return;
        }
        if is_full {
            *more = true;
        } else {
            listed.seen.insert(fault);
            kept.push(finding);
        }
    }

    /// All findings, sorted.
    pub(crate) fn finish(self) -> Vec<Finding> {
        let mut all = Vec::new();
        for (file, listed) in self.0 {
            let rings = listed.rings;
            let in_rings = |finding: Finding| match rings.get(&fault(&finding)) {
                Some(rings) => finding.with_rings(RINGS, &rings.to_string()),
                None => finding,
            };
            all.extend(listed.errors.into_iter().map(in_rings));
            all.extend(listed.warnings.into_iter().map(in_rings));
            let more = [
                listed.more_errors.then_some(Code::MoreFindings),
                listed.more_warnings.then_some(Code::MoreWarnings),
            ];
            all.extend(
                more.into_iter()
                    .flatten()
                    .map(|code| not_listed(code, &file)),
            );
        }
        all.sort();
        all
    }
}

/// The way from a document's root to a value, for [`Finding::path`]; its text is made only when a
/// finding needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    /// A document, such as `profiles.base`.
    Root(&'a str),
    /// The value of a key.
    Key(&'a Place<'a>, &'a str),
    /// An entry of a list.
    Index(&'a Place<'a>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        match self {
            Self::Root(name) => f.write_str(name),
            Self::Key(parent, key) if !key.is_empty() && key.chars().all(plain) => {
                write!(f, "{parent}.{key}")
            }
            Self::Key(parent, key) => write!(f, "{parent}[{}]", quoted(key)),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

//! The findings of one file, as many as a person can use.

use core::fmt;

use crate::finding::{Code, Finding};
use crate::quote::quoted;

/// More findings of one file than this are counted and not kept: a list of a million numbers where
/// hosts belong is one mistake.
pub(crate) const MOST_FINDINGS_OF_A_FILE: usize = 1_000;

/// Collects the findings of one file.
#[derive(Debug)]
pub(crate) struct Report {
    file: String,
    findings: Vec<Finding>,
    more: usize,
}

impl Report {
    /// Nothing found yet in `file`, relative to the repository and with `/`.
    pub(crate) fn new(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            findings: Vec::new(),
            more: 0,
        }
    }

    /// Keeps a finding, or only counts it when there are too many; then it is never made.
    pub(crate) fn add(&mut self, finding: impl FnOnce() -> Finding) {
        if self.findings.len() < MOST_FINDINGS_OF_A_FILE {
            self.findings.push(finding().in_file(self.file.clone()));
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    /// Whether further findings are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.findings.len() >= MOST_FINDINGS_OF_A_FILE
    }

    /// Whether nothing was found.
    pub(crate) fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// The findings, and one more if some were only counted.
    pub(crate) fn finish(self) -> Vec<Finding> {
        let Self {
            file,
            mut findings,
            more,
        } = self;
        if more > 0 {
            let message = format!("{more} more problems in this file are not listed");
            findings.push(Finding::new(Code::MoreFindings, message).in_file(file));
        }
        findings
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

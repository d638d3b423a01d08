//! What a device tells a gateway, and what the gateway makes of it.

use std::fmt;
use std::str::FromStr;

use policy_core::{Harness, Posture};
use serde::{Deserialize, Serialize};

use super::check::{Finding, Severity};
use super::unknown::Unknown;

/// A longer line is none that a device of this project wrote.
const MOST_LINE: usize = 1024;

/// One line of a report: `posture:<harness>: <problem>; fix: <fix>`.
///
/// ```
/// use harness_render::Entry;
///
/// let line = "posture:codex: ~/.codex/config.toml sets notify; fix: remove notify";
/// let entry: Entry = line.parse()?;
/// assert_eq!(entry.harness(), policy_core::Harness::Codex);
/// assert_eq!(entry.fix(), "remove notify");
/// assert_eq!(entry.to_string(), line);
/// # Ok::<(), harness_render::EntryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Entry {
    harness: Harness,
    problem: String,
    fix: String,
}

impl Entry {
    /// The harness.
    #[must_use]
    pub const fn harness(&self) -> Harness {
        self.harness
    }

    /// What is the matter.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// What to do.
    #[must_use]
    pub fn fix(&self) -> &str {
        &self.fix
    }
}

impl From<&Finding> for Entry {
    fn from(finding: &Finding) -> Self {
        Self {
            harness: finding.harness(),
            problem: finding.problem(),
            fix: finding.fix(),
        }
    }
}

impl From<&Unknown> for Entry {
    fn from(unknown: &Unknown) -> Self {
        Self {
            harness: unknown.harness(),
            problem: unknown.problem(),
            fix: unknown.fix().to_owned(),
        }
    }
}

impl From<Entry> for String {
    fn from(entry: Entry) -> Self {
        entry.to_string()
    }
}

impl TryFrom<String> for Entry {
    type Error = EntryError;

    fn try_from(line: String) -> Result<Self, EntryError> {
        line.parse()
    }
}

impl FromStr for Entry {
    type Err = EntryError;

    fn from_str(line: &str) -> Result<Self, EntryError> {
        if line.len() > MOST_LINE || line.contains(char::is_control) {
            return Err(EntryError(()));
        }
        let (harness, rest) = line
            .strip_prefix("posture:")
            .and_then(|rest| rest.split_once(": "))
            .ok_or(EntryError(()))?;
        let harness = harness.parse::<Harness>().map_err(|_| EntryError(()))?;
        let (problem, fix) = rest.split_once("; fix: ").ok_or(EntryError(()))?;
        if problem.is_empty() || fix.is_empty() {
            return Err(EntryError(()));
        }
        Ok(Self {
            harness,
            problem: problem.to_owned(),
            fix: fix.to_owned(),
        })
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            harness,
            problem,
            fix,
        } = self;
        write!(f, "posture:{harness}: {problem}; fix: {fix}")
    }
}

/// The line is none of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a line of a device report; write `posture:<harness>: <problem>; fix: <fix>`")]
pub struct EntryError(());

/// What a device reports: its drift, and apart from it what could not be judged.
///
/// Notices are not part of it: they are ways around the managed settings that those never closed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceReport {
    drift: Vec<Entry>,
    unknown: Vec<Entry>,
}

impl DeviceReport {
    /// A report of these findings, notices left out, and of what could not be judged.
    pub fn new<'a>(
        findings: impl IntoIterator<Item = &'a Finding>,
        unknown: impl IntoIterator<Item = &'a Unknown>,
    ) -> Self {
        Self {
            drift: findings
                .into_iter()
                .filter(|finding| finding.severity() > Severity::Notice)
                .map(Entry::from)
                .collect(),
            unknown: unknown.into_iter().map(Entry::from).collect(),
        }
    }

    /// What weakens the policy on the device.
    #[must_use]
    pub fn drift(&self) -> &[Entry] {
        &self.drift
    }

    /// What could not be judged.
    #[must_use]
    pub fn unknown(&self) -> &[Entry] {
        &self.unknown
    }
}

/// Whether a device may go on, given its report and what its ring says of drift: the one question a
/// gateway asks.
///
/// Under [`Posture::Enforce`] a device is compliant only with a report that has neither drift nor
/// anything unknown; one that sent no report is not. Otherwise every device is, and the report is for
/// people.
///
/// ```
/// use harness_render::{DeviceReport, is_compliant};
/// use policy_core::Posture;
///
/// /// What a gateway does with a request: `body` is what the device last sent, if it sent any.
/// fn admit(body: Option<&str>, ring: Posture) -> Result<(), String> {
///     // A report that cannot be read is none.
///     let report: Option<DeviceReport> = body.and_then(|body| serde_json::from_str(body).ok());
///     if is_compliant(report.as_ref(), ring) {
///         return Ok(());
///     }
///     let entries = report.iter().flat_map(|report| report.drift().iter().chain(report.unknown()));
///     let lines: Vec<String> = entries.map(ToString::to_string).collect();
///     Err(format!("403 this device is not compliant\n{}", lines.join("\n")))
/// }
///
/// let clean = r#"{"drift": [], "unknown": []}"#;
/// let drifted = r#"{"drift": ["posture:cursor-cli: ~/.cursor/sandbox.json sets type = \"insecure_none\"; fix: remove type"], "unknown": []}"#;
/// let unknown = r#"{"drift": [], "unknown": ["posture:codex: unknown: ~/.codex/config.toml is not valid TOML; fix: correct its TOML"]}"#;
/// assert_eq!(admit(Some(clean), Posture::Enforce), Ok(()));
/// for body in [Some(drifted), Some(unknown), Some("{}"), None] {
///     assert!(admit(body, Posture::Enforce).is_err());
///     assert_eq!(admit(body, Posture::Warn), Ok(()));
/// }
/// ```
#[must_use]
pub fn is_compliant(report: Option<&DeviceReport>, posture: Posture) -> bool {
    match posture {
        Posture::Off | Posture::Warn => true,
        Posture::Enforce => {
            report.is_some_and(|report| report.drift.is_empty() && report.unknown.is_empty())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_is_written() {
        for line in [
            "posture:codex: a; fix: b",
            "posture:claude-code: a: b; c; fix: d; e",
            "posture:cursor-cli: unknown: ~/.cursor/sandbox.json is not valid JSON; fix: correct it",
        ] {
            assert_eq!(line.parse::<Entry>().unwrap().to_string(), line);
        }
        let long = format!("posture:codex: {}; fix: b", "a".repeat(MOST_LINE));
        for line in [
            "",
            "codex: a; fix: b",
            "posture:codex; fix: b",
            "posture:codex: a",
            "posture:codex: ; fix: b",
            "posture:codex: a; fix: ",
            "posture:nobody: a; fix: b",
            "posture:codex: a\n; fix: b",
            "posture:codex: \u{1b}[2J; fix: b",
            &long,
        ] {
            assert_eq!(line.parse::<Entry>(), Err(EntryError(())), "{line}");
        }
    }

    #[test]
    fn a_report_with_more_or_less_than_its_two_lists_is_none() {
        for json in [
            "{}",
            r#"{"drift": []}"#,
            r#"{"drift": [], "unknown": [], "x": 1}"#,
            r#"{"drift": ["x"], "unknown": []}"#,
        ] {
            assert!(
                serde_json::from_str::<DeviceReport>(json).is_err(),
                "{json}"
            );
        }
    }
}

//! What a run says at its end.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::verdict::{Outcome, Verdict};

/// Everything a run has seen.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) troubles: Vec<Trouble>,
    pub(crate) seconds: u64,
}

/// A program that could not be asked about a policy.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) harness: String,
    pub(crate) version: String,
    pub(crate) policy: String,
    pub(crate) error: String,
}

impl Report {
    /// How much of the run must be looked at.
    pub(crate) fn failures(&self) -> usize {
        let outcomes = self.outcomes.iter();
        let failed = outcomes
            .filter(|outcome| outcome.verdict.is_failure())
            .count();
        failed.saturating_add(self.troubles.len())
    }

    /// Outcomes counted by program, release, policy and the part that was asked.
    fn counts(&self) -> BTreeMap<[&str; 4], BTreeMap<Verdict, usize>> {
        let mut counts: BTreeMap<[&str; 4], BTreeMap<Verdict, usize>> = BTreeMap::new();
        for outcome in &self.outcomes {
            let key = [
                &*outcome.harness,
                &outcome.version,
                &outcome.policy,
                &outcome.by,
            ];
            let count = counts
                .entry(key)
                .or_default()
                .entry(outcome.verdict)
                .or_default();
            *count = count.saturating_add(1);
        }
        counts
    }
}

/// The table for a terminal: what needs a look, then the counts.
pub(crate) fn table(report: &Report, all: bool) -> String {
    let mut text = String::new();
    let shown =
        |outcome: &&Outcome| all || !matches!(outcome.verdict, Verdict::Held | Verdict::AsTold);
    for outcome in report.outcomes.iter().filter(shown) {
        let _ = writeln!(
            text,
            "{:<8} {} {} ({}, {}): {} {:?} {}: expected {}, seen {} [{}]; {}: {}",
            outcome.verdict,
            outcome.harness,
            outcome.version,
            outcome.policy,
            outcome.by,
            outcome.channel,
            outcome.action,
            outcome.case,
            outcome.expected,
            outcome.seen,
            outcome.words,
            outcome.clause,
            outcome.ledger,
        );
    }
    for trouble in &report.troubles {
        let Trouble {
            harness,
            version,
            policy,
            error,
        } = trouble;
        let _ = writeln!(text, "NO RUN   {harness} {version} ({policy}): {error}");
    }
    let _ = write!(
        text,
        "\n{:<16} {:<9} {:<16} {:<14}",
        "program", "release", "policy", "asked"
    );
    for verdict in Verdict::ALL {
        let _ = write!(text, " {:>8}", verdict.as_str());
    }
    text.push('\n');
    for ([harness, version, policy, by], count) in report.counts() {
        let _ = write!(text, "{harness:<16} {version:<9} {policy:<16} {by:<14}");
        for verdict in Verdict::ALL {
            let _ = write!(text, " {:>8}", count.get(&verdict).copied().unwrap_or(0));
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "{} answers in {} s, {} to look at",
        report.outcomes.len(),
        report.seconds,
        report.failures()
    );
    text
}

/// The summary for the repository.
pub(crate) fn markdown(report: &Report) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "| program | release | policy | asked | held | as told | untold | not so | silent |"
    );
    let _ = writeln!(text, "|---|---|---|---|--:|--:|--:|--:|--:|");
    for ([harness, version, policy, by], count) in report.counts() {
        let _ = write!(text, "| {harness} | {version} | {policy} | {by} |");
        for verdict in Verdict::ALL {
            let _ = write!(text, " {} |", count.get(&verdict).copied().unwrap_or(0));
        }
        text.push('\n');
    }
    text
}

/// What the newest release answers otherwise than the pinned one, for whoever maintains a room.
pub(crate) fn drift(report: &Report) -> String {
    let _ = report;
    String::new()
}

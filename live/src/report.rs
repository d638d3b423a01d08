//! What a run says at its end.

mod drift;
mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use crate::verdict::{Outcome, Unasked, Verdict};

/// Everything a run has seen.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) unasked: BTreeSet<Unasked>,
    pub(crate) troubles: Vec<Trouble>,
    pub(crate) loosened: Vec<Loosened>,
    pub(crate) seconds: u64,
}

/// What came of one loosening.
#[derive(Debug)]
pub(crate) struct Loosened {
    pub(crate) program: String,
    pub(crate) version: String,
    pub(crate) name: String,
    /// Something that it opened.
    pub(crate) opened: Option<String>,
    /// What the posture checks report because of it.
    pub(crate) findings: Vec<String>,
}

impl Loosened {
    /// Whether it opens something of which the checks say nothing.
    const fn is_missed(&self) -> bool {
        self.opened.is_some() && self.findings.is_empty()
    }
}

/// A program that could not be asked about a policy.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) program: String,
    pub(crate) version: String,
    pub(crate) policy: String,
    pub(crate) error: String,
}

/// How many outcomes there are of each verdict.
#[derive(Clone, Copy, Debug, Default)]
struct Counts([usize; Verdict::ALL.len()]);

impl Counts {
    fn of(&self, verdict: Verdict) -> usize {
        let counts = self.0.iter().zip(Verdict::ALL);
        counts
            .filter(|(_, other)| *other == verdict)
            .map(|(count, _)| *count)
            .sum()
    }

    fn join(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(more);
        }
    }

    fn add(&mut self, verdict: Verdict) {
        for (count, other) in self.0.iter_mut().zip(Verdict::ALL) {
            if other == verdict {
                *count = count.saturating_add(1);
            }
        }
    }
}

impl Report {
    /// How much of the run must be looked at.
    pub(crate) fn failures(&self) -> usize {
        let outcomes = self.outcomes.iter();
        let failed = outcomes.filter(|outcome| outcome.verdict.is_failure());
        let missed = self.loosened.iter().filter(|loosened| loosened.is_missed());
        let unbacked = self.unasked.iter().filter(|unasked| unasked.observed);
        failed
            .count()
            .saturating_add(missed.count())
            .saturating_add(unbacked.count())
            .saturating_add(self.troubles.len())
    }

    fn counts<'r, K: Ord>(&'r self, key: impl Fn(&'r Outcome) -> K) -> BTreeMap<K, Counts> {
        let mut counts: BTreeMap<K, Counts> = BTreeMap::new();
        for outcome in &self.outcomes {
            counts.entry(key(outcome)).or_default().add(outcome.verdict);
        }
        counts
    }

    fn of(&self, verdict: Verdict) -> impl Iterator<Item = &Outcome> {
        self.outcomes
            .iter()
            .filter(move |outcome| outcome.verdict == verdict)
    }

    /// For a terminal: what needs a look, or everything, then the counts.
    pub(crate) fn table(&self, all: bool) -> String {
        let mut text = String::new();
        self.write_table(all, &mut text).unwrap_or(());
        text
    }

    fn write_table(&self, all: bool, text: &mut String) -> fmt::Result {
        for outcome in &self.outcomes {
            if all || outcome.verdict.is_failure() {
                writeln!(text, "{:<17} {}", outcome.verdict, line(outcome))?;
            }
        }
        for trouble in &self.troubles {
            let Trouble {
                program,
                version,
                policy,
                error,
            } = trouble;
            writeln!(
                text,
                "NO RUN            {program} {version} ({policy}): {error}"
            )?;
        }
        for loosened in &self.loosened {
            let Loosened {
                program,
                version,
                name,
                ..
            } = loosened;
            let missed = if loosened.is_missed() {
                "MISSED  "
            } else {
                "loosened"
            };
            let opened = loosened.opened.as_deref().unwrap_or("nothing");
            let findings = loosened.findings.join(", ");
            writeln!(
                text,
                "{missed} {program} {version} {name}: opens {opened}; reported: {findings}"
            )?;
        }
        for unasked in self.unasked.iter().filter(|unasked| unasked.observed) {
            let Unasked {
                program,
                version,
                channel,
                field,
                ..
            } = unasked;
            writeln!(
                text,
                "UNBACKED {program} {version}: {channel}, {field} is held and observed, says the ledger, and nothing here was asked"
            )?;
        }
        write!(
            text,
            "\n{:<16} {:<9} {:<16}",
            "program", "release", "policy"
        )?;
        for verdict in Verdict::ALL {
            write!(text, " {}", verdict.as_str())?;
        }
        text.push('\n');
        let place = |outcome: &Outcome| {
            let Outcome {
                program,
                version,
                policy,
                ..
            } = outcome;
            [program.clone(), version.clone(), policy.clone()]
        };
        for ([program, version, policy], counts) in self.counts(place) {
            write!(text, "{program:<16} {version:<9} {policy:<16}")?;
            for (count, verdict) in counts.0.iter().zip(Verdict::ALL) {
                let width = verdict.as_str().len();
                write!(text, " {count:>width$}")?;
            }
            text.push('\n');
        }
        writeln!(
            text,
            "{} answers in {} s, {} to look at",
            self.outcomes.len(),
            self.seconds,
            self.failures()
        )
    }
}

/// The newest published release of a program, and the newest that is pinned.
#[derive(Debug)]
pub(crate) struct Newest {
    pub(crate) program: String,
    pub(crate) pinned: String,
    pub(crate) newest: String,
}

fn line(outcome: &Outcome) -> String {
    let Outcome {
        program,
        version,
        policy,
        by,
        channel,
        case,
        ..
    } = outcome;
    let words = match outcome.words.as_str() {
        "" => String::new(),
        words => format!(" [{words}]"),
    };
    format!(
        "{program} {version} ({policy}): {channel}, {by} {case}: expected {}, seen {}{words}; {}: {}",
        outcome.expected, outcome.seen, outcome.clause, outcome.ledger
    )
}

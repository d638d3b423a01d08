//! What a run says at its end.

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
        failed
            .count()
            .saturating_add(missed.count())
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
            if all || !matches!(outcome.verdict, Verdict::Held | Verdict::AsTold) {
                writeln!(text, "{:<8} {}", outcome.verdict, line(outcome))?;
            }
        }
        for trouble in &self.troubles {
            let Trouble {
                program,
                version,
                policy,
                error,
            } = trouble;
            writeln!(text, "NO RUN   {program} {version} ({policy}): {error}")?;
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
        write!(
            text,
            "\n{:<16} {:<9} {:<16}",
            "program", "release", "policy"
        )?;
        for verdict in Verdict::ALL {
            write!(text, " {:>8}", verdict.as_str())?;
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
            for count in counts.0 {
                write!(text, " {count:>8}")?;
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

    /// The last result, as it is kept in the repository.
    pub(crate) fn markdown(&self, date: &str) -> String {
        let mut text = String::new();
        self.write_markdown(date, &mut text).unwrap_or(());
        text
    }

    fn write_markdown(&self, date: &str, text: &mut String) -> fmt::Result {
        writeln!(text, "# The last run\n")?;
        writeln!(
            text,
            "{date}, {} {}, {} answers in {} minutes. `live/run --results live/RESULTS.md` writes this \
             page; [README.md](README.md) says what the columns mean.\n",
            std::env::consts::OS,
            std::env::consts::ARCH,
            self.outcomes.len(),
            self.seconds.div_ceil(60),
        )?;
        writeln!(
            text,
            "| program | release | channel | held | as told | untold | not so | silent |"
        )?;
        writeln!(text, "|---|---|---|--:|--:|--:|--:|--:|")?;
        let place = |outcome: &Outcome| {
            let Outcome {
                program,
                version,
                channel,
                ..
            } = outcome;
            [program.clone(), version.clone(), channel.clone()]
        };
        for ([program, version, channel], counts) in self.counts(place) {
            write!(text, "| {program} | {version} | {channel} |")?;
            for count in counts.0 {
                write!(text, " {count} |")?;
            }
            text.push('\n');
        }
        for (verdict, title) in [
            (Verdict::Untold, "Untold"),
            (Verdict::Silent, "Silent"),
            (Verdict::NotSo, "Not so"),
        ] {
            let lines: BTreeSet<String> = self.of(verdict).map(line).collect();
            if !lines.is_empty() {
                writeln!(text, "\n## {title}\n")?;
            }
            for line in lines {
                writeln!(text, "- {line}")?;
            }
        }
        if !self.troubles.is_empty() {
            writeln!(text, "\n## Not run\n")?;
        }
        for trouble in &self.troubles {
            let Trouble {
                program,
                version,
                policy,
                error,
            } = trouble;
            writeln!(text, "- {program} {version}, {policy}: {error}")?;
        }
        if !self.loosened.is_empty() {
            writeln!(text, "\n## Loosened\n")?;
            writeln!(
                text,
                "What users and repositories can set, what it was seen to open, and what the posture checks report:\n"
            )?;
            writeln!(
                text,
                "| program | release | set | opens | reported |\n|---|---|---|---|---|"
            )?;
        }
        for loosened in &self.loosened {
            let Loosened {
                program,
                version,
                name,
                opened,
                findings,
            } = loosened;
            let opened = opened.as_deref().unwrap_or("nothing");
            let findings = match findings.as_slice() {
                [] => "nothing".to_owned(),
                findings => findings.join(", "),
            };
            writeln!(
                text,
                "| {program} | {version} | {name} | {opened} | {findings} |"
            )?;
        }
        writeln!(text, "\n## As told\n")?;
        writeln!(
            text,
            "Where a program decides otherwise than the policy, and the ledger says so:\n"
        )?;
        let mut told: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for outcome in self.of(Verdict::AsTold) {
            let Outcome {
                program,
                channel,
                clause,
                ledger,
                version,
                ..
            } = outcome;
            let field = clause.split(' ').next().unwrap_or_default();
            let told = told.entry(format!(
                "{program}, {channel}, `{field}`: {}",
                without_examples(ledger)
            ));
            told.or_default().insert(version);
        }
        for (row, versions) in told {
            let versions: Vec<&str> = versions.into_iter().collect();
            writeln!(text, "- {row} ({})", versions.join(", "))?;
        }
        if !self.unasked.is_empty() {
            writeln!(text, "\n## Not asked\n")?;
            writeln!(
                text,
                "Rows that a ledger calls held, and that no answer here stands behind:\n"
            )?;
        }
        for unasked in &self.unasked {
            let Unasked {
                program,
                channel,
                field,
                observed,
            } = unasked;
            let mark = if *observed {
                ""
            } else {
                ", documented, not observed"
            };
            writeln!(text, "- {program}, {channel}, `{field}`{mark}")?;
        }
        Ok(())
    }

    /// What the newest published release of each program answers otherwise than the newest pinned
    /// one: a page for whoever maintains the renderer.
    pub(crate) fn drift(&self, newest: &[Newest]) -> String {
        let mut text = String::new();
        self.write_drift(newest, &mut text).unwrap_or(());
        text
    }

    fn write_drift(&self, newest: &[Newest], text: &mut String) -> fmt::Result {
        for Newest {
            program,
            pinned,
            newest,
        } in newest
        {
            if newest == pinned {
                writeln!(text, "{program}: {pinned} is the newest release")?;
                continue;
            }
            let answers = |version: &String| {
                let of = self.outcomes.iter();
                let of = of.filter(move |o| o.program == *program && o.version == *version);
                of.map(|o| ((&o.policy, &o.by, &o.channel, o.action, &o.case), o))
                    .collect::<BTreeMap<_, _>>()
            };
            let (before, after) = (answers(pinned), answers(newest));
            let changed: Vec<_> = after
                .iter()
                .filter_map(|(key, after)| Some((before.get(key)?, after)))
                .filter(|(before, after)| before.seen != after.seen)
                .collect();
            writeln!(
                text,
                "{program}: {newest} answers {} of {} questions otherwise than {pinned}",
                changed.len(),
                after.len()
            )?;
            for (before, after) in changed {
                writeln!(text, "  was {}: {}", before.seen, line(after))?;
            }
            for trouble in &self.troubles {
                if trouble.program == *program && trouble.version == *newest {
                    writeln!(
                        text,
                        "  {} could not be asked: {}",
                        trouble.policy, trouble.error
                    )?;
                }
            }
        }
        Ok(())
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

/// A row's sentence without the host or path it names, which differs from clause to clause.
fn without_examples(ledger: &str) -> &str {
    ledger
        .rsplit_once(" (opens `")
        .or_else(|| ledger.rsplit_once(" (closes `"))
        .map_or(ledger, |(sentence, _)| sentence)
}

//! The last result, as it is kept in the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use super::{Counts, Loosened, Report, Trouble, line};
use crate::verdict::{Outcome, Unasked, Verdict};

/// The fields of a profile, in the order of a ledger.
const FIELDS: [&str; 7] = [
    "sandbox.mode",
    "sandbox.writableRoots",
    "sandbox.protectedPaths",
    "egress.allowedDomains",
    "egress.presets",
    "egress.deniedDomains",
    "egress.default",
];

/// What the ledger says of a clause that it calls held.
const HELD: &str = "held";

impl Report {
    /// The page.
    pub(crate) fn markdown(&self, date: &str) -> String {
        let mut text = String::new();
        self.write_markdown(date, &mut text).unwrap_or(());
        text
    }

    fn write_markdown(&self, date: &str, text: &mut String) -> fmt::Result {
        let programs: BTreeSet<&str> = self.outcomes.iter().map(|o| o.program.as_str()).collect();
        let releases: BTreeSet<[&str; 2]> = self.outcomes.iter().map(release).collect();
        writeln!(
            text,
            "# The last run\n\n\
             {date}, {} {}: {} programs in {} releases, {} answers in {} minutes, {} to look at.\n\
             `live/run --results live/RESULTS.md` writes this page; [README.md](README.md) says what the\n\
             words mean.",
            std::env::consts::OS,
            std::env::consts::ARCH,
            programs.len(),
            releases.len(),
            self.outcomes.len(),
            self.seconds.div_ceil(60),
            self.failures(),
        )?;
        self.write_failures(text)?;
        self.write_answers(text)?;
        self.write_backing(text)?;
        self.write_known_gaps(text)?;
        self.write_loosened(text)?;
        self.write_unasked(text)
    }

    fn write_failures(&self, text: &mut String) -> fmt::Result {
        for (verdict, title) in [
            (Verdict::UnknownGap, "Unknown gaps"),
            (Verdict::NoAnswer, "No answer"),
            (Verdict::GapNotConfirmed, "Gaps not confirmed"),
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
        Ok(())
    }

    /// A row for each release, a column for each policy.
    fn write_answers(&self, text: &mut String) -> fmt::Result {
        writeln!(
            text,
            "\n## Answers\n\n\
             How many were as the policy decides, and after the plus sign how many were known gaps: decided\n\
             otherwise, as the ledger says.\n"
        )?;
        let policies = in_order(self.outcomes.iter().map(|o| o.policy.as_str()));
        let columns = policies.join(" | ");
        writeln!(
            text,
            "| program | release | {columns} | unknown gap | gap not confirmed | no answer |"
        )?;
        let rules = "--:|".repeat(policies.len());
        writeln!(text, "|---|---|{rules}--:|--:|--:|")?;
        let counts = self.counts(|o| (release(o), o.policy.as_str()));
        for release in in_order(self.outcomes.iter().map(release)) {
            let [program, version] = release;
            write!(text, "| {program} | {version} |")?;
            let mut rest = Counts::default();
            for policy in &policies {
                let counts = counts.get(&(release, *policy)).copied().unwrap_or_default();
                let (same, gaps) = (counts.of(Verdict::AsPolicy), counts.of(Verdict::KnownGap));
                match (same, gaps) {
                    // The program cannot be given the policy.
                    (0, 0) => write!(text, " |")?,
                    _ => write!(text, " {same} + {gaps} |")?,
                }
                rest.join(counts);
            }
            for verdict in [
                Verdict::UnknownGap,
                Verdict::GapNotConfirmed,
                Verdict::NoAnswer,
            ] {
                write!(text, " {} |", rest.of(verdict))?;
            }
            text.push('\n');
        }
        Ok(())
    }

    /// A row for each release and channel, a column for each field.
    fn write_backing(&self, text: &mut String) -> fmt::Result {
        writeln!(
            text,
            "\n## What stands behind the ledger\n\n\
             Answers about clauses that the ledger calls *held*. Where there is none, no clause of the field is\n\
             held there, or the ledger and `halo harnesses` say \"documented, not observed\".\n"
        )?;
        writeln!(
            text,
            "| program | release | channel | {} |",
            FIELDS.join(" | ")
        )?;
        writeln!(text, "|---|---|---|{}", "--:|".repeat(FIELDS.len()))?;
        let held = || self.outcomes.iter().filter(|outcome| is_backing(outcome));
        let mut counts: BTreeMap<([&str; 2], &str, &str), usize> = BTreeMap::new();
        for outcome in held() {
            let key = (
                release(outcome),
                outcome.channel.as_str(),
                outcome.field.as_str(),
            );
            let count = counts.entry(key).or_default();
            *count = count.saturating_add(1);
        }
        for (release, channel) in in_order(held().map(|o| (release(o), o.channel.as_str()))) {
            let [program, version] = release;
            write!(text, "| {program} | {version} | {channel} |")?;
            for field in FIELDS {
                match counts.get(&(release, channel, field)) {
                    Some(count) => write!(text, " {count} |")?,
                    None => write!(text, " |")?,
                }
            }
            text.push('\n');
        }
        Ok(())
    }

    fn write_known_gaps(&self, text: &mut String) -> fmt::Result {
        writeln!(
            text,
            "\n## Known gaps\n\n\
             Where a program decides otherwise than the policy, and how the ledger puts it:\n"
        )?;
        let mut gaps: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for outcome in self.of(Verdict::KnownGap) {
            let Outcome {
                program,
                channel,
                field,
                ledger,
                version,
                ..
            } = outcome;
            let row = format!(
                "{program}, {channel}, `{field}`: {}",
                without_examples(ledger)
            );
            gaps.entry(row).or_default().insert(version);
        }
        for (row, versions) in gaps {
            let versions: Vec<&str> = versions.into_iter().collect();
            writeln!(text, "- {row} ({})", versions.join(", "))?;
        }
        Ok(())
    }

    fn write_loosened(&self, text: &mut String) -> fmt::Result {
        if self.loosened.is_empty() {
            return Ok(());
        }
        writeln!(
            text,
            "\n## Loosened\n\n\
             What users and repositories can set, what it was seen to open, and what the posture checks\n\
             report. What opens something is reported.\n"
        )?;
        writeln!(
            text,
            "| program | release | set | opens | reported |\n|---|---|---|---|---|"
        )?;
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
                [] if loosened.is_missed() => "**MISSED**".to_owned(),
                [] => "nothing".to_owned(),
                findings => findings.join(", "),
            };
            writeln!(
                text,
                "| {program} | {version} | {name} | {opened} | {findings} |"
            )?;
        }
        Ok(())
    }

    fn write_unasked(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "\n## Not asked\n")?;
        if self.unasked.is_empty() {
            return writeln!(text, "Nothing that a ledger calls held.");
        }
        writeln!(
            text,
            "What a ledger calls held, and no answer here stands behind:\n"
        )?;
        let mut rows: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for unasked in &self.unasked {
            let Unasked {
                observed,
                program,
                channel,
                field,
                source,
                version,
            } = unasked;
            let mark = if *observed {
                "**OBSERVED, says the ledger**"
            } else {
                "documented, not observed"
            };
            let row = format!("{program}, {channel}, `{field}`: {mark}: {source}");
            rows.entry(row).or_default().insert(version);
        }
        for (row, versions) in rows {
            let versions: Vec<&str> = versions.into_iter().collect();
            writeln!(text, "- {row} ({})", versions.join(", "))?;
        }
        Ok(())
    }
}

/// Whether an answer stands behind a row that is held.
fn is_backing(outcome: &Outcome) -> bool {
    outcome.ledger == HELD && outcome.verdict != Verdict::NoAnswer
}

fn release(outcome: &Outcome) -> [&str; 2] {
    [&outcome.program, &outcome.version]
}

/// Each once, as they come.
fn in_order<T: Copy + Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    items.filter(|item| seen.insert(*item)).collect()
}

/// A row's sentence without the host or path it names, which differs from clause to clause.
fn without_examples(ledger: &str) -> &str {
    ledger
        .rsplit_once(" (opens `")
        .or_else(|| ledger.rsplit_once(" (closes `"))
        .map_or(ledger, |(sentence, _)| sentence)
}

#[cfg(test)]
mod tests {
    use harness_render::{Evidence, Hardening, Os, State, Target, render};

    use super::*;
    use crate::pins::Pins;
    use crate::policies;
    use crate::program;

    static PAGE: &str = include_str!("../../RESULTS.md");

    /// The answers behind each field of a release in a channel, as the page has them.
    fn backing() -> BTreeMap<[&'static str; 4], usize> {
        let mut backing = BTreeMap::new();
        let lines = PAGE
            .lines()
            .skip_while(|line| *line != "## What stands behind the ledger")
            .skip_while(|line| !line.starts_with("| program |"))
            .take_while(|line| line.starts_with('|'))
            .skip(2);
        for line in lines {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [program, version, channel, counts @ ..] = cells.as_slice() else {
                panic!("{line}");
            };
            assert_eq!(counts.len(), FIELDS.len(), "{line}");
            for (field, count) in FIELDS.iter().zip(counts) {
                if let Ok(count) = count.parse() {
                    backing.insert([*program, *version, *channel, *field], count);
                }
            }
        }
        backing
    }

    /// Each row of a ledger that says "observed" of a pinned release on Linux has an answer of the
    /// last run behind it.
    #[test]
    fn the_last_run_stands_behind_every_row_that_is_held_and_observed() {
        let backing = backing();
        let policies = policies::all().expect("the policies are valid");
        let mut rows = 0;
        for (name, pin) in Pins::read().expect("versions.toml is valid").programs {
            if pin.rendered_for.is_some() {
                continue;
            }
            let program = program::named(&name).expect("a program");
            for version in &pin.versions {
                let target = Target::new(program.harness, version.clone(), Os::Linux);
                for named in &policies {
                    let rendering =
                        render(&named.policy, &target, Hardening::Standard).expect("renders");
                    for row in rendering.ledger().rows() {
                        let claimed =
                            *row.state() == State::Held && row.evidence() == Evidence::Observed;
                        if !claimed {
                            continue;
                        }
                        rows += 1;
                        let version = version.to_string();
                        let key = [
                            name.as_str(),
                            version.as_str(),
                            row.channel().as_str(),
                            row.clause().field(),
                        ];
                        let answers = backing.get(&key).copied().unwrap_or_default();
                        assert!(
                            answers > 0,
                            "{key:?}: run `live/run --results live/RESULTS.md`"
                        );
                    }
                }
            }
        }
        assert!(rows > 0);
    }

    #[test]
    fn the_last_run_left_nothing_to_look_at() {
        assert!(PAGE.contains(" answers in ") && PAGE.contains(", 0 to look at."));
        for word in [
            "## Unknown gaps",
            "## No answer",
            "## Gaps not confirmed",
            "## Not run",
            "MISSED",
            "OBSERVED",
        ] {
            assert!(!PAGE.contains(word), "{word}");
        }
    }
}

//! What the newest published release of each program answers otherwise than the newest pinned one:
//! one page for whoever maintains the renderer.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::{Newest, Report, line};
use crate::question::Action;
use crate::verdict::{Outcome, Verdict};

/// Lines about one program: who needs more reads the JSON.
const LINES: usize = 12;

impl Report {
    /// The page; empty where no newest release was looked for.
    pub(crate) fn drift(&self, newest: &[Newest]) -> String {
        let mut text = String::new();
        if !newest.is_empty() {
            self.write_drift(newest, &mut text).unwrap_or(());
        }
        text
    }

    fn write_drift(&self, newest: &[Newest], text: &mut String) -> fmt::Result {
        writeln!(
            text,
            "\nWHAT CHANGED, newest pinned to newest published release\n"
        )?;
        for newest in newest {
            self.write_program(newest, text)?;
        }
        writeln!(
            text,
            "\nWhere there is no unknown gap, the pin may move: change live/versions.toml and the `newest` of the\n\
             harness, and run live/run. Where there is one, correct renderer, reader and ledger first."
        )
    }

    fn write_program(&self, newest: &Newest, text: &mut String) -> fmt::Result {
        let Newest {
            program,
            pinned,
            newest,
        } = newest;
        if newest == pinned {
            return writeln!(text, "{program}: {pinned} is the newest release");
        }
        let (before, after) = (self.answers(program, pinned), self.answers(program, newest));
        let mut changed: Vec<(&Outcome, &Outcome)> = after
            .iter()
            .filter_map(|(key, after)| Some((*before.get(key)?, *after)))
            .filter(|(before, after)| before.seen != after.seen)
            .collect();
        // What no ledger mentions comes first.
        changed.sort_by_key(|(_, after)| !after.verdict.is_failure());
        let unknown = after
            .values()
            .filter(|outcome| outcome.verdict == Verdict::UnknownGap);
        let gone = before
            .keys()
            .filter(|key| !after.contains_key(*key))
            .count();
        writeln!(
            text,
            "{program}: {pinned} to {newest}: {} of {} answers changed, unknown gaps: {}, {gone} questions of the pin not asked",
            changed.len(),
            after.len(),
            unknown.count(),
        )?;
        for (before, after) in changed.iter().take(LINES) {
            writeln!(
                text,
                "  {} was {}: {}",
                after.verdict,
                before.seen,
                line(after)
            )?;
        }
        if let Some(more) = changed.len().checked_sub(LINES).filter(|more| *more > 0) {
            writeln!(text, "  and {more} more; --json has them all")?;
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
        Ok(())
    }

    /// The outcomes of a release, by what was asked.
    fn answers(&self, program: &str, version: &str) -> BTreeMap<Key<'_>, &Outcome> {
        self.outcomes
            .iter()
            .filter(|outcome| outcome.program == program && outcome.version == version)
            .map(|outcome| (key(outcome), outcome))
            .collect()
    }
}

/// The policy, the channel, the way of asking, the action and the case.
type Key<'r> = (&'r str, &'r str, &'r str, Action, &'r str);

fn key(outcome: &Outcome) -> Key<'_> {
    let Outcome {
        policy,
        channel,
        by,
        action,
        case,
        ..
    } = outcome;
    (policy, channel, by, *action, case)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Answer;

    fn outcome(version: &str, case: &str, seen: Answer, verdict: Verdict) -> Outcome {
        Outcome {
            program: "p".to_owned(),
            version: version.to_owned(),
            policy: "q".to_owned(),
            channel: "shell".to_owned(),
            action: Action::Reach,
            by: "request".to_owned(),
            case: case.to_owned(),
            expected: Answer::Shut,
            seen,
            words: String::new(),
            clause: "egress.default deny".to_owned(),
            field: "egress.default".to_owned(),
            ledger: "held".to_owned(),
            observed: true,
            verdict,
        }
    }

    fn newest(newest: &str) -> [Newest; 1] {
        [Newest {
            program: "p".to_owned(),
            pinned: "1.0.0".to_owned(),
            newest: newest.to_owned(),
        }]
    }

    #[test]
    fn what_changed_is_reported_and_unknown_gaps_come_first() {
        use Answer::{Open, Shut};
        use Verdict::{AsPolicy, KnownGap, UnknownGap};
        let report = Report {
            outcomes: vec![
                outcome("1.0.0", "http://a/", Shut, AsPolicy),
                outcome("1.0.0", "http://b/", Shut, AsPolicy),
                outcome("1.0.0", "http://c/", Shut, AsPolicy),
                outcome("1.0.0", "http://gone/", Shut, AsPolicy),
                outcome("2.0.0", "http://a/", Shut, AsPolicy),
                outcome("2.0.0", "http://b/", Open, KnownGap),
                outcome("2.0.0", "http://c/", Open, UnknownGap),
            ],
            ..Report::default()
        };
        let page = report.drift(&newest("2.0.0"));
        let lines: Vec<&str> = page.lines().filter(|line| line.contains("http")).collect();
        assert!(page.contains("p: 1.0.0 to 2.0.0: 2 of 3 answers changed, unknown gaps: 1, 1 "));
        assert!(lines.len() == 2 && lines[0].contains("http://c/"), "{page}");
        let page = report.drift(&newest("1.0.0"));
        assert!(page.contains("p: 1.0.0 is the newest release\n"), "{page}");
        assert_eq!(report.drift(&[]), "");
    }

    #[test]
    fn the_page_stays_one_page() {
        let many = (0..1000).flat_map(|number| {
            let case = format!("http://h{number}/");
            [("1.0.0", Answer::Shut), ("2.0.0", Answer::Open)]
                .map(|(version, seen)| outcome(version, &case, seen, Verdict::UnknownGap))
        });
        let report = Report {
            outcomes: many.collect(),
            ..Report::default()
        };
        let page = report.drift(&newest("2.0.0"));
        assert!(page.contains("1000 of 1000 answers changed"));
        assert!(page.lines().count() < LINES + 10, "{page}");
    }
}

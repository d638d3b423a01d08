//! What a program did, and whether the policy decides it so or the ledger says that it does not.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::question::{Action, Expectation, Question};

/// What a program did when it was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    /// It did it: the request arrived, the content was read, the file changed.
    Open,
    /// It did not.
    Shut,
    /// It would have asked its user first.
    Asks,
    /// It gave no answer that could be read.
    Unread,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Open => "open",
            Self::Shut => "shut",
            Self::Asks => "asks",
            Self::Unread => "no answer",
        })
    }
}

/// An answer with the program's own words.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) answer: Answer,
    pub(crate) words: String,
}

impl Seen {
    pub(crate) fn new(answer: Answer, words: impl Into<String>) -> Self {
        let words: String = words.into();
        let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
        Self {
            answer,
            words: line.chars().take(160).collect(),
        }
    }
}

/// What an answer says about the rendering and its ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    /// As the policy decides.
    AsPolicy,
    /// Not as the policy decides, and the ledger says so.
    KnownGap,
    /// Not as the policy decides, in a way of which the ledger says nothing.
    UnknownGap,
    /// The ledger names just this as an exception, and it is none.
    GapNotConfirmed,
    /// No answer.
    NoAnswer,
}

impl Verdict {
    pub(crate) const ALL: [Self; 5] = [
        Self::AsPolicy,
        Self::KnownGap,
        Self::UnknownGap,
        Self::GapNotConfirmed,
        Self::NoAnswer,
    ];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::AsPolicy => "as the policy",
            Self::KnownGap => "known gap",
            Self::UnknownGap => "UNKNOWN GAP",
            Self::GapNotConfirmed => "gap not confirmed",
            Self::NoAnswer => "NO ANSWER",
        }
    }

    /// Whether the run must be looked at.
    pub(crate) const fn is_failure(self) -> bool {
        !matches!(self, Self::AsPolicy | Self::KnownGap)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Compares an answer with the policy and the ledger.
///
/// Being asked counts as open for what the policy denies, since the user may say yes; and as open
/// for what it allows, since a policy limits what may be reached and grants nothing unasked.
pub(crate) fn judge(question: &Question, answer: &Answer) -> Verdict {
    let open = match answer {
        Answer::Unread => return Verdict::NoAnswer,
        Answer::Open | Answer::Asks => true,
        Answer::Shut => false,
    };
    if open == question.allowed {
        let exception = question.named && question.expectation != Expectation::AsPolicy;
        return if exception {
            Verdict::GapNotConfirmed
        } else {
            Verdict::AsPolicy
        };
    }
    match question.expectation {
        Expectation::AsPolicy => Verdict::UnknownGap,
        Expectation::Anything => Verdict::KnownGap,
        Expectation::Gap { wider, narrower } => {
            if (open && wider) || (!open && narrower) {
                Verdict::KnownGap
            } else {
                Verdict::UnknownGap
            }
        }
    }
}

/// One question, its answer, and what follows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    #[serde(rename = "harness")]
    pub(crate) program: String,
    pub(crate) version: String,
    pub(crate) policy: String,
    pub(crate) channel: String,
    pub(crate) action: Action,
    /// The part of the program that answered, or the way it was asked.
    pub(crate) by: String,
    /// What was asked for: a URL or a path.
    pub(crate) case: String,
    /// What the policy decides.
    pub(crate) expected: Answer,
    pub(crate) seen: Answer,
    /// How the program put it.
    pub(crate) words: String,
    pub(crate) clause: String,
    /// The field of the profile that the clause comes from.
    pub(crate) field: String,
    /// What the ledger says of the clause.
    pub(crate) ledger: String,
    /// Whether that rests on something seen in the real program.
    pub(crate) observed: bool,
    pub(crate) verdict: Verdict,
}

/// A kind of row that a ledger calls held and that no answer stands behind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Unasked {
    /// Whether the ledger says that it was seen to hold, which is then more than is known.
    pub(crate) observed: bool,
    #[serde(rename = "harness")]
    pub(crate) program: String,
    pub(crate) channel: String,
    pub(crate) field: String,
    /// What the row rests on.
    pub(crate) source: String,
    pub(crate) version: String,
}

/// What comes out of the namespaces.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answers {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) unasked: Vec<Unasked>,
    /// What the posture checks report.
    pub(crate) findings: Vec<String>,
}

/// An exception that the ledger names may show in one action on a path and not in another, or in one
/// way of asking: it is no exception only if it shows in none.
pub(crate) fn settle(outcomes: &mut [Outcome]) {
    let shown: Vec<(String, String)> = outcomes
        .iter()
        .filter(|outcome| outcome.verdict == Verdict::KnownGap)
        .map(|outcome| (outcome.channel.clone(), outcome.case.clone()))
        .collect();
    for outcome in outcomes {
        let case = (outcome.channel.clone(), outcome.case.clone());
        if outcome.verdict == Verdict::GapNotConfirmed && shown.contains(&case) {
            outcome.verdict = Verdict::AsPolicy;
        }
    }
}

impl Outcome {
    pub(crate) fn new(
        (program, version, policy): (&str, &str, &str),
        by: &str,
        question: &Question,
        seen: Seen,
    ) -> Self {
        Self {
            program: program.to_owned(),
            version: version.to_owned(),
            policy: policy.to_owned(),
            by: by.to_owned(),
            channel: question.channel.to_string(),
            action: question.action,
            case: question.target.clone(),
            clause: question.clause.to_string(),
            field: question.clause.field().to_owned(),
            ledger: question.state.to_string(),
            observed: question.observed,
            expected: if question.allowed {
                Answer::Open
            } else {
                Answer::Shut
            },
            verdict: judge(question, &seen.answer),
            seen: seen.answer,
            words: seen.words,
        }
    }
}

#[cfg(test)]
mod tests {
    use harness_render::{Channel, Clause, State};
    use policy_core::Mode;

    use super::*;

    fn question(allowed: bool, expectation: Expectation, named: bool) -> Question {
        Question {
            channel: Channel::Shell,
            action: Action::Reach,
            target: "http://a.example/".to_owned(),
            allowed,
            clause: Clause::Mode(Mode::WorkspaceWrite),
            state: State::Held,
            expectation,
            named,
            observed: true,
        }
    }

    #[test]
    fn an_answer_is_compared_with_the_policy_then_with_the_ledger() {
        const WIDER: Expectation = Expectation::Gap {
            wider: true,
            narrower: false,
        };
        const NARROWER: Expectation = Expectation::Gap {
            wider: false,
            narrower: true,
        };
        use Answer::{Asks, Open, Shut};
        use Verdict::{AsPolicy, GapNotConfirmed, KnownGap, UnknownGap};
        for (allowed, expectation, named, answer, verdict) in [
            (true, Expectation::AsPolicy, false, Open, AsPolicy),
            (true, Expectation::AsPolicy, false, Asks, AsPolicy),
            (true, Expectation::AsPolicy, false, Shut, UnknownGap),
            (false, Expectation::AsPolicy, false, Shut, AsPolicy),
            (false, Expectation::AsPolicy, false, Asks, UnknownGap),
            (false, Expectation::AsPolicy, false, Open, UnknownGap),
            (true, WIDER, false, Shut, UnknownGap),
            (false, WIDER, false, Open, KnownGap),
            (false, WIDER, true, Open, KnownGap),
            (false, WIDER, true, Shut, GapNotConfirmed),
            (true, NARROWER, false, Shut, KnownGap),
            (true, NARROWER, true, Open, GapNotConfirmed),
            (false, NARROWER, false, Open, UnknownGap),
            (false, Expectation::Anything, false, Open, KnownGap),
            (true, Expectation::Anything, false, Shut, KnownGap),
            (false, Expectation::Anything, false, Shut, AsPolicy),
            (
                false,
                Expectation::AsPolicy,
                false,
                Answer::Unread,
                Verdict::NoAnswer,
            ),
        ] {
            let case = format!("{allowed} {expectation:?} {named} {answer}");
            assert_eq!(
                judge(&question(allowed, expectation, named), &answer),
                verdict,
                "{case}"
            );
        }
    }

    #[test]
    fn an_exception_that_shows_in_one_action_need_not_show_in_the_other() {
        let outcome = |action, answer, named| {
            let question = Question {
                action,
                ..question(
                    false,
                    Expectation::Gap {
                        wider: true,
                        narrower: false,
                    },
                    named,
                )
            };
            Outcome::new(("p", "1.0.0", "q"), "way", &question, Seen::new(answer, ""))
        };
        let mut outcomes = [
            outcome(Action::Read, Answer::Open, true),
            outcome(Action::Write, Answer::Shut, true),
        ];
        assert_eq!(outcomes[1].verdict, Verdict::GapNotConfirmed);
        settle(&mut outcomes);
        assert_eq!(outcomes[1].verdict, Verdict::AsPolicy);

        let mut alone = [outcome(Action::Read, Answer::Shut, true)];
        settle(&mut alone);
        assert_eq!(alone[0].verdict, Verdict::GapNotConfirmed);
    }
}

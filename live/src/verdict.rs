//! What a program did, and whether that is what the policy decides and the ledger tells.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::question::{Action, Question, Told};

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
    Silent,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Open => "open",
            Self::Shut => "shut",
            Self::Asks => "asks",
            Self::Silent => "silent",
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
    Held,
    /// Not as the policy decides, and the ledger says so.
    AsTold,
    /// Not as the policy decides, in a way of which the ledger says nothing.
    Untold,
    /// The ledger names just this as an exception, and it is none.
    NotSo,
    /// No answer.
    Silent,
}

impl Verdict {
    pub(crate) const ALL: [Self; 5] = [
        Self::Held,
        Self::AsTold,
        Self::Untold,
        Self::NotSo,
        Self::Silent,
    ];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::AsTold => "as told",
            Self::Untold => "UNTOLD",
            Self::NotSo => "not so",
            Self::Silent => "SILENT",
        }
    }

    /// Whether the run must be looked at.
    pub(crate) const fn is_failure(self) -> bool {
        matches!(self, Self::Untold | Self::Silent)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Holds an answer against the policy and the ledger.
///
/// Being asked counts as open for what the policy denies, since the user may say yes; and as open
/// for what it allows, since a policy limits what may be reached and grants nothing unasked.
pub(crate) fn judge(question: &Question, answer: &Answer) -> Verdict {
    let open = match answer {
        Answer::Silent => return Verdict::Silent,
        Answer::Open | Answer::Asks => true,
        Answer::Shut => false,
    };
    if open == question.allowed {
        let exception = question.named && question.told != Told::Held;
        return if exception {
            Verdict::NotSo
        } else {
            Verdict::Held
        };
    }
    match question.told {
        Told::Held => Verdict::Untold,
        Told::NotHeld => Verdict::AsTold,
        Told::Weaker { wider, narrower } => {
            if (open && wider) || (!open && narrower) {
                Verdict::AsTold
            } else {
                Verdict::Untold
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
    /// What the ledger says of the clause.
    pub(crate) ledger: String,
    /// Whether that rests on something seen in the real program.
    pub(crate) observed: bool,
    pub(crate) verdict: Verdict,
}

/// A kind of row that a ledger calls held and that no question stood behind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Unasked {
    #[serde(rename = "harness")]
    pub(crate) program: String,
    pub(crate) channel: String,
    pub(crate) field: String,
    pub(crate) observed: bool,
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
        .filter(|outcome| outcome.verdict == Verdict::AsTold)
        .map(|outcome| (outcome.channel.clone(), outcome.case.clone()))
        .collect();
    for outcome in outcomes {
        let case = (outcome.channel.clone(), outcome.case.clone());
        if outcome.verdict == Verdict::NotSo && shown.contains(&case) {
            outcome.verdict = Verdict::Held;
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

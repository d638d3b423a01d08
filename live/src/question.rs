//! One thing that a program is asked, with the answer that the policy gives and what the ledger says.

use harness_render::{Channel, Clause, State};
use serde::{Deserialize, Serialize};

/// What an agent tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    /// A request over HTTP.
    Reach,
    /// Reading a file.
    Read,
    /// Writing to a file.
    Write,
}

/// What the ledger says of a clause in a channel, reduced to what a run can contradict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expectation {
    /// Decided as by the policy.
    AsPolicy,
    /// Some hosts or paths are decided otherwise, only in the ways that are `true`.
    Gap { wider: bool, narrower: bool },
    /// Anything may happen.
    Anything,
}

/// One thing to try, and what is known of it beforehand.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) channel: Channel,
    pub(crate) action: Action,
    /// A URL, or an absolute path in the world of the run.
    pub(crate) target: String,
    /// Whether the policy allows it.
    pub(crate) allowed: bool,
    pub(crate) clause: Clause,
    pub(crate) state: State,
    pub(crate) expectation: Expectation,
    /// Whether the ledger names just this as what is open, or closed, against the policy.
    pub(crate) named: bool,
    /// Whether the ledger's row rests on something seen in the real program.
    pub(crate) observed: bool,
}

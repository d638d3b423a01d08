//! What an adapter says of one clause in one channel.

use alloc::borrow::Cow;
use core::fmt;

use crate::fact::Fact;

/// What becomes of a clause in one channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// The harness decides as the policy does.
    Held,
    /// It decides otherwise for some hosts or paths.
    Weaker {
        /// In which way.
        how: Cow<'static, str>,
        /// A host or path that is open though the policy closes it.
        gains: Option<Cow<'static, str>>,
        /// A host or path that is closed though the policy opens it.
        loses: Option<Cow<'static, str>>,
    },
    /// Nothing of the clause is rendered, or nothing comes of it.
    NotHeld {
        /// The reason.
        why: Cow<'static, str>,
    },
}

impl State {
    /// `held`, `weaker` or `not-held`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Weaker { .. } => "weaker",
            Self::NotHeld { .. } => "not-held",
        }
    }

    /// Whether the harness may let through what the policy does not, going by a `deny` clause.
    pub(crate) const fn is_open(&self) -> bool {
        match self {
            Self::Held => false,
            Self::Weaker { gains, .. } => gains.is_some(),
            Self::NotHeld { .. } => true,
        }
    }

    /// How, or why; empty when held.
    #[must_use]
    pub fn detail(&self) -> &str {
        match self {
            Self::Held => "",
            Self::Weaker { how, .. } => how,
            Self::NotHeld { why } => why,
        }
    }

    pub(crate) fn gains(&self) -> Option<&str> {
        match self {
            Self::Weaker { gains, .. } => gains.as_deref(),
            _ => None,
        }
    }

    pub(crate) fn loses(&self) -> Option<&str> {
        match self {
            Self::Weaker { loses, .. } => loses.as_deref(),
            _ => None,
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held => f.write_str("held"),
            Self::NotHeld { why } => write!(f, "not held: {why}"),
            Self::Weaker { how, .. } => {
                write!(f, "held weaker: {how}")?;
                match (self.gains(), self.loses()) {
                    (None, None) => Ok(()),
                    (Some(gains), None) => write!(f, " (opens `{gains}`)"),
                    (None, Some(loses)) => write!(f, " (closes `{loses}`)"),
                    (Some(gains), Some(loses)) => {
                        write!(f, " (opens `{gains}`, closes `{loses}`)")
                    }
                }
            }
        }
    }
}

/// A state and the fact it rests on: the answer of a room about one clause in one channel.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    pub(crate) state: State,
    pub(crate) fact: &'static Fact,
}

impl Hold {
    pub(crate) const fn held(fact: &'static Fact) -> Self {
        Self {
            state: State::Held,
            fact,
        }
    }

    /// Something is open that the policy closes.
    pub(crate) fn wider(
        how: impl Into<Cow<'static, str>>,
        gains: impl Into<Cow<'static, str>>,
        fact: &'static Fact,
    ) -> Self {
        let state = State::Weaker {
            how: how.into(),
            gains: Some(gains.into()),
            loses: None,
        };
        Self { state, fact }
    }

    /// Something is closed that the policy opens.
    pub(crate) fn narrower(
        how: impl Into<Cow<'static, str>>,
        loses: impl Into<Cow<'static, str>>,
        fact: &'static Fact,
    ) -> Self {
        let state = State::Weaker {
            how: how.into(),
            gains: None,
            loses: Some(loses.into()),
        };
        Self { state, fact }
    }

    pub(crate) fn not_held(why: impl Into<Cow<'static, str>>, fact: &'static Fact) -> Self {
        let state = State::NotHeld { why: why.into() };
        Self { state, fact }
    }
}

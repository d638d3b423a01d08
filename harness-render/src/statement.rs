//! What an adapter says of one clause in one channel.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use core::fmt;

use policy_core::{Pattern, ProtectedPath, WritableRoot};

use crate::clause::Clause;
use crate::fact::Fact;
use crate::lock::Lock;
use crate::request::Request;

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

/// A list of a managed file that takes entries, by the name that an adapter has for it.
pub(crate) type List = &'static str;

/// What an adapter says of one clause in one channel: what becomes of the clause, the fact that this
/// rests on, and the lists that take an entry for it.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) state: State,
    pub(crate) fact: &'static Fact,
    pub(crate) lists: &'static [List],
}

impl Statement {
    pub(crate) const fn new(state: State, fact: &'static Fact) -> Self {
        Self {
            state,
            fact,
            lists: &[],
        }
    }

    pub(crate) const fn enforced(fact: &'static Fact) -> Self {
        Self::new(State::Held, fact)
    }

    /// Something is open that the policy closes.
    pub(crate) fn wider(
        how: impl Into<Cow<'static, str>>,
        gains: impl Into<Cow<'static, str>>,
        fact: &'static Fact,
    ) -> Self {
        Self::weaker(how, Some(gains.into()), None, fact)
    }

    /// Something is closed that the policy opens.
    pub(crate) fn narrower(
        how: impl Into<Cow<'static, str>>,
        loses: impl Into<Cow<'static, str>>,
        fact: &'static Fact,
    ) -> Self {
        Self::weaker(how, None, Some(loses.into()), fact)
    }

    pub(crate) fn weaker(
        how: impl Into<Cow<'static, str>>,
        gains: Option<Cow<'static, str>>,
        loses: Option<Cow<'static, str>>,
        fact: &'static Fact,
    ) -> Self {
        let how = how.into();
        Self::new(State::Weaker { how, gains, loses }, fact)
    }

    pub(crate) fn not_enforced(why: impl Into<Cow<'static, str>>, fact: &'static Fact) -> Self {
        Self::new(State::NotHeld { why: why.into() }, fact)
    }

    /// With an entry for the clause in these lists.
    pub(crate) fn in_lists(self, lists: &'static [List]) -> Self {
        Self { lists, ..self }
    }

    /// With an entry for the clause in these lists, if there is to be one.
    pub(crate) fn in_lists_if(self, is_written: bool, lists: &'static [List]) -> Self {
        if is_written {
            self.in_lists(lists)
        } else {
            self
        }
    }
}

/// What goes into the managed files: the clauses with an entry, by list, and the locks.
#[derive(Debug)]
pub(crate) struct Entries<'c> {
    lists: BTreeMap<List, Vec<&'c Clause>>,
    pub(crate) locks: Vec<&'static Lock>,
}

impl<'c> Entries<'c> {
    /// The locks that are written for a request.
    pub(crate) fn new(locks: &'static [Lock], request: &Request<'_>) -> Self {
        let read = locks.iter().filter(|lock| request.has(lock.fact));
        Self {
            lists: BTreeMap::new(),
            locks: read.filter(|lock| (lock.applies)(request)).collect(),
        }
    }

    pub(crate) fn add(&mut self, statement: &Statement, clause: &'c Clause) {
        for list in statement.lists {
            self.lists.entry(list).or_default().push(clause);
        }
    }

    /// The clauses of a list, in the order of the policy.
    pub(crate) fn of(&self, list: List) -> impl Iterator<Item = &'c Clause> {
        self.lists.get(list).into_iter().flatten().copied()
    }

    pub(crate) fn has(&self, list: List) -> bool {
        self.lists.contains_key(list)
    }

    /// The allowed hosts of a list, each once, in order: several lists of a policy may allow one.
    pub(crate) fn allowed(&self, list: List) -> Vec<Pattern> {
        let allowed = self.of(list).filter_map(|clause| match clause {
            Clause::Allow(pattern, _) => Some(pattern.clone()),
            _ => None,
        });
        let mut allowed: Vec<Pattern> = allowed.collect();
        allowed.sort_unstable();
        allowed.dedup();
        allowed
    }

    /// The denied hosts of a list, in the order of the policy.
    pub(crate) fn denied(&self, list: List) -> Vec<Pattern> {
        let denied = self.of(list).filter_map(|clause| match clause {
            Clause::Deny(pattern) => Some(pattern.clone()),
            _ => None,
        });
        denied.collect()
    }

    /// The protected paths of a list.
    pub(crate) fn paths(&self, list: List) -> impl Iterator<Item = &'c ProtectedPath> {
        self.of(list).filter_map(|clause| match clause {
            Clause::ProtectedPath(path) => Some(path),
            _ => None,
        })
    }

    /// The writable roots of a list.
    pub(crate) fn roots(&self, list: List) -> impl Iterator<Item = &'c WritableRoot> {
        self.of(list).filter_map(|clause| match clause {
            Clause::WritableRoot(root) => Some(root),
            _ => None,
        })
    }
}

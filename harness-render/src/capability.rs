//! What a harness can enforce at all, whatever the policy.

use core::fmt;

use semver::Version;

use crate::fact::{Evidence, Fact};
use crate::target::{Release, Target};

/// A part of a policy that a harness may or may not be able to enforce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// The sandbox mode.
    Sandbox,
    /// Writable roots beyond the workspace.
    WritableRoots,
    /// Protected paths.
    ProtectedPaths,
    /// The hosts that shell commands reach.
    ShellEgress,
    /// The hosts that the harness's own fetch tool reaches.
    FetchTool,
}

impl Feature {
    /// Every feature, in the order of the table of capabilities.
    pub const ALL: [Self; 5] = [
        Self::Sandbox,
        Self::WritableRoots,
        Self::ProtectedPaths,
        Self::ShellEgress,
        Self::FetchTool,
    ];

    /// `sandbox`, `writable roots`, `protected paths`, `shell egress` or `fetch tool`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::WritableRoots => "writable roots",
            Self::ProtectedPaths => "protected paths",
            Self::ShellEgress => "shell egress",
            Self::FetchTool => "fetch tool",
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How much of something is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing.
    None,
    /// A part, or with exceptions.
    Partial,
    /// All of it.
    Full,
}

impl Level {
    /// `none`, `partial` or `full`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Partial => "partial",
            Self::Full => "full",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How well a harness can enforce a feature, and since which release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capability {
    level: Level,
    fact: &'static Fact,
    evidence: Evidence,
    how: &'static str,
}

/// The fact for a harness without an adapter.
static NOTHING: Fact = Fact::project("nothing of it is rendered");

impl Capability {
    pub(crate) const NONE: Self = Self::new(Level::None, &NOTHING, "");

    /// From the first release of a fact on.
    pub(crate) const fn new(level: Level, fact: &'static Fact, how: &'static str) -> Self {
        Self {
            level,
            fact,
            evidence: fact.evidence(),
            how,
        }
    }

    /// With what is known of one target.
    pub(crate) fn of(self, target: &Target, newest: Release) -> Self {
        Self {
            evidence: self.fact.evidence_in(target, Some(newest)),
            ..self
        }
    }

    /// How well.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The first release for which this is claimed; `None` if nothing is enforced.
    #[must_use]
    pub fn since(&self) -> Option<Version> {
        (self.level != Level::None).then(|| self.fact.since())
    }

    /// How that is known for the system and the release; `None` if nothing is enforced.
    #[must_use]
    pub fn evidence(&self) -> Option<Evidence> {
        (self.level != Level::None).then_some(self.evidence)
    }

    /// By which keys, and what is missing; empty where there is nothing to say.
    #[must_use]
    pub const fn how(&self) -> &'static str {
        self.how
    }

    pub(crate) const fn release(&self) -> Release {
        self.fact.release()
    }
}

//! A check, and what it finds.

use std::fmt;

use policy_core::Harness;

use super::input::{Input, Managed};
use super::place::{Kind, Place};

/// How bad it is when a check finds its fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A way around the managed settings that they never closed, and that the ledger of a rendering
    /// names: worth seeing, no drift.
    Notice,
    /// Drift: it weakens what the policy asks, or tries to and only the releases named prevent it.
    Warning,
    /// Drift: the managed settings do not do on this device what they are there for.
    Failure,
}

impl Severity {
    /// `notice`, `warning` or `failure`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Failure => "failure",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What of a policy a fault weakens, in the words of a ledger: the clause and, where it matters, the
/// channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Weakens {
    /// `mode`: whether there is a sandbox, and what it lets write.
    Mode,
    /// `writable roots`: where commands may write.
    WritableRoots,
    /// `protected paths`: what may be neither read nor written.
    ProtectedPaths,
    /// `hosts (shell)`: which hosts commands reach.
    ShellHosts,
    /// `hosts (fetch tool)`: which hosts the agent's own tool fetches.
    FetchHosts,
    /// `everything`: all that is rendered for the harness.
    Everything,
}

impl Weakens {
    /// The words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mode => "mode",
            Self::WritableRoots => "writable roots",
            Self::ProtectedPaths => "protected paths",
            Self::ShellHosts => "hosts (shell)",
            Self::FetchHosts => "hosts (fetch tool)",
            Self::Everything => "everything",
        }
    }
}

impl fmt::Display for Weakens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// When a check applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AppliesWhen {
    /// When the managed settings turn the sandbox or egress on; then there is something to weaken.
    /// A repository's file is judged as if they did: it goes to devices that nobody here sees.
    Managed,
    Always,
}

/// Where a fault shows.
pub(crate) enum Fault {
    /// In a file of one of these kinds.
    In(&'static [Kind], fn(&Input<'_>) -> bool),
    /// In the managed settings, all layers taken together.
    Managed(fn(&Managed) -> bool),
    /// In a variable of the environment, given its value.
    Variable(&'static str, fn(&str, &Managed) -> bool),
    /// On the device: a file's owner, a program's release.
    Device,
}

/// One thing that weakens what a policy asks of a harness.
pub struct Check {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) weakens: &'static [Weakens],
    pub(crate) applies_when: AppliesWhen,
    pub(crate) fault: Fault,
    /// `{}` stands for the file.
    pub(crate) problem: &'static str,
    /// `{}` stands for the file.
    pub(crate) fix: &'static str,
    pub(crate) source: &'static str,
}

/// One check, in the order: code, severity, what it weakens, `always` where it applies whatever the
/// managed settings say, fault, problem, fix, source.
///
/// The one rule for code that a file lets run outside the sandbox, whatever the harness calls it, is
/// `Notice [Everything]`: a notice in a user's file, a failure in a repository's. A key of a managed
/// file that its program does not know at that place, or not yet, is `Notice [] always`.
macro_rules! check {
    ($code:literal: $severity:ident [$($weakens:ident),*] $($when:ident)?, $fault:expr, $problem:literal, $fix:literal, $source:expr) => {
        Check {
            code: $code,
            severity: Severity::$severity,
            weakens: &[$(Weakens::$weakens),*],
            applies_when: check!(@ $($when)?),
            fault: $fault,
            problem: $problem,
            fix: $fix,
            source: $source,
        }
    };
    (@) => { AppliesWhen::Managed };
    (@ always) => { AppliesWhen::Always };
}
pub(crate) use check;

/// Declares the checks of an adapter, a row each as [`check!`] has it, as `CHECKS`.
macro_rules! checks {
    ($($code:literal: $severity:ident [$($weakens:ident),*] $($when:ident)?, $fault:expr, $problem:literal, $fix:literal, $source:expr;)*) => {
        pub(super) static CHECKS: &[Check] = &[$(
            check!($code: $severity [$($weakens),*] $($when)?, $fault, $problem, $fix, $source)
        ),*];
    };
}
pub(crate) use checks;

impl Check {
    /// A stable word for programs, in kebab case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// How bad it is; [`Finding::severity`] says when a repository's file makes it worse.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// What of the policy it weakens.
    #[must_use]
    pub const fn weakens(&self) -> &'static [Weakens] {
        self.weakens
    }

    /// The problem that a finding reports; `{}` stands for the file.
    #[must_use]
    pub const fn problem(&self) -> &'static str {
        self.problem
    }

    /// The fix that a finding suggests; `{}` stands for the file.
    #[must_use]
    pub const fn fix(&self) -> &'static str {
        self.fix
    }

    /// How the effect is known: the program in which it was observed, or the vendor's page and the month
    /// it was read.
    #[must_use]
    pub const fn source(&self) -> &'static str {
        self.source
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Check").field(&self.code).finish()
    }
}

/// A fault that was found.
///
/// Its texts are made of words that stand in the check and of the vendor's name for the file, never
/// of anything from inside a file.
#[derive(Clone, Copy)]
pub struct Finding {
    check: &'static Check,
    harness: Harness,
    place: Option<Place>,
}

impl Finding {
    pub(crate) const fn new(check: &'static Check, harness: Harness, place: Option<Place>) -> Self {
        Self {
            check,
            harness,
            place,
        }
    }

    /// The check that found it.
    #[must_use]
    pub const fn check(&self) -> &'static Check {
        self.check
    }

    /// The harness.
    #[must_use]
    pub const fn harness(&self) -> Harness {
        self.harness
    }

    /// How bad it is: as bad as the check says, and a failure where a repository's file weakens
    /// anything, since nobody on the device chose that.
    #[must_use]
    pub fn severity(&self) -> Severity {
        let of_a_clone = self
            .place
            .is_some_and(|place| place.watched().is_projects());
        if of_a_clone && !self.check.weakens.is_empty() {
            Severity::Failure
        } else {
            self.check.severity
        }
    }

    /// What is the matter.
    #[must_use]
    pub fn problem(&self) -> String {
        self.fill(self.check.problem)
    }

    /// What to do.
    #[must_use]
    pub fn fix(&self) -> String {
        self.fill(self.check.fix)
    }

    fn fill(&self, text: &str) -> String {
        match &self.place {
            Some(place) => text.replace("{}", &place.to_string()),
            None => text.to_owned(),
        }
    }
}

impl PartialEq for Finding {
    fn eq(&self, other: &Self) -> bool {
        self.check.code == other.check.code
            && self.harness == other.harness
            && self.place == other.place
    }
}

impl Eq for Finding {}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Finding({self})")
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (harness, problem, fix) = (self.harness, self.problem(), self.fix());
        write!(f, "posture:{harness}: {problem}; fix: {fix}")
    }
}

//! What is known of a program, how, and since which release.

use core::fmt;

use semver::Version;

use crate::target::{Os, Release, Target};

/// How a fact is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// Seen in a run of the real program, on Linux.
    Observed,
    /// Written by the vendor (documentation, changelog, or the program's own code), and not seen on
    /// the system or in the releases that it is claimed for.
    Vendor,
    /// A decision of this project.
    Project,
}

impl Evidence {
    /// `observed`, `documented, not observed` or `project`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::Vendor => "documented, not observed",
            Self::Project => "project",
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One fact about a harness, on which renderings and ledgers rely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    claim: &'static str,
    since: Release,
    evidence: Evidence,
    page: &'static str,
    date: &'static str,
}

impl Fact {
    /// Seen in the real program from `since` on; `page` is where the vendor speaks of it.
    pub(crate) const fn observed(
        claim: &'static str,
        since: Release,
        page: &'static str,
        date: &'static str,
    ) -> Self {
        Self::new(claim, since, Evidence::Observed, page, date)
    }

    /// Documented by the vendor and not observed.
    pub(crate) const fn vendor(
        claim: &'static str,
        since: Release,
        page: &'static str,
        date: &'static str,
    ) -> Self {
        Self::new(claim, since, Evidence::Vendor, page, date)
    }

    pub(crate) const fn project(claim: &'static str) -> Self {
        Self::new(claim, Release(0, 0, 0), Evidence::Project, "", "")
    }

    const fn new(
        claim: &'static str,
        since: Release,
        evidence: Evidence,
        page: &'static str,
        date: &'static str,
    ) -> Self {
        Self {
            claim,
            since,
            evidence,
            page,
            date,
        }
    }

    /// What is claimed, in a sentence.
    #[must_use]
    pub const fn claim(&self) -> &'static str {
        self.claim
    }

    /// The first release for which it is claimed.
    #[must_use]
    pub const fn since(&self) -> Version {
        self.since.version()
    }

    /// How it is known.
    #[must_use]
    pub const fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// The vendor's page about it; empty for a decision of this project.
    #[must_use]
    pub const fn page(&self) -> &'static str {
        self.page
    }

    /// When it was observed or read, `YYYY-MM`.
    #[must_use]
    pub const fn date(&self) -> &'static str {
        self.date
    }

    /// How it is known of one target: only Linux was run, and no release after the newest that was.
    pub(crate) fn evidence_in(&self, target: &Target, newest: Option<Release>) -> Evidence {
        let ran = target.os == Os::Linux
            && self.since.is_in(&target.version)
            && newest.is_some_and(|newest| target.version <= newest.version());
        match self.evidence {
            Evidence::Observed if !ran => Evidence::Vendor,
            evidence => evidence,
        }
    }

    pub(crate) const fn release(&self) -> Release {
        self.since
    }
}

/// Declares the facts of an adapter, one constant each, and `FACTS`, the list of all of them. With
/// the month in which the releases were run, also `seen` and `said`, which the rows begin with.
macro_rules! facts {
    (dated $date:ident; $($rows:tt)*) => {
        const fn seen(claim: &'static str, since: Release, page: &'static str) -> Fact {
            Fact::observed(claim, since, page, $date)
        }

        const fn said(claim: &'static str, since: Release, page: &'static str) -> Fact {
            Fact::vendor(claim, since, page, $date)
        }

        facts! { $($rows)* }
    };
    ($($(#[$doc:meta])* $name:ident = $fact:expr;)*) => {
        $($(#[$doc])* pub(super) const $name: Fact = $fact;)*
        /// Every fact of this adapter.
        pub(super) const FACTS: &[Fact] = &[$($name),*];
    };
}
pub(crate) use facts;

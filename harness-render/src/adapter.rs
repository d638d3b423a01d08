//! Everything that is known of one harness, in one record.

use policy_core::Harness;
use semver::Version;

use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::fact::Fact;
use crate::file::ManagedFile;
use crate::lock::Lock;
use crate::posture::check::Check;
use crate::posture::input::Managed;
use crate::posture::place::Watched;
use crate::posture::summary::Summary;
use crate::posture::value::Lists;
use crate::request::Request;
use crate::statement::{Entries, Statement};
use crate::target::{Os, Release};
use crate::way::Way;

/// Everything this crate knows of one harness. Each adapter has one, and is built in the same
/// order: facts, capability, what is written and what is said of it, ways around it, checks.
#[derive(Debug)]
pub(crate) struct Adapter {
    pub(crate) harness: Harness,
    /// The newest release that was run.
    pub(crate) newest: Release,
    /// The day that release was run.
    pub(crate) date: &'static str,
    /// Every fact that the adapter relies on.
    pub(crate) facts: &'static [Fact],
    /// The first release that reads anything of what is rendered.
    pub(crate) floor: Release,
    /// Releases that a rendering would keep from starting.
    pub(crate) incompatible: &'static [Incompatible],
    /// The channels that the program has, in which a decision on a host can take effect.
    pub(crate) channels: &'static [Channel],
    /// How well a feature can be enforced, by rising release.
    pub(crate) capability: fn(Feature, Os) -> Vec<Capability>,
    /// What becomes of a clause in one of its channels, and which lists of the files take an entry
    /// for it.
    pub(crate) say: fn(&Request<'_>, &Clause, Channel) -> Statement,
    /// The managed files with these entries.
    pub(crate) assemble: fn(&Request<'_>, &Entries<'_>) -> Vec<ManagedFile>,
    /// By what a decision on a host takes effect in a channel.
    pub(crate) mechanism: fn(Channel) -> &'static str,
    /// The keys that the files always have.
    pub(crate) locks: &'static [Lock],
    /// The ways around the rendering.
    pub(crate) ways: &'static [Way],
    /// The files that are checked, in the order in which the program reads them.
    pub(crate) watched: &'static [Watched],
    /// What of their content weakens a policy.
    pub(crate) checks: &'static [Check],
    /// What the managed settings turn on.
    pub(crate) summary: fn(&Managed) -> Summary,
    /// How the program combines the lists of several managed files.
    pub(crate) lists: Lists,
    /// Keys that the program itself writes into a managed file, and that mean nothing to it.
    #[cfg_attr(
        not(feature = "device"),
        expect(dead_code, reason = "only a look at a device compares files")
    )]
    pub(crate) written: &'static [&'static str],
    /// The most bytes of a managed file that the program accepts, where it has a bound.
    pub(crate) most_bytes: Option<usize>,
    /// Where the program is installed.
    #[cfg_attr(
        not(feature = "device"),
        expect(dead_code, reason = "only a look at a device needs it")
    )]
    pub(crate) programs: Programs,
}

impl Adapter {
    /// The range of releases that a rendering would keep from starting and in which this one is.
    pub(crate) fn incompatibility(&self, version: &Version) -> Option<&'static Incompatible> {
        let mut ranges = self.incompatible.iter();
        ranges.find(|range| range.from.is_in(version) && !range.before.is_in(version))
    }

    /// Whether some release enforces anything on some system.
    pub(crate) fn holds_anything(&self) -> bool {
        Feature::ALL.into_iter().any(|feature| {
            Os::ALL.into_iter().any(|os| {
                let steps = (self.capability)(feature, os);
                steps.iter().any(|step| step.level() != Level::None)
            })
        })
    }
}

/// Where the releases of a program are found.
#[derive(Debug)]
#[cfg_attr(
    not(feature = "device"),
    expect(dead_code, reason = "only a look at a device needs it")
)]
pub(crate) struct Programs {
    /// The names under which it is started.
    pub(crate) names: &'static [&'static str],
    /// The npm packages that contain it.
    pub(crate) packages: &'static [&'static str],
    /// Directories with one entry for each installed release, named after it.
    pub(crate) versions: &'static [&'static str],
}

/// A range of releases that a rendering would keep from starting.
#[derive(Debug)]
pub(crate) struct Incompatible {
    pub(crate) from: Release,
    pub(crate) before: Release,
    /// The field of the policy that would do it.
    pub(crate) field: &'static str,
    pub(crate) fact: &'static Fact,
    /// Which releases to pin instead.
    pub(crate) works: &'static str,
}

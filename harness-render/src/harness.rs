//! The rooms, one for each harness, and what they are asked.

mod claude_code;
mod codex;
mod copilot_cli;
mod cursor_cli;
mod gemini_cli;
mod opencode;
mod overlap;
mod spelling;

use policy_core::Harness;
use semver::Version;

use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::fact::Fact;
use crate::ledger::{Hold, Residual};
use crate::render::ManagedFile;
use crate::request::Request;
use crate::target::{Os, Release, Target};

/// Every room that is furnished. A pinned harness that has none holds nothing, and its ledger says
/// so for every clause.
const ROOMS: &[Room] = &[
    claude_code::ROOM,
    codex::ROOM,
    copilot_cli::ROOM,
    gemini_cli::ROOM,
    opencode::ROOM,
    cursor_cli::ROOM,
];

/// The room of a harness.
pub(crate) fn room(harness: Harness) -> Option<&'static Room> {
    ROOMS.iter().find(|room| room.harness == harness)
}

/// Everything this crate knows of one harness. Each module builds its own in the same order: facts,
/// capability, render, hold, residuals.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) harness: Harness,
    /// The newest release that was run.
    pub(crate) newest: Release,
    /// The day that release was run.
    pub(crate) date: &'static str,
    /// Every fact that the room relies on.
    pub(crate) facts: &'static [Fact],
    /// The first release that reads anything of what is rendered.
    pub(crate) floor: Release,
    /// Releases that a rendering would keep from starting.
    pub(crate) bricked: &'static [Bricked],
    /// The channels that the program has, in which a decision on a host can take effect.
    pub(crate) channels: &'static [Channel],
    /// How well a feature can be held, by rising release.
    pub(crate) capability: fn(Feature, Os) -> Vec<Capability>,
    /// The managed files.
    pub(crate) render: fn(&Request<'_>) -> Vec<ManagedFile>,
    /// What becomes of a clause in one of its channels, given those files.
    pub(crate) hold: fn(&Request<'_>, &Clause, Channel) -> Hold,
    /// By what a decision on a host takes effect in a channel.
    pub(crate) mechanism: fn(Channel) -> &'static str,
    /// What stays open.
    pub(crate) residuals: fn(&Request<'_>) -> Vec<Residual>,
}

impl Room {
    /// The range of releases that a rendering would keep from starting and in which this one is.
    pub(crate) fn bricks(&self, version: &Version) -> Option<&'static Bricked> {
        let mut ranges = self.bricked.iter();
        ranges.find(|range| range.from.is_in(version) && !range.before.is_in(version))
    }

    /// Whether there is anything that some release holds on some system.
    pub(crate) fn holds_anything(&self) -> bool {
        Feature::ALL.into_iter().any(|feature| {
            Os::ALL.into_iter().any(|os| {
                let steps = (self.capability)(feature, os);
                steps.iter().any(|step| step.level() != Level::None)
            })
        })
    }
}

/// A range of releases that a rendering would keep from starting.
#[derive(Debug)]
pub(crate) struct Bricked {
    pub(crate) from: Release,
    pub(crate) before: Release,
    /// The field of the policy that would do it.
    pub(crate) field: &'static str,
    pub(crate) fact: &'static Fact,
    /// Which releases to pin instead.
    pub(crate) works: &'static str,
}

/// How well a release of a harness can hold a feature, whatever the policy.
#[must_use]
pub fn capability(target: &Target, feature: Feature) -> Capability {
    room(target.harness)
        .and_then(|room| {
            let steps = (room.capability)(feature, target.os);
            let mut steps = steps.into_iter().rev();
            let step = steps.find(|step| step.release().is_in(&target.version))?;
            Some(step.of(target, room.newest))
        })
        .unwrap_or(Capability::NONE)
}

/// Every fact about a harness that renderings and ledgers rely on.
#[must_use]
pub fn facts(harness: Harness) -> &'static [Fact] {
    room(harness).map_or(&[], |room| room.facts)
}

/// The newest release of a harness that was run, and the month of that, `YYYY-MM`; `None` for a
/// harness that is not rendered.
#[must_use]
pub fn verified(harness: Harness) -> Option<(Version, &'static str)> {
    let rendered = room(harness).filter(|room| room.holds_anything());
    rendered.map(|room| (room.newest.version(), room.date))
}

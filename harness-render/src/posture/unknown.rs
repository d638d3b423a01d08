//! A file that could not be judged: visible, and never taken for fine.

use std::fmt;

use policy_core::Harness;

use super::obstacle::Obstacle;
use super::place::Place;

/// A file that could not be judged.
///
/// ```
/// use harness_render::{Context, Obstacle, Os, watched};
/// use policy_core::Harness;
///
/// let context = Context::unmanaged(Harness::Codex, Os::Linux);
/// let file = watched(Harness::Codex).iter().find(|file| file.is_users()).unwrap();
/// let unknown = context.inspect(file, b"sandbox_mode = \"hunter2").unwrap_err();
/// assert_eq!(unknown.obstacle(), Obstacle::NotToml);
/// assert_eq!(
///     unknown.to_string(),
///     "posture:codex: unknown: ~/.codex/config.toml is not valid TOML; fix: correct its TOML"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unknown {
    place: Place,
    obstacle: Obstacle,
}

impl Unknown {
    pub(crate) const fn new(place: Place, obstacle: Obstacle) -> Self {
        Self { place, obstacle }
    }

    /// The harness whose file it is.
    #[must_use]
    pub fn harness(&self) -> Harness {
        self.place.harness()
    }

    /// Why it is not judged.
    #[must_use]
    pub const fn obstacle(&self) -> Obstacle {
        self.obstacle
    }

    /// Whether it is one of the managed files, without which nothing about the harness is known.
    #[must_use]
    pub fn is_managed(&self) -> bool {
        self.place.is_managed()
    }

    /// Whether it is a repository's file: what a clone brings and nobody can judge is not taken for
    /// harmless.
    #[must_use]
    pub fn is_projects(&self) -> bool {
        self.place.watched().is_projects()
    }

    /// What is the matter; begins with `unknown: `.
    #[must_use]
    pub fn problem(&self) -> String {
        format!("unknown: {} {}", self.place, self.obstacle.problem())
    }

    /// What to do.
    #[must_use]
    pub const fn fix(&self) -> &'static str {
        self.obstacle.fix()
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (harness, problem, fix) = (self.harness(), self.problem(), self.fix());
        write!(f, "posture:{harness}: {problem}; fix: {fix}")
    }
}

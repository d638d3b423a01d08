//! What could not be judged: visible, and never taken for fine.

use std::fmt;

use policy_core::Harness;

use super::obstacle::Obstacle;
use super::place::Place;

/// A file that could not be judged, or an installed release that could not be told.
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
    subject: Subject,
    obstacle: Obstacle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Subject {
    File(Place),
    #[cfg(feature = "device")]
    Release(Harness, Source),
}

/// Where it is looked whether a harness is installed, and in which releases. Never a path of the device: that
/// could name the user.
#[cfg(feature = "device")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// A directory in which programs lie.
    Programs,
    /// The package of this name.
    Package(&'static str),
    /// The directory that is written so, whose entries are named after releases.
    Releases(&'static str),
}

#[cfg(feature = "device")]
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Programs => f.write_str("a directory of programs"),
            Self::Package(name) => write!(f, "package.json of {name}"),
            Self::Releases(path) => f.write_str(path),
        }
    }
}

impl Unknown {
    pub(crate) const fn new(place: Place, obstacle: Obstacle) -> Self {
        Self {
            subject: Subject::File(place),
            obstacle,
        }
    }

    /// What of the installed releases of a harness is not known.
    #[cfg(feature = "device")]
    pub(crate) const fn of_release(harness: Harness, source: Source, obstacle: Obstacle) -> Self {
        Self {
            subject: Subject::Release(harness, source),
            obstacle,
        }
    }

    const fn place(&self) -> Option<&Place> {
        match &self.subject {
            Subject::File(place) => Some(place),
            #[cfg(feature = "device")]
            Subject::Release(..) => None,
        }
    }

    /// The harness whose file or release it is.
    #[must_use]
    pub fn harness(&self) -> Harness {
        match &self.subject {
            Subject::File(place) => place.harness(),
            #[cfg(feature = "device")]
            Subject::Release(harness, _) => *harness,
        }
    }

    /// Why it is not judged.
    #[must_use]
    pub const fn obstacle(&self) -> Obstacle {
        self.obstacle
    }

    /// Whether it is one of the managed files, without which nothing about the harness is known.
    #[must_use]
    pub fn is_managed(&self) -> bool {
        self.place().is_some_and(Place::is_managed)
    }

    /// Whether it is a repository's file: what a clone brings and nobody can judge is not taken for
    /// harmless.
    #[must_use]
    pub fn is_projects(&self) -> bool {
        self.place()
            .is_some_and(|place| place.watched().is_projects())
    }

    /// What is the matter; begins with `unknown: `.
    #[must_use]
    pub fn problem(&self) -> String {
        let problem = self.obstacle.problem();
        match &self.subject {
            Subject::File(place) => format!("unknown: {place} {problem}"),
            #[cfg(feature = "device")]
            Subject::Release(_, source) => format!("unknown: {source} {problem}"),
        }
    }

    /// What to do.
    #[must_use]
    pub const fn fix(&self) -> &'static str {
        match (&self.subject, self.obstacle) {
            #[cfg(feature = "device")]
            (Subject::Release(_, Source::Programs), Obstacle::Path) => {
                "replace the link by a real directory, or name in `PATH` the directory that it leads to"
            }
            _ => self.obstacle.fix(),
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (harness, problem, fix) = (self.harness(), self.problem(), self.fix());
        write!(f, "posture:{harness}: {problem}; fix: {fix}")
    }
}

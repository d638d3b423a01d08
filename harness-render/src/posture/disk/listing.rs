//! What the readers of every system share.

use std::ffi::OsString;
use std::path::{Component, Path};

use super::super::obstacle::Obstacle;

/// The most entries of a directory, and of those below it, that are read.
const MOST_ENTRIES: usize = 1000;

/// The most directories below a listed one that are entered.
pub(super) const MOST_DEPTH: usize = 8;

/// A file that was read.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Content {
    pub(in super::super) bytes: Vec<u8>,
    /// Whether only the superuser can change it: it and every directory above it belong to the
    /// superuser and are writable by no one else. Always, where the system does not tell.
    pub(in super::super) is_guarded: bool,
}

/// A moment of reading, at which a test changes the file.
#[cfg(unix)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Looked,
    Opened,
    Read,
}

/// The names of a path below the root. Whatever anchors it, it starts at the root.
pub(super) fn names(path: &Path) -> Vec<OsString> {
    path.components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some("..".into()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
        })
        .collect()
}

/// Which entries of a directory are listed.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Wanted {
    /// How their names end.
    pub(in super::super) suffix: &'static str,
    /// Whether those of directories below count as well.
    pub(in super::super) deep: bool,
    /// Whether names that begin with a dot count.
    pub(in super::super) hidden: bool,
    /// Whether a link among directories that are entered is an obstacle: programs follow it, and what
    /// lies behind it is not looked at.
    pub(in super::super) refuses_links: bool,
}

impl Wanted {
    pub(super) fn takes(&self, name: &str) -> bool {
        name.ends_with(self.suffix) && (self.hidden || !name.starts_with('.'))
    }
}

/// Counts what was listed, over all directories of one listing.
#[derive(Default)]
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn spend(&mut self) -> Result<(), Obstacle> {
        self.0 = self.0.saturating_add(1);
        if self.0 > MOST_ENTRIES {
            return Err(Obstacle::TooMany);
        }
        Ok(())
    }
}

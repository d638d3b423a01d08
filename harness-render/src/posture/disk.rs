//! Reading a device's files, whoever owns the directories they lie in.
//!
//! The reader may be the superuser and the directories a user's, who may put anything there and
//! change it at any moment. So nothing is opened that was not looked at, nothing is read that is not
//! what was looked at, and nothing outside the root is ever reached.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(super) use unix::Root;

#[cfg(any(not(unix), test))]
#[cfg_attr(
    unix,
    expect(
        dead_code,
        reason = "elsewhere it is the reader; here only its tests use it"
    )
)]
mod portable;
#[cfg(not(unix))]
pub(super) use portable::Root;

#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::ffi::OsString;
use std::path::{Component, Path};

use super::obstacle::Obstacle;

/// The most entries of a directory, and of those below it, that are looked at.
const MOST_ENTRIES: usize = 1000;

/// The most directories below a listed one that are entered.
const MOST_DEPTH: usize = 8;

/// A file that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    /// Whether only the superuser can change it: it and every directory above it belong to the
    /// superuser and are writable by no one else. Always, where the system does not tell.
    pub(super) is_guarded: bool,
}

/// A moment of reading, at which a test changes the file.
#[cfg(unix)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Looked,
    Opened,
    Read,
}

/// The names of a path below the root. Whatever anchors it, it starts at the root.
fn names(path: &Path) -> Vec<OsString> {
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
pub(super) struct Wanted {
    /// How their names end.
    pub(super) suffix: &'static str,
    /// Whether those of directories below count as well.
    pub(super) deep: bool,
    /// Whether names that begin with a dot count.
    pub(super) hidden: bool,
    /// Whether a link among directories that are entered is an obstacle: programs follow it, and what
    /// lies behind it is not looked at.
    pub(super) refuses_links: bool,
}

impl Wanted {
    fn takes(&self, name: &str) -> bool {
        name.ends_with(self.suffix) && (self.hidden || !name.starts_with('.'))
    }
}

/// Counts what was listed, over all directories of one listing.
#[derive(Default)]
struct Budget(usize);

impl Budget {
    fn spend(&mut self) -> Result<(), Obstacle> {
        self.0 = self.0.saturating_add(1);
        if self.0 > MOST_ENTRIES {
            return Err(Obstacle::TooMany);
        }
        Ok(())
    }
}

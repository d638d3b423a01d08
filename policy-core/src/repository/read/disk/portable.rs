//! By names, where the system has no directory handles in the standard library.
//!
//! Weaker than handles: between two looks a name may be given to something else of the same length and
//! times.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Kind, Look};

/// When a file was last written, as far as the system tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    modified: Option<SystemTime>,
    created: Option<SystemTime>,
}

impl Identity {
    /// When it was last written, where the system tells.
    pub(super) fn written(&self) -> Option<SystemTime> {
        self.modified
    }
}

/// A directory.
#[derive(Debug)]
pub(super) struct Directory(PathBuf);

impl Directory {
    /// The directory of a path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            Ok(Self(path.to_owned()))
        } else {
            Err(ErrorKind::NotADirectory.into())
        }
    }

    /// The directory of a name, unless a link leads there.
    pub(super) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        match self.look(name)?.kind {
            Kind::Directory => Ok(Self(self.0.join(name))),
            _ => Err(ErrorKind::NotADirectory.into()),
        }
    }

    /// What a name stands for, links not followed.
    pub(super) fn look(&self, name: &OsStr) -> io::Result<Look> {
        Ok(look(&fs::symlink_metadata(self.0.join(name))?))
    }

    /// Where a link leads.
    pub(super) fn read_link(&self, name: &OsStr) -> io::Result<PathBuf> {
        fs::read_link(self.0.join(name))
    }

    /// Opens what a name stands for, which was a regular file a moment ago.
    pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        File::open(self.0.join(name))
    }

    /// The names in the directory.
    pub(super) fn names(&self) -> io::Result<impl Iterator<Item = io::Result<OsString>> + use<>> {
        Ok(fs::read_dir(&self.0)?.map(|entry| entry.map(|entry| entry.file_name())))
    }
}

/// What an open file is by now.
pub(super) fn look_at(file: &File) -> io::Result<Look> {
    Ok(look(&file.metadata()?))
}

fn look(metadata: &Metadata) -> Look {
    Look {
        kind: metadata.file_type().into(),
        length: metadata.len(),
        identity: Identity {
            modified: metadata.modified().ok(),
            created: metadata.created().ok(),
        },
    }
}

/// Whether a step failed because its name stands for something else than a moment ago.
pub(super) fn is_replaced(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotADirectory | ErrorKind::NotFound)
}

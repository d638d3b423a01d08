//! By names, where the system has no directory handles in the standard library.
//!
//! Weaker than handles: between two looks a name may be given to something else.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::Kind;

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
        match self.kind(name)? {
            Kind::Directory => Ok(Self(self.0.join(name))),
            _ => Err(ErrorKind::NotADirectory.into()),
        }
    }

    /// What a name stands for, links not followed.
    pub(super) fn kind(&self, name: &OsStr) -> io::Result<Kind> {
        let found = fs::symlink_metadata(self.0.join(name))?;
        Ok(found.file_type().into())
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

/// Whether a step failed because its name stands for something else than a moment ago.
pub(super) fn is_replaced(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotADirectory | ErrorKind::NotFound)
}

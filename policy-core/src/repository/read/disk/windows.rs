//! By names that cannot be given to something else meanwhile: a directory that is held open without
//! leave to delete can be neither renamed nor removed, and a file that is held open without leave to
//! write is not written. Whoever has it open for writing keeps the reader out.
//!
//! Sharing and flags as in CreateFileW's documentation of the system's vendor, November 2026.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::windows::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Look;

const FILE_SHARE_READ: u32 = 1;
const FILE_SHARE_WRITE: u32 = 2;
/// Opens a link itself.
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
/// Opens directories as well.
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
const ERROR_SHARING_VIOLATION: i32 = 32;

/// What the standard library tells of a file here: its number is not yet stable there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    attributes: u32,
    created: u64,
    written: u64,
    /// The same time as the standard library's.
    modified: Option<SystemTime>,
}

impl Identity {
    /// When it was last written, where the system tells.
    pub(super) fn written(&self) -> Option<SystemTime> {
        self.modified
    }
}

/// An open directory.
#[derive(Debug)]
pub(super) struct Directory {
    path: PathBuf,
    /// Keeps the name what it is.
    _held: File,
}

impl Directory {
    /// Opens a directory by its path, whose last part is no link.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let held = OpenOptions::new()
            .read(true)
            .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE)
            .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT)
            .open(path)?;
        if !held.metadata()?.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        Ok(Self {
            path: path.to_owned(),
            _held: held,
        })
    }

    /// The directory of a name, unless a link leads there.
    pub(super) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        Self::open(&self.path_of(name))
    }

    /// What a name stands for, links not followed.
    pub(super) fn look(&self, name: &OsStr) -> io::Result<Look> {
        Ok(look(&fs::symlink_metadata(self.path_of(name))?))
    }

    /// Where a link leads.
    pub(super) fn read_link(&self, name: &OsStr) -> io::Result<PathBuf> {
        fs::read_link(self.path_of(name))
    }

    /// Opens what a name stands for, without following a link.
    pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        OpenOptions::new()
            .read(true)
            .share_mode(FILE_SHARE_READ)
            .custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
            .open(self.path_of(name))
    }

    /// The names in the directory.
    pub(super) fn names(&self) -> io::Result<impl Iterator<Item = io::Result<OsString>> + use<>> {
        let entries = fs::read_dir(&self.path)?;
        Ok(entries.map(|entry| entry.map(|entry| entry.file_name())))
    }

    /// A path with the root's prefix is taken as it is, dots included.
    fn path_of(&self, name: &OsStr) -> PathBuf {
        if name == "." {
            self.path.clone()
        } else {
            self.path.join(name)
        }
    }
}

/// What an open file is by now.
pub(super) fn look_at(file: &File) -> io::Result<Look> {
    Ok(look(&file.metadata()?))
}

fn look(metadata: &Metadata) -> Look {
    Look {
        kind: metadata.file_type().into(),
        length: metadata.file_size(),
        identity: Identity {
            attributes: metadata.file_attributes(),
            created: metadata.creation_time(),
            written: metadata.last_write_time(),
            modified: metadata.modified().ok(),
        },
    }
}

/// Whether a step failed because its name stands for something else than a moment ago, or is being
/// written.
pub(super) fn is_replaced(error: &io::Error) -> bool {
    error.raw_os_error() == Some(ERROR_SHARING_VIOLATION)
        || matches!(error.kind(), ErrorKind::NotADirectory | ErrorKind::NotFound)
}

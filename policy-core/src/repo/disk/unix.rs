//! By directory handles: a handle stays what it is whatever becomes of its name.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use super::Kind;

/// Only search permission is needed on the way, where the system tells the two apart.
#[cfg(any(target_os = "linux", target_os = "android"))]
const PASS: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const PASS: OFlags = OFlags::RDONLY;

/// An open directory.
#[derive(Debug)]
pub(super) struct Directory(OwnedFd);

impl Directory {
    /// Opens a directory by its path, links followed.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let flags = PASS | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(openat(CWD, path, flags, Mode::empty())?))
    }

    /// The directory of a name, unless a link leads there.
    pub(super) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        let flags = PASS | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(Self(openat(&self.0, name, flags, Mode::empty())?))
    }

    /// What a name stands for, links not followed.
    pub(super) fn kind(&self, name: &OsStr) -> io::Result<Kind> {
        let stat = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Directory,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        })
    }

    /// Opens what a name stands for, without following a link and without waiting for a pipe's
    /// other end.
    pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(File::from(openat(&self.0, name, flags, Mode::empty())?))
    }

    /// The names in the directory.
    pub(super) fn names(&self) -> io::Result<impl Iterator<Item = io::Result<OsString>> + use<>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let entries = Dir::new(openat(&self.0, ".", flags, Mode::empty())?)?;
        let name = |entry: Result<rustix::fs::DirEntry, Errno>| match entry {
            Ok(entry) => match entry.file_name().to_bytes() {
                b"." | b".." => None,
                name => Some(Ok(OsString::from_vec(name.to_vec()))),
            },
            Err(error) => Some(Err(error.into())),
        };
        Ok(entries.filter_map(name))
    }
}

/// Whether a step failed because its name stands for something else than a moment ago.
pub(super) fn is_replaced(error: &io::Error) -> bool {
    let replaced = [Errno::LOOP, Errno::NOTDIR, Errno::NOENT, Errno::NXIO];
    error
        .raw_os_error()
        .is_some_and(|code| replaced.iter().any(|one| one.raw_os_error() == code))
}

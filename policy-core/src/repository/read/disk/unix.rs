//! By directory handles: a handle stays what it is whatever becomes of its name.

use core::time::Duration;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat, statat,
};
use rustix::io::Errno;

use super::{Kind, Look};

/// Only search permission is needed on the way, where the system tells the two apart.
#[cfg(any(target_os = "linux", target_os = "android"))]
const PASS: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const PASS: OFlags = OFlags::RDONLY;

/// Which file it is, and when it was last written. Its number alone does not tell: a new file may get
/// that of one just removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: i128,
    number: i128,
    mode: i128,
    /// Seconds and nanoseconds.
    modified: (i128, i128),
    /// A writer may set the time above, and not this one.
    changed: (i128, i128),
}

impl Identity {
    /// When anything of it last changed, where the clock can say it.
    pub(super) fn written(&self) -> Option<SystemTime> {
        let (seconds, nanoseconds) = self.changed;
        let seconds = Duration::from_secs(u64::try_from(seconds).ok()?);
        let nanoseconds = Duration::from_nanos(u64::try_from(nanoseconds).ok()?);
        SystemTime::UNIX_EPOCH.checked_add(seconds.checked_add(nanoseconds)?)
    }
}

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
    pub(super) fn look(&self, name: &OsStr) -> io::Result<Look> {
        Ok(look(&statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// Where a link leads.
    pub(super) fn read_link(&self, name: &OsStr) -> io::Result<PathBuf> {
        let target = readlinkat(&self.0, name, Vec::new())?;
        Ok(OsString::from_vec(target.into_bytes()).into())
    }

    /// Opens what a name stands for, without following a link and without waiting for a pipe's
    /// other end.
    pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(File::from(openat(&self.0, name, flags, Mode::empty())?))
    }

    /// The names in the directory.
    ///
    /// Not by the standard library's `read_dir`, which panics where the directory cannot be closed.
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

/// What an open file is by now.
pub(super) fn look_at(file: &File) -> io::Result<Look> {
    Ok(look(&fstat(file)?))
}

fn look(stat: &Stat) -> Look {
    Look {
        kind: match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Directory,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        },
        length: u64::try_from(stat.st_size).unwrap_or(u64::MAX),
        // Each system has its own widths.
        identity: Identity {
            device: stat.st_dev.into(),
            number: stat.st_ino.into(),
            mode: stat.st_mode.into(),
            modified: (stat.st_mtime.into(), stat.st_mtime_nsec.into()),
            changed: (stat.st_ctime.into(), stat.st_ctime_nsec.into()),
        },
    }
}

/// Whether a step failed because its name stands for something else than a moment ago.
pub(super) fn is_replaced(error: &io::Error) -> bool {
    let replaced = [
        Errno::LOOP,
        Errno::NOTDIR,
        Errno::NOENT,
        Errno::NXIO,
        Errno::INVAL,
        Errno::STALE,
    ];
    error
        .raw_os_error()
        .is_some_and(|code| replaced.iter().any(|one| one.raw_os_error() == code))
}

//! By directory handles: a handle stays what it is whatever becomes of its name.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use super::Kind;

/// An open directory.
pub(crate) struct Directory(File);

/// What tells a directory or a file from every other while it is open.
pub(crate) type Identity = (i128, i128);

impl Directory {
    /// Opens a directory by its path, links followed.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = retry_on_intr(|| rustix::fs::openat(CWD, path, flags, Mode::empty()));
        Ok(Self(opened?.into()))
    }

    /// The directory of a name, unless a link leads there.
    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(self.open_at(name, flags, Mode::empty())?.into()))
    }

    /// Makes a directory that nobody else may enter.
    pub(crate) fn make(&self, name: &OsStr) -> io::Result<Self> {
        retry_on_intr(|| rustix::fs::mkdirat(&self.0, name, Mode::RWXU))?;
        let made = self.enter(name)?;
        // Whoever owns this directory may have put another in its place.
        if rustix::fs::fstat(&made.0)?.st_uid == rustix::process::geteuid().as_raw() {
            Ok(made)
        } else {
            Err(io::Error::other("somebody else's directory took its place"))
        }
    }

    /// What a name stands for, links not followed.
    pub(crate) fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
        let Some(stat) = self.stat(name)? else {
            return Ok(None);
        };
        Ok(Some(match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Directory,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        }))
    }

    pub(crate) fn identity(&self) -> io::Result<Identity> {
        Ok(identity(&rustix::fs::fstat(&self.0)?))
    }

    pub(crate) fn identity_of(&self, name: &OsStr) -> io::Result<Option<Identity>> {
        Ok(self.stat(name)?.as_ref().map(identity))
    }

    pub(crate) fn identity_of_file(file: &File) -> io::Result<Identity> {
        Ok(identity(&rustix::fs::fstat(file)?))
    }

    /// Makes a file.
    pub(crate) fn create(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        Ok(self.open_at(name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    /// Opens what a name stands for to read it, without waiting for a pipe's other end.
    pub(crate) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(self.open_at(name, flags, Mode::empty())?.into())
    }

    /// Opens a file, or makes it.
    pub(crate) fn open_or_create(&self, name: &OsStr) -> io::Result<File> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(self.open_at(name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    /// The names in the directory.
    pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut names = Vec::new();
        for entry in Dir::new(self.open_at(OsStr::new("."), flags, Mode::empty())?)? {
            match entry?.file_name().to_bytes() {
                b"." | b".." => {}
                name => names.push(OsString::from_vec(name.to_vec())),
            }
        }
        Ok(names)
    }

    pub(crate) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        self.remove(name, AtFlags::empty())
    }

    /// Removes an empty directory.
    pub(crate) fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        self.remove(name, AtFlags::REMOVEDIR)
    }

    /// Gives a directory another name, also that of an empty one. One with anything in it, or anything that
    /// is no directory, keeps its name.
    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(retry_on_intr(|| {
            rustix::fs::renameat(&self.0, from, &self.0, to)
        })?)
    }

    /// Exchanges two names at once, where that can be done.
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub(crate) fn exchange(&self, one: &OsStr, other: &OsStr) -> io::Result<bool> {
        let flags = rustix::fs::RenameFlags::EXCHANGE;
        match retry_on_intr(|| rustix::fs::renameat_with(&self.0, one, &self.0, other, flags)) {
            Ok(()) => Ok(true),
            // The kernel or the file system does not know it.
            Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub(crate) fn exchange(&self, _: &OsStr, _: &OsStr) -> io::Result<bool> {
        Ok(false)
    }

    pub(crate) fn set_mode(&self, mode: u32) -> io::Result<()> {
        Self::set_mode_of_file(&self.0, mode)
    }

    /// The bits themselves, whatever the process's mask.
    pub(crate) fn set_mode_of_file(file: &File, mode: u32) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(mode))
    }

    /// Brings the names in the directory to the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match self.0.sync_all() {
            // The file system does not do that for directories.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            synced => synced,
        }
    }

    fn open_at(&self, name: &OsStr, flags: OFlags, mode: Mode) -> io::Result<OwnedFd> {
        let flags = flags | OFlags::NOFOLLOW;
        Ok(retry_on_intr(|| {
            rustix::fs::openat(&self.0, name, flags, mode)
        })?)
    }

    fn stat(&self, name: &OsStr) -> io::Result<Option<rustix::fs::Stat>> {
        let stat = retry_on_intr(|| rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW));
        match stat {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn remove(&self, name: &OsStr, flags: AtFlags) -> io::Result<()> {
        match retry_on_intr(|| rustix::fs::unlinkat(&self.0, name, flags)) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

fn identity(stat: &rustix::fs::Stat) -> Identity {
    // Systems differ in the types of the two.
    (i128::from(stat.st_dev), i128::from(stat.st_ino))
}

//! By directory handles: a path is walked one name at a time, and a handle stays what it is whatever
//! becomes of its name.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat, statat};
use rustix::io::Errno;

use super::super::obstacle::Obstacle;
use super::super::parse::MOST_BYTES;
use super::listing::{Budget, Content, MOST_DEPTH, Moment, Wanted, names};

/// As many as Linux follows (path_resolution(7)).
const MOST_LINKS: usize = 40;

/// Only search permission is needed on the way, where the system tells the two apart.
#[cfg(any(target_os = "linux", target_os = "android"))]
const PASS: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const PASS: OFlags = OFlags::RDONLY;

/// The root of a device, or a directory that stands for it.
#[derive(Debug)]
pub(in super::super) struct Root {
    top: Handle,
    /// Who counts as the superuser: whoever owns the root. So a tree that someone unpacked into a
    /// directory of theirs is judged as the device it came from.
    owner: u32,
}

#[derive(Debug)]
struct Handle {
    fd: OwnedFd,
    is_guarded: bool,
}

/// The directory of a path's last name.
struct Found<'r> {
    root: &'r Root,
    below: Vec<Handle>,
    name: OsString,
}

impl Root {
    /// Opens the directory itself; it is the caller's word, so links to it are followed.
    pub(in super::super) fn open(path: &Path) -> io::Result<Self> {
        let fd = rustix::fs::open(
            path,
            PASS | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
        )?;
        let stat = fstat(&fd)?;
        let owner = stat.st_uid;
        let is_guarded = is_guarded(&stat, owner);
        Ok(Self {
            top: Handle { fd, is_guarded },
            owner,
        })
    }

    /// The content of a regular file; `None` where there is nothing of that name.
    pub(in super::super) fn read(&self, path: &Path) -> Result<Option<Content>, Obstacle> {
        self.read_watched(path, &mut |_| {})
    }

    pub(super) fn read_watched(
        &self,
        path: &Path,
        at: &mut dyn FnMut(Moment),
    ) -> Result<Option<Content>, Obstacle> {
        let Some(found) = self.find(path)? else {
            return Ok(None);
        };
        // Before opening: to open a device may act.
        let Some(looked) = found.stat()? else {
            return Ok(None);
        };
        require_file(&looked)?;
        if size(&looked) > MOST_BYTES {
            return Err(Obstacle::TooLarge);
        }
        at(Moment::Looked);
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let fd = openat(found.directory(), &found.name, flags, Mode::empty()).map_err(|error| {
            match error {
                Errno::LOOP | Errno::NOENT | Errno::NOTDIR | Errno::NXIO => Obstacle::Replaced,
                _ => Obstacle::Unreadable,
            }
        })?;
        let opened = fstat(&fd).map_err(|_| Obstacle::Unreadable)?;
        if !is_same(&looked, &opened) {
            return Err(Obstacle::Replaced);
        }
        require_file(&opened)?;
        at(Moment::Opened);
        let mut bytes = Vec::new();
        let file = File::from(fd);
        let most = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX);
        // It may grow while it is read.
        (&file)
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|_| Obstacle::Unreadable)?;
        at(Moment::Read);
        if bytes.len() > MOST_BYTES {
            return Err(Obstacle::TooLarge);
        }
        let read = fstat(&file).map_err(|_| Obstacle::Unreadable)?;
        if written(&opened) != written(&read) || size(&read) != bytes.len() {
            return Err(Obstacle::Changed);
        }
        // What was read is what the program will read.
        match found.stat()? {
            Some(now) if is_same(&read, &now) => {}
            _ => return Err(Obstacle::Replaced),
        }
        Ok(Some(Content {
            bytes,
            is_guarded: found.is_guarded() && is_guarded(&read, self.owner),
        }))
    }

    /// Whether there is anything of that name, a link that leads nowhere included.
    pub(in super::super) fn exists(&self, path: &Path) -> Result<bool, Obstacle> {
        match self.find(path)? {
            Some(found) => Ok(found.stat()?.is_some()),
            None => Ok(false),
        }
    }

    /// Whether the entry of that name is itself a link.
    pub(in super::super) fn is_link(&self, path: &Path) -> Result<bool, Obstacle> {
        let Some(found) = self.find(path)? else {
            return Ok(false);
        };
        let entry = found.stat()?;
        Ok(entry.is_some_and(|stat| kind(&stat) == FileType::Symlink))
    }

    /// Whether there is a directory of that name.
    pub(in super::super) fn is_directory(&self, path: &Path) -> Result<bool, Obstacle> {
        Ok(self.enter(path)?.is_some())
    }

    /// The paths of a directory's entries, sorted; none where there is no directory.
    pub(in super::super) fn list(
        &self,
        directory: &Path,
        wanted: Wanted,
    ) -> Result<Vec<PathBuf>, Obstacle> {
        let mut paths = Vec::new();
        let mut budget = Budget::default();
        let mut pending = vec![(directory.to_owned(), 0_usize)];
        while let Some((directory, depth)) = pending.pop() {
            let Some(handle) = self.enter(&directory)? else {
                continue;
            };
            let listing = openat(
                &handle,
                ".",
                OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
                Mode::empty(),
            )
            .and_then(Dir::new)
            .map_err(|_| Obstacle::Unreadable)?;
            for entry in listing {
                let entry = entry.map_err(|_| Obstacle::Unreadable)?;
                let name = OsStr::from_bytes(entry.file_name().to_bytes());
                if name == "." || name == ".." {
                    continue;
                }
                budget.spend()?;
                let path = directory.join(name);
                // The listing's own word on the type may be missing; and a link is not a directory.
                let found = wanted
                    .deep
                    .then(|| statat(&handle, name, AtFlags::SYMLINK_NOFOLLOW).ok())
                    .flatten()
                    .map(|stat| kind(&stat));
                if wanted.refuses_links && found == Some(FileType::Symlink) {
                    return Err(Obstacle::Link);
                }
                let is_directory = found == Some(FileType::Directory);
                if is_directory {
                    if depth >= MOST_DEPTH {
                        return Err(Obstacle::TooMany);
                    }
                    pending.push((path, depth.saturating_add(1)));
                } else if wanted.takes(&name.to_string_lossy()) {
                    paths.push(path);
                }
            }
        }
        paths.sort_unstable();
        Ok(paths)
    }

    fn enter(&self, path: &Path) -> Result<Option<OwnedFd>, Obstacle> {
        let mut names = names(path);
        // The walk stops before the last name; this one is entered as well.
        names.push(".".into());
        let Some(found) = self.walk(names)? else {
            return Ok(None);
        };
        let handle = found.directory().try_clone_to_owned();
        handle.map(Some).map_err(|_| Obstacle::Unreadable)
    }

    fn find(&self, path: &Path) -> Result<Option<Found<'_>>, Obstacle> {
        self.walk(names(path))
    }

    /// Walks to the last name. `..` goes back to the handle it came from, never above the root.
    ///
    /// A link is followed where only the superuser could have placed it, and from the root where it
    /// is absolute: so systems that keep `/etc` or `/home` elsewhere are read, and nobody leads the
    /// reader anywhere.
    fn walk(&self, names: Vec<OsString>) -> Result<Option<Found<'_>>, Obstacle> {
        let mut pending = VecDeque::from(names);
        let mut found = Found {
            root: self,
            below: Vec::new(),
            name: OsString::new(),
        };
        let mut links = 0_usize;
        while let Some(name) = pending.pop_front() {
            if name == ".." {
                found.below.pop();
                continue;
            }
            if pending.is_empty() {
                found.name = name;
                return Ok(Some(found));
            }
            match self.step(found.directory(), &name) {
                Ok(handle) => found.below.push(handle),
                Err(Errno::NOENT) => return Ok(None),
                Err(Errno::LOOP | Errno::NOTDIR) => {
                    links = links.saturating_add(1);
                    let may_follow = links <= MOST_LINKS && found.is_last_guarded();
                    let target = readlinkat(found.directory(), &name, Vec::new())
                        .ok()
                        .filter(|_| may_follow)
                        .ok_or(Obstacle::Path)?;
                    let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
                    if target.is_absolute() {
                        found.below.clear();
                    }
                    for name in super::listing::names(&target).into_iter().rev() {
                        pending.push_front(name);
                    }
                }
                Err(_) => return Err(Obstacle::Unreadable),
            }
        }
        // It ended in `..` or names the root.
        Err(Obstacle::NotAFile)
    }

    fn step(&self, from: BorrowedFd<'_>, name: &OsStr) -> Result<Handle, Errno> {
        let flags = PASS | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = openat(from, name, flags, Mode::empty())?;
        let stat = fstat(&fd)?;
        let is_guarded = is_guarded(&stat, self.owner);
        Ok(Handle { fd, is_guarded })
    }
}

impl Found<'_> {
    fn directory(&self) -> BorrowedFd<'_> {
        self.last().fd.as_fd()
    }

    fn last(&self) -> &Handle {
        self.below.last().unwrap_or(&self.root.top)
    }

    fn is_last_guarded(&self) -> bool {
        self.last().is_guarded
    }

    fn is_guarded(&self) -> bool {
        self.root.top.is_guarded && self.below.iter().all(|handle| handle.is_guarded)
    }

    /// The entry itself, links not followed.
    fn stat(&self) -> Result<Option<Stat>, Obstacle> {
        match statat(self.directory(), &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(_) => Err(Obstacle::Unreadable),
        }
    }
}

fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

fn require_file(stat: &Stat) -> Result<(), Obstacle> {
    match kind(stat) {
        FileType::RegularFile => Ok(()),
        FileType::Symlink => Err(Obstacle::Link),
        _ => Err(Obstacle::NotAFile),
    }
}

fn size(stat: &Stat) -> usize {
    usize::try_from(stat.st_size).unwrap_or(usize::MAX)
}

/// Whether both are the same file, unchanged. Its number alone does not tell: a new file may get that
/// of one just removed.
fn is_same(a: &Stat, b: &Stat) -> bool {
    let file = |stat: &Stat| (stat.st_dev, stat.st_ino, stat.st_mode);
    file(a) == file(b) && written(a) == written(b)
}

/// What changes when a file is written or its name is taken by another.
fn written(stat: &Stat) -> impl PartialEq + use<> {
    (
        stat.st_size,
        (stat.st_mtime, stat.st_mtime_nsec),
        (stat.st_ctime, stat.st_ctime_nsec),
    )
}

fn is_guarded(stat: &Stat, owner: u32) -> bool {
    let others = Mode::WGRP | Mode::WOTH;
    let belongs = stat.st_uid == 0 || stat.st_uid == owner;
    belongs && !Mode::from_raw_mode(stat.st_mode).intersects(others)
}

//! Reading a directory that may hold anything, and that others may write meanwhile: only regular files
//! inside it are opened, no more is read than a policy may have, and what changes is no policy.
//!
//! Every path is walked from the root's handle, one name at a time, and links are followed by reading
//! them. So whoever replaces a part of the way is told of, nothing outside the root is touched, and a
//! reader of a directory that is renamed away reads on in that one. A file is looked at before and
//! after it is read, and all of them again at the end, with the directories that list them: what is
//! taken for the policy stood there whole at one moment, and had stood there for a while: a writer that
//! was interrupted between two steps goes on soon.

#[cfg_attr(unix, path = "disk/unix.rs")]
#[cfg_attr(windows, path = "disk/windows.rs")]
#[cfg_attr(not(any(unix, windows)), path = "disk/portable.rs")]
mod directory;
#[cfg(all(test, unix))]
mod tests;

use alloc::borrow::Cow;
use alloc::collections::VecDeque;
use core::time::Duration;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::thread;
use std::time::SystemTime;

use super::place::{self, PROFILES, UNITS};
use super::{MOST_FILES, Reading, too_large_together, too_many_files};
use crate::quote::quoted;
use crate::repository::finding::{Code, Finding};
use crate::repository::yaml::{MOST_BYTES, too_large};
use directory::{Directory, Identity};

/// The most names and links on the way to a file. Linux follows 40 links (path_resolution(7)).
const MOST_STEPS: usize = 256;

/// How long a file was not written when it is taken for whole. A writer waits for its turn on a busy
/// machine for some tens of milliseconds.
const SETTLED: Duration = Duration::from_millis(100);

/// How much of a file is compared at a time.
const COMPARED_BYTES: usize = 64 * 1024;

/// The repository's directory.
struct Root {
    directory: Directory,
    /// The ways by which an absolute link may name the directory: where it is, and as it was given.
    paths: Vec<PathBuf>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    Directory,
    Link,
    Other,
}

impl From<fs::FileType> for Kind {
    fn from(found: fs::FileType) -> Self {
        if found.is_file() {
            Self::File
        } else if found.is_dir() {
            Self::Directory
        } else if found.is_symlink() {
            Self::Link
        } else {
            Self::Other
        }
    }
}

/// What a name stands for at a moment. Two looks are equal where it is the same thing, unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    kind: Kind,
    length: u64,
    identity: Identity,
}

/// Where a path ends, links followed.
struct Found {
    directory: Directory,
    name: OsString,
    look: Look,
}

/// A moment of reading, at which a test changes the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Listed,
    Looked,
    Opened,
    Read,
    /// Everything, before it is looked at again.
    All,
}

/// Is told of every moment, and of the path it is about.
type Watch<'w> = &'w mut dyn FnMut(Moment, &str);

/// What was read, to be looked at again.
#[derive(Default)]
struct Snapshot {
    top: Vec<String>,
    places: Vec<(String, Listing)>,
    files: Vec<(String, Look)>,
}

#[derive(PartialEq, Eq)]
struct Listing {
    look: Look,
    names: Vec<OsString>,
}

/// Reads a repository's directory.
///
/// # Errors
///
/// The directory itself cannot be read; then there is nothing else to say.
pub(super) fn read(directory: &Path, reading: &mut Reading) -> Result<(), Finding> {
    read_watched(directory, reading, &mut |_, _| {})
}

/// What was given as a directory and may be a URL.
fn without_query(directory: &str) -> Cow<'_, str> {
    match directory.split_once('?') {
        Some((before, after)) if !after.is_empty() => format!("{before}?…").into(),
        _ => directory.into(),
    }
}

fn read_watched(directory: &Path, reading: &mut Reading, watch: Watch<'_>) -> Result<(), Finding> {
    let failed = |error: io::Error| {
        let message = format!(
            "cannot read the policy directory {}: {error}",
            quoted(&without_query(&directory.to_string_lossy()))
        );
        Finding::new(Code::Unreadable, message)
            .with_help("name a directory that exists and that may be read")
    };
    let root = Root::open(directory).map_err(failed)?;
    let mut snapshot = Snapshot {
        top: root.top().map_err(failed)??,
        ..Snapshot::default()
    };
    watch(Moment::Listed, "");
    for name in &snapshot.top {
        match name.as_str() {
            PROFILES | UNITS => {}
            name => root.read_file(name, reading, &mut snapshot.files, watch),
        }
    }
    for place in [PROFILES, UNITS] {
        if snapshot.top.iter().any(|name| name == place) {
            match root.list(place, MOST_FILES) {
                Ok(listing) => {
                    watch(Moment::Listed, place);
                    root.read_listed(place, &listing, reading, &mut snapshot.files, watch);
                    snapshot.places.push((place.to_owned(), listing));
                }
                Err(finding) => reading.add(place, || finding),
            }
        }
    }
    watch(Moment::All, "");
    // What is refused already need not be whole.
    if !reading.has_errors() {
        let top = root.directory.look(".".as_ref()).map_err(failed)?;
        let places = snapshot.places.iter().map(|(_, listing)| &listing.look);
        let files = snapshot.files.iter().map(|(_, look)| look);
        let looks = places.chain(files).chain([&top]);
        let newest = looks.filter_map(|look| look.identity.written()).max();
        thread::sleep(unsettled(newest, SystemTime::now()));
    }
    root.look_again(&snapshot, reading).map_err(failed)
}

impl Root {
    fn open(path: &Path) -> io::Result<Self> {
        let given = std::path::absolute(path)?;
        let path = fs::canonicalize(path)?;
        let directory = Directory::open(&path)?;
        Ok(Self {
            directory,
            paths: vec![path, given],
        })
    }

    /// The entries of the root that are read or refused, sorted: systems list names in any order, and
    /// what the last files may hold depends on the first.
    fn top(&self) -> io::Result<Result<Vec<String>, Finding>> {
        let mut top = Vec::new();
        for name in self.directory.names()? {
            // No place that is read has a name that is no UTF-8.
            let Ok(name) = name?.into_string() else {
                continue;
            };
            if matches!(name.as_str(), PROFILES | UNITS) || !matches!(place::role(&name), Ok(None))
            {
                if top.len() >= MOST_FILES {
                    return Ok(Err(too_many_files()));
                }
                top.push(name);
            }
        }
        top.sort_unstable();
        Ok(Ok(top))
    }

    /// The names in a directory, at most `most`, sorted.
    fn list(&self, place: &str, most: usize) -> Result<Listing, Finding> {
        let Found {
            directory,
            name,
            look,
        } = self.find(place)?;
        if look.kind != Kind::Directory {
            let message = format!("`{place}` is not a directory");
            return Err(Finding::new(Code::NotAFile, message)
                .with_help("put the documents into a directory of this name"));
        }
        let directory = directory.enter(&name).map_err(|error| refused(&error))?;
        let mut names = Vec::new();
        for name in directory.names().map_err(|error| unreadable(&error))? {
            if names.len() >= most {
                return Err(too_many_files());
            }
            names.push(name.map_err(|error| unreadable(&error))?);
        }
        names.sort_unstable();
        Ok(Listing { look, names })
    }

    fn read_listed(
        &self,
        place: &str,
        listing: &Listing,
        reading: &mut Reading,
        files: &mut Vec<(String, Look)>,
        watch: Watch<'_>,
    ) {
        for name in &listing.names {
            match name.to_str() {
                Some(name) => {
                    self.read_file(&format!("{place}/{name}"), reading, files, watch);
                }
                None => {
                    let shown = name.to_string_lossy();
                    let path = format!("{place}/{shown}");
                    reading.add(&path, || {
                        Finding::new(Code::BadName, format!("{} is no UTF-8", quoted(&shown)))
                            .with_help("rename or remove it")
                    });
                }
            }
        }
    }

    fn read_file(
        &self,
        path: &str,
        reading: &mut Reading,
        files: &mut Vec<(String, Look)>,
        watch: Watch<'_>,
    ) {
        reading.file(path, |left| {
            let (bytes, look) = self.load(path, left, watch)?;
            files.push((path.to_owned(), look));
            Ok(bytes)
        });
    }

    /// The bytes of a file, at most `left` of them.
    fn load(&self, path: &str, left: usize, watch: Watch<'_>) -> Result<(Vec<u8>, Look), Finding> {
        let found = self.find(path)?;
        // Before opening: to open a device may act.
        require_file(found.look.kind)?;
        let most = MOST_BYTES.min(left);
        let length = usize::try_from(found.look.length).ok();
        let Some(length) = length.filter(|length| *length <= most) else {
            return Err(if most < MOST_BYTES {
                too_large_together()
            } else {
                too_large()
            });
        };
        watch(Moment::Looked, path);
        let mut file = found
            .directory
            .open_file(&found.name)
            .map_err(|error| refused(&error))?;
        if directory::look_at(&file).map_err(|error| unreadable(&error))? != found.look {
            return Err(changed());
        }
        watch(Moment::Opened, path);
        let bytes = read_whole(&mut file, length).map_err(|error| unreadable(&error))?;
        watch(Moment::Read, path);
        let is_still = bytes.len() == length
            // A clock may stand still for longer than a write takes, so its word is not enough.
            && is_content(&mut file, &bytes).map_err(|error| unreadable(&error))?
            && directory::look_at(&file).map_err(|error| unreadable(&error))? == found.look;
        if is_still {
            Ok((bytes, found.look))
        } else {
            Err(changed())
        }
    }

    /// Tells of everything that is no longer as it was read.
    fn look_again(&self, snapshot: &Snapshot, reading: &mut Reading) -> io::Result<()> {
        if self.top()?.as_ref() != Ok(&snapshot.top) {
            reading.add("", changed);
        }
        for (place, before) in &snapshot.places {
            match self.list(place, MOST_FILES) {
                Ok(now) if now == *before => {}
                Ok(_) => reading.add(place, changed),
                Err(finding) => reading.add(place, || finding),
            }
        }
        for (path, before) in &snapshot.files {
            match self.find(path) {
                Ok(now) if now.look == *before => {}
                Ok(_) => reading.add(path, changed),
                Err(finding) => reading.add(path, || finding),
            }
        }
        Ok(())
    }

    /// Where a path ends, links followed: inside the root.
    fn find(&self, path: &str) -> Result<Found, Finding> {
        let mut pending: VecDeque<OsString> = path.split('/').map(OsString::from).collect();
        let mut below: Vec<Directory> = Vec::new();
        let mut followed = false;
        for _ in 0..MOST_STEPS {
            let name = pending.pop_front().unwrap_or_else(|| ".".into());
            if name == ".." {
                // Whoever goes on from above the root leaves it, wherever that ends.
                below.pop().ok_or_else(link_outside)?;
                continue;
            }
            let directory = below.last().unwrap_or(&self.directory);
            let look = directory.look(&name).map_err(|error| match error.kind() {
                ErrorKind::NotFound if followed => link_broken(),
                _ => refused(&error),
            })?;
            match look.kind {
                Kind::Link => {
                    followed = true;
                    let target = directory
                        .read_link(&name)
                        .map_err(|error| refused(&error))?;
                    let target = match self.within_root(&target) {
                        Some(target) => {
                            below.clear();
                            target
                        }
                        None if target.has_root() => return Err(link_outside()),
                        None => &target,
                    };
                    for name in names(target)?.into_iter().rev() {
                        pending.push_front(name);
                    }
                }
                Kind::Directory if !pending.is_empty() => {
                    let entered = directory.enter(&name).map_err(|error| refused(&error))?;
                    below.push(entered);
                }
                _ if pending.is_empty() => {
                    let here = directory.enter(".".as_ref());
                    let directory = here.map_err(|error| refused(&error))?;
                    return Ok(Found {
                        directory,
                        name,
                        look,
                    });
                }
                _ if followed => return Err(link_broken()),
                _ => return Err(changed()),
            }
        }
        Err(Finding::new(
            Code::LinkLoop,
            "symbolic links that lead back to each other",
        )
        .with_help("point it at a file of the repository"))
    }

    /// What an absolute target is from the root.
    fn within_root<'t>(&self, target: &'t Path) -> Option<&'t Path> {
        let mut roots = self.paths.iter();
        roots.find_map(|root| target.strip_prefix(root).ok())
    }
}

/// How long to wait for what was last written then. A clock that disagrees with the files' is no
/// reason to wait for longer.
fn unsettled(written: Option<SystemTime>, now: SystemTime) -> Duration {
    let age = written.map(|written| now.duration_since(written).unwrap_or_default());
    age.map_or(Duration::ZERO, |age| SETTLED.saturating_sub(age))
}

/// The names of a link's target.
fn names(target: &Path) -> Result<Vec<OsString>, Finding> {
    let names = target.components().filter_map(|component| match component {
        Component::Normal(name) => Some(Ok(name.to_owned())),
        Component::ParentDir => Some(Ok("..".into())),
        Component::CurDir => None,
        Component::Prefix(_) | Component::RootDir => Some(Err(link_outside())),
    });
    names.collect()
}

/// The bytes of a file of this length, and one more where there are more.
fn read_whole(file: &mut File, length: usize) -> io::Result<Vec<u8>> {
    let most = length.saturating_add(1);
    let mut bytes = Vec::new();
    // At once, as far as the system gives it: between two steps somebody may write.
    bytes.try_reserve_exact(most)?;
    file.take(u64::try_from(most).unwrap_or(u64::MAX))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the file holds these bytes, read once more.
fn is_content(file: &mut File, bytes: &[u8]) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut buffer = vec![0; COMPARED_BYTES.min(bytes.len().saturating_add(1))];
    let mut left = bytes;
    loop {
        let read = match file.read(&mut buffer) {
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if read == 0 {
            return Ok(left.is_empty());
        }
        match buffer.get(..read).and_then(|read| left.strip_prefix(read)) {
            Some(rest) => left = rest,
            None => return Ok(false),
        }
    }
}

fn require_file(found: Kind) -> Result<(), Finding> {
    let what = match found {
        Kind::File => return Ok(()),
        Kind::Directory => "a directory",
        Kind::Link | Kind::Other => "a pipe, socket or device",
    };
    Err(
        Finding::new(Code::NotAFile, format!("{what} where a file belongs"))
            .with_help("put a regular file in its place"),
    )
}

/// Why a step on a way that was there a moment ago could not be taken.
fn refused(error: &io::Error) -> Finding {
    if directory::is_replaced(error) {
        changed()
    } else {
        unreadable(error)
    }
}

fn changed() -> Finding {
    Finding::new(Code::ChangedFile, "it changed while it was read").with_help(
        "try again when nothing writes to the repository; put a new one in its place by renaming a whole directory",
    )
}

fn unreadable(error: &io::Error) -> Finding {
    Finding::new(Code::Unreadable, format!("cannot be read: {error}"))
        .with_help("check that it exists and may be read")
}

fn link_broken() -> Finding {
    Finding::new(
        Code::LinkBroken,
        "a symbolic link to something that does not exist",
    )
    .with_help("remove it, or point it at a file of the repository")
}

fn link_outside() -> Finding {
    Finding::new(
        Code::LinkOutside,
        "a symbolic link that leaves the repository",
    )
    .with_help("copy the file into the repository")
}

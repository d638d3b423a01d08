//! Reading a directory that may hold anything: only regular files inside it are opened, and no more
//! is read than a policy may have.
//!
//! What a name leads to is asked first, for the words of a refusal; then the way is walked, one
//! directory at a time and following nothing. Whoever replaces a part of it in between is told of.

#[cfg_attr(unix, path = "disk/unix.rs")]
#[cfg_attr(not(unix), path = "disk/portable.rs")]
mod directory;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::place::{PROFILES, UNITS};
use super::{MOST_FILES, Reading, too_large_together, too_many_files};
use crate::finding::{Code, Finding};
use crate::quote::quoted;
use crate::yaml::{MOST_BYTES, too_large};
use directory::Directory;

/// The repository's directory.
struct Root {
    /// Links are judged by where they end, so this is where the directory itself ends.
    path: PathBuf,
    directory: Directory,
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

/// Reads a repository's directory.
///
/// # Errors
///
/// The directory itself cannot be read; then there is nothing else to say.
pub(super) fn read(directory: &Path, reading: &mut Reading) -> Result<(), Finding> {
    let failed = |error: io::Error| {
        let message = format!(
            "cannot read the policy directory {}: {error}",
            quoted(&directory.to_string_lossy())
        );
        Finding::new(Code::Unreadable, message)
            .with_help("name a directory that exists and that may be read")
    };
    let root = Root::open(directory).map_err(failed)?;
    let mut places = Vec::new();
    for name in root.directory.names().map_err(failed)? {
        match name.map_err(failed)?.to_str() {
            Some(name @ (PROFILES | UNITS)) => places.push(name.to_owned()),
            Some(name) => reading.file(name, |left| root.load(name, left)),
            // No place that is read has such a name.
            None => {}
        }
    }
    // Systems list names in any order, and what the last files may hold depends on the first.
    places.sort_unstable();
    for place in places {
        read_place(&root, &place, reading);
    }
    Ok(())
}

fn read_place(root: &Root, place: &str, reading: &mut Reading) {
    let names = match root.list(place, MOST_FILES) {
        Ok(names) => names,
        Err(finding) => return reading.add(place, || finding),
    };
    for name in names {
        match name.to_str() {
            Some(name) => {
                let path = format!("{place}/{name}");
                reading.file(&path, |left| root.load(&path, left));
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

impl Root {
    fn open(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        let directory = Directory::open(&path)?;
        Ok(Self { path, directory })
    }

    /// The names in a directory, at most `most`, sorted: systems list them in any order.
    fn list(&self, place: &str, most: usize) -> Result<Vec<OsString>, Finding> {
        let (parent, name) = self.find(place)?;
        if parent.kind(&name).map_err(|error| refused(&error))? != Kind::Directory {
            let message = format!("`{place}` is not a directory");
            return Err(Finding::new(Code::NotAFile, message)
                .with_help("put the documents into a directory of this name"));
        }
        let directory = parent.enter(&name).map_err(|error| refused(&error))?;
        let mut names = Vec::new();
        for name in directory.names().map_err(|error| unreadable(&error))? {
            if names.len() >= most {
                return Err(too_many_files());
            }
            names.push(name.map_err(|error| unreadable(&error))?);
        }
        names.sort_unstable();
        Ok(names)
    }

    /// The bytes of a file, at most `left` of them.
    fn load(&self, path: &str, left: usize) -> Result<Vec<u8>, Finding> {
        let (parent, name) = self.find(path)?;
        // Before opening: to open a device may act.
        require_file(parent.kind(&name).map_err(|error| refused(&error))?)?;
        let file = parent.open_file(&name).map_err(|error| refused(&error))?;
        // And after: it may have been replaced.
        let metadata = file.metadata().map_err(|error| unreadable(&error))?;
        require_file(metadata.file_type().into())?;
        let most = MOST_BYTES.min(left);
        let refusal = || {
            if most < MOST_BYTES {
                too_large_together()
            } else {
                too_large()
            }
        };
        let most = u64::try_from(most).map_err(|_| refusal())?;
        if metadata.len() > most {
            return Err(refusal());
        }
        let mut bytes = Vec::new();
        // It may grow while it is read.
        file.take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable(&error))?;
        if u64::try_from(bytes.len()).is_ok_and(|length| length <= most) {
            Ok(bytes)
        } else {
            Err(refusal())
        }
    }

    /// The directory in which a path ends, and the name there.
    fn find(&self, path: &str) -> Result<(Directory, OsString), Finding> {
        let end = self.resolve(path)?;
        let mut names = end.iter();
        let last = names.next_back().unwrap_or(OsStr::new("."));
        let mut directory = self
            .directory
            .enter(OsStr::new("."))
            .map_err(|error| refused(&error))?;
        for name in names {
            directory = directory.enter(name).map_err(|error| refused(&error))?;
        }
        Ok((directory, last.to_owned()))
    }

    /// Where a path ends, links followed, from the root: inside it.
    fn resolve(&self, path: &str) -> Result<PathBuf, Finding> {
        let path = self.path.join(path);
        let end = fs::canonicalize(&path).map_err(|error| {
            let link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
            match error.kind() {
                ErrorKind::NotFound if link => Finding::new(
                    Code::LinkBroken,
                    "a symbolic link to something that does not exist",
                )
                .with_help("remove it, or point it at a file of the repository"),
                ErrorKind::NotFound | ErrorKind::PermissionDenied => unreadable(&error),
                _ if link => Finding::new(
                    Code::LinkLoop,
                    "symbolic links that lead back to each other",
                )
                .with_help("point it at a file of the repository"),
                _ => unreadable(&error),
            }
        })?;
        let inside = end.strip_prefix(&self.path).map(Path::to_owned);
        inside.map_err(|_| {
            Finding::new(
                Code::LinkOutside,
                "a symbolic link that leaves the repository",
            )
            .with_help("copy the file into the repository")
        })
    }
}

fn require_file(found: Kind) -> Result<(), Finding> {
    let what = match found {
        Kind::File => return Ok(()),
        Kind::Directory => "a directory",
        Kind::Link => return Err(replaced()),
        Kind::Other => "a pipe, socket or device",
    };
    Err(
        Finding::new(Code::NotAFile, format!("{what} where a file belongs"))
            .with_help("put a regular file in its place"),
    )
}

/// Why a step on a way that was there a moment ago could not be taken.
fn refused(error: &io::Error) -> Finding {
    if directory::is_replaced(error) {
        replaced()
    } else {
        unreadable(error)
    }
}

fn replaced() -> Finding {
    Finding::new(
        Code::Unreadable,
        "it was replaced by something else while it was read",
    )
    .with_help("validate again when nothing writes to the repository")
}

fn unreadable(error: &io::Error) -> Finding {
    Finding::new(Code::Unreadable, format!("cannot be read: {error}"))
        .with_help("check that it exists and may be read")
}

#[cfg(test)]
mod tests {
    use super::{Code, Path, Root};

    #[test]
    fn a_directory_is_listed_up_to_the_bound() {
        let root = Root::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let entries = root.list("src", usize::MAX).unwrap();
        assert!(entries.is_sorted());
        assert_eq!(root.list("src", entries.len()).unwrap(), entries);
        let finding = root.list("src", entries.len() - 1).unwrap_err();
        assert_eq!(finding.code(), Code::TooManyFiles);
    }
}

//! Reading a directory that may hold anything: only regular files inside it are opened, and no more
//! is read than a policy may have.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::place::{PROFILES, UNITS};
use super::{MOST_FILES, Reading, too_large_together, too_many_files};
use crate::finding::{Code, Finding};
use crate::quote::quoted;
use crate::yaml::{MOST_BYTES, too_large};

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
    // Links are judged by where they end, so the root must be where it ends itself.
    let root = fs::canonicalize(directory).map_err(failed)?;
    let mut places = Vec::new();
    for entry in fs::read_dir(&root).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        match name.to_str() {
            Some(name @ (PROFILES | UNITS)) => places.push(name.to_owned()),
            Some(name) => reading.file(name, |left| load(&root, name, left)),
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

fn read_place(root: &Path, place: &str, reading: &mut Reading) {
    let names = match list(root, place, MOST_FILES) {
        Ok(names) => names,
        Err(finding) => return reading.add(place, || finding),
    };
    for name in names {
        match name.to_str() {
            Some(name) => {
                let path = format!("{place}/{name}");
                reading.file(&path, |left| load(root, &path, left));
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

/// The names in a directory, at most `most`, sorted: systems list them in any order.
fn list(root: &Path, place: &str, most: usize) -> Result<Vec<OsString>, Finding> {
    let path = resolve(root, place)?;
    if !fs::metadata(&path)
        .map_err(|error| unreadable(&error))?
        .is_dir()
    {
        let message = format!("`{place}` is not a directory");
        return Err(Finding::new(Code::NotAFile, message)
            .with_help("put the documents into a directory of this name"));
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(&path).map_err(|error| unreadable(&error))? {
        if names.len() >= most {
            return Err(too_many_files());
        }
        names.push(entry.map_err(|error| unreadable(&error))?.file_name());
    }
    names.sort_unstable();
    Ok(names)
}

/// The bytes of a file, at most `left` of them.
fn load(root: &Path, path: &str, left: usize) -> Result<Vec<u8>, Finding> {
    let path = resolve(root, path)?;
    // Before opening: to open a pipe waits for its other end, and to open a device may act.
    require_file(&fs::metadata(&path).map_err(|error| unreadable(&error))?)?;
    let file = File::open(&path).map_err(|error| unreadable(&error))?;
    // And after: it may have been replaced.
    let metadata = file.metadata().map_err(|error| unreadable(&error))?;
    require_file(&metadata)?;
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

/// Where a path ends, links followed: inside the root.
fn resolve(root: &Path, path: &str) -> Result<PathBuf, Finding> {
    let path = root.join(path);
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
    if end.starts_with(root) {
        Ok(end)
    } else {
        Err(Finding::new(
            Code::LinkOutside,
            "a symbolic link that leaves the repository",
        )
        .with_help("copy the file into the repository"))
    }
}

fn require_file(metadata: &fs::Metadata) -> Result<(), Finding> {
    if metadata.is_file() {
        return Ok(());
    }
    let what = if metadata.is_dir() {
        "a directory"
    } else {
        "a pipe, socket or device"
    };
    Err(
        Finding::new(Code::NotAFile, format!("{what} where a file belongs"))
            .with_help("put a regular file in its place"),
    )
}

fn unreadable(error: &io::Error) -> Finding {
    Finding::new(Code::Unreadable, format!("cannot be read: {error}"))
        .with_help("check that it exists and may be read")
}

#[cfg(test)]
mod tests {
    use super::list;
    use crate::finding::Code;

    #[test]
    fn a_directory_is_listed_up_to_the_bound() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .canonicalize()
            .unwrap();
        let entries = list(&root, "src", usize::MAX).unwrap();
        assert!(entries.is_sorted());
        assert_eq!(list(&root, "src", entries.len()).unwrap(), entries);
        let finding = list(&root, "src", entries.len() - 1).unwrap_err();
        assert_eq!(finding.code(), Code::TooManyFiles);
    }
}

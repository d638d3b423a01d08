//! By names, where the system has no directory handles in the standard library.
//!
//! Weaker than handles: between two looks a directory on the way may be replaced. Every link on the
//! way is refused, and the file is compared with itself before and after reading, so that a swap must
//! win a race to be missed. Ownership is not judged: on Windows it is in access lists.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::super::obstacle::Obstacle;
use super::super::parse::MOST_BYTES;
use super::listing::{Budget, Content, MOST_DEPTH, Wanted, names};

/// The root of a device, or a directory that stands for it.
#[derive(Debug)]
pub(in super::super) struct Root {
    path: PathBuf,
}

impl Root {
    /// Opens the directory itself; it is the caller's word, so links to it are followed.
    pub(in super::super) fn open(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        if !fs::metadata(&path)?.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        Ok(Self { path })
    }

    /// The content of a regular file; `None` where there is nothing of that name.
    pub(in super::super) fn read(&self, path: &Path) -> Result<Option<Content>, Obstacle> {
        let Some((path, looked)) = self.find(path)? else {
            return Ok(None);
        };
        if looked.is_symlink() {
            return Err(Obstacle::Link);
        }
        if !looked.is_file() {
            return Err(Obstacle::NotAFile);
        }
        let most = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX);
        if looked.len() > most {
            return Err(Obstacle::TooLarge);
        }
        let file = File::open(&path).map_err(|_| Obstacle::Unreadable)?;
        let opened = file.metadata().map_err(|_| Obstacle::Unreadable)?;
        if !opened.is_file() || written(&opened) != written(&looked) {
            return Err(Obstacle::Replaced);
        }
        let mut bytes = Vec::new();
        (&file)
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|_| Obstacle::Unreadable)?;
        if bytes.len() > MOST_BYTES {
            return Err(Obstacle::TooLarge);
        }
        let now = fs::symlink_metadata(&path).map_err(|_| Obstacle::Replaced)?;
        if now.is_symlink() || written(&now) != written(&looked) {
            return Err(Obstacle::Changed);
        }
        Ok(Some(Content {
            bytes,
            is_guarded: true,
        }))
    }

    /// Whether there is anything of that name, a link that leads nowhere included.
    pub(in super::super) fn exists(&self, path: &Path) -> Result<bool, Obstacle> {
        Ok(self.find(path)?.is_some())
    }

    /// Whether the entry of that name is itself a link.
    pub(in super::super) fn is_link(&self, path: &Path) -> Result<bool, Obstacle> {
        let found = self.find(path)?;
        Ok(found.is_some_and(|(_, metadata)| metadata.is_symlink()))
    }

    /// Whether there is a directory of that name.
    pub(in super::super) fn is_directory(&self, path: &Path) -> Result<bool, Obstacle> {
        Ok(self
            .find(path)?
            .is_some_and(|(_, metadata)| metadata.is_dir()))
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
            let Some((full, metadata)) = self.find(&directory)? else {
                continue;
            };
            if !metadata.is_dir() {
                return Err(Obstacle::Path);
            }
            for entry in fs::read_dir(full).map_err(|_| Obstacle::Unreadable)? {
                let entry = entry.map_err(|_| Obstacle::Unreadable)?;
                budget.spend()?;
                let path = directory.join(entry.file_name());
                let kind = entry.file_type();
                let is_link = kind.as_ref().is_ok_and(fs::FileType::is_symlink);
                if wanted.deep && wanted.refuses_links && is_link {
                    return Err(Obstacle::Link);
                }
                let is_directory = kind.is_ok_and(|kind| kind.is_dir());
                if wanted.deep && is_directory {
                    if depth >= MOST_DEPTH {
                        return Err(Obstacle::TooMany);
                    }
                    pending.push((path, depth.saturating_add(1)));
                } else if wanted.takes(&entry.file_name().to_string_lossy()) {
                    paths.push(path);
                }
            }
        }
        paths.sort_unstable();
        Ok(paths)
    }

    /// The place of a path and what is there, with no link on the way.
    fn find(&self, path: &Path) -> Result<Option<(PathBuf, Metadata)>, Obstacle> {
        let mut full = self.path.clone();
        let mut last = None;
        for name in names(path) {
            if name == ".."
                || last
                    .as_ref()
                    .is_some_and(|metadata: &Metadata| !metadata.is_dir())
            {
                return Err(Obstacle::Path);
            }
            full.push(name);
            match fs::symlink_metadata(&full) {
                Ok(metadata) => last = Some(metadata),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(_) => return Err(Obstacle::Unreadable),
            }
        }
        Ok(last.map(|metadata| (full, metadata)))
    }
}

fn written(metadata: &Metadata) -> impl PartialEq + use<> {
    (metadata.len(), metadata.modified().ok())
}

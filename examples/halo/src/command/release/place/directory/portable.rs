//! By names, where the standard library opens no directories.
//!
//! Weaker than handles: between two looks a name may be given to something else, directories have no mode
//! and are not brought to the disk, and two names are not exchanged at once.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::Kind;

/// A directory.
pub(crate) struct Directory(PathBuf);

/// Nothing tells one from another here.
pub(crate) type Identity = ();

impl Directory {
    /// The directory of a path.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            Ok(Self(path.to_owned()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// The directory of a name, unless a link leads there.
    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        match self.kind(name)? {
            Some(Kind::Directory) => Ok(Self(self.0.join(name))),
            Some(_) => Err(io::ErrorKind::NotADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Makes a directory.
    pub(crate) fn make(&self, name: &OsStr) -> io::Result<Self> {
        fs::create_dir(self.0.join(name))?;
        self.enter(name)
    }

    /// What a name stands for, links not followed.
    pub(crate) fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
        let found = match fs::symlink_metadata(self.0.join(name)) {
            Ok(found) => found.file_type(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(if found.is_file() {
            Kind::File
        } else if found.is_dir() {
            Kind::Directory
        } else if found.is_symlink() {
            Kind::Link
        } else {
            Kind::Other
        }))
    }

    pub(crate) fn identity(&self) -> io::Result<Identity> {
        fs::symlink_metadata(&self.0).map(|_| ())
    }

    pub(crate) fn identity_of(&self, name: &OsStr) -> io::Result<Option<Identity>> {
        Ok(self.kind(name)?.map(|_| ()))
    }

    pub(crate) fn identity_of_file(_: &File) -> io::Result<Identity> {
        Ok(())
    }

    /// Makes a file.
    pub(crate) fn create(&self, name: &OsStr) -> io::Result<File> {
        File::create_new(self.0.join(name))
    }

    /// Opens what a name stands for, which was a regular file a moment ago.
    pub(crate) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        File::open(self.0.join(name))
    }

    /// Opens a file, or makes it.
    pub(crate) fn open_or_create(&self, name: &OsStr) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        options.open(self.0.join(name))
    }

    /// The names in the directory.
    pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
        fs::read_dir(&self.0)?
            .map(|entry| entry.map(|entry| entry.file_name()))
            .collect()
    }

    pub(crate) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        gone(fs::remove_file(self.0.join(name)))
    }

    /// Removes an empty directory.
    pub(crate) fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        gone(fs::remove_dir(self.0.join(name)))
    }

    /// Gives a directory another name, also that of an empty one.
    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        if self.kind(to)? == Some(Kind::Directory) {
            self.remove_directory(to)?;
        }
        fs::rename(self.0.join(from), self.0.join(to))
    }

    pub(crate) fn exchange(&self, _: &OsStr, _: &OsStr) -> io::Result<bool> {
        Ok(false)
    }

    pub(crate) fn set_mode(&self, _: u32) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn set_mode_of_file(_: &File, _: u32) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

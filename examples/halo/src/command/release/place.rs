//! The directory of a release, and nothing outside it.

use std::io::{self, Write as _};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

/// What a build writes into the directory.
const OURS: [&str; 4] = ["linux", "macos", "windows", "manifest.json"];

pub(super) type Done = Result<(), Failure>;

/// Why nothing, or not all, was written.
pub(super) struct Failure {
    pub(super) problem: String,
    pub(super) help: &'static str,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self {
            problem: error.to_string(),
            help: "",
        }
    }
}

/// The directory, held open: a link in it, or one that is put there meanwhile, leads nowhere else.
pub(super) struct Place {
    directory: Dir,
}

impl Place {
    /// Makes the directory, or takes an empty one; with `force`, one from which an earlier build
    /// is removed first.
    pub(super) fn open(path: &Path, force: bool) -> Result<Self, Failure> {
        std::fs::create_dir_all(path)?;
        let directory = Dir::open_ambient_dir(path, ambient_authority())?;
        if force {
            for name in OURS {
                remove(&directory, name)?;
            }
        } else if directory.entries()?.next().is_some() {
            return Err(Failure {
                problem: "the directory is not empty".to_owned(),
                help: "name a new one, or replace an earlier build with `--force`",
            });
        }
        Ok(Self { directory })
    }

    /// Writes a file that is not there yet.
    pub(super) fn write(&self, path: &str, bytes: &[u8], mode: u32) -> Done {
        if let Some((parent, _)) = path.rsplit_once('/') {
            self.directory.create_dir_all(parent)?;
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut file = self.directory.open_with(path, &options)?;
        file.write_all(bytes)?;
        set_mode(&file, mode)?;
        Ok(())
    }
}

/// Removes a file, a link but not what it leads to, or a directory with all in it.
fn remove(directory: &Dir, name: &str) -> io::Result<()> {
    match directory.symlink_metadata(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if found.is_dir() => directory.remove_dir_all(name),
        Ok(_) => directory.remove_file(name),
    }
}

/// The bits themselves, whatever the process's mask.
#[cfg(unix)]
fn set_mode(file: &cap_std::fs::File, mode: u32) -> io::Result<()> {
    use cap_std::fs::{Permissions, PermissionsExt as _};

    file.set_permissions(Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &cap_std::fs::File, _: u32) -> io::Result<()> {
    Ok(())
}

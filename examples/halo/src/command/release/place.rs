//! The directory of a release, and nothing outside it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Says that a build is whole.
pub(super) const MANIFEST: &str = "manifest.json";

/// What a build writes into the directory.
const OURS: [&str; 4] = ["linux", "macos", "windows", MANIFEST];

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

/// The directory. What stands in it is never followed: each directory and each file of a build is
/// made by that build, and one that is there already, a link above all, is an error.
pub(super) struct Place {
    root: PathBuf,
    made: Vec<PathBuf>,
}

impl Place {
    /// Makes the directory, or takes an empty one; with `force`, one from which an earlier build
    /// is removed first. Many a source tree has a directory `linux`, so what no manifest calls a build
    /// is never removed.
    pub(super) fn open(path: &Path, force: bool) -> Result<Self, Failure> {
        fs::create_dir_all(path)?;
        if force {
            let mut found = OURS.iter().filter(|name| {
                // What cannot be looked at is there.
                !matches!(fs::symlink_metadata(path.join(name)), Err(error) if error.kind() == io::ErrorKind::NotFound)
            });
            if let Some(name) = found.next()
                && !holds_a_build(path)?
            {
                return Err(Failure {
                    problem: format!(
                        "`{name}` stands there, and no manifest says that a build wrote it"
                    ),
                    help: "name a new directory: `--force` replaces only a whole build",
                });
            }
            for name in OURS {
                remove(&path.join(name))?;
            }
        } else if fs::read_dir(path)?.next().is_some() {
            return Err(Failure {
                problem: "the directory is not empty".to_owned(),
                help: "name a new one, or replace an earlier build with `--force`",
            });
        }
        Ok(Self {
            root: path.to_owned(),
            made: Vec::new(),
        })
    }

    /// Writes a file that is not there yet, at a path with `/`.
    pub(super) fn write(&mut self, path: &str, bytes: &[u8], mode: u32) -> Done {
        let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut parent = self.root.clone();
        for directory in directories.split_terminator('/') {
            parent.push(directory);
            if !self.made.contains(&parent) {
                fs::create_dir(&parent)?;
                self.made.push(parent.clone());
            }
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut file = options.open(parent.join(name))?;
        file.write_all(bytes)?;
        set_mode(&file, mode)?;
        Ok(())
    }
}

/// Whether the directory has the manifest of a build.
fn holds_a_build(root: &Path) -> io::Result<bool> {
    let path = root.join(MANIFEST);
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    }
    let manifest: Result<Value, _> = serde_json::from_reader(BufReader::new(File::open(path)?));
    let keys = ["ring", "profile", "policy", "files", "ledger"];
    Ok(manifest.is_ok_and(|manifest| keys.iter().all(|key| manifest.get(key).is_some())))
}

/// Removes a file, a link but not what it leads to, or a directory with all in it.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}

/// The bits themselves, whatever the process's mask.
#[cfg(unix)]
fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}

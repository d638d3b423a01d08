//! The directory of a release, and nothing outside it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Says that a build is whole.
const MANIFEST: &str = "manifest.json";

/// Says that a build began and has not ended; its end gives it the manifest's name.
const UNFINISHED: &str = ".halo-release-unfinished";

/// What a build writes into the directory, the manifest last. It is the first to be removed.
const OURS: [&str; 4] = ["linux", "macos", "windows", MANIFEST];

/// No manifest is longer.
const MOST_MANIFEST_BYTES: u64 = 256 * 1024 * 1024;

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
    unfinished: File,
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
            let ours = || Ok::<_, io::Error>(was_cut_short(path)? || holds_a_build(path)?);
            if let Some(name) = found.next()
                && !ours()?
            {
                return Err(Failure {
                    problem: format!(
                        "`{name}` stands there, and no manifest says that a build wrote it"
                    ),
                    help: "name a new directory: `--force` replaces only what a build wrote",
                });
            }
        } else if fs::read_dir(path)?.next().is_some() {
            return Err(Failure {
                problem: "the directory is not empty".to_owned(),
                help: "name a new one, or replace an earlier build with `--force`",
            });
        }
        let mark = path.join(UNFINISHED);
        remove(&mark)?;
        let unfinished = File::create_new(mark)?;
        if force {
            for name in OURS.iter().rev() {
                remove(&path.join(name))?;
            }
        }
        Ok(Self {
            root: path.to_owned(),
            made: Vec::new(),
            unfinished,
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

    /// Writes the manifest, whole or not at all. Whoever sees it sees a build that has ended.
    pub(super) fn finish(mut self, manifest: &[u8]) -> Done {
        self.unfinished.write_all(manifest)?;
        set_mode(&self.unfinished, 0o644)?;
        fs::rename(self.root.join(UNFINISHED), self.root.join(MANIFEST))?;
        Ok(())
    }
}

/// Whether a build began in the directory and did not end.
fn was_cut_short(root: &Path) -> io::Result<bool> {
    is_file(&root.join(UNFINISHED))
}

fn is_file(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(found.is_file()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether the directory has the manifest of a build.
fn holds_a_build(root: &Path) -> io::Result<bool> {
    let path = root.join(MANIFEST);
    if !is_file(&path)? {
        return Ok(false);
    }
    let file = File::open(path)?.take(MOST_MANIFEST_BYTES);
    let manifest: Result<Value, _> = serde_json::from_reader(BufReader::new(file));
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

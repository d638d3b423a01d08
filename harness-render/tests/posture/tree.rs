//! Devices as directory trees.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use harness_render::{Device, Expected, HarnessPosture, Os};

/// A path and what stands in it: `~/` is the user's home, `/` the root, `$NAME` a variable, anything
/// else lies in the project.
pub(crate) type Entry<'a> = (&'a str, &'a str);

/// A directory that is removed when it is done with.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    variables: Vec<(OsString, OsString)>,
}

impl Tree {
    pub(crate) fn empty() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("posture-{}-{count}", std::process::id());
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&root);
        for directory in ["home/u", "work/project"] {
            make_directory(&root.join(directory));
        }
        Self {
            root,
            variables: Vec::new(),
        }
    }

    pub(crate) fn of(entries: &[Entry<'_>]) -> Self {
        let mut tree = Self::empty();
        for (path, text) in entries {
            tree.put(path, text.as_bytes());
        }
        tree
    }

    pub(crate) fn put(&mut self, path: &str, bytes: &[u8]) {
        if let Some(name) = path.strip_prefix('$') {
            let value = String::from_utf8(bytes.to_owned()).unwrap();
            self.variables.push((name.into(), value.into()));
            return;
        }
        let path = self.path(path);
        make_directory(path.parent().unwrap());
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        match path.strip_prefix("~/") {
            Some(rest) => self.root.join("home/u").join(rest),
            None if path.starts_with('/') => self.root.join(path.trim_start_matches('/')),
            None => self.root.join("work/project").join(path),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn device(&self, os: Os) -> Device {
        Device::open(&self.root, os, Path::new("/home/u"))
            .unwrap()
            .with_variables(self.variables.iter().cloned())
            .with_project(Path::new("/work/project"))
            .unwrap()
    }

    pub(crate) fn examine(&self, os: Os) -> Vec<HarnessPosture> {
        self.device(os).examine(&[])
    }

    pub(crate) fn examine_against(&self, os: Os, expected: &[Expected]) -> Vec<HarnessPosture> {
        self.device(os).examine(expected)
    }

    /// The codes of what was found, unknown included, sorted.
    pub(crate) fn codes(&self, os: Os) -> Vec<&'static str> {
        codes(&self.examine(os))
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

pub(crate) fn codes(postures: &[HarnessPosture]) -> Vec<&'static str> {
    let mut codes: Vec<&'static str> = postures
        .iter()
        .flat_map(|posture| {
            let findings = posture
                .findings()
                .iter()
                .map(|finding| finding.check().code());
            let unknown = posture
                .unknown()
                .iter()
                .map(|unknown| unknown.obstacle().code());
            findings.chain(unknown)
        })
        .collect();
    codes.sort_unstable();
    codes
}

/// Like `create_dir_all`, with modes that do not depend on the umask.
pub(crate) fn make_directory(path: &Path) {
    fs::create_dir_all(path).unwrap();
    let mut path = path;
    let top = Path::new(env!("CARGO_TARGET_TMPDIR"));
    while path != top {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        path = path.parent().unwrap();
    }
}

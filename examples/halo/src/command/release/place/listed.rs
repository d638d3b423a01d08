//! What the manifest of a build lists, and the removal of that alone.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::path::{Component, Path};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::MANIFEST;
use super::directory::{Directory, Kind};

/// No manifest is longer.
const MOST_MANIFEST_BYTES: u64 = 64 * 1024 * 1024;

/// No file system has longer names.
const MOST_NAME_BYTES: usize = 255;

/// No path of a build has more parts.
const MOST_PARTS: usize = 64;

/// What of a manifest says that it is one, and what it lists.
#[derive(Deserialize)]
struct Manifest {
    #[serde(rename = "ring")]
    _ring: IgnoredAny,
    #[serde(rename = "profile")]
    _profile: IgnoredAny,
    #[serde(rename = "policy")]
    _policy: IgnoredAny,
    #[serde(rename = "harnesses")]
    _harnesses: IgnoredAny,
    files: Vec<Entry>,
    #[serde(default)]
    directories: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    os: String,
    path: String,
}

/// Names, and below those of directories more of them.
#[derive(Default)]
pub(super) struct Listed(BTreeMap<OsString, Node>);

enum Node {
    File,
    Directory(Listed),
}

impl Listed {
    /// What a build has before it has any file of its own.
    pub(super) fn manifest() -> Self {
        Self(BTreeMap::from([(MANIFEST.into(), Node::File)]))
    }

    /// Adds a file and the directories above it. A path that leaves the directory, or that is both a file
    /// and a directory, is not added.
    pub(super) fn add_file(&mut self, path: &str) -> bool {
        match path.rsplit_once('/') {
            Some((above, name)) => {
                let above = self.directory(above);
                above.is_some_and(|above| above.insert(name, Node::File))
            }
            None => self.insert(path, Node::File),
        }
    }

    fn directory(&mut self, path: &str) -> Option<&mut Self> {
        if path.split('/').count() > MOST_PARTS || !path.split('/').all(is_name) {
            return None;
        }
        let mut listed = self;
        for part in path.split('/') {
            let empty = || Node::Directory(Self::default());
            match listed.0.entry(part.into()).or_insert_with(empty) {
                Node::Directory(below) => listed = below,
                Node::File => return None,
            }
        }
        Some(listed)
    }

    fn insert(&mut self, name: &str, node: Node) -> bool {
        is_name(name) && !matches!(self.0.insert(name.into(), node), Some(Node::Directory(_)))
    }

    /// What the manifest in the directory lists; nothing where there is none, or none of a build.
    pub(super) fn read(directory: &Directory) -> io::Result<Option<Self>> {
        let name = OsStr::new(MANIFEST);
        if directory.kind(name)? != Some(Kind::File) {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let file = directory.open_file(name)?;
        file.take(MOST_MANIFEST_BYTES).read_to_end(&mut bytes)?;
        let Ok(manifest) = serde_json::from_slice::<Manifest>(&bytes) else {
            return Ok(None);
        };
        let mut listed = Self::manifest();
        let added = manifest
            .files
            .iter()
            .all(|entry| listed.add_file(&format!("{}/{}", entry.os, entry.path)))
            && manifest.directories.iter().all(|entry| {
                listed
                    .directory(&format!("{}/{}", entry.os, entry.path))
                    .is_some()
            });
        Ok(added.then_some(listed))
    }

    /// The first thing in the directory that is not listed, or that is something else than it is listed as.
    pub(super) fn stranger(&self, directory: &Directory) -> io::Result<Option<String>> {
        let mut names = directory.names()?;
        names.sort_unstable();
        for name in names {
            let found = directory.kind(&name)?;
            let below = match (self.0.get(&name), found) {
                (Some(Node::File), Some(Kind::File)) | (_, None) => None,
                (Some(Node::Directory(listed)), Some(Kind::Directory)) => {
                    listed.stranger(&directory.enter(&name)?)?
                }
                _ => Some(String::new()),
            };
            if let Some(below) = below {
                let name = name.to_string_lossy();
                return Ok(Some(match below.is_empty() {
                    true => name.into_owned(),
                    false => format!("{name}/{below}"),
                }));
            }
        }
        Ok(None)
    }

    /// Whether everything that is listed stands there.
    pub(super) fn is_whole(&self, directory: &Directory) -> io::Result<bool> {
        for (name, node) in &self.0 {
            let is_there = match (node, directory.kind(name)?) {
                (Node::File, Some(Kind::File)) => true,
                (Node::Directory(listed), Some(Kind::Directory)) => {
                    listed.is_whole(&directory.enter(name)?)?
                }
                _ => false,
            };
            if !is_there {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes what is listed and stands there, the manifest last, and nothing else.
    pub(super) fn remove_from(&self, directory: &Directory) -> io::Result<()> {
        let mut names = directory.names()?;
        names.sort_by_key(|name| name == MANIFEST);
        for name in &names {
            match (self.0.get(name), directory.kind(name)?) {
                (Some(Node::File), Some(Kind::File)) => directory.remove_file(name)?,
                (Some(Node::Directory(listed)), Some(Kind::Directory)) => {
                    listed.remove_from(&directory.enter(name)?)?;
                    directory.remove_directory(name)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether a text can be the name of one thing in a directory, on this system.
fn is_name(text: &str) -> bool {
    let mut parts = Path::new(text).components();
    text.len() <= MOST_NAME_BYTES
        && !text.contains('\0')
        && matches!(
            (parts.next(), parts.next()),
            (Some(Component::Normal(part)), None) if part == text
        )
}

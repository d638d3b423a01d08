//! Paths to ask about.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use super::{PathAnchor, PathError, anchored, check_names, fold, glob};

/// A file or a directory an agent may touch, as one of the spellings a policy may use for it.
///
/// Names are taken as they are, with `*` or `$` as themselves, since this is a path and not a
/// rule. `/`, `~` and `.` are the anchors themselves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath {
    anchor: PathAnchor,
    names: Box<str>,
}

impl FilePath {
    /// Reads a path: absolute, `~`, `~/…`, or relative to the workspace, which is `.`; `./x` is
    /// the relative `x`, whatever its first character.
    ///
    /// # Errors
    ///
    /// [`PathError`] for an empty path, NUL, `.` and `..` among the names, `//`, and a slash at
    /// the end: whoever has such a path resolves it on the device first.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        if text.is_empty() {
            return Err(PathError::Empty);
        }
        if text.contains('\0') {
            return Err(PathError::ControlCharacter);
        }
        let (anchor, names) = match text.strip_prefix("./") {
            Some(names) => (PathAnchor::Workspace, names),
            None if text == "." => (PathAnchor::Workspace, ""),
            None => anchored(text),
        };
        if !matches!(text, "/" | "~" | ".") {
            check_names(names)?;
        }
        Ok(Self::from_names(anchor, names))
    }

    /// Where the path starts.
    #[must_use]
    pub fn anchor(&self) -> PathAnchor {
        self.anchor
    }

    pub(crate) fn from_names(anchor: PathAnchor, names: &str) -> Self {
        Self {
            anchor,
            names: names.into(),
        }
    }

    pub(crate) fn key(&self) -> String {
        fold::key(self.anchor, &self.names)
    }

    /// The path without its anchor; empty for the anchor itself.
    pub(super) fn below_anchor(&self) -> &str {
        &self.names
    }

    pub(crate) fn names(&self) -> glob::Names<'_> {
        self.names.split_terminator('/')
    }

    /// This relative path, from a directory.
    pub(crate) fn at_directory(&self, directory: &Self) -> Self {
        let mut names = String::from(&*directory.names);
        if !names.is_empty() && !self.names.is_empty() {
            names.push('/');
        }
        names.push_str(&self.names);
        Self::from_names(directory.anchor, &names)
    }

    /// What follows `directory` in this path, from another anchor.
    pub(crate) fn below(&self, directory: &Self, anchor: PathAnchor) -> Option<Self> {
        let (key, above) = (self.key(), directory.key());
        let names = key.strip_prefix(above.as_str())?;
        Some(Self::from_names(
            anchor,
            names.strip_suffix('/').unwrap_or(names),
        ))
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.anchor, &*self.names) {
            (PathAnchor::Absolute, names) => write!(f, "/{names}"),
            (PathAnchor::Home, "") => f.write_str("~"),
            (PathAnchor::Home, names) => write!(f, "~/{names}"),
            (PathAnchor::Workspace, "") => f.write_str("."),
            (PathAnchor::Workspace, names) if names.starts_with('~') => write!(f, "./{names}"),
            (PathAnchor::Workspace, names) => f.write_str(names),
        }
    }
}

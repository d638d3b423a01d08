//! Directories the agent may write besides its workspace.

use alloc::boxed::Box;
use alloc::string::String;

use super::{
    FilePath, PathAnchor, PathError, anchored, check_characters, check_name_ends, check_names,
};
use super::{fold, reserved, suggest};

/// A directory that the agent's shell may write besides the workspace.
///
/// Absolute or `~/…`, in one spelling, and no place that would amount to writing everything:
/// `/`, a home, a system directory, or a directory over or under one from which a harness reads
/// its settings, or a system, a login or a shell runs what it finds (`~/.bashrc`, `~/.local/bin`).
/// These refusals ignore letter case, and `/Users/x`, `/home/x`, `/root` and `/var/root` count as
/// `~`.
///
/// Decisions where the documents leave a choice, each the stricter one:
///
/// - `/lib*` is every name in `/` that starts with `lib`, whatever its case, except `/Library`,
///   which is a directory of its own kind;
/// - `/var`, `/Library` and the like are refused themselves, `/var/cache/build` is not; and what
///   macOS shows as `/private/var` or `/private/etc` counts as `/var` or `/etc`;
/// - `/Volumes/Macintosh HD`, where macOS shows the start disk a second time, counts as `/`, and
///   `/mnt/c/Users/x` as `~`;
/// - `{` and `}` count as a glob, since shells and some harnesses expand them;
/// - a name with another Unicode spelling (decomposed, full-width, ligature) or an invisible
///   character is refused rather than folded.
///
/// ```
/// use policy_core::WritableRoot;
///
/// let root = WritableRoot::parse("/opt/build-cache")?;
/// assert_eq!(root.as_str(), "/opt/build-cache");
/// assert!(WritableRoot::parse("/Users/alice").is_err());
/// assert!(WritableRoot::parse("~/.Codex/cache").is_err());
/// # Ok::<(), policy_core::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WritableRoot(Box<str>);

impl WritableRoot {
    /// Reads a writable root.
    ///
    /// # Errors
    ///
    /// The first reason to refuse it: its characters, then its form, then its place.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        check_characters(text)?;
        if text.contains(['*', '?', '[', ']', '{', '}']) {
            return Err(PathError::GlobRoot);
        }
        if text.contains(['!', '(', ')']) {
            return Err(PathError::Character);
        }
        let (anchor, names) = anchored(text);
        match (anchor, names) {
            (PathAnchor::Workspace, _) => return Err(PathError::RelativeRoot),
            (PathAnchor::Absolute, "") => return Err(PathError::FilesystemRoot),
            (PathAnchor::Home, "") => return Err(PathError::HomeRoot),
            _ => {}
        }
        check_names(names)?;
        check_name_ends(names)?;
        reserved::refuse_root(anchor, names)?;
        Ok(Self(text.into()))
    }

    /// The accepted spelling nearest to a refused one, where the form alone is at fault.
    ///
    /// ```
    /// use policy_core::WritableRoot;
    ///
    /// assert_eq!(WritableRoot::suggestion("$HOME//cache/").as_deref(), Some("~/cache"));
    /// assert_eq!(WritableRoot::suggestion("/etc/"), None);
    /// ```
    #[must_use]
    pub fn suggestion(input: &str) -> Option<String> {
        suggest(input, |text| Self::parse(text).is_ok())
    }

    /// The root as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where the root starts: never in the workspace.
    #[must_use]
    pub fn anchor(&self) -> PathAnchor {
        anchored(&self.0).0
    }

    /// Whether a path is this root or lies below it, by spelling.
    #[must_use]
    pub fn contains(&self, path: &FilePath) -> bool {
        let (anchor, names) = anchored(&self.0);
        anchor == path.anchor() && fold::strip_place(path.below_anchor(), names).is_some()
    }

    /// The root itself, as a path to ask about.
    pub(crate) fn to_file_path(&self) -> FilePath {
        let (anchor, names) = anchored(&self.0);
        FilePath::from_names(anchor, names)
    }

    pub(crate) fn key(&self) -> String {
        let (anchor, names) = anchored(&self.0);
        fold::key(anchor, names)
    }

    pub(crate) fn folded_key(&self) -> String {
        let (anchor, names) = anchored(&self.0);
        fold::folded_key(anchor, names)
    }
}

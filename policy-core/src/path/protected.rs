//! Paths the agent may neither read nor write.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::{FilePath, PathAnchor, PathError, Steps, anchored, check_characters, check_name_ends};
use super::{check_names, fold, glob, suggest};

/// What the agent's shell may neither read nor write, with all below it.
///
/// Absolute, `~/…`, or in the workspace: a relative path without `/` is matched at any depth of
/// the workspace, one with `/` from its root. In a name `*` is any characters, also none and also
/// a leading dot, `?` one, `[a-z]` one of a class; none of them crosses `/`. `**` as a whole name
/// is any number of names, also none, so that `~/.ssh/**` is `~/.ssh`.
///
/// Refused besides the spellings refused for writable roots: `/`, `~` and the whole workspace, also
/// by names that every name fits (`/*`, `~/**`, `*/*`, `?*`); `/**/…`; and globs the harnesses read
/// differently (`[!a]`, `[^a]`, `{a,b}`, `a**`).
///
/// ```
/// use policy_core::{FilePath, ProtectedPath};
///
/// let env = ProtectedPath::parse(".env*")?;
/// assert!(env.matches(&FilePath::parse("app/.env.local")?));
/// assert!(!env.matches(&FilePath::parse("app/env")?));
/// # Ok::<(), policy_core::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProtectedPath(Box<str>);

impl ProtectedPath {
    /// Reads a protected path.
    ///
    /// # Errors
    ///
    /// The first reason to refuse it: its characters, then its form, then its globs.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        check_characters(text)?;
        if text.contains(['!', '(', ')', '{', '}']) {
            return Err(PathError::Character);
        }
        let (anchor, names) = anchored(text);
        match (anchor, names) {
            (PathAnchor::Absolute, "") => return Err(PathError::ProtectsFilesystem),
            (PathAnchor::Home, "") => return Err(PathError::ProtectsHome),
            _ => {}
        }
        check_names(names)?;
        check_name_ends(names)?;
        let mut before = "";
        for name in names.split('/') {
            glob::check(name)?;
            if before == glob::ANY_NAMES && name == glob::ANY_NAMES {
                return Err(PathError::MalformedGlob);
            }
            before = name;
        }
        let protects_all = names.split('/').all(glob::fits_every_name);
        match anchor {
            PathAnchor::Absolute if names.starts_with("**/") => Err(PathError::GlobFromRoot),
            PathAnchor::Absolute if protects_all => Err(PathError::ProtectsFilesystem),
            PathAnchor::Home if protects_all => Err(PathError::ProtectsHome),
            PathAnchor::Workspace if protects_all => Err(PathError::ProtectsWorkspace),
            _ => Ok(Self(text.into())),
        }
    }

    /// The accepted spelling nearest to a refused one, where the form alone is at fault.
    ///
    /// ```
    /// use policy_core::ProtectedPath;
    ///
    /// assert_eq!(ProtectedPath::suggestion("~/.ssh/").as_deref(), Some("~/.ssh"));
    /// assert_eq!(ProtectedPath::suggestion("./.env").as_deref(), Some(".env"));
    /// ```
    #[must_use]
    pub fn suggestion(input: &str) -> Option<String> {
        suggest(input, |text| Self::parse(text).is_ok())
    }

    /// The path as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where the path starts.
    #[must_use]
    pub fn anchor(&self) -> PathAnchor {
        anchored(&self.0).0
    }

    /// Whether the path has a `*`, a `?` or a `[…]`.
    #[must_use]
    pub fn is_glob(&self) -> bool {
        glob::is_glob(&self.0)
    }

    /// Whether the path is matched at any depth of the workspace, as `.env` is.
    #[must_use]
    pub fn is_at_any_depth(&self) -> bool {
        self.anchor() == PathAnchor::Workspace && !self.0.contains('/')
    }

    /// Whether a path is one of those meant, or lies below one, by spelling.
    ///
    /// The work is at most the product of the two lengths.
    #[must_use]
    pub fn matches(&self, path: &FilePath) -> bool {
        // The steps cannot run out, and if they did the path would be protected.
        self.matches_within(path, &mut Steps::new(usize::MAX))
            .unwrap_or(true)
    }

    /// As [`matches`](Self::matches); `None` if the steps run out first.
    pub(crate) fn matches_within(&self, path: &FilePath, steps: &mut Steps) -> Option<bool> {
        if self.anchor() != path.anchor() {
            return Some(false);
        }
        glob::covers(self.pattern(), path.names(), steps)
    }

    /// The names to match, from the anchor: with `**` before a name meant at any depth, and
    /// without the `**` after a directory, which is protected with all below it anyway.
    fn pattern(&self) -> glob::Pattern<'_> {
        let (_, names) = anchored(&self.0);
        let names = names.strip_suffix("/**").unwrap_or(names);
        let any = self.is_at_any_depth().then_some(glob::ANY_NAMES);
        any.into_iter().chain(names.split_terminator('/'))
    }

    /// One string for all spellings that mean the same by construction: `.env` and `**/.env`,
    /// `~/.ssh` and `~/.ssh/**`.
    pub(crate) fn meaning(&self) -> String {
        let mut meaning = String::from(self.anchor().prefix());
        for name in self.pattern() {
            meaning.push_str(name);
            meaning.push('/');
        }
        meaning
    }

    /// The path up to its first glob, and whether that is all of it.
    pub(crate) fn literal_prefix(&self) -> (FilePath, bool) {
        self.literals(self.pattern())
    }

    /// The same for what follows a leading `**`; `None` if there is none.
    pub(crate) fn literal_prefix_after_any(&self) -> Option<FilePath> {
        let mut pattern = self.pattern();
        let any = pattern.next() == Some(glob::ANY_NAMES);
        any.then(|| self.literals(pattern).0)
    }

    /// Whether the path is meant below every directory of its anchor.
    pub(crate) fn starts_with_any(&self) -> bool {
        self.pattern().next() == Some(glob::ANY_NAMES)
    }

    fn literals(&self, pattern: glob::Pattern<'_>) -> (FilePath, bool) {
        let mut names = String::new();
        let mut pattern = pattern.peekable();
        while let Some(name) = pattern.next_if(|name| !glob::is_glob(name)) {
            if !names.is_empty() {
                names.push('/');
            }
            names.push_str(name);
        }
        let path = FilePath::from_names(self.anchor(), &names);
        (path, pattern.peek().is_none())
    }

    /// The folded keys under which a device may find what the path protects, a glob taken up to
    /// its first glob component.
    ///
    /// `None` for a path in the workspace: where that is, no policy says, and a root around it
    /// does not lift the protection.
    pub(crate) fn folded_keys(&self) -> Option<Vec<String>> {
        if self.anchor() == PathAnchor::Workspace {
            return None;
        }
        let (prefix, _) = self.literal_prefix();
        Some(fold::folded_keys(prefix.anchor(), prefix.below_anchor()))
    }

    /// The one name meant at any depth of the workspace, if the path is of that kind.
    pub(crate) fn name_at_any_depth(&self) -> Option<&str> {
        let mut pattern = self.pattern();
        let any = pattern.next() == Some(glob::ANY_NAMES) && self.anchor() == PathAnchor::Workspace;
        let name = pattern.next().filter(|name| any && !glob::is_glob(name))?;
        pattern.next().is_none().then_some(name)
    }

    /// Some of the paths meant: with nothing or something for each star.
    pub(crate) fn examples(&self) -> impl Iterator<Item = FilePath> + '_ {
        let fillers = [("", None), ("_", None), ("", Some("_")), ("_", Some("_"))];
        fillers.into_iter().filter_map(|(star, stars)| {
            let mut names = String::new();
            for name in self.pattern() {
                let name = match name {
                    glob::ANY_NAMES => stars.map(ToOwned::to_owned),
                    name => Some(glob::name_of(name, star)?),
                };
                let Some(name) = name else { continue };
                if !names.is_empty() {
                    names.push('/');
                }
                names.push_str(&name);
            }
            Some(FilePath::from_names(self.anchor(), &names))
        })
    }
}

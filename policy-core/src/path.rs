//! Paths as a policy writes them, compared as text and never looked up on a disk.
//!
//! One principle, as for hosts: what every reader takes for the same place is accepted, and all
//! else is refused, never repaired. So a path has one spelling, and comparing spellings by whole
//! names is comparing places, as far as text can tell: links, mounts and hard links are a
//! device's, and no policy sees them.

mod error;
mod fold;
mod glob;
mod reserved;
mod subtrees;
#[cfg(test)]
mod tests;

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use icu_normalizer::ComposingNormalizerBorrowed;

pub use error::PathError;
pub(crate) use fold::{folded_key, folded_keys_below, key};
pub(crate) use glob::Steps;
pub(crate) use subtrees::Subtrees;

/// Linux `PATH_MAX` is 4096 with the closing NUL (limits.h); other systems open less.
const MAX_BYTES: usize = 4095;

const NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();

/// Where a path starts.
///
/// The three are told apart by spelling only: `~/cache` and `/home/alice/cache` may be one
/// directory on a device, and [`Sandbox::access_at`](crate::Sandbox::access_at) is told so.
/// Exhaustive, since a renderer must say how it spells each of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathAnchor {
    /// `/opt/cache`: the root of the file system.
    Absolute,
    /// `~/.ssh`: the home directory of the user who runs the agent.
    Home,
    /// `.env`: the directory the agent works in.
    Workspace,
}

impl PathAnchor {
    /// The key of the anchor itself. A workspace key starts with `./`, so that no name in the
    /// workspace is taken for `~`.
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Self::Absolute => "/",
            Self::Home => "~/",
            Self::Workspace => "./",
        }
    }
}

/// Splits a path into its anchor and its names.
fn anchored(text: &str) -> (PathAnchor, &str) {
    if let Some(names) = text.strip_prefix('/') {
        (PathAnchor::Absolute, names)
    } else if text == "~" {
        (PathAnchor::Home, "")
    } else if let Some(names) = text.strip_prefix("~/") {
        (PathAnchor::Home, names)
    } else {
        (PathAnchor::Workspace, text)
    }
}

/// Refuses what no path of a policy may contain.
fn check_characters(text: &str) -> Result<(), PathError> {
    let bytes = text.as_bytes();
    if text.is_empty() {
        return Err(PathError::Empty);
    }
    if text.len() > MAX_BYTES {
        return Err(PathError::TooLong);
    }
    if text.contains(char::is_control) {
        return Err(PathError::ControlCharacter);
    }
    if bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':') {
        return Err(PathError::WindowsDrive);
    }
    if text.contains('\\') {
        return Err(PathError::Backslash);
    }
    if text.contains('$') {
        return Err(PathError::Variable);
    }
    if bytes.first() == Some(&b'~') && bytes.get(1).is_some_and(|&next| next != b'/') {
        return Err(PathError::UserHome);
    }
    if text.contains(|c: char| c != ' ' && c.is_whitespace()) {
        return Err(PathError::Space);
    }
    if !text.is_ascii() && (text.contains(is_invisible) || !NFKC.is_normalized(text)) {
        return Err(PathError::NotNormalized);
    }
    Ok(())
}

/// Unicode's `Default_Ignorable_Code_Point` (DerivedCoreProperties.txt, 17.0).
///
/// Such a character shows nothing, and HFS+ leaves many of them out when it compares names.
const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Refuses names that say where to go, or say nothing.
fn check_names(names: &str) -> Result<(), PathError> {
    let mut rest = names.split('/').peekable();
    while let Some(name) = rest.next() {
        match name {
            "" if rest.peek().is_none() && names != "/" => return Err(PathError::TrailingSlash),
            "" => return Err(PathError::DoubleSlash),
            "." | ".." => return Err(PathError::DotComponent),
            _ => {}
        }
    }
    Ok(())
}

/// Refuses names that Windows shortens.
fn check_name_ends(names: &str) -> Result<(), PathError> {
    for name in names.split('/') {
        if name.ends_with('.') {
            return Err(PathError::TrailingDot);
        }
        if name.starts_with(' ') || name.ends_with(' ') {
            return Err(PathError::Space);
        }
    }
    Ok(())
}

/// The nearest spelling without what is refused for its form alone; only if it is accepted.
fn suggest(input: &str, accepted: impl Fn(&str) -> bool) -> Option<String> {
    if input.len() > MAX_BYTES {
        return None;
    }
    let text = NFKC.normalize(input.trim()).replace('\\', "/");
    let home = ["$HOME/", "${HOME}/"]
        .iter()
        .find_map(|home| text.strip_prefix(home));
    let (anchor, names) = home.map_or_else(|| anchored(&text), |names| (PathAnchor::Home, names));
    let mut path = String::from(match anchor {
        PathAnchor::Workspace => "",
        anchor => anchor.prefix(),
    });
    for name in names.split('/').filter(|name| !matches!(*name, "" | ".")) {
        if !path.is_empty() && !path.ends_with('/') {
            path.push('/');
        }
        path.push_str(name);
    }
    // `/**/.env` is written by those who mean the workspace.
    if let Some(names) = path.strip_prefix("/**/") {
        path = format!("**/{names}");
    }
    (path != input && accepted(&path)).then_some(path)
}

/// A directory that the agent's shell may write besides the workspace.
///
/// Absolute or `~/…`, in one spelling, and no place that would amount to writing everything:
/// `/`, a home, a system directory, or a directory over or under one from which a harness reads
/// its settings or a system starts programs. These refusals ignore letter case, and `/Users/x`,
/// `/home/x`, `/root` and `/var/root` count as `~`.
///
/// Decisions where the documents leave a choice, each the stricter one:
///
/// - `/lib*` is every name in `/` that starts with `lib`, whatever its case, except `/Library`,
///   which is a directory of its own kind;
/// - `/etc` and `/usr` are not the only ones refused with all below them, `/var` and `/Library`
///   are refused themselves only, and `/private/…` counts as the same without `/private`;
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
        anchor == path.anchor && fold::strip_place(&path.names, names).is_some()
    }

    /// The root itself, as a path to ask about.
    pub(crate) fn to_file_path(&self) -> FilePath {
        let (anchor, names) = anchored(&self.0);
        FilePath::from_names(anchor, names)
    }

    pub(crate) fn key(&self) -> String {
        let (anchor, names) = anchored(&self.0);
        key(anchor, names)
    }

    pub(crate) fn folded_key(&self) -> String {
        let (anchor, names) = anchored(&self.0);
        folded_key(anchor, names)
    }
}

/// What the agent's shell may neither read nor write, with all below it.
///
/// Absolute, `~/…`, or in the workspace: a relative path without `/` is matched at any depth of
/// the workspace, one with `/` from its root. In a name `*` is any characters, also none and also
/// a leading dot, `?` one, `[a-z]` one of a class; none of them crosses `/`. `**` as a whole name
/// is any number of names, also none, so that `~/.ssh/**` is `~/.ssh`.
///
/// Refused besides the spellings refused for writable roots: `/`, `~` and the whole workspace, by
/// whatever glob, `/**/…`, and globs the harnesses read differently (`[!a]`, `[^a]`, `{a,b}`,
/// `a**`).
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
        match (anchor, names) {
            (PathAnchor::Absolute, glob::ANY_NAMES) => Err(PathError::ProtectsFilesystem),
            (PathAnchor::Home, glob::ANY_NAMES) => Err(PathError::ProtectsHome),
            (PathAnchor::Workspace, glob::ANY_NAMES) => Err(PathError::ProtectsWorkspace),
            (PathAnchor::Absolute, _) if names.starts_with("**/") => Err(PathError::GlobFromRoot),
            _ => Ok(Self(text.into())),
        }
    }

    /// The accepted spelling nearest to a refused one, where the form alone is at fault.
    ///
    /// ```
    /// use policy_core::ProtectedPath;
    ///
    /// assert_eq!(ProtectedPath::suggestion("~/.ssh/").as_deref(), Some("~/.ssh"));
    /// assert_eq!(ProtectedPath::suggestion("/**/.env").as_deref(), Some("**/.env"));
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
        if self.anchor() != path.anchor {
            return Some(false);
        }
        glob::covers(self.pattern(), path.names.split_terminator('/'), steps)
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
    pub(crate) fn literal_prefix_at_any_depth(&self) -> Option<FilePath> {
        let mut pattern = self.pattern();
        let any = pattern.next() == Some(glob::ANY_NAMES);
        any.then(|| self.literals(pattern).0)
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

    /// The keys of all that may lie at the path's literal part, folded.
    ///
    /// `None` for a path in the workspace: where that is, no policy says, and a root around it
    /// does not lift the protection.
    pub(crate) fn folded_keys_below(&self) -> Option<alloc::vec::Vec<String>> {
        if self.anchor() == PathAnchor::Workspace {
            return None;
        }
        let (prefix, _) = self.literal_prefix();
        Some(folded_keys_below(prefix.anchor, &prefix.names))
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
        key(self.anchor, &self.names)
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
        let prefix = match self.anchor {
            _ if self.names.is_empty() => self.anchor.prefix(),
            PathAnchor::Workspace if self.names.starts_with('~') => "./",
            PathAnchor::Workspace => "",
            anchor => anchor.prefix(),
        };
        match (self.anchor, &*self.names) {
            (PathAnchor::Home | PathAnchor::Workspace, "") => {
                f.write_str(prefix.strip_suffix('/').unwrap_or(prefix))
            }
            (_, names) => write!(f, "{prefix}{names}"),
        }
    }
}

macro_rules! as_written {
    ($($path:ident),*) => {$(
        impl fmt::Display for $path {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $path {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    )*};
}
as_written!(WritableRoot, ProtectedPath);

macro_rules! from_str {
    ($($path:ident),*) => {$(
        impl FromStr for $path {
            type Err = PathError;

            fn from_str(text: &str) -> Result<Self, PathError> {
                Self::parse(text)
            }
        }
    )*};
}
from_str!(WritableRoot, ProtectedPath, FilePath);

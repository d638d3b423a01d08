//! Paths as a policy writes them, compared as text and never looked up on a disk.
//!
//! One principle, as for hosts: what every reader takes for the same place is accepted, and all
//! else is refused, never repaired. So a path has one spelling, and comparing spellings by whole
//! names is comparing places, as far as text can tell: links, mounts and hard links are a
//! device's, and no policy sees them.

mod error;
mod file;
mod fold;
mod glob;
mod protected;
mod reserved;
mod subtrees;
#[cfg(test)]
mod tests;
mod writable;

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use icu_normalizer::ComposingNormalizerBorrowed;

use crate::quote::is_invisible;

pub use error::PathError;
pub use file::FilePath;
pub(crate) use glob::Steps;
pub use protected::ProtectedPath;
pub(crate) use subtrees::Subtrees;
pub use writable::WritableRoot;

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
    // A URL, or a path of Windows from the root of a disk or a server, is another place here.
    if input.len() > MAX_BYTES || input.contains("://") || input.trim().starts_with('\\') {
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
    (path != input && accepted(&path)).then_some(path)
}

macro_rules! as_written {
    ($($path:ident),*) => {$(
        impl fmt::Display for $path {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl AsRef<str> for $path {
            fn as_ref(&self) -> &str {
                self.as_str()
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

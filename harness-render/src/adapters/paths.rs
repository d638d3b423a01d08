//! Protected paths for tools that see a path as it is spelt, and not where it leads.

use policy_core::{Access, FilePath, PathAnchor, ProtectedPath};

use crate::request::Request;
use crate::target::Os;

/// The names of a protected path from its anchor on, without the `**` that mean any depth: what a
/// spelling of it ends with, from wherever it starts.
pub(super) fn names(path: &ProtectedPath) -> &str {
    let text = path.as_str();
    let text = text.strip_suffix("/**").unwrap_or(text);
    let text = text.strip_prefix("~/").unwrap_or(text);
    let text = text.strip_prefix('/').unwrap_or(text);
    text.strip_prefix("**/").unwrap_or(text)
}

/// Whether the path names nothing on the system: an absolute path of a policy has no drive.
pub(super) fn is_nowhere(request: &Request<'_>, path: &ProtectedPath) -> bool {
    request.os() == Os::Windows && path.anchor() == PathAnchor::Absolute
}

/// One part of a name with globs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Literal(char),
    /// `*`: any characters.
    Any,
    /// `?` or a class: one character.
    One,
    /// `**`: any names, also none.
    Names,
    /// Between two names.
    Slash,
}

/// A path with globs, part by part. A class is read as any one character.
pub(super) fn parts(names: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut characters = names.chars().peekable();
    while let Some(character) = characters.next() {
        parts.push(match character {
            '*' if characters.next_if_eq(&'*').is_some() => {
                // `**` is a whole name, and the slash after it belongs to it.
                characters.next_if_eq(&'/');
                Part::Names
            }
            '*' => Part::Any,
            '?' => Part::One,
            '[' => {
                characters.by_ref().find(|character| *character == ']');
                Part::One
            }
            '/' => Part::Slash,
            literal => Part::Literal(literal),
        });
    }
    parts
}

/// A path that ends like a protected one, elsewhere, and that the policy leaves readable.
pub(super) fn elsewhere(request: &Request<'_>, path: &ProtectedPath) -> Option<String> {
    let ending: String = parts(names(path))
        .into_iter()
        .filter_map(|part| match part {
            Part::Literal(literal) => Some(literal),
            Part::Any | Part::One => Some('x'),
            Part::Names => None,
            Part::Slash => Some('/'),
        })
        .collect();
    ["/srv/x", "/mnt/x", "~/x", "x"]
        .into_iter()
        .map(|above| format!("{above}/{ending}"))
        .find(|text| {
            FilePath::parse(text).is_ok_and(|path| request.sandbox().access(&path) != Access::None)
        })
}

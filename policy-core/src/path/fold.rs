//! Two spellings of one place: letter case, homes, and the links every system has.
//!
//! Folding serves refusals only: it finds more overlaps than there are, and never grants one
//! path because another is granted.
//!
//! A *key* is a path with its anchor and a slash at the end: `/opt/cache/`, `~/.ssh/`, `./src/`.
//! One key is above another, or equal, exactly when it is a prefix of it.

use alloc::string::String;
use alloc::vec::Vec;

use super::{PathAnchor, reserved};

/// Places that are the home directory of someone, after case folding: the place, and whether a
/// user's name follows.
///
/// macOS `/Users`, Linux `/home`, and root's on both; `/var/home` and `/var/roothome` are what
/// `/home` and `/root` link to where the system image is read-only (OSTree, "Adapting existing
/// mainstream distributions"). `/mnt/c/Users` is what a shell in WSL sees of Windows' homes.
const HOMES: [(&str, bool); 7] = [
    ("users", true),
    ("home", true),
    ("root", false),
    ("var/root", false),
    ("var/home", true),
    ("var/roothome", false),
    ("mnt/c/users", true),
];

/// Keys, and what lies below them though they are no prefix of it, since folding moves it.
///
/// `~` may lie in any directory that holds homes, and on macOS `/etc`, `/var` and `/tmp` are
/// links into `/private`.
const ALSO_ABOVE: [(&str, &[&str]); 9] = [
    ("/", &["~/"]),
    ("/users/", &["~/"]),
    ("/home/", &["~/"]),
    ("/var/", &["~/"]),
    ("/var/home/", &["~/"]),
    ("/mnt/", &["~/"]),
    ("/mnt/c/", &["~/"]),
    ("/mnt/c/users/", &["~/"]),
    ("/private/", &["~/", "/etc/", "/var/", "/tmp/"]),
];

/// The key of a path as written.
pub(crate) fn key(anchor: PathAnchor, names: &str) -> String {
    let mut key = String::with_capacity(names.len().saturating_add(3));
    key.push_str(anchor.prefix());
    if !names.is_empty() {
        key.push_str(names);
        key.push('/');
    }
    key
}

/// Folds letter case so that whatever a case-insensitive file system takes for one name is one.
///
/// By way of the upper case, so that `ß` and `SS`, `ς` and `σ` fold alike; this is the simple
/// per-character mapping, which at worst folds too much.
pub(super) fn fold_case(names: &str) -> String {
    if names.is_ascii() {
        return names.to_ascii_lowercase();
    }
    names
        .chars()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect()
}

/// The key of a path after all folding.
pub(crate) fn folded_key(anchor: PathAnchor, names: &str) -> String {
    let folded = fold_case(names);
    if anchor != PathAnchor::Absolute {
        return key(anchor, &folded);
    }
    let real = real_names(&folded);
    match below_home(real) {
        Some(below) => key(PathAnchor::Home, below),
        None => key(PathAnchor::Absolute, real),
    }
}

/// The key of a path after all folding, and those of places inside it that fold elsewhere.
pub(crate) fn folded_keys(anchor: PathAnchor, names: &str) -> Vec<String> {
    let folded = folded_key(anchor, names);
    let also = ALSO_ABOVE.iter().find(|(above, _)| *above == folded);
    let also = also.map_or(&[][..], |(_, below)| below);
    let mut keys: Vec<String> = also.iter().map(|&below| String::from(below)).collect();
    keys.push(folded);
    keys
}

/// Drops what macOS puts before a path without changing the place: `/System/Volumes/Data`, which
/// is joined to `/` by firmlinks, the start disk under the name it comes with, which is a link to
/// `/`, and `/private` before a place that counts without it.
fn real_names(mut names: &str) -> &str {
    while let Some(below) = strip_place(names, "volumes/macintosh hd") {
        names = below;
    }
    let names = strip_place(names, "system/volumes/data")
        .filter(|below| !below.is_empty())
        .unwrap_or(names);
    match strip_place(names, "private") {
        Some(below) if reserved::is_hidden_by_private(below) => below,
        _ => names,
    }
}

/// What follows the home directory in a folded absolute path.
fn below_home(names: &str) -> Option<&str> {
    HOMES.iter().find_map(|&(place, user)| {
        let below = strip_place(names, place)?;
        if !user {
            return Some(below);
        }
        match below.split_once('/') {
            Some((_, below)) => Some(below),
            None => (!below.is_empty()).then_some(""),
        }
    })
}

/// What follows `place` in `names`, by whole names.
pub(super) fn strip_place<'a>(names: &'a str, place: &str) -> Option<&'a str> {
    let below = names.strip_prefix(place)?;
    if below.is_empty() {
        Some(below)
    } else {
        below.strip_prefix('/')
    }
}

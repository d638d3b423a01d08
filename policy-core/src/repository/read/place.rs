//! What a file is, by where it lies.

use crate::quote::quoted;
use crate::repository::document::{NAME_RULE, is_name};
use crate::repository::finding::{Code, Finding};

/// The organisation's file.
pub(super) const HALOS: &str = "halos.yaml";
/// The directory of the profiles.
pub(super) const PROFILES: &str = "profiles";
/// The directory of the units.
pub(super) const UNITS: &str = "units";

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role<'p> {
    Organisation,
    /// A profile of this name.
    Profile(&'p str),
    /// A unit of this name.
    Unit(&'p str),
}

/// A finding about a path, and the file or directory to name in it.
#[derive(Debug)]
pub(super) struct Misplaced<'p> {
    pub(super) file: &'p str,
    pub(super) finding: Finding,
}

/// The path of the profile of this name.
pub(super) fn profile_path(name: &str) -> String {
    format!("{PROFILES}/{name}.yaml")
}

/// The name of the profile whose path this is.
pub(super) fn profile_name(path: &str) -> Option<&str> {
    match role(path) {
        Ok(Some(Role::Profile(name))) => Some(name),
        _ => None,
    }
}

/// Refuses a path that is not written from the root of a repository.
///
/// # Errors
///
/// It begins at the root of a system, climbs out, or is written with `\\`.
pub(super) fn inside(path: &str) -> Result<(), Finding> {
    let plain = |part: &str| !matches!(part, "" | "." | "..");
    if !path.contains(['\\', '\0']) && path.split('/').all(plain) {
        return Ok(());
    }
    let message = format!("{} is no path inside the repository", quoted(path));
    Err(Finding::new(Code::StrayFile, message)
        .with_help("write it from the repository's root, with `/` between its parts"))
}

/// The role of a file by its path in the repository; `None` for a file that is not looked at.
///
/// # Errors
///
/// A path that would not be read, although its author may think so.
pub(super) fn role(path: &str) -> Result<Option<Role<'_>>, Misplaced<'_>> {
    match path.split_once('/') {
        None if path == HALOS => Ok(Some(Role::Organisation)),
        Some((PROFILES, file)) => named(path, PROFILES, file, Role::Profile),
        Some((UNITS, file)) => named(path, UNITS, file, Role::Unit),
        Some((top, _)) => near_miss(top),
        None => near_miss(path),
    }
}

fn named<'p>(
    path: &'p str,
    directory: &str,
    file: &'p str,
    role: impl Fn(&'p str) -> Role<'p>,
) -> Result<Option<Role<'p>>, Misplaced<'p>> {
    let file_name = file.split('/').next().unwrap_or(file);
    if file_name.starts_with('.') || (file.ends_with(".md") && file == file_name) {
        return Ok(None);
    }
    if file != file_name {
        let end = path
            .len()
            .saturating_sub(file.len())
            .saturating_add(file_name.len());
        let place = path.get(..end).unwrap_or(path);
        let message = format!("a directory inside `{directory}` is not read");
        return Err(stray(
            place,
            message,
            format!("move its files to `{directory}`"),
        ));
    }
    let (stem, extension) = match file.rsplit_once('.') {
        Some((stem, extension)) => (stem, Some(extension)),
        None => (file, None),
    };
    match extension {
        Some("yaml") if is_name(stem) => Ok(Some(role(stem))),
        Some("yaml") => {
            let message = format!("{} cannot name a file in `{directory}`", quoted(stem));
            let finding = Finding::new(Code::BadName, message).with_help(NAME_RULE);
            Err(Misplaced {
                file: path,
                finding,
            })
        }
        Some(other) if other == "yml" || other.eq_ignore_ascii_case("yaml") => {
            let message = format!("only `*.yaml` is read in `{directory}`");
            Err(stray(
                path,
                message,
                format!("rename it to {}", quoted(&format!("{stem}.yaml"))),
            ))
        }
        _ => {
            let message = format!("only `*.yaml` is read in `{directory}`");
            Err(stray(
                path,
                message,
                "move it elsewhere; hidden files and `*.md` may stay".to_owned(),
            ))
        }
    }
}

fn stray(file: &str, message: String, help: String) -> Misplaced<'_> {
    let finding = Finding::new(Code::StrayFile, message).with_help(help);
    Misplaced { file, finding }
}

/// An entry of the root that is one typing error away from a place that is read.
fn near_miss(top: &str) -> Result<Option<Role<'_>>, Misplaced<'_>> {
    if top.len() > HALOS.len().saturating_add(1) {
        return Ok(None);
    }
    let lower = top.to_lowercase();
    let places = [HALOS, PROFILES, UNITS];
    // Some systems take the two for one name, and whoever wrote it there saw it work.
    if let Some(place) = places.into_iter().find(|place| lower == **place)
        && place != top
    {
        let message = format!("{} is not read", quoted(top));
        return Err(stray(
            top,
            message,
            format!("rename it to {}", quoted(place)),
        ));
    }
    let near = places
        .into_iter()
        .find(|place| strsim::damerau_levenshtein(&lower, place) <= 1);
    match near {
        Some(near) if near != top => {
            let message = format!("{} is not read", quoted(top));
            let finding = Finding::new(Code::NearMissName, message)
                .with_help(format!("did you mean `{near}`?"));
            Err(Misplaced { file: top, finding })
        }
        _ => Ok(None),
    }
}

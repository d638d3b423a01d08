//! Protected paths in the two places that Codex has for them.

use policy_core::{Access, FilePath, PathAnchor, ProtectedPath};

use super::facts::*;
use crate::request::Request;
use crate::statement::Statement;
use crate::target::Os;

/// How deep a glob is looked for below the workspace where a bound must be named: the vendor's
/// own, since every command waits for the search.
pub(super) const SCAN_DEPTH: i64 = 3;

/// Where a protected path goes.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// `deny_read`, and the profile where there is one.
    Device,
    /// The profile's `:workspace_roots`.
    Workspace,
}

/// The place of a protected path, or why it has none.
pub(super) fn place(request: &Request<'_>, path: &ProtectedPath) -> Result<Place, Statement> {
    let text = path.as_str();
    let text = text.strip_suffix("/**").unwrap_or(text);
    let is_early_glob = !request.has(&DENY_READ_GLOBS) && is_glob_before_last(text);
    if path.anchor() == PathAnchor::Workspace {
        if request.os() == Os::Windows {
            return Err(Statement::not_enforced(
                "on native Windows a path in the workspace is not protected",
                &WINDOWS,
            ));
        }
        if !request.has(&PROFILE) {
            return Err(Statement::not_enforced(
                "a path in the workspace cannot be said before 0.138.0",
                &PROFILE,
            ));
        }
        if is_early_glob {
            return Err(early_glob());
        }
        return Ok(Place::Workspace);
    }
    if !request.has(&DENY_READ) {
        return Err(Statement::not_enforced(
            "a path cannot be denied before 0.122.0",
            &DENY_READ,
        ));
    }
    if path.anchor() == PathAnchor::Absolute && request.os() == Os::Windows {
        return Err(Statement::not_enforced(
            "an absolute path of the policy names nothing on Windows",
            &WINDOWS,
        ));
    }
    if holds_own_directory(path, text) || is_glob_from_root(text) {
        return Err(Statement::not_enforced(
            "denying it would keep Codex from starting; name paths beside ~/.codex, and a directory before the first glob",
            &DENY_READ_BRICKS,
        ));
    }
    if is_early_glob {
        return Err(early_glob());
    }
    Ok(Place::Device)
}

fn early_glob() -> Statement {
    Statement::not_enforced(
        "before 0.168.0 a glob holds in the last name only",
        &DENY_READ_GLOBS,
    )
}

/// Whether a name before the last one is a glob. `**` right before it does not count.
fn is_glob_before_last(path: &str) -> bool {
    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
    is_glob(above.strip_suffix("/**").unwrap_or(above))
}

/// The spellings of a protected path: a glob matches files only, so what is in a matching directory
/// is named as well.
pub(super) fn spellings(path: &ProtectedPath) -> Vec<String> {
    let spelled = spelled(path);
    if is_glob(&spelled) {
        let below = format!("{spelled}/**");
        vec![spelled, below]
    } else {
        vec![spelled]
    }
}

fn spelled(path: &ProtectedPath) -> String {
    let text = path.as_str();
    let text = text.strip_suffix("/**").unwrap_or(text);
    if path.is_at_any_depth() {
        format!("**/{text}")
    } else {
        text.to_owned()
    }
}

pub(super) fn is_glob(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

fn is_glob_from_root(path: &str) -> bool {
    let first = path
        .strip_prefix('/')
        .and_then(|names| names.split('/').next());
    first.is_some_and(is_glob)
}

/// Whether a path is `~/.codex`, or may be above it on some device.
fn holds_own_directory(path: &ProtectedPath, text: &str) -> bool {
    const HOMES: [&str; 7] = [
        "/root/.codex",
        "/home/*/.codex",
        "/Users/*/.codex",
        "/var/home/*/.codex",
        "/usr/home/*/.codex",
        "/var/root/.codex",
        "/private/var/root/.codex",
    ];
    if FilePath::parse("~/.codex").is_ok_and(|own| path.matches(&own)) {
        return true;
    }
    let may_be_above = |own: &str| {
        let mut own = own.split('/');
        text.split('/').all(|name| {
            own.next()
                .is_some_and(|part| part == "*" || is_glob(name) || name.eq_ignore_ascii_case(part))
        })
    };
    path.anchor() == PathAnchor::Absolute && HOMES.into_iter().any(may_be_above)
}

/// What becomes of a path outside the workspace.
pub(super) fn say_on_device(request: &Request<'_>, path: &ProtectedPath) -> Statement {
    let glob = spelled(path);
    if !is_glob(&glob) || request.has(&DENY_READ_GLOBS) {
        return Statement::enforced(&DENY_READ);
    }
    let (above, last) = glob.rsplit_once('/').unwrap_or(("~", &glob));
    let name = name_of(last);
    let base = above.strip_suffix("/**").unwrap_or(above);
    let deeper = format!("{base}/x/{name}");
    let is_open =
        FilePath::parse(&deeper).is_ok_and(|path| request.sandbox().access(&path) != Access::None);
    Statement::weaker(
        "before 0.168.0 a glob is looked for at every depth, and is not seen to close what lies in a directory that it names",
        Some(format!("{base}/{name}/x").into()),
        is_open.then(|| deeper.into()),
        &DENY_READ_GLOBS,
    )
}

/// What becomes of a path in the workspace under a bounded search.
pub(super) fn say_in_workspace(request: &Request<'_>, path: &ProtectedPath) -> Statement {
    let bounded = request.os() == Os::Linux && !request.has(&UNBOUNDED_GLOBS);
    let glob = spelled(path);
    if !is_glob(&glob) {
        Statement::enforced(&PROFILE)
    } else if bounded {
        Statement::wider(
            format!("looked for down to {SCAN_DEPTH} levels below the workspace only"),
            deeper_example(&glob),
            &WORKSPACE_GLOBS,
        )
    } else {
        Statement::enforced(&UNBOUNDED_GLOBS)
    }
}

/// A path that the glob matches, deeper than the search goes.
fn deeper_example(glob: &str) -> String {
    let mut names = Vec::new();
    for name in glob.split('/') {
        match name {
            "**" => names.extend(["a", "b", "c"].map(str::to_owned)),
            name => names.push(name_of(name)),
        }
    }
    while names.len() < 4 {
        names.push("x".to_owned());
    }
    names.join("/")
}

/// Some name that a glob of one name means: nothing for a star, the first of a class.
fn name_of(glob: &str) -> String {
    let mut name = String::new();
    let mut characters = glob.chars();
    while let Some(character) = characters.next() {
        match character {
            '*' => {}
            '?' => name.push('x'),
            '[' => {
                name.extend(characters.next());
                characters.by_ref().find(|character| *character == ']');
            }
            other => name.push(other),
        }
    }
    if name.is_empty() {
        "x".to_owned()
    } else {
        name
    }
}

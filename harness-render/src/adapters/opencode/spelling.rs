//! The rules of OpenCode, in the order that they need.
//!
//! A pattern is compared with the whole text: `*` is any run of characters, slashes included, `?`
//! any one, and nothing escapes them.

use policy_core::{PathAnchor, Pattern, ProtectedPath};

use super::facts::HOST_RULES;
use super::ordered::Json;
use crate::adapters::paths::{Part, names, parts};
use crate::request::Request;
use crate::statement::{Entries, List, Statement};

/// The allowed hosts that are asked about.
pub(super) const ASKED: List = "permission.webfetch ask";
/// The denied hosts that are refused.
pub(super) const REFUSED: List = "permission.webfetch deny";
/// The paths that the file tools keep from.
pub(super) const PATHS: List = "permission.read and permission.edit";

const ASK: Json = Json::Text("ask");
const DENY: Json = Json::Text("deny");

/// The fetch tool's name, in a form that takes rules by address: under `webfetch` itself the program
/// takes one action only, and does not start with more.
const WEBFETCH_BY_ADDRESS: &str = "webfetc?";

type Rules = Vec<(String, Json)>;

/// The value of `permission`.
pub(super) fn permission(request: &Request<'_>, entries: &Entries<'_>) -> Rules {
    let mut permission = files(entries);
    permission.extend(fetches(request, entries));
    if request.is_strict() {
        permission.push(("websearch".to_owned(), DENY));
    }
    permission
}

fn fetches(request: &Request<'_>, entries: &Entries<'_>) -> Rules {
    let denied = entries.denied(REFUSED);
    let mut rules: Rules = Vec::new();
    if request.denies_by_default() {
        let allowed = entries.allowed(ASKED);
        if allowed.is_empty() {
            return vec![("webfetch".to_owned(), DENY)];
        }
        // An exact host's rules match no address of another, and come after the denials, which
        // match more than they have to.
        let (wildcards, exact): (Vec<_>, Vec<_>) =
            allowed.into_iter().partition(Pattern::is_wildcard);
        rules.push(("*".to_owned(), DENY));
        rules.extend(wildcards.iter().flat_map(asked));
        rules.extend(denied.iter().flat_map(|host| refused(host, &BEGINS)));
        rules.extend(exact.iter().flat_map(asked));
    } else if denied.is_empty() {
        return rules;
    } else {
        rules.push(("*".to_owned(), ASK));
        rules.extend(denied.iter().flat_map(|host| refused(host, &ENDS)));
    }
    vec![
        // What a release that reads the other name differently falls back on.
        ("webfetch".to_owned(), ASK),
        (WEBFETCH_BY_ADDRESS.to_owned(), Json::Object(rules)),
    ]
}

/// Why a pattern has no rule.
pub(super) fn unspeakable(pattern: &Pattern) -> Option<Statement> {
    pattern
        .address()
        .is_some_and(|address| address.is_ipv6())
        .then(|| {
            Statement::not_enforced(
                "no spelling of an IPv6 address in a rule was seen to match",
                &HOST_RULES,
            )
        })
}

/// The addresses of an allowed host. A port would need a star behind it, behind which a user and
/// another host may stand.
fn asked(pattern: &Pattern) -> Rules {
    ["https://", "http://"]
        .iter()
        .flat_map(|scheme| ["", "/*"].map(|rest| (format!("{scheme}{pattern}{rest}"), ASK)))
        .collect()
}

/// Behind a denied host where all else is asked about: the end of the text, a path, a port, a
/// fragment or the dot of the root. A query is not here, since nothing says its mark: a `?` is any
/// letter, and with one `t.com` would be denied where `t.co` is.
const ENDS: [&str; 6] = ["", "/*", ":*", "#*", "./*", "."];

/// Behind a denied host where only what the star of an allowed wildcard takes could be asked about:
/// anything, and so a query that the star reaches into.
const BEGINS: [&str; 2] = ["", "?*"];

/// The addresses of a denied host with what may follow it.
fn refused(pattern: &Pattern, behind: &[&str]) -> Rules {
    let text = pattern.to_string();
    let hosts = if pattern.is_wildcard() {
        vec![text]
    } else {
        // As the whole authority, or after a user.
        vec![format!("*://{text}"), format!("*@{text}")]
    };
    hosts
        .iter()
        .flat_map(|host| {
            behind
                .iter()
                .map(move |rest| (format!("{host}{rest}"), DENY))
        })
        .collect()
}

/// A path in which [`refused`] takes a name for a denied host.
pub(super) fn in_a_path(pattern: &Pattern) -> String {
    match pattern.base() {
        Some(base) if pattern.is_wildcard() => format!(".{base}/"),
        _ => format!("@{pattern}/"),
    }
}

/// The rules of the file tools. Reading and editing compare the path as seen from the work tree, so
/// that the ends of paths are compared here; what lies outside the work tree is asked about by its
/// absolute path as well.
fn files(entries: &Entries<'_>) -> Rules {
    let mut inside: Rules = Vec::new();
    let mut outside: Rules = Vec::new();
    for path in entries.paths(PATHS) {
        let ending = wildcards(names(path));
        for pattern in [ending.clone(), format!("*/{ending}")] {
            inside.extend(with_all_below(pattern));
        }
        if path.anchor() != PathAnchor::Workspace {
            outside.extend(with_all_below(wildcards(whole(path))));
        }
    }
    let mut permission = Rules::new();
    if !outside.is_empty() {
        permission.push(("external_directory".to_owned(), Json::Object(outside)));
    }
    if !inside.is_empty() {
        permission.push(("read".to_owned(), Json::Object(inside.clone())));
        permission.push(("edit".to_owned(), Json::Object(inside)));
    }
    permission
}

fn with_all_below(pattern: String) -> Rules {
    // A star at the end already covers what is below.
    if pattern.ends_with('*') {
        return vec![(pattern, DENY)];
    }
    let below = format!("{pattern}/*");
    vec![(pattern, DENY), (below, DENY)]
}

fn whole(path: &ProtectedPath) -> &str {
    let text = path.as_str();
    text.strip_suffix("/**").unwrap_or(text)
}

/// A glob as a pattern that matches no less.
fn wildcards(glob: &str) -> String {
    parts(glob)
        .into_iter()
        .map(|part| match part {
            Part::Literal(letter) => letter,
            Part::Any | Part::Names => '*',
            Part::One => '?',
            Part::Slash => '/',
        })
        .collect()
}

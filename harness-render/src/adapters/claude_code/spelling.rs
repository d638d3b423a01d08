//! Hosts and paths of a policy in the spellings of Claude Code.

use core::net::IpAddr;

use policy_core::{PathAnchor, Pattern, ProtectedPath};

use super::facts::{ALLOWED_DOMAINS, ANY_HOST, IPV6, SINGLE_SLASH};
use crate::fact::Fact;
use crate::request::Request;
use crate::statement::Statement;
use crate::target::Os;

/// An entry of the sandbox's lists, and the fact that its spelling rests on.
pub(super) fn sandbox_domain(pattern: &Pattern) -> (String, &'static Fact) {
    match pattern.address() {
        Some(IpAddr::V6(address)) => (format!("[{address}]"), &IPV6),
        _ if is_broad(pattern) => (pattern.to_string(), &ANY_HOST),
        _ => (pattern.to_string(), &ALLOWED_DOMAINS),
    }
}

/// Why the pinned release would drop an entry of the sandbox's lists, or misread it.
pub(super) fn unreadable_domain(request: &Request<'_>, pattern: &Pattern) -> Option<Statement> {
    let (_, fact) = sandbox_domain(pattern);
    if request.has(fact) {
        None
    } else if pattern.address().is_some() {
        Some(Statement::not_enforced(
            "no spelling of an IPv6 address is read before 2.1.229",
            &IPV6,
        ))
    } else {
        Some(Statement::not_enforced(
            "so broad a wildcard blocks every host before 2.1.197",
            &ANY_HOST,
        ))
    }
}

/// `*.com`: one label below the star.
fn is_broad(pattern: &Pattern) -> bool {
    pattern.is_wildcard() && pattern.base().is_some_and(|base| !base.contains('.'))
}

/// Whether the pattern names the machine that the agent runs on.
pub(super) fn is_this_machine(pattern: &Pattern) -> bool {
    let address = pattern
        .address()
        .is_some_and(|address| address.is_loopback() || address.is_unspecified());
    let name = pattern
        .base()
        .is_some_and(|base| base == "localhost" || base.ends_with(".localhost"));
    address || name
}

/// How the pinned release spells paths.
pub(super) struct Paths {
    os: Os,
    single_slash: bool,
}

impl Paths {
    pub(super) fn of(request: &Request<'_>) -> Self {
        Self {
            os: request.os(),
            single_slash: request.has(&SINGLE_SLASH),
        }
    }

    /// An absolute path, or one from the home, for `sandbox.filesystem`.
    pub(super) fn in_sandbox(&self, path: &str) -> String {
        if path.starts_with('/') && !self.single_slash {
            format!("/{path}")
        } else {
            path.to_owned()
        }
    }

    /// A protected path for `sandbox.filesystem`.
    pub(super) fn protected_in_sandbox(&self, path: &ProtectedPath) -> String {
        let text = path_itself(path);
        match path.anchor() {
            PathAnchor::Workspace if path.is_at_any_depth() => format!("**/{text}"),
            PathAnchor::Workspace => text.to_owned(),
            PathAnchor::Absolute | PathAnchor::Home => self.in_sandbox(text),
        }
    }

    /// A protected path for a permission rule, in which `/x` would count from the directory of the
    /// settings file; `None` where it names nothing.
    pub(super) fn protected_in_rule(&self, path: &ProtectedPath) -> Option<String> {
        let text = path_itself(path);
        match path.anchor() {
            PathAnchor::Absolute => (self.os != Os::Windows).then(|| format!("/{text}")),
            PathAnchor::Home => Some(text.to_owned()),
            PathAnchor::Workspace if path.is_at_any_depth() => Some(format!("**/{text}")),
            PathAnchor::Workspace if text.starts_with("**/") => Some(text.to_owned()),
            PathAnchor::Workspace => Some(format!("./{text}")),
        }
    }
}

/// Whether the pattern spells out one path from the root of the workspace.
pub(super) fn is_named_in_workspace(path: &ProtectedPath) -> bool {
    path.anchor() == PathAnchor::Workspace
        && !path.is_at_any_depth()
        && !path_itself(path).contains(['*', '?', '['])
}

/// `~/.ssh/**` is `~/.ssh` with all below it, as every protected path is.
pub(super) fn path_itself(path: &ProtectedPath) -> &str {
    let text = path.as_str();
    text.strip_suffix("/**").unwrap_or(text)
}

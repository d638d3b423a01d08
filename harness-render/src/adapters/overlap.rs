//! Where the allowed and the denied hosts of a policy meet. A harness that reads an entry more
//! broadly than the policy, or has no deny that beats an allow, gets only what results from both.

use core::iter::successors;

use policy_core::{Host, Pattern, Rule};

use crate::request::{Request, example};

/// A host that the pattern means and the policy allows.
pub(super) fn allowed_example(request: &Request<'_>, pattern: &Pattern) -> Option<String> {
    match pattern.base() {
        Some(base) if pattern.is_wildcard() => request.allowed_below(base),
        _ => {
            let text = pattern.to_string();
            let host = Host::parse(&text).ok()?;
            let decision = request.policy.egress().decide(&host);
            decision.is_allowed().then_some(text)
        }
    }
}

/// An open allowed pattern that covers a denied one.
pub(super) fn allowed_over(
    request: &Request<'_>,
    denied: &Pattern,
    counts: impl Fn(&Pattern) -> bool,
) -> Option<Pattern> {
    // Whatever covers the pattern matches each host that it means.
    let host = Host::parse(&example(denied)).ok()?;
    let mut rules = request.policy.egress().rules_for(&host);
    rules.find_map(|rule| match rule {
        Rule::Allowed { pattern } | Rule::Preset { pattern, .. } => {
            let pattern = Pattern::from(pattern);
            let over = pattern.covers(denied) && counts(&pattern) && request.is_open(&pattern);
            over.then_some(pattern)
        }
        _ => None,
    })
}

/// Whether a name itself is among the denied.
pub(super) fn is_denied_by_name(request: &Request<'_>, name: &Pattern) -> bool {
    let host = Host::parse(&name.to_string());
    host.is_ok_and(|host| request.is_denied_by(&host, |denied| denied == name))
}

/// A name and every name above it.
pub(super) fn ancestors(name: &str) -> impl Iterator<Item = &str> {
    successors(Some(name), |name| {
        name.split_once('.').map(|(_, above)| above)
    })
}

//! Where the allowed and the denied hosts of a policy meet. A harness that reads an entry more
//! broadly than the policy, or has no deny that beats an allow, is told only what comes of both.

use core::iter::successors;

use policy_core::{Host, Pattern, Rule, witnesses};

use super::Request;

/// The allowed patterns, less those that a denied one covers, each once, in order.
pub(super) fn open(request: &Request<'_>) -> Vec<Pattern> {
    let mut patterns = request.allowed();
    patterns.retain(|pattern| is_open(request, pattern));
    patterns
}

/// Whether no denied pattern covers an allowed one.
pub(super) fn is_open(request: &Request<'_>, pattern: &Pattern) -> bool {
    let Ok(host) = Host::parse(&example(pattern)) else {
        return true;
    };
    let mut rules = request.policy.egress().rules_for(&host);
    !rules.any(|rule| match rule {
        Rule::Denied { pattern: denied } => Pattern::from(denied).covers(pattern),
        _ => false,
    })
}

/// A host that the pattern means.
pub(super) fn example(pattern: &Pattern) -> String {
    match pattern.base() {
        Some(base) if pattern.is_wildcard() => format!("a.{base}"),
        _ => pattern.to_string(),
    }
}

/// A host that the pattern means and the policy allows.
pub(super) fn allowed_example(request: &Request<'_>, pattern: &Pattern) -> Option<String> {
    match pattern.base() {
        Some(base) if pattern.is_wildcard() => allowed_below(request, base),
        _ => {
            let text = pattern.to_string();
            let host = Host::parse(&text).ok()?;
            request
                .policy
                .egress()
                .decide(&host)
                .is_allowed()
                .then_some(text)
        }
    }
}

/// A host below a name that the policy allows.
pub(super) fn allowed_below(request: &Request<'_>, base: &str) -> Option<String> {
    let everything = Pattern::parse(&format!("*.{base}")).ok()?;
    let egress = request.policy.egress();
    let near = egress.patterns().filter(|pattern| {
        pattern
            .base()
            .is_some_and(|name| is_at_or_below(name, base))
    });
    witnesses(near.chain([everything.as_ref()]))
        .find(|host| everything.matches(host) && egress.decide(host).is_allowed())
        .map(|host| host.to_string())
}

/// The denied patterns that an allowed one covers.
pub(super) fn denied_within<'r>(
    request: &'r Request<'_>,
    allowed: &'r Pattern,
) -> impl Iterator<Item = Pattern> + 'r {
    request
        .policy
        .egress()
        .denied()
        .map(Pattern::from)
        .filter(|denied| allowed.covers(denied))
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
            let over = pattern.covers(denied) && counts(&pattern) && is_open(request, &pattern);
            over.then_some(pattern)
        }
        _ => None,
    })
}

/// Whether a name itself is among the denied.
pub(super) fn is_denied_by_name(request: &Request<'_>, name: &Pattern) -> bool {
    let Ok(host) = Host::parse(&name.to_string()) else {
        return false;
    };
    let mut rules = request.policy.egress().rules_for(&host);
    rules.any(|rule| matches!(rule, Rule::Denied { pattern } if pattern == name.as_ref()))
}

/// A name and every name above it.
pub(super) fn ancestors(name: &str) -> impl Iterator<Item = &str> {
    successors(Some(name), |name| {
        name.split_once('.').map(|(_, above)| above)
    })
}

fn is_at_or_below(name: &str, base: &str) -> bool {
    name.strip_suffix(base)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

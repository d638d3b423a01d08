//! Which hosts Copilot CLI takes for hosts.

use policy_core::{Class, Pattern};

use super::facts::DROPPED;
use crate::statement::Statement;

/// Why an entry would be dropped without a word: it is neither a dotted-decimal address nor made of
/// letters, digits and hyphens, with `*.` before it or not.
pub(super) fn unreadable(pattern: &Pattern) -> Option<Statement> {
    if pattern.address().is_some_and(|address| address.is_ipv6()) {
        return Some(Statement::not_enforced(
            "no spelling of an IPv6 address was seen to be kept in a list of hosts",
            &DROPPED,
        ));
    }
    let text = pattern.to_string();
    let name = text.strip_prefix("*.").unwrap_or(&text);
    let reads = name.split('.').all(|label| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    });
    (!reads).then(|| {
        Statement::not_enforced(
            "a name with an underscore was not seen to be kept in a list of hosts",
            &DROPPED,
        )
    })
}

/// Whether the pattern names this machine or the local network.
pub(super) fn is_local(pattern: &Pattern) -> bool {
    match (pattern.address(), pattern.base()) {
        (Some(address), _) => matches!(
            Class::of_address(address),
            Class::Loopback | Class::Unspecified | Class::Private | Class::LinkLocal
        ),
        (None, Some(base)) => base == "localhost" || base.ends_with(".localhost"),
        (None, None) => false,
    }
}

//! The patterns of Codex's proxy.

use core::net::IpAddr;

use super::super::{is_reserved, whatwg};

/// A pattern as it is compared: lower case, no trailing dots, no port.
pub(super) fn normal(pattern: &str) -> String {
    let pattern = pattern.trim().to_ascii_lowercase();
    let pattern = match pattern.split_once(':') {
        Some((host, port)) if !port.contains(':') => host,
        _ => pattern.as_str(),
    };
    pattern.trim_end_matches('.').to_owned()
}

/// A scheme, a path, a network, braces, brackets, nothing at all: the session does not start.
pub(super) fn unsupported(pattern: &str) -> bool {
    let rest = normal(pattern);
    let rest = rest
        .strip_prefix("**.")
        .or_else(|| rest.strip_prefix("*."))
        .unwrap_or(&rest);
    rest.is_empty() || pattern.contains(['/', '{', '}', '[', ']'])
}

/// One pattern against a host in lower case without trailing dots.
pub(super) fn matches(pattern: &str, host: &str) -> bool {
    let pattern = normal(pattern);
    if let Some(base) = pattern.strip_prefix("**.") {
        host == base || host.ends_with(&format!(".{base}"))
    } else if let Some(base) = pattern.strip_prefix("*.") {
        host.ends_with(&format!(".{base}"))
    } else {
        wild(pattern.as_bytes(), host.as_bytes())
    }
}

/// Any other star is live too, and crosses dots.
fn wild(pattern: &[u8], host: &[u8]) -> bool {
    match (pattern.split_first(), host.split_first()) {
        (None, _) => host.is_empty(),
        (Some((b'*', rest)), None) => wild(rest, host),
        (Some((b'*', rest)), Some((_, later))) => wild(rest, host) || wild(pattern, later),
        (Some(_), None) => false,
        (Some((p, rest)), Some((c, later))) => (*p == b'?' || p == c) && wild(rest, later),
    }
}

/// This machine, private and reserved addresses, in any spelling a resolver takes.
/// Names are taken to resolve to public addresses.
pub(super) fn is_local(host: &str) -> bool {
    let address = whatwg(host).and_then(|host| host.parse::<IpAddr>().ok());
    host == "localhost" || address.is_some_and(is_reserved)
}

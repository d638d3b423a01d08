//! How Claude Code decides a host: the sandbox's lists for commands, permission rules for the fetch
//! tool.

use core::net::{IpAddr, Ipv6Addr};

use serde_json::Value;

use super::super::{Answer, at, is_loopback, strings, target, whatwg};
use super::{ClaudeCode, argument};

/// Documentation hosts the fetch tool visits with no prompt: the four of about ninety-seven that
/// the record names.
const PRE_APPROVED: [&str; 4] = [
    "docs.python.org",
    "learn.microsoft.com",
    "nodejs.org",
    "huggingface.co",
];

impl ClaudeCode {
    pub(super) fn shell_host(&self, text: &str) -> Answer {
        if !self.sandboxed() {
            return Answer::Unrestricted;
        }
        // The runtime canonicalises what is asked as the URL Standard does, and refuses characters
        // no DNS name has.
        let Some(target) = target(text) else {
            return Answer::Deny;
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-:".contains(c);
        let host = match whatwg(&target.host) {
            Some(host) if target.host.chars().all(plain) => host,
            _ => return Answer::Deny,
        };
        // `sandbox.network` entries and the domains of fetch rules are one list.
        let managed_only =
            self.lock("sandbox.network.allowManagedDomainsOnly") && self.device.at_least("2.1.62");
        let managed_rules: Vec<_> = strings(&self.managed, "permissions.allow")
            .iter()
            .filter_map(|rule| argument(rule, "WebFetch"))
            .collect();
        let allowed = if managed_only {
            [
                strings(&self.managed, "sandbox.network.allowedDomains"),
                Self::fetch_domains(&managed_rules),
            ]
            .concat()
        } else {
            [
                self.union("sandbox.network.allowedDomains"),
                Self::fetch_domains(&self.rules("allow", "WebFetch")),
            ]
            .concat()
        };
        // Older builds reject the whole list over one entry this broad, and block everything; the
        // first release that accepts it lies in 2.1.173 to 2.1.197.
        if !self.device.at_least("2.1.197") && allowed.iter().any(|entry| is_broad(entry)) {
            return Answer::Deny;
        }
        // Builds before 2.1.113 carry the key and do nothing with it.
        if self.device.at_least("2.1.113") {
            let denied = [
                self.union("sandbox.network.deniedDomains"),
                Self::fetch_domains(&self.rules("deny", "WebFetch")),
            ]
            .concat();
            // A denied entry's trailing dot is repaired, an allowed one's is not.
            let mut denied = denied
                .iter()
                .map(|entry| entry.strip_suffix('.').unwrap_or(entry));
            if denied.any(|entry| self.entry_matches(entry, &host, target.port)) {
                return Answer::Deny;
            }
        }
        // This machine is refused even where it is allowed.
        if is_loopback(&host) {
            return Answer::Deny;
        }
        if allowed
            .iter()
            .any(|entry| self.entry_matches(entry, &host, target.port))
        {
            return Answer::Allow;
        }
        let strict = self.device.at_least("2.1.219")
            && self.flag("sandbox.network.strictAllowlist") == Some(true);
        // The lock prompts until 2.1.69 and blocks from then on.
        if strict || (managed_only && self.device.at_least("2.1.69")) {
            Answer::Deny
        } else {
            Answer::Ask
        }
    }

    /// One entry of the sandbox's lists against a canonical host.
    fn entry_matches(&self, entry: &str, host: &str, port: u16) -> bool {
        let (entry, only_port) = split_port(entry);
        if only_port.is_some_and(|only| only != port) {
            return false;
        }
        if entry == "*" {
            return true;
        }
        // IPv6 is written in brackets, from 2.1.229 on; no other spelling was seen to match.
        if host.parse::<Ipv6Addr>().is_ok() {
            let bare = entry
                .strip_prefix('[')
                .and_then(|entry| entry.strip_suffix(']'));
            return self.device.at_least("2.1.229")
                && bare.and_then(whatwg).as_deref() == Some(host);
        }
        let entry = entry.to_ascii_lowercase();
        match entry.strip_prefix("*.") {
            // Never an address; never the apex.
            Some(base) => host.parse::<IpAddr>().is_err() && host.ends_with(&format!(".{base}")),
            // `**.x`, `a*.x`, a scheme, a path, a Unicode spelling: compared as they stand, and no
            // canonical host is spelled so.
            None => entry == host,
        }
    }

    pub(super) fn fetch_host(&self, text: &str) -> Answer {
        // The fetch tool has a matcher of its own, over the URL's canonical host, and does not
        // look at `sandbox.network.deniedDomains`.
        let Some(asked) = target(text) else {
            return Answer::Deny;
        };
        let Some(mut host) = whatwg(&asked.host) else {
            return Answer::Deny;
        };
        // The root's dot is part of the name before 2.1.172 (live: 2.1.170).
        let is_name = host.parse::<IpAddr>().is_err();
        if is_name && asked.host.ends_with('.') && !self.device.at_least("2.1.172") {
            host.push('.');
        }
        let hit = |kind: &str| {
            let rules = self.rules(kind, "WebFetch");
            rules.contains(&None)
                || Self::fetch_domains(&rules)
                    .iter()
                    .any(|entry| self.fetch_matches(entry, &host))
        };
        let bypass = !self.bypass_locked()
            && at(&self.user, "permissions.defaultMode").and_then(Value::as_str)
                == Some("bypassPermissions");
        if hit("deny") {
            Answer::Deny
        } else if hit("ask") {
            Answer::Ask
        } else if bypass || hit("allow") || PRE_APPROVED.contains(&host.as_str()) {
            Answer::Allow
        } else if self.device.at_least("2.1.332")
            // First seen in 2.1.332, absent from 2.1.300.
            && self.flag("permissions.denyInsteadOfPrompting") == Some(true)
        {
            Answer::Deny
        } else {
            Answer::Ask
        }
    }

    fn fetch_matches(&self, entry: &str, host: &str) -> bool {
        if host.parse::<Ipv6Addr>().is_ok() {
            return entry == "*"; // no spelling of one address was observed
        }
        match entry.strip_prefix("*.") {
            _ if entry == "*" => true,
            // Wildcards never matched before 2.1.172.
            Some(base) => self.device.at_least("2.1.172") && host.ends_with(&format!(".{base}")),
            None => entry == host,
        }
    }

    fn bypass_locked(&self) -> bool {
        at(&self.managed, "permissions.disableBypassPermissionsMode").and_then(Value::as_str)
            == Some("disable")
    }

    /// The domains of `WebFetch(domain:…)` rules.
    fn fetch_domains(rules: &[Option<String>]) -> Vec<String> {
        rules
            .iter()
            .flatten()
            .filter_map(|rule| Some(rule.strip_prefix("domain:")?.to_owned()))
            .collect()
    }
}

/// `*` and `*.com`: more than the runtime's own schema accepts.
fn is_broad(entry: &str) -> bool {
    entry == "*"
        || entry
            .strip_prefix("*.")
            .is_some_and(|base| !base.contains('.'))
}

/// A port suffix limits an entry to that port.
fn split_port(entry: &str) -> (&str, Option<u16>) {
    let colons = if entry.starts_with('[') {
        entry.rfind("]:").map(|end| end + 1)
    } else {
        entry.find(':')
    };
    colons
        .and_then(|colon| {
            Some((
                entry.get(..colon)?,
                Some(entry.get(colon + 1..)?.parse().ok()?),
            ))
        })
        .unwrap_or((entry, None))
}

//! How another service embeds the policy: read a repository, keep its organisation, decide hosts.
//!
//! The repository's README is compiled here, so that what it shows cannot stop working.
#![forbid(unsafe_code)]

use std::path::Path;

use policy_core::{Host, Organisation, Policy, Repository, Severity};

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The policy of a ring, read once at start.
///
/// # Errors
///
/// Every error of the repository, a line each; or why the ring has no policy. A service that gets
/// an error here keeps the policy it has, and has none when it is starting: it lets nothing through.
pub fn load(directory: &Path, ring: &str) -> Result<Policy, String> {
    let validation = Repository::read(directory).validate();
    let Some(organisation) = validation.organisation() else {
        let errors = validation
            .findings()
            .iter()
            .filter(|finding| finding.severity() == Severity::Error);
        return Err(errors
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n"));
    };
    select(organisation, ring)
}

fn select(organisation: &Organisation, ring: &str) -> Result<Policy, String> {
    match organisation.select(Some(ring), None) {
        Ok(selection) => Ok(selection.into_policy()),
        Err(error) => Err(error.to_string()),
    }
}

/// What a proxy does with the target of a `CONNECT`: one decision for each connection, on the host
/// that is dialled, and for each redirect again. What is no host is denied.
///
/// The text is the line for the proxy's log.
#[must_use]
pub fn connect(policy: &Policy, target: &str) -> (bool, String) {
    match Host::parse(target) {
        Ok(host) => {
            let decision = policy.egress().decide(&host);
            let line = format!("{} {host} by {}", decision.verdict(), decision.rule());
            (decision.is_allowed(), line)
        }
        Err(error) => (false, format!("deny: {error}; {}", error.help(target))),
    }
}

//! OpenCode: `opencode.json`.
//!
//! It has no sandbox: commands are confined by nothing. Its fetch and file tools obey rules of which
//! the last that matches decides, so the file is written in an order, and a key of another name than
//! `*` never stands before one that it is to beat. A rule here denies or asks, and never allows: what
//! the user is asked before stays the user's. All rules are said again for each agent that there
//! always is, where neither the user's own order nor a variable comes after them.

mod facts;
mod ordered;
mod residual;
mod rules;

use core::net::IpAddr;

use policy_core::{Harness, Pattern, Verdict};

use super::Room;
use super::overlap::allowed_example;
use super::spelling::{elsewhere, is_nowhere};
use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::ledger::Hold;
use crate::render::ManagedFile;
use crate::request::{Request, example};
use crate::target::{Os, Release};
use facts::*;
use ordered::Json;

pub(super) const ROOM: Room = Room {
    harness: Harness::OpenCode,
    newest: Release(1, 18, 33),
    date: DATE,
    facts: FACTS,
    floor: MANAGED.release(),
    bricked: &[],
    channels: &[Channel::Shell, Channel::FetchTool, Channel::FileTools],
    capability,
    render,
    hold,
    mechanism,
    residuals: residual::residuals,
};

/// The agents that there always are. One that a user adds has only the rules of the top level.
const AGENTS: [&str; 4] = ["build", "plan", "general", "explore"];

fn capability(feature: Feature, _: Os) -> Vec<Capability> {
    let partial = |fact, how| Capability::new(Level::Partial, fact, how);
    let none = |how| Capability::new(Level::None, &MANAGED, how);
    match feature {
        Feature::Sandbox | Feature::WritableRoots | Feature::ShellEgress => {
            vec![none("no sandbox; commands are confined by nothing")]
        }
        Feature::ProtectedPaths => vec![partial(
            &PATH_RULES,
            "read, edit and external_directory deny rules bind the file tools only",
        )],
        Feature::FetchTool => vec![partial(
            &HOST_RULES,
            "permission.webfetch: deny when nothing is allowed; else rules by host, undocumented, that ask",
        )],
    }
}

fn render(request: &Request<'_>) -> Vec<ManagedFile> {
    let rules = rules::permission(request);
    if rules.is_empty() {
        return Vec::new();
    }
    let own = |agent: &str| {
        let rules = Json::object([("permission", Json::Object(rules.clone()))]);
        (agent.to_owned(), rules)
    };
    let root = Json::object([
        ("permission", Json::Object(rules.clone())),
        ("agent", Json::Object(AGENTS.map(own).to_vec())),
    ]);
    let path = match request.os() {
        Os::Linux => "/etc/opencode/opencode.json",
        Os::MacOs => "/Library/Application Support/opencode/opencode.json",
        Os::Windows => r"C:\ProgramData\opencode\opencode.json",
    };
    vec![ManagedFile::new(path, root.to_bytes())]
}

fn hold(request: &Request<'_>, clause: &Clause, channel: Channel) -> Hold {
    match (clause, channel) {
        (_, Channel::Shell) => Hold::not_held("commands are confined by nothing", &NO_SANDBOX),
        (Clause::ProtectedPath(path), _) if is_nowhere(request, path) => Hold::not_held(
            "an absolute path of the policy names nothing on Windows",
            &PATH_RULES,
        ),
        (Clause::ProtectedPath(path), _) => match elsewhere(request, path) {
            Some(other) => Hold::narrower(
                "recognised by how its spelling ends, so every path that ends like it is closed",
                other,
                &PATH_RULES,
            ),
            None => Hold::held(&PATH_RULES),
        },
        _ if request.denies_by_default() => hold_listed(request, clause),
        _ => hold_denied(request, clause),
    }
}

/// A host clause in the fetch tool under a default of deny.
fn hold_listed(request: &Request<'_>, clause: &Clause) -> Hold {
    match clause {
        Clause::Allow(pattern, _) if request.is_open(pattern) => {
            if let Some(hold) = rules::unspeakable(pattern) {
                return hold;
            }
            let Some(host) = allowed_example(request, pattern) else {
                return Hold::held(&HOST_RULES);
            };
            let how = if pattern.is_wildcard() && request.denies_any_host() {
                "asked about on the scheme's own port and in lower case, and refused in any other spelling, and where a denied name begins the address"
            } else {
                "asked about on the scheme's own port and in lower case, and refused in any other spelling"
            };
            Hold::narrower(how, format!("https://{host}:8443/"), &HOST_RULES)
        }
        Clause::Allow(..) => Hold::held(&HOST_RULES),
        _ => match request.open_wildcards().first().and_then(Pattern::base) {
            Some(base) => {
                let (how, address) = match clause {
                    Clause::Deny(denied) => (
                        "in other spellings it is asked about wherever an allowed wildcard stands in the address",
                        format!("https://{}?.{base}/", respelt(&example(denied))),
                    ),
                    _ => (
                        "a wildcard is asked about wherever in the address it stands",
                        format!("https://{}/?.{base}/", request.unlisted_host()),
                    ),
                };
                Hold::wider(how, address, &HOST_RULES)
            }
            None => Hold::held(&HOST_RULES),
        },
    }
}

/// A host as no rule spells it and clients read it: a name in capitals, an address in the other
/// family's form.
fn respelt(host: &str) -> String {
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => format!("[::ffff:{address}]"),
        // No rule speaks of one.
        Ok(IpAddr::V6(address)) => format!("[{address}]"),
        Err(_) => host.to_ascii_uppercase(),
    }
}

/// A host clause in the fetch tool under a default of allow.
fn hold_denied(request: &Request<'_>, clause: &Clause) -> Hold {
    match clause {
        Clause::Deny(pattern) => rules::unspeakable(pattern).unwrap_or_else(|| {
            Hold::wider(
                "in other spellings it is asked about",
                format!("https://{}?", example(pattern)),
                &HOST_RULES,
            )
        }),
        Clause::Default(Verdict::Allow) => match request
            .denied()
            .iter()
            .find(|denied| rules::unspeakable(denied).is_none())
        {
            Some(denied) => Hold::narrower(
                "an address in whose path a denied host stands is refused as well",
                format!(
                    "https://{}/{}",
                    request.unlisted_host(),
                    rules::in_a_path(denied)
                ),
                &HOST_RULES,
            ),
            None => Hold::held(&ASKS),
        },
        _ => Hold::held(&ASKS),
    }
}

fn mechanism(channel: Channel) -> &'static str {
    match channel {
        Channel::Shell => "nothing",
        Channel::FetchTool => "permission.webfetch rules for the fetch tool",
        Channel::FileTools => "permission read/edit/external_directory rules for the file tools",
    }
}

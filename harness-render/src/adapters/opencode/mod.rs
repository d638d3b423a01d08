//! OpenCode: `opencode.json`.
//!
//! It has no sandbox: commands are confined by nothing. Its fetch and file tools obey rules of which
//! the last that matches decides, so the file is written in an order, and a key of another name than
//! `*` never comes before a key that it must override. A rule here denies or asks, and never allows: what
//! the user is asked before stays the user's. All rules are said again for each agent that there
//! always is, where neither the user's own order nor a variable comes after them.

mod checks;
mod facts;
mod ordered;
mod spelling;
mod ways;

use core::net::IpAddr;

use policy_core::{Harness, Pattern, Verdict};

use crate::adapter::{Adapter, Programs};
use crate::adapters::overlap::allowed_example;
use crate::adapters::paths::{elsewhere, is_nowhere};
use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::file::ManagedFile;
use crate::posture::value::Lists;
use crate::request::{Request, example};
use crate::statement::{Entries, Statement};
use crate::target::{Os, Release};
use checks::MANAGED as FILE;
use facts::*;
use ordered::Json;
use spelling::{ASKED, PATHS, REFUSED};

pub(crate) const ADAPTER: Adapter = Adapter {
    harness: Harness::OpenCode,
    newest: Release(1, 18, 33),
    date: DATE,
    facts: FACTS,
    floor: MANAGED.release(),
    incompatible: &[],
    channels: &[Channel::Shell, Channel::FetchTool, Channel::FileTools],
    capability,
    say,
    assemble,
    mechanism,
    locks: &[],
    ways: ways::WAYS,
    watched: checks::WATCHED,
    checks: checks::CHECKS,
    summary: checks::summary,
    lists: Lists::Replaced,
    written: &["$schema"],
    most_bytes: None,
    programs: Programs {
        names: &["opencode"],
        packages: &["opencode-ai"],
        versions: &[],
    },
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

fn assemble(request: &Request<'_>, entries: &Entries<'_>) -> Vec<ManagedFile> {
    let rules = spelling::permission(request, entries);
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
    vec![ManagedFile::new(FILE.on(request.os()), root.to_bytes())]
}

fn say(request: &Request<'_>, clause: &Clause, channel: Channel) -> Statement {
    match (clause, channel) {
        (_, Channel::Shell) => {
            Statement::not_enforced("commands are confined by nothing", &NO_SANDBOX)
        }
        (Clause::ProtectedPath(path), _) if is_nowhere(request, path) => Statement::not_enforced(
            "an absolute path of the policy names nothing on Windows",
            &PATH_RULES,
        ),
        (Clause::ProtectedPath(path), _) => match elsewhere(request, path) {
            Some(other) => Statement::narrower(
                "recognised by how its spelling ends, so every path that ends like it is closed",
                other,
                &PATH_RULES,
            ),
            None => Statement::enforced(&PATH_RULES),
        }
        .in_lists(&[PATHS]),
        _ if request.denies_by_default() => say_listed(request, clause),
        _ => say_denied(request, clause),
    }
}

/// A host clause in the fetch tool under a default of deny.
fn say_listed(request: &Request<'_>, clause: &Clause) -> Statement {
    match clause {
        Clause::Allow(pattern, _) if request.is_open(pattern) => {
            if let Some(said) = spelling::unspeakable(pattern) {
                return said;
            }
            let Some(host) = allowed_example(request, pattern) else {
                return Statement::enforced(&HOST_RULES).in_lists(&[ASKED]);
            };
            let how = if pattern.is_wildcard() && request.denies_any_host() {
                "asked about on the scheme's own port and in lower case, and refused in any other spelling, and where a denied name begins the address"
            } else {
                "asked about on the scheme's own port and in lower case, and refused in any other spelling"
            };
            Statement::narrower(how, format!("https://{host}:8443/"), &HOST_RULES)
                .in_lists(&[ASKED])
        }
        Clause::Allow(..) => Statement::enforced(&HOST_RULES),
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
                Statement::wider(how, address, &HOST_RULES)
            }
            None => Statement::enforced(&HOST_RULES),
        }
        .in_lists_if(is_spoken(clause), &[REFUSED]),
    }
}

/// Whether a clause denies a host that has a rule.
fn is_spoken(clause: &Clause) -> bool {
    matches!(clause, Clause::Deny(denied) if spelling::unspeakable(denied).is_none())
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
fn say_denied(request: &Request<'_>, clause: &Clause) -> Statement {
    match clause {
        Clause::Deny(pattern) => spelling::unspeakable(pattern).unwrap_or_else(|| {
            Statement::wider(
                "in other spellings it is asked about",
                format!("https://{}?", example(pattern)),
                &HOST_RULES,
            )
            .in_lists(&[REFUSED])
        }),
        Clause::Default(Verdict::Allow) => match request
            .denied()
            .iter()
            .find(|denied| spelling::unspeakable(denied).is_none())
        {
            Some(denied) => Statement::narrower(
                "an address in whose path a denied host stands is refused as well",
                format!(
                    "https://{}/{}",
                    request.unlisted_host(),
                    spelling::in_a_path(denied)
                ),
                &HOST_RULES,
            ),
            None => Statement::enforced(&ASKS),
        },
        _ => Statement::enforced(&ASKS),
    }
}

fn mechanism(channel: Channel) -> &'static str {
    match channel {
        Channel::Shell => "nothing",
        Channel::FetchTool => "permission.webfetch rules for the fetch tool",
        Channel::FileTools => "permission read/edit/external_directory rules for the file tools",
    }
}

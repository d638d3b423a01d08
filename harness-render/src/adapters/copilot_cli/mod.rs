//! Copilot CLI: `managed-settings.json`.
//!
//! The sandbox binds commands by a proxy with two lists of hosts, and `limitTo` bounds the fetch
//! tool together with the addresses that the program finds in a command. Neither is what it seems:
//! an entry that is not a host is silently dropped, and an allow list left without entries
//! allows everything. So no entry is written that the program would not read as the policy means it.

mod checks;
mod facts;
mod locks;
mod spelling;
mod ways;

use policy_core::{
    Access, FilePath, Harness, Host, Mode, Pattern, ProtectedPath, Verdict, WritableRoot,
};
use serde_json::{Map, Value, json};

use crate::adapter::{Adapter, Programs};
use crate::adapters::overlap::{allowed_example, allowed_over, ancestors, is_denied_by_name};
use crate::adapters::paths::is_nowhere;
use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::format::{self, put_json};
use crate::lock::to_json;

use crate::file::ManagedFile;
use crate::posture::value::Lists;
use crate::request::{Request, example};
use crate::statement::{Entries, List, Statement};
use crate::target::{Os, Release};
use checks::MANAGED;
use facts::*;
use locks::LOCKS;
use spelling::{is_local, unreadable};

pub(crate) const ADAPTER: Adapter = Adapter {
    harness: Harness::CopilotCli,
    newest: Release(1, 0, 102),
    date: DATE,
    facts: FACTS,
    floor: SANDBOX.release(),
    incompatible: &[],
    channels: &[Channel::Shell, Channel::FetchTool, Channel::FileTools],
    capability,
    say,
    assemble,
    mechanism,
    locks: LOCKS,
    ways: ways::WAYS,
    watched: checks::WATCHED,
    checks: checks::CHECKS,
    summary: checks::summary,
    lists: Lists::Replaced,
    written: &[],
    most_bytes: Some(MAX_BYTES),
    programs: Programs {
        names: &["copilot"],
        packages: &["@github/copilot"],
        versions: &[],
    },
};

/// The lists of `userPolicy` and of the permissions.
const WRITABLE: List = "readwritePaths";
const DENIED: List = "deniedPaths";
const ALLOWED_HOSTS: List = "allowedHosts";
const BLOCKED_HOSTS: List = "blockedHosts";
const LIMIT_TO: List = "limitTo";

/// The largest file that the program reads; a larger one it rejects as a whole.
const MAX_BYTES: usize = 65_536;

fn capability(feature: Feature, os: Os) -> Vec<Capability> {
    let partial = |fact, how| Capability::new(Level::Partial, fact, how);
    let full = |fact, how| Capability::new(Level::Full, fact, how);
    match (feature, os) {
        (Feature::Sandbox, Os::Windows) => vec![partial(
            &SANDBOX,
            "sandbox.enabled; read-only renders as workspace-write",
        )],
        (Feature::Sandbox, _) => vec![partial(
            &SANDBOX,
            "sandbox.enabled; read-only renders as workspace-write, and /tmp is writable",
        )],
        (Feature::WritableRoots, _) => vec![partial(
            &CEILING,
            "readwritePaths bounds the user's own list and grants nothing",
        )],
        (Feature::ProtectedPaths, _) => vec![partial(
            &DENIED_PATHS,
            "deniedPaths binds commands only and knows no globs",
        )],
        (Feature::ShellEgress, Os::Windows) => vec![partial(
            &WINDOWS,
            "userPolicy.network binds programs that honour the proxy",
        )],
        (Feature::ShellEgress, _) => vec![full(
            &ALLOWED,
            "userPolicy.network allowedHosts and blockedHosts",
        )],
        (Feature::FetchTool, _) => vec![partial(
            &LIMIT,
            "permissions.limitTo, under a default of deny",
        )],
    }
}

fn assemble(request: &Request<'_>, entries: &Entries<'_>) -> Vec<ManagedFile> {
    let mut root = to_json(&entries.locks);
    put_json(
        &mut root,
        "sandbox.userPolicy.filesystem",
        filesystem(entries),
    );
    put_json(
        &mut root,
        "sandbox.userPolicy.network",
        network(request, entries),
    );
    if request.denies_by_default() && request.has(&LIMIT) {
        let limit = entries.allowed(LIMIT_TO).into_iter();
        let limit: Vec<String> = limit.map(|pattern| format!("Domain({pattern})")).collect();
        put_json(&mut root, "permissions.limitTo", json!(limit));
    }
    vec![ManagedFile::new(
        MANAGED.on(request.os()),
        format::json(&root.into()),
    )]
}

fn filesystem(entries: &Entries<'_>) -> Value {
    let roots: Vec<&str> = entries.roots(WRITABLE).map(WritableRoot::as_str).collect();
    // Also when it is empty: without the list a user may add any path.
    let mut filesystem = Map::from_iter([("readwritePaths".to_owned(), json!(roots))]);
    let denied: Vec<&str> = entries.paths(DENIED).map(without_stars).collect();
    if !denied.is_empty() {
        filesystem.insert("deniedPaths".to_owned(), json!(denied));
    }
    filesystem.into()
}

/// `~/.ssh/**` is `~/.ssh` with all below it, as every protected path is.
fn without_stars(path: &ProtectedPath) -> &str {
    let text = path.as_str();
    text.strip_suffix("/**").unwrap_or(text)
}

/// A protected path as `deniedPaths` takes it, or why it does not.
fn denied_path<'p>(request: &Request<'_>, path: &'p ProtectedPath) -> Result<&'p str, Statement> {
    let text = without_stars(path);
    if is_nowhere(request, path) {
        Err(Statement::not_enforced(
            "an absolute path of the policy names nothing on Windows",
            &WINDOWS,
        ))
    } else if text.contains(['*', '?', '[']) {
        Err(Statement::not_enforced(
            "deniedPaths takes a glob for the name of one file, and leaves a file of that name behind",
            &NO_GLOBS,
        ))
    } else {
        Ok(text)
    }
}

fn network(request: &Request<'_>, entries: &Entries<'_>) -> Value {
    let texts =
        |hosts: Vec<Pattern>| -> Vec<String> { hosts.iter().map(Pattern::to_string).collect() };
    let allowed = texts(entries.allowed(ALLOWED_HOSTS));
    let blocked = texts(entries.denied(BLOCKED_HOSTS));
    let mut network = Map::new();
    if request.denies_by_default() {
        // Off, it closes allowed hosts as well; on, an empty list opens every host.
        network.insert("allowOutbound".to_owned(), json!(!allowed.is_empty()));
        // On Windows the proxy that knows the lists is itself on the local network.
        if request.os() != Os::Windows || allowed.is_empty() {
            network.insert("allowLocalNetwork".to_owned(), json!(false));
        }
    }
    let reaches_none = request.denies_by_default() && allowed.is_empty();
    if !blocked.is_empty() && !reaches_none {
        network.insert("blockedHosts".to_owned(), json!(blocked));
    }
    if !allowed.is_empty() {
        network.insert("allowedHosts".to_owned(), json!(allowed));
    }
    network.into()
}

/// Whether an allowed host is worth an entry of `allowedHosts`.
fn is_in_list(pattern: &Pattern) -> bool {
    unreadable(pattern).is_none() && !is_local(pattern)
}

/// Whether a denied host is written. A blocked name takes every host below it along; where the
/// allow list does not let the name in anyhow, and something below it is allowed, it is left out.
fn is_blocked(request: &Request<'_>, denied: &Pattern) -> bool {
    let Some(base) = denied.base().filter(|_| !denied.is_wildcard()) else {
        return true;
    };
    !request.denies_by_default()
        || allowed_over(request, denied, is_in_list).is_some()
        || request.allowed_below(base).is_none()
}

/// An allowed host that is closed because it is below a blocked name.
fn closed_below(request: &Request<'_>, allowed: &Pattern) -> Option<String> {
    let base = allowed.base()?;
    let above = ancestors(base).find(|name| {
        (allowed.is_wildcard() || *name != base)
            && Pattern::parse(name).is_ok_and(|name| {
                is_denied_by_name(request, &name)
                    && unreadable(&name).is_none()
                    && is_blocked(request, &name)
            })
    });
    if above.is_some() {
        return allowed_example(request, allowed);
    }
    if !allowed.is_wildcard() {
        return None;
    }
    request
        .denied_below(base)
        .into_iter()
        .filter(|denied| !denied.is_wildcard() && unreadable(denied).is_none())
        .find_map(|denied| request.allowed_below(denied.base()?))
}

/// Whether an allowed host has an entry in `limitTo`. There a wildcard lets its own name in, and
/// nothing beats an entry: a wildcard that would let in a host the policy denies is left out.
fn is_in_limit(request: &Request<'_>, allowed: &Pattern) -> bool {
    unreadable(allowed).is_none() && !lets_in_denied(request, allowed)
}

/// Whether an entry of `limitTo` for an allowed pattern would let in a denied one.
fn lets_in_denied(request: &Request<'_>, allowed: &Pattern) -> bool {
    let Some(base) = allowed.base().filter(|_| allowed.is_wildcard()) else {
        return false;
    };
    let apex = Host::parse(base);
    !request.denied_below(base).is_empty()
        || apex.is_ok_and(|apex| request.is_denied_by(&apex, |_| true))
}

fn say(request: &Request<'_>, clause: &Clause, channel: Channel) -> Statement {
    match (clause, channel) {
        (Clause::Mode(Mode::ReadOnly), _) if request.os() == Os::Windows => Statement::wider(
            "no key makes the workspace read-only; rendered as workspace-write",
            "README.md",
            &NO_READ_ONLY,
        ),
        (Clause::Mode(_), _) if request.os() == Os::Windows => Statement::enforced(&SANDBOX),
        (Clause::Mode(mode), _) => say_mode(request, *mode),
        (Clause::WritableRoot(root), _)
            if request.os() == Os::Windows && root.as_str().starts_with('/') =>
        {
            Statement::not_enforced(
                "an absolute path of the policy names nothing on Windows",
                &WINDOWS,
            )
        }
        (Clause::WritableRoot(root), _) => Statement::narrower(
            "readwritePaths bounds the user's own list and grants nothing: the root has to stand in ~/.copilot/settings.json in the same words",
            root.to_string(),
            &CEILING,
        )
        .in_lists(&[WRITABLE]),
        (Clause::ProtectedPath(path), Channel::Shell) => match denied_path(request, path) {
            Ok(text) if path.is_at_any_depth() => Statement::wider(
                "deniedPaths names it at the root of the workspace only",
                format!("a/{text}"),
                &DENIED_PATHS,
            )
            .in_lists(&[DENIED]),
            Ok(_) => Statement::enforced(&DENIED_PATHS).in_lists(&[DENIED]),
            Err(said) => said,
        },
        (Clause::ProtectedPath(_), _) => Statement::not_enforced(
            "only permissions.deny binds the file tools, and one such rule makes a question of all that no rule names",
            &DENY_ASKS_ALL,
        ),
        (_, Channel::FetchTool) => say_fetch(request, clause),
        (Clause::Allow(pattern, _), _) => {
            let is_listed = request.denies_by_default() && request.is_open(pattern) && is_in_list(pattern);
            say_shell(request, clause).in_lists_if(is_listed, &[ALLOWED_HOSTS])
        }
        (Clause::Deny(pattern), _) => {
            let is_listed = unreadable(pattern).is_none() && is_blocked(request, pattern);
            say_shell(request, clause).in_lists_if(is_listed, &[BLOCKED_HOSTS])
        }
        _ => say_shell(request, clause),
    }
}

/// The mode, with what the sandbox opens and closes beyond it.
fn say_mode(request: &Request<'_>, mode: Mode) -> Statement {
    let access = |text: &str| {
        FilePath::parse(text).map_or(Access::None, |path| request.sandbox().access(&path))
    };
    let outside = ["~/notes", "/srv/public", "/opt/public"];
    let closed = outside
        .into_iter()
        .find(|text| access(text) != Access::None);
    let (how, gains, fact) = if mode == Mode::ReadOnly {
        (
            "no key makes the workspace read-only; rendered as workspace-write, in which commands do not see the home and most paths outside the workspace",
            Some("README.md"),
            &NO_READ_ONLY,
        )
    } else {
        (
            "commands may write /tmp, and do not see the home and most paths outside the workspace",
            Some("/tmp/x").filter(|text| access(text) == Access::Read),
            &CONFINED,
        )
    };
    Statement::weaker(how, gains.map(Into::into), closed.map(Into::into), fact)
}

fn say_shell(request: &Request<'_>, clause: &Clause) -> Statement {
    if request.os() == Os::Windows
        && let Some(closed) = match clause {
            Clause::Deny(pattern) => Some(example(pattern)),
            Clause::Default(Verdict::Deny) => Some(request.unlisted_host()),
            _ => None,
        }
    {
        return Statement::wider(
            "the lists bind programs that honour the proxy",
            closed,
            &WINDOWS,
        );
    }
    match clause {
        Clause::Allow(pattern, _) => say_allowed(request, pattern),
        Clause::Deny(pattern) => {
            let is_let_in = !request.denies_by_default()
                || allowed_over(request, pattern, is_in_list).is_some();
            match unreadable(pattern) {
                Some(said) if is_let_in => said,
                None if is_let_in => Statement::enforced(&BLOCKED),
                _ => Statement::enforced(&ALLOWED),
            }
        }
        Clause::Default(Verdict::Allow) => {
            let lost = request
                .denied()
                .iter()
                .filter(|denied| !denied.is_wildcard() && unreadable(denied).is_none())
                .find_map(|denied| request.allowed_below(denied.base()?));
            if let Some(lost) = lost {
                Statement::narrower(BELOW, lost, &BLOCKED_BELOW)
            } else if !request.has(&LOCAL_NETWORK) && request.is_unlisted("localhost") {
                Statement::narrower(
                    "this machine and the local network are closed before 1.0.100",
                    "localhost",
                    &LOCAL_NETWORK,
                )
            } else {
                Statement::enforced(&BLOCKED)
            }
        }
        _ => Statement::enforced(&ALLOWED),
    }
}

const BELOW: &str = "a blocked host takes every host below it along";

fn say_allowed(request: &Request<'_>, pattern: &Pattern) -> Statement {
    if !request.denies_by_default() || !request.is_open(pattern) {
        return Statement::enforced(&ALLOWED);
    }
    if let Some(said) = unreadable(pattern) {
        return said;
    }
    if is_local(pattern) {
        return Statement::not_enforced(
            "this machine and the local network are refused beside a list of hosts",
            &LOCAL_REFUSED,
        );
    }
    if let Some(lost) = closed_below(request, pattern) {
        return Statement::narrower(BELOW, lost, &BLOCKED_BELOW);
    }
    if request.has(&LIMIT) && !is_in_limit(request, pattern) {
        return Statement::weaker(
            "a command in which such an address is spelt out is refused",
            None,
            None,
            &LIMIT_IN_COMMANDS,
        );
    }
    Statement::enforced(&ALLOWED)
}

fn say_fetch(request: &Request<'_>, clause: &Clause) -> Statement {
    let is_closing = matches!(clause, Clause::Deny(_) | Clause::Default(Verdict::Deny));
    if !request.has(&LIMIT) {
        return Statement::not_enforced("limitTo is dropped without a word before 1.0.93", &LIMIT);
    }
    if !request.denies_by_default() {
        return if is_closing {
            Statement::not_enforced(
                "under a default of allow only permissions.deny could say it, and one such rule makes a question of all that no rule names",
                &DENY_ASKS_ALL,
            )
        } else {
            Statement::enforced(&UNMANAGED)
        };
    }
    match clause {
        Clause::Allow(pattern, _) if request.is_open(pattern) => {
            if let Some(said) = unreadable(pattern) {
                return said;
            }
            let lost = lets_in_denied(request, pattern).then(|| allowed_example(request, pattern));
            match lost.flatten() {
                Some(lost) => Statement::narrower(
                    "left out of limitTo, where nothing could close the denied hosts that the wildcard lets in",
                    lost,
                    &LIMIT_APEX,
                ),
                None => Statement::enforced(&LIMIT),
            }
            .in_lists_if(!lets_in_denied(request, pattern), &[LIMIT_TO])
        }
        Clause::Default(Verdict::Deny) => {
            let wildcards = request.open_wildcards().iter();
            let mut limited = wildcards.filter(|pattern| is_in_limit(request, pattern));
            let apex = limited.find_map(|pattern| {
                let base = pattern.base().map(str::to_owned);
                base.filter(|base| request.is_unlisted(base))
            });
            match apex {
                Some(apex) => Statement::wider(
                    "in limitTo a wildcard lets in its own name as well",
                    apex,
                    &LIMIT_APEX,
                ),
                None => Statement::enforced(&LIMIT),
            }
        }
        _ => Statement::enforced(&LIMIT),
    }
}

fn mechanism(channel: Channel) -> &'static str {
    match channel {
        Channel::Shell => "sandbox.userPolicy.network allowedHosts/blockedHosts for commands",
        Channel::FetchTool => "permissions.limitTo for the fetch tool",
        Channel::FileTools => "no rule for the file tools",
    }
}

//! Codex: `requirements.toml`, and before permission profiles `managed_config.toml`.
//!
//! Two generations. From 0.138.0 a managed permission profile says writable roots, denied paths and
//! network; before 0.134.0 lists say what they can. The releases between refuse a profile and start
//! with nothing that is worth having, so a pin to one of them is an error.

mod checks;
mod facts;
mod locks;
mod spelling;
mod ways;

use core::net::{IpAddr, Ipv6Addr};

use policy_core::{
    Class, Harness, Mode, PathAnchor, Pattern, ProtectedPath, Verdict, WritableRoot,
};
use toml::{Table, Value};

use crate::adapters::overlap::allowed_example;

use crate::adapter::{Adapter, Incompatible, Programs};
use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::file::ManagedFile;
use crate::format::{self, put_toml};
use crate::lock::to_toml;
use crate::posture::value::Lists;
use crate::request::{NOT_OPENED, Request, example};
use crate::statement::{Entries, List, Statement};
use crate::target::{Os, Release};
use checks::MANAGED;
use facts::*;
use locks::{LOCKS, PROFILE_NAME, lists_hosts};
use spelling::{Place, SCAN_DEPTH, is_glob, place, say_in_workspace, say_on_device, spellings};

pub(crate) const ADAPTER: Adapter = Adapter {
    harness: Harness::Codex,
    newest: Release(0, 171, 0),
    date: DATE,
    facts: FACTS,
    floor: MODES.release(),
    incompatible: &[Incompatible {
        from: PROFILES_REFUSED.release(),
        before: PROFILE.release(),
        field: "sandbox.mode",
        fact: &PROFILES_REFUSED,
        works: "pin 0.138.0 or later, or 0.133.0 or earlier",
    }],
    channels: &[Channel::Shell, Channel::FileTools],
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
    most_bytes: None,
    programs: Programs {
        names: &["codex"],
        packages: &["@openai/codex"],
        versions: &[],
    },
};

/// Stands in `deny_read` where the policy protects no path that could: as long as the list has an
/// entry, a command that the user lets run outside the sandbox keeps its hosts.
const SENTINEL: &str = "~/.halo-unreadable";

/// The profile's and the older configuration's writable roots.
const ROOTS: List = "writable_roots";
/// Denied on the device, and below the workspace.
const DEVICE: List = "deny_read";
const WORKSPACE: List = ":workspace_roots";
/// Hosts, of the list and of the profile that repeats it.
const ALLOWED_HOSTS: List = "allowed_domains";
const DENIED_HOSTS: List = "denied_domains";

fn capability(feature: Feature, os: Os) -> Vec<Capability> {
    let partial = |fact, how| Capability::new(Level::Partial, fact, how);
    let full = |fact, how| Capability::new(Level::Full, fact, how);
    match (feature, os) {
        (Feature::FetchTool, _) => vec![],
        (Feature::Sandbox, Os::Windows) => vec![partial(
            &MODES,
            "allowed_sandbox_modes; no sandbox confines commands by default",
        )],
        (Feature::Sandbox, _) => vec![partial(
            &MODES,
            "allowed_sandbox_modes; workspace-write leaves /tmp writable",
        )],
        (Feature::WritableRoots, Os::Windows) => {
            vec![partial(&PROFILE, "permission profile; from the home only")]
        }
        (Feature::WritableRoots, _) => vec![
            partial(&PINNED_CONFIG, "managed_config.toml writable_roots"),
            full(&PROFILE, "permission profile"),
        ],
        (Feature::ProtectedPaths, Os::Windows) => vec![partial(
            &DENY_READ,
            "deny_read binds the file tools only; from the home only",
        )],
        (Feature::ProtectedPaths, _) => vec![
            partial(&DENY_READ, "deny_read; nothing in the workspace"),
            partial(
                &PROFILE,
                "deny_read and permission profile; in the workspace to a depth",
            ),
            partial(
                &UNBOUNDED_GLOBS,
                "deny_read and permission profile; globs in the last name only",
            ),
            full(&DENY_READ_GLOBS, "deny_read and permission profile"),
        ],
        (Feature::ShellEgress, Os::Windows) => {
            vec![partial(&NETWORK, "[experimental_network] holds in part")]
        }
        (Feature::ShellEgress, _) => vec![
            partial(&PINNED_CONFIG, "managed_config.toml keeps the network off"),
            partial(&NETWORK, "[experimental_network] under default deny"),
            full(&PROFILE, "[experimental_network]"),
        ],
    }
}

fn assemble(request: &Request<'_>, entries: &Entries<'_>) -> Vec<ManagedFile> {
    let mut root = to_toml(&entries.locks);
    let modes: &[&str] = match request.mode() {
        Mode::ReadOnly => &["read-only"],
        // Without `read-only` in the list Codex does not start.
        _ => &["read-only", "workspace-write"],
    };
    root.insert("allowed_sandbox_modes".to_owned(), list(modes));
    if lists_hosts(request) {
        network(request, entries, &mut root);
    }
    let mut permissions = Table::new();
    if request.has(&PROFILE) {
        permissions.insert(PROFILE_NAME.to_owned(), profile(request, entries).into());
    }
    if request.has(&DENY_READ) {
        let mut denied = spelled(entries, DEVICE);
        if denied.is_empty() {
            denied.push(SENTINEL.to_owned());
        }
        let filesystem = table([("deny_read", list(&denied))]);
        permissions.insert("filesystem".to_owned(), filesystem.into());
    }
    if !permissions.is_empty() {
        root.insert("permissions".to_owned(), permissions.into());
    }
    let mut files: Vec<ManagedFile> = managed_config(request, entries).into_iter().collect();
    files.push(ManagedFile::new(
        MANAGED.on(request.os()),
        format::toml(&root),
    ));
    files
}

/// The list of hosts. Never with denied hosts alone, which would block every host.
fn network(request: &Request<'_>, entries: &Entries<'_>, root: &mut Table) {
    let (allowed, denied) = (entries.allowed(ALLOWED_HOSTS), entries.denied(DENIED_HOSTS));
    if !denied.is_empty() && (!request.denies_by_default() || !allowed.is_empty()) {
        put_toml(root, "experimental_network.denied_domains", list(&denied));
    }
    if !allowed.is_empty() {
        put_toml(root, "experimental_network.allowed_domains", list(&allowed));
    }
}

fn profile(request: &Request<'_>, entries: &Entries<'_>) -> Table {
    let base = match request.mode() {
        Mode::ReadOnly => ":read-only",
        _ => ":workspace",
    };
    let mut profile = table([("extends", base.into())]);
    let mut filesystem = Table::new();
    for root in entries.roots(ROOTS) {
        filesystem.insert(root.to_string(), "write".into());
    }
    for path in spelled(entries, DEVICE) {
        filesystem.insert(path, "deny".into());
    }
    let mut workspace = Table::new();
    for path in spelled(entries, WORKSPACE) {
        workspace.insert(path, "deny".into());
    }
    if !workspace.is_empty() {
        if workspace.keys().any(|path| is_glob(path)) && !request.has(&UNBOUNDED_GLOBS) {
            filesystem.insert("glob_scan_max_depth".to_owned(), SCAN_DEPTH.into());
        }
        filesystem.insert(":workspace_roots".to_owned(), workspace.into());
    }
    if !filesystem.is_empty() {
        profile.insert("filesystem".to_owned(), filesystem.into());
    }
    // The profile repeats the list of hosts, in the form that was observed to work. Where nothing is
    // allowed it says nothing, and its network stays off.
    let mut domains = Table::new();
    if request.opens_unlisted_hosts() {
        domains.insert("*".to_owned(), "allow".into());
    }
    for pattern in entries.allowed(ALLOWED_HOSTS) {
        domains.insert(pattern.to_string(), "allow".into());
    }
    if !domains.is_empty() {
        for pattern in entries.denied(DENIED_HOSTS) {
            domains.insert(pattern.to_string(), "deny".into());
        }
        let network = table([("enabled", true.into()), ("domains", domains.into())]);
        profile.insert("network".to_owned(), network.into());
    }
    profile
}

/// Before profiles, the roots and the network switch are configuration; here they stand above the
/// user's.
fn managed_config(request: &Request<'_>, entries: &Entries<'_>) -> Option<ManagedFile> {
    if request.has(&PROFILE) || request.os() == Os::Windows {
        return None;
    }
    let mut write = Table::new();
    if request.mode() == Mode::WorkspaceWrite {
        let roots: Vec<&WritableRoot> = entries.roots(ROOTS).collect();
        write.insert("writable_roots".to_owned(), list(&roots));
    }
    if request.denies_by_default() && !request.has(&NETWORK) {
        write.insert("network_access".to_owned(), false.into());
    }
    let root = table([("sandbox_workspace_write", write.into())]);
    let path = "/etc/codex/managed_config.toml";
    Some(ManagedFile::new(path, format::toml(&root)))
}

fn spelled(entries: &Entries<'_>, list: List) -> Vec<String> {
    entries.paths(list).flat_map(spellings).collect()
}

fn say(request: &Request<'_>, clause: &Clause, channel: Channel) -> Statement {
    let windows = request.os() == Os::Windows;
    match (clause, channel) {
        (_, Channel::FetchTool) => say_web_search(request, clause),
        (Clause::Mode(_), _) if windows => Statement::wider(
            "full access is refused, but no sandbox confines commands by default",
            "~/.profile",
            &WINDOWS,
        ),
        (Clause::Mode(Mode::WorkspaceWrite), _) => Statement::wider(
            "the temporary directory is writable as well",
            "/tmp/x",
            &TMP,
        ),
        (Clause::Mode(_), _) => Statement::enforced(&MODES),
        (Clause::WritableRoot(root), _) if windows && root.anchor() == PathAnchor::Absolute => {
            Statement::not_enforced(
                "an absolute path of the policy names nothing on Windows",
                &WINDOWS,
            )
        }
        (Clause::WritableRoot(_), _) if request.has(&PROFILE) => {
            Statement::enforced(&PROFILE).in_lists(&[ROOTS])
        }
        (Clause::WritableRoot(_), _) if windows => Statement::not_enforced(
            "no managed place says a writable root before 0.138.0",
            &PROFILE,
        ),
        (Clause::WritableRoot(_), _) => Statement::enforced(&PINNED_CONFIG).in_lists(&[ROOTS]),
        (Clause::ProtectedPath(path), _) => say_path(request, path, channel),
        (Clause::Allow(..), _) => say_host(request, clause).in_lists(&[ALLOWED_HOSTS]),
        (Clause::Deny(_), _) => say_host(request, clause).in_lists(&[DENIED_HOSTS]),
        (Clause::Default(_), _) => say_host(request, clause),
    }
}

/// A protected path, which both channels have from one entry.
fn say_path(request: &Request<'_>, path: &ProtectedPath, channel: Channel) -> Statement {
    let place = place(request, path);
    let is_written = channel == Channel::FileTools;
    let lists: &[List] = match &place {
        Ok(Place::Device) => &[DEVICE],
        Ok(Place::Workspace) => &[WORKSPACE],
        Err(_) => &[],
    };
    let said = if !is_written && request.os() == Os::Windows {
        Statement::not_enforced("on native Windows commands read every path", &WINDOWS)
    } else if is_written && !request.has(&FILE_TOOLS) {
        Statement::not_enforced(
            "a patch that the user approves writes denied paths before 0.138.0",
            &FILE_TOOLS,
        )
    } else {
        match place {
            Ok(Place::Device) => say_on_device(request, path),
            Ok(Place::Workspace) => say_in_workspace(request, path),
            Err(said) => said,
        }
    };
    said.in_lists_if(is_written, lists)
}

fn say_web_search(request: &Request<'_>, clause: &Clause) -> Statement {
    if !request.is_strict() || !request.has(&WEB_SEARCH_LOCK) {
        return Statement::not_enforced(
            "there is no fetch tool, and web search is bound by no list of hosts",
            &NO_FETCH_TOOL,
        );
    }
    let off = "web search is switched off";
    match clause {
        Clause::Allow(pattern, _) => Statement::narrower(off, example(pattern), &WEB_SEARCH_LOCK),
        Clause::Default(Verdict::Allow) => {
            Statement::narrower(off, request.unlisted_host(), &WEB_SEARCH_LOCK)
        }
        _ => Statement::enforced(&WEB_SEARCH_LOCK),
    }
}

/// A host clause in the shell.
fn say_host(request: &Request<'_>, clause: &Clause) -> Statement {
    let deny_all = request.denies_by_default() && !request.allows_any_host();
    let is_closing = matches!(clause, Clause::Deny(_) | Clause::Default(Verdict::Deny));
    let closed = match clause {
        Clause::Deny(pattern) => example(pattern),
        _ => request.unlisted_host(),
    };
    if request.os() == Os::Windows && (is_closing || !lists_hosts(request)) {
        return if lists_hosts(request) {
            Statement::wider(
                "native Windows limits the network of commands in part only",
                closed,
                &WINDOWS,
            )
        } else {
            Statement::not_enforced("nothing limits the network of commands", &WINDOWS)
        };
    }
    if request.denies_by_default() && !request.has(&NETWORK) {
        return if is_closing {
            Statement::wider(
                "commands get no network unless the release lets the user switch it on",
                closed,
                &PINNED_CONFIG,
            )
        } else {
            Statement::not_enforced("no list of hosts is read before 0.118.0", &NETWORK)
        };
    }
    match clause {
        Clause::Deny(_) if !request.denies_by_default() && !request.has(&ANY_HOST) => {
            Statement::not_enforced(
                "denied hosts under a default of allow cannot be said before 0.138.0",
                &ANY_HOST,
            )
        }
        Clause::Deny(pattern) if !request.denies_by_default() => match pattern.address() {
            Some(IpAddr::V6(address)) => Statement::wider(
                "other spellings of the address are not denied",
                spelled_out(address),
                &ADDRESS_TEXT,
            ),
            _ => Statement::enforced(&DENIED),
        },
        Clause::Deny(_) if deny_all => Statement::enforced(&MANAGED_ONLY),
        Clause::Deny(_) => Statement::enforced(&DENIED),
        Clause::Allow(pattern, _) => say_allowed(request, pattern),
        Clause::Default(Verdict::Allow)
            if request.has(&PROFILE) && !request.opens_unlisted_hosts() =>
        {
            Statement::narrower(
                "the policy writes nothing about hosts, so the network of commands stays off",
                request.unlisted_host(),
                &NOT_OPENED,
            )
        }
        Clause::Default(Verdict::Allow) if request.has(&ANY_HOST) => Statement::narrower(
            "this machine and private addresses are refused",
            request.unlisted_loopback(),
            &PRIVATE,
        ),
        Clause::Default(Verdict::Allow) => {
            Statement::narrower(OFF, request.unlisted_host(), &OFF_BY_DEFAULT)
        }
        _ => Statement::enforced(&MANAGED_ONLY),
    }
}

const OFF: &str = "commands have no network until the user switches it on";

/// An allowed host in the shell, of a release that reads what the policy says of hosts.
fn say_allowed(request: &Request<'_>, pattern: &Pattern) -> Statement {
    let Some(example) = allowed_example(request, pattern) else {
        return Statement::enforced(&NETWORK);
    };
    if !request.denies_by_default() && !request.has(&ANY_HOST) {
        return Statement::narrower(OFF, example, &OFF_BY_DEFAULT);
    }
    match pattern.address() {
        Some(IpAddr::V6(address)) => Statement::narrower(
            "plain HTTP to an IPv6 address is refused; tunnels pass",
            format!("http://[{address}]/"),
            &PLAIN_IPV6,
        ),
        Some(address)
            if !request.has(&RESERVED_LITERALS) && Class::of_address(address) != Class::Public =>
        {
            Statement::narrower(
                "before 0.150.0 an address that is not public may stay out of reach",
                example,
                &RESERVED_LITERALS,
            )
        }
        _ => Statement::enforced(&NETWORK),
    }
}

/// An IPv6 address with none of its zeros left out.
fn spelled_out(address: Ipv6Addr) -> String {
    let groups = address.segments().map(|group| format!("{group:x}"));
    format!("[{}]", groups.join(":"))
}

fn mechanism(channel: Channel) -> &'static str {
    match channel {
        Channel::Shell => "requirements.toml [experimental_network] for sandboxed commands",
        Channel::FetchTool => "allowed_web_search_modes for web search",
        Channel::FileTools => "[permissions.filesystem] deny_read for the file tools",
    }
}

fn table<const N: usize>(entries: [(&str, Value); N]) -> Table {
    entries
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

fn list<T: ToString>(items: &[T]) -> Value {
    items
        .iter()
        .map(|item| Value::String(item.to_string()))
        .collect::<Vec<_>>()
        .into()
}

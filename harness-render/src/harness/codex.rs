//! Codex: `requirements.toml`, and before permission profiles `managed_config.toml`.
//!
//! Two generations. From 0.138.0 a managed permission profile says writable roots, denied paths and
//! network; before 0.134.0 lists say what they can. The releases between refuse a profile and start
//! with nothing that is worth having, so a pin to one of them is an error.

mod facts;
mod paths;
mod residual;

use core::net::{IpAddr, Ipv6Addr};

use policy_core::{Class, Harness, Mode, PathAnchor, Pattern, Verdict};
use toml::{Table, Value};

use super::overlap::allowed_example;
use super::{Bricked, Room};
use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::format;
use crate::ledger::Hold;
use crate::render::ManagedFile;
use crate::request::{NOT_OPENED, Request, example};
use crate::target::{Os, Release};
use facts::*;
use paths::{Place, SCAN_DEPTH, hold_in_workspace, hold_on_device, is_glob, place};

pub(super) const ROOM: Room = Room {
    harness: Harness::Codex,
    newest: Release(0, 171, 0),
    date: DATE,
    facts: FACTS,
    floor: MODES.release(),
    bricked: &[Bricked {
        from: PROFILES_REFUSED.release(),
        before: PROFILE.release(),
        field: "sandbox.mode",
        fact: &PROFILES_REFUSED,
        works: "pin 0.138.0 or later, or 0.133.0 or earlier",
    }],
    channels: &[Channel::Shell, Channel::FileTools],
    capability,
    render,
    hold,
    mechanism,
    residuals: residual::residuals,
};

/// The managed profile. A user who defines one of this name keeps Codex from starting, so it is a
/// name that nobody takes by chance.
const PROFILE_NAME: &str = "halo-managed";

/// Stands in `deny_read` where the policy protects no path that could: as long as the list has an
/// entry, a command that the user lets run outside the sandbox keeps its hosts.
const SENTINEL: &str = "~/.halo-unreadable";

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

fn render(request: &Request<'_>) -> Vec<ManagedFile> {
    let mut root = Table::new();
    let modes: &[&str] = match request.mode() {
        Mode::ReadOnly => &["read-only"],
        // Without `read-only` in the list Codex does not start.
        _ => &["read-only", "workspace-write"],
    };
    root.insert("allowed_sandbox_modes".to_owned(), list(modes));
    if let Some(network) = network(request) {
        root.insert("experimental_network".to_owned(), Value::Table(network));
    }
    let mut permissions = Table::new();
    if request.has(&PROFILE) {
        root.insert("default_permissions".to_owned(), PROFILE_NAME.into());
        let allowed = table([(PROFILE_NAME, true.into())]);
        root.insert("allowed_permission_profiles".to_owned(), allowed.into());
        permissions.insert(PROFILE_NAME.to_owned(), profile(request).into());
    }
    if request.has(&DENY_READ) {
        let mut denied = on_device(request);
        if denied.is_empty() {
            denied.push(SENTINEL.to_owned());
        }
        let filesystem = table([("deny_read", list(&denied))]);
        permissions.insert("filesystem".to_owned(), filesystem.into());
    }
    if !permissions.is_empty() {
        root.insert("permissions".to_owned(), permissions.into());
    }
    if request.is_strict() {
        if request.has(&HOOKS_LOCK) {
            root.insert("allow_managed_hooks_only".to_owned(), true.into());
        }
        if request.has(&MCP_LOCK) {
            root.insert("mcp_servers".to_owned(), Table::new().into());
        }
        if request.has(&WEB_SEARCH_LOCK) {
            root.insert("allowed_web_search_modes".to_owned(), list::<&str>(&[]));
        }
    }
    let path = match request.os() {
        Os::Linux | Os::MacOs => "/etc/codex/requirements.toml",
        Os::Windows => r"C:\ProgramData\OpenAI\Codex\requirements.toml",
    };
    let mut files: Vec<ManagedFile> = managed_config(request).into_iter().collect();
    files.push(ManagedFile::new(path, format::toml(&root)));
    files
}

/// Whether the pinned release reads what the policy says of hosts.
fn lists_hosts(request: &Request<'_>) -> bool {
    let sayable =
        request.denies_by_default() || (request.opens_unlisted_hosts() && request.has(&ANY_HOST));
    request.has(&NETWORK) && sayable
}

/// The list of hosts. Never without `enabled`, which would leave it inert, and never with denied
/// hosts alone, which would block every host.
fn network(request: &Request<'_>) -> Option<Table> {
    if !lists_hosts(request) {
        return None;
    }
    let allow_all = !request.denies_by_default();
    let mut network = table([
        ("enabled", true.into()),
        ("allow_local_binding", false.into()),
        ("dangerously_allow_all_unix_sockets", false.into()),
        ("dangerously_allow_non_loopback_proxy", false.into()),
    ]);
    if !allow_all {
        network.insert("managed_allowed_domains_only".to_owned(), true.into());
    }
    let allowed = request.allowed();
    if !allowed.is_empty() {
        network.insert("allowed_domains".to_owned(), list(allowed));
    }
    let denied = request.denied();
    if !denied.is_empty() && (allow_all || !allowed.is_empty()) {
        network.insert("denied_domains".to_owned(), list(denied));
    }
    Some(network)
}

fn profile(request: &Request<'_>) -> Table {
    let base = match request.mode() {
        Mode::ReadOnly => ":read-only",
        _ => ":workspace",
    };
    let mut profile = table([("extends", base.into())]);
    let mut filesystem = Table::new();
    for root in request.sandbox().writable_roots() {
        if request.os() != Os::Windows || root.anchor() == PathAnchor::Home {
            filesystem.insert(root.to_string(), "write".into());
        }
    }
    for path in on_device(request) {
        filesystem.insert(path, "deny".into());
    }
    let mut workspace = Table::new();
    for path in in_workspace(request) {
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
    // The profile repeats the list of hosts, in the form that was seen to work. Where nothing is
    // allowed it says nothing, and its network stays off.
    let mut domains = Table::new();
    if request.opens_unlisted_hosts() {
        domains.insert("*".to_owned(), "allow".into());
    }
    for pattern in request.allowed() {
        domains.insert(pattern.to_string(), "allow".into());
    }
    if !domains.is_empty() {
        for pattern in request.denied() {
            domains.insert(pattern.to_string(), "deny".into());
        }
        let network = table([("enabled", true.into()), ("domains", domains.into())]);
        profile.insert("network".to_owned(), network.into());
    }
    profile
}

/// Before profiles, the roots and the network switch are configuration; here they stand above the
/// user's.
fn managed_config(request: &Request<'_>) -> Option<ManagedFile> {
    if request.has(&PROFILE) || request.os() == Os::Windows {
        return None;
    }
    let mut write = Table::new();
    if request.mode() == Mode::WorkspaceWrite {
        let roots = request.sandbox().writable_roots();
        write.insert("writable_roots".to_owned(), list(roots));
    }
    if request.denies_by_default() && !request.has(&NETWORK) {
        write.insert("network_access".to_owned(), false.into());
    }
    let root = table([("sandbox_workspace_write", write.into())]);
    let path = "/etc/codex/managed_config.toml";
    Some(ManagedFile::new(path, format::toml(&root)))
}

fn on_device(request: &Request<'_>) -> Vec<String> {
    let placed = protected(request);
    let on_device = placed.filter_map(|place| match place {
        Place::Device(spellings) => Some(spellings),
        Place::Workspace(_) => None,
    });
    on_device.flatten().collect()
}

fn in_workspace(request: &Request<'_>) -> Vec<String> {
    let placed = protected(request);
    let in_workspace = placed.filter_map(|place| match place {
        Place::Workspace(spellings) => Some(spellings),
        Place::Device(_) => None,
    });
    in_workspace.flatten().collect()
}

fn protected(request: &Request<'_>) -> impl Iterator<Item = Place> {
    let paths = request.sandbox().protected_paths().iter();
    paths.filter_map(|path| place(request, path).ok())
}

fn hold(request: &Request<'_>, clause: &Clause, channel: Channel) -> Hold {
    let windows = request.os() == Os::Windows;
    match (clause, channel) {
        (_, Channel::FetchTool) => hold_web_search(request, clause),
        (Clause::Mode(_), _) if windows => Hold::wider(
            "full access is refused, but no sandbox confines commands by default",
            "~/.profile",
            &WINDOWS,
        ),
        (Clause::Mode(Mode::WorkspaceWrite), _) => Hold::wider(
            "the temporary directory is writable as well",
            "/tmp/x",
            &TMP,
        ),
        (Clause::Mode(_), _) => Hold::held(&MODES),
        (Clause::WritableRoot(root), _) if windows && root.anchor() == PathAnchor::Absolute => {
            Hold::not_held(
                "an absolute path of the policy names nothing on Windows",
                &WINDOWS,
            )
        }
        (Clause::WritableRoot(_), _) if request.has(&PROFILE) => Hold::held(&PROFILE),
        (Clause::WritableRoot(_), _) if windows => Hold::not_held(
            "no managed place says a writable root before 0.138.0",
            &PROFILE,
        ),
        (Clause::WritableRoot(_), _) => Hold::held(&PINNED_CONFIG),
        (Clause::ProtectedPath(_), Channel::Shell) if windows => {
            Hold::not_held("on native Windows commands read every path", &WINDOWS)
        }
        (Clause::ProtectedPath(_), Channel::FileTools) if !request.has(&FILE_TOOLS) => {
            Hold::not_held(
                "a patch that the user approves writes denied paths before 0.138.0",
                &FILE_TOOLS,
            )
        }
        (Clause::ProtectedPath(path), _) => match place(request, path) {
            Ok(Place::Device(spellings)) => hold_on_device(request, &spellings),
            Ok(Place::Workspace(spellings)) => hold_in_workspace(request, &spellings),
            Err(hold) => hold,
        },
        (Clause::Allow(..) | Clause::Deny(_) | Clause::Default(_), _) => hold_host(request, clause),
    }
}

fn hold_web_search(request: &Request<'_>, clause: &Clause) -> Hold {
    if !request.is_strict() || !request.has(&WEB_SEARCH_LOCK) {
        return Hold::not_held(
            "there is no fetch tool, and web search is bound by no list of hosts",
            &NO_FETCH_TOOL,
        );
    }
    let off = "web search is switched off";
    match clause {
        Clause::Allow(pattern, _) => Hold::narrower(off, example(pattern), &WEB_SEARCH_LOCK),
        Clause::Default(Verdict::Allow) => {
            Hold::narrower(off, request.unlisted_host(), &WEB_SEARCH_LOCK)
        }
        _ => Hold::held(&WEB_SEARCH_LOCK),
    }
}

/// A host clause in the shell.
fn hold_host(request: &Request<'_>, clause: &Clause) -> Hold {
    let deny_all = request.denies_by_default() && !request.allows_any_host();
    let is_closing = matches!(clause, Clause::Deny(_) | Clause::Default(Verdict::Deny));
    let closed = match clause {
        Clause::Deny(pattern) => example(pattern),
        _ => request.unlisted_host(),
    };
    if request.os() == Os::Windows && (is_closing || !lists_hosts(request)) {
        return if lists_hosts(request) {
            Hold::wider(
                "native Windows limits the network of commands in part only",
                closed,
                &WINDOWS,
            )
        } else {
            Hold::not_held("nothing limits the network of commands", &WINDOWS)
        };
    }
    if request.denies_by_default() && !request.has(&NETWORK) {
        return if is_closing {
            Hold::wider(
                "commands get no network unless the release lets the user switch it on",
                closed,
                &PINNED_CONFIG,
            )
        } else {
            Hold::not_held("no list of hosts is read before 0.118.0", &NETWORK)
        };
    }
    match clause {
        Clause::Deny(_) if !request.denies_by_default() && !request.has(&ANY_HOST) => {
            Hold::not_held(
                "denied hosts under a default of allow cannot be said before 0.138.0",
                &ANY_HOST,
            )
        }
        Clause::Deny(pattern) if !request.denies_by_default() => match pattern.address() {
            Some(IpAddr::V6(address)) => Hold::wider(
                "other spellings of the address are not denied",
                spelled_out(address),
                &ADDRESS_TEXT,
            ),
            _ => Hold::held(&DENIED),
        },
        Clause::Deny(_) if deny_all => Hold::held(&MANAGED_ONLY),
        Clause::Deny(_) => Hold::held(&DENIED),
        Clause::Allow(pattern, _) => hold_allowed(request, pattern),
        Clause::Default(Verdict::Allow)
            if request.has(&PROFILE) && !request.opens_unlisted_hosts() =>
        {
            Hold::narrower(
                "the policy writes nothing about hosts, so the network of commands stays off",
                request.unlisted_host(),
                &NOT_OPENED,
            )
        }
        Clause::Default(Verdict::Allow) if request.has(&ANY_HOST) => Hold::narrower(
            "this machine and private addresses are refused",
            request.unlisted_loopback(),
            &PRIVATE,
        ),
        Clause::Default(Verdict::Allow) => {
            Hold::narrower(OFF, request.unlisted_host(), &OFF_BY_DEFAULT)
        }
        _ => Hold::held(&MANAGED_ONLY),
    }
}

const OFF: &str = "commands have no network until the user switches it on";

/// An allowed host in the shell, of a release that reads what the policy says of hosts.
fn hold_allowed(request: &Request<'_>, pattern: &Pattern) -> Hold {
    let Some(example) = allowed_example(request, pattern) else {
        return Hold::held(&NETWORK);
    };
    if !request.denies_by_default() && !request.has(&ANY_HOST) {
        return Hold::narrower(OFF, example, &OFF_BY_DEFAULT);
    }
    match pattern.address() {
        Some(IpAddr::V6(address)) => Hold::narrower(
            "plain HTTP to an IPv6 address is refused; tunnels pass",
            format!("http://[{address}]/"),
            &PLAIN_IPV6,
        ),
        Some(address)
            if !request.has(&RESERVED_LITERALS) && Class::of_address(address) != Class::Public =>
        {
            Hold::narrower(
                "before 0.150.0 an address that is not public may stay out of reach",
                example,
                &RESERVED_LITERALS,
            )
        }
        _ => Hold::held(&NETWORK),
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

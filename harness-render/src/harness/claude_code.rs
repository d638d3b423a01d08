//! Claude Code: `managed-settings.json`.
//!
//! The sandbox of its shell binds commands only; its fetch and file tools obey permission rules. So
//! a denied host and a protected path are said twice, and a rule that allows is never said: the
//! policy limits what an agent may reach, and what the user is asked before stays the user's.

mod facts;
mod residual;
mod spelling;

use policy_core::{Harness, Mode, Verdict};
use serde_json::{Map, Value, json};

use super::Room;
use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::fact::Fact;
use crate::format;
use crate::ledger::Hold;
use crate::render::ManagedFile;
use crate::request::{NOT_OPENED, Request};
use crate::target::{Os, Release};
use facts::*;
use spelling::{
    Paths, is_named_in_workspace, is_this_machine, path_itself, sandbox_domain, unreadable_domain,
};

pub(super) const ROOM: Room = Room {
    harness: Harness::ClaudeCode,
    newest: Release(2, 1, 332),
    date: DATE,
    facts: FACTS,
    floor: Release(2, 1, 62),
    bricked: &[],
    channels: &[Channel::Shell, Channel::FetchTool, Channel::FileTools],
    capability,
    render,
    hold,
    mechanism,
    residuals: residual::residuals,
};

fn capability(feature: Feature, os: Os) -> Vec<Capability> {
    let partial = |fact, how| Capability::new(Level::Partial, fact, how);
    let full = |fact, how| Capability::new(Level::Full, fact, how);
    match (feature, os) {
        (Feature::Sandbox | Feature::WritableRoots | Feature::ShellEgress, Os::Windows) => vec![],
        (Feature::Sandbox, _) => vec![
            partial(
                &SANDBOX,
                "sandbox.enabled; commands run unconfined where it cannot start",
            ),
            partial(
                &FAIL_IF_UNAVAILABLE,
                "sandbox.enabled; read-only renders as workspace-write",
            ),
        ],
        (Feature::WritableRoots, _) => vec![full(
            &ALLOW_WRITE,
            "sandbox.filesystem.allowWrite, for directories that exist",
        )],
        (Feature::ProtectedPaths, Os::Windows) => {
            vec![partial(
                &PATH_RULES,
                "Read and Edit deny rules bind the file tools only",
            )]
        }
        (Feature::ProtectedPaths, _) => vec![
            partial(
                &DENY_READ,
                "sandbox.filesystem denyRead and denyWrite, Read and Edit deny rules; commands read what \
                 is spelt out in the workspace",
            ),
            full(
                &WORKSPACE_READS,
                "sandbox.filesystem denyRead and denyWrite, Read and Edit deny rules",
            ),
        ],
        (Feature::ShellEgress, _) => vec![
            partial(
                &ALLOWED_DOMAINS,
                "sandbox.network.allowedDomains; deniedDomains is ignored",
            ),
            full(
                &DENIED_DOMAINS,
                "sandbox.network allowedDomains and deniedDomains",
            ),
        ],
        (Feature::FetchTool, _) => vec![
            partial(
                &DENY_RULES,
                "WebFetch(domain:...) deny rules for exact hosts",
            ),
            partial(
                &FETCH_WILDCARD,
                "WebFetch(domain:...) deny rules; unlisted hosts are asked about",
            ),
        ],
    }
}

fn render(request: &Request<'_>) -> Vec<ManagedFile> {
    let mut settings = Settings::new(request);
    if request.os() != Os::Windows {
        sandbox(request, &mut settings);
    }
    rules(request, &mut settings);
    if request.is_strict() {
        settings.put(&HOOKS_LOCK, "allowManagedHooksOnly", json!(true));
        settings.put(&MCP_LOCK, "allowManagedMcpServersOnly", json!(true));
        settings.put(&MCP_LOCK, "allowedMcpServers", json!([]));
        settings.put(&RULES_LOCK, "allowManagedPermissionRulesOnly", json!(true));
        settings.put(
            &BYPASS_LOCK,
            "permissions.disableBypassPermissionsMode",
            json!("disable"),
        );
        settings.put(&AUTO_LOCK, "permissions.disableAutoMode", json!("disable"));
    }
    settings.into_file().into_iter().collect()
}

fn sandbox(request: &Request<'_>, settings: &mut Settings<'_>) {
    settings.put(&SANDBOX, "sandbox.enabled", json!(true));
    settings.put(
        &FAIL_IF_UNAVAILABLE,
        "sandbox.failIfUnavailable",
        json!(true),
    );
    settings.put(&NO_RETRY, "sandbox.allowUnsandboxedCommands", json!(false));
    for key in [
        "sandbox.allowAppleEvents",
        "sandbox.allowNestedUserNamespaces",
        "sandbox.enableWeakerNestedSandbox",
        "sandbox.enableWeakerNetworkIsolation",
        "sandbox.network.allowAllUnixSockets",
        "sandbox.network.allowLocalBinding",
    ] {
        settings.put(&WEAKER_SWITCHES, key, json!(false));
    }
    settings.put(&ENV_PIN, "env.CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", json!("0"));

    if request.denies_by_default() {
        let allowed = domains(request, request.allowed(), &ALLOWED_DOMAINS, settings);
        // Empty together with the next key blocks every host.
        settings.put(
            &ALLOWED_DOMAINS,
            "sandbox.network.allowedDomains",
            json!(allowed),
        );
        settings.put(
            &MANAGED_ONLY,
            "sandbox.network.allowManagedDomainsOnly",
            json!(true),
        );
        settings.put(
            &STRICT_ALLOWLIST,
            "sandbox.network.strictAllowlist",
            json!(true),
        );
    } else if request.opens_unlisted_hosts() {
        settings.put(&ANY_HOST, "sandbox.network.allowedDomains", json!(["*"]));
    }
    let denied = domains(request, request.denied(), &DENIED_DOMAINS, settings);
    if !denied.is_empty() {
        settings.put(
            &DENIED_DOMAINS,
            "sandbox.network.deniedDomains",
            json!(denied),
        );
    }

    let paths = Paths::of(request);
    let roots: Vec<String> = request
        .sandbox()
        .writable_roots()
        .iter()
        .map(|root| paths.in_sandbox(root.as_str()))
        .collect();
    let protected: Vec<String> = request
        .sandbox()
        .protected_paths()
        .iter()
        .map(|path| paths.protected_in_sandbox(path))
        .collect();
    if !roots.is_empty() {
        settings.put(&ALLOW_WRITE, "sandbox.filesystem.allowWrite", json!(roots));
    }
    if !protected.is_empty() {
        // Reading alone would leave an empty, writable directory in memory over the path.
        settings.put(&DENY_READ, "sandbox.filesystem.denyRead", json!(protected));
        settings.put(&DENY_READ, "sandbox.filesystem.denyWrite", json!(protected));
    }
    settings.put(
        &READ_LOCK,
        "sandbox.filesystem.allowManagedReadPathsOnly",
        json!(true),
    );
    settings.put(&FILESYSTEM_ON, "sandbox.filesystem.disabled", json!(false));
}

/// The entries that the pinned release reads as the policy means them. A key that the release does
/// not know gets no entry, so that none raises the minimum version.
fn domains(
    request: &Request<'_>,
    patterns: &[policy_core::Pattern],
    key: &Fact,
    settings: &mut Settings<'_>,
) -> Vec<String> {
    if !request.has(key) {
        return Vec::new();
    }
    patterns
        .iter()
        .filter(|pattern| unreadable_domain(request, pattern).is_none())
        .filter(|pattern| key != &ALLOWED_DOMAINS || !is_this_machine(pattern))
        .map(|pattern| {
            let (domain, fact) = sandbox_domain(pattern);
            settings.needs(fact);
            domain
        })
        .collect()
}

/// Permission rules: all of them deny.
fn rules(request: &Request<'_>, settings: &mut Settings<'_>) {
    let mut deny = Vec::new();
    if denies_every_fetch(request) {
        deny.push("WebFetch".to_owned());
    } else {
        for pattern in request.denied() {
            if fetch_rule_misses(request, pattern).is_none() {
                if pattern.is_wildcard() {
                    settings.needs(&FETCH_WILDCARD);
                }
                deny.push(format!("WebFetch(domain:{pattern})"));
                if !request.has(&FETCH_ROOT_DOT) && pattern.address().is_none() {
                    deny.push(format!("WebFetch(domain:{pattern}.)"));
                }
            }
        }
    }
    if request.is_strict() {
        deny.push("WebSearch".to_owned());
    }
    for path in request.sandbox().protected_paths() {
        if let Some(path) = Paths::of(request).protected_in_rule(path) {
            for tool in ["Read", "Edit"] {
                deny.push(format!("{tool}({path})"));
                deny.push(format!("{tool}({path}/**)"));
            }
        }
    }
    if !deny.is_empty() {
        settings.put(&DENY_RULES, "permissions.deny", json!(deny));
    }
}

fn denies_every_fetch(request: &Request<'_>) -> bool {
    request.denies_by_default() && !request.allows_any_host()
}

/// Why a deny rule of the fetch tool would not match what the pattern matches.
fn fetch_rule_misses(request: &Request<'_>, pattern: &policy_core::Pattern) -> Option<Hold> {
    if pattern.address().is_some_and(|address| address.is_ipv6()) {
        return Some(Hold::not_held(
            "no spelling of an IPv6 address was seen to match; the user is asked",
            &DENY_RULES,
        ));
    }
    (pattern.is_wildcard() && !request.has(&FETCH_WILDCARD)).then(|| {
        Hold::not_held(
            "wildcards in fetch rules match nothing before 2.1.172; the user is asked",
            &FETCH_WILDCARD,
        )
    })
}

fn hold(request: &Request<'_>, clause: &Clause, channel: Channel) -> Hold {
    match (clause, channel) {
        (_, Channel::Shell) if request.os() == Os::Windows => Hold::not_held(
            "commands have no sandbox on native Windows until one is set up there",
            &NO_WINDOWS_SANDBOX,
        ),
        (Clause::Mode(Mode::ReadOnly), _) => Hold::wider(
            "no key makes the workspace read-only; rendered as workspace-write",
            "README.md",
            &NO_READ_ONLY,
        ),
        (Clause::Mode(_), _) if !request.has(&FAIL_IF_UNAVAILABLE) => Hold::wider(
            "where the sandbox cannot start, commands run without it, with a warning",
            "~/.profile",
            &FAIL_IF_UNAVAILABLE,
        ),
        (Clause::Mode(_), _) => Hold::held(&SANDBOX),
        (Clause::WritableRoot(_), _) => Hold::held(&ALLOW_WRITE),
        (Clause::ProtectedPath(path), Channel::Shell)
            if !request.has(&WORKSPACE_READS) && is_named_in_workspace(path) =>
        {
            Hold::wider(
                "commands read it, though they do not write it, before 2.1.197",
                path_itself(path).to_owned(),
                &WORKSPACE_READS,
            )
        }
        (Clause::ProtectedPath(_), Channel::Shell) => Hold::held(&DENY_READ),
        (Clause::ProtectedPath(path), _) => match Paths::of(request).protected_in_rule(path) {
            Some(_) => Hold::held(&PATH_RULES),
            None => Hold::not_held(
                "an absolute path of the policy names nothing on Windows",
                &PATH_RULES,
            ),
        },
        (Clause::Allow(..), Channel::FetchTool) => Hold::held(&FETCH_ASKS),
        (Clause::Allow(pattern, _), _) if is_this_machine(pattern) => Hold::not_held(
            "the sandbox refuses this machine's own names and addresses even where they are allowed",
            &THIS_MACHINE,
        ),
        (Clause::Allow(pattern, _), _) => {
            unreadable_domain(request, pattern).unwrap_or(Hold::held(&ALLOWED_DOMAINS))
        }
        (Clause::Deny(_), Channel::FetchTool) if denies_every_fetch(request) => {
            Hold::held(&DENY_RULES)
        }
        (Clause::Deny(pattern), Channel::FetchTool) => {
            fetch_rule_misses(request, pattern).unwrap_or(Hold::held(&DENY_RULES))
        }
        (Clause::Deny(_), _) if !request.has(&DENIED_DOMAINS) => {
            Hold::not_held("deniedDomains is ignored before 2.1.113", &DENIED_DOMAINS)
        }
        (Clause::Deny(pattern), _) => {
            unreadable_domain(request, pattern).unwrap_or(Hold::held(&DENIED_DOMAINS))
        }
        (Clause::Default(verdict), channel) => hold_default(request, *verdict, channel),
    }
}

fn hold_default(request: &Request<'_>, verdict: Verdict, channel: Channel) -> Hold {
    match (verdict, channel) {
        (Verdict::Deny, Channel::FetchTool) if denies_every_fetch(request) => {
            Hold::held(&DENY_RULES)
        }
        (Verdict::Deny, Channel::FetchTool) => Hold::wider(
            "unlisted hosts are asked about, and some documentation hosts are fetched unasked",
            PRE_APPROVED_HOSTS
                .into_iter()
                .find(|host| request.is_unlisted(host))
                .map_or_else(|| request.unlisted_host(), str::to_owned),
            &PRE_APPROVED,
        ),
        (Verdict::Deny, _) if !request.has(&HARD_BLOCK) => Hold::wider(
            "unlisted hosts are asked about",
            request.unlisted_host(),
            &HARD_BLOCK,
        ),
        (Verdict::Deny, _) => Hold::held(&MANAGED_ONLY),
        (Verdict::Allow, Channel::FetchTool) => Hold::held(&FETCH_ASKS),
        (Verdict::Allow, _) if !request.opens_unlisted_hosts() => Hold::narrower(
            "the policy writes nothing about hosts, so each is asked about first",
            request.unlisted_host(),
            &NOT_OPENED,
        ),
        (Verdict::Allow, _) if !request.has(&ANY_HOST) => Hold::narrower(
            "every host is asked about first, and a session that cannot ask reaches none",
            request.unlisted_host(),
            &ANY_HOST,
        ),
        (Verdict::Allow, _) => Hold::narrower(
            "this machine's own names and addresses are refused",
            request.unlisted_loopback(),
            &THIS_MACHINE,
        ),
    }
}

fn mechanism(channel: Channel) -> &'static str {
    match channel {
        Channel::Shell => "sandbox.network allowedDomains/deniedDomains for Bash",
        Channel::FetchTool => "WebFetch(domain:...) deny rules for the fetch tool",
        Channel::FileTools => "Read and Edit deny rules for the file tools",
    }
}

/// A settings file that grows key by key, and the release that it needs.
struct Settings<'r> {
    request: &'r Request<'r>,
    root: Map<String, Value>,
    newest_key: Release,
}

impl<'r> Settings<'r> {
    fn new(request: &'r Request<'r>) -> Self {
        Self {
            request,
            root: Map::new(),
            newest_key: REQUIRED_MINIMUM.release(),
        }
    }

    /// Puts a value at a dotted path, if the pinned release reads that key.
    fn put(&mut self, fact: &Fact, path: &str, value: Value) {
        if self.request.has(fact) {
            self.needs(fact);
            put(&mut self.root, path, value);
        }
    }

    fn needs(&mut self, fact: &Fact) {
        if self.newest_key.version() < fact.since() {
            self.newest_key = fact.release();
        }
    }

    /// The file; `None` when there is nothing to say.
    fn into_file(mut self) -> Option<ManagedFile> {
        if self.root.is_empty() {
            return None;
        }
        // An older program would drop the newer keys without a word.
        let newest = self.newest_key.to_string();
        self.put(&REQUIRED_MINIMUM, "requiredMinimumVersion", json!(newest));
        let path = match self.request.os() {
            Os::Linux => "/etc/claude-code/managed-settings.json",
            Os::MacOs => "/Library/Application Support/ClaudeCode/managed-settings.json",
            Os::Windows => r"C:\Program Files\ClaudeCode\managed-settings.json",
        };
        Some(ManagedFile::new(
            path,
            format::json(&Value::Object(self.root)),
        ))
    }
}

fn put(map: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            map.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = map.entry(first).or_insert_with(|| json!({}));
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

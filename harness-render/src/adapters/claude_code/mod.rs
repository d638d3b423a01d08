//! Claude Code: `managed-settings.json`.
//!
//! The sandbox of its shell binds commands only; its fetch and file tools obey permission rules. So
//! a denied host and a protected path are said twice, and a rule that allows is never said: the
//! policy limits what an agent may reach, and what the user is asked before stays the user's.

mod checks;
mod facts;
mod locks;
mod spelling;
mod ways;

use policy_core::{Harness, Mode, Pattern, Verdict};
use serde_json::{Map, Value, json};

use crate::adapter::{Adapter, Programs};
use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::fact::Fact;
use crate::file::ManagedFile;
use crate::format;
use crate::posture::value::Lists;
use crate::request::{NOT_OPENED, Request};
use crate::statement::{Entries, List, Statement};
use crate::target::{Os, Release};
use checks::MANAGED;
use facts::*;
use locks::{LOCKS, is_sandboxed};
use spelling::{
    Paths, is_named_in_workspace, is_this_machine, path_itself, sandbox_domain, unreadable_domain,
};

pub(crate) const ADAPTER: Adapter = Adapter {
    harness: Harness::ClaudeCode,
    newest: Release(2, 1, 332),
    date: DATE,
    facts: FACTS,
    floor: Release(2, 1, 62),
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
    lists: Lists::United,
    written: &[],
    most_bytes: None,
    programs: Programs {
        names: &["claude"],
        packages: &["@anthropic-ai/claude-code"],
        versions: &["~/.local/share/claude/versions"],
    },
};

const ALLOWED: List = "sandbox.network.allowedDomains";
const DENIED: List = "sandbox.network.deniedDomains";
const ROOTS: List = "sandbox.filesystem.allowWrite";
const PATHS: List = "sandbox.filesystem.denyRead";
/// Deny rules: of hosts, of the fetch tool as a whole, and of paths.
const FETCHES: List = "WebFetch(domain:)";
const EVERY_FETCH: List = "WebFetch";
const FILES: List = "Read() and Edit()";

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

fn assemble(request: &Request<'_>, entries: &Entries<'_>) -> Vec<ManagedFile> {
    let mut settings = Settings::new(request);
    for lock in &entries.locks {
        settings.put(lock.fact, lock.key, lock.value.json());
    }
    if is_sandboxed(request) {
        sandbox(request, entries, &mut settings);
    }
    rules(request, entries, &mut settings);
    settings.into_file().into_iter().collect()
}

fn sandbox(request: &Request<'_>, entries: &Entries<'_>, settings: &mut Settings<'_>) {
    if request.denies_by_default() {
        let allowed = domains(&entries.allowed(ALLOWED), settings);
        // Empty together with the next key blocks every host.
        settings.put(
            &ALLOWED_DOMAINS,
            "sandbox.network.allowedDomains",
            json!(allowed),
        );
    } else if request.opens_unlisted_hosts() {
        settings.put(&ANY_HOST, "sandbox.network.allowedDomains", json!(["*"]));
    }
    let denied = domains(&entries.denied(DENIED), settings);
    if !denied.is_empty() {
        settings.put(
            &DENIED_DOMAINS,
            "sandbox.network.deniedDomains",
            json!(denied),
        );
    }

    let paths = Paths::of(request);
    let roots = entries
        .roots(ROOTS)
        .map(|root| paths.in_sandbox(root.as_str()));
    let roots: Vec<String> = roots.collect();
    let protected = entries
        .paths(PATHS)
        .map(|path| paths.protected_in_sandbox(path));
    let protected: Vec<String> = protected.collect();
    if !roots.is_empty() {
        settings.put(&ALLOW_WRITE, "sandbox.filesystem.allowWrite", json!(roots));
    }
    if !protected.is_empty() {
        // Reading alone would leave an empty, writable directory in memory over the path.
        settings.put(&DENY_READ, "sandbox.filesystem.denyRead", json!(protected));
        settings.put(&DENY_READ, "sandbox.filesystem.denyWrite", json!(protected));
    }
}

/// Entries in the sandbox's spelling.
fn domains(patterns: &[Pattern], settings: &mut Settings<'_>) -> Vec<String> {
    let spelled = patterns.iter().map(|pattern| {
        let (domain, fact) = sandbox_domain(pattern);
        settings.needs(fact);
        domain
    });
    spelled.collect()
}

/// Permission rules: all of them deny.
fn rules(request: &Request<'_>, entries: &Entries<'_>, settings: &mut Settings<'_>) {
    let mut deny = Vec::new();
    if entries.has(EVERY_FETCH) {
        deny.push("WebFetch".to_owned());
    }
    for pattern in entries.denied(FETCHES) {
        if pattern.is_wildcard() {
            settings.needs(&FETCH_WILDCARD);
        }
        deny.push(format!("WebFetch(domain:{pattern})"));
        if !request.has(&FETCH_ROOT_DOT) && pattern.address().is_none() {
            deny.push(format!("WebFetch(domain:{pattern}.)"));
        }
    }
    if request.is_strict() {
        deny.push("WebSearch".to_owned());
    }
    let paths = Paths::of(request);
    for path in entries
        .paths(FILES)
        .filter_map(|path| paths.protected_in_rule(path))
    {
        for tool in ["Read", "Edit"] {
            deny.push(format!("{tool}({path})"));
            deny.push(format!("{tool}({path}/**)"));
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
fn fetch_rule_misses(request: &Request<'_>, pattern: &Pattern) -> Option<Statement> {
    if pattern.address().is_some_and(|address| address.is_ipv6()) {
        return Some(Statement::not_enforced(
            "no spelling of an IPv6 address was seen to match; the user is asked",
            &DENY_RULES,
        ));
    }
    (pattern.is_wildcard() && !request.has(&FETCH_WILDCARD)).then(|| {
        Statement::not_enforced(
            "wildcards in fetch rules match nothing before 2.1.172; the user is asked",
            &FETCH_WILDCARD,
        )
    })
}

fn say(request: &Request<'_>, clause: &Clause, channel: Channel) -> Statement {
    match (clause, channel) {
        (_, Channel::Shell) if request.os() == Os::Windows => Statement::not_enforced(
            "commands have no sandbox on native Windows until one is set up there",
            &NO_WINDOWS_SANDBOX,
        ),
        (Clause::Mode(Mode::ReadOnly), _) => Statement::wider(
            "no key makes the workspace read-only; rendered as workspace-write",
            "README.md",
            &NO_READ_ONLY,
        ),
        (Clause::Mode(_), _) if !request.has(&FAIL_IF_UNAVAILABLE) => Statement::wider(
            "where the sandbox cannot start, commands run without it, with a warning",
            "~/.profile",
            &FAIL_IF_UNAVAILABLE,
        ),
        (Clause::Mode(_), _) => Statement::enforced(&SANDBOX),
        (Clause::WritableRoot(_), _) => Statement::enforced(&ALLOW_WRITE).in_lists(&[ROOTS]),
        (Clause::ProtectedPath(path), Channel::Shell)
            if !request.has(&WORKSPACE_READS) && is_named_in_workspace(path) =>
        {
            Statement::wider(
                "commands read it, though they do not write it, before 2.1.197",
                path_itself(path).to_owned(),
                &WORKSPACE_READS,
            )
            .in_lists(&[PATHS])
        }
        (Clause::ProtectedPath(_), Channel::Shell) => {
            Statement::enforced(&DENY_READ).in_lists(&[PATHS])
        }
        (Clause::ProtectedPath(path), _) => match Paths::of(request).protected_in_rule(path) {
            Some(_) => Statement::enforced(&PATH_RULES).in_lists(&[FILES]),
            None => Statement::not_enforced(
                "an absolute path of the policy names nothing on Windows",
                &PATH_RULES,
            ),
        },
        (Clause::Allow(..), Channel::FetchTool) => Statement::enforced(&FETCH_ASKS),
        (Clause::Allow(pattern, _), _) if is_this_machine(pattern) => Statement::not_enforced(
            "the sandbox refuses this machine's own names and addresses even where they are allowed",
            &THIS_MACHINE,
        ),
        (Clause::Allow(pattern, _), _) => unreadable_domain(request, pattern)
            .unwrap_or(Statement::enforced(&ALLOWED_DOMAINS).in_lists(&[ALLOWED])),
        (Clause::Deny(_), Channel::FetchTool) if denies_every_fetch(request) => {
            Statement::enforced(&DENY_RULES)
        }
        (Clause::Deny(pattern), Channel::FetchTool) => fetch_rule_misses(request, pattern)
            .unwrap_or(Statement::enforced(&DENY_RULES).in_lists(&[FETCHES])),
        (Clause::Deny(_), _) if !request.has(&DENIED_DOMAINS) => {
            Statement::not_enforced("deniedDomains is ignored before 2.1.113", &DENIED_DOMAINS)
        }
        (Clause::Deny(pattern), _) => unreadable_domain(request, pattern)
            .unwrap_or(Statement::enforced(&DENIED_DOMAINS).in_lists(&[DENIED])),
        (Clause::Default(verdict), channel) => say_default(request, *verdict, channel),
    }
}

fn say_default(request: &Request<'_>, verdict: Verdict, channel: Channel) -> Statement {
    match (verdict, channel) {
        (Verdict::Deny, Channel::FetchTool) if denies_every_fetch(request) => {
            Statement::enforced(&DENY_RULES).in_lists(&[EVERY_FETCH])
        }
        (Verdict::Deny, Channel::FetchTool) => Statement::wider(
            "unlisted hosts are asked about, and some documentation hosts are fetched unasked",
            PRE_APPROVED_HOSTS
                .into_iter()
                .find(|host| request.is_unlisted(host))
                .map_or_else(|| request.unlisted_host(), str::to_owned),
            &PRE_APPROVED,
        ),
        (Verdict::Deny, _) if !request.has(&HARD_BLOCK) => Statement::wider(
            "unlisted hosts are asked about",
            request.unlisted_host(),
            &HARD_BLOCK,
        ),
        (Verdict::Deny, _) => Statement::enforced(&MANAGED_ONLY),
        (Verdict::Allow, Channel::FetchTool) => Statement::enforced(&FETCH_ASKS),
        (Verdict::Allow, _) if !request.opens_unlisted_hosts() => Statement::narrower(
            "the policy writes nothing about hosts, so each is asked about first",
            request.unlisted_host(),
            &NOT_OPENED,
        ),
        (Verdict::Allow, _) if !request.has(&ANY_HOST) => Statement::narrower(
            "every host is asked about first, and a session that cannot ask reaches none",
            request.unlisted_host(),
            &ANY_HOST,
        ),
        (Verdict::Allow, _) => Statement::narrower(
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
            format::put_json(&mut self.root, path, value);
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
        Some(ManagedFile::new(
            MANAGED.on(self.request.os()),
            format::json(&Value::Object(self.root)),
        ))
    }
}

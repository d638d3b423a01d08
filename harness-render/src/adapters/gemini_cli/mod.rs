//! Gemini CLI: `settings.json`, and the administrator's policy files.
//!
//! The tool sandbox gives commands no network at all. The fetch tool and the file tools obey policy
//! rules, whose only view of a call is a regular expression over its arguments; so hosts and paths
//! are put into expressions here, and a call that is spelt so that clients read it in several ways
//! is denied. Every rule denies: one that allows would answer for the user.

mod checks;
mod facts;
mod locks;
mod spelling;
mod ways;

use policy_core::{
    Access, Class, FilePath, Harness, Mode, PathAnchor, Pattern, ProtectedPath, Verdict,
};
use toml::{Table, Value};

use crate::adapter::{Adapter, Programs};
use crate::adapters::overlap::{allowed_example, allowed_over};
use crate::adapters::paths::{elsewhere, is_nowhere};
use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::format;
use crate::lock::to_json;

use crate::file::ManagedFile;
use crate::posture::value::Lists;
use crate::request::Request;
use crate::statement::{Entries, List, Statement};
use crate::target::{Os, Release};
use checks::MANAGED;
use facts::*;
use locks::{LOCKS, is_sandboxed, tool_sandbox};

pub(crate) const ADAPTER: Adapter = Adapter {
    harness: Harness::GeminiCli,
    newest: Release(0, 61, 0),
    date: DATE,
    facts: FACTS,
    floor: POLICIES.release(),
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
    most_bytes: None,
    programs: Programs {
        names: &["gemini"],
        packages: &["@google/gemini-cli"],
        versions: &[],
    },
};

/// The allowed hosts, which no rule denies.
const ALLOWED: List = "web_fetch all but";
/// The denied hosts with rules of their own.
const DENIED: List = "web_fetch";
/// The paths that the file tools keep from.
const PATHS: List = "file tools";

/// The tools that read files. A release that offers one under another name has no rule for it, so
/// both names of the one that was renamed are here.
const READERS: [&str; 6] = [
    "glob",
    "grep_search",
    "list_directory",
    "read_file",
    "read_many_files",
    "search_file_content",
];

/// The tools that write files.
const WRITERS: [&str; 2] = ["replace", "write_file"];

/// The highest priority of an administrator's rules.
const PRIORITY: i64 = 999;

fn capability(feature: Feature, os: Os) -> Vec<Capability> {
    let partial = |fact, how| Capability::new(Level::Partial, fact, how);
    match (feature, os) {
        (Feature::Sandbox, Os::MacOs) => vec![
            partial(
                &SEATBELT,
                "tools.sandbox, a default that the user may override",
            ),
            partial(
                &TOOL_SANDBOX,
                "security.toolSandboxing; read-only renders as workspace-write",
            ),
        ],
        (Feature::Sandbox, _) => vec![partial(
            tool_sandbox(os),
            "security.toolSandboxing; read-only renders as workspace-write",
        )],
        (Feature::WritableRoots, _) => vec![],
        (Feature::ProtectedPaths, _) => vec![partial(
            &PATH_RULES,
            "admin policies deny the file tools; commands read all but .env files",
        )],
        (Feature::ShellEgress, _) => vec![partial(
            tool_sandbox(os),
            "security.toolSandboxing: commands have no network, allowed hosts included",
        )],
        (Feature::FetchTool, _) => vec![partial(
            &FETCH_RULES,
            "admin policies deny web_fetch by host; odd spellings of allowed hosts as well",
        )],
    }
}

fn assemble(request: &Request<'_>, entries: &Entries<'_>) -> Vec<ManagedFile> {
    let policies = match request.os() {
        Os::Linux => [
            "/etc/gemini-cli/policies/halo-hosts.toml",
            "/etc/gemini-cli/policies/halo-paths.toml",
        ],
        Os::MacOs => [
            "/Library/Application Support/GeminiCli/policies/halo-hosts.toml",
            "/Library/Application Support/GeminiCli/policies/halo-paths.toml",
        ],
        Os::Windows => [
            r"C:\ProgramData\gemini-cli\policies\halo-hosts.toml",
            r"C:\ProgramData\gemini-cli\policies\halo-paths.toml",
        ],
    };
    let mut files: Vec<ManagedFile> = policies
        .into_iter()
        .zip([host_rules(request, entries), path_rules(request, entries)])
        .filter(|(_, rules)| !rules.is_empty())
        .map(|(path, rules)| {
            let table = Table::from_iter([("rule".to_owned(), Value::Array(rules))]);
            ManagedFile::new(path, format::toml(&table))
        })
        .collect();
    files.push(ManagedFile::new(
        MANAGED.on(request.os()),
        format::json(&to_json(&entries.locks).into()),
    ));
    files
}

fn rule(tools: &[&str], pattern: Option<String>, message: &str) -> Value {
    let name = match tools {
        [one] => Value::from(*one),
        several => several
            .iter()
            .map(|tool| Value::from(*tool))
            .collect::<Vec<_>>()
            .into(),
    };
    let mut rule = Table::from_iter([
        ("toolName".to_owned(), name),
        ("decision".to_owned(), "deny".into()),
        ("priority".to_owned(), PRIORITY.into()),
        ("denyMessage".to_owned(), message.into()),
    ]);
    if let Some(pattern) = pattern {
        rule.insert("argsPattern".to_owned(), pattern.into());
    }
    rule.into()
}

fn host_rules(request: &Request<'_>, entries: &Entries<'_>) -> Vec<Value> {
    const UNLISTED: &str = "the host is not in egress.allowedDomains, or its spelling is ambiguous";
    const LISTED: &str = "the host is in egress.deniedDomains, or its spelling is ambiguous";
    let mut rules = Vec::new();
    if request.is_strict() {
        rules.push(rule(&["google_web_search"], None, "web search is off"));
    }
    let denied = entries.denied(DENIED);
    let (patterns, message) = if request.denies_by_default() {
        let allowed = entries.allowed(ALLOWED);
        if allowed.is_empty() {
            rules.push(rule(&["web_fetch"], None, "egress.default is deny"));
            return rules;
        }
        let mut patterns = spelling::all_but(&allowed);
        patterns.extend(spelling::any_of(&denied));
        (patterns, UNLISTED)
    } else if denied.is_empty() {
        return rules;
    } else {
        (spelling::any_of_in_any_spelling(&denied), LISTED)
    };
    let all = [
        spelling::NO_WEB_ADDRESS,
        spelling::NO_SLASHES,
        spelling::SPACE_BEFORE_PATH,
    ];
    let all = all.map(str::to_owned).into_iter().chain(patterns);
    rules.extend(all.map(|pattern| rule(&["web_fetch"], Some(pattern), message)));
    rules
}

fn path_rules(request: &Request<'_>, entries: &Entries<'_>) -> Vec<Value> {
    const PROTECTED: &str = "the path is in sandbox.protectedPaths";
    let paths: Vec<&ProtectedPath> = entries.paths(PATHS).collect();
    let mut rules = Vec::new();
    for (tools, before) in [(&READERS[..], ""), (&WRITERS[..], spelling::FILE_PATH)] {
        let patterns = spelling::paths(&paths, request.os(), before);
        rules.extend(
            patterns
                .into_iter()
                .map(|pattern| rule(tools, Some(pattern), PROTECTED)),
        );
    }
    rules
}

/// Why the fetch tool does not reach an allowed host at all.
fn unreachable(pattern: &Pattern) -> Option<Statement> {
    let class = match (pattern.address(), pattern.base()) {
        (Some(address), _) if address.is_ipv6() => {
            return Some(Statement::not_enforced(
                "an IPv6 address is not let through",
                &FETCH_RULES,
            ));
        }
        (Some(address), _) => Class::of_address(address),
        (None, Some(base)) if base == "localhost" || base.ends_with(".localhost") => {
            Class::Loopback
        }
        _ => Class::Name,
    };
    (!matches!(class, Class::Name | Class::Public)).then(|| {
        Statement::not_enforced(
            "the fetch tool refuses this machine and addresses that are not public",
            &PRIVATE,
        )
    })
}

fn say(request: &Request<'_>, clause: &Clause, channel: Channel) -> Statement {
    match (clause, channel) {
        (Clause::ProtectedPath(path), _) if is_nowhere(request, path) => Statement::not_enforced(
            "an absolute path of the policy names nothing on Windows",
            &PATH_RULES,
        ),
        (Clause::ProtectedPath(path), Channel::FileTools) => match elsewhere(request, path) {
            Some(other) => Statement::narrower(
                "recognised by how its spelling ends, so every path that ends like it is closed",
                other,
                &PATH_RULES,
            ),
            None => Statement::enforced(&PATH_RULES),
        }
        .in_lists(&[PATHS]),
        (_, Channel::FetchTool) => say_fetch(request, clause),
        (Clause::Mode(_), _) if !is_sandboxed(request) && request.os() == Os::MacOs => {
            Statement::wider(
                "a default that --no-sandbox, SANDBOX and GEMINI_SANDBOX override",
                "~/.profile",
                &SEATBELT,
            )
        }
        (Clause::WritableRoot(_), _) if is_sandboxed(request) => {
            Statement::not_enforced("no managed key adds a writable root", &NO_ROOTS)
        }
        _ if !is_sandboxed(request) => {
            let fact = tool_sandbox(request.os());
            Statement::not_enforced(
                format!("no managed sandbox before {}", fact.release()),
                fact,
            )
        }
        (Clause::Mode(mode), _) => say_mode(request, *mode),
        (Clause::ProtectedPath(path), _) => say_in_shell(path),
        _ => say_network(request, clause),
    }
}

/// The mode, with what the sandbox opens and closes beyond it.
fn say_mode(request: &Request<'_>, mode: Mode) -> Statement {
    let access = |text: &str| {
        FilePath::parse(text).map_or(Access::None, |path| request.sandbox().access(&path))
    };
    // On Linux the outside file at that path was observed to be invisible, and to stay unchanged.
    let hidden = if request.os() == Os::Linux {
        &["/tmp/x", "/tmp/y", ".env", ".env.local"][..]
    } else {
        &[".env", ".env.local"]
    };
    let hidden = hidden.iter().find(|text| access(text) != Access::None);
    let (how, gains, fact) = if mode == Mode::ReadOnly {
        (
            "no key makes the workspace read-only; rendered as workspace-write, in which commands have a temporary directory of their own and see the .env files empty",
            Some("README.md"),
            &NO_READ_ONLY,
        )
    } else {
        (
            "commands have a temporary directory of their own, and see the .env files of the workspace empty",
            Some("/tmp/x")
                .filter(|_| request.os() != Os::Linux)
                .filter(|text| access(text) != Access::ReadWrite),
            tool_sandbox(request.os()),
        )
    };
    let loses = hidden.map(|text| (*text).into());
    Statement::weaker(how, gains.map(Into::into), loses, fact)
}

fn say_in_shell(path: &ProtectedPath) -> Statement {
    let deepest = match path.as_str() {
        ".env" | "**/.env" => Some("a/b/c/.env"),
        ".env.*" | "**/.env.*" => Some("a/b/c/.env.x"),
        _ => None,
    };
    if let Some(deepest) = deepest {
        return Statement::wider("masked three levels deep only", deepest, &MASKED);
    }
    match path.anchor() {
        PathAnchor::Workspace => Statement::not_enforced(
            "no key keeps commands from a path in the workspace",
            &READS_OPEN,
        ),
        PathAnchor::Absolute | PathAnchor::Home => Statement::not_enforced(
            "no key keeps commands from reading it; writing outside the workspace is closed",
            &READS_OPEN,
        ),
    }
}

/// A host clause in the shell, which has no network.
fn say_network(request: &Request<'_>, clause: &Clause) -> Statement {
    let lost = match clause {
        Clause::Allow(pattern, _) => allowed_example(request, pattern),
        Clause::Default(Verdict::Allow) => Some(request.unlisted_host()),
        _ => None,
    };
    let fact = tool_sandbox(request.os());
    match lost {
        Some(lost) => Statement::narrower("commands have no network at all", lost, fact),
        None => Statement::enforced(fact),
    }
}

fn say_fetch(request: &Request<'_>, clause: &Clause) -> Statement {
    match clause {
        Clause::Allow(pattern, _) if request.is_open(pattern) && request.denies_by_default() => {
            if let Some(said) = unreachable(pattern) {
                return said;
            }
            match allowed_example(request, pattern) {
                Some(host) => Statement::narrower(
                    "let through in lower case only, without userinfo or a dot at the end, and in no text with a scheme of the web and no slashes behind it",
                    format!("https://user@{host}/"),
                    &FETCH_RULES,
                ),
                None => Statement::enforced(&FETCH_RULES),
            }
            .in_lists(&[ALLOWED])
        }
        Clause::Default(Verdict::Allow) if !request.denies_any_host() => Statement::narrower(
            "the fetch tool refuses this machine and addresses that are not public",
            "localhost",
            &PRIVATE,
        ),
        Clause::Default(Verdict::Allow) => Statement::narrower(
            "an address with userinfo, without slashes, in brackets or with other than ASCII letters is refused, since it could hide a denied host",
            format!("https://user@{}/", request.unlisted_host()),
            &FETCH_RULES,
        ),
        Clause::Deny(_) | Clause::Default(_) if is_rewritten_to(request, clause) => Statement::wider(
            "the address of a file's page at github.com is fetched from this host after the rules were asked",
            RAW_HOST,
            &REWRITE,
        )
        .in_lists_if(has_rule(request, clause), &[DENIED]),
        _ => Statement::enforced(&FETCH_RULES)
            .in_lists_if(has_rule(request, clause), &[DENIED]),
    }
}

/// Whether a clause denies a host that no other rule would.
fn has_rule(request: &Request<'_>, clause: &Clause) -> bool {
    let Clause::Deny(denied) = clause else {
        return false;
    };
    let is_reachable = |allowed: &Pattern| unreachable(allowed).is_none();
    !request.denies_by_default() || allowed_over(request, denied, is_reachable).is_some()
}

/// The host that pages of files at github.com are rewritten to.
const RAW_HOST: &str = "raw.githubusercontent.com";

/// Whether the clause closes the host of the rewritten address while the address before is open.
fn is_rewritten_to(request: &Request<'_>, clause: &Clause) -> bool {
    let decide = |host: &str| {
        let host = policy_core::Host::parse(host).ok()?;
        let decision = request.policy.egress().decide(&host);
        Some((decision.verdict(), Clause::of_rule(decision.rule())))
    };
    let is_open = decide("github.com").is_some_and(|(verdict, _)| verdict == Verdict::Allow);
    is_open
        && decide(RAW_HOST)
            .is_some_and(|(verdict, rule)| verdict == Verdict::Deny && rule == *clause)
}

fn mechanism(channel: Channel) -> &'static str {
    match channel {
        Channel::Shell => "security.toolSandboxing for commands",
        Channel::FetchTool => "admin policy rules for web_fetch",
        Channel::FileTools => "admin policy rules for the file tools",
    }
}

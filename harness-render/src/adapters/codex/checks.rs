//! Codex: what in a user's or repository's configuration and in the managed files weakens its limits.
//!
//! Not checked, because it was seen to be held: a permission profile of the user's own, rules that
//! allow a command, and turning the managed proxy off. Nor what a repository sets and Codex ignores
//! there: `notify`, profiles, providers of models, telemetry.

use std::collections::BTreeSet;

use policy_core::Harness;

use crate::posture::check::{AppliesWhen, Check, Fault, Severity, Weakens, check, checks};
use crate::posture::hosts::Hosts;
use crate::posture::input::{Input, Managed};
use crate::posture::keys::{EVER, Known, Section};
use crate::posture::outside::{any_started, names_command};
use crate::posture::path::reach;
use crate::posture::place::{
    Kind, Moved, OnEach, Path, Role, Syntax, Watched, each, everywhere, watched,
};
use crate::posture::summary::{EgressState, SandboxState, Summary, Unlisted};
use crate::posture::value::{NOTHING, Value};
use crate::target::Release;

const HOME: &[Moved] = &[Moved {
    variable: "CODEX_HOME",
    instead_of: "~/.codex",
}];

/// The file that is rendered.
pub(super) const MANAGED: OnEach = OnEach {
    linux: "/etc/codex/requirements.toml",
    macos: "/etc/codex/requirements.toml",
    windows: r"C:\ProgramData\OpenAI\Codex\requirements.toml",
};

watched! {
    Harness::Codex;
    Managed Managed, Syntax::Toml, Path::Each(MANAGED), HOME;
    Managed ManagedDefaults, Syntax::Toml, each("/etc/codex/managed_config.toml", "/etc/codex/managed_config.toml", "~/.codex/managed_config.toml"), HOME;
    Managed ManagedElsewhere, Syntax::Presence, Path::MacOs("/Library/Managed Preferences/com.openai.codex.plist"), &[];
    User Settings, Syntax::Toml, everywhere("~/.codex/config.toml"), HOME;
    // What `--profile <name>` reads since 0.134.
    User Settings, Syntax::Toml, everywhere("~/.codex/*.config.toml"), HOME;
    User Hooks, Syntax::Json, everywhere("~/.codex/hooks.json"), HOME;
    User Rules, Syntax::Text, everywhere("~/.codex/rules/*.rules"), HOME;
    Project ProjectSettings, Syntax::Toml, everywhere(".codex/config.toml"), HOME;
    Project Hooks, Syntax::Json, everywhere(".codex/hooks.json"), HOME;
    Project Rules, Syntax::Text, everywhere(".codex/rules/*.rules"), HOME;
}

const RAN: &str = "observed: Codex 0.171.0 on Linux";
const DOCUMENT: &str =
    "policy document, \"Verify on the device\"; observed: Codex 0.75.0 to 0.171.0";
const ANY: &[Kind] = &[Kind::Settings, Kind::ProjectSettings];
const USERS: &[Kind] = &[Kind::Settings];
const NETWORK: &str = "experimental_network";
const FULL_ACCESS: &str = "danger-full-access";

checks! {
    "codex-danger-full-access": Warning [Everything],
        Fault::In(ANY, |input| input.at(&["sandbox_mode"]).is(FULL_ACCESS)),
        "{} sets sandbox_mode = \"danger-full-access\"",
        "remove sandbox_mode from {}; requirements.toml refuses it on codex >= 0.77.0, older versions run unsandboxed",
        DOCUMENT;
    "codex-danger-full-access-profile": Warning [Everything],
        Fault::In(USERS, |input| {
            let profiles = input.at(&["profiles"]);
            profiles
                .values()
                .any(|profile| profile.get("sandbox_mode").is(FULL_ACCESS))
        }),
        "{} sets sandbox_mode = \"danger-full-access\" in a profile",
        "remove sandbox_mode from the profiles in {}; requirements.toml refuses it on codex >= 0.77.0, older versions run unsandboxed",
        DOCUMENT;
    "codex-network-access": Failure [ShellHosts],
        Fault::In(ANY, |input| {
            let opens = settings_and_profiles(input).any(|settings| {
                settings
                    .at(&["sandbox_workspace_write", "network_access"])
                    .is_true()
            });
            opens && !proxies(input.against()) && !pins(input, "network_access")
        }),
        "{} sets network_access = true, and no managed network binds it",
        "remove network_access from {}; manage [experimental_network] with enabled = true",
        RAN;
    "codex-network-domains": Failure [ShellHosts],
        Fault::In(ANY, |input| {
            let profiles = input.at(&["permissions"]).values();
            let permitted = permitted(input.against());
            let adds = std::iter::once(input.at(&["features", "network_proxy", "domains"]))
                .chain(profiles.map(|profile| profile.at(&["network", "domains"])))
                .flat_map(Value::entries)
                .any(|(domain, verdict)| !verdict.is("deny") && !permitted.permit(domain));
            adds && !managed_only(input.against())
        }),
        "{} allows hosts, and the managed network does not keep it from doing so",
        "remove the domains from {}; manage managed_allowed_domains_only = true",
        RAN;
    "codex-network-rule": Failure [ShellHosts],
        Fault::In(&[Kind::Rules], |input| {
            let rules = input.document().text().unwrap_or_default();
            rules
                .lines()
                .any(|line| !line.trim_start().starts_with('#') && line.contains("network_rule"))
                && !managed_only(input.against())
        }),
        "{} opens hosts (network_rule), and the managed network does not keep it from doing so",
        "remove network_rule from {}; manage managed_allowed_domains_only = true",
        RAN;
    "codex-unix-sockets": Failure [ShellHosts],
        Fault::In(ANY, |input| {
            let key = "dangerously_allow_all_unix_sockets";
            input.at(&["features", "network_proxy", key]).is_true()
                && !input.managed(&[NETWORK, key]).is_false()
        }),
        "{} opens every Unix socket (dangerously_allow_all_unix_sockets)",
        "remove dangerously_allow_all_unix_sockets from {}; manage it as false",
        RAN;
    "codex-writable-roots": Warning [WritableRoots],
        Fault::In(ANY, |input| {
            roots(input).next().is_some() && !fixes_roots(input) && !roots_are_broad(input)
        }),
        "{} sets writable_roots, and no managed profile fixes them",
        "remove writable_roots from {}; ask for the root in the policy",
        RAN;
    "codex-writable-roots-widely": Failure [Mode, WritableRoots],
        Fault::In(ANY, |input| roots_are_broad(input) && !fixes_roots(input)),
        "{} lets commands write to the system, the home or a protected path (writable_roots)",
        "remove writable_roots from {}",
        RAN;
    "codex-writable-roots-held": Notice [],
        Fault::In(ANY, |input| roots_are_broad(input) && fixes_roots(input)),
        "{} sets writable_roots to the system, the home or a protected path; the managed files hold it",
        "remove writable_roots from {}",
        RAN;
    "codex-profile-collision": Warning [],
        Fault::In(ANY, |input| {
            let own = input.at(&["permissions"]).entries();
            let managed = input.managed(&["permissions"]);
            own.iter()
                .any(|(name, _)| name != "filesystem" && managed.get(name).is_set())
        }),
        "{} defines a permission profile under the name of the managed one, so that Codex does not start",
        "rename the profile in {}",
        RAN;
    "codex-profile-unread": Notice [] always,
        Fault::In(USERS, |input| input.at(&["profiles"]).has_entries()),
        "{} has a [profiles] table, with which Codex >= 0.134.0 refuses --profile",
        "move each profile into ~/.codex/<name>.config.toml",
        "reported of Codex 0.134.0 and later; seen in the program's binary, Codex 0.171.0, 2026-12";
    "codex-otel": Notice [FetchHosts],
        Fault::In(USERS, |input| {
            ["exporter", "trace_exporter", "metrics_exporter"]
                .iter()
                .any(|key| input.at(&["otel", key]).has_entries())
                && !input.managed(&["otel"]).is_set()
        }),
        "{} sends telemetry to a host of its own (otel), which no list of hosts binds",
        "remove otel from {}, or keep it knowingly",
        RAN;
    "codex-servers": Notice [Everything],
        Fault::In(ANY, |input| {
            any_started(input.at(&["mcp_servers"])) && !input.managed(&["mcp_servers"]).is_set()
        }),
        "{} starts tool servers (mcp_servers), which run outside the sandbox",
        "remove mcp_servers from {}, or manage the servers that may run",
        RAN;
    "codex-hooks": Notice [Everything],
        Fault::In(&[Kind::Settings, Kind::ProjectSettings, Kind::Hooks], |input| {
            // What Codex itself notes of hooks it was told to trust is not one.
            let hooks = input.at(&["hooks"]);
            let sets = !hooks.items().is_empty()
                || hooks.entries().iter().any(|(event, _)| event != "state");
            sets && !input.managed(&["allow_managed_hooks_only"]).is_true()
        }),
        "{} sets hooks, which run outside the sandbox",
        "remove hooks from {}, or manage allow_managed_hooks_only = true",
        "observed: Codex 0.171.0 on Linux; https://developers.openai.com/codex/hooks, 2026-11";
    "codex-notify": Notice [Everything],
        Fault::In(USERS, |input| settings_and_profiles(input).any(|settings| settings.get("notify").has_entries())),
        "{} sets notify, which runs a program outside the sandbox",
        "remove notify from {}, or keep it knowingly",
        RAN;
    "codex-plugins": Notice [Everything],
        Fault::In(ANY, |input| any_started(input.at(&["plugins"])) || input.at(&["marketplaces"]).has_entries()),
        "{} brings plugins (plugins or marketplaces), whose code runs outside the sandbox",
        "remove them from {}, or keep them knowingly",
        "https://developers.openai.com/codex/plugins, 2026-11; keys seen in the program's binary, Codex 0.171.0";
    "codex-provider-command": Notice [Everything],
        Fault::In(USERS, |input| {
            input
                .at(&["model_providers"])
                .values()
                .any(|provider| names_command(provider.get("auth")))
        }),
        "{} names a command that fetches a provider's token (model_providers), which runs outside the sandbox",
        "remove auth from the providers in {}, or keep it knowingly",
        "https://github.com/openai/codex, 2026-11; key seen in the program's binary, Codex 0.171.0";
    "codex-managed-key-unknown": Notice [] always,
        Fault::Managed(|managed| KNOWN.is_exceeded_by(managed.settings())),
        "{} has a key that Codex does not know at that place, so that it does nothing",
        "write the key as the vendor's page has it, or remove it",
        RAN;
    "codex-managed-key-later": Notice [] always,
        Fault::Managed(|managed| KNOWN.is_ahead_of(managed.settings(), managed.release())),
        "{} has a key that this release does not read yet",
        "update Codex, or do not count on the key",
        "observed: Codex 0.75.0 to 0.171.0";
    "codex-web-search": Notice [FetchHosts],
        Fault::In(ANY, |input| {
            let on = input.at(&["web_search"]).is("live")
                || input.at(&["tools", "web_search"]).is_true()
                || input.at(&["features", "web_search_request"]).is_true();
            on && !input.managed(&["allowed_web_search_modes"]).is_set()
        }),
        "{} turns web search on, which no list of hosts binds",
        "remove web_search from {}, or manage allowed_web_search_modes",
        "https://developers.openai.com/codex/enterprise/managed-configuration, 2026-11";
    "codex-home": Notice [] always,
        Fault::Variable("CODEX_HOME", |value, _| !value.is_empty()),
        "CODEX_HOME is set, so that Codex reads its configuration there; both places were checked",
        "unset CODEX_HOME unless it is meant",
        "policy document, \"Verify on the device\"";
    "codex-managed-full-access": Failure [Everything] always,
        Fault::Managed(|managed| modes(managed).any(|mode| mode == FULL_ACCESS)),
        "{} allows \"danger-full-access\"",
        "remove danger-full-access from allowed_sandbox_modes in {}",
        RAN;
    "codex-managed-defaults-full-access": Failure [Everything] always,
        Fault::In(&[Kind::ManagedDefaults], |input| {
            input.at(&["sandbox_mode"]).is(FULL_ACCESS)
        }),
        "{} sets sandbox_mode = \"danger-full-access\" for everyone",
        "remove sandbox_mode from {}",
        RAN;
    "codex-managed-read-only-missing": Failure [] always,
        Fault::Managed(|managed| {
            let list = managed.settings().get("allowed_sandbox_modes");
            list.is_set() && !modes(managed).any(|mode| mode == "read-only")
        }),
        "{} does not allow \"read-only\" among its modes, so that Codex does not start",
        "add read-only to allowed_sandbox_modes in {}",
        RAN;
    "codex-managed-modes-missing": Failure [Everything],
        Fault::Managed(|managed| {
            let settings = managed.settings();
            settings.get("allowed_permission_profiles").has_entries()
                && !settings.get("allowed_sandbox_modes").has_entries()
                && !denies_reads(managed)
        }),
        "{} names profiles without allowed_sandbox_modes, so that a client may ask for full access",
        "add allowed_sandbox_modes to {}",
        RAN;
    "codex-managed-network-off": Failure [ShellHosts] always,
        Fault::Managed(|managed| {
            let settings = managed.settings();
            let profiles = settings.get("permissions");
            let wants = settings.get(NETWORK).has_entries()
                || profiles
                    .values()
                    .any(|profile| profile.get("network").has_entries());
            wants && !proxies(managed)
        }),
        "{} has rules for the network without enabled = true in [experimental_network], so that none of them holds",
        "set enabled = true in [experimental_network] of {}",
        RAN;
    "codex-managed-domains-open": Failure [ShellHosts],
        Fault::Managed(|managed| {
            proxies(managed) && !managed_only(managed) && !allows_any_host(managed)
        }),
        "{} does not set managed_allowed_domains_only, so that a user may add hosts",
        "set managed_allowed_domains_only = true in [experimental_network] of {}",
        RAN;
    "codex-managed-domains-twice": Failure [] always,
        Fault::Managed(|managed| {
            let network = managed.settings().get(NETWORK);
            let lists = ["allowed_domains", "denied_domains"];
            network.get("domains").is_set() && lists.iter().any(|list| network.get(list).is_set())
        }),
        "{} has both a table and lists of domains, so that Codex does not start",
        "keep allowed_domains and denied_domains in {}",
        RAN;
    "codex-managed-domain-unreadable": Failure [ShellHosts] always,
        Fault::Managed(|managed| domains(managed).any(|(domain, _)| !is_readable(domain))),
        "{} has a domain that is no host and no *.host, which Codex refuses or reads otherwise",
        "write hosts in lower case, without scheme, port, path or brackets, in {}",
        RAN;
    "codex-managed-escalation": Failure [ShellHosts, ProtectedPaths],
        Fault::Managed(|managed| {
            let policies = managed.settings().get("allowed_approval_policies");
            let never = policies.has_entries() && policies.texts().all(|policy| policy == "never");
            proxies(managed) && !denies_reads(managed) && !never
        }),
        "{} has no deny_read, so that a command the user lets escalate reaches every host",
        "set deny_read in [permissions.filesystem] of {}",
        RAN;
    "codex-managed-deny-read-inert": Failure [ProtectedPaths] always,
        Fault::Managed(|managed| deny_read(managed).any(|path| !is_honoured(path))),
        "{} has a path in deny_read that protects nothing or keeps commands from starting",
        "write absolute or ~/ paths in deny_read of {}; relative ones belong into a profile",
        RAN;
    "codex-managed-elsewhere": Notice [Everything] always,
        Fault::In(&[Kind::ManagedElsewhere], |_| true),
        "{} holds managed settings that count before requirements.toml",
        "keep one of the two",
        "https://developers.openai.com/codex/enterprise/managed-configuration, 2026-11";
}

static KNOWN: Known = Known {
    sections: &[
        Section {
            at: &[],
            keys: &[
                ("allowed_login_methods", EVER),
                ("allowed_chatgpt_workspaces", EVER),
                ("cli_auth_credentials_store", EVER),
                ("chatgpt_base_url", EVER),
                ("sqlite_home", EVER),
                ("log_dir", EVER),
                ("model_catalog_json", EVER),
                ("check_for_update_on_startup", EVER),
                ("allow_login_shell", EVER),
                ("feedback", EVER),
                ("allowed_approval_policies", Release(0, 77, 0)),
                ("allowed_approvals_reviewers", EVER),
                ("allowed_sandbox_modes", Release(0, 77, 0)),
                ("allowed_permission_profiles", Release(0, 138, 0)),
                ("default_permissions", Release(0, 138, 0)),
                ("remote_sandbox_config", Release(0, 124, 0)),
                ("allowed_web_search_modes", Release(0, 101, 0)),
                ("allow_managed_hooks_only", Release(0, 131, 0)),
                ("allow_browser_and_computer_use", EVER),
                ("allow_appshots", EVER),
                ("allow_remote_control", EVER),
                ("computer_use", EVER),
                ("browser_use", EVER),
                ("in_app_browser", EVER),
                ("windows", EVER),
                ("features", Release(0, 111, 0)),
                ("feature_requirements", Release(0, 111, 0)),
                ("hooks", Release(0, 124, 0)),
                ("mcp_servers", Release(0, 90, 0)),
                ("plugins", EVER),
                ("marketplaces", EVER),
                ("apps", EVER),
                ("rules", Release(0, 98, 0)),
                ("enforce_residency", EVER),
                ("experimental_network", Release(0, 101, 0)),
                ("network_proxy", Release(0, 166, 0)),
                ("application", EVER),
                ("permissions", Release(0, 122, 0)),
                ("auto_review", EVER),
                ("models", EVER),
                ("additional_developer_instructions", EVER),
                ("guardian_policy_config", EVER),
                ("guardian_extra_policy", EVER),
                ("config_server", EVER),
                ("unsafe_enforce_sqlite_journal_mode", EVER),
                ("otel", EVER),
                ("model_provider", EVER),
                ("model_providers", EVER),
            ],
        },
        Section {
            at: &[NETWORK],
            keys: &[
                ("enabled", EVER),
                ("http_port", EVER),
                ("socks_port", EVER),
                ("allow_upstream_proxy", EVER),
                ("dangerously_allow_non_loopback_proxy", EVER),
                ("dangerously_allow_all_unix_sockets", EVER),
                ("domains", Release(0, 118, 0)),
                ("review_domains", EVER),
                ("allowed_domains", EVER),
                ("managed_allowed_domains_only", Release(0, 114, 0)),
                ("denied_domains", EVER),
                ("unix_sockets", EVER),
                ("allow_unix_sockets", EVER),
                ("allow_local_binding", EVER),
                ("header_injections", EVER),
            ],
        },
        Section {
            at: &["permissions", "filesystem"],
            keys: &[("deny_read", Release(0, 122, 0))],
        },
    ],
    placed: &[],
};

/// The settings themselves and each of the profiles that may be laid over them. Those of a repository
/// are ignored.
fn settings_and_profiles<'s>(input: &'s Input<'_>) -> impl Iterator<Item = &'s Value> {
    let profiles = input.at(&["profiles"]).values();
    let profiles = profiles.filter(|_| !input.is_of_a_clone());
    std::iter::once(input.document()).chain(profiles)
}

/// The hosts that may be allowed again without opening anything.
fn permitted(managed: &Managed) -> Hosts {
    let of = |wanted: bool| {
        domains(managed)
            .filter(move |(_, allowed)| *allowed == wanted && proxies(managed))
            .map(|(domain, _)| domain.to_lowercase())
    };
    Hosts::new(
        of(true),
        of(false),
        proxies(managed) && allows_any_host(managed),
    )
}

fn roots<'s>(input: &'s Input<'_>) -> impl Iterator<Item = &'s str> {
    settings_and_profiles(input).flat_map(|settings| {
        settings
            .at(&["sandbox_workspace_write", "writable_roots"])
            .texts()
    })
}

fn roots_are_broad(input: &Input<'_>) -> bool {
    reach(roots(input), deny_read(input.against()))
}

/// Whether a managed file says where commands may write, whatever the user says.
fn fixes_roots(input: &Input<'_>) -> bool {
    let only_profiles = input.managed(&["default_permissions"]).is_set()
        && input
            .managed(&["allowed_permission_profiles"])
            .has_entries();
    let modes: Vec<&str> = modes(input.against()).collect();
    only_profiles || modes == ["read-only"] || pins(input, "writable_roots")
}

/// Whether the managed configuration, which counts before the user's, sets this key.
fn pins(input: &Input<'_>, key: &str) -> bool {
    input
        .against()
        .layers(Kind::ManagedDefaults)
        .any(|defaults| defaults.at(&["sandbox_workspace_write", key]).is_set())
}

fn proxies(managed: &Managed) -> bool {
    managed.settings().at(&[NETWORK, "enabled"]).is_true()
}

fn managed_only(managed: &Managed) -> bool {
    proxies(managed)
        && managed
            .settings()
            .at(&[NETWORK, "managed_allowed_domains_only"])
            .is_true()
}

fn default_profile(managed: &Managed) -> &Value {
    let settings = managed.settings();
    match settings.get("default_permissions").text() {
        Some(name) => settings.at(&["permissions", name]),
        None => &NOTHING,
    }
}

fn allows_any_host(managed: &Managed) -> bool {
    default_profile(managed)
        .at(&["network", "domains", "*"])
        .is("allow")
}

fn modes(managed: &Managed) -> impl Iterator<Item = &str> {
    managed.settings().get("allowed_sandbox_modes").texts()
}

fn deny_read(managed: &Managed) -> impl Iterator<Item = &str> {
    managed
        .settings()
        .at(&["permissions", "filesystem", "deny_read"])
        .texts()
}

fn denies_reads(managed: &Managed) -> bool {
    deny_read(managed).next().is_some()
}

/// Whether a path in `deny_read` protects what it names. A relative one is looked for beside the file,
/// a glob in the first name under the root keeps every command from starting, and nothing is expanded
/// but `~/`.
fn is_honoured(path: &str) -> bool {
    let under_root = path
        .strip_prefix('/')
        .map(|rest| rest.trim_end_matches('/'));
    let first = under_root.and_then(|rest| rest.split('/').next());
    let rooted = first.is_some_and(|name| !name.is_empty() && !name.contains('*'));
    let in_home = path
        .strip_prefix("~/")
        .is_some_and(|rest| !rest.trim_matches('/').is_empty());
    let drive = path.get(1..3) == Some(":\\");
    (rooted || in_home || drive) && !path.contains(['$', '{', '}'])
}

/// Whether a domain means to Codex what it means to a policy: another star, a port or capitals mean
/// more than they say, and the rest keeps Codex from starting.
fn is_readable(domain: &str) -> bool {
    let name = domain.strip_prefix("*.").unwrap_or(domain);
    let address = name.parse::<std::net::IpAddr>().is_ok();
    let host = name
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.'));
    !name.is_empty() && (address || host) && !name.starts_with('.') && !name.ends_with('.')
}

/// The domains, with whether each is allowed.
fn domains(managed: &Managed) -> impl Iterator<Item = (&str, bool)> {
    let network = managed.settings().get(NETWORK);
    let list = |key, allowed| {
        network
            .get(key)
            .texts()
            .map(move |domain| (domain, allowed))
    };
    let table = network.get("domains").entries();
    list("allowed_domains", true)
        .chain(list("denied_domains", false))
        .chain(
            table
                .iter()
                .map(|(domain, verdict)| (domain.as_str(), verdict.is("allow"))),
        )
}

pub(super) fn summary(managed: &Managed) -> Summary {
    const KNOWN: [&str; 3] = ["read-only", "workspace-write", FULL_ACCESS];
    let settings = managed.settings();
    let allowed: Vec<&'static str> = modes(managed)
        .filter_map(|mode| KNOWN.into_iter().find(|known| *known == mode))
        .collect();
    let sandbox = if settings.get("allowed_sandbox_modes").is_set() {
        SandboxState::Modes(allowed)
    } else if default_profile(managed).is_set() || denies_reads(managed) {
        SandboxState::On
    } else {
        SandboxState::Unmanaged
    };
    let count = |wanted: bool| {
        let distinct: BTreeSet<&str> = domains(managed)
            .filter(|(_, allowed)| *allowed == wanted)
            .map(|(domain, _)| domain)
            .collect();
        distinct.len()
    };
    let egress = if settings.get(NETWORK).has_entries() {
        EgressState::Hosts {
            unlisted: match (managed_only(managed), allows_any_host(managed)) {
                (true, _) => Unlisted::Deny,
                (false, true) => Unlisted::Allow,
                (false, false) => Unlisted::Ask,
            },
            allowed: count(true),
            denied: count(false),
        }
    } else {
        EgressState::Unmanaged
    };
    Summary::new(sandbox, egress)
}

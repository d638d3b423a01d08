//! Codex: what in a user's or repository's configuration and in the managed files weakens its limits.
//!
//! Not checked, because it was seen to be held: a permission profile of the user's own, rules that
//! allow a command, and turning the managed proxy off. Nor what a repository sets and Codex ignores
//! there: `notify`, profiles, providers of models, telemetry.

use std::collections::BTreeSet;

use policy_core::Harness;

use super::Watch;
use super::check::{Check, Fault, Gate, Severity, Weakens};
use super::context::{Context, Scene};
use super::hosts::Hosts;
use super::keys::{EVER, Known, Section};
use super::outside::{any_started, names_command};
use super::path::reach;
use super::place::{Kind, Moved, Path, Role, Watched};
use super::summary::{EgressState, SandboxState, Summary, Unlisted};
use super::value::{Lists, MOST_BYTES, NOTHING, Syntax, Value};
use crate::target::Release;

pub(super) static WATCH: Watch = Watch {
    harness: Harness::Codex,
    files: FILES,
    checks: CHECKS,
    summary,
    lists: Lists::Replaced,
    most_managed: MOST_BYTES,
    programs: &["codex"],
    packages: &["@openai/codex"],
    versions: &[],
};

const HOME: &[Moved] = &[Moved {
    variable: "CODEX_HOME",
    instead_of: "~/.codex",
}];

const fn file(role: Role, kind: Kind, syntax: Syntax, path: Path) -> Watched {
    Watched {
        harness: Harness::Codex,
        role,
        kind,
        syntax,
        path,
        moved: HOME,
    }
}

static FILES: &[Watched] = &[
    file(
        Role::Managed,
        Kind::Managed,
        Syntax::Toml,
        Path::Each {
            linux: "/etc/codex/requirements.toml",
            macos: "/etc/codex/requirements.toml",
            windows: r"C:\ProgramData\OpenAI\Codex\requirements.toml",
        },
    ),
    file(
        Role::Managed,
        Kind::ManagedDefaults,
        Syntax::Toml,
        Path::Each {
            linux: "/etc/codex/managed_config.toml",
            macos: "/etc/codex/managed_config.toml",
            windows: "~/.codex/managed_config.toml",
        },
    ),
    Watched {
        harness: Harness::Codex,
        role: Role::Managed,
        kind: Kind::ManagedElsewhere,
        syntax: Syntax::Presence,
        path: Path::MacOs("/Library/Managed Preferences/com.openai.codex.plist"),
        moved: &[],
    },
    file(
        Role::User,
        Kind::Settings,
        Syntax::Toml,
        Path::Everywhere("~/.codex/config.toml"),
    ),
    // What `--profile <name>` reads since 0.134.
    file(
        Role::User,
        Kind::Settings,
        Syntax::Toml,
        Path::Everywhere("~/.codex/*.config.toml"),
    ),
    file(
        Role::User,
        Kind::Hooks,
        Syntax::Json,
        Path::Everywhere("~/.codex/hooks.json"),
    ),
    file(
        Role::User,
        Kind::Rules,
        Syntax::Text,
        Path::Everywhere("~/.codex/rules/*.rules"),
    ),
    file(
        Role::Project,
        Kind::ProjectSettings,
        Syntax::Toml,
        Path::Everywhere(".codex/config.toml"),
    ),
    file(
        Role::Project,
        Kind::Hooks,
        Syntax::Json,
        Path::Everywhere(".codex/hooks.json"),
    ),
    file(
        Role::Project,
        Kind::Rules,
        Syntax::Text,
        Path::Everywhere(".codex/rules/*.rules"),
    ),
];

const RAN: &str = "observed: Codex 0.171.0 on Linux";
const DOCUMENT: &str =
    "policy document, \"Verify on the device\"; observed: Codex 0.75.0 to 0.171.0";
const ANY: &[Kind] = &[Kind::Settings, Kind::ProjectSettings];
const USERS: &[Kind] = &[Kind::Settings];
const NETWORK: &str = "experimental_network";
const FULL_ACCESS: &str = "danger-full-access";

static CHECKS: &[Check] = &[
    Check {
        code: "codex-danger-full-access",
        severity: Severity::Warning,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| scene.at(&["sandbox_mode"]).is(FULL_ACCESS)),
        problem: "{} sets sandbox_mode = \"danger-full-access\"",
        fix: "remove sandbox_mode from {}; requirements.toml refuses it on codex >= 0.77.0, older \
              versions run unsandboxed",
        source: DOCUMENT,
    },
    Check {
        code: "codex-danger-full-access-profile",
        severity: Severity::Warning,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::In(USERS, |scene| {
            let profiles = scene.at(&["profiles"]);
            profiles
                .values()
                .any(|profile| profile.get("sandbox_mode").is(FULL_ACCESS))
        }),
        problem: "{} sets sandbox_mode = \"danger-full-access\" in a profile",
        fix: "remove sandbox_mode from the profiles in {}; requirements.toml refuses it on codex >= \
              0.77.0, older versions run unsandboxed",
        source: DOCUMENT,
    },
    Check {
        code: "codex-network-access",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| {
            let opens = settings_and_profiles(scene).any(|settings| {
                settings
                    .at(&["sandbox_workspace_write", "network_access"])
                    .is_true()
            });
            opens && !proxies(scene.context()) && !pins(scene, "network_access")
        }),
        problem: "{} sets network_access = true, and no managed network binds it",
        fix: "remove network_access from {}; manage [experimental_network] with enabled = true",
        source: RAN,
    },
    Check {
        code: "codex-network-domains",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| {
            let profiles = scene.at(&["permissions"]).values();
            let permitted = permitted(scene.context());
            let adds = std::iter::once(scene.at(&["features", "network_proxy", "domains"]))
                .chain(profiles.map(|profile| profile.at(&["network", "domains"])))
                .flat_map(Value::entries)
                .any(|(domain, verdict)| !verdict.is("deny") && !permitted.permit(domain));
            adds && !managed_only(scene.context())
        }),
        problem: "{} allows hosts, and the managed network does not keep it from doing so",
        fix: "remove the domains from {}; manage managed_allowed_domains_only = true",
        source: RAN,
    },
    Check {
        code: "codex-network-rule",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(&[Kind::Rules], |scene| {
            let rules = scene.document().text().unwrap_or_default();
            rules
                .lines()
                .any(|line| !line.trim_start().starts_with('#') && line.contains("network_rule"))
                && !managed_only(scene.context())
        }),
        problem: "{} opens hosts (network_rule), and the managed network does not keep it from doing so",
        fix: "remove network_rule from {}; manage managed_allowed_domains_only = true",
        source: RAN,
    },
    Check {
        code: "codex-unix-sockets",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| {
            let key = "dangerously_allow_all_unix_sockets";
            scene.at(&["features", "network_proxy", key]).is_true()
                && !scene.managed(&[NETWORK, key]).is_false()
        }),
        problem: "{} opens every Unix socket (dangerously_allow_all_unix_sockets)",
        fix: "remove dangerously_allow_all_unix_sockets from {}; manage it as false",
        source: RAN,
    },
    Check {
        code: "codex-writable-roots",
        severity: Severity::Warning,
        weakens: &[Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| {
            roots(scene).next().is_some() && !fixes_roots(scene) && !roots_are_broad(scene)
        }),
        problem: "{} sets writable_roots, and no managed profile fixes them",
        fix: "remove writable_roots from {}; ask for the root in the policy",
        source: RAN,
    },
    Check {
        code: "codex-writable-roots-widely",
        severity: Severity::Failure,
        weakens: &[Weakens::Mode, Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| roots_are_broad(scene) && !fixes_roots(scene)),
        problem: "{} lets commands write to the system, the home or a protected path (writable_roots)",
        fix: "remove writable_roots from {}",
        source: RAN,
    },
    Check {
        code: "codex-writable-roots-held",
        severity: Severity::Notice,
        weakens: &[],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| roots_are_broad(scene) && fixes_roots(scene)),
        problem: "{} sets writable_roots to the system, the home or a protected path; the managed \
                  files hold it",
        fix: "remove writable_roots from {}",
        source: RAN,
    },
    Check {
        code: "codex-profile-collision",
        severity: Severity::Warning,
        weakens: &[],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| {
            let own = scene.at(&["permissions"]).entries();
            let managed = scene.managed(&["permissions"]);
            own.iter()
                .any(|(name, _)| name != "filesystem" && managed.get(name).is_set())
        }),
        problem: "{} defines a permission profile under the name of the managed one, so that Codex \
                  does not start",
        fix: "rename the profile in {}",
        source: RAN,
    },
    Check {
        code: "codex-profile-unread",
        severity: Severity::Notice,
        weakens: &[],
        gate: Gate::Always,
        fault: Fault::In(USERS, |scene| scene.at(&["profiles"]).has_entries()),
        problem: "{} has a [profiles] table, with which Codex >= 0.134.0 refuses --profile",
        fix: "move each profile into ~/.codex/<name>.config.toml",
        source: "reported of Codex 0.134.0 and later; seen in the program's binary, Codex 0.171.0, 2026-12",
    },
    Check {
        code: "codex-otel",
        severity: Severity::Notice,
        weakens: &[Weakens::FetchHosts],
        gate: Gate::Managed,
        fault: Fault::In(USERS, |scene| {
            ["exporter", "trace_exporter", "metrics_exporter"]
                .iter()
                .any(|key| scene.at(&["otel", key]).has_entries())
                && !scene.managed(&["otel"]).is_set()
        }),
        problem: "{} sends telemetry to a host of its own (otel), which no list of hosts binds",
        fix: "remove otel from {}, or keep it knowingly",
        source: RAN,
    },
    Check::runs_code(
        "codex-servers",
        ANY,
        |scene| {
            any_started(scene.at(&["mcp_servers"])) && !scene.managed(&["mcp_servers"]).is_set()
        },
        [
            "{} starts tool servers (mcp_servers), which run outside the sandbox",
            "remove mcp_servers from {}, or manage the servers that may run",
        ],
        RAN,
    ),
    Check::runs_code(
        "codex-hooks",
        &[Kind::Settings, Kind::ProjectSettings, Kind::Hooks],
        |scene| {
            // What Codex itself notes of hooks it was told to trust is not one.
            let hooks = scene.at(&["hooks"]);
            let sets = !hooks.items().is_empty()
                || hooks.entries().iter().any(|(event, _)| event != "state");
            sets && !scene.managed(&["allow_managed_hooks_only"]).is_true()
        },
        [
            "{} sets hooks, which run outside the sandbox",
            "remove hooks from {}, or manage allow_managed_hooks_only = true",
        ],
        "observed: Codex 0.171.0 on Linux; https://developers.openai.com/codex/hooks, 2026-11",
    ),
    Check::runs_code(
        "codex-notify",
        USERS,
        |scene| settings_and_profiles(scene).any(|settings| settings.get("notify").has_entries()),
        [
            "{} sets notify, which runs a program outside the sandbox",
            "remove notify from {}, or keep it knowingly",
        ],
        RAN,
    ),
    Check::runs_code(
        "codex-plugins",
        ANY,
        |scene| any_started(scene.at(&["plugins"])) || scene.at(&["marketplaces"]).has_entries(),
        [
            "{} brings plugins (plugins or marketplaces), whose code runs outside the sandbox",
            "remove them from {}, or keep them knowingly",
        ],
        "https://developers.openai.com/codex/plugins, 2026-11; keys seen in the program's binary, Codex 0.171.0",
    ),
    Check::runs_code(
        "codex-provider-command",
        USERS,
        |scene| {
            scene
                .at(&["model_providers"])
                .values()
                .any(|provider| names_command(provider.get("auth")))
        },
        [
            "{} names a command that fetches a provider's token (model_providers), which runs outside \
             the sandbox",
            "remove auth from the providers in {}, or keep it knowingly",
        ],
        "https://github.com/openai/codex, 2026-11; key seen in the program's binary, Codex 0.171.0",
    ),
    Check::of_keys(
        "codex-managed-key-unknown",
        Fault::Managed(|context| KNOWN.is_exceeded_by(context.settings())),
        [
            "{} has a key that Codex does not know at that place, so that it does nothing",
            "write the key as the vendor's page has it, or remove it",
        ],
        RAN,
    ),
    Check::of_keys(
        "codex-managed-key-later",
        Fault::Managed(|context| KNOWN.is_ahead_of(context.settings(), context.release())),
        [
            "{} has a key that this release does not read yet",
            "update Codex, or do not count on the key",
        ],
        "observed: Codex 0.75.0 to 0.171.0",
    ),
    Check {
        code: "codex-web-search",
        severity: Severity::Notice,
        weakens: &[Weakens::FetchHosts],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| {
            let on = scene.at(&["web_search"]).is("live")
                || scene.at(&["tools", "web_search"]).is_true()
                || scene.at(&["features", "web_search_request"]).is_true();
            on && !scene.managed(&["allowed_web_search_modes"]).is_set()
        }),
        problem: "{} turns web search on, which no list of hosts binds",
        fix: "remove web_search from {}, or manage allowed_web_search_modes",
        source: "https://developers.openai.com/codex/enterprise/managed-configuration, 2026-11",
    },
    Check {
        code: "codex-home",
        severity: Severity::Notice,
        weakens: &[],
        gate: Gate::Always,
        fault: Fault::Variable("CODEX_HOME", |value, _| !value.is_empty()),
        problem: "CODEX_HOME is set, so that Codex reads its configuration there; both places were \
                  checked",
        fix: "unset CODEX_HOME unless it is meant",
        source: "policy document, \"Verify on the device\"",
    },
    Check {
        code: "codex-managed-full-access",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Always,
        fault: Fault::Managed(|context| modes(context).any(|mode| mode == FULL_ACCESS)),
        problem: "{} allows \"danger-full-access\"",
        fix: "remove danger-full-access from allowed_sandbox_modes in {}",
        source: RAN,
    },
    Check {
        code: "codex-managed-defaults-full-access",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Always,
        fault: Fault::In(&[Kind::ManagedDefaults], |scene| {
            scene.at(&["sandbox_mode"]).is(FULL_ACCESS)
        }),
        problem: "{} sets sandbox_mode = \"danger-full-access\" for everyone",
        fix: "remove sandbox_mode from {}",
        source: RAN,
    },
    Check {
        code: "codex-managed-read-only-missing",
        severity: Severity::Failure,
        weakens: &[],
        gate: Gate::Always,
        fault: Fault::Managed(|context| {
            let list = context.settings().get("allowed_sandbox_modes");
            list.is_set() && !modes(context).any(|mode| mode == "read-only")
        }),
        problem: "{} does not allow \"read-only\" among its modes, so that Codex does not start",
        fix: "add read-only to allowed_sandbox_modes in {}",
        source: RAN,
    },
    Check {
        code: "codex-managed-modes-missing",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            let settings = context.settings();
            settings.get("allowed_permission_profiles").has_entries()
                && !settings.get("allowed_sandbox_modes").has_entries()
                && !denies_reads(context)
        }),
        problem: "{} names profiles without allowed_sandbox_modes, so that a client may ask for full \
                  access",
        fix: "add allowed_sandbox_modes to {}",
        source: RAN,
    },
    Check {
        code: "codex-managed-network-off",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Always,
        fault: Fault::Managed(|context| {
            let settings = context.settings();
            let profiles = settings.get("permissions");
            let wants = settings.get(NETWORK).has_entries()
                || profiles
                    .values()
                    .any(|profile| profile.get("network").has_entries());
            wants && !proxies(context)
        }),
        problem: "{} has rules for the network without enabled = true in [experimental_network], so \
                  that none of them holds",
        fix: "set enabled = true in [experimental_network] of {}",
        source: RAN,
    },
    Check {
        code: "codex-managed-domains-open",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            proxies(context) && !managed_only(context) && !allows_any_host(context)
        }),
        problem: "{} does not set managed_allowed_domains_only, so that a user may add hosts",
        fix: "set managed_allowed_domains_only = true in [experimental_network] of {}",
        source: RAN,
    },
    Check {
        code: "codex-managed-domains-twice",
        severity: Severity::Failure,
        weakens: &[],
        gate: Gate::Always,
        fault: Fault::Managed(|context| {
            let network = context.settings().get(NETWORK);
            let lists = ["allowed_domains", "denied_domains"];
            network.get("domains").is_set() && lists.iter().any(|list| network.get(list).is_set())
        }),
        problem: "{} has both a table and lists of domains, so that Codex does not start",
        fix: "keep allowed_domains and denied_domains in {}",
        source: RAN,
    },
    Check {
        code: "codex-managed-domain-unreadable",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Always,
        fault: Fault::Managed(|context| domains(context).any(|(domain, _)| !is_readable(domain))),
        problem: "{} has a domain that is no host and no *.host, which Codex refuses or reads otherwise",
        fix: "write hosts in lower case, without scheme, port, path or brackets, in {}",
        source: RAN,
    },
    Check {
        code: "codex-managed-escalation",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            let policies = context.settings().get("allowed_approval_policies");
            let never = policies.has_entries() && policies.texts().all(|policy| policy == "never");
            proxies(context) && !denies_reads(context) && !never
        }),
        problem: "{} has no deny_read, so that a command the user lets escalate reaches every host",
        fix: "set deny_read in [permissions.filesystem] of {}",
        source: RAN,
    },
    Check {
        code: "codex-managed-deny-read-inert",
        severity: Severity::Failure,
        weakens: &[Weakens::ProtectedPaths],
        gate: Gate::Always,
        fault: Fault::Managed(|context| deny_read(context).any(|path| !is_honoured(path))),
        problem: "{} has a path in deny_read that protects nothing or keeps commands from starting",
        fix: "write absolute or ~/ paths in deny_read of {}; relative ones belong into a profile",
        source: RAN,
    },
    Check {
        code: "codex-managed-elsewhere",
        severity: Severity::Notice,
        weakens: &[Weakens::Everything],
        gate: Gate::Always,
        fault: Fault::In(&[Kind::ManagedElsewhere], |_| true),
        problem: "{} holds managed settings that count before requirements.toml",
        fix: "keep one of the two",
        source: "https://developers.openai.com/codex/enterprise/managed-configuration, 2026-11",
    },
];

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
fn settings_and_profiles<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = &'s Value> {
    let profiles = scene.at(&["profiles"]).values();
    let profiles = profiles.filter(|_| !scene.is_of_a_clone());
    std::iter::once(scene.document()).chain(profiles)
}

/// The hosts that may be allowed again without opening anything.
fn permitted(context: &Context) -> Hosts {
    let of = |wanted: bool| {
        domains(context)
            .filter(move |(_, allowed)| *allowed == wanted && proxies(context))
            .map(|(domain, _)| domain.to_lowercase())
    };
    Hosts::new(
        of(true),
        of(false),
        proxies(context) && allows_any_host(context),
    )
}

fn roots<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = &'s str> {
    settings_and_profiles(scene).flat_map(|settings| {
        settings
            .at(&["sandbox_workspace_write", "writable_roots"])
            .texts()
    })
}

fn roots_are_broad(scene: &Scene<'_>) -> bool {
    reach(roots(scene), deny_read(scene.context()))
}

/// Whether a managed file says where commands may write, whatever the user says.
fn fixes_roots(scene: &Scene<'_>) -> bool {
    let only_profiles = scene.managed(&["default_permissions"]).is_set()
        && scene
            .managed(&["allowed_permission_profiles"])
            .has_entries();
    let modes: Vec<&str> = modes(scene.context()).collect();
    only_profiles || modes == ["read-only"] || pins(scene, "writable_roots")
}

/// Whether the managed configuration, which counts before the user's, sets this key.
fn pins(scene: &Scene<'_>, key: &str) -> bool {
    scene
        .context()
        .layers(Kind::ManagedDefaults)
        .any(|defaults| defaults.at(&["sandbox_workspace_write", key]).is_set())
}

fn proxies(context: &Context) -> bool {
    context.settings().at(&[NETWORK, "enabled"]).is_true()
}

fn managed_only(context: &Context) -> bool {
    proxies(context)
        && context
            .settings()
            .at(&[NETWORK, "managed_allowed_domains_only"])
            .is_true()
}

fn default_profile(context: &Context) -> &Value {
    let settings = context.settings();
    match settings.get("default_permissions").text() {
        Some(name) => settings.at(&["permissions", name]),
        None => &NOTHING,
    }
}

fn allows_any_host(context: &Context) -> bool {
    default_profile(context)
        .at(&["network", "domains", "*"])
        .is("allow")
}

fn modes(context: &Context) -> impl Iterator<Item = &str> {
    context.settings().get("allowed_sandbox_modes").texts()
}

fn deny_read(context: &Context) -> impl Iterator<Item = &str> {
    context
        .settings()
        .at(&["permissions", "filesystem", "deny_read"])
        .texts()
}

fn denies_reads(context: &Context) -> bool {
    deny_read(context).next().is_some()
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
fn domains(context: &Context) -> impl Iterator<Item = (&str, bool)> {
    let network = context.settings().get(NETWORK);
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

fn summary(context: &Context) -> Summary {
    const KNOWN: [&str; 3] = ["read-only", "workspace-write", FULL_ACCESS];
    let settings = context.settings();
    let allowed: Vec<&'static str> = modes(context)
        .filter_map(|mode| KNOWN.into_iter().find(|known| *known == mode))
        .collect();
    let sandbox = if settings.get("allowed_sandbox_modes").is_set() {
        SandboxState::Modes(allowed)
    } else if default_profile(context).is_set() || denies_reads(context) {
        SandboxState::On
    } else {
        SandboxState::Unmanaged
    };
    let count = |wanted: bool| {
        let distinct: BTreeSet<&str> = domains(context)
            .filter(|(_, allowed)| *allowed == wanted)
            .map(|(domain, _)| domain)
            .collect();
        distinct.len()
    };
    let egress = if settings.get(NETWORK).has_entries() {
        EgressState::Hosts {
            unlisted: match (managed_only(context), allows_any_host(context)) {
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

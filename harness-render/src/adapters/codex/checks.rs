//! Codex: what in a user's or repository's configuration and in the managed files weakens its limits.
//!
//! Not checked, because it was seen to be held: turning the managed proxy off; and, where the managed
//! files deny reading a path, rules that allow a command. Nor what a repository sets and Codex ignores
//! there: `notify`, profiles, providers of models, telemetry.

use std::borrow::Cow;
use std::collections::BTreeSet;

use policy_core::Harness;

use crate::posture::check::{AppliesWhen, Check, Fault, Severity, Weakens, check, checks};
use crate::posture::hosts::Hosts;
use crate::posture::input::{Input, Managed};
use crate::posture::keys::{EVER, Known, Section};
use crate::posture::outside::{any_hook, any_started, assignments, chooses_code, names_command};
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
    // The lowest layer, under the user's own.
    Managed SystemSettings, Syntax::Toml, each("/etc/codex/config.toml", "/etc/codex/config.toml", r"C:\ProgramData\OpenAI\Codex\config.toml"), &[];
    Managed ManagedElsewhere, Syntax::Presence, Path::MacOs("/Library/Managed Preferences/com.openai.codex.plist"), &[];
    User Settings, Syntax::MarkedToml, everywhere("~/.codex/config.toml"), HOME;
    // What `--profile <name>` reads since 0.134.
    User Settings, Syntax::MarkedToml, everywhere("~/.codex/*.config.toml"), HOME;
    // Roles of agents, each with settings of its own.
    User Settings, Syntax::MarkedToml, everywhere("~/.codex/agents/**/*.toml"), HOME;
    User Variables, Syntax::Text, everywhere("~/.codex/.env"), HOME;
    User Hooks, Syntax::Json, everywhere("~/.codex/hooks.json"), HOME;
    User Rules, Syntax::Text, everywhere("~/.codex/rules/*.rules"), HOME;
    Project ProjectSettings, Syntax::MarkedToml, everywhere(".codex/config.toml"), HOME;
    Project ProjectSettings, Syntax::MarkedToml, everywhere(".codex/agents/**/*.toml"), HOME;
    Project Hooks, Syntax::Json, everywhere(".codex/hooks.json"), HOME;
    Project Rules, Syntax::Text, everywhere(".codex/rules/*.rules"), HOME;
}

const RAN: &str = "observed: Codex 0.171.0 on Linux";
const DOCUMENT: &str =
    "policy document, \"Verify on the device\"; observed: Codex 0.75.0 to 0.171.0";
const ANY: &[Kind] = &[Kind::Settings, Kind::ProjectSettings, Kind::SystemSettings];
const USERS: &[Kind] = &[Kind::Settings, Kind::SystemSettings];
const NETWORK: &str = "experimental_network";
const FULL_ACCESS: &str = "danger-full-access";
/// The same as a permission profile.
const FULL_PROFILE: &str = ":danger-full-access";

checks! {
    "codex-danger-full-access": Warning [Everything],
        Fault::In(ANY, |input| input.at(&["sandbox_mode"]).is(FULL_ACCESS)),
        "{} sets sandbox_mode = \"danger-full-access\"",
        "remove sandbox_mode from {}; requirements.toml refuses it on codex >= 0.77.0, older versions run unsandboxed",
        DOCUMENT;
    "codex-full-access-permissions": Warning [Everything],
        Fault::In(ANY, |input| {
            settings_and_profiles(input).any(|settings| {
                settings.get("default_permissions").is(FULL_PROFILE)
                    || settings
                        .get("permissions")
                        .values()
                        .any(|profile| profile.get("extends").is(FULL_PROFILE))
            })
        }),
        "{} asks for the permissions \":danger-full-access\" (default_permissions, or extends of a profile)",
        "remove default_permissions and the profile from {}; requirements.toml refuses it, without it nothing is in a sandbox",
        RAN;
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
                let profiles = settings.get("permissions");
                settings
                    .at(&["sandbox_workspace_write", "network_access"])
                    .is_true()
                    || profiles
                        .values()
                        .any(|profile| profile.at(&["network", "enabled"]).is_true())
            });
            opens && !proxies(input.against()) && !pins(input, "network_access")
        }),
        "{} opens the network (network_access, or network.enabled of a permission profile), and no managed network binds it",
        "remove it from {}; manage [experimental_network] with enabled = true",
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
    "codex-command-rule": Notice [Everything],
        Fault::In(&[Kind::Rules], |input| {
            let rules = input.document().text().unwrap_or_default();
            allows_commands(rules) && !denies_reads(input.against())
        }),
        "{} lets commands run outside the sandbox (prefix_rule that allows)",
        "remove the rules that allow from {}, or manage deny_read in [permissions.filesystem]",
        "the program's own message, Codex 0.171.0; held by a rendering, taken to be for its deny_read";
    "codex-agents": Notice [Everything],
        Fault::In(ANY, |input| {
            input.at(&["agents"]).values().any(|agent| {
                let file = agent.get("config_file");
                // What lies among the agents is looked at by itself.
                let looked_at = file.text().is_some_and(|file| {
                    let file = file.strip_prefix("./").unwrap_or(file);
                    file.starts_with("agents/") && file.ends_with(".toml") && !file.contains("..")
                });
                file.is_set() && !looked_at
            })
        }),
        "{} names a file of settings for an agent, which is not looked at (config_file)",
        "move the file into the directory agents, or remove config_file from {}",
        RAN;
    "codex-env-file": Notice [Everything],
        Fault::In(&[Kind::Variables], |input| {
            // The program takes no variable of its own from there.
            let mut lines = assignments(input.document().text().unwrap_or_default());
            lines.any(|(name, value)| !name.starts_with("CODEX_") && chooses_code(name, value))
        }),
        "{} sets a variable that chooses which code runs outside the sandbox, or where the program connects",
        "remove it from {}, or keep it knowingly",
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
            roots(input).any(|root| !is_broad(input, &root)) && !fixes_roots(input)
        }),
        "{} adds writable roots (writable_roots, or write of a permission profile), and no managed profile fixes them",
        "remove them from {}; ask for the root in the policy",
        RAN;
    "codex-writable-roots-widely": Failure [Mode, WritableRoots],
        Fault::In(ANY, |input| roots_are_broad(input) && !fixes_roots(input)),
        "{} lets commands write to the system, the home or a protected path (writable_roots, or write of a permission profile)",
        "remove it from {}",
        RAN;
    "codex-writable-roots-held": Notice [],
        Fault::In(ANY, |input| roots_are_broad(input) && fixes_roots(input)),
        "{} makes the system, the home or a protected path writable (writable_roots, or write of a permission profile); the managed files hold it",
        "remove it from {}",
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
            let mut events = hooks.entries().iter().filter(|(event, _)| event != "state");
            let sets = events.any(|(_, hooks)| any_hook(hooks)) || hooks.items().iter().any(any_hook);
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
    "codex-provider-address": Notice [FetchHosts],
        Fault::In(USERS, |input| {
            let providers = input.at(&["model_providers"]);
            ["openai_base_url", "chatgpt_base_url"]
                .iter()
                .any(|key| names_command(input.at(&[key])) && !input.managed(&[key]).is_set())
                || providers
                    .values()
                    .any(|provider| names_command(provider.get("base_url")))
        }),
        "{} sends what is said to a model's address of its own (openai_base_url, chatgpt_base_url or base_url of a provider)",
        "remove it from {}, or keep it knowingly",
        "reported from the vendor's documentation, not observed";
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
        Fault::Managed(|managed| {
            let settings = managed.settings();
            let profiles = settings.get("permissions").values();
            modes(managed).any(|mode| mode == FULL_ACCESS)
                || settings.get("default_permissions").is(FULL_PROFILE)
                || settings
                    .at(&["allowed_permission_profiles", FULL_PROFILE])
                    .is_true()
                || profiles
                    .into_iter()
                    .any(|profile| profile.get("extends").is(FULL_PROFILE))
        }),
        "{} allows \"danger-full-access\"",
        "remove danger-full-access from allowed_sandbox_modes and from the permission profiles in {}",
        RAN;
    "codex-managed-defaults-full-access": Failure [Everything] always,
        Fault::In(&[Kind::ManagedDefaults], |input| {
            input.at(&["sandbox_mode"]).is(FULL_ACCESS)
                || input.at(&["default_permissions"]).is(FULL_PROFILE)
        }),
        "{} sets \"danger-full-access\" for everyone",
        "remove sandbox_mode and default_permissions from {}",
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

fn roots<'s>(input: &'s Input<'_>) -> impl Iterator<Item = Cow<'s, str>> {
    settings_and_profiles(input).flat_map(|settings| {
        let listed = settings
            .at(&["sandbox_workspace_write", "writable_roots"])
            .texts()
            .map(Cow::Borrowed);
        let profiles = settings.get("permissions").values();
        listed.chain(profiles.flat_map(|profile| written(profile.get("filesystem"))))
    })
}

/// The paths outside the workspace that a permission profile makes writable.
fn written(filesystem: &Value) -> impl Iterator<Item = Cow<'_, str>> {
    filesystem.entries().iter().flat_map(|(path, access)| {
        let base = match path.as_str() {
            ":root" => Some("/"),
            // The workspace and the directories for temporary files, which are writable as it is.
            ":cwd" | ":workspace_roots" | ":project_roots" | ":tmpdir" | ":slash_tmp"
            | ":minimal" => None,
            path => Some(path),
        };
        let below = access.entries().iter();
        let below = below.filter(|(_, access)| access.is("write"));
        let below =
            below.filter_map(move |(name, _)| Some(Cow::Owned(format!("{}/{name}", base?))));
        let itself = base.filter(|_| access.is("write")).map(Cow::Borrowed);
        itself.into_iter().chain(below)
    })
}

/// Whether rules let a command run unasked. Every call decides so that does not say otherwise, and
/// so does what uses the name without calling it.
fn allows_commands(rules: &str) -> bool {
    let tokens = tokens(rules);
    let calls = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| **token == Token::Name("prefix_rule"));
    calls.into_iter().any(|(at, _)| {
        let mut depth = 0_usize;
        let mut window = tokens.get(at.saturating_add(1)..).unwrap_or_default();
        while let [token, rest @ ..] = window {
            match token {
                Token::Sign('(' | '[' | '{') => depth = depth.saturating_add(1),
                Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
                Token::Name("decision") if depth == 1 => {
                    return !matches!(
                        rest,
                        [
                            Token::Sign('='),
                            Token::Text("prompt" | "forbidden"),
                            Token::Sign(',' | ')'),
                            ..
                        ]
                    );
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
            window = rest;
        }
        true
    })
}

/// What a text in Starlark is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    Name(&'t str),
    Text(&'t str),
    Sign(char),
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => {
                let (text, length) = quoted(rest, first);
                tokens.push(Token::Text(text));
                length
            }
            first if is_name(first) => {
                let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                tokens.push(Token::Name(rest.get(..length).unwrap_or_default()));
                length
            }
            first => {
                if !first.is_whitespace() {
                    tokens.push(Token::Sign(first));
                }
                first.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    tokens
}

/// A text in quotes, as it is written, and the length of it with the quotes.
fn quoted(text: &str, quote: char) -> (&str, usize) {
    let triple = text.chars().take(3).filter(|c| *c == quote).count() == 3;
    let width = if triple { 3 } else { 1 };
    let inside = text.get(width..).unwrap_or_default();
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        let rest = inside.get(at..).unwrap_or_default();
        let ends = rest.chars().take(width).filter(|c| *c == quote).count() == width;
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if ends => {
                let text = inside.get(..at).unwrap_or_default();
                return (text, at.saturating_add(width.saturating_mul(2)));
            }
            // The text ends with its line, as far as it can be read.
            '\n' if !triple => return ("", at.saturating_add(width)),
            _ => {}
        }
    }
    ("", text.len())
}

fn is_broad(input: &Input<'_>, root: &str) -> bool {
    reach(std::iter::once(root), deny_read(input.against()))
}

fn roots_are_broad(input: &Input<'_>) -> bool {
    let roots: Vec<Cow<'_, str>> = roots(input).collect();
    reach(roots.iter().map(|root| &**root), deny_read(input.against()))
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

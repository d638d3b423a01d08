//! Claude Code: what in a user's settings and in the managed ones weakens its sandbox.
//!
//! Not checked, because it was seen to be held: a user's `sandbox.enabled: false`,
//! `filesystem.disabled`, proxy ports, `strictAllowlist: false`, and, where the managed settings turn
//! the sandbox on, everything under `sandbox` in a repository's settings.

use std::collections::BTreeSet;

use policy_core::Harness;

use super::Watch;
use super::check::{Check, Fault, Gate, Severity, Weakens};
use super::context::{Context, Scene};
use super::hosts::Hosts;
use super::keys::{EVER, Known, Section, placed};
use super::outside::{any_started, chooses_code, head_sets, names_command};
use super::path::reach;
use super::place::{Kind, Moved, Path, Role, Watched};
use super::summary::{EgressState, SandboxState, Summary, Unlisted};
use super::value::{Lists, MOST_BYTES, Syntax, Value};
use crate::target::{Os, Release};

pub(super) static WATCH: Watch = Watch {
    harness: Harness::ClaudeCode,
    files: FILES,
    checks: CHECKS,
    summary,
    // Several managed files: lists are united, for anything else the later file counts.
    lists: Lists::United,
    most_managed: MOST_BYTES,
    programs: &["claude"],
    packages: &["@anthropic-ai/claude-code"],
    versions: &["~/.local/share/claude/versions"],
};

const CONFIG: &[Moved] = &[Moved {
    variable: "CLAUDE_CONFIG_DIR",
    instead_of: "~/.claude",
}];

const fn file(role: Role, kind: Kind, path: Path, moved: &'static [Moved]) -> Watched {
    Watched {
        harness: Harness::ClaudeCode,
        role,
        kind,
        syntax: match kind {
            Kind::Settings | Kind::ProjectSettings => Syntax::LenientJson,
            Kind::Agents => Syntax::Text,
            _ => Syntax::Json,
        },
        path,
        moved,
    }
}

const fn users_text(path: &'static str) -> Watched {
    file(Role::User, Kind::Agents, Path::Everywhere(path), CONFIG)
}

const fn projects(kind: Kind, path: &'static str) -> Watched {
    file(Role::Project, kind, Path::Everywhere(path), &[])
}

static FILES: &[Watched] = &[
    file(
        Role::Managed,
        Kind::Managed,
        Path::Each {
            linux: "/etc/claude-code/managed-settings.json",
            macos: "/Library/Application Support/ClaudeCode/managed-settings.json",
            windows: r"C:\Program Files\ClaudeCode\managed-settings.json",
        },
        &[],
    ),
    file(
        Role::Managed,
        Kind::Managed,
        Path::Each {
            linux: "/etc/claude-code/managed-settings.d/*.json",
            macos: "/Library/Application Support/ClaudeCode/managed-settings.d/*.json",
            windows: r"C:\Program Files\ClaudeCode\managed-settings.d\*.json",
        },
        &[],
    ),
    Watched {
        harness: Harness::ClaudeCode,
        role: Role::Managed,
        kind: Kind::ManagedElsewhere,
        syntax: Syntax::Presence,
        path: Path::MacOs("/Library/Managed Preferences/com.anthropic.claudecode.plist"),
        moved: &[],
    },
    file(
        Role::User,
        Kind::Settings,
        Path::Everywhere("~/.claude/settings.json"),
        CONFIG,
    ),
    // The variable that moves the directory moves this file into it.
    file(
        Role::User,
        Kind::Servers,
        Path::Everywhere("~/.claude.json"),
        &[Moved {
            variable: "CLAUDE_CONFIG_DIR",
            instead_of: "~",
        }],
    ),
    users_text("~/.claude/agents/**/*.md"),
    users_text("~/.claude/commands/**/*.md"),
    users_text("~/.claude/skills/**/*SKILL.md"),
    projects(Kind::ProjectSettings, ".claude/settings.json"),
    projects(Kind::ProjectSettings, ".claude/settings.local.json"),
    projects(Kind::ProjectServers, ".mcp.json"),
    projects(Kind::Agents, ".claude/agents/**/*.md"),
    projects(Kind::Agents, ".claude/commands/**/*.md"),
    projects(Kind::Agents, ".claude/skills/**/*SKILL.md"),
];

const RAN: &str = "observed: Claude Code 2.1.332 on Linux";
const SETTINGS: &[Kind] = &[Kind::Settings, Kind::ProjectSettings];
const DOCS: &str = "https://code.claude.com/docs/en/settings, 2026-11";

/// Settings that name a program, which is run outside the sandbox.
const HELPERS: [&str; 8] = [
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "fileSuggestion",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "statusLine",
    "subagentStatusLine",
];
const SCRUB: &str = "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB";

static CHECKS: &[Check] = &[
    Check {
        code: "claude-code-excluded-commands",
        severity: Severity::Failure,
        weakens: &[Weakens::Mode, Weakens::ShellHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            excludes(scene)
                && !scene
                    .managed(&["allowManagedPermissionRulesOnly"])
                    .is_true()
        }),
        problem: "{} sets sandbox.excludedCommands, which run outside the sandbox",
        fix: "remove sandbox.excludedCommands from {}",
        source: RAN,
    },
    Check {
        code: "claude-code-excluded-commands-ask",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode, Weakens::ShellHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            excludes(scene)
                && scene
                    .managed(&["allowManagedPermissionRulesOnly"])
                    .is_true()
        }),
        problem: "{} sets sandbox.excludedCommands, which run outside the sandbox once approved",
        fix: "remove sandbox.excludedCommands from {}",
        source: RAN,
    },
    Check {
        code: "claude-code-allow-read",
        severity: Severity::Failure,
        weakens: &[Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            let protects = scene.managed(&["sandbox", "filesystem", "denyRead"]);
            let lock = ["sandbox", "filesystem", "allowManagedReadPathsOnly"];
            scene
                .at(&["sandbox", "filesystem", "allowRead"])
                .has_entries()
                && counts(scene)
                && (protects.has_entries() || scene.lacks_settings())
                && !scene.managed(&lock).is_true()
        }),
        problem: "{} sets sandbox.filesystem.allowRead, which re-opens protected paths",
        fix: "remove sandbox.filesystem.allowRead from {}",
        source: RAN,
    },
    Check {
        code: "claude-code-allow-write",
        severity: Severity::Warning,
        weakens: &[Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            let managed = scene.managed(&["sandbox", "filesystem", "allowWrite"]);
            let open: BTreeSet<&str> = managed.texts().collect();
            writes(scene).any(|path| !open.contains(path)) && !writes_widely(scene) && counts(scene)
        }),
        problem: "{} sets sandbox.filesystem.allowWrite, which adds writable roots",
        fix: "remove sandbox.filesystem.allowWrite from {}; ask for the root in the policy",
        source: RAN,
    },
    Check {
        code: "claude-code-allow-write-widely",
        severity: Severity::Failure,
        weakens: &[Weakens::Mode, Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| writes_widely(scene) && counts(scene)),
        problem: "{} lets commands write to the system, the home or a protected path \
                  (sandbox.filesystem.allowWrite)",
        fix: "remove sandbox.filesystem.allowWrite from {}",
        source: RAN,
    },
    Check {
        code: "claude-code-additional-directories",
        severity: Severity::Notice,
        weakens: &[Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            scene
                .at(&["permissions", "additionalDirectories"])
                .has_entries()
        }),
        problem: "{} sets permissions.additionalDirectories, which may be written",
        fix: "remove permissions.additionalDirectories from {}, or keep it knowingly",
        source: RAN,
    },
    Check {
        code: "claude-code-allowed-domains",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            let permitted = permitted(scene);
            let domains = scene.at(&["sandbox", "network", "allowedDomains"]);
            let domains = domains.texts().filter(|_| counts(scene));
            // These stand elsewhere than what is ignored of a repository.
            let rules = fetch_allow_rules(scene).filter_map(|rule| {
                rule.strip_prefix("WebFetch(domain:")
                    .map(|rest| rest.trim_end_matches(')'))
            });
            domains
                .chain(rules)
                .any(|domain| opens(scene, &permitted, domain))
                && limits_hosts(scene)
                && !scene
                    .managed(&["sandbox", "network", "allowManagedDomainsOnly"])
                    .is_true()
        }),
        problem: "{} allows hosts, and the managed settings do not keep it from doing so",
        fix: "remove sandbox.network.allowedDomains and WebFetch(domain:...) allow rules from {}; \
              manage allowManagedDomainsOnly",
        source: RAN,
    },
    Check {
        code: "claude-code-fetch-allow",
        severity: Severity::Warning,
        weakens: &[Weakens::FetchHosts],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            let permitted = permitted(scene);
            fetch_allow_rules(scene).any(|rule| {
                let domain = rule.strip_prefix("WebFetch(domain:");
                let domain = domain.and_then(|rest| rest.strip_suffix(')'));
                domain.is_none_or(|domain| opens(scene, &permitted, domain))
            }) && limits_hosts(scene)
                && !scene
                    .managed(&["allowManagedPermissionRulesOnly"])
                    .is_true()
        }),
        problem: "{} allows the fetch tool hosts that the policy does not name, unasked",
        fix: "remove WebFetch from permissions.allow in {}",
        source: RAN,
    },
    Check {
        code: "claude-code-bypass-permissions",
        severity: Severity::Warning,
        weakens: &[Weakens::FetchHosts],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            scene
                .at(&["permissions", "defaultMode"])
                .is("bypassPermissions")
                && !scene
                    .managed(&["permissions", "disableBypassPermissionsMode"])
                    .is("disable")
        }),
        problem: "{} sets permissions.defaultMode = \"bypassPermissions\", in which the fetch tool \
                  asks for nothing",
        fix: "remove permissions.defaultMode from {}",
        source: RAN,
    },
    Check {
        code: "claude-code-env-scrub",
        severity: Severity::Failure,
        weakens: &[Weakens::Mode, Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            let value = scene.at(&["env", SCRUB]);
            value.is_set() && !is_off(value.text().unwrap_or("1")) && !pins_scrub(scene.context())
        }),
        problem: "{} sets CLAUDE_CODE_SUBPROCESS_ENV_SCRUB, with which sandboxed commands write \
                  anywhere",
        fix: "remove CLAUDE_CODE_SUBPROCESS_ENV_SCRUB from env in {}",
        source: RAN,
    },
    Check {
        code: "claude-code-env-scrub-variable",
        severity: Severity::Failure,
        weakens: &[Weakens::Mode, Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::Variable(SCRUB, |value, context| {
            !is_off(value) && !pins_scrub(context)
        }),
        problem: "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB is set, with which sandboxed commands write \
                  anywhere",
        fix: "unset CLAUDE_CODE_SUBPROCESS_ENV_SCRUB",
        source: RAN,
    },
    Check {
        code: "claude-code-weaker-sandbox",
        severity: Severity::Failure,
        weakens: &[Weakens::Mode],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            let weaker = [
                "enableWeakerNestedSandbox",
                "allowNestedUserNamespaces",
                "allowAppleEvents",
            ];
            weaker.iter().any(|key| switches(scene, &["sandbox", key]))
        }),
        problem: "{} turns on a weaker sandbox (enableWeakerNestedSandbox, \
                  allowNestedUserNamespaces or allowAppleEvents)",
        fix: "remove these switches from {}; manage them as false",
        source: RAN,
    },
    Check {
        code: "claude-code-weaker-network",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            switches(scene, &["sandbox", "enableWeakerNetworkIsolation"])
                || ["allowAllUnixSockets", "allowLocalBinding"]
                    .iter()
                    .any(|key| switches(scene, &["sandbox", "network", key]))
        }),
        problem: "{} opens the sandbox's network (enableWeakerNetworkIsolation, \
                  allowAllUnixSockets or allowLocalBinding)",
        fix: "remove these switches from {}; manage them as false",
        source: RAN,
    },
    Check {
        code: "claude-code-unix-sockets",
        severity: Severity::Warning,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            ["allowUnixSockets", "allowMachLookup"]
                .iter()
                .any(|key| scene.at(&["sandbox", "network", key]).has_entries())
                && counts(scene)
        }),
        problem: "{} opens sockets of services outside the sandbox \
                  (sandbox.network.allowUnixSockets or allowMachLookup)",
        fix: "remove these lists from {}",
        source: "https://code.claude.com/docs/en/sandboxing, 2026-11",
    },
    Check {
        code: "claude-code-auto-mode",
        severity: Severity::Notice,
        weakens: &[Weakens::FetchHosts],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            scene.at(&["permissions", "defaultMode"]).is("auto")
                && !scene
                    .managed(&["permissions", "disableAutoMode"])
                    .is("disable")
        }),
        problem: "{} sets permissions.defaultMode = \"auto\", in which a classifier answers instead of a \
                  person",
        fix: "remove permissions.defaultMode from {}, or manage permissions.disableAutoMode",
        source: "https://code.claude.com/docs/en/permissions, 2026-11",
    },
    Check {
        code: "claude-code-project-sandbox-off",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::In(&[Kind::ProjectSettings], |scene| {
            let sandbox = scene.at(&["sandbox"]);
            let off = sandbox.get("enabled").is_false()
                || sandbox.get("failIfUnavailable").is_false()
                || sandbox.get("allowUnsandboxedCommands").is_yes()
                || sandbox.at(&["filesystem", "disabled"]).is_yes();
            off && counts(scene)
        }),
        problem: "{} turns the sandbox off or lets commands leave it (sandbox.enabled, \
                  failIfUnavailable, allowUnsandboxedCommands or filesystem.disabled)",
        fix: "remove these switches from {}",
        source: DOCS,
    },
    Check::runs_code(
        "claude-code-hooks",
        SETTINGS,
        |scene| {
            scene.at(&["hooks"]).has_entries()
                && !scene.at(&["disableAllHooks"]).is_true()
                && !scene.managed(&["allowManagedHooksOnly"]).is_true()
        },
        [
            "{} sets hooks, which run outside the sandbox",
            "remove hooks from {}, or manage allowManagedHooksOnly",
        ],
        RAN,
    ),
    Check::runs_code(
        "claude-code-head-hooks",
        &[Kind::Agents],
        |scene| {
            let text = scene.document().text().unwrap_or_default();
            head_sets(text, &["hooks"]) && !scene.managed(&["allowManagedHooksOnly"]).is_true()
        },
        [
            "the head of {} sets hooks, which run outside the sandbox",
            "remove hooks from the head of {}, or manage allowManagedHooksOnly",
        ],
        "https://code.claude.com/docs/en/hooks, 2026-11",
    ),
    Check::runs_code(
        "claude-code-head-servers",
        &[Kind::Agents],
        |scene| {
            let text = scene.document().text().unwrap_or_default();
            head_sets(text, &["mcpServers"])
                && !scene.managed(&["allowManagedMcpServersOnly"]).is_true()
        },
        [
            "the head of {} starts tool servers (mcpServers), which run outside the sandbox",
            "remove mcpServers from the head of {}, or manage allowManagedMcpServersOnly",
        ],
        "https://code.claude.com/docs/en/sub-agents, 2026-11",
    ),
    Check::runs_code(
        "claude-code-servers",
        &[Kind::Servers, Kind::ProjectServers],
        |scene| {
            let projects = scene.at(&["projects"]);
            let servers = scene.at(&["mcpServers"]).has_entries()
                || projects
                    .values()
                    .any(|project| project.get("mcpServers").has_entries());
            servers && !scene.managed(&["allowManagedMcpServersOnly"]).is_true()
        },
        [
            "{} starts tool servers (mcpServers), which run outside the sandbox",
            "remove mcpServers from {}, or manage allowManagedMcpServersOnly",
        ],
        RAN,
    ),
    Check::runs_code(
        "claude-code-servers-approved",
        SETTINGS,
        |scene| {
            let approves = scene.at(&["enableAllProjectMcpServers"]).is_yes()
                || scene.at(&["enabledMcpjsonServers"]).has_entries();
            approves && !scene.managed(&["allowManagedMcpServersOnly"]).is_true()
        },
        [
            "{} approves a repository's tool servers (enableAllProjectMcpServers or \
             enabledMcpjsonServers), which run outside the sandbox",
            "remove both from {}, or manage allowManagedMcpServersOnly",
        ],
        DOCS,
    ),
    Check::runs_code(
        "claude-code-plugins",
        SETTINGS,
        |scene| {
            any_started(scene.at(&["enabledPlugins"]))
                || scene.at(&["extraKnownMarketplaces"]).has_entries()
        },
        [
            "{} brings plugins (enabledPlugins or extraKnownMarketplaces), whose code runs outside the \
             sandbox",
            "remove them from {}, or keep them knowingly",
        ],
        "https://code.claude.com/docs/en/plugins-reference, 2026-11",
    ),
    Check::runs_code(
        "claude-code-helpers",
        SETTINGS,
        |scene| {
            HELPERS
                .iter()
                .any(|key| names_command(scene.at(&[key])) && !scene.managed(&[key]).is_set())
        },
        [
            "{} names a program that runs outside the sandbox (apiKeyHelper, awsAuthRefresh, \
             awsCredentialExport, fileSuggestion, gcpAuthRefresh, otelHeadersHelper, statusLine or \
             subagentStatusLine)",
            "remove it from {}, or manage the key",
        ],
        "observed for apiKeyHelper: Claude Code 2.1.332 on Linux; for the others documented, not observed: \
         https://code.claude.com/docs/en/settings, 2026-11",
    ),
    Check::runs_code(
        "claude-code-env",
        SETTINGS,
        |scene| {
            scene
                .at(&["env"])
                .entries()
                .iter()
                .any(|(name, _)| chooses_code(name) && !scene.managed(&["env", name]).is_set())
        },
        [
            "{} sets a variable that chooses which code runs outside the sandbox, or where the program \
             connects (env)",
            "remove it from env in {}, or manage it",
        ],
        RAN,
    ),
    Check::runs_code_by_variable(
        "claude-code-shell-variable",
        Fault::Variable("BASH_ENV", |value, _| !value.is_empty()),
        [
            "BASH_ENV is set, whose file the program's own shell runs outside the sandbox",
            "unset BASH_ENV",
        ],
        RAN,
    ),
    Check::of_keys(
        "claude-code-managed-key-unknown",
        Fault::Managed(|context| KNOWN.is_exceeded_by(context.settings())),
        [
            "{} or a drop-in has a key at a place where Claude Code does not read it, so that it does \
             nothing",
            "move the key to where the vendor's page has it, or remove it",
        ],
        RAN,
    ),
    Check::of_keys(
        "claude-code-managed-key-later",
        Fault::Managed(|context| KNOWN.is_ahead_of(context.settings(), context.release())),
        [
            "{} or a drop-in has a key that this release does not read yet",
            "update Claude Code, or do not count on the key",
        ],
        "https://github.com/anthropics/claude-code/blob/main/CHANGELOG.md, 2026-11",
    ),
    Check {
        code: "claude-code-managed-sandbox-off",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Always,
        fault: Fault::Managed(|context| {
            let sandbox = context.settings().get("sandbox");
            sandbox.has_entries() && !sandbox.get("enabled").is_true()
        }),
        problem: "{} and its drop-ins do not set sandbox.enabled to true, so their other sandbox \
                  settings do nothing",
        fix: "set sandbox.enabled to true, and remove the drop-in that sets it to false",
        source: RAN,
    },
    Check {
        code: "claude-code-managed-fail-open",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            is_on(context)
                && context.os() != Os::Windows
                && !context
                    .settings()
                    .at(&["sandbox", "failIfUnavailable"])
                    .is_true()
        }),
        problem: "{} does not set sandbox.failIfUnavailable, so that commands run unsandboxed where \
                  the sandbox cannot start",
        fix: "set sandbox.failIfUnavailable to true in {}",
        source: RAN,
    },
    Check {
        code: "claude-code-managed-retry",
        severity: Severity::Failure,
        weakens: &[Weakens::Mode, Weakens::ShellHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            is_on(context)
                && !context
                    .settings()
                    .at(&["sandbox", "allowUnsandboxedCommands"])
                    .is_false()
        }),
        problem: "{} does not set sandbox.allowUnsandboxedCommands to false, so that a command may \
                  be retried outside the sandbox",
        fix: "set sandbox.allowUnsandboxedCommands to false in {}",
        source: RAN,
    },
    Check {
        code: "claude-code-managed-domains-open",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            let network = context.settings().at(&["sandbox", "network"]);
            let limited = network.get("allowedDomains");
            is_on(context)
                && limited.is_set()
                && !limited.texts().any(|domain| domain == "*")
                && !network.get("allowManagedDomainsOnly").is_true()
        }),
        problem: "{} does not set sandbox.network.allowManagedDomainsOnly, so that a user may add \
                  hosts",
        fix: "set sandbox.network.allowManagedDomainsOnly to true in {}",
        source: RAN,
    },
    Check {
        code: "claude-code-managed-read-open",
        severity: Severity::Failure,
        weakens: &[Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            let filesystem = context.settings().at(&["sandbox", "filesystem"]);
            is_on(context)
                && filesystem.get("denyRead").has_entries()
                && !filesystem.get("allowManagedReadPathsOnly").is_true()
        }),
        problem: "{} does not set sandbox.filesystem.allowManagedReadPathsOnly, so that a user may \
                  re-open protected paths",
        fix: "set sandbox.filesystem.allowManagedReadPathsOnly to true in {}",
        source: RAN,
    },
    Check {
        code: "claude-code-managed-write-open",
        severity: Severity::Failure,
        weakens: &[Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            let filesystem = context.settings().at(&["sandbox", "filesystem"]);
            let denied: BTreeSet<&str> = filesystem.get("denyWrite").texts().collect();
            is_on(context)
                && filesystem
                    .get("denyRead")
                    .texts()
                    .any(|path| !denied.contains(path))
        }),
        problem: "{} denies reading a path (sandbox.filesystem.denyRead) and not writing it",
        fix: "repeat sandbox.filesystem.denyRead as denyWrite in {}",
        source: RAN,
    },
    Check {
        code: "claude-code-managed-platforms",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            let platforms = context.settings().at(&["sandbox", "enabledPlatforms"]);
            is_on(context)
                && platforms.is_set()
                && !platforms.texts().any(|name| name == context.os().name())
        }),
        problem: "{} or a drop-in leaves this system out of sandbox.enabledPlatforms, so that there \
                  is no sandbox",
        fix: "remove sandbox.enabledPlatforms",
        source: RAN,
    },
    Check {
        code: "claude-code-managed-excluded-commands",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode, Weakens::ShellHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            context
                .settings()
                .at(&["sandbox", "excludedCommands"])
                .has_entries()
        }),
        problem: "{} or a drop-in sets sandbox.excludedCommands, which run outside the sandbox",
        fix: "remove sandbox.excludedCommands",
        source: RAN,
    },
    Check {
        code: "claude-code-managed-scrub-open",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode, Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| is_on(context) && !pins_scrub(context)),
        problem: "{} does not pin CLAUDE_CODE_SUBPROCESS_ENV_SCRUB, with which sandboxed commands \
                  write anywhere",
        fix: "set CLAUDE_CODE_SUBPROCESS_ENV_SCRUB to \"0\" in env in {}",
        source: RAN,
    },
    Check {
        code: "claude-code-managed-elsewhere",
        severity: Severity::Warning,
        weakens: &[Weakens::Everything],
        gate: Gate::Always,
        fault: Fault::In(&[Kind::ManagedElsewhere], |_| true),
        problem: "{} holds managed settings that replace the managed file as a whole",
        fix: "keep one of the two",
        source: "the program's own code, Claude Code 2.1.332",
    },
];

/// The keys of the managed settings that matter to a policy, with the releases that read them.
static KNOWN: Known = Known {
    sections: &[
        Section {
            at: &["sandbox"],
            keys: &[
                ("enabled", EVER),
                ("failIfUnavailable", Release(2, 1, 83)),
                ("allowUnsandboxedCommands", Release(2, 0, 30)),
                ("autoAllowBashIfSandboxed", EVER),
                ("excludedCommands", EVER),
                ("enabledPlatforms", Release(2, 1, 62)),
                ("enableWeakerNestedSandbox", EVER),
                ("allowNestedUserNamespaces", EVER),
                ("allowAppleEvents", EVER),
                ("enableWeakerNetworkIsolation", EVER),
                ("bwrapPath", Release(2, 1, 133)),
                ("socatPath", Release(2, 1, 133)),
                ("credentials", Release(2, 1, 187)),
                ("ignoreViolations", EVER),
                ("ripgrep", EVER),
                ("windows", EVER),
                ("network", EVER),
                ("filesystem", EVER),
            ],
        },
        Section {
            at: &["sandbox", "network"],
            keys: &[
                ("allowedDomains", EVER),
                ("deniedDomains", Release(2, 1, 113)),
                ("allowManagedDomainsOnly", Release(2, 1, 62)),
                ("strictAllowlist", Release(2, 1, 219)),
                ("allowUnixSockets", EVER),
                ("allowAllUnixSockets", EVER),
                ("allowLocalBinding", EVER),
                ("allowMachLookup", EVER),
                ("httpProxyPort", EVER),
                ("socksProxyPort", EVER),
                ("tlsTerminate", EVER),
            ],
        },
        Section {
            at: &["sandbox", "filesystem"],
            keys: &[
                ("allowWrite", EVER),
                ("denyWrite", EVER),
                ("denyRead", EVER),
                ("allowRead", Release(2, 1, 77)),
                ("allowManagedReadPathsOnly", Release(2, 1, 78)),
                ("disabled", Release(2, 1, 216)),
            ],
        },
        Section {
            at: &["permissions"],
            keys: &[
                ("allow", EVER),
                ("ask", EVER),
                ("deny", EVER),
                ("defaultMode", EVER),
                ("additionalDirectories", EVER),
                ("disableBypassPermissionsMode", EVER),
                ("disableAutoMode", EVER),
                ("denyInsteadOfPrompting", Release(2, 1, 301)),
            ],
        },
    ],
    placed: &[
        placed("allowManagedPermissionRulesOnly", &[&[]]),
        placed("allowManagedHooksOnly", &[&[]]),
        placed("allowManagedMcpServersOnly", &[&[]]),
        placed("allowedMcpServers", &[&[]]),
        placed("requiredMinimumVersion", &[&[]]),
        placed("disableBypassPermissionsMode", &[&["permissions"]]),
        placed("disableAutoMode", &[&["permissions"]]),
        placed("failIfUnavailable", &[&["sandbox"]]),
        placed("allowUnsandboxedCommands", &[&["sandbox"]]),
        placed("excludedCommands", &[&["sandbox"]]),
        placed("allowedDomains", &[&["sandbox", "network"]]),
        placed("deniedDomains", &[&["sandbox", "network"]]),
        placed("allowManagedDomainsOnly", &[&["sandbox", "network"]]),
        placed("strictAllowlist", &[&["sandbox", "network"]]),
        placed("denyRead", &[&["sandbox", "filesystem"]]),
        placed("denyWrite", &[&["sandbox", "filesystem"]]),
        placed("allowManagedReadPathsOnly", &[&["sandbox", "filesystem"]]),
    ],
};

/// Whether what stands under `sandbox` takes effect: a repository's does not where the managed
/// settings turn the sandbox on.
fn counts(scene: &Scene<'_>) -> bool {
    !scene.is_of_a_clone() || !is_on(scene.context())
}

fn fetch_allow_rules<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = &'s str> {
    scene
        .at(&["permissions", "allow"])
        .texts()
        .filter(|rule| *rule == "WebFetch" || rule.starts_with("WebFetch("))
}

/// The hosts that may be allowed again without opening anything.
fn permitted(scene: &Scene<'_>) -> Hosts {
    let network = scene.managed(&["sandbox", "network"]);
    let list = |key| network.get(key).texts().map(str::to_lowercase);
    let any = list("allowedDomains").any(|domain| domain == "*");
    Hosts::new(list("allowedDomains"), list("deniedDomains"), any)
}

/// Whether allowing a domain opens anything. Where nothing is managed, the policy says it.
fn opens(scene: &Scene<'_>, permitted: &Hosts, domain: &str) -> bool {
    let by_policy = scene.context().hosts().filter(|_| scene.lacks_settings());
    !permitted.permit(domain) && !by_policy.is_some_and(|policy| policy.permit(domain))
}

fn excludes(scene: &Scene<'_>) -> bool {
    scene.at(&["sandbox", "excludedCommands"]).has_entries() && counts(scene)
}

fn writes<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = &'s str> {
    scene.at(&["sandbox", "filesystem", "allowWrite"]).texts()
}

fn writes_widely(scene: &Scene<'_>) -> bool {
    let protected = scene.managed(&["sandbox", "filesystem", "denyRead"]);
    reach(writes(scene), protected.texts())
}

/// Whether the user turns a switch on that the managed settings do not hold down.
fn switches(scene: &Scene<'_>, keys: &[&str]) -> bool {
    scene.at(keys).is_yes() && !scene.managed(keys).is_false() && counts(scene)
}

fn pins_scrub(context: &Context) -> bool {
    context
        .settings()
        .at(&["env", SCRUB])
        .text()
        .is_some_and(is_off)
}

fn is_off(value: &str) -> bool {
    matches!(value, "" | "0" | "false")
}

fn is_on(context: &Context) -> bool {
    context.settings().at(&["sandbox", "enabled"]).is_true()
}

/// Whether the managed settings name hosts at all.
fn limits_hosts(scene: &Scene<'_>) -> bool {
    let settings = scene.context().settings();
    !matches!(summary_of_hosts(settings), EgressState::Unmanaged) || scene.lacks_settings()
}

fn summary(context: &Context) -> Summary {
    let settings = context.settings();
    let enabled = settings.at(&["sandbox", "enabled"]);
    let sandbox = match enabled {
        Value::Bool(true) => SandboxState::On,
        _ if settings.get("sandbox").has_entries() => SandboxState::Off,
        _ => SandboxState::Unmanaged,
    };
    let egress = match sandbox {
        SandboxState::On => summary_of_hosts(settings),
        _ => fetch_rules(settings),
    };
    Summary::new(sandbox, egress)
}

fn summary_of_hosts(settings: &Value) -> EgressState {
    let network = settings.at(&["sandbox", "network"]);
    let (allowed, denied) = (network.get("allowedDomains"), network.get("deniedDomains"));
    if !allowed.is_set() && !denied.has_entries() {
        return fetch_rules(settings);
    }
    let any = allowed.texts().any(|domain| domain == "*");
    let locked = network.get("allowManagedDomainsOnly").is_true();
    let distinct = |list: &Value| {
        list.texts()
            .filter(|domain| *domain != "*")
            .collect::<BTreeSet<_>>()
            .len()
    };
    EgressState::Hosts {
        unlisted: match (any, locked) {
            (true, _) => Unlisted::Allow,
            (false, true) => Unlisted::Deny,
            (false, false) => Unlisted::Ask,
        },
        allowed: distinct(allowed),
        denied: distinct(denied),
    }
}

fn fetch_rules(settings: &Value) -> EgressState {
    let rules: BTreeSet<&str> = settings.at(&["permissions", "deny"]).texts().collect();
    match rules
        .iter()
        .filter(|rule| rule.starts_with("WebFetch("))
        .count()
    {
        _ if rules.contains("WebFetch") => EgressState::FetchDenied,
        0 => EgressState::Unmanaged,
        rules => EgressState::FetchRules(rules),
    }
}

//! Claude Code: what in a user's settings and in the managed ones weakens its sandbox.
//!
//! Not checked, because it was seen to be held: a user's `sandbox.enabled: false`,
//! `filesystem.disabled`, proxy ports, `strictAllowlist: false`, and every key of a repository's
//! settings.

use std::collections::BTreeSet;

use policy_core::Harness;

use super::Watch;
use super::check::{Check, Fault, Gate, Severity, Weakens};
use super::context::{Context, Scene};
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
    floor: Some(Release(2, 1, 62)),
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
        syntax: Syntax::Json,
        path,
        moved,
    }
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
];

const RAN: &str = "observed: Claude Code 2.1.332 on Linux";
const SETTINGS: &[Kind] = &[Kind::Settings];
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
                && (protects.has_entries() || !scene.context().is_known())
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
            writes(scene).next().is_some() && !writes_widely(scene)
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
        fault: Fault::In(SETTINGS, writes_widely),
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
            let domains = scene.at(&["sandbox", "network", "allowedDomains"]);
            let rules = scene.at(&["permissions", "allow"]);
            let adds = domains.has_entries()
                || rules
                    .texts()
                    .any(|rule| rule.starts_with("WebFetch(domain:"));
            adds && limits_hosts(scene.context())
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
            scene
                .at(&["permissions", "allow"])
                .texts()
                .any(|rule| rule == "WebFetch" || rule.starts_with("WebFetch("))
                && limits_hosts(scene.context())
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
        }),
        problem: "{} opens sockets of services outside the sandbox \
                  (sandbox.network.allowUnixSockets or allowMachLookup)",
        fix: "remove these lists from {}",
        source: "https://code.claude.com/docs/en/sandboxing, 2026-11",
    },
    Check {
        code: "claude-code-hooks",
        severity: Severity::Notice,
        weakens: &[Weakens::Mode, Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            scene.at(&["hooks"]).has_entries()
                && !scene.managed(&["allowManagedHooksOnly"]).is_true()
        }),
        problem: "{} sets hooks, which run outside the sandbox",
        fix: "remove hooks from {}, or manage allowManagedHooksOnly",
        source: RAN,
    },
    Check {
        code: "claude-code-servers",
        severity: Severity::Notice,
        weakens: &[Weakens::Mode, Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(&[Kind::Servers], |scene| {
            let projects = scene.at(&["projects"]);
            let servers = scene.at(&["mcpServers"]).has_entries()
                || projects
                    .values()
                    .any(|project| project.get("mcpServers").has_entries());
            servers && !scene.managed(&["allowManagedMcpServersOnly"]).is_true()
        }),
        problem: "{} starts tool servers (mcpServers), which run outside the sandbox",
        fix: "remove mcpServers from {}, or manage allowManagedMcpServersOnly",
        source: RAN,
    },
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

fn excludes(scene: &Scene<'_>) -> bool {
    scene.at(&["sandbox", "excludedCommands"]).has_entries()
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
    scene.at(keys).is_yes() && !scene.managed(keys).is_false()
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
fn limits_hosts(context: &Context) -> bool {
    !matches!(summary_of_hosts(context.settings()), EgressState::Unmanaged) || !context.is_known()
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

//! Copilot CLI: what in a user's settings and in the managed ones weakens its sandbox.
//!
//! Not checked, because it was seen to be held: a user's `sandbox.enabled: false`, `--no-sandbox`, and,
//! where the managed settings turn the sandbox on, what a repository's settings say of it. Hooks and
//! servers run in that sandbox.

use std::collections::BTreeSet;

use policy_core::Harness;

use super::Watch;
use super::check::{Check, Fault, Gate, Severity, Weakens};
use super::context::{Context, Scene};
use super::keys::{EVER, Known, Section, placed};
use super::outside::any_started;
use super::place::{Kind, Moved, Path, Role, Watched};
use super::summary::{EgressState, SandboxState, Summary, Unlisted};
use super::value::{Lists, Syntax, Value};
use crate::target::Release;

pub(super) static WATCH: Watch = Watch {
    harness: Harness::CopilotCli,
    files: FILES,
    checks: CHECKS,
    summary,
    lists: Lists::Replaced,
    most_managed: 65_536, // Observed in 1.0.102: a longer one is rejected.
    programs: &["copilot"],
    packages: &["@github/copilot"],
    versions: &[],
};

const HOME: &[Moved] = &[Moved {
    variable: "COPILOT_HOME",
    instead_of: "~/.copilot",
}];

const fn users(kind: Kind, path: &'static str) -> Watched {
    Watched {
        harness: Harness::CopilotCli,
        role: Role::User,
        kind,
        syntax: Syntax::JsonWithTrailingCommas,
        path: Path::Everywhere(path),
        moved: HOME,
    }
}

const fn projects(kind: Kind, path: &'static str) -> Watched {
    Watched {
        role: Role::Project,
        moved: &[],
        ..users(kind, path)
    }
}

static FILES: &[Watched] = &[
    Watched {
        harness: Harness::CopilotCli,
        role: Role::Managed,
        kind: Kind::Managed,
        syntax: Syntax::Json,
        path: Path::Each {
            linux: "/etc/github-copilot/managed-settings.json",
            macos: "/Library/Application Support/GitHubCopilot/managed-settings.json",
            windows: r"C:\Program Files\GitHubCopilot\managed-settings.json",
        },
        moved: &[],
    },
    users(Kind::Settings, "~/.copilot/settings.json"),
    users(Kind::Servers, "~/.copilot/mcp-config.json"),
    users(Kind::Servers, "~/.copilot/lsp-config.json"),
    users(Kind::Hooks, "~/.copilot/hooks/*.json"),
    projects(Kind::ProjectSettings, ".github/copilot/settings.json"),
    projects(Kind::ProjectSettings, ".github/copilot/settings.local.json"),
    projects(Kind::Hooks, ".github/hooks/*.json"),
    projects(Kind::Servers, ".mcp.json"),
    projects(Kind::Servers, ".github/mcp.json"),
    projects(Kind::Servers, ".github/lsp.json"),
];

const DOCS: &str = "https://docs.github.com/en/copilot/reference/copilot-cli-reference, 2026-11";
const RAN: &str = "observed: Copilot CLI 1.0.102 on Linux";
const SETTINGS: &[Kind] = &[Kind::Settings];
const ANY: &[Kind] = &[Kind::Settings, Kind::ProjectSettings];
const PATHS: [&str; 2] = ["readwritePaths", "readonlyPaths"];

static CHECKS: &[Check] = &[
    Check {
        code: "copilot-cli-paths",
        severity: Severity::Failure,
        weakens: &[Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            paths(scene, "readwritePaths").has_entries()
                && !ceiling(scene, "readwritePaths").is_set()
        }),
        problem: "{} sets readwritePaths, and no managed list limits them",
        fix: "remove readwritePaths from {}; manage the list, even as []",
        source: RAN,
    },
    Check {
        code: "copilot-cli-read-paths",
        severity: Severity::Notice,
        weakens: &[Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            paths(scene, "readonlyPaths").has_entries() && !ceiling(scene, "readonlyPaths").is_set()
        }),
        problem: "{} sets readonlyPaths, and no managed list limits them; denied paths stay denied",
        fix: "remove readonlyPaths from {}, or keep it knowingly",
        source: RAN,
    },
    Check {
        code: "copilot-cli-paths-outside",
        severity: Severity::Notice,
        weakens: &[],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            PATHS.iter().any(|key| {
                let ceiling = ceiling(scene, key);
                let granted: BTreeSet<&str> = ceiling.texts().collect();
                ceiling.is_set()
                    && paths(scene, key)
                        .texts()
                        .any(|path| !granted.contains(path))
            })
        }),
        problem: "{} lists paths outside the managed lists, which have no effect",
        fix: "remove from {} the paths that the managed settings do not list, letter by letter",
        source: RAN,
    },
    Check {
        code: "copilot-cli-hosts-disjoint",
        severity: Severity::Notice,
        weakens: &[],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            let keys = ["sandbox", "userPolicy", "network", "allowedHosts"];
            let managed: BTreeSet<&str> = scene.managed(&keys).texts().collect();
            let own = scene.at(&keys);
            own.has_entries()
                && !managed.is_empty()
                && !own.texts().any(|host| managed.contains(host))
        }),
        problem: "{} allows only hosts that the managed settings do not, so that none is reached",
        fix: "remove allowedHosts from {}",
        source: RAN,
    },
    Check {
        code: "copilot-cli-servers-unsandboxed",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode, Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            ["sandboxMcpServers", "sandboxLspServers"]
                .iter()
                .any(|key| {
                    scene.at(&["sandbox", key]).is_false()
                        && !scene.managed(&["sandbox", key]).is_true()
                })
        }),
        problem: "{} runs tool or language servers outside the sandbox (sandboxMcpServers or \
                  sandboxLspServers)",
        fix: "remove these switches from {}; manage them as true",
        source: DOCS,
    },
    Check {
        code: "copilot-cli-dev-tools",
        severity: Severity::Warning,
        weakens: &[Weakens::WritableRoots, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::In(SETTINGS, |scene| {
            let keys = ["sandbox", "allowDevToolAccess"];
            scene.at(&keys).is_yes() && !scene.managed(&keys).is_false()
        }),
        problem: "{} opens the caches and credentials of development tools (allowDevToolAccess)",
        fix: "remove allowDevToolAccess from {}; manage it as false",
        source: DOCS,
    },
    Check::runs_code(
        "copilot-cli-servers",
        &[Kind::Servers],
        |scene| servers(scene).any(|server| server.get("url").is_set()),
        [
            "{} names remote tool servers, which no sandbox holds",
            "remove them from {}, or keep them knowingly",
        ],
        DOCS,
    ),
    Check::runs_code(
        "copilot-cli-local-servers",
        &[Kind::Servers],
        |scene| {
            let sandboxed = |key| is_on(scene.context()) && !is_exempt(scene, key);
            let local = |key| {
                let mut servers = scene.at(&[key]).values();
                servers.any(|server| !server.get("url").is_set() && !is_disabled(server))
            };
            (local("mcpServers") && !sandboxed("sandboxMcpServers"))
                || (local("lspServers") && !sandboxed("sandboxLspServers"))
        },
        [
            "{} starts tool or language servers, which run outside the sandbox",
            "remove them from {}; manage sandbox.enabled, sandboxMcpServers and sandboxLspServers as true",
        ],
        DOCS,
    ),
    Check::runs_code(
        "copilot-cli-hooks",
        &[Kind::Settings, Kind::ProjectSettings, Kind::Hooks],
        |scene| {
            scene.at(&["hooks"]).has_entries()
                && !scene.at(&["disableAllHooks"]).is_true()
                && !is_on(scene.context())
        },
        [
            "{} sets hooks, which run outside the sandbox",
            "remove hooks from {}, or manage sandbox.enabled as true",
        ],
        "observed: Copilot CLI 1.0.102 on Linux runs them in a managed sandbox",
    ),
    Check::runs_code(
        "copilot-cli-plugins",
        ANY,
        |scene| {
            let held = is_on(scene.context())
                && !is_exempt(scene, "sandboxMcpServers")
                && !is_exempt(scene, "sandboxLspServers");
            let brings = any_started(scene.at(&["enabledPlugins"]))
                || scene.at(&["extraKnownMarketplaces"]).has_entries();
            brings && !held
        },
        [
            "{} brings plugins (enabledPlugins or extraKnownMarketplaces), whose code runs outside the \
             sandbox",
            "remove them from {}; manage sandbox.enabled, sandboxMcpServers and sandboxLspServers as true",
        ],
        DOCS,
    ),
    Check {
        code: "copilot-cli-project-sandbox",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::In(&[Kind::ProjectSettings], |scene| {
            let own = scene.at(&["sandbox"]);
            let files = own.at(&["userPolicy", "filesystem"]);
            let hosts = own.at(&["userPolicy", "network", "allowedHosts"]);
            let policy = scene.context().hosts();
            let opens = own.get("enabled").is_false()
                || own.get("allowBypass").is_yes()
                || own.get("allowDevToolAccess").is_yes()
                || own.get("sandboxMcpServers").is_false()
                || own.get("sandboxLspServers").is_false()
                || files.get("readwritePaths").has_entries()
                || hosts
                    .texts()
                    .any(|host| !policy.is_some_and(|policy| policy.permit(host)));
            opens && !is_on(scene.context())
        }),
        problem: "{} turns the sandbox off or widens it (sandbox)",
        fix: "remove sandbox from {}",
        source: DOCS,
    },
    Check {
        code: "copilot-cli-allow-all-variable",
        severity: Severity::Warning,
        weakens: &[Weakens::FetchHosts],
        gate: Gate::Managed,
        fault: Fault::Variable("COPILOT_ALLOW_ALL", |value, context| {
            !is_off(value)
                && !context
                    .settings()
                    .at(&["permissions", "disableBypassPermissionsMode"])
                    .is_set()
        }),
        problem: "COPILOT_ALLOW_ALL is set, so that nothing is asked",
        fix: "unset COPILOT_ALLOW_ALL; manage permissions.disableBypassPermissionsMode",
        source: DOCS,
    },
    Check {
        code: "copilot-cli-no-update-variable",
        severity: Severity::Notice,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::Variable("COPILOT_AUTO_UPDATE", |value, _| {
            value.eq_ignore_ascii_case("false")
        }),
        problem: "COPILOT_AUTO_UPDATE is false, so that an old release may stay, which honours less",
        fix: "unset COPILOT_AUTO_UPDATE",
        source: DOCS,
    },
    Check {
        code: "copilot-cli-home",
        severity: Severity::Notice,
        weakens: &[],
        gate: Gate::Always,
        fault: Fault::Variable("COPILOT_HOME", |value, _| !value.is_empty()),
        problem: "COPILOT_HOME is set, so that Copilot CLI reads its settings there; both places \
                  were checked",
        fix: "unset COPILOT_HOME unless it is meant",
        source: DOCS,
    },
    Check::of_keys(
        "copilot-cli-managed-key-unknown",
        Fault::Managed(|context| KNOWN.is_exceeded_by(context.settings())),
        [
            "{} has a key that Copilot CLI does not know at that place, so that it does nothing",
            "write the key as the vendor's page has it, or remove it",
        ],
        RAN,
    ),
    Check::of_keys(
        "copilot-cli-managed-key-later",
        Fault::Managed(|context| KNOWN.is_ahead_of(context.settings(), context.release())),
        [
            "{} has a key that this release does not read yet",
            "update Copilot CLI, or do not count on the key",
        ],
        "observed: Copilot CLI 1.0.85, 1.0.92 and 1.0.102 on Linux",
    ),
    Check {
        code: "copilot-cli-managed-sandbox-off",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Always,
        fault: Fault::Managed(|context| sandbox(context).has_entries() && !is_on(context)),
        problem: "{} does not set sandbox.enabled to true, so that its other sandbox settings bind \
                  only those who turn it on",
        fix: "set sandbox.enabled to true in {}",
        source: RAN,
    },
    Check {
        code: "copilot-cli-managed-bypass",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            is_on(context) && !sandbox(context).get("allowBypass").is_false()
        }),
        problem: "{} does not set sandbox.allowBypass to false, so that a user may turn the sandbox \
                  off",
        fix: "set sandbox.allowBypass to false in {}",
        source: RAN,
    },
    Check {
        code: "copilot-cli-managed-fail-open",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            is_on(context) && !sandbox(context).get("failIfUnavailable").is_true()
        }),
        problem: "{} does not set sandbox.failIfUnavailable, which blocks tools where there is no \
                  sandbox",
        fix: "set sandbox.failIfUnavailable to true in {}",
        source: RAN,
    },
    Check {
        code: "copilot-cli-managed-paths-open",
        severity: Severity::Failure,
        weakens: &[Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            let list = sandbox(context).at(&["userPolicy", "filesystem", "readwritePaths"]);
            is_on(context) && !list.is_set()
        }),
        problem: "{} has no readwritePaths, so that a user may add any",
        fix: "set readwritePaths in {}, even to []",
        source: RAN,
    },
    Check {
        code: "copilot-cli-managed-host-dropped",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Always,
        fault: Fault::Managed(|context| {
            ["allowedHosts", "blockedHosts"].iter().any(|key| {
                let list = network(context).get(key);
                let bad = list
                    .items()
                    .iter()
                    .any(|host| !host.text().is_some_and(is_host));
                bad || (list.is_set() && !matches!(list, Value::List(_)))
            })
        }),
        problem: "{} has an entry among its hosts that is dropped in silence",
        fix: "write hosts in lower case, without scheme, port or path, as a list in {}",
        source: RAN,
    },
    Check {
        code: "copilot-cli-managed-hosts-empty",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Always,
        fault: Fault::Managed(|context| {
            let network = network(context);
            network.get("allowedHosts").is_set()
                && hosts(network, "allowedHosts") == 0
                && !network.get("allowOutbound").is_false()
        }),
        problem: "{} has an empty allowedHosts, which allows every host",
        fix: "set allowOutbound to false in {} where no host is to be reached",
        source: RAN,
    },
    Check {
        code: "copilot-cli-managed-hosts-inactive",
        severity: Severity::Warning,
        weakens: &[],
        gate: Gate::Always,
        fault: Fault::Managed(|context| {
            let network = network(context);
            network.get("allowOutbound").is_false() && network.get("allowedHosts").has_entries()
        }),
        problem: "{} sets allowOutbound to false beside allowedHosts, so that even those are blocked",
        fix: "set allowOutbound to true in {}",
        source: RAN,
    },
    Check {
        code: "copilot-cli-managed-path-glob",
        severity: Severity::Failure,
        weakens: &[Weakens::ProtectedPaths],
        gate: Gate::Always,
        fault: Fault::Managed(|context| {
            let denied = sandbox(context).at(&["userPolicy", "filesystem", "deniedPaths"]);
            denied.texts().any(|path| path.contains(['*', '?', '[']))
        }),
        problem: "{} has a glob in deniedPaths, which is read letter by letter and protects nothing",
        fix: "write paths without wildcards in {}",
        source: RAN,
    },
];

static KNOWN: Known = Known {
    sections: &[
        Section {
            at: &["sandbox"],
            keys: &[
                ("enabled", EVER),
                ("failIfUnavailable", EVER),
                ("allowBypass", EVER),
                ("addCurrentWorkingDirectory", EVER),
                ("sandboxMcpServers", EVER),
                ("sandboxLspServers", EVER),
                ("auth", EVER),
                ("allowDevToolAccess", EVER),
                ("learningMode", EVER),
                ("userPolicy", EVER),
            ],
        },
        Section {
            at: &["sandbox", "userPolicy", "filesystem"],
            keys: &[
                ("readwritePaths", EVER),
                ("readonlyPaths", EVER),
                ("deniedPaths", EVER),
            ],
        },
        Section {
            at: &["sandbox", "userPolicy", "network"],
            keys: &[
                ("allowOutbound", EVER),
                ("allowLocalNetwork", EVER),
                ("allowedHosts", Release(1, 0, 85)),
                ("blockedHosts", Release(1, 0, 85)),
                ("proxy", EVER),
            ],
        },
        Section {
            at: &["permissions"],
            keys: &[
                ("disableBypassPermissionsMode", EVER),
                ("disableAssistedPermissionsMode", EVER),
                ("defaultMode", EVER),
                ("deny", EVER),
                ("ask", EVER),
                ("allow", EVER),
                ("limitTo", Release(1, 0, 93)),
            ],
        },
    ],
    placed: &[
        placed("userPolicy", &[&["sandbox"]]),
        placed("allowBypass", &[&["sandbox"]]),
        placed("failIfUnavailable", &[&["sandbox"]]),
        placed("allowedHosts", &[&["sandbox", "userPolicy", "network"]]),
        placed("blockedHosts", &[&["sandbox", "userPolicy", "network"]]),
        placed("deniedPaths", &[&["sandbox", "userPolicy", "filesystem"]]),
        placed(
            "readwritePaths",
            &[&["sandbox", "userPolicy", "filesystem"]],
        ),
        placed("limitTo", &[&["permissions"]]),
        placed("disableBypassPermissionsMode", &[&["permissions"]]),
    ],
};

/// The servers of a file, under any name that it may have for them.
fn servers<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = &'s Value> {
    ["mcpServers", "lspServers"]
        .into_iter()
        .flat_map(|key| scene.at(&[key]).values())
        .filter(|server| !is_disabled(server))
}

fn is_disabled(server: &Value) -> bool {
    server.get("disabled").is_true() || server.get("enabled").is_false()
}

/// Whether servers may be kept out of the managed sandbox.
fn is_exempt(scene: &Scene<'_>, key: &str) -> bool {
    !scene.managed(&["sandbox", key]).is_true()
}

fn sandbox(context: &Context) -> &Value {
    context.settings().get("sandbox")
}

fn network(context: &Context) -> &Value {
    sandbox(context).at(&["userPolicy", "network"])
}

fn is_on(context: &Context) -> bool {
    sandbox(context).get("enabled").is_true()
}

fn paths<'s>(scene: &'s Scene<'_>, key: &str) -> &'s Value {
    scene.at(&["sandbox", "userPolicy", "filesystem", key])
}

fn ceiling<'s>(scene: &'s Scene<'_>, key: &str) -> &'s Value {
    scene.managed(&["sandbox", "userPolicy", "filesystem", key])
}

/// The values that the vendor lists as "off"; anything else may be "on".
fn is_off(value: &str) -> bool {
    let off = ["", "0", "false", "no", "off", "n"];
    off.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether the sandbox keeps the entry: `^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$`.
fn is_host(host: &str) -> bool {
    let name = host.strip_prefix("*.").unwrap_or(host);
    name.split('.').all(|label| {
        !label.is_empty()
            && label
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    })
}

fn hosts(network: &Value, key: &str) -> usize {
    let kept: BTreeSet<&str> = network
        .get(key)
        .texts()
        .filter(|host| is_host(host))
        .collect();
    kept.len()
}

fn summary(context: &Context) -> Summary {
    let sandbox = match sandbox(context) {
        sandbox if sandbox.get("enabled").is_true() => SandboxState::On,
        sandbox if sandbox.has_entries() => SandboxState::Off,
        _ => SandboxState::Unmanaged,
    };
    let network = network(context);
    let egress = if network.has_entries() {
        let allowed = hosts(network, "allowedHosts");
        let outbound = !network.get("allowOutbound").is_false();
        EgressState::Hosts {
            unlisted: if allowed == 0 && outbound {
                Unlisted::Allow
            } else {
                Unlisted::Deny
            },
            allowed: if outbound { allowed } else { 0 },
            denied: hosts(network, "blockedHosts"),
        }
    } else if context.settings().at(&["permissions", "limitTo"]).is_set() {
        EgressState::FetchRules(
            context
                .settings()
                .at(&["permissions", "limitTo"])
                .items()
                .len(),
        )
    } else {
        EgressState::Unmanaged
    };
    Summary::new(sandbox, egress)
}

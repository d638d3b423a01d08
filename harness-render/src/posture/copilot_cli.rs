//! Copilot CLI: what in a user's settings and in the managed ones weakens its sandbox.
//!
//! Not checked, because it was seen to be held: a user's `sandbox.enabled: false`, every key of a
//! repository's settings, and `--no-sandbox`.

use std::collections::BTreeSet;

use policy_core::Harness;

use super::Watch;
use super::check::{Check, Fault, Gate, Severity, Weakens};
use super::context::{Context, Scene};
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
    floor: Some(Release(1, 0, 85)),
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
];

const DOCS: &str = "https://docs.github.com/en/copilot/reference/copilot-cli-reference, 2026-11";
const RAN: &str = "observed: Copilot CLI 1.0.102 on Linux";
const SETTINGS: &[Kind] = &[Kind::Settings];
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
    Check {
        code: "copilot-cli-servers",
        severity: Severity::Notice,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(&[Kind::Servers], |scene| {
            scene
                .at(&["mcpServers"])
                .values()
                .any(|server| server.get("url").is_set())
        }),
        problem: "{} names remote tool servers, which no sandbox holds",
        fix: "remove them from {}, or keep them knowingly",
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

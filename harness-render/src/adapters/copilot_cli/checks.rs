//! Copilot CLI: what in a user's settings and in the managed ones weakens its sandbox.
//!
//! Not checked, because it was seen to be held: a user's `sandbox.enabled: false`, `--no-sandbox`, and,
//! where the managed settings turn the sandbox on, what a repository's settings say of it. Hooks and
//! servers run in that sandbox.

use std::collections::BTreeSet;

use policy_core::Harness;

use super::locks::LOCKS;
use crate::lock::is_missed;
use crate::posture::check::{AppliesWhen, Check, Fault, Severity, Weakens, check, checks};
use crate::posture::input::{Input, Managed};
use crate::posture::keys::{EVER, Known, Section, placed};
use crate::posture::outside::{any_hook, any_started, head_starts_servers};
use crate::posture::place::{
    Kind, Moved, OnEach, Path, Role, Syntax, Watched, everywhere, watched,
};
use crate::posture::summary::{EgressState, SandboxState, Summary, Unlisted};
use crate::posture::value::Value;
use crate::target::Release;

const HOME: &[Moved] = &[Moved {
    variable: "COPILOT_HOME",
    instead_of: "~/.copilot",
}];

/// The file that is rendered.
pub(super) const MANAGED: OnEach = OnEach {
    linux: "/etc/github-copilot/managed-settings.json",
    macos: "/Library/Application Support/GitHubCopilot/managed-settings.json",
    windows: r"C:\Program Files\GitHubCopilot\managed-settings.json",
};

watched! {
    Harness::CopilotCli;
    Managed Managed, Syntax::Json, Path::Each(MANAGED), &[];
    User Settings, Syntax::JsonWithTrailingCommas, everywhere("~/.copilot/settings.json"), HOME;
    User Servers, Syntax::JsonWithTrailingCommas, everywhere("~/.copilot/mcp-config.json"), HOME;
    User Servers, Syntax::JsonWithTrailingCommas, everywhere("~/.copilot/lsp-config.json"), HOME;
    User Hooks, Syntax::JsonWithTrailingCommas, everywhere("~/.copilot/hooks/*.json"), HOME;
    Project ProjectSettings, Syntax::JsonWithTrailingCommas, everywhere(".github/copilot/settings.json"), &[];
    Project ProjectSettings, Syntax::JsonWithTrailingCommas, everywhere(".github/copilot/settings.local.json"), &[];
    User Agents, Syntax::Text, everywhere("~/.copilot/agents/*.md"), HOME;
    User Plugins, Syntax::Presence, everywhere("~/.copilot/extensions/**/*extension.mjs"), HOME;
    Project Agents, Syntax::Text, everywhere(".github/agents/*.md"), &[];
    Project Plugins, Syntax::Presence, everywhere(".github/extensions/**/*extension.mjs"), &[];
    Project Hooks, Syntax::JsonWithTrailingCommas, everywhere(".github/hooks/*.json"), &[];
    Project Servers, Syntax::JsonWithTrailingCommas, everywhere(".mcp.json"), &[];
    Project Servers, Syntax::JsonWithTrailingCommas, everywhere(".github/mcp.json"), &[];
    Project Servers, Syntax::JsonWithTrailingCommas, everywhere(".github/lsp.json"), &[];
}

const DOCS: &str = "https://docs.github.com/en/copilot/reference/copilot-cli-reference, 2026-11";
const RAN: &str = "observed: Copilot CLI 1.0.102 on Linux";
const SETTINGS: &[Kind] = &[Kind::Settings];
const ANY: &[Kind] = &[Kind::Settings, Kind::ProjectSettings];
const PATHS: [&str; 2] = ["readwritePaths", "readonlyPaths"];

checks! {
    "copilot-cli-paths": Failure [WritableRoots],
        Fault::In(SETTINGS, |input| {
            paths(input, "readwritePaths").has_entries()
                && !ceiling(input, "readwritePaths").is_set()
        }),
        "{} sets readwritePaths, and no managed list limits them",
        "remove readwritePaths from {}; manage the list, even as []",
        RAN;
    "copilot-cli-read-paths": Notice [ProtectedPaths],
        Fault::In(SETTINGS, |input| {
            paths(input, "readonlyPaths").has_entries() && !ceiling(input, "readonlyPaths").is_set()
        }),
        "{} sets readonlyPaths, and no managed list limits them; denied paths stay denied",
        "remove readonlyPaths from {}, or keep it knowingly",
        RAN;
    "copilot-cli-paths-outside": Notice [],
        Fault::In(SETTINGS, |input| {
            PATHS.iter().any(|key| {
                let ceiling = ceiling(input, key);
                let granted: BTreeSet<&str> = ceiling.texts().collect();
                ceiling.is_set()
                    && paths(input, key)
                        .texts()
                        .any(|path| !granted.contains(path))
            })
        }),
        "{} lists paths outside the managed lists, which have no effect",
        "remove from {} the paths that the managed settings do not list, letter by letter",
        RAN;
    "copilot-cli-hosts-disjoint": Notice [],
        Fault::In(SETTINGS, |input| {
            let keys = ["sandbox", "userPolicy", "network", "allowedHosts"];
            let managed: BTreeSet<&str> = input.managed(&keys).texts().collect();
            let own = input.at(&keys);
            own.has_entries()
                && !managed.is_empty()
                && !own.texts().any(|host| managed.contains(host))
        }),
        "{} allows only hosts that the managed settings do not, so that none is reached",
        "remove allowedHosts from {}",
        RAN;
    "copilot-cli-servers-unsandboxed": Warning [Mode, ShellHosts],
        Fault::In(SETTINGS, |input| {
            ["sandboxMcpServers", "sandboxLspServers"]
                .iter()
                .any(|key| {
                    input.at(&["sandbox", key]).is_false()
                        && !input.managed(&["sandbox", key]).is_true()
                })
        }),
        "{} runs tool or language servers outside the sandbox (sandboxMcpServers or sandboxLspServers)",
        "remove these switches from {}; manage them as true",
        DOCS;
    "copilot-cli-dev-tools": Warning [WritableRoots, ProtectedPaths],
        Fault::In(SETTINGS, |input| {
            let keys = ["sandbox", "allowDevToolAccess"];
            input.at(&keys).is_yes() && !input.managed(&keys).is_false()
        }),
        "{} opens the caches and credentials of development tools (allowDevToolAccess)",
        "remove allowDevToolAccess from {}; manage it as false",
        DOCS;
    "copilot-cli-servers": Notice [Everything],
        Fault::In(&[Kind::Servers], |input| servers(input).any(|server| server.get("url").is_set())),
        "{} names remote tool servers, which no sandbox holds",
        "remove them from {}, or keep them knowingly",
        DOCS;
    "copilot-cli-local-servers": Notice [Everything],
        Fault::In(&[Kind::Servers], |input| {
            let sandboxed = |key| is_on(input.against()) && !is_exempt(input, key);
            let local = |key| {
                let mut servers = input.at(&[key]).values();
                servers.any(|server| !server.get("url").is_set() && !is_disabled(server))
            };
            (local("mcpServers") && !sandboxed("sandboxMcpServers"))
                || (local("lspServers") && !sandboxed("sandboxLspServers"))
        }),
        "{} starts tool or language servers, which run outside the sandbox",
        "remove them from {}; manage sandbox.enabled, sandboxMcpServers and sandboxLspServers as true",
        DOCS;
    "copilot-cli-head-servers": Notice [Everything],
        Fault::In(&[Kind::Agents], |input| {
            let text = input.document().text().unwrap_or_default();
            let held = is_on(input.against()) && !is_exempt(input, "sandboxMcpServers");
            head_starts_servers(text, &["mcp-servers"]) && !held
        }),
        "the head of {} starts tool servers (mcp-servers), which run outside the sandbox",
        "remove mcp-servers from the head of {}; manage sandbox.enabled and sandboxMcpServers as true",
        "reported from the vendor's documentation, not observed";
    "copilot-cli-extensions": Notice [Everything],
        Fault::In(&[Kind::Plugins], |input| input.document().is_true()),
        "{} brings extensions, whose code runs outside the sandbox",
        "remove them, or keep them knowingly",
        DOCS;
    "copilot-cli-hooks": Notice [Everything],
        Fault::In(&[Kind::Settings, Kind::ProjectSettings, Kind::Hooks], |input| {
            any_hook(input.at(&["hooks"]))
                && !input.at(&["disableAllHooks"]).is_true()
                && !is_on(input.against())
        }),
        "{} sets hooks, which run outside the sandbox",
        "remove hooks from {}, or manage sandbox.enabled as true",
        "observed: Copilot CLI 1.0.102 on Linux runs them in a managed sandbox";
    "copilot-cli-plugins": Notice [Everything],
        Fault::In(ANY, |input| {
            let held = is_on(input.against())
                && !is_exempt(input, "sandboxMcpServers")
                && !is_exempt(input, "sandboxLspServers");
            let brings = any_started(input.at(&["enabledPlugins"]))
                || input.at(&["extraKnownMarketplaces"]).has_entries();
            brings && !held
        }),
        "{} brings plugins (enabledPlugins or extraKnownMarketplaces), whose code runs outside the sandbox",
        "remove them from {}; manage sandbox.enabled, sandboxMcpServers and sandboxLspServers as true",
        DOCS;
    "copilot-cli-project-sandbox": Failure [Everything],
        Fault::In(&[Kind::ProjectSettings], |input| {
            let own = input.at(&["sandbox"]);
            let files = own.at(&["userPolicy", "filesystem"]);
            let hosts = own.at(&["userPolicy", "network", "allowedHosts"]);
            let policy = input.against().hosts();
            let opens = own.get("enabled").is_false()
                || own.get("allowBypass").is_yes()
                || own.get("allowDevToolAccess").is_yes()
                || own.get("sandboxMcpServers").is_false()
                || own.get("sandboxLspServers").is_false()
                || files.get("readwritePaths").has_entries()
                || hosts
                    .texts()
                    .any(|host| !policy.is_some_and(|policy| policy.permit(host)));
            opens && !is_on(input.against())
        }),
        "{} turns the sandbox off or widens it (sandbox)",
        "remove sandbox from {}",
        DOCS;
    "copilot-cli-allow-all-variable": Warning [FetchHosts],
        Fault::Variable("COPILOT_ALLOW_ALL", |value, managed| {
            !is_off(value)
                && !managed
                    .settings()
                    .at(&["permissions", "disableBypassPermissionsMode"])
                    .is_set()
        }),
        "COPILOT_ALLOW_ALL is set, so that nothing is asked",
        "unset COPILOT_ALLOW_ALL; manage permissions.disableBypassPermissionsMode",
        DOCS;
    "copilot-cli-no-update-variable": Notice [Everything],
        Fault::Variable("COPILOT_AUTO_UPDATE", |value, _| {
            value.eq_ignore_ascii_case("false")
        }),
        "COPILOT_AUTO_UPDATE is false, so that an old release may stay, which honours less",
        "unset COPILOT_AUTO_UPDATE",
        DOCS;
    "copilot-cli-home": Notice [] always,
        Fault::Variable("COPILOT_HOME", |value, _| !value.is_empty()),
        "COPILOT_HOME is set, so that Copilot CLI reads its settings there; both places were checked",
        "unset COPILOT_HOME unless it is meant",
        DOCS;
    "copilot-cli-managed-key-unknown": Notice [] always,
        Fault::Managed(|managed| KNOWN.is_exceeded_by(managed.settings())),
        "{} has a key that Copilot CLI does not know at that place, so that it does nothing",
        "write the key as the vendor's page has it, or remove it",
        RAN;
    "copilot-cli-managed-key-later": Notice [] always,
        Fault::Managed(|managed| KNOWN.is_ahead_of(managed.settings(), managed.release())),
        "{} has a key that this release does not read yet",
        "update Copilot CLI, or do not count on the key",
        "observed: Copilot CLI 1.0.85, 1.0.92 and 1.0.102 on Linux";
    "copilot-cli-managed-sandbox-off": Failure [Everything] always,
        Fault::Managed(|managed| sandbox(managed).has_entries() && !is_on(managed)),
        "{} does not set sandbox.enabled to true, so that its other sandbox settings bind only those who turn it on",
        "set sandbox.enabled to true in {}",
        RAN;
    "copilot-cli-managed-bypass": Failure [Everything],
        Fault::Managed(|managed| {
            is_on(managed) && is_missed(LOCKS, managed.settings(), "sandbox.allowBypass")
        }),
        "{} does not set sandbox.allowBypass to false, so that a user may turn the sandbox off",
        "set sandbox.allowBypass to false in {}",
        RAN;
    "copilot-cli-managed-fail-open": Failure [Everything],
        Fault::Managed(|managed| {
            is_on(managed) && is_missed(LOCKS, managed.settings(), "sandbox.failIfUnavailable")
        }),
        "{} does not set sandbox.failIfUnavailable, which blocks tools where there is no sandbox",
        "set sandbox.failIfUnavailable to true in {}",
        RAN;
    "copilot-cli-managed-paths-open": Failure [WritableRoots],
        Fault::Managed(|managed| {
            let list = sandbox(managed).at(&["userPolicy", "filesystem", "readwritePaths"]);
            is_on(managed) && !list.is_set()
        }),
        "{} has no readwritePaths, so that a user may add any",
        "set readwritePaths in {}, even to []",
        RAN;
    "copilot-cli-managed-host-dropped": Failure [ShellHosts] always,
        Fault::Managed(|managed| {
            ["allowedHosts", "blockedHosts"].iter().any(|key| {
                let list = network(managed).get(key);
                let bad = list
                    .items()
                    .iter()
                    .any(|host| !host.text().is_some_and(is_host));
                bad || (list.is_set() && !matches!(list, Value::List(_)))
            })
        }),
        "{} has an entry among its hosts that is dropped in silence",
        "write hosts in lower case, without scheme, port or path, as a list in {}",
        RAN;
    "copilot-cli-managed-hosts-empty": Failure [ShellHosts] always,
        Fault::Managed(|managed| {
            let network = network(managed);
            network.get("allowedHosts").is_set()
                && hosts(network, "allowedHosts") == 0
                && !network.get("allowOutbound").is_false()
        }),
        "{} has an empty allowedHosts, which allows every host",
        "set allowOutbound to false in {} where no host is to be reached",
        RAN;
    "copilot-cli-managed-hosts-inactive": Warning [] always,
        Fault::Managed(|managed| {
            let network = network(managed);
            network.get("allowOutbound").is_false() && network.get("allowedHosts").has_entries()
        }),
        "{} sets allowOutbound to false beside allowedHosts, so that even those are blocked",
        "set allowOutbound to true in {}",
        RAN;
    "copilot-cli-managed-path-glob": Failure [ProtectedPaths] always,
        Fault::Managed(|managed| {
            let denied = sandbox(managed).at(&["userPolicy", "filesystem", "deniedPaths"]);
            denied.texts().any(|path| path.contains(['*', '?', '[']))
        }),
        "{} has a glob in deniedPaths, which is read letter by letter and protects nothing",
        "write paths without wildcards in {}",
        RAN;
}

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
fn servers<'s>(input: &'s Input<'_>) -> impl Iterator<Item = &'s Value> {
    ["mcpServers", "lspServers"]
        .into_iter()
        .flat_map(|key| input.at(&[key]).values())
        .filter(|server| !is_disabled(server))
}

fn is_disabled(server: &Value) -> bool {
    server.get("disabled").is_true() || server.get("enabled").is_false()
}

/// Whether servers may be kept out of the managed sandbox.
fn is_exempt(input: &Input<'_>, key: &str) -> bool {
    !input.managed(&["sandbox", key]).is_true()
}

fn sandbox(managed: &Managed) -> &Value {
    managed.settings().get("sandbox")
}

fn network(managed: &Managed) -> &Value {
    sandbox(managed).at(&["userPolicy", "network"])
}

fn is_on(managed: &Managed) -> bool {
    sandbox(managed).get("enabled").is_true()
}

fn paths<'s>(input: &'s Input<'_>, key: &str) -> &'s Value {
    input.at(&["sandbox", "userPolicy", "filesystem", key])
}

fn ceiling<'s>(input: &'s Input<'_>, key: &str) -> &'s Value {
    input.managed(&["sandbox", "userPolicy", "filesystem", key])
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

pub(super) fn summary(managed: &Managed) -> Summary {
    let sandbox = match sandbox(managed) {
        sandbox if sandbox.get("enabled").is_true() => SandboxState::On,
        sandbox if sandbox.has_entries() => SandboxState::Off,
        _ => SandboxState::Unmanaged,
    };
    let network = network(managed);
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
    } else if managed.settings().at(&["permissions", "limitTo"]).is_set() {
        EgressState::FetchRules(
            managed
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

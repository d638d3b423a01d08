//! Cursor CLI: what its users' and repositories' files turn off. No file of an administrator's holds
//! a sandbox policy, so its checks always apply.

use policy_core::Harness;

use super::Watch;
use super::check::{Check, Fault, Gate, Severity, Weakens};
use super::context::Scene;
use super::keys::{EVER, Known, Section};
use super::outside::any_started;
use super::path::is_broad;
use super::place::{Kind, Moved, Path, Role, Watched};
use super::summary::{EgressState, SandboxState, Summary};
use super::value::{Lists, MOST_BYTES, Syntax, Value};

pub(super) static WATCH: Watch = Watch {
    harness: Harness::CursorCli,
    files: FILES,
    checks: CHECKS,
    summary: |_| Summary::new(SandboxState::Unmanaged, EgressState::Unmanaged),
    lists: Lists::Replaced,
    most_managed: MOST_BYTES,
    programs: &["cursor-agent"],
    packages: &[],
    versions: &[],
};

const CONFIG: &[Moved] = &[
    Moved {
        variable: "CURSOR_CONFIG_DIR",
        instead_of: "~/.cursor",
    },
    Moved {
        variable: "XDG_CONFIG_HOME",
        instead_of: "~/.config",
    },
];

const fn file(role: Role, kind: Kind, path: Path) -> Watched {
    Watched {
        harness: Harness::CursorCli,
        role,
        kind,
        syntax: Syntax::JsonWithComments,
        path,
        moved: CONFIG,
    }
}

const fn of_claude(path: &'static str) -> Watched {
    Watched {
        syntax: Syntax::LenientJson,
        ..file(Role::Project, Kind::Hooks, Path::Everywhere(path))
    }
}

static FILES: &[Watched] = &[
    file(
        Role::Managed,
        Kind::ManagedHooks,
        Path::Each {
            linux: "/etc/cursor/hooks.json",
            macos: "/Library/Application Support/Cursor/hooks.json",
            windows: r"C:\ProgramData\Cursor\hooks.json",
        },
    ),
    file(
        Role::User,
        Kind::Sandbox,
        Path::Everywhere("~/.cursor/sandbox.json"),
    ),
    file(
        Role::User,
        Kind::Settings,
        Path::Everywhere("~/.cursor/cli-config.json"),
    ),
    file(
        Role::User,
        Kind::Settings,
        Path::Everywhere("~/.config/cursor/cli-config.json"),
    ),
    file(
        Role::Project,
        Kind::ProjectSandbox,
        Path::Everywhere(".cursor/sandbox.json"),
    ),
    file(
        Role::User,
        Kind::Hooks,
        Path::Everywhere("~/.cursor/hooks.json"),
    ),
    file(
        Role::User,
        Kind::Servers,
        Path::Everywhere("~/.cursor/mcp.json"),
    ),
    file(
        Role::Project,
        Kind::Hooks,
        Path::Everywhere(".cursor/hooks.json"),
    ),
    // The program runs the hooks of these as well, whatever Claude Code is told to do with them.
    of_claude(".claude/settings.json"),
    of_claude(".claude/settings.local.json"),
    file(
        Role::Project,
        Kind::Servers,
        Path::Everywhere(".cursor/mcp.json"),
    ),
    file(
        Role::Project,
        Kind::ProjectSettings,
        Path::Everywhere(".cursor/cli.json"),
    ),
];

const CODE: &str = "the program's own code, @cursor/sdk 1.0.32";
const SEEN: &str = "seen in the program's bundle, @cursor/sdk 1.0.32, 2026-12";
const RAN: &str = "observed: the sandbox of @cursor/sdk 1.0.32 on Linux";
const ANY: &[Kind] = &[Kind::Sandbox, Kind::ProjectSandbox];
const SETTINGS: &[Kind] = &[Kind::Settings];

static CHECKS: &[Check] = &[
    Check {
        code: "cursor-cli-insecure-none",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Always,
        fault: Fault::In(ANY, |scene| scene.at(&["type"]).is("insecure_none")),
        problem: "{} sets type = \"insecure_none\"",
        fix: "remove type from {}, or set another; nothing else keeps commands in a sandbox",
        source: "policy document, \"Verify on the device\"; the program's own code, @cursor/sdk 1.0.32",
    },
    Check {
        code: "cursor-cli-network-default",
        severity: Severity::Warning,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Always,
        fault: Fault::In(ANY, |scene| {
            let policy = scene.at(&["networkPolicy"]);
            policy.is_set() && !policy.get("default").is("deny")
        }),
        problem: "{} does not deny hosts by default (networkPolicy.default)",
        fix: "set networkPolicy.default to \"deny\" in {}",
        source: RAN,
    },
    Check {
        code: "cursor-cli-project-hosts",
        severity: Severity::Warning,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Always,
        fault: Fault::In(&[Kind::ProjectSandbox], |scene| {
            let policy = scene.context().hosts();
            allowed(scene).any(|host| !policy.is_some_and(|policy| policy.permit_with_apex(host)))
        }),
        problem: "{} allows hosts that no policy is known to allow, and they are added to the user's",
        fix: "remove networkPolicy.allow from {}, or ask for the hosts in the policy",
        source: CODE,
    },
    Check {
        code: "cursor-cli-hosts",
        severity: Severity::Warning,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Always,
        fault: Fault::In(&[Kind::Sandbox], |scene| {
            let policy = scene.context().hosts();
            policy.is_some_and(|policy| allowed(scene).any(|host| !policy.permit_with_apex(host)))
        }),
        problem: "{} allows hosts that the policy does not",
        fix: "remove them from networkPolicy.allow in {}, or ask for them in the policy",
        source: CODE,
    },
    Check {
        code: "cursor-cli-project-permissions",
        severity: Severity::Failure,
        weakens: &[Weakens::FetchHosts],
        gate: Gate::Always,
        fault: Fault::In(&[Kind::ProjectSettings], |scene| {
            let policy = scene.context().hosts();
            scene.at(&["permissions", "allow"]).texts().any(|rule| {
                let (tool, argument) = rule.split_once('(').unwrap_or((rule, "*)"));
                let argument = argument.trim_end_matches(')');
                match tool {
                    "WebFetch" => !policy.is_some_and(|policy| policy.permit_with_apex(argument)),
                    "Mcp" => true,
                    _ => matches!(argument, "" | "*" | "**"),
                }
            })
        }),
        problem: "{} lets the fetch tool, a tool server or any command run unasked (permissions.allow)",
        fix: "remove these rules from {}",
        source: CODE,
    },
    Check::runs_code(
        "cursor-cli-hooks",
        &[Kind::Hooks],
        |scene| scene.at(&["hooks"]).values().any(Value::has_entries),
        [
            "{} sets hooks, which run outside the sandbox",
            "remove hooks from {}, or keep them knowingly",
        ],
        SEEN,
    )
    .always(),
    Check::runs_code(
        "cursor-cli-servers",
        &[Kind::Servers],
        |scene| any_started(scene.at(&["mcpServers"])),
        [
            "{} starts tool servers (mcpServers), which run outside the sandbox",
            "remove mcpServers from {}, or keep them knowingly",
        ],
        SEEN,
    )
    .always(),
    Check::of_keys(
        "cursor-cli-managed-key-unknown",
        Fault::In(&[Kind::ManagedHooks], |scene| {
            KNOWN.is_exceeded_by(scene.document())
        }),
        [
            "{} has a key that Cursor CLI does not know at that place, so that it does nothing",
            "write the key as the vendor's page has it, or remove it",
        ],
        CODE,
    ),
    Check {
        code: "cursor-cli-writes-widely",
        severity: Severity::Failure,
        weakens: &[Weakens::Mode, Weakens::WritableRoots],
        gate: Gate::Always,
        fault: Fault::In(ANY, |scene| added(scene).any(is_broad)),
        problem: "{} lets commands write to the system, the home or credentials \
                  (additionalReadwritePaths)",
        fix: "remove additionalReadwritePaths from {}",
        source: RAN,
    },
    Check {
        code: "cursor-cli-project-writes",
        severity: Severity::Warning,
        weakens: &[Weakens::WritableRoots],
        gate: Gate::Always,
        fault: Fault::In(&[Kind::ProjectSandbox], |scene| {
            added(scene).next().is_some() && !added(scene).any(is_broad)
        }),
        problem: "{} adds writable paths to the user's (additionalReadwritePaths)",
        fix: "remove additionalReadwritePaths from {}",
        source: CODE,
    },
    Check {
        code: "cursor-cli-unrestricted",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Always,
        fault: Fault::In(SETTINGS, |scene| {
            scene.at(&["approvalMode"]).is("unrestricted")
        }),
        problem: "{} sets approvalMode = \"unrestricted\"",
        fix: "remove approvalMode from {}",
        source: CODE,
    },
    Check {
        code: "cursor-cli-sandbox-disabled",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Always,
        fault: Fault::In(SETTINGS, |scene| {
            scene.at(&["sandbox", "mode"]).is("disabled")
        }),
        problem: "{} sets sandbox.mode = \"disabled\"",
        fix: "remove sandbox.mode from {}",
        source: CODE,
    },
    Check {
        code: "cursor-cli-network-open",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Always,
        fault: Fault::In(SETTINGS, |scene| {
            scene.at(&["sandbox", "networkAccess"]).is("allow_all")
        }),
        problem: "{} sets sandbox.networkAccess = \"allow_all\"",
        fix: "set sandbox.networkAccess to \"user_config_only\" in {}",
        source: CODE,
    },
    Check {
        code: "cursor-cli-network-defaults",
        severity: Severity::Notice,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Always,
        fault: Fault::In(SETTINGS, |scene| {
            scene
                .at(&["sandbox", "networkAccess"])
                .is("user_config_with_defaults")
        }),
        problem: "{} sets sandbox.networkAccess = \"user_config_with_defaults\", which adds the \
                  vendor's own hosts",
        fix: "set sandbox.networkAccess to \"user_config_only\" in {}",
        source: CODE,
    },
    Check {
        code: "cursor-cli-config-variable",
        severity: Severity::Notice,
        weakens: &[],
        gate: Gate::Always,
        fault: Fault::Variable("CURSOR_CONFIG_DIR", |value, _| !value.is_empty()),
        problem: "CURSOR_CONFIG_DIR is set, so that Cursor CLI reads its settings there; both places \
                  were checked",
        fix: "unset CURSOR_CONFIG_DIR unless it is meant",
        source: CODE,
    },
    Check {
        code: "cursor-cli-managed-hook-open",
        severity: Severity::Warning,
        weakens: &[Weakens::FetchHosts, Weakens::ProtectedPaths],
        gate: Gate::Always,
        fault: Fault::In(&[Kind::ManagedHooks], |scene| {
            let hooks = scene.at(&["hooks"]).values().flat_map(Value::items);
            hooks
                .into_iter()
                .any(|hook| !hook.get("failClosed").is_true())
        }),
        problem: "{} has a hook without failClosed, so that what it would deny is allowed when it \
                  fails",
        fix: "set failClosed to true on every hook in {}",
        source: CODE,
    },
];

static KNOWN: Known = Known {
    sections: &[Section {
        at: &[],
        keys: &[("version", EVER), ("hooks", EVER), ("$schema", EVER)],
    }],
    placed: &[],
};

fn allowed<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = &'s str> {
    scene.at(&["networkPolicy", "allow"]).texts()
}

fn added<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = &'s str> {
    scene.at(&["additionalReadwritePaths"]).texts()
}

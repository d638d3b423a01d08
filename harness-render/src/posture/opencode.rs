//! OpenCode: what in a user's or repository's configuration and in the environment re-allows what the
//! managed file denies.
//!
//! The rule that matches last counts, and merging keeps a key where the earliest file has it: that is
//! why the order of keys is judged.

use policy_core::Harness;

use super::Watch;
use super::check::{Check, Fault, Gate, Severity, Weakens};
use super::context::Context;
use super::place::{Kind, Moved, Path, Role, Watched};
use super::summary::{EgressState, SandboxState, Summary};
use super::value::{Lists, MOST_BYTES, Syntax, Value};

pub(super) static WATCH: Watch = Watch {
    harness: Harness::OpenCode,
    files: FILES,
    checks: CHECKS,
    summary,
    lists: Lists::Replaced,
    most_managed: MOST_BYTES,
    programs: &["opencode"],
    packages: &["opencode-ai"],
    versions: &[],
    floor: None,
};

const CONFIG: &[Moved] = &[
    Moved {
        variable: "XDG_CONFIG_HOME",
        instead_of: "~/.config",
    },
    Moved {
        variable: "OPENCODE_CONFIG_DIR",
        instead_of: "~/.config/opencode",
    },
];

const CONFIG_FILE: &[Moved] = &[
    Moved {
        variable: "XDG_CONFIG_HOME",
        instead_of: "~/.config",
    },
    Moved {
        variable: "OPENCODE_CONFIG_DIR",
        instead_of: "~/.config/opencode",
    },
    Moved {
        variable: "OPENCODE_CONFIG",
        instead_of: "~/.config/opencode/opencode.json",
    },
];

const fn file(
    role: Role,
    kind: Kind,
    syntax: Syntax,
    path: &'static str,
    moved: &'static [Moved],
) -> Watched {
    Watched {
        harness: Harness::OpenCode,
        role,
        kind,
        syntax,
        path: Path::Everywhere(path),
        moved,
    }
}

const fn managed(path: Path) -> Watched {
    Watched {
        harness: Harness::OpenCode,
        role: Role::Managed,
        kind: Kind::Managed,
        syntax: JSON,
        path,
        moved: &[],
    }
}

const JSON: Syntax = Syntax::JsonWithTrailingCommas;

static FILES: &[Watched] = &[
    managed(Path::Each {
        linux: "/etc/opencode/opencode.json",
        macos: "/Library/Application Support/opencode/opencode.json",
        windows: r"C:\ProgramData\opencode\opencode.json",
    }),
    managed(Path::Each {
        linux: "/etc/opencode/opencode.jsonc",
        macos: "/Library/Application Support/opencode/opencode.jsonc",
        windows: r"C:\ProgramData\opencode\opencode.jsonc",
    }),
    Watched {
        harness: Harness::OpenCode,
        role: Role::Managed,
        kind: Kind::ManagedElsewhere,
        syntax: Syntax::Presence,
        path: Path::MacOs("/Library/Managed Preferences/ai.opencode.managed.plist"),
        moved: &[],
    },
    file(
        Role::User,
        Kind::Settings,
        JSON,
        "~/.config/opencode/config.json",
        CONFIG,
    ),
    file(
        Role::User,
        Kind::Settings,
        JSON,
        "~/.config/opencode/opencode.json",
        CONFIG_FILE,
    ),
    file(
        Role::User,
        Kind::Settings,
        JSON,
        "~/.config/opencode/opencode.jsonc",
        CONFIG,
    ),
    file(
        Role::User,
        Kind::Agents,
        Syntax::FrontMatter,
        "~/.config/opencode/agent/**/*.md",
        CONFIG,
    ),
    file(
        Role::User,
        Kind::Agents,
        Syntax::FrontMatter,
        "~/.config/opencode/agents/**/*.md",
        CONFIG,
    ),
    file(
        Role::User,
        Kind::Agents,
        Syntax::FrontMatter,
        "~/.config/opencode/mode/*.md",
        CONFIG,
    ),
    file(
        Role::User,
        Kind::Agents,
        Syntax::FrontMatter,
        "~/.config/opencode/modes/*.md",
        CONFIG,
    ),
    file(
        Role::User,
        Kind::Plugins,
        Syntax::Presence,
        "~/.config/opencode/plugin/*",
        CONFIG,
    ),
    file(
        Role::User,
        Kind::Plugins,
        Syntax::Presence,
        "~/.config/opencode/plugins/*",
        CONFIG,
    ),
    file(
        Role::User,
        Kind::Settings,
        JSON,
        "~/.opencode/opencode.json",
        &[],
    ),
    file(
        Role::User,
        Kind::Settings,
        JSON,
        "~/.opencode/opencode.jsonc",
        &[],
    ),
    file(
        Role::User,
        Kind::Agents,
        Syntax::FrontMatter,
        "~/.opencode/agent/**/*.md",
        &[],
    ),
    file(
        Role::User,
        Kind::Agents,
        Syntax::FrontMatter,
        "~/.opencode/agents/**/*.md",
        &[],
    ),
    file(
        Role::Project,
        Kind::ProjectSettings,
        JSON,
        "opencode.json",
        &[],
    ),
    file(
        Role::Project,
        Kind::ProjectSettings,
        JSON,
        "opencode.jsonc",
        &[],
    ),
    file(
        Role::Project,
        Kind::ProjectSettings,
        JSON,
        ".opencode/opencode.json",
        &[],
    ),
    file(
        Role::Project,
        Kind::ProjectSettings,
        JSON,
        ".opencode/opencode.jsonc",
        &[],
    ),
    file(
        Role::Project,
        Kind::Agents,
        Syntax::FrontMatter,
        ".opencode/agent/**/*.md",
        &[],
    ),
    file(
        Role::Project,
        Kind::Agents,
        Syntax::FrontMatter,
        ".opencode/agents/**/*.md",
        &[],
    ),
];

const RAN: &str = "observed: OpenCode 1.18.33 on Linux";
const ANY: &[Kind] = &[Kind::Settings, Kind::ProjectSettings];

/// The agents that the program brings along. Rules repeated under each of them were seen to hold
/// against the environment and against another order of keys.
const BUILT_IN: [&str; 4] = ["build", "plan", "general", "explore"];

static CHECKS: &[Check] = &[
    Check {
        code: "opencode-agent-permission",
        severity: Severity::Failure,
        weakens: &[Weakens::FetchHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| {
            ["agent", "agents", "mode"]
                .iter()
                .flat_map(|key| scene.at(&[key]).entries())
                .any(|(name, agent)| reallows(agent, scene.managed(&["agent", name])))
        }),
        problem: "{} gives an agent permissions that the managed file does not hold",
        fix: "remove permission and tools from the agents in {}",
        source: RAN,
    },
    Check {
        code: "opencode-agent-file",
        severity: Severity::Failure,
        weakens: &[Weakens::FetchHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::In(&[Kind::Agents], |scene| {
            let grants = |key: &str, words: &[&str]| {
                scene.at(&[key]).texts().any(|text| words.contains(&text))
            };
            grants("permission", &["allow", "ask"])
                || grants("permissions", &["allow", "ask"])
                || grants("tools", &["true", "True", "TRUE"])
        }),
        problem: "an agent in {} has permissions that the managed file does not hold",
        fix: "remove permission and tools from the front matter of the agents in {}",
        source: RAN,
    },
    Check {
        code: "opencode-key-order",
        severity: Severity::Failure,
        weakens: &[Weakens::FetchHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| {
            let own = scene.at(&["permission"]);
            if scene.context().is_known() {
                !repeats_rules(scene.context()) && overtakes(own, scene.managed(&["permission"]))
            } else {
                own.any_scalar(&grants)
            }
        }),
        problem: "{} names a managed permission before a wildcard, which then counts instead",
        fix: "remove permission from {}",
        source: RAN,
    },
    Check {
        code: "opencode-servers",
        severity: Severity::Notice,
        weakens: &[Weakens::FetchHosts],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| scene.at(&["mcp"]).has_entries()),
        problem: "{} starts tool servers (mcp), which no permission binds",
        fix: "remove mcp from {}, or keep it knowingly",
        source: RAN,
    },
    Check {
        code: "opencode-plugins",
        severity: Severity::Notice,
        weakens: &[Weakens::FetchHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::In(
            &[Kind::Settings, Kind::ProjectSettings, Kind::Plugins],
            |scene| scene.document().is_true() || scene.at(&["plugin"]).has_entries(),
        ),
        problem: "{} brings plugins, which no permission binds",
        fix: "remove them, or keep them knowingly",
        source: RAN,
    },
    Check {
        code: "opencode-permission-variable",
        severity: Severity::Warning,
        weakens: &[Weakens::FetchHosts, Weakens::ProtectedPaths],
        gate: Gate::Always,
        fault: Fault::Variable("OPENCODE_PERMISSION", |value, _| !value.is_empty()),
        problem: "OPENCODE_PERMISSION is set, which overrides the managed permissions",
        fix: "unset OPENCODE_PERMISSION",
        source: "policy document, \"Verify on the device\"; observed: OpenCode 1.18.33 on Linux",
    },
    Check {
        code: "opencode-managed-directory-variable",
        severity: Severity::Failure,
        weakens: &[Weakens::Everything],
        gate: Gate::Managed,
        fault: Fault::Variable("OPENCODE_TEST_MANAGED_CONFIG_DIR", |value, _| {
            !value.is_empty()
        }),
        problem: "OPENCODE_TEST_MANAGED_CONFIG_DIR is set, so that the managed file is not read",
        fix: "unset OPENCODE_TEST_MANAGED_CONFIG_DIR",
        source: RAN,
    },
    Check {
        code: "opencode-content-variable",
        severity: Severity::Warning,
        weakens: &[Weakens::FetchHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::Variable("OPENCODE_CONFIG_CONTENT", |value, _| !value.is_empty()),
        problem: "OPENCODE_CONFIG_CONTENT is set, which can give agents permissions",
        fix: "unset OPENCODE_CONFIG_CONTENT",
        source: RAN,
    },
    Check {
        code: "opencode-managed-agents-open",
        severity: Severity::Failure,
        weakens: &[Weakens::FetchHosts, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            context.settings().get("permission").is_set() && !repeats_rules(context)
        }),
        problem: "{} does not repeat its permissions for the built-in agents, so that the environment \
                  and the order of a user's keys override them",
        fix: "repeat permission under agent.build, agent.plan, agent.general and agent.explore in {}",
        source: RAN,
    },
    Check {
        code: "opencode-managed-elsewhere",
        severity: Severity::Notice,
        weakens: &[Weakens::Everything],
        gate: Gate::Always,
        fault: Fault::In(&[Kind::ManagedElsewhere], |_| true),
        problem: "{} holds managed settings that count after the managed file",
        fix: "keep one of the two",
        source: "https://opencode.ai/docs/config, 2026-11",
    },
];

fn repeats_rules(context: &Context) -> bool {
    BUILT_IN.iter().all(|agent| {
        context
            .settings()
            .at(&["agent", agent, "permission"])
            .is_set()
    })
}

/// Whether an agent of the user's gets a permission that the managed rules for the agent of that name
/// do not decide.
fn reallows(agent: &Value, managed: &Value) -> bool {
    let rules = managed.get("permission");
    let tools = agent.get("tools").entries();
    let tool = tools
        .iter()
        .any(|(name, on)| on.is_yes() && !rules.get(name).is_set());
    let listed = agent.get("permissions").any_scalar(&grants);
    tool || listed || escapes(agent.get("permission"), rules)
}

/// Whether permissions merged before the managed ones still grant something: by a key the managed
/// ones do not set, or by standing in another order.
fn escapes(own: &Value, managed: &Value) -> bool {
    if !own.any_scalar(&grants) {
        return false;
    }
    match (own, managed) {
        (Value::Table(_), Value::Table(_)) => {
            let entries = own.entries().iter();
            let places: Option<Vec<usize>> =
                entries.clone().map(|(key, _)| managed.place(key)).collect();
            let in_order = places.is_some_and(|places| places.is_sorted());
            !in_order
                || entries
                    .clone()
                    .any(|(key, value)| escapes(value, managed.get(key)))
        }
        // What is managed replaces a single word.
        (_, managed) => !managed.is_set(),
    }
}

/// Whether a wildcard of the user's stands after a key that the managed rules set.
fn overtakes(own: &Value, managed: &Value) -> bool {
    let mut passed = false;
    own.entries().iter().any(|(key, value)| {
        let wildcard = key.contains(['*', '?']) && value.any_scalar(&grants);
        let overtaken = passed && wildcard;
        passed |= managed.get(key).is_set();
        overtaken || overtakes(value, managed.get(key))
    })
}

fn grants(action: &Value) -> bool {
    action.is("allow") || action.is("ask")
}

fn summary(context: &Context) -> Summary {
    let permission = context.settings().get("permission");
    let everything = permission.text().or(permission.get("*").text());
    let fetch = permission.get("webfetch").text().or(everything);
    let per_host = permission.get("webfetc?").entries().len();
    let egress = match fetch {
        _ if per_host > 0 => EgressState::FetchRules(per_host),
        Some("deny") => EgressState::FetchDenied,
        Some("ask") => EgressState::FetchAsks,
        // Rules of files alone: something is managed, though no host.
        _ if permission.has_entries() => EgressState::FetchRules(0),
        _ => EgressState::Unmanaged,
    };
    Summary::new(SandboxState::Unmanaged, egress)
}

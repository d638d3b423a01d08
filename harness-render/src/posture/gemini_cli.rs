//! Gemini CLI: what in a user's files, in the managed ones and in the environment weakens its limits.
//!
//! Not checked, because it was seen to be held: a user's own policies, which are of a lower tier.

use policy_core::Harness;

use super::Watch;
use super::check::{Check, Fault, Gate, Severity, Weakens};
use super::context::Context;
use super::keys::{Known, placed};
use super::outside::{any_started, chooses_code, head_sets, names_command};
use super::place::{Kind, Moved, Path, Role, Watched};
use super::summary::{EgressState, SandboxState, Summary};
use super::value::{Lists, MOST_BYTES, Syntax, Value};
use crate::target::Release;

pub(super) static WATCH: Watch = Watch {
    harness: Harness::GeminiCli,
    files: FILES,
    checks: CHECKS,
    summary,
    lists: Lists::Replaced,
    most_managed: MOST_BYTES,
    programs: &["gemini"],
    packages: &["@google/gemini-cli"],
    versions: &[],
};

const HOME: &[Moved] = &[Moved {
    variable: "GEMINI_CLI_HOME",
    instead_of: "~",
}];

const fn file(role: Role, kind: Kind, syntax: Syntax, path: Path) -> Watched {
    Watched {
        harness: Harness::GeminiCli,
        role,
        kind,
        syntax,
        path,
        moved: HOME,
    }
}

const SETTINGS_FILE: Syntax = Syntax::JsonWithComments;

static FILES: &[Watched] = &[
    file(
        Role::Managed,
        Kind::Managed,
        SETTINGS_FILE,
        Path::Each {
            linux: "/etc/gemini-cli/settings.json",
            macos: "/Library/Application Support/GeminiCli/settings.json",
            windows: r"C:\ProgramData\gemini-cli\settings.json",
        },
    ),
    file(
        Role::Managed,
        Kind::ManagedPolicies,
        Syntax::Toml,
        Path::Each {
            linux: "/etc/gemini-cli/policies/*.toml",
            macos: "/Library/Application Support/GeminiCli/policies/*.toml",
            windows: r"C:\ProgramData\gemini-cli\policies\*.toml",
        },
    ),
    file(
        Role::User,
        Kind::Settings,
        SETTINGS_FILE,
        Path::Everywhere("~/.gemini/settings.json"),
    ),
    file(
        Role::User,
        Kind::Sandbox,
        Syntax::Toml,
        Path::Everywhere("~/.gemini/policies/sandbox.toml"),
    ),
    file(
        Role::User,
        Kind::Variables,
        Syntax::Text,
        Path::Everywhere("~/.gemini/.env"),
    ),
    file(
        Role::Project,
        Kind::ProjectSettings,
        SETTINGS_FILE,
        Path::Everywhere(".gemini/settings.json"),
    ),
    file(
        Role::Project,
        Kind::Variables,
        Syntax::Text,
        Path::Everywhere(".gemini/.env"),
    ),
    // Read where there is none in `.gemini`.
    file(
        Role::Project,
        Kind::Variables,
        Syntax::Text,
        Path::Everywhere(".env"),
    ),
    // The program looks for extensions in the user's home alone.
    file(
        Role::User,
        Kind::Plugins,
        Syntax::Presence,
        Path::Everywhere("~/.gemini/extensions/**/*gemini-extension.json"),
    ),
    file(
        Role::User,
        Kind::Agents,
        Syntax::Text,
        Path::Everywhere("~/.gemini/agents/*.md"),
    ),
    file(
        Role::Project,
        Kind::Agents,
        Syntax::Text,
        Path::Everywhere(".gemini/agents/*.md"),
    ),
];

const RAN: &str = "observed: Gemini CLI 0.61.0 on Linux";
const DOCUMENT: &str = "policy document, \"Verify on the device\"";
const ANY: &[Kind] = &[Kind::Settings, Kind::ProjectSettings];
const SANDBOX: &[Kind] = &[Kind::Sandbox];
const POLICIES: &[Kind] = &[Kind::ManagedPolicies];

/// The longest regular expression of a policy that is honoured, in characters.
const MOST_PATTERN: usize = 2048;

/// The variables that turn the sandbox of the whole process off or weaken it.
const WEAKENING: [&str; 6] = [
    "GEMINI_SANDBOX",
    "SANDBOX",
    "SEATBELT_PROFILE",
    "SANDBOX_FLAGS",
    "SANDBOX_MOUNTS",
    "GEMINI_SANDBOX_IMAGE",
];

static CHECKS: &[Check] = &[
    Check {
        code: "gemini-cli-sandbox-off",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| {
            let sandbox = scene.at(&["tools", "sandbox"]);
            let tools = scene.at(&["security", "toolSandboxing"]);
            sandbox.is_false()
                || sandbox.is("false")
                || sandbox.get("enabled").is_false()
                || (tools.is_false() && scene.lacks_settings())
        }),
        problem: "{} sets tools.sandbox = false",
        fix: "remove tools.sandbox from {}",
        source: DOCUMENT,
    },
    Check {
        code: "gemini-cli-project-tools",
        severity: Severity::Failure,
        weakens: &[Weakens::FetchHosts],
        gate: Gate::Managed,
        fault: Fault::In(&[Kind::ProjectSettings], |scene| {
            scene.at(&["tools", "allowed"]).has_entries()
        }),
        problem: "{} lets tools run unasked (tools.allowed)",
        fix: "remove tools.allowed from {}",
        source: "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12",
    },
    Check::runs_code(
        "gemini-cli-servers",
        ANY,
        |scene| {
            any_started(scene.at(&["mcpServers"]))
                || names_command(scene.at(&["mcp", "serverCommand"]))
        },
        [
            "{} starts tool servers (mcpServers or mcp.serverCommand), which run outside the sandbox",
            "remove them from {}, or keep them knowingly",
        ],
        RAN,
    ),
    Check::runs_code(
        "gemini-cli-hooks",
        ANY,
        |scene| {
            let off = |keys: &[&str]| scene.at(keys).is_false() || scene.managed(keys).is_false();
            let switches = ["enabled", "disabled", "notifications"];
            let hooks = scene.at(&["hooks"]).entries().iter();
            let mut hooks = hooks.filter(|(event, _)| !switches.contains(&event.as_str()));
            hooks.any(|(_, hooks)| hooks.has_entries()) && !off(&["hooksConfig", "enabled"])
        },
        [
            "{} sets hooks, which run outside the sandbox",
            "remove hooks from {}, or manage hooksConfig.enabled as false",
        ],
        RAN,
    ),
    Check::runs_code(
        "gemini-cli-commands",
        ANY,
        |scene| {
            ["discoveryCommand", "callCommand"]
                .iter()
                .any(|key| names_command(scene.at(&["tools", key])))
        },
        [
            "{} names a program that runs outside the sandbox (tools.discoveryCommand or \
             tools.callCommand)",
            "remove it from {}, or keep it knowingly",
        ],
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12",
    ),
    Check::runs_code(
        "gemini-cli-extensions",
        &[Kind::Plugins],
        |scene| scene.document().is_true(),
        [
            "{} brings extensions, whose servers and hooks run outside the sandbox",
            "remove them, or keep them knowingly",
        ],
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12",
    ),
    Check::runs_code(
        "gemini-cli-head-servers",
        &[Kind::Agents],
        |scene| {
            let text = scene.document().text().unwrap_or_default();
            head_sets(text, &["mcp_servers"])
        },
        [
            "the head of {} starts tool servers (mcp_servers), which run outside the sandbox",
            "remove mcp_servers from the head of {}, or keep them knowingly",
        ],
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12",
    ),
    Check::runs_code(
        "gemini-cli-env-code",
        &[Kind::Variables],
        |scene| {
            let text = scene.document().text().unwrap_or_default();
            text.lines().filter_map(assigned).any(chooses_code)
        },
        [
            "{} sets a variable that chooses which code runs outside the sandbox, or where the program \
             connects",
            "remove it from {}, or keep it knowingly",
        ],
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12",
    ),
    Check::of_keys(
        "gemini-cli-managed-key-unknown",
        Fault::Managed(|context| KNOWN.is_exceeded_by(context.settings())),
        [
            "{} has a key at a place where Gemini CLI does not read it, so that it does nothing",
            "move the key to where the vendor's page has it, or remove it",
        ],
        RAN,
    ),
    Check::of_keys(
        "gemini-cli-managed-key-later",
        Fault::Managed(|context| {
            let settings = context.settings();
            let known = |keys: &[&str], since: Release| {
                let release = context.release();
                settings.at(keys).is_set() && release.is_some_and(|release| !since.is_in(release))
            };
            known(&["security", "toolSandboxing"], Release(0, 35, 0))
        }),
        [
            "{} has a key that this release does not read yet",
            "update Gemini CLI, or do not count on the key",
        ],
        RAN,
    ),
    Check {
        code: "gemini-cli-sandbox-network",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::In(SANDBOX, |scene| {
            let modes = scene.at(&["modes"]).values();
            let commands = scene.at(&["commands"]).values();
            modes.map(|mode| mode.get("network")).any(Value::is_yes)
                || commands
                    .map(|command| command.get("allow_network"))
                    .any(Value::is_yes)
        }),
        problem: "{} opens the network to sandboxed commands",
        fix: "remove network and allow_network from {}",
        source: RAN,
    },
    Check {
        code: "gemini-cli-sandbox-writes",
        severity: Severity::Failure,
        weakens: &[Weakens::Mode, Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::In(SANDBOX, |scene| {
            let modes = scene.at(&["modes"]).values();
            let commands = scene.at(&["commands"]).values();
            modes.map(|mode| mode.get("readonly")).any(Value::is_false)
                || commands
                    .map(|command| command.get("allowed_paths"))
                    .any(Value::has_entries)
        }),
        problem: "{} lets sandboxed commands write (readonly = false or allowed_paths)",
        fix: "remove readonly and allowed_paths from {}",
        source: RAN,
    },
    Check {
        code: "gemini-cli-sandbox-settings",
        severity: Severity::Warning,
        weakens: &[Weakens::ShellHosts, Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::In(ANY, |scene| {
            let tools = scene.at(&["tools"]);
            let sandbox = tools.get("sandbox");
            let opens = tools.get("sandboxNetworkAccess").is_yes()
                || tools.get("sandboxAllowedPaths").has_entries()
                || sandbox.get("networkAccess").is_yes()
                || sandbox.get("allowedPaths").has_entries();
            // They act on the sandbox of the whole process alone.
            opens && (wraps_the_process(scene.context()) || scene.lacks_settings())
        }),
        problem: "{} opens the network or paths to the sandbox of the whole process",
        fix: "remove sandboxNetworkAccess and sandboxAllowedPaths from {}",
        source: RAN,
    },
    Check {
        code: "gemini-cli-env-file",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode],
        gate: Gate::Managed,
        fault: Fault::In(&[Kind::Variables], |scene| {
            let text = scene.document().text().unwrap_or_default();
            text.lines()
                .filter_map(assigned)
                .any(|name| WEAKENING.contains(&name))
        }),
        problem: "{} sets variables that weaken the sandbox of the whole process",
        fix: "remove GEMINI_SANDBOX, SANDBOX, SEATBELT_PROFILE, SANDBOX_FLAGS, SANDBOX_MOUNTS and \
              GEMINI_SANDBOX_IMAGE from {}",
        source: RAN,
    },
    Check {
        code: "gemini-cli-sandbox-variable",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode],
        gate: Gate::Always,
        fault: Fault::Variable("GEMINI_SANDBOX", |value, _| {
            let value = value.trim();
            value.eq_ignore_ascii_case("false") || value == "0"
        }),
        problem: "GEMINI_SANDBOX = false is set, which turns tools.sandbox off",
        fix: "unset GEMINI_SANDBOX",
        source: DOCUMENT,
    },
    Check {
        code: "gemini-cli-inside-variable",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode],
        gate: Gate::Managed,
        fault: Fault::Variable("SANDBOX", |value, context| {
            !value.is_empty() && wraps_the_process(context)
        }),
        problem: "SANDBOX is set, which Gemini CLI takes for being in a sandbox already",
        fix: "unset SANDBOX",
        source: RAN,
    },
    Check {
        code: "gemini-cli-seatbelt-variable",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode, Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::Variable("SEATBELT_PROFILE", |value, context| {
            !value.starts_with("strict") && !value.is_empty() && wraps_the_process(context)
        }),
        problem: "SEATBELT_PROFILE names another profile than the strict ones",
        fix: "unset SEATBELT_PROFILE",
        source: "the program's own code, Gemini CLI 0.61.0",
    },
    Check {
        code: "gemini-cli-flags-variable",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode, Weakens::WritableRoots],
        gate: Gate::Managed,
        fault: Fault::Variable("SANDBOX_FLAGS", |value, context| {
            !value.is_empty() && wraps_the_process(context)
        }),
        problem: "SANDBOX_FLAGS changes how the sandbox is started",
        fix: "unset SANDBOX_FLAGS",
        source: "the program's own code, Gemini CLI 0.61.0",
    },
    Check {
        code: "gemini-cli-mounts-variable",
        severity: Severity::Warning,
        weakens: &[Weakens::WritableRoots, Weakens::ProtectedPaths],
        gate: Gate::Managed,
        fault: Fault::Variable("SANDBOX_MOUNTS", |value, context| {
            !value.is_empty() && wraps_the_process(context)
        }),
        problem: "SANDBOX_MOUNTS adds directories to the sandbox",
        fix: "unset SANDBOX_MOUNTS",
        source: "the program's own code, Gemini CLI 0.61.0",
    },
    Check {
        code: "gemini-cli-image-variable",
        severity: Severity::Warning,
        weakens: &[Weakens::Mode],
        gate: Gate::Managed,
        fault: Fault::Variable("GEMINI_SANDBOX_IMAGE", |value, context| {
            !value.is_empty() && wraps_the_process(context)
        }),
        problem: "GEMINI_SANDBOX_IMAGE replaces the image of the sandbox",
        fix: "unset GEMINI_SANDBOX_IMAGE",
        source: "the program's own code, Gemini CLI 0.61.0",
    },
    Check {
        code: "gemini-cli-settings-path-variable",
        severity: Severity::Failure,
        weakens: &[Weakens::Mode, Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::Variable("GEMINI_CLI_SYSTEM_SETTINGS_PATH", |value, _| {
            !value.is_empty()
        }),
        problem: "GEMINI_CLI_SYSTEM_SETTINGS_PATH is set, so that the managed settings are not read",
        fix: "unset GEMINI_CLI_SYSTEM_SETTINGS_PATH",
        source: RAN,
    },
    Check {
        code: "gemini-cli-defaults-path-variable",
        severity: Severity::Notice,
        weakens: &[],
        gate: Gate::Managed,
        fault: Fault::Variable("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", |value, _| {
            !value.is_empty()
        }),
        problem: "GEMINI_CLI_SYSTEM_DEFAULTS_PATH is set, so that the lowest layer of settings is \
                  read elsewhere",
        fix: "unset GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
        source: RAN,
    },
    Check {
        code: "gemini-cli-home",
        severity: Severity::Notice,
        weakens: &[],
        gate: Gate::Always,
        fault: Fault::Variable("GEMINI_CLI_HOME", |value, _| !value.is_empty()),
        problem: "GEMINI_CLI_HOME is set, so that Gemini CLI reads its settings there; both places \
                  were checked",
        fix: "unset GEMINI_CLI_HOME unless it is meant",
        source: "the program's own code, Gemini CLI 0.61.0",
    },
    Check {
        code: "gemini-cli-managed-yolo",
        severity: Severity::Failure,
        weakens: &[Weakens::ShellHosts],
        gate: Gate::Managed,
        fault: Fault::Managed(|context| {
            confines_tools(context)
                && !context
                    .settings()
                    .at(&["security", "disableYoloMode"])
                    .is_true()
        }),
        problem: "{} does not set security.disableYoloMode, in which mode commands reach the network",
        fix: "set security.disableYoloMode to true in {}",
        source: RAN,
    },
    Check {
        code: "gemini-cli-managed-policy-dropped",
        severity: Severity::Failure,
        weakens: &[Weakens::FetchHosts, Weakens::ProtectedPaths],
        gate: Gate::Always,
        fault: Fault::In(POLICIES, |scene| {
            scene
                .at(&["rule"])
                .items()
                .iter()
                .any(|rule| !is_valid(rule))
        }),
        problem: "{} has a rule that the program cannot read, for which it drops the whole file",
        fix: "give every rule a tool, a decision and a priority from 0 to 999 in {}",
        source: RAN,
    },
    Check {
        code: "gemini-cli-managed-rule-dropped",
        severity: Severity::Failure,
        weakens: &[Weakens::FetchHosts, Weakens::ProtectedPaths],
        gate: Gate::Always,
        fault: Fault::In(POLICIES, |scene| {
            scene.at(&["rule"]).items().iter().any(|rule| {
                ["argsPattern", "commandRegex"]
                    .iter()
                    .filter_map(|key| rule.get(key).text())
                    .any(is_dropped)
            })
        }),
        problem: "{} has a regular expression that the program takes for dangerous or too long, and \
                  drops with its rule",
        fix: "write it in at most 2048 characters and without a quantified group in {}",
        source: RAN,
    },
    Check {
        code: "gemini-cli-managed-policy-allows",
        severity: Severity::Warning,
        weakens: &[Weakens::FetchHosts],
        gate: Gate::Always,
        fault: Fault::In(POLICIES, |scene| {
            scene
                .at(&["rule"])
                .items()
                .iter()
                .any(|rule| rule.get("decision").is("allow"))
        }),
        problem: "{} has a rule that allows, so that the user is not asked",
        fix: "remove the rules that allow from {}",
        source: RAN,
    },
];

static KNOWN: Known = Known {
    sections: &[],
    placed: &[
        placed("toolSandboxing", &[&["security"]]),
        placed("disableYoloMode", &[&["security"]]),
        placed("disableAlwaysAllow", &[&["security"]]),
        placed("sandboxNetworkAccess", &[&["tools"]]),
        placed("sandboxAllowedPaths", &[&["tools"]]),
    ],
};

/// The name that a line of a `.env` file sets.
fn assigned(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (name, _) = line.split_once(['=', ':'])?;
    Some(name.trim())
}

fn wraps_the_process(context: &Context) -> bool {
    let sandbox = context.settings().at(&["tools", "sandbox"]);
    !context.is_known() || (sandbox.is_set() && !sandbox.is_false())
}

fn confines_tools(context: &Context) -> bool {
    context
        .settings()
        .at(&["security", "toolSandboxing"])
        .is_true()
}

fn is_valid(rule: &Value) -> bool {
    let tool = rule.get("toolName");
    let names_tool = tool.text().is_some() || tool.has_entries() || rule.get("mcpName").is_set();
    let decides = ["allow", "deny", "ask_user"]
        .iter()
        .any(|word| rule.get("decision").is(word));
    let ranked = matches!(rule.get("priority"), Value::Number(priority)
        if (0.0..=999.0).contains(priority) && priority.fract() == 0.0);
    let command = rule.get("commandRegex").is_set() || rule.get("commandPrefix").is_set();
    names_tool && decides && ranked && (!command || tool.is("run_shell_command"))
}

/// Whether the program drops a rule with this pattern: it is too long, or matches
/// `\([^)]*[*+?{].*\)[*+?{]`.
fn is_dropped(pattern: &str) -> bool {
    if pattern.chars().count() > MOST_PATTERN {
        return true;
    }
    let is_quantifier = |c: char| matches!(c, '*' | '+' | '?' | '{');
    let mut open = false;
    let mut seen = false;
    let mut closed = false;
    for c in pattern.chars() {
        if seen && closed && is_quantifier(c) {
            return true;
        }
        match c {
            '(' => open = true,
            ')' => open = false,
            c if open && is_quantifier(c) => seen = true,
            _ => {}
        }
        closed = c == ')';
    }
    false
}

fn summary(context: &Context) -> Summary {
    let sandbox = if confines_tools(context) || wraps_the_process(context) {
        SandboxState::On
    } else if context
        .settings()
        .at(&["security", "toolSandboxing"])
        .is_false()
        || context.settings().at(&["tools", "sandbox"]).is_false()
    {
        SandboxState::Off
    } else {
        SandboxState::Unmanaged
    };
    let rules: Vec<&Value> = context
        .layers(Kind::ManagedPolicies)
        .filter(|policy| policy.get("rule").items().iter().all(is_valid))
        .flat_map(|policy| policy.get("rule").items())
        .filter(|rule| binds_fetch(rule))
        .collect();
    let all = rules
        .iter()
        .any(|rule| !rule.get("argsPattern").is_set() && rule.get("decision").is("deny"));
    let egress = match rules.len() {
        0 => EgressState::Unmanaged,
        _ if all => EgressState::FetchDenied,
        rules => EgressState::FetchRules(rules),
    };
    Summary::new(sandbox, egress)
}

fn binds_fetch(rule: &Value) -> bool {
    let tool = rule.get("toolName");
    let names = tool.is("web_fetch") || tool.texts().any(|name| name == "web_fetch");
    let kept = rule
        .get("argsPattern")
        .text()
        .is_none_or(|pattern| !is_dropped(pattern));
    names && kept && !rule.get("decision").is("allow")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantified_group_after_a_quantifier_in_a_group_is_dropped() {
        for pattern in ["(?:a)?", "(a+)(b)*", "(a+)+", "(a*b)c(d){2}", "(?!x)(y)+"] {
            assert!(is_dropped(pattern), "{pattern}");
        }
        for pattern in ["(a)(b)", "(a)+", "a+(b)", "(a+)b", "(?:a)b", "(a)+(b+)", ""] {
            assert!(!is_dropped(pattern), "{pattern}");
        }
        assert!(!is_dropped(&"a".repeat(2048)));
        assert!(is_dropped(&"a".repeat(2049)));
    }
}

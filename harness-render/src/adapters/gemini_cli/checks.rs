//! Gemini CLI: what in a user's files, in the managed ones and in the environment weakens its limits.
//!
//! Not checked, because it was seen to be held: a user's own policies, which are of a lower tier.

use policy_core::Harness;

use super::locks::LOCKS;
use crate::lock::is_missed;
use crate::posture::check::{AppliesWhen, Check, Fault, Severity, Weakens, check, checks};
use crate::posture::input::Managed;
use crate::posture::keys::{Known, placed};
use crate::posture::outside::{
    any_hook, any_started, assignments, chooses_code, head_starts_servers, names_command,
};
use crate::posture::place::{
    Kind, Moved, OnEach, Path, Role, Syntax, Watched, each, everywhere, watched,
};
use crate::posture::summary::{EgressState, SandboxState, Summary};
use crate::posture::value::Value;
use crate::target::Release;

const HOME: &[Moved] = &[Moved {
    variable: "GEMINI_CLI_HOME",
    instead_of: "~",
}];

const SETTINGS_FILE: Syntax = Syntax::RepeatedJsonWithComments;

/// The file that is rendered.
pub(super) const MANAGED: OnEach = OnEach {
    linux: "/etc/gemini-cli/settings.json",
    macos: "/Library/Application Support/GeminiCli/settings.json",
    windows: r"C:\ProgramData\gemini-cli\settings.json",
};

watched! {
    Harness::GeminiCli;
    Managed Managed, SETTINGS_FILE, Path::Each(MANAGED), HOME;
    Managed ManagedPolicies, Syntax::Toml, each("/etc/gemini-cli/policies/*.toml", "/Library/Application Support/GeminiCli/policies/*.toml", r"C:\ProgramData\gemini-cli\policies\*.toml"), HOME;
    // The lowest layer, under the user's own.
    Managed SystemSettings, SETTINGS_FILE, each("/etc/gemini-cli/system-defaults.json", "/Library/Application Support/GeminiCli/system-defaults.json", r"C:\ProgramData\gemini-cli\system-defaults.json"), &[];
    User Settings, SETTINGS_FILE, everywhere("~/.gemini/settings.json"), HOME;
    User Sandbox, Syntax::Toml, everywhere("~/.gemini/policies/sandbox.toml"), HOME;
    User Variables, Syntax::Text, everywhere("~/.gemini/.env"), HOME;
    // Read where no directory above the one of a start has one, nor `.gemini`.
    User Variables, Syntax::Text, everywhere("~/.env"), HOME;
    Project ProjectSettings, SETTINGS_FILE, everywhere(".gemini/settings.json"), HOME;
    Project Variables, Syntax::Text, everywhere(".gemini/.env"), HOME;
    // Read where there is none in `.gemini`.
    Project Variables, Syntax::Text, everywhere(".env"), HOME;
    // The program looks for extensions in the user's home alone.
    User Plugins, Syntax::Presence, everywhere("~/.gemini/extensions/**/*gemini-extension.json"), HOME;
    User Agents, Syntax::Text, everywhere("~/.gemini/agents/*.md"), HOME;
    Project Agents, Syntax::Text, everywhere(".gemini/agents/*.md"), HOME;
}

const RAN: &str = "observed: Gemini CLI 0.61.0 on Linux";
const DOCUMENT: &str = "policy document, \"Verify on the device\"";
const ANY: &[Kind] = &[Kind::Settings, Kind::ProjectSettings, Kind::SystemSettings];
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

checks! {
    "gemini-cli-sandbox-off": Warning [Mode],
        Fault::In(ANY, |input| {
            let sandbox = input.at(&["tools", "sandbox"]);
            let tools = input.at(&["security", "toolSandboxing"]);
            sandbox.is_false()
                || sandbox.is("false")
                || sandbox.get("enabled").is_false()
                || (tools.is_false() && input.lacks_settings())
        }),
        "{} sets tools.sandbox = false",
        "remove tools.sandbox from {}",
        DOCUMENT;
    "gemini-cli-project-tools": Failure [FetchHosts],
        Fault::In(&[Kind::ProjectSettings], |input| {
            input.at(&["tools", "allowed"]).has_entries()
        }),
        "{} lets tools run unasked (tools.allowed)",
        "remove tools.allowed from {}",
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12";
    "gemini-cli-servers": Notice [Everything],
        Fault::In(ANY, |input| {
            any_started(input.at(&["mcpServers"]))
                || names_command(input.at(&["mcp", "serverCommand"]))
        }),
        "{} starts tool servers (mcpServers or mcp.serverCommand), which run outside the sandbox",
        "remove them from {}, or keep them knowingly",
        RAN;
    "gemini-cli-hooks": Notice [Everything],
        Fault::In(ANY, |input| {
            let off = |keys: &[&str]| input.at(keys).is_false() || input.managed(keys).is_false();
            let switches = ["enabled", "disabled", "notifications"];
            let hooks = input.at(&["hooks"]).entries().iter();
            let mut hooks = hooks.filter(|(event, _)| !switches.contains(&event.as_str()));
            hooks.any(|(_, hooks)| any_hook(hooks)) && !off(&["hooksConfig", "enabled"])
        }),
        "{} sets hooks, which run outside the sandbox",
        "remove hooks from {}, or manage hooksConfig.enabled as false",
        RAN;
    "gemini-cli-commands": Notice [Everything],
        Fault::In(ANY, |input| {
            ["discoveryCommand", "callCommand"]
                .iter()
                .any(|key| names_command(input.at(&["tools", key])))
        }),
        "{} names a program that runs outside the sandbox (tools.discoveryCommand or tools.callCommand)",
        "remove it from {}, or keep it knowingly",
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12";
    "gemini-cli-policy-paths": Warning [FetchHosts],
        Fault::In(ANY, |input| {
            ["policyPaths", "adminPolicyPaths"]
                .iter()
                .any(|key| input.at(&[key]).has_entries() && !input.managed(&[key]).is_set())
        }),
        "{} names files of rules for tools (policyPaths or adminPolicyPaths), which are not looked at",
        "remove them from {}",
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12";
    "gemini-cli-telemetry": Notice [FetchHosts],
        Fault::In(ANY, |input| {
            let keys = ["telemetry", "otlpEndpoint"];
            names_command(input.at(&keys)) && !input.managed(&keys).is_set()
        }),
        "{} sends telemetry to a host of its own (telemetry.otlpEndpoint), which no list of hosts binds",
        "remove telemetry.otlpEndpoint from {}, or keep it knowingly",
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12";
    "gemini-cli-extensions": Notice [Everything],
        Fault::In(&[Kind::Plugins], |input| input.document().is_true()),
        "{} brings extensions, whose servers and hooks run outside the sandbox",
        "remove them, or keep them knowingly",
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12";
    "gemini-cli-head-servers": Notice [Everything],
        Fault::In(&[Kind::Agents], |input| {
            let text = input.document().text().unwrap_or_default();
            head_starts_servers(text, &["mcp_servers", "mcpServers", "agent_card_url"])
        }),
        "the head of {} starts tool servers or leads to a remote agent (mcp_servers, mcpServers or agent_card_url), outside the sandbox",
        "remove them from the head of {}, or keep them knowingly",
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12";
    "gemini-cli-env-code": Notice [Everything],
        Fault::In(&[Kind::Variables], |input| {
            let text = input.document().text().unwrap_or_default();
            assignments(text).any(|(name, value)| chooses_code(name, value))
        }),
        "{} sets a variable that chooses which code runs outside the sandbox, or where the program connects",
        "remove it from {}, or keep it knowingly",
        "seen in the program's bundle, Gemini CLI 0.61.0, 2026-12";
    "gemini-cli-managed-key-unknown": Notice [] always,
        Fault::Managed(|managed| KNOWN.is_exceeded_by(managed.settings())),
        "{} has a key at a place where Gemini CLI does not read it, so that it does nothing",
        "move the key to where the vendor's page has it, or remove it",
        RAN;
    "gemini-cli-managed-key-later": Notice [] always,
        Fault::Managed(|managed| {
            let settings = managed.settings();
            let known = |keys: &[&str], since: Release| {
                let release = managed.release();
                settings.at(keys).is_set() && release.is_some_and(|release| !since.is_in(release))
            };
            known(&["security", "toolSandboxing"], Release(0, 35, 0))
        }),
        "{} has a key that this release does not read yet",
        "update Gemini CLI, or do not count on the key",
        RAN;
    "gemini-cli-sandbox-network": Failure [ShellHosts],
        Fault::In(SANDBOX, |input| {
            let modes = input.at(&["modes"]).values();
            let commands = input.at(&["commands"]).values();
            modes.map(|mode| mode.get("network")).any(Value::is_yes)
                || commands
                    .map(|command| command.get("allow_network"))
                    .any(Value::is_yes)
        }),
        "{} opens the network to sandboxed commands",
        "remove network and allow_network from {}",
        RAN;
    "gemini-cli-sandbox-writes": Failure [Mode, WritableRoots],
        Fault::In(SANDBOX, |input| {
            let modes = input.at(&["modes"]).values();
            let commands = input.at(&["commands"]).values();
            modes.map(|mode| mode.get("readonly")).any(Value::is_false)
                || commands
                    .map(|command| command.get("allowed_paths"))
                    .any(Value::has_entries)
        }),
        "{} lets sandboxed commands write (readonly = false or allowed_paths)",
        "remove readonly and allowed_paths from {}",
        RAN;
    "gemini-cli-sandbox-settings": Warning [ShellHosts, WritableRoots],
        Fault::In(ANY, |input| {
            let tools = input.at(&["tools"]);
            let sandbox = tools.get("sandbox");
            let opens = tools.get("sandboxNetworkAccess").is_yes()
                || tools.get("sandboxAllowedPaths").has_entries()
                || sandbox.get("networkAccess").is_yes()
                || sandbox.get("allowedPaths").has_entries();
            // They act on the sandbox of the whole process alone.
            opens && (wraps_the_process(input.against()) || input.lacks_settings())
        }),
        "{} opens the network or paths to the sandbox of the whole process",
        "remove sandboxNetworkAccess and sandboxAllowedPaths from {}",
        RAN;
    "gemini-cli-env-file": Warning [Mode],
        Fault::In(&[Kind::Variables], |input| {
            let text = input.document().text().unwrap_or_default();
            assignments(text).any(|(name, _)| WEAKENING.contains(&name))
        }),
        "{} sets variables that weaken the sandbox of the whole process",
        "remove GEMINI_SANDBOX, SANDBOX, SEATBELT_PROFILE, SANDBOX_FLAGS, SANDBOX_MOUNTS and GEMINI_SANDBOX_IMAGE from {}",
        RAN;
    "gemini-cli-sandbox-variable": Warning [Mode] always,
        Fault::Variable("GEMINI_SANDBOX", |value, _| {
            let value = value.trim();
            value.eq_ignore_ascii_case("false") || value == "0"
        }),
        "GEMINI_SANDBOX = false is set, which turns tools.sandbox off",
        "unset GEMINI_SANDBOX",
        DOCUMENT;
    "gemini-cli-inside-variable": Warning [Mode],
        Fault::Variable("SANDBOX", |value, managed| {
            !value.is_empty() && wraps_the_process(managed)
        }),
        "SANDBOX is set, which Gemini CLI takes for being in a sandbox already",
        "unset SANDBOX",
        RAN;
    "gemini-cli-seatbelt-variable": Warning [Mode, ShellHosts],
        Fault::Variable("SEATBELT_PROFILE", |value, managed| {
            !value.starts_with("strict") && !value.is_empty() && wraps_the_process(managed)
        }),
        "SEATBELT_PROFILE names another profile than the strict ones",
        "unset SEATBELT_PROFILE",
        "the program's own code, Gemini CLI 0.61.0";
    "gemini-cli-flags-variable": Warning [Mode, WritableRoots],
        Fault::Variable("SANDBOX_FLAGS", |value, managed| {
            !value.is_empty() && wraps_the_process(managed)
        }),
        "SANDBOX_FLAGS changes how the sandbox is started",
        "unset SANDBOX_FLAGS",
        "the program's own code, Gemini CLI 0.61.0";
    "gemini-cli-mounts-variable": Warning [WritableRoots, ProtectedPaths],
        Fault::Variable("SANDBOX_MOUNTS", |value, managed| {
            !value.is_empty() && wraps_the_process(managed)
        }),
        "SANDBOX_MOUNTS adds directories to the sandbox",
        "unset SANDBOX_MOUNTS",
        "the program's own code, Gemini CLI 0.61.0";
    "gemini-cli-image-variable": Warning [Mode],
        Fault::Variable("GEMINI_SANDBOX_IMAGE", |value, managed| {
            !value.is_empty() && wraps_the_process(managed)
        }),
        "GEMINI_SANDBOX_IMAGE replaces the image of the sandbox",
        "unset GEMINI_SANDBOX_IMAGE",
        "the program's own code, Gemini CLI 0.61.0";
    "gemini-cli-settings-path-variable": Failure [Mode, ShellHosts],
        Fault::Variable("GEMINI_CLI_SYSTEM_SETTINGS_PATH", |value, _| {
            !value.is_empty()
        }),
        "GEMINI_CLI_SYSTEM_SETTINGS_PATH is set, so that the managed settings are not read",
        "unset GEMINI_CLI_SYSTEM_SETTINGS_PATH",
        RAN;
    "gemini-cli-defaults-path-variable": Notice [],
        Fault::Variable("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", |value, _| {
            !value.is_empty()
        }),
        "GEMINI_CLI_SYSTEM_DEFAULTS_PATH is set, so that the lowest layer of settings is read elsewhere",
        "unset GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
        RAN;
    "gemini-cli-home": Notice [] always,
        Fault::Variable("GEMINI_CLI_HOME", |value, _| !value.is_empty()),
        "GEMINI_CLI_HOME is set, so that Gemini CLI reads its settings there; both places were checked",
        "unset GEMINI_CLI_HOME unless it is meant",
        "the program's own code, Gemini CLI 0.61.0";
    "gemini-cli-managed-yolo": Failure [ShellHosts],
        Fault::Managed(|managed| {
            confines_tools(managed)
                && is_missed(LOCKS, managed.settings(), "security.disableYoloMode")
        }),
        "{} does not set security.disableYoloMode, in which mode commands reach the network",
        "set security.disableYoloMode to true in {}",
        RAN;
    "gemini-cli-managed-policy-dropped": Failure [FetchHosts, ProtectedPaths] always,
        Fault::In(POLICIES, |input| {
            input
                .at(&["rule"])
                .items()
                .iter()
                .any(|rule| !is_valid(rule))
        }),
        "{} has a rule that the program cannot read, for which it drops the whole file",
        "give every rule a tool, a decision and a priority from 0 to 999 in {}",
        RAN;
    "gemini-cli-managed-rule-dropped": Failure [FetchHosts, ProtectedPaths] always,
        Fault::In(POLICIES, |input| {
            input.at(&["rule"]).items().iter().any(|rule| {
                ["argsPattern", "commandRegex"]
                    .iter()
                    .filter_map(|key| rule.get(key).text())
                    .any(is_dropped)
            })
        }),
        "{} has a regular expression that the program takes for dangerous or too long, and drops with its rule",
        "write it in at most 2048 characters and without a quantified group in {}",
        RAN;
    "gemini-cli-managed-policy-allows": Warning [FetchHosts] always,
        Fault::In(POLICIES, |input| {
            input
                .at(&["rule"])
                .items()
                .iter()
                .any(|rule| rule.get("decision").is("allow"))
        }),
        "{} has a rule that allows, so that the user is not asked",
        "remove the rules that allow from {}",
        RAN;
}

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

fn wraps_the_process(managed: &Managed) -> bool {
    let sandbox = managed.settings().at(&["tools", "sandbox"]);
    !managed.is_known() || (sandbox.is_set() && !sandbox.is_false())
}

fn confines_tools(managed: &Managed) -> bool {
    managed
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

pub(super) fn summary(managed: &Managed) -> Summary {
    let sandbox = if confines_tools(managed) || wraps_the_process(managed) {
        SandboxState::On
    } else if managed
        .settings()
        .at(&["security", "toolSandboxing"])
        .is_false()
        || managed.settings().at(&["tools", "sandbox"]).is_false()
    {
        SandboxState::Off
    } else {
        SandboxState::Unmanaged
    };
    let rules: Vec<&Value> = managed
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

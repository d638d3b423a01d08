//! Cursor CLI: what its users' and repositories' files turn off. No file of an administrator's holds
//! a sandbox policy, so its checks always apply.

use policy_core::Harness;

use crate::posture::check::{AppliesWhen, Check, Fault, Severity, Weakens, check, checks};
use crate::posture::input::Input;
use crate::posture::keys::{EVER, Known, Section};
use crate::posture::outside::{any_hook, any_started};
use crate::posture::path::is_broad;
use crate::posture::place::{Kind, Moved, Role, Syntax, Watched, each, everywhere, watched};
use crate::posture::value::Value;

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

watched! {
    Harness::CursorCli;
    Managed ManagedHooks, Syntax::JsonWithComments, each("/etc/cursor/hooks.json", "/Library/Application Support/Cursor/hooks.json", r"C:\ProgramData\Cursor\hooks.json"), CONFIG;
    User Sandbox, Syntax::JsonWithComments, everywhere("~/.cursor/sandbox.json"), CONFIG;
    User Settings, Syntax::JsonWithComments, everywhere("~/.cursor/cli-config.json"), CONFIG;
    User Settings, Syntax::JsonWithComments, everywhere("~/.config/cursor/cli-config.json"), CONFIG;
    Project ProjectSandbox, Syntax::JsonWithComments, everywhere(".cursor/sandbox.json"), CONFIG;
    User Hooks, Syntax::JsonWithComments, everywhere("~/.cursor/hooks.json"), CONFIG;
    User Servers, Syntax::JsonWithComments, everywhere("~/.cursor/mcp.json"), CONFIG;
    Project Hooks, Syntax::JsonWithComments, everywhere(".cursor/hooks.json"), CONFIG;
    // The program runs the hooks of these as well, whatever Claude Code is told to do with them.
    Project Hooks, Syntax::LenientJson, everywhere(".claude/settings.json"), CONFIG;
    Project Hooks, Syntax::LenientJson, everywhere(".claude/settings.local.json"), CONFIG;
    Project Servers, Syntax::JsonWithComments, everywhere(".cursor/mcp.json"), CONFIG;
    Project ProjectSettings, Syntax::JsonWithComments, everywhere(".cursor/cli.json"), CONFIG;
}

const CODE: &str = "the program's own code, @cursor/sdk 1.0.32";
const SEEN: &str = "seen in the program's bundle, @cursor/sdk 1.0.32, 2026-12";
const RAN: &str = "observed: the sandbox of @cursor/sdk 1.0.32 on Linux";
const ANY: &[Kind] = &[Kind::Sandbox, Kind::ProjectSandbox];
const SETTINGS: &[Kind] = &[Kind::Settings];

checks! {
    "cursor-cli-insecure-none": Failure [Everything] always,
        Fault::In(ANY, |input| input.at(&["type"]).is("insecure_none")),
        "{} sets type = \"insecure_none\"",
        "remove type from {}, or set another; nothing else keeps commands in a sandbox",
        "policy document, \"Verify on the device\"; the program's own code, @cursor/sdk 1.0.32";
    "cursor-cli-network-default": Warning [ShellHosts] always,
        Fault::In(ANY, |input| {
            let policy = input.at(&["networkPolicy"]);
            policy.is_set() && !policy.get("default").is("deny")
        }),
        "{} does not deny hosts by default (networkPolicy.default)",
        "set networkPolicy.default to \"deny\" in {}",
        RAN;
    "cursor-cli-project-hosts": Warning [ShellHosts] always,
        Fault::In(&[Kind::ProjectSandbox], |input| {
            let policy = input.against().hosts();
            allowed(input).any(|host| !policy.is_some_and(|policy| policy.permit_with_apex(host)))
        }),
        "{} allows hosts that no policy is known to allow, and they are added to the user's",
        "remove networkPolicy.allow from {}, or ask for the hosts in the policy",
        CODE;
    "cursor-cli-hosts": Warning [ShellHosts] always,
        Fault::In(&[Kind::Sandbox], |input| {
            let policy = input.against().hosts();
            policy.is_some_and(|policy| allowed(input).any(|host| !policy.permit_with_apex(host)))
        }),
        "{} allows hosts that the policy does not",
        "remove them from networkPolicy.allow in {}, or ask for them in the policy",
        CODE;
    "cursor-cli-project-permissions": Failure [FetchHosts] always,
        Fault::In(&[Kind::ProjectSettings], |input| {
            let policy = input.against().hosts();
            input.at(&["permissions", "allow"]).texts().any(|rule| {
                let (tool, argument) = rule.split_once('(').unwrap_or((rule, "*)"));
                let argument = argument.trim_end_matches(')');
                match tool {
                    "WebFetch" => !policy.is_some_and(|policy| policy.permit_with_apex(argument)),
                    "Mcp" => true,
                    _ => matches!(argument, "" | "*" | "**"),
                }
            })
        }),
        "{} lets the fetch tool, a tool server or any command run unasked (permissions.allow)",
        "remove these rules from {}",
        CODE;
    "cursor-cli-hooks": Notice [Everything] always,
        Fault::In(&[Kind::Hooks], |input| any_hook(input.at(&["hooks"]))),
        "{} sets hooks, which run outside the sandbox",
        "remove hooks from {}, or keep them knowingly",
        SEEN;
    "cursor-cli-servers": Notice [Everything] always,
        Fault::In(&[Kind::Servers], |input| any_started(input.at(&["mcpServers"]))),
        "{} starts tool servers (mcpServers), which run outside the sandbox",
        "remove mcpServers from {}, or keep them knowingly",
        SEEN;
    "cursor-cli-managed-key-unknown": Notice [] always,
        Fault::In(&[Kind::ManagedHooks], |input| {
            KNOWN.is_exceeded_by(input.document())
        }),
        "{} has a key that Cursor CLI does not know at that place, so that it does nothing",
        "write the key as the vendor's page has it, or remove it",
        CODE;
    "cursor-cli-writes-widely": Failure [Mode, WritableRoots] always,
        Fault::In(ANY, |input| added(input).any(is_broad)),
        "{} lets commands write to the system, the home or credentials (additionalReadwritePaths)",
        "remove additionalReadwritePaths from {}",
        RAN;
    "cursor-cli-project-writes": Warning [WritableRoots] always,
        Fault::In(&[Kind::ProjectSandbox], |input| {
            added(input).next().is_some() && !added(input).any(is_broad)
        }),
        "{} adds writable paths to the user's (additionalReadwritePaths)",
        "remove additionalReadwritePaths from {}",
        CODE;
    "cursor-cli-unrestricted": Failure [Everything] always,
        Fault::In(SETTINGS, |input| {
            input.at(&["approvalMode"]).is("unrestricted")
        }),
        "{} sets approvalMode = \"unrestricted\"",
        "remove approvalMode from {}",
        CODE;
    "cursor-cli-sandbox-disabled": Failure [Everything] always,
        Fault::In(SETTINGS, |input| {
            input.at(&["sandbox", "mode"]).is("disabled")
        }),
        "{} sets sandbox.mode = \"disabled\"",
        "remove sandbox.mode from {}",
        CODE;
    "cursor-cli-network-open": Failure [ShellHosts] always,
        Fault::In(SETTINGS, |input| {
            input.at(&["sandbox", "networkAccess"]).is("allow_all")
        }),
        "{} sets sandbox.networkAccess = \"allow_all\"",
        "set sandbox.networkAccess to \"user_config_only\" in {}",
        CODE;
    "cursor-cli-network-defaults": Notice [ShellHosts] always,
        Fault::In(SETTINGS, |input| {
            input
                .at(&["sandbox", "networkAccess"])
                .is("user_config_with_defaults")
        }),
        "{} sets sandbox.networkAccess = \"user_config_with_defaults\", which adds the vendor's own hosts",
        "set sandbox.networkAccess to \"user_config_only\" in {}",
        CODE;
    "cursor-cli-config-variable": Notice [] always,
        Fault::Variable("CURSOR_CONFIG_DIR", |value, _| !value.is_empty()),
        "CURSOR_CONFIG_DIR is set, so that Cursor CLI reads its settings there; both places were checked",
        "unset CURSOR_CONFIG_DIR unless it is meant",
        CODE;
    "cursor-cli-managed-hook-open": Warning [FetchHosts, ProtectedPaths] always,
        Fault::In(&[Kind::ManagedHooks], |input| {
            let hooks = input.at(&["hooks"]).values().flat_map(Value::items);
            hooks
                .into_iter()
                .any(|hook| !hook.get("failClosed").is_true())
        }),
        "{} has a hook without failClosed, so that what it would deny is allowed when it fails",
        "set failClosed to true on every hook in {}",
        CODE;
}

static KNOWN: Known = Known {
    sections: &[Section {
        at: &[],
        keys: &[("version", EVER), ("hooks", EVER), ("$schema", EVER)],
    }],
    placed: &[],
};

fn allowed<'s>(input: &'s Input<'_>) -> impl Iterator<Item = &'s str> {
    input.at(&["networkPolicy", "allow"]).texts()
}

fn added<'s>(input: &'s Input<'_>) -> impl Iterator<Item = &'s str> {
    input.at(&["additionalReadwritePaths"]).texts()
}

//! Claude Code: what in a user's settings and in the managed ones weakens its sandbox.
//!
//! Not checked, because it was seen to be held: a user's `sandbox.enabled: false`,
//! `filesystem.disabled`, proxy ports, `strictAllowlist: false`, and, where the managed settings turn
//! the sandbox on, everything under `sandbox` in a repository's settings.

use std::collections::BTreeSet;

use policy_core::Harness;

use super::locks::LOCKS;
use crate::lock::is_missed;
use crate::posture::check::{AppliesWhen, Check, Fault, Severity, Weakens, check, checks};
use crate::posture::hosts::Hosts;
use crate::posture::input::{Input, Managed};
use crate::posture::keys::{EVER, Known, Section, placed};
use crate::posture::outside::{
    any_hook, any_started, chooses_code, head_has_hooks, head_starts_servers, names_command,
};
use crate::posture::path::{is_below_project, lies_in, reach};
use crate::posture::place::{
    Kind, Moved, OnEach, Path, Role, Syntax, Watched, each, everywhere, watched,
};
use crate::posture::summary::{EgressState, SandboxState, Summary, Unlisted};
use crate::posture::value::Value;
use crate::target::{Os, Release};

const CONFIG: &[Moved] = &[Moved {
    variable: "CLAUDE_CONFIG_DIR",
    instead_of: "~/.claude",
}];

/// The file that is rendered.
pub(super) const MANAGED: OnEach = OnEach {
    linux: "/etc/claude-code/managed-settings.json",
    macos: "/Library/Application Support/ClaudeCode/managed-settings.json",
    windows: r"C:\Program Files\ClaudeCode\managed-settings.json",
};

watched! {
    Harness::ClaudeCode;
    Managed Managed, Syntax::Json, Path::Each(MANAGED), &[];
    Managed Managed, Syntax::Json, each("/etc/claude-code/managed-settings.d/*.json", "/Library/Application Support/ClaudeCode/managed-settings.d/*.json", r"C:\Program Files\ClaudeCode\managed-settings.d\*.json"), &[];
    // Servers and agents for everyone.
    Managed SystemSettings, Syntax::Json, each("/etc/claude-code/managed-mcp.json", "/Library/Application Support/ClaudeCode/managed-mcp.json", r"C:\Program Files\ClaudeCode\managed-mcp.json"), &[];
    Managed SystemSettings, Syntax::Text, each("/etc/claude-code/.claude/agents/**/*.md", "/Library/Application Support/ClaudeCode/.claude/agents/**/*.md", r"C:\Program Files\ClaudeCode\.claude\agents\**\*.md"), &[];
    Managed SystemSettings, Syntax::Text, each("/etc/claude-code/.claude/commands/**/*.md", "/Library/Application Support/ClaudeCode/.claude/commands/**/*.md", r"C:\Program Files\ClaudeCode\.claude\commands\**\*.md"), &[];
    Managed SystemSettings, Syntax::Text, each("/etc/claude-code/.claude/skills/**/*SKILL.md", "/Library/Application Support/ClaudeCode/.claude/skills/**/*SKILL.md", r"C:\Program Files\ClaudeCode\.claude\skills\**\*SKILL.md"), &[];
    Managed ManagedElsewhere, Syntax::Presence, Path::MacOs("/Library/Managed Preferences/com.anthropic.claudecode.plist"), &[];
    User Settings, Syntax::LenientJson, everywhere("~/.claude/settings.json"), CONFIG;
    // The variable that moves the directory moves this file into it.
    User Servers, Syntax::RepeatedJson, everywhere("~/.claude.json"), &[Moved {
            variable: "CLAUDE_CONFIG_DIR",
            instead_of: "~",
        }];
    // A directory among the skills that holds one is a plugin, with hooks, servers and agents.
    User Plugins, Syntax::Presence, everywhere("~/.claude/skills/**/*plugin.json"), CONFIG;
    User Agents, Syntax::Text, everywhere("~/.claude/agents/**/*.md"), CONFIG;
    User Agents, Syntax::Text, everywhere("~/.claude/commands/**/*.md"), CONFIG;
    User Agents, Syntax::Text, everywhere("~/.claude/skills/**/*SKILL.md"), CONFIG;
    Project ProjectSettings, Syntax::LenientJson, everywhere(".claude/settings.json"), &[];
    Project ProjectSettings, Syntax::LenientJson, everywhere(".claude/settings.local.json"), &[];
    Project ProjectServers, Syntax::LenientJson, everywhere(".mcp.json"), &[];
    Project Plugins, Syntax::Presence, everywhere(".claude/skills/**/*plugin.json"), &[];
    Project Agents, Syntax::Text, everywhere(".claude/agents/**/*.md"), &[];
    Project Agents, Syntax::Text, everywhere(".claude/commands/**/*.md"), &[];
    Project Agents, Syntax::Text, everywhere(".claude/skills/**/*SKILL.md"), &[];
}

const RAN: &str = "observed: Claude Code 2.1.332 on Linux";
const SETTINGS: &[Kind] = &[Kind::Settings, Kind::ProjectSettings];
const DOCS: &str = "https://code.claude.com/docs/en/settings, 2026-11";

/// Settings that name a program, which is run outside the sandbox.
const HELPERS: [&str; 10] = [
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "fileSuggestion",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "processWrapper",
    "proxyAuthHelper",
    "statusLine",
    "subagentStatusLine",
];
/// Those under `sandbox`.
const SANDBOX_HELPERS: [&str; 3] = ["bwrapPath", "ripgrep", "socatPath"];
const SCRUB: &str = "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB";

checks! {
    "claude-code-excluded-commands": Failure [Mode, ShellHosts, ProtectedPaths],
        Fault::In(SETTINGS, |input| {
            excludes(input)
                && !input
                    .managed(&["allowManagedPermissionRulesOnly"])
                    .is_true()
        }),
        "{} sets sandbox.excludedCommands, which run outside the sandbox",
        "remove sandbox.excludedCommands from {}",
        RAN;
    "claude-code-excluded-commands-ask": Warning [Mode, ShellHosts, ProtectedPaths],
        Fault::In(SETTINGS, |input| {
            excludes(input)
                && input
                    .managed(&["allowManagedPermissionRulesOnly"])
                    .is_true()
        }),
        "{} sets sandbox.excludedCommands, which run outside the sandbox once approved",
        "remove sandbox.excludedCommands from {}",
        RAN;
    "claude-code-allow-read": Failure [ProtectedPaths],
        Fault::In(SETTINGS, |input| {
            let protects = input.managed(&["sandbox", "filesystem", "denyRead"]);
            let lock = ["sandbox", "filesystem", "allowManagedReadPathsOnly"];
            input
                .at(&["sandbox", "filesystem", "allowRead"])
                .has_entries()
                && counts(input)
                && (protects.has_entries() || input.lacks_settings())
                && !input.managed(&lock).is_true()
        }),
        "{} sets sandbox.filesystem.allowRead, which re-opens protected paths",
        "remove sandbox.filesystem.allowRead from {}",
        RAN;
    "claude-code-allow-write": Warning [WritableRoots],
        Fault::In(SETTINGS, |input| {
            adds_roots(input, writes(input)) && !writes_widely(input) && counts(input)
        }),
        "{} sets sandbox.filesystem.allowWrite, which adds writable roots",
        "remove sandbox.filesystem.allowWrite from {}; ask for the root in the policy",
        RAN;
    "claude-code-allow-write-widely": Failure [Mode, WritableRoots],
        Fault::In(SETTINGS, |input| writes_widely(input) && counts(input)),
        "{} lets commands write to the system, the home or a protected path (sandbox.filesystem.allowWrite)",
        "remove sandbox.filesystem.allowWrite from {}",
        RAN;
    "claude-code-edit-allow": Warning [WritableRoots],
        Fault::In(SETTINGS, |input| {
            let roots = edit_roots(input);
            let roots = || roots.iter().map(String::as_str);
            adds_roots(input, roots()) && !are_broad(input, roots())
        }),
        "{} has an Edit allow rule (permissions.allow), which adds a writable root for commands",
        "remove the Edit rule from {}; ask for the root in the policy",
        RAN;
    "claude-code-edit-allow-widely": Failure [Mode, WritableRoots],
        Fault::In(SETTINGS, |input| {
            let roots = edit_roots(input);
            are_broad(input, roots.iter().map(String::as_str))
        }),
        "{} lets commands write to the system, the home or a protected path (an Edit rule in permissions.allow)",
        "remove the Edit rule from {}",
        RAN;
    "claude-code-additional-directories-widely": Failure [Mode, WritableRoots],
        Fault::In(SETTINGS, |input| are_broad(input, directories(input))),
        "{} lets commands write to the system, the home or a protected path (permissions.additionalDirectories)",
        "remove permissions.additionalDirectories from {}",
        RAN;
    "claude-code-additional-directories": Notice [WritableRoots],
        Fault::In(SETTINGS, |input| {
            adds_roots(input, directories(input)) && !are_broad(input, directories(input))
        }),
        "{} sets permissions.additionalDirectories, which may be written",
        "remove permissions.additionalDirectories from {}, or keep it knowingly",
        RAN;
    "claude-code-allowed-domains": Failure [ShellHosts],
        Fault::In(SETTINGS, |input| {
            let permitted = permitted(input);
            let domains = input.at(&["sandbox", "network", "allowedDomains"]);
            let domains = domains.texts().filter(|_| counts(input));
            // These stand elsewhere than what is ignored of a repository.
            let rules = fetch_allow_rules(input).filter_map(|rule| {
                rule.strip_prefix("WebFetch(domain:")
                    .map(|rest| rest.trim_end_matches(')'))
            });
            domains
                .chain(rules)
                .any(|domain| opens(input, &permitted, domain))
                && limits_hosts(input)
                && !input
                    .managed(&["sandbox", "network", "allowManagedDomainsOnly"])
                    .is_true()
        }),
        "{} allows hosts, and the managed settings do not keep it from doing so",
        "remove sandbox.network.allowedDomains and WebFetch(domain:...) allow rules from {}; manage allowManagedDomainsOnly",
        RAN;
    "claude-code-fetch-allow": Warning [FetchHosts],
        Fault::In(SETTINGS, |input| {
            let permitted = permitted(input);
            fetch_allow_rules(input).any(|rule| {
                let domain = rule.strip_prefix("WebFetch(domain:");
                let domain = domain.and_then(|rest| rest.strip_suffix(')'));
                domain.is_none_or(|domain| opens(input, &permitted, domain))
            }) && limits_hosts(input)
                && !input
                    .managed(&["allowManagedPermissionRulesOnly"])
                    .is_true()
        }),
        "{} allows the fetch tool hosts that the policy does not name, unasked",
        "remove WebFetch from permissions.allow in {}",
        RAN;
    "claude-code-bypass-permissions": Warning [FetchHosts],
        Fault::In(SETTINGS, |input| {
            input
                .at(&["permissions", "defaultMode"])
                .is("bypassPermissions")
                && !input
                    .managed(&["permissions", "disableBypassPermissionsMode"])
                    .is("disable")
        }),
        "{} sets permissions.defaultMode = \"bypassPermissions\", in which the fetch tool asks for nothing",
        "remove permissions.defaultMode from {}",
        RAN;
    "claude-code-env-scrub": Failure [Mode, WritableRoots],
        Fault::In(SETTINGS, |input| {
            let value = input.at(&["env", SCRUB]);
            value.is_set() && !is_off(value.text().unwrap_or("1")) && !pins_scrub(input.against())
        }),
        "{} sets CLAUDE_CODE_SUBPROCESS_ENV_SCRUB, with which sandboxed commands write anywhere",
        "remove CLAUDE_CODE_SUBPROCESS_ENV_SCRUB from env in {}",
        RAN;
    "claude-code-env-scrub-variable": Failure [Mode, WritableRoots],
        Fault::Variable(SCRUB, |value, managed| {
            !is_off(value) && !pins_scrub(managed)
        }),
        "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB is set, with which sandboxed commands write anywhere",
        "unset CLAUDE_CODE_SUBPROCESS_ENV_SCRUB",
        RAN;
    "claude-code-weaker-sandbox": Failure [Mode],
        Fault::In(SETTINGS, |input| {
            let weaker = [
                "enableWeakerNestedSandbox",
                "allowNestedUserNamespaces",
                "allowAppleEvents",
            ];
            // Of a repository the program ignores it.
            let ignored = |key: &str| input.is_of_a_clone() && key == "allowAppleEvents";
            weaker
                .iter()
                .any(|key| switches(input, &["sandbox", key]) && !ignored(key))
        }),
        "{} turns on a weaker sandbox (enableWeakerNestedSandbox, allowNestedUserNamespaces or allowAppleEvents)",
        "remove these switches from {}; manage them as false",
        RAN;
    "claude-code-weaker-network": Failure [ShellHosts],
        Fault::In(SETTINGS, |input| {
            switches(input, &["sandbox", "enableWeakerNetworkIsolation"])
                || ["allowAllUnixSockets", "allowLocalBinding"]
                    .iter()
                    .any(|key| switches(input, &["sandbox", "network", key]))
        }),
        "{} opens the sandbox's network (enableWeakerNetworkIsolation, allowAllUnixSockets or allowLocalBinding)",
        "remove these switches from {}; manage them as false",
        RAN;
    "claude-code-unix-sockets": Warning [ShellHosts],
        Fault::In(SETTINGS, |input| {
            ["allowUnixSockets", "allowMachLookup"]
                .iter()
                .any(|key| input.at(&["sandbox", "network", key]).has_entries())
                && counts(input)
        }),
        "{} opens sockets of services outside the sandbox (sandbox.network.allowUnixSockets or allowMachLookup)",
        "remove these lists from {}",
        "https://code.claude.com/docs/en/sandboxing, 2026-11";
    "claude-code-auto-mode": Notice [FetchHosts],
        Fault::In(SETTINGS, |input| {
            input.at(&["permissions", "defaultMode"]).is("auto")
                && !input
                    .managed(&["permissions", "disableAutoMode"])
                    .is("disable")
        }),
        "{} sets permissions.defaultMode = \"auto\", in which a classifier answers instead of a person",
        "remove permissions.defaultMode from {}, or manage permissions.disableAutoMode",
        "https://code.claude.com/docs/en/permissions, 2026-11";
    "claude-code-project-sandbox-off": Failure [Everything],
        Fault::In(&[Kind::ProjectSettings], |input| {
            let sandbox = input.at(&["sandbox"]);
            let off = sandbox.get("enabled").is_false()
                || sandbox.get("failIfUnavailable").is_false()
                || sandbox.get("allowUnsandboxedCommands").is_yes()
                || sandbox.at(&["filesystem", "disabled"]).is_yes();
            off && counts(input)
        }),
        "{} turns the sandbox off or lets commands leave it (sandbox.enabled, failIfUnavailable, allowUnsandboxedCommands or filesystem.disabled)",
        "remove these switches from {}",
        DOCS;
    "claude-code-hooks": Notice [Everything],
        Fault::In(SETTINGS, |input| {
            any_hook(input.at(&["hooks"]))
                && !input.at(&["disableAllHooks"]).is_true()
                && !input.managed(&["allowManagedHooksOnly"]).is_true()
        }),
        "{} sets hooks, which run outside the sandbox",
        "remove hooks from {}, or manage allowManagedHooksOnly",
        RAN;
    "claude-code-head-hooks": Notice [Everything],
        Fault::In(&[Kind::Agents], |input| {
            let text = input.document().text().unwrap_or_default();
            head_has_hooks(text, &["hooks"]) && !input.managed(&["allowManagedHooksOnly"]).is_true()
        }),
        "the head of {} sets hooks, which run outside the sandbox",
        "remove hooks from the head of {}, or manage allowManagedHooksOnly",
        "https://code.claude.com/docs/en/hooks, 2026-11";
    "claude-code-head-servers": Notice [Everything],
        Fault::In(&[Kind::Agents], |input| {
            let text = input.document().text().unwrap_or_default();
            head_starts_servers(text, &["mcpServers"])
                && !input.managed(&["allowManagedMcpServersOnly"]).is_true()
        }),
        "the head of {} starts tool servers (mcpServers), which run outside the sandbox",
        "remove mcpServers from the head of {}, or manage allowManagedMcpServersOnly",
        "https://code.claude.com/docs/en/sub-agents, 2026-11";
    "claude-code-servers": Notice [Everything],
        Fault::In(&[Kind::Servers, Kind::ProjectServers], |input| {
            let projects = input.at(&["projects"]);
            let servers = input.at(&["mcpServers"]).has_entries()
                || projects
                    .values()
                    .any(|project| project.get("mcpServers").has_entries());
            servers && !input.managed(&["allowManagedMcpServersOnly"]).is_true()
        }),
        "{} starts tool servers (mcpServers), which run outside the sandbox",
        "remove mcpServers from {}, or manage allowManagedMcpServersOnly",
        RAN;
    "claude-code-servers-approved": Notice [Everything],
        Fault::In(SETTINGS, |input| {
            let approves = input.at(&["enableAllProjectMcpServers"]).is_yes()
                || input.at(&["enabledMcpjsonServers"]).has_entries();
            approves && !input.managed(&["allowManagedMcpServersOnly"]).is_true()
        }),
        "{} approves a repository's tool servers (enableAllProjectMcpServers or enabledMcpjsonServers), which run outside the sandbox",
        "remove both from {}, or manage allowManagedMcpServersOnly",
        DOCS;
    "claude-code-plugins": Notice [Everything],
        Fault::In(SETTINGS, |input| {
            any_started(input.at(&["enabledPlugins"]))
                || input.at(&["extraKnownMarketplaces"]).has_entries()
        }),
        "{} brings plugins (enabledPlugins or extraKnownMarketplaces), whose code runs outside the sandbox",
        "remove them from {}, or keep them knowingly",
        "https://code.claude.com/docs/en/plugins-reference, 2026-11";
    "claude-code-skill-plugins": Notice [Everything],
        Fault::In(&[Kind::Plugins], |input| input.document().is_true()),
        "{} makes a plugin of a skill, whose hooks and servers run outside the sandbox",
        "remove the plugin, or keep it knowingly",
        RAN;
    "claude-code-helpers": Notice [Everything],
        Fault::In(SETTINGS, |input| {
            let names = |keys: &[&str]| {
                names_command(input.at(keys)) && !input.managed(keys).is_set()
            };
            HELPERS.iter().any(|key| names(&[key]))
                || (counts(input) && SANDBOX_HELPERS.iter().any(|key| names(&["sandbox", key])))
        }),
        "{} names a program that runs outside the sandbox (apiKeyHelper, awsAuthRefresh, awsCredentialExport, fileSuggestion, gcpAuthRefresh, otelHeadersHelper, processWrapper, proxyAuthHelper, statusLine or subagentStatusLine; bwrapPath, ripgrep or socatPath of sandbox)",
        "remove it from {}, or manage the key",
        "observed for apiKeyHelper and sandbox.ripgrep: Claude Code 2.1.332 on Linux; for the others documented, not observed: https://code.claude.com/docs/en/settings, 2026-11";
    "claude-code-env": Notice [Everything],
        Fault::In(SETTINGS, |input| {
            input
                .at(&["env"])
                .entries()
                .iter()
                .any(|(name, value)| {
                    chooses_code(name, value.text().unwrap_or_default())
                        && !input.managed(&["env", name]).is_set()
                })
        }),
        "{} sets a variable that chooses which code runs outside the sandbox, or where the program connects (env)",
        "remove it from env in {}, or manage it",
        RAN;
    "claude-code-shell-variable": Notice [Everything],
        Fault::Variable("BASH_ENV", |value, _| !value.is_empty()),
        "BASH_ENV is set, whose file the program's own shell runs outside the sandbox",
        "unset BASH_ENV",
        RAN;
    "claude-code-managed-key-unknown": Notice [] always,
        Fault::Managed(|managed| KNOWN.is_exceeded_by(managed.settings())),
        "{} or a drop-in has a key at a place where Claude Code does not read it, so that it does nothing",
        "move the key to where the vendor's page has it, or remove it",
        RAN;
    "claude-code-managed-key-later": Notice [] always,
        Fault::Managed(|managed| KNOWN.is_ahead_of(managed.settings(), managed.release())),
        "{} or a drop-in has a key that this release does not read yet",
        "update Claude Code, or do not count on the key",
        "https://github.com/anthropics/claude-code/blob/main/CHANGELOG.md, 2026-11";
    "claude-code-managed-sandbox-off": Failure [Everything] always,
        Fault::Managed(|managed| {
            let sandbox = managed.settings().get("sandbox");
            sandbox.has_entries() && misses(managed, "sandbox.enabled")
        }),
        "{} and its drop-ins do not set sandbox.enabled to true, so their other sandbox settings do nothing",
        "set sandbox.enabled to true, and remove the drop-in that sets it to false",
        RAN;
    "claude-code-managed-fail-open": Failure [Everything],
        Fault::Managed(|managed| {
            is_on(managed)
                && managed.os() != Os::Windows
                && misses(managed, "sandbox.failIfUnavailable")
        }),
        "{} does not set sandbox.failIfUnavailable, so that commands run unsandboxed where the sandbox cannot start",
        "set sandbox.failIfUnavailable to true in {}",
        RAN;
    "claude-code-managed-retry": Failure [Mode, ShellHosts, ProtectedPaths],
        Fault::Managed(|managed| {
            is_on(managed) && misses(managed, "sandbox.allowUnsandboxedCommands")
        }),
        "{} does not set sandbox.allowUnsandboxedCommands to false, so that a command may be retried outside the sandbox",
        "set sandbox.allowUnsandboxedCommands to false in {}",
        RAN;
    "claude-code-managed-domains-open": Failure [ShellHosts],
        Fault::Managed(|managed| {
            let limited = managed.settings().at(&["sandbox", "network", "allowedDomains"]);
            is_on(managed)
                && limited.is_set()
                && !limited.texts().any(|domain| domain == "*")
                && misses(managed, "sandbox.network.allowManagedDomainsOnly")
        }),
        "{} does not set sandbox.network.allowManagedDomainsOnly, so that a user may add hosts",
        "set sandbox.network.allowManagedDomainsOnly to true in {}",
        RAN;
    "claude-code-managed-read-open": Failure [ProtectedPaths],
        Fault::Managed(|managed| {
            let denied = managed.settings().at(&["sandbox", "filesystem", "denyRead"]);
            is_on(managed)
                && denied.has_entries()
                && misses(managed, "sandbox.filesystem.allowManagedReadPathsOnly")
        }),
        "{} does not set sandbox.filesystem.allowManagedReadPathsOnly, so that a user may re-open protected paths",
        "set sandbox.filesystem.allowManagedReadPathsOnly to true in {}",
        RAN;
    "claude-code-managed-write-open": Failure [ProtectedPaths],
        Fault::Managed(|managed| {
            let filesystem = managed.settings().at(&["sandbox", "filesystem"]);
            let denied: BTreeSet<&str> = filesystem.get("denyWrite").texts().collect();
            is_on(managed)
                && filesystem
                    .get("denyRead")
                    .texts()
                    .any(|path| !denied.contains(path))
        }),
        "{} denies reading a path (sandbox.filesystem.denyRead) and not writing it",
        "repeat sandbox.filesystem.denyRead as denyWrite in {}",
        RAN;
    "claude-code-managed-platforms": Failure [Everything],
        Fault::Managed(|managed| {
            let platforms = managed.settings().at(&["sandbox", "enabledPlatforms"]);
            is_on(managed)
                && platforms.is_set()
                && !platforms.texts().any(|name| name == managed.os().name())
        }),
        "{} or a drop-in leaves this system out of sandbox.enabledPlatforms, so that there is no sandbox",
        "remove sandbox.enabledPlatforms",
        RAN;
    "claude-code-managed-excluded-commands": Warning [Mode, ShellHosts, ProtectedPaths],
        Fault::Managed(|managed| {
            managed
                .settings()
                .at(&["sandbox", "excludedCommands"])
                .has_entries()
        }),
        "{} or a drop-in sets sandbox.excludedCommands, which run outside the sandbox",
        "remove sandbox.excludedCommands",
        RAN;
    "claude-code-managed-scrub-open": Warning [Mode, WritableRoots],
        Fault::Managed(|managed| is_on(managed) && !pins_scrub(managed)),
        "{} does not pin CLAUDE_CODE_SUBPROCESS_ENV_SCRUB, with which sandboxed commands write anywhere",
        "set CLAUDE_CODE_SUBPROCESS_ENV_SCRUB to \"0\" in env in {}",
        RAN;
    "claude-code-managed-elsewhere": Warning [Everything] always,
        Fault::In(&[Kind::ManagedElsewhere], |_| true),
        "{} holds managed settings that replace the managed file as a whole",
        "keep one of the two",
        "the program's own code, Claude Code 2.1.332";
}

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
                ("blockReadsOutsideWorkingDirectories", EVER),
                ("blockWritesOutsideWorkingDirectories", EVER),
                ("denyInsteadOfPrompting", Release(2, 1, 301)),
                ("blockReadsOutsideWorkingDirectories", EVER),
                ("blockFileToolReadsOutsideWorkingDirectories", EVER),
                ("blockWritesOutsideWorkingDirectories", EVER),
                ("blockReadsExemptPaths", EVER),
                ("workingDirectoriesAsGiven", EVER),
                ("workingDirectoriesExclude", EVER),
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
        placed("disableAutoMode", &[&["permissions"], &[]]),
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
fn counts(input: &Input<'_>) -> bool {
    !input.is_of_a_clone() || !is_on(input.against())
}

fn fetch_allow_rules<'s>(input: &'s Input<'_>) -> impl Iterator<Item = &'s str> {
    input
        .at(&["permissions", "allow"])
        .texts()
        .filter(|rule| *rule == "WebFetch" || rule.starts_with("WebFetch("))
}

/// The hosts that may be allowed again without opening anything.
fn permitted(input: &Input<'_>) -> Hosts {
    let network = input.managed(&["sandbox", "network"]);
    let list = |key| network.get(key).texts().map(str::to_lowercase);
    let any = list("allowedDomains").any(|domain| domain == "*");
    Hosts::new(list("allowedDomains"), list("deniedDomains"), any)
}

/// Whether allowing a domain opens anything. Where nothing is managed, the policy says it.
fn opens(input: &Input<'_>, permitted: &Hosts, domain: &str) -> bool {
    let by_policy = input.against().hosts().filter(|_| input.lacks_settings());
    !permitted.permit(domain) && !by_policy.is_some_and(|policy| policy.permit(domain))
}

fn excludes(input: &Input<'_>) -> bool {
    input.at(&["sandbox", "excludedCommands"]).has_entries() && counts(input)
}

fn writes<'s>(input: &'s Input<'_>) -> impl Iterator<Item = &'s str> {
    input.at(&["sandbox", "filesystem", "allowWrite"]).texts()
}

fn writes_widely(input: &Input<'_>) -> bool {
    are_broad(input, writes(input))
}

fn directories<'s>(input: &'s Input<'_>) -> impl Iterator<Item = &'s str> {
    input.at(&["permissions", "additionalDirectories"]).texts()
}

/// The paths of rules that allow editing, as [`writes`] has them: the program makes them writable for
/// commands too. Two slashes begin the root, one the directory of the settings, and none the workspace,
/// which may be written as it is.
fn edit_roots(input: &Input<'_>) -> Vec<String> {
    let base = if input.is_of_a_clone() {
        "."
    } else {
        "~/.claude"
    };
    let rules = input.at(&["permissions", "allow"]).texts();
    let paths = rules.filter_map(|rule| {
        let path = rule.trim().strip_prefix("Edit(")?;
        let path = path.strip_suffix(')').unwrap_or(path).trim();
        if path.is_empty() || is_below_project(path) {
            return None;
        }
        let path = match (path.strip_prefix("//"), path.strip_prefix('/')) {
            (Some(rest), _) => format!("/{rest}"),
            (None, Some(rest)) => format!("{base}/{rest}"),
            (None, None) => path.to_owned(),
        };
        let directory = path.strip_suffix("/**").map(|path| match path {
            "" => "/".to_owned(),
            path => path.to_owned(),
        });
        Some(directory.unwrap_or(path))
    });
    paths.collect()
}

/// Whether any of `paths` makes something writable that is not so already: the managed roots, and of a
/// repository what lies in it.
fn adds_roots<'p>(input: &Input<'_>, mut paths: impl Iterator<Item = &'p str>) -> bool {
    let managed = input.managed(&["sandbox", "filesystem", "allowWrite"]);
    paths.any(|path| {
        let is_below = input.is_of_a_clone() && is_below_project(path);
        !is_below && !lies_in(path, managed.texts())
    })
}

/// Whether any of `paths` is broad, or touches what is protected.
fn are_broad<'p>(input: &Input<'_>, paths: impl Iterator<Item = &'p str>) -> bool {
    let protected = input.managed(&["sandbox", "filesystem", "denyRead"]);
    let paths = paths.filter(|path| !input.is_of_a_clone() || !is_below_project(path));
    reach(paths, protected.texts())
}

/// Whether the user turns a switch on that the managed settings do not hold down.
fn switches(input: &Input<'_>, keys: &[&str]) -> bool {
    input.at(keys).is_yes() && !input.managed(keys).is_false() && counts(input)
}

/// Whether the managed settings lack a key that every rendering has.
fn misses(managed: &Managed, key: &str) -> bool {
    is_missed(LOCKS, managed.settings(), key)
}

fn pins_scrub(managed: &Managed) -> bool {
    managed
        .settings()
        .at(&["env", SCRUB])
        .text()
        .is_some_and(is_off)
}

fn is_off(value: &str) -> bool {
    matches!(value, "" | "0" | "false")
}

fn is_on(managed: &Managed) -> bool {
    managed.settings().at(&["sandbox", "enabled"]).is_true()
}

/// Whether the managed settings name hosts at all.
fn limits_hosts(input: &Input<'_>) -> bool {
    let settings = input.against().settings();
    !matches!(summary_of_hosts(settings), EgressState::Unmanaged) || input.lacks_settings()
}

pub(super) fn summary(managed: &Managed) -> Summary {
    let settings = managed.settings();
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

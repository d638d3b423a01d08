//! The keys of the vendors' files, and what the naive judge finds of each.
//!
//! Written from what the vendors document and what their programs were seen to do, key by key. A column is
//! `n`, `w` or `f` for a notice, a warning or a failure, and `-` for nothing: where nothing is managed, where
//! little is, as the policy renders it, and as it does with everything closed.

use policy_core::Harness;

use crate::tree::Entry;

/// A code with its columns in a user's file and in a repository's.
type Verdict = (&'static str, &'static str, &'static str);

/// Where a key stands, what is written there, and what is found. Of two rows for one key, or for a key and
/// what stands below it, the first that is chosen is written.
#[derive(Clone, Copy)]
pub(crate) struct Row(
    pub(crate) &'static [&'static str],
    pub(crate) &'static str,
    pub(crate) &'static [Verdict],
);

#[derive(Clone, Copy)]
pub(crate) enum Text {
    Json,
    Toml,
    /// Lines at the head of a Markdown file.
    Head,
    /// `NAME=value`.
    Assignments,
    /// The value alone.
    Whole,
}

/// One place of a harness with its keys.
#[derive(Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) harness: Harness,
    pub(crate) path: &'static str,
    /// The place in the words of a finding.
    pub(crate) shown: &'static str,
    /// The place of a managed file in the words of one that is not rendered.
    pub(crate) unexpected: &'static str,
    pub(crate) is_clones: bool,
    pub(crate) text: Text,
    pub(crate) rows: &'static [Row],
    /// The variables that move it.
    pub(crate) moved: &'static [Entry<'static>],
    /// What is found whatever it says.
    pub(crate) found: &'static [(&'static str, char)],
}

const fn users(harness: Harness, path: &'static str, text: Text, rows: &'static [Row]) -> Judged {
    Judged {
        harness,
        path,
        shown: path,
        unexpected: "",
        is_clones: false,
        text,
        rows,
        moved: &[],
        found: &[],
    }
}

const fn clones(harness: Harness, path: &'static str, text: Text, rows: &'static [Row]) -> Judged {
    Judged {
        is_clones: true,
        ..users(harness, path, text, rows)
    }
}

const fn shown(shown: &'static str, judged: Judged) -> Judged {
    Judged { shown, ..judged }
}

const fn moved(
    moved: &'static [Entry<'static>],
    found: &'static [(&'static str, char)],
    judged: Judged,
) -> Judged {
    Judged {
        moved,
        found,
        ..judged
    }
}

/// A managed file beside the one whose name its findings bear.
const fn managed(unexpected: &'static str, judged: Judged) -> Judged {
    Judged {
        unexpected,
        ..judged
    }
}

const fn variable(harness: Harness, name: &'static str, rows: &'static [Row]) -> Judged {
    users(harness, name, Text::Whole, rows)
}

pub(crate) static FILES: &[&[Judged]] = &[
    CLAUDE_CODE,
    CODEX,
    COPILOT_CLI,
    GEMINI_CLI,
    OPENCODE,
    CURSOR_CLI,
];

#[rustfmt::skip]
const CLAUDE_CODE: &[Judged] = &[
    users(CLAUDE, "~/.claude/settings.json", Text::Json, CLAUDE_SETTINGS),
    clones(CLAUDE, ".claude/settings.json", Text::Json, CLAUDE_SETTINGS),
    clones(CLAUDE, ".claude/settings.local.json", Text::Json, CLAUDE_SETTINGS),
    moved(&[("$CLAUDE_CONFIG_DIR", "/elsewhere")], &[],
        shown("$CLAUDE_CONFIG_DIR/settings.json", users(CLAUDE, "/elsewhere/settings.json", Text::Json, CLAUDE_SETTINGS))),
    users(CLAUDE, "~/.claude.json", Text::Json, CLAUDE_SERVERS),
    clones(CLAUDE, ".mcp.json", Text::Json, CLAUDE_SERVERS),
    shown("~/.claude/skills/**/*plugin.json", users(CLAUDE, "~/.claude/skills/p/.claude-plugin/plugin.json", Text::Json, &[Row(&["name"], "\"x\"", &[("skill-plugins", "-nnn", "")])])),
    shown(".claude/skills/**/*plugin.json", clones(CLAUDE, ".claude/skills/p/.claude-plugin/plugin.json", Text::Json, &[Row(&["name"], "\"x\"", &[("skill-plugins", "", "ffff")])])),
    shown("~/.claude/agents/**/*.md", users(CLAUDE, "~/.claude/agents/x.md", Text::Head, CLAUDE_HEADS)),
    shown("~/.claude/commands/**/*.md", users(CLAUDE, "~/.claude/commands/a/x.md", Text::Head, CLAUDE_HEADS)),
    shown("~/.claude/skills/**/*SKILL.md", users(CLAUDE, "~/.claude/skills/x/SKILL.md", Text::Head, CLAUDE_HEADS)),
    shown(".claude/agents/**/*.md", clones(CLAUDE, ".claude/agents/a/x.md", Text::Head, CLAUDE_HEADS)),
    shown(".claude/commands/**/*.md", clones(CLAUDE, ".claude/commands/x.md", Text::Head, CLAUDE_HEADS)),
    shown(".claude/skills/**/*SKILL.md", clones(CLAUDE, ".claude/skills/x/SKILL.md", Text::Head, CLAUDE_HEADS)),
    managed("/etc/claude-code/managed-mcp.json", users(CLAUDE, "/etc/claude-code/managed-mcp.json", Text::Json, &[Row(&["mcpServers", "x"], "{\"command\": \"y\"}", &[])])),
    managed("/etc/claude-code/.claude/agents/**/*.md", users(CLAUDE, "/etc/claude-code/.claude/agents/x.md", Text::Head, &[Row(&["name"], "x", &[])])),
    managed("/etc/claude-code/.claude/commands/**/*.md", users(CLAUDE, "/etc/claude-code/.claude/commands/x.md", Text::Head, &[Row(&["name"], "x", &[])])),
    managed("/etc/claude-code/.claude/skills/**/*SKILL.md", users(CLAUDE, "/etc/claude-code/.claude/skills/x/SKILL.md", Text::Head, &[Row(&["name"], "x", &[])])),
    managed("/etc/claude-code/managed-settings.d/*.json",
        shown("/etc/claude-code/managed-settings.json",
            users(CLAUDE, "/etc/claude-code/managed-settings.d/90-x.json", Text::Json, &[
                Row(&["sandbox", "excludedCommands"], "[\"x\"]", &[("managed-excluded-commands", "-www", "")]),
                Row(&["sandbox", "enabledPlatforms"], "[\"macos\"]", &[("managed-platforms", "-fff", "")]),
                Row(&["sandbox", "enabledPlatforms"], "[\"linux\"]", &[]),
                Row(&["sandbox", "allowUnsandboxedCommands"], "true", &[("managed-retry", "-fff", "")]),
                Row(&["sandbox", "failIfUnavailable"], "false", &[("managed-fail-open", "-fff", "")]),
                Row(&["sandbox", "filesystem", "denyRead"], "[\"/srv/x\"]", &[("managed-write-open", "-fff", "")]),
                Row(&["permissions", "allowManagedPermissionRulesOnly"], "true", &[("managed-key-unknown", "-nnn", "")]),
                Row(&["permissions", "blockReadsOutsideWorkingDirectories"], "true", &[]),
                Row(&["permissions", "blockWritesOutsideWorkingDirectories"], "true", &[]),
                Row(&["permissions", "workingDirectoriesExclude"], "[]", &[]),
                Row(&["disableAutoMode"], "\"disable\"", &[]),
                Row(&["permissions", "blockReadsOutside"], "true", &[("managed-key-unknown", "-nnn", "")]),
                Row(&["sandbox", "network", "additionalAllowedHosts"], "[]", &[("managed-key-unknown", "-nnn", "")]),
                Row(&["theme"], "\"dark\"", &[]),
                Row(&["permissions", "blockReadsOutsideWorkingDirectories"], "true", &[]),
            ]))),
    variable(CLAUDE, "$BASH_ENV", &[
        Row(&["x"], "/x", &[("shell-variable", "-nnn", "")]),
        Row(&["x"], "", &[]),
    ]),
    variable(CLAUDE, "$CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", &[
        Row(&["x"], "1", &[("env-scrub-variable", "-f--", "")]),
        Row(&["x"], "0", &[]),
    ]),
];

const CLAUDE: Harness = Harness::ClaudeCode;

#[rustfmt::skip]
const CLAUDE_SETTINGS: &[Row] = &[
    Row(&["hooks", "Stop"], "[{\"hooks\": [{\"command\": \"x\"}]}]", &[("hooks", "-nn-", "fff-")]),
    Row(&["hooks", "SessionStart"], "[{}]", &[]),
    Row(&["enabledPlugins", "x@y"], "true", &[("plugins", "-nnn", "ffff")]),
    Row(&["enabledPlugins", "z@y"], "false", &[]),
    Row(&["extraKnownMarketplaces", "y"], "{}", &[("plugins", "-nnn", "ffff")]),
    Row(&["apiKeyHelper"], "\"x\"", &[("helpers", "-nnn", "ffff")]),
    Row(&["statusLine", "command"], "\"x\"", &[("helpers", "-nnn", "ffff")]),
    Row(&["statusLine"], "{\"type\": \"command\"}", &[]),
    Row(&["env", "BASH_ENV"], "\"x\"", &[("env", "-nnn", "ffff")]),
    Row(&["env", "https_proxy"], "\"http://x.example\"", &[("env", "-nnn", "ffff")]),
    Row(&["env", "CI"], "\"1\"", &[]),
    // Pinned by what is rendered.
    Row(&["env", "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB"], "\"1\"", &[("env-scrub", "-f--", "ff--")]),
    Row(&["env", "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB"], "\"0\"", &[]),
    Row(&["enableAllProjectMcpServers"], "true", &[("servers-approved", "-nn-", "fff-")]),
    Row(&["enabledMcpjsonServers"], "[\"x\"]", &[("servers-approved", "-nn-", "fff-")]),
    Row(&["disabledMcpjsonServers"], "[\"x\"]", &[]),
    Row(&["permissions", "defaultMode"], "\"auto\"", &[("auto-mode", "-nn-", "fff-")]),
    Row(&["permissions", "defaultMode"], "\"bypassPermissions\"", &[("bypass-permissions", "-ww-", "fff-")]),
    Row(&["permissions", "defaultMode"], "\"plan\"", &[]),
    Row(&["permissions", "additionalDirectories"], "[\"../x\"]", &[("additional-directories-widely", "-fff", "ffff")]),
    Row(&["permissions", "additionalDirectories"], "[\"/opt/x\"]", &[("additional-directories", "-nnn", "ffff")]),
    Row(&["permissions", "additionalDirectories"], "[\"./x\"]", &[("additional-directories", "-nnn", "----")]),
    Row(&["permissions", "allow"], "[\"Edit(//opt/x/**)\"]", &[("edit-allow", "-www", "ffff")]),
    Row(&["permissions", "allow"], "[\"Edit(//opt/cache/x/**)\"]", &[("edit-allow", "-w--", "ff--")]),
    Row(&["permissions", "allow"], "[\"Edit(~/**)\", \"Edit\"]", &[("edit-allow-widely", "-fff", "ffff")]),
    Row(&["permissions", "allow"], "[\"Write(//opt/x/**)\", \"Edit(src/**)\"]", &[]),
    Row(&["sandbox", "ripgrep", "command"], "\"x\"", &[("helpers", "-nnn", "f---")]),
    // A rule for the fetch tool adds to the sandbox's list as well, until only managed ones count; what is
    // ignored of a repository is what stands under `sandbox`.
    Row(&["permissions", "allow"], "[\"WebFetch\"]", &[("fetch-allow", "-ww-", "fff-")]),
    Row(&["permissions", "allow"], "[\"WebFetch(domain:z.example)\"]",
        &[("fetch-allow", "-ww-", "fff-"), ("allowed-domains", "-f--", "ff--")]),
    Row(&["permissions", "allow"], "[\"WebFetch(domain:a.example)\", \"Bash(ls)\"]",
        &[("fetch-allow", "----", "f---"), ("allowed-domains", "----", "f---")]),
    Row(&["permissions", "allow"], "[\"WebFetch(domain:c.b.example)\"]",
        &[("fetch-allow", "-ww-", "fff-"), ("allowed-domains", "-f--", "ff--")]),
    Row(&["permissions", "deny"], "[\"WebFetch\"]", &[]),
    Row(&["permissions", "ask"], "[\"Bash\"]", &[]),
    // A repository's word on the sandbox counts where no managed settings turn it on.
    Row(&["sandbox", "enabled"], "false", &[("project-sandbox-off", "----", "f---")]),
    Row(&["sandbox", "enabled"], "true", &[]),
    Row(&["sandbox", "failIfUnavailable"], "false", &[("project-sandbox-off", "----", "f---")]),
    Row(&["sandbox", "allowUnsandboxedCommands"], "true", &[("project-sandbox-off", "----", "f---")]),
    Row(&["sandbox", "filesystem", "disabled"], "true", &[("project-sandbox-off", "----", "f---")]),
    Row(&["sandbox", "excludedCommands"], "[\"x\"]",
        &[("excluded-commands", "-ff-", "f---"), ("excluded-commands-ask", "---w", "----")]),
    Row(&["sandbox", "enableWeakerNestedSandbox"], "true", &[("weaker-sandbox", "-f--", "f---")]),
    Row(&["sandbox", "allowAppleEvents"], "true", &[("weaker-sandbox", "-f--", "----")]),
    Row(&["sandbox", "allowNestedUserNamespaces"], "false", &[]),
    Row(&["sandbox", "enableWeakerNetworkIsolation"], "true", &[("weaker-network", "-f--", "f---")]),
    Row(&["sandbox", "network", "allowLocalBinding"], "true", &[("weaker-network", "-f--", "f---")]),
    Row(&["sandbox", "network", "allowAllUnixSockets"], "true", &[("weaker-network", "-f--", "f---")]),
    Row(&["sandbox", "network", "allowedDomains"], "[\"z.example\"]", &[("allowed-domains", "-f--", "f---")]),
    Row(&["sandbox", "network", "allowedDomains"], "[\"x.b.example\"]", &[("allowed-domains", "-f--", "f---")]),
    Row(&["sandbox", "network", "allowedDomains"], "[\"a.example\"]", &[("allowed-domains", "----", "f---")]),
    Row(&["sandbox", "network", "deniedDomains"], "[\"z.example\"]", &[]),
    Row(&["sandbox", "network", "allowUnixSockets"], "[\"/x\"]", &[("unix-sockets", "-www", "f---")]),
    Row(&["sandbox", "network", "allowUnixSockets"], "[]", &[]),
    Row(&["sandbox", "filesystem", "allowWrite"], "[\"/\"]", &[("allow-write-widely", "-fff", "f---")]),
    Row(&["sandbox", "filesystem", "allowWrite"], "[\"/opt/x\"]", &[("allow-write", "-www", "f---")]),
    // What the policy makes writable is open already.
    Row(&["sandbox", "filesystem", "allowWrite"], "[\"/opt/cache\"]", &[("allow-write", "-w--", "f---")]),
    Row(&["sandbox", "filesystem", "allowWrite"], "[\"/opt/cache/x\"]", &[("allow-write", "-w--", "f---")]),
    Row(&["sandbox", "filesystem", "allowWrite"], "[\"./build\"]", &[("allow-write", "-www", "----")]),
    Row(&["sandbox", "filesystem", "allowWrite"], "[\"~/.kube/x\"]", &[("allow-write-widely", "-fff", "f---")]),
    Row(&["sandbox", "filesystem", "allowRead"], "[\"~/.kube\"]", &[("allow-read", "-f--", "f---")]),
    Row(&["sandbox", "filesystem", "denyRead"], "[\"x\"]", &[]),
    Row(&["model"], "\"x\"", &[]),
    Row(&["cleanupPeriodDays"], "30", &[]),
];

#[rustfmt::skip]
const CLAUDE_SERVERS: &[Row] = &[
    Row(&["mcpServers", "x"], "{\"command\": \"y\"}", &[("servers", "-nn-", "fff-")]),
    Row(&["mcpServers"], "{}", &[]),
    Row(&["projects", "/x", "mcpServers", "y"], "{\"command\": \"y\"}", &[("servers", "-nn-", "fff-")]),
    Row(&["projects", "/y", "mcpServers"], "{}", &[]),
    Row(&["theme"], "\"x\"", &[]),
];

#[rustfmt::skip]
const CLAUDE_HEADS: &[Row] = &[
    Row(&["name"], "hooks", &[]),
    Row(&["hooks"], "{Stop: [{hooks: [{command: x}]}]}", &[("head-hooks", "-nn-", "fff-")]),
    Row(&["hooks"], "{Stop: []}", &[]),
    Row(&["mcpServers"], "[y: {command: x}]", &[("head-servers", "-nn-", "fff-")]),
    Row(&["mcpServers"], "[y]", &[]),
    Row(&["tools"], "Read", &[]),
];

#[rustfmt::skip]
const CODEX: &[Judged] = &[
    users(CODEX_, "~/.codex/config.toml", Text::Toml, CODEX_CONFIG),
    clones(CODEX_, ".codex/config.toml", Text::Toml, CODEX_CONFIG),
    shown("~/.codex/*.config.toml", users(CODEX_, "~/.codex/x.config.toml", Text::Toml, CODEX_CONFIG)),
    moved(&[("$CODEX_HOME", "/elsewhere")], &[("home", 'n')],
        shown("$CODEX_HOME/*.config.toml", users(CODEX_, "/elsewhere/y.config.toml", Text::Toml, CODEX_CONFIG))),
    shown("~/.codex/agents/**/*.toml", users(CODEX_, "~/.codex/agents/a/x.toml", Text::Toml, CODEX_CONFIG)),
    shown(".codex/agents/**/*.toml", clones(CODEX_, ".codex/agents/x.toml", Text::Toml, CODEX_CONFIG)),
    users(CODEX_, "~/.codex/.env", Text::Assignments, &[
        Row(&["HTTPS_PROXY"], "http://z.example", &[("env-file", "-nnn", "")]),
        Row(&["CODEX_HOME"], "/x", &[]),
        Row(&["SHELL"], "/bin/sh", &[]),
    ]),
    managed("/etc/codex/config.toml", users(CODEX_, "/etc/codex/config.toml", Text::Toml, &[
        Row(&["mcp_servers", "x", "command"], "\"y\"", &[("servers", "-nn-", "")]),
        Row(&["default_permissions"], "\":danger-full-access\"", &[("full-access-permissions", "-www", "")]),
        Row(&["model"], "\"x\"", &[]),
    ])),
    users(CODEX_, "~/.codex/hooks.json", Text::Json, CODEX_HOOKS),
    clones(CODEX_, ".codex/hooks.json", Text::Json, CODEX_HOOKS),
    shown("~/.codex/rules/*.rules", users(CODEX_, "~/.codex/rules/x.rules", Text::Whole, CODEX_RULES)),
    shown(".codex/rules/*.rules", clones(CODEX_, ".codex/rules/x.rules", Text::Whole, CODEX_RULES)),
    managed("/etc/codex/managed_config.toml", users(CODEX_, "/etc/codex/managed_config.toml", Text::Toml, &[
        Row(&["sandbox_mode"], "\"danger-full-access\"", &[("managed-defaults-full-access", "-fff", "")]),
        Row(&["sandbox_mode"], "\"read-only\"", &[]),
        Row(&["model"], "\"x\"", &[]),
    ])),
];

const CODEX_: Harness = Harness::Codex;

#[rustfmt::skip]
const CODEX_CONFIG: &[Row] = &[
    // Held by what is managed; the policy document's own check reports it all the same.
    Row(&["sandbox_mode"], "\"danger-full-access\"", &[("danger-full-access", "-www", "ffff")]),
    Row(&["sandbox_mode"], "\"read-only\"", &[]),
    Row(&["sandbox_workspace_write", "network_access"], "true", &[("network-access", "-f--", "ff--")]),
    Row(&["sandbox_workspace_write", "network_access"], "false", &[]),
    // A managed profile fixes what is writable.
    Row(&["sandbox_workspace_write", "writable_roots"], "[\"/opt/x\"]", &[("writable-roots", "-w--", "ff--")]),
    Row(&["sandbox_workspace_write", "writable_roots"], "[\"/\"]",
        &[("writable-roots-widely", "-f--", "ff--"), ("writable-roots-held", "--nn", "--nn")]),
    Row(&["sandbox_workspace_write", "writable_roots"], "[\"~/.kube\"]",
        // Where nothing is managed, nothing is known to be protected.
        &[("writable-roots-widely", "-f--", "ff--"), ("writable-roots-held", "--nn", "--nn")]),
    Row(&["features", "network_proxy", "dangerously_allow_all_unix_sockets"], "true", &[("unix-sockets", "-f--", "ff--")]),
    Row(&["features", "network_proxy", "domains", "z.example"], "\"allow\"", &[("network-domains", "-f--", "ff--")]),
    Row(&["features", "network_proxy", "domains", "y.example"], "\"deny\"", &[]),
    Row(&["features", "web_search_request"], "true", &[("web-search", "-nn-", "fff-")]),
    Row(&["web_search"], "\"live\"", &[("web-search", "-nn-", "fff-")]),
    Row(&["web_search"], "\"disabled\"", &[]),
    Row(&["permissions", "own", "network", "domains", "*"], "\"allow\"", &[("network-domains", "-f--", "ff--")]),
    Row(&["permissions", "other", "extends"], "\":workspace\"", &[]),
    Row(&["permissions", "full", "extends"], "\":danger-full-access\"", &[("full-access-permissions", "-www", "ffff")]),
    Row(&["default_permissions"], "\":danger-full-access\"", &[("full-access-permissions", "-www", "ffff")]),
    Row(&["default_permissions"], "\":workspace\"", &[]),
    Row(&["permissions", "wide", "filesystem", ":root"], "\"write\"",
        &[("writable-roots-widely", "-f--", "ff--"), ("writable-roots-held", "--nn", "--nn")]),
    Row(&["permissions", "wide", "network", "enabled"], "true", &[("network-access", "-f--", "ff--")]),
    Row(&["permissions", "near", "filesystem", ":root"], "\"read\"", &[]),
    Row(&["agents", "x", "config_file"], "\"x.toml\"", &[("agents", "-nnn", "ffff")]),
    Row(&["agents", "y", "config_file"], "\"agents/x.toml\"", &[]),
    Row(&["permissions", "halo-managed", "extends"], "\":workspace\"", &[("profile-collision", "--ww", "--ww")]),
    Row(&["mcp_servers", "x", "command"], "\"y\"", &[("servers", "-nn-", "fff-")]),
    Row(&["mcp_servers", "z", "enabled"], "false", &[]),
    Row(&["plugins", "x", "enabled"], "true", &[("plugins", "-nnn", "ffff")]),
    Row(&["plugins", "z", "enabled"], "false", &[]),
    Row(&["marketplaces", "y", "source"], "\"z\"", &[("plugins", "-nnn", "ffff")]),
    Row(&["hooks", "Stop"], "[{hooks = [{command = 'x'}]}]", &[("hooks", "-nn-", "fff-")]),
    Row(&["hooks", "Start"], "[]", &[]),
    Row(&["hooks", "state", "x"], "true", &[]),
    // Of these a repository's are ignored.
    Row(&["notify"], "[\"x\"]", &[("notify", "-nnn", "----")]),
    Row(&["profiles", "x", "sandbox_mode"], "\"danger-full-access\"",
        &[("danger-full-access-profile", "-www", "----"), ("profile-unread", "nnnn", "----")]),
    Row(&["profiles", "y", "sandbox_workspace_write", "network_access"], "true",
        &[("network-access", "-f--", "----"), ("profile-unread", "nnnn", "----")]),
    Row(&["profiles", "z", "model"], "\"x\"", &[("profile-unread", "nnnn", "----")]),
    Row(&["model_providers", "x", "auth", "command"], "\"y\"", &[("provider-command", "-nnn", "----")]),
    Row(&["model_providers", "y", "base_url"], "\"y\"", &[("provider-address", "-nnn", "----")]),
    Row(&["model_providers", "y", "env_key"], "\"y\"", &[]),
    Row(&["openai_base_url"], "\"y\"", &[("provider-address", "-nnn", "----")]),
    Row(&["otel", "exporter", "otlp-http", "endpoint"], "\"x\"", &[("otel", "-nnn", "----")]),
    Row(&["model"], "\"x\"", &[]),
];

#[rustfmt::skip]
const CODEX_HOOKS: &[Row] = &[
    Row(&["hooks", "Stop"], "[{\"hooks\": [{\"command\": \"x\"}]}]", &[("hooks", "-nn-", "fff-")]),
    Row(&["hooks", "Start"], "[]", &[]),
    Row(&["description"], "\"x\"", &[]),
];

#[rustfmt::skip]
const CODEX_RULES: &[Row] = &[
    Row(&["a"], "prefix_rule(pattern = [\"ls\"], decision = \"allow\")\n", &[("command-rule", "----", "f---")]),
    Row(&["d"], "prefix_rule(pattern = [\"ls\"], decision = \"prompt\")\n", &[]),
    Row(&["b"], "network_rule(host = \"z.example\", decision = \"allow\")\n", &[("network-rule", "-f--", "ff--")]),
    Row(&["c"], "# network_rule()\n", &[]),
];

#[rustfmt::skip]
const COPILOT_CLI: &[Judged] = &[
    users(COPILOT, "~/.copilot/settings.json", Text::Json, COPILOT_SETTINGS),
    clones(COPILOT, ".github/copilot/settings.json", Text::Json, COPILOT_SETTINGS),
    clones(COPILOT, ".github/copilot/settings.local.json", Text::Json, COPILOT_SETTINGS),
    moved(&[("$COPILOT_HOME", "/elsewhere")], &[("home", 'n')],
        shown("$COPILOT_HOME/settings.json", users(COPILOT, "/elsewhere/settings.json", Text::Json, COPILOT_SETTINGS))),
    users(COPILOT, "~/.copilot/mcp-config.json", Text::Json, COPILOT_SERVERS),
    users(COPILOT, "~/.copilot/lsp-config.json", Text::Json, COPILOT_SERVERS),
    clones(COPILOT, ".mcp.json", Text::Json, COPILOT_SERVERS),
    clones(COPILOT, ".github/mcp.json", Text::Json, COPILOT_SERVERS),
    clones(COPILOT, ".github/lsp.json", Text::Json, COPILOT_SERVERS),
    shown("~/.copilot/hooks/*.json", users(COPILOT, "~/.copilot/hooks/x.json", Text::Json, COPILOT_HOOKS)),
    shown(".github/hooks/*.json", clones(COPILOT, ".github/hooks/x.json", Text::Json, COPILOT_HOOKS)),
    shown("~/.copilot/agents/*.md", users(COPILOT, "~/.copilot/agents/x.md", Text::Head, COPILOT_HEADS)),
    shown(".github/agents/*.md", clones(COPILOT, ".github/agents/x.agent.md", Text::Head, COPILOT_HEADS)),
    shown("~/.copilot/extensions/**/*extension.mjs",
        users(COPILOT, "~/.copilot/extensions/x/extension.mjs", Text::Whole, &[Row(&["x"], "x", &[("extensions", "-nnn", "")])])),
    shown(".github/extensions/**/*extension.mjs",
        clones(COPILOT, ".github/extensions/x/extension.mjs", Text::Whole, &[Row(&["x"], "x", &[("extensions", "", "ffff")])])),
    variable(COPILOT, "$COPILOT_ALLOW_ALL", &[
        Row(&["x"], "true", &[("allow-all-variable", "-ww-", "")]),
        Row(&["x"], "false", &[]),
    ]),
    variable(COPILOT, "$COPILOT_AUTO_UPDATE", &[
        Row(&["x"], "false", &[("no-update-variable", "-nnn", "")]),
        Row(&["x"], "true", &[]),
    ]),
];

const COPILOT: Harness = Harness::CopilotCli;

#[rustfmt::skip]
const COPILOT_HEADS: &[Row] = &[
    Row(&["mcp-servers"], "{x: {command: y}}", &[("head-servers", "-n--", "ff--")]),
    Row(&["tools"], "[x]", &[]),
];

#[rustfmt::skip]
const COPILOT_SETTINGS: &[Row] = &[
    // A managed sandbox holds hooks, and servers and plugins where it says so.
    Row(&["hooks", "sessionStart"], "[{\"command\": \"x\"}]", &[("hooks", "----", "f---")]),
    Row(&["hooks", "sessionEnd"], "[]", &[]),
    Row(&["enabledPlugins", "x"], "true", &[("plugins", "-n--", "ff--")]),
    Row(&["enabledPlugins", "z"], "false", &[]),
    Row(&["extraKnownMarketplaces", "y"], "{}", &[("plugins", "-n--", "ff--")]),
    Row(&["sandbox", "enabled"], "false", &[("project-sandbox", "----", "f---")]),
    Row(&["sandbox", "allowBypass"], "true", &[("project-sandbox", "----", "f---")]),
    Row(&["sandbox", "sandboxMcpServers"], "false", &[("servers-unsandboxed", "-w--", "----"), ("project-sandbox", "----", "f---")]),
    Row(&["sandbox", "sandboxLspServers"], "true", &[]),
    Row(&["sandbox", "allowDevToolAccess"], "true", &[("dev-tools", "-w--", "----"), ("project-sandbox", "----", "f---")]),
    // A managed list limits the user's, letter by letter.
    Row(&["sandbox", "userPolicy", "filesystem", "readwritePaths"], "[\"/x\"]",
        &[("paths", "-f--", "----"), ("paths-outside", "--nn", "----"), ("project-sandbox", "----", "f---")]),
    Row(&["sandbox", "userPolicy", "filesystem", "readwritePaths"], "[\"/opt/cache\"]",
        &[("paths", "-f--", "----"), ("project-sandbox", "----", "f---")]),
    Row(&["sandbox", "userPolicy", "filesystem", "readonlyPaths"], "[\"/x\"]", &[("read-paths", "-nnn", "----")]),
    Row(&["sandbox", "userPolicy", "filesystem", "deniedPaths"], "[\"/x\"]", &[]),
    Row(&["sandbox", "userPolicy", "network", "allowedHosts"], "[\"z.example\"]",
        &[("hosts-disjoint", "--nn", "----"), ("project-sandbox", "----", "f---")]),
    Row(&["sandbox", "userPolicy", "network", "allowedHosts"], "[\"a.example\"]", &[("project-sandbox", "----", "f---")]),
    Row(&["sandbox", "userPolicy", "network", "blockedHosts"], "[\"z.example\"]", &[]),
    Row(&["model"], "\"x\"", &[]),
];

#[rustfmt::skip]
const COPILOT_SERVERS: &[Row] = &[
    Row(&["mcpServers", "x"], "{\"command\": \"y\"}", &[("local-servers", "-n--", "ff--")]),
    Row(&["mcpServers", "y"], "{\"url\": \"https://z.example\"}", &[("servers", "-nnn", "ffff")]),
    Row(&["mcpServers", "z"], "{\"command\": \"y\", \"disabled\": true}", &[]),
    Row(&["lspServers", "x"], "{\"command\": \"y\"}", &[("local-servers", "-n--", "ff--")]),
    Row(&["x"], "1", &[]),
];

#[rustfmt::skip]
const COPILOT_HOOKS: &[Row] = &[
    Row(&["hooks", "sessionStart"], "[{\"command\": \"x\"}]", &[("hooks", "----", "f---")]),
    Row(&["hooks", "sessionEnd"], "[]", &[]),
    Row(&["version"], "1", &[]),
];

#[rustfmt::skip]
const GEMINI_CLI: &[Judged] = &[
    users(GEMINI, "~/.gemini/settings.json", Text::Json, GEMINI_SETTINGS),
    clones(GEMINI, ".gemini/settings.json", Text::Json, GEMINI_SETTINGS),
    moved(&[("$GEMINI_CLI_HOME", "/elsewhere")], &[("home", 'n')],
        shown("$GEMINI_CLI_HOME/.gemini/settings.json", users(GEMINI, "/elsewhere/.gemini/settings.json", Text::Json, GEMINI_SETTINGS))),
    users(GEMINI, "~/.gemini/.env", Text::Assignments, GEMINI_VARIABLES),
    users(GEMINI, "~/.env", Text::Assignments, GEMINI_VARIABLES),
    clones(GEMINI, ".gemini/.env", Text::Assignments, GEMINI_VARIABLES),
    clones(GEMINI, ".env", Text::Assignments, GEMINI_VARIABLES),
    shown("~/.gemini/agents/*.md", users(GEMINI, "~/.gemini/agents/x.md", Text::Head, GEMINI_HEADS)),
    shown(".gemini/agents/*.md", clones(GEMINI, ".gemini/agents/x.md", Text::Head, GEMINI_HEADS)),
    // Extensions are the user's alone.
    shown("~/.gemini/extensions/**/*gemini-extension.json",
        users(GEMINI, "~/.gemini/extensions/x/gemini-extension.json", Text::Json, &[
            Row(&["name"], "\"x\"", &[("extensions", "-nnn", "")]),
        ])),
    clones(GEMINI, ".gemini/extensions/x/gemini-extension.json", Text::Json, &[Row(&["name"], "\"x\"", &[])]),
    users(GEMINI, "~/.gemini/policies/sandbox.toml", Text::Toml, &[
        Row(&["modes", "x", "network"], "true", &[("sandbox-network", "-fff", "")]),
        Row(&["modes", "y", "network"], "false", &[]),
        Row(&["modes", "z", "readonly"], "false", &[("sandbox-writes", "-fff", "")]),
        Row(&["modes", "y", "readonly"], "true", &[]),
        Row(&["commands", "x", "allow_network"], "true", &[("sandbox-network", "-fff", "")]),
        Row(&["commands", "y", "allowed_paths"], "[\"/x\"]", &[("sandbox-writes", "-fff", "")]),
    ]),
    managed("/etc/gemini-cli/system-defaults.json", users(GEMINI, "/etc/gemini-cli/system-defaults.json", Text::Json, &[
        Row(&["mcpServers", "x"], "{\"command\": \"y\"}", &[("servers", "-nnn", "")]),
        Row(&["ui", "theme"], "\"x\"", &[]),
    ])),
    managed("/etc/gemini-cli/policies/*.toml", shown("/etc/gemini-cli/policies/*.toml",
        users(GEMINI, "/etc/gemini-cli/policies/x.toml", Text::Toml, &[
            Row(&["rule"], "[{toolName = \"x\", decision = \"deny\", priority = 5}]", &[]),
            Row(&["rule"], "[{toolName = \"x\", decision = \"deny\"}]", &[("managed-policy-dropped", "-fff", "")]),
            Row(&["rule"], "[{toolName = \"x\", decision = \"allow\", priority = 5}]", &[("managed-policy-allows", "-www", "")]),
            Row(&["rule"], "[{toolName = \"x\", decision = \"deny\", priority = 5, argsPattern = \"(a+)+\"}]", &[("managed-rule-dropped", "-fff", "")]),
        ]))),
    variable(GEMINI, "$GEMINI_SANDBOX", &[
        Row(&["x"], "false", &[("sandbox-variable", "wwww", "")]),
        Row(&["x"], "docker", &[]),
    ]),
    // The sandbox of the whole process is what they act on.
    variable(GEMINI, "$SANDBOX", &[Row(&["x"], "1", &[("inside-variable", "-w--", "")])]),
    variable(GEMINI, "$SEATBELT_PROFILE", &[
        Row(&["x"], "permissive-open", &[("seatbelt-variable", "-w--", "")]),
        Row(&["x"], "strict-open", &[]),
    ]),
    variable(GEMINI, "$SANDBOX_FLAGS", &[Row(&["x"], "--privileged", &[("flags-variable", "-w--", "")])]),
    variable(GEMINI, "$SANDBOX_MOUNTS", &[Row(&["x"], "/:/x", &[("mounts-variable", "-w--", "")])]),
    variable(GEMINI, "$GEMINI_SANDBOX_IMAGE", &[Row(&["x"], "y", &[("image-variable", "-w--", "")])]),
    variable(GEMINI, "$GEMINI_CLI_SYSTEM_SETTINGS_PATH", &[Row(&["x"], "/x", &[("settings-path-variable", "-fff", "")])]),
    variable(GEMINI, "$GEMINI_CLI_SYSTEM_DEFAULTS_PATH", &[Row(&["x"], "/x", &[("defaults-path-variable", "-nnn", "")])]),
];

const GEMINI: Harness = Harness::GeminiCli;

#[rustfmt::skip]
const GEMINI_SETTINGS: &[Row] = &[
    Row(&["mcpServers", "x"], "{\"command\": \"y\"}", &[("servers", "-nnn", "ffff")]),
    Row(&["mcpServers"], "{}", &[]),
    Row(&["mcp", "serverCommand"], "\"x\"", &[("servers", "-nnn", "ffff")]),
    Row(&["mcp", "excluded"], "[\"x\"]", &[]),
    Row(&["hooks", "BeforeTool"], "[{\"hooks\": [{\"command\": \"x\"}]}]", &[("hooks", "-nnn", "ffff")]),
    Row(&["hooks", "AfterTool"], "[]", &[]),
    Row(&["hooks", "disabled"], "[\"x\"]", &[]),
    Row(&["tools", "discoveryCommand"], "\"x\"", &[("commands", "-nnn", "ffff")]),
    Row(&["tools", "callCommand"], "\"x\"", &[("commands", "-nnn", "ffff")]),
    Row(&["tools", "allowed"], "[\"x\"]", &[("project-tools", "----", "ffff")]),
    Row(&["tools", "exclude"], "[\"x\"]", &[]),
    Row(&["policyPaths"], "[\"x\"]", &[("policy-paths", "-www", "ffff")]),
    Row(&["telemetry", "otlpEndpoint"], "\"x\"", &[("telemetry", "-nnn", "ffff")]),
    Row(&["tools", "sandbox"], "false", &[("sandbox-off", "-www", "ffff")]),
    Row(&["tools", "sandbox"], "\"docker\"", &[]),
    // They act on the sandbox of the whole process.
    Row(&["tools", "sandboxNetworkAccess"], "true", &[("sandbox-settings", "-w--", "ff--")]),
    Row(&["tools", "sandboxAllowedPaths"], "[\"/x\"]", &[("sandbox-settings", "-w--", "ff--")]),
    // The system's settings count last.
    Row(&["security", "toolSandboxing"], "false", &[("sandbox-off", "----", "f---")]),
    Row(&["security", "disableYoloMode"], "true", &[]),
    // The program takes this mode from its command line alone.
    Row(&["general", "defaultApprovalMode"], "\"yolo\"", &[]),
    Row(&["general", "defaultApprovalMode"], "\"plan\"", &[]),
    Row(&["ui", "theme"], "\"x\"", &[]),
];

#[rustfmt::skip]
const GEMINI_VARIABLES: &[Row] = &[
    Row(&["GEMINI_SANDBOX"], "false", &[("env-file", "-www", "ffff")]),
    Row(&["SANDBOX_FLAGS"], "x", &[("env-file", "-www", "ffff")]),
    Row(&["export NODE_OPTIONS"], "--require=x", &[("env-code", "-nnn", "ffff")]),
    Row(&["https_proxy"], "http://z.example", &[("env-code", "-nnn", "ffff")]),
    Row(&["GEMINI_API_KEY"], "x", &[]),
    Row(&["# PATH"], "x", &[]),
];

#[rustfmt::skip]
const GEMINI_HEADS: &[Row] = &[
    Row(&["name"], "mcp_servers", &[]),
    Row(&["mcp_servers"], "{x: {command: y}}", &[("head-servers", "-nnn", "ffff")]),
    Row(&["tools"], "[read_file]", &[]),
];

#[rustfmt::skip]
const OPENCODE: &[Judged] = &[
    users(OPEN, "~/.config/opencode/config.json", Text::Json, OPENCODE_CONFIG),
    users(OPEN, "~/.config/opencode/opencode.json", Text::Json, OPENCODE_CONFIG),
    users(OPEN, "~/.config/opencode/opencode.jsonc", Text::Json, OPENCODE_CONFIG),
    users(OPEN, "~/.opencode/opencode.json", Text::Json, OPENCODE_CONFIG),
    users(OPEN, "~/.opencode/opencode.jsonc", Text::Json, OPENCODE_CONFIG),
    moved(&[("$OPENCODE_CONFIG", "/elsewhere/my.json")], &[],
        shown("$OPENCODE_CONFIG", users(OPEN, "/elsewhere/my.json", Text::Json, OPENCODE_CONFIG))),
    moved(&[("$OPENCODE_CONFIG_DIR", "/other")], &[],
        shown("$OPENCODE_CONFIG_DIR/opencode.jsonc", users(OPEN, "/other/opencode.jsonc", Text::Json, OPENCODE_CONFIG))),
    users(OPEN, "~/.config/opencode/tui.json", Text::Json, OPENCODE_TUI),
    users(OPEN, "~/.config/opencode/tui.jsonc", Text::Json, OPENCODE_TUI),
    users(OPEN, "~/.opencode/tui.json", Text::Json, OPENCODE_TUI),
    users(OPEN, "~/.opencode/tui.jsonc", Text::Json, OPENCODE_TUI),
    clones(OPEN, "tui.json", Text::Json, OPENCODE_TUI),
    clones(OPEN, "tui.jsonc", Text::Json, OPENCODE_TUI),
    clones(OPEN, ".opencode/tui.json", Text::Json, OPENCODE_TUI),
    clones(OPEN, ".opencode/tui.jsonc", Text::Json, OPENCODE_TUI),
    clones(OPEN, "opencode.json", Text::Json, OPENCODE_CONFIG),
    clones(OPEN, "opencode.jsonc", Text::Json, OPENCODE_CONFIG),
    clones(OPEN, ".opencode/opencode.json", Text::Json, OPENCODE_CONFIG),
    clones(OPEN, ".opencode/opencode.jsonc", Text::Json, OPENCODE_CONFIG),
    shown("~/.config/opencode/agent/**/*.md", users(OPEN, "~/.config/opencode/agent/a/x.md", Text::Head, OPENCODE_HEADS)),
    shown("~/.config/opencode/agents/**/*.md", users(OPEN, "~/.config/opencode/agents/x.md", Text::Head, OPENCODE_HEADS)),
    shown("~/.config/opencode/mode/*.md", users(OPEN, "~/.config/opencode/mode/x.md", Text::Head, OPENCODE_HEADS)),
    shown("~/.config/opencode/modes/*.md", users(OPEN, "~/.config/opencode/modes/x.md", Text::Head, OPENCODE_HEADS)),
    shown("~/.opencode/agent/**/*.md", users(OPEN, "~/.opencode/agent/x.md", Text::Head, OPENCODE_HEADS)),
    shown("~/.opencode/agents/**/*.md", users(OPEN, "~/.opencode/agents/x.md", Text::Head, OPENCODE_HEADS)),
    shown("~/.opencode/mode/*.md", users(OPEN, "~/.opencode/mode/x.md", Text::Head, OPENCODE_HEADS)),
    shown("~/.opencode/modes/*.md", users(OPEN, "~/.opencode/modes/x.md", Text::Head, OPENCODE_HEADS)),
    shown(".opencode/agent/**/*.md", clones(OPEN, ".opencode/agent/x.md", Text::Head, OPENCODE_HEADS)),
    shown(".opencode/agents/**/*.md", clones(OPEN, ".opencode/agents/a/x.md", Text::Head, OPENCODE_HEADS)),
    shown(".opencode/mode/*.md", clones(OPEN, ".opencode/mode/x.md", Text::Head, OPENCODE_HEADS)),
    shown(".opencode/modes/*.md", clones(OPEN, ".opencode/modes/x.md", Text::Head, OPENCODE_HEADS)),
    shown("~/.config/opencode/plugin/*.ts", users(OPEN, "~/.config/opencode/plugin/x.ts", Text::Whole, OPENCODE_CODE)),
    shown("~/.config/opencode/plugin/*.js", users(OPEN, "~/.config/opencode/plugin/x.js", Text::Whole, OPENCODE_CODE)),
    shown("~/.config/opencode/plugins/*.ts", users(OPEN, "~/.config/opencode/plugins/x.ts", Text::Whole, OPENCODE_CODE)),
    shown("~/.config/opencode/plugins/*.js", users(OPEN, "~/.config/opencode/plugins/x.js", Text::Whole, OPENCODE_CODE)),
    shown("~/.config/opencode/tool/*.ts", users(OPEN, "~/.config/opencode/tool/x.ts", Text::Whole, OPENCODE_CODE)),
    shown("~/.config/opencode/tool/*.js", users(OPEN, "~/.config/opencode/tool/x.js", Text::Whole, OPENCODE_CODE)),
    shown("~/.config/opencode/tools/*.ts", users(OPEN, "~/.config/opencode/tools/x.ts", Text::Whole, OPENCODE_CODE)),
    shown("~/.config/opencode/tools/*.js", users(OPEN, "~/.config/opencode/tools/x.js", Text::Whole, OPENCODE_CODE)),
    shown("~/.opencode/plugin/*.ts", users(OPEN, "~/.opencode/plugin/x.ts", Text::Whole, OPENCODE_CODE)),
    shown("~/.opencode/plugin/*.js", users(OPEN, "~/.opencode/plugin/x.js", Text::Whole, OPENCODE_CODE)),
    shown("~/.opencode/plugins/*.ts", users(OPEN, "~/.opencode/plugins/x.ts", Text::Whole, OPENCODE_CODE)),
    shown("~/.opencode/plugins/*.js", users(OPEN, "~/.opencode/plugins/x.js", Text::Whole, OPENCODE_CODE)),
    shown("~/.opencode/tool/*.ts", users(OPEN, "~/.opencode/tool/x.ts", Text::Whole, OPENCODE_CODE)),
    shown("~/.opencode/tool/*.js", users(OPEN, "~/.opencode/tool/x.js", Text::Whole, OPENCODE_CODE)),
    shown("~/.opencode/tools/*.ts", users(OPEN, "~/.opencode/tools/x.ts", Text::Whole, OPENCODE_CODE)),
    shown("~/.opencode/tools/*.js", users(OPEN, "~/.opencode/tools/x.js", Text::Whole, OPENCODE_CODE)),
    shown(".opencode/plugin/*.ts", clones(OPEN, ".opencode/plugin/x.ts", Text::Whole, OPENCODE_CODE)),
    shown(".opencode/plugin/*.js", clones(OPEN, ".opencode/plugin/x.js", Text::Whole, OPENCODE_CODE)),
    shown(".opencode/plugins/*.ts", clones(OPEN, ".opencode/plugins/x.ts", Text::Whole, OPENCODE_CODE)),
    shown(".opencode/plugins/*.js", clones(OPEN, ".opencode/plugins/x.js", Text::Whole, OPENCODE_CODE)),
    shown(".opencode/tool/*.ts", clones(OPEN, ".opencode/tool/x.ts", Text::Whole, OPENCODE_CODE)),
    shown(".opencode/tool/*.js", clones(OPEN, ".opencode/tool/x.js", Text::Whole, OPENCODE_CODE)),
    shown(".opencode/tools/*.ts", clones(OPEN, ".opencode/tools/x.ts", Text::Whole, OPENCODE_CODE)),
    shown(".opencode/tools/*.js", clones(OPEN, ".opencode/tools/x.js", Text::Whole, OPENCODE_CODE)),
    // No code.
    clones(OPEN, ".opencode/tool/README.md", Text::Whole, &[Row(&["x"], "x", &[])]),
    clones(OPEN, ".opencode/plugin/package.json", Text::Whole, &[Row(&["x"], "{}", &[])]),
    managed("/etc/opencode/opencode.jsonc", shown("/etc/opencode/opencode.json",
        users(OPEN, "/etc/opencode/opencode.jsonc", Text::Json, &[
            Row(&["theme"], "\"x\"", &[]),
            Row(&["agents"], "{}", &[("managed-key-unknown", "-nnn", "")]),
            Row(&["webfetch"], "\"deny\"", &[("managed-key-unknown", "-nnn", "")]),
        ]))),
    variable(OPEN, "$OPENCODE_PERMISSION", &[Row(&["x"], "{}", &[("permission-variable", "wwww", "")])]),
    variable(OPEN, "$OPENCODE_CONFIG_CONTENT", &[Row(&["x"], "{}", &[("content-variable", "-www", "")])]),
    variable(OPEN, "$OPENCODE_TEST_MANAGED_CONFIG_DIR", &[Row(&["x"], "/x", &[("managed-directory-variable", "-fff", "")])]),
];

const OPEN: Harness = Harness::OpenCode;

#[rustfmt::skip]
const OPENCODE_CONFIG: &[Row] = &[
    Row(&["mcp", "x"], "{\"type\": \"local\", \"command\": [\"y\"]}", &[("servers", "-nnn", "ffff")]),
    Row(&["mcp", "z"], "{\"command\": [\"y\"], \"enabled\": false}", &[]),
    Row(&["plugin"], "[\"x\"]", &[("plugins", "-nnn", "ffff")]),
    Row(&["plugin"], "[]", &[]),
    Row(&["formatter", "x", "command"], "[\"y\"]", &[("programs", "-nnn", "ffff")]),
    Row(&["shell"], "\"./sh\"", &[("programs", "-nnn", "ffff")]),
    Row(&["command", "x", "template"], "\"!`x`\"", &[("programs", "-nnn", "ffff")]),
    Row(&["command", "y", "template"], "\"Look!\"", &[]),
    Row(&["formatter", "y"], "{\"command\": [\"y\"], \"disabled\": true}", &[]),
    Row(&["lsp", "x", "command"], "[\"y\"]", &[("programs", "-nnn", "ffff")]),
    Row(&["lsp", "z", "disabled"], "true", &[]),
    Row(&["provider", "x", "npm"], "\"y\"", &[("programs", "-nnn", "ffff")]),
    Row(&["provider", "y", "name"], "\"y\"", &[]),
    // What the program brings along is no other code, and its own address no other place.
    Row(&["provider", "z", "npm"], "\"@ai-sdk/openai-compatible\"", &[]),
    Row(&["provider", "z", "options", "apiKey"], "\"x\"", &[]),
    Row(&["provider", "v", "options", "baseURL"], "\"https://z.example\"", &[("programs", "-nnn", "ffff")]),
    Row(&["provider", "w", "models", "x", "provider", "npm"], "\"y\"", &[("programs", "-nnn", "ffff")]),
    // An agent's rules count after the managed ones; asking is more than what is denied, and no more than
    // what a policy unknown here may close.
    Row(&["agent", "a", "permission", "webfetch"], "\"allow\"", &[("agent-permission", "-fff", "ffff")]),
    Row(&["agent", "b", "permission", "webfetch"], "\"ask\"", &[("agent-permission", "-fff", "-fff")]),
    Row(&["agent", "b", "permission", "webfetch"], "\"deny\"", &[]),
    Row(&["agent", "s", "permission", "webfetch"], "\"{file:./x}\"", &[("agent-permission", "-fff", "ffff")]),
    Row(&["agent", "t", "permission", "{env:X}"], "\"deny\"", &[("substituted-key", "-fff", "ffff")]),
    Row(&["agent", "u", "prompt"], "\"{file:./x}\"", &[]),
    Row(&["agent", "c", "permission", "bash"], "{\"*\": \"ask\"}", &[]),
    Row(&["agent", "d", "tools", "webfetch"], "true", &[("agent-permission", "-fff", "ffff")]),
    Row(&["agent", "e", "tools", "edit"], "false", &[]),
    // What is rendered for the agents that the program brings along replaces the same key.
    Row(&["agent", "build", "permission", "webfetch"], "\"allow\"", &[("agent-permission", "-f--", "ff--")]),
    Row(&["permission", "bash"], "\"ask\"", &[]),
    Row(&["permission", "webfetch"], "\"allow\"", &[]),
    // In the order of the keys, the wildcard would count after the managed rule.
    Row(&["permission"], "{\"webfetch\": \"ask\", \"*\": \"allow\"}", &[("key-order", "-f--", "-f--")]),
    Row(&["permission"], "{\"*\": \"allow\", \"webfetch\": \"ask\"}", &[]),
    Row(&["model"], "\"x\"", &[]),
];

#[rustfmt::skip]
const OPENCODE_TUI: &[Row] = &[
    Row(&["plugin"], "[\"x\"]", &[("plugins", "-nnn", "ffff")]),
    Row(&["theme"], "\"x\"", &[]),
];

#[rustfmt::skip]
const OPENCODE_HEADS: &[Row] = &[
    Row(&["description"], "permission", &[]),
    Row(&["permission"], "{webfetch: allow}", &[("agent-file", "-fff", "ffff")]),
    Row(&["permission"], "{bash: ask}", &[]),
    Row(&["permission"], "{edit: deny}", &[]),
    Row(&["tools"], "{webfetch: true}", &[("agent-file", "-fff", "ffff")]),
    Row(&["tools"], "{edit: false}", &[]),
];

const OPENCODE_CODE: &[Row] = &[Row(&["x"], "x", &[("plugins", "-nnn", "ffff")])];

#[rustfmt::skip]
const CURSOR_CLI: &[Judged] = &[
    users(CURSOR, "~/.cursor/sandbox.json", Text::Json, CURSOR_SANDBOX),
    clones(CURSOR, ".cursor/sandbox.json", Text::Json, CURSOR_SANDBOX),
    users(CURSOR, "~/.cursor/cli-config.json", Text::Json, CURSOR_CONFIG),
    users(CURSOR, "~/.config/cursor/cli-config.json", Text::Json, CURSOR_CONFIG),
    moved(&[("$CURSOR_CONFIG_DIR", "/elsewhere")], &[("config-variable", 'n')],
        shown("$CURSOR_CONFIG_DIR/cli-config.json", users(CURSOR, "/elsewhere/cli-config.json", Text::Json, CURSOR_CONFIG))),
    clones(CURSOR, ".cursor/cli.json", Text::Json, &[
        Row(&["permissions", "allow"], "[\"WebFetch(z.example)\"]", &[("project-permissions", "", "ffff")]),
        Row(&["permissions", "allow"], "[\"WebFetch(a.example)\"]", &[("project-permissions", "", "ff--")]),
        Row(&["permissions", "allow"], "[\"Shell(*)\"]", &[("project-permissions", "", "ffff")]),
        Row(&["permissions", "allow"], "[\"Mcp(x:y)\"]", &[("project-permissions", "", "ffff")]),
        Row(&["permissions", "allow"], "[\"Shell(ls)\"]", &[]),
        Row(&["permissions", "deny"], "[\"WebFetch(*)\"]", &[]),
        Row(&["version"], "1", &[]),
    ]),
    users(CURSOR, "~/.cursor/hooks.json", Text::Json, CURSOR_HOOKS),
    // Cursor runs Claude Code's hooks as well.
    clones(CURSOR, ".claude/settings.json", Text::Json, CURSOR_HOOKS),
    clones(CURSOR, ".claude/settings.local.json", Text::Json, CURSOR_HOOKS),
    clones(CURSOR, ".cursor/hooks.json", Text::Json, CURSOR_HOOKS),
    users(CURSOR, "~/.cursor/mcp.json", Text::Json, CURSOR_SERVERS),
    clones(CURSOR, ".cursor/mcp.json", Text::Json, CURSOR_SERVERS),
];

const CURSOR: Harness = Harness::CursorCli;

#[rustfmt::skip]
const CURSOR_SANDBOX: &[Row] = &[
    Row(&["type"], "\"insecure_none\"", &[("insecure-none", "ffff", "ffff")]),
    Row(&["type"], "\"workspace_readwrite\"", &[]),
    Row(&["networkPolicy", "default"], "\"deny\"", &[]),
    Row(&["networkPolicy", "default"], "\"allow\"", &[("network-default", "wwww", "ffff")]),
    Row(&["networkPolicy", "allow"], "[\"z.example\"]", &[("hosts", "--ww", "----"), ("project-hosts", "----", "ffff")]),
    Row(&["networkPolicy", "allow"], "[\"a.example\"]", &[("project-hosts", "----", "ff--")]),
    // It stands for the name itself as well.
    Row(&["networkPolicy", "allow"], "[\"*.d.b.example\"]", &[("project-hosts", "----", "ff--")]),
    Row(&["networkPolicy", "allow"], "[\"*.b.example\"]", &[("hosts", "--ww", "----"), ("project-hosts", "----", "ffff")]),
    Row(&["networkPolicy", "deny"], "[\"z.example\"]", &[]),
    Row(&["additionalReadwritePaths"], "[\"/opt/x\"]", &[("project-writes", "----", "ffff")]),
    Row(&["additionalReadwritePaths"], "[\"/\"]", &[("writes-widely", "ffff", "ffff")]),
    Row(&["additionalReadonlyPaths"], "[\"/opt/x\"]", &[]),
    Row(&["disableTmpWrite"], "true", &[]),
];

#[rustfmt::skip]
const CURSOR_CONFIG: &[Row] = &[
    Row(&["approvalMode"], "\"unrestricted\"", &[("unrestricted", "ffff", "")]),
    Row(&["approvalMode"], "\"allowlist\"", &[]),
    Row(&["sandbox", "mode"], "\"disabled\"", &[("sandbox-disabled", "ffff", "")]),
    Row(&["sandbox", "mode"], "\"enabled\"", &[]),
    Row(&["sandbox", "networkAccess"], "\"allow_all\"", &[("network-open", "ffff", "")]),
    Row(&["sandbox", "networkAccess"], "\"user_config_with_defaults\"", &[("network-defaults", "nnnn", "")]),
    Row(&["sandbox", "networkAccess"], "\"user_config_only\"", &[]),
    Row(&["version"], "1", &[]),
];

#[rustfmt::skip]
const CURSOR_HOOKS: &[Row] = &[
    Row(&["hooks", "stop"], "[{\"command\": \"x\"}]", &[("hooks", "nnnn", "ffff")]),
    Row(&["hooks", "preToolUse"], "[]", &[]),
    Row(&["version"], "1", &[]),
];

#[rustfmt::skip]
const CURSOR_SERVERS: &[Row] = &[
    Row(&["mcpServers", "x"], "{\"command\": \"y\"}", &[("servers", "nnnn", "ffff")]),
    Row(&["mcpServers"], "{}", &[]),
];

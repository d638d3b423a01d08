//! Generated files against a naive judge: a table of keys, of which each says by itself what is found.

use std::collections::BTreeSet;

use harness_render::Os;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::tree::Tree;

/// Where a key stands, what is written there, and the code of what is found; none for what is harmless.
type Row = (&'static [&'static str], &'static str, Option<&'static str>);

/// One file of a harness with its rows; the paths of two rows differ, and none is the start of another.
struct Judged {
    path: &'static str,
    rows: &'static [Row],
}

#[rustfmt::skip]
static FILES: &[Judged] = &[
    Judged { path: ".claude/settings.json", rows: &[
        (&["hooks", "Stop"], "[]", Some("claude-code-hooks")),
        (&["enabledPlugins", "x@y"], "true", Some("claude-code-plugins")),
        (&["enabledPlugins", "z@y"], "false", None),
        (&["extraKnownMarketplaces", "y"], "{}", Some("claude-code-plugins")),
        (&["apiKeyHelper"], "\"x\"", Some("claude-code-helpers")),
        (&["statusLine", "command"], "\"x\"", Some("claude-code-helpers")),
        (&["env", "BASH_ENV"], "\"x\"", Some("claude-code-env")),
        (&["env", "PATH"], "\"x\"", Some("claude-code-env")),
        (&["env", "CI"], "\"1\"", None),
        (&["enableAllProjectMcpServers"], "true", Some("claude-code-servers-approved")),
        (&["disabledMcpjsonServers"], "[\"x\"]", None),
        (&["permissions", "defaultMode"], "\"auto\"", Some("claude-code-auto-mode")),
        (&["permissions", "additionalDirectories"], "[\"../x\"]", Some("claude-code-additional-directories")),
        (&["permissions", "allow"], "[\"WebFetch\"]", Some("claude-code-fetch-allow")),
        (&["permissions", "deny"], "[\"WebFetch\"]", None),
        (&["permissions", "ask"], "[\"Bash\"]", None),
        (&["sandbox", "enabled"], "false", Some("claude-code-project-sandbox-off")),
        (&["sandbox", "excludedCommands"], "[\"x\"]", Some("claude-code-excluded-commands")),
        (&["sandbox", "allowAppleEvents"], "true", Some("claude-code-weaker-sandbox")),
        (&["sandbox", "network", "allowLocalBinding"], "true", Some("claude-code-weaker-network")),
        (&["sandbox", "network", "allowedDomains"], "[\"c.example\"]", Some("claude-code-allowed-domains")),
        (&["sandbox", "network", "deniedDomains"], "[\"c.example\"]", None),
        (&["sandbox", "network", "allowUnixSockets"], "[\"/x\"]", Some("claude-code-unix-sockets")),
        (&["sandbox", "filesystem", "allowWrite"], "[\"/\"]", Some("claude-code-allow-write-widely")),
        (&["sandbox", "filesystem", "allowRead"], "[\"x\"]", Some("claude-code-allow-read")),
        (&["sandbox", "filesystem", "denyRead"], "[\"x\"]", None),
        (&["model"], "\"x\"", None),
    ] },
    Judged { path: ".codex/config.toml", rows: &[
        (&["sandbox_mode"], "\"danger-full-access\"", Some("codex-danger-full-access")),
        (&["sandbox_workspace_write", "network_access"], "true", Some("codex-network-access")),
        (&["sandbox_workspace_write", "writable_roots"], "[\"/opt/x\"]", Some("codex-writable-roots")),
        (&["features", "network_proxy", "dangerously_allow_all_unix_sockets"], "true", Some("codex-unix-sockets")),
        (&["features", "network_proxy", "domains", "c.example"], "\"allow\"", Some("codex-network-domains")),
        (&["features", "network_proxy", "domains", "d.example"], "\"deny\"", None),
        (&["features", "web_search_request"], "true", Some("codex-web-search")),
        (&["mcp_servers", "x", "command"], "\"y\"", Some("codex-servers")),
        (&["mcp_servers", "z", "enabled"], "false", None),
        (&["plugins", "x", "enabled"], "true", Some("codex-plugins")),
        (&["plugins", "z", "enabled"], "false", None),
        (&["marketplaces", "y", "source"], "\"z\"", Some("codex-plugins")),
        (&["hooks", "Stop"], "[]", Some("codex-hooks")),
        (&["hooks", "state", "x"], "true", None),
        (&["notify"], "[\"x\"]", None),
        (&["profiles", "x", "sandbox_mode"], "\"danger-full-access\"", None),
        (&["model_providers", "x", "auth", "command"], "\"y\"", None),
        (&["otel", "exporter", "otlp-http", "endpoint"], "\"x\"", None),
        (&["model"], "\"x\"", None),
    ] },
    Judged { path: ".github/copilot/settings.json", rows: &[
        (&["hooks", "sessionStart"], "[]", Some("copilot-cli-hooks")),
        (&["enabledPlugins", "x"], "true", Some("copilot-cli-plugins")),
        (&["enabledPlugins", "z"], "false", None),
        (&["extraKnownMarketplaces", "y"], "{}", Some("copilot-cli-plugins")),
        (&["sandbox", "enabled"], "false", Some("copilot-cli-project-sandbox")),
        (&["sandbox", "allowBypass"], "true", Some("copilot-cli-project-sandbox")),
        (&["sandbox", "sandboxMcpServers"], "true", None),
        (&["sandbox", "userPolicy", "filesystem", "readwritePaths"], "[\"/x\"]", Some("copilot-cli-project-sandbox")),
        (&["sandbox", "userPolicy", "filesystem", "deniedPaths"], "[\"/x\"]", None),
        (&["sandbox", "userPolicy", "network", "allowedHosts"], "[\"c.example\"]", Some("copilot-cli-project-sandbox")),
        (&["sandbox", "userPolicy", "network", "blockedHosts"], "[\"c.example\"]", None),
        (&["model"], "\"x\"", None),
    ] },
    Judged { path: ".gemini/settings.json", rows: &[
        (&["mcpServers", "x"], "{\"command\": \"y\"}", Some("gemini-cli-servers")),
        (&["mcp", "serverCommand"], "\"x\"", Some("gemini-cli-servers")),
        (&["mcp", "excluded"], "[\"x\"]", None),
        (&["hooks", "BeforeTool"], "[{}]", Some("gemini-cli-hooks")),
        (&["hooks", "disabled"], "[\"x\"]", None),
        (&["tools", "discoveryCommand"], "\"x\"", Some("gemini-cli-commands")),
        (&["tools", "callCommand"], "\"x\"", Some("gemini-cli-commands")),
        (&["tools", "allowed"], "[\"x\"]", Some("gemini-cli-project-tools")),
        (&["tools", "exclude"], "[\"x\"]", None),
        (&["tools", "sandbox"], "false", Some("gemini-cli-sandbox-off")),
        (&["security", "toolSandboxing"], "false", Some("gemini-cli-sandbox-off")),
        (&["security", "disableYoloMode"], "true", None),
        (&["general", "defaultApprovalMode"], "\"yolo\"", Some("gemini-cli-project-tools")),
        (&["ui", "theme"], "\"x\"", None),
    ] },
    Judged { path: "opencode.json", rows: &[
        (&["mcp", "x"], "{\"command\": [\"y\"]}", Some("opencode-servers")),
        (&["mcp", "z"], "{\"enabled\": false}", None),
        (&["plugin"], "[\"x\"]", Some("opencode-plugins")),
        (&["formatter", "x", "command"], "[\"y\"]", Some("opencode-programs")),
        (&["lsp", "z", "disabled"], "true", None),
        (&["provider", "x", "npm"], "\"y\"", Some("opencode-programs")),
        (&["agent", "a", "permission", "webfetch"], "\"allow\"", Some("opencode-agent-permission")),
        (&["agent", "b", "permission", "webfetch"], "\"ask\"", None),
        (&["agent", "c", "permission", "bash"], "{\"*\": \"ask\"}", None),
        (&["agent", "d", "tools", "webfetch"], "true", Some("opencode-agent-permission")),
        (&["agent", "e", "tools", "edit"], "false", None),
        (&["permission", "bash"], "\"ask\"", None),
        (&["model"], "\"x\"", None),
    ] },
    Judged { path: ".cursor/sandbox.json", rows: &[
        (&["type"], "\"insecure_none\"", Some("cursor-cli-insecure-none")),
        (&["networkPolicy", "default"], "\"deny\"", None),
        (&["networkPolicy", "deny"], "[\"x\"]", None),
        (&["additionalReadwritePaths"], "[\"/opt/x\"]", Some("cursor-cli-project-writes")),
        (&["additionalReadonlyPaths"], "[\"/opt/x\"]", None),
        (&["disableTmpWrite"], "true", None),
    ] },
    Judged { path: ".cursor/cli.json", rows: &[
        (&["permissions", "allow"], "[\"WebFetch(c.example)\"]", Some("cursor-cli-project-permissions")),
        (&["permissions", "deny"], "[\"WebFetch(*)\"]", None),
        (&["version"], "1", None),
    ] },
];

fn put(into: &mut Map<String, Value>, keys: &[&str], value: Value) {
    let (first, rest) = keys.split_first().unwrap();
    if rest.is_empty() {
        into.insert((*first).to_owned(), value);
        return;
    }
    let below = into.entry(*first).or_insert_with(|| json!({}));
    put(below.as_object_mut().unwrap(), rest, value);
}

/// JSON, of which inline tables of TOML are one spelling.
fn written(path: &str, settings: &Map<String, Value>) -> String {
    if !path.ends_with(".toml") {
        return Value::Object(settings.clone()).to_string();
    }
    fn inline(value: &Value) -> String {
        match value {
            Value::Object(entries) => {
                let entries = entries
                    .iter()
                    .map(|(key, value)| format!("{key:?} = {}", inline(value)));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
            scalar => scalar.to_string(),
        }
    }
    let lines = settings
        .iter()
        .map(|(key, value)| format!("{key:?} = {}\n", inline(value)));
    lines.collect()
}

fn judged() -> impl Strategy<Value = (usize, Vec<bool>)> {
    (0..FILES.len()).prop_flat_map(|file| {
        let rows = FILES[file].rows.len();
        (Just(file), prop::collection::vec(any::<bool>(), rows))
    })
}

proptest! {
    // A hundred for each harness and more.
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn doctor_judges_as_the_naive_judge((file, chosen) in judged()) {
        let Judged { path, rows } = &FILES[file];
        let mut settings = Map::new();
        let mut expected = BTreeSet::new();
        let rows = rows.iter().zip(chosen).filter(|(_, chosen)| *chosen);
        for ((keys, value, code), _) in rows {
            put(&mut settings, keys, serde_json::from_str(value).unwrap());
            expected.extend(*code);
        }
        // A table of hosts without a default leaves every other host open.
        let policy = settings.get("networkPolicy");
        if policy.is_some_and(|policy| policy.get("default").is_none()) {
            expected.insert("cursor-cli-network-default");
        }
        let text = written(path, &settings);
        let found = Tree::of(&[(path, &text)]).codes(Os::Linux);
        let found: BTreeSet<&str> = found.into_iter().collect();
        prop_assert_eq!(found, expected, "{} {}", path, text);
    }
}

#[test]
fn each_key_alone_is_judged_as_the_table_says() {
    for Judged { path, rows } in FILES {
        for (keys, value, code) in *rows {
            let mut settings = Map::new();
            put(&mut settings, keys, serde_json::from_str(value).unwrap());
            let found = Tree::of(&[(path, &written(path, &settings))]).codes(Os::Linux);
            let open = settings
                .get("networkPolicy")
                .is_some_and(|policy| policy.get("default").is_none());
            let mut expected: Vec<&str> = code.iter().copied().collect();
            expected.extend(open.then_some("cursor-cli-network-default"));
            assert_eq!(found, expected, "{path} {keys:?}");
        }
    }
}

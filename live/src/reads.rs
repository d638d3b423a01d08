//! What a program says that it has read, beside what the posture checks find in the same file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use harness_render::{Device, HarnessPosture, Os};

use crate::Result;
use crate::layout::{HOME, WORKSPACE};
use crate::loosening;
use crate::session::Session;
use crate::tool::run;

/// The policy whose files are managed meanwhile.
pub(crate) const POLICY: &str = "paths";

/// The word in each file for which a listing is searched.
const WORD: &str = "liveword";

/// No listing takes longer.
const LIMIT: Duration = Duration::from_secs(90);

/// A file, how its program is asked what it has read, and what the checks find where it was read.
#[derive(Clone, Copy)]
struct Reading {
    program: &'static str,
    path: &'static str,
    text: &'static str,
    args: &'static [&'static str],
    code: &'static str,
    /// Whether the program reads it.
    read: bool,
}

const fn read(
    program: &'static str,
    args: &'static [&'static str],
    code: &'static str,
    path: &'static str,
    text: &'static str,
) -> Reading {
    Reading {
        program,
        path,
        text,
        args,
        code,
        read: true,
    }
}

const fn unread(reading: Reading) -> Reading {
    Reading {
        read: false,
        ..reading
    }
}

const SERVERS: &[&str] = &["mcp", "list"];
const PROFILE: &[&str] = &["--profile", "live", "mcp", "list"];
/// Plugins are listed, and not loaded: that would wait for a registry.
const CONFIG: &[&str] = &["--pure", "debug", "config"];
const JSON_SERVER: &str = r#"{"mcpServers": {"liveword": {"command": "false"}}}"#;
const TOML_SERVER: &str = "[mcp_servers.liveword]\ncommand = \"false\"\n";
const OPENCODE_SERVER: &str = r#"{"mcp": {"liveword": {"type": "local", "command": ["false"]}}}"#;
const HEAD: &str = "---\ndescription: liveword\npermission:\n  webfetch: allow\n---\nx\n";
const CODE: &str = "export const Nothing = async () => ({})\n";

#[rustfmt::skip]
const READINGS: &[Reading] = &[
    read("codex", SERVERS, "codex-servers", "~/.codex/config.toml", TOML_SERVER),
    unread(read("codex", SERVERS, "codex-servers", "~/.codex/settings.toml", TOML_SERVER)),
    unread(read("codex", SERVERS, "codex-servers", "~/.codex/config.toml", "[mcp_servers.liveword]\ncommand = \"false\"\nenabled = false\n")),
    // The workspace is trusted.
    read("codex", SERVERS, "codex-servers", ".codex/config.toml", TOML_SERVER),
    unread(read("codex", SERVERS, "codex-servers", "codex/config.toml", TOML_SERVER)),
    read("codex", PROFILE, "codex-servers", "~/.codex/live.config.toml", TOML_SERVER),
    unread(read("codex", PROFILE, "codex-servers", "~/.codex/live.toml", TOML_SERVER)),

    read("claude-code", SERVERS, "claude-code-servers", "~/.claude.json", JSON_SERVER),
    unread(read("claude-code", SERVERS, "claude-code-servers", "~/.claude/settings.json", JSON_SERVER)),
    // Listed as one that waits for a person's word.
    read("claude-code", SERVERS, "claude-code-servers", ".mcp.json", JSON_SERVER),
    unread(read("claude-code", SERVERS, "claude-code-servers", "mcp.json", JSON_SERVER)),
    unread(read("claude-code", SERVERS, "claude-code-servers", ".claude/.mcp.json", JSON_SERVER)),

    read("opencode", CONFIG, "opencode-servers", "opencode.json", OPENCODE_SERVER),
    read("opencode", CONFIG, "opencode-servers", "opencode.jsonc", "{ // a comment\n\"mcp\": {\"liveword\": {\"type\": \"local\", \"command\": [\"false\"]}}}"),
    unread(read("opencode", CONFIG, "opencode-servers", "config.json", OPENCODE_SERVER)),
    read("opencode", CONFIG, "opencode-servers", "~/.config/opencode/config.json", OPENCODE_SERVER),
    read("opencode", CONFIG, "opencode-agent-file", "~/.config/opencode/agent/deep/liveword.md", HEAD),
    read("opencode", CONFIG, "opencode-agent-file", "~/.config/opencode/modes/liveword.md", HEAD),
    unread(read("opencode", CONFIG, "opencode-agent-file", "~/.config/opencode/modes/deep/liveword.md", HEAD)),
    read("opencode", CONFIG, "opencode-agent-file", "~/.opencode/modes/liveword.md", HEAD),
    read("opencode", CONFIG, "opencode-agent-file", ".opencode/agents/liveword.md", HEAD),
    read("opencode", CONFIG, "opencode-plugins", ".opencode/plugin/liveword.js", CODE),
    read("opencode", CONFIG, "opencode-plugins", ".opencode/plugins/liveword.ts", CODE),
    unread(read("opencode", CONFIG, "opencode-plugins", ".opencode/plugin/liveword.md", CODE)),
];

/// The programs that say what they have read.
pub(crate) fn programs() -> [&'static str; 3] {
    ["codex", "claude-code", "opencode"]
}

/// Asks about one file after the other; a line for each, and how many of them differ.
pub(crate) fn compare(session: &Session<'_>, name: &str) -> Result<usize> {
    let world = session.world;
    run("git", ["init", "--quiet", WORKSPACE])?;
    let program = session.file(&[
        "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
        "@anthropic-ai/claude-code-linux-x64/claude",
        "opencode-linux-x64/bin/opencode",
        "opencode-linux-x64-baseline/bin/opencode",
    ])?;
    let environment = [
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("NO_COLOR", "1"),
    ];
    let mut different = 0_usize;
    for reading in READINGS.iter().filter(|reading| reading.program == name) {
        let path = loosening::place(reading.path);
        let mut text = reading.text.to_owned();
        let trust = format!("{HOME}/.codex/config.toml");
        if name == "codex" {
            let trusted = format!("[projects.\"{WORKSPACE}\"]\ntrust_level = \"trusted\"\n");
            world.write(&trust, &trusted)?;
            if path == trust {
                text.push_str(&trusted);
            }
        }
        world.write(&path, &text)?;
        let ran = world.run(&program, reading.args, &environment, LIMIT)?;
        let found = finds(reading)?;
        fs::remove_file(&path)?;
        let listed = ran
            .stdout
            .lines()
            .any(|line| line.contains(WORD) && !line.contains("disabled"));
        // What is not listed was not read only where the program lists anything.
        let answered = listed || ran.code == Some(0);
        let agrees = answered && listed == reading.read && found == reading.read;
        different = different.saturating_add(usize::from(!agrees));
        println!(
            "{:<10} {name} {}, {}: {}, {}{}",
            if agrees { "same" } else { "DIFFERENT" },
            session.version,
            reading.path,
            if listed { "read" } else { "not read" },
            if found { reading.code } else { "nothing found" },
            if answered {
                String::new()
            } else {
                format!("; {}", ran.last_words())
            },
        );
    }
    Ok(different)
}

/// Whether the checks find it.
fn finds(reading: &Reading) -> Result<bool> {
    let device = Device::open(Path::new("/"), Os::Linux, Path::new(HOME))?
        .with_project(Path::new(WORKSPACE))?;
    let postures = device.examine(&[]);
    let mut findings = postures.iter().flat_map(HarnessPosture::findings);
    Ok(findings.any(|finding| finding.check().code() == reading.code))
}

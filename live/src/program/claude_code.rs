//! Claude Code: a session with a model on loopback, whose shell, fetch tool and file tools are used.

use std::time::Duration;

use harness_render::Channel;
use policy_core::Harness;
use serde_json::json;

use crate::Result;
use crate::agent::Agent;
use crate::layout::{CONTENT, DOCUMENTATION, HOME, WORKSPACE};
use crate::model::{Call, Dialect};
use crate::question::{Action, Question};
use crate::session::{Asked, Program, Session};
use crate::shell;
use crate::verdict::Answer;

pub(super) const PROGRAM: Program = Program {
    name: "claude-code",
    harness: Harness::ClaudeCode,
    channels: &[Channel::Shell, Channel::FetchTool, Channel::FileTools],
    address: DOCUMENTATION,
    patience: 200,
    ask,
};

const PORT: u16 = 9901;

fn ask(session: &Session<'_>, questions: &[Question]) -> Result<Vec<Asked>> {
    let claude = session.file(&[
        "@anthropic-ai/claude-code-linux-x64/claude",
        "@anthropic-ai/claude-code/cli.js",
    ])?;
    // What asks the vendor about each host before a fetch; it has nobody to ask here.
    let settings = json!({
        "skipWebFetchPreflight": true, "permissions": {"defaultMode": "default"},
    });
    let world = session.world;
    world.write_own(
        &format!("{HOME}/.claude/settings.json"),
        &settings.to_string(),
    )?;
    world.write(&format!("{WORKSPACE}/README.md"), CONTENT)?;
    let base = format!("http://127.0.0.1:{PORT}");
    let environment = [
        ("ANTHROPIC_BASE_URL", base.as_str()),
        ("ANTHROPIC_API_KEY", "none"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("BASH_DEFAULT_TIMEOUT_MS", "300000"),
        ("BASH_MAX_TIMEOUT_MS", "300000"),
        ("BASH_MAX_OUTPUT_LENGTH", "150000"),
    ];
    // Whoever asks lets commands run, as a user would; fetching and files are left as they are.
    let args = [
        "-p",
        "go",
        "--tools",
        "Bash,Read,WebFetch,Write",
        "--allowedTools",
        "Bash",
    ];
    let (program, args) = match claude.strip_suffix(".js") {
        None => (claude.as_str(), args.to_vec()),
        Some(_) => ("node", [&[claude.as_str()][..], &args].concat()),
    };
    let launch = || world.run(program, &args, &environment, Duration::from_secs(400));
    let call_for = |question: &Question| match (question.channel, question.action) {
        (Channel::FetchTool, _) => Some(Call::new(
            "WebFetch",
            json!({"url": question.target, "prompt": "what"}),
        )),
        (Channel::FileTools, Action::Read) => {
            Some(Call::new("Read", json!({"file_path": question.target})))
        }
        (Channel::FileTools, _) => Some(Call::new(
            "Write",
            json!({"file_path": question.target, "content": "written"}),
        )),
        _ => None,
    };
    let readme = format!("{WORKSPACE}/README.md");
    Agent {
        dialect: Dialect::Messages,
        port: PORT,
        call: &call_for,
        shell: Some(Call::new(
            "Bash",
            json!({"command": shell::COMMAND, "description": "ask", "timeout": 300_000}),
        )),
        control: (
            Call::new("Read", json!({"file_path": readme})),
            "live-content",
        ),
        read,
        launch: &launch,
    }
    .ask(questions)
}

fn read(_: &Question, said: &str) -> Answer {
    let has = |text| said.contains(text);
    if has("denied by your permission settings") || has("has been denied") || has("denied access") {
        return Answer::Shut;
    }
    if has("haven't granted") || has("requested permissions") {
        return Answer::Asks;
    }
    // Let through, whatever came of it then: the far end speaks no TLS, which every fetch is made
    // with, and a file that was not read first is not written.
    Answer::Open
}

//! Gemini CLI: a session with a model on loopback, whose shell, fetch tool and file tools are used.

use std::time::Duration;

use harness_render::Channel;
use policy_core::Harness;
use serde_json::json;

use crate::Result;
use crate::agent::Agent;
use crate::layout::{CONTENT, HOME, PUBLIC_LOOKING, WORKSPACE};
use crate::model::{Call, Dialect};
use crate::question::{Action, Question};
use crate::session::{Asked, Program, Session};
use crate::shell;
use crate::verdict::Answer;

pub(super) const PROGRAM: Program = Program {
    name: "gemini-cli",
    harness: Harness::GeminiCli,
    channels: &[Channel::Shell, Channel::FetchTool, Channel::FileTools],
    // Its fetch tool refuses private and documentation addresses by itself.
    address: PUBLIC_LOOKING,
    patience: 200,
    ask,
};

const PORT: u16 = 9903;

fn ask(session: &Session<'_>, questions: &[Question]) -> Result<Vec<Asked>> {
    let cli = session.file(&[
        "@google/gemini-cli/bundle/gemini.js",
        "@google/gemini-cli/dist/index.js",
    ])?;
    let world = session.world;
    let settings = json!({"security": {"auth": {"selectedType": "gemini-api-key"}}});
    world.write_own(
        &format!("{HOME}/.gemini/settings.json"),
        &settings.to_string(),
    )?;
    world.write(&format!("{WORKSPACE}/README.md"), CONTENT)?;
    let base = format!("http://127.0.0.1:{PORT}");
    let environment = [
        ("GEMINI_API_KEY", "none"),
        ("GOOGLE_GEMINI_BASE_URL", base.as_str()),
        ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ("GEMINI_TELEMETRY_ENABLED", "false"),
        ("NO_BROWSER", "1"),
    ];
    // Without a terminal whatever would be asked is refused, so the user has allowed all of it.
    let args = [
        cli.as_str(),
        "-p",
        "go",
        "-m",
        "gemini-2.5-flash",
        "--allowed-tools",
        "read_file,run_shell_command,web_fetch,write_file",
    ];
    let launch = || world.run("node", &args, &environment, Duration::from_secs(300));
    let call_for = |question: &Question| match (question.channel, question.action) {
        (Channel::FetchTool, _) => {
            let prompt = format!("what is at {} ?", question.target);
            Some(Call::new("web_fetch", json!({"prompt": prompt})))
        }
        (Channel::FileTools, Action::Read) => Some(Call::new(
            "read_file",
            json!({"file_path": question.target}),
        )),
        (Channel::FileTools, _) => Some(Call::new(
            "write_file",
            json!({"file_path": question.target, "content": "written"}),
        )),
        _ => None,
    };
    let readme = format!("{WORKSPACE}/README.md");
    Agent {
        dialect: Dialect::Gemini,
        port: PORT,
        call: &call_for,
        shell: Some(Call::new(
            "run_shell_command",
            json!({"command": shell::COMMAND, "description": "ask"}),
        )),
        control: (
            Call::new("read_file", json!({"file_path": readme})),
            "live-content",
        ),
        read,
        launch: &launch,
    }
    .ask(questions)
}

fn read(_: &Question, said: &str) -> Answer {
    // A file outside the workspace, and a prompt with what is no address, it refuses by itself,
    // whatever the rules.
    let refusals = [
        "denied by policy",
        "Path not in workspace",
        "Error(s) in prompt URLs",
    ];
    if refusals.iter().any(|refusal| said.contains(refusal)) {
        Answer::Shut
    } else {
        Answer::Open
    }
}

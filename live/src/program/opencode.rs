//! OpenCode: a session with a model on loopback, whose fetch and file tools are used. Nothing
//! confines its shell, which is asked all the same.

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
use crate::tool::run;
use crate::verdict::Answer;

pub(super) const PROGRAM: Program = Program {
    name: "opencode",
    harness: Harness::OpenCode,
    channels: &[Channel::Shell, Channel::FetchTool, Channel::FileTools],
    address: DOCUMENTATION,
    // Whatever is asked about first ends a session, and the next takes seconds to start.
    patience: 24,
    ask,
};

/// A round of sessions: a port, a channel, and how OpenCode is started.
type Round = (u16, Channel, &'static [&'static str]);

const ROUNDS: [Round; 2] = [
    (9902, Channel::FetchTool, &["run", "go"]),
    // Here the user says yes to whatever is asked: what is asked about first, such as a directory
    // outside the workspace, may be refused all the same.
    (9905, Channel::FileTools, &["run", "--auto", "go"]),
];

fn ask(session: &Session<'_>, questions: &[Question]) -> Result<Vec<Asked>> {
    session
        .world
        .write(&format!("{WORKSPACE}/README.md"), CONTENT)?;
    // Rules about files go by the work tree, so there must be one.
    run("git", ["init", "--quiet", WORKSPACE])?;
    let mut asked = Vec::new();
    for round in ROUNDS {
        asked.extend(ask_round(session, round, questions)?);
    }
    Ok(asked)
}

fn ask_round(
    session: &Session<'_>,
    (port, channel, args): Round,
    questions: &[Question],
) -> Result<Vec<Asked>> {
    let opencode = session.file(&[
        "opencode-linux-x64/bin/opencode",
        "opencode-linux-x64-baseline/bin/opencode",
    ])?;
    let world = session.world;
    let options = json!({"baseURL": format!("http://127.0.0.1:{port}/v1"), "apiKey": "none"});
    let config = json!({
        "provider": {"fake": {
            "npm": "@ai-sdk/openai-compatible", "name": "fake", "options": options,
            "models": {"fake": {"name": "fake", "tool_call": true}},
        }},
        "model": "fake/fake", "small_model": "fake/fake", "share": "disabled",
    });
    world.write_own(
        &format!("{HOME}/.config/opencode/opencode.json"),
        &config.to_string(),
    )?;
    let environment = [
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
    ];
    let launch = || world.run(&opencode, args, &environment, Duration::from_secs(300));
    let call_for = |question: &Question| {
        if question.channel != channel {
            return None;
        }
        let (tool, arguments) = match question.action {
            Action::Reach => (
                "webfetch",
                json!({"url": question.target, "format": "text"}),
            ),
            Action::Read => ("read", json!({"filePath": question.target})),
            Action::Write => (
                "write",
                json!({"filePath": question.target, "content": "written"}),
            ),
        };
        Some(Call::new(tool, arguments))
    };
    let readme = format!("{WORKSPACE}/README.md");
    let shell = json!({"command": shell::COMMAND, "description": "ask", "timeout": 200_000});
    Agent {
        dialect: Dialect::Chat,
        port,
        call: &call_for,
        shell: (channel == Channel::FetchTool).then(|| Call::new("bash", shell)),
        control: (
            Call::new("read", json!({"filePath": readme})),
            "live-content",
        ),
        read,
        launch: &launch,
    }
    .ask(questions)
}

fn read(_: &Question, said: &str) -> Answer {
    let has = |text| said.contains(text);
    if has("has specified a rule which prevents") {
        Answer::Shut
    } else if has("rejected permission") {
        Answer::Asks
    } else {
        Answer::Open
    }
}

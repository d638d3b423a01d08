//! Codex: its own sandbox command, which runs a shell as the agent's commands run, behind its proxy;
//! and its app server with a model on loopback, whose file tools are used.

use std::time::Duration;

use harness_render::Channel;
use policy_core::Harness;
use semver::Version;
use serde_json::json;

use crate::Result;
use crate::agent::Agent;
use crate::layout::{HOME, PUBLIC_LOOKING, WORKSPACE};
use crate::model::{Call, Dialect};
use crate::question::{Action, Question};
use crate::rpc::{Framing, Server};
use crate::session::{Asked, Program, Session};
use crate::shell;
use crate::tool::run;
use crate::verdict::Answer;
use crate::world::Ran;

pub(super) const PROGRAM: Program = Program {
    name: "codex",
    harness: Harness::Codex,
    channels: &[Channel::Shell, Channel::FileTools],
    // It refuses hosts that lead to documentation addresses, as to private ones.
    address: PUBLIC_LOOKING,
    patience: 200,
    ask,
};

const VENDOR: &str = "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl";

/// From this release on a permission profile takes the place of a sandbox mode.
const PROFILES: Version = Version::new(0, 138, 0);

const PORT: u16 = 9906;
/// A model that the program takes for one of its vendor's.
const MODEL: &str = "gpt-5.5";

fn trust() -> String {
    format!("[projects.\"{WORKSPACE}\"]\ntrust_level = \"trusted\"\n")
}

fn ask(session: &Session<'_>, questions: &[Question]) -> Result<Vec<Asked>> {
    let codex = session.file(&[
        &format!("{VENDOR}/bin/codex"),
        &format!("{VENDOR}/codex/codex"),
    ])?;
    session
        .world
        .write_own(&format!("{HOME}/.codex/config.toml"), &trust())?;

    let mut args = vec!["sandbox"];
    let quick = Duration::from_secs(30);
    let help = session
        .world
        .run(&codex, &["sandbox", "--help"], &[], quick)?
        .stdout;
    if help
        .lines()
        .any(|line| line.trim_start().starts_with("linux "))
    {
        args.push("linux");
    }
    if *session.version < PROFILES {
        // The most that a user can ask for and get.
        args.extend(["-c", "sandbox_mode=\"workspace-write\""]);
    }
    args.push("--");
    args.extend(shell::ARGUMENTS);
    let ran = session
        .world
        .run(&codex, &args, &[], Duration::from_secs(420))?;
    if ran.stdout.is_empty() {
        return Err(format!("codex sandbox: {}", ran.last_words()).into());
    }
    let mut asked = shell::read_answers(questions, &ran.stdout);
    asked.extend(file_tools(session, &codex, questions)?);
    Ok(asked)
}

/// Puts the questions about files to the tools of a session whose user says yes to whatever is asked.
fn file_tools(session: &Session<'_>, codex: &str, questions: &[Question]) -> Result<Vec<Asked>> {
    if questions
        .iter()
        .all(|question| question.channel != Channel::FileTools)
    {
        return Ok(Vec::new());
    }
    let world = session.world;
    let config = format!(
        "model = \"{MODEL}\"\nmodel_provider = \"fake\"\n\
         [model_providers.fake]\nname = \"fake\"\nbase_url = \"http://127.0.0.1:{PORT}/v1\"\n\
         wire_api = \"responses\"\n{}",
        trust(),
    );
    world.write_own(&format!("{HOME}/.codex/config.toml"), &config)?;
    run("git", ["init", "--quiet", WORKSPACE])?;
    // Commands may have written to them.
    shell::prepare(world, questions)?;
    let launch = || converse(session, codex);
    let call_for = |question: &Question| match (question.channel, question.action) {
        (Channel::FileTools, Action::Read) => {
            Some(Call::new("view_image", json!({"path": question.target})))
        }
        (Channel::FileTools, _) => Some(patch(&question.target)),
        _ => None,
    };
    Agent {
        dialect: Dialect::Responses,
        port: PORT,
        call: &call_for,
        shell: None,
        control: (patch(&format!("{WORKSPACE}/control")), "Success"),
        read,
        launch: &launch,
    }
    .ask(questions)
}

fn patch(path: &str) -> Call {
    let text = format!("*** Begin Patch\n*** Add File: {path}\n+written\n*** End Patch");
    Call::new("apply_patch", json!(text))
}

/// One turn of a conversation.
fn converse(session: &Session<'_>, codex: &str) -> Result<Ran> {
    let mut command = session.world.command(codex, &[]);
    command.arg("app-server");
    let mut server = Server::start(command, Framing::Line, json!({"decision": "accept"}))?;
    let client = json!({"name": "live", "title": null, "version": "0"});
    let capabilities = json!({"experimentalApi": true});
    let hello = json!({"clientInfo": client, "capabilities": capabilities});
    server.call("initialize", &hello)?;
    server.notify("initialized")?;
    let start = json!({"cwd": WORKSPACE, "approvalPolicy": "on-request"});
    let thread = server.call("thread/start", &start)?;
    let input = json!([{"type": "text", "text": "go"}]);
    let turn = json!({"threadId": thread.pointer("/thread/id"), "input": input});
    server.call("turn/start", &turn)?;
    let end = server.hear("turn/completed", Duration::from_secs(300))?;
    Ok(Ran {
        code: Some(0),
        stdout: end.to_string(),
        stderr: String::new(),
    })
}

fn read(question: &Question, said: &str) -> Answer {
    match question.action {
        Action::Write if shell::has_changed(&question.target) => Answer::Open,
        Action::Write => Answer::Shut,
        // It was read, and is no image.
        _ if said.contains("unable to process image") => Answer::Open,
        _ if said.contains("Permission denied") || said.contains("No such file") => Answer::Shut,
        _ => Answer::Unread,
    }
}

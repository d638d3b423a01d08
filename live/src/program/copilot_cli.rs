//! Copilot CLI: its own evaluation of the managed permissions for fetches, and a session with a
//! model on loopback for its shell.
#![expect(
    clippy::indexing_slicing,
    reason = "a JSON value gives null for what it does not hold"
)]

use std::time::Duration;

use harness_render::Channel;
use policy_core::Harness;
use serde_json::{Value, json};

use crate::Result;
use crate::agent::Agent;
use crate::layout::{CONTENT, DOCUMENTATION, WORKSPACE};
use crate::model::{Call, Dialect};
use crate::question::Question;
use crate::rpc::{Framing, Server};
use crate::session::{Asked, Program, Session};
use crate::shell;
use crate::verdict::{Answer, Seen};

pub(super) const PROGRAM: Program = Program {
    name: "copilot-cli",
    harness: Harness::CopilotCli,
    channels: &[Channel::Shell, Channel::FetchTool],
    address: DOCUMENTATION,
    patience: 1_000,
    ask,
};

const PORT: u16 = 9904;

fn ask(session: &Session<'_>, questions: &[Question]) -> Result<Vec<Asked>> {
    let copilot = session.file(&["@github/copilot-linux-x64/copilot"])?;
    let world = session.world;
    world.write(&format!("{WORKSPACE}/README.md"), CONTENT)?;
    let base = format!("http://127.0.0.1:{PORT}/v1");
    // A provider of the user's own needs no login.
    let environment = [
        ("COPILOT_OFFLINE", "true"),
        ("COPILOT_PROVIDER_BASE_URL", base.as_str()),
        ("COPILOT_PROVIDER_API_KEY", "none"),
        ("COPILOT_MODEL", "fake"),
    ];
    let mut server = world.command(&copilot, &environment);
    server.args(["--headless", "--no-auto-update", "--stdio"]);
    let mut asked = match fetches(
        session,
        &mut Server::start(server, Framing::Length, json!({}))?,
        questions,
    ) {
        // Before 1.0.93 there was nothing to evaluate: the file has no rules for fetches.
        Err(error) if error.to_string().contains("Unhandled method") => Vec::new(),
        asked => asked?,
    };

    let args = [
        "--no-auto-update",
        "-p",
        "go",
        "--allow-all-tools",
        "--allow-all-paths",
    ];
    let launch = || world.run(&copilot, &args, &environment, Duration::from_secs(400));
    let readme = format!("{WORKSPACE}/README.md");
    let agent = Agent {
        dialect: Dialect::Chat,
        port: PORT,
        call: &|_| None,
        shell: Some(Call::new(
            "bash",
            json!({"command": shell::COMMAND, "description": "ask", "initial_wait": 300}),
        )),
        control: (Call::new("view", json!({"path": readme})), "live-content"),
        read: |_, _| Answer::Unread,
        launch: &launch,
    };
    asked.extend(agent.ask(questions)?);
    Ok(asked)
}

/// What the program makes of the managed file for each URL.
fn fetches(
    session: &Session<'_>,
    server: &mut Server,
    questions: &[Question],
) -> Result<Vec<Asked>> {
    let Some(file) = session.rendering.files().first() else {
        return Ok(Vec::new());
    };
    let settings: Value = serde_json::from_slice(file.bytes())?;
    let content = json!({"content": settings, "layer": "device"});
    let validated = server.call("managedSettings.validate", &content)?;
    if validated["valid"] != true {
        return Err(format!("its schema refuses the file: {validated}").into());
    }
    // What it does not know, and hosts that it cannot read, are left out without a word.
    for key in ["/sandbox/userPolicy/network", "/permissions/limitTo"] {
        let understood = validated["settings"].pointer(key);
        if understood != settings.pointer(key) {
            let (rendered, understood) = (settings.pointer(key), understood);
            return Err(format!("{key}: {rendered:?} was understood as {understood:?}").into());
        }
    }
    let fetch = questions.iter().enumerate();
    let fetch: Vec<(usize, &Question)> = fetch
        .filter(|(_, question)| question.channel == Channel::FetchTool)
        .collect();
    let operations: Vec<Value> = fetch
        .iter()
        .map(|(_, question)| json!({"kind": "url", "url": question.target}))
        .collect();
    let permissions = settings.get("permissions").cloned().unwrap_or(json!({}));
    let context = json!({"permissions": permissions, "failClosed": false});
    let mut asked = Vec::new();
    for ((number, _), operation) in fetch.into_iter().zip(operations) {
        let params = json!({"context": context, "operations": [operation]});
        let verdict = server.call("managedSettings.permissions.evaluate", &params)?;
        let word = verdict["results"][0]["verdict"]
            .as_str()
            .unwrap_or_default();
        let answer = match word {
            "deny" => Answer::Shut,
            "allow" => Answer::Open,
            // Left to what the user has allowed.
            "ask" | "unmanaged" => Answer::Asks,
            _ => Answer::Unread,
        };
        asked.push(Asked {
            by: "evaluate",
            question: number,
            seen: Seen::new(answer, word),
        });
    }
    Ok(asked)
}

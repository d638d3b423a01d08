//! sandbox-runtime, which Claude Code's shell runs in: its schema, its matcher, and a real sandboxed
//! shell.

use std::time::Duration;

use harness_render::Channel;
use policy_core::Harness;
use serde_json::{Value, json};

use crate::Result;
use crate::layout::DOCUMENTATION;
use crate::question::{Action, Question};
use crate::session::{Asked, Program, Session};
use crate::shell;
use crate::verdict::{Answer, Seen};

pub(super) const PROGRAM: Program = Program {
    name: "sandbox-runtime",
    harness: Harness::ClaudeCode,
    channels: &[Channel::Shell],
    address: DOCUMENTATION,
    patience: 0,
    ask,
};

const DIST: &str = "@anthropic-ai/sandbox-runtime/dist";
const CONFIG: &str = "/usr/local/share/live/srt.json";
const URLS: &str = "/usr/local/share/live/urls";
const SCRIPT: &str = "/usr/local/share/live/srt.mjs";

fn ask(session: &Session<'_>, questions: &[Question]) -> Result<Vec<Asked>> {
    let Some(config) = config(session)? else {
        eprintln!(
            "sandbox-runtime: `*` is for Claude Code to read; its own schema has no such entry"
        );
        return Ok(Vec::new());
    };
    let world = session.world;
    world.write(CONFIG, config.to_string())?;
    world.write(SCRIPT, include_str!("sandbox_runtime.mjs"))?;
    let reach: Vec<(usize, &Question)> = questions
        .iter()
        .enumerate()
        .filter(|(_, question)| question.action == Action::Reach)
        .collect();
    let urls: String = reach
        .iter()
        .map(|(number, question)| format!("{number}\t{}\n", question.target))
        .collect();
    world.write(URLS, urls)?;

    let cli = session.file(&[&format!("{DIST}/cli.js")])?;
    let dist = cli.trim_end_matches("/cli.js");
    let matcher = [SCRIPT, dist, CONFIG, URLS];
    let ran = world.run("node", &matcher, &[], Duration::from_secs(60))?;
    let schema = ran
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("schema\t"));
    match schema.and_then(|line| line.split_once('\t')) {
        Some(("open", _)) => {}
        Some((_, issues)) => return Err(format!("its schema refuses the lists: {issues}").into()),
        None => return Err(format!("its matcher: {}", ran.last_words()).into()),
    }
    let mut asked = Vec::new();
    for (number, _) in reach {
        let prefix = format!("{number}\t");
        let line = ran
            .stdout
            .lines()
            .find_map(|line| line.strip_prefix(&prefix));
        let seen = match line.and_then(|line| line.split_once('\t')) {
            Some(("open", host)) => Seen::new(Answer::Open, host),
            Some((_, host)) => Seen::new(Answer::Shut, host),
            None => Seen::new(Answer::Unread, ran.stderr.clone()),
        };
        asked.push(Asked {
            by: "matcher",
            question: number,
            seen,
        });
    }

    let sandboxed = [cli.as_str(), "--settings", CONFIG, "-c", shell::COMMAND];
    let ran = world.run("node", &sandboxed, &[], Duration::from_secs(420))?;
    if ran.stdout.is_empty() {
        return Err(format!("srt: {}", ran.last_words()).into());
    }
    asked.extend(shell::read_answers(questions, &ran.stdout));
    Ok(asked)
}

/// The configuration that Claude Code would make of its managed settings; `None` where only Claude
/// Code can read them.
fn config(session: &Session<'_>) -> Result<Option<Value>> {
    let file = session
        .rendering
        .files()
        .first()
        .ok_or("nothing is rendered")?;
    let settings: Value = serde_json::from_slice(file.bytes())?;
    let list = |path: &str| {
        let value = settings.pointer(&format!("/sandbox/{path}"));
        value.cloned().unwrap_or(json!([]))
    };
    let allowed = list("network/allowedDomains");
    if allowed == json!(["*"]) {
        return Ok(None);
    }
    // The workspace is Claude Code's own addition.
    let mut writable = list("filesystem/allowWrite");
    if let Some(writable) = writable.as_array_mut() {
        writable.push(json!("."));
    }
    Ok(Some(json!({
        "network": {"allowedDomains": allowed, "deniedDomains": list("network/deniedDomains")},
        "filesystem": {
            "allowWrite": writable,
            "denyRead": list("filesystem/denyRead"),
            "denyWrite": list("filesystem/denyWrite"),
        },
    })))
}

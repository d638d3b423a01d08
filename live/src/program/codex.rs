//! Codex: its own sandbox command, which runs a shell as the agent's commands run, behind its proxy.

use std::time::Duration;

use harness_render::Channel;
use policy_core::Harness;
use semver::Version;

use super::{Asked, Program, Session};
use crate::Result;
use crate::question::{HOME, Question, WORKSPACE};
use crate::shell;
use crate::world::PUBLIC_LOOKING;

pub(super) const PROGRAM: Program = Program {
    name: "codex",
    harness: Harness::Codex,
    channels: &[Channel::Shell],
    // It refuses hosts that lead to documentation addresses, as to private ones.
    address: PUBLIC_LOOKING,
    patience: 0,
    ask,
};

const VENDOR: &str = "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl";

/// From this release on a permission profile takes the place of a sandbox mode.
const PROFILES: Version = Version::new(0, 138, 0);

fn ask(session: &Session<'_>, questions: &[Question]) -> Result<Vec<Asked>> {
    let codex = session.file(&[
        &format!("{VENDOR}/bin/codex"),
        &format!("{VENDOR}/codex/codex"),
    ])?;
    let config = format!("[projects.\"{WORKSPACE}\"]\ntrust_level = \"trusted\"\n");
    session
        .world
        .write_own(&format!("{HOME}/.codex/config.toml"), &config)?;

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
    Ok(shell::read_answers(questions, &ran.stdout))
}

//! Questions put to an agent's shell: one script asks them all.

use std::fs;
use std::time::Duration;

use harness_render::Channel;

use crate::Result;
use crate::layout::CONTENT;
use crate::question::{Action, Question};
use crate::session::Asked;
use crate::verdict::{Answer, Seen};
use crate::world::World;

// In the workspace, since some sandboxes show little else.
const SCRIPT: &str = "/home/dev/project/.live/probe.sh";
const CONTROL_LIMIT: Duration = Duration::from_secs(120);
const LIST: &str = "/home/dev/project/.live/questions";

/// The command that asks, for a shell.
pub(crate) const COMMAND: &str =
    "bash /home/dev/project/.live/probe.sh /home/dev/project/.live/questions";

/// Makes every file that is asked about, with the same content.
pub(crate) fn prepare(world: &World, questions: &[Question]) -> Result<()> {
    for question in questions {
        if question.action != Action::Reach {
            world.write(&question.target, CONTENT)?;
        }
    }
    Ok(())
}

/// How a question is put to a shell: a request in both ways that a client has to go through a
/// proxy.
const fn ways(action: Action) -> &'static [&'static str] {
    match action {
        Action::Reach => &["request", "tunnel"],
        Action::Read => &["read"],
        Action::Write => &["write"],
    }
}

/// Writes down the questions for the script, with their numbers in the whole list.
pub(crate) fn write_down(world: &World, questions: &[Question]) -> Result<()> {
    let mut list = String::new();
    // What is written to is read before.
    for action in [Action::Reach, Action::Read, Action::Write] {
        let shell = questions.iter().enumerate();
        let shell = shell.filter(|(_, question)| {
            question.channel == Channel::Shell && question.action == action
        });
        for (number, question) in shell {
            for way in ways(action) {
                list.push_str(&format!("{number}\t{way}\t{}\n", question.target));
            }
        }
    }
    world.write(SCRIPT, include_str!("probe.sh"))?;
    world.write(LIST, list)
}

/// What the script printed, question by question.
pub(crate) fn read_answers(questions: &[Question], printed: &str) -> Vec<Asked> {
    let mut asked = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        if question.channel != Channel::Shell {
            continue;
        }
        for way in ways(question.action) {
            let prefix = format!("{number}\t{way}\t");
            let line = printed
                .lines()
                .find_map(|line| line.trim_start().strip_prefix(&prefix));
            let seen = match line.map(|line| line.split_once('\t').unwrap_or((line, ""))) {
                None => Seen::new(Answer::Unread, ""),
                Some(("open", words)) => Seen::new(Answer::Open, words),
                Some(("tried", words)) if has_changed(&question.target) => {
                    Seen::new(Answer::Open, words)
                }
                Some((_, words)) => Seen::new(Answer::Shut, words),
            };
            asked.push(Asked {
                by: way,
                question: number,
                seen,
            });
        }
    }
    asked
}

/// Asks a shell that nothing confines, to whom everything must be open: else a shut door would say
/// nothing about the program that is asked next.
pub(crate) fn control(world: &World, questions: &[Question]) -> Result<()> {
    let [shell, rest @ ..] = ARGUMENTS;
    let ran = world.run(shell, &rest, &[], CONTROL_LIMIT)?;
    for asked in read_answers(questions, &ran.stdout) {
        if asked.seen.answer != Answer::Open {
            let target = questions
                .get(asked.question)
                .map(|question| question.target.as_str());
            let (target, words) = (target.unwrap_or_default(), asked.seen.words);
            return Err(
                format!("unconfined, {} {target} is shut as well: {words}", asked.by).into(),
            );
        }
    }
    prepare(world, questions)
}

/// Whether anything was written to a prepared file: looked at from outside the sandbox, which may
/// have shown the agent another file in its place.
pub(crate) fn has_changed(path: &str) -> bool {
    fs::read(path).map_or(true, |bytes| bytes != CONTENT.as_bytes())
}

/// The paths of the script and its list, for commands that take arguments.
pub(crate) const ARGUMENTS: [&str; 3] = ["bash", SCRIPT, LIST];

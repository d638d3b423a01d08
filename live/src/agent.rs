//! Questions put to an agent's own tools: a model on loopback calls them, and the agent's answers to
//! the model are read.

use crate::Result;
use crate::model::{Call, Dialect, ENDED, Model, NOT_OFFERED};
use crate::question::Question;
use crate::session::Asked;
use crate::shell;
use crate::verdict::{Answer, Seen};
use crate::world::Ran;

/// Sessions of one job, at most: an agent that is refused may end its session, and the rest is
/// asked in the next.
const SESSIONS: usize = 60;

/// How an agent is asked.
pub(crate) struct Agent<'a> {
    pub(crate) dialect: Dialect,
    pub(crate) port: u16,
    /// The tool call for a question outside the shell.
    pub(crate) call: &'a dyn Fn(&Question) -> Option<Call>,
    /// The tool call that runs the command with the shell's questions, where they are put.
    pub(crate) shell: Option<Call>,
    /// A call that nothing forbids, and a text in its result: that the agent works at all.
    pub(crate) control: (Call, &'static str),
    /// What a tool's result means.
    pub(crate) read: fn(&Question, &str) -> Answer,
    /// Runs one session.
    pub(crate) launch: &'a dyn Fn() -> Result<Ran>,
}

impl Agent<'_> {
    /// Puts all questions, in as many sessions as it takes.
    pub(crate) fn ask(self, questions: &[Question]) -> Result<Vec<Asked>> {
        let mut calls = vec![self.control.0];
        let asks_shell = self.shell.is_some();
        calls.extend(self.shell);
        let mut called = Vec::new();
        for (number, question) in questions.iter().enumerate() {
            if let Some(call) = (self.call)(question) {
                calls.push(call);
                called.push((number, question));
            }
        }
        let model = Model::serve(self.dialect, self.port, calls)?;
        let mut left = model.left();
        let mut last = String::new();
        for _ in 0..SESSIONS {
            last = (self.launch)()?.last_words();
            model.ended(&last);
            let now = model.left();
            if now == 0 || now >= left {
                break;
            }
            left = now;
        }

        let mut results = model.results().into_iter().map(Option::unwrap_or_default);
        let control = results.next().unwrap_or_default();
        if !control.contains(self.control.1) {
            return Err(format!("the control call came to `{control}`; {last}").into());
        }
        let mut asked = Vec::new();
        if asks_shell {
            // Some tools begin with a word of their own.
            let printed = results.next().unwrap_or_default().replace("Output: ", "\n");
            asked = shell::read_answers(questions, &printed);
            let is_silent = |asked: &Asked| asked.seen.answer == Answer::Unread;
            if !asked.is_empty() && asked.iter().all(is_silent) {
                return Err(format!("the shell said `{printed}`; {last}").into());
            }
        }
        for ((number, question), said) in called.into_iter().zip(results) {
            let answer = match said.as_str() {
                "" => Answer::Unread,
                NOT_OFFERED => Answer::Shut,
                said => match (self.read)(question, said) {
                    // What ended a session is an answer only where it says so.
                    Answer::Open if said.starts_with(ENDED) => Answer::Unread,
                    answer => answer,
                },
            };
            asked.push(Asked {
                by: "tool",
                question: number,
                seen: Seen::new(answer, said),
            });
        }
        Ok(asked)
    }
}

//! Questions put to an agent's own tools: a model on loopback calls them, and the agent's answers to
//! the model are read.

use serde_json::Value;

use crate::Result;
use crate::model::{Call, Dialect, ENDED, Model, NOT_OFFERED};
use crate::program::Asked;
use crate::question::Question;
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
    /// The tool call for a question outside the shell, with a name for the tool's answers.
    pub(crate) call: &'a dyn Fn(&Question) -> Option<Call>,
    /// The tool call that runs a command, where the shell is asked.
    pub(crate) shell: Option<Call>,
    /// A call that nothing forbids, and a text in its result: that the agent works at all.
    pub(crate) control: (Call, &'static str),
    /// What a tool's result means.
    pub(crate) read: fn(&Question, &str) -> Answer,
    /// Runs one session.
    pub(crate) launch: &'a dyn Fn() -> Result<Ran>,
}

impl Agent<'_> {
    pub(crate) fn ask(self, questions: &[Question]) -> Result<Vec<Asked>> {
        let mut calls = vec![self.control.0.clone()];
        let has_shell = self.shell.is_some();
        calls.extend(self.shell);
        let mut numbers = Vec::new();
        for (number, question) in questions.iter().enumerate() {
            if let Some(call) = (self.call)(question) {
                calls.push(call);
                numbers.push((number, question));
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
        let mut results = model.results().into_iter();
        let control = results.next().flatten().unwrap_or_default();
        let shell = if has_shell {
            results.next().flatten()
        } else {
            None
        };
        if !control.contains(self.control.1) {
            return Err(format!("the control call came to `{control}`; {last}").into());
        }
        let mut asked = Vec::new();
        for ((number, question), result) in numbers.into_iter().zip(results) {
            let seen = match result.as_deref() {
                None => Seen::new(Answer::Silent, ""),
                Some(NOT_OFFERED) => Seen::new(Answer::Shut, NOT_OFFERED),
                Some(said) => match (self.read)(question, said) {
                    // What ended a session is an answer only where it says so.
                    Answer::Open if said.starts_with(ENDED) => Seen::new(Answer::Silent, said),
                    answer => Seen::new(answer, said),
                },
            };
            asked.push(Asked {
                by: "tool",
                question: number,
                seen,
            });
        }
        if let Some(printed) = shell {
            // Some tools begin with a word of their own.
            let printed = printed.replace("Output: ", "\n");
            let answers = shell::read_answers(questions, &printed);
            if answers
                .iter()
                .all(|asked| asked.seen.answer == Answer::Silent)
            {
                return Err(format!("the shell said `{printed}`; {last}").into());
            }
            asked.extend(answers);
        } else if has_shell {
            return Err(format!("the shell said nothing; {last}").into());
        }
        Ok(asked)
    }
}

/// A call with these arguments.
pub(crate) fn call(tool: &'static str, arguments: Value) -> Call {
    Call::new(tool, arguments)
}

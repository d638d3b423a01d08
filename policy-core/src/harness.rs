//! The coding agents that a profile can pin.

use core::fmt;
use core::str::FromStr;

use crate::unknown::UnknownName;

/// A coding agent's program, for whose own settings a policy can be rendered.
///
/// ```
/// use policy_core::Harness;
///
/// assert_eq!("claude-code".parse(), Ok(Harness::ClaudeCode));
/// assert!("Claude Code".parse::<Harness>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Harness {
    /// `claude-code`: Claude Code.
    ClaudeCode,
    /// `codex`: Codex CLI.
    Codex,
    /// `copilot-cli`: GitHub Copilot CLI.
    CopilotCli,
    /// `gemini-cli`: Gemini CLI.
    GeminiCli,
    /// `opencode`: OpenCode.
    OpenCode,
    /// `cursor-cli`: Cursor CLI.
    CursorCli,
}

impl Harness {
    /// Every harness, in the order in which they are listed to people.
    pub const ALL: &'static [Self] = &[
        Self::ClaudeCode,
        Self::Codex,
        Self::CopilotCli,
        Self::GeminiCli,
        Self::OpenCode,
        Self::CursorCli,
    ];

    /// The word for this harness in a policy.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::CopilotCli => "copilot-cli",
            Self::GeminiCli => "gemini-cli",
            Self::OpenCode => "opencode",
            Self::CursorCli => "cursor-cli",
        }
    }
}

impl fmt::Display for Harness {
    /// Writes the [name](Harness::name).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Harness {
    type Err = UnknownName;

    /// # Errors
    ///
    /// [`UnknownName`] for any text that is not exactly the [name](Self::name) of a harness.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let all = Self::ALL.iter().copied();
        let found = all.clone().find(|one| one.name() == name);
        found.ok_or_else(|| UnknownName::new("harness", name, all.map(Self::name)))
    }
}

#[cfg(test)]
mod tests {
    use core::fmt::{Debug, Display};
    use core::str::FromStr;

    use super::Harness;
    use crate::{Mode, Posture, UnknownName};
    use alloc::string::{String, ToString};

    fn each_reads_back_and_nothing_else<T>(all: &[T], message: &str)
    where
        T: Copy + Debug + Display + FromStr<Err = UnknownName> + PartialEq,
    {
        for one in all {
            let name = one.to_string();
            assert_eq!(name.parse(), Ok(*one));
            for other in ["", " ", "\0"].map(|end| name.to_uppercase() + end) {
                assert!(other.parse::<T>().is_err(), "{other:?}");
            }
        }
        let refused = "x\n".parse::<T>().map_err(|error| error.to_string());
        assert_eq!(refused, Err(String::from(message)));
    }

    #[test]
    fn names_read_back() {
        each_reads_back_and_nothing_else(
            Harness::ALL,
            "no harness `x\\n`; write `claude-code`, `codex`, `copilot-cli`, `gemini-cli`, `opencode` or `cursor-cli`",
        );
        each_reads_back_and_nothing_else(
            &Mode::ALL,
            "no sandbox mode `x\\n`; write `read-only`, `workspace-write` or `off`",
        );
        each_reads_back_and_nothing_else(
            Posture::ALL,
            "no posture `x\\n`; write `off`, `warn` or `enforce`",
        );
    }
}

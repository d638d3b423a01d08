//! The coding agents that a profile can pin.

use core::fmt;

/// A coding agent's program, for whose own settings a policy can be rendered.
///
/// ```
/// use policy_core::Harness;
///
/// assert_eq!(Harness::from_name("claude-code"), Some(Harness::ClaudeCode));
/// assert_eq!(Harness::from_name("Claude Code"), None);
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

    /// The harness of this name, spelled exactly; `None` for any other text.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|harness| harness.name() == name)
    }
}

impl fmt::Display for Harness {
    /// Writes the [name](Harness::name).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

//! One folder a harness, all of one shape: `mod` (the record; what is written and what is said of it),
//! `facts`, `spelling`, `ways`, `checks`.

pub(crate) mod claude_code;
pub(crate) mod codex;
pub(crate) mod copilot_cli;
pub(crate) mod cursor_cli;
pub(crate) mod gemini_cli;
pub(crate) mod opencode;

mod overlap;
mod paths;

//! What the agents were seen to do, one row each: the readers that the laws of rendering trust must
//! answer as the real programs did. The last column of a row is its source: a section of the record
//! of observations and how it is known there, OBS for a run of the real program (with the case's
//! letter), CL for the vendor's changelog, SRT for the source of the sandbox runtime, DOC for the
//! vendor's documentation. Without a tag the row follows from the rules of that section.

#[cfg(test)]
mod observed {
    mod claude_code;
    mod codex;
    mod copilot_cli;
    mod corpus;
    mod cursor_cli;
    mod gemini_cli;
    mod opencode;
    mod shared;
}

#[cfg(test)]
pub mod reader;

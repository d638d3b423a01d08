//! What the agents were seen to do, one row each: the readers that the laws of rendering trust must
//! answer as the real programs did. The last column of a row says how it is known: *seen* in a run of
//! the program, from the vendor's *changelog* or *documentation*, from the *source* of the sandbox
//! runtime, or that it *follows* from rows that were seen; after a colon, what was seen besides.

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

//! One module a command.

pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod harnesses;
mod lines;
mod pins;
pub(crate) mod presets;
pub(crate) mod release;
pub(crate) mod test;
pub(crate) mod validate;

/// The exit code of a command, as in its `--help`.
pub(crate) type Status = std::io::Result<u8>;

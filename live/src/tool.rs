//! Tools of the system: whether they are there, and running one to its end.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use crate::Result;

/// Whether a program is there to be run.
pub(crate) fn on_path(command: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|directory| directory.join(command).is_file())
    })
}

/// Runs a tool of the system to its end.
pub(crate) fn run<I, S>(program: &str, args: I) -> Result<()>
where
    I: IntoIterator<Item = S>,
    S: AsRef<OsStr>,
{
    let mut command = Command::new(program);
    let output = command.args(args).stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?}: {}", said.trim()).into())
}

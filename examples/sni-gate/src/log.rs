//! Lines for standard error that never make the gate wait.

use std::io::{self, Write as _};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// How many lines wait for a reader before further ones are dropped.
const WAITING: usize = 1024;

/// Where lines are handed to the thread that writes them.
#[derive(Clone, Debug)]
pub struct Log(SyncSender<String>);

impl Log {
    /// Starts the thread that writes to standard error.
    ///
    /// # Errors
    ///
    /// When the thread cannot be started.
    pub fn to_standard_error() -> io::Result<Self> {
        let (lines, waiting) = sync_channel::<String>(WAITING);
        thread::Builder::new().spawn(move || {
            for line in waiting {
                // Nobody is left to tell when standard error is closed.
                let _ = writeln!(io::stderr(), "{line}");
            }
        })?;
        Ok(Self(lines))
    }

    /// Hands a line over, or drops it where the reader of standard error has stopped reading: the gate goes on.
    pub fn line(&self, line: String) {
        let _ = self.0.try_send(line);
    }
}

//! Whole lines, and each in one write: other processes may write into the same pipe.

use core::fmt::{self, Write as _};
use std::io;

use anstream::adapter::strip_str;

use crate::watch;

/// What a pipe takes without letting others in between. POSIX promises 512, Linux a page.
const MOST_AT_ONCE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// Where a stream ends.
#[derive(Clone, Copy)]
pub(super) enum Sink {
    Stdout,
    Stderr,
}

/// A buffer of whole lines below what strips the colours. Only a line that is longer than a pipe
/// takes at once may be torn by another writer.
pub(super) struct Stream {
    sink: Sink,
    is_coloured: bool,
    lines: String,
}

impl Stream {
    pub(super) fn new(sink: Sink, is_coloured: bool) -> Self {
        Self {
            sink,
            is_coloured,
            lines: String::new(),
        }
    }

    /// Adds a line, or several that belong together.
    pub(super) fn line(&mut self, line: impl fmt::Display) -> io::Result<()> {
        let start = self.lines.len();
        // Writing to a string fails only where the value itself does.
        if self.is_coloured {
            writeln!(self.lines, "{line}").map_err(io::Error::other)?;
        } else {
            let text = line.to_string();
            writeln!(self.lines, "{}", strip_str(&text)).map_err(io::Error::other)?;
        }
        if self.lines.len() > MOST_AT_ONCE {
            let (before, _) = self.lines.split_at_checked(start).unwrap_or_default();
            write_all(self.sink, before.as_bytes())?;
            self.lines.drain(..start);
        }
        Ok(())
    }

    /// Writes out what is buffered. What could not be written is not tried again.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let written = write_all(self.sink, self.lines.as_bytes());
        self.lines.clear();
        written
    }
}

fn write_all(sink: Sink, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match watch::answering(|| write(sink, bytes)) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// To the descriptor itself: the standard library takes one that cannot be written to for one that
/// took all.
#[cfg(unix)]
fn write(sink: Sink, bytes: &[u8]) -> io::Result<usize> {
    let written = match sink {
        Sink::Stdout => rustix::io::write(io::stdout(), bytes),
        Sink::Stderr => rustix::io::write(io::stderr(), bytes),
    };
    Ok(written?)
}

#[cfg(not(unix))]
fn write(sink: Sink, bytes: &[u8]) -> io::Result<usize> {
    let (mut stdout, mut stderr) = (io::stdout(), io::stderr());
    let stream: &mut dyn io::Write = match sink {
        Sink::Stdout => &mut stdout,
        Sink::Stderr => &mut stderr,
    };
    let written = stream.write(bytes)?;
    stream.flush()?;
    Ok(written)
}

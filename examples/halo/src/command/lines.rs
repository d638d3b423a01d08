//! Many hosts from standard input: one a line, one answer each.

use core::time::Duration;
use std::io::{self, BufRead, IsTerminal as _, Read as _};

use indicatif::{ProgressBar, ProgressStyle};
use policy_core::{Host, HostError};

use super::Status;
use super::test::undecided;
use crate::out::{BAD, Out};

/// A longer line is no host, and is not kept.
const MOST_LINE_BYTES: u64 = 64 * 1024;

/// How much of a line that was not read to its end is shown.
const SHOWN_OF_A_CUT_LINE: usize = 80;

/// Why a line is no host.
struct Refusal<'a> {
    input: &'a str,
    code: &'a str,
    message: &'a str,
    help: &'a str,
}

/// Answers each line of standard input by `answer`; an empty one, and one that begins with `#`, is
/// skipped. One that is no host is answered here, and its status, 2, wins over the others. So does
/// that of an input that asks about nothing, or that was not read to its end.
pub(super) fn each(out: &mut Out, mut answer: impl FnMut(&Host, &mut Out) -> Status) -> Status {
    if let Err(error) = require_readable() {
        return unreadable(&error, out);
    }
    let mut input = io::stdin().lock();
    let progress = progress();
    let mut worst = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        let whole = match read_line(&mut input, &mut line) {
            Ok(Some(whole)) => whole,
            Ok(None) => break,
            Err(error) => {
                progress.finish_and_clear();
                return unreadable(&error, out);
            }
        };
        if whole && (line.is_empty() || line.starts_with(b"#")) {
            continue;
        }
        let status = match (core::str::from_utf8(&line), whole) {
            (Ok(text), true) => match Host::parse(text) {
                Ok(host) => answer(&host, out)?,
                Err(error) => refuse_host(text, error, out)?,
            },
            (Err(_), true) => {
                let text = String::from_utf8_lossy(&line);
                let refusal = Refusal {
                    input: &text,
                    code: "host-not-utf8",
                    message: "bytes that are no UTF-8",
                    help: "write UTF-8",
                };
                refuse(&refusal, out)?
            }
            (_, false) => {
                let refusal = Refusal {
                    input: &start_of(&line),
                    code: "line-too-long",
                    message: "a line over 64 KiB",
                    help: "write one host a line",
                };
                refuse(&refusal, out)?
            }
        };
        worst = worst.max(Some(status));
        progress.inc(1);
    }
    progress.finish_and_clear();
    match worst {
        Some(worst) => Ok(worst),
        None => unasked(
            "input-empty",
            "standard input asks about no host",
            "write one host a line",
            out,
        ),
    }
}

fn unreadable(error: &io::Error, out: &mut Out) -> Status {
    unasked(
        "input-unreadable",
        "standard input could not be read",
        &error.to_string(),
        out,
    )
}

/// The answer where hosts were not asked about that should have been. Whoever reads JSON reads no
/// diagnostics.
fn unasked(code: &str, message: &str, help: &str, out: &mut Out) -> Status {
    if out.is_json() {
        out.json_line(&undecided("-", code, message, help))?;
    }
    out.error(message, help);
    Ok(2)
}

/// The standard library reads nothing from a descriptor that is there for writing alone, without an error.
#[cfg(unix)]
fn require_readable() -> io::Result<()> {
    use rustix::fs::{OFlags, fcntl_getfl};

    match fcntl_getfl(io::stdin())? & OFlags::RWMODE {
        OFlags::WRONLY => Err(rustix::io::Errno::BADF.into()),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn require_readable() -> io::Result<()> {
    Ok(())
}

/// Reads a line without its end, a final CR included; whether that is all of it, and nothing at the
/// end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    let most = MOST_LINE_BYTES.saturating_add(1);
    let read = input.by_ref().take(most).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if u64::try_from(read).is_ok_and(|read| read > MOST_LINE_BYTES) {
        input.skip_until(b'\n')?;
        return Ok(Some(false));
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(true))
}

/// The first characters of a line that was cut, without what may be a secret and up to a colon: what
/// follows one may be a password whose end was not read.
fn start_of(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = policy_core::masked_host(&text);
    let shown = text.chars().take_while(|c| *c != ':');
    shown.take(SHOWN_OF_A_CUT_LINE).collect()
}

fn refuse_host(input: &str, error: HostError, out: &mut Out) -> Status {
    let refusal = Refusal {
        input,
        code: error.code(),
        message: &error.to_string(),
        help: &error.help(input),
    };
    refuse(&refusal, out)
}

fn refuse(refusal: &Refusal<'_>, out: &mut Out) -> Status {
    let Refusal {
        input,
        code,
        message,
        help,
    } = *refusal;
    if out.is_json() {
        out.json_line(&undecided(input, code, message, help))?;
    } else {
        let input = policy_core::quoted_host(input);
        out.line(format_args!(
            "{BAD}DENY{BAD:#} {input}  (not a host: {message}; {help})"
        ))?;
    }
    Ok(2)
}

/// A counter on a terminal, after a moment; nothing elsewhere.
fn progress() -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdin().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {human_pos} hosts, {per_sec}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

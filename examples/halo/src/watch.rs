//! A deadline for what may hang: a directory on a mount that never answers.
//!
//! A thread of its own ends the process, since the one that waits cannot. Where the system keeps even a
//! killed process waiting, the process is told off in time and goes when the system lets it go.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use crate::out::{self, shown};

/// How long a directory that is read may keep a command waiting.
pub(crate) const READING: Duration = Duration::from_secs(30);

/// How long one that is written may: every file is brought to the disk, and another build may be at it.
pub(crate) const WRITING: Duration = Duration::from_secs(300);

/// How long the message itself may take.
const TELLING: Duration = Duration::from_secs(1);

static LIMIT: OnceLock<Duration> = OnceLock::new();
static DOING: Mutex<Vec<String>> = Mutex::new(Vec::new());
static ANSWERING: AtomicBool = AtomicBool::new(false);

/// Sets the limit of everything that is watched, in place of each one's own.
pub(crate) fn set_limit(limit: Duration) {
    // It is set once, by the arguments.
    let _ = LIMIT.set(limit);
}

/// Does what may hang. After the limit the process ends with 2 and says at what it hung.
pub(crate) fn during<T>(what: String, limit: Duration, work: impl FnOnce() -> T) -> T {
    let limit = LIMIT.get().copied().unwrap_or(limit);
    doing(|doing| doing.push(what));
    let (done, ended) = mpsc::channel::<()>();
    // Without a thread there is no deadline, and the answer is as good.
    let _ = thread::Builder::new().spawn(move || {
        while ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            if !ANSWERING.load(Ordering::Relaxed) {
                end(limit);
            }
        }
    });
    let result = work();
    drop(done);
    doing(|doing| {
        doing.pop();
    });
    result
}

/// Writes an answer. Who reads it may take any time.
pub(crate) fn answering<T>(write: impl FnOnce() -> T) -> T {
    ANSWERING.store(true, Ordering::Relaxed);
    let result = write();
    ANSWERING.store(false, Ordering::Relaxed);
    result
}

fn doing<T>(change: impl FnOnce(&mut Vec<String>) -> T) -> T {
    change(&mut DOING.lock().unwrap_or_else(PoisonError::into_inner))
}

fn end(limit: Duration) {
    let what = doing(|doing| doing.last().cloned().unwrap_or_default());
    let place = blocked_at().map_or_else(String::new, |place| format!(", at {}", shown(&place)));
    let seconds = limit.as_secs();
    let text = format!(
        "error: {what} did not end within {seconds} s{place}\n  \
         help: look for a mount that does not answer; where it is only slow, raise `--timeout`"
    );
    let (told, wait) = mpsc::channel();
    let teller = thread::Builder::new().spawn(move || {
        // The exit code says the same.
        let _ = out::text(&text, true);
        let _ = told.send(());
    });
    if teller.is_ok() {
        let _ = wait.recv_timeout(TELLING);
    }
    std::process::exit(2);
}

/// The open directory or file of the call in which the main thread waits, where the system tells. Looking
/// at it does not ask the mount.
#[cfg(target_os = "linux")]
fn blocked_at() -> Option<PathBuf> {
    use std::fs;

    let main = std::process::id();
    let call = fs::read_to_string(format!("/proc/self/task/{main}/syscall")).ok()?;
    let first = call.split_whitespace().nth(1)?.strip_prefix("0x")?;
    let descriptor = u32::from_str_radix(first, 16).ok()?;
    let place = fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
    place.is_absolute().then_some(place)
}

#[cfg(not(target_os = "linux"))]
fn blocked_at() -> Option<PathBuf> {
    None
}

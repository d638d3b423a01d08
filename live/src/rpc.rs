//! JSON-RPC over a program's standard streams.
#![expect(
    clippy::indexing_slicing,
    reason = "a JSON value gives null for what it does not hold"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Result;

/// No answer is longer.
const MAX_MESSAGE: u64 = 16 << 20;
/// Nor takes one longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where a message ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Framing {
    /// After as many bytes as the `Content-Length` before it says.
    Length,
    /// At the end of its line.
    Line,
}

/// A program that serves.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    stdin: ChildStdin,
    messages: Receiver<Value>,
    framing: Framing,
    /// What the program gets for whatever it asks back.
    yes: Value,
    last: u64,
}

impl Server {
    pub(crate) fn start(mut command: Command, framing: Framing, yes: Value) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let stdin = child.stdin.take().ok_or("no standard input")?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            while let Some(message) = read(&mut reader, framing) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            stdin,
            messages,
            framing,
            yes,
            last: 0,
        })
    }

    /// Calls a method and waits for its result.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.last = self.last.saturating_add(1);
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let answer = self.wait(method, PATIENCE, |message| {
            !message["method"].is_string() && message["id"] == id
        })?;
        if answer["error"].is_object() {
            return Err(format!("{method}: {}", answer["error"]).into());
        }
        Ok(answer["result"].clone())
    }

    /// Tells the program something.
    pub(crate) fn notify(&mut self, method: &str) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method}))
    }

    /// Waits until the program tells something, and says yes to what it asks meanwhile.
    pub(crate) fn hear(&mut self, method: &str, patience: Duration) -> Result<Value> {
        self.wait(method, patience, |message| message["method"] == method)
    }

    fn wait(
        &mut self,
        what: &str,
        patience: Duration,
        is_it: impl Fn(&Value) -> bool,
    ) -> Result<Value> {
        let began = Instant::now();
        while let Some(left) = patience.checked_sub(began.elapsed()) {
            let message = self
                .messages
                .recv_timeout(left)
                .map_err(|_| format!("{what}: no answer"))?;
            if is_it(&message) {
                return Ok(message);
            }
            if message["method"].is_string() && !message["id"].is_null() {
                let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": self.yes});
                self.send(&answer)?;
            }
        }
        Err(format!("{what}: no answer").into())
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        match self.framing {
            Framing::Length => write!(self.stdin, "Content-Length: {}\r\n\r\n{body}", body.len())?,
            Framing::Line => writeln!(self.stdin, "{body}")?,
        }
        Ok(self.stdin.flush()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(reader: &mut impl BufRead, framing: Framing) -> Option<Value> {
    if let Framing::Line = framing {
        let mut line = Vec::new();
        let end = reader
            .by_ref()
            .take(MAX_MESSAGE)
            .read_until(b'\n', &mut line);
        return (end.ok()? > 0).then(|| serde_json::from_slice(&line).unwrap_or(Value::Null));
    }
    let mut length = None;
    loop {
        let mut line = String::new();
        if reader.by_ref().take(1 << 10).read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let mut body = Vec::new();
    let length = length.filter(|length| *length <= MAX_MESSAGE)?;
    reader.by_ref().take(length).read_to_end(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

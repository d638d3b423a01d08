//! JSON-RPC over a program's standard streams, each message behind its `Content-Length`.
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

/// A program that serves.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    stdin: ChildStdin,
    messages: Receiver<Value>,
    last: u64,
}

impl Server {
    pub(crate) fn start(mut command: Command) -> Result<Self> {
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
            while let Some(message) = read(&mut reader) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            stdin,
            messages,
            last: 0,
        })
    }

    /// Calls a method and waits for its result. Whatever the program asks back gets an empty answer.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.last = self.last.saturating_add(1);
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let began = Instant::now();
        while let Some(left) = PATIENCE.checked_sub(began.elapsed()) {
            let message = self
                .messages
                .recv_timeout(left)
                .map_err(|_| format!("{method}: no answer"))?;
            if message["method"].is_string() {
                if !message["id"].is_null() {
                    self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": {}}))?;
                }
            } else if message["id"] == id {
                if message["error"].is_object() {
                    return Err(format!("{method}: {}", message["error"]).into());
                }
                return Ok(message["result"].clone());
            }
        }
        Err(format!("{method}: no answer").into())
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        write!(self.stdin, "Content-Length: {}\r\n\r\n{body}", body.len())?;
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

fn read(reader: &mut impl BufRead) -> Option<Value> {
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

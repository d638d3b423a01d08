//! Reads a connection a line, what its client sent in hexadecimal, and counts what becomes of it behind the first hello.
//!
//! `agreement/resume` writes the lines.

use std::io::{self, BufRead as _, Write as _};

use tls_sni::{ClientHello, Follower, Next, Scanner, Status};

fn main() -> io::Result<()> {
    let [mut settled, mut open, mut refused] = [0_u32; 3];
    for line in io::stdin().lock().lines() {
        let line = line?;
        let stream: Vec<u8> = line
            .as_bytes()
            .chunks(2)
            .filter_map(|pair| u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        // All at once and byte by byte: a gate gets either.
        for step in [stream.len(), 1] {
            match outcome(&stream, step) {
                Some(Next::Settled) => settled += 1,
                Some(_) => open += 1,
                None => refused += 1,
            }
        }
    }
    writeln!(
        io::stdout(),
        "settled {settled}, not settled {open}, refused {refused}"
    )
}

/// What the last call says once all has come; `None` where something is refused.
fn outcome(stream: &[u8], step: usize) -> Option<Next> {
    let Ok(Status::Complete(end)) = Scanner::new().advance(stream) else {
        return None;
    };
    let (first, behind) = stream.split_at_checked(end)?;
    let Ok(Status::Complete(first)) = ClientHello::parse(first) else {
        return None;
    };
    let mut follower = Follower::new(first);
    let (mut sent, mut received) = (0, 0);
    loop {
        match follower.advance(behind.get(sent..received)?) {
            Ok(Next::Forward(bytes)) => sent += bytes,
            Ok(next @ Next::Incomplete { .. }) if received == behind.len() => return Some(next),
            Ok(Next::Incomplete { .. }) => received = (received + step).min(behind.len()),
            Ok(Next::Settled) => return Some(Next::Settled),
            Err(_) => return None,
        }
    }
}

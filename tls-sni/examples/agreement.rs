//! Reads hellos in hexadecimal, a line each, and writes what this crate says and what rustls acts on: a name in hexadecimal, "-"
//! for none, "!" for a refusal; of ours also "invalid", "more" and "not_tls", and the word of an error in place of "!".
//!
//! `agreement/ask` puts it beside other servers.

use std::error::Error;
use std::io::{self, BufRead as _, Write as _};

use rustls::server::Acceptor;
use tls_sni::{ClientHello, ServerName, Status};

fn ours(input: &[u8]) -> String {
    match ClientHello::parse(input) {
        Ok(Status::Complete(hello)) => match hello.server_name() {
            ServerName::Absent => "-".to_owned(),
            ServerName::Host(host) => hex(host.as_sent().iter()),
            ServerName::Invalid(_) => "invalid".to_owned(),
        },
        Ok(Status::Incomplete { .. }) => "more".to_owned(),
        Ok(Status::NotTls) => "not_tls".to_owned(),
        Err(error) => error.kind().code().to_owned(),
    }
}

fn rustls(mut input: &[u8]) -> String {
    let mut acceptor = Acceptor::default();
    while !input.is_empty() {
        match acceptor.read_tls(&mut input).map(|_| acceptor.accept()) {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(accepted))) => {
                let hello = accepted.client_hello();
                return hello
                    .server_name()
                    .map_or_else(|| "-".to_owned(), |name| hex(name.bytes()));
            }
            Ok(Err(_)) | Err(_) => break,
        }
    }
    "!".to_owned()
}

fn hex(bytes: impl Iterator<Item = u8>) -> String {
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(line: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let pairs = (0..line.len()).step_by(2);
    pairs
        .map(|at| {
            let pair = line.get(at..at + 2).ok_or("an odd number of digits")?;
            Ok(u8::from_str_radix(pair, 16)?)
        })
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    writeln!(out, "tls-sni {}\trustls", env!("CARGO_PKG_VERSION"))?;
    for line in io::stdin().lock().lines() {
        let hello = bytes(line?.trim_end())?;
        writeln!(out, "{}\t{}", ours(&hello), rustls(&hello))?;
    }
    out.flush()?;
    Ok(())
}

//! Prints what each file's first bytes say, one JSON object a line; `-` reads standard input.
//!
//! `cargo run -p tls-sni --example inspect -- FILE…`

use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;
use std::{env, fs};

use serde::Serialize;
use tls_sni::{ClientHello, Ech, ServerName, Status};

/// One line of output; what there is none of is `null`.
#[derive(Default, Serialize)]
pub(crate) struct Line<'a> {
    file: &'a str,
    outcome: &'static str,
    /// How many bytes there must be, in all, for more to be known.
    needed: Option<usize>,
    server_name: Option<Name>,
    alpn: Option<Vec<String>>,
    supported_versions: Option<Vec<String>>,
    ech: Option<&'static str>,
    records: Option<u32>,
    /// Why there is no hello, or why its name is invalid.
    error: Option<String>,
}

#[derive(Serialize)]
struct Name {
    kind: &'static str,
    /// Canonical: lower case, no trailing dot.
    name: Option<String>,
}

pub(crate) fn line<'a>(file: &'a str, input: &[u8]) -> Line<'a> {
    let line = Line {
        file,
        ..Line::default()
    };
    match ClientHello::parse(input) {
        Ok(Status::Complete(hello)) => Line {
            file,
            ..describe(&hello)
        },
        Ok(Status::Incomplete { needed }) => Line {
            outcome: "incomplete",
            needed: Some(needed),
            ..line
        },
        Ok(Status::NotTls) => Line {
            outcome: "not_tls",
            ..line
        },
        Err(error) => Line {
            outcome: "error",
            error: Some(error.to_string()),
            ..line
        },
    }
}

fn describe(hello: &ClientHello<'_>) -> Line<'static> {
    let (kind, name, error) = match hello.server_name() {
        ServerName::Absent => ("absent", None, None),
        ServerName::Host(host) => ("host", Some(host.to_string()), None),
        ServerName::Invalid(name) => ("invalid", None, Some(name.to_string())),
    };
    let text = |bytes: tls_sni::Bytes<'_>| {
        bytes
            .chunks()
            .map(|chunk| chunk.escape_ascii().to_string())
            .collect::<String>()
    };
    Line {
        outcome: "hello",
        server_name: Some(Name { kind, name }),
        alpn: Some(hello.alpn().map(text).collect()),
        supported_versions: Some(hello.supported_versions().map(version).collect()),
        ech: Some(match hello.ech() {
            Ech::None => "none",
            Ech::Outer { .. } => "outer",
            Ech::Inner => "inner",
            Ech::Draft(_) => "draft",
            Ech::Esni => "esni",
            _ => "malformed",
        }),
        records: Some(hello.records()),
        error,
        ..Line::default()
    }
}

/// `1.0` to `1.3` for the versions of TLS, hexadecimal for anything else.
fn version(version: u16) -> String {
    match version {
        0x0301..=0x0304 => format!("1.{}", version - 0x0301),
        _ => format!("{version:#06x}"),
    }
}

fn read(file: &str) -> io::Result<Vec<u8>> {
    if file != "-" {
        return fs::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn main() -> ExitCode {
    let files: Vec<String> = env::args().skip(1).collect();
    let mut errors = io::stderr().lock();
    if files.is_empty() {
        let _ = writeln!(errors, "usage: inspect FILE… (`-` reads standard input)");
        return ExitCode::from(2);
    }
    let mut status = ExitCode::SUCCESS;
    for file in &files {
        let written = read(file).and_then(|input| {
            let json = serde_json::to_string(&line(file, &input))?;
            writeln!(io::stdout(), "{json}")
        });
        if let Err(error) = written {
            let _ = writeln!(errors, "`{}`: {error}", file.escape_debug());
            status = ExitCode::from(2);
        }
    }
    status
}

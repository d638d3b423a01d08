//! What an OpenSSL server acts on, asked through a memory BIO of the machine's Python.
//!
//! Where OpenSSL accepts a hello with name N, we return N, an invalid name or an error; never another name, and never none.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::{env, thread};

use tls_sni::{ClientHello, ServerName, Status};

use crate::laws;
use crate::material::{captures, vectors};
use crate::plan::Plan;
use crate::reference::Behind;
use crate::wire::{self, extension};

fn skipped(why: &str) {
    assert!(env::var_os("REQUIRE_OPENSSL").is_none(), "{why}");
    eprintln!("SKIPPED, nothing was compared with OpenSSL: {why}");
}

/// The answers to the hellos in their order, names in hexadecimal; `None`, with a word to the reader of the test's output, where there is no OpenSSL.
fn openssl(hellos: &[Vec<u8>]) -> Option<Vec<String>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hello/openssl.py");
    let python = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut python = match python {
        Ok(python) => python,
        Err(error) => {
            skipped(&format!("python3: {error}"));
            return None;
        }
    };
    let lines: String = hellos
        .iter()
        .map(|hello| {
            hello
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
                + "\n"
        })
        .collect();
    let mut stdin = python.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let mut answers: Vec<String> = BufReader::new(python.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap)
        .collect();
    let written = writer.join().unwrap();
    python.wait().unwrap();
    if answers.is_empty() {
        skipped("this python3 has no ssl module");
        return None;
    }
    written.unwrap();
    println!("{}", answers.remove(0));
    assert_eq!(answers.len(), hellos.len());
    Some(answers)
}

/// Asserts the statement for one hello; whether OpenSSL accepted it.
fn holds(id: &str, hello: &[u8], theirs: &str) -> bool {
    if theirs == "!" {
        return false;
    }
    match ClientHello::parse(hello) {
        Err(_) => {}
        Ok(Status::Complete(hello)) => match hello.server_name() {
            ServerName::Invalid(_) => {}
            ServerName::Absent => assert_eq!(theirs, "-", "{id}"),
            ServerName::Host(host) => {
                let sent: String = host
                    .as_sent()
                    .iter()
                    .map(|byte| format!("{byte:02x}"))
                    .collect();
                assert_eq!(sent, theirs, "{id}: {host}");
            }
        },
        Ok(other) => panic!("{id}: OpenSSL acts on {theirs}, we say {other:?}"),
    }
    true
}

#[test]
fn openssl_acts_on_no_other_name_in_any_sample() {
    let samples: Vec<_> = captures().into_iter().chain(vectors()).collect();
    let hellos: Vec<Vec<u8>> = samples.iter().map(|sample| sample.bytes.clone()).collect();
    let Some(answers) = openssl(&hellos) else {
        return;
    };
    let mut accepted = Vec::new();
    for (sample, answer) in samples.iter().zip(&answers) {
        if holds(&sample.id, &sample.bytes, answer) {
            accepted.push(sample.id.as_str());
        }
    }
    assert!(accepted.len() > 80, "OpenSSL accepts only {accepted:?}");
    let at = samples
        .iter()
        .position(|sample| sample.id == "diff-boundary-blind")
        .unwrap();
    assert_eq!(answers[at], "6576696c2e6578616d706c65", "evil.example");
}

/// Drawn hellos with what OpenSSL insists on, whole and with single bytes spoiled.
#[test]
fn openssl_acts_on_no_other_name_in_drawn_hellos() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    let hellos: Vec<Vec<u8>> = (0..400)
        .filter_map(|_| {
            let bytes: Vec<u8> = (0..60).flat_map(|_| random()).collect();
            let plan = Plan::from_bytes(&bytes)?;
            let mut hello = plan.expected().hello;
            hello.legacy_version = 0x0303;
            hello.cipher_suites.extend([0x13, 0x01, 0xc0, 0x2f]);
            hello.compression = vec![0];
            let mut extensions = hello.extensions.take().unwrap_or_default();
            extensions.extend(extension(13, &[0, 4, 8, 4, 4, 3]));
            hello.extensions = Some(extensions);
            let mut message = hello.message();
            let [place, value, spoil, ..] = random();
            if spoil < 128 {
                let place = message.len() - 1 - usize::from(place) % (message.len() - 44);
                message[place] = value;
            }
            Some(wire::records(&message, []))
        })
        .collect();
    let Some(answers) = openssl(&hellos) else {
        return;
    };
    let accepted = hellos
        .iter()
        .zip(&answers)
        .filter(|(hello, answer)| holds("drawn", hello, answer))
        .count();
    assert!(
        accepted > 100,
        "OpenSSL accepts only {accepted} of {}",
        hellos.len()
    );
}

/// TLS 1.2 resumed with three kinds of cipher: nothing that the client sends is refused, nor held once its data has come.
#[test]
fn no_resumption_by_openssl_is_refused_or_held() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/agreement/resume");
    let run = Command::new("python3")
        .args([script, "60", "lines"])
        .output();
    let output = match run {
        Ok(output) if output.status.success() => output.stdout,
        Ok(output) => {
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            return skipped(
                error
                    .lines()
                    .last()
                    .unwrap_or("not every session was resumed"),
            );
        }
        Err(error) => return skipped(&format!("python3: {error}")),
    };
    let mut resumed = 0;
    for line in String::from_utf8(output).unwrap().lines() {
        let stream: Vec<u8> = line
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
        laws::second_hello(&stream);
        let Ok(Status::Complete(first)) = ClientHello::parse(&stream) else {
            panic!("{line}");
        };
        let behind = &stream[first.consumed()..];
        // The client's key exchange is not asked for again, so the first record is the change of cipher.
        assert_eq!(behind[0], 20, "{line}");
        for step in [1, behind.len()] {
            let end = laws::followed(first, behind, step);
            assert_eq!(end, Behind::Settled(6), "{line}");
        }
        resumed += 1;
    }
    assert_eq!(resumed, 60);
}

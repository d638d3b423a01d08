//! `hot-reload POLICY HOST...`: decides each host by the compiled policy in the file, which is read
//! again before each of them.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example that talks"
)]

use std::process::ExitCode;

use hot_reload::Current;
use policy_core::{Egress, Host};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: hot-reload POLICY HOST...");
        return ExitCode::from(2);
    };
    let first = std::fs::read(&file).map(|bytes| Egress::from_bytes(&bytes));
    let current = match first {
        Ok(Ok(policy)) => Current::new(policy),
        Ok(Err(error)) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    };
    for text in arguments {
        match std::fs::read(&file) {
            Ok(bytes) => {
                if let Err(error) = current.reload(&bytes) {
                    eprintln!("{file}: {error}; the policy before it stays in force");
                }
            }
            Err(error) => eprintln!("{file}: {error}; the policy before it stays in force"),
        }
        let policy = current.load();
        match Host::parse(&text) {
            Ok(host) => {
                let decision = policy.decide(&host);
                println!("{} {host} ({})", decision.verdict(), decision.rule());
            }
            Err(error) => println!("deny {} ({error})", policy_core::quoted_host(&text)),
        }
    }
    ExitCode::SUCCESS
}

//! `halo`: the egress and sandbox policy of coding agents on the command line.
//!
//! Thin over the libraries: it reads arguments, calls `policy-core` and `harness-render`, and lays the answer out. It
//! decides nothing, validates nothing and parses no YAML.
#![forbid(unsafe_code)]

extern crate alloc;

mod cli;
mod command;
mod out;
mod policy;
mod watch;

use core::time::Duration;
use std::process::ExitCode;

use cli::{Cli, Command, EgressCommand, ReleaseCommand};
use out::Out;

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => return refuse_arguments(&error),
    };
    let mut out = Out::new(cli.global.output, cli.global.color);
    let global = &cli.global;
    if let Some(seconds) = global.timeout {
        watch::set_limit(Duration::from_secs(seconds));
    }
    if matches!(cli.command, Command::Harnesses | Command::Presets(_))
        && let Err(error) = policy::require_named(global)
    {
        out.error(&error.message, &error.help);
        return ExitCode::from(2);
    }
    let result = match &cli.command {
        Command::Validate(_) => command::validate::run(global, &mut out),
        Command::Release(ReleaseCommand::Build(args)) => {
            command::release::run(global, args, &mut out)
        }
        Command::Harnesses => command::harnesses::run(&mut out),
        Command::Doctor(args) => {
            let what = format!("looking at the device below {}", out::shown(&args.root));
            watch::during(what, watch::READING, || {
                command::doctor::run(global, args, &mut out)
            })
        }
        Command::Presets(args) => command::presets::run(args, &mut out),
        Command::Egress(EgressCommand::Test(args)) => command::test::run(global, args, &mut out),
        Command::Egress(EgressCommand::Diff(args)) => command::diff::run(global, args, &mut out),
        Command::Egress(EgressCommand::Explain(args)) => {
            command::explain::run(global, args, &mut out)
        }
    };
    let status = result.and_then(|status| out.finish().map(|()| status));
    match status {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            // Whoever reads the answer has read enough; nothing is left to say.
            if error.kind() != std::io::ErrorKind::BrokenPipe {
                out.unwritten(&error);
            }
            unwritten(&error)
        }
    }
}

/// The exit code where an answer was not written: a closed pipe ends a command as its signal would.
fn unwritten(error: &std::io::Error) -> ExitCode {
    ExitCode::from(match error.kind() {
        std::io::ErrorKind::BrokenPipe => 141,
        _ => 2,
    })
}

/// Says what is wrong with the arguments, or shows the help that was asked for.
///
/// An argument is repeated in it. One with a password in it, or with what a terminal would act on, is
/// repeated without, and then nothing is coloured.
fn refuse_arguments(error: &clap::Error) -> ExitCode {
    let rendered = error.render();
    let text = rendered.to_string();
    let plain: String = without_secrets(&text)
        .chars()
        .flat_map(|c| match c {
            '\n' => vec![c],
            c if policy_core::is_hidden(c) => c.escape_unicode().collect(),
            c => vec![c],
        })
        .collect();
    let written = if plain == text || !error.use_stderr() {
        out::text(&rendered.ansi().to_string(), error.use_stderr())
    } else {
        out::text(&plain, error.use_stderr())
    };
    match written {
        Ok(()) => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
        Err(failure) => {
            let what = match error.kind() {
                clap::error::ErrorKind::DisplayVersion => "version",
                _ => "help",
            };
            if failure.kind() != std::io::ErrorKind::BrokenPipe {
                // It may be this stream that fails; the exit code says the same.
                let _ = out::text(
                    &format!("error: the {what} could not be written whole: {failure}"),
                    true,
                );
            }
            unwritten(&failure)
        }
    }
}

/// A text about the arguments, with each of them as it may be shown should it be a host or a URL.
fn without_secrets(text: &str) -> String {
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let values = arguments
        .iter()
        .filter_map(|argument| argument.split_once('=').map(|(_, value)| value));
    let mut secret: Vec<&str> = arguments.iter().map(String::as_str).chain(values).collect();
    // One may be a part of another.
    secret.sort_by_key(|argument| core::cmp::Reverse(argument.len()));
    secret.into_iter().fold(
        text.to_owned(),
        |text, argument| match policy_core::masked_host(argument) {
            masked if masked == argument => text,
            masked => text.replace(argument, &masked),
        },
    )
}

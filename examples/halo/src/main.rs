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

use std::process::ExitCode;

use clap::Parser as _;

use cli::{Cli, Command, EgressCommand, ReleaseCommand};
use out::Out;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = Out::new(cli.global.output, cli.global.color);
    let global = &cli.global;
    let result = match &cli.command {
        Command::Validate => command::validate::run(global, &mut out),
        Command::Release(ReleaseCommand::Build(args)) => {
            command::release::run(global, args, &mut out)
        }
        Command::Harnesses => command::harnesses::run(&mut out),
        Command::Doctor(args) => command::doctor::run(global, args, &mut out),
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
        // Whoever reads the answer has read enough; nothing is left to say.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::from(2),
        Err(error) => {
            out.error("the answer could not be written", &error.to_string());
            ExitCode::from(2)
        }
    }
}

//! Compares what the real programs do with the renderings, in namespaces that lead nowhere.
#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool answers on its standard output"
)]

mod agent;
mod cache;
mod cli;
mod effect;
mod http;
mod inside;
mod layout;
mod loosening;
mod model;
mod network;
mod outside;
mod pins;
mod policies;
mod program;
mod question;
mod questions;
mod reads;
mod report;
mod rpc;
mod session;
mod shell;
mod tool;
mod upstream;
mod verdict;
mod world;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Part};

/// A run ends with the first thing that goes wrong with the machine; what a program does wrong is
/// an outcome.
type Result<T> = core::result::Result<T, Box<dyn core::error::Error + Send + Sync>>;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.part {
        None => outside::run(&cli.run),
        Some(Part::Reads { names }) => outside::reads(names),
        Some(Part::ReadsInside(place)) => inside::reads(place),
        Some(Part::Shell(place)) => outside::shell(place),
        Some(Part::ShellInside(place)) => inside::shell(place),
        Some(Part::FarEnd) => network::far_end().map(|()| ExitCode::SUCCESS),
        Some(Part::Inside(job)) => inside::run(job).and_then(|answers| {
            println!("{}", serde_json::to_string(&answers)?);
            Ok(ExitCode::SUCCESS)
        }),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

//! The command line.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use semver::Version;

use crate::program::PROGRAMS;
use crate::reads;

/// Asks the real programs what the policy decides.
#[derive(Debug, Parser)]
#[command(name = "live/run", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(subcommand)]
    pub(crate) part: Option<Part>,
}

/// What to ask.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Programs, as in live/versions.toml; all of them if none is given.
    #[arg(value_parser = program_name())]
    pub(crate) names: Vec<String>,
    /// Only policies of these names.
    #[arg(long)]
    pub(crate) policy: Vec<String>,
    /// Only these releases of the programs, also such as are not pinned.
    #[arg(long)]
    pub(crate) version_of: Vec<Version>,
    /// The two fastest programs, their newest pinned release, few questions.
    #[arg(long)]
    pub(crate) short: bool,
    /// Also the newest published release, and what it answers otherwise than the newest pinned one.
    #[arg(long, conflicts_with = "short")]
    pub(crate) latest: bool,
    /// Leave out what users can set against the renderings.
    #[arg(long)]
    pub(crate) no_loosenings: bool,
    /// Where every outcome goes, as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Where a summary goes, as Markdown.
    #[arg(long, value_name = "FILE")]
    pub(crate) results: Option<PathBuf>,
    /// Print every outcome, not only those that need a look.
    #[arg(long)]
    pub(crate) all: bool,
}

/// The parts of a run that this program starts itself.
#[derive(Debug, Subcommand)]
pub(crate) enum Part {
    /// Everything inside the namespaces.
    #[command(hide = true)]
    Inside(Job),
    /// What programs say that they have read, beside what the posture checks find in the same files.
    Reads {
        /// Programs; all that can say it if none is given.
        #[arg(value_parser = PossibleValuesParser::new(reads::programs()))]
        names: Vec<String>,
    },
    /// The inside of that.
    #[command(hide = true)]
    ReadsInside(Place),
    /// A shell in the world of one job, with everything in place and nothing asked.
    Shell(Place),
    /// The inside of that.
    #[command(hide = true)]
    ShellInside(Place),
    /// The other end of the network.
    #[command(hide = true)]
    FarEnd,
}

/// One program, one release, one policy.
#[derive(Clone, Debug, Args)]
pub(crate) struct Place {
    #[arg(value_parser = program_name())]
    pub(crate) program: String,
    pub(crate) version: Version,
    pub(crate) policy: String,
    /// What a user sets against the rendering.
    #[arg(long)]
    pub(crate) loosening: Option<String>,
}

/// A place, and how much is asked there.
#[derive(Clone, Debug, Args)]
pub(crate) struct Job {
    #[command(flatten)]
    pub(crate) place: Place,
    /// How many questions at most.
    pub(crate) limit: usize,
}

fn program_name() -> PossibleValuesParser {
    PossibleValuesParser::new(PROGRAMS.iter().map(|program| program.name))
}

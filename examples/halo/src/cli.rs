//! The arguments.

use core::str::FromStr;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

/// The egress and sandbox policy of coding agents: decide hosts, validate policies.
#[derive(Debug, Parser)]
#[command(
    name = "halo",
    version,
    after_help = "\
Where the policy is not in this directory, --policy-dir names it. The examples work in a clone.

Examples:
  halo validate --policy-dir examples/acme
  halo egress test https://pastebin.com/raw/x --ring ring3-ga --policy-dir examples/acme
  halo egress test - --policy-dir examples/acme < hosts.txt
  halo release build --ring ring3-ga --out release --policy-dir examples/acme
  halo harnesses
  halo egress diff ring3-ga ring0-canary --policy-dir examples/acme
  halo egress explain pastebin.com --policy-dir examples/acme
  halo presets vcs

Exit codes: 0 allowed or valid, 1 denied or invalid, 2 no answer could be given."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// The arguments of this process.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let matches = Self::command().try_get_matches()?;
        let mut cli = Self::from_arg_matches(&matches)?;
        let source = matches.value_source("policy_dir");
        cli.global.named = source.is_some_and(|source| source != ValueSource::DefaultValue);
        if let Command::Validate(ValidateArgs { dir: Some(dir) }) = &cli.command {
            if source == Some(ValueSource::CommandLine) {
                return Err(Self::command().error(
                    clap::error::ErrorKind::ArgumentConflict,
                    "the argument '[DIR]' cannot be used with '--policy-dir <DIR>'",
                ));
            }
            cli.global.policy_dir.clone_from(dir);
            cli.global.named = true;
        }
        Ok(cli)
    }
}

#[derive(Args, Debug)]
pub(crate) struct Global {
    /// The policy repository
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        default_value = ".",
        env = "HALO_POLICY_DIR"
    )]
    pub(crate) policy_dir: PathBuf,
    /// Whether it was named. Then it must hold a policy.
    #[arg(skip)]
    pub(crate) named: bool,
    /// How the answer is written
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub(crate) output: Format,
    /// Whether the answer is coloured; `NO_COLOR` is honoured
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    /// How long a directory may keep the command waiting, in seconds [default: 30; for the directory of a
    /// build 300]
    #[arg(long, global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check a policy repository and list every finding
    #[command(after_help = "\
Examples:
  halo validate examples/acme
  halo validate examples/acme --output json | jq '.findings[] | select(.severity == \"error\")'

Exit codes: 0 valid, also with warnings; 1 any error, an empty file or a pipe in place of one included; 2 the repository
cannot be read (permissions, a failing disk, a change meanwhile, too much of it), or there is none.")]
    Validate(ValidateArgs),
    /// Ask about hosts
    #[command(subcommand)]
    Egress(EgressCommand),
    /// Render policies into the managed files of each harness
    #[command(subcommand)]
    Release(ReleaseCommand),
    /// List what each harness can hold, and since which release
    #[command(after_help = "\
Examples:
  halo harnesses
  halo harnesses --output json | jq '.[].facts[]'

Exit code: 0.")]
    Harnesses,
    /// Show the effective posture of every installed agent, and what weakens it
    #[command(after_help = "\
Looks at managed files, user settings, the environment and package metadata. Runs no agent, needs no
network, and shows nothing from inside a user's file. Where the policy directory holds a policy, also
says whether the managed files are what it renders.

Examples:
  halo doctor
  sudo halo doctor --home /home/alice
  halo doctor --root /mnt/image --home /home/alice --policy-dir examples/acme --ring ring3-ga
  halo doctor --project .
  halo doctor --output json | jq -r '.findings[] | select(.drift) | .line'

Exit codes: 0, also with warnings; 1 on a failure, or when the ring's posture is `enforce` and the
device is not compliant; 2 the device or the policy cannot be read.")]
    Doctor(DoctorArgs),
    /// List the preset hosts with their sources
    #[command(after_help = "\
Examples:
  halo presets
  halo presets vcs

Exit codes: 0; 2 for a preset that does not exist.")]
    Presets(PresetsArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum EgressCommand {
    /// Decide a host and name the rule
    #[command(after_help = "\
Examples:
  halo egress test https://pastebin.com/raw/x --ring ring3-ga --policy-dir examples/acme
  halo egress test github.com:443 --policy-dir examples/acme
  halo egress test pastebin.com --policy-dir examples/acme && echo 'pastebin is reachable!'
  halo egress test - --policy-dir examples/acme --output json < hosts.txt

Exit codes: 0 allowed; 1 denied; 2 not decided. With `-`, where an empty line and one that begins with
`#` are skipped: 1 when any host is denied, 2 when any could not be read or none was asked about.")]
    Test(TestArgs),
    /// Show what a second policy permits that a first does not, and the reverse
    ///
    /// A policy is a ring, `RING+UNIT`, or `profile:NAME`; after `DIR#`, that of another policy
    /// repository. Hosts and paths are compared by meaning, exactly, and each difference is shown by
    /// a host or a path.
    ///
    /// Two directories, each with a `/` in it or `.` or `..`, are compared in everything that they
    /// say: every ring, every unit in it, postures, the gateway, pins.
    #[command(after_help = "\
Examples:
  halo egress diff ring3-ga ring0-canary --policy-dir examples/acme
  halo egress diff ring3-ga ring3-ga+payments --policy-dir examples/acme
  halo egress diff profile:base profile:engineering --policy-dir examples/acme --output json
  halo egress diff ../main/examples/acme#ring3-ga ring3-ga --policy-dir examples/acme
  halo egress diff ../main/examples/acme examples/acme

Exit codes: 0 the second is within the first; 1 it is wider; 2 they could not be compared.")]
    Diff(DiffArgs),
    /// Show the whole way to the answer for a host, and what would change it
    #[command(after_help = "\
Examples:
  halo egress explain pastebin.com --ring ring3-ga --policy-dir examples/acme
  halo egress explain gist.github.com --ring ring3-ga --unit payments --policy-dir examples/acme
  halo egress explain github.com --policy-dir examples/acme --output json | jq -r '.changes[].text'
  halo egress explain - --policy-dir examples/acme --output json < hosts.txt

Exit codes: 0 allowed; 1 denied; 2 not decided. With `-`, where an empty line and one that begins with
`#` are skipped: 1 when any host is denied, 2 when any could not be read or none was asked about.")]
    Explain(ExplainArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReleaseCommand {
    /// Write every managed file for every system, and a manifest
    ///
    /// Files go to `<DIR>/<system>/<absolute path without its leading slash>`. What a harness does
    /// not hold is listed as a warning, and all of it in the ledger of `manifest.json`. The directory has
    /// the earlier build until it has all of the new one.
    #[command(after_help = "\
Examples:
  halo release build --ring ring3-ga --out release --policy-dir examples/acme
  halo release build --unit payments --strict --out release --force --policy-dir examples/acme
  halo release build --out next --policy-dir examples/acme --output json | jq '.warnings[]'

Exit codes: 0 written, also with warnings; 1 the policy is invalid or cannot be rendered; 2 the policy could
not be read, or the files not be written.")]
    Build(BuildArgs),
}

#[derive(Args, Debug)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    /// The directory of the build: new or empty, and no link
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Lock the doors beside the sandbox as well: hooks, tool servers, permission rules, web search
    #[arg(long)]
    pub(crate) strict: bool,
    /// Replace an earlier build, if the directory holds nothing else
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ValidateArgs {
    /// The policy repository, in place of `--policy-dir`
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct TestArgs {
    /// A URL, a host, or host:port; `-` reads hosts from standard input, one a line
    pub(crate) host: String,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    /// The platform that the rendering for each harness assumes [default: this machine's]
    #[arg(long, value_enum)]
    pub(crate) os: Option<Os>,
}

#[derive(Args, Debug)]
pub(crate) struct DiffArgs {
    /// The first policy: `RING`, `RING+UNIT`, `profile:NAME`, or one of these after `DIR#`; or a
    /// directory, for all of it
    #[arg(value_name = "A")]
    pub(crate) first: Side,
    /// The second policy, which may permit more
    #[arg(value_name = "B")]
    pub(crate) second: Side,
}

/// A policy to compare, as it is named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    /// Another repository than that of `--policy-dir`.
    pub(crate) dir: Option<PathBuf>,
    pub(crate) what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Ring {
        ring: String,
        unit: Option<String>,
    },
    Profile(String),
    /// Everything in the directory.
    Repository,
}

impl FromStr for Side {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // No name has a `/`, nor begins with a `.`.
        if !text.contains('#') && (text.contains('/') || text == "." || text == "..") {
            return Ok(Self {
                dir: Some(PathBuf::from(text)),
                what: What::Repository,
            });
        }
        // No name has a `#`, and a directory may.
        let (dir, name) = match text.rsplit_once('#') {
            Some((dir, name)) => (Some(PathBuf::from(dir)), name),
            None => (None, text),
        };
        let what = match (name.strip_prefix("profile:"), name.split_once('+')) {
            (Some(profile), _) => What::Profile(profile.to_owned()),
            (None, Some((ring, unit))) => What::Ring {
                ring: ring.to_owned(),
                unit: Some(unit.to_owned()),
            },
            (None, None) => What::Ring {
                ring: name.to_owned(),
                unit: None,
            },
        };
        let empty = match &what {
            What::Profile(profile) => profile.is_empty(),
            What::Ring { ring, unit } => ring.is_empty() || unit.as_deref() == Some(""),
            What::Repository => false,
        };
        // No name has an `@`, and what is no name is not repeated: it may be the end of a password.
        let empty = empty || name.contains('@');
        if empty || dir.as_ref().is_some_and(|dir| dir.as_os_str().is_empty()) {
            return Err(
                "write `RING`, `RING+UNIT`, `profile:NAME`, one of these after `DIR#`, or two directories",
            );
        }
        Ok(Self { dir, what })
    }
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// A URL, a host, or host:port; `-` reads hosts from standard input, one a line
    pub(crate) host: String,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}

#[derive(Args, Debug)]
pub(crate) struct SelectionArgs {
    /// The ring [default: the one marked `default: true`]
    #[arg(long)]
    pub(crate) ring: Option<String>,
    /// The unit whose overlays are applied
    #[arg(long)]
    pub(crate) unit: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Os {
    Linux,
    Macos,
    Windows,
}

impl Os {
    /// The platform of this machine; anything unknown is treated as Linux.
    pub(crate) fn here() -> Self {
        match std::env::consts::OS {
            "macos" => Self::Macos,
            "windows" => Self::Windows,
            _ => Self::Linux,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        harness_render::Os::from(self).name()
    }
}

impl From<Os> for harness_render::Os {
    fn from(os: Os) -> Self {
        match os {
            Os::Linux => Self::Linux,
            Os::Macos => Self::MacOs,
            Os::Windows => Self::Windows,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    /// The managed files are those of `release build --strict`
    #[arg(long)]
    pub(crate) strict: bool,
    /// The home of the user whose settings are judged [default: yours]
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// The root of the device: a mounted disk, an unpacked image
    #[arg(long, value_name = "DIR", default_value_os_t = root())]
    pub(crate) root: PathBuf,
    /// A repository whose own settings are judged as well; whatever they weaken is a failure
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
}

/// Where this system's paths begin.
fn root() -> PathBuf {
    let root = if cfg!(windows) { r"C:\" } else { "/" };
    root.into()
}

#[derive(Args, Debug)]
pub(crate) struct PresetsArgs {
    /// The preset [default: all]
    pub(crate) name: Option<String>,
}

//! Cursor CLI: nothing is rendered.
//!
//! Its sandbox is configured by files of the user and of the repository, which are united, and by
//! the team's policy in the vendor's dashboard, and by no file of an administrator. The hooks that an
//! enterprise may install could refuse calls of the tools, and commands by their text. They are not
//! rendered, since what they enforce was not observed.

mod checks;
mod facts;

use policy_core::Harness;

use crate::adapter::{Adapter, Programs};
use crate::capability::{Capability, Feature, Level};
use crate::clause::{Channel, Clause};
use crate::file::ManagedFile;
use crate::posture::summary::{EgressState, SandboxState, Summary};
use crate::posture::value::Lists;
use crate::request::Request;
use crate::statement::{Entries, Statement};
use crate::target::{Os, Release};
use facts::*;

pub(crate) const ADAPTER: Adapter = Adapter {
    harness: Harness::CursorCli,
    newest: Release(1, 0, 32),
    date: DATE,
    facts: FACTS,
    floor: NO_FILE.release(),
    incompatible: &[],
    channels: &[Channel::Shell, Channel::FetchTool, Channel::FileTools],
    capability,
    say,
    assemble,
    mechanism,
    locks: &[],
    ways: &[],
    watched: checks::WATCHED,
    checks: checks::CHECKS,
    summary: |_| Summary::new(SandboxState::Unmanaged, EgressState::Unmanaged),
    lists: Lists::Replaced,
    written: &[],
    most_bytes: None,
    programs: Programs {
        names: &["cursor-agent"],
        packages: &[],
        versions: &[],
    },
};

/// Where to set instead what a file cannot say.
const DASHBOARD: &str = "the team sandbox policy in Cursor's admin dashboard";

fn capability(_: Feature, _: Os) -> Vec<Capability> {
    vec![Capability::new(Level::None, &NO_FILE, DASHBOARD)]
}

fn assemble(_: &Request<'_>, _: &Entries<'_>) -> Vec<ManagedFile> {
    Vec::new()
}

fn say(_: &Request<'_>, clause: &Clause, channel: Channel) -> Statement {
    match (clause, channel) {
        (Clause::ProtectedPath(_), _) => Statement::not_enforced(
            "no managed file says it, and no key of the sandbox closes a path to reading; hooks of the enterprise are what could",
            &READS_OPEN,
        ),
        (_, Channel::FetchTool) => Statement::not_enforced(
            "no managed file says it; hooks of the enterprise are what could",
            &HOOKS,
        ),
        _ => Statement::not_enforced(
            "no managed file says it; set the team sandbox policy in Cursor's admin dashboard",
            &NO_FILE,
        ),
    }
}

fn mechanism(_: Channel) -> &'static str {
    DASHBOARD
}

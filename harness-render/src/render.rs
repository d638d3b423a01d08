//! One policy, one target: the managed files and their ledger.

use policy_core::{Harness, Mode, Policy};
use semver::Version;

use crate::adapter::Adapter;
use crate::clause::{Channel, Clause};
use crate::fact::Fact;
use crate::file::ManagedFile;
use crate::ledger::{Ledger, Row};
use crate::registry::adapter;
use crate::request::Request;
use crate::statement::{Entries, Statement};
use crate::target::{Hardening, Target};
use crate::way::residuals;

/// The fact of a row when the policy sets no limit.
static NO_LIMIT: Fact = Fact::project("the policy limits nothing");
/// The fact of a row for a harness that this crate does not render.
static NO_ADAPTER: Fact =
    Fact::project("this release of harness-render does not render the harness");
/// The fact of a row for a pin that reads none of the files that would be rendered.
static TOO_OLD: Fact = Fact::project("the pinned release honours no managed limit");

/// Renders a policy into the managed files of one harness.
///
/// The output depends on the arguments alone. Where the policy limits nothing, where the harness
/// is not rendered, and where the pinned release is older than all that could be rendered, there
/// are no files, and the ledger says why.
///
/// # Errors
///
/// [`RenderError`] when the pinned release would not start with the files.
pub fn render(
    policy: &Policy,
    target: &Target,
    hardening: Hardening,
) -> Result<Rendering, RenderError> {
    let request = Request::new(policy, target, hardening);
    let adapter = adapter(target.harness);
    let rendering = rendering(&request, adapter)?;
    let clauses = Clause::of(policy);
    let locks = adapter.map_or(&[][..], |adapter| adapter.locks);
    let mut entries = Entries::new(locks, &request);
    let mut rows = Vec::new();
    for clause in &clauses {
        for channel in clause.channels() {
            // One statement gives both the row and the entries, so ledger and files cannot disagree.
            let said = say(&request, adapter, clause, *channel);
            entries.add(&said, clause);
            let newest = adapter.map(|adapter| adapter.newest);
            rows.push(Row::new(clause.clone(), *channel, said, newest, target));
        }
    }
    let (files, residuals) = match rendering {
        Some(adapter) => (
            files(&request, adapter, &entries)?,
            residuals(adapter.ways, &request),
        ),
        None => (Vec::new(), Vec::new()),
    };
    Ok(Rendering {
        files,
        ledger: Ledger::new(target.clone(), rows, residuals),
    })
}

/// The adapter, if there is anything for it to render.
pub(crate) fn rendering<'r>(
    request: &Request<'_>,
    adapter: Option<&'r Adapter>,
) -> Result<Option<&'r Adapter>, RenderError> {
    let Some(adapter) = adapter.filter(|_| request.mode() != Mode::Off) else {
        return Ok(None);
    };
    let version = &request.target.version;
    if let Some(range) = adapter.incompatibility(version) {
        return Err(RenderError::Bricks {
            harness: adapter.harness,
            version: version.clone(),
            field: range.field,
            why: range.fact.claim(),
            works: range.works,
        });
    }
    Ok(adapter.floor.is_in(version).then_some(adapter))
}

/// The files, if none is larger than the program accepts.
fn files(
    request: &Request<'_>,
    adapter: &Adapter,
    entries: &Entries<'_>,
) -> Result<Vec<ManagedFile>, RenderError> {
    let files = (adapter.assemble)(request, entries);
    let Some(limit) = adapter.most_bytes else {
        return Ok(files);
    };
    // The program would ignore a larger file as a whole, and nothing would be enforced.
    match files.iter().find(|file| file.bytes().len() > limit) {
        Some(file) => Err(RenderError::TooLarge {
            harness: adapter.harness,
            path: file.path,
            size: file.bytes().len(),
            limit,
        }),
        None => Ok(files),
    }
}

/// The statement on a clause in one of its channels, also where no adapter answers.
pub(crate) fn say(
    request: &Request<'_>,
    adapter: Option<&Adapter>,
    clause: &Clause,
    channel: Channel,
) -> Statement {
    if request.mode() == Mode::Off {
        return Statement::enforced(&NO_LIMIT);
    }
    let (harness, version) = (request.target.harness, &request.target.version);
    match adapter {
        None => Statement::not_enforced(format!("{harness} is not rendered"), &NO_ADAPTER),
        Some(adapter) if !adapter.floor.is_in(version) => Statement::not_enforced(
            format!(
                "{version} honours no managed limit; pin {} or later",
                adapter.floor
            ),
            &TOO_OLD,
        ),
        Some(adapter) => (adapter.say)(request, clause, channel),
    }
}

/// The managed files of one harness on one system, and what they enforce.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendering {
    files: Vec<ManagedFile>,
    ledger: Ledger,
}

impl Rendering {
    /// The files, in order of their paths; none if nothing can be enforced.
    #[must_use]
    pub fn files(&self) -> &[ManagedFile] {
        &self.files
    }

    /// What becomes of every clause of the policy.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}

/// Why a policy is not rendered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The pinned release would not start with the file.
    #[error("{harness} {version}: `{field}` cannot be rendered: {why}; {works}")]
    Bricks {
        /// The harness.
        harness: Harness,
        /// Its pinned release.
        version: Version,
        /// The field of the profile that would do it.
        field: &'static str,
        /// What happens.
        why: &'static str,
        /// Which releases to pin instead.
        works: &'static str,
    },
    /// The program would reject the file for its size.
    #[error(
        "{harness}: `{path}` would have {size} bytes, of which the program reads at most {limit}; name fewer hosts and paths, or wildcards above them"
    )]
    TooLarge {
        /// The harness.
        harness: Harness,
        /// The file, on the target system.
        path: &'static str,
        /// Its size in bytes.
        size: usize,
        /// The largest size that the program reads, in bytes.
        limit: usize,
    },
}

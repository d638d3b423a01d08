//! One policy, one target: the managed files and their ledger.

use policy_core::{Harness, Mode, Policy};
use semver::Version;

use crate::clause::Clause;
use crate::fact::Fact;
use crate::harness::{Room, room};
use crate::ledger::{Hold, Ledger, Row};
use crate::request::Request;
use crate::target::{Hardening, Target};

/// The fact behind a row of a policy that asks for nothing.
static NO_LIMIT: Fact = Fact::project("the policy limits nothing");
/// The fact behind a row of a harness that this crate does not render.
static NO_ROOM: Fact = Fact::project("this release of harness-render does not render the harness");
/// The fact behind a row of a pin that reads nothing of what would be rendered.
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
    let room = room(target.harness);
    let (files, residuals) = match furnished(&request, room)? {
        Some((room, files)) => (files, (room.residuals)(&request)),
        None => (Vec::new(), Vec::new()),
    };
    let rows = Clause::of(policy)
        .into_iter()
        .flat_map(|clause| {
            let channels = clause.channels();
            channels
                .iter()
                .map(move |channel| (clause.clone(), *channel))
        })
        .map(|(clause, channel)| {
            let hold = hold(&request, room, &clause, channel);
            Row::new(clause, channel, hold, room, target)
        })
        .collect();
    Ok(Rendering {
        files,
        ledger: Ledger::new(target.clone(), rows, residuals),
    })
}

/// The room and its files, if there is anything for it to render.
pub(crate) fn furnished<'r>(
    request: &Request<'_>,
    room: Option<&'r Room>,
) -> Result<Option<(&'r Room, Vec<ManagedFile>)>, RenderError> {
    let Some(room) = room.filter(|_| request.mode() != Mode::Off) else {
        return Ok(None);
    };
    let version = &request.target.version;
    if let Some(range) = room.bricks(version) {
        return Err(RenderError::Bricks {
            harness: room.harness,
            version: version.clone(),
            field: range.field,
            why: range.fact.claim(),
            works: range.works,
        });
    }
    if !room.floor.is_in(version) {
        return Ok(None);
    }
    let files = (room.render)(request);
    for file in &files {
        if let Some(limit) = file.limit.filter(|limit| file.bytes.len() > *limit) {
            return Err(RenderError::TooLarge {
                harness: room.harness,
                path: file.path,
                size: file.bytes.len(),
                limit,
            });
        }
    }
    Ok(Some((room, files)))
}

/// What becomes of a clause in one of its channels.
pub(crate) fn hold(
    request: &Request<'_>,
    room: Option<&Room>,
    clause: &Clause,
    channel: crate::Channel,
) -> Hold {
    if request.mode() == Mode::Off {
        return Hold::held(&NO_LIMIT);
    }
    let Target {
        harness, version, ..
    } = &request.target;
    match room {
        None => Hold::not_held(format!("{harness} is not rendered"), &NO_ROOM),
        Some(room) if !room.floor.is_in(version) => Hold::not_held(
            format!(
                "{version} honours no managed limit; pin {} or later",
                room.floor
            ),
            &TOO_OLD,
        ),
        Some(room) => (room.hold)(request, clause, channel),
    }
}

/// The managed files of one harness on one system, and what they hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendering {
    files: Vec<ManagedFile>,
    ledger: Ledger,
}

impl Rendering {
    /// The files, in order of their paths; none where nothing can be held.
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

/// A file for an administrator to place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ManagedFile {
    path: &'static str,
    bytes: Vec<u8>,
    limit: Option<usize>,
}

impl ManagedFile {
    pub(crate) const fn new(path: &'static str, bytes: Vec<u8>) -> Self {
        Self {
            path,
            bytes,
            limit: None,
        }
    }

    /// With the number of bytes from which on the program refuses the file.
    pub(crate) fn at_most(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// The absolute path on the target system, in that system's spelling.
    #[must_use]
    pub const fn path(&self) -> &str {
        self.path
    }

    /// The path below a directory that stands for the root of the target system, with `/`:
    /// `C:\Program Files\x` is `C/Program Files/x`.
    #[must_use]
    pub fn relative_path(&self) -> String {
        let path = self.path.replace('\\', "/").replacen(":/", "/", 1);
        path.trim_start_matches('/').to_owned()
    }

    /// The content.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The permission bits on systems that have them: everyone reads, only the superuser, who is
    /// to own the file, writes.
    #[must_use]
    pub const fn mode(&self) -> u32 {
        0o644
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

//! What the agent's shell may read and write.

mod compare;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::path::{FilePath, PathAnchor, ProtectedPath, Subtrees, WritableRoot};
use crate::unknown::UnknownName;

pub use compare::SandboxWitness;

/// How far the sandbox lets the agent's shell write, from the strictest to none at all.
///
/// The order is that of laxness: `Mode::ReadOnly < Mode::WorkspaceWrite < Mode::Off`. Exhaustive,
/// since a renderer must say what it does with each mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Everything but the protected paths may be read, nothing written.
    ReadOnly,
    /// Besides, the workspace and the writable roots may be written.
    WorkspaceWrite,
    /// No sandbox.
    Off,
}

impl Mode {
    /// Every mode, from the strictest.
    pub const ALL: [Self; 3] = [Self::ReadOnly, Self::WorkspaceWrite, Self::Off];

    /// The name of the mode in a policy.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::WorkspaceWrite => "workspace-write",
            Self::Off => "off",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Mode {
    type Err = UnknownName;

    /// # Errors
    ///
    /// [`UnknownName`] for any text that is not exactly the [name](Self::as_str) of a mode.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let all = Self::ALL.iter().copied();
        let found = all.clone().find(|one| one.as_str() == name);
        found.ok_or_else(|| UnknownName::new("sandbox mode", name, all.map(Self::as_str)))
    }
}

/// What may be done with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Neither read nor written.
    None,
    /// Read.
    Read,
    /// Read and written.
    ReadWrite,
}

/// A sandbox policy: a mode, writable roots and protected paths that do not contradict each other.
///
/// ```
/// use policy_core::{Access, FilePath, Mode, ProtectedPath, Sandbox, WritableRoot};
///
/// let sandbox = Sandbox::new(
///     Mode::WorkspaceWrite,
///     [WritableRoot::parse("/opt/build-cache")?],
///     [ProtectedPath::parse("~/.ssh")?, ProtectedPath::parse(".env*")?],
/// )
/// .expect("no root over or under a protected path");
/// assert_eq!(sandbox.access(&FilePath::parse("/opt/build-cache/a.o")?), Access::ReadWrite);
/// assert_eq!(sandbox.access(&FilePath::parse("~/.ssh/id_ed25519")?), Access::None);
/// assert_eq!(sandbox.access(&FilePath::parse("~/.profile")?), Access::Read);
/// # Ok::<(), policy_core::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sandbox {
    mode: Mode,
    writable_roots: Vec<WritableRoot>,
    protected_paths: Vec<ProtectedPath>,
}

static UNRESTRICTED: Sandbox = Sandbox {
    mode: Mode::Off,
    writable_roots: Vec::new(),
    protected_paths: Vec::new(),
};

impl Sandbox {
    /// Puts a sandbox policy together, sorted and without duplicates.
    ///
    /// Roots and protected paths are compared as a device might take them: whatever the letter
    /// case, with `/Users/x`, `/home/x`, `/root` and `/var/root` for `~`, and a glob up to its
    /// first glob component. A protected path in the workspace overlaps no root: where the
    /// workspace lies no policy says, and inside a root it stays protected.
    ///
    /// The work is that of sorting both lists.
    ///
    /// # Errors
    ///
    /// Every contradiction, those with the mode first; a root that overlaps several protected
    /// paths is named once, with one of them.
    pub fn new(
        mode: Mode,
        writable_roots: impl IntoIterator<Item = WritableRoot>,
        protected_paths: impl IntoIterator<Item = ProtectedPath>,
    ) -> Result<Self, Vec<SandboxError>> {
        let mut sandbox = Self {
            mode,
            writable_roots: writable_roots.into_iter().collect(),
            protected_paths: protected_paths.into_iter().collect(),
        };
        sandbox.writable_roots.sort_unstable();
        sandbox.writable_roots.dedup();
        sandbox.protected_paths.sort_unstable();
        sandbox.protected_paths.dedup();
        let errors = sandbox.contradictions();
        if errors.is_empty() {
            Ok(sandbox)
        } else {
            Err(errors)
        }
    }

    /// What a policy without a sandbox means: mode `off`.
    #[must_use]
    pub fn unrestricted() -> &'static Self {
        &UNRESTRICTED
    }

    /// The mode.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The writable roots, sorted by spelling, each once.
    #[must_use]
    pub fn writable_roots(&self) -> &[WritableRoot] {
        &self.writable_roots
    }

    /// The protected paths, sorted by spelling, each once.
    #[must_use]
    pub fn protected_paths(&self) -> &[ProtectedPath] {
        &self.protected_paths
    }

    /// What may be done with a path under this spelling.
    ///
    /// Every entry is looked at, so this is for evidence and tests rather than for a hot path.
    #[must_use]
    pub fn access(&self, path: &FilePath) -> Access {
        self.access_by(core::slice::from_ref(path))
    }

    /// What may be done with a path on a device, where it has as many spellings as fit: absolute,
    /// from the home directory, from the workspace. A protection under any of them holds, and so
    /// does a root.
    ///
    /// `home` is absolute; `workspace` is absolute or starts with `~/`.
    ///
    /// ```
    /// use policy_core::{Access, FilePath, Mode, ProtectedPath, Sandbox};
    ///
    /// let protected = [ProtectedPath::parse("~/.ssh")?, ProtectedPath::parse(".env")?];
    /// let sandbox = Sandbox::new(Mode::WorkspaceWrite, [], protected).expect("no roots");
    /// let (home, workspace) = (FilePath::parse("/home/alice")?, FilePath::parse("~/app")?);
    /// for (path, access) in [
    ///     ("/home/alice/.ssh/config", Access::None),
    ///     ("~/app/web/.env", Access::None),
    ///     ("/home/alice/app/README.md", Access::ReadWrite),
    ///     ("/home/alice/notes", Access::Read),
    /// ] {
    ///     assert_eq!(sandbox.access_at(&FilePath::parse(path)?, &home, &workspace), access);
    /// }
    /// # Ok::<(), policy_core::PathError>(())
    /// ```
    #[must_use]
    pub fn access_at(&self, path: &FilePath, home: &FilePath, workspace: &FilePath) -> Access {
        let absolute = |path: &FilePath| match path.anchor() {
            PathAnchor::Home => path.at_directory(home),
            _ => path.clone(),
        };
        let workspace = absolute(workspace);
        let absolute = match path.anchor() {
            PathAnchor::Workspace => path.at_directory(&workspace),
            _ => absolute(path),
        };
        let mut spellings = alloc::vec![path.clone()];
        spellings.extend(absolute.below(home, PathAnchor::Home));
        spellings.extend(absolute.below(&workspace, PathAnchor::Workspace));
        spellings.push(absolute);
        self.access_by(&spellings)
    }

    fn access_by(&self, spellings: &[FilePath]) -> Access {
        let any = |holds: &dyn Fn(&FilePath) -> bool| spellings.iter().any(holds);
        if self.mode == Mode::Off {
            return Access::ReadWrite;
        }
        if self
            .protected_paths
            .iter()
            .any(|protected| any(&|path| protected.matches(path)))
        {
            return Access::None;
        }
        let writable = any(&|path| path.anchor() == PathAnchor::Workspace)
            || self
                .writable_roots
                .iter()
                .any(|root| any(&|path| root.contains(path)));
        if writable && self.mode == Mode::WorkspaceWrite {
            Access::ReadWrite
        } else {
            Access::Read
        }
    }

    fn contradictions(&self) -> Vec<SandboxError> {
        let mut errors = Vec::new();
        if !self.writable_roots.is_empty() {
            match self.mode {
                Mode::ReadOnly => errors.push(SandboxError::ReadOnlyWithRoots),
                Mode::Off => errors.push(SandboxError::OffWithRoots),
                Mode::WorkspaceWrite => {}
            }
        }
        if self.mode == Mode::Off && !self.protected_paths.is_empty() {
            errors.push(SandboxError::OffWithProtected);
        }
        let protected: Subtrees = self
            .protected_paths
            .iter()
            .enumerate()
            .flat_map(|(index, path)| {
                let keys: Vec<String> = path.folded_keys().unwrap_or_default();
                keys.into_iter().map(move |key| (key, index))
            })
            .collect();
        for root in &self.writable_roots {
            let key = root.folded_key();
            let found = match (protected.above(&key), protected.below(&key)) {
                (Some(above), _) => Some((above, Overlap::Under)),
                (None, Some(below)) => Some((below, Overlap::Over)),
                (None, None) => None,
            };
            if let Some((index, overlap)) = found
                && let Some(protected) = self.protected_paths.get(index)
            {
                errors.push(SandboxError::RootOverlapsProtected {
                    root: root.clone(),
                    protected: protected.clone(),
                    overlap,
                });
            }
        }
        errors
    }
}

/// How a writable root and a protected path overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Overlap {
    /// The root is the protected path or lies below it: nothing in it could be written.
    Under,
    /// The protected path lies in the root: whoever may replace its directory may move it away.
    Over,
}

/// A contradiction between the parts of a sandbox policy.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// A writable root with mode `read-only`.
    #[error("mode `read-only` has no writable roots")]
    ReadOnlyWithRoots,
    /// A writable root with mode `off`.
    #[error("mode `off` has no writable roots, since everything is writable")]
    OffWithRoots,
    /// A protected path with mode `off`.
    #[error("mode `off` has no protected paths, since nothing would protect them")]
    OffWithProtected,
    /// A writable root over or under a protected path.
    #[error("writable root `{root}` is {} protected path `{protected}`", match overlap {
        Overlap::Under => "at or under",
        Overlap::Over => "over",
    })]
    RootOverlapsProtected {
        /// The root.
        root: WritableRoot,
        /// A protected path it overlaps.
        protected: ProtectedPath,
        /// Which of them holds the other.
        overlap: Overlap,
    },
}

impl SandboxError {
    /// A stable name for the contradiction, in kebab-case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ReadOnlyWithRoots => "read-only-with-writable-roots",
            Self::OffWithRoots => "off-with-writable-roots",
            Self::OffWithProtected => "off-with-protected-paths",
            Self::RootOverlapsProtected { .. } => "root-overlaps-protected",
        }
    }

    /// What to write instead, as half a sentence.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::ReadOnlyWithRoots => "remove the roots, or write mode `workspace-write`",
            Self::OffWithRoots | Self::OffWithProtected => {
                "remove them, or write mode `workspace-write`"
            }
            Self::RootOverlapsProtected { .. } => "name a root beside the protected path",
        }
    }
}

//! Whether one sandbox policy permits anything that another does not, with evidence.
//!
//! Spellings are compared as they stand: folding serves refusals only. The anchors `/`, `~` and
//! the workspace are kept apart, so an answer holds wherever the home and the workspace lie.
//!
//! - The mode, the roots and the literal protected paths are settled exactly, and each difference
//!   comes with a path that one policy lets the shell write or read and the other does not.
//! - A glob is covered by one that means the same by construction, or by what protects its literal
//!   part: `~/.ssh/*.pem` by `~/.ssh`, and `.env`, meant at any depth, by `.env*`. Where neither
//!   holds and no example shows the difference, it counts as one, not proved.
//!
//! The work is linear in the text of the two policies but for the sorting: a path is tried only
//! against the globs whose literal part is above it, and all trials share a bounded number of
//! steps. A pair of policies that needs more gets "not proved", never "within".

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{Mode, Sandbox};
use crate::path::{FilePath, PathAnchor, ProtectedPath, Steps, Subtrees, WritableRoot};

/// Steps that all trials of globs may take together, for each byte of the two policies.
///
/// A trial mostly ends within a dozen steps, at the first name that differs; 64 leaves room for
/// every path of a large policy to be tried against some dozens of globs.
const STEPS_PER_BYTE: usize = 64;

/// And for the smallest policies, whose globs may be long beside their paths.
const STEPS_AT_LEAST: usize = 1_000_000;

/// Something that one sandbox policy permits and another does not.
///
/// [`Display`](fmt::Display) is a sentence in which "here" is the wider policy and "there" the
/// other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SandboxWitness {
    /// A laxer mode.
    Mode {
        /// The mode of the wider policy.
        wider: Mode,
        /// The mode of the other.
        narrower: Mode,
        /// Writable under the first, not under the second.
        path: FilePath,
    },
    /// A writable root that no root of the other policy holds.
    Root {
        /// The root.
        root: WritableRoot,
        /// Writable under the first, not under the second: the root itself.
        path: FilePath,
    },
    /// A protected path of the other policy that the wider one leaves open.
    Unprotected {
        /// The protected path of the other policy.
        protected: ProtectedPath,
        /// Readable under the first, not under the second.
        path: FilePath,
    },
    /// A protected path of the other policy of which it is not proved that the wider one protects
    /// as much: a glob, or any path of a policy too large to try it against all globs.
    NotProved {
        /// The protected path of the other policy.
        protected: ProtectedPath,
    },
}

impl SandboxWitness {
    /// The path that shows the difference, unless it is not proved.
    #[must_use]
    pub fn path(&self) -> Option<&FilePath> {
        match self {
            Self::Mode { path, .. } | Self::Root { path, .. } | Self::Unprotected { path, .. } => {
                Some(path)
            }
            Self::NotProved { .. } => None,
        }
    }
}

impl fmt::Display for SandboxWitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mode {
                wider,
                narrower,
                path,
            } => {
                write!(
                    f,
                    "mode is `{wider}` here and `{narrower}` there: `{path}` is writable here"
                )
            }
            Self::Root { root, .. } => {
                write!(f, "writable root `{root}` is in no writable root there")
            }
            Self::Unprotected { protected, path } => {
                write!(
                    f,
                    "protected path `{protected}` is missing here: `{path}` is readable here"
                )
            }
            Self::NotProved { protected } => write!(
                f,
                "protected path `{protected}` is missing here, and nothing here is proved to cover it"
            ),
        }
    }
}

impl Sandbox {
    /// Whether this policy permits nothing that `other` does not.
    ///
    /// A policy without a sandbox is [`Sandbox::unrestricted`]: everything is within it.
    ///
    /// # Errors
    ///
    /// The first of [`difference`](Self::difference).
    ///
    /// ```
    /// use policy_core::{Mode, ProtectedPath, Sandbox};
    ///
    /// let parent = Sandbox::new(Mode::WorkspaceWrite, [], [ProtectedPath::parse("~/.ssh")?])
    ///     .expect("no roots");
    /// let child = Sandbox::new(Mode::ReadOnly, [], [ProtectedPath::parse("~/.s*")?])
    ///     .expect("no roots");
    /// assert_eq!(child.is_within(&parent), Ok(()));
    /// let witness = parent.is_within(&child).expect_err("the parent is wider");
    /// assert_eq!(
    ///     witness.to_string(),
    ///     "mode is `workspace-write` here and `read-only` there: `.` is writable here",
    /// );
    /// # Ok::<(), policy_core::PathError>(())
    /// ```
    pub fn is_within(&self, other: &Self) -> Result<(), SandboxWitness> {
        self.first_differences(other, 1)
            .into_iter()
            .next()
            .map_or(Ok(()), Err)
    }

    /// Everything this policy permits and `other` does not: the mode, each root, each protected
    /// path, with a path as evidence.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Vec<SandboxWitness> {
        self.first_differences(other, usize::MAX)
    }

    /// Whether both policies permit the same, as far as it can be proved.
    #[must_use]
    pub fn is_equivalent(&self, other: &Self) -> bool {
        self.is_within(other).is_ok() && other.is_within(self).is_ok()
    }

    fn first_differences(&self, other: &Self, limit: usize) -> Vec<SandboxWitness> {
        let roots: Subtrees = other
            .writable_roots
            .iter()
            .map(WritableRoot::key)
            .map(|key| (key, 0))
            .collect();
        let protection = Protection::new(&self.protected_paths);
        let mut steps = Steps::for_comparison(self, other);
        let mode = self.laxer_mode(other);
        let new_roots = self.writable_roots.iter().filter(|root| {
            // Under mode `off` there is nothing that is not writable.
            other.mode != Mode::Off && roots.above(&root.key()).is_none()
        });
        let new_roots = new_roots.map(|root| SandboxWitness::Root {
            root: root.clone(),
            path: root.to_file_path(),
        });
        let open = other.protected_paths.iter();
        let open = open.filter_map(|path| protection.leaves_open(path, &mut steps));
        mode.into_iter()
            .chain(new_roots)
            .chain(open)
            .take(limit)
            .collect()
    }

    fn laxer_mode(&self, other: &Self) -> Option<SandboxWitness> {
        // Neither `/` nor the workspace itself can be protected, and `/` is no writable root.
        let path = match self.mode {
            _ if self.mode <= other.mode => return None,
            Mode::Off => FilePath::from_names(PathAnchor::Absolute, ""),
            Mode::WorkspaceWrite | Mode::ReadOnly => {
                FilePath::from_names(PathAnchor::Workspace, "")
            }
        };
        Some(SandboxWitness::Mode {
            wider: self.mode,
            narrower: other.mode,
            path,
        })
    }
}

impl Steps {
    fn for_comparison(a: &Sandbox, b: &Sandbox) -> Self {
        let protected = a.protected_paths.iter().chain(&b.protected_paths);
        let bytes = protected
            .map(|path| path.as_str().len())
            .fold(0, usize::saturating_add);
        Self::new(
            bytes
                .saturating_mul(STEPS_PER_BYTE)
                .saturating_add(STEPS_AT_LEAST),
        )
    }
}

/// The protected paths of one policy, arranged so that a path meets few of them.
struct Protection<'a> {
    /// One string for each meaning, to find the same glob again.
    meanings: BTreeSet<String>,
    /// Paths without globs.
    literals: Subtrees,
    /// Names protected at any depth of the workspace.
    names: BTreeSet<&'a str>,
    /// The other globs by the key of their literal part.
    globs: BTreeMap<String, Vec<&'a ProtectedPath>>,
}

impl<'a> Protection<'a> {
    fn new(paths: &'a [ProtectedPath]) -> Self {
        let mut literals = Vec::new();
        let (mut names, mut globs) = (BTreeSet::new(), BTreeMap::<_, Vec<_>>::new());
        for path in paths {
            let (prefix, whole) = path.literal_prefix();
            if whole {
                literals.push((prefix.key(), 0));
            } else if let Some(name) = path.name_at_any_depth() {
                names.insert(name);
            } else {
                globs.entry(prefix.key()).or_default().push(path);
            }
        }
        Self {
            meanings: paths.iter().map(ProtectedPath::meaning).collect(),
            literals: literals.into_iter().collect(),
            names,
            globs,
        }
    }

    /// Whether this policy protects a path. `None` when the steps run out.
    fn protects(&self, path: &FilePath, steps: &mut Steps) -> Option<bool> {
        let key = path.key();
        if self.literals.above(&key).is_some() {
            return Some(true);
        }
        if self.protects_a_name(path) {
            return Some(true);
        }
        if self.globs.is_empty() {
            return Some(false);
        }
        for (slash, _) in key.match_indices('/') {
            steps.take(slash)?;
            let above = key.get(..=slash).and_then(|above| self.globs.get(above));
            for glob in above.into_iter().flatten() {
                if glob.matches_within(path, steps)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// Whether this policy protects a path and the same names below every directory of its anchor.
    fn protects_at_any_depth(&self, path: &FilePath, steps: &mut Steps) -> Option<bool> {
        if self.protects_a_name(path) {
            return Some(true);
        }
        for glob in self.globs.get(path.anchor().prefix()).into_iter().flatten() {
            if glob.matches_within(path, steps)? && glob.starts_with_any() {
                return Some(true);
            }
        }
        Some(false)
    }

    fn protects_a_name(&self, path: &FilePath) -> bool {
        path.anchor() == PathAnchor::Workspace && path.names().any(|name| self.names.contains(name))
    }

    /// The difference if `path`, protected elsewhere, is not protected here.
    fn leaves_open(&self, path: &ProtectedPath, steps: &mut Steps) -> Option<SandboxWitness> {
        if self.meanings.contains(&path.meaning()) {
            return None;
        }
        if self.protects(&path.literal_prefix().0, steps) == Some(true) {
            return None;
        }
        if let Some(prefix) = path.literal_prefix_after_any()
            && self.protects_at_any_depth(&prefix, steps) == Some(true)
        {
            return None;
        }
        let example = path
            .examples()
            .find(|example| self.protects(example, steps) == Some(false));
        Some(match example {
            Some(example) => SandboxWitness::Unprotected {
                protected: path.clone(),
                path: example,
            },
            None => SandboxWitness::NotProved {
                protected: path.clone(),
            },
        })
    }
}

//! The pins of all profiles, each with its place.

use semver::Version;

use crate::harness::Harness;
use crate::repository::finding::Position;
use crate::repository::organisation::Profile;

/// A harness version that a profile pins, and where.
///
/// This crate knows nothing of what a version can do: who renders for it judges it, and tells what is
/// wrong at this place.
///
/// ```
/// use policy_core::Repository;
///
/// let repository = Repository::from_files([
///     ("profiles/base.yaml".into(), b"harnesses: { codex: 0.166.0 }".to_vec()),
/// ]);
/// let validation = repository.validate();
/// let [pin] = validation.pins() else { panic!() };
/// assert_eq!(pin.version().to_string(), "0.166.0");
/// assert_eq!((pin.file(), pin.path()), ("profiles/base.yaml", "profiles.base.harnesses.codex"));
/// // Nothing is limited, so nothing is rendered for it.
/// assert!(!pin.is_limited());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    harness: Harness,
    version: Version,
    file: Box<str>,
    path: Box<str>,
    position: Option<Position>,
    is_limited: bool,
}

impl Pin {
    /// The pins that a profile writes itself; `is_limited` says of which harness a policy with this
    /// pin limits something.
    pub(crate) fn of_profile(profile: &Profile, is_limited: impl Fn(Harness) -> bool) -> Vec<Self> {
        let layer = &profile.layer;
        let pins = layer.harnesses.iter().map(|(harness, version)| Self {
            harness: harness.value,
            version: version.value.clone(),
            file: layer.file.as_str().into(),
            path: format!("{}.harnesses.{}", layer.root, harness.value).into(),
            position: version.position.or(harness.position),
            is_limited: is_limited(harness.value),
        });
        pins.collect()
    }

    /// The harness.
    #[must_use]
    pub const fn harness(&self) -> Harness {
        self.harness
    }

    /// The version, as written.
    #[must_use]
    pub const fn version(&self) -> &Version {
        &self.version
    }

    /// The profile's file, relative to the repository.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The value, such as `profiles.engineering.harnesses.codex`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The place of the version in the file, where it is known.
    #[must_use]
    pub const fn position(&self) -> Option<Position> {
        self.position
    }

    /// Whether a policy in which the pin holds has a sandbox: the profile's own, that of one which
    /// extends it, or that of a unit in a ring.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.is_limited
    }
}

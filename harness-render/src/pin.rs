//! What a pinned release is worth to who renders for it.

use core::fmt;

use policy_core::Harness;
use semver::Version;

use crate::registry::adapter;

/// What there is to say of a pin, whatever the policy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PinProblem {
    /// A policy with a sandbox cannot be rendered: the release would not start with it.
    Bricks {
        /// What happens.
        why: &'static str,
        /// Which releases to pin instead.
        works: &'static str,
    },
    /// The release reads nothing of what could be rendered.
    BelowFloor {
        /// The first release that reads something.
        floor: Version,
    },
    /// A pre-release: what was observed in releases may differ in it.
    PreRelease,
    /// The release is newer than any that was run.
    Unseen {
        /// The newest that was run.
        newest: Version,
    },
}

impl PinProblem {
    /// The stable code: `pin-bricks`, `pin-below-floor`, `pin-prerelease` or `pin-unseen`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Bricks { .. } => "pin-bricks",
            Self::BelowFloor { .. } => "pin-below-floor",
            Self::PreRelease => "pin-prerelease",
            Self::Unseen { .. } => "pin-unseen",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::Bricks { works, .. } => (*works).to_owned(),
            Self::BelowFloor { floor } => format!("pin {floor} or later"),
            Self::PreRelease => "pin a release".to_owned(),
            Self::Unseen { newest } => {
                format!("nothing to do; what is held was last seen with {newest}")
            }
        }
    }
}

impl fmt::Display for PinProblem {
    /// What is wrong, without the pin.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bricks { why, .. } => f.write_str(why),
            Self::BelowFloor { .. } => f.write_str("honours no managed limit"),
            Self::PreRelease => f.write_str("is a pre-release"),
            Self::Unseen { newest } => write!(f, "is newer than {newest}, the newest that was run"),
        }
    }
}

/// Every problem of a pinned release; none for a harness that is not rendered.
///
/// ```
/// use harness_render::{PinProblem, pin_problems};
/// use policy_core::Harness;
///
/// let problems = pin_problems(Harness::Codex, &"0.134.0".parse()?);
/// assert!(matches!(&*problems, [PinProblem::Bricks { .. }]));
/// assert_eq!(problems[0].code(), "pin-bricks");
/// # Ok::<(), semver::Error>(())
/// ```
#[must_use]
pub fn pin_problems(harness: Harness, version: &Version) -> Vec<PinProblem> {
    let Some(adapter) = adapter(harness).filter(|adapter| adapter.holds_anything()) else {
        return Vec::new();
    };
    let incompatible = adapter
        .incompatibility(version)
        .map(|range| PinProblem::Bricks {
            why: range.fact.claim(),
            works: range.works,
        });
    let below = !adapter.floor.is_in(version);
    let below = below.then(|| PinProblem::BelowFloor {
        floor: adapter.floor.version(),
    });
    let newest = adapter.newest.version();
    let unseen = (*version > newest).then_some(PinProblem::Unseen { newest });
    let pre = (!version.pre.is_empty()).then_some(PinProblem::PreRelease);
    [incompatible, below, pre, unseen]
        .into_iter()
        .flatten()
        .collect()
}

//! What drift means.

use core::fmt;
use core::str::FromStr;

use crate::unknown::UnknownName;

/// What a drifted device means for a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Posture {
    /// Devices are not judged.
    Off,
    /// Drift is reported.
    #[default]
    Warn,
    /// A device with drift is not compliant.
    Enforce,
}

impl Posture {
    /// Every posture, from the laxest.
    pub const ALL: &'static [Self] = &[Self::Off, Self::Warn, Self::Enforce];

    /// `off`, `warn` or `enforce`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warn => "warn",
            Self::Enforce => "enforce",
        }
    }
}

impl fmt::Display for Posture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Posture {
    type Err = UnknownName;

    /// # Errors
    ///
    /// [`UnknownName`] for any text that is not exactly the [name](Self::as_str) of a posture.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let all = Self::ALL.iter().copied();
        let found = all.clone().find(|one| one.as_str() == name);
        found.ok_or_else(|| UnknownName::new("posture", name, all.map(Self::as_str)))
    }
}

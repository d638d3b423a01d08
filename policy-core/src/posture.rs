//! What drift means.

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

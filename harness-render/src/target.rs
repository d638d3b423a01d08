//! For which program, on which system, how strictly.

use core::fmt;
use core::str::FromStr;

use policy_core::{Harness, UnknownName};
use semver::Version;

/// The operating system an agent runs on.
///
/// Exhaustive, since a renderer must say what it does on each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Os {
    /// Linux, and Windows Subsystem for Linux inside the distribution.
    Linux,
    /// macOS.
    MacOs,
    /// Windows itself.
    Windows,
}

impl Os {
    /// Every system, in the order in which they are listed to people.
    pub const ALL: [Self; 3] = [Self::Linux, Self::MacOs, Self::Windows];

    /// `linux`, `macos` or `windows`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::MacOs => "macos",
            Self::Windows => "windows",
        }
    }
}

impl fmt::Display for Os {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Os {
    type Err = UnknownName;

    /// # Errors
    ///
    /// [`UnknownName`] for any text that is not exactly the [name](Self::name) of a system.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let all = Self::ALL.iter().copied();
        let found = all.clone().find(|one| one.name() == name);
        found.ok_or_else(|| UnknownName::new("system", name, all.map(Self::name)))
    }
}

/// One release of one harness on one system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The harness.
    pub harness: Harness,
    /// Its exact release, as a policy pins it.
    pub version: Version,
    /// The system.
    pub os: Os,
}

impl Target {
    /// A target.
    #[must_use]
    pub const fn new(harness: Harness, version: Version, os: Os) -> Self {
        Self {
            harness,
            version,
            os,
        }
    }
}

/// How many doors beside the sandbox and the egress rules are locked as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hardening {
    /// Keys of the sandbox and of egress, and those that keep them from being weakened.
    #[default]
    Standard,
    /// Besides, the neighbouring doors that lead around them: the user's hooks, tool servers,
    /// permission rules, bypass modes, web search.
    Strict,
}

/// A release of a harness, for tables of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Release(pub(crate) u64, pub(crate) u64, pub(crate) u64);

impl Release {
    pub(crate) const fn version(self) -> Version {
        Version::new(self.0, self.1, self.2)
    }

    /// Whether `version` is this release or later. A pre-release comes before its release.
    pub(crate) fn is_in(self, version: &Version) -> bool {
        *version >= self.version()
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::Os;

    #[test]
    fn systems_read_back_by_name() {
        for os in Os::ALL {
            assert_eq!(os.to_string().parse(), Ok(os));
        }
        let refused = "macOS".parse::<Os>().map_err(|error| error.to_string());
        let message = "no system `macOS`; write `linux`, `macos` or `windows`";
        assert_eq!(refused, Err(message.to_owned()));
    }
}

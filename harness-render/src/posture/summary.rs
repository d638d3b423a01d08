//! What the managed settings turn on, in a line.

use std::fmt;

/// The sandbox, as the managed settings have it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SandboxState {
    /// Nothing is managed; the user decides.
    Unmanaged,
    /// It is turned off.
    Off,
    /// It is turned on.
    On,
    /// The modes among which the user may choose, of those that the program knows.
    Modes(Vec<&'static str>),
    /// The managed settings cannot be judged.
    Unknown,
}

/// Egress, as the managed settings have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EgressState {
    /// Nothing is managed; the user decides.
    Unmanaged,
    /// Lists of hosts, counted as the program counts them: an entry that it drops is not counted.
    Hosts {
        /// What becomes of a host that is not listed.
        unlisted: Unlisted,
        /// The allowed entries.
        allowed: usize,
        /// The denied entries.
        denied: usize,
    },
    /// The program's fetch tool is refused as a whole; commands are not limited by host.
    FetchDenied,
    /// The program's fetch tool asks the user; commands are not limited by host.
    FetchAsks,
    /// This many rules bind the program's fetch tool.
    FetchRules(usize),
    /// The managed settings cannot be judged.
    Unknown,
}

/// What becomes of a host that no list names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unlisted {
    /// It is allowed.
    Allow,
    /// The user is asked.
    Ask,
    /// It is denied.
    Deny,
}

impl Unlisted {
    /// `allow`, `ask` or `deny`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// What the managed settings of a harness turn on.
///
/// It prints as `sandbox: on (managed); egress: default deny, 19 allowed, 2 denied (managed)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    sandbox: SandboxState,
    egress: EgressState,
}

impl Summary {
    pub(crate) const UNKNOWN: Self = Self::new(SandboxState::Unknown, EgressState::Unknown);

    pub(crate) const fn new(sandbox: SandboxState, egress: EgressState) -> Self {
        Self { sandbox, egress }
    }

    /// The sandbox.
    #[must_use]
    pub const fn sandbox(&self) -> &SandboxState {
        &self.sandbox
    }

    /// Egress.
    #[must_use]
    pub const fn egress(&self) -> EgressState {
        self.egress
    }

    /// Whether the sandbox or egress is turned on, so that there is something to weaken.
    #[must_use]
    pub fn restricts(&self) -> bool {
        !matches!(self.sandbox, SandboxState::Unmanaged | SandboxState::Off)
            || self.egress != EgressState::Unmanaged
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sandbox: ")?;
        match &self.sandbox {
            SandboxState::Unmanaged => f.write_str("not managed")?,
            SandboxState::Off => f.write_str("off (managed)")?,
            SandboxState::On => f.write_str("on (managed)")?,
            SandboxState::Modes(modes) => write!(f, "modes [{}] (managed)", modes.join(" "))?,
            SandboxState::Unknown => f.write_str("unknown")?,
        }
        f.write_str("; egress: ")?;
        match self.egress {
            EgressState::Unmanaged => f.write_str("not managed"),
            EgressState::Hosts {
                unlisted,
                allowed,
                denied,
            } => {
                let unlisted = unlisted.as_str();
                write!(
                    f,
                    "default {unlisted}, {allowed} allowed, {denied} denied (managed)"
                )
            }
            EgressState::FetchDenied => f.write_str("fetch tool denied (managed)"),
            EgressState::FetchAsks => f.write_str("fetch tool asks (managed)"),
            EgressState::FetchRules(rules) => write!(f, "fetch tool, {rules} rules (managed)"),
            EgressState::Unknown => f.write_str("unknown"),
        }
    }
}

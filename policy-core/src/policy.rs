//! The effective rules of one ring, unit or profile.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use semver::Version;

use crate::compare::HostWitness;
use crate::decision::{Rule, Verdict};
use crate::egress::Egress;
use crate::harness::Harness;
use crate::sandbox::{Mode, Sandbox, SandboxWitness};

/// The two limits of a coding agent: which hosts it may reach and what its shell may write and read;
/// and the versions of the harnesses that are to enforce them.
///
/// Validation makes it from authored documents; [`Policy::new`] makes it from its parts, by the same
/// rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    egress: Egress,
    sandbox: Option<Sandbox>,
    mode_implied: bool,
    pins: BTreeMap<Harness, Version>,
}

impl Policy {
    /// A policy of both limits; without a sandbox the shell's files are not limited.
    ///
    /// # Errors
    ///
    /// [`PolicyError::OffWithEgress`]: egress rules bind a shell only inside a sandbox.
    pub fn new(egress: Egress, sandbox: Option<Sandbox>) -> Result<Self, PolicyError> {
        let off = sandbox
            .as_ref()
            .is_some_and(|sandbox| sandbox.mode() == Mode::Off);
        if off && has_rules(&egress) {
            return Err(PolicyError::OffWithEgress);
        }
        Ok(Self {
            egress,
            sandbox,
            mode_implied: false,
            pins: BTreeMap::new(),
        })
    }

    /// The same policy with a harness pinned to an exact version.
    #[must_use]
    pub fn with_pin(mut self, harness: Harness, version: Version) -> Self {
        self.pins.insert(harness, version);
        self
    }

    #[cfg(feature = "repository")]
    pub(crate) fn with_implied_mode(mut self, implied: bool) -> Self {
        self.mode_implied = implied;
        self
    }

    /// Which hosts may be reached.
    #[must_use]
    pub fn egress(&self) -> &Egress {
        &self.egress
    }

    /// What the shell may write and read; `None` when the policy says nothing about it.
    #[must_use]
    pub fn sandbox(&self) -> Option<&Sandbox> {
        self.sandbox.as_ref()
    }

    /// Whether the sandbox mode is implied by other rules rather than written.
    #[must_use]
    pub fn is_mode_implied(&self) -> bool {
        self.mode_implied
    }

    /// The pinned harnesses with their versions, in the order of [`Harness::ALL`].
    pub fn pins(&self) -> impl Iterator<Item = (Harness, &Version)> {
        self.pins
            .iter()
            .map(|(harness, version)| (*harness, version))
    }

    /// The pinned version of a harness.
    #[must_use]
    pub fn pin(&self, harness: Harness) -> Option<&Version> {
        self.pins.get(&harness)
    }

    /// Whether the egress part restricts or permits anything beyond "allow all".
    #[must_use]
    pub fn has_egress_rules(&self) -> bool {
        has_rules(&self.egress)
    }

    /// Whether this policy permits nothing that `other` does not. Pins permit nothing and are not
    /// compared.
    ///
    /// # Errors
    ///
    /// The first of what this policy permits and `other` does not.
    pub fn is_within<'p>(&'p self, other: &'p Self) -> Result<(), Wider<'p>> {
        self.egress.is_within(&other.egress).map_err(Wider::Host)?;
        self.effective_sandbox()
            .is_within(other.effective_sandbox())
            .map_err(Wider::Sandbox)
    }

    /// Everything this policy permits that `other` does not: hosts first, then the sandbox. Empty
    /// exactly when this policy is within the other.
    #[must_use]
    pub fn difference<'p>(&'p self, other: &'p Self) -> Vec<Wider<'p>> {
        let hosts = self
            .egress
            .difference(&other.egress)
            .into_iter()
            .map(Wider::Host);
        let sandbox = self
            .effective_sandbox()
            .difference(other.effective_sandbox());
        hosts
            .chain(sandbox.into_iter().map(Wider::Sandbox))
            .collect()
    }

    /// The sandbox, or the one that limits nothing.
    fn effective_sandbox(&self) -> &Sandbox {
        self.sandbox.as_ref().unwrap_or(Sandbox::unrestricted())
    }
}

fn has_rules(egress: &Egress) -> bool {
    let default_denies = egress.default_rule().verdict() == Verdict::Deny;
    default_denies || egress.has_denied() || egress.has_allowed()
}

/// Something that one policy permits and another does not, with evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wider<'p> {
    /// Hosts.
    Host(HostWitness<'p>),
    /// The mode, a writable root, or a protected path that is missing.
    Sandbox(SandboxWitness),
}

/// The part of a policy that is wider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum WiderKind {
    /// Hosts.
    Hosts,
    /// The sandbox mode.
    Mode,
    /// Writable roots.
    WritableRoots,
    /// Protected paths.
    ProtectedPaths,
}

impl WiderKind {
    /// Every kind, in the order of [`Policy::difference`].
    pub const ALL: &'static [Self] = &[
        Self::Hosts,
        Self::Mode,
        Self::WritableRoots,
        Self::ProtectedPaths,
    ];
}

impl Wider<'_> {
    /// The part of the policy that is wider.
    #[must_use]
    pub fn kind(&self) -> WiderKind {
        match self {
            Self::Host(_) => WiderKind::Hosts,
            Self::Sandbox(SandboxWitness::Mode { .. }) => WiderKind::Mode,
            Self::Sandbox(SandboxWitness::Root { .. }) => WiderKind::WritableRoots,
            Self::Sandbox(_) => WiderKind::ProtectedPaths,
        }
    }

    /// What was added, for a list: `` `mcp.acme.example` ``.
    #[must_use]
    pub fn added(&self) -> String {
        match self {
            Self::Host(witness) => match witness.allowed_by() {
                Rule::Preset { preset, pattern } => format!("`{pattern}` of preset `{preset}`"),
                Rule::Default { .. } => "every host that is not denied".to_string(),
                rule => rule
                    .pattern()
                    .map_or_else(String::new, |pattern| format!("`{pattern}`")),
            },
            Self::Sandbox(SandboxWitness::Mode { wider, .. }) => format!("mode `{wider}`"),
            Self::Sandbox(SandboxWitness::Root { root, .. }) => format!("writable root `{root}`"),
            Self::Sandbox(
                SandboxWitness::Unprotected { protected, .. }
                | SandboxWitness::NotProved { protected },
            ) => format!("no protection of `{protected}`"),
        }
    }

    /// One host or path that the wider policy permits and the other does not.
    #[must_use]
    pub fn evidence(&self) -> String {
        match self {
            Self::Host(witness) => witness.host().to_string(),
            Self::Sandbox(witness) => match (witness.path(), witness) {
                (Some(path), _) => path.to_string(),
                (None, SandboxWitness::NotProved { protected }) => protected.to_string(),
                (None, _) => String::new(),
            },
        }
    }
}

impl fmt::Display for Wider<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(witness) => witness.fmt(f),
            Self::Sandbox(witness) => witness.fmt(f),
        }
    }
}

impl core::error::Error for Wider<'_> {}

/// Why the parts are not a valid policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// Sandbox mode `off` together with egress rules.
    #[error("sandbox mode `off` together with egress rules, which nothing would hold")]
    OffWithEgress,
}

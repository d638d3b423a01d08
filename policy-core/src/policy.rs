//! What is meant: the rules that hold for one ring, unit or profile.

use alloc::collections::BTreeMap;
use core::fmt;

use semver::Version;

use crate::compare::HostWitness;
use crate::decision::{Rule, Verdict};
use crate::egress::Egress;
use crate::harness::Harness;
use crate::sandbox::{Mode, Sandbox, SandboxWitness};

/// The two limits of a coding agent, as they are meant: which hosts it may reach and what its shell
/// may write and read; and the versions of the harnesses that are to hold them.
///
/// Validation makes it from authored documents; [`Policy::new`] makes it from parts that hold the
/// same rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    egress: Egress,
    sandbox: Option<Sandbox>,
    mode_implied: bool,
    pins: BTreeMap<Harness, Version>,
}

impl Policy {
    /// A policy of both limits; without a sandbox nothing is limited there.
    ///
    /// # Errors
    ///
    /// [`PolicyError::OffWithEgress`]: egress rules bind a shell only inside a sandbox.
    pub fn new(egress: Egress, sandbox: Option<Sandbox>) -> Result<Self, PolicyError> {
        let off = sandbox.as_ref().is_some_and(|sandbox| sandbox.mode() == Mode::Off);
        if off && has_rules(&egress) {
            return Err(PolicyError::OffWithEgress);
        }
        Ok(Self { egress, sandbox, mode_implied: false, pins: BTreeMap::new() })
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
        self.pins.iter().map(|(harness, version)| (*harness, version))
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

    /// Everything this policy permits that `other` does not: hosts first, then the sandbox. Empty
    /// exactly when this policy is within the other. Pins permit nothing and are not compared.
    #[must_use]
    pub fn difference<'p>(&'p self, other: &'p Self) -> Vec<Wider<'p>> {
        let hosts = self.egress.difference(&other.egress).into_iter().map(Wider::Host);
        let sandbox = Sandbox::difference(self.sandbox.as_ref(), other.sandbox.as_ref());
        hosts.chain(sandbox.into_iter().map(Wider::Sandbox)).collect()
    }
}

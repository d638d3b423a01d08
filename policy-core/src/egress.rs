//! The decision: deny, allow, default.

use alloc::vec::Vec;
use core::fmt;

use egress_preset::Preset;

use crate::decision::{Decision, Rule, Verdict};
use crate::host::Host;
use crate::pattern::{Pattern, PatternRef};
use crate::set::{Match, Sources, Table};

/// The list of a policy that holds a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// `egress.deniedDomains`.
    Denied,
    /// `egress.allowedDomains`.
    Allowed,
    /// A preset of `egress.presets`.
    Preset(Preset),
}

impl Source {
    const DENIED: Sources = 1;
    const ALLOWED: Sources = 1 << 1;

    fn bit(self) -> Sources {
        match self {
            Self::Denied => Self::DENIED,
            Self::Allowed => Self::ALLOWED,
            Self::Preset(Preset::ModelProviders) => 1 << 2,
            Self::Preset(Preset::PackageRegistries) => 1 << 3,
            Self::Preset(Preset::Vcs) => 1 << 4,
            // A preset without a bit could not be told from others; `every_preset_has_its_own_bit`
            // keeps this arm out of reach.
            Self::Preset(_) => 0,
        }
    }

    /// The sources that allow, in the order in which a decision names them.
    fn allowing() -> impl Iterator<Item = Self> {
        core::iter::once(Self::Allowed).chain(Preset::ALL.iter().copied().map(Self::Preset))
    }
}

impl fmt::Display for Source {
    /// `egress.deniedDomains`, `egress.allowedDomains` or `egress.presets vcs`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied => f.write_str("egress.deniedDomains"),
            Self::Allowed => f.write_str("egress.allowedDomains"),
            Self::Preset(preset) => write!(f, "egress.presets {}", preset.name()),
        }
    }
}

/// Which hosts may be reached.
///
/// 1. A `deniedDomains` match denies. Deny always wins.
/// 2. An `allowedDomains` or preset match allows.
/// 3. Otherwise the default decides. Unset means deny when anything is allowed, else allow.
///
/// The value is immutable, `Send` and `Sync`; an embedder shares it behind an `Arc` and swaps the
/// whole to reload.
///
/// ```
/// use policy_core::{Egress, Host, Pattern, Preset};
///
/// let egress = Egress::builder()
///     .deny(Pattern::parse("pastebin.com")?)
///     .preset(Preset::Vcs)
///     .build()?;
/// let decision = egress.decide(&Host::parse("https://github.com:443/o/r")?);
/// assert!(decision.is_allowed());
/// assert_eq!(decision.rule().to_string(), "egress.presets vcs (github.com)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Egress {
    table: Table,
    default: Verdict,
    implied: bool,
}

impl Egress {
    /// An empty builder: nothing allowed, nothing denied, no default.
    pub fn builder() -> EgressBuilder {
        EgressBuilder {
            patterns: Vec::new(),
            default: None,
        }
    }

    /// Decides a host and names the rule. Total: it never fails, allocates or logs, and costs one
    /// search per label of the host.
    #[must_use]
    pub fn decide(&self, host: &Host) -> Decision<'_> {
        Decision::new(self.rules_for(host).next().unwrap_or(self.default_rule()))
    }

    /// Every rule that matches a host, the deciding one first; empty when the default decides.
    ///
    /// After the rules that deny come those that allow: an exact pattern before a wildcard, a
    /// longer wildcard before a shorter, `allowedDomains` before presets.
    pub fn rules_for(&self, host: &Host) -> impl Iterator<Item = Rule<'_>> {
        let denied = self
            .table
            .matches(host)
            .filter(|found| found.sources & Source::DENIED != 0)
            .map(|found| rule(Source::Denied, found));
        let allowed = self.table.matches(host).flat_map(|found| {
            Source::allowing()
                .filter(move |source| found.sources & source.bit() != 0)
                .map(move |source| rule(source, found))
        });
        denied.chain(allowed)
    }

    /// The rule that decides when no pattern matches.
    #[must_use]
    pub fn default_rule(&self) -> Rule<'static> {
        Rule::Default {
            verdict: self.default,
            implied: self.implied,
        }
    }

    /// The allowed entries with their sources, presets expanded: `allowedDomains` first, then
    /// presets in alphabetical order, names in order within each.
    pub fn allowed(&self) -> impl Iterator<Item = (PatternRef<'_>, Source)> {
        Source::allowing().flat_map(|source| self.of(source).map(move |pattern| (pattern, source)))
    }

    /// The denied entries, in order.
    pub fn denied(&self) -> impl Iterator<Item = PatternRef<'_>> {
        self.of(Source::Denied)
    }

    fn of(&self, source: Source) -> impl Iterator<Item = PatternRef<'_>> {
        self.table
            .iter()
            .filter(move |(_, sources)| sources & source.bit() != 0)
            .map(|(pattern, _)| pattern)
    }
}

impl fmt::Debug for Egress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Egress")
            .field("denied", &self.denied().collect::<Vec<_>>())
            .field("allowed", &self.allowed().collect::<Vec<_>>())
            .field("default", &self.default)
            .field("implied", &self.implied)
            .finish()
    }
}

fn rule(source: Source, found: Match<'_>) -> Rule<'_> {
    let pattern = found.pattern;
    match source {
        Source::Denied => Rule::Denied { pattern },
        Source::Allowed => Rule::Allowed { pattern },
        Source::Preset(preset) => Rule::Preset { preset, pattern },
    }
}

/// Collects the rules of an [`Egress`]. The order of the calls does not matter.
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct EgressBuilder {
    patterns: Vec<(Pattern, Sources)>,
    default: Option<Verdict>,
}

impl EgressBuilder {
    /// Adds an entry of `deniedDomains`.
    pub fn deny(mut self, pattern: Pattern) -> Self {
        self.add(pattern, Source::Denied);
        self
    }

    /// Adds an entry of `allowedDomains`.
    pub fn allow(mut self, pattern: Pattern) -> Self {
        self.add(pattern, Source::Allowed);
        self
    }

    /// Adds every host of a preset.
    pub fn preset(mut self, preset: Preset) -> Self {
        for host in preset.hosts() {
            // `every_preset_host_is_a_pattern` holds that none is left out.
            if let Ok(pattern) = Pattern::parse(host.pattern()) {
                self.add(pattern, Source::Preset(preset));
            }
        }
        self
    }

    /// Sets `default`, which decides a host that no entry matches.
    pub fn default_verdict(mut self, verdict: Verdict) -> Self {
        self.default = Some(verdict);
        self
    }

    /// Compiles the rules.
    ///
    /// # Errors
    ///
    /// [`EgressError::AllowedUnderDefaultAllow`]: the default allows everything that an entry
    /// could allow, so the list that someone wrote would restrict nothing.
    pub fn build(self) -> Result<Egress, EgressError> {
        let allows = self
            .patterns
            .iter()
            .any(|(_, source)| *source != Source::DENIED);
        let implied = if allows {
            Verdict::Deny
        } else {
            Verdict::Allow
        };
        if allows && self.default == Some(Verdict::Allow) {
            return Err(EgressError::AllowedUnderDefaultAllow);
        }
        Ok(Egress {
            table: Table::new(self.patterns),
            default: self.default.unwrap_or(implied),
            implied: self.default.is_none(),
        })
    }

    /// Compiles the rules of a policy whose allowlist was narrowed, perhaps to nothing: an unset
    /// default is deny.
    #[cfg(feature = "repository")]
    pub(crate) fn build_narrowed(self) -> Result<Egress, EgressError> {
        let implied = self.default.is_none();
        let mut egress = self.build()?;
        if implied {
            egress.default = Verdict::Deny;
        }
        Ok(egress)
    }

    fn add(&mut self, pattern: Pattern, source: Source) {
        self.patterns.push((pattern, source.bit()));
    }
}

/// Why rules make no policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum EgressError {
    /// `default: allow` together with `allowedDomains` or `presets`.
    #[error("`default: allow` together with allowed hosts, which would restrict nothing")]
    AllowedUnderDefaultAllow,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_its_own_bit() {
        let mut seen = Source::DENIED;
        for source in Source::allowing() {
            assert_eq!(source.bit().count_ones(), 1, "{source}");
            assert_eq!(seen & source.bit(), 0, "{source}");
            seen |= source.bit();
        }
    }

    #[test]
    fn every_preset_host_is_a_pattern() {
        for preset in Preset::ALL {
            let egress = Egress::builder().preset(*preset).build().unwrap();
            assert_eq!(egress.allowed().count(), preset.hosts().len(), "{preset}");
        }
    }
}

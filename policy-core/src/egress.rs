//! The decision: deny, allow, default.

use alloc::vec::Vec;
use core::fmt;

use egress_preset::Preset;

use crate::decision::{Decision, Rule, Verdict};
use crate::host::Host;
use crate::image::{Glance, Image, Match, Owned, Sources};
use crate::pattern::{Pattern, PatternRef};
use crate::set::sorted;

/// The list of a policy that contains a pattern.
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
    /// Every source that allows.
    const ALLOWING: Sources = 0b1_1110;

    fn bit(self) -> Sources {
        match self {
            Self::Denied => Self::DENIED,
            Self::Allowed => Self::ALLOWED,
            Self::Preset(Preset::ModelProviders) => 1 << 2,
            Self::Preset(Preset::PackageRegistries) => 1 << 3,
            Self::Preset(Preset::Vcs) => 1 << 4,
            // A preset without a bit could not be distinguished from others; `every_preset_has_its_own_bit`
            // keeps this arm out of reach.
            Self::Preset(_) => 0,
        }
    }

    /// Whether one of the sources denies. Whatever is not known to allow does.
    #[inline]
    fn denies(sources: Sources) -> bool {
        sources & !Self::ALLOWING != 0
    }

    /// The first preset among sources, in alphabetical order.
    #[inline]
    fn first_preset(sources: Sources) -> Preset {
        if sources & 1 << 2 != 0 {
            Preset::ModelProviders
        } else if sources & 1 << 3 != 0 {
            Preset::PackageRegistries
        } else {
            Preset::Vcs
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
pub struct Egress(Owned);

impl Egress {
    /// An empty builder: nothing allowed, nothing denied, no default.
    pub fn builder() -> EgressBuilder {
        EgressBuilder {
            patterns: Vec::new(),
            default: None,
        }
    }

    pub(crate) fn from_owned(owned: Owned) -> Self {
        Self(owned)
    }

    pub(crate) fn owned(&self) -> &Owned {
        &self.0
    }

    /// Decides a host and names the rule. Total: it never fails, allocates or logs.
    ///
    /// The work does not grow with the number of rules; only cache misses do. Most hosts that match
    /// nothing are decided after their last two labels.
    #[must_use]
    pub fn decide(&self, host: &Host) -> Decision<'_> {
        decide(self.0.image(), host)
    }

    /// Every rule that matches a host, the deciding one first; empty when the default decides.
    ///
    /// After the rules that deny come those that allow: an exact pattern before a wildcard, a
    /// longer wildcard before a shorter, `allowedDomains` before presets.
    pub fn rules_for(&self, host: &Host) -> impl Iterator<Item = Rule<'_>> {
        let mut matches = Vec::new();
        self.0.image().matches(host, |found| matches.push(found));
        matches.reverse();
        let denying = matches.clone().into_iter();
        let denying = denying.filter(|found| Source::denies(found.sources));
        denying
            .map(first_rule)
            .chain(matches.into_iter().flat_map(allowing_rules))
    }

    /// The rule that decides when no pattern matches.
    #[must_use]
    pub fn default_rule(&self) -> Rule<'static> {
        default_rule(self.0.image())
    }

    /// Whether an entry of `allowedDomains` or of a preset allows any host. Constant time.
    #[must_use]
    pub fn has_allowed(&self) -> bool {
        self.0.image().sources() & Source::ALLOWING != 0
    }

    /// Whether an entry of `deniedDomains` denies any host. Constant time.
    ///
    /// ```
    /// use policy_core::{Egress, Pattern};
    ///
    /// let egress = Egress::builder().deny(Pattern::parse("pastebin.com")?).build()?;
    /// assert!(egress.has_denied() && !egress.has_allowed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has_denied(&self) -> bool {
        Source::denies(self.0.image().sources())
    }

    /// The allowed entries with their sources, presets expanded: `allowedDomains` first, then
    /// presets in alphabetical order, names in order within each. Takes time and memory to sort them.
    pub fn allowed(&self) -> impl Iterator<Item = (PatternRef<'_>, Source)> {
        Source::allowing().flat_map(|source| self.of(source).map(move |pattern| (pattern, source)))
    }

    /// The denied entries, in order. Takes time and memory to sort them.
    pub fn denied(&self) -> impl Iterator<Item = PatternRef<'_>> {
        self.of(Source::Denied)
    }

    fn of(&self, source: Source) -> impl Iterator<Item = PatternRef<'_>> {
        let patterns = self.0.image().patterns();
        let of_source = patterns.filter(move |(_, sources)| sources & source.bit() != 0);
        sorted(of_source.map(|(pattern, _)| pattern))
    }
}

impl fmt::Debug for Egress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Egress")
            .field("denied", &self.denied().collect::<Vec<_>>())
            .field("allowed", &self.allowed().collect::<Vec<_>>())
            .field("default", &self.default_rule())
            .finish()
    }
}

/// The default allows.
const DEFAULT_ALLOWS: u8 = 1;
/// The policy leaves `default` unset.
const DEFAULT_IMPLIED: u8 = 1 << 1;

/// Whether an image uses only flags and sources that have a meaning here.
pub(crate) fn is_known(flags: u8, sources: Sources) -> bool {
    let known = Source::DENIED | Source::ALLOWING;
    flags & !(DEFAULT_ALLOWS | DEFAULT_IMPLIED) == 0 && sources & !known == 0
}

/// Whether a policy with these flags and sources could have been built; see [`EgressError`].
pub(crate) fn is_consistent(flags: u8, sources: Sources) -> bool {
    flags & DEFAULT_ALLOWS == 0 || sources & Source::ALLOWING == 0
}

/// The decision on a host by a compiled policy: the only code that ranks rules.
#[inline(always)]
pub(crate) fn decide<'b>(image: Image<'b>, host: &Host) -> Decision<'b> {
    match image.glance(host) {
        Glance::Nothing => Decision::new(default_rule(image)),
        Glance::Only(found) => Decision::new(first_rule(found)),
        Glance::Unsettled => decide_fully(image, host),
    }
}

#[inline(never)]
fn decide_fully<'b>(image: Image<'b>, host: &Host) -> Decision<'b> {
    let mut denying = None;
    let mut allowing = None;
    // The most specific match comes last, so each assignment replaces a less specific one.
    image.matches(host, |found| {
        if Source::denies(found.sources) {
            denying = Some(found);
        } else {
            allowing = Some(found);
        }
    });
    // Any denial beats every allow, however specific.
    let deciding = denying.or(allowing);
    Decision::new(deciding.map_or_else(|| default_rule(image), first_rule))
}

/// The rule that a match is named by.
#[inline]
fn first_rule(found: Match<'_>) -> Rule<'_> {
    rule(found.pattern(), found.sources)
}

/// The rule that one of the sources of a pattern is.
#[inline]
fn rule(pattern: PatternRef<'_>, sources: Sources) -> Rule<'_> {
    if Source::denies(sources) {
        Rule::Denied { pattern }
    } else if sources & Source::ALLOWED != 0 {
        Rule::Allowed { pattern }
    } else {
        let preset = Source::first_preset(sources);
        Rule::Preset { preset, pattern }
    }
}

/// Every rule that allows by a match.
fn allowing_rules(found: Match<'_>) -> impl Iterator<Item = Rule<'_>> {
    Source::allowing().filter_map(move |source| {
        let sources = found.sources & source.bit();
        (sources != 0).then(|| rule(found.pattern(), sources))
    })
}

#[inline]
fn default_rule(image: Image<'_>) -> Rule<'static> {
    let flags = image.flags();
    Rule::Default {
        verdict: if flags & DEFAULT_ALLOWS == 0 {
            Verdict::Deny
        } else {
            Verdict::Allow
        },
        implied: flags & DEFAULT_IMPLIED != 0,
    }
}

fn default_flag(default: Verdict) -> u8 {
    match default {
        Verdict::Deny => 0,
        Verdict::Allow => DEFAULT_ALLOWS,
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
            // `every_preset_host_is_a_pattern` checks that none is left out.
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
        Ok(self.compile(implied))
    }

    /// Compiles the rules of a policy whose allowlist was narrowed, perhaps to nothing: an unset
    /// default is deny.
    #[cfg(feature = "repository")]
    pub(crate) fn build_narrowed(self) -> Result<Egress, EgressError> {
        if self.default == Some(Verdict::Allow) {
            return self.build();
        }
        Ok(self.compile(Verdict::Deny))
    }

    /// Compiles the rules with what an unset default means.
    fn compile(self, unset: Verdict) -> Egress {
        let flags = match self.default {
            Some(default) => default_flag(default),
            None => default_flag(unset) | DEFAULT_IMPLIED,
        };
        Egress(Owned::compile(&self.patterns, flags))
    }

    fn add(&mut self, pattern: Pattern, source: Source) {
        self.patterns.push((pattern, source.bit()));
    }
}

/// Why rules are not a valid policy.
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
        assert_eq!(seen, Source::DENIED | Source::ALLOWING);
    }

    #[test]
    fn every_preset_host_is_a_pattern() {
        for preset in Preset::ALL {
            let egress = Egress::builder().preset(*preset).build().unwrap();
            assert_eq!(egress.allowed().count(), preset.hosts().len(), "{preset}");
        }
    }
}

//! Many patterns, one lookup from the last label to the full name.

use alloc::vec::Vec;
use core::fmt;

use crate::host::Host;
use crate::image::{Owned, Sources};
use crate::pattern::{Pattern, PatternRef};

/// A set of patterns that finds the most specific one that matches a host.
///
/// A lookup costs a few steps per label that the host shares with a pattern, whatever the number of
/// patterns, and allocates nothing.
///
/// ```
/// use policy_core::{Host, Pattern, PatternSet};
///
/// let set: PatternSet = ["github.com", "*.github.com"]
///     .into_iter()
///     .map(|text| Pattern::parse(text).unwrap())
///     .collect();
/// let host = Host::parse("https://api.github.com/").unwrap();
/// assert_eq!(set.matching(&host).unwrap().to_string(), "*.github.com");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PatternSet(Owned);

impl PatternSet {
    const MEMBER: Sources = 1;

    /// The most specific pattern that matches: an exact one before a wildcard, a longer wildcard
    /// before a shorter; `None` when none does.
    #[must_use]
    pub fn matching(&self, host: &Host) -> Option<PatternRef<'_>> {
        let mut most_specific = None;
        self.0
            .image()
            .matches(host, |found| most_specific = Some(found.pattern()));
        most_specific
    }

    /// Every pattern of the set once, in order. Takes time and memory to sort them.
    pub fn iter(&self) -> impl Iterator<Item = PatternRef<'_>> {
        sorted(self.0.image().patterns().map(|(pattern, _)| pattern))
    }

    /// How many different patterns the set contains. Takes time in proportion to them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.image().patterns().count()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.image().patterns().next().is_none()
    }
}

/// Patterns in the order in which they are listed: names in order, exact before wildcard, then
/// addresses.
pub(crate) fn sorted<'p>(
    patterns: impl Iterator<Item = PatternRef<'p>>,
) -> impl Iterator<Item = PatternRef<'p>> {
    let mut patterns: Vec<_> = patterns.collect();
    patterns
        .sort_unstable_by_key(|pattern| (pattern.address(), pattern.name(), pattern.is_wildcard()));
    patterns.into_iter()
}

impl Default for PatternSet {
    fn default() -> Self {
        Self::from_iter([])
    }
}

impl FromIterator<Pattern> for PatternSet {
    fn from_iter<I: IntoIterator<Item = Pattern>>(patterns: I) -> Self {
        let patterns = patterns.into_iter();
        let patterns: Vec<_> = patterns.map(|pattern| (pattern, Self::MEMBER)).collect();
        Self(Owned::compile(&patterns, 0))
    }
}

impl fmt::Debug for PatternSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

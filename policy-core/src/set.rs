//! Many patterns, one lookup from the full name to its last label.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::net::IpAddr;

use crate::host::Host;
use crate::pattern::{Pattern, PatternRef};

/// Which lists of a policy hold a pattern: a bit each.
pub(crate) type Sources = u8;

/// A set of patterns, asked for the most specific one that matches a host.
///
/// A lookup costs one search per label of the host, whatever the number of patterns, and allocates
/// nothing.
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
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PatternSet(Table);

impl PatternSet {
    const MEMBER: Sources = 1;

    /// The most specific pattern that matches: an exact one before a wildcard, a longer wildcard
    /// before a shorter; `None` when none does.
    #[must_use]
    pub fn matching(&self, host: &Host) -> Option<PatternRef<'_>> {
        self.0.matches(host).next().map(|found| found.pattern)
    }

    /// Every pattern of the set once, in a stable order.
    pub fn iter(&self) -> impl Iterator<Item = PatternRef<'_>> {
        self.0.iter().map(|(pattern, _)| pattern)
    }

    /// How many different patterns the set holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether the set holds no pattern.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl FromIterator<Pattern> for PatternSet {
    fn from_iter<I: IntoIterator<Item = Pattern>>(patterns: I) -> Self {
        Self(Table::new(
            patterns
                .into_iter()
                .map(|pattern| (pattern, Self::MEMBER))
                .collect(),
        ))
    }
}

impl fmt::Debug for PatternSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Patterns with the lists that hold them, each name once, sorted.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Table {
    names: Box<[Entry]>,
    addresses: Box<[(IpAddr, Sources)]>,
}

#[derive(Clone, PartialEq, Eq)]
struct Entry {
    name: Box<str>,
    exact: Sources,
    below: Sources,
}

/// One pattern that matches a host, with the lists that hold it.
#[derive(Clone, Copy)]
pub(crate) struct Match<'t> {
    pub(crate) pattern: PatternRef<'t>,
    pub(crate) sources: Sources,
}

impl Table {
    pub(crate) fn new(patterns: Vec<(Pattern, Sources)>) -> Self {
        let mut names = Vec::with_capacity(patterns.len());
        let mut addresses = Vec::new();
        for (pattern, sources) in patterns {
            match (pattern.base(), pattern.address()) {
                (Some(base), _) => names.push(if pattern.is_wildcard() {
                    Entry {
                        name: base.into(),
                        exact: 0,
                        below: sources,
                    }
                } else {
                    Entry {
                        name: base.into(),
                        exact: sources,
                        below: 0,
                    }
                }),
                (None, Some(address)) => addresses.push((address, sources)),
                (None, None) => {}
            }
        }
        names.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        names.dedup_by(|later, kept| {
            let same = later.name == kept.name;
            if same {
                kept.exact |= later.exact;
                kept.below |= later.below;
            }
            same
        });
        addresses.sort_unstable();
        addresses.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 |= later.1;
            }
            same
        });
        Self {
            names: names.into(),
            addresses: addresses.into(),
        }
    }

    /// Every pattern that matches, the most specific first.
    pub(crate) fn matches(&self, host: &Host) -> impl Iterator<Item = Match<'_>> {
        let exact = host
            .name()
            .and_then(|name| self.entry(name))
            .map(|entry| Match {
                pattern: PatternRef::exact(&entry.name),
                sources: entry.exact,
            });
        let below = host
            .name()
            .into_iter()
            .flat_map(parents)
            .filter_map(|parent| {
                let entry = self.entry(parent)?;
                Some(Match {
                    pattern: PatternRef::below(&entry.name),
                    sources: entry.below,
                })
            });
        let address = host.address().and_then(|address| {
            let at = self
                .addresses
                .binary_search_by_key(&address, |(known, _)| *known)
                .ok()?;
            let (address, sources) = *self.addresses.get(at)?;
            Some(Match {
                pattern: PatternRef::of_address(address),
                sources,
            })
        });
        exact
            .into_iter()
            .chain(below)
            .chain(address)
            .filter(|found| found.sources != 0)
    }

    /// Every pattern once with the lists that hold it: names in order, exact before wildcard, then
    /// addresses.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (PatternRef<'_>, Sources)> {
        let names = self.names.iter().flat_map(|entry| {
            [
                (PatternRef::exact(&entry.name), entry.exact),
                (PatternRef::below(&entry.name), entry.below),
            ]
        });
        let addresses = self
            .addresses
            .iter()
            .map(|(address, sources)| (PatternRef::of_address(*address), *sources));
        names.chain(addresses).filter(|(_, sources)| *sources != 0)
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        let at = self
            .names
            .binary_search_by(|entry| (*entry.name).cmp(name))
            .ok()?;
        self.names.get(at)
    }
}

/// The names above a name, the longest first: `a.b.c` has `b.c` and `c`.
fn parents(name: &str) -> impl Iterator<Item = &str> {
    core::iter::successors(Some(name), |name| {
        name.split_once('.').map(|(_, parent)| parent)
    })
    .skip(1)
}

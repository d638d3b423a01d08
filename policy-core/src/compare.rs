//! Whether one policy permits more than another, settled exactly by finitely many hosts.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::decision::Rule;
use crate::egress::Egress;
use crate::host::{Host, check_name};
use crate::name::MAX_NAME;
use crate::pattern::PatternRef;

impl Egress {
    /// Whether every host that this policy permits is permitted by `other` too; if not, a host
    /// that shows it.
    ///
    /// Exact, whatever the two policies look like: they are compared by what they decide, not by
    /// how they are written. The work is at most two decisions for each host of [`witnesses`].
    ///
    /// ```
    /// use policy_core::{Egress, Pattern};
    ///
    /// let parent = Egress::builder()
    ///     .allow(Pattern::parse("*.acme.example")?)
    ///     .build()?;
    /// let child = Egress::builder()
    ///     .allow(Pattern::parse("mcp.acme.example")?)
    ///     .build()?;
    /// assert!(child.is_within(&parent).is_ok());
    ///
    /// let witness = parent.is_within(&child).unwrap_err();
    /// assert_eq!(
    ///     witness.to_string(),
    ///     "allows `a.acme.example` by egress.allowedDomains *.acme.example; \
    ///      denied there by egress.default deny (implied)",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first host of [`witnesses`] that this policy permits and `other` does not.
    pub fn is_within<'p>(&'p self, other: &'p Self) -> Result<(), HostWitness<'p>> {
        match self.beyond(other).next() {
            None => Ok(()),
            Some(witness) => Err(witness),
        }
    }

    /// Everything that this policy permits and `other` does not, by reason: one witness for each
    /// pair of a rule here that allows and a rule there that denies. Empty exactly when
    /// [`is_within`](Self::is_within) is `Ok`.
    ///
    /// In the order of the rules here, then of those there. The witness is the first host of
    /// [`witnesses`] with that pair of rules.
    ///
    /// ```
    /// use policy_core::{Egress, Pattern};
    ///
    /// let main = Egress::builder()
    ///     .allow(Pattern::parse("docs.example")?)
    ///     .deny(Pattern::parse("paste.docs.example")?)
    ///     .build()?;
    /// let proposed = Egress::builder()
    ///     .allow(Pattern::parse("docs.example")?)
    ///     .allow(Pattern::parse("*.docs.example")?)
    ///     .build()?;
    /// let added: Vec<String> = proposed
    ///     .difference(&main)
    ///     .iter()
    ///     .map(|witness| format!("{} {}", witness.host(), witness.denied_by()))
    ///     .collect();
    /// assert_eq!(
    ///     added,
    ///     [
    ///         "paste.docs.example egress.deniedDomains paste.docs.example",
    ///         "a.docs.example egress.default deny (implied)",
    ///     ],
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn difference<'p>(&'p self, other: &'p Self) -> Vec<HostWitness<'p>> {
        let mut reasons = BTreeMap::new();
        for witness in self.beyond(other) {
            reasons
                .entry((witness.allowed_by, witness.denied_by))
                .or_insert(witness);
        }
        reasons.into_values().collect()
    }

    /// Whether the two policies permit the same hosts. Where they do not, a
    /// [`difference`](Self::difference) one way or the other says why.
    #[must_use]
    pub fn is_equivalent(&self, other: &Self) -> bool {
        self.is_within(other).is_ok() && other.is_within(self).is_ok()
    }

    /// Every pattern of the policy, denied ones first, presets expanded. A pattern in several lists
    /// comes once for each.
    pub fn patterns(&self) -> impl Iterator<Item = PatternRef<'_>> {
        self.denied()
            .chain(self.allowed().map(|(pattern, _)| pattern))
    }

    /// The hosts of the common witness set that this policy permits and `other` does not.
    fn beyond<'p>(&'p self, other: &'p Self) -> impl Iterator<Item = HostWitness<'p>> {
        witnesses(self.patterns().chain(other.patterns())).filter_map(move |host| {
            let here = self.decide(&host);
            if !here.is_allowed() {
                return None;
            }
            let there = other.decide(&host);
            (!there.is_allowed()).then(|| HostWitness {
                host,
                allowed_by: here.rule(),
                denied_by: there.rule(),
            })
        })
    }
}

/// A host that one policy permits and another does not: the evidence that the one is not within
/// the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostWitness<'p> {
    host: Host,
    allowed_by: Rule<'p>,
    denied_by: Rule<'p>,
}

impl<'p> HostWitness<'p> {
    /// The host.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The rule by which the one policy allows the host.
    #[must_use]
    pub fn allowed_by(&self) -> Rule<'p> {
        self.allowed_by
    }

    /// The rule by which the other policy denies it.
    #[must_use]
    pub fn denied_by(&self) -> Rule<'p> {
        self.denied_by
    }
}

impl fmt::Display for HostWitness<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "allows `{}` by {}; denied there by {}",
            self.host, self.allowed_by, self.denied_by
        )
    }
}

impl core::error::Error for HostWitness<'_> {}

/// A finite set of hosts that stands for all hosts: policies made of these patterns, and of no
/// others, decide every host as they decide one of the set.
///
/// Call the name in a pattern, less its `*.`, a base. The set holds, each once and in this order,
///
/// 1. a name with no base above it that is no base itself;
/// 2. for each base, the shortest first: the base, then a name one label below it that is no base;
/// 3. each address of a pattern, then an IPv4 and an IPv6 address of no pattern.
///
/// Labels are made up as short as they can be, from letters where those suffice; addresses are
/// taken from the ranges for documentation (RFC 5737, RFC 3849) where those suffice. Every member
/// is a host that [`Host::parse`] accepts. A class of hosts has no member here only if it has none
/// at all: below a base of 252 bytes there is no room for another label.
///
/// At most `2 × bases + addresses + 3` hosts, each found by about one search among the bases.
///
/// # Why it is complete
///
/// Which patterns match a name depends on two things alone: whether it is a base, and which is the
/// longest base above it, because every other base above it lies above that one as well. So names
/// that are no base and have the same longest base above them are decided alike. If there is such
/// a name, then its ancestor one label below that base is one too, so looking one label below
/// suffices. An address is matched by its own pattern only.
///
/// ```
/// use policy_core::{Egress, Pattern, witnesses};
///
/// let egress = Egress::builder()
///     .allow(Pattern::parse("*.acme.example")?)
///     .deny(Pattern::parse("a.acme.example")?)
///     .build()?;
/// let hosts: Vec<String> = witnesses(egress.patterns()).map(|host| host.to_string()).collect();
/// assert_eq!(
///     hosts,
///     [
///         "a",
///         "acme.example",
///         "b.acme.example",
///         "a.acme.example",
///         "a.a.acme.example",
///         "192.0.2.1",
///         "2001:db8::1",
///     ],
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn witnesses<'p, I>(patterns: I) -> impl Iterator<Item = Host> + use<'p, I>
where
    I: IntoIterator<Item = PatternRef<'p>>,
{
    let mut bases = Vec::new();
    let mut addresses = Vec::new();
    for pattern in patterns {
        bases.extend(pattern.base());
        addresses.extend(pattern.address());
    }
    addresses.sort_unstable();
    addresses.dedup();
    let unlisted = [unlisted_v4(&addresses), unlisted_v6(&addresses)];

    let bases = Bases::new(bases);
    let unrelated = bases.unlisted_below(None);
    let names = (0..bases.0.len()).flat_map(move |at| {
        let base = bases.0.get(at).copied();
        [
            base.map(Host::from_canonical_name),
            base.and_then(|base| bases.unlisted_below(Some(base))),
        ]
    });
    let addresses = addresses.into_iter().chain(unlisted.into_iter().flatten());
    unrelated
        .into_iter()
        .chain(names.flatten())
        .chain(addresses.map(Host::from))
}

/// The bases of some patterns, each once, the shortest first.
struct Bases<'p>(Vec<&'p str>);

impl<'p> Bases<'p> {
    fn new(mut bases: Vec<&'p str>) -> Self {
        bases.sort_unstable_by_key(|base| (base.len(), *base));
        bases.dedup();
        Self(bases)
    }

    fn contains(&self, name: &str) -> bool {
        self.0
            .binary_search_by_key(&(name.len(), name), |base| (base.len(), *base))
            .is_ok()
    }

    /// The first name one label below a base, or below the root, that is no base.
    ///
    /// A label that is passed over makes a base that no other call passes over, or it makes no
    /// host, as about a third of the labels do at most. So all calls together look at no more than
    /// about two labels for each base.
    fn unlisted_below(&self, base: Option<&str>) -> Option<Host> {
        labels()
            .map(|label| match base {
                None => label,
                Some(base) => format!("{label}.{base}"),
            })
            .take_while(|name| name.len() <= MAX_NAME)
            .find(|name| !self.contains(name) && check_name(name).is_ok())
            .map(|name| Host::from_canonical_name(&name))
    }
}

/// Every text over the characters of a label once, the shortest first.
fn labels() -> impl Iterator<Item = String> {
    // Letters first: a name that ends in a number is an address, and beside right-to-left labels
    // no label begins with a digit or ends in `-` or `_` (RFC 5893 §2).
    const CHARACTERS: &str = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    // Numbers in bijective base 38: digits without a zero, so that every text has exactly one rank.
    (1..=usize::MAX).map(|rank| {
        let mut label = String::new();
        let mut rest = rank;
        while let Some(before) = rest.checked_sub(1) {
            label.extend(CHARACTERS.chars().nth(before % CHARACTERS.len()));
            rest = before / CHARACTERS.len();
        }
        label
    })
}

/// The first IPv4 address from 192.0.2.1 on that is none of these.
fn unlisted_v4(listed: &[IpAddr]) -> Option<IpAddr> {
    let first = Ipv4Addr::new(192, 0, 2, 1).to_bits();
    (first..=u32::MAX)
        .chain(0..first)
        .map(|bits| IpAddr::V4(Ipv4Addr::from_bits(bits)))
        .find(|address| listed.binary_search(address).is_err())
}

/// The first IPv6 address from 2001:db8::1 on that is none of these. Earlier addresses,
/// including the IPv4-mapped ones, are never reached: no list is that long.
fn unlisted_v6(listed: &[IpAddr]) -> Option<IpAddr> {
    let first = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).to_bits();
    (first..=u128::MAX)
        .map(|bits| IpAddr::V6(Ipv6Addr::from_bits(bits)))
        .find(|address| listed.binary_search(address).is_err())
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::pattern::Pattern;

    #[test]
    fn every_label_comes_once_the_shortest_first() {
        let first: Vec<String> = labels().take(38 + 38 * 38 + 1).collect();
        let different: BTreeSet<&String> = first.iter().collect();
        assert_eq!(different.len(), first.len());
        assert!(first.is_sorted_by_key(String::len));
        assert_eq!(first[37].len(), 1);
        assert_eq!(first[38].len(), 2);
        assert_eq!(first[38 + 38 * 38].len(), 3);
    }

    /// How many labels are tried below each base and below the root, in total.
    fn labels_looked_at(patterns: &[Pattern]) -> usize {
        let bases = Bases::new(patterns.iter().filter_map(Pattern::base).collect());
        let places = bases.0.iter().copied().map(Some).chain([None]);
        places
            .map(|base| {
                let found = bases.unlisted_below(base).expect("these leave room");
                let name = found.name().expect("a name");
                let label = name.split('.').next().expect("a label");
                labels().position(|other| other == label).expect("a label") + 1
            })
            .sum()
    }

    #[test]
    fn the_work_grows_with_the_number_of_bases() {
        let chain = |depth: usize| "a.".repeat(depth) + "example";
        let worlds: [(&str, Vec<String>); 5] = [
            ("nothing", Vec::new()),
            (
                "unrelated",
                (0..2_000).map(|n| format!("h{n}.example")).collect(),
            ),
            (
                "siblings",
                labels().take(2_000).map(|l| l + ".example").collect(),
            ),
            ("a chain", (0..120).map(chain).collect()),
            // Beside a right-to-left label, a third of the labels do not give a valid host.
            (
                "siblings, right to left",
                labels().take(2_000).map(|l| l + ".xn--4dbrk0ce").collect(),
            ),
        ];
        for (world, names) in worlds {
            let patterns: Vec<Pattern> = names
                .iter()
                .filter_map(|name| Pattern::parse(name).ok())
                .collect();
            let looked_at = labels_looked_at(&patterns);
            let bound = 2 * patterns.len() + 40;
            assert!(
                looked_at <= bound,
                "{world}: {looked_at} labels for {}",
                patterns.len()
            );

            let hosts = witnesses(patterns.iter().map(Pattern::as_ref)).count();
            assert!(hosts <= 2 * patterns.len() + 3, "{world}: {hosts} hosts");
        }
    }
}

//! The compiled form of a set of patterns: one byte array, the same in memory as in a file.
//!
//! ```text
//! header      HEADER bytes, see `header`
//! filter      8-byte words: which names are rules or lie above rules
//! pilots      one byte a bucket: how the names of the bucket are spread over the lines
//! padding     zeros up to a multiple of 64, unless there are few lines
//! lines       64 bytes each: entries `len exact below name`, then zeros
//! offsets     8 bytes each: where each spilled entry begins in the spill, in the order of the names
//! spill       entries `len exact below name` that no line holds
//! addresses   18 bytes each: family (4 or 6), octets, sources; in order
//! ```
//!
//! Numbers are little-endian. A lookup hashes a name, asks one filter word whether to go on, and
//! reads one line. An entry is found by comparing its bytes, so the hash decides only how long a
//! lookup takes; names that were chosen to collide spill into a sorted list.
//!
//! Every read is checked. Bytes whose header alone was read may give wrong answers until they are
//! verified, but never a panic or an endless loop.

mod build;
mod header;
mod item;
mod owned;
mod places;

use core::net::IpAddr;

use crate::host::Host;
use crate::name::Suffix;
use crate::pattern::PatternRef;

use header::HEADER;
pub use header::ImageError;
pub(crate) use header::{Header, is_sealed};
pub(crate) use owned::Owned;

/// Which lists of a policy contain a pattern: one bit per list.
pub(crate) type Sources = u8;

const LINE: usize = 64;
/// Bytes of an entry before its name.
const ENTRY: usize = 3;
/// Longest name that fits in a line.
const INLINE: usize = LINE - ENTRY;
/// Beside the sources of an exact pattern: a wildcard matches the name too.
const NESTED: Sources = 1 << 7;
/// The pilot of a bucket whose names are spilled.
const SPILLED: u8 = u8::MAX;
const OFFSET: usize = 8;
const ADDRESS: usize = 18;

/// A compiled set of patterns in borrowed bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image<'b> {
    header: &'b Header,
    bytes: &'b [u8],
}

/// One pattern that matches a host, with the lists that hold it.
#[derive(Clone, Copy)]
pub(crate) struct Match<'b> {
    kind: Kind,
    /// The name, or the row of the address.
    bytes: &'b [u8],
    pub(crate) sources: Sources,
}

#[derive(Clone, Copy)]
enum Kind {
    Exact,
    Below,
    Address,
}

impl<'b> Match<'b> {
    #[inline]
    pub(crate) fn pattern(self) -> PatternRef<'b> {
        match self.kind {
            Kind::Exact => PatternRef::exact(self.bytes),
            Kind::Below => PatternRef::below(self.bytes),
            Kind::Address => {
                let row = self.bytes.first_chunk().and_then(address_of);
                row.map_or(PatternRef::exact(&[]), |(address, _)| {
                    PatternRef::of_address(address)
                })
            }
        }
    }
}

/// What [`Image::glance`] saw.
pub(crate) enum Glance<'b> {
    /// No pattern matches.
    Nothing,
    /// This one alone matches.
    Only(Match<'b>),
    /// Only [`Image::matches`] can answer.
    Unsettled,
}

/// A name of the image, with the lists that hold it and those that hold `*.` before it.
#[derive(Clone, Copy)]
struct Entry<'b> {
    name: &'b [u8],
    exact: Sources,
    below: Sources,
}

/// The entries at the beginning of some bytes.
#[derive(Clone)]
struct Entries<'b>(&'b [u8]);

impl<'b> Iterator for Entries<'b> {
    type Item = Entry<'b>;

    #[inline]
    fn next(&mut self) -> Option<Entry<'b>> {
        let (&[len, exact, below], rest) = self.0.split_first_chunk::<ENTRY>()?;
        if len == 0 {
            return None;
        }
        let (name, rest) = rest.split_at_checked(len.into())?;
        self.0 = rest;
        Some(Entry { name, exact, below })
    }
}

impl<'b> Image<'b> {
    #[inline]
    pub(crate) fn new(header: &'b Header, bytes: &'b [u8]) -> Self {
        Self { header, bytes }
    }

    #[inline]
    pub(crate) fn flags(&self) -> u8 {
        self.header.flags
    }

    /// Every source that some entry has.
    #[inline]
    pub(crate) fn sources(&self) -> Sources {
        self.header.sources
    }

    /// The fast path: looks up a host's last two labels and the whole name, which settles most hosts.
    #[inline(always)]
    pub(crate) fn glance(self, host: &Host) -> Glance<'b> {
        let Some(name) = host.canonical_name() else {
            return Glance::Unsettled;
        };
        // A rule of a single label could match without any rule at or below the last two.
        if self.header.shallow {
            return Glance::Unsettled;
        }
        let Some(word) = self.word(name.last_two_labels()) else {
            return Glance::Nothing;
        };
        if !Bits(name.last_two_labels()).are_node_in(word) {
            return Glance::Nothing;
        }
        let name = name.whole();
        let word = self.word(name.hash);
        // An entry marked `NESTED` is left to the walk: a wildcard matches too, and it may deny.
        if word.is_some_and(|word| Bits(name.hash).are_rule_in(word, true))
            && let Some(entry) = find(self.header, self.bytes, &name)
            && entry.exact != 0
            && entry.exact & NESTED == 0
        {
            return Glance::Only(Match {
                kind: Kind::Exact,
                bytes: entry.name,
                sources: entry.exact,
            });
        }
        Glance::Unsettled
    }

    /// Calls `visit` with every pattern that matches, the most specific last.
    #[inline(always)]
    pub(crate) fn matches(self, host: &Host, mut visit: impl FnMut(Match<'b>)) {
        let Some(name) = host.canonical_name() else {
            return self.address(host).into_iter().for_each(visit);
        };
        name.walk(self.header.shallow, |suffix| {
            let Some(word) = self.word(suffix.hash) else {
                return false;
            };
            let bits = Bits(suffix.hash);
            // The filter never misses a name that it contains, so nothing longer can match either.
            if !bits.are_node_in(word) {
                return false;
            }
            // False positives of the filter are harmless: `find` compares the bytes.
            if bits.are_rule_in(word, suffix.whole)
                && let Some(entry) = find(self.header, self.bytes, &suffix)
            {
                let (kind, sources) = if suffix.whole {
                    (Kind::Exact, entry.exact & !NESTED)
                } else {
                    (Kind::Below, entry.below)
                };
                if sources != 0 {
                    visit(Match {
                        kind,
                        bytes: entry.name,
                        sources,
                    });
                }
            }
            true
        });
    }

    /// The filter word for a hash.
    #[inline(always)]
    fn word(&self, hash: u64) -> Option<u64> {
        let at = HEADER + 8 * word_of(hash, self.header.words);
        let word = self.bytes.get(at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*word))
    }

    #[inline]
    fn line(&self, index: usize) -> Option<Entries<'b>> {
        let line = self.bytes.get(self.header.lines_at + LINE * index..)?;
        Some(Entries(line.first_chunk::<LINE>()?))
    }

    #[cold]
    fn spilled(&self, name: &[u8]) -> Option<Entry<'b>> {
        let (mut low, mut high) = (0, self.header.spilled);
        while low < high {
            let middle = low + (high - low) / 2;
            let entry = self.spill(middle)?;
            match entry.name.cmp(name) {
                core::cmp::Ordering::Less => low = middle + 1,
                core::cmp::Ordering::Equal => return Some(entry),
                core::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn spill(&self, index: usize) -> Option<Entry<'b>> {
        let at = self.header.offsets_at + OFFSET * index;
        let offset = u64::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?);
        let spill = self
            .bytes
            .get(self.header.spill_at..self.header.addresses_at)?;
        Entries(spill.get(usize::try_from(offset).ok()?..)?).next()
    }

    #[cold]
    fn address(&self, host: &Host) -> Option<Match<'b>> {
        let key = address_key(host.address()?);
        let known = self.addresses();
        let at = known.binary_search_by(|[known @ .., _]| known.cmp(&key));
        let row = known.get(at.ok()?)?;
        let [.., sources] = *row;
        (sources != 0).then_some(Match {
            kind: Kind::Address,
            bytes: row,
            sources,
        })
    }

    fn addresses(&self) -> &'b [[u8; ADDRESS]] {
        let (addresses, _) = self
            .bytes
            .get(self.header.addresses_at..)
            .unwrap_or_default()
            .as_chunks();
        addresses
    }

    /// Every pattern with the lists that hold it, in the order of the bytes.
    pub(crate) fn patterns(self) -> impl Iterator<Item = (PatternRef<'b>, Sources)> {
        let lines = (0..self.header.lines).flat_map(move |index| self.line(index));
        let spilled = (0..self.header.spilled).filter_map(move |index| self.spill(index));
        let names = lines.flatten().chain(spilled).flat_map(|entry| {
            [
                (PatternRef::exact(entry.name), entry.exact & !NESTED),
                (PatternRef::below(entry.name), entry.below),
            ]
        });
        let addresses = self.addresses().iter().filter_map(|bytes| {
            let (address, sources) = address_of(bytes)?;
            Some((PatternRef::of_address(address), sources))
        });
        names.chain(addresses).filter(|(_, sources)| *sources != 0)
    }
}

/// The entry of a name with this hash.
///
/// Kept out of line: inlined, it spills the walk's registers.
#[inline(never)]
fn find<'b>(header: &'b Header, bytes: &'b [u8], suffix: &Suffix<'_>) -> Option<Entry<'b>> {
    let image = Image::new(header, bytes);
    let pilot = *bytes.get(header.pilots_at + bucket_of(suffix.hash, header.buckets))?;
    if pilot == SPILLED || suffix.bytes.len() > INLINE {
        return image.spilled(suffix.bytes);
    }
    let mut line = image.line(line_of(suffix.hash, pilot, header.lines))?;
    line.find(|entry| same(entry.name, suffix.bytes))
}

/// Whether two names are the same: `==` without its call of `memcmp`, which costs more than the
/// comparison.
#[inline(always)]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let ((words, rest), (others, other_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    words.iter().zip(others).all(|(a, b)| a == b)
        && match (a.last_chunk::<8>(), b.last_chunk::<8>()) {
            (Some(a), Some(b)) => a == b,
            _ => rest.iter().zip(other_rest).all(|(a, b)| a == b),
        }
}

/// The bits of a filter word that stand for a hash.
#[derive(Clone, Copy)]
struct Bits(u64);

impl Bits {
    /// The name is a rule's, or lies above one.
    const NODE: [u32; 2] = [0, 6];
    /// The name itself is a pattern.
    const EXACT: u32 = 12;
    /// `*.` before the name is a pattern.
    const BELOW: u32 = 18;

    #[inline(always)]
    fn at(self, shift: u32) -> u64 {
        1 << (self.0 >> shift & 63)
    }

    #[inline(always)]
    fn are_node_in(self, word: u64) -> bool {
        Self::NODE.iter().all(|shift| word & self.at(*shift) != 0)
    }

    #[inline(always)]
    fn are_rule_in(self, word: u64, exact: bool) -> bool {
        word & self.at(if exact { Self::EXACT } else { Self::BELOW }) != 0
    }

    /// The bits to set for a name that is a node, and a rule of some kinds.
    fn to_set(self, exact: bool, below: bool) -> u64 {
        let rule = [(exact, Self::EXACT), (below, Self::BELOW)];
        let rule = rule.iter().filter(|(set, _)| *set).map(|(_, shift)| shift);
        Self::NODE
            .iter()
            .chain(rule)
            .fold(0, |bits, shift| bits | self.at(*shift))
    }
}

/// A place below `count`, spread evenly over the values of `hash`.
#[inline]
fn reduce(hash: u64, count: usize) -> usize {
    let high = (u128::from(hash) * count as u128) >> 64;
    usize::try_from(high).unwrap_or(usize::MAX)
}

/// The place of a hash in the filter: from its high bits, as [`Bits`] takes the low ones.
#[inline]
fn word_of(hash: u64, words: usize) -> usize {
    reduce(hash, words)
}

#[inline]
fn bucket_of(hash: u64, buckets: usize) -> usize {
    reduce(hash.rotate_left(32), buckets)
}

#[inline]
fn line_of(hash: u64, pilot: u8, lines: usize) -> usize {
    // Two odd numbers without a pattern: digits of e and of the golden ratio.
    const STEP: u64 = 0xb7e1_5162_8aed_2a6b;
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let turned = hash ^ u64::from(pilot).wrapping_mul(STEP);
    reduce(turned.wrapping_mul(SPREAD), lines)
}

/// The bytes that stand for an address, in the order of addresses: IPv4 first.
fn address_key(address: IpAddr) -> [u8; ADDRESS - 1] {
    let mut key = [0; ADDRESS - 1];
    let (family, octets) = match &address {
        IpAddr::V4(address) => (4, &address.octets()[..]),
        IpAddr::V6(address) => (6, &address.octets()[..]),
    };
    let [first, rest @ ..] = &mut key;
    *first = family;
    rest.iter_mut()
        .zip(octets)
        .for_each(|(to, from)| *to = *from);
    key
}

/// The reverse of [`address_key`], with the sources; `None` for bytes that it never gives.
fn address_of(bytes: &[u8; ADDRESS]) -> Option<(IpAddr, Sources)> {
    let [family, octets @ .., sources] = bytes;
    let address = match family {
        4 => IpAddr::from(*octets.first_chunk::<4>()?),
        6 => IpAddr::from(*octets),
        _ => return None,
    };
    let [key @ .., _] = bytes;
    (address_key(address) == *key).then_some((address, *sources))
}

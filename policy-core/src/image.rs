//! The compiled form of a set of patterns: one run of bytes, the same in memory as in a file.
//!
//! ```text
//! header      HEADER bytes, see `header`
//! filter      8-byte words: which names are rules or lie above rules
//! pilots      one byte a bucket: how the names of the bucket are spread over the lines
//! padding     zeros up to a multiple of 64
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
//! Every read is checked. Bytes that [`Image::open`] took may give wrong answers until they are
//! verified, but never a panic or an endless loop.

mod build;
mod header;
mod owned;

use core::net::IpAddr;

use crate::host::Host;
use crate::name::{Name, Suffix, Text};
use crate::pattern::PatternRef;

use header::HEADER;
pub use header::ImageError;
pub(crate) use header::{Header, is_sealed};
pub(crate) use owned::Owned;

/// Which lists of a policy hold a pattern: a bit each.
pub(crate) type Sources = u8;

const LINE: usize = 64;
/// Bytes of an entry before its name.
const ENTRY: usize = 3;
/// Longest name that a line holds.
const INLINE: usize = LINE - ENTRY;
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
    pub(crate) pattern: PatternRef<'b>,
    pub(crate) sources: Sources,
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

    /// Calls `visit` with every pattern that matches, the most specific last.
    #[inline]
    pub(crate) fn matches(self, host: &Host, visit: impl FnMut(Match<'b>)) {
        match (host.canonical_name(), host.address()) {
            (Some(Name::Short(text)), _) => self.walk(text, visit),
            (Some(Name::Long(text)), _) => self.walk(text, visit),
            (None, Some(address)) => self.address(address).into_iter().for_each(visit),
            (None, None) => {}
        }
    }

    #[inline]
    fn walk<const N: usize>(self, text: &Text<N>, mut visit: impl FnMut(Match<'b>)) {
        for suffix in text.suffixes(self.header.seed, self.header.shallow) {
            let Some(word) = self.word(word_of(suffix.hash, self.header.words)) else {
                return;
            };
            let bits = Bits(suffix.hash);
            if word & bits.node() != bits.node() {
                return;
            }
            let kind = if suffix.whole {
                bits.exact()
            } else {
                bits.below()
            };
            if word & kind != 0
                && let Some(entry) = self.entry(&suffix)
            {
                let (pattern, sources) = if suffix.whole {
                    (PatternRef::exact(entry.name), entry.exact)
                } else {
                    (PatternRef::below(entry.name), entry.below)
                };
                if sources != 0 {
                    visit(Match { pattern, sources });
                }
            }
        }
    }

    #[inline]
    fn word(&self, index: usize) -> Option<u64> {
        let word = self.bytes.get(HEADER + 8 * index..)?.first_chunk()?;
        Some(u64::from_le_bytes(*word))
    }

    #[inline]
    fn entry(&self, suffix: &Suffix<'_>) -> Option<Entry<'b>> {
        if suffix.bytes.len() > INLINE {
            return self.spilled(suffix.bytes);
        }
        let bucket = bucket_of(suffix.hash, self.header.buckets);
        let pilot = *self.bytes.get(self.header.pilots_at + bucket)?;
        if pilot == SPILLED {
            return self.spilled(suffix.bytes);
        }
        let line = line_of(suffix.hash, pilot, self.header.lines);
        self.line(line)?.find(|entry| entry.name == suffix.bytes)
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

    fn address(&self, address: IpAddr) -> Option<Match<'b>> {
        let key = address_key(address);
        let known = self.addresses();
        let at = known
            .binary_search_by(|[known @ .., _]| known.cmp(&key))
            .ok()?;
        let [.., sources] = *known.get(at)?;
        (sources != 0).then_some(Match {
            pattern: PatternRef::of_address(address),
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
                (PatternRef::exact(entry.name), entry.exact),
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

/// The bits of a filter word that stand for a hash.
#[derive(Clone, Copy)]
struct Bits(u64);

impl Bits {
    /// The name is a rule's, or lies above one.
    #[inline]
    fn node(self) -> u64 {
        1 << (self.0 & 63) | 1 << (self.0 >> 6 & 63)
    }

    /// The name itself is a pattern.
    #[inline]
    fn exact(self) -> u64 {
        1 << (self.0 >> 12 & 63)
    }

    /// `*.` before the name is a pattern.
    #[inline]
    fn below(self) -> u64 {
        1 << (self.0 >> 18 & 63)
    }
}

/// A place below `count`, spread evenly over the values of `hash`.
#[inline]
fn reduce(hash: u64, count: usize) -> usize {
    let (_, high) = hash.carrying_mul(count as u64, 0);
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

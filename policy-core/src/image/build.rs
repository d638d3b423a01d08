//! Compiling patterns into an image.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::header::{Counts, HEADER, Header, seal};
use super::owned::Owned;
use super::{
    ADDRESS, Bits, ENTRY, INLINE, LINE, NESTED, OFFSET, SPILLED, Sources, address_key, bucket_of,
    line_of, word_of,
};
use crate::name::Name;
use crate::pattern::{Pattern, PatternRef};

/// Filter bits for each name that is a rule or lies above one. Each sets two to four of them, so
/// about one unknown name in thirty is looked at once more than it need be.
const FILTER_BITS: usize = 16;
/// Names to a bucket, on average. Fewer cost more bytes, more are harder to place.
const BUCKET: usize = 3;
/// More names than chance puts into a bucket; an adversary might, and they are not worth placing.
const CROWD: usize = 16;
/// How full the lines are to be, in hundredths: the first that leaves few names without a place.
/// Lists of many lengths take the first; where all names are as long as half a line, say, no two
/// share one.
const FILLS: [usize; 5] = [87, 80, 72, 64, 50];
/// Of so many names one may be without a place.
const PLACED: usize = 50;
/// Free bytes of an empty line.
const LINE_ROOM: u8 = 64;

/// A pattern among those to compile.
pub(crate) trait Listed {
    /// The pattern, and the lists that hold it.
    fn listed(&self) -> (PatternRef<'_>, Sources);
}

impl Listed for (Pattern, Sources) {
    fn listed(&self) -> (PatternRef<'_>, Sources) {
        (self.0.as_ref(), self.1)
    }
}

impl Listed for (PatternRef<'_>, Sources) {
    fn listed(&self) -> (PatternRef<'_>, Sources) {
        *self
    }
}

/// A pattern of names with what placing it asks for. Items are many, and so are small.
struct Item<'p, P> {
    hash: u64,
    pattern: &'p P,
    /// Of the name.
    len: u8,
}

impl<'p, P: Listed> Item<'p, P> {
    /// `None` for an address.
    fn of(pattern: &'p P) -> Option<Self> {
        let name = name_of(pattern)?;
        Some(Self {
            hash: Name::new(name).hash(),
            pattern,
            // A name has at most 253 bytes.
            len: u8::try_from(name.len()).unwrap_or(u8::MAX),
        })
    }

    fn size(&self) -> usize {
        ENTRY + usize::from(self.len)
    }

    /// As [`Item::size`], for a name that a line could hold.
    fn inline_size(&self) -> Option<u8> {
        let size = u8::try_from(self.size()).ok()?;
        (usize::from(self.len) <= INLINE).then_some(size)
    }

    /// Items in this order are in the order of their buckets.
    fn order(&self) -> (u64, Option<&'p [u8]>) {
        (self.hash.rotate_left(32), name_of(self.pattern))
    }

    fn has_name_of(&self, other: &Self) -> bool {
        self.hash == other.hash && name_of(self.pattern) == name_of(other.pattern)
    }
}

fn name_of<P: Listed>(pattern: &P) -> Option<&[u8]> {
    pattern.listed().0.name()
}

/// The first item of each name.
fn firsts<'i, 'p, P: Listed>(
    items: &'i [Item<'p, P>],
) -> impl Iterator<Item = &'i Item<'p, P>> + Clone {
    items.chunk_by(Item::has_name_of).filter_map(<[_]>::first)
}

/// A name with the lists of all its patterns.
struct Named<'p> {
    name: &'p [u8],
    exact: Sources,
    below: Sources,
}

impl<'p> Named<'p> {
    /// From patterns that have the same name.
    fn of<P: Listed>(patterns: &[&'p P]) -> Option<Self> {
        let mut named = Self {
            name: name_of(*patterns.first()?)?,
            exact: 0,
            below: 0,
        };
        for (pattern, sources) in patterns.iter().map(|pattern| pattern.listed()) {
            if pattern.is_wildcard() {
                named.below |= sources;
            } else {
                named.exact |= sources;
            }
        }
        Some(named)
    }

    fn size(&self) -> usize {
        ENTRY + self.name.len()
    }

    fn write(&self, to: &mut [u8]) {
        let len = u8::try_from(self.name.len()).unwrap_or_default();
        let bytes = [len, self.exact, self.below].into_iter();
        let bytes = bytes.chain(self.name.iter().copied());
        to.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
    }
}

impl Owned {
    /// Compiles patterns; neither their order nor repetition matters.
    ///
    /// What it takes beside the image is less than half as much: the items are gone before there is
    /// room for the image.
    pub(crate) fn compile<P: Listed>(patterns: &[P], flags: u8) -> Self {
        let addresses = addresses(patterns);
        let sources = patterns.iter().map(|pattern| pattern.listed().1);
        let sources = sources.fold(0, |all, one| all | one);
        let mut items = Vec::with_capacity(patterns.len() - addresses.len().min(patterns.len()));
        items.extend(patterns.iter().filter_map(Item::of));
        items.sort_unstable_by(|a, b| a.order().cmp(&b.order()));
        let shallow = patterns
            .iter()
            .any(|pattern| name_of(pattern).is_some_and(|name| !name.contains(&b'.')));
        let filter = filter(&items, shallow);
        let places = Places::find(&items);
        let mut named = Vec::with_capacity(items.len());
        named.extend(items.iter().map(|item| item.pattern));
        drop(items);
        write(
            &named,
            &filter,
            &places,
            &addresses,
            (flags, sources, shallow),
        )
    }
}

fn addresses<P: Listed>(patterns: &[P]) -> Vec<([u8; ADDRESS - 1], Sources)> {
    let listed = patterns.iter().map(Listed::listed);
    let addresses =
        listed.filter_map(|(pattern, sources)| Some((address_key(pattern.address()?), sources)));
    let mut addresses: Vec<_> = addresses.collect();
    addresses.sort_unstable();
    addresses.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 |= later.1;
        }
        same
    });
    addresses
}

/// Writes the image of patterns in the order of their items.
fn write<P: Listed>(
    patterns: &[&P],
    filter: &[[u8; 8]],
    places: &Places,
    addresses: &[([u8; ADDRESS - 1], Sources)],
    (flags, sources, shallow): (u8, Sources, bool),
) -> Owned {
    let names = || {
        let groups = patterns.chunk_by(|a, b| name_of(*a) == name_of(*b));
        groups.filter_map(Named::of).map(|mut named| {
            let name = Name::new(named.name);
            if named.exact != 0 && is_nested(&name, filter, shallow) {
                named.exact |= NESTED;
            }
            let line = places.of(name.hash(), named.size());
            (named, line)
        })
    };
    let mut spilled: Vec<_> = names()
        .filter(|(_, line)| line.is_none())
        .map(|(named, _)| named)
        .collect();
    spilled.sort_unstable_by_key(|named| named.name);

    let counts = Counts {
        words: filter.len(),
        buckets: places.pilots.len(),
        lines: places.lines,
        spilled: spilled.len(),
        spill_bytes: spilled.iter().map(Named::size).sum(),
        addresses: addresses.len(),
    };
    let header = Header::new(flags, sources, shallow, counts);
    let mut owned = Owned::zeroed(header.clone());
    let bytes = owned.bytes_mut();

    let parts = [
        (0, &header.to_bytes()[..]),
        (HEADER, filter.as_flattened()),
        (header.pilots_at, &places.pilots),
    ];
    for (at, part) in parts {
        let room = bytes.get_mut(at..).unwrap_or_default();
        room.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
    }

    let mut filled = vec![0_u8; places.lines];
    for (named, line) in names() {
        if let Some(line) = line
            && let Some(filled) = filled.get_mut(line)
        {
            let at = header.lines_at + LINE * line + usize::from(*filled);
            named.write(bytes.get_mut(at..).unwrap_or_default());
            *filled = filled.saturating_add(u8::try_from(named.size()).unwrap_or(u8::MAX));
        }
    }

    let mut offset = 0;
    for (index, named) in spilled.iter().enumerate() {
        let at = header.offsets_at + OFFSET * index;
        if let Some(field) = bytes.get_mut(at..at + OFFSET) {
            field.copy_from_slice(&(offset as u64).to_le_bytes());
        }
        named.write(
            bytes
                .get_mut(header.spill_at + offset..)
                .unwrap_or_default(),
        );
        offset += named.size();
    }

    let (rows, _) = bytes
        .get_mut(header.addresses_at..)
        .unwrap_or_default()
        .as_chunks_mut::<ADDRESS>();
    for (row, (key, sources)) in rows.iter_mut().zip(addresses) {
        let from = key.iter().chain([sources]);
        row.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
    seal(bytes);
    owned
}

/// The filter's words.
fn filter<P: Listed>(items: &[Item<'_, P>], shallow: bool) -> Vec<[u8; 8]> {
    let mut above = Vec::new();
    let names = firsts(items).filter_map(|item| name_of(item.pattern));
    for name in names {
        Name::new(name).walk(shallow, |suffix| {
            if !suffix.whole {
                above.push(suffix.hash);
            }
            true
        });
    }
    above.sort_unstable();
    above.dedup();
    let words = ((firsts(items).count() + above.len()) * FILTER_BITS).div_ceil(64);
    let mut filter = vec![[0; 8]; words];
    let mut set = |hash: u64, bits: u64| {
        if let Some(word) = filter.get_mut(word_of(hash, words)) {
            *word = (u64::from_le_bytes(*word) | bits).to_le_bytes();
        }
    };
    for hash in above {
        set(hash, Bits(hash).to_set(false, false));
    }
    for item in items {
        let (pattern, sources) = item.pattern.listed();
        let (below, some) = (pattern.is_wildcard(), sources != 0);
        set(
            item.hash,
            Bits(item.hash).to_set(!below && some, below && some),
        );
    }
    filter
}

/// Whether a wildcard matches a name too, by the filter: of a few others as well.
fn is_nested(name: &Name, filter: &[[u8; 8]], shallow: bool) -> bool {
    let mut nested = false;
    name.walk(shallow, |suffix| {
        let word = filter.get(word_of(suffix.hash, filter.len()));
        let word = word.map_or(0, |word| u64::from_le_bytes(*word));
        nested |= !suffix.whole && Bits(suffix.hash).are_rule_in(word, false);
        !nested
    });
    nested
}

/// Which line each name is in.
///
/// The names of a bucket share a pilot, a number that is mixed into their hashes to choose their
/// lines; it is the first under which each of them finds room. Crowded buckets choose first, while
/// there is room everywhere; one that finds none is spilled.
struct Places {
    pilots: Vec<u8>,
    lines: usize,
}

impl Places {
    fn find<P: Listed>(items: &[Item<'_, P>]) -> Self {
        let mut places = Self {
            pilots: Vec::new(),
            lines: 0,
        };
        let count = firsts(items).count();
        for fill in FILLS {
            let (tried, without) = Self::try_fill(items, fill);
            places = tried;
            if without <= count / PLACED {
                break;
            }
        }
        places
    }

    /// Also returns how many names a line could hold and none does.
    fn try_fill<P: Listed>(items: &[Item<'_, P>], fill: usize) -> (Self, usize) {
        let sizes = || firsts(items).filter_map(Item::inline_size);
        let lines = (sizes().map(usize::from).sum::<usize>() * 100).div_ceil(LINE * fill);
        let buckets = sizes().count().div_ceil(BUCKET);
        let mut places = Self {
            pilots: vec![0; buckets],
            lines,
        };
        let bucket = |item: &Item<'_, P>| bucket_of(item.hash, buckets);

        let runs = || items.chunk_by(|a, b| bucket(a) == bucket(b));
        let mut crowded_first = Vec::with_capacity(runs().count());
        crowded_first.extend(runs());
        crowded_first.sort_by_key(|run| Reverse(firsts(run).map(Item::size).sum::<usize>()));
        let mut free = vec![LINE_ROOM; lines];
        let mut without = 0;
        for run in crowded_first {
            let count = firsts(run).count();
            let mut pilots = 0..if count > CROWD { 0 } else { SPILLED };
            let pilot = pilots.find(|pilot| take(run, *pilot, &mut free));
            if let Some(first) = run.first()
                && let Some(place) = places.pilots.get_mut(bucket(first))
            {
                *place = pilot.unwrap_or(SPILLED);
            }
            if pilot.is_none() {
                without += count;
            }
        }
        (places, without)
    }

    /// The line of a name by its hash and the size of its entry; `None` when it is spilled.
    fn of(&self, hash: u64, size: usize) -> Option<usize> {
        if size > LINE {
            return None;
        }
        match *self.pilots.get(bucket_of(hash, self.pilots.len()))? {
            SPILLED => None,
            pilot => Some(line_of(hash, pilot, self.lines)),
        }
    }
}

/// Takes room for the names of a bucket under a pilot; when one finds none, takes none.
fn take<P: Listed>(run: &[Item<'_, P>], pilot: u8, free: &mut [u8]) -> bool {
    let lines = free.len();
    let mut sizes = firsts(run)
        .filter_map(|item| Some((line_of(item.hash, pilot, lines), item.inline_size()?)));
    let mut taken = sizes.clone();
    let full = sizes.by_ref().position(|(line, size)| {
        let room = free.get_mut(line);
        let left = room.as_deref().and_then(|room| room.checked_sub(size));
        match (room, left) {
            (Some(room), Some(left)) => {
                *room = left;
                false
            }
            _ => true,
        }
    });
    if let Some(full) = full {
        for (line, size) in taken.by_ref().take(full) {
            if let Some(room) = free.get_mut(line) {
                *room += size;
            }
        }
    }
    full.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egress::Egress;
    use crate::host::Host;
    use alloc::format;
    use alloc::string::String;

    /// Names whose hashes begin with the same ten bits, in the order of the buckets.
    fn crowd() -> Vec<String> {
        let names = (0..60_000).map(|at| format!("n{at}.acme.example"));
        names
            .filter(|name| Name::new(name.as_bytes()).hash().rotate_left(32) >> 54 == 0)
            .collect()
    }

    #[test]
    fn names_chosen_to_share_a_bucket_are_spilled_and_found() {
        let names = crowd();
        assert!(names.len() > 2 * CROWD);
        let builder = names.iter().fold(Egress::builder(), |builder, name| {
            builder.allow(Pattern::parse(name).unwrap())
        });
        let egress = builder.build().unwrap();
        let spilled = egress.owned().header().spilled;
        assert_eq!(spilled, names.len());
        for name in &names {
            let decision = egress.decide(&Host::parse(name).unwrap());
            assert_eq!(
                decision.rule().pattern().unwrap().base(),
                Some(name.as_str())
            );
        }
        let missing = egress.decide(&Host::parse("m.acme.example").unwrap());
        assert!(!missing.is_allowed());
    }

    #[test]
    fn nearly_every_name_finds_a_line() {
        for count in [20, 300, 5_000] {
            let names: Vec<_> = (0..count)
                .map(|at| format!("host-{at}.acme.example"))
                .collect();
            let builder = names.iter().fold(Egress::builder(), |builder, name| {
                builder.allow(Pattern::parse(name).unwrap())
            });
            let egress = builder.build().unwrap();
            assert!(
                egress.owned().header().spilled <= count / 50,
                "{count} names"
            );
        }
    }
}

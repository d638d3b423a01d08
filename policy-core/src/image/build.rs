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
use crate::pattern::PatternRef;

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

/// A name to be placed.
struct Item<'p> {
    hash: u64,
    name: &'p [u8],
    exact: Sources,
    below: Sources,
}

impl Item<'_> {
    fn size(&self) -> usize {
        ENTRY + self.name.len()
    }

    /// As [`Item::size`], for a name that a line could hold.
    fn inline_size(&self) -> Option<u8> {
        let size = u8::try_from(self.size()).ok()?;
        (self.name.len() <= INLINE).then_some(size)
    }

    /// Items in this order are in the order of their buckets.
    fn order(&self) -> (u64, &[u8]) {
        (self.hash.rotate_left(32), self.name)
    }

    fn write(&self, to: &mut [u8]) {
        // A name has at most 253 bytes.
        let len = u8::try_from(self.name.len()).unwrap_or_default();
        let bytes = [len, self.exact, self.below].into_iter();
        let bytes = bytes.chain(self.name.iter().copied());
        to.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
    }
}

impl Owned {
    /// Compiles patterns; neither their order nor repetition matters.
    pub(crate) fn compile<'p>(
        patterns: impl Iterator<Item = (PatternRef<'p>, Sources)>,
        flags: u8,
    ) -> Self {
        let mut items = Vec::with_capacity(patterns.size_hint().0);
        let mut addresses = Vec::new();
        for (pattern, sources) in patterns {
            if let Some(name) = pattern.name() {
                let (exact, below) = if pattern.is_wildcard() {
                    (0, sources)
                } else {
                    (sources, 0)
                };
                items.push(Item {
                    hash: Name::new(name).hash(),
                    name,
                    exact,
                    below,
                });
            } else if let Some(address) = pattern.address() {
                addresses.push((address_key(address), sources));
            }
        }
        merge_names(&mut items);
        merge_addresses(&mut addresses);
        write(&mut items, &addresses, flags)
    }
}

/// Makes each name one item, in the order of the buckets.
fn merge_names(items: &mut Vec<Item<'_>>) {
    items.sort_unstable_by(|a, b| a.order().cmp(&b.order()));
    items.dedup_by(|later, kept| {
        let same = later.name == kept.name;
        if same {
            kept.exact |= later.exact;
            kept.below |= later.below;
        }
        same
    });
}

fn merge_addresses(addresses: &mut Vec<([u8; ADDRESS - 1], Sources)>) {
    addresses.sort_unstable();
    addresses.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 |= later.1;
        }
        same
    });
}

fn write(items: &mut [Item<'_>], addresses: &[([u8; ADDRESS - 1], Sources)], flags: u8) -> Owned {
    let shallow = items.iter().any(|item| !item.name.contains(&b'.'));
    let filter = filter(items, shallow);
    mark_nested(items, &filter, shallow);
    let places = Places::find(items);
    let mut spilled: Vec<_> = items
        .iter()
        .filter(|item| places.of(item).is_none())
        .collect();
    spilled.sort_unstable_by_key(|item| item.name);

    let from_names = items.iter().map(|item| item.exact & !NESTED | item.below);
    let from_addresses = addresses.iter().map(|(_, sources)| *sources);
    let sources = from_names
        .chain(from_addresses)
        .fold(0, |all, one| all | one);
    let counts = Counts {
        words: filter.len(),
        buckets: places.pilots.len(),
        lines: places.lines,
        spilled: spilled.len(),
        spill_bytes: spilled.iter().map(|item| item.size()).sum(),
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

    let mut filled = vec![0; places.lines];
    for item in items.iter() {
        if let Some(line) = places.of(item)
            && let Some(filled) = filled.get_mut(line)
        {
            let at = header.lines_at + LINE * line + *filled;
            item.write(bytes.get_mut(at..).unwrap_or_default());
            *filled += item.size();
        }
    }

    let mut offset = 0;
    for (index, item) in spilled.iter().enumerate() {
        let at = header.offsets_at + OFFSET * index;
        if let Some(field) = bytes.get_mut(at..at + OFFSET) {
            field.copy_from_slice(&(offset as u64).to_le_bytes());
        }
        item.write(
            bytes
                .get_mut(header.spill_at + offset..)
                .unwrap_or_default(),
        );
        offset += item.size();
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
fn filter(items: &[Item<'_>], shallow: bool) -> Vec<[u8; 8]> {
    let mut above = Vec::new();
    for item in items {
        Name::new(item.name).walk(shallow, |suffix| {
            if !suffix.whole {
                above.push(suffix.hash);
            }
            true
        });
    }
    above.sort_unstable();
    above.dedup();
    let words = ((items.len() + above.len()) * FILTER_BITS).div_ceil(64);
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
        let bits = Bits(item.hash).to_set(item.exact != 0, item.below != 0);
        set(item.hash, bits);
    }
    filter
}

/// Marks the exact patterns of names that a wildcard matches too, and of a few others.
fn mark_nested(items: &mut [Item<'_>], filter: &[[u8; 8]], shallow: bool) {
    for item in items.iter_mut().filter(|item| item.exact != 0) {
        let mut nested = false;
        Name::new(item.name).walk(shallow, |suffix| {
            let word = filter.get(word_of(suffix.hash, filter.len()));
            let word = word.map_or(0, |word| u64::from_le_bytes(*word));
            nested |= !suffix.whole && Bits(suffix.hash).are_rule_in(word, false);
            !nested
        });
        if nested {
            item.exact |= NESTED;
        }
    }
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
    fn find(items: &[Item<'_>]) -> Self {
        let mut places = Self {
            pilots: Vec::new(),
            lines: 0,
        };
        for fill in FILLS {
            let (tried, without) = Self::try_fill(items, fill);
            places = tried;
            if without <= items.len() / PLACED {
                break;
            }
        }
        places
    }

    /// Also returns how many names a line could hold and none does.
    fn try_fill(items: &[Item<'_>], fill: usize) -> (Self, usize) {
        let sizes = || items.iter().filter_map(Item::inline_size);
        let lines = (sizes().map(usize::from).sum::<usize>() * 100).div_ceil(LINE * fill);
        let buckets = sizes().count().div_ceil(BUCKET);
        let mut places = Self {
            pilots: vec![0; buckets],
            lines,
        };
        let bucket = |item: &Item<'_>| bucket_of(item.hash, buckets);

        let runs = items.chunk_by(|a, b| bucket(a) == bucket(b));
        let mut runs: Vec<_> = runs.collect();
        runs.sort_by_key(|run| Reverse(run.iter().map(Item::size).sum::<usize>()));
        let mut free = vec![LINE_ROOM; lines];
        let mut without = 0;
        for run in runs {
            let mut pilots = 0..if run.len() > CROWD { 0 } else { SPILLED };
            let pilot = pilots.find(|pilot| take(run, *pilot, &mut free));
            if let Some(first) = run.first()
                && let Some(place) = places.pilots.get_mut(bucket(first))
            {
                *place = pilot.unwrap_or(SPILLED);
            }
            if pilot.is_none() {
                without += run.len();
            }
        }
        (places, without)
    }

    /// The line of a name; `None` when it is spilled.
    fn of(&self, item: &Item<'_>) -> Option<usize> {
        item.inline_size()?;
        match *self.pilots.get(bucket_of(item.hash, self.pilots.len()))? {
            SPILLED => None,
            pilot => Some(line_of(item.hash, pilot, self.lines)),
        }
    }
}

/// Takes room for the names of a bucket under a pilot; when one finds none, takes none.
fn take(run: &[Item<'_>], pilot: u8, free: &mut [u8]) -> bool {
    let lines = free.len();
    let mut sizes = run
        .iter()
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
    use crate::pattern::Pattern;
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

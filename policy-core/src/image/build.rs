//! Compiling patterns into an image.

use alloc::vec;
use alloc::vec::Vec;

use super::header::{Counts, HEADER, Header, seal};
use super::item::{Item, Listed, Named, firsts, name_of};
use super::owned::Owned;
use super::places::Places;
use super::{ADDRESS, Bits, LINE, NESTED, OFFSET, Sources, address_key, word_of};
use crate::name::{Name, Suffix};

/// Filter bits for each name that is a rule or lies above one. Each sets two to four of them, so
/// about one unknown name in thirty costs a needless lookup.
const FILTER_BITS: usize = 16;

impl Owned {
    /// Compiles patterns; neither their order nor repetition matters.
    ///
    /// Takes less than half the image's size in addition: the items are freed before the image is
    /// allocated.
    pub(crate) fn compile<P: Listed>(patterns: &[P], flags: u8) -> Self {
        let addresses = addresses(patterns);
        let sources = patterns.iter().map(|pattern| pattern.listed().1);
        let sources = sources.fold(0, |all, one| all | one);
        let mut items = Vec::with_capacity(patterns.len().saturating_sub(addresses.len()));
        items.extend(patterns.iter().filter_map(Item::of));
        items.sort_unstable_by(Item::compare);
        let mut names = patterns.iter().filter_map(name_of);
        let shallow = names.any(|name| !name.contains(&b'.'));
        let filter = filter(&items, shallow);
        let plan = Plan {
            nested: nested(&items, &filter, shallow),
            places: Places::find(&items),
            filter,
            addresses,
            flags,
            sources,
            shallow,
        };
        let mut named = Vec::with_capacity(items.len());
        named.extend(items.iter().map(|item| item.pattern));
        drop(items);
        write(&named, &plan)
    }
}

/// What is known of an image before it is written.
struct Plan {
    filter: Vec<[u8; 8]>,
    nested: Vec<bool>,
    places: Places,
    addresses: Vec<([u8; ADDRESS - 1], Sources)>,
    flags: u8,
    sources: Sources,
    shallow: bool,
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
fn write<P: Listed>(patterns: &[&P], plan: &Plan) -> Owned {
    let Plan {
        filter,
        places,
        addresses,
        ..
    } = plan;
    let names = || {
        let groups = patterns.chunk_by(|a, b| name_of(*a) == name_of(*b));
        let names = groups.filter_map(Named::of).zip(&plan.nested);
        names.map(|(mut named, nested)| {
            if named.exact != 0 && *nested {
                named.exact |= NESTED;
            }
            let hash = Name::new(named.name).hash();
            let line = places.of(hash, named.size());
            (named, line)
        })
    };
    let mut spilled: Vec<_> = names()
        .filter(|(_, line)| line.is_none())
        .map(|(named, _)| named)
        .collect();
    // A lookup in the spill is a binary search by name.
    spilled.sort_unstable_by_key(|named| named.name);

    let counts = Counts {
        words: filter.len(),
        buckets: places.pilots.len(),
        lines: places.lines,
        spilled: spilled.len(),
        spill_bytes: spilled.iter().map(Named::size).sum(),
        addresses: addresses.len(),
    };
    let header = Header::new(plan.flags, plan.sources, plan.shallow, counts);
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

/// Which names a wildcard matches too; in the order of the items, one for each name.
fn nested<P: Listed>(items: &[Item<'_, P>], filter: &[[u8; 8]], shallow: bool) -> Vec<bool> {
    let is_wildcard = |suffix: &Suffix<'_>| {
        let word = filter.get(word_of(suffix.hash, filter.len()));
        let word = word.map_or(0, |word| u64::from_le_bytes(*word));
        let wildcard = || (Some(suffix.bytes), false);
        let compare = |item: &Item<'_, P>| item.compare_with(suffix.hash, wildcard);
        Bits(suffix.hash).are_rule_in(word, false) && items.binary_search_by(compare).is_ok()
    };
    let mut nested = Vec::with_capacity(firsts(items).count());
    for name in firsts(items).filter_map(|item| name_of(item.pattern)) {
        let mut found = false;
        Name::new(name).walk(shallow, |suffix| {
            found |= !suffix.whole && is_wildcard(&suffix);
            !found
        });
        nested.push(found);
    }
    nested
}

#[cfg(test)]
mod tests {
    use super::super::places::CROWD;
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

//! What a compilation keeps of each pattern and each name.

use core::cmp::Ordering;

use super::{ENTRY, INLINE, Sources};
use crate::name::Name;
use crate::pattern::{Pattern, PatternRef};

/// A pattern among those to compile.
pub(crate) trait Listed {
    /// The pattern, and the lists that contain it.
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
pub(super) struct Item<'p, P> {
    pub(super) hash: u64,
    pub(super) pattern: &'p P,
    /// Of the name.
    len: u8,
}

impl<'p, P: Listed> Item<'p, P> {
    /// `None` for an address.
    pub(super) fn of(pattern: &'p P) -> Option<Self> {
        let name = name_of(pattern)?;
        Some(Self {
            hash: Name::new(name).hash(),
            pattern,
            // A name has at most 253 bytes.
            len: u8::try_from(name.len()).unwrap_or(u8::MAX),
        })
    }

    pub(super) fn size(&self) -> usize {
        ENTRY + usize::from(self.len)
    }

    /// As [`Item::size`], for a name that fits in a line.
    pub(super) fn inline_size(&self) -> Option<u8> {
        let size = u8::try_from(self.size()).ok()?;
        (usize::from(self.len) <= INLINE).then_some(size)
    }

    /// Items in this order are in the order of their buckets, and the wildcards of a name come
    /// before its exact patterns.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        self.compare_with(other.hash, || {
            let pattern = other.pattern.listed().0;
            (pattern.name(), !pattern.is_wildcard())
        })
    }

    /// As [`Item::compare`]; reads the names, which are elsewhere, only if the hashes are equal.
    pub(super) fn compare_with<'n>(
        &self,
        hash: u64,
        name_and_exact: impl FnOnce() -> (Option<&'n [u8]>, bool),
    ) -> Ordering {
        let by_hash = bucket_order(self.hash).cmp(&bucket_order(hash));
        by_hash.then_with(|| {
            let pattern = self.pattern.listed().0;
            (pattern.name(), !pattern.is_wildcard()).cmp(&name_and_exact())
        })
    }

    fn has_name_of(&self, other: &Self) -> bool {
        self.hash == other.hash && name_of(self.pattern) == name_of(other.pattern)
    }
}

fn bucket_order(hash: u64) -> u64 {
    hash.rotate_left(32)
}

pub(super) fn name_of<P: Listed>(pattern: &P) -> Option<&[u8]> {
    pattern.listed().0.name()
}

/// The first item of each name.
pub(super) fn firsts<'i, 'p, P: Listed>(
    items: &'i [Item<'p, P>],
) -> impl Iterator<Item = &'i Item<'p, P>> + Clone {
    items.chunk_by(Item::has_name_of).filter_map(<[_]>::first)
}

/// A name with the lists of all its patterns.
pub(super) struct Named<'p> {
    pub(super) name: &'p [u8],
    pub(super) exact: Sources,
    pub(super) below: Sources,
}

impl<'p> Named<'p> {
    /// From patterns that have the same name.
    pub(super) fn of<P: Listed>(patterns: &[&'p P]) -> Option<Self> {
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

    pub(super) fn size(&self) -> usize {
        ENTRY + self.name.len()
    }

    pub(super) fn write(&self, to: &mut [u8]) {
        let len = u8::try_from(self.name.len()).unwrap_or_default();
        let bytes = [len, self.exact, self.below].into_iter();
        let bytes = bytes.chain(self.name.iter().copied());
        to.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
    }
}

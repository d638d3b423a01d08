//! Which of many directories holds a path.

use alloc::string::String;
use alloc::vec::Vec;

/// A set of keys, each standing for itself and all below it.
///
/// Only the topmost are kept, sorted. Strings that share a prefix are neighbours, so the only
/// kept key that can be above a path is the last one not after it, and the only one that need be
/// looked at below it is the first one not before it.
#[derive(Debug)]
pub(crate) struct Subtrees {
    tops: Vec<(String, usize)>,
}

impl FromIterator<(String, usize)> for Subtrees {
    fn from_iter<I: IntoIterator<Item = (String, usize)>>(keys: I) -> Self {
        let mut tops: Vec<_> = keys.into_iter().collect();
        tops.sort_unstable();
        tops.dedup_by(|next, kept| next.0.starts_with(&kept.0));
        Self { tops }
    }
}

impl Subtrees {
    /// The value of the topmost key that is `key` or above it.
    pub(crate) fn above(&self, key: &str) -> Option<usize> {
        let after = self.tops.partition_point(|(top, _)| top.as_str() <= key);
        let (top, value) = self.tops.get(after.checked_sub(1)?)?;
        key.starts_with(top.as_str()).then_some(*value)
    }

    /// The value of a topmost key that is `key` or below it.
    pub(crate) fn below(&self, key: &str) -> Option<usize> {
        let first = self.tops.partition_point(|(top, _)| top.as_str() < key);
        let (top, value) = self.tops.get(first)?;
        top.starts_with(key).then_some(*value)
    }
}

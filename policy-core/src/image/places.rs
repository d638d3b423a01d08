//! Which line each name is in.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::item::{Item, Listed, firsts};
use super::{LINE, SPILLED, bucket_of, line_of};

/// Names per bucket, on average. Fewer cost more bytes, more are harder to place.
const BUCKET: usize = 3;
/// More names than chance puts into a bucket; an adversary might, and they are not worth placing.
pub(super) const CROWD: usize = 16;
/// Target loads of the lines, in hundredths: the first that leaves few names without a place is used.
/// Names of mixed lengths pack at the first; if all are a little over half a line, no two share one.
const FILLS: [usize; 5] = [87, 80, 72, 64, 50];
/// One in so many names may be left without a place.
const PLACED: usize = 50;
/// Free bytes of an empty line.
const LINE_ROOM: u8 = 64;

/// Which line each name is in.
///
/// The names of a bucket share a pilot, a number that is mixed into their hashes to choose their
/// lines; it is the first under which each of them fits. Crowded buckets choose first, while every
/// line is still free; a bucket that fits under no pilot is spilled.
pub(super) struct Places {
    pub(super) pilots: Vec<u8>,
    pub(super) lines: usize,
}

impl Places {
    pub(super) fn find<P: Listed>(items: &[Item<'_, P>]) -> Self {
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

    /// Also returns how many names would fit in a line but got none.
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
            // A crowd, which only chosen names form, is spilled at once instead of trying every pilot.
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
    pub(super) fn of(&self, hash: u64, size: usize) -> Option<usize> {
        if size > LINE {
            return None;
        }
        match *self.pilots.get(bucket_of(hash, self.pilots.len()))? {
            SPILLED => None,
            pilot => Some(line_of(hash, pilot, self.lines)),
        }
    }
}

/// Reserves space for all names of a bucket under a pilot, or for none if one does not fit.
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
    // Gives back what was reserved before the name that did not fit.
    if let Some(full) = full {
        for (line, size) in taken.by_ref().take(full) {
            if let Some(room) = free.get_mut(line) {
                *room += size;
            }
        }
    }
    full.is_none()
}

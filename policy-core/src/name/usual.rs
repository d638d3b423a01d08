//! Reading the names that nearly every request asks for, sixteen bytes at a time.

use wide::u8x16;

use super::hash::{SEED, mix, tail};
use super::{Padded, Short, without_highest};

const BLOCK: usize = size_of::<u128>();
const BLOCKS: usize = Short::SIZE / BLOCK;
/// Where the last block of a name begins.
const LAST: usize = Short::SIZE - BLOCK;

impl Short {
    /// Reads a name of 8–63 bytes in lower case without `_`, `--` and empty labels, whose last label
    /// does not begin with a digit. `None` says nothing about the name.
    ///
    /// The bytes stay in registers: to store them one way and to load them another takes longer
    /// than all the rest.
    #[inline(always)]
    pub(super) fn usual(name: &[u8]) -> Option<Self> {
        let start = Self::SIZE.checked_sub(name.len())?;
        let read = match name.len() {
            8..=16 => Reading::of_halves(name, start),
            17..=32 => Reading::of_blocks::<1>(name, start),
            33..=48 => Reading::of_blocks::<2>(name, start),
            49..=63 => Reading::of_blocks::<3>(name, start),
            _ => None,
        }?;
        let dots = read.seen.dots | 1 << (start - 1);
        let last_dot = dots.checked_ilog2()? as usize;
        let first = *name.get((last_dot + 1).checked_sub(start)?)?;
        let hyphens = read.seen.hyphens;
        let adjoining = dots & dots << 1 | hyphens & hyphens << 1;
        if adjoining != 0 || !read.seen.fine.all() || first.is_ascii_digit() {
            return None;
        }

        let [.., third, last] = read.blocks;
        let two = without_highest(dots).checked_ilog2();
        let last_two_labels = match two.map(|dot| dot as usize + 1) {
            None => 0,
            Some(place) if place == start => read.hash,
            Some(place) if place >= LAST => mix(tail(last, place), SEED),
            Some(place) if place >= LAST - BLOCK => mix(tail(third, place), mix(last, SEED)),
            Some(_) => return None,
        };
        Some(Self {
            bytes: Padded::new(read.blocks),
            dots,
            last_two_labels,
            hash: read.hash,
        })
    }
}

/// A name's bytes at the end of some blocks, zeros before them, and what they are.
struct Reading {
    blocks: [u128; BLOCKS],
    seen: Look,
    hash: u64,
}

impl Reading {
    /// Reads 8–16 bytes: the first eight and the last eight, which may overlap.
    #[inline(always)]
    fn of_halves(name: &[u8], start: usize) -> Option<Self> {
        let first = u64::from_le_bytes(*name.first_chunk()?);
        let last = u64::from_le_bytes(*name.last_chunk()?);
        let high = u128::from(last) << 64;
        let both = Look::at((u128::from(first) | high).to_le_bytes());
        let place = |bits: u64| (bits & 0xff) << start | (bits & 0xff00) << LAST;
        let block = u128::from(first) << (8 * (start - LAST)) | high;
        Some(Self {
            blocks: [0, 0, 0, block],
            seen: Look {
                dots: place(both.dots),
                hyphens: place(both.hyphens),
                fine: both.fine,
            },
            hash: mix(block, SEED),
        })
    }

    /// Reads the last `FULL` blocks and 1–16 bytes before them, together with some after those.
    #[inline(always)]
    fn of_blocks<const FULL: usize>(name: &[u8], start: usize) -> Option<Self> {
        let first = name.first_chunk()?;
        let mut seen = Look::at(*first).from(start);
        let mut blocks = [0; BLOCKS];
        let mut state = SEED;
        let (mut rest, mut places) = (name, blocks.iter_mut().rev());
        for (number, place) in places.by_ref().take(FULL).enumerate() {
            let (before, bytes) = rest.split_last_chunk()?;
            seen = seen.and(Look::at(*bytes).from(LAST - BLOCK * number));
            *place = u128::from_le_bytes(*bytes);
            state = mix(*place, state);
            rest = before;
        }
        let head = u128::from_le_bytes(*first) << (8 * (start % BLOCK));
        *places.next()? = head;
        Some(Self {
            blocks,
            seen,
            hash: mix(head, state),
        })
    }
}

/// What the bytes of a name are.
#[derive(Clone, Copy)]
struct Look {
    /// A bit for each dot.
    dots: u64,
    hyphens: u64,
    /// Ones, but for a byte that is no lower-case letter, digit, `-` or `.`.
    fine: u8x16,
}

impl Look {
    #[inline(always)]
    fn at(bytes: [u8; BLOCK]) -> Self {
        let bytes = u8x16::from(bytes);
        let between = |first: u8, last: u8| {
            let above = bytes - u8x16::splat(first);
            above.min(u8x16::splat(last - first)).simd_eq(above)
        };
        let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
        Self {
            dots: is(b'.').to_bitmask().into(),
            hyphens: is(b'-').to_bitmask().into(),
            fine: (between(b'a', b'z') | between(b'-', b'9')) ^ is(b'/'),
        }
    }

    /// The same from a place on.
    #[inline(always)]
    fn from(self, place: usize) -> Self {
        Self {
            dots: self.dots << place,
            hyphens: self.hyphens << place,
            ..self
        }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self {
            dots: self.dots | other.dots,
            hyphens: self.hyphens | other.hyphens,
            fine: self.fine & other.fine,
        }
    }
}

//! The bytes of a canonical name, laid out for the walk from its last label.

use alloc::boxed::Box;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use crate::host::MAX_NAME;

/// Longest name that needs no allocation: one byte of the buffer stays free before it.
const SHORT: usize = 63;

/// A canonical name: lower-case ASCII, labels of 1–63 bytes, at most 253 in all.
///
/// The bytes end where their buffer ends, so that the walk loads words at fixed places and a name
/// of ordinary length lives in the value itself.
#[derive(Clone)]
pub(crate) enum Name {
    Short(Text<1>),
    Long(Box<Text<4>>),
}

impl Name {
    /// Holds a name that is known to be canonical. Bytes over [`MAX_NAME`] at its front are dropped,
    /// which no canonical name has.
    pub(crate) fn new(canonical: &[u8]) -> Self {
        if canonical.len() <= SHORT {
            Self::Short(Text::new(canonical))
        } else {
            Self::Long(Box::new(Text::new(canonical)))
        }
    }

    /// Reads a text that is canonical but for upper case and one dot at the end, the way nearly
    /// every request spells its host. `None` says nothing about the text: the full reading decides.
    #[inline]
    pub(crate) fn plain(text: &[u8]) -> Option<Self> {
        let text = match text {
            [] => return None,
            [name @ .., b'.'] => name,
            name => name,
        };
        if text.is_empty() || text.len() > SHORT {
            return None;
        }
        let mut name = Text::<1>::padded(text);
        let [line] = &mut name.lines;
        // The pieces overlap: each needs the byte before it.
        let plain = fold(line, 32) && (text.len() < 32 || fold(line, 1));
        if !plain {
            return None;
        }
        let dots = if text.len() < 32 {
            dots_of(line.last_chunk::<32>()?) << 32
        } else {
            dots_of(line)
        };
        let dots = dots | 1 << (LINE - 1 - text.len());
        name.dots = [dots];
        // The byte after the last dot; one at the very end has none.
        let first = *name.from(dots.ilog2() as usize + 1).first()?;
        // A last label that begins with a digit may be a number, and two hyphens may be an A-label:
        // affairs of the full reading.
        (!first.is_ascii_digit() && dots & dots >> 1 == 0).then_some(Self::Short(name))
    }

    /// The hash of the name.
    pub(crate) fn hash(&self, seed: u64) -> u64 {
        match self {
            Self::Short(text) => text.suffixes(seed, true).last(),
            Self::Long(text) => text.suffixes(seed, true).last(),
        }
        .map_or(0, |suffix| suffix.hash)
    }

    /// The hashes of the names above the name; that of its last label only if asked for.
    pub(crate) fn above(&self, seed: u64, last_label: bool, visit: impl FnMut(u64)) {
        fn hash(suffix: Suffix<'_>) -> Option<u64> {
            (!suffix.whole).then_some(suffix.hash)
        }
        match self {
            Self::Short(text) => text
                .suffixes(seed, last_label)
                .filter_map(hash)
                .for_each(visit),
            Self::Long(text) => text
                .suffixes(seed, last_label)
                .filter_map(hash)
                .for_each(visit),
        }
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short(text) => text.as_bytes(),
            Self::Long(text) => text.as_bytes(),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        // Every way in is ASCII.
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

const LINE: usize = 64;
/// What stands before a name in its buffer: a byte that is neither a dot nor a hyphen.
const PADDING: u8 = b'a';

/// A name at the end of a buffer.
#[derive(Clone)]
pub(crate) struct Text<const LINES: usize> {
    lines: [[u8; LINE]; LINES],
    /// A bit for each byte of a line: those of the dots, and that of the last byte before the name.
    dots: [u64; LINES],
}

impl<const LINES: usize> Text<LINES> {
    const LEN: usize = LINE * LINES;

    #[inline]
    fn padded(name: &[u8]) -> Self {
        let mut lines = [[PADDING; LINE]; LINES];
        let start = Self::LEN - name.len();
        if let Some(place) = lines.as_flattened_mut().get_mut(start..) {
            place.copy_from_slice(name);
        }
        Self {
            lines,
            dots: [0; LINES],
        }
    }

    fn new(name: &[u8]) -> Self {
        let most = MAX_NAME.min(Self::LEN - 1);
        let name = name
            .get(name.len().saturating_sub(most)..)
            .unwrap_or_default();
        let mut text = Self::padded(name);
        let before = Self::LEN - name.len() - 1;
        for (index, (dots, line)) in text.dots.iter_mut().zip(&text.lines).enumerate() {
            *dots = dots_of(line);
            if before / LINE == index {
                *dots |= 1 << (before % LINE);
            }
        }
        text
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        let lowest = self.dots.iter().enumerate().find(|(_, dots)| **dots != 0);
        let before = lowest.map_or(Self::LEN, |(index, dots)| {
            LINE * index + dots.trailing_zeros() as usize
        });
        self.from(before + 1)
    }

    /// The bytes from a place in the buffer to its end.
    #[inline]
    fn from(&self, place: usize) -> &[u8] {
        self.lines.as_flattened().get(place..).unwrap_or_default()
    }

    /// The 16 bytes that end so far from the end.
    #[inline]
    fn block(&self, from_end: usize) -> u128 {
        let bytes = self.lines.as_flattened();
        let bytes = bytes.get(..bytes.len().wrapping_sub(from_end));
        let block = bytes.and_then(<[u8]>::last_chunk);
        block.map_or(0, |block| u128::from_le_bytes(*block))
    }

    /// The names above the name and then itself, the shortest first, each with its hash; without
    /// those of a single label unless asked for.
    #[inline]
    pub(crate) fn suffixes(&self, seed: u64, last_label: bool) -> Suffixes<'_, LINES> {
        let mut suffixes = Suffixes {
            text: self,
            dots: self.dots,
            block: self.block(0),
            absorbed: 0,
            state: seed,
        };
        if !last_label {
            suffixes.next_dot();
        }
        suffixes
    }
}

/// Lower-cases 32 bytes of a line. Whether they are letters, digits, `-`, `_` and `.` only, without
/// two hyphens in a row, the first of which may stand before them.
///
/// Written without a branch per byte, so that it compiles to vector instructions.
#[inline]
fn fold(line: &mut [u8; LINE], at: usize) -> bool {
    let piece = |at: usize| line.get(at..).and_then(<[u8]>::first_chunk::<32>).copied();
    let (Some(before), Some(mut bytes)) = (piece(at - 1), piece(at)) else {
        return false;
    };
    let mut refused = false;
    for (byte, before) in bytes.iter_mut().zip(before) {
        let letter = (*byte | 0x20).wrapping_sub(b'a') < 26;
        let digit = byte.wrapping_sub(b'0') < 10;
        let mark = (*byte == b'.') | (*byte == b'-') | (*byte == b'_');
        refused |= !(letter | digit | mark) | ((*byte == b'-') & (before == b'-'));
        *byte |= if letter { 0x20 } else { 0 };
    }
    if let Some(place) = line.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = bytes;
    }
    !refused
}

/// A bit for each dot among ASCII bytes, at most 64.
#[inline]
fn dots_of<const N: usize>(bytes: &[u8; N]) -> u64 {
    const DOTS: u64 = u64::from_ne_bytes([b'.'; 8]);
    const LOW: u64 = u64::from_ne_bytes([0x7f; 8]);
    /// Gathers the high bit of each byte in the highest byte.
    const GATHER: u64 = 0x0002_0408_1020_4081;
    let (words, _) = bytes.as_chunks();
    let mut dots = 0;
    for (index, word) in words.iter().enumerate() {
        // Adding 0x7f carries into the high bit of every byte that differs from a dot.
        let other = (u64::from_le_bytes(*word) ^ DOTS).wrapping_add(LOW);
        let found = (!other & !LOW).wrapping_mul(GATHER) >> 56;
        dots |= found << (8 * index);
    }
    dots
}

/// A name, or a name above it, as the walk meets it.
#[derive(Clone, Copy)]
pub(crate) struct Suffix<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) hash: u64,
    /// Whether this is the name itself.
    pub(crate) whole: bool,
}

/// See [`Text::suffixes`].
///
/// The hash absorbs 16 bytes at a time from the end of the name, so that of a longer suffix goes on
/// where that of a shorter one stopped: a walk is linear in the name, however many labels it has.
pub(crate) struct Suffixes<'t, const LINES: usize> {
    text: &'t Text<LINES>,
    dots: [u64; LINES],
    block: u128,
    absorbed: usize,
    state: u64,
}

impl<const LINES: usize> Suffixes<'_, LINES> {
    /// The place of the last dot not yet passed.
    #[inline]
    fn next_dot(&mut self) -> Option<usize> {
        let lines = self.dots.iter_mut().enumerate().rev();
        let (index, dots) = lines.into_iter().find(|(_, dots)| **dots != 0)?;
        let high = dots.ilog2();
        *dots ^= 1 << high;
        Some(LINE * index + high as usize)
    }
}

impl<'t, const LINES: usize> Iterator for Suffixes<'t, LINES> {
    type Item = Suffix<'t>;

    #[inline]
    fn next(&mut self) -> Option<Suffix<'t>> {
        let start = self.next_dot()? + 1;
        let len = LINE * LINES - start;
        while len - self.absorbed > 16 {
            self.state = mix(self.block, self.state);
            self.absorbed += 16;
            self.block = self.text.block(self.absorbed);
        }
        // Of the block only its last bytes belong to the suffix; no name holds a zero byte, so
        // different suffixes stay different.
        let own = self.block >> (8 * (self.absorbed + 16 - len));
        Some(Suffix {
            bytes: self.text.from(start),
            hash: mix(own, self.state),
            whole: self.dots == [0; LINES],
        })
    }
}

/// One step of the hash: a full multiplication folded in half.
#[inline]
fn mix(block: u128, state: u64) -> u64 {
    // Digits of pi: any odd number without a pattern does.
    const KEY: u64 = 0x243f_6a88_85a3_08d3;
    let (low, high) = halves(block);
    let (low, high) = (low ^ state).carrying_mul(high ^ KEY, 0);
    low ^ high
}

#[expect(clippy::cast_possible_truncation, reason = "takes a word apart")]
#[inline]
fn halves(block: u128) -> (u64, u64) {
    (block as u64, (block >> 64) as u64)
}

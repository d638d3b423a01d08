//! The bytes of a canonical name, laid out for the walk from its last label.

use alloc::boxed::Box;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use crate::host::MAX_NAME;

/// A canonical name: lower-case ASCII, labels of 1–63 bytes, at most 253 in all.
///
/// The bytes end where their buffer ends, so that the walk loads words at fixed places and a name
/// of ordinary length lives in the value itself.
#[derive(Clone)]
pub(crate) enum Name {
    Short(Short),
    Long(Box<Long>),
}

/// A name of up to 63 bytes.
#[derive(Clone)]
pub(crate) struct Short {
    bytes: [u8; Short::SIZE],
    /// A bit for each dot, and for the last byte before the name.
    dots: u64,
    /// The hashes of the last two labels, of the last three, and of the last four.
    hashes: [u64; 3],
    /// That of the name.
    hash: u64,
}

/// A name of 64–253 bytes.
#[derive(Clone)]
pub(crate) struct Long {
    bytes: [u8; Long::SIZE],
    start: usize,
    /// The hash of the last two labels.
    last_two_labels: u64,
    /// That of the name.
    hash: u64,
}

/// A name, or a name above it, as the walk meets it.
#[derive(Clone, Copy)]
pub(crate) struct Suffix<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) hash: u64,
    /// Whether this is the name itself.
    pub(crate) whole: bool,
}

impl Name {
    /// Holds a name that is known to be canonical.
    pub(crate) fn new(canonical: &[u8]) -> Self {
        match Short::new(canonical) {
            Some(name) => Self::Short(name),
            None => Self::Long(Box::new(Long::new(canonical))),
        }
    }

    /// Reads a text that is canonical but for upper case and one dot at the end, the way nearly
    /// every request spells its host. `None` says nothing about the text: the full reading decides.
    #[inline]
    pub(crate) fn plain(text: &[u8]) -> Option<Self> {
        Short::plain(text).map(Self::Short)
    }

    /// Calls `visit` with the names above the name and then itself, the shortest first, until it
    /// returns false; with that of a single label only if asked for.
    #[inline(always)]
    pub(crate) fn walk(&self, last_label: bool, visit: impl FnMut(Suffix<'_>) -> bool) {
        match self {
            Self::Short(name) => name.walk(last_label, visit),
            Self::Long(name) => name.walk(last_label, visit),
        }
    }

    /// The hash of the name.
    #[inline(always)]
    pub(crate) fn hash(&self) -> u64 {
        match self {
            Self::Short(name) => name.hash,
            Self::Long(name) => name.hash,
        }
    }

    /// The name as the walk meets it last.
    #[inline(always)]
    pub(crate) fn whole(&self) -> Suffix<'_> {
        Suffix {
            bytes: self.as_bytes(),
            hash: self.hash(),
            whole: true,
        }
    }

    /// The hash of the last two labels; zero when there are no two.
    #[inline(always)]
    pub(crate) fn last_two_labels(&self) -> u64 {
        match self {
            Self::Short(name) => {
                let [hash, ..] = name.hashes;
                hash
            }
            Self::Long(name) => name.last_two_labels,
        }
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short(name) => name.as_bytes(),
            Self::Long(name) => name.from(name.start),
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

impl Short {
    const SIZE: usize = 64;
    /// What stands before the name: a byte that is neither a dot nor a hyphen.
    const PADDING: u8 = b'a';

    fn new(name: &[u8]) -> Option<Self> {
        let mut short = Self::padded(name)?;
        short.index(dots_of(&short.bytes) | 1 << (Self::SIZE - 1 - name.len()));
        Some(short)
    }

    /// The bytes alone; `None` when they are none or too many.
    #[inline(always)]
    fn padded(name: &[u8]) -> Option<Self> {
        if name.is_empty() || name.len() >= Self::SIZE {
            return None;
        }
        let mut bytes = [Self::PADDING; Self::SIZE];
        bytes
            .get_mut(Self::SIZE - name.len()..)?
            .copy_from_slice(name);
        Some(Self {
            bytes,
            dots: 0,
            hashes: [0; 3],
            hash: 0,
        })
    }

    #[inline(always)]
    fn index(&mut self, dots: u64) {
        self.dots = dots;
        let mut suffixes = SuffixHash::new(self.bytes.as_chunks().0);
        let mut rest = without_highest(dots);
        for hash in &mut self.hashes {
            let Some(dot) = rest.checked_ilog2() else {
                break;
            };
            self.hash = suffixes.from(dot as usize + 1);
            *hash = self.hash;
            rest = without_highest(rest);
        }
        if rest != 0 || self.hash == 0 {
            self.hash = suffixes.from(dots.trailing_zeros() as usize + 1);
        }
    }

    #[inline(always)]
    fn as_bytes(&self) -> &[u8] {
        self.from(self.start())
    }

    /// See [`Name::plain`].
    #[inline(always)]
    fn plain(text: &[u8]) -> Option<Self> {
        let text = match text {
            [name @ .., b'.'] => name,
            name => name,
        };
        let mut name = Self::padded(text)?;
        // The pieces overlap: each needs the byte before it.
        let plain = fold(&mut name.bytes, 32) && (text.len() < 32 || fold(&mut name.bytes, 1));
        if !plain {
            return None;
        }
        let dots = if text.len() < 32 {
            dots_of(name.bytes.last_chunk::<32>()?) << 32
        } else {
            dots_of(&name.bytes)
        };
        let dots = dots | 1 << (Self::SIZE - 1 - text.len());
        // The byte after the last dot; one at the very end has none.
        let first = *name.from(dots.ilog2() as usize + 1).first()?;
        // A last label that begins with a digit may be a number, which is the full reading's affair.
        if first.is_ascii_digit() || dots & dots >> 1 != 0 {
            return None;
        }
        name.index(dots);
        Some(name)
    }

    #[inline(always)]
    fn walk(&self, last_label: bool, mut visit: impl FnMut(Suffix<'_>) -> bool) {
        let mut dots = self.dots;
        if !last_label {
            dots = without_highest(dots);
        }
        // Nothing is kept of the last label, which is hardly ever asked for.
        let mut kept = self.hashes.iter();
        let mut unkept = last_label;
        while let Some(dot) = dots.checked_ilog2() {
            dots ^= 1 << dot;
            let start = dot as usize + 1;
            let hash = match kept.as_slice().first() {
                Some(hash) if !unkept => {
                    kept.next();
                    *hash
                }
                _ => self.hash_from(start),
            };
            unkept = false;
            let suffix = Suffix {
                bytes: self.from(start),
                hash,
                whole: dots == 0,
            };
            if !visit(suffix) {
                return;
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn hash_from(&self, start: usize) -> u64 {
        SuffixHash::new(self.bytes.as_chunks().0).from(start)
    }

    #[inline(always)]
    fn start(&self) -> usize {
        self.dots.trailing_zeros() as usize + 1
    }

    #[inline(always)]
    fn from(&self, place: usize) -> &[u8] {
        self.bytes.get(place..).unwrap_or_default()
    }
}

impl Long {
    const SIZE: usize = 256;

    /// Bytes over [`MAX_NAME`] at the front are dropped, which no canonical name has.
    fn new(name: &[u8]) -> Self {
        let len = name.len().min(MAX_NAME);
        let start = Self::SIZE - len;
        let mut bytes = [0; Self::SIZE];
        if let (Some(to), Some(from)) = (bytes.get_mut(start..), name.get(name.len() - len..)) {
            to.copy_from_slice(from);
        }
        let mut long = Self {
            bytes,
            start,
            last_two_labels: 0,
            hash: 0,
        };
        let mut hashes = SuffixHash::new(long.bytes.as_chunks().0);
        let last_two = long.starts().nth(1);
        long.last_two_labels = last_two.map_or(0, |start| hashes.from(start));
        long.hash = hashes.from(start);
        long
    }

    /// The places where the name and the names above it begin, the shortest first.
    fn starts(&self) -> impl Iterator<Item = usize> {
        let name = self.from(self.start);
        let dots = name.iter().enumerate().rev();
        let dots = dots.filter(|(_, byte)| **byte == b'.').map(|(dot, _)| dot);
        let starts = dots.map(|dot| self.start + dot + 1);
        starts.chain([self.start])
    }

    #[inline(never)]
    fn walk(&self, last_label: bool, mut visit: impl FnMut(Suffix<'_>) -> bool) {
        let mut hashes = SuffixHash::new(self.bytes.as_chunks().0);
        for start in self.starts().skip(usize::from(!last_label)) {
            let suffix = Suffix {
                bytes: self.from(start),
                hash: hashes.from(start),
                whole: start == self.start,
            };
            if !visit(suffix) {
                return;
            }
        }
    }

    fn from(&self, place: usize) -> &[u8] {
        self.bytes.get(place..).unwrap_or_default()
    }
}

#[inline(always)]
fn without_highest(bits: u64) -> u64 {
    bits.checked_ilog2().map_or(0, |high| bits ^ 1 << high)
}

/// Lower-cases 32 bytes of a short name's buffer. Whether they are letters, digits, `-`, `_` and `.` only, without
/// two hyphens in a row, the first of which may stand before them.
///
/// Written without a branch per byte, so that it compiles to vector instructions.
#[inline]
fn fold(line: &mut [u8; Short::SIZE], at: usize) -> bool {
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

/// Hashes what stands at the end of a buffer, from the end to the front.
///
/// It absorbs 16 bytes at a time, so that the hash of a longer suffix goes on where that of a
/// shorter one stopped: those of all suffixes take time linear in the name.
struct SuffixHash<'t> {
    blocks: &'t [[u8; 16]],
    block: u128,
    /// The place of the block.
    at: usize,
    state: u64,
}

impl<'t> SuffixHash<'t> {
    /// Digits of pi, as in [`mix`]: any number without a pattern does.
    const SEED: u64 = 0x1319_8a2e_0370_7344;

    #[inline(always)]
    fn new(blocks: &'t [[u8; 16]]) -> Self {
        let last = blocks.last();
        Self {
            blocks,
            block: last.map_or(0, |block| u128::from_le_bytes(*block)),
            at: (16 * blocks.len()).saturating_sub(16),
            state: Self::SEED,
        }
    }

    /// The hash of what stands from a place to the end; never a place after that of an earlier call.
    #[inline(always)]
    fn from(&mut self, start: usize) -> u64 {
        while start < self.at {
            self.state = mix(self.block, self.state);
            self.at -= 16;
            let block = self.blocks.get(self.at / 16);
            self.block = block.map_or(0, |block| u128::from_le_bytes(*block));
        }
        // Of the block only its last bytes belong to the suffix; no name holds a zero byte, so
        // different suffixes stay different.
        mix(self.block >> (8 * (start - self.at)), self.state)
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

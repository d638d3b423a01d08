//! The bytes of a canonical name, laid out for the walk from its last label.

mod hash;
mod usual;

use alloc::boxed::Box;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use hash::SuffixHash;

/// Longest name in bytes, without the root dot (RFC 1035 §2.3.4: 255 octets on the wire).
pub(crate) const MAX_NAME: usize = 253;

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
    bytes: Padded,
    /// A bit for each dot, and for the last byte before the name.
    dots: u64,
    /// The hash of the last two labels; zero when there are no two.
    last_two_labels: u64,
    /// That of the name.
    hash: u64,
}

/// The bytes of a short name, with others before them.
///
/// Aligned, so that the tags of the enums around it do not displace it by a byte.
#[derive(Clone)]
#[repr(align(8))]
struct Padded([u8; Short::SIZE]);

impl Padded {
    #[inline(always)]
    fn new(blocks: [u128; Short::SIZE / 16]) -> Self {
        let mut padded = Self([0; Short::SIZE]);
        let (rows, _) = padded.0.as_chunks_mut();
        for (row, block) in rows.iter_mut().zip(blocks) {
            *row = block.to_le_bytes();
        }
        padded
    }
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

    /// Reads the text that nearly every request has for its host: canonical already, but for a dot
    /// at the end. `None` says nothing about the text.
    #[inline(always)]
    pub(crate) fn usual(text: &[u8]) -> Option<Self> {
        Short::usual(without_root(text)).map(Self::Short)
    }

    /// Reads a text that is canonical but for upper case and one dot at the end. `None` says nothing
    /// about the text: the full reading decides.
    pub(crate) fn plain(text: &[u8]) -> Option<Self> {
        Self::usual(text).or_else(|| Short::plain(without_root(text)).map(Self::Short))
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
            Self::Short(name) => name.last_two_labels,
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
        short.index(dots_of(&short.bytes.0) | 1 << (Self::SIZE - 1 - name.len()));
        Some(short)
    }

    /// The bytes alone; `None` when they are none or too many.
    fn padded(name: &[u8]) -> Option<Self> {
        if name.is_empty() || name.len() >= Self::SIZE {
            return None;
        }
        let mut bytes = [Self::PADDING; Self::SIZE];
        bytes
            .get_mut(Self::SIZE - name.len()..)?
            .copy_from_slice(name);
        Some(Self {
            bytes: Padded(bytes),
            dots: 0,
            last_two_labels: 0,
            hash: 0,
        })
    }

    fn index(&mut self, dots: u64) {
        self.dots = dots;
        let mut suffixes = SuffixHash::new(self.bytes.0.as_chunks().0);
        if let Some(dot) = without_highest(dots).checked_ilog2() {
            self.last_two_labels = suffixes.from(dot as usize + 1);
        }
        self.hash = suffixes.from(self.start());
    }

    #[inline(always)]
    fn as_bytes(&self) -> &[u8] {
        self.from(self.start())
    }

    /// See [`Name::plain`].
    #[inline(never)]
    fn plain(text: &[u8]) -> Option<Self> {
        let mut name = Self::padded(text)?;
        // The pieces overlap: each needs the byte before it.
        let bytes = &mut name.bytes.0;
        let plain = fold(bytes, 32) && (text.len() < 32 || fold(bytes, 1));
        if !plain {
            return None;
        }
        let dots = dots_of(bytes) | 1 << (Self::SIZE - 1 - text.len());
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
        let last_two = without_highest(self.dots);
        let mut dots = if last_label { self.dots } else { last_two };
        while let Some(dot) = dots.checked_ilog2() {
            let start = dot as usize + 1;
            let at_two = dots == last_two;
            dots ^= 1 << dot;
            let hash = if dots == 0 {
                self.hash
            } else if at_two {
                self.last_two_labels
            } else {
                self.hash_from(start)
            };
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

    /// Of names between the last two labels and the whole, which few hosts have.
    #[inline(never)]
    fn hash_from(&self, start: usize) -> u64 {
        SuffixHash::new(self.bytes.0.as_chunks().0).from(start)
    }

    #[inline(always)]
    fn start(&self) -> usize {
        self.dots.trailing_zeros() as usize + 1
    }

    #[inline(always)]
    fn from(&self, place: usize) -> &[u8] {
        self.bytes.0.get(place..).unwrap_or_default()
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
fn without_root(text: &[u8]) -> &[u8] {
    match text {
        [name @ .., b'.'] => name,
        name => name,
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

/// A bit for each dot among ASCII bytes.
fn dots_of(bytes: &[u8; Short::SIZE]) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Everything that is kept of a name.
    fn kept(name: &Short) -> (&[u8], u64, u64, u64) {
        (name.as_bytes(), name.dots, name.last_two_labels, name.hash)
    }

    const NAMES: [&[u8]; 2] = [
        b"a.bb.ccc.dd-dd.eeeee.ffffff.g1g1g1g.hhhhhhhh.iiiiiiiiii.example",
        b"a.b.a-last-label-but-one-that-is-long-without-its-dot.example",
    ];

    #[test]
    fn a_usual_name_is_read_as_any_other() {
        let mut read = 0;
        for (name, len) in NAMES
            .iter()
            .flat_map(|name| (1..=name.len()).map(move |len| (name, len)))
        {
            for (place, byte) in
                (0..len).flat_map(|place| (0..=u8::MAX).map(move |byte| (place, byte)))
            {
                let mut text = name[name.len() - len..].to_vec();
                text[place] = byte;
                let labels = text.split(|byte| *byte == b'.').count();
                let last_two: Vec<_> = text.rsplit(|byte| *byte == b'.').take(2).collect();
                let usual = len >= 8
                    && !text
                        .iter()
                        .any(|byte| byte.is_ascii_uppercase() || *byte == b'_')
                    && (labels < 3 || last_two.concat().len() < 32);
                let plain = Short::plain(&text).filter(|_| usual);
                let usual = Short::usual(&text);
                let shown = text.escape_ascii();
                assert_eq!(
                    usual.as_ref().map(kept),
                    plain.as_ref().map(kept),
                    "{shown}"
                );
                read += usize::from(usual.is_some());
            }
        }
        assert!(read > 10_000, "{read}");
    }

    #[test]
    fn a_short_name_is_hashed_as_a_long_one() {
        for (name, len) in NAMES
            .iter()
            .flat_map(|name| (1..=name.len()).map(move |len| (name, len)))
        {
            let name = &name[name.len() - len..];
            if name.starts_with(b".") {
                continue;
            }
            let (short, long) = (Short::new(name).unwrap(), Long::new(name));
            let (mut of_short, mut of_long) = (Vec::new(), Vec::new());
            short.walk(true, |suffix| {
                of_short.push((suffix.bytes.to_vec(), suffix.hash, suffix.whole));
                true
            });
            long.walk(true, |suffix| {
                of_long.push((suffix.bytes.to_vec(), suffix.hash, suffix.whole));
                true
            });
            assert_eq!(of_short, of_long);
            assert_eq!(short.last_two_labels, long.last_two_labels);
        }
    }
}

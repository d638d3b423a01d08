//! The header of an image: what its bytes hold, and where.

use super::{ADDRESS, LINE, OFFSET, Sources};

/// First bytes of every image. The first is no text, and the last is one that transfers as text
/// would change.
const MAGIC: [u8; 8] = *b"\x93egress\n";
/// Changes with the layout, the hash, and the meaning of a source bit.
const VERSION: u16 = 1;

/// `magic[8] version:u16 flags:u8 sources:u8 shallow:u8 zero[3] words:u64 buckets:u64 lines:u64`
/// `spilled:u64 spill_bytes:u64 addresses:u64 checksum:u64`
pub(crate) const HEADER: usize = 72;
const CHECKSUM: usize = 64;

/// Fewer lines than this are in the processor's nearest cache and need not be aligned in it.
pub(super) const FEW_LINES: usize = 64;

/// The header's fields, and where the parts begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// What the owner of the image keeps with it.
    pub(crate) flags: u8,
    /// Every source that some entry has.
    pub(crate) sources: Sources,
    /// Whether some pattern has a single label. Otherwise a walk need not ask about last labels.
    pub(crate) shallow: bool,
    pub(crate) words: usize,
    pub(crate) buckets: usize,
    pub(crate) lines: usize,
    pub(crate) spilled: usize,
    pub(crate) pilots_at: usize,
    pub(crate) lines_at: usize,
    pub(crate) offsets_at: usize,
    pub(crate) spill_at: usize,
    pub(crate) addresses_at: usize,
    pub(crate) end: usize,
}

/// How many of each part an image has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) words: usize,
    pub(super) buckets: usize,
    pub(super) lines: usize,
    pub(super) spilled: usize,
    pub(super) spill_bytes: usize,
    pub(super) addresses: usize,
}

impl Header {
    /// Places saturate: where they would not fit in memory, neither do the bytes.
    pub(super) fn new(flags: u8, sources: Sources, shallow: bool, counts: Counts) -> Self {
        let part =
            |at: usize, count: usize, size: usize| at.saturating_add(count.saturating_mul(size));
        let pilots_at = part(HEADER, counts.words, 8);
        let pilots_end = part(pilots_at, counts.buckets, 1);
        let lines_at = if counts.lines < FEW_LINES {
            pilots_end
        } else {
            pilots_end
                .checked_next_multiple_of(LINE)
                .unwrap_or(usize::MAX)
        };
        let offsets_at = part(lines_at, counts.lines, LINE);
        let spill_at = part(offsets_at, counts.spilled, OFFSET);
        let addresses_at = part(spill_at, counts.spill_bytes, 1);
        let end = part(addresses_at, counts.addresses, ADDRESS);
        Self {
            flags,
            sources,
            shallow,
            words: counts.words,
            buckets: counts.buckets,
            lines: counts.lines,
            spilled: counts.spilled,
            pilots_at,
            lines_at,
            offsets_at,
            spill_at,
            addresses_at,
            end,
        }
    }

    /// Reads the header of `bytes` and checks that they are as long as it says.
    pub(crate) fn open(bytes: &[u8]) -> Result<Self, ImageError> {
        let truncated = ImageError::Length;
        let (magic, rest) = bytes.split_first_chunk().ok_or(truncated)?;
        if *magic != MAGIC {
            return Err(ImageError::Magic);
        }
        let (version, rest) = rest.split_first_chunk().ok_or(truncated)?;
        if u16::from_le_bytes(*version) != VERSION {
            return Err(ImageError::Version);
        }
        let (&[flags, sources, shallow, zeros @ ..], rest) =
            rest.split_first_chunk::<6>().ok_or(truncated)?;
        if shallow > 1 || zeros != [0; 3] {
            return Err(ImageError::Unknown);
        }
        let (&numbers, _) = rest
            .split_first_chunk::<{ CHECKSUM - 16 }>()
            .ok_or(truncated)?;
        let (counts, _) = numbers.as_chunks();
        let mut counts = counts
            .iter()
            .map(|count| usize::try_from(u64::from_le_bytes(*count)).map_err(|_| truncated));
        let mut count = || counts.next().unwrap_or(Err(truncated));
        let counts = Counts {
            words: count()?,
            buckets: count()?,
            lines: count()?,
            spilled: count()?,
            spill_bytes: count()?,
            addresses: count()?,
        };
        let header = Self::new(flags, sources, shallow == 1, counts);
        if header.end == bytes.len() {
            Ok(header)
        } else {
            Err(truncated)
        }
    }

    /// The header's bytes with a checksum of zero.
    pub(super) fn to_bytes(&self) -> [u8; HEADER] {
        let counts = [
            self.words,
            self.buckets,
            self.lines,
            self.spilled,
            self.addresses_at - self.spill_at,
            (self.end - self.addresses_at) / ADDRESS,
        ];
        let mut fields = MAGIC
            .into_iter()
            .chain(VERSION.to_le_bytes())
            .chain([self.flags, self.sources, u8::from(self.shallow), 0, 0, 0])
            .chain(
                counts
                    .into_iter()
                    .flat_map(|count| (count as u64).to_le_bytes()),
            );
        [(); HEADER].map(|()| fields.next().unwrap_or(0))
    }
}

/// Writes the checksum into a finished image.
pub(super) fn seal(bytes: &mut [u8]) {
    let sum = checksum(bytes).to_le_bytes();
    if let Some(field) = bytes.get_mut(CHECKSUM..HEADER) {
        field.copy_from_slice(&sum);
    }
}

/// Whether the checksum of an image is right.
pub(crate) fn is_sealed(bytes: &[u8]) -> bool {
    bytes.get(CHECKSUM..HEADER) == Some(&checksum(bytes).to_le_bytes())
}

/// A sum over everything but its own field. Each word enters by a step that can be undone, so a
/// change in one word, which any single wrong byte is, always changes the sum.
fn checksum(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(ODD).rotate_left(29);
    let (head, body) = bytes.split_at_checked(HEADER).unwrap_or_default();
    let (head, _) = head.get(..CHECKSUM).unwrap_or_default().as_chunks();
    let (words, tail) = body.as_chunks();
    let (rows, rest) = words.as_chunks::<4>();
    let mut lanes = [1, 2, 3, 4];
    for row in rows {
        for (lane, word) in lanes.iter_mut().zip(row) {
            *lane = step(*lane, u64::from_le_bytes(*word));
        }
    }
    let mut last = [0; 8];
    last.iter_mut().zip(tail).for_each(|(to, from)| *to = *from);
    let rest = head.iter().chain(rest).chain([&last]);
    let sum = rest.fold(bytes.len() as u64, |sum, word| {
        step(sum, u64::from_le_bytes(*word))
    });
    lanes.into_iter().fold(sum, step)
}

/// Why bytes are not a compiled policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// They begin as something else.
    #[error("not a compiled policy; write one with `Egress::to_bytes`")]
    Magic,
    /// Another version of the format.
    #[error("a compiled policy of another version; compile the policy again")]
    Version,
    /// Shorter or longer than the header says.
    #[error("a compiled policy that is cut off or continued; copy it again")]
    Length,
    /// A flag or source that this version does not know.
    #[error("a compiled policy with a flag or source of a later version; compile it again")]
    Unknown,
    /// The checksum does not fit.
    #[error("a compiled policy whose bytes were changed; copy it again")]
    Checksum,
    /// The checksum fits, but the bytes are not what compiling their patterns gives.
    #[error("a compiled policy that was not written by this library; compile the policy again")]
    Content,
}

//! The hash of names and of the names above them.
//!
//! It has no secret: it says where to look and never what is found there.

/// Digits of pi: any number without a pattern does.
pub(super) const SEED: u64 = 0x1319_8a2e_0370_7344;

/// Hashes what stands at the end of a buffer, from the end to the front.
///
/// It absorbs 16 bytes at a time, so that the hash of a longer suffix goes on where that of a
/// shorter one stopped: those of all suffixes take time linear in the name.
pub(super) struct SuffixHash<'t> {
    blocks: &'t [[u8; 16]],
    block: u128,
    /// The place of the block.
    at: usize,
    state: u64,
}

impl<'t> SuffixHash<'t> {
    #[inline(always)]
    pub(super) fn new(blocks: &'t [[u8; 16]]) -> Self {
        let last = blocks.last();
        Self {
            blocks,
            block: last.map_or(0, |block| u128::from_le_bytes(*block)),
            at: (16 * blocks.len()).saturating_sub(16),
            state: SEED,
        }
    }

    /// The hash of what stands from a place to the end; never a place after that of an earlier call.
    #[inline(always)]
    pub(super) fn from(&mut self, start: usize) -> u64 {
        while start < self.at {
            self.state = mix(self.block, self.state);
            self.at -= 16;
            let block = self.blocks.get(self.at / 16);
            self.block = block.map_or(0, |block| u128::from_le_bytes(*block));
        }
        mix(tail(self.block, start - self.at), self.state)
    }
}

/// A block with zeros before a place of it, 0–15. No name holds a zero byte, so different suffixes
/// stay different.
#[inline(always)]
pub(super) fn tail(block: u128, place: usize) -> u128 {
    block & u128::MAX << (8 * (place % 16))
}

/// One step of the hash: a full multiplication folded in half.
#[inline(always)]
pub(super) fn mix(block: u128, state: u64) -> u64 {
    // Digits of pi: any odd number without a pattern does.
    const KEY: u64 = 0x243f_6a88_85a3_08d3;
    let (low, high) = halves(block);
    let (low, high) = halves(u128::from(low ^ state) * u128::from(high ^ KEY));
    low ^ high
}

#[expect(clippy::cast_possible_truncation, reason = "takes a word apart")]
#[inline(always)]
pub(super) fn halves(block: u128) -> (u64, u64) {
    (block as u64, (block >> 64) as u64)
}

//! An image that owns its bytes.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::header::{FEW_LINES, Header};
use super::{Image, LINE};

/// An image that owns its memory. Equal sets of patterns have equal bytes.
pub(crate) struct Owned {
    header: Header,
    /// The image begins at `start`, which aligns its lines with cache lines.
    buffer: Vec<u8>,
    start: usize,
}

impl Owned {
    /// Zeroed memory for an image.
    pub(super) fn zeroed(header: Header) -> Self {
        let slack = if header.lines < FEW_LINES {
            0
        } else {
            LINE - 1
        };
        let mut buffer = vec![0; header.end.saturating_add(slack)];
        let start = buffer.as_ptr().align_offset(LINE).min(slack);
        buffer.truncate(start + header.end);
        Self {
            header,
            buffer,
            start,
        }
    }

    /// A copy of bytes that are known to be an image with this header.
    fn copy(header: Header, bytes: &[u8]) -> Self {
        let mut owned = Self::zeroed(header);
        let room = owned.bytes_mut();
        if room.len() == bytes.len() {
            room.copy_from_slice(bytes);
        }
        owned
    }

    #[inline]
    pub(crate) fn image(&self) -> Image<'_> {
        Image::new(&self.header, self.bytes())
    }

    #[cfg(test)]
    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        self.buffer.get_mut(self.start..).unwrap_or_default()
    }
}

impl Clone for Owned {
    fn clone(&self) -> Self {
        Self::copy(self.header.clone(), self.bytes())
    }
}

impl PartialEq for Owned {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Owned {}

impl fmt::Debug for Owned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.image().patterns().map(|(pattern, _)| pattern))
            .finish()
    }
}

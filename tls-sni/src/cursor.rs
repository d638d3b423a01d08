//! Taking bytes from the front, over one slice or over the payloads of many records.
//!
//! A hello in one record is a slice, and is read as one. A hello in many records is read in place as well: [`Bytes`] hops
//! over each record header it comes to. Both are the same [`Cursor`] to the parser, which is compiled once for each.
//! No offset is ever computed: bytes leave the front, and a taker that asks for too many gets what was there.

use core::fmt::{self, Write as _};

use crate::error::{Error, ErrorKind, Field};

/// Takes fields from the front of a region of known length.
pub(crate) trait Cursor<'a>: Copy {
    /// How many bytes are left.
    fn len(&self) -> usize;
    /// The next `n` bytes as a region of their own; `None` when fewer are left.
    fn split(&mut self, n: usize) -> Option<Self>;
    /// The next `n` bytes, where nothing behind them is to be read; `None` when fewer are left.
    fn limited(self, n: usize) -> Option<Self>;
    /// The next `N` bytes; `None` when fewer are left.
    fn array<const N: usize>(&mut self) -> Option<[u8; N]>;
    /// Where the next byte lies in memory; [`Error::counted_from`] makes it an offset.
    fn address(&self) -> usize;
    /// The region as it is handed out.
    fn bytes(self) -> Bytes<'a>;

    fn take(&mut self, n: usize, field: Field) -> Result<Self, Error> {
        let before = *self;
        self.split(n).ok_or_else(|| before.truncated(field, n))
    }

    fn fixed<const N: usize>(&mut self, field: Field) -> Result<[u8; N], Error> {
        let before = *self;
        self.array().ok_or_else(|| before.truncated(field, N))
    }

    /// A vector with a one-byte length (RFC 8446 §3.4).
    fn vector8(&mut self, field: Field) -> Result<Self, Error> {
        let [len] = self.fixed(field)?;
        self.take(usize::from(len), field)
    }

    /// A vector with a two-byte length (RFC 8446 §3.4).
    fn vector16(&mut self, field: Field) -> Result<Self, Error> {
        let len = u16::from_be_bytes(self.fixed(field)?);
        self.take(usize::from(len), field)
    }

    /// The next `n` bytes, where nothing behind them is to be read.
    fn first(self, n: usize, field: Field) -> Result<Self, Error> {
        self.limited(n).ok_or_else(|| self.truncated(field, n))
    }

    /// The next `n` bytes, which must be all that is left of `whole`.
    fn last(self, n: usize, field: Field, whole: Field) -> Result<Self, Error> {
        if n < self.len() {
            let mut rest = self;
            rest.take(n, field)?;
            rest.finish(whole)?;
        }
        self.first(n, field)
    }

    /// Refuses what is left over.
    fn finish(self, field: Field) -> Result<(), Error> {
        match self.len() {
            0 => Ok(()),
            len => Err(self.error(ErrorKind::Leftover { field, len })),
        }
    }

    /// Refuses a length that the field's definition does not allow.
    fn check(self, field: Field, allowed: impl FnOnce(usize) -> bool) -> Result<Self, Error> {
        match self.len() {
            len if allowed(len) => Ok(self),
            len => Err(self.error(ErrorKind::Length { field, len })),
        }
    }

    // Errors are made out of line, to keep what they say out of the registers of the path that succeeds.

    #[cold]
    #[inline(never)]
    fn error(self, kind: ErrorKind) -> Error {
        Error::new(kind, self.address())
    }

    #[cold]
    #[inline(never)]
    fn truncated(self, field: Field, needed: usize) -> Error {
        self.error(ErrorKind::Truncated {
            field,
            needed,
            available: self.len(),
        })
    }
}

impl<'a> Cursor<'a> for &'a [u8] {
    #[inline]
    fn len(&self) -> usize {
        <[u8]>::len(self)
    }

    #[inline]
    fn split(&mut self, n: usize) -> Option<Self> {
        let (head, rest) = self.split_at_checked(n)?;
        *self = rest;
        Some(head)
    }

    #[inline]
    fn limited(self, n: usize) -> Option<Self> {
        self.get(..n)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.split_first_chunk()?;
        *self = rest;
        Some(*head)
    }

    fn address(&self) -> usize {
        self.as_ptr().addr()
    }

    #[inline]
    fn bytes(self) -> Bytes<'a> {
        Bytes {
            raw: self,
            run: self.len(),
            len: self.len(),
        }
    }
}

/// A string of the hello's bytes, borrowed from the input.
///
/// It is one slice unless a record boundary falls inside it (RFC 8446 §5.1 lets a client place one anywhere); then
/// [`Bytes::as_slice`] is `None` and [`Bytes::chunks`] gives the pieces. Nothing is copied in either case.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    /// From the next byte on: `run` bytes of this record, then record headers and payloads in turn.
    raw: &'a [u8],
    run: usize,
    len: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) const EMPTY: Self = Self {
        raw: &[],
        run: 0,
        len: 0,
    };

    /// The payloads of the records that begin with the header at the front of `raw`; fewer bytes than `raw` has.
    pub(crate) const fn in_records(raw: &'a [u8]) -> Self {
        Self {
            raw,
            run: 0,
            len: raw.len(),
        }
    }

    /// How many bytes these are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes as one slice; `None` when a record boundary falls inside them.
    #[must_use]
    pub fn as_slice(&self) -> Option<&'a [u8]> {
        if self.run >= self.len {
            return self.raw.get(..self.len);
        }
        let mut rest = *self;
        rest.chunk().filter(|_| rest.is_empty())
    }

    /// The pieces between record boundaries, in order, none of them empty.
    pub fn chunks(self) -> impl Iterator<Item = &'a [u8]> + Clone {
        let mut rest = self;
        core::iter::from_fn(move || rest.chunk())
    }

    /// The single bytes, in order.
    pub fn iter(self) -> impl Iterator<Item = u8> + Clone {
        self.chunks().flatten().copied()
    }

    /// The bytes copied to the front of `buffer`, as many as fit.
    pub(crate) fn copy_to<'b>(&self, buffer: &'b mut [u8]) -> &'b mut [u8] {
        let mut len: usize = 0;
        let mut places = buffer.iter_mut();
        for chunk in self.chunks() {
            // The chunk leads: where it ends first, no place is lost.
            for (byte, place) in chunk.iter().zip(places.by_ref()) {
                *place = *byte;
                len = len.wrapping_add(1);
            }
        }
        buffer.get_mut(..len).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn chunk(&mut self) -> Option<&'a [u8]> {
        if self.len == 0 {
            return None;
        }
        if self.run == 0 {
            self.hop()?;
        }
        let n = self.run.min(self.len);
        let (chunk, raw) = self.raw.split_at_checked(n)?;
        self.raw = raw;
        self.run = self.run.wrapping_sub(n);
        self.len = self.len.wrapping_sub(n);
        Some(chunk)
    }

    /// Leaves records behind until `n` bytes from here lie in the current one, and says how many of them do.
    #[inline(never)]
    fn leap(&mut self, mut n: usize) -> Option<usize> {
        while let Some(beyond @ 1..) = n.checked_sub(self.run) {
            n = beyond;
            self.hop()?;
        }
        Some(n)
    }

    /// The next `N` bytes from as many records as it takes.
    #[inline(never)]
    fn gather<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut array = [0; N];
        for byte in &mut array {
            while self.run == 0 {
                self.hop()?;
            }
            let (first, raw) = self.raw.split_first()?;
            *byte = *first;
            self.raw = raw;
            self.run = self.run.wrapping_sub(1);
        }
        Some(array)
    }

    /// Leaves the current record for the payload of the next one.
    #[inline]
    fn hop(&mut self) -> Option<()> {
        let (&[_, _, _, high, low], payload) = self.raw.get(self.run..)?.split_first_chunk()?;
        self.raw = payload;
        self.run = usize::from(u16::from_be_bytes([high, low]));
        Some(())
    }
}

impl<'a> Cursor<'a> for Bytes<'a> {
    fn len(&self) -> usize {
        self.len
    }

    fn split(&mut self, n: usize) -> Option<Self> {
        let head = Self { len: n, ..*self };
        self.len = self.len.checked_sub(n)?;
        let rest = if n > self.run { self.leap(n)? } else { n };
        self.raw = self.raw.get(rest..)?;
        self.run = self.run.wrapping_sub(rest);
        Some(head)
    }

    fn limited(self, n: usize) -> Option<Self> {
        (n <= self.len).then_some(Self { len: n, ..self })
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.len = self.len.checked_sub(N)?;
        if let (Some(run), Some((array, raw))) =
            (self.run.checked_sub(N), self.raw.split_first_chunk())
        {
            (self.raw, self.run) = (raw, run);
            return Some(*array);
        }
        self.gather()
    }

    fn address(&self) -> usize {
        self.raw.as_ptr().addr()
    }

    fn bytes(self) -> Self {
        self
    }
}

/// Equal when the bytes are, wherever the record boundaries lie.
impl PartialEq for Bytes<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl Eq for Bytes<'_> {}

impl PartialEq<[u8]> for Bytes<'_> {
    fn eq(&self, other: &[u8]) -> bool {
        self.len == other.len() && self.iter().eq(other.iter().copied())
    }
}

/// Printable ASCII as it is, everything else escaped.
impl fmt::Debug for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for chunk in self.chunks() {
            write!(f, "{}", chunk.escape_ascii())?;
        }
        f.write_char('"')
    }
}

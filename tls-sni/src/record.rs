//! The record layer and the handshake header: where the hello begins, where it ends, and how much is missing.

use crate::cursor::Bytes;
use crate::error::{Error, ErrorKind};
use crate::hello::ClientHello;

/// A record header (RFC 8446 §5.1): content type, major and minor version, length. The minor must be ignored.
type Header = [u8; RECORD_HEADER];
pub(crate) const RECORD_HEADER: usize = 5;
/// Content type `change_cipher_spec`, the first of those that TLS has (RFC 8446 §5.1).
pub(crate) const CHANGE_CIPHER_SPEC: u8 = 20;
/// Content type `alert` (RFC 8446 §5.1).
pub(crate) const ALERT: u8 = 21;
/// Content type `handshake` (RFC 8446 §5.1).
pub(crate) const HANDSHAKE: u8 = 22;
/// Content type `application_data` (RFC 8446 §5.1).
pub(crate) const APPLICATION_DATA: u8 = 23;
/// Content type `heartbeat`, the last of them (RFC 6520 §3).
const HEARTBEAT: u8 = 24;
/// Major version of every TLS and of SSL 3.0 (RFC 8446 §5.1).
pub(crate) const MAJOR: u8 = 3;
/// An SSL 2.0 record begins with a length of two bytes whose top bit is set (RFC 5246 appendix E.2), or is clear as the one below
/// it is and a byte of padding follows. NSS reads the second form too where SSL 2.0 hellos are switched on.
const SSLV2_LENGTH: u8 = 0x80;
/// The first byte of a length before padding is below this.
const SSLV2_PADDED: u8 = 0x40;
/// Handshake type `client_hello` (RFC 8446 §4).
pub(crate) const CLIENT_HELLO: u8 = 1;
/// The bytes of the handshake header: type and a three-byte length (RFC 8446 §4).
const MESSAGE_HEADER: u32 = 4;
/// The most a record may carry (RFC 8446 §5.1).
pub(crate) const MAX_RECORD: u16 = 1 << 14;
/// What rustls and Go accept; session tickets and post-quantum keys have been seen to exceed 16 KiB.
pub(crate) const DEFAULT_MAX_HELLO: u32 = 65_535;

/// How far the bytes received so far have got.
///
/// There is deliberately no way to read "no name" out of it: a hello without a name is
/// [`ServerName::Absent`](crate::ServerName::Absent), inside a [`Status::Complete`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status<T> {
    /// Certain: more bytes do not change it.
    Complete(T),
    /// The hello goes on beyond the input.
    Incomplete {
        /// How many bytes of the stream there must be, in all, before another call can say more: always more than the
        /// input has, never more than the hello ends at. With fewer the answer stays the same.
        needed: usize,
    },
    /// Another protocol: no TLS server reads this as TLS.
    ///
    /// Only what begins with none of TLS' content types (20 to 24) and is not an SSL 2.0 hello. Known by the first byte where it is an
    /// ASCII letter, and by the fifth at the latest where it is one that SSL 2.0 begins with (below 64 or above 127). A client that waits
    /// for the server before it has sent so many (SOCKS does) needs the caller's deadline.
    /// A record of another type or version before the hello is an error instead: several servers read on behind it.
    NotTls,
}

/// Finds the end of a ClientHello in a growing buffer, remembering how far it got.
///
/// 32 bytes of state; feeding a hello in any number of pieces costs as much as reading its record headers once.
/// RFC 8446 §5.1 for records, §4 for the handshake header.
///
/// ```
/// use tls_sni::{Scanner, Status};
///
/// let mut scanner = Scanner::new();
/// assert_eq!(scanner.advance(&[22, 3]), Ok(Status::Incomplete { needed: 5 }));
/// assert_eq!(scanner.advance(&[22, 3, 1, 0, 199]), Ok(Status::Incomplete { needed: 9 }));
/// assert_eq!(scanner.advance(&[22, 3, 1, 0, 199, 1, 0, 0, 195]), Ok(Status::Incomplete { needed: 204 }));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Scanner {
    /// Where the next record begins.
    at: usize,
    /// How many records come before it.
    records: u32,
    /// How many bytes of the message they carry.
    seen: u32,
    /// The first of them as far as seen, up to the four of the handshake header.
    header: u32,
    /// The length of the message with that header; the most there is until the header is whole.
    message: u32,
    /// The most a hello may announce.
    max: u32,
}

const _: () = assert!(size_of::<Scanner>() <= 32);

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl Scanner {
    /// A scanner at the start of a stream that gives up on hellos over 65,535 bytes.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            at: 0,
            records: 0,
            seen: 0,
            header: 0,
            message: u32::MAX,
            max: DEFAULT_MAX_HELLO,
        }
    }

    /// Gives up on hellos that announce more than `bytes`, as soon as they do.
    ///
    /// The length is the message's own, without record headers. A client may spend a record on every byte, so the
    /// buffer can grow to `6 * (bytes + 4)`; a caller that wants less memory bounds its buffer and refuses.
    #[must_use]
    pub const fn with_max_hello(mut self, bytes: u32) -> Self {
        self.max = bytes;
        self
    }

    /// Looks for the end of the hello in `input`: *all* bytes received so far, the same ones as before and more.
    ///
    /// [`Status::Complete`] holds the length of the hello's records. What lies behind (early data, for one) is not
    /// the hello's.
    ///
    /// # Errors
    ///
    /// When no continuation can make a hello that an enforcement point may act on; see [`ErrorKind`].
    pub fn advance(&mut self, input: &[u8]) -> Result<Status<usize>, Error> {
        // A copy, so that the loop works in registers.
        let mut scanner = *self;
        let status = scanner.scan(input);
        *self = scanner;
        status
    }

    /// The hello itself, once it is complete; goes on from where [`advance`](Self::advance) has got to.
    ///
    /// # Errors
    ///
    /// When no continuation can make a hello that an enforcement point may act on; see [`ErrorKind`].
    pub fn parse<'a>(&mut self, input: &'a [u8]) -> Result<Status<ClientHello<'a>>, Error> {
        let mut scanner = *self;
        let status = scanner.scan(input);
        *self = scanner;
        let end = match status? {
            Status::Complete(end) => end,
            Status::Incomplete { needed } => return Ok(Status::Incomplete { needed }),
            Status::NotTls => return Ok(Status::NotTls),
        };
        let records = self.records.wrapping_add(1);
        match input.get(RECORD_HEADER..end) {
            Some(message) if records == 1 => ClientHello::read(message, end, records),
            _ => ClientHello::read(Bytes::in_records(input), end, records),
        }
        .map(Status::Complete)
        .map_err(|error| error.counted_from(input))
    }

    /// Accounts for every record whose header has arrived, and commits to one only when the next is read.
    #[inline(always)]
    fn scan(&mut self, input: &[u8]) -> Result<Status<usize>, Error> {
        let mut rest = input.get(self.at..).unwrap_or_default();
        while let Some((header, payload)) = rest.split_first_chunk() {
            let [ty, major, _minor, high, low] = *header;
            if [ty, major] != [HANDSHAKE, MAJOR] {
                return self.refuse(*header);
            }
            let record = u16::from_be_bytes([high, low]);
            if record.wrapping_sub(1) >= MAX_RECORD {
                return Err(self.bad_length(record));
            }
            let seen = self.seen.wrapping_add(u32::from(record));
            if self.seen < MESSAGE_HEADER {
                let missing = wide(MESSAGE_HEADER.wrapping_sub(self.seen)).min(usize::from(record));
                let Some(start) = payload.get(..missing) else {
                    return Ok(Status::Incomplete {
                        needed: self.record_end(missing),
                    });
                };
                let header = match start.first_chunk() {
                    Some(whole) => u32::from_be_bytes(*whole),
                    None => start
                        .iter()
                        .fold(self.header, |header, byte| header << 8 | u32::from(*byte)),
                };
                if seen < MESSAGE_HEADER {
                    self.header = header;
                } else {
                    self.message = self.message_length(header)?;
                }
            }
            let end = self.record_end(usize::from(record));
            let beyond = payload.get(usize::from(record)..);
            if seen >= self.message {
                return match beyond {
                    None => Ok(Status::Incomplete { needed: end }),
                    Some(_) if seen > self.message => {
                        Err(Error::new(ErrorKind::TrailingData, self.at))
                    }
                    Some(_) => Ok(Status::Complete(end)),
                };
            }
            self.at = end;
            self.records = self.records.wrapping_add(1);
            self.seen = seen;
            rest = beyond.unwrap_or_default();
        }
        if self.at == 0 {
            return self.without_first_header(rest);
        }
        Ok(Status::Incomplete {
            needed: self.record_end(0),
        })
    }

    /// Where the record that begins here and carries `payload` bytes ends.
    fn record_end(&self, payload: usize) -> usize {
        self.at.wrapping_add(RECORD_HEADER).wrapping_add(payload)
    }

    #[cold]
    fn bad_length(&self, record: u16) -> Error {
        let kind = if record == 0 {
            ErrorKind::EmptyRecord
        } else {
            ErrorKind::RecordTooLong(record)
        };
        Error::new(kind, self.at)
    }

    /// The length of the message with its header, from that header.
    fn message_length(&self, header: u32) -> Result<u32, Error> {
        let [ty, length @ ..] = header.to_be_bytes();
        let [high, middle, low] = length;
        let len = u32::from_be_bytes([0, high, middle, low]);
        if ty != CLIENT_HELLO {
            return Err(Error::new(ErrorKind::NotClientHello(ty), self.at));
        }
        if len > self.max {
            return Err(Error::new(
                ErrorKind::HelloTooLong { len, max: self.max },
                self.at,
            ));
        }
        Ok(len.wrapping_add(MESSAGE_HEADER))
    }

    /// Too little for the first record header; what it would begin with may be known for no hello already.
    #[cold]
    fn without_first_header<T>(&self, rest: &[u8]) -> Result<Status<T>, Error> {
        let needed = match rest.first() {
            None => 1,
            Some(
                &first @ (CHANGE_CIPHER_SPEC
                | ALERT
                | APPLICATION_DATA
                | HEARTBEAT
                | SSLV2_PADDED..SSLV2_LENGTH),
            ) => return self.refuse([first, MAJOR, 0, 0, 0]),
            Some(_) => RECORD_HEADER,
        };
        Ok(Status::Incomplete { needed })
    }

    /// A header of five bytes that is not a TLS handshake record's.
    ///
    /// At the start of a stream another type or major version is still TLS to some server, which reads the hello behind it
    /// or in it; only what is TLS to none is another protocol.
    #[cold]
    fn refuse<T>(&self, header: Header) -> Result<Status<T>, Error> {
        let kind = match header {
            [HANDSHAKE, major, ..] => ErrorKind::RecordVersion(major),
            [ty @ CHANGE_CIPHER_SPEC..=HEARTBEAT, ..] => ErrorKind::UnexpectedRecord(ty),
            [ty, ..] if self.at > 0 => ErrorKind::UnexpectedRecord(ty),
            // Two bytes of length, the message type, the version: 0x0002 or 0x03 and a minor (RFC 5246 appendix E.2).
            // GnuTLS takes every higher version for the newest that it knows, NSS every type for a hello's.
            [SSLV2_LENGTH..=u8::MAX, _, CLIENT_HELLO, 0, 2]
            | [SSLV2_LENGTH..=u8::MAX, _, CLIENT_HELLO, MAJOR..=u8::MAX, _]
            | [SSLV2_LENGTH..=u8::MAX, _, _, MAJOR, _]
            // With padding the second byte of the version lies behind this header.
            | [..SSLV2_PADDED, _, _, CLIENT_HELLO, 0 | MAJOR..=u8::MAX]
            | [..SSLV2_PADDED, _, _, _, MAJOR] => ErrorKind::Sslv2,
            _ => return Ok(Status::NotTls),
        };
        Err(Error::new(kind, self.at))
    }
}

/// Never truncates where an address has 32 bits or more; where not, no input is long enough to tell.
pub(crate) fn wide(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

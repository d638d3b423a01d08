//! What follows the first hello on the client's side, until no second hello can come.

use crate::error::{Error, ErrorKind};
use crate::hello::ClientHello;
use crate::record::{
    ALERT, APPLICATION_DATA, CHANGE_CIPHER_SPEC, CLIENT_HELLO, DEFAULT_MAX_HELLO, HANDSHAKE, MAJOR,
    MAX_RECORD, RECORD_HEADER, Scanner, Status,
};

/// Handshake type `hello_request` (RFC 5246 §7.4.1.1), which no client sends and some reader may skip.
const HELLO_REQUEST: u8 = 0;
/// What an encrypted record may carry before TLS 1.3 (RFC 5246 §6.2.3), the most of all.
const MAX_ENCRYPTED: u16 = (1 << 14) + 2048;
/// A hello with one cipher suite, one compression method and nothing else (RFC 8446 §4.1.2).
const LEAST_HELLO: u32 = 2 + 32 + 1 + 2 + 2 + 1 + 1;
/// The longest hello its fields have room for; OpenSSL takes no longer one.
const LONGEST_HELLO: u32 = 131_396;
/// The first bytes of a hello up to the length of its session id: type, length, version, random, that length.
const OPENING: usize = 4 + 2 + 32 + 1;
/// The longest session id (RFC 8446 §4.1.2).
const MAX_SESSION_ID: u8 = 32;

/// What is to be done with the client's next bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Send this many bytes from the front on, at least one; then ask about those behind them.
    Forward(usize),
    /// None may be sent on yet.
    Incomplete {
        /// How many bytes there must be before another call can say more: always more than the input has.
        needed: usize,
    },
    /// All may be sent on, and whatever comes later: no second hello can come any more.
    Settled,
}

/// Reads on behind the first hello, and demands that a second one asks for the same name.
///
/// A server may answer a hello with a HelloRetryRequest, and a client can make it do so. OpenSSL then serves the name of the
/// *second* hello, so a filter that has decided on the first one must see the second before the server does. It looks at what the client
/// sends, a record at a time, until something comes that a second hello cannot follow; that is the client's next record in nearly
/// every connection (RFC 8446 §4.1.2, §4.1.4).
///
/// A client that offers early data is followed as long as the connection lasts, since nothing tells data that the server has
/// accepted from data before a second hello; only record headers are read then. A call never looks at a byte twice that it
/// has told to send on.
///
/// While bytes are held, a deadline must run, one for all of them; when it passes, refuse and end both directions. A client may begin
/// what looks like a second hello and never end it, and an honest one seems to: where TLS 1.2 is resumed with ChaCha20-Poly1305, one
/// encrypted `finished` in about 33,000 begins like a longer hello, and if the server is to speak next, nothing follows. The
/// held bytes cannot be sent on, since they may be a hello for another name. While nothing is held, a client may be silent for ever.
///
/// ```
/// # let first = b"\x16\x03\x01\0\x43\x01\0\0\x3f\x03\x03................................\
/// #     \0\0\x02\x13\x01\x01\0\0\x14\0\0\0\x10\0\x0e\0\0\x0bapi.example";
/// # let same = first;
/// # let other = b"\x16\x03\x01\0\x43\x01\0\0\x3f\x03\x03................................\
/// #     \0\0\x02\x13\x01\x01\0\0\x14\0\0\0\x10\0\x0e\0\0\x0babc.example";
/// use tls_sni::{ClientHello, ErrorKind, Follower, Next, Status};
///
/// let Ok(Status::Complete(first)) = ClientHello::parse(first) else { panic!() };
/// let mut follower = Follower::new(first);
/// assert_eq!(follower.advance(&[20, 3, 3, 0, 1, 1]), Ok(Next::Forward(6)));
/// assert_eq!(follower.advance(&same[..60]), Ok(Next::Incomplete { needed: 72 }));
/// assert_eq!(follower.advance(same), Ok(Next::Settled));
/// assert_eq!(Follower::new(first).advance(other).unwrap_err().kind(), ErrorKind::NameChanged);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Follower<'a> {
    first: ClientHello<'a>,
    early_data: bool,
    /// The records of a second hello at the front of the input.
    scanner: Scanner,
    max: u32,
    /// How many bytes of the current record are still to be sent on.
    payload: usize,
    changed_cipher: bool,
    settled: bool,
}

impl<'a> Follower<'a> {
    /// Follows the client whose first hello this is; gives up on a second one over 65,535 bytes.
    #[must_use]
    pub fn new(first: ClientHello<'a>) -> Self {
        Self {
            first,
            early_data: first.offers_early_data(),
            scanner: SECOND,
            max: DEFAULT_MAX_HELLO,
            payload: 0,
            changed_cipher: false,
            settled: false,
        }
    }

    /// Gives up on a second hello that announces more than `bytes`; see [`Scanner::with_max_hello`].
    #[must_use]
    pub const fn with_max_hello(mut self, bytes: u32) -> Self {
        self.max = bytes;
        self
    }

    /// Reads `input`: *all* bytes received so far after the first hello that have not been forwarded yet.
    ///
    /// Do not pass in again what [`Next::Forward`] released. While the answer is [`Next::Incomplete`], pass the same
    /// bytes again with more after them: a second hello is held back until it is whole.
    ///
    /// # Errors
    ///
    /// When the second hello asks for another name, or the bytes are not what a client sends here; see [`ErrorKind`]. Then
    /// nothing of the input may be forwarded.
    pub fn advance(&mut self, input: &[u8]) -> Result<Next, Error> {
        if self.settled {
            return Ok(Next::Settled);
        }
        if self.payload > 0 {
            return Ok(self.forward(0, input));
        }
        let Some((&[ty, major, _minor, high, low], _)) = input.split_first_chunk() else {
            return Ok(Next::Incomplete {
                needed: RECORD_HEADER,
            });
        };
        let len = u16::from_be_bytes([high, low]);
        if ty == APPLICATION_DATA && !self.early_data {
            return Ok(self.settle());
        }
        let wrong = match ty {
            CHANGE_CIPHER_SPEC | ALERT | HANDSHAKE | APPLICATION_DATA if major != MAJOR => {
                ErrorKind::RecordVersion(major)
            }
            CHANGE_CIPHER_SPEC | ALERT | HANDSHAKE | APPLICATION_DATA if len == 0 => {
                ErrorKind::EmptyRecord
            }
            CHANGE_CIPHER_SPEC | ALERT | HANDSHAKE | APPLICATION_DATA if len > MAX_ENCRYPTED => {
                ErrorKind::RecordTooLong(len)
            }
            HANDSHAKE => return self.handshake(input),
            // One, of one byte, before whatever the client sends next (RFC 8446 §5).
            CHANGE_CIPHER_SPEC if !self.changed_cipher && len == 1 => {
                self.changed_cipher = true;
                self.payload = 1;
                return Ok(self.forward(RECORD_HEADER, input));
            }
            // Servers read on after a warning.
            ALERT | APPLICATION_DATA => {
                self.payload = usize::from(len);
                return Ok(self.forward(RECORD_HEADER, input));
            }
            _ => ErrorKind::UnexpectedRecord(ty),
        };
        Err(Error::new(wrong, 0))
    }

    /// As much of the current record as is here, `header` bytes and what is left of its payload.
    fn forward(&mut self, header: usize, input: &[u8]) -> Next {
        let here = input.len().saturating_sub(header).min(self.payload);
        self.payload = self.payload.wrapping_sub(here);
        match here.wrapping_add(header) {
            0 => Next::Incomplete { needed: 1 },
            bytes => Next::Forward(bytes),
        }
    }

    const fn settle(&mut self) -> Next {
        self.settled = true;
        Next::Settled
    }

    /// A handshake record: a second hello, or what settles that none comes.
    fn handshake(&mut self, input: &[u8]) -> Result<Next, Error> {
        let opening = Opening::read(input);
        match opening.handshake_type() {
            None | Some(CLIENT_HELLO) => {}
            Some(HELLO_REQUEST) if !self.changed_cipher => {
                return Err(Error::new(ErrorKind::NotClientHello(HELLO_REQUEST), 0));
            }
            Some(_) => return Ok(self.settle()),
        }
        // After a change_cipher_spec this may be an encrypted `finished`, which can look like a hello by chance.
        if self.changed_cipher && !opening.may_be_a_hello() {
            return Ok(self.settle());
        }
        let max = self.max;
        let is_certain = !self.changed_cipher || opening.is_whole();
        if let Some(len) = opening
            .message_length()
            .filter(|len| is_certain && *len > max)
        {
            return Err(Error::new(ErrorKind::HelloTooLong { len, max }, 0));
        }
        match self.scanner.parse(input) {
            Ok(Status::Complete(second)) => {
                self.first.check_second(&second)?;
                Ok(self.settle())
            }
            // Any of the first bytes may still show that it is not a hello.
            Ok(Status::Incomplete { .. }) if !opening.tells(self.changed_cipher) => {
                Ok(Next::Incomplete {
                    needed: input.len().wrapping_add(1),
                })
            }
            Ok(Status::Incomplete { needed }) => Ok(Next::Incomplete { needed }),
            // Cannot be, with a handshake record of this major version at the front.
            Ok(Status::NotTls) => Err(Error::new(ErrorKind::UnexpectedRecord(HANDSHAKE), 0)),
            // It was encrypted: no server accepts application data inside a hello unless the client offered early data.
            Err(error)
                if self.changed_cipher
                    && !self.early_data
                    && error.kind() == ErrorKind::UnexpectedRecord(APPLICATION_DATA) =>
            {
                Ok(self.settle())
            }
            Err(error) => Err(error),
        }
    }
}

/// Bounded by [`Follower::max`] instead, which waits for more of a hello before it trusts its length.
const SECOND: Scanner = Scanner::new().with_max_hello(u32::MAX);

/// The first bytes of a handshake message, from as many handshake records as it takes.
struct Opening {
    bytes: [u8; OPENING],
    len: usize,
}

impl Opening {
    fn read(input: &[u8]) -> Self {
        let mut opening = Self {
            bytes: [0; OPENING],
            len: 0,
        };
        let mut places = opening.bytes.iter_mut();
        let mut rest = input;
        while let Some((&[HANDSHAKE, MAJOR, _, high, low], behind)) = rest.split_first_chunk() {
            let record = u16::from_be_bytes([high, low]);
            // The record is refused by its header, so its payload must not decide what this is.
            if record.wrapping_sub(1) >= MAX_RECORD {
                break;
            }
            let record = usize::from(record);
            let (payload, next) = behind.split_at_checked(record).unwrap_or((behind, &[]));
            // `zip` asks its first iterator first: if the payload ends, no place is used up.
            for (byte, place) in payload.iter().zip(places.by_ref()) {
                *place = *byte;
                opening.len = opening.len.wrapping_add(1);
            }
            if opening.len == OPENING {
                break;
            }
            rest = next;
        }
        opening
    }

    const fn is_whole(&self) -> bool {
        self.len == OPENING
    }

    /// Whether no later byte can show that this is not a hello.
    const fn tells(&self, changed_cipher: bool) -> bool {
        self.is_whole() || (self.len > 0 && !changed_cipher)
    }

    fn handshake_type(&self) -> Option<u8> {
        self.bytes.first().copied().filter(|_| self.len > 0)
    }

    /// The length that the message announces, once it has.
    fn message_length(&self) -> Option<u32> {
        let [_ty, high, middle, low, ..] = self.bytes;
        (self.len >= 4).then_some(u32::from_be_bytes([0, high, middle, low]))
    }

    /// Whether some server may read on as a hello's what is here of it.
    ///
    /// The version says nothing: OpenSSL takes 0x0403 and 0xffff for a second hello.
    fn may_be_a_hello(&self) -> bool {
        let [.., session_id] = self.bytes;
        let length = self
            .message_length()
            .is_none_or(|len| (LEAST_HELLO..=LONGEST_HELLO).contains(&len));
        length && !(self.is_whole() && session_id > MAX_SESSION_ID)
    }
}

//! The ClientHello (RFC 8446 §4.1.2): checked whole when it is read, decoded field by field when asked.

use core::fmt;

use crate::cursor::{Bytes, Cursor};
use crate::error::{Error, ErrorKind, Field};
use crate::name::ServerName;
use crate::record::{Scanner, Status, wide};

/// `server_name` (RFC 6066 §3).
const SERVER_NAME: u16 = 0;
/// `application_layer_protocol_negotiation` (RFC 7301 §3.1).
const ALPN: u16 = 16;
/// `pre_shared_key` (RFC 8446 §4.2.11).
const PRE_SHARED_KEY: u16 = 41;
/// `early_data` (RFC 8446 §4.2.10).
const EARLY_DATA: u16 = 42;
/// `supported_versions` (RFC 8446 §4.2.1).
const SUPPORTED_VERSIONS: u16 = 43;
/// `ech_outer_extensions` (RFC 9849 §5.1), which has no place outside an encrypted hello.
const ECH_OUTER_EXTENSIONS: u16 = 0xfd00;
/// The code points of `encrypted_client_hello` in drafts 8 to 12 of what became RFC 9849.
const ECH_DRAFTS: [u16; 5] = [0xfe08, 0xfe09, 0xfe0a, 0xfe0b, 0xfe0c];
/// `encrypted_client_hello` (RFC 9849 §5).
const ENCRYPTED_CLIENT_HELLO: u16 = 0xfe0d;
/// `encrypted_server_name` (draft-ietf-tls-esni-02 §5).
const ENCRYPTED_SERVER_NAME: u16 = 0xffce;

/// `host_name`, the one server name type there is (RFC 6066 §3).
const HOST_NAME: u8 = 0;
/// More than five times what any client was seen to send.
const MAX_EXTENSIONS: usize = 128;

/// A complete, well-formed ClientHello, borrowed from the bytes it came in.
///
/// Reading it has checked every length, every extension's place in the block, that no extension comes twice, and the
/// form of `server_name`, ALPN and `supported_versions`. Each field is then decoded when it is asked for.
#[derive(Clone, Copy)]
pub struct ClientHello<'a> {
    /// The message behind its four-byte header.
    body: Bytes<'a>,
    /// Empty when there is none: the form of the extension excludes an empty name.
    name: Bytes<'a>,
    end: usize,
    records: u32,
}

/// Whether the server name is all there is, or a cover for an encrypted one (RFC 9849).
///
/// Every current Chromium and Firefox sends [`Ech::Outer`] to every server, mostly with nothing behind it (§6.2, GREASE),
/// and the two cannot be distinguished. Refusing it refuses browsers; allowing it trusts whoever runs the named server, who may
/// serve hidden names as well. The choice is the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ech {
    /// No such extension.
    None,
    /// An outer hello, real or GREASE: the server name may be a cover (§5).
    Outer {
        /// Which of the server's keys the client used (§5), random in GREASE.
        config_id: u8,
    },
    /// The mark of an inner hello, which must never travel in the clear (§5).
    Inner,
    /// A draft's extension of this type; the server name may be a cover.
    Draft(u16),
    /// `encrypted_server_name`, the abandoned first design; the server name is absent or a cover.
    Esni,
    /// The extension has no form the RFC knows, or it is one that only an inner hello may carry.
    Malformed,
}

/// In a few words, for a log.
///
/// ```
/// use tls_sni::Ech;
///
/// assert_eq!(Ech::Outer { config_id: 42 }.to_string(), "outer, key 42");
/// assert_eq!(Ech::Draft(0xfe08).to_string(), "draft 0xfe08");
/// ```
impl fmt::Display for Ech {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Outer { config_id } => write!(f, "outer, key {config_id}"),
            Self::Inner => f.write_str("inner"),
            Self::Draft(ty) => write!(f, "draft {ty:#06x}"),
            Self::Esni => f.write_str("esni"),
            Self::Malformed => f.write_str("malformed"),
        }
    }
}

impl<'a> ClientHello<'a> {
    /// Reads the hello at the front of `input`, all bytes of the stream received so far.
    ///
    /// This is [`Scanner::parse`] on a new scanner. Keep a [`Scanner`] where the bytes arrive in pieces, or to
    /// set the longest hello to accept.
    ///
    /// # Errors
    ///
    /// When no continuation can make a hello that an enforcement point may act on; see [`ErrorKind`].
    pub fn parse(input: &'a [u8]) -> Result<Status<Self>, Error> {
        Scanner::new().parse(input)
    }

    /// The host the client asks for (RFC 6066 §3).
    #[must_use]
    pub fn server_name(&self) -> ServerName<'a> {
        if self.name.is_empty() {
            ServerName::Absent
        } else {
            ServerName::classify(self.name)
        }
    }

    /// Whether the server name may be a cover (RFC 9849).
    #[must_use]
    pub fn ech(&self) -> Ech {
        if self.body_of(ECH_OUTER_EXTENSIONS).is_some() {
            return Ech::Malformed;
        }
        if let Some(body) = self.body_of(ENCRYPTED_CLIENT_HELLO) {
            return ech(body);
        }
        if let Some(draft) = ECH_DRAFTS
            .into_iter()
            .find(|draft| self.body_of(*draft).is_some())
        {
            return Ech::Draft(draft);
        }
        self.body_of(ENCRYPTED_SERVER_NAME)
            .map_or(Ech::None, |_| Ech::Esni)
    }

    /// The application protocols offered, most wanted first (RFC 7301 §3.1); none when the extension is absent.
    pub fn alpn(&self) -> impl Iterator<Item = Bytes<'a>> + Clone {
        let mut list = self.list_in(ALPN, 2);
        core::iter::from_fn(move || {
            let [len] = list.array()?;
            list.split(usize::from(len))
        })
    }

    /// The protocol versions offered, most wanted first, without GREASE values (RFC 8446 §4.2.1, RFC 8701); none when the
    /// extension is absent, and then [`legacy_version`](Self::legacy_version) is the highest offered.
    pub fn supported_versions(&self) -> impl Iterator<Item = u16> + Clone {
        numbers(self.list_in(SUPPORTED_VERSIONS, 1)).filter(|version| !is_grease(*version))
    }

    /// The cipher suites offered, most wanted first, with GREASE values (RFC 8446 §4.1.2).
    pub fn cipher_suites(&self) -> impl Iterator<Item = u16> + Clone {
        numbers(
            self.opening()
                .map_or(Bytes::EMPTY, |opening| opening.cipher_suites),
        )
    }

    /// Every extension's type and body in the order sent, with GREASE values (RFC 8446 §4.2).
    pub fn extensions(&self) -> impl Iterator<Item = (u16, Bytes<'a>)> + Clone {
        let mut rest = self.body;
        let opening = Opening::read(&mut rest);
        let mut block = opening
            .and_then(|_| extensions(&mut rest))
            .ok()
            .flatten()
            .unwrap_or(Bytes::EMPTY);
        core::iter::from_fn(move || {
            if block.is_empty() {
                None
            } else {
                extension(&mut block).ok()
            }
        })
    }

    /// `legacy_version`: 0x0303 from every client since TLS 1.2 (RFC 8446 §4.1.2).
    #[must_use]
    pub fn legacy_version(&self) -> u16 {
        self.opening().map_or(0, |opening| opening.legacy_version)
    }

    /// `random`, 32 bytes (RFC 8446 §4.1.2).
    #[must_use]
    pub fn random(&self) -> Bytes<'a> {
        self.opening()
            .map_or(Bytes::EMPTY, |opening| opening.random)
    }

    /// `legacy_session_id`, 0 to 32 bytes (RFC 8446 §4.1.2).
    #[must_use]
    pub fn session_id(&self) -> Bytes<'a> {
        self.opening()
            .map_or(Bytes::EMPTY, |opening| opening.session_id)
    }

    /// How many bytes of the stream are the hello's records; what follows is not the hello's (RFC 8446 §5.1).
    #[must_use]
    pub const fn consumed(&self) -> usize {
        self.end
    }

    /// How many records the hello came in (RFC 8446 §5.1).
    #[must_use]
    pub const fn records(&self) -> u32 {
        self.records
    }

    /// Checks the whole hello, which is complete at the front of `message`, in one pass.
    pub(crate) fn read<C: Cursor<'a>>(
        mut message: C,
        end: usize,
        records: u32,
    ) -> Result<Self, Error> {
        let [_client_hello, high, middle, low] = message.fixed(Field::Hello)?;
        let len = wide(u32::from_be_bytes([0, high, middle, low]));
        let body = message.first(len, Field::Hello)?;
        let mut rest = body;
        Opening::read(&mut rest)?;
        let extensions = extensions(&mut rest)?;
        let name = match extensions {
            Some(block) => check_extensions(block)?,
            None => None,
        };
        let name = name.map_or(Bytes::EMPTY, C::bytes);
        Ok(Self {
            body: body.bytes(),
            name,
            end,
            records,
        })
    }

    /// Whether records of early data may follow (RFC 8446 §4.2.10).
    pub(crate) fn offers_early_data(&self) -> bool {
        self.body_of(EARLY_DATA).is_some()
    }

    /// Refuses a second hello that asks for another name than this, or says otherwise whether it may be a cover.
    pub(crate) fn check_second(&self, second: &ClientHello<'_>) -> Result<(), Error> {
        // Byte for byte, as RFC 8446 §4.1.2 has it: nothing is normalised here that a server may not normalise.
        let kind = if self.name != second.name {
            ErrorKind::NameChanged
        } else if self.ech() != second.ech() {
            ErrorKind::EchChanged
        } else {
            return Ok(());
        };
        Err(Error::new(kind, 0))
    }

    fn opening(&self) -> Option<Opening<Bytes<'a>>> {
        Opening::read(&mut self.body.clone()).ok()
    }

    fn body_of(&self, wanted: u16) -> Option<Bytes<'a>> {
        self.extensions()
            .find_map(|(ty, body)| (ty == wanted).then_some(body))
    }

    /// What an extension that is one list holds behind the list's own length of `prefix` bytes.
    fn list_in(&self, wanted: u16, prefix: usize) -> Bytes<'a> {
        let mut list = self.body_of(wanted).unwrap_or(Bytes::EMPTY);
        list.split(prefix).map_or(Bytes::EMPTY, |_| list)
    }
}

/// The public fields in the order sent, `random` and key shares left out.
impl fmt::Debug for ClientHello<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientHello")
            .field("server_name", &self.server_name())
            .field("ech", &self.ech())
            .field("legacy_version", &self.legacy_version())
            .field("consumed", &self.end)
            .field("records", &self.records)
            .finish_non_exhaustive()
    }
}

/// Equal when the messages are, byte for byte, however they were split into records.
impl PartialEq for ClientHello<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.body == other.body
    }
}

impl Eq for ClientHello<'_> {}

/// Whether `value` is one of the sixteen reserved for GREASE, 0x0a0a to 0xfafa (RFC 8701 §2).
///
/// Clients put them among cipher suites, extension types and versions so that servers keep ignoring what they do not know.
#[must_use]
pub const fn is_grease(value: u16) -> bool {
    let [high, low] = value.to_be_bytes();
    high == low && low & 0x0f == 0x0a
}

/// The fields before the extensions (RFC 8446 §4.1.2), the compression methods checked and forgotten.
struct Opening<C> {
    legacy_version: u16,
    random: C,
    session_id: C,
    cipher_suites: C,
}

impl<'a, C: Cursor<'a>> Opening<C> {
    #[inline]
    fn read(hello: &mut C) -> Result<Self, Error> {
        let legacy_version = u16::from_be_bytes(hello.fixed(Field::LegacyVersion)?);
        let random = hello.take(32, Field::Random)?;
        let session_id = hello
            .vector8(Field::SessionId)?
            .check(Field::SessionId, |len| len <= 32)?;
        let cipher_suites = hello
            .vector16(Field::CipherSuites)?
            .check(Field::CipherSuites, pairs)?;
        hello
            .vector8(Field::CompressionMethods)?
            .check(Field::CompressionMethods, |len| len > 0)?;
        Ok(Self {
            legacy_version,
            random,
            session_id,
            cipher_suites,
        })
    }
}

/// The block of all extensions, to the hello's end. Before TLS 1.3 there may be none (RFC 5246 §7.4.1.2).
fn extensions<'a, C: Cursor<'a>>(rest: &mut C) -> Result<Option<C>, Error> {
    if rest.len() == 0 {
        return Ok(None);
    }
    let len = usize::from(u16::from_be_bytes(rest.fixed(Field::Extensions)?));
    rest.last(len, Field::Extensions, Field::Hello).map(Some)
}

/// Walks the block to its end, whatever comes first in it, and returns the server name.
fn check_extensions<'a, C: Cursor<'a>>(all: C) -> Result<Option<C>, Error> {
    let mut name = None;
    // A bit each for the types below 64, where nearly all real ones lie, and a sieve for the rest, folded to six bits: while
    // no two share a bit, no type comes twice, and there are no more than 128.
    let (mut low, mut high, mut shared) = (0_u64, 0_u64, 0_u64);
    let mut block = all;
    while block.len() > 0 {
        let (ty, body) = extension(&mut block)?;
        if ty >= 64 {
            let bit = 1_u64.wrapping_shl(u32::from(ty ^ ty >> 6));
            shared |= high & bit;
            high |= bit;
            continue;
        }
        let bit = 1_u64.wrapping_shl(u32::from(ty));
        if low & bit != 0 {
            return Err(twice(all, ty));
        }
        low |= bit;
        match ty {
            SERVER_NAME => name = Some(server_name(body)?),
            ALPN => check_alpn(body)?,
            SUPPORTED_VERSIONS => check_supported_versions(body)?,
            PRE_SHARED_KEY if block.len() > 0 => return Err(block.error(ErrorKind::PskNotLast)),
            _ => {}
        }
    }
    if shared != 0 {
        check_types(all)?;
    }
    Ok(name)
}

#[inline(always)]
fn extension<'a, C: Cursor<'a>>(block: &mut C) -> Result<(u16, C), Error> {
    // As one number, which the compiler takes apart in fewer steps than four bytes.
    let header = u32::from_be_bytes(block.fixed(Field::Extension)?);
    let body = block.take(wide(header & 0xffff), Field::Extension)?;
    // Sixteen bits always fit.
    let ty = u16::try_from(header >> 16).unwrap_or(u16::MAX);
    Ok((ty, body))
}

/// What the sieve leaves open: that no type comes twice, and that there are not too many.
#[cold]
fn check_types<'a, C: Cursor<'a>>(mut block: C) -> Result<(), Error> {
    let mut seen = [0; MAX_EXTENSIONS];
    let mut count: usize = 0;
    while block.len() > 0 {
        let start = block;
        let (ty, _) = extension(&mut block)?;
        if seen.iter().take(count).any(|seen| *seen == ty) {
            return Err(start.error(ErrorKind::DuplicateExtension(ty)));
        }
        let place = seen
            .get_mut(count)
            .ok_or_else(|| start.error(ErrorKind::TooManyExtensions))?;
        *place = ty;
        count = count.wrapping_add(1);
    }
    Ok(())
}

/// The error for a type that is known to come twice, at its second place.
#[cold]
fn twice<'a, C: Cursor<'a>>(all: C, ty: u16) -> Error {
    match check_types(all) {
        Err(error) => error,
        Ok(()) => all.error(ErrorKind::DuplicateExtension(ty)),
    }
}

/// Exactly one name of type `host_name`, exactly filling list and extension.
///
/// RFC 6066 §3 leaves room for other types, and servers disagree on what to do with them: OpenSSL and BoringSSL refuse,
/// Go skips. Refusing is the one answer that cannot differ from the server's name.
fn server_name<'a, C: Cursor<'a>>(mut body: C) -> Result<C, Error> {
    let mut list = body
        .vector16(Field::ServerName)?
        .check(Field::ServerName, |len| len > 0)?;
    body.finish(Field::ServerName)?;
    let name = host_name(&mut list)?;
    if list.len() > 0 {
        return Err(second_name(list));
    }
    name.check(Field::ServerName, |len| len > 0)
}

#[inline(always)]
fn host_name<'a, C: Cursor<'a>>(list: &mut C) -> Result<C, Error> {
    let start = *list;
    match list.fixed(Field::ServerName)? {
        [HOST_NAME] => list.vector16(Field::ServerName),
        [other] => Err(start.error(ErrorKind::UnknownNameType(other))),
    }
}

#[cold]
fn second_name<'a, C: Cursor<'a>>(list: C) -> Error {
    let mut rest = list;
    host_name(&mut rest).map_or_else(|error| error, |_| list.error(ErrorKind::SecondServerName))
}

fn check_alpn<'a, C: Cursor<'a>>(mut body: C) -> Result<(), Error> {
    let mut list = body
        .vector16(Field::Alpn)?
        .check(Field::Alpn, |len| len > 0)?;
    body.finish(Field::Alpn)?;
    while list.len() > 0 {
        list.vector8(Field::Alpn)?
            .check(Field::Alpn, |len| len > 0)?;
    }
    Ok(())
}

fn check_supported_versions<'a, C: Cursor<'a>>(mut body: C) -> Result<(), Error> {
    body.vector8(Field::SupportedVersions)?
        .check(Field::SupportedVersions, pairs)?;
    body.finish(Field::SupportedVersions)
}

fn pairs(len: usize) -> bool {
    len >= 2 && len % 2 == 0
}

fn numbers(mut list: Bytes<'_>) -> impl Iterator<Item = u16> + Clone {
    core::iter::from_fn(move || list.array().map(u16::from_be_bytes))
}

/// The form of `encrypted_client_hello` (RFC 9849 §5).
fn ech(body: Bytes<'_>) -> Ech {
    const OUTER: u8 = 0;
    const INNER: u8 = 1;
    fn outer(mut body: Bytes<'_>) -> Result<Ech, Error> {
        let _suite: [u8; 4] = body.fixed(Field::Extension)?;
        let [config_id] = body.fixed(Field::Extension)?;
        // Empty in a second hello, after HelloRetryRequest.
        let _encapsulated_key = body.vector16(Field::Extension)?;
        body.vector16(Field::Extension)?
            .check(Field::Extension, |len| len > 0)?;
        body.finish(Field::Extension)?;
        Ok(Ech::Outer { config_id })
    }
    let mut body = body;
    match body.array() {
        Some([OUTER]) => outer(body).unwrap_or(Ech::Malformed),
        Some([INNER]) if body.is_empty() => Ech::Inner,
        _ => Ech::Malformed,
    }
}

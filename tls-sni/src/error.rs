//! What is wrong with bytes that claim to be a ClientHello, and where.

use core::fmt;

/// Why the bytes are not a ClientHello that an enforcement point may act on.
///
/// An error is never "no name": a peer that sends such bytes may still reach a lenient server, so the only safe answer to
/// an error is to refuse the connection. [`Error::alert_record`] is what to send back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    kind: ErrorKind,
    offset: usize,
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An SSL 2.0 format hello, which must not be sent (RFC 8446 appendix D.5) and carries no server name.
    Sslv2,
    /// A record of this content type before the hello or inside it (RFC 8446 §5.1: not interleaved), or where none may
    /// be behind it. Several servers read the hello that follows an alert or a `change_cipher_spec`.
    UnexpectedRecord(u8),
    /// A record with this major version instead of 3, which some servers do not look at.
    RecordVersion(u8),
    /// A handshake record without a byte in it (RFC 8446 §5.1: must not be sent).
    EmptyRecord,
    /// A record of this many bytes, more than 2^14 (RFC 8446 §5.1).
    RecordTooLong(u16),
    /// A handshake message of this type, which is not `client_hello` (RFC 8446 §4).
    NotClientHello(u8),
    /// A hello that announces more bytes than the caller allows; known before they arrive.
    HelloTooLong {
        /// The announced length of the hello, without its four-byte header.
        len: u32,
        /// The most that was allowed.
        max: u32,
    },
    /// Bytes after the hello inside its last record, where a change of keys forbids them (RFC 8446 §5.1).
    TrailingData,
    /// A field that needs more bytes than what encloses it has left.
    Truncated {
        /// The field.
        field: Field,
        /// How many bytes it needs.
        needed: usize,
        /// How many are left.
        available: usize,
    },
    /// A field with a length its definition does not allow.
    Length {
        /// The field.
        field: Field,
        /// Its length in bytes.
        len: usize,
    },
    /// Bytes left over behind the last part of a field.
    Leftover {
        /// The field.
        field: Field,
        /// How many bytes are left over.
        len: usize,
    },
    /// A second extension of this type, known, unknown or reserved (RFC 8446 §4.2: must not).
    DuplicateExtension(u16),
    /// More than 128 extensions; real clients send about twenty.
    TooManyExtensions,
    /// `pre_shared_key` is not the last extension (RFC 8446 §4.2.11: must be); the offset is that of what follows it.
    PskNotLast,
    /// A second host name in the list (RFC 6066 §3: not more than one of a type).
    SecondServerName,
    /// A server name of this type; only `host_name`, zero, is defined, and servers disagree on what follows (RFC 6066 §3).
    UnknownNameType(u8),
    /// The hello that answers a HelloRetryRequest asks for another name than the first one, or one of the two for none
    /// (RFC 8446 §4.1.2: must not). OpenSSL serves the second name.
    NameChanged,
    /// The hello that answers a HelloRetryRequest says otherwise than the first one whether its name may be a cover
    /// (RFC 8446 §4.1.2, RFC 9849 §6.1.5 and §6.2.1: must not).
    EchChanged,
}

impl ErrorKind {
    /// One word for the kind, for the label of a metric or the field of a log: lower case, digits and underscores.
    ///
    /// It never changes, and holds nothing that the client sent.
    ///
    /// ```
    /// let alert_first = tls_sni::ClientHello::parse(&[21, 3, 1, 0, 2, 1, 90]).unwrap_err();
    /// assert_eq!(alert_first.kind().code(), "unexpected_record");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Sslv2 => "sslv2",
            Self::UnexpectedRecord(_) => "unexpected_record",
            Self::RecordVersion(_) => "record_version",
            Self::EmptyRecord => "empty_record",
            Self::RecordTooLong(_) => "record_too_long",
            Self::NotClientHello(_) => "not_client_hello",
            Self::HelloTooLong { .. } => "hello_too_long",
            Self::TrailingData => "trailing_data",
            Self::Truncated { .. } => "truncated",
            Self::Length { .. } => "length",
            Self::Leftover { .. } => "leftover",
            Self::DuplicateExtension(_) => "duplicate_extension",
            Self::TooManyExtensions => "too_many_extensions",
            Self::PskNotLast => "psk_not_last",
            Self::SecondServerName => "second_server_name",
            Self::UnknownNameType(_) => "unknown_name_type",
            Self::NameChanged => "name_changed",
            Self::EchChanged => "ech_changed",
        }
    }
}

/// The alert for a name that a policy denies, and for a hello without one: `unrecognized_name` (RFC 6066 §3), which
/// clients report as what it is.
///
/// ```
/// use tls_sni::{UNRECOGNIZED_NAME, alert_record};
///
/// assert_eq!(alert_record(UNRECOGNIZED_NAME), [21, 3, 3, 0, 2, 2, 112]);
/// ```
pub const UNRECOGNIZED_NAME: u8 = 112;

/// The whole record of a fatal alert with this description (RFC 8446 §6), to be sent before closing.
///
/// Every version of TLS reads it before the ServerHello, so behind a HelloRetryRequest too: there only between two records of the
/// server's. Later it would have to be encrypted, and all that is left is to close.
#[must_use]
pub const fn alert_record(description: u8) -> [u8; 7] {
    const ALERT: u8 = 21;
    const FATAL: u8 = 2;
    [ALERT, 3, 3, 0, 2, FATAL, description]
}

/// The part of a ClientHello an [`Error`] speaks of (RFC 8446 §4.1.2 and the extension's own definition).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The hello as a whole.
    Hello,
    /// `legacy_version`, two bytes.
    LegacyVersion,
    /// `random`, 32 bytes.
    Random,
    /// `legacy_session_id`, 0 to 32 bytes.
    SessionId,
    /// `cipher_suites`, an even number of bytes, at least two.
    CipherSuites,
    /// `legacy_compression_methods`, 1 to 255 bytes.
    CompressionMethods,
    /// The block of all extensions.
    Extensions,
    /// One extension: four bytes of type and length, then its body.
    Extension,
    /// The `server_name` extension (RFC 6066 §3).
    ServerName,
    /// The `application_layer_protocol_negotiation` extension (RFC 7301 §3.1).
    Alpn,
    /// The `supported_versions` extension, an even number of bytes, at least two (RFC 8446 §4.2.1).
    SupportedVersions,
}

impl Error {
    /// The kind of error, to match on.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where in the input of the call the offending field begins, in bytes from its first one.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The alert description a server would send (RFC 8446 §6.2); [`alert_record`](Self::alert_record) is the record.
    ///
    /// ```
    /// let empty_record = tls_sni::ClientHello::parse(&[22, 3, 1, 0, 0]).unwrap_err();
    /// assert_eq!(empty_record.alert(), 10); // unexpected_message
    /// ```
    pub const fn alert(&self) -> u8 {
        const UNEXPECTED_MESSAGE: u8 = 10;
        const RECORD_OVERFLOW: u8 = 22;
        const ILLEGAL_PARAMETER: u8 = 47;
        const DECODE_ERROR: u8 = 50;
        const PROTOCOL_VERSION: u8 = 70;
        match self.kind {
            ErrorKind::Sslv2 | ErrorKind::RecordVersion(_) => PROTOCOL_VERSION,
            ErrorKind::UnexpectedRecord(_)
            | ErrorKind::EmptyRecord
            | ErrorKind::NotClientHello(_)
            | ErrorKind::TrailingData => UNEXPECTED_MESSAGE,
            ErrorKind::RecordTooLong(_) => RECORD_OVERFLOW,
            ErrorKind::HelloTooLong { .. }
            | ErrorKind::DuplicateExtension(_)
            | ErrorKind::TooManyExtensions
            | ErrorKind::PskNotLast
            | ErrorKind::NameChanged
            | ErrorKind::EchChanged => ILLEGAL_PARAMETER,
            ErrorKind::Truncated { .. }
            | ErrorKind::Length { .. }
            | ErrorKind::Leftover { .. }
            | ErrorKind::SecondServerName
            | ErrorKind::UnknownNameType(_) => DECODE_ERROR,
        }
    }

    /// The whole record that tells the client so, to be sent before closing (RFC 8446 §6).
    ///
    /// ```
    /// let empty_record = tls_sni::ClientHello::parse(&[22, 3, 1, 0, 0]).unwrap_err();
    /// assert_eq!(empty_record.alert_record(), [21, 3, 3, 0, 2, 2, 10]);
    /// ```
    #[must_use]
    pub const fn alert_record(&self) -> [u8; 7] {
        alert_record(self.alert())
    }

    #[cold]
    pub(crate) const fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// Turns an address inside the input, which is what a cursor knows, into an offset from the input's first byte.
    #[cold]
    pub(crate) fn counted_from(mut self, input: &[u8]) -> Self {
        self.offset = self.offset.saturating_sub(input.as_ptr().addr());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ErrorKind::Sslv2 => f.write_str("an SSL 2.0 hello, which carries no server name"),
            ErrorKind::UnexpectedRecord(ty) => {
                write!(f, "a record of type {ty} where a hello's was to be")
            }
            ErrorKind::RecordVersion(major) => {
                write!(f, "a record of major version {major} instead of 3")
            }
            ErrorKind::EmptyRecord => f.write_str("a handshake record of zero bytes"),
            ErrorKind::RecordTooLong(len) => {
                write!(f, "a record of {len} bytes, at most 16384 allowed")
            }
            ErrorKind::NotClientHello(ty) => {
                write!(
                    f,
                    "a handshake message of type {ty} instead of a client hello"
                )
            }
            ErrorKind::HelloTooLong { len, max } => {
                write!(f, "a hello of {len} bytes, at most {max} allowed")
            }
            ErrorKind::TrailingData => f.write_str("more bytes after the hello in the same record"),
            ErrorKind::Truncated {
                field,
                needed,
                available,
            } => {
                write!(f, "{field} needs {needed} bytes, {available} left")
            }
            ErrorKind::Length { field, len } => {
                write!(f, "{field} of {len} bytes, {} allowed", field.allowed())
            }
            ErrorKind::Leftover { field, len } => write!(f, "{len} bytes left over after {field}"),
            ErrorKind::DuplicateExtension(ty) => write!(f, "a second extension of type {ty:#06x}"),
            ErrorKind::TooManyExtensions => f.write_str("more than 128 extensions"),
            ErrorKind::PskNotLast => f.write_str("pre_shared_key is not the last extension"),
            ErrorKind::SecondServerName => f.write_str("a second host name"),
            ErrorKind::UnknownNameType(ty) => {
                write!(
                    f,
                    "a server name of type {ty}, only 0 (host_name) is defined"
                )
            }
            ErrorKind::NameChanged => {
                f.write_str("the second hello asks for another name than the first")
            }
            ErrorKind::EchChanged => f.write_str(
                "the second hello says otherwise than the first whether its name is a cover",
            ),
        }?;
        write!(f, " (at byte {})", self.offset)
    }
}

impl core::error::Error for Error {}

impl Field {
    /// The lengths its definition allows, for messages.
    const fn allowed(self) -> &'static str {
        match self {
            Self::SessionId => "0 to 32",
            Self::CipherSuites | Self::SupportedVersions => "an even number of at least 2",
            Self::Random => "32",
            Self::LegacyVersion => "2",
            _ => "at least 1",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hello => "the hello",
            Self::LegacyVersion => "legacy_version",
            Self::Random => "random",
            Self::SessionId => "legacy_session_id",
            Self::CipherSuites => "cipher_suites",
            Self::CompressionMethods => "legacy_compression_methods",
            Self::Extensions => "the extension block",
            Self::Extension => "an extension",
            Self::ServerName => "server_name",
            Self::Alpn => "application_layer_protocol_negotiation",
            Self::SupportedVersions => "supported_versions",
        })
    }
}

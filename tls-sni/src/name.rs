//! The server name: a host, something that is none, or nothing.

use core::fmt;

use crate::cursor::{Bytes, Cursor};

/// The most bytes a name may have, its trailing dot not counted (RFC 1035 §2.3.4 in presentation form).
const MAX_NAME: usize = 253;
/// The most bytes a label may have (RFC 1035 §2.3.4).
const MAX_LABEL: usize = 63;

/// What the hello says about the host the client wants (RFC 6066 §3).
///
/// Deliberately not an `Option`: a name that cannot be read is not the absence of a name, and a caller has to write down what
/// each means to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerName<'a> {
    /// No `server_name` extension; the usual hello to a server addressed by IP.
    Absent,
    /// One host name.
    Host(HostName<'a>),
    /// One name that is not a host name. Servers have been observed to act on such names; it must never be taken for
    /// [`Absent`](Self::Absent).
    Invalid(InvalidName<'a>),
}

/// The letters of a DNS host name, as sent: see [`canonical`](Self::canonical) for the form to match on.
///
/// One to 253 bytes after one trailing dot is dropped, labels of one to 63 letters, digits, hyphens and underscores (which
/// clients send), and a last label that is not a number. Whether an `xn--` label decodes is not checked.
///
/// Two are equal when their canonical forms are; one equals a string that is its canonical form.
#[derive(Clone, Copy)]
pub struct HostName<'a> {
    name: Bytes<'a>,
    trailing_dot: bool,
}

/// A server name that is not a host name, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidName<'a> {
    name: Bytes<'a>,
    reason: NameError,
}

/// Why a server name is not a host name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameError {
    /// A NUL byte, where some programs end the name and others do not.
    Nul,
    /// A byte above 127: names travel as A-labels (RFC 6066 §3).
    NonAscii(u8),
    /// An ASCII byte other than a letter, digit, hyphen, underscore or dot.
    BadByte(u8),
    /// A dot at the start, two dots in a row, or nothing but a dot.
    EmptyLabel,
    /// A label of more than 63 bytes (RFC 1035 §2.3.4).
    LongLabel,
    /// More than 253 bytes (RFC 1035 §2.3.4).
    TooLong,
    /// An address, which RFC 6066 §3 excludes, or a name some resolver takes for one: its last label is a number, decimal or
    /// with `0x` (URL Standard, "ends in a number").
    IpLiteral,
}

impl<'a> ServerName<'a> {
    /// Sorts a name that is not empty, which the form of the extension guarantees.
    pub(crate) fn classify(name: Bytes<'a>) -> Self {
        match trailing_dot(name) {
            Ok(trailing_dot) => Self::Host(HostName { name, trailing_dot }),
            Err(reason) => Self::Invalid(InvalidName { name, reason }),
        }
    }
}

impl<'a> HostName<'a> {
    /// The most bytes a canonical name has.
    pub const MAX_LEN: usize = MAX_NAME;

    /// The form to match on: lower case, no trailing dot. Written to `buffer`, as the name may be split over records.
    ///
    /// ```
    /// # fn allowed(name: &tls_sni::HostName<'_>) -> bool {
    /// let mut buffer = [0; tls_sni::HostName::MAX_LEN];
    /// name.canonical(&mut buffer) == "api.example"
    /// # }
    /// ```
    pub fn canonical<'b>(&self, buffer: &'b mut [u8; MAX_NAME]) -> &'b str {
        let letters = self.letters();
        let written = match letters.as_slice() {
            Some(letters) => copy_lower(letters, buffer),
            None => {
                let written = letters.copy_to(buffer);
                written.make_ascii_lowercase();
                written
            }
        };
        core::str::from_utf8(written).unwrap_or_default()
    }

    /// The name as the client sent it: its upper case, its trailing dot.
    #[must_use]
    pub const fn as_sent(&self) -> Bytes<'a> {
        self.name
    }

    /// Whether the name ended in a dot, which RFC 6066 §3 forbids and browsers send when their user typed one.
    #[must_use]
    pub const fn had_trailing_dot(&self) -> bool {
        self.trailing_dot
    }

    fn letters(&self) -> Bytes<'a> {
        let mut name = self.name;
        let letters = name.len().saturating_sub(usize::from(self.trailing_dot));
        name.split(letters).unwrap_or(Bytes::EMPTY)
    }
}

impl PartialEq for HostName<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.letters()
            .iter()
            .map(lower)
            .eq(other.letters().iter().map(lower))
    }
}

impl Eq for HostName<'_> {}

impl PartialEq<str> for HostName<'_> {
    fn eq(&self, canonical: &str) -> bool {
        self.letters().iter().map(lower).eq(canonical.bytes())
    }
}

impl PartialEq<&str> for HostName<'_> {
    fn eq(&self, canonical: &&str) -> bool {
        *self == **canonical
    }
}

fn copy_lower<'b>(letters: &[u8], buffer: &'b mut [u8]) -> &'b mut [u8] {
    for (place, letter) in buffer.iter_mut().zip(letters) {
        *place = letter.to_ascii_lowercase();
    }
    buffer.get_mut(..letters.len()).unwrap_or_default()
}

fn lower(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

/// The canonical form.
impl fmt::Display for HostName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.canonical(&mut [0; Self::MAX_LEN]))
    }
}

/// The name as sent.
impl fmt::Debug for HostName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HostName").field(&self.name).finish()
    }
}

impl<'a> InvalidName<'a> {
    /// The first reason found.
    #[must_use]
    pub const fn reason(&self) -> NameError {
        self.reason
    }

    /// The name as the client sent it: any bytes, up to 64 KiB of them.
    #[must_use]
    pub const fn as_sent(&self) -> Bytes<'a> {
        self.name
    }
}

impl fmt::Display for InvalidName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server name `")?;
        let mut name = self.name;
        let shown = name.split(name.len().min(MAX_NAME)).unwrap_or(Bytes::EMPTY);
        for chunk in shown.chunks() {
            write!(f, "{}", chunk.escape_ascii())?;
        }
        if !name.is_empty() {
            f.write_str("…")?;
        }
        write!(f, "` {}", self.reason)
    }
}

impl NameError {
    /// One word for the reason, as [`ErrorKind::code`](crate::ErrorKind::code) is for an error: it never changes, holds nothing that the
    /// client sent, and is no word of an error.
    ///
    /// ```
    /// assert_eq!(tls_sni::NameError::IpLiteral.code(), "name_ip_literal");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Nul => "name_nul",
            Self::NonAscii(_) => "name_non_ascii",
            Self::BadByte(_) => "name_bad_byte",
            Self::EmptyLabel => "name_empty_label",
            Self::LongLabel => "name_long_label",
            Self::TooLong => "name_too_long",
            Self::IpLiteral => "name_ip_literal",
        }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nul => f.write_str("has a NUL byte in it"),
            Self::NonAscii(byte) => write!(
                f,
                "has byte {byte:#04x} in it; non-ASCII names travel as A-labels"
            ),
            Self::BadByte(byte) => write!(f, "has byte `{}` in it", byte.escape_ascii()),
            Self::EmptyLabel => f.write_str("has an empty label"),
            Self::LongLabel => write!(f, "has a label of more than {MAX_LABEL} bytes"),
            Self::TooLong => write!(f, "has more than {MAX_NAME} bytes"),
            Self::IpLiteral => f.write_str("is an address or reads as one"),
        }
    }
}

impl core::error::Error for NameError {}

const DIGIT: u8 = 1;
/// `a` to `f`, in either case.
const HEX: u8 = 2;
const X: u8 = 4;
const OTHER: u8 = 8;
const DOT: u8 = 16;
const BAD: u8 = 32;

/// What each byte is in a host name.
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0_u8;
    loop {
        #[expect(clippy::indexing_slicing, reason = "computed once, by the compiler")]
        let entry = &mut class[byte as usize];
        *entry = match byte {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'f' | b'A'..=b'F' => HEX,
            b'x' | b'X' => X,
            b'g'..=b'z' | b'G'..=b'Z' | b'-' | b'_' => OTHER,
            b'.' => DOT,
            _ => BAD,
        };
        let Some(next) = byte.checked_add(1) else {
            break class;
        };
        byte = next;
    }
};

/// Whether the host name ends in a dot, or why it is not a host name.
fn trailing_dot(name: Bytes<'_>) -> Result<bool, NameError> {
    const WITH_DOT: usize = MAX_NAME + 1;
    match name.as_slice() {
        Some(name) => check(name),
        None if name.len() > WITH_DOT => Err(NameError::TooLong),
        None => check(name.copy_to(&mut [0; WITH_DOT])),
    }
}

fn check(name: &[u8]) -> Result<bool, NameError> {
    let (letters, trailing_dot) = match name {
        [letters @ .., b'.'] => (letters, true),
        letters => (letters, false),
    };
    if letters.len() > MAX_NAME {
        return Err(NameError::TooLong);
    }
    let mut label = 0;
    let mut classes = 0;
    for (at, byte) in letters.iter().enumerate() {
        let class = CLASS.get(usize::from(*byte)).copied().unwrap_or(BAD);
        if class < DOT {
            classes |= class;
        } else if class == DOT {
            check_label(at.wrapping_sub(label))?;
            label = at.wrapping_add(1);
            classes = 0;
        } else {
            return Err(bad(*byte));
        }
    }
    check_label(letters.len().wrapping_sub(label))?;
    let number =
        classes == DIGIT || (classes & X != 0 && classes & OTHER == 0 && ends_in_hex(letters));
    if number {
        Err(NameError::IpLiteral)
    } else {
        Ok(trailing_dot)
    }
}

fn check_label(len: usize) -> Result<(), NameError> {
    match len {
        0 => Err(NameError::EmptyLabel),
        1..=MAX_LABEL => Ok(()),
        _ => Err(NameError::LongLabel),
    }
}

#[cold]
fn bad(byte: u8) -> NameError {
    match byte {
        0 => NameError::Nul,
        0x80.. => NameError::NonAscii(byte),
        _ => NameError::BadByte(byte),
    }
}

/// Whether the last label is `0x` and hexadecimal digits, possibly none.
#[cold]
fn ends_in_hex(letters: &[u8]) -> bool {
    let last = letters
        .rsplit(|byte| *byte == b'.')
        .next()
        .unwrap_or_default();
    let digits = last
        .strip_prefix(b"0x")
        .or_else(|| last.strip_prefix(b"0X"));
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

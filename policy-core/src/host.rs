//! The one canonical spelling of the host a request goes to.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::str::FromStr;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use crate::class::Class;

/// Longest name in bytes, without the root dot (RFC 1035 §2.3.4: 255 octets on the wire).
pub(crate) const MAX_NAME: usize = 253;
/// Longest label in bytes (RFC 1035 §2.3.4).
pub(crate) const MAX_LABEL: usize = 63;

/// The host of a request: a DNS name or an address, in its one canonical spelling.
///
/// A `Host` is built only by [`Host::parse`], which accepts what every sane client reads the same
/// way and refuses the rest. Two hosts are the same host exactly when they are equal.
///
/// | authored | canonical |
/// |---|---|
/// | `GitHub.com`, `github.com.`, `github.com:443`, `https://github.com/x` | `github.com` |
/// | `bücher.example` | `xn--bcher-kva.example` |
/// | `[::1]:443`, `::1` | `::1` |
/// | `[::ffff:127.0.0.1]` | `127.0.0.1` |
///
/// ```
/// use policy_core::Host;
///
/// let host = Host::parse("https://github.com@pastebin.com/raw/x")?;
/// assert_eq!(host.to_string(), "pastebin.com");
/// assert!(Host::parse("pastebin.com%2f.github.com").is_err());
/// # Ok::<(), policy_core::HostError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Host(Repr);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Name(Box<str>),
    Address(IpAddr),
}

impl Host {
    /// Reads a host from a URL with any scheme but `file`, a host, `host:port`, an IPv6 address,
    /// `[v6]` or `[v6]:port`. Userinfo, port, path, query and fragment are read past.
    ///
    /// Time and memory are linear in the input; names are at most 253 bytes, labels 63.
    ///
    /// # Errors
    ///
    /// A [`HostError`] for every text that clients read in different ways, or that is no host.
    /// A caller that must answer denies.
    pub fn parse(input: &str) -> Result<Self, HostError> {
        if input.is_empty() {
            return Err(HostError::Empty);
        }
        if input.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
            return Err(HostError::Control);
        }
        match input.split_once("://") {
            Some((scheme, rest)) => url(input, scheme, rest),
            None => bare(input),
        }
    }

    /// The name, in lower-case A-labels without a root dot; `None` for an address.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            Repr::Name(name) => Some(name),
            Repr::Address(_) => None,
        }
    }

    /// The address; `None` for a name. Never an IPv4-mapped IPv6 address.
    #[must_use]
    pub fn address(&self) -> Option<IpAddr> {
        match self.0 {
            Repr::Name(_) => None,
            Repr::Address(address) => Some(address),
        }
    }

    /// What kind of place this is: information for embedders, never a rule of deciding.
    #[must_use]
    pub fn class(&self) -> Class {
        match &self.0 {
            Repr::Name(name) => Class::of_name(name),
            Repr::Address(address) => Class::of_address(*address),
        }
    }

    /// The name in Unicode, for display to people; an address as it is.
    #[must_use]
    pub fn to_unicode(&self) -> String {
        match &self.0 {
            Repr::Name(name) => {
                let (text, _) =
                    Uts46::new().to_unicode(name.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
                text.into_owned()
            }
            Repr::Address(address) => address.to_string(),
        }
    }

    /// A host for a name that is canonical already.
    pub(crate) fn from_canonical_name(name: &str) -> Self {
        Self(Repr::Name(name.into()))
    }
}

impl From<IpAddr> for Host {
    /// The host at an address; an IPv4-mapped IPv6 address is the IPv4 address (RFC 4291 §2.5.5.2).
    fn from(address: IpAddr) -> Self {
        Self(Repr::Address(address.to_canonical()))
    }
}

impl FromStr for Host {
    type Err = HostError;

    fn from_str(input: &str) -> Result<Self, HostError> {
        Self::parse(input)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Name(name) => f.write_str(name),
            Repr::Address(address) => address.fmt(f),
        }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Host({self})")
    }
}

/// `scheme://authority…`, where the authority ends at the first `/`, `?` or `#` (RFC 3986 §3.2).
fn url(input: &str, scheme: &str, rest: &str) -> Result<Host, HostError> {
    let mut letters = scheme.bytes();
    if !letters
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic())
        || !letters.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        || scheme.eq_ignore_ascii_case("file")
    {
        return Err(HostError::Scheme);
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('\\') {
        return Err(HostError::Backslash);
    }
    let place = match authority.split_once('@') {
        None => authority,
        Some((_, place)) if place.contains('@') => return Err(HostError::SeveralAt),
        // RFC 3986 §3.2.1 has no brackets and no letters beyond ASCII here; readers disagree on both.
        Some((userinfo, _)) if !userinfo.is_ascii() || userinfo.contains(['[', ']']) => {
            return Err(HostError::Userinfo);
        }
        Some((_, place)) => place,
    };
    let host = if place.starts_with('[') {
        bracketed(place)
    } else {
        with_port(place)
    }?;
    second_reading(input, scheme, host)
}

/// The `url` crate reads the same URL. It leaves the hosts of non-special schemes as written, so
/// those are read once only; everywhere else a different answer is a refusal.
fn second_reading(input: &str, scheme: &str, host: Host) -> Result<Host, HostError> {
    if !["http", "https", "ws", "wss", "ftp"]
        .iter()
        .any(|special| scheme.eq_ignore_ascii_case(special))
    {
        return Ok(host);
    }
    let theirs = url::Url::parse(input).map_err(|_| HostError::Ambiguous)?;
    let same = match (theirs.host(), &host.0) {
        (Some(url::Host::Domain(theirs)), Repr::Name(ours)) => {
            theirs.strip_suffix('.').unwrap_or(theirs) == &**ours
        }
        (Some(url::Host::Ipv4(theirs)), Repr::Address(ours)) => IpAddr::V4(theirs) == *ours,
        (Some(url::Host::Ipv6(theirs)), Repr::Address(ours)) => {
            IpAddr::V6(theirs).to_canonical() == *ours
        }
        _ => false,
    };
    if same {
        Ok(host)
    } else {
        Err(HostError::Ambiguous)
    }
}

/// A host without a scheme: `host`, `host:port`, `v6`, `[v6]`, `[v6]:port`.
fn bare(input: &str) -> Result<Host, HostError> {
    if input.contains('\\') {
        return Err(HostError::Backslash);
    }
    let place = input.split(['/', '?', '#']).next().unwrap_or_default();
    if place.contains('@') {
        return Err(HostError::UserinfoWithoutScheme);
    }
    if looks_like_a_scheme(place, place.len() < input.len()) {
        return Err(HostError::Scheme);
    }
    if place.len() < input.len() {
        return Err(HostError::NotAHost);
    }
    if input.starts_with('[') {
        bracketed(input)
    } else if input.bytes().filter(|byte| *byte == b':').count() > 1 {
        ipv6(input)
    } else {
        with_port(input)
    }
}

/// `data:text/plain`, `https:github.com`, `https:/x`: a scheme has no dot and no digits after its
/// colon, as a host with a port has. Only the words of the refusal depend on this.
fn looks_like_a_scheme(place: &str, path_follows: bool) -> bool {
    place.split_once(':').is_some_and(|(before, after)| {
        !before.is_empty()
            && !before.contains(['.', '['])
            && !after.contains(':')
            && (!after.is_empty() || path_follows)
            && (after.is_empty() || !after.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// `[v6]` or `[v6]:port`.
fn bracketed(place: &str) -> Result<Host, HostError> {
    let inside = place.strip_prefix('[').unwrap_or(place);
    let (literal, after) = inside.split_once(']').ok_or(HostError::Ipv6)?;
    let host = ipv6(literal)?;
    match after.strip_prefix(':') {
        Some(digits) => port(digits).map(|()| host),
        None if after.is_empty() => Ok(host),
        None => Err(HostError::Ipv6),
    }
}

/// `host` or `host:port`.
fn with_port(place: &str) -> Result<Host, HostError> {
    match place.split_once(':') {
        None => name_or_ipv4(place),
        Some((host, digits)) => {
            port(digits)?;
            name_or_ipv4(host)
        }
    }
}

/// A port in plain digits, 1–65535.
fn port(digits: &str) -> Result<(), HostError> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    match digits.parse::<u16>() {
        Ok(_) if plain => Ok(()),
        _ => Err(HostError::Port),
    }
}

/// An IPv6 address without brackets.
fn ipv6(literal: &str) -> Result<Host, HostError> {
    if literal.contains('%') {
        return Err(HostError::ZoneId);
    }
    let address: Ipv6Addr = literal.parse().map_err(|_| HostError::Ipv6)?;
    Ok(Host::from(IpAddr::V6(address)))
}

fn name_or_ipv4(text: &str) -> Result<Host, HostError> {
    if let Ok(address) = text.parse::<Ipv4Addr>() {
        return Ok(Host(Repr::Address(IpAddr::V4(address))));
    }
    if text.contains('%') {
        return Err(HostError::Percent);
    }
    let name = text.strip_suffix('.').unwrap_or(text);
    let ascii = if name.is_ascii() {
        lower(name)
    } else {
        Cow::Owned(a_labels(name)?)
    };
    check_name(&ascii)?;
    Ok(Host(Repr::Name(ascii.into())))
}

fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// The A-labels of a name with stable U-labels: what UTS 46 would map, drop or treat differently
/// from IDNA2003 is refused.
fn a_labels(name: &str) -> Result<String, HostError> {
    if name.contains(['ß', 'ς', '\u{200c}', '\u{200d}']) {
        return Err(HostError::Deviation);
    }
    // `to_ascii` allocates in proportion to the name; a label of Punycode is never shorter than a
    // quarter of its UTF-8, so anything longer than this cannot fit.
    if name.len() > 4 * MAX_NAME {
        return Err(HostError::TooLong);
    }
    let name = lower(name);
    let ascii = Uts46::new()
        .to_ascii(
            name.as_bytes(),
            AsciiDenyList::URL,
            Hyphens::Allow,
            DnsLength::Ignore,
        )
        .map_err(|_| HostError::Idn)?;
    let (unicode, valid) =
        Uts46::new().to_unicode(ascii.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
    valid.map_err(|_| HostError::Idn)?;
    let stable = name.split('.').count() == ascii.split('.').count()
        && name
            .split('.')
            .zip(unicode.split('.').zip(ascii.split('.')))
            .all(|(ours, (unicode, ascii))| ours == unicode || ours == ascii);
    if stable {
        Ok(ascii.into_owned())
    } else {
        Err(HostError::Mapped)
    }
}

/// Whether a lower-case ASCII name without root dot is canonical: labels of 1–63 letters, digits,
/// `-` and `_`, at most 253 bytes, a last label that is no number, valid A-labels.
pub(crate) fn check_name(name: &str) -> Result<(), HostError> {
    if name.is_empty() {
        return Err(HostError::Empty);
    }
    let mut last = "";
    let mut has_a_label = false;
    for label in name.split('.') {
        if label.is_empty() {
            return Err(HostError::EmptyLabel);
        }
        let allowed = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_'
        };
        if !label.bytes().all(allowed) {
            return Err(HostError::Character);
        }
        if label.len() > MAX_LABEL {
            return Err(HostError::LabelTooLong);
        }
        has_a_label |= label.starts_with("xn--");
        last = label;
    }
    if name.len() > MAX_NAME {
        return Err(HostError::TooLong);
    }
    if is_number(last) {
        return Err(HostError::NumericLastLabel);
    }
    if has_a_label {
        check_a_labels(name)
    } else {
        Ok(())
    }
}

/// Whether the URL Standard's "ends in a number" holds for a name with this last label.
fn is_number(label: &str) -> bool {
    match label.strip_prefix("0x") {
        Some(hex) => hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => label.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

/// Every A-label decodes and encodes back to itself. The whole name is checked at once because the
/// Bidi rule (RFC 5893) looks across labels.
fn check_a_labels(name: &str) -> Result<(), HostError> {
    let processor = Uts46::new();
    let (unicode, valid) =
        processor.to_unicode(name.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
    valid.map_err(|_| HostError::ALabel)?;
    let back = processor
        .to_ascii(
            unicode.as_bytes(),
            AsciiDenyList::URL,
            Hyphens::Allow,
            DnsLength::Ignore,
        )
        .map_err(|_| HostError::ALabel)?;
    if back == name {
        Ok(())
    } else {
        Err(HostError::ALabel)
    }
}

/// Why a text is not a host that every client reads the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// Nothing at all.
    #[error("there is no host")]
    Empty,
    /// A byte up to 0x20, or 0x7F: clients strip it, cut at it, or refuse.
    #[error("white space or a control character")]
    Control,
    /// A scheme without an authority, a malformed scheme, or `file`.
    #[error("a scheme without a host")]
    Scheme,
    /// A path, query or fragment without a scheme before it.
    #[error("a path or query without a scheme is no host")]
    NotAHost,
    /// A backslash before the path: `/` to the URL Standard, a letter to RFC 3986.
    #[error("a backslash, which clients read in different ways")]
    Backslash,
    /// More than one `@` before the path.
    #[error("several `@`, which clients read in different ways")]
    SeveralAt,
    /// Userinfo with characters that clients read in different ways.
    #[error("userinfo with characters that clients read in different ways")]
    Userinfo,
    /// `user@host` without a scheme.
    #[error("userinfo without a scheme")]
    UserinfoWithoutScheme,
    /// A port that is not 1–65535 in plain digits.
    #[error("the port is not a number from 1 to 65535 in plain digits")]
    Port,
    /// A percent sign in the host: some clients decode it.
    #[error("a `%` in the host, which some clients decode")]
    Percent,
    /// An IPv6 zone id (RFC 6874): it names an interface of one machine.
    #[error("a zone id in an IPv6 address")]
    ZoneId,
    /// Brackets without a valid IPv6 address, or an IPv6 address that is none.
    #[error("not an IPv6 address")]
    Ipv6,
    /// A last label that is a number in a name that is no plain IPv4 address: `127.1`, `0x7f.1`.
    #[error("a number where a name or a plain IPv4 address belongs")]
    NumericLastLabel,
    /// Two dots in a row, or a dot at the beginning.
    #[error("an empty label")]
    EmptyLabel,
    /// A label over 63 bytes (RFC 1035 §2.3.4).
    #[error("a label over 63 bytes")]
    LabelTooLong,
    /// A name over 253 bytes (RFC 1035 §2.3.4).
    #[error("a name over 253 bytes")]
    TooLong,
    /// A character other than letters, digits, `-`, `_` and `.`.
    #[error("a character that no host name has")]
    Character,
    /// A label that IDNA does not allow (UTS 46 §4).
    #[error("a label that is not valid in an internationalised name")]
    Idn,
    /// Characters that UTS 46 maps to others or drops.
    #[error("characters that clients replace or drop before they look the name up")]
    Mapped,
    /// `ß`, `ς`, ZWJ or ZWNJ, which IDNA2003 and IDNA2008 read differently (UTS 46 §1.3).
    #[error("a character that IDNA2003 and IDNA2008 clients read differently")]
    Deviation,
    /// An `xn--` label that does not decode, or does not encode back to itself.
    #[error("an `xn--` label that is no valid A-label")]
    ALabel,
    /// The URL Standard's parser refuses the URL or reads another host.
    #[error("URL parsers do not agree on the host")]
    Ambiguous,
}

impl HostError {
    /// Every reason, for tables.
    pub const ALL: &'static [Self] = &[
        Self::Empty,
        Self::Control,
        Self::Scheme,
        Self::NotAHost,
        Self::Backslash,
        Self::SeveralAt,
        Self::Userinfo,
        Self::UserinfoWithoutScheme,
        Self::Port,
        Self::Percent,
        Self::ZoneId,
        Self::Ipv6,
        Self::NumericLastLabel,
        Self::EmptyLabel,
        Self::LabelTooLong,
        Self::TooLong,
        Self::Character,
        Self::Idn,
        Self::Mapped,
        Self::Deviation,
        Self::ALabel,
        Self::Ambiguous,
    ];

    /// The stable, kebab-case name of the reason, as printed in JSON.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "host-empty",
            Self::Control => "host-control-character",
            Self::Scheme => "host-scheme",
            Self::NotAHost => "host-path",
            Self::Backslash => "host-backslash",
            Self::SeveralAt => "host-several-at",
            Self::Userinfo => "host-userinfo",
            Self::UserinfoWithoutScheme => "host-userinfo-without-scheme",
            Self::Port => "host-port",
            Self::Percent => "host-percent",
            Self::ZoneId => "host-zone-id",
            Self::Ipv6 => "host-ipv6",
            Self::NumericLastLabel => "host-numeric-last-label",
            Self::EmptyLabel => "host-empty-label",
            Self::LabelTooLong => "host-label-too-long",
            Self::TooLong => "host-too-long",
            Self::Character => "host-character",
            Self::Idn => "host-idn",
            Self::Mapped => "host-idn-mapped",
            Self::Deviation => "host-idn-deviation",
            Self::ALabel => "host-a-label",
            Self::Ambiguous => "host-ambiguous",
        }
    }

    /// What to write instead of `input`, the text that was refused for this reason.
    ///
    /// ```
    /// use policy_core::Host;
    ///
    /// let input = "git@github.com:o/r";
    /// let error = Host::parse(input).unwrap_err();
    /// assert_eq!(error.help(input), "write `ssh://git@github.com/o/r`");
    /// ```
    #[must_use]
    pub fn help(self, input: &str) -> String {
        if let Some(spelling) = self.spelling(input) {
            return format!("write `{spelling}`");
        }
        match self {
            Self::Empty => "write a host such as `github.com`",
            Self::Control => "remove the white space or control character",
            Self::Scheme => "write `scheme://host`, of any scheme but `file`, or the host alone",
            Self::NotAHost => "write `https://` before it, or the host alone",
            Self::Backslash => "write `/`",
            Self::SeveralAt => "write `@` in userinfo as `%40`",
            Self::Userinfo => "write the host alone",
            Self::UserinfoWithoutScheme => "write the host alone, or `ssh://user@host/path`",
            Self::Port => "write a port from 1 to 65535 without leading zeros, or none",
            Self::Percent => "write the characters themselves",
            Self::ZoneId => "write the address without `%` and what follows",
            Self::Ipv6 => "write a full IPv6 address, in brackets when a port follows",
            Self::NumericLastLabel => {
                "write an IPv4 address as four decimal numbers without leading zeros"
            }
            Self::EmptyLabel => "write one dot between labels and at most one at the end",
            Self::LabelTooLong => "labels are at most 63 bytes",
            Self::TooLong => "names are at most 253 bytes",
            Self::Character => "host names are letters, digits, `-`, `_` and `.`",
            Self::Idn | Self::ALabel => "write the A-label of a registered name",
            Self::Mapped => "write the name in lower case, or its A-label",
            Self::Deviation => "write the A-label (`xn--…`) of the name that is meant",
            Self::Ambiguous => "write the host alone",
        }
        .to_string()
    }

    /// A spelling that is read, where the refused one has an obvious one.
    fn spelling(self, input: &str) -> Option<String> {
        let spelling = match self {
            // The scp-like form of git: `user@host:path`.
            Self::UserinfoWithoutScheme => {
                let (place, path) = input.split_once(':').unwrap_or((input, ""));
                format!("ssh://{place}/{}", path.trim_start_matches('/'))
            }
            Self::NotAHost => format!("https://{input}"),
            Self::Mapped => {
                let name = input.strip_suffix('.').unwrap_or(input);
                let lower = name.to_lowercase();
                if a_labels(&lower).is_err() {
                    return None;
                }
                lower
            }
            _ => return None,
        };
        // A remedy that is refused in turn, or that hides what it would change, is none.
        (Host::parse(&spelling).is_ok() && spelling.is_ascii()
            || self == Self::Mapped && Host::parse(&spelling).is_ok())
        .then_some(spelling)
    }
}

//! The one canonical spelling of the host a request goes to.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::str::FromStr;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use crate::class::Class;
use crate::name::{MAX_NAME, Name};
use crate::refusal::HostError;

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
    Name(Name),
    Address(IpAddr),
}

impl Host {
    /// Reads a host from a URL, a host, `host:port`, an IPv6 address, `[v6]` or `[v6]:port`.
    /// Userinfo, port, path, query and fragment are read past.
    ///
    /// The schemes of URLs are those whose clients are known to go to the host: `http`, `https`, `ws`,
    /// `wss`, `ftp`, `git`, `git+http`, `git+https`, `sparse+https`, `registry+https`, `ssh`, `git+ssh`,
    /// `ssh+git`, `sftp` and `scp`.
    ///
    /// Time and memory are linear in the input; names are at most 253 bytes, labels 63.
    ///
    /// # Errors
    ///
    /// A [`HostError`] for every text that clients read in different ways, or that is no host.
    /// A caller that must answer denies.
    pub fn parse(input: &str) -> Result<Self, HostError> {
        match Name::usual(input.as_bytes()) {
            Some(name) => Ok(Self(Repr::Name(name))),
            None => Self::parse_unusual(input),
        }
    }

    #[inline(never)]
    fn parse_unusual(input: &str) -> Result<Self, HostError> {
        match Name::plain(input.as_bytes()).or_else(|| plain_place(input)) {
            Some(name) => Ok(Self(Repr::Name(name))),
            None => Self::parse_fully(input),
        }
    }

    /// The full reading. Those before it only anticipate what this one would say.
    #[cold]
    #[inline(never)]
    fn parse_fully(input: &str) -> Result<Self, HostError> {
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
            Repr::Name(name) => Some(name.as_str()),
            Repr::Address(_) => None,
        }
    }

    /// The bytes of [`Host::name`].
    #[inline]
    pub(crate) fn canonical_name(&self) -> Option<&Name> {
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
            Repr::Name(name) => Class::of_name(name.as_str()),
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
        Self(Repr::Name(Name::new(name.as_bytes())))
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

impl TryFrom<&str> for Host {
    type Error = HostError;

    fn try_from(input: &str) -> Result<Self, HostError> {
        Self::parse(input)
    }
}

/// Whether the text is the host's canonical spelling. No other spelling is equal: what a request
/// says is parsed first, and hosts are compared.
///
/// ```
/// use policy_core::Host;
///
/// let host = Host::parse("https://GitHub.com/")?;
/// assert_eq!(host, "github.com");
/// assert_ne!(host, "GitHub.com");
/// # Ok::<(), policy_core::HostError>(())
/// ```
impl PartialEq<str> for Host {
    fn eq(&self, canonical: &str) -> bool {
        match &self.0 {
            Repr::Name(name) => name.as_str() == canonical,
            // An address has other spellings that parse, so reading the text is not enough.
            Repr::Address(address) => address.to_string() == canonical,
        }
    }
}

impl PartialEq<&str> for Host {
    fn eq(&self, canonical: &&str) -> bool {
        *self == **canonical
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Name(name) => f.write_str(name.as_str()),
            Repr::Address(address) => address.fmt(f),
        }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Host({self})")
    }
}

/// The special schemes of the URL Standard.
const SPECIAL: [&str; 6] = ["file", "ftp", "http", "https", "ws", "wss"];

/// The schemes whose URLs `git` and OpenSSH read themselves.
const SSH_AND_GIT: [&str; 6] = ["git", "git+ssh", "scp", "sftp", "ssh", "ssh+git"];

/// The schemes of pip, npm and Cargo that say before `+` what is done with an `http` or `https` URL.
const WRAPPING: [&str; 4] = ["git+http", "git+https", "registry+https", "sparse+https"];

/// Whether the clients of a scheme are known to go to the host of the authority.
///
/// Those of others were seen to go elsewhere (2026-11-29): `redis-cli` to what follows an `@` in the
/// path, `psql` and Node's `pg` to `?host=`, while the bucket of `s3` is no host at all.
pub(crate) fn is_known(scheme: &str) -> bool {
    is_special(scheme) && !scheme.eq_ignore_ascii_case("file")
        || is_one_of(scheme, &SSH_AND_GIT)
        || is_one_of(scheme, &WRAPPING)
}

/// Whether `git` and OpenSSH read the URLs of a scheme.
pub(crate) fn is_of_ssh_or_git(scheme: &str) -> bool {
    is_one_of(scheme, &SSH_AND_GIT)
}

/// Whether the URL Standard reads `scheme:…` as having a host, with or without `//`.
pub(crate) fn is_special(scheme: &str) -> bool {
    is_one_of(scheme, &SPECIAL)
}

fn is_one_of(scheme: &str, schemes: &[&str]) -> bool {
    schemes.iter().any(|one| scheme.eq_ignore_ascii_case(one))
}

/// RFC 3986 §3.1.
fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// The name in a text of the forms `name:port` and `https://name…` that leaves nothing to doubt:
/// no userinfo, no bytes beyond printable ASCII. The full reading would read the same.
fn plain_place(input: &str) -> Option<Name> {
    /// The `url` crate refuses texts over 4 GiB; nothing near that is plain.
    const MOST: usize = 1 << 16;
    let bytes = input.as_bytes();
    let of_url = bytes
        .strip_prefix(b"https://")
        .or_else(|| bytes.strip_prefix(b"http://"));
    let rest = of_url.unwrap_or(bytes);
    let letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    let end = rest.iter().position(|byte| !letter(byte));
    let (name, mut after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
    if let Some(from_port) = after.strip_prefix(b":") {
        // A scheme is spelled like a name without a dot.
        if of_url.is_none() && !name.contains(&b'.') {
            return None;
        }
        let end = from_port.iter().position(|byte| !byte.is_ascii_digit());
        let (digits, rest) = from_port.split_at_checked(end.unwrap_or(from_port.len()))?;
        port(core::str::from_utf8(digits).ok()?).ok()?;
        after = rest;
    }
    let ended = match after {
        [] => true,
        [b'/', ..] => of_url.is_some() && after.iter().all(u8::is_ascii_graphic),
        _ => false,
    };
    if ended && bytes.len() <= MOST {
        Name::plain(name)
    } else {
        None
    }
}

/// `scheme://authority…`, where the authority ends at the first `/`, `?` or `#` (RFC 3986 §3.2).
fn url(input: &str, scheme: &str, rest: &str) -> Result<Host, HostError> {
    if !is_known(scheme) {
        return Err(HostError::Scheme);
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('\\') {
        return Err(HostError::Backslash);
    }
    let (userinfo, place) = authority.split_once('@').unwrap_or(("", authority));
    if place.contains('@') {
        return Err(HostError::SeveralAt);
    }
    if !is_userinfo(userinfo) {
        return Err(HostError::Userinfo);
    }
    let after = rest.strip_prefix(authority).unwrap_or_default();
    let reads_another = userinfo_hides_a_host(userinfo)
        || ends_at_once(after)
        || is_of_ssh_or_git(scheme) && ssh_or_git_reads_another_host(userinfo, after);
    let host = if place.starts_with('[') {
        bracketed(place)
    } else {
        with_port(place)
    }?;
    if reads_another {
        return Err(HostError::Ambiguous);
    }
    second_reading(input, scheme, host)
}

/// The userinfo of RFC 3986 §3.2.1. Other characters are read differently: `curl` takes `{…}` and
/// `[…]` for alternatives, which may reach past the `@`.
fn is_userinfo(text: &str) -> bool {
    let hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:".contains(&byte))
        && text.split('%').skip(1).all(|after| {
            let mut digits = after.as_bytes().iter();
            hex(digits.next()) && hex(digits.next())
        })
}

/// Whether some client takes what stands before the `@` for the host: wget2 decodes the authority
/// before it splits it, lynx the user, and lynx asks for a user whose password is empty
/// (wget2 1.99.1, lynx 2.9.0dev.12). elinks puts a password without a user before the host
/// (elinks 0.13.2). privoxy takes a URL that begins with `*` for none, and goes to the host of the
/// `Host` header (privoxy 3.0.34).
///
/// An escaped `/` or `:` in a password is what pip and npm write; no client splits there.
fn userinfo_hides_a_host(userinfo: &str) -> bool {
    let (user, password) = match userinfo.split_once(':') {
        Some((user, password)) => (user, Some(password)),
        None => (userinfo, None),
    };
    let ends_it = |byte: u8| byte <= b' ' || byte == 0x7f || byte == b'@';
    escapes(userinfo).any(ends_it)
        || escapes(user).any(|byte| b"/?#\\:[]%".contains(&byte))
        || password == Some("") && (user.contains('.') || escapes(user).any(|byte| byte == b'.'))
        || user.is_empty() && password.is_some_and(|password| !password.is_empty())
        || user.starts_with('*')
}

/// The bytes that the escapes of a userinfo stand for.
fn escapes(userinfo: &str) -> impl Iterator<Item = u8> + '_ {
    userinfo.split('%').skip(1).filter_map(|after| {
        let digits = after.get(..2)?;
        u8::from_str_radix(digits, 16).ok()
    })
}

/// Whether an authority ends at a `?` or `#` before what some client takes for the rest of it: lftp,
/// links, axel, elinks, tinyproxy and privoxy read on to the next `/` and go to what follows an `@`
/// or a `,`; wget looks the whole up as one name.
///
/// Beyond ASCII there are other dots and signs, so nothing is read there.
fn ends_at_once(after: &str) -> bool {
    let Some(read_on) = after.strip_prefix(['?', '#']) else {
        return false;
    };
    let read_on = read_on.split('/').next().unwrap_or_default();
    !read_on.is_ascii() || read_on.contains(['@', ',', '.', ':', '[', ']', '\\', '%'])
}

/// `git` decodes the whole URL before it splits it, reads past `?` and `#` up to the first `/`, and
/// takes an `@[` anywhere for the host's; OpenSSH ends userinfo at the first `@`, wherever it is
/// (git 2.47, OpenSSH 9.2). So an escape before the host, or an `@` after it, can hide another host.
fn ssh_or_git_reads_another_host(userinfo: &str, after: &str) -> bool {
    userinfo.contains('%') || after.contains('@') || after.contains("%40")
}

/// The `url` crate reads the same URL. It leaves the hosts of non-special schemes as written, so
/// those are read once only; everywhere else a different answer is a refusal.
fn second_reading(input: &str, scheme: &str, host: Host) -> Result<Host, HostError> {
    let inner = match input.split_once('+') {
        Some((_, inner)) if is_one_of(scheme, &WRAPPING) => inner,
        _ if is_special(scheme) => input,
        _ => return Ok(host),
    };
    let theirs = url::Url::parse(inner).map_err(|_| HostError::Ambiguous)?;
    let same = match (theirs.host(), &host.0) {
        (Some(url::Host::Domain(theirs)), Repr::Name(ours)) => {
            theirs.strip_suffix('.').unwrap_or(theirs) == ours.as_str()
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
    if lacks_slashes(input) {
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

/// `data:text/plain`, `https:github.com`, `https:/x`: a scheme without `//`. What looks like a host
/// with a port is one, but for `http:80`, which the URL Standard reads as `http://0.0.0.80`.
fn lacks_slashes(input: &str) -> bool {
    input.split_once(':').is_some_and(|(scheme, after)| {
        let host_and_port = scheme.contains('.')
            || after.is_empty()
            || after.contains(':')
            || after.starts_with(|first: char| first.is_ascii_digit());
        is_special(scheme) || is_scheme(scheme) && !host_and_port
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
    Ok(Host(Repr::Name(Name::new(ascii.as_bytes()))))
}

fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// The A-labels of a name with stable U-labels: what UTS 46 would map or drop, or what IDNA2003
/// clients read as another name, is refused.
fn a_labels(name: &str) -> Result<String, HostError> {
    if name.chars().any(has_two_readings) {
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

/// Whether a letter that UTS 46 leaves as it is is another one, or none, to IDNA2003 clients.
fn has_two_readings(letter: char) -> bool {
    match letter {
        // The deviations of UTS 46 §1.3.
        'ß' | 'ς' | '\u{200c}' | '\u{200d}' => true,
        // The Mongolian soft hyphen is nothing to Nameprep (RFC 3454, table B.1): Python and Java
        // drop it.
        '\u{1806}' => true,
        // Cherokee capitals: UTS 46 keeps them and maps the small ones to them; Python's codec, which
        // lower-cases, does the reverse.
        '\u{13a0}'..='\u{13f5}' => true,
        _ => false,
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn the_plain_reading_is_the_full_one(input: &str) {
        assert_eq!(Host::parse(input), Host::parse_fully(input), "{input:?}");
    }

    #[test]
    fn texts_of_one_and_two_characters() {
        for first in '\0'..='\u{ff}' {
            the_plain_reading_is_the_full_one(&String::from(first));
            for second in '\0'..='\u{ff}' {
                the_plain_reading_is_the_full_one(&String::from_iter([first, second]));
            }
        }
    }

    #[test]
    fn every_byte_at_every_place_of_names_of_every_length() {
        for len in [1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 62, 63, 64, 65] {
            let name: String = "abcdefg.hijk-lm.".chars().cycle().take(len).collect();
            for at in 0..len {
                for byte in '\0'..='\u{80}' {
                    let text = name.char_indices();
                    let text = text.map(|(place, own)| if place == at { byte } else { own });
                    the_plain_reading_is_the_full_one(&String::from_iter(text));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn texts_near_the_plain_forms(
            scheme in "(|https?://|HTTPS://|ftp://|file://|https:/)",
            userinfo in "(|||a@|a:b@)",
            name in "([a-zA-Z0-9_-]{1,3}|https?|file|xn--[a-z0-9]{1,6}|0x1|127)(\\.([a-z]{1,40}|[0-9]|0xf|xn--a)){0,4}\\.?",
            port in "(||:|:[0-9]{1,6}|:a)",
            rest in "(||/|/[ -~]{0,12}|[?#\\\\@: ][ -~]{0,4}|/\u{e9})",
        ) {
            the_plain_reading_is_the_full_one(&format!("{scheme}{userinfo}{name}{port}{rest}"));
        }
    }
}

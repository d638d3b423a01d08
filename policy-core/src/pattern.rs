//! One host, every name below a name, or one address.

use alloc::boxed::Box;
use alloc::string::ToString;
use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::str::FromStr;

use crate::host::{Host, check_name};
use crate::name::MAX_NAME;
use crate::refusal::{HostError, PatternError};

/// What a rule names: one host, every host below a name, or one address.
///
/// | pattern | matches | does not match |
/// |---|---|---|
/// | `github.com` | `github.com` | `x.github.com` |
/// | `*.github.com` | `x.github.com`, `y.x.github.com` | `github.com` |
/// | `192.0.2.1`, `2001:db8::1` | that address | any name |
///
/// A pattern is written in its canonical spelling only: lower case, ASCII, without scheme,
/// port or path, at most 253 bytes with the `*.`.
///
/// ```
/// use policy_core::{Host, Pattern};
///
/// let pattern = Pattern::parse("*.github.com")?;
/// assert!(pattern.matches(&Host::parse("codeload.github.com").unwrap()));
/// assert!(!pattern.matches(&Host::parse("github.com").unwrap()));
///
/// let input = "https://GitHub.com/";
/// let error = Pattern::parse(input).unwrap_err();
/// assert_eq!(error.help(input), "write `github.com`: a rule covers every scheme");
/// # Ok::<(), policy_core::PatternError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(Repr);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Exact(Box<str>),
    Below(Box<str>),
    Address(IpAddr),
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// A [`PatternError`] for every spelling but the canonical one; [`PatternError::help`] says
    /// what to write instead.
    pub fn parse(input: &str) -> Result<Self, PatternError> {
        if let Some(error) = foreign(input) {
            return Err(error);
        }
        if input.contains(':') {
            return ipv6(input);
        }
        if let Some(base) = input.strip_prefix("*.") {
            if base.parse::<Ipv4Addr>().is_ok() {
                return Err(PatternError::WildcardAddress);
            }
            name(base)?;
            return if input.len() > MAX_NAME {
                Err(PatternError::TooLong)
            } else {
                Ok(Self(Repr::Below(base.into())))
            };
        }
        if let Ok(address) = input.parse::<Ipv4Addr>() {
            return Ok(Self(Repr::Address(address.into())));
        }
        name(input)?;
        Ok(Self(Repr::Exact(input.into())))
    }

    /// Whether the rule names this host. A name never matches an address, nor the reverse.
    #[must_use]
    pub fn matches(&self, host: &Host) -> bool {
        self.as_ref().matches(host)
    }

    /// Whether every host that `other` matches is matched by this pattern too.
    ///
    /// ```
    /// # use policy_core::Pattern;
    /// let below = Pattern::parse("*.github.com")?;
    /// assert!(below.covers(&Pattern::parse("x.github.com")?));
    /// assert!(below.covers(&Pattern::parse("*.x.github.com")?));
    /// assert!(!below.covers(&Pattern::parse("github.com")?));
    /// # Ok::<(), policy_core::PatternError>(())
    /// ```
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Below(base), Repr::Exact(name)) => is_below(name.as_bytes(), base.as_bytes()),
            (Repr::Below(base), Repr::Below(name)) => {
                name == base || is_below(name.as_bytes(), base.as_bytes())
            }
            (ours, theirs) => ours == theirs,
        }
    }

    /// The pattern without ownership, as decisions name it.
    #[must_use]
    pub fn as_ref(&self) -> PatternRef<'_> {
        PatternRef(match &self.0 {
            Repr::Exact(name) => Borrowed::Exact(name.as_bytes()),
            Repr::Below(base) => Borrowed::Below(base.as_bytes()),
            Repr::Address(address) => Borrowed::Address(*address),
        })
    }

    /// Whether the pattern begins with `*.`.
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        self.as_ref().is_wildcard()
    }

    /// The name itself, without the `*.`; `None` for an address.
    #[must_use]
    pub fn base(&self) -> Option<&str> {
        self.as_ref().base()
    }

    /// The address, for a pattern that is one.
    #[must_use]
    pub fn address(&self) -> Option<IpAddr> {
        self.as_ref().address()
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(input: &str) -> Result<Self, PatternError> {
        Self::parse(input)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({self})")
    }
}

impl From<PatternRef<'_>> for Pattern {
    fn from(pattern: PatternRef<'_>) -> Self {
        Self(match pattern.0 {
            Borrowed::Exact(name) => Repr::Exact(text(name).into()),
            Borrowed::Below(base) => Repr::Below(text(base).into()),
            Borrowed::Address(address) => Repr::Address(address),
        })
    }
}

/// A [`Pattern`] borrowed from the policy that contains it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternRef<'p>(Borrowed<'p>);

/// Names are ASCII bytes: a decision borrows them from a compiled policy, where making a `str` of
/// them would cost as much as finding them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Borrowed<'p> {
    Exact(&'p [u8]),
    Below(&'p [u8]),
    Address(IpAddr),
}

impl<'p> PatternRef<'p> {
    pub(crate) fn exact(name: &'p [u8]) -> Self {
        Self(Borrowed::Exact(name))
    }

    pub(crate) fn below(base: &'p [u8]) -> Self {
        Self(Borrowed::Below(base))
    }

    pub(crate) fn of_address(address: IpAddr) -> Self {
        Self(Borrowed::Address(address))
    }

    /// As [`Pattern::matches`].
    #[must_use]
    pub fn matches(self, host: &Host) -> bool {
        match (self.0, host.canonical_name()) {
            (Borrowed::Exact(name), Some(host)) => name == host.as_bytes(),
            (Borrowed::Below(base), Some(host)) => is_below(host.as_bytes(), base),
            (Borrowed::Address(address), None) => host.address() == Some(address),
            _ => false,
        }
    }

    /// As [`Pattern::is_wildcard`].
    #[must_use]
    pub fn is_wildcard(self) -> bool {
        matches!(self.0, Borrowed::Below(_))
    }

    /// As [`Pattern::base`].
    #[must_use]
    pub fn base(self) -> Option<&'p str> {
        self.name().map(text)
    }

    /// The bytes of [`PatternRef::base`].
    pub(crate) fn name(self) -> Option<&'p [u8]> {
        match self.0 {
            Borrowed::Exact(name) | Borrowed::Below(name) => Some(name),
            Borrowed::Address(_) => None,
        }
    }

    /// As [`Pattern::address`].
    #[must_use]
    pub fn address(self) -> Option<IpAddr> {
        match self.0 {
            Borrowed::Address(address) => Some(address),
            _ => None,
        }
    }
}

impl fmt::Display for PatternRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Borrowed::Exact(name) => f.write_str(text(name)),
            Borrowed::Below(base) => write!(f, "*.{}", text(base)),
            Borrowed::Address(address) => address.fmt(f),
        }
    }
}

impl fmt::Debug for PatternRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({self})")
    }
}

/// A borrowed name as text. It equals a part of a host or of a pattern, so it is ASCII; only bytes of
/// a compiled policy that nobody verified could be anything else.
fn text(name: &[u8]) -> &str {
    core::str::from_utf8(name).unwrap_or_default()
}

/// Whether `name` lies strictly below `base`. Both are canonical, so neither begins with a dot.
fn is_below(name: &[u8], base: &[u8]) -> bool {
    name.strip_suffix(base)
        .is_some_and(|rest| rest.ends_with(b"."))
}

/// Spellings from other grammars: URLs, globs, regular expressions, address ranges.
fn foreign(input: &str) -> Option<PatternError> {
    if input.is_empty() {
        return Some(PatternError::Empty);
    }
    if input.chars().any(char::is_control) {
        return Some(PatternError::Control);
    }
    if input.chars().any(char::is_whitespace) {
        return Some(PatternError::WhiteSpace);
    }
    if !input.is_ascii() {
        return Some(PatternError::NonAscii);
    }
    if input.contains("://") {
        return Some(PatternError::Scheme);
    }
    if is_range(input) {
        return Some(PatternError::Cidr);
    }
    let found = |characters: &[char]| input.contains(characters);
    if found(&['@']) {
        return Some(PatternError::Userinfo);
    }
    if found(&['/', '#']) {
        return Some(PatternError::Path);
    }
    if let Some((before, after)) = input.split_once('?') {
        let query = before.contains('.') && (after.is_empty() || after.contains('='));
        return Some(if query {
            PatternError::Query
        } else {
            PatternError::QuestionMark
        });
    }
    if found(&['%']) {
        return Some(PatternError::Percent);
    }
    if input.starts_with('[') && input.contains(']') && input.contains(':') {
        return Some(PatternError::Brackets);
    }
    if found(&['{', '}', '(', ')', '[', ']', '|', '^', '$', '+', '\\']) {
        return Some(PatternError::Regex);
    }
    wildcard(input)
}

/// `10.0.0.0/8`, `10/8`, `10.0.0.0/255.0.0.0`, `2001:db8::/32`.
fn is_range(input: &str) -> bool {
    let dotted = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    input.split_once('/').is_some_and(|(address, size)| {
        dotted(size) && (dotted(address) || address.parse::<Ipv6Addr>().is_ok())
    })
}

fn wildcard(input: &str) -> Option<PatternError> {
    if input == "*" || input == "*." {
        return Some(PatternError::BareWildcard);
    }
    if input.contains("**") {
        return Some(PatternError::DoubleWildcard);
    }
    let rest = input.strip_prefix("*.").unwrap_or(input);
    rest.contains('*').then_some(PatternError::WildcardPosition)
}

/// An IPv6 address in RFC 5952 form, or the finding for another text with a colon.
fn ipv6(input: &str) -> Result<Pattern, PatternError> {
    if input.bytes().filter(|byte| *byte == b':').count() == 1 {
        return Err(PatternError::Port);
    }
    if let Some(rest) = input.strip_prefix("*.") {
        return Err(match rest.parse::<Ipv6Addr>() {
            Ok(_) => PatternError::WildcardAddress,
            Err(_) => PatternError::Ipv6,
        });
    }
    let address: Ipv6Addr = input.parse().map_err(|_| PatternError::Ipv6)?;
    if address.to_ipv4_mapped().is_some() {
        return Err(PatternError::MappedAddress);
    }
    if address.to_string() != input {
        return Err(PatternError::Ipv6Spelling);
    }
    Ok(Pattern(Repr::Address(address.into())))
}

/// A canonical name.
fn name(text: &str) -> Result<(), PatternError> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Err(PatternError::UpperCase);
    }
    if text.starts_with('.') {
        return Err(PatternError::LeadingDot);
    }
    if text.ends_with('.') && !text.ends_with("..") {
        return Err(PatternError::TrailingDot);
    }
    check_name(text).map_err(|error| match error {
        HostError::Empty | HostError::EmptyLabel => PatternError::EmptyLabel,
        HostError::LabelTooLong => PatternError::LabelTooLong,
        HostError::TooLong => PatternError::TooLong,
        HostError::NumericLastLabel => PatternError::NumericLastLabel,
        HostError::ALabel => PatternError::ALabel,
        _ => PatternError::Character,
    })
}

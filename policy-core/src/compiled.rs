//! A compiled policy as bytes: written once, read anywhere without building.

use alloc::vec::Vec;
use core::fmt;

use crate::decision::Decision;
use crate::egress::{self, Egress};
use crate::host::{Host, check_name};
use crate::image::{Header, Image, ImageError, Owned, Sources, is_sealed};
use crate::name::MAX_NAME;
use crate::name::Name;
use crate::pattern::PatternRef;

/// A compiled policy in borrowed bytes, such as those of a memory map.
///
/// The bytes are those of [`Egress::to_bytes`]. [`open`](Self::open) verifies them, once, where they
/// arrive. [`open_unverified`](Self::open_unverified) costs the same for ten rules and for a million:
/// nothing is built, and a decision reads only what it needs; it is for bytes that were verified
/// before and are still the same.
///
/// Who wrote the bytes is the caller's to know: the checksum finds damage, not forgery.
///
/// ```
/// use policy_core::{CompiledEgress, Egress, Host, Pattern};
///
/// let egress = Egress::builder()
///     .allow(Pattern::parse("*.acme.example")?)
///     .build()?;
/// let bytes = egress.to_bytes();
///
/// let compiled = CompiledEgress::open(&bytes)?;
/// let host = Host::parse("mcp.acme.example")?;
/// assert_eq!(compiled.decide(&host), egress.decide(&host));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CompiledEgress<'b> {
    header: Header,
    bytes: &'b [u8],
}

impl<'b> CompiledEgress<'b> {
    /// Reads the bytes and checks that they are exactly what compiling their patterns gives.
    /// No decision differs from one by [`Egress`].
    ///
    /// It takes about the time of compiling, and the memory of a list of the patterns beside.
    ///
    /// # Errors
    ///
    /// Any [`ImageError`]: those of [`open_unverified`](Self::open_unverified) and of
    /// [`verify`](Self::verify).
    pub fn open(bytes: &'b [u8]) -> Result<Self, ImageError> {
        let compiled = Self::open_unverified(bytes)?;
        compiled.verify()?;
        Ok(compiled)
    }

    /// Reads the header, and checks that the bytes are as many as it says and use nothing that this
    /// version does not know. Takes the same time for any number of rules.
    ///
    /// Of the patterns nothing is checked: where a single byte is damaged, a denied host may be
    /// allowed, until [`verify`](Self::verify) has said that the bytes are whole.
    ///
    /// # Errors
    ///
    /// Any [`ImageError`] but [`ImageError::Checksum`] and [`ImageError::Content`].
    pub fn open_unverified(bytes: &'b [u8]) -> Result<Self, ImageError> {
        let header = Header::open(bytes)?;
        if egress::is_known(header.flags, header.sources) {
            Ok(Self { header, bytes })
        } else {
            Err(ImageError::Unknown)
        }
    }

    /// Checks that the bytes are exactly what compiling their patterns gives. After that no
    /// decision differs from one by [`Egress`].
    ///
    /// It takes about the time of compiling, and the memory of a list of the patterns beside.
    ///
    /// # Errors
    ///
    /// [`ImageError::Checksum`] for damage: every change of a single byte is found, others but for
    /// one in 2⁶⁴. [`ImageError::Content`] for bytes that were made to look right.
    pub fn verify(&self) -> Result<(), ImageError> {
        self.compile().map(|_| ())
    }

    /// Decides a host and names the rule, as [`Egress::decide`].
    ///
    /// By bytes that were not verified, the answer may be wrong; it still comes without a panic and
    /// in bounded time.
    #[must_use]
    pub fn decide(&self, host: &Host) -> Decision<'_> {
        egress::decide(self.image(), host)
    }

    fn image(&self) -> Image<'_> {
        Image::new(&self.header, self.bytes)
    }

    /// The policy that the bytes must be the image of.
    fn compile(&self) -> Result<Owned, ImageError> {
        if !is_sealed(self.bytes) {
            return Err(ImageError::Checksum);
        }
        let patterns = || self.image().patterns();
        let sound = patterns().all(|(pattern, _)| is_canonical(pattern));
        let sources = patterns().fold(0, |all: Sources, (_, sources)| all | sources);
        if !sound || !egress::is_consistent(self.header.flags, sources) {
            return Err(ImageError::Content);
        }
        let patterns: Vec<_> = patterns().collect();
        let compiled = Owned::compile(&patterns, self.header.flags);
        if compiled.bytes() == self.bytes {
            Ok(compiled)
        } else {
            Err(ImageError::Content)
        }
    }
}

impl fmt::Debug for CompiledEgress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompiledEgress")
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

impl Egress {
    /// The policy as bytes, to be read by [`CompiledEgress`] or [`Egress::from_bytes`].
    ///
    /// Equal policies have equal bytes, on every machine. The format carries a version, which
    /// changes when the bytes do.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.owned().bytes().to_vec()
    }

    /// Reads and verifies a policy that [`Egress::to_bytes`] wrote, into memory of its own.
    ///
    /// # Errors
    ///
    /// An [`ImageError`] for everything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ImageError> {
        let compiled = CompiledEgress::open_unverified(bytes)?;
        Ok(Self::from_owned(compiled.compile()?))
    }
}

/// Whether a pattern of an image could have been parsed.
fn is_canonical(pattern: PatternRef<'_>) -> bool {
    let Some(name) = pattern.name() else {
        let address = pattern.address();
        return address.is_some_and(|address| address.to_canonical() == address);
    };
    let fits = name.len() <= MAX_NAME - if pattern.is_wildcard() { 2 } else { 0 };
    let plain = || Name::plain(name).is_some_and(|plain| plain.as_bytes() == name);
    let canonical = || core::str::from_utf8(name).is_ok_and(|name| check_name(name).is_ok());
    fits && (plain() || canonical())
}

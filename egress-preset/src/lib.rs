//! The hosts that a coding agent needs for an everyday task, by name: its model providers, its
//! package registries, its version control.
//!
//! A policy says `presets: [vcs]` instead of six hosts. This crate is the table behind that word:
//! each host of each [`Preset`] with the [`Source`] that says why it is there.
//!
//! ```
//! use egress_preset::{Preset, Source};
//!
//! let vcs: Preset = "vcs".parse()?;
//! let github = vcs.hosts().iter().find(|host| host.pattern() == "github.com");
//! assert!(github.is_some());
//!
//! // No preset allows a place to paste text to.
//! let all = || Preset::ALL.iter().flat_map(|preset| preset.hosts());
//! assert!(all().all(|host| host.pattern() != "pastebin.com"));
//!
//! // Every host says where it comes from.
//! for host in all() {
//!     match host.source() {
//!         Source::Page { title, url, consulted } => println!("{title} <{url}> ({consulted})"),
//!         other => println!("{other}"),
//!     }
//! }
//! # Ok::<(), egress_preset::UnknownPreset>(())
//! ```
//!
//! | Preset | What an agent does there |
//! |---|---|
//! | [`model-providers`](Preset::ModelProviders) | call the model; rarely needed behind a gateway |
//! | [`package-registries`](Preset::PackageRegistries) | install dependencies |
//! | [`vcs`](Preset::Vcs) | clone, fetch, push, read a repository's files |
//!
//! # What it is not
//!
//! It matches nothing and decides nothing: a pattern here is text in the grammar of a policy
//! (`name` for that host only, `*.name` for every name below it), which `policy-core` parses and
//! decides by. It is not a list of safe hosts either. Whoever may write to a host of a preset may
//! carry data out through it, so take only the presets that an agent needs.
//!
//! The crate is data: `no_std`, no allocation, no dependencies, no features.
#![no_std]
#![forbid(unsafe_code)]
// What needs no standard library says so.
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

mod table;

use core::error::Error;
use core::fmt;
use core::str::FromStr;

/// A named list of hosts that a policy's `egress.presets` may hold.
///
/// The order is alphabetical by [name](Preset::name), which is the order in which a policy
/// engine names presets when several of them allow the same host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// `model-providers`: the APIs that the agents call for their model.
    ///
    /// Behind a gateway it is rarely needed: there the agents call the gateway's host.
    ModelProviders,
    /// `package-registries`: where the common package managers resolve and download from.
    PackageRegistries,
    /// `vcs`: the public forges and the hosts that serve their files.
    Vcs,
}

impl Preset {
    /// Every preset, in alphabetical order.
    pub const ALL: &'static [Self] = &[Self::ModelProviders, Self::PackageRegistries, Self::Vcs];

    /// The word for this preset in a policy.
    ///
    /// ```
    /// assert_eq!(egress_preset::Preset::ModelProviders.name(), "model-providers");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ModelProviders => "model-providers",
            Self::PackageRegistries => "package-registries",
            Self::Vcs => "vcs",
        }
    }

    /// The hosts of this preset, each once, sorted by the bytes of their pattern.
    #[must_use]
    pub const fn hosts(self) -> &'static [PresetHost] {
        match self {
            Self::ModelProviders => table::MODEL_PROVIDERS,
            Self::PackageRegistries => table::PACKAGE_REGISTRIES,
            Self::Vcs => table::VCS,
        }
    }
}

impl fmt::Display for Preset {
    /// Writes the [name](Preset::name).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Preset {
    type Err = UnknownPreset;

    /// ```
    /// use egress_preset::Preset;
    ///
    /// assert_eq!("vcs".parse(), Ok(Preset::Vcs));
    /// assert!("VCS".parse::<Preset>().is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownPreset`] for any text that is not exactly the [name](Preset::name) of a preset.
    fn from_str(name: &str) -> Result<Self, UnknownPreset> {
        let mut all = Self::ALL.iter().copied();
        all.find(|preset| preset.name() == name)
            .ok_or(UnknownPreset)
    }
}

/// One host of a [`Preset`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PresetHost {
    pattern: &'static str,
    source: Source,
}

impl PresetHost {
    /// The pattern as a policy would write it: `name` for that host only, `*.name` for every name
    /// below it but not `name`. Lower-case ASCII, without scheme, port or path.
    #[must_use]
    pub const fn pattern(self) -> &'static str {
        self.pattern
    }

    /// Where it is written that this host belongs to the preset.
    #[must_use]
    pub const fn source(self) -> Source {
        self.source
    }
}

/// Why a host is in a [`Preset`].
///
/// Its text is one line: the page, its address and the date, or the words
/// `as stated by the policy document`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A page of the vendor that names the host.
    Page {
        /// The page's title.
        title: &'static str,
        /// The page's address, `https://…`.
        url: &'static str,
        /// The day on which a copy of the page was read and named the host, as `YYYY-MM-DD`.
        consulted: &'static str,
    },
    /// The policy document lists the host and no vendor page that names it was found.
    PolicyDocument,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page {
                title,
                url,
                consulted,
            } => {
                write!(f, "{title} <{url}>, consulted {consulted}")
            }
            Self::PolicyDocument => f.write_str("as stated by the policy document"),
        }
    }
}

/// The text is not the name of a [`Preset`].
///
/// It does not hold the text, so that it needs no allocation: whoever reports it has the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UnknownPreset;

impl fmt::Display for UnknownPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such preset; the presets are ")?;
        for (at, preset) in Preset::ALL.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}`{preset}`")?;
        }
        Ok(())
    }
}

impl Error for UnknownPreset {}

/// Compiles the README's example with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

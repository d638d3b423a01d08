//! What was authored, as it was written: names and words are checked, and nothing is given a
//! meaning yet. A host is still text here, and so is a path.
//!
//! Every value keeps its place, because what is found wrong with it later is told there. A key that
//! is absent differs from one that holds `[]`. A key with nothing after it is refused: commenting
//! out all of a list would otherwise turn "allow only these" into "no list at all".

mod name;
mod parts;
mod pin;
mod read;
#[cfg(test)]
mod tests;
mod word;

use semver::Version;

use crate::harness::Harness;
use crate::repository::finding::Position;
use egress_preset::Preset;

pub(crate) use name::{NAME_RULE, is_name};
pub(crate) use parts::{read_organisation, read_profile, read_unit};
pub use word::nearest;

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    /// For a scalar its first character; for a list its key.
    pub(crate) position: Option<Position>,
}

/// An entry of a list, with its index as written: an entry that could not be read is missing from
/// the list, and the others keep their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry<T> {
    pub(crate) index: usize,
    pub(crate) value: T,
    pub(crate) position: Option<Position>,
}

/// A list that was written, perhaps as `[]`.
pub(crate) type List<T> = At<Vec<Entry<T>>>;

/// `halos.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OrganisationDocument {
    pub(crate) gateway: Option<At<String>>,
    /// In the order written; names are unique.
    pub(crate) rings: Vec<RingDocument>,
    /// Whether all of it could be read.
    pub(crate) intact: bool,
}

/// An entry of `rings`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RingDocument {
    /// The position is the key's.
    pub(crate) name: At<String>,
    pub(crate) profile: At<String>,
    pub(crate) posture: Option<At<Posture>>,
    pub(crate) default: Option<At<bool>>,
}

/// `profiles/<name>.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProfileDocument {
    pub(crate) name: String,
    /// Relative to the repository, with `/`.
    pub(crate) file: String,
    pub(crate) extends: Option<At<String>>,
    pub(crate) egress: EgressPart,
    pub(crate) sandbox: SandboxPart,
    /// In the order written; harnesses are unique. The positions are the key's and the version's.
    pub(crate) harnesses: Vec<(At<Harness>, At<Version>)>,
    /// Whether all of it could be read.
    pub(crate) intact: bool,
}

/// `units/<name>.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct UnitDocument {
    pub(crate) name: String,
    /// Relative to the repository, with `/`.
    pub(crate) file: String,
    pub(crate) overlays: Vec<Entry<OverlayDocument>>,
    /// Whether all of it could be read.
    pub(crate) intact: bool,
}

/// An entry of `overlays`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OverlayDocument {
    /// Absent: every ring.
    pub(crate) rings: Option<List<String>>,
    pub(crate) egress: EgressPart,
    pub(crate) sandbox: SandboxPart,
}

/// `egress`, in a profile and in an overlay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EgressPart {
    pub(crate) allowed_domains: Option<List<String>>,
    pub(crate) presets: Option<List<Preset>>,
    pub(crate) denied_domains: Option<List<String>>,
    pub(crate) default: Option<At<DefaultWord>>,
}

/// `sandbox` and `permissions`, in a profile and in an overlay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SandboxPart {
    /// `permissions.sandbox`, another spelling of `mode`.
    pub(crate) permissions_sandbox: Option<At<ModeWord>>,
    pub(crate) mode: Option<At<ModeWord>>,
    pub(crate) writable_roots: Option<List<String>>,
    pub(crate) protected_paths: Option<List<String>>,
}

word::words! {
    /// `sandbox.mode` and `permissions.sandbox`.
    ModeWord: UnknownMode "sandbox mode" {
        Off "off",
        WorkspaceWrite "workspace-write",
        ReadOnly "read-only",
    }
}

word::words! {
    /// `egress.default`.
    DefaultWord: UnknownDefault "default" {
        Allow "allow",
        Deny "deny",
    }
}

word::words! {
    /// A ring's `posture`.
    Posture: UnknownPosture "posture" {
        Off "off",
        Warn "warn",
        Enforce "enforce",
    }
}

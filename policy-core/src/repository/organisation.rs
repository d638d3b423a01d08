//! The organisation as it is meant: its rings, units and profiles, and the policy of each.

mod compare;

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use crate::host::Host;
use crate::policy::Policy;
use crate::posture::Posture;
use crate::quote::{quoted, quoted_host};
use crate::repository::document::{At, Posture as PostureWord, RingDocument, nearest};
use crate::repository::layer::Layer;
use crate::repository::resolved::Resolved;
use crate::repository::validate::compile;

pub use compare::{Difference, DifferenceKind, Repinned, Scope};

/// A ring: a group of devices that share a profile.
#[derive(Clone, Debug)]
pub struct Ring {
    name: String,
    profile: String,
    posture: Posture,
    is_default: bool,
}

impl Ring {
    pub(crate) fn new(document: &RingDocument, is_default: bool) -> Self {
        Self {
            name: document.name.value.clone(),
            profile: document.profile.value.clone(),
            posture: match document.posture.as_ref().map(|posture| posture.value) {
                Some(PostureWord::Off) => Posture::Off,
                Some(PostureWord::Warn) | None => Posture::Warn,
                Some(PostureWord::Enforce) => Posture::Enforce,
            },
            is_default,
        }
    }

    /// The name, as in `--ring`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of its profile.
    #[must_use]
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// What a drifted device means.
    #[must_use]
    pub fn posture(&self) -> Posture {
        self.posture
    }

    /// Whether it is used where no ring is named.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.is_default
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) layer: Layer,
    pub(crate) extends: Option<At<String>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) file: String,
    pub(crate) overlays: Vec<Overlay>,
}

#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    /// Absent: every ring.
    pub(crate) rings: Option<BTreeSet<String>>,
    pub(crate) layer: Layer,
}

impl Overlay {
    pub(crate) fn applies_to(&self, ring: &str) -> bool {
        let rings = self.rings.as_ref();
        rings.is_none_or(|rings| rings.contains(ring))
    }
}

impl Unit {
    pub(crate) fn overlays_for<'u>(&'u self, ring: &'u str) -> impl Iterator<Item = &'u Layer> {
        let overlays = self.overlays.iter();
        overlays
            .filter(|overlay| overlay.applies_to(ring))
            .map(|overlay| &overlay.layer)
    }
}

/// Where agents reach their models.
#[derive(Clone, Debug)]
pub(crate) struct Gateway {
    pub(crate) host: Host,
    /// As the URL Standard writes it, without credentials.
    pub(crate) url: String,
}

/// A validated policy repository: every ring, unit and profile has a policy without errors.
#[derive(Clone, Debug)]
pub struct Organisation {
    gateway: Option<Gateway>,
    profiles: BTreeMap<String, Profile>,
    rings: Vec<Ring>,
    units: BTreeMap<String, Unit>,
}

/// The policy of a ring, of a ring with a unit, or of a profile.
#[derive(Clone, Debug)]
pub struct Selection<'o> {
    ring: Option<&'o Ring>,
    unit: Option<&'o str>,
    profile: &'o str,
    policy: Policy,
}

impl<'o> Selection<'o> {
    /// The ring; `None` when a profile was selected by its name.
    #[must_use]
    pub fn ring(&self) -> Option<&'o Ring> {
        self.ring
    }

    /// The unit whose overlays are applied.
    #[must_use]
    pub fn unit(&self) -> Option<&'o str> {
        self.unit
    }

    /// The profile.
    #[must_use]
    pub fn profile(&self) -> &'o str {
        self.profile
    }

    /// What is meant.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What is meant, owned.
    #[must_use]
    pub fn into_policy(self) -> Policy {
        self.policy
    }
}

impl Organisation {
    pub(crate) fn new(
        gateway: Option<Gateway>,
        profiles: BTreeMap<String, Profile>,
        rings: Vec<Ring>,
        units: BTreeMap<String, Unit>,
    ) -> Self {
        Self {
            gateway,
            profiles,
            rings,
            units,
        }
    }

    /// The gateway host.
    #[must_use]
    pub fn gateway(&self) -> Option<&Host> {
        self.gateway.as_ref().map(|gateway| &gateway.host)
    }

    /// The gateway's URL, as the URL Standard writes it: `https://ai.acme.example/`.
    #[must_use]
    pub fn gateway_url(&self) -> Option<&str> {
        self.gateway.as_ref().map(|gateway| gateway.url.as_str())
    }

    /// The rings, in the order written.
    pub fn rings(&self) -> impl Iterator<Item = &Ring> {
        self.rings.iter()
    }

    /// The names of the units, in order.
    pub fn unit_names(&self) -> impl Iterator<Item = &str> {
        self.units.keys().map(String::as_str)
    }

    /// The names of the profiles, in order.
    pub fn profile_names(&self) -> impl Iterator<Item = &str> {
        self.profiles.keys().map(String::as_str)
    }

    /// The policy of a ring, the default one when none is named, with a unit's overlays applied
    /// when one is named.
    ///
    /// # Errors
    ///
    /// [`SelectError`] for a ring or unit that does not exist, and when no ring is named and none
    /// is the default.
    pub fn select(
        &self,
        ring: Option<&str>,
        unit: Option<&str>,
    ) -> Result<Selection<'_>, SelectError> {
        let ring = match ring {
            Some(name) => self
                .rings
                .iter()
                .find(|ring| ring.name == name)
                .ok_or_else(|| {
                    SelectError::unknown("ring", name, self.rings.iter().map(Ring::name))
                })?,
            None => self
                .rings
                .iter()
                .find(|ring| ring.is_default)
                .ok_or(SelectError::NoDefaultRing)?,
        };
        let unit = match unit {
            Some(name) => Some(
                self.units
                    .get_key_value(name)
                    .ok_or_else(|| SelectError::unknown("unit", name, self.unit_names()))?,
            ),
            None => None,
        };
        let unit = unit.map(|(name, _)| name.as_str());
        self.selection(Some(ring), unit, &ring.profile)
    }

    /// The policy of a profile by its name.
    ///
    /// # Errors
    ///
    /// [`SelectError`] for a profile that does not exist.
    pub fn select_profile(&self, name: &str) -> Result<Selection<'_>, SelectError> {
        let (name, _) = self
            .profiles
            .get_key_value(name)
            .ok_or_else(|| SelectError::unknown("profile", name, self.profile_names()))?;
        self.selection(None, None, name)
    }

    fn selection<'o>(
        &'o self,
        ring: Option<&'o Ring>,
        unit: Option<&'o str>,
        profile: &'o str,
    ) -> Result<Selection<'o>, SelectError> {
        let resolved = self.resolve_selected(ring, unit, profile);
        let policy = resolved.and_then(|resolved| compile(&resolved).ok());
        Ok(Selection {
            ring,
            unit,
            profile,
            policy: policy.ok_or(SelectError::Unsound)?,
        })
    }

    /// What holds for a profile, with the overlays of a unit for a ring; `None` where a part does not
    /// exist.
    pub(crate) fn resolve_selected<'o>(
        &'o self,
        ring: Option<&'o Ring>,
        unit: Option<&'o str>,
        profile: &str,
    ) -> Option<Resolved<'o>> {
        let resolved = self.resolve(profile)?;
        let (Some(ring), Some(unit)) = (ring, unit) else {
            return Some(resolved);
        };
        let overlays: Vec<&Layer> = self.units.get(unit)?.overlays_for(&ring.name).collect();
        Some(if overlays.is_empty() {
            resolved
        } else {
            resolved.narrow(&overlays)
        })
    }

    /// What holds for a profile after its ancestors and itself have spoken; `None` where one of them
    /// does not exist.
    pub(crate) fn resolve(&self, name: &str) -> Option<Resolved<'_>> {
        let (chain, whole) = self.chain(name);
        whole.then(|| Resolved::of(chain))
    }

    /// The same, of those ancestors that exist.
    pub(crate) fn resolve_known(&self, name: &str) -> Resolved<'_> {
        Resolved::of(self.chain(name).0)
    }

    /// The layers of a profile, root ancestor first, and whether all of them exist. A chain that
    /// does not end is not whole.
    fn chain(&self, name: &str) -> (Vec<&Layer>, bool) {
        let mut layers = Vec::new();
        let mut next = Some(name);
        while let Some(name) = next {
            let profile = self.profiles.get(name);
            let Some(profile) = profile.filter(|_| layers.len() < self.profiles.len()) else {
                break;
            };
            layers.push(&profile.layer);
            next = profile.extends.as_ref().map(|extends| &*extends.value);
        }
        layers.reverse();
        (layers, next.is_none())
    }

    pub(crate) fn profiles(&self) -> &BTreeMap<String, Profile> {
        &self.profiles
    }

    pub(crate) fn parent(&self, name: &str) -> Option<&str> {
        let extends = self.profiles.get(name)?.extends.as_ref();
        extends.map(|extends| &*extends.value)
    }

    /// Whether a profile is another one or extends it, at once or through others.
    pub(crate) fn descends(&self, profile: &str, ancestor: &str) -> bool {
        let mut chain = core::iter::successors(Some(profile), |name| self.parent(name));
        chain
            .by_ref()
            .take(self.profiles.len())
            .any(|name| name == ancestor)
    }

    pub(crate) fn unit(&self, name: &str) -> Option<&Unit> {
        self.units.get(name)
    }

    pub(crate) fn units(&self) -> impl Iterator<Item = (&str, &Unit)> {
        self.units.iter().map(|(name, unit)| (name.as_str(), unit))
    }
}

/// Why no policy was selected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// No ring is named, and none is marked `default: true`.
    #[error("no ring is named and none is the default: name one with `--ring`")]
    NoDefaultRing,
    /// A ring, unit or profile that does not exist.
    #[error("there is no {kind} {}{}", quoted_host(name), .near.as_ref().map_or_else(String::new, |near| alloc::format!(", did you mean {}?", quoted(near))))]
    Unknown {
        /// `ring`, `unit` or `profile`.
        kind: &'static str,
        /// The name that was asked for.
        name: String,
        /// The nearest name that exists.
        near: Option<String>,
    },
    /// The parts of a validated organisation do not fit together; validation keeps this from
    /// happening, and if it happens nothing is decided.
    #[error("the policy has errors")]
    Unsound,
}

impl SelectError {
    fn unknown<'n>(kind: &'static str, name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let known: Vec<&str> = known.collect();
        Self::Unknown {
            kind,
            name: name.to_owned(),
            near: nearest(name, known.iter().copied()).map(ToOwned::to_owned),
        }
    }
}

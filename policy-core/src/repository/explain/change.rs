//! What would have to change in the files for the opposite answer.

use alloc::collections::BTreeSet;
use core::fmt;
use std::collections::HashSet;

use super::Place;
use egress_preset::Preset;

use crate::decision::Verdict;
use crate::host::Host;
use crate::pattern::Pattern;
use crate::quote::quoted;
use crate::repository::document::Entry;
use crate::repository::finding::Position;
use crate::repository::layer::{Field, Layer, Role};
use crate::repository::organisation::{Organisation, Overlay, Ring, Selection, Unit};
use crate::repository::resolved::Resolved;
use crate::sandbox::Mode;

/// What would have to change for a host to be decided the other way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Opposite {
    /// All of these, together.
    Changes(Vec<Change>),
    /// Nothing can: the host is the gateway, and every policy must allow it.
    Gateway,
}

/// One edit of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// Take an entry out of its list. With the last entry of a restriction list its key goes too;
    /// an allowlist stays, as `[]`.
    Remove {
        /// Where the entry is.
        place: Place,
        /// The entry.
        entry: String,
    },
    /// Add an entry to a list, which may not be written yet.
    Add {
        /// The file.
        file: String,
        /// The list: `profiles.base.egress.allowedDomains`.
        path: String,
        /// The entry.
        entry: String,
        /// Whether the list is `[]` now, which clears what is inherited, and no longer will.
        ends_clearing: bool,
    },
    /// Set a value, which may not be written yet.
    Set {
        /// The file.
        file: String,
        /// The value: `profiles.base.sandbox.mode`.
        path: String,
        /// What to write.
        value: String,
    },
    /// Add an overlay to a unit.
    AddOverlay {
        /// The file of the unit.
        file: String,
        /// The list: `units.payments.overlays`.
        path: String,
        /// The overlay, as YAML.
        overlay: String,
    },
}

impl Change {
    /// `remove`, `add`, `set` or `add-overlay`.
    #[must_use]
    pub fn action(&self) -> &'static str {
        match self {
            Self::Remove { .. } => "remove",
            Self::Add { .. } => "add",
            Self::Set { .. } => "set",
            Self::AddOverlay { .. } => "add-overlay",
        }
    }

    /// The file, relative to the repository.
    #[must_use]
    pub fn file(&self) -> &str {
        match self {
            Self::Remove { place, .. } => place.file(),
            Self::Add { file, .. } | Self::Set { file, .. } | Self::AddOverlay { file, .. } => file,
        }
    }

    /// The place in the file, of what is there already.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Remove { place, .. } => place.position(),
            _ => None,
        }
    }

    /// The value or list that changes: `profiles.base.egress.deniedDomains[0]`.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Remove { place, .. } => place.path(),
            Self::Add { path, .. } | Self::Set { path, .. } | Self::AddOverlay { path, .. } => path,
        }
    }

    /// What is removed, added or written.
    #[must_use]
    pub fn value(&self) -> &str {
        match self {
            Self::Remove { entry, .. } | Self::Add { entry, .. } => entry,
            Self::Set { value, .. } => value,
            Self::AddOverlay { overlay, .. } => overlay,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Remove { place, entry } => {
                write!(
                    f,
                    "remove {} from {place} ({})",
                    quoted(entry),
                    place.path()
                )
            }
            Self::Add {
                file,
                path,
                entry,
                ends_clearing,
            } => {
                write!(f, "add {} in {file} ({path})", quoted(entry))?;
                f.write_str(if *ends_clearing {
                    ", which then no longer clears what it inherits"
                } else {
                    ""
                })
            }
            Self::Set { file, path, value } => {
                write!(f, "write {} in {file} ({path})", quoted(value))
            }
            Self::AddOverlay {
                file,
                path,
                overlay,
            } => write!(f, "add the overlay {} in {file} ({path})", quoted(overlay)),
        }
    }
}

/// What would have to change for `host` to be decided otherwise than `verdict`.
pub(super) fn opposite(
    organisation: &Organisation,
    selection: &Selection<'_>,
    host: &Host,
    verdict: Verdict,
) -> Opposite {
    let mut changes = Changes {
        organisation,
        host,
        changes: Vec::new(),
        known: HashSet::new(),
    };
    match verdict {
        Verdict::Allow if organisation.gateway() == Some(host) => return Opposite::Gateway,
        Verdict::Allow => changes.deny(selection),
        Verdict::Deny => changes.allow(selection),
    }
    Opposite::Changes(changes.changes)
}

struct Changes<'o> {
    organisation: &'o Organisation,
    host: &'o Host,
    changes: Vec<Change>,
    known: HashSet<Change>,
}

impl<'o> Changes<'o> {
    fn push(&mut self, change: Change) {
        if self.known.insert(change.clone()) {
            self.changes.push(change);
        }
    }

    fn add(&mut self, layer: &Layer, field: Field) {
        self.push(Change::Add {
            file: layer.file.clone(),
            path: layer.at(0, field).path(),
            entry: self.host.to_string(),
            ends_clearing: layer.role == Role::Profile
                && field == Field::Allowed
                && layer
                    .allowed
                    .as_ref()
                    .is_some_and(|list| list.value.is_empty()),
        });
    }

    fn add_overlay(&mut self, unit: &str, rest: &str, ring: &Ring) {
        let file = self.organisation.unit(unit).map(|unit| unit.file.clone());
        self.push(Change::AddOverlay {
            file: file.unwrap_or_default(),
            path: format!("units.{unit}.overlays"),
            overlay: format!("{{ rings: [{}], {rest} }}", ring.name()),
        });
    }

    /// Removes the entries of a list that match the host.
    fn remove(&mut self, layer: &Layer, field: Field, list: &[Entry<Pattern>]) {
        for entry in list.iter().filter(|entry| entry.value.matches(self.host)) {
            self.push(Change::Remove {
                place: Place::of(&layer.at(0, field).entry(entry)),
                entry: entry.value.to_string(),
            });
        }
    }

    fn allow(&mut self, selection: &Selection<'_>) {
        self.permit_in_profile(selection.profile());
        let (Some(ring), Some(name)) = (self.ring(selection), selection.unit()) else {
            return;
        };
        let Some(unit) = self.organisation.unit(name) else {
            return;
        };
        let overlays: Vec<&Layer> = unit.overlays_for(ring.name()).collect();
        for layer in &overlays {
            let denied = layer.denied.as_ref().map_or(&[][..], |list| &list.value);
            self.remove(layer, Field::Denied, denied);
        }
        let Some(resolved) = self.organisation.resolve(selection.profile()) else {
            return;
        };
        if self.permits(&resolved.narrow(&overlays)) {
            return;
        }
        if overlays.iter().any(|layer| layer.allowed.is_some()) {
            let (layers, rings) = linked(self.organisation, unit, ring, sets_hosts);
            for layer in layers {
                self.add(layer, Field::Allowed);
            }
            let mut permitted = BTreeSet::new();
            for ring in rings {
                if permitted.insert(ring.profile()) {
                    self.permit_in_profile(ring.profile());
                }
            }
        } else if self.permits(&resolved) && resolved.allowlist_is_empty() {
            // The ring allows by default, and its profile would deny all with a first allowed host.
            let rest = format!(
                "egress: {{ allowedDomains: [{}] }}",
                quoted_in_yaml(self.host)
            );
            self.add_overlay(name, &rest, ring);
        } else {
            // The overlays drop a preset and leave `allowedDomains` as the profile has it.
            self.add_to_profile(selection.profile(), Field::Allowed);
        }
    }

    /// Makes a profile permit the host: nothing in it or its ancestors denies it, and something
    /// allows it.
    fn permit_in_profile(&mut self, profile: &str) {
        let Some(resolved) = self.organisation.resolve(profile) else {
            return;
        };
        let matching = resolved
            .denied
            .iter()
            .filter(|held| held.value.matches(self.host));
        for held in matching {
            self.push(Change::Remove {
                place: Place::of(&held.origin),
                entry: held.value.to_string(),
            });
        }
        if !self.permits(&resolved) {
            self.add_to_profile(profile, Field::Allowed);
        }
    }

    fn add_to_profile(&mut self, profile: &str, field: Field) {
        if let Some(profile) = self.organisation.profiles().get(profile) {
            self.add(&profile.layer, field);
        }
        if field == Field::Allowed {
            self.keep_open_what_inherits(profile);
        }
    }

    /// A profile that inherits an allowed host and says `default: allow` would contradict itself: it
    /// goes on allowing all when it clears what it inherits.
    fn keep_open_what_inherits(&mut self, ancestor: &str) {
        let organisation = self.organisation;
        for (name, profile) in organisation.profiles() {
            let default = profile.layer.default.as_ref();
            let opens = default.is_some_and(|default| default.value == Verdict::Allow);
            if !opens || name == ancestor || !organisation.descends(name, ancestor) {
                continue;
            }
            let chain =
                core::iter::successors(Some(name.as_str()), |name| organisation.parent(name));
            let mut heirs = chain.take_while(|name| *name != ancestor);
            let clears = heirs.any(|name| {
                let heir = organisation.profiles().get(name);
                heir.is_some_and(|heir| heir.layer.allowed.is_some())
            });
            if !clears {
                self.push(Change::Set {
                    file: profile.layer.file.clone(),
                    path: profile.layer.at(0, Field::Allowed).path(),
                    value: "[]".to_owned(),
                });
            }
        }
    }

    /// The ring of the selection.
    fn ring(&self, selection: &Selection<'_>) -> Option<&'o Ring> {
        let name = selection.ring()?.name();
        self.organisation.rings().find(|ring| ring.name() == name)
    }

    /// Whether the host is allowed before anything is denied.
    fn permits(&self, resolved: &Resolved<'_>) -> bool {
        let permits = resolved.permits();
        permits.is_some_and(|egress| egress.decide(self.host).is_allowed())
    }

    fn deny(&mut self, selection: &Selection<'_>) {
        let (ring, unit, profile) = (selection.ring(), selection.unit(), selection.profile());
        let sandbox = selection.policy().sandbox();
        let off = sandbox.is_some_and(|sandbox| sandbox.mode() == Mode::Off);
        if let (Some(ring), Some(unit)) = (ring, unit) {
            let denied = quoted_in_yaml(self.host);
            let mode = if off {
                "sandbox: { mode: workspace-write }, "
            } else {
                ""
            };
            let rest = format!("{mode}egress: {{ deniedDomains: [{denied}] }}");
            return self.add_overlay(unit, &rest, ring);
        }
        self.add_to_profile(profile, Field::Denied);
        if let Some(profile) = self.organisation.profiles().get(profile).filter(|_| off) {
            self.switch_on(&profile.layer);
        }
        self.switch_on_what_inherits(profile);
        self.unlist_in_units(profile);
    }

    /// A rule needs a sandbox in every profile that inherits it, and a unit may not switch off that
    /// of its ring: none of them may say `off` by itself.
    fn switch_on_what_inherits(&mut self, ancestor: &str) {
        let organisation = self.organisation;
        let is_off = |layer: &Layer| {
            let mode = layer.mode.as_ref();
            mode.is_some_and(|mode| mode.value == Mode::Off)
        };
        for (name, profile) in organisation.profiles() {
            if is_off(&profile.layer) && organisation.descends(name, ancestor) {
                self.switch_on(&profile.layer);
            }
        }
        let rings = self.rings_of(ancestor);
        for overlay in organisation.units().flat_map(|(_, unit)| &unit.overlays) {
            let applies = || rings.iter().any(|ring| overlay.applies_to(ring.name()));
            if is_off(&overlay.layer) && applies() {
                self.switch_on(&overlay.layer);
            }
        }
    }

    /// Sets the mode of a layer to the laxest that holds rules, under each name that it is given
    /// there.
    fn switch_on(&mut self, layer: &Layer) {
        for key in layer.mode_keys {
            self.push(Change::Set {
                file: layer.file.clone(),
                path: format!("{}.{key}", layer.root),
                value: Mode::WorkspaceWrite.to_string(),
            });
        }
    }

    /// The rings whose policy changes with a profile.
    fn rings_of(&self, profile: &str) -> Vec<&'o Ring> {
        let organisation = self.organisation;
        let rings = organisation.rings();
        rings
            .filter(|ring| organisation.descends(ring.profile(), profile))
            .collect()
    }

    /// An overlay may not list what its ring denies, so none may list the host by itself.
    fn unlist_in_units(&mut self, profile: &str) {
        let rings = self.rings_of(profile);
        for (_, unit) in self.organisation.units() {
            self.unlist(unit, &rings);
        }
    }

    fn unlist(&mut self, unit: &'o Unit, rings: &[&'o Ring]) {
        let (organisation, host) = (self.organisation, self.host);
        let listed = |layer: &Layer| -> Vec<Entry<Pattern>> {
            let list = layer.allowed.iter().flat_map(|list| &list.value);
            let itself =
                |entry: &&Entry<Pattern>| !entry.value.is_wildcard() && entry.value.matches(host);
            list.filter(itself).cloned().collect()
        };
        let overlays = unit.overlays.iter();
        let listing: Vec<&Overlay> = overlays
            .filter(|overlay| !listed(&overlay.layer).is_empty())
            .collect();
        let mut settled = BTreeSet::new();
        for ring in rings {
            let lists = |overlay: &&Overlay| overlay.applies_to(ring.name());
            if settled.contains(ring.name()) || !listing.iter().any(lists) {
                continue;
            }
            let (layers, rings) = linked(organisation, unit, ring, sets_hosts);
            settled.extend(rings.into_iter().map(Ring::name));
            for layer in layers {
                self.remove(layer, Field::Allowed, &listed(layer));
            }
        }
        self.unlist_presets(unit, rings);
    }

    /// Nor may one name a preset with the host in it, unless the ring names it as well.
    fn unlist_presets(&mut self, unit: &'o Unit, rings: &[&'o Ring]) {
        let (organisation, host) = (self.organisation, self.host);
        let holds_host = |preset: &Preset| {
            let patterns = preset.hosts().iter().map(|host| host.pattern());
            let mut patterns = patterns.filter_map(|text| Pattern::parse(text).ok());
            patterns.any(|pattern| pattern.matches(host))
        };
        for ring in rings {
            let Some(resolved) = organisation.resolve(ring.profile()) else {
                continue;
            };
            let unlisted = |preset: &Preset| {
                let mut listed = resolved.presets.iter();
                holds_host(preset) && !listed.any(|held| held.value == preset)
            };
            let names = |layer: &&Layer| {
                let mut presets = layer.presets.iter().flat_map(|list| &list.value);
                presets.any(|entry| unlisted(&entry.value))
            };
            if !unit.overlays_for(ring.name()).any(|layer| names(&layer)) {
                continue;
            }
            for layer in linked(organisation, unit, ring, sets_presets).0 {
                let presets = layer.presets.iter().flat_map(|list| &list.value);
                for entry in presets.filter(|entry| unlisted(&entry.value)) {
                    self.push(Change::Remove {
                        place: Place::of(&layer.at(0, Field::Presets).entry(entry)),
                        entry: entry.value.to_string(),
                    });
                }
            }
        }
    }
}

fn sets_hosts(layer: &Layer) -> bool {
    layer.allowed.is_some()
}

fn sets_presets(layer: &Layer) -> bool {
    layer.presets.is_some()
}

/// The overlays of a unit whose list of this kind must stay the same as that of those that apply to a ring:
/// those that apply to another ring beside one of them, and so on; with all these rings.
fn linked<'o>(
    organisation: &'o Organisation,
    unit: &'o Unit,
    ring: &'o Ring,
    sets: impl Fn(&Layer) -> bool,
) -> (Vec<&'o Layer>, Vec<&'o Ring>) {
    let lists = |overlay: &&Overlay| sets(&overlay.layer);
    let mut left: Vec<&Overlay> = unit.overlays.iter().filter(lists).collect();
    let mut layers = Vec::new();
    let mut rings = vec![ring];
    let mut known = BTreeSet::from([ring.name()]);
    let mut next = 0;
    while let Some(ring) = rings.get(next).copied() {
        next = next.saturating_add(1);
        let applies = |overlay: &&Overlay| overlay.applies_to(ring.name());
        let (linked, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(applies);
        left = rest;
        for overlay in linked {
            layers.push(&overlay.layer);
            let others = organisation.rings();
            let others = others.filter(|other| overlay.applies_to(other.name()));
            rings.extend(others.filter(|other| known.insert(other.name())));
        }
    }
    (layers, rings)
}

/// A host as an entry of a flow list: an IPv6 address would be a mapping.
fn quoted_in_yaml(host: &Host) -> String {
    match host.name() {
        Some(name) => name.to_owned(),
        None => format!("\"{host}\""),
    }
}

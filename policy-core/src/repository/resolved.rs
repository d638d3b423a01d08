//! From layers to the effective rules: `extends` accumulates, overlays narrow.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use egress_preset::Preset;
use semver::Version;

use crate::decision::{Rule, Verdict};
use crate::egress::{Egress, EgressBuilder};
use crate::harness::Harness;
use crate::path::{ProtectedPath, WritableRoot};
use crate::pattern::Pattern;
use crate::repository::document::List;
use crate::repository::layer::{Field, Layer, Origin};
use crate::sandbox::Mode;

/// An effective entry, and the place that wrote it.
#[derive(Debug)]
pub(crate) struct Held<'l, T> {
    pub(crate) value: &'l T,
    pub(crate) origin: Origin<'l>,
}

// Not derived: a derive would require `T: Clone`.
impl<T> Clone for Held<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Held<'_, T> {}

/// The effective rules after every layer is applied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resolved<'l> {
    pub(crate) allowed: Vec<Held<'l, Pattern>>,
    pub(crate) presets: Vec<Held<'l, Preset>>,
    pub(crate) denied: Vec<Held<'l, Pattern>>,
    /// The last place that wrote `allowedDomains` or `presets`, even as `[]`.
    pub(crate) allowlist: Option<Origin<'l>>,
    /// Whether an overlay narrowed the allowlist, perhaps to nothing: then the default is deny.
    pub(crate) narrowed: bool,
    pub(crate) default: Option<(Verdict, Origin<'l>)>,
    pub(crate) mode: Option<(Mode, Origin<'l>)>,
    /// Whether the ring under an overlay has a sandbox: an overlay that clears the last of the rules
    /// by which the mode was implied does not remove it.
    sandboxed: bool,
    pub(crate) roots: Vec<Held<'l, WritableRoot>>,
    pub(crate) protected: Vec<Held<'l, ProtectedPath>>,
    /// Each with the layer that pins it.
    pub(crate) pins: BTreeMap<Harness, (&'l Version, &'l Layer)>,
    /// How many layers were applied; the overlays of a unit count as one.
    layers: usize,
    /// Layers and entries that were processed, also those that a later layer cleared.
    weight: usize,
    last: Option<&'l Layer>,
}

impl<'l> Resolved<'l> {
    /// The layers of a profile, root ancestor first.
    pub(crate) fn of(chain: impl IntoIterator<Item = &'l Layer>) -> Self {
        let mut resolved = Self::default();
        for layer in chain {
            resolved.extend(layer);
        }
        resolved
    }

    /// Applies a child: scalars replace, lists add, an empty grant list clears.
    fn extend(&mut self, layer: &'l Layer) {
        let rank = self.layers;
        self.layers = rank.saturating_add(1);
        self.weight = self.weight.saturating_add(layer.weight());
        self.last = Some(layer);
        grant(
            &mut self.allowed,
            layer.allowed.as_ref(),
            layer.at(rank, Field::Allowed),
        );
        grant(
            &mut self.presets,
            layer.presets.as_ref(),
            layer.at(rank, Field::Presets),
        );
        grant(
            &mut self.roots,
            layer.roots.as_ref(),
            layer.at(rank, Field::Roots),
        );
        add(
            &mut self.denied,
            layer.denied.as_ref(),
            layer.at(rank, Field::Denied),
        );
        add(
            &mut self.protected,
            layer.protected.as_ref(),
            layer.at(rank, Field::Protected),
        );
        self.allowlist = layer.allowlist(rank).or(self.allowlist);
        if let Some(default) = &layer.default {
            self.default = Some((default.value, layer.at(rank, Field::Default)));
        }
        if let Some(mode) = &layer.mode {
            self.mode = Some((mode.value, layer.at(rank, Field::Mode)));
        }
        for (harness, version) in &layer.harnesses {
            self.pins.insert(harness.value, (&version.value, layer));
        }
    }

    /// Applies the unit's overlays, all at once and in no order. Whether they are allowed to change
    /// this is decided by [`judge`](crate::repository::overlay::judge) and by the proof.
    pub(crate) fn narrow(&self, overlays: &[&'l Layer]) -> Self {
        let mut result = self.clone();
        result.sandboxed = self.effective_mode().is_some();
        let rank = self.layers;
        result.layers = rank.saturating_add(1);
        for layer in overlays {
            result.weight = result.weight.saturating_add(layer.weight());
            replace(
                &mut result.allowed,
                layer.allowed.as_ref(),
                layer.at(rank, Field::Allowed),
            );
            replace(
                &mut result.presets,
                layer.presets.as_ref(),
                layer.at(rank, Field::Presets),
            );
            replace(
                &mut result.roots,
                layer.roots.as_ref(),
                layer.at(rank, Field::Roots),
            );
            add(
                &mut result.denied,
                layer.denied.as_ref(),
                layer.at(rank, Field::Denied),
            );
            add(
                &mut result.protected,
                layer.protected.as_ref(),
                layer.at(rank, Field::Protected),
            );
            if let Some(allowlist) = layer.allowlist(rank) {
                result.allowlist = Some(allowlist);
                result.narrowed = true;
            }
            if let Some(default) = &layer.default {
                result.default = Some((default.value, layer.at(rank, Field::Default)));
            }
            // Only a stricter mode replaces, so that the order of overlays does not matter.
            if let Some(mode) = &layer.mode
                && result.mode.is_none_or(|(held, _)| mode.value < held)
            {
                result.mode = Some((mode.value, layer.at(rank, Field::Mode)));
            }
        }
        result
    }

    /// The rank of the layer that was applied last.
    pub(crate) fn last_rank(&self) -> usize {
        self.layers.saturating_sub(1)
    }

    /// How many layers and entries were processed, for a bound on the work.
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }

    /// The `extends` key of the last profile, for a finding that no entry of it explains.
    pub(crate) fn extends(&self) -> Option<Origin<'l>> {
        let layer = self.last?;
        Some(layer.at(self.last_rank(), Field::Extends))
    }

    /// The rules as an engine; `None` where they break the rules of the engine.
    pub(crate) fn egress(&self) -> Option<Egress> {
        let denied = self.denied.iter().map(|entry| entry.value.clone());
        self.build(denied.fold(self.allow_rules(), EgressBuilder::deny))
    }

    /// What is allowed before anything is denied.
    pub(crate) fn permits(&self) -> Option<Egress> {
        self.build(self.allow_rules())
    }

    /// Whether no layer says anything about hosts.
    pub(crate) fn writes_nothing_about_hosts(&self) -> bool {
        self.default.is_none() && self.allowlist.is_none() && self.egress_rule().is_none()
    }

    /// Whether nothing is allowed by an entry.
    pub(crate) fn allowlist_is_empty(&self) -> bool {
        self.allowed.is_empty() && self.presets.is_empty()
    }

    fn allow_rules(&self) -> EgressBuilder {
        let allowed = self.allowed.iter().map(|entry| entry.value.clone());
        let presets: BTreeSet<Preset> = self.presets.iter().map(|entry| *entry.value).collect();
        let builder = allowed.fold(Egress::builder(), EgressBuilder::allow);
        presets.into_iter().fold(builder, EgressBuilder::preset)
    }

    fn build(&self, builder: EgressBuilder) -> Option<Egress> {
        match self.default {
            // An overlay that narrows the allowlist also ends `default: allow`.
            Some((Verdict::Allow, _)) | None if self.narrowed => builder.build_narrowed(),
            Some((verdict, _)) => builder.default_verdict(verdict).build(),
            None => builder.build(),
        }
        .ok()
    }

    /// The place of a rule that restricts or permits hosts, so that mode `off` would leave it
    /// unenforced: the earliest.
    pub(crate) fn egress_rule(&self) -> Option<Origin<'l>> {
        let deny = self
            .default
            .filter(|(verdict, _)| *verdict == Verdict::Deny);
        earliest([
            earliest(self.denied.iter().map(|entry| entry.origin)),
            earliest(self.allowed.iter().map(|entry| entry.origin)),
            earliest(self.presets.iter().map(|entry| entry.origin)),
            deny.map(|(_, origin)| origin),
            self.allowlist.filter(|_| self.narrowed),
        ])
    }

    /// The place of a rule that needs a sandbox: the earliest.
    pub(crate) fn sandbox_rule(&self) -> Option<Origin<'l>> {
        earliest([
            self.egress_rule(),
            earliest(self.roots.iter().map(|entry| entry.origin)),
            earliest(self.protected.iter().map(|entry| entry.origin)),
        ])
    }

    /// The effective mode and whether it is implied; `None` when there is no sandbox policy.
    pub(crate) fn effective_mode(&self) -> Option<(Mode, bool)> {
        match self.mode {
            Some((mode, _)) => Some((mode, false)),
            None => {
                let needs_one = self.sandboxed || self.sandbox_rule().is_some();
                needs_one.then_some((Mode::WorkspaceWrite, true))
            }
        }
    }

    /// The pins for which something is rendered, each with the root of its layer.
    pub(crate) fn limited_pins(&self) -> impl Iterator<Item = (Harness, &'l str)> {
        let mode = self.effective_mode().map(|(mode, _)| mode);
        let is_limited = !matches!(mode, None | Some(Mode::Off));
        let pins = self.pins.iter().filter(move |_| is_limited);
        pins.map(|(harness, (_, layer))| (*harness, layer.root.as_str()))
    }

    /// Every place that gives this rule: the entries with its pattern, or what sets the default.
    pub(crate) fn origins_of(&self, rule: Rule<'_>) -> Vec<Origin<'l>> {
        fn with<'l, T>(held: &[Held<'l, T>], is: impl Fn(&T) -> bool) -> Vec<Origin<'l>> {
            let entries = held.iter().filter(|entry| is(entry.value));
            entries.map(|entry| entry.origin).collect()
        }
        match rule {
            Rule::Denied { pattern } => with(&self.denied, |held| held.as_ref() == pattern),
            Rule::Allowed { pattern } => with(&self.allowed, |held| held.as_ref() == pattern),
            Rule::Preset { preset, .. } => with(&self.presets, |held| *held == preset),
            Rule::Default { implied: false, .. } => {
                self.default.iter().map(|(_, origin)| *origin).collect()
            }
            Rule::Default { implied: true, .. } => self.allowlist.into_iter().collect(),
        }
    }
}

/// The earliest of these places, the first where they are of one layer.
fn earliest<'l, O: Into<Option<Origin<'l>>>>(
    origins: impl IntoIterator<Item = O>,
) -> Option<Origin<'l>> {
    let origins = origins.into_iter().filter_map(Into::into);
    origins.min_by_key(|origin: &Origin<'l>| origin.rank)
}

/// A grant list of a child: `[]` clears what was inherited, anything else adds.
fn grant<'l, T>(held: &mut Vec<Held<'l, T>>, list: Option<&'l List<T>>, at: Origin<'l>) {
    if list.is_some_and(|list| list.value.is_empty()) {
        held.clear();
    }
    add(held, list, at);
}

/// A grant list of an overlay takes the place of the inherited one.
fn replace<'l, T>(held: &mut Vec<Held<'l, T>>, list: Option<&'l List<T>>, at: Origin<'l>) {
    if list.is_some() {
        held.clear();
    }
    add(held, list, at);
}

fn add<'l, T>(held: &mut Vec<Held<'l, T>>, list: Option<&'l List<T>>, at: Origin<'l>) {
    let entries = list.into_iter().flat_map(|list| &list.value);
    held.extend(entries.map(|entry| Held {
        value: &entry.value,
        origin: at.entry(entry),
    }));
}

//! Whether a unit's overlays only narrow.

use alloc::collections::BTreeSet;
use std::collections::HashMap;

use egress_preset::Preset;

use crate::decision::{Rule, Verdict};
use crate::egress::{Egress, EgressBuilder};
use crate::path::{Subtrees, WritableRoot};
use crate::pattern::Pattern;
use crate::quote::quoted;
use crate::repository::document::List;
use crate::repository::finding::{Code, Finding};
use crate::repository::layer::{Field, Layer, Origin};
use crate::repository::lint::Cover;
use crate::repository::report::{InRings, RINGS, Reports};
use crate::repository::resolved::Resolved;
use crate::sandbox::Mode;

/// Tells every attempt of the overlays that apply to a ring to permit what the ring does not, and
/// every disagreement between them. Whether there is none.
pub(crate) fn judge(
    rings: &InRings,
    ring: &Resolved<'_>,
    overlays: &[&Layer],
    reports: &mut Reports,
) -> bool {
    let mut judge = Judge {
        rings,
        ring,
        narrows: true,
        reports,
    };
    judge.conflict(overlays, Field::Allowed, |layer| layer.allowed.as_ref());
    judge.conflict(overlays, Field::Presets, |layer| layer.presets.as_ref());
    judge.conflict(overlays, Field::Roots, |layer| layer.roots.as_ref());
    judge.scalars(overlays);
    judge.hosts(overlays);
    judge.roots(overlays);
    judge.narrows
}

/// The policy of a ring, before overlays, beside which all overlays of a unit are judged at once:
/// what is made of the ring's entries is made once, however many overlays there are.
struct Judge<'r, 'l> {
    rings: &'r InRings,
    ring: &'r Resolved<'l>,
    narrows: bool,
    reports: &'r mut Reports,
}

impl Judge<'_, '_> {
    fn tell(&mut self, finding: Finding) {
        self.narrows = false;
        self.reports.add_in(self.rings, finding);
    }

    /// Two overlays that set one list to different sets would depend on their order.
    fn conflict<'o, T: Ord + 'o>(
        &mut self,
        overlays: &[&'o Layer],
        field: Field,
        list: impl Fn(&'o Layer) -> Option<&'o List<T>>,
    ) {
        let mut first: Option<(&Layer, BTreeSet<&T>)> = None;
        for layer in overlays {
            let Some(list) = list(layer) else { continue };
            let set: BTreeSet<&T> = list.value.iter().map(|entry| &entry.value).collect();
            match &first {
                None => first = Some((layer, set)),
                Some((_, other)) if *other == set => {}
                Some((other, _)) => {
                    let place = other.at(0, field).place();
                    let name = field.name();
                    self.tell(
                        layer
                            .at(0, field)
                            .finding(
                                Code::OverlayConflict,
                                format!("{place} sets {name} to another list for the same ring"),
                            )
                            .with_help("write one list, or give the overlays different `rings`"),
                    );
                }
            }
        }
    }

    fn scalars(&mut self, overlays: &[&Layer]) {
        let held = self.ring.effective_mode();
        let held = held.map_or(Mode::Off, |(mode, _)| mode);
        for layer in overlays {
            if let Some(default) = &layer.default
                && default.value == Verdict::Allow
            {
                let message = "a unit cannot switch the default to allow";
                self.tell(
                    layer
                        .at(0, Field::Default)
                        .finding(Code::OverlayLoosens, message)
                        .with_help("remove it, or write `deny`"),
                );
            }
            if let Some(mode) = &layer.mode
                && mode.value > held
            {
                let message = format!("mode `{}` is laxer than `{held}` of {RINGS}", mode.value);
                self.tell(
                    layer
                        .at(0, Field::Mode)
                        .finding(Code::OverlayLoosens, message)
                        .with_help(format!("remove it, or write `{held}` or a stricter mode")),
                );
            }
        }
    }

    /// Every allowed entry must already be permitted by the ring's policy.
    fn hosts(&mut self, overlays: &[&Layer]) {
        let denied = Cover::new(self.ring.denied.iter().copied());
        let mut builder = Egress::builder();
        let mut patterns: HashMap<&Pattern, Vec<Origin<'_>>> = HashMap::new();
        let mut presets: HashMap<Preset, Vec<Origin<'_>>> = HashMap::new();
        for layer in overlays {
            let at = layer.at(0, Field::Allowed);
            for entry in layer.allowed.iter().flat_map(|list| &list.value) {
                if let Some(deny) = denied.covering(&entry.value) {
                    let message = format!(
                        "{} is denied in {RINGS} by {} in {}",
                        quoted(&entry.value.to_string()),
                        quoted(&deny.value.to_string()),
                        deny.origin.place()
                    );
                    self.tell(
                        at.entry(entry)
                            .finding(Code::OverlayLoosens, message)
                            .with_help("remove it: an overlay allows only what the ring allows"),
                    );
                }
                first_of_layer(patterns.entry(&entry.value).or_default(), at.entry(entry));
                builder = builder.allow(entry.value.clone());
            }
            let at = layer.at(0, Field::Presets);
            for entry in layer.presets.iter().flat_map(|list| &list.value) {
                first_of_layer(presets.entry(entry.value).or_default(), at.entry(entry));
            }
        }
        if patterns.is_empty() && presets.is_empty() {
            return;
        }
        // One that the ring lists as well may have lost hosts to what the ring denies; of another one
        // every host must be permitted.
        let listed = |preset: &Preset| self.ring.presets.iter().any(|held| held.value == preset);
        let unlisted: Vec<Preset> = presets
            .keys()
            .copied()
            .filter(|preset| !listed(preset))
            .collect();
        // A ring whose rules make no engine has an error of its own, and so has the unit then.
        let (Some(permits), Ok(requested)) = (self.ring.permits(), builder.build()) else {
            return;
        };
        let decides = if unlisted.is_empty() {
            None
        } else {
            self.ring.egress()
        };
        let unlisted = unlisted
            .into_iter()
            .fold(Egress::builder(), EgressBuilder::preset)
            .build();
        let of_presets = match (&decides, &unlisted) {
            (Some(decides), Ok(unlisted)) => unlisted.difference(decides),
            _ => Vec::new(),
        };
        let mut told = BTreeSet::new();
        for witness in requested.difference(&permits).iter().chain(&of_presets) {
            let rule = witness.allowed_by();
            let (origins, what) = match rule {
                // A preset is one entry, however many of its hosts are not allowed.
                Rule::Preset { preset, .. } if !told.insert(preset) => continue,
                Rule::Preset { preset, pattern } => (
                    presets.get(&preset),
                    format!("`{pattern}` of preset `{preset}`"),
                ),
                _ => {
                    let pattern = rule.pattern().map(Pattern::from);
                    let text = pattern.as_ref().map(|pattern| quoted(&pattern.to_string()));
                    let origins = pattern.and_then(|pattern| patterns.get(&pattern));
                    (origins, text.unwrap_or_default())
                }
            };
            let message = format!("{what} is not allowed in {RINGS}");
            for origin in origins.into_iter().flatten() {
                self.tell(
                    origin
                        .finding(Code::OverlayLoosens, message.as_str())
                        .with_evidence(witness.host().to_string())
                        .with_help("remove it, or allow it in a profile of the ring"),
                );
            }
        }
    }

    /// A root of an overlay lies at or under one of the ring's.
    fn roots(&mut self, overlays: &[&Layer]) {
        // Without a sandbox, or with the sandbox off, the whole machine is writable already.
        let mode = self.ring.effective_mode().map(|(mode, _)| mode);
        if matches!(mode, None | Some(Mode::Off)) {
            return;
        }
        let held = self.ring.roots.iter().map(|held| (held.value.key(), 0));
        let held: Subtrees = held.collect();
        for layer in overlays {
            let at = layer.at(0, Field::Roots);
            for entry in layer.roots.iter().flat_map(|list| &list.value) {
                if held.above(&WritableRoot::key(&entry.value)).is_some() {
                    continue;
                }
                let text = entry.value.as_str();
                let message = format!("{} is in no writable root of {RINGS}", quoted(text));
                self.tell(
                    at.entry(entry)
                        .finding(Code::OverlayLoosens, message)
                        .with_evidence(text)
                        .with_help("remove it, or add it in a profile of the ring"),
                );
            }
        }
    }
}

/// Adds the place of an entry; one that its own list repeats has a finding already.
fn first_of_layer<'o>(places: &mut Vec<Origin<'o>>, place: Origin<'o>) {
    let repeated = |last: &Origin<'_>| core::ptr::eq(last.layer, place.layer);
    if !places.last().is_some_and(repeated) {
        places.push(place);
    }
}

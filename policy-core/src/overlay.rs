//! Whether a unit's overlays only narrow.

use alloc::collections::BTreeSet;
use std::collections::HashMap;

use egress_preset::Preset;

use crate::decision::{Rule, Verdict};
use crate::document::List;
use crate::egress::Egress;
use crate::finding::{Code, Finding};
use crate::layer::{Field, Layer, Origin};
use crate::lint::Cover;
use crate::path::{Subtrees, WritableRoot};
use crate::pattern::Pattern;
use crate::quote::quoted;
use crate::resolved::Resolved;
use crate::sandbox::Mode;

/// Every attempt of the overlays that apply to a ring to permit what the ring does not, and every
/// disagreement between them.
pub(crate) fn judge(ring_name: &str, ring: &Resolved<'_>, overlays: &[&Layer]) -> Vec<Finding> {
    let mut findings = Vec::new();
    conflict(
        overlays,
        Field::Allowed,
        |layer| layer.allowed.as_ref(),
        &mut findings,
    );
    conflict(
        overlays,
        Field::Presets,
        |layer| layer.presets.as_ref(),
        &mut findings,
    );
    conflict(
        overlays,
        Field::Roots,
        |layer| layer.roots.as_ref(),
        &mut findings,
    );
    let ring = Judge {
        name: ring_name,
        ring,
    };
    for layer in overlays {
        ring.scalars(layer, &mut findings);
        ring.hosts(layer, &mut findings);
        ring.roots(layer, &mut findings);
    }
    findings
}

/// Two overlays that set one list to different sets would depend on their order.
fn conflict<'l, T: Ord + 'l>(
    overlays: &[&'l Layer],
    field: Field,
    list: impl Fn(&'l Layer) -> Option<&'l List<T>>,
    findings: &mut Vec<Finding>,
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
                findings.push(
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

/// The policy of a ring, before overlays, beside which an overlay is judged.
struct Judge<'r, 'l> {
    name: &'r str,
    ring: &'r Resolved<'l>,
}

impl Judge<'_, '_> {
    fn scalars(&self, layer: &Layer, findings: &mut Vec<Finding>) {
        if let Some(default) = &layer.default
            && default.value == Verdict::Allow
        {
            let message = "a unit cannot switch the default to allow";
            findings.push(
                layer
                    .at(0, Field::Default)
                    .finding(Code::OverlayLoosens, message)
                    .with_help("remove it, or write `deny`"),
            );
        }
        let held = self.ring.effective_mode();
        let held = held.map_or(Mode::Off, |(mode, _)| mode);
        if let Some(mode) = &layer.mode
            && mode.value > held
        {
            let message = format!(
                "mode `{}` is laxer than `{held}` of ring {}",
                mode.value,
                quoted(self.name)
            );
            findings.push(
                layer
                    .at(0, Field::Mode)
                    .finding(Code::OverlayLoosens, message)
                    .with_help(format!("remove it, or write `{held}` or a stricter mode")),
            );
        }
    }

    /// Every allowed entry must already be permitted by the ring's policy.
    fn hosts(&self, layer: &Layer, findings: &mut Vec<Finding>) {
        let denied = Cover::new(self.ring.denied.iter().copied());
        let mut builder = Egress::builder();
        let mut patterns: HashMap<&Pattern, Origin<'_>> = HashMap::new();
        let mut presets: HashMap<Preset, Origin<'_>> = HashMap::new();
        let at = layer.at(0, Field::Allowed);
        for entry in layer.allowed.iter().flat_map(|list| &list.value) {
            if let Some(deny) = denied.covering(&entry.value) {
                let message = format!(
                    "{} is denied in ring {} by {} in {}",
                    quoted(&entry.value.to_string()),
                    quoted(self.name),
                    quoted(&deny.value.to_string()),
                    deny.origin.place()
                );
                findings.push(
                    at.entry(entry)
                        .finding(Code::OverlayLoosens, message)
                        .with_help("remove it: an overlay allows only what the ring allows"),
                );
            }
            patterns
                .entry(&entry.value)
                .or_insert_with(|| at.entry(entry));
            builder = builder.allow(entry.value.clone());
        }
        let at = layer.at(0, Field::Presets);
        for entry in layer.presets.iter().flat_map(|list| &list.value) {
            presets
                .entry(entry.value)
                .or_insert_with(|| at.entry(entry));
            builder = builder.preset(entry.value);
        }
        if patterns.is_empty() && presets.is_empty() {
            return;
        }
        // A ring whose rules make no engine has an error of its own, and so has the unit then.
        let (Some(permits), Ok(requested)) = (self.ring.permits(), builder.build()) else {
            return;
        };
        let wider = requested.difference(&permits);
        let mut told = BTreeSet::new();
        for witness in &wider {
            let rule = witness.allowed_by();
            let (origin, what) = match rule {
                // A preset is one entry, however many of its hosts are not allowed.
                Rule::Preset { preset, .. } if !told.insert(preset) => continue,
                Rule::Preset { preset, pattern } => (
                    presets.get(&preset),
                    format!("`{pattern}` of preset `{preset}`"),
                ),
                _ => {
                    let pattern = rule.pattern().map(Pattern::from);
                    let text = pattern.as_ref().map(|pattern| quoted(&pattern.to_string()));
                    let origin = pattern.and_then(|pattern| patterns.get(&pattern));
                    (origin, text.unwrap_or_default())
                }
            };
            let Some(origin) = origin else { continue };
            let message = format!("{what} is not allowed in ring {}", quoted(self.name));
            findings.push(
                origin
                    .finding(Code::OverlayLoosens, message)
                    .with_evidence(witness.host().to_string())
                    .with_help("remove it, or allow it in a profile of the ring"),
            );
        }
    }

    /// A root of an overlay lies at or under one of the ring's.
    fn roots(&self, layer: &Layer, findings: &mut Vec<Finding>) {
        // Without a sandbox, or with the sandbox off, the whole machine is writable already.
        let mode = self.ring.effective_mode().map(|(mode, _)| mode);
        if matches!(mode, None | Some(Mode::Off)) {
            return;
        }
        let held = self.ring.roots.iter().map(|held| (held.value.key(), 0));
        let held: Subtrees = held.collect();
        let at = layer.at(0, Field::Roots);
        for entry in layer.roots.iter().flat_map(|list| &list.value) {
            if held.above(&WritableRoot::key(&entry.value)).is_some() {
                continue;
            }
            let text = entry.value.as_str();
            let name = quoted(self.name);
            let message = format!("{} is in no writable root of ring {name}", quoted(text));
            findings.push(
                at.entry(entry)
                    .finding(Code::OverlayLoosens, message)
                    .with_evidence(text)
                    .with_help("remove it, or add it in a profile of the ring"),
            );
        }
    }
}

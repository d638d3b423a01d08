//! Whether a unit's overlays only narrow.

use alloc::collections::BTreeSet;
use std::collections::{HashMap, HashSet};

use egress_preset::Preset;

use crate::decision::{Rule, Verdict};
use crate::document::List;
use crate::egress::Egress;
use crate::finding::{Code, Finding};
use crate::layer::{Field, Layer, Origin, Resolved};
use crate::lint::Cover;
use crate::pattern::Pattern;
use crate::quote::quoted;
use crate::sandbox::Mode;

/// Every attempt of the overlays that apply to a ring to permit what the ring does not, and every
/// disagreement between them.
pub(crate) fn judge(ring_name: &str, ring: &Resolved<'_>, overlays: &[&Layer]) -> Vec<Finding> {
    let mut findings = Vec::new();
    conflicts(overlays, &mut findings);
    for layer in overlays {
        scalars(ring_name, ring, layer, &mut findings);
        hosts(ring_name, ring, layer, &mut findings);
        roots(ring_name, ring, layer, &mut findings);
    }
    findings
}

/// Two overlays that set one list to different sets would depend on their order.
fn conflicts(overlays: &[&Layer], findings: &mut Vec<Finding>) {
    conflict(
        overlays,
        Field::Allowed,
        |layer| layer.allowed.as_ref(),
        findings,
    );
    conflict(
        overlays,
        Field::Presets,
        |layer| layer.presets.as_ref(),
        findings,
    );
    conflict(
        overlays,
        Field::Roots,
        |layer| layer.roots.as_ref(),
        findings,
    );
}

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
            Some((other, _)) => findings.push(
                layer
                    .origin(0, field, list.position)
                    .finding(
                        Code::OverlayConflict,
                        format!(
                            "`{}` sets another list of {} for the same ring",
                            other.root,
                            field.name()
                        ),
                    )
                    .with_help("write one list, or give the overlays different `rings`"),
            ),
        }
    }
}

fn scalars(ring_name: &str, ring: &Resolved<'_>, layer: &Layer, findings: &mut Vec<Finding>) {
    if let Some(default) = &layer.default
        && default.value == Verdict::Allow
    {
        findings.push(
            layer
                .origin(0, Field::Default, default.position)
                .finding(
                    Code::OverlayLoosens,
                    "a unit cannot switch the default to allow",
                )
                .with_help("remove it, or write `deny`"),
        );
    }
    let held = ring.effective_mode().map_or(Mode::Off, |(mode, _)| mode);
    if let Some(mode) = &layer.mode
        && mode.value > held
    {
        findings.push(
            layer
                .origin(0, Field::Mode, mode.position)
                .finding(
                    Code::OverlayLoosens,
                    format!(
                        "mode `{}` is laxer than `{held}` of ring `{ring_name}`",
                        mode.value
                    ),
                )
                .with_help(format!("remove it, or write `{held}` or a stricter mode")),
        );
    }
}

/// Every allowed entry must already be permitted by the ring's policy.
fn hosts(ring_name: &str, ring: &Resolved<'_>, layer: &Layer, findings: &mut Vec<Finding>) {
    let Some(permits) = ring.permits() else {
        return;
    };
    let mut builder = Egress::builder();
    let mut patterns: HashMap<&Pattern, Origin<'_>> = HashMap::new();
    let mut presets: HashMap<Preset, Origin<'_>> = HashMap::new();
    let denied = Cover::new(ring.denied.iter().map(|entry| (entry.value, entry.origin)));
    for entry in layer.allowed.iter().flat_map(|list| &list.value) {
        let origin = Origin {
            index: Some(entry.index),
            ..layer.origin(0, Field::Allowed, entry.position)
        };
        if let Some((cover, _)) = denied.covering(&entry.value) {
            findings.push(
                origin
                    .finding(
                        Code::OverlayLoosens,
                        format!(
                            "{} is denied in ring `{ring_name}` by {}",
                            quoted(&entry.value.to_string()),
                            quoted(&cover.to_string())
                        ),
                    )
                    .with_help("remove it: an overlay allows only what the ring allows"),
            );
        }
        patterns.insert(&entry.value, origin);
        builder = builder.allow(entry.value.clone());
    }
    for entry in layer.presets.iter().flat_map(|list| &list.value) {
        let origin = Origin {
            index: Some(entry.index),
            ..layer.origin(0, Field::Presets, entry.position)
        };
        presets.insert(entry.value, origin);
        builder = builder.preset(entry.value);
    }
    if patterns.is_empty() && presets.is_empty() {
        return;
    }
    let Ok(requested) = builder.build() else {
        return;
    };
    for wider in requested.difference(&permits) {
        let rule = wider.allowed_by();
        let origin = match rule {
            Rule::Preset { preset, .. } => presets.get(&preset),
            _ => rule
                .pattern()
                .and_then(|pattern| patterns.get(&Pattern::from(pattern))),
        };
        let Some(origin) = origin else { continue };
        let what = match rule {
            Rule::Preset { preset, pattern } => format!("`{pattern}` of preset `{preset}`"),
            _ => rule
                .pattern()
                .map_or_else(String::new, |pattern| format!("`{pattern}`")),
        };
        findings.push(
            origin
                .finding(
                    Code::OverlayLoosens,
                    format!("{what} is not allowed in ring `{ring_name}`"),
                )
                .with_evidence(wider.host().to_string())
                .with_help("remove it, or allow it in a profile of the ring"),
        );
    }
}

/// A root of an overlay lies at or under one of the ring's.
fn roots(ring_name: &str, ring: &Resolved<'_>, layer: &Layer, findings: &mut Vec<Finding>) {
    // Without a sandbox, or with the sandbox off, the whole machine is writable already.
    if ring
        .effective_mode()
        .is_none_or(|(mode, _)| mode == Mode::Off)
    {
        return;
    }
    let held: HashSet<&str> = ring
        .roots
        .iter()
        .map(|entry| entry.value.as_str())
        .collect();
    for entry in layer.roots.iter().flat_map(|list| &list.value) {
        let text = entry.value.as_str();
        let parents = core::iter::successors(Some(text), |path| {
            path.rsplit_once('/')
                .map(|(parent, _)| parent)
                .filter(|parent| !parent.is_empty())
        });
        if parents.into_iter().any(|parent| held.contains(parent)) {
            continue;
        }
        let origin = Origin {
            index: Some(entry.index),
            ..layer.origin(0, Field::Roots, entry.position)
        };
        findings.push(
            origin
                .finding(
                    Code::OverlayLoosens,
                    format!("{} is no writable root of ring `{ring_name}`", quoted(text)),
                )
                .with_evidence(text)
                .with_help("remove it, or add it in a profile of the ring"),
        );
    }
}

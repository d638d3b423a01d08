//! What is legal and was most likely not meant.
//!
//! Each pair of entries is looked at where the later of the two is written, so that a warning stands
//! in the file whose author can do something about it, and stands there once.

mod above;
mod breadth;
mod cover;
mod look_alike;

use std::collections::{HashMap, HashSet};

use egress_preset::Preset;

use crate::decision::{Rule, Verdict};
use crate::egress::Egress;
use crate::host::Host;
use crate::path::{ProtectedPath, WritableRoot};
use crate::pattern::Pattern;
use crate::quote::quoted;
use crate::repository::finding::{Code, Finding, Position};
use crate::repository::layer::{Field, Layer, Origin};
use crate::repository::report::Reports;
use crate::repository::resolved::{Held, Resolved};

use breadth::is_suffix;
pub(crate) use breadth::{SUFFIX_LIST_DATE, breadth, is_over_public_suffix};
pub(crate) use cover::Cover;

/// Warnings about what the last profile says, by itself and beside what it inherits. Only what it
/// means as a whole needs `egress`: some of its entries may have been left out.
pub(crate) fn of_profile(resolved: &Resolved<'_>, egress: Option<&Egress>, reports: &mut Reports) {
    let lint = Lint::new(resolved);
    lint.repeated(reports);
    lint.shadowed(reports);
    lint.in_context(egress, reports);
}

/// Warnings about what one overlay says by itself. That it repeats what a ring says, or takes back
/// what a ring allows, is what it is for; and "remove it" would be wrong for another ring.
pub(crate) fn of_overlay(layer: &Layer, reports: &mut Reports) {
    let resolved = Resolved::of([layer]);
    let lint = Lint::new(&resolved);
    lint.repeated(reports);
    lint.shadowed(reports);
}

/// Warnings about what the overlays of a unit mean in a ring.
pub(crate) fn of_unit(narrowed: &Resolved<'_>, egress: &Egress, reports: &mut Reports) {
    let lint = Lint::new(narrowed);
    lint.in_context(Some(egress), reports);
    lint.presets_remain(egress, reports);
}

struct Lint<'r, 'l> {
    resolved: &'r Resolved<'l>,
    last: usize,
    allowed: Cover<'l>,
    denied: Cover<'l>,
    /// The patterns of the presets that are allowed.
    parts: Vec<Part<'l>>,
}

/// A pattern of a preset with the entry of the policy that names the preset.
struct Part<'l> {
    preset: Preset,
    pattern: Pattern,
    origin: Origin<'l>,
}

impl<'r, 'l> Lint<'r, 'l> {
    fn new(resolved: &'r Resolved<'l>) -> Self {
        Self {
            resolved,
            last: resolved.last_rank(),
            allowed: Cover::new(resolved.allowed.iter().copied()),
            denied: Cover::new(resolved.denied.iter().copied()),
            parts: parts(&resolved.presets),
        }
    }

    /// The later of two places, if the last layer wrote it.
    fn later(&self, a: Origin<'l>, b: Origin<'l>) -> Option<Origin<'l>> {
        Some(a.later(b)).filter(|later| later.rank == self.last)
    }

    /// Entries that their list holds already, or that another entry of it covers.
    fn repeated(&self, reports: &mut Reports) {
        let lists = [
            (&self.resolved.allowed, &self.allowed),
            (&self.resolved.denied, &self.denied),
        ];
        for (list, cover) in lists {
            for entry in list.iter().filter(|entry| entry.origin.rank == self.last) {
                let text = || entry.value.to_string();
                if let Some(first) = cover.same(entry.value)
                    && first.origin != entry.origin
                {
                    duplicate(entry.origin, &text(), first.origin, reports);
                } else if let Some(wider) = cover.wider(entry.value) {
                    let by = || wider.value.to_string();
                    covered(entry.origin, text, by, wider.origin, reports);
                }
            }
        }
        self.repeated_paths(&self.resolved.roots, WritableRoot::as_str, reports);
        self.repeated_paths(&self.resolved.protected, ProtectedPath::as_str, reports);
        let mut first = HashMap::new();
        for entry in &self.resolved.presets {
            let first = *first.entry(*entry.value).or_insert(entry.origin);
            if first != entry.origin && entry.origin.rank == self.last {
                duplicate(entry.origin, entry.value.name(), first, reports);
            }
        }
    }

    /// A path covers what lies under it.
    fn repeated_paths<T>(
        &self,
        list: &[Held<'l, T>],
        text: impl Fn(&T) -> &str,
        reports: &mut Reports,
    ) {
        let mut first: HashMap<&str, Origin<'l>> = HashMap::new();
        for entry in list {
            first.entry(text(entry.value)).or_insert(entry.origin);
        }
        let parent = |path: &&'l str| path.rsplit_once('/').map(|(parent, _)| parent);
        for entry in list.iter().filter(|entry| entry.origin.rank == self.last) {
            let path = text(entry.value);
            if let Some(first) = first.get(path)
                && *first != entry.origin
            {
                duplicate(entry.origin, path, *first, reports);
                continue;
            }
            let mut above = core::iter::successors(parent(&path), parent);
            if let Some((parent, by)) = above.find_map(|path| first.get_key_value(path)) {
                let by_text = || (*parent).to_owned();
                covered(entry.origin, || path.to_owned(), by_text, *by, reports);
            }
        }
    }

    /// Allowed entries, and parts of presets, that a denied entry takes back whole.
    fn shadowed(&self, reports: &mut Reports) {
        for entry in &self.resolved.allowed {
            let Some(deny) = self.denied.covering(entry.value) else {
                continue;
            };
            let Some(later) = self.later(entry.origin, deny.origin) else {
                continue;
            };
            later.report(reports, Code::ShadowedEntry, || {
                let allowed = quoted(&entry.value.to_string());
                let denied = quoted(&deny.value.to_string());
                if later == entry.origin {
                    let place = deny.origin.place();
                    (
                        format!("{allowed} is denied by {denied} in {place}: deny wins"),
                        "remove it, or the denied entry".to_owned(),
                    )
                } else {
                    let place = entry.origin.place();
                    (
                        format!("{denied} takes back {allowed} of {place}: deny wins"),
                        "nothing to do if this profile is meant to permit less".to_owned(),
                    )
                }
            });
        }
        for part in &self.parts {
            let Some(deny) = self.denied.covering(&part.pattern) else {
                continue;
            };
            let Some(later) = self.later(deny.origin, part.origin) else {
                continue;
            };
            later.report(reports, Code::ShadowedPreset, || {
                let denied = quoted(&deny.value.to_string());
                let Part {
                    preset, pattern, ..
                } = part;
                let message = if later == deny.origin {
                    format!("{denied} takes back `{pattern}` of preset `{preset}`: deny wins")
                } else {
                    let place = deny.origin.place();
                    format!(
                        "{denied} in {place} takes back `{pattern}` of preset `{preset}`: deny wins"
                    )
                };
                let help = "nothing to do if that part of the preset is not wanted".to_owned();
                (message, help)
            });
        }
    }

    /// What depends on the whole, and not on two entries.
    fn in_context(&self, egress: Option<&Egress>, reports: &mut Reports) {
        let held = self.parts.iter().map(|part| Held {
            value: &part.pattern,
            origin: part.origin,
        });
        let parts = Cover::new(held);
        self.preset_overlap(&parts, reports);
        if let Some(egress) = egress {
            self.open_subdomains(egress, &parts, reports);
            self.open_apex(egress, &parts, reports);
        }
        look_alike::look_alikes(self.resolved, reports);
    }

    /// An explicit entry that a preset makes needless, or the reverse.
    fn preset_overlap(&self, parts: &Cover<'_>, reports: &mut Reports) {
        let presets: HashMap<&Pattern, Preset> = self
            .parts
            .iter()
            .map(|part| (&part.pattern, part.preset))
            .collect();
        for entry in &self.resolved.allowed {
            let Some(part) = parts.covering(entry.value) else {
                continue;
            };
            let later = entry.origin.later(part.origin);
            if later.rank != self.last {
                continue;
            }
            later.report(reports, Code::PresetOverlap, || {
                let text = quoted(&entry.value.to_string());
                let preset = presets.get(part.value).map_or("", |preset| preset.name());
                let message = if later == entry.origin {
                    format!(
                        "{text} is allowed by preset `{preset}` (`{}`) already",
                        part.value
                    )
                } else {
                    let place = entry.origin.place();
                    format!(
                        "preset `{preset}` (`{}`) allows {text} of {place}",
                        part.value
                    )
                };
                (message, "remove the entry, or the preset".to_owned())
            });
        }
        for part in &self.parts {
            let Some(wider) = self.allowed.wider(&part.pattern) else {
                continue;
            };
            let Some(later) = self.later(wider.origin, part.origin) else {
                continue;
            };
            later.report(reports, Code::PresetOverlap, || {
                let Part {
                    preset, pattern, ..
                } = part;
                let text = quoted(&wider.value.to_string());
                let message = if later == wider.origin {
                    format!("{text} allows `{pattern}` of preset `{preset}`")
                } else {
                    let place = wider.origin.place();
                    format!("{text} in {place} allows `{pattern}` of preset `{preset}`")
                };
                (message, "keep the narrower of the two".to_owned())
            });
        }
    }

    /// A denied host below which every name stays allowed.
    fn open_subdomains(&self, egress: &Egress, parts: &Cover<'_>, reports: &mut Reports) {
        let default = egress.default_rule().verdict();
        for entry in self
            .resolved
            .denied
            .iter()
            .filter(|entry| !entry.value.is_wildcard())
        {
            let Some(name) = entry.value.base() else {
                continue;
            };
            let Ok(below) = Pattern::parse(&format!("*.{name}")) else {
                continue;
            };
            if self.denied.covering(&below).is_some() {
                continue;
            }
            // Where the rule stands that opens them; a default that is implied stands nowhere.
            let opener = if default == Verdict::Allow {
                self.resolved.default.map(|(_, origin)| origin)
            } else if let Some(held) = self.allowed.covering(&below) {
                Some(held.origin)
            } else if let Some(held) = parts.covering(&below) {
                Some(held.origin)
            } else {
                continue;
            };
            let later = opener.map_or(entry.origin, |opener| entry.origin.later(opener));
            if later.rank != self.last {
                continue;
            }
            reports.offer(&later.layer.file, Code::OpenSubdomains, || {
                let message = if later == entry.origin {
                    format!(
                        "{} is denied, and every name below it stays allowed",
                        quoted(name)
                    )
                } else {
                    let place = entry.origin.place();
                    format!(
                        "this allows every name below {}, which {place} denies",
                        quoted(name)
                    )
                };
                let finding = later
                    .finding(Code::OpenSubdomains, message)
                    .with_help(format!("deny {} too", quoted(&format!("*.{name}"))));
                match allowed_below(name, egress) {
                    Some(host) => finding.with_evidence(host.to_string()),
                    None => finding,
                }
            });
        }
    }

    /// A denied wildcard whose own name stays allowed: it denies what is below the name alone.
    fn open_apex(&self, egress: &Egress, parts: &Cover<'_>, reports: &mut Reports) {
        let default = egress.default_rule().verdict();
        let wildcards = self.resolved.denied.iter();
        for entry in wildcards.filter(|entry| entry.value.is_wildcard()) {
            let Some(name) = entry.value.base().filter(|name| !is_suffix(name)) else {
                continue;
            };
            let Ok(apex) = Pattern::parse(name) else {
                continue;
            };
            if self.denied.covering(&apex).is_some() {
                continue;
            }
            let opener = if let Some(held) = self.allowed.covering(&apex) {
                Some(held.origin)
            } else if let Some(held) = parts.covering(&apex) {
                Some(held.origin)
            } else if default == Verdict::Allow {
                self.resolved.default.map(|(_, origin)| origin)
            } else {
                continue;
            };
            let later = opener.map_or(entry.origin, |opener| entry.origin.later(opener));
            if later.rank != self.last {
                continue;
            }
            reports.offer(&later.layer.file, Code::OpenApex, || {
                let message = if later == entry.origin {
                    format!(
                        "{} is denied, and {} itself stays allowed",
                        quoted(&entry.value.to_string()),
                        quoted(name)
                    )
                } else {
                    format!(
                        "this allows {}, below which {} denies every name",
                        quoted(name),
                        entry.origin.place()
                    )
                };
                later
                    .finding(Code::OpenApex, message)
                    .with_evidence(name)
                    .with_help(format!("deny {} too", quoted(name)))
            });
        }
    }

    /// A list of hosts that a unit narrows while the presets of the ring stay as they are.
    fn presets_remain(&self, egress: &Egress, reports: &mut Reports) {
        let list = self.resolved.allowlist;
        let Some(list) = list.filter(|list| list.rank == self.last && list.field == Field::Allowed)
        else {
            return;
        };
        let inherited = self
            .parts
            .iter()
            .filter(|part| part.origin.rank < self.last);
        let mut remaining = inherited.filter_map(|part| {
            let host = allowed_by_preset(&part.pattern, egress)?;
            Some((part, host))
        });
        let Some((part, host)) = remaining.next() else {
            return;
        };
        reports.offer(&list.layer.file, Code::PresetsRemain, || {
            let message = format!(
                "preset `{}` of {} stays allowed beside these hosts",
                part.preset,
                part.origin.place()
            );
            list.finding(Code::PresetsRemain, message)
                .with_evidence(host.to_string())
                .with_help("write `presets: []`, or the presets that are to stay")
        });
    }
}

/// A host of this pattern that a preset alone allows, if one of the first few is.
fn allowed_by_preset(pattern: &Pattern, egress: &Egress) -> Option<Host> {
    let base = pattern.base()?;
    let host = if pattern.is_wildcard() {
        allowed_below(base, egress)?
    } else {
        Host::parse(base).ok()?
    };
    matches!(egress.decide(&host).rule(), Rule::Preset { .. }).then_some(host)
}

/// A host below `name` that is allowed, unless each of the first few is denied.
fn allowed_below(name: &str, egress: &Egress) -> Option<Host> {
    let labels = ('a'..='z').map(|label| format!("{label}.{name}"));
    let mut hosts = labels.filter_map(|host| Host::parse(&host).ok());
    hosts.find(|host| egress.decide(host).is_allowed())
}

fn parts<'l>(presets: &[Held<'l, Preset>]) -> Vec<Part<'l>> {
    let mut seen = HashSet::new();
    let first = presets.iter().filter(|entry| seen.insert(*entry.value));
    first
        .flat_map(|entry| {
            let preset = *entry.value;
            let patterns = preset.hosts().iter().map(|host| host.pattern());
            let patterns = patterns.filter_map(|text| Pattern::parse(text).ok());
            patterns.map(move |pattern| Part {
                preset,
                pattern,
                origin: entry.origin,
            })
        })
        .collect()
}

fn duplicate(at: Origin<'_>, text: &str, first: Origin<'_>, reports: &mut Reports) {
    at.report(reports, Code::DuplicateEntry, || {
        let message = format!("{} is in {} already", quoted(text), first.place());
        (message, "remove it".to_owned())
    });
}

fn covered(
    at: Origin<'_>,
    text: impl Fn() -> String,
    by: impl Fn() -> String,
    by_at: Origin<'_>,
    reports: &mut Reports,
) {
    at.report(reports, Code::CoveredEntry, || {
        let (text, by) = (quoted(&text()), quoted(&by()));
        let message = format!("{text} is covered by {by} in {}", by_at.place());
        (message, "remove it".to_owned())
    });
}

/// Restriction lists of a profile that are written empty, as if that cleared what is inherited.
pub(crate) fn without_effect(layer: &Layer, reports: &mut Reports) {
    let lists = [
        (
            Field::Denied,
            layer.denied.as_ref().map(|list| list.value.len()),
        ),
        (
            Field::Protected,
            layer.protected.as_ref().map(|list| list.value.len()),
        ),
    ];
    for (field, length) in lists {
        if length == Some(0) && layer.intact {
            layer.at(0, field).report(reports, Code::NoEffect, || {
                let message = "`[]` clears nothing here: what is denied or protected stays so";
                (message.to_owned(), "remove it".to_owned())
            });
        }
    }
}

/// An overlay that applies to no ring.
pub(crate) fn no_ring(layer: &Layer, position: Option<Position>, reports: &mut Reports) {
    reports.offer(&layer.file, Code::NoEffect, || {
        Finding::new(Code::NoEffect, "the overlay applies to no ring")
            .at(position)
            .on(format!("{}.rings", layer.root))
            .with_help("name the rings, or remove `rings` for every ring")
    });
}

/// A layer that first needs a sandbox, where no layer sets its mode.
pub(crate) fn mode_implied(resolved: &Resolved<'_>, reports: &mut Reports) {
    if resolved.mode.is_some() {
        return;
    }
    let rule = resolved.sandbox_rule();
    if let Some(rule) = rule.filter(|rule| rule.rank == resolved.last_rank()) {
        rule.report(reports, Code::ModeImplied, || {
            let field = rule.field.name();
            let message = format!("{field} without a sandbox mode: `workspace-write` (implied)");
            (
                message,
                "write `sandbox: { mode: workspace-write }`".to_owned(),
            )
        });
    }
}

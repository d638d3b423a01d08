//! What is legal and was most likely not meant.

use alloc::format;
use alloc::string::{String, ToString};
use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, HashSet};

use egress_preset::Preset;
use psl::{List as SuffixList, Psl as _, Type};
use unicode_security::confusable_detection::skeleton;
use unicode_security::mixed_script::MixedScript as _;

use crate::finding::{Code, Finding};
use crate::layer::{Field, Held, Layer, Origin, Resolved};
use crate::path::{ProtectedPath, WritableRoot};
use crate::pattern::Pattern;
use crate::quote::quoted;

/// The release date of the compiled-in Public Suffix List (crate `psl` 2.1.247).
pub(crate) const SUFFIX_LIST_DATE: &str = "2026-11-05";

/// Many patterns, asked which of them covers another: a lookup per label.
pub(crate) struct Cover<'l> {
    exact: HashMap<&'l Pattern, Origin<'l>>,
    below: HashMap<&'l str, (&'l Pattern, Origin<'l>)>,
}

impl<'l> Cover<'l> {
    pub(crate) fn new(patterns: impl IntoIterator<Item = (&'l Pattern, Origin<'l>)>) -> Self {
        let mut cover = Self {
            exact: HashMap::new(),
            below: HashMap::new(),
        };
        for (pattern, origin) in patterns {
            match pattern.base() {
                Some(base) if pattern.is_wildcard() => {
                    cover.below.entry(base).or_insert((pattern, origin));
                }
                _ => {
                    cover.exact.entry(pattern).or_insert(origin);
                }
            }
        }
        cover
    }

    /// The pattern that matches everything `pattern` does: itself, or a wildcard above it.
    pub(crate) fn covering(&self, pattern: &Pattern) -> Option<(&'l Pattern, Origin<'l>)> {
        if let Some((same, origin)) = self.exact.get_key_value(pattern) {
            return Some((same, *origin));
        }
        let base = pattern.base()?;
        if pattern.is_wildcard()
            && let Some(found) = self.below.get(base)
        {
            return Some(*found);
        }
        self.above(base)
    }

    /// A wildcard other than the pattern itself that covers it.
    fn wider(&self, pattern: &Pattern) -> Option<(&'l Pattern, Origin<'l>)> {
        self.above(pattern.base()?)
    }

    /// The longest wildcard over a name.
    fn above(&self, name: &str) -> Option<(&'l Pattern, Origin<'l>)> {
        core::iter::successors(Some(name), |name| {
            name.split_once('.').map(|(_, rest)| rest)
        })
        .skip(1)
        .find_map(|parent| self.below.get(parent).copied())
    }
}

/// Warnings about the entries that the last layer of `resolved` adds, and about what they do to
/// inherited ones; each entry is looked at in the profile that writes it.
pub(crate) fn lint(resolved: &Resolved<'_>, report: &mut impl FnMut(Finding)) {
    let own = resolved.layers.saturating_sub(1);
    repeated(&resolved.allowed, own, report);
    repeated(&resolved.denied, own, report);
    repeated_paths(&resolved.roots, own, WritableRoot::as_str, report);
    repeated_paths(&resolved.protected, own, ProtectedPath::as_str, report);
    let mut presets = HashSet::new();
    for entry in &resolved.presets {
        if !presets.insert(*entry.value) && entry.origin.rank == own {
            report(duplicate(&entry.origin, entry.value.name()));
        }
    }
    let allowed = Cover::new(
        resolved
            .allowed
            .iter()
            .map(|entry| (entry.value, entry.origin)),
    );
    let denied = Cover::new(
        resolved
            .denied
            .iter()
            .map(|entry| (entry.value, entry.origin)),
    );
    let presets = preset_patterns(&resolved.presets);
    shadowed(resolved, &denied, &presets, own, report);
    preset_overlap(resolved, &allowed, &presets, own, report);
    open_subdomains(resolved, &allowed, &denied, &presets, own, report);
    look_alikes(resolved, own, report);
}

/// A pattern of a preset with the entry of the policy that names the preset.
struct PresetPattern<'l> {
    preset: Preset,
    pattern: Pattern,
    origin: Origin<'l>,
}

fn preset_patterns<'l>(presets: &[Held<'l, Preset>]) -> Vec<PresetPattern<'l>> {
    let mut seen = HashSet::new();
    presets
        .iter()
        .filter(|entry| seen.insert(*entry.value))
        .flat_map(|entry| {
            entry.value.hosts().iter().filter_map(|host| {
                let pattern = Pattern::parse(host.pattern()).ok()?;
                Some(PresetPattern {
                    preset: *entry.value,
                    pattern,
                    origin: entry.origin,
                })
            })
        })
        .collect()
}

fn duplicate(origin: &Origin<'_>, text: &str) -> Finding {
    origin
        .finding(
            Code::DuplicateEntry,
            format!("{} is listed already", quoted(text)),
        )
        .with_help("remove it")
}

fn covered(origin: &Origin<'_>, text: &str, cover: &str, by: &Origin<'_>) -> Finding {
    origin
        .finding(
            Code::CoveredEntry,
            format!(
                "{} is covered by {} {}",
                quoted(text),
                quoted(cover),
                by.place()
            ),
        )
        .with_help("remove it")
}

/// Duplicates, and entries that a wildcard of the same list covers.
fn repeated(entries: &[Held<'_, Pattern>], own: usize, report: &mut impl FnMut(Finding)) {
    let cover = Cover::new(entries.iter().map(|entry| (entry.value, entry.origin)));
    let mut seen = HashSet::new();
    for entry in entries {
        let first = seen.insert(entry.value);
        let wider = cover.wider(entry.value);
        if !first && entry.origin.rank == own {
            report(duplicate(&entry.origin, &entry.value.to_string()));
        } else if let Some((pattern, by)) = wider
            && entry.origin.later(by).rank == own
            && first
        {
            report(covered(
                &entry.origin,
                &entry.value.to_string(),
                &pattern.to_string(),
                &by,
            ));
        }
    }
}

/// The same for paths: a literal path covers what lies under it.
fn repeated_paths<T>(
    entries: &[Held<'_, T>],
    own: usize,
    text: impl Fn(&T) -> &str,
    report: &mut impl FnMut(Finding),
) {
    let mut first: HashMap<&str, Origin<'_>> = HashMap::new();
    for entry in entries {
        match first.entry(text(entry.value)) {
            Slot::Vacant(slot) => {
                slot.insert(entry.origin);
            }
            Slot::Occupied(_) if entry.origin.rank == own => {
                report(duplicate(&entry.origin, text(entry.value)));
            }
            Slot::Occupied(_) => {}
        }
    }
    let mut looked_at = HashSet::new();
    for entry in entries {
        let path = text(entry.value);
        if !looked_at.insert(path) {
            continue;
        }
        let parents = core::iter::successors(Some(path), |path| {
            path.rsplit_once('/')
                .map(|(parent, _)| parent)
                .filter(|parent| !parent.is_empty())
        });
        let above = parents
            .skip(1)
            .find_map(|parent| first.get_key_value(parent));
        if let Some((parent, by)) = above
            && entry.origin.later(*by).rank == own
        {
            report(covered(&entry.origin, path, parent, by));
        }
    }
}

/// Allowed entries, and parts of presets, that a denied entry takes back whole.
fn shadowed(
    resolved: &Resolved<'_>,
    denied: &Cover<'_>,
    presets: &[PresetPattern<'_>],
    own: usize,
    report: &mut impl FnMut(Finding),
) {
    for entry in &resolved.allowed {
        if let Some((pattern, by)) = denied.covering(entry.value)
            && entry.origin.later(by).rank == own
        {
            report(
                entry
                    .origin
                    .finding(
                        Code::ShadowedEntry,
                        format!(
                            "{} is allowed and denied by {} {}: deny wins",
                            quoted(&entry.value.to_string()),
                            quoted(&pattern.to_string()),
                            by.place()
                        ),
                    )
                    .with_help("remove one of the two"),
            );
        }
    }
    for part in presets {
        if let Some((pattern, by)) = denied.covering(&part.pattern)
            && part.origin.later(by).rank == own
        {
            report(
                by.finding(
                    Code::ShadowedPreset,
                    format!(
                        "{} denies `{}` of preset `{}` {}: deny wins",
                        quoted(&pattern.to_string()),
                        part.pattern,
                        part.preset,
                        part.origin.place()
                    ),
                )
                .with_help("nothing to do if that part of the preset is not wanted"),
            );
        }
    }
}

/// An explicit entry that a preset makes needless, or the reverse.
fn preset_overlap(
    resolved: &Resolved<'_>,
    allowed: &Cover<'_>,
    presets: &[PresetPattern<'_>],
    own: usize,
    report: &mut impl FnMut(Finding),
) {
    let parts = Cover::new(presets.iter().map(|part| (&part.pattern, part.origin)));
    let named: HashMap<&Pattern, Preset> = presets
        .iter()
        .map(|part| (&part.pattern, part.preset))
        .collect();
    for entry in &resolved.allowed {
        if let Some((pattern, by)) = parts.covering(entry.value)
            && entry.origin.later(by).rank == own
            && let Some(preset) = named.get(pattern)
        {
            report(
                entry
                    .origin
                    .finding(
                        Code::PresetOverlap,
                        format!(
                            "{} is allowed by preset `{preset}` (`{pattern}`) already",
                            quoted(&entry.value.to_string())
                        ),
                    )
                    .with_help("remove the entry, or the preset"),
            );
        }
    }
    for part in presets {
        if let Some((pattern, by)) = allowed.covering(&part.pattern)
            && *pattern != part.pattern
            && part.origin.later(by).rank == own
        {
            report(
                by.finding(
                    Code::PresetOverlap,
                    format!(
                        "{} allows `{}` of preset `{}` already",
                        quoted(&pattern.to_string()),
                        part.pattern,
                        part.preset
                    ),
                )
                .with_help("keep the narrower of the two"),
            );
        }
    }
}

/// An exact deny below which everything stays allowed.
fn open_subdomains(
    resolved: &Resolved<'_>,
    allowed: &Cover<'_>,
    denied: &Cover<'_>,
    presets: &[PresetPattern<'_>],
    own: usize,
    report: &mut impl FnMut(Finding),
) {
    let parts = Cover::new(presets.iter().map(|part| (&part.pattern, part.origin)));
    let Some(default_allows) = resolved.egress().map(|egress| egress.default_rule()) else {
        return;
    };
    let default_allows = matches!(
        default_allows,
        crate::Rule::Default {
            verdict: crate::Verdict::Allow,
            ..
        }
    );
    for entry in resolved
        .denied
        .iter()
        .filter(|entry| entry.origin.rank == own)
    {
        let Some(name) = entry.value.base().filter(|_| !entry.value.is_wildcard()) else {
            continue;
        };
        let Ok(below) = Pattern::parse(&format!("*.{name}")) else {
            continue;
        };
        let open = default_allows
            || allowed.covering(&below).is_some()
            || parts.covering(&below).is_some();
        if open && denied.covering(&below).is_none() {
            report(
                entry
                    .origin
                    .finding(
                        Code::OpenSubdomains,
                        format!(
                            "{} is denied and every name below it stays allowed",
                            quoted(name)
                        ),
                    )
                    .with_evidence(format!("x.{name}"))
                    .with_help(format!("add {}", quoted(&format!("*.{name}")))),
            );
        }
    }
}

/// Allowed entries of a layer that name more, or something else, than a reader expects.
pub(crate) fn breadth(layer: &Layer, report: &mut impl FnMut(Finding)) {
    for entry in layer.allowed.iter().flat_map(|list| &list.value) {
        let origin = Origin {
            index: Some(entry.index),
            ..layer.origin(0, Field::Allowed, entry.position)
        };
        breadth_of(&entry.value, &origin, report);
    }
}

fn breadth_of(pattern: &Pattern, origin: &Origin<'_>, report: &mut impl FnMut(Finding)) {
    let Some(base) = pattern.base() else { return };
    let text = quoted(&pattern.to_string());
    if !pattern.is_wildcard() {
        if !base.contains('.') {
            report(
                origin
                    .finding(
                        Code::SingleLabel,
                        format!("{text} is a single label: each network's search list decides what it names"),
                    )
                    .with_help("write the full name"),
            );
        }
        return;
    }
    match suffix_kind(base) {
        Some(SuffixKind::Icann) => report(
            origin
                .finding(
                    Code::WildcardOverPublicSuffix,
                    format!("{text} allows every name that anyone registers under `{base}`"),
                )
                .with_help("write the registered names"),
        ),
        Some(SuffixKind::Private) => report(
            origin
                .finding(
                    Code::WildcardOverPrivateSuffix,
                    format!("{text} allows every customer's name under `{base}`"),
                )
                .with_help("write the names that are yours"),
        ),
        Some(SuffixKind::Unknown) => report(
            origin
                .finding(
                    Code::WildcardOverUnknownZone,
                    format!("{text} allows every name of a zone that is in no public list"),
                )
                .with_help("write the names, or a wildcard below a name of yours"),
        ),
        None => {}
    }
}

/// What kind of public suffix a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SuffixKind {
    Icann,
    Private,
    Unknown,
}

/// Whether a name is a public suffix, or every name one label below it is (`*.ck`).
fn suffix_kind(base: &str) -> Option<SuffixKind> {
    let kind = |name: &str| {
        let suffix = SuffixList.suffix(name.as_bytes())?;
        (suffix.as_bytes().len() == name.len()).then(|| match suffix.typ() {
            Some(Type::Icann) => SuffixKind::Icann,
            Some(Type::Private) => SuffixKind::Private,
            None => SuffixKind::Unknown,
        })
    };
    match (kind(base), kind(&format!("x.{base}"))) {
        (Some(SuffixKind::Unknown) | None, Some(below)) => Some(below),
        (here, _) => here,
    }
}

/// Allowed names that look like another name: of the policy, or of any preset.
fn look_alikes(resolved: &Resolved<'_>, own: usize, report: &mut impl FnMut(Finding)) {
    let shape = |base: &str| skeleton(&unicode(base)).collect::<String>();
    let mut known: HashMap<String, String> = HashMap::new();
    let presets = Preset::ALL.iter().flat_map(|preset| preset.hosts());
    let preset_names = presets.map(|host| host.pattern().trim_start_matches("*."));
    let denied = resolved
        .denied
        .iter()
        .filter_map(|entry| entry.value.base());
    for name in preset_names.chain(denied) {
        known.entry(shape(name)).or_insert_with(|| name.to_string());
    }
    for entry in &resolved.allowed {
        let Some(base) = entry.value.base() else {
            continue;
        };
        let other = known.entry(shape(base)).or_insert_with(|| base.to_string());
        if entry.origin.rank != own {
            continue;
        }
        let mixed = unicode(base)
            .split('.')
            .any(|label| !label.is_single_script());
        let problem = if other != base {
            format!("looks like {}", quoted(other))
        } else if mixed {
            "mixes scripts in one label".to_string()
        } else {
            continue;
        };
        report(
            entry
                .origin
                .finding(
                    Code::LookAlike,
                    format!(
                        "{} ({}) {problem}",
                        quoted(&entry.value.to_string()),
                        quoted(&unicode(base))
                    ),
                )
                .with_help("check that this is the name that is meant"),
        );
    }
}

fn unicode(name: &str) -> String {
    crate::Host::from_canonical_name(name).to_unicode()
}

//! Allowed entries that name more than a reader expects.

use egress_preset::Preset;
use psl::{List as SuffixList, Psl as _, Type};

use super::above::ABOVE;
use crate::pattern::Pattern;
use crate::quote::quoted;
use crate::repository::finding::Code;
use crate::repository::layer::{Field, Layer, Origin};
use crate::repository::report::Reports;

/// The release date of the compiled-in Public Suffix List (crate `psl` 2.1.247).
pub(crate) const SUFFIX_LIST_DATE: &str = "2026-11-05";

/// Judges each allowed entry of a layer by itself. A preset's entries were judged when it was made.
pub(crate) fn breadth(layer: &Layer, reports: &mut Reports) {
    let at = layer.at(0, Field::Allowed);
    for entry in layer.allowed.iter().flat_map(|list| &list.value) {
        match preset_named(&entry.value) {
            Some(preset) => at
                .entry(entry)
                .report(reports, Code::PresetName, || named(preset, true)),
            None => breadth_of(&entry.value, at.entry(entry), reports),
        }
    }
    let at = layer.at(0, Field::Denied);
    for entry in layer.denied.iter().flat_map(|list| &list.value) {
        if let Some(preset) = preset_named(&entry.value) {
            let at = at.entry(entry);
            at.report(reports, Code::PresetName, || named(preset, false));
        }
    }
}

/// The preset that a pattern names, as if it stood for the preset's hosts.
fn preset_named(pattern: &Pattern) -> Option<Preset> {
    let name = pattern.base().filter(|_| !pattern.is_wildcard())?;
    name.parse().ok()
}

fn named(preset: Preset, allowed: bool) -> (String, String) {
    let message = format!("`{preset}` is the name of a preset, and here that of one host");
    let help = if allowed {
        format!("write `presets: [{preset}]`")
    } else {
        format!("write the hosts to deny: `halo presets {preset}` lists those of the preset")
    };
    (message, help)
}

fn breadth_of(pattern: &Pattern, at: Origin<'_>, reports: &mut Reports) {
    let Some(base) = pattern.base() else { return };
    let text = || quoted(&pattern.to_string());
    if !pattern.is_wildcard() {
        if !base.contains('.') {
            at.report(reports, Code::SingleLabel, || {
                let message = format!(
                    "{} is a single label: each network's search list decides what it names",
                    text()
                );
                (message, "write the full name".to_owned())
            });
        }
        return;
    }
    let (code, whose, help) = match suffix_kind(base) {
        Some(SuffixKind::Icann) => (
            Code::WildcardOverPublicSuffix,
            format!("every name that anyone registers under `{base}`"),
            "write the registered names",
        ),
        Some(SuffixKind::Private) => (
            Code::WildcardOverPrivateSuffix,
            format!("every customer's name under `{base}`"),
            "write the names that are yours",
        ),
        Some(SuffixKind::Unknown) => (
            Code::WildcardOverUnknownZone,
            "every name of a zone that is in no public list".to_owned(),
            "write the names, or a wildcard below a name of yours",
        ),
        None => return above_suffix(pattern, base, at, reports),
    };
    at.report(reports, code, || {
        (format!("{} allows {whose}", text()), help.to_owned())
    });
}

/// Whether a pattern is a wildcard that is refused among the allowed.
pub(crate) fn is_over_public_suffix(pattern: &Pattern) -> bool {
    let base = pattern.base().filter(|_| pattern.is_wildcard());
    base.and_then(suffix_kind) == Some(SuffixKind::Icann)
}

/// A wildcard that takes in a suffix under which anyone may get a name.
fn above_suffix(pattern: &Pattern, base: &str, at: Origin<'_>, reports: &mut Reports) {
    let Some(suffix) = suffix_below(base) else {
        return;
    };
    at.report(reports, Code::WildcardOverPrivateSuffix, || {
        (
            format!(
                "{} allows every customer's name under `{suffix}`",
                quoted(&pattern.to_string())
            ),
            format!("write the names that are yours: `{suffix}` is a public suffix"),
        )
    });
}

/// The nearest private suffix below a name that is none itself.
fn suffix_below(base: &str) -> Option<&'static str> {
    let row = ABOVE.binary_search_by_key(&base, |(name, _)| *name).ok()?;
    ABOVE.get(row).map(|(_, suffix)| *suffix)
}

/// Whether a name is a public suffix, a private one or a zone of one label that is in no list: under
/// it lie other people's names, and the name itself is nobody's host.
pub(super) fn is_suffix(name: &str) -> bool {
    suffix_kind(name).is_some()
}

/// What kind of public suffix a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SuffixKind {
    Icann,
    Private,
    Unknown,
}

/// What kind of suffix a name is, or every name one label below it (as the rule `*.ck` says).
fn suffix_kind(base: &str) -> Option<SuffixKind> {
    let kind = |name: &str| {
        let suffix = SuffixList.suffix(name.as_bytes())?;
        (suffix.as_bytes().len() == name.len()).then(|| match suffix.typ() {
            Some(Type::Icann) => SuffixKind::Icann,
            Some(Type::Private) => SuffixKind::Private,
            None => SuffixKind::Unknown,
        })
    };
    // A label that no rule of the list names.
    let below = kind(&format!("no-rule-names-this-label.{base}"));
    match kind(base) {
        Some(SuffixKind::Unknown) | None => below.or(kind(base)),
        here => here,
    }
}

#[cfg(test)]
mod tests {
    use super::{ABOVE, SuffixKind, suffix_below, suffix_kind};

    #[test]
    fn a_name_is_judged_by_the_list_whichever_way_a_rule_is_written() {
        use SuffixKind::{Icann, Private, Unknown};
        for (name, kind) in [
            ("com", Some(Icann)),
            ("co.uk", Some(Icann)),
            // `*.ck`, and its exception `!www.ck`.
            ("ck", Some(Icann)),
            ("any.ck", Some(Icann)),
            ("www.ck", None),
            ("github.io", Some(Private)),
            ("acme.github.io", None),
            // `*.compute.amazonaws.com`.
            ("compute.amazonaws.com", Some(Private)),
            ("corp", Some(Unknown)),
            ("acme.corp", None),
            ("github.com", None),
            // The list names one label below it, `x`, and not every label.
            ("mythic-beasts.com", None),
            ("xn--p1ai", Some(Icann)),
        ] {
            assert_eq!(suffix_kind(name), kind, "{name}");
        }
    }

    #[test]
    fn every_name_above_a_private_suffix_is_that() {
        assert!(ABOVE.is_sorted());
        for (name, suffix) in ABOVE {
            assert_eq!(suffix_kind(name), None, "{name}");
            let suffix = suffix.replace('*', "any");
            assert_eq!(suffix_kind(&suffix), Some(SuffixKind::Private), "{suffix}");
            assert!(suffix.ends_with(&format!(".{name}")), "{suffix}");
        }
    }

    #[test]
    fn what_is_above_a_private_suffix_is_told_with_it() {
        for (name, suffix) in [
            ("amazonaws.com", Some("s3.amazonaws.com")),
            ("windows.net", Some("servicebus.windows.net")),
            ("core.windows.net", Some("web.core.windows.net")),
            ("s3.amazonaws.com", None),
            ("acme.s3.amazonaws.com", None),
            ("github.com", None),
            ("acme.example", None),
        ] {
            assert_eq!(suffix_below(name), suffix, "{name}");
        }
    }
}

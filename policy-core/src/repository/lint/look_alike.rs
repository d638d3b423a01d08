//! Allowed names that look like another name.

use alloc::borrow::Cow;
use std::collections::HashMap;

use egress_preset::Preset;
use unicode_security::confusable_detection::skeleton;
use unicode_security::mixed_script::MixedScript as _;

use crate::host::Host;
use crate::quote::quoted;
use crate::repository::finding::Code;
use crate::repository::report::Reports;
use crate::repository::resolved::Resolved;

/// Warns of allowed names of the last layer that mix scripts in a label, or that have the confusable
/// skeleton (UTS 39, section 4) of another name of the policy or of any preset.
pub(super) fn look_alikes(resolved: &Resolved<'_>, reports: &mut Reports) {
    let last = resolved.last_rank();
    let own = |rank: usize| rank == last;
    if !resolved.allowed.iter().any(|entry| own(entry.origin.rank)) {
        return;
    }
    let presets = Preset::ALL.iter().flat_map(|preset| preset.hosts());
    let presets = presets.map(|host| host.pattern().trim_start_matches("*."));
    let bases = resolved
        .allowed
        .iter()
        .filter_map(|entry| entry.value.base());
    // For each shape the first name that has it: that of a preset, else of the policy.
    let mut names: HashMap<String, &str> = HashMap::new();
    for name in presets.chain(bases) {
        names.entry(shape(name)).or_insert(name);
    }
    // Denied names are only asked about, so that a long list of them is not kept.
    let mut denied: HashMap<String, &str> = HashMap::new();
    for name in resolved
        .denied
        .iter()
        .filter_map(|entry| entry.value.base())
    {
        let shape = shape(name);
        if names.get(&shape).is_some_and(|other| *other != name) {
            denied.entry(shape).or_insert(name);
        }
    }
    for entry in resolved
        .allowed
        .iter()
        .filter(|entry| own(entry.origin.rank))
    {
        let Some(base) = entry.value.base() else {
            continue;
        };
        let shape = shape(base);
        let twin = [names.get(&shape), denied.get(&shape)];
        let twin = twin.into_iter().flatten().find(|name| **name != base);
        let shown = unicode(base);
        let mixed = || shown.split('.').any(|label| !label.is_single_script());
        let problem = match twin {
            Some(twin) => format!("looks like {}", quoted(twin)),
            None if mixed() => "mixes scripts in one label".to_owned(),
            None => continue,
        };
        entry.origin.report(reports, Code::LookAlike, || {
            let text = quoted(&entry.value.to_string());
            let shown = match &shown {
                Cow::Borrowed(_) => String::new(),
                Cow::Owned(shown) => format!(" ({})", quoted(shown)),
            };
            let help = "check that this is the name that is meant".to_owned();
            (format!("{text}{shown} {problem}"), help)
        });
    }
}

fn shape(name: &str) -> String {
    skeleton(&unicode(name)).collect()
}

/// The name as a person sees it.
fn unicode(name: &str) -> Cow<'_, str> {
    if name.contains("xn--") {
        Cow::Owned(Host::from_canonical_name(name).to_unicode())
    } else {
        Cow::Borrowed(name)
    }
}

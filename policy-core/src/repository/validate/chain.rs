//! Which profiles a profile extends, and whether that comes to an end.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;

use crate::quote::quoted;
use crate::repository::finding::{Code, Finding};
use crate::repository::organisation::Profile;

/// What is known of a profile and its ancestors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chain {
    /// All of them are there, and every value of theirs could be parsed.
    Whole,
    /// One is missing, or something in one could not be parsed.
    Partial,
    /// The profile extends itself, or leads to one that does.
    Endless,
}

/// What is known of each profile, and a finding for each cycle. Each profile is walked over once.
pub(super) fn chains(
    profiles: &BTreeMap<String, Profile>,
) -> (BTreeMap<&str, Chain>, Vec<Finding>) {
    let mut known: BTreeMap<&str, Chain> = BTreeMap::new();
    let mut cycles = Vec::new();
    for start in profiles.keys() {
        let mut way: Vec<(&str, &Profile)> = Vec::new();
        let mut on_way = BTreeSet::new();
        let mut name = start.as_str();
        let end = loop {
            if let Some(chain) = known.get(name) {
                break *chain;
            }
            // That there is no such profile was told when the files were read.
            let Some((name_of_it, profile)) = profiles.get_key_value(name) else {
                break Chain::Partial;
            };
            if !on_way.insert(name) {
                cycles.push(cycle(&way, name, profile));
                break Chain::Endless;
            }
            way.push((name_of_it, profile));
            match &profile.extends {
                Some(parent) => name = &parent.value,
                None => break Chain::Whole,
            }
        };
        let mut chain = end;
        for (name, profile) in way.into_iter().rev() {
            if chain == Chain::Whole && !profile.layer.intact {
                chain = Chain::Partial;
            }
            known.insert(name, chain);
        }
    }
    (known, cycles)
}

/// The finding for a cycle that was entered again at `name` after `way`.
fn cycle(way: &[(&str, &Profile)], name: &str, profile: &Profile) -> Finding {
    /// A sentence names this many.
    const SHOWN: usize = 8;
    let members = way.iter().map(|(member, _)| *member);
    let members: Vec<&str> = members.skip_while(|member| *member != name).collect();
    let mut shown: Vec<&str> = members.iter().copied().take(SHOWN).collect();
    if members.len() > SHOWN {
        shown.push("…");
    }
    shown.push(name);
    Finding::new(
        Code::ExtendsCycle,
        format!("{} extends itself: {}", quoted(name), shown.join(" → ")),
    )
    .in_file(profile.layer.file.as_str())
    .at(profile.layer.position)
    .on(format!("{}.extends", profile.layer.root))
    .with_help("let one of them extend none of the others")
}

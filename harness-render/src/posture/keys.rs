//! Keys of managed files that a vendor does not know: such a key is ignored in silence, and with it
//! what its author wanted to be held.

use semver::Version;

use super::value::Value;
use crate::target::Release;

/// A key with the first release that reads it.
pub(crate) type Key = (&'static str, Release);

/// In every release that anything is known of.
pub(crate) const EVER: Release = Release(0, 0, 0);

/// A table of a managed file whose keys are all known.
pub(crate) struct Section {
    /// The keys under which it stands.
    pub(crate) at: &'static [&'static str],
    pub(crate) keys: &'static [Key],
}

/// A key that is read in some places only; `*` stands for any one name.
pub(crate) struct Placed {
    pub(crate) key: &'static str,
    pub(crate) under: &'static [&'static [&'static str]],
}

/// A row of a table of such keys.
pub(crate) const fn placed(key: &'static str, under: &'static [&'static [&'static str]]) -> Placed {
    Placed { key, under }
}

/// What is known of the keys of a managed file.
pub(crate) struct Known {
    pub(crate) sections: &'static [Section],
    pub(crate) placed: &'static [Placed],
}

impl Known {
    /// Whether there is a key that no release reads at its place.
    pub(crate) fn is_exceeded_by(&self, settings: &Value) -> bool {
        let in_section = self.sections.iter().any(|section| {
            let mut entries = settings.at(section.at).entries().iter();
            entries.any(|(key, _)| !section.keys.iter().any(|(known, _)| known == key))
        });
        in_section || self.is_misplaced(settings, &mut Vec::new())
    }

    fn is_misplaced<'v>(&self, value: &'v Value, at: &mut Vec<&'v str>) -> bool {
        value.entries().iter().any(|(key, value)| {
            let here = self.placed.iter().find(|placed| placed.key == key);
            let wrong = here.is_some_and(|placed| {
                !placed.under.iter().any(|under| {
                    under.len() == at.len()
                        && under
                            .iter()
                            .zip(at.iter())
                            .all(|(known, name)| *known == "*" || known == name)
                })
            });
            at.push(key);
            let below = !wrong && self.is_misplaced(value, at);
            at.pop();
            wrong || below
        })
    }

    /// Whether there is a key that a release does not read yet.
    pub(crate) fn is_ahead_of(&self, settings: &Value, release: Option<&Version>) -> bool {
        release.is_some_and(|release| {
            self.sections.iter().any(|section| {
                let table = settings.at(section.at);
                let mut keys = section.keys.iter();
                keys.any(|(key, since)| table.get(key).is_set() && !since.is_in(release))
            })
        })
    }
}

//! What a settings file says, whatever its syntax: one tree, with keys in the order of the text.

use std::collections::{BTreeMap, BTreeSet};

/// A value of a settings file.
///
/// Parsers bound the nesting (`serde_json` at 128, `toml` at 80), so walks over a value may recurse.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Value {
    #[default]
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Table(Table),
}

/// The entries of a table in the order of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Table {
    entries: Vec<(String, Value)>,
    /// The entries' places, in order of their keys: a file may have a hundred thousand.
    by_key: Vec<usize>,
}

impl Table {
    fn place(&self, key: &str) -> Option<usize> {
        let key_at = |place: &usize| self.entries.get(*place).map(|(key, _)| key.as_str());
        let found = self
            .by_key
            .binary_search_by(|place| key_at(place).cmp(&Some(key)));
        self.by_key.get(found.ok()?).copied()
    }
}

impl From<Vec<(String, Value)>> for Table {
    fn from(entries: Vec<(String, Value)>) -> Self {
        let mut by_key: Vec<usize> = (0..entries.len()).collect();
        by_key.sort_by_key(|place| entries.get(*place).map(|(key, _)| key.as_str()));
        Self { entries, by_key }
    }
}

/// The value of a missing key.
pub(crate) static NOTHING: Value = Value::Null;

impl Value {
    /// The value under nested keys; null if there is none.
    pub(crate) fn at(&self, keys: &[&str]) -> &Self {
        keys.iter().fold(self, |value, key| value.get(key))
    }

    /// The value of a key of a table; null if there is none.
    pub(crate) fn get(&self, key: &str) -> &Self {
        self.place(key)
            .and_then(|place| self.entries().get(place))
            .map_or(&NOTHING, |(_, value)| value)
    }

    /// The position of a key among the entries of a table.
    pub(crate) fn place(&self, key: &str) -> Option<usize> {
        match self {
            Self::Table(table) => table.place(key),
            _ => None,
        }
    }

    /// The entries of a table in the order of the text; none of anything else.
    pub(crate) fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Table(table) => &table.entries,
            _ => &[],
        }
    }

    /// The items of a list; none of anything else.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The values of a table.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Self> {
        self.entries().iter().map(|(_, value)| value)
    }

    /// The texts of a list.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.items().iter().filter_map(Self::text)
    }

    /// The text, of a text.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is this text.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text() == Some(text)
    }

    /// Whether a program could take it for "yes". Some read the word as well.
    pub(crate) fn is_yes(&self) -> bool {
        match self {
            Self::Bool(yes) => *yes,
            Self::Text(text) => text.eq_ignore_ascii_case("true"),
            _ => false,
        }
    }

    /// Whether it is exactly `true`, which every program takes for "yes".
    pub(crate) fn is_true(&self) -> bool {
        *self == Self::Bool(true)
    }

    /// Whether it is exactly `false`.
    pub(crate) fn is_false(&self) -> bool {
        *self == Self::Bool(false)
    }

    /// Whether the key was written at all.
    pub(crate) fn is_set(&self) -> bool {
        *self != Self::Null
    }

    /// Whether it is a list or table with anything in it.
    pub(crate) fn has_entries(&self) -> bool {
        !self.items().is_empty() || !self.entries().is_empty()
    }

    /// Whether the predicate is true for any scalar within.
    pub(crate) fn any_scalar(&self, holds: &impl Fn(&Self) -> bool) -> bool {
        match self {
            Self::List(items) => items.iter().any(|item| item.any_scalar(holds)),
            Self::Table(table) => table
                .entries
                .iter()
                .any(|(_, value)| value.any_scalar(holds)),
            scalar => holds(scalar),
        }
    }

    /// What it means, in one spelling: two values with the same one mean the same.
    ///
    /// Lists are sets, and so are tables, but for one with a wildcard among its keys: there the last
    /// match counts, and with it the order.
    pub(crate) fn meaning(&self) -> String {
        let mut parts = Vec::new();
        let ordered = match self {
            Self::List(items) => {
                parts.extend(items.iter().map(Self::meaning));
                false
            }
            Self::Table(table) => {
                let entries = table.entries.iter();
                parts.extend(entries.map(|(key, value)| format!("{key:?}: {}", value.meaning())));
                table
                    .entries
                    .iter()
                    .any(|(key, _)| key.contains(['*', '?']))
            }
            scalar => return format!("{scalar:?}"),
        };
        if !ordered {
            parts.sort_unstable();
            parts.dedup();
        }
        let (open, close) = match self {
            Self::List(_) => ('[', ']'),
            _ => ('{', '}'),
        };
        format!("{open}{}{close}", parts.join(", "))
    }

    /// Lays a later document over this one: lists are united, tables merged, anything else replaced.
    /// A key keeps the place it has in the earlier document.
    pub(crate) fn overlay(&mut self, later: Self, lists: Lists) {
        match (self, later) {
            (Self::Table(table), Self::Table(later)) => {
                let mut added = Vec::new();
                for (key, value) in later.entries {
                    let place = table.place(&key);
                    match place.and_then(|place| table.entries.get_mut(place)) {
                        Some((_, earlier)) => earlier.overlay(value, lists),
                        None => added.push((key, value)),
                    }
                }
                let mut entries = std::mem::take(&mut table.entries);
                entries.extend(added);
                *table = Table::from(entries);
            }
            (Self::List(items), Self::List(later)) if lists == Lists::United => {
                let mut known: BTreeSet<String> = items.iter().map(Self::meaning).collect();
                items.extend(
                    later
                        .into_iter()
                        .filter(|item| known.insert(item.meaning())),
                );
            }
            (earlier, later) => *earlier = later,
        }
    }

    /// The same with each key once: in its first place, with its last value.
    pub(super) fn with_last_keys(self) -> Self {
        match self {
            Self::List(items) => Self::List(items.into_iter().map(Self::with_last_keys).collect()),
            Self::Table(table) => {
                let mut kept: Vec<(String, Self)> = Vec::with_capacity(table.entries.len());
                let mut places = BTreeMap::new();
                for (key, value) in table.entries {
                    let value = value.with_last_keys();
                    let place = places.get(&key).copied();
                    match place.and_then(|place: usize| kept.get_mut(place)) {
                        Some((_, earlier)) => *earlier = value,
                        None => {
                            places.insert(key.clone(), kept.len());
                            kept.push((key, value));
                        }
                    }
                }
                Self::Table(Table::from(kept))
            }
            scalar => scalar,
        }
    }

    /// The same without some keys of the outermost table.
    #[cfg(feature = "device")]
    pub(super) fn without(&self, keys: &[&str]) -> Self {
        let Self::Table(table) = self else {
            return self.clone();
        };
        let kept = table.entries.iter();
        let kept = kept.filter(|(key, _)| !keys.contains(&key.as_str()));
        Self::Table(Table::from(kept.cloned().collect::<Vec<_>>()))
    }

    pub(super) fn repeats_a_key(&self) -> bool {
        match self {
            Self::List(items) => items.iter().any(Self::repeats_a_key),
            Self::Table(table) => {
                let keys: Vec<Option<&str>> = table
                    .by_key
                    .iter()
                    .map(|place| table.entries.get(*place).map(|(key, _)| key.as_str()))
                    .collect();
                let twice = keys.windows(2).any(|pair| matches!(pair, [a, b] if a == b));
                twice || table.entries.iter().any(|(_, value)| value.repeats_a_key())
            }
            _ => false,
        }
    }
}

/// What becomes of two lists under one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lists {
    United,
    Replaced,
}

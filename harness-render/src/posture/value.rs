//! What a settings file says, whatever its syntax: one tree, with keys in the order of the text.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::comments;
use super::unknown::Obstacle;

/// The most bytes of a file that are read. A settings file is thousands of times smaller, and what
/// is larger is not judged.
pub(crate) const MOST_BYTES: usize = 1024 * 1024;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// JSON as RFC 8259 has it.
    Json,
    /// JSON as Claude Code reads settings: a byte order mark is skipped, nothing at all is an empty
    /// object, and of a key that stands twice the last counts.
    LenientJson,
    /// JSON with comments.
    JsonWithComments,
    /// JSON with comments and with a comma after the last entry.
    JsonWithTrailingCommas,
    /// TOML.
    Toml,
    /// Text that is searched for a word rather than understood.
    Text,
    /// Markdown that begins with YAML between two lines `---`.
    FrontMatter,
    /// A file whose presence is what matters.
    Presence,
}

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
    /// The entries' places, in order of their keys: a file may hold a hundred thousand.
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

/// What stands under a key that is not there.
pub(crate) static NOTHING: Value = Value::Null;

impl Value {
    /// Reads a document.
    ///
    /// # Errors
    ///
    /// Why it cannot be judged. No parser's own message is kept: those quote the text.
    pub(crate) fn parse(bytes: &[u8], syntax: Syntax) -> Result<Self, Obstacle> {
        if bytes.len() > MOST_BYTES {
            return Err(Obstacle::TooLarge);
        }
        let text = str::from_utf8(bytes).map_err(|_| Obstacle::NotUtf8)?;
        let lenient = syntax == Syntax::LenientJson;
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) if lenient => rest,
            Some(_) => return Err(Obstacle::ByteOrderMark),
            None => text,
        };
        if lenient && text.trim().is_empty() {
            return Ok(Self::Table(Table::default()));
        }
        let value = match syntax {
            Syntax::Json | Syntax::LenientJson => json(text).ok_or_else(|| {
                let strict = comments::without(text, false);
                match json(&strict) {
                    Some(_) => Obstacle::Comments,
                    None => Obstacle::NotJson,
                }
            }),
            Syntax::JsonWithComments => {
                json(&comments::without(text, false)).ok_or(Obstacle::NotJson)
            }
            Syntax::JsonWithTrailingCommas => {
                json(&comments::without(text, true)).ok_or(Obstacle::NotJson)
            }
            Syntax::Toml => toml::from_str(text).map_err(|_| Obstacle::NotToml),
            Syntax::FrontMatter => super::front_matter::permissions(text),
            Syntax::Text => Ok(Self::Text(text.to_owned())),
            Syntax::Presence => Ok(Self::Bool(true)),
        }?;
        let needs_table = matches!(
            syntax,
            Syntax::Json
                | Syntax::LenientJson
                | Syntax::JsonWithComments
                | Syntax::JsonWithTrailingCommas
        );
        if needs_table && !matches!(value, Self::Table(_)) {
            return Err(Obstacle::NotAnObject);
        }
        if lenient {
            return Ok(value.with_last_keys());
        }
        if value.repeats_a_key() {
            return Err(Obstacle::DuplicateKey);
        }
        Ok(value)
    }

    /// The value under nested keys; null where there is none.
    pub(crate) fn at(&self, keys: &[&str]) -> &Self {
        keys.iter().fold(self, |value, key| value.get(key))
    }

    /// The value of a key of a table; null where there is none.
    pub(crate) fn get(&self, key: &str) -> &Self {
        self.place(key)
            .and_then(|place| self.entries().get(place))
            .map_or(&NOTHING, |(_, value)| value)
    }

    /// Where a key stands among the entries of a table.
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

    /// Whether the predicate holds of any scalar within.
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
    fn with_last_keys(self) -> Self {
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

    fn repeats_a_key(&self) -> bool {
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

fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    // No check needs more of a large integer than that it is large.
    #[expect(
        clippy::cast_precision_loss,
        reason = "whole numbers above 2^53 are compared with nothing"
    )]
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "whole numbers above 2^53 are compared with nothing"
    )]
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = access.next_entry::<Cow<'de, str>, Value>()? {
            entries.push((key.into_owned(), value));
        }
        Ok(Value::Table(entries.into()))
    }
}

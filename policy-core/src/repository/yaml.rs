//! From the bytes of a file to a tree of values with their places.
//!
//! A file passes three doors, each linear in time and memory, and each a guard of the next:
//!
//! 1. [`text`]: it is UTF-8, and what a reviewer sees is what a parser reads.
//! 2. [`scan`]: a parser that yields one event at a time bounds depth, aliases and number of values,
//!    and notes where every value begins. It yields places and never values.
//! 3. `serde_yaml` yields the values. It collects all events before it looks at depth, and for deep
//!    flow collections its time grows by the square, so it must never see one.
//!
//! So both parsers must accept the text. Where they disagree on its shape, the values are those of
//! `serde_yaml`, and from there on none has a place.
//!
//! No other module names either parser, so that each can be replaced here.

mod refusal;
mod scan;
#[cfg(test)]
mod tests;
mod text;

use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::repository::finding::{Finding, Position};
use scan::Mark;

pub(crate) use text::too_large;

/// A file with more bytes is refused.
pub(crate) const MOST_BYTES: usize = 64 * 1024 * 1024;

/// A document with more values, aliases written out, is refused: four times a list of a million hosts.
pub(crate) const MOST_VALUES: usize = 4 * 1024 * 1024;

/// A value and the place of its first character.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) position: Option<Position>,
}

impl Node {
    /// How many values the tree holds, itself included.
    pub(crate) fn values(&self) -> usize {
        let sum = |values: &mut dyn Iterator<Item = &Self>| {
            values.fold(1, |sum: usize, node| sum.saturating_add(node.values()))
        };
        match &self.value {
            Value::Sequence(nodes) => sum(&mut nodes.iter()),
            Value::Mapping(fields) => sum(&mut fields.iter().flat_map(|(key, value)| [key, value])),
            _ => 1,
        }
    }
}

/// A value by its YAML kind. Numbers are not kept: no key of a policy takes one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number,
    Text(String),
    Sequence(Vec<Node>),
    /// In the order written, repeated keys included.
    Mapping(Vec<(Node, Node)>),
}

impl Value {
    /// What a person calls it.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(true) => "`true`",
            Self::Bool(false) => "`false`",
            Self::Number => "a number",
            Self::Text(_) => "text",
            Self::Sequence(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }
}

/// The tree of a file's only document; [`Value::Null`] when the file holds none.
///
/// # Errors
///
/// What is wrong with the text as YAML: the first problem, since a parser cannot go on after it. The
/// finding names no file.
pub(crate) fn parse(bytes: &[u8]) -> Result<Node, Finding> {
    let text = text::decode(bytes)?;
    let marks = scan::scan(text)?;
    let mut build = Build {
        marks: &marks,
        next: 0,
        lost: false,
        left: Weight::MOST,
        over: false,
    };
    let deserializer = serde_yaml::Deserializer::from_str(text);
    match NodeSeed(&mut build).deserialize(deserializer) {
        Ok(node) => Ok(node),
        Err(_) if build.over => Err(refusal::too_many_values(None)),
        Err(error) => Err(refusal::explain_last(&error)),
    }
}

/// What a tree holds, aliases written out: the measure of the memory that it takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Weight {
    values: usize,
    /// Bytes of text in its scalars.
    text: usize,
}

impl Weight {
    const MOST: Self = Self {
        values: MOST_VALUES,
        text: MOST_BYTES,
    };

    fn plus(self, other: Self) -> Self {
        Self {
            values: self.values.saturating_add(other.values),
            text: self.text.saturating_add(other.text),
        }
    }

    /// What is left; `None` when `other` holds more.
    fn minus(self, other: Self) -> Option<Self> {
        Some(Self {
            values: self.values.checked_sub(other.values)?,
            text: self.text.checked_sub(other.text)?,
        })
    }
}

/// The tree being built, beside the marks of the scan.
struct Build<'s> {
    marks: &'s [Mark],
    next: usize,
    /// The marks and the values disagree: no more places.
    lost: bool,
    left: Weight,
    /// There was more than [`Weight::MOST`]. The scan refuses that first, unless it saw another tree.
    over: bool,
}

impl Build<'_> {
    /// Takes the next mark, which must be the one that `place` accepts.
    fn take(&mut self, place: impl Fn(Mark) -> Option<Position>) -> Option<Position> {
        if self.lost {
            return None;
        }
        let position = self.marks.get(self.next).copied().and_then(place);
        self.lost = position.is_none();
        self.next = self.next.saturating_add(1);
        position
    }

    fn end(&mut self) {
        if !self.lost {
            self.lost = self.marks.get(self.next) != Some(&Mark::End);
            self.next = self.next.saturating_add(1);
        }
    }

    fn pay<E: serde::de::Error>(&mut self, text: usize) -> Result<(), E> {
        match self.left.minus(Weight { values: 1, text }) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.over = true;
                Err(E::custom("more values than a document may hold"))
            }
        }
    }

    fn scalar<E: serde::de::Error>(&mut self, value: Value) -> Result<Node, E> {
        self.pay(if let Value::Text(text) = &value {
            text.len()
        } else {
            0
        })?;
        let position = self.take(|mark| match (mark, &value) {
            (Mark::Scalar(position, print), Value::Text(text)) => {
                (print == scan::fingerprint(text)).then_some(position)
            }
            (Mark::Scalar(position, _), _) => Some(position),
            _ => None,
        });
        Ok(Node { value, position })
    }
}

struct NodeSeed<'b, 's>(&'b mut Build<'s>);

impl<'de> DeserializeSeed<'de> for NodeSeed<'_, '_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        // The value of an alias has its place where it was written.
        let build = self.0;
        let after = match build.marks.get(build.next) {
            Some(&Mark::Alias(target)) if !build.lost => {
                Some((build.next.saturating_add(1), target))
            }
            _ => None,
        };
        if let Some((_, target)) = after {
            build.next = target;
        }
        let node = deserializer.deserialize_any(NodeSeed(build))?;
        if let Some((after, _)) = after {
            build.next = after;
        }
        Ok(node)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_, '_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value without a tag")
    }

    // A text without a document.
    fn visit_none<E: serde::de::Error>(self) -> Result<Node, E> {
        self.0.scalar(Value::Null)
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Node, E> {
        self.0.scalar(Value::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Node, E> {
        self.0.scalar(Value::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Node, E> {
        self.0.scalar(Value::Number)
    }

    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<Node, E> {
        self.0.scalar(Value::Number)
    }

    fn visit_i128<E: serde::de::Error>(self, _: i128) -> Result<Node, E> {
        self.0.scalar(Value::Number)
    }

    fn visit_u128<E: serde::de::Error>(self, _: u128) -> Result<Node, E> {
        self.0.scalar(Value::Number)
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Node, E> {
        self.0.scalar(Value::Number)
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Node, E> {
        self.0.scalar(Value::Text(value.to_owned()))
    }

    fn visit_string<E: serde::de::Error>(self, value: String) -> Result<Node, E> {
        self.0.scalar(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let build = self.0;
        build.pay(0)?;
        let position = build.take(|mark| match mark {
            Mark::Sequence(position) => Some(position),
            _ => None,
        });
        let mut nodes = Vec::new();
        while let Some(node) = entries.next_element_seed(NodeSeed(build))? {
            nodes.push(node);
        }
        build.end();
        Ok(Node {
            value: Value::Sequence(nodes),
            position,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let build = self.0;
        build.pay(0)?;
        let position = build.take(|mark| match mark {
            Mark::Mapping(position) => Some(position),
            _ => None,
        });
        let mut fields = Vec::new();
        while let Some(key) = entries.next_key_seed(NodeSeed(build))? {
            fields.push((key, entries.next_value_seed(NodeSeed(build))?));
        }
        build.end();
        Ok(Node {
            value: Value::Mapping(fields),
            position,
        })
    }
}

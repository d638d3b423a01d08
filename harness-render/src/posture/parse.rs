//! Bytes into a [`Value`].

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::obstacle::Obstacle;
use super::place::Syntax;
use super::value::{Table, Value};
use super::{comments, front_matter};

/// The most bytes of a file that are read. A settings file is thousands of times smaller, and what
/// is larger is not judged.
pub(crate) const MOST_BYTES: usize = 1024 * 1024;

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
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) if syntax.skips_mark() => rest,
            Some(_) => return Err(Obstacle::ByteOrderMark),
            None => text,
        };
        if syntax.may_be_empty() && text.trim().is_empty() {
            return Ok(Self::Table(Table::default()));
        }
        let value = match syntax {
            Syntax::Json | Syntax::LenientJson | Syntax::RepeatedJson => {
                json(text).ok_or_else(|| {
                    let strict = comments::without(text, false);
                    match json(&strict) {
                        Some(_) => Obstacle::Comments,
                        None => Obstacle::NotJson,
                    }
                })
            }
            Syntax::JsonWithComments | Syntax::RepeatedJsonWithComments => {
                json(&comments::without(text, false)).ok_or(Obstacle::NotJson)
            }
            Syntax::JsonWithTrailingCommas | Syntax::LenientJsonWithTrailingCommas => {
                json(&comments::without(text, true)).ok_or(Obstacle::NotJson)
            }
            Syntax::Toml | Syntax::MarkedToml => {
                toml::from_str(text).map_err(|_| Obstacle::NotToml)
            }
            Syntax::FrontMatter => front_matter::permissions(text),
            Syntax::Text => Ok(Self::Text(text.to_owned())),
            Syntax::Presence => Ok(Self::Bool(true)),
        }?;
        if syntax.is_json() && !matches!(value, Self::Table(_)) {
            return Err(Obstacle::NotAnObject);
        }
        if syntax.may_repeat() {
            return Ok(value.with_last_keys());
        }
        if value.repeats_a_key() {
            return Err(Obstacle::DuplicateKey);
        }
        Ok(value)
    }
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

//! Keys of a managed file that are written whatever the policy lists: the same table writes them and
//! tells a look at a device which are missing.

use serde_json::{Map, Value as Json, json};
use toml::{Table, Value as Toml};

use crate::fact::Fact;
use crate::format::{put_json, put_toml};
use crate::posture::value::Value;
use crate::request::Request;

/// One key with the value that it always has.
#[derive(Debug)]
pub(crate) struct Lock {
    /// With dots between the keys of nested tables.
    pub(crate) key: &'static str,
    pub(crate) value: Locked,
    /// The fact whose first release reads the key.
    pub(crate) fact: &'static Fact,
    /// When it is written, on a release that reads it.
    pub(crate) applies: fn(&Request<'_>) -> bool,
}

/// The value of a lock.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Locked {
    Yes,
    No,
    Text(&'static str),
    EmptyList,
    EmptyTable,
}

impl Locked {
    pub(crate) fn json(self) -> Json {
        match self {
            Self::Yes => json!(true),
            Self::No => json!(false),
            Self::Text(text) => json!(text),
            Self::EmptyList => json!([]),
            Self::EmptyTable => json!({}),
        }
    }

    fn toml(self) -> Toml {
        match self {
            Self::Yes => true.into(),
            Self::No => false.into(),
            Self::Text(text) => text.into(),
            Self::EmptyList => Toml::Array(Vec::new()),
            Self::EmptyTable => Table::new().into(),
        }
    }

    fn is(self, value: &Value) -> bool {
        match self {
            Self::Yes => value.is_true(),
            Self::No => value.is_false(),
            Self::Text(text) => value.is(text),
            Self::EmptyList | Self::EmptyTable => value.is_set() && !value.has_entries(),
        }
    }
}

/// Declares the locks of an adapter, a row each, as `LOCKS`: key, value, fact, when it is written.
macro_rules! locks {
    ($($(#[$doc:meta])* $key:literal = $value:expr, $fact:ident, $applies:expr;)*) => {
        pub(super) static LOCKS: &[Lock] = &[$(Lock {
            key: $key,
            value: $value,
            fact: &$fact,
            applies: $applies,
        }),*];
    };
}
pub(crate) use locks;

/// As a JSON object.
pub(crate) fn to_json(locks: &[&Lock]) -> Map<String, Json> {
    locks.iter().fold(Map::new(), |mut map, lock| {
        put_json(&mut map, lock.key, lock.value.json());
        map
    })
}

/// As a TOML table.
pub(crate) fn to_toml(locks: &[&Lock]) -> Table {
    locks.iter().fold(Table::new(), |mut table, lock| {
        put_toml(&mut table, lock.key, lock.value.toml());
        table
    })
}

/// Whether settings lack a lock or have another value under its key.
pub(crate) fn is_missed(locks: &[Lock], settings: &Value, key: &str) -> bool {
    let keys: Vec<&str> = key.split('.').collect();
    let lock = locks.iter().find(|lock| lock.key == key);
    lock.is_none_or(|lock| !lock.value.is(settings.at(&keys)))
}

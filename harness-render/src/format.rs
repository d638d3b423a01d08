//! The two syntaxes of managed files, written so that a change reads as what it is: keys in order,
//! one list entry a line, a final newline.
//!
//! Keys are put in order here, because the maps of both libraries keep insertion order as soon as
//! any crate of a build asks for that feature.

use serde_json::{Map, Value as Json};
use toml::Value as Toml;

/// A JSON document with two spaces of indentation.
pub(crate) fn json(value: &Json) -> Vec<u8> {
    format!("{:#}\n", sorted_json(value)).into_bytes()
}

fn sorted_json(value: &Json) -> Json {
    match value {
        Json::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| key.as_str());
            entries
                .into_iter()
                .map(|(key, value)| (key.clone(), sorted_json(value)))
                .collect()
        }
        Json::Array(items) => items.iter().map(sorted_json).collect(),
        scalar => scalar.clone(),
    }
}

/// A TOML document.
pub(crate) fn toml(table: &toml::Table) -> Vec<u8> {
    let table = sorted_table(table);
    // Strings, booleans, integers, lists and tables are all that a renderer puts in, and each has a
    // TOML form; the plain layout stands in rather than a panic.
    let text = toml::to_string_pretty(&table).unwrap_or_else(|_| table.to_string());
    text.into_bytes()
}

fn sorted_table(table: &toml::Table) -> toml::Table {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| key.as_str());
    entries
        .into_iter()
        .map(|(key, value)| (key.clone(), sorted_toml(value)))
        .collect()
}

fn sorted_toml(value: &Toml) -> Toml {
    match value {
        Toml::Table(table) => Toml::Table(sorted_table(table)),
        Toml::Array(items) => Toml::Array(items.iter().map(sorted_toml).collect()),
        scalar => scalar.clone(),
    }
}

/// Puts a value at a path with dots, in tables that are made on the way.
pub(crate) fn put_json(map: &mut Map<String, Json>, path: &str, value: Json) {
    match path.split_once('.') {
        None => {
            map.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = map.entry(first).or_insert_with(|| Json::Object(Map::new()));
            if let Json::Object(inner) = inner {
                put_json(inner, rest, value);
            }
        }
    }
}

/// The same in TOML.
pub(crate) fn put_toml(table: &mut toml::Table, path: &str, value: Toml) {
    match path.split_once('.') {
        None => {
            table.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = table.entry(first);
            let inner = inner.or_insert_with(|| Toml::Table(toml::Table::new()));
            if let Toml::Table(inner) = inner {
                put_toml(inner, rest, value);
            }
        }
    }
}

//! Reading a YAML tree: every key known, every value of its kind, every problem told.

use std::collections::HashMap;

use super::word::{Word, one_of, suggest};
use super::{At, Entry, List};
use crate::quote::quoted;
use crate::repository::finding::{Code, Finding, Position};
use crate::repository::report::{Place, Report};
use crate::repository::yaml::{self, Node, Value};

/// A key of a mapping and its value.
pub(super) struct Field {
    key: &'static str,
    key_position: Option<Position>,
    value: Node,
}

/// What a finding says.
pub(super) struct Words {
    pub(super) message: String,
    pub(super) help: String,
}

/// Reads values and reports those that do not belong where they are.
pub(super) struct Reader<'r>(pub(super) &'r mut Report);

impl Reader<'_> {
    pub(super) fn add(
        &mut self,
        code: Code,
        position: Option<Position>,
        place: &Place<'_>,
        words: impl FnOnce() -> Words,
    ) {
        self.0.add(|| {
            let Words { message, help } = words();
            Finding::new(code, message)
                .at(position)
                .on(place.to_string())
                .with_help(help)
        });
    }

    /// The fields of a document; an empty document has none.
    pub(super) fn document<const N: usize>(
        &mut self,
        node: Node,
        place: &Place<'_>,
        keys: [&'static str; N],
    ) -> [Option<Field>; N] {
        match node.value {
            Value::Null => keys.map(|_| None),
            _ => self.fields(node, place, keys),
        }
    }

    /// The fields of a mapping that has no other keys than `keys`, in their order.
    pub(super) fn fields<const N: usize>(
        &mut self,
        node: Node,
        place: &Place<'_>,
        keys: [&'static str; N],
    ) -> [Option<Field>; N] {
        let mut fields = keys.map(|_| None);
        let glued = matches!(&node.value, Value::Text(text) if text.contains(':'));
        let help = || match glued {
            true => "put a space after the colon of `key: value`".to_owned(),
            false => format!("the keys here are {}", one_of(&keys, "and")),
        };
        for (key, value) in self.mapping(node, place, help).unwrap_or_default() {
            let Some(name) = self.key(key, place) else {
                continue;
            };
            let known = keys.iter().zip(&mut fields);
            match known.into_iter().find(|(key, _)| **key == name.value) {
                Some((&key, slot @ None)) => {
                    *slot = Some(Field {
                        key,
                        key_position: name.position,
                        value,
                    });
                }
                Some((_, Some(first))) => {
                    let first = first.key_position;
                    self.duplicate(&name, first, place);
                }
                None => {
                    let place = Place::Key(place, &name.value);
                    self.add(Code::UnknownKey, name.position, &place, || Words {
                        message: format!("unknown key {}", quoted(&name.value)),
                        help: elsewhere(&name.value).unwrap_or_else(|| suggest(&name.value, &keys)),
                    });
                }
            }
        }
        fields
    }

    /// The entries of a mapping whose keys are names, without those whose name comes again.
    pub(super) fn named(
        &mut self,
        node: Node,
        place: &Place<'_>,
        example: &str,
    ) -> Option<Vec<(At<String>, Node)>> {
        let entries = self.mapping(node, place, || {
            format!("write a mapping: {}", quoted(example))
        })?;
        let mut seen = HashMap::new();
        let mut named = Vec::with_capacity(entries.len());
        for (key, mut value) in entries {
            let Some(name) = self.key(key, place) else {
                continue;
            };
            match seen.get(&name.value) {
                Some(&first) => self.duplicate(&name, first, place),
                None => {
                    seen.insert(name.value.clone(), name.position);
                    value.position = place_of(&value, name.position);
                    named.push((name, value));
                }
            }
        }
        Some(named)
    }

    fn mapping(
        &mut self,
        node: Node,
        place: &Place<'_>,
        help: impl FnOnce() -> String,
    ) -> Option<Vec<(Node, Node)>> {
        match node.value {
            Value::Mapping(entries) => Some(entries),
            _ => {
                self.wrong(&node, place, "a mapping", help);
                None
            }
        }
    }

    fn key(&mut self, key: Node, place: &Place<'_>) -> Option<At<String>> {
        match key.value {
            Value::Text(value) => Some(At {
                value,
                position: key.position,
            }),
            other => {
                self.add(Code::WrongType, key.position, place, || Words {
                    message: format!("a key must be text, not {}", other.kind()),
                    help: "quote the key, or remove it".to_owned(),
                });
                None
            }
        }
    }

    fn duplicate(&mut self, name: &At<String>, first: Option<Position>, place: &Place<'_>) {
        let place = Place::Key(place, &name.value);
        self.add(Code::DuplicateKey, name.position, &place, || Words {
            message: format!("the key {} is written twice", quoted(&name.value)),
            help: match first {
                Some(first) => format!("keep one of them; the other is in line {}", first.line()),
                None => "keep one of them".to_owned(),
            },
        });
    }

    /// Reports that a value is not `wanted`.
    pub(super) fn wrong(
        &mut self,
        node: &Node,
        place: &Place<'_>,
        wanted: &str,
        help: impl FnOnce() -> String,
    ) {
        if let Value::Null = node.value {
            self.add(Code::EmptyValue, node.position, place, || Words {
                message: format!("{wanted} belongs here, and there is nothing"),
                help: when_empty(place, wanted).to_owned(),
            });
        } else {
            self.add(Code::WrongType, node.position, place, || Words {
                message: format!("{wanted} belongs here, not {}", node.value.kind()),
                help: help(),
            });
        }
    }

    /// The value of a field, read by `read`.
    pub(super) fn value<T>(
        &mut self,
        field: Option<Field>,
        parent: &Place<'_>,
        read: impl FnOnce(&mut Self, Node, &Place<'_>) -> Option<T>,
    ) -> Option<T> {
        let Field {
            key,
            key_position,
            value: mut node,
        } = field?;
        node.position = place_of(&node, key_position);
        read(self, node, &Place::Key(parent, key))
    }

    /// A list, each of whose entries `read` reads; those that it cannot read are left out.
    pub(super) fn list<T>(
        &mut self,
        field: Option<Field>,
        parent: &Place<'_>,
        read: impl Fn(&mut Self, Node, &Place<'_>) -> Option<T>,
    ) -> Option<List<T>> {
        let position = field.as_ref()?.key_position;
        self.value(field, parent, |reader, node, place| {
            let Value::Sequence(nodes) = node.value else {
                reader.wrong(&node, place, "a list", || match &node.value {
                    Value::Text(text) => as_list(text),
                    _ => "write `[…]`, or one line `- …` for each entry".to_owned(),
                });
                return None;
            };
            let mut entries = Vec::with_capacity(nodes.len());
            for (index, node) in nodes.into_iter().enumerate() {
                let position = node.position;
                if let Some(value) = read(reader, node, &Place::Index(place, index)) {
                    entries.push(Entry {
                        index,
                        value,
                        position,
                    });
                }
            }
            Some(At {
                value: entries,
                position,
            })
        })
    }

    pub(super) fn text(&mut self, node: Node, place: &Place<'_>) -> Option<At<String>> {
        let Value::Text(value) = node.value else {
            self.wrong(&node, place, "text", || match node.value {
                Value::Sequence(_) => "write one value, not a list".to_owned(),
                _ => "quote it".to_owned(),
            });
            return None;
        };
        Some(At {
            value,
            position: node.position,
        })
    }

    /// A word of the set `W`.
    pub(super) fn word<W: Word>(&mut self, node: Node, place: &Place<'_>) -> Option<At<W>> {
        let position = node.position;
        match node.value {
            Value::Text(value) => self.known_word(&At { value, position }, place),
            _ => {
                let words = W::texts();
                self.wrong(&node, place, "a word", || match node.value {
                    // What YAML 1.1 made of an unquoted `off`, and what people write for it.
                    Value::Bool(false) if words.contains(&"off") => "write `off`".to_owned(),
                    _ => format!("write {}", one_of(&words, "or")),
                });
                None
            }
        }
    }

    pub(super) fn known_word<W: Word>(
        &mut self,
        text: &At<String>,
        place: &Place<'_>,
    ) -> Option<At<W>> {
        let word = W::ALL.iter().find(|word| word.text() == text.value);
        if word.is_none() {
            self.add(W::UNKNOWN, text.position, place, || Words {
                message: format!("unknown {} {}", W::KIND, quoted(&text.value)),
                help: suggest(&text.value, &W::texts()),
            });
        }
        Some(At {
            value: *word?,
            position: text.position,
        })
    }

    pub(super) fn truth(&mut self, node: Node, place: &Place<'_>) -> Option<At<bool>> {
        match node {
            Node {
                value: Value::Bool(value),
                position,
            } => Some(At { value, position }),
            node => {
                self.wrong(&node, place, "`true` or `false`", || {
                    "write `true` or `false`, without quotes".to_owned()
                });
                None
            }
        }
    }
}

/// The place of a value, and of its key where the value has none or is not there.
fn place_of(node: &Node, key: Option<Position>) -> Option<Position> {
    match node.value {
        Value::Null => key,
        _ => node.position.or(key),
    }
}

/// How to write a list whose only entry is `text`, where it is read as that.
fn as_list(text: &str) -> String {
    if text.starts_with('-') {
        return "write one line for each entry, with a space after its `-`".to_owned();
    }
    let is_several = |c: char| c.is_whitespace() || c.is_control() || matches!(c, ',' | '"' | '\\');
    // A longer text is shown cut.
    if text.is_empty() || text.len() > 100 || text.contains(is_several) {
        return "write a list: one line `- …` for each entry".to_owned();
    }
    let reads_as_it = |written: &String| {
        let node = yaml::parse(written.as_bytes()).ok();
        let entries = node.and_then(|node| match node.value {
            Value::Sequence(entries) => Some(entries),
            _ => None,
        });
        matches!(entries.as_deref(), Some([Node { value: Value::Text(read), .. }]) if read == text)
    };
    let spellings = [format!("[{text}]"), format!("[\"{text}\"]")];
    match spellings.iter().find(|written| reads_as_it(written)) {
        Some(written) => format!("write {}", quoted(written)),
        None => "write a list: one line `- …` for each entry".to_owned(),
    }
}

fn when_empty(place: &Place<'_>, wanted: &str) -> &'static str {
    match (place, wanted) {
        (Place::Index(..), _) => {
            "write the entry or remove it; quote it if it is meant to be `~` or `null`"
        }
        (_, "a list") => "write `[]` for an empty list, or remove the key",
        (_, "a mapping") => "write `{}` for an empty mapping, or remove the key",
        _ => "write the value, or remove the key",
    }
}

/// Where a key belongs that is known, but not in its place.
fn elsewhere(key: &str) -> Option<String> {
    let parent = match key {
        "<<" => return Some("merge keys are not read: write the entries out".to_owned()),
        "allowedDomains" | "presets" | "deniedDomains" => "egress",
        "mode" | "writableRoots" | "protectedPaths" => "sandbox",
        // The documentation's way to name a key is not the way to write it.
        "sandbox.mode"
        | "permissions.sandbox"
        | "egress.default"
        | "egress.allowedDomains"
        | "egress.presets"
        | "egress.deniedDomains"
        | "sandbox.writableRoots"
        | "sandbox.protectedPaths" => {
            let (parent, child) = key.split_once('.')?;
            return Some(format!("write `{child}` under `{parent}`"));
        }
        _ => return None,
    };
    Some(format!("write `{key}` under `{parent}`"))
}

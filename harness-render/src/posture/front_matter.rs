//! The YAML at the head of a Markdown file, reduced to what it permits.

use saphyr_parser::{Event, Parser};

use super::obstacle::Obstacle;
use super::value::Value;

/// An agent's head is a few lines. The parser holds back what stands in brackets until it knows that
/// no `:` follows, so the text is bounded rather than the parser trusted.
const MOST_BYTES: usize = 64 * 1024;

/// The keys of the head that grant anything. `permissions` is how later releases spell it.
const SECTIONS: [&str; 3] = ["permission", "permissions", "tools"];

const FENCE: &str = "---";

/// More levels than anyone writes by hand.
const MOST_DEPTH: usize = 32;

/// The content of each of the [sections](SECTIONS). Nothing for a text without front matter.
///
/// # Errors
///
/// As of [`under`].
pub(crate) fn permissions(text: &str) -> Result<Value, Obstacle> {
    under(text, &SECTIONS)
}

/// What stands under each of these keys of the head. Nothing for a text without front matter.
///
/// # Errors
///
/// The head never ends, is no YAML, or uses aliases or merged keys, which the walk does not follow.
pub(crate) fn under(text: &str, sections: &[&str]) -> Result<Value, Obstacle> {
    let Some(rest) = text.strip_prefix(FENCE) else {
        return Ok(Value::Table(Vec::new().into()));
    };
    let (first, rest) = rest.split_once('\n').ok_or(Obstacle::FrontMatter)?;
    // A word here would name another language for the head.
    if !first.trim().is_empty() {
        return Err(Obstacle::FrontMatter);
    }
    let mut length = 0_usize;
    let ended = rest.split_inclusive('\n').any(|line| {
        let ends = line.trim_end() == FENCE;
        if !ends {
            length = length.saturating_add(line.len());
        }
        ends
    });
    let head = rest.get(..length).filter(|_| ended);
    let head = head.ok_or(Obstacle::FrontMatter)?;
    if head.len() > MOST_BYTES {
        return Err(Obstacle::TooLarge);
    }
    let mut walk = Walk::default();
    let mut parser = Parser::new_from_str(head);
    while let Some(event) = parser.next_event() {
        let (event, _) = event.map_err(|_| Obstacle::FrontMatter)?;
        walk.step(event)?;
    }
    let entries = walk.entries.into_iter();
    let kept = entries.filter(|(key, _)| sections.contains(&key.as_str()));
    Ok(Value::Table(kept.collect::<Vec<_>>().into()))
}

/// A collection that has begun.
enum Open {
    Mapping {
        entries: Vec<(String, Value)>,
        key: Option<String>,
    },
    Sequence(Vec<Value>),
}

#[derive(Default)]
struct Walk {
    open: Vec<Open>,
    /// The entries of the mapping that the head is.
    entries: Vec<(String, Value)>,
}

impl Walk {
    fn step(&mut self, event: Event<'_>) -> Result<(), Obstacle> {
        match event {
            Event::Alias(_) => Err(Obstacle::FrontMatter),
            Event::Scalar(text, ..) => self.scalar(text.into_owned()),
            Event::MappingStart(..) => self.begin(Open::Mapping {
                entries: Vec::new(),
                key: None,
            }),
            Event::SequenceStart(..) => self.begin(Open::Sequence(Vec::new())),
            Event::MappingEnd | Event::SequenceEnd => {
                match self.open.pop() {
                    Some(Open::Mapping { entries, .. }) if self.open.is_empty() => {
                        self.entries.extend(entries);
                    }
                    Some(Open::Mapping { entries, .. }) => self.put(Value::Table(entries.into())),
                    Some(Open::Sequence(items)) => self.put(Value::List(items)),
                    None => {}
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, collection: Open) -> Result<(), Obstacle> {
        let as_key = matches!(self.open.last(), Some(Open::Mapping { key: None, .. }));
        if as_key || self.open.len() >= MOST_DEPTH {
            return Err(Obstacle::FrontMatter);
        }
        self.open.push(collection);
        Ok(())
    }

    fn scalar(&mut self, text: String) -> Result<(), Obstacle> {
        match self.open.last_mut() {
            Some(Open::Mapping { key, .. }) if key.is_none() => {
                if text == "<<" {
                    return Err(Obstacle::FrontMatter);
                }
                *key = Some(text);
            }
            _ => self.put(Value::Text(text)),
        }
        Ok(())
    }

    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Open::Mapping { entries, key }) => {
                entries.extend(key.take().map(|key| (key, value)));
            }
            Some(Open::Sequence(items)) => items.push(value),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_of<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
        texts.extend(value.text());
        for below in value.values().chain(value.items()) {
            texts_of(below, texts);
        }
    }

    fn scalars(text: &str) -> Result<String, Obstacle> {
        let value = permissions(text)?;
        let sections = value.entries().iter().map(|(key, section)| {
            let mut texts = Vec::new();
            texts_of(section, &mut texts);
            format!("{key}: {}", texts.join(" "))
        });
        Ok(sections.collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn the_scalars_of_each_section_are_listed() {
        for (text, found) in [
            ("", ""),
            ("# A heading\n\npermission: allow", ""),
            ("---\n---\n", ""),
            (
                "---\ndescription: asks permission to edit\n---\npermission: allow\n",
                "",
            ),
            ("---\npermission: allow\n---\n", "permission: allow"),
            ("---\r\npermission: allow\r\n---\r\n", "permission: allow"),
            ("---\n\"permission\": allow\n---\n", "permission: allow"),
            ("---\n\"p\\x65rmission\": allow\n---\n", "permission: allow"),
            (
                "---\n? permission\n: edit: allow\n---\n",
                "permission: allow",
            ),
            (
                "---\n{permission: {edit: allow, bash: deny}, mode: all}\n---\n",
                "permission: allow deny",
            ),
            (
                "---\npermission:\n  edit: deny\nmode: allow\n---\n",
                "permission: deny",
            ),
            (
                "---\npermission:\n  bash: {\"*\": ask}\ntools: {edit: true}\n---\n",
                "permission: ask; tools: true",
            ),
            (
                "---\npermissions:\n  - action: edit\n    effect: allow\nmode: x\n---\n",
                "permissions: edit allow",
            ),
            ("---\nnested:\n  permission: allow\n---\n", ""),
        ] {
            assert_eq!(scalars(text).unwrap(), found, "{text}");
        }
    }

    #[test]
    fn what_is_not_followed_is_refused() {
        for text in [
            "---",
            "---\npermission: allow\n",
            "---js\n({permission: 'allow'})\n---\n",
            "---\na: [\n---\n",
            "---\na: &x {edit: allow}\npermission: *x\n---\n",
            "---\na: &x {permission: allow}\n<<: *x\n---\n",
            "---\n? {a: b}\n: c\n---\n",
        ] {
            assert_eq!(scalars(text), Err(Obstacle::FrontMatter), "{text}");
        }
        let long = format!("---\na: {}\n---\n", "x".repeat(MOST_BYTES));
        assert_eq!(scalars(&long), Err(Obstacle::TooLarge));
        for close in ["", "]"] {
            let (open, close) = ("[".repeat(10_000), close.repeat(10_000));
            let deep = format!("---\na: {open}{close}\n---\n");
            assert!(scalars(&deep).is_err());
        }
    }
}

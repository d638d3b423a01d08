//! The YAML at the head of a Markdown file, reduced to what it permits.

use saphyr_parser::{Event, Parser};

use super::unknown::Obstacle;
use super::value::Value;

/// An agent's head is a few lines. The parser holds back what stands in brackets until it knows that
/// no `:` follows, so the text is bounded rather than the parser trusted.
const MOST_BYTES: usize = 64 * 1024;

/// The keys of the head that grant anything. `permissions` is how later releases spell it.
const SECTIONS: [&str; 3] = ["permission", "permissions", "tools"];

const FENCE: &str = "---";

/// The scalars under each of the [sections](SECTIONS), as one list a section. Nothing for a text
/// without front matter.
///
/// # Errors
///
/// The head never ends, is no YAML, or uses aliases or merged keys, which the walk does not follow.
pub(crate) fn permissions(text: &str) -> Result<Value, Obstacle> {
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
    Ok(Value::Table(walk.sections.into()))
}

/// A collection that has begun.
enum Open {
    Mapping { awaits_key: bool },
    Sequence,
}

#[derive(Default)]
struct Walk {
    open: Vec<Open>,
    /// Whether what comes belongs to the last of `sections`.
    inside: bool,
    sections: Vec<(String, Value)>,
}

impl Walk {
    fn step(&mut self, event: Event<'_>) -> Result<(), Obstacle> {
        match event {
            Event::Alias(_) => return Err(Obstacle::FrontMatter),
            Event::Scalar(text, ..) => self.scalar(&text)?,
            Event::MappingStart(..) => {
                self.refuse_collection_as_key()?;
                self.open.push(Open::Mapping { awaits_key: true });
            }
            Event::SequenceStart(..) => {
                self.refuse_collection_as_key()?;
                self.open.push(Open::Sequence);
            }
            Event::MappingEnd | Event::SequenceEnd => {
                self.open.pop();
                self.value_ended();
            }
            _ => {}
        }
        Ok(())
    }

    fn scalar(&mut self, text: &str) -> Result<(), Obstacle> {
        let depth = self.open.len();
        let Some(Open::Mapping { awaits_key }) = self.open.last_mut() else {
            self.grant(text);
            return Ok(());
        };
        if !*awaits_key {
            self.grant(text);
            self.value_ended();
            return Ok(());
        }
        *awaits_key = false;
        if text == "<<" {
            return Err(Obstacle::FrontMatter);
        }
        if depth == 1 && SECTIONS.contains(&text) {
            self.inside = true;
            self.sections
                .push((text.to_owned(), Value::List(Vec::new())));
        }
        Ok(())
    }

    fn grant(&mut self, text: &str) {
        if let Some((_, Value::List(scalars))) = self.sections.last_mut().filter(|_| self.inside) {
            scalars.push(Value::Text(text.to_owned()));
        }
    }

    fn value_ended(&mut self) {
        if let Some(Open::Mapping { awaits_key }) = self.open.last_mut() {
            *awaits_key = true;
        }
        if self.open.len() <= 1 {
            self.inside = false;
        }
    }

    fn refuse_collection_as_key(&self) -> Result<(), Obstacle> {
        match self.open.last() {
            Some(Open::Mapping { awaits_key: true }) => Err(Obstacle::FrontMatter),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalars(text: &str) -> Result<String, Obstacle> {
        let value = permissions(text)?;
        let sections = value.entries().iter().map(|(key, list)| {
            let texts: Vec<&str> = list.texts().collect();
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
        let deep = format!("---\na: {}\n---\n", "[".repeat(10_000));
        assert!(scalars(&deep).is_err());
    }
}

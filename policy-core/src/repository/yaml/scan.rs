//! The second door: bounds, and the place of every value.
//!
//! The parser here yields one event at a time, so that a refusal stops it. It holds back the tokens
//! of a flow collection until it knows that no `:` follows, at most 255 levels deep; [`marks_of`]
//! bounds their number before it starts.

use core::hash::Hasher as _;
use core::num::NonZeroU32;
use std::hash::DefaultHasher;

use saphyr_parser::{Event, Marker, Parser};

use super::Weight;
use super::refusal::{explain, refuse_tag, too_deep, too_many_aliases, too_many_values};
use crate::repository::finding::{Code, Finding, Position};

/// Nesting of a document, aliases written out. A policy needs five.
pub(super) const MOST_DEPTH: usize = 64;

/// What aliases may add to what is written.
const MOST_ALIASED: Weight = Weight {
    values: 100_000,
    text: 8 * 1024 * 1024,
};

/// The place where a value begins or a collection ends, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// With the [`fingerprint`] of the scalar's text.
    Scalar(Position, u64),
    Sequence(Position),
    Mapping(Position),
    End,
    /// The index of the mark at which the value of this alias begins.
    Alias(usize),
}

/// The marks of a text that has passed the first door.
///
/// # Errors
///
/// The first thing in the text that is no YAML, that a policy does not use, or that is too much.
pub(super) fn scan(text: &str) -> Result<Vec<Mark>, Finding> {
    if let Some(line) = directive(text) {
        let message = "a YAML directive".to_owned();
        return Err(Finding::new(Code::Directive, message)
            .at(position(line, 0))
            .with_help("remove the line"));
    }
    if marks_of(text) > Weight::MOST.values {
        return Err(too_many_values(None));
    }
    let mut walk = Walk::default();
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| explain(&error, text))?;
        walk.step(event, span.start, text)?;
    }
    Ok(walk.marks)
}

/// An upper bound for the values of a text, from characters alone: every value but the first follows
/// one of the marks counted here.
fn marks_of(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut marks = 0_usize;
    let mut previous = b'\n';
    for (at, &byte) in bytes.iter().enumerate() {
        let next = bytes.get(at.saturating_add(1)).copied().unwrap_or(b'\n');
        let blank = matches!(next, b' ' | b'\t' | b'\n' | b'\r');
        let counts = match byte {
            b',' | b'[' | b'{' => true,
            b'-' | b'?' => blank,
            b':' => blank || b",[]{}\"'".contains(&next) || b"]}\"'".contains(&previous),
            _ => false,
        };
        marks = marks.saturating_add(usize::from(counts));
        previous = byte;
    }
    marks
}

/// The line of the first directive. One can only stand before everything else but comments.
fn directive(text: &str) -> Option<usize> {
    let ignored = |line: &str| line.trim_start().is_empty() || line.trim_start().starts_with('#');
    let (at, line) = text.lines().enumerate().find(|(_, line)| !ignored(line))?;
    line.starts_with('%').then(|| at.saturating_add(1))
}

/// A collection that has begun and not ended.
struct Open {
    anchor: usize,
    /// The index of its mark.
    mark: usize,
    /// What was written, aliases written out, before it.
    before: Weight,
    /// The levels below it so far.
    height: usize,
}

/// A value that has ended and may be repeated.
#[derive(Clone, Copy)]
struct Anchored {
    mark: usize,
    weight: Weight,
    height: usize,
}

#[derive(Default)]
struct Walk {
    marks: Vec<Mark>,
    open: Vec<Open>,
    /// By anchor, numbered from 1 in the order of the text; none while its value is open.
    anchored: Vec<Option<Anchored>>,
    total: Weight,
    aliased: Weight,
    documents: usize,
}

impl Walk {
    fn step(&mut self, event: Event<'_>, at: Marker, text: &str) -> Result<(), Finding> {
        let place = position(at.line(), at.col());
        let Some(known) = place else {
            return Err(too_many_values(None));
        };
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(_) => {
                self.documents = self.documents.saturating_add(1);
                if self.documents > 1 {
                    let message = "a second YAML document in the file".to_owned();
                    let help = "keep one document in a file; remove the line `---`";
                    return Err(Finding::new(Code::SeveralDocuments, message)
                        .at(place)
                        .with_help(help));
                }
            }
            Event::Scalar(value, _, anchor, tag) => {
                refuse_tag(tag.as_ref(), at, text)?;
                let mark = self.mark(Mark::Scalar(known, fingerprint(&value)));
                let weight = Weight {
                    values: 1,
                    text: value.len(),
                };
                self.write(weight, place)?;
                self.remember(
                    anchor,
                    Anchored {
                        mark,
                        weight,
                        height: 0,
                    },
                );
            }
            Event::SequenceStart(anchor, tag) => {
                refuse_tag(tag.as_ref(), at, text)?;
                self.begin(Mark::Sequence(known), anchor, place)?;
            }
            Event::MappingStart(anchor, tag) => {
                refuse_tag(tag.as_ref(), at, text)?;
                self.begin(Mark::Mapping(known), anchor, place)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(anchor) => self.alias(anchor, place)?,
        }
        Ok(())
    }

    fn mark(&mut self, mark: Mark) -> usize {
        self.marks.push(mark);
        self.marks.len().saturating_sub(1)
    }

    fn write(&mut self, weight: Weight, place: Option<Position>) -> Result<(), Finding> {
        self.total = self.total.plus(weight);
        match Weight::MOST.minus(self.total) {
            Some(_) => Ok(()),
            None => Err(too_many_values(place)),
        }
    }

    /// Levels are counted from the root, which is one.
    fn reach(&mut self, height: usize, place: Option<Position>) -> Result<(), Finding> {
        if self.open.len().saturating_add(height) > MOST_DEPTH {
            return Err(too_deep(place));
        }
        // Only the innermost: an outer one learns its height when the inner one ends.
        if let Some(open) = self.open.last_mut() {
            open.height = open.height.max(height);
        }
        Ok(())
    }

    fn begin(&mut self, mark: Mark, anchor: usize, place: Option<Position>) -> Result<(), Finding> {
        self.reach(1, place)?;
        let before = self.total;
        let mark = self.mark(mark);
        self.write(Weight { values: 1, text: 0 }, place)?;
        self.open.push(Open {
            anchor,
            mark,
            before,
            height: 0,
        });
        Ok(())
    }

    fn end(&mut self) {
        self.mark(Mark::End);
        let Some(Open {
            anchor,
            mark,
            before,
            height,
        }) = self.open.pop()
        else {
            return;
        };
        let height = height.saturating_add(1);
        if let Some(outer) = self.open.last_mut() {
            outer.height = outer.height.max(height);
        }
        let weight = self.total.minus(before).unwrap_or_default();
        self.remember(
            anchor,
            Anchored {
                mark,
                weight,
                height,
            },
        );
    }

    fn slot(&mut self, anchor: usize) -> Option<&mut Option<Anchored>> {
        if self.anchored.len() < anchor {
            self.anchored.resize(anchor, None);
        }
        self.anchored.get_mut(anchor.checked_sub(1)?)
    }

    fn remember(&mut self, anchor: usize, value: Anchored) {
        if let Some(slot) = self.slot(anchor) {
            *slot = Some(value);
        }
    }

    fn alias(&mut self, anchor: usize, place: Option<Position>) -> Result<(), Finding> {
        let value = anchor
            .checked_sub(1)
            .and_then(|at| self.anchored.get(at).copied().flatten());
        let Some(Anchored {
            mark,
            weight,
            height,
        }) = value
        else {
            return Err(too_many_aliases(
                "an alias inside the value that it repeats",
                place,
            ));
        };
        self.reach(height, place)?;
        self.mark(Mark::Alias(mark));
        self.aliased = self.aliased.plus(weight);
        if MOST_ALIASED.minus(self.aliased).is_none() {
            return Err(too_many_aliases(
                "aliases repeat more than a document may hold",
                place,
            ));
        }
        self.write(weight, place)
    }
}

/// By which two readings of a scalar are compared, without keeping either: `{?a}` is one key, but
/// `?a` to one parser and `a` to the other. They also end a block scalar at the end of the file in
/// two ways, with and without a line end, which does not matter.
pub(super) fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.trim_end_matches('\n').as_bytes());
    hasher.finish()
}

/// The place with this line, from 1, and this column, from 0.
pub(super) fn position(line: usize, column: usize) -> Option<Position> {
    let line = u32::try_from(line).ok().and_then(NonZeroU32::new)?;
    let column = u32::try_from(column.checked_add(1)?)
        .ok()
        .and_then(NonZeroU32::new)?;
    Some(Position::new(line, column))
}

//! What is told of a text that is refused, in the words of a policy where it is a usual slip.

use alloc::borrow::Cow;

use saphyr_parser::{Marker, ScanError, Tag};

use super::Weight;
use super::scan::{MOST_DEPTH, position};
use crate::quote::quoted;
use crate::repository::finding::{Code, Finding, Position};

/// The remedy for most of what is no YAML.
const SYNTAX_HELP: &str = "correct the text; quote a value that contains `:`, `#`, `{`, `[`, `|` or another special character";

pub(super) fn too_deep(place: Option<Position>) -> Finding {
    let message = format!("more than {MOST_DEPTH} levels of nesting");
    Finding::new(Code::TooDeep, message)
        .at(place)
        .with_help("write it flatter: a policy needs five")
}

pub(super) fn too_many_aliases(message: &str, place: Option<Position>) -> Finding {
    Finding::new(Code::TooManyAliases, message)
        .at(place)
        .with_help("write the values out")
}

pub(super) fn too_many_values(place: Option<Position>) -> Finding {
    let message = format!("more than {} values in a document", Weight::MOST.values);
    Finding::new(Code::TooManyValues, message)
        .at(place)
        .with_help("split the policy into smaller profiles")
}

/// Refuses a tag. Unquoted words that begin with `!` are tags as well.
pub(super) fn refuse_tag(
    tag: Option<&Cow<'_, Tag>>,
    at: Marker,
    text: &str,
) -> Result<(), Finding> {
    match tag {
        None => Ok(()),
        Some(_) if word_at(at, text).starts_with('!') => Err(starts_with_indicator('!', at, text)),
        // Behind an anchor.
        Some(_) => Err(Finding::new(Code::Tag, "a YAML tag")
            .at(position(at.line(), at.col()))
            .with_help("remove the tag, which begins with `!`")),
    }
}

/// What the parser of the scan could not read.
pub(super) fn explain(error: &ScanError, text: &str) -> Finding {
    let at = *error.marker();
    let place = position(at.line(), at.col());
    if error.info().contains("recursion limit") {
        return too_deep(place);
    }
    match word_at(at, text).chars().next() {
        Some(indicator @ ('*' | '!' | '@' | '`' | '%')) => {
            starts_with_indicator(indicator, at, text)
        }
        _ if error.info().contains("block scalar") && block_word(at, text).is_some() => {
            let word = block_word(at, text).unwrap_or_default();
            Finding::new(Code::NotYaml, "`|` cannot begin a value without quotes")
                .at(place)
                .with_help(quote_it(word))
        }
        _ => {
            let message = format!("not readable as YAML: {}", error.info());
            Finding::new(Code::NotYaml, message)
                .at(place)
                .with_help(SYNTAX_HELP)
        }
    }
}

/// A plain word whose first character has a meaning in YAML.
fn starts_with_indicator(indicator: char, at: Marker, text: &str) -> Finding {
    let word = word_at(at, text);
    let (code, meaning) = match indicator {
        '*' => (
            Code::UnknownAlias,
            "without quotes is a YAML alias, and there is no such anchor",
        ),
        '!' => (Code::Tag, "without quotes is a YAML tag"),
        _ => (Code::NotYaml, "cannot begin a value without quotes"),
    };
    let subject = if matches!(indicator, '*' | '!') {
        quoted(word)
    } else {
        quoted(&indicator.to_string())
    };
    Finding::new(code, format!("{subject} {meaning}"))
        .at(position(at.line(), at.col()))
        .with_help(quote_it(word))
}

fn quote_it(word: &str) -> String {
    format!("quote it: {}", quoted(&format!("\"{word}\"")))
}

/// The word of a line that begins with `|`, as entries of blocklists do: the parser has read on.
fn block_word(at: Marker, text: &str) -> Option<&str> {
    let line = text.lines().nth(at.line().saturating_sub(1))?;
    let mut words = line.split([' ', '\t']);
    words.find(|word| word.starts_with('|'))
}

/// The word that begins at a place of the text.
fn word_at(at: Marker, text: &str) -> &str {
    let line = text
        .lines()
        .nth(at.line().saturating_sub(1))
        .unwrap_or_default();
    let start = line
        .char_indices()
        .nth(at.col())
        .map_or(line.len(), |(offset, _)| offset);
    let rest = line.get(start..).unwrap_or_default();
    rest.split([' ', '\t', ',', ']', '}', '#'])
        .next()
        .unwrap_or_default()
}

/// What `serde_yaml` could not read, although the scan could.
pub(super) fn explain_last(error: &serde_yaml::Error) -> Finding {
    let place = error
        .location()
        .and_then(|at| position(at.line(), at.column().saturating_sub(1)));
    let mut message = error.to_string();
    // It repeats its place, which is the finding's.
    if let Some(place) = message.find(" at line ") {
        message.truncate(place);
    }
    let code = match message.as_str() {
        "recursion limit exceeded" => Code::TooDeep,
        "repetition limit exceeded" => Code::TooManyAliases,
        text if text.contains("more than one document") => Code::SeveralDocuments,
        _ => Code::NotYaml,
    };
    Finding::new(code, format!("not readable as YAML: {message}"))
        .at(place)
        .with_help(SYNTAX_HELP)
}

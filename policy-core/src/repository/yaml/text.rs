//! The first door: what a reviewer sees is what a parser reads.

use super::{MOST_BYTES, scan};
use crate::repository::finding::{Code, Finding, Position};

/// The text of a file, without the byte order mark that some editors put before it.
pub(super) fn decode(bytes: &[u8]) -> Result<&str, Finding> {
    if bytes.len() > MOST_BYTES {
        return Err(too_large());
    }
    if let [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] = bytes {
        return Err(Finding::new(Code::NotUtf8, "the file is UTF-16").with_help("save it as UTF-8"));
    }
    let text = match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let offset = error.valid_up_to();
            let before = bytes.get(..offset).unwrap_or_default();
            let before = core::str::from_utf8(before).unwrap_or_default();
            let message = format!("the byte at offset {offset} is no UTF-8");
            let position = position_after(before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(before));
            return Err(Finding::new(Code::NotUtf8, message)
                .at(position)
                .with_help("save the file as UTF-8"));
        }
    };
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    match refused_character(text) {
        None => Ok(text),
        Some((offset, refused)) => {
            let position = position_after(text.get(..offset).unwrap_or_default());
            let (code, message, help) = describe(refused);
            Err(Finding::new(code, message).at(position).with_help(help))
        }
    }
}

/// The finding for a file over [`MOST_BYTES`].
pub(crate) fn too_large() -> Finding {
    let message = format!("the file has more than {} MiB", MOST_BYTES / (1024 * 1024));
    Finding::new(Code::TooLarge, message).with_help("split the policy into smaller profiles")
}

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// A character with which two parsers, or a parser and an editor, may disagree on where a line or a
/// comment ends, or in which order text stands.
///
/// YAML 1.2.2, section 5.1 forbids most control characters. YAML 1.1 breaks lines at U+0085, U+2028
/// and U+2029, and 1.2 does not (section 5.4). A carriage return alone breaks a line in both, and few
/// editors show it. Bidirectional overrides make code read as comment (CVE-2021-42574).
fn refused_character(text: &str) -> Option<(usize, char)> {
    let mut characters = text.char_indices().peekable();
    while let Some((offset, c)) = characters.next() {
        let refused = match c {
            '\n' | '\t' => false,
            '\r' => characters.peek().is_none_or(|&(_, next)| next != '\n'),
            '\u{2028}' | '\u{2029}' | BYTE_ORDER_MARK => true,
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
            '\u{FFFE}' | '\u{FFFF}' => true,
            c => c.is_control(),
        };
        if refused {
            return Some((offset, c));
        }
    }
    None
}

/// Words that ran together are other words: `a.example` and `b.example` would be one host.
const ANEW: &str = "type the line anew: what is left without it may say something else";

fn describe(c: char) -> (Code, String, &'static str) {
    let point = u32::from(c);
    match c {
        '\0' => (Code::Nul, "a NUL character".to_owned(), ANEW),
        '\r' => (
            Code::ControlCharacter,
            "a carriage return without a line feed, which ends a line and which few editors show"
                .to_owned(),
            "end lines with LF or with CR LF",
        ),
        BYTE_ORDER_MARK => (
            Code::ControlCharacter,
            "a byte order mark (U+FEFF) inside the text".to_owned(),
            ANEW,
        ),
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => (
            Code::ControlCharacter,
            format!("the character U+{point:04X}, which shows the text after it in another order"),
            ANEW,
        ),
        '\u{85}' | '\u{2028}' | '\u{2029}' => (
            Code::ControlCharacter,
            format!("the character U+{point:04X}, at which only some YAML parsers end a line"),
            "end lines with LF or with CR LF",
        ),
        _ => (
            Code::ControlCharacter,
            format!("the control character U+{point:04X}"),
            ANEW,
        ),
    }
}

/// The place of the character that follows `before`.
fn position_after(before: &str) -> Option<Position> {
    let lines = before.bytes().filter(|&b| b == b'\n').count();
    let column = before.chars().rev().take_while(|&c| c != '\n').count();
    scan::position(lines.saturating_add(1), column)
}

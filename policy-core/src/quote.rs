//! How text from outside is shown: in backticks, on one line, with nothing hidden in it.

use alloc::string::{String, ToString};
use core::fmt;

/// Longer inputs are cut: a finding names its place, so the text only has to be recognised.
const SHOWN_CHARACTERS: usize = 120;

/// `text` in backticks, escaped, and cut after 120 characters.
pub fn quoted(text: &str) -> String {
    Quoted(text).to_string()
}

/// Writes `text` whole, with every character that could hide or break the line escaped.
pub(crate) fn write_escaped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.chars().try_for_each(|c| write_char(f, c))
}

struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        let mut characters = self.0.chars();
        for c in characters.by_ref().take(SHOWN_CHARACTERS) {
            match c {
                '`' => f.write_str("\\`")?,
                c => write_char(f, c)?,
            }
        }
        if characters.next().is_some() {
            f.write_str("…")?;
        }
        f.write_str("`")
    }
}

fn write_char(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    match c {
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        c if c.is_control() || is_invisible(c) => write!(f, "{}", c.escape_unicode()),
        c => write!(f, "{c}"),
    }
}

/// Characters that show nothing or reorder what is around them, so that a reader would see another
/// text than the program did (Unicode Technical Report 36, section 2.6 and 3.6; UTS 55).
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_shown_on_one_line_with_nothing_hidden() {
        for (input, shown) in [
            ("", "``"),
            ("pastebin.com", "`pastebin.com`"),
            ("münchen.example", "`münchen.example`"),
            ("a\0b", r"`a\u{0}b`"),
            ("a\nb\r\tc", r"`a\nb\r\tc`"),
            ("\u{1b}[31mred", r"`\u{1b}[31mred`"),
            ("a\u{202e}b", r"`a\u{202e}b`"),
            ("a\u{200b}b", r"`a\u{200b}b`"),
            ("a`b", r"`a\`b`"),
            (r"C:\x", r"`C:\x`"),
        ] {
            assert_eq!(quoted(input), shown);
        }
    }

    #[test]
    fn a_long_input_is_cut_between_characters() {
        let long = "é".repeat(SHOWN_CHARACTERS + 1);
        let cut = alloc::format!("`{}…`", "é".repeat(SHOWN_CHARACTERS));
        assert_eq!(quoted(&long), cut);
        let whole = "é".repeat(SHOWN_CHARACTERS);
        assert_eq!(quoted(&whole), alloc::format!("`{whole}`"));
    }
}

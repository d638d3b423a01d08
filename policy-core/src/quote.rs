//! How text from outside is shown: in backticks, on one line, with nothing hidden in it, and without
//! what may be a password.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

/// Longer inputs are cut: a finding names its place, so the text only has to be recognised.
const SHOWN_CHARACTERS: usize = 120;

/// `text` in backticks: [`masked`], with every character [`is_hidden`] says escaped, and cut after
/// 120 characters.
///
/// ```
/// use policy_core::quoted;
///
/// assert_eq!(quoted("a\u{202e}b\n"), r"`a\u{202e}b\n`");
/// assert_eq!(quoted("https://alice:secret@a.example/"), "`https://…@a.example/`");
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    Quoted(&masked(text)).to_string()
}

/// `text` with `…` where userinfo stands before a host, which may hold a password or a token.
///
/// What stands between `://` and the last `@` is masked, as programs do not agree where userinfo
/// ends; without `://`, what stands before the last `@`, if there is a `:` in it. The name in
/// `git@github.com:o/r` is none.
///
/// ```
/// use policy_core::masked;
///
/// assert_eq!(masked("https://alice:secret@a.example/"), "https://…@a.example/");
/// assert_eq!(masked("alice:secret@a.example"), "…@a.example");
/// assert_eq!(masked("git@github.com:o/r"), "git@github.com:o/r");
/// ```
#[must_use]
pub fn masked(text: &str) -> Cow<'_, str> {
    // The second and third are what UTS 46 and the fourth what a decoder takes for the first.
    let ends = ["@", "\u{ff20}", "\u{fe6b}", "%40"];
    let end = ends.into_iter().filter_map(|end| text.rfind(end)).max();
    let Some((before, after)) = end.and_then(|end| text.split_at_checked(end)) else {
        return Cow::Borrowed(text);
    };
    match before.split_once("://") {
        Some((scheme, _)) => format!("{scheme}://…{after}").into(),
        None if before.contains(':') => format!("…{after}").into(),
        None => Cow::Borrowed(text),
    }
}

/// Whether a character shows nothing, breaks a line or reorders what is around it, so that a reader
/// would see another text than the program did.
///
/// Control characters, C1 among them; the line and paragraph separators; what only annotates; and
/// whatever Unicode says may be ignored in display, with it all that sets a direction
/// (`Default_Ignorable_Code_Point`, DerivedCoreProperties.txt, 17.0; Unicode Technical Report 36,
/// sections 2.6 and 3.6).
#[must_use]
pub const fn is_hidden(c: char) -> bool {
    is_invisible(c)
        || matches!(
            c,
            '\0'..='\u{1F}'
                | '\u{7F}'..='\u{9F}'
                | '\u{2028}'..='\u{2029}'
                | '\u{FFF9}'..='\u{FFFB}'
        )
}

/// Unicode's `Default_Ignorable_Code_Point` (DerivedCoreProperties.txt, 17.0).
///
/// Such a character shows nothing, and HFS+ leaves many of them out when it compares names.
pub(crate) const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Writes `text` whole, with every character that could hide or break the line escaped.
#[cfg(feature = "repository")]
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
        c if is_hidden(c) => write!(f, "{}", c.escape_unicode()),
        c => write!(f, "{c}"),
    }
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
            ("a\u{85}b\u{9b}31m", r"`a\u{85}b\u{9b}31m`"),
            ("a\u{2028}b\u{2029}", r"`a\u{2028}b\u{2029}`"),
            ("\u{2066}a\u{2069}\u{61c}", r"`\u{2066}a\u{2069}\u{61c}`"),
            ("a\u{34f}\u{3164}", r"`a\u{34f}\u{3164}`"),
            ("\u{e0041}", r"`\u{e0041}`"),
            ("https://u:\u{1b}secret@a.example", "`https://…@a.example`"),
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

    #[test]
    fn userinfo_is_masked() {
        for (text, shown) in [
            ("https://alice:secret@a.example/x", "https://…@a.example/x"),
            ("https://secret@a.example", "https://…@a.example"),
            ("https://:secret@a.example", "https://…@a.example"),
            ("HTTPS://alice:secret@a.example", "HTTPS://…@a.example"),
            ("https:///alice:secret@a.example", "https://…@a.example"),
            ("https://alice:secret@b@a.example", "https://…@a.example"),
            // Characters of a password at which a URL's host would end.
            ("https://alice:sec/ret@a.example", "https://…@a.example"),
            ("https://alice:sec?r#et@a.example", "https://…@a.example"),
            (r"https://alice:sec\ret@a.example", "https://…@a.example"),
            ("https://alice:sec ret@a.example", "https://…@a.example"),
            ("https://alice:secret%40a.example", "https://…%40a.example"),
            (
                "https://alice:secret\u{ff20}a.example",
                "https://…\u{ff20}a.example",
            ),
            ("https:alice:secret@a.example", "…@a.example"),
            ("https:/alice:secret@a.example", "…@a.example"),
            ("//alice:secret@a.example", "…@a.example"),
            ("alice:secret@a.example:443", "…@a.example:443"),
            ("[https://alice:secret@a.example]", "[https://…@a.example]"),
            ("git@github.com:o/r", "git@github.com:o/r"),
            ("ssh://git@github.com/o/r", "ssh://…@github.com/o/r"),
            ("https://a.example:443/x", "https://a.example:443/x"),
            ("a.example", "a.example"),
            ("@", "@"),
            ("", ""),
        ] {
            assert_eq!(masked(text), shown, "{text}");
        }
    }

    #[test]
    fn a_password_beyond_the_cut_is_masked_as_well() {
        let url = alloc::format!("https://alice:{}@a.example", "secret".repeat(100));
        assert_eq!(quoted(&url), "`https://…@a.example`");
    }
}

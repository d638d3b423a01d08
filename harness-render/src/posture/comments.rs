//! JSON with comments, made JSON.
//!
//! A scanner of its own rather than a second JSON parser: what it leaves goes through the one parser
//! whose nesting is bounded, and it only ever turns bytes into spaces.

/// `text` with every comment outside a string blanked and, if asked, every comma before a closing
/// bracket. Line breaks stay, and so does the length. A comment that never ends is left as it is, so
/// that no parser takes the text.
pub(crate) fn without(text: &str, trailing_commas: bool) -> String {
    let mut out = String::with_capacity(text.len());
    // The last comma, if only blanks and comments followed it.
    let mut comma = None;
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let taken = match next {
            '"' => string(rest),
            '/' => comment(rest).unwrap_or(1),
            _ => next.len_utf8(),
        };
        let (token, after) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        let is_comment = next == '/' && taken > 1;
        match next {
            ',' => comma = Some(out.len()),
            '}' | ']' => {
                if let Some(at) = comma.take().filter(|_| trailing_commas) {
                    out.replace_range(at..=at, " ");
                }
            }
            _ if is_comment || next.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        if is_comment {
            out.extend(token.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        } else {
            out.push_str(token);
        }
        rest = after;
    }
    out
}

/// The length of the string that `text` begins with, or of all of it when it never ends.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, quote)| {
        at.saturating_add(quote.len_utf8())
    })
}

/// The length of the comment that `text` begins with, if it does and the comment ends.
fn comment(text: &str) -> Option<usize> {
    if let Some(line) = text.strip_prefix("//") {
        let end = line.find(['\n', '\r']).unwrap_or(line.len());
        return end.checked_add("//".len());
    }
    let block = text.strip_prefix("/*")?;
    block.find("*/")?.checked_add("/**/".len())
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn only_comments_are_blanked() {
        for (text, plain) in [
            ("{}", "{}"),
            ("{} // x", "{}     "),
            ("// x\n{}", "    \n{}"),
            ("// x\r\n{}", "    \r\n{}"),
            ("{/* x */}", "{       }"),
            ("{/* é\n */}", "{    \n   }"),
            ("{/**/}", "{    }"),
            ("{/*/}*/}", "{      }"),
            (r#"{"a": "// b"}"#, r#"{"a": "// b"}"#),
            (r#"{"a": "/* b */"}"#, r#"{"a": "/* b */"}"#),
            (r#"{"a\"//": 1}"#, r#"{"a\"//": 1}"#),
            (r#"{"a\\"// b"#, r#"{"a\\"    "#),
            // Nothing that never ends is hidden.
            ("{} /* x", "{} /* x"),
            ("{} /", "{} /"),
            (r#"{"a // b"#, r#"{"a // b"#),
            ("[1,]", "[1,]"),
        ] {
            assert_eq!(without(text, false), plain, "{text}");
        }
    }

    #[test]
    fn only_commas_before_a_closing_bracket_are_blanked() {
        for (text, plain) in [
            ("[1,]", "[1 ]"),
            ("[1, // x\n ]", "[1      \n ]"),
            ("{\"a\": 1,}", "{\"a\": 1 }"),
            ("[1,2]", "[1,2]"),
            ("[1,,]", "[1, ]"),
            ("[\",]\"]", "[\",]\"]"),
        ] {
            assert_eq!(without(text, true), plain, "{text}");
        }
    }
}

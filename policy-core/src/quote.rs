//! How text from outside is shown: in backticks, on one line, with nothing hidden in it, and without
//! what may be a password.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
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

/// [`quoted`] for what was given as a host or a URL: without all that [`masked_host`] leaves out.
///
/// ```
/// use policy_core::quoted_host;
///
/// assert_eq!(quoted_host("token@a.example"), "`…@a.example`");
/// ```
#[must_use]
pub fn quoted_host(text: &str) -> String {
    Quoted(&masked_host(text)).to_string()
}

/// `text` with `…` where userinfo stands before a host, which may hold a password or a token.
///
/// What stands between `://` and the last `@` is masked, as programs do not agree where userinfo
/// ends; without `://`, what stands before the last `@`, if there is a `:` in it. The name in
/// `git@github.com:o/r` is none. Of a URL nothing is left that [`masked_host`] leaves out.
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
    if text.contains("://") {
        return masked_host(text);
    }
    match last_of(text, &AT) {
        Some((before, after)) if before.contains(':') => format!("…{after}").into(),
        _ => Cow::Borrowed(text),
    }
}

/// What was given as a host or a URL, with `…` for all of it that may be a secret: userinfo, a port
/// that is no number, the query, the fragment, and what follows `=` or `&` anywhere.
///
/// Programs do not agree where each of them begins, and a password may hold any of the characters:
/// where two readings are possible, what is a secret in either is left out. The user `git` is none.
///
/// ```
/// use policy_core::masked_host;
///
/// assert_eq!(masked_host("token@a.example"), "…@a.example");
/// assert_eq!(masked_host("https://127.1/?token=x"), "https://127.1/?…");
/// assert_eq!(masked_host("alice:secret"), "alice:…");
/// assert_eq!(masked_host("https://a.example:443/x"), "https://a.example:443/x");
/// ```
#[must_use]
pub fn masked_host(text: &str) -> Cow<'_, str> {
    let masked = match (first_of(text, &ENDS), last_of(text, &AT)) {
        (Some((before, _, _)), Some((head, _))) if before.len() < head.len() => {
            let (scheme, rest) = scheme_of(before);
            let authority = rest.split(['/', '\\']).next().unwrap_or_default();
            let (userinfo, place) = match last_of(authority, &AT) {
                Some((_, place)) => ("…", place),
                None => ("", authority),
            };
            // A part of a password has no dot; a host that is meant has one or is an address.
            let is_host = place.contains(['.', '[']) && masked_port(place).is_none();
            format!("{scheme}{userinfo}{}…", if is_host { place } else { "" })
        }
        (_, Some((head, tail))) => {
            let (scheme, user) = scheme_of(head);
            // What follows the colon of `git@github.com:o/r` is a path.
            let is_git = user == "git";
            let user = if is_git { user } else { "…" };
            let (at, rest) = AT
                .iter()
                .find_map(|at| Some((*at, tail.strip_prefix(at)?)))
                .unwrap_or(("", tail));
            format!("{scheme}{user}{at}{}", masked_rest(rest, is_git))
        }
        _ => {
            let (scheme, rest) = before_the_host(text);
            format!("{scheme}{}", masked_rest(rest, false))
        }
    };
    if masked == text {
        Cow::Borrowed(text)
    } else {
        masked.into()
    }
}

/// What ends userinfo: the second and third are what UTS 46 and the fourth what a decoder takes for
/// the first.
const AT: [&str; 4] = ["@", "\u{ff20}", "\u{fe6b}", "%40"];

/// What begins a query, a fragment, or the value of a parameter wherever it stands, in the same way. None is of
/// a host.
const ENDS: [&str; 18] = [
    "?", "#", "=", "&", "\u{ff1f}", "\u{fe56}", "\u{ff03}", "\u{fe5f}", "\u{ff1d}", "\u{fe66}",
    "\u{ff06}", "\u{fe60}", "%3f", "%3F", "%23", "%3d", "%3D", "%26",
];

/// The text before the last of some signs, and from there on.
fn last_of<'t>(text: &'t str, signs: &[&str]) -> Option<(&'t str, &'t str)> {
    let at = signs.iter().filter_map(|sign| text.rfind(sign)).max()?;
    text.split_at_checked(at)
}

/// The text before the first of some signs, the sign, and what follows it.
fn first_of<'t, 's>(text: &'t str, signs: &[&'s str]) -> Option<(&'t str, &'s str, &'t str)> {
    let found = signs
        .iter()
        .filter_map(|sign| Some((text.find(sign)?, *sign)));
    let (at, sign) = found.min()?;
    let (before, after) = text.split_at_checked(at)?;
    Some((before, sign, after.strip_prefix(sign)?))
}

/// `scheme://` at the beginning, with any number of slashes and with what may stand around a whole URL,
/// and the rest; what is no scheme may be the beginning of a password.
fn scheme_of(text: &str) -> (&str, &str) {
    let is_scheme = |scheme: &str| {
        scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.[<('\"`".contains(&byte))
    };
    let after = match text.split_once(':') {
        Some((scheme, after)) if is_scheme(scheme) && after.starts_with(['/', '\\']) => after,
        _ => text,
    };
    let rest = after.trim_start_matches(['/', '\\']);
    text.split_at_checked(text.len() - rest.len())
        .unwrap_or(("", text))
}

/// [`scheme_of`] where no user is before the host, with what else stands before it: a command, a sign
/// of a filter, a `;` that was to be a colon.
fn before_the_host(text: &str) -> (&str, &str) {
    let Some((before, after)) = text.split_once("//") else {
        return scheme_of(text);
    };
    let scheme = before.strip_suffix(':').unwrap_or(before);
    if scheme.contains([':', '/', '\\', '=', '?', '#', '&']) {
        return scheme_of(text);
    }
    let rest = after.trim_start_matches(['/', '\\']);
    text.split_at_checked(text.len().wrapping_sub(rest.len()))
        .unwrap_or(("", text))
}

/// `host:port/path?query#fragment` without what may be a secret in it.
fn masked_rest(rest: &str, is_git: bool) -> String {
    let (rest, end) = match first_of(rest, &ENDS) {
        Some((before, sign, after)) if !after.is_empty() => (before, format!("{sign}…")),
        _ => (rest, String::new()),
    };
    if is_git {
        return format!("{rest}{end}");
    }
    let path = rest.find(['/', '\\']).unwrap_or(rest.len());
    let (place, path) = rest.split_at_checked(path).unwrap_or((rest, ""));
    match masked_port(place) {
        // A password may have a slash in it.
        Some(masked) => masked,
        None => format!("{place}{path}{end}"),
    }
}

/// `host:…` where the port of a place is no number.
fn masked_port(place: &str) -> Option<String> {
    // The address that begins a line of a hosts file.
    if let Some((address, rest)) = place.split_once(char::is_whitespace)
        && is_like_ipv6(address)
    {
        let masked = masked_port(rest)?;
        let (before, _) = place.split_at_checked(place.len().wrapping_sub(rest.len()))?;
        return Some(format!("{before}{masked}"));
    }
    let after_address = match place.strip_prefix('[') {
        Some(rest) => {
            let (address, after) = rest.split_once(']').unwrap_or((rest, ""));
            is_like_ipv6(address).then_some(after)
        }
        None => is_like_ipv6(place).then_some(""),
    };
    let (_, port) = after_address.unwrap_or(place).split_once(':')?;
    // Longer numbers are none of a port, and may be one of another kind.
    let is_port = port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    let host = place.strip_suffix(port).filter(|_| !is_port)?;
    Some(format!("{host}…"))
}

/// Whether a spelling has no word that the shown text lacks, so that it repeats nothing that is hidden.
pub(crate) fn is_of(spelling: &str, shown: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .map(str::to_lowercase)
            .collect()
    };
    let shown = words(shown);
    words(spelling)
        .iter()
        .all(|word| shown.contains(word) || word.is_empty())
}

/// Whether a character is punctuation or a symbol beyond ASCII, which names have only by mistake.
pub(crate) const fn is_sign(c: char) -> bool {
    matches!(
        c,
        '\u{A1}'..='\u{A9}'
            | '\u{AB}'..='\u{B1}'
            | '\u{B4}'
            | '\u{B6}'
            | '\u{B8}'
            | '\u{BB}'
            | '\u{BF}'
            | '\u{D7}'
            | '\u{F7}'
            | '\u{2010}'..='\u{2BFF}'
            | '\u{3000}'..='\u{3004}'
            | '\u{3008}'..='\u{3020}'
            | '\u{FE10}'..='\u{FE1F}'
            | '\u{FE30}'..='\u{FE6F}'
            | '\u{FF01}'..='\u{FF0F}'
            | '\u{FF1A}'..='\u{FF20}'
            | '\u{FF5B}'..='\u{FF65}'
            | '\u{1F000}'..='\u{1FAFF}'
    )
}

/// Whether all of a text is of an IPv6 address, if not a right one, and of a zone.
fn is_like_ipv6(text: &str) -> bool {
    let (address, zone) = text.split_once('%').unwrap_or((text, ""));
    let is_of_address = |byte: u8| byte.is_ascii_hexdigit() || b":.".contains(&byte);
    address.bytes().filter(|byte| *byte == b':').count() > 1
        && address.bytes().all(is_of_address)
        && zone.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether a character shows nothing, breaks a line or reorders what is around it, or may show
/// anything, so that a reader would see another text than the program did.
///
/// Of the general categories: control and format characters, private use, and all spaces and
/// separators but the space (Cc, Cf, Co, Zs, Zl, Zp). The noncharacters. Whatever may be ignored in
/// display (`Default_Ignorable_Code_Point`). And what is a letter, a mark or a symbol by its category
/// but blank to the eye, such as the empty Braille pattern U+2800. (Unicode 17.0; Unicode Technical
/// Report 36, sections 2.6 and 3.6.)
#[must_use]
pub const fn is_hidden(c: char) -> bool {
    is_invisible(c) || is_blank(c) || is_no_character(c) || is_control_or_space(c)
}

/// The general categories Cc, Cf, Zs, Zl and Zp less the space and what [`is_invisible`] has.
const fn is_control_or_space(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{1F}'
            | '\u{7F}'..='\u{A0}'
            | '\u{600}'..='\u{605}'
            | '\u{6DD}'
            | '\u{70F}'
            | '\u{890}'..='\u{891}'
            | '\u{8E2}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'..='\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{110BD}'
            | '\u{110CD}'
            | '\u{13430}'..='\u{1343F}'
    )
}

/// Noncharacters and private use: nobody can know what they show.
const fn is_no_character(c: char) -> bool {
    // The last two code points of every plane.
    (c as u32) & 0xFFFE == 0xFFFE
        || matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{F0000}'..)
}

/// Letters, marks and symbols without ink: the empty Braille pattern, the object replacement, the
/// blanks of Egyptian hieroglyphs and of Khitan, the note head that is none.
const fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{2800}' | '\u{FFFC}' | '\u{13441}'..='\u{13446}' | '\u{16FE4}' | '\u{1D159}'
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
            ("a\u{2800}b", r"`a\u{2800}b`"),
            ("\u{fffe}\u{ffff}", r"`\u{fffe}\u{ffff}`"),
            (
                "\u{fdd0}\u{1fffe}\u{10ffff}",
                r"`\u{fdd0}\u{1fffe}\u{10ffff}`",
            ),
            ("a\u{a0}b\u{3000}", r"`a\u{a0}b\u{3000}`"),
            ("\u{e000}\u{fffc}", r"`\u{e000}\u{fffc}`"),
            ("\u{f8ff}", r"`\u{f8ff}`"),
            ("a b", "`a b`"),
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
            ("https:///alice:secret@a.example", "https:///…@a.example"),
            ("https://alice:secret@b@a.example", "https://…@a.example"),
            // Characters of a password at which a URL's host would end.
            ("https://alice:sec/ret@a.example", "https://…@a.example"),
            // Which may also be where its query begins, and that holds a secret.
            ("https://alice:sec?r#et@a.example", "https://…"),
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
            ("ssh://git@github.com/o/r", "ssh://git@github.com/o/r"),
            ("https://a.example:443/x", "https://a.example:443/x"),
            ("a.example", "a.example"),
            ("@", "@"),
            ("", ""),
        ] {
            assert_eq!(masked(text), shown, "{text}");
        }
    }

    #[test]
    fn what_may_be_a_secret_of_a_host_is_masked() {
        for (text, shown) in [
            ("token@a.example", "…@a.example"),
            ("token@a.example/x", "…@a.example/x"),
            ("git@github.com:o/r", "git@github.com:o/r"),
            ("git@github.com:o/r?token", "git@github.com:o/r?…"),
            ("ssh://git@github.com:o/r", "ssh://git@github.com:o/r"),
            ("ssh://git@github.com:22/o/r", "ssh://git@github.com:22/o/r"),
            ("https://127.1/?token=x", "https://127.1/?…"),
            ("https://127.1/?token=x@y", "https://127.1…"),
            ("https://u:token@127.1/?token=x@y", "https://…@127.1…"),
            ("token@[?@token", "…@[…"),
            ("https://127.1/x#token", "https://127.1/x#…"),
            ("https://127.1/x?a#token", "https://127.1/x?…"),
            ("https://127.1/%3ftoken", "https://127.1/%3f…"),
            ("https://127.1/\u{ff1f}token", "https://127.1/\u{ff1f}…"),
            ("http://github.com?@evil.example/x", "http://github.com…"),
            ("http://token?@evil.example/x", "http://…"),
            ("https://a.example&token=x", "https://a.example&…"),
            ("a.example&token", "a.example&…"),
            ("token=x", "token=…"),
            ("token%3dx", "token%3d…"),
            ("token\u{ff1d}x", "token\u{ff1d}…"),
            ("a..example|token=x", "a..example|token=…"),
            ("http://a..example:1/;id=x", "http://a..example:1/;id=…"),
            ("https://u:tok=en@a.example", "https://…"),
            ("https://u:token@127.1/a=x", "https://…@127.1/a=…"),
            ("127.1/?token", "127.1/?…"),
            ("127.1?token", "127.1?…"),
            ("127.1#token", "127.1#…"),
            ("a.example:secret", "a.example:…"),
            ("a.example:443:secret", "a.example:…"),
            ("https://alice:secret", "https://alice:…"),
            ("https://alice:sec/ret", "https://alice:…"),
            ("https:///alice:secret", "https:///alice:…"),
            ("https:/alice:secret", "https:/alice:…"),
            ("//alice:secret", "//alice:…"),
            ("alice:12345678", "alice:…"),
            ("[::1]:secret", "[::1]:…"),
            ("[alice:secret", "[alice:…"),
            ("::1:secret", ":…"),
            ("alice:se://cret@a.example", "…@a.example"),
            ("https:alice:secret@a.example", "…@a.example"),
            ("https:/secret@a.example", "https:/…@a.example"),
            ("git::https://a.example/x", "git:…"),
            ("data:text/plain,x", "data:…"),
            // Nothing that may be one.
            ("https:/a.example/x", "https:/a.example/x"),
            ("a.example:0443", "a.example:0443"),
            ("a.example:99999", "a.example:99999"),
            ("[::1]:443", "[::1]:443"),
            ("fe80::1%eth0", "fe80::1%eth0"),
            ("12345::", "12345::"),
            ("[fe80::1%eth0]:443", "[fe80::1%eth0]:443"),
            ("https://[::1", "https://[::1"),
            ("https://a.example?", "https://a.example?"),
            ("b\u{fc}cher.example", "b\u{fc}cher.example"),
            ("", ""),
        ] {
            assert_eq!(masked_host(text), shown, "{text}");
            assert_eq!(masked_host(shown), shown, "{text}: twice");
        }
    }

    /// The categories as another library has them.
    #[test]
    fn hidden_is_what_its_category_says() {
        let classes = r"[\p{Cc}\p{Cf}\p{Co}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{2800}\u{FFFC}\u{13441}-\u{13446}\u{16FE4}\u{1D159}--\x20]";
        let hidden = fancy_regex::Regex::new(classes).unwrap();
        for c in '\0'..=char::MAX {
            let is = hidden.is_match(c.encode_utf8(&mut [0; 4])).unwrap();
            assert_eq!(is_hidden(c), is, "{c:?} {:x}", u32::from(c));
        }
    }

    #[test]
    fn a_password_beyond_the_cut_is_masked_as_well() {
        let url = alloc::format!("https://alice:{}@a.example", "secret".repeat(100));
        assert_eq!(quoted(&url), "`https://…@a.example`");
    }
}

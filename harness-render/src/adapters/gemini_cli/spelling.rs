//! Hosts and paths as regular expressions over the arguments of a tool call.
//!
//! The program looks at the arguments as JSON text, and drops a rule, in silence as far as the
//! session goes, whose expression is longer than [`MAX`] or has a quantifier after a group that has
//! one inside. So no expression here puts a quantifier after a group, and a long list becomes
//! several expressions that together deny what one would.

use alloc::collections::BTreeMap;

use policy_core::{Pattern, ProtectedPath};

use crate::adapters::paths::{Part, names, parts};
use crate::target::Os;

/// The longest expression, in characters.
const MAX: usize = 2048;

/// What a host in lower case is made of.
const HOST: &str = "[a-z0-9_.-]";

/// The same in either case.
const HOST_ANY_CASE: &str = "[A-Za-z0-9_.-]";

/// What may follow a host: the end of the JSON string, a path, query or fragment, or a space of the
/// prompt around it, each with a port or not. A line break or a tab may not: clients drop one in the
/// middle of a host. Nor may a quote of the prompt: it is a letter of the host, or of a user before
/// an `@`.
const END: &str = r##"(?:[/?# "]|:[0-9]+[/?# "])"##;

/// What else the tool reads as an address: it takes every word of a prompt with `://` anywhere in it,
/// and the URL parser wants no slashes after a scheme of the web. With this a host stands behind
/// every `://` that the parser could mean, and the other expressions look behind each.
pub(super) const NO_SLASHES: &str = "[Hh][Tt][Tt][Pp][Ss]?:(?!//)";

/// The one argument that is an address as a whole, from which a parser drops control characters and
/// spaces before the scheme, and line breaks and tabs in it.
pub(super) const NO_WEB_ADDRESS: &str = r#""url":(?!"[Hh][Tt][Tt][Pp][Ss]?://)"#;

/// In that argument a space ends no address: before an `@` it belongs to a user.
pub(super) const SPACE_BEFORE_PATH: &str = r#""url":"[^/"]*//[^/?#"]* "#;

/// The path argument of the writing tools. The text to write comes before it, and is not
/// matched.
pub(super) const FILE_PATH: &str = r#""file_path":[\s\S]*"#;

/// Expressions of which one matches every address whose host is none of the patterns'.
///
/// One that looks ahead for each pattern, as long as it fits. Beyond, hosts are distinguished by how
/// they end, character by character from the right, until each group fits; for every step there is
/// one more expression for the hosts that end in no character of a group.
pub(super) fn all_but(patterns: &[Pattern]) -> Vec<String> {
    all_but_within(patterns, MAX)
}

fn all_but_within(patterns: &[Pattern], max: usize) -> Vec<String> {
    let texts: Vec<String> = patterns.iter().map(anchored).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let whole = listed("", &texts);
    if length(&whole) <= max {
        return vec![whole];
    }
    // Whatever is not a host in lower case; the others may then suppose that it is.
    let mut expressions = vec![format!("://(?!{HOST}+{END})")];
    split("", &texts, max, &mut expressions);
    expressions
}

/// A pattern as what a host, with `^` before it, ends with.
fn anchored(pattern: &Pattern) -> String {
    match pattern.base() {
        Some(base) if pattern.is_wildcard() => format!(".{base}"),
        _ => format!("^{pattern}"),
    }
}

/// An address with such an ending whose host is none of the entries'.
fn listed(ending: &str, entries: &[&str]) -> String {
    let alternatives: Vec<String> = entries.iter().map(|entry| host(entry)).collect();
    let alternatives = alternatives.join("|");
    let ending = if ending.is_empty() {
        String::new()
    } else {
        format!("(?={HOST}*{}{END})", literal(ending))
    };
    format!("://{ending}(?!(?:{alternatives}){END})")
}

/// The hosts of an anchored entry.
fn host(entry: &str) -> String {
    match entry.strip_prefix('^') {
        Some(name) => literal(name),
        None => format!("{HOST}+{}", literal(entry)),
    }
}

fn split(ending: &str, entries: &[&str], max: usize, expressions: &mut Vec<String>) {
    // Every host that ends so is listed.
    if entries.contains(&ending) {
        return;
    }
    let here = listed(ending, entries);
    if !ending.is_empty() && length(&here) <= max {
        expressions.push(here);
        return;
    }
    let mut groups: BTreeMap<char, Vec<&str>> = BTreeMap::new();
    for entry in entries {
        let before = entry.strip_suffix(ending).unwrap_or_default();
        if let Some(last) = before.chars().next_back() {
            groups.entry(last).or_default().push(entry);
        }
    }
    let tail = literal(ending);
    let others: String = ('a'..='z')
        .chain('0'..='9')
        .chain(['_', '.', '-'])
        .filter(|character| !groups.contains_key(character))
        .collect();
    if !others.is_empty() {
        expressions.push(format!("://{HOST}*[{others}]{tail}{END}"));
    }
    if !ending.is_empty() && !groups.contains_key(&'^') {
        expressions.push(format!("://{tail}{END}"));
    }
    for (character, entries) in groups {
        let longer = format!("{character}{ending}");
        if character != '^' {
            split(&longer, &entries, max, expressions);
        }
    }
}

/// Expressions of which one matches every address with a host of the patterns', written in lower
/// case; other spellings are denied by [`all_but`].
pub(super) fn any_of(patterns: &[Pattern]) -> Vec<String> {
    let hosts = patterns.iter().map(|pattern| host(&anchored(pattern)));
    chunks("://(?:", hosts, &format!("){END}"))
}

/// Expressions of which one matches every address with a host of the patterns', in whichever case
/// and with a dot at the end or not, and every address whose host is written so that clients may
/// read one of them in it: with userinfo, escapes, other than ASCII letters, line breaks, in
/// brackets, or a number that is not a dotted-decimal address.
pub(super) fn any_of_in_any_spelling(patterns: &[Pattern]) -> Vec<String> {
    const NUMBER: &str = "(?:0|[1-9][0-9]*)";
    let mut expressions = vec![
        format!("://(?!{HOST_ANY_CASE}+{END})"),
        format!(
            r"://(?!{NUMBER}\.{NUMBER}\.{NUMBER}\.{NUMBER}{END})(?:{HOST_ANY_CASE}*\.|)(?:[0-9]+|0[Xx][0-9A-Fa-f]*)\.?{END}"
        ),
    ];
    let in_brackets = |pattern: &&Pattern| pattern.address().is_some_and(|ip| ip.is_ipv6());
    let hosts = patterns.iter().filter(|pattern| !in_brackets(pattern));
    let hosts = hosts.map(|pattern| match pattern.base() {
        Some(base) if pattern.is_wildcard() => {
            format!(r"{HOST_ANY_CASE}+\.{}", in_any_case(base))
        }
        _ => in_any_case(&pattern.to_string()),
    });
    expressions.extend(chunks("://(?:", hosts, &format!(r")\.?{END}")));
    expressions
}

/// Expressions of which one matches every path that ends like one of the protected or lies below
/// it, as an argument of a call, behind what stands before.
pub(super) fn paths(paths: &[&ProtectedPath], os: Os, before: &str) -> Vec<String> {
    let spellings = paths.iter().map(|path| path_ending(names(path), os));
    chunks(&format!(r#"{before}["/\\](?:"#), spellings, ")")
}

fn path_ending(names: &str, os: Os) -> String {
    // Between two names there may be any detour: `a/./b`, `a/c/../b`.
    const DETOUR: &str = r"[/\\](?:[\s\S]*[/\\]|)";
    let ignores_case = os != Os::Linux;
    // Where a backslash is a letter, it comes before a quote in JSON.
    let any = if os == Os::Windows { r"[^/\\]" } else { "[^/]" };
    let parts = parts(names);
    let mut expression = String::new();
    for part in &parts {
        match part {
            Part::Literal('"') => expression.push_str(r#"\\""#),
            Part::Literal(letter) if ignores_case => {
                expression.push_str(&in_any_case(letter.encode_utf8(&mut [0; 4])));
            }
            Part::Literal(letter) => {
                expression.push_str(&literal(letter.encode_utf8(&mut [0; 4])));
            }
            Part::Any => expression.push_str(&format!("{any}*")),
            // One character may be several in JSON.
            Part::One => expression.push_str(&format!("{any}+")),
            Part::Names => {}
            Part::Slash => expression.push_str(DETOUR),
        }
    }
    if parts.last() != Some(&Part::Any) {
        expression.push_str(r#"["/\\]"#);
    }
    without_doubles(expression)
}

fn length(expression: &str) -> usize {
    expression.chars().count()
}

/// The alternatives in as few expressions as they fit in.
fn chunks(before: &str, alternatives: impl Iterator<Item = String>, after: &str) -> Vec<String> {
    let mut expressions: Vec<String> = Vec::new();
    let mut chunk = String::new();
    for alternative in alternatives {
        let longer = format!("{before}{chunk}|{alternative}{after}");
        if !chunk.is_empty() && length(&longer) > MAX {
            expressions.push(format!("{before}{chunk}{after}"));
            chunk.clear();
        }
        if !chunk.is_empty() {
            chunk.push('|');
        }
        chunk.push_str(&alternative);
    }
    if !chunk.is_empty() {
        expressions.push(format!("{before}{chunk}{after}"));
    }
    expressions
}

fn literal(text: &str) -> String {
    let mut expression = String::new();
    for character in text.chars() {
        if r"\.+*?()|[]{}^$".contains(character) {
            expression.push('\\');
        }
        expression.push(character);
    }
    without_doubles(expression)
}

fn in_any_case(text: &str) -> String {
    let mut expression = String::new();
    for character in text.chars() {
        if character.is_ascii_alphabetic() {
            let upper = character.to_ascii_uppercase();
            expression.extend(['[', upper, character.to_ascii_lowercase(), ']']);
        } else {
            expression.push_str(&literal(character.encode_utf8(&mut [0; 4])));
        }
    }
    without_doubles(expression)
}

/// Without the pairs that some dialects take for operations on classes, so that the expression
/// means the same in all of them.
fn without_doubles(expression: String) -> String {
    ["-", "&", "~"].iter().fold(expression, |expression, sign| {
        expression.replace(&sign.repeat(2), &format!("{sign}[{sign}]"))
    })
}

#[cfg(test)]
mod tests;

//! Words with a fixed meaning, and the nearest of them to a word that has none.

use egress_preset::Preset;

use crate::harness::Harness;
use crate::quote::quoted;
use crate::repository::finding::Code;

/// A closed set of words that a document may use in one place.
pub(crate) trait Word: Copy + 'static {
    /// Every word of the set, in the order in which a person should read them.
    const ALL: &'static [Self];
    /// The code of a word outside the set.
    const UNKNOWN: Code;
    /// What a word of the set is called.
    const KIND: &'static str;

    /// The word as it is written.
    fn text(self) -> &'static str;

    /// All words of the set.
    fn texts() -> Vec<&'static str> {
        Self::ALL.iter().map(|word| word.text()).collect()
    }
}

/// Defines an enum of words: `Name: CodeOfAnyOther "what it is called" { Variant "word", … }`.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident: $unknown:ident $kind:literal { $($variant:ident $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum $name { $($variant),+ }

        impl word::Word for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            const UNKNOWN: crate::repository::finding::Code = crate::repository::finding::Code::$unknown;
            const KIND: &'static str = $kind;

            fn text(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}
pub(crate) use words;

impl Word for Harness {
    const ALL: &'static [Self] = Harness::ALL;
    const UNKNOWN: Code = Code::UnknownHarness;
    const KIND: &'static str = "harness";

    fn text(self) -> &'static str {
        self.name()
    }
}

impl Word for Preset {
    const ALL: &'static [Self] = Preset::ALL;
    const UNKNOWN: Code = Code::UnknownPreset;
    const KIND: &'static str = "preset";

    fn text(self) -> &'static str {
        self.name()
    }
}

/// A longer word is near to none: the distance takes time by the product of the lengths.
const LONGEST_TYPO: usize = 64;

/// The word of `known` that `word` was probably meant to be.
///
/// Near is: the same but for case, or at most one typing error (a character more, less, other or
/// swapped) for every three characters of the longer one, in the whole and in each of its parts. What
/// stands before a word may turn it into its opposite, so a word with a prefix is near to none, and
/// nor is a list. Of several as near, the first. To a word over 64 bytes none is near.
///
/// ```
/// assert_eq!(policy_core::nearest("vsc", ["vcs", "package-registries"]), Some("vcs"));
/// assert_eq!(policy_core::nearest("mail", ["vcs"]), None);
/// assert_eq!(policy_core::nearest("unallow", ["allow", "deny"]), None);
/// ```
#[must_use]
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let short = |text: &str| text.len() <= LONGEST_TYPO;
    if !short(word) {
        return None;
    }
    let lower = word.to_lowercase();
    let distance = |other: &str| strsim::damerau_levenshtein(&lower, &other.to_lowercase());
    let length = |text: &str| text.chars().count();
    let known = known.into_iter().filter(|other| short(other));
    let near = known.map(|other| (distance(other), other));
    near.filter(|(distance, other)| *distance <= length(word).max(length(other)) / 3)
        .filter(|(distance, other)| is_like(word, other, *distance) && !is_turned(word, other))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// Whether each part of a word is near to its counterpart: `workspace-none` is nearer to
/// `workspace-write` than its end is. Of texts with different numbers of parts, the whole is nearly
/// the same.
fn is_like(word: &str, other: &str, distance: usize) -> bool {
    let (parts, others) = (parts_of(word), parts_of(other));
    if parts.len() != others.len() {
        return distance <= 2;
    }
    parts.iter().zip(&others).all(|(part, other)| {
        let longer = part.chars().count().max(other.chars().count());
        // Another form of the same word, as `deny` and `denied`.
        let is_form = part.chars().zip(other.chars()).take(3);
        let most = match is_form.filter(|(a, b)| a == b).count() {
            3 => longer / 2,
            _ => (longer / 3).max(1),
        };
        strsim::damerau_levenshtein(part, other) <= most
    })
}

/// The parts of `allowedDomains`, `package-registries`, in lower case.
fn parts_of(word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_small = false;
    for c in word.chars() {
        let begins = !c.is_alphanumeric() || was_small && c.is_uppercase();
        if begins && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            part.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether one of two words may mean the opposite of the other, or something beside it: by a sign or
/// a prefix, or as a list.
fn is_turned(word: &str, other: &str) -> bool {
    const NEGATIONS: [&str; 7] = ["un", "no", "dis", "anti", "dont", "never", "except"];
    let (word, other) = (word.to_lowercase(), other.to_lowercase());
    let negates = |text: &str, against: &str| {
        NEGATIONS
            .iter()
            .any(|prefix| text.starts_with(prefix) && !against.starts_with(prefix))
    };
    // A letter at the beginning may be a slip.
    let prefixes = |text: &str, against: &str| {
        let prefix = text.strip_suffix(against);
        prefix.is_some_and(|prefix| prefix.chars().count() > 1)
    };
    let is_signed = |text: &str, against: &str| {
        let sign = text.chars().next().filter(|first| !first.is_alphanumeric());
        sign.is_some_and(|sign| !against.starts_with(sign))
    };
    word.contains([',', ';', '|', '&'])
        || negates(&word, &other)
        || negates(&other, &word)
        || prefixes(&word, &other)
        || prefixes(&other, &word)
        || is_signed(&word, &other)
        || is_signed(&other, &word)
}

/// The key of other programs for the hosts that are denied.
fn is_of_denied_hosts(word: &str) -> bool {
    let word = word.to_lowercase().replace(['-', '_'], "");
    let ends = [
        "", "domain", "domains", "host", "hosts", "list", "listed", "urls",
    ];
    let rest = [
        "blocked",
        "block",
        "deny",
        "denied",
        "forbidden",
        "disallowed",
        "banned",
        "black",
    ]
    .iter()
    .find_map(|verb| word.strip_prefix(verb));
    rest.is_some_and(|rest| ends.contains(&rest))
}

/// What to write instead of `word`: the nearest of `known`, else any of them.
pub(crate) fn suggest(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None if known.contains(&"deniedDomains") && is_of_denied_hosts(word) => {
            "did you mean `deniedDomains`?".to_owned()
        }
        None => format!("write {}", one_of(known, "or")),
    }
}

/// A list for a sentence: `` `a`, `b` or `c` ``.
pub(crate) fn one_of(words: &[&str], last: &str) -> String {
    let mut list = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 && at.saturating_add(1) == words.len() {
            list.extend([" ", last, " "]);
        } else if at > 0 {
            list.push_str(", ");
        }
        list.push_str(&quoted(word));
    }
    list
}

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
/// swapped) for every three characters of the longer one. Of several as near, the first. To a word
/// over 64 bytes none is near.
///
/// ```
/// assert_eq!(policy_core::nearest("vsc", ["vcs", "package-registries"]), Some("vcs"));
/// assert_eq!(policy_core::nearest("mail", ["vcs"]), None);
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
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// What to write instead of `word`: the nearest of `known`, else any of them.
pub(crate) fn suggest(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean {}?", quoted(near)),
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

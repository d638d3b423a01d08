//! The error for a text that is not the name of anything in a closed set.

use alloc::format;
use alloc::string::String;

use crate::quote::quoted;

/// A text is not the name of any [`Harness`](crate::Harness), [`Mode`](crate::Mode) or
/// [`Posture`](crate::Posture). Names are spelled exactly, in lower case.
///
/// The message says which names there are:
///
/// ```
/// use policy_core::Mode;
///
/// assert_eq!(
///     "Off".parse::<Mode>().unwrap_err().to_string(),
///     "no sandbox mode `Off`; write `read-only`, `workspace-write` or `off`",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{0}")]
pub struct UnknownName(String);

impl UnknownName {
    /// The error for `text`, which was read as a `kind` and is none of the `known` names. For types
    /// of other crates whose names are read in the same way.
    #[must_use]
    pub fn new(kind: &str, text: &str, known: impl IntoIterator<Item = &'static str>) -> Self {
        let mut choice = String::new();
        let mut names = known.into_iter().peekable();
        while let Some(name) = names.next() {
            let before = match (choice.is_empty(), names.peek()) {
                (true, _) => "; write ",
                (false, Some(_)) => ", ",
                (false, None) => " or ",
            };
            choice.push_str(&format!("{before}`{name}`"));
        }
        Self(format!("no {kind} {}{choice}", quoted(text)))
    }
}

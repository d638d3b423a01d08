//! The globs of protected paths: `*`, `?` and `[…]` inside a name, `**` for whole names.
//!
//! Both matchers walk with one place to come back to, the last star. What the earlier stars took
//! needs no second thought: the leftmost match of what stands between two stars leaves the most
//! to what follows. So the work is at most the product of the two lengths, whatever the pattern,
//! and it is counted, so that a caller with many patterns can bound the whole.

use alloc::string::String;
use core::iter::Chain;
use core::option;
use core::str::{Chars, SplitTerminator};

use super::PathError;

/// Any number of whole names, also none.
pub(crate) const ANY_NAMES: &str = "**";

/// The names of a path, without its anchor.
pub(crate) type Names<'a> = SplitTerminator<'a, char>;

/// The names of a protected path, perhaps after a `**` that is not written.
pub(crate) type Pattern<'a> = Chain<option::IntoIter<&'a str>, Names<'a>>;

/// How much work is left to a comparison.
#[derive(Debug)]
pub(crate) struct Steps(usize);

impl Steps {
    pub(crate) const fn new(steps: usize) -> Self {
        Self(steps)
    }

    /// Takes `steps`, or says by `None` that too few are left.
    pub(crate) fn take(&mut self, steps: usize) -> Option<()> {
        let left = self.0.checked_sub(steps);
        self.0 = left.unwrap_or(0);
        left.map(drop)
    }
}

/// Whether a name of a pattern stands for more than itself.
pub(crate) fn is_glob(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

/// Whether every name fits, or all but the very short: `**`, `*`, `?*`.
pub(super) fn fits_every_name(name: &str) -> bool {
    name.contains('*') && name.chars().all(|token| matches!(token, '*' | '?'))
}

/// Refuses what the matchers below would have to guess at.
pub(super) fn check(name: &str) -> Result<(), PathError> {
    if name == ANY_NAMES {
        return Ok(());
    }
    if name.contains(ANY_NAMES) {
        return Err(PathError::MalformedGlob);
    }
    let mut rest = name.chars();
    while let Some(token) = rest.next() {
        match token {
            '[' => check_class(&mut rest).ok_or(PathError::MalformedGlob)?,
            ']' => return Err(PathError::MalformedGlob),
            _ => {}
        }
    }
    Ok(())
}

/// Takes a class up to and with its `]`; `None` if it is empty, open, negated, nested or reversed.
///
/// A negated class is refused since the harnesses do not agree on its sign, `!` or `^`.
fn check_class(rest: &mut Chars<'_>) -> Option<()> {
    let mut members = 0_usize;
    loop {
        match next_range(rest)? {
            (']', _) => return (members > 0).then_some(()),
            ('[', _) | (_, '[') => return None,
            ('^', _) if members == 0 => return None,
            (first, last) if first > last => return None,
            _ => members = members.saturating_add(1),
        }
    }
}

/// The next member of a class as the first and last character of a range. A `-` at either end of
/// the class is itself.
fn next_range(rest: &mut Chars<'_>) -> Option<(char, char)> {
    let first = rest.next()?;
    let mut ahead = rest.clone();
    if first != ']'
        && ahead.next() == Some('-')
        && let Some(last) = ahead.next()
        && last != ']'
    {
        *rest = ahead;
        return Some((first, last));
    }
    Some((first, first))
}

/// Whether a path, or a directory above it, is one of those that `pattern` means.
///
/// `None` when the steps run out.
pub(crate) fn covers(pattern: Pattern<'_>, path: Names<'_>, steps: &mut Steps) -> Option<bool> {
    let (mut wanted, mut names) = (pattern, path);
    let mut retry = None;
    loop {
        steps.take(1)?;
        let mut wanted_after = wanted.clone();
        let Some(want) = wanted_after.next() else {
            // What is left of the path lies below a match.
            return Some(true);
        };
        if want == ANY_NAMES {
            retry = Some((wanted_after.clone(), names.clone()));
            wanted = wanted_after;
            continue;
        }
        let mut names_after = names.clone();
        if let Some(name) = names_after.next()
            && name_matches(want, name, steps)?
        {
            (wanted, names) = (wanted_after, names_after);
            continue;
        }
        let Some((after, rest)) = &mut retry else {
            return Some(false);
        };
        if rest.next().is_none() {
            return Some(false);
        }
        (wanted, names) = (after.clone(), rest.clone());
    }
}

/// Whether one name fits one name of a pattern. `None` when the steps run out.
fn name_matches(pattern: &str, name: &str, steps: &mut Steps) -> Option<bool> {
    let (mut wanted, mut chars) = (pattern.chars(), name.chars());
    let mut retry = None;
    loop {
        steps.take(1)?;
        let mut wanted_after = wanted.clone();
        let token = wanted_after.next();
        if token == Some('*') {
            retry = Some((wanted_after.clone(), chars.clone()));
            wanted = wanted_after;
            continue;
        }
        let mut chars_after = chars.clone();
        match (token, chars_after.next()) {
            (None, None) => return Some(true),
            (Some(token), Some(char)) if token_matches(token, &mut wanted_after, char, steps)? => {
                (wanted, chars) = (wanted_after, chars_after);
                continue;
            }
            _ => {}
        }
        let Some((after, rest)) = &mut retry else {
            return Some(false);
        };
        if rest.next().is_none() {
            return Some(false);
        }
        (wanted, chars) = (after.clone(), rest.clone());
    }
}

/// Whether one character fits one token; takes the rest of a class from the pattern.
fn token_matches(token: char, rest: &mut Chars<'_>, char: char, steps: &mut Steps) -> Option<bool> {
    match token {
        '?' => Some(true),
        '[' => {
            let mut found = false;
            while let Some((first, last)) = next_range(rest) {
                if first == ']' {
                    break;
                }
                steps.take(1)?;
                found |= (first..=last).contains(&char);
            }
            Some(found)
        }
        literal => Some(literal == char),
    }
}

/// One name that a pattern's name matches, with `filler` for each `*`; nothing if what comes out
/// is no name.
pub(crate) fn name_of(pattern: &str, filler: &str) -> Option<String> {
    let mut name = String::new();
    let mut rest = pattern.chars();
    while let Some(token) = rest.next() {
        match token {
            '*' => name.push_str(filler),
            '?' => name.push('_'),
            '[' => {
                name.push(next_range(&mut rest)?.0);
                while next_range(&mut rest)?.0 != ']' {}
            }
            literal => name.push(literal),
        }
    }
    (!matches!(name.as_str(), "" | "." | "..")).then_some(name)
}

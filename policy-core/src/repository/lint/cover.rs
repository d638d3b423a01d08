//! Which of many patterns covers another.

use std::collections::HashMap;

use crate::pattern::Pattern;
use crate::repository::layer::Origin;
use crate::repository::resolved::Held;

/// Many patterns, asked which of them covers another: a lookup per label. Of equal patterns the
/// first.
pub(crate) struct Cover<'l> {
    exact: HashMap<&'l Pattern, Origin<'l>>,
    below: HashMap<&'l str, Held<'l, Pattern>>,
}

impl<'l> Cover<'l> {
    pub(crate) fn new(patterns: impl IntoIterator<Item = Held<'l, Pattern>>) -> Self {
        let mut cover = Self {
            exact: HashMap::new(),
            below: HashMap::new(),
        };
        for held in patterns {
            match held.value.base() {
                Some(base) if held.value.is_wildcard() => {
                    cover.below.entry(base).or_insert(held);
                }
                _ => {
                    cover.exact.entry(held.value).or_insert(held.origin);
                }
            }
        }
        cover
    }

    /// The pattern that matches everything `pattern` does: itself, or a wildcard above it.
    pub(crate) fn covering(&self, pattern: &Pattern) -> Option<Held<'l, Pattern>> {
        self.same(pattern).or_else(|| self.wider(pattern))
    }

    /// The pattern itself.
    pub(super) fn same(&self, pattern: &Pattern) -> Option<Held<'l, Pattern>> {
        if pattern.is_wildcard() {
            return self.below.get(pattern.base()?).copied();
        }
        let (value, origin) = self.exact.get_key_value(pattern)?;
        Some(Held {
            value,
            origin: *origin,
        })
    }

    /// The longest wildcard other than the pattern itself that covers it.
    pub(super) fn wider(&self, pattern: &Pattern) -> Option<Held<'l, Pattern>> {
        let mut above =
            core::iter::successors(pattern.base().and_then(parent), |name| parent(name));
        above.find_map(|name| self.below.get(name).copied())
    }
}

/// The name without its first label.
fn parent(name: &str) -> Option<&str> {
    name.split_once('.').map(|(_, rest)| rest)
}

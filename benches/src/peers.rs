//! Other ways to match a host against a list, as found in other programs.
//!
//! Each is given less to do than the engine: one allowlist, a canonical name, a bare yes or no. None
//! weighs a denylist, none reads or checks the host, none says which rule it was.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Something that says whether a rule matches a name.
pub trait Peer {
    /// The word for it in tables.
    const NAME: &'static str;
    /// Builds it from rules, each a name or `*.` before a name.
    fn build(rules: &[String]) -> Self;
    /// Whether a rule matches a canonical name.
    fn matches(&self, name: &str) -> bool;
}

fn split(rule: &str) -> (bool, &str) {
    rule.strip_prefix("*.")
        .map_or((false, rule), |base| (true, base))
}

/// One rule after the other, as sandbox-runtime compares them.
#[derive(Debug)]
pub struct Linear(Vec<String>);

impl Peer for Linear {
    const NAME: &'static str = "linear scan";

    fn build(rules: &[String]) -> Self {
        Self(rules.to_vec())
    }

    fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|rule| match split(rule) {
            (true, base) => name
                .strip_suffix(base)
                .is_some_and(|rest| rest.ends_with('.')),
            (false, exact) => name == exact,
        })
    }
}

/// A set of globs, as Codex compiles them.
#[derive(Debug)]
pub struct Globs(GlobSet);

impl Peer for Globs {
    const NAME: &'static str = "glob set";

    fn build(rules: &[String]) -> Self {
        let mut set = GlobSetBuilder::new();
        for rule in rules {
            let glob = rule.replacen("*.", "?*.", 1);
            let glob = GlobBuilder::new(&glob).case_insensitive(true).build();
            set.add(glob.unwrap_or_else(|error| panic!("{error}")));
        }
        Self(set.build().unwrap_or_else(|error| panic!("{error}")))
    }

    fn matches(&self, name: &str) -> bool {
        self.0.is_match(name)
    }
}

type Names = HashSet<Box<str>, FixedState>;

/// A hash set of exact names, and one of bases that is asked for every name above the host.
#[derive(Debug)]
pub struct HashWalk {
    exact: Names,
    below: Names,
}

impl Peer for HashWalk {
    const NAME: &'static str = "hash walk";

    fn build(rules: &[String]) -> Self {
        let of = |wildcard| {
            let rules = rules.iter().map(|rule| split(rule));
            let rules = rules.filter(|(below, _)| *below == wildcard);
            rules.map(|(_, name)| name.into()).collect()
        };
        Self {
            exact: of(false),
            below: of(true),
        }
    }

    #[inline]
    fn matches(&self, name: &str) -> bool {
        if self.exact.contains(name) {
            return true;
        }
        let mut rest = name;
        while let Some((_, parent)) = rest.split_once('.') {
            if self.below.contains(parent) {
                return true;
            }
            rest = parent;
        }
        false
    }
}

/// Names with their bytes reversed, sorted, found by binary search.
#[derive(Debug)]
pub struct Sorted(Vec<(Box<[u8]>, bool)>);

fn reversed(name: &str) -> Box<[u8]> {
    name.bytes().rev().collect()
}

impl Peer for Sorted {
    const NAME: &'static str = "sorted reversed";

    fn build(rules: &[String]) -> Self {
        let names = rules.iter().map(|rule| {
            let (below, name) = split(rule);
            (reversed(name), below)
        });
        let mut names: Vec<_> = names.collect();
        names.sort();
        Self(names)
    }

    fn matches(&self, name: &str) -> bool {
        let mut buffer = [0; 256];
        let key = &mut buffer[..name.len()];
        for (to, from) in key.iter_mut().zip(name.bytes().rev()) {
            *to = from;
        }
        let has = |key: &[u8], below| {
            let found = self.0.binary_search_by(|(known, is_below)| {
                (**known).cmp(key).then(is_below.cmp(&below))
            });
            found.is_ok()
        };
        let mut dots = key.iter().enumerate().filter(|(_, byte)| **byte == b'.');
        has(key, false) || dots.any(|(dot, _)| has(&key[..dot], true))
    }
}

/// A finite-state transducer over reversed names.
#[derive(Debug)]
pub struct Fst(fst::Map<Vec<u8>>);

impl Peer for Fst {
    const NAME: &'static str = "fst";

    fn build(rules: &[String]) -> Self {
        let rules = rules.iter().map(|rule| split(rule));
        let mut keys: Vec<_> = rules
            .map(|(below, name)| (reversed(name), u64::from(below)))
            .collect();
        keys.sort();
        keys.dedup_by(|later, kept| later.0 == kept.0);
        Self(fst::Map::from_iter(keys).unwrap_or_else(|error| panic!("{error}")))
    }

    fn matches(&self, name: &str) -> bool {
        let fst = self.0.as_fst();
        let mut node = fst.root();
        let mut output = 0;
        for byte in name.bytes().rev() {
            if byte == b'.' && node.is_final() && output + node.final_output().value() == 1 {
                return true;
            }
            let Some(at) = node.find_input(byte) else {
                return false;
            };
            let transition = node.transition(at);
            output += transition.out.value();
            node = fst.node(transition.addr);
        }
        node.is_final() && output + node.final_output().value() == 0
    }
}

//! Rule lists and hosts, made up from a fixed seed with the proportions of real block lists.
//!
//! Of the names in public block lists about half have two labels, a third three, a tenth four and
//! the rest more; a name has 20 bytes on average; of 100 characters 80 are letters, 12 digits and 8
//! hyphens; names with three labels or more crowd below a few parents.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use policy_core::{Egress, EgressBuilder, Host, Pattern};

/// A small generator of fixed numbers (splitmix64): the same list on every machine.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// Numbers from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `count`, which is not zero.
    pub fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.next() % count).unwrap_or(0)
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        from.get(self.below(from.len()))
    }
}

/// Last labels, about as often as registered names have them.
const ZONES: &[&str] = &[
    "com", "com", "com", "com", "com", "com", "com", "com", "net", "net", "org", "org", "xyz",
    "top", "info", "online", "site", "shop", "ru", "de", "cn", "co.uk", "com.br", "io", "app",
    "dev", "club", "vip", "pl", "fr", "in", "us",
];
/// Labels that stand before a parent.
const SERVICES: &[&str] = &[
    "www", "api", "cdn", "mail", "static", "img", "app", "login", "m", "track", "s3", "dl",
];

fn label(numbers: &mut Numbers, least: usize, spread: usize) -> String {
    let len = least + numbers.below(spread) / 2 + numbers.below(spread) / 2;
    let mut label = String::new();
    for at in 0..len {
        let edge = at == 0 || at + 1 == len || label.ends_with('-');
        let set: &[u8] = match numbers.below(100) {
            88.. if !edge => b"-",
            76..88 => b"0123456789",
            _ => b"aeionrstlcdmupbgfhkywvxjzq",
        };
        let most = if set.len() > 20 {
            8 + numbers.below(19)
        } else {
            set.len()
        };
        label.push(char::from(set[numbers.below(most)]));
    }
    label
}

/// As many different names as asked for.
#[must_use]
pub fn names(count: usize, seed: u64) -> Vec<String> {
    let mut numbers = Numbers::new(seed);
    let parents: Vec<String> = (0..count / 12 + 3)
        .map(|_| registered(&mut numbers))
        .collect();
    // Without a seed of the process: runs that are compared instruction by instruction begin alike.
    let mut seen = HashSet::with_capacity_and_hasher(count, FixedState::default());
    let mut names = Vec::with_capacity(count);
    while names.len() < count {
        let name = match numbers.below(100) {
            0..50 => registered(&mut numbers),
            50..86 => below_parent(&mut numbers, &parents, 1),
            86..95 => below_parent(&mut numbers, &parents, 2),
            _ => below_parent(&mut numbers, &parents, 3),
        };
        if seen.insert(name.clone()) {
            names.push(name);
        }
    }
    names
}

fn registered(numbers: &mut Numbers) -> String {
    let zone = numbers.pick(ZONES).copied().unwrap_or("com");
    format!("{}.{zone}", label(numbers, 5, 18))
}

fn below_parent(numbers: &mut Numbers, parents: &[String], labels: usize) -> String {
    let mut name = if numbers.below(2) == 0 {
        numbers.pick(parents).cloned().unwrap_or_default()
    } else {
        registered(numbers)
    };
    for _ in 0..labels {
        let first = if numbers.below(3) == 0 {
            numbers.pick(SERVICES).copied().unwrap_or("www").to_owned()
        } else {
            label(numbers, 2, 7)
        };
        name = format!("{first}.{name}");
    }
    name
}

/// What kind of host a workload asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The name of an exact rule.
    Exact,
    /// One label below a wildcard's base.
    Wildcard,
    /// Six labels below a wildcard's base.
    Deep,
    /// A name of the same making that no rule matches.
    Miss,
    /// A name beside or below an exact rule, which it does not match.
    Near,
    /// An address.
    Address,
    /// 127 labels of one letter.
    Labels,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Exact,
        Self::Wildcard,
        Self::Deep,
        Self::Miss,
        Self::Near,
        Self::Address,
        Self::Labels,
    ];

    /// The word for the kind in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact hit",
            Self::Wildcard => "wildcard hit",
            Self::Deep => "deep hit",
            Self::Miss => "miss",
            Self::Near => "near miss",
            Self::Address => "address",
            Self::Labels => "127 labels",
        }
    }
}

/// A policy's allowed entries, and names of the same making that they do not hold.
#[derive(Clone, Debug)]
pub struct List {
    /// Every second one begins with `*.`.
    pub rules: Vec<String>,
    held_out: Vec<String>,
}

impl List {
    /// A list of `count` rules.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let mut names = names(count + count / 4 + 64, 20_260_101);
        let held_out = names.split_off(count);
        let rules = names
            .into_iter()
            .enumerate()
            .map(|(at, name)| {
                if at % 2 == 0 {
                    name
                } else {
                    format!("*.{name}")
                }
            })
            .collect();
        Self { rules, held_out }
    }

    /// A list of these rules, with no names held out.
    #[must_use]
    pub fn of(rules: Vec<String>) -> Self {
        Self {
            rules,
            held_out: Vec::new(),
        }
    }

    /// The rules as a policy: one of `every` is denied, the others are allowed.
    ///
    /// # Panics
    ///
    /// When a made-up name is no pattern, which is a mistake here.
    pub fn builder(&self, every: usize) -> EgressBuilder {
        let rules = self.rules.iter().enumerate();
        rules.fold(Egress::builder(), |builder, (at, rule)| {
            let pattern = Pattern::parse(rule).unwrap_or_else(|error| panic!("{rule}: {error}"));
            if self.is_denied(at, every) {
                builder.deny(pattern)
            } else {
                builder.allow(pattern)
            }
        })
    }

    /// Whether [`List::builder`] denies the rule at a place.
    #[must_use]
    pub fn is_denied(&self, at: usize, every: usize) -> bool {
        at % every == every - 1
    }

    /// As many hosts of a kind as asked for, in no order that a cache could profit from.
    #[must_use]
    pub fn hosts(&self, kind: Kind, count: usize) -> Vec<String> {
        let mut numbers = Numbers::new(7);
        let even = self.rules.len().div_ceil(2);
        let odd = self.rules.len() / 2;
        let exact = |numbers: &mut Numbers| self.rules[2 * numbers.below(even)].clone();
        let below = |numbers: &mut Numbers| self.rules[2 * numbers.below(odd) + 1][2..].to_owned();
        (0..count)
            .map(|_| match kind {
                Kind::Exact => exact(&mut numbers),
                Kind::Wildcard => format!("cdn7.{}", below(&mut numbers)),
                Kind::Deep => format!("a.bb.ccc.d1.e.f-g.{}", below(&mut numbers)),
                Kind::Miss => numbers.pick(&self.held_out).cloned().unwrap_or_default(),
                Kind::Near if numbers.below(2) == 0 => format!("x{}", exact(&mut numbers)),
                Kind::Near => format!("www.{}", exact(&mut numbers)),
                Kind::Address => format!(
                    "{}.{}.{}.{}",
                    1 + numbers.below(200),
                    numbers.below(256),
                    numbers.below(256),
                    numbers.below(256)
                ),
                Kind::Labels => {
                    let letters = (0..127).map(|_| char::from(b'a' + numbers.below(26) as u8));
                    letters.map(String::from).collect::<Vec<_>>().join(".")
                }
            })
            .map(|host| host.chars().take(253).collect())
            .collect()
    }

    /// As [`List::hosts`], read.
    ///
    /// # Panics
    ///
    /// When a made-up name is no host, which is a mistake here.
    #[must_use]
    pub fn parsed(&self, kind: Kind, count: usize) -> Vec<Host> {
        let hosts = self.hosts(kind, count);
        let parse =
            |host: &String| Host::parse(host).unwrap_or_else(|error| panic!("{host}: {error}"));
        hosts.iter().map(parse).collect()
    }
}

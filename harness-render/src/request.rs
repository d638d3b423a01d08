//! What an adapter is asked, and the questions about it that every clause asks again: each is
//! answered once.

use alloc::collections::BTreeMap;
use core::cell::{OnceCell, RefCell};

use policy_core::{Host, Mode, Pattern, Policy, Rule, Sandbox, Verdict, witnesses};

use crate::clause::{Clause, effective_mode};
use crate::fact::Fact;
use crate::target::{Hardening, Os, Target};

/// The fact of a row for a default that is allow because the policy says nothing about hosts.
pub(crate) static NOT_OPENED: Fact =
    Fact::project("a policy that writes nothing about hosts is no reason to open them");

/// A policy for one target at one strength.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) target: Target,
    pub(crate) hardening: Hardening,
    allowed: OnceCell<Vec<Pattern>>,
    denied: OnceCell<Vec<Pattern>>,
    open_wildcards: OnceCell<Vec<Pattern>>,
    named: OnceCell<Vec<Named>>,
    allowed_below: RefCell<BTreeMap<String, Option<String>>>,
    unlisted_host: OnceCell<String>,
}

/// A pattern with a name, by the name from its end on, so that what lies at or below a name is a
/// run of neighbours.
#[derive(Debug)]
struct Named {
    reversed: String,
    pattern: Pattern,
    /// Its place among the denied; none for an allowed one.
    denied: Option<usize>,
}

impl<'a> Request<'a> {
    pub(crate) fn new(policy: &'a Policy, target: &Target, hardening: Hardening) -> Self {
        Self {
            policy,
            target: target.clone(),
            hardening,
            allowed: OnceCell::new(),
            denied: OnceCell::new(),
            open_wildcards: OnceCell::new(),
            named: OnceCell::new(),
            allowed_below: RefCell::default(),
            unlisted_host: OnceCell::new(),
        }
    }

    pub(crate) fn os(&self) -> Os {
        self.target.os
    }

    /// Whether the pinned release is one of those for which the fact is claimed.
    pub(crate) fn has(&self, fact: &Fact) -> bool {
        fact.release().is_in(&self.target.version)
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.hardening == Hardening::Strict
    }

    pub(crate) fn mode(&self) -> Mode {
        effective_mode(self.policy)
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        self.policy.sandbox().unwrap_or(Sandbox::unrestricted())
    }

    pub(crate) fn protects_paths(&self) -> bool {
        !self.sandbox().protected_paths().is_empty()
    }

    pub(crate) fn denies_by_default(&self) -> bool {
        Clause::of_rule(self.policy.egress().default_rule()) != Clause::Default(Verdict::Allow)
    }

    /// Whether hosts that no entry names are to be opened. A policy that writes nothing at all about
    /// hosts allows them, but does not ask to open what a harness keeps closed or asks about.
    pub(crate) fn opens_unlisted_hosts(&self) -> bool {
        let rule = self.policy.egress().default_rule();
        let written =
            self.policy.has_egress_rules() || !matches!(rule, Rule::Default { implied: true, .. });
        written && !self.denies_by_default()
    }

    pub(crate) fn allows_any_host(&self) -> bool {
        self.policy.egress().has_allowed()
    }

    pub(crate) fn denies_any_host(&self) -> bool {
        self.policy.egress().has_denied()
    }

    /// Whether the default decides a host.
    pub(crate) fn is_unlisted(&self, host: &str) -> bool {
        Host::parse(host).is_ok_and(|host| self.policy.egress().rules_for(&host).next().is_none())
    }

    /// Some name or address of the machine itself that the default decides.
    pub(crate) fn unlisted_loopback(&self) -> &'static str {
        let loopback = ["localhost", "127.0.0.1", "127.0.0.2", "127.0.0.3"];
        let unlisted = loopback.into_iter().find(|host| self.is_unlisted(host));
        unlisted.unwrap_or("127.0.0.4")
    }

    /// Some host that the default decides.
    pub(crate) fn unlisted_host(&self) -> String {
        let find = || {
            let readable = ["unlisted.example", "unlisted.test"];
            if let Some(host) = readable.into_iter().find(|host| self.is_unlisted(host)) {
                return host.to_owned();
            }
            let egress = self.policy.egress();
            witnesses(egress.patterns())
                .find(|host| egress.rules_for(host).next().is_none())
                .map_or_else(|| "any other host".to_owned(), |host| host.to_string())
        };
        self.unlisted_host.get_or_init(find).clone()
    }

    /// The allowed patterns, each once, in order.
    pub(crate) fn allowed(&self) -> &[Pattern] {
        self.allowed.get_or_init(|| {
            let allowed = self.policy.egress().allowed();
            let mut patterns: Vec<Pattern> = allowed.map(|(pattern, _)| pattern.into()).collect();
            patterns.sort_unstable();
            patterns.dedup();
            patterns
        })
    }

    /// The denied patterns, each once, in order.
    pub(crate) fn denied(&self) -> &[Pattern] {
        let denied = || self.policy.egress().denied().map(Pattern::from).collect();
        self.denied.get_or_init(denied)
    }

    /// The allowed wildcards that no denied pattern covers, in the order of the policy's lists.
    pub(crate) fn open_wildcards(&self) -> &[Pattern] {
        self.open_wildcards.get_or_init(|| {
            let allowed = self.policy.egress().allowed();
            let wildcards = allowed.filter(|(pattern, _)| pattern.is_wildcard());
            wildcards
                .map(|(pattern, _)| Pattern::from(pattern))
                .filter(|pattern| self.is_open(pattern))
                .collect()
        })
    }

    /// Whether no denied pattern covers an allowed one.
    pub(crate) fn is_open(&self, pattern: &Pattern) -> bool {
        let Ok(host) = Host::parse(&example(pattern)) else {
            return true;
        };
        !self.is_denied_by(&host, |denied| denied.covers(pattern))
    }

    /// Whether a denied pattern that matches the host answers to a question.
    pub(crate) fn is_denied_by(&self, host: &Host, answers: impl Fn(&Pattern) -> bool) -> bool {
        let mut rules = self.policy.egress().rules_for(host);
        rules.any(|rule| match rule {
            Rule::Denied { pattern } => answers(&pattern.into()),
            _ => false,
        })
    }

    /// The patterns whose name is this one or below it.
    fn at_or_below(&self, base: &str) -> &[Named] {
        let named = self.named.get_or_init(|| {
            let allowed = self.allowed().iter().map(|pattern| (pattern, None));
            let denied = self.denied().iter().enumerate();
            let denied = denied.map(|(at, pattern)| (pattern, Some(at)));
            let mut named: Vec<Named> = allowed
                .chain(denied)
                .filter_map(|(pattern, denied)| {
                    Some(Named {
                        reversed: reversed(pattern.base()?),
                        pattern: pattern.clone(),
                        denied,
                    })
                })
                .collect();
            named.sort_unstable_by(|one, other| one.reversed.cmp(&other.reversed));
            named
        });
        // In this order the names below a name follow it without a gap.
        let base = reversed(base);
        let start = named.partition_point(|one| one.reversed < base);
        let from = named.get(start..).unwrap_or_default();
        let end = from.partition_point(|one| one.reversed.starts_with(&base));
        from.get(..end).unwrap_or_default()
    }

    /// A host below a name that the policy allows.
    pub(crate) fn allowed_below(&self, base: &str) -> Option<String> {
        if let Some(known) = self.allowed_below.borrow().get(base) {
            return known.clone();
        }
        let found = Pattern::parse(&format!("*.{base}")).ok().and_then(|all| {
            // Patterns above the name match all hosts below it alike, so they need no witness.
            let near = self.at_or_below(base).iter().map(|one| &one.pattern);
            witnesses(near.chain([&all]).map(Pattern::as_ref))
                .find(|host| all.matches(host) && self.policy.egress().decide(host).is_allowed())
                .map(|host| host.to_string())
        });
        let mut known = self.allowed_below.borrow_mut();
        known.insert(base.to_owned(), found.clone());
        found
    }

    /// The denied patterns that `*.` before a name covers, in order.
    pub(crate) fn denied_below(&self, base: &str) -> Vec<&Pattern> {
        let near = self.at_or_below(base).iter();
        // `*.x` covers itself, but not `x`.
        let below =
            near.filter(|one| one.pattern.is_wildcard() || one.pattern.base() != Some(base));
        let mut denied: Vec<(usize, &Pattern)> = below
            .filter_map(|one| Some((one.denied?, &one.pattern)))
            .collect();
        denied.sort_unstable_by_key(|(at, _)| *at);
        denied.into_iter().map(|(_, pattern)| pattern).collect()
    }
}

/// A host that the pattern matches.
pub(crate) fn example(pattern: &Pattern) -> String {
    match pattern.base() {
        Some(base) if pattern.is_wildcard() => format!("a.{base}"),
        _ => pattern.to_string(),
    }
}

/// A name reversed, with a final dot: a name below another begins with the other's reversed form.
fn reversed(name: &str) -> String {
    name.chars().rev().chain(['.']).collect()
}

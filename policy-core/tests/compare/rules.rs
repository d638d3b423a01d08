//! Policies as lists of rules, each tried in turn.

use policy_core::{Egress, Host, Pattern, Verdict};

pub(crate) fn host(text: &str) -> Host {
    Host::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A policy as a list of rules, decided by trying each: the reading of the specification against
/// which the compiled one is held.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) allowed: Vec<Pattern>,
    pub(crate) denied: Vec<Pattern>,
    pub(crate) default: Option<Verdict>,
}

impl Rules {
    pub(crate) fn new(allowed: &[&str], denied: &[&str], default: Option<Verdict>) -> Self {
        Self {
            allowed: allowed.iter().copied().map(pattern).collect(),
            denied: denied.iter().copied().map(pattern).collect(),
            default,
        }
    }

    pub(crate) fn permits(&self, host: &Host) -> bool {
        let matches = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(host));
        if matches(&self.denied) {
            false
        } else if matches(&self.allowed) {
            true
        } else {
            self.default == Some(Verdict::Allow)
                || self.default.is_none() && self.allowed.is_empty()
        }
    }

    pub(crate) fn egress(&self) -> Egress {
        let mut builder = Egress::builder();
        for pattern in &self.allowed {
            builder = builder.allow(pattern.clone());
        }
        for pattern in &self.denied {
            builder = builder.deny(pattern.clone());
        }
        if let Some(verdict) = self.default {
            builder = builder.default_verdict(verdict);
        }
        builder
            .build()
            .expect("no allowed entry under default allow")
    }
}

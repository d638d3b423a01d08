//! Questions as the ledger sees them: the row of the clause that decides, and what to expect of it.

use harness_render::{Channel, Clause, Evidence, Ledger, State};
use policy_core::{Host, Pattern, Policy};

use crate::question::{Action, Expectation, Question};

/// A policy and the ledger of its rendering.
pub(super) struct Asker<'a> {
    pub(super) policy: &'a Policy,
    pub(super) ledger: &'a Ledger,
}

impl Asker<'_> {
    pub(super) fn question(
        &self,
        channel: Channel,
        action: Action,
        target: String,
        allowed: bool,
        clause: Clause,
        named: bool,
    ) -> Option<Question> {
        let row = self
            .ledger
            .rows()
            .iter()
            .find(|row| row.channel() == channel && *row.clause() == clause)?;
        let state = row.state().clone();
        let expectation = self.expectation(channel, &target, &state);
        Some(Question {
            channel,
            action,
            target,
            allowed,
            clause,
            state,
            expectation,
            named,
            observed: row.evidence() == Evidence::Observed,
        })
    }

    /// What the ledger says about a host or path: in the row of the clause that decides it, and in
    /// the rows of patterns that share a name with it, since an exception of one pattern reaches
    /// hosts that another clause decides.
    fn expectation(&self, channel: Channel, target: &str, state: &State) -> Expectation {
        let (mut wider, mut narrower) = match state {
            State::NotHeld { .. } => return Expectation::Anything,
            State::Weaker { gains, loses, .. } => (gains.is_some(), loses.is_some()),
            State::Held => (false, false),
        };
        for row in self
            .ledger
            .rows()
            .iter()
            .filter(|row| row.channel() == channel)
        {
            let (Clause::Allow(pattern, _) | Clause::Deny(pattern)) = row.clause() else {
                continue;
            };
            if let State::Weaker { gains, loses, .. } = row.state()
                && shares_name(pattern, target)
            {
                wider |= gains.is_some();
                narrower |= loses.is_some();
            }
        }
        match (wider, narrower) {
            (false, false) => Expectation::AsPolicy,
            _ => Expectation::Gap { wider, narrower },
        }
    }

    /// The hosts, or the paths, that the ledger names.
    pub(super) fn named(&self, channel: Channel, hosts: bool) -> impl Iterator<Item = String> {
        let is_about_host = |clause: &Clause| {
            matches!(
                clause,
                Clause::Allow(..) | Clause::Deny(_) | Clause::Default(_)
            )
        };
        let rows = self.ledger.rows().iter();
        rows.filter(move |row| row.channel() == channel && is_about_host(row.clause()) == hosts)
            .flat_map(|row| match row.state() {
                State::Weaker { gains, loses, .. } => vec![gains.clone(), loses.clone()],
                _ => Vec::new(),
            })
            .flatten()
            .map(String::from)
    }
}

/// Whether a URL's host is the name in a pattern or lies below it.
fn shares_name(pattern: &Pattern, url: &str) -> bool {
    let (Some(base), Ok(host)) = (pattern.base(), Host::parse(url)) else {
        return false;
    };
    host.name().is_some_and(|name| {
        name.strip_suffix(base)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

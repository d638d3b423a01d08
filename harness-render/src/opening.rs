//! What another pin of a harness opens: two ledgers of one policy, compared.

use alloc::collections::{BTreeMap, BTreeSet};

use policy_core::{Harness, Mode, Policy, Verdict};
use semver::Version;

use crate::clause::{Channel, Clause};
use crate::ledger::{Ledger, Row};
use crate::render::render;
use crate::statement::State;
use crate::target::{Hardening, Os, Target};

/// Something that a policy's rendering for one release of a harness leaves open, and that for
/// another does not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opening {
    what: String,
    evidence: String,
    systems: BTreeSet<Os>,
}

impl Opening {
    /// The clause and how the way to it is open, or the way around the rendering.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The host or path that the ledger names as open, or else the entry of the clause; for a way
    /// around the rendering, who can take it.
    #[must_use]
    pub fn evidence(&self) -> &str {
        &self.evidence
    }

    /// The systems on which it is so, in order; at least one.
    pub fn systems(&self) -> impl Iterator<Item = Os> {
        self.systems.iter().copied()
    }
}

/// What the rendering of a policy opens with a harness pinned to `here` and not with it pinned to
/// `there`: on every system, at every hardening, by the ledgers' own witnesses. Each once, in order.
///
/// A clause that both enforce only in part counts if the two ledgers name different witnesses, since
/// it is unknown how the two relate. If the release `here` cannot be rendered, that counts as well; if
/// `there` cannot, everything counts that is open `here`.
///
/// ```
/// use harness_render::openings;
/// use policy_core::{Egress, Harness, Pattern, Policy};
///
/// let egress = Egress::builder().deny(Pattern::parse("pastebin.com")?).build()?;
/// let policy = Policy::new(egress, None)?;
/// let (old, new) = ("2.1.0".parse()?, "2.1.280".parse()?);
/// let lowered = openings(&policy, Harness::ClaudeCode, &old, &new);
/// assert!(lowered.iter().any(|opening| opening.evidence() == "pastebin.com"));
/// assert!(openings(&policy, Harness::ClaudeCode, &new, &new).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn openings(
    policy: &Policy,
    harness: Harness,
    here: &Version,
    there: &Version,
) -> Vec<Opening> {
    let mut found: BTreeMap<(String, String), BTreeSet<Os>> = BTreeMap::new();
    if here == there {
        return Vec::new();
    }
    for os in Os::ALL {
        for hardening in [Hardening::Standard, Hardening::Strict] {
            let rendered = |version: &Version| {
                let target = Target::new(harness, version.clone(), os);
                render(policy, &target, hardening)
            };
            let new = match rendered(here) {
                Ok(rendering) => open_beyond(
                    rendering.ledger(),
                    rendered(there).ok().as_ref().map(crate::Rendering::ledger),
                ),
                // Without a rendering nothing is proved to be closed.
                Err(error) => vec![(error.to_string(), format!("{harness} {here}"))],
            };
            for one in new {
                found.entry(one).or_default().insert(os);
            }
        }
    }
    found
        .into_iter()
        .map(|((what, evidence), systems)| Opening {
            what,
            evidence,
            systems,
        })
        .collect()
}

/// The rows and ways that are open in a ledger and not in the other, as what and evidence.
fn open_beyond(here: &Ledger, there: Option<&Ledger>) -> Vec<(String, String)> {
    let rows = there.into_iter().flat_map(Ledger::rows);
    let states: BTreeMap<(&Clause, Channel), &State> = rows
        .map(|row| ((row.clause(), row.channel()), row.state()))
        .collect();
    // If nothing was enforced, there was nothing to get around.
    let unheld = there.is_some_and(|ledger| {
        let mut limits = ledger.rows().iter().filter(|row| limits(row.clause()));
        limits.all(|row| matches!(row.state(), State::NotHeld { .. }))
    });
    let ways = there.into_iter().flat_map(Ledger::residuals);
    let ways: BTreeSet<(&str, &str)> = ways.map(|way| (way.way(), way.who())).collect();

    let rows = here.rows().iter().filter_map(|row| {
        let state = states.get(&(row.clause(), row.channel())).copied();
        let evidence = opened(row, state)?;
        let (clause, channel) = (row.clause(), row.channel());
        Some((format!("{clause}: {channel}: {}", row.state()), evidence))
    });
    let around = here
        .residuals()
        .iter()
        .filter(|way| !unheld && !ways.contains(&(way.way(), way.who())))
        .map(|way| (way.to_string(), way.who().to_owned()));
    rows.chain(around).collect()
}

/// What shows that a row leaves open what the row of the same clause and channel there does not.
fn opened(row: &Row, there: Option<&State>) -> Option<String> {
    let limits = limits(row.clause());
    match (row.state(), there) {
        // Nothing of the limit was enforced: no more can open.
        (_, Some(State::NotHeld { .. })) if limits => None,
        // A grant that is not rendered opens nothing.
        (State::NotHeld { .. }, _) => limits.then(|| row.clause().entry()),
        (State::Weaker { gains: here, .. }, Some(State::Weaker { gains: there, .. }))
            if here == there =>
        {
            None
        }
        (State::Weaker { gains, .. }, _) => gains.as_deref().map(str::to_owned),
        (State::Held, _) => None,
    }
}

/// Whether a clause closes something, rather than open it.
fn limits(clause: &Clause) -> bool {
    match clause {
        Clause::Mode(mode) => *mode != Mode::Off,
        Clause::ProtectedPath(_) | Clause::Deny(_) | Clause::Default(Verdict::Deny) => true,
        Clause::WritableRoot(_) | Clause::Allow(..) | Clause::Default(Verdict::Allow) => false,
    }
}

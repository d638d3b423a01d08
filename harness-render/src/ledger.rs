//! The account of a rendering: what becomes of every clause of the policy, and what stays open.

use alloc::collections::BTreeMap;
use core::fmt;

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::clause::{Channel, Clause};
use crate::fact::{Evidence, Fact};
use crate::statement::{State, Statement};
use crate::target::{Release, Target};
use crate::way::Residual;

/// One clause in one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    clause: Clause,
    channel: Channel,
    state: State,
    fact: &'static Fact,
    evidence: Evidence,
}

impl Row {
    pub(crate) fn new(
        clause: Clause,
        channel: Channel,
        said: Statement,
        newest: Option<Release>,
        target: &Target,
    ) -> Self {
        Self {
            clause,
            channel,
            state: said.state,
            fact: said.fact,
            evidence: said.fact.evidence_in(target, newest),
        }
    }

    /// The clause.
    #[must_use]
    pub const fn clause(&self) -> &Clause {
        &self.clause
    }

    /// The channel.
    #[must_use]
    pub const fn channel(&self) -> Channel {
        self.channel
    }

    /// What becomes of the clause there.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The fact that the state rests on.
    #[must_use]
    pub const fn source(&self) -> &'static Fact {
        self.fact
    }

    /// How the fact is known of this system and this release.
    #[must_use]
    pub const fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// Whether the row claims enforcement that was not observed.
    fn is_marked(&self) -> bool {
        self.evidence == Evidence::Vendor && !matches!(self.state, State::NotHeld { .. })
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("Row", 10)?;
        row.serialize_field("field", self.clause.field())?;
        row.serialize_field("clause", &self.clause.to_string())?;
        row.serialize_field("channel", &self.channel)?;
        row.serialize_field("state", self.state.as_str())?;
        let detail = Some(self.state.detail()).filter(|detail| !detail.is_empty());
        row.serialize_field("detail", &detail)?;
        row.serialize_field("gains", &self.state.gains())?;
        row.serialize_field("loses", &self.state.loses())?;
        row.serialize_field("source", self.fact.claim())?;
        let page = Some(self.fact.page()).filter(|page| !page.is_empty());
        row.serialize_field("page", &page)?;
        row.serialize_field("evidence", self.evidence.as_str())?;
        row.end()
    }
}

/// The account of one rendering.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    target: Target,
    rows: Vec<Row>,
    residuals: Vec<Residual>,
}

impl Ledger {
    pub(crate) const fn new(target: Target, rows: Vec<Row>, residuals: Vec<Residual>) -> Self {
        Self {
            target,
            rows,
            residuals,
        }
    }

    /// The harness, release and system.
    #[must_use]
    pub const fn target(&self) -> &Target {
        &self.target
    }

    /// A row for every clause of the policy in every channel that the clause limits, in the order
    /// of [`Clause::of`].
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// What stays open at the chosen strength.
    #[must_use]
    pub fn residuals(&self) -> &[Residual] {
        &self.residuals
    }

    /// What is not enforced, as people read it: one warning for a field that nothing supports, one for
    /// each channel and reason otherwise, which names its entries unless it is about all of them.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut fields: Vec<(&'static str, Vec<&Row>)> = Vec::new();
        for row in &self.rows {
            let field = row.clause.field();
            match fields.iter_mut().find(|(name, _)| *name == field) {
                Some((_, rows)) => rows.push(row),
                None => fields.push((field, vec![row])),
            }
        }
        let mut warnings = Vec::new();
        for (field, rows) in fields {
            let unsupported = rows
                .iter()
                .all(|row| matches!(row.state, State::NotHeld { .. }));
            if unsupported {
                warnings.push(Warning::unsupported(&self.target, field));
                continue;
            }
            let mut all: BTreeMap<Channel, usize> = BTreeMap::new();
            for row in &rows {
                let count = all.entry(row.channel).or_default();
                *count = count.saturating_add(1);
            }
            let mut reasons: BTreeMap<(Channel, String), Vec<String>> = BTreeMap::new();
            for row in rows.iter().filter(|row| row.state != State::Held) {
                reasons
                    .entry((row.channel, row.state.to_string()))
                    .or_default()
                    .push(row.clause.entry());
            }
            for ((channel, state), entries) in reasons {
                // A list that says "all of them" by naming them is not read.
                let names = if entries.len() > 1 && all.get(&channel) == Some(&entries.len()) {
                    String::new()
                } else {
                    format!(" {}", entries.join(", "))
                };
                warnings.push(Warning {
                    harness: self.target.harness.name(),
                    unsupported: false,
                    text: format!("{field}{names}: {channel}: {state}"),
                });
            }
        }
        warnings
    }
}

impl fmt::Display for Ledger {
    /// One line for each row, marked if it claims enforcement that was not observed, then one for
    /// each way around.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Target {
            harness,
            version,
            os,
        } = &self.target;
        writeln!(f, "{harness} {version} on {os}")?;
        for row in &self.rows {
            let (channel, clause, state) = (row.channel, &row.clause, &row.state);
            write!(f, "  {channel:<10}  {clause}: {state}")?;
            if row.is_marked() {
                write!(f, " [{}]", row.evidence)?;
            }
            writeln!(f)?;
        }
        for residual in &self.residuals {
            writeln!(f, "  open        {residual}")?;
        }
        Ok(())
    }
}

impl Serialize for Ledger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut ledger = serializer.serialize_struct("Ledger", 5)?;
        ledger.serialize_field("harness", self.target.harness.name())?;
        ledger.serialize_field("version", &self.target.version.to_string())?;
        ledger.serialize_field("os", self.target.os.name())?;
        ledger.serialize_field("rows", &self.rows)?;
        ledger.serialize_field("residuals", &self.residuals)?;
        ledger.end()
    }
}

/// Something of a policy that a rendering does not enforce. `Display` puts the harness before the
/// [text](Self::text).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Warning {
    harness: &'static str,
    unsupported: bool,
    text: String,
}

impl Warning {
    pub(crate) fn unsupported(target: &Target, field: &str) -> Self {
        Self {
            harness: target.harness.name(),
            unsupported: true,
            text: format!("profile field \"{field}\" is not supported and was not rendered"),
        }
    }

    /// Whether nothing at all of the field is enforced.
    #[must_use]
    pub const fn is_unsupported_field(&self) -> bool {
        self.unsupported
    }

    /// The warning without the harness.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.harness, self.text)
    }
}

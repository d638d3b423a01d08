//! Why a host is decided as it is: every place that had a say, and what would change the answer.

mod change;

use core::fmt;

use crate::decision::{Decision, Rule};
use crate::host::Host;
use crate::repository::finding::Position;
use crate::repository::layer::{Origin, Role};
use crate::repository::organisation::{Organisation, SelectError, Selection};
use crate::repository::resolved::Resolved;

pub use change::{Change, Opposite};

/// A place in a policy repository that has a say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    role: Role,
    layer: String,
    file: String,
    position: Option<Position>,
    path: String,
}

impl Place {
    fn of(origin: &Origin<'_>) -> Self {
        Self {
            role: origin.layer.role,
            layer: origin.layer.root.clone(),
            file: origin.layer.file.clone(),
            position: origin.position,
            path: origin.path(),
        }
    }

    /// Whether a profile or an overlay says it.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// The layer: `profiles.base`, `units.payments.overlays[0]`.
    #[must_use]
    pub fn layer(&self) -> &str {
        &self.layer
    }

    /// The file, relative to the repository.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The place in the file, where it is known.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// The value: `profiles.base.egress.deniedDomains[0]`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for Place {
    /// `profiles/base.yaml:8:19`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.position {
            Some(position) => write!(f, ":{position}"),
            None => Ok(()),
        }
    }
}

/// Why a rule that matches as well did not decide, or is not the one that is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Lost {
    /// It allows, and another denies.
    DenyWins,
    /// It is a wildcard, and an exact pattern says the same.
    ExactFirst,
    /// It is a shorter wildcard than another that says the same.
    LongerFirst,
    /// The same pattern stands in a list that is looked at earlier.
    ListOrder,
    /// It is the default, and a pattern matches.
    PatternMatched,
}

impl Lost {
    /// A stable name, in kebab-case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DenyWins => "deny-wins",
            Self::ExactFirst => "exact-first",
            Self::LongerFirst => "longer-first",
            Self::ListOrder => "list-order",
            Self::PatternMatched => "pattern-matched",
        }
    }

    fn why(loser: Rule<'_>, winner: Rule<'_>) -> Self {
        let (Some(lost), Some(won)) = (loser.pattern(), winner.pattern()) else {
            return Self::PatternMatched;
        };
        if loser.verdict() != winner.verdict() {
            Self::DenyWins
        } else if lost == won {
            Self::ListOrder
        } else if won.is_wildcard() {
            Self::LongerFirst
        } else {
            Self::ExactFirst
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DenyWins => "deny always wins",
            Self::ExactFirst => "an exact pattern is named before a wildcard",
            Self::LongerFirst => "a longer wildcard is named before a shorter one",
            Self::ListOrder => {
                "allowedDomains is named before presets, and presets in alphabetical order"
            }
            Self::PatternMatched => "the default decides only where no pattern matches",
        })
    }
}

/// A rule with every place that gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution<'s> {
    rule: Rule<'s>,
    places: Vec<Place>,
    lost: Option<Lost>,
}

impl<'s> Contribution<'s> {
    fn new(rule: Rule<'s>, lost: Option<Lost>, resolved: &Resolved<'_>) -> Self {
        let places = resolved.origins_of(rule).iter().map(Place::of).collect();
        Self { rule, places, lost }
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> Rule<'s> {
        self.rule
    }

    /// Every place that gives the rule, ancestors first. A default that is implied has the place of
    /// the allowlist that implies it; where nothing is allowed it has none.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Why it did not decide; `None` for the rule that did.
    #[must_use]
    pub fn lost(&self) -> Option<Lost> {
        self.lost
    }
}

/// Why a host is decided as it is: [`Organisation::explain`].
#[derive(Clone, Debug)]
pub struct Explanation<'s> {
    decision: Decision<'s>,
    decided: Contribution<'s>,
    lost: Vec<Contribution<'s>>,
    opposite: Opposite,
}

impl<'s> Explanation<'s> {
    /// The decision that is explained.
    #[must_use]
    pub fn decision(&self) -> Decision<'s> {
        self.decision
    }

    /// The rule that decided, with every layer that contributed it.
    #[must_use]
    pub fn decided(&self) -> &Contribution<'s> {
        &self.decided
    }

    /// The other rules that match, and the default, with the reason why each did not decide.
    #[must_use]
    pub fn lost(&self) -> &[Contribution<'s>] {
        &self.lost
    }

    /// What would have to change for the opposite answer.
    #[must_use]
    pub fn opposite(&self) -> &Opposite {
        &self.opposite
    }
}

impl Organisation {
    /// The whole way to the answer for a host: every layer that contributed, what else matched and
    /// why it lost, and what would have to change for the opposite answer.
    ///
    /// ```
    /// use policy_core::{Host, Repository};
    ///
    /// let repository = Repository::from_files([
    ///     ("halos.yaml".into(), b"rings: { ga: { profile: base, default: true } }".to_vec()),
    ///     ("profiles/base.yaml".into(), b"egress: { deniedDomains: [paste.example] }".to_vec()),
    /// ]);
    /// let validation = repository.validate();
    /// let organisation = validation.organisation().expect("warnings only");
    /// let selection = organisation.select(None, None)?;
    /// let explanation = organisation.explain(&selection, &Host::parse("paste.example")?)?;
    /// assert_eq!(explanation.decided().places()[0].to_string(), "profiles/base.yaml:1:27");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SelectError`] for a selection of another organisation.
    pub fn explain<'s>(
        &self,
        selection: &'s Selection<'_>,
        host: &Host,
    ) -> Result<Explanation<'s>, SelectError> {
        let (ring, unit) = (selection.ring(), selection.unit());
        let ring = match ring {
            Some(ring) => self.rings().find(|other| other.name() == ring.name()),
            None => None,
        };
        if ring.is_none() != selection.ring().is_none() {
            return Err(SelectError::Unsound);
        }
        let resolved = self.resolve_selected(ring, unit, selection.profile());
        let resolved = resolved.ok_or(SelectError::Unsound)?;
        let egress = selection.policy().egress();
        let decision = egress.decide(host);
        let winner = decision.rule();
        let rules = egress.rules_for(host).chain([egress.default_rule()]);
        let lost = rules.skip(1).map(|rule| {
            let why = Lost::why(rule, winner);
            Contribution::new(rule, Some(why), &resolved)
        });
        Ok(Explanation {
            decision,
            decided: Contribution::new(winner, None, &resolved),
            lost: lost.collect(),
            opposite: change::opposite(self, selection, host, decision.verdict()),
        })
    }
}

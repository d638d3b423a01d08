//! Whether one repository permits more than another: ring by ring, and unit by unit within it.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use semver::Version;

use super::{Organisation, Ring, SelectError, Selection, Unit};
use crate::harness::Harness;
use crate::policy::{Policy, Wider, WiderKind};
use crate::posture::Posture;
use crate::quote::quoted;

/// The part of a repository that permits more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// Hosts.
    Hosts,
    /// Writable roots, or protected paths.
    Paths,
    /// The sandbox mode.
    Mode,
    /// The posture of a ring: `off` is wider than `warn`, and `warn` than `enforce`.
    Posture,
    /// The gateway: whatever it was changed to.
    Gateway,
    /// A harness's pin.
    Pin,
    /// A ring, or the default ring.
    Ring,
    /// A unit, whose ring's policy holds where it is missing.
    Unit,
}

impl DifferenceKind {
    /// Every kind, in the order of [`Organisation::difference`].
    pub const ALL: &'static [Self] = &[
        Self::Hosts,
        Self::Paths,
        Self::Mode,
        Self::Posture,
        Self::Gateway,
        Self::Pin,
        Self::Ring,
        Self::Unit,
    ];

    /// One word: `hosts`, `paths`, `mode`, `posture`, `gateway`, `pin`, `ring` or `unit`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hosts => "hosts",
            Self::Paths => "paths",
            Self::Mode => "mode",
            Self::Posture => "posture",
            Self::Gateway => "gateway",
            Self::Pin => "pin",
            Self::Ring => "ring",
            Self::Unit => "unit",
        }
    }
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Which devices a difference is about.
///
/// ```
/// use policy_core::Scope;
///
/// assert_eq!(Scope::default().to_string(), "every ring");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope<'o> {
    ring: Option<&'o str>,
    against: Option<&'o str>,
    unit: Option<&'o str>,
    unnamed: bool,
}

impl<'o> Scope<'o> {
    /// The ring; `None` for what is said of all of them.
    #[must_use]
    pub const fn ring(&self) -> Option<&'o str> {
        self.ring
    }

    /// The ring of the other repository that it is compared with, unless that has the same name.
    #[must_use]
    pub const fn against(&self) -> Option<&'o str> {
        self.against
    }

    /// The unit, whose overlays are applied where it exists.
    #[must_use]
    pub const fn unit(&self) -> Option<&'o str> {
        self.unit
    }

    /// Whether it is about the devices that name no ring: the default ring is another one.
    #[must_use]
    pub const fn is_default(&self) -> bool {
        self.unnamed
    }

    const fn of_ring(ring: &'o Ring) -> Self {
        Self {
            ring: Some(ring.name.as_str()),
            against: None,
            unit: None,
            unnamed: false,
        }
    }

    const fn in_unit(self, unit: &'o str) -> Self {
        Self {
            unit: Some(unit),
            ..self
        }
    }
}

impl fmt::Display for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ring {
            None => f.write_str("every ring")?,
            Some(ring) if self.unnamed => write!(f, "default ring {ring}")?,
            Some(ring) => write!(f, "ring {ring}")?,
        }
        if let Some(unit) = self.unit {
            write!(f, ", unit {unit}")?;
        }
        match self.against {
            Some(against) => write!(f, ", compared with ring {against}"),
            None => Ok(()),
        }
    }
}

/// Something that one repository permits and another does not, with evidence.
///
/// In its texts "here" is the repository that permits more, and "there" the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Difference<'o> {
    kind: DifferenceKind,
    what: String,
    evidence: String,
    reason: String,
    scopes: Vec<Scope<'o>>,
}

impl<'o> Difference<'o> {
    /// The part that permits more.
    #[must_use]
    pub const fn kind(&self) -> DifferenceKind {
        self.kind
    }

    /// What was added or is missing, for a list: `` `mcp.acme.example` ``.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What shows it: for hosts and paths, and for a missing unit, one host or path that is open
    /// here and not there.
    #[must_use]
    pub fn evidence(&self) -> &str {
        &self.evidence
    }

    /// Why that is open here and not there, in a sentence.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The rings and units in which it is so, in order; at least one.
    #[must_use]
    pub fn scopes(&self) -> &[Scope<'o>] {
        &self.scopes
    }
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.kind, self.what, self.reason)
    }
}

/// A policy in which harnesses are pinned to other versions than in the other repository. What that
/// opens is for whoever knows the harnesses to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repinned<'o> {
    scope: Scope<'o>,
    policy: Policy,
    there: BTreeMap<Harness, Version>,
}

impl<'o> Repinned<'o> {
    /// Which devices it is about.
    #[must_use]
    pub const fn scope(&self) -> Scope<'o> {
        self.scope
    }

    /// The policy here, with its pins.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The harnesses whose versions differ, each with the version here and the one there.
    pub fn pins(&self) -> impl Iterator<Item = (Harness, &Version, &Version)> {
        self.there
            .iter()
            .filter_map(|(harness, there)| Some((*harness, self.policy.pin(*harness)?, there)))
    }
}

impl Organisation {
    /// Everything that this repository permits and `other` does not. Empty exactly when this one
    /// permits no more, but for pins that both have with different versions: see
    /// [`repinned`](Self::repinned).
    ///
    /// Rings of the same name are compared, and within them every unit; a ring that is only here is
    /// compared with the default ring there, and the default rings with each other. A ring or a pin
    /// that is only there counts, and so do a weaker posture and any other gateway. A unit that is
    /// only there counts by what its absence permits. A unit that is only here cannot permit more
    /// than its ring. The same difference in several rings and units is told once.
    ///
    /// ```
    /// use policy_core::Repository;
    ///
    /// let files = |posture: &str| {
    ///     let halos = format!("rings: {{ ga: {{ profile: base, posture: {posture} }} }}");
    ///     [("halos.yaml".into(), halos.into_bytes()), ("profiles/base.yaml".into(), b"{}".to_vec())]
    /// };
    /// let main = Repository::from_files(files("enforce")).validate();
    /// let proposed = Repository::from_files(files("warn")).validate();
    /// let (main, proposed) = (main.organisation().unwrap(), proposed.organisation().unwrap());
    /// let wider = proposed.difference(main)?;
    /// assert_eq!(
    ///     wider[0].to_string(),
    ///     "posture: posture `warn`: the posture is `warn` here and `enforce` there",
    /// );
    /// assert!(main.difference(proposed)?.is_empty());
    /// # Ok::<(), policy_core::SelectError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SelectError::Unsound`], which validation keeps from happening.
    pub fn difference<'o>(&'o self, other: &'o Self) -> Result<Vec<Difference<'o>>, SelectError> {
        let mut found = Found::default();
        found.gateway(self.gateway_url(), other.gateway_url());
        let pairs = self.pairs(other, &mut found);
        for pair in pairs {
            let (now, was) = pair.policies(self, other)?;
            let of_ring = found.policies(&now, &was, pair.scope);
            found.posture(pair.now.posture, pair.was.posture, pair.scope);
            found.pins(&now, &was, pair.scope);
            // Without overlays in the ring there, the unit has the ring's policy there, and here no
            // more than the ring's.
            for (name, _) in other.units_in(pair.was) {
                let scope = pair.scope.in_unit(name);
                let was = other.policy_of(pair.was, Some(name))?;
                if self.unit(name).is_some() {
                    let now = self.policy_of(pair.now, Some(name))?;
                    found.policies(&now, &was, scope);
                } else {
                    found.absence(&now, &was, scope, &of_ring);
                }
            }
        }
        Ok(found.finish())
    }

    /// Every ring, and every unit in it, for which a harness is pinned to another version than in
    /// `other`, paired as for [`difference`](Self::difference).
    pub fn repinned<'o>(
        &'o self,
        other: &'o Self,
    ) -> impl Iterator<Item = Result<Repinned<'o>, SelectError>> {
        let pairs = self.pairs(other, &mut Found::default());
        pairs.into_iter().flat_map(move |pair| {
            // No overlay pins.
            let there: Result<BTreeMap<Harness, Version>, SelectError> =
                pair.policies(self, other).map(|(now, was)| {
                    let pins = was.pins().filter(|(harness, version)| {
                        now.pin(*harness).is_some_and(|here| here != *version)
                    });
                    pins.map(|(harness, version)| (harness, version.clone()))
                        .collect()
                });
            let units = core::iter::once(None)
                .chain(self.units_in(pair.now).map(|(name, _)| Some(name)))
                .take(match &there {
                    Ok(there) if there.is_empty() => 0,
                    Ok(_) => usize::MAX,
                    Err(_) => 1,
                });
            units.map(move |unit| {
                Ok(Repinned {
                    there: there.clone()?,
                    policy: self.policy_of(pair.now, unit)?,
                    scope: Scope { unit, ..pair.scope },
                })
            })
        })
    }

    fn policy_of<'o>(
        &'o self,
        ring: &'o Ring,
        unit: Option<&'o str>,
    ) -> Result<Policy, SelectError> {
        self.selection(Some(ring), unit, &ring.profile)
            .map(Selection::into_policy)
    }

    /// The units with an overlay in a ring.
    fn units_in<'o>(
        &'o self,
        ring: &'o Ring,
    ) -> impl Iterator<Item = (&'o str, &'o Unit)> + use<'o> {
        self.units()
            .filter(|(_, unit)| unit.overlays_for(&ring.name).next().is_some())
    }

    /// The rings to compare. What there is nothing to compare with is a difference by itself.
    fn pairs<'o>(&'o self, other: &'o Self, found: &mut Found<'o>) -> Vec<Pair<'o>> {
        let by_name = |organisation: &'o Self| -> BTreeMap<&'o str, &'o Ring> {
            let rings = organisation.rings.iter();
            rings.map(|ring| (ring.name.as_str(), ring)).collect()
        };
        let (here, there) = (by_name(self), by_name(other));
        let default = |organisation: &'o Self| organisation.rings.iter().find(|r| r.is_default);
        let (default_here, default_there) = (default(self), default(other));

        for was in other
            .rings
            .iter()
            .filter(|was| !here.contains_key(&*was.name))
        {
            found.ring(
                format!("no ring {}", quoted(&was.name)),
                "it is only there: its devices have no policy here",
                Scope::of_ring(was),
            );
        }
        let mut pairs = Vec::new();
        for now in &self.rings {
            let scope = Scope::of_ring(now);
            match (there.get(&*now.name), default_there) {
                (Some(was), _) => pairs.push(Pair { now, was, scope }),
                (None, Some(was)) => pairs.push(Pair {
                    now,
                    was,
                    scope: Scope {
                        against: Some(&was.name),
                        ..scope
                    },
                }),
                (None, None) => found.ring(
                    format!("ring {}", quoted(&now.name)),
                    "it is only here, and there is no default ring there to compare it with",
                    scope,
                ),
            }
        }
        match (default_here, default_there) {
            (None, Some(was)) => found.ring(
                "no default ring".to_string(),
                "a device that names no ring has no policy here",
                Scope {
                    unnamed: true,
                    ..Scope::of_ring(was)
                },
            ),
            // A ring that is only here was compared with that one already.
            (Some(now), Some(was)) if now.name != was.name && there.contains_key(&*now.name) => {
                pairs.push(Pair {
                    now,
                    was,
                    scope: Scope {
                        against: Some(&was.name),
                        unnamed: true,
                        ..Scope::of_ring(now)
                    },
                });
            }
            _ => {}
        }
        pairs
    }
}

/// A ring here and the one there that it is compared with.
#[derive(Clone, Copy)]
struct Pair<'o> {
    now: &'o Ring,
    was: &'o Ring,
    scope: Scope<'o>,
}

impl<'o> Pair<'o> {
    fn policies(
        &self,
        here: &'o Organisation,
        there: &'o Organisation,
    ) -> Result<(Policy, Policy), SelectError> {
        Ok((
            here.policy_of(self.now, None)?,
            there.policy_of(self.was, None)?,
        ))
    }
}

/// What was found: its kind, what, evidence and reason, and where.
#[derive(Default)]
struct Found<'o>(BTreeMap<(DifferenceKind, String, String, String), Vec<Scope<'o>>>);

impl<'o> Found<'o> {
    fn add(
        &mut self,
        kind: DifferenceKind,
        [what, evidence, reason]: [String; 3],
        scope: Scope<'o>,
    ) {
        let scopes = self.0.entry((kind, what, evidence, reason)).or_default();
        scopes.push(scope);
    }

    fn ring(&mut self, what: String, reason: &str, scope: Scope<'o>) {
        let evidence = scope.ring.unwrap_or_default().to_string();
        self.add(
            DifferenceKind::Ring,
            [what, evidence, reason.to_string()],
            scope,
        );
    }

    fn gateway(&mut self, here: Option<&str>, there: Option<&str>) {
        if here == there {
            return;
        }
        let named = |url: Option<&str>| url.map_or_else(|| "none".to_string(), quoted);
        let what = match here {
            Some(url) => format!("gateway {}", quoted(url)),
            None => "no gateway".to_string(),
        };
        let evidence = here.or(there).unwrap_or_default().to_string();
        let reason = format!(
            "the gateway is {} here and {} there",
            named(here),
            named(there)
        );
        self.add(
            DifferenceKind::Gateway,
            [what, evidence, reason],
            Scope::default(),
        );
    }

    fn posture(&mut self, here: Posture, there: Posture, scope: Scope<'o>) {
        if here >= there {
            return;
        }
        let (here, there) = (here.as_str(), there.as_str());
        let what = format!("posture `{here}`");
        let reason = format!("the posture is `{here}` here and `{there}` there");
        let evidence = "a device with drift".to_string();
        self.add(DifferenceKind::Posture, [what, evidence, reason], scope);
    }

    fn pins(&mut self, here: &Policy, there: &Policy, scope: Scope<'o>) {
        for (harness, version) in there.pins().filter(|pin| here.pin(pin.0).is_none()) {
            let what = format!("no pin of `{harness}`");
            let reason =
                format!("it is pinned to {version} there, and nothing is rendered for it here");
            self.add(
                DifferenceKind::Pin,
                [what, format!("{harness} {version}"), reason],
                scope,
            );
        }
    }

    /// What one policy permits and the other does not; returns the reasons.
    fn policies(&mut self, here: &Policy, there: &Policy, scope: Scope<'o>) -> BTreeSet<String> {
        let mut reasons = BTreeSet::new();
        for wider in wider(here, there) {
            let kind = match wider.kind() {
                WiderKind::Hosts => DifferenceKind::Hosts,
                WiderKind::Mode => DifferenceKind::Mode,
                WiderKind::WritableRoots | WiderKind::ProtectedPaths => DifferenceKind::Paths,
            };
            let reason = wider.to_string();
            reasons.insert(reason.clone());
            self.add(kind, [wider.added(), wider.evidence(), reason], scope);
        }
        reasons
    }

    /// What a unit forbade that its ring permits, and no other change permits already.
    fn absence(
        &mut self,
        here: &Policy,
        there: &Policy,
        scope: Scope<'o>,
        of_ring: &BTreeSet<String>,
    ) {
        for wider in wider(here, there) {
            let reason = wider.to_string();
            if !of_ring.contains(&reason) {
                let what = format!("without the unit, {}", wider.added());
                self.add(
                    DifferenceKind::Unit,
                    [what, wider.evidence(), reason],
                    scope,
                );
            }
        }
    }

    fn finish(self) -> Vec<Difference<'o>> {
        let found = self.0.into_iter();
        found
            .map(|((kind, what, evidence, reason), scopes)| Difference {
                kind,
                what,
                evidence,
                reason,
                scopes,
            })
            .collect()
    }
}

/// The difference of two policies; most are the same in both repositories.
fn wider<'p>(here: &'p Policy, there: &'p Policy) -> Vec<Wider<'p>> {
    if here == there {
        Vec::new()
    } else {
        here.difference(there)
    }
}

//! The only road from what was authored to what is meant.
//!
//! Every finding is collected. What could not be read or parsed is left out and told; the rest is
//! still held against every rule that a missing part cannot make it break, so that an author sees
//! all there is to correct at once.

mod chain;
mod compile;
mod gateway;
mod widening;

use alloc::collections::{BTreeMap, BTreeSet};

use crate::harness::Harness;
use crate::policy::Policy;
use crate::quote::quoted;
use crate::repository::document::{OrganisationDocument, ProfileDocument, UnitDocument};
use crate::repository::finding::{Code, Finding, Severity};
use crate::repository::layer::Layer;
use crate::repository::lint;
use crate::repository::organisation::{Organisation, Overlay, Profile, Ring, Unit};
use crate::repository::overlay;
use crate::repository::pin::Pin;
use crate::repository::report::{InRings, Report, Reports};
use crate::repository::resolved::Resolved;

use chain::{Chain, chains};
use gateway::Subject;

pub(crate) use compile::compile;
use compile::contradictions;

/// All profiles, and all units in all rings, may hold this many layers and entries with what they
/// inherit, also where it is cleared: a bound on the work, since a thousand profiles may extend one of
/// a million entries.
const MOST_ENTRIES: usize = 16_000_000;

/// To judge a unit in a ring costs as much as this many entries, however few it has.
const UNIT_IN_RING: usize = 32;

/// What validation found, and the organisation when it found no error.
///
/// ```
/// use policy_core::Repository;
///
/// let repository = Repository::from_files([
///     ("halos.yaml".into(), b"rings: { ga: { profile: base, default: true } }".to_vec()),
///     ("profiles/base.yaml".into(), b"egress: { allowedDomains: [github.com] }".to_vec()),
/// ]);
/// let validation = repository.validate();
/// let organisation = validation.organisation().expect("warnings only");
/// let selection = organisation.select(None, None)?;
/// assert_eq!(selection.profile(), "base");
/// # Ok::<(), policy_core::SelectError>(())
/// ```
#[derive(Debug)]
pub struct Validation {
    findings: Vec<Finding>,
    pins: Vec<Pin>,
    organisation: Option<Organisation>,
}

impl Validation {
    /// Every finding, in a stable order: by file, position, path and code.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The organisation as it is meant; `None` when any finding is an error.
    #[must_use]
    pub fn organisation(&self) -> Option<&Organisation> {
        self.organisation.as_ref()
    }

    /// The organisation alone, for a program that only needs the policies. Warnings are dropped.
    ///
    /// ```
    /// use policy_core::{Code, Repository};
    ///
    /// let files = [("halos.yaml".to_owned(), b"rings: {ga: {profile: base}}".to_vec())];
    /// let findings = Repository::from_files(files)
    ///     .validate()
    ///     .into_organisation()
    ///     .unwrap_err();
    /// assert!(findings.iter().any(|finding| finding.code() == Code::UnknownProfile));
    /// ```
    ///
    /// # Errors
    ///
    /// Every finding, warnings included, when any of them is an error.
    pub fn into_organisation(self) -> Result<Organisation, Vec<Finding>> {
        self.organisation.ok_or(self.findings)
    }

    /// The pins of every profile, in order of the profiles, also where the policy has errors.
    #[must_use]
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// How many findings are of this severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity() == severity)
            .count()
    }

    /// The date of the Public Suffix List by which wildcards are judged.
    #[must_use]
    pub fn suffix_list_date() -> &'static str {
        lint::SUFFIX_LIST_DATE
    }
}

/// The documents of a repository, as read.
pub(crate) struct Parts {
    pub(crate) organisation: Option<OrganisationDocument>,
    pub(crate) profiles: BTreeMap<String, ProfileDocument>,
    pub(crate) units: BTreeMap<String, UnitDocument>,
    pub(crate) findings: Vec<Finding>,
}

pub(crate) fn validate(parts: Parts) -> Validation {
    validate_with(parts, MOST_ENTRIES, |ring, overlays| ring.narrow(overlays))
}

/// What applies overlays; a test puts a wrong one in its place and sees the proof catch it.
type Narrow = for<'l> fn(&Resolved<'l>, &[&'l Layer]) -> Resolved<'l>;

fn validate_with(parts: Parts, most_entries: usize, narrow: Narrow) -> Validation {
    let mut checks = Checks {
        reports: Reports::default(),
        left: most_entries,
        narrow,
        limited: BTreeSet::new(),
    };
    for finding in parts.findings {
        checks.reports.add(finding);
    }
    let organisation =
        checks.organisation(parts.organisation.as_ref(), parts.profiles, parts.units);
    let limited = &checks.limited;
    let pins = organisation.profiles().values().flat_map(|profile| {
        let root = profile.layer.root.as_str();
        Pin::of_profile(profile, |harness| {
            limited.contains(&(root.to_owned(), harness))
        })
    });
    let pins = pins.collect();
    let findings = checks.reports.finish();
    let sound = findings
        .iter()
        .all(|finding| finding.severity() != Severity::Error);
    Validation {
        findings,
        pins,
        organisation: sound.then_some(organisation),
    }
}

/// There is no budget left: what is not looked at is refused.
struct TooMuch;

struct Checks {
    reports: Reports,
    /// How many layers and entries may still be looked at.
    left: usize,
    narrow: Narrow,
    /// The pins for which something is rendered, by the roots of their layers.
    limited: BTreeSet<(String, Harness)>,
}

impl Checks {
    fn organisation(
        &mut self,
        document: Option<&OrganisationDocument>,
        profiles: BTreeMap<String, ProfileDocument>,
        units: BTreeMap<String, UnitDocument>,
    ) -> Organisation {
        let gateway = document.and_then(|document| gateway::read(document, &mut self.reports));
        let rings = self.rings(document);
        let profiles = profiles
            .into_iter()
            .map(|(name, document)| (name, self.profile(document)))
            .collect();
        let units = units
            .into_iter()
            .map(|(name, document)| (name, self.unit(document)))
            .collect();
        let organisation = Organisation::new(gateway, profiles, rings, units);
        if self.policies(&organisation).is_err() {
            self.reports.add(
                Finding::new(
                    Code::TooManyEntries,
                    format!("profiles and units hold more than {MOST_ENTRIES} entries with what they inherit"),
                )
                .with_help("let fewer profiles extend the long ones"),
            );
        }
        organisation
    }

    fn rings(&mut self, document: Option<&OrganisationDocument>) -> Vec<Ring> {
        let mut default: Option<&str> = None;
        let mut rings = Vec::new();
        // They may be there and unreadable, which was told.
        if document.is_some_and(|document| document.intact && document.rings.is_empty()) {
            let finding = Finding::new(Code::NoRings, "no ring, so there is nothing to decide for");
            self.reports.add(
                finding
                    .in_file("halos.yaml")
                    .on("halos.rings")
                    .with_help("write `rings: { ga: { profile: base, default: true } }`"),
            );
        }
        for ring in document.iter().flat_map(|document| &document.rings) {
            let name = &ring.name.value;
            let marked = ring.default.as_ref().filter(|default| default.value);
            if let (Some(marked), Some(other)) = (marked, default) {
                let (other, name) = (quoted(other), quoted(name));
                self.reports.add(
                    Finding::new(
                        Code::TwoDefaultRings,
                        format!("{other} and {name} are both the default ring"),
                    )
                    .in_file("halos.yaml")
                    .at(marked.position)
                    .on(format!("halos.rings.{}.default", ring.name.value))
                    .with_help("keep one of them"),
                );
            }
            if marked.is_some() {
                default = default.or(Some(name));
            }
            rings.push(Ring::new(ring, marked.is_some()));
        }
        rings
    }

    fn profile(&mut self, document: ProfileDocument) -> Profile {
        let mut report = Report::new(&document.file);
        let extends = document.extends.clone();
        let layer = Layer::of_profile(document, &mut report);
        self.add_all(report.finish());
        lint::breadth(&layer, &mut self.reports);
        lint::without_effect(&layer, &mut self.reports);
        Profile { layer, extends }
    }

    fn unit(&mut self, mut document: UnitDocument) -> Unit {
        let mut report = Report::new(&document.file);
        let mut overlays = Vec::with_capacity(document.overlays.len());
        for mut overlay in core::mem::take(&mut document.overlays) {
            let rings = overlay.value.rings.take();
            let layer = Layer::of_overlay(&document, overlay, &mut report);
            lint::breadth(&layer, &mut self.reports);
            lint::of_overlay(&layer, &mut self.reports);
            let rings = rings.map(|list| {
                if list.value.is_empty() && layer.intact {
                    lint::no_ring(&layer, list.position, &mut self.reports);
                }
                list.value.into_iter().map(|ring| ring.value).collect()
            });
            overlays.push(Overlay { rings, layer });
        }
        self.add_all(report.finish());
        Unit {
            file: document.file,
            overlays,
        }
    }

    /// Every profile, whether a ring uses it or not; for each ring that uses it, every unit.
    fn policies(&mut self, organisation: &Organisation) -> Result<(), TooMuch> {
        let (chains, cycles) = chains(organisation.profiles());
        self.add_all(cycles);
        // What one entry denies to several profiles is reported once, for one that a ring uses if there is one.
        let mut gateway_denied: BTreeMap<(String, String), Finding> = BTreeMap::new();
        let mut rings: BTreeMap<&str, Vec<(usize, &Ring)>> = BTreeMap::new();
        for (place, ring) in organisation.rings().enumerate() {
            rings.entry(ring.profile()).or_default().push((place, ring));
        }
        for (name, chain) in chains {
            if chain == Chain::Endless {
                continue;
            }
            let resolved = organisation.resolve_known(name);
            self.spend(resolved.weight())?;
            self.limits(&resolved);
            gateway::providers(organisation.gateway(), &resolved, &mut self.reports);
            let policy = match chain {
                Chain::Whole => compile(&resolved),
                Chain::Partial | Chain::Endless => Err(contradictions(&resolved)),
            };
            let policy = match policy {
                Ok(policy) => policy,
                Err(findings) => {
                    self.add_all(findings);
                    lint::of_profile(&resolved, None, &mut self.reports);
                    continue;
                }
            };
            lint::of_profile(&resolved, Some(policy.egress()), &mut self.reports);
            lint::mode_implied(&resolved, &mut self.reports);
            self.widening(organisation, name, &resolved, &policy)?;
            let rings = rings.get(name).map_or(&[][..], Vec::as_slice);
            self.unrestricted(organisation, name, rings, &resolved);
            let gateway = organisation.gateway();
            let gateway = gateway.filter(|gateway| !policy.egress().decide(gateway).is_allowed());
            if let Some(gateway) = gateway {
                let subject = Subject::Profile {
                    name,
                    used: !rings.is_empty(),
                };
                let finding = gateway::denied(gateway, &policy, &resolved, &subject);
                let place = (finding.file().to_owned(), finding.path().to_owned());
                let earlier = gateway_denied.get(&place);
                if earlier.is_none_or(|earlier| earlier.severity() > finding.severity()) {
                    gateway_denied.insert(place, finding);
                }
            }
            for (name, unit) in organisation.units() {
                self.unit_in_rings(organisation, (name, unit), rings, &resolved, &policy)?;
            }
        }
        self.add_all(gateway_denied.into_values());
        Ok(())
    }

    fn widening(
        &mut self,
        organisation: &Organisation,
        name: &str,
        resolved: &Resolved<'_>,
        policy: &Policy,
    ) -> Result<(), TooMuch> {
        let Some(parent) = organisation.parent(name) else {
            return Ok(());
        };
        let parents = organisation.resolve_known(parent);
        self.spend(parents.weight())?;
        // A parent with errors has them told, and nothing is measured against it.
        if let Ok(parents) = compile(&parents) {
            self.add_all(widening::widening(resolved, parent, policy, &parents));
        }
        Ok(())
    }

    /// Rings of a profile that restricts nothing because nothing is written, which a list that was
    /// lost looks like as well.
    fn unrestricted(
        &mut self,
        organisation: &Organisation,
        name: &str,
        rings: &[(usize, &Ring)],
        resolved: &Resolved<'_>,
    ) {
        let Some(profile) = organisation.profiles().get(name) else {
            return;
        };
        let mut names = InRings::default();
        for (place, ring) in rings {
            names.add(*place, ring.name());
        }
        if names.is_empty() {
            return;
        }
        let finding = |code, field: &str, message: String, help: &str| {
            Finding::new(code, message)
                .in_file(profile.layer.file.as_str())
                .on(format!("{}.{field}", profile.layer.root))
                .with_help(help)
        };
        if resolved.writes_nothing_about_hosts() {
            let message =
                format!("{names}: every host is allowed, since nothing is written about hosts");
            let help = "write `egress: { default: allow }` if that is meant";
            self.reports
                .add(finding(Code::UnrestrictedEgress, "egress", message, help));
        }
        if resolved.effective_mode().is_none() {
            let message =
                format!("{names}: there is no sandbox, since nothing is written that needs one");
            let help =
                "write `sandbox: { mode: workspace-write }`, or `mode: off` if that is meant";
            self.reports.add(finding(
                Code::UnrestrictedSandbox,
                "sandbox.mode",
                message,
                help,
            ));
        }
    }

    /// A unit in the rings that use one profile. Rings in which the same overlays apply are the same
    /// to it, and are judged and named together.
    fn unit_in_rings(
        &mut self,
        organisation: &Organisation,
        (name, unit): (&str, &Unit),
        rings: &[(usize, &Ring)],
        resolved: &Resolved<'_>,
        policy: &Policy,
    ) -> Result<(), TooMuch> {
        let mut alike: BTreeMap<Vec<bool>, InRings> = BTreeMap::new();
        for (place, ring) in rings {
            self.spend(unit.overlays.len())?;
            let applies = |overlay: &Overlay| overlay.applies_to(ring.name());
            let applying: Vec<bool> = unit.overlays.iter().map(applies).collect();
            if applying.contains(&true) {
                let alike = alike.entry(applying).or_default();
                alike.add(*place, ring.name());
            }
        }
        for (applying, rings) in alike {
            let overlays = unit.overlays.iter().zip(applying);
            let overlays =
                overlays.filter_map(|(overlay, applies)| applies.then_some(&overlay.layer));
            let overlays: Vec<&Layer> = overlays.collect();
            self.spend(resolved.weight().saturating_add(UNIT_IN_RING))?;
            for overlay in &overlays {
                self.spend(overlay.weight())?;
            }
            let subject = Subject::Unit {
                name,
                file: &unit.file,
            };
            let base = (resolved, policy);
            self.unit_in_ring(organisation, &overlays, base, &subject, &rings);
        }
        Ok(())
    }

    fn unit_in_ring(
        &mut self,
        organisation: &Organisation,
        overlays: &[&Layer],
        (resolved, policy): (&Resolved<'_>, &Policy),
        subject: &Subject<'_>,
        rings: &InRings,
    ) {
        let narrows = overlay::judge(rings, resolved, overlays, &mut self.reports);
        if !narrows || !overlays.iter().all(|layer| layer.intact) {
            return;
        }
        let narrowed = (self.narrow)(resolved, overlays);
        self.limits(&narrowed);
        gateway::providers(organisation.gateway(), &narrowed, &mut self.reports);
        let narrowed_policy = match compile(&narrowed) {
            Ok(policy) => policy,
            Err(findings) => return self.add_all(findings),
        };
        lint::of_unit(&narrowed, narrowed_policy.egress(), &mut self.reports);
        lint::mode_implied(&narrowed, &mut self.reports);
        if let Some(finding) = widening::prove(&narrowed_policy, policy, subject) {
            self.reports.add_in(rings, finding);
        }
        // Overlays cannot allow what the ring denies: that is told of its profile.
        let gateway = organisation.gateway().filter(|gateway| {
            policy.egress().decide(gateway).is_allowed()
                && !narrowed_policy.egress().decide(gateway).is_allowed()
        });
        if let Some(gateway) = gateway {
            let finding = gateway::denied(gateway, &narrowed_policy, &narrowed, subject);
            self.reports.add_in(rings, finding);
        }
    }

    fn limits(&mut self, resolved: &Resolved<'_>) {
        for (harness, root) in resolved.limited_pins() {
            self.limited.insert((root.to_owned(), harness));
        }
    }

    fn spend(&mut self, work: usize) -> Result<(), TooMuch> {
        self.left = self.left.checked_sub(work).ok_or(TooMuch)?;
        Ok(())
    }

    fn add_all(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            self.reports.add(finding);
        }
    }
}

#[cfg(test)]
mod tests;

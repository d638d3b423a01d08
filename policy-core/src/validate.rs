//! The only road from what was authored to what is meant.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::collections::HashSet;

use crate::decision::Verdict;
use crate::document::{OrganisationDocument, ProfileDocument, UnitDocument};
use crate::finding::{Code, Finding, Severity};
use crate::host::Host;
use crate::layer::{Field, Held, Layer, Origin, Resolved};
use crate::lint;
use crate::organisation::{Organisation, Overlay, Profile, Ring, Unit};
use crate::overlay;
use crate::policy::{Policy, Wider};
use crate::quote::quoted;
use crate::report::Report;
use crate::sandbox::{Mode, Sandbox, SandboxError};

/// All profiles, rings and units together may hold this many entries with what they inherit: a
/// bound on the work, since a thousand profiles may extend one of a million entries.
const MOST_ENTRIES: usize = 16_000_000;

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

/// Findings by file, each once, as many of a file as a person can use.
struct Findings {
    reports: BTreeMap<String, Report>,
    seen: HashSet<(Code, String, String)>,
}

impl Findings {
    fn push(&mut self, finding: Finding) {
        let report = self
            .reports
            .entry(finding.file().to_string())
            .or_insert_with(|| Report::new(finding.file()));
        // The same fault met again on another way (a second ring, a child) is one finding. Only
        // what is kept is remembered, so that the memory stays bounded.
        let key = (
            finding.code(),
            finding.path().to_string(),
            finding.message().to_string(),
        );
        if !report.is_full() && self.seen.insert(key) || report.is_full() {
            report.add(|| finding);
        }
    }
}

pub(crate) fn validate(parts: Parts) -> Validation {
    let mut checks = Checks {
        findings: Findings {
            reports: BTreeMap::new(),
            seen: HashSet::new(),
        },
        unsound: parts
            .findings
            .iter()
            .filter(|finding| finding.severity() == Severity::Error)
            .map(|finding| finding.file().to_string())
            .collect(),
        entries: 0,
    };
    for finding in parts.findings {
        checks.findings.push(finding);
    }
    let organisation = checks.organisation(parts.organisation, parts.profiles, parts.units);
    let mut findings: Vec<Finding> = checks
        .findings
        .reports
        .into_values()
        .flat_map(Report::finish)
        .collect();
    findings.sort();
    let sound = findings
        .iter()
        .all(|finding| finding.severity() != Severity::Error);
    Validation {
        findings,
        organisation: sound.then_some(organisation),
    }
}

/// The documents of a repository, as read.
pub(crate) struct Parts {
    pub(crate) organisation: Option<OrganisationDocument>,
    pub(crate) profiles: BTreeMap<String, ProfileDocument>,
    pub(crate) units: BTreeMap<String, UnitDocument>,
    pub(crate) findings: Vec<Finding>,
}

struct Checks {
    findings: Findings,
    /// Files with an error: what follows from them is not judged.
    unsound: BTreeSet<String>,
    /// Entries looked at so far, with what is inherited.
    entries: usize,
}

impl Checks {
    fn organisation(
        &mut self,
        document: Option<OrganisationDocument>,
        profiles: BTreeMap<String, ProfileDocument>,
        units: BTreeMap<String, UnitDocument>,
    ) -> Organisation {
        let profiles = self.profiles(profiles);
        let chained = self.chains(&profiles);
        let gateway = document
            .as_ref()
            .and_then(|document| self.gateway(document));
        let document = document.unwrap_or_default();
        let rings = self.rings(&document);
        let units = self.units(units);
        let organisation = Organisation::new(gateway, profiles, rings, units);
        self.every_profile(&organisation, &chained);
        self.every_ring(&organisation, &chained);
        organisation
    }

    fn push(&mut self, finding: Finding) {
        if finding.severity() == Severity::Error {
            self.unsound.insert(finding.file().to_string());
        }
        self.findings.push(finding);
    }

    fn push_report(&mut self, report: Report) {
        for finding in report.finish() {
            self.push(finding);
        }
    }

    fn profiles(
        &mut self,
        documents: BTreeMap<String, ProfileDocument>,
    ) -> BTreeMap<String, Profile> {
        let mut profiles = BTreeMap::new();
        for (name, document) in documents {
            let mut report = Report::new(&document.file);
            let extends = document.extends.clone();
            let layer = Layer::of_profile(&name, document, &mut report);
            self.push_report(report);
            self.layer(&layer);
            self.without_effect(&layer);
            profiles.insert(name, Profile { layer, extends });
        }
        profiles
    }

    /// What a layer says by itself.
    fn layer(&mut self, layer: &Layer) {
        lint::breadth(layer, &mut |finding| self.push(finding));
    }

    fn without_effect(&mut self, layer: &Layer) {
        let lists = [
            (
                Field::Denied,
                layer
                    .denied
                    .as_ref()
                    .map(|list| (list.value.len(), list.position)),
            ),
            (
                Field::Protected,
                layer
                    .protected
                    .as_ref()
                    .map(|list| (list.value.len(), list.position)),
            ),
        ];
        for (field, list) in lists {
            if let Some((0, position)) = list
                && !self.unsound.contains(&layer.file)
            {
                self.push(
                    layer
                        .origin(0, field, position)
                        .finding(Code::NoEffect, "an empty restriction list clears nothing")
                        .with_help("remove it"),
                );
            }
        }
    }

    /// The names of the profiles whose whole chain of ancestors is there, is free of errors and
    /// ends.
    fn chains(&mut self, profiles: &BTreeMap<String, Profile>) -> BTreeSet<String> {
        let mut sound: BTreeSet<String> = BTreeSet::new();
        let mut settled: BTreeSet<&str> = BTreeSet::new();
        let mut broken = Vec::new();
        for start in profiles.keys() {
            let mut way: Vec<&str> = Vec::new();
            let mut on_way = BTreeSet::new();
            let mut name = start.as_str();
            let good = loop {
                if settled.contains(name) {
                    break sound.contains(name);
                }
                if !on_way.insert(name) {
                    broken.push(cycle(profiles, &way, name));
                    break false;
                }
                way.push(name);
                let Some(profile) = profiles.get(name) else {
                    break false;
                };
                let Some(parent) = &profile.extends else {
                    break true;
                };
                match profiles.get_key_value(&parent.value) {
                    Some((parent, _)) => name = parent,
                    // The repository has reported it.
                    None => break false,
                }
            };
            // From the root downwards: a profile is sound when its parent and its own file are.
            let mut good = good;
            for name in way.into_iter().rev() {
                let file = profiles.get(name).map(|profile| &profile.layer.file);
                good &= file.is_some_and(|file| !self.unsound.contains(file));
                if good {
                    sound.insert(name.to_string());
                }
                settled.insert(name);
            }
        }
        for finding in broken {
            self.push(finding);
        }
        sound
    }

    fn gateway(&mut self, document: &OrganisationDocument) -> Option<Host> {
        let Some(gateway) = &document.gateway else {
            self.push(
                Finding::new(
                    Code::NoGateway,
                    "no gateway, so no policy is checked to allow it",
                )
                .in_file("halos.yaml")
                .on("halos.gateway")
                .with_help("write `gateway: https://…` if agents reach their models through one"),
            );
            return None;
        };
        match gateway_host(&gateway.value) {
            Ok(host) => Some(host),
            Err(why) => {
                self.push(
                    Finding::new(
                        Code::GatewayUrl,
                        format!("{} is no gateway: {why}", quoted(&gateway.value)),
                    )
                    .in_file("halos.yaml")
                    .at(gateway.position)
                    .on("halos.gateway")
                    .with_help("write an absolute URL such as `https://ai.acme.example`"),
                );
                None
            }
        }
    }

    fn rings(&mut self, document: &OrganisationDocument) -> Vec<Ring> {
        let mut default: Option<&str> = None;
        let mut rings = Vec::with_capacity(document.rings.len());
        for ring in &document.rings {
            let name = &ring.name.value;
            let is_default = ring.default.as_ref().is_some_and(|default| default.value);
            if is_default && let Some(other) = default {
                self.push(
                    Finding::new(
                        Code::TwoDefaultRings,
                        format!(
                            "{} and {} are both the default ring",
                            quoted(other),
                            quoted(name)
                        ),
                    )
                    .in_file("halos.yaml")
                    .at(ring.default.as_ref().and_then(|default| default.position))
                    .on(format!("halos.rings.{name}.default"))
                    .with_help("keep one of them"),
                );
            }
            if is_default {
                default = default.or(Some(name));
            }
            rings.push(Ring::new(ring, is_default));
        }
        rings
    }

    fn units(&mut self, documents: BTreeMap<String, UnitDocument>) -> BTreeMap<String, Unit> {
        let mut units = BTreeMap::new();
        for (name, document) in documents {
            let mut report = Report::new(&document.file);
            let mut overlays = Vec::with_capacity(document.overlays.len());
            for mut overlay in document.overlays {
                let filter = overlay.value.rings.take();
                let layer = Layer::of_overlay(&document.file, &name, overlay, &mut report);
                let filter =
                    filter.map(|list| list.value.into_iter().map(|entry| entry.value).collect());
                overlays.push(Overlay {
                    rings: filter,
                    layer,
                });
            }
            self.push_report(report);
            for overlay in &overlays {
                self.layer(&overlay.layer);
            }
            units.insert(
                name,
                Unit {
                    file: document.file,
                    overlays,
                },
            );
        }
        units
    }

    /// Everything but the gateway rule is checked on every profile, whether a ring uses it or not.
    fn every_profile(&mut self, organisation: &Organisation, sound: &BTreeSet<String>) {
        let used: BTreeSet<&str> = organisation.rings().map(Ring::profile).collect();
        for name in sound {
            let Some(resolved) = organisation.resolve(name) else {
                continue;
            };
            if !self.within_bounds(&resolved) {
                return;
            }
            lint::lint(&resolved, &mut |finding| self.push(finding));
            self.model_providers(organisation, &resolved);
            let Some(policy) = self.policy(&resolved) else {
                continue;
            };
            if let Some(parent) = organisation.parent(name)
                && let Some(parent_policy) = organisation
                    .resolve(parent)
                    .and_then(|resolved| compile(&resolved).ok())
            {
                self.widening(&resolved, parent, &policy, &parent_policy);
            }
            if !used.contains(name.as_str())
                && let Some(gateway) = organisation.gateway()
                && let Some(finding) = gateway_denied(Code::GatewayDeniedUnused, gateway, &policy)
                && let Some(profile) = organisation.profile(name)
            {
                self.push(
                    finding
                        .in_file(profile.layer.file.as_str())
                        .on(format!("{}.egress", profile.layer.root))
                        .with_help("no ring uses this profile; allow the gateway before one does"),
                );
            }
        }
    }

    fn every_ring(&mut self, organisation: &Organisation, sound: &BTreeSet<String>) {
        for ring in organisation.rings() {
            if !sound.contains(ring.profile()) {
                continue;
            }
            let Some(resolved) = organisation.resolve(ring.profile()) else {
                continue;
            };
            let Ok(policy) = compile(&resolved) else {
                continue;
            };
            if let Some(gateway) = organisation.gateway()
                && let Some(finding) = gateway_denied(Code::GatewayDenied, gateway, &policy)
            {
                self.push(
                    finding
                        .in_file("halos.yaml")
                        .at(ring.profile_position())
                        .on(format!("halos.rings.{}", ring.name()))
                        .with_help(gateway_help(gateway, ring.profile())),
                );
            }
            for (name, unit) in organisation.units() {
                let overlays: Vec<&Layer> = unit.overlays_for(ring.name()).collect();
                if overlays.is_empty() || self.unsound.contains(&unit.file) {
                    continue;
                }
                let narrowed = resolved.narrow(&overlays);
                if !self.within_bounds(&narrowed) {
                    return;
                }
                self.unit(
                    organisation,
                    ring,
                    name,
                    unit,
                    &resolved,
                    &policy,
                    &overlays,
                );
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one question: ring and unit, before and after"
    )]
    fn unit(
        &mut self,
        organisation: &Organisation,
        ring: &Ring,
        name: &str,
        unit: &Unit,
        resolved: &Resolved<'_>,
        ring_policy: &Policy,
        overlays: &[&Layer],
    ) {
        let loosenings = overlay::judge(ring.name(), resolved, overlays);
        if !loosenings.is_empty() {
            for finding in loosenings {
                self.findings.push(finding);
            }
            return;
        }
        let narrowed = resolved.narrow(overlays);
        lint::lint(&narrowed, &mut |finding| self.findings.push(finding));
        self.model_providers(organisation, &narrowed);
        // The unit's file stays sound for its other rings, so findings go past `unsound`.
        let Some(policy) = self.policy(&narrowed) else {
            return;
        };
        if let Some(finding) = prove(&policy, ring_policy) {
            self.findings.push(
                finding
                    .in_file(unit.file.as_str())
                    .on(format!("units.{name}.overlays")),
            );
        }
        if let Some(gateway) = organisation.gateway()
            && let Some(finding) = gateway_denied(Code::GatewayDenied, gateway, &policy)
        {
            self.findings.push(
                finding
                    .in_file(unit.file.as_str())
                    .on(format!("units.{name}.overlays (ring {})", ring.name()))
                    .with_help(gateway_help(gateway, name)),
            );
        }
    }

    fn within_bounds(&mut self, resolved: &Resolved<'_>) -> bool {
        self.entries = self.entries.saturating_add(resolved.len());
        let within = self.entries <= MOST_ENTRIES;
        if !within {
            self.push(
                Finding::new(
                    Code::TooManyEntries,
                    format!("the profiles and units hold more than {MOST_ENTRIES} entries with what they inherit"),
                )
                .with_help("let fewer profiles extend the long ones"),
            );
        }
        within
    }

    /// The policy that `resolved` means, or findings that say why it means none.
    fn policy(&mut self, resolved: &Resolved<'_>) -> Option<Policy> {
        match compile(resolved) {
            Ok(policy) => {
                if policy.is_mode_implied()
                    && let Some(origin) = first_rule(resolved)
                    && origin.rank == resolved.layers.saturating_sub(1)
                {
                    self.findings.push(
                        Origin {
                            field: Field::Mode,
                            index: None,
                            ..origin
                        }
                        .finding(
                            Code::ModeImplied,
                            "rules without a sandbox mode: `workspace-write` (implied)",
                        )
                        .with_help("write `sandbox: { mode: workspace-write }`"),
                    );
                }
                Some(policy)
            }
            Err(findings) => {
                for finding in findings {
                    self.findings.push(finding);
                }
                None
            }
        }
    }

    fn model_providers(&mut self, organisation: &Organisation, resolved: &Resolved<'_>) {
        let own = resolved.layers.saturating_sub(1);
        let Some(gateway) = organisation.gateway() else {
            return;
        };
        for entry in &resolved.presets {
            if *entry.value == crate::Preset::ModelProviders && entry.origin.rank == own {
                self.findings.push(
                    entry
                        .origin
                        .finding(
                            Code::ProvidersBesideGateway,
                            format!("preset `model-providers` beside the gateway `{gateway}`"),
                        )
                        .with_help("behind a gateway the harnesses call the gateway host alone"),
                );
            }
        }
    }

    /// A child whose policy is not within its parent's.
    fn widening(&mut self, resolved: &Resolved<'_>, parent: &str, child: &Policy, of: &Policy) {
        let own = resolved.layers.saturating_sub(1);
        let wider = child.difference(of);
        for kind in crate::policy::WiderKind::ALL {
            let mut group = wider.iter().filter(|wider| wider.kind() == *kind);
            let Some(first) = group.next() else { continue };
            let more = group.clone().count();
            let added: Vec<String> = core::iter::once(first)
                .chain(group.take(2))
                .map(Wider::added)
                .collect();
            let rest = more.saturating_sub(2);
            let tail = if rest > 0 {
                format!(" and {rest} more")
            } else {
                String::new()
            };
            let origin = origin_of(resolved, first, own);
            let Some(origin) = origin else { continue };
            self.findings.push(
                origin
                    .finding(
                        Code::WidensParent,
                        format!("widens its parent `{parent}`: {}{tail}", added.join(", ")),
                    )
                    .with_evidence(first.evidence())
                    .with_help(format!(
                        "nothing to do if the profile is meant to permit more than `{parent}`"
                    )),
            );
        }
    }
}

/// The place in the last layer that made a policy wider.
fn origin_of<'l>(resolved: &Resolved<'l>, wider: &Wider<'_>, own: usize) -> Option<Origin<'l>> {
    fn own_entry<'l, T>(
        held: &[Held<'l, T>],
        own: usize,
        is: impl Fn(&T) -> bool,
    ) -> Option<Origin<'l>> {
        held.iter()
            .filter(|entry| entry.origin.rank == own)
            .find(|entry| is(entry.value))
            .map(|entry| entry.origin)
    }
    let exact = match wider {
        Wider::Host(witness) => match witness.allowed_by() {
            crate::Rule::Preset { preset, .. } => {
                own_entry(&resolved.presets, own, |held| *held == preset)
            }
            rule => rule.pattern().and_then(|pattern| {
                own_entry(&resolved.allowed, own, |held| held.as_ref() == pattern)
            }),
        },
        Wider::Sandbox(_) => None,
    };
    exact
        .or(match wider {
            Wider::Host(_) => resolved.default.map(|(_, origin)| origin),
            Wider::Sandbox(_) => resolved.mode.map(|(_, origin)| origin),
        })
        .filter(|origin| origin.rank == own)
        .or_else(|| resolved.last_layer())
}

/// The finding for a cycle that was entered at `name` again after `way`.
fn cycle(profiles: &BTreeMap<String, Profile>, way: &[&str], name: &str) -> Finding {
    let start = way.iter().position(|other| *other == name).unwrap_or(0);
    let members: Vec<&str> = way.iter().skip(start).copied().take(8).collect();
    let finding = Finding::new(
        Code::ExtendsCycle,
        format!("{} extends itself: {}", quoted(name), members.join(" → ")),
    )
    .with_help("let one of them extend none of the others");
    match profiles.get(name) {
        Some(profile) => finding
            .in_file(profile.layer.file.as_str())
            .at(profile
                .extends
                .as_ref()
                .and_then(|extends| extends.position))
            .on(format!("{}.extends", profile.layer.root)),
        None => finding,
    }
}

/// The gateway host, without port.
fn gateway_host(text: &str) -> Result<Host, String> {
    let lower = text.to_ascii_lowercase();
    if !lower.starts_with("https://") && !lower.starts_with("http://") {
        return Err("not an absolute http or https URL".to_string());
    }
    let url = url::Url::parse(text).map_err(|error| error.to_string())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a policy holds no credentials".to_string());
    }
    Host::parse(text).map_err(|error| error.to_string())
}

fn gateway_help(gateway: &Host, place: &str) -> String {
    format!(
        "add `{gateway}` to the allowed domains of {}, or deny less",
        quoted(place)
    )
}

fn gateway_denied(code: Code, gateway: &Host, policy: &Policy) -> Option<Finding> {
    let decision = policy.egress().decide(gateway);
    (!decision.is_allowed()).then(|| {
        Finding::new(
            code,
            format!(
                "the gateway host `{gateway}` is denied by {}",
                decision.rule()
            ),
        )
        .with_evidence(gateway.to_string())
    })
}

/// The place of any rule, for a finding about the policy as a whole.
fn first_rule<'l>(resolved: &Resolved<'l>) -> Option<Origin<'l>> {
    resolved
        .egress_rule()
        .or(resolved.roots.first().map(|entry| entry.origin))
        .or(resolved.protected.first().map(|entry| entry.origin))
}

/// What `resolved` means, or every rule it breaks.
pub(crate) fn compile(resolved: &Resolved<'_>) -> Result<Policy, Vec<Finding>> {
    let mut findings = Vec::new();
    let first_allowed = resolved
        .allowed
        .first()
        .map(|entry| entry.origin)
        .or(resolved.presets.first().map(|entry| entry.origin));
    if let (Some((Verdict::Allow, default)), Some(allowed)) = (resolved.default, first_allowed)
        && !resolved.narrowed
    {
        findings.push(
            default
                .later(allowed)
                .finding(
                    Code::DefaultAllowWithAllowlist,
                    format!("`default: allow` together with {}", allowed.field.name()),
                )
                .with_help(
                    "write `default: deny`, or remove the allowed hosts: they restrict nothing",
                ),
        );
    }
    if let (Some(allowlist), None, None, false) = (
        resolved.allowlist,
        first_allowed,
        resolved.default,
        resolved.narrowed,
    ) {
        findings.push(
            allowlist
                .finding(
                    Code::AmbiguousEmptyAllowlist,
                    "the allowlist is empty and `default` is unset",
                )
                .with_help("write `default: deny` to deny every host, or `default: allow`"),
        );
    }
    let off = matches!(resolved.mode, Some((Mode::Off, _)));
    if let Some((Mode::Off, mode)) = resolved.mode {
        for rule in [
            resolved.egress_rule(),
            resolved.roots.first().map(|entry| entry.origin),
            resolved.protected.first().map(|entry| entry.origin),
        ]
        .into_iter()
        .flatten()
        {
            findings.push(
                mode.later(rule)
                    .finding(
                        Code::OffWithRules,
                        format!("sandbox mode `off` together with {}", rule.field.name()),
                    )
                    .with_help("write `workspace-write` or `read-only`: without a sandbox nothing holds the rules"),
            );
        }
    }
    let sandbox = if off {
        Some(Sandbox::unrestricted().clone())
    } else {
        resolved
            .effective_mode()
            .and_then(|(mode, _)| sandbox(resolved, mode, &mut findings))
    };
    let egress = resolved.egress();
    let implied = resolved
        .effective_mode()
        .is_some_and(|(_, implied)| implied);
    let (true, Some(egress)) = (findings.is_empty(), egress) else {
        return Err(findings);
    };
    let policy = Policy::new(egress, sandbox)
        .map_err(|_| findings)?
        .with_implied_mode(implied);
    Ok(resolved
        .pins
        .iter()
        .fold(policy, |policy, (harness, version)| {
            policy.with_pin(*harness, (*version).clone())
        }))
}

fn sandbox(resolved: &Resolved<'_>, mode: Mode, findings: &mut Vec<Finding>) -> Option<Sandbox> {
    let roots = resolved.roots.iter().map(|entry| entry.value.clone());
    let protected = resolved.protected.iter().map(|entry| entry.value.clone());
    let errors = match Sandbox::new(mode, roots, protected) {
        Ok(sandbox) => return Some(sandbox),
        Err(errors) => errors,
    };
    let root_of = |root: &crate::WritableRoot| {
        resolved
            .roots
            .iter()
            .find(|entry| entry.value == root)
            .map(|entry| entry.origin)
    };
    let path_of = |path: &crate::ProtectedPath| {
        resolved
            .protected
            .iter()
            .find(|entry| entry.value == path)
            .map(|entry| entry.origin)
    };
    for error in errors.iter().take(crate::report::MOST_FINDINGS_OF_A_FILE) {
        let finding = match error {
            SandboxError::RootOverlapsProtected {
                root, protected, ..
            } => {
                let (Some(root), Some(path)) = (root_of(root), path_of(protected)) else {
                    continue;
                };
                root.later(path)
                    .finding(Code::RootAndProtected, error.to_string())
                    .with_help("a root that holds or lies in a protected path opens it: remove one of the two")
            }
            _ => {
                let Some(root) = resolved.roots.first() else {
                    continue;
                };
                let mode = resolved.mode.map_or(root.origin, |(_, origin)| origin);
                mode.later(root.origin)
                    .finding(Code::ReadOnlyWithRoots, error.to_string())
                    .with_help("write `writableRoots: []` to clear inherited roots, or mode `workspace-write`")
            }
        };
        findings.push(finding);
    }
    None
}

/// Defence in depth: the result of overlays is shown to be within the ring's policy, whatever the
/// code that applied them did.
pub(crate) fn prove(result: &Policy, ring: &Policy) -> Option<Finding> {
    let wider = result.difference(ring);
    let first = wider.first()?;
    Some(
        Finding::new(
            Code::OverlayLoosens,
            format!(
                "the policy of the unit is not within that of the ring: {}",
                first.added()
            ),
        )
        .with_evidence(first.evidence())
        .with_help("narrow the overlay"),
    )
}

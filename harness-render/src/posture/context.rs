//! The managed settings of one harness on one device, against which everything else is judged.

use std::fmt;

use policy_core::{Egress, Harness, Verdict};
use semver::Version;

use crate::target::Os;

use super::check::{Fault, Finding, Gate};
use super::hosts::Hosts;
use super::place::{Kind, Place, Watched};
use super::summary::Summary;
use super::unknown::{Obstacle, Unknown};
use super::value::{NOTHING, Value};
use super::{Watch, watch};

/// The managed settings of one harness, as its program would combine them.
///
/// Pure: it is made of bytes that someone else has read, and judges bytes that someone else has read.
///
/// ```
/// use harness_render::{Context, Os, watched};
/// use policy_core::Harness;
///
/// let files = watched(Harness::Codex);
/// let managed = files.iter().find(|file| file.is_managed()).unwrap();
/// let users = files.iter().find(|file| file.is_users()).unwrap();
///
/// let mut context = Context::unmanaged(Harness::Codex, Os::Linux);
/// context.manage(managed, b"allowed_sandbox_modes = [\"read-only\", \"workspace-write\"]").unwrap();
/// let findings = context.inspect(users, b"sandbox_mode = \"danger-full-access\"").unwrap();
/// assert_eq!(
///     findings[0].problem(),
///     "~/.codex/config.toml sets sandbox_mode = \"danger-full-access\""
/// );
/// assert_eq!(context.inspect(users, b"sandbox_mode = \"read-only\"").unwrap(), []);
/// ```
pub struct Context {
    watch: &'static Watch,
    os: Os,
    layers: Vec<(Kind, Value)>,
    is_unknown: bool,
    hosts: Option<Hosts>,
    release: Option<Version>,
}

impl fmt::Debug for Context {
    /// Leaves out what the files say.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("harness", &self.harness())
            .field("os", &self.os)
            .finish_non_exhaustive()
    }
}

impl Context {
    /// A device on which nothing is managed.
    #[must_use]
    pub fn unmanaged(harness: Harness, os: Os) -> Self {
        Self {
            watch: watch(harness),
            os,
            layers: Vec::new(),
            is_unknown: false,
            hosts: None,
            release: None,
        }
    }

    /// Judges lists of hosts by what this policy permits, so that an entry that it allows itself is
    /// none that opens anything.
    #[must_use]
    pub fn with_egress(mut self, egress: &Egress) -> Self {
        self.set_egress(egress);
        self
    }

    pub(crate) fn set_egress(&mut self, egress: &Egress) {
        let written = |pattern: policy_core::PatternRef<'_>| pattern.to_string();
        self.hosts = Some(Hosts::new(
            egress.allowed().map(|(pattern, _)| written(pattern)),
            egress.denied().map(written),
            egress.default_rule().verdict() == Verdict::Allow,
        ));
    }

    /// Judges the keys of managed files by this release of the program.
    #[must_use]
    pub fn with_release(mut self, release: &Version) -> Self {
        self.set_release(release);
        self
    }

    pub(crate) fn set_release(&mut self, release: &Version) {
        self.release = Some(release.clone());
    }

    /// The release by which keys are judged; none where it is not known.
    pub(crate) const fn release(&self) -> Option<&Version> {
        self.release.as_ref()
    }

    /// What the policy permits, where one was given.
    pub(crate) const fn hosts(&self) -> Option<&Hosts> {
        self.hosts.as_ref()
    }

    /// Adds a managed file. Files are added in the order in which the program reads them: the order
    /// of [`watched`](super::watched), and of their names where one entry stands for several.
    ///
    /// # Errors
    ///
    /// Why the file cannot be judged. From then on every check of a user's file applies, and nothing
    /// counts as locked.
    pub fn manage(&mut self, file: &'static Watched, bytes: &[u8]) -> Result<(), Unknown> {
        let place = Place::new(file, self.os);
        self.manage_at(place, bytes)
    }

    pub(crate) fn manage_at(&mut self, place: Place, bytes: &[u8]) -> Result<(), Unknown> {
        let file = place.watched();
        let value = if bytes.len() > self.watch.most_managed {
            Err(Obstacle::TooLargeForProgram)
        } else {
            Value::parse(bytes, file.syntax)
        };
        match value {
            Ok(value) => {
                self.add(file.kind, value);
                Ok(())
            }
            Err(obstacle) => Err(self.lose(place, obstacle)),
        }
    }

    /// Notes a managed file that cannot be judged.
    pub(crate) fn lose(&mut self, place: Place, obstacle: Obstacle) -> Unknown {
        self.is_unknown = true;
        Unknown::new(place, obstacle)
    }

    fn add(&mut self, kind: Kind, value: Value) {
        let merged = self.layers.iter_mut().find(|(layer, _)| *layer == kind);
        match merged.filter(|_| kind == Kind::Managed) {
            Some((_, earlier)) => earlier.overlay(value, self.watch.lists),
            None => self.layers.push((kind, value)),
        }
    }

    /// Whether anything turns the sandbox or egress on. A managed file that cannot be judged counts
    /// as one that does.
    #[must_use]
    pub fn is_restricted(&self) -> bool {
        self.is_unknown || self.summary().restricts()
    }

    pub(crate) const fn is_known(&self) -> bool {
        !self.is_unknown
    }

    /// What the managed settings turn on.
    #[must_use]
    pub fn summary(&self) -> Summary {
        if self.is_unknown {
            Summary::UNKNOWN
        } else {
            (self.watch.summary)(self)
        }
    }

    /// What weakens the policy in the managed settings themselves. Nothing is said of settings that
    /// cannot be judged.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.is_unknown || self.layers.is_empty() {
            return findings;
        }
        for check in self.watch.checks {
            let place = match check.fault {
                Fault::Managed(holds) if self.applies(check.gate, false) && holds(self) => self
                    .watch
                    .files
                    .iter()
                    .find(|file| file.kind == Kind::Managed),
                Fault::In(kinds, holds) => self
                    .layers
                    .iter()
                    .filter(|(kind, _)| kinds.contains(kind))
                    .find(|(_, document)| {
                        let scene = Scene {
                            document,
                            context: self,
                            of_a_clone: false,
                        };
                        self.applies(check.gate, false) && holds(&scene)
                    })
                    .and_then(|(kind, _)| self.watch.files.iter().find(|file| file.kind == *kind)),
                _ => None,
            };
            if let Some(file) = place {
                let place = Place::new(file, self.os);
                findings.push(Finding::new(check, self.harness(), Some(place)));
            }
        }
        findings
    }

    /// What in a user's or repository's file weakens the policy.
    ///
    /// # Errors
    ///
    /// Why the file cannot be judged.
    pub fn inspect(&self, file: &'static Watched, bytes: &[u8]) -> Result<Vec<Finding>, Unknown> {
        self.inspect_at(Place::new(file, self.os), bytes)
    }

    pub(crate) fn inspect_at(&self, place: Place, bytes: &[u8]) -> Result<Vec<Finding>, Unknown> {
        let file = place.watched();
        let document =
            Value::parse(bytes, file.syntax).map_err(|obstacle| Unknown::new(place, obstacle))?;
        let scene = Scene {
            document: &document,
            context: self,
            of_a_clone: file.is_projects(),
        };
        let found = self.watch.checks.iter().filter(|check| match check.fault {
            Fault::In(kinds, holds) => {
                kinds.contains(&file.kind)
                    && self.applies(check.gate, file.is_projects())
                    && holds(&scene)
            }
            _ => false,
        });
        Ok(found
            .map(|check| Finding::new(check, self.harness(), Some(place)))
            .collect())
    }

    /// What a variable of the environment weakens. The value is judged and never shown.
    #[must_use]
    pub fn inspect_variable(&self, name: &str, value: &str) -> Vec<Finding> {
        let found = self.watch.checks.iter().filter(|check| match check.fault {
            Fault::Variable(variable, holds) => {
                variable == name && self.applies(check.gate, false) && holds(value, self)
            }
            _ => false,
        });
        found
            .map(|check| Finding::new(check, self.harness(), None))
            .collect()
    }

    fn applies(&self, gate: Gate, of_a_clone: bool) -> bool {
        gate == Gate::Always || of_a_clone || self.is_restricted()
    }

    /// The harness.
    #[must_use]
    pub fn harness(&self) -> Harness {
        self.watch.harness
    }

    /// The system.
    #[must_use]
    pub const fn os(&self) -> Os {
        self.os
    }

    /// The managed settings, all their files taken together.
    pub(crate) fn settings(&self) -> &Value {
        self.layers(Kind::Managed).next().unwrap_or(&NOTHING)
    }

    /// The documents of a kind. None while any managed file cannot be judged, since what it says may
    /// undo what the others do.
    pub(crate) fn layers(&self, kind: Kind) -> impl Iterator<Item = &Value> {
        self.layers
            .iter()
            .filter(move |(layer, _)| *layer == kind && self.is_known())
            .map(|(_, value)| value)
    }
}

/// One document and the settings against which it is judged.
pub(crate) struct Scene<'a> {
    document: &'a Value,
    context: &'a Context,
    of_a_clone: bool,
}

impl Scene<'_> {
    /// A value of the document.
    pub(crate) fn at(&self, keys: &[&str]) -> &Value {
        self.document.at(keys)
    }

    pub(crate) fn document(&self) -> &Value {
        self.document
    }

    /// A value of the managed settings.
    pub(crate) fn managed(&self, keys: &[&str]) -> &Value {
        self.context.settings().at(keys)
    }

    pub(crate) fn context(&self) -> &Context {
        self.context
    }

    /// Whether it is a repository's file.
    pub(crate) const fn is_of_a_clone(&self) -> bool {
        self.of_a_clone
    }

    /// Whether nothing is known of what a policy closes: a repository's file where nothing is managed,
    /// or managed settings that cannot be judged. What a policy may close counts as closed then.
    pub(crate) fn lacks_settings(&self) -> bool {
        !self.context.is_known() || (self.of_a_clone && !self.context.is_restricted())
    }
}

//! The managed settings of one harness on one device, against which everything else is judged.

use std::fmt;

use policy_core::{Egress, Harness, Verdict};
use semver::Version;

use crate::adapter::Adapter;
use crate::registry::adapter;
use crate::target::Os;

use super::check::{AppliesWhen, Check, Fault, Finding};
use super::hosts::Hosts;
use super::input::{Input, Managed};
use super::obstacle::Obstacle;
use super::parse::MOST_BYTES;
use super::place::{Kind, Place, Watched};
use super::summary::Summary;
use super::unknown::Unknown;
use super::value::{Lists, Value};

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
    adapter: Option<&'static Adapter>,
    managed: Managed,
}

impl fmt::Debug for Context {
    /// Leaves out what the files say.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("harness", &self.harness())
            .field("os", &self.os())
            .finish_non_exhaustive()
    }
}

impl Context {
    /// A device on which nothing is managed.
    #[must_use]
    pub fn unmanaged(harness: Harness, os: Os) -> Self {
        let adapter = adapter(harness);
        Self {
            adapter,
            managed: Managed {
                harness,
                os,
                layers: Vec::new(),
                is_unknown: false,
                hosts: None,
                release: None,
                summary: adapter.map_or(|_| Summary::UNKNOWN, |adapter| adapter.summary),
            },
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
        self.managed.hosts = Some(Hosts::new(
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
        self.managed.release = Some(release.clone());
    }

    /// Adds a managed file. Files are added in the order in which the program reads them: the order
    /// of [`watched`](crate::watched), and of their names where one entry stands for several.
    ///
    /// # Errors
    ///
    /// Why the file cannot be judged. From then on every check of a user's file applies, and nothing
    /// counts as locked.
    pub fn manage(&mut self, file: &'static Watched, bytes: &[u8]) -> Result<(), Unknown> {
        let place = Place::new(file, self.os());
        self.manage_at(place, bytes)
    }

    pub(crate) fn manage_at(&mut self, place: Place, bytes: &[u8]) -> Result<(), Unknown> {
        let file = place.watched();
        let most = self.adapter.and_then(|adapter| adapter.most_bytes);
        let value = if bytes.len() > most.unwrap_or(MOST_BYTES) {
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
        self.managed.is_unknown = true;
        Unknown::new(place, obstacle)
    }

    fn add(&mut self, kind: Kind, value: Value) {
        let lists = self
            .adapter
            .map_or(Lists::Replaced, |adapter| adapter.lists);
        let layers = &mut self.managed.layers;
        let merged = layers.iter_mut().find(|(layer, _)| *layer == kind);
        match merged.filter(|_| kind == Kind::Managed) {
            Some((_, earlier)) => earlier.overlay(value, lists),
            None => layers.push((kind, value)),
        }
    }

    /// Whether anything turns the sandbox or egress on. A managed file that cannot be judged counts
    /// as one that does.
    #[must_use]
    pub fn is_restricted(&self) -> bool {
        self.managed.is_restricted()
    }

    /// What the managed settings turn on.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.managed.summary()
    }

    /// What weakens the policy in the managed settings themselves. Nothing is said of settings that
    /// cannot be judged.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.managed.is_known() || self.managed.layers.is_empty() {
            return findings;
        }
        for check in self.checks() {
            let place = match check.fault {
                Fault::Managed(holds) if self.applies(check, false) && holds(&self.managed) => {
                    self.watched(Kind::Managed)
                }
                Fault::In(kinds, holds) => self
                    .managed
                    .layers
                    .iter()
                    .filter(|(kind, _)| kinds.contains(kind))
                    .find(|(_, document)| {
                        let input = Input {
                            document,
                            managed: &self.managed,
                            of_a_clone: false,
                        };
                        self.applies(check, false) && holds(&input)
                    })
                    .and_then(|(kind, _)| self.watched(*kind)),
                _ => None,
            };
            if let Some(file) = place {
                let place = Place::new(file, self.os());
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
        self.inspect_at(Place::new(file, self.os()), bytes)
    }

    pub(crate) fn inspect_at(&self, place: Place, bytes: &[u8]) -> Result<Vec<Finding>, Unknown> {
        let file = place.watched();
        let document =
            Value::parse(bytes, file.syntax).map_err(|obstacle| Unknown::new(place, obstacle))?;
        let input = Input {
            document: &document,
            managed: &self.managed,
            of_a_clone: file.is_projects(),
        };
        let found = self.checks().iter().filter(|check| match check.fault {
            Fault::In(kinds, holds) => {
                kinds.contains(&file.kind)
                    && self.applies(check, file.is_projects())
                    && holds(&input)
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
        let found = self.checks().iter().filter(|check| match check.fault {
            Fault::Variable(variable, holds) => {
                variable == name && self.applies(check, false) && holds(value, &self.managed)
            }
            _ => false,
        });
        found
            .map(|check| Finding::new(check, self.harness(), None))
            .collect()
    }

    fn applies(&self, check: &Check, of_a_clone: bool) -> bool {
        check.applies_when == AppliesWhen::Always || of_a_clone || self.is_restricted()
    }

    fn checks(&self) -> &'static [Check] {
        self.adapter.map_or(&[], |adapter| adapter.checks)
    }

    /// The file that a finding about managed settings of a kind names.
    fn watched(&self, kind: Kind) -> Option<&'static Watched> {
        let watched = self.adapter?.watched;
        watched.iter().find(|file| file.kind == kind)
    }

    /// The harness.
    #[must_use]
    pub const fn harness(&self) -> Harness {
        self.managed.harness
    }

    /// The system.
    #[must_use]
    pub const fn os(&self) -> Os {
        self.managed.os
    }
}

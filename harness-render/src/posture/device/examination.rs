//! One harness on one device, from its files to its posture.

use std::path::Path;

use policy_core::Harness;
use semver::Version;

use super::super::check::{Check, Finding};
use super::super::common::{
    MANAGED_DIFFERS, MANAGED_MISSING, MANAGED_NOT_STRICT, MANAGED_OWNER, MANAGED_STRICT,
    MANAGED_UNEXPECTED, VERSION_ABOVE_PIN, VERSION_BELOW_PIN, VERSION_TOO_OLD,
};
use super::super::context::Context;
use super::super::obstacle::Obstacle;
use super::super::place::Syntax;
use super::super::place::{Place, Watched};
use super::super::unknown::Unknown;
use super::super::value::Value;
use super::installed::{self, Installed};
use super::{Comparison, Device, Expected, HarnessPosture, relative};
use crate::adapter::Adapter;
use crate::file::ManagedFile;
use crate::registry::{adapter, watched};

/// The most bytes of all files of a harness together that are read.
const MOST_BYTES_OF_A_HARNESS: usize = 16 * 1024 * 1024;

/// A managed file as it was found.
struct Found {
    place: Place,
    /// Below the root, with `/` between names.
    path: String,
    value: Option<Value>,
}

/// Whether the files that were found say what these say, and nothing else is there.
fn are_the_same(files: &[ManagedFile], found: &[Found]) -> bool {
    files.len() == found.len()
        && files.iter().all(|file| {
            let wanted = relative(file.path());
            let one = found.iter().find(|found| found.path == wanted);
            one.is_some_and(|one| says(one, file))
        })
}

/// Whether a file that was found says what a rendered one says.
fn says(found: &Found, file: &ManagedFile) -> bool {
    let adapter = adapter(found.place.harness());
    let written = adapter.map_or(&[][..], |adapter| adapter.written);
    let meant = Value::parse(file.bytes(), found.place.watched().syntax).ok();
    match (&found.value, &meant) {
        (Some(found), Some(meant)) => {
            let meaning = |value: &Value| value.without(written).meaning();
            meaning(found) == meaning(meant)
        }
        _ => false,
    }
}

impl Device {
    /// The posture of every harness that is installed, or of which anything was found, in the order
    /// of [`Harness::ALL`]. `expected` is what a policy renders; without it, managed files are not
    /// compared.
    #[must_use]
    pub fn examine(&self, expected: &[Expected]) -> Vec<HarnessPosture> {
        Harness::ALL
            .iter()
            .map(|&harness| {
                let expected = expected.iter().find(|one| one.harness == harness);
                Examination::new(self, harness).run(expected)
            })
            .filter(|posture| {
                posture.is_installed || !posture.findings.is_empty() || !posture.unknown.is_empty()
            })
            .collect()
    }
}

/// One harness while it is examined.
struct Examination<'d> {
    device: &'d Device,
    adapter: Option<&'static Adapter>,
    context: Context,
    managed: Vec<Found>,
    is_installed: bool,
    /// What may still be read: a directory may hold many files that are each small enough.
    bytes_left: usize,
    findings: Vec<Finding>,
    unknown: Vec<Unknown>,
}

impl<'d> Examination<'d> {
    fn new(device: &'d Device, harness: Harness) -> Self {
        Self {
            device,
            adapter: adapter(harness),
            context: Context::unmanaged(harness, device.os),
            managed: Vec::new(),
            is_installed: false,
            bytes_left: MOST_BYTES_OF_A_HARNESS,
            findings: Vec::new(),
            unknown: Vec::new(),
        }
    }

    fn run(mut self, expected: Option<&Expected>) -> HarnessPosture {
        let harness = self.context.harness();
        let installed = self.adapter.map_or_else(Installed::default, |adapter| {
            installed::look(self.device, &adapter.programs)
        });
        let pinned = expected.map(|expected| &expected.version);
        // A release other than the pinned one is reported as such.
        if let Some(release) = pinned.or(installed.versions.first()) {
            self.context.set_release(release);
        }
        if let Some(egress) = &self.device.egress {
            self.context.set_egress(egress);
        }
        for file in watched(harness).iter().filter(|file| file.is_managed()) {
            self.read_managed(file);
        }
        self.findings.extend(self.context.findings());
        for file in watched(harness).iter().filter(|file| !file.is_managed()) {
            self.read_others(file);
        }
        for (name, value) in &self.device.variables {
            let value = value.to_string_lossy();
            self.findings
                .extend(self.context.inspect_variable(name, &value));
        }
        self.is_installed |= installed.is_found;
        // Of a harness that is neither there nor asked for, no release matters.
        if self.is_installed || expected.is_some() {
            for (source, obstacle) in installed.unknown {
                let unknown = Unknown::of_release(harness, source, obstacle);
                self.unknown.push(unknown);
            }
        }
        self.judge_versions(&installed.versions, expected);
        let is_managed = !self.managed.is_empty();
        let comparison = self.compare(expected);
        HarnessPosture {
            harness,
            is_installed: self.is_installed,
            is_managed,
            versions: installed.versions,
            summary: self.context.summary(),
            comparison,
            findings: self.findings,
            unknown: self.unknown,
        }
    }

    fn find(&mut self, check: &'static Check, place: Option<Place>) {
        let finding = Finding::new(check, self.context.harness(), place);
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    fn note(&mut self, unknown: Unknown) {
        self.is_installed = true;
        // One line covers all files of one directory.
        if !self.unknown.contains(&unknown) {
            self.unknown.push(unknown);
        }
    }

    fn read_managed(&mut self, file: &'static Watched) {
        if file.path(self.device.os).is_none() {
            return;
        }
        let place = Place::new(file, self.device.os);
        let paths = match self.device.files(place) {
            Ok(paths) => paths,
            Err(obstacle) => {
                let unknown = self.context.lose(place, obstacle);
                return self.note(unknown);
            }
        };
        for path in paths {
            let bytes = match self.content(file, &path) {
                Ok(None) => continue,
                Ok(Some((bytes, is_guarded))) => {
                    if !is_guarded {
                        self.find(&MANAGED_OWNER, Some(place));
                    }
                    bytes
                }
                Err(obstacle) => {
                    let unknown = self.context.lose(place, obstacle);
                    self.note(unknown);
                    continue;
                }
            };
            self.is_installed = true;
            if let Err(unknown) = self.context.manage_at(place, &bytes) {
                self.note(unknown);
            }
            self.managed.push(Found {
                place,
                path: path.to_string_lossy().replace('\\', "/"),
                value: Value::parse(&bytes, file.syntax).ok(),
            });
        }
    }

    fn read_others(&mut self, file: &'static Watched) {
        if file.path(self.device.os).is_none()
            || (file.is_projects() && self.device.project.is_none())
        {
            return;
        }
        let place = Place::new(file, self.device.os);
        let moved = file
            .moved
            .iter()
            .filter(|moved| self.device.variable(moved.variable).is_some())
            .map(|moved| place.moved_by(moved))
            .filter(|place| place.below_moved().is_some());
        let usual = self.device.locate(place);
        let mut places = vec![place];
        places.extend(moved.filter(|place| self.device.locate(*place) != usual));
        for place in places {
            match self.device.files(place) {
                Ok(paths) => {
                    for path in paths {
                        self.read_other(place, &path);
                    }
                }
                Err(obstacle) => self.note(Unknown::new(place, obstacle)),
            }
        }
    }

    fn read_other(&mut self, place: Place, path: &Path) {
        match self.content(place.watched(), path) {
            Ok(None) => {}
            Ok(Some((bytes, _))) => {
                self.is_installed |= place.watched().is_users();
                match self.context.inspect_at(place, &bytes) {
                    Ok(findings) => {
                        for finding in findings {
                            if !self.findings.contains(&finding) {
                                self.findings.push(finding);
                            }
                        }
                    }
                    Err(unknown) => self.note(unknown),
                }
            }
            Err(obstacle) => self.note(Unknown::new(place, obstacle)),
        }
    }

    /// The bytes of a file and whether only the superuser can change it; `None` where there is none.
    fn content(
        &mut self,
        file: &Watched,
        path: &Path,
    ) -> Result<Option<(Vec<u8>, bool)>, Obstacle> {
        if file.syntax == Syntax::Presence {
            let exists = self.device.root.exists(path)?;
            return Ok(exists.then(|| (Vec::new(), true)));
        }
        let Some(content) = self.device.root.read(path)? else {
            return Ok(None);
        };
        let left = self.bytes_left.checked_sub(content.bytes.len());
        self.bytes_left = left.ok_or(Obstacle::TooMany)?;
        Ok(Some((content.bytes, content.is_guarded)))
    }

    fn judge_versions(&mut self, versions: &[Version], expected: Option<&Expected>) {
        let Some(lowest) = versions.first() else {
            return;
        };
        // The floor of what is rendered, which is the only one.
        let adapter = self.adapter;
        let too_old = adapter.is_some_and(|adapter| !adapter.floor.is_in(lowest));
        if too_old && self.context.is_restricted() {
            self.find(&VERSION_TOO_OLD, None);
        }
        let Some(pin) = expected.map(|expected| &expected.version) else {
            return;
        };
        if lowest < pin {
            self.find(&VERSION_BELOW_PIN, None);
        }
        if versions.last().is_some_and(|highest| highest > pin) {
            self.find(&VERSION_ABOVE_PIN, None);
        }
    }

    /// Compares what was found with what the policy renders, as the program would read both.
    fn compare(&mut self, expected: Option<&Expected>) -> Comparison {
        let Some(expected) = expected.filter(|_| self.is_installed) else {
            return Comparison::Skipped;
        };
        let mut found = std::mem::take(&mut self.managed);
        if let Some(other) = &expected.other
            && !are_the_same(&expected.files, &found)
            && are_the_same(&other.files, &found)
        {
            let check = if other.is_strict {
                &MANAGED_STRICT
            } else {
                &MANAGED_NOT_STRICT
            };
            self.find(check, found.first().map(|found| found.place));
            return Comparison::Different;
        }
        let mut differs = false;
        for file in &expected.files {
            let wanted = relative(file.path());
            let place = self.place_of(file.path());
            let at = found.iter().position(|found| found.path == wanted);
            match at.map(|at| found.swap_remove(at)) {
                None => {
                    differs = true;
                    // A file that cannot be judged has been reported as such.
                    let is_unknown = self.unknown.iter().any(Unknown::is_managed);
                    if let Some(place) = place.filter(|_| !is_unknown) {
                        self.find(&MANAGED_MISSING, Some(place));
                    }
                }
                Some(one) => {
                    if !says(&one, file) {
                        differs = true;
                        if one.value.is_some() {
                            self.find(&MANAGED_DIFFERS, Some(one.place));
                        }
                    }
                }
            }
        }
        for other in found {
            differs = true;
            self.find(&MANAGED_UNEXPECTED, Some(other.place));
        }
        if differs {
            Comparison::Different
        } else {
            Comparison::Same
        }
    }

    /// The watched place that a rendered file belongs to.
    fn place_of(&self, path: &str) -> Option<Place> {
        let os = self.device.os;
        let directory = |path: &str| {
            path.rfind(['/', '\\'])
                .and_then(|at| path.get(..at).map(str::to_owned))
        };
        let files = watched(self.context.harness()).iter();
        let mut managed = files.filter(|file| file.is_managed());
        managed
            .find(|file| {
                file.path(os).is_some_and(|place| {
                    place == path || (place.contains('*') && directory(place) == directory(path))
                })
            })
            .map(|file| Place::new(file, os))
    }
}

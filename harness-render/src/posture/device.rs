//! A device looked at: its files read safely, and every check applied to them.

mod installed;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use policy_core::Harness;
use semver::Version;

use crate::render::{ManagedFile, Rendering};
use crate::target::{Os, Target};

use super::check::{Check, Finding, Severity};
use super::common::{
    MANAGED_DIFFERS, MANAGED_MISSING, MANAGED_OWNER, MANAGED_UNEXPECTED, VERSION_ABOVE_PIN,
    VERSION_BELOW_PIN, VERSION_TOO_OLD,
};
use super::context::Context;
use super::disk::{Root, Wanted};
use super::place::{Kind, Place, Role, Watched};
use super::report::DeviceReport;
use super::summary::Summary;
use super::unknown::{Obstacle, Unknown};
use super::value::{Syntax, Value};
use super::{Watch, watch, watched};

/// The most bytes of all files of a harness together that are read.
const MOST_BYTES_OF_A_HARNESS: usize = 16 * 1024 * 1024;

/// A device, or a directory tree that is one: an unpacked image, a mounted disk, a test.
///
/// Looking at it opens regular files only, follows no link that someone other than the superuser
/// could have placed, reads at most 1 MiB of a file and nothing of a file that changes meanwhile,
/// never leaves the root, runs nothing and needs no network.
///
/// ```no_run
/// use std::path::Path;
///
/// use harness_render::{Device, Os};
///
/// let device = Device::open(Path::new("/"), Os::Linux, Path::new("/home/alice"))?
///     .with_variables(std::env::vars_os());
/// for posture in device.examine(&[]) {
///     println!("{}: {}", posture.harness(), posture.summary());
/// }
/// # Ok::<(), harness_render::DeviceError>(())
/// ```
pub struct Device {
    root: Root,
    root_path: PathBuf,
    os: Os,
    home: PathBuf,
    project: Option<PathBuf>,
    variables: BTreeMap<String, OsString>,
}

/// Why a device cannot be looked at at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The root is no directory, or may not be entered.
    #[error("the root is not a directory that can be entered; name one that is")]
    Root,
    /// The home is no directory below the root, or may not be entered.
    #[error("the home is not a directory below the root that can be entered; name one that is")]
    Home,
    /// The project is no directory below the root, or may not be entered.
    #[error("the project is not a directory below the root that can be entered; name one that is")]
    Project,
}

impl fmt::Debug for Device {
    /// Leaves out the paths, which name the user, and the variables, which hold anything.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("os", &self.os)
            .finish_non_exhaustive()
    }
}

impl Device {
    /// Opens the device whose root is `root`. `home` is the home of the user whose settings are
    /// judged: as the device names it, or as it is found through `root`.
    ///
    /// # Errors
    ///
    /// [`DeviceError`] when one of the two is no directory.
    pub fn open(root: &Path, os: Os, home: &Path) -> Result<Self, DeviceError> {
        let mut device = Self {
            root: Root::open(root).map_err(|_| DeviceError::Root)?,
            root_path: root.to_owned(),
            os,
            home: PathBuf::new(),
            project: None,
            variables: BTreeMap::new(),
        };
        let home = device.below_root(home);
        if device.root.is_directory(&home) != Ok(true) {
            return Err(DeviceError::Home);
        }
        device.home = home;
        Ok(device)
    }

    /// Looks at the repository in `project` as well.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Project`] when it is no directory.
    pub fn with_project(mut self, project: &Path) -> Result<Self, DeviceError> {
        let project = self.below_root(project);
        if self.root.is_directory(&project) != Ok(true) {
            return Err(DeviceError::Project);
        }
        self.project = Some(project);
        Ok(self)
    }

    /// Judges these variables of the environment as well, follows those that move a file, and looks
    /// for programs along `PATH`.
    #[must_use]
    pub fn with_variables(
        mut self,
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        let named = variables
            .into_iter()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
        self.variables = named.collect();
        self
    }

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

    /// A path below the root: as the device names it, or as it is found through the root.
    fn below_root(&self, path: &Path) -> PathBuf {
        let through = |root: &Path, path: &Path| {
            let rest = path.strip_prefix(root).ok()?;
            Some(rest.to_owned())
        };
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let found = through(&self.root_path, path)
            .or_else(|| through(&absolute(&self.root_path), &absolute(path)));
        found.unwrap_or_else(|| path.to_owned())
    }

    fn variable(&self, name: &str) -> Option<&OsString> {
        self.variables.get(name).filter(|value| !value.is_empty())
    }

    /// Where a watched path lies, below the root. `None` where the variable that moves it gives no
    /// absolute path, or there is no project.
    fn locate(&self, place: Place) -> Option<PathBuf> {
        if let Some((moved, rest)) = place.below_moved() {
            let base = Path::new(self.variable(moved.variable)?);
            if !base.has_root() {
                return None;
            }
            return Some(self.below_root(base).join(relative(rest)));
        }
        let path = place.watched().path(self.os)?;
        match (place.watched().role, path.strip_prefix("~/")) {
            (_, Some(rest)) => Some(self.home.join(rest)),
            (Role::Project, _) => Some(self.project.as_ref()?.join(path)),
            _ => Some(PathBuf::from(relative(path))),
        }
    }

    /// The files that a place stands for.
    fn files(&self, place: Place) -> Result<Vec<PathBuf>, Obstacle> {
        let path = self.locate(place).ok_or(Obstacle::Path)?;
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let Some(suffix) = place
            .watched()
            .path(self.os)
            .and_then(|path| path.rsplit(['/', '\\']).next())
            .and_then(|name| name.strip_prefix('*'))
            .filter(|_| name.starts_with('*'))
        else {
            return Ok(vec![path]);
        };
        let directory = path.parent().unwrap_or(Path::new(""));
        let deep = directory.ends_with("**");
        let directory = if deep {
            directory.parent().unwrap_or(Path::new(""))
        } else {
            directory
        };
        let wanted = Wanted {
            suffix,
            deep,
            // Drop-ins of such names are skipped by the program that reads them.
            hidden: place.watched().kind != Kind::Managed,
        };
        self.root.list(directory, wanted)
    }
}

/// A path of a table without what anchors it, with `/` between names.
fn relative(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("C:").unwrap_or(&path);
    path.trim_start_matches('/').to_owned()
}

/// What a policy asks of one harness on the device.
#[derive(Clone, Debug)]
pub struct Expected {
    harness: Harness,
    version: Version,
    files: Vec<ManagedFile>,
}

impl Expected {
    /// The rendering of the policy for the device's system and the release it pins.
    #[must_use]
    pub fn new(target: &Target, rendering: &Rendering) -> Self {
        Self {
            harness: target.harness,
            version: target.version.clone(),
            files: rendering.files().to_vec(),
        }
    }
}

/// Whether the managed files of a harness are what the policy renders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// They say the same, whatever their layout.
    Same,
    /// They do not.
    Different,
    /// No policy was given, or it pins no release of the harness.
    Skipped,
}

impl Comparison {
    /// `same`, `different` or `skipped`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Different => "different",
            Self::Skipped => "skipped",
        }
    }
}

/// What was found of one harness.
#[derive(Clone, Debug)]
pub struct HarnessPosture {
    harness: Harness,
    is_installed: bool,
    is_managed: bool,
    versions: Vec<Version>,
    summary: Summary,
    comparison: Comparison,
    findings: Vec<Finding>,
    unknown: Vec<Unknown>,
}

impl HarnessPosture {
    /// The harness.
    #[must_use]
    pub const fn harness(&self) -> Harness {
        self.harness
    }

    /// Whether its program, its package, its managed file or a file of its user was found.
    #[must_use]
    pub const fn is_installed(&self) -> bool {
        self.is_installed
    }

    /// Whether any managed file was found.
    #[must_use]
    pub const fn is_managed(&self) -> bool {
        self.is_managed
    }

    /// The installed releases, as packages and directories name them, lowest first. Of a pre-release
    /// no more is said than that it is one.
    #[must_use]
    pub fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// What the managed settings turn on.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Whether the managed files are what the policy renders.
    #[must_use]
    pub const fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// What weakens the policy, the managed files first.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// What could not be judged.
    #[must_use]
    pub fn unknown(&self) -> &[Unknown] {
        &self.unknown
    }

    /// Whether the managed settings fail to do what they are there for, or cannot be judged.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let failure = |finding: &Finding| finding.severity() == Severity::Failure;
        self.findings.iter().any(failure) || self.unknown.iter().any(Unknown::is_managed)
    }
}

impl DeviceReport {
    /// The report of a device that was [examined](Device::examine).
    #[must_use]
    pub fn of(postures: &[HarnessPosture]) -> Self {
        Self::new(
            postures.iter().flat_map(HarnessPosture::findings),
            postures.iter().flat_map(HarnessPosture::unknown),
        )
    }
}

/// A managed file as it was found.
struct Found {
    place: Place,
    /// Below the root, with `/` between names.
    path: String,
    value: Option<Value>,
}

/// One harness while it is looked at.
struct Examination<'d> {
    device: &'d Device,
    watch: &'static Watch,
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
            watch: watch(harness),
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
        let installed = installed::look(self.device, self.watch);
        self.is_installed |= installed.is_found;
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
        // Of many files in one directory, one line says it.
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
        let too_old = self.watch.floor.is_some_and(|floor| !floor.is_in(lowest));
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
                    let syntax = one.place.watched().syntax;
                    let meant = Value::parse(file.bytes(), syntax).ok();
                    let same = match (&one.value, &meant) {
                        (Some(found), Some(meant)) => found.meaning() == meant.meaning(),
                        _ => false,
                    };
                    if !same {
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

//! The examination of a device: its files are read safely, and every check is applied to them.

mod examination;
mod installed;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use policy_core::{Egress, Harness};
use semver::Version;

use crate::file::ManagedFile;
use crate::render::Rendering;
use crate::target::{Hardening, Os, Target};

use super::check::{Finding, Severity};
use super::disk::{Root, Wanted};
use super::obstacle::Obstacle;
use super::place::{Kind, Place, Role};
use super::report::DeviceReport;
use super::summary::Summary;
use super::unknown::Unknown;

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
    egress: Option<Egress>,
}

/// Why a device cannot be examined at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The root is not a directory, or may not be entered.
    #[error("the root is not a directory that can be entered; name one that is")]
    Root,
    /// The home is not a directory below the root, or may not be entered.
    #[error("the home is not a directory below the root that can be entered; name one that is")]
    Home,
    /// The project is not a directory below the root, or may not be entered.
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
    /// [`DeviceError`] when one of the two is not a directory.
    pub fn open(root: &Path, os: Os, home: &Path) -> Result<Self, DeviceError> {
        let mut device = Self {
            root: Root::open(root).map_err(|_| DeviceError::Root)?,
            root_path: root.to_owned(),
            os,
            home: PathBuf::new(),
            project: None,
            variables: BTreeMap::new(),
            egress: None,
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
    /// [`DeviceError::Project`] when it is not a directory.
    pub fn with_project(mut self, project: &Path) -> Result<Self, DeviceError> {
        let project = self.below_root(project);
        if self.root.is_directory(&project) != Ok(true) {
            return Err(DeviceError::Project);
        }
        self.project = Some(project);
        Ok(self)
    }

    /// Judges lists of hosts by what a policy permits: an entry that it allows itself opens nothing.
    #[must_use]
    pub fn with_egress(mut self, egress: &Egress) -> Self {
        self.egress = Some(egress.clone());
        self
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

    /// Refuses a link among the directories that a path of the repository names, whoever owns it: a
    /// checkout of the superuser's holds the links that its authors made.
    fn refuse_links(&self, directory: &Path) -> Result<(), Obstacle> {
        let Some(project) = &self.project else {
            return Ok(());
        };
        let Ok(below) = directory.strip_prefix(project) else {
            return Ok(());
        };
        let mut path = project.clone();
        for name in below {
            path.push(name);
            if self.root.is_link(&path)? {
                return Err(Obstacle::Path);
            }
        }
        Ok(())
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
            if place.watched().is_projects() {
                self.refuse_links(path.parent().unwrap_or(Path::new("")))?;
            }
            return Ok(vec![path]);
        };
        let directory = path.parent().unwrap_or(Path::new(""));
        let deep = directory.ends_with("**");
        let directory = if deep {
            directory.parent().unwrap_or(Path::new(""))
        } else {
            directory
        };
        if place.watched().is_projects() {
            self.refuse_links(directory)?;
        }
        let wanted = Wanted {
            suffix,
            deep,
            // Drop-ins of such names are skipped by the program that reads them.
            hidden: place.watched().kind != Kind::Managed,
            refuses_links: place.watched().is_projects(),
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
    other: Option<Other>,
}

/// What the policy renders at the other strength.
#[derive(Clone, Debug)]
struct Other {
    is_strict: bool,
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
            other: None,
        }
    }

    /// Names what the policy renders at the other strength, `hardening`, so that a device that holds
    /// just that gets one report instead of one per file.
    #[must_use]
    pub fn with_other_strength(mut self, hardening: Hardening, rendering: &Rendering) -> Self {
        self.other = Some(Other {
            is_strict: hardening == Hardening::Strict,
            files: rendering.files().to_vec(),
        });
        self
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

    /// Whether the managed settings fail to do what they are there for, a repository brings what
    /// weakens them, or either cannot be judged.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let failure = |finding: &Finding| finding.severity() == Severity::Failure;
        let lost = |unknown: &Unknown| unknown.is_managed() || unknown.is_projects();
        self.findings.iter().any(failure) || self.unknown.iter().any(lost)
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

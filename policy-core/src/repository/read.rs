//! A policy repository: which file is what, and every problem of reading it.

mod disk;
mod place;

use alloc::collections::{BTreeMap, BTreeSet};
use core::fmt;
use std::path::Path;

use crate::quote::quoted;
use crate::repository::document::{
    self, At, OrganisationDocument, ProfileDocument, UnitDocument, nearest,
};
use crate::repository::finding::{Code, Finding};
use crate::repository::report::{Place, Report};
use crate::repository::validate::{Parts, Validation, validate};
use crate::repository::yaml::{self, MOST_BYTES, Node, Value};
use place::{HALOS, Role};

/// A directory with more files in `profiles` or `units` is refused.
const MOST_FILES: usize = 10_000;

/// All files together have at most this many bytes.
const MOST_BYTES_TOGETHER: usize = 4 * MOST_BYTES;

/// All files together have at most about this many values: the memory they take, since a byte of
/// text may take a hundred as a value. The last file may go over it by as much as one file holds.
const MOST_VALUES_TOGETHER: usize = 4 * yaml::MOST_VALUES;

/// How many names are compared with an unknown one. Comparing all with all would take time by the
/// square of their number.
const MOST_COMPARED: usize = 500;

/// An authored policy: the documents of a repository, as far as they could be read, and what is
/// wrong with them.
///
/// | Place | What it is |
/// |---|---|
/// | `halos.yaml` | the organisation: its gateway and its rings |
/// | `profiles/<name>.yaml` | a profile |
/// | `units/<name>.yaml` | a unit and its overlays |
///
/// A name has 1 to 63 characters of `a-z 0-9 . _ -`, and the first is a letter or a digit. In
/// `profiles` and `units`, hidden files and `*.md` are ignored, and anything else is an error: a
/// file `payments.yml` would silently not restrict a thing. What else lies beside the three places
/// is not looked at.
///
/// Reading never fails. What could not be read is a [finding](Repository::findings), and a
/// repository with an error among its findings yields no policy.
///
/// ```
/// use policy_core::{Code, Repository};
///
/// let repository = Repository::from_files([
///     ("halos.yaml".into(), b"rings: { all: { profile: base } }".to_vec()),
///     ("profiles/base.yaml".into(), b"egress: { allowedDomain: [a.example] }".to_vec()),
/// ]);
/// let [finding] = repository.findings() else { panic!() };
/// assert_eq!(finding.code(), Code::UnknownKey);
/// assert_eq!(
///     finding.to_string(),
///     "error[unknown-key] profiles/base.yaml:1:11: unknown key `allowedDomain`
///   path: profiles.base.egress.allowedDomain
///   help: did you mean `allowedDomains`?",
/// );
/// ```
#[derive(Clone, Default)]
pub struct Repository {
    organisation: Option<OrganisationDocument>,
    profiles: BTreeMap<String, ProfileDocument>,
    units: BTreeMap<String, UnitDocument>,
    findings: Vec<Finding>,
}

impl Repository {
    /// Reads a directory.
    ///
    /// Only regular files are opened. Symbolic links are followed where they stay inside the
    /// directory: one that climbs out and comes back leaves it. A file has at most 64 MiB, all together
    /// 256 MiB and some sixteen million values, and `profiles` and `units` hold at most 10,000 entries
    /// each.
    ///
    /// A file of nothing, or of comments only, is refused with [`Code::EmptyFile`]: a file looks just so
    /// between two steps of whoever writes it. What changes while it is read is refused with
    /// [`Code::ChangedFile`], the listing of the directories included; nothing is followed out of the
    /// directory nor waited for, whoever may write there. Files that were written within the last tenth
    /// of a second are looked at again when they are as old as that, so reading them takes as long. A
    /// file that is cut at the end of a line and stays so looks like any other: put a repository in its
    /// place whole, by renaming its directory.
    ///
    /// A directory or file that exists and cannot be read, or a directory that does not exist, is a
    /// finding with [`Code::Unreadable`]. Like [`Code::ChangedFile`] it says nothing about the policy
    /// ([`Code::is_of_reading`]).
    #[must_use]
    pub fn read(directory: &Path) -> Self {
        let mut reading = Reading::default();
        match disk::read(directory, &mut reading) {
            Ok(()) => reading.finish(),
            Err(finding) => Self {
                findings: vec![finding],
                ..Self::default()
            },
        }
    }

    /// Reads files that are at hand already: each with its path in the repository, such as
    /// `profiles/base.yaml`, and its bytes.
    ///
    /// The rules and bounds are those of [`Repository::read`]. The order of the files does not
    /// matter, but for two with the same path: that is an error, and the first of them is read.
    #[must_use]
    pub fn from_files(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let mut reading = Reading::default();
        for (path, bytes) in files {
            match place::inside(&path) {
                Ok(()) => reading.file(&path, |_| Ok(bytes)),
                Err(finding) => reading.add(&path, || finding),
            }
        }
        reading.finish()
    }

    /// What is wrong with the files, in a stable order.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Checks everything, and yields the organisation when no finding is an error.
    #[must_use]
    pub fn validate(self) -> Validation {
        validate(Parts {
            organisation: self.organisation,
            profiles: self.profiles,
            units: self.units,
            findings: self.findings,
        })
    }
}

impl fmt::Debug for Repository {
    /// Names what was read, and shows the findings. The values stay out of it: one may hold a
    /// password, whether it belongs there or not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repository")
            .field("has_halos", &self.organisation.is_some())
            .field("profiles", &self.profiles.keys())
            .field("units", &self.units.keys())
            .field("findings", &self.findings)
            .finish()
    }
}

/// A repository that is being read.
#[derive(Default)]
struct Reading {
    organisation: Option<OrganisationDocument>,
    profiles: BTreeMap<String, ProfileDocument>,
    units: BTreeMap<String, UnitDocument>,
    /// Every path that has a role, its file readable or not.
    seen: BTreeSet<String>,
    reports: BTreeMap<String, Report>,
    bytes: usize,
    values: usize,
}

impl Reading {
    fn add(&mut self, file: &str, finding: impl FnOnce() -> Finding) {
        self.report(file).add(finding);
    }

    fn report(&mut self, file: &str) -> &mut Report {
        let report = || Report::new(file);
        self.reports.entry(file.to_owned()).or_insert_with(report)
    }

    fn has_errors(&self) -> bool {
        self.reports.values().any(Report::has_errors)
    }

    /// Takes a file by its path; `load` is asked for its bytes only if it has a role, and is told
    /// how many there may be.
    fn file(&mut self, path: &str, load: impl FnOnce(usize) -> Result<Vec<u8>, Finding>) {
        let role = match place::role(path) {
            Ok(Some(role)) => role,
            Ok(None) => return,
            Err(finding) => return self.add(finding.file, || finding.finding),
        };
        if self.seen.len() >= 2 * MOST_FILES {
            return self.add("", too_many_files);
        }
        if !self.seen.insert(path.to_owned()) {
            let message = format!("{} is given twice", quoted(path));
            return self.add(path, || {
                Finding::new(Code::DuplicateFile, message).with_help("keep one of them")
            });
        }
        match self.tree(load) {
            Ok(tree) => self.document(role, path, tree),
            Err(finding) => self.add(path, || finding),
        }
    }

    fn tree(
        &mut self,
        load: impl FnOnce(usize) -> Result<Vec<u8>, Finding>,
    ) -> Result<Node, Finding> {
        if self.values > MOST_VALUES_TOGETHER {
            return Err(too_many_values_together());
        }
        let left = MOST_BYTES_TOGETHER.saturating_sub(self.bytes);
        let bytes = load(left)?;
        self.bytes = self.bytes.saturating_add(bytes.len());
        if bytes.len() > left {
            return Err(too_large_together());
        }
        let tree = yaml::parse(&bytes)?;
        // What a writer that was seen half-way has left, as long as it holds no value.
        if tree.value == Value::Null {
            return Err(empty_file());
        }
        self.values = self.values.saturating_add(tree.values());
        Ok(tree)
    }

    fn document(&mut self, role: Role<'_>, path: &str, tree: Node) {
        let report = self.report(path);
        match role {
            Role::Organisation => {
                self.organisation = Some(document::read_organisation(tree, report));
            }
            Role::Profile(name) => {
                let profile = document::read_profile(name, path, tree, report);
                self.profiles.insert(name.to_owned(), profile);
            }
            Role::Unit(name) => {
                let unit = document::read_unit(name, path, tree, report);
                self.units.insert(name.to_owned(), unit);
            }
        }
    }

    fn finish(mut self) -> Repository {
        if self.seen.is_empty() {
            self.add("", || {
                Finding::new(
                    Code::EmptyRepository,
                    "no `halos.yaml`, no profile and no unit here",
                )
                .with_help("name the directory that holds them, as `--policy-dir` does")
            });
        } else if !self.seen.contains(HALOS) {
            self.add("", || {
                Finding::new(Code::MissingHalos, "there is no `halos.yaml`").with_help(
                    "define the rings in it: `rings: { ga: { profile: base, default: true } }`",
                )
            });
        }
        self.check_profiles();
        self.check_rings();
        let mut findings: Vec<Finding> = self
            .reports
            .into_values()
            .flat_map(Report::finish)
            .collect();
        findings.sort();
        findings.dedup();
        Repository {
            organisation: self.organisation,
            profiles: self.profiles,
            units: self.units,
            findings,
        }
    }

    /// Every profile that a ring or a profile names has a file.
    fn check_profiles(&mut self) {
        let Self {
            organisation,
            profiles,
            seen,
            reports,
            ..
        } = self;
        let known = |name: &str| seen.contains(&place::profile_path(name));
        let near = |name: &str| {
            let files = seen.iter().filter_map(|path| place::profile_name(path));
            nearest(name, files.take(MOST_COMPARED))
        };
        let missing = |at: &At<String>, path: String| {
            unknown(Code::UnknownProfile, "profile", &at.value, near(&at.value))
                .at(at.position)
                .on(path)
        };
        if let Some(report) = reports.get_mut(HALOS) {
            let rings = organisation.iter().flat_map(|document| &document.rings);
            for ring in rings.filter(|ring| !known(&ring.profile.value)) {
                let root = Place::Root("halos");
                let rings = Place::Key(&root, "rings");
                let place = Place::Key(&rings, &ring.name.value);
                report.add(|| missing(&ring.profile, Place::Key(&place, "profile").to_string()));
            }
        }
        for profile in profiles.values() {
            if let Some(parent) = profile.extends.as_ref().filter(|at| !known(&at.value))
                && let Some(report) = reports.get_mut(&profile.file)
            {
                report.add(|| missing(parent, format!("profiles.{}.extends", profile.name)));
            }
        }
    }

    /// Every ring that an overlay names is defined, if all definitions could be read.
    fn check_rings(&mut self) {
        let organisation = self.organisation.as_ref();
        let Some(organisation) = organisation.filter(|document| document.intact) else {
            return;
        };
        let rings = organisation.rings.iter().map(|ring| &*ring.name.value);
        let rings: BTreeSet<&str> = rings.collect();
        for unit in self.units.values() {
            let Some(report) = self.reports.get_mut(&unit.file) else {
                continue;
            };
            for overlay in &unit.overlays {
                let named = overlay.value.rings.iter().flat_map(|list| &list.value);
                for ring in named.filter(|ring| !rings.contains(&*ring.value)) {
                    report.add(|| {
                        let (unit, overlay, ring_index) = (&unit.name, overlay.index, ring.index);
                        let near = nearest(&ring.value, rings.iter().copied().take(MOST_COMPARED));
                        unknown(Code::UnknownRing, "ring", &ring.value, near)
                            .at(ring.position)
                            .on(format!(
                                "units.{unit}.overlays[{overlay}].rings[{ring_index}]"
                            ))
                    });
                }
            }
        }
    }
}

fn unknown(code: Code, kind: &str, name: &str, near: Option<&str>) -> Finding {
    let help = match (near, code) {
        (Some(near), _) => format!("did you mean {}?", quoted(near)),
        (None, Code::UnknownProfile) => {
            "add its file to `profiles`, or name another one".to_owned()
        }
        (None, _) => "define it in `halos.yaml` under `rings`, or name another one".to_owned(),
    };
    Finding::new(code, format!("unknown {kind} {}", quoted(name))).with_help(help)
}

fn empty_file() -> Finding {
    Finding::new(Code::EmptyFile, "the file is empty, or holds comments only")
        .with_help("write `{}` if it is meant to say nothing; else restore it")
}

fn too_many_files() -> Finding {
    let message = format!("more than {MOST_FILES} entries in `profiles` or `units`");
    Finding::new(Code::TooManyFiles, message).with_help("split the repository")
}

fn too_many_values_together() -> Finding {
    let message = format!("all files together have more than {MOST_VALUES_TOGETHER} values");
    Finding::new(Code::TooManyValues, message).with_help("split the repository")
}

fn too_large_together() -> Finding {
    let message = format!(
        "all files together have more than {} MiB",
        MOST_BYTES_TOGETHER / (1024 * 1024)
    );
    Finding::new(Code::TooLarge, message).with_help("split the repository")
}

#[cfg(test)]
mod tests {
    use super::{MOST_VALUES_TOGETHER, Reading};
    use crate::repository::finding::{Code, Finding};

    #[test]
    fn values_are_counted_over_all_files() {
        let mut reading = Reading {
            values: MOST_VALUES_TOGETHER - 2,
            ..Reading::default()
        };
        let text = || Ok(b"extends: base".to_vec());
        reading.file("profiles/a.yaml", |_| text());
        assert_eq!(
            reading.values,
            MOST_VALUES_TOGETHER + 1,
            "a mapping, a key and a value"
        );
        // What would go further over the bound is not even loaded.
        reading.file("profiles/b.yaml", |_| panic!("loaded"));
        let repository = reading.finish();
        let mut findings = repository.findings().iter();
        let refused = findings.find(|finding| finding.code() == Code::TooManyValues);
        assert_eq!(refused.map(Finding::file), Some("profiles/b.yaml"));
    }
}

//! Whether a harness is installed, and in which releases, without running it.

use std::path::{Path, PathBuf};

use semver::{BuildMetadata, Prerelease, Version};

use super::super::disk::Wanted;
use super::super::obstacle::Obstacle;
use super::super::place::Syntax;
use super::super::unknown::Source;
use super::super::value::Value;
use super::Device;
use crate::adapter::Programs;

/// Where programs are on systems whose `PATH` was not given.
const PROGRAMS: [&str; 5] = [
    "usr/local/bin",
    "usr/bin",
    "bin",
    "opt/homebrew/bin",
    "home/linuxbrew/.linuxbrew/bin",
];

/// The same in a home.
const HOME_PROGRAMS: [&str; 5] = [
    ".local/bin",
    "bin",
    ".npm-global/bin",
    ".bun/bin",
    ".opencode/bin",
];

/// Packages of the npm registry in a home, beside those that lie beside a directory of programs.
const HOME_PACKAGES: [&str; 2] = [
    ".bun/install/global/node_modules",
    "AppData/Roaming/npm/node_modules",
];

/// Where a manager of Node releases keeps one tree for each of them.
const NODE_RELEASES: &str = ".nvm/versions/node";

/// The same, as it is shown.
const NODE_RELEASES_SHOWN: &str = "~/.nvm/versions/node";

/// A larger part of a release is no release; and what is shown of a package stays short.
const MOST_NUMBER: u64 = 99_999;

/// What was found of a program.
#[derive(Debug, Default)]
pub(super) struct Installed {
    pub(super) is_found: bool,
    /// Lowest first, each once.
    pub(super) versions: Vec<Version>,
    /// What could not be looked at, and why: behind it there may be any release.
    pub(super) unknown: Vec<(Source, Obstacle)>,
}

impl Installed {
    /// Notes what could not be looked at, each kind of it once.
    fn note(&mut self, source: Source, obstacle: Obstacle) {
        if !self.unknown.contains(&(source, obstacle)) {
            self.unknown.push((source, obstacle));
        }
    }
}

/// Looks for programs, packages and directories named after releases.
pub(super) fn look(device: &Device, wanted: &Programs) -> Installed {
    let mut installed = Installed::default();
    let mut programs = program_directories(device, &mut installed);
    programs.retain(|directory| has_been_looked_at(device, wanted, directory, &mut installed));
    let beside = programs
        .iter()
        .filter(|directory| directory.ends_with("bin"))
        .filter_map(|directory| Some(directory.parent()?.join("lib/node_modules")));
    let in_home = HOME_PACKAGES
        .iter()
        .map(|packages| device.home.join(packages));
    for packages in beside.chain(in_home) {
        for package in wanted.packages {
            look_at_package(device, &packages, package, &mut installed);
        }
    }
    for place in wanted.versions {
        let directory = match place.strip_prefix("~/") {
            Some(rest) => device.home.join(rest),
            None => PathBuf::from(place.trim_start_matches('/')),
        };
        match entries(device, &directory) {
            Ok(entries) => {
                for entry in entries {
                    let name = entry.file_name().and_then(|name| name.to_str());
                    let version = name.and_then(version);
                    installed.is_found |= version.is_some();
                    installed.versions.extend(version);
                }
            }
            Err(obstacle) => {
                // Such a directory is this program's alone.
                installed.is_found = true;
                installed.note(Source::Releases(place), obstacle);
            }
        }
    }
    installed.versions.sort_unstable();
    installed.versions.dedup();
    installed
}

fn has_been_looked_at(
    device: &Device,
    wanted: &Programs,
    directory: &Path,
    installed: &mut Installed,
) -> bool {
    for name in wanted.names {
        for name in [
            (*name).to_owned(),
            format!("{name}.cmd"),
            format!("{name}.exe"),
        ] {
            match device.root.exists(&directory.join(name)) {
                Ok(exists) => installed.is_found |= exists,
                Err(obstacle) => {
                    installed.note(Source::Programs, obstacle);
                    return false;
                }
            }
        }
    }
    true
}

fn look_at_package(
    device: &Device,
    packages: &Path,
    package: &'static str,
    installed: &mut Installed,
) {
    let directory = packages.join(package);
    let read = device.root.read(&directory.join("package.json"));
    let read = read.and_then(|content| {
        content
            .map(|content| manifest_version(&content.bytes))
            .transpose()
    });
    match read {
        Ok(None) => {}
        Ok(Some(version)) => {
            installed.is_found = true;
            installed.versions.push(version);
        }
        Err(obstacle) => {
            installed.is_found |= device.root.exists(&directory) == Ok(true);
            installed.note(Source::Package(package), obstacle);
        }
    }
}

fn program_directories(device: &Device, installed: &mut Installed) -> Vec<PathBuf> {
    let path = device.variable("PATH").cloned().unwrap_or_default();
    let given = std::env::split_paths(&path)
        .filter(|directory| directory.has_root())
        .map(|directory| relative_to_root(&device.below_root(&directory)));
    let node = entries(device, &device.home.join(NODE_RELEASES)).unwrap_or_else(|obstacle| {
        installed.note(Source::Releases(NODE_RELEASES_SHOWN), obstacle);
        Vec::new()
    });
    let node = node.into_iter().map(|release| release.join("bin"));
    let mut directories: Vec<PathBuf> = given
        .chain(PROGRAMS.iter().map(PathBuf::from))
        .chain(
            HOME_PROGRAMS
                .iter()
                .map(|programs| device.home.join(programs)),
        )
        .chain(node)
        .collect();
    directories.sort_unstable();
    directories.dedup();
    directories
}

fn relative_to_root(path: &Path) -> PathBuf {
    path.strip_prefix("/").unwrap_or(path).to_owned()
}

fn entries(device: &Device, directory: &Path) -> Result<Vec<PathBuf>, Obstacle> {
    let wanted = Wanted {
        suffix: "",
        deep: false,
        hidden: false,
        refuses_links: false,
    };
    device.root.list(directory, wanted)
}

fn manifest_version(bytes: &[u8]) -> Result<Version, Obstacle> {
    let manifest = Value::parse(bytes, Syntax::Json)?;
    let text = manifest.get("version").text();
    text.and_then(version).ok_or(Obstacle::NoRelease)
}

/// A release, with no more of its text than its numbers and that it is a pre-release.
fn version(text: &str) -> Option<Version> {
    let version = Version::parse(text).ok()?;
    let numbers = [version.major, version.minor, version.patch];
    if numbers.iter().any(|number| *number > MOST_NUMBER) {
        return None;
    }
    Some(Version {
        pre: if version.pre.is_empty() {
            Prerelease::EMPTY
        } else {
            Prerelease::new("pre").ok()?
        },
        build: BuildMetadata::EMPTY,
        ..version
    })
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_release_is_its_numbers() {
        for (text, shown) in [
            ("2.1.280", Some("2.1.280")),
            ("0.171.0-alpha.secret", Some("0.171.0-pre")),
            ("1.0.0+secret", Some("1.0.0")),
            ("99999.0.0", Some("99999.0.0")),
            ("100000.0.0", None),
            ("v1.0.0", None),
            ("latest", None),
            ("", None),
        ] {
            assert_eq!(
                version(text).map(|version| version.to_string()).as_deref(),
                shown
            );
        }
    }
}

//! Everything that can happen to a repository while it is read.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot change its directory has failed"
)]

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::{Code, MOST_FILES, Moment, Reading, Root, SETTLED, read_watched, unsettled};

const HALOS: &str = "rings: { ga: { profile: base, default: true } }\n";
const BASE: &str = "egress: { default: deny, allowedDomains: [a.example] }\n";
const UNIT: &str = "overlays: [{ egress: { allowedDomains: [] } }]\n";

/// `outer/repository`, removed when it is done with.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("policy-core-{}-{count}", std::process::id());
        let outer = std::env::temp_dir().join(name);
        fs::create_dir(&outer).unwrap();
        let scratch = Self(outer);
        scratch.fill("repository");
        scratch
    }

    /// Writes a sound repository of this name.
    fn fill(&self, name: &str) {
        for (path, text) in [
            ("halos.yaml", HALOS),
            ("profiles/base.yaml", BASE),
            ("units/payments.yaml", UNIT),
        ] {
            let path = self.0.join(name).join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.join("repository").join(path)
    }

    fn put(&self, path: &str, text: &str) {
        fs::write(self.at(path), text).unwrap();
    }

    /// `file code`, one a finding, after `change` at this moment.
    fn told(&self, at: (Moment, &str), change: fn(&Self)) -> Vec<String> {
        let mut reading = Reading::default();
        let mut happened = 0;
        let mut watch = |moment: Moment, path: &str| {
            if (moment, path) == at {
                happened += 1;
                change(self);
            }
        };
        let read = read_watched(&self.at(""), &mut reading, &mut watch);
        assert_eq!(happened, 1, "{at:?}");
        read.unwrap();
        let repository = reading.finish();
        let findings = repository.findings().iter();
        findings
            .map(|finding| format!("{} {}", finding.file(), finding.code()))
            .collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_directory_is_listed_up_to_the_bound() {
    let root = Root::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let entries = root.list("src", MOST_FILES).unwrap().names;
    assert!(entries.is_sorted());
    assert_eq!(root.list("src", entries.len()).unwrap().names, entries);
    let Err(finding) = root.list("src", entries.len() - 1) else {
        panic!()
    };
    assert_eq!(finding.code(), Code::TooManyFiles);
}

#[test]
fn what_changes_while_it_is_read_is_refused() {
    use Moment::{All, Listed, Looked, Opened, Read};
    type Change = fn(&Scratch);
    const PATH: &str = "units/payments.yaml";
    let vanish: Change = |scratch| fs::remove_file(scratch.at(PATH)).unwrap();
    let truncate: Change = |scratch| scratch.put(PATH, "");
    let shorten: Change = |scratch| scratch.put(PATH, "overlays: []\n");
    let grow: Change = |scratch| scratch.put(PATH, &format!("{UNIT}# more\n"));
    // Of the same length.
    let rewrite: Change = |scratch| scratch.put(PATH, &UNIT.replace("egress", "sandbx"));
    let rename: Change = |scratch| {
        scratch.put("next", &UNIT.replace("egress", "sandbx"));
        fs::rename(scratch.at("next"), scratch.at(PATH)).unwrap();
    };
    let link: Change = |scratch| {
        fs::remove_file(scratch.at(PATH)).unwrap();
        symlink("../profiles/base.yaml", scratch.at(PATH)).unwrap();
    };
    let pipe: Change = |scratch| {
        fs::remove_file(scratch.at(PATH)).unwrap();
        mknodat(CWD, scratch.at(PATH), FileType::Fifo, Mode::RUSR, 0).unwrap();
    };
    let directory: Change = |scratch| {
        fs::remove_file(scratch.at(PATH)).unwrap();
        fs::create_dir(scratch.at(PATH)).unwrap();
    };
    let mode: Change = |scratch| {
        fs::set_permissions(scratch.at(PATH), fs::Permissions::from_mode(0o600)).unwrap();
    };
    for moment in [Looked, Opened, Read, All] {
        for (what, change) in [
            ("vanish", vanish),
            ("truncate", truncate),
            ("shorten", shorten),
            ("grow", grow),
            ("rewrite", rewrite),
            ("rename", rename),
            ("link", link),
            ("pipe", pipe),
            ("directory", directory),
            ("mode", mode),
        ] {
            let scratch = Scratch::new();
            // A writer that sets the times back is seen all the same.
            let at = if moment == All { "" } else { PATH };
            let told = scratch.told((moment, at), change);
            let refused = format!("{PATH} changed-file");
            assert!(told.contains(&refused), "{what} at {moment:?}: {told:?}");
            let others = ["changed-file", "empty-file", "not-a-file", "unknown-key"];
            assert!(
                told.iter()
                    .all(|line| others.iter().any(|code| line.ends_with(code))),
                "{what} at {moment:?}: {told:?}"
            );
        }
    }
    // The listings, of what is a policy only.
    for (what, at, change, expected) in [
        (
            "a listed file vanishes",
            (Listed, "units"),
            vanish,
            &["units changed-file", "units/payments.yaml changed-file"] as &[&str],
        ),
        (
            "a file appears in a place that was listed",
            (Listed, "units"),
            |scratch: &Scratch| scratch.put("units/other.yaml", UNIT),
            &["units changed-file"],
        ),
        (
            "and at the end",
            (All, ""),
            |scratch: &Scratch| scratch.put("profiles/other.yaml", BASE),
            &["profiles changed-file"],
        ),
        (
            "a file is away for a moment",
            (All, ""),
            |scratch: &Scratch| {
                fs::rename(scratch.at(PATH), scratch.at("away")).unwrap();
                fs::rename(scratch.at("away"), scratch.at(PATH)).unwrap();
            },
            &["units changed-file", "units/payments.yaml changed-file"],
        ),
        (
            "a place vanishes",
            (Listed, ""),
            |scratch: &Scratch| fs::remove_dir_all(scratch.at("units")).unwrap(),
            &[" changed-file", "units changed-file"],
        ),
        (
            "a place is another directory",
            (All, ""),
            |scratch: &Scratch| {
                fs::rename(scratch.at("units"), scratch.at("old")).unwrap();
                fs::create_dir(scratch.at("units")).unwrap();
                scratch.put(PATH, UNIT);
            },
            &["units changed-file", "units/payments.yaml changed-file"],
        ),
        (
            "halos.yaml vanishes",
            (Listed, ""),
            |scratch: &Scratch| fs::remove_file(scratch.at("halos.yaml")).unwrap(),
            &[" changed-file", "halos.yaml changed-file"],
        ),
        (
            "what is not looked at comes and goes",
            (All, ""),
            |scratch: &Scratch| {
                scratch.put("README.md", "{{{");
                fs::create_dir(scratch.at("other")).unwrap();
            },
            &[],
        ),
    ] {
        let scratch = Scratch::new();
        let told = scratch.told(at, change);
        assert_eq!(told, expected, "{what}");
    }
}

#[test]
fn what_was_written_just_now_is_waited_for() {
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let milliseconds = Duration::from_millis;
    for (age, expected) in [(0, 100), (1, 99), (99, 1), (100, 0), (1_000_000, 0)] {
        let now = then + milliseconds(age);
        assert_eq!(unsettled(Some(then), now), milliseconds(expected), "{age}");
    }
    // A clock behind the files'.
    assert_eq!(unsettled(Some(then), then - milliseconds(5_000)), SETTLED);
    assert_eq!(unsettled(None, then), Duration::ZERO);
    // The files' own times are on this clock.
    let scratch = Scratch::new();
    let root = Root::open(&scratch.at("")).unwrap();
    let look = root.find("halos.yaml").unwrap().look;
    let age = SystemTime::now().duration_since(look.identity.written().unwrap());
    assert!(age.unwrap() < Duration::from_secs(3_600), "{look:?}");
}

#[test]
fn a_repository_that_is_renamed_away_is_read_on() {
    let swap = |scratch: &Scratch| {
        scratch.fill("next");
        let units = scratch.0.join("next/units/payments.yaml");
        fs::write(units, "{{{").unwrap();
        fs::rename(scratch.at(""), scratch.0.join("old")).unwrap();
        fs::rename(scratch.0.join("next"), scratch.at("")).unwrap();
    };
    for at in [
        (Moment::Listed, ""),
        (Moment::Listed, "units"),
        (Moment::Looked, "units/payments.yaml"),
        (Moment::Read, "profiles/base.yaml"),
        (Moment::All, ""),
    ] {
        let scratch = Scratch::new();
        assert_eq!(scratch.told(at, swap), [""; 0], "{at:?}");
    }
}

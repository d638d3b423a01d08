//! A directory may hold anything: what is no regular file inside it is never opened.
#![cfg(all(feature = "repository", unix))]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use policy_core::{Code, Finding, Host, Repository};

/// A fresh directory for a test: `outer/repository`, sound as it is.
#[expect(
    clippy::unwrap_used,
    reason = "a test without its directory has failed"
)]
fn repository(test: &str) -> PathBuf {
    let outer = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    if outer.exists() {
        fs::remove_dir_all(&outer).unwrap();
    }
    let root = outer.join("repository");
    fs::create_dir_all(root.join("profiles")).unwrap();
    fs::create_dir_all(root.join("units")).unwrap();
    fs::write(
        root.join("halos.yaml"),
        "rings: { ga: { profile: base, default: true } }",
    )
    .unwrap();
    fs::write(
        root.join("profiles/base.yaml"),
        "egress: { presets: [vcs] }",
    )
    .unwrap();
    root
}

/// `file code`, one a finding.
fn told(root: &Path) -> Vec<String> {
    let repository = Repository::read(root);
    let line = |finding: &Finding| format!("{} {}", finding.file(), finding.code());
    repository.findings().iter().map(line).collect()
}

#[test]
fn a_sound_directory_has_no_findings() {
    let root = repository("sound");
    fs::create_dir_all(root.join(".git/objects")).unwrap();
    fs::write(root.join("README.md"), "{{{").unwrap();
    fs::write(root.join("profiles/.base.yaml.swp"), "{{{").unwrap();
    assert_eq!(told(&root), [""; 0]);
    // Asked for by a link, and by a path that is not plain.
    let link = root.parent().unwrap().join("link");
    symlink(&root, &link).unwrap();
    assert_eq!(told(&link), [""; 0]);
    assert_eq!(told(&root.join("profiles/..")), [""; 0]);
}

#[test]
fn a_directory_that_cannot_be_read_is_told_apart() {
    let root = repository("unreadable");
    assert_eq!(told(&root.join("missing")), [" unreadable"]);
    assert_eq!(told(&root.join("halos.yaml")), [" unreadable"]);
    assert_eq!(told(&root.join("a\0b")), [" unreadable"]);
    let empty = root.join("empty");
    fs::create_dir(&empty).unwrap();
    assert_eq!(told(&empty), [" empty-repository"]);
}

#[test]
fn a_link_is_followed_only_inside() {
    let root = repository("links");
    let outside = root.parent().unwrap().join("outside.yaml");
    fs::write(&outside, "").unwrap();
    let units = root.join("units");
    symlink("../profiles/base.yaml", root.join("profiles/same.yaml")).unwrap();
    symlink(&outside, units.join("outside.yaml")).unwrap();
    symlink("../../outside.yaml", units.join("relative.yaml")).unwrap();
    symlink("nothing.yaml", units.join("broken.yaml")).unwrap();
    symlink("self.yaml", units.join("self.yaml")).unwrap();
    symlink("there.yaml", units.join("here.yaml")).unwrap();
    symlink("here.yaml", units.join("there.yaml")).unwrap();
    symlink("/dev/zero", units.join("zero.yaml")).unwrap();
    symlink("../profiles", units.join("directory.yaml")).unwrap();
    assert_eq!(
        told(&root),
        [
            "units/broken.yaml link-broken",
            "units/directory.yaml not-a-file",
            "units/here.yaml link-loop",
            "units/outside.yaml link-outside",
            "units/relative.yaml link-outside",
            "units/self.yaml link-loop",
            "units/there.yaml link-loop",
            "units/zero.yaml link-outside",
        ]
    );
}

#[test]
fn a_linked_directory_is_read_only_inside() {
    let root = repository("linked-directory");
    fs::remove_dir(root.join("units")).unwrap();
    fs::create_dir(root.join("real")).unwrap();
    fs::write(root.join("real/u.yaml"), "overlay: []").unwrap();
    symlink("real", root.join("units")).unwrap();
    assert_eq!(told(&root), ["units/u.yaml unknown-key"]);
    fs::remove_file(root.join("units")).unwrap();
    symlink("/", root.join("units")).unwrap();
    assert_eq!(told(&root), ["units link-outside"]);
    fs::remove_file(root.join("units")).unwrap();
    symlink("units", root.join("units")).unwrap();
    assert_eq!(told(&root), ["units link-loop"]);
}

#[test]
fn only_regular_files_are_opened() {
    let root = repository("kinds");
    let units = root.join("units");
    // To open it would wait for a writer.
    assert!(
        Command::new("mkfifo")
            .arg(units.join("pipe.yaml"))
            .status()
            .unwrap()
            .success()
    );
    let _listener = UnixListener::bind(units.join("socket.yaml")).unwrap();
    fs::create_dir(units.join("directory.yaml")).unwrap();
    fs::create_dir(units.join("sub")).unwrap();
    fs::write(units.join("sub/u.yaml"), "").unwrap();
    assert_eq!(
        told(&root),
        [
            "units/directory.yaml not-a-file",
            "units/pipe.yaml not-a-file",
            "units/socket.yaml not-a-file",
            "units/sub stray-file",
        ]
    );
    fs::remove_file(root.join("halos.yaml")).unwrap();
    fs::create_dir(root.join("halos.yaml")).unwrap();
    fs::remove_dir_all(&units).unwrap();
    fs::write(&units, "").unwrap();
    assert_eq!(told(&root), ["halos.yaml not-a-file", "units not-a-file"]);
}

#[test]
fn a_file_without_permission_is_told() {
    let root = repository("permission");
    let unit = root.join("units/u.yaml");
    fs::write(&unit, "overlay: []").unwrap();
    fs::set_permissions(&unit, fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read it all the same.
    let expected = match fs::read(&unit) {
        Ok(_) => "units/u.yaml unknown-key",
        Err(_) => "units/u.yaml unreadable",
    };
    assert_eq!(told(&root), [expected]);
}

#[test]
fn a_file_over_the_bound_is_not_read() {
    let root = repository("large");
    let unit = fs::File::create(root.join("units/u.yaml")).unwrap();
    // Sparse: it takes no room, and to read it would take an hour.
    unit.set_len(1 << 40).unwrap();
    assert_eq!(told(&root), ["units/u.yaml too-large"]);
    unit.set_len(64 * 1024 * 1024 + 1).unwrap();
    assert_eq!(told(&root), ["units/u.yaml too-large"]);
    unit.set_len(64 * 1024 * 1024).unwrap();
    assert_eq!(told(&root), ["units/u.yaml nul"]);
}

#[test]
fn a_name_that_is_no_utf8_is_told() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let root = repository("names");
    let name = OsStr::from_bytes(b"units/a\xFF.yaml");
    if fs::write(root.join(name), "").is_ok() {
        let repository = Repository::read(&root);
        let [finding] = repository.findings() else {
            panic!()
        };
        assert_eq!(
            (finding.code(), finding.file()),
            (Code::BadName, "units/a\u{FFFD}.yaml")
        );
    }
    fs::write(root.join("back\\slash"), "").unwrap();
    assert!(
        Repository::read(&root)
            .findings()
            .iter()
            .all(|finding| finding.code() == Code::BadName)
    );
}

/// Gives a name in turn to all that may not be read through it, and again to what may.
#[expect(
    clippy::unwrap_used,
    reason = "a test that cannot change its directory has failed"
)]
fn swap(root: &Path, outside: &Path, stop: &AtomicBool) {
    let (unit, units) = (root.join("units/u.yaml"), root.join("units"));
    let (next, away) = (root.join("next"), root.join("away"));
    let pipe = outside.join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let take = |made: std::io::Result<()>| {
        made.unwrap();
        fs::rename(&next, &unit).unwrap();
    };
    while !stop.load(Ordering::Relaxed) {
        take(fs::hard_link(&pipe, &next));
        take(fs::write(&next, "overlays: []"));
        take(symlink(outside.join("u.yaml"), &next));
        take(fs::write(&next, "overlays: []"));
        fs::rename(&units, &away).unwrap();
        symlink(outside, &units).unwrap();
        fs::remove_file(&units).unwrap();
        fs::rename(&away, &units).unwrap();
    }
}

#[test]
fn what_is_swapped_while_it_is_read_is_neither_followed_nor_waited_for() {
    const READS: usize = 2_000;
    let root = repository("swapped");
    let outside = root.parent().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("u.yaml"), "secret: 1").unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let swapper = {
        let (root, stop) = (root.clone(), Arc::clone(&stop));
        thread::spawn(move || swap(&root, &outside, &stop))
    };
    // A reader that waits for a pipe would hold up the test for ever.
    let (sender, findings) = mpsc::channel();
    thread::spawn(move || {
        for _ in 0..READS {
            if sender.send(Repository::read(&root)).is_err() {
                return;
            }
        }
    });
    for _ in 0..READS {
        let repository = findings
            .recv_timeout(Duration::from_secs(60))
            .expect("the reader waits");
        for finding in repository.findings() {
            let told = format!("{finding}");
            assert_ne!(finding.code(), Code::UnknownKey, "{told}");
            assert!(!told.contains("secret"), "{told}");
        }
    }
    stop.store(true, Ordering::Relaxed);
    swapper.join().unwrap();
}

/// Reads for two seconds beside a writer, and says what was answered: `refused`, or the allowed hosts.
#[expect(clippy::unwrap_used, reason = "the hosts are hosts")]
fn answers(root: &Path, stop: &AtomicBool) -> BTreeSet<String> {
    let mut answers = BTreeSet::new();
    let hosts = ["old.example", "new.example", "pastebin.com"];
    let end = Instant::now() + Duration::from_secs(2);
    while Instant::now() < end {
        let validation = Repository::read(root).validate();
        let selection = validation
            .organisation()
            .and_then(|organisation| organisation.select(None, None).ok());
        answers.insert(match selection {
            None => "refused".to_owned(),
            Some(selection) => {
                let allows = |host: &&&str| {
                    let host = Host::parse(host).unwrap();
                    selection.policy().egress().decide(&host).is_allowed()
                };
                hosts
                    .iter()
                    .filter(allows)
                    .copied()
                    .collect::<Vec<_>>()
                    .join(" ")
            }
        });
    }
    stop.store(true, Ordering::Relaxed);
    answers
}

#[test]
fn beside_a_writer_no_answer_is_of_neither_content() {
    // Of the same length, longer than one read of a reader that asks for little at first, and without
    // the last part still a policy.
    let content = |host: &str| {
        let filler = "# as long as a page of memory\n".repeat(200);
        format!("egress:\n  default: deny\n{filler}  allowedDomains: [{host}]\n")
    };
    let (old, new) = (content("old.example"), content("new.example"));
    type Write = fn(&Path, &str);
    let writers: [(&str, Write); 4] = [
        ("truncate", |path, text| fs::write(path, text).unwrap()),
        ("in place", |path, text| {
            use std::io::Write as _;
            let file = fs::OpenOptions::new().write(true).open(path);
            file.unwrap().write_all(text.as_bytes()).unwrap();
        }),
        ("unlink and create", |path, text| {
            fs::remove_file(path).unwrap();
            fs::write(path, text).unwrap();
        }),
        ("rename", |path, text| {
            let next = path.with_file_name(".next");
            fs::write(&next, text).unwrap();
            fs::rename(next, path).unwrap();
        }),
    ];
    for (name, write) in writers {
        let root = repository("writer");
        let path = root.join("profiles/base.yaml");
        fs::write(&path, &old).unwrap();
        let stop = AtomicBool::new(false);
        let answers = thread::scope(|scope| {
            let reader = scope.spawn(|| answers(&root, &stop));
            while !stop.load(Ordering::Relaxed) {
                write(&path, &new);
                write(&path, &old);
            }
            reader.join().unwrap()
        });
        let sound = ["old.example", "new.example", "refused"];
        assert!(
            answers.iter().all(|answer| sound.contains(&&**answer)),
            "{name}: {answers:?}"
        );
        assert_eq!(told(&root), [""; 0], "{name}: when the writer is done");
    }
}

#[test]
fn beside_whole_directories_every_answer_is_of_one_of_them() {
    let root = repository("deployed");
    let outer = root.parent().unwrap();
    // What the halves of two repositories together would allow is in neither.
    let fill = |root: &Path, host: &str, other: &str| {
        let profile = format!("egress: {{ default: deny, allowedDomains: [{host}] }}");
        for (path, text) in [
            (
                "halos.yaml",
                format!("rings: {{ ga: {{ profile: {host}, default: true }} }}"),
            ),
            (&format!("profiles/{host}.yaml"), profile),
            (
                &format!("profiles/{other}.yaml"),
                "egress: { default: allow }".to_owned(),
            ),
        ] {
            fs::create_dir_all(root.join("profiles")).unwrap();
            fs::write(root.join(path), text).unwrap();
        }
    };
    fs::remove_dir_all(&root).unwrap();
    fill(&root, "old.example", "new.example");
    fill(&outer.join("next"), "new.example", "old.example");
    let stop = AtomicBool::new(false);
    let answers = thread::scope(|scope| {
        let reader = scope.spawn(|| answers(&root, &stop));
        while !stop.load(Ordering::Relaxed) {
            fs::rename(&root, outer.join("last")).unwrap();
            fs::rename(outer.join("next"), &root).unwrap();
            fs::rename(outer.join("last"), outer.join("next")).unwrap();
        }
        reader.join().unwrap()
    });
    let sound = ["old.example", "new.example", "refused"];
    assert!(
        answers.iter().all(|answer| sound.contains(&&**answer)),
        "{answers:?}"
    );
}

#[test]
fn a_link_that_climbs_out_and_comes_back_leaves_the_repository() {
    let root = repository("climbing");
    let profiles = root.join("profiles");
    let absolute = fs::canonicalize(&profiles).unwrap().join("base.yaml");
    symlink(absolute, profiles.join("absolute.yaml")).unwrap();
    symlink(
        "../../repository/profiles/base.yaml",
        profiles.join("back.yaml"),
    )
    .unwrap();
    symlink(
        "../profiles/../profiles/base.yaml",
        profiles.join("inside.yaml"),
    )
    .unwrap();
    symlink("base.yaml/x", profiles.join("through.yaml")).unwrap();
    assert_eq!(
        told(&root),
        [
            "profiles/back.yaml link-outside",
            "profiles/through.yaml link-broken",
        ]
    );
}

#[test]
fn another_case_is_an_error() {
    for (from, to) in [
        ("halos.yaml", "Halos.yaml"),
        ("halos.yaml", "HALOS.YAML"),
        ("profiles", "Profiles"),
        ("units", "Units"),
    ] {
        let root = repository("case");
        fs::rename(root.join(from), root.join(to)).unwrap();
        let expected = format!("{to} stray-file");
        assert!(told(&root).contains(&expected), "{to}: {:?}", told(&root));
    }
}

//! The cases that no checked-in repository can hold.

use core::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use policy_core::{Code, Repository};

const HALOS: &str = "gateway: https://ai.acme.example
rings: { ga: { profile: base, default: true } }
";
const BASE: &str = "sandbox: { mode: workspace-write }
egress:
  allowedDomains: [ai.acme.example]
";

/// The repository of a code's case.
pub(super) fn repository(code: Code) -> Repository {
    match code {
        Code::Unreadable => Repository::read(Path::new("no-such-directory")),
        Code::TooManyFiles => {
            let units = (0..20_000).map(|n| (format!("units/u{n}.yaml"), b"{}".to_vec()));
            with(units)
        }
        Code::ChangedFile => written_meanwhile(code),
        Code::LinkOutside => linked(code, "/etc/hostname"),
        Code::LinkBroken => linked(code, "nothing.yaml"),
        Code::LinkLoop => linked(code, "payments.yaml"),
        Code::DuplicateFile => with([("profiles/base.yaml".to_owned(), BASE.into())]),
        Code::TooLarge => {
            let root = on_disk(code);
            let unit = fs::File::create(root.join("units/payments.yaml")).unwrap();
            // Sparse: it takes no room.
            unit.set_len(64 * 1024 * 1024 + 1).unwrap();
            Repository::read(&root)
        }
        Code::NotUtf8 => engineering(b"# m\xFCnchen\nextends: base\n".to_vec()),
        Code::Nul => engineering(b"extends: base\0\n".to_vec()),
        Code::ControlCharacter => engineering("# \u{202E}esab :sdnetxe\n".into()),
        Code::TooManyValues => {
            let entries = "1,".repeat(4 * 1024 * 1024 + 1);
            engineering(format!("egress: {{ deniedDomains: [{entries}] }}\n").into())
        }
        Code::MoreFindings => {
            let entries: String = (0..1_001).map(|n| format!("Host{n}.example,")).collect();
            engineering(format!("egress: {{ deniedDomains: [{entries}] }}\n").into())
        }
        Code::MoreWarnings => {
            let entries = "paste.example,".repeat(1_002);
            let text = format!("extends: base\negress: {{ deniedDomains: [{entries}] }}\n");
            engineering(text.into())
        }
        Code::TooManyEntries => too_many_entries(),
        other => panic!("{other} has neither a case nor code that builds one"),
    }
}

/// A sound repository and more files.
fn with(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Repository {
    let sound = [("halos.yaml", HALOS), ("profiles/base.yaml", BASE)];
    let sound = sound.map(|(path, text)| (path.to_owned(), text.into()));
    Repository::from_files(sound.into_iter().chain(files))
}

/// A sound repository, as a reader saw it beside a writer.
fn written_meanwhile(code: Code) -> Repository {
    let root = on_disk(code);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                fs::write(root.join("profiles/base.yaml"), BASE).unwrap();
            }
        });
        let changed = loop {
            let repository = Repository::read(&root);
            // The file is also seen empty now and then.
            if let [finding] = repository.findings()
                && finding.code() == code
                && finding.file() == "profiles/base.yaml"
            {
                break repository;
            }
        };
        stop.store(true, Ordering::Relaxed);
        changed
    })
}

/// A sound repository and one more profile.
fn engineering(bytes: Vec<u8>) -> Repository {
    with([("profiles/engineering.yaml".to_owned(), bytes)])
}

/// A sound repository in a fresh directory.
fn on_disk(code: Code) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("refusals")
        .join(code.as_str());
    if root.exists() {
        fs::remove_dir_all(&root).unwrap();
    }
    for place in ["profiles", "units"] {
        fs::create_dir_all(root.join(place)).unwrap();
    }
    fs::write(root.join("halos.yaml"), HALOS).unwrap();
    fs::write(root.join("profiles/base.yaml"), BASE).unwrap();
    root
}

#[cfg(unix)]
fn linked(code: Code, target: &str) -> Repository {
    let root = on_disk(code);
    std::os::unix::fs::symlink(target, root.join("units/payments.yaml")).unwrap();
    Repository::read(&root)
}

/// Rings and overlays whose product is too much, although each file is small.
fn too_many_entries() -> Repository {
    let mut halos = String::from("gateway: https://ai.acme.example\nrings:\n");
    let mut unit = String::from("overlays:\n");
    for n in 0..4_001 {
        writeln!(halos, "  r{n}: {{ profile: base }}").unwrap();
        unit.push_str("  - rings: [r0]\n");
    }
    Repository::from_files(
        [
            ("halos.yaml", halos.as_str()),
            ("profiles/base.yaml", BASE),
            ("units/u.yaml", &unit),
        ]
        .map(|(path, text)| (path.to_owned(), text.into())),
    )
}

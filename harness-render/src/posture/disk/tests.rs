//! Everything that can stand in a file's place, and everything that can happen to it meanwhile.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::super::obstacle::Obstacle;
use super::super::parse::MOST_BYTES;
use super::listing::{Content, Moment};
use super::{Root, Wanted, portable};

/// A directory that is removed when it is done with.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        // Short, for a socket's name.
        let path = std::env::temp_dir().join(format!("halo-{}-{count}", std::process::id()));
        fs::create_dir(&path).unwrap();
        let scratch = Self(path);
        scratch.mode("", 0o755);
        scratch
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    fn put(&self, path: &str, bytes: &[u8]) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), bytes).unwrap();
        self.mode(path, 0o644);
    }

    fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.at(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    fn root(&self) -> Root {
        Root::open(&self.0).unwrap()
    }

    fn read(&self, path: &str) -> Result<Option<Content>, Obstacle> {
        self.root().read(Path::new(path))
    }

    /// What both readers say, where they agree.
    fn both(&self, path: &str) -> Result<Option<Vec<u8>>, Obstacle> {
        let bytes = |read: Result<Option<Content>, Obstacle>| {
            read.map(|content| content.map(|content| content.bytes))
        };
        let here = bytes(self.read(path));
        let elsewhere = portable::Root::open(&self.0).unwrap().read(Path::new(path));
        assert_eq!(here, bytes(elsewhere), "{path}");
        here
    }

    fn during(&self, moment: Moment, mut change: impl FnMut(&Self)) -> Obstacle {
        let root = self.root();
        let mut at = |now| {
            if now == moment {
                change(self);
            }
        };
        root.read_watched(Path::new("d/f"), &mut at).unwrap_err()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_regular_file_is_read_up_to_one_mebibyte() {
    let scratch = Scratch::new();
    assert_eq!(scratch.both("d/f"), Ok(None));
    for length in [0, 1, MOST_BYTES] {
        scratch.put("d/f", &vec![b'x'; length]);
        assert_eq!(scratch.both("d/f"), Ok(Some(vec![b'x'; length])));
    }
    scratch.put("d/f", &vec![b'x'; MOST_BYTES + 1]);
    assert_eq!(scratch.both("d/f"), Err(Obstacle::TooLarge));
}

#[test]
fn nothing_but_a_regular_file_is_opened() {
    let scratch = Scratch::new();
    scratch.put("d/f", b"content");
    fs::create_dir(scratch.at("directory")).unwrap();
    mknodat(CWD, scratch.at("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    let _socket = UnixListener::bind(scratch.at("socket")).unwrap();
    for name in ["directory", "pipe", "socket"] {
        assert_eq!(scratch.both(name), Err(Obstacle::NotAFile), "{name}");
    }
    for (name, target) in [
        ("link", "d/f"),
        ("absolute", "/etc/passwd"),
        ("itself", "itself"),
        ("dangling", "nowhere"),
        ("to-directory", "d"),
    ] {
        symlink(target, scratch.at(name)).unwrap();
        assert_eq!(scratch.both(name), Err(Obstacle::Link), "{name}");
    }
    let device = Root::open(Path::new("/dev")).unwrap();
    assert_eq!(device.read(Path::new("null")), Err(Obstacle::NotAFile));
}

#[test]
fn a_link_on_the_way_is_followed_only_where_the_superuser_placed_it() {
    let scratch = Scratch::new();
    scratch.put("d/f", b"content");
    for (name, target) in [
        ("near", "d"),
        ("itself", "itself"),
        ("dangling", "nowhere"),
        ("file", "d/f"),
    ] {
        symlink(target, scratch.at(name)).unwrap();
    }
    // Whoever owns the root is the superuser of the tree.
    let content = scratch.read("near/f").unwrap().unwrap();
    assert_eq!(content.bytes, b"content");
    assert_eq!(scratch.read("dangling/f"), Ok(None));
    assert_eq!(scratch.read("itself/f"), Err(Obstacle::Path));
    assert_eq!(scratch.read("file/f"), Err(Obstacle::Path));
    assert_eq!(scratch.read("d/f/f"), Err(Obstacle::Path));
    // Nor does another user's directory count, whose owner may change the link at any moment. Only the
    // superuser can give a directory away.
    scratch.put("theirs/f", b"content");
    symlink("../d", scratch.at("theirs/link")).unwrap();
    if std::os::unix::fs::chown(scratch.at("theirs"), Some(1), None).is_ok() {
        assert_eq!(scratch.read("theirs/link/f"), Err(Obstacle::Path));
        assert!(!scratch.read("theirs/f").unwrap().unwrap().is_guarded);
    }
    // A directory that others write is no place for a link to be trusted.
    for mode in [0o757, 0o775] {
        scratch.mode("", mode);
        assert_eq!(scratch.read("near/f"), Err(Obstacle::Path), "{mode:o}");
        assert_eq!(scratch.read("dangling/f"), Err(Obstacle::Path), "{mode:o}");
    }
}

#[test]
fn nothing_leads_out_of_the_root() {
    let scratch = Scratch::new();
    scratch.put("secret", b"outside");
    scratch.put("tree/secret", b"inside");
    for (name, target) in [
        ("up", ".."),
        ("far-up", "../../../../.."),
        ("absolute", "/"),
    ] {
        symlink(target, scratch.at(&format!("tree/{name}"))).unwrap();
    }
    scratch.mode("tree", 0o755);
    let tree = Root::open(&scratch.at("tree")).unwrap();
    for path in [
        "secret",
        "../secret",
        "/secret",
        "up/secret",
        "far-up/secret",
        "absolute/secret",
        "up/../../secret",
    ] {
        let content = tree.read(Path::new(path)).unwrap().unwrap();
        assert_eq!(content.bytes, b"inside", "{path}");
    }
    for path in ["", "/", "..", "."] {
        assert_eq!(
            tree.read(Path::new(path)),
            Err(Obstacle::NotAFile),
            "{path}"
        );
    }
}

#[test]
fn a_file_that_changes_meanwhile_is_not_read() {
    type Change = fn(&Scratch);
    let rename: Change = |scratch| {
        scratch.put("d/g", b"swapped");
        fs::rename(scratch.at("d/g"), scratch.at("d/f")).unwrap();
    };
    let link: Change = |scratch| {
        fs::remove_file(scratch.at("d/f")).unwrap();
        symlink("/etc/passwd", scratch.at("d/f")).unwrap();
    };
    let pipe: Change = |scratch| {
        fs::remove_file(scratch.at("d/f")).unwrap();
        mknodat(CWD, scratch.at("d/f"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    };
    let remove: Change = |scratch| fs::remove_file(scratch.at("d/f")).unwrap();
    let grow: Change = |scratch| scratch.put("d/f", &[b'x'; 100]);
    let overgrow: Change = |scratch| scratch.put("d/f", &vec![b'x'; MOST_BYTES + 1]);
    let truncate: Change = |scratch| scratch.put("d/f", b"");
    for (what, change, moment, obstacle) in [
        ("rename", rename, Moment::Looked, Obstacle::Replaced),
        ("rename", rename, Moment::Opened, Obstacle::Changed),
        ("rename", rename, Moment::Read, Obstacle::Changed),
        ("link", link, Moment::Looked, Obstacle::Replaced),
        ("link", link, Moment::Opened, Obstacle::Changed),
        ("pipe", pipe, Moment::Looked, Obstacle::Replaced),
        ("remove", remove, Moment::Looked, Obstacle::Replaced),
        ("remove", remove, Moment::Read, Obstacle::Changed),
        ("grow", grow, Moment::Opened, Obstacle::Changed),
        ("grow", grow, Moment::Read, Obstacle::Changed),
        ("grow", grow, Moment::Looked, Obstacle::Replaced),
        ("overgrow", overgrow, Moment::Looked, Obstacle::Replaced),
        ("overgrow", overgrow, Moment::Opened, Obstacle::TooLarge),
        ("truncate", truncate, Moment::Opened, Obstacle::Changed),
        ("truncate", truncate, Moment::Read, Obstacle::Changed),
    ] {
        let scratch = Scratch::new();
        scratch.put("d/f", b"as it was");
        assert_eq!(
            scratch.during(moment, change),
            obstacle,
            "{what} at {moment:?}"
        );
    }
}

#[test]
fn a_directory_replaced_on_the_way_changes_nothing() {
    let scratch = Scratch::new();
    scratch.put("d/f", b"content");
    let root = scratch.root();
    let mut swap = |moment| {
        if moment == Moment::Looked {
            fs::rename(scratch.at("d"), scratch.at("moved")).unwrap();
            symlink("/etc", scratch.at("d")).unwrap();
        }
    };
    let read = root.read_watched(Path::new("d/f"), &mut swap);
    assert_eq!(read.unwrap().unwrap().bytes, b"content");
}

#[test]
fn what_others_can_write_is_told() {
    let scratch = Scratch::new();
    scratch.put("d/f", b"content");
    scratch.mode("d", 0o755);
    let is_guarded = || scratch.read("d/f").unwrap().unwrap().is_guarded;
    assert!(is_guarded());
    for (path, bad, good) in [
        ("d/f", 0o666, 0o644),
        ("d/f", 0o664, 0o444),
        ("d", 0o777, 0o755),
        ("d", 0o775, 0o755),
        ("", 0o777, 0o755),
    ] {
        scratch.mode(path, bad);
        assert!(!is_guarded(), "{path} {bad:o}");
        scratch.mode(path, good);
        assert!(is_guarded(), "{path} {good:o}");
    }
}

#[test]
fn what_may_not_be_read_is_told() {
    let scratch = Scratch::new();
    scratch.put("d/f", b"content");
    scratch.mode("d/f", 0o000);
    // The superuser may read it anyway.
    let readable = fs::read(scratch.at("d/f")).is_ok();
    let expected = if readable {
        Ok(Some(b"content".to_vec()))
    } else {
        Err(Obstacle::Unreadable)
    };
    assert_eq!(scratch.both("d/f"), expected);
}

#[test]
fn names_that_no_system_takes_are_no_panic() {
    let scratch = Scratch::new();
    for path in ["a\0b", &"x".repeat(10_000), &"x/".repeat(10_000)] {
        assert!(matches!(scratch.read(path), Ok(None) | Err(_)), "{path:?}");
    }
}

#[test]
fn a_directory_is_listed_up_to_a_bound() {
    let scratch = Scratch::new();
    let wanted = |deep, hidden| Wanted {
        suffix: ".md",
        deep,
        hidden,
        refuses_links: false,
    };
    let list = |wanted: Wanted| -> Vec<String> {
        let here = scratch.root().list(Path::new("d"), wanted).unwrap();
        let elsewhere = portable::Root::open(&scratch.0)
            .unwrap()
            .list(Path::new("d"), wanted);
        assert_eq!(here, elsewhere.unwrap());
        here.iter().map(|path| path.display().to_string()).collect()
    };
    assert_eq!(list(wanted(true, true)), [""; 0]);
    for path in [
        "d/b.md",
        "d/a.md",
        "d/.c.md",
        "d/x.txt",
        "d/e/f.md",
        "d/e/g/h.md",
    ] {
        scratch.put(path, b"");
    }
    symlink("e", scratch.at("d/link.md")).unwrap();
    assert_eq!(
        list(wanted(false, false)),
        ["d/a.md", "d/b.md", "d/link.md"]
    );
    assert_eq!(
        list(wanted(true, true)),
        [
            "d/.c.md",
            "d/a.md",
            "d/b.md",
            "d/e/f.md",
            "d/e/g/h.md",
            "d/link.md"
        ]
    );
    let deep = "d/".repeat(12);
    scratch.put(&format!("{deep}x.md"), b"");
    assert_eq!(
        scratch.root().list(Path::new("d"), wanted(true, true)),
        Err(Obstacle::TooMany)
    );
    assert_eq!(
        scratch.root().list(Path::new("d/a.md"), wanted(true, true)),
        Err(Obstacle::Path)
    );
}

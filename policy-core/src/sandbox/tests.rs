//! One line a case; the laws of comparing by enumeration of a small world, then by chance.

use alloc::format;
use alloc::string::ToString;
use alloc::vec;

use proptest::prelude::*;

use super::*;
use crate::path::PathError;

fn roots<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<WritableRoot> {
    texts
        .into_iter()
        .map(|text| WritableRoot::parse(text.as_ref()).expect("a root"))
        .collect()
}

fn protected<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<ProtectedPath> {
    texts
        .into_iter()
        .map(|text| ProtectedPath::parse(text.as_ref()).expect("a protected path"))
        .collect()
}

fn sandbox(mode: Mode, writable: &[&str], kept: &[&str]) -> Sandbox {
    Sandbox::new(mode, roots(writable), protected(kept)).expect("no contradiction")
}

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect(text)
}

#[test]
fn a_mode_is_its_name_and_stricter_modes_come_first() {
    for mode in Mode::ALL {
        assert_eq!(mode.as_str().parse(), Ok(mode));
        assert_eq!(mode.to_string(), mode.as_str());
    }
    assert!("Off".parse::<Mode>().is_err());
    assert!("danger-full-access".parse::<Mode>().is_err());
    assert!(Mode::ALL.is_sorted());
    assert_eq!(
        Mode::ALL.map(Mode::as_str),
        ["read-only", "workspace-write", "off"]
    );
}

#[test]
fn a_root_over_or_under_a_protected_path_is_refused() {
    use Overlap::{Over, Under};
    for (root, kept, overlap) in [
        ("~/.keys", "~/.keys", Some(Under)),
        ("~/.keys/x", "~/.keys", Some(Under)),
        ("~/work", "~/work/secret", Some(Over)),
        ("~/.KEYS", "~/.keys", Some(Under)),
        ("~/.keys", "~/.KEYS/config", Some(Over)),
        ("/Users/alice/.keys", "~/.keys", Some(Under)),
        ("/Users/alice/.KEYS", "~/.keys", Some(Under)),
        ("/home/bob/.keys/x", "~/.keys", Some(Under)),
        ("/root/.keys", "~/.keys", Some(Under)),
        ("/ROOT/.keys", "~/.keys", Some(Under)),
        ("/private/var/root/.keys", "~/.keys", Some(Under)),
        ("/var/home/bob/.keys", "~/.keys", Some(Under)),
        ("~/.keys", "/Users/alice/.keys", Some(Under)),
        ("~/.keys", "/var/root/.keys", Some(Under)),
        (
            "~/.keys",
            "/System/Volumes/Data/Users/alice/.keys",
            Some(Under),
        ),
        ("/home/bob/.keys", "/Users/alice/.KEYS", Some(Under)),
        ("~/work", "/home/bob", Some(Under)),
        ("~/work", "/home", Some(Under)),
        ("~/work", "/Users", Some(Under)),
        ("~/work", "/users", Some(Under)),
        ("~/work", "/var", Some(Under)),
        ("~/work", "/private", Some(Under)),
        ("~/work", "/var/home", Some(Under)),
        ("/home/bob/work", "/private/var", Some(Under)),
        ("/home/bob/work", "/Users", Some(Under)),
        ("/var/cache/x", "/var", Some(Under)),
        ("/var/cache/x", "/private", Some(Under)),
        ("/var/cache/x", "/private/var/cache", Some(Under)),
        ("/private/var/cache/x", "/var/cache", Some(Under)),
        ("/private/work", "/private", Some(Under)),
        ("/tmp/x", "/private/tmp", Some(Under)),
        ("/opt/cache", "/opt", Some(Under)),
        ("/opt/cache", "/opt/cache/keys", Some(Over)),
        ("/opt/cache", "/opt/cache/*.pem", Some(Under)),
        ("/opt/cache", "/opt/*/keys", Some(Under)),
        ("/opt/cache", "/*/keys", Some(Under)),
        ("~/work", "/*/keys", Some(Under)),
        ("~/work", "~/**/.env*", Some(Under)),
        ("~/work", "~/w*", Some(Under)),
        ("~/work", "/Users/*/.ssh", Some(Under)),
        ("/opt/a", "/opt/a/b/**", Some(Over)),
        ("/opt/straße", "/opt/STRASSE", Some(Under)),
        ("/opt/ÉTÉ/x", "/opt/été", Some(Under)),
        // macOS shows the start disk a second time; WSL shows Windows' homes.
        (
            "/Volumes/Macintosh HD/Users/alice/notes",
            "~/notes",
            Some(Under),
        ),
        ("/volumes/macintosh hd/opt/cache", "/opt", Some(Under)),
        ("/opt/cache", "/Volumes/Macintosh HD/opt", Some(Under)),
        ("/Volumes/d/opt/cache", "/Volumes/d", Some(Under)),
        ("/Volumes/d/opt/cache", "/opt", None),
        ("/mnt/c/Users/alice/work", "~/work/x", Some(Over)),
        ("/mnt/c/Users/alice/work", "/mnt", Some(Under)),
        ("/mnt/c/Users/alice/work", "/mnt/c", Some(Under)),
        ("/mnt/c/Users/alice/work", "/mnt/c/Users", Some(Under)),
        ("/mnt/c/Users/alice/work", "/mnt/d", None),
        ("/opt/cache", "/opt/cachet", None),
        ("/opt/cachet", "/opt/cache", None),
        ("/opt/cache", "/opt/cache.d/x", None),
        ("/opt/cache", "/opt/a", None),
        ("/opt/cache", "/opt/z", None),
        ("/opt/cache", "~/cache", None),
        ("~/work", "/opt/work", None),
        ("~/work", "/root-work", None),
        ("~/work", "~/.ssh", None),
        ("~/work", "/etc", None),
        ("~/work", "/Library", None),
        ("/var/cache/x", "/private/tmp", None),
        ("/opt/cache", "/private", None),
        ("/opt/cache", "/home", None),
        ("/opt/cache", "~/**/.env*", None),
        ("~/work", ".env*", None),
        ("~/work", "**/secret", None),
        ("~/work", "work/secret", None),
        ("/opt/cache", "*.pem", None),
    ] {
        let built = Sandbox::new(Mode::WorkspaceWrite, roots([root]), protected([kept]));
        let found = built
            .map(|_| None)
            .unwrap_or_else(|errors| match &errors[..] {
                [SandboxError::RootOverlapsProtected { overlap, .. }] => Some(*overlap),
                other => panic!("{root}, {kept}: {other:?}"),
            });
        assert_eq!(found, overlap, "root {root}, protected {kept}");
    }
}

#[test]
fn a_mode_that_contradicts_the_rest_is_refused() {
    for (mode, writable, kept, codes) in [
        (Mode::ReadOnly, &[][..], &["~/.ssh"][..], &[][..]),
        (
            Mode::ReadOnly,
            &["/opt/a"],
            &[],
            &["read-only-with-writable-roots"],
        ),
        (Mode::WorkspaceWrite, &["/opt/a"], &["~/.ssh"], &[]),
        (Mode::Off, &[], &[], &[]),
        (Mode::Off, &["/opt/a"], &[], &["off-with-writable-roots"]),
        (Mode::Off, &[], &[".env"], &["off-with-protected-paths"]),
        (
            Mode::Off,
            &["/opt/a"],
            &[".env"],
            &["off-with-writable-roots", "off-with-protected-paths"],
        ),
        (
            Mode::ReadOnly,
            &["/opt/a", "/opt/b", "/opt/c"],
            &["/opt/a", "/opt/c/x", "/opt/c/y"],
            &[
                "read-only-with-writable-roots",
                "root-overlaps-protected",
                "root-overlaps-protected",
            ],
        ),
    ] {
        let built = Sandbox::new(mode, roots(writable), protected(kept));
        let errors = built.err().unwrap_or_default();
        let found: Vec<_> = errors.iter().map(SandboxError::code).collect();
        assert_eq!(found, codes, "{mode}, {writable:?}, {kept:?}");
        assert!(errors.iter().all(|error| !error.help().is_empty()));
    }
}

#[test]
fn an_overlap_is_told_by_both_paths() {
    let built = Sandbox::new(
        Mode::WorkspaceWrite,
        roots(["~/a", "~/.KEYS"]),
        protected(["~/.keys", "~/a/b"]),
    );
    let told: Vec<_> = built.unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "writable root `~/.KEYS` is at or under protected path `~/.keys`",
            "writable root `~/a` is over protected path `~/a/b`",
        ],
    );
}

#[test]
fn protection_wins_over_a_root_and_the_mode_over_both() {
    let policy = |mode: Mode| match mode {
        Mode::ReadOnly => sandbox(mode, &[], &["~/.ssh", ".env"]),
        Mode::WorkspaceWrite => sandbox(mode, &["/opt/cache", "~/work"], &["~/.ssh", ".env"]),
        Mode::Off => Sandbox::unrestricted().clone(),
    };
    use Access::{None, Read, ReadWrite};
    for (text, access) in [
        (".", [Read, ReadWrite, ReadWrite]),
        ("src/lib.rs", [Read, ReadWrite, ReadWrite]),
        ("app/.env", [None, None, ReadWrite]),
        ("~/.ssh/id", [None, None, ReadWrite]),
        ("~/.profile", [Read, Read, ReadWrite]),
        ("~", [Read, Read, ReadWrite]),
        ("~/work", [Read, ReadWrite, ReadWrite]),
        ("~/work/a", [Read, ReadWrite, ReadWrite]),
        ("~/workshop", [Read, Read, ReadWrite]),
        ("/opt/cache/a", [Read, ReadWrite, ReadWrite]),
        ("/opt/cached", [Read, Read, ReadWrite]),
        ("/", [Read, Read, ReadWrite]),
    ] {
        let found = Mode::ALL.map(|mode| policy(mode).access(&path(text)));
        assert_eq!(found, access, "{text}");
    }
}

#[test]
fn on_a_device_every_spelling_of_a_path_counts() {
    let policy = sandbox(
        Mode::WorkspaceWrite,
        &["/opt/cache", "~/work"],
        &["~/.ssh", ".env", "/home/a/keys", "~/work2/app/x"],
    );
    use Access::{None, Read, ReadWrite};
    for (text, workspace, access) in [
        ("/home/a/.ssh/id", "/src", None),
        ("~/.ssh/id", "/src", None),
        ("~/keys/k", "/src", None),
        ("/home/a/keys", "/src", None),
        (".ssh", "/home/a", None),
        ("keys", "~", None),
        ("/src/.env", "/src", None),
        ("/src/a/.env/b", "/src", None),
        ("/src/a", "/src", ReadWrite),
        ("/src", "/src", ReadWrite),
        ("/srcs", "/src", Read),
        ("/home/a/work/x", "/src", ReadWrite),
        ("/home/a/work/.env", "~/work", None),
        ("~/work/.env", "/src", ReadWrite),
        ("x", "~/work2/app", None),
        ("y", "~/work2/app", ReadWrite),
        ("~/work2/app/y", "/home/a/work2/app", ReadWrite),
        ("/home/b/.ssh", "/src", Read),
        ("cache", "/opt", ReadWrite),
    ] {
        let found = policy.access_at(&path(text), &path("/home/a"), &path(workspace));
        assert_eq!(found, access, "{text} with workspace {workspace}");
    }
}

#[test]
fn every_difference_is_told_with_a_path() {
    let read_only = sandbox(Mode::ReadOnly, &[], &["~/.ssh"]);
    let parent = sandbox(Mode::WorkspaceWrite, &["/opt/cache"], &["~/.ssh", ".env*"]);
    let child = sandbox(
        Mode::WorkspaceWrite,
        &["/opt/cache/a", "~/work"],
        &["~/.ssh/id", "/etc/*"],
    );
    let told = |a: &Sandbox, b: &Sandbox| -> Vec<_> {
        a.difference(b).iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        told(&child, &parent),
        [
            "writable root `~/work` is in no writable root there",
            "protected path `.env*` is missing here: `.env` is readable here",
            "protected path `~/.ssh` is missing here: `~/.ssh` is readable here",
        ],
    );
    assert_eq!(
        told(&parent, &read_only),
        [
            "mode is `workspace-write` here and `read-only` there: `.` is writable here",
            "writable root `/opt/cache` is in no writable root there",
        ],
    );
    assert_eq!(
        told(Sandbox::unrestricted(), &read_only),
        [
            "mode is `off` here and `read-only` there: `/` is writable here",
            "protected path `~/.ssh` is missing here: `~/.ssh` is readable here",
        ],
    );
    assert_eq!(
        told(
            &sandbox(Mode::ReadOnly, &[], &["~/[a-z_]*"]),
            &sandbox(Mode::ReadOnly, &[], &["~/[a-z]*"])
        ),
        ["protected path `~/[a-z]*` is missing here, and nothing here is proved to cover it"],
    );
    for policy in [&read_only, &parent, &child] {
        assert_eq!(told(policy, Sandbox::unrestricted()), [""; 0]);
    }
}

#[test]
fn a_protected_path_is_covered_by_what_protects_its_literal_part() {
    for (kept, other, covered) in [
        ("~/.ssh", "~/.ssh", true),
        ("~/.ssh", "~/.ssh/id", true),
        ("~/.ssh", "~/.ssh/**", true),
        ("~/.ssh/**", "~/.ssh", true),
        ("~/.ssh", "~/.ssh/*.pem", true),
        ("~/.ssh", "~/.ssh/**/id", true),
        ("~/.s*", "~/.ssh", true),
        ("~/.s*", "~/.ssh/a/*", true),
        ("~/**/keys", "~/a/b/keys/c", true),
        (".env", "**/.env", true),
        (".env", "a/.env/b", true),
        (".env*", "a/.env.local", true),
        (".env*", ".env", true),
        (".env*", "**/.env/*.pem", true),
        ("**/a", "**/b/a/c", true),
        ("~/**/*.pem", "~/**/x.pem", true),
        ("~/**/*.pem", "~/*/x.pem", false),
        ("*/b", "a/b", true),
        ("*/b", "**/a/b", false),
        ("~/*/b", "~/**/a/b", false),
        ("secrets", "secrets/*.pem", true),
        ("secrets/**", "secrets/a", true),
        ("~/.ssh/id", "~/.ssh", false),
        ("~/.SSH", "~/.ssh", false),
        ("/home/a/.ssh", "~/.ssh", false),
        ("~/.ssh/*", "~/.ssh", false),
        ("~/.ss", "~/.ssh", false),
        ("secrets/**", "secrets", false),
        ("a/.env", ".env", false),
        (".env", ".env*", false),
        ("~/.env", ".env", false),
    ] {
        let here = sandbox(Mode::ReadOnly, &[], &[kept]);
        let there = sandbox(Mode::ReadOnly, &[], &[other]);
        assert_eq!(
            here.is_within(&there).is_ok(),
            covered,
            "{kept} covers {other}"
        );
    }
}

/// A world small enough to ask about every path: names `a`, `b`, and `_` for all others.
fn world() -> Vec<FilePath> {
    let names = ["a", "b", "_"];
    let mut all = vec![];
    for anchor in ["~", ".", "/opt"] {
        all.push(path(anchor));
        for first in names {
            all.push(path(&format!("{anchor}/{first}")));
            for second in names {
                all.push(path(&format!("{anchor}/{first}/{second}")));
                for third in names {
                    all.push(path(&format!("{anchor}/{first}/{second}/{third}")));
                }
            }
        }
    }
    all
}

/// No entry, one, or two of a list.
fn pairs(entries: &[&'static str]) -> Vec<Vec<&'static str>> {
    let mut all = vec![vec![]];
    for (index, &first) in entries.iter().enumerate() {
        all.push(vec![first]);
        all.extend(
            entries
                .iter()
                .skip(index + 1)
                .map(|&second| vec![first, second]),
        );
    }
    all
}

/// Compares every policy with every other, by `is_within` and by asking about every path.
fn check_all_pairs(policies: &[Sandbox]) {
    let world = world();
    let grants: Vec<Vec<Access>> = policies
        .iter()
        .map(|policy| world.iter().map(|path| policy.access(path)).collect())
        .collect();
    let mut within = vec![vec![false; policies.len()]; policies.len()];
    for (a, here) in policies.iter().enumerate() {
        for (b, there) in policies.iter().enumerate() {
            let really = grants[a].iter().zip(&grants[b]).all(|(a, b)| a <= b);
            let answer = here.is_within(there);
            within[a][b] = answer.is_ok();
            match &answer {
                Ok(()) => assert!(really, "{here:?} is not within {there:?}"),
                Err(SandboxWitness::NotProved { protected }) => {
                    assert!(protected.is_glob(), "{protected} can be settled");
                }
                Err(witness) => assert_witness_is_real(here, there, witness),
            }
            let all = here.difference(there);
            assert_eq!(all.first(), answer.as_ref().err());
            for witness in &all {
                if witness.path().is_some() {
                    assert_witness_is_real(here, there, witness);
                }
            }
            let proved = all.iter().all(|witness| witness.path().is_some());
            assert!(!proved || really == answer.is_ok(), "{here:?}, {there:?}");
        }
    }
    for a in 0..policies.len() {
        assert!(within[a][a], "{:?} is within itself", policies[a]);
        for b in (0..policies.len()).filter(|&b| within[a][b]) {
            for c in (0..policies.len()).filter(|&c| within[b][c]) {
                let [a, b, c] = [a, b, c].map(|index| (index, &policies[index]));
                assert!(within[a.0][c.0], "{:?} ≤ {:?} ≤ {:?}", a.1, b.1, c.1);
            }
        }
    }
}

fn assert_witness_is_real(here: &Sandbox, there: &Sandbox, witness: &SandboxWitness) {
    let path = witness.path().expect("a witness with a path");
    assert!(here.access(path) > there.access(path), "{witness}");
    let wanted = match witness {
        SandboxWitness::Unprotected { protected, .. } => {
            assert!(protected.matches(path), "{witness}");
            there.access(path) == Access::None
        }
        _ => here.access(path) == Access::ReadWrite,
    };
    assert!(wanted, "{witness}");
}

#[test]
fn sandbox_within_agrees_with_enumeration_of_protected_paths() {
    let entries = [
        "~/a", "~/a/b", "~/b", "~/?", "~/a/*", "~/*/b", "~/a/**/b", "~/**/b", "a", "a/**", "a/b",
        "?", "[ab]", "**/a/b", "*/b",
    ];
    let policies: Vec<_> = pairs(&entries)
        .iter()
        .map(|kept| sandbox(Mode::ReadOnly, &[], kept))
        .collect();
    check_all_pairs(&policies);
}

#[test]
fn sandbox_within_agrees_with_enumeration_of_modes_and_roots() {
    let entries = ["~/a", "~/a/b", "~/b", "/opt/a", "/opt/a/b", "/opt/b"];
    let mut policies = vec![Sandbox::unrestricted().clone()];
    for kept in [&[][..], &["~/_"], &["a"], &["*_"]] {
        policies.push(sandbox(Mode::ReadOnly, &[], kept));
        let writable = pairs(&entries);
        policies.extend(
            writable
                .iter()
                .map(|roots| sandbox(Mode::WorkspaceWrite, roots, kept)),
        );
    }
    check_all_pairs(&policies);
}

#[test]
fn literals_are_settled_exactly() {
    let entries = [
        "~/a",
        "~/a/b",
        "~/b/a",
        "/opt/a",
        "/opt/b/a/b",
        "a/b",
        "b/a",
        "a/b/a",
    ];
    let policies: Vec<_> = pairs(&entries)
        .iter()
        .map(|kept| sandbox(Mode::ReadOnly, &[], kept))
        .collect();
    for here in &policies {
        for there in &policies {
            let open = here
                .difference(there)
                .into_iter()
                .filter(|open| open.path().is_none());
            assert_eq!(open.count(), 0);
        }
    }
    check_all_pairs(&policies);
}

fn many(prefix: &str, count: usize) -> Vec<String> {
    (0..count)
        .map(|index| format!("{prefix}{index}/x"))
        .collect()
}

#[test]
fn a_hundred_thousand_roots_and_protected_paths_are_no_matter() {
    let writable = many("/opt/r", 100_000);
    let kept = many("/opt/p", 100_000);
    let build = |writable: &[String], kept: &[String]| {
        Sandbox::new(Mode::WorkspaceWrite, roots(writable), protected(kept))
    };
    let policy = build(&writable, &kept).expect("no overlap");
    assert_eq!(policy.is_within(&policy.clone()), Ok(()));
    let other = build(&many("/opt/s", 100_000), &many("/opt/q", 100_000)).expect("no overlap");
    let difference = policy.difference(&other);
    assert_eq!(difference.len(), 200_000);
    assert!(difference.iter().all(|witness| witness.path().is_some()));
    let errors = build(&writable, &writable).expect_err("every root is protected");
    assert_eq!(errors.len(), 100_000);
}

#[test]
fn many_globs_cost_a_bounded_number_of_steps_and_end_as_not_proved() {
    let stars = |letter: &str| -> Vec<_> {
        let name = |index| format!("~/{}{index}", format!("*{letter}").repeat(40));
        (0..3_000).map(name).collect::<Vec<_>>()
    };
    let build =
        |globs: &[String]| Sandbox::new(Mode::ReadOnly, [], protected(globs)).expect("no roots");
    let difference = build(&stars("a")).difference(&build(&stars("ab")));
    assert_eq!(difference.len(), 3_000);
    assert!(difference.iter().any(|witness| witness.path().is_none()));
}

/// A few names, so that policies meet; with globs, and with a name in another case.
fn protected_path() -> impl Strategy<Value = ProtectedPath> {
    let name = prop_oneof![
        4 => "[abA]{1,2}",
        1 => Just("*".to_string()),
        1 => Just("**".to_string()),
        1 => "[ab]?\\*[ab]?",
        1 => Just("[ab]".to_string()),
        1 => Just("a?".to_string()),
    ];
    (
        prop_oneof![Just(""), Just("~/"), Just("/opt/")],
        prop::collection::vec(name, 1..4),
    )
        .prop_filter_map("refused", |(anchor, names)| {
            ProtectedPath::parse(&format!("{anchor}{}", names.join("/"))).ok()
        })
}

fn writable_root() -> impl Strategy<Value = WritableRoot> {
    let names = prop::collection::vec("[cdC]{1,2}", 1..4);
    (prop_oneof![Just("~/"), Just("/opt/")], names).prop_map(|(anchor, names)| {
        WritableRoot::parse(&format!("{anchor}{}", names.join("/"))).expect("a plain root")
    })
}

fn any_sandbox() -> impl Strategy<Value = Sandbox> {
    let roots = prop::collection::vec(writable_root(), 0..5);
    let kept = prop::collection::vec(protected_path(), 0..6);
    (prop::sample::select(&Mode::ALL[..]), roots, kept).prop_map(|(mode, roots, kept)| match mode {
        Mode::Off => Sandbox::unrestricted().clone(),
        Mode::ReadOnly => Sandbox::new(mode, [], kept).expect("no roots"),
        // Where a root meets a glob's literal part, the root goes.
        Mode::WorkspaceWrite => Sandbox::new(mode, roots, kept.clone())
            .or_else(|_| Sandbox::new(mode, [], kept))
            .expect("no roots"),
    })
}

fn file_path() -> impl Strategy<Value = FilePath> {
    let names = prop::collection::vec("[abcdA_]{1,2}", 0..5);
    (prop_oneof![Just("."), Just("~"), Just("/opt")], names).prop_map(|(anchor, names)| {
        path(
            &[
                &[anchor][..],
                &names.iter().map(String::as_str).collect::<Vec<_>>(),
            ]
            .concat()
            .join("/"),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn sandbox_within_is_a_partial_order(a in any_sandbox(), b in any_sandbox(), c in any_sandbox(), asked in prop::collection::vec(file_path(), 20)) {
        prop_assert_eq!(a.is_within(&a), Ok(()));
        prop_assert_eq!(a.is_within(Sandbox::unrestricted()), Ok(()));
        if a.is_within(&b).is_ok() && b.is_within(&c).is_ok() {
            prop_assert_eq!(a.is_within(&c), Ok(()));
        }
        // Two policies within each other need not be spelled alike, but grant the same.
        if a.is_equivalent(&b) {
            for path in &asked {
                prop_assert_eq!(a.access(path), b.access(path), "{}", path);
            }
        }
    }

    #[test]
    fn sandbox_within_grants_no_more(a in any_sandbox(), b in any_sandbox(), asked in prop::collection::vec(file_path(), 40)) {
        if a.is_within(&b).is_ok() {
            for path in &asked {
                prop_assert!(a.access(path) <= b.access(path), "{}", path);
            }
        }
    }

    #[test]
    fn sandbox_witness_is_real(a in any_sandbox(), b in any_sandbox()) {
        for witness in a.difference(&b) {
            if witness.path().is_some() {
                assert_witness_is_real(&a, &b, &witness);
            }
        }
    }

    #[test]
    fn more_protection_and_fewer_roots_are_always_within(a in any_sandbox(), more in protected_path()) {
        prop_assume!(a.mode() != Mode::Off);
        let kept = a.protected_paths().iter().cloned().chain([more.clone()]);
        let b = Sandbox::new(Mode::ReadOnly, [], kept).expect("no roots");
        prop_assert_eq!(b.is_within(&a), Ok(()));
        prop_assert!(b.protected_paths().contains(&more));
    }

    #[test]
    fn order_and_duplicates_do_not_matter(mut writable in prop::collection::vec(writable_root(), 0..5), mut kept in prop::collection::vec(protected_path(), 0..5)) {
        let once = Sandbox::new(Mode::WorkspaceWrite, writable.clone(), kept.clone());
        writable.reverse();
        kept.reverse();
        writable.extend(writable.clone());
        kept.extend(kept.clone());
        prop_assert_eq!(Sandbox::new(Mode::WorkspaceWrite, writable, kept), once);
    }

    #[test]
    fn an_overlap_is_found_as_by_comparing_every_pair(writable in prop::collection::vec(writable_root(), 0..6), kept in prop::collection::vec("(~|/opt)(/[cdC]{1,2}){1,4}", 0..6)) {
        let kept = protected(&kept);
        let overlapping = |root: &WritableRoot| {
            let root = format!("{root}/").to_lowercase();
            kept.iter().any(|kept| {
                let kept = format!("{kept}/").to_lowercase();
                kept.starts_with(&root) || root.starts_with(&kept)
            })
        };
        let mut expected: Vec<_> = writable.iter().filter(|root| overlapping(root)).cloned().collect();
        expected.sort();
        expected.dedup();
        let errors = Sandbox::new(Mode::WorkspaceWrite, writable, kept.clone()).err().unwrap_or_default();
        let found: Vec<_> = errors.into_iter().map(|error| match error {
            SandboxError::RootOverlapsProtected { root, .. } => root,
            other => panic!("{other}"),
        }).collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn a_path_error_is_an_error_and_so_is_a_contradiction() {
    fn is_error(_: &dyn core::error::Error) {}
    is_error(&PathError::Empty);
    is_error(&SandboxError::OffWithRoots);
}

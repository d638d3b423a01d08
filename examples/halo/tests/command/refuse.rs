//! A policy with errors, or none at all, never yields a decision.

use std::path::Path;

use super::{ACME, Answer, HALOS, about, ask, command, halo, policy, run};

/// Every way to ask for an answer, each with the same policy.
fn every_question(directory: &Path) -> Vec<(&'static str, Answer)> {
    vec![
        ("test", about(directory, &["egress", "test", "github.com"])),
        (
            "test as JSON",
            about(
                directory,
                &["egress", "test", "github.com", "--output", "json"],
            ),
        ),
        ("many", ask(directory, &[], b"github.com\n")),
        (
            "many as JSON",
            ask(directory, &["--output", "json"], b"github.com\n"),
        ),
        (
            "explain",
            about(directory, &["egress", "explain", "github.com"]),
        ),
        ("diff", about(directory, &["egress", "diff", "ga", "ga"])),
    ]
}

fn refused(directory: &Path, complaint: &str) {
    for (question, answer) in every_question(directory) {
        assert_eq!(answer.status, 2, "{question}");
        assert!(
            !answer.stdout.contains("ALLOW"),
            "{question}: {}",
            answer.stdout
        );
        assert!(
            !answer.stdout.contains("\"allow\""),
            "{question}: {}",
            answer.stdout
        );
        assert!(
            answer.stderr.contains(complaint),
            "{question}: {}",
            answer.stderr
        );
    }
}

#[test]
fn a_policy_with_errors_decides_nothing() {
    let base = (
        "profiles/base.yaml",
        "sandbox: { mode: off }\negress: { deniedDomains: [a.example] }",
    );
    let directory = policy("errors", &[HALOS, base]);
    refused(&directory, "has 1 error");
    let answer = about(&directory, &["validate"]);
    assert_eq!(answer.status, 1);
    assert_eq!(answer.stdout.lines().last(), Some("1 errors, 1 warnings"));
    // An error in a file that the question is not about refuses it all the same.
    let other = (
        "profiles/other.yaml",
        "egress: { allowedDomain: [a.example] }",
    );
    refused(
        &policy(
            "errors-elsewhere",
            &[HALOS, ("profiles/base.yaml", "{}"), other],
        ),
        "has 1 error",
    );
}

#[test]
fn a_directory_that_cannot_be_read_is_no_policy() {
    let missing = policy("missing", &[]).join("nothing");
    refused(&missing, "cannot read the policy directory");
    for output in ["text", "json"] {
        let answer = about(&missing, &["validate", "--output", output]);
        assert_eq!(answer.status, 2, "{output}");
        assert!(answer.stdout.contains("unreadable"), "{}", answer.stdout);
    }
    let empty = policy("empty", &[]);
    refused(&empty, "error[empty-repository]");
    assert_eq!(about(&empty, &["validate"]).status, 2);
    let file = policy("file", &[HALOS]).join("halos.yaml");
    refused(&file, "cannot read the policy directory");
}

#[test]
fn profiles_without_rings_are_valid_and_decide_nothing() {
    let directory = policy("no-halos", &[("profiles/base.yaml", "{}")]);
    assert_eq!(about(&directory, &["validate"]).status, 0);
    refused(&directory, "there is no `halos.yaml`");
}

#[test]
fn without_a_default_ring_one_must_be_named() {
    let halos = (
        "halos.yaml",
        "rings: { ga: { profile: base }, canary: { profile: base } }",
    );
    let directory = policy("no-default", &[halos, ("profiles/base.yaml", "{}")]);
    assert_eq!(about(&directory, &["validate"]).status, 0);
    let answer = about(&directory, &["egress", "test", "github.com"]);
    assert_eq!((answer.status, &*answer.stdout), (2, ""));
    assert_eq!(
        answer.stderr,
        "error: no ring is named and none is the default: name one with `--ring`\n  \
         help: rings: ga, canary; units: none\n"
    );
    assert_eq!(
        about(
            &directory,
            &["egress", "test", "github.com", "--ring", "ga"]
        )
        .status,
        0
    );
    let halos = (
        "halos.yaml",
        "rings: { ga: { profile: base, default: true }, canary: { profile: base, default: true } }",
    );
    let directory = policy("two-defaults", &[halos, ("profiles/base.yaml", "{}")]);
    refused(&directory, "error[two-default-rings]");
}

#[test]
fn an_unknown_name_is_told_with_the_nearest() {
    for (arguments, complaint) in [
        (
            &["egress", "test", "github.com", "--ring", "ring3-gaa"][..],
            "error: there is no ring `ring3-gaa`, did you mean `ring3-ga`?",
        ),
        (
            &["egress", "test", "github.com", "--ring", "nowhere"],
            "error: there is no ring `nowhere`",
        ),
        (
            &["egress", "test", "github.com", "--unit", "payment"],
            "error: there is no unit `payment`, did you mean `payments`?",
        ),
        (
            &["egress", "explain", "github.com", "--unit", "payment"],
            "error: there is no unit `payment`, did you mean `payments`?",
        ),
        (
            &["egress", "diff", "ring3-ga", "ring3-gaa"],
            "error: there is no ring `ring3-gaa`, did you mean `ring3-ga`?",
        ),
        (
            &["egress", "diff", "ring3-ga+payment", "ring3-ga"],
            "error: there is no unit `payment`, did you mean `payments`?",
        ),
        (
            &["egress", "diff", "ring3-ga", "profile:engineerin"],
            "error: there is no profile `engineerin`, did you mean `engineering`?",
        ),
    ] {
        let answer = about(ACME, arguments);
        assert_eq!((answer.status, &*answer.stdout), (2, ""), "{arguments:?}");
        assert_eq!(answer.complaint(), complaint, "{arguments:?}");
        let help = answer.stderr.lines().nth(1).unwrap_or_default();
        assert!(
            help.starts_with("  help: "),
            "{arguments:?}: {}",
            answer.stderr
        );
    }
}

#[test]
fn arguments_that_are_not_understood_answer_nothing() {
    for arguments in [
        &["egress", "test"][..],
        &["egress", "tset", "github.com"],
        &["egress", "test", "github.com", "--os", "plan9"],
        &["egress", "test", "github.com", "gitlab.com"],
        &["egress", "diff", "ring3-ga"],
        &["egress", "diff", "ring3-ga", "#ring3-ga"],
        &["egress", "diff", "ring3-ga", "ring3-ga+"],
        &["egress", "diff", "profile:", "ring3-ga"],
        &["--output", "xml", "validate"],
        &["--color", "sometimes", "validate"],
    ] {
        let answer = halo(arguments);
        assert_eq!((answer.status, &*answer.stdout), (2, ""), "{arguments:?}");
        assert!(
            answer.complaint().starts_with("error: "),
            "{arguments:?}: {}",
            answer.stderr
        );
    }
}

/// Every command, with what makes it answer where there is a policy.
const EVERY_COMMAND: &[&[&str]] = &[
    &["validate"],
    &["egress", "test", "github.com"],
    &["egress", "explain", "github.com"],
    &["egress", "diff", "ga", "ga"],
    &[
        "egress",
        "diff",
        "examples/acme#ring3-ga",
        "examples/acme#ring3-ga",
    ],
    &["egress", "diff", "examples/acme", "./examples/acme"],
    &["doctor"],
    &["harnesses"],
    &["presets"],
    &["presets", "vcs"],
];

#[test]
fn a_directory_that_was_named_must_hold_a_policy() {
    let good = policy(
        "named",
        &[HALOS, ("profiles/base.yaml", "egress: { presets: [vcs] }")],
    );
    let empty = policy("named-empty", &[("README.md", "nothing")]);
    let misplaced = policy("named-misplaced", &[("policy/halos.yaml", HALOS.1)]);
    let missing = empty.join("nothing");
    let file = good.join("halos.yaml");
    let build = policy("named-build", &[]).display().to_string();
    let build = ["release", "build", "--force", "--out", &build];
    for arguments in EVERY_COMMAND.iter().copied().chain([&build[..]]) {
        for output in ["text", "json"] {
            let arguments = [arguments, &["--output", output]].concat();
            for directory in [&empty, &misplaced, &missing, &file] {
                let named = [
                    &arguments[..],
                    &["--policy-dir", &directory.display().to_string()],
                ];
                let by_argument = run(command(&named.concat()), b"");
                let mut variable = command(&arguments);
                variable.env("HALO_POLICY_DIR", directory);
                let by_variable = run(variable, b"");
                for answer in [by_argument, by_variable] {
                    assert_eq!(
                        answer.status,
                        2,
                        "{arguments:?} in {}: {}",
                        directory.display(),
                        answer.stdout
                    );
                }
            }
            let mut variable = command(&arguments);
            variable.env("HALO_POLICY_DIR", &good);
            let answer = run(variable, b"");
            assert!(answer.status < 2, "{arguments:?}: {}", answer.stderr);
        }
    }
}

#[test]
fn the_argument_is_taken_before_the_variable() {
    let good = policy(
        "first",
        &[HALOS, ("profiles/base.yaml", "egress: { presets: [vcs] }")],
    );
    let good = good.display().to_string();
    let empty = policy("first-empty", &[]);
    for (arguments, status) in [
        (&["validate"][..], 2),
        (&["validate", "--policy-dir", &good], 0),
        (&["--policy-dir", &good, "validate"], 0),
        (&["validate", &good], 0),
        // Which of the two is meant cannot be told.
        (&["validate", &good, "--policy-dir", &good], 2),
        (&["validate", "nowhere"], 2),
        (&["egress", "test", "github.com", "--policy-dir", &good], 0),
    ] {
        let mut command = command(arguments);
        command.env("HALO_POLICY_DIR", &empty);
        let answer = run(command, b"");
        assert_eq!(answer.status, status, "{arguments:?}: {}", answer.stderr);
    }
    // A variable without a value names nothing, and is no pass.
    let mut unset = command(&["validate"]);
    unset.env("HALO_POLICY_DIR", "");
    assert_eq!(run(unset, b"").status, 2);
    // Without any name, the directory at hand; doctor then asks for none.
    let mut here = command(&["doctor"]);
    here.current_dir(&empty);
    let answer = run(here, b"");
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(
        answer.stderr.contains("no policy was given"),
        "{}",
        answer.stderr
    );
    let mut here = command(&["validate"]);
    here.current_dir(&empty);
    assert_eq!(run(here, b"").status, 2);
}

#[test]
fn a_pin_that_a_rendering_would_brick_is_refused_where_something_is_rendered() {
    let pinned = |mode: &str| {
        format!(
            "sandbox: {{ mode: {mode} }}\negress: {{ default: allow }}\nharnesses:\n  codex: 0.134.0\n  copilot-cli: 0.0.1\n"
        )
    };
    let limited = policy(
        "pins",
        &[HALOS, ("profiles/base.yaml", &pinned("workspace-write"))],
    );
    let answer = about(&limited, &["validate"]);
    assert_eq!(answer.status, 1, "{}", answer.stdout);
    assert!(
        answer
            .stdout
            .contains("error[pin-bricks] profiles/base.yaml:4:10: codex `0.134.0`: "),
        "{}",
        answer.stdout
    );
    assert!(
        answer
            .stdout
            .contains("warning[pin-below-floor] profiles/base.yaml:5:16: "),
        "{}",
        answer.stdout
    );
    // No decision depends on a pin.
    assert_eq!(about(&limited, &["egress", "test", "github.com"]).status, 0);
    let out = limited.join("out");
    let arguments = ["release", "build", "--out", out.to_str().unwrap()];
    let answer = about(&limited, &arguments);
    assert_eq!(answer.status, 1, "{}", answer.stderr);
    assert!(
        answer.stderr.contains("error[pin-bricks]"),
        "{}",
        answer.stderr
    );
    assert!(!out.exists());
    let off = policy("pins-off", &[HALOS, ("profiles/base.yaml", &pinned("off"))]);
    assert_eq!(about(&off, &["validate"]).status, 0);
}

#[cfg(unix)]
const JSON_ALLOW: &str = "\"decision\": \"allow\"";

/// Every command about one policy, a build included; each answers where the policy is sound.
#[cfg(unix)]
fn every_command(out: &Path) -> Vec<Vec<String>> {
    let out = out.display().to_string();
    let build = ["release", "build", "--force", "--out", &out];
    let commands = EVERY_COMMAND.iter().copied().chain([&build[..]]);
    commands
        .flat_map(|arguments| {
            ["text", "json"].map(|output| {
                let arguments = [arguments, &["--output", output]].concat();
                arguments.into_iter().map(str::to_owned).collect()
            })
        })
        .collect()
}

/// As a user that may not read what belongs to others: the superuser may read anything.
#[cfg(unix)]
fn about_as_another(directory: &Path, arguments: &[String]) -> std::io::Result<Answer> {
    use std::os::unix::process::CommandExt as _;

    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = command(&arguments);
    command.arg("--policy-dir").arg(directory);
    if std::fs::read(directory.join("units/secret.yaml")).is_ok() {
        command.uid(65534).gid(65534);
        // Where the program is out of that user's reach, nothing can be asked.
        super::command(&["--version"])
            .uid(65534)
            .gid(65534)
            .output()?;
    }
    Ok(run(command, b""))
}

#[cfg(unix)]
#[test]
fn one_file_that_cannot_be_read_refuses_every_command() {
    use std::os::unix::fs::PermissionsExt as _;

    let base = ("profiles/base.yaml", "egress: { presets: [vcs] }");
    let directory = policy(
        "one-unreadable",
        &[HALOS, base, ("units/secret.yaml", "overlay: {}")],
    );
    let out = policy("one-unreadable-build", &[]).join("release");
    let mode = std::fs::Permissions::from_mode(0o000);
    std::fs::set_permissions(directory.join("units/secret.yaml"), mode).unwrap();
    for arguments in every_command(&out) {
        match about_as_another(&directory, &arguments) {
            Ok(answer) => {
                assert_eq!(answer.status, 2, "{arguments:?}: {}", answer.stdout);
                let told = answer.stdout + &answer.stderr;
                let names = |word: &str| told.contains(word);
                assert!(names("unreadable") || names("can be read"), "{told}");
                assert!(!names("ALLOW") && !names(JSON_ALLOW), "{told}");
            }
            Err(error) => println!("skipped as another user: {error}"),
        }
    }
    assert!(!out.exists());
}

/// 2 where something could not be read at all, or there is no answer; 1 where the policy is at fault.
#[cfg(unix)]
#[test]
fn each_fault_of_a_file_has_its_exit_status() {
    type Plant = fn(&Path);
    let rows: &[(&str, &str, i32, Plant)] = &[
        ("nothing", "empty-file", 1, |at| {
            std::fs::write(at, "").unwrap();
        }),
        ("comments", "empty-file", 1, |at| {
            std::fs::write(at, "# egress\n").unwrap();
        }),
        ("no-yaml", "not-yaml", 1, |at| {
            std::fs::write(at, "egress: {").unwrap();
        }),
        ("directory", "not-a-file", 1, |at| {
            std::fs::create_dir(at).unwrap();
        }),
        ("socket", "not-a-file", 1, |at| {
            // Its name may be longer than that of a socket.
            let short = std::env::temp_dir().join(format!("halo-{}", std::process::id()));
            std::os::unix::net::UnixListener::bind(&short).unwrap();
            std::fs::rename(&short, at)
                .or_else(|_| std::fs::create_dir(at))
                .unwrap();
        }),
        ("dangling", "link-broken", 1, |at| {
            std::os::unix::fs::symlink("nowhere.yaml", at).unwrap();
        }),
        ("loop", "link-loop", 1, |at| {
            std::os::unix::fs::symlink("base.yaml", at).unwrap();
        }),
        ("large", "too-large", 2, |at| {
            let file = std::fs::File::create(at).unwrap();
            file.set_len(64 * 1024 * 1024 + 1).unwrap();
        }),
        ("many", "too-many-files", 2, |at| {
            std::fs::write(at, "{}").unwrap();
            for number in 0..=10_000 {
                std::fs::write(at.with_file_name(format!("{number}.yaml")), "{}").unwrap();
            }
        }),
    ];
    for (name, code, status, plant) in rows {
        let directory = policy(&format!("fault-{name}"), &[HALOS]);
        let profiles = directory.join("profiles");
        std::fs::create_dir_all(&profiles).unwrap();
        plant(&profiles.join("base.yaml"));
        let out = directory.join("release");
        let build = ["release", "build", "--out", out.to_str().unwrap()];
        for (arguments, expected) in [
            (&["validate"][..], *status),
            (&build, *status),
            (&["egress", "test", "github.com"], 2),
            (&["egress", "explain", "github.com"], 2),
            (&["egress", "diff", "ga", "ga"], 2),
            (&["doctor"], 2),
        ] {
            let answer = about(&directory, arguments);
            assert_eq!(answer.status, expected, "{name}: {arguments:?}");
            let told = answer.stdout + &answer.stderr;
            let code = format!("error[{code}]");
            assert!(told.contains(&code), "{name}: {arguments:?}: {told}");
        }
        assert!(!out.exists());
        std::fs::remove_dir_all(directory).unwrap();
    }
}

/// Each answer is refused, or that of a content that stood there; and a writer that does not stop is noticed.
/// On Windows nothing takes the name of a file that is held open.
#[cfg(unix)]
#[test]
fn a_file_that_changes_while_it_is_read_refuses_every_command() {
    use std::sync::atomic::{AtomicBool, Ordering};

    let texts = [
        "egress: { default: deny, allowedDomains: [a.example] }",
        "egress: { default: deny, allowedDomains: [b.example] }",
    ];
    let directory = policy("changing", &[HALOS, ("profiles/base.yaml", texts[0])]);
    let scratch = policy("changing-beside", &[]);
    let out = scratch.join("release");
    let ending = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for text in texts.iter().cycle() {
                if ending.load(Ordering::Relaxed) {
                    break;
                }
                let fresh = scratch.join("fresh.yaml");
                std::fs::write(&fresh, text).unwrap();
                std::fs::rename(&fresh, directory.join("profiles/base.yaml")).unwrap();
            }
        });
        let outcome = std::panic::catch_unwind(|| {
            for arguments in every_command(&out) {
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                let is_noticed = (0..50).any(|_| {
                    let _ = std::fs::remove_dir_all(&out);
                    let answer = about(&directory, &arguments);
                    let told = answer.stdout + &answer.stderr;
                    assert!(!told.contains("ALLOW github.com"), "{told}");
                    assert!(!told.contains(JSON_ALLOW), "{told}");
                    assert!(
                        answer.status == 2 || !told.contains("changed-file"),
                        "{told}"
                    );
                    assert!(answer.status != 2 || !out.exists(), "{told}");
                    answer.status == 2
                        && (told.contains("changed-file") || told.contains("can be read"))
                });
                assert!(is_noticed, "{arguments:?}");
            }
        });
        ending.store(true, Ordering::Relaxed);
        outcome.unwrap();
    });
}

#[test]
fn what_shows_the_errors_names_the_directory_of_each_command() {
    let broken = policy(
        "help-names-directory",
        &[
            HALOS,
            ("profiles/base.yaml", "egress: { default: block }\n"),
        ],
    );
    let empty = policy("help-of-nothing", &[("note.txt", "")]);
    let (broken, empty) = (broken.to_str().unwrap(), empty.to_str().unwrap());
    let out = format!("{}/help-out", env!("CARGO_TARGET_TMPDIR"));
    for arguments in [
        &["egress", "test", "a.example"][..],
        &["egress", "explain", "a.example"],
        &["egress", "diff", "ga", "ga"],
        &["egress", "diff", "profile:base", "ga"],
        &["release", "build", "--out", &out],
        &["doctor"],
    ] {
        for output in ["text", "json"] {
            let arguments = [arguments, &["--output", output]].concat();
            let told = about(broken, &arguments);
            let help = format!("run `halo validate --policy-dir {broken}`");
            let shown = format!("{}{}", told.stdout, told.stderr);
            assert!(shown.contains(&help), "{arguments:?}: {shown}");
            let told = about(empty, &arguments);
            let shown = format!("{}{}", told.stdout, told.stderr);
            assert!(shown.contains("`--policy-dir`"), "{arguments:?}: {shown}");
        }
    }
    let told = halo(&["egress", "diff", broken, ACME, "--output", "json"]);
    assert!(
        told.json()["error"]["help"]
            .as_str()
            .unwrap()
            .contains("--policy-dir"),
        "{}",
        told.stdout
    );
}

#[test]
fn a_directory_of_a_device_that_is_not_there_is_repeated() {
    for option in ["--root", "--home", "--project"] {
        let told = halo(&["doctor", option, "/nowhere/mistyped"]);
        assert_eq!(told.status, 2);
        assert!(
            told.stderr.contains("`/nowhere/mistyped`") && told.stderr.contains(option),
            "{}",
            told.stderr
        );
    }
}

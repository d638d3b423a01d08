//! What goes in comes out as it was, and what does not go in is told.
#![expect(
    clippy::unwrap_used,
    reason = "a test says what must hold by unwrapping it"
)]

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn halo(arguments: &[&str], input: Stdio) -> Output {
    Command::new(env!("CARGO_BIN_EXE_halo"))
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../acme"))
        .stdin(input)
        .output()
        .unwrap()
}

#[test]
fn json_repeats_an_input_to_the_letter() {
    for input in [
        "a\u{7f}b",
        "a\u{9b}31mb",
        "a\u{85}b\u{80}",
        "a\u{202e}b\u{2066}",
        "a\u{2028}b\u{2029}",
        "a\u{200b}\u{feff}\u{e0041}b",
        "\u{1b}[31mred\u{1b}[0m",
        "\u{1b}]0;x\u{7}",
    ] {
        let output = halo(
            &["egress", "test", input, "--output", "json"],
            Stdio::null(),
        );
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["input"], input);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(hidden(&text), [char::MIN; 0], "{text:?}");
        // People are shown it without anything that a terminal would act on.
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(hidden(&told), [char::MIN; 0], "{told:?}");
    }
}

/// The characters of an answer that a terminal would act on or not show.
fn hidden(text: &str) -> Vec<char> {
    let hidden = |c: &char| *c != '\n' && policy_core::is_hidden(*c);
    text.chars().filter(hidden).collect()
}

#[test]
fn an_argument_is_repeated_without_what_hides() {
    let bidi = "\u{202e}a\u{9b}31m";
    for arguments in [
        &["presets", bidi][..],
        &["validate", bidi],
        &[bidi],
        &["egress", "test", "a.example", "--ring", bidi],
        &["egress", "test", "a.example", "--os", bidi],
        &["egress", "diff", bidi, bidi],
        &["egress", "diff", &format!("{bidi}#a"), "ring3-ga"],
        &["egress", "explain", bidi],
        &["validate", "--policy-dir", bidi],
        &["validate", "--policy-dir", bidi, "--output", "json"],
    ] {
        let output = halo(arguments, Stdio::null());
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
        for stream in [output.stdout, output.stderr] {
            let text = String::from_utf8(stream).unwrap();
            assert_eq!(hidden(&text), [char::MIN; 0], "{arguments:?}: {text:?}");
        }
    }
}

#[test]
fn no_output_repeats_a_password() {
    for url in [
        "https://alice:hunter2@a b.example",
        "https://alice:hunter2@127.1",
        "https://hunter2@a..example",
        "https://alice:hun/ter2@a.example",
        "https://alice:hunter2@x@a.example",
        "https://alice:hunter2@a.example",
        "https:alice:hunter2@a.example",
        "alice:hunter2@a.example",
        "alice:443/hunter2@a.example",
        "file://alice:hunter2@a.example",
        "ssh://alice:hunter2@a.example/%40",
        "https://127.1/?token=hunter2",
        "https://127.1/x#hunter2",
        "https://127.1/?token=x@hunter2",
        "https://127.1?hunter2",
        "http://a.example?@hunter2.example/x",
        "redis://a.example/?hunter2",
        "https://alice:hunter2",
        "https://alice:hun/ter2@",
        "https://[::1]:hunter2/",
        "https://alice:hun#ter2@a.example",
        "https://u%40hunter2@a.example",
        "https://u^hunter2@a.example/?hunter2",
        "https://hunter2.x:@a.example/",
    ] {
        no_question_about_a_host_repeats_it(url);
        // Arguments where none belongs.
        for asked in [
            &["validate", url][..],
            &["egress", url],
            &["presets", url],
            &["egress", "test", "a.example", "--os", url],
            &["validate", "--policy-dir", url],
            &["egress", "test", "a.example", "--policy-dir", url],
            &["egress", "diff", "ring3-ga", url],
            &["egress", "diff", "ring3-ga", &format!("{url}#ring3-ga")],
        ] {
            assert_silent(asked, &halo(asked, Stdio::null()));
        }
    }
    // What may be a file or a name of another kind elsewhere.
    for host in [
        "hunter2@a.example",
        "hunter2@a.example:o/r",
        "127.1/?hunter2",
        "127.1#hunter2",
        "a.example?hunter2",
        "alice:hunter2",
        "a.example:hunter2",
        "[::1]:443hunter2",
        "https:/a.example:hunter2",
        "alice:hun#ter2@a.example",
        "https://a..example&token=hunter2",
        "a..example&hunter2",
        "token=hunter2",
        "a..example|token=hunter2",
        "http://a..example:1/;jsessionid=hunter2",
        "a..example/%3fhunter2",
    ] {
        no_question_about_a_host_repeats_it(host);
    }
    for side in [
        "alice:hun#ter2@a.example",
        "alice:hunter2#x@a.example",
        "../x?token=hunter2#ring3-ga",
        "../x?token=hunter2",
        "./a.example/x?hunter2#profile:base",
    ] {
        let asked = ["egress", "diff", "ring3-ga", side];
        assert_silent(&asked, &halo(&asked, Stdio::null()));
    }
}

fn no_question_about_a_host_repeats_it(url: &str) {
    for command in [&["egress", "test"][..], &["egress", "explain"]] {
        for output in ["text", "json"] {
            for more in [&[][..], &["--ring", "none"], &["--policy-dir", "none"]] {
                let asked = [command, &[url, "--output", output], more].concat();
                assert_silent(&asked, &halo(&asked, Stdio::null()));
            }
            let lines = std::env::temp_dir().join(format!("halo-password-{}", std::process::id()));
            std::fs::write(&lines, format!("{url}\n{url}{}\n", "a".repeat(70_000))).unwrap();
            let asked = [command, &["-", "--output", output]].concat();
            assert_silent(&asked, &halo(&asked, File::open(&lines).unwrap().into()));
            std::fs::remove_file(&lines).unwrap();
        }
        // One too many, and the value of an option that there is not.
        for asked in [
            &[command, &["a.example", url][..]].concat()[..],
            &[command, &["a.example", "--ring", url]].concat(),
            &[command, &[&*format!("--host={url}")]].concat(),
        ] {
            assert_silent(asked, &halo(asked, Stdio::null()));
        }
    }
}

fn assert_silent(asked: &[&str], output: &Output) {
    for stream in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(stream);
        assert!(
            !text.contains("hunter2") && !text.contains("ter2@"),
            "{asked:?}: {text}"
        );
    }
}

#[test]
#[cfg(unix)]
fn an_input_that_cannot_be_read_is_told_as_such() {
    let directory = File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
    let output = halo(&["egress", "test", "-"], directory.into());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.starts_with("error: standard input could not be read\n"),
        "{told}"
    );
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
}

#[test]
fn the_name_of_a_directory_is_escaped() {
    let directory = "no such\u{1b}[31mdirectory";
    let output = halo(
        &[
            "egress",
            "test",
            "a.example",
            "--policy-dir",
            directory,
            "--color",
            "always",
        ],
        Stdio::null(),
    );
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains(r"the policy in `no such\u{1b}[31mdirectory` has 1 errors"),
        "{told}"
    );
    assert!(!told.contains(directory), "{told}");
}

/// What stands in for a stream that cannot be written to.
#[cfg(target_os = "linux")]
fn bad_streams() -> [(&'static str, Stdio); 2] {
    [
        // A full device, and a descriptor that is there for reading.
        (
            "No space left on device",
            File::create("/dev/full").unwrap().into(),
        ),
        (
            "Bad file descriptor",
            File::open("/dev/null").unwrap().into(),
        ),
    ]
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_is_not_written_is_an_error() {
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["egress", "test", "--help"],
        &["help", "validate"],
        &["validate"],
        &["validate", "--output", "json"],
        &["egress", "test", "github.com"],
        &["egress", "test", "pastebin.com", "--output", "json"],
        &["egress", "explain", "github.com"],
        &["egress", "diff", "ring3-ga", "ring0-canary"],
        &["harnesses"],
        &["presets"],
        &[
            "doctor",
            "--root",
            ".",
            "--home",
            "/profiles",
            "--output",
            "json",
        ],
    ] {
        for (why, stream) in bad_streams() {
            let output = Command::new(env!("CARGO_BIN_EXE_halo"))
                .args(arguments)
                .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../acme"))
                .stdin(Stdio::null())
                .stdout(stream)
                .output()
                .unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
            assert!(told.contains(why), "{arguments:?}: {told}");
            let is_version = arguments.contains(&"--version");
            assert_eq!(told.contains("the version could"), is_version, "{told}");
        }
    }
}

/// An error that nobody can read is one all the same, and so is a diagnostic beside a good answer.
#[test]
#[cfg(target_os = "linux")]
fn a_diagnostic_that_is_not_written_is_an_error() {
    for arguments in [
        &["egress", "test"][..],
        &["no-command"],
        &["egress", "test", "x y"],
        &[
            "doctor",
            "--root",
            ".",
            "--home",
            "/profiles",
            "--output",
            "json",
        ],
    ] {
        for (_, stream) in bad_streams() {
            let status = Command::new(env!("CARGO_BIN_EXE_halo"))
                .args(arguments)
                .current_dir(env!("CARGO_TARGET_TMPDIR"))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(stream)
                .status()
                .unwrap();
            assert_eq!(status.code(), Some(2), "{arguments:?}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_build_whose_answer_is_not_written_is_told_to_stand() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unanswered");
    let _ = std::fs::remove_dir_all(&out);
    for (_, stream) in bad_streams() {
        let output = Command::new(env!("CARGO_BIN_EXE_halo"))
            .args(["release", "build", "--force", "--out"])
            .arg(&out)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../acme"))
            .stdout(stream)
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(
            told.contains("error: the answer could not be written whole: "),
            "{told}"
        );
        assert!(told.contains("is whole all the same"), "{told}");
        assert!(out.join("manifest.json").is_file());
    }
    std::fs::remove_dir_all(out).unwrap();
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_ends_a_command_as_its_signal_would() {
    for arguments in [
        &["--help"][..],
        &["validate"],
        &["presets"],
        &["presets", "--output", "json"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_halo"))
            .args(arguments)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../acme"))
            .stdout(closed_pipe())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(141), "{arguments:?}");
    }
}

/// The writing end of a pipe that nobody reads any more.
#[cfg(unix)]
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// Several processes that write into one pipe.
#[test]
fn each_line_is_written_whole() {
    const WRITERS: usize = 4;
    const LINES: usize = 400;
    let (mut reader, writer) = std::io::pipe().unwrap();
    let hosts = Path::new(env!("CARGO_TARGET_TMPDIR")).join("whole-lines");
    std::fs::write(&hosts, "github.com\npastebin.com\n".repeat(LINES)).unwrap();
    for color in ["never", "always"] {
        let children: Vec<_> = (0..WRITERS)
            .map(|_| {
                Command::new(env!("CARGO_BIN_EXE_halo"))
                    .args(["egress", "test", "-", "--color", color])
                    .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../acme"))
                    .stdin(File::open(&hosts).unwrap())
                    .stdout(writer.try_clone().unwrap())
                    .spawn()
                    .unwrap()
            })
            .collect();
        let mut lines = Vec::new();
        let mut input = std::io::BufReader::new(&mut reader);
        while lines.len() < WRITERS * LINES * 2 {
            let mut line = String::new();
            std::io::BufRead::read_line(&mut input, &mut line).unwrap();
            lines.push(line);
        }
        for mut child in children {
            assert_eq!(child.wait().unwrap().code(), Some(1));
        }
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), 2, "{lines:?}");
    }
    std::fs::remove_file(hosts).unwrap();
}

/// A list that was not read to its end is no pass, whatever its first hosts are.
#[test]
#[cfg(target_os = "linux")]
fn a_descriptor_that_cannot_be_read_asks_about_nothing() {
    let write_only = File::options().write(true).open("/dev/null").unwrap();
    for command in ["test", "explain"] {
        let output = halo(
            &["egress", command, "-"],
            write_only.try_clone().unwrap().into(),
        );
        let told = String::from_utf8(output.stderr).unwrap();
        let reason = "error: standard input could not be read\n  help: Bad file descriptor";
        assert!(told.starts_with(reason), "{told}");
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
        // Closed altogether.
        let output = Command::new("sh")
            .args(["-c", "exec \"$0\" egress \"$1\" - <&-"])
            .args([env!("CARGO_BIN_EXE_halo"), command])
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../acme"))
            .output()
            .unwrap();
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
    }
}

#[test]
fn a_limit_is_a_number_of_seconds() {
    for limit in ["0", "-1", "1.5", "30s", "86401", ""] {
        let output = halo(&["validate", &format!("--timeout={limit}")], Stdio::null());
        assert_eq!(output.status.code(), Some(2), "{limit}");
        assert!(output.stdout.is_empty());
    }
    for limit in ["1", "86400"] {
        let output = halo(&["presets", "--timeout", limit], Stdio::null());
        assert_eq!(output.status.code(), Some(0), "{limit}");
    }
}

//! `egress test -` and `egress explain -`: one host a line, one answer each.

use std::io::Read as _;
use std::process::Stdio;

use super::{ACME, ask, command, run};

#[test]
fn each_line_is_a_host() {
    let too_long = "a".repeat(70_000);
    let too_long_line = &format!("DENY `{}`  (not a host: a line over 64 KiB", "é".repeat(80));
    for (what, input, expected, status) in [
        (
            "an allowed host",
            &b"github.com\n"[..],
            &["ALLOW github.com"][..],
            0,
        ),
        (
            "a denied one beside it",
            b"github.com\npastebin.com\n",
            &["ALLOW github.com", "DENY pastebin.com"],
            1,
        ),
        (
            "one that is none beside a denied one",
            b"pastebin.com\nx y\n",
            &["DENY pastebin.com", "DENY `x y`"],
            2,
        ),
        ("no final newline", b"github.com", &["ALLOW github.com"], 0),
        (
            "CR LF",
            b"github.com\r\ngitlab.com\r\n",
            &["ALLOW github.com", "ALLOW gitlab.com"],
            0,
        ),
        ("a final CR", b"github.com\r", &["ALLOW github.com"], 0),
        ("two CR", b"github.com\r\r\n", &["DENY `github.com\\r`"], 2),
        (
            "a CR inside",
            b"github.com\rpastebin.com\n",
            &["DENY `github.com\\rpastebin.com`"],
            2,
        ),
        (
            "an empty line",
            b"github.com\n\ngitlab.com\n",
            &["ALLOW github.com", "ALLOW gitlab.com"],
            0,
        ),
        (
            "an empty last line, with CR LF",
            b"github.com\r\n\r\n",
            &["ALLOW github.com"],
            0,
        ),
        (
            "a space",
            b" \ngithub.com\n",
            &["DENY ` `", "ALLOW github.com"],
            2,
        ),
        (
            "a comment",
            b"# hosts\n#pastebin.com\ngithub.com\n#",
            &["ALLOW github.com"],
            0,
        ),
        ("one behind a space", b" # hosts\n", &["DENY ` #…`"], 2),
        (
            "one behind a host",
            b"github.com # ours\n",
            &["DENY `github.com #…`"],
            2,
        ),
        (
            "a fragment of a URL",
            b"https://github.com/#pastebin.com\n",
            &["ALLOW github.com"],
            0,
        ),
        (
            "a comment that is too long",
            &[b"#", too_long.as_bytes(), b"\ngithub.com\n"].concat(),
            &["DENY `#…`", "ALLOW github.com"],
            2,
        ),
        ("a NUL", b"github.com\0\n", &["DENY `github.com\\u{0}`"], 2),
        (
            "no UTF-8",
            b"github.com\xFF\ngitlab.com\n",
            &["DENY `github.com\u{FFFD}`", "ALLOW gitlab.com"],
            2,
        ),
        (
            "UTF-16",
            b"\xFF\xFEg\0i\0t\n",
            &["DENY `\u{FFFD}\u{FFFD}g\\u{0}i\\u{0}t`"],
            2,
        ),
        (
            "an escape sequence",
            b"\x1b[31mred\n",
            &["DENY `\\u{1b}[31mred`"],
            2,
        ),
        ("a dash", b"-\n", &["DENY -"], 1),
        ("an option", b"--help\n", &["DENY --help"], 1),
        (
            "a line that is too long",
            &[too_long.as_bytes(), b"\ngithub.com\n"].concat(),
            &["DENY `aaaa", "ALLOW github.com"],
            2,
        ),
        (
            "a last line that is too long",
            too_long.as_bytes(),
            &["DENY `aaaa"],
            2,
        ),
        (
            "one that is cut inside a character",
            &["é".repeat(40_000).as_bytes(), b"\ngithub.com\n"].concat(),
            &[too_long_line, "ALLOW github.com"],
            2,
        ),
        (
            "one whose first 64 KiB are an allowed URL",
            &[b"https://github.com/", too_long.as_bytes(), b"\n"].concat(),
            &["DENY `https`  (not a host: a line over 64 KiB; write one host a line)"],
            2,
        ),
        (
            "a URL of 64 KiB",
            &[
                &b"https://github.com/"[..],
                &b"a".repeat(64 * 1024 - 19),
                b"\n",
            ]
            .concat(),
            &["ALLOW github.com"],
            0,
        ),
        (
            "a URL of a byte more",
            &[
                &b"https://github.com/"[..],
                &b"a".repeat(64 * 1024 - 18),
                b"\n",
            ]
            .concat(),
            &["DENY `https`  (not a host: a line over 64 KiB"],
            2,
        ),
        (
            "C1 controls and characters that reorder",
            "a\u{9b}31m\u{85}\u{2028}\u{202e}b\n".as_bytes(),
            &[r"DENY `a\u{9b}31m\u{85}\u{2028}\u{202e}b`"],
            2,
        ),
    ] {
        let answer = ask(ACME, &[], input);
        let lines: Vec<&str> = answer.stdout.lines().collect();
        assert_eq!(lines.len(), expected.len(), "{what}: {}", answer.stdout);
        for (line, expected) in lines.iter().zip(expected) {
            assert!(line.starts_with(expected), "{what}: {line}");
            assert!(!line.chars().any(char::is_control), "{what}: {line:?}");
        }
        assert_eq!((answer.status, &*answer.stderr), (status, ""), "{what}");
    }
}

/// To ask about nothing is no pass.
#[test]
fn an_input_without_a_host_is_an_error() {
    for input in [&b""[..], b"\n", b"\r\n\n", b"# a\n#b", b"#\n\n#"] {
        let answer = ask(ACME, &[], input);
        assert_eq!(
            answer.stderr,
            "error: standard input asks about no host\n  help: write one host a line\n"
        );
        assert_eq!((answer.status, &*answer.stdout), (2, ""), "{input:?}");
        let answer = ask(ACME, &["--output", "json"], input);
        assert_eq!(answer.json()["error"]["code"], "input-empty");
        assert_eq!(
            (answer.json()["input"].as_str(), answer.status),
            (Some("-"), 2)
        );
    }
}

#[test]
fn each_line_of_json_is_an_object() {
    let answer = ask(
        ACME,
        &["--output", "json"],
        b"github.com\npastebin.com\n\xFF\n\n.\n",
    );
    let lines: Vec<serde_json::Value> = answer
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let told: Vec<(&str, &str)> = lines
        .iter()
        .map(|line| {
            let what = line["host"].as_str().or(line["error"]["code"].as_str());
            (what.unwrap(), line["decision"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        told,
        [
            ("github.com", "allow"),
            ("pastebin.com", "deny"),
            ("host-not-utf8", "deny"),
            ("host-empty", "deny")
        ]
    );
    assert_eq!((answer.status, &*answer.stderr), (2, ""));
}

#[test]
fn whoever_has_read_enough_ends_it_without_a_complaint() {
    let mut command = command(&["egress", "test", "-", "--policy-dir", ACME]);
    let pipes = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        use std::io::Write as _;
        // More than any pipe holds; it ends when the command does.
        while stdin.write_all(&b"github.com\n".repeat(1_000)).is_ok() {}
    });
    let mut stdout = child.stdout.take().unwrap();
    let mut some = [0; 64];
    stdout.read_exact(&mut some).unwrap();
    drop(stdout);
    let mut complaint = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut complaint)
        .unwrap();
    assert_eq!((child.wait().unwrap().code(), &*complaint), (Some(141), ""));
    writer.join().unwrap();
}

#[test]
fn each_line_is_explained() {
    let lines = b"github.com\nx y\npastebin.com\n";
    let mut command = command(&["egress", "explain", "-", "--policy-dir", ACME]);
    let answer = run(command, lines);
    let heads: Vec<&str> = answer
        .stdout
        .lines()
        .filter(|line| line.starts_with("ALLOW") || line.starts_with("DENY"))
        .collect();
    assert_eq!(
        heads,
        [
            "ALLOW github.com  (ring ring3-ga, profile engineering)",
            "DENY `x y`  (not a host: white space or a control character; ask about one host or URL at a time, and nothing around it)",
            "DENY pastebin.com  (ring ring3-ga, profile engineering)",
        ]
    );
    assert_eq!((answer.status, &*answer.stderr), (2, ""));
    command = super::command(&["egress", "explain", "-", "--policy-dir", ACME]);
    command.args(["--output", "json"]);
    let answer = run(command, lines);
    let told: Vec<serde_json::Value> = answer
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [first, second, third] = &told[..] else {
        panic!("{}", answer.stdout)
    };
    assert_eq!(first["host"], "github.com");
    assert_eq!(second["error"]["code"], "host-control-character");
    assert!(third["changes"].is_array(), "{third}");
    assert_eq!((answer.status, &*answer.stderr), (2, ""));
}

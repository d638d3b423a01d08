//! Copilot CLI 1.0.102 and older. Single hosts are in `corpus.rs`.

use crate::reader::Answer::{self, Allow, Ask, Broken, Deny, Unrestricted};
use crate::reader::{Channel, Device, Op, Os, read};

const FILE: &str = "/etc/github-copilot/managed-settings.json";
const USER: &str = "~/.copilot/settings.json";

fn device(version: &str, settings: &str) -> Device {
    Device::new(Os::Linux, version).managed(FILE, settings)
}

fn sandbox(keys: &str) -> String {
    format!(r#"{{"sandbox":{{"enabled":true,{keys}}}}}"#)
}

fn network(keys: &str) -> String {
    sandbox(&format!(r#""userPolicy":{{"network":{{{keys}}}}}"#))
}

fn files(keys: &str) -> String {
    sandbox(&format!(r#""userPolicy":{{"filesystem":{{{keys}}}}}"#))
}

fn shell(device: &Device, text: &str) -> Answer {
    read("copilot-cli", device).host(Channel::Shell, text)
}

#[rustfmt::skip] // one line a case
const HOSTS: &[(&str, &str, Answer, &str)] = &[
    // sandbox.userPolicy.network, asked, answer, source
    (r#""allowedHosts":["*.a.example"],"blockedHosts":["b.a.example"]"#, "b.a.example", Deny, "seen: deny wins"),
    (r#""allowedHosts":["*.a.example"],"blockedHosts":["b.a.example"]"#, "x.b.a.example", Deny, "seen: subdomains too"),
    (r#""allowedHosts":["*.a.example"],"blockedHosts":["b.a.example"]"#, "xb.a.example", Allow, "follows"),
    (r#""blockedHosts":["*.a.example"]"#, "a.example", Allow, "seen: not the apex"),
    (r#""blockedHosts":["*"]"#, "a.example", Deny, "seen"),
    (r#""allowedHosts":["*"]"#, "a.example", Allow, "seen"),
    (r#""allowedHosts":["*"]"#, "127.0.0.1", Allow, "seen"),
    (r#""allowedHosts":["*"],"allowLocalNetwork":false"#, "localhost", Deny, "seen"),
    (r#""allowedHosts":["a.example","127.0.0.1"]"#, "127.0.0.1", Deny, "seen: refused beside a list"),
    (r#""allowedHosts":["203.0.113.11"],"allowLocalNetwork":false"#, "203.0.113.11", Allow, "seen"),
    (r#""allowedHosts":["203.0.113.11"]"#, "203.0.113.10", Deny, "seen"),
    (r#""allowedHosts":["203.0.28939"]"#, "203.0.113.11", Allow, "1.3: odd spellings accepted"),
    (r#""allowedHosts":["10.0.0.5"],"allowLocalNetwork":false"#, "10.0.0.5", Deny, "1.2: the local network is off"),
    (r#""allowedHosts":["203.0.113.0/24","a.example"]"#, "203.0.113.11", Deny, "seen: dropped"),
    (r#""allowedHosts":["GitHub.Example"]"#, "github.example", Allow, "seen"),
    (r#""allowedHosts":["https://a.example"]"#, "b.example", Allow, "seen: dropped, and the list is empty"),
    (r#""allowedHosts":"b.example""#, "a.example", Allow, "seen: no list"),
    (r#""blockedHosts":["a.example:443"]"#, "a.example", Allow, "seen: dropped"),
    (r#""allowedHosts":["a.example"]"#, "https://a.example@b.example/", Deny, "follows"),
    (r#""allowOutbound":false"#, "a.example", Deny, "seen"),
];

#[test]
fn hosts_of_commands() {
    for (keys, text, expected, source) in HOSTS {
        assert_eq!(
            shell(&device("1.0.102", &network(keys)), text),
            *expected,
            "{keys} {text} ({source})"
        );
    }
}

#[rustfmt::skip] // one line a case
const FETCHES: &[(&str, &str, &str, Answer, &str)] = &[
    // release, permissions, asked, answer, source
    ("1.0.102", r#""limitTo":["Domain(*.a.example)"]"#, "https://x.y.a.example/", Allow, "seen"),
    ("1.0.102", r#""limitTo":["Domain(*.a.example)"]"#, "https://nota.example/", Deny, "follows"),
    ("1.0.102", r#""limitTo":["Domain(a.example)"]"#, "http://a.example/", Allow, "seen: any scheme"),
    ("1.0.102", r#""limitTo":["Domain(a.example)"]"#, "https://x.a.example/", Deny, "seen"),
    ("1.0.102", r#""limitTo":["Domain(127.0.0.1)"]"#, "http://2130706433/", Allow, "seen: canonical"),
    ("1.0.102", r#""limitTo":["Domain(*)"]"#, "https://a.example/", Deny, "seen: matches nothing"),
    ("1.0.102", r#""limitTo":["Domain"]"#, "https://a.example/", Allow, "seen"),
    ("1.0.102", r#""limitTo":["Domain(a.example)","Domain(https://b.example)"]"#, "https://a.example/", Deny, "seen: one bad entry empties it"),
    ("1.0.92", r#""limitTo":["Domain(a.example)"]"#, "https://b.example/", Unrestricted, "seen: dropped"),
    ("1.0.93", r#""limitTo":["Domain(a.example)"]"#, "https://b.example/", Deny, "follows"),
    ("1.0.102", r#""limitTo":["Domain(*.a.example)"],"deny":["Domain(b.a.example)"]"#, "https://b.a.example/", Deny, "seen: deny first"),
    ("1.0.102", r#""limitTo":["Domain(a.example)"],"deny":["Domain(b.example)"]"#, "https://a.example/", Ask, "seen: the cost of a deny rule"),
    ("1.0.102", r#""deny":["Domain(http://a.example)"]"#, "http://a.example/", Deny, "seen"),
    ("1.0.102", r#""ask":["Domain(a.example)"]"#, "https://a.example/", Ask, "follows"),
    ("1.0.102", r#""allow":["Domain(a.example)"]"#, "https://a.example/", Allow, "follows"),
    ("1.0.102", r#""deny":["WebFetch(a.example)"]"#, "https://a.example/", Broken, "seen: document rejected"),
    ("1.0.102", r#""deny":["Url(https://a.example)"]"#, "https://a.example/", Broken, "seen"),
    ("1.0.102", "", "https://a.example/", Unrestricted, "seen: unmanaged"),
];

#[test]
fn hosts_of_the_fetch_tool() {
    for (version, keys, text, expected, source) in FETCHES {
        let device = device(version, &format!(r#"{{"permissions":{{{keys}}}}}"#));
        let answer = read("copilot-cli", &device).host(Channel::Tool, text);
        assert_eq!(answer, *expected, "{version} {keys} {text} ({source})");
    }
}

#[rustfmt::skip] // one line a case
const PATHS: &[(&str, Op, &str, Answer, &str)] = &[
    // sandbox.userPolicy.filesystem, what, path, answer, source
    (r#""deniedPaths":["/srv/key"]"#, Op::Read, "/srv/key/a", Deny, "seen"),
    (r#""deniedPaths":["~/.ssh"]"#, Op::Read, "/home/u/.ssh/id", Deny, "seen"),
    (r#""deniedPaths":["~/.ssh"]"#, Op::Write, "/home/u/.ssh/id", Deny, "seen"),
    (r#""deniedPaths":["rel/sec"]"#, Op::Read, "/work/project/rel/sec/k", Deny, "seen"),
    (r#""deniedPaths":[".env*"]"#, Op::Read, "/work/project/.env", Allow, "seen: a glob is a name"),
    (r#""deniedPaths":[]"#, Op::Read, "/home/u/notes", Deny, "seen: the home is not there"),
    (r#""deniedPaths":[]"#, Op::Read, "/opt/other/file", Deny, "seen"),
    (r#""deniedPaths":[]"#, Op::Read, "/srv/public", Deny, "seen"),
    (r#""deniedPaths":[]"#, Op::Read, "/var/lib/x", Deny, "seen"),
    (r#""deniedPaths":[]"#, Op::Read, "/usr/local/share/x", Deny, "seen"),
    (r#""deniedPaths":[]"#, Op::Read, "/usr/bin/env", Allow, "seen"),
    (r#""deniedPaths":[]"#, Op::Read, "/etc/hosts", Allow, "seen"),
    (r#""deniedPaths":[]"#, Op::Read, "/work/project/a", Allow, "seen"),
    (r#""deniedPaths":[]"#, Op::Write, "/tmp/x", Allow, "seen: the file outside changed"),
    (r#""deniedPaths":[]"#, Op::Write, "/work/project/a", Allow, "seen"),
    (r#""readwritePaths":["/opt/cache"]"#, Op::Write, "/opt/cache/a", Deny, "seen: grants nothing"),
    (r#""readwritePaths":["/opt/cache"]"#, Op::Read, "/opt/cache/a", Deny, "seen: not even there"),
];

#[test]
fn paths_of_commands() {
    for (keys, op, path, expected, source) in PATHS {
        let reader = read("copilot-cli", &device("1.0.102", &files(keys)));
        assert_eq!(
            reader.path(Channel::Shell, *op, path),
            *expected,
            "{keys} {path} ({source})"
        );
    }
    let no_workspace = sandbox(r#""addCurrentWorkingDirectory":false"#);
    let reader = read("copilot-cli", &device("1.0.102", &no_workspace));
    assert_eq!(
        reader.path(Channel::Shell, Op::Read, "/work/project/a"),
        Broken
    );
}

#[test]
fn writable_roots_are_a_ceiling_over_the_users_own() {
    let own =
        r#"{"sandbox":{"userPolicy":{"filesystem":{"readwritePaths":["/opt/cache","/etc"]}}}}"#;
    let rows = [
        // managed list, path, answer
        ("", "/etc/a", Allow),
        (r#""readwritePaths":[]"#, "/etc/a", Deny),
        (r#""readwritePaths":["/opt/cache"]"#, "/etc/a", Deny),
        (r#""readwritePaths":["/opt/cache"]"#, "/opt/cache/a", Allow),
        (r#""readwritePaths":["/opt"]"#, "/opt/cache/a", Deny), // exact strings, no prefix
    ];
    for (keys, path, expected) in rows {
        let device = device("1.0.102", &files(keys)).user(USER, own);
        let answer = read("copilot-cli", &device).path(Channel::Shell, Op::Write, path);
        assert_eq!(answer, expected, "{keys} {path}");
    }
}

#[rustfmt::skip] // one line a case
const RULES: &[(&str, Op, &str, Answer, &str)] = &[
    // permissions.deny, what, path, answer, source
    ("Read(//srv/key/**)", Op::Read, "/srv/key/a", Deny, "seen"),
    ("Read(/srv/key/**)", Op::Read, "/srv/key/a", Ask, "seen: inert, yet everything asks"),
    ("Read(/sec/**)", Op::Read, "/work/project/sec/a", Deny, "seen"),
    ("Read(~/.aws/**)", Op::Read, "/home/u/.aws/credentials", Deny, "seen"),
    ("Read(.env*)", Op::Read, "/work/project/sub/.env.local", Deny, "seen"),
    ("Edit(//srv/e/**)", Op::Write, "/srv/e/new", Deny, "seen"),
    ("Write(//srv/e/**)", Op::Write, "/srv/e/new", Deny, "seen"),
    ("Edit(//srv/e/**)", Op::Read, "/srv/e/new", Ask, "seen"),
];

#[test]
fn paths_of_the_file_tools() {
    for (rule, op, path, expected, source) in RULES {
        let device = device(
            "1.0.102",
            &format!(r#"{{"permissions":{{"deny":["{rule}"]}}}}"#),
        );
        let answer = read("copilot-cli", &device).path(Channel::Tool, *op, path);
        assert_eq!(answer, *expected, "{rule} {op:?} {path} ({source})");
    }
    let reader = read(
        "copilot-cli",
        &device("1.0.102", &files(r#""deniedPaths":["~/.ssh"]"#)),
    );
    assert_eq!(
        reader.path(Channel::Tool, Op::Read, "/home/u/.ssh/id"),
        Unrestricted
    );
}

#[test]
fn files_that_are_rejected_or_missing() {
    let good = network(r#""allowedHosts":["a.example"]"#);
    let large = format!("{good}{}", " ".repeat(65_537 - good.len()));
    let largest = format!("{good}{}", " ".repeat(65_536 - good.len()));
    let windows = "C:\\Program Files\\GitHubCopilot\\managed-settings.json";
    let mac = "/Library/Application Support/GitHubCopilot/managed-settings.json";
    let linux = || Device::new(Os::Linux, "1.0.102");
    #[rustfmt::skip] // one line a case
    let rows = [
        // device, answer on b.example, source
        (linux(), Unrestricted, "follows"),
        (linux().managed(FILE, good.clone()), Deny, "seen"),
        (linux().managed(FILE, largest), Deny, "seen"),
        (linux().managed(FILE, large), Broken, "seen"),
        (linux().managed(FILE, format!("\u{feff}{good}")), Broken, "seen"),
        (linux().managed(FILE, format!("{good}//")), Broken, "seen"),
        (linux().managed(FILE, "[]"), Broken, "seen"),
        (linux().managed_as(FILE, &good, 0o664, true), Broken, "seen"),
        (linux().managed_as(FILE, &good, 0o646, true), Broken, "seen"),
        (linux().managed_as(FILE, &good, 0o644, false), Broken, "seen"),
        (linux().managed(FILE, sandbox(r#""allowBypass":"no""#)), Broken, "seen"),
        (linux().managed(FILE, sandbox(r#""bogus":1"#)), Allow, "seen: unknown key"),
        (linux().managed(FILE, r#"{"sandbox":{"enabled":false}}"#), Unrestricted, "follows"),
        (Device::new(Os::Linux, "1.0.84").managed(FILE, good.clone()), Unrestricted, "follows"),
        (Device::new(Os::Linux, "1.0.85").managed(FILE, good.clone()), Deny, "seen"),
        (Device::new(Os::MacOs, "1.0.102").managed(mac, good.clone()), Deny, "follows"),
        (Device::new(Os::Windows, "1.0.102").managed(windows, good), Unrestricted, "documentation"),
    ];
    for (device, expected, source) in rows {
        assert_eq!(
            shell(&device, "b.example"),
            expected,
            "{:?} ({source})",
            device.managed
        );
    }
}

#[test]
fn what_holds_the_sandbox() {
    let mode = |keys: &str| read("copilot-cli", &device("1.0.102", &sandbox(keys))).mode();
    let held = mode(r#""allowBypass":false,"failIfUnavailable":true"#);
    assert_eq!(
        (held.sandboxed, held.outside, held.fails_closed),
        (true, Deny, true)
    );
    let absent = mode(r#""sandboxMcpServers":true"#);
    assert_eq!((absent.outside, absent.fails_closed), (Ask, false));
}

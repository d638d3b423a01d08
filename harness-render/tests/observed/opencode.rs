//! OpenCode 1.18.33.

use crate::reader::Answer::{self, Allow, Ask, Broken, Deny, Unrestricted};
use crate::reader::{Channel, Device, Op, Os, read};

const FILE: &str = "/etc/opencode/opencode.json";
const USER: &str = "~/.config/opencode/opencode.json";

fn device(permission: &str) -> Device {
    Device::new(Os::Linux, "1.18.33").managed(FILE, format!(r#"{{"permission":{permission}}}"#))
}

fn fetch(device: &Device, text: &str) -> Answer {
    read("opencode", device).host(Channel::Tool, text)
}

#[rustfmt::skip] // one line a case
const FETCHES: &[(&str, &str, Answer, &str)] = &[
    // permission, asked, answer, source
    (r#"{"webfetch":"deny"}"#, "http://a.example/", Deny, "seen"),
    (r#"{"webfetch":"ask"}"#, "http://a.example/", Ask, "follows"),
    (r#"{}"#, "http://a.example/", Unrestricted, "follows"),
    (r#""deny""#, "http://a.example/", Deny, "follows"),
    (r#"{"webfetc?":{"*":"deny","https://a.example":"allow","https://a.example/*":"allow"}}"#, "a.example", Allow, "seen"),
    (r#"{"webfetc?":{"*":"deny","https://a.example":"allow","https://a.example/*":"allow"}}"#, "https://a.example/x?y", Allow, "follows"),
    (r#"{"webfetc?":{"*":"deny","https://a.example":"allow","https://a.example/*":"allow"}}"#, "https://a.example.evil.example/", Deny, "follows"),
    (r#"{"webfetc?":{"*":"deny","https://a.example":"allow","https://a.example/*":"allow"}}"#, "https://a.example@evil.example/", Deny, "follows"),
    (r#"{"webfetc?":{"*":"deny","https://a.example":"allow","https://a.example/*":"allow"}}"#, "http://a.example/", Deny, "3.3: as spelt"),
    (r#"{"webfetc?":{"https://a.example/*":"allow","*":"deny"}}"#, "https://a.example/", Deny, "3.3: the last match"),
    (r#"{"webfetc?":{"*":"allow","*pastebin.example*":"deny"}}"#, "https://x.pastebin.example/", Deny, "3.3: over-denied"),
    (r#"{"webfetc?":{"*":"allow","*pastebin.example*":"deny"}}"#, "https://b.example/?pastebin.example", Deny, "3.3: over-denied"),
    (r#"{"webfetc?":{"*":"allow","*pastebin.example*":"deny"}}"#, "https://PASTEBIN.example/", Allow, "3.3: case counts on Linux"),
    (r#"{"webfetch":{"*":"deny"}}"#, "http://a.example/", Broken, "seen: an action only"),
    (r#"{"webfetch":"block"}"#, "http://a.example/", Broken, "seen"),
    (r#"{"bogus":"deny"}"#, "http://a.example/", Unrestricted, "seen: accepted as a rule"),
];

#[test]
fn hosts_of_the_fetch_tool() {
    for (permission, text, expected, source) in FETCHES {
        assert_eq!(
            fetch(&device(permission), text),
            *expected,
            "{permission} {text} ({source})"
        );
    }
}

#[rustfmt::skip] // one line a case
const PATHS: &[(&str, Op, &str, Answer, &str)] = &[
    // permission, what, path, answer, source
    (r#"{"read":{"~/.ssh/**":"deny"}}"#, Op::Read, "/home/u/.ssh/id", Unrestricted, "seen: inert"),
    (r#"{"read":{"/home/u/.ssh/*":"deny"}}"#, Op::Read, "/home/u/.ssh/id", Unrestricted, "seen: inert"),
    (r#"{"read":{"*.ssh/*":"deny"}}"#, Op::Read, "/home/u/.ssh/id", Deny, "seen"),
    (r#"{"read":{"*.env":"deny"}}"#, Op::Read, "/work/project/a/.env", Deny, "seen"),
    (r#"{"edit":{"*.ssh/*":"deny"}}"#, Op::Write, "/home/u/.ssh/id", Deny, "seen"),
    (r#"{"edit":{"*.ssh/*":"deny"}}"#, Op::Read, "/home/u/.ssh/id", Unrestricted, "follows"),
    (r#"{"external_directory":{"*":"deny","/opt/cache/*":"allow"}}"#, Op::Write, "/opt/cache/a", Allow, "seen"),
    (r#"{"external_directory":{"*":"deny","/opt/cache/**":"allow"}}"#, Op::Write, "/opt/cache/a/b", Allow, "seen"),
    (r#"{"external_directory":{"*":"deny","/opt/cache/*":"allow"}}"#, Op::Read, "/srv/a", Deny, "seen"),
    (r#"{"external_directory":{"~/.ssh/*":"deny"}}"#, Op::Read, "/home/u/.ssh/id", Deny, "follows"),
    (r#"{"external_directory":{"$HOME/.ssh/*":"deny"}}"#, Op::Read, "/home/u/.ssh/id", Deny, "follows"),
    (r#"{"external_directory":"deny"}"#, Op::Write, "/work/project/a", Unrestricted, "follows"),
    (r#"{"external_directory":{"*":"allow"},"edit":{"*.ssh/*":"deny"}}"#, Op::Write, "/home/u/.ssh/id", Deny, "follows"),
];

#[test]
fn paths_of_the_file_tools() {
    for (permission, op, path, expected, source) in PATHS {
        let answer = read("opencode", &device(permission)).path(Channel::Tool, *op, path);
        assert_eq!(answer, *expected, "{permission} {op:?} {path} ({source})");
    }
}

#[test]
fn commands_are_confined_by_nothing() {
    let reader = read(
        "opencode",
        &device(r#"{"external_directory":"deny","read":{"*.ssh/*":"deny"}}"#),
    );
    assert_eq!(
        reader.path(Channel::Shell, Op::Write, "/srv/a"),
        Unrestricted
    );
    assert_eq!(
        reader.path(Channel::Shell, Op::Read, "/home/u/.ssh/id"),
        Unrestricted
    );
    assert_eq!(reader.host(Channel::Shell, "a.example"), Unrestricted);
    assert!(!reader.mode().sandboxed);
    let none = read("opencode", &device(r#"{"bash":"deny"}"#));
    assert_eq!(none.host(Channel::Shell, "a.example"), Deny);
    let some = read(
        "opencode",
        &device(r#"{"bash":{"*":"deny","git *":"allow"}}"#),
    );
    assert_eq!(some.host(Channel::Shell, "a.example"), Deny);
}

#[test]
fn layers_and_what_undoes_them() {
    let deny = || device(r#"{"webfetch":"deny"}"#);
    let agents = ["build", "plan", "general", "explore"]
        .map(|agent| format!(r#""{agent}":{{"permission":{{"webfetch":"deny"}}}}"#));
    let repeated = || {
        let file = format!(
            r#"{{"permission":{{"webfetch":"deny"}},"agent":{{{}}}}}"#,
            agents.join(",")
        );
        Device::new(Os::Linux, "1.18.33").managed(FILE, file)
    };
    let order = r#"{"permission":{"webfetch":"ask","*":"allow"}}"#;
    let own_agent = r#"{"agent":{"build":{"permission":{"webfetch":"allow"}}}}"#;
    let custom = r#"{"agent":{"evil":{"permission":{"webfetch":"allow"}}}}"#;
    #[rustfmt::skip] // one line a case
    let rows = [
        // device, answer, source
        (deny(), Deny, "seen"),
        (deny().user(USER, r#"{"permission":{"webfetch":"allow"}}"#), Deny, "seen"),
        (deny().managed("/etc/opencode/opencode.jsonc", "// why\n{\"permission\":{\"webfetch\":\"ask\"}}"), Ask, "seen: later wins"),
        (deny().managed("/etc/opencode/config.json", r#"{"permission":{"webfetch":"allow"}}"#), Deny, "seen: not read"),
        (deny().env("OPENCODE_PERMISSION", r#"{"webfetch":"allow"}"#), Allow, "seen"),
        (deny().env("OPENCODE_TEST_MANAGED_CONFIG_DIR", "/nonexistent"), Unrestricted, "seen"),
        (deny().user(USER, own_agent), Allow, "seen"),
        (deny().user("/work/project/opencode.json", own_agent), Allow, "seen"),
        (deny().user(USER, order), Allow, "seen: key order"),
        (repeated(), Deny, "seen"),
        (repeated().env("OPENCODE_PERMISSION", r#"{"webfetch":"allow"}"#), Deny, "seen: held"),
        (repeated().user(USER, order), Deny, "seen: held"),
        (repeated().user(USER, own_agent), Deny, "seen: held"),
        (repeated().user(USER, custom), Allow, "seen: a custom agent stays open"),
        (Device::new(Os::Linux, "1.18.33").managed(FILE, "{"), Broken, "seen"),
        (Device::new(Os::Linux, "1.18.33").managed_as(FILE, r#"{"permission":{"webfetch":"deny"}}"#, 0o666, false), Deny, "seen: nobody checks"),
        (Device::new(Os::MacOs, "1.18.33").managed("/Library/Application Support/opencode/opencode.json", r#"{"permission":{"webfetch":"deny"}}"#), Deny, "follows"),
        (Device::new(Os::Windows, "1.18.33").managed("C:\\ProgramData\\opencode\\opencode.json", r#"{"permission":{"webfetch":"deny"}}"#), Deny, "follows"),
    ];
    for (device, expected, source) in rows {
        assert_eq!(
            fetch(&device, "http://a.example/"),
            expected,
            "{device:?} ({source})"
        );
    }
}

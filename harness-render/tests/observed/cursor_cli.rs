//! Cursor's sandbox helper 1.0.32. Single hosts are in `corpus.rs`.

use crate::reader::Answer::{Allow, Broken, Deny, Unrestricted};
use crate::reader::{Channel, Device, Op, Os, read};

const USER: &str = "~/.cursor/sandbox.json";
const REPOSITORY: &str = "/work/project/.cursor/sandbox.json";

fn device(file: &str) -> Device {
    Device::new(Os::Linux, "1.0.32").user(USER, file)
}

#[test]
fn hosts_of_commands() {
    let policy = |policy: &str| {
        device(&format!(
            r#"{{"type":"workspace_readwrite","networkPolicy":{{"default":"deny",{policy}}}}}"#
        ))
    };
    #[rustfmt::skip] // one line a case
    let rows = [
        // networkPolicy, asked, answer, source
        (r#""allow":["https://a.example"]"#, "a.example", Allow, "seen: read as the host"),
        (r#""allow":["a.example"],"deny":["a.example"]"#, "a.example", Deny, "seen: deny wins"),
        (r#""allow":["a.example","x.*.y"]"#, "a.example", Deny, "seen: the whole network off"),
        (r#""allow":["a.example","**.y"]"#, "a.example", Deny, "seen"),
        (r#""allow":["a.example",""]"#, "a.example", Deny, "seen"),
        (r#""allow":["203.0.113.10"]"#, "a.example", Allow, "seen: it resolves there"),
        (r#""allow":["203.0.112.0/24"]"#, "a.example", Deny, "seen"),
        (r#""allow":["203.0.113.10"]"#, "b.example", Deny, "seen"),
    ];
    for (network, text, expected, source) in rows {
        let device = policy(network).resolves("a.example", "203.0.113.10".parse().unwrap());
        let answer = read("cursor-cli", &device).host(Channel::Shell, text);
        assert_eq!(answer, expected, "{network} {text} ({source})");
    }
}

#[test]
fn files_are_merged_and_types_must_agree() {
    let deny = r#"{"type":"workspace_readwrite","networkPolicy":{"default":"deny"}}"#;
    #[rustfmt::skip] // one line a case
    let rows = [
        // user's file, repository's file, answer, source
        (deny, r#"{"networkPolicy":{"allow":["a.example"]}}"#, Allow, "4.2: lists united"),
        (deny, r#"{"networkPolicy":{"default":"allow"}}"#, Deny, "4.2: deny wins"),
        (deny, r#"{"type":"insecure_none"}"#, Broken, "4.2: types differ"),
        (r#"{"networkPolicy":{"default":"deny"}}"#, r#"{"type":"insecure_none"}"#, Unrestricted, "follows"),
        (r#"{"networkPolicy":{"default":"deny"}}"#, "{}", Unrestricted, "4.2: no sandbox by default"),
        (deny, "{", Broken, "follows"),
    ];
    for (user, repository, expected, source) in rows {
        let device = device(user).user(REPOSITORY, repository);
        let answer = read("cursor-cli", &device).host(Channel::Shell, "a.example");
        assert_eq!(answer, expected, "{user} {repository} ({source})");
    }
}

#[test]
fn paths_of_commands() {
    #[rustfmt::skip] // one line a case
    let rows = [
        // file, what, path, answer
        (r#"{"type":"workspace_readwrite"}"#, Op::Write, "/work/project/a", Allow),
        (r#"{"type":"workspace_readwrite"}"#, Op::Write, "/work/project/.cursor/sandbox.json", Deny),
        (r#"{"type":"workspace_readwrite"}"#, Op::Write, "/var/tmp/a", Allow),
        (r#"{"type":"workspace_readwrite"}"#, Op::Write, "/opt/build/a", Deny),
        (r#"{"type":"workspace_readwrite","additionalReadwritePaths":["/opt/build"]}"#, Op::Write, "/opt/build/a", Allow),
        (r#"{"type":"workspace_readwrite","disableTmpWrite":true}"#, Op::Write, "/tmp/a", Deny),
        (r#"{"type":"workspace_readonly"}"#, Op::Write, "/work/project/a", Deny),
        (r#"{"type":"workspace_readonly"}"#, Op::Write, "/tmp/a", Allow),
        (r#"{"type":"workspace_readonly"}"#, Op::Read, "/home/u/.ssh/id", Allow),
        (r#"{"type":"insecure_none"}"#, Op::Write, "/etc/a", Unrestricted),
    ];
    for (file, op, path, expected) in rows {
        let answer = read("cursor-cli", &device(file)).path(Channel::Shell, op, path);
        assert_eq!(answer, expected, "{file} {op:?} {path}");
    }
}

#[test]
fn nothing_of_the_administrators_holds() {
    let reader = read("cursor-cli", &Device::new(Os::Linux, "1.0.32"));
    assert_eq!(reader.host(Channel::Shell, "a.example"), Unrestricted);
    assert_eq!(reader.host(Channel::Tool, "a.example"), Unrestricted);
    assert_eq!(
        reader.path(Channel::Tool, Op::Read, "/home/u/.ssh/id"),
        Unrestricted
    );
    assert!(!reader.mode().sandboxed);
}

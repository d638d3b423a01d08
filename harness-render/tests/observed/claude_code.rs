//! Claude Code 2.1.332 and older.

use crate::reader::Answer::{self, Allow, Ask, Broken, Deny, Unrestricted};
use crate::reader::{Channel, Device, Op, Os, read};

const FILE: &str = "/etc/claude-code/managed-settings.json";

fn device(version: &str, settings: &str) -> Device {
    Device::new(Os::Linux, version).managed(FILE, settings)
}

/// Settings that switch the sandbox on with this `network` object.
fn network(network: &str) -> String {
    format!(r#"{{"sandbox":{{"enabled":true,"network":{network}}}}}"#)
}

/// Settings that switch the sandbox on with this `filesystem` object.
fn filesystem(filesystem: &str) -> String {
    format!(r#"{{"sandbox":{{"enabled":true,"filesystem":{filesystem}}}}}"#)
}

/// Settings with these `permissions`.
fn permissions(permissions: &str) -> String {
    format!(r#"{{"permissions":{permissions}}}"#)
}

#[rustfmt::skip] // one line a case
const SHELL_HOSTS: &[(&str, &str, Answer, &str)] = &[
    // sandbox.network of a managed-only list, asked, answer, source
    (r#"{"allowedDomains":["a.example"]}"#, "a.example", Allow, "seen"),
    (r#"{"allowedDomains":["a.example"]}"#, "x.a.example", Deny, "seen"),
    (r#"{"allowedDomains":["a.example"]}"#, "nota.example", Deny, "follows"),
    (r#"{"allowedDomains":["a.example"]}"#, "A.Example", Allow, "seen"),
    (r#"{"allowedDomains":["A.Example"]}"#, "a.example", Allow, "seen"),
    (r#"{"allowedDomains":["a.example"]}"#, "a.example.", Allow, "seen"),
    (r#"{"allowedDomains":["a.example"]}"#, "http://a.example:8080/", Allow, "seen"),
    (r#"{"allowedDomains":["a.example"]}"#, "https://a.example@b.example/", Deny, "seen"),
    (r#"{"allowedDomains":["*.a.example"]}"#, "a.example", Deny, "seen"),
    (r#"{"allowedDomains":["*.a.example"]}"#, "x.a.example", Allow, "seen"),
    (r#"{"allowedDomains":["*.a.example"]}"#, "y.x.a.example", Allow, "seen"),
    (r#"{"allowedDomains":["*.2.1"]}"#, "192.0.2.1", Deny, "seen: never an address"),
    (r#"{"allowedDomains":["*.a.example"],"deniedDomains":["x.a.example"]}"#, "x.a.example", Deny, "seen: deny first"),
    (r#"{"allowedDomains":["*.a.example"],"deniedDomains":["x.a.example"]}"#, "y.x.a.example", Allow, "seen"),
    (r#"{"allowedDomains":["a.example"],"deniedDomains":["*"]}"#, "a.example", Deny, "seen"),
    (r#"{"allowedDomains":[]}"#, "a.example", Deny, "seen"),
    (r#"{"deniedDomains":[]}"#, "a.example", Deny, "seen: no list"),
    (r#"{"allowedDomains":["*"]}"#, "a.example", Allow, "seen"),
    (r#"{"allowedDomains":["*.example"]}"#, "pastebin.example", Allow, "seen"),
    // The asked host is canonical.
    (r#"{"allowedDomains":["*"],"deniedDomains":["140.82.112.3"]}"#, "2354212867", Deny, "seen"),
    (r#"{"allowedDomains":["*"],"deniedDomains":["140.82.112.3"]}"#, "0x8c527003", Deny, "seen"),
    (r#"{"allowedDomains":["*"],"deniedDomains":["140.82.112.3"]}"#, "140.82.28675", Deny, "follows"),
    (r#"{"allowedDomains":["*"],"deniedDomains":["140.82.112.3"]}"#, "[::ffff:140.82.112.3]", Deny, "seen"),
    (r#"{"allowedDomains":["xn--mnchen-3ya.example"]}"#, "xn--mnchen-3ya.example", Allow, "seen"),
    (r#"{"allowedDomains":["xn--mnchen-3ya.example"]}"#, "m\u{fc}nchen.example", Deny, "seen: refused raw"),
    // The entry is not.
    ("{\"allowedDomains\":[\"m\u{fc}nchen.example\"]}", "xn--mnchen-3ya.example", Deny, "seen"),
    (r#"{"allowedDomains":["a.example."]}"#, "a.example", Deny, "seen"),
    (r#"{"allowedDomains":["a.example."]}"#, "a.example.", Deny, "seen"),
    (r#"{"allowedDomains":["*"],"deniedDomains":["a.example."]}"#, "a.example", Deny, "seen: repaired"),
    (r#"{"allowedDomains":["a.example:8080"]}"#, "http://a.example:8080/", Allow, "the runtime's source"),
    (r#"{"allowedDomains":["a.example:8080"]}"#, "http://a.example/", Deny, "the runtime's source"),
    (r#"{"allowedDomains":["[2001:db8::1]"]}"#, "[2001:db8::1]", Allow, "changelog"),
    (r#"{"allowedDomains":["[2001:db8::1]"]}"#, "[2001:0db8:0::1]:8443", Allow, "seen: canonical"),
    (r#"{"allowedDomains":["2001:db8::1"]}"#, "[2001:db8::1]", Deny, "changelog: brackets needed"),
    // Entries that match nothing leave the others alone.
    (r#"{"allowedDomains":["**.a.example"]}"#, "x.a.example", Deny, "seen"),
    (r#"{"allowedDomains":[".a.example"]}"#, "x.a.example", Deny, "seen"),
    (r#"{"allowedDomains":["*a.example"]}"#, "xa.example", Deny, "seen"),
    (r#"{"allowedDomains":["a*.example"]}"#, "ab.example", Deny, "seen"),
    (r#"{"allowedDomains":["140.82.112.0/24"]}"#, "140.82.112.3", Deny, "seen"),
    (r#"{"allowedDomains":["a.example/x"]}"#, "a.example", Deny, "seen"),
    (r#"{"allowedDomains":["https://a.example"]}"#, "a.example", Deny, "seen"),
    (r#"{"allowedDomains":["https://a.example","b.example"]}"#, "b.example", Allow, "seen"),
    (r#"{"allowedDomains":["*"],"deniedDomains":["https://pastebin.example"]}"#, "pastebin.example", Allow, "seen"),
    // This machine.
    (r#"{"allowedDomains":["localhost","127.0.0.1"]}"#, "localhost", Deny, "seen"),
    (r#"{"allowedDomains":["*"]}"#, "127.1", Deny, "seen"),
    // One list with the fetch tool's rules, and the wrong type read as no list.
    (r#"{"allowedDomains":"a.example"}"#, "a.example", Deny, "seen"),
    (r#"{"allowedDomains":["a.example"],"allowedDomain":["b.example"]}"#, "b.example", Deny, "seen: unknown key"),
];

#[test]
fn hosts_of_commands() {
    for (lists, text, expected, source) in SHELL_HOSTS {
        let lists = lists.replacen('{', r#"{"allowManagedDomainsOnly":true,"#, 1);
        let reader = read("claude-code", &device("2.1.332", &network(&lists)));
        assert_eq!(
            reader.host(Channel::Shell, text),
            *expected,
            "{lists} {text} ({source})"
        );
    }
}

#[rustfmt::skip] // one line a case
const SHELL_VERSIONS: &[(&str, &str, &str, Answer, &str)] = &[
    // release, sandbox.network, asked, answer, source
    ("2.0.76", r#"{"allowedDomains":["a.example"],"allowManagedDomainsOnly":true}"#, "b.example", Ask, "seen"),
    ("2.1.62", r#"{"allowedDomains":["a.example"],"allowManagedDomainsOnly":true}"#, "b.example", Ask, "changelog"),
    ("2.1.69", r#"{"allowedDomains":["a.example"],"allowManagedDomainsOnly":true}"#, "b.example", Deny, "changelog"),
    ("2.1.112", r#"{"allowedDomains":["*.example"],"deniedDomains":["pastebin.example"]}"#, "pastebin.example", Deny, "seen: too broad, all blocked"),
    ("2.1.112", r#"{"allowedDomains":["pastebin.example"],"deniedDomains":["pastebin.example"]}"#, "pastebin.example", Allow, "seen"),
    ("2.1.113", r#"{"allowedDomains":["pastebin.example"],"deniedDomains":["pastebin.example"]}"#, "pastebin.example", Deny, "seen"),
    ("2.1.172", r#"{"allowedDomains":["*","a.example"]}"#, "a.example", Deny, "seen"),
    ("2.1.197", r#"{"allowedDomains":["*","a.example"]}"#, "a.example", Allow, "seen"),
    ("2.1.218", r#"{"allowedDomains":["a.example"],"strictAllowlist":true}"#, "b.example", Ask, "changelog"),
    ("2.1.219", r#"{"allowedDomains":["a.example"],"strictAllowlist":true}"#, "b.example", Deny, "changelog"),
    ("2.1.228", r#"{"allowedDomains":["[2001:db8::1]"]}"#, "2001:db8::1", Ask, "changelog"),
    ("2.1.332", r#"{"allowedDomains":["a.example"]}"#, "b.example", Ask, "seen: a prompt without the lock"),
    ("2.1.332", r#"{}"#, "b.example", Ask, "seen"),
    ("2.1.332", r#"{"allowManagedDomainsOnly":7}"#, "b.example", Deny, "seen: fails closed"),
    ("2.1.332", r#"{"allowManagedDomainsOnly":"true"}"#, "b.example", Deny, "seen: a string reads as true"),
];

#[test]
fn releases_of_the_host_keys() {
    for (version, lists, text, expected, source) in SHELL_VERSIONS {
        let reader = read("claude-code", &device(version, &network(lists)));
        assert_eq!(
            reader.host(Channel::Shell, text),
            *expected,
            "{version} {lists} {text} ({source})"
        );
    }
}

#[rustfmt::skip] // one line a case
const FETCH_HOSTS: &[(&str, &str, &str, Answer, &str)] = &[
    // release, permissions, asked, answer, source
    ("2.1.332", r#"{"deny":["WebFetch(domain:pastebin.example)"]}"#, "PASTEBIN.example.", Deny, "seen"),
    ("2.1.332", r#"{"deny":["WebFetch(domain:pastebin.example)"]}"#, "x.pastebin.example", Ask, "follows"),
    ("2.1.332", r#"{"allow":["WebFetch(domain:a.example)"]}"#, "https://a.example:8443/x", Allow, "follows"),
    ("2.1.332", r#"{"allow":["WebFetch(domain:*.a.example)"]}"#, "x.a.example", Allow, "follows"),
    ("2.1.332", r#"{"allow":["WebFetch(domain:*.a.example)"]}"#, "a.example", Ask, "follows"),
    ("2.1.126", r#"{"deny":["WebFetch(domain:*.a.example)"]}"#, "x.a.example", Ask, "changelog: before 2.1.172"),
    ("2.1.170", r#"{"deny":["WebFetch(domain:*.a.example)"]}"#, "x.a.example", Ask, "seen"),
    ("2.1.172", r#"{"deny":["WebFetch(domain:*.a.example)"]}"#, "x.a.example", Deny, "seen, changelog"),
    ("2.1.170", r#"{"deny":["WebFetch(domain:a.example)"]}"#, "http://a.example./", Ask, "seen: the root's dot"),
    ("2.1.126", r#"{"deny":["WebFetch(domain:a.example)","WebFetch(domain:a.example.)"]}"#, "http://a.example./", Deny, "seen"),
    ("2.1.126", r#"{"deny":["WebFetch(domain:a.example)","WebFetch(domain:a.example.)"]}"#, "http://a.example/", Deny, "seen"),
    ("2.1.172", r#"{"deny":["WebFetch(domain:a.example)"]}"#, "http://a.example./", Deny, "seen"),
    ("2.1.332", r#"{"allow":["WebFetch"],"deny":["WebFetch(domain:a.example)"]}"#, "a.example", Deny, "seen"),
    ("2.1.332", r#"{"deny":["WebFetch"]}"#, "docs.python.org", Deny, "follows"),
    ("2.1.332", r#"{}"#, "docs.python.org", Allow, "seen: pre-approved"),
    ("2.1.332", r#"{"deny":["WebFetch(domain:docs.python.org)"]}"#, "docs.python.org", Deny, "seen"),
    ("2.1.332", r#"{"ask":["WebFetch(domain:docs.python.org)"]}"#, "docs.python.org", Ask, "seen"),
    ("2.1.332", r#"{"allow":["WebFetch(domain:a.example)"]}"#, "b.example", Ask, "seen"),
    ("2.1.332", r#"{"denyInsteadOfPrompting":true}"#, "b.example", Deny, "seen"),
    ("2.1.300", r#"{"denyInsteadOfPrompting":true}"#, "b.example", Ask, "seen"),
];

#[test]
fn hosts_of_the_fetch_tool() {
    for (version, rules, text, expected, source) in FETCH_HOSTS {
        let reader = read("claude-code", &device(version, &permissions(rules)));
        assert_eq!(
            reader.host(Channel::Tool, text),
            *expected,
            "{version} {rules} {text} ({source})"
        );
    }
    // The sandbox's denied hosts do not bind the tool; its rules bind the sandbox
    //.
    let denied = network(r#"{"deniedDomains":["pastebin.example"],"allowedDomains":["*"]}"#);
    assert_eq!(
        read("claude-code", &device("2.1.332", &denied)).host(Channel::Tool, "pastebin.example"),
        Ask
    );
    let rules = r#"{"permissions":{"allow":["WebFetch(domain:a.example)"],"deny":["WebFetch(domain:b.example)"]},
        "sandbox":{"enabled":true,"network":{"allowedDomains":["b.example"],"allowManagedDomainsOnly":true}}}"#;
    let reader = read("claude-code", &device("2.1.332", rules));
    assert_eq!(reader.host(Channel::Shell, "a.example"), Allow);
    assert_eq!(reader.host(Channel::Shell, "b.example"), Deny);
}

#[rustfmt::skip] // one line a case
const SHELL_PATHS: &[(&str, Op, &str, Answer, &str)] = &[
    // sandbox.filesystem, what, path, answer, source
    (r#"{"denyRead":["/srv/key"]}"#, Op::Read, "/srv/key/a", Deny, "seen"),
    (r#"{"denyRead":["//srv/key"]}"#, Op::Read, "/srv/key", Deny, "seen"),
    (r#"{"denyRead":["~/.ssh"]}"#, Op::Read, "/home/u/.ssh/id", Deny, "seen"),
    (r#"{"denyRead":["~/.ssh"]}"#, Op::Read, "/home/u/.sshd", Allow, "seen"),
    (r#"{"denyRead":["secret"]}"#, Op::Read, "/work/project/secret/a", Deny, "seen"),
    (r#"{"denyRead":[".env*"]}"#, Op::Read, "/work/project/.env.local", Deny, "seen"),
    (r#"{"denyRead":[".env*"]}"#, Op::Read, "/work/project/sub/.env", Allow, "seen: top level only"),
    (r#"{"denyRead":["**/.env*"]}"#, Op::Read, "/work/project/sub/.env", Deny, "seen"),
    (r#"{"denyRead":["**/.env*"]}"#, Op::Read, "/work/project/.env", Deny, "seen"),
    (r#"{"denyRead":["~/**/.env*"]}"#, Op::Read, "/home/u/a/b/.env", Deny, "seen"),
    (r#"{"denyRead":["~/.[sn]*"]}"#, Op::Read, "/home/u/.ssh/id", Deny, "seen"),
    (r#"{"denyRead":["~/.[sn]*"]}"#, Op::Read, "/home/u/.netrc", Deny, "seen"),
    (r#"{"denyRead":["/**/.env*"]}"#, Op::Read, "/work/project/.env", Allow, "seen: no effect"),
    (r#"{"denyRead":["$HOME/.ssh"]}"#, Op::Read, "/home/u/.ssh/id", Allow, "seen: no effect"),
    (r#"{"denyRead":["~u/.ssh"]}"#, Op::Read, "/home/u/.ssh/id", Allow, "seen: no effect"),
    (r#"{"denyRead":[""]}"#, Op::Read, "/work/project/a", Allow, "seen: no effect"),
    (r#"{"denyRead":["/"]}"#, Op::Read, "/work/project/a", Broken, "seen: every command fails"),
    (r#"{"denyRead":["~/.ssh"]}"#, Op::Write, "/home/u/.ssh/id", Allow, "seen: writable in memory"),
    (r#"{"denyRead":["~/.ssh"],"denyWrite":["~/.ssh"]}"#, Op::Write, "/home/u/.ssh/id", Deny, "seen"),
    (r#"{"denyWrite":["~/.ssh"]}"#, Op::Read, "/home/u/.ssh/id", Allow, "seen"),
    (r#"{}"#, Op::Write, "/work/project/a", Allow, "seen"),
    (r#"{}"#, Op::Write, "/home/u/a", Deny, "seen"),
    (r#"{}"#, Op::Read, "/home/u/.ssh/id", Allow, "seen"),
    (r#"{"allowWrite":["/opt/cache"]}"#, Op::Write, "/opt/cache/a", Allow, "seen"),
    (r#"{"allowWrite":["/opt/cache"]}"#, Op::Write, "/opt/cached", Deny, "seen"),
    (r#"{"allowWrite":["~/cache"]}"#, Op::Write, "/home/u/cache/a", Allow, "seen"),
    (r#"{"allowWrite":["/opt/*"]}"#, Op::Write, "/opt/cache/a", Deny, "seen: globs ignored on Linux"),
    (r#"{"allowWrite":["/opt"],"denyWrite":["/opt/key"]}"#, Op::Write, "/opt/key/a", Deny, "seen"),
    (r#"{"denyRead":["~/.ssh"],"allowRead":["~/.ssh"]}"#, Op::Read, "/home/u/.ssh/id", Allow, "seen"),
    (r#"{"denyRead":["~/.ssh"],"disabled":true}"#, Op::Read, "/home/u/.ssh/id", Unrestricted, "follows"),
];

#[test]
fn paths_of_commands() {
    for (lists, op, path, expected, source) in SHELL_PATHS {
        let reader = read("claude-code", &device("2.1.332", &filesystem(lists)));
        assert_eq!(
            reader.path(Channel::Shell, *op, path),
            *expected,
            "{lists} {op:?} {path} ({source})"
        );
    }
}

#[rustfmt::skip] // one line a case
const PATH_VERSIONS: &[(&str, &str, Op, &str, Answer, &str)] = &[
    // release, sandbox.filesystem, what, path, answer, source
    ("2.0.76", r#"{"denyRead":["~/.ssh"]}"#, Op::Read, "/home/u/.ssh/id", Allow, "seen"),
    ("2.1.62", r#"{"denyRead":["~/.ssh"]}"#, Op::Read, "/home/u/.ssh/id", Deny, "seen"),
    ("2.1.68", r#"{"allowWrite":["/opt/cache"]}"#, Op::Write, "/opt/cache/a", Deny, "seen"),
    ("2.1.68", r#"{"allowWrite":["//opt/cache"]}"#, Op::Write, "/opt/cache/a", Allow, "changelog"),
    ("2.1.78", r#"{"allowWrite":["/opt/cache"]}"#, Op::Write, "/opt/cache/a", Allow, "seen"),
    ("2.1.126", r#"{"denyRead":["conf/key"],"denyWrite":["conf/key"]}"#, Op::Read, "/work/project/conf/key/key", Allow, "seen: put back to be read"),
    ("2.1.126", r#"{"denyRead":["conf/key"],"denyWrite":["conf/key"]}"#, Op::Write, "/work/project/conf/key/key", Deny, "seen"),
    ("2.1.126", r#"{"denyRead":["~/.ssh"],"denyWrite":["~/.ssh"]}"#, Op::Read, "/home/u/.ssh/key", Deny, "seen: outside the workspace"),
    ("2.1.126", r#"{"denyRead":["**/.env*"],"denyWrite":["**/.env*"]}"#, Op::Read, "/work/project/web/.env", Deny, "seen: a glob"),
    ("2.1.172", r#"{"denyRead":["conf/key"],"denyWrite":["conf/key"]}"#, Op::Read, "/work/project/conf/key/key", Allow, "seen"),
    ("2.1.197", r#"{"denyRead":["conf/key"],"denyWrite":["conf/key"]}"#, Op::Read, "/work/project/conf/key/key", Deny, "seen"),
];

#[test]
fn releases_of_the_path_keys() {
    for (version, lists, op, path, expected, source) in PATH_VERSIONS {
        let reader = read("claude-code", &device(version, &filesystem(lists)));
        assert_eq!(
            reader.path(Channel::Shell, *op, path),
            *expected,
            "{version} {lists} ({source})"
        );
    }
}

#[rustfmt::skip] // one line a case
const TOOL_PATHS: &[(&str, Op, &str, Answer, &str)] = &[
    // permissions, what, path, answer, source
    (r#"{"deny":["Read(~/.ssh/**)"]}"#, Op::Read, "/home/u/.ssh/id", Deny, "seen"),
    (r#"{"deny":["Read(~/.ssh/**)"]}"#, Op::Write, "/home/u/.ssh/id", Unrestricted, "follows"),
    (r#"{"deny":["Edit(~/.ssh/**)"]}"#, Op::Write, "/home/u/.ssh/id", Deny, "seen"),
    (r#"{"deny":["Read(//srv/key/**)"]}"#, Op::Read, "/srv/key/a", Deny, "seen"),
    (r#"{"deny":["Read(/srv/key/**)"]}"#, Op::Read, "/srv/key/a", Unrestricted, "seen: silently useless"),
    (r#"{"deny":["Read(./secret/**)"]}"#, Op::Read, "/work/project/secret/a", Deny, "seen"),
    (r#"{"deny":["Read(**/.env*)"]}"#, Op::Read, "/work/project/sub/.env", Deny, "seen"),
    (r#"{"deny":["Read(**/.env*)"]}"#, Op::Read, "/work/project/.env.local", Deny, "seen"),
    (r#"{"deny":["Read"],"allow":["Read(~/a)"]}"#, Op::Read, "/home/u/a", Deny, "follows"),
    (r#"{"ask":["Read(~/a)"]}"#, Op::Read, "/home/u/a", Ask, "follows"),
    (r#"{"allow":["Read(~/a)"]}"#, Op::Read, "/home/u/a", Allow, "follows"),
];

#[test]
fn paths_of_the_file_tools() {
    for (rules, op, path, expected, source) in TOOL_PATHS {
        let reader = read("claude-code", &device("2.1.332", &permissions(rules)));
        assert_eq!(
            reader.path(Channel::Tool, *op, path),
            *expected,
            "{rules} {op:?} {path} ({source})"
        );
    }
    // The sandbox's path lists do not bind the tools.
    let sandbox = filesystem(r#"{"denyRead":["~/.ssh"],"denyWrite":["~/.ssh"]}"#);
    let reader = read("claude-code", &device("2.1.332", &sandbox));
    assert_eq!(
        reader.path(Channel::Tool, Op::Read, "/home/u/.ssh/id"),
        Unrestricted
    );
}

#[test]
fn files_that_are_refused_missing_or_merged() {
    let on = r#"{"sandbox":{"enabled":true,"network":{"allowedDomains":["a.example"],"allowManagedDomainsOnly":true}}}"#;
    let more = r#"{"sandbox":{"network":{"allowedDomains":["b.example"]}}}"#;
    let off = r#"{"sandbox":{"enabled":false}}"#;
    let drop_in = "/etc/claude-code/managed-settings.d/50-more.json";
    #[rustfmt::skip] // one line a case
    let rows = [
        // device, answer on b.example, source
        (Device::new(Os::Linux, "2.1.332"), Unrestricted, "follows"),
        (device("2.1.332", "{"), Broken, "seen"),
        (device("2.1.332", "[]"), Broken, "seen"),
        (device("2.1.332", on), Deny, "seen"),
        (device("2.1.332", r#"{"sandbox":{"enabled":"true"}}"#), Ask, "seen"),
        (device("2.1.332", r#"{"sandbox":{"enabled":1}}"#), Unrestricted, "seen: key ignored"),
        (device("2.0.23", on), Unrestricted, "1.2: before 2.0.24"),
        (device("2.1.332", on).managed(drop_in, more), Allow, "seen: lists joined"),
        (device("2.1.332", on).managed(drop_in, off), Unrestricted, "seen: later scalar wins"),
        (device("2.1.78", on).managed(drop_in, off), Deny, "seen: drop-ins ignored"),
        (Device::new(Os::Linux, "2.1.332").managed(drop_in, on), Deny, "seen: a drop-in alone"),
        (device("2.1.332", on).managed("/etc/claude-code/managed-settings.d/.x.json", off), Deny, "1.1: a leading dot"),
        (device("2.1.126", r#"{"requiredMinimumVersion":"2.1.172"}"#), Unrestricted, "seen"),
        (device("2.1.171", r#"{"requiredMinimumVersion":"2.1.172"}"#), Broken, "seen"),
        (device("2.1.172", r#"{"requiredMinimumVersion":"2.1.172"}"#), Unrestricted, "seen"),
        (device("2.1.332", r#"{"sandbox":{"enabled":true,"enabledPlatforms":["macos"]}}"#), Unrestricted, "seen: no sandbox, silently"),
        (Device::new(Os::MacOs, "2.1.332").managed("/Library/Application Support/ClaudeCode/managed-settings.json", on), Deny, "follows"),
        (Device::new(Os::Windows, "2.1.332").managed("C:/Program Files/ClaudeCode/managed-settings.json", on), Unrestricted, "follows"),
        (Device::new(Os::Windows, "2.1.332").managed("C:/Program Files/ClaudeCode/managed-settings.json", r#"{"sandbox":{"enabled":true,"failIfUnavailable":true}}"#), Broken, "seen: no start without a sandbox"),
    ];
    for (device, expected, source) in rows {
        let answer = read("claude-code", &device).host(Channel::Shell, "b.example");
        assert_eq!(answer, expected, "{device:?} ({source})");
    }
}

const SETTINGS: &str = "~/.claude/settings.json";
/// Managed settings with no lock on anything of the user's.
const LOOSE: &str = r#"{"sandbox":{"enabled":true,"network":{"allowedDomains":["a.example"]},
    "filesystem":{"denyRead":["~/.ssh"],"denyWrite":["~/.ssh"]}}}"#;
/// The same with every lock there is.
const LOCKED: &str = r#"{"allowManagedPermissionRulesOnly":true,
    "env":{"CLAUDE_CODE_SUBPROCESS_ENV_SCRUB":"0"},
    "permissions":{"disableBypassPermissionsMode":"disable"},
    "sandbox":{"enabled":true,"failIfUnavailable":true,"allowUnsandboxedCommands":false,
    "network":{"allowedDomains":["a.example"],"allowManagedDomainsOnly":true},
    "filesystem":{"denyRead":["~/.ssh"],"denyWrite":["~/.ssh"],"allowManagedReadPathsOnly":true}}}"#;

type Question<'q> = &'q dyn Fn(&Device) -> Answer;

#[test]
fn what_a_user_can_loosen_and_what_locks_it() {
    let shell =
        |text: &'static str| move |d: &Device| read("claude-code", d).host(Channel::Shell, text);
    let fetch =
        |text: &'static str| move |d: &Device| read("claude-code", d).host(Channel::Tool, text);
    let path = |op, path: &'static str| {
        move |d: &Device| read("claude-code", d).path(Channel::Shell, op, path)
    };
    let outside = |d: &Device| read("claude-code", d).mode().outside;
    #[rustfmt::skip] // one line a case
    let rows: [(&str, Question<'_>, Answer, Answer, &str); 10] = [
        // the user's settings, asked, answer when loose, answer when locked, source
        (r#"{"sandbox":{"excludedCommands":["bash *"]}}"#, &outside, Allow, Ask, "seen"),
        (r#"{"sandbox":{"filesystem":{"allowRead":["~/.ssh"]}}}"#, &path(Op::Read, "/home/u/.ssh/id"), Allow, Deny, "seen"),
        (r#"{"sandbox":{"filesystem":{"allowWrite":["/"]}}}"#, &path(Op::Write, "/srv/a"), Allow, Allow, "seen: no lock"),
        (r#"{"sandbox":{"filesystem":{"allowWrite":["/"]}}}"#, &path(Op::Write, "/home/u/.ssh/id"), Deny, Deny, "follows"),
        (r#"{"permissions":{"additionalDirectories":["/srv"]}}"#, &path(Op::Write, "/srv/a"), Allow, Allow, "seen: no lock"),
        (r#"{"sandbox":{"network":{"allowedDomains":["b.example"]}}}"#, &shell("b.example"), Allow, Deny, "seen"),
        (r#"{"env":{"CLAUDE_CODE_SUBPROCESS_ENV_SCRUB":"1"}}"#, &path(Op::Write, "/srv/a"), Allow, Deny, "seen"),
        (r#"{"permissions":{"defaultMode":"bypassPermissions"}}"#, &fetch("b.example"), Allow, Ask, "seen"),
        (r#"{"permissions":{"allow":["WebFetch"]}}"#, &fetch("b.example"), Allow, Ask, "seen"),
        (r#"{"sandbox":{"enabled":false,"network":{"strictAllowlist":false},"filesystem":{"disabled":true}}}"#, &path(Op::Read, "/home/u/.ssh/id"), Deny, Deny, "seen: held"),
    ];
    for (settings, asked, loose, locked, source) in rows {
        let loosened = device("2.1.332", LOOSE).user(SETTINGS, settings);
        assert_eq!(asked(&loosened), loose, "{settings} ({source})");
        let held = device("2.1.332", LOCKED).user(SETTINGS, settings);
        assert_eq!(asked(&held), locked, "{settings} locked ({source})");
    }
    let scrubbed = device("2.1.332", LOOSE).env("CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", "1");
    assert_eq!(
        read("claude-code", &scrubbed).path(Channel::Shell, Op::Write, "/srv/a"),
        Allow
    );
}

#[test]
fn what_holds_the_sandbox() {
    let mode = |version: &str, sandbox: &str| {
        read(
            "claude-code",
            &device(version, &format!(r#"{{"sandbox":{sandbox}}}"#)),
        )
        .mode()
    };
    let retry = r#"{"enabled":true,"allowUnsandboxedCommands":false}"#;
    assert_eq!(mode("2.1.332", retry).outside, Deny);
    assert_eq!(mode("2.0.29", retry).outside, Ask); // 1.2: since 2.0.30
    assert_eq!(mode("2.1.332", r#"{"enabled":true}"#).outside, Ask);
    assert_eq!(mode("2.1.332", "{}").outside, Unrestricted);
    let closed = r#"{"enabled":true,"failIfUnavailable":true}"#;
    assert!(mode("2.1.83", closed).fails_closed);
    assert!(!mode("2.1.78", closed).fails_closed); // It warns.
    assert!(mode("2.1.78", closed).sandboxed);
    assert!(!mode("2.1.332", closed).outside_stays_bound);
}

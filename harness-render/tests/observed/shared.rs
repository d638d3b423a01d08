//! The pieces every reader stands on.

use crate::reader::{Device, Os, glob, target};

#[test]
fn a_client_connects_to_the_authority() {
    // text, scheme, host as written, port
    #[rustfmt::skip] // one line a case
    let rows = [
        ("pastebin.example", "https", "pastebin.example", 443),
        ("PasteBin.Example.", "https", "PasteBin.Example.", 443),
        ("http://pastebin.example/raw/x", "http", "pastebin.example", 80),
        ("HTTPS://github.example@pastebin.example/", "https", "pastebin.example", 443),
        ("https://a:b@pastebin.example:8443?q=@x", "https", "pastebin.example", 8443),
        ("ssh://git@github.example/o/r", "ssh", "github.example", 22),
        ("2001:db8::1", "https", "2001:db8::1", 443),
        ("[2001:db8::1]:80", "https", "2001:db8::1", 80),
        ("https://evil.example/?.a.example", "https", "evil.example", 443),
    ];
    for (text, scheme, host, port) in rows {
        let target = target(text).unwrap();
        assert_eq!(
            (&*target.scheme, &*target.host, target.port),
            (scheme, host, port),
            "{text}"
        );
    }
    for text in [
        "",
        "https://",
        "https:///x",
        "a.example:x",
        "[::1",
        "a.example:70000",
    ] {
        assert_eq!(target(text), None, "{text}");
    }
}

#[test]
fn globs_stay_within_a_component_and_two_stars_do_not() {
    // pattern, path, matches it, matches it or what is above it
    let rows = [
        ("/w/.env*", "/w/.env", true, true),
        ("/w/.env*", "/w/.env.local", true, true),
        ("/w/.env*", "/w/a/.env", false, false),
        ("/w/.env*", "/w/.envs/key", false, true),
        ("/w/**/.env*", "/w/.env", true, true),
        ("/w/**/.env*", "/w/a/b/.env", true, true),
        ("/w/**/.env*", "/v/.env", false, false),
        ("/h/.[sn]*", "/h/.ssh", true, true),
        ("/h/.[sn]*", "/h/.ssh/id", false, true),
        ("/h/.[!sn]*", "/h/.ssh", false, false),
        ("/h/.[a-c]?s", "/h/.aws", true, true),
        ("/h/.ssh/**", "/h/.ssh/a/b", true, true),
        ("/h/.ssh/**", "/h/.ssh", false, false),
        ("/h/*/x", "/h/x", false, false),
    ];
    for (pattern, path, matches, covers) in rows {
        assert_eq!(glob::matches(pattern, path), matches, "{pattern} {path}");
        assert_eq!(glob::covers(pattern, path), covers, "{pattern} {path}");
    }
}

#[test]
fn what_lies_below_is_decided_by_components() {
    for (path, root, under) in [
        ("/opt/cache/x", "/opt/cache", true),
        ("/opt/cache", "/opt/cache", true),
        ("/opt/cache", "/opt/cache/", true),
        ("/opt/cached", "/opt/cache", false),
        ("/etc", "/", true),
    ] {
        assert_eq!(glob::is_under(path, root), under, "{path} {root}");
    }
}

#[test]
fn a_device_is_found_by_either_slash() {
    let device = Device::new(Os::Windows, "2.1.332")
        .managed("C:\\Program Files\\ClaudeCode\\managed-settings.json", "[]");
    let reader = crate::reader::read("claude-code", &device);
    let answer = reader.host(crate::reader::Channel::Shell, "a.example");
    assert_eq!(answer, crate::reader::Answer::Broken);
}

//! Codex 0.171.0 and older.

use crate::reader::Answer::{self, Allow, Ask, Broken, Deny, Unrestricted};
use crate::reader::{Channel, Device, Op, Os, read};

const FILE: &str = "/etc/codex/requirements.toml";
const CONFIG: &str = "~/.codex/config.toml";
const MODES: &str = "allowed_sandbox_modes = [\"read-only\", \"workspace-write\"]\n";

fn device(version: &str, requirements: &str) -> Device {
    Device::new(Os::Linux, version).managed(FILE, requirements)
}

fn shell(device: &Device, text: &str) -> Answer {
    read("codex", device).host(Channel::Shell, text)
}

#[rustfmt::skip] // one line a case
const HOSTS: &[(&str, &str, Answer, &str)] = &[
    // keys of an enabled [experimental_network] that holds the managed domains only, asked, answer, source
    (r#"allowed_domains = ["a.example"]"#, "a.example", Allow, "seen"),
    (r#"allowed_domains = ["a.example"]"#, "x.a.example", Deny, "seen"),
    (r#"allowed_domains = ["a.example"]"#, "A.Example.", Allow, "seen"),
    (r#"allowed_domains = ["A.Example."]"#, "a.example", Allow, "seen"),
    (r#"allowed_domains = ["a.example"]"#, "https://a.example@b.example/", Deny, "seen"),
    (r#"allowed_domains = ["*.ok.example"]"#, "ok.example", Deny, "seen"),
    (r#"allowed_domains = ["*.ok.example"]"#, "sub.ok.example", Allow, "seen"),
    (r#"allowed_domains = ["*.ok.example"]"#, "deep.sub.ok.example", Allow, "seen"),
    (r#"allowed_domains = ["*.ok.example"]"#, "notok.example", Deny, "seen"),
    (r#"allowed_domains = ["**.ok.example"]"#, "ok.example", Allow, "seen"),
    (r#"allowed_domains = ["**.ok.example"]"#, "deep.sub.ok.example", Allow, "seen"),
    (r#"allowed_domains = ["**.ok.example"]"#, "notok.example", Deny, "seen"),
    (r#"allowed_domains = ["a.example:8080"]"#, "http://a.example/", Allow, "seen: every port"),
    (r#"allowed_domains = ["*ok.example"]"#, "notok.example", Allow, "seen: live glob"),
    (r#"allowed_domains = ["a*.ok.example"]"#, "a.b.ok.example", Allow, "seen: crosses dots"),
    (r#"allowed_domains = [".ok.example"]"#, "sub.ok.example", Deny, "seen"),
    (r#"allowed_domains = [".ok.example"]"#, "ok.example", Deny, "seen"),
    ("allowed_domains = [\"m\u{fc}nchen.example\"]", "xn--mnchen-3ya.example", Deny, "seen"),
    (r#"allowed_domains = ["xn--mnchen-3ya.example"]"#, "xn--mnchen-3ya.example", Allow, "seen"),
    (r#"allowed_domains = ["140.82.112.3"]"#, "140.82.112.3", Allow, "seen"),
    (r#"allowed_domains = ["140.82.112.3"]"#, "140.82.112.4", Deny, "seen"),
    // This machine and private networks.
    (r#"allowed_domains = ["*.example"]"#, "127.0.0.1", Deny, "seen"),
    (r#"allowed_domains = ["*.0.0.1"]"#, "127.0.0.1", Deny, "seen: an exact entry is needed"),
    (r#"allowed_domains = ["localhost", "127.0.0.1"]"#, "localhost", Allow, "seen"),
    (r#"allowed_domains = ["localhost", "127.0.0.1"]"#, "127.0.0.1", Allow, "seen"),
    (r#"allowed_domains = ["127.0.0.1"]"#, "0x7f000001", Deny, "seen"),
    (r#"allowed_domains = ["127.0.0.1"]"#, "2130706433", Deny, "seen"),
    (r#"allowed_domains = ["*.1"]"#, "10.0.0.1", Deny, "seen"),
    // Lists.
    (r#"allowed_domains = []"#, "a.example", Deny, "seen"),
    ("", "a.example", Deny, "seen: no list"),
    (r#"denied_domains = ["b.example"]"#, "a.example", Deny, "seen: deny only blocks all"),
    ("allowed_domains = [\"a.example\"]\ndenied_domains = [\"a.example\"]", "a.example", Deny, "seen"),
    ("allowed_domains = [\"ok.example\", \"sub.ok.example\"]\ndenied_domains = [\"*.ok.example\"]", "ok.example", Allow, "seen"),
    ("allowed_domains = [\"ok.example\", \"sub.ok.example\"]\ndenied_domains = [\"*.ok.example\"]", "sub.ok.example", Deny, "seen"),
    ("allowed_domains = [\"*.ok.example\"]\ndenied_domains = [\"sub.ok.example\"]", "deep.sub.ok.example", Allow, "seen"),
    ("allowed_domains = [\"*.ok.example\"]\ndenied_domains = [\"PasteBin.ok.example.\"]", "pastebin.ok.example", Deny, "seen"),
    ("[experimental_network.domains]\n\"a.example\" = \"allow\"", "a.example", Allow, "seen"),
    ("[experimental_network.domains]\n\"*.example\" = \"allow\"\n\"b.example\" = \"deny\"", "b.example", Deny, "seen"),
    // Entries that keep a session from starting.
    (r#"allowed_domains = ["*"]"#, "a.example", Broken, "seen"),
    (r#"denied_domains = ["*"]"#, "a.example", Broken, "seen"),
    (r#"allowed_domains = ["https://a.example"]"#, "a.example", Broken, "seen"),
    (r#"allowed_domains = ["a.example/x"]"#, "a.example", Broken, "seen"),
    (r#"allowed_domains = ["140.82.112.0/24"]"#, "140.82.112.3", Broken, "seen"),
    (r#"allowed_domains = ["{a,b}.example"]"#, "a.example", Broken, "seen"),
    (r#"allowed_domains = ["[ab].example"]"#, "a.example", Broken, "seen"),
    (r#"allowed_domains = ["", "a.example"]"#, "a.example", Broken, "seen"),
    ("allowed_domains = [\"a.example\"]\n[experimental_network.domains]\n\"b.example\" = \"allow\"", "a.example", Broken, "seen"),
    (r#"allowed_domains = "a.example""#, "a.example", Broken, "seen: wrong type"),
    // A misspelt key is ignored.
    (r#"allowed_domain = ["a.example"]"#, "a.example", Deny, "seen"),
];

#[test]
fn hosts_of_commands() {
    for (keys, text, expected, source) in HOSTS {
        let file = format!(
            "{MODES}[experimental_network]\nenabled = true\nmanaged_allowed_domains_only = true\n{keys}\n"
        );
        assert_eq!(
            shell(&device("0.171.0", &file), text),
            *expected,
            "{keys} {text} ({source})"
        );
    }
}

#[rustfmt::skip] // one line a case
const RELEASES: &[(&str, &str, &str, Answer, &str)] = &[
    // release, requirements, asked, answer, source
    ("0.75.0", "not toml", "b.example", Unrestricted, "seen: ignored"),
    ("0.77.0", "not toml", "b.example", Broken, "follows"),
    ("0.171.0", "", "b.example", Unrestricted, "follows"),
    ("0.171.0", "bogus = 1", "b.example", Unrestricted, "seen: an unknown key is ignored"),
    ("0.171.0", "allowed_sandbox_modes = 1", "b.example", Broken, "seen: wrong type"),
    ("0.171.0", "allowed_sandbox_modes = [\"workspace-write\"]", "b.example", Broken, "seen"),
    ("0.98.0", "allowed_sandbox_modes = [\"read-only\"]\n[experimental_network]\nenabled = true\nallowed_domains = [\"a.example\"]", "b.example", Unrestricted, "seen"),
    ("0.114.0", "allowed_sandbox_modes = [\"read-only\"]\n[experimental_network]\nenabled = true\nallowed_domains = [\"a.example\"]", "a.example", Deny, "seen: no network at all"),
    ("0.118.0", "allowed_sandbox_modes = [\"read-only\"]\n[experimental_network]\nenabled = true\nallowed_domains = [\"a.example\"]", "a.example", Allow, "seen: even read-only"),
    ("0.171.0", "allowed_sandbox_modes = [\"read-only\"]\n[experimental_network]\nenabled = true\nallowed_domains = [\"a.example\"]", "b.example", Ask, "seen: one yes opens it"),
    ("0.171.0", "allowed_sandbox_modes = [\"read-only\"]\n[experimental_network]\nallowed_domains = [\"a.example\"]", "b.example", Unrestricted, "seen"),
    ("0.171.0", "allowed_sandbox_modes = [\"read-only\"]\n[experimental_network]\nenabled = false\nallowed_domains = [\"a.example\"]", "b.example", Unrestricted, "seen"),
    ("0.171.0", "allowed_sandbox_modes = [\"read-only\", \"danger-full-access\"]\n[experimental_network]\nenabled = true", "b.example", Unrestricted, "follows"),
    ("0.160.1", "allowed_sandbox_modes = [\"read-only\"]\n[network_proxy]\nenabled = true\nmanaged_allowed_domains_only = true", "b.example", Unrestricted, "seen: ignored"),
    ("0.166.0", "allowed_sandbox_modes = [\"read-only\"]\n[network_proxy]\nenabled = true\nmanaged_allowed_domains_only = true", "b.example", Deny, "seen"),
    ("0.134.0", "[permissions.network]\nenabled = true", "b.example", Broken, "seen: a profile's name"),
    ("0.171.0", "allowed_sandbox_modes = [\"read-only\"]\n[permissions.network]\nenabled = true\nmanaged_allowed_domains_only = true", "b.example", Deny, "follows"),
];

#[rustfmt::skip] // one line a case
const LITERALS: &[(&str, &str, &str, Answer, &str)] = &[
    // release, allowed entry, asked, answer, source
    ("0.130.0", "2001:db8::7", "http://[2001:db8::7]/", Deny, "seen: 400"),
    ("0.171.0", "2001:db8::7", "http://[2001:db8::7]/", Deny, "seen: 400"),
    ("0.130.0", "2001:db8::7", "https://[2001:db8::7]/", Allow, "seen: a tunnel"),
    ("0.171.0", "2001:db8::7", "https://[2001:db8::7]/", Allow, "seen: a tunnel"),
    ("0.130.0", "203.0.113.7", "http://203.0.113.7/", Deny, "seen: 502"),
    ("0.130.0", "203.0.113.7", "https://203.0.113.7/", Deny, "seen: nothing arrives"),
    ("0.130.0", "93.184.216.35", "http://93.184.216.35/", Allow, "seen"),
    ("0.150.0", "203.0.113.7", "http://203.0.113.7/", Allow, "seen"),
    ("0.150.0", "203.0.113.7", "https://203.0.113.7/", Allow, "seen"),
];

#[test]
fn addresses_that_are_spelled_out() {
    for (version, entry, text, expected, source) in LITERALS {
        let file = format!(
            "{MODES}[experimental_network]\nenabled = true\n\
             managed_allowed_domains_only = true\nallowed_domains = [\"{entry}\"]\n"
        );
        assert_eq!(
            shell(&device(version, &file), text),
            *expected,
            "{version} {entry} {text} ({source})"
        );
    }
}

#[rustfmt::skip] // one line a case
const GLOBS: &[(&str, &str, &str, Answer, &str)] = &[
    // release, entry of deny_read, path, answer to a read, source
    ("0.130.0", "~/.config/*/token", "/home/u/.config/app/token", Allow, "seen: not denied"),
    ("0.167.2", "~/.config/*/token", "/home/u/.config/app/token", Allow, "seen: not denied"),
    ("0.168.0", "~/.config/*/token", "/home/u/.config/app/token", Deny, "seen"),
    ("0.171.0", "~/.config/*/token", "/home/u/.config/app/token", Deny, "seen"),
    ("0.130.0", "~/.config/**/token", "/home/u/.config/app/token", Deny, "seen"),
    ("0.168.0", "~/.config/**/token", "/home/u/.config/app/token", Deny, "seen"),
    ("0.167.2", "~/plain/tok*", "/home/u/plain/token", Deny, "seen"),
    ("0.167.2", "~/plain/tok*", "/home/u/plain/live/token", Deny, "seen: at every depth"),
    ("0.168.0", "~/plain/tok*", "/home/u/plain/live/token", Allow, "seen"),
];

#[test]
fn globs_of_denied_paths() {
    for (version, entry, path, expected, source) in GLOBS {
        let file = format!("{MODES}[permissions.filesystem]\ndeny_read = [\"{entry}\"]\n");
        assert_eq!(
            read("codex", &device(version, &file)).path(Channel::Shell, Op::Read, path),
            *expected,
            "{version} {entry} {path} ({source})"
        );
    }
}

#[test]
fn releases_of_the_host_keys() {
    for (version, file, text, expected, source) in RELEASES {
        assert_eq!(
            shell(&device(version, file), text),
            *expected,
            "{version} {file} ({source})"
        );
    }
}

#[rustfmt::skip] // one line a case
const DENY_READ: &[(&str, &str, Answer, &str)] = &[
    // entry of deny_read, path, answer to a read and to a write, source
    ("~/.ssh", "/home/u/.ssh/id", Deny, "seen"),
    ("~/.ssh/", "/home/u/.ssh/id", Deny, "seen"),
    ("~/.ssh/**", "/home/u/.ssh/id", Deny, "seen"),
    ("/etc/shadow", "/etc/shadow", Deny, "seen"),
    ("~/.netrc", "/home/u/.netrc", Deny, "seen"),
    ("~/**/.env*", "/home/u/a/.env.local", Deny, "seen"),
    ("~/ws/**/.env*", "/home/u/ws/.env", Deny, "seen"),
    (".env*", "/work/project/.env", Allow, "seen: counted from /etc/codex"),
    ("./.env", "/work/project/.env", Allow, "seen"),
    ("**/.env*", "/work/project/.env", Allow, "seen"),
    ("$HOME/.ssh", "/home/u/.ssh/id", Allow, "seen"),
    ("~root/.ssh", "/home/u/.ssh/id", Allow, "seen"),
    ("", "/work/project/.env", Allow, "seen"),
    ("~/.ss*", "/home/u/.ssh/id", Allow, "seen: globs match files only"),
    ("/**/.env*", "/work/project/.env", Broken, "seen"),
    ("~", "/home/u/.ssh/id", Broken, "seen"),
    ("/", "/home/u/.ssh/id", Broken, "seen"),
    ("/home", "/home/u/.ssh/id", Broken, "seen: above Codex's directory"),
    ("~/.{ssh,netrc}", "/home/u/.ssh/id", Broken, "seen"),
    ("C:\\Users\\x\\.ssh", "/home/u/.ssh/id", Broken, "seen"),
];

#[test]
fn paths_that_may_not_be_read() {
    for (entry, path, expected, source) in DENY_READ {
        let file = format!(
            "allowed_sandbox_modes = [\"read-only\", \"workspace-write\"]\n[permissions.filesystem]\ndeny_read = ['{entry}']\n"
        );
        let reader = read("codex", &device("0.171.0", &file));
        assert_eq!(
            reader.path(Channel::Shell, Op::Read, path),
            *expected,
            "{entry} ({source})"
        );
        if *expected != Allow {
            assert_eq!(
                reader.path(Channel::Shell, Op::Write, path),
                *expected,
                "{entry} ({source})"
            );
        }
    }
    // Read since 0.122.
    let file = format!("{MODES}[permissions.filesystem]\ndeny_read = [\"~/.ssh\"]\n");
    for (version, expected) in [("0.121.0", Allow), ("0.122.0", Deny)] {
        let reader = read("codex", &device(version, &file));
        assert_eq!(
            reader.path(Channel::Shell, Op::Read, "/home/u/.ssh/id"),
            expected,
            "{version}"
        );
    }
}

/// A managed profile over `base` with these lines of its `filesystem` table, one list of modes, and
/// a path nobody may read, without which the profile does not hold every client.
fn profile(base: &str, filesystem: &str) -> String {
    format!(
        "{MODES}default_permissions = \"managed-by-acme\"\n\
         [allowed_permission_profiles]\nmanaged-by-acme = true\n\
         [permissions.filesystem]\ndeny_read = [\"~/.ssh\"]\n\
         [permissions.managed-by-acme]\nextends = \"{base}\"\n\
         [permissions.managed-by-acme.filesystem]\n{filesystem}\n"
    )
}

#[rustfmt::skip] // one line a case
const PROFILES: &[(&str, &str, Op, &str, Answer, &str)] = &[
    // base, filesystem, what, path, answer, source
    (":workspace", "", Op::Write, "/work/project/a", Allow, "seen"),
    (":workspace", "", Op::Write, "/work/project/.git/hooks/post-commit", Deny, "seen"),
    (":workspace", "", Op::Write, "/tmp/a", Allow, "seen"),
    (":workspace", "", Op::Write, "/home/u/a", Deny, "seen"),
    (":workspace", "", Op::Read, "/home/u/a", Allow, "follows"),
    (":workspace", r#""/opt/cache" = "write""#, Op::Write, "/opt/cache/a", Allow, "seen"),
    (":workspace", r#""/opt/cache" = "write""#, Op::Write, "/opt/cached", Deny, "seen"),
    (":workspace", r#""~/cache" = "write""#, Op::Write, "/home/u/cache/a", Allow, "seen"),
    (":workspace", "\"/opt\" = \"write\"\n\"/opt/fixed\" = \"read\"", Op::Write, "/opt/fixed/a", Deny, "seen: write-protected"),
    (":workspace", "\"/opt\" = \"write\"\n\"/opt/fixed\" = \"read\"", Op::Read, "/opt/fixed/a", Allow, "seen"),
    (":workspace", r#""~/.aws" = "deny""#, Op::Read, "/home/u/.aws/credentials", Deny, "seen"),
    (":workspace", r#"":workspace_roots" = { "**/.env*" = "deny" }"#, Op::Read, "/work/project/a/.env", Deny, "seen"),
    (":workspace", r#"":workspace_roots" = { "**/.env*" = "deny" }"#, Op::Write, "/work/project/.env", Deny, "seen"),
    (":workspace", "glob_scan_max_depth = 2\n\":workspace_roots\" = { \"**/.env*\" = \"deny\" }", Op::Read, "/work/project/a/.env", Deny, "seen"),
    (":workspace", "glob_scan_max_depth = 2\n\":workspace_roots\" = { \"**/.env*\" = \"deny\" }", Op::Read, "/work/project/a/b/.env", Allow, "permissions page DOC"),
    (":workspace", "", Op::Read, "/home/u/.ssh/id", Deny, "seen"),
    (":read-only", "", Op::Write, "/work/project/a", Deny, "seen"),
    (":read-only", "", Op::Write, "/tmp/a", Deny, "follows"),
    (":read-only", "", Op::Read, "/work/project/a", Allow, "follows"),
];

#[rustfmt::skip] // one line a case
const FILE_TOOLS: &[(&str, Op, &str, Answer, &str)] = &[
    // release, what, path below a denied one, answer, source
    ("0.130.0", Op::Read, "/home/u/.ssh/key", Ask, "seen: shown"),
    ("0.130.0", Op::Write, "/home/u/.ssh/key", Ask, "seen: patched"),
    ("0.133.0", Op::Write, "/home/u/.ssh/key", Ask, "seen: patched"),
    ("0.138.0", Op::Read, "/home/u/.ssh/key", Deny, "seen"),
    ("0.138.0", Op::Write, "/home/u/.ssh/key", Deny, "seen"),
    ("0.171.0", Op::Read, "/srv/vault/key", Deny, "seen"),
    ("0.171.0", Op::Write, "/srv/vault/key", Deny, "seen"),
];

#[test]
fn denied_paths_and_the_file_tools() {
    let file =
        format!("{MODES}[permissions.filesystem]\ndeny_read = [\"~/.ssh\", \"/srv/vault\"]\n");
    for (version, op, path, expected, source) in FILE_TOOLS {
        assert_eq!(
            read("codex", &device(version, &file)).path(Channel::Tool, *op, path),
            *expected,
            "{version} {op:?} {path} ({source})"
        );
    }
}

#[test]
fn paths_under_a_managed_profile() {
    for (base, filesystem, op, path, expected, source) in PROFILES {
        let reader = read("codex", &device("0.171.0", &profile(base, filesystem)));
        for channel in [Channel::Shell, Channel::Tool] {
            assert_eq!(
                reader.path(channel, *op, path),
                *expected,
                "{base} {filesystem} {op:?} {path} ({source})"
            );
        }
    }
    // Globs of the workspace need a depth before 0.153.
    let bare = profile(
        ":workspace",
        r#"":workspace_roots" = { "**/.env*" = "deny" }"#,
    );
    let deep = profile(
        ":workspace",
        "glob_scan_max_depth = 3\n\":workspace_roots\" = { \"**/.env*\" = \"deny\" }",
    );
    for (version, file, expected) in [
        ("0.152.0", &bare, Allow),
        ("0.153.0", &bare, Deny),
        ("0.138.0", &deep, Deny),
    ] {
        let reader = read("codex", &device(version, file));
        assert_eq!(
            reader.path(Channel::Shell, Op::Read, "/work/project/.env"),
            expected,
            "{version}"
        );
    }
}

#[test]
fn profiles_that_are_refused() {
    let good = profile(":workspace", "");
    #[rustfmt::skip] // one line a case
    let rows = [
        // release, requirements, answer, source
        ("0.133.0", good.clone(), Allow, "seen: older builds ignore it"),
        ("0.134.0", good.clone(), Broken, "seen"),
        ("0.137.0", good.clone(), Broken, "seen"),
        ("0.138.0", good.clone(), Allow, "seen"),
        ("0.171.0", good.replace("[permissions.managed", "[permissions.other"), Broken, "seen: undefined"),
        ("0.171.0", good.replace("acme = true", "acme = false"), Broken, "seen: not allowed"),
        ("0.171.0", good.replace("default_permissions", "bogus"), Broken, "follows"),
        ("0.171.0", good.replace(":workspace", ":danger-full-access"), Broken, "follows"),
    ];
    for (version, file, expected, source) in rows {
        let reader = read("codex", &device(version, &file));
        let answer = reader.path(Channel::Shell, Op::Read, "/work/project/a");
        assert_eq!(answer, expected, "{version} {file} ({source})");
    }
    let taken = device("0.171.0", &good).user(CONFIG, "[permissions.managed-by-acme]\n");
    assert_eq!(
        read("codex", &taken).path(Channel::Shell, Op::Read, "/a"),
        Broken
    );
}

#[test]
fn default_allow_is_a_profile_that_allows_every_host() {
    let domains = "[permissions.managed-by-acme.network]\nenabled = true\n\
         [permissions.managed-by-acme.network.domains]\n\"*\" = \"allow\"\n\"b.example\" = \"deny\"\n";
    let open = format!("{}{domains}", profile(":workspace", ""));
    let proxied =
        format!("{open}[experimental_network]\nenabled = true\ndenied_domains = [\"b.example\"]\n");
    #[rustfmt::skip] // one line a case
    let rows = [
        // requirements, asked, answer, source
        (&proxied, "a.example", Allow, "seen"),
        (&proxied, "b.example", Deny, "seen"),
        (&proxied, "10.0.0.1", Deny, "seen"),
        (&open, "b.example", Unrestricted, "seen: no proxy, no rule"),
    ];
    for (file, text, expected, source) in rows {
        assert_eq!(
            shell(&device("0.171.0", file), text),
            expected,
            "{file} {text} ({source})"
        );
    }
    // Without a network of its own the profile has none.
    assert_eq!(
        shell(&device("0.171.0", &profile(":workspace", "")), "a.example"),
        Deny
    );
}

#[test]
fn what_a_user_can_loosen_and_what_locks_it() {
    let list = format!(
        "{MODES}[experimental_network]\nenabled = true\nallowed_domains = [\"a.example\"]\n"
    );
    let locked = list.replace(
        "enabled = true",
        "enabled = true\nmanaged_allowed_domains_only = true",
    );
    let own = "[features.network_proxy.domains]\n\"b.example\" = \"allow\"\n";
    assert_eq!(
        shell(&device("0.171.0", &list).user(CONFIG, own), "b.example"),
        Allow
    );
    assert_eq!(
        shell(&device("0.171.0", &locked).user(CONFIG, own), "b.example"),
        Deny
    );
    // 2.3: the lock holds since 0.118
    assert_eq!(
        shell(&device("0.118.0", &locked).user(CONFIG, own), "b.example"),
        Deny
    );

    let write =
        |device: &Device, path: &str| read("codex", device).path(Channel::Shell, Op::Write, path);
    let roots = "[sandbox_workspace_write]\nwritable_roots = [\"/srv\"]\n";
    let modes = device("0.171.0", MODES);
    assert_eq!(write(&modes, "/srv/a"), Deny);
    assert_eq!(write(&modes, "/work/project/a"), Allow);
    // The lock is a profile or the pinned layer
    assert_eq!(write(&modes.clone().user(CONFIG, roots), "/srv/a"), Allow);
    let profiled = device("0.171.0", &profile(":workspace", ""));
    assert_eq!(write(&profiled.user(CONFIG, roots), "/srv/a"), Deny);
    let pinned =
        "[sandbox_workspace_write]\nwritable_roots = [\"/opt/cache\"]\nnetwork_access = false\n";
    let pinned = modes
        .managed("/etc/codex/managed_config.toml", pinned)
        .user(CONFIG, roots);
    assert_eq!(write(&pinned, "/srv/a"), Deny);
    assert_eq!(write(&pinned, "/opt/cache/a"), Allow);
    assert_eq!(shell(&pinned, "a.example"), Deny);
}

#[test]
fn modes_bound_what_a_session_may_write() {
    let write = |file: &str| {
        read("codex", &device("0.171.0", file)).path(Channel::Shell, Op::Write, "/work/project/a")
    };
    assert_eq!(write(MODES), Allow);
    assert_eq!(write("allowed_sandbox_modes = [\"read-only\"]"), Deny);
    assert_eq!(
        write("allowed_sandbox_modes = [\"read-only\", \"danger-full-access\"]"),
        Unrestricted
    );
    // A pinned mode is a requirement too.
    let pinned = Device::new(Os::Linux, "0.171.0").managed(
        "/etc/codex/managed_config.toml",
        "sandbox_mode = \"workspace-write\"\n",
    );
    let answer = read("codex", &pinned).path(Channel::Shell, Op::Write, "/home/u/a");
    assert_eq!(answer, Deny);
}

#[test]
fn what_holds_the_sandbox() {
    let mode = |file: &str| read("codex", &device("0.171.0", file)).mode();
    assert!(mode(MODES).sandboxed);
    assert_eq!(mode(MODES).outside, Ask);
    assert!(!mode(MODES).outside_stays_bound);
    let bound = format!("{MODES}[permissions.filesystem]\ndeny_read = [\"/nonexistent\"]\n");
    assert!(mode(&bound).outside_stays_bound);
    let never = format!("{MODES}allowed_approval_policies = [\"never\"]\n");
    assert_eq!(mode(&never).outside, Deny);
    // A profile without a list of modes or a denied path leaves one client out.
    let alone = profile(":workspace", "").replace(MODES, "");
    assert!(mode(&alone).sandboxed);
    assert!(!mode(&alone.replace("[\"~/.ssh\"]", "[]")).sandboxed);
    assert!(!mode("").sandboxed);
}

#[test]
fn the_web_search_and_other_systems() {
    let fetch =
        |file: &str| read("codex", &device("0.171.0", file)).host(Channel::Tool, "a.example");
    assert_eq!(fetch(MODES), Unrestricted);
    assert_eq!(fetch("allowed_web_search_modes = []"), Deny);
    assert_eq!(
        fetch("allowed_web_search_modes = [\"cached\"]"),
        Unrestricted
    );

    let file = format!(
        "{MODES}[permissions.filesystem]\ndeny_read = [\"~/.ssh\"]\n\
         [experimental_network]\nenabled = true\nmanaged_allowed_domains_only = true\n"
    );
    let mac = Device::new(Os::MacOs, "0.171.0").managed(FILE, file.clone());
    assert_eq!(shell(&mac, "a.example"), Deny);
    let windows = Device::new(Os::Windows, "0.171.0")
        .managed("C:/ProgramData/OpenAI/Codex/requirements.toml", file);
    assert_eq!(shell(&windows, "a.example"), Unrestricted);
    let reader = read("codex", &windows);
    assert_eq!(
        reader.path(Channel::Shell, Op::Read, "C:/Users/u/.ssh/id"),
        Unrestricted
    );
    assert_eq!(
        reader.path(Channel::Tool, Op::Read, "C:/Users/u/.ssh/id"),
        Deny
    );
}

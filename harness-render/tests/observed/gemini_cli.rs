//! Gemini CLI 0.61.0.

use crate::reader::Answer::{self, Allow, Ask, Broken, Deny, Unrestricted};
use crate::reader::{Channel, Device, Op, Os, read};

const SETTINGS: &str = "/etc/gemini-cli/settings.json";
const POLICY: &str = "/etc/gemini-cli/policies/acme.toml";
const SANDBOX: &str = r#"{"security":{"toolSandboxing":true}}"#;

fn linux() -> Device {
    Device::new(Os::Linux, "0.61.0")
}

/// A rule on one tool with this expression over its arguments, and these further keys.
fn rule(tool: &str, pattern: &str, more: &str) -> String {
    format!(
        "[[rule]]\ntoolName = {tool}\nargsPattern = '''{pattern}'''\ndecision = \"deny\"\npriority = 900\n{more}\n"
    )
}

/// The three rules that were seen to hold a list of hosts and to deny one (2.3).
fn fetch_rules() -> String {
    let listed = r#"://(?!(?:a\.example|[a-z0-9.-]+\.wild\.example)(?:[/?#\s"\\]|:\d+[/?#\s"\\]))"#;
    let denied = r#"://[^/?#\s"\\]*[Bb][Aa][Dd]\.[Ww][Ii][Ll][Dd]\.[Ee][Xx][Aa][Mm][Pp][Ll][Ee](?:[/?#\s"\\]|:\d+[/?#\s"\\])"#;
    let no_scheme = r#""url":"(?![Hh][Tt][Tt][Pp][Ss]?://)"#;
    [listed, denied, no_scheme]
        .map(|pattern| rule("\"web_fetch\"", pattern, ""))
        .concat()
}

#[rustfmt::skip] // one line a case
const FETCHES: &[(&str, Answer, &str)] = &[
    // asked, answer, source
    ("http://a.example/x", Allow, "seen"),
    ("http://a.example", Allow, "seen"),
    ("http://a.example:8080/", Allow, "seen"),
    ("a.example", Allow, "seen"),
    ("http://x.wild.example/", Allow, "seen"),
    ("http://wild.example/", Deny, "seen: not the apex"),
    ("http://other.example/", Deny, "seen"),
    ("http://A.EXAMPLE/x", Deny, "seen: over-denied"),
    ("http://a.example@other.example/", Deny, "seen"),
    ("http://a.example:80@other.example/", Deny, "seen"),
    ("http://a.example.evil.example/", Deny, "seen"),
    ("http://other.example/?x=://a.example/", Deny, "2.3: one foreign URL of two"),
    ("http://bad.wild.example/", Deny, "seen"),
    ("http://BAD.wild.example/", Deny, "seen"),
    ("http://127.0.0.1/", Deny, "2.3: refused by the tool"),
    ("http://10.0.0.1/", Deny, "2.3: refused by the tool"),
    ("http://203.0.113.10/", Deny, "2.3: refused by the tool"),
    ("ssh://a.example/", Deny, "2.3: no web address"),
];

#[test]
fn hosts_of_the_fetch_tool() {
    let device = linux().managed(POLICY, fetch_rules());
    for (text, expected, source) in FETCHES {
        let answer = read("gemini-cli", &device).host(Channel::Tool, text);
        assert_eq!(answer, *expected, "{text} ({source})");
    }
    // `new URL()` reads an address without slashes, and only the third rule sees it (2.3).
    let evil = |rules: String| {
        let device = linux().managed(POLICY, rules);
        read("gemini-cli", &device).host(Channel::Tool, "http:other.example")
    };
    let rules = fetch_rules();
    let two = rules.rsplit_once("[[rule]]").unwrap().0.to_owned();
    assert_eq!(evil(two), Allow);
    assert_eq!(evil(rules), Deny);
}

#[test]
fn rules_that_are_dropped() {
    let all = |more: &str| rule("\"web_fetch\"", ".", more);
    let with = |text: &str| linux().managed(POLICY, text);
    let long = format!("(?:{})", "a".repeat(2045));
    #[rustfmt::skip] // one line a case
    let rows: [(Device, Answer, &str); 16] = [
        (with(&all("")), Deny, "seen"),
        (linux(), Unrestricted, "follows"),
        (with("[[rule"), Unrestricted, "seen: no TOML, file dropped"),
        (with(&all("").replace("priority = 900", "")), Unrestricted, "seen: schema, file dropped"),
        (with(&all("").replace("900", "1000")), Unrestricted, "follows"),
        (with(&all("").replace("deny", "block")), Unrestricted, "follows"),
        (with(&all("commandRegex = \"x\"")), Unrestricted, "2.2: for the shell's tool only"),
        (with(&rule("\"web_fetch\"", &long, "")), Unrestricted, "seen: too long, rule dropped"),
        (with(&rule("\"web_fetch\"", "(?:a)?", "")), Unrestricted, "seen: the heuristic"),
        (with(&format!("{}{}", rule("\"web_fetch\"", "(?:a)?", ""), all(""))), Deny, "seen: only the rule"),
        (with(&rule("[\"web_fetch\", \"x\"]", ".", "")), Deny, "2.2: several tools"),
        (with(&rule("\"web_*\"", ".", "")), Deny, "2.2: wildcards"),
        (with(&all("").replace("deny", "ask_user")), Ask, "follows"),
        (with(&all("modes = [\"default\"]")), Unrestricted, "2.2: other modes stay open"),
        (with(&all("")).managed_as("/etc/gemini-cli/policies/", "", 0o775, true), Unrestricted, "seen: skipped"),
        (with(&all("")).managed_as("/etc/gemini-cli/policies/", "", 0o755, false), Unrestricted, "seen: skipped"),
    ];
    for (device, expected, source) in rows {
        let answer = read("gemini-cli", &device).host(Channel::Tool, "http://b.example/");
        assert_eq!(answer, expected, "{source}");
    }
    // Of two rules the higher priority decides (2.2).
    let open = rule("\"web_fetch\"", "a\\.example", "")
        .replace("deny", "allow")
        .replace("900", "901");
    let device = linux().managed(POLICY, format!("{}{open}", all("")));
    assert_eq!(
        read("gemini-cli", &device).host(Channel::Tool, "http://a.example/"),
        Allow
    );
    assert_eq!(
        read("gemini-cli", &device).host(Channel::Tool, "http://b.example/"),
        Deny
    );
    // Policies are read since 0.13.0 (2.1).
    for (version, expected) in [("0.12.0", Unrestricted), ("0.13.0", Deny)] {
        let device = Device::new(Os::Linux, version).managed(POLICY, all(""));
        assert_eq!(
            read("gemini-cli", &device).host(Channel::Tool, "http://b.example/"),
            expected
        );
    }
}

#[test]
fn the_tool_sandbox_has_no_network_and_writes_in_the_workspace() {
    let device = linux().managed(SETTINGS, SANDBOX);
    let reader = read("gemini-cli", &device);
    assert_eq!(reader.host(Channel::Shell, "a.example"), Deny);
    let rows = [
        // what, path, answer
        (Op::Write, "/work/project/a", Allow),
        (Op::Write, "/tmp/a", Deny), // nothing outside changes
        (Op::Read, "/tmp/a", Deny),  // live: not there
        (Op::Write, "/var/tmp/a", Deny),
        (Op::Read, "/home/u/.ssh/id", Allow),
        (Op::Read, "/work/project/.env", Deny),
        (Op::Read, "/work/project/a/b/.env.local", Deny),
        (Op::Read, "/work/project/a/b/c/.env", Allow), // three levels
        (Op::Read, "/work/project/.envrc", Allow),
    ];
    for (op, path, expected) in rows {
        assert_eq!(
            reader.path(Channel::Shell, op, path),
            expected,
            "{op:?} {path}"
        );
    }
    // These keys act on the older sandbox only.
    let more = r#"{"security":{"toolSandboxing":true},"tools":{"sandboxNetworkAccess":true,"sandboxAllowedPaths":["/var/tmp"]}}"#;
    let reader = read("gemini-cli", &linux().managed(SETTINGS, more));
    assert_eq!(reader.host(Channel::Shell, "a.example"), Deny);
    assert_eq!(reader.path(Channel::Shell, Op::Write, "/var/tmp/a"), Deny);
}

#[test]
fn settings_that_are_refused_moved_or_too_new() {
    let windows = "C:\\ProgramData\\gemini-cli\\settings.json";
    let mac = "/Library/Application Support/GeminiCli/settings.json";
    let tools = |value: &str| format!(r#"{{"tools":{{"sandbox":{value}}}}}"#);
    #[rustfmt::skip] // one line a case
    let rows = [
        // device, answer to a command, source
        (linux(), Unrestricted, "follows"),
        (linux().managed(SETTINGS, format!("// why\n{SANDBOX}")), Deny, "2.1: comments"),
        (linux().managed(SETTINGS, "{"), Broken, "seen"),
        (linux().managed(SETTINGS, r#"{"security":{"toolSandboxing":"yes"}}"#), Unrestricted, "seen"),
        (linux().managed(SETTINGS, r#"{"security":{"toolSandboxin":true}}"#), Unrestricted, "seen"),
        (linux().managed(SETTINGS, tools("true")), Broken, "seen: no image"),
        (linux().managed(SETTINGS, tools("\"sandbox-exec\"")), Broken, "seen: exit 44"),
        (linux().managed(SETTINGS, tools("\"bogus\"")), Broken, "seen: exit 44"),
        (linux().managed(SETTINGS, tools("false")), Unrestricted, "follows"),
        (Device::new(Os::MacOs, "0.61.0").managed(mac, tools("true")), Unrestricted, "follows"),
        (Device::new(Os::Linux, "0.34.0").managed(SETTINGS, SANDBOX), Unrestricted, "follows"),
        (Device::new(Os::Linux, "0.35.0").managed(SETTINGS, SANDBOX), Deny, "follows"),
        (Device::new(Os::MacOs, "0.35.0").managed(mac, SANDBOX), Deny, "follows"),
        (Device::new(Os::Windows, "0.35.0").managed(windows, SANDBOX), Unrestricted, "follows"),
        (Device::new(Os::Windows, "0.36.0").managed(windows, SANDBOX), Deny, "follows"),
        (linux().managed(SETTINGS, SANDBOX).env("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/dev/null"), Unrestricted, "seen"),
        (linux().managed(SETTINGS, SANDBOX).env("GEMINI_SANDBOX", "false").env("SANDBOX", "x"), Deny, "seen: not overridden"),
        (linux().managed(SETTINGS, SANDBOX).user("~/.gemini/policies/sandbox.toml", "[modes.default]\nnetwork = true\n"), Allow, "seen"),
    ];
    for (device, expected, source) in rows {
        let answer = read("gemini-cli", &device).host(Channel::Shell, "a.example");
        assert_eq!(answer, expected, "{device:?} ({source})");
    }
    // The variable does not move the policies.
    let moved = linux()
        .managed(POLICY, rule("\"web_fetch\"", ".", ""))
        .env("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/dev/null");
    assert_eq!(
        read("gemini-cli", &moved).host(Channel::Tool, "http://b.example/"),
        Deny
    );
}

#[test]
fn rules_on_the_file_tools_see_the_path_as_it_is_spelt() {
    let tools = r#"["read_file", "write_file", "replace", "grep_search", "read_many_files"]"#;
    let device = linux().managed(POLICY, rule(tools, r#"[/"~]\.ssh[/"\\]|[/"]\.env"#, ""));
    let reader = read("gemini-cli", &device);
    let rows = [
        // what, path, answer (2.3)
        (Op::Read, "/home/u/.ssh/id", Deny),
        (Op::Write, "/home/u/.ssh/id", Deny),
        (Op::Read, "/work/project/.env", Deny),
        (Op::Read, "/work/project/a/.env.local", Deny),
        (Op::Read, "/home/u/.sshd", Allow),
    ];
    for (op, path, expected) in rows {
        assert_eq!(
            reader.path(Channel::Tool, op, path),
            expected,
            "{op:?} {path}"
        );
    }
    // A rule that expects a root misses the path from the workspace, and one that names half of the
    // tools misses the others.
    for (tools, pattern) in [(tools, "/work/project/\\.env"), ("\"read_file\"", "\\.env")] {
        let device = linux().managed(POLICY, rule(tools, pattern, ""));
        let answer =
            read("gemini-cli", &device).path(Channel::Tool, Op::Read, "/work/project/.env");
        assert_ne!(answer, Deny, "{pattern}");
    }
}

#[test]
fn a_rule_on_a_commands_text_is_advice() {
    let advice = "[[rule]]\ntoolName = \"run_shell_command\"\ncommandRegex = \".*pastebin\"\ndecision = \"deny\"\npriority = 930\n";
    let device = linux().managed(POLICY, advice);
    assert_eq!(
        read("gemini-cli", &device).host(Channel::Shell, "pastebin.example"),
        Unrestricted
    );
    let whole = advice.replace("commandRegex = \".*pastebin\"\n", "");
    let device = linux().managed(POLICY, whole);
    assert_eq!(
        read("gemini-cli", &device).host(Channel::Shell, "pastebin.example"),
        Deny
    );
    assert_eq!(
        read("gemini-cli", &device).path(Channel::Shell, Op::Read, "/a"),
        Deny
    );
}

#[test]
fn what_holds_the_sandbox() {
    let mode = |settings: &str| read("gemini-cli", &linux().managed(SETTINGS, settings)).mode();
    let locked = r#"{"security":{"toolSandboxing":true,"disableYoloMode":true}}"#;
    assert_eq!((mode(locked).sandboxed, mode(locked).outside), (true, Ask)); // 2.4 rows 3, 4
    assert_eq!(mode(SANDBOX).outside, Allow);
    assert!(!mode("{}").sandboxed);
}

//! What a file may hold that cannot be judged: each is unknown, none is fine, and none is drift.

use std::fmt::Write as _;
use std::os::unix::fs::symlink;

use harness_render::{Context, DeviceReport, HarnessPosture, Obstacle, Os, is_compliant, watched};
use policy_core::{Harness, Posture};

use crate::tree::Tree;

const MIB: usize = 1024 * 1024;

fn file(harness: Harness, path: &str) -> &'static harness_render::Watched {
    watched(harness)
        .iter()
        .find(|file| file.path(Os::Linux) == Some(path))
        .unwrap()
}

fn obstacle(harness: Harness, path: &str, bytes: &[u8]) -> Option<Obstacle> {
    Context::unmanaged(harness, Os::Linux)
        .inspect(file(harness, path), bytes)
        .err()
        .map(|unknown| unknown.obstacle())
}

#[test]
fn text_that_no_parser_takes_is_unknown() {
    let deep_json = format!(r#"{{"a": {}1{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    let deep_toml = format!("a = {}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_keys = format!("{}a = 1", "a.".repeat(10_000));
    let long = format!(r#"{{"a": "{}"}}"#, "x".repeat(MIB));
    let longest = format!(r#"{{"a": "{}"}}"#, "x".repeat(MIB - 9));
    assert_eq!(longest.len(), MIB);
    let (claude, codex) = (
        (Harness::ClaudeCode, "~/.claude/settings.json"),
        (Harness::Codex, "~/.codex/config.toml"),
    );
    let managed = (
        Harness::ClaudeCode,
        "/etc/claude-code/managed-settings.json",
    );
    let gemini = (Harness::GeminiCli, "~/.gemini/settings.json");
    let opencode = (Harness::OpenCode, "~/.config/opencode/opencode.json");
    let servers = (Harness::ClaudeCode, ".mcp.json");
    let state = (Harness::ClaudeCode, "~/.claude.json");
    let copilot = (Harness::CopilotCli, "~/.copilot/settings.json");
    let cursor = (Harness::CursorCli, "~/.cursor/sandbox.json");
    let requirements = (Harness::Codex, "/etc/codex/requirements.toml");
    type Row<'a> = ((Harness, &'a str), &'a [u8], Option<Obstacle>);
    let rows: &[Row<'_>] = &[
        (claude, b"{}", None),
        // As the program reads its own settings.
        (claude, b"", None),
        (claude, b" \n", None),
        (claude, b"\xef\xbb\xbf", None),
        (claude, b"{", Some(Obstacle::NotJson)),
        (claude, b"{} {}", Some(Obstacle::NotJson)),
        (claude, b"[]", Some(Obstacle::NotAnObject)),
        (claude, b"null", Some(Obstacle::NotAnObject)),
        (claude, b"{\"a\": \"\xff\"}", Some(Obstacle::NotUtf8)),
        (claude, b"\xff\xfe{\0}\0", Some(Obstacle::NotUtf8)),
        (claude, b"\xef\xbb\xbf{}", None),
        (
            claude,
            b"\xef\xbb\xbf\xef\xbb\xbf{}",
            Some(Obstacle::NotJson),
        ),
        (gemini, b"\xef\xbb\xbf{}", Some(Obstacle::ByteOrderMark)),
        (managed, b"\xef\xbb\xbf{}", Some(Obstacle::ByteOrderMark)),
        (managed, b"", Some(Obstacle::NotJson)),
        (
            managed,
            br#"{"a": 1, "a": 2}"#,
            Some(Obstacle::DuplicateKey),
        ),
        (claude, b"{} // x", Some(Obstacle::Comments)),
        (claude, b"{\"a\": 1,}", Some(Obstacle::NotJson)),
        (claude, br#"{"a": 1, "a": 2}"#, None),
        (gemini, br#"{"a": 1, "a": 2} // x"#, None),
        (gemini, b"", Some(Obstacle::NotJson)),
        (gemini, br#"{"x": [{"a": 1, "\u0061": 2}]}"#, None),
        (opencode, b"", None),
        (opencode, b"\xef\xbb\xbf{}", None),
        (opencode, br#"{"a": 1, "a": 2,} // x"#, None),
        (servers, b"", None),
        (servers, b"\xef\xbb\xbf{}", None),
        (servers, br#"{"a": 1, "a": 2}"#, None),
        (servers, b"{} // x", Some(Obstacle::Comments)),
        (servers, b"[]", Some(Obstacle::NotAnObject)),
        (state, br#"{"a": 1, "a": 2}"#, None),
        (state, b"", Some(Obstacle::NotJson)),
        (state, b"\xef\xbb\xbf{}", Some(Obstacle::ByteOrderMark)),
        (state, b"[]", Some(Obstacle::NotAnObject)),
        (
            copilot,
            br#"{"a": 1, "a": 2}"#,
            Some(Obstacle::DuplicateKey),
        ),
        (
            cursor,
            br#"{"x": [{"a": 1, "\u0061": 2}]}"#,
            Some(Obstacle::DuplicateKey),
        ),
        (claude, br#"{"a": 1e999999}"#, Some(Obstacle::NotJson)),
        (claude, br#"{"a": 123456789012345678901234567890}"#, None),
        (claude, deep_json.as_bytes(), Some(Obstacle::NotJson)),
        (claude, longest.as_bytes(), None),
        (claude, long.as_bytes(), Some(Obstacle::TooLarge)),
        (gemini, b"{} // x", None),
        (gemini, b"{\"a\": 1,} // x", Some(Obstacle::NotJson)),
        (gemini, b"{} /* x", Some(Obstacle::NotJson)),
        (opencode, b"{\"a\": 1,} // x", None),
        (codex, b"", None),
        (codex, b"a = ", Some(Obstacle::NotToml)),
        (codex, b"a = 1\na = 2", Some(Obstacle::NotToml)),
        (codex, b"a = 99999999999999999999", Some(Obstacle::NotToml)),
        (codex, b"a = 1979-05-27T07:32:00Z", None),
        (codex, b"\xef\xbb\xbfa = 1", None),
        (
            requirements,
            b"\xef\xbb\xbfa = 1",
            Some(Obstacle::ByteOrderMark),
        ),
        (codex, b"a = \"\xff\"", Some(Obstacle::NotUtf8)),
        (codex, deep_toml.as_bytes(), Some(Obstacle::NotToml)),
        (codex, deep_keys.as_bytes(), Some(Obstacle::NotToml)),
    ];
    for ((harness, path), bytes, expected) in rows {
        let shown: String = String::from_utf8_lossy(bytes).chars().take(60).collect();
        assert_eq!(obstacle(*harness, path, bytes), *expected, "{shown}");
    }
}

#[test]
fn a_file_of_a_hundred_thousand_entries_is_judged() {
    let mut json = String::from("{");
    for number in 0..80_000 {
        write!(json, "\"k{number}\":0,").unwrap();
    }
    json.push_str("\"agent\": {\"x\": {\"permission\": \"allow\"}}}");
    assert!(json.len() < MIB);
    let mut context = Context::unmanaged(Harness::OpenCode, Os::Linux);
    let managed = file(Harness::OpenCode, "/etc/opencode/opencode.json");
    let rules = json.replace(
        "\"agent\": {\"x\": {\"permission\": \"allow\"}}",
        "\"permission\": \"deny\"",
    );
    assert_ne!(rules, json);
    context.manage(managed, rules.as_bytes()).unwrap();
    context.manage(managed, rules.as_bytes()).unwrap();
    let users = file(Harness::OpenCode, "~/.config/opencode/opencode.json");
    let findings = context.inspect(users, json.as_bytes()).unwrap();
    assert_eq!(findings[0].check().code(), "opencode-agent-permission");
}

#[test]
fn an_unknown_is_apart_from_drift_and_not_compliant_under_enforce() {
    let tree = Tree::of(&[("~/.codex/config.toml", "sandbox_mode = ")]);
    let report = DeviceReport::of(&tree.examine(Os::Linux));
    assert_eq!(report.drift(), []);
    let lines: Vec<String> = report.unknown().iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        ["posture:codex: unknown: ~/.codex/config.toml is not valid TOML; fix: correct its TOML"]
    );
    assert!(!is_compliant(Some(&report), Posture::Enforce));
    assert!(is_compliant(Some(&report), Posture::Warn));
}

#[test]
fn a_link_among_the_directories_of_a_clone_is_unknown_whoever_owns_it() {
    let directories = [
        ".claude",
        ".claude/skills",
        ".codex",
        ".cursor",
        ".gemini",
        ".github",
        ".github/copilot",
        ".opencode",
        ".opencode/agent",
    ];
    for directory in directories {
        for target in ["nowhere", "empty"] {
            let tree = Tree::empty();
            crate::tree::make_directory(&tree.path("empty"));
            let link = tree.path(directory);
            crate::tree::make_directory(link.parent().unwrap());
            let up = "../".repeat(directory.matches('/').count());
            symlink(format!("{up}{target}"), link).unwrap();
            let codes = tree.codes(Os::Linux);
            assert!(codes.contains(&"unknown-path"), "{directory}: {codes:?}");
            let postures = tree.examine(Os::Linux);
            assert!(postures.iter().any(HarnessPosture::has_failed));
        }
        // A directory itself is none, nor is a link of the user's home that the superuser placed.
        let tree = Tree::empty();
        crate::tree::make_directory(&tree.path(directory));
        crate::tree::make_directory(&tree.path("~/real"));
        symlink("real", tree.path("~/.claude")).unwrap();
        assert_eq!(tree.codes(Os::Linux), [""; 0], "{directory}");
    }
}

#[test]
fn every_obstacle_of_a_path_is_unknown() {
    let mut tree = Tree::empty();
    std::fs::create_dir_all(tree.path("~/.codex/config.toml")).unwrap();
    tree.put("~/real/settings.json", b"{}");
    symlink("real", tree.path("~/.claude")).unwrap();
    crate::tree::make_directory(&tree.path("~/.gemini"));
    symlink("settings.json", tree.path("~/.gemini/settings.json")).unwrap();
    tree.put("~/.cursor", b"a file");
    // A home whose owner lets others write is no place for a link to be trusted.
    std::fs::set_permissions(
        tree.path("~/."),
        std::os::unix::fs::PermissionsExt::from_mode(0o777),
    )
    .unwrap();
    let postures = tree.examine(Os::Linux);
    let lines: Vec<String> = postures
        .iter()
        .flat_map(HarnessPosture::unknown)
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        lines,
        [
            "posture:claude-code: unknown: ~/.claude/settings.json lies behind a symbolic link or something that is no directory; fix: replace the link by a real directory",
            "posture:claude-code: unknown: ~/.claude/skills/**/*plugin.json lies behind a symbolic link or something that is no directory; fix: replace the link by a real directory",
            "posture:claude-code: unknown: ~/.claude/agents/**/*.md lies behind a symbolic link or something that is no directory; fix: replace the link by a real directory",
            "posture:claude-code: unknown: ~/.claude/commands/**/*.md lies behind a symbolic link or something that is no directory; fix: replace the link by a real directory",
            "posture:claude-code: unknown: ~/.claude/skills/**/*SKILL.md lies behind a symbolic link or something that is no directory; fix: replace the link by a real directory",
            "posture:codex: unknown: ~/.codex/config.toml is not a regular file; fix: remove it or put a regular file in its place",
            "posture:gemini-cli: unknown: ~/.gemini/settings.json is a symbolic link, which is not followed; fix: replace the link by the file itself",
            "posture:cursor-cli: unknown: ~/.cursor/sandbox.json lies behind a symbolic link or something that is no directory; fix: replace the link by a real directory",
            "posture:cursor-cli: unknown: ~/.cursor/cli-config.json lies behind a symbolic link or something that is no directory; fix: replace the link by a real directory",
            "posture:cursor-cli: unknown: ~/.cursor/hooks.json lies behind a symbolic link or something that is no directory; fix: replace the link by a real directory",
            "posture:cursor-cli: unknown: ~/.cursor/mcp.json lies behind a symbolic link or something that is no directory; fix: replace the link by a real directory",
        ]
    );
}

/// Behind each there may be a release that is too old: none is taken for the pinned one.
#[test]
fn a_release_that_cannot_be_told_is_unknown() {
    const PACKAGE: &str = "/usr/lib/node_modules/@anthropic-ai/claude-code";
    type Plant = fn(&mut Tree);
    fn say(tree: &mut Tree, text: impl AsRef<[u8]>) {
        tree.put(&format!("{PACKAGE}/package.json"), text.as_ref());
    }
    fn link(tree: &Tree, target: &str, name: &str) {
        let name = tree.path(name);
        crate::tree::make_directory(name.parent().unwrap());
        symlink(target, name).unwrap();
    }
    /// Where others write, a link is not followed.
    fn open(tree: &Tree, path: &str) {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(tree.path(path), mode).unwrap();
    }
    let package = "package.json of @anthropic-ai/claude-code";
    let rows: &[(&str, &str, Plant)] = &[
        (package, "unknown-not-json", |tree| {
            say(tree, "{\"version\": \"0.1.0");
        }),
        (package, "unknown-not-json", |tree| say(tree, "")),
        (package, "unknown-not-an-object", |tree| say(tree, "[]")),
        (package, "unknown-no-release", |tree| say(tree, "{}")),
        (package, "unknown-no-release", |tree| {
            say(tree, r#"{"version": 1}"#);
        }),
        (package, "unknown-no-release", |tree| {
            say(tree, r#"{"version": "banana"}"#);
        }),
        (package, "unknown-no-release", |tree| {
            say(tree, r#"{"version": "0.1.0-\u001b[31m"}"#);
        }),
        (package, "unknown-no-release", |tree| {
            say(tree, r#"{"version": "100000.0.0"}"#);
        }),
        (package, "unknown-duplicate-key", |tree| {
            say(tree, r#"{"version": "9.0.0", "version": "0.1.0"}"#);
        }),
        (package, "unknown-not-utf8", |tree| say(tree, b"\xff")),
        (package, "unknown-byte-order-mark", |tree| {
            say(tree, "\u{feff}{\"version\": \"0.1.0\"}");
        }),
        (package, "unknown-too-large", |tree| {
            say(tree, " ".repeat(MIB) + r#"{"version": "0.1.0"}"#);
        }),
        (package, "unknown-link", |tree| {
            say(tree, "{}");
            let manifest = tree.path(&format!("{PACKAGE}/package.json"));
            std::fs::rename(&manifest, manifest.with_extension("real")).unwrap();
            symlink("package.real", manifest).unwrap();
        }),
        (package, "unknown-not-a-file", |tree| {
            crate::tree::make_directory(&tree.path(&format!("{PACKAGE}/package.json")));
        }),
        (package, "unknown-not-a-file", |tree| {
            let manifest = tree.path(&format!("{PACKAGE}/package.json"));
            crate::tree::make_directory(manifest.parent().unwrap());
            let mode = rustix::fs::Mode::RUSR;
            rustix::fs::mkfifoat(rustix::fs::CWD, manifest, mode).unwrap();
        }),
        (package, "unknown-path", |tree| {
            link(tree, "claude-code", PACKAGE);
        }),
        (package, "unknown-path", |tree| tree.put(PACKAGE, b"")),
        (package, "unknown-path", |tree| {
            link(tree, "elsewhere", "~/.bun/install");
            open(tree, "~/.bun");
        }),
        ("~/.local/share/claude/versions", "unknown-path", |tree| {
            tree.put("~/.local/share/claude/versions", b"");
        }),
        (
            "~/.local/share/claude/versions",
            "unknown-too-many",
            |tree| {
                for number in 0..=1000 {
                    tree.put(&format!("~/.local/share/claude/versions/x{number}"), b"");
                }
            },
        ),
        ("~/.nvm/versions/node", "unknown-path", |tree| {
            tree.put("~/.nvm", b"");
        }),
        ("a directory of programs", "unknown-path", |tree| {
            link(tree, "elsewhere", "/opt/tools");
            open(tree, "/opt");
            tree.put("$PATH", b"/opt/tools/bin");
        }),
        ("a directory of programs", "unknown-path", |tree| {
            tree.put("~/.nvm/versions/node/v22.0.0", b"");
        }),
    ];
    for (number, (source, code, plant)) in rows.iter().enumerate() {
        let mut tree = Tree::of(&[("/usr/bin/claude", "")]);
        let undisturbed = tree.examine(Os::Linux);
        assert_eq!(undisturbed[0].unknown(), [], "{number}");
        assert!(is_compliant(
            Some(&DeviceReport::of(&undisturbed)),
            Posture::Enforce
        ));
        plant(&mut tree);
        let postures = tree.examine(Os::Linux);
        let [claude] = &*postures else {
            panic!("{number}: {postures:?}");
        };
        let unknown: Vec<(String, &str)> = claude
            .unknown()
            .iter()
            .map(|unknown| (unknown.problem(), unknown.obstacle().code()))
            .collect();
        let [(problem, found)] = &*unknown else {
            panic!("{number}: {unknown:?}");
        };
        assert_eq!(found, code, "{number}");
        let start = format!("unknown: {source} ");
        assert!(problem.starts_with(&start), "{number}: {problem}");
        assert!(claude.is_installed() && claude.versions().is_empty());
        let report = DeviceReport::of(&postures);
        assert!(!is_compliant(Some(&report), Posture::Enforce), "{number}");
        assert!(is_compliant(Some(&report), Posture::Warn), "{number}");
    }
}

/// Of a harness that is neither there nor pinned nothing is said.
#[test]
fn a_release_of_nothing_is_not_unknown() {
    let tree = Tree::of(&[("~/.nvm", "")]);
    assert!(tree.examine(Os::Linux).is_empty());
    // A package that stands there is an installed harness, whatever it says.
    let tree = Tree::of(&[("/usr/lib/node_modules/@github/copilot/package.json", "")]);
    assert_eq!(tree.codes(Os::Linux), ["unknown-not-json"]);
}

#[test]
fn managed_settings_that_cannot_be_judged_lock_nothing_and_gate_everything() {
    for (path, bytes) in [
        (
            "/etc/codex/requirements.toml",
            &b"allowed_sandbox_modes = ["[..],
        ),
        ("/etc/codex/requirements.toml", b"\xef\xbb\xbf"),
    ] {
        let mut tree = Tree::of(&[(
            "~/.codex/config.toml",
            "sandbox_mode = \"danger-full-access\"",
        )]);
        tree.put(path, bytes);
        let postures = tree.examine(Os::Linux);
        let codex = &postures[0];
        assert!(codex.has_failed());
        assert_eq!(
            codex.summary().to_string(),
            "sandbox: unknown; egress: unknown"
        );
        assert_eq!(
            codex.findings()[0].check().code(),
            "codex-danger-full-access"
        );
        assert!(codex.unknown()[0].is_managed());
    }
    // A layer that can be judged locks nothing beside one that cannot.
    let locks =
        r#"{"sandbox": {"enabled": true, "filesystem": {"allowManagedReadPathsOnly": true}}}"#;
    let tree = Tree::of(&[
        ("/etc/claude-code/managed-settings.json", locks),
        ("/etc/claude-code/managed-settings.d/x.json", "{"),
        (
            "~/.claude/settings.json",
            r#"{"sandbox": {"filesystem": {"allowRead": ["~/.ssh"]}}}"#,
        ),
        ("/etc/opencode/opencode.json", "{"),
        (
            "~/.config/opencode/opencode.json",
            r#"{"permission": {"*": "allow"}}"#,
        ),
        ("/etc/gemini-cli/settings.json", "{"),
        (
            "~/.gemini/settings.json",
            r#"{"tools": {"sandboxNetworkAccess": true}}"#,
        ),
    ]);
    assert_eq!(
        tree.codes(Os::Linux),
        [
            "claude-code-allow-read",
            "gemini-cli-sandbox-settings",
            "opencode-key-order",
            "unknown-not-json",
            "unknown-not-json",
            "unknown-not-json",
        ]
    );
    let mut tree = Tree::empty();
    tree.put(
        "/etc/github-copilot/managed-settings.json",
        format!("{{\"a\": \"{}\"}}", "x".repeat(65_536)).as_bytes(),
    );
    assert_eq!(tree.codes(Os::Linux), ["unknown-too-large-for-program"]);
}

#[test]
fn a_variable_that_moves_a_file_nowhere_readable_is_unknown() {
    for value in ["relative/place", "."] {
        let tree = Tree::of(&[("$CODEX_HOME", value)]);
        assert_eq!(
            tree.codes(Os::Linux),
            [
                "codex-home",
                "unknown-path",
                "unknown-path",
                "unknown-path",
                "unknown-path",
                "unknown-path",
                "unknown-path",
            ]
        );
    }
}

#[test]
fn too_many_files_are_unknown() {
    let mut tree = Tree::empty();
    for number in 0..=1000 {
        tree.put(&format!("~/.config/opencode/agents/{number}.md"), b"");
    }
    assert_eq!(tree.codes(Os::Linux), ["unknown-too-many"]);
    // Few enough, and together too much.
    let mut tree = Tree::empty();
    for number in 0..17 {
        let path = format!("~/.codex/rules/{number}.rules");
        tree.put(&path, &vec![b'#'; MIB]);
    }
    assert_eq!(tree.codes(Os::Linux), ["unknown-too-many"]);
}

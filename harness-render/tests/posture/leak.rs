//! Nothing from inside a file is ever shown, and nothing inside a file stops the checks.

use std::fmt::Write as _;

use harness_render::{Context, DeviceReport, Os, Watched, checks, watched};
use policy_core::Harness;
use proptest::prelude::*;

use crate::law;
use crate::tree::Tree;

/// No word of a check holds eight of its characters in a row.
const SECRET: &str = "zqxjkvbpzyxwvuts";

/// Every key that some check looks at, and the values that it looks for.
const WORDS: &[&str] = &[
    "sandbox",
    "enabled",
    "network",
    "filesystem",
    "allowRead",
    "allowWrite",
    "denyRead",
    "allowedDomains",
    "deniedDomains",
    "excludedCommands",
    "permissions",
    "permission",
    "allow",
    "deny",
    "ask",
    "defaultMode",
    "bypassPermissions",
    "hooks",
    "mcpServers",
    "projects",
    "env",
    "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB",
    "failIfUnavailable",
    "enabledPlatforms",
    "sandbox_mode",
    "danger-full-access",
    "profiles",
    "sandbox_workspace_write",
    "writable_roots",
    "network_access",
    "experimental_network",
    "allowed_domains",
    "domains",
    "allowed_sandbox_modes",
    "default_permissions",
    "features",
    "network_proxy",
    "deny_read",
    "notify",
    "mcp_servers",
    "userPolicy",
    "readwritePaths",
    "readonlyPaths",
    "allowedHosts",
    "blockedHosts",
    "deniedPaths",
    "allowOutbound",
    "tools",
    "security",
    "toolSandboxing",
    "modes",
    "commands",
    "rule",
    "toolName",
    "web_fetch",
    "argsPattern",
    "decision",
    "priority",
    "agent",
    "build",
    "mode",
    "webfetch",
    "webfetc?",
    "*",
    "plugin",
    "mcp",
    "type",
    "insecure_none",
    "networkPolicy",
    "default",
    "additionalReadwritePaths",
    "approvalMode",
    "networkAccess",
    "allow_all",
    "failClosed",
    "/",
    "~",
    "~/.ssh",
    SECRET,
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(WORDS).prop_map(str::to_owned),
        2 => prop::sample::select(WORDS).prop_map(|word| format!("{word}{SECRET}")),
        1 => prop::sample::select(WORDS).prop_map(|word| format!("{SECRET}/{word}")),
        1 => any::<String>(),
    ]
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i32>().prop_map(serde_json::Value::from),
        word().prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::vec((word(), inner), 0..6)
                .prop_map(|entries| entries.into_iter().collect()),
        ]
    })
}

/// A document in one of the syntaxes, whole or damaged.
fn document() -> impl Strategy<Value = Vec<u8>> {
    let entries = prop::collection::vec((word(), value()), 0..8);
    let text = entries.prop_map(|entries| entries.into_iter().collect::<serde_json::Value>());
    let text = (text, 0..4_u8).prop_map(|(value, syntax)| match syntax {
        0 => value.to_string(),
        1 => format!("// {SECRET}\n{value:#} /* {SECRET} */"),
        2 => toml::to_string(&value).unwrap_or_default(),
        _ => format!("---\n{}---\n{SECRET}", front_matter(&value)),
    });
    (text, any::<prop::sample::Index>(), 0..6_u8).prop_map(|(text, at, damage)| {
        let mut bytes = text.into_bytes();
        let at = at.index(bytes.len().max(1)).min(bytes.len());
        match damage {
            0 => bytes.truncate(at),
            1 => {
                bytes.splice(at..at, *b"\xff");
            }
            2 => {
                bytes.splice(at..at, SECRET.bytes());
            }
            _ => {}
        }
        bytes
    })
}

fn front_matter(value: &serde_json::Value) -> String {
    let mut text = String::new();
    for (key, value) in value.as_object().into_iter().flatten() {
        writeln!(text, "{}: {value}", serde_json::Value::from(key.as_str())).unwrap();
    }
    text
}

/// Everything that can be printed of one file's judgement.
fn printed(context: &Context, file: &'static Watched, bytes: &[u8]) -> String {
    let judged = context.inspect(file, bytes);
    let mut text = format!(
        "{judged:?} {context:?} {:?} {}",
        context.findings(),
        context.summary()
    );
    match &judged {
        Ok(findings) => {
            let report = DeviceReport::new(findings, []);
            write!(
                text,
                "{report:?} {}",
                serde_json::to_string(&report).unwrap()
            )
            .unwrap();
        }
        Err(unknown) => {
            let report = DeviceReport::new([], [unknown]);
            write!(
                text,
                "{unknown} {report:?} {}",
                serde_json::to_string(&report).unwrap()
            )
            .unwrap();
        }
    }
    text
}

fn assert_no_secret(text: &str) {
    let letters: Vec<char> = SECRET.chars().collect();
    for part in letters.windows(8) {
        let part: String = part.iter().collect();
        assert!(!text.contains(&part), "`{part}` in {text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn nothing_from_a_file_is_shown(managed in document(), other in document()) {
        for harness in Harness::ALL {
            let files = watched(*harness);
            let mut context = Context::unmanaged(*harness, Os::MacOs);
            for file in files.iter().filter(|file| file.is_managed()) {
                if let Err(unknown) = context.manage(file, &managed) {
                    assert_no_secret(&format!("{unknown} {unknown:?}"));
                }
            }
            for file in files.iter().filter(|file| !file.is_managed()) {
                assert_no_secret(&printed(&context, file, &other));
            }
            let value = String::from_utf8_lossy(&other);
            for name in ["CODEX_HOME", "GEMINI_SANDBOX", "OPENCODE_PERMISSION", SECRET] {
                assert_no_secret(&format!("{:?}", context.inspect_variable(name, &value)));
            }
        }
    }

    #[test]
    fn every_word_is_the_checks_own(managed in document(), other in document()) {
        law::every_word_is_the_checks_own(&[managed, other].join(&0));
    }

    #[test]
    fn no_bytes_stop_the_checks(bytes in prop::collection::vec(any::<u8>(), 0..512)) {
        law::every_word_is_the_checks_own(&bytes);
    }
}

/// The inputs that the fuzz target `posture` starts from.
#[test]
fn the_law_holds_of_the_committed_inputs() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/posture");
    let inputs: Vec<_> = std::fs::read_dir(corpus).unwrap().collect();
    assert!(inputs.len() >= 10);
    for input in inputs {
        law::every_word_is_the_checks_own(&std::fs::read(input.unwrap().path()).unwrap());
    }
}

/// The texts are constants, so one file with a secret in each place it can be says it of all.
#[test]
fn no_name_of_a_device_is_shown() {
    let name = |path: &str| path.replace("NAME", SECRET);
    let mut tree = Tree::empty();
    for (path, text) in [
        ("/etc/claude-code/managed-settings.d/NAME.json", "{\"NAME"),
        ("/etc/gemini-cli/policies/NAME.toml", "NAME = NAME"),
        (
            "/etc/codex/requirements.toml",
            "allowed_sandbox_modes = [\"NAME\", \"read-only\"]",
        ),
        ("~/.codex/rules/NAME.rules", "network_rule(\"NAME\")"),
        (
            "~/.config/opencode/agents/NAME/NAME.md",
            "---\npermission: NAME\n---\n",
        ),
        ("$CODEX_HOME", "/home/u/NAME"),
        (
            "~/NAME/config.toml",
            "[profiles.NAME]\nsandbox_mode = \"danger-full-access\"\nNAME = \"NAME\"",
        ),
        (
            "/usr/lib/node_modules/@openai/codex/package.json",
            "{\"version\": \"1.0.0-NAME+NAME\"}",
        ),
        ("~/.local/share/claude/versions/1.0.0-NAME", ""),
    ] {
        tree.put(&name(path), name(text).as_bytes());
    }
    let device = tree.device(Os::Linux);
    let postures = device.examine(&[]);
    assert!(postures.len() >= 3);
    let report = DeviceReport::of(&postures);
    let mut text = format!(
        "{device:?} {postures:?} {}",
        serde_json::to_string(&report).unwrap()
    );
    for posture in &postures {
        write!(text, "{} {:?}", posture.summary(), posture.versions()).unwrap();
    }
    assert!(text.contains("codex-danger-full-access-profile") || text.contains("in a profile"));
    assert_no_secret(&text);
    assert!(!text.contains("/home/u") && !text.contains(&tree.root().display().to_string()));
}

#[test]
fn no_text_of_a_check_holds_a_part_of_the_secret() {
    for harness in Harness::ALL {
        for check in checks(*harness) {
            assert_no_secret(&format!("{} {}", check.code(), check.source()));
        }
    }
}

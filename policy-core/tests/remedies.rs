//! What the help of a finding says to write is accepted and means what was meant, for every code of
//! `docs/findings.md` whose help says `write`. Those of a pattern are followed in `advice.rs`.
#![cfg(feature = "repository")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test without its policy has failed"
)]

use std::path::Path;

use policy_core::{
    Code, Finding, Policy, ProtectedPath, Repository, Severity, Validation, Wider, WritableRoot,
};
use proptest::prelude::*;

const HALOS: &str = "halos.yaml";
const BASE: &str = "profiles/base.yaml";
const UNIT: &str = "units/u.yaml";

/// A code, the text that earns it, and its help.
type Step = (&'static str, &'static str, &'static str);

/// A file, the steps to a text that is accepted, that text, and a base profile that says in other
/// words what was meant.
struct Row {
    file: &'static str,
    steps: &'static [Step],
    followed: &'static str,
    meant: &'static str,
}

const fn row(
    file: &'static str,
    steps: &'static [Step],
    followed: &'static str,
    meant: &'static str,
) -> Row {
    Row {
        file,
        steps,
        followed,
        meant,
    }
}

/// What the base profile says where a row has another file.
const DEFAULT: &str =
    "sandbox: { mode: workspace-write, writableRoots: [/opt/a], protectedPaths: [.env] }
egress: { allowedDomains: [github.com, gitlab.com], presets: [package-registries] }";

const OPEN: &str = "sandbox: { mode: workspace-write }\negress: { default: allow }";
const CLOSED: &str = "sandbox: { mode: workspace-write }\negress: { default: deny }";
const DENIES: &str =
    "sandbox: { mode: workspace-write }\negress: { default: allow, deniedDomains: [a.example] }";
const DENIES_BELOW: &str = "sandbox: { mode: workspace-write }\negress: { default: allow, deniedDomains: [\"*.a.example\"] }";
const DENIES_BOTH: &str = "sandbox: { mode: workspace-write }\negress: { default: allow, deniedDomains: [\"*.a.example\", a.example] }";
const ALLOWS: &str =
    "sandbox: { mode: workspace-write }\negress: { default: deny, allowedDomains: [a.example] }";

const ROWS: &[Row] = &[
    // Words that YAML reads as something else.
    row(
        BASE,
        &[
            (
                "not-yaml",
                "sandbox: { mode: workspace-write }\negress:\n  deniedDomains:\n    - ||a.example^",
                "quote it: `\"||a.example^\"`",
            ),
            (
                "pattern-regex",
                "sandbox: { mode: workspace-write }\negress:\n  deniedDomains:\n    - \"||a.example^\"",
                "write `a.example` and `*.a.example` among the denied: such an entry blocks",
            ),
        ],
        "sandbox: { mode: workspace-write }\negress:\n  deniedDomains:\n    - a.example\n    - \"*.a.example\"",
        DENIES_BOTH,
    ),
    row(
        BASE,
        &[
            (
                "not-yaml",
                "sandbox: { mode: workspace-write }\negress:\n  deniedDomains:\n    - |a.example|",
                "quote it: `\"|a.example|\"`",
            ),
            (
                "pattern-regex",
                "sandbox: { mode: workspace-write }\negress:\n  deniedDomains:\n    - \"|a.example|\"",
                "write each host: `*.` before the name they share names all that is below it",
            ),
        ],
        "sandbox: { mode: workspace-write }\negress:\n  deniedDomains:\n    - a.example",
        DENIES,
    ),
    row(
        BASE,
        &[(
            "unknown-alias",
            "sandbox: { mode: workspace-write }\negress: { deniedDomains: [*.a.example] }",
            "quote it: `\"*.a.example\"`",
        )],
        "sandbox: { mode: workspace-write }\negress: { deniedDomains: [\"*.a.example\"] }",
        DENIES_BELOW,
    ),
    // Names, words and values.
    row(
        HALOS,
        &[(
            "bad-name",
            "rings: { GA: { profile: base, default: true } }",
            "write 1 to 63 characters of `a-z 0-9 . _ -`, the first a letter or a digit",
        )],
        "rings: { ga: { profile: base, default: true } }",
        DEFAULT,
    ),
    row(
        UNIT,
        &[(
            "empty-file",
            "# nothing as yet\n",
            "write `{}` if it is meant to say nothing; else restore it",
        )],
        "{}",
        DEFAULT,
    ),
    row(
        BASE,
        &[(
            "wrong-type",
            "sandbox: { mode: workspace-write }\negress: { deniedDomains: a.example }",
            "write `[a.example]`",
        )],
        "sandbox: { mode: workspace-write }\negress: { deniedDomains: [a.example] }",
        DENIES,
    ),
    row(
        BASE,
        &[(
            "wrong-type",
            "sandbox: { mode: workspace-write }\negress: { deniedDomains: \"*.a.example\" }",
            "write `[\"*.a.example\"]`",
        )],
        "sandbox: { mode: workspace-write }\negress: { deniedDomains: [\"*.a.example\"] }",
        DENIES_BELOW,
    ),
    row(
        BASE,
        &[(
            "wrong-type",
            "sandbox: { mode: workspace-write }\negress:\n  deniedDomains:\n    -a.example\n    -b.a.example",
            "write one line for each entry, with a space after its `-`",
        )],
        "sandbox: { mode: workspace-write }\negress:\n  deniedDomains:\n    - a.example\n    - b.a.example",
        "sandbox: { mode: workspace-write }\negress: { default: allow, deniedDomains: [b.a.example, a.example] }",
    ),
    row(
        BASE,
        &[(
            "wrong-type",
            "sandbox: { mode: [workspace-write] }\negress: { deniedDomains: [a.example] }",
            "write `off`, `workspace-write` or `read-only`",
        )],
        "sandbox: { mode: workspace-write }\negress: { deniedDomains: [a.example] }",
        DENIES,
    ),
    row(
        BASE,
        &[(
            "empty-value",
            "sandbox: { mode: workspace-write }\negress:\n  default: allow\n  deniedDomains:\n",
            "write `[]` for an empty list, or remove the key",
        )],
        "sandbox: { mode: workspace-write }\negress:\n  default: allow\n  deniedDomains: []\n",
        OPEN,
    ),
    row(
        BASE,
        &[(
            "empty-value",
            "sandbox: { mode: workspace-write }\negress:\n  default: allow\n  deniedDomains:\n",
            "write `[]` for an empty list, or remove the key",
        )],
        "sandbox: { mode: workspace-write }\negress:\n  default: allow\n",
        OPEN,
    ),
    // An empty allowlist may mean both, so its second help asks which.
    row(
        BASE,
        &[
            (
                "empty-value",
                "sandbox: { mode: workspace-write }\negress:\n  allowedDomains:\n",
                "write `[]` for an empty list, or remove the key",
            ),
            (
                "ambiguous-empty-allowlist",
                "sandbox: { mode: workspace-write }\negress:\n  allowedDomains: []\n",
                "write `default: deny` to deny every host, or `default: allow`",
            ),
        ],
        "sandbox: { mode: workspace-write }\negress:\n  allowedDomains: []\n  default: deny\n",
        CLOSED,
    ),
    row(
        BASE,
        &[(
            "ambiguous-empty-allowlist",
            "sandbox: { mode: workspace-write }\negress: { allowedDomains: [] }",
            "write `default: deny` to deny every host, or `default: allow`",
        )],
        "sandbox: { mode: workspace-write }\negress: { allowedDomains: [], default: allow }",
        OPEN,
    ),
    row(
        BASE,
        &[(
            "unknown-default",
            "sandbox: { mode: workspace-write }\negress: { allowedDomains: [a.example], default: block }",
            "write `allow` or `deny`",
        )],
        "sandbox: { mode: workspace-write }\negress: { allowedDomains: [a.example], default: deny }",
        ALLOWS,
    ),
    row(
        BASE,
        &[(
            "unknown-key",
            "sandbox: { mode: workspace-write }\ndeniedDomains: [a.example]",
            "write `deniedDomains` under `egress`",
        )],
        "sandbox: { mode: workspace-write }\negress: { deniedDomains: [a.example] }",
        DENIES,
    ),
    row(
        BASE,
        &[(
            "unknown-harness",
            "harnesses: { claude: 2.1.280 }\nsandbox: { mode: workspace-write }\negress: { default: allow }",
            "write `claude-code`, `codex`, `copilot-cli`, `gemini-cli`, `opencode` or `cursor-cli`",
        )],
        "harnesses: { claude-code: 2.1.280 }\nsandbox: { mode: workspace-write }\negress: { default: allow }",
        "harnesses: { claude-code: { version: 2.1.280 } }\nsandbox: { mode: workspace-write }\negress: { default: allow }",
    ),
    row(
        BASE,
        &[(
            "bad-version",
            "harnesses: { codex: v0.166.0 }\nsandbox: { mode: workspace-write }\negress: { default: allow }",
            "write `0.166.0`",
        )],
        "harnesses: { codex: 0.166.0 }\nsandbox: { mode: workspace-write }\negress: { default: allow }",
        "harnesses: { codex: { version: 0.166.0 } }\nsandbox: { mode: workspace-write }\negress: { default: allow }",
    ),
    // Paths; those with one spelling to write are drawn below.
    row(
        BASE,
        &[(
            "path-user-home",
            "sandbox: { mode: workspace-write, writableRoots: [~alice/cache] }\negress: { default: allow }",
            "write the path itself; only `~/`, the home of the user who runs the agent, is read",
        )],
        "sandbox: { mode: workspace-write, writableRoots: [/home/alice/cache] }\negress: { default: allow }",
        "sandbox: { mode: workspace-write, writableRoots: [\"/home/alice/cache\"] }\negress: { default: allow }",
    ),
    row(
        BASE,
        &[(
            "path-dot-component",
            "sandbox: { mode: workspace-write, writableRoots: [/opt/cache/../other] }\negress: { default: allow }",
            "write the path without `.` and `..`",
        )],
        "sandbox: { mode: workspace-write, writableRoots: [/opt/other] }\negress: { default: allow }",
        "sandbox: { mode: workspace-write, writableRoots: [\"/opt/other\"] }\negress: { default: allow }",
    ),
    row(
        BASE,
        &[(
            "path-character",
            "sandbox: { mode: workspace-write, protectedPaths: [\"{a,b}.env\"] }\negress: { default: allow }",
            "write one entry for each path",
        )],
        "sandbox: { mode: workspace-write, protectedPaths: [a.env, b.env] }\negress: { default: allow }",
        "sandbox: { mode: workspace-write, protectedPaths: [b.env, a.env] }\negress: { default: allow }",
    ),
    row(
        BASE,
        &[(
            "protected-glob-from-root",
            "sandbox: { mode: workspace-write, protectedPaths: [/**/.env] }\negress: { default: allow }",
            "write `**/name` for the workspace, and `~/**/name` for the home directory",
        )],
        "sandbox: { mode: workspace-write, protectedPaths: [\"**/.env\", \"~/**/.env\"] }\negress: { default: allow }",
        "sandbox: { mode: workspace-write, protectedPaths: [\"~/**/.env\", \"**/.env\"] }\negress: { default: allow }",
    ),
    // Rings and the gateway.
    row(
        HALOS,
        &[(
            "no-rings",
            "{}",
            "write `rings: { ga: { profile: base, default: true } }`",
        )],
        "rings: { ga: { profile: base, default: true } }",
        DEFAULT,
    ),
    row(
        HALOS,
        &[(
            "gateway-url",
            "gateway: github.com\nrings: { ga: { profile: base, default: true } }",
            "write an absolute URL such as `https://ai.acme.example`",
        )],
        "gateway: https://github.com\nrings: { ga: { profile: base, default: true } }",
        DEFAULT,
    ),
    row(
        HALOS,
        &[(
            "no-gateway",
            "rings: { ga: { profile: base, default: true } }",
            "write `gateway: https://ai.acme.example` if agents reach their models through one",
        )],
        "gateway: https://gitlab.com\nrings: { ga: { profile: base, default: true } }",
        DEFAULT,
    ),
    // What amounts to a bypass.
    row(
        BASE,
        &[(
            "mode-implied",
            "egress: { allowedDomains: [a.example] }",
            "write `sandbox: { mode: workspace-write }`",
        )],
        "egress: { allowedDomains: [a.example] }\nsandbox: { mode: workspace-write }",
        ALLOWS,
    ),
    row(
        BASE,
        &[(
            "off-with-rules",
            "sandbox: { mode: off }\negress: { deniedDomains: [a.example] }",
            "write `workspace-write` or `read-only`: without a sandbox nothing holds the rules",
        )],
        "sandbox: { mode: workspace-write }\negress: { deniedDomains: [a.example] }",
        DENIES,
    ),
    row(
        BASE,
        &[(
            "off-with-rules",
            "sandbox: { mode: off }\negress: { deniedDomains: [a.example] }",
            "write `workspace-write` or `read-only`: without a sandbox nothing holds the rules",
        )],
        "sandbox: { mode: read-only }\negress: { deniedDomains: [a.example] }",
        "permissions: { sandbox: read-only }\negress: { deniedDomains: [a.example], default: allow }",
    ),
    row(
        BASE,
        &[(
            "read-only-with-roots",
            "sandbox: { mode: read-only, writableRoots: [/opt/a] }\negress: { default: allow }",
            "write `writableRoots: []` to clear inherited roots, or mode `workspace-write`",
        )],
        "sandbox: { mode: read-only, writableRoots: [] }\negress: { default: allow }",
        "permissions: { sandbox: read-only }\negress: { default: allow }",
    ),
    row(
        BASE,
        &[(
            "read-only-with-roots",
            "sandbox: { mode: read-only, writableRoots: [/opt/a] }\negress: { default: allow }",
            "write `writableRoots: []` to clear inherited roots, or mode `workspace-write`",
        )],
        "sandbox: { mode: workspace-write, writableRoots: [/opt/a] }\negress: { default: allow }",
        "permissions: { sandbox: workspace-write }\nsandbox: { writableRoots: [/opt/a] }\negress: { default: allow }",
    ),
    row(
        BASE,
        &[(
            "default-allow-with-allowlist",
            "sandbox: { mode: workspace-write }\negress: { default: allow, allowedDomains: [a.example] }",
            "write `default: deny`, or remove the allowed hosts: they restrict nothing",
        )],
        "sandbox: { mode: workspace-write }\negress: { default: deny, allowedDomains: [a.example] }",
        "sandbox: { mode: workspace-write }\negress: { allowedDomains: [a.example] }",
    ),
    row(
        BASE,
        &[(
            "default-allow-with-allowlist",
            "sandbox: { mode: workspace-write }\negress: { default: allow, allowedDomains: [a.example], deniedDomains: [a.example] }",
            "write `default: deny`, or remove the allowed hosts: they restrict nothing",
        )],
        "sandbox: { mode: workspace-write }\negress: { default: allow, deniedDomains: [a.example] }",
        DENIES,
    ),
    row(
        UNIT,
        &[(
            "overlay-loosens",
            "overlays: [{ egress: { default: allow } }]",
            "remove it, or write `deny`",
        )],
        "overlays: [{ egress: { default: deny } }]",
        DEFAULT,
    ),
    row(
        UNIT,
        &[(
            "overlay-loosens",
            "overlays: [{ sandbox: { mode: off } }]",
            "remove it, or write `workspace-write` or a stricter mode",
        )],
        "overlays: [{ sandbox: { mode: workspace-write } }]",
        DEFAULT,
    ),
    row(
        UNIT,
        &[(
            "overlay-conflict",
            "overlays: [{ egress: { allowedDomains: [github.com], presets: [] } }, { egress: { allowedDomains: [gitlab.com] } }]",
            "write one list, or give the overlays different `rings`",
        )],
        "overlays: [{ egress: { allowedDomains: [github.com], presets: [] } }]",
        "sandbox: { mode: workspace-write, writableRoots: [/opt/a], protectedPaths: [.env] }\negress: { allowedDomains: [github.com] }",
    ),
    // What is legal and was most likely not meant.
    row(
        UNIT,
        &[(
            "presets-remain",
            "overlays: [{ egress: { allowedDomains: [github.com] } }]",
            "write `presets: []`, or the presets that are to stay",
        )],
        "overlays: [{ egress: { allowedDomains: [github.com], presets: [] } }]",
        "sandbox: { mode: workspace-write, writableRoots: [/opt/a], protectedPaths: [.env] }\negress: { allowedDomains: [github.com] }",
    ),
    row(
        UNIT,
        &[(
            "presets-remain",
            "overlays: [{ egress: { allowedDomains: [github.com] } }]",
            "write `presets: []`, or the presets that are to stay",
        )],
        "overlays: [{ egress: { allowedDomains: [github.com], presets: [package-registries] } }]",
        "sandbox: { mode: workspace-write, writableRoots: [/opt/a], protectedPaths: [.env] }\negress: { allowedDomains: [github.com], presets: [package-registries] }",
    ),
    row(
        BASE,
        &[(
            "preset-name",
            "sandbox: { mode: workspace-write }\negress: { allowedDomains: [vcs] }",
            "write `presets: [vcs]`",
        )],
        "sandbox: { mode: workspace-write }\negress: { presets: [vcs] }",
        "sandbox: { mode: workspace-write }\negress: { presets: [vcs], default: deny }",
    ),
    row(
        BASE,
        &[(
            "unrestricted-egress",
            "sandbox: { mode: workspace-write }",
            "write `egress: { default: allow }` if that is meant",
        )],
        "sandbox: { mode: workspace-write }\negress: { default: allow }",
        "permissions: { sandbox: workspace-write }",
    ),
    row(
        BASE,
        &[(
            "unrestricted-sandbox",
            "egress: { default: allow }",
            "write `sandbox: { mode: workspace-write }`, or `mode: off` if that is meant",
        )],
        "egress: { default: allow }\nsandbox: { mode: workspace-write }",
        OPEN,
    ),
    row(
        BASE,
        &[(
            "unrestricted-sandbox",
            "egress: { default: allow }",
            "write `sandbox: { mode: workspace-write }`, or `mode: off` if that is meant",
        )],
        "egress: { default: allow }\nsandbox: { mode: off }",
        "permissions: { sandbox: off }\negress: { default: allow }",
    ),
];

type Misspell = fn(&str) -> String;

/// The codes of a path whose help names the spelling: how a good path is misspelt for each.
const MISSPELT: [(&str, Misspell); 6] = [
    ("path-backslash", |path| path.replacen('/', "\\", 9)),
    ("path-variable", |path| path.replacen('~', "$HOME", 1)),
    ("path-space", |path| format!("{path} ")),
    ("path-not-normalized", |path| {
        path.replacen('é', "e\u{301}", 9)
    }),
    ("path-double-slash", |path| path.replacen('/', "//", 9)),
    ("path-trailing-slash", |path| format!("{path}/")),
];

/// Why there is nothing to follow.
const REASONS: &[(&str, &str)] = &[
    ("too-deep", "no policy needs what it holds"),
    (
        "too-many-aliases",
        "the text would be too long for a row, and says nothing else",
    ),
    ("path-empty", "which path was meant, nobody can tell"),
    (
        "path-windows-drive",
        "which path of other systems it stands for, nobody can tell",
    ),
    ("root-relative", "where the directory lies, nobody can tell"),
    (
        "root-glob",
        "which directories there are, only the device can tell",
    ),
    (
        "protected-malformed-glob",
        "which paths were meant, nobody can tell",
    ),
    (
        "wildcard-over-public-suffix",
        "which names were meant, nobody can tell",
    ),
    (
        "single-label",
        "what the name stands for, only the network can tell",
    ),
    (
        "wildcard-over-private-suffix",
        "which names are theirs, only the authors can tell",
    ),
    (
        "wildcard-over-unknown-zone",
        "which names there are, only the authors can tell",
    ),
];

fn validate(file: &str, text: &str) -> Validation {
    let mut files = vec![
        (HALOS, "rings: { ga: { profile: base, default: true } }"),
        (BASE, DEFAULT),
    ];
    files.retain(|(path, _)| *path != file);
    files.push((file, text));
    let files = files.into_iter();
    Repository::from_files(files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())))
        .validate()
}

fn policy(file: &str, text: &str) -> Policy {
    let validation = validate(file, text);
    let findings = validation.findings();
    let errors: Vec<&Finding> = findings
        .iter()
        .filter(|finding| finding.severity() == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{text}: {errors:#?}");
    let unit = (file == UNIT).then_some("u");
    let organisation = validation.organisation().unwrap();
    organisation.select(Some("ga"), unit).unwrap().into_policy()
}

/// Both permit the same and pin the same.
fn assert_same(one: &Policy, other: &Policy, text: &str) {
    for (one, other) in [(one, other), (other, one)] {
        let wider: Vec<String> = one.difference(other).iter().map(Wider::added).collect();
        assert_eq!(wider, Vec::<String>::new(), "{text}");
        assert!(one.is_within(other).is_ok(), "{text}");
    }
    let pins = |policy: &Policy| -> Vec<String> {
        policy
            .pins()
            .map(|(harness, version)| format!("{harness} {version}"))
            .collect()
    };
    assert_eq!(pins(one), pins(other), "{text}");
}

/// The finding of a code that a text earns.
fn finding(file: &str, text: &str, code: &str) -> Finding {
    let validation = validate(file, text);
    let findings = validation.findings();
    let of_code = findings
        .iter()
        .find(|finding| finding.code().as_str() == code);
    of_code
        .unwrap_or_else(|| panic!("{text} does not earn {code}: {findings:#?}"))
        .clone()
}

#[test]
fn a_remedy_that_is_followed_is_accepted_and_means_what_was_meant() {
    for row in ROWS {
        for (code, text, help) in row.steps {
            let finding = finding(row.file, text, code);
            let told = finding.help().unwrap();
            assert!(
                told.starts_with(help) || told.ends_with(help),
                "{text}: {told}"
            );
        }
        let left = validate(row.file, row.followed);
        for (code, ..) in row.steps {
            let remains = |finding: &&Finding| finding.code().as_str() == *code;
            assert_eq!(
                left.findings().iter().find(remains),
                None,
                "{}",
                row.followed
            );
        }
        let meant = policy(BASE, row.meant);
        assert_same(&policy(row.file, row.followed), &meant, row.followed);
    }
}

#[test]
fn every_code_with_something_to_write_is_followed_or_says_why_not() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/findings.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut asked = 0;
    let followed = |code: &str| {
        let steps = ROWS.iter().flat_map(|row| row.steps);
        steps.into_iter().any(|step| step.0 == code) || MISSPELT.iter().any(|row| row.0 == code)
    };
    let excused = |code: &str| REASONS.iter().any(|row| row.0 == code);
    for line in page.lines() {
        let Some((code, rest)) = line
            .strip_prefix("| [`")
            .and_then(|line| line.split_once('`'))
        else {
            continue;
        };
        let Some((_, help)) = rest.trim_end_matches(" |").rsplit_once(" | ") else {
            panic!("{line}");
        };
        let says = help
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == "write");
        // A place to write is not a spelling.
        if !says || code.starts_with("pattern-") || help.contains("agent writes") {
            continue;
        }
        assert!(followed(code) != excused(code), "{code}: {help}");
        asked += 1;
    }
    assert!(asked >= 40, "{asked} codes");
    // A code that is gone leaves no row behind.
    let known = |code: &str| Code::ALL.iter().any(|one| one.as_str() == code);
    for code in REASONS
        .iter()
        .map(|row| row.0)
        .chain(MISSPELT.iter().map(|row| row.0))
    {
        assert!(known(code), "{code}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_path_that_is_written_as_the_help_says_is_the_path_that_was_meant(
        names in prop::collection::vec("[a-z]{2,5}|[a-z]é[a-z]|[a-z] [a-z]|[A-Z][a-z_]{1,3}[0-9]", 1..4),
    ) {
        let path = format!("~/work-é/{}", names.join("/"));
        for (code, misspell) in MISSPELT {
            for list in ["writableRoots", "protectedPaths"] {
                let with = |path: &str| {
                    let path = serde_json::to_string(path).unwrap();
                    format!("sandbox: {{ mode: workspace-write, {list}: [{path}] }}\negress: {{ default: allow }}")
                };
                let written = misspell(&path);
                prop_assert_ne!(&written, &path);
                let finding = finding(BASE, &with(&written), code);
                let help = finding.help().unwrap();
                let Some(told) = help.strip_prefix("write `").and_then(|help| help.strip_suffix('`')) else {
                    return Err(TestCaseError::fail(format!("{written}: {help}")));
                };
                // The very path, not one that happens to be accepted.
                prop_assert_eq!(told, &path);
                let is_path = if list == "writableRoots" {
                    WritableRoot::parse(told).is_ok()
                } else {
                    ProtectedPath::parse(told).is_ok()
                };
                prop_assert!(is_path, "{}", told);
                assert_same(&policy(BASE, &with(told)), &policy(BASE, &with(&path)), told);
            }
        }
    }
}

//! What each document reads as, and what each mistake in one is told.

use super::*;
use crate::repository::finding::{Code, Finding};
use crate::repository::report::{MOST_FINDINGS_OF_A_FILE, Report};
use crate::repository::yaml;

fn profile(text: &str) -> (ProfileDocument, Vec<Finding>) {
    let mut report = Report::new("profiles/p.yaml");
    let tree = yaml::parse(text.as_bytes()).unwrap();
    let document = read_profile("p", "profiles/p.yaml", tree, &mut report);
    (document, report.finish())
}

fn unit(text: &str) -> (UnitDocument, Vec<Finding>) {
    let mut report = Report::new("units/u.yaml");
    let tree = yaml::parse(text.as_bytes()).unwrap();
    let document = read_unit("u", "units/u.yaml", tree, &mut report);
    (document, report.finish())
}

fn organisation(text: &str) -> (OrganisationDocument, Vec<Finding>) {
    let mut report = Report::new("halos.yaml");
    let document = read_organisation(yaml::parse(text.as_bytes()).unwrap(), &mut report);
    (document, report.finish())
}

/// `code line:column path: message; help`, one a finding.
fn told(findings: &[Finding]) -> Vec<String> {
    let line = |finding: &Finding| {
        let place = finding
            .position()
            .map_or("-".to_owned(), |position| position.to_string());
        let help = finding.help().unwrap_or("no help");
        format!(
            "{} {place} {}: {}; {help}",
            finding.code(),
            finding.path(),
            finding.message()
        )
    };
    findings.iter().map(line).collect()
}

/// `value@line:column`, one an entry.
fn listed<T: core::fmt::Display>(list: &Option<List<T>>) -> String {
    let Some(list) = list else {
        return "absent".to_owned();
    };
    let place = |position: Option<Position>| {
        position.map_or("-".to_owned(), |position| position.to_string())
    };
    let entry = |entry: &Entry<T>| {
        format!(
            "[{}] {}@{}",
            entry.index,
            entry.value,
            place(entry.position)
        )
    };
    let entries: Vec<String> = list.value.iter().map(entry).collect();
    format!("@{}: {}", place(list.position), entries.join(" "))
}

fn at<T: Copy>(value: &Option<At<T>>) -> (T, String) {
    let at = value.as_ref().unwrap();
    (at.value, at.position.unwrap().to_string())
}

#[test]
fn a_profile_is_read_with_the_place_of_every_value() {
    let (document, findings) = profile(
        r#"extends: base
permissions:
  sandbox: workspace-write          # or sandbox.mode
sandbox:
  mode: read-only
  writableRoots: [/opt/build-cache] # absolute or ~/
  protectedPaths: ["~/.ssh", "~/.aws", ".env*"]
egress:
  allowedDomains:
    - ai.acme.example
    - otel.internal.acme.example
  presets: [vcs, package-registries]
  deniedDomains: []
  default: deny
harnesses:
  claude-code: 2.1.280
  gemini-cli: { version: 0.61.0-preview.1 }
"#,
    );
    assert_eq!(told(&findings), [""; 0]);
    assert!(document.intact);
    assert_eq!(document.name, "p");
    assert_eq!(document.file, "profiles/p.yaml");
    let extends = document.extends.unwrap();
    assert_eq!(
        (
            extends.value.as_str(),
            extends.position.unwrap().to_string().as_str()
        ),
        ("base", "1:10")
    );
    let SandboxPart {
        permissions_sandbox,
        mode,
        writable_roots,
        protected_paths,
    } = document.sandbox;
    assert_eq!(
        at(&permissions_sandbox),
        (ModeWord::WorkspaceWrite, "3:12".to_owned())
    );
    assert_eq!(at(&mode), (ModeWord::ReadOnly, "5:9".to_owned()));
    assert_eq!(listed(&writable_roots), "@6:3: [0] /opt/build-cache@6:19");
    assert_eq!(
        listed(&protected_paths),
        "@7:3: [0] ~/.ssh@7:20 [1] ~/.aws@7:30 [2] .env*@7:40"
    );
    let EgressPart {
        allowed_domains,
        presets,
        denied_domains,
        default,
    } = document.egress;
    assert_eq!(
        listed(&allowed_domains),
        "@9:3: [0] ai.acme.example@10:7 [1] otel.internal.acme.example@11:7"
    );
    assert_eq!(
        listed(&presets),
        "@12:3: [0] vcs@12:13 [1] package-registries@12:18"
    );
    assert_eq!(listed(&denied_domains), "@13:3: ");
    assert_eq!(at(&default), (DefaultWord::Deny, "14:12".to_owned()));
    let pins = document.harnesses.iter().map(|(harness, version)| {
        let place = |position: Option<Position>| position.unwrap().to_string();
        format!(
            "{}@{} {}@{}",
            harness.value,
            place(harness.position),
            version.value,
            place(version.position)
        )
    });
    let pins: Vec<String> = pins.collect();
    assert_eq!(
        pins,
        [
            "claude-code@16:3 2.1.280@16:16",
            "gemini-cli@17:3 0.61.0-preview.1@17:26"
        ]
    );
}

#[test]
fn an_empty_document_is_read_as_one_without_keys() {
    for text in ["", "# nothing yet\n", "---\n", "{}"] {
        let (document, findings) = profile(text);
        let none = ProfileDocument {
            name: "p".into(),
            file: "profiles/p.yaml".into(),
            intact: true,
            ..Default::default()
        };
        assert_eq!((document, told(&findings)), (none, vec![]), "{text:?}");
        let (document, findings) = unit(text);
        assert_eq!(
            (document.overlays, told(&findings)),
            (vec![], vec![]),
            "{text:?}"
        );
        let (document, findings) = organisation(text);
        assert_eq!(
            (document.rings, document.gateway, told(&findings)),
            (vec![], None, vec![]),
            "{text:?}"
        );
    }
}

#[test]
fn an_empty_list_is_not_an_absent_one() {
    let (document, _) = profile("egress: { allowedDomains: [] }");
    assert_eq!(listed(&document.egress.allowed_domains), "@1:11: ");
    assert_eq!(listed(&document.egress.presets), "absent");
}

#[test]
fn a_unit_is_read_with_its_overlays() {
    let (document, findings) = unit(
        "overlays:
  - egress: { deniedDomains: [gist.github.com] }
  - rings: [ring3-ga]
    egress: { allowedDomains: [ai.acme.example], presets: [] }
    sandbox: { protectedPaths: [~/.kube], mode: read-only, writableRoots: [] }
    permissions: { sandbox: read-only }
",
    );
    assert_eq!(told(&findings), [""; 0]);
    let [every, one] = document.overlays.as_slice() else {
        panic!()
    };
    assert_eq!(
        (every.index, listed(&every.value.rings).as_str()),
        (0, "absent")
    );
    assert_eq!(
        listed(&every.value.egress.denied_domains),
        "@2:15: [0] gist.github.com@2:31"
    );
    assert_eq!(
        (one.index, listed(&one.value.rings).as_str()),
        (1, "@3:5: [0] ring3-ga@3:13")
    );
    assert_eq!(listed(&one.value.egress.presets), "@4:50: ");
    assert_eq!(
        listed(&one.value.sandbox.protected_paths),
        "@5:16: [0] ~/.kube@5:33"
    );
    assert_eq!(
        at(&one.value.sandbox.mode),
        (ModeWord::ReadOnly, "5:49".to_owned())
    );
    assert_eq!(
        at(&one.value.sandbox.permissions_sandbox),
        (ModeWord::ReadOnly, "6:29".to_owned())
    );
    assert_eq!(one.position.unwrap().to_string(), "3:5");
}

#[test]
fn an_organisation_is_read_with_its_rings() {
    let (document, findings) = organisation(
        "gateway: https://ai.acme.example
rings:
  ring0-canary: { profile: canary, posture: warn }
  ring3-ga:     { profile: engineering, posture: enforce, default: true }
",
    );
    assert_eq!(told(&findings), [""; 0]);
    assert_eq!(document.gateway.unwrap().value, "https://ai.acme.example");
    let [canary, ga] = document.rings.as_slice() else {
        panic!()
    };
    assert_eq!(
        (canary.name.value.as_str(), canary.profile.value.as_str()),
        ("ring0-canary", "canary")
    );
    assert_eq!(at(&canary.posture), (Posture::Warn, "3:45".to_owned()));
    assert_eq!(canary.default, None);
    assert_eq!(ga.name.position.unwrap().to_string(), "4:3");
    assert_eq!(ga.profile.position.unwrap().to_string(), "4:28");
    assert_eq!(at(&ga.posture), (Posture::Enforce, "4:50".to_owned()));
    assert_eq!(at(&ga.default), (true, "4:68".to_owned()));
}

#[test]
fn every_mistake_in_a_profile_is_told_where_it_is() {
    for (text, expected) in [
        // Keys.
        (
            "extend: base",
            "unknown-key 1:1 profiles.p.extend: unknown key `extend`; did you mean `extends`?",
        ),
        (
            "Egress: {}",
            "unknown-key 1:1 profiles.p.Egress: unknown key `Egress`; did you mean `egress`?",
        ),
        (
            "egress: { allowed_domains: [] }",
            "unknown-key 1:11 profiles.p.egress.allowed_domains: unknown key `allowed_domains`; did you mean `allowedDomains`?",
        ),
        (
            "egress: { allow: [] }",
            "unknown-key 1:11 profiles.p.egress.allow: unknown key `allow`; write `allowedDomains`, `presets`, `deniedDomains` or `default`",
        ),
        (
            "allowedDomains: []",
            "unknown-key 1:1 profiles.p.allowedDomains: unknown key `allowedDomains`; write `allowedDomains` under `egress`",
        ),
        (
            "sandbox.mode: off",
            "unknown-key 1:1 profiles.p.sandbox.mode: unknown key `sandbox.mode`; write `mode` under `sandbox`",
        ),
        (
            "egress: { <<: {} }",
            "unknown-key 1:11 profiles.p.egress[`<<`]: unknown key `<<`; merge keys are not read: write the entries out",
        ),
        (
            "\"a\\nb\": c",
            "unknown-key 1:1 profiles.p[`a\\nb`]: unknown key `a\\nb`; write `extends`, `permissions`, `sandbox`, `egress` or `harnesses`",
        ),
        (
            "overlays: []",
            "unknown-key 1:1 profiles.p.overlays: unknown key `overlays`; write `extends`, `permissions`, `sandbox`, `egress` or `harnesses`",
        ),
        (
            "1: a",
            "wrong-type 1:1 profiles.p: a key must be text, not a number; quote the key, or remove it",
        ),
        (
            "[a]: b",
            "wrong-type 1:1 profiles.p: a key must be text, not a list; quote the key, or remove it",
        ),
        (
            "extends: a\nextends: b",
            "duplicate-key 2:1 profiles.p.extends: the key `extends` is written twice; keep one of them; the other is in line 1",
        ),
        (
            "egress:\n  presets: []\n  default: deny\n  presets: [vcs]",
            "duplicate-key 4:3 profiles.p.egress.presets: the key `presets` is written twice; keep one of them; the other is in line 2",
        ),
        (
            "harnesses:\n  codex: 1.0.0\n  codex: 1.0.0",
            "duplicate-key 3:3 profiles.p.harnesses.codex: the key `codex` is written twice; keep one of them; the other is in line 2",
        ),
        // Kinds.
        (
            "[]",
            "wrong-type 1:1 profiles.p: a mapping belongs here, not a list; the keys here are `extends`, `permissions`, `sandbox`, `egress` and `harnesses`",
        ),
        (
            "extends:base",
            "wrong-type 1:1 profiles.p: a mapping belongs here, not text; put a space after the colon of `key: value`",
        ),
        (
            "egress: deny",
            "wrong-type 1:9 profiles.p.egress: a mapping belongs here, not text; the keys here are `allowedDomains`, `presets`, `deniedDomains` and `default`",
        ),
        (
            "extends: [a]",
            "wrong-type 1:10 profiles.p.extends: text belongs here, not a list; write one value, not a list",
        ),
        (
            "extends: 1",
            "wrong-type 1:10 profiles.p.extends: text belongs here, not a number; quote it",
        ),
        (
            "egress: { allowedDomains: a.example }",
            "wrong-type 1:27 profiles.p.egress.allowedDomains: a list belongs here, not text; write `[a.example]`",
        ),
        (
            "egress: { deniedDomains: \"*.a.example\" }",
            "wrong-type 1:26 profiles.p.egress.deniedDomains: a list belongs here, not text; write `[\"*.a.example\"]`",
        ),
        (
            "egress:\n  deniedDomains:\n    -a.example",
            "wrong-type 3:5 profiles.p.egress.deniedDomains: a list belongs here, not text; write one line for each entry, with a space after its `-`",
        ),
        (
            "egress:\n  deniedDomains:\n    -a.example\n    -b.example",
            "wrong-type 3:5 profiles.p.egress.deniedDomains: a list belongs here, not text; write one line for each entry, with a space after its `-`",
        ),
        (
            "egress: { deniedDomains: a.example b.example }",
            "wrong-type 1:26 profiles.p.egress.deniedDomains: a list belongs here, not text; write a list: one line `- …` for each entry",
        ),
        (
            "egress: { deniedDomains: \"true\" }",
            "wrong-type 1:26 profiles.p.egress.deniedDomains: a list belongs here, not text; write `[\"true\"]`",
        ),
        (
            "egress: { presets: vcs }",
            "wrong-type 1:20 profiles.p.egress.presets: a list belongs here, not text; write `[vcs]`",
        ),
        (
            "egress: { presets: true }",
            "wrong-type 1:20 profiles.p.egress.presets: a list belongs here, not `true`; write `[…]`, or one line `- …` for each entry",
        ),
        (
            "egress:\n  deniedDomains:\n    - a.example\n    - 1.1",
            "wrong-type 4:7 profiles.p.egress.deniedDomains[1]: text belongs here, not a number; quote it",
        ),
        (
            "egress: { deniedDomains: [a.example: 443] }",
            "wrong-type 1:27 profiles.p.egress.deniedDomains[0]: text belongs here, not a mapping; quote it",
        ),
        (
            "sandbox: { writableRoots: [[/a]] }",
            "wrong-type 1:28 profiles.p.sandbox.writableRoots[0]: text belongs here, not a list; write one value, not a list",
        ),
        // Nothing.
        (
            "extends:",
            "empty-value 1:1 profiles.p.extends: text belongs here, and there is nothing; write the value, or remove the key",
        ),
        (
            "egress:\n  # allowedDomains: []\n",
            "empty-value 1:1 profiles.p.egress: a mapping belongs here, and there is nothing; write `{}` for an empty mapping, or remove the key",
        ),
        (
            "egress:\n  allowedDomains:\n    # - a.example\n",
            "empty-value 2:3 profiles.p.egress.allowedDomains: a list belongs here, and there is nothing; write `[]` for an empty list, or remove the key",
        ),
        (
            "sandbox: { mode: ~ }",
            "empty-value 1:12 profiles.p.sandbox.mode: a word belongs here, and there is nothing; write the value, or remove the key",
        ),
        (
            "sandbox: { protectedPaths: [~] }",
            "empty-value 1:29 profiles.p.sandbox.protectedPaths[0]: text belongs here, and there is nothing; write the entry or remove it; quote it if it is meant to be `~` or `null`",
        ),
        (
            "egress: { blockedDomains: [] }",
            "unknown-key 1:11 profiles.p.egress.blockedDomains: unknown key `blockedDomains`; did you mean `deniedDomains`?",
        ),
        (
            "egress: { unblockedDomains: [] }",
            "unknown-key 1:11 profiles.p.egress.unblockedDomains: unknown key `unblockedDomains`; write `allowedDomains`, `presets`, `deniedDomains` or `default`",
        ),
        (
            "sandbox: { unwritableRoots: [] }",
            "unknown-key 1:12 profiles.p.sandbox.unwritableRoots: unknown key `unwritableRoots`; write `mode`, `writableRoots` or `protectedPaths`",
        ),
        (
            "egress: { default: unallow }",
            "unknown-default 1:20 profiles.p.egress.default: unknown default `unallow`; write `allow` or `deny`",
        ),
        // Words.
        (
            "sandbox: { mode: read_only }",
            "unknown-mode 1:18 profiles.p.sandbox.mode: unknown sandbox mode `read_only`; did you mean `read-only`?",
        ),
        (
            "permissions: { sandbox: none }",
            "unknown-mode 1:25 profiles.p.permissions.sandbox: unknown sandbox mode `none`; write `off`, `workspace-write` or `read-only`",
        ),
        (
            "sandbox: { mode: false }",
            "wrong-type 1:18 profiles.p.sandbox.mode: a word belongs here, not `false`; write `off`",
        ),
        (
            "sandbox: { mode: true }",
            "wrong-type 1:18 profiles.p.sandbox.mode: a word belongs here, not `true`; write `off`, `workspace-write` or `read-only`",
        ),
        (
            "egress: { default: Deny }",
            "unknown-default 1:20 profiles.p.egress.default: unknown default `Deny`; did you mean `deny`?",
        ),
        (
            "egress: { default: false }",
            "wrong-type 1:20 profiles.p.egress.default: a word belongs here, not `false`; write `allow` or `deny`",
        ),
        (
            "egress: { presets: [vcs, package-registry] }",
            "unknown-preset 1:26 profiles.p.egress.presets[1]: unknown preset `package-registry`; did you mean `package-registries`?",
        ),
        (
            "egress: { presets: [everything] }",
            "unknown-preset 1:21 profiles.p.egress.presets[0]: unknown preset `everything`; write `model-providers`, `package-registries` or `vcs`",
        ),
        // Pins.
        (
            "harnesses: { claude: 1.2.3 }",
            "unknown-harness 1:14 profiles.p.harnesses.claude: unknown harness `claude`; write `claude-code`, `codex`, `copilot-cli`, `gemini-cli`, `opencode` or `cursor-cli`",
        ),
        (
            "harnesses: { claude_code: 1.2.3 }",
            "unknown-harness 1:14 profiles.p.harnesses.claude_code: unknown harness `claude_code`; did you mean `claude-code`?",
        ),
        (
            "harnesses: [codex]",
            "wrong-type 1:12 profiles.p.harnesses: a mapping belongs here, not a list; write a mapping: `claude-code: 2.1.280`",
        ),
        (
            "harnesses: { codex: 2.1 }",
            "wrong-type 1:21 profiles.p.harnesses.codex: an exact version belongs here, not a number; write three numbers, such as `2.1.280`; YAML reads fewer as one number",
        ),
        (
            "harnesses: { codex: ^1.2 }",
            "bad-version 1:21 profiles.p.harnesses.codex: `^1.2` is not an exact version; write one version, such as `2.1.280`, not a range",
        ),
        (
            "harnesses: { codex: { version: v1.2.3 } }",
            "bad-version 1:32 profiles.p.harnesses.codex.version: `v1.2.3` is not an exact version; write `1.2.3`",
        ),
        (
            "harnesses: { codex: {} }",
            "missing-key 1:14 profiles.p.harnesses.codex: harness `codex` has no version; add `version: 2.1.280`",
        ),
        (
            "harnesses: { codex: { verison: 1.2.3, version: 1.2.3 } }",
            "unknown-key 1:23 profiles.p.harnesses.codex.verison: unknown key `verison`; did you mean `version`?",
        ),
        (
            "harnesses: { codex: }",
            "empty-value 1:14 profiles.p.harnesses.codex: an exact version belongs here, and there is nothing; write the value, or remove the key",
        ),
    ] {
        let (document, findings) = profile(text);
        assert_eq!(told(&findings), [expected], "{text}");
        assert!(!document.intact, "{text}");
    }
}

#[test]
fn every_mistake_in_a_unit_is_told_where_it_is() {
    for (text, expected) in [
        (
            "egress: {}",
            "unknown-key 1:1 units.u.egress: unknown key `egress`; write `overlays`",
        ),
        (
            "overlay: []",
            "unknown-key 1:1 units.u.overlay: unknown key `overlay`; did you mean `overlays`?",
        ),
        (
            "overlays: {}",
            "wrong-type 1:11 units.u.overlays: a list belongs here, not a mapping; write `[…]`, or one line `- …` for each entry",
        ),
        (
            "overlays:\n  - deny",
            "wrong-type 2:5 units.u.overlays[0]: a mapping belongs here, not text; the keys here are `rings`, `permissions`, `sandbox` and `egress`",
        ),
        (
            "overlays: [{}, { ring: [a] }]",
            "unknown-key 1:18 units.u.overlays[1].ring: unknown key `ring`; did you mean `rings`?",
        ),
        (
            "overlays: [{ rings: a }]",
            "wrong-type 1:21 units.u.overlays[0].rings: a list belongs here, not text; write `[a]`",
        ),
        (
            "overlays: [{ egress: { deniedDomains: [1] } }]",
            "wrong-type 1:40 units.u.overlays[0].egress.deniedDomains[0]: text belongs here, not a number; quote it",
        ),
        (
            "overlays: [{ harnesses: {} }]",
            "unknown-key 1:14 units.u.overlays[0].harnesses: unknown key `harnesses`; write `rings`, `permissions`, `sandbox` or `egress`",
        ),
    ] {
        let (document, findings) = unit(text);
        assert_eq!(told(&findings), [expected], "{text}");
        assert!(!document.intact, "{text}");
    }
}

#[test]
fn every_mistake_in_the_organisation_is_told_where_it_is() {
    for (text, expected) in [
        (
            "gateways: a",
            "unknown-key 1:1 halos.gateways: unknown key `gateways`; did you mean `gateway`?",
        ),
        (
            "rings: [a]",
            "wrong-type 1:8 halos.rings: a mapping belongs here, not a list; write a mapping: `ring: { profile: name }`",
        ),
        (
            "rings: { a: {} }",
            "missing-key 1:10 halos.rings.a: ring `a` has no profile; add `profile: name`",
        ),
        (
            "rings: { a: base }",
            "wrong-type 1:13 halos.rings.a: a mapping belongs here, not text; the keys here are `profile`, `posture` and `default`",
        ),
        (
            "rings: { a: }",
            "empty-value 1:10 halos.rings.a: a mapping belongs here, and there is nothing; write `{}` for an empty mapping, or remove the key",
        ),
        (
            "rings: { A: { profile: p } }",
            "bad-name 1:10 halos.rings.A: `A` cannot name a ring; write 1 to 63 characters of `a-z 0-9 . _ -`, the first a letter or a digit",
        ),
        (
            "rings: { 0: { profile: p } }",
            "wrong-type 1:10 halos.rings: a key must be text, not a number; quote the key, or remove it",
        ),
        (
            "rings:\n  a: { profile: p }\n  a: { profile: p }",
            "duplicate-key 3:3 halos.rings.a: the key `a` is written twice; keep one of them; the other is in line 2",
        ),
        (
            "rings: { a: { profile: p, posture: warm } }",
            "unknown-posture 1:36 halos.rings.a.posture: unknown posture `warm`; did you mean `warn`?",
        ),
        (
            "rings: { a: { profile: p, posture: false } }",
            "wrong-type 1:36 halos.rings.a.posture: a word belongs here, not `false`; write `off`",
        ),
        (
            "rings: { a: { profile: p, default: yes } }",
            "wrong-type 1:36 halos.rings.a.default: `true` or `false` belongs here, not text; write `true` or `false`, without quotes",
        ),
        (
            "rings: { a: { profile: p, defualt: true } }",
            "unknown-key 1:27 halos.rings.a.defualt: unknown key `defualt`; did you mean `default`?",
        ),
    ] {
        let (document, findings) = organisation(text);
        assert_eq!(told(&findings), [expected], "{text}");
        assert!(!document.intact, "{text}");
    }
}

#[test]
fn all_mistakes_of_a_file_are_told_at_once() {
    let (document, findings) = profile(
        "extend: base
egress:
  allowedDomains: [1, a.example, ~]
  presets: [vsc]
  presets: [vcs]
sandbox:
  mode: readonly
harnesses: { codex: 1 }
",
    );
    let found: Vec<String> = findings
        .iter()
        .map(|finding| format!("{} {}", finding.code(), finding.position().unwrap()))
        .collect();
    let expected = [
        "unknown-key 1:1",
        "unknown-mode 7:9",
        "duplicate-key 5:3",
        "wrong-type 3:20",
        "empty-value 3:34",
        "unknown-preset 4:13",
        "wrong-type 8:21",
    ];
    assert_eq!(found, expected);
    // What could be read keeps its index.
    assert_eq!(
        listed(&document.egress.allowed_domains),
        "@3:3: [1] a.example@3:23"
    );
}

#[test]
fn a_mistake_repeated_without_end_is_listed_up_to_a_bound() {
    let (_, findings) = profile(&format!(
        "egress: {{ deniedDomains: [{}] }}",
        "1,".repeat(5_000)
    ));
    assert_eq!(findings.len(), MOST_FINDINGS_OF_A_FILE + 1);
    let last = findings.last().unwrap();
    assert_eq!(last.code(), Code::MoreFindings);
    assert_eq!(last.message(), "more errors than the 1000 that are listed");
}

#[test]
fn a_word_is_near_another_by_one_slip_in_three_characters() {
    let known = ["allowedDomains", "presets", "deniedDomains", "default"];
    for (word, near) in [
        ("allowedDomain", Some("allowedDomains")),
        ("alowedDomains", Some("allowedDomains")),
        ("ALLOWEDDOMAINS", Some("allowedDomains")),
        ("allowDomains", Some("allowedDomains")),
        ("denyDomains", Some("deniedDomains")),
        ("preset", Some("presets")),
        ("rpesets", Some("presets")),
        ("defaults", Some("default")),
        ("", None),
        ("hosts", None),
        ("allow", None),
    ] {
        assert_eq!(nearest(word, known), near, "{word}");
    }
    // No word is near that may say the opposite, or more.
    let known = [
        "allowedDomains",
        "deniedDomains",
        "writableRoots",
        "workspace-write",
        "package-registries",
        "vcs",
        "allow",
        "enforce",
        "unrestricted",
    ];
    for word in [
        "blockedDomains",
        "excludedDomains",
        "disallowedDomains",
        "notAllowedDomains",
        "unallowedDomains",
        "unalowedDomains",
        "noalloweddomains",
        "unwritableRoots",
        "nonWritableRoots",
        "readableRoots",
        "undeniedDomains",
        "un-denied-domains",
        "-vcs",
        "!vcs",
        "~vcs",
        "!allow",
        "-allow",
        "unallow",
        "disallow",
        "unenforced",
        "not enforce",
        "workspace-read",
        "workspace-ro",
        "workspace-none",
        "workspace-no-write",
        "vcs, package-registries",
        "package-registries,vcs",
        "vcs package-registries",
        "package-registries-off",
        "restricted",
    ] {
        assert_eq!(nearest(word, known), None, "{word}");
    }
    // No word is near when the comparison would take long.
    let long = "a".repeat(1 << 20);
    assert_eq!(nearest(&long, [long.as_str()]), None);
}

//! The managed files as files: there, the superuser's, and what the policy renders.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use harness_render::{
    Comparison, DeviceReport, Expected, Hardening, HarnessPosture, Os, Rendering, Target, render,
};
use policy_core::{
    Egress, EgressBuilder, Harness, Mode, Pattern, Policy, ProtectedPath, Sandbox, Verdict,
    WritableRoot,
};
use semver::Version;

use crate::tree::{Tree, codes};

fn policy() -> Policy {
    let pattern = |text: &str| Pattern::parse(text).unwrap();
    let egress = Egress::builder()
        .allow(pattern("ai.acme.example"))
        .allow(pattern("*.docs.example"))
        .deny(pattern("pastebin.com"))
        .build()
        .unwrap();
    let sandbox = Sandbox::new(
        Mode::WorkspaceWrite,
        [WritableRoot::parse("/opt/build-cache").unwrap()],
        ["~/.ssh", ".env*"].map(|path| ProtectedPath::parse(path).unwrap()),
    );
    Policy::new(egress, Some(sandbox.unwrap())).unwrap()
}

/// The newest release of each harness that was run.
fn target(harness: Harness) -> Option<Target> {
    let (version, _) = harness_render::verified(harness)?;
    Some(Target::new(harness, version, Os::Linux))
}

fn rendered(target: &Target) -> Rendering {
    render(&policy(), target, Hardening::Standard).unwrap()
}

fn place(rendering: &Rendering) -> Tree {
    let mut tree = Tree::empty();
    for file in rendering.files() {
        tree.put(file.path(), file.bytes());
    }
    tree
}

fn look(tree: &Tree, target: &Target, rendering: &Rendering) -> HarnessPosture {
    let expected = Expected::new(target, rendering);
    let mut postures = tree.examine_against(Os::Linux, &[expected]);
    assert_eq!(postures.len(), 1, "{postures:?}");
    postures.remove(0)
}

fn found(posture: &HarnessPosture) -> Vec<&'static str> {
    codes(std::slice::from_ref(posture))
}

fn targets() -> impl Iterator<Item = (Target, Rendering)> {
    let all = Harness::ALL.iter().filter_map(|harness| target(*harness));
    all.map(|target| {
        let rendering = rendered(&target);
        (target, rendering)
    })
    .filter(|(_, rendering)| !rendering.files().is_empty())
}

#[test]
fn what_is_rendered_has_no_finding_and_is_the_same() {
    // Releases that know every key on which a check insists.
    type Releases<'a> = (Harness, &'a [(u64, u64, u64)]);
    let releases: [Releases<'_>; 4] = [
        (
            Harness::ClaudeCode,
            &[(2, 1, 113), (2, 1, 172), (2, 1, 219), (2, 1, 280)],
        ),
        (
            Harness::Codex,
            &[(0, 122, 0), (0, 133, 0), (0, 138, 0), (0, 153, 0)],
        ),
        (Harness::CopilotCli, &[(1, 0, 85), (1, 0, 93)]),
        (Harness::GeminiCli, &[(0, 13, 0), (0, 35, 0)]),
    ];
    let pinned = releases.iter().flat_map(|(harness, releases)| {
        releases.iter().map(|&(major, minor, patch)| {
            Target::new(*harness, Version::new(major, minor, patch), Os::Linux)
        })
    });
    let newest = Harness::ALL.iter().filter_map(|harness| target(*harness));
    let mut judged = 0;
    for target in pinned.chain(newest) {
        for (name, policy) in policies() {
            for hardening in [Hardening::Standard, Hardening::Strict] {
                let Ok(rendering) = render(&policy, &target, hardening) else {
                    continue;
                };
                if rendering.files().is_empty() {
                    continue;
                }
                let posture = look(&place(&rendering), &target, &rendering);
                assert_eq!(found(&posture), [""; 0], "{name} {target:?} {hardening:?}");
                assert_eq!(posture.comparison(), Comparison::Same, "{name} {target:?}");
                assert!(posture.is_installed() && posture.is_managed());
                judged += 1;
            }
        }
    }
    assert!(judged >= 60, "{judged}");
}

/// A policy for every default, and one for every mode.
fn policies() -> Vec<(&'static str, Policy)> {
    let pattern = |text: &str| Pattern::parse(text).unwrap();
    let sandbox = |mode, roots: &[&str]| {
        let roots = roots.iter().map(|root| WritableRoot::parse(root).unwrap());
        Sandbox::new(mode, roots, [ProtectedPath::parse("~/.aws").unwrap()]).unwrap()
    };
    let write = || Some(sandbox(Mode::WorkspaceWrite, &["/opt/x"]));
    let open = Egress::builder().default_verdict(Verdict::Allow);
    let closed = Egress::builder().default_verdict(Verdict::Deny);
    let new =
        |egress: EgressBuilder, sandbox| Policy::new(egress.build().unwrap(), sandbox).unwrap();
    vec![
        ("the common one", policy()),
        (
            "default allow",
            new(open.clone().deny(pattern("*.pastebin.com")), write()),
        ),
        ("all denied", new(closed.clone(), write())),
        (
            "an address",
            new(closed.clone().allow(pattern("192.0.2.1")), write()),
        ),
        (
            "read only",
            new(
                closed.allow(pattern("a.example")),
                Some(sandbox(Mode::ReadOnly, &[])),
            ),
        ),
    ]
}

#[test]
fn without_a_policy_nothing_is_compared() {
    for (_, rendering) in targets() {
        for posture in place(&rendering).examine(Os::Linux) {
            assert_eq!(posture.comparison(), Comparison::Skipped);
        }
    }
}

#[test]
fn another_layout_is_the_same() {
    let target = target(Harness::ClaudeCode).unwrap();
    let rendering = rendered(&target);
    let file = &rendering.files()[0];
    let value: serde_json::Value = serde_json::from_slice(file.bytes()).unwrap();
    let mut tree = Tree::empty();
    tree.put(file.path(), format!("\n\t{value}").as_bytes());
    let posture = look(&tree, &target, &rendering);
    assert_eq!(posture.comparison(), Comparison::Same);
    // A list's order means nothing to the program.
    let mut reversed = value;
    let domains = reversed["sandbox"]["network"]["allowedDomains"]
        .as_array_mut()
        .unwrap();
    assert!(domains.len() > 1);
    domains.reverse();
    tree.put(file.path(), reversed.to_string().as_bytes());
    assert_eq!(
        look(&tree, &target, &rendering).comparison(),
        Comparison::Same
    );
    // One more host does.
    let domains = reversed["sandbox"]["network"]["allowedDomains"]
        .as_array_mut()
        .unwrap();
    domains.push("evil.example".into());
    tree.put(file.path(), reversed.to_string().as_bytes());
    let posture = look(&tree, &target, &rendering);
    assert_eq!(found(&posture), ["managed-differs"]);
    assert_eq!(posture.comparison(), Comparison::Different);
    assert!(posture.has_failed());
}

#[test]
fn what_the_program_writes_into_a_managed_file_is_no_difference() {
    for (target, rendering) in targets() {
        let file = &rendering.files()[0];
        let text = std::str::from_utf8(file.bytes()).unwrap();
        if !text.starts_with('{') {
            continue;
        }
        // The text is kept: of permissions the order counts.
        let judge = |text: &str| {
            let mut tree = place(&rendering);
            tree.put(file.path(), text.as_bytes());
            look(&tree, &target, &rendering).comparison()
        };
        let with = |key: &str| text.replacen('{', &format!(r#"{{"{key}": "x","#), 1);
        let is_written = target.harness == Harness::OpenCode;
        let expected = [Comparison::Different, Comparison::Same][usize::from(is_written)];
        assert_eq!(judge(&with("$schema")), expected, "{target:?}");
        assert_eq!(judge(&with("$scheme")), Comparison::Different, "{target:?}");
        // Further down it is a key like any other.
        let (first, rest) = text.split_at(1);
        let below = format!("{first}{}", rest.replacen('{', r#"{"$schema": "x","#, 1));
        assert_eq!(judge(&below), Comparison::Different, "{target:?}");
    }
}

#[test]
fn a_missing_file_is_a_failure_where_the_harness_is_installed() {
    for (target, rendering) in targets() {
        let expected = Expected::new(&target, &rendering);
        let nothing = Tree::empty().examine_against(Os::Linux, std::slice::from_ref(&expected));
        assert!(nothing.is_empty(), "{nothing:?}");
        let program = match target.harness {
            Harness::ClaudeCode => "/usr/bin/claude",
            Harness::Codex => "/usr/bin/codex",
            Harness::CopilotCli => "/usr/bin/copilot",
            Harness::GeminiCli => "/usr/bin/gemini",
            _ => "/usr/bin/opencode",
        };
        let tree = Tree::of(&[(program, "")]);
        let posture = look(&tree, &target, &rendering);
        assert!(found(&posture).contains(&"managed-missing"), "{target:?}");
        assert!(!posture.is_managed());
        assert_eq!(posture.comparison(), Comparison::Different);
    }
}

#[test]
fn a_file_that_is_not_rendered_is_told() {
    let target = target(Harness::ClaudeCode).unwrap();
    let rendering = rendered(&target);
    let mut tree = place(&rendering);
    tree.put("/etc/claude-code/managed-settings.d/10-x.json", b"{}");
    let posture = look(&tree, &target, &rendering);
    assert_eq!(found(&posture), ["managed-unexpected"]);
    assert_eq!(
        posture.findings()[0].to_string(),
        "posture:claude-code: /etc/claude-code/managed-settings.d/*.json is not among the files that \
         the policy renders, and its program reads it; fix: remove \
         /etc/claude-code/managed-settings.d/*.json, or put what it says into the policy"
    );
}

#[test]
fn files_of_the_other_strength_are_told_once() {
    for (target, standard) in targets() {
        let strict = render(&policy(), &target, Hardening::Strict).unwrap();
        let differs = standard.files() != strict.files();
        for (placed, wanted, other, code) in [
            (&strict, &standard, Hardening::Strict, "managed-strict"),
            (
                &standard,
                &strict,
                Hardening::Standard,
                "managed-not-strict",
            ),
        ] {
            let expected = Expected::new(&target, wanted).with_other_strength(other, placed);
            let posture = |tree: &Tree| {
                let mut postures = tree.examine_against(Os::Linux, std::slice::from_ref(&expected));
                postures.remove(0)
            };
            let tree = place(placed);
            let told = if differs { &[code][..] } else { &[] };
            assert_eq!(found(&posture(&tree)), told, "{target:?}");
            assert_eq!(
                posture(&tree).has_failed(),
                differs && other == Hardening::Standard
            );
            assert_eq!(found(&posture(&place(wanted))), [""; 0], "{target:?}");
            // Neither of the two: file by file.
            let mut tree = place(placed);
            tree.put(standard.files()[0].path(), b"");
            assert!(!found(&posture(&tree)).contains(&code), "{target:?}");
        }
    }
}

#[test]
fn the_floor_is_that_of_the_renderer() {
    for (version, expected) in [
        (
            "1.18.32",
            &["opencode-managed-agents-open", "version-too-old"][..],
        ),
        ("1.18.33", &["opencode-managed-agents-open"]),
    ] {
        let package = format!(r#"{{"version": "{version}"}}"#);
        let tree = Tree::of(&[
            ("/usr/lib/node_modules/opencode-ai/package.json", &package),
            (
                "/etc/opencode/opencode.json",
                r#"{"permission": {"webfetch": "deny"}}"#,
            ),
        ]);
        assert_eq!(tree.codes(Os::Linux), expected, "{version}");
    }
}

#[test]
fn a_managed_file_that_others_write_is_a_failure() {
    for (target, rendering) in targets() {
        let path = rendering.files()[0].path();
        let directory = path.rsplit_once('/').unwrap().0;
        for (place_of, mode) in [
            (path, 0o666),
            (path, 0o664),
            (directory, 0o777),
            ("/etc", 0o775),
        ] {
            let tree = place(&rendering);
            fs::set_permissions(tree.path(place_of), fs::Permissions::from_mode(mode)).unwrap();
            let posture = look(&tree, &target, &rendering);
            // Once for each file, where a directory above several is open.
            let mut codes = found(&posture);
            codes.dedup();
            assert_eq!(codes, ["managed-owner"], "{place_of} {mode:o}");
            assert!(posture.has_failed());
        }
    }
}

#[test]
fn a_managed_file_of_another_owner_is_a_failure() {
    let target = target(Harness::ClaudeCode).unwrap();
    let rendering = rendered(&target);
    let tree = place(&rendering);
    // Only the superuser can give a file away.
    if std::os::unix::fs::chown(tree.path(rendering.files()[0].path()), Some(1), None).is_ok() {
        assert_eq!(found(&look(&tree, &target, &rendering)), ["managed-owner"]);
    }
}

#[test]
fn releases_are_read_from_packages_and_held_against_the_pin() {
    let package =
        |path: &str, version: &str| (path.to_owned(), format!(r#"{{"version": "{version}"}}"#));
    let npm = "/usr/lib/node_modules/@anthropic-ai/claude-code/package.json";
    let nvm =
        "~/.nvm/versions/node/v22.1.0/lib/node_modules/@anthropic-ai/claude-code/package.json";
    let native = (
        "~/.local/share/claude/versions/2.1.300".to_owned(),
        String::new(),
    );
    for (entries, versions, expected) in [
        (vec![package(npm, "2.1.280")], "2.1.280", &[][..]),
        (
            vec![package(npm, "2.1.279")],
            "2.1.279",
            &["version-below-pin"],
        ),
        (
            vec![package(npm, "2.1.281")],
            "2.1.281",
            &["version-above-pin"],
        ),
        (
            vec![package(npm, "2.1.280-beta.secret")],
            "2.1.280-pre",
            &["version-below-pin"],
        ),
        (
            vec![package(npm, "2.0.76")],
            "2.0.76",
            &["version-below-pin", "version-too-old"],
        ),
        (
            vec![package(nvm, "2.1.1"), native.clone()],
            "2.1.1 2.1.300",
            &["version-above-pin", "version-below-pin", "version-too-old"],
        ),
        (vec![native], "2.1.300", &["version-above-pin"]),
        (vec![package(npm, "latest")], "", &["unknown-no-release"]),
        (
            vec![(npm.to_owned(), "{".to_owned())],
            "",
            &["unknown-not-json"],
        ),
    ] {
        let target = Target::new(Harness::ClaudeCode, Version::new(2, 1, 280), Os::Linux);
        let rendering = rendered(&target);
        let mut tree = place(&rendering);
        for (path, text) in &entries {
            tree.put(path, text.as_bytes());
        }
        let posture = look(&tree, &target, &rendering);
        let found_versions: Vec<String> =
            posture.versions().iter().map(ToString::to_string).collect();
        assert_eq!(found_versions.join(" "), versions);
        assert_eq!(found(&posture), expected, "{entries:?}");
    }
}

#[test]
fn a_harness_is_installed_when_anything_of_it_is_found() {
    for (path, harness) in [
        ("/usr/local/bin/claude", Harness::ClaudeCode),
        ("/opt/tools/codex", Harness::Codex),
        ("~/.local/bin/cursor-agent", Harness::CursorCli),
        (
            "~/.npm-global/lib/node_modules/@github/copilot/package.json",
            Harness::CopilotCli,
        ),
        ("/etc/gemini-cli/policies/x.toml", Harness::GeminiCli),
        ("~/.config/opencode/opencode.jsonc", Harness::OpenCode),
    ] {
        let text = if path.ends_with("toml") { "" } else { "{}" };
        let tree = Tree::of(&[("$PATH", "/opt/tools:relative"), (path, text)]);
        let installed: Vec<Harness> = tree
            .examine(Os::Linux)
            .iter()
            .map(HarnessPosture::harness)
            .collect();
        assert_eq!(installed, [harness], "{path}");
    }
    let tree = Tree::of(&[
        ("$PATH", "/opt/tools"),
        ("/opt/other/codex", ""),
        ("/usr/bin/codex-helper", ""),
    ]);
    assert!(tree.examine(Os::Linux).is_empty());
}

#[test]
fn a_notice_is_no_drift() {
    let target = target(Harness::ClaudeCode).unwrap();
    let mut tree = place(&rendered(&target));
    tree.put(
        "~/.claude/settings.json",
        br#"{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}"#,
    );
    let postures = tree.examine(Os::Linux);
    assert_eq!(codes(&postures), ["claude-code-hooks"]);
    assert_eq!(DeviceReport::of(&postures), DeviceReport::default());
}

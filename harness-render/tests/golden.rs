//! Rendered files, kept for review. `UPDATE=1 cargo test -p harness-render --test golden` writes
//! them anew; read the difference as an administrator would.

#[cfg(test)]
pub mod world;

#[cfg(test)]
mod golden {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use harness_render::{Hardening, Os, Target, render};
    use policy_core::{Harness, Mode, Policy, Repository, Verdict};

    use crate::world;

    /// A policy under the name of its directory.
    struct Case {
        name: &'static str,
        policy: Policy,
        hardening: Hardening,
        pins: Vec<(Harness, &'static str)>,
    }

    /// The cases whose ledgers are kept as well.
    const LEDGERS: [&str; 3] = ["default-allow", "deny-over-allow", "paths"];

    const NEWEST: [(Harness, &str); 6] = [
        (Harness::ClaudeCode, "2.1.332"),
        (Harness::Codex, "0.171.0"),
        (Harness::CopilotCli, "1.0.102"),
        (Harness::GeminiCli, "0.61.0"),
        (Harness::OpenCode, "1.18.33"),
        (Harness::CursorCli, "1.0.0"),
    ];

    fn acme() -> Policy {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/acme");
        let validation = Repository::read(&directory).validate();
        let organisation = validation.organisation().expect("the sample is valid");
        organisation
            .select(Some("ring3-ga"), None)
            .unwrap()
            .into_policy()
    }

    fn cases() -> Vec<Case> {
        let case = |name, allowed: &[&str], denied: &[&str], default, sandbox| Case {
            name,
            policy: world::policy(allowed, denied, default, sandbox).unwrap(),
            hardening: Hardening::Standard,
            pins: NEWEST.to_vec(),
        };
        let write = |roots: &[&str], protected: &[&str]| {
            Some(world::sandbox(Mode::WorkspaceWrite, roots, protected))
        };
        let acme_pins = vec![
            (Harness::ClaudeCode, "2.1.280"),
            (Harness::Codex, "0.166.0"),
            (Harness::CopilotCli, "1.0.102"),
            (Harness::GeminiCli, "0.61.0"),
            (Harness::OpenCode, "1.18.33"),
            (Harness::CursorCli, "1.0.0"),
        ];
        vec![
            Case {
                name: "acme",
                policy: acme(),
                hardening: Hardening::Standard,
                pins: acme_pins.clone(),
            },
            Case {
                name: "acme-strict",
                policy: acme(),
                hardening: Hardening::Strict,
                pins: acme_pins,
            },
            Case {
                name: "acme-old-pins",
                policy: acme(),
                hardening: Hardening::Strict,
                pins: vec![
                    (Harness::ClaudeCode, "2.1.68"),
                    (Harness::Codex, "0.117.0"),
                    (Harness::CopilotCli, "1.0.92"),
                    (Harness::GeminiCli, "0.34.0"),
                ],
            },
            case("wildcard", &["*.acme.example"], &[], None, write(&[], &[])),
            case(
                "deny-over-allow",
                &["*.acme.example", "acme.example"],
                &["paste.acme.example", "*.old.acme.example"],
                None,
                write(&[], &[]),
            ),
            case(
                "default-allow",
                &[],
                &["pastebin.com", "*.pastebin.com"],
                Some(Verdict::Allow),
                write(&[], &[]),
            ),
            case(
                "nothing-allowed",
                &[],
                &["pastebin.com"],
                Some(Verdict::Deny),
                None,
            ),
            case(
                "read-only",
                &["acme.example"],
                &[],
                None,
                Some(world::sandbox(Mode::ReadOnly, &[], &["~/.ssh"])),
            ),
            case(
                "paths",
                &[],
                &[],
                None,
                write(
                    &["/opt/build-cache", "~/cache"],
                    &[
                        "~/.ssh/**",
                        "~/.aws/cli*",
                        "/srv/secret",
                        "/srv/*/key",
                        ".env*",
                        ".npmrc",
                        "conf/*.pem",
                        "conf/key",
                    ],
                ),
            ),
            case(
                "addresses",
                &["203.0.113.7", "2001:db8::7", "localhost", "*.corp"],
                &["198.51.100.9"],
                None,
                write(&[], &[]),
            ),
        ]
    }

    fn rendered() -> BTreeMap<PathBuf, String> {
        let mut files = BTreeMap::new();
        for case in cases() {
            for os in Os::ALL {
                for (harness, version) in &case.pins {
                    let target = Target::new(*harness, version.parse().unwrap(), os);
                    let rendering = render(&case.policy, &target, case.hardening).unwrap();
                    let directory = Path::new(case.name).join(os.name());
                    for file in rendering.files() {
                        let text = String::from_utf8(file.bytes().to_vec()).unwrap();
                        files.insert(directory.join(file.relative_path()), text);
                    }
                    if LEDGERS.contains(&case.name) {
                        let ledger = rendering.ledger();
                        let warnings = ledger.warnings();
                        let warnings = warnings.iter().map(|warning| format!("{warning}\n"));
                        let text = format!("{ledger}\n{}", warnings.collect::<String>());
                        files.insert(directory.join(format!("{harness}.ledger")), text);
                    }
                }
            }
        }
        files
    }

    fn kept(root: &Path) -> BTreeMap<PathBuf, String> {
        let mut files = BTreeMap::new();
        let mut directories = vec![root.to_owned()];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(&directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    directories.push(path);
                } else {
                    let name = path.strip_prefix(root).unwrap().to_owned();
                    files.insert(name, std::fs::read_to_string(&path).unwrap());
                }
            }
        }
        files
    }

    #[test]
    fn the_files_are_those_kept_for_review() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        let rendered = rendered();
        if std::env::var_os("UPDATE").is_some() {
            if root.exists() {
                std::fs::remove_dir_all(&root).unwrap();
            }
            for (name, text) in &rendered {
                let path = root.join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
        }
        let kept = kept(&root);
        for (name, text) in &rendered {
            let kept = kept.get(name).map_or("", String::as_str);
            assert_eq!(kept, text, "{}", name.display());
        }
        let stale: Vec<_> = kept
            .keys()
            .filter(|name| !rendered.contains_key(*name))
            .collect();
        assert!(stale.is_empty(), "no longer rendered: {stale:?}");
    }

    #[test]
    fn every_file_parses_as_its_format() {
        for (name, text) in rendered() {
            match name.extension().and_then(|extension| extension.to_str()) {
                Some("json") => {
                    serde_json::from_str::<serde_json::Value>(&text).unwrap();
                }
                Some("toml") => {
                    toml::from_str::<toml::Table>(&text).unwrap();
                }
                Some("ledger") => {}
                _ => panic!("no parser for {}", name.display()),
            }
        }
    }
}

//! `halo release build`, `halo harnesses`, and the harness rows of `halo egress test`.

#[cfg(test)]
mod release {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Output};

    use serde_json::Value;
    use sha2::{Digest as _, Sha256};

    /// A directory of this test alone, removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(test: &str) -> Self {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn at(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn acme() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../acme")
    }

    fn halo(policy: &Path, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_halo"))
            .arg("--policy-dir")
            .arg(policy)
            .args(arguments)
            .output()
            .unwrap()
    }

    fn build(policy: &Path, out: &Path, more: &[&str]) -> Output {
        let out = out.to_str().unwrap();
        halo(
            policy,
            &[&["release", "build", "--out", out], more].concat(),
        )
    }

    fn stdout(output: &Output) -> String {
        String::from_utf8(output.stdout.clone()).unwrap()
    }

    fn stderr(output: &Output) -> String {
        String::from_utf8(output.stderr.clone()).unwrap()
    }

    fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut directories = vec![root.to_owned()];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    directories.push(path);
                } else {
                    let bytes = fs::read(&path).unwrap();
                    files.insert(path.strip_prefix(root).unwrap().to_owned(), bytes);
                }
            }
        }
        files
    }

    fn validate(schema: &str, value: &Value) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("schemas")
            .join(schema);
        let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(value)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
    }

    /// A policy repository with one profile, which pins what it is told.
    fn repository(scratch: &Scratch, harnesses: &str) -> PathBuf {
        let root = scratch.at("policy");
        fs::create_dir_all(root.join("profiles")).unwrap();
        fs::write(
            root.join("halos.yaml"),
            "rings: { all: { profile: base, default: true } }\n",
        )
        .unwrap();
        fs::write(
            root.join("profiles/base.yaml"),
            format!("harnesses: {harnesses}\nsandbox: {{ mode: workspace-write }}\negress: {{ allowedDomains: [git.acme.example], deniedDomains: [pastebin.com] }}\n"),
        )
        .unwrap();
        root
    }

    #[test]
    fn the_manifest_names_every_file_with_its_digest() {
        let scratch = Scratch::new("manifest");
        let out = scratch.at("release");
        let output = build(&acme(), &out, &["--output", "json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let mut files = tree(&out);
        let manifest = files.remove(Path::new("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        validate("release.schema.json", &manifest);
        assert_eq!(
            serde_json::from_str::<Value>(&stdout(&output)).unwrap(),
            manifest
        );
        assert!(files.contains_key(Path::new("linux/etc/codex/requirements.toml")));
        assert!(files.contains_key(Path::new(
            "macos/Library/Application Support/ClaudeCode/managed-settings.json"
        )));
        assert!(files.contains_key(Path::new(
            "windows/C/Program Files/ClaudeCode/managed-settings.json"
        )));
        for entry in manifest["files"].as_array().unwrap() {
            let path =
                Path::new(entry["os"].as_str().unwrap()).join(entry["path"].as_str().unwrap());
            let bytes = files.remove(&path).unwrap();
            let digest: String = Sha256::digest(&bytes)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            assert_eq!(entry["sha256"], digest.as_str(), "{}", path.display());
        }
        assert!(files.is_empty(), "not in the manifest: {:?}", files.keys());
    }

    #[test]
    fn two_builds_are_the_same() {
        let scratch = Scratch::new("twice");
        let (one, two) = (scratch.at("one"), scratch.at("two"));
        build(&acme(), &one, &["--strict"]);
        build(&acme(), &two, &["--strict"]);
        assert!(!tree(&one).is_empty());
        assert_eq!(tree(&one), tree(&two));
    }

    #[test]
    fn warnings_are_sorted_and_say_what_nothing_supports_once() {
        let scratch = Scratch::new("warnings");
        let output = build(&acme(), &scratch.at("release"), &[]);
        let stderr = stderr(&output);
        let warnings: Vec<&str> = stderr
            .lines()
            .map(|line| line.strip_prefix("warning: ").unwrap())
            .collect();
        assert!(warnings.is_sorted());
        assert!(warnings.contains(
            &"codex/linux: sandbox.mode workspace-write: shell: held weaker: the temporary directory \
              is writable as well (opens `/tmp/x`)"
        ));
        let unsupported = "cursor-cli: profile field \"egress.deniedDomains\" is not supported and was not rendered";
        let policy = repository(&scratch, "{ cursor-cli: 1.0.0 }");
        let output = build(&policy, &scratch.at("cursor"), &[]);
        let stderr = self::stderr(&output);
        assert_eq!(stderr.matches(unsupported).count(), 1, "{stderr}");
    }

    #[test]
    fn a_directory_with_anything_in_it_is_left_alone() {
        let scratch = Scratch::new("occupied");
        let out = scratch.at("release");
        fs::create_dir_all(&out).unwrap();
        fs::write(out.join("notes"), "mine").unwrap();
        let output = build(&acme(), &out, &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("is not empty"));
        assert_eq!(tree(&out).len(), 1);

        let output = build(&acme(), &out, &["--force"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        fs::create_dir_all(out.join("linux/etc/old")).unwrap();
        fs::write(out.join("linux/etc/old/stale.json"), "{}").unwrap();
        let output = build(&acme(), &out, &["--force"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let files = tree(&out);
        assert_eq!(files[Path::new("notes")], b"mine");
        assert!(!files.contains_key(Path::new("linux/etc/old/stale.json")));
    }

    /// A source tree for three systems, with a manifest of another kind or none.
    #[test]
    fn what_no_build_wrote_is_never_removed() {
        let scratch = Scratch::new("foreign");
        let out = scratch.at("application");
        for manifest in [
            None,
            Some("{ \"name\": \"an application\" }"),
            Some("no JSON"),
        ] {
            fs::create_dir_all(out.join("linux")).unwrap();
            fs::write(out.join("linux/main.cc"), "mine").unwrap();
            if let Some(manifest) = manifest {
                fs::write(out.join("manifest.json"), manifest).unwrap();
            }
            let before = tree(&out);
            let output = build(&acme(), &out, &["--force"]);
            assert_eq!(output.status.code(), Some(2), "{manifest:?}");
            assert!(stderr(&output).contains("`linux` stands there"));
            assert_eq!(tree(&out), before, "{manifest:?}");
        }
    }

    /// By the limit of a file's size: the manifest is the longest file.
    #[cfg(unix)]
    #[test]
    fn a_build_that_is_cut_short_has_no_manifest_and_can_be_replaced() {
        let scratch = Scratch::new("cut-short");
        let out = scratch.at("release");
        let cut = |more: &[&str]| {
            let script = "ulimit -f 16; trap '' XFSZ; exec \"$0\" \"$@\"";
            let mut command = Command::new("sh");
            command.args(["-c", script, env!("CARGO_BIN_EXE_halo")]);
            command.args(["release", "build", "--out"]).arg(&out);
            command.arg("--policy-dir").arg(acme()).args(more);
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            assert!(out.join("linux/etc").is_dir());
            assert!(!out.join("manifest.json").exists());
        };
        cut(&[]);
        let again = build(&acme(), &out, &[]);
        assert!(stderr(&again).contains("replace an earlier build with `--force`"));
        for replaced_before in [false, true] {
            if replaced_before {
                cut(&["--force"]);
            }
            let again = build(&acme(), &out, &["--force"]);
            assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
            let fresh = scratch.at("fresh");
            build(&acme(), &fresh, &["--force"]);
            assert_eq!(tree(&out), tree(&fresh));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_directory_leads_nowhere_else() {
        let scratch = Scratch::new("links");
        let (out, elsewhere) = (scratch.at("release"), scratch.at("elsewhere"));
        fs::create_dir_all(&elsewhere).unwrap();
        fs::write(elsewhere.join("kept"), "kept").unwrap();
        let output = build(&acme(), &out, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        for name in ["linux", "macos", "windows"] {
            fs::remove_dir_all(out.join(name)).unwrap();
            std::os::unix::fs::symlink(&elsewhere, out.join(name)).unwrap();
        }
        let output = build(&acme(), &out, &["--force"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(tree(&elsewhere).len(), 1);
        assert!(!out.join("linux").is_symlink());

        // A manifest that is a link speaks for another directory.
        fs::rename(out.join("manifest.json"), scratch.at("target")).unwrap();
        std::os::unix::fs::symlink(scratch.at("target"), out.join("manifest.json")).unwrap();
        let output = build(&acme(), &out, &["--force"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(out.join("manifest.json").is_symlink());
    }

    #[test]
    fn a_policy_that_cannot_be_rendered_writes_nothing() {
        let scratch = Scratch::new("refused");
        let out = scratch.at("release");
        let policy = repository(&scratch, "{ codex: 0.135.0 }");
        let output = build(&policy, &out, &[]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            stderr(&output)
                .matches("codex 0.135.0: `sandbox.mode` cannot be rendered")
                .count(),
            1
        );
        assert!(!out.exists());

        fs::write(
            policy.join("profiles/base.yaml"),
            "egress: { allowedDomains: [GITHUB.com] }\n",
        )
        .unwrap();
        assert_eq!(build(&policy, &out, &[]).status.code(), Some(1));
        assert_eq!(
            build(&scratch.at("nowhere"), &out, &[]).status.code(),
            Some(2)
        );
        assert_eq!(
            build(&acme(), &out, &["--ring", "nobody"]).status.code(),
            Some(2)
        );
        assert!(!out.exists());
    }

    #[test]
    fn the_rows_of_a_test_are_laid_out_as_in_the_document() {
        let arguments = [
            "egress",
            "test",
            "https://pastebin.com/raw/x",
            "--ring",
            "ring3-ga",
            "--os",
            "linux",
        ];
        let output = halo(&acme(), &arguments);
        assert_eq!(output.status.code(), Some(1));
        let text = stdout(&output);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..3],
            [
                "DENY pastebin.com  (ring ring3-ga, profile engineering)",
                "rule   egress.deniedDomains pastebin.com",
                "  claude-code   enforced: sandbox.network allowedDomains/deniedDomains for Bash, \
                 WebFetch(domain:...) deny rules for the fetch tool",
            ]
        );
        assert!(lines.contains(
            &"  codex         enforced: requirements.toml [experimental_network] for sandboxed commands"
        ));
        for line in &lines[3..] {
            let row = line.starts_with("  ") && !line.starts_with("   ");
            let caveat = line.starts_with(&format!("{:18}- ", ""));
            assert!(row || caveat, "{line}");
        }
    }

    /// Cursor has no managed place for these settings, so its row is that of a harness that nothing holds.
    #[test]
    fn a_harness_that_holds_nothing_says_so() {
        let scratch = Scratch::new("cursor-row");
        let policy = repository(&scratch, "{ cursor-cli: 1.0.0 }");
        let output = halo(
            &policy,
            &["egress", "test", "pastebin.com", "--os", "linux"],
        );
        assert_eq!(
            stdout(&output),
            "DENY pastebin.com  (ring all, profile base)\n\
             rule   egress.deniedDomains pastebin.com\n\
             \x20 cursor-cli    not enforced\n\
             \x20                 - cursor-cli: profile field \"egress.deniedDomains\" is not supported and was not rendered\n"
        );
    }

    #[test]
    fn the_harnesses_are_listed_as_their_schema_says() {
        let output = halo(&acme(), &["harnesses", "--output", "json"]);
        let harnesses: Value = serde_json::from_slice(&output.stdout).unwrap();
        validate("harnesses.schema.json", &harnesses);
        assert_eq!(
            harnesses.as_array().unwrap().len(),
            policy_core::Harness::ALL.len()
        );
        let text = stdout(&halo(&acme(), &["harnesses"]));
        assert!(text.starts_with("claude-code  verified with 2.1.332 in 2026-11\n"));
        assert!(text.contains("  linux   shell egress     full      2.1.113  "));
        // Each line that promises something carries the mark, or was seen on Linux.
        let mark = "  [documented, not observed]";
        let promises = text.lines().filter(|line| {
            let level = line.get(27..).unwrap_or_default();
            level.starts_with("full") || level.starts_with("partial")
        });
        let mut counts = (0, 0);
        for line in promises {
            let seen = line.starts_with("  linux");
            assert_eq!(!line.ends_with(mark), seen, "{line}");
            *(if seen { &mut counts.0 } else { &mut counts.1 }) += 1;
        }
        assert!(counts.0 > 0 && counts.1 > 0);
    }
}

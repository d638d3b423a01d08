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
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output)
                .contains("`notes` stands there, and no manifest says that a build wrote it")
        );
        assert_eq!(tree(&out).len(), 1);
        assert_eq!(names(&scratch.0), ["release"]);
    }

    /// Beside an earlier build, at each depth and of each kind.
    #[test]
    fn what_the_manifest_does_not_list_is_kept_and_told() {
        let scratch = Scratch::new("unlisted");
        let out = scratch.at("release");
        assert_eq!(build(&acme(), &out, &[]).status.code(), Some(0));
        type Plant = fn(&Path);
        let cases: [(&str, Plant); 5] = [
            ("notes", |at| fs::write(at, "mine").unwrap()),
            (".hidden", |at| fs::write(at, "mine").unwrap()),
            ("linux/etc/stale.json", |at| fs::write(at, "{}").unwrap()),
            ("linux/etc/old", |at| fs::create_dir(at).unwrap()),
            ("android", |at| fs::create_dir(at).unwrap()),
        ];
        for (name, plant) in cases {
            plant(&out.join(name));
            let before = tree(&out);
            let output = build(&acme(), &out, &["--force"]);
            assert_eq!(output.status.code(), Some(2), "{name}");
            let told = format!("`{name}` stands there, and the manifest does not list it");
            assert!(stderr(&output).contains(&told), "{}", stderr(&output));
            assert_eq!(tree(&out), before, "{name}");
            let planted = out.join(name);
            if planted.is_dir() {
                fs::remove_dir(planted).unwrap();
            } else {
                fs::remove_file(planted).unwrap();
            }
        }
        let output = build(&acme(), &out, &["--force"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(names(&scratch.0), ["release"]);
    }

    /// A file of the earlier build that the new one has not is not kept.
    #[test]
    fn a_build_replaces_the_earlier_one_whole() {
        let scratch = Scratch::new("replaced");
        let out = scratch.at("release");
        assert_eq!(build(&acme(), &out, &[]).status.code(), Some(0));
        let many = tree(&out);
        let policy = repository(&scratch, "{ codex: 0.166.0 }");
        assert_eq!(build(&policy, &out, &["--force"]).status.code(), Some(0));
        let fresh = scratch.at("fresh");
        assert_eq!(build(&policy, &fresh, &[]).status.code(), Some(0));
        assert_eq!(tree(&out), tree(&fresh));
        assert!(tree(&out).len() < many.len());
        assert_eq!(names(&scratch.0), ["fresh", "policy", "release"]);
    }

    /// A manifest that somebody else wrote does not lead a build out of the directory.
    #[test]
    fn a_manifest_lists_nothing_outside() {
        let scratch = Scratch::new("lying");
        let out = scratch.at("release");
        fs::write(scratch.at("kept"), "kept").unwrap();
        let long = format!("a/{}", "b".repeat(300));
        for path in [
            "../../kept",
            "/kept",
            "a/../../../kept",
            "./kept",
            "",
            "a\0b",
            "a/b\0/c",
            &long,
        ] {
            fs::create_dir_all(&out).unwrap();
            let manifest = serde_json::json!({
                "ring": "r", "profile": "p", "policy": {}, "harnesses": [],
                "files": [{ "os": "linux", "path": path }],
            });
            fs::write(out.join("manifest.json"), manifest.to_string()).unwrap();
            let output = build(&acme(), &out, &["--force"]);
            assert_eq!(output.status.code(), Some(2), "{path}");
            assert_eq!(fs::read(scratch.at("kept")).unwrap(), b"kept");
            assert_eq!(names(&scratch.0), ["kept", "release"], "{path}");
            assert_eq!(names(&out), ["manifest.json"], "{path}");
        }
    }

    #[test]
    fn what_cannot_be_the_directory_of_a_build_is_left_alone() {
        let scratch = Scratch::new("no-place");
        let policy = repository(&scratch, "{ codex: 0.166.0 }");
        fs::write(scratch.at("file"), "mine").unwrap();
        let at = |name: &str| scratch.at(name);
        let mut cases = vec![
            (at("file"), "it is no directory"),
            (at("file/below"), "the directory above: "),
            (
                policy.clone(),
                "`halos.yaml` stands there: it is a policy's directory",
            ),
            (at("policy/units"), "it would be part of the policy in "),
            (at("policy/Profiles"), "it would be part of the policy in "),
            (
                at("policy/profiles/x"),
                "it would be part of the policy in ",
            ),
            (at("policy/tests/x"), "it would be part of the policy in "),
            (
                at("policy/units/a/b/c"),
                "it would be part of the policy in ",
            ),
            (at("below/x"), "it would be part of the policy in "),
            (
                at("policy/profiles/../units/x"),
                "it would be part of the policy in ",
            ),
            (at(".."), "no name of a directory"),
        ];
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;

            symlink(at("nowhere"), at("dangling")).unwrap();
            symlink(at("policy/profiles"), at("link")).unwrap();
            symlink(at("policy/profiles"), at("below")).unwrap();
            cases.push((at("dangling"), "it is a link"));
            cases.push((at("link"), "it is a link"));
        }
        let before = tree(&policy);
        for (out, told) in cases {
            for force in [&[][..], &["--force"]] {
                let output = build(&policy, &out, force);
                assert_eq!(output.status.code(), Some(2), "{}", out.display());
                assert!(
                    stderr(&output).contains(told),
                    "{told}: {}",
                    stderr(&output)
                );
            }
        }
        assert_eq!(tree(&policy), before);
        assert_eq!(fs::read(scratch.at("file")).unwrap(), b"mine");
        assert!(!scratch.at("nowhere").exists());
        // A new directory below new ones is a place, and so is one without a policy beside it.
        for out in [at("a/b/release"), at("units")] {
            assert_eq!(build(&policy, &out, &[]).status.code(), Some(0));
        }
    }

    /// As a power cut at any moment needs it: everything of a build before its name, and the name afterwards.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_build_is_on_the_disk_before_it_has_its_name() {
        let scratch = Scratch::new("durable");
        let place = scratch.0.canonicalize().unwrap();
        let (out, new, log) = (
            place.join("a/b/release"),
            place.join("a/b/.release.halo-new"),
            place.join("log"),
        );
        for is_first in [true, false] {
            let mut command = Command::new("strace");
            command.args(["-f", "-y", "-s", "0", "-e"]);
            command.args([
                "trace=write,pwrite64,writev,mkdir,mkdirat,fsync,fdatasync,rename,renameat,renameat2",
                "-o",
            ]);
            command.arg(&log).arg(env!("CARGO_BIN_EXE_halo"));
            command
                .args(["release", "build", "--force", "--out"])
                .arg(&out);
            let Ok(output) = command.arg("--policy-dir").arg(acme()).output() else {
                println!("skipped: strace is missing");
                return;
            };
            if stderr(&output).contains("ptrace") {
                println!("skipped: strace may not trace here");
                return;
            }
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            let log = fs::read_to_string(&log).unwrap();
            // Each call with the file of its descriptor, where it has one.
            let calls: Vec<(&str, &Path)> = log
                .lines()
                .filter(|line| line.ends_with("= 0") || line.contains("write"))
                .filter_map(|line| {
                    let (call, rest) = line.split_once(' ')?.1.trim_start().split_once('(')?;
                    let file = rest.split_once('<')?.1.split('>').next()?;
                    Some((call, Path::new(file)))
                })
                .collect();
            let named = calls
                .iter()
                .position(|(call, _)| call.starts_with("rename"))
                .unwrap();
            let last = |names: &[&str], file: &Path| {
                calls
                    .iter()
                    .rposition(|(call, of)| names.contains(call) && *of == file)
            };
            let mut expected = vec![new.clone()];
            let mut pending = vec![out.clone()];
            while let Some(directory) = pending.pop() {
                for entry in fs::read_dir(directory).unwrap() {
                    let path = entry.unwrap().path();
                    expected.push(new.join(path.strip_prefix(&out).unwrap()));
                    if path.is_dir() {
                        pending.push(path);
                    }
                }
            }
            assert!(expected.len() > 20, "{expected:?}");
            for path in expected {
                let synced = last(&["fsync", "fdatasync"], &path);
                let shown = path.display();
                assert!(synced.is_some_and(|synced| synced < named), "{shown}");
                let changes = ["write", "pwrite64", "writev", "mkdirat", "mkdir"];
                assert!(last(&changes, &path) < synced, "{shown}");
            }
            // The names of the build, and of each directory above it that was made.
            let above: &[&str] = if is_first {
                &["a/b", "a", ""]
            } else {
                &["a/b"]
            };
            for (depth, above) in above.iter().enumerate() {
                let synced = last(&["fsync"], &place.join(above));
                assert!(
                    synced.is_some_and(|at| (at > named) == (depth == 0)),
                    "{above}"
                );
            }
        }
    }

    /// Whatever the mask of the process.
    #[cfg(unix)]
    #[test]
    fn the_directories_have_the_mode_that_the_manifest_lists() {
        use std::os::unix::fs::PermissionsExt as _;

        let scratch = Scratch::new("modes");
        for mask in ["000", "077", "777"] {
            let out = scratch.at(mask);
            let script = format!("umask {mask}; exec \"$0\" \"$@\"");
            let mut command = Command::new("sh");
            command.args(["-c", &script, env!("CARGO_BIN_EXE_halo")]);
            command.args(["release", "build", "--out"]).arg(&out);
            let output = command.arg("--policy-dir").arg(acme()).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            let manifest: Value =
                serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
            let mut listed: Vec<PathBuf> = ["", "linux", "macos", "windows"]
                .map(|name| out.join(name))
                .to_vec();
            for entry in manifest["directories"].as_array().unwrap() {
                assert_eq!(entry["mode"], "0755");
                let place = out.join(entry["os"].as_str().unwrap());
                listed.push(place.join(entry["path"].as_str().unwrap()));
            }
            for directory in &listed {
                assert_eq!(mode(directory), 0o755, "{}", directory.display());
            }
            assert_eq!(listed.len(), directories(&out), "{mask}");
            for entry in manifest["files"].as_array().unwrap() {
                let place = out.join(entry["os"].as_str().unwrap());
                let found = mode(&place.join(entry["path"].as_str().unwrap()));
                assert_eq!(entry["mode"], format!("{found:04o}"));
            }
        }
    }

    fn directories(root: &Path) -> usize {
        let below = fs::read_dir(root)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        below
            .filter(|path| path.is_dir())
            .map(|path| directories(&path))
            .sum::<usize>()
            + 1
    }

    fn names(root: &Path) -> Vec<String> {
        let entries = fs::read_dir(root).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        names
    }

    /// What a build that was killed may leave beside the directory.
    #[test]
    fn a_build_that_was_killed_is_cleared_away_by_the_next() {
        let scratch = Scratch::new("killed");
        let (out, new, old) = (
            scratch.at("release"),
            scratch.at(".release.halo-new"),
            scratch.at(".release.halo-old"),
        );
        let whole = || {
            let output = build(&acme(), &out, &["--force"]);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            assert_eq!(names(&scratch.0), ["release"]);
        };
        whole();
        let earlier = tree(&out);
        fs::create_dir(&new).unwrap();
        whole();
        fs::create_dir(&new).unwrap();
        fs::write(new.join("manifest.json"), "{ \"ring\": ").unwrap();
        whole();
        build(&acme(), &new, &[]);
        fs::remove_dir_all(new.join("macos")).unwrap();
        whole();
        build(&acme(), &old, &[]);
        whole();
        fs::write(scratch.at(".release.halo-lock"), "").unwrap();
        whole();

        // One that is whole stays while what has the name is not: nothing else may be left.
        build(&acme(), &new, &[]);
        let beside = tree(&new);
        let lost = out.join("linux/etc/codex/requirements.toml");
        let bytes = fs::read(&lost).unwrap();
        fs::remove_file(&lost).unwrap();
        let output = build(&acme(), &out, &["--force"]);
        assert_eq!(output.status.code(), Some(2));
        let told = "it is no whole build, and `.release.halo-new` beside it is one";
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
        assert_eq!(tree(&new), beside);
        fs::write(&lost, bytes).unwrap();
        whole();

        // A lock has nothing in it.
        fs::write(scratch.at(".release.halo-lock"), "mine").unwrap();
        let output = build(&acme(), &out, &["--force"]);
        assert_eq!(output.status.code(), Some(2));
        let told = "the lock `.release.halo-lock` beside it: there is something in it";
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
        let lock = scratch.at(".release.halo-lock");
        assert_eq!(fs::read_to_string(&lock).unwrap(), "mine");
        fs::remove_file(lock).unwrap();
        whole();

        // Between two renames, where the system cannot exchange: the earlier build is the one that stands.
        fs::rename(&out, &old).unwrap();
        build(&acme(), &new, &["--strict"]);
        let output = build(&acme(), &out, &[]);
        assert!(stderr(&output).contains("the directory is not empty"));
        assert_eq!(tree(&out), earlier);
        assert_eq!(names(&scratch.0), ["release"]);

        // What nobody's build left is somebody's.
        for (place, what) in [(&new, "no build"), (&old, "no manifest lists `notes`")] {
            fs::create_dir(place).unwrap();
            fs::write(place.join("notes"), "mine").unwrap();
            let output = build(&acme(), &out, &["--force"]);
            assert_eq!(output.status.code(), Some(2));
            assert!(stderr(&output).contains(what), "{}", stderr(&output));
            assert_eq!(fs::read(place.join("notes")).unwrap(), b"mine");
            assert_eq!(tree(&out), earlier);
            fs::remove_dir_all(place).unwrap();
        }
    }

    /// Each is whole, one after the other; without `--force` one of them is the only one.
    #[test]
    fn builds_at_once_end_as_one_of_them() {
        let scratch = Scratch::new("at-once");
        let strict = |strict| if strict { &["--strict"][..] } else { &[] };
        let wholes = [false, true].map(|is_strict| {
            let fresh = scratch.at(if is_strict { "strict" } else { "standard" });
            assert_eq!(
                build(&acme(), &fresh, strict(is_strict)).status.code(),
                Some(0)
            );
            tree(&fresh)
        });
        assert_ne!(wholes[0], wholes[1]);
        let out = scratch.at("release");
        for (force, good) in [(&[][..], 1), (&["--force"], 4)] {
            let statuses: Vec<Option<i32>> = std::thread::scope(|scope| {
                let builders: Vec<_> = [false, true, false, true]
                    .into_iter()
                    .map(|is_strict| {
                        let more = [strict(is_strict), force].concat();
                        let out = &out;
                        scope.spawn(move || build(&acme(), out, &more).status.code())
                    })
                    .collect();
                builders
                    .into_iter()
                    .map(|builder| builder.join().unwrap())
                    .collect()
            });
            let count = statuses.iter().filter(|status| **status == Some(0)).count();
            assert_eq!(count, good, "{force:?}: {statuses:?}");
            assert!(wholes.contains(&tree(&out)));
        }
        assert_eq!(names(&scratch.0), ["release", "standard", "strict"]);
    }

    /// As a directory on a mount that never answers would.
    #[test]
    fn what_keeps_a_build_waiting_is_named_in_the_end() {
        let scratch = Scratch::new("waiting");
        let (out, lock) = (scratch.at("release"), scratch.at(".release.halo-lock"));
        let held = fs::File::create(&lock).unwrap();
        held.lock().unwrap();
        let output = build(&acme(), &out, &["--timeout", "1"]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        let what = format!(
            "error: writing the build `{}` did not end within 1 s",
            out.display()
        );
        assert!(told.starts_with(&what), "{told}");
        if cfg!(target_os = "linux") {
            assert!(
                told.contains(&format!(", at `{}`", lock.display())),
                "{told}"
            );
        }
        assert!(told.contains("raise `--timeout`"), "{told}");
        assert!(!out.exists() && output.stdout.is_empty());
        drop(held);
        assert_eq!(build(&acme(), &out, &[]).status.code(), Some(0));
        assert_eq!(names(&scratch.0), ["release"]);
    }

    /// A link in place of what a build makes beside the directory.
    #[cfg(unix)]
    #[test]
    fn a_link_beside_the_directory_leads_nowhere_else() {
        let scratch = Scratch::new("planted");
        let elsewhere = scratch.at("elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        for name in [
            ".release.halo-new",
            ".release.halo-old",
            ".release.halo-lock",
        ] {
            std::os::unix::fs::symlink(elsewhere.join("made"), scratch.at(name)).unwrap();
            let output = build(&acme(), &scratch.at("release"), &[]);
            assert_eq!(output.status.code(), Some(2), "{name}");
            assert!(
                stderr(&output).contains(&format!("`{name}`")),
                "{}",
                stderr(&output)
            );
            assert_eq!(names(&elsewhere), [""; 0]);
            assert!(scratch.at(name).is_symlink());
            fs::remove_file(scratch.at(name)).unwrap();
        }
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
    fn a_build_that_is_cut_short_leaves_what_stood_there() {
        let scratch = Scratch::new("cut-short");
        let out = scratch.at("release");
        let cut = |more: &[&str], kibibytes: u32| {
            let script = format!(
                "ulimit -f {}; trap '' XFSZ; exec \"$0\" \"$@\"",
                kibibytes * 2
            );
            let mut command = Command::new("sh");
            command.args(["-c", &script, env!("CARGO_BIN_EXE_halo")]);
            command.args(["release", "build", "--out"]).arg(&out);
            command.arg("--policy-dir").arg(acme()).args(more);
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            assert!(stderr(&output).contains("nothing that stands there was changed"));
        };
        cut(&[], 8);
        assert_eq!(names(&scratch.0), [""; 0]);
        assert_eq!(build(&acme(), &out, &[]).status.code(), Some(0));
        let earlier = tree(&out);
        cut(&["--force", "--strict"], 8);
        assert_eq!(names(&scratch.0), ["release"]);
        assert_eq!(tree(&out), earlier);
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
        for name in [
            "linux/etc/codex/requirements.toml",
            "linux/etc",
            "macos",
            "manifest.json",
        ] {
            let (place, away) = (out.join(name), scratch.at("away"));
            fs::rename(&place, &away).unwrap();
            // Also one that leads to what belongs there.
            for target in [&elsewhere, &away] {
                std::os::unix::fs::symlink(target, &place).unwrap();
                let output = build(&acme(), &out, &["--force"]);
                assert_eq!(output.status.code(), Some(2), "{name}");
                assert!(place.is_symlink() && away.exists(), "{name}");
                fs::remove_file(&place).unwrap();
            }
            fs::rename(&away, &place).unwrap();
        }
        assert_eq!(tree(&elsewhere).len(), 1);
        assert_eq!(build(&acme(), &out, &["--force"]).status.code(), Some(0));
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
                .matches("error[pin-bricks] profiles/base.yaml:")
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

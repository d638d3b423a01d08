//! Devices as directory trees, and the command run on them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use harness_render::{Hardening, Os, Target, render};
use policy_core::{Repository, Selection};
use serde_json::Value;

use crate::ACME;

/// A device that is a directory tree, removed when it is done with.
pub(crate) struct Device(PathBuf);

impl Device {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("doctor-{}-{count}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let device = Self(root);
        device.directory(&device.0.join("home/alice"));
        device
    }

    /// A device on which everything is as the sample policy renders it for these harnesses.
    pub(crate) fn managed(harnesses: &[&str]) -> Self {
        let device = Self::new();
        let validation = Repository::read(Path::new(ACME)).validate();
        let organisation = validation.organisation().unwrap();
        let selection = organisation.select(Some("ring3-ga"), None).unwrap();
        for (path, bytes) in rendered(&selection, harnesses) {
            device.put(&path, &bytes);
        }
        device
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        match path.strip_prefix("~/") {
            Some(rest) => self.0.join("home/alice").join(rest),
            None => self.0.join(path.trim_start_matches('/')),
        }
    }

    pub(crate) fn put(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        self.directory(path.parent().unwrap());
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    }

    fn directory(&self, path: &Path) {
        fs::create_dir_all(path).unwrap();
        let below = path.strip_prefix(&self.0).unwrap();
        for up in below.ancestors() {
            fs::set_permissions(self.0.join(up), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    pub(crate) fn doctor(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_halo"))
            .args(["doctor", "--home", "/home/alice", "--root"])
            .arg(&self.0)
            .args(arguments)
            .env_clear()
            .envs(variables.iter().copied())
            // Where there is no policy.
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        String::from_utf8(self.doctor(arguments, &[]).stdout).unwrap()
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.doctor(&[&["--output", "json"], arguments].concat(), &[]);
        let value = serde_json::from_slice(&output.stdout).unwrap();
        let schema = include_str!("../../schemas/doctor.schema.json");
        let schema: Value = serde_json::from_str(schema).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(errors, [""; 0], "{value:#}");
        value
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn rendered(selection: &Selection<'_>, harnesses: &[&str]) -> Vec<(String, Vec<u8>)> {
    let policy = selection.policy();
    let mut files = Vec::new();
    for (harness, version) in policy.pins() {
        if harnesses.contains(&harness.name()) {
            let target = Target::new(harness, version.clone(), Os::Linux);
            let rendering = render(policy, &target, Hardening::Standard).unwrap();
            files.extend(
                rendering
                    .files()
                    .iter()
                    .map(|file| (file.path().to_owned(), file.bytes().to_owned())),
            );
        }
    }
    files
}

impl Device {
    /// As [`Device::doctor`], where the arguments may name another root or home.
    pub(crate) fn doctor_with(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_halo"));
        command
            .arg("doctor")
            .args(arguments)
            .env_clear()
            .current_dir(&self.0);
        if !arguments.contains(&"--home") {
            command.args(["--home", "/home/alice"]);
        }
        if !arguments.contains(&"--root") {
            command.arg("--root").arg(&self.0);
        }
        command.output().unwrap()
    }
}

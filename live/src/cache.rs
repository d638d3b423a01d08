//! What a run installs: programs from the npm registry, system tools from Debian packages. All of
//! it goes into one directory outside the repository, and a second run installs nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use crate::Result;
use crate::layout::CACHE;
use crate::pins::Pins;
use crate::tool::{on_path, run};

/// The exit status of `timeout` when the time was up.
const TIMED_OUT: i32 = 124;

/// The directory with everything that was installed.
#[derive(Clone, Debug)]
pub(crate) struct Cache(PathBuf);

impl Cache {
    /// The cache of this user: `$XDG_CACHE_HOME/halo-live`, or `~/.cache/halo-live`.
    pub(crate) fn of_user() -> Result<Self> {
        let base = match std::env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()) {
            Some(path) => PathBuf::from(path),
            None => {
                let home =
                    std::env::var_os("HOME").ok_or("neither XDG_CACHE_HOME nor HOME is set")?;
                PathBuf::from(home).join(".cache")
            }
        };
        Ok(Self(base.join("halo-live")))
    }

    /// The cache as a world sees it.
    pub(crate) fn in_world() -> Self {
        Self(PathBuf::from(CACHE))
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.0
    }

    /// A root directory with the system tools that this machine lacks; missing when it lacks none.
    pub(crate) fn tools(&self) -> PathBuf {
        self.0.join("debian/root")
    }

    /// Where a release of a package is, or will be.
    pub(crate) fn package(&self, package: &str, version: &str) -> PathBuf {
        self.0
            .join("npm")
            .join(format!("{}@{version}", package.replace('/', "+")))
    }

    /// The file of an installed package at one of these paths below `node_modules`.
    pub(crate) fn file(&self, package: &str, version: &str, paths: &[&str]) -> Result<String> {
        let modules = self.package(package, version).join("node_modules");
        let found = paths
            .iter()
            .map(|path| modules.join(path))
            .find(|path| path.is_file());
        let found = found.ok_or_else(|| {
            // Inside a world the cache has another name.
            let name = self.package(package, version);
            let name = name.file_name().unwrap_or_default().display().to_string();
            format!(
                "{package}@{version} has none of {paths:?}; to install it again, delete npm/{name} in the cache"
            )
        })?;
        Ok(found.display().to_string())
    }

    /// Whether a release is there.
    pub(crate) fn has(&self, package: &str, version: &str) -> bool {
        self.package(package, version).join(".complete").is_file()
    }

    /// Installs a release of a package until a point in time, without running any script of it.
    pub(crate) fn install(&self, package: &str, version: &str, until: Instant) -> Result<()> {
        if self.has(package, version) {
            return Ok(());
        }
        eprintln!("installing {package}@{version}");
        let directory = self.package(package, version);
        fs::create_dir_all(&directory)?;
        fs::write(directory.join("package.json"), "{\"private\":true}\n")?;
        let release = format!("{package}@{version}");
        let args = [
            "install",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--loglevel=error",
            &release,
        ];
        download("npm", &args, &directory, until)?;
        fs::write(directory.join(".complete"), "")?;
        Ok(())
    }

    /// The newest published release of a package.
    pub(crate) fn newest(package: &str, until: Instant) -> Result<String> {
        let args = ["view", package, "dist-tags.latest"];
        let output = download("npm", &args, Path::new("/"), until)?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if version.is_empty() {
            return Err(format!("npm view {package}: no release").into());
        }
        Ok(version)
    }

    /// Unpacks the system tools that this machine lacks, loading them until a point in time.
    pub(crate) fn install_tools(&self, pins: &Pins, until: Instant) -> Result<()> {
        let tools = self.tools();
        let lacking = pins.debian.commands.iter().any(|command| !on_path(command));
        if !lacking || self.0.join("debian/.complete").is_file() {
            return Ok(());
        }
        let archives = self.0.join("debian/archives");
        fs::create_dir_all(&archives)?;
        fs::create_dir_all(&tools)?;
        let mut args = vec![
            "install",
            "--print-uris",
            "-qq",
            "-y",
            "--no-install-recommends",
        ];
        args.extend(pins.debian.packages.iter().map(String::as_str));
        let output = download("apt-get", &args, &archives, until)?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            // 'http://…/name_version_arch.deb' name_version_arch.deb size hash
            let Some(file) = line.split(' ').nth(1) else {
                continue;
            };
            let Some(package) = file.split('_').next() else {
                continue;
            };
            eprintln!("unpacking {file}");
            // Its own user, to whom it would change, may not write here.
            let args = ["-o", "APT::Sandbox::User=root", "download", "-qq", package];
            download("apt-get", &args, &archives, until)?;
        }
        for archive in fs::read_dir(&archives)?.flatten() {
            run(
                "dpkg-deb",
                [
                    "--extract".as_ref(),
                    archive.path().as_os_str(),
                    tools.as_os_str(),
                ],
            )?;
        }
        // Where `/lib` is a link to `/usr/lib`, a directory of that name would hide the system's.
        for name in ["bin", "lib", "sbin"] {
            let from = tools.join(name);
            if from.is_dir() {
                let to = tools.join("usr").join(name);
                fs::create_dir_all(&to)?;
                let from_all = format!("{}/.", from.display());
                run("cp", ["-a".as_ref(), from_all.as_ref(), to.as_os_str()])?;
                fs::remove_dir_all(from)?;
            }
        }
        // What the package's own script would link.
        let program = "xtables-nft-multi";
        let directory = tools.join("usr/sbin");
        for name in [
            "iptables",
            "iptables-restore",
            "ip6tables",
            "ip6tables-restore",
        ] {
            let link = directory.join(name);
            if directory.join(program).exists() && fs::symlink_metadata(&link).is_err() {
                std::os::unix::fs::symlink(program, link)?;
            }
        }
        fs::write(self.0.join("debian/.complete"), "")?;
        Ok(())
    }
}

/// Runs a package manager to its end, or until a point in time.
fn download(program: &str, args: &[&str], directory: &Path, until: Instant) -> Result<Output> {
    let left = until.saturating_duration_since(Instant::now()).as_secs();
    if !on_path(program) {
        return Err(format!("there is no {program}").into());
    }
    // A limit of 0 would be none.
    let output = Command::new("timeout")
        .args(["-k", "5", &left.max(1).to_string(), program])
        .args(args)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let what = args.last().unwrap_or(&"");
    Err(match output.status.code() {
        Some(TIMED_OUT) => format!(
            "{program} did not finish with {what} in time; live/run without --short waits longer"
        ),
        _ => format!("{program} {what}: {said}"),
    }
    .into())
}

//! The world of one run: this machine's programs and libraries, and nothing else of it.
//!
//! A copy-on-write view of the root file system, with its own processes and its own network, whose
//! only route leads to another network namespace of the run where every address answers. What is
//! written stays in memory and ends with the run. The home directories, the workspaces and all
//! other data of the machine are hidden, and no interface of the machine is there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use harness_render::ManagedFile;

use crate::Result;
use crate::cache::Cache;
use crate::layout::{CACHE, HOME, WORKSPACE};
use crate::loosening::{self, Loosening};
use crate::network;
use crate::tool::{on_path, run};
use crate::upstream;

/// Where the root is put together, hidden from the machine by the namespace.
const STAGE: &str = "/mnt";

/// Directories of the root that programs need; all others are hidden.
const SYSTEM: [&str; 11] = [
    "bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "sbin", "usr", "var",
];

/// A set-up world that this process is in.
#[derive(Debug)]
pub(crate) struct World {
    path: String,
    /// What a user sets beside what a session needs.
    loosening: Option<&'static Loosening>,
    // Ends with the process-id namespace; kept so that it is not waited for.
    _far_end: Child,
}

impl World {
    /// Turns the namespaces this process was started in into a world. The process must be the first
    /// of them, started by [`command`].
    pub(crate) fn enter(cache: &Cache, loosening: Option<&'static Loosening>) -> Result<Self> {
        let root = format!("{STAGE}/root");
        run("mount", ["-t", "tmpfs", "live", STAGE])?;
        for directory in ["upper", "work", "root", "tools"] {
            fs::create_dir(format!("{STAGE}/{directory}"))?;
        }
        // A copy, since a layer may not lie inside another.
        let tools = cache.tools();
        if tools.is_dir() {
            let from = format!("{}/.", tools.display());
            run("cp", ["-a", &from, &format!("{STAGE}/tools")])?;
        }
        let layers =
            format!("lowerdir={STAGE}/tools:/,upperdir={STAGE}/upper,workdir={STAGE}/work");
        run("mount", ["-t", "overlay", "-o", &layers, "live", &root])?;

        let executable = std::env::current_exe()?;
        let node = node_prefix();
        for entry in fs::read_dir("/")?.flatten() {
            let name = entry.file_name();
            let hide = entry.file_type().is_ok_and(|kind| kind.is_dir())
                && !SYSTEM.iter().any(|system| OsStr::new(system) == name);
            if hide {
                let over = Path::new(&root).join(&name);
                run(
                    "mount",
                    [
                        OsStr::new("-t"),
                        "tmpfs".as_ref(),
                        "live".as_ref(),
                        over.as_os_str(),
                    ],
                )?;
            }
        }
        for directory in ["tmp", "var/tmp", "run", "proc", "opt", "home", "sys"] {
            fs::create_dir_all(format!("{root}/{directory}"))?;
        }
        run("mount", ["-t", "tmpfs", "live", &format!("{root}/var/tmp")])?;
        run("mount", ["-t", "proc", "live", &format!("{root}/proc")])?;
        run("mount", ["-t", "sysfs", "live", &format!("{root}/sys")])?;
        run("mount", ["--rbind", "/dev", &format!("{root}/dev")])?;
        run("mount", ["-t", "tmpfs", "live", &format!("{root}/dev/shm")])?;
        bind(cache.directory(), &format!("{root}{CACHE}"))?;
        bind(
            executable.parent().unwrap_or(Path::new("/")),
            &format!("{root}/opt/live"),
        )?;
        let mut path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".to_owned();
        if let Some(node) = node {
            bind(&node, &format!("{root}/opt/node"))?;
            path.push_str(":/opt/node/bin");
        }
        for directory in ["tmp", "var/tmp"] {
            set_mode(Path::new(&format!("{root}/{directory}")), 0o1777)?;
        }

        fs::create_dir(format!("{root}/old"))?;
        run("pivot_root", [&root, &format!("{root}/old")])?;
        std::env::set_current_dir("/")?;
        run("umount", ["--lazy", "/old"])?;
        fs::remove_dir("/old")?;

        let own = PathBuf::from("/opt/live").join(executable.file_name().unwrap_or_default());
        let far_end = network::connect(&own)?;
        upstream::serve()?;
        fs::create_dir_all(WORKSPACE)?;
        Ok(Self {
            path,
            loosening,
            _far_end: far_end,
        })
    }

    /// Lets names lead to an address of the far end.
    pub(crate) fn name<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
        address: &str,
    ) -> Result<()> {
        let mut hosts = String::from("127.0.0.1 localhost\n::1 localhost\n");
        for name in names.filter(|name| *name != "localhost") {
            hosts.push_str(&format!("{address} {name} {name}.\n"));
        }
        fs::write("/etc/hosts", hosts)?;
        fs::write(
            "/etc/resolv.conf",
            "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
        )?;
        fs::write(
            "/etc/nsswitch.conf",
            "hosts: files\npasswd: files\ngroup: files\n",
        )?;
        Ok(())
    }

    /// Places the managed files of a rendering.
    pub(crate) fn install(&self, files: &[ManagedFile]) -> Result<()> {
        for file in files {
            self.write(file.path(), file.bytes())?;
            set_mode(Path::new(file.path()), file.mode())?;
        }
        Ok(())
    }

    /// Writes a file and the directories above it.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> Result<()> {
        if let Some(parent) = Path::new(path).parent() {
            fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        }
        fs::write(path, bytes).map_err(|error| format!("{path}: {error}"))?;
        Ok(())
    }

    /// Writes a file of the user's that a session needs, with what the loosening adds to it.
    pub(crate) fn write_own(&self, path: &str, own: &str) -> Result<()> {
        let files = self.loosening.map_or(&[][..], |loosening| loosening.files);
        let added = files
            .iter()
            .find(|(name, _)| loosening::place(name) == path);
        match added {
            Some((_, added)) => self.write(path, loosening::merged(path, own, added)?),
            None => self.write(path, own),
        }
    }

    /// Runs a program in the workspace until it ends, or for no longer than a time.
    pub(crate) fn run(
        &self,
        program: &str,
        args: &[&str],
        environment: &[(&str, &str)],
        limit: Duration,
    ) -> Result<Ran> {
        let (mut stdout, mut stderr) = (scratch("stdout")?, scratch("stderr")?);
        // It ends the program's whole group, which ending the program alone would not.
        let status = Command::new("timeout")
            .args(["-k", "5", &limit.as_secs().to_string(), program])
            .args(args)
            .current_dir(WORKSPACE)
            .env_clear()
            .envs(self.environment())
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(stdout.try_clone()?)
            .stderr(stderr.try_clone()?)
            .status()?;
        let read = |file: &mut File| -> Result<String> {
            let mut bytes = Vec::new();
            file.rewind()?;
            file.take(4 << 20).read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        Ok(Ran {
            code: status.code(),
            stdout: read(&mut stdout)?,
            stderr: read(&mut stderr)?,
        })
    }

    /// A program in the workspace, for whoever talks with it.
    pub(crate) fn command(&self, program: &str, environment: &[(&str, &str)]) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(WORKSPACE)
            .env_clear()
            .envs(self.environment())
            .envs(environment.iter().copied());
        command
    }

    /// The environment of every program.
    pub(crate) fn environment(&self) -> BTreeMap<&str, &str> {
        let mut environment = BTreeMap::from([
            ("HOME", HOME),
            ("LANG", "C.UTF-8"),
            ("PATH", self.path.as_str()),
            ("SHELL", "/bin/bash"),
            ("TERM", "dumb"),
            ("USER", "root"),
        ]);
        environment.extend(
            self.loosening
                .map_or(&[][..], |loosening| loosening.variables)
                .iter()
                .copied(),
        );
        environment
    }
}

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    /// `None` when a signal ended it; 124 when its time was up.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The end of what it said, for a message.
    pub(crate) fn last_words(&self) -> String {
        let said = format!("{} {}", self.stdout.trim(), self.stderr.trim());
        let start = said.chars().count().saturating_sub(400);
        let code = self
            .code
            .map_or_else(|| "a signal".to_owned(), |code| code.to_string());
        format!(
            "exit {code}: {}",
            said.chars().skip(start).collect::<String>()
        )
    }
}

/// The command that starts this program again as the first process of new namespaces. When it
/// ends, so does everything in them, and it ends after a time, whoever has started it.
pub(crate) fn command(args: &[&str], limit: Duration) -> Result<Command> {
    let mut command = Command::new("timeout");
    command
        .args([
            "--foreground",
            "-k",
            "5",
            &limit.as_secs().to_string(),
            "unshare",
        ])
        .args([
            "--mount",
            "--net",
            "--pid",
            "--ipc",
            "--uts",
            "--fork",
            "--kill-child",
        ])
        .args(["--propagation", "private", "--"])
        .arg(std::env::current_exe()?)
        .args(args);
    Ok(command)
}

/// Why no world can be set up here, if none can.
pub(crate) fn obstacle() -> Option<String> {
    // Many of the programs are scripts of it.
    let missing = ["node", "timeout", "unshare"];
    if let Some(missing) = missing.into_iter().find(|command| !on_path(command)) {
        return Some(format!("there is no {missing}"));
    }
    let attempt = Command::new("unshare")
        .args([
            "--mount",
            "--net",
            "--pid",
            "--fork",
            "--propagation",
            "private",
            "--",
        ])
        .args(["sh", "-c"])
        .arg(format!(
            "mount -t tmpfs live {STAGE} && cd {STAGE} && mkdir upper work root && \
             mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work live root && \
             ip link set lo up && ip link add near type veth peer name far"
        ))
        .stdin(Stdio::null())
        .output();
    match attempt {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(format!(
            "no mount and network namespace of our own: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )),
        Err(error) => Some(format!("unshare: {error}")),
    }
}

fn bind(from: &Path, to: &str) -> Result<()> {
    fs::create_dir_all(to)?;
    run(
        "mount",
        [OsStr::new("--bind"), from.as_os_str(), to.as_ref()],
    )?;
    run("mount", ["-o", "remount,ro,bind", to])
}

/// The directory that holds `bin/node`, where that is no part of the system.
fn node_prefix() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let node = std::env::split_paths(&path)
        .map(|directory| directory.join("node"))
        .find(|node| node.is_file())?;
    let real = fs::canonicalize(node).ok()?;
    (!real.starts_with("/usr"))
        .then(|| real.parent()?.parent().map(Path::to_owned))
        .flatten()
}

fn scratch(name: &str) -> Result<File> {
    let path = format!("/run/live-{name}");
    Ok(File::options()
        .create(true)
        .truncate(true)
        .read(true)
        .write(true)
        .open(path)?)
}

pub(crate) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

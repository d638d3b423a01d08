//! `halo release build`.

mod place;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::resume_unwind;
use std::thread;

use harness_render::{Hardening, Ledger, Os, Rendering, Target, render};
use policy_core::{Policy, Selection};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::{Status, pins};
use crate::cli::{BuildArgs, Global};
use crate::out::{GOOD, Out, WARN, shown};
use crate::policy::{self, RulesJson};
use crate::watch;
use place::Content;

#[derive(Serialize)]
struct Manifest<'a> {
    ring: Option<&'a str>,
    unit: Option<&'a str>,
    profile: &'a str,
    policy: PolicyJson<'a>,
    harnesses: Vec<PinJson>,
    files: Vec<FileJson>,
    directories: Vec<DirectoryJson>,
    ledger: Vec<&'a Ledger>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct PolicyJson<'a> {
    mode: Option<&'static str>,
    #[serde(rename = "writableRoots")]
    writable_roots: Vec<&'a str>,
    #[serde(rename = "protectedPaths")]
    protected_paths: Vec<&'a str>,
    #[serde(flatten)]
    rules: RulesJson,
}

#[derive(Serialize)]
struct PinJson {
    name: &'static str,
    version: String,
}

#[derive(Serialize)]
struct FileJson {
    os: &'static str,
    harness: &'static str,
    /// Below the directory of the system.
    path: String,
    mode: String,
    sha256: String,
}

/// A directory above a file, the way to it from the root of the system included.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct DirectoryJson {
    os: &'static str,
    path: String,
    mode: String,
}

pub(crate) fn run(global: &Global, args: &BuildArgs, out: &mut Out) -> Status {
    let validation = match policy::read(global, out) {
        Ok(validation) => validation,
        Err(error) => {
            out.error(&error.message, &error.help);
            return Ok(if error.code == policy::INVALID { 1 } else { 2 });
        }
    };
    if pins::refuse(&validation, out) {
        return Ok(1);
    }
    let selection = match policy::select(&validation, &global.policy_dir, &args.selection) {
        Ok((_, selection)) => selection,
        Err(error) => {
            out.error(&error.message, &error.help);
            return Ok(2);
        }
    };
    let hardening = if args.strict {
        Hardening::Strict
    } else {
        Hardening::Standard
    };
    let Some(renderings) = render_all(selection.policy(), hardening, out) else {
        return Ok(1);
    };
    let manifest = manifest(&selection, &renderings);
    if let Err(error) = write(args, &renderings, &manifest) {
        out.error(
            &format!("{}: {}", shown(&args.out), error.problem),
            &error.help,
        );
        return Ok(2);
    }
    out.done(format!(
        "the build in {} is whole all the same",
        shown(&args.out)
    ));
    if out.is_json() {
        out.json(&manifest)?;
        return Ok(0);
    }
    let warnings = manifest.warnings.iter();
    out.diagnostics(warnings.map(|warning| format!("{WARN}warning{WARN:#}: {warning}")));
    for file in &manifest.files {
        out.line(format_args!("{}/{}", file.os, file.path))?;
    }
    out.line(format_args!(
        "{GOOD}OK{GOOD:#}: {} files and manifest.json in {} ({} warnings)",
        manifest.files.len(),
        shown(&args.out),
        manifest.warnings.len()
    ))?;
    Ok(0)
}

/// Every pin on every system; `None` after naming each that cannot be rendered.
fn render_all(policy: &Policy, hardening: Hardening, out: &mut Out) -> Option<Vec<Rendering>> {
    let on = |os| {
        let pins = policy.pins().map(move |(harness, version)| {
            let target = Target::new(harness, version.clone(), os);
            render(policy, &target, hardening)
        });
        pins.collect::<Vec<_>>()
    };
    // A large policy takes a second a system.
    let rendered: Vec<_> = thread::scope(|scope| {
        let systems = Os::ALL.map(|os| scope.spawn(move || on(os)));
        let rendered = systems.into_iter().map(thread::ScopedJoinHandle::join);
        rendered
            .flat_map(|system| system.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    let mut renderings = Vec::new();
    let mut errors = Vec::new();
    for one in rendered {
        match one {
            Ok(rendering) => renderings.push(rendering),
            Err(error) => errors.push(error.to_string()),
        }
    }
    errors.sort_unstable();
    errors.dedup();
    for error in &errors {
        out.error(error, "");
    }
    errors.is_empty().then_some(renderings)
}

fn manifest<'a>(selection: &'a Selection<'a>, renderings: &'a [Rendering]) -> Manifest<'a> {
    let policy = selection.policy();
    let files = renderings.iter().flat_map(|rendering| {
        let target = rendering.ledger().target();
        rendering.files().iter().map(|file| FileJson {
            os: target.os.name(),
            harness: target.harness.name(),
            path: file.relative_path(),
            mode: format!("{:04o}", file.mode()),
            sha256: hexadecimal(&Sha256::digest(file.bytes())),
        })
    });
    let files: Vec<FileJson> = files.collect();
    Manifest {
        ring: selection.ring().map(policy_core::Ring::name),
        unit: selection.unit(),
        profile: selection.profile(),
        policy: policy_json(policy),
        harnesses: policy
            .pins()
            .map(|(harness, version)| PinJson {
                name: harness.name(),
                version: version.to_string(),
            })
            .collect(),
        directories: directories(&files),
        files,
        ledger: renderings.iter().map(Rendering::ledger).collect(),
        warnings: warnings(policy, renderings),
    }
}

/// Every directory of the build below those of the systems, in order.
fn directories(files: &[FileJson]) -> Vec<DirectoryJson> {
    let mut directories = BTreeSet::new();
    for file in files {
        let mut path = &*file.path;
        while let Some((above, _)) = path.rsplit_once('/') {
            directories.insert(DirectoryJson {
                os: file.os,
                path: above.to_owned(),
                mode: format!("{:04o}", place::MODE),
            });
            path = above;
        }
    }
    directories.into_iter().collect()
}

fn policy_json(policy: &Policy) -> PolicyJson<'_> {
    let sandbox = policy.sandbox();
    let roots = sandbox.map_or(&[][..], policy_core::Sandbox::writable_roots);
    let protected = sandbox.map_or(&[][..], policy_core::Sandbox::protected_paths);
    PolicyJson {
        mode: sandbox.map(|sandbox| sandbox.mode().as_str()),
        writable_roots: roots
            .iter()
            .map(policy_core::WritableRoot::as_str)
            .collect(),
        protected_paths: protected
            .iter()
            .map(policy_core::ProtectedPath::as_str)
            .collect(),
        rules: RulesJson::of(policy.egress()),
    }
}

/// What is not held, in order. A field that a harness supports on no system is said once.
fn warnings(policy: &Policy, renderings: &[Rendering]) -> Vec<String> {
    let mut warnings = Vec::new();
    if policy.pins().next().is_none() {
        warnings.push("no harness is pinned, so nothing is rendered".to_owned());
    }
    let all: Vec<_> = renderings
        .iter()
        .flat_map(|rendering| {
            let ledger = rendering.ledger();
            let warnings = ledger.warnings().into_iter();
            warnings.map(move |warning| (ledger.target(), warning))
        })
        .collect();
    let mut systems: BTreeMap<_, usize> = BTreeMap::new();
    for (_, warning) in &all {
        let count = systems.entry(warning).or_default();
        *count = count.saturating_add(1);
    }
    for (target, warning) in &all {
        if warning.is_unsupported_field() && systems.get(warning) == Some(&Os::ALL.len()) {
            warnings.push(warning.to_string());
        } else {
            let (harness, os) = (target.harness, target.os);
            warnings.push(format!("{harness}/{os}: {}", warning.text()));
        }
    }
    warnings.sort_unstable();
    warnings.dedup();
    warnings
}

fn write(args: &BuildArgs, renderings: &[Rendering], manifest: &Manifest<'_>) -> place::Done {
    let files: Vec<Content<'_>> = renderings
        .iter()
        .flat_map(|rendering| {
            let os = rendering.ledger().target().os;
            rendering.files().iter().map(move |file| Content {
                path: format!("{os}/{}", file.relative_path()),
                bytes: file.bytes(),
                mode: file.mode(),
            })
        })
        .collect();
    let mut text = serde_json::to_vec_pretty(manifest).map_err(|error| place::Failure {
        problem: error.to_string(),
        help: String::new(),
    })?;
    text.push(b'\n');
    let what = format!("writing the build {}", shown(&args.out));
    watch::during(what, watch::WRITING, || {
        place::put(&args.out, args.force, &files, &text)
    })
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

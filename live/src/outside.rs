//! The part of a run outside the namespaces: install, start each job, gather, report.

use std::fs;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use semver::Version;

use crate::Result;
use crate::cache::Cache;
use crate::cli::{Place, RunArgs};
use crate::effect;
use crate::loosening;
use crate::pins::{Pin, Pins};
use crate::policies;
use crate::program::{self, PROGRAMS};
use crate::reads;
use crate::report::{Loosened, Newest, Report, Trouble};
use crate::session::Program;
use crate::verdict::Answers;
use crate::world;

/// Questions of one job: more than any policy here makes.
const ALL: usize = 10_000;
/// And in the short form.
const FEW: usize = 24;
/// Policies of the short form.
const SHORT_POLICIES: [&str; 3] = ["deny-over-allow", "nothing", "paths"];
/// Programs of the short form: the fastest.
const SHORT_PROGRAMS: usize = 2;

/// No installation takes longer.
const INSTALL: Duration = Duration::from_secs(20 * 60);
/// Nor do all of them in the short form, which is to end within five minutes.
const SHORT_INSTALL: Duration = Duration::from_secs(3 * 60);

/// What a registry may take to say which release is the newest.
const LOOK_UP: Duration = Duration::from_secs(2 * 60);

/// No job takes longer.
const JOB_LIMIT: Duration = Duration::from_secs(25 * 60);
/// Nor does anyone look around for longer.
const SHELL_LIMIT: Duration = Duration::from_secs(8 * 60 * 60);

/// The exit status for "cannot run here", as test harnesses know it.
const SKIPPED: u8 = 77;

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let pins = Pins::read()?;
    let cache = Cache::of_user()?;
    let programs = chosen(args)?;
    let policies = policies::all()?;
    let policies: Vec<&str> = policies.iter().map(|named| named.name.as_str()).collect();
    if let Some(name) = args
        .policy
        .iter()
        .find(|name| !policies.contains(&name.as_str()))
    {
        return Err(format!("no policy `{name}`; there are {}", policies.join(", ")).into());
    }
    let policies: Vec<&str> = policies
        .into_iter()
        .filter(|name| match args.policy.is_empty() {
            true => !args.short || SHORT_POLICIES.contains(name),
            false => args.policy.iter().any(|wanted| wanted == name),
        })
        .collect();
    if let Some(obstacle) = world::obstacle() {
        eprintln!("SKIPPED: {obstacle}");
        eprintln!("SKIPPED: live needs Linux, root, node, unshare, ip, and leave to mount");
        return Ok(ExitCode::from(SKIPPED));
    }
    let began = Instant::now();
    let installed_by = || {
        let (from, limit) = match args.short {
            true => (began, SHORT_INSTALL),
            false => (Instant::now(), INSTALL),
        };
        from.checked_add(limit).unwrap_or(from)
    };
    if let Err(error) = cache.install_tools(&pins, installed_by()) {
        eprintln!("SKIPPED: the system tools cannot be installed: {error}");
        return Ok(ExitCode::from(SKIPPED));
    }
    let mut report = Report::default();
    let mut newest = Vec::new();
    for program in programs {
        let pin = pins
            .programs
            .get(program.name)
            .ok_or_else(|| format!("live/versions.toml has no section for {}", program.name))?;
        let versions = versions(args, pin)?;
        if let (true, Some(first), Some(pinned)) =
            (args.latest, versions.first(), pin.versions.first())
        {
            newest.push(Newest {
                program: program.name.to_owned(),
                pinned: pinned.to_string(),
                newest: first.to_string(),
            });
        }
        for (place, version) in versions.into_iter().enumerate() {
            if let Err(error) = cache.install(&pin.npm, &version.to_string(), installed_by()) {
                if args.short {
                    eprintln!("SKIPPED: {} {version}: {error}", program.name);
                    return Ok(ExitCode::from(SKIPPED));
                }
                report.troubles.push(Trouble {
                    program: program.name.to_owned(),
                    version: version.to_string(),
                    policy: "all policies".to_owned(),
                    error: error.to_string(),
                });
                continue;
            }
            for policy in &policies {
                let started = Instant::now();
                job(program, &version, policy, args.short, &mut report);
                let seconds = started.elapsed().as_secs();
                eprintln!("{} {version}, {policy}: {seconds} s", program.name);
            }
            if place == 0 && !args.short && !args.no_loosenings {
                loosen(program, &version, &mut report);
            }
        }
    }
    report.seconds = began.elapsed().as_secs();

    print!("{}", report.table(args.all));
    print!("{}", report.drift(&newest));
    if !report.troubles.is_empty() {
        eprintln!(
            "where a program does not start, its files may be damaged: delete it below {} to install it again",
            cache.directory().join("npm").display()
        );
    }
    if let Some(path) = &args.json {
        fs::write(path, serde_json::to_string_pretty(&report.outcomes)? + "\n")?;
    }
    if let Some(path) = &args.results {
        fs::write(path, report.markdown(&today()?))?;
    }
    Ok(match report.failures() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// The date, as `YYYY-MM-DD`.
fn today() -> Result<String> {
    let output = Command::new("date").args(["-u", "+%Y-%m-%d"]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Compares what each program has read with what the checks find, in its newest pinned release.
pub(crate) fn reads(names: &[String]) -> Result<ExitCode> {
    if let Some(obstacle) = world::obstacle() {
        eprintln!("SKIPPED: {obstacle}");
        return Ok(ExitCode::from(SKIPPED));
    }
    let pins = Pins::read()?;
    let cache = Cache::of_user()?;
    let mut agrees = true;
    for name in reads::programs() {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        let pin = pins.programs.get(name).ok_or("no pin")?;
        let version = pin.versions.first().ok_or("no release")?.to_string();
        let until = Instant::now().checked_add(INSTALL);
        cache.install(&pin.npm, &version, until.unwrap_or(Instant::now()))?;
        let args = ["reads-inside", name, &version, reads::POLICY];
        agrees &= world::command(&args, JOB_LIMIT)?.status()?.success();
    }
    Ok(ExitCode::from(u8::from(!agrees)))
}

/// Opens a shell in the world of a job.
pub(crate) fn shell(place: &Place) -> Result<ExitCode> {
    if let Some(obstacle) = world::obstacle() {
        return Err(obstacle.into());
    }
    let version = place.version.to_string();
    let args = ["shell-inside", &place.program, &version, &place.policy];
    let status = world::command(&args, SHELL_LIMIT)?.status()?;
    Ok(ExitCode::from(u8::from(!status.success())))
}

fn chosen(args: &RunArgs) -> Result<Vec<&'static Program>> {
    if args.names.is_empty() {
        let count = if args.short {
            SHORT_PROGRAMS
        } else {
            PROGRAMS.len()
        };
        return Ok(PROGRAMS.iter().take(count).collect());
    }
    let known = |name: &String| program::named(name).ok_or_else(|| format!("no program `{name}`"));
    Ok(args
        .names
        .iter()
        .map(known)
        .collect::<core::result::Result<_, _>>()?)
}

/// The releases of a program to ask, the newest first.
fn versions(args: &RunArgs, pin: &Pin) -> Result<Vec<Version>> {
    if !args.version_of.is_empty() {
        return Ok(args.version_of.clone());
    }
    let mut versions = pin.versions.clone();
    if args.short || args.latest {
        versions.truncate(1);
    }
    if args.latest {
        let until = Instant::now().checked_add(LOOK_UP);
        let newest = Cache::newest(&pin.npm, until.unwrap_or(Instant::now()))?.parse()?;
        if !versions.contains(&newest) {
            versions.insert(0, newest);
        }
    }
    Ok(versions)
}

/// Asks one program about one policy. A job that fails is listed in the report, and the run goes on.
fn job(program: &Program, version: &Version, policy: &str, short: bool, report: &mut Report) {
    match answers(
        program,
        version,
        policy,
        None,
        if short { FEW } else { ALL },
    ) {
        Ok(answers) => {
            report.outcomes.extend(answers.outcomes);
            // A few questions are about a few clauses.
            if !short {
                report.unasked.extend(answers.unasked);
            }
        }
        Err(error) => report.troubles.push(Trouble {
            program: program.name.to_owned(),
            version: version.to_string(),
            policy: policy.to_owned(),
            error: error.to_string(),
        }),
    }
}

/// Applies each loosening of a program, and holds what it opens against what the checks report.
fn loosen(program: &Program, version: &Version, report: &mut Report) {
    let policy = loosening::POLICY;
    let ask = |name| answers(program, version, policy, name, ALL);
    let before = match ask(None) {
        Ok(before) => before,
        Err(error) => {
            report.troubles.push(Trouble {
                program: program.name.to_owned(),
                version: version.to_string(),
                policy: format!("{policy}, to be loosened"),
                error: error.to_string(),
            });
            return;
        }
    };
    for loosening in loosening::of(program.name) {
        let (opened, findings) = match ask(Some(loosening.name)) {
            Ok(mut after) => {
                after
                    .findings
                    .retain(|code| !before.findings.contains(code));
                let opened = effect::opened(&before.outcomes, &after.outcomes);
                (opened, after.findings)
            }
            // Nothing is open in a program that does not start.
            Err(error) => (None, vec![format!("(no start: {error})")]),
        };
        report.loosened.push(Loosened {
            program: program.name.to_owned(),
            version: version.to_string(),
            name: loosening.name.to_owned(),
            opened,
            findings,
        });
    }
}

fn answers(
    program: &Program,
    version: &Version,
    policy: &str,
    loosening: Option<&str>,
    limit: usize,
) -> Result<Answers> {
    let (version, limit) = (version.to_string(), limit.to_string());
    let mut args = vec!["inside", program.name, &version, policy, &limit];
    if let Some(name) = loosening {
        args.extend(["--loosening", name]);
    }
    let output = world::command(&args, JOB_LIMIT)?
        .stdin(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(said.trim().trim_start_matches("error: ").to_owned().into());
    }
    eprint!("{said}");
    Ok(serde_json::from_slice(&output.stdout)?)
}

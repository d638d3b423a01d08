//! `halo doctor`.

use std::path::{Path, PathBuf};

use harness_render::{
    Device, DeviceError, DeviceReport, EgressState, Expected, Finding, Hardening, HarnessPosture,
    SandboxState, Severity, Target, Unknown, is_compliant, render,
};
use policy_core::{Harness, Selection};
use semver::Version;
use serde::Serialize;

use super::Status;
use crate::cli::{DoctorArgs, Global, Os};
use crate::out::{BAD, GOOD, Out, WARN, shown};
use crate::policy::{self, NoPolicy};

/// What a policy repository has at its top.
const ORGANISATION: &str = "halos.yaml";

#[derive(Serialize)]
struct DoctorJson<'a> {
    ok: bool,
    failures: usize,
    warnings: usize,
    /// Null when nothing was compared with a policy.
    policy: Option<PolicyJson<'a>>,
    report: &'a DeviceReport,
    harnesses: Vec<HarnessJson>,
    findings: Vec<LineJson>,
}

#[derive(Serialize)]
struct PolicyJson<'a> {
    ring: Option<&'a str>,
    unit: Option<&'a str>,
    profile: &'a str,
    posture: Option<&'static str>,
    compliant: Option<bool>,
}

#[derive(Serialize)]
struct HarnessJson {
    name: &'static str,
    installed: bool,
    versions: Vec<String>,
    pin: Option<String>,
    managed: bool,
    rendered: &'static str,
    sandbox: SandboxJson,
    egress: EgressJson,
    summary: String,
}

#[derive(Serialize)]
struct SandboxJson {
    state: &'static str,
    modes: Option<Vec<&'static str>>,
}

#[derive(Serialize)]
struct EgressJson {
    state: &'static str,
    default: Option<&'static str>,
    allowed: Option<usize>,
    denied: Option<usize>,
    rules: Option<usize>,
}

#[derive(Serialize)]
struct LineJson {
    status: &'static str,
    id: String,
    harness: &'static str,
    code: &'static str,
    kind: &'static str,
    drift: bool,
    weakens: Vec<&'static str>,
    problem: String,
    fix: String,
    source: Option<&'static str>,
    /// As a device reports it.
    line: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Ok,
    Warn,
    Fail,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "FAIL",
        }
    }
}

/// One line of the answer, with its remedy.
struct Line {
    verdict: Verdict,
    harness: Harness,
    text: String,
    fix: Option<String>,
}

pub(crate) fn run(global: &Global, args: &DoctorArgs, out: &mut Out) -> Status {
    let device = match open(args) {
        Ok(device) => device,
        Err((message, help)) => {
            out.error(&message, help);
            return Ok(2);
        }
    };
    let named = global.named || args.selection.ring.is_some() || args.selection.unit.is_some();
    // A repository that is judged does not bring the policy that it is judged by. What cannot be
    // looked at is there.
    let organisation = global.policy_dir.join(ORGANISATION);
    let here = args.project.is_none() && organisation.try_exists().unwrap_or(true);
    if !named && !here {
        out.diagnostic(
            "note: no policy was given, so managed files were not compared with what one renders; \
             name one with --policy-dir",
        );
        return answer(&device, None, &[], out);
    }
    let validation = match policy::read(global, out) {
        Ok(validation) => validation,
        Err(error) => return no_policy(&error, out),
    };
    let selection = match policy::select(&validation, &global.policy_dir, &args.selection) {
        Ok((_, selection)) => selection,
        Err(error) => return no_policy(&error, out),
    };
    let device = device.with_egress(selection.policy().egress());
    let expected = expected(&selection, args.strict, out);
    answer(&device, Some(&selection), &expected, out)
}

fn open(args: &DoctorArgs) -> Result<Device, (String, &'static str)> {
    let home = args.home.clone().or_else(std::env::home_dir);
    let Some(home) = home.filter(|home| home != &PathBuf::new()) else {
        return Err((
            "the home directory is not known".to_owned(),
            "name it with --home",
        ));
    };
    let device = Device::open(&args.root, Os::here().into(), &home)
        .map_err(|error| match error {
            DeviceError::Home => (named(&error, &home), "see --home"),
            _ => (named(&error, &args.root), "see --root"),
        })?
        .with_variables(std::env::vars_os());
    match &args.project {
        Some(project) => device
            .with_project(project)
            .map_err(|error| (named(&error, project), "see --project")),
        None => Ok(device),
    }
}

/// What is wrong with a directory, which is told as it was written.
fn named(error: &DeviceError, path: &Path) -> String {
    format!("{}: {error}", shown(path))
}

fn no_policy(error: &NoPolicy, out: &mut Out) -> Status {
    out.error(&error.message, &error.help);
    Ok(2)
}

/// What the policy renders for each harness that it pins.
fn expected(selection: &Selection<'_>, strict: bool, out: &mut Out) -> Vec<Expected> {
    let (hardening, other) = if strict {
        (Hardening::Strict, Hardening::Standard)
    } else {
        (Hardening::Standard, Hardening::Strict)
    };
    let mut expected = Vec::new();
    for (harness, version) in selection.policy().pins() {
        let target = Target::new(harness, version.clone(), Os::here().into());
        match render(selection.policy(), &target, hardening) {
            Ok(rendering) => {
                let one = Expected::new(&target, &rendering);
                expected.push(match render(selection.policy(), &target, other) {
                    Ok(rendering) => one.with_other_strength(other, &rendering),
                    Err(_) => one,
                });
            }
            Err(error) => out.error(
                &error.to_string(),
                "its managed files were not compared with what the policy renders",
            ),
        }
    }
    expected
}

fn answer(
    device: &Device,
    selection: Option<&Selection<'_>>,
    expected: &[Expected],
    out: &mut Out,
) -> Status {
    let postures = device.examine(expected);
    let pin = |harness| selection.and_then(|selection| selection.policy().pin(harness));
    let lines: Vec<Line> = postures
        .iter()
        .flat_map(|posture| lines(posture, pin(posture.harness())))
        .collect();
    let count = |verdict| lines.iter().filter(|line| line.verdict == verdict).count();
    let failures = count(Verdict::Fail);
    let report = DeviceReport::of(&postures);
    let ring = selection.and_then(Selection::ring);
    let compliant = ring.map(|ring| is_compliant(Some(&report), ring.posture()));
    let ok = failures == 0 && compliant != Some(false);
    if out.is_json() {
        out.json(&DoctorJson {
            ok,
            failures,
            warnings: count(Verdict::Warn),
            policy: selection.map(|selection| PolicyJson {
                ring: ring.map(policy_core::Ring::name),
                unit: selection.unit(),
                profile: selection.profile(),
                posture: ring.map(|ring| ring.posture().as_str()),
                compliant,
            }),
            report: &report,
            harnesses: postures
                .iter()
                .map(|posture| harness_json(posture, pin(posture.harness())))
                .collect(),
            findings: postures.iter().flat_map(findings_json).collect(),
        })?;
    } else {
        for line in &lines {
            print(line, out)?;
        }
        if postures.is_empty() {
            out.diagnostic("note: no agent was found");
        }
        if failures == 0 && !ok {
            out.diagnostic(
                "note: the ring's posture is `enforce`, under which a gateway refuses this device",
            );
        }
    }
    Ok(u8::from(!ok))
}

/// The lines of one harness: what it does, then what weakens it.
fn lines(posture: &HarnessPosture, pin: Option<&Version>) -> Vec<Line> {
    let harness = posture.harness();
    let line = |verdict, text, fix| Line {
        verdict,
        harness,
        text,
        fix,
    };
    let mut lines = Vec::new();
    let summary = posture.summary();
    let is_known = !matches!(summary.sandbox(), SandboxState::Unknown);
    // What cannot be judged has its own line below.
    if posture.is_installed() && is_known {
        let (verdict, fix) = if summary.restricts() {
            (Verdict::Ok, None)
        } else {
            (Verdict::Warn, Some(unmanaged_fix(harness).to_owned()))
        };
        lines.push(line(verdict, summary.to_string(), fix));
    }
    lines.extend(posture.findings().iter().map(|finding| {
        let mut text = finding.problem();
        if let Some(pin) = pin.filter(|_| finding.check().code().starts_with("version-")) {
            text = format!(
                "{text} (installed {}, pinned {pin})",
                versions(posture).join(", ")
            );
        }
        line(verdict_of(finding), text, Some(finding.fix()))
    }));
    lines.extend(posture.unknown().iter().map(|unknown| {
        line(
            verdict_of_unknown(unknown),
            unknown.problem(),
            Some(unknown.fix().to_owned()),
        )
    }));
    lines
}

fn unmanaged_fix(harness: Harness) -> &'static str {
    match harness {
        Harness::CursorCli => "set the team sandbox policy in Cursor's admin dashboard",
        _ => "place the managed files that `halo release build` renders",
    }
}

fn verdict_of(finding: &Finding) -> Verdict {
    match finding.severity() {
        Severity::Failure => Verdict::Fail,
        Severity::Warning | Severity::Notice => Verdict::Warn,
    }
}

fn verdict_of_unknown(unknown: &Unknown) -> Verdict {
    if unknown.is_managed() || unknown.is_projects() {
        Verdict::Fail
    } else {
        Verdict::Warn
    }
}

fn print(line: &Line, out: &mut Out) -> std::io::Result<()> {
    let style = match line.verdict {
        Verdict::Ok => GOOD,
        Verdict::Warn => WARN,
        Verdict::Fail => BAD,
    };
    let (word, id) = (line.verdict.word(), id(line.harness));
    let text = &line.text;
    let padding = " ".repeat(4_usize.saturating_sub(word.len()));
    out.line(format_args!(
        "{style}{word}{style:#}{padding} {id:<24} {text}"
    ))?;
    if let Some(fix) = &line.fix {
        out.line(format_args!("{:30}fix: {fix}", ""))?;
    }
    Ok(())
}

fn id(harness: Harness) -> String {
    format!("posture/{harness}")
}

fn versions(posture: &HarnessPosture) -> Vec<String> {
    posture.versions().iter().map(ToString::to_string).collect()
}

fn harness_json(posture: &HarnessPosture, pin: Option<&Version>) -> HarnessJson {
    let summary = posture.summary();
    let (state, modes) = match summary.sandbox() {
        SandboxState::Unmanaged => ("unmanaged", None),
        SandboxState::Off => ("off", None),
        SandboxState::On => ("on", None),
        SandboxState::Modes(modes) => ("modes", Some(modes.clone())),
        _ => ("unknown", None),
    };
    HarnessJson {
        name: posture.harness().name(),
        installed: posture.is_installed(),
        versions: versions(posture),
        pin: pin.map(ToString::to_string),
        managed: posture.is_managed(),
        rendered: posture.comparison().as_str(),
        sandbox: SandboxJson { state, modes },
        egress: egress_json(summary.egress()),
        summary: summary.to_string(),
    }
}

fn egress_json(egress: EgressState) -> EgressJson {
    let plain = |state| EgressJson {
        state,
        default: None,
        allowed: None,
        denied: None,
        rules: None,
    };
    match egress {
        EgressState::Unmanaged => plain("unmanaged"),
        EgressState::Hosts {
            unlisted,
            allowed,
            denied,
        } => EgressJson {
            default: Some(unlisted.as_str()),
            allowed: Some(allowed),
            denied: Some(denied),
            ..plain("hosts")
        },
        EgressState::FetchDenied => plain("fetch-denied"),
        EgressState::FetchAsks => plain("fetch-asks"),
        EgressState::FetchRules(rules) => EgressJson {
            rules: Some(rules),
            ..plain("fetch-rules")
        },
        _ => plain("unknown"),
    }
}

fn findings_json(posture: &HarnessPosture) -> impl Iterator<Item = LineJson> {
    let findings = posture.findings().iter().map(|finding| {
        let check = finding.check();
        LineJson {
            status: verdict_of(finding).word(),
            id: id(finding.harness()),
            harness: finding.harness().name(),
            code: check.code(),
            kind: finding.severity().as_str(),
            drift: finding.severity() > Severity::Notice,
            weakens: check.weakens().iter().map(|part| part.as_str()).collect(),
            problem: finding.problem(),
            fix: finding.fix(),
            source: Some(check.source()),
            line: finding.to_string(),
        }
    });
    let unknown = posture.unknown().iter().map(|unknown| LineJson {
        status: verdict_of_unknown(unknown).word(),
        id: id(unknown.harness()),
        harness: unknown.harness().name(),
        code: unknown.obstacle().code(),
        kind: "unknown",
        drift: false,
        weakens: Vec::new(),
        problem: unknown.problem(),
        fix: unknown.fix().to_owned(),
        source: None,
        line: unknown.to_string(),
    });
    findings.chain(unknown)
}

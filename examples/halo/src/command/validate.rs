//! `halo validate`.

use policy_core::{Finding, Position, Severity, Validation};
use serde::Serialize;

use super::Status;
use super::pins::{self, PinFinding};
use crate::cli::Global;
use crate::out::{BAD, DIM, GOOD, Out, WARN};
use crate::policy;

#[derive(Serialize)]
struct ValidationJson<'v> {
    ok: bool,
    errors: usize,
    warnings: usize,
    findings: Vec<FindingJson<'v>>,
}

#[derive(Serialize)]
struct FindingJson<'v> {
    severity: &'static str,
    code: &'static str,
    path: Option<&'v str>,
    file: Option<&'v str>,
    line: Option<u32>,
    column: Option<u32>,
    message: &'v str,
    help: Option<&'v str>,
    evidence: Option<&'v str>,
}

pub(crate) fn run(global: &Global, out: &mut Out) -> Status {
    let validation = policy::read_files(&global.policy_dir).validate();
    let pins = pins::judge(&validation);
    let count = |severity| {
        let of_pins = pins.iter().filter(|pin| pin.severity == severity).count();
        validation.count(severity).saturating_add(of_pins)
    };
    let errors = count(Severity::Error);
    let warnings = count(Severity::Warning);
    let mut findings: Vec<Told<'_>> = validation.findings().iter().map(Told::Policy).collect();
    findings.extend(pins.iter().map(Told::Pin));
    // What concerns one place stands together; the rest keeps its order.
    findings.sort_by_key(Told::place);
    if out.is_json() {
        out.json(&ValidationJson {
            ok: errors == 0,
            errors,
            warnings,
            findings: findings.iter().map(Told::json).collect(),
        })?;
    } else {
        for finding in &findings {
            out.line(finding.text())?;
        }
        out.line(format_args!(
            "{DIM}public suffix list of {}{DIM:#}",
            Validation::suffix_list_date()
        ))?;
        out.line(if errors == 0 {
            format!("{GOOD}OK{GOOD:#}: policy valid ({warnings} warnings)")
        } else {
            format!("{BAD}{errors} errors{BAD:#}, {warnings} warnings")
        })?;
    }
    Ok(match errors {
        _ if policy::missing(&validation).is_some() => 2,
        0 => 0,
        _ => 1,
    })
}

/// A finding of the policy, or of who renders it.
enum Told<'v> {
    Policy(&'v Finding),
    Pin(&'v PinFinding<'v>),
}

impl<'v> Told<'v> {
    fn severity(&self) -> Severity {
        match self {
            Self::Policy(finding) => finding.severity(),
            Self::Pin(finding) => finding.severity,
        }
    }

    fn place(&self) -> (&'v str, Option<Position>) {
        match self {
            Self::Policy(finding) => (finding.file(), finding.position()),
            Self::Pin(finding) => (finding.pin.file(), finding.pin.position()),
        }
    }

    fn text(&self) -> String {
        let style = match self.severity() {
            Severity::Error => BAD,
            Severity::Warning => WARN,
            _ => GOOD,
        };
        let text = match self {
            Self::Policy(finding) => finding.to_string(),
            Self::Pin(finding) => finding.text(),
        };
        // The finding's own text stands first; only its severity is coloured.
        match text.strip_prefix(self.severity().as_str()) {
            Some(rest) => format!("{style}{}{style:#}{rest}", self.severity()),
            None => text,
        }
    }

    fn json(&self) -> FindingJson<'_> {
        match self {
            Self::Policy(finding) => json(finding),
            Self::Pin(finding) => FindingJson {
                severity: finding.severity.as_str(),
                code: finding.code,
                path: Some(finding.pin.path()),
                file: Some(finding.pin.file()),
                line: finding.pin.position().map(|at| at.line().get()),
                column: finding.pin.position().map(|at| at.column().get()),
                message: &finding.message,
                help: Some(&finding.help),
                evidence: None,
            },
        }
    }
}

fn json(finding: &Finding) -> FindingJson<'_> {
    let text = |text| Some(text).filter(|text: &&str| !text.is_empty());
    FindingJson {
        severity: finding.severity().as_str(),
        code: finding.code().as_str(),
        path: text(finding.path()),
        file: text(finding.file()),
        line: finding.position().map(|position| position.line().get()),
        column: finding.position().map(|position| position.column().get()),
        message: finding.message(),
        help: finding.help(),
        evidence: finding.evidence(),
    }
}

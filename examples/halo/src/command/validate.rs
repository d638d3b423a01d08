//! `halo validate`.

use policy_core::{Code, Finding, Severity, Validation};
use serde::Serialize;

use super::Status;
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
    let errors = validation.count(Severity::Error);
    let warnings = validation.count(Severity::Warning);
    if out.is_json() {
        out.json(&ValidationJson {
            ok: errors == 0,
            errors,
            warnings,
            findings: validation.findings().iter().map(json).collect(),
        })?;
    } else {
        for finding in validation.findings() {
            out.line(text(finding))?;
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
    let unreadable = validation
        .findings()
        .iter()
        .any(|finding| finding.code() == Code::Unreadable && finding.file().is_empty());
    Ok(match errors {
        _ if unreadable => 2,
        0 => 0,
        _ => 1,
    })
}

fn text(finding: &Finding) -> String {
    let style = match finding.severity() {
        Severity::Error => BAD,
        Severity::Warning => WARN,
        _ => GOOD,
    };
    let text = finding.to_string();
    // The finding's own text stands first; only its severity is coloured.
    match text.strip_prefix(finding.severity().as_str()) {
        Some(rest) => format!("{style}{}{style:#}{rest}", finding.severity()),
        None => text,
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

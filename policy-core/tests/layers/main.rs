//! What layers add up to: `extends`, the overlays of units, and the gateway in every ring with every
//! unit.
#![cfg(feature = "repository")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test without its policy has failed"
)]

extern crate alloc;

#[expect(
    clippy::indexing_slicing,
    clippy::type_complexity,
    reason = "rings are numbers of a small world"
)]
mod difference;
mod explain;
mod extends;
mod gateway;
mod laws;
mod lints;
mod overlays;

use policy_core::{Policy, Repository, Severity, Source, Validation};

/// Validates a repository of these files.
fn validate(files: &[(&str, &str)]) -> Validation {
    let files = files
        .iter()
        // A document that says nothing; a file of nothing is refused.
        .map(|(path, text)| (path, if text.is_empty() { "{}" } else { text }))
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    Repository::from_files(files).validate()
}

/// The errors, one a line: `code place`.
fn errors(validation: &Validation) -> Vec<String> {
    of_severity(validation, Severity::Error)
}

fn of_severity(validation: &Validation, severity: Severity) -> Vec<String> {
    let findings = validation
        .findings()
        .iter()
        .filter(|finding| finding.severity() == severity);
    findings
        .map(|finding| format!("{} {}", finding.code(), finding.path()))
        .collect()
}

/// The policy of a profile, in one line.
fn profile(validation: &Validation, name: &str) -> String {
    let organisation = organisation(validation);
    described(organisation.select_profile(name).unwrap().policy())
}

/// The policy of a ring with a unit, in one line.
fn unit(validation: &Validation, ring: &str, unit: &str) -> String {
    let organisation = organisation(validation);
    described(
        organisation
            .select(Some(ring), Some(unit))
            .unwrap()
            .policy(),
    )
}

fn organisation(validation: &Validation) -> &policy_core::Organisation {
    let findings = validation.findings();
    validation
        .organisation()
        .unwrap_or_else(|| panic!("{findings:#?}"))
}

/// A policy in one line; presets are named and not expanded.
fn described(policy: &Policy) -> String {
    let mut parts = Vec::new();
    let mut presets = Vec::new();
    for (pattern, source) in policy.egress().allowed() {
        match source {
            Source::Preset(preset) if presets.contains(&preset) => {}
            Source::Preset(preset) => {
                presets.push(preset);
                parts.push(format!("+{preset}"));
            }
            _ => parts.push(format!("+{pattern}")),
        }
    }
    parts.extend(
        policy
            .egress()
            .denied()
            .map(|pattern| format!("-{pattern}")),
    );
    let default = policy.egress().default_rule().to_string();
    parts.push(default.replace("egress.default ", "else "));
    if let Some(sandbox) = policy.sandbox() {
        let implied = if policy.is_mode_implied() {
            " (implied)"
        } else {
            ""
        };
        parts.push(format!("{}{implied}", sandbox.mode()));
        parts.extend(
            sandbox
                .writable_roots()
                .iter()
                .map(|root| format!("+{root}")),
        );
        parts.extend(
            sandbox
                .protected_paths()
                .iter()
                .map(|path| format!("-{path}")),
        );
    }
    parts.join(" ")
}

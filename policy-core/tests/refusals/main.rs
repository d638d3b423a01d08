//! Every code has a case, a near miss that stays legal, and a row in the documentation.
//!
//! `testdata/refusals/<code>/` holds `case/`, a small policy repository, and `expected.txt`, all its
//! findings as people read them; and `near-miss/`, as like it as can be without a finding of that
//! code. A near miss has no findings at all, or those of `near-miss.txt`. Where no repository can
//! hold the case, `case.txt` says why, and [`built`] builds it.
//!
//! `UPDATE=1` writes the expected files and the documentation anew.
#![cfg(feature = "repository")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test whose files cannot be read or written has failed"
)]

mod built;
mod documentation;

extern crate alloc;

use alloc::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use policy_core::{Code, Finding, Repository, Severity, Validation};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/refusals")
}

fn validate(code: Code) -> Validation {
    let case = directory().join(code.as_str()).join("case");
    if case.is_dir() {
        Repository::read(&case).validate()
    } else {
        built::repository(code).validate()
    }
}

/// The findings as people read them; of a thousand the first.
fn text(findings: &[Finding]) -> String {
    const SHOWN: usize = 40;
    let shown = findings.iter().take(SHOWN);
    let mut text: String = shown.map(|finding| format!("{finding}\n")).collect();
    if let Some(more @ 1..) = findings.len().checked_sub(SHOWN) {
        text += &format!("… and {more} more\n");
    }
    text
}

/// Compares a text with a file, or writes the file.
fn expect(path: &Path, actual: &str, problems: &mut Vec<String>) {
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return;
    }
    if std::env::var_os("UPDATE").is_none() {
        let path = path.display();
        problems.push(format!(
            "{path} differs:\n--- expected\n{expected}--- found\n{actual}"
        ));
    } else if actual.is_empty() {
        fs::remove_file(path).unwrap();
    } else {
        fs::write(path, actual).unwrap();
    }
}

#[test]
fn every_code_has_a_case_a_near_miss_and_a_row() {
    let mut problems = Vec::new();
    let mut page = documentation::introduction();
    for code in Code::ALL {
        let directory = directory().join(code.as_str());
        let validation = validate(*code);
        let findings = validation.findings();
        expect(
            &directory.join("expected.txt"),
            &text(findings),
            &mut problems,
        );
        match findings.iter().find(|finding| finding.code() == *code) {
            Some(finding) => page += &documentation::row(*code, finding),
            None => problems.push(format!("{code}: its case does not have it")),
        }
        let has_error = findings
            .iter()
            .any(|finding| finding.severity() == Severity::Error);
        if validation.organisation().is_some() == has_error {
            problems.push(format!(
                "{code}: a policy with errors is used, or one without is not"
            ));
        }
        let is_built = !directory.join("case").is_dir();
        if is_built != directory.join("case.txt").is_file() {
            problems.push(format!("{code}: either `case` or `case.txt` belongs there"));
        }
        if !directory.join("near-miss").is_dir() {
            problems.push(format!("{code}: no near miss"));
        }
        let near_miss = Repository::read(&directory.join("near-miss")).validate();
        let findings = near_miss.findings();
        expect(
            &directory.join("near-miss.txt"),
            &text(findings),
            &mut problems,
        );
        if findings.iter().any(|finding| finding.code() == *code)
            || near_miss.organisation().is_none()
        {
            problems.push(format!(
                "{code}: the near miss is none:\n{}",
                text(findings)
            ));
        }
    }
    page += documentation::pins();
    expect(&documentation::path(), &page, &mut problems);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_case_is_that_of_a_code() {
    let codes: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    for entry in fs::read_dir(directory()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(codes.contains(&*name), "{name} is no code");
    }
}

//! What holds of the checks whatever the bytes.

use harness_render::{Check, Context, Finding, Os, Unknown, watched};
use policy_core::Harness;

/// Every check judges every file, none panics, and what is said is made of the check's own words and
/// the vendor's name for the file. The bytes before the first NUL are the managed files, the rest is
/// everything else.
pub(crate) fn every_word_is_the_checks_own(bytes: &[u8]) {
    let at = bytes.iter().position(|byte| *byte == 0);
    let (managed, other) = bytes.split_at(at.unwrap_or(bytes.len()));
    let other = other.strip_prefix(&[0]).unwrap_or(other);
    for harness in Harness::ALL {
        for os in Os::ALL {
            judge(*harness, os, managed, other);
        }
    }
}

fn judge(harness: Harness, os: Os, managed: &[u8], other: &[u8]) {
    let mut context = Context::unmanaged(harness, os);
    let files = watched(harness)
        .iter()
        .filter(|file| file.path(os).is_some());
    let paths: Vec<&str> = files.clone().filter_map(|file| file.path(os)).collect();
    for file in files.clone().filter(|file| file.is_managed()) {
        if let Err(unknown) = context.manage(file, managed) {
            own_words_of_unknown(&unknown, file.path(os).unwrap_or_default());
            assert!(context.is_restricted(), "what cannot be judged restricts");
        }
    }
    for finding in context.findings() {
        assert!(paths.iter().any(|path| is_own(&finding, path)), "{finding}");
    }
    assert!(!context.summary().to_string().contains('\n'));
    for file in files.filter(|file| !file.is_managed()) {
        let path = file.path(os).unwrap_or_default();
        match context.inspect(file, other) {
            Ok(findings) => {
                for finding in findings {
                    assert!(is_own(&finding, path), "{finding}");
                }
            }
            Err(unknown) => own_words_of_unknown(&unknown, path),
        }
    }
    let value = String::from_utf8_lossy(other);
    for name in harness_render::checks(harness).map(Check::code) {
        assert!(context.inspect_variable(name, &value).is_empty());
    }
    for name in [
        "CODEX_HOME",
        "GEMINI_SANDBOX",
        "OPENCODE_PERMISSION",
        "SANDBOX",
    ] {
        for finding in context.inspect_variable(name, &value) {
            assert!(is_own(&finding, ""), "{finding}");
        }
    }
}

fn is_own(finding: &Finding, path: &str) -> bool {
    let check = finding.check();
    let line = format!(
        "posture:{}: {}; fix: {}",
        finding.harness(),
        check.problem().replace("{}", path),
        check.fix().replace("{}", path)
    );
    finding.to_string() == line
}

fn own_words_of_unknown(unknown: &Unknown, path: &str) {
    let (harness, obstacle) = (unknown.harness(), unknown.obstacle());
    let line = format!(
        "posture:{harness}: unknown: {path} {}; fix: {}",
        obstacle.problem(),
        obstacle.fix()
    );
    assert_eq!(unknown.to_string(), line);
}

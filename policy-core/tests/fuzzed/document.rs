//! Whatever the files of a repository hold.

use arbitrary::Unstructured;
use policy_core::{
    Code, Finding, Organisation, Policy, Repository, Ring, Severity, Validation, witnesses,
};

use crate::draw;

type Files = Vec<(String, Vec<u8>)>;

/// Text in which a line `=== PATH` begins a file, and what stands before the first such line is
/// `profiles/base.yaml`.
pub(crate) fn document(bytes: &[u8]) {
    let mut files = vec![("profiles/base.yaml".to_owned(), b"{}".to_vec())];
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_prefix(b"=== ") {
            Some(path) => {
                let path = String::from_utf8_lossy(path);
                files.push((path.trim_end_matches('\n').to_owned(), Vec::new()));
            }
            None => files.last_mut().unwrap().1.extend(line),
        }
    }
    if files[0].1.is_empty() {
        files.remove(0);
    }
    files_obey_every_law(&files);
}

/// A repository drawn from the bytes, most of it sound.
pub(crate) fn drawn_document(bytes: &[u8]) {
    if let Ok(files) = draw::repository(&mut Unstructured::new(bytes)) {
        files_obey_every_law(&files);
    }
}

fn validate(files: &Files) -> Validation {
    Repository::from_files(files.clone()).validate()
}

fn files_obey_every_law(files: &Files) {
    let validation = validate(files);
    let findings = validation.findings();
    // A thousand of a file and one that counts the rest; one report more for the repository.
    assert!(findings.len() <= 1_001 * (files.len() + 1));
    assert!(findings.is_sorted());
    findings.iter().for_each(a_finding_hides_nothing);
    assert_eq!(findings, validate(files).findings());
    the_order_of_files_does_not_matter(files, findings);
    line_ends_and_byte_order_marks_do_not_matter(files, findings);

    let sound = validation.count(Severity::Error) == 0;
    assert_eq!(validation.organisation().is_some(), sound);
    if let Some(organisation) = validation.organisation() {
        every_selection_decides(organisation);
    }
}

fn the_order_of_files_does_not_matter(files: &Files, findings: &[Finding]) {
    // Of a file that is given twice, the first is read.
    let twice = |finding: &Finding| finding.code() == Code::DuplicateFile;
    if findings.iter().any(twice) {
        return;
    }
    let reversed: Files = files.iter().rev().cloned().collect();
    assert_eq!(findings, validate(&reversed).findings());
}

fn line_ends_and_byte_order_marks_do_not_matter(files: &Files, findings: &[Finding]) {
    let plain = |text: &[u8]| {
        let text = core::str::from_utf8(text);
        text.is_ok_and(|text| !text.contains('\r') && !text.starts_with(['\u{FEFF}', '\u{FFFE}']))
    };
    if !files.iter().all(|(_, text)| plain(text)) {
        return;
    }
    let other: Files = files
        .iter()
        .map(|(path, text)| {
            let text = core::str::from_utf8(text).unwrap().replace('\n', "\r\n");
            (path.clone(), format!("\u{FEFF}{text}").into_bytes())
        })
        .collect();
    assert_eq!(findings, validate(&other).findings());
}

/// One line for each thing it says, and no character that could break a line, hide or reorder text.
fn a_finding_hides_nothing(finding: &Finding) {
    let text = finding.to_string();
    let path = Some(finding.path()).filter(|path| !path.is_empty());
    let parts = [
        ("path", path),
        ("evidence", finding.evidence()),
        ("help", finding.help()),
    ];
    let mut lines = text.split('\n');
    let first = lines.next().unwrap();
    let start = format!("{}[{}]", finding.severity(), finding.code());
    assert!(first.starts_with(&start), "{text}");
    for (label, _) in parts.into_iter().filter(|(_, part)| part.is_some()) {
        let line = lines.next().unwrap_or_default();
        assert!(line.starts_with(&format!("  {label}: ")), "{text}");
    }
    assert_eq!(lines.next(), None, "{text}");
    assert!(!text.replace('\n', "").contains(hides), "{text:?}");
    // Programs print these by themselves.
    let shown = [Some(finding.message()), Some(finding.path())];
    for part in shown
        .into_iter()
        .chain([finding.evidence(), finding.help()])
    {
        assert!(
            !part.is_some_and(|part| part.contains(hides)),
            "{finding:?}"
        );
    }
    assert!(finding.help().is_some(), "{text}");
}

fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

fn every_selection_decides(organisation: &Organisation) {
    for profile in organisation.profile_names() {
        let selection = organisation.select_profile(profile).unwrap();
        decides(selection.policy());
    }
    let rings = || organisation.rings().map(|ring| Some(ring.name()));
    for ring in rings() {
        let selection = organisation.select(ring, None).unwrap();
        let ring_policy = selection.policy();
        allows_the_gateway(organisation, ring_policy);
        for unit in organisation.unit_names() {
            let selection = organisation.select(ring, Some(unit)).unwrap();
            decides(selection.policy());
            allows_the_gateway(organisation, selection.policy());
            assert_eq!(selection.policy().is_within(ring_policy), Ok(()));
        }
    }
    assert!(organisation.select(Some("no such ring"), None).is_err());
    let default = organisation.rings().find(|ring| ring.is_default());
    let selected = organisation.select(None, None).ok();
    let selected = selected.and_then(|selection| selection.ring().map(Ring::name));
    assert_eq!(selected, default.map(Ring::name));
}

fn allows_the_gateway(organisation: &Organisation, policy: &Policy) {
    if let Some(gateway) = organisation.gateway() {
        assert!(policy.egress().decide(gateway).is_allowed(), "{gateway}");
    }
}

fn decides(policy: &Policy) {
    for host in witnesses(policy.egress().patterns()) {
        let decision = policy.egress().decide(&host);
        let first = policy.egress().rules_for(&host).next();
        let rule = first.unwrap_or(policy.egress().default_rule());
        assert_eq!(decision.rule(), rule, "{host}");
    }
    assert_eq!(policy.is_within(policy), Ok(()));
    assert_eq!(policy.difference(policy), []);
}

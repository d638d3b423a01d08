//! A repository as a whole: which file is what, and what a directory may hold.
#![cfg(feature = "repository")]

use policy_core::{Code, Finding, Repository, Severity};
use proptest::prelude::*;

const HALOS: (&str, &str) = (
    "halos.yaml",
    "rings: { ga: { profile: base, default: true } }",
);
const BASE: (&str, &str) = ("profiles/base.yaml", "egress: { presets: [vcs] }");

fn from_texts(files: &[(&str, &str)]) -> Repository {
    let owned = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    Repository::from_files(owned)
}

/// `file code: help`, one a finding.
fn told(findings: &[Finding]) -> Vec<String> {
    let line = |finding: &Finding| {
        let help = finding.help().unwrap_or("no help");
        format!("{} {}: {help}", finding.file(), finding.code())
    };
    findings.iter().map(line).collect()
}

#[test]
fn a_sound_repository_has_no_findings() {
    let repository = from_texts(&[
        HALOS,
        BASE,
        ("profiles/engineering.yaml", "extends: base"),
        ("profiles/README.md", "{{{ not read"),
        ("profiles/.gitkeep", ""),
        (
            "units/payments.yaml",
            "overlays: [{ rings: [ga], egress: { deniedDomains: [a.example] } }]",
        ),
        ("README.md", "{{{ not read"),
        (".github/workflows/ci.yml", "{{{ not read"),
        ("scripts/deploy.yaml", "{{{ not read"),
    ]);
    assert_eq!(told(repository.findings()), [""; 0]);
}

#[test]
fn a_file_that_would_not_be_read_is_told() {
    const YAML_ONLY: &str = "move it elsewhere; hidden files and `*.md` may stay";
    const NAME: &str = "write 1 to 63 characters of `a-z 0-9 . _ -`, the first a letter or a digit";
    const ROOT: &str = "write it from the repository's root, with `/` between its parts";
    let long = format!("units/{}.yaml", "a".repeat(64));
    for (path, expected) in [
        (
            "units/payments.yml",
            "stray-file: rename it to `payments.yaml`",
        ),
        (
            "units/payments.YAML",
            "stray-file: rename it to `payments.yaml`",
        ),
        ("units/payments.json", &format!("stray-file: {YAML_ONLY}")),
        (
            "units/payments.yaml.bak",
            &format!("stray-file: {YAML_ONLY}"),
        ),
        ("units/payments", &format!("stray-file: {YAML_ONLY}")),
        ("units/Payments.yaml", &format!("bad-name: {NAME}")),
        ("units/a b.yaml", &format!("bad-name: {NAME}")),
        ("units/-a.yaml", &format!("bad-name: {NAME}")),
        (&long, &format!("bad-name: {NAME}")),
        ("unit", "near-miss-name: did you mean `units`?"),
        ("Profiles", "stray-file: rename it to `profiles`"),
        ("halos.yml", "near-miss-name: did you mean `halos.yaml`?"),
        ("halo.yaml", "near-miss-name: did you mean `halos.yaml`?"),
        ("/units/a.yaml", &format!("stray-file: {ROOT}")),
        ("./units/a.yaml", &format!("stray-file: {ROOT}")),
        ("units/../units/a.yaml", &format!("stray-file: {ROOT}")),
        ("units//a.yaml", &format!("stray-file: {ROOT}")),
        ("units\\a.yaml", &format!("stray-file: {ROOT}")),
        ("", &format!("stray-file: {ROOT}")),
    ] {
        let repository = from_texts(&[HALOS, BASE, (path, "")]);
        assert_eq!(told(repository.findings()), [format!("{path} {expected}")]);
    }
    // What a directory holds is told once.
    let repository = from_texts(&[
        HALOS,
        BASE,
        ("units/eu/a.yaml", ""),
        ("units/eu/b.yaml", ""),
    ]);
    assert_eq!(
        told(repository.findings()),
        ["units/eu stray-file: move its files to `units`"]
    );
}

#[test]
fn a_name_that_leads_nowhere_is_told_with_the_nearest() {
    let repository = from_texts(&[
        (
            "halos.yaml",
            "rings:\n  ga: { profile: bsae }\n  old: { profile: legacy }\n",
        ),
        BASE,
        ("profiles/broken.yaml", "a: b: c"),
        ("profiles/child.yaml", "extends: Base"),
        ("profiles/other.yaml", "extends: broken"),
        (
            "units/u.yaml",
            "overlays: [{}, { rings: [ga, gaa, elsewhere] }]",
        ),
    ]);
    let told: Vec<String> = repository
        .findings()
        .iter()
        .map(|finding| {
            let position = finding.position().unwrap();
            let help = finding.help().unwrap();
            format!(
                "{}:{position} {} {} {help}",
                finding.file(),
                finding.code(),
                finding.path()
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "halos.yaml:2:18 unknown-profile halos.rings.ga.profile did you mean `base`?",
            "halos.yaml:3:19 unknown-profile halos.rings.old.profile add its file to `profiles`, or name another one",
            "profiles/broken.yaml:1:5 not-yaml  correct the text; quote a value that contains `:`, `#`, `{`, `[`, `|` or another special character",
            "profiles/child.yaml:1:10 unknown-profile profiles.child.extends did you mean `base`?",
            "units/u.yaml:1:30 unknown-ring units.u.overlays[1].rings[1] did you mean `ga`?",
            "units/u.yaml:1:35 unknown-ring units.u.overlays[1].rings[2] define it in `halos.yaml` under `rings`, or name another one",
        ]
    );
}

#[test]
fn rings_are_compared_only_with_all_rings() {
    // A ring of the organisation could not be read: the overlay may well mean that one.
    let repository = from_texts(&[
        (
            "halos.yaml",
            "rings: { ga: { profile: base }, canary: { porfile: base } }",
        ),
        BASE,
        ("units/u.yaml", "overlays: [{ rings: [canary] }]"),
    ]);
    let codes: Vec<Code> = repository.findings().iter().map(Finding::code).collect();
    assert_eq!(codes, [Code::MissingKey, Code::UnknownKey]);
}

#[test]
fn a_missing_part_is_told() {
    let codes = |files: &[(&str, &str)]| -> Vec<(Code, Severity)> {
        let findings = from_texts(files).findings().to_vec();
        findings
            .iter()
            .map(|finding| (finding.code(), finding.severity()))
            .collect()
    };
    assert_eq!(codes(&[BASE]), [(Code::MissingHalos, Severity::Warning)]);
    assert_eq!(codes(&[]), [(Code::EmptyRepository, Severity::Error)]);
    assert_eq!(
        codes(&[("README.md", "")]),
        [(Code::EmptyRepository, Severity::Error)]
    );
    assert_eq!(
        codes(&[HALOS, BASE, BASE]),
        [(Code::DuplicateFile, Severity::Error)]
    );
}

#[test]
fn too_many_files_and_too_many_bytes_are_refused() {
    let codes = |files: Vec<(String, Vec<u8>)>| -> Vec<Code> {
        Repository::from_files(files)
            .findings()
            .iter()
            .map(Finding::code)
            .collect()
    };
    let unit = |n: usize| (format!("units/u{n}.yaml"), b"{}".to_vec());
    assert_eq!(codes((0..20_000).map(unit).collect()), [Code::MissingHalos]);
    assert_eq!(
        codes((0..20_001).map(unit).collect()),
        [Code::MissingHalos, Code::TooManyFiles]
    );
    let mebibytes = |n: usize| vec![b'\n'; n * 1024 * 1024];
    let unit = |n: usize| (format!("units/u{n}.yaml"), mebibytes(65));
    // One over the bound of a file, and four of those over the bound of all.
    assert_eq!(codes(vec![unit(0)]), [Code::MissingHalos, Code::TooLarge]);
    assert_eq!(
        codes((0..4).map(unit).collect()),
        [&[Code::MissingHalos][..], &[Code::TooLarge; 4]].concat()
    );
}

#[test]
fn a_finding_is_a_line_that_can_be_searched_for_and_help_below_it() {
    let repository = from_texts(&[
        HALOS,
        BASE,
        (
            "units/u.yaml",
            "overlays:\n  - egress: { deniedDomain: [a.example] }",
        ),
    ]);
    assert_eq!(
        repository.findings()[0].to_string(),
        "error[unknown-key] units/u.yaml:2:15: unknown key `deniedDomain`
  path: units.u.overlays[0].egress.deniedDomain
  help: did you mean `deniedDomains`?"
    );
    let repository = from_texts(&[BASE, ("profiles/a\nb.yaml", "")]);
    let shown: Vec<String> = repository
        .findings()
        .iter()
        .map(Finding::to_string)
        .collect();
    assert_eq!(
        shown,
        [
            "warning[missing-halos]: there is no `halos.yaml`
  help: define the rings in it: `rings: { ga: { profile: base, default: true } }`",
            "error[bad-name] profiles/a\\nb.yaml: `a\\nb` cannot name a file in `profiles`
  help: write 1 to 63 characters of `a-z 0-9 . _ -`, the first a letter or a digit",
        ]
    );
}

#[test]
fn codes_are_kebab_case_and_each_has_its_own_text() {
    let mut texts: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    for text in &texts {
        assert!(
            text.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{text}"
        );
    }
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), Code::ALL.len());
}

proptest! {
    #[test]
    fn the_order_of_the_files_changes_nothing(order in Just((0..6_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let files = [
            ("halos.yaml", "rings: { ga: { profile: bsae } }\nrngs: {}"),
            ("profiles/base.yaml", "egress: { presets: [vsc] }"),
            ("profiles/child.yaml", "extends: base"),
            ("profiles/x.yml", ""),
            ("units/a.yaml", "overlays: [{ rings: [gb] }]"),
            ("units/b.yaml", "a: b: c"),
        ];
        let shuffled: Vec<_> = order.iter().map(|&at| files[at]).collect();
        let (shuffled, sorted) = (from_texts(&shuffled), from_texts(&files));
        prop_assert_eq!(shuffled.findings(), sorted.findings());
    }

    #[test]
    fn no_files_make_it_panic(files in proptest::collection::vec((
        "(halos.yaml|profiles/[a-zA-Z./]{0,4}(.yaml)?|units/[a-z]{0,2}(.yaml)?|[a-z/.\\\\]{0,8})",
        "[a-z:\\[\\]{},*&!#'\"|>%@ \n\t\\x00é-]{0,40}",
    ), 0..6)) {
        let repository = Repository::from_files(files.into_iter().map(|(path, text)| (path, text.into_bytes())));
        for finding in repository.findings() {
            prop_assert!(finding.help().is_some());
            prop_assert!(!finding.to_string().chars().any(|c| c.is_control() && c != '\n'));
        }
    }
}

#[test]
fn a_password_is_never_repeated() {
    const URL: &str = "https://alice:hunter2@ai.acme.example";
    let sound = [HALOS, BASE, ("units/u.yaml", "overlays: []")];
    for (path, text) in [
        ("halos.yaml", "gateway: 'URL'"),
        ("halos.yaml", "gateway: 'URL:0/'"),
        ("halos.yaml", "gateway: ['URL']"),
        ("halos.yaml", "'URL': 1"),
        ("halos.yaml", "rings: { 'URL': { profile: base } }"),
        ("halos.yaml", "rings: { ga: { profile: 'URL' } }"),
        (
            "halos.yaml",
            "rings: { ga: { profile: base, posture: 'URL' } }",
        ),
        ("profiles/base.yaml", "egress: { allowedDomains: ['URL'] }"),
        ("profiles/base.yaml", "egress: { allowedDomains: 'URL' }"),
        (
            "profiles/base.yaml",
            "egress: { deniedDomains: ['alice:hunter2@a.example'] }",
        ),
        ("profiles/base.yaml", "egress: { presets: ['URL'] }"),
        ("profiles/base.yaml", "egress: { allowedDomains: [!URL] }"),
        ("profiles/base.yaml", "egress: { allowedDomains: [*URL] }"),
        ("profiles/base.yaml", "egress: URL"),
        ("profiles/base.yaml", "URL"),
        ("profiles/base.yaml", "extends: 'URL'"),
        ("profiles/base.yaml", "harnesses: { codex: 'URL' }"),
        ("profiles/base.yaml", "harnesses: { 'URL': 1.2.3 }"),
        ("profiles/base.yaml", "sandbox: { writableRoots: ['URL'] }"),
        (
            "profiles/base.yaml",
            "sandbox: { protectedPaths: ['URL/'] }",
        ),
        ("units/u.yaml", "overlays: [{ rings: ['URL'] }]"),
        (
            "units/u.yaml",
            "overlays: [{ egress: { deniedDomains: ['!URL'] } }]",
        ),
    ] {
        let text = text.replace("URL", URL);
        let others = sound.iter().copied().filter(|(other, _)| *other != path);
        let files: Vec<_> = others.chain([(path, &*text)]).collect();
        let repository = from_texts(&files);
        let shown = format!("{repository:?}");
        let validation = repository.validate();
        let mut findings = validation.findings().iter();
        let is_error = |finding: &Finding| finding.severity() == Severity::Error;
        assert!(findings.any(is_error), "{text}");
        let mut told = format!("{shown}{validation:?}");
        for finding in validation.findings() {
            told += &format!("{finding}{}{}", finding.message(), finding.path());
            told += finding.help().unwrap_or_default();
            told += finding.evidence().unwrap_or_default();
        }
        assert!(!told.contains("hunter2"), "{text}: {told}");
    }
}

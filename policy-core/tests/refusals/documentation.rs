//! The table of all codes in `docs/findings.md`.

use std::path::Path;

use policy_core::Code;

use super::{expect, validate};

const INTRODUCTION: &str = "\
# Findings

`halo validate` collects every finding of a policy repository. An error refuses the policy: it yields
no decision and no file. A warning or an information does not, and is silenced by correcting the
policy and by nothing else. A code is never renamed and never changes its meaning.

The example and the remedy are those of the code's case, to which its name leads: a small repository,
all its findings, and a near miss without them. The page is checked by the test
`every_code_has_a_row`, which also writes it when `UPDATE=1` is set.
";

/// Each section with the first code of it, in the order of [`Code::ALL`].
const SECTIONS: [(Code, &str); 8] = [
    (Code::Unreadable, "The directory"),
    (Code::TooLarge, "The text of a file"),
    (Code::UnknownKey, "The document"),
    (Code::PatternEmpty, "The spelling of a host pattern"),
    (
        Code::PathEmpty,
        "The spelling and the place of a writable root or protected path",
    ),
    (Code::TwoDefaultRings, "Rings, profiles and the gateway"),
    (Code::ModeConflict, "What amounts to a bypass"),
    (
        Code::DuplicateEntry,
        "What is legal and was most likely not meant",
    ),
];

#[test]
fn every_code_has_a_row() {
    let mut page = INTRODUCTION.to_owned();
    for code in Code::ALL {
        if let Some((_, title)) = SECTIONS.iter().find(|(first, _)| first == code) {
            page += &format!(
                "\n## {title}\n\n| Code | Severity | What it is | For example | Remedy |\n|---|---|---|---|---|\n"
            );
        }
        let validation = validate(*code);
        let finding = validation
            .findings()
            .iter()
            .find(|finding| finding.code() == *code);
        let finding = finding.unwrap_or_else(|| panic!("the case of {code} does not have it"));
        let help = finding
            .help()
            .unwrap_or_else(|| panic!("{code} has no remedy"));
        page += &format!(
            "| [`{code}`](../policy-core/testdata/refusals/{code}) | {} | {} | {} | {} |\n",
            code.severity(),
            cell(code.about()),
            cell(finding.message()),
            cell(help),
        );
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/findings.md");
    let mut problems = Vec::new();
    expect(&path, &page, &mut problems);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Text for a cell: a bar would end it, even between backticks.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

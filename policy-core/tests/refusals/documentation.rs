//! The table of all codes in `docs/findings.md`.

use std::path::{Path, PathBuf};

use policy_core::{Code, Finding};

const INTRODUCTION: &str = "\
# Findings

`halo validate` collects every finding of a policy repository. An error refuses the policy: it yields
no decision and no file. A warning or an information does not, and is silenced by correcting the
policy and by nothing else. A code is never renamed and never changes its meaning.

The example and the remedy are those of the code's case, to which its name leads: a small repository,
all its findings, and a near miss without them. The test `every_code_has_a_case_a_near_miss_and_a_row`
holds this page to them, and writes it anew when `UPDATE=1` is set.
";

/// What stands below the rows.
const PINS: &str = "
## Pins

What a pinned release can do is known to who renders for it, so these codes are those of `halo validate` and
`halo release build`, and no decision depends on them.

| Code | Severity | What it is |
|---|---|---|
| `pin-bricks` | error | the release would not start with what is rendered for it |
| `pin-below-floor` | warning | the release reads nothing of what could be rendered |
| `pin-prerelease` | warning | the release is a pre-release |
| `pin-unseen` | information | the release is newer than any that was run |
";

/// The end of the page.
pub(super) fn pins() -> &'static str {
    PINS
}

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

/// Where the page is.
pub(super) fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/findings.md")
}

/// The page up to the first row.
pub(super) fn introduction() -> String {
    INTRODUCTION.to_owned()
}

/// The row of a code with a finding of its case, and the heading before it if it begins a section.
pub(super) fn row(code: Code, finding: &Finding) -> String {
    let section = SECTIONS.iter().find(|(first, _)| *first == code);
    let heading = section.map_or_else(String::new, |(_, title)| {
        format!("\n## {title}\n\n| Code | Severity | What it is | For example | Remedy |\n|---|---|---|---|---|\n")
    });
    let help = finding
        .help()
        .unwrap_or_else(|| panic!("{code} has no remedy"));
    format!(
        "{heading}| [`{code}`](../policy-core/testdata/refusals/{code}) | {} | {} | {} | {} |\n",
        code.severity(),
        cell(code.about()),
        cell(finding.message()),
        cell(help),
    )
}

/// Text for a cell: a bar would end it, even between backticks.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

//! The page of checks says what the checks say.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use harness_render::{Check, Obstacle, checks};
use policy_core::Harness;

const HEAD: &str = "\
# What weakens a device's posture

What `halo doctor` and a device's report look for. A **failure** and a **warning** are drift: under
`posture: enforce` a gateway refuses the device. A **notice** is a way around the managed settings that
those never closed, or a key that does nothing. `{}` stands for the file, by the vendor's name for it.
Nothing from inside a file is ever shown.

Most checks apply when the managed settings of the harness turn its sandbox or egress on. With
`--project`, a repository's files are judged whatever is managed, and what they weaken is a **failure**
([in CI](ci-doctor.md)).
";

const UNKNOWN: &str = "
## What cannot be judged

Such a file is *unknown*: never fine, apart from drift, and not compliant under `posture: enforce`. Of a
managed file or a repository's it is a failure; until a managed file is corrected, every check of the
user's files applies.

| Code | The file … | Fix |
|---|---|---|
";

fn table(title: &str, checks: &[&Check]) -> String {
    let mut text = format!(
        "\n## {title}\n\n| Code | Severity | Weakens | Problem | Fix | Known from |\n|---|---|---|---|---|---|\n"
    );
    for check in checks {
        let weakens: Vec<&str> = check.weakens().iter().map(|part| part.as_str()).collect();
        let (code, severity) = (check.code(), check.severity());
        let (problem, fix, source) = (check.problem(), check.fix(), check.source());
        let weakens = weakens.join(", ");
        writeln!(
            text,
            "| `{code}` | {severity} | {weakens} | {problem} | {fix} | {source} |"
        )
        .unwrap();
    }
    text
}

#[test]
fn the_page_of_checks_is_up_to_date() {
    let mut page = HEAD.to_owned();
    let mut seen = BTreeSet::new();
    let mut common = Vec::new();
    for harness in Harness::ALL {
        let (own, others): (Vec<&Check>, Vec<&Check>) =
            checks(*harness).partition(|check| check.code().starts_with(harness.name()));
        page.push_str(&table(&format!("`{harness}`"), &own));
        common.extend(others.into_iter().filter(|check| seen.insert(check.code())));
    }
    page.push_str(&table("Every harness", &common));
    page.push_str(UNKNOWN);
    for obstacle in Obstacle::ALL {
        let (code, problem, fix) = (obstacle.code(), obstacle.problem(), obstacle.fix());
        writeln!(page, "| `{code}` | {problem} | {fix} |").unwrap();
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/posture.md");
    if std::env::var_os("UPDATE_POSTURE_PAGE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == page,
        "docs/posture.md is not up to date: set UPDATE_POSTURE_PAGE=1, run this test, read the difference"
    );
}

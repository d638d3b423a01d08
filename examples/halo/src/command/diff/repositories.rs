//! `halo egress diff DIR DIR`: everything that two repositories say.
//!
//! What their policies mean is compared by `policy-core`; what another pin opens is known to
//! `harness-render` alone, which sees one policy and no repository. Here the two are joined.

use alloc::collections::BTreeMap;
use std::path::Path;

use harness_render::openings;
use policy_core::{DifferenceKind, Organisation, Scope, SelectError};
use serde::Serialize;

use crate::command::Status;
use crate::out::{BAD, DIM, GOOD, Out, shown};
use crate::policy::NoPolicy;

/// A text names this many rings and units, and counts the others.
const MOST_SCOPES: usize = 4;

#[derive(Serialize)]
struct RepositoriesJson<'a> {
    a: RepositoryJson,
    b: RepositoryJson,
    /// Whether B permits nothing that A does not.
    within: bool,
    differences: Vec<DifferenceJson<'a>>,
}

#[derive(Serialize)]
struct RepositoryJson {
    dir: String,
}

#[derive(Serialize)]
struct DifferenceJson<'a> {
    /// What B permits, `more` or `less`.
    change: &'static str,
    kind: &'static str,
    what: &'a str,
    evidence: &'a str,
    reason: &'a str,
    r#where: Vec<ScopeJson<'a>>,
    /// Of a pin, the systems on which it opens something.
    systems: &'a [&'static str],
}

#[derive(Serialize)]
struct ScopeJson<'a> {
    ring: Option<&'a str>,
    against: Option<&'a str>,
    unit: Option<&'a str>,
    default: bool,
}

/// A difference, whichever library tells it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    kind: DifferenceKind,
    what: String,
    evidence: String,
    reason: String,
    systems: Vec<&'static str>,
}

/// Each difference with the rings and units in which it is so, in order of the kinds.
type All<'o> = BTreeMap<Told, Vec<Scope<'o>>>;

pub(super) fn run(
    [(a_dir, a), (b_dir, b)]: [(&Path, &Organisation); 2],
    out: &mut Out,
) -> Result<Status, NoPolicy> {
    let unsound = |error: SelectError| NoPolicy::unselected(&error);
    let more = beyond(b, a).map_err(unsound)?;
    let less = beyond(a, b).map_err(unsound)?;
    Ok(answer([a_dir, b_dir], &more, &less, out))
}

fn answer(dirs: [&Path; 2], more: &All<'_>, less: &All<'_>, out: &mut Out) -> Status {
    let [a, b] = dirs;
    if out.is_json() {
        let repository = |dir: &Path| RepositoryJson {
            dir: dir.display().to_string(),
        };
        let of = |all, change| json(all, change);
        out.json(&RepositoriesJson {
            a: repository(a),
            b: repository(b),
            within: more.is_empty(),
            differences: of(more, "more").chain(of(less, "less")).collect(),
        })?;
    } else {
        out.line(format_args!("A  {}", shown(a)))?;
        out.line(format_args!("B  {}", shown(b)))?;
        match (more.is_empty(), less.is_empty()) {
            (false, _) => {
                out.line(format_args!("{BAD}B permits more{BAD:#}:"))?;
                groups(more, out)?;
                if !less.is_empty() {
                    out.line("and elsewhere less; A permits more:")?;
                    groups(less, out)?;
                }
            }
            (true, false) => {
                out.line(format_args!(
                    "{GOOD}B permits less{GOOD:#}; A permits more:"
                ))?;
                groups(less, out)?;
            }
            (true, true) => {
                out.line(format_args!("{GOOD}A and B permit the same{GOOD:#}"))?;
            }
        }
    }
    Ok(u8::from(!more.is_empty()))
}

/// Everything that one repository permits and the other does not.
fn beyond<'o>(here: &'o Organisation, there: &'o Organisation) -> Result<All<'o>, SelectError> {
    let mut all = All::new();
    for one in here.difference(there)? {
        let told = Told {
            kind: one.kind(),
            what: one.what().to_owned(),
            evidence: one.evidence().to_owned(),
            reason: one.reason().to_owned(),
            systems: Vec::new(),
        };
        all.entry(told).or_default().extend(one.scopes());
    }
    for repinned in here.repinned(there) {
        let repinned = repinned?;
        for (harness, now, was) in repinned.pins() {
            // What cannot be rendered names its release itself.
            let release = format!("{harness} {now}: ");
            for opening in openings(repinned.policy(), harness, now, was) {
                let what = opening.what();
                let what = what.strip_prefix(&release).unwrap_or(what);
                let told = Told {
                    kind: DifferenceKind::Pin,
                    what: format!("`{harness}` {now}: {what}"),
                    evidence: opening.evidence().to_owned(),
                    reason: format!(
                        "it is pinned to {now} here and to {was} there, whose rendering does not open this"
                    ),
                    systems: opening.systems().map(harness_render::Os::name).collect(),
                };
                all.entry(told).or_default().push(repinned.scope());
            }
        }
    }
    Ok(all)
}

fn groups(all: &All<'_>, out: &mut Out) -> std::io::Result<()> {
    let mut heading = None;
    for (told, scopes) in all {
        if heading != Some(told.kind) {
            heading = Some(told.kind);
            out.line(format_args!("  {}", told.kind))?;
        }
        let shows = match told.kind {
            DifferenceKind::Posture | DifferenceKind::Gateway | DifferenceKind::Ring => {
                told.reason.clone()
            }
            DifferenceKind::Pin if told.systems.is_empty() => told.reason.clone(),
            DifferenceKind::Pin => format!("for example {}", told.evidence),
            _ => format!("for example {}: {}", told.evidence, told.reason),
        };
        let (what, scopes) = (&told.what, listed(scopes, &told.systems));
        out.line(format_args!("    {what}  {DIM}{shows} ({scopes}){DIM:#}"))?;
    }
    Ok(())
}

/// Where it is so.
fn listed(scopes: &[Scope<'_>], systems: &[&str]) -> String {
    let named = scopes.iter().take(MOST_SCOPES).map(ToString::to_string);
    let mut parts: Vec<String> = named.collect();
    let others = scopes.len().saturating_sub(MOST_SCOPES);
    if others > 0 {
        parts.push(format!("and {others} more"));
    }
    let mut text = parts.join("; ");
    if !systems.is_empty() {
        text = format!("{text}; on {}", systems.join(", "));
    }
    text
}

fn json<'a>(
    all: &'a All<'_>,
    change: &'static str,
) -> impl Iterator<Item = DifferenceJson<'a>> + use<'a> {
    all.iter().map(move |(told, scopes)| DifferenceJson {
        change,
        kind: told.kind.as_str(),
        what: &told.what,
        evidence: &told.evidence,
        reason: &told.reason,
        r#where: scopes
            .iter()
            .map(|scope| ScopeJson {
                ring: scope.ring(),
                against: scope.against(),
                unit: scope.unit(),
                default: scope.is_default(),
            })
            .collect(),
        systems: &told.systems,
    })
}

//! What one policy permits beyond another, told of the layer that permits it.

use alloc::format;
use alloc::string::String;

use super::gateway::Subject;
use crate::policy::{Policy, Wider, WiderKind};
use crate::quote::quoted;
use crate::repository::finding::{Code, Finding};
use crate::repository::layer::Origin;
use crate::repository::report::RINGS;
use crate::repository::resolved::Resolved;
use crate::sandbox::SandboxWitness;

/// A sentence names this many of the things that were added.
const SHOWN: usize = 3;

/// A child whose policy is not within its parent's: a finding for hosts, one for the mode, one for
/// roots, one for protected paths.
pub(super) fn widening(
    resolved: &Resolved<'_>,
    parent: &str,
    child: &Policy,
    parent_policy: &Policy,
) -> Vec<Finding> {
    let wider = child.difference(parent_policy);
    let of_kind = |kind: &WiderKind| {
        let group: Vec<&Wider<'_>> = wider.iter().filter(|wider| wider.kind() == *kind).collect();
        let evidence = group.first()?.evidence();
        let place = group.first().and_then(|first| place(resolved, first))?;
        let message = format!(
            "permits more than its parent {}: {}",
            quoted(parent),
            added(&group)
        );
        let help = format!(
            "nothing to do if it is meant to permit more than {}",
            quoted(parent)
        );
        let finding = place.finding(Code::WidensParent, message);
        Some(finding.with_evidence(evidence).with_help(help))
    };
    WiderKind::ALL.iter().filter_map(of_kind).collect()
}

fn added(group: &[&Wider<'_>]) -> String {
    let shown: Vec<String> = group
        .iter()
        .take(SHOWN)
        .map(|wider| wider.added())
        .collect();
    match group.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The place in the last layer that made a policy wider.
fn place<'l>(resolved: &Resolved<'l>, wider: &Wider<'_>) -> Option<Origin<'l>> {
    let origins = match wider {
        Wider::Host(witness) => resolved.origins_of(witness.allowed_by()),
        Wider::Sandbox(SandboxWitness::Root { root, .. }) => {
            let same = resolved.roots.iter().filter(|held| held.value == root);
            same.map(|held| held.origin).collect()
        }
        Wider::Sandbox(_) => resolved.mode.iter().map(|(_, origin)| *origin).collect(),
    };
    let own = |origin: &Origin<'_>| origin.rank == resolved.last_rank();
    origins.into_iter().find(own).or_else(|| resolved.extends())
}

/// Defence in depth: the result of overlays is shown to be within the ring's policy, whatever the
/// code that applied them did.
pub(super) fn prove(result: &Policy, ring: &Policy, subject: &Subject<'_>) -> Option<Finding> {
    let wider = result.is_within(ring).err()?;
    let (name, file) = match subject {
        Subject::Unit { name, file } => (*name, *file),
        Subject::Profile { name, .. } => (*name, ""),
    };
    let unit = quoted(name);
    let message = format!("unit {unit} permits more than {RINGS}: {}", wider.added());
    Some(
        Finding::new(Code::OverlayLoosens, message)
            .in_file(file)
            .on(format!("units.{name}.overlays"))
            .with_evidence(wider.evidence())
            .with_help("remove what the overlays allow beyond the ring"),
    )
}

//! From what holds to the policy it means, or to the rules that it breaks.

use std::collections::HashMap;

use crate::decision::Verdict;
use crate::policy::Policy;
use crate::repository::finding::{Code, Finding};
use crate::repository::layer::Origin;
use crate::repository::report::MOST_FINDINGS_OF_A_FILE;
use crate::repository::resolved::{Held, Resolved};
use crate::sandbox::{Mode, Sandbox, SandboxError};

/// What `resolved` means, or every rule it breaks.
pub(crate) fn compile(resolved: &Resolved<'_>) -> Result<Policy, Vec<Finding>> {
    let mut findings = contradictions(resolved);
    findings.extend(ambiguous_allowlist(resolved));
    if !findings.is_empty() {
        return Err(findings);
    }
    let mode = resolved.effective_mode();
    let sandbox = match mode {
        Some((mode, _)) => Some(sandbox(resolved, mode).map_err(|_| Vec::new())?),
        None => None,
    };
    // Neither fails where nothing is contradictory; if one did, nothing would be decided.
    let egress = resolved.egress().ok_or_else(Vec::new)?;
    let policy = Policy::new(egress, sandbox).map_err(|_| Vec::new())?;
    let implied = mode.is_some_and(|(_, implied)| implied);
    let pins = resolved.pins.iter();
    Ok(pins.fold(
        policy.with_implied_mode(implied),
        |policy, (harness, (version, _))| policy.with_pin(*harness, (*version).clone()),
    ))
}

/// Every rule that `resolved` breaks by what it says, whatever else it might say.
pub(super) fn contradictions(resolved: &Resolved<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(default_allow_with_allowlist(resolved));
    findings.extend(off_with_rules(resolved));
    sandbox_contradictions(resolved, &mut findings);
    findings
}

fn first<'l, T>(held: &[Held<'l, T>]) -> Option<Origin<'l>> {
    held.first().map(|entry| entry.origin)
}

fn default_allow_with_allowlist(resolved: &Resolved<'_>) -> Option<Finding> {
    let allowed = first(&resolved.allowed).or(first(&resolved.presets))?;
    let (Verdict::Allow, default) = resolved.default? else {
        return None;
    };
    (!resolved.narrowed).then(|| {
        default
            .later(allowed)
            .finding(
                Code::DefaultAllowWithAllowlist,
                format!("`default: allow` together with {}", allowed.field.name()),
            )
            .with_help("write `default: deny`, or remove the allowed hosts: they restrict nothing")
    })
}

/// An allowlist that somebody wrote and that is empty now would decide nothing, if unset meant
/// allow, and everything, if it meant deny.
fn ambiguous_allowlist(resolved: &Resolved<'_>) -> Option<Finding> {
    let allowlist = resolved.allowlist?;
    let empty = resolved.allowlist_is_empty();
    (empty && resolved.default.is_none() && !resolved.narrowed).then(|| {
        allowlist
            .finding(
                Code::AmbiguousEmptyAllowlist,
                "the allowlist is empty and `default` is unset",
            )
            .with_help("write `default: deny` to deny every host, or `default: allow`")
    })
}

fn off_with_rules(resolved: &Resolved<'_>) -> Vec<Finding> {
    let Some((Mode::Off, mode)) = resolved.mode else {
        return Vec::new();
    };
    let rules = [
        resolved.egress_rule(),
        first(&resolved.roots),
        first(&resolved.protected),
    ];
    let finding = |rule: Origin<'_>| {
        mode.later(rule)
            .finding(
                Code::OffWithRules,
                format!("sandbox mode `off` together with {}", rule.field.name()),
            )
            .with_help(
                "write `workspace-write` or `read-only`: without a sandbox nothing holds the rules",
            )
    };
    rules.into_iter().flatten().map(finding).collect()
}

fn sandbox(resolved: &Resolved<'_>, mode: Mode) -> Result<Sandbox, Vec<SandboxError>> {
    let roots = resolved.roots.iter().map(|entry| entry.value.clone());
    let protected = resolved.protected.iter().map(|entry| entry.value.clone());
    Sandbox::new(mode, roots, protected)
}

fn sandbox_contradictions(resolved: &Resolved<'_>, findings: &mut Vec<Finding>) {
    // What mode `off` contradicts was told.
    let mode = match resolved.effective_mode() {
        None | Some((Mode::Off, _)) => return,
        Some((mode, _)) => mode,
    };
    let Err(errors) = sandbox(resolved, mode) else {
        return;
    };
    let roots: HashMap<_, _> = places(&resolved.roots);
    let protected: HashMap<_, _> = places(&resolved.protected);
    for error in errors
        .iter()
        .take(MOST_FINDINGS_OF_A_FILE.saturating_add(1))
    {
        let message = error.to_string();
        let (place, code, help) = match error {
            SandboxError::RootOverlapsProtected {
                root,
                protected: path,
                ..
            } => (
                roots
                    .get(root)
                    .zip(protected.get(path))
                    .map(|(root, path)| root.later(*path)),
                Code::RootAndProtected,
                "remove one of the two, or name a root beside the protected path",
            ),
            _ => (
                first(&resolved.roots).map(|root| match resolved.mode {
                    Some((_, mode)) => root.later(mode),
                    None => root,
                }),
                Code::ReadOnlyWithRoots,
                "write `writableRoots: []` to clear inherited roots, or mode `workspace-write`",
            ),
        };
        findings.extend(place.map(|place| place.finding(code, message).with_help(help)));
    }
}

/// The first place of each value.
fn places<'l, T: Eq + core::hash::Hash>(held: &[Held<'l, T>]) -> HashMap<&'l T, Origin<'l>> {
    let mut places = HashMap::with_capacity(held.len());
    for entry in held {
        places.entry(entry.value).or_insert(entry.origin);
    }
    places
}

//! `halo egress diff A B`.

mod repositories;

use alloc::collections::BTreeMap;
use std::path::{Path, PathBuf};

use policy_core::{Policy, Ring, Rule, SelectError, Selection, Validation, Wider, WiderKind};
use serde::Serialize;

use super::Status;
use super::test::RuleJson;
use crate::cli::{DiffArgs, Global, SelectionArgs, Side, What};
use crate::out::{BAD, DIM, GOOD, Out};
use crate::policy::{self, NoPolicy};

#[derive(Serialize)]
struct DiffJson<'a> {
    a: SideJson<'a>,
    b: SideJson<'a>,
    /// Whether B permits nothing that A does not.
    within: bool,
    /// What B permits and A does not.
    wider: Vec<WiderJson>,
    /// What A permits and B does not.
    narrower: Vec<WiderJson>,
}

#[derive(Serialize)]
struct SideJson<'a> {
    dir: String,
    ring: Option<&'a str>,
    profile: &'a str,
    unit: Option<&'a str>,
}

#[derive(Serialize)]
struct WiderJson {
    kind: &'static str,
    added: String,
    evidence: String,
    allowed_by: Option<RuleJson>,
    denied_by: Option<RuleJson>,
}

#[derive(Serialize)]
struct FailureJson<'a> {
    error: ErrorJson<'a>,
}

#[derive(Serialize)]
struct ErrorJson<'a> {
    code: &'a str,
    message: &'a str,
    help: &'a str,
}

pub(crate) fn run(global: &Global, args: &DiffArgs, out: &mut Out) -> Status {
    match compare(global, args, out) {
        Ok(status) => status,
        Err(error) => failed(&error, out),
    }
}

fn compare(global: &Global, args: &DiffArgs, out: &mut Out) -> Result<Status, NoPolicy> {
    let sides = [&args.first, &args.second];
    let whole = sides.map(|side| side.what == What::Repository);
    if whole == [true, false] || whole == [false, true] {
        return Err(NoPolicy {
            code: "not-comparable",
            message: "a whole repository is compared with another one only".to_owned(),
            help: "write two directories, or a policy on either side: `DIR#RING`".to_owned(),
        });
    }
    let dirs = sides.map(|side| side.dir.as_ref().unwrap_or(&global.policy_dir));
    if !dirs.contains(&&global.policy_dir) {
        policy::require_named(global)?;
    }
    let mut validations: BTreeMap<&PathBuf, Validation> = BTreeMap::new();
    for dir in dirs {
        if !validations.contains_key(dir) {
            validations.insert(dir, policy::read_dir(dir, out)?);
        }
    }
    if whole == [true, true] {
        let organisations = dirs.map(|dir| validations.get(dir)?.organisation());
        let ([a_dir, b_dir], [Some(a), Some(b)]) = (dirs, organisations) else {
            return Err(NoPolicy::unselected(&SelectError::Unsound));
        };
        return repositories::run([(a_dir, a), (b_dir, b)], out);
    }
    let mut selections = Vec::new();
    for (side, dir) in sides.into_iter().zip(dirs) {
        let Some(validation) = validations.get(dir) else {
            continue;
        };
        selections.push(select(validation, dir, side)?);
    }
    let [a, b] = &selections[..] else {
        return Err(NoPolicy::unselected(&SelectError::Unsound));
    };
    Ok(answer(args, dirs, [a, b], out))
}

fn answer(
    args: &DiffArgs,
    dirs: [&PathBuf; 2],
    [a, b]: [&Selection<'_>; 2],
    out: &mut Out,
) -> Status {
    let wider = b.policy().difference(a.policy());
    let narrower = a.policy().difference(b.policy());
    if out.is_json() {
        let [a, b] = [(a, dirs.first()), (b, dirs.last())].map(|(selection, dir)| SideJson {
            dir: dir.map_or_else(String::new, |dir| dir.display().to_string()),
            ring: selection.ring().map(Ring::name),
            profile: selection.profile(),
            unit: selection.unit(),
        });
        out.json(&DiffJson {
            a,
            b,
            within: wider.is_empty(),
            wider: wider.iter().map(json).collect(),
            narrower: narrower.iter().map(json).collect(),
        })?;
    } else {
        out.line(format_args!("A  {}", shown(&args.first, a)))?;
        out.line(format_args!("B  {}", shown(&args.second, b)))?;
        section("B permits what A does not", &wider, "A", out)?;
        section("A permits what B does not", &narrower, "B", out)?;
        out.line(verdict(a.policy(), b.policy(), wider.len()))?;
    }
    Ok(u8::from(!wider.is_empty()))
}

fn failed(error: &NoPolicy, out: &mut Out) -> Status {
    if out.is_json() {
        out.json(&FailureJson {
            error: ErrorJson {
                code: error.code,
                message: &error.message,
                help: &error.help,
            },
        })?;
    }
    out.error(&error.message, &error.help);
    Ok(2)
}

fn select<'v>(
    validation: &'v Validation,
    dir: &Path,
    side: &Side,
) -> Result<Selection<'v>, NoPolicy> {
    match &side.what {
        What::Ring { ring, unit } => {
            let args = SelectionArgs {
                ring: Some(ring.clone()),
                unit: unit.clone(),
            };
            policy::select(validation, dir, &args)
                .map(|(_, selection)| selection)
                .map_err(|error| NoPolicy {
                    // A plain name is a ring's, whatever lies in the directory.
                    help: match side.dir {
                        None if Path::new(ring).is_dir() => {
                            format!(
                                "for the directory, write {}",
                                crate::out::shown(&Path::new(".").join(ring))
                            )
                        }
                        _ => error.help,
                    },
                    ..error
                })
        }
        What::Repository => Err(NoPolicy::unselected(&SelectError::Unsound)),
        What::Profile(name) => policy::select_profile(validation, name),
    }
}

fn shown(side: &Side, selection: &Selection<'_>) -> String {
    let mut parts = Vec::new();
    parts.extend(selection.ring().map(|ring| format!("ring {}", ring.name())));
    parts.extend(selection.unit().map(|unit| format!("unit {unit}")));
    parts.push(format!("profile {}", selection.profile()));
    parts.extend(
        side.dir
            .as_ref()
            .map(|dir| format!("in {}", crate::out::shown(dir))),
    );
    parts.join(", ")
}

/// What one policy permits beyond the other, by the reason for which the other does not.
fn section(title: &str, wider: &[Wider<'_>], other: &str, out: &mut Out) -> std::io::Result<()> {
    if wider.is_empty() {
        return Ok(());
    }
    out.line(title)?;
    let mut reasons: BTreeMap<(WiderKind, Option<Rule<'_>>), Vec<&Wider<'_>>> = BTreeMap::new();
    for one in wider {
        let denied_by = match one {
            Wider::Host(witness) => Some(witness.denied_by()),
            _ => None,
        };
        reasons
            .entry((one.kind(), denied_by))
            .or_default()
            .push(one);
    }
    for ((kind, denied_by), group) in reasons {
        let kind = kind_text(kind);
        out.line(match denied_by {
            Some(rule) => format!("  {kind} that {other} denies by {rule}"),
            None => format!("  {kind}"),
        })?;
        for one in group {
            let (added, evidence) = (one.added(), one.evidence());
            out.line(format_args!(
                "    {added}  {DIM}for example {evidence}{DIM:#}"
            ))?;
        }
    }
    Ok(())
}

fn verdict(a: &Policy, b: &Policy, reasons: usize) -> String {
    if reasons > 0 {
        let plural = if reasons == 1 { "" } else { "s" };
        format!("{BAD}WIDER{BAD:#}: B permits what A does not, for {reasons} reason{plural}")
    } else if a.is_within(b).is_ok() {
        format!("{GOOD}OK{GOOD:#}: A and B permit the same")
    } else {
        format!("{GOOD}OK{GOOD:#}: B is within A")
    }
}

fn kind_text(kind: WiderKind) -> &'static str {
    match kind {
        WiderKind::Hosts => "hosts",
        WiderKind::Mode => "mode",
        WiderKind::WritableRoots => "writable roots",
        _ => "protected paths",
    }
}

fn json(wider: &Wider<'_>) -> WiderJson {
    let (allowed_by, denied_by) = match wider {
        Wider::Host(witness) => (
            Some(RuleJson::of(witness.allowed_by())),
            Some(RuleJson::of(witness.denied_by())),
        ),
        _ => (None, None),
    };
    WiderJson {
        kind: match wider.kind() {
            WiderKind::Hosts => "hosts",
            WiderKind::Mode => "mode",
            WiderKind::WritableRoots => "writable-roots",
            _ => "protected-paths",
        },
        added: wider.added(),
        evidence: wider.evidence(),
        allowed_by,
        denied_by,
    }
}

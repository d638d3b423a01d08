//! `halo egress explain HOST`, and `-` for many.

use policy_core::{Change, Contribution, Explanation, Host, Opposite, Ring, Selection, Verdict};
use serde::Serialize;

use super::test::{RuleJson, headline, no_host, no_policy, status};
use super::{Status, lines};
use crate::cli::{ExplainArgs, Global};
use crate::out::{DIM, Out};
use crate::policy::{self, NoPolicy};

#[derive(Serialize)]
struct ExplanationJson<'a> {
    host: String,
    decision: &'static str,
    ring: Option<&'a str>,
    profile: &'a str,
    unit: Option<&'a str>,
    rule: RuleJson,
    places: Vec<PlaceJson<'a>>,
    lost: Vec<LostJson<'a>>,
    /// `null` when nothing can turn the answer round: the host is the gateway.
    changes: Option<Vec<ChangeJson<'a>>>,
}

#[derive(Serialize)]
struct LostJson<'a> {
    rule: RuleJson,
    code: &'static str,
    reason: String,
    places: Vec<PlaceJson<'a>>,
}

#[derive(Serialize)]
struct PlaceJson<'a> {
    role: &'static str,
    layer: &'a str,
    file: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    path: &'a str,
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    action: &'static str,
    file: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    path: &'a str,
    value: &'a str,
    text: String,
}

pub(crate) fn run(global: &Global, args: &ExplainArgs, out: &mut Out) -> Status {
    let validation = match policy::read(global, out) {
        Ok(validation) => validation,
        Err(error) => return no_policy(&args.host, &error, out),
    };
    let (organisation, selection) =
        match policy::select(&validation, &global.policy_dir, &args.selection) {
            Ok(selected) => selected,
            Err(error) => return no_policy(&args.host, &error, out),
        };
    let explain = |host: &Host, many: bool, out: &mut Out| {
        let explanation = match organisation.explain(&selection, host) {
            Ok(explanation) => explanation,
            Err(error) => return no_policy(&args.host, &NoPolicy::unselected(&error), out),
        };
        match (out.is_json(), many) {
            (true, true) => out.json_line(&json(&selection, host, &explanation))?,
            (true, false) => out.json(&json(&selection, host, &explanation))?,
            (false, _) => text(&selection, host, &explanation, out)?,
        }
        Ok(status(explanation.decision().verdict()))
    };
    if args.host == "-" {
        return lines::each(out, |host, out| explain(host, true, out));
    }
    match Host::parse(&args.host) {
        Ok(host) => explain(&host, false, out),
        Err(error) => no_host(&args.host, error, out),
    }
}

fn text(
    selection: &Selection<'_>,
    host: &Host,
    explanation: &Explanation<'_>,
    out: &mut Out,
) -> std::io::Result<()> {
    let decision = explanation.decision();
    out.line(headline(selection, host, &decision))?;
    out.line(format_args!("rule   {}", decision.rule()))?;
    places(explanation.decided(), out)?;
    for lost in explanation.lost() {
        out.line(format_args!("lost   {}", lost.rule()))?;
        if let Some(why) = lost.lost() {
            out.line(format_args!("       {why}"))?;
        }
        places(lost, out)?;
    }
    let wanted = match decision.verdict() {
        Verdict::Allow => "deny",
        Verdict::Deny => "allow",
    };
    match explanation.opposite() {
        Opposite::Changes(changes) => {
            out.line(format_args!("to {wanted} it"))?;
            for change in changes {
                out.line(format_args!("       {change}"))?;
            }
        }
        _ => out.line("it is the gateway, and every policy must allow it")?,
    }
    Ok(())
}

fn places(contribution: &Contribution<'_>, out: &mut Out) -> std::io::Result<()> {
    for place in contribution.places() {
        let role = place.role().as_str();
        let path = place.path();
        out.line(format_args!("       {place}  {DIM}{role}, {path}{DIM:#}"))?;
    }
    Ok(())
}

fn json<'a>(
    selection: &'a Selection<'_>,
    host: &Host,
    explanation: &'a Explanation<'_>,
) -> ExplanationJson<'a> {
    let decision = explanation.decision();
    let lost = explanation.lost().iter().filter_map(|lost| {
        let why = lost.lost()?;
        Some(LostJson {
            rule: RuleJson::of(lost.rule()),
            code: why.as_str(),
            reason: why.to_string(),
            places: places_json(lost),
        })
    });
    ExplanationJson {
        host: host.to_string(),
        decision: decision.verdict().as_str(),
        ring: selection.ring().map(Ring::name),
        profile: selection.profile(),
        unit: selection.unit(),
        rule: RuleJson::of(decision.rule()),
        places: places_json(explanation.decided()),
        lost: lost.collect(),
        changes: match explanation.opposite() {
            Opposite::Changes(changes) => Some(changes.iter().map(change_json).collect()),
            _ => None,
        },
    }
}

fn places_json<'a>(contribution: &'a Contribution<'_>) -> Vec<PlaceJson<'a>> {
    let places = contribution.places().iter();
    places
        .map(|place| PlaceJson {
            role: place.role().as_str(),
            layer: place.layer(),
            file: place.file(),
            line: place.position().map(|position| position.line().get()),
            column: place.position().map(|position| position.column().get()),
            path: place.path(),
        })
        .collect()
}

fn change_json(change: &Change) -> ChangeJson<'_> {
    let position = change.position();
    ChangeJson {
        action: change.action(),
        file: change.file(),
        line: position.map(|position| position.line().get()),
        column: position.map(|position| position.column().get()),
        path: change.path(),
        value: change.value(),
        text: change.to_string(),
    }
}

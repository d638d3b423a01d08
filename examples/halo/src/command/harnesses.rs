//! `halo harnesses`.

use harness_render::{Evidence, Feature, Level, Os, Target, capability, facts, verified};
use policy_core::Harness;
use serde::Serialize;

use super::Status;
use crate::out::{BAD, DIM, GOOD, Out, WARN};

#[derive(Serialize)]
struct HarnessJson {
    name: &'static str,
    verified: Option<VerifiedJson>,
    capabilities: Vec<CapabilityJson>,
    facts: Vec<FactJson>,
}

#[derive(Serialize)]
struct VerifiedJson {
    version: String,
    date: &'static str,
}

#[derive(Serialize)]
struct CapabilityJson {
    os: &'static str,
    feature: &'static str,
    level: &'static str,
    since: Option<String>,
    evidence: Option<&'static str>,
    how: Option<&'static str>,
}

#[derive(Serialize)]
struct FactJson {
    claim: &'static str,
    since: String,
    evidence: &'static str,
    page: &'static str,
    date: &'static str,
}

pub(crate) fn run(out: &mut Out) -> Status {
    if out.is_json() {
        let harnesses: Vec<HarnessJson> = Harness::ALL.iter().copied().map(json).collect();
        out.json(&harnesses)?;
        return Ok(0);
    }
    for (index, harness) in Harness::ALL.iter().copied().enumerate() {
        if index > 0 {
            out.line("")?;
        }
        let Some((version, date)) = verified(harness) else {
            out.line(format_args!("{BAD}{harness}{BAD:#}  not rendered"))?;
            continue;
        };
        out.line(format_args!(
            "{GOOD}{harness}{GOOD:#}  {DIM}verified with {version} in {date}{DIM:#}"
        ))?;
        for os in Os::ALL {
            let target = Target::new(harness, version.clone(), os);
            for feature in Feature::ALL {
                let capability = capability(&target, feature);
                let level = capability.level();
                let style = match level {
                    Level::Full => GOOD,
                    Level::Partial => WARN,
                    Level::None => BAD,
                };
                let since = capability.since().map(|since| since.to_string());
                let since = since.as_deref().unwrap_or("-");
                let how = match capability.how() {
                    "" => String::new(),
                    how => format!("  {DIM}{how}{DIM:#}"),
                };
                let mark = match capability.evidence() {
                    Some(evidence) if evidence != Evidence::Observed => {
                        format!("  {WARN}[{evidence}]{WARN:#}")
                    }
                    _ => String::new(),
                };
                out.line(format_args!(
                    "  {os:<8}{feature:<17}{style}{level:<9}{style:#}{since:>8}{how}{mark}"
                ))?;
            }
        }
    }
    Ok(0)
}

/// Every system with every feature, at the newest release that was verified.
fn json(harness: Harness) -> HarnessJson {
    let newest = verified(harness);
    let capabilities = newest.iter().flat_map(|(version, _)| {
        Os::ALL.into_iter().flat_map(move |os| {
            let target = Target::new(harness, version.clone(), os);
            Feature::ALL.into_iter().map(move |feature| {
                let capability = capability(&target, feature);
                CapabilityJson {
                    os: os.name(),
                    feature: feature.as_str(),
                    level: capability.level().as_str(),
                    since: capability.since().map(|since| since.to_string()),
                    evidence: capability.evidence().map(Evidence::as_str),
                    how: Some(capability.how()).filter(|how| !how.is_empty()),
                }
            })
        })
    });
    HarnessJson {
        name: harness.name(),
        capabilities: capabilities.collect(),
        verified: newest.as_ref().map(|(version, date)| VerifiedJson {
            version: version.to_string(),
            date,
        }),
        facts: facts(harness)
            .iter()
            .map(|fact| FactJson {
                claim: fact.claim(),
                since: fact.since().to_string(),
                evidence: fact.evidence().as_str(),
                page: fact.page(),
                date: fact.date(),
            })
            .collect(),
    }
}

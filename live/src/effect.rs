//! What a loosening does: what it opens, and what the posture checks report, which must know.

use std::ffi::OsString;
use std::path::Path;

use harness_render::{Device, Expected, Os, Rendering, Target};

use crate::Result;
use crate::layout::{HOME, WORKSPACE};
use crate::verdict::{Answer, Outcome};

/// What the posture checks say of this device.
pub(crate) fn findings(
    target: &Target,
    rendering: &Rendering,
    variables: &[(&str, &str)],
) -> Result<Vec<String>> {
    let variables = variables.iter();
    let variables = variables.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let device = Device::open(Path::new("/"), Os::Linux, Path::new(HOME))?
        .with_project(Path::new(WORKSPACE))?
        .with_variables(variables);
    let postures = device.examine(&[Expected::new(target, rendering)]);
    let own = postures
        .iter()
        .filter(|posture| posture.harness() == target.harness);
    let mut codes: Vec<String> = Vec::new();
    for posture in own {
        let findings = posture.findings().iter();
        codes.extend(findings.map(|finding| finding.check().code().to_owned()));
        let unknown = posture.unknown().iter();
        codes.extend(unknown.map(|unknown| format!("unknown: {}", unknown.problem())));
    }
    codes.sort_unstable();
    codes.dedup();
    Ok(codes)
}

/// Something that was shut, or asked about, and is not any more.
pub(crate) fn opened(before: &[Outcome], after: &[Outcome]) -> Option<String> {
    let laxness = |answer: &Answer| match answer {
        Answer::Shut => Some(0),
        Answer::Asks => Some(1),
        Answer::Open => Some(2),
        Answer::Unread => None,
    };
    after
        .iter()
        .filter(|outcome| outcome.expected == Answer::Shut)
        .find(|outcome| {
            let same = before.iter().find(|other| {
                (&other.by, &other.channel, other.action, &other.case)
                    == (&outcome.by, &outcome.channel, outcome.action, &outcome.case)
            });
            same.is_some_and(|before| {
                matches!((laxness(&before.seen), laxness(&outcome.seen)), (Some(a), Some(b)) if b > a)
            })
        })
        .map(|outcome| format!("{}, {} {}", outcome.channel, outcome.by, outcome.case))
}

//! The pins of the policy, judged by who renders for them.

use harness_render::{PinProblem, pin_problems};
use policy_core::{Pin, Severity, Validation, quoted};

use crate::out::Out;

/// A problem of a pin, as a finding has it.
pub(super) struct PinFinding<'v> {
    pub(super) pin: &'v Pin,
    pub(super) severity: Severity,
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: String,
}

impl PinFinding<'_> {
    /// As a finding of the policy is shown.
    pub(super) fn text(&self) -> String {
        let place = self
            .pin
            .position()
            .map_or_else(String::new, |position| format!(":{position}"));
        format!(
            "{}[{}] {}{place}: {}\n  path: {}\n  help: {}",
            self.severity,
            self.code,
            self.pin.file(),
            self.message,
            self.pin.path(),
            self.help
        )
    }
}

/// Every problem of every pin, in order of their places.
pub(super) fn judge(validation: &Validation) -> Vec<PinFinding<'_>> {
    let pins = validation.pins().iter();
    let problems = pins.flat_map(|pin| {
        let problems = pin_problems(pin.harness(), pin.version()).into_iter();
        problems.filter_map(move |problem| finding(pin, &problem))
    });
    problems.collect()
}

/// Tells the pins that a rendering would keep from starting; whether there is one.
pub(super) fn refuse(validation: &Validation, out: &mut Out) -> bool {
    let findings = judge(validation).into_iter();
    let errors = findings.filter(|finding| finding.severity == Severity::Error);
    let texts: Vec<String> = errors.map(|finding| finding.text()).collect();
    for text in &texts {
        out.diagnostic(text);
    }
    !texts.is_empty()
}

fn finding<'v>(pin: &'v Pin, problem: &PinProblem) -> Option<PinFinding<'v>> {
    let severity = match problem {
        // Where nothing is limited nothing is rendered, and the release starts.
        PinProblem::Bricks { .. } if !pin.is_limited() => return None,
        PinProblem::Bricks { .. } => Severity::Error,
        PinProblem::Unseen { .. } => Severity::Information,
        _ => Severity::Warning,
    };
    Some(PinFinding {
        pin,
        severity,
        code: problem.code(),
        message: format!(
            "{} {}: {problem}",
            pin.harness(),
            quoted(&pin.version().to_string())
        ),
        help: problem.help(),
    })
}

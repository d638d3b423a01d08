//! `halo egress test HOST`, and `-` for many.

use alloc::borrow::Cow;

use harness_render::{Enforcer, Hardening, Target};
use policy_core::{Decision, Host, HostError, Rule, Selection, Verdict};
use serde::Serialize;

use super::{Status, lines};
use crate::cli::{Global, Os, TestArgs};
use crate::out::{BAD, GOOD, Out};
use crate::policy::{self, RulesJson};

#[derive(Serialize)]
struct DecisionJson<'a> {
    host: String,
    decision: &'static str,
    ring: Option<&'a str>,
    profile: &'a str,
    unit: Option<&'a str>,
    os: &'static str,
    rule: RuleJson,
    /// Absent when many hosts are asked about: it is the same for all of them.
    rules: Option<RulesJson>,
    harnesses: Vec<HarnessJson<'a>>,
}

#[derive(Serialize)]
pub(super) struct RuleJson {
    field: &'static str,
    pattern: Option<String>,
    preset: Option<&'static str>,
    implied: bool,
}

impl RuleJson {
    pub(super) fn of(rule: Rule<'_>) -> Self {
        let (preset, implied) = match rule {
            Rule::Preset { preset, .. } => (Some(preset.name()), false),
            Rule::Default { implied, .. } => (None, implied),
            _ => (None, false),
        };
        Self {
            field: rule.field(),
            pattern: rule.pattern().map(|pattern| pattern.to_string()),
            preset,
            implied,
        }
    }
}

#[derive(Serialize)]
struct HarnessJson<'a> {
    name: &'static str,
    version: &'a str,
    enforced: &'static str,
    mechanism: Option<&'a str>,
    caveats: &'a [String],
}

#[derive(Serialize)]
pub(super) struct UndecidedJson<'a> {
    /// What was asked about, without what may be a secret.
    input: Cow<'a, str>,
    error: ErrorJson<'a>,
    decision: &'static str,
}

#[derive(Serialize)]
struct ErrorJson<'a> {
    code: &'a str,
    message: &'a str,
    help: &'a str,
}

pub(crate) fn run(global: &Global, args: &TestArgs, out: &mut Out) -> Status {
    let os = args.os.unwrap_or_else(Os::here);
    let selected = policy::read(global, out);
    let validation = match selected {
        Ok(validation) => validation,
        Err(error) => return no_policy(&args.host, &error, out),
    };
    let selection = match policy::select(&validation, &global.policy_dir, &args.selection) {
        Ok((_, selection)) => selection,
        Err(error) => return no_policy(&args.host, &error, out),
    };
    if args.host == "-" {
        many(&selection, os, out)
    } else {
        one(&selection, os, &args.host, out)
    }
}

/// The answer where there is no policy to ask.
pub(super) fn no_policy(input: &str, error: &policy::NoPolicy, out: &mut Out) -> Status {
    if out.is_json() {
        let answer = undecided(input, error.code, &error.message, &error.help);
        match input {
            // Whoever reads the answers about many hosts reads lines.
            "-" => out.json_line(&answer)?,
            _ => out.json(&answer)?,
        }
    }
    out.error(&error.message, &error.help);
    Ok(2)
}

fn one(selection: &Selection<'_>, os: Os, input: &str, out: &mut Out) -> Status {
    let host = match Host::parse(input) {
        Ok(host) => host,
        Err(error) => return no_host(input, error, out),
    };
    let decision = selection.policy().egress().decide(&host);
    let mut pins = Pins::of(selection, os);
    if out.is_json() {
        out.json(&decided(selection, &mut pins, &host, &decision, true))?;
    } else {
        out.line(headline(selection, &host, &decision))?;
        out.line(format_args!("rule   {}", decision.rule()))?;
        for harness in pins.enforce(&host) {
            let text = enforced(&harness);
            out.line(format_args!("  {:<13} {text}", harness.name))?;
            for caveat in harness.caveats {
                out.line(format_args!("{:18}- {caveat}", ""))?;
            }
        }
    }
    Ok(status(decision.verdict()))
}

/// The answer for a text that is no host.
pub(super) fn no_host(input: &str, error: HostError, out: &mut Out) -> Status {
    let help = error.help(input);
    if out.is_json() {
        out.json(&undecided(input, error.code(), &error.to_string(), &help))?;
    }
    out.error(
        &format!("{} is not a host: {error}", policy_core::quoted_host(input)),
        &help,
    );
    Ok(2)
}

fn many(selection: &Selection<'_>, os: Os, out: &mut Out) -> Status {
    let mut pins = Pins::of(selection, os);
    lines::each(out, |host, out| {
        let decision = selection.policy().egress().decide(host);
        if out.is_json() {
            out.json_line(&decided(selection, &mut pins, host, &decision, false))?;
        } else {
            let headline = headline(selection, host, &decision);
            out.line(format_args!("{headline}  rule {}", decision.rule()))?;
        }
        Ok(status(decision.verdict()))
    })
}

pub(super) fn status(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Allow => 0,
        Verdict::Deny => 1,
    }
}

/// `DENY pastebin.com  (ring ring3-ga, profile engineering)`.
pub(super) fn headline(selection: &Selection<'_>, host: &Host, decision: &Decision<'_>) -> String {
    let verdict = match decision.verdict() {
        Verdict::Allow => format!("{GOOD}ALLOW{GOOD:#}"),
        Verdict::Deny => format!("{BAD}DENY{BAD:#}"),
    };
    let mut layers = Vec::new();
    layers.extend(selection.ring().map(|ring| format!("ring {}", ring.name())));
    layers.extend(selection.unit().map(|unit| format!("unit {unit}")));
    layers.push(format!("profile {}", selection.profile()));
    format!("{verdict} {host}  ({})", layers.join(", "))
}

pub(super) fn undecided<'a>(
    input: &'a str,
    code: &'a str,
    message: &'a str,
    help: &'a str,
) -> UndecidedJson<'a> {
    UndecidedJson {
        input: policy_core::masked_host(input),
        error: ErrorJson {
            code,
            message,
            help,
        },
        decision: "deny",
    }
}

fn decided<'a>(
    selection: &'a Selection<'_>,
    pins: &'a mut Pins<'_>,
    host: &Host,
    decision: &Decision<'_>,
    with_rules: bool,
) -> DecisionJson<'a> {
    DecisionJson {
        host: host.to_string(),
        decision: decision.verdict().as_str(),
        ring: selection.ring().map(policy_core::Ring::name),
        profile: selection.profile(),
        unit: selection.unit(),
        os: pins.os.name(),
        rule: RuleJson::of(decision.rule()),
        rules: with_rules.then(|| RulesJson::of(selection.policy().egress())),
        harnesses: pins.enforce(host),
    }
}

/// The harnesses that the profile pins, with what is known of each for any host.
struct Pins<'p> {
    os: Os,
    pins: Vec<(String, Enforcer<'p>)>,
}

impl<'p> Pins<'p> {
    fn of(selection: &'p Selection<'_>, os: Os) -> Self {
        let policy = selection.policy();
        let pins = policy.pins().map(|(harness, version)| {
            let target = Target::new(harness, version.clone(), os.into());
            let enforcer = Enforcer::new(policy, &target, Hardening::Standard);
            (version.to_string(), enforcer)
        });
        Self {
            os,
            pins: pins.collect(),
        }
    }

    /// What becomes of the decision on a host in each.
    fn enforce(&mut self, host: &Host) -> Vec<HarnessJson<'_>> {
        let pins = self.pins.iter_mut().map(|(version, enforcer)| {
            let name = enforcer.target().harness.name();
            let answer = enforcer.enforcement(host);
            HarnessJson {
                name,
                version,
                enforced: answer.level().as_str(),
                mechanism: answer.mechanism(),
                caveats: answer.caveats(),
            }
        });
        pins.collect()
    }
}

fn enforced(harness: &HarnessJson<'_>) -> String {
    let how = match harness.enforced {
        "full" => "enforced",
        "partial" => "partly enforced",
        _ => "not enforced",
    };
    match harness.mechanism {
        Some(mechanism) => format!("{how}: {mechanism}"),
        None => how.to_owned(),
    }
}

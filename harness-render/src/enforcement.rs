//! Whether a decision on one host takes effect in a harness.

use alloc::collections::BTreeMap;

use policy_core::{Host, Policy, Verdict};

use crate::adapter::Adapter;
use crate::capability::Level;
use crate::clause::{Channel, Clause};
use crate::ledger::Warning;
use crate::registry::adapter;
use crate::render::{RenderError, render, rendering, say};
use crate::request::Request;
use crate::statement::State;
use crate::target::{Hardening, Target};
use crate::way::residuals;

/// What becomes of a policy's decision on one host in one harness.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostEnforcement {
    level: Level,
    mechanism: Option<String>,
    caveats: Vec<String>,
}

impl HostEnforcement {
    /// Full: every way the harness has to reach hosts decides as the policy does. Partial: some
    /// do, or with exceptions. None: none does.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The settings that do it; `None` where nothing does.
    #[must_use]
    pub fn mechanism(&self) -> Option<&str> {
        self.mechanism.as_deref()
    }

    /// What to know about this decision, each beginning with the harness.
    #[must_use]
    pub fn caveats(&self) -> &[String] {
        &self.caveats
    }

    fn none(caveat: String) -> Self {
        Self {
            level: Level::None,
            mechanism: None,
            caveats: vec![caveat],
        }
    }
}

/// Whether the decision of a policy on a host takes effect in a harness, and by what. For many hosts
/// there is [`Enforcer`].
///
/// ```
/// use harness_render::{Hardening, Level, Os, Target, enforcement};
/// use policy_core::{Egress, Harness, Host, Pattern, Policy};
///
/// let egress = Egress::builder().deny(Pattern::parse("pastebin.com")?).build()?;
/// let policy = Policy::new(egress, None)?;
/// let target = Target::new(Harness::CursorCli, "1.0.0".parse()?, Os::Linux);
/// let host = Host::parse("pastebin.com")?;
/// let answer = enforcement(&policy, &target, Hardening::Standard, &host);
/// assert_eq!(answer.level(), Level::None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn enforcement(
    policy: &Policy,
    target: &Target,
    hardening: Hardening,
    host: &Host,
) -> HostEnforcement {
    let rendered = Rendered::new(policy, target, hardening);
    let decision = policy.egress().decide(host);
    rendered.answer(&Clause::of_rule(decision.rule()), decision.verdict())
}

/// [`enforcement`] for many hosts: what depends on the rule alone is worked out once a rule, and
/// kept.
///
/// ```
/// use harness_render::{Enforcer, Hardening, Level, Os, Target};
/// use policy_core::{Egress, Harness, Host, Pattern, Policy};
///
/// let egress = Egress::builder().deny(Pattern::parse("*.pastebin.com")?).build()?;
/// let policy = Policy::new(egress, None)?;
/// let target = Target::new(Harness::ClaudeCode, "2.1.332".parse()?, Os::Linux);
/// let mut enforcer = Enforcer::new(&policy, &target, Hardening::Standard);
/// for host in ["a.pastebin.com", "b.pastebin.com"] {
///     assert_ne!(enforcer.enforcement(&Host::parse(host)?).level(), Level::None);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Enforcer<'p> {
    rendered: Rendered<'p>,
    answers: BTreeMap<Clause, HostEnforcement>,
}

impl<'p> Enforcer<'p> {
    /// A policy in one harness.
    #[must_use]
    pub fn new(policy: &'p Policy, target: &Target, hardening: Hardening) -> Self {
        Self {
            rendered: Rendered::new(policy, target, hardening),
            answers: BTreeMap::new(),
        }
    }

    /// The harness, release and system.
    #[must_use]
    pub const fn target(&self) -> &Target {
        &self.rendered.request.target
    }

    /// Whether the decision of the policy on a host takes effect, and by what.
    pub fn enforcement(&mut self, host: &Host) -> &HostEnforcement {
        let decision = self.rendered.request.policy.egress().decide(host);
        let clause = Clause::of_rule(decision.rule());
        let answers = self.answers.entry(clause);
        answers.or_insert_with_key(|clause| self.rendered.answer(clause, decision.verdict()))
    }
}

/// A policy in one harness, as far as it is the same for every host.
#[derive(Debug)]
struct Rendered<'p> {
    request: Request<'p>,
    adapter: Option<&'static Adapter>,
    /// Whether files are rendered, or why none can be.
    has_files: Result<bool, RenderError>,
    /// The ways around the rendering that open hosts.
    around: Vec<String>,
}

impl<'p> Rendered<'p> {
    fn new(policy: &'p Policy, target: &Target, hardening: Hardening) -> Self {
        let request = Request::new(policy, target, hardening);
        let adapter = adapter(target.harness);
        // Nothing is rendered but where a file may be too large to be.
        let bounded = adapter.is_some_and(|adapter| adapter.most_bytes.is_some());
        let has_files = rendering(&request, adapter).and_then(|adapter| {
            if bounded {
                render(policy, target, hardening)?;
            }
            Ok(adapter.is_some())
        });
        let open = match (adapter, &has_files) {
            (Some(adapter), Ok(true)) => residuals(adapter.ways, &request),
            _ => Vec::new(),
        };
        let around = open.iter().filter(|residual| residual.opens_hosts());
        let around = around.map(|residual| format!("{}: {residual}", target.harness));
        Self {
            around: around.collect(),
            request,
            adapter,
            has_files,
        }
    }

    fn answer(&self, clause: &Clause, verdict: Verdict) -> HostEnforcement {
        let target = &self.request.target;
        let harness = target.harness;
        let is_rendered = match &self.has_files {
            Ok(is_rendered) => *is_rendered,
            Err(error) => return HostEnforcement::none(error.to_string()),
        };
        let states: Vec<(Channel, State)> = clause
            .channels()
            .iter()
            .map(|channel| {
                (
                    *channel,
                    say(&self.request, self.adapter, clause, *channel).state,
                )
            })
            .collect();
        if states
            .iter()
            .all(|(_, state)| matches!(state, State::NotHeld { .. }))
        {
            let warning = Warning::unsupported(target, clause.field());
            return HostEnforcement::none(warning.to_string());
        }
        let exact = |state: &State| match verdict {
            Verdict::Deny => !state.is_open(),
            Verdict::Allow => *state == State::Held,
        };
        let mut level = Level::Full;
        let mut mechanism = Vec::new();
        let mut caveats = Vec::new();
        for (channel, state) in &states {
            let own = self
                .adapter
                .is_none_or(|adapter| adapter.channels.contains(channel));
            if own && !exact(state) {
                level = Level::Partial;
            }
            let adapter = self.adapter.filter(|_| is_rendered && own);
            if let Some(adapter) = adapter.filter(|_| !matches!(state, State::NotHeld { .. })) {
                mechanism.push((adapter.mechanism)(*channel));
            }
            if !exact(state) {
                caveats.push(format!("{harness}: {channel}: {state}"));
            }
        }
        if verdict == Verdict::Deny {
            caveats.extend_from_slice(&self.around);
        }
        HostEnforcement {
            level,
            mechanism: (!mechanism.is_empty()).then(|| mechanism.join(", ")),
            caveats,
        }
    }
}

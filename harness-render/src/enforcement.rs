//! Whether a decision on one host takes effect in a harness.

use policy_core::{Host, Policy, Verdict};

use crate::capability::Level;
use crate::clause::{Channel, Clause};
use crate::harness::{Request, room};
use crate::ledger::{State, Warning};
use crate::render::{furnished, hold};
use crate::target::{Hardening, Target};

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
}

/// Whether the decision of a policy on a host takes effect in a harness, and by what.
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
    let request = Request {
        policy,
        target,
        hardening,
    };
    let harness = target.harness;
    let room = room(harness);
    let furnished = match furnished(&request, room) {
        Ok(furnished) => furnished.map(|(room, _)| room),
        Err(error) => {
            return HostEnforcement {
                level: Level::None,
                mechanism: None,
                caveats: vec![error.to_string()],
            };
        }
    };
    let decision = policy.egress().decide(host);
    let clause = Clause::of_rule(decision.rule());
    let states: Vec<(Channel, State)> = clause
        .channels()
        .iter()
        .map(|channel| (*channel, hold(&request, room, &clause, *channel).state))
        .collect();
    if states
        .iter()
        .all(|(_, state)| matches!(state, State::NotHeld { .. }))
    {
        return HostEnforcement {
            level: Level::None,
            mechanism: None,
            caveats: vec![Warning::unsupported(target, clause.field()).to_string()],
        };
    }
    let exact = |state: &State| match decision.verdict() {
        Verdict::Deny => !state.is_open(),
        Verdict::Allow => *state == State::Held,
    };
    let mut level = Level::Full;
    let mut mechanism = Vec::new();
    let mut caveats = Vec::new();
    for (channel, state) in &states {
        let own = room.is_none_or(|room| room.channels.contains(channel));
        if own && !exact(state) {
            level = Level::Partial;
        }
        if let Some(room) = furnished.filter(|_| own && !matches!(state, State::NotHeld { .. })) {
            mechanism.push((room.mechanism)(*channel));
        }
        if !exact(state) {
            caveats.push(format!("{harness}: {channel}: {state}"));
        }
    }
    if let (Some(room), Verdict::Deny) = (furnished, decision.verdict()) {
        let open = (room.residuals)(&request);
        caveats.extend(
            open.iter()
                .filter(|residual| residual.opens_hosts())
                .map(|residual| format!("{harness}: {residual}")),
        );
    }
    HostEnforcement {
        level,
        mechanism: (!mechanism.is_empty()).then(|| mechanism.join(", ")),
        caveats,
    }
}

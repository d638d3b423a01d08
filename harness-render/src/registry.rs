//! Every adapter: the one place that lists them, and what is asked of one by its harness's name.

use policy_core::Harness;
use semver::Version;

use crate::adapter::Adapter;
use crate::adapters::{claude_code, codex, copilot_cli, cursor_cli, gemini_cli, opencode};
use crate::capability::{Capability, Feature};
use crate::fact::Fact;
use crate::posture::check::Check;
use crate::posture::common;
use crate::posture::place::Watched;
use crate::target::Target;

/// Every adapter. A pinned harness that has none enforces nothing, and its ledger says so for every
/// clause.
const ADAPTERS: &[Adapter] = &[
    claude_code::ADAPTER,
    codex::ADAPTER,
    copilot_cli::ADAPTER,
    gemini_cli::ADAPTER,
    opencode::ADAPTER,
    cursor_cli::ADAPTER,
];

/// The adapter of a harness.
pub(crate) fn adapter(harness: Harness) -> Option<&'static Adapter> {
    ADAPTERS.iter().find(|adapter| adapter.harness == harness)
}

/// How well a release of a harness can enforce a feature, whatever the policy.
#[must_use]
pub fn capability(target: &Target, feature: Feature) -> Capability {
    adapter(target.harness)
        .and_then(|adapter| {
            let steps = (adapter.capability)(feature, target.os);
            let mut steps = steps.into_iter().rev();
            let step = steps.find(|step| step.release().is_in(&target.version))?;
            Some(step.of(target, adapter.newest))
        })
        .unwrap_or(Capability::NONE)
}

/// Every fact about a harness that renderings and ledgers rely on.
#[must_use]
pub fn facts(harness: Harness) -> &'static [Fact] {
    adapter(harness).map_or(&[], |adapter| adapter.facts)
}

/// The newest release of a harness that was run, and the month of that, `YYYY-MM`; `None` for a
/// harness that is not rendered.
#[must_use]
pub fn verified(harness: Harness) -> Option<(Version, &'static str)> {
    let rendered = adapter(harness).filter(|adapter| adapter.holds_anything());
    rendered.map(|adapter| (adapter.newest.version(), adapter.date))
}

/// The files that are checked for a harness, in the order in which its program reads them.
#[must_use]
pub fn watched(harness: Harness) -> &'static [Watched] {
    adapter(harness).map_or(&[], |adapter| adapter.watched)
}

/// The checks of a harness, those of any harness last.
pub fn checks(harness: Harness) -> impl Iterator<Item = &'static Check> {
    let own = adapter(harness).map_or(&[][..], |adapter| adapter.checks);
    own.iter().chain(common::CHECKS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::way::Seen;

    fn codes(harness: Harness) -> Vec<&'static str> {
        checks(harness).map(Check::code).collect()
    }

    /// A key is written twice nowhere, and each by the name that the vendor has for it.
    #[test]
    fn a_lock_has_one_value_and_a_known_fact() {
        for adapter in ADAPTERS {
            for (at, lock) in adapter.locks.iter().enumerate() {
                assert!(adapter.facts.contains(lock.fact), "{}", lock.key);
                let mut others = adapter.locks.iter().skip(at + 1);
                assert!(others.all(|other| other.key != lock.key), "{}", lock.key);
            }
        }
    }

    #[test]
    fn every_way_around_is_seen_by_checks_that_there_are_or_says_why_not() {
        for adapter in ADAPTERS {
            let known = codes(adapter.harness);
            for way in adapter.ways {
                match way.seen {
                    Seen::By(codes) => {
                        assert!(!codes.is_empty(), "{}", way.residual);
                        for code in codes {
                            assert!(known.contains(code), "{code}: {}", way.residual);
                        }
                    }
                    Seen::Not(why) => assert!(!why.is_empty(), "{}", way.residual),
                }
            }
        }
    }
}

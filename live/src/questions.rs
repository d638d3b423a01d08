//! What a program is asked: hosts and paths that stand for all of a policy.

mod asker;
mod hosts;
mod paths;

use std::collections::{BTreeMap, BTreeSet};

use harness_render::{Channel, Ledger};
use policy_core::Policy;

use crate::question::Question;
use asker::Asker;

/// Every question about a policy in the channels of one ledger.
pub(crate) fn questions(policy: &Policy, ledger: &Ledger, channels: &[Channel]) -> Vec<Question> {
    let asker = Asker { policy, ledger };
    let mut questions = Vec::new();
    for channel in channels {
        match channel {
            Channel::Shell => {
                questions.extend(asker.hosts(*channel));
                questions.extend(asker.paths(*channel));
            }
            Channel::FetchTool => questions.extend(asker.hosts(*channel)),
            _ => questions.extend(asker.paths(*channel)),
        }
    }
    questions
}

/// No more than `limit` questions of each channel, those first that no other question with the same
/// clause, action and answer precedes. The shell, which answers all of them at once, has its own
/// limit.
pub(crate) fn thinned(questions: Vec<Question>, shell: usize, others: usize) -> Vec<Question> {
    let mut seen = BTreeSet::new();
    let (mut first, mut rest): (Vec<_>, Vec<_>) = questions.into_iter().partition(|question| {
        question.named
            || seen.insert((
                question.channel,
                question.action,
                question.clause.clone(),
                question.allowed,
            ))
    });
    first.append(&mut rest);
    let mut counts = BTreeMap::new();
    first.retain(|question| {
        let limit = if question.channel == Channel::Shell {
            shell
        } else {
            others
        };
        let count: &mut usize = counts.entry(question.channel).or_default();
        *count = count.saturating_add(1);
        *count <= limit
    });
    first
}

#[cfg(test)]
mod tests {
    use harness_render::{Hardening, Os, Target, render};
    use policy_core::Harness;

    use super::*;
    use crate::policies;
    use crate::question::Action;

    const CHANNELS: [Channel; 3] = [Channel::Shell, Channel::FetchTool, Channel::FileTools];

    fn asked(name: &str) -> (Vec<Question>, Ledger) {
        let policies = policies::all().expect("the policies are valid");
        let named = policies
            .iter()
            .find(|named| named.name == name)
            .expect("a policy");
        let target = Target::new(
            Harness::ClaudeCode,
            "2.1.332".parse().expect("a version"),
            Os::Linux,
        );
        let rendering = render(&named.policy, &target, Hardening::Standard).expect("renders");
        let ledger = rendering.ledger().clone();
        (questions(&named.policy, &ledger, &CHANNELS), ledger)
    }

    #[test]
    fn every_row_of_every_ledger_has_a_question() {
        for named in policies::all().expect("the policies are valid") {
            let (questions, ledger) = asked(&named.name);
            for row in ledger.rows() {
                let found = questions
                    .iter()
                    .any(|q| q.channel == row.channel() && q.clause == *row.clause());
                assert!(found, "{}: {} {}", named.name, row.channel(), row.clause());
            }
        }
    }

    #[test]
    fn both_answers_are_expected_of_every_policy_that_has_both() {
        for name in ["deny-over-allow", "default-allow", "paths", "acme ring3-ga"] {
            let (questions, _) = asked(name);
            for action in [Action::Reach, Action::Write] {
                for allowed in [true, false] {
                    let found = questions
                        .iter()
                        .any(|q| q.action == action && q.allowed == allowed);
                    assert!(found, "{name}: {action:?} {allowed}");
                }
            }
        }
    }

    #[test]
    fn no_file_that_is_asked_about_is_a_directory_of_another() {
        for named in policies::all().expect("the policies are valid") {
            let (questions, _) = asked(&named.name);
            let paths: BTreeSet<&String> = questions
                .iter()
                .filter(|question| question.action != Action::Reach)
                .map(|question| &question.target)
                .collect();
            for path in &paths {
                let below = format!("{path}/");
                let other = paths.iter().find(|other| other.starts_with(&below));
                assert_eq!(other, None, "{}: {path}", named.name);
            }
        }
    }

    #[test]
    fn a_few_questions_are_about_as_many_clauses_as_there_are() {
        let (questions, _) = asked("acme ring3-ga");
        let clauses = |questions: &[Question]| {
            let clauses = questions
                .iter()
                .map(|q| (q.channel, q.action, q.clause.clone(), q.allowed));
            clauses.collect::<BTreeSet<_>>().len()
        };
        let few = thinned(questions.clone(), 12, 5);
        assert_eq!(
            few.iter().filter(|q| q.channel == Channel::Shell).count(),
            12
        );
        assert_eq!(
            few.iter()
                .filter(|q| q.channel == Channel::FileTools)
                .count(),
            5
        );
        assert!(clauses(&few) >= few.len() - few.iter().filter(|q| q.named).count());
        let all = thinned(questions.clone(), usize::MAX, usize::MAX);
        assert_eq!(clauses(&all), clauses(&questions));
        assert_eq!(all.len(), questions.len());
    }
}

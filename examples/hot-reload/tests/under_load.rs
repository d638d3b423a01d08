//! Many readers, one writer that never rests.
#![expect(
    clippy::unwrap_used,
    reason = "a test says what must hold by unwrapping it"
)]

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use hot_reload::Current;
use policy_core::{Egress, Host, ImageError, Pattern};

const POLICIES: usize = 8;
const RELOADS: usize = 600;
const READERS: usize = 4;

/// The `at`th of some policies, each of which decides every host by rules of its own.
fn policy(at: usize) -> Egress {
    let pattern = |text: String| Pattern::parse(&text).unwrap();
    let mut builder = Egress::builder();
    for host in 0..POLICIES {
        let own = if host == at { "" } else { "*." };
        let base = format!("h{host}.p{at}.example");
        builder = builder.allow(pattern(format!("{own}{base}")));
    }
    builder
        .allow(pattern("*.example".to_string()))
        .deny(pattern(format!("*.h{at}.example")))
        .build()
        .unwrap()
}

fn questions() -> Vec<Host> {
    let names = (0..POLICIES).flat_map(|at| {
        [
            format!("x.h{at}.example"),
            format!("h{at}.p{at}.example"),
            format!("x.h0.p{at}.example"),
        ]
    });
    names.map(|name| Host::parse(&name).unwrap()).collect()
}

fn answers(policy: &Egress, hosts: &[Host]) -> Vec<String> {
    let answer = |host| policy.decide(host).rule().to_string();
    hosts.iter().map(answer).collect()
}

#[test]
fn no_request_is_decided_by_two_policies() {
    let hosts = questions();
    let policies: Vec<_> = (0..POLICIES).map(policy).collect();
    let expected: HashSet<_> = policies
        .iter()
        .map(|policy| answers(policy, &hosts))
        .collect();
    assert_eq!(expected.len(), POLICIES, "the policies can be told apart");
    let images: Vec<_> = policies.iter().map(Egress::to_bytes).collect();

    let current = Current::new(policies.into_iter().next().unwrap());
    let done = AtomicBool::new(false);
    let seen: HashSet<_> = thread::scope(|scope| {
        let reader = || {
            let mut seen = HashSet::new();
            while !done.load(Ordering::Acquire) {
                let policy = current.load();
                let answers = answers(&policy, &hosts);
                assert!(expected.contains(&answers), "a mixture: {answers:?}");
                seen.insert(answers);
            }
            seen
        };
        let readers: Vec<_> = (0..READERS).map(|_| scope.spawn(reader)).collect();
        for image in images.iter().cycle().take(RELOADS) {
            current.reload(image).unwrap();
            thread::yield_now();
        }
        done.store(true, Ordering::Release);
        readers
            .into_iter()
            .flat_map(|reader| reader.join().unwrap())
            .collect()
    });
    assert!(seen.len() > 1, "the readers saw reloads");
}

#[test]
fn a_policy_that_does_not_verify_changes_nothing() {
    let current = Current::new(policy(0));
    let mut bytes = policy(1).to_bytes();
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(current.reload(&bytes), Err(ImageError::Checksum));
    assert_eq!(**current.load(), policy(0));
}

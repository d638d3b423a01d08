//! A decision, beside other ways to match a host, in the same run.
#![expect(clippy::unwrap_used, reason = "a bench that cannot run says so")]

use std::hint::black_box;

use benches::hosts::{Kind, List};
use benches::peers::{Fst, Globs, HashWalk, Linear, Peer, Sorted};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use policy_core::{Host, Pattern, PatternSet};

const HOSTS: usize = 4_096;
/// What a linear scan or a glob set takes is known by then.
const SLOW: usize = 1_000;

fn decide(criterion: &mut Criterion) {
    for rules in [20, 1_000, 100_000, 1_000_000] {
        let list = List::new(rules);
        let egress = list.builder(usize::MAX).build().unwrap();
        let denying = list.builder(10).build().unwrap();
        let patterns = list.rules.iter().map(|rule| Pattern::parse(rule).unwrap());
        let set: PatternSet = patterns.collect();
        let (walk, sorted) = (HashWalk::build(&list.rules), Sorted::build(&list.rules));
        let fst = Fst::build(&list.rules);
        let few = (rules <= SLOW).then(|| (Linear::build(&list.rules), Globs::build(&list.rules)));
        for kind in Kind::ALL {
            let (texts, hosts) = (list.hosts(kind, HOSTS), list.parsed(kind, HOSTS));
            let mut group = criterion.benchmark_group(format!("{rules} rules/{}", kind.name()));
            group.throughput(Throughput::Elements(HOSTS as u64));
            let by_host = |decide: &dyn Fn(&Host) -> bool| {
                hosts.iter().filter(|host| decide(black_box(host))).count()
            };
            let by_text = |decide: &dyn Fn(&str) -> bool| {
                texts.iter().filter(|text| decide(black_box(text))).count()
            };
            group.bench_function("ours", |bencher| {
                bencher.iter(|| by_host(&|host| egress.decide(host).is_allowed()));
            });
            group.bench_function("ours, denying too", |bencher| {
                bencher.iter(|| by_host(&|host| denying.decide(host).is_allowed()));
            });
            group.bench_function("ours, a set", |bencher| {
                bencher.iter(|| by_host(&|host| set.matching(host).is_some()));
            });
            group.bench_function("ours, from text", |bencher| {
                bencher.iter(|| {
                    by_text(&|text| {
                        Host::parse(text).is_ok_and(|host| egress.decide(&host).is_allowed())
                    })
                });
            });
            group.bench_function(HashWalk::NAME, |bencher| {
                bencher.iter(|| by_text(&|text| walk.matches(text)));
            });
            group.bench_function("url, then hash walk", |bencher| {
                bencher.iter(|| {
                    by_text(&|text| match url::Host::parse(text) {
                        Ok(url::Host::Domain(name)) => walk.matches(&name),
                        _ => false,
                    })
                });
            });
            group.bench_function(Sorted::NAME, |bencher| {
                bencher.iter(|| by_text(&|text| sorted.matches(text)));
            });
            group.bench_function(Fst::NAME, |bencher| {
                bencher.iter(|| by_text(&|text| fst.matches(text)));
            });
            if let Some((linear, globs)) = &few {
                group.bench_function(Linear::NAME, |bencher| {
                    bencher.iter(|| by_text(&|text| linear.matches(text)));
                });
                group.bench_function("glob set, hosts met before", |bencher| {
                    bencher.iter(|| by_text(&|text| globs.matches(text)));
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, decide);
criterion_main!(benches);

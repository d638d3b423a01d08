//! The proof that one policy permits nothing that another does not.
#![expect(clippy::unwrap_used, reason = "a bench that cannot run says so")]

use benches::hosts::List;
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use policy_core::Pattern;

fn compare(criterion: &mut Criterion) {
    for rules in [20, 1_000, 100_000] {
        let list = List::new(rules);
        let parent = list.builder(usize::MAX).build().unwrap();
        let child = list.builder(10).build().unwrap();
        let wider = list.builder(10);
        let wider = wider
            .allow(Pattern::parse("zz.wider.example").unwrap())
            .build()
            .unwrap();
        let mut group = criterion.benchmark_group(format!("compare {rules} rules"));
        group.throughput(Throughput::Elements(rules as u64));
        group.sampling_mode(SamplingMode::Flat);
        group.sample_size(10);
        group.bench_function("within", |bencher| {
            bencher.iter(|| assert!(child.is_within(&parent).is_ok()));
        });
        group.bench_function("not within", |bencher| {
            bencher.iter(|| assert!(wider.is_within(&parent).is_err()));
        });
        group.bench_function("difference", |bencher| {
            bencher.iter(|| parent.difference(&child).len());
        });
        group.finish();
    }
}

criterion_group!(benches, compare);
criterion_main!(benches);

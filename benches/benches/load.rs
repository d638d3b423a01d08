//! From rules to a policy that decides: from patterns, from YAML, from bytes.
#![expect(clippy::unwrap_used, reason = "a bench that cannot run says so")]

use std::hint::black_box;

use benches::hosts::List;
use benches::peers::{Fst, HashWalk, Peer, Sorted};
use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use policy_core::{CompiledEgress, Egress, Repository};

fn load(criterion: &mut Criterion) {
    for rules in [20, 1_000, 100_000, 1_000_000] {
        let list = List::new(rules);
        let builder = list.builder(usize::MAX);
        let bytes = builder.clone().build().unwrap().to_bytes();
        let mut group = criterion.benchmark_group(format!("load {rules} rules"));
        group.throughput(Throughput::Elements(rules as u64));
        group.sampling_mode(SamplingMode::Flat);
        group.sample_size(10);
        group.bench_function("patterns", |bencher| {
            bencher.iter(|| list.builder(usize::MAX).build().unwrap());
        });
        group.bench_function("patterns parsed before", |bencher| {
            bencher.iter_batched(
                || builder.clone(),
                |builder| builder.build().unwrap(),
                BatchSize::LargeInput,
            );
        });
        group.bench_function("bytes, opened", |bencher| {
            bencher.iter(|| CompiledEgress::open_unverified(black_box(&bytes)).unwrap());
        });
        group.bench_function("bytes, verified", |bencher| {
            bencher.iter(|| Egress::from_bytes(black_box(&bytes)).unwrap());
        });
        if rules <= 100_000 {
            let entries: String = list
                .rules
                .iter()
                .map(|rule| format!("    - \"{rule}\"\n"))
                .collect();
            let yaml = format!("egress:\n  allowedDomains:\n{entries}");
            let documents = || [("profiles/base.yaml".to_string(), yaml.clone().into_bytes())];
            group.bench_function("YAML, validated", |bencher| {
                bencher.iter(|| Repository::from_files(black_box(documents())).validate());
            });
        }
        group.bench_function(HashWalk::NAME, |bencher| {
            bencher.iter(|| HashWalk::build(&list.rules));
        });
        group.bench_function(Sorted::NAME, |bencher| {
            bencher.iter(|| Sorted::build(&list.rules));
        });
        group.bench_function(Fst::NAME, |bencher| {
            bencher.iter(|| Fst::build(&list.rules));
        });
        group.finish();
    }
}

criterion_group!(benches, load);
criterion_main!(benches);

//! Nanoseconds of every reader over every input, in one run. Noisy where instructions are not: see `scripts/hello-cost`.

use std::hint::black_box;

use benches::hello::inputs;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use peers::READERS;

fn hello(criterion: &mut Criterion) {
    for input in inputs() {
        let mut group = criterion.benchmark_group(format!("hello/{}", input.name));
        for (name, reader) in READERS {
            group.bench_with_input(
                BenchmarkId::from_parameter(name),
                &input.bytes,
                |bencher, bytes| {
                    bencher.iter(|| reader(black_box(bytes)));
                },
            );
        }
        group.finish();
    }
}

criterion_group!(benches, hello);
criterion_main!(benches);

//! One policy into the files of every harness, with the ledger of what each cannot hold.
//!
//! No other program renders one policy into several harnesses' files, so there is no peer. The floor
//! is what writing takes: the files that are JSON, parsed before and serialised again.
#![expect(clippy::unwrap_used, reason = "a bench that cannot run says so")]

use std::hint::black_box;
use std::path::Path;

use benches::hosts::List;
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use harness_render::{Hardening, Os, Rendering, Target, render, verified};
use policy_core::{Harness, Policy, Repository};

/// The policy of the sample's broadest ring.
fn acme() -> Policy {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/acme");
    let validation = Repository::read(&directory).validate();
    let organisation = validation.organisation().unwrap();
    organisation
        .select(Some("ring3-ga"), None)
        .unwrap()
        .into_policy()
}

/// Within the 64 KiB that the settings of one harness may have.
const RULES: usize = 500;

/// The same limits of the shell with as many rules of egress as asked for, a tenth of them denials.
fn larger(acme: &Policy, rules: usize) -> Policy {
    let egress = List::new(rules).builder(10).build().unwrap();
    Policy::new(egress, acme.sandbox().cloned()).unwrap()
}

/// With a pin of every harness that is rendered, at the newest release that was run.
fn pinned(policy: Policy) -> Policy {
    let pins = Harness::ALL.iter();
    let pins = pins.filter_map(|harness| Some((*harness, verified(*harness)?.0)));
    pins.fold(policy, |policy, (harness, version)| {
        policy.with_pin(harness, version)
    })
}

fn render_all(policy: &Policy) -> Vec<Rendering> {
    let pins = policy.pins();
    pins.map(|(harness, version)| {
        let target = Target::new(harness, version.clone(), Os::Linux);
        render(policy, &target, Hardening::Standard).unwrap()
    })
    .collect()
}

fn rendering(criterion: &mut Criterion) {
    let acme = pinned(acme());
    let policies = [
        ("acme".to_string(), acme.clone()),
        (format!("{RULES} rules"), pinned(larger(&acme, RULES))),
    ];
    for (name, policy) in policies {
        let renderings = render_all(&policy);
        let files = renderings.iter().flat_map(Rendering::files);
        let bytes: usize = files.clone().map(|file| file.bytes().len()).sum();
        let values = files.filter_map(|file| serde_json::from_slice(file.bytes()).ok());
        let values: Vec<serde_json::Value> = values.collect();
        let mut group = criterion.benchmark_group(format!("render {name}"));
        group.throughput(Throughput::Bytes(bytes as u64));
        group.sampling_mode(SamplingMode::Flat);
        group.sample_size(10);
        group.bench_function("every harness", |bencher| {
            bencher.iter(|| render_all(black_box(&policy)).len());
        });
        for (harness, version) in policy.pins() {
            let target = Target::new(harness, version.clone(), Os::Linux);
            group.bench_function(harness.name(), |bencher| {
                bencher.iter(|| render(black_box(&policy), &target, Hardening::Standard).is_ok());
            });
        }
        group.bench_function("the JSON alone, serialised", |bencher| {
            bencher.iter(|| {
                let texts = values.iter().map(serde_json::to_vec_pretty);
                texts.map(|text| text.unwrap().len()).sum::<usize>()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, rendering);
criterion_main!(benches);

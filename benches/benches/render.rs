//! One policy into the files of every harness, with the ledger of what each cannot hold.
//!
//! No other program renders one policy into several harnesses' files, so there is no peer. The floor
//! is what writing takes: the files that are JSON, parsed before and serialised again.
#![expect(clippy::unwrap_used, reason = "a bench that cannot run says so")]

use std::hint::black_box;
use std::path::Path;

use benches::hosts::{Kind, List};
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use harness_render::{Enforcer, Hardening, Os, Rendering, Target, render, verified};
use policy_core::{Harness, Host, Policy, Repository};

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

/// With as many allowed hosts as asked for, for every harness but the one whose file is capped.
fn allowing(hosts: usize) -> Policy {
    let egress = List::new(hosts).builder(usize::MAX).build().unwrap();
    let policy = pinned(Policy::new(egress, acme().sandbox().cloned()).unwrap());
    let pins = policy
        .pins()
        .filter(|(harness, _)| *harness != Harness::CopilotCli);
    let pins: Vec<_> = pins
        .map(|(harness, version)| (harness, version.clone()))
        .collect();
    let bare = Policy::new(policy.egress().clone(), policy.sandbox().cloned()).unwrap();
    pins.into_iter().fold(bare, |policy, (harness, version)| {
        policy.with_pin(harness, version)
    })
}

/// What `halo release build` does but for the disk: every pin on every system, the warnings, and the
/// ledgers as text. Twice the hosts are to take twice the time.
fn building(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("release build");
    group.sampling_mode(SamplingMode::Flat);
    group.sample_size(10);
    for hosts in [10_000, 20_000] {
        let policy = allowing(hosts);
        group.throughput(Throughput::Elements(hosts as u64));
        group.bench_function(format!("{hosts} hosts"), |bencher| {
            bencher.iter(|| {
                let mut length = 0;
                for os in Os::ALL {
                    for (harness, version) in policy.pins() {
                        let target = Target::new(harness, version.clone(), os);
                        let rendering = render(&policy, &target, Hardening::Standard).unwrap();
                        length += rendering.ledger().warnings().len();
                        length += serde_json::to_string_pretty(rendering.ledger())
                            .unwrap()
                            .len();
                    }
                }
                length
            });
        });
    }
    group.finish();
}

/// What `halo egress test -` does in JSON for each line, with five pins.
fn enforcing(criterion: &mut Criterion) {
    const HOSTS: usize = 10_000;
    let list = List::new(1_000);
    let policy = allowing(20);
    let egress = list.builder(10).build().unwrap();
    let mut larger = Policy::new(egress, policy.sandbox().cloned()).unwrap();
    for (harness, version) in policy.pins() {
        larger = larger.with_pin(harness, version.clone());
    }
    let hosts: Vec<Host> = [Kind::Exact, Kind::Miss]
        .into_iter()
        .flat_map(|kind| list.hosts(kind, HOSTS / 2))
        .map(|host| Host::parse(&host).unwrap())
        .collect();
    let mut group = criterion.benchmark_group("enforcement");
    group.throughput(Throughput::Elements(HOSTS as u64));
    group.sample_size(10);
    group.bench_function("1,000 rules, five pins", |bencher| {
        bencher.iter(|| {
            let pins = larger.pins().map(|(harness, version)| {
                let target = Target::new(harness, version.clone(), Os::Linux);
                Enforcer::new(&larger, &target, Hardening::Standard)
            });
            let mut pins: Vec<Enforcer<'_>> = pins.collect();
            let answers = hosts.iter().flat_map(|host| {
                let answers = pins
                    .iter_mut()
                    .map(|pin| pin.enforcement(host).caveats().len());
                answers.collect::<Vec<_>>()
            });
            answers.sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, rendering, building, enforcing);
criterion_main!(benches);

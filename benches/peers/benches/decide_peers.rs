//! Matching a host against a list by libraries that are too heavy for the workspace, beside the engine.
//!
//! Where a library cannot keep `name` and `*.name` apart, it is given the nearest that it can: it then
//! does less, and some of its answers are others.

use std::hint::black_box;

use adblock::Engine;
use adblock::request::Request;
use benches::hosts::{Kind, List};
use benches::peers::{HashWalk, Peer};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use domain_lookup_tree::DomainLookupTree;
use fqdn::FQDN;
use fqdn_trie::FqdnTrieMap;

const HOSTS: usize = 1_024;

/// `||name^` is a name with all below it.
struct Adblock(Engine);

impl Peer for Adblock {
    const NAME: &'static str = "adblock";

    fn build(rules: &[String]) -> Self {
        let rules = rules.iter().map(|rule| format!("||{}^\n", base(rule)));
        Self(Engine::new_with_list_text(rules.collect::<String>()))
    }

    fn matches(&self, name: &str) -> bool {
        let url = format!("https://{name}/");
        Request::new(&url, "https://source.example/", "other", "GET")
            .is_ok_and(|request| self.0.check_network_request(&request).filter.is_some())
    }
}

/// `.name` is a name with all below it.
struct LookupTree(DomainLookupTree);

impl Peer for LookupTree {
    const NAME: &'static str = "domain-lookup-tree";

    fn build(rules: &[String]) -> Self {
        let mut tree = DomainLookupTree::new();
        for rule in rules {
            tree.insert(&rule.replacen("*.", ".", 1));
        }
        Self(tree)
    }

    fn matches(&self, name: &str) -> bool {
        self.0.lookup(name).is_some()
    }
}

/// The longest suffix that is a rule, and whether that rule is a wildcard.
struct Trie(FqdnTrieMap<FQDN, Option<bool>>);

impl Peer for Trie {
    const NAME: &'static str = "fqdn-trie";

    fn build(rules: &[String]) -> Self {
        let mut trie = FqdnTrieMap::new(None);
        for rule in rules {
            // Some names of real lists are none to this library.
            if let Ok(name) = base(rule).parse() {
                trie.insert(name, Some(rule.starts_with("*.")));
            }
        }
        Self(trie)
    }

    fn matches(&self, name: &str) -> bool {
        name.parse::<FQDN>()
            .is_ok_and(|name| match self.0.lookup_key_value(&name) {
                (rule, Some(below)) => (*rule == name) != *below,
                (_, None) => false,
            })
    }
}

fn base(rule: &str) -> &str {
    rule.trim_start_matches("*.")
}

fn decide(criterion: &mut Criterion) {
    for rules in [20, 1_000, 100_000] {
        let list = List::new(rules);
        let egress = list.builder(usize::MAX).build().unwrap();
        let walk = HashWalk::build(&list.rules);
        let (adblock, tree) = (Adblock::build(&list.rules), LookupTree::build(&list.rules));
        let trie = Trie::build(&list.rules);
        for kind in [
            Kind::Exact,
            Kind::Wildcard,
            Kind::Deep,
            Kind::Miss,
            Kind::Near,
            Kind::Labels,
        ] {
            let (texts, hosts) = (list.hosts(kind, HOSTS), list.parsed(kind, HOSTS));
            let mut group = criterion.benchmark_group(format!("{rules} rules/{}", kind.name()));
            group.throughput(Throughput::Elements(HOSTS as u64));
            group.bench_function("ours", |bencher| {
                let allowed = |host| egress.decide(black_box(host)).is_allowed();
                bencher.iter(|| hosts.iter().filter(|host| allowed(host)).count());
            });
            let mut peer = |name, matches: &dyn Fn(&str) -> bool| {
                group.bench_function(name, |bencher| {
                    bencher.iter(|| texts.iter().filter(|text| matches(black_box(text))).count());
                });
            };
            peer(HashWalk::NAME, &|text| walk.matches(text));
            peer(Adblock::NAME, &|text| adblock.matches(text));
            peer(LookupTree::NAME, &|text| tree.matches(text));
            peer(Trie::NAME, &|text| trie.matches(text));
            group.finish();
        }
    }
}

criterion_group!(benches, decide);
criterion_main!(benches);

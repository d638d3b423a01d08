//! The measurements for one number of rules.

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

use allocation_counter::{AllocationInfo, measure as count};
use benches::hosts::{Kind, List};
use benches::measure::least_times;
use benches::peers::{Fst, Globs, HashWalk, Linear, Peer, Sorted};
use policy_core::{CompiledEgress, Egress, Host};

use crate::calls::{each, ignore, touch};
use crate::instructions::{self, Instructions};

/// Hosts of each kind.
const HOSTS: usize = 16_384;
/// Times that each is built for the clock.
const BUILDS: usize = 3;
/// Above this many rules a glob set takes minutes and gigabytes to build.
const GLOBS: usize = 1_000;
/// Up to this many rules callgrind counts every kind of host.
const COUNTED: usize = 1_000;
/// Up to this many it counts the kinds that goals are about: each count makes the list anew, slowly.
const COUNTED_FOR_GOALS: usize = 100_000;

/// Everything about one number of rules.
pub(crate) struct Size {
    pub(crate) rules: usize,
    pub(crate) rows: Vec<Row>,
    pub(crate) built: Vec<Built>,
    /// Milliseconds to open the bytes, and to verify them.
    pub(crate) opened: (f64, f64),
    /// The longest name that a policy can make slow, decided by that policy, in nanoseconds.
    pub(crate) nested: f64,
}

/// One kind of host: nanoseconds by each way, those that take a text last.
pub(crate) struct Row {
    pub(crate) kind: Kind,
    pub(crate) ours: f64,
    /// With every tenth rule a denied one.
    pub(crate) ours_denying: f64,
    pub(crate) peers: Vec<(&'static str, f64)>,
    /// Two hash walks, the denylist first.
    pub(crate) two_walks: f64,
    /// From a text to the decision.
    pub(crate) ours_from_text: f64,
    /// `url::Host::parse`, then the hash walk.
    pub(crate) walk_from_text: f64,
    pub(crate) allocations: u64,
    pub(crate) instructions: Option<Instructions>,
}

impl Row {
    pub(crate) fn of(&self, peer: &str) -> Option<f64> {
        let found = self.peers.iter().find(|(name, _)| *name == peer);
        found.map(|(_, nanoseconds)| *nanoseconds)
    }

    pub(crate) fn walk(&self) -> f64 {
        self.of(HashWalk::NAME).unwrap_or(f64::NAN)
    }
}

/// What a way of matching takes to build and to keep.
pub(crate) struct Built {
    pub(crate) name: &'static str,
    pub(crate) seconds: f64,
    pub(crate) bytes: f64,
    pub(crate) peak: f64,
    pub(crate) allocations: u64,
}

/// `input` is made anew for each building, and is no part of what is measured.
fn build<I, T>(
    name: &'static str,
    rules: usize,
    input: impl Fn() -> I,
    make: impl Fn(I) -> T,
) -> (T, Built) {
    let mut made = None;
    let given = input();
    let info: AllocationInfo = count(|| made = Some(make(given)));
    // One building is at the mercy of the machine's other work; the fastest of a few is less so.
    let mut seconds = f64::INFINITY;
    for _ in 0..BUILDS {
        let given = input();
        let start = Instant::now();
        ignore(make(given));
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    let built = Built {
        name,
        seconds,
        bytes: info.bytes_current as f64 / rules as f64,
        peak: info.bytes_max as f64 / rules as f64,
        allocations: info.count_total,
    };
    (made.unwrap(), built)
}

/// Measures one number of rules.
pub(crate) fn measure(rules: usize, passes: usize) -> Size {
    let list = List::new(rules);
    let builder = list.builder(usize::MAX);
    let (egress, mut ours) = build(
        "ours",
        rules,
        || builder.clone(),
        |builder| builder.build().unwrap(),
    );
    // Building gives back the memory of the patterns; a copy takes what is kept.
    let mut copy = None;
    let kept = count(|| copy = Some(egress.clone()));
    ours.bytes = kept.bytes_current as f64 / rules as f64;
    drop(copy);
    let (linear, of_linear) = build(Linear::NAME, rules, || (), |()| Linear::build(&list.rules));
    let (walk, of_walk) = build(
        HashWalk::NAME,
        rules,
        || (),
        |()| HashWalk::build(&list.rules),
    );
    let (sorted, of_sorted) = build(Sorted::NAME, rules, || (), |()| Sorted::build(&list.rules));
    let (fst, of_fst) = build(Fst::NAME, rules, || (), |()| Fst::build(&list.rules));
    let mut built = vec![ours, of_walk, of_linear, of_sorted, of_fst];
    let globs = (rules <= GLOBS).then(|| {
        let (globs, of_globs) = build(Globs::NAME, rules, || (), |()| Globs::build(&list.rules));
        built.push(of_globs);
        globs
    });

    let denying = list.builder(10).build().unwrap();
    let (denied, allowed): (Vec<_>, Vec<_>) = (0..rules).partition(|at| list.is_denied(*at, 10));
    let of = |places: Vec<usize>| -> Vec<String> {
        places
            .into_iter()
            .map(|at| list.rules[at].clone())
            .collect()
    };
    let denied = HashWalk::build(&of(denied));
    let allowed = HashWalk::build(&of(allowed));

    let rows = Kind::ALL.map(|kind| {
        let texts = list.hosts(kind, HOSTS);
        let hosts: Vec<Host> = list.parsed(kind, HOSTS);
        let pairs: Vec<(&String, &Host)> = texts.iter().zip(&hosts).collect();
        let first_seen = globs.as_ref().map(|globs| first_seen(globs, &list, kind));
        let times = least_times(
            &pairs,
            passes,
            touch,
            &mut [
                &mut |pairs| each(pairs, |(_, host)| ignore(egress.decide(host))),
                &mut |pairs| each(pairs, |(_, host)| ignore(denying.decide(host))),
                &mut |pairs| {
                    each(pairs, |(text, _)| {
                        let host = Host::parse(text);
                        let _ = black_box(host.map(|host| egress.decide(&host).is_allowed()));
                    });
                },
                &mut |pairs| each(pairs, |(text, _)| ignore(walk.matches(text))),
                &mut |pairs| {
                    each(pairs, |(text, _)| {
                        let matches = !denied.matches(text) && allowed.matches(text);
                        let _ = black_box(matches);
                    });
                },
                &mut |pairs| {
                    each(pairs, |(text, _)| {
                        let host = url::Host::parse(text);
                        let host = host.map(|host| match host {
                            url::Host::Domain(name) => walk.matches(&name),
                            url::Host::Ipv4(_) | url::Host::Ipv6(_) => false,
                        });
                        let _ = black_box(host);
                    });
                },
                &mut |pairs| each(pairs, |(text, _)| ignore(linear.matches(text))),
                &mut |pairs| each(pairs, |(text, _)| ignore(sorted.matches(text))),
                &mut |pairs| each(pairs, |(text, _)| ignore(fst.matches(text))),
            ],
        );
        let &[
            ours,
            ours_denying,
            ours_from_text,
            of_walk,
            two_walks,
            walk_from_text,
            ..,
        ] = &times[..]
        else {
            unreachable!()
        };
        let mut peers = vec![
            (HashWalk::NAME, of_walk),
            (Linear::NAME, times[6]),
            (Sorted::NAME, times[7]),
            (Fst::NAME, times[8]),
        ];
        peers.extend(first_seen.map(|nanoseconds| (Globs::NAME, nanoseconds)));
        let allocations = count(|| each(&hosts, |host| ignore(egress.decide(host))));
        Row {
            kind,
            ours,
            ours_denying,
            peers,
            two_walks,
            ours_from_text,
            walk_from_text,
            allocations: allocations.count_total,
            instructions: is_counted(rules, kind)
                .then(|| instructions::of(rules, kind))
                .flatten(),
        }
    });
    Size {
        rules,
        rows: rows.into(),
        built,
        opened: open(&egress),
        nested: nested(passes),
    }
}

fn is_counted(rules: usize, kind: Kind) -> bool {
    let for_goals = matches!(kind, Kind::Exact | Kind::Miss);
    rules <= COUNTED || for_goals && rules <= COUNTED_FOR_GOALS
}

/// Nanoseconds for a host that the glob set has not met: its automaton grows with what it meets.
fn first_seen(globs: &Globs, list: &List, kind: Kind) -> f64 {
    let hosts = list.hosts(kind, 256);
    let start = Instant::now();
    each(&hosts, |host| ignore(globs.matches(host)));
    start.elapsed().as_secs_f64() * 1e9 / hosts.len() as f64
}

fn open(egress: &Egress) -> (f64, f64) {
    let bytes = egress.to_bytes();
    let start = Instant::now();
    let compiled = CompiledEgress::open_unverified(black_box(&bytes)).unwrap();
    let opened = start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    compiled.verify().unwrap();
    (opened, start.elapsed().as_secs_f64() * 1e3)
}

/// A policy of 125 wildcards, each below the one before, and a host below them all: every label
/// finds a rule.
fn nested(passes: usize) -> f64 {
    let name = vec!["a"; 127].join(".");
    let bases = (2..127).map(|at| format!("*.{}", &name[2 * at..]));
    let list = List::of(bases.collect());
    let egress = list.builder(usize::MAX).build().unwrap();
    let host = Host::parse(&name).unwrap();
    assert_eq!(egress.rules_for(&host).count(), 125);
    let hosts = vec![host; 512];
    let times = least_times(
        &hosts,
        passes,
        |host| touch(&(&name, host)),
        &mut [&mut |hosts| each(hosts, |host| ignore(egress.decide(host)))],
    );
    times[0]
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let peers: Vec<&str> = self.rows[0].peers.iter().map(|(name, _)| *name).collect();
        writeln!(f, "\n## {} rules\n", self.rules)?;
        write!(f, "| host | ours, ns |")?;
        for peer in &peers {
            let note = if *peer == Globs::NAME {
                " (first seen)"
            } else {
                ""
            };
            write!(f, " {peer}{note} |")?;
        }
        writeln!(
            f,
            " ours / hash walk | denying too | two walks | ratio | text to decision | url + walk | ratio | instructions: ours | hash walk | parse | allocations |"
        )?;
        writeln!(f, "|---|{}", "---:|".repeat(peers.len() + 12))?;
        for row in &self.rows {
            write!(f, "| {} | {:.1} |", row.kind.name(), row.ours)?;
            for peer in &peers {
                write!(f, " {:.0} |", row.of(peer).unwrap_or(f64::NAN))?;
            }
            write!(
                f,
                " **{:.2}** | {:.1} | {:.1} | **{:.2}** | {:.0} | {:.0} | **{:.2}** |",
                row.ours / row.walk(),
                row.ours_denying,
                row.two_walks,
                row.ours_denying / row.two_walks,
                row.ours_from_text,
                row.walk_from_text,
                row.ours_from_text / row.walk_from_text,
            )?;
            match &row.instructions {
                Some(i) => write!(f, " {:.0} | {:.0} | {:.0} |", i.decide, i.walk, i.parse)?,
                None => write!(f, " – | – | – |")?,
            }
            writeln!(f, " {} |", row.allocations)?;
        }
        writeln!(f, "\n| built | ms | bytes a rule | peak | allocations |")?;
        writeln!(f, "|---|---:|---:|---:|---:|")?;
        for built in &self.built {
            writeln!(
                f,
                "| {} | {:.2} | {:.1} | {:.1} | {} |",
                built.name,
                built.seconds * 1e3,
                built.bytes,
                built.peak,
                built.allocations
            )?;
        }
        let (open, verify) = self.opened;
        writeln!(
            f,
            "\nbytes: opened in {open:.4} ms, verified in {verify:.2} ms"
        )?;
        writeln!(f, "127 labels, a rule at each: {:.0} ns", self.nested)
    }
}

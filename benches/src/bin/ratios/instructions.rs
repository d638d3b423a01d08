//! Instructions for one call, counted by callgrind in runs of this program.

use std::hint::black_box;
use std::process::Command;

use benches::hosts::{Kind, List};
use benches::peers::{HashWalk, Peer};
use policy_core::Host;

use crate::calls::ignore;

/// Instructions for one call of each.
pub(crate) struct Instructions {
    pub(crate) decide: f64,
    pub(crate) walk: f64,
    pub(crate) parse: f64,
}

const HOSTS: usize = 500;
const FEW: usize = 1;
const MANY: usize = 11;
const CALLS: [&str; 4] = ["nothing", "decide", "walk", "parse"];

/// Counts; `None` without valgrind.
pub(crate) fn of(rules: usize, kind: Kind) -> Option<Instructions> {
    let per_call = |what| {
        let (few, many) = (
            collected(rules, kind, what, FEW)?,
            collected(rules, kind, what, MANY)?,
        );
        Some((many - few) / ((MANY - FEW) * HOSTS) as f64)
    };
    let [nothing, decide, walk, parse] = CALLS.map(per_call);
    let nothing = nothing?;
    Some(Instructions {
        decide: decide? - nothing,
        walk: walk? - nothing,
        parse: parse? - nothing,
    })
}

fn collected(rules: usize, kind: Kind, what: &str, repeats: usize) -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([
            "--calls",
            what,
            kind.name(),
            &rules.to_string(),
            &repeats.to_string(),
        ])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = text.split("Collected :").nth(1)?;
    count.split_whitespace().next()?.parse().ok()
}

/// `--calls WHAT KIND RULES REPEATS`: the run that is counted.
pub(crate) fn run(arguments: &[String]) {
    let [what, kind, rules, repeats] = arguments else {
        panic!("--calls WHAT KIND RULES REPEATS")
    };
    let kind = Kind::ALL
        .into_iter()
        .find(|known| known.name() == kind)
        .unwrap();
    let list = List::new(rules.parse().unwrap());
    let texts = list.hosts(kind, HOSTS);
    let hosts = list.parsed(kind, HOSTS);
    let egress = list.builder(usize::MAX).build().unwrap();
    let walk = HashWalk::build(&list.rules);
    for _ in 0..repeats.parse().unwrap() {
        for (text, host) in texts.iter().zip(&hosts) {
            let (text, host) = (black_box(text), black_box(host));
            match &what[..] {
                "decide" => ignore(egress.decide(host)),
                "walk" => ignore(walk.matches(text)),
                "parse" => ignore(Host::parse(text)),
                _ => {}
            }
        }
    }
}

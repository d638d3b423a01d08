//! The goals of the engine, and which of them a run meets.

use benches::hosts::Kind;
use benches::peers::{Globs, Peer};

use crate::rows::{Row, Size};

/// By number of rules: up to a thousand, a hundred thousand, a million.
struct Goal {
    what: &'static str,
    most: [f64; 3],
    of: fn(&Size) -> Option<f64>,
}

fn row(size: &Size, kind: Kind) -> Option<&Row> {
    size.rows.iter().find(|row| row.kind == kind)
}

fn against_walk(size: &Size, kind: Kind) -> Option<f64> {
    let row = row(size, kind)?;
    Some(row.ours / row.walk())
}

fn from_text(size: &Size) -> Option<f64> {
    let kinds = [Kind::Exact, Kind::Wildcard, Kind::Deep, Kind::Miss];
    let rows = kinds.map(|kind| row(size, kind));
    let (ours, theirs) = rows
        .into_iter()
        .flatten()
        .fold((0.0, 0.0), |(ours, theirs), row| {
            (ours + row.ours_from_text, theirs + row.walk_from_text)
        });
    Some(ours / theirs)
}

const NONE: f64 = f64::INFINITY;

const GOALS: &[Goal] = &[
    Goal {
        what: "exact hit / hash walk",
        most: [1.0, 0.8, 0.6],
        of: |size| against_walk(size, Kind::Exact),
    },
    Goal {
        what: "wildcard hit / hash walk",
        most: [0.7, 0.5, 0.5],
        of: |size| against_walk(size, Kind::Wildcard),
    },
    Goal {
        what: "deep hit / hash walk",
        most: [0.4, 0.3, 0.5],
        of: |size| against_walk(size, Kind::Deep),
    },
    Goal {
        what: "miss / hash walk",
        most: [0.3, 0.3, 0.4],
        of: |size| against_walk(size, Kind::Miss),
    },
    Goal {
        what: "text to decision / url + walk",
        most: [0.35, 0.4, 0.6],
        of: from_text,
    },
    Goal {
        what: "first-seen host / glob set, at 20 rules",
        most: [0.1, NONE, NONE],
        of: |size| {
            let row = row(size, Kind::Exact).filter(|_| size.rules <= 20)?;
            Some(row.ours / row.of(Globs::NAME)?)
        },
    },
    Goal {
        what: "first-seen host / glob set, at 1,000 rules",
        most: [0.0002, NONE, NONE],
        of: |size| {
            let row = row(size, Kind::Exact).filter(|_| size.rules == 1_000)?;
            Some(row.ours / row.of(Globs::NAME)?)
        },
    },
    Goal {
        what: "127 labels / miss",
        most: [2.0, 2.0, 2.0],
        of: |size| Some(row(size, Kind::Labels)?.ours / row(size, Kind::Miss)?.ours),
    },
    Goal {
        what: "bytes a rule",
        most: [40.0, 32.0, 31.0],
        of: |size| Some(size.built.first()?.bytes),
    },
    Goal {
        what: "allocations in all decisions",
        most: [0.0, 0.0, 0.0],
        of: |size| Some(size.rows.iter().map(|row| row.allocations as f64).sum()),
    },
    Goal {
        what: "build, s",
        most: [NONE, 0.05, 1.0],
        of: |size| Some(size.built.first()?.seconds),
    },
    Goal {
        what: "build of 20 rules, µs",
        most: [50.0, NONE, NONE],
        of: |size| {
            (size.rules <= 20).then(|| size.built.first().map(|built| built.seconds * 1e6))?
        },
    },
    Goal {
        what: "peak while building / kept",
        most: [1.5, 1.5, 1.5],
        of: |size| size.built.first().map(|built| built.peak / built.bytes),
    },
    Goal {
        what: "open the bytes, ms",
        most: [5.0, 5.0, 5.0],
        of: |size| Some(size.opened.0),
    },
    Goal {
        what: "instructions, exact hit",
        most: [300.0, 300.0, NONE],
        of: |size| Some(row(size, Kind::Exact)?.instructions.as_ref()?.decide),
    },
    Goal {
        what: "instructions, miss",
        most: [200.0, 200.0, NONE],
        of: |size| Some(row(size, Kind::Miss)?.instructions.as_ref()?.decide),
    },
    Goal {
        what: "instructions, parse",
        most: [120.0, 120.0, NONE],
        of: |size| Some(row(size, Kind::Exact)?.instructions.as_ref()?.parse),
    },
];

/// Prints the goals with what was measured.
pub(crate) fn print(sizes: &[Size]) {
    println!("\n## Goals\n");
    println!(
        "| goal |{}",
        sizes
            .iter()
            .map(|size| format!(" {} rules |", size.rules))
            .collect::<String>()
    );
    println!("|---|{}", "---:|".repeat(sizes.len()));
    let (mut met, mut all) = (0, 0);
    for goal in GOALS {
        print!("| {} |", goal.what);
        for size in sizes {
            let column = match size.rules {
                ..=1_000 => 0,
                1_001..=100_000 => 1,
                _ => 2,
            };
            let most = goal.most[column];
            match (goal.of)(size) {
                Some(measured) if most.is_finite() => {
                    all += 1;
                    met += usize::from(measured <= most);
                    let verdict = if measured <= most {
                        "met"
                    } else {
                        "**missed**"
                    };
                    print!(" {} of {most}: {verdict} |", short(measured));
                }
                _ => print!(" |"),
            }
        }
        println!();
    }
    println!("\n{met} of {all} met.");
}

fn short(number: f64) -> String {
    if number >= 100.0 {
        format!("{number:.0}")
    } else if number >= 0.01 || number == 0.0 {
        format!("{number:.2}")
    } else {
        format!("{number:.5}")
    }
}

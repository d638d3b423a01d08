//! One table of what a decision costs, ours beside other ways, and whether the goals are met.
//!
//! ```text
//! ratios [--rules 20,1000,100000,1000000] [--passes N] [--plot FILE.svg]
//! ```
//!
//! Times are sums of least times (`benches::measure`): compare them within a row. Instructions are
//! callgrind's, where valgrind is installed; they hardly differ from run to run.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::panic,
    clippy::unreachable,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a program for the people who work on this"
)]

mod calls;
mod goals;
mod instructions;
mod plot;
mod rows;

use rows::{Size, measure};

/// What the command line asks for.
struct Options {
    rules: Vec<usize>,
    passes: usize,
    plot: Option<String>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, rest @ ..] = &arguments[..]
        && first == "--calls"
    {
        instructions::run(rest);
        return;
    }
    let options = read(&arguments);
    let sizes: Vec<Size> = options
        .rules
        .iter()
        .map(|rules| {
            let size = measure(*rules, options.passes);
            print!("{size}");
            size
        })
        .collect();
    goals::print(&sizes);
    if let Some(file) = options.plot {
        plot::write(&file, options.passes);
        eprintln!("wrote {file}");
    }
}

fn read(arguments: &[String]) -> Options {
    let mut options = Options {
        rules: vec![20, 1_000, 100_000, 1_000_000],
        passes: 15,
        plot: None,
    };
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--rules" => {
                options.rules = value
                    .split(',')
                    .map(|rules| rules.parse().unwrap())
                    .collect();
            }
            [name, value] if name == "--passes" => options.passes = value.parse().unwrap(),
            [name, value] if name == "--plot" => options.plot = Some(value.clone()),
            _ => panic!("usage: ratios [--rules N,N] [--passes N] [--plot FILE.svg]"),
        }
    }
    options
}

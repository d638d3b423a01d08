//! Runs one reader over one input some number of times, to be counted from outside; or prints what each allocates.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use benches::hello::inputs;
use peers::READERS;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["readers"] => READERS.iter().for_each(|(name, _)| println!("{name}")),
        ["inputs"] => inputs().iter().for_each(|input| println!("{}", input.name)),
        ["allocations"] => allocations(),
        [reader, input, times] => {
            let reader = READERS
                .iter()
                .find(|(name, _)| name == reader)
                .map(|(_, reader)| *reader);
            let input = inputs().into_iter().find(|known| known.name == *input);
            let (Some(reader), Some(input), Ok(times)) = (reader, input, times.parse::<u32>())
            else {
                eprintln!("no such reader, input or number");
                return ExitCode::from(2);
            };
            let mut total = 0;
            for _ in 0..times {
                total += reader(black_box(&input.bytes));
            }
            println!("{}", total / times.max(1) as usize);
        }
        _ => {
            eprintln!("usage: once READER INPUT TIMES | readers | inputs | allocations");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Allocations and bytes of one call each, as `count/bytes`.
fn allocations() {
    for input in inputs() {
        print!("{}", input.name);
        for (name, reader) in READERS {
            // What a reader sets up once is not a call's.
            reader(&input.bytes);
            let info = allocation_counter::measure(|| {
                black_box(reader(black_box(&input.bytes)));
            });
            print!(" {name}={}/{}", info.count_total, info.bytes_total);
        }
        println!();
    }
}

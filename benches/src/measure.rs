//! Times on a busy machine: many passes, of each chunk the fastest.

use std::time::{Duration, Instant};

/// Inputs to a chunk: few, so that a chunk is over before the machine is taken away.
const CHUNK: usize = 256;
/// Functions that run one after the other take chunks so far apart: two that share code would teach
/// the processor each other's branches.
const APART: usize = 7;
/// Past this long for one call a few calls have to do.
const SLOW: Duration = Duration::from_micros(20);
/// So many calls of a slow function are timed.
const FEW: usize = 64;

/// A function under measurement, which takes a chunk of inputs.
pub type Call<'c, T> = &'c mut dyn FnMut(&[T]);

/// Nanoseconds for one call of each of some functions, on the same inputs, in turn.
///
/// Before each, the function runs on a few other inputs, so that none pays for the one before it, and
/// `touch` reads the inputs, so that none pays for fetching them. Each chunk of them is
/// timed `passes` times; what counts is the sum of the least times, which
/// is what the machine can do when nobody else wants it. Ratios of these sums are steadier than the
/// sums.
#[must_use]
pub fn least_times<T>(
    inputs: &[T],
    passes: usize,
    touch: impl Fn(&T),
    calls: &mut [Call<'_, T>],
) -> Vec<f64> {
    let slow: Vec<bool> = calls.iter_mut().map(|call| is_slow(inputs, call)).collect();
    let mut least = vec![vec![Duration::MAX; inputs.len().div_ceil(CHUNK)]; calls.len()];
    let chunks: Vec<&[T]> = inputs.chunks(CHUNK).collect();
    for pass in 0..passes.max(1) {
        for at in 0..chunks.len() {
            for (which, call) in calls.iter_mut().enumerate() {
                let at = (at + which * APART) % chunks.len();
                if slow[which] && (pass > 1 || at > 0) {
                    continue;
                }
                let (before, chunk) = (chunks[(at + APART / 2) % chunks.len()], chunks[at]);
                let chunk = if slow[which] { few(chunk) } else { chunk };
                if !slow[which] {
                    call(few(before));
                }
                chunk.iter().for_each(&touch);
                let start = Instant::now();
                call(chunk);
                let best = &mut least[which][at];
                *best = start.elapsed().min(*best);
            }
        }
    }
    let count = |which: usize| {
        if slow[which] {
            few(inputs).len()
        } else {
            inputs.len()
        }
    };
    let sum = |times: &[Duration]| {
        let known = times.iter().filter(|time| **time != Duration::MAX);
        known.sum::<Duration>().as_secs_f64() * 1e9
    };
    let times = least.iter().enumerate();
    times
        .map(|(which, times)| sum(times) / count(which) as f64)
        .collect()
}

fn few<T>(inputs: &[T]) -> &[T] {
    inputs.get(..FEW).unwrap_or(inputs)
}

fn is_slow<T>(inputs: &[T], call: &mut Call<'_, T>) -> bool {
    let one = inputs.get(..1).unwrap_or_default();
    let start = Instant::now();
    call(one);
    call(one);
    start.elapsed() > 2 * SLOW
}

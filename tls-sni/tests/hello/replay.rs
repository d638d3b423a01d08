//! The fuzz targets' laws over the samples and the committed corpus, without the fuzzer.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

use crate::material::{captures, vectors};
use crate::{laws, peers, plan};

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/corpus")
        .join(target);
    let entries =
        fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let inputs: Vec<_> = entries
        .map(|entry| fs::read(entry.unwrap().path()).unwrap())
        .collect();
    assert!(
        inputs.len() >= 10,
        "{} is nearly empty",
        directory.display()
    );
    inputs
}

#[test]
fn the_corpus_of_hello() {
    corpus("hello").iter().for_each(|input| laws::hello(input));
}

#[test]
fn the_corpus_of_hello_drawn() {
    corpus("hello_drawn")
        .iter()
        .for_each(|input| plan::drawn_hellos_read_back(input));
}

#[test]
fn the_corpus_of_hello_peers() {
    corpus("hello_peers")
        .iter()
        .for_each(|input| peers::no_peer_reads_another_name(input));
}

#[test]
fn samples_obey_every_law() {
    for sample in captures().iter().chain(&vectors()) {
        laws::hello(&sample.bytes);
        peers::no_peer_reads_another_name(&sample.bytes);
    }
}

proptest! {
    #[test]
    fn drawn_hellos_read_back(bytes in prop::collection::vec(any::<u8>(), 100..1500)) {
        plan::drawn_hellos_read_back(&bytes);
    }

    /// A capture with a few bytes overwritten.
    #[test]
    fn spoiled_captures_obey_every_law(
        which in any::<prop::sample::Index>(),
        spoils in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let samples = captures();
        let mut bytes = which.get(&samples).bytes.clone();
        for (place, value) in spoils {
            *place.get_mut(&mut bytes) = value;
        }
        laws::hello(&bytes);
        peers::no_peer_reads_another_name(&bytes);
    }
}

//! The fuzz targets' laws over the samples and the committed corpus, without the fuzzer.

use std::fs;
use std::path::PathBuf;

use crate::material::{captures, vectors};
use crate::{laws, peers, plan};

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/corpus")
        .join(target);
    let entries =
        fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let files: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    assert!(!files.is_empty(), "{} is empty", directory.display());
    files
}

#[test]
fn samples_obey_every_law() {
    for sample in captures().iter().chain(&vectors()) {
        laws::hello(&sample.bytes);
    }
}

#[test]
fn corpus_hello_obeys_every_law() {
    for (_, input) in corpus("hello") {
        laws::hello(&input);
    }
}

#[test]
fn corpus_hello_drawn_reads_back() {
    for (_, input) in corpus("hello_drawn") {
        plan::drawn_hellos_read_back(&input);
    }
}

#[test]
fn corpus_hello_peers_agrees() {
    for (_, input) in corpus("hello_peers") {
        peers::no_peer_reads_another_name(&input);
    }
}

//! The fuzz targets' laws over the samples and the committed corpus, without the fuzzer.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

use crate::material::{captures, vectors};
use crate::{laws, peers, plan, wire};

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
fn the_corpus_of_hello_second() {
    corpus("hello_second")
        .iter()
        .for_each(|input| laws::second_hello(input));
}

#[test]
fn samples_obey_every_law() {
    for sample in captures().iter().chain(&vectors()) {
        laws::hello(&sample.bytes);
        laws::second_hello(&sample.bytes);
        peers::no_peer_reads_another_name(&sample.bytes);
    }
}

proptest! {
    #[test]
    fn drawn_hellos_read_back(bytes in prop::collection::vec(any::<u8>(), 100..1500)) {
        plan::drawn_hellos_read_back(&bytes);
    }

    /// A hello, then records drawn one by one: of every type, some of them a hello's again, in pieces or with a byte spoiled.
    #[test]
    fn what_follows_a_hello_obeys_its_law(
        early in any::<bool>(),
        drawn in prop::collection::vec((0..9_u8, any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let early = if early { wire::extension(42, &[]) } else { vec![] };
        let first = wire::Hello::with(&[wire::server_name(b"a.example"), early]).record();
        let mut stream = first.clone();
        for (kind, place, byte) in drawn {
            let name: &[u8] = if byte < 128 { b"a.example" } else { b"b.example" };
            let mut message = wire::Hello::with(&[wire::server_name(name)]).message();
            let at = place.index(message.len());
            match kind {
                0 => stream.extend(wire::record(20, &[1])),
                1 => stream.extend(wire::record(21, &[1, byte])),
                2 => stream.extend(wire::record(23, &vec![byte; at])),
                3 => stream.extend(wire::record(byte, &message[..at])),
                4 => stream.extend(wire::record(22, &vec![byte; at])),
                5 => stream.extend(wire::record(22, &message[..at])),
                6 => stream.extend(wire::records(&message, [at])),
                7 => {
                    message[at] = byte;
                    stream.extend(wire::records(&message, []));
                }
                _ => {
                    let mut finished = [byte; 40];
                    finished[..6].copy_from_slice(&[1, 0, byte & 1, at.to_le_bytes()[0], 3, 3]);
                    stream.extend(wire::record(22, &finished));
                }
            }
        }
        laws::second_hello(&stream);
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

//! Every capture and vector, cut everywhere.

use tls_sni::{ClientHello, Scanner, Status};

use crate::laws::same_answer;
use crate::material::{Sample, captures, vectors};
use crate::wire;

/// The samples that hold a whole message, with that message.
fn whole() -> Vec<(Sample, Vec<u8>)> {
    let samples = captures().into_iter().chain(vectors());
    let whole = samples.filter(|sample| {
        matches!(
            Scanner::new().advance(&sample.bytes),
            Ok(Status::Complete(_))
        )
    });
    whole
        .map(|sample| {
            let message = wire::message(&sample.bytes);
            (sample, message)
        })
        .collect()
}

#[test]
fn split_hello_equals_whole_hello() {
    let whole = whole();
    assert!(
        whole.len() > 110,
        "{} samples hold a whole message",
        whole.len()
    );
    for (sample, message) in &whole {
        let one = wire::records(message, []);
        same_answer(&sample.bytes, &one);
        for cut in 1..message.len() {
            same_answer(&one, &wire::records(message, [cut]));
        }
    }
}

#[test]
fn a_record_for_every_byte_equals_whole_hello() {
    for (sample, message) in &whole() {
        for len in [1, 2, 3, 5, 16, 64, 500] {
            same_answer(&sample.bytes, &wire::records_of(message, len));
        }
    }
}

#[test]
fn two_segments_equal_one() {
    for (sample, _) in &whole() {
        for cut in 0..sample.bytes.len() {
            let mut scanner = Scanner::new();
            let first = scanner.parse(&sample.bytes[..cut]);
            let second = scanner.parse(&sample.bytes);
            assert_eq!(
                second,
                ClientHello::parse(&sample.bytes),
                "{} at {cut}",
                sample.id
            );
            assert!(
                matches!(first, Ok(Status::Incomplete { .. })) || first == second,
                "{} at {cut}",
                sample.id
            );
        }
    }
}

//! Reading a hello, in one record or in many, allocates nothing.

use core::hint::black_box;
use std::path::PathBuf;
use std::{fs, io};

use tls_sni::{Bytes, HostName, Scanner, ServerName, Status};

fn samples() -> io::Result<Vec<Vec<u8>>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut samples = Vec::new();
    for directory in [root.clone(), root.join("vectors")] {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "bin") {
                samples.push(fs::read(path)?);
            }
        }
    }
    Ok(samples)
}

/// Asks a hello for everything there is.
fn read(input: &[u8]) -> usize {
    let mut scanner = Scanner::new();
    let _ = black_box(scanner.advance(input.split_at(input.len() / 2).0));
    let Ok(Status::Complete(hello)) = scanner.parse(input) else {
        return 0;
    };
    if let ServerName::Host(host) = hello.server_name() {
        black_box(host.canonical(&mut [0; HostName::MAX_LEN]));
    }
    let _ = black_box((
        hello.ech(),
        hello.legacy_version(),
        hello.random(),
        hello.session_id(),
    ));
    hello
        .alpn()
        .flat_map(Bytes::iter)
        .map(usize::from)
        .sum::<usize>()
        + hello
            .supported_versions()
            .chain(hello.cipher_suites())
            .map(usize::from)
            .sum::<usize>()
        + hello
            .extensions()
            .map(|(_, body)| body.chunks().count())
            .sum::<usize>()
}

#[test]
fn no_sample_makes_it_allocate() {
    let samples = samples().unwrap();
    assert!(samples.len() > 140);
    for sample in samples {
        let info = allocation_counter::measure(|| {
            black_box(read(black_box(&sample)));
        });
        assert_eq!(info.count_total, 0);
    }
}

//! Reading a hello, in one record or in many, and following its client allocate nothing.

use core::hint::black_box;
use std::path::PathBuf;
use std::{fs, io};

use tls_sni::{Bytes, ClientHello, Follower, HostName, Next, Scanner, ServerName, Status};

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

/// Follows the client that sends this behind `first`, a byte more at a time; how many bytes may be sent on.
fn follow(first: ClientHello<'_>, behind: &[u8]) -> usize {
    let mut follower = Follower::new(first);
    let (mut sent, mut received) = (0, 0);
    loop {
        let held = behind.get(sent..received).unwrap_or_default();
        match black_box(follower.advance(held)) {
            Ok(Next::Forward(bytes)) => sent += bytes,
            Ok(Next::Incomplete { .. }) if received < behind.len() => received += 1,
            _ => return sent,
        }
    }
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

/// Behind every sample come what may come before a second hello, and then the same hello again or another.
#[test]
fn no_sample_makes_following_it_allocate() {
    let samples = samples().unwrap();
    let other = samples.iter().find(|sample| read(sample) > 0).unwrap();
    let [mut followed, mut hellos] = [0; 2];
    for sample in &samples {
        let Ok(Status::Complete(first)) = ClientHello::parse(sample) else {
            continue;
        };
        for second in [sample, other] {
            let behind = [&[20, 3, 3, 0, 1, 1, 21, 3, 3, 0, 2, 1, 90], &second[..]].concat();
            let info = allocation_counter::measure(|| {
                followed += black_box(follow(black_box(first), black_box(&behind)));
            });
            assert_eq!(info.count_total, 0);
            hellos += 1;
        }
    }
    assert!(hellos > 150, "{hellos}");
    // The two records before each second hello.
    assert_eq!(followed, 13 * hellos);
}

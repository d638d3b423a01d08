//! Reading the server name: `tls-sni` beside the two peers that are quick to build.

use core::hint::black_box;

use benches::hello::inputs;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rustls::server::Acceptor;
use tls_parser::{
    TlsMessage, TlsMessageHandshake, parse_tls_client_hello_extensions, parse_tls_plaintext,
};
use tls_sni::{ClientHello, HostName, ServerName, Status};

type Reader = fn(&[u8]) -> usize;
const READERS: [(&str, Reader); 3] = [
    ("tls-sni", ours),
    ("rustls", rustls),
    ("tls-parser", tls_parser),
];

/// Parses, checks and canonicalises, which is what a policy is asked with.
fn ours(input: &[u8]) -> usize {
    match ClientHello::parse(input) {
        Ok(Status::Complete(hello)) => match hello.server_name() {
            ServerName::Host(host) => host.canonical(&mut [0; HostName::MAX_LEN]).len(),
            _ => 0,
        },
        _ => 0,
    }
}

fn rustls(mut input: &[u8]) -> usize {
    let mut acceptor = Acceptor::default();
    while !input.is_empty() {
        if acceptor.read_tls(&mut input).is_err() {
            return 0;
        }
        match acceptor.accept() {
            Ok(Some(accepted)) => return accepted.client_hello().server_name().map_or(0, str::len),
            Ok(None) => {}
            Err(_) => return 0,
        }
    }
    0
}

fn tls_parser(input: &[u8]) -> usize {
    let Ok((_, record)) = parse_tls_plaintext(input) else {
        return 0;
    };
    let [TlsMessage::Handshake(TlsMessageHandshake::ClientHello(hello))] = record.msg.as_slice()
    else {
        return 0;
    };
    hello
        .ext
        .and_then(|block| parse_tls_client_hello_extensions(block).ok())
        .map_or(0, |(_, extensions)| extensions.len())
}

fn hello(criterion: &mut Criterion) {
    for input in inputs() {
        let mut group = criterion.benchmark_group(format!("hello/{}", input.name));
        group.throughput(Throughput::Elements(1));
        for (name, parser) in READERS {
            group.bench_with_input(
                BenchmarkId::from_parameter(name),
                &input.bytes,
                |bencher, bytes| {
                    bencher.iter(|| parser(black_box(bytes)));
                },
            );
        }
        group.finish();
    }
}

criterion_group!(benches, hello);
criterion_main!(benches);

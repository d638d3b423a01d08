//! Hellos with one thing wrong, a line each: the error, its offset and its alert; and what is just within the rules.

use tls_sni::ErrorKind::{self, *};
use tls_sni::{ClientHello, Ech, Field, Scanner, ServerName, Status};

use crate::wire::{
    Hello, alpn, extension, record, records, records_of, server_name, supported_versions, vector,
};

/// Where the first extension of a [`Hello::with`] begins.
const EXTENSIONS: usize = 5 + 4 + 2 + 32 + 1 + 2 + 4 + 1 + 1 + 2;

fn refused(stream: &[u8]) -> (ErrorKind, usize, u8) {
    let error = ClientHello::parse(stream)
        .map(|status| format!("{status:?}"))
        .unwrap_err();
    (error.kind(), error.offset(), error.alert())
}

fn accepted(stream: &[u8]) -> ClientHello<'_> {
    match ClientHello::parse(stream) {
        Ok(Status::Complete(hello)) => hello,
        other => panic!("{other:?}"),
    }
}

fn hello() -> Hello {
    Hello::with(&[server_name(b"a.example")])
}

/// A list of server names, each with its type.
fn names(entries: &[(u8, &[u8])]) -> Vec<u8> {
    let list: Vec<u8> = entries
        .iter()
        .flat_map(|(ty, name)| [&[*ty][..], &vector(2, name)].concat())
        .collect();
    extension(0, &vector(2, &list))
}

macro_rules! refusals {
    ($($test:ident: $stream:expr => $kind:expr, $offset:expr, $alert:expr;)*) => {
        $(#[test] fn $test() { assert_eq!(refused(&$stream), ($kind, $offset, $alert)); })*
    };
}

refusals! {
    // Records.
    a_record_of_no_bytes: record(22, &[]) => EmptyRecord, 0, 10;
    a_record_of_16385_bytes: [22, 3, 1, 0x40, 0x01] => RecordTooLong(16_385), 0, 22;
    an_alert_between_fragments: [record(22, &hello().message()[..50]), record(21, &[1, 0])].concat() => UnexpectedRecord(21), 55, 10;
    another_major_version_between_fragments: [record(22, &hello().message()[..50]), vec![22, 2, 0, 0, 1]].concat() => RecordVersion(2), 55, 70;
    // What some server reads a hello behind or in, so that it is not another protocol.
    a_warning_before_the_hello: [vec![21, 3, 1, 0, 2, 1, 0x5a], hello().record()].concat() => UnexpectedRecord(21), 0, 10;
    an_empty_change_cipher_spec_before_the_hello: [vec![20, 3, 3, 0, 0], hello().record()].concat() => UnexpectedRecord(20), 0, 10;
    data_before_the_hello: [vec![23, 3, 3, 0, 1, 0], hello().record()].concat() => UnexpectedRecord(23), 0, 10;
    a_heartbeat_before_the_hello: [vec![24, 3, 3, 0, 1, 0], hello().record()].concat() => UnexpectedRecord(24), 0, 10;
    an_alert_of_another_version: [21, 0xfe, 0xfd, 0, 2, 1, 0x5a] => UnexpectedRecord(21), 0, 10;
    a_type_is_enough: [20] => UnexpectedRecord(20), 0, 10;
    major_version_4: [22, 4, 1, 0, 0x43] => RecordVersion(4), 0, 70;
    major_version_2: [22, 2, 0, 0, 1] => RecordVersion(2), 0, 70;
    dtls_1_2: [22, 0xfe, 0xfd, 0, 0] => RecordVersion(0xfe), 0, 70;
    tlcp: [22, 1, 1, 0, 0x2a] => RecordVersion(1), 0, 70;
    a_second_message_in_the_record: record(22, &[hello().message(), vec![0]].concat()) => TrailingData, 0, 10;
    a_second_message_in_the_last_of_two: [record(22, &hello().message()[..50]), record(22, &[&hello().message()[50..], &[0]].concat())].concat() => TrailingData, 55, 10;
    ssl_2_with_version_2: [0x80, 46, 1, 0, 2] => Sslv2, 0, 70;
    ssl_2_with_version_3_3: [0x80, 46, 1, 3, 3] => Sslv2, 0, 70;
    ssl_2_with_version_4_1: [0x81, 4, 1, 4, 1] => Sslv2, 0, 70;
    ssl_2_with_version_254_255: [0x80, 52, 1, 254, 255] => Sslv2, 0, 70;
    ssl_2_of_another_type: [0x80, 46, 22, 3, 1] => Sslv2, 0, 70;
    ssl_2_of_another_type_with_padding: [0, 52, 0, 2, 3] => Sslv2, 0, 70;
    ssl_2_without_padding: [0, 43, 0, 1, 3] => Sslv2, 0, 70;
    ssl_2_with_padding: [0x3f, 51, 8, 1, 3] => Sslv2, 0, 70;
    ssl_2_with_padding_and_version_2: [0, 51, 8, 1, 0] => Sslv2, 0, 70;
    ssl_2_with_padding_and_version_255: [0, 51, 8, 1, 255] => Sslv2, 0, 70;
    ssl_2_with_version_255_255: [0x80, 52, 1, 255, 255] => Sslv2, 0, 70;

    // The handshake header.
    a_server_hello: record(22, &[2, 0, 0, 0]) => NotClientHello(2), 0, 10;
    a_hello_of_65536_bytes: record(22, &[1, 1, 0, 0]) => HelloTooLong { len: 65_536, max: 65_535 }, 0, 47;

    // Fixed fields.
    no_version: record(22, &[1, 0, 0, 1, 3]) => Truncated { field: Field::LegacyVersion, needed: 2, available: 1 }, 9, 50;
    no_random: record(22, &[1, 0, 0, 4, 3, 3, 7, 7]) => Truncated { field: Field::Random, needed: 32, available: 2 }, 11, 50;
    a_session_id_of_33: Hello { session_id: vec![7; 33], ..hello() }.record() => Length { field: Field::SessionId, len: 33 }, 44, 50;
    no_cipher_suites: Hello { cipher_suites: vec![], ..hello() }.record() => Length { field: Field::CipherSuites, len: 0 }, 46, 50;
    half_a_cipher_suite: Hello { cipher_suites: vec![1; 3], ..hello() }.record() => Length { field: Field::CipherSuites, len: 3 }, 46, 50;
    no_compression_method: Hello { compression: vec![], ..hello() }.record() => Length { field: Field::CompressionMethods, len: 0 }, 51, 50;

    // The block.
    half_a_block_length: {
        let body = [Hello { extensions: None, ..hello() }.body(), vec![0]].concat();
        record(22, &[&[1][..], &vector(3, &body)].concat())
    } => Truncated { field: Field::Extensions, needed: 2, available: 1 }, 52, 50;
    a_block_that_ends_early: {
        let body = [hello().body(), vec![0]].concat();
        record(22, &[&[1][..], &vector(3, &body)].concat())
    } => Leftover { field: Field::Hello, len: 1 }, 72 , 50;
    half_an_extension_header: Hello::with(&[vec![0, 5, 0]]).record() => Truncated { field: Field::Extension, needed: 4, available: 3 }, EXTENSIONS, 50;
    an_extension_beyond_the_block: Hello::with(&[vec![0, 5, 0, 2, 9]]).record() => Truncated { field: Field::Extension, needed: 2, available: 1 }, EXTENSIONS + 4, 50;
    a_known_type_twice: Hello::with(&[extension(10, &[]), extension(10, &[])]).record() => DuplicateExtension(10), EXTENSIONS + 4, 47;
    an_unknown_type_twice: Hello::with(&[extension(0x1234, &[]), extension(0x1234, &[])]).record() => DuplicateExtension(0x1234), EXTENSIONS + 4, 47;
    a_grease_type_twice: Hello::with(&[extension(0x1a1a, &[]), extension(0x2a2a, &[]), extension(0x1a1a, &[])]).record() => DuplicateExtension(0x1a1a), EXTENSIONS + 8, 47;
    pre_shared_key_before_another: Hello::with(&[extension(41, &[]), extension(45, &[])]).record() => PskNotLast, EXTENSIONS + 4, 47;
    one_extension_too_many: Hello::with(&unlike(129)).record() => TooManyExtensions, EXTENSIONS + 4 * 128, 47;

    // The name.
    an_empty_server_name_extension: Hello::with(&[extension(0, &[])]).record() => Truncated { field: Field::ServerName, needed: 2, available: 0 }, EXTENSIONS + 4, 50;
    an_empty_list: Hello::with(&[names(&[])]).record() => Length { field: Field::ServerName, len: 0 }, EXTENSIONS + 6, 50;
    an_empty_name: Hello::with(&[names(&[(0, b"")])]).record() => Length { field: Field::ServerName, len: 0 }, EXTENSIONS + 9, 50;
    two_names: Hello::with(&[names(&[(0, b"a.example"), (0, b"b.example")])]).record() => SecondServerName, EXTENSIONS + 6 + 12, 50;
    another_type_first: Hello::with(&[names(&[(1, b"a.example"), (0, b"b.example")])]).record() => UnknownNameType(1), EXTENSIONS + 6, 50;
    another_type_second: Hello::with(&[names(&[(0, b"a.example"), (1, b"b.example")])]).record() => UnknownNameType(1), EXTENSIONS + 6 + 12, 50;
    a_list_shorter_than_the_extension: Hello::with(&[extension(0, &[0, 4, 0, 0, 1, b'a', 9])]).record() => Leftover { field: Field::ServerName, len: 1 }, EXTENSIONS + 10, 50;
    a_list_longer_than_the_extension: Hello::with(&[extension(0, &[0, 5, 0, 0, 1, b'a'])]).record() => Truncated { field: Field::ServerName, needed: 5, available: 4 }, EXTENSIONS + 6, 50;
    a_name_longer_than_the_list: Hello::with(&[extension(0, &[0, 4, 0, 0, 2, b'a'])]).record() => Truncated { field: Field::ServerName, needed: 2, available: 1 }, EXTENSIONS + 9, 50;

    // Other lists.
    no_alpn_list: Hello::with(&[alpn(&[])]).record() => Length { field: Field::Alpn, len: 0 }, EXTENSIONS + 6, 50;
    an_empty_protocol: Hello::with(&[alpn(&[vec![]])]).record() => Length { field: Field::Alpn, len: 0 }, EXTENSIONS + 7, 50;
    bytes_behind_the_alpn_list: Hello::with(&[extension(16, &[0, 2, 1, b'h', 9])]).record() => Leftover { field: Field::Alpn, len: 1 }, EXTENSIONS + 8, 50;
    no_versions: Hello::with(&[supported_versions(&[])]).record() => Length { field: Field::SupportedVersions, len: 0 }, EXTENSIONS + 5, 50;
    half_a_version: Hello::with(&[extension(43, &[3, 3, 4, 3])]).record() => Length { field: Field::SupportedVersions, len: 3 }, EXTENSIONS + 5, 50;
    bytes_behind_the_versions: Hello::with(&[extension(43, &[2, 3, 4, 3])]).record() => Leftover { field: Field::SupportedVersions, len: 1 }, EXTENSIONS + 7, 50;
}

/// That many empty extensions of different types, half of them below 64.
fn unlike(count: u16) -> Vec<Vec<u8>> {
    let known = |ty: &u16| !matches!(ty, 0 | 16 | 41 | 43);
    let types = (0..64).chain(1_000..).filter(known);
    types
        .take(usize::from(count))
        .map(|ty| extension(ty, &[]))
        .collect()
}

#[test]
fn at_most_128_extensions_of_any_types() {
    assert_eq!(
        accepted(&Hello::with(&unlike(128)).record())
            .extensions()
            .count(),
        128
    );
    let high: Vec<_> = (0..128).map(|ty| extension(2_000 + ty * 64, &[])).collect();
    assert_eq!(
        accepted(&Hello::with(&high).record()).extensions().count(),
        128
    );
}

/// Complete over pairs: whatever two types follow each other, only equal ones are refused.
#[test]
fn every_pair_of_types_is_refused_only_when_equal() {
    let types: Vec<u16> = (0..0x100)
        .chain([0x0a0a, 0x1a1a, 0x44cd, 0xfd00, 0xfe0d, 0xff01, 0xffff])
        .collect();
    let known = |ty: &u16| matches!(ty, 0 | 16 | 41 | 43);
    for one in types.iter().filter(|ty| !known(ty)) {
        for other in types.iter().filter(|ty| !known(ty)) {
            let stream = Hello::with(&[extension(*one, &[]), extension(*other, &[])]).record();
            assert_eq!(
                ClientHello::parse(&stream).is_err(),
                one == other,
                "{one} {other}"
            );
        }
    }
}

#[test]
fn a_hello_may_end_before_the_extensions_or_have_none() {
    for extensions in [None, Some(vec![])] {
        let stream = Hello {
            extensions,
            ..hello()
        }
        .record();
        assert_eq!(accepted(&stream).server_name(), ServerName::Absent);
        assert_eq!(accepted(&stream).extensions().count(), 0);
    }
}

#[test]
fn a_record_of_16384_bytes_and_a_hello_of_65535_are_read() {
    let padding =
        |len: usize| Hello::with(&[server_name(b"a.example"), extension(21, &vec![0; len])]);
    let empty = padding(0).message().len();
    let one_record = padding(16_384 - empty).record();
    assert_eq!(one_record.len(), 5 + 16_384);
    accepted(&one_record);
    let long = padding(65_535 + 4 - empty).message();
    let stream = records(&long, [16_384, 32_768, 49_152, 65_536]);
    assert!(
        matches!(accepted(&stream).server_name(), ServerName::Host(host) if host == "a.example")
    );
}

#[test]
fn a_lower_limit_is_known_from_the_header() {
    let stream = hello().record();
    let len = u32::try_from(hello().body().len()).unwrap();
    let within = Scanner::new().with_max_hello(len).advance(&stream);
    assert_eq!(within, Ok(Status::Complete(stream.len())));
    let error = Scanner::new()
        .with_max_hello(len - 1)
        .advance(&stream[..9])
        .unwrap_err();
    assert_eq!(error.kind(), HelloTooLong { len, max: len - 1 });
}

#[test]
fn a_higher_limit_holds_for_parsing_too() {
    let padding = extension(21, &vec![0; 65_535 - 4]);
    let hello = Hello::with(&[padding]);
    let stream = records_of(&hello.message(), 16_384);
    let len = u32::try_from(hello.body().len()).unwrap();
    assert_eq!(refused(&stream).0, HelloTooLong { len, max: 65_535 });
    let parsed = Scanner::new().with_max_hello(len).parse(&stream);
    assert!(
        matches!(parsed, Ok(Status::Complete(hello)) if hello.consumed() == stream.len()),
        "{parsed:?}"
    );
}

/// The form of `encrypted_client_hello` in the clear, a line each.
#[test]
fn ech_is_told_by_its_form() {
    let outer = [0, 0, 1, 0, 1, 42, 0, 2, 8, 8, 0, 3, 9, 9, 9];
    let second_hello = [0, 0, 1, 0, 1, 42, 0, 0, 0, 3, 9, 9, 9];
    let cases: &[(&str, &[Vec<u8>], Ech)] = &[
        ("none", &[], Ech::None),
        (
            "outer",
            &[extension(0xfe0d, &outer)],
            Ech::Outer { config_id: 42 },
        ),
        (
            "outer in a second hello",
            &[extension(0xfe0d, &second_hello)],
            Ech::Outer { config_id: 42 },
        ),
        ("inner", &[extension(0xfe0d, &[1])], Ech::Inner),
        (
            "inner with a body",
            &[extension(0xfe0d, &[1, 0])],
            Ech::Malformed,
        ),
        ("no type", &[extension(0xfe0d, &[])], Ech::Malformed),
        ("another type", &[extension(0xfe0d, &[2])], Ech::Malformed),
        (
            "outer cut short",
            &[extension(0xfe0d, &outer[..14])],
            Ech::Malformed,
        ),
        (
            "outer with more behind",
            &[extension(0xfe0d, &[&outer[..], &[0]].concat())],
            Ech::Malformed,
        ),
        (
            "outer without payload",
            &[extension(0xfe0d, &[0, 0, 1, 0, 1, 42, 0, 0, 0, 0])],
            Ech::Malformed,
        ),
        (
            "ech_outer_extensions",
            &[extension(0xfd00, &[2, 0, 10])],
            Ech::Malformed,
        ),
        (
            "ech_outer_extensions behind an outer",
            &[extension(0xfe0d, &outer), extension(0xfd00, &[2, 0, 10])],
            Ech::Malformed,
        ),
        ("draft 8", &[extension(0xfe08, &[])], Ech::Draft(0xfe08)),
        ("draft 12", &[extension(0xfe0c, &[])], Ech::Draft(0xfe0c)),
        ("before draft 8", &[extension(0xfe07, &[])], Ech::None),
        ("esni", &[extension(0xffce, &[])], Ech::Esni),
        (
            "a draft and the real one",
            &[extension(0xfe08, &[]), extension(0xfe0d, &outer)],
            Ech::Outer { config_id: 42 },
        ),
    ];
    for (case, extensions, expected) in cases {
        assert_eq!(
            accepted(&Hello::with(extensions).record()).ech(),
            *expected,
            "{case}"
        );
    }
}

/// No first byte of a TLS record is ever taken for another protocol, whatever follows it.
#[test]
fn no_content_type_of_tls_is_another_protocol() {
    for ty in 0..=u8::MAX {
        for major in [0, 1, 2, 3, 4, 0xfe, u8::MAX] {
            for behind in [[1, 0, 0], [3, 0, 1], [0xfd, 0xff, 0xff]] {
                let header = [&[ty, major][..], &behind].concat();
                for len in 1..=header.len() {
                    let answer = ClientHello::parse(&header[..len]);
                    if (20..=24).contains(&ty) {
                        assert_ne!(answer, Ok(Status::NotTls), "{:?}", &header[..len]);
                    }
                }
            }
        }
    }
}

/// What other protocols begin with is known for no TLS by the first byte that can tell.
#[test]
fn other_protocols_are_told_at_once() {
    let cases: &[(&[u8], usize)] = &[
        (b"GET / HTTP/1.1", 1),
        (b"SSH-2.0-OpenSSH_9.6", 1),
        (b"220 mail.example ESMTP", 5),
        (b"\x40\x2e\x00\x01\x03\x01", 1), // SSL 2.0 with a security escape, which nobody reads
        (b"\x00\x00\x00\x2a\x01", 5),
        (b"\x05\x01\x00\x05\x01", 5),         // SOCKS
        (b"\x00\x00\x01\x01\x02\x00", 5),     // SSL 2.0 with padding, a version that nobody reads
        (b"\x00\x2e\x00\x02\x04\x01", 5),     // SSL 2.0 with padding, but no hello
        (b"\x13\x03\x01\x00\x02\x01\x00", 5), // the types before and behind those of TLS
        (b"\x19\x03\x03\x00\x01\x01", 5),
        (b"\x80\x2e\x02\x00\x02", 5), // SSL 2.0, but no hello
        (b"\xc3\x28\x01\x02\x05", 5), // a version below SSL 3.0 that is not 2.0
    ];
    for (stream, at) in cases {
        for len in 0..=stream.len() {
            let answer = ClientHello::parse(&stream[..len]);
            assert_eq!(
                answer == Ok(Status::NotTls),
                len >= *at,
                "{} at {len}: {answer:?}",
                stream.escape_ascii()
            );
        }
    }
}

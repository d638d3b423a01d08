//! What follows the first hello: tables, captures, and every cut.

use tls_sni::ErrorKind::{self, *};
use tls_sni::{ClientHello, Follower, Next, Status};

use crate::laws;
use crate::material::captures;
use crate::reference::{self, Behind};
use crate::wire::{Hello, extension, record, records, records_of, server_name};

/// A hello for `name` with a random of its own, as a second one need not have the first one's.
fn hello(name: &str, random: u8) -> Hello {
    Hello {
        random: [random; 32],
        ..Hello::with(&[server_name(name.as_bytes())])
    }
}

fn first(stream: &[u8]) -> ClientHello<'_> {
    match ClientHello::parse(stream) {
        Ok(Status::Complete(hello)) => hello,
        other => panic!("{other:?}"),
    }
}

/// What becomes of the bytes behind a hello: how many are sent on, then the word.
fn behind(hello: &[u8], stream: &[u8]) -> (usize, &'static str) {
    laws::second_hello(&[hello, stream].concat());
    let mut follower = Follower::new(first(hello));
    let mut sent = 0;
    loop {
        match follower.advance(&stream[sent..]) {
            Ok(Next::Forward(bytes)) => sent += bytes,
            Ok(Next::Incomplete { .. }) => return (sent, "waits"),
            Ok(Next::Settled) => return (sent, "settled"),
            Err(error) => return (sent, error.kind().code()),
        }
    }
}

fn ccs() -> Vec<u8> {
    record(20, &[1])
}

fn alert() -> Vec<u8> {
    record(21, &[1, 0x5a])
}

fn data() -> Vec<u8> {
    record(23, &[7; 40])
}

fn same() -> Vec<u8> {
    hello("a.example", 9).record()
}

fn other() -> Vec<u8> {
    hello("b.example", 9).record()
}

/// A handshake record behind a `change_cipher_spec` that begins so.
fn encrypted(start: &[u8]) -> Vec<u8> {
    let mut payload = [0xee; 40];
    payload[..start.len()].copy_from_slice(start);
    record(22, &payload)
}

fn long(len: usize) -> Vec<u8> {
    let padded = |len| {
        Hello::with(&[
            server_name(b"a.example"),
            extension(0x1234, &vec![0; len / 2]),
            extension(0x1235, &vec![0; len - len / 2]),
        ])
    };
    let least = padded(0).body().len();
    records_of(&padded(len - least).message(), 16_384)
}

#[test]
fn what_a_client_sends_behind_its_hello() {
    let ver = |version| {
        Hello {
            legacy_version: version,
            ..hello("b.example", 9)
        }
        .record()
    };
    let message = hello("b.example", 9).message();
    #[rustfmt::skip]
    let cases: &[(&str, Vec<Vec<u8>>, usize, &str)] = &[
        ("nothing", vec![], 0, "waits"),
        ("the same name", vec![same()], 0, "settled"),
        ("another name", vec![other()], 0, "name_changed"),
        ("another case", vec![hello("A.example", 9).record()], 0, "name_changed"),
        ("a dot more", vec![hello("a.example.", 9).record()], 0, "name_changed"),
        ("no name", vec![Hello::with(&[]).record()], 0, "name_changed"),
        ("a cover", vec![Hello::with(&[server_name(b"a.example"), extension(0xfe0d, &[0, 0, 1, 0, 1, 42, 0, 0, 0, 1, 9])]).record()], 0, "ech_changed"),
        ("the same behind a ccs", vec![ccs(), same()], 6, "settled"),
        ("another behind a ccs", vec![ccs(), other()], 6, "name_changed"),
        ("another behind a warning", vec![alert(), other()], 7, "name_changed"),
        ("another behind two warnings and a ccs", vec![alert(), alert(), ccs(), other()], 20, "name_changed"),
        ("another behind a ccs and a warning", vec![ccs(), alert(), other()], 13, "name_changed"),
        ("in records of one byte", vec![ccs(), records_of(&message, 1)], 6, "name_changed"),
        ("with a warning inside", vec![ccs(), record(22, &message[..50]), alert(), record(22, &message[50..])], 6, "unexpected_record"),
        ("with a warning inside, early", vec![ccs(), record(22, &message[..3]), alert(), record(22, &message[3..])], 6, "unexpected_record"),
        ("with a ccs inside", vec![record(22, &message[..50]), ccs(), record(22, &message[50..])], 0, "unexpected_record"),
        ("a third one", vec![same(), other()], 0, "settled"),
        ("malformed", vec![record(22, &[1, 0, 0, 1, 3])], 0, "truncated"),
        ("more in the record", vec![record(22, &[message.clone(), vec![0]].concat())], 0, "trailing_data"),
        ("another with a version of its own", vec![ccs(), ver(0x0403)], 6, "name_changed"),
        ("another with the highest version", vec![ccs(), ver(0xffff)], 6, "name_changed"),
        ("another with version 0", vec![ccs(), ver(0)], 6, "name_changed"),
        // Records.
        ("a second ccs", vec![ccs(), ccs(), other()], 6, "unexpected_record"),
        ("an empty ccs", vec![record(20, &[]), other()], 0, "empty_record"),
        ("a ccs of two bytes", vec![record(20, &[1, 1]), other()], 0, "unexpected_record"),
        ("an empty handshake record", vec![record(22, &[]), other()], 0, "empty_record"),
        ("an empty warning", vec![record(21, &[]), other()], 0, "empty_record"),
        ("an empty record within", vec![record(22, &message[..50]), record(22, &[]), record(22, &message[50..])], 0, "empty_record"),
        ("a heartbeat", vec![record(24, &[1, 0, 0]), other()], 0, "unexpected_record"),
        ("another content type", vec![record(25, &[1]), other()], 0, "unexpected_record"),
        ("another major version", vec![vec![22, 4, 3, 0, 1, 1]], 0, "record_version"),
        ("a ccs of another major version", vec![vec![20, 4, 3, 0, 1, 1]], 0, "record_version"),
        ("too long a handshake record", vec![vec![22, 3, 3, 0x40, 1, 16]], 0, "record_too_long"),
        ("a start, then too long a record that no hello has", vec![ccs(), record(22, &[1]), vec![22, 3, 3, 0xff, 0xff, 9, 9, 9]], 6, "record_too_long"),
        ("too long a warning", vec![vec![21, 3, 3, 0x48, 1]], 0, "record_too_long"),
        // What settles.
        ("key exchange", vec![record(22, &[16, 0, 0, 1, 0])], 0, "settled"),
        ("a certificate", vec![record(22, &[11, 0, 0, 3, 0, 0, 0])], 0, "settled"),
        ("a certificate in records of one byte", vec![record(22, &[11]), record(22, &[0])], 0, "settled"),
        ("key exchange behind a warning", vec![alert(), record(22, &[16, 0, 0, 1, 0])], 7, "settled"),
        ("data", vec![data()], 0, "settled"),
        ("data behind a ccs", vec![ccs(), data()], 6, "settled"),
        ("a hello request", vec![record(22, &[0, 0, 0, 0]), other()], 0, "not_client_hello"),
        // TLS 1.2 resumed: what looks like a hello is one only if all of it does.
        ("finished", vec![ccs(), encrypted(&[0])], 6, "settled"),
        ("finished, by chance 1", vec![ccs(), encrypted(&[1, 2, 1, 0x45])], 6, "settled"),
        ("finished, by chance 1 and too short", vec![ccs(), encrypted(&[1, 0, 0, 40])], 6, "settled"),
        ("finished, by chance as long as a hello", vec![ccs(), encrypted(&[1, 2, 1, 0x44, 3, 3])], 6, "settled"),
        ("finished, all by chance, then data", vec![ccs(), encrypted(&[&[1, 0, 1, 0, 3, 3][..], &[0; 34]].concat()), data()], 6, "settled"),
        ("finished of 32 bytes, by chance, then data", vec![ccs(), record(22, &[&[1, 0, 1, 0, 3, 3][..], &[0; 26]].concat()), data()], 6, "settled"),
        ("finished of 32 bytes, by chance, alone", vec![ccs(), record(22, &[&[1, 0, 1, 0, 3, 3][..], &[0; 26]].concat())], 6, "waits"),
        // Lengths.
        ("a hello of 65,535 bytes", vec![long(65_535)], 0, "settled"),
        ("a hello of 65,536 bytes", vec![long(65_536)], 0, "hello_too_long"),
        ("a hello of 65,536 bytes behind a ccs", vec![ccs(), long(65_536)], 6, "hello_too_long"),
        ("a hello of 70,169 bytes behind a ccs", vec![ccs(), long(70_169)], 6, "hello_too_long"),
        ("not behind a ccs, any length", vec![encrypted(&[1, 0xff, 0xff, 0xff])], 0, "hello_too_long"),
    ];
    for (case, stream, sent, word) in cases {
        let got = behind(&hello("a.example", 7).record(), &stream.concat());
        assert_eq!(got, (*sent, *word), "{case}");
    }
}

/// Where the first hello offers early data, records of data are sent on and settle nothing.
#[test]
fn what_a_client_sends_that_offers_early_data() {
    let early = Hello::with(&[server_name(b"a.example"), extension(42, &[])]).record();
    let message = hello("b.example", 9).message();
    let d = data().len();
    #[rustfmt::skip]
    let cases: &[(&str, Vec<Vec<u8>>, usize, &str)] = &[
        ("accepted", vec![ccs(), data(), data(), data()], 6 + 3 * d, "waits"),
        ("accepted, in part", vec![ccs(), data(), data()[..20].to_vec()], 6 + d + 20, "waits"),
        ("retried, the same name", vec![ccs(), data(), same()], 6 + d, "settled"),
        ("retried, another name", vec![ccs(), data(), other()], 6 + d, "name_changed"),
        ("retried, without a ccs", vec![data(), other()], d, "name_changed"),
        ("retried, the ccs later", vec![data(), ccs(), other()], 6 + d, "name_changed"),
        ("retried, data inside", vec![ccs(), record(22, &message[..50]), data(), record(22, &message[50..])], 6, "unexpected_record"),
        ("an empty record of data", vec![ccs(), record(23, &[]), other()], 6, "empty_record"),
        ("too long a record of data", vec![ccs(), vec![23, 3, 3, 0x48, 1]], 6, "record_too_long"),
        ("TLS 1.2", vec![record(22, &[16, 0, 0, 1, 0])], 0, "settled"),
    ];
    for (case, stream, sent, word) in cases {
        assert_eq!(behind(&early, &stream.concat()), (*sent, *word), "{case}");
    }
}

#[test]
fn a_first_hello_without_a_name_allows_none_later() {
    let none = Hello::with(&[]).record();
    assert_eq!(behind(&none, &other()), (0, "name_changed"));
    assert_eq!(behind(&none, &none), (0, "settled"));
}

#[test]
fn another_limit_holds_for_a_second_hello() {
    let one = hello("a.example", 7).record();
    let len = u32::try_from(hello("a.example", 7).body().len()).unwrap();
    let limited = |max| {
        let mut follower = Follower::new(first(&one)).with_max_hello(max);
        follower.advance(&one).map_err(|error| error.kind())
    };
    assert_eq!(limited(len), Ok(Next::Settled));
    assert_eq!(limited(len - 1), Err(HelloTooLong { len, max: len - 1 }));
    let long = long(65_536);
    let mut follower = Follower::new(first(&one)).with_max_hello(65_536);
    assert_eq!(follower.advance(&long), Ok(Next::Settled));
}

/// The captured second hellos, behind the first ones of the same clients.
#[test]
fn captured_second_hellos() {
    let captures = captures();
    let bytes = |id: &str| {
        let capture = captures.iter().find(|capture| capture.id == id);
        capture.unwrap().bytes.clone()
    };
    let (one, two) = (
        bytes("openssl-3.0-hrr-first"),
        bytes("openssl-3.0-hrr-second"),
    );
    assert_eq!(behind(&one, &two), (6, "settled"));
    assert_eq!(
        behind(&bytes("openssl-3.0-s_client-weird-name"), &two),
        (6, "name_changed")
    );
    let early = bytes("openssl-3.0-earlydata");
    let end = first(&early).consumed();
    assert_eq!(behind(&early[..end], &early[end..]).1, "waits");
}

/// What every capture sends behind its hello, if a server asks again: the same hello passes, one for another name does not.
#[test]
fn every_capture_may_come_again_and_no_other_may() {
    let captures = captures();
    let other = hello("denied.example", 9).record();
    for capture in &captures {
        let Ok(Status::Complete(one)) = ClientHello::parse(&capture.bytes) else {
            continue;
        };
        let one = &capture.bytes[..one.consumed()];
        assert_eq!(
            behind(one, &[ccs(), one.to_vec()].concat()),
            (6, "settled"),
            "{}",
            capture.id
        );
        assert_eq!(
            behind(one, &[ccs(), other.clone()].concat()),
            (6, "name_changed"),
            "{}",
            capture.id
        );
    }
}

/// However a second hello is cut into records, it is refused, and before the first of its bytes is sent on.
#[test]
fn no_cut_lets_another_name_through() {
    let one = hello("a.example", 7).record();
    let message = hello("b.example", 9).message();
    for cut in 1..message.len() {
        for other_cut in [cut, cut + 1, message.len() - 1] {
            for start in [vec![], ccs()] {
                let stream = [start.clone(), records(&message, [cut, other_cut])].concat();
                let got = laws::followed(first(&one), &stream, 1);
                assert_eq!(got, Behind::Refused(start.len()), "{cut} {other_cut}");
            }
        }
    }
}

/// Every sequence of up to five records out of these shapes, read on as long as it waits: the answer is the slow reader's, also where the
/// last record is cut, and stays whatever comes behind.
#[test]
fn every_small_stream_gets_the_slow_readers_answer() {
    let (same, other) = (
        hello("a.example", 9).message(),
        hello("b.example", 9).message(),
    );
    let wrong = |header: [u8; 5]| [&header[..], &[1, 0, 0, 9]].concat();
    let shapes = [
        ccs(),
        alert(),
        record(23, &[7; 3]),
        record(22, &same),
        record(22, &other),
        // Pieces of either, which differ in the last alone.
        record(22, &other[..1]),
        record(22, &other[1..4]),
        record(22, &other[..39]),
        record(22, &other[4..]),
        record(22, &same[39..]),
        record(22, &other[39..]),
        // What begins like a hello, or like nothing.
        record(22, &[&[1, 0, 1, 0, 3, 3][..], &[0; 26]].concat()),
        record(22, &[&[1, 0, 1, 0, 3, 3][..], &[33; 36]].concat()),
        record(22, &[1, 1, 0, 0]),
        record(22, &[0, 0, 0, 0]),
        record(22, &[16, 0, 0, 1, 0]),
        // Refused by the header, whatever it carries.
        wrong([22, 3, 3, 0, 0]),
        wrong([22, 3, 3, 0x40, 1]),
        wrong([22, 3, 3, 0x50, 0]),
        wrong([22, 4, 3, 0, 4]),
        wrong([20, 3, 3, 0, 2]),
        wrong([24, 3, 3, 0, 4]),
    ];
    for early in [vec![], extension(42, &[])] {
        let one = Hello::with(&[server_name(b"a.example"), early]);
        let (stream, message) = (one.record(), one.message());
        let mut waiting = vec![Vec::new()];
        let mut ends = [0_u32; 3];
        for depth in 1..=5 {
            let mut longer = Vec::new();
            for (start, shape) in waiting
                .iter()
                .flat_map(|start: &Vec<u8>| shapes.iter().map(move |shape| (start, shape)))
            {
                let behind = [&start[..], shape].concat();
                let end = reference::behind(&message, &behind);
                let step = if depth < 5 { 1 } else { 9 };
                assert_eq!(laws::followed(first(&stream), &behind, step), end);
                for cut in start.len() + 1..behind.len() {
                    if depth <= 2 {
                        laws::behind_a_hello(first(&stream), &message, &behind[..cut]);
                    }
                }
                if let Behind::Waits(_) = end {
                    ends[0] += 1;
                    longer.push(behind);
                    continue;
                }
                ends[if matches!(end, Behind::Settled(_)) {
                    1
                } else {
                    2
                }] += 1;
                for tail in [record(22, &same), record(23, &[7]), ccs(), vec![0x80; 5]] {
                    let more = [&behind[..], &tail].concat();
                    assert_eq!(
                        laws::followed(first(&stream), &more, more.len()),
                        end,
                        "{more:02x?}"
                    );
                }
            }
            waiting = longer;
        }
        assert!(ends.iter().all(|count| *count > 500), "{ends:?}");
    }
}

/// Every kind's word is its own and fit for a label.
#[test]
fn every_kind_has_a_word() {
    use tls_sni::Field::Hello;
    use tls_sni::NameError::*;
    let (needed, available, len, max) = (2, 1, 1, 1);
    let kinds: [ErrorKind; 18] = [
        Sslv2,
        UnexpectedRecord(1),
        RecordVersion(1),
        EmptyRecord,
        RecordTooLong(1),
        NotClientHello(1),
        HelloTooLong { len: 1, max },
        TrailingData,
        Truncated {
            field: Hello,
            needed,
            available,
        },
        Length { field: Hello, len },
        Leftover { field: Hello, len },
        DuplicateExtension(1),
        TooManyExtensions,
        PskNotLast,
        SecondServerName,
        UnknownNameType(1),
        NameChanged,
        EchChanged,
    ];
    let names = [
        Nul,
        NonAscii(200),
        BadByte(1),
        EmptyLabel,
        LongLabel,
        TooLong,
        IpLiteral,
    ];
    let mut words: Vec<&str> = kinds.iter().map(|kind| kind.code()).collect();
    words.extend(names.iter().map(|name| name.code()));
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), kinds.len() + names.len());
    assert!(words.iter().all(|word| {
        word.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    }));
}

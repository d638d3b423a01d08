//! What holds for any bytes whatever. The fuzz targets assert the same functions.

use tls_sni::{ClientHello, Error, ErrorKind, Follower, Next, Scanner, ServerName, Status};

use crate::reference::{self, Behind, Verdict};
use crate::wire;

/// Every law that needs nothing but the bytes.
pub(crate) fn hello(input: &[u8]) {
    agrees_with_the_reference(input);
    prefixes_agree_with_the_whole(input);
    fields_rebuild_the_message(input);
    // Cuts that move with the input, so that the fuzzer can place them.
    let cuts: Vec<usize> = input
        .iter()
        .rev()
        .take(3)
        .scan(0, |at, byte| {
            *at += 1 + usize::from(*byte);
            Some(*at)
        })
        .collect();
    split_hello_equals_whole_hello(input, &cuts);
}

/// Fed byte by byte, the parser never answers before the answer is certain, asks for no more than is needed, and never
/// takes an answer back; and a scanner that remembers agrees with one that starts afresh.
pub(crate) fn prefixes_agree_with_the_whole(input: &[u8]) {
    let mut resumed = Scanner::new();
    let mut asked_for = 0;
    let mut settled: Option<Result<Status<usize>, Error>> = None;
    for len in 0..=input.len() {
        let prefix = &input[..len];
        let fresh = Scanner::new().advance(prefix);
        assert_eq!(resumed.advance(prefix), fresh, "resumed at {len}");
        if let Some(settled) = settled {
            assert_eq!(fresh, settled, "an answer taken back at {len}");
        }
        match fresh {
            Ok(Status::Incomplete { needed }) => {
                assert!(needed > len, "{needed} needed of {len}");
                assert!(
                    len >= asked_for || needed == asked_for,
                    "another need at {len}, before the {asked_for} asked for"
                );
                asked_for = needed;
                assert_eq!(
                    ClientHello::parse(prefix),
                    Ok(Status::Incomplete { needed })
                );
            }
            answer => {
                assert!(
                    settled.is_some() || asked_for <= len,
                    "answered at {len}, before the {asked_for} asked for"
                );
                if settled.is_none() {
                    if let Ok(Status::Complete(end)) = answer {
                        assert_eq!(end, len, "complete when its last byte arrives");
                    }
                    let parsed = ClientHello::parse(prefix);
                    let whole = ClientHello::parse(input);
                    assert_eq!(
                        parsed, whole,
                        "the hello does not change with what follows it"
                    );
                }
                settled = Some(answer);
            }
        }
    }
}

/// However the message is cut into records, the answer is that to the message in one record.
pub(crate) fn split_hello_equals_whole_hello(input: &[u8], cuts: &[usize]) {
    let Ok(Status::Complete(_)) = Scanner::new().advance(input) else {
        return;
    };
    let message = wire::message(input);
    if message.len() > 16_384 {
        return;
    }
    let whole = wire::records(&message, []);
    let split = wire::records(&message, cuts.iter().copied());
    same_answer(&whole, &split);
    same_answer(input, &split);
}

/// Two streams that carry the same message get the same answer, but for where the bytes lie.
pub(crate) fn same_answer(one: &[u8], other: &[u8]) {
    match (ClientHello::parse(one), ClientHello::parse(other)) {
        (Ok(Status::Complete(one)), Ok(Status::Complete(other))) => {
            assert_eq!(one, other);
            same_fields(&one, &other);
        }
        (one, other) => assert_eq!(one.map_err(kind), other.map_err(kind)),
    }
}

fn same_fields(one: &ClientHello<'_>, other: &ClientHello<'_>) {
    assert_eq!(one.server_name(), other.server_name());
    assert_eq!(one.ech(), other.ech());
    assert_eq!(one.legacy_version(), other.legacy_version());
    assert_eq!(one.random(), other.random());
    assert_eq!(one.session_id(), other.session_id());
    assert!(one.cipher_suites().eq(other.cipher_suites()));
    assert!(one.alpn().eq(other.alpn()));
    assert!(one.supported_versions().eq(other.supported_versions()));
    assert!(one.extensions().eq(other.extensions()));
}

fn kind(error: Error) -> ErrorKind {
    error.kind()
}

/// The answer is that of a slow reader which copies the message together first and knows nothing of cursors.
pub(crate) fn agrees_with_the_reference(input: &[u8]) {
    let ours = match ClientHello::parse(input) {
        Ok(Status::Complete(hello)) => match hello.server_name() {
            ServerName::Absent => Verdict::Absent,
            ServerName::Host(host) => {
                let mut buffer = [0; 253];
                let canonical = host.canonical(&mut buffer);
                assert_eq!(host.to_string(), canonical);
                assert!(host == canonical);
                let mut sent: Vec<u8> = host.as_sent().iter().collect();
                sent.make_ascii_lowercase();
                let dot = if host.had_trailing_dot() { "." } else { "" };
                assert_eq!(sent, format!("{canonical}{dot}").into_bytes());
                Verdict::Host(canonical.to_owned())
            }
            ServerName::Invalid(name) => Verdict::Invalid(name.as_sent().iter().collect()),
        },
        Ok(Status::Incomplete { .. }) => Verdict::Incomplete,
        Ok(Status::NotTls) => Verdict::NotTls,
        Err(_) => Verdict::Error,
    };
    assert_eq!(ours, reference::verdict(input));
}

/// What is read out of a hello, written again, is the hello.
pub(crate) fn fields_rebuild_the_message(input: &[u8]) {
    let Ok(Status::Complete(hello)) = ClientHello::parse(input) else {
        return;
    };
    let message = wire::message(input);
    let mut rebuilt = hello.legacy_version().to_be_bytes().to_vec();
    rebuilt.extend(hello.random().iter());
    rebuilt.extend(wire::vector(
        1,
        &hello.session_id().iter().collect::<Vec<_>>(),
    ));
    let suites: Vec<u8> = hello.cipher_suites().flat_map(u16::to_be_bytes).collect();
    rebuilt.extend(wire::vector(2, &suites));
    assert_eq!(
        rebuilt,
        message[4..4 + rebuilt.len()],
        "the fields before the compression methods"
    );
    let extensions: Vec<u8> = hello
        .extensions()
        .flat_map(|(ty, body)| wire::extension(ty, &body.iter().collect::<Vec<_>>()))
        .collect();
    assert!(message.ends_with(&extensions), "the extensions");
}

/// A hello, then whatever the client sends: what may be sent on of it is a slow reader's answer, and does not depend on how it arrives.
pub(crate) fn second_hello(input: &[u8]) {
    let Ok(Status::Complete(first)) = ClientHello::parse(input) else {
        return;
    };
    behind_a_hello(first, &wire::message(input), &input[first.consumed()..]);
}

/// The same, for a stream behind a hello whose message is known.
pub(crate) fn behind_a_hello(first: ClientHello<'_>, message: &[u8], stream: &[u8]) {
    let expected = reference::behind(message, stream);
    for step in [1, 2, 3, 7, 64, stream.len().max(1)] {
        assert_eq!(
            followed(first, stream, step),
            expected,
            "{step} bytes at a time"
        );
    }
}

/// What a gate that gets `step` bytes at a time sends on.
pub(crate) fn followed(first: ClientHello<'_>, stream: &[u8], step: usize) -> Behind {
    let mut follower = Follower::new(first);
    let (mut sent, mut received, mut wanted) = (0, 0, 0);
    loop {
        let held = &stream[sent..received];
        let before = follower;
        match follower.advance(held) {
            Ok(Next::Forward(bytes)) => {
                assert!(bytes > 0 && bytes <= held.len());
                // What is sent on of a record holds no byte of the next one, and its bytes decide nothing.
                sent += bytes;
                wanted = sent;
            }
            Ok(Next::Incomplete { needed }) => {
                assert!(needed > held.len());
                if received < wanted {
                    assert_eq!(
                        sent + needed,
                        wanted,
                        "another need before what was asked for"
                    );
                }
                wanted = sent + needed;
                if received == stream.len() {
                    return Behind::Waits(sent);
                }
                received = (received + step).min(stream.len());
            }
            Ok(Next::Settled) => {
                assert!(received >= wanted, "settled before what was asked for");
                assert_eq!(follower.advance(&stream[sent..]), Ok(Next::Settled));
                assert_eq!(
                    before.clone().advance(&stream[sent..]),
                    Ok(Next::Settled),
                    "with more behind"
                );
                return Behind::Settled(sent);
            }
            Err(error) => {
                assert!(error.offset() <= held.len());
                let again = before.clone().advance(&stream[sent..]).map_err(kind);
                assert_eq!(again, Err(error.kind()), "with more behind");
                return Behind::Refused(sent);
            }
        }
    }
}

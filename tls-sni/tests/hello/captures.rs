//! Every capture reads as its row in the manifest says, every vector gets the verdict of its row.

use crate::material::{Sample, captures, vectors};
use tls_sni::{Bytes, ClientHello, Ech, ErrorKind, NameError, ServerName, Status, is_grease};

fn text(bytes: Bytes<'_>) -> String {
    String::from_utf8(bytes.iter().collect()).unwrap()
}

fn version(version: u16) -> String {
    match version.to_be_bytes() {
        [3, minor] if minor > 0 => format!("1.{}", minor - 1),
        _ => format!("{version:#06x}"),
    }
}

fn hello(sample: &Sample) -> ClientHello<'_> {
    match ClientHello::parse(&sample.bytes) {
        Ok(Status::Complete(hello)) => hello,
        other => panic!("{}: {other:?}", sample.id),
    }
}

#[test]
fn every_capture_parses_to_the_fields_in_its_manifest() {
    for capture in &captures() {
        let id = capture.id.as_str();
        assert_eq!(
            capture.bytes.len().to_string(),
            capture.get("bytes"),
            "{id}"
        );
        match (capture.get("record_versions"), capture.bytes[0]) {
            ("sslv2", _) => {
                let error = ClientHello::parse(&capture.bytes).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Sslv2, "{id}");
            }
            // A second hello follows a change_cipher_spec; no stream starts so.
            (_, 20) => {
                let error = ClientHello::parse(&capture.bytes).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::UnexpectedRecord(20), "{id}");
                let second = Sample {
                    bytes: capture.bytes[6..].to_vec(),
                    id: id.to_owned(),
                    row: capture.row.clone(),
                };
                agrees(&second);
            }
            _ => agrees(capture),
        }
    }
}

fn agrees(capture: &Sample) {
    let id = capture.id.as_str();
    let hello = hello(capture);

    match (hello.server_name(), capture.get("sni")) {
        (ServerName::Absent, sent) => assert_eq!(sent, "-", "{id}"),
        (ServerName::Host(host), sent) => {
            assert_eq!(text(host.as_sent()), sent, "{id}");
            let canonical = sent.strip_suffix('.').unwrap_or(sent).to_ascii_lowercase();
            assert_eq!(host.canonical(&mut [0; 253]), canonical, "{id}");
            assert_eq!(host.had_trailing_dot(), sent.ends_with('.'), "{id}");
        }
        (ServerName::Invalid(name), sent) => {
            assert_eq!(text(name.as_sent()), sent, "{id}");
            let reason = match sent {
                "192.0.2.7" => NameError::IpLiteral,
                "bücher.example" => NameError::NonAscii(0xc3),
                "exa mple.com/.." => NameError::BadByte(b' '),
                _ => panic!("{id}: {name}"),
            };
            assert_eq!(name.reason(), reason, "{id}");
        }
    }

    let alpn: Vec<_> = hello.alpn().map(text).collect();
    let alpn = if alpn.is_empty() {
        "-".to_owned()
    } else {
        alpn.join(",")
    };
    assert!(
        alpn == capture.get("alpn") || alpn.get(..80) == Some(capture.get("alpn")),
        "{id}: {alpn}"
    );

    let grease =
        hello.extensions().any(|(ty, _)| is_grease(ty)) || hello.cipher_suites().any(is_grease);
    assert_eq!(grease, capture.get("grease") == "yes", "{id}");

    let versions: Vec<_> = hello.supported_versions().map(version).collect();
    let versions = match versions.as_slice() {
        [] => format!("legacy:{}", version(hello.legacy_version())),
        _ if capture.get("versions").starts_with("GREASE") => {
            format!("GREASE,{}", versions.join(","))
        }
        _ => versions.join(","),
    };
    assert_eq!(versions, capture.get("versions"), "{id}");

    assert_eq!(
        matches!(hello.ech(), Ech::Outer { .. }),
        capture.get("ech") == "outer",
        "{id}"
    );
    assert_eq!(hello.ech() == Ech::None, capture.get("ech") == "no", "{id}");

    let [_, major, minor, ..] = capture.bytes[..] else {
        panic!("{id}")
    };
    assert_eq!(
        format!("{major:02x}{minor:02x}"),
        capture.get("record_versions"),
        "{id}"
    );
    assert_eq!(
        hello.records().to_string(),
        capture.get("tls_records"),
        "{id}"
    );

    let position = hello
        .extensions()
        .position(|(ty, _)| ty == 0)
        .map(|at| (at + 1).to_string());
    let position = position.unwrap_or_else(|| "None".to_owned());
    let position = format!("{position}/{}", hello.extensions().count());
    assert_eq!(position, capture.get("sni_position/ext_count"), "{id}");

    let after = capture.bytes.len() - hello.consumed();
    assert_eq!(after.to_string(), capture.get("bytes_after_hello"), "{id}");
    assert_eq!(hello.random().len(), 32, "{id}");
    assert!(
        hello.session_id().len() == 32 || hello.session_id().is_empty(),
        "{id}"
    );
}

#[test]
fn every_vector_gets_the_verdict_of_its_row() {
    for vector in &vectors() {
        let answer = answer(&vector.bytes);
        let kind = answer.split(' ').next().unwrap();
        let agrees = match vector.get("expect") {
            "need_more" => kind == "incomplete",
            "nosni" | "nosni + esni" => kind == "absent",
            "err:InvalidName" | "err:IpLiteral" | "err:IpLiteral|InvalidName" => kind == "invalid",
            "err:TooManyExtensions|name" => kind == "error",
            expected if expected.starts_with("err:") => kind == "error",
            "name" | "name + ech_draft" | "name:253" => kind == "name",
            expected => {
                let name = expected
                    .strip_prefix("name:")
                    .unwrap()
                    .split(' ')
                    .next()
                    .unwrap();
                answer == format!("name {}", name.to_ascii_lowercase())
            }
        };
        assert!(
            agrees,
            "{}: {answer}, expected {}",
            vector.id,
            vector.get("expect")
        );
    }
}

/// The exact answer to each vector, a line each.
#[rustfmt::skip]
const ANSWERS: &[(&str, &str)] = &[
    ("ok", "name allowed.example"),
    ("frag-1byte", "name allowed.example"),
    ("frag-2rec-mid-sni", "name allowed.example"),
    ("rec-zero-first", "error a handshake record of zero bytes (at byte 0)"),
    ("rec-zero-mid", "error a handshake record of zero bytes (at byte 55)"),
    ("rec-interleaved-ccs", "error a record of type 20 where a hello's was to be (at byte 55)"),
    ("rec-interleaved-alert", "error a record of type 21 where a hello's was to be (at byte 55)"),
    ("rec-ver-0300", "name allowed.example"),
    ("rec-ver-0303", "name allowed.example"),
    ("rec-ver-0304", "name allowed.example"),
    ("rec-ver-03ff", "name allowed.example"),
    ("rec-ver-0400", "error a record of major version 4 instead of 3 (at byte 0)"),
    ("rec-ver-changes", "name allowed.example"),
    ("rec-too-long", "error a record of 17338 bytes, at most 16384 allowed (at byte 0)"),
    ("hello-len-16m", "error a hello of 16777215 bytes, at most 65535 allowed (at byte 0)"),
    ("hs-trailing-in-record", "error more bytes after the hello in the same record (at byte 0)"),
    ("hs-trailing-next-record", "name allowed.example"),
    ("ccs-before-hello", "error a record of type 20 where a hello's was to be (at byte 0)"),
    ("hs-type-0-hellorequest", "error a handshake message of type 0 instead of a client hello (at byte 0)"),
    ("hs-len-long", "incomplete 344"),
    ("record-len-long", "incomplete 349"),
    ("trunc-000", "incomplete 1"),
    ("trunc-001", "incomplete 5"),
    ("trunc-004", "incomplete 5"),
    ("trunc-006", "incomplete 9"),
    ("trunc-100", "incomplete 339"),
    ("sslv2-hello", "error an SSL 2.0 hello, which carries no server name (at byte 0)"),
    ("sslv2-java", "error an SSL 2.0 hello, which carries no server name (at byte 0)"),
    ("dtls", "error a record of major version 254 instead of 3 (at byte 0)"),
    ("sid-33", "error legacy_session_id of 33 bytes, 0 to 32 allowed (at byte 44)"),
    ("cs-odd", "error cipher_suites of 3 bytes, an even number of at least 2 allowed (at byte 46)"),
    ("cs-empty", "error cipher_suites of 0 bytes, an even number of at least 2 allowed (at byte 46)"),
    ("no-ext-block", "absent"),
    ("ext-block-short", "error 4 bytes left over after the hello (at byte 335)"),
    ("ext-len-overrun", "error an extension needs 200 bytes, 3 left (at byte 301)"),
    ("dup-sni", "error a second extension of type 0x0000 (at byte 168)"),
    ("dup-sni-far", "error a second extension of type 0x0000 (at byte 339)"),
    ("dup-grease", "error a second extension of type 0x0a0a (at byte 343)"),
    ("dup-unknown", "error a second extension of type 0x1234 (at byte 343)"),
    ("padding-sni-inside", "name allowed.example"),
    ("sni-two-names", "error a second host name (at byte 168)"),
    ("sni-type1-then-host", "error a server name of type 1, only 0 (host_name) is defined (at byte 150)"),
    ("sni-host-then-type1", "error a server name of type 1, only 0 (host_name) is defined (at byte 168)"),
    ("sni-empty-ext", "error server_name needs 2 bytes, 0 left (at byte 148)"),
    ("sni-empty-list", "error server_name of 0 bytes, at least 1 allowed (at byte 150)"),
    ("sni-empty-name", "error server_name of 0 bytes, at least 1 allowed (at byte 153)"),
    ("sni-list-short", "error 2 bytes left over after server_name (at byte 166)"),
    ("sni-list-long", "error server_name needs 22 bytes, 18 left (at byte 150)"),
    ("sni-name-long", "error server_name needs 21 bytes, 15 left (at byte 153)"),
    ("sni-name-short", "error a server name of type 46, only 0 (host_name) is defined (at byte 168)"),
    ("sni-upper", "name allowed.example"),
    ("sni-leading-dot", "invalid has an empty label"),
    ("sni-nul-end", "invalid has a NUL byte in it"),
    ("sni-newline", "invalid has byte `\\n` in it"),
    ("sni-slash", "invalid has byte `/` in it"),
    ("sni-utf8", "invalid has byte 0xc3 in it; non-ASCII names travel as A-labels"),
    ("sni-latin1", "invalid has byte 0xfc in it; non-ASCII names travel as A-labels"),
    ("sni-fullwidth-dot", "invalid has byte 0xe3 in it; non-ASCII names travel as A-labels"),
    ("sni-underscore", "name my_host.example"),
    ("sni-ipv4-dot", "invalid is an address or reads as one"),
    ("sni-ipv6", "invalid has byte `:` in it"),
    ("sni-decimal-ip", "invalid is an address or reads as one"),
    ("sni-hex-ip", "invalid is an address or reads as one"),
    ("sni-port", "invalid has byte `:` in it"),
    ("sni-brackets", "invalid has byte `[` in it"),
    ("sni-label-64", "invalid has a label of more than 63 bytes"),
    ("sni-253", "name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
    ("sni-single-label", "name localhost"),
    ("sni-punycode", "name xn--bcher-kva.example"),
    ("sni-last", "name allowed.example"),
    ("nosni", "absent"),
    ("psk-last", "name allowed.example"),
    ("psk-not-last", "error pre_shared_key is not the last extension (at byte 207)"),
    ("ech-draft08", "name allowed.example Draft(65032)"),
    ("esni-ffce", "absent Esni"),
    ("alpn-empty-proto", "error application_layer_protocol_negotiation of 0 bytes, at least 1 allowed (at byte 328)"),
    ("alpn-empty-list", "error application_layer_protocol_negotiation of 0 bytes, at least 1 allowed (at byte 327)"),
    ("alpn-overrun", "error application_layer_protocol_negotiation needs 9 bytes, 2 left (at byte 328)"),
    ("legacy-0304", "name allowed.example"),
    ("legacy-0302", "name allowed.example"),
    ("ext-count-500", "error more than 128 extensions (at byte 807)"),
    ("diff-boundary-blind", "name evil.example"),
];

#[test]
fn every_vector_gets_its_exact_answer() {
    let vectors = vectors();
    assert_eq!(vectors.len(), ANSWERS.len());
    for (id, expected) in ANSWERS {
        let vector = vectors.iter().find(|vector| vector.id == *id).unwrap();
        assert_eq!(answer(&vector.bytes), *expected, "{id}");
    }
}

/// What is answered in words: the verdict, then what there is to say about it.
fn answer(input: &[u8]) -> String {
    match ClientHello::parse(input) {
        Err(error) => format!("error {error}"),
        Ok(Status::NotTls) => "not_tls".to_owned(),
        Ok(Status::Incomplete { needed }) => format!("incomplete {needed}"),
        Ok(Status::Complete(hello)) => {
            let name = match hello.server_name() {
                ServerName::Absent => "absent".to_owned(),
                ServerName::Host(host) => format!("name {host}"),
                ServerName::Invalid(name) => format!("invalid {}", name.reason()),
            };
            match hello.ech() {
                Ech::None => name,
                ech => format!("{name} {ech:?}"),
            }
        }
    }
}

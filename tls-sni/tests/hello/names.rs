//! Names, a line each: the canonical form, or the reason there is none.

use tls_sni::NameError::{self, BadByte, EmptyLabel, IpLiteral, LongLabel, NonAscii, Nul, TooLong};
use tls_sni::{ClientHello, HostName, ServerName, Status};

use crate::wire::{Hello, records_of, server_name};

/// Asks for the name in one record and in records of one byte; both must answer alike.
fn classify(name: &[u8]) -> Result<String, NameError> {
    let hello = Hello::with(&[server_name(name)]);
    let answers = [hello.record(), records_of(&hello.message(), 1)].map(|stream| {
        let Ok(Status::Complete(hello)) = ClientHello::parse(&stream) else {
            panic!("{:?}", name.escape_ascii())
        };
        match hello.server_name() {
            ServerName::Host(host) => Ok(host.to_string()),
            ServerName::Invalid(invalid) => {
                assert!(invalid.as_sent() == *name);
                Err(invalid.reason())
            }
            ServerName::Absent => panic!("{:?}", name.escape_ascii()),
        }
    });
    assert_eq!(answers[0], answers[1], "{:?}", name.escape_ascii());
    answers.into_iter().next().unwrap()
}

macro_rules! hosts {
    ($($test:ident: $sent:expr => $canonical:expr;)*) => {
        $(#[test] fn $test() { assert_eq!(classify($sent.as_ref()), Ok(String::from($canonical))); })*
    };
}

macro_rules! invalid {
    ($($test:ident: $sent:expr => $reason:expr;)*) => {
        $(#[test] fn $test() { assert_eq!(classify($sent.as_ref()), Err($reason)); })*
    };
}

hosts! {
    plain: "example.com" => "example.com";
    upper_case: "EXAMPLE.Com" => "example.com";
    trailing_dot: "example.com." => "example.com";
    upper_case_and_trailing_dot: "WWW.EXAMPLE.COM." => "www.example.com";
    single_label: "localhost" => "localhost";
    single_letter: "a" => "a";
    underscore: "_dmarc.my_host.example" => "_dmarc.my_host.example";
    hyphens_at_label_edges: "-a-.-b-.example" => "-a-.-b-.example";
    a_label: "xn--bcher-kva.example" => "xn--bcher-kva.example";
    a_label_that_decodes_to_nothing: "xn--.example" => "xn--.example";
    digits_but_not_last: "192.0.2.7.example" => "192.0.2.7.example";
    digits_and_a_letter_last: "a.1b" => "a.1b";
    hexadecimal_letters_without_0x: "dead.beef" => "dead.beef";
    zero_x_and_more: "a.0xg" => "a.0xg";
    x_first: "x0.x1" => "x0.x1";
    x_twice: "a.0x0x" => "a.0x0x";
    label_of_63: format!("{}.example", "a".repeat(63)) => format!("{}.example", "a".repeat(63));
    name_of_253: long(253) => long(253);
    name_of_253_and_a_dot: format!("{}.", long(253)) => long(253);
}

invalid! {
    nul_at_the_end: "example.com\0" => Nul;
    nul_before_another_name: "allowed.example\0.evil.example" => Nul;
    u_label: "bücher.example" => NonAscii(0xc3);
    latin_1: b"b\xfccher.example" => NonAscii(0xfc);
    ideographic_full_stop: "a。example" => NonAscii(0xe3);
    space: "exa mple.com" => BadByte(b' ');
    newline: "allowed.example\nevil" => BadByte(b'\n');
    delete: "a\x7f.example" => BadByte(0x7f);
    slash: "example.com/path" => BadByte(b'/');
    port: "example.com:443" => BadByte(b':');
    wildcard: "*.example.com" => BadByte(b'*');
    at_sign: "user@example.com" => BadByte(b'@');
    percent: "exa%6dple.com" => BadByte(b'%');
    only_a_dot: "." => EmptyLabel;
    leading_dot: ".example.com" => EmptyLabel;
    two_dots_inside: "example..com" => EmptyLabel;
    two_dots_at_the_end: "example.com.." => EmptyLabel;
    label_of_64: format!("{}.example", "a".repeat(64)) => LongLabel;
    last_label_of_64: format!("example.{}", "a".repeat(64)) => LongLabel;
    name_of_254: long(254) => TooLong;
    name_of_254_and_a_dot: format!("{}.", long(254)) => TooLong;
    name_of_16_000: "a.".repeat(8_000) => TooLong;
    ipv4: "192.0.2.7" => IpLiteral;
    ipv4_and_a_dot: "192.0.2.7." => IpLiteral;
    ipv4_out_of_range: "999.0.0.1" => IpLiteral;
    ipv4_short: "127.1" => IpLiteral;
    decimal: "3221225991" => IpLiteral;
    octal: "0300.0.2.7" => IpLiteral;
    hexadecimal: "0xc0000207" => IpLiteral;
    hexadecimal_upper_case: "0XC0000207." => IpLiteral;
    hexadecimal_last_label: "192.0.2.0x7" => IpLiteral;
    hexadecimal_without_digits: "a.0x" => IpLiteral;
    numeric_last_label: "example.1" => IpLiteral;
    ipv6: "2001:db8::7" => BadByte(b':');
    ipv6_in_brackets: "[2001:db8::7]" => BadByte(b'[');
}

/// A name of that many bytes, in labels of 63 and what is left.
fn long(len: usize) -> String {
    format!("{0}.{0}.{0}.{0}.{0}", "a".repeat(63))
        .chars()
        .take(len)
        .collect()
}

/// Complete over one byte: which bytes may stand in a name at all.
#[test]
fn every_byte_in_the_middle_of_a_name() {
    for byte in u8::MIN..=u8::MAX {
        let answer = classify(&[b'a', byte, b'b']);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                let canonical = format!("a{}b", char::from(byte.to_ascii_lowercase()));
                assert_eq!(answer, Ok(canonical));
            }
            0 => assert_eq!(answer, Err(Nul)),
            1..=127 => assert_eq!(answer, Err(BadByte(byte))),
            128.. => assert_eq!(answer, Err(NonAscii(byte))),
        }
    }
}

/// Complete over a small alphabet: every name of up to six letters that decide anything.
#[test]
fn every_short_name_agrees_with_the_reference() {
    let alphabet = *b"0xaG.-";
    let mut names = vec![Vec::new()];
    for _ in 0..6 {
        let longer: Vec<Vec<u8>> = names
            .iter()
            .flat_map(|name| alphabet.map(|letter| [name.as_slice(), &[letter]].concat()))
            .collect();
        for name in &longer {
            crate::laws::agrees_with_the_reference(&Hello::with(&[server_name(name)]).record());
        }
        names = longer;
    }
    assert_eq!(names.len(), 46_656);
}

fn with_host(name: &str, check: impl Fn(HostName<'_>)) {
    let stream = Hello::with(&[server_name(name.as_bytes())]).record();
    let Ok(Status::Complete(hello)) = ClientHello::parse(&stream) else {
        panic!("{name}")
    };
    let ServerName::Host(host) = hello.server_name() else {
        panic!("{name}")
    };
    check(host);
}

#[test]
fn hosts_compare_by_canonical_form() {
    with_host("EXAMPLE.com.", |host| {
        assert!(host == "example.com");
        assert!(host != "EXAMPLE.com.");
        assert!(host != "example.co");
        assert!(host.as_sent() == b"EXAMPLE.com."[..]);
        assert!(host.had_trailing_dot());
        assert_eq!(
            format!("{host}|{host:>13}|{host:?}"),
            "example.com|  example.com|HostName(\"EXAMPLE.com.\")"
        );
        with_host("example.com", |other| assert_eq!(host, other));
        with_host("example.net", |other| assert_ne!(host, other));
    });
}

#[test]
fn messages_escape_what_was_sent() {
    let message = |name: &[u8]| {
        let stream = Hello::with(&[server_name(name)]).record();
        match ClientHello::parse(&stream) {
            Ok(Status::Complete(hello)) => match hello.server_name() {
                ServerName::Invalid(name) => name.to_string(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        message(b"a\nb"),
        "the server name `a\\nb` has byte `\\n` in it"
    );
    assert_eq!(
        message(b"a\0b"),
        "the server name `a\\x00b` has a NUL byte in it"
    );
    assert_eq!(
        message(b"192.0.2.7"),
        "the server name `192.0.2.7` is an address or reads as one"
    );
    let long = message("a".repeat(300).as_bytes());
    assert_eq!(
        long,
        format!(
            "the server name `{}…` has more than 253 bytes",
            "a".repeat(253)
        )
    );
}

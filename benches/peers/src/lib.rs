//! Readers of a ClientHello behind one signature: the bytes received so far in, the length of the name out.
//!
//! Each does what its own embedders ask of it, from bytes to a name that can be looked up, and nothing more. Zero stands for every
//! other answer, so a reader that refuses an input is quick there, not good.

/// Reads the server name.
pub type Reader = fn(&[u8]) -> usize;

/// Every reader, ours first.
pub const READERS: &[(&str, Reader)] = &[
    ("tls-sni", tls_sni),
    ("tls-sni-canonical", tls_sni_canonical),
    ("tls-sni-arriving", tls_sni_arriving),
    ("openmoat-proxy", openmoat),
    ("tls-parser", tls_parser),
    ("rustls", rustls),
    ("tls-client_hello-parser", tls_client_hello_parser),
    ("huginn-net-tls", huginn),
    ("take_sni", take_sni),
    ("first-name", first_name),
];

/// The hello checked whole, the name's syntax with it.
#[inline(never)]
pub fn tls_sni(input: &[u8]) -> usize {
    match tls_sni::ClientHello::parse(input) {
        Ok(tls_sni::Status::Complete(hello)) => match hello.server_name() {
            tls_sni::ServerName::Host(host) => host.as_sent().len(),
            _ => 0,
        },
        _ => 0,
    }
}

/// The same, and the name in its canonical form.
#[inline(never)]
pub fn tls_sni_canonical(input: &[u8]) -> usize {
    match tls_sni::ClientHello::parse(input) {
        Ok(tls_sni::Status::Complete(hello)) => match hello.server_name() {
            tls_sni::ServerName::Host(host) => {
                host.canonical(&mut [0; tls_sni::HostName::MAX_LEN]).len()
            }
            _ => 0,
        },
        _ => 0,
    }
}

/// The canonical name of a hello that arrives six bytes at a time: in records of one byte, one record.
#[inline(never)]
pub fn tls_sni_arriving(input: &[u8]) -> usize {
    let mut scanner = tls_sni::Scanner::new();
    let mut received = 0;
    while received < input.len() {
        received = input.len().min(received + 6);
        match scanner.advance(&input[..received]) {
            Ok(tls_sni::Status::Complete(_)) => break,
            Ok(tls_sni::Status::Incomplete { .. }) => {}
            _ => return 0,
        }
    }
    match scanner.parse(&input[..received]) {
        Ok(tls_sni::Status::Complete(hello)) => match hello.server_name() {
            tls_sni::ServerName::Host(host) => {
                host.canonical(&mut [0; tls_sni::HostName::MAX_LEN]).len()
            }
            _ => 0,
        },
        _ => 0,
    }
}

#[inline(never)]
fn openmoat(input: &[u8]) -> usize {
    match openmoat_proxy::server_name(input) {
        Ok(
            openmoat_proxy::Hello::ServerName(Some(name))
            | openmoat_proxy::Hello::Encrypted(Some(name)),
        ) => name.len(),
        _ => 0,
    }
}

#[inline(never)]
fn tls_parser(input: &[u8]) -> usize {
    use tls_parser::{TlsExtension, TlsMessage, TlsMessageHandshake};
    let Ok((_, record)) = tls_parser::parse_tls_plaintext(input) else {
        return 0;
    };
    let [TlsMessage::Handshake(TlsMessageHandshake::ClientHello(hello))] = record.msg.as_slice()
    else {
        return 0;
    };
    let Some(Ok((_, extensions))) = hello.ext.map(tls_parser::parse_tls_client_hello_extensions)
    else {
        return 0;
    };
    let name = extensions.iter().find_map(|extension| match extension {
        TlsExtension::SNI(names) => names.first(),
        _ => None,
    });
    name.map_or(0, |(_, name)| name.len())
}

#[inline(never)]
fn rustls(mut input: &[u8]) -> usize {
    let mut acceptor = rustls::server::Acceptor::default();
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

#[inline(never)]
fn tls_client_hello_parser(mut input: &[u8]) -> usize {
    match tls_client_hello_parser::Parser::new().parse(&mut input) {
        Ok(Some(hello)) => hello
            .client_hello()
            .ok()
            .and_then(|hello| hello.server_name().map(str::len))
            .unwrap_or(0),
        _ => 0,
    }
}

#[inline(never)]
fn huginn(input: &[u8]) -> usize {
    match huginn_net_tls::TlsClientHelloReader::new().add_bytes(input) {
        Ok(Some(signature)) => signature.sni.map_or(0, |name| name.len()),
        _ => 0,
    }
}

#[inline(never)]
fn take_sni(input: &[u8]) -> usize {
    take_sni::take_sni(input).map_or(0, |(_, name)| name.len())
}

/// The floor: the first name of one record, nothing checked but that the bytes are there.
#[inline(never)]
pub fn first_name(input: &[u8]) -> usize {
    find(input).unwrap_or(0)
}

fn find(input: &[u8]) -> Option<usize> {
    let u16_at = |at: usize| {
        Some(usize::from(u16::from_be_bytes([
            *input.get(at)?,
            *input.get(at + 1)?,
        ])))
    };
    let mut at = 44 + usize::from(*input.get(43)?);
    at += 2 + u16_at(at)?;
    at += 1 + usize::from(*input.get(at)?) + 2;
    loop {
        let (ty, len) = (u16_at(at)?, u16_at(at + 2)?);
        if ty == 0 {
            return u16_at(at + 7);
        }
        at += 4 + len;
    }
}

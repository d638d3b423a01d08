//! What a server acts on, asked of two independent implementations: rustls' acceptor and tls-parser.
//!
//! Where a peer accepts a hello with name N, we return N in its canonical form, an invalid name or an error; where it
//! accepts one without a name, we return no host. What we refuse and rustls accepts is listed in [`stricter_than_rustls`].

use rustls::server::Acceptor;
use tls_parser::{
    SNIType, TlsExtension, TlsMessage, TlsMessageHandshake, parse_tls_client_hello_extensions,
    parse_tls_plaintext,
};
use tls_sni::{ClientHello, Error, ErrorKind, ServerName, Status};

/// What a peer makes of a complete hello; `None` when it refuses it or waits for more.
pub(crate) type Peer = Option<Option<Vec<u8>>>;

pub(crate) fn no_peer_reads_another_name(input: &[u8]) {
    let ours = ClientHello::parse(input);
    if let Some(theirs) = rustls(input) {
        compare("rustls", ours, theirs, stricter_than_rustls);
    }
    if let Some(theirs) = tls_parser(input) {
        // It checks the shape of almost nothing, so any refusal of ours is in order.
        compare("tls-parser", ours, theirs, |_| true);
    }
}

fn compare(
    peer: &str,
    ours: Result<Status<ClientHello<'_>>, Error>,
    theirs: Option<Vec<u8>>,
    stricter: fn(ErrorKind) -> bool,
) {
    match ours {
        Ok(Status::Complete(hello)) => match (hello.server_name(), theirs) {
            (ServerName::Absent, None) | (ServerName::Invalid(_), _) => {}
            (ServerName::Host(host), Some(theirs)) => {
                let theirs = theirs
                    .strip_suffix(b".")
                    .unwrap_or(&theirs)
                    .to_ascii_lowercase();
                assert_eq!(host.to_string().into_bytes(), theirs, "{peer}");
            }
            (ours, theirs) => panic!("{peer} reads {theirs:?}, we read {ours:?}"),
        },
        Err(error) => assert!(
            stricter(error.kind()),
            "{peer} accepts {theirs:?}, we say {error}"
        ),
        Ok(ours) => panic!("{peer} accepts {theirs:?}, we say {ours:?}"),
    }
}

/// Refused here, accepted by rustls: the complete list.
fn stricter_than_rustls(kind: ErrorKind) -> bool {
    match kind {
        // rustls reads a host name and ignores an entry of unknown type behind it; OpenSSL refuses both.
        ErrorKind::UnknownNameType(_)
        // rustls allows an unencrypted record as many bytes as an encrypted one.
        | ErrorKind::RecordTooLong(_)
        // Our bound on the work a hello can cause.
        | ErrorKind::TooManyExtensions => true,
        _ => false,
    }
}

pub(crate) fn rustls(mut input: &[u8]) -> Peer {
    let mut acceptor = Acceptor::default();
    while !input.is_empty() {
        acceptor.read_tls(&mut input).ok()?;
        if let Some(accepted) = acceptor.accept().ok()? {
            return Some(
                accepted
                    .client_hello()
                    .server_name()
                    .map(|name| name.as_bytes().to_vec()),
            );
        }
    }
    None
}

pub(crate) fn tls_parser(input: &[u8]) -> Peer {
    // It answers for other content types and SSL 2.0 as well; those are not its hellos.
    let (_, record) = parse_tls_plaintext(input).ok()?;
    let [TlsMessage::Handshake(TlsMessageHandshake::ClientHello(hello))] = record.msg.as_slice()
    else {
        return None;
    };
    let Some(block) = hello.ext else {
        return Some(None);
    };
    let (rest, extensions) = parse_tls_client_hello_extensions(block).ok()?;
    if !rest.is_empty() {
        return None;
    }
    let names = extensions.iter().find_map(|extension| match extension {
        TlsExtension::SNI(names) => Some(names.iter().find(|(ty, _)| *ty == SNIType::HostName)),
        _ => None,
    });
    Some(names.flatten().map(|(_, name)| name.to_vec()))
}

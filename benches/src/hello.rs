//! The first bytes of connections that the hello benches read, the same for every parser.

/// One input and what to call it.
#[derive(Debug, Clone)]
pub struct Input {
    /// How the tables name it.
    pub name: &'static str,
    /// The bytes of the stream.
    pub bytes: Vec<u8>,
}

const CHROME: &[u8] = include_bytes!("../../tls-sni/testdata/chromium-156.bin");
const FIREFOX: &[u8] = include_bytes!("../../tls-sni/testdata/firefox-153esr.bin");
const OPENSSL: &[u8] = include_bytes!("../../tls-sni/testdata/curl-openssl.bin");
const RUSTLS: &[u8] = include_bytes!("../../tls-sni/testdata/rustls-0.23-ring-alpn.bin");
const NO_NAME: &[u8] = include_bytes!("../../tls-sni/testdata/firefox-153esr-ip.bin");
const NAME_LAST: &[u8] = include_bytes!("../../tls-sni/testdata/vectors/sni-last.bin");

/// Every input, in the order of the tables.
#[must_use]
pub fn inputs() -> Vec<Input> {
    let input = |name, bytes: &[u8]| Input {
        name,
        bytes: bytes.to_vec(),
    };
    vec![
        // A post-quantum hello of 1,951 bytes, 19 extensions, the name the seventeenth.
        input("chrome-pq", CHROME),
        input("firefox", FIREFOX),
        input("openssl", OPENSSL),
        input("rustls", RUSTLS),
        input("minimal", &minimal()),
        input("name-last", NAME_LAST),
        input("records-2", &records(CHROME, 978)),
        input("records-16-bytes", &records(CHROME, 16)),
        input("records-1-byte", &records(CHROME, 1)),
        input("no-name", NO_NAME),
        input("garbage", b"GET / HTTP/1.1\r\nhost: example.com\r\n\r\n"),
        input("partial", CHROME.get(..1448).unwrap_or(CHROME)),
    ]
}

/// One name, one cipher suite and no other extension: the least a hello with a name can be.
fn minimal() -> Vec<u8> {
    let name = b"example.com";
    let mut hello = vec![22, 3, 1, 0, 67, 1, 0, 0, 63, 3, 3];
    hello.extend([7; 32]);
    hello.extend([0, 0, 2, 0x13, 0x01, 1, 0]);
    hello.extend([0, 20, 0, 0, 0, 16, 0, 14, 0, 0, 11]);
    hello.extend(name);
    hello
}

/// The hello of one record again, in records of `len` bytes.
fn records(stream: &[u8], len: usize) -> Vec<u8> {
    let message = stream.get(5..).unwrap_or_default();
    let record = |payload: &[u8]| {
        let [high, low] = u16::try_from(payload.len()).unwrap_or(0).to_be_bytes();
        [&[22, 3, 1, high, low], payload].concat()
    };
    message.chunks(len).flat_map(record).collect()
}

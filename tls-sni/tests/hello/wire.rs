//! Writes hellos, well-formed or not, and the records they travel in.

/// `len` in as many bytes as a vector's length has, then the bytes (RFC 8446 §3.4).
pub(crate) fn vector(width: usize, bytes: &[u8]) -> Vec<u8> {
    let len = u32::try_from(bytes.len()).unwrap().to_be_bytes();
    [&len[4 - width..], bytes].concat()
}

pub(crate) fn extension(ty: u16, body: &[u8]) -> Vec<u8> {
    [&ty.to_be_bytes()[..], &vector(2, body)].concat()
}

/// A `server_name` extension with one `host_name`.
pub(crate) fn server_name(name: &[u8]) -> Vec<u8> {
    extension(0, &vector(2, &[&[0][..], &vector(2, name)].concat()))
}

pub(crate) fn alpn(protocols: &[Vec<u8>]) -> Vec<u8> {
    let list: Vec<u8> = protocols
        .iter()
        .flat_map(|protocol| vector(1, protocol))
        .collect();
    extension(16, &vector(2, &list))
}

pub(crate) fn supported_versions(versions: &[u16]) -> Vec<u8> {
    let list: Vec<u8> = versions
        .iter()
        .flat_map(|version| version.to_be_bytes())
        .collect();
    extension(43, &vector(1, &list))
}

/// The parts of a hello, each of which a test may spoil before writing it.
#[derive(Clone, Debug)]
pub(crate) struct Hello {
    pub(crate) legacy_version: u16,
    pub(crate) random: [u8; 32],
    pub(crate) session_id: Vec<u8>,
    pub(crate) cipher_suites: Vec<u8>,
    pub(crate) compression: Vec<u8>,
    /// `None` leaves the block out, as hellos before TLS 1.3 may.
    pub(crate) extensions: Option<Vec<u8>>,
}

impl Hello {
    /// The smallest that every stack reads, with these extensions.
    pub(crate) fn with(extensions: &[Vec<u8>]) -> Self {
        Self {
            legacy_version: 0x0303,
            random: [7; 32],
            session_id: Vec::new(),
            cipher_suites: vec![0x13, 0x01, 0xc0, 0x2f],
            compression: vec![0],
            extensions: Some(extensions.concat()),
        }
    }

    pub(crate) fn body(&self) -> Vec<u8> {
        let mut body = self.legacy_version.to_be_bytes().to_vec();
        body.extend(self.random);
        body.extend(vector(1, &self.session_id));
        body.extend(vector(2, &self.cipher_suites));
        body.extend(vector(1, &self.compression));
        if let Some(extensions) = &self.extensions {
            body.extend(vector(2, extensions));
        }
        body
    }

    /// The handshake message: type 1, a three-byte length, the body.
    pub(crate) fn message(&self) -> Vec<u8> {
        [&[1][..], &vector(3, &self.body())].concat()
    }

    /// The message in one record.
    pub(crate) fn record(&self) -> Vec<u8> {
        record(22, &self.message())
    }
}

pub(crate) fn record(ty: u8, payload: &[u8]) -> Vec<u8> {
    [&[ty, 3, 1][..], &vector(2, payload)].concat()
}

/// The message in records that end at `cuts` and at its end.
pub(crate) fn records(message: &[u8], cuts: impl IntoIterator<Item = usize>) -> Vec<u8> {
    let mut stream = Vec::new();
    let mut from = 0;
    for to in cuts.into_iter().chain([message.len()]) {
        if to > from && to <= message.len() {
            stream.extend(record(22, &message[from..to]));
            from = to;
        }
    }
    stream
}

/// The message in records of `len` bytes, the last one shorter.
pub(crate) fn records_of(message: &[u8], len: usize) -> Vec<u8> {
    records(message, (len..message.len()).step_by(len))
}

/// The handshake message that a well-formed stream of records begins with.
pub(crate) fn message(stream: &[u8]) -> Vec<u8> {
    let mut rest = stream;
    let mut payload = Vec::new();
    loop {
        if payload.len() >= 4 {
            let len = 4 + u32::from_be_bytes([0, payload[1], payload[2], payload[3]]) as usize;
            if payload.len() >= len {
                payload.truncate(len);
                return payload;
            }
        }
        let len = usize::from(u16::from_be_bytes([rest[3], rest[4]]));
        payload.extend(&rest[5..5 + len]);
        rest = &rest[5 + len..];
    }
}

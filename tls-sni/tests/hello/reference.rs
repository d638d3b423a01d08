//! A slow, plain second reading of RFC 8446 and RFC 6066 to hold the parser against.

#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    Absent,
    Host(String),
    Invalid(Vec<u8>),
    Incomplete,
    NotTls,
    Error,
}

/// Stops a reading with the verdict reached.
type Reading<T> = Result<T, Verdict>;

pub(crate) fn verdict(input: &[u8]) -> Verdict {
    message(input)
        .and_then(|message| server_name(&message))
        .unwrap_or_else(|verdict| verdict)
}

/// The handshake message, copied together from its records.
fn message(input: &[u8]) -> Reading<Vec<u8>> {
    message_within(input, 65_535)
}

fn message_within(input: &[u8], most: usize) -> Reading<Vec<u8>> {
    match input {
        [22, ..] | [] => {}
        [20 | 21 | 23 | 24, ..] => return Err(Verdict::Error),
        [0x80..=0xff, _, _, _, _, ..] => {
            let sslv2 = input[3] == 3 || input[2] == 1 && (input[3] > 3 || input[3..5] == [0, 2]);
            return Err(if sslv2 {
                Verdict::Error
            } else {
                Verdict::NotTls
            });
        }
        [0x00..=0x3f, _, _, 1, 0 | 4.., ..] | [0x00..=0x3f, _, _, _, 3, ..] => {
            return Err(Verdict::Error);
        }
        [0x00..=0x3f, _, _, _, _, ..] => return Err(Verdict::NotTls),
        [0x00..=0x3f | 0x80..=0xff, ..] => return Err(Verdict::Incomplete),
        _ => return Err(Verdict::NotTls),
    }
    let mut rest = input;
    let mut message: Vec<u8> = Vec::new();
    loop {
        if rest.len() < 5 {
            return Err(Verdict::Incomplete);
        }
        if rest[..2] != [22, 3] {
            return Err(Verdict::Error);
        }
        let len = usize::from(rest[3]) * 256 + usize::from(rest[4]);
        if len == 0 || len > 16_384 {
            return Err(Verdict::Error);
        }
        let payload = &rest[5..(5 + len).min(rest.len())];
        message.extend(payload);
        if message.len() >= 4 {
            let announced = usize::from(message[1]) << 16
                | usize::from(message[2]) << 8
                | usize::from(message[3]);
            if message[0] != 1 || announced > most {
                return Err(Verdict::Error);
            }
            if payload.len() == len && message.len() == 4 + announced {
                return Ok(message);
            }
            if payload.len() == len && message.len() > 4 + announced {
                return Err(Verdict::Error);
            }
        }
        if payload.len() < len {
            return Err(Verdict::Incomplete);
        }
        rest = &rest[5 + len..];
    }
}

/// How a stream behind a first hello ends: how many bytes of it may be sent on, and why no more.
#[derive(Debug, PartialEq)]
pub(crate) enum Behind {
    Waits(usize),
    Settled(usize),
    Refused(usize),
}

/// A slow, plain reading of what may follow `first` on the client's side.
pub(crate) fn behind(first: &[u8], stream: &[u8]) -> Behind {
    let ty = |ty: u8| extension_of(first, &[0, ty]);
    let early = ty(42).is_some();
    let mut at = 0;
    let mut changed = false;
    loop {
        let rest = &stream[at..];
        if rest.len() < 5 {
            return Behind::Waits(at);
        }
        let len = usize::from(rest[3]) * 256 + usize::from(rest[4]);
        match rest[0] {
            23 if !early => return Behind::Settled(at),
            20..=23 if rest[1] != 3 || len == 0 || len > 16_384 + 2_048 => {
                return Behind::Refused(at);
            }
            20 if changed || len != 1 => return Behind::Refused(at),
            20 => changed = true,
            21 | 23 => {}
            22 => return handshake(first, rest, changed, early, at),
            _ => return Behind::Refused(at),
        }
        if rest.len() < 5 + len {
            return Behind::Waits(stream.len());
        }
        at += 5 + len;
    }
}

fn handshake(first: &[u8], rest: &[u8], changed: bool, early: bool, at: usize) -> Behind {
    let payload = handshake_bytes(rest);
    match payload.first() {
        None if message_within(rest, 131_396) == Err(Verdict::Error) => return Behind::Refused(at),
        None => return Behind::Waits(at),
        Some(0) if !changed => return Behind::Refused(at),
        Some(1) => {}
        Some(_) => return Behind::Settled(at),
    }
    if payload.len() >= 4 {
        let len =
            usize::from(payload[1]) << 16 | usize::from(payload[2]) << 8 | usize::from(payload[3]);
        let trusted = !changed || payload.len() >= 39;
        if changed && !(41..=131_396).contains(&len) {
            return Behind::Settled(at);
        }
        if changed && payload.len() >= 39 && payload[38] > 32 {
            return Behind::Settled(at);
        }
        if trusted && len > 65_535 {
            return Behind::Refused(at);
        }
    }
    match message_within(rest, 131_396) {
        Ok(second) => match server_name(&second) {
            Err(_) => Behind::Refused(at),
            Ok(_) if same(first, &second) => Behind::Settled(at),
            Ok(_) => Behind::Refused(at),
        },
        Err(Verdict::Incomplete) => Behind::Waits(at),
        Err(_) if changed && !early && stops_at_data(rest) => Behind::Settled(at),
        Err(_) => Behind::Refused(at),
    }
}

/// The bytes of the handshake records at the front.
fn handshake_bytes(mut rest: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let [22, 3, _, high, low, behind @ ..] = rest {
        let len = usize::from(*high) * 256 + usize::from(*low);
        if len == 0 || len > 16_384 {
            break;
        }
        bytes.extend(&behind[..len.min(behind.len())]);
        rest = behind.get(len..).unwrap_or_default();
    }
    bytes
}

/// Whether the handshake records at the front, all of them sound and none ending the message, stop at a record of data.
fn stops_at_data(mut rest: &[u8]) -> bool {
    let mut payload: Vec<u8> = Vec::new();
    while let [22, 3, _, high, low, behind @ ..] = rest {
        let len = usize::from(*high) * 256 + usize::from(*low);
        if len == 0 || len > 16_384 || behind.len() < len {
            return false;
        }
        payload.extend(&behind[..len]);
        if payload.len() >= 4 {
            let announced = usize::from(payload[1]) << 16
                | usize::from(payload[2]) << 8
                | usize::from(payload[3]);
            if payload.len() >= 4 + announced {
                return false;
            }
        }
        rest = &behind[len..];
    }
    rest.len() >= 5 && rest[0] == 23
}

/// Whether a second hello says of the name, and of what may hide behind it, what the first one says.
fn same(first: &[u8], second: &[u8]) -> bool {
    let cover = |message: &[u8]| {
        if extension_of(message, &[0xfd, 0]).is_some() {
            return (1, vec![]);
        }
        match extension_of(message, &[0xfe, 0x0d]) {
            Some(body) if body == [1] => return (2, vec![]),
            Some(body) => {
                let outer = || {
                    let mut rest = body.as_slice();
                    if cut(&mut rest, 1)? != [0] {
                        return Err(Verdict::Error);
                    }
                    cut(&mut rest, 4)?;
                    let key = cut(&mut rest, 1)?;
                    cut_vector(&mut rest, 2, 0, 65_535)?;
                    cut_vector(&mut rest, 2, 1, 65_535)?;
                    if rest.is_empty() {
                        Ok(key.to_vec())
                    } else {
                        Err(Verdict::Error)
                    }
                };
                return outer().map_or((1, vec![]), |key| (3, key));
            }
            None => {}
        }
        for draft in 8..=12 {
            if extension_of(message, &[0xfe, draft]).is_some() {
                return (4, vec![draft]);
            }
        }
        (
            5 + usize::from(extension_of(message, &[0xff, 0xce]).is_some()),
            vec![],
        )
    };
    extension_of(first, &[0, 0]) == extension_of(second, &[0, 0]) && cover(first) == cover(second)
}

/// The body of an extension of a well-formed message.
fn extension_of(message: &[u8], wanted: &[u8]) -> Option<Vec<u8>> {
    let mut rest = message.get(38..)?;
    cut_vector(&mut rest, 1, 0, 32).ok()?;
    cut_vector(&mut rest, 2, 2, 65_534).ok()?;
    cut_vector(&mut rest, 1, 1, 255).ok()?;
    let mut block = cut_vector(&mut rest, 2, 0, 65_535).ok()?;
    while !block.is_empty() {
        let ty = cut(&mut block, 2).ok()?;
        let body = cut_vector(&mut block, 2, 0, 65_535).ok()?;
        if ty == wanted {
            return Some(body.to_vec());
        }
    }
    None
}

/// Cuts `len` bytes off the front.
fn cut<'a>(rest: &mut &'a [u8], len: usize) -> Reading<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(len).ok_or(Verdict::Error)?;
    *rest = tail;
    Ok(head)
}

/// Cuts a vector off the front whose length takes `width` bytes and lies between `least` and `most`.
fn cut_vector<'a>(
    rest: &mut &'a [u8],
    width: usize,
    least: usize,
    most: usize,
) -> Reading<&'a [u8]> {
    let len = cut(rest, width)?
        .iter()
        .fold(0, |len, byte| len << 8 | usize::from(*byte));
    if len < least || len > most {
        Err(Verdict::Error)
    } else {
        cut(rest, len)
    }
}

fn server_name(message: &[u8]) -> Reading<Verdict> {
    let mut rest = &message[4..];
    cut(&mut rest, 34)?;
    cut_vector(&mut rest, 1, 0, 32)?;
    let suites = cut_vector(&mut rest, 2, 2, 65_534)?;
    cut_vector(&mut rest, 1, 1, 255)?;
    if suites.len() % 2 == 1 {
        return Err(Verdict::Error);
    }
    if rest.is_empty() {
        return Ok(Verdict::Absent);
    }
    let mut block = cut_vector(&mut rest, 2, 0, 65_535)?;
    if !rest.is_empty() {
        return Err(Verdict::Error);
    }
    let mut extensions: Vec<(&[u8], &[u8])> = Vec::new();
    while !block.is_empty() {
        extensions.push((cut(&mut block, 2)?, cut_vector(&mut block, 2, 0, 65_535)?));
    }
    let mut types: Vec<&[u8]> = extensions.iter().map(|(ty, _)| *ty).collect();
    types.sort_unstable();
    types.dedup();
    if types.len() != extensions.len() || types.len() > 128 {
        return Err(Verdict::Error);
    }
    let mut verdict = Verdict::Absent;
    for (at, (ty, body)) in extensions.iter().enumerate() {
        let mut body = *body;
        match ty {
            [0, 0] => {
                let mut list = cut_vector(&mut body, 2, 1, 65_535)?;
                if cut(&mut list, 1)? != [0] {
                    return Err(Verdict::Error);
                }
                verdict = host(cut_vector(&mut list, 2, 1, 65_535)?);
                body = if list.is_empty() { body } else { list };
            }
            [0, 16] => {
                let mut list = cut_vector(&mut body, 2, 2, 65_535)?;
                while !list.is_empty() {
                    cut_vector(&mut list, 1, 1, 255)?;
                }
            }
            [0, 43] if cut_vector(&mut body, 1, 2, 254)?.len() % 2 == 1 => {
                return Err(Verdict::Error);
            }
            [0, 43] => {}
            [0, 41] if at + 1 < extensions.len() => return Err(Verdict::Error),
            _ => body = &[],
        }
        if !body.is_empty() {
            return Err(Verdict::Error);
        }
    }
    Ok(verdict)
}

fn host(sent: &[u8]) -> Verdict {
    let invalid = Verdict::Invalid(sent.to_vec());
    let Ok(text) = core::str::from_utf8(sent) else {
        return invalid;
    };
    let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
    let labels: Vec<&str> = name.split('.').collect();
    let letters = |label: &&str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    let last = labels[labels.len() - 1];
    let decimal = last.bytes().all(|byte| byte.is_ascii_digit());
    let hexadecimal = last
        .strip_prefix("0x")
        .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if name.len() <= 253 && labels.iter().all(letters) && !decimal && !hexadecimal {
        Verdict::Host(name)
    } else {
        invalid
    }
}

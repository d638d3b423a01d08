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
    match input {
        [22, ..] | [] => {}
        [0x80..=0xff, _, _, _, _, ..] => {
            let sslv2 = input[2] == 1 && (input[3] == 3 || input[3..5] == [0, 2]);
            return Err(if sslv2 {
                Verdict::Error
            } else {
                Verdict::NotTls
            });
        }
        [0x80..=0xff, ..] => return Err(Verdict::Incomplete),
        _ => return Err(Verdict::NotTls),
    }
    let mut rest = input;
    let mut message: Vec<u8> = Vec::new();
    let mut first = true;
    loop {
        if rest.len() < 5 {
            return Err(Verdict::Incomplete);
        }
        if rest[..2] != [22, 3] {
            return Err(if first {
                Verdict::NotTls
            } else {
                Verdict::Error
            });
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
            if message[0] != 1 || announced > 65_535 {
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
        first = false;
    }
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

//! Just enough of HTTP/1.1 to be an upstream and a model on loopback.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// No agent's request is longer.
const MAX_BODY: u64 = 32 << 20;
/// Nor has it more header lines.
const MAX_HEADERS: usize = 200;
const MAX_LINE: u64 = 64 << 10;
const IDLE: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn json(value: &serde_json::Value) -> Self {
        Self {
            status: 200,
            content_type: "application/json",
            body: value.to_string().into_bytes(),
        }
    }

    pub(crate) fn not_found() -> Self {
        Self {
            status: 404,
            ..Self::json(&serde_json::json!({}))
        }
    }
}

/// Answers every request at an address from now on, in threads of its own.
pub(crate) fn serve<F>(address: &str, answer: F) -> io::Result<()>
where
    F: Fn(&Request) -> Response + Send + Sync + 'static,
{
    let listener = TcpListener::bind(address)?;
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            thread::spawn(move || {
                // Who breaks off a connection gets no answer; the run sees that in the answers.
                let _ = converse(&stream, &*answer);
            });
        }
    });
    Ok(())
}

fn converse(stream: &TcpStream, answer: &dyn Fn(&Request) -> Response) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader)? {
        let response = answer(&request);
        let mut writer = stream;
        write!(
            writer,
            "HTTP/1.1 {} Live\r\ncontent-type: {}\r\ncontent-length: {}\r\n\r\n",
            response.status,
            response.content_type,
            response.body.len()
        )?;
        if request.method != "HEAD" {
            writer.write_all(&response.body)?;
        }
        writer.flush()?;
    }
    Ok(())
}

fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let first = line(reader)?;
    let mut words = first.split(' ');
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Ok(None);
    };
    let (method, path) = (method.to_owned(), path.to_owned());
    let (mut length, mut chunked) = (0, false);
    for _ in 0..MAX_HEADERS {
        let header = line(reader)?.to_ascii_lowercase();
        match header.split_once(':') {
            None => break,
            Some(("content-length", value)) => length = value.trim().parse().unwrap_or(0),
            Some(("transfer-encoding", value)) => chunked = value.contains("chunked"),
            Some(_) => {}
        }
    }
    let mut body = Vec::new();
    if chunked {
        loop {
            let size = u64::from_str_radix(line(reader)?.trim(), 16).unwrap_or(0);
            let room = MAX_BODY.saturating_sub(u64::try_from(body.len()).unwrap_or(MAX_BODY));
            reader
                .by_ref()
                .take(size.min(room))
                .read_to_end(&mut body)?;
            line(reader)?;
            if size == 0 || size > room {
                break;
            }
        }
    } else {
        reader
            .by_ref()
            .take(MAX_BODY.min(length))
            .read_to_end(&mut body)?;
    }
    Ok(Some(Request { method, path, body }))
}

fn line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    reader
        .by_ref()
        .take(MAX_LINE)
        .read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_whole_however_it_is_framed() {
        for (text, method, path, body) in [
            ("GET /a HTTP/1.1\r\nhost: x\r\n\r\n", "GET", "/a", ""),
            (
                "POST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcdef",
                "POST",
                "/b",
                "abc",
            ),
            (
                "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
                "POST",
                "/c",
                "abc",
            ),
            (
                "POST /d HTTP/1.1\r\nContent-Length: 9\r\n\r\nab",
                "POST",
                "/d",
                "ab",
            ),
        ] {
            let request = read(&mut text.as_bytes()).expect(text).expect(text);
            assert_eq!(
                (request.method.as_str(), request.path.as_str()),
                (method, path)
            );
            assert_eq!(request.body, body.as_bytes(), "{text}");
        }
        for text in ["", "\r\n"] {
            assert!(
                read(&mut text.as_bytes()).expect(text).is_none(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_chunk_larger_than_any_request_ends_it() {
        let text = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nab";
        let request = read(&mut text.as_bytes()).expect(text).expect(text);
        assert_eq!(request.body, b"ab");
    }
}

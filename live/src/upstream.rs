//! Whatever a request is for, it arrives here: the far end of every connection in a run.

use std::io;

use crate::http::{self, Response};

/// What the far end says, so that no error page of a proxy can be taken for it.
pub(crate) const ARRIVED: &str = "the-request-arrived";

/// The ports that answer.
const PORTS: [u16; 2] = [80, 8080];

/// Answers on every address of this network namespace.
pub(crate) fn serve() -> io::Result<()> {
    for port in PORTS {
        http::serve(&format!("[::]:{port}"), |_| Response {
            status: 200,
            content_type: "text/plain",
            body: format!("{ARRIVED}\n").into_bytes(),
        })?;
    }
    Ok(())
}

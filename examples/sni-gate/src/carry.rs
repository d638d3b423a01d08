//! One connection from its first byte to its last.

use core::time::Duration;
use std::io;

use policy_core::{Host, Policy};
use tls_sni::{ClientHello, Follower, Next, Status};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, copy, split};
use tokio::time::{Instant, timeout, timeout_at};

use crate::{Gate, MOST_BYTES, Verdict};

/// How long a client may take for its hello, then the server to be reached, and later a client for the rest of what is held.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Reads the client's hello, decides, dials, and copies in both directions; what the client sends is looked at until no second
/// hello can come.
///
/// # Errors
///
/// Why the connection was refused, or how it broke.
pub async fn pass<C, S>(
    mut client: C,
    policy: &Policy,
    dial: impl AsyncFn(&Host) -> Result<S, String>,
) -> Result<(), String>
where
    C: AsyncRead + AsyncWrite + Unpin,
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut received = Vec::new();
    let host = timeout(PATIENCE, read_name(&mut client, policy, &mut received))
        .await
        .map_err(|_| "no hello in time".to_owned())??;
    // Names are looked up and addresses tried within one deadline.
    let server = timeout(PATIENCE, dial(&host))
        .await
        .map_err(|_| format!("{host} was not reached in time"))??;
    let Ok(Status::Complete(first)) = ClientHello::parse(&received) else {
        return Err("no hello".to_owned());
    };
    let (hello, behind) = received
        .split_at_checked(first.consumed())
        .ok_or("no hello")?;
    let (from_client, mut to_client) = split(client);
    let (mut from_server, mut to_server) = split(server);
    let up = async {
        to_server.write_all(hello).await.map_err(text)?;
        follow(
            from_client,
            to_server,
            Follower::new(first),
            behind.to_vec(),
        )
        .await
    };
    let down = async {
        copy(&mut from_server, &mut to_client).await.map_err(text)?;
        to_client.shutdown().await.map_err(text)
    };
    // A refusal ends both directions.
    tokio::try_join!(up, down).map(drop)
}

async fn read_name(
    client: &mut (impl AsyncRead + Unpin),
    policy: &Policy,
    received: &mut Vec<u8>,
) -> Result<Host, String> {
    let mut gate = Gate::default();
    loop {
        match gate.look(policy, received) {
            Verdict::Pass(host) => return Ok(host),
            Verdict::Refuse(why) => return Err(why),
            Verdict::Read(needed) => {
                let missing = needed.saturating_sub(received.len());
                let limit = u64::try_from(missing).unwrap_or(0);
                let read = (&mut *client)
                    .take(limit)
                    .read_buf(received)
                    .await
                    .map_err(text)?;
                if read == 0 {
                    return Err("the client closed before its hello was whole".to_owned());
                }
            }
        }
    }
}

/// Sends on what the client sends; a second hello only when it is whole and asks for the same name, and in time. A client of which
/// nothing is held may be silent for as long as it likes.
async fn follow(
    mut client: impl AsyncRead + Unpin,
    mut server: impl AsyncWrite + Unpin,
    mut follower: Follower<'_>,
    mut held: Vec<u8>,
) -> Result<(), String> {
    // One for all of what is held, or a byte at a time would hold it for ever.
    let mut deadline = None;
    loop {
        let next = follower
            .advance(&held)
            .map_err(|error| format!("behind the hello: {error}"))?;
        match next {
            Next::Forward(bytes) => {
                let sent = held.get(..bytes).unwrap_or(&held);
                server.write_all(sent).await.map_err(text)?;
                held.drain(..bytes.min(held.len()));
                deadline = None;
            }
            Next::Incomplete { needed } if needed > MOST_BYTES => {
                return Err("a second hello that is too long".to_owned());
            }
            Next::Incomplete { .. } => {
                let read = if held.is_empty() {
                    client.read_buf(&mut held).await
                } else {
                    let deadline = *deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
                    timeout_at(deadline, client.read_buf(&mut held))
                        .await
                        .map_err(|_| {
                            "what may be a second hello was not whole in time".to_owned()
                        })?
                };
                if read.map_err(text)? == 0 {
                    return server.shutdown().await.map_err(text);
                }
            }
            Next::Settled => {
                server.write_all(&held).await.map_err(text)?;
                copy(&mut client, &mut server).await.map_err(text)?;
                return server.shutdown().await.map_err(text);
            }
        }
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "errors are handed over as they come"
)]
fn text(error: io::Error) -> String {
    error.to_string()
}

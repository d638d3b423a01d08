//! `sni-gate LISTEN POLICY_DIR RING`: accepts connections on LISTEN and passes those on whose
//! server name the ring allows, to port 443 of that name.
#![forbid(unsafe_code)]
#![expect(
    clippy::print_stderr,
    reason = "a program says on standard error what it refuses"
)]

use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use policy_core::{Class, Host, Policy, Repository};
use sni_gate::{Gate, Verdict};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::timeout;

/// A client that sends nothing holds a connection no longer than this.
const PATIENCE: Duration = Duration::from_secs(10);

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [listen, directory, ring] = arguments.as_slice() else {
        eprintln!("usage: sni-gate LISTEN POLICY_DIR RING");
        return ExitCode::from(2);
    };
    match serve(listen, directory, ring).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

async fn serve(
    listen: &str,
    directory: &str,
    ring: &str,
) -> Result<(), Box<dyn core::error::Error>> {
    let validation = Repository::read(Path::new(directory)).validate();
    let organisation = validation
        .organisation()
        .ok_or("the policy has errors: run `halo validate`")?;
    let policy = Rc::new(organisation.select(Some(ring), None)?.into_policy());
    let listener = TcpListener::bind(listen).await?;
    let connections = LocalSet::new();
    connections
        .run_until(async {
            loop {
                let (client, _) = listener.accept().await?;
                let policy = Rc::clone(&policy);
                spawn_local(async move {
                    if let Err(why) = pass(client, &policy).await {
                        eprintln!("refused: {why}");
                    }
                });
            }
        })
        .await
}

async fn pass(mut client: TcpStream, policy: &Policy) -> Result<(), String> {
    let mut received = Vec::new();
    let host = timeout(PATIENCE, read_name(&mut client, policy, &mut received))
        .await
        .map_err(|_| "no hello in time".to_owned())??;
    let mut server = dial(&host).await?;
    let failed = |error: std::io::Error| error.to_string();
    server.write_all(&received).await.map_err(failed)?;
    copy_bidirectional(&mut client, &mut server)
        .await
        .map_err(failed)?;
    Ok(())
}

async fn read_name(
    client: &mut TcpStream,
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
                    .map_err(|error| error.to_string())?;
                if read == 0 {
                    return Err("the client closed before its hello was whole".to_owned());
                }
            }
        }
    }
}

/// Connects to an address of the host that is on the public internet: an allowed name must not lead
/// into the network that the gate protects.
async fn dial(host: &Host) -> Result<TcpStream, String> {
    let addresses = lookup_host((host.to_string(), 443))
        .await
        .map_err(|error| error.to_string())?;
    for address in addresses {
        if Class::of_address(address.ip()) == Class::Public
            && let Ok(server) = TcpStream::connect(address).await
        {
            return Ok(server);
        }
    }
    Err(format!("{host} has no public address that answers"))
}

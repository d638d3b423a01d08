//! `sni-gate LISTEN POLICY_DIR RING`: accepts connections on LISTEN and passes those on whose
//! server name the ring allows, to port 443 of that name.
#![forbid(unsafe_code)]
#![expect(
    clippy::print_stderr,
    reason = "a program says on standard error why it does not start"
)]

use core::time::Duration;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use policy_core::{Class, Host, Repository};
use sni_gate::{Log, pass};
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::sleep;

/// How long to wait before accepting again when the process has no descriptors left, or memory.
const PAUSE: Duration = Duration::from_millis(100);

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
    let log = Log::to_standard_error()?;
    let connections = LocalSet::new();
    connections
        .run_until(async {
            loop {
                let client = match listener.accept().await {
                    Ok((client, _)) => client,
                    // Connections that end give back what is missing.
                    Err(error) => {
                        log.line(format!("not accepted: {error}"));
                        sleep(PAUSE).await;
                        continue;
                    }
                };
                let (policy, log) = (Rc::clone(&policy), log.clone());
                spawn_local(async move {
                    if let Err(why) = pass(client, &policy, dial).await {
                        log.line(format!("refused: {why}"));
                    }
                });
            }
        })
        .await
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

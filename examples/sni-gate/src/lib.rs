//! What a transparent gate does with the first bytes of a connection: read the name that the client
//! asks for, decide it, and refuse whatever cannot be read.
//!
//! [`Gate`] holds no socket, so that it can be tested with captured bytes; [`pass`] puts it between
//! two of them.
#![forbid(unsafe_code)]

mod carry;
mod log;

pub use carry::{PATIENCE, pass};
pub use log::Log;

use policy_core::{Host, Policy};
use tls_sni::{Ech, HostName, Scanner, ServerName, Status};

/// The most bytes that are kept of a connection before it is decided: a hello of 16 KiB in records
/// of ordinary size.
pub const MOST_BYTES: usize = 20 * 1024;

/// What is to be done with a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Read until there are this many bytes in all, then ask again.
    Read(usize),
    /// Dial this host, send it what was read, and copy in both directions.
    Pass(Host),
    /// Close; the text is for the log.
    Refuse(String),
}

/// The first bytes of one connection, on their way to a verdict.
#[derive(Debug, Default)]
pub struct Gate(Scanner);

impl Gate {
    /// Looks at all bytes received so far.
    pub fn look(&mut self, policy: &Policy, received: &[u8]) -> Verdict {
        let hello = match self.0.parse(received) {
            Ok(Status::Complete(hello)) => hello,
            Ok(Status::Incomplete { needed }) if needed <= MOST_BYTES => {
                return Verdict::Read(needed);
            }
            Ok(Status::Incomplete { .. }) => return refuse("a hello that is too long"),
            Ok(Status::NotTls) => return refuse("not TLS"),
            Err(error) => return refuse(&format!("no hello: {error}")),
        };
        // Behind a cover name the client may ask the same server for any other name.
        if hello.ech() != Ech::None {
            return refuse("the server name is encrypted, or may be");
        }
        match hello.server_name() {
            ServerName::Host(name) => decide(policy, &name),
            ServerName::Absent => refuse("no server name"),
            ServerName::Invalid(name) => refuse(&format!("no host name: {}", name.reason())),
        }
    }
}

fn decide(policy: &Policy, name: &HostName<'_>) -> Verdict {
    let mut buffer = [0; HostName::MAX_LEN];
    // The parser has looked at the letters; whether A-labels decode is looked at here.
    let host = match Host::parse(name.canonical(&mut buffer)) {
        Ok(host) => host,
        Err(error) => return refuse(&format!("no host name: {error}")),
    };
    let decision = policy.egress().decide(&host);
    if decision.is_allowed() {
        Verdict::Pass(host)
    } else {
        refuse(&format!("{host} is denied by {}", decision.rule()))
    }
}

fn refuse(why: &str) -> Verdict {
    Verdict::Refuse(why.to_owned())
}

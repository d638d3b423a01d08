//! Cursor CLI: the user's and the repository's `sandbox.json`.
//!
//! No file of an administrator's holds a sandbox policy here, so this reader looks at
//! the user's files only. Not modelled: the team's policy from the vendor's service, and hooks.

use core::net::{IpAddr, Ipv4Addr};

use serde_json::Value;

use super::{Answer, Channel, Device, Mode, Op, Reader, at, glob, strings, target};

/// What Cursor CLI makes of a device.
#[derive(Clone, Debug)]
pub struct CursorCli {
    device: Device,
    user: Value,
    repository: Value,
    broken: bool,
}

impl CursorCli {
    /// Reads both files.
    pub fn read(device: &Device) -> Self {
        let repository = format!("{}/.cursor/sandbox.json", device.workspace);
        let read = |path: &str| match device.user_file(path) {
            Some(text) => serde_json::from_str(text).ok(),
            None => Some(Value::Null),
        };
        let (user, repository) = (read("~/.cursor/sandbox.json"), read(&repository));
        let mut this = Self {
            device: device.clone(),
            broken: user.is_none() || repository.is_none(),
            user: user.unwrap_or_default(),
            repository: repository.unwrap_or_default(),
        };
        // Two files that name different types are an error.
        let types = [&this.user, &this.repository].map(|file| at(file, "type"));
        this.broken |= matches!(types, [Some(user), Some(repository)] if user != repository);
        this
    }

    fn kind(&self) -> &str {
        let kind = at(&self.repository, "type").or_else(|| at(&self.user, "type"));
        kind.and_then(Value::as_str).unwrap_or("insecure_none")
    }

    fn sandboxed(&self) -> bool {
        self.kind() != "insecure_none"
    }

    /// Lists are united, and of two flags the one that is set wins.
    fn union(&self, keys: &str) -> Vec<String> {
        [strings(&self.user, keys), strings(&self.repository, keys)].concat()
    }

    fn flag(&self, keys: &str) -> bool {
        [&self.user, &self.repository]
            .iter()
            .any(|file| at(file, keys) == Some(&Value::Bool(true)))
    }

    fn shell_host(&self, text: &str) -> Answer {
        if !self.sandboxed() {
            return Answer::Unrestricted;
        }
        let allowed = self.union("networkPolicy.allow");
        let denied = self.union("networkPolicy.deny");
        // One entry that cannot be read switches the whole network off.
        let entries: Option<Vec<Entry>> = allowed.iter().map(|entry| Entry::read(entry)).collect();
        let (Some(allowed), Some(denied)) = (
            entries,
            denied
                .iter()
                .map(|entry| Entry::read(entry))
                .collect::<Option<Vec<_>>>(),
        ) else {
            return Answer::Deny;
        };
        let Some(target) = target(text) else {
            return Answer::Deny;
        };
        let host = target.host.to_ascii_lowercase();
        let host = host.strip_suffix('.').unwrap_or(&host);
        if denied.iter().any(|entry| entry.holds_name(host)) {
            return Answer::Deny;
        }
        // An address or a network among the allowed holds names that resolve into it.
        let resolved = self.device.addresses.iter().find(|(name, _)| name == host);
        let address = host.parse().ok().or(resolved.map(|(_, address)| *address));
        let hit = |entry: &Entry| {
            entry.holds_name(host) || address.is_some_and(|address| entry.holds_address(address))
        };
        let default = [&self.user, &self.repository]
            .map(|file| at(file, "networkPolicy.default").and_then(Value::as_str));
        if allowed.iter().any(hit) || !default.contains(&Some("deny")) {
            Answer::Allow
        } else {
            Answer::Deny
        }
    }

    fn shell_path(&self, op: Op, path: &str) -> Answer {
        if !self.sandboxed() {
            return Answer::Unrestricted;
        }
        // No key keeps a path from being read.
        if op == Op::Read {
            return Answer::Allow;
        }
        let workspace = &self.device.workspace;
        let mut roots = Vec::new();
        if !self.flag("disableTmpWrite") {
            roots.extend(["/tmp".to_owned(), "/var/tmp".to_owned()]);
        }
        if self.kind() == "workspace_readwrite" {
            roots.push(workspace.clone());
            roots.extend(self.union("additionalReadwritePaths"));
        }
        let own = glob::is_under(path, &format!("{workspace}/.cursor"));
        let open = roots
            .iter()
            .any(|root| glob::is_under(path, &self.device.absolute(root)));
        if open && !own {
            Answer::Allow
        } else {
            Answer::Deny
        }
    }
}

impl Reader for CursorCli {
    fn host(&self, channel: Channel, text: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            Channel::Shell => self.shell_host(text),
            // Rules on the tools were seen to be skipped without a terminal.
            Channel::Tool => Answer::Unrestricted,
        }
    }

    fn path(&self, channel: Channel, op: Op, path: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            Channel::Shell => self.shell_path(op, path),
            Channel::Tool => Answer::Unrestricted,
        }
    }

    fn mode(&self) -> Mode {
        Mode {
            sandboxed: self.sandboxed(),
            // `--sandbox disabled`, and a key of the user's configuration.
            outside: Answer::Allow,
            outside_stays_bound: false,
            fails_closed: false, // not observed
        }
    }
}

/// One entry of the network lists.
enum Entry {
    Name(String),
    /// The name and all below it.
    Below(String),
    Network(IpAddr, u32),
}

impl Entry {
    fn read(entry: &str) -> Option<Self> {
        let entry = entry.to_ascii_lowercase();
        if let Some((address, bits)) = entry.split_once('/').filter(|_| !entry.contains("://")) {
            return Some(Self::Network(address.parse().ok()?, bits.parse().ok()?));
        }
        // A scheme and a port are dropped.
        let host = target(&entry)?.host;
        if let Ok(address) = host.parse() {
            let bits = if matches!(address, IpAddr::V4(_)) {
                32
            } else {
                128
            };
            return Some(Self::Network(address, bits));
        }
        // Any number of stars in front; nowhere else.
        let base = host.trim_start_matches("*.");
        let below = base.len() < host.len();
        if base.is_empty() || base.contains('*') {
            return None;
        }
        Some(if below {
            Self::Below(base.to_owned())
        } else {
            Self::Name(host)
        })
    }

    fn holds_name(&self, host: &str) -> bool {
        match self {
            Self::Name(name) => name == host,
            Self::Below(base) => host == base || host.ends_with(&format!(".{base}")),
            Self::Network(..) => host
                .parse()
                .is_ok_and(|address| self.holds_address(address)),
        }
    }

    fn holds_address(&self, address: IpAddr) -> bool {
        let prefix =
            |address: Ipv4Addr, bits: u32| u64::from(u32::from(address)) >> (32 - bits.min(32));
        match (self, address) {
            (Self::Network(IpAddr::V4(network), bits), IpAddr::V4(address)) => {
                prefix(*network, *bits) == prefix(address, *bits)
            }
            (Self::Network(network, _), address) => *network == address,
            _ => false,
        }
    }
}

//! GitHub Copilot CLI: `managed-settings.json`.
//!
//! Not modelled: device management and the server tier, which are composed with the file; a denied
//! path that does not exist, which Linux does not enforce; the links and paths that the agent
//! detects in a command's text, which only narrow what the sandbox lets through.

use core::net::IpAddr;

use serde_json::Value;

use super::{
    Answer, Channel, Device, Mode, Op, Os, Reader, at, glob, is_loopback, strings, target, whatwg,
};

/// The largest file that is read.
const MAX_BYTES: usize = 65_536;

/// The families of permission rules; a rule of another rejects the document.
const FAMILIES: [&str; 9] = [
    "Bash",
    "Shell",
    "PowerShell",
    "Read",
    "Edit",
    "Write",
    "Domain",
    "Mcp",
    "CustomTool",
];

/// What Copilot CLI makes of a device.
#[derive(Clone, Debug)]
pub struct CopilotCli {
    device: Device,
    managed: Value,
    user: Value,
    broken: bool,
}

impl CopilotCli {
    /// Reads the managed and the user's settings.
    pub fn read(device: &Device) -> Self {
        let path = match device.os {
            Os::Linux => "/etc/github-copilot/managed-settings.json",
            Os::MacOs => "/Library/Application Support/GitHubCopilot/managed-settings.json",
            Os::Windows => "C:/Program Files/GitHubCopilot/managed-settings.json",
        };
        // No managed sandbox was seen before 1.0.85.
        let file = device
            .managed_file(path)
            .filter(|_| device.at_least("1.0.85"));
        // Strict JSON without a byte order mark, root's own, closed to other writers.
        let settings = file.map(|file| {
            let guarded = device.os == Os::Windows || (file.root_owned && file.mode & 0o022 == 0);
            let settings = serde_json::from_slice(&file.bytes).ok()?;
            (guarded && file.bytes.len() <= MAX_BYTES && accepted(&settings)).then_some(settings)
        });
        let user = device
            .user_file("~/.copilot/settings.json")
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or(Value::Null);
        Self {
            device: device.clone(),
            broken: settings == Some(None),
            managed: settings.flatten().unwrap_or(Value::Null),
            user,
        }
    }

    fn flag(&self, keys: &str) -> Option<bool> {
        at(&self.managed, keys).and_then(Value::as_bool)
    }

    fn sandboxed(&self) -> bool {
        self.flag("sandbox.enabled") == Some(true)
    }

    fn shell_host(&self, text: &str) -> Answer {
        // On Windows the rules rely on programs that honour the proxy.
        if !self.sandboxed() || self.device.os == Os::Windows {
            return Answer::Unrestricted;
        }
        let network = "sandbox.userPolicy.network";
        // Then the host filter is inactive, and everything is blocked.
        if self.flag(&format!("{network}.allowOutbound")) == Some(false) {
            return Answer::Deny;
        }
        let Some(host) = target(text).and_then(|target| whatwg(&target.host)) else {
            return Answer::Deny;
        };
        // An entry that is no host is dropped without a word, and a list without entries allows
        // all.
        let list = |key: &str| -> Vec<String> {
            let entries = strings(&self.managed, &format!("{network}.{key}"));
            entries
                .iter()
                .filter_map(|entry| host_entry(entry))
                .collect()
        };
        let (allowed, blocked) = (list("allowedHosts"), list("blockedHosts"));
        // A blocked host takes its subdomains with it.
        let below = |entry: &String| host.ends_with(&format!(".{entry}"));
        if blocked
            .iter()
            .any(|entry| matches(entry, &host) || below(entry))
        {
            return Answer::Deny;
        }
        let every = allowed.is_empty() || allowed.iter().any(|entry| entry == "*");
        let local = self.flag(&format!("{network}.allowLocalNetwork")) != Some(false);
        // This machine is refused beside a list, and private addresses without the local network.
        let private = host.parse::<IpAddr>().is_ok_and(|ip| match ip {
            IpAddr::V4(ip) => ip.is_private() || ip.is_link_local(),
            IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
        });
        if is_loopback(&host) && !(every && local) || private && !local {
            return Answer::Deny;
        }
        if every || allowed.iter().any(|entry| matches(entry, &host)) {
            Answer::Allow
        } else {
            Answer::Deny
        }
    }

    fn fetch_host(&self, text: &str) -> Answer {
        let Some(target) = target(text) else {
            return Answer::Deny;
        };
        let Some(host) = whatwg(&target.host) else {
            return Answer::Deny;
        };
        let hit = |kind: &str| {
            let rules = strings(&self.managed, &format!("permissions.{kind}"));
            let mut rules = rules.iter().filter_map(|rule| argument(rule, "Domain"));
            rules.any(|rule| {
                rule.is_none_or(|rule| rule_matches(rule, &target.scheme, &host, target.port))
            })
        };
        let limit = self.limit();
        let beyond = limit
            .as_ref()
            .is_some_and(|l| !l.iter().any(|entry| limit_matches(entry, &host)));
        if hit("deny") || beyond {
            Answer::Deny
        } else if hit("ask") {
            Answer::Ask
        } else if hit("allow") {
            Answer::Allow
        } else {
            self.unnamed(if limit.is_some() {
                Answer::Allow
            } else {
                Answer::Unrestricted
            })
        }
    }

    /// `permissions.limitTo`, since 1.0.93: an entry that is not `Domain(…)` of a host empties the
    /// list, and an empty list allows nothing.
    fn limit(&self) -> Option<Vec<Option<String>>> {
        at(&self.managed, "permissions.limitTo").filter(|_| self.device.at_least("1.0.93"))?;
        let entries = strings(&self.managed, "permissions.limitTo");
        let parsed: Option<Vec<_>> = entries
            .iter()
            .map(|entry| match argument(entry, "Domain")? {
                None => Some(None),
                Some(host) => host_entry(host).map(Some),
            })
            .collect();
        Some(parsed.unwrap_or_default())
    }

    /// One managed deny or ask rule makes everything unnamed a question.
    fn unnamed(&self, otherwise: Answer) -> Answer {
        let any = ["permissions.deny", "permissions.ask"]
            .iter()
            .any(|keys| !strings(&self.managed, keys).is_empty());
        if any { Answer::Ask } else { otherwise }
    }

    fn shell_path(&self, op: Op, path: &str) -> Answer {
        if !self.sandboxed() {
            return Answer::Unrestricted;
        }
        // Then the workspace is not there, and no command starts.
        if self.flag("sandbox.addCurrentWorkingDirectory") == Some(false) {
            return Answer::Broken;
        }
        // Literal paths, `~/` and relative ones resolved; globs are names.
        let files = "sandbox.userPolicy.filesystem";
        let denied = strings(&self.managed, &format!("{files}.deniedPaths"));
        if denied
            .iter()
            .any(|entry| glob::is_under(path, &self.device.absolute(entry)))
        {
            return Answer::Deny;
        }
        // The machine's own `/tmp` is shared with commands, and may be written.
        let shared = self.device.os != Os::Windows && glob::is_under(path, "/tmp");
        if shared || glob::is_under(path, &self.device.workspace) {
            return Answer::Allow;
        }
        // These are not there unless the user's list brings them in; seen on Linux.
        let home = self.device.home.as_str();
        let hidden = [home, "/opt", "/srv", "/var/lib", "/usr/local"];
        let is_hidden = hidden.iter().any(|root| glob::is_under(path, root));
        if op == Op::Read && !(self.device.os == Os::Linux && is_hidden) {
            return Answer::Allow;
        }
        // The managed list grants nothing: it bounds the user's own, string by string, and without
        // it any path of the user's counts.
        let keys = format!("{files}.readwritePaths");
        let ceiling = at(&self.managed, &keys).map(|_| strings(&self.managed, &keys));
        let own = strings(&self.user, &keys);
        let mut granted = own
            .iter()
            .filter(|root| ceiling.as_ref().is_none_or(|list| list.contains(root)));
        if granted.any(|root| glob::is_under(path, &self.device.absolute(root))) {
            Answer::Allow
        } else {
            Answer::Deny
        }
    }

    fn tool_path(&self, op: Op, path: &str) -> Answer {
        let families: &[&str] = match op {
            Op::Read => &["Read"],
            Op::Write => &["Edit", "Write"],
        };
        let hit = |kind: &str| {
            let rules = strings(&self.managed, &format!("permissions.{kind}"));
            families.iter().any(|family| {
                rules
                    .iter()
                    .filter_map(|rule| argument(rule, family))
                    .any(|rule| rule.is_none_or(|rule| self.path_rule_matches(rule, path)))
            })
        };
        if hit("deny") {
            Answer::Deny
        } else if hit("ask") {
            Answer::Ask
        } else if hit("allow") {
            Answer::Allow
        } else {
            self.unnamed(Answer::Unrestricted)
        }
    }

    /// `//x` is absolute, `/x` counts from the project, a bare name holds anywhere.
    fn path_rule_matches(&self, rule: &str, path: &str) -> bool {
        if let Some(absolute) = rule.strip_prefix("//") {
            glob::matches(&format!("/{absolute}"), path)
        } else if rule.starts_with('/') {
            glob::matches(&format!("{}{rule}", self.device.workspace), path)
        } else if rule.starts_with("~/") {
            glob::matches(&self.device.absolute(rule), path)
        } else {
            !rule.contains('/')
                && path
                    .rsplit('/')
                    .next()
                    .is_some_and(|name| glob::matches(rule, name))
        }
    }
}

impl Reader for CopilotCli {
    fn host(&self, channel: Channel, text: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            Channel::Shell => self.shell_host(text),
            Channel::Tool => self.fetch_host(text),
        }
    }

    fn path(&self, channel: Channel, op: Op, path: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            Channel::Shell => self.shell_path(op, path),
            Channel::Tool => self.tool_path(op, path),
        }
    }

    fn mode(&self) -> Mode {
        Mode {
            sandboxed: self.sandboxed(),
            // Absent means yes: one command at a time, or the whole session.
            outside: match (self.sandboxed(), self.flag("sandbox.allowBypass")) {
                (false, _) => Answer::Unrestricted,
                (true, Some(false)) => Answer::Deny,
                (true, _) => Answer::Ask,
            },
            outside_stays_bound: false,
            fails_closed: self.flag("sandbox.failIfUnavailable") == Some(true),
        }
    }
}

/// Whether the program's own schema accepts the document. A rejected one leaves a
/// forced sandbox and loses its permissions; no rendering may come to that.
fn accepted(settings: &Value) -> bool {
    let flags = [
        "enabled",
        "failIfUnavailable",
        "allowBypass",
        "addCurrentWorkingDirectory",
        "sandboxMcpServers",
        "sandboxLspServers",
        "allowDevToolAccess",
        "userPolicy.network.allowOutbound",
        "userPolicy.network.allowLocalNetwork",
    ];
    let typed = flags
        .iter()
        .all(|key| at(settings, &format!("sandbox.{key}")).is_none_or(Value::is_boolean));
    let known = ["deny", "ask", "allow"].iter().all(|kind| {
        strings(settings, &format!("permissions.{kind}"))
            .iter()
            .all(|rule| {
                FAMILIES
                    .iter()
                    .any(|family| argument(rule, family).is_some())
            })
    });
    settings.is_object() && typed && known
}

/// The argument of a rule of one family; `Some(None)` for the bare family.
fn argument<'r>(rule: &'r str, family: &str) -> Option<Option<&'r str>> {
    match rule.strip_prefix(family)? {
        "" => Some(None),
        rest => rest.strip_prefix('(')?.strip_suffix(')').map(Some),
    }
}

/// An entry of a host list as it is compared: `*`, a name, everything below a name, or an IPv4
/// address in any spelling. Ports, schemes, networks and the rest are no hosts; nor
/// here are an underscore and an IPv6 address, which were not observed.
fn host_entry(entry: &str) -> Option<String> {
    if entry == "*" {
        return Some(entry.to_owned());
    }
    let name = entry.strip_prefix("*.").unwrap_or(entry);
    let label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    if !name.split('.').all(label) {
        return None;
    }
    if name.len() < entry.len() {
        Some(entry.to_ascii_lowercase())
    } else {
        whatwg(entry)
    }
}

/// One entry of the sandbox's lists: `*.x` is below `x` only.
fn matches(entry: &str, host: &str) -> bool {
    match entry.strip_prefix("*.") {
        _ if entry == "*" => true,
        Some(base) => host.parse::<IpAddr>().is_err() && host.ends_with(&format!(".{base}")),
        None => entry == host,
    }
}

/// One entry of `limitTo`, any scheme and port: here `*.x` holds `x` as well, and `Domain(*)`
/// nothing.
fn limit_matches(entry: &Option<String>, host: &str) -> bool {
    match entry.as_deref() {
        None => true,
        Some("*") => false,
        Some(entry) => entry.strip_prefix("*.") == Some(host) || matches(entry, host),
    }
}

/// One `Domain(…)` rule: without a scheme it is HTTPS, without a port the scheme's own.
fn rule_matches(rule: &str, scheme: &str, host: &str, port: u16) -> bool {
    let Some(rule) = target(rule) else {
        return false;
    };
    rule.scheme == scheme
        && rule.port == port
        && limit_matches(&Some(rule.host.to_ascii_lowercase()), host)
}

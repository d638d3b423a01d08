//! Claude Code: `managed-settings.json`, its drop-ins, and the sandbox runtime it bundles.
//!
//! Not modelled: the tiers above the file (server, device management), which replace it whole;
//! symbolic links and missing directories; the temporary directories and the hidden files the
//! runtime opens and closes on its own; hooks, MCP servers and other tools outside the sandbox.

use core::net::{IpAddr, Ipv6Addr};

use serde_json::{Map, Value};

use super::{
    Answer, Channel, Device, Mode, Op, Os, Reader, at, glob, is_loopback, strings, target, whatwg,
};

/// Documentation hosts the fetch tool visits with no prompt: the four of about ninety-seven that
/// the record names (facts 0).
const PRE_APPROVED: [&str; 4] = [
    "docs.python.org",
    "learn.microsoft.com",
    "nodejs.org",
    "huggingface.co",
];

/// What Claude Code makes of a device.
#[derive(Clone, Debug)]
pub struct ClaudeCode {
    device: Device,
    managed: Value,
    user: Value,
    broken: bool,
}

impl ClaudeCode {
    /// Reads the managed and the user's settings.
    pub fn read(device: &Device) -> Self {
        let directory = match device.os {
            Os::Linux => "/etc/claude-code",
            Os::MacOs => "/Library/Application Support/ClaudeCode",
            Os::Windows => "C:/Program Files/ClaudeCode",
        };
        let mut files: Vec<_> = device
            .managed_file(&format!("{directory}/managed-settings.json"))
            .into_iter()
            .collect();
        // Drop-ins are read since 2.1.83 in alphabetical order, names with a leading dot left out
        // (facts 1.1).
        if device.at_least("2.1.83") {
            let prefix = format!("{directory}/managed-settings.d/");
            let mut drop_ins: Vec<_> = device
                .managed
                .iter()
                .filter(|file| {
                    let path = file.path.replace('\\', "/");
                    path.strip_prefix(&prefix)
                        .is_some_and(|name| name.ends_with(".json") && !name.starts_with('.'))
                })
                .collect();
            drop_ins.sort_by(|a, b| a.path.cmp(&b.path));
            files.extend(drop_ins);
        }
        let mut managed = Value::Object(Map::new());
        let mut broken = false;
        for file in files {
            match serde_json::from_slice(&file.bytes) {
                Ok(settings @ Value::Object(_)) => merge(&mut managed, settings),
                // Malformed JSON, or no object: the program does not start (facts 1.2).
                _ => broken = true,
            }
        }
        let user = device
            .user_file("~/.claude/settings.json")
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or(Value::Null);
        // Builds before 2.1.163 do not know the floor (facts 1.2).
        let floor = at(&managed, "requiredMinimumVersion").and_then(Value::as_str);
        if let Some(floor) = floor.and_then(|floor| semver::Version::parse(floor).ok()) {
            broken |= device.at_least("2.1.163") && device.version < floor;
        }
        let mut this = Self {
            device: device.clone(),
            managed,
            user,
            broken,
        };
        // A sandbox that is wanted and cannot start ends the program, since 2.1.83 (facts 0, 1.2).
        // Native Windows has none until someone sets one up (facts 1.4, row 18).
        this.broken |= this.sandbox_wanted() && device.os == Os::Windows && this.fails_closed();
        this
    }

    /// A boolean: the managed value wins, `"true"` reads as true, another type as absent
    /// (facts 1.1, 1.2).
    fn flag(&self, keys: &str) -> Option<bool> {
        boolean(&self.managed, keys).or_else(|| boolean(&self.user, keys))
    }

    /// A lock counts in managed settings only, and is on when its value has the wrong type
    /// (facts 1.2: "restrictive keys fail closed").
    fn lock(&self, keys: &str) -> bool {
        at(&self.managed, keys).is_some_and(|_| boolean(&self.managed, keys) != Some(false))
    }

    /// A list: the union of the sources (facts 1.1).
    fn union(&self, keys: &str) -> Vec<String> {
        [strings(&self.managed, keys), strings(&self.user, keys)].concat()
    }

    fn sandbox_wanted(&self) -> bool {
        let platform = match self.device.os {
            Os::Linux => "linux",
            Os::MacOs => "macos",
            Os::Windows => "windows",
        };
        let platforms = at(&self.managed, "sandbox.enabledPlatforms").is_some()
            && self.device.at_least("2.1.62");
        self.device.at_least("2.0.24")
            && self.flag("sandbox.enabled") == Some(true)
            // A platform left out runs with no sandbox, silently (facts 1.2).
            && (!platforms
                || strings(&self.managed, "sandbox.enabledPlatforms").iter().any(|p| p == platform))
    }

    fn sandboxed(&self) -> bool {
        self.sandbox_wanted() && self.device.os != Os::Windows
    }

    fn fails_closed(&self) -> bool {
        self.device.at_least("2.1.83") && self.flag("sandbox.failIfUnavailable") == Some(true)
    }

    /// The permission rules of one kind, as (tool, argument); the user's count unless locked out
    /// (facts 1.4, row 11).
    fn rules(&self, kind: &str, tool: &str) -> Vec<Option<String>> {
        let keys = format!("permissions.{kind}");
        let rules = if self.lock("allowManagedPermissionRulesOnly") {
            strings(&self.managed, &keys)
        } else {
            self.union(&keys)
        };
        rules
            .iter()
            .filter_map(|rule| argument(rule, tool))
            .collect()
    }

    /// The domains of `WebFetch(domain:…)` rules.
    fn fetch_domains(rules: &[Option<String>]) -> Vec<String> {
        rules
            .iter()
            .flatten()
            .filter_map(|rule| Some(rule.strip_prefix("domain:")?.to_owned()))
            .collect()
    }

    fn shell_host(&self, text: &str) -> Answer {
        if !self.sandboxed() {
            return Answer::Unrestricted;
        }
        // The runtime canonicalises what is asked as the URL Standard does, and refuses characters
        // no DNS name has (facts 1.3).
        let Some(target) = target(text) else {
            return Answer::Deny;
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-:".contains(c);
        let host = match whatwg(&target.host) {
            Some(host) if target.host.chars().all(plain) => host,
            _ => return Answer::Deny,
        };
        // `sandbox.network` entries and the domains of fetch rules are one list (facts 1.2).
        let managed_only =
            self.lock("sandbox.network.allowManagedDomainsOnly") && self.device.at_least("2.1.62");
        let managed_rules: Vec<_> = strings(&self.managed, "permissions.allow")
            .iter()
            .filter_map(|rule| argument(rule, "WebFetch"))
            .collect();
        let allowed = if managed_only {
            [
                strings(&self.managed, "sandbox.network.allowedDomains"),
                Self::fetch_domains(&managed_rules),
            ]
            .concat()
        } else {
            [
                self.union("sandbox.network.allowedDomains"),
                Self::fetch_domains(&self.rules("allow", "WebFetch")),
            ]
            .concat()
        };
        // Older builds reject the whole list over one entry this broad, and block everything; the
        // first release that accepts it lies in 2.1.173 to 2.1.197 (facts 1.3, 6).
        if !self.device.at_least("2.1.197") && allowed.iter().any(|entry| is_broad(entry)) {
            return Answer::Deny;
        }
        // Builds before 2.1.113 carry the key and do nothing with it (facts 1.2, 1.6).
        if self.device.at_least("2.1.113") {
            let denied = [
                self.union("sandbox.network.deniedDomains"),
                Self::fetch_domains(&self.rules("deny", "WebFetch")),
            ]
            .concat();
            // A denied entry's trailing dot is repaired, an allowed one's is not (facts 1.3).
            let mut denied = denied
                .iter()
                .map(|entry| entry.strip_suffix('.').unwrap_or(entry));
            if denied.any(|entry| self.entry_matches(entry, &host, target.port)) {
                return Answer::Deny;
            }
        }
        // This machine is refused even where it is allowed (facts 1.3).
        if is_loopback(&host) {
            return Answer::Deny;
        }
        if allowed
            .iter()
            .any(|entry| self.entry_matches(entry, &host, target.port))
        {
            return Answer::Allow;
        }
        let strict = self.device.at_least("2.1.219")
            && self.flag("sandbox.network.strictAllowlist") == Some(true);
        // The lock prompts until 2.1.69 and blocks from then on (facts 1.2).
        if strict || (managed_only && self.device.at_least("2.1.69")) {
            Answer::Deny
        } else {
            Answer::Ask
        }
    }

    /// One entry of the sandbox's lists against a canonical host (facts 1.3).
    fn entry_matches(&self, entry: &str, host: &str, port: u16) -> bool {
        let (entry, only_port) = split_port(entry);
        if only_port.is_some_and(|only| only != port) {
            return false;
        }
        if entry == "*" {
            return true;
        }
        // IPv6 is written in brackets, from 2.1.229 on; no other spelling was seen to match.
        if host.parse::<Ipv6Addr>().is_ok() {
            let bare = entry
                .strip_prefix('[')
                .and_then(|entry| entry.strip_suffix(']'));
            return self.device.at_least("2.1.229")
                && bare.and_then(whatwg).as_deref() == Some(host);
        }
        let entry = entry.to_ascii_lowercase();
        match entry.strip_prefix("*.") {
            // Never an address; never the apex.
            Some(base) => host.parse::<IpAddr>().is_err() && host.ends_with(&format!(".{base}")),
            // `**.x`, `a*.x`, a scheme, a path, a Unicode spelling: compared as they stand, and no
            // canonical host is spelled so.
            None => entry == host,
        }
    }

    fn fetch_host(&self, text: &str) -> Answer {
        // The fetch tool has a matcher of its own, over the URL's canonical host, and does not
        // look at `sandbox.network.deniedDomains` (facts 1.3).
        let Some(host) = target(text).and_then(|target| whatwg(&target.host)) else {
            return Answer::Deny;
        };
        let hit = |kind: &str| {
            let rules = self.rules(kind, "WebFetch");
            rules.contains(&None)
                || Self::fetch_domains(&rules)
                    .iter()
                    .any(|entry| self.fetch_matches(entry, &host))
        };
        let bypass = !self.bypass_locked()
            && at(&self.user, "permissions.defaultMode").and_then(Value::as_str)
                == Some("bypassPermissions");
        if hit("deny") {
            Answer::Deny
        } else if hit("ask") {
            Answer::Ask
        } else if bypass || hit("allow") || PRE_APPROVED.contains(&host.as_str()) {
            Answer::Allow
        } else if self.device.at_least("2.1.332")
            // First seen in 2.1.332, absent from 2.1.300 (facts 1.2).
            && self.flag("permissions.denyInsteadOfPrompting") == Some(true)
        {
            Answer::Deny
        } else {
            Answer::Ask
        }
    }

    fn fetch_matches(&self, entry: &str, host: &str) -> bool {
        if host.parse::<Ipv6Addr>().is_ok() {
            return entry == "*"; // no spelling of one address was observed
        }
        match entry.strip_prefix("*.") {
            _ if entry == "*" => true,
            // Wildcards never matched before 2.1.172 (facts 1.2).
            Some(base) => self.device.at_least("2.1.172") && host.ends_with(&format!(".{base}")),
            None => entry == host,
        }
    }

    fn bypass_locked(&self) -> bool {
        at(&self.managed, "permissions.disableBypassPermissionsMode").and_then(Value::as_str)
            == Some("disable")
    }

    fn shell_path(&self, op: Op, path: &str) -> Answer {
        if !self.sandboxed() || self.filesystem_disabled() {
            return Answer::Unrestricted;
        }
        let denied_read =
            self.covered("denyRead", &self.union("sandbox.filesystem.denyRead"), path);
        let denied_write = self.covered(
            "denyWrite",
            &self.union("sandbox.filesystem.denyWrite"),
            path,
        );
        match op {
            Op::Read => {
                // An allowed path re-opens a denied one, the user's too unless locked
                // (facts 0, 1.4 row 2).
                let locked = self.lock("sandbox.filesystem.allowManagedReadPathsOnly")
                    && self.device.at_least("2.1.78");
                let allowed = if locked {
                    strings(&self.managed, "sandbox.filesystem.allowRead")
                } else {
                    self.union("sandbox.filesystem.allowRead")
                };
                let reopened =
                    self.device.at_least("2.1.77") && self.covered("allowRead", &allowed, path);
                if denied_read && !reopened {
                    Answer::Deny
                } else {
                    Answer::Allow
                }
            }
            Op::Write if self.scrubbed() => Answer::Allow,
            Op::Write if denied_write => Answer::Deny,
            // What may not be read is covered by an empty file system in memory, and that one can
            // be written (facts 1.2).
            Op::Write if denied_read => Answer::Allow,
            Op::Write => {
                let roots = self.union("sandbox.filesystem.allowWrite");
                let added = self.union("permissions.additionalDirectories");
                let open = glob::is_under(path, &self.device.workspace)
                    || self.covered("allowWrite", &roots, path)
                    || added.iter().any(|root| glob::is_under(path, root));
                if open { Answer::Allow } else { Answer::Deny }
            }
        }
    }

    /// The user's switch counts only while the managed settings say nothing of the file system
    /// (facts 1.2).
    fn filesystem_disabled(&self) -> bool {
        let managed = at(&self.managed, "sandbox.filesystem").is_some();
        let settings = if managed { &self.managed } else { &self.user };
        self.device.at_least("2.1.216")
            && boolean(settings, "sandbox.filesystem.disabled") == Some(true)
    }

    /// One variable opens writes to the whole file system; a managed value pins it (facts 0).
    fn scrubbed(&self) -> bool {
        let name = "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB";
        let of = |settings: &Value| {
            at(settings, "env")
                .and_then(|env| env.get(name))
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        let value = of(&self.managed)
            .or_else(|| of(&self.user))
            .or_else(|| self.device.variable(name).map(str::to_owned));
        value.as_deref() == Some("1")
    }

    /// Whether one of the sandbox's path lists covers `path`.
    fn covered(&self, list: &str, entries: &[String], path: &str) -> bool {
        entries
            .iter()
            .filter_map(|entry| self.sandbox_path(entry))
            .any(|entry| {
                if !glob::is_glob(&entry) {
                    glob::is_under(path, &entry)
                } else {
                    // Linux ignores globs among the writable roots (facts 1.2).
                    !(list == "allowWrite" && self.device.os == Os::Linux)
                        && glob::covers(&entry, path)
                }
            })
    }

    /// What an entry of the sandbox's path lists stands for; `None` where it does nothing
    /// (facts 1.2, 1.6).
    fn sandbox_path(&self, entry: &str) -> Option<String> {
        if !self.device.at_least("2.1.62") {
            return None; // 2.0.76 reads none of these keys
        }
        let absolute = if let Some(rest) = entry.strip_prefix("//") {
            format!("/{rest}")
        } else if entry.starts_with('/') {
            // Before 2.1.78 only `//` was absolute.
            self.device.at_least("2.1.78").then(|| entry.to_owned())?
        } else if let Some(below) = entry.strip_prefix("~/") {
            format!("{}/{below}", self.device.home)
        } else if entry.is_empty() || entry.starts_with(['~', '$']) {
            return None;
        } else {
            format!(
                "{}/{}",
                self.device.workspace,
                entry.strip_prefix("./").unwrap_or(entry)
            )
        };
        (!absolute.starts_with("/**")).then_some(absolute)
    }

    fn tool_path(&self, op: Op, path: &str) -> Answer {
        // The sandbox does not bind the file tools; only permission rules do (facts 0).
        let tool = match op {
            Op::Read => "Read",
            Op::Write => "Edit",
        };
        let hit = |kind: &str| {
            self.rules(kind, tool).iter().any(|rule| match rule {
                None => true,
                Some(rule) => self
                    .rule_path(rule)
                    .is_some_and(|rule| glob::matches(&rule, path)),
            })
        };
        if hit("deny") {
            Answer::Deny
        } else if hit("ask") {
            Answer::Ask
        } else if hit("allow") {
            Answer::Allow
        } else {
            Answer::Unrestricted
        }
    }

    /// What the path of a permission rule stands for. `/x` counts from the directory of the
    /// settings file, so a managed one matches nothing of use; a bare name was not observed
    /// (facts 1.2).
    fn rule_path(&self, rule: &str) -> Option<String> {
        if let Some(rest) = rule.strip_prefix("//") {
            Some(format!("/{rest}"))
        } else if let Some(below) = rule.strip_prefix("~/") {
            Some(format!("{}/{below}", self.device.home))
        } else if let Some(below) = rule.strip_prefix("./") {
            Some(format!("{}/{below}", self.device.workspace))
        } else {
            rule.starts_with("**/")
                .then(|| format!("{}/{rule}", self.device.workspace))
        }
    }

    /// `denyRead` of the root breaks every command (facts 1.2).
    fn commands_fail(&self) -> bool {
        self.sandboxed()
            && self
                .union("sandbox.filesystem.denyRead")
                .iter()
                .any(|entry| self.sandbox_path(entry).as_deref() == Some("/"))
    }
}

impl Reader for ClaudeCode {
    fn host(&self, channel: Channel, text: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            Channel::Shell if self.commands_fail() => Answer::Broken,
            Channel::Shell => self.shell_host(text),
            Channel::Tool => self.fetch_host(text),
        }
    }

    fn path(&self, channel: Channel, op: Op, path: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            Channel::Shell if self.commands_fail() => Answer::Broken,
            Channel::Shell => self.shell_path(op, path),
            Channel::Tool => self.tool_path(op, path),
        }
    }

    fn mode(&self) -> Mode {
        // The user's list takes commands out of the sandbox; under the lock on permission rules,
        // and with `Bash` not allowed outright, they are asked about (facts 0, 1.4 row 1).
        let excluded = !self.union("sandbox.excludedCommands").is_empty();
        let asks = self.lock("allowManagedPermissionRulesOnly")
            && !self.rules("allow", "Bash").contains(&None);
        let outside = if !self.sandboxed() {
            Answer::Unrestricted
        } else if excluded {
            if asks { Answer::Ask } else { Answer::Allow }
        } else if self.device.at_least("2.0.30")
            && self.flag("sandbox.allowUnsandboxedCommands") == Some(false)
        {
            Answer::Deny
        } else {
            Answer::Ask
        };
        Mode {
            sandboxed: self.sandboxed(),
            outside,
            outside_stays_bound: false,
            fails_closed: self.fails_closed(),
        }
    }
}

/// Merges a later managed file over an earlier one: arrays are joined, objects merged, and of two
/// scalars the later wins (facts 1.1).
fn merge(earlier: &mut Value, later: Value) {
    match (earlier, later) {
        (Value::Object(earlier), Value::Object(later)) => {
            for (key, value) in later {
                merge(earlier.entry(key).or_insert(Value::Null), value);
            }
        }
        (Value::Array(earlier), Value::Array(later)) => earlier.extend(later),
        (earlier, later) => *earlier = later,
    }
}

fn boolean(settings: &Value, keys: &str) -> Option<bool> {
    match at(settings, keys)? {
        Value::Bool(value) => Some(*value),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// The argument of a permission rule for `tool`: `Some(None)` for the bare tool.
fn argument(rule: &str, tool: &str) -> Option<Option<String>> {
    match rule.strip_prefix(tool)? {
        "" => Some(None),
        rest => Some(Some(rest.strip_prefix('(')?.strip_suffix(')')?.to_owned())),
    }
}

/// `*` and `*.com`: more than the runtime's own schema accepts (facts 1.3).
fn is_broad(entry: &str) -> bool {
    entry == "*"
        || entry
            .strip_prefix("*.")
            .is_some_and(|base| !base.contains('.'))
}

/// A port suffix limits an entry to that port (facts 1.3).
fn split_port(entry: &str) -> (&str, Option<u16>) {
    let colons = if entry.starts_with('[') {
        entry.rfind("]:").map(|end| end + 1)
    } else {
        entry.find(':')
    };
    colons
        .and_then(|colon| {
            Some((
                entry.get(..colon)?,
                Some(entry.get(colon + 1..)?.parse().ok()?),
            ))
        })
        .unwrap_or((entry, None))
}

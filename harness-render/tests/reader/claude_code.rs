//! Claude Code: `managed-settings.json`, its drop-ins, and the sandbox runtime it bundles.
//!
//! Not modelled: the tiers above the file (server, device management), which replace it whole;
//! symbolic links and missing directories; the temporary directories and the hidden files the
//! runtime opens and closes on its own; hooks, MCP servers and other tools outside the sandbox.

mod hosts;
mod paths;

use serde_json::{Map, Value};

use super::{Answer, Channel, Device, Mode, Op, Os, Reader, at, strings};

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
        // Drop-ins are read since 2.1.83 in alphabetical order, names with a leading dot left out.
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
                // Malformed JSON, or no object: the program does not start.
                _ => broken = true,
            }
        }
        let user = device
            .user_file("~/.claude/settings.json")
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or(Value::Null);
        // Builds before 2.1.163 do not know the floor.
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
        // A sandbox that is wanted and cannot start ends the program, since 2.1.83.
        // Native Windows has none until someone sets one up.
        this.broken |= this.sandbox_wanted() && device.os == Os::Windows && this.fails_closed();
        this
    }

    /// A boolean: the managed value wins, `"true"` reads as true, another type as absent.
    fn flag(&self, keys: &str) -> Option<bool> {
        boolean(&self.managed, keys).or_else(|| boolean(&self.user, keys))
    }

    /// A lock counts in managed settings only, and is on when its value has the wrong type.
    fn lock(&self, keys: &str) -> bool {
        at(&self.managed, keys).is_some_and(|_| boolean(&self.managed, keys) != Some(false))
    }

    /// A list: the union of the sources.
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
            // A platform left out runs with no sandbox, silently.
            && (!platforms
                || strings(&self.managed, "sandbox.enabledPlatforms").iter().any(|p| p == platform))
    }

    fn sandboxed(&self) -> bool {
        self.sandbox_wanted() && self.device.os != Os::Windows
    }

    fn fails_closed(&self) -> bool {
        self.device.at_least("2.1.83") && self.flag("sandbox.failIfUnavailable") == Some(true)
    }

    /// The permission rules of one kind, as (tool, argument); the user's count unless locked out.
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
        // and with `Bash` not allowed outright, they are asked about.
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
/// scalars the later wins.
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

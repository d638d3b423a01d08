//! Codex: `requirements.toml`, and the configuration layer above the user's.
//!
//! Not modelled: the tiers above the file (cloud, device management); a denied path that is a
//! symbolic link, which keeps the Linux sandbox from starting; names that resolve to private
//! addresses, which are refused; `--add-dir` and a client's own writable roots, which no key locks.

mod domain;
mod requirements;

use core::net::Ipv4Addr;

use toml::{Table, Value};

use self::domain::{is_local, matches, normal};
use self::requirements::{Profile, Refusal, Requirements, parse, table};
use super::{Answer, Channel, Device, Mode, Op, Os, Reader, glob, target};

/// What Codex makes of a device.
#[derive(Clone, Debug)]
pub struct Codex {
    device: Device,
    requirements: Requirements,
    /// `managed_config.toml`: above the user's configuration.
    pinned: Table,
    user: Table,
    broken: bool,
}

impl Codex {
    /// Reads the managed files and the user's configuration.
    pub fn read(device: &Device) -> Self {
        let (requirements, managed_config) = match device.os {
            Os::Linux | Os::MacOs => (
                "/etc/codex/requirements.toml",
                Some("/etc/codex/managed_config.toml"),
            ),
            // There the layer above the user's is in the user's own home.
            Os::Windows => ("C:/ProgramData/OpenAI/Codex/requirements.toml", None),
        };
        // 0.75.0 ignores the file.
        let known = device.at_least("0.77.0");
        let managed = |path: &str| -> Result<Table, Refusal> {
            match device.managed_file(path) {
                Some(file) if known => parse(&file.bytes),
                _ => Ok(Table::new()),
            }
        };
        let user = device
            .user_file("~/.codex/config.toml")
            .and_then(|text| toml::from_str(text).ok())
            .unwrap_or_default();
        let pinned = managed_config.map_or(Ok(Table::new()), managed);
        let requirements =
            managed(requirements).and_then(|table| Requirements::read(&table, device, &user));
        let broken = pinned.is_err() || requirements.is_err();
        Self {
            device: device.clone(),
            requirements: requirements.unwrap_or_default(),
            pinned: pinned.unwrap_or_default(),
            user,
            broken,
        }
    }

    /// The sandbox modes a session may have. A pinned `sandbox_mode` is a requirement too.
    fn modes(&self) -> Option<Vec<String>> {
        self.requirements.modes.clone().or_else(|| {
            let pinned = self.pinned.get("sandbox_mode")?.as_str()?;
            Some(vec!["read-only".to_owned(), pinned.to_owned()])
        })
    }

    /// Whether the user's settings cannot switch the sandbox off. A profile alone does not hold
    /// a client of the app server.
    fn sandboxed(&self) -> bool {
        let modes = self
            .modes()
            .is_some_and(|modes| !modes.iter().any(|m| m == "danger-full-access"));
        let profile =
            self.requirements.profile.is_some() && !self.requirements.deny_read.is_empty();
        // Native Windows has no sandbox by default, and its network limits are partial.
        self.device.os != Os::Windows && (modes || profile)
    }

    fn shell_host(&self, text: &str) -> Answer {
        if !self.sandboxed() {
            return Answer::Unrestricted;
        }
        let profile = self.requirements.profile.as_ref();
        let Some(network) = self
            .requirements
            .network
            .as_ref()
            .filter(|network| network.enabled)
        else {
            // Without the proxy a profile's domains bind nothing; with no
            // profile the user's `network_access` opens everything, unless it is pinned.
            let pinned = table(&self.pinned, "sandbox_workspace_write")
                .and_then(|table| table.get("network_access"))
                .and_then(Value::as_bool);
            return match (profile, pinned) {
                (Some(profile), _) if !profile.network => Answer::Deny,
                (None, Some(false)) => Answer::Deny,
                // Off, until the user's own `network_access` says otherwise.
                _ => Answer::Unrestricted,
            };
        };
        // From 0.101 to 0.114 commands got no network at all; 0.118 is the first seen to let the
        // allowed through.
        if !self.device.at_least("0.118.0") {
            return Answer::Deny;
        }
        let Some(target) = target(text) else {
            return Answer::Deny;
        };
        let host = target.host.to_ascii_lowercase();
        let host = host.trim_end_matches('.');
        let denied = profile
            .into_iter()
            .flat_map(|profile| &profile.denied)
            .chain(&network.denied);
        if denied.into_iter().any(|pattern| matches(pattern, host)) {
            return Answer::Deny;
        }
        let mut allowed = network.allowed.clone();
        if !network.managed_only {
            // Then the profile's, and the user's own, count.
            allowed.extend(
                profile
                    .into_iter()
                    .flat_map(|profile| profile.allowed.clone()),
            );
            let proxy = table(&self.user, "features")
                .and_then(|features| table(features, "network_proxy"))
                .and_then(|proxy| table(proxy, "domains"));
            let own = proxy.into_iter().flatten();
            let own = own.filter(|(_, access)| access.as_str() == Some("allow"));
            allowed.extend(own.map(|(pattern, _)| pattern.clone()));
        }
        // Its proxy answers 400 to a plain request for an IPv6 literal; tunnels pass.
        if target.scheme == "http" && host.contains(':') && self.device.at_least("0.130.0") {
            return Answer::Deny;
        }
        // This machine and private addresses need an entry that spells them out; in
        // 0.130.0 nothing arrives there even so.
        if is_local(host) && !network.local {
            let early = !self.device.at_least("0.150.0") && host.parse::<Ipv4Addr>().is_ok();
            let named = !early && allowed.iter().any(|pattern| normal(pattern) == host);
            return if named { Answer::Allow } else { Answer::Deny };
        }
        if allowed.iter().any(|pattern| matches(pattern, host)) {
            Answer::Allow
        } else if network.managed_only {
            Answer::Deny
        } else {
            Answer::Ask // one "yes" opens a host
        }
    }

    fn sandbox_path(&self, op: Op, path: &str) -> Answer {
        let denied = self
            .requirements
            .deny_read
            .iter()
            .any(|entry| self.deny_read_covers(entry, path));
        // Denies writes to the same path too.
        if denied {
            return Answer::Deny;
        }
        if !self.sandboxed() {
            return Answer::Unrestricted;
        }
        let modes = self.modes();
        let may_write =
            modes.is_none_or(|modes| modes.iter().any(|mode| mode == "workspace-write"));
        match (&self.requirements.profile, op) {
            (Some(profile), _) if self.profile_denies(profile, path) => Answer::Deny,
            (_, Op::Read) => Answer::Allow,
            (_, Op::Write) if !may_write => Answer::Deny,
            (Some(profile), Op::Write) => self.profile_writes(profile, path),
            (None, Op::Write) => self.legacy_writes(path),
        }
    }

    /// What a managed `deny_read` entry covers: a literal all below it, a glob files only. A
    /// relative one counts from the directory of the file, and so does a spelling that only looks
    /// absolute to a shell.
    fn deny_read_covers(&self, entry: &str, path: &str) -> bool {
        if entry.is_empty() {
            return false;
        }
        let absolute = if let Some(below) = entry.strip_prefix("~/") {
            format!("{}/{below}", self.device.home)
        } else if entry.starts_with('/') {
            entry.to_owned()
        } else {
            format!("/etc/codex/{}", entry.strip_prefix("./").unwrap_or(entry))
        };
        self.entry_covers(&absolute, path)
    }

    /// An absolute entry, of `deny_read` or of a profile. Before 0.168.0 a glob with more names
    /// after it covers nothing, and one in the last name is looked for at every depth.
    fn entry_covers(&self, entry: &str, path: &str) -> bool {
        if !glob::is_glob(entry) {
            return glob::is_under(path, entry);
        }
        if self.device.at_least("0.168.0") {
            return glob::matches(entry, path);
        }
        let (above, last) = entry.rsplit_once('/').unwrap_or(("", entry));
        let base = above.strip_suffix("/**").unwrap_or(above);
        !glob::is_glob(base) && glob::matches(&format!("{base}/**/{last}"), path)
    }

    fn expand(&self, path: &str) -> String {
        match path.strip_prefix("~/") {
            Some(below) => format!("{}/{below}", self.device.home),
            None => path.to_owned(),
        }
    }

    fn in_workspace(&self, below: &str) -> String {
        match below {
            "." => self.device.workspace.clone(),
            below => format!("{}/{below}", self.device.workspace),
        }
    }

    fn profile_denies(&self, profile: &Profile, path: &str) -> bool {
        let literal = |entry: &str| {
            if glob::is_glob(entry) {
                glob::matches(entry, path)
            } else {
                glob::is_under(path, entry)
            }
        };
        let placed = profile.paths.iter().any(|(entry, access)| {
            access == "deny" && self.entry_covers(&self.expand(entry), path)
        });
        let in_workspace = profile.workspace.iter().any(|(entry, access)| {
            // Without a depth, globs hold from 0.153 on. With one, Linux looks for
            // matches no deeper, before the command starts (the vendor's permissions page).
            let reached = !glob::is_glob(entry)
                || match profile.glob_depth {
                    None => self.device.at_least("0.153.0"),
                    Some(depth) => self.device.os != Os::Linux || self.depth(path) <= depth,
                };
            access == "deny" && reached && literal(&self.in_workspace(entry))
        });
        placed || in_workspace
    }

    /// How many components `path` has below the workspace.
    fn depth(&self, path: &str) -> usize {
        path.strip_prefix(&self.device.workspace)
            .map_or(0, |below| below.matches('/').count())
    }

    /// The longest entry over a path decides; hooks of the repository stay read-only, the shared
    /// temporary directory is writable under `:workspace`.
    fn profile_writes(&self, profile: &Profile, path: &str) -> Answer {
        let workspace = &self.device.workspace;
        let mut entries: Vec<(String, String)> = Vec::new();
        if !profile.read_only {
            for (root, access) in [
                (workspace.clone(), "write"),
                ("/tmp".to_owned(), "write"),
                (format!("{workspace}/.git/hooks"), "read"),
            ] {
                entries.push((root, access.to_owned()));
            }
        }
        entries.extend(
            profile
                .paths
                .iter()
                .map(|(entry, access)| (self.expand(entry), access.clone())),
        );
        entries.extend(
            profile
                .workspace
                .iter()
                .map(|(entry, access)| (self.in_workspace(entry), access.clone())),
        );
        let over = entries
            .iter()
            .filter(|(entry, _)| glob::is_under(path, entry));
        match over.max_by_key(|(entry, _)| entry.len()) {
            Some((_, access)) if access == "write" => Answer::Allow,
            _ => Answer::Deny,
        }
    }

    /// Without a profile the roots are configuration: the pinned layer's, else the user's.
    fn legacy_writes(&self, path: &str) -> Answer {
        let roots = |layer: &Table| -> Option<Vec<String>> {
            Some(list(
                table(layer, "sandbox_workspace_write")?.get("writable_roots")?,
            ))
        };
        let mut roots = roots(&self.pinned)
            .or_else(|| roots(&self.user))
            .unwrap_or_default();
        roots.extend([self.device.workspace.clone(), "/tmp".to_owned()]);
        let open = roots
            .iter()
            .any(|root| glob::is_under(path, &self.expand(root)));
        if open { Answer::Allow } else { Answer::Deny }
    }
}

impl Reader for Codex {
    fn host(&self, channel: Channel, text: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            Channel::Shell => self.shell_host(text),
            // The only tool that reaches out is the web search, and no list of hosts binds it.
            Channel::Tool => match &self.requirements.web_search {
                Some(modes) if modes.is_empty() => Answer::Deny,
                _ => Answer::Unrestricted,
            },
        }
    }

    fn path(&self, channel: Channel, op: Op, path: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            // On Windows `deny_read` binds the file tools only.
            Channel::Shell if self.device.os == Os::Windows => Answer::Unrestricted,
            // An approved patch, and in 0.130.0 a shown image, knew no denied path (live: 0.130.0,
            // 0.133.0, 0.138.0).
            Channel::Tool if !self.device.at_least("0.138.0") => Answer::Ask,
            Channel::Shell | Channel::Tool => self.sandbox_path(op, path),
        }
    }

    fn mode(&self) -> Mode {
        // A user who approves an escalation runs that command outside; with anything denied to
        // reading, the proxy and those paths stay.
        let never = self.requirements.approvals.as_deref() == Some(&["never".to_owned()]);
        Mode {
            sandboxed: !self.broken && self.sandboxed(),
            outside: match self.sandboxed() {
                false => Answer::Unrestricted,
                true if never => Answer::Deny,
                true => Answer::Ask,
            },
            outside_stays_bound: !self.requirements.deny_read.is_empty(),
            fails_closed: true, // a sandbox that cannot start fails the command
        }
    }
}

fn list(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

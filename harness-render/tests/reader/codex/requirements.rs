//! What Codex reads out of `requirements.toml`, and what it refuses.

use toml::{Table, Value};

use super::super::{Device, Os, glob};
use super::domain::{normal, unsupported};

/// The managed file, keys the release does not know left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Requirements {
    pub(super) modes: Option<Vec<String>>,
    pub(super) approvals: Option<Vec<String>>,
    pub(super) web_search: Option<Vec<String>>,
    pub(super) network: Option<Network>,
    pub(super) deny_read: Vec<String>,
    pub(super) profile: Option<Profile>,
}

/// Its `[experimental_network]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    pub(super) enabled: bool,
    pub(super) managed_only: bool,
    pub(super) local: bool,
    pub(super) allowed: Vec<String>,
    pub(super) denied: Vec<String>,
}

/// The permission profile sessions run under.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    pub(super) read_only: bool,
    /// Paths with what is granted on them.
    pub(super) paths: Vec<(String, String)>,
    /// The same, counted from each workspace root.
    pub(super) workspace: Vec<(String, String)>,
    pub(super) glob_depth: Option<usize>,
    pub(super) network: bool,
    pub(super) allowed: Vec<String>,
    pub(super) denied: Vec<String>,
}

/// Why a file keeps the program from starting. The words serve whoever debugs a test.
pub(super) type Refusal = &'static str;

impl Requirements {
    pub(super) fn read(table: &Table, device: &Device, user: &Table) -> Result<Self, Refusal> {
        let mut this = Self {
            modes: strings(table, "allowed_sandbox_modes")?,
            approvals: strings(table, "allowed_approval_policies")?,
            ..Self::default()
        };
        if this
            .modes
            .as_ref()
            .is_some_and(|modes| !modes.iter().any(|mode| mode == "read-only"))
        {
            return Err("allowed_sandbox_modes lacks read-only");
        }
        if device.at_least("0.101.0") {
            this.web_search = strings(table, "allowed_web_search_modes")?;
            if let Some(network) = sub_table(table, "experimental_network")? {
                this.network = Some(Network::read(network, device)?);
            }
        }
        // Two more spellings of that table, one of which had been a profile's name.
        let respelled = device.at_least("0.166.0");
        if respelled && let Some(network) = sub_table(table, "network_proxy")? {
            this.network = Some(Network::read(network, device)?);
        }
        let Some(permissions) = sub_table(table, "permissions")? else {
            return Ok(this);
        };
        if respelled && let Some(network) = sub_table(permissions, "network")? {
            this.network = Some(Network::read(network, device)?);
        }
        if device.at_least("0.122.0")
            && let Some(filesystem) = sub_table(permissions, "filesystem")?
        {
            this.deny_read = strings(filesystem, "deny_read")?.unwrap_or_default();
            if this
                .deny_read
                .iter()
                .any(|entry| entry_bricks(entry, device))
            {
                return Err("an entry of deny_read keeps sessions from starting");
            }
        }
        let shared = |name: &str| name == "filesystem" || (respelled && name == "network");
        let names: Vec<&String> = permissions.keys().filter(|name| !shared(name)).collect();
        if !names.is_empty() && device.at_least("0.134.0") && !device.at_least("0.138.0") {
            return Err("these releases refuse profiles");
        }
        if device.at_least("0.138.0") {
            this.profile = Profile::selected(table, permissions, &names, user)?;
        }
        Ok(this)
    }
}

impl Network {
    fn read(table: &Table, device: &Device) -> Result<Self, Refusal> {
        let flag = |key: &str| match table.get(key) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or("a flag is not a boolean"),
        };
        let allowed = strings(table, "allowed_domains")?;
        let denied = strings(table, "denied_domains")?;
        let lists = allowed.is_some() || denied.is_some();
        let mut this = Self {
            enabled: flag("enabled")?,
            managed_only: flag("managed_allowed_domains_only")? && device.at_least("0.118.0"),
            local: flag("allow_local_binding")?,
            allowed: allowed.unwrap_or_default(),
            denied: denied.unwrap_or_default(),
        };
        // The map is read since 0.118, and not beside the lists.
        if device.at_least("0.118.0")
            && let Some(domains) = sub_table(table, "domains")?
        {
            if lists {
                return Err("domains beside the lists");
            }
            (this.allowed, this.denied) = split(domains)?;
        }
        let mut patterns = this.allowed.iter().chain(&this.denied);
        // Every host is too much to say here, in either list.
        if patterns.any(|pattern| unsupported(pattern) || normal(pattern) == "*") {
            return Err("a domain pattern is not supported");
        }
        Ok(this)
    }
}

impl Profile {
    /// The profile sessions run under, when the file names one.
    fn selected(
        table: &Table,
        permissions: &Table,
        names: &[&String],
        user: &Table,
    ) -> Result<Option<Self>, Refusal> {
        let Some(default) = table.get("default_permissions") else {
            // The words of the refusal of 0.134 are about just this.
            return if names.is_empty() {
                Ok(None)
            } else {
                Err("no default_permissions")
            };
        };
        let default = default
            .as_str()
            .ok_or("default_permissions is not a string")?;
        let allowed = sub_table(table, "allowed_permission_profiles")?
            .and_then(|profiles| profiles.get(default))
            .and_then(Value::as_bool);
        if allowed != Some(true) {
            return Err("the default profile is not allowed");
        }
        let profile =
            sub_table(permissions, default)?.ok_or("the default profile is not defined")?;
        let taken = self::table(user, "permissions").is_some_and(|own| own.contains_key(default));
        if taken {
            return Err("the user defines a profile of the same name");
        }
        Self::read(profile).map(Some)
    }

    fn read(table: &Table) -> Result<Self, Refusal> {
        let read_only = match table.get("extends").and_then(Value::as_str) {
            Some(":workspace") => false,
            Some(":read-only") => true,
            _ => return Err("a base that was not observed"),
        };
        let mut this = Self {
            read_only,
            ..Self::default()
        };
        for (path, access) in sub_table(table, "filesystem")?.into_iter().flatten() {
            match (path.as_str(), access) {
                ("glob_scan_max_depth", depth) => {
                    let depth = depth
                        .as_integer()
                        .and_then(|depth| usize::try_from(depth).ok());
                    this.glob_depth = Some(depth.ok_or("the depth is not a number")?);
                }
                (":workspace_roots", below) => {
                    for (path, access) in below.as_table().ok_or("a table is missing")? {
                        this.workspace.push((path.clone(), grant(access)?));
                    }
                }
                (path, access) => this.paths.push((path.to_owned(), grant(access)?)),
            }
        }
        if let Some(network) = sub_table(table, "network")? {
            this.network = network
                .get("enabled")
                .and_then(Value::as_bool)
                .unwrap_or(false);
            if let Some(domains) = sub_table(network, "domains")? {
                (this.allowed, this.denied) = split(domains)?;
            }
            if this
                .allowed
                .iter()
                .chain(&this.denied)
                .any(|pattern| unsupported(pattern))
            {
                return Err("a domain pattern is not supported");
            }
        }
        Ok(this)
    }
}

/// Whether an entry of `deny_read` keeps every session from starting.
fn entry_bricks(entry: &str, device: &Device) -> bool {
    let home = match entry {
        "~" => Some(device.home.clone()),
        entry => entry
            .strip_prefix("~/")
            .map(|below| format!("{}/{below}", device.home)),
    };
    let absolute = home.unwrap_or_else(|| entry.to_owned());
    // The root, and whatever holds Codex's own directory.
    let above_codex = absolute.starts_with('/')
        && !glob::is_glob(&absolute)
        && glob::is_under(&format!("{}/.codex", device.home), &absolute);
    // A scan of the whole file system.
    let first = absolute
        .strip_prefix('/')
        .and_then(|rest| rest.split('/').next());
    let scans_all = first.is_some_and(glob::is_glob);
    let drive = entry.as_bytes().get(1) == Some(&b':') && device.os != Os::Windows;
    above_codex || scans_all || drive || entry.contains(['{', '}'])
}

/// The file as TOML.
pub(super) fn parse(bytes: &[u8]) -> Result<Table, Refusal> {
    let text = core::str::from_utf8(bytes).map_err(|_| "the file is not UTF-8")?;
    toml::from_str(text).map_err(|_| "the file is not TOML")
}

/// The table under a key of a file whose types are taken as they come.
pub(super) fn table<'t>(table: &'t Table, key: &str) -> Option<&'t Table> {
    table.get(key)?.as_table()
}

/// A key of the wrong type fails the whole file.
fn sub_table<'t>(table: &'t Table, key: &str) -> Result<Option<&'t Table>, Refusal> {
    table
        .get(key)
        .map(|value| value.as_table().ok_or("a key is not a table"))
        .transpose()
}

fn strings(table: &Table, key: &str) -> Result<Option<Vec<String>>, Refusal> {
    let Some(value) = table.get(key) else {
        return Ok(None);
    };
    let items = value.as_array().ok_or("a key is not a list")?;
    let strings = items.iter().map(|item| item.as_str().map(str::to_owned));
    strings
        .collect::<Option<Vec<_>>>()
        .map(Some)
        .ok_or("a list holds more than strings")
}

/// The allowed and the denied of a map of domains.
fn split(domains: &Table) -> Result<(Vec<String>, Vec<String>), Refusal> {
    let (mut allowed, mut denied) = (Vec::new(), Vec::new());
    for (pattern, access) in domains {
        match access.as_str() {
            Some("allow") => allowed.push(pattern.clone()),
            Some("deny") => denied.push(pattern.clone()),
            _ => return Err("a domain is neither allowed nor denied"),
        }
    }
    Ok((allowed, denied))
}

fn grant(access: &Value) -> Result<String, Refusal> {
    match access.as_str() {
        Some(access @ ("read" | "write" | "deny")) => Ok(access.to_owned()),
        _ => Err("a path is neither read, write nor deny"),
    }
}

//! How Claude Code decides a path: the sandbox's lists for commands, permission rules for the file
//! tools.

use serde_json::Value;

use super::super::{Answer, Op, Os, at, glob, strings};
use super::{ClaudeCode, boolean};

impl ClaudeCode {
    pub(super) fn shell_path(&self, op: Op, path: &str) -> Answer {
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
                // An allowed path re-opens a denied one, the user's too unless locked.
                let locked = self.lock("sandbox.filesystem.allowManagedReadPathsOnly")
                    && self.device.at_least("2.1.78");
                let allowed = if locked {
                    strings(&self.managed, "sandbox.filesystem.allowRead")
                } else {
                    self.union("sandbox.filesystem.allowRead")
                };
                let reopened =
                    self.device.at_least("2.1.77") && self.covered("allowRead", &allowed, path);
                if denied_read && !reopened && !self.shown_read_only(path) {
                    Answer::Deny
                } else {
                    Answer::Allow
                }
            }
            Op::Write if self.scrubbed() => Answer::Allow,
            Op::Write if denied_write => Answer::Deny,
            // What may not be read is covered by an empty file system in memory, and that one can
            // be written.
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

    /// Before 2.1.197 what `denyWrite` names in the workspace is put back to be read, whatever
    /// `denyRead` has hidden there (live: 2.1.126, 2.1.170, 2.1.172).
    fn shown_read_only(&self, path: &str) -> bool {
        let entries = self.union("sandbox.filesystem.denyWrite");
        let mut paths = entries
            .iter()
            .filter_map(|entry| self.sandbox_path(entry))
            .filter(|entry| !glob::is_glob(entry));
        !self.device.at_least("2.1.197")
            && paths.any(|entry| {
                glob::is_under(&entry, &self.device.workspace) && glob::is_under(path, &entry)
            })
    }

    /// The user's switch counts only while the managed settings say nothing of the file system.
    fn filesystem_disabled(&self) -> bool {
        let managed = at(&self.managed, "sandbox.filesystem").is_some();
        let settings = if managed { &self.managed } else { &self.user };
        self.device.at_least("2.1.216")
            && boolean(settings, "sandbox.filesystem.disabled") == Some(true)
    }

    /// One variable opens writes to the whole file system; a managed value pins it.
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
                    // Linux ignores globs among the writable roots.
                    !(list == "allowWrite" && self.device.os == Os::Linux)
                        && glob::covers(&entry, path)
                }
            })
    }

    /// What an entry of the sandbox's path lists stands for; `None` where it does nothing.
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

    pub(super) fn tool_path(&self, op: Op, path: &str) -> Answer {
        // The sandbox does not bind the file tools; only permission rules do.
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
    /// settings file, so a managed one matches nothing of use; a bare name was not observed.
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

    /// `denyRead` of the root breaks every command.
    pub(super) fn commands_fail(&self) -> bool {
        self.sandboxed()
            && self
                .union("sandbox.filesystem.denyRead")
                .iter()
                .any(|entry| self.sandbox_path(entry).as_deref() == Some("/"))
    }
}

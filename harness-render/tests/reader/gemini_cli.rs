//! Google Gemini CLI: the system settings and the administrator's policy files.
//!
//! Not modelled: fetches of a page of one code host that are rewritten to another host after the
//! check; search tools that reach a protected file from a directory above it; the approvals that
//! widen the tool sandbox during a session.

use core::net::{IpAddr, Ipv6Addr};

use fancy_regex::Regex;
use serde_json::{Value, json};

use super::{
    Answer, Channel, Device, Mode, Op, Os, Reader, at, glob, is_loopback, is_reserved, laxity,
    without_comments,
};

/// The longest regular expression a rule may have.
const MAX_REGEX: usize = 2048;

/// What Gemini CLI makes of a device.
#[derive(Clone, Debug)]
pub struct GeminiCli {
    device: Device,
    settings: Value,
    rules: Vec<Rule>,
    broken: bool,
}

#[derive(Clone, Debug)]
struct Rule {
    tools: Vec<String>,
    pattern: Option<Regex>,
    /// Whether it looks at a part of commands only.
    partial: bool,
    decision: Answer,
    priority: i64,
}

impl GeminiCli {
    /// Reads the system settings and the policy files.
    pub fn read(device: &Device) -> Self {
        let directory = match device.os {
            Os::Linux => "/etc/gemini-cli",
            Os::MacOs => "/Library/Application Support/GeminiCli",
            Os::Windows => "C:/ProgramData/gemini-cli",
        };
        // One variable moves the settings, and not the policies.
        let moved = device.variable("GEMINI_CLI_SYSTEM_SETTINGS_PATH").is_some();
        let file = device
            .managed_file(&format!("{directory}/settings.json"))
            .filter(|_| !moved);
        // Comments are accepted; text that does not parse keeps the program from starting.
        let settings = file.map(|file| {
            let text = String::from_utf8_lossy(&file.bytes);
            serde_json::from_str::<Value>(&without_comments(&text)).ok()
        });
        let broken = settings == Some(None);
        let settings = settings.flatten().unwrap_or(Value::Null);
        let broken = broken || legacy_sandbox_fails(&settings, device.os);

        let policies = format!("{directory}/policies/");
        // A directory that others own or write is skipped; policies exist since 0.13.
        let trusted = device
            .managed_file(&policies)
            .is_none_or(|file| file.root_owned && file.mode & 0o022 == 0);
        let rules = device
            .managed
            .iter()
            .filter(|file| {
                let path = file.path.replace('\\', "/");
                path.starts_with(&policies) && path.ends_with(".toml")
            })
            .filter(|_| trusted && device.at_least("0.13.0"))
            // A file that does not parse, or with a rule that breaks the schema, is dropped whole.
            .filter_map(|file| rules(core::str::from_utf8(&file.bytes).ok()?))
            .flatten()
            .collect();
        Self {
            device: device.clone(),
            settings,
            rules,
            broken,
        }
    }

    /// The tool sandbox, since 0.35 on Linux and macOS and 0.36 on Windows.
    fn sandboxed(&self) -> bool {
        let since = if self.device.os == Os::Windows {
            "0.36.0"
        } else {
            "0.35.0"
        };
        self.device.at_least(since)
            && at(&self.settings, "security.toolSandboxing") == Some(&Value::Bool(true))
    }

    /// What the administrator's rules say of a call: of those with the highest priority that match,
    /// the laxest, since ties were not observed.
    fn decide(&self, tool: &str, arguments: &Value) -> Option<Answer> {
        let text = stable_text(arguments);
        let applies = |rule: &&Rule| {
            rule.tools.iter().any(|name| glob::matches(name, tool))
                && rule.pattern.as_ref().is_none_or(|regex| {
                    regex
                        .is_match(&text)
                        .expect("the expression stays within its limits")
                })
        };
        let highest = self
            .rules
            .iter()
            .filter(applies)
            .map(|rule| rule.priority)
            .max()?;
        self.rules
            .iter()
            .filter(applies)
            .filter(|rule| rule.priority == highest)
            .map(|rule| rule.decision)
            .max_by_key(|answer| laxity(*answer))
    }

    /// The laxest answer over several ways to say the same thing. Where rules exist and none
    /// matches, the call goes through.
    fn laxest(&self, calls: &[(&str, Value)]) -> Answer {
        let controlled = |tool: &str| {
            self.rules
                .iter()
                .any(|rule| rule.tools.iter().any(|name| glob::matches(name, tool)))
        };
        calls
            .iter()
            .map(|(tool, arguments)| {
                let otherwise = if controlled(tool) {
                    Answer::Allow
                } else {
                    Answer::Unrestricted
                };
                self.decide(tool, arguments).unwrap_or(otherwise)
            })
            .max_by_key(|answer| laxity(*answer))
            .unwrap_or(Answer::Unrestricted)
    }

    fn shell(&self) -> Option<Answer> {
        // Only a rule on the whole tool binds: one on a command's text is advice.
        let whole = self.rules.iter().filter(|rule| {
            !rule.partial
                && rule.pattern.is_none()
                && rule.tools.iter().any(|n| n == "run_shell_command")
        });
        let highest = whole.max_by_key(|rule| (rule.priority, laxity(rule.decision)))?;
        (highest.decision == Answer::Deny).then_some(Answer::Deny)
    }

    fn shell_host(&self) -> Answer {
        if let Some(denied) = self.shell() {
            return denied;
        }
        if !self.sandboxed() {
            return Answer::Unrestricted;
        }
        // The sandbox has no network at all; a file of the user's gives it one.
        let own = self.device.user_file("~/.gemini/policies/sandbox.toml");
        let own: Option<toml::Table> = own.and_then(|text| toml::from_str(text).ok());
        let opened = own.is_some_and(|table| {
            let modes = table.get("modes").and_then(toml::Value::as_table);
            modes
                .into_iter()
                .flatten()
                .any(|(_, mode)| mode.get("network").and_then(toml::Value::as_bool) == Some(true))
        });
        if opened { Answer::Allow } else { Answer::Deny }
    }

    fn fetch_host(&self, text: &str) -> Answer {
        let text = match url::Url::parse(text) {
            Ok(url) if !url.cannot_be_a_base() => text.to_owned(),
            _ if text.parse::<Ipv6Addr>().is_ok() => format!("https://[{text}]/"),
            _ => format!("https://{text}/"),
        };
        let calls = Self::calls(&text);
        let fetching: Vec<(&str, Value)> = calls
            .into_iter()
            .filter(|call| !Self::addresses(call).is_empty())
            .map(|call| ("web_fetch", call))
            .collect();
        if fetching.is_empty() {
            return Answer::Deny;
        }
        self.laxest(&fetching)
    }

    /// The calls of the fetch tool with a text: it takes one address, or a prompt.
    pub fn calls(text: &str) -> Vec<Value> {
        vec![
            json!({ "url": text }),
            json!({ "prompt": text }),
            json!({ "prompt": format!("read {text} and tell me") }),
        ]
    }

    /// What the fetch tool itself would fetch from in one call: of an address, that; of a prompt,
    /// every word with `://` anywhere in it, and nothing if one of them is no address of the web.
    /// Targets that are not public it refuses.
    pub fn addresses(call: &Value) -> Vec<url::Url> {
        let words = |prompt: &str| -> Vec<url::Url> {
            let words =
                prompt.split(|c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}');
            let words: Option<Vec<url::Url>> = words
                .filter(|word| word.contains("://"))
                .map(|word| url::Url::parse(word).ok().filter(is_of_the_web))
                .collect();
            words.unwrap_or_default()
        };
        let mut addresses: Vec<url::Url> = match (call.get("url"), call.get("prompt")) {
            (Some(Value::String(text)), _) => url::Url::parse(text)
                .ok()
                .filter(is_of_the_web)
                .into_iter()
                .collect(),
            (_, Some(Value::String(text))) => words(text),
            _ => Vec::new(),
        };
        addresses.retain(is_public);
        addresses
    }

    /// What the rules make of one call of the fetch tool.
    pub fn fetch(&self, call: &Value) -> Answer {
        self.laxest(&[("web_fetch", call.clone())])
    }

    fn shell_path(&self, op: Op, path: &str) -> Answer {
        if let Some(denied) = self.shell() {
            return denied;
        }
        if !self.sandboxed() {
            return Answer::Unrestricted;
        }
        // `.env` and `.env.*` of the workspace are masked three levels deep; every other file can
        // be read, and only the workspace written. On Linux a command writes to a `/tmp` of its own,
        // which ends with it: what is at that path is not there, and stays as it was.
        let below = path.strip_prefix(&format!("{}/", self.device.workspace));
        let name = path.rsplit('/').next().unwrap_or_default();
        let masked = (name == ".env" || name.starts_with(".env."))
            && below.is_some_and(|below| below.split('/').count() <= 3);
        let temporary = below.is_none() && glob::is_under(path, "/tmp");
        let (own, shared) = match self.device.os {
            Os::Linux => (temporary, false),
            _ => (false, temporary),
        };
        let written = below.is_some() || shared;
        match op {
            _ if masked || own => Answer::Deny,
            Op::Read => Answer::Allow,
            Op::Write if written => Answer::Allow,
            Op::Write => Answer::Deny,
        }
    }

    fn tool_path(&self, op: Op, path: &str) -> Answer {
        // A path may be spelt from the root or from the workspace.
        let mut calls = Vec::new();
        for path in [
            path.to_owned(),
            glob::relative(&self.device.workspace, path),
        ] {
            match op {
                Op::Read => calls.extend([
                    ("read_file", json!({ "file_path": path })),
                    ("read_many_files", json!({ "include": [path] })),
                    ("grep_search", json!({ "path": path, "pattern": "x" })),
                ]),
                Op::Write => calls.extend([
                    ("write_file", json!({ "content": "x", "file_path": path })),
                    (
                        "replace",
                        json!({ "file_path": path, "new_string": "y", "old_string": "x" }),
                    ),
                ]),
            }
        }
        self.laxest(&calls)
    }
}

impl Reader for GeminiCli {
    fn host(&self, channel: Channel, text: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            Channel::Shell => self.shell_host(),
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
        let yolo_locked =
            at(&self.settings, "security.disableYoloMode") == Some(&Value::Bool(true));
        Mode {
            sandboxed: self.sandboxed(),
            // A session may ask for more; one started with `--yolo` has it.
            outside: match (self.sandboxed(), yolo_locked) {
                (false, _) => Answer::Unrestricted,
                (true, true) => Answer::Ask,
                (true, false) => Answer::Allow,
            },
            outside_stays_bound: false,
            fails_closed: false, // not observed
        }
    }
}

/// The older sandbox of the whole process: an unknown command ends the program, Seatbelt is macOS's
/// own, and elsewhere a container has to be there.
fn legacy_sandbox_fails(settings: &Value, os: Os) -> bool {
    match at(settings, "tools.sandbox") {
        Some(Value::Bool(true)) => os != Os::MacOs,
        Some(Value::String(command)) => match command.as_str() {
            "sandbox-exec" => os != Os::MacOs,
            "docker" | "podman" | "runsc" | "lxc" | "windows-native" => false,
            _ => true,
        },
        _ => false,
    }
}

fn is_of_the_web(url: &url::Url) -> bool {
    ["http", "https"].contains(&url.scheme())
}

fn is_public(url: &url::Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let host = host.strip_suffix('.').unwrap_or(host);
    !is_loopback(host) && !host.parse::<IpAddr>().is_ok_and(is_reserved)
}

/// The arguments as a rule sees them: keys in alphabetical order, no spaces, and a NUL around each
/// pair, which a string has only as an escape.
fn stable_text(arguments: &Value) -> String {
    let pairs = arguments.as_object().into_iter().flatten();
    let pairs: Vec<String> = pairs
        .map(|(key, value)| format!("\0{}:{value}\0", Value::String(key.clone())))
        .collect();
    format!("{{{}}}", pairs.join(","))
}

/// The rules of one policy file, or nothing where it breaks the schema.
fn rules(text: &str) -> Option<Vec<Rule>> {
    let table: toml::Table = toml::from_str(text).ok()?;
    let mut rules = Vec::new();
    for rule in table.get("rule")?.as_array()? {
        let tools = match rule.get("toolName")? {
            toml::Value::String(name) => vec![name.clone()],
            toml::Value::Array(names) => names
                .iter()
                .map(|name| name.as_str().map(str::to_owned))
                .collect::<Option<_>>()?,
            _ => return None,
        };
        let decision = match rule.get("decision")?.as_str()? {
            "allow" => Answer::Allow,
            "deny" => Answer::Deny,
            "ask_user" => Answer::Ask,
            _ => return None,
        };
        let priority = rule.get("priority")?.as_integer()?;
        if !(0..=999).contains(&priority) {
            return None;
        }
        let partial = rule
            .get("commandPrefix")
            .or_else(|| rule.get("commandRegex"))
            .is_some();
        // These two are for the shell's tool, named alone.
        if partial && rule.get("toolName")?.as_str() != Some("run_shell_command") {
            return None;
        }
        let pattern = match rule.get("argsPattern") {
            None => None,
            // An expression over the limits loses its rule, and not the file.
            Some(pattern) => match regex(pattern.as_str()?) {
                Some(regex) => Some(regex),
                None => continue,
            },
        };
        // A rule for some modes does not bind the others, so a denial of that kind is not counted.
        if rule.get("modes").is_some() && decision != Answer::Allow {
            continue;
        }
        rules.push(Rule {
            tools,
            pattern,
            partial,
            decision,
            priority,
        });
    }
    Some(rules)
}

/// A JavaScript expression as this library spells it; nothing where the program refuses it.
fn regex(pattern: &str) -> Option<Regex> {
    let costly = Regex::new(r"\([^)]*[*+?{].*\)[*+?{]").expect("the vendor's own heuristic");
    if pattern.len() > MAX_REGEX || costly.is_match(pattern).unwrap_or(true) {
        return None;
    }
    // A class inside a class, and operations on classes, mean another thing in JavaScript.
    let foreign = ["&&", "--", "~~", "[["]
        .iter()
        .any(|token| pattern.contains(token));
    assert!(!foreign, "`{pattern}` reads differently in JavaScript");
    // JavaScript's digits are ASCII.
    Regex::new(&pattern.replace(r"\d", "[0-9]")).ok()
}

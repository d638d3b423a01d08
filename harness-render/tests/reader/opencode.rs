//! OpenCode: one merged configuration whose rules stand in an order, the last match deciding.
//!
//! Not modelled: remote configuration and device management, agents written as Markdown files (they
//! are as good as an agent of the user's configuration), plugins and custom tools.

use core::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{Answer, Channel, Device, Mode, Op, Os, Reader, glob, laxity, without_comments};

/// Permissions that take an action and no patterns.
const ACTION_ONLY: [&str; 5] = [
    "webfetch",
    "websearch",
    "todowrite",
    "question",
    "doom_loop",
];

/// The agents there always are.
const AGENTS: [&str; 4] = ["build", "plan", "general", "explore"];

/// What OpenCode makes of a device.
#[derive(Clone, Debug)]
pub struct OpenCode {
    device: Device,
    /// The rules of every agent: the top level's, then its own.
    agents: Vec<Vec<Rule>>,
    broken: bool,
}

#[derive(Clone, Debug)]
struct Rule {
    permission: String,
    pattern: String,
    action: Answer,
}

impl OpenCode {
    /// Merges the layers from the user's to the managed ones, and the variable after them.
    pub fn read(device: &Device) -> Self {
        let directory = match device.os {
            Os::Linux => "/etc/opencode",
            Os::MacOs => "/Library/Application Support/opencode",
            Os::Windows => "C:/ProgramData/opencode",
        };
        // A variable of the test suite works in the release: it moves the managed files away.
        let moved = device
            .variable("OPENCODE_TEST_MANAGED_CONFIG_DIR")
            .is_some();
        let managed = ["opencode.json", "opencode.jsonc"].map(|name| {
            let file = device
                .managed_file(&format!("{directory}/{name}"))
                .filter(|_| !moved)?;
            Some(String::from_utf8_lossy(&file.bytes).into_owned())
        });
        let project = format!("{}/opencode.json", device.workspace);
        let user = ["~/.config/opencode/opencode.json", &project]
            .map(|path| device.user_file(path).map(str::to_owned));
        let variable = device
            .variable("OPENCODE_PERMISSION")
            .map(|permission| format!("{{\"permission\":{permission}}}"));
        let layers = user.into_iter().chain(managed).chain([variable]).flatten();

        let mut merged = Json::Object(Vec::new());
        let mut broken = false;
        for text in layers {
            match serde_json::from_str(&without_comments(&text)) {
                Ok(layer @ Json::Object(_)) => merged.merge(layer),
                _ => broken = true, // no start
            }
        }
        let permission = merged.get("permission");
        let agents = merged.get("agent");
        let own: Vec<&str> = match agents {
            Some(Json::Object(own)) => own.iter().map(|(name, _)| name.as_str()).collect(),
            _ => Vec::new(),
        };
        let agents: Option<Vec<Vec<Rule>>> = AGENTS
            .iter()
            .chain(&own)
            .map(|name| {
                let mut list = rules(permission, device)?;
                let agent = agents.and_then(|agents| agents.get(name));
                list.extend(rules(
                    agent.and_then(|agent| agent.get("permission")),
                    device,
                )?);
                Some(list)
            })
            .collect();
        let broken = broken || agents.is_none();
        Self {
            device: device.clone(),
            agents: agents.unwrap_or_default(),
            broken,
        }
    }

    /// The action on one permission for one text, for the agent it is laxest with: the last rule
    /// that matches. Where none does, the program's own rules decide.
    fn action(&self, permission: &str, text: &str) -> Answer {
        let last = |rules: &Vec<Rule>| {
            let mut rules = rules.iter().rev();
            let rule = rules.find(|r| wild(&r.permission, permission) && wild(&r.pattern, text));
            rule.map_or(Answer::Unrestricted, |rule| rule.action)
        };
        self.agents
            .iter()
            .map(last)
            .max_by_key(|action| laxity(*action))
            .unwrap_or(Answer::Unrestricted)
    }

    /// A command is confined by nothing; only the whole tool can be taken away.
    fn shell(&self) -> Answer {
        match self.action("bash", "command") {
            Answer::Deny => Answer::Deny,
            _ => Answer::Unrestricted,
        }
    }

    fn fetch_host(&self, text: &str) -> Answer {
        // The text of the URL is compared, as it stands.
        let urls = if text.contains("://") {
            vec![text.to_owned()]
        } else {
            vec![format!("https://{text}"), format!("https://{text}/")]
        };
        let http = |url: &&String| url.starts_with("http://") || url.starts_with("https://");
        urls.iter()
            .filter(http)
            .map(|url| self.action("webfetch", url))
            .max_by_key(|action| laxity(*action))
            .unwrap_or(Answer::Deny)
    }

    fn tool_path(&self, op: Op, path: &str) -> Answer {
        let permission = match op {
            Op::Read => "read",
            Op::Write => "edit",
        };
        // Patterns see the path from the work tree; what lies outside it is asked about twice.
        let inside = self.action(permission, &glob::relative(&self.device.workspace, path));
        if glob::is_under(path, &self.device.workspace) {
            return inside;
        }
        let outside = self.action("external_directory", path);
        if laxity(inside) < laxity(outside) {
            inside
        } else {
            outside
        }
    }
}

impl Reader for OpenCode {
    fn host(&self, channel: Channel, text: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            Channel::Shell => self.shell(),
            Channel::Tool => self.fetch_host(text),
        }
    }

    fn path(&self, channel: Channel, op: Op, path: &str) -> Answer {
        match channel {
            _ if self.broken => Answer::Broken,
            Channel::Shell => self.shell(),
            Channel::Tool => self.tool_path(op, path),
        }
    }

    fn mode(&self) -> Mode {
        Mode {
            sandboxed: false,
            outside: Answer::Unrestricted,
            outside_stays_bound: false,
            fails_closed: false,
        }
    }
}

/// The rules of a `permission` value in the order written; nothing where the program refuses it.
fn rules(permission: Option<&Json>, device: &Device) -> Option<Vec<Rule>> {
    let rule = |permission: &str, pattern: &str, value: &Json| {
        Some(Rule {
            permission: permission.to_owned(),
            pattern: expand(pattern, device),
            action: match value {
                Json::String(action) => match action.as_str() {
                    "allow" => Answer::Allow,
                    "ask" => Answer::Ask,
                    "deny" => Answer::Deny,
                    _ => return None,
                },
                _ => return None,
            },
        })
    };
    match permission {
        None => Some(Vec::new()),
        Some(Json::Object(entries)) => {
            let mut list = Vec::new();
            for (name, value) in entries {
                match value {
                    Json::Object(_) if ACTION_ONLY.contains(&name.as_str()) => return None,
                    Json::Object(patterns) => {
                        for (pattern, value) in patterns {
                            list.push(rule(name, pattern, value)?);
                        }
                    }
                    value => list.push(rule(name, "*", value)?),
                }
            }
            Some(list)
        }
        Some(value) => Some(vec![rule("*", "*", value)?]),
    }
}

/// `~/` and `$HOME/` are the home of whoever runs the program.
fn expand(pattern: &str, device: &Device) -> String {
    match pattern
        .strip_prefix("~/")
        .or_else(|| pattern.strip_prefix("$HOME/"))
    {
        Some(below) => format!("{}/{below}", device.home),
        None => pattern.to_owned(),
    }
}

/// The whole text: `*` is any run, slashes included, `?` any one character, and nothing escapes
/// them. A backslash is compared as a slash.
fn wild(pattern: &str, text: &str) -> bool {
    fn from(pattern: &[char], text: &[char]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, _) => text.is_empty(),
            (Some(('*', rest)), None) => from(rest, text),
            (Some(('*', rest)), Some((_, later))) => from(rest, text) || from(pattern, later),
            (Some(_), None) => false,
            (Some((p, rest)), Some((c, later))) => (*p == '?' || p == c) && from(rest, later),
        }
    }
    let letters = |text: &str| text.replace('\\', "/").chars().collect::<Vec<char>>();
    from(&letters(pattern), &letters(text))
}

/// JSON whose objects keep the order they were written in, which decides here.
#[derive(Clone, Debug)]
enum Json {
    Object(Vec<(String, Json)>),
    String(String),
    /// A list, a number, a boolean or null: none of them is looked into.
    Other,
}

impl Json {
    fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// A later layer over this one: a key keeps the place the earliest layer gave it.
    fn merge(&mut self, later: Json) {
        match (self, later) {
            (Json::Object(entries), Json::Object(later)) => {
                for (key, value) in later {
                    match entries.iter_mut().find(|(name, _)| *name == key) {
                        Some((_, earlier)) => earlier.merge(value),
                        None => entries.push((key, value)),
                    }
                }
            }
            (earlier, later) => *earlier = later,
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut entries: Vec<(String, Json)> = Vec::new();
        while let Some((key, value)) = map.next_entry()? {
            // A key that comes twice has the later value in the earlier place, as in JavaScript.
            match entries.iter_mut().find(|(name, _)| *name == key) {
                Some((_, earlier)) => *earlier = value,
                None => entries.push((key, value)),
            }
        }
        Ok(Json::Object(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        while items.next_element::<Json>()?.is_some() {}
        Ok(Json::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Other)
    }
}

//! OpenCode: what in a user's or repository's configuration and in the environment re-allows what the
//! managed file denies.
//!
//! The rule that matches last counts, and merging keeps a key where the earliest file has it: that is
//! why the order of keys is judged.

use policy_core::Harness;

use crate::posture::check::{AppliesWhen, Check, Fault, Severity, Weakens, check, checks};
use crate::posture::input::{Input, Managed};
use crate::posture::keys::{Known, placed};
use crate::posture::outside::{any_started, names_command};
use crate::posture::place::{
    Kind, Moved, OnEach, Path, Role, Syntax, Watched, each, everywhere, watched,
};
use crate::posture::summary::{EgressState, SandboxState, Summary};
use crate::posture::value::{NOTHING, Value};

const CONFIG: &[Moved] = &[
    Moved {
        variable: "XDG_CONFIG_HOME",
        instead_of: "~/.config",
    },
    Moved {
        variable: "OPENCODE_CONFIG_DIR",
        instead_of: "~/.config/opencode",
    },
];

const CONFIG_FILE: &[Moved] = &[
    Moved {
        variable: "XDG_CONFIG_HOME",
        instead_of: "~/.config",
    },
    Moved {
        variable: "OPENCODE_CONFIG_DIR",
        instead_of: "~/.config/opencode",
    },
    Moved {
        variable: "OPENCODE_CONFIG",
        instead_of: "~/.config/opencode/opencode.json",
    },
];

const TUI_FILE: &[Moved] = &[
    Moved {
        variable: "XDG_CONFIG_HOME",
        instead_of: "~/.config",
    },
    Moved {
        variable: "OPENCODE_CONFIG_DIR",
        instead_of: "~/.config/opencode",
    },
    Moved {
        variable: "OPENCODE_TUI_CONFIG",
        instead_of: "~/.config/opencode/tui.json",
    },
];

const JSON: Syntax = Syntax::LenientJsonWithTrailingCommas;

/// The file that is rendered.
pub(super) const MANAGED: OnEach = OnEach {
    linux: "/etc/opencode/opencode.json",
    macos: "/Library/Application Support/opencode/opencode.json",
    windows: r"C:\ProgramData\opencode\opencode.json",
};

watched! {
    Harness::OpenCode;
    Managed Managed, JSON, Path::Each(MANAGED), &[];
    Managed Managed, JSON, each("/etc/opencode/opencode.jsonc", "/Library/Application Support/opencode/opencode.jsonc", r"C:\ProgramData\opencode\opencode.jsonc"), &[];
    Managed ManagedElsewhere, Syntax::Presence, Path::MacOs("/Library/Managed Preferences/ai.opencode.managed.plist"), &[];
    User Settings, JSON, everywhere("~/.config/opencode/config.json"), CONFIG;
    User Settings, JSON, everywhere("~/.config/opencode/opencode.json"), CONFIG_FILE;
    User Settings, JSON, everywhere("~/.config/opencode/opencode.jsonc"), CONFIG;
    // What its screen is made of, with plugins of its own.
    User Settings, JSON, everywhere("~/.config/opencode/tui.json"), TUI_FILE;
    User Settings, JSON, everywhere("~/.config/opencode/tui.jsonc"), CONFIG;
    User Settings, JSON, everywhere("~/.opencode/tui.json"), &[];
    User Settings, JSON, everywhere("~/.opencode/tui.jsonc"), &[];
    User Agents, Syntax::FrontMatter, everywhere("~/.config/opencode/agent/**/*.md"), CONFIG;
    User Agents, Syntax::FrontMatter, everywhere("~/.config/opencode/agents/**/*.md"), CONFIG;
    User Agents, Syntax::FrontMatter, everywhere("~/.config/opencode/mode/*.md"), CONFIG;
    User Agents, Syntax::FrontMatter, everywhere("~/.config/opencode/modes/*.md"), CONFIG;
    User Plugins, Syntax::Presence, everywhere("~/.config/opencode/plugin/*.ts"), CONFIG;
    User Plugins, Syntax::Presence, everywhere("~/.config/opencode/plugin/*.js"), CONFIG;
    User Plugins, Syntax::Presence, everywhere("~/.config/opencode/plugins/*.ts"), CONFIG;
    User Plugins, Syntax::Presence, everywhere("~/.config/opencode/plugins/*.js"), CONFIG;
    User Settings, JSON, everywhere("~/.opencode/opencode.json"), &[];
    User Settings, JSON, everywhere("~/.opencode/opencode.jsonc"), &[];
    User Agents, Syntax::FrontMatter, everywhere("~/.opencode/agent/**/*.md"), &[];
    User Agents, Syntax::FrontMatter, everywhere("~/.opencode/agents/**/*.md"), &[];
    User Agents, Syntax::FrontMatter, everywhere("~/.opencode/mode/*.md"), &[];
    User Agents, Syntax::FrontMatter, everywhere("~/.opencode/modes/*.md"), &[];
    Project ProjectSettings, JSON, everywhere("opencode.json"), &[];
    Project ProjectSettings, JSON, everywhere("opencode.jsonc"), &[];
    Project ProjectSettings, JSON, everywhere(".opencode/opencode.json"), &[];
    Project ProjectSettings, JSON, everywhere(".opencode/opencode.jsonc"), &[];
    Project ProjectSettings, JSON, everywhere("tui.json"), &[];
    Project ProjectSettings, JSON, everywhere("tui.jsonc"), &[];
    Project ProjectSettings, JSON, everywhere(".opencode/tui.json"), &[];
    Project ProjectSettings, JSON, everywhere(".opencode/tui.jsonc"), &[];
    Project Agents, Syntax::FrontMatter, everywhere(".opencode/agent/**/*.md"), &[];
    Project Agents, Syntax::FrontMatter, everywhere(".opencode/agents/**/*.md"), &[];
    Project Agents, Syntax::FrontMatter, everywhere(".opencode/mode/*.md"), &[];
    Project Agents, Syntax::FrontMatter, everywhere(".opencode/modes/*.md"), &[];
    User Plugins, Syntax::Presence, everywhere("~/.config/opencode/tool/*.ts"), CONFIG;
    User Plugins, Syntax::Presence, everywhere("~/.config/opencode/tool/*.js"), CONFIG;
    User Plugins, Syntax::Presence, everywhere("~/.config/opencode/tools/*.ts"), CONFIG;
    User Plugins, Syntax::Presence, everywhere("~/.config/opencode/tools/*.js"), CONFIG;
    User Plugins, Syntax::Presence, everywhere("~/.opencode/plugin/*.ts"), &[];
    User Plugins, Syntax::Presence, everywhere("~/.opencode/plugin/*.js"), &[];
    User Plugins, Syntax::Presence, everywhere("~/.opencode/plugins/*.ts"), &[];
    User Plugins, Syntax::Presence, everywhere("~/.opencode/plugins/*.js"), &[];
    User Plugins, Syntax::Presence, everywhere("~/.opencode/tool/*.ts"), &[];
    User Plugins, Syntax::Presence, everywhere("~/.opencode/tool/*.js"), &[];
    User Plugins, Syntax::Presence, everywhere("~/.opencode/tools/*.ts"), &[];
    User Plugins, Syntax::Presence, everywhere("~/.opencode/tools/*.js"), &[];
    Project Plugins, Syntax::Presence, everywhere(".opencode/plugin/*.ts"), &[];
    Project Plugins, Syntax::Presence, everywhere(".opencode/plugin/*.js"), &[];
    Project Plugins, Syntax::Presence, everywhere(".opencode/plugins/*.ts"), &[];
    Project Plugins, Syntax::Presence, everywhere(".opencode/plugins/*.js"), &[];
    Project Plugins, Syntax::Presence, everywhere(".opencode/tool/*.ts"), &[];
    Project Plugins, Syntax::Presence, everywhere(".opencode/tool/*.js"), &[];
    Project Plugins, Syntax::Presence, everywhere(".opencode/tools/*.ts"), &[];
    Project Plugins, Syntax::Presence, everywhere(".opencode/tools/*.js"), &[];
}

const RAN: &str = "observed: OpenCode 1.18.33 on Linux";
const ANY: &[Kind] = &[Kind::Settings, Kind::ProjectSettings];

/// The agents that the program brings along. Rules repeated under each of them were seen to hold
/// against the environment and against another order of keys.
const BUILT_IN: [&str; 4] = ["build", "plan", "general", "explore"];

checks! {
    "opencode-agent-permission": Failure [FetchHosts, ProtectedPaths],
        Fault::In(ANY, |input| {
            ["agent", "agents", "mode"]
                .iter()
                .flat_map(|key| input.at(&[key]).entries())
                .any(|(name, agent)| {
                    if agent.get("disable").is_true() {
                        return false;
                    }
                    let managed = input.managed(&["agent", name, "permission"]);
                    if !input.against().is_known() {
                        return permissions_of(agent).any_scalar(&grants);
                    }
                    loosens(before(input), layered(&permissions_of(agent), managed))
                })
        }),
        "{} gives an agent permissions that the managed file does not hold",
        "remove permission and tools from the agents in {}",
        RAN;
    "opencode-agent-file": Failure [FetchHosts, ProtectedPaths],
        Fault::In(&[Kind::Agents], |input| {
            let own = input.document();
            if !input.against().is_known() {
                return own.any_scalar(&|value| grants(value) || value.is_yes());
            }
            // Which agent it is, only its name says: the rules for any of them may bind it.
            let managed = input.against().settings();
            let agents = managed.get("agent").values();
            let mut bound = before(input);
            bound.extend(agents.flat_map(|agent| flat(agent.get("permission"), Some(0))));
            loosens(bound, layered(&permissions_of(own), &NOTHING))
        }),
        "an agent in {} has permissions that the managed file does not hold",
        "remove permission and tools from the front matter of the agents in {}",
        RAN;
    "opencode-key-order": Failure [FetchHosts, ProtectedPaths],
        Fault::In(ANY, |input| {
            let own = input.at(&["permission"]);
            if input.against().is_known() {
                let managed = input.managed(&["permission"]);
                !repeats_rules(input.against()) && loosens(Vec::new(), layered(own, managed))
            } else {
                own.any_scalar(&grants)
            }
        }),
        "{} names a managed permission before a wildcard, which then counts instead",
        "remove permission from {}",
        RAN;
    "opencode-substituted-key": Failure [FetchHosts, ProtectedPaths],
        Fault::In(ANY, |input| has_substituted_key(input.document())),
        "{} takes the name of a key from a file or the environment, so that what it sets cannot be known",
        "write the key out in {}",
        RAN;
    "opencode-servers": Notice [Everything],
        Fault::In(ANY, |input| any_started(input.at(&["mcp"]))),
        "{} starts tool servers (mcp), which no permission binds",
        "remove mcp from {}, or keep it knowingly",
        RAN;
    "opencode-plugins": Notice [Everything],
        Fault::In(&[Kind::Settings, Kind::ProjectSettings, Kind::Plugins], |input| input.document().is_true() || input.at(&["plugin"]).has_entries()),
        "{} brings plugins or tools, which no permission binds",
        "remove them, or keep them knowingly",
        RAN;
    "opencode-programs": Notice [Everything],
        Fault::In(ANY, |input| {
            let named = ["formatter", "lsp"].into_iter().any(|key| {
                let mut programs = input.at(&[key]).values();
                programs.any(|program| {
                    names_command(program.get("command")) && !program.get("disabled").is_true()
                })
            });
            // A command's text is filled in by what the shell prints.
            let mut commands = input.at(&["command"]).values();
            let runs = commands.any(|command| {
                let template = command.get("template").text();
                template.is_some_and(|text| text.contains("!`") || is_substituted(text))
            });
            named
                || runs
                || names_command(input.at(&["shell"]))
                || input.at(&["provider"]).values().any(leads_elsewhere)
        }),
        "{} names programs, packages or a model's address that no permission binds (formatter, lsp, shell, command or provider)",
        "remove them from {}, or keep them knowingly",
        "https://opencode.ai/docs/config, 2026-11; for provider seen in the program's binary, OpenCode 1.18.33, 2026-12";
    "opencode-managed-key-unknown": Notice [] always,
        Fault::Managed(|managed| KNOWN.is_exceeded_by(managed.settings())),
        "{} has a key at a place where OpenCode does not read it, so that it does nothing",
        "move the key to where the vendor's page has it, or remove it",
        RAN;
    "opencode-permission-variable": Warning [FetchHosts, ProtectedPaths] always,
        Fault::Variable("OPENCODE_PERMISSION", |value, _| !value.is_empty()),
        "OPENCODE_PERMISSION is set, which overrides the managed permissions",
        "unset OPENCODE_PERMISSION",
        "policy document, \"Verify on the device\"; observed: OpenCode 1.18.33 on Linux";
    "opencode-managed-directory-variable": Failure [Everything],
        Fault::Variable("OPENCODE_TEST_MANAGED_CONFIG_DIR", |value, _| {
            !value.is_empty()
        }),
        "OPENCODE_TEST_MANAGED_CONFIG_DIR is set, so that the managed file is not read",
        "unset OPENCODE_TEST_MANAGED_CONFIG_DIR",
        RAN;
    "opencode-content-variable": Warning [FetchHosts, ProtectedPaths],
        Fault::Variable("OPENCODE_CONFIG_CONTENT", |value, _| !value.is_empty()),
        "OPENCODE_CONFIG_CONTENT is set, which can give agents permissions",
        "unset OPENCODE_CONFIG_CONTENT",
        RAN;
    "opencode-managed-agents-open": Failure [FetchHosts, ProtectedPaths],
        Fault::Managed(|managed| {
            managed.settings().get("permission").is_set() && !repeats_rules(managed)
        }),
        "{} does not repeat its permissions for the built-in agents, so that the environment and the order of a user's keys override them",
        "repeat permission under agent.build, agent.plan, agent.general and agent.explore in {}",
        RAN;
    "opencode-managed-elsewhere": Notice [Everything] always,
        Fault::In(&[Kind::ManagedElsewhere], |_| true),
        "{} holds managed settings that count after the managed file",
        "keep one of the two",
        "https://opencode.ai/docs/config, 2026-11";
}

/// The packages that the program brings along; of any other name it installs one, and runs it.
const BUNDLED: [&str; 24] = [
    "@ai-sdk/alibaba",
    "@ai-sdk/amazon-bedrock",
    "@ai-sdk/amazon-bedrock/mantle",
    "@ai-sdk/anthropic",
    "@ai-sdk/azure",
    "@ai-sdk/cerebras",
    "@ai-sdk/cohere",
    "@ai-sdk/deepinfra",
    "@ai-sdk/gateway",
    "@ai-sdk/github-copilot",
    "@ai-sdk/google",
    "@ai-sdk/google-vertex",
    "@ai-sdk/google-vertex/anthropic",
    "@ai-sdk/groq",
    "@ai-sdk/mistral",
    "@ai-sdk/openai",
    "@ai-sdk/openai-compatible",
    "@ai-sdk/perplexity",
    "@ai-sdk/togetherai",
    "@ai-sdk/vercel",
    "@ai-sdk/xai",
    "@openrouter/ai-sdk-provider",
    "gitlab-ai-provider",
    "venice-ai-sdk-provider",
];

/// Whether a provider of models runs a package of its own, or sends what is said to an address of its own.
fn leads_elsewhere(provider: &Value) -> bool {
    let brings = |place: &Value| {
        let npm = place.get("npm");
        let bundled = npm.text().is_some_and(|name| BUNDLED.contains(&name));
        (npm.is_set() && !bundled) || place.get("api").is_set()
    };
    let options = provider.get("options");
    brings(provider)
        || ["baseURL", "endpoint"]
            .iter()
            .any(|key| options.get(key).is_set())
        || provider
            .get("models")
            .values()
            .any(|model| brings(model.get("provider")))
}

fn repeats_rules(managed: &Managed) -> bool {
    BUILT_IN.iter().all(|agent| {
        managed
            .settings()
            .at(&["agent", agent, "permission"])
            .is_set()
    })
}

/// Keys that stand in one place; in another they are ignored.
static KNOWN: Known = Known {
    sections: &[],
    placed: &[
        placed("webfetch", RULES),
        placed("external_directory", RULES),
        placed("doom_loop", RULES),
        placed("permissions", &[]),
        placed("agents", &[]),
    ],
};

/// Where rules stand. A tool's name is a switch in `tools` as well.
const RULES: &[&[&str]] = &[
    &["permission"],
    &["agent", "*", "permission"],
    &["mode", "*", "permission"],
    &["tools"],
    &["agent", "*", "tools"],
    &["mode", "*", "tools"],
];

/// One rule in its place in the list of which the last match counts.
#[derive(Clone, Copy)]
struct Rule<'v> {
    permission: &'v str,
    pattern: &'v str,
    rank: u8,
    /// The place among the managed rules; none for a user's or repository's.
    managed: Option<usize>,
}

/// What a policy may close, for a repository that is judged where nothing is managed: the fetch tool,
/// paths outside the workspace, and some of its files.
const CLOSED: [&str; 4] = ["webfetch", "external_directory", "read", "edit"];

/// How much an action permits.
fn rank(action: &Value) -> Option<u8> {
    ["deny", "ask", "allow"]
        .into_iter()
        .zip(0_u8..)
        .find_map(|(word, rank)| action.is(word).then_some(rank))
        .or_else(|| action.text().filter(|text| is_substituted(text)).map(|_| 2))
}

/// Whether the program puts something in the place of a text, which may then be anything.
fn is_substituted(text: &str) -> bool {
    ["{env:", "{file:"].iter().any(|open| text.contains(open))
}

fn has_substituted_key(value: &Value) -> bool {
    value
        .entries()
        .iter()
        .any(|(key, value)| is_substituted(key) || has_substituted_key(value))
        || value.items().iter().any(has_substituted_key)
}

/// The rules that stand before those of any agent.
fn before<'s>(input: &'s Input<'_>) -> Vec<Rule<'s>> {
    if input.lacks_settings() {
        let closed = CLOSED.into_iter().map(|permission| Rule {
            permission,
            pattern: "*",
            rank: 1,
            managed: Some(0),
        });
        return closed.collect();
    }
    flat(input.managed(&["permission"]), Some(0))
}

/// The permissions of an agent, its older `tools` and its later `permissions` among them.
fn permissions_of(agent: &Value) -> Value {
    let mut entries: Vec<(String, Value)> = Vec::new();
    for (tool, on) in agent.get("tools").entries() {
        let name = match tool.as_str() {
            "write" | "patch" | "multiedit" | "apply_patch" => "edit",
            name => name,
        };
        let action = if on.is_yes() || on.text().is_some_and(is_substituted) {
            "allow"
        } else {
            "deny"
        };
        entries.push((name.to_owned(), Value::Text(action.to_owned())));
    }
    for rule in agent.get("permissions").items() {
        let name = rule.get("action").text().unwrap_or("*");
        let pattern = rule.get("resource").text().unwrap_or("*");
        let action = (pattern.to_owned(), rule.get("effect").clone());
        entries.push((name.to_owned(), Value::Table(vec![action].into())));
    }
    match agent.get("permission") {
        Value::Table(_) => {
            for (name, value) in agent.get("permission").entries() {
                match entries.iter_mut().find(|(known, _)| known == name) {
                    Some((_, earlier)) => *earlier = value.clone(),
                    None => entries.push((name.clone(), value.clone())),
                }
            }
        }
        action @ Value::Text(_) => entries.push(("*".to_owned(), action.clone())),
        _ => {}
    }
    Value::Table(entries.into())
}

/// The rules of one section, in order.
fn flat(section: &Value, managed: Option<usize>) -> Vec<Rule<'_>> {
    let mut rules = Vec::new();
    push(&mut rules, "*", section, managed);
    for (permission, value) in section.entries() {
        push(&mut rules, permission, value, managed);
        for (pattern, action) in value.entries() {
            rules.extend(rank(action).map(|rank| Rule {
                permission,
                pattern,
                rank,
                managed,
            }));
        }
    }
    for (place, rule) in rules.iter_mut().enumerate() {
        rule.managed = managed.map(|_| place);
    }
    rules
}

fn push<'v>(
    rules: &mut Vec<Rule<'v>>,
    permission: &'v str,
    action: &Value,
    managed: Option<usize>,
) {
    rules.extend(rank(action).map(|rank| Rule {
        permission,
        pattern: "*",
        rank,
        managed,
    }));
}

/// The rules of a user's section once the managed one is laid over it: a key stays where the user has
/// it, with what the managed section says.
fn layered<'v>(own: &'v Value, managed: &'v Value) -> Vec<Rule<'v>> {
    let closed = flat(managed, Some(0));
    match (own, managed) {
        (Value::Table(_), Value::Table(_)) => {}
        (own, Value::Null) => return flat(own, None),
        _ => return closed,
    }
    let is_set = |rule: &Rule<'_>| {
        let value = managed.get(rule.permission);
        match value {
            Value::Null => false,
            Value::Table(_) => {
                let own_is_table = matches!(own.get(rule.permission), Value::Table(_));
                !own_is_table || value.get(rule.pattern).is_set()
            }
            _ => true,
        }
    };
    let mut rules = Vec::new();
    let mut taken = vec![false; closed.len()];
    for rule in flat(own, None) {
        if !is_set(&rule) {
            rules.push(rule);
        }
        // What is managed under the same key follows: in the same place, or at the end of its table.
        let table = own.get(rule.permission);
        let last = table
            .entries()
            .last()
            .is_none_or(|(pattern, _)| pattern == rule.pattern);
        for (held, taken) in closed.iter().zip(&mut taken) {
            let same = held.permission == rule.permission;
            let here = held.pattern == rule.pattern
                || (last && !table.get(held.pattern).is_set())
                || !matches!(table, Value::Table(_));
            if same && here && !*taken {
                *taken = true;
                rules.push(*held);
            }
        }
    }
    let rest = closed.iter().zip(&taken).filter(|(_, taken)| !**taken);
    rules.extend(rest.map(|(rule, _)| *rule));
    rules
}

/// The most comparisons of two rules; whatever needs more is taken for loosening.
const MOST_COMPARISONS: usize = 2_000_000;

/// Whether a rule of the user's, or a managed one that the user moved, permits what a managed rule
/// before it closes, and no managed rule after it closes that again.
fn loosens<'v>(mut rules: Vec<Rule<'v>>, later: Vec<Rule<'v>>) -> bool {
    let first = rules.len();
    // What stands before the section keeps its place before what stands in it.
    rules.extend(later.into_iter().map(|rule| Rule {
        managed: rule.managed.map(|place| place.saturating_add(first)),
        ..rule
    }));
    let mut left = MOST_COMPARISONS;
    let mut last = first.checked_sub(1);
    for (place, rule) in rules.iter().enumerate().skip(first) {
        if rule.managed.is_some() {
            // Still behind all that it stood behind.
            let kept_place = rule.managed >= last;
            last = last.max(rule.managed);
            if kept_place {
                continue;
            }
        }
        for closed in rules.iter().take(place) {
            left = match left.checked_sub(1) {
                Some(left) => left,
                None => return true,
            };
            let came_before = match (rule.managed, closed.managed) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(rule), Some(closed)) => rule < closed,
            };
            if !came_before
                || rule.rank <= closed.rank
                || !overlap(rule.permission, closed.permission)
                || !overlap(rule.pattern, closed.pattern)
            {
                continue;
            }
            let after = rules.get(place..).unwrap_or_default();
            left = left.saturating_sub(after.len());
            let closes_again = |again: &Rule<'_>| {
                again.managed.is_some()
                    && again.rank <= closed.rank
                    && (again.permission == closed.permission || again.permission == "*")
                    && (again.pattern == closed.pattern || again.pattern == "*")
            };
            if !after.iter().skip(1).any(closes_again) {
                return true;
            }
        }
    }
    false
}

/// Whether some text may match both patterns: whatever their wildcards stand for, both begin and end
/// alike.
fn overlap(a: &str, b: &str) -> bool {
    let wild = |c: char| matches!(c, '*' | '?');
    let head = |pattern: &'_ str| pattern.find(wild).unwrap_or(pattern.len());
    let tail = |pattern: &'_ str| {
        let from = pattern.rfind(wild).map_or(0, |at| at.saturating_add(1));
        pattern.len().saturating_sub(from)
    };
    if !a.contains(wild) && !b.contains(wild) {
        return a == b;
    }
    let heads = head(a).min(head(b));
    let tails = tail(a).min(tail(b));
    let begins = a.bytes().zip(b.bytes()).take(heads).all(|(a, b)| a == b);
    let ends = a
        .bytes()
        .rev()
        .zip(b.bytes().rev())
        .take(tails)
        .all(|(a, b)| a == b);
    begins && ends
}

fn grants(action: &Value) -> bool {
    action.is("allow") || action.is("ask") || action.text().is_some_and(is_substituted)
}

pub(super) fn summary(managed: &Managed) -> Summary {
    let permission = managed.settings().get("permission");
    let everything = permission.text().or(permission.get("*").text());
    let fetch = permission.get("webfetch").text().or(everything);
    let per_host = permission.get("webfetc?").entries().len();
    let egress = match fetch {
        _ if per_host > 0 => EgressState::FetchRules(per_host),
        Some("deny") => EgressState::FetchDenied,
        Some("ask") => EgressState::FetchAsks,
        // Rules of files alone: something is managed, though no host.
        _ if permission.has_entries() => EgressState::FetchRules(0),
        _ => EgressState::Unmanaged,
    };
    Summary::new(SandboxState::Unmanaged, egress)
}

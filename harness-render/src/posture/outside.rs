//! What makes a program run code outside its sandbox, in any file.

use super::front_matter;
use super::value::Value;

/// Variables that choose which code a program or its helpers run, or where they send what they say.
/// A name that ends in `*` stands for all that begin so, one that begins with `*` for all that end so.
const CHOOSES_CODE: &[&str] = &[
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_BEDROCK_BASE_URL",
    "ANTHROPIC_FOUNDRY_BASE_URL",
    "ANTHROPIC_UNIX_SOCKET",
    "ANTHROPIC_VERTEX_BASE_URL",
    "BASH_ENV",
    "BASH_FUNC_*",
    "BROWSER",
    "CLAUDE_CODE_SHELL*",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_ENV_FILE",
    "CODEX_HOME",
    "CODE_ASSIST_ENDPOINT",
    "COPILOT_ALLOW_ALL",
    "COPILOT_HOME",
    "COPILOT_PROVIDER_*",
    "DYLD_*",
    "EDITOR",
    "GEMINI_CLI_*",
    "GEMINI_SANDBOX_PROXY_COMMAND",
    "GEMINI_TELEMETRY_OTLP_ENDPOINT",
    "GIT_ASKPASS",
    "GIT_CONFIG*",
    "GIT_DIR",
    "GIT_EDITOR",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH*",
    "GIT_SSL_*",
    "GIT_TEMPLATE_DIR",
    "GOOGLE_GEMINI_BASE_URL",
    "GOOGLE_VERTEX_BASE_URL",
    "HOME",
    "IFS",
    "LD_*",
    "NODE_EXTRA_CA_CERTS",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_*",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "NPM_CONFIG_*",
    "OPENAI_BASE_URL",
    "OPENCODE_*",
    "OTEL_EXPORTER_*",
    "PAGER",
    "PATH",
    "PERL5*",
    "PROMPT_COMMAND",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "RIPGREP_CONFIG_PATH",
    "RUBYLIB",
    "RUBYOPT",
    "SHELL",
    "SHELLOPTS",
    "SSH_*",
    "SSL_CERT_*",
    "USERPROFILE",
    "VISUAL",
    "XDG_CONFIG_HOME",
    "ZDOTDIR",
    "*_PROXY",
];

/// Variables that name one program, and the programs that everyone names there.
const NAMES_A_PROGRAM: [&str; 6] = [
    "EDITOR",
    "GIT_EDITOR",
    "GIT_PAGER",
    "PAGER",
    "SHELL",
    "VISUAL",
];
const USUAL_PROGRAMS: [&str; 16] = [
    "bash", "cat", "ed", "emacs", "fish", "less", "more", "nano", "nvim", "sh", "true", "vi",
    "vim", "zsh", "dash", "ksh",
];

/// Whether a value names a usual program and nothing besides: by its name alone, or where a system
/// keeps it.
fn is_usual(value: &str) -> bool {
    let value = value.trim().trim_matches(['"', '\'']);
    let name = ["/bin/", "/usr/bin/", "/usr/local/bin/"]
        .iter()
        .find_map(|directory| value.strip_prefix(directory))
        .unwrap_or(value);
    USUAL_PROGRAMS.contains(&name)
}

/// The names and values that the lines of a `.env` file set.
pub(crate) fn assignments(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once(['=', ':'])?;
        Some((name.trim(), value.trim()))
    })
}

/// Whether a variable chooses code or a destination. Windows reads names in any case, and some
/// programs read `http_proxy` as well.
pub(crate) fn chooses_code(name: &str, value: &str) -> bool {
    let name = name.trim().to_ascii_uppercase();
    if NAMES_A_PROGRAM.contains(&name.as_str()) && is_usual(value) {
        return false;
    }
    CHOOSES_CODE.iter().any(|pattern| {
        if let Some(head) = pattern.strip_suffix('*') {
            name.starts_with(head)
        } else if let Some(tail) = pattern.strip_prefix('*') {
            name.ends_with(tail)
        } else {
            name == *pattern
        }
    })
}

/// Whether any entry of a table is one that its program starts: `enabled = false` and a bare `false`
/// keep it from that.
pub(crate) fn any_started(table: &Value) -> bool {
    !table.items().is_empty()
        || table
            .values()
            .any(|entry| !entry.is_false() && !entry.get("enabled").is_false())
}

/// Whether a setting names a command: a text, a list, or a table with a `command`.
pub(crate) fn names_command(value: &Value) -> bool {
    value.text().is_some_and(|text| !text.trim().is_empty())
        || !value.items().is_empty()
        || value
            .get("command")
            .text()
            .is_some_and(|text| !text.is_empty())
        || value.get("command").has_entries()
}

/// Whether a table of hooks by their events holds any that runs. A matcher without hooks runs nothing;
/// what is not understood does.
pub(crate) fn any_hook(hooks: &Value) -> bool {
    match hooks {
        Value::List(items) => items.iter().any(any_hook),
        Value::Table(_) if hooks.get("hooks").is_set() => any_hook(hooks.get("hooks")),
        Value::Table(_) => hooks.entries().iter().any(|(key, value)| match value {
            Value::List(_) | Value::Table(_) => any_hook(value),
            _ => key != "matcher" && value.is_set(),
        }),
        Value::Text(text) => !matches!(text.trim(), "" | "null" | "~"),
        Value::Bool(_) | Value::Number(_) => true,
        Value::Null => false,
    }
}

/// Whether servers that the head of a Markdown file names are started from there. A name alone refers to one
/// that another file sets up.
fn brings_servers(servers: &Value) -> bool {
    match servers {
        Value::List(items) => items.iter().any(Value::has_entries),
        Value::Table(_) => any_started(servers),
        other => any_hook(other),
    }
}

/// Whether the head of a Markdown file sets hooks that run, under one of these keys.
pub(crate) fn head_has_hooks(text: &str, keys: &[&str]) -> bool {
    head_holds(text, keys, any_hook)
}

/// Whether the head of a Markdown file starts tool servers, under one of these keys.
pub(crate) fn head_starts_servers(text: &str, keys: &[&str]) -> bool {
    head_holds(text, keys, brings_servers)
}

/// Whether what stands under a key of the head is so. Where the head is no YAML that can be followed,
/// the key alone counts.
fn head_holds(text: &str, keys: &[&str], holds: fn(&Value) -> bool) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    match front_matter::under(text, keys) {
        Ok(sections) => sections.values().any(holds),
        Err(_) => head_sets(text, keys),
    }
}

/// Whether the head of a Markdown file, between its two lines `---`, sets a key. The lines are searched
/// rather than parsed: heads that are no YAML are common, and programs read them all the same. What
/// spells keys in another way counts as setting it.
fn head_sets(text: &str, keys: &[&str]) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    if lines.next().is_none_or(|line| line.trim_end() != "---") {
        return false;
    }
    lines
        .take_while(|line| line.trim_end() != "---")
        .any(|line| {
            // An indented line belongs to the key above it; JSON and explicit keys do not say where.
            let odd = line.starts_with(['{', '?', '&', '!', '<'])
                || (line.starts_with('"') && line.contains('\\'));
            let key = line.split(':').next().unwrap_or_default().trim_end();
            let key = key.trim_matches(['"', '\'']);
            odd || (line.contains(':') && keys.contains(&key))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_chooses_code_or_it_does_not() {
        for name in [
            "BASH_ENV",
            "PATH",
            "LD_PRELOAD",
            "https_proxy",
            "NODE_OPTIONS",
            "Git_Ssh",
            "NO_PROXY",
        ] {
            assert!(chooses_code(name, "x"), "{name}");
        }
        for name in [
            "",
            "FORCE_COLOR",
            "NODE_ENV",
            "MY_PATH",
            "PATHS",
            "RUST_LOG",
            "ENV",
            "APP_BASE_URL",
            "GIT_SHA",
            "OPENAI_API_KEY",
        ] {
            assert!(!chooses_code(name, "x"), "{name}");
        }
        for (name, value) in [
            ("EDITOR", "vim"),
            ("SHELL", "/bin/sh"),
            ("pager", "\"less\""),
        ] {
            assert!(!chooses_code(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("EDITOR", "./vim"),
            ("EDITOR", "vim -c x"),
            ("SHELL", "/tmp/bin/sh"),
            ("SHELL", ""),
            ("GIT_SSH", "sh"),
            ("PATH", "/bin/sh"),
        ] {
            assert!(chooses_code(name, value), "{name}={value}");
        }
    }

    #[test]
    fn a_head_sets_a_key_at_its_left_edge() {
        for head in [
            "hooks:\n  x: y",
            "name: a\nhooks: {}",
            "\"hooks\": {}",
            "'hooks' : {}",
            "{hooks: {}}",
            "? hooks\n: x",
            "\"h\\u006foks\": x",
        ] {
            assert!(
                head_sets(&format!("---\n{head}\n---\n"), &["hooks"]),
                "{head}"
            );
        }
        for text in [
            "hooks: x",
            "---\nname: hooks\n---\nhooks: x",
            "---\nname: a\n  hooks: x\n---\n",
            "---\nhooks\n---",
            "",
        ] {
            assert!(!head_sets(text, &["hooks"]), "{text}");
        }
    }
}

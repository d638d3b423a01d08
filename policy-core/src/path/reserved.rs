//! Where no writable root may lie: system directories, and places that decide what runs or under
//! which policy.

use super::fold::{fold_case, folded_key};
use super::{PathAnchor, PathError};

/// Directories refused with all below them.
///
/// `/etc` and `/usr` are the policy document's. The others hold programs, libraries, devices or
/// the kernel's own files, and on most Linux systems `/bin`, `/sbin` and `/lib*` link into `/usr`.
const SYSTEM_TREES: [&str; 9] = [
    "/etc", "/usr", "/bin", "/sbin", "/boot", "/dev", "/proc", "/sys", "/System",
];

/// Directories refused themselves: what lies below one belongs to whoever made it.
///
/// `/var`, `/Users`, `/home` and `/Library` are the policy document's; `/var/home` is `/home`
/// where the system image is read-only.
const SYSTEM_DIRECTORIES: [&str; 12] = [
    "/var",
    "/Users",
    "/home",
    "/var/home",
    "/Library",
    "/opt",
    "/tmp",
    "/mnt",
    "/srv",
    "/Applications",
    "/Volumes",
    "/private",
];

/// A place over or under which no writable root may lie.
struct Reserved {
    place: &'static str,
    why: &'static str,
}

const fn reserved(place: &'static str, why: &'static str) -> Reserved {
    Reserved { place, why }
}

const STARTS_PROGRAMS: &str = "programs are started from it";

/// What a rendering writes or a posture check reads, and where a system starts programs from.
///
/// Directories rather than files, since a harness reads most of what lies beside its settings:
/// drop-ins, rules, hooks, agents, credentials. What an environment variable moves stands here in
/// its default place. Everything under `/etc` is refused as such: `/etc/claude-code`,
/// `/etc/codex`, `/etc/github-copilot`, `/etc/gemini-cli`, `/etc/opencode`, `/etc/cursor`.
const RESERVED: [Reserved; 35] = [
    // Claude Code: code.claude.com/docs/en/settings.
    reserved(
        "/Library/Application Support/ClaudeCode",
        "Claude Code reads managed settings there",
    ),
    reserved("~/.claude", "Claude Code reads settings there"), // CLAUDE_CONFIG_DIR
    reserved("~/.claude.json", "Claude Code reads its servers there"),
    // Codex: developers.openai.com/codex, "Managed configuration".
    reserved("~/.codex", "Codex reads its configuration there"), // CODEX_HOME
    // Copilot CLI: docs.github.com, "Managed settings"; the paths are also in the program.
    reserved(
        "/Library/Application Support/GitHubCopilot",
        "Copilot CLI reads managed settings there",
    ),
    reserved("~/.copilot", "Copilot CLI reads settings there"), // COPILOT_HOME
    // Gemini CLI: geminicli.com/docs, "Enterprise configuration" and "Policy engine".
    reserved(
        "/Library/Application Support/GeminiCli",
        "Gemini CLI reads managed settings there",
    ),
    reserved("~/.gemini", "Gemini CLI reads settings and policies there"), // GEMINI_CLI_HOME
    // OpenCode: opencode.ai/docs/config, "Locations".
    reserved(
        "/Library/Application Support/opencode",
        "OpenCode reads managed settings there",
    ),
    reserved(
        "~/.config/opencode",
        "OpenCode reads settings and agents there",
    ), // XDG_CONFIG_HOME
    reserved("~/.opencode", "OpenCode reads settings and agents there"),
    reserved(
        "~/.local/share/opencode",
        "OpenCode reads credentials there",
    ), // XDG_DATA_HOME
    // Cursor CLI: cursor.com/docs, "Hooks" and "CLI configuration".
    reserved(
        "/Library/Application Support/Cursor",
        "Cursor reads managed hooks there",
    ),
    reserved("~/.cursor", "Cursor reads settings there"), // CURSOR_CONFIG_DIR
    reserved("~/.config/cursor", "Cursor reads settings there"), // XDG_CONFIG_HOME
    // Profiles of a device management, which every harness on macOS obeys.
    reserved(
        "/Library/Managed Preferences",
        "managed settings are read from it",
    ),
    // The Windows files of the above, as a shell in WSL sees them.
    reserved(
        "/mnt/c/Program Files/ClaudeCode",
        "Claude Code reads managed settings there",
    ),
    reserved(
        "/mnt/c/Program Files/GitHubCopilot",
        "Copilot CLI reads managed settings there",
    ),
    reserved(
        "/mnt/c/ProgramData/OpenAI/Codex",
        "Codex reads managed settings there",
    ),
    reserved(
        "/mnt/c/ProgramData/GitHub/Copilot",
        "Copilot CLI reads managed hooks there",
    ),
    reserved(
        "/mnt/c/ProgramData/gemini-cli",
        "Gemini CLI reads managed settings there",
    ),
    reserved(
        "/mnt/c/ProgramData/opencode",
        "OpenCode reads managed settings there",
    ),
    reserved(
        "/mnt/c/ProgramData/Cursor",
        "Cursor reads managed hooks there",
    ),
    // systemd.unit(5), "Unit file load path"; `/var/run` links to `/run`.
    reserved("/run", STARTS_PROGRAMS),
    reserved("/var/run", STARTS_PROGRAMS),
    reserved("~/.config/systemd", STARTS_PROGRAMS),
    reserved("~/.local/share/systemd", STARTS_PROGRAMS),
    // crontab(1): Linux below `/var/spool`, macOS in `/var/at`.
    reserved("/var/spool", STARTS_PROGRAMS),
    reserved("/var/at", STARTS_PROGRAMS),
    // launchd.plist(5), "Files".
    reserved("/Library/LaunchDaemons", STARTS_PROGRAMS),
    reserved("/Library/LaunchAgents", STARTS_PROGRAMS),
    reserved("~/Library/LaunchAgents", STARTS_PROGRAMS),
    // Desktop Application Autostart Specification.
    reserved("~/.config/autostart", STARTS_PROGRAMS),
    // Known folder FOLDERID_Startup, for every user and for one.
    reserved(
        "/mnt/c/ProgramData/Microsoft/Windows/Start Menu",
        STARTS_PROGRAMS,
    ),
    reserved(
        "~/AppData/Roaming/Microsoft/Windows/Start Menu",
        STARTS_PROGRAMS,
    ),
];

/// Refuses a writable root for where it lies.
pub(super) fn refuse_root(anchor: PathAnchor, names: &str) -> Result<(), PathError> {
    let key = folded_key(anchor, names);
    if anchor == PathAnchor::Absolute {
        // Before the other folding, which could turn a path under `/System` into one under `~`.
        refuse_system_tree(&fold_case(names))?;
        if let Some(names) = key.strip_prefix('/') {
            refuse_system_tree(names)?;
        }
    }
    if key == PathAnchor::Home.prefix() {
        return Err(PathError::HomeRoot);
    }
    if let Some(directory) = SYSTEM_DIRECTORIES
        .iter()
        .find(|directory| is_at(&key, directory))
    {
        return Err(PathError::SystemRoot { directory });
    }
    for &Reserved { place, why } in &RESERVED {
        if is_over_or_under(&key, place) {
            return Err(PathError::ReservedRoot { place, why });
        }
    }
    Ok(())
}

fn refuse_system_tree(folded: &str) -> Result<(), PathError> {
    let first = folded.split('/').next().unwrap_or_default();
    let tree = SYSTEM_TREES
        .iter()
        .copied()
        .find(|tree| is_named(tree, first));
    // `/lib`, `/lib64`, `/libx32`, `/libexec`, …: everything that starts so, but for `/Library`.
    let library = (first.starts_with("lib") && first != "library").then_some("/lib*");
    match tree.or(library) {
        Some(directory) if first.len() == folded.trim_end_matches('/').len() => {
            Err(PathError::SystemRoot { directory })
        }
        Some(directory) => Err(PathError::UnderSystemRoot { directory }),
        None => Ok(()),
    }
}

/// Whether folded names, without their leading slash, count as the same place with `/private`
/// before them: what macOS links there, and what a system or a home may never be hidden as.
pub(super) fn is_hidden_by_private(folded: &str) -> bool {
    let first = folded.split('/').next().unwrap_or_default();
    SYSTEM_TREES.iter().any(|tree| is_named(tree, first))
        || matches!(first, "var" | "tmp" | "users" | "home" | "root")
}

/// Whether a table's directory in `/` has this folded name.
fn is_named(directory: &str, folded: &str) -> bool {
    directory
        .strip_prefix('/')
        .is_some_and(|name| name.eq_ignore_ascii_case(folded))
}

/// Whether a folded key is this place.
fn is_at(key: &str, place: &str) -> bool {
    key.strip_suffix('/')
        .is_some_and(|path| path.eq_ignore_ascii_case(place))
}

/// Whether a folded key is this place, a directory above it, or something inside it.
fn is_over_or_under(key: &str, place: &str) -> bool {
    // The place's key is the place and a slash, so the slash of the longer one must fall where
    // the shorter one ends.
    let (key, place) = (key.as_bytes(), place.as_bytes());
    let Some(path) = key.strip_suffix(b"/") else {
        return false;
    };
    let shorter = path.len().min(place.len());
    let same = path
        .iter()
        .zip(place)
        .all(|(a, b)| a.eq_ignore_ascii_case(b));
    let ends = |longer: &[u8]| longer.get(shorter).is_none_or(|&next| next == b'/');
    same && ends(path) && ends(place)
}

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
const SYSTEM_DIRECTORIES: [&str; 13] = [
    "/var",
    "/Users",
    "/home",
    "/var/home",
    "/Library",
    "/opt",
    "/tmp",
    "/mnt",
    "/media",
    "/srv",
    "/Applications",
    "/Volumes",
    "/private",
];

/// A place over or under which no writable root may lie, and why.
type Reserved = (&'static str, &'static str);

const STARTS_PROGRAMS: &str = "programs are started from it";

/// What a rendering writes or a posture check reads, and where a system starts programs from.
///
/// Directories rather than files, since a harness reads most of what lies beside its settings:
/// drop-ins, rules, hooks, agents, credentials. What an environment variable moves stands here in
/// its default place. What the harnesses read below `/etc` is refused with all of `/etc`. The
/// versions are those whose reading was observed.
#[rustfmt::skip]
const RESERVED: [Reserved; 36] = [
    // Claude Code 2.1.332, and its servers in `~/.claude.json`; moved by CLAUDE_CONFIG_DIR.
    ("/Library/Application Support/ClaudeCode", "Claude Code reads managed settings there"),
    ("~/.claude", "Claude Code reads settings and hooks there"),
    ("~/.claude.json", "Claude Code reads its servers there"),
    // Codex 0.171.0; moved by CODEX_HOME.
    ("~/.codex", "Codex reads its configuration and rules there"),
    // Copilot CLI 1.0.102; moved by COPILOT_HOME.
    ("/Library/Application Support/GitHubCopilot", "Copilot CLI reads managed settings there"),
    ("~/.copilot", "Copilot CLI reads settings there"),
    // Gemini CLI 0.61.0; moved by GEMINI_CLI_HOME and GEMINI_CLI_SYSTEM_SETTINGS_PATH.
    ("/Library/Application Support/GeminiCli", "Gemini CLI reads managed settings there"),
    ("~/.gemini", "Gemini CLI reads settings and policies there"),
    // OpenCode 1.18.33, which also looks for `.opencode` in every directory above a project; moved by
    // XDG_CONFIG_HOME and XDG_DATA_HOME.
    ("/Library/Application Support/opencode", "OpenCode reads managed settings there"),
    ("~/.config/opencode", "OpenCode reads settings and agents there"),
    ("~/.opencode", "OpenCode reads settings and agents there"),
    ("~/.local/share/opencode", "OpenCode reads credentials there"),
    // Cursor, @cursor/sdk 1.0.32; moved by CURSOR_CONFIG_DIR and XDG_CONFIG_HOME.
    ("/Library/Application Support/Cursor", "Cursor reads managed hooks there"),
    ("~/.cursor", "Cursor reads settings there"),
    ("~/.config/cursor", "Cursor reads settings there"),
    // Profiles of a macOS device management, which most harnesses prefer to their files.
    ("/Library/Managed Preferences", "managed settings are read from it"),
    // The Windows places of the above, as a shell in WSL sees them.
    ("/mnt/c/Program Files/ClaudeCode", "Claude Code reads managed settings there"),
    ("/mnt/c/Program Files/GitHubCopilot", "Copilot CLI reads managed settings there"),
    ("/mnt/c/ProgramData/OpenAI/Codex", "Codex reads managed settings there"),
    ("/mnt/c/ProgramData/GitHub/Copilot", "Copilot CLI reads managed hooks there"),
    ("/mnt/c/ProgramData/gemini-cli", "Gemini CLI reads managed settings there"),
    ("/mnt/c/ProgramData/opencode", "OpenCode reads managed settings there"),
    ("/mnt/c/ProgramData/Cursor", "Cursor reads managed hooks there"),
    // systemd.unit(5), "Unit file load path"; `/var/run` is a link to `/run`.
    ("/run", STARTS_PROGRAMS),
    ("/var/run", STARTS_PROGRAMS),
    ("~/.config/systemd", STARTS_PROGRAMS),
    ("~/.local/share/systemd", STARTS_PROGRAMS),
    // crontab(1): Linux keeps tables below `/var/spool`, macOS in `/var/at`.
    ("/var/spool", STARTS_PROGRAMS),
    ("/var/at", STARTS_PROGRAMS),
    // launchd.plist(5), "Files".
    ("/Library/LaunchDaemons", STARTS_PROGRAMS),
    ("/Library/LaunchAgents", STARTS_PROGRAMS),
    ("~/Library/LaunchAgents", STARTS_PROGRAMS),
    // Desktop Application Autostart Specification, "Autostart directories".
    ("~/.config/autostart", STARTS_PROGRAMS),
    // The system of a Windows disk, as a shell in WSL sees it.
    ("/mnt/c/Windows", STARTS_PROGRAMS),
    // KNOWNFOLDERID FOLDERID_CommonStartup and FOLDERID_Startup, less their last names.
    ("/mnt/c/ProgramData/Microsoft/Windows/Start Menu", STARTS_PROGRAMS),
    ("~/AppData/Roaming/Microsoft/Windows/Start Menu", STARTS_PROGRAMS),
];

/// Places in a home that a shell or a login runs, or finds programs in, without being asked; by the
/// reason. Default places only: what a variable or a program of the user's choice reads besides is
/// for the policy to protect.
#[rustfmt::skip]
const IN_A_HOME: [(&str, &[&str]); 4] = [
    // bash(1), zsh(1), ksh(1), tcsh(1) and fish(1), "Files"; readline(3) binds keys to commands.
    ("shells read it when they start", &[
        "~/.bashrc", "~/.bash_profile", "~/.bash_login", "~/.bash_logout", "~/.bash_aliases",
        "~/.profile", "~/.inputrc", "~/.zshrc", "~/.zshenv", "~/.zprofile", "~/.zlogin", "~/.zlogout",
        "~/.kshrc", "~/.mkshrc", "~/.cshrc", "~/.tcshrc", "~/.login", "~/.config/fish",
    ]),
    // pam_env(8), environment.d(5), Xsession(5); Desktop Entry and D-Bus Specifications.
    ("a login takes its environment or programs from it", &[
        "~/.pam_environment", "~/.config/environment.d", "~/.xprofile", "~/.xinitrc", "~/.xsession",
        "~/.xsessionrc", "~/.local/share/applications", "~/.local/share/dbus-1",
    ]),
    // systemd's file-hierarchy(7), and the `.profile` that Debian gives a new user.
    ("programs are found in it", &["~/.local/bin", "~/bin"]),
    // sshd(8) `authorized_keys` and `rc`, ssh_config(5) `ProxyCommand`.
    ("SSH takes keys and commands from it", &["~/.ssh"]),
];

fn all_reserved() -> impl Iterator<Item = Reserved> {
    let in_a_home = IN_A_HOME
        .iter()
        .flat_map(|&(why, places)| places.iter().map(move |&place| (place, why)));
    RESERVED.iter().copied().chain(in_a_home)
}

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
    if key == PathAnchor::Absolute.prefix() {
        return Err(PathError::FilesystemRoot);
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
    for (place, why) in all_reserved() {
        if is_over_or_under(&key, place) {
            return Err(PathError::ReservedRoot { place, why });
        }
    }
    Ok(())
}

fn refuse_system_tree(folded: &str) -> Result<(), PathError> {
    let mut names = folded.split('/').filter(|name| !name.is_empty());
    let tree = names.next().and_then(system_tree);
    match (tree, names.next()) {
        (Some(directory), None) => Err(PathError::SystemRoot { directory }),
        (Some(directory), Some(_)) => Err(PathError::UnderSystemRoot { directory }),
        (None, _) => Ok(()),
    }
}

/// The tree that a folded name in `/` is the top of.
fn system_tree(folded: &str) -> Option<&'static str> {
    let named = SYSTEM_TREES
        .iter()
        .copied()
        .find(|tree| is_named(tree, folded));
    // `/lib`, `/lib64`, `/libx32`, `/libexec`, …: everything that starts so, but for `/Library`.
    let library = (folded.starts_with("lib") && folded != "library").then_some("/lib*");
    named.or(library)
}

/// Whether folded names, without their leading slash, count as the same place with `/private`
/// before them: what macOS links there, and what a system or a home may never be hidden as.
pub(super) fn is_hidden_by_private(folded: &str) -> bool {
    let first = folded.split('/').next().unwrap_or_default();
    system_tree(first).is_some() || matches!(first, "var" | "tmp" | "users" | "home" | "root")
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

#[cfg(test)]
pub(super) fn places() -> impl Iterator<Item = &'static str> {
    all_reserved().map(|(place, _)| place)
}

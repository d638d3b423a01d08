//! Independent models of what each coding agent does with the files it is given.
//!
//! A reader answers from bytes, the agent's release and the operating system, and from nothing
//! else: it shares no code with the renderers or with the policy engine, so that a mistake in one is
//! not repeated in the other. Each rule was seen in the real program, on Linux in November 2026, and
//! `tests/observed` has the rows. What was not observed is read the way that trusts the agent less: a
//! deny that was never seen to match denies nothing here, a key works from the first release it was
//! seen to work in.

pub mod claude_code;
pub mod codex;
pub mod copilot_cli;
pub mod cursor_cli;
pub mod gemini_cli;
pub mod glob;
pub mod opencode;

use core::net::IpAddr;

use semver::Version;
use serde_json::Value;

/// The operating system an agent runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Os {
    /// Linux, WSL included.
    Linux,
    /// macOS.
    MacOs,
    /// Native Windows.
    Windows,
}

/// Which way a question comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A command the agent runs.
    Shell,
    /// The agent's own tool: the one that fetches URLs, or those that read and write files.
    Tool,
}

/// What is done to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Its content is read.
    Read,
    /// It is written or created.
    Write,
}

/// What the agent does, with these files in place and nothing set by the user but what the device
/// says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It happens.
    Allow,
    /// It does not.
    Deny,
    /// The user is asked, and may say yes.
    Ask,
    /// The files leave the mechanism off: the user's own settings decide.
    Unrestricted,
    /// The agent refuses to start, rejects the file, or cannot run a command.
    Broken,
}

/// How much an answer lets through: of several ways to ask, the laxest counts.
pub fn laxity(answer: Answer) -> u8 {
    match answer {
        Answer::Broken => 0,
        Answer::Deny => 1,
        Answer::Ask => 2,
        Answer::Allow => 3,
        Answer::Unrestricted => 4,
    }
}

/// What holds the sandbox itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Whether shell commands run in a sandbox that the user's settings do not switch off.
    pub sandboxed: bool,
    /// What becomes of a command that asks to run outside it.
    pub outside: Answer,
    /// Whether such a command stays bound to the hosts and the protected paths.
    pub outside_stays_bound: bool,
    /// Whether nothing runs when the sandbox cannot start.
    pub fails_closed: bool,
}

/// One agent on one device.
pub trait Reader {
    /// Whether `text`, a host or URL as a client would present it, is reached.
    fn host(&self, channel: Channel, text: &str) -> Answer;
    /// Whether `op` on `path`, absolute and without `.` or `..`, happens.
    fn path(&self, channel: Channel, op: Op, path: &str) -> Answer;
    /// What holds the sandbox.
    fn mode(&self) -> Mode;
}

/// The reader of the agent of that name.
///
/// # Panics
///
/// If there is none.
pub fn read(harness: &str, device: &Device) -> Box<dyn Reader> {
    match harness {
        "claude-code" => Box::new(claude_code::ClaudeCode::read(device)),
        "codex" => Box::new(codex::Codex::read(device)),
        "copilot-cli" => Box::new(copilot_cli::CopilotCli::read(device)),
        "gemini-cli" => Box::new(gemini_cli::GeminiCli::read(device)),
        "opencode" => Box::new(opencode::OpenCode::read(device)),
        "cursor-cli" => Box::new(cursor_cli::CursorCli::read(device)),
        other => panic!("no reader for `{other}`"),
    }
}

/// A file or directory an administrator placed.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path; a directory's ends with a slash. On Windows with either slash.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Its permission bits.
    pub mode: u32,
    /// Whether the superuser owns it.
    pub root_owned: bool,
}

/// A device with one agent on it.
#[derive(Clone, Debug)]
pub struct Device {
    /// The operating system.
    pub os: Os,
    /// The agent's release.
    pub version: Version,
    /// What the administrator placed.
    pub managed: Vec<File>,
    /// The user's own files, by path; `~/` stands for the home.
    pub user: Vec<(String, String)>,
    /// What names resolve to, for the agent that asks.
    pub addresses: Vec<(String, IpAddr)>,
    /// The environment the agent starts in.
    pub env: Vec<(String, String)>,
    /// The home directory, with forward slashes.
    pub home: String,
    /// The directory the agent was started in, with forward slashes.
    pub workspace: String,
}

impl Device {
    /// A device with nothing on it yet.
    ///
    /// # Panics
    ///
    /// If `version` is not a semantic version.
    pub fn new(os: Os, version: &str) -> Self {
        let (home, workspace) = match os {
            Os::Linux => ("/home/u", "/work/project"),
            Os::MacOs => ("/Users/u", "/work/project"),
            Os::Windows => ("C:/Users/u", "C:/work/project"),
        };
        Self {
            os,
            version: Version::parse(version).expect("a release is a semantic version"),
            managed: Vec::new(),
            user: Vec::new(),
            addresses: Vec::new(),
            env: Vec::new(),
            home: home.to_owned(),
            workspace: workspace.to_owned(),
        }
    }

    /// Adds a managed file, owned by the superuser and written by no one else.
    pub fn managed(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.managed.push(File {
            path: path.to_owned(),
            bytes: bytes.into(),
            mode: 0o644,
            root_owned: true,
        });
        self
    }

    /// Adds a file of the user's.
    pub fn user(mut self, path: &str, text: &str) -> Self {
        self.user.push((path.to_owned(), text.to_owned()));
        self
    }

    /// Adds a managed file or, with a slash at the end of its path, a directory, with these
    /// permission bits and this owner.
    pub fn managed_as(mut self, path: &str, bytes: &str, mode: u32, root_owned: bool) -> Self {
        let (path, bytes) = (path.to_owned(), bytes.into());
        self.managed.push(File {
            path,
            bytes,
            mode,
            root_owned,
        });
        self
    }

    /// Lets a name resolve to an address.
    pub fn resolves(mut self, name: &str, address: IpAddr) -> Self {
        self.addresses.push((name.to_owned(), address));
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    fn at_least(&self, release: &str) -> bool {
        self.version >= Version::parse(release).expect("a release is a semantic version")
    }

    /// A path of the user's or of a managed file as an absolute one: `~/` is the home, and what is
    /// relative counts from the workspace.
    fn absolute(&self, path: &str) -> String {
        if let Some(below) = path.strip_prefix("~/") {
            format!("{}/{below}", self.home)
        } else if path.starts_with('/') || path.get(1..2) == Some(":") {
            path.to_owned()
        } else {
            format!("{}/{path}", self.workspace)
        }
    }

    fn managed_file(&self, path: &str) -> Option<&File> {
        self.managed
            .iter()
            .find(|file| file.path.replace('\\', "/") == path)
    }

    fn user_file(&self, path: &str) -> Option<&str> {
        self.user
            .iter()
            .find(|(name, _)| name == path)
            .map(|(_, text)| text.as_str())
    }

    fn variable(&self, name: &str) -> Option<&str> {
        self.env
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Where a client would connect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The scheme, lower case; `https` when the text has none.
    pub scheme: String,
    /// The host as it was written, without the brackets of an IPv6 address.
    pub host: String,
    /// The port, written or the scheme's own.
    pub port: u16,
}

/// What a client such as curl takes out of `text`: the authority between the scheme and the path,
/// less the userinfo, in two halves at the port's colon (RFC 3986 section 3.2).
pub fn target(text: &str) -> Option<Target> {
    let (scheme, rest) = text.split_once("://").unwrap_or(("https", text));
    let scheme = scheme.to_ascii_lowercase();
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit('@').next()?;
    let (host, port) = if let Some(bracketed) = authority.strip_prefix('[') {
        let (host, after) = bracketed.split_once(']')?;
        (host, after.strip_prefix(':'))
    } else if authority.matches(':').count() == 1 {
        authority
            .split_once(':')
            .map(|(host, port)| (host, Some(port)))?
    } else {
        (authority, None)
    };
    let port = match (port, scheme.as_str()) {
        (Some(port), _) => port.parse().ok()?,
        (None, "http") => 80,
        (None, "ssh") => 22,
        (None, _) => 443,
    };
    (!host.is_empty()).then(|| Target {
        scheme,
        host: host.to_owned(),
        port,
    })
}

/// The host as a WHATWG URL parser writes it, less the root dot and the brackets, with an
/// IPv4-mapped address as the IPv4 one.
pub fn whatwg(host: &str) -> Option<String> {
    let host = if host.contains(':') {
        format!("[{host}]")
    } else {
        host.to_owned()
    };
    let url = url::Url::parse(&format!("http://{host}/")).ok()?;
    Some(match url.host()? {
        url::Host::Domain(name) => name.strip_suffix('.').unwrap_or(name).to_owned(),
        url::Host::Ipv4(ip) => ip.to_string(),
        url::Host::Ipv6(ip) => IpAddr::V6(ip).to_canonical().to_string(),
    })
}

/// Whether the host, in canonical form, is this machine by name or by address.
pub fn is_loopback(host: &str) -> bool {
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Whether an address is one that no public name should resolve to: this machine's, a private, a
/// documentation or another reserved one.
pub fn is_reserved(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(ip) => {
            ip.is_loopback()
                || ip.is_private()
                || ip.is_link_local()
                || ip.is_unspecified()
                || ip.is_multicast()
                || ip.is_broadcast()
                || ip.is_documentation()
                || matches!(
                    ip.octets(),
                    [0 | 240..=255, ..] | [100, 64..=127, ..] | [198, 18..=19, ..] | [192, 0, 0, _]
                )
        }
        IpAddr::V6(ip) => {
            ip.is_loopback()
                || ip.is_unspecified()
                || ip.is_multicast()
                || ip.is_unique_local()
                || ip.is_unicast_link_local()
        }
    }
}

/// JSON text without its comments, which strict parsers refuse and some agents accept.
pub fn without_comments(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = if c == '"' {
            let end = closing_quote(rest);
            plain.push_str(rest.split_at(end).0);
            end
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            plain.push(c);
            c.len_utf8()
        };
        rest = rest.split_at(taken).1;
    }
    plain
}

/// The end of the string `text` begins with.
fn closing_quote(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// The value at a dotted path of keys.
pub fn at<'v>(value: &'v Value, keys: &str) -> Option<&'v Value> {
    keys.split('.').try_fold(value, |value, key| value.get(key))
}

/// A list of strings at a dotted path; anything else there reads as no list.
pub fn strings(value: &Value, keys: &str) -> Vec<String> {
    let list = at(value, keys).and_then(Value::as_array);
    let strings: Option<Vec<String>> = list.and_then(|list| {
        list.iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect()
    });
    strings.unwrap_or_default()
}

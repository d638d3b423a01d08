//! Why a path is refused.

/// Why a writable root, a protected path or a file path is refused.
///
/// [`Display`](core::fmt::Display) is half a sentence about the input, which the value does not
/// carry: ``a path cannot contain `..` ``. [`code`](PathError::code) is stable, and
/// [`help`](PathError::help) says what to write instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// Nothing is written.
    #[error("a path cannot be empty")]
    Empty,
    /// Longer than a system opens: 4095 bytes (Linux `PATH_MAX`, less its NUL).
    #[error("a path cannot be longer than 4095 bytes")]
    TooLong,
    /// NUL or another control character.
    #[error("a path cannot contain control characters")]
    ControlCharacter,
    /// `C:\…`, `C:/…`.
    #[error("a path cannot start with a Windows drive")]
    WindowsDrive,
    /// `\`, which separates on one system, escapes in a glob, and is part of a name elsewhere.
    #[error("a path cannot contain a backslash")]
    Backslash,
    /// `$HOME/x`: the harnesses do not expand variables.
    #[error("a path cannot contain `$`, since no harness expands variables")]
    Variable,
    /// `~alice/x`: the harnesses read only a bare `~`.
    #[error("a path cannot name another user's home as `~user`")]
    UserHome,
    /// `!`, `(`, `)`, `{` or `}`, which some harnesses read as part of a glob or of a rule.
    #[error("a path cannot contain `!`, `(`, `)`, `{{` or `}}`")]
    Character,
    /// A space at the end or start of a name, or a space other than U+0020.
    #[error("a path cannot contain spaces around a name, nor spaces other than the plain one")]
    Space,
    /// Not in Unicode normal form NFKC, or with an invisible character: the same file can be
    /// spelled in another way.
    #[error("a path cannot contain characters that have another spelling, or none to be seen")]
    NotNormalized,
    /// `.` or `..`.
    #[error("a path cannot contain `.` or `..`")]
    DotComponent,
    /// A name that ends in a dot, which Windows drops.
    #[error("a name in a path cannot end in a dot")]
    TrailingDot,
    /// `//`.
    #[error("a path cannot contain `//`")]
    DoubleSlash,
    /// `/opt/cache/`.
    #[error("a path cannot end in a slash")]
    TrailingSlash,
    /// A writable root that starts with neither `/` nor `~/`.
    #[error("a writable root cannot be relative")]
    RelativeRoot,
    /// A writable root with `*`, `?`, `[`, `]`, `{` or `}`.
    #[error("a writable root cannot be a glob")]
    GlobRoot,
    /// `/` as a writable root.
    #[error("a writable root cannot be `/`")]
    FilesystemRoot,
    /// `~`, `/Users/alice`, `/home/bob`, `/root` or `/var/root` as a writable root.
    #[error("a writable root cannot be a home directory")]
    HomeRoot,
    /// A system directory, or a directory that holds others' directories, as a writable root.
    #[error("a writable root cannot be `{directory}`")]
    SystemRoot {
        /// The directory, as the systems spell it.
        directory: &'static str,
    },
    /// A writable root inside a system directory.
    #[error("a writable root cannot be inside `{directory}`")]
    UnderSystemRoot {
        /// The system directory, as the systems spell it.
        directory: &'static str,
    },
    /// A writable root over or under a place that decides what runs, or under which policy.
    #[error("a writable root cannot be over or under `{place}` ({why})")]
    ReservedRoot {
        /// The place, as the systems spell it.
        place: &'static str,
        /// What reads it.
        why: &'static str,
    },
    /// `/`, or all of it by globs such as `/*`, as a protected path.
    #[error("a protected path cannot be `/`")]
    ProtectsFilesystem,
    /// `~`, or all of it by globs such as `~/*`, as a protected path.
    #[error("a protected path cannot be the whole home directory")]
    ProtectsHome,
    /// `*` or `**`: the whole workspace as a protected path.
    #[error("a protected path cannot be the whole workspace")]
    ProtectsWorkspace,
    /// `/**/.env`: Codex starts no command under such a rule, and Claude Code ignores it.
    #[error("a protected path cannot start with `/**`")]
    GlobFromRoot,
    /// A glob that is not whole: `a**`, `[`, `[]`, `[z-a]`, `[^a]`, `[[:alpha:]]`, `**/**`.
    #[error(
        "a glob is made of `*`, `?`, `[abc]`, `[a-z]`, and `**` as a whole name, once in a row"
    )]
    MalformedGlob,
}

impl PathError {
    /// A stable name for the refusal, in kebab-case.
    ///
    /// ```
    /// use policy_core::{PathError, WritableRoot};
    ///
    /// assert_eq!(WritableRoot::parse("/").map_err(PathError::code), Err("root-is-filesystem"));
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Empty => "path-empty",
            Self::TooLong => "path-too-long",
            Self::ControlCharacter => "path-control-character",
            Self::WindowsDrive => "path-windows-drive",
            Self::Backslash => "path-backslash",
            Self::Variable => "path-variable",
            Self::UserHome => "path-user-home",
            Self::Character => "path-character",
            Self::Space => "path-space",
            Self::NotNormalized => "path-not-normalized",
            Self::DotComponent => "path-dot-component",
            Self::TrailingDot => "path-trailing-dot",
            Self::DoubleSlash => "path-double-slash",
            Self::TrailingSlash => "path-trailing-slash",
            Self::RelativeRoot => "root-relative",
            Self::GlobRoot => "root-glob",
            Self::FilesystemRoot => "root-is-filesystem",
            Self::HomeRoot => "root-is-home",
            Self::SystemRoot { .. } => "root-is-system",
            Self::UnderSystemRoot { .. } => "root-under-system",
            Self::ReservedRoot { .. } => "root-reserved",
            Self::ProtectsFilesystem => "protected-filesystem",
            Self::ProtectsHome => "protected-home",
            Self::ProtectsWorkspace => "protected-workspace",
            Self::GlobFromRoot => "protected-glob-from-root",
            Self::MalformedGlob => "protected-malformed-glob",
        }
    }

    /// What to write instead, as half a sentence.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Empty => "write a path, or leave the entry out",
            Self::TooLong => "name a directory above it",
            Self::ControlCharacter => {
                "type the entry anew: what is left without it may be another path"
            }
            Self::WindowsDrive => "write the path under `~/`, which every system has",
            Self::Backslash => "separate names by `/`",
            Self::Variable => "write the path itself; variables are not read",
            Self::UserHome => {
                "write the path itself; only `~/`, the home of the user who runs the agent, is read"
            }
            Self::Character => "write one entry for each path",
            Self::Space => "remove the space",
            Self::NotNormalized => "write the composed, plain form of each character",
            Self::DotComponent => "write the path without `.` and `..`",
            Self::TrailingDot => "remove the dot at the end of the name",
            Self::DoubleSlash => "write one `/`",
            Self::TrailingSlash => "remove the slash at the end",
            Self::RelativeRoot => {
                "write an absolute path or `~/…`; the workspace is writable anyway"
            }
            Self::GlobRoot => "write one entry for each directory",
            Self::FilesystemRoot | Self::HomeRoot | Self::SystemRoot { .. } => {
                "name a directory of its own, such as `/opt/build-cache` or `~/build-cache`"
            }
            Self::UnderSystemRoot { .. } => {
                "keep what the agent writes elsewhere, such as `/opt/build-cache`"
            }
            Self::ReservedRoot { .. } => {
                "name a directory that neither holds the place nor lies inside it"
            }
            Self::ProtectsFilesystem | Self::ProtectsHome | Self::ProtectsWorkspace => {
                "name what must stay unread, such as `~/.ssh`"
            }
            Self::GlobFromRoot => {
                "write `**/name` for the workspace, and `~/**/name` for the home directory"
            }
            Self::MalformedGlob => "write one entry for each path, or a simpler glob",
        }
    }
}

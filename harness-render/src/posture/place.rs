//! Which files are checked, and how each is named to people.

use std::fmt;

use policy_core::Harness;

use crate::target::Os;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// JSON as RFC 8259 has it.
    Json,
    /// JSON as Claude Code reads settings: a byte order mark is skipped, nothing at all is an empty
    /// object, and of a key that stands twice the last counts.
    LenientJson,
    /// JSON of whose keys the last of two counts, and nothing else of the above.
    RepeatedJson,
    /// JSON with comments.
    JsonWithComments,
    /// JSON with comments, of whose keys the last of two counts.
    RepeatedJsonWithComments,
    /// JSON with comments and with a comma after the last entry.
    JsonWithTrailingCommas,
    /// The same as OpenCode reads it: a byte order mark is skipped, nothing at all is an empty object,
    /// and of a key that stands twice the last counts.
    LenientJsonWithTrailingCommas,
    /// TOML.
    Toml,
    /// TOML after a byte order mark or none.
    MarkedToml,
    /// Text that is searched for a word rather than understood.
    Text,
    /// Markdown that begins with YAML between two lines `---`.
    FrontMatter,
    /// A file whose presence is what matters.
    Presence,
}

impl Syntax {
    /// Whether its program skips a byte order mark.
    pub(crate) const fn skips_mark(self) -> bool {
        matches!(
            self,
            Self::LenientJson | Self::LenientJsonWithTrailingCommas | Self::MarkedToml
        )
    }

    /// Whether nothing at all is an empty object to its program.
    pub(crate) const fn may_be_empty(self) -> bool {
        matches!(
            self,
            Self::LenientJson | Self::LenientJsonWithTrailingCommas
        )
    }

    /// Whether its program takes the last of two values of one key.
    pub(crate) const fn may_repeat(self) -> bool {
        matches!(
            self,
            Self::LenientJson
                | Self::RepeatedJson
                | Self::RepeatedJsonWithComments
                | Self::LenientJsonWithTrailingCommas
        )
    }

    /// Whether a document of it is an object.
    pub(crate) const fn is_json(self) -> bool {
        matches!(
            self,
            Self::Json
                | Self::LenientJson
                | Self::RepeatedJson
                | Self::JsonWithComments
                | Self::RepeatedJsonWithComments
                | Self::JsonWithTrailingCommas
                | Self::LenientJsonWithTrailingCommas
        )
    }
}

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The administrator's.
    Managed,
    /// The user's.
    User,
    /// A repository's.
    Project,
}

/// What a file is for. Files of one kind are judged by the same checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The managed settings, with their drop-ins.
    Managed,
    /// A second managed file, read as another layer.
    ManagedDefaults,
    /// Managed rules for tools.
    ManagedPolicies,
    /// Defaults of the system's, in the user's own layout.
    SystemSettings,
    /// Another source of managed settings, which takes the place of the file.
    ManagedElsewhere,
    Settings,
    ProjectSettings,
    Servers,
    Hooks,
    ProjectServers,
    ManagedHooks,
    Rules,
    Sandbox,
    ProjectSandbox,
    Agents,
    Commands,
    Plugins,
    Variables,
}

/// The path of a file, as it is shown to people and looked up on a device.
///
/// `~/` is the user's home, a relative path lies in the project. A last name that begins with `*`
/// stands for every file of that ending, and `**/` before it for every directory below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Path {
    Everywhere(&'static str),
    Each(OnEach),
    MacOs(&'static str),
}

/// A path on each system, in its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OnEach {
    pub(crate) linux: &'static str,
    pub(crate) macos: &'static str,
    pub(crate) windows: &'static str,
}

impl OnEach {
    pub(crate) const fn on(self, os: Os) -> &'static str {
        match os {
            Os::Linux => self.linux,
            Os::MacOs => self.macos,
            Os::Windows => self.windows,
        }
    }
}

/// The same on every system.
pub(crate) const fn everywhere(path: &'static str) -> Path {
    Path::Everywhere(path)
}

/// On Linux, on macOS, and on Windows.
pub(crate) const fn each(linux: &'static str, macos: &'static str, windows: &'static str) -> Path {
    Path::Each(OnEach {
        linux,
        macos,
        windows,
    })
}

/// A variable that moves part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Moved {
    pub(crate) variable: &'static str,
    /// The part of the path that the variable stands for.
    pub(crate) instead_of: &'static str,
}

/// A file, or all files of one directory, that can weaken what a policy asks of a harness.
#[derive(Debug)]
pub struct Watched {
    pub(crate) harness: Harness,
    pub(crate) role: Role,
    pub(crate) kind: Kind,
    pub(crate) syntax: Syntax,
    pub(crate) path: Path,
    #[cfg_attr(
        not(feature = "device"),
        expect(dead_code, reason = "only a look at a device follows variables")
    )]
    pub(crate) moved: &'static [Moved],
}

impl Watched {
    /// The harness that reads it.
    #[must_use]
    pub const fn harness(&self) -> Harness {
        self.harness
    }

    /// The path on a system, as people write it; `None` where the harness reads no such file.
    ///
    /// It begins with `/`, with a drive, with `~/`, or, for a repository's file, with neither. A
    /// last name that begins with `*` stands for every file of that ending.
    #[must_use]
    pub const fn path(&self, os: Os) -> Option<&'static str> {
        match (self.path, os) {
            (Path::Everywhere(path), _) | (Path::MacOs(path), Os::MacOs) => Some(path),
            (Path::Each(paths), os) => Some(paths.on(os)),
            (Path::MacOs(_), _) => None,
        }
    }

    /// Whether an administrator places it.
    #[must_use]
    pub const fn is_managed(&self) -> bool {
        matches!(self.role, Role::Managed)
    }

    /// Whether it is in the user's home.
    #[must_use]
    pub const fn is_users(&self) -> bool {
        matches!(self.role, Role::User)
    }

    /// Whether it is in a repository.
    #[must_use]
    pub const fn is_projects(&self) -> bool {
        matches!(self.role, Role::Project)
    }
}

/// Declares the files of an adapter that are checked, a row each, as `WATCHED`.
macro_rules! watched {
    ($harness:expr; $($role:ident $kind:ident, $syntax:expr, $path:expr, $moved:expr;)*) => {
        pub(super) static WATCHED: &[Watched] = &[$(Watched {
            harness: $harness,
            role: Role::$role,
            kind: Kind::$kind,
            syntax: $syntax,
            path: $path,
            moved: $moved,
        }),*];
    };
}
pub(crate) use watched;

/// One watched file on one system, where a variable may have moved it.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    watched: &'static Watched,
    os: Os,
    moved: Option<&'static Moved>,
}

impl Place {
    pub(crate) const fn new(watched: &'static Watched, os: Os) -> Self {
        Self {
            watched,
            os,
            moved: None,
        }
    }

    #[cfg(feature = "device")]
    pub(crate) const fn moved_by(self, moved: &'static Moved) -> Self {
        Self {
            moved: Some(moved),
            ..self
        }
    }

    pub(crate) const fn watched(&self) -> &'static Watched {
        self.watched
    }

    pub(crate) const fn harness(&self) -> Harness {
        self.watched.harness
    }

    pub(crate) const fn is_managed(&self) -> bool {
        self.watched.is_managed()
    }

    fn path(&self) -> &'static str {
        self.watched.path(self.os).unwrap_or_default()
    }

    /// What stands after the part that a variable replaces.
    pub(crate) fn below_moved(&self) -> Option<(&'static Moved, &'static str)> {
        let moved = self.moved?;
        Some((moved, self.path().strip_prefix(moved.instead_of)?))
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.path() == other.path() && self.moved == other.moved
    }
}

impl Eq for Place {}

impl std::hash::Hash for Place {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.path(), self.moved).hash(state);
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Place({self})")
    }
}

impl fmt::Display for Place {
    /// Writes the path as the vendor does, never one of the device: that could name the user.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.below_moved() {
            Some((moved, rest)) => write!(f, "${}{rest}", moved.variable),
            None => f.write_str(self.path()),
        }
    }
}

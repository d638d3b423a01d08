//! Why a file is not judged.

/// Why a file is not judged.
///
/// Each is a fact about the file or about its syntax as a whole; none carries anything from inside
/// it, since a parser's message quotes the text it could not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Obstacle {
    /// It is a symbolic link.
    Link,
    /// A directory on the path to it is a symbolic link or not a directory.
    Path,
    /// It is a directory, pipe, socket or device.
    NotAFile,
    /// It is larger than 1 MiB, or grew beyond that while it was read.
    TooLarge,
    /// It is larger than its program accepts.
    TooLargeForProgram,
    /// The directory has more files than are checked.
    TooMany,
    /// It may not be read.
    Unreadable,
    /// It was replaced between the check and the read.
    Replaced,
    /// It changed while it was read.
    Changed,
    /// It is not UTF-8.
    NotUtf8,
    /// It starts with a byte order mark, which some programs skip and others refuse.
    ByteOrderMark,
    /// It is not JSON, or nests deeper than anyone writes by hand.
    NotJson,
    /// It is JSON with comments, which its program does not accept.
    Comments,
    /// It is JSON, but not an object.
    NotAnObject,
    /// It is not TOML, or nests deeper than anyone writes by hand.
    NotToml,
    /// Its YAML front matter cannot be read as plain keys and values.
    FrontMatter,
    /// A key is repeated, and programs disagree on which one counts.
    DuplicateKey,
    /// It is a package's and names no release.
    NoRelease,
}

impl Obstacle {
    /// Every obstacle.
    pub const ALL: &'static [Self] = &[
        Self::Link,
        Self::Path,
        Self::NotAFile,
        Self::TooLarge,
        Self::TooLargeForProgram,
        Self::TooMany,
        Self::Unreadable,
        Self::Replaced,
        Self::Changed,
        Self::NotUtf8,
        Self::ByteOrderMark,
        Self::NotJson,
        Self::Comments,
        Self::NotAnObject,
        Self::NotToml,
        Self::FrontMatter,
        Self::DuplicateKey,
        Self::NoRelease,
    ];

    /// A stable word for programs, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Link => "unknown-link",
            Self::Path => "unknown-path",
            Self::NotAFile => "unknown-not-a-file",
            Self::TooLarge => "unknown-too-large",
            Self::TooLargeForProgram => "unknown-too-large-for-program",
            Self::TooMany => "unknown-too-many",
            Self::Unreadable => "unknown-unreadable",
            Self::Replaced => "unknown-replaced",
            Self::Changed => "unknown-changed",
            Self::NotUtf8 => "unknown-not-utf8",
            Self::ByteOrderMark => "unknown-byte-order-mark",
            Self::NotJson => "unknown-not-json",
            Self::Comments => "unknown-comments",
            Self::NotAnObject => "unknown-not-an-object",
            Self::NotToml => "unknown-not-toml",
            Self::FrontMatter => "unknown-front-matter",
            Self::DuplicateKey => "unknown-duplicate-key",
            Self::NoRelease => "unknown-no-release",
        }
    }

    /// What is the matter, as the rest of a sentence that begins with the file.
    #[must_use]
    pub const fn problem(self) -> &'static str {
        match self {
            Self::Link => "is a symbolic link, which is not followed",
            Self::Path => "lies behind a symbolic link or something that is no directory",
            Self::NotAFile => "is not a regular file",
            Self::TooLarge => "is larger than 1 MiB",
            Self::TooLargeForProgram => "is larger than its program accepts",
            Self::TooMany => "are more files than are looked at",
            Self::Unreadable => "cannot be read",
            Self::Replaced => "was replaced while it was looked at",
            Self::Changed => "changed while it was read",
            Self::NotUtf8 => "is not UTF-8",
            Self::ByteOrderMark => "starts with a byte order mark",
            Self::NotJson => "is not valid JSON",
            Self::Comments => "has comments, which the program does not accept",
            Self::NotAnObject => "is not a JSON object",
            Self::NotToml => "is not valid TOML",
            Self::FrontMatter => "has front matter that cannot be read",
            Self::DuplicateKey => "has the same key twice",
            Self::NoRelease => "names no release",
        }
    }

    /// What to do.
    #[must_use]
    pub const fn fix(self) -> &'static str {
        match self {
            Self::Link => "replace the link by the file itself",
            Self::Path => "replace the link by a real directory",
            Self::NotAFile => "remove it or put a regular file in its place",
            Self::TooLarge => "make it smaller than 1 MiB",
            Self::TooLargeForProgram => "make it smaller than 64 KiB",
            Self::TooMany => "remove those that are not needed",
            Self::Unreadable => {
                "run the check as a user who may read it, or correct its permissions"
            }
            Self::Replaced | Self::Changed => "run the check again when nothing writes the file",
            Self::NotUtf8 => "save it as UTF-8",
            Self::ByteOrderMark => "save it as UTF-8 without a byte order mark",
            Self::NotJson => "correct its JSON",
            Self::Comments => "remove the comments",
            Self::NotAnObject => "put its settings into one JSON object",
            Self::NotToml => "correct its TOML",
            Self::FrontMatter => "write its front matter as plain keys and values, without aliases",
            Self::DuplicateKey => "keep one of the two",
            Self::NoRelease => "install the package again",
        }
    }
}

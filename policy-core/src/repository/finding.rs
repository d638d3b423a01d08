//! What is wrong with a policy repository, told to a program by a code and to a person by a sentence.

use core::cmp::Ordering;
use core::fmt;
use core::num::NonZeroU32;

use crate::path::PathError;
use crate::quote::write_escaped;
use crate::refusal::PatternError;

/// How much a [`Finding`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The policy is refused: it yields no decision and no file.
    Error,
    /// The policy is used, and somebody should look at this.
    Warning,
    /// Worth knowing.
    Information,
}

impl Severity {
    /// `error`, `warning` or `information`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Information => "information",
        }
    }
}

impl fmt::Display for Severity {
    /// Writes [`as_str`](Severity::as_str).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One line a code: `Variant "text" Severity "what it means";`.
macro_rules! codes {
    ($($variant:ident $text:literal $severity:ident $about:literal;)+) => {
        /// What kind of problem a [`Finding`] is: stable, so that a program may rely on its text.
        ///
        /// A code is never renamed and never changes its meaning; new ones are added.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(
                #[doc = concat!("`", $text, "`: ", $about, ".")]
                $variant,
            )+
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The code's text, in kebab-case.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The severity of every finding with this code.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity),+ }
            }

            /// What the code means, in a few words, for a table of all codes.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => $about),+ }
            }
        }
    };
}

codes! {
    // The directory.
    Unreadable      "unreadable"       Error   "a file or directory could not be read";
    ChangedFile     "changed-file"     Error   "a file or directory that changed while it was read";
    EmptyRepository "empty-repository" Error   "the directory holds no part of a policy";
    MissingHalos    "missing-halos"    Warning "there is no `halos.yaml`, so no ring to decide for";
    TooManyFiles    "too-many-files"   Error   "more files than a policy repository may hold";
    NotAFile        "not-a-file"       Error   "a directory, pipe, socket or device where a file belongs, or the reverse";
    LinkOutside     "link-outside"     Error   "a symbolic link that leaves the repository";
    LinkBroken      "link-broken"      Error   "a symbolic link that leads to nothing";
    LinkLoop        "link-loop"        Error   "a symbolic link that leads back to itself";
    StrayFile       "stray-file"       Error   "a file or directory that would not be read where it lies";
    NearMissName    "near-miss-name"   Warning "an entry that is not read and whose name is nearly one that is";
    DuplicateFile   "duplicate-file"   Error   "two files of the same name";
    BadName         "bad-name"         Error   "a profile, unit or ring whose name does not fit";

    // The text.
    EmptyFile        "empty-file"        Error "a file of nothing, or of white space and comments only";
    TooLarge         "too-large"         Error "more bytes than a file, or all files together, may have";
    NotUtf8          "not-utf8"          Error "bytes that are no UTF-8";
    Nul              "nul"               Error "a NUL character";
    ControlCharacter "control-character" Error "a character that hides, reorders or breaks lines of the text";
    NotYaml          "not-yaml"          Error "text that is not YAML";
    SeveralDocuments "several-documents" Error "more than one YAML document in a file";
    Directive        "directive"         Error "a YAML directive";
    Tag              "tag"               Error "a YAML tag; also an unquoted word that begins with `!`";
    UnknownAlias     "unknown-alias"     Error "an alias without its anchor; also an unquoted word that begins with `*`";
    TooDeep          "too-deep"          Error "more nesting than a document may have";
    TooManyAliases   "too-many-aliases"  Error "aliases that repeat more than a document may hold";
    TooManyValues    "too-many-values"   Error "more values than a document may hold";

    // The document.
    UnknownKey     "unknown-key"     Error "a key that is not known in its place";
    DuplicateKey   "duplicate-key"   Error "a key that is written twice";
    MissingKey     "missing-key"     Error "a key that must be there and is not";
    WrongType      "wrong-type"      Error "a value of another kind than belongs in its place";
    EmptyValue     "empty-value"     Error "a key or a list entry with nothing after it";
    UnknownMode    "unknown-mode"    Error "a sandbox mode that does not exist";
    UnknownDefault "unknown-default" Error "an `egress.default` other than allow and deny";
    UnknownPosture "unknown-posture" Error "a posture that does not exist";
    UnknownPreset  "unknown-preset"  Error "a preset that does not exist";
    UnknownHarness "unknown-harness" Error "a harness that does not exist";
    BadVersion     "bad-version"     Error "a harness pin that is not one exact version";
    UnknownProfile "unknown-profile" Error "a profile that has no file";
    UnknownRing    "unknown-ring"    Error "a ring that `halos.yaml` does not define";
    MoreFindings   "more-findings"   Error "a file with more errors than are listed";
    MoreWarnings   "more-warnings"   Warning "a file with more warnings than are listed";

    // The spelling of a host pattern.
    PatternEmpty "pattern-empty" Error "not a host pattern: there is no host";
    PatternControl "pattern-control-character" Error "not a host pattern: a control character";
    PatternWhiteSpace "pattern-white-space" Error "not a host pattern: white space";
    PatternNonAscii "pattern-non-ascii" Error "not a host pattern: characters beyond ASCII";
    PatternUpperCase "pattern-upper-case" Error "not a host pattern: an upper-case letter";
    PatternScheme "pattern-scheme" Error "not a host pattern: a scheme";
    PatternUserinfo "pattern-userinfo" Error "not a host pattern: userinfo";
    PatternPort "pattern-port" Error "not a host pattern: a port";
    PatternPath "pattern-path" Error "not a host pattern: a path";
    PatternQuery "pattern-query" Error "not a host pattern: a query";
    PatternQuestionMark "pattern-question-mark" Error "not a host pattern: a `?`, which is no wildcard here";
    PatternPercent "pattern-percent" Error "not a host pattern: a `%`";
    PatternBrackets "pattern-brackets" Error "not a host pattern: brackets around an address";
    PatternRegex "pattern-regex" Error "not a host pattern: characters of a glob or regular expression";
    PatternBareWildcard "pattern-bare-wildcard" Error "not a host pattern: a bare `*` allows or denies everything";
    PatternDoubleWildcard "pattern-double-wildcard" Error "not a host pattern: a `**`";
    PatternWildcardPosition "pattern-wildcard-position" Error "not a host pattern: a `*` that is not the whole first label";
    PatternWildcardAddress "pattern-wildcard-address" Error "not a host pattern: a wildcard before an address";
    PatternCidr "pattern-cidr" Error "not a host pattern: an address range";
    PatternTrailingDot "pattern-trailing-dot" Error "not a host pattern: a dot at the end";
    PatternLeadingDot "pattern-leading-dot" Error "not a host pattern: a dot at the beginning";
    PatternEmptyLabel "pattern-empty-label" Error "not a host pattern: an empty label";
    PatternLabelTooLong "pattern-label-too-long" Error "not a host pattern: a label over 63 bytes";
    PatternTooLong "pattern-too-long" Error "not a host pattern: a name over 253 bytes";
    PatternNumericLastLabel "pattern-numeric-last-label" Error "not a host pattern: a number where a name or a plain IPv4 address belongs";
    PatternMappedAddress "pattern-mapped-address" Error "not a host pattern: an IPv4-mapped IPv6 address";
    PatternIpv6 "pattern-ipv6" Error "not a host pattern: not an IPv6 address";
    PatternIpv6Spelling "pattern-ipv6-spelling" Error "not a host pattern: an IPv6 address that is not in RFC 5952 form";
    PatternALabel "pattern-a-label" Error "not a host pattern: an `xn--` label that is no valid A-label";
    PatternCharacter "pattern-character" Error "not a host pattern: a character that no host name has";

    // The spelling and the place of a writable root or protected path.
    PathEmpty "path-empty" Error "a writable root or protected path cannot be empty";
    PathTooLong "path-too-long" Error "a writable root or protected path cannot be longer than 4095 bytes";
    PathControlCharacter "path-control-character" Error "a writable root or protected path cannot contain control characters";
    PathWindowsDrive "path-windows-drive" Error "a writable root or protected path cannot start with a Windows drive";
    PathBackslash "path-backslash" Error "a writable root or protected path cannot contain a backslash";
    PathVariable "path-variable" Error "a writable root or protected path cannot contain `$`, since no harness expands variables";
    PathUserHome "path-user-home" Error "a writable root or protected path cannot name another user's home as `~user`";
    PathCharacter "path-character" Error "a writable root or protected path cannot contain `!`, `(`, `)`, `{` or `}`";
    PathSpace "path-space" Error "a writable root or protected path cannot contain spaces around a name, nor spaces other than the plain one";
    PathNotNormalized "path-not-normalized" Error "a writable root or protected path cannot contain characters that have another spelling, or none to be seen";
    PathDotComponent "path-dot-component" Error "a writable root or protected path cannot contain `.` or `..`";
    PathTrailingDot "path-trailing-dot" Error "a name in a writable root or protected path cannot end in a dot";
    PathDoubleSlash "path-double-slash" Error "a writable root or protected path cannot contain `//`";
    PathTrailingSlash "path-trailing-slash" Error "a writable root or protected path cannot end in a slash";
    PathRelativeRoot "root-relative" Error "a writable root cannot be relative";
    PathGlobRoot "root-glob" Error "a writable root cannot be a glob";
    PathFilesystemRoot "root-is-filesystem" Error "a writable root cannot be `/`";
    PathHomeRoot "root-is-home" Error "a writable root cannot be a home directory";
    PathSystemRoot "root-is-system" Error "a writable root cannot be a system directory";
    PathUnderSystemRoot "root-under-system" Error "a writable root cannot be inside a system directory";
    PathReservedRoot "root-reserved" Error "a writable root cannot be over or under a place that decides what runs, or under which policy";
    ProtectsFilesystem "protected-filesystem" Error "a protected path cannot be `/`";
    ProtectsHome "protected-home" Error "a protected path cannot be the whole home directory";
    ProtectsWorkspace "protected-workspace" Error "a protected path cannot be the whole workspace";
    PathGlobFromRoot "protected-glob-from-root" Error "a protected path cannot start with `/**`";
    PathMalformedGlob "protected-malformed-glob" Error "a protected path whose glob is not whole";

    // Rings and profiles.
    TwoDefaultRings "two-default-rings" Error   "more than one ring is marked `default: true`";
    NoRings         "no-rings"          Warning "a `halos.yaml` without rings, so no ring to decide for";
    ExtendsCycle    "extends-cycle"     Error   "a profile that extends itself, at once or through others";
    TooManyEntries  "too-many-entries"  Error   "more entries than all policies together may hold, with what they inherit";
    GatewayUrl      "gateway-url"       Error   "a gateway that is no absolute http or https URL";
    NoGateway       "no-gateway"        Warning "no gateway, so its rule is not applied";
    GatewayDenied   "gateway-denied"    Error   "a policy that denies the gateway host";
    GatewayDeniedUnused "gateway-denied-unused" Warning "a profile that no ring uses and that denies the gateway host";
    WidensParent    "widens-parent"     Warning "a profile that permits what its parent does not";
    NoEffect        "no-effect"         Warning "an empty list that changes nothing";

    // What amounts to a bypass.
    ModeConflict    "mode-conflict"     Error   "`sandbox.mode` and `permissions.sandbox` with different values";
    ModeImplied     "mode-implied"      Warning "no sandbox mode beside rules that need one: workspace-write";
    OffWithRules    "off-with-rules"    Error   "sandbox mode off together with egress rules, protected paths or writable roots";
    ReadOnlyWithRoots "read-only-with-roots" Error "sandbox mode read-only together with a writable root";
    RootAndProtected  "root-and-protected"   Error "a writable root over or under a protected path";
    DefaultAllowWithAllowlist "default-allow-with-allowlist" Error "`default: allow` together with `allowedDomains` or `presets`";
    AmbiguousEmptyAllowlist   "ambiguous-empty-allowlist"    Error "an allowlist that is empty, with no `default`";
    WildcardOverPublicSuffix  "wildcard-over-public-suffix"  Error "an allowed wildcard over a public suffix";
    OverlayLoosens  "overlay-loosens"   Error   "an overlay that permits what the ring does not, or drops a restriction";
    OverlayConflict "overlay-conflict"  Error   "two overlays that set one list to different sets";

    // What is legal and was most likely not meant.
    DuplicateEntry  "duplicate-entry"   Warning "an entry that its list holds already";
    CoveredEntry    "covered-entry"     Warning "an entry that another entry of its list covers";
    ShadowedEntry   "shadowed-entry"    Warning "an allowed entry that a denied one takes back";
    ShadowedPreset  "shadowed-preset"   Warning "a part of a preset that a denied entry takes back";
    PresetOverlap   "preset-overlap"    Warning "an allowed entry and a preset that allow the same";
    OpenSubdomains  "open-subdomains"   Warning "a denied host whose subdomains all stay allowed";
    OpenApex        "open-apex"         Warning "a denied wildcard whose own name stays allowed";
    PresetsRemain   "presets-remain"    Warning "a unit's `allowedDomains` that leaves inherited presets allowed";
    PresetName      "preset-name"       Warning "the name of a preset where a host belongs";
    UnrestrictedEgress  "unrestricted-egress"  Warning "a ring that may reach every host, since nothing is written about hosts";
    UnrestrictedSandbox "unrestricted-sandbox" Warning "a ring without a sandbox, since nothing is written that needs one";
    SingleLabel     "single-label"      Warning "an allowed name of one label";
    WildcardOverPrivateSuffix "wildcard-over-private-suffix" Warning "an allowed wildcard over or above a suffix under which anyone may get a name";
    WildcardOverUnknownZone   "wildcard-over-unknown-zone"   Warning "an allowed wildcard over a zone that is in no public list";
    LookAlike       "look-alike"        Warning "an allowed name that looks like another, or mixes scripts";
    ProvidersBesideGateway "providers-beside-gateway" Information "preset `model-providers` together with a gateway";
}

impl Code {
    /// Whether it tells that something could not be read, or not as it stands, and nothing about the
    /// policy: what was asked for is not there, may not be read, failed, changed meanwhile, or is more than is
    /// read. A pipe or a link to nothing in place of a file is the repository's own fault.
    ///
    /// A command ends with another status for such a finding than for an error of the policy.
    ///
    /// ```
    /// use policy_core::{Code, Repository};
    ///
    /// let repository = Repository::read("no-such-directory".as_ref());
    /// assert!(repository.findings().iter().any(|finding| finding.code().is_of_reading()));
    /// assert!(!Code::EmptyFile.is_of_reading());
    /// ```
    #[must_use]
    pub const fn is_of_reading(self) -> bool {
        matches!(
            self,
            Self::Unreadable | Self::ChangedFile | Self::TooManyFiles | Self::TooLarge
        )
    }

    /// The code of this text.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }

    /// The code of a pattern that was refused; `every_pattern_error_is_a_code` holds the tables
    /// together.
    pub(crate) fn of_pattern(error: PatternError) -> Self {
        Self::from_text(error.code()).unwrap_or(Self::PatternCharacter)
    }

    /// The code of a path that was refused; `every_path_error_is_a_code` holds the tables together.
    pub(crate) fn of_path(error: PathError) -> Self {
        Self::from_text(error.code()).unwrap_or(Self::PathCharacter)
    }
}

impl fmt::Display for Code {
    /// Writes [`as_str`](Code::as_str).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A place in a text file, as an editor counts: from line 1 and column 1, in characters.
///
/// A character is a Unicode scalar value. A byte order mark at the start of a file is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    line: NonZeroU32,
    column: NonZeroU32,
}

impl Position {
    pub(crate) const fn new(line: NonZeroU32, column: NonZeroU32) -> Self {
        Self { line, column }
    }

    /// The line, from 1.
    #[must_use]
    pub const fn line(self) -> NonZeroU32 {
        self.line
    }

    /// The column, from 1, in characters.
    #[must_use]
    pub const fn column(self) -> NonZeroU32 {
        self.column
    }
}

impl fmt::Display for Position {
    /// Writes `line:column`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One problem of a policy repository: what, where, and what to do about it.
///
/// Its text is for people: the first line stands alone and can be searched for, those below it are
/// indented by two spaces, and no character of the policy can break a line or hide.
///
/// ```text
/// error[unknown-key] profiles/base.yaml:3:3: unknown key `allowedDomain`
///   path: profiles.base.egress.allowedDomain
///   help: did you mean `allowedDomains`?
/// ```
///
/// Findings are ordered by file, position, path and code. What concerns a whole file comes before
/// what has a position in it, and what concerns the repository comes first of all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    code: Code,
    file: Box<str>,
    position: Option<Position>,
    path: Box<str>,
    message: Box<str>,
    help: Option<Box<str>>,
    evidence: Option<Box<str>>,
}

impl Finding {
    /// A finding about the repository as a whole; the methods below say more.
    pub(crate) fn new(code: Code, message: impl Into<Box<str>>) -> Self {
        Self {
            code,
            file: Box::default(),
            position: None,
            path: Box::default(),
            message: message.into(),
            help: None,
            evidence: None,
        }
    }

    pub(crate) fn in_file(mut self, file: impl Into<Box<str>>) -> Self {
        self.file = file.into();
        self
    }

    pub(crate) fn at(mut self, position: Option<Position>) -> Self {
        self.position = position;
        self
    }

    pub(crate) fn on(mut self, path: impl Into<Box<str>>) -> Self {
        self.path = path.into();
        self
    }

    pub(crate) fn with_help(mut self, help: impl Into<Box<str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With the rings named where the message leaves a place for them.
    pub(crate) fn with_rings(mut self, place: &str, rings: &str) -> Self {
        self.message = self.message.replace(place, rings).into();
        self
    }

    /// One host or path that shows the problem.
    pub(crate) fn with_evidence(mut self, evidence: impl Into<Box<str>>) -> Self {
        self.evidence = Some(evidence.into());
        self
    }

    /// The severity of its [`code`](Finding::code).
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// What kind of problem it is.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The file, relative to the repository, with `/` between its parts; empty when the finding is
    /// about the repository as a whole.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The place in the file, where it is known.
    #[must_use]
    pub const fn position(&self) -> Option<Position> {
        self.position
    }

    /// The value it is about, such as `profiles.engineering.egress.allowedDomains[2]`; empty when it
    /// is about a file as a whole.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong, in one line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to write instead, or where to look.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// One host or path that shows the problem.
    #[must_use]
    pub fn evidence(&self) -> Option<&str> {
        self.evidence.as_deref()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.severity(), self.code)?;
        if !self.file.is_empty() {
            f.write_str(" ")?;
            write_escaped(f, &self.file)?;
            if let Some(position) = self.position {
                write!(f, ":{position}")?;
            }
        }
        f.write_str(": ")?;
        write_escaped(f, &self.message)?;
        let path = Some(&*self.path).filter(|path| !path.is_empty());
        let evidence = self.evidence.as_deref();
        let help = self.help.as_deref();
        for (label, text) in [("path", path), ("evidence", evidence), ("help", help)] {
            if let Some(text) = text {
                write!(f, "\n  {label}: ")?;
                write_escaped(f, text)?;
            }
        }
        Ok(())
    }
}

impl Ord for Finding {
    fn cmp(&self, other: &Self) -> Ordering {
        let file = self.file.cmp(&other.file);
        file.then_with(|| self.position.cmp(&other.position))
            .then_with(|| self.path.cmp(&other.path))
            .then_with(|| self.code.as_str().cmp(other.code.as_str()))
            .then_with(|| self.message.cmp(&other.message))
            .then_with(|| self.help.cmp(&other.help))
            .then_with(|| self.evidence.cmp(&other.evidence))
    }
}

impl PartialOrd for Finding {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Code;
    use crate::path::PathError;
    use crate::refusal::PatternError;

    #[test]
    fn every_pattern_error_is_a_code() {
        for error in PatternError::ALL {
            let code = Code::from_text(error.code());
            assert_eq!(code, Some(Code::of_pattern(*error)), "{error}");
        }
    }

    #[test]
    fn every_path_error_is_a_code() {
        use PathError::*;
        let (directory, place, why) = ("/etc", "~/.codex", "why");
        for error in [
            Empty,
            TooLong,
            ControlCharacter,
            WindowsDrive,
            Backslash,
            Variable,
            UserHome,
            Character,
            Space,
            NotNormalized,
            DotComponent,
            TrailingDot,
            DoubleSlash,
            TrailingSlash,
            RelativeRoot,
            GlobRoot,
            FilesystemRoot,
            HomeRoot,
            SystemRoot { directory },
            UnderSystemRoot { directory },
            ReservedRoot { place, why },
            ProtectsFilesystem,
            ProtectsHome,
            ProtectsWorkspace,
            GlobFromRoot,
            MalformedGlob,
        ] {
            // One that is not in the list above does not compile here.
            match error {
                Empty
                | TooLong
                | ControlCharacter
                | WindowsDrive
                | Backslash
                | Variable
                | UserHome
                | Character
                | Space
                | NotNormalized
                | DotComponent
                | TrailingDot
                | DoubleSlash
                | TrailingSlash
                | RelativeRoot
                | GlobRoot
                | FilesystemRoot
                | HomeRoot
                | SystemRoot { .. }
                | UnderSystemRoot { .. }
                | ReservedRoot { .. }
                | ProtectsFilesystem
                | ProtectsHome
                | ProtectsWorkspace
                | GlobFromRoot
                | MalformedGlob => {}
            }
            let code = Code::from_text(error.code());
            assert_eq!(code, Some(Code::of_path(error)), "{error}");
        }
    }
}

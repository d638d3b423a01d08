//! From documents to layers: every value parsed, and each with its place.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use egress_preset::Preset;
use semver::Version;

use crate::advice;
use crate::decision::Verdict;
use crate::harness::Harness;
use crate::path::{PathError, ProtectedPath, WritableRoot};
use crate::pattern::Pattern;
use crate::quote::{quoted, quoted_host};
use crate::refusal::PatternError;
use crate::repository::document::{
    At, DefaultWord, EgressPart, Entry, List, ModeWord, OverlayDocument, ProfileDocument,
    SandboxPart, UnitDocument,
};
use crate::repository::finding::{Code, Finding, Position};
use crate::repository::lint::is_over_public_suffix;
use crate::repository::report::{Report, Reports};
use crate::sandbox::Mode;

/// What kind of layer says a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A profile: of the ring, or one that it extends.
    Profile,
    /// An overlay of a unit.
    Overlay,
}

impl Role {
    /// `profile` or `overlay`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Overlay => "overlay",
        }
    }
}

/// One authored document, or one overlay of a unit, with every value parsed.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) role: Role,
    /// Relative to the repository.
    pub(crate) file: String,
    /// `profiles.base`, or `units.payments.overlays[0]`.
    pub(crate) root: String,
    pub(crate) allowed: Option<List<Pattern>>,
    pub(crate) presets: Option<List<Preset>>,
    pub(crate) denied: Option<List<Pattern>>,
    pub(crate) default: Option<At<Verdict>>,
    /// `permissions.sandbox` and `sandbox.mode` are one scalar.
    pub(crate) mode: Option<At<Mode>>,
    /// The spellings of that scalar which are written; where none is, the one to write.
    pub(crate) mode_keys: &'static [&'static str],
    pub(crate) roots: Option<List<WritableRoot>>,
    pub(crate) protected: Option<List<ProtectedPath>>,
    pub(crate) harnesses: Vec<(At<Harness>, At<Version>)>,
    /// The key of `extends`, or of the overlay.
    pub(crate) position: Option<Position>,
    /// Whether every value could be parsed: a list may lack entries otherwise, and a scalar may
    /// only look unset.
    pub(crate) intact: bool,
}

/// Where a layer says a thing, for findings about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'l> {
    pub(crate) layer: &'l Layer,
    /// Later layers have the later word.
    pub(crate) rank: usize,
    pub(crate) field: Field,
    pub(crate) index: Option<usize>,
    pub(crate) position: Option<Position>,
}

/// A field of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Allowed,
    Presets,
    Denied,
    Default,
    Mode,
    Roots,
    Protected,
    Extends,
}

impl Field {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Allowed => "egress.allowedDomains",
            Self::Presets => "egress.presets",
            Self::Denied => "egress.deniedDomains",
            Self::Default => "egress.default",
            Self::Mode => "sandbox.mode",
            Self::Roots => "sandbox.writableRoots",
            Self::Protected => "sandbox.protectedPaths",
            Self::Extends => "extends",
        }
    }
}

impl PartialEq for Origin<'_> {
    /// Whether both are the same place.
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.layer, other.layer)
            && (self.rank, self.field, self.index) == (other.rank, other.field, other.index)
    }
}

impl Origin<'_> {
    /// A finding about this place.
    pub(crate) fn finding(&self, code: Code, message: impl Into<Box<str>>) -> Finding {
        Finding::new(code, message)
            .in_file(self.layer.file.as_str())
            .at(self.position)
            .on(self.path())
    }

    /// Reports a message and its remedy about this place, unless there are too many already.
    pub(crate) fn report(
        &self,
        reports: &mut Reports,
        code: Code,
        words: impl FnOnce() -> (String, String),
    ) {
        reports.offer(&self.layer.file, code, || {
            let (message, help) = words();
            self.finding(code, message).with_help(help)
        });
    }

    /// `profiles/base.yaml:7`, for a message about another place.
    pub(crate) fn place(&self) -> String {
        match self.position {
            Some(position) => format!("{}:{}", self.layer.file, position.line()),
            None => self.layer.file.clone(),
        }
    }

    /// The place in the document: `profiles.base.egress.deniedDomains[0]`.
    pub(crate) fn path(&self) -> String {
        let (root, field) = (&self.layer.root, self.field.name());
        match self.index {
            Some(index) => format!("{root}.{field}[{index}]"),
            None => format!("{root}.{field}"),
        }
    }

    /// The place of an entry of this list.
    pub(crate) fn entry<T>(self, entry: &Entry<T>) -> Self {
        Self {
            index: Some(entry.index),
            position: entry.position,
            ..self
        }
    }

    /// The one of two places with the later word; the first where they are of one layer.
    pub(crate) fn later(self, other: Self) -> Self {
        if other.rank > self.rank { other } else { self }
    }
}

impl Layer {
    /// Parses a profile. What cannot be parsed is a finding and left out.
    pub(crate) fn of_profile(document: ProfileDocument, report: &mut Report) -> Self {
        let mut reader = Reader {
            root: format!("profiles.{}", document.name),
            intact: document.intact,
            report,
        };
        let extends = document.extends.and_then(|extends| extends.position);
        let layer = reader.layer(document.egress, document.sandbox);
        Self {
            role: Role::Profile,
            harnesses: document.harnesses,
            position: extends,
            ..reader.place(layer, document.file)
        }
    }

    /// Parses an overlay of a unit. An attempt to drop what the ring restricts is a finding and left
    /// out.
    pub(crate) fn of_overlay(
        unit: &UnitDocument,
        overlay: Entry<OverlayDocument>,
        report: &mut Report,
    ) -> Self {
        let mut document = overlay.value;
        let denied = take_drops(
            &mut document.egress.denied_domains,
            Field::Denied,
            unit.intact,
        );
        let protected = take_drops(
            &mut document.sandbox.protected_paths,
            Field::Protected,
            unit.intact,
        );
        let mut reader = Reader {
            root: format!("units.{}.overlays[{}]", unit.name, overlay.index),
            intact: unit.intact,
            report,
        };
        let layer = reader.layer(document.egress, document.sandbox);
        let layer = Self {
            position: overlay.position,
            ..reader.place(layer, unit.file.clone())
        };
        for drop in denied.into_iter().chain(protected) {
            report.add(|| drop.finding(&layer));
        }
        layer
    }

    /// The layer and its entries, for a bound on the work.
    pub(crate) fn weight(&self) -> usize {
        fn len<T>(list: Option<&List<T>>) -> usize {
            list.map_or(0, |list| list.value.len())
        }
        [
            len(self.allowed.as_ref()),
            len(self.presets.as_ref()),
            len(self.denied.as_ref()),
            len(self.roots.as_ref()),
            len(self.protected.as_ref()),
        ]
        .into_iter()
        .fold(1, usize::saturating_add)
    }

    /// The place of a field, as a part of a whole in which this layer has a rank.
    pub(crate) fn at(&self, rank: usize, field: Field) -> Origin<'_> {
        let position = match field {
            Field::Allowed => self.allowed.as_ref().and_then(|list| list.position),
            Field::Presets => self.presets.as_ref().and_then(|list| list.position),
            Field::Denied => self.denied.as_ref().and_then(|list| list.position),
            Field::Roots => self.roots.as_ref().and_then(|list| list.position),
            Field::Protected => self.protected.as_ref().and_then(|list| list.position),
            Field::Default => self.default.as_ref().and_then(|scalar| scalar.position),
            Field::Mode => self.mode.as_ref().and_then(|scalar| scalar.position),
            Field::Extends => self.position,
        };
        Origin {
            layer: self,
            rank,
            field,
            index: None,
            position,
        }
    }

    /// The place of `allowedDomains`, or else of `presets`, if either is written.
    pub(crate) fn allowlist(&self, rank: usize) -> Option<Origin<'_>> {
        let written = |field, is_written: bool| is_written.then(|| self.at(rank, field));
        written(Field::Allowed, self.allowed.is_some())
            .or(written(Field::Presets, self.presets.is_some()))
    }
}

/// An attempt of an overlay to drop what the ring restricts: an entry `"!entry"`, or `[]`.
struct Drop {
    field: Field,
    /// `None` for `[]`.
    entry: Option<Entry<String>>,
}

impl Drop {
    fn finding(&self, layer: &Layer) -> Finding {
        let at = layer.at(0, self.field);
        let (at, message) = match &self.entry {
            Some(entry) => {
                let message = format!("{} drops an entry of the ring", quoted(&entry.value));
                (at.entry(entry), message)
            }
            None => (at, "`[]` drops every entry of the ring".to_owned()),
        };
        at.finding(Code::OverlayLoosens, message).with_help(
            "remove it: a unit only adds to this list; what a ring drops, its profile drops",
        )
    }
}

/// Takes the attempts to drop inherited entries out of a restriction list. A list that is empty
/// because nothing in it could be read is none.
fn take_drops(list: &mut Option<List<String>>, field: Field, intact: bool) -> Vec<Drop> {
    let Some(list) = list else { return Vec::new() };
    if list.value.is_empty() && intact {
        return alloc::vec![Drop { field, entry: None }];
    }
    let drops = |entry: &Entry<String>| entry.value.starts_with('!');
    let (dropping, kept): (Vec<_>, Vec<_>) = core::mem::take(&mut list.value)
        .into_iter()
        .partition(drops);
    list.value = kept;
    let entries = dropping.into_iter().map(Some);
    entries.map(|entry| Drop { field, entry }).collect()
}

/// What is wrong with one text, and what to write instead.
struct Refusal {
    code: Code,
    message: String,
    help: String,
}

fn allowed_pattern(text: &str) -> Result<Pattern, Refusal> {
    pattern(text, Verdict::Allow)
}

fn denied_pattern(text: &str) -> Result<Pattern, Refusal> {
    pattern(text, Verdict::Deny)
}

/// A pattern of one of the two lists: what is legal to write depends on which.
fn pattern(text: &str, list: Verdict) -> Result<Pattern, Refusal> {
    Pattern::parse(text).map_err(|error| Refusal {
        code: Code::of_pattern(error),
        message: format!("{} is not a host pattern: {error}", quoted_host(text)),
        help: pattern_help(error, text, list),
    })
}

fn pattern_help(error: PatternError, text: &str, list: Verdict) -> String {
    if advice::is_every_host(error, text) {
        return match list {
            Verdict::Allow => "for every host write `default: allow`, and allow none".to_owned(),
            Verdict::Deny => "for every host write `default: deny`, and allow none".to_owned(),
        };
    }
    let help = error.help(text);
    // What comes from a list of blocked hosts is not to be allowed in any spelling.
    if list == Verdict::Deny || advice::blocks(error, text) {
        return help;
    }
    match error
        .suggestions(text)
        .iter()
        .find(|one| is_over_public_suffix(one))
    {
        Some(wildcard) => format!(
            "write the registered names: `{wildcard}` would allow every name that anyone registers"
        ),
        None => help,
    }
}

fn writable_root(text: &str) -> Result<WritableRoot, Refusal> {
    WritableRoot::parse(text).map_err(|error| Refusal {
        code: Code::of_path(error),
        message: format!("{} is no writable root: {error}", quoted(text)),
        help: path_help(error, WritableRoot::suggestion(text)),
    })
}

/// The spelling to write where there is one, else the remedy in words.
fn path_help(error: PathError, spelling: Option<String>) -> String {
    spelling.map_or_else(
        || error.help().to_owned(),
        |spelling| format!("write {}", quoted(&spelling)),
    )
}

fn protected_path(text: &str) -> Result<ProtectedPath, Refusal> {
    ProtectedPath::parse(text).map_err(|error| Refusal {
        code: Code::of_path(error),
        message: format!("{} is no protected path: {error}", quoted(text)),
        help: path_help(error, ProtectedPath::suggestion(text)),
    })
}

/// Parses the values of one layer, whose place in its document is `root`.
struct Reader<'r> {
    root: String,
    /// Whether every value could be read and parsed so far.
    intact: bool,
    report: &'r mut Report,
}

impl Reader<'_> {
    /// The layer without its place.
    fn layer(&mut self, egress: EgressPart, sandbox: SandboxPart) -> Layer {
        Layer {
            role: Role::Overlay,
            mode: self.mode(&sandbox),
            mode_keys: match (&sandbox.mode, &sandbox.permissions_sandbox) {
                (Some(_), Some(_)) => &["sandbox.mode", "permissions.sandbox"],
                (None, Some(_)) => &["permissions.sandbox"],
                (_, None) => &["sandbox.mode"],
            },
            allowed: self.list(egress.allowed_domains, Field::Allowed, allowed_pattern),
            presets: egress.presets,
            denied: self.list(egress.denied_domains, Field::Denied, denied_pattern),
            default: egress.default.map(|word| At {
                value: match word.value {
                    DefaultWord::Allow => Verdict::Allow,
                    DefaultWord::Deny => Verdict::Deny,
                },
                position: word.position,
            }),
            roots: self.list(sandbox.writable_roots, Field::Roots, writable_root),
            protected: self.list(sandbox.protected_paths, Field::Protected, protected_path),
            harnesses: Vec::new(),
            position: None,
            file: String::new(),
            root: String::new(),
            intact: true,
        }
    }

    fn place(self, layer: Layer, file: String) -> Layer {
        Layer {
            file,
            root: self.root,
            intact: self.intact,
            ..layer
        }
    }

    fn list<T>(
        &mut self,
        list: Option<List<String>>,
        field: Field,
        parse: impl Fn(&str) -> Result<T, Refusal>,
    ) -> Option<List<T>> {
        let list = list?;
        let mut entries = Vec::with_capacity(list.value.len());
        for Entry {
            index,
            value,
            position,
        } in list.value
        {
            match parse(&value) {
                Ok(value) => entries.push(Entry {
                    index,
                    value,
                    position,
                }),
                Err(refusal) => {
                    self.intact = false;
                    let path = || format!("{}.{}[{index}]", self.root, field.name());
                    self.report.add(|| {
                        Finding::new(refusal.code, refusal.message)
                            .at(position)
                            .on(path())
                            .with_help(refusal.help)
                    });
                }
            }
        }
        Some(At {
            value: entries,
            position: list.position,
        })
    }

    /// `sandbox.mode` and `permissions.sandbox` are one scalar; neither holds where they differ.
    fn mode(&mut self, part: &SandboxPart) -> Option<At<Mode>> {
        let (first, second) = (part.mode.as_ref(), part.permissions_sandbox.as_ref());
        let parsed = |word: &At<ModeWord>| At {
            value: mode_of(word.value),
            position: word.position,
        };
        let (first, second) = (first.map(parsed), second.map(parsed));
        if let (Some(mode), Some(other)) = (&first, &second)
            && mode.value != other.value
        {
            self.intact = false;
            let path = format!("{}.sandbox.mode", self.root);
            let place = other
                .position
                .map_or_else(String::new, |at| format!(" in line {}", at.line()));
            self.report.add(|| {
                let message = format!(
                    "`sandbox.mode` is `{}` and `permissions.sandbox`{place} is `{}`",
                    mode.value, other.value
                );
                Finding::new(Code::ModeConflict, message)
                    .at(mode.position)
                    .on(path)
                    .with_help("they are two spellings of one setting: keep one of them")
            });
            return None;
        }
        first.or(second)
    }
}

fn mode_of(word: ModeWord) -> Mode {
    match word {
        ModeWord::Off => Mode::Off,
        ModeWord::WorkspaceWrite => Mode::WorkspaceWrite,
        ModeWord::ReadOnly => Mode::ReadOnly,
    }
}

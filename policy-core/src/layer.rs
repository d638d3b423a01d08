//! From documents to layers, and from layers to what holds: `extends` adds up, overlays narrow.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use egress_preset::Preset;
use semver::Version;

use crate::decision::Verdict;
use crate::document::{
    At, DefaultWord, EgressPart, Entry, List, ModeWord, OverlayDocument, ProfileDocument,
    SandboxPart,
};
use crate::egress::{Egress, EgressBuilder};
use crate::finding::{Code, Finding, Position};
use crate::harness::Harness;
use crate::path::{PathError, ProtectedPath, WritableRoot};
use crate::pattern::Pattern;
use crate::quote::quoted;
use crate::report::Report;
use crate::sandbox::Mode;

/// One authored document, or one overlay of a unit, with every value parsed.
#[derive(Debug)]
pub(crate) struct Layer {
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
    pub(crate) roots: Option<List<WritableRoot>>,
    pub(crate) protected: Option<List<ProtectedPath>>,
    pub(crate) harnesses: Vec<(At<Harness>, At<Version>)>,
    /// The key of `extends`, or of the overlay.
    pub(crate) position: Option<Position>,
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

impl Origin<'_> {
    /// A finding about this place.
    pub(crate) fn finding(&self, code: Code, message: impl Into<Box<str>>) -> Finding {
        let path = match self.index {
            Some(index) => format!("{}.{}[{index}]", self.layer.root, self.field.name()),
            None => format!("{}.{}", self.layer.root, self.field.name()),
        };
        Finding::new(code, message)
            .in_file(self.layer.file.as_str())
            .at(self.position)
            .on(path)
    }

    /// `(profiles/base.yaml:7)`, for a message about another place.
    pub(crate) fn place(&self) -> String {
        match self.position {
            Some(position) => format!("({}:{})", self.layer.file, position.line()),
            None => format!("({})", self.layer.file),
        }
    }

    /// The one of two places with the later word; the first where they are of one layer.
    pub(crate) fn later(self, other: Self) -> Self {
        if other.rank > self.rank { other } else { self }
    }
}

impl Layer {
    /// Parses a profile. What cannot be parsed is a finding and left out.
    pub(crate) fn of_profile(name: &str, document: ProfileDocument, report: &mut Report) -> Self {
        let root = format!("profiles.{name}");
        let position = document
            .extends
            .as_ref()
            .and_then(|extends| extends.position);
        let mut layer = Self::parse(
            document.file,
            root,
            document.egress,
            document.sandbox,
            position,
            report,
        );
        layer.harnesses = document.harnesses;
        layer
    }

    /// Parses the overlay with this index of a unit.
    pub(crate) fn of_overlay(
        file: &str,
        unit: &str,
        overlay: Entry<OverlayDocument>,
        report: &mut Report,
    ) -> Self {
        let root = format!("units.{unit}.overlays[{}]", overlay.index);
        let mut document = overlay.value;
        let mut drops = take_drops(&mut document.egress.denied_domains, Field::Denied);
        drops.extend(take_drops(
            &mut document.sandbox.protected_paths,
            Field::Protected,
        ));
        let layer = Self::parse(
            file.to_owned(),
            root,
            document.egress,
            document.sandbox,
            overlay.position,
            report,
        );
        for Drop {
            field,
            index,
            position,
            text,
        } in drops
        {
            let message = match text {
                Some(text) => format!("{} drops an entry of the ring", quoted(&text)),
                None => "an empty list drops every entry of the ring".to_owned(),
            };
            report.add(|| {
                Origin {
                    index,
                    ..layer.origin(0, field, position)
                }
                .finding(Code::OverlayLoosens, message)
                .with_help("a unit can only add here: remove it, or change the profile")
            });
        }
        layer
    }

    fn parse(
        file: String,
        root: String,
        egress: EgressPart,
        sandbox: SandboxPart,
        position: Option<Position>,
        report: &mut Report,
    ) -> Self {
        let mut reader = Reader {
            file: &file,
            root: &root,
            report,
        };
        let mode = reader.mode(&sandbox);
        let allowed = reader.list(egress.allowed_domains, Field::Allowed, pattern);
        let denied = reader.list(egress.denied_domains, Field::Denied, pattern);
        let roots = reader.list(sandbox.writable_roots, Field::Roots, writable_root);
        let protected = reader.list(sandbox.protected_paths, Field::Protected, protected_path);
        Self {
            allowed,
            presets: egress.presets,
            denied,
            default: egress.default.map(|word| At {
                value: match word.value {
                    DefaultWord::Allow => Verdict::Allow,
                    DefaultWord::Deny => Verdict::Deny,
                },
                position: word.position,
            }),
            mode,
            roots,
            protected,
            harnesses: Vec::new(),
            position,
            file,
            root,
        }
    }

    pub(crate) fn origin(
        &self,
        rank: usize,
        field: Field,
        position: Option<Position>,
    ) -> Origin<'_> {
        Origin {
            layer: self,
            rank,
            field,
            index: None,
            position,
        }
    }
}

/// An attempt of an overlay to drop what the ring restricts: an entry `"!entry"`, or `[]`.
struct Drop {
    field: Field,
    index: Option<usize>,
    position: Option<Position>,
    text: Option<String>,
}

/// Takes the attempts to drop inherited entries out of a restriction list.
fn take_drops(list: &mut Option<List<String>>, field: Field) -> Vec<Drop> {
    let Some(list) = list else { return Vec::new() };
    if list.value.is_empty() {
        return alloc::vec![Drop {
            field,
            index: None,
            position: list.position,
            text: None
        }];
    }
    let is_drop = |entry: &Entry<String>| entry.value.starts_with('!');
    let (drops, kept) = core::mem::take(&mut list.value)
        .into_iter()
        .partition(is_drop);
    list.value = kept;
    let drops: Vec<Entry<String>> = drops;
    drops
        .into_iter()
        .map(|entry| Drop {
            field,
            index: Some(entry.index),
            position: entry.position,
            text: Some(entry.value),
        })
        .collect()
}

/// What is wrong with one text, and what to write instead.
struct Refusal {
    code: Code,
    message: String,
    help: String,
}

fn pattern(text: &str) -> Result<Pattern, Refusal> {
    Pattern::parse(text).map_err(|error| Refusal {
        code: Code::of_pattern(error),
        message: format!("{} is not a host pattern: {error}", quoted(text)),
        help: error.help(text),
    })
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

struct Reader<'r> {
    file: &'r str,
    root: &'r str,
    report: &'r mut Report,
}

impl Reader<'_> {
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
                Err(refusal) => self.report.add(|| {
                    Finding::new(refusal.code, refusal.message)
                        .in_file(self.file)
                        .at(position)
                        .on(format!("{}.{}[{index}]", self.root, field.name()))
                        .with_help(refusal.help)
                }),
            }
        }
        Some(At {
            value: entries,
            position: list.position,
        })
    }

    fn mode(&mut self, part: &SandboxPart) -> Option<At<Mode>> {
        let (first, second) = (part.mode.as_ref(), part.permissions_sandbox.as_ref());
        if let (Some(mode), Some(other)) = (first, second)
            && mode.value != other.value
        {
            self.report.add(|| {
                Finding::new(
                    Code::ModeConflict,
                    format!(
                        "`sandbox.mode` is `{}` and `permissions.sandbox` is `{}`",
                        mode_of(mode.value),
                        mode_of(other.value)
                    ),
                )
                .in_file(self.file)
                .at(mode.position)
                .on(format!("{}.sandbox.mode", self.root))
                .with_help("they are two spellings of one setting: keep one of them")
            });
        }
        first.or(second).map(|word| At {
            value: mode_of(word.value),
            position: word.position,
        })
    }
}

fn mode_of(word: ModeWord) -> Mode {
    match word {
        ModeWord::Off => Mode::Off,
        ModeWord::WorkspaceWrite => Mode::WorkspaceWrite,
        ModeWord::ReadOnly => Mode::ReadOnly,
    }
}

/// An entry that holds, and the place that says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held<'l, T> {
    pub(crate) value: &'l T,
    pub(crate) origin: Origin<'l>,
}

/// What holds after every layer has spoken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resolved<'l> {
    pub(crate) allowed: Vec<Held<'l, Pattern>>,
    pub(crate) presets: Vec<Held<'l, Preset>>,
    pub(crate) denied: Vec<Held<'l, Pattern>>,
    /// The last place that wrote `allowedDomains` or `presets`, even as `[]`.
    pub(crate) allowlist: Option<Origin<'l>>,
    /// Whether an overlay narrowed the allowlist, perhaps to nothing: then the default is deny.
    pub(crate) narrowed: bool,
    pub(crate) default: Option<(Verdict, Origin<'l>)>,
    pub(crate) mode: Option<(Mode, Origin<'l>)>,
    pub(crate) roots: Vec<Held<'l, WritableRoot>>,
    pub(crate) protected: Vec<Held<'l, ProtectedPath>>,
    pub(crate) pins: BTreeMap<Harness, &'l Version>,
    /// How many layers have spoken.
    pub(crate) layers: usize,
    last: Option<&'l Layer>,
}

impl<'l> Resolved<'l> {
    /// The layers of a profile, root ancestor first.
    pub(crate) fn of(chain: impl IntoIterator<Item = &'l Layer>) -> Self {
        let mut resolved = Self::default();
        for layer in chain {
            resolved.extend(layer);
        }
        resolved
    }

    /// A child speaks: scalars replace, lists add, an empty grant list clears.
    fn extend(&mut self, layer: &'l Layer) {
        let rank = self.layers;
        self.layers = rank.saturating_add(1);
        self.last = Some(layer);
        grant(
            &mut self.allowed,
            layer,
            &layer.allowed,
            Field::Allowed,
            rank,
        );
        grant(
            &mut self.presets,
            layer,
            &layer.presets,
            Field::Presets,
            rank,
        );
        grant(&mut self.roots, layer, &layer.roots, Field::Roots, rank);
        add(&mut self.denied, layer, &layer.denied, Field::Denied, rank);
        add(
            &mut self.protected,
            layer,
            &layer.protected,
            Field::Protected,
            rank,
        );
        for (written, field) in [
            (
                layer.allowed.as_ref().map(|list| list.position),
                Field::Allowed,
            ),
            (
                layer.presets.as_ref().map(|list| list.position),
                Field::Presets,
            ),
        ] {
            if let Some(position) = written {
                self.allowlist = Some(layer.origin(rank, field, position));
            }
        }
        if let Some(default) = &layer.default {
            self.default = Some((
                default.value,
                layer.origin(rank, Field::Default, default.position),
            ));
        }
        if let Some(mode) = &layer.mode {
            self.mode = Some((mode.value, layer.origin(rank, Field::Mode, mode.position)));
        }
        for (harness, version) in &layer.harnesses {
            self.pins.insert(harness.value, &version.value);
        }
    }

    /// How many entries hold, for a bound on the work.
    pub(crate) fn len(&self) -> usize {
        [
            self.allowed.len(),
            self.presets.len(),
            self.denied.len(),
            self.roots.len(),
            self.protected.len(),
        ]
        .into_iter()
        .fold(1, usize::saturating_add)
    }

    /// The `extends` key of the last layer, for a finding that no entry of it explains.
    pub(crate) fn last_layer(&self) -> Option<Origin<'l>> {
        let layer = self.last?;
        Some(Origin {
            layer,
            rank: self.layers.saturating_sub(1),
            field: Field::Extends,
            index: None,
            position: layer.position,
        })
    }

    /// The rules as an engine; refused where the two rules of the engine are broken.
    pub(crate) fn egress(&self) -> Option<Egress> {
        let mut builder = self.allow_rules();
        for entry in &self.denied {
            builder = builder.deny(entry.value.clone());
        }
        match self.default {
            Some((Verdict::Allow, _)) if self.narrowed => {}
            Some((verdict, _)) => builder = builder.default_verdict(verdict),
            None => {}
        }
        if self.narrowed {
            builder.build_narrowed()
        } else {
            builder.build()
        }
        .ok()
    }

    /// What is allowed before anything is denied.
    pub(crate) fn permits(&self) -> Option<Egress> {
        let mut builder = self.allow_rules();
        if let Some((verdict, _)) = self.default
            && !self.narrowed
        {
            builder = builder.default_verdict(verdict);
        }
        if self.narrowed {
            builder.build_narrowed()
        } else {
            builder.build()
        }
        .ok()
    }

    fn allow_rules(&self) -> EgressBuilder {
        let mut builder = Egress::builder();
        for entry in &self.allowed {
            builder = builder.allow(entry.value.clone());
        }
        let presets: BTreeSet<Preset> = self.presets.iter().map(|entry| *entry.value).collect();
        for preset in presets {
            builder = builder.preset(preset);
        }
        builder
    }

    /// Whether any rule restricts or permits hosts, so that `off` would leave it unenforced; with
    /// the place of the first such rule.
    pub(crate) fn egress_rule(&self) -> Option<Origin<'l>> {
        self.denied
            .first()
            .or(self.allowed.first())
            .map(|entry| entry.origin)
            .or(self.presets.first().map(|entry| entry.origin))
            .or(self
                .default
                .and_then(|(verdict, origin)| (verdict == Verdict::Deny).then_some(origin)))
            .or(if self.narrowed { self.allowlist } else { None })
    }

    /// The mode that holds and whether it is implied; `None` when there is no sandbox policy.
    pub(crate) fn effective_mode(&self) -> Option<(Mode, bool)> {
        match self.mode {
            Some((mode, _)) => Some((mode, false)),
            None => (self.egress_rule().is_some()
                || !self.roots.is_empty()
                || !self.protected.is_empty())
            .then_some((Mode::WorkspaceWrite, true)),
        }
    }

    /// The unit's overlays speak, all at once and in no order. The result is what they say; whether
    /// they may say it is for [`judge`](crate::overlay::judge) and for the proof.
    pub(crate) fn narrow(&self, overlays: &[&'l Layer]) -> Self {
        let mut result = self.clone();
        let rank = self.layers;
        result.layers = rank.saturating_add(1);
        for layer in overlays {
            if replace(
                &mut result.allowed,
                layer,
                &layer.allowed,
                Field::Allowed,
                rank,
            ) {
                result.narrowed = true;
                result.allowlist = Some(layer.origin(
                    rank,
                    Field::Allowed,
                    layer.allowed.as_ref().and_then(|list| list.position),
                ));
            }
            if replace(
                &mut result.presets,
                layer,
                &layer.presets,
                Field::Presets,
                rank,
            ) {
                result.narrowed = true;
                result.allowlist = Some(layer.origin(
                    rank,
                    Field::Presets,
                    layer.presets.as_ref().and_then(|list| list.position),
                ));
            }
            replace(&mut result.roots, layer, &layer.roots, Field::Roots, rank);
            add(
                &mut result.denied,
                layer,
                &layer.denied,
                Field::Denied,
                rank,
            );
            add(
                &mut result.protected,
                layer,
                &layer.protected,
                Field::Protected,
                rank,
            );
            if let Some(default) = &layer.default {
                result.default = Some((
                    default.value,
                    layer.origin(rank, Field::Default, default.position),
                ));
            }
            if let Some(mode) = &layer.mode
                && result.mode.is_none_or(|(held, _)| mode.value < held)
            {
                result.mode = Some((mode.value, layer.origin(rank, Field::Mode, mode.position)));
            }
        }
        result
    }
}

/// A grant list of a child: `[]` clears what was inherited, anything else adds.
fn grant<'l, T>(
    held: &mut Vec<Held<'l, T>>,
    layer: &'l Layer,
    list: &'l Option<List<T>>,
    field: Field,
    rank: usize,
) {
    if list.as_ref().is_some_and(|list| list.value.is_empty()) {
        held.clear();
    }
    add(held, layer, list, field, rank);
}

fn add<'l, T>(
    held: &mut Vec<Held<'l, T>>,
    layer: &'l Layer,
    list: &'l Option<List<T>>,
    field: Field,
    rank: usize,
) {
    held.extend(list.iter().flat_map(|list| &list.value).map(|entry| Held {
        value: &entry.value,
        origin: Origin {
            layer,
            rank,
            field,
            index: Some(entry.index),
            position: entry.position,
        },
    }));
}

/// A grant list of an overlay takes the place of the inherited one; whether it was there.
fn replace<'l, T>(
    held: &mut Vec<Held<'l, T>>,
    layer: &'l Layer,
    list: &'l Option<List<T>>,
    field: Field,
    rank: usize,
) -> bool {
    if list.is_some() {
        held.clear();
    }
    add(held, layer, list, field, rank);
    list.is_some()
}

//! The clauses of a policy: what a ledger accounts for.

use core::fmt;

use policy_core::{Mode, Pattern, Policy, ProtectedPath, Rule, Source, Verdict, WritableRoot};
use serde::{Serialize, Serializer};

/// The way by which an agent reaches a host or a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Channel {
    /// The commands it runs.
    Shell,
    /// Its own tool that fetches a URL.
    FetchTool,
    /// Its own tools that read and write files.
    FileTools,
}

impl Channel {
    /// `shell`, `fetch tool` or `file tools`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::FetchTool => "fetch tool",
            Self::FileTools => "file tools",
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Channel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// One clause of a policy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Clause {
    /// The sandbox mode; `workspace-write` where other rules imply it.
    Mode(Mode),
    /// A writable root.
    WritableRoot(WritableRoot),
    /// A protected path.
    ProtectedPath(ProtectedPath),
    /// An allowed host, with the list that allows it.
    Allow(Pattern, Source),
    /// A denied host.
    Deny(Pattern),
    /// What becomes of a host that no entry matches.
    Default(Verdict),
}

impl Clause {
    /// Every clause of a policy, each once: mode, roots, protected paths, allowed hosts, denied
    /// hosts, default.
    #[must_use]
    pub fn of(policy: &Policy) -> Vec<Self> {
        let egress = policy.egress();
        let mode = (policy.sandbox().is_some() || policy.has_egress_rules())
            .then(|| Self::Mode(effective_mode(policy)));
        let (roots, protected) = policy.sandbox().map_or((&[][..], &[][..]), |sandbox| {
            (sandbox.writable_roots(), sandbox.protected_paths())
        });
        let allowed = egress.allowed();
        let default = match egress.default_rule() {
            Rule::Default { verdict, .. } => verdict,
            // An unknown default denies.
            _ => Verdict::Deny,
        };
        mode.into_iter()
            .chain(roots.iter().cloned().map(Self::WritableRoot))
            .chain(protected.iter().cloned().map(Self::ProtectedPath))
            .chain(allowed.map(|(pattern, source)| Self::Allow(pattern.into(), source)))
            .chain(egress.denied().map(|pattern| Self::Deny(pattern.into())))
            .chain([Self::Default(default)])
            .collect()
    }

    /// The clause behind a rule of a decision.
    #[must_use]
    pub fn of_rule(rule: Rule<'_>) -> Self {
        match rule {
            Rule::Denied { pattern } => Self::Deny(pattern.into()),
            Rule::Allowed { pattern } => Self::Allow(pattern.into(), Source::Allowed),
            Rule::Preset { preset, pattern } => Self::Allow(pattern.into(), Source::Preset(preset)),
            Rule::Default { verdict, .. } => Self::Default(verdict),
            // A rule of a kind unknown here is taken for one that denies.
            _ => Self::Default(Verdict::Deny),
        }
    }

    /// The field of the profile that the clause comes from, such as `egress.deniedDomains`.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Mode(_) => "sandbox.mode",
            Self::WritableRoot(_) => "sandbox.writableRoots",
            Self::ProtectedPath(_) => "sandbox.protectedPaths",
            Self::Allow(_, Source::Preset(_)) => "egress.presets",
            Self::Allow(..) => "egress.allowedDomains",
            Self::Deny(_) => "egress.deniedDomains",
            Self::Default(_) => "egress.default",
        }
    }

    /// The channels that the clause limits. The mode and the writable roots are the shell's; a
    /// protected path is closed to file tools as well, and a host to the fetch tool.
    #[must_use]
    pub const fn channels(&self) -> &'static [Channel] {
        match self {
            Self::Mode(_) | Self::WritableRoot(_) => &[Channel::Shell],
            Self::ProtectedPath(_) => &[Channel::Shell, Channel::FileTools],
            Self::Allow(..) | Self::Deny(_) | Self::Default(_) => {
                &[Channel::Shell, Channel::FetchTool]
            }
        }
    }

    /// The field's value, without its name.
    pub(crate) fn entry(&self) -> String {
        match self {
            Self::Mode(mode) => mode.to_string(),
            Self::WritableRoot(root) => root.to_string(),
            Self::ProtectedPath(path) => path.to_string(),
            Self::Allow(pattern, Source::Preset(preset)) => {
                format!("{} ({pattern})", preset.name())
            }
            Self::Allow(pattern, _) | Self::Deny(pattern) => pattern.to_string(),
            Self::Default(verdict) => verdict.to_string(),
        }
    }
}

impl fmt::Display for Clause {
    /// The field and its entry, as a decision names its rule: `egress.presets vcs (github.com)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.field(), self.entry())
    }
}

/// The mode that is meant: with egress rules and no sandbox it is `workspace-write`, as validation
/// implies it, since only a sandbox binds a shell to hosts.
pub(crate) fn effective_mode(policy: &Policy) -> Mode {
    match policy.sandbox() {
        Some(sandbox) => sandbox.mode(),
        None if policy.has_egress_rules() => Mode::WorkspaceWrite,
        None => Mode::Off,
    }
}

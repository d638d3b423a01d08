//! The answer, and the rule that gave it.

use core::fmt;

use egress_preset::Preset;

use crate::pattern::PatternRef;

/// Allow or deny.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The host may not be reached.
    Deny,
    /// The host may be reached.
    Allow,
}

impl Verdict {
    /// `allow` or `deny`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The verdict on one host with the rule that gave it. [`Egress::decide`](crate::Egress::decide)
/// is the only source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision<'p> {
    rule: Rule<'p>,
}

impl<'p> Decision<'p> {
    #[inline]
    pub(crate) fn new(rule: Rule<'p>) -> Self {
        Self { rule }
    }

    /// Allow or deny.
    #[must_use]
    #[inline]
    pub fn verdict(&self) -> Verdict {
        self.rule.verdict()
    }

    /// Whether the verdict is allow.
    #[must_use]
    #[inline]
    pub fn is_allowed(&self) -> bool {
        self.verdict() == Verdict::Allow
    }

    /// The rule that decided.
    #[must_use]
    #[inline]
    pub fn rule(&self) -> Rule<'p> {
        self.rule
    }
}

/// The rule that decided. Its `Display` is what people read and grep for:
/// `egress.presets vcs (github.com)`.
///
/// Ordered by precedence in a decision: denied, allowed, presets, default; then by pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule<'p> {
    /// A pattern of `egress.deniedDomains` matched.
    Denied {
        /// The pattern that matched.
        pattern: PatternRef<'p>,
    },
    /// A pattern of `egress.allowedDomains` matched.
    Allowed {
        /// The pattern that matched.
        pattern: PatternRef<'p>,
    },
    /// A host of a preset matched.
    Preset {
        /// The preset.
        preset: Preset,
        /// Its pattern that matched.
        pattern: PatternRef<'p>,
    },
    /// No pattern matched; the default decided.
    Default {
        /// The default.
        verdict: Verdict,
        /// Whether the policy leaves `default` unset.
        implied: bool,
    },
}

impl<'p> Rule<'p> {
    /// The policy field that decided: `egress.deniedDomains`, `egress.allowedDomains`,
    /// `egress.presets` or `egress.default`.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::Denied { .. } => "egress.deniedDomains",
            Self::Allowed { .. } => "egress.allowedDomains",
            Self::Preset { .. } => "egress.presets",
            Self::Default { .. } => "egress.default",
        }
    }

    /// What the rule says.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Denied { .. } => Verdict::Deny,
            Self::Allowed { .. } | Self::Preset { .. } => Verdict::Allow,
            Self::Default { verdict, .. } => *verdict,
        }
    }

    /// The pattern that matched; `None` when the default decided.
    #[must_use]
    pub fn pattern(&self) -> Option<PatternRef<'p>> {
        match *self {
            Self::Denied { pattern } | Self::Allowed { pattern } | Self::Preset { pattern, .. } => {
                Some(pattern)
            }
            Self::Default { .. } => None,
        }
    }
}

impl fmt::Display for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.field())?;
        match self {
            Self::Denied { pattern } | Self::Allowed { pattern } => write!(f, " {pattern}"),
            Self::Preset { preset, pattern } => write!(f, " {} ({pattern})", preset.name()),
            Self::Default { verdict, implied } => {
                write!(f, " {verdict}{}", if *implied { " (implied)" } else { "" })
            }
        }
    }
}

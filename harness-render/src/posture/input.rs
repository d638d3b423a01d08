//! What a check is given: one document, and the managed settings against which it is judged.

use policy_core::Harness;
use semver::Version;

use crate::target::Os;

use super::hosts::Hosts;
use super::place::Kind;
use super::summary::Summary;
use super::value::{NOTHING, Value};

/// The managed settings of one harness on one device, as far as they can be judged.
pub(crate) struct Managed {
    pub(super) harness: Harness,
    pub(super) os: Os,
    pub(super) layers: Vec<(Kind, Value)>,
    pub(super) is_unknown: bool,
    pub(super) hosts: Option<Hosts>,
    pub(super) release: Option<Version>,
    pub(super) summary: fn(&Self) -> Summary,
}

impl Managed {
    /// The system.
    pub(crate) const fn os(&self) -> Os {
        self.os
    }

    /// The release by which keys are judged; none where it is not known.
    pub(crate) const fn release(&self) -> Option<&Version> {
        self.release.as_ref()
    }

    /// What the policy permits, where one was given.
    pub(crate) const fn hosts(&self) -> Option<&Hosts> {
        self.hosts.as_ref()
    }

    pub(crate) const fn is_known(&self) -> bool {
        !self.is_unknown
    }

    /// What the settings turn on.
    pub(super) fn summary(&self) -> Summary {
        if self.is_unknown {
            Summary::UNKNOWN
        } else {
            (self.summary)(self)
        }
    }

    /// Whether anything turns the sandbox or egress on. A managed file that cannot be judged counts
    /// as one that does.
    pub(crate) fn is_restricted(&self) -> bool {
        self.is_unknown || self.summary().restricts()
    }

    /// All the files taken together.
    pub(crate) fn settings(&self) -> &Value {
        self.layers(Kind::Managed).next().unwrap_or(&NOTHING)
    }

    /// The documents of a kind. None while any managed file cannot be judged, since what it says may
    /// undo what the others do.
    pub(crate) fn layers(&self, kind: Kind) -> impl Iterator<Item = &Value> {
        self.layers
            .iter()
            .filter(move |(layer, _)| *layer == kind && self.is_known())
            .map(|(_, value)| value)
    }
}

/// One document and the settings against which it is judged.
pub(crate) struct Input<'a> {
    pub(super) document: &'a Value,
    pub(super) managed: &'a Managed,
    pub(super) of_a_clone: bool,
}

impl Input<'_> {
    /// A value of the document.
    pub(crate) fn at(&self, keys: &[&str]) -> &Value {
        self.document.at(keys)
    }

    pub(crate) fn document(&self) -> &Value {
        self.document
    }

    /// A value of the managed settings.
    pub(crate) fn managed(&self, keys: &[&str]) -> &Value {
        self.managed.settings().at(keys)
    }

    /// The managed settings themselves.
    pub(crate) fn against(&self) -> &Managed {
        self.managed
    }

    /// Whether it is a repository's file.
    pub(crate) const fn is_of_a_clone(&self) -> bool {
        self.of_a_clone
    }

    /// Whether nothing is known of what a policy closes: a repository's file where nothing is managed,
    /// or managed settings that cannot be judged. What a policy may close counts as closed then.
    pub(crate) fn lacks_settings(&self) -> bool {
        !self.managed.is_known() || (self.of_a_clone && !self.managed.is_restricted())
    }
}

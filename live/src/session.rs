//! What every program has: how it is asked, in which world, and what its answers are.

use harness_render::{Channel, Rendering};
use policy_core::Harness;
use semver::Version;

use crate::Result;
use crate::cache::Cache;
use crate::question::Question;
use crate::verdict::Seen;
use crate::world::World;

/// A program that can be asked.
#[derive(Debug)]
pub(crate) struct Program {
    /// Its section in `versions.toml`.
    pub(crate) name: &'static str,
    /// Whose rendering it gets.
    pub(crate) harness: Harness,
    /// The channels in which it is asked.
    pub(crate) channels: &'static [Channel],
    /// The address of every name.
    pub(crate) address: &'static str,
    /// How many questions of a channel are put to its own tools, which take a turn of the
    /// conversation each.
    pub(crate) patience: usize,
    pub(crate) ask: fn(&Session<'_>, &[Question]) -> Result<Vec<Asked>>,
}

/// One program in one world with one rendering.
#[derive(Debug)]
pub(crate) struct Session<'s> {
    pub(crate) world: &'s World,
    pub(crate) cache: &'s Cache,
    /// The npm package.
    pub(crate) package: &'s str,
    pub(crate) version: &'s Version,
    pub(crate) rendering: &'s Rendering,
}

impl Session<'_> {
    /// A file of the installed package, at one of these paths below `node_modules`.
    pub(crate) fn file(&self, paths: &[&str]) -> Result<String> {
        self.cache
            .file(self.package, &self.version.to_string(), paths)
    }
}

/// One answer.
#[derive(Debug)]
pub(crate) struct Asked {
    /// The part of the program that gave it.
    pub(crate) by: &'static str,
    /// The place of the question in the list.
    pub(crate) question: usize,
    pub(crate) seen: Seen,
}

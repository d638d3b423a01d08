//! The programs, and how each is asked.

mod claude_code;
mod codex;
mod copilot_cli;
mod gemini_cli;
mod opencode;
mod sandbox_runtime;

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

/// Every program, the fastest first.
pub(crate) const PROGRAMS: &[Program] = &[
    codex::PROGRAM,
    sandbox_runtime::PROGRAM,
    claude_code::PROGRAM,
    copilot_cli::PROGRAM,
    opencode::PROGRAM,
    gemini_cli::PROGRAM,
];

/// The program of a name.
pub(crate) fn named(name: &str) -> Option<&'static Program> {
    PROGRAMS.iter().find(|program| program.name == name)
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::loosening::LOOSENINGS;
    use crate::pins::Pins;

    #[test]
    fn the_pins_and_the_programs_are_the_same() {
        let pins = Pins::read().expect("versions.toml is valid");
        let pinned: BTreeSet<&str> = pins.programs.keys().map(String::as_str).collect();
        let programs: BTreeSet<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        assert_eq!(pinned, programs);
        for (name, pin) in &pins.programs {
            let newest_first = pin.versions.is_sorted_by(|a, b| a > b);
            assert!(newest_first && !pin.versions.is_empty(), "{name}");
            if let Some(other) = &pin.rendered_for {
                assert!(Harness::from_name(&other.harness).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn every_loosening_is_of_a_program_and_has_a_name_of_its_own() {
        let mut names = BTreeSet::new();
        for loosening in LOOSENINGS {
            assert!(named(loosening.program).is_some(), "{}", loosening.program);
            assert!(
                names.insert((loosening.program, loosening.name)),
                "{}",
                loosening.name
            );
            assert!(!loosening.files.is_empty() || !loosening.variables.is_empty());
        }
    }
}

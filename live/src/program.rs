//! Every program that can be asked, one in each file below.

mod claude_code;
mod codex;
mod copilot_cli;
mod gemini_cli;
mod opencode;
mod sandbox_runtime;

use crate::session::Program;

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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use policy_core::Harness;

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
                assert!(other.harness.parse::<Harness>().is_ok(), "{name}");
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

//! The policy that a command is about.

use std::path::Path;

use policy_core::{
    Code, Egress, Organisation, Repository, SelectError, Selection, Severity, Validation,
};
use serde::Serialize;

use crate::cli::{Global, SelectionArgs};
use crate::out::{Out, shown};
use crate::watch;

/// The code of a policy that was read and has errors.
pub(crate) const INVALID: &str = "invalid-policy";

/// The code of a directory that holds no policy.
const NONE: &str = "no-policy";

/// Why there is no policy.
pub(crate) struct NoPolicy {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// Reads and validates the repository. A policy with errors yields nothing; its errors are
/// diagnostics.
pub(crate) fn read(global: &Global, out: &mut Out) -> Result<Validation, NoPolicy> {
    read_dir(&global.policy_dir, out)
}

/// The same for any directory.
pub(crate) fn read_dir(dir: &Path, out: &mut Out) -> Result<Validation, NoPolicy> {
    let validation = read_files(dir).validate();
    if validation.organisation().is_some() {
        // Profiles alone are valid, and there is no ring to decide for.
        let mut findings = validation.findings().iter();
        return match findings.find(|finding| finding.code() == Code::MissingHalos) {
            None => Ok(validation),
            Some(finding) => Err(NoPolicy {
                code: finding.code().as_str(),
                message: format!("there is no `halos.yaml` in {}", shown(dir)),
                help: finding.help().unwrap_or_default().to_owned(),
            }),
        };
    }
    for finding in validation.findings() {
        if finding.severity() == Severity::Error {
            out.diagnostic(finding);
        }
    }
    let code = missing(&validation).unwrap_or(INVALID);
    Err(NoPolicy {
        code,
        message: format!(
            "the policy in {} has {} errors",
            shown(dir),
            validation.count(Severity::Error)
        ),
        help: if code == NONE {
            "name the directory that holds `halos.yaml` with `--policy-dir`".to_owned()
        } else {
            validate(dir)
        },
    })
}

/// What shows the errors of the policy in a directory, wherever it is run. A path that a shell would
/// read as something else is only named.
fn validate(dir: &Path) -> String {
    let text = dir.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,".contains(c);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        format!("run `halo validate --policy-dir {text}`")
    } else {
        format!("run `halo validate` with `--policy-dir` for {}", shown(dir))
    }
}

/// The code of a directory that is no policy: it cannot be read whole, or holds none. A policy with
/// errors is one.
pub(crate) fn missing(validation: &Validation) -> Option<&'static str> {
    let mut findings = validation.findings().iter();
    findings.find_map(|finding| match finding.code() {
        code if code.is_of_reading() => Some("unreadable-policy"),
        Code::EmptyRepository => Some(NONE),
        _ => None,
    })
}

/// For a command that asks nothing of a policy: a directory that was named must hold one all the
/// same, or what is asked next with the same name is answered from nowhere.
pub(crate) fn require_named(global: &Global) -> Result<(), NoPolicy> {
    if !global.named {
        return Ok(());
    }
    match missing(&read_files(&global.policy_dir).validate()) {
        None => Ok(()),
        Some(code) => Err(NoPolicy {
            code,
            message: format!(
                "there is no policy that can be read in {}",
                shown(&global.policy_dir)
            ),
            help: "name the directory that holds `halos.yaml`".to_owned(),
        }),
    }
}

/// The files of a directory, within the time that a directory may take.
pub(crate) fn read_files(dir: &Path) -> Repository {
    let what = format!("reading the policy in {}", shown(dir));
    watch::during(what, watch::READING, || Repository::read(dir))
}

/// The organisation of a validation of `dir` that [`read`] let pass.
pub(crate) fn select<'v>(
    validation: &'v Validation,
    dir: &Path,
    args: &SelectionArgs,
) -> Result<(&'v Organisation, Selection<'v>), NoPolicy> {
    let organisation = validation.organisation().ok_or_else(|| NoPolicy {
        code: INVALID,
        message: "the policy has errors".to_owned(),
        help: validate(dir),
    })?;
    let selection = organisation
        .select(args.ring.as_deref(), args.unit.as_deref())
        .map_err(|error| NoPolicy {
            help: format!(
                "rings: {}; units: {}",
                list(organisation.rings().map(policy_core::Ring::name)),
                list(organisation.unit_names())
            ),
            ..NoPolicy::unselected(&error)
        })?;
    Ok((organisation, selection))
}

/// The policy of a profile.
pub(crate) fn select_profile<'v>(
    validation: &'v Validation,
    name: &str,
) -> Result<Selection<'v>, NoPolicy> {
    let organisation = validation.organisation();
    let organisation = organisation.ok_or_else(|| NoPolicy::unselected(&SelectError::Unsound))?;
    organisation.select_profile(name).map_err(|error| NoPolicy {
        help: format!("profiles: {}", list(organisation.profile_names())),
        ..NoPolicy::unselected(&error)
    })
}

impl NoPolicy {
    pub(crate) fn unselected(error: &SelectError) -> Self {
        Self {
            code: "no-selection",
            message: error.to_string(),
            help: String::new(),
        }
    }
}

fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// Every egress rule of a policy, presets expanded.
#[derive(Serialize)]
pub(crate) struct RulesJson {
    default: &'static str,
    allowed: Vec<EntryJson>,
    denied: Vec<String>,
}

#[derive(Serialize)]
struct EntryJson {
    pattern: String,
    source: String,
}

impl RulesJson {
    pub(crate) fn of(egress: &Egress) -> Self {
        Self {
            default: egress.default_rule().verdict().as_str(),
            allowed: egress
                .allowed()
                .map(|(pattern, source)| EntryJson {
                    pattern: pattern.to_string(),
                    source: source.to_string(),
                })
                .collect(),
            denied: egress.denied().map(|pattern| pattern.to_string()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::validate;
    use std::path::Path;

    #[test]
    fn the_command_that_shows_the_errors_names_the_directory() {
        for (dir, help) in [
            (".", "run `halo validate --policy-dir .`"),
            (
                "/else/where",
                "run `halo validate --policy-dir /else/where`",
            ),
            ("a b", "run `halo validate` with `--policy-dir` for `a b`"),
            ("$(x)", "run `halo validate` with `--policy-dir` for `$(x)`"),
            ("-x", "run `halo validate` with `--policy-dir` for `-x`"),
        ] {
            assert_eq!(validate(Path::new(dir)), help);
        }
    }
}

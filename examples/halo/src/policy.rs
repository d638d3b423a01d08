//! The policy that a command is about.

use policy_core::{Code, Organisation, Repository, Selection, Severity, Validation};

use crate::cli::{Global, SelectionArgs};
use crate::out::Out;

/// The code of a policy that was read and has errors.
pub(crate) const INVALID: &str = "invalid-policy";

/// Why there is no policy.
pub(crate) struct NoPolicy {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// Reads and validates the repository. A policy with errors yields nothing; its errors are
/// diagnostics.
pub(crate) fn read(global: &Global, out: &mut Out) -> Result<Validation, NoPolicy> {
    let validation = Repository::read(&global.policy_dir).validate();
    if validation.organisation().is_some() {
        return Ok(validation);
    }
    for finding in validation.findings() {
        if finding.severity() == Severity::Error {
            out.diagnostic(finding);
        }
    }
    let unreadable = validation
        .findings()
        .iter()
        .any(|finding| finding.code() == Code::Unreadable && finding.file().is_empty());
    Err(NoPolicy {
        code: if unreadable {
            "unreadable-policy"
        } else {
            INVALID
        },
        message: format!(
            "the policy in `{}` has {} errors",
            global.policy_dir.display(),
            validation.count(Severity::Error)
        ),
        help: "run `halo validate`".to_owned(),
    })
}

/// The organisation of a validation that [`read`] let pass.
pub(crate) fn select<'v>(
    validation: &'v Validation,
    args: &SelectionArgs,
) -> Result<(&'v Organisation, Selection<'v>), NoPolicy> {
    let organisation = validation.organisation().ok_or_else(|| NoPolicy {
        code: INVALID,
        message: "the policy has errors".to_owned(),
        help: "run `halo validate`".to_owned(),
    })?;
    let selection = organisation
        .select(args.ring.as_deref(), args.unit.as_deref())
        .map_err(|error| NoPolicy {
            code: "no-selection",
            message: error.to_string(),
            help: format!(
                "rings: {}; units: {}",
                list(organisation.rings().map(policy_core::Ring::name)),
                list(organisation.unit_names())
            ),
        })?;
    Ok((organisation, selection))
}

fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

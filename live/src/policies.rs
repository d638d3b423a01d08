//! The policies that programs are asked about.

use std::path::Path;

use policy_core::{Policy, Repository, Severity};

use crate::Result;

/// A policy and its name: the sample organisation's main ring, then the rings of `live/policies`.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) policy: Policy,
}

/// Every policy.
pub(crate) fn all() -> Result<Vec<Named>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut policies = rings(&here.join("../examples/acme"), "acme ")?;
    policies.retain(|named| named.name == "acme ring3-ga");
    policies.extend(rings(&here.join("policies"), "")?);
    Ok(policies)
}

fn rings(directory: &Path, prefix: &str) -> Result<Vec<Named>> {
    let validation = Repository::read(directory).validate();
    let Some(organisation) = validation.organisation() else {
        let errors = validation.findings().iter();
        let errors = errors.filter(|finding| finding.severity() == Severity::Error);
        let errors: Vec<String> = errors.map(ToString::to_string).collect();
        return Err(format!("{}: {}", directory.display(), errors.join("; ")).into());
    };
    let mut policies = Vec::new();
    for ring in organisation.rings() {
        let selection = organisation.select(Some(ring.name()), None)?;
        policies.push(Named {
            name: format!("{prefix}{}", ring.name()),
            policy: selection.into_policy(),
        });
    }
    Ok(policies)
}

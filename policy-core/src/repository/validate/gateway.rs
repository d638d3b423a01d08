//! The gateway: every policy must allow it, since the harnesses reach their models through it.

use alloc::format;
use alloc::string::{String, ToString};

use egress_preset::Preset;

use crate::decision::Rule;
use crate::host::Host;
use crate::policy::Policy;
use crate::quote::{quoted, quoted_host};
use crate::repository::document::OrganisationDocument;
use crate::repository::finding::{Code, Finding};
use crate::repository::organisation::Gateway;
use crate::repository::report::{RINGS, Reports};
use crate::repository::resolved::Resolved;

/// The gateway of `halos.yaml`; what is wrong with it is reported, also that there is none.
pub(super) fn read(document: &OrganisationDocument, reports: &mut Reports) -> Option<Gateway> {
    let finding = |code, message: String| {
        Finding::new(code, message)
            .in_file("halos.yaml")
            .on("halos.gateway")
    };
    let Some(gateway) = &document.gateway else {
        // It may be there and unreadable, which was told.
        if document.intact {
            let message = "no gateway, so no policy is checked to allow it".to_owned();
            reports.add(finding(Code::NoGateway, message).with_help(
                "write `gateway: https://ai.acme.example` if agents reach their models through one",
            ));
        }
        return None;
    };
    match parse(&gateway.value) {
        Ok(gateway) => Some(gateway),
        Err(why) => {
            let message = format!("{} is no gateway: {why}", quoted_host(&gateway.value));
            reports.add(
                finding(Code::GatewayUrl, message)
                    .at(gateway.position)
                    .with_help("write an absolute URL such as `https://ai.acme.example`"),
            );
            None
        }
    }
}

/// An absolute http or https URL, and its host without port.
fn parse(text: &str) -> Result<Gateway, String> {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    let known = |scheme: &str| {
        ["http", "https"]
            .iter()
            .any(|s| s.eq_ignore_ascii_case(scheme))
    };
    if !scheme.is_some_and(known) {
        return Err("not an absolute http or https URL".to_owned());
    }
    let host = Host::parse(text).map_err(|error| error.to_string())?;
    let url = url::Url::parse(text).map_err(|error| error.to_string())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a policy holds no credentials".to_owned());
    }
    Ok(Gateway {
        host,
        url: url.into(),
    })
}

/// Whose policy it is.
pub(super) enum Subject<'s> {
    Profile {
        name: &'s str,
        /// By a ring.
        used: bool,
    },
    Unit {
        name: &'s str,
        file: &'s str,
    },
}

/// The finding for a policy that denies the gateway, at the rule that denies it.
pub(super) fn denied(
    gateway: &Host,
    policy: &Policy,
    resolved: &Resolved<'_>,
    subject: &Subject<'_>,
) -> Finding {
    let decision = policy.egress().decide(gateway);
    let rule = decision.rule();
    let (code, who) = match subject {
        Subject::Profile { name, used: true } => {
            (Code::GatewayDenied, format!("profile {}", quoted(name)))
        }
        Subject::Profile { name, used: false } => (
            Code::GatewayDeniedUnused,
            format!("profile {}", quoted(name)),
        ),
        Subject::Unit { name, .. } => (
            Code::GatewayDenied,
            format!("unit {} in {RINGS}", quoted(name)),
        ),
    };
    let help = match rule {
        Rule::Denied { .. } => "deny less: the harnesses reach their models through it".to_owned(),
        _ => format!("add `{gateway}` to the allowed domains"),
    };
    let message = format!("{who} denies the gateway host `{gateway}` by {rule}");
    // Of several places that give the rule, the last word: what came before it did not matter. By a unit's own list of
    // what is allowed the default denies what the ring allows.
    let narrowed = match (subject, rule) {
        (Subject::Unit { .. }, Rule::Default { .. }) => resolved.allowlist,
        _ => None,
    };
    let place = narrowed.or_else(|| resolved.origins_of(rule).into_iter().next_back());
    let finding = match place.or_else(|| resolved.extends()) {
        Some(place) => place.finding(code, message),
        None => Finding::new(code, message),
    };
    finding.with_evidence(gateway.to_string()).with_help(help)
}

/// That the last layer names the preset of model providers although there is a gateway.
pub(super) fn providers(gateway: Option<&Host>, resolved: &Resolved<'_>, reports: &mut Reports) {
    let Some(gateway) = gateway else { return };
    let last = resolved.last_rank();
    let own = resolved
        .presets
        .iter()
        .filter(|entry| entry.origin.rank == last);
    for entry in own.filter(|entry| *entry.value == Preset::ModelProviders) {
        entry
            .origin
            .report(reports, Code::ProvidersBesideGateway, || {
                let message = format!("preset `model-providers` beside the gateway `{gateway}`");
                let help = "remove it: behind a gateway the harnesses call the gateway host alone";
                (message, help.to_owned())
            });
    }
}

//! `halo presets [NAME]`.

use egress_preset::{Preset, Source};
use serde::Serialize;

use super::Status;
use crate::cli::PresetsArgs;
use crate::out::{DIM, GOOD, Out};

#[derive(Serialize)]
struct PresetJson {
    name: &'static str,
    hosts: Vec<HostJson>,
}

#[derive(Serialize)]
struct HostJson {
    pattern: &'static str,
    source: Option<&'static str>,
    url: Option<&'static str>,
    consulted: Option<String>,
}

pub(crate) fn run(args: &PresetsArgs, out: &mut Out) -> Status {
    let presets: Vec<Preset> = match &args.name {
        None => Preset::ALL.to_vec(),
        Some(name) => match name.parse::<Preset>() {
            Ok(preset) => vec![preset],
            Err(_) => {
                let known: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
                let help = match policy_core::nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the presets are {}", known.join(", ")),
                };
                let message = format!("there is no preset {}", policy_core::quoted_host(name));
                out.error(&message, &help);
                return Ok(2);
            }
        },
    };
    if out.is_json() {
        let presets: Vec<PresetJson> = presets.iter().map(|preset| json(*preset)).collect();
        out.json(&presets)?;
        return Ok(0);
    }
    for (index, preset) in presets.iter().enumerate() {
        if index > 0 {
            out.line("")?;
        }
        out.line(format_args!("{GOOD}{preset}{GOOD:#}"))?;
        for host in preset.hosts() {
            let pattern = host.pattern();
            out.line(match host.source() {
                Source::Page {
                    title,
                    url,
                    consulted,
                } => {
                    format!("  {pattern:<36}{DIM}{title}, {consulted}  {url}{DIM:#}")
                }
                other => format!("  {pattern:<36}{DIM}{other}{DIM:#}"),
            })?;
        }
    }
    Ok(0)
}

fn json(preset: Preset) -> PresetJson {
    let hosts = preset.hosts().iter().map(|host| match host.source() {
        Source::Page {
            title,
            url,
            consulted,
        } => HostJson {
            pattern: host.pattern(),
            source: Some(title),
            url: Some(url),
            consulted: Some(consulted.to_string()),
        },
        _ => HostJson {
            pattern: host.pattern(),
            source: None,
            url: None,
            consulted: None,
        },
    });
    PresetJson {
        name: preset.name(),
        hosts: hosts.collect(),
    }
}

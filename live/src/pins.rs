//! Which programs are asked, in which releases: `versions.toml`.

use std::collections::BTreeMap;

use semver::Version;
use serde::Deserialize;

use crate::Result;

static TEXT: &str = include_str!("../versions.toml");

/// The pinned programs and the system tools they need.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Pins {
    pub(crate) debian: Debian,
    #[serde(flatten)]
    pub(crate) programs: BTreeMap<String, Pin>,
}

/// Debian packages, and the commands that show whether they are needed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Debian {
    pub(crate) packages: Vec<String>,
    pub(crate) commands: Vec<String>,
}

/// One program.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Pin {
    /// The package in the npm registry.
    pub(crate) npm: String,
    /// The releases, the newest first.
    pub(crate) versions: Vec<Version>,
    /// The harness and release whose rendering the program gets, where it is no harness itself.
    pub(crate) rendered_for: Option<RenderedFor>,
}

/// See [`Pin::rendered_for`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RenderedFor {
    pub(crate) harness: String,
    pub(crate) version: Version,
}

impl Pins {
    pub(crate) fn read() -> Result<Self> {
        Ok(toml::from_str(TEXT).map_err(|error| format!("live/versions.toml: {error}"))?)
    }
}

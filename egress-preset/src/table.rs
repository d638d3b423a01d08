//! The table: one line a host, sorted, with the page that names it.
//!
//! A page's date is the day a copy of it was read and named every host that cites it. Whoever adds a
//! host reads the page again and moves the date; CONTRIBUTING.md, "Add a preset host", has the steps.

use crate::{PresetHost, Source};

const fn host(pattern: &'static str, source: Source) -> PresetHost {
    PresetHost { pattern, source }
}

pub(crate) const MODEL_PROVIDERS: &[PresetHost] = &[
    host("*.githubcopilot.com", COPILOT_ALLOWLIST),
    host("api.anthropic.com", CLAUDE_CODE_NETWORK),
    host("api.githubcopilot.com", COPILOT_MANAGED_SETTINGS),
    host("api.openai.com", CODEX_MANAGED_CONFIGURATION),
    host("generativelanguage.googleapis.com", GEMINI_API),
];

pub(crate) const PACKAGE_REGISTRIES: &[PresetHost] = &[
    host("files.pythonhosted.org", PYPI_INTEGRATION),
    host("index.crates.io", CARGO_REGISTRY_INDEX),
    host("proxy.golang.org", GO_MODULES),
    host("pypi.org", PYPI_INTEGRATION),
    host("registry.npmjs.org", COPILOT_ALLOWLIST),
    host("repo.maven.apache.org", COPILOT_ALLOWLIST),
    host("rubygems.org", COPILOT_ALLOWLIST),
    host("static.crates.io", COPILOT_ALLOWLIST),
    host("sum.golang.org", GO_MODULES),
];

pub(crate) const VCS: &[PresetHost] = &[
    host("*.githubusercontent.com", COPILOT_ALLOWLIST),
    host("api.github.com", COPILOT_ALLOWLIST),
    host("bitbucket.org", CURSOR_RUN_MODES),
    host("codeload.github.com", COPILOT_ALLOWLIST),
    host("github.com", COPILOT_ALLOWLIST),
    host("gitlab.com", CURSOR_RUN_MODES),
];

const CARGO_REGISTRY_INDEX: Source = Source::Page {
    title: "The Cargo Book: Registry Index",
    url: "https://doc.rust-lang.org/cargo/reference/registry-index.html",
    consulted: "2026-11-29",
};

const CLAUDE_CODE_NETWORK: Source = Source::Page {
    title: "Claude Code: Enterprise network configuration",
    url: "https://code.claude.com/docs/en/network-config",
    consulted: "2026-11-29",
};

const CODEX_MANAGED_CONFIGURATION: Source = Source::Page {
    title: "Codex: Managed configuration",
    url: "https://developers.openai.com/codex/enterprise/managed-configuration",
    consulted: "2026-11-29",
};

const COPILOT_ALLOWLIST: Source = Source::Page {
    title: "Copilot allowlist reference",
    url: "https://docs.github.com/en/copilot/reference/copilot-allowlist-reference",
    consulted: "2026-11-29",
};

const COPILOT_MANAGED_SETTINGS: Source = Source::Page {
    title: "Copilot: Enterprise managed settings",
    url: "https://docs.github.com/en/copilot/reference/enterprise-administrators/enterprise-managed-settings",
    consulted: "2026-11-29",
};

const CURSOR_RUN_MODES: Source = Source::Page {
    title: "Cursor: Run Modes",
    url: "https://cursor.com/docs/agent/security/run-modes",
    consulted: "2026-11-29",
};

const GEMINI_API: Source = Source::Page {
    title: "Gemini API: Generating content",
    url: "https://ai.google.dev/api/generate-content",
    consulted: "2026-11-29",
};

const GO_MODULES: Source = Source::Page {
    title: "Go Modules Reference",
    url: "https://go.dev/ref/mod",
    consulted: "2026-11-29",
};

const PYPI_INTEGRATION: Source = Source::Page {
    title: "PyPI: Integration guide",
    url: "https://docs.pypi.org/api/#integration-guide",
    consulted: "2026-11-29",
};

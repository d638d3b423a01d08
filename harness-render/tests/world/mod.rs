//! Policies and targets that the laws are held over.

use harness_render::{Os, Target};
use policy_core::{
    Egress, Harness, Mode, Pattern, Policy, Preset, ProtectedPath, Sandbox, Verdict, WritableRoot,
};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Releases on both sides of every gate of the rooms that are furnished.
pub const RELEASES: &[(Harness, &[&str])] = &[
    (
        Harness::ClaudeCode,
        &[
            "2.0.76", "2.1.62", "2.1.68", "2.1.69", "2.1.77", "2.1.78", "2.1.82", "2.1.83",
            "2.1.112", "2.1.113", "2.1.126", "2.1.163", "2.1.171", "2.1.172", "2.1.196", "2.1.197",
            "2.1.216", "2.1.219", "2.1.228", "2.1.229", "2.1.280", "2.1.332", "3.0.0",
        ],
    ),
    (
        Harness::Codex,
        &[
            "0.75.0", "0.77.0", "0.90.0", "0.101.0", "0.117.0", "0.118.0", "0.121.0", "0.122.0",
            "0.130.0", "0.131.0", "0.133.0", "0.134.0", "0.137.5", "0.138.0", "0.149.0", "0.150.0",
            "0.152.0", "0.153.0", "0.166.0", "0.167.2", "0.168.0", "0.171.0", "1.0.0",
        ],
    ),
    (
        Harness::CopilotCli,
        &[
            "1.0.84", "1.0.85", "1.0.92", "1.0.93", "1.0.99", "1.0.100", "1.0.102", "2.0.0",
        ],
    ),
    (
        Harness::GeminiCli,
        &[
            "0.12.0", "0.13.0", "0.34.0", "0.35.0", "0.36.0", "0.61.0", "1.0.0",
        ],
    ),
    (Harness::OpenCode, &["1.18.32", "1.18.33", "2.0.0"]),
    (Harness::CursorCli, &["1.0.0"]),
];

/// Every release of [`RELEASES`] on every system.
///
/// # Panics
///
/// If a release of the table is no version.
pub fn targets() -> Vec<Target> {
    let mut targets = Vec::new();
    for (harness, releases) in RELEASES {
        for release in *releases {
            for os in Os::ALL {
                targets.push(Target::new(*harness, release.parse().unwrap(), os));
            }
        }
    }
    targets
}

/// Hosts that touch each other, and those that some agent reads in a way of its own.
const PATTERNS: &[&str] = &[
    "acme.example",
    "*.acme.example",
    "git.acme.example",
    "*.git.acme.example",
    "x_y.acme.example",
    "xn--bcher-kva.example",
    "pastebin.com",
    "*.pastebin.com",
    "docs.python.org",
    "intranet",
    "*.corp",
    "*.zip",
    "localhost",
    "*.localhost",
    "8.8.8.8",
    "10.0.0.1",
    "127.0.0.1",
    "2606:4700::1111",
    "::1",
];

const PROTECTED: &[&str] = &[
    "~/.ssh",
    "~/.aws/**",
    "~/.s*h",
    "~/**/.env*",
    "~/.codex",
    "/opt/secret",
    "/opt/*/key",
    "/*/key",
    "/home",
    ".env*",
    ".env",
    "**/id_rsa",
    "conf/key",
    "conf/*.pem",
    "conf/[ab]?",
];

const ROOTS: &[&str] = &["/opt/build-cache", "~/cache", "/srv/data"];

/// A pattern.
///
/// # Panics
///
/// If it is no pattern.
pub fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

/// A policy out of words.
pub fn policy(
    allowed: &[&str],
    denied: &[&str],
    default: Option<Verdict>,
    sandbox: Option<Sandbox>,
) -> Option<Policy> {
    let mut egress = Egress::builder();
    for text in allowed {
        egress = egress.allow(pattern(text));
    }
    for text in denied {
        egress = egress.deny(pattern(text));
    }
    if let Some(default) = default {
        egress = egress.default_verdict(default);
    }
    Policy::new(egress.build().ok()?, sandbox).ok()
}

/// A sandbox out of words.
///
/// # Panics
///
/// If a path is none, or the parts contradict each other.
pub fn sandbox(mode: Mode, roots: &[&str], protected: &[&str]) -> Sandbox {
    Sandbox::new(
        mode,
        roots.iter().map(|text| WritableRoot::parse(text).unwrap()),
        protected
            .iter()
            .map(|text| ProtectedPath::parse(text).unwrap()),
    )
    .unwrap()
}

/// Any policy over the hosts and paths above.
///
/// # Panics
///
/// If a path of the tables is none.
pub fn policies() -> impl Strategy<Value = Policy> {
    let egress = (
        subsequence(PATTERNS, 0..=8),
        subsequence(PATTERNS, 0..=8),
        any::<bool>(),
        select(vec![None, Some(Verdict::Allow), Some(Verdict::Deny)]),
        any::<bool>(),
    );
    let sandbox = (
        select(vec![
            None,
            Some(Mode::ReadOnly),
            Some(Mode::WorkspaceWrite),
            Some(Mode::Off),
        ]),
        subsequence(ROOTS, 0..=ROOTS.len()),
        subsequence(PROTECTED, 0..=6),
    );
    (egress, sandbox).prop_filter_map(
        "the parts contradict each other",
        |((allowed, denied, none_allowed, default, preset), (mode, roots, protected))| {
            let mut egress = Egress::builder();
            if !none_allowed {
                for text in allowed {
                    egress = egress.allow(pattern(text));
                }
                if preset {
                    egress = egress.preset(Preset::Vcs);
                }
            }
            for text in denied {
                egress = egress.deny(pattern(text));
            }
            if let Some(default) = default {
                egress = egress.default_verdict(default);
            }
            let sandbox = match mode {
                None => None,
                Some(mode) => {
                    let roots = roots.iter().filter(|_| mode == Mode::WorkspaceWrite);
                    let protected = protected.iter().filter(|_| mode != Mode::Off);
                    let sandbox = Sandbox::new(
                        mode,
                        roots.map(|text| WritableRoot::parse(text).unwrap()),
                        protected.map(|text| ProtectedPath::parse(text).unwrap()),
                    );
                    Some(sandbox.ok()?)
                }
            };
            Policy::new(egress.build().ok()?, sandbox).ok()
        },
    )
}

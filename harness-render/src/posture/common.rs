//! What is checked of every harness: its managed files as files, and its installed release.

use policy_core::Harness;

use super::Watch;
use super::check::{Check, Fault, Gate, Severity, Weakens};
use super::summary::{EgressState, SandboxState, Summary};
use super::value::{Lists, MOST_BYTES};

const OURS: &str = "rendering of this project";

pub(super) static CHECKS: &[Check] = &[
    MANAGED_MISSING,
    MANAGED_DIFFERS,
    MANAGED_UNEXPECTED,
    MANAGED_STRICT,
    MANAGED_NOT_STRICT,
    MANAGED_OWNER,
    VERSION_TOO_OLD,
    VERSION_BELOW_PIN,
    VERSION_ABOVE_PIN,
];

pub(crate) const MANAGED_MISSING: Check = Check {
    code: "managed-missing",
    severity: Severity::Failure,
    weakens: &[Weakens::Everything],
    gate: Gate::Always,
    fault: Fault::Device,
    problem: "{} is missing, so nothing is managed",
    fix: "place {} as `halo release build` renders it",
    source: OURS,
};

pub(crate) const MANAGED_DIFFERS: Check = Check {
    code: "managed-differs",
    severity: Severity::Failure,
    weakens: &[Weakens::Everything],
    gate: Gate::Always,
    fault: Fault::Device,
    problem: "{} is not what the policy renders",
    fix: "replace {} by what `halo release build` renders",
    source: OURS,
};

pub(crate) const MANAGED_UNEXPECTED: Check = Check {
    code: "managed-unexpected",
    severity: Severity::Warning,
    weakens: &[Weakens::Everything],
    gate: Gate::Always,
    fault: Fault::Device,
    problem: "{} is not among the files that the policy renders, and its program reads it",
    fix: "remove {}, or put what it says into the policy",
    source: OURS,
};

pub(crate) const MANAGED_STRICT: Check = Check {
    code: "managed-strict",
    severity: Severity::Notice,
    weakens: &[],
    gate: Gate::Always,
    fault: Fault::Device,
    problem: "{} is what the policy renders with --strict, and was compared with what it renders without",
    fix: "compare again with --strict",
    source: OURS,
};

pub(crate) const MANAGED_NOT_STRICT: Check = Check {
    code: "managed-not-strict",
    severity: Severity::Failure,
    weakens: &[Weakens::Everything],
    gate: Gate::Always,
    fault: Fault::Device,
    problem: "{} is what the policy renders without --strict, and was compared with what it renders with it",
    fix: "place the files of `halo release build --strict`, or compare again without --strict",
    source: OURS,
};

pub(crate) const MANAGED_OWNER: Check = Check {
    code: "managed-owner",
    severity: Severity::Failure,
    weakens: &[Weakens::Everything],
    gate: Gate::Always,
    fault: Fault::Device,
    problem: "{} or a directory above it can be written by others than the superuser",
    fix: "give {} and the directories above it to root, mode 0644 and 0755",
    source: "observed: Claude Code 2.1.332 and OpenCode 1.18.33 accept a file of any owner; \
             Copilot CLI 1.0.102 rejects it; Gemini CLI 0.61.0 skips its policies",
};

pub(crate) const VERSION_TOO_OLD: Check = Check {
    code: "version-too-old",
    severity: Severity::Failure,
    weakens: &[Weakens::Everything],
    gate: Gate::Managed,
    fault: Fault::Device,
    problem: "an installed release is older than the first that honours the managed settings",
    fix: "update it, and remove the older installation",
    source: "observed: releases since 2025-11, see the capability table",
};

pub(crate) const VERSION_BELOW_PIN: Check = Check {
    code: "version-below-pin",
    severity: Severity::Failure,
    weakens: &[Weakens::Everything],
    gate: Gate::Always,
    fault: Fault::Device,
    problem: "an installed release is older than the one the policy pins",
    fix: "install the pinned release, and remove the older installation",
    source: OURS,
};

pub(crate) const VERSION_ABOVE_PIN: Check = Check {
    code: "version-above-pin",
    severity: Severity::Notice,
    weakens: &[],
    gate: Gate::Always,
    fault: Fault::Device,
    problem: "an installed release is newer than the one the policy pins",
    fix: "move the pin, so that the ledger speaks of what is installed",
    source: OURS,
};

/// A harness of which nothing is known here.
pub(super) static NO_WATCH: Watch = Watch {
    harness: Harness::ClaudeCode,
    files: &[],
    checks: &[],
    summary: |_| Summary::new(SandboxState::Unknown, EgressState::Unknown),
    lists: Lists::Replaced,
    most_managed: MOST_BYTES,
    programs: &[],
    packages: &[],
    versions: &[],
};

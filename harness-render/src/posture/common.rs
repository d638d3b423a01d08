//! What is checked of every harness: its managed files as files, and its installed release.

use super::check::{AppliesWhen, Check, Fault, Severity, Weakens, check};

const OURS: &str = "rendering of this project";

pub(crate) static CHECKS: &[Check] = &[
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

pub(crate) const MANAGED_MISSING: Check = check!(
    "managed-missing": Failure [Everything] always, Fault::Device,
    "{} is missing, so nothing is managed",
    "place {} as `halo release build` renders it",
    OURS
);

pub(crate) const MANAGED_DIFFERS: Check = check!(
    "managed-differs": Failure [Everything] always, Fault::Device,
    "{} is not what the policy renders",
    "replace {} by what `halo release build` renders",
    OURS
);

pub(crate) const MANAGED_UNEXPECTED: Check = check!(
    "managed-unexpected": Warning [Everything] always, Fault::Device,
    "{} is not among the files that the policy renders, and its program reads it",
    "remove {}, or put what it says into the policy",
    OURS
);

pub(crate) const MANAGED_STRICT: Check = check!(
    "managed-strict": Notice [] always, Fault::Device,
    "{} is what the policy renders with --strict, and was compared with what it renders without",
    "compare again with --strict",
    OURS
);

pub(crate) const MANAGED_NOT_STRICT: Check = check!(
    "managed-not-strict": Failure [Everything] always, Fault::Device,
    "{} is what the policy renders without --strict, and was compared with what it renders with it",
    "place the files of `halo release build --strict`, or compare again without --strict",
    OURS
);

pub(crate) const MANAGED_OWNER: Check = check!(
    "managed-owner": Failure [Everything] always, Fault::Device,
    "{} or a directory above it can be written by others than the superuser",
    "give {} and the directories above it to root, mode 0644 and 0755",
    "observed: Claude Code 2.1.332 and OpenCode 1.18.33 accept a file of any owner; Copilot CLI 1.0.102 rejects it; Gemini CLI 0.61.0 skips its policies"
);

pub(crate) const VERSION_TOO_OLD: Check = check!(
    "version-too-old": Failure [Everything], Fault::Device,
    "an installed release is older than the first that honours the managed settings",
    "update it, and remove the older installation",
    "observed: releases since 2025-11, see the capability table"
);

pub(crate) const VERSION_BELOW_PIN: Check = check!(
    "version-below-pin": Failure [Everything] always, Fault::Device,
    "an installed release is older than the one the policy pins",
    "install the pinned release, and remove the older installation",
    OURS
);

pub(crate) const VERSION_ABOVE_PIN: Check = check!(
    "version-above-pin": Notice [] always, Fault::Device,
    "an installed release is newer than the one the policy pins",
    "move the pin, so that the ledger speaks of what is installed",
    OURS
);

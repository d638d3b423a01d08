//! What is known of Cursor CLI, and what its files would mean.

use crate::fact::{Fact, facts};
use crate::target::Release;

pub(super) const DATE: &str = "2026-11";

const SANDBOX: &str = "https://cursor.com/docs/reference/sandbox";
const HOOKS_PAGE: &str = "https://cursor.com/docs/agent/hooks";

/// Nothing else is known of any release.
const EVERY: Release = Release(0, 0, 0);

const fn said(claim: &'static str, page: &'static str) -> Fact {
    Fact::vendor(claim, EVERY, page, DATE)
}

/// Seen in the vendor's sandbox helper, outside the program.
const fn seen(claim: &'static str, since: Release) -> Fact {
    Fact::observed(claim, since, SANDBOX, DATE)
}

const HELPER: Release = Release(1, 0, 32);

facts! {
    NO_FILE = said("sandbox.json is the user's or the repository's, and above both stands the team's policy from the vendor's service", SANDBOX);
    HOOKS = said("hooks of the enterprise may refuse calls of the tools, and commands by their text", HOOKS_PAGE);
    READS_OPEN = said("no key of the sandbox keeps a path from being read", SANDBOX);
    UNION = said("the lists of the user's and the repository's file are united, and files of different types are an error", SANDBOX);
    EXACT = seen("an entry of networkPolicy matches one host on any port; a denied one beats an allowed one, and closes nothing below it", HELPER);
    WILDCARD = seen("*.x in networkPolicy matches x as well", HELPER);
    UNREADABLE = seen("one entry that cannot be read, such as * or x.*.y, switches the whole network off", HELPER);
    ADDRESSES = seen("an address or a network among the allowed hosts matches names that resolve into it", HELPER);
}

//! The keys that the requirements of Codex always have.

use super::facts::*;
use crate::lock::Locked::{EmptyList, EmptyTable, No, Text, Yes};
use crate::lock::{Lock, locks};
use crate::request::Request;

/// The managed profile. A user who defines one of this name keeps Codex from starting, so it is a
/// name that nobody takes by chance.
pub(super) const PROFILE_NAME: &str = "halo-managed";

locks! {
    "default_permissions" = Text(PROFILE_NAME), PROFILE, |_| true;
    "allowed_permission_profiles.halo-managed" = Yes, PROFILE, |_| true;
    /// Without it the list of hosts is inert.
    "experimental_network.enabled" = Yes, NETWORK, lists_hosts;
    "experimental_network.allow_local_binding" = No, NETWORK, lists_hosts;
    "experimental_network.dangerously_allow_all_unix_sockets" = No, NETWORK, lists_hosts;
    "experimental_network.dangerously_allow_non_loopback_proxy" = No, NETWORK, lists_hosts;
    "experimental_network.managed_allowed_domains_only" = Yes, NETWORK, |request| request.denies_by_default();
    "allow_managed_hooks_only" = Yes, HOOKS_LOCK, |request| request.is_strict();
    "mcp_servers" = EmptyTable, MCP_LOCK, |request| request.is_strict();
    "allowed_web_search_modes" = EmptyList, WEB_SEARCH_LOCK, |request| request.is_strict();
}

/// Whether the pinned release reads what the policy says of hosts.
pub(super) fn lists_hosts(request: &Request<'_>) -> bool {
    let sayable =
        request.denies_by_default() || (request.opens_unlisted_hosts() && request.has(&ANY_HOST));
    request.has(&NETWORK) && sayable
}

//! Where things are in the world of a run, whatever is asked there.

/// The home directory.
pub(crate) const HOME: &str = "/home/dev";
/// The workspace.
pub(crate) const WORKSPACE: &str = "/home/dev/project";
/// Where the cache is seen.
pub(crate) const CACHE: &str = "/opt/live-cache";
/// What every readable file contains.
pub(crate) const CONTENT: &str = "live-content\n";

/// The address of every name, for programs that connect to documentation addresses.
pub(crate) const DOCUMENTATION: &str = "203.0.113.80";
/// And for those that refuse them: an address that looks public, on an interface of the run only.
pub(crate) const PUBLIC_LOOKING: &str = "93.184.216.34";

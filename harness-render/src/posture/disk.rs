//! Reading a device's files, whoever owns their directories.
//!
//! The reader may be the superuser and the directories a user's, who may put anything there and
//! change it at any moment. So nothing is opened that was not checked, nothing is read that is not
//! what was checked, and nothing outside the root is ever reached.

mod listing;
pub(super) use listing::Wanted;

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(super) use unix::Root;

#[cfg(any(not(unix), test))]
#[cfg_attr(
    unix,
    expect(
        dead_code,
        reason = "elsewhere it is the reader; here only its tests use it"
    )
)]
mod portable;
#[cfg(not(unix))]
pub(super) use portable::Root;

#[cfg(test)]
#[cfg(unix)]
mod tests;

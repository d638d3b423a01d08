//! Ways around a rendering.

use core::fmt;

use serde::Serialize;

use crate::fact::Fact;
use crate::request::Request;

/// What a way around the rendering would open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Opens {
    /// Hosts only.
    Hosts,
    /// Paths only.
    Paths,
    /// Both.
    Everything,
}

/// A way around the rendering that stays open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Residual {
    way: &'static str,
    who: &'static str,
    lock: Option<&'static str>,
    source: &'static str,
    #[serde(skip)]
    opens: Opens,
}

impl Residual {
    pub(crate) const fn new(
        opens: Opens,
        who: &'static str,
        way: &'static str,
        lock: Option<&'static str>,
        fact: &Fact,
    ) -> Self {
        Self {
            way,
            who,
            lock,
            source: fact.claim(),
            opens,
        }
    }

    /// What leads around the rendering, in a sentence.
    #[must_use]
    pub const fn way(&self) -> &'static str {
        self.way
    }

    /// Who can take it: `user`, `repository`, `administrator`.
    #[must_use]
    pub const fn who(&self) -> &'static str {
        self.who
    }

    /// What would close it; `None` where nothing is known to.
    #[must_use]
    pub const fn lock(&self) -> Option<&'static str> {
        self.lock
    }

    pub(crate) const fn opens_hosts(&self) -> bool {
        matches!(self.opens, Opens::Hosts | Opens::Everything)
    }
}

impl fmt::Display for Residual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}", self.way, self.who)?;
        match self.lock {
            Some(lock) => write!(f, "; closed by {lock})"),
            None => f.write_str("; nothing closes it)"),
        }
    }
}

/// A way around the rendering of a harness: what the ledger says of it, when it stays open, and
/// which checks of a device see it taken.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) residual: Residual,
    pub(crate) is_open: fn(&Request<'_>) -> bool,
    /// What the checks are held against.
    #[cfg(test)]
    pub(crate) seen: Seen,
}

/// Whether a look at a device sees that a way around is taken.
#[cfg(test)]
#[derive(Debug)]
pub(crate) enum Seen {
    /// By the checks of these codes.
    By(&'static [&'static str]),
    /// By none, and why.
    Not(&'static str),
}

/// Those that stay open, as a ledger lists them.
pub(crate) fn residuals(ways: &[Way], request: &Request<'_>) -> Vec<Residual> {
    let open = ways.iter().filter(|way| (way.is_open)(request));
    open.map(|way| way.residual.clone()).collect()
}

/// Declares the ways around a rendering, a row each, as `WAYS`: what it opens, who can take it, the
/// way, what closes it, the fact, when it is open, and the checks that see it taken, or why none does.
macro_rules! ways {
    ($($opens:ident $who:literal, $way:literal, $lock:expr, $fact:ident, $is_open:expr, $seen:tt;)*) => {
        pub(super) static WAYS: &[Way] = &[$(Way {
            residual: Residual::new(Opens::$opens, $who, $way, $lock, &$fact),
            is_open: $is_open,
            #[cfg(test)]
            seen: ways!(@ $seen),
        }),*];
    };
    (@ [$($code:literal),*]) => { crate::way::Seen::By(&[$($code),*]) };
    (@ $why:literal) => { crate::way::Seen::Not($why) };
}
pub(crate) use ways;

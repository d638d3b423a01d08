//! Replacing a policy while requests are being decided, without a reader ever waiting.
//!
//! An [`Egress`] never changes, so it is shared behind an `Arc` and replaced as a whole. Three rules
//! make that safe:
//!
//! 1. **Load once a request.** Everything that one request asks goes to the one policy it loaded;
//!    a reload in between is for the next request.
//! 2. **Compile, then swap.** The new policy is complete before anyone can see it. One that does not
//!    compile or verify never gets that far, and the old one goes on deciding.
//! 3. **Nothing beside it.** Whatever is derived from a policy (a cache of decisions, say) lives in
//!    the same `Arc`, or it will one day answer for a policy that is gone.
//!
//! ```
//! use hot_reload::Current;
//! use policy_core::{Egress, Host, Pattern};
//!
//! let allow = |text| Egress::builder().allow(Pattern::parse(text).unwrap()).build().unwrap();
//! let current = Current::new(allow("docs.example"));
//! let host = Host::parse("docs.example").unwrap();
//!
//! let policy = current.load();
//! current.reload(&allow("mcp.example").to_bytes()).unwrap();
//! assert!(policy.decide(&host).is_allowed(), "this request began under the old policy");
//! assert!(!current.load().decide(&host).is_allowed());
//! ```

use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use policy_core::{Egress, ImageError};

/// The policy in force.
#[derive(Debug)]
pub struct Current(ArcSwap<Egress>);

impl Current {
    /// Begins with a policy.
    #[must_use]
    pub fn new(policy: Egress) -> Self {
        Self(ArcSwap::from_pointee(policy))
    }

    /// The policy for one request. Never waits, whoever is reloading. Keep the guard for as long as
    /// the request asks; for work that outlives it, take [`Guard::into_inner`].
    #[must_use]
    pub fn load(&self) -> Guard<Arc<Egress>> {
        self.0.load()
    }

    /// Puts the policy of these bytes in force for every request that begins from now on.
    ///
    /// # Errors
    ///
    /// When the bytes are no compiled policy; the old one stays.
    pub fn reload(&self, bytes: &[u8]) -> Result<(), ImageError> {
        let policy = Egress::from_bytes(bytes)?;
        self.0.store(Arc::new(policy));
        Ok(())
    }
}

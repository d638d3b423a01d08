//! A library without the standard library that uses policy-core.
//!
//! It brings its own panic handler. If policy-core or any of its dependencies linked `std`, there
//! would be two, and the compiler would refuse the build; no bare-metal target is needed to see it.
//! It brings a global allocator as well, because the engine may use `alloc`. Nothing here ever runs.
#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::panic::PanicInfo;
use core::ptr;

use policy_core::{Egress, Host, Pattern, Preset};

/// The engine's whole way, from text to a decision.
pub fn is_allowed(denied: &str, host: &str) -> Option<bool> {
    let egress = Egress::builder()
        .deny(Pattern::parse(denied).ok()?)
        .preset(Preset::Vcs)
        .build()
        .ok()?;
    Some(egress.decide(&Host::parse(host).ok()?).is_allowed())
}

struct NoMemory;

// SAFETY: it never hands out memory, so no rule about memory can be broken.
unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: NoMemory = NoMemory;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

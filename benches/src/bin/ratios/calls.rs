//! Calls that the compiler can neither foresee nor leave out.

use std::hint::black_box;

use policy_core::Host;

/// Calls a function with each of some inputs, none of which the compiler may foresee.
pub(crate) fn each<T>(inputs: &[T], mut call: impl FnMut(&T)) {
    inputs.iter().for_each(|input| call(black_box(input)));
}

/// Reads a host in both of its forms.
pub(crate) fn touch((text, host): &(&String, &Host)) {
    ignore((text.bytes().fold(0, u8::max), (*host).clone()));
}

/// Makes the compiler believe that a result is wanted.
pub(crate) fn ignore<T>(result: T) {
    let _ = black_box(result);
}

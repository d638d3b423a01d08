//! The whole of `tls-sni` behind two C functions, with a panic handler that cannot be linked.
//!
//! Were `std` or `alloc` used, this would not compile: a second panic handler, or no global allocator. Were a panic reachable
//! after optimisation, `tls_sni_proof_panic` would be an undefined symbol.

#![no_std]

use core::panic::PanicInfo;
use core::slice;

use tls_sni::{Bytes, ClientHello, Ech, Follower, Next, Scanner, ServerName, Status};

unsafe extern "C" {
    /// Defined nowhere.
    fn tls_sni_proof_panic() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: never reached; were it, the program would not link.
    unsafe { tls_sni_proof_panic() }
}

/// Writes the canonical name to `name`, of 253 bytes, and returns its length; 0 no name, -1 invalid name, -2 incomplete,
/// -3 not TLS, -4 error.
///
/// # Safety
///
/// `input` must be readable for `len` bytes, `name` writable for 253.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tls_sni_proof_name(
    input: *const u8,
    len: usize,
    name: *mut [u8; 253],
) -> i32 {
    // SAFETY: the caller's promise.
    let (input, name) = unsafe { (slice::from_raw_parts(input, len), &mut *name) };
    match ClientHello::parse(input) {
        Ok(Status::Complete(hello)) => match hello.server_name() {
            ServerName::Absent => 0,
            ServerName::Host(host) => i32::try_from(host.canonical(name).len()).unwrap_or(-4),
            ServerName::Invalid(_) => -1,
        },
        Ok(Status::Incomplete { .. }) => -2,
        Ok(Status::NotTls) => -3,
        Err(_) => -4,
    }
}

/// Calls everything else there is to call and returns something that depends on all of it.
///
/// # Safety
///
/// `input` must be readable for `len` bytes, `scanner` null or one that this function was given before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tls_sni_proof_fields(
    input: *const u8,
    len: usize,
    scanner: *mut Scanner,
) -> usize {
    // SAFETY: the caller's promise.
    let input = unsafe { slice::from_raw_parts(input, len) };
    // SAFETY: the caller's promise.
    let mut scanner = unsafe { scanner.as_mut() }
        .map_or(Scanner::new().with_max_hello(16_384), |scanner| *scanner);
    let sum = |bytes: Bytes<'_>| {
        bytes
            .iter()
            .map(usize::from)
            .fold(bytes.chunks().count(), usize::wrapping_add)
    };
    let advanced = scanner.advance(input);
    match scanner.parse(input) {
        Ok(Status::Complete(hello)) => {
            let name = match hello.server_name() {
                ServerName::Absent => 0,
                ServerName::Host(host) => {
                    sum(host.as_sent()).wrapping_add(usize::from(host.had_trailing_dot()))
                }
                ServerName::Invalid(name) => sum(name.as_sent()),
            };
            let ech = match hello.ech() {
                Ech::Outer { config_id } => usize::from(config_id),
                Ech::Draft(ty) => usize::from(ty),
                Ech::None => 1,
                Ech::Inner => 2,
                Ech::Esni => 3,
                _ => 4,
            };
            let numbers = hello
                .supported_versions()
                .chain(hello.cipher_suites())
                .map(usize::from);
            let lists = hello
                .alpn()
                .chain(hello.extensions().map(|(_, body)| body))
                .map(sum);
            let fixed = [hello.random(), hello.session_id()].into_iter().map(sum);
            let all = numbers
                .chain(lists)
                .chain(fixed)
                .fold(name, usize::wrapping_add);
            all.wrapping_add(ech)
                .wrapping_add(usize::from(hello.legacy_version()))
                .wrapping_add(hello.consumed())
                .wrapping_add(usize::from(
                    advanced == Ok(Status::Complete(hello.consumed())),
                ))
        }
        Ok(Status::Incomplete { needed }) => needed,
        Ok(Status::NotTls) => 0,
        Err(error) => error.offset().wrapping_add(usize::from(error.alert())),
    }
}

/// Follows the client that sends the first hello in `input` and then whatever is behind it, all at once; how many bytes of that may
/// be sent on. -1 refused, -2 no hello. With a `limit` other than 0, a second hello may announce no more.
///
/// # Safety
///
/// `input` must be readable for `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tls_sni_proof_follow(input: *const u8, len: usize, limit: u32) -> isize {
    // SAFETY: the caller's promise.
    let input = unsafe { slice::from_raw_parts(input, len) };
    let Ok(Status::Complete(first)) = ClientHello::parse(input) else {
        return -2;
    };
    let mut rest = input.get(first.consumed()..).unwrap_or_default();
    let mut sent = 0_isize;
    let mut follower = Follower::new(first);
    if limit != 0 {
        follower = follower.with_max_hello(limit);
    }
    loop {
        let bytes = match follower.advance(rest) {
            Ok(Next::Forward(bytes)) => bytes,
            Ok(Next::Settled) => return sent.wrapping_add_unsigned(rest.len()),
            Ok(Next::Incomplete { .. }) => return sent,
            Err(_) => return -1,
        };
        sent = sent.wrapping_add_unsigned(bytes);
        rest = rest.get(bytes..).unwrap_or_default();
    }
}

//! What `tls-sni` promises, as tables, laws and comparisons.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test says what must hold by panicking where it does not"
)]

mod agreement;
mod captures;
mod laws;
mod material;
mod names;
mod openssl;
mod peers;
mod plan;
mod reference;
mod refusals;
mod replay;
mod second;
mod splits;
mod wire;

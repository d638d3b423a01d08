//! What `tls-sni` promises, as tables, laws and comparisons.

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
mod splits;
mod wire;

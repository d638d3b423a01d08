//! What `tls-sni` promises, as tables, laws and comparisons.

mod agreement;
mod captures;
mod laws;
mod material;
mod peers;
mod plan;
mod reference;
mod replay;
mod splits;
mod wire;

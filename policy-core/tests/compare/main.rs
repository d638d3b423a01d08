//! Comparing egress policies: small worlds completely, large ones by laws, the edges, and the
//! language-neutral vectors.

extern crate alloc;

#[cfg(test)]
mod edges;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod small_world;
#[cfg(test)]
mod vectors;

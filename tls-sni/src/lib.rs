#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
// What needs no standard library says so.
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]
// Sums and differences are written as `wrapping_…` or `checked_…`. The former stand where a length cannot overflow: offsets stay
// within the input plus one record, counts within the 24 bits of a message's length.
#![deny(clippy::arithmetic_side_effects)]

mod cursor;
mod error;
mod follow;
mod hello;
mod name;
mod record;

pub use cursor::Bytes;
pub use error::{Error, ErrorKind, Field, UNRECOGNIZED_NAME, alert_record};
pub use follow::{Follower, Next};
pub use hello::{ClientHello, Ech, is_grease};
pub use name::{HostName, InvalidName, NameError, ServerName};
pub use record::{Scanner, Status};

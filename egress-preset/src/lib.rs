//! Preset host tables.
#![no_std]
#![forbid(unsafe_code)]

//! Posture: every check with its fault, without it, and with a near miss, each as a device's tree.
#![cfg(all(unix, feature = "device"))]

#[path = "posture/cases.rs"]
mod cases;
#[path = "posture/document.rs"]
mod document;
#[path = "posture/faults.rs"]
mod faults;
#[path = "posture/leak.rs"]
mod leak;
#[path = "posture/managed.rs"]
mod managed;
#[path = "posture/tree.rs"]
mod tree;

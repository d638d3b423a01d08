//! Posture: every check with its fault, without it, and with a near miss, each as a device's tree.
#![cfg(all(unix, feature = "device"))]

#[cfg(test)]
#[path = "posture/cases.rs"]
mod cases;
#[cfg(test)]
#[path = "posture/document.rs"]
mod document;
#[cfg(test)]
#[path = "posture/documentation.rs"]
mod documentation;
#[cfg(test)]
#[path = "posture/faults.rs"]
mod faults;
#[cfg(test)]
#[path = "posture/generated.rs"]
mod generated;
#[cfg(test)]
#[path = "posture/law.rs"]
mod law;
#[cfg(test)]
#[path = "posture/leak.rs"]
mod leak;
#[cfg(test)]
#[path = "posture/managed.rs"]
mod managed;
#[cfg(test)]
#[path = "posture/rows.rs"]
mod rows;
#[cfg(test)]
#[path = "posture/tree.rs"]
mod tree;

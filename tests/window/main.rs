//! The window over a real core, played by role and name as a person with a screen reader would.
#![cfg(target_os = "linux")] // the registry is laid out as on Linux

mod activity;
mod approvals;
mod controls;
#[allow(dead_code, unused_imports, reason = "a simulation that has more than the window needs")]
#[path = "../siyuan/kernel/mod.rs"]
mod kernel;
mod looks;
mod stories;
mod world;

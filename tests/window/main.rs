//! The window over a real core, played by role and name as a person with a screen reader would.
#![cfg(target_os = "linux")] // the registry is laid out as on Linux

mod activity;
mod approvals;
mod connect;
mod controls;
mod endpoints;
#[allow(dead_code, unused_imports, reason = "these tests need less of it than those of SiYuan")]
#[path = "../siyuan/kernel/mod.rs"]
mod kernel;
mod kernels;
mod looks;
mod robust;
mod settings;
mod stories;
mod world;

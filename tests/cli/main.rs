//! The program as a person and a script meet it: the built binary, each test on a home of its own.

mod activity;
mod approvals;
mod connect;
mod contract;
mod demo;
mod fake;
mod home;
mod instance;
#[path = "../siyuan/kernel/mod.rs"]
#[allow(dead_code, unused_imports, reason = "these tests need less of it than those of SiYuan")]
mod kernel;
#[cfg(target_os = "linux")]
mod keyring;
mod siyuan;
mod stdio;
mod texts;
mod verbs;

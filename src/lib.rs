//! scaffold

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::unwrap_used))]

pub mod access;
pub mod core;
pub mod gateway;
pub mod obsidian;
pub mod secrets;
pub mod settings;
pub mod tools;

//! Notegate: one window and one local MCP endpoint between a person's notes and the chat programs
//! that work on them.
//!
//! # The map of the house
//!
//! From the ground up; a module uses only what stands below it (`tests/architecture.rs` holds this):
//!
//! | module | what it is |
//! | --- | --- |
//! | [`settings`], [`secrets`] | what can be set, where it is kept; keys and their digests |
//! | [`activity`] | the record of every call |
//! | [`access`] | runtimes, grants, revocation |
//! | [`obsidian`] | vaults: which are in reach, and the tools that work on them |
//! | [`siyuan`] | kernels: the way to them, what they offer, and what a person allows |
//! | [`tools`] | the catalogue, and the one way that every call takes |
//! | [`core`] | commands in, snapshots out; the one owner of the settings |
//! | [`gateway`] | HTTP: identity, MCP in both eras, the direct tool API, control |
//! | [`ui`] | the window: reads snapshots, sends commands |
//! | [`cli`] | the command line, one file a verb; puts an instance together and takes it apart |
//!
//! # The way of a call
//!
//! [`gateway`] learns who calls ([`access`]: key → runtime → grant) → [`tools::Tools::call`] holds the
//! grant against the tool → [`activity`] records the intent → [`obsidian`] resolves the scope, chooses the
//! vault and only then runs its engine, or [`siyuan`] judges every endpoint, asks where it must and only then
//! sends → [`activity`] records the outcome → the reply goes back the same way.
//!
//! # The way of a click
//!
//! A page sends a [`core::Command`] → the core validates, revokes what must be revoked, saves, and
//! publishes a new [`core::Snapshot`] → the page shows it.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::unwrap_used))]

pub mod access;
pub mod activity;
pub mod cli;
pub mod core;
pub mod gateway;
pub mod obsidian;
pub mod secrets;
pub mod settings;
pub mod siyuan;
pub mod tools;
pub mod ui;

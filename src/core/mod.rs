//! The async core: commands in, immutable snapshots out. It owns the settings and the services.
//!
//! One task (the actor in `actor.rs`) takes every command in turn, so a save is a transaction and
//! two quick saves cannot mix. What takes long (a connection test, a folder dialog, a tool call)
//! runs beside it, and its outcome comes back as a message of its own. Whoever shows something
//! reads a [`Snapshot`] and never waits.
//!
//! Invariant: the core knows neither the gateway nor the window. They are given a [`Handle`].

mod actor;
mod beside;
mod command;
mod configuration;
mod error;
mod folder;
mod handle;
mod instance;
mod picture;
mod runtimes;
mod saving;
mod scope;
mod snapshot;

pub use command::{Command, Reply, ShownOnce};
pub use configuration::{KEY_PLACEHOLDER, configuration, endpoint_url};
pub use error::{Case, CommandError};
pub use folder::{FolderPicker, NoFolderPicker, Picked, SystemFolderPicker};
pub use handle::{Handle, Waiting};
pub use instance::{Core, StartError, StartOptions};
pub use snapshot::{Bridge, GatewayState, ObsidianView, RuntimeView, SessionView, Snapshot, TestState};

// The words of the lower floors that commands and snapshots are made of; the window has no other
// way to them.
pub use crate::access::{ClientInfo, GrantId, SessionLabel};
pub use crate::obsidian::{TestReport, Vault, VaultId};
pub use crate::settings::{
    ApprovalPolicy, Capability, Home, Language, RuntimeId, RuntimeKind, Theme, Unavailable, VaultEngine,
    WorkMode,
};
pub use crate::tools::{CallStats, LastCall, Tool, catalogue};

#[cfg(test)]
mod core_tests;

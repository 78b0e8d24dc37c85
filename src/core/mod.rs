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
mod folder;
mod handle;
mod instance;
mod picture;
mod runtimes;
mod snapshot;

pub use command::{Command, CommandError, Reply, ShownOnce};
pub use folder::{FolderPicker, NoFolderPicker, Picked, SystemFolderPicker};
pub use handle::{Handle, Waiting};
pub use instance::{Core, StartError, StartOptions};
pub use snapshot::{ActivityView, GatewayState, ObsidianView, RuntimeView, SessionView, Snapshot, TestState};

// The words of the lower floors that commands and snapshots are made of; the window has no other
// way to them.
pub use crate::access::approvals::{ApprovalsView, PauseView, QuestionId, QuestionState, QuestionView};
pub use crate::access::{ClientInfo, GrantId, SessionLabel};
pub use crate::activity::{Decision, Endpoint, Object, ObjectKind, Outcome, Page, Query, Record};
pub use crate::obsidian::{Diagnosis, TestReport, Vault, VaultId};
pub use crate::settings::{
    ApprovalPolicy, Capability, Home, Language, RuntimeId, RuntimeKind, Theme, Unavailable, WorkMode,
};
pub use crate::tools::{CallStats, LastCall, Tool, catalogue};

#[cfg(test)]
mod core_tests;

//! The async core: commands in, immutable snapshots out. It owns the settings and the services.
//!
//! One task (the actor in `actor.rs`) takes every command in turn, so a save is a transaction and
//! two quick saves cannot mix. What takes long (a connection test, a folder dialog, a tool call)
//! runs beside it, and its outcome comes back as a message of its own. Whoever shows something
//! reads a [`Snapshot`] and never waits.
//!
//! Invariant: the core knows neither the gateway nor the window. They are given a [`Handle`].

mod actor;
mod autostart;
mod beside;
mod cases;
mod command;
mod configuration;
mod connect;
mod connecting;
mod declaring;
mod endpoints;
mod error;
mod export;
mod folder;
mod handle;
mod instance;
mod kernel_checks;
mod kernels;
mod licences;
mod lines;
mod picture;
mod runtimes;
pub mod sample_vault;
mod saving;
mod scope;
mod snapshot;
mod tokens;

pub use autostart::default_autostart_folder;
pub use command::{Command, KernelDraft, Reply, ShownOnce, TypedSecret};
pub use configuration::{KEY_PLACEHOLDER, configuration, endpoint_url};
pub use connect::{ConnectionPlan, DiffLine, KEY_VARIABLE, KeyPlace, writes_configuration};
pub use endpoints::{
    BodyFinding, BodyReport, EndpointDetails, EndpointField, EndpointFilter, EndpointList, EndpointOrder,
    EndpointQuery, EndpointRow, Protocol,
};
pub use error::{Case, CommandError};
pub use export::ExportFormat;
pub use folder::{FolderPicker, NoFolderPicker, Picked, SystemFolderPicker};
pub use handle::{Handle, Waiting};
pub use instance::{Core, StartError, StartOptions};
pub use lines::{Line, Sign, changed_lines, near_changes};
pub use snapshot::{
    ActivityView, Bridge, GatewayState, KernelCheck, KernelView, ObsidianView, RuntimeView, SessionView,
    SiyuanView, Snapshot, TestState,
};

// The words of the lower floors that commands and snapshots are made of; the window has no other
// way to them.
pub use crate::access::approvals::{
    ApprovalsView, PauseReason, PauseView, QuestionId, QuestionState, QuestionView, TextChange,
};
pub use crate::access::{ClientInfo, GrantId, SessionLabel};
pub use crate::activity::{Decision, Endpoint, Object, ObjectKind, Outcome, Page, Query, Record};
pub use crate::obsidian::{TestReport, Vault, VaultId};
pub use crate::secrets::Secret;
pub use crate::settings::{
    ActivitySettings, ApprovalPolicy, Capability, DeclaredEndpoint, DiscoveredTool, Home, KernelAddress,
    KernelId, Language, Limits, Permission, RuntimeId, RuntimeKind, Theme, TokenState, Unavailable,
    VaultEngine, WorkMode,
};
pub use crate::siyuan::contract::Origin;
pub use crate::siyuan::endpoint::Method;
pub use crate::siyuan::kernels::{CheckReport, CheckStep, CheckWarning, Instance};
pub use crate::siyuan::permissions::{Closed, Effect};
pub use crate::tools::{CallStats, KEPT_MINUTES, LastCall, Minute, Tool, catalogue};

#[cfg(test)]
mod connecting_tests;
#[cfg(test)]
mod core_tests;
#[cfg(test)]
mod kernels_tests;

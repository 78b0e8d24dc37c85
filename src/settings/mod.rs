//! The settings file: its schema, its defaults, reading it strictly and saving it whole.
//!
//! Invariants: a file that cannot be understood is never overwritten; a field that we do not know
//! is an error that names it; a missing field has its default, so an old file keeps working; a file
//! that somebody else changed while an instance runs is not overwritten either.

mod atomic;
mod declared;
mod file;
mod home;
mod kept;
mod kernel_address;
mod runtime;
mod schema;
mod siyuan;

pub use atomic::replace as replace_file;
pub use declared::{DeclaredEndpoint, DiscoveredTool};
pub use file::{SettingsError, load, parse};
pub use home::{HOME_VARIABLE, Home, HomeError, InstanceLock};
pub use kept::SettingsFile;
pub use kernel_address::{KernelAddress, KernelUrl};
pub use runtime::{
    ApprovalPolicy, Capability, KeyDigest, Runtime, RuntimeId, RuntimeKind, Unavailable, WorkMode,
};
pub use schema::{
    ActivitySettings, DEFAULT_PORT, GatewaySettings, InvalidField, Language, Limits, MAX_PATH_CHARS,
    ObsidianSettings, SCHEMA_VERSION, Settings, Theme, VaultEngine, WindowSettings, normalise_vault_path,
};
pub use siyuan::{
    DEFAULT_KERNEL_SECONDS, Kernel, KernelId, KernelPlace, MAX_DISCOVERED, MAX_SESSION_CHOICES, Permission,
    SessionChoice, SiyuanSettings, TokenState,
};

//! The settings file: its schema, its defaults, reading it strictly and saving it whole.
//!
//! Invariants: a file that cannot be understood is never overwritten; a field that we do not know
//! is an error that names it; a missing field has its default, so an old file keeps working; a file
//! that somebody else changed while an instance runs is not overwritten either.

mod atomic;
mod file;
mod home;
mod kept;
mod runtime;
mod schema;

pub use atomic::replace as replace_file;
pub use file::{SettingsError, load, parse};
pub use home::{HOME_VARIABLE, Home, HomeError, InstanceLock};
pub use kept::SettingsFile;
pub use runtime::{
    ApprovalPolicy, Capability, KeyDigest, Runtime, RuntimeId, RuntimeKind, Unavailable, WorkMode,
};
pub use schema::{
    DEFAULT_PORT, GatewaySettings, InvalidField, Language, Limits, MAX_PATH_CHARS, ObsidianSettings,
    SCHEMA_VERSION, Settings, Theme, VaultEngine, WindowSettings, normalise_vault_path,
};

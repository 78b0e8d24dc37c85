//! The settings file: its schema, its defaults, reading it strictly and saving it whole.
//!
//! Invariants: a file that cannot be understood is never overwritten; a field that we do not know
//! is an error that names it; a missing field has its default, so an old file keeps working.

mod atomic;
mod file;
mod home;
mod runtime;
mod schema;

pub use atomic::replace as replace_file;
pub use file::{SettingsError, load, parse, save};
pub use home::{HOME_VARIABLE, Home, HomeError, InstanceLock};
pub use runtime::{
    ApprovalPolicy, Capability, KeyDigest, Runtime, RuntimeId, RuntimeKind, Unavailable, WorkMode,
};
pub use schema::{
    ActivitySettings, DEFAULT_PORT, GatewaySettings, InvalidField, Language, Limits, MAX_PATH_CHARS,
    ObsidianSettings, SCHEMA_VERSION, Settings, Theme, WindowSettings, normalise_vault_path,
};

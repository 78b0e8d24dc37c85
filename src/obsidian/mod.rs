//! Obsidian vaults: which there are, which of them a call means, and the 19 tools that work on them.
//!
//! A vault is a folder. Obsidian itself need not run, and nothing here talks to it: the vaults in
//! scope come from its registry file or from the one folder that a person chose ([`Scope`]). A call
//! names its vault; the order is always scope, vault, paths, and only then an engine (LR-3).
//!
//! Invariants: nothing here knows who calls, how the call came, or where the settings are kept. No
//! vault is ever chosen by order, name or recency. Every process that was started, and every thread that
//! was at work, has ended when its operation is over (LR-7).

mod arguments;
mod contract;
mod diagnosis;
pub mod engine;
mod environment;
mod errors;
mod guard;
mod locks;
mod path_text;
mod registry;
mod resolve;
mod scope;
mod service;
mod vault;

pub use arguments::{ArgumentError, LONGEST_ARGUMENTS, check_arguments};
pub use contract::{PREFIX, ToolSpec, VAULT_ID, tool, tools};
pub use diagnosis::{Diagnosis, PartFinding, RegistryFinding};
pub use engine::{
    Engine, MCPVAULT_VARIABLE, MCPVAULT_VERSION, NODE_OLDEST, NODE_VARIABLE, Output, UpstreamConfig,
};
pub use environment::{Environment, Platform};
pub use errors::{FolderProblem, MissingPart, ObsidianError};
pub use guard::paths_in;
pub use scope::Scope;
pub use service::{Progress, Service, ServiceConfig, TestReport};
pub use vault::{Vault, VaultId};

//! What can go wrong between a call and a vault, with the way out in each message.
//!
//! A message names the file or folder it is about: a person reads it in the window, a model reads it
//! as the result of a tool. Contents of notes, environment variables and keys are never in one.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::arguments::ArgumentError;
use super::engine::native::EngineError;
use super::engine::{MCPVAULT_VARIABLE, MCPVAULT_VERSION, NODE_OLDEST, NODE_VARIABLE};
use super::{Vault, VaultId};

/// Why a folder cannot be a vault.
#[derive(Debug, thiserror::Error)]
pub enum FolderProblem {
    #[error("it is not an absolute path; give the whole path, from the root on")]
    NotAbsolute,
    #[error("there is no such folder")]
    Missing,
    #[error("it is a file, not a folder")]
    NotAFolder,
    #[error("it cannot be opened ({0})")]
    Inaccessible(io::Error),
    /// V-02: a sandboxed Obsidian registers the path under which the portal shows it the folder.
    #[error(
        "it is a path inside the sandbox that Obsidian runs in, which other programs cannot rely on; the \
         folder itself lies elsewhere on this computer"
    )]
    SandboxPath,
}

impl FolderProblem {
    pub(super) fn from_io(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::NotADirectory => Self::NotAFolder,
            _ => Self::Inaccessible(error),
        }
    }
}

/// Why an operation on the vaults did not succeed. Nothing was chosen instead of what was asked for (LR-5).
#[derive(Debug, thiserror::Error)]
pub enum ObsidianError {
    #[error("the folder {path:?} cannot be used: {problem}. Correct the path or choose another folder")]
    ScopeInvalid { path: PathBuf, problem: FolderProblem },

    #[error(
        "Obsidian has registered no vaults on this computer (looked for {}). Open a vault in Obsidian \
         once, or choose a folder in Notegate",
        list(.looked)
    )]
    RegistryMissing { looked: Vec<PathBuf> },

    #[error(
        "Obsidian's list of vaults {file:?} cannot be used: {problem}. Open Obsidian once to have it \
         written anew, or choose a folder in Notegate"
    )]
    RegistryInvalid { file: PathBuf, problem: String },

    #[error(
        "the vault {path:?} (id {id}, registered in {file:?}) cannot be used: {problem}. Remove it from \
         Obsidian's list of vaults or bring the folder back; or choose a folder in Notegate"
    )]
    VaultUnreachable { file: PathBuf, id: VaultId, path: PathBuf, problem: FolderProblem },

    #[error(
        "{} vaults are in scope, so the call must name one: give vaultId, as obsidian_list_vaults returns it. \
         In scope: {}",
        .vaults.len(), named(.vaults)
    )]
    VaultRequired { vaults: Vec<Vault> },

    #[error(
        "{id:?} is not the id of a vault in scope. Call obsidian_list_vaults for the ids, which change when a \
         folder moves. In scope: {}",
        named(.vaults)
    )]
    VaultUnknown { id: String, vaults: Vec<Vault> },

    #[error(transparent)]
    InvalidArguments(#[from] ArgumentError),

    #[error("{path:?} leads out of the vault. Give a path inside the vault, relative to its root")]
    OutsideVault { path: String },

    #[error("{path:?} belongs to Notegate itself or to the vault's hidden files, which no tool reaches")]
    Protected { path: String },

    #[error(
        "{tool} reads the whole vault, and the vault holds notes in Notegate's own folder {folder:?}. \
         Move these notes out of it, or choose a folder that does not contain it"
    )]
    ProtectedNotes { tool: &'static str, folder: PathBuf },

    #[error("{path:?} cannot be examined: {source}")]
    Examine { path: String, source: io::Error },

    #[error("{0}. Or use Notegate's own engine, which needs neither: `notegate obsidian engine native`")]
    EngineMissing(#[from] MissingPart),

    #[error("MCPVault could not do it: {problem}{}", said(.stderr))]
    EngineFailed { problem: String, stderr: String },

    #[error("the call was cancelled. Changes that had reached the disk by then were kept")]
    Cancelled,

    #[error(
        "the call took longer than {} seconds and was ended. Changes that had reached the disk by then \
         were kept; ask for less at a time",
        .limit.as_secs_f64()
    )]
    Timeout { limit: Duration },

    #[error("Notegate is closing")]
    Closing,

    #[error("an internal error: {0}. Please report it")]
    Internal(String),
}

/// A part that the `upstream` engine needs and does not find. Nothing is ever downloaded instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MissingPart {
    #[error(
        "Node.js was not found. Install version {NODE_OLDEST} or newer, or set {NODE_VARIABLE} to its \
         program"
    )]
    Node,
    #[error(
        "{path:?} cannot be used as Node.js: {problem}. Install version {NODE_OLDEST} or newer, or set \
         {NODE_VARIABLE} to its program"
    )]
    NodeUnusable { path: PathBuf, problem: String },
    #[error(
        "MCPVault {MCPVAULT_VERSION} was not found (looked in {}). Run `{INSTALL}` in Notegate's \
         vendor/mcpvault, or set {MCPVAULT_VARIABLE} to a folder where that was done",
        list(.looked)
    )]
    Package { looked: Vec<PathBuf> },
    #[error("{path:?} cannot be used as MCPVault: {problem}. Run `{INSTALL}` in Notegate's vendor/mcpvault")]
    PackageUnusable { path: PathBuf, problem: String },
}

/// The most vaults that an error lists; `obsidian_list_vaults` lists all.
const LISTED: usize = 20;

/// What brings MCPVault, in the folder that pins it.
const INSTALL: &str = "npm ci --omit=dev --ignore-scripts";

impl ObsidianError {
    /// The word for it in results, stable for scripts and models.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ScopeInvalid { .. } => "scope_invalid",
            Self::RegistryMissing { .. } => "registry_missing",
            Self::RegistryInvalid { .. } => "registry_invalid",
            Self::VaultUnreachable { .. } => "vault_unreachable",
            Self::VaultRequired { .. } => "vault_required",
            Self::VaultUnknown { .. } => "vault_unknown",
            Self::InvalidArguments(_) => "invalid_arguments",
            Self::OutsideVault { .. } => "outside_vault",
            Self::Protected { .. } | Self::ProtectedNotes { .. } => "protected",
            Self::EngineMissing(_) => "engine_missing",
            Self::EngineFailed { .. } | Self::Examine { .. } => "engine_failed",
            Self::Cancelled => "cancelled",
            Self::Timeout { .. } => "timeout",
            Self::Closing => "closing",
            Self::Internal(_) => "internal",
        }
    }

    /// The vaults that the call could have meant, as many as the message lists.
    pub fn choice(&self) -> Option<&[Vault]> {
        match self {
            Self::VaultRequired { vaults } | Self::VaultUnknown { vaults, .. } => {
                Some(&vaults[..vaults.len().min(LISTED)])
            }
            _ => None,
        }
    }
}

impl From<EngineError> for ObsidianError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Vault { path, source } => Self::Examine { path: path.display().to_string(), source },
            EngineError::Protected { path } => Self::Protected { path: path.display().to_string() },
            EngineError::Cancelled => Self::Cancelled,
            EngineError::UnknownTool { .. } => Self::Internal(error.to_string()),
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "nowhere: no place is known on this system".into();
    }
    paths.iter().map(|path| format!("{path:?}")).collect::<Vec<_>>().join(", ")
}

fn named(vaults: &[Vault]) -> String {
    let shown: Vec<String> =
        vaults.iter().take(LISTED).map(|vault| format!("{} ({:?})", vault.id, vault.name)).collect();
    let more = if vaults.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn said(stderr: &str) -> String {
    let stderr = stderr.trim();
    if stderr.is_empty() { String::new() } else { format!(". It said: {stderr}") }
}

//! A vault and its id.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::environment::Platform;
use super::path_text;

/// Names a vault in calls (`vaultId`): Obsidian's own key for a registered vault, a digest of the path
/// for a chosen folder. Neither survives a move of the folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VaultId(pub String);

impl VaultId {
    /// The id of a folder that a person chose: SHA-256 of its normalised absolute path as text, in hex.
    /// Windows does not tell letters' case apart in paths, so there it is lower-cased first.
    pub fn of_folder(normalised: &str, platform: Platform) -> Self {
        let digest = match platform {
            Platform::Windows => Sha256::digest(normalised.to_lowercase()),
            Platform::Linux | Platform::MacOs => Sha256::digest(normalised),
        };
        Self(hex::encode(digest))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for VaultId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An Obsidian folder in scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vault {
    pub id: VaultId,
    /// The folder's name; two vaults may share it.
    pub name: String,
    /// Absolute and normalised, links not followed.
    pub path: PathBuf,
    /// The registry file that lists it; `None` for a chosen folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<PathBuf>,
}

impl Vault {
    /// `normalised` is an absolute path as [`path_text::normalise`] returns it.
    pub(super) fn new(id: VaultId, normalised: &str, source: Option<PathBuf>, platform: Platform) -> Self {
        let name = path_text::last_part(normalised, platform).to_owned();
        Self { id, name, path: PathBuf::from(normalised), source }
    }
}

//! What can be wrong with a contract's file.

use std::io;
use std::path::{Path, PathBuf};

/// Why a contract cannot be read, imported or kept. What was there before still holds.
#[derive(Debug, thiserror::Error)]
pub enum ContractError {
    #[error("cannot read {path:?}: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path:?} is larger than {limit} bytes; a kernel's schema.json is not")]
    TooLarge { path: PathBuf, limit: u64 },
    #[error("{path:?} is not valid JSON at line {line}, column {column}: {problem}")]
    Syntax { path: PathBuf, line: usize, column: usize, problem: String },
    #[error(
        "{path:?} is no contract that can be imported: {problem}. Give the kernel/apicontract/schema.json of SiYuan's sources"
    )]
    Foreign { path: PathBuf, problem: String },
    #[error(
        "the imported contract {path:?} cannot be used: {problem}. Import it again, or remove the file to go back to the \
         built-in contract"
    )]
    Broken { path: PathBuf, problem: String },
    #[error("{0:?} is no version; give the kernel's, for example 3.8.6")]
    Version(String),
    #[error("cannot save {path:?}: {source}. The contract in use is what it was")]
    Save { path: PathBuf, source: io::Error },
}

impl ContractError {
    pub(super) fn syntax(path: &Path, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        // serde_json ends its messages with the position, which stands in our own words.
        let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(head, _)| head).to_owned();
        Self::Syntax { path: path.to_owned(), line: error.line(), column: error.column(), problem }
    }

    /// The word for it, stable for scripts.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Read { .. } | Self::TooLarge { .. } => "contract_unreadable",
            Self::Syntax { .. } | Self::Foreign { .. } => "contract_invalid",
            Self::Broken { .. } => "contract_broken",
            Self::Version(_) => "contract_version",
            Self::Save { .. } => "contract_not_saved",
        }
    }
}

//! What can go wrong with a note, and with the engine as a whole.
//!
//! A `NoteError` is the answer of a tool: the call ran and says why it could not do it. The text begins
//! with the words that MCPVault uses for the same thing, since clients match on them. An `EngineError`
//! means that there is no answer of a tool at all.

use std::io;
use std::path::{Path, PathBuf};

use super::frontmatter::EditError;

/// Why the engine gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("the vault {path:?} cannot be opened ({source}). Check that the folder exists and may be read")]
    Vault { path: PathBuf, source: io::Error },
    #[error(
        "the vault {path:?} lies in a folder of Notegate itself, which no tool reaches. Choose another folder"
    )]
    Protected { path: PathBuf },
    #[error("the call was cancelled. Changes that had reached the disk by then were kept")]
    Cancelled,
    #[error("there is no tool {name:?} in this engine")]
    UnknownTool { name: String },
}

/// Why a tool could not do what was asked. Paths are as the caller gave them, relative to the vault.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    #[error("Path traversal not allowed: {path}. Give a path inside the vault, relative to its root")]
    Traversal { path: String },
    #[error("Symlink target is outside vault: {path}. Only links that stay inside the vault are followed")]
    LinkOutside { path: String },
    #[error("Circular symlink detected: {path}. The links lead back to themselves")]
    LinkLoop { path: String },
    #[error(
        "Access denied: {path}. This path is restricted: hidden files and folders, system folders such as .obsidian and .git, and files that are \
         not notes are not accessible"
    )]
    Denied { path: String },
    #[error(
        "Access denied: {path}. This path is restricted: it belongs to Notegate itself, which no tool reaches"
    )]
    Protected { path: String },
    #[error(
        "Access denied: {path}. Windows takes {name:?} for another name or for a part of a file; choose another name"
    )]
    AmbiguousName { path: String, name: String },
    #[error("Access denied: {path}. {name:?} is the name of a device on Windows; choose another name")]
    DeviceName { path: String, name: String },
    #[error("File not found: {path}. {}", way_to(.inside))]
    NotFound {
        path: String,
        /// The path without the vault's own name, when it begins with that.
        inside: Option<String>,
    },
    #[error("Directory not found: {path}. Use list_directory with no path to see the folders of the vault")]
    FolderNotFound { path: String },
    #[error("Not a directory: {path}. It is a file, not a folder; read it with read_note")]
    NotAFolder { path: String },
    #[error("Cannot read directory as file: {path}. Use list_directory instead")]
    IsFolder { path: String },
    #[error("Not a regular file: {path}. Only plain files can be read and written")]
    NotAFile { path: String },
    #[error("Permission denied: {path}. The permissions of the file or its folder do not allow it")]
    PermissionDenied { path: String },
    #[error("No space left on device: {path}. Nothing was changed; free some space and try again")]
    NoSpace { path: String },
    #[error("Read-only filesystem: {path}. Nothing was changed")]
    ReadOnly { path: String },
    #[error(
        "Conflict: {path} changed on disk while it was being edited. Nothing was written; read it again and repeat the edit"
    )]
    Conflict { path: String },
    #[error(
        "Not valid UTF-8: {path} has an invalid byte at position {position} (line {line}). Nothing was changed: an edit would damage the rest of the \
         file. Repair its encoding first"
    )]
    NotText { path: String, position: usize, line: usize },
    #[error("Invalid frontmatter: {path} - {source}")]
    Frontmatter { path: String, source: EditError },
    #[error("Failed to {doing}: {path} - {source}")]
    Io { doing: &'static str, path: String, source: io::Error },
    /// The call was cancelled while it ran; the engine gives no answer then.
    #[error("the call was cancelled")]
    Cancelled,
    /// The rules of one tool, said by that tool.
    #[error("{0}")]
    Said(String),
}

impl NoteError {
    /// Names an I/O error by its kind; `doing` completes "Failed to …".
    pub fn from_io(doing: &'static str, path: &str, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path, inside: None },
            io::ErrorKind::PermissionDenied => Self::PermissionDenied { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoSpace { path },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::IsADirectory => Self::IsFolder { path },
            io::ErrorKind::NotADirectory => Self::NotAFolder { path },
            _ => Self::Io { doing, path, source },
        }
    }
}

impl EngineError {
    pub(super) fn vault(path: &Path, source: io::Error) -> Self {
        Self::Vault { path: path.to_owned(), source }
    }
}

/// How to find what was not found.
pub(super) fn way_to(inside: &Option<String>) -> String {
    match inside {
        None => "Use list_directory to see available files, or check the spelling".to_owned(),
        Some(inside) => {
            format!("The path begins with the name of the vault; paths begin inside of it: {inside}")
        }
    }
}

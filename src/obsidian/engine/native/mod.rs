//! The native engine: the vault tools in Rust, in process.

mod all_tags;
mod answer;
mod arguments;
mod atomic;
mod attributes;
mod call;
mod collation;
mod delete;
pub mod differences;
mod error;
mod filter;
mod folders;
mod frontmatter;
mod info;
mod json;
mod lines;
mod list_directory;
mod manage_tags;
mod moving;
mod outline;
mod patch;
mod path;
mod plain_tags;
mod read;
mod relocation;
mod renaming;
mod root;
mod search;
mod stats;
mod tags;
mod temporary;
mod trash;
mod uri;
mod walk;
mod way;
mod wiki_link;
mod write;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::obsidian::Output;
use arguments::Arguments;
use call::{Call, Tool};

pub use error::{EngineError, NoteError};
pub use path::VaultPath;
pub use root::{Identity, Kind, Place, Root};
pub use trash::TrashPlace;

/// The tools, by the names that MCPVault gives them.
const TOOLS: [(&str, Tool); 18] = [
    ("delete_note", delete::delete_note),
    ("get_frontmatter", read::get_frontmatter),
    ("get_note_outline", lines::get_note_outline),
    ("get_notes_info", info::get_notes_info),
    ("get_vault_stats", stats::get_vault_stats),
    ("list_all_tags", all_tags::list_all_tags),
    ("list_directory", list_directory::list_directory),
    ("manage_tags", manage_tags::manage_tags),
    ("move_file", moving::move_file),
    ("move_note", moving::move_note),
    ("patch_note", patch::patch_note),
    ("read_multiple_notes", read::read_multiple_notes),
    ("read_note", read::read_note),
    ("read_note_lines", lines::read_note_lines),
    ("search_notes", search::search_notes),
    ("update_frontmatter", write::update_frontmatter),
    ("wiki_link", wiki_link::wiki_link),
    ("write_note", write::write_note),
];

/// Runs the vault tools in this process.
#[derive(Debug, Clone)]
pub struct NativeEngine {
    system_trash: TrashPlace,
}

impl NativeEngine {
    /// An engine that removes notes to `system_trash` where that is asked for.
    pub fn new(system_trash: TrashPlace) -> Self {
        Self { system_trash }
    }

    /// Opens the vault at `vault` as a call does, looks into it, and names the tools.
    ///
    /// # Errors
    /// When the vault cannot be opened or listed.
    pub fn list_tools(
        &self,
        vault: &Path,
        protected: &[PathBuf],
    ) -> Result<impl Iterator<Item = &'static str> + use<>, EngineError> {
        let root = Root::open(vault, protected)?;
        root.dir().entries().map_err(|source| EngineError::vault(vault, source))?;
        Ok(TOOLS.iter().map(|(name, _)| *name))
    }

    /// Runs the tool that MCPVault calls `tool` on the vault at `vault`. It works on files, so it is not
    /// for a thread that must not block. Nothing in the folders `protected` is reached.
    ///
    /// What a tool could not do is an [`Output`] with `is_error`, as from MCPVault.
    ///
    /// # Errors
    /// When there can be no answer: the vault cannot be opened, the call was cancelled, or there is no
    /// such tool.
    pub fn call(
        &self,
        vault: &Path,
        protected: &[PathBuf],
        tool: &str,
        arguments: &Map<String, Value>,
        cancel: &CancellationToken,
    ) -> Result<Output, EngineError> {
        let found = TOOLS.iter().find(|(name, _)| *name == tool);
        let (_, run) = found.ok_or_else(|| EngineError::UnknownTool { name: tool.to_owned() })?;
        let root = Root::open(vault, protected)?;
        if cancel.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let call =
            Call { root: &root, arguments: Arguments(arguments), cancel, system_trash: &self.system_trash };
        match run(&call) {
            Err(NoteError::Cancelled) => Err(EngineError::Cancelled),
            Err(error) => Ok(answer::refusal(&error)),
            Ok(output) => Ok(output),
        }
    }
}

#[cfg(all(test, unix))]
mod tests;

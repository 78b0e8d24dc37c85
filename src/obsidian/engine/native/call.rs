//! One call of a tool: the open vault, the arguments, and the word that it is no longer wanted.

use tokio_util::sync::CancellationToken;

use super::arguments::Arguments;
use super::atomic::{self, Expected};
use super::error::NoteError;
use super::filter;
use super::path::VaultPath;
use super::root::{Identity, Place, Root};
use super::trash::TrashPlace;
use crate::obsidian::Output;

/// What a tool is handed.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    pub root: &'a Root,
    pub arguments: Arguments<'a>,
    pub cancel: &'a CancellationToken,
    pub system_trash: &'a TrashPlace,
}

/// A tool: it answers, or says why it cannot.
pub type Tool = fn(&Call<'_>) -> Result<Output, NoteError>;

/// The text of a note that is to be edited, with what it was read from.
#[derive(Debug)]
pub struct Editable {
    pub place: Place,
    pub text: String,
    pub identity: Identity,
}

impl Editable {
    /// What must still stand there when the edit is written (N-09).
    pub fn unchanged(&self) -> Expected<'_> {
        Expected::Same(self.identity, self.text.as_bytes())
    }
}

impl Call<'_> {
    /// The argument `name` as a path that note tools may go to.
    ///
    /// # Errors
    /// When it is missing, climbs out of the vault, or is out of reach.
    pub fn note_path(&self, name: &str) -> Result<VaultPath, NoteError> {
        self.note_path_of(self.arguments.path(name)?)
    }

    /// A text as a path that note tools may go to.
    ///
    /// # Errors
    /// As [`Call::note_path`].
    pub fn note_path_of(&self, given: &str) -> Result<VaultPath, NoteError> {
        let path = self.root.vault_path(given)?;
        if filter::is_note_path(&path) { Ok(path) } else { Err(NoteError::Denied { path: path.shown }) }
    }

    /// Whether the call is still wanted. Asked between steps, and before anything is changed.
    ///
    /// # Errors
    /// When it was cancelled.
    pub fn go_on(&self) -> Result<(), NoteError> {
        if self.cancel.is_cancelled() { Err(NoteError::Cancelled) } else { Ok(()) }
    }

    /// Writes the text of a note, unless the call was cancelled.
    ///
    /// # Errors
    /// As [`atomic::write`].
    pub fn write(&self, place: &Place, text: &str, expected: Expected<'_>) -> Result<(), NoteError> {
        self.go_on()?;
        atomic::write(place, text.as_bytes(), expected)
    }

    /// The whole text of a note, for reading: an invalid byte shows as U+FFFD.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, path: &VaultPath) -> Result<String, NoteError> {
        let (bytes, _) = self.root.read(path)?;
        Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// The whole text of a note, for an edit.
    ///
    /// # Errors
    /// U-19: also when it holds an invalid byte, which an edit would replace.
    pub fn read_to_edit(&self, path: &VaultPath) -> Result<Editable, NoteError> {
        let place = self.root.find(path)?;
        let (bytes, identity) = place.read()?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let position = error.utf8_error().valid_up_to();
            let before = &error.as_bytes()[..position];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            NoteError::NotText { path: path.shown.clone(), position, line }
        })?;
        Ok(Editable { place, text, identity })
    }
}

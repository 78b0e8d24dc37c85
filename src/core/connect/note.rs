//! What was written last for a program, so that it can be taken back.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::ConnectError;
use super::file::{Found, digest};
use crate::settings::{Home, RuntimeKind, replace_file};

/// A note of a change. Holds no key.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    path: PathBuf,
    /// The digest of what was written.
    written: String,
    /// The file as it was; `None`: there was none.
    backup: Option<PathBuf>,
}

impl Note {
    pub fn new(found: &Found, written: &[u8], backup: Option<PathBuf>) -> Self {
        Self { path: found.path.clone(), written: digest(written), backup }
    }

    pub fn save(&self, home: &Home, program: RuntimeKind) -> io::Result<()> {
        let path = place(home, program);
        fs::create_dir_all(home.connections_folder())?;
        replace_file(&path, &serde_json::to_vec_pretty(self)?)
    }

    /// Brings the file back, unless it was edited since.
    pub fn take_back(&self) -> Result<(), ConnectError> {
        let found = Found::read(&self.path)?;
        let edited = || ConnectError::Edited { path: self.path.clone(), backup: self.backup.clone() };
        if found.seen() != self.written {
            return Err(edited());
        }
        let Some(backup) = &self.backup else { return found.remove() };
        let old = fs::read(backup).map_err(|source| ConnectError::Read { path: backup.clone(), source })?;
        found.write(&old)?;
        // One that stays does no harm.
        let _ = fs::remove_file(backup);
        Ok(())
    }
}

fn place(home: &Home, program: RuntimeKind) -> PathBuf {
    home.connections_folder().join(format!("{}.json", program.as_str()))
}

fn read(path: &Path) -> Option<Note> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Whether something was written for a program that was not taken back.
pub fn can_undo(home: &Home, program: RuntimeKind) -> bool {
    read(&place(home, program)).is_some()
}

/// Takes back what was written last for a program. Gives the file. Blocks on the disk.
///
/// # Errors
/// Nothing was written, or the file was edited since; it is left alone.
pub fn undo(home: &Home, program: RuntimeKind) -> Result<PathBuf, ConnectError> {
    let place = place(home, program);
    let note = read(&place).ok_or(ConnectError::NothingToUndo(program.product_name()))?;
    note.take_back()?;
    // The file is back; a note that stays is refused the next time, for the file differs.
    let _ = fs::remove_file(place);
    Ok(note.path)
}

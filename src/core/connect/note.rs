//! What was written last for a program, so that it can be taken back.

use std::path::PathBuf;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::ConnectError;
use super::file::{Found, digest};
use crate::settings::{Home, RuntimeId, RuntimeKind, replace_file};

/// A note of a change. Holds no key.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    path: PathBuf,
    /// The digest of what was written.
    written: String,
    /// The digest of what was there right before, for a write that was cut off.
    #[serde(default)]
    before: String,
    /// The file as it was; `None`: there was none.
    backup: Option<PathBuf>,
    /// The runtime whose key the entry takes from the keyring.
    #[serde(default)]
    pub key_kept: Option<RuntimeId>,
}

impl Note {
    pub fn new(found: &Found, written: &[u8], backup: Option<PathBuf>) -> Self {
        let (written, before) = (digest(written), found.seen());
        Self { path: found.path.clone(), written, before, backup, key_kept: None }
    }

    /// The backup to go back to where a file is written that still is as we wrote it: how it was before us.
    pub fn earliest(&self, found: &Found) -> Option<Option<PathBuf>> {
        let ours = self.path == found.path && found.seen() == self.written;
        (ours && self.backup.as_ref().is_none_or(|backup| backup.exists())).then(|| self.backup.clone())
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
        // Cut off before the file was written, it is as it was.
        if found.seen() != self.written && found.seen() != self.before {
            return Err(edited());
        }
        let Some(backup) = &self.backup else {
            return if found.exists() { found.remove() } else { Ok(()) };
        };
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

/// What was written last for a program and not taken back.
pub fn last(home: &Home, program: RuntimeKind) -> Option<Note> {
    serde_json::from_slice(&fs::read(place(home, program)).ok()?).ok()
}

/// Drops the note of a write that was not made.
pub fn forget(home: &Home, program: RuntimeKind) {
    // One that stays says the same as the file: as it was before.
    let _ = fs::remove_file(place(home, program));
}

/// Whether something was written for a program that was not taken back.
pub fn can_undo(home: &Home, program: RuntimeKind) -> bool {
    last(home, program).is_some()
}

/// Takes back what was written for a program. Gives the file, and the runtime whose key the entry took from the keyring.
/// Blocks on the disk.
///
/// # Errors
/// Nothing was written, or the file was edited since; it is left alone.
pub fn undo(home: &Home, program: RuntimeKind) -> Result<(PathBuf, Option<RuntimeId>), ConnectError> {
    let note = last(home, program).ok_or(ConnectError::NothingToUndo(program.product_name()))?;
    note.take_back()?;
    // The file is back; a note that stays is refused the next time, for the file differs.
    forget(home, program);
    Ok((note.path, note.key_kept))
}

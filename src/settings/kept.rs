//! The settings file while an instance runs. A person may edit it meanwhile: then it is left alone, and
//! the person is told, rather than the edit being lost with the next click.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::file::{SettingsError, parse, save};
use super::schema::Settings;

/// The file, and what this process read or wrote last.
#[derive(Debug, Clone)]
pub struct SettingsFile {
    path: PathBuf,
    /// A digest of its bytes; `None`: there was no file.
    known: Option<[u8; 32]>,
}

impl SettingsFile {
    /// Reads the settings of a home. A file that is not there yields the defaults.
    ///
    /// # Errors
    /// Anything but a whole, known and sensible file; the file is not touched.
    pub fn open(path: &Path) -> Result<(Self, Settings), SettingsError> {
        let (known, settings) = match fs::read_to_string(path) {
            Ok(text) => (Some(digest(text.as_bytes())), parse(&text, path)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (None, Settings::default()),
            Err(source) => return Err(SettingsError::Read { path: path.to_owned(), source }),
        };
        Ok((Self { path: path.to_owned(), known }, settings))
    }

    /// Whether the file is as this process knows it. Blocks on the disk.
    ///
    /// # Errors
    /// [`SettingsError::Changed`]. A file that cannot be read is no change: saving says what is wrong with it.
    pub fn check(&self) -> Result<(), SettingsError> {
        let now = match fs::read(&self.path) {
            Ok(bytes) => Some(digest(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(_) => return Ok(()),
        };
        if now == self.known { Ok(()) } else { Err(SettingsError::Changed { path: self.path.clone() }) }
    }

    /// Saves the settings whole. [`SettingsFile::check`] before. Blocks on the disk.
    ///
    /// # Errors
    /// The settings are not valid, or the disk refuses; the old file is then still whole.
    pub fn save(&mut self, settings: &Settings) -> Result<(), SettingsError> {
        let written = save(&self.path, settings)?;
        self.known = Some(digest(written.as_bytes()));
        Ok(())
    }
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_a_removal_and_a_new_file_are_changes_and_our_own_saves_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let (mut file, settings) = SettingsFile::open(&path).unwrap();
        file.check().unwrap();
        file.save(&settings).unwrap();
        file.check().unwrap();
        let saved = fs::read(&path).unwrap();
        let changed = |file: &SettingsFile| matches!(file.check(), Err(SettingsError::Changed { .. }));
        for edit in ["{}", "{broken", ""] {
            fs::write(&path, edit).unwrap();
            assert!(changed(&file), "{edit}");
        }
        fs::remove_file(&path).unwrap();
        assert!(changed(&file));
        fs::write(&path, saved).unwrap();
        file.check().unwrap();
    }
}

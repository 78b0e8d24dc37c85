//! Writing a note so that whoever looks finds the old one or the new one, whole (U-27).
//!
//! The new text goes to a file that nobody sees yet ([`Temporary`]); it is synced, gets the mode, owner
//! and attributes of the old file, and takes its name in one step. A file with several names, or in a
//! folder that cannot be written to, is written in place, and gets its old text back if that fails.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, Write};

use cap_std::fs::{Dir, OpenOptions};

use super::error::NoteError;
use super::folders::Made;
use super::renaming;
use super::root::{Identity, Kind, Place};
use super::temporary::Temporary;

/// What must stand at the place for the writing to go on (N-09).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected<'a> {
    /// Anything: the call replaces a note, whatever it holds.
    Any,
    /// Nothing.
    Nothing,
    /// The file that was read, unchanged: it is the same one and holds these bytes.
    Same(Identity, &'a [u8]),
}

/// Writes `bytes` to the file at `place`, making its folders.
///
/// # Errors
/// [`NoteError::Conflict`] when something else than `expected` stands there; nothing was written then.
pub fn write(place: &Place, bytes: &[u8], expected: Expected<'_>) -> Result<(), NoteError> {
    let path = place.shown();
    let failed = |source| NoteError::from_io("write file", path, source);
    let conflict = || NoteError::Conflict { path: path.to_owned() };
    match place.kind {
        Kind::Missing if matches!(expected, Expected::Same(..)) => Err(conflict()),
        Kind::Missing => {
            let (made, folder) = Made::below(&place.parent, &place.missing).map_err(failed)?;
            match create(&folder, &place.name, bytes) {
                Ok(()) => {
                    made.keep();
                    Ok(())
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(conflict()),
                Err(error) => Err(failed(error)),
            }
        }
        _ if expected == Expected::Nothing => Err(conflict()),
        _ => replace(place, bytes, expected),
    }
}

fn create(folder: &Dir, name: &OsStr, bytes: &[u8]) -> io::Result<()> {
    let temporary = Temporary::write(folder, name, bytes, NEW_MODE)?;
    temporary.sync()?;
    temporary.take_free_name(name)?;
    renaming::sync(folder)
}

fn replace(place: &Place, bytes: &[u8], expected: Expected<'_>) -> Result<(), NoteError> {
    let path = place.shown();
    let failed = |source| NoteError::from_io("write file", path, source);
    let conflict = || NoteError::Conflict { path: path.to_owned() };
    // Opened for writing, though not written to: a note that is write-protected is not to be replaced.
    let old = place.open_with(OpenOptions::new().read(true).write(true))?;
    let found = Identity::of(&old.metadata().map_err(failed)?);
    let old = old.into_std();
    // The name is held against this again when it is taken.
    let expected = match expected {
        Expected::Same(identity, _) if identity != found => return Err(conflict()),
        Expected::Same(identity, bytes) => Some((identity, bytes)),
        Expected::Any | Expected::Nothing => None,
    };
    let in_place = |old| in_place(old, bytes, expected.map(|(_, bytes)| bytes), path);
    if found.links > 1 {
        return in_place(old);
    }
    let temporary = match Temporary::write(&place.parent, &place.name, bytes, PRIVATE_MODE) {
        Ok(temporary) => temporary,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return in_place(old),
        Err(error) => return Err(failed(error)),
    };
    temporary.copy_attributes(&old).and_then(|()| temporary.sync()).map_err(failed)?;
    let replaced = match expected {
        Some((identity, bytes)) => temporary.replace_same(&place.name, &old, &identity, bytes),
        None => temporary.replace(&place.name).map(|()| true),
    };
    match replaced {
        // The folder is not synced: that would double the time, and a power cut in the seconds until the
        // system does it leaves the old note, whole.
        Ok(true) => Ok(()),
        Ok(false) => Err(conflict()),
        // A file that is mounted by itself cannot be renamed over.
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => in_place(old),
        // It was there a moment ago.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(conflict()),
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => Err(conflict()),
        Err(error) => Err(failed(error)),
    }
}

fn in_place(mut file: File, bytes: &[u8], expected: Option<&[u8]>, path: &str) -> Result<(), NoteError> {
    let failed = |source| NoteError::from_io("write file", path, source);
    let mut old = Vec::new();
    file.read_to_end(&mut old).map_err(failed)?;
    if expected.is_some_and(|expected| expected != old) {
        return Err(NoteError::Conflict { path: path.to_owned() });
    }
    overwrite(&mut file, bytes).map_err(|error| {
        // The best that can be done: it had its room on disk before.
        let _ = overwrite(&mut file, &old);
        failed(error)
    })
}

fn overwrite(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// The mode of a new note, before the process's mask.
const NEW_MODE: u32 = 0o666;
/// The mode of a copy until it gets that of the file it replaces.
pub const PRIVATE_MODE: u32 = 0o600;

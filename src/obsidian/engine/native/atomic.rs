//! Writing a note so that whoever looks finds the old one or the new one, whole (U-27).
//!
//! The new text goes to a file without a name where the system has such files, else to a hidden one
//! beside the note; it is synced, gets the mode, owner and attributes of the old file, and takes its name
//! in one step. A file with several names, or in a folder that cannot be written to, is written in place,
//! and gets its old text back if that fails.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Seek, Write};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, OpenOptions};
use sha2::{Digest, Sha256};

use super::error::NoteError;
use super::folders::Made;
use super::root::{Identity, Kind, Place};
use super::{attributes, renaming};

/// What must stand at the place for the writing to go on (N-09).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Anything: the call replaces a note, whatever it holds.
    Any,
    /// Nothing.
    Nothing,
    /// The file that was read, unchanged.
    Same(Identity),
}

/// Writes `bytes` to the file at `place`, making its folders.
///
/// # Errors
/// [`NoteError::Conflict`] when something else than `expected` stands there; nothing was written then.
pub fn write(place: &Place, bytes: &[u8], expected: Expected) -> Result<(), NoteError> {
    let path = place.shown();
    let failed = |source| NoteError::from_io("write file", path, source);
    let conflict = || NoteError::Conflict { path: path.to_owned() };
    match place.kind {
        Kind::Missing if matches!(expected, Expected::Same(_)) => Err(conflict()),
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

fn replace(place: &Place, bytes: &[u8], expected: Expected) -> Result<(), NoteError> {
    let path = place.shown();
    let failed = |source| NoteError::from_io("write file", path, source);
    // Opened for writing, though not written to: a note that is write-protected is not to be replaced.
    let old = place.open_with(OpenOptions::new().read(true).write(true))?;
    let found = Identity::of(&old.metadata().map_err(failed)?);
    check(&found, expected, path)?;
    let old = old.into_std();
    if found.links > 1 {
        return in_place(old, bytes, path);
    }
    let temporary = match Temporary::write(&place.parent, &place.name, bytes, PRIVATE_MODE) {
        Ok(temporary) => temporary,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return in_place(old, bytes, path),
        Err(error) => return Err(failed(error)),
    };
    temporary.copy_attributes(&old).and_then(|()| temporary.sync()).map_err(failed)?;
    // Looked at again at the last moment, by name: this is what the rename replaces.
    let now = place.parent.symlink_metadata(&place.name);
    let now = now.map_err(|_| NoteError::Conflict { path: path.to_owned() })?;
    if expected != Expected::Any {
        check(&Identity::of(&now), expected, path)?;
    } else if !now.is_file() {
        return Err(NoteError::Conflict { path: path.to_owned() });
    }
    match temporary.replace(&place.name) {
        // A file that is mounted by itself cannot be renamed over.
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => in_place(old, bytes, path),
        Err(error) => Err(failed(error)),
        // The folder is not synced: that would double the time, and a power cut in the seconds until the
        // system does it leaves the old note, whole.
        Ok(()) => Ok(()),
    }
}

fn check(found: &Identity, expected: Expected, path: &str) -> Result<(), NoteError> {
    match expected {
        Expected::Same(identity) if identity != *found => Err(NoteError::Conflict { path: path.to_owned() }),
        _ => Ok(()),
    }
}

fn in_place(mut file: File, bytes: &[u8], path: &str) -> Result<(), NoteError> {
    let failed = |source| NoteError::from_io("write file", path, source);
    let mut old = Vec::new();
    io::Read::read_to_end(&mut file, &mut old).map_err(failed)?;
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
const PRIVATE_MODE: u32 = 0o600;

/// A file that nobody sees yet.
pub struct Temporary<'a> {
    folder: &'a Dir,
    file: File,
    /// Its name, if it has one. One name a note: what a crash left behind is taken over by the next
    /// writing of that note.
    name: Option<OsString>,
    spare_name: OsString,
}

impl<'a> Temporary<'a> {
    fn write(folder: &'a Dir, for_name: &OsStr, bytes: &[u8], mode: u32) -> io::Result<Self> {
        let mut temporary = Self::empty(folder, for_name, mode)?;
        temporary.file.write_all(bytes)?;
        Ok(temporary)
    }

    /// A synced copy of `old` with all its attributes and times, for the name `for_name` in `folder`.
    pub fn copy_of(folder: &'a Dir, for_name: &OsStr, old: &mut File) -> io::Result<Self> {
        let mut temporary = Self::empty(folder, for_name, PRIVATE_MODE)?;
        io::copy(old, &mut temporary.file)?;
        temporary.copy_attributes(old)?;
        if let Ok(modified) = old.metadata()?.modified() {
            temporary.file.set_modified(modified)?;
        }
        temporary.sync()?;
        Ok(temporary)
    }

    fn empty(folder: &'a Dir, for_name: &OsStr, mode: u32) -> io::Result<Self> {
        let digest = hex::encode(&Sha256::digest(for_name.as_encoded_bytes())[..8]);
        let spare_name = OsString::from(format!(".notegate-{digest}.tmp"));
        let (file, name) = match nameless(folder, mode) {
            Some(file) => (file, None),
            None => (named(folder, &spare_name, mode)?, Some(spare_name.clone())),
        };
        Ok(Self { folder, file, name, spare_name })
    }

    fn copy_attributes(&self, old: &File) -> io::Result<()> {
        attributes::copy(old, &self.file)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Takes the name `name`, which must be free.
    pub fn take_free_name(mut self, name: &OsStr) -> io::Result<()> {
        match &self.name {
            None => link_nameless(&self.file, self.folder, name),
            Some(own) => {
                renaming::without_replacing(self.folder, own, self.folder, name)?;
                self.name = None;
                Ok(())
            }
        }
    }

    /// Takes the name `name` from the file that has it.
    pub fn replace(mut self, name: &OsStr) -> io::Result<()> {
        if self.name.is_none() {
            // No system call gives a nameless file a name that is taken, so it gets one for a moment.
            let linked = link_nameless(&self.file, self.folder, &self.spare_name);
            if linked.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists) {
                self.folder.remove_file(&self.spare_name)?;
                link_nameless(&self.file, self.folder, &self.spare_name)?;
            } else {
                linked?;
            }
            self.name = Some(self.spare_name.clone());
        }
        self.folder.rename(&self.spare_name, self.folder, name)?;
        self.name = None;
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            let _ = self.folder.remove_file(name);
        }
    }
}

#[cfg(target_os = "linux")]
fn nameless(folder: &Dir, mode: u32) -> Option<File> {
    use rustix::fs::{Mode, OFlags, openat};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    // Not every file system has them, and a name is given to them by way of /proc.
    let file = openat(folder, ".", flags, Mode::from_raw_mode(mode)).ok()?;
    std::path::Path::new("/proc/self/fd").is_dir().then(|| File::from(file))
}

#[cfg(not(target_os = "linux"))]
fn nameless(_folder: &Dir, _mode: u32) -> Option<File> {
    None
}

#[cfg(target_os = "linux")]
fn link_nameless(file: &File, folder: &Dir, name: &OsStr) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, own, folder, name, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link_nameless(_file: &File, _folder: &Dir, _name: &OsStr) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into()) // `nameless` gives none here
}

fn named(folder: &Dir, name: &OsStr, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).follow(FollowSymlinks::No);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    let opened = match folder.open_with(name, &options) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            folder.remove_file(name)?;
            folder.open_with(name, &options)
        }
        opened => opened,
    };
    opened.map(cap_std::fs::File::into_std)
}

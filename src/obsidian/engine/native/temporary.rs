//! The file that a note is written to before it takes the note's name.
//!
//! It has no name at all where the system has such files, else a hidden one beside the note. That name
//! hangs on the note's, so that the next writing of the note clears away what a crash left behind. A
//! lock, which ends with its process, tells what was left behind from what another process is using.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, Metadata, OpenOptions};
use sha2::{Digest, Sha256};

use super::atomic::PRIVATE_MODE;
use super::root::Identity;
use super::{attributes, renaming};

/// A file that nobody sees yet. Dropped before it took its name, it is gone.
pub struct Temporary<'a> {
    folder: &'a Dir,
    file: File,
    /// Its hidden name, while it has one.
    name: Option<OsString>,
    for_name: &'a OsStr,
}

impl<'a> Temporary<'a> {
    /// A file that holds `bytes` and is to take the name `for_name` in `folder`.
    pub fn write(folder: &'a Dir, for_name: &'a OsStr, bytes: &[u8], mode: u32) -> io::Result<Self> {
        let mut temporary = Self::empty(folder, for_name, mode)?;
        temporary.file.write_all(bytes)?;
        Ok(temporary)
    }

    /// A synced copy of `old` with all its attributes and times, for the name `for_name` in `folder`.
    pub fn copy_of(folder: &'a Dir, for_name: &'a OsStr, old: &mut File) -> io::Result<Self> {
        let mut temporary = Self::empty(folder, for_name, PRIVATE_MODE)?;
        io::copy(old, &mut temporary.file)?;
        temporary.copy_attributes(old)?;
        if let Ok(modified) = old.metadata()?.modified() {
            temporary.file.set_modified(modified)?;
        }
        temporary.sync()?;
        Ok(temporary)
    }

    fn empty(folder: &'a Dir, for_name: &'a OsStr, mode: u32) -> io::Result<Self> {
        if let Some(file) = nameless(folder, mode) {
            lock(&file);
            return Ok(Self { folder, file, name: None, for_name });
        }
        let (file, name) = with_hidden_name(folder, for_name, |name| named(folder, name, mode))?;
        Ok(Self { folder, file, name: Some(name), for_name })
    }

    /// Gives it what `old` has besides its bytes.
    pub fn copy_attributes(&self, old: &File) -> io::Result<()> {
        attributes::copy(old, &self.file)
    }

    /// Returns when it is on disk.
    pub fn sync(&self) -> io::Result<()> {
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
        let own = self.hidden_name()?;
        self.folder.rename(own, self.folder, name)?;
        self.name = None;
        Ok(())
    }

    /// Takes the name `name` if the file that has it is the one with `identity` and holds `bytes`, and
    /// says whether it did.
    ///
    /// The two trade names, and what was there is looked at afterwards: so there is no moment between the
    /// look and the deed in which somebody else's change could be lost (N-09).
    pub fn replace_same(
        mut self,
        name: &OsStr,
        old: &File,
        identity: &Identity,
        bytes: &[u8],
    ) -> io::Result<bool> {
        let own = self.hidden_name()?;
        // Two that trade at the same time would put back what the other one brought.
        let _alone = renaming::alone_in(self.folder);
        // It has the hidden name for a moment, and is not left behind then either.
        #[cfg(unix)]
        lock(old);
        #[cfg(not(unix))]
        let _ = old; // there others could not read it while it is locked, and names are not traded
        if !renaming::exchange(self.folder, &own, name)? {
            return if is_same(self.folder, name, identity, bytes)? {
                self.replace(name).map(|()| true)
            } else {
                Ok(false)
            };
        }
        let same = is_same(self.folder, &own, identity, bytes);
        if !matches!(same, Ok(true))
            && let Err(error) = self.trade_back(&own, name)
        {
            self.name = None; // what has this name now is not ours to remove
            return Err(error);
        }
        same
    }

    fn trade_back(&self, own: &OsStr, name: &OsStr) -> io::Result<()> {
        renaming::exchange(self.folder, own, name)?;
        let ours = Identity::of(&Metadata::from_file(&self.file)?);
        if Identity::of(&self.folder.symlink_metadata(own)?) != ours {
            // Somebody has put a newer note in the place of ours meanwhile: that one is to stay.
            renaming::exchange(self.folder, own, name)?;
        }
        Ok(())
    }

    /// The hidden name. No system call gives a nameless file a name that is taken, so it gets this one
    /// for a moment.
    fn hidden_name(&mut self) -> io::Result<OsString> {
        if let Some(name) = &self.name {
            return Ok(name.clone());
        }
        let link = |name: &OsStr| link_nameless(&self.file, self.folder, name);
        let ((), name) = with_hidden_name(self.folder, self.for_name, link)?;
        self.name = Some(name.clone());
        Ok(name)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            let _ = self.folder.remove_file(name);
        }
    }
}

/// Whether the entry `name` is the file with `identity` and holds `bytes`. A time of change is too coarse
/// to tell two changes in a row apart, so the bytes are compared.
fn is_same(folder: &Dir, name: &OsStr, identity: &Identity, bytes: &[u8]) -> io::Result<bool> {
    if Identity::of(&folder.symlink_metadata(name)?) != *identity {
        return Ok(false);
    }
    let mut options = OpenOptions::new();
    let mut file = folder.open_with(name, options.read(true).follow(FollowSymlinks::No))?;
    let mut found = Vec::with_capacity(bytes.len() + 1);
    io::Read::read_to_end(&mut file, &mut found)?;
    Ok(found == bytes)
}

/// Makes something by a hidden name for the note `for_name`: by the one that hangs on the note's name
/// alone, or by a random one when another process is using that.
fn with_hidden_name<T>(
    folder: &Dir,
    for_name: &OsStr,
    make: impl Fn(&OsStr) -> io::Result<T>,
) -> io::Result<(T, OsString)> {
    let digest = hex::encode(&Sha256::digest(for_name.as_encoded_bytes())[..8]);
    let name = OsString::from(format!(".notegate-{digest}.tmp"));
    let taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
    let mut made = make(&name);
    if made.as_ref().is_err_and(taken) && remove_left_behind(folder, &name)? {
        made = make(&name);
    }
    if !made.as_ref().is_err_and(taken) {
        return made.map(|made| (made, name));
    }
    let mut random = [0_u8; 8];
    getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    let name = OsString::from(format!(".notegate-{digest}-{}.tmp", hex::encode(random)));
    make(&name).map(|made| (made, name))
}

/// Removes the file `name` unless a living process holds it. Only who holds its lock removes it, so it is
/// the file that was looked at.
fn remove_left_behind(folder: &Dir, name: &OsStr) -> io::Result<bool> {
    let mut options = OpenOptions::new();
    let file = match folder.open_with(name, options.read(true).write(true).follow(FollowSymlinks::No)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        file => file?.into_std(),
    };
    let is_free = lock(&file);
    if is_free {
        folder.remove_file(name)?;
    }
    Ok(is_free)
}

/// Marks the file as in use until it is closed. `false` when another process did so before. Where there
/// are no locks nothing is in use.
fn lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock))
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
    let file = folder.open_with(name, &options)?.into_std();
    // Whoever came between took it for left behind, and will remove it.
    if lock(&file) { Ok(file) } else { Err(io::ErrorKind::AlreadyExists.into()) }
}

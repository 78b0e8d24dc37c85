//! The vault as an open handle: nothing is reached but through it.
//!
//! A check of a path as text says nothing about what is opened a moment later, when a link may have been
//! swapped in (V-11). So a path is walked name by name from the open folder of the vault, each folder
//! opened from the one before and never through a link; links are read and followed by us, and only
//! inside. What is found is a [`Place`]: the open folder it stands in, and its name there.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::error::{EngineError, NoteError};
use super::filter;
use super::path::VaultPath;
use super::way::Way;

/// An open vault.
#[derive(Debug)]
pub struct Root {
    dir: Dir,
    /// The canonical path, and the one that it was opened by where that leads through a link.
    spellings: Vec<PathBuf>,
    /// Our own folders, by device and number, so that no spelling and no link makes a difference.
    protected: Vec<(u64, u64)>,
}

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    /// A pipe, socket or device.
    Other,
    /// A symbolic link. Only [`Root::find_entry`] gives it.
    Link,
    Missing,
}

/// Where a path leads, with all links followed.
#[derive(Debug)]
pub struct Place {
    /// The open folder it stands in.
    pub parent: Dir,
    /// Its name there, as the disk spells it.
    pub name: OsString,
    pub kind: Kind,
    /// Folders below `parent` that are missing on the way to it.
    pub missing: Vec<OsString>,
    /// The path below the vault that it really has.
    pub real: PathBuf,
    /// The last name was a link.
    pub is_link: bool,
    /// The path without the vault's own name, when nothing is there and it begins with that.
    pub inside: Option<String>,
    pub(super) shown: String,
}

/// By what a file is recognised as unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    pub device: u64,
    pub number: u64,
    pub size: u64,
    pub modified: Option<SystemTime>,
    /// How many names the file has.
    pub links: u64,
}

impl Identity {
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            number: metadata.ino(),
            size: metadata.len(),
            modified: metadata.modified().ok().map(cap_std::time::SystemTime::into_std),
            links: metadata.nlink(),
        }
    }
}

impl Root {
    /// Opens the vault at `vault`. Nothing in the folders `protected` is reached through it.
    ///
    /// # Errors
    /// When the vault cannot be opened, or lies in a protected folder.
    pub fn open(vault: &Path, protected: &[PathBuf]) -> Result<Self, EngineError> {
        let path = vault.canonicalize().map_err(|source| EngineError::vault(vault, source))?;
        let dir = Dir::open_ambient_dir(&path, ambient_authority())
            .map_err(|source| EngineError::vault(vault, source))?;
        let mut identities = Vec::new();
        for folder in protected {
            // One that does not exist holds nothing to protect.
            let Ok(real) = folder.canonicalize() else { continue };
            if path.starts_with(&real) {
                return Err(EngineError::Protected { path });
            }
            let metadata =
                Dir::open_ambient_dir(&real, ambient_authority()).and_then(|dir| dir.dir_metadata());
            let metadata = metadata.map_err(|source| EngineError::vault(&real, source))?;
            identities.push((metadata.dev(), metadata.ino()));
        }
        let mut spellings = vec![path];
        if spellings[0] != vault {
            spellings.push(vault.to_owned());
        }
        Ok(Self { dir, spellings, protected: identities })
    }

    /// The canonical path of the vault.
    pub fn path(&self) -> &Path {
        &self.spellings[0]
    }

    /// The absolute paths that callers may know the vault by, the canonical one first.
    pub fn spellings(&self) -> &[PathBuf] {
        &self.spellings
    }

    /// The vault's folder.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Reads an argument as a path in this vault.
    ///
    /// # Errors
    /// When it climbs out.
    pub fn vault_path(&self, given: &str) -> Result<VaultPath, NoteError> {
        VaultPath::new(given, &self.spellings)
    }

    /// Whether `dir` is a folder of our own, where no walk may go.
    ///
    /// # Errors
    /// When the folder cannot be examined; it must not be entered then.
    pub fn is_protected(&self, dir: &Dir) -> io::Result<bool> {
        if self.protected.is_empty() {
            return Ok(false);
        }
        let metadata = dir.dir_metadata()?;
        Ok(self.protected.contains(&(metadata.dev(), metadata.ino())))
    }

    /// Finds where `path` leads. A missing file is a place as well, with the kind [`Kind::Missing`].
    ///
    /// # Errors
    /// When it leads out of the vault, to a hidden file by way of a link, into a folder of our own, or
    /// through something that is not a folder.
    pub fn find(&self, path: &VaultPath) -> Result<Place, NoteError> {
        self.walk(path, true)
    }

    /// As [`Root::find`], but a link as the last name is not followed: moving and removing are about
    /// the link, not about what it leads to.
    ///
    /// # Errors
    /// As [`Root::find`].
    pub fn find_entry(&self, path: &VaultPath) -> Result<Place, NoteError> {
        self.walk(path, false)
    }

    fn walk(&self, path: &VaultPath, follow_last: bool) -> Result<Place, NoteError> {
        if cfg!(windows)
            && let Some(name) = path.parts().iter().find(|name| filter::is_ambiguous(name))
        {
            return Err(NoteError::AmbiguousName { path: path.shown.clone(), name: name.clone() });
        }
        let literal = Way::new(self, path, follow_last)?.run(path.parts());
        match path.with_backslashes_as_separators() {
            // A backslash is a character of a name where such a file exists; else it separates.
            Some(slashed) if !matches!(&literal, Ok(place) if place.kind != Kind::Missing) => {
                Way::new(self, &slashed, follow_last)?.run(slashed.parts())
            }
            _ => literal,
        }
    }

    /// Opens the folder at `path` for listing.
    ///
    /// # Errors
    /// As [`Root::find`], and when it is missing or no folder.
    pub fn open_dir(&self, path: &VaultPath) -> Result<Dir, NoteError> {
        let failed = |source| NoteError::from_io("list directory", &path.shown, source);
        if path.is_root() {
            return self.dir.try_clone().map_err(failed);
        }
        let place = self.find(path)?;
        match place.kind {
            Kind::Folder => place.parent.open_dir_nofollow(&place.name).map_err(failed),
            Kind::Missing => Err(NoteError::FolderNotFound { path: path.shown.clone() }),
            Kind::File | Kind::Other | Kind::Link => Err(NoteError::NotAFolder { path: path.shown.clone() }),
        }
    }

    /// Reads the whole file at `path`, with the identity it had while it was read.
    ///
    /// # Errors
    /// As [`Root::find`], and when it is missing, a folder, or cannot be read.
    pub fn read(&self, path: &VaultPath) -> Result<(Vec<u8>, Identity), NoteError> {
        self.find(path)?.read()
    }
}

impl Place {
    /// Opens the file for reading.
    ///
    /// # Errors
    /// When it is missing, a folder, no plain file, or cannot be opened.
    pub fn open(&self) -> Result<File, NoteError> {
        self.open_with(OpenOptions::new().read(true))
    }

    /// Opens the file with `options`, never through a link.
    ///
    /// # Errors
    /// As [`Place::open`].
    pub fn open_with(&self, options: &mut OpenOptions) -> Result<File, NoteError> {
        let path = || self.shown.clone();
        match self.kind {
            Kind::File => {}
            Kind::Folder => return Err(NoteError::IsFolder { path: path() }),
            Kind::Other | Kind::Link => return Err(NoteError::NotAFile { path: path() }),
            Kind::Missing => return Err(self.not_found()),
        }
        let failed = |source| NoteError::from_io("read file", &self.shown, source);
        // A pipe swapped in for the file must not hold us up.
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::custom_flags(options, rustix::fs::OFlags::NONBLOCK.bits() as i32);
        let file = self.parent.open_with(&self.name, options.follow(FollowSymlinks::No)).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(NoteError::NotAFile { path: path() });
        }
        Ok(file)
    }

    /// The metadata of the file, as opened.
    ///
    /// # Errors
    /// As [`Place::open`].
    pub fn metadata(&self) -> Result<Metadata, NoteError> {
        self.open()?.metadata().map_err(|source| NoteError::from_io("examine file", &self.shown, source))
    }

    /// Reads the whole file, with the identity it had before the first byte was read.
    ///
    /// # Errors
    /// As [`Place::open`].
    pub fn read(&self) -> Result<(Vec<u8>, Identity), NoteError> {
        let failed = |source| NoteError::from_io("read file", &self.shown, source);
        let mut file = self.open()?;
        let identity = Identity::of(&file.metadata().map_err(failed)?);
        let mut bytes = Vec::with_capacity(usize::try_from(identity.size).unwrap_or(0).saturating_add(1));
        file.read_to_end(&mut bytes).map_err(failed)?;
        Ok((bytes, identity))
    }

    /// That nothing is there.
    pub fn not_found(&self) -> NoteError {
        NoteError::NotFound { path: self.shown.clone(), inside: self.inside.clone() }
    }

    /// The path as the caller knows it, for messages.
    pub fn shown(&self) -> &str {
        &self.shown
    }
}

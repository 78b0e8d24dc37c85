//! The vault as an open handle: nothing is reached but through it.
//!
//! A check of a path as text says nothing about what is opened a moment later, when a link may have been
//! swapped in (V-11). So a path is walked name by name from the open folder of the vault, each folder
//! opened from the one before and never through a link; links are read and followed by us, and only
//! inside. What is found is a [`Place`]: the open folder it stands in, and its name there.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use unicode_normalization::UnicodeNormalization;

use super::error::{EngineError, NoteError};
use super::filter;
use super::path::VaultPath;

/// How many links are followed on the way to one file, as on Linux.
const MOST_LINKS: usize = 40;

/// An open vault.
#[derive(Debug)]
pub struct Root {
    dir: Dir,
    path: PathBuf,
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
    shown: String,
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
        Ok(Self { dir, path, protected: identities })
    }

    /// The canonical path of the vault.
    pub fn path(&self) -> &Path {
        &self.path
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
        VaultPath::new(given, &self.path)
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
        let literal = Walk::new(self, path, follow_last)?.run(path.parts());
        match path.with_backslashes_as_separators() {
            // A backslash is a character of a name where such a file exists; else it separates.
            Some(slashed) if !matches!(&literal, Ok(place) if place.kind != Kind::Missing) => {
                Walk::new(self, &slashed, follow_last)?.run(slashed.parts())
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

/// One walk from the root of the vault to a place.
struct Walk<'a> {
    root: &'a Root,
    path: &'a VaultPath,
    /// The folder reached so far, and those above it.
    here: Dir,
    above: Vec<(OsString, Dir)>,
    links: usize,
    follow_last: bool,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Root, path: &'a VaultPath, follow_last: bool) -> Result<Self, NoteError> {
        let here =
            root.dir.try_clone().map_err(|source| NoteError::from_io("open vault", &path.shown, source))?;
        Ok(Self { root, path, here, above: Vec::new(), links: 0, follow_last })
    }

    fn run(mut self, parts: &[String]) -> Result<Place, NoteError> {
        let mut ahead: VecDeque<OsString> = parts.iter().map(OsString::from).collect();
        let mut is_link = false;
        while let Some(name) = ahead.pop_front() {
            if name == ".." {
                // Only a link's target holds this: those of the path itself are gone by now.
                let (_, dir) = self.above.pop().ok_or_else(|| self.outside())?;
                self.here = dir;
                continue;
            }
            let Some((name, metadata)) = self.look(&name)? else {
                return self.missing(name, ahead);
            };
            let kind = metadata.file_type();
            if kind.is_symlink() && (self.follow_last || !ahead.is_empty()) {
                is_link |= ahead.is_empty();
                self.follow(&name, &mut ahead)?;
            } else if ahead.is_empty() {
                let kind = match () {
                    () if kind.is_file() => Kind::File,
                    () if kind.is_dir() => Kind::Folder,
                    () if kind.is_symlink() => Kind::Link,
                    () => Kind::Other,
                };
                if kind == Kind::Folder {
                    let dir = self.here.open_dir_nofollow(&name).map_err(|source| self.failed(source))?;
                    self.refuse_protected(&dir)?;
                }
                return self.place(name, kind, Vec::new(), is_link);
            } else if kind.is_dir() {
                self.enter(name)?;
            } else {
                return Err(NoteError::NotAFolder { path: self.path.shown.clone() });
            }
        }
        // The root itself, or a link that leads back to a folder on the way.
        match self.above.pop() {
            Some((name, above)) => {
                self.here = above;
                self.place(name, Kind::Folder, Vec::new(), is_link)
            }
            None => self.place(OsString::from("."), Kind::Folder, Vec::new(), is_link),
        }
    }

    /// The entry `name` of the folder here, or the one whose name is the same in another Unicode
    /// form (V-10).
    fn look(&self, name: &OsStr) -> Result<Option<(OsString, Metadata)>, NoteError> {
        match self.here.symlink_metadata(name) {
            Ok(metadata) => return Ok(Some((name.to_owned(), metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(self.failed(error)),
        }
        let Some(wanted) = name.to_str().filter(|name| !name.is_ascii()) else { return Ok(None) };
        for entry in self.here.entries().map_err(|source| self.failed(source))? {
            let found = entry.map_err(|source| self.failed(source))?.file_name();
            if found.to_str().is_some_and(|found| !found.is_ascii() && found.nfc().eq(wanted.nfc())) {
                let metadata = self.here.symlink_metadata(&found).map_err(|source| self.failed(source))?;
                return Ok(Some((found, metadata)));
            }
        }
        Ok(None)
    }

    fn follow(&mut self, name: &OsStr, ahead: &mut VecDeque<OsString>) -> Result<(), NoteError> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(NoteError::LinkLoop { path: self.path.shown.clone() });
        }
        let mut target = self.here.read_link_contents(name).map_err(|source| self.failed(source))?;
        if target.has_root() {
            target = self.below_root(&target).ok_or_else(|| self.outside())?;
            if let Some((_, first)) = self.above.drain(..).next() {
                self.here = first;
            }
        }
        for part in target.components().rev() {
            match part {
                Component::Normal(name) => ahead.push_front(name.to_owned()),
                Component::ParentDir => ahead.push_front("..".into()),
                Component::CurDir => {}
                Component::RootDir | Component::Prefix(_) => return Err(self.outside()),
            }
        }
        Ok(())
    }

    /// An absolute target as a path below the vault. It may be spelt by way of links above the vault;
    /// that spelling is resolved by the system, and what comes out is walked like any other path.
    fn below_root(&self, target: &Path) -> Option<PathBuf> {
        let root = &self.root.path;
        if let Ok(rest) = target.strip_prefix(root) {
            return Some(rest.to_owned());
        }
        target.canonicalize().ok()?.strip_prefix(root).ok().map(Path::to_owned)
    }

    fn enter(&mut self, name: OsString) -> Result<(), NoteError> {
        let dir = self.here.open_dir_nofollow(&name).map_err(|source| self.failed(source))?;
        self.refuse_protected(&dir)?;
        self.above.push((name, std::mem::replace(&mut self.here, dir)));
        Ok(())
    }

    fn refuse_protected(&self, dir: &Dir) -> Result<(), NoteError> {
        match self.root.is_protected(dir) {
            Ok(false) => Ok(()),
            Ok(true) => Err(NoteError::Protected { path: self.path.shown.clone() }),
            Err(source) => Err(self.failed(source)),
        }
    }

    /// Nothing has this name: the rest of the way is to be made.
    fn missing(self, name: OsString, ahead: VecDeque<OsString>) -> Result<Place, NoteError> {
        if self.links > 0 && ahead.iter().any(|name| name == "..") {
            return Err(NoteError::NotFound { path: self.path.shown.clone(), inside: None });
        }
        let mut missing: Vec<OsString> = std::iter::once(name).chain(ahead).collect();
        for name in &missing {
            if let Some(name) = name.to_str().filter(|name| filter::is_device(name)) {
                return Err(NoteError::DeviceName { path: self.path.shown.clone(), name: name.to_owned() });
            }
        }
        // The list holds `name` at least.
        let name = missing.pop().unwrap_or_default();
        let is_link = self.links > 0;
        self.place(name, Kind::Missing, missing, is_link)
    }

    fn place(
        self,
        name: OsString,
        kind: Kind,
        missing: Vec<OsString>,
        is_link: bool,
    ) -> Result<Place, NoteError> {
        let mut real: PathBuf = self.above.iter().map(|(name, _)| name).collect();
        real.extend(&missing);
        real.push(&name);
        // V-12: a link must not reach what its target's own name would not.
        if self.links > 0 && real.iter().any(|name| name.to_str().is_some_and(filter::is_hidden)) {
            return Err(NoteError::Denied { path: self.path.shown.clone() });
        }
        let inside =
            (kind == Kind::Missing).then(|| self.path.without(self.root.path.file_name()?)).flatten();
        let shown = self.path.shown.clone();
        Ok(Place { parent: self.here, name, kind, missing, real, is_link, inside, shown })
    }

    fn outside(&self) -> NoteError {
        NoteError::LinkOutside { path: self.path.shown.clone() }
    }

    fn failed(&self, source: io::Error) -> NoteError {
        NoteError::from_io("examine path", &self.path.shown, source)
    }
}

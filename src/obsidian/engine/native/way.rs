//! The way from the root of the vault to a place, name by name, each folder opened from the one before.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::DirExt;
use cap_std::fs::{Dir, Metadata};
use unicode_normalization::UnicodeNormalization;

use super::error::NoteError;
use super::filter;
use super::path::VaultPath;
use super::root::{Kind, Place, Root};

/// How many links are followed on the way to one file, as on Linux.
const MOST_LINKS: usize = 40;

/// One walk from the root of the vault to a place.
pub(super) struct Way<'a> {
    root: &'a Root,
    path: &'a VaultPath,
    /// The folder reached so far, and those above it.
    here: Dir,
    above: Vec<(OsString, Dir)>,
    links: usize,
    follow_last: bool,
}

impl<'a> Way<'a> {
    pub(super) fn new(root: &'a Root, path: &'a VaultPath, follow_last: bool) -> Result<Self, NoteError> {
        let here =
            root.dir().try_clone().map_err(|source| NoteError::from_io("open vault", &path.shown, source))?;
        Ok(Self { root, path, here, above: Vec::new(), links: 0, follow_last })
    }

    pub(super) fn run(mut self, parts: &[String]) -> Result<Place, NoteError> {
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
            // Windows gives long names short ones as well, `OBSIDI~1` for one; only the long ones count.
            Ok(_) if cfg!(windows) && name.to_string_lossy().contains('~') && !self.lists(name)? => {
                return Ok(None);
            }
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

    /// Whether the folder here lists the name, in whatever case.
    fn lists(&self, name: &OsStr) -> Result<bool, NoteError> {
        let name = name.to_string_lossy().to_lowercase();
        for entry in self.here.entries().map_err(|source| self.failed(source))? {
            let found = entry.map_err(|source| self.failed(source))?.file_name();
            if found.to_string_lossy().to_lowercase() == name {
                return Ok(true);
            }
        }
        Ok(false)
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
        let root = self.root.path();
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
        let named = |vault: &PathBuf| self.path.without(vault.file_name()?);
        let inside = (kind == Kind::Missing).then(|| self.root.spellings().iter().find_map(named)).flatten();
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

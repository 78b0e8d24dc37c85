//! Following links by hand, also where the end does not exist yet.
//!
//! `canonicalize` fails on what is missing; a writing call may be about just that, and a dangling
//! link is the way out of a vault that a plain existence check overlooks (V-11).

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf, Prefix};

use super::environment::Platform;

/// As many as Linux follows itself.
const MOST_LINKS: usize = 40;

/// Where a path leads.
#[derive(Debug)]
pub(super) struct Resolved {
    /// The entry itself, in the folder where it really is; a link at the end is not followed.
    pub entry: PathBuf,
    /// What is there when all links are followed. Need not exist.
    pub target: PathBuf,
    /// A link was on the way.
    pub linked: bool,
}

impl Resolved {
    /// Whether both name one existing file, spelt differently or not.
    pub fn is_same_file(&self, other: &Self) -> bool {
        if fs::symlink_metadata(&self.target).is_err() {
            return false;
        }
        self.target == other.target || is_same_entry(&self.target, &other.target)
    }
}

/// One file under one name: on a disk that does not tell case apart `a.md` and `A.md` are the same,
/// while a hard link is a second name.
#[cfg(unix)]
fn is_same_entry(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => one.dev() == other.dev() && one.ino() == other.ino() && one.nlink() == 1,
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same_entry(one: &Path, other: &Path) -> bool {
    matches!((real(one), real(other)), (Ok(one), Ok(other)) if one == other)
}

/// Follows `parts` from the resolved folder `root`.
pub(super) fn follow(root: &Path, parts: &[PathBuf]) -> io::Result<Resolved> {
    let mut linked = false;
    let entry = match parts.split_last() {
        Some((name, folders)) => walk(root, folders, &mut linked)?.join(name),
        None => root.to_path_buf(),
    };
    let target = walk(root, parts, &mut linked)?;
    Ok(Resolved { entry: spelt_as_stored(entry), target: spelt_as_stored(target), linked })
}

fn walk(root: &Path, parts: &[PathBuf], linked: &mut bool) -> io::Result<PathBuf> {
    let mut rest: VecDeque<PathBuf> = parts.iter().cloned().collect();
    let mut here = root.to_path_buf();
    let mut links = 0;
    while let Some(part) = rest.pop_front() {
        let next = match part.components().next() {
            Some(Component::ParentDir) => {
                here.pop(); // `here` holds no links, so its parent is the real one
                continue;
            }
            Some(Component::CurDir) | None => continue,
            Some(_) => here.join(&part),
        };
        match fs::symlink_metadata(&next) {
            Ok(metadata) if metadata.is_symlink() => {
                *linked = true;
                links += 1;
                if links > MOST_LINKS {
                    return Err(io::Error::other("its links lead in a circle"));
                }
                let target = fs::read_link(&next)?;
                for component in target.components().rev() {
                    rest.push_front(PathBuf::from(component.as_os_str()));
                }
            }
            Ok(_) => here = next,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                here = next
            }
            Err(error) => return Err(error),
        }
    }
    Ok(here)
}

/// The path as the disk spells it, where the disk does not tell case apart: the part of it that
/// exists, and the rest as given.
fn spelt_as_stored(path: PathBuf) -> PathBuf {
    let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if is_link => existing(folder).join(name),
        _ => existing(&path),
    }
}

/// A path with all links followed, as the disk spells it.
pub(super) fn real(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize().map(without_verbatim_prefix)
}

/// Windows answers `\\?\C:\notes`, which is a name for `C:\notes` that no one else uses.
fn without_verbatim_prefix(path: PathBuf) -> PathBuf {
    let mut parts = path.components();
    match parts.next() {
        Some(Component::Prefix(prefix)) => match prefix.kind() {
            Prefix::VerbatimDisk(letter) => {
                let mut plain = PathBuf::from(format!("{}:\\", char::from(letter)));
                plain.extend(parts.filter(|part| !matches!(part, Component::RootDir)));
                plain
            }
            _ => path,
        },
        _ => path,
    }
}

/// [`real`] for as much of a path as exists.
pub(super) fn existing(path: &Path) -> PathBuf {
    if let Ok(real) = real(path) {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => existing(folder).join(name),
        _ => path.to_path_buf(),
    }
}

/// Whether `path` is `folder` or lies below it; without regard to case where the platform's disks
/// have none.
pub(super) fn within(path: &Path, folder: &Path, platform: Platform) -> bool {
    match platform {
        Platform::Linux => path.starts_with(folder),
        Platform::MacOs | Platform::Windows => {
            let lower = |path: &Path| PathBuf::from(path.to_string_lossy().to_lowercase());
            lower(path).starts_with(lower(folder))
        }
    }
}

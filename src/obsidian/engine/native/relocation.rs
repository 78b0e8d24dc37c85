//! Giving a file another place: by renaming it on its disk, by copying it to another.
//!
//! At no point is the file gone, and at no point is it half there under its new name.

use std::ffi::OsStr;
use std::fs::File;
use std::io;

use cap_std::fs::Dir;

use super::renaming;
use super::root::{Identity, Kind, Place};
use super::temporary::Temporary;

/// Moves the file at `from` to the name `name` in `folder`, which must be free
/// ([`io::ErrorKind::AlreadyExists`]).
pub fn to_free_name(from: &Place, folder: &Dir, name: &OsStr) -> io::Result<()> {
    let renamed = renaming::without_replacing(&from.parent, &from.name, folder, name);
    finish(renamed, from, folder, name, Temporary::take_free_name)
}

/// Moves the file at `from` to the name `name` in `folder`, in place of what has it.
pub fn replacing(from: &Place, folder: &Dir, name: &OsStr) -> io::Result<()> {
    let renamed = from.parent.rename(&from.name, folder, name);
    finish(renamed, from, folder, name, Temporary::replace)
}

fn finish<'a>(
    renamed: io::Result<()>,
    from: &Place,
    folder: &'a Dir,
    name: &'a OsStr,
    take_name: impl FnOnce(Temporary<'a>, &OsStr) -> io::Result<()>,
) -> io::Result<()> {
    match renamed {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices && from.kind == Kind::File => {
            copy(from, folder, name, take_name)?;
            from.parent.remove_file(&from.name)?;
        }
        renamed => renamed?,
    }
    renaming::sync(folder)?;
    renaming::sync(&from.parent)
}

fn copy<'a>(
    from: &Place,
    folder: &'a Dir,
    name: &'a OsStr,
    take_name: impl FnOnce(Temporary<'a>, &OsStr) -> io::Result<()>,
) -> io::Result<()> {
    // Asked before anything is done: a file that must stay where it is would be there twice in the end.
    renaming::may_remove_from(&from.parent)?;
    let mut old = opened(from)?;
    let before = Identity::of(&from.parent.symlink_metadata(&from.name)?);
    let copy = Temporary::copy_of(folder, name, &mut old)?;
    if Identity::of(&from.parent.symlink_metadata(&from.name)?) != before {
        return Err(io::Error::other("it changed on disk while it was copied"));
    }
    take_name(copy, name)?;
    // The copy is on disk before the original goes.
    renaming::sync(folder)
}

fn opened(from: &Place) -> io::Result<File> {
    from.open().map(cap_std::fs::File::into_std).map_err(|error| io::Error::other(error.to_string()))
}

//! Moving a file to another disk: copy, make sure that the copy is on disk, then remove.

use std::io;

use cap_std::fs::Dir;

use super::Refused;
use crate::obsidian::engine::native::atomic::Temporary;
use crate::obsidian::engine::native::error::NoteError;
use crate::obsidian::engine::native::renaming;
use crate::obsidian::engine::native::root::{Identity, Place};

/// At no point is the file gone, and at no point is it half there under its new name.
pub fn copy_and_remove(from: &Place, folder: &Dir, to: &Place, replace: bool) -> Result<(), Refused> {
    let failed =
        |source: io::Error| Refused::Failed(NoteError::from_io("move to another disk", to.shown(), source));
    let mut old = from.open()?.into_std();
    let before = Identity::of(&from.parent.symlink_metadata(&from.name).map_err(failed)?);
    let temporary = Temporary::copy_of(folder, &to.name, &mut old).map_err(failed)?;
    let now = Identity::of(&from.parent.symlink_metadata(&from.name).map_err(failed)?);
    if now != before {
        return Err(NoteError::Conflict { path: from.shown().to_owned() }.into());
    }
    let named = if replace { temporary.replace(&to.name) } else { temporary.take_free_name(&to.name) };
    match named {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(Refused::TargetExists),
        named => named.and_then(|()| renaming::sync(folder)).map_err(failed)?,
    }
    from.parent.remove_file(&from.name).and_then(|()| renaming::sync(&from.parent)).map_err(failed)
}

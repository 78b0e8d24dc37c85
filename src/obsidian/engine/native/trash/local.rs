//! The vault's own trash: the folder `.trash` in its root, as Obsidian uses it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use super::with_room;
use crate::obsidian::engine::native::error::NoteError;
use crate::obsidian::engine::native::folders::Made;
use crate::obsidian::engine::native::path::VaultPath;
use crate::obsidian::engine::native::relocation;
use crate::obsidian::engine::native::root::{Kind, Place, Root};

const FOLDER: &str = ".trash";

/// How many notes of one name the trash takes in one folder.
const MOST_OF_A_NAME: usize = 10_000;

/// Moves the file at `entry`, which `path` led to, to the same path below the trash. What is there
/// already stays: the newcomer gets a number.
pub fn local(root: &Root, path: &VaultPath, entry: &Place) -> io::Result<()> {
    let place = match root.find_entry(&path.below(FOLDER)) {
        // A file of the trash stands where a folder would have to be: to the top with it.
        Err(NoteError::NotAFolder { .. }) => root.find_entry(&path.only_name_below(FOLDER)),
        place => place,
    };
    let place = place.map_err(io::Error::other)?;
    let missing: &[OsString] = if place.kind == Kind::Missing { &place.missing } else { &[] };
    let (made, folder) = Made::below(&place.parent, missing)?;
    for number in 1..=MOST_OF_A_NAME {
        let name = numbered(&entry.name, number);
        match relocation::to_free_name(entry, &folder, &name) {
            Ok(()) => {
                made.keep();
                return Ok(());
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// `Note.md`, `Note 2.md`, `Note 3.md` …
fn numbered(name: &OsStr, number: usize) -> OsString {
    if number == 1 {
        return name.to_owned();
    }
    let name = with_room(name, " 10000".len());
    let path = Path::new(&name);
    let mut numbered = path.file_stem().unwrap_or(&name).to_owned();
    numbered.push(format!(" {number}"));
    if let Some(ending) = path.extension() {
        numbered.push(".");
        numbered.push(ending);
    }
    numbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_stands_before_the_ending() {
        let check =
            |name: &str, number, expected: &str| assert_eq!(numbered(name.as_ref(), number), expected);
        check("Note.md", 1, "Note.md");
        check("Note.md", 2, "Note 2.md");
        check("v1..v2 diff.md", 10, "v1..v2 diff 10.md");
        check("README", 3, "README 3");
    }
}

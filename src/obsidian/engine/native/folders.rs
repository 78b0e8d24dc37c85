//! Making the folders on the way to a new file, and taking them away again when the file fails.

use std::ffi::OsString;
use std::io;

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;

use super::renaming;

/// Folders that were made for a file that is not there yet. Dropped before [`Made::keep`], they go
/// again, as far as they are empty.
#[derive(Debug)]
pub struct Made {
    /// The folder that holds each, and its name there.
    made: Vec<(Dir, OsString)>,
    keep: bool,
}

impl Made {
    /// Makes `missing` below `parent`, one in the other, and opens the last.
    pub fn below(parent: &Dir, missing: &[OsString]) -> io::Result<(Self, Dir)> {
        let mut made = Self { made: Vec::new(), keep: false };
        let mut here = parent.try_clone()?;
        for name in missing {
            match here.create_dir(name) {
                Ok(()) => {
                    made.made.push((here.try_clone()?, name.clone()));
                    renaming::sync(&here)?;
                }
                // Someone was faster; if it is no folder, opening says so.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            here = here.open_dir_nofollow(name)?;
        }
        Ok((made, here))
    }

    /// The file is there: the folders stay.
    pub fn keep(mut self) {
        self.keep = true;
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if self.keep {
            return;
        }
        while let Some((parent, name)) = self.made.pop() {
            let _ = parent.remove_dir(name); // refuses when someone has put something in
        }
    }
}

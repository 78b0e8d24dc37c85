//! The trash of macOS and Windows, as the system offers it.

use std::io;

use super::TrashPlace;
use crate::obsidian::engine::native::root::{Place, Root};

pub fn put(_trash: &TrashPlace, root: &Root, entry: &Place) -> io::Result<()> {
    ::trash::delete(root.path().join(&entry.real)).map_err(|error| {
        io::Error::other(format!("the system trash did not take it ({error}); it is still where it was"))
    })
}

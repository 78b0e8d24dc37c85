//! Replacing a file of ours so that a reader sees the old one or the new one, never a part.

use std::io::{self, Write};
use std::path::Path;

/// What the names of the temporary files begin and end with.
const PREFIX: &str = ".notegate-";
const SUFFIX: &str = ".tmp";

/// Removes the temporary files that a killed process left in a folder of ours. Call it while nobody else
/// can be writing there.
pub(super) fn remove_left(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // One that stays does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Writes `bytes` to `path` by way of a temporary file beside it: written, synced, renamed.
/// The file is readable by its owner alone (0600) where the platform knows modes.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // A temporary file is made with mode 0600, and the rename keeps it.
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(()) // Windows has no way to sync a directory; the rename is journalled by the file system.
}

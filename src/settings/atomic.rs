//! Replacing a file of ours so that a reader sees the old one or the new one, never a part.

use std::io::{self, Write};
use std::path::Path;

/// Writes `bytes` to `path` by way of a temporary file beside it: written, synced, renamed.
/// The file is readable by its owner alone (0600) where the platform knows modes.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".notegate-").suffix(".tmp");
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

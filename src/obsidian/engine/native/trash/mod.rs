//! Where removed notes go when they are not removed for good.

#[cfg(not(target_os = "linux"))]
mod foreign;
#[cfg(target_os = "linux")]
mod freedesktop;
mod local;

pub use local::local;

use std::io;
use std::path::PathBuf;

use super::root::{Place, Root};

/// Where the system's trash is.
#[derive(Debug, Clone, Default)]
pub struct TrashPlace {
    /// The person's folder for data (`~/.local/share`), for systems that keep the trash there. `None`
    /// when it is not known.
    pub data_home: Option<PathBuf>,
}

/// Moves the file at `entry` to the system's trash.
///
/// # Errors
/// When there is no trash for it, or it cannot be moved. The file is where it was then.
pub fn system(trash: &TrashPlace, root: &Root, entry: &Place) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    return freedesktop::put(trash, root, entry);
    #[cfg(not(target_os = "linux"))]
    return foreign::put(trash, root, entry);
}

//! Giving a file a name in a folder, without ever replacing another file by accident.

use std::ffi::OsStr;
use std::io;

use cap_std::fs::Dir;

/// Renames, refusing when the new name is taken ([`io::ErrorKind::AlreadyExists`]).
///
/// Where the system or the file system has no such rename, a second name is made (which never replaces)
/// and the first taken away; where it has no second names either, the folder is asked first.
pub fn without_replacing(from: &Dir, old: &OsStr, to: &Dir, new: &OsStr) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(()),
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            Err(error) => return Err(error.into()),
        }
    }
    match from.hard_link(old, to, new) {
        Ok(()) => return from.remove_file(old),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::CrossesDevices) =>
        {
            return Err(error);
        }
        Err(_) => {}
    }
    match to.symlink_metadata(new) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => from.rename(old, to, new),
        Err(error) => Err(error),
    }
}

/// Lets two files of a folder trade names, in one step. `false` where the system or the file system cannot
/// do that.
pub fn exchange(folder: &Dir, one: &OsStr, other: &OsStr) -> io::Result<bool> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(folder, one, folder, other, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    {
        let _ = (folder, one, other);
        Ok(false)
    }
}

/// Whether this process may take entries out of the folder.
pub fn may_remove_from(folder: &Dir) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::fs::{Access, AtFlags, accessat};
        Ok(accessat(folder, ".", Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS)?)
    }
    #[cfg(not(unix))]
    {
        let _ = folder; // there the permissions of the file decide, and removing it shows them
        Ok(())
    }
}

/// Makes what was changed in a folder last: a new name is on disk only when its folder is.
pub fn sync(folder: &Dir) -> io::Result<()> {
    #[cfg(unix)]
    {
        // The handle that cap-std holds may be one for paths only, which cannot be synced.
        let folder = rustix::fs::openat(
            folder,
            ".",
            rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::CLOEXEC,
            rustix::fs::Mode::empty(),
        )?;
        match rustix::fs::fsync(&folder) {
            // Some network file systems know no sync of a folder.
            Ok(()) | Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOTSUP) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
    #[cfg(not(unix))]
    {
        let _ = folder; // Windows has no sync of a folder; the rename is journalled.
        Ok(())
    }
}

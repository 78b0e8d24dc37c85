//! Giving a file a name in a folder, without ever replacing another file by accident.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
#[cfg(unix)]
use std::{
    fs::TryLockError,
    time::{Duration, Instant},
};

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
        match rustix::fs::fsync(opened(folder)?) {
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

/// Keeps our other writers, also those in other processes, off the folder as long as it is kept. `None`
/// where that is not possible.
#[cfg_attr(unix, allow(clippy::disallowed_methods, reason = "the engine runs on threads that may wait"))]
pub fn alone_in(folder: &Dir) -> Option<File> {
    #[cfg(unix)]
    {
        // They hold it for a moment; who holds it longer is none of them.
        const LONGEST: Duration = Duration::from_secs(1);
        let folder = opened(folder).ok()?;
        let end = Instant::now() + LONGEST;
        loop {
            match folder.try_lock() {
                Ok(()) => return Some(folder),
                Err(TryLockError::WouldBlock) if Instant::now() < end => {
                    std::thread::sleep(Duration::from_micros(100));
                }
                Err(_) => return None,
            }
        }
    }
    #[cfg(not(unix))]
    {
        let _ = folder; // a folder cannot be locked there
        None
    }
}

/// A handle of the folder itself; the one that cap-std holds may be for paths only.
#[cfg(unix)]
fn opened(folder: &Dir) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(folder, ".", flags, Mode::empty())?.into())
}

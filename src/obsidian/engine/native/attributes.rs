//! What a file has besides its bytes: mode, owner, extended attributes. A replaced file keeps them.

use std::fs::File;

/// Gives `new` what `old` has, as far as this process may. The mode comes last: a file that is already
/// unreadable to others stays so all the time.
#[cfg(unix)]
pub fn copy(old: &File, new: &File) -> std::io::Result<()> {
    use std::os::unix::fs::MetadataExt;

    use rustix::fs::{Gid, Mode, Uid, fchmod, fchown};

    let (from, to) = (old.metadata()?, new.metadata()?);
    if (from.uid(), from.gid()) != (to.uid(), to.gid()) {
        // Only root may give files away; a group of one's own can be set by anyone.
        let owner = (from.uid() != to.uid()).then(|| Uid::from_raw(from.uid()));
        if fchown(new, owner, Some(Gid::from_raw(from.gid()))).is_err() {
            let _ = fchown(new, None, Some(Gid::from_raw(from.gid())));
        }
    }
    copy_extended(old, new);
    fchmod(new, Mode::from_raw_mode((from.mode() & 0o7777) as rustix::fs::RawMode))?;
    Ok(())
}

#[cfg(not(unix))]
pub fn copy(old: &File, new: &File) -> std::io::Result<()> {
    new.set_permissions(old.metadata()?.permissions())
}

/// Some attributes belong to the system and cannot be set by us; the rest is copied all the same.
#[cfg(unix)]
fn copy_extended(old: &File, new: &File) {
    use rustix::fs::{XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fsetxattr};
    use std::ffi::CStr;

    let Ok(size) = flistxattr_query(old) else { return };
    let mut names = vec![0_u8; size];
    let Ok(size) = flistxattr(old, &mut names) else { return };
    for name in names[..size.min(names.len())].split_inclusive(|byte| *byte == 0) {
        let Ok(name) = CStr::from_bytes_with_nul(name) else { continue };
        let Ok(size) = fgetxattr_query(old, name) else { continue };
        let mut value = vec![0_u8; size];
        let Ok(size) = fgetxattr(old, name, &mut value) else { continue };
        let _ = fsetxattr(new, name, &value[..size.min(value.len())], XattrFlags::empty());
    }
}

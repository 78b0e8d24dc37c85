//! The trash of Linux desktops, by the freedesktop.org specification.
//!
//! A file goes to the person's own trash when that is on the same disk, else to the trash of its disk.
//! The note about where it came from is written first: a file without one could not be put back.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::{TrashPlace, with_room};
use crate::obsidian::engine::native::relocation;
use crate::obsidian::engine::native::root::{Identity, Place, Root};

/// How many names are tried for one file.
const MOST_NAMES: usize = 1_000;

pub fn put(trash: &TrashPlace, root: &Root, entry: &Place) -> io::Result<()> {
    let origin = root.path().join(&entry.real);
    let device = Identity::of(&entry.parent.dir_metadata()?).device;
    let (folder, origin) = folder_for(trash, device, &origin)?;
    let (files, info) = (folder.join("files"), folder.join("info"));
    private_folder(&files)?;
    private_folder(&info)?;
    let target = Dir::open_ambient_dir(&files, ambient_authority())?;
    let own_name = with_room(&entry.name, ".1000.trashinfo".len());
    for number in 1..=MOST_NAMES {
        let name = match number {
            1 => own_name.clone().into_owned(),
            _ => [&*own_name, format!(".{number}").as_ref()].into_iter().collect(),
        };
        let mut note = name.clone();
        note.push(".trashinfo");
        let note = info.join(note);
        match write_note(&note, &origin) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            written => written?,
        }
        match relocation::to_free_name(entry, &target, &name) {
            Ok(()) => return Ok(()),
            Err(error) => {
                fs::remove_file(&note)?;
                if error.kind() != io::ErrorKind::AlreadyExists {
                    return Err(error);
                }
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The trash for a file on `device`, and how the file's place is written down there: absolute in the
/// person's own trash, from the top of the disk otherwise.
fn folder_for(trash: &TrashPlace, device: u64, origin: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let none =
        || io::Error::other("the system trash is not available: there is no folder for it on this disk");
    if let Some(home) = &trash.data_home {
        let existing = home.ancestors().find_map(|folder| fs::metadata(folder).ok());
        if existing.is_some_and(|metadata| metadata.dev() == device) {
            return Ok((home.join("Trash"), origin.to_owned()));
        }
    }
    let on_disk =
        |folder: &&Path| fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.dev() == device);
    let top = origin.ancestors().skip(1).take_while(on_disk).last().ok_or_else(none)?;
    let from_top = origin.strip_prefix(top).map_err(|_| none())?.to_owned();
    let user = rustix::process::getuid().as_raw();
    let shared = top.join(".Trash");
    // The specification wants a real folder with the sticky bit before it is trusted.
    if fs::symlink_metadata(&shared).is_ok_and(|metadata| metadata.is_dir() && metadata.mode() & 0o1000 != 0)
    {
        let own = shared.join(user.to_string());
        if private_folder(&own).is_ok() {
            return Ok((own, from_top));
        }
    }
    let own = top.join(format!(".Trash-{user}"));
    private_folder(&own)?;
    Ok((own, from_top))
}

/// Makes the folder for its owner alone. One that is there must be a real one and ours.
fn private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let metadata = fs::symlink_metadata(folder)?;
    if metadata.is_dir() && metadata.uid() == rustix::process::getuid().as_raw() {
        return Ok(());
    }
    Err(io::Error::other(format!("the system trash {folder:?} is not a folder of yours")))
}

fn write_note(path: &Path, origin: &Path) -> io::Result<()> {
    let date = jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S").to_string();
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let text = format!("[Trash Info]\nPath={}\nDeletionDate={date}\n", encoded(origin));
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
        let _ = fs::remove_file(path);
    })
}

/// The bytes of a path, percent-encoded where RFC 2396 wants it.
fn encoded(path: &Path) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'/'
            | b'-'
            | b'_'
            | b'.'
            | b'!'
            | b'~'
            | b'*'
            | b'\''
            | b'('
            | b')' => {
                text.push(char::from(*byte));
            }
            // Writing to a text never fails.
            byte => write!(text, "%{byte:02X}").unwrap_or_default(),
        }
    }
    text
}

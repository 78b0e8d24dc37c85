//! Where removed notes go when they are not removed for good.

#[cfg(not(target_os = "linux"))]
mod foreign;
#[cfg(target_os = "linux")]
mod freedesktop;
mod local;

pub use local::local;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

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

/// The longest name that a file may have, in bytes.
const LONGEST_NAME: usize = 255;

/// The name, so much shorter before its ending that `more` bytes can be added to it.
fn with_room(name: &OsStr, more: usize) -> Cow<'_, OsStr> {
    const LONGEST_ENDING: usize = 10;
    if name.len() + more <= LONGEST_NAME {
        return name.into();
    }
    let path = Path::new(name);
    let ending = path.extension().filter(|ending| ending.len() <= LONGEST_ENDING);
    let stem = ending.and(path.file_stem()).unwrap_or(name).to_string_lossy();
    let ending = ending.map_or(String::new(), |ending| format!(".{}", ending.display()));
    let stem = &stem[..stem.floor_char_boundary(LONGEST_NAME - more - ending.len())];
    Cow::Owned(format!("{stem}{ending}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_before_the_ending_and_between_characters() {
        let check = |name: &str, more, expected: &str| {
            assert_eq!(with_room(OsStr::new(name), more), OsStr::new(expected));
        };
        check("a.md", 15, "a.md");
        check(&"n".repeat(255), 15, &"n".repeat(240));
        check(&format!("{}.md", "n".repeat(252)), 6, &format!("{}.md", "n".repeat(246)));
        check(&format!("{}.md", "笔".repeat(84)), 6, &format!("{}.md", "笔".repeat(82)));
        check(&format!("a.{}", "n".repeat(253)), 6, &format!("a.{}", "n".repeat(247)));
    }
}

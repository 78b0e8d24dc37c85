//! The sample vault, of the demonstration and of whoever wants to try with one: a dozen linked notes in
//! English and Chinese, and a picture.

use std::fs;
use std::io;
use std::path::Path;

macro_rules! sample {
    ($($path:literal),* $(,)?) => {
        /// Every file, with its path inside the vault.
        const FILES: &[(&str, &[u8])] =
            &[$(($path, include_bytes!(concat!("../../assets/sample-vault/", $path)))),*];
    };
}

sample![
    "Welcome.md",
    "Journal/2026-01-05.md",
    "Journal/2026-01-06.md",
    "Projects/Garden plan.md",
    "Projects/Trip to the coast.md",
    "Reading/Bread.md",
    "Reading/Reading list.md",
    "attachments/garden.png",
    "笔记/堆肥.md",
    "笔记/欢迎.md",
    "笔记/海边旅行.md",
    "笔记/读书笔记.md",
    "笔记/馒头.md",
];

/// The note that the first example reads.
pub const FIRST_NOTE: &str = "Welcome.md";

/// What its folder is called among the person's own.
pub(super) const FOLDER: &str = "Notegate sample vault";

/// Puts the sample at `folder`, whole or not at all. One that is there already is somebody's by now.
///
/// # Errors
/// It cannot be written.
pub(super) fn put(folder: &Path) -> io::Result<()> {
    let Some(parent) = folder.parent() else { return Err(io::ErrorKind::NotFound.into()) };
    if folder.try_exists()? {
        return Ok(());
    }
    let draft = tempfile::Builder::new().prefix(".notegate-sample").tempdir_in(parent)?;
    let vault = draft.path().join("vault");
    fs::create_dir(&vault)?;
    write(&vault)?;
    fs::rename(&vault, folder)
}

/// Writes the sample vault into `folder`.
///
/// # Errors
/// A folder or a file cannot be written.
pub fn write(folder: &Path) -> io::Result<()> {
    for (path, bytes) in FILES {
        let file = folder.join(path);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(file, bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_whole_and_its_links_lead_somewhere() {
        let note = |name: &str| {
            FILES.iter().any(|(path, _)| {
                let file = path.rsplit('/').next().unwrap();
                file == name || file.strip_suffix(".md") == Some(name)
            })
        };
        assert!(FILES.iter().any(|(path, _)| *path == FIRST_NOTE));
        let mut links = 0;
        for (path, bytes) in FILES.iter().filter(|(path, _)| path.ends_with(".md")) {
            let text = std::str::from_utf8(bytes).unwrap();
            assert!(text.starts_with("---\n"), "{path} has no frontmatter");
            for link in text.split("[[").skip(1).map(|rest| rest.split("]]").next().unwrap()) {
                assert!(note(link), "{path} links to {link}, which is not there");
                links += 1;
            }
        }
        assert!(links > 20, "only {links} links");
    }
}

//! A vault that takes the native engine long to search, and whether it is at it.

use std::fs::{self, File};
use std::path::Path;

const FOLDER: &str = "long";

/// As many names as a search of them outlasts every test.
pub const ENDLESS: usize = 5000;

/// Puts one large note under many names into a vault; each of them is read when the vault is searched.
pub fn prepare(vault: &Path, names: usize) {
    let folder = vault.join(FOLDER);
    fs::create_dir_all(&folder).unwrap();
    let note = folder.join("0.md");
    File::create(&note).unwrap().set_len(4 << 20).unwrap();
    for name in 1..names {
        fs::hard_link(&note, folder.join(format!("{name}.md"))).unwrap();
    }
}

/// Whether this process is at work in that folder: it holds it open for as long as it walks there.
pub fn runs(vault: &Path) -> bool {
    let folder = vault.canonicalize().unwrap().join(FOLDER);
    let open = fs::read_dir("/proc/self/fd").unwrap().flatten();
    open.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|path| path.starts_with(&folder))
}

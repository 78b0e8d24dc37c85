//! Walks: what they come to, what they keep out of, and how they end.

use std::fs;
use std::path::Path;

use super::*;

struct Names {
    found: Vec<String>,
    /// Fires when this many files were visited.
    cancel: Option<(usize, CancellationToken)>,
}

impl Visitor for Names {
    fn enter(&mut self, path: &str) -> bool {
        path != "skipped"
    }

    fn wants(&mut self, path: &str) -> bool {
        !path.ends_with(".png")
    }

    fn visit(&mut self, file: &Found<'_>) -> io::Result<()> {
        Reader::default().read(file)?;
        self.found.push(file.path.to_owned());
        if let Some((count, cancel)) = &self.cancel
            && self.found.len() >= *count
        {
            cancel.cancel();
        }
        Ok(())
    }
}

fn make(vault: &Path, path: &str) {
    let path = vault.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "text").unwrap();
}

/// The files in their order, and what could not be read.
fn names(vault: &Path) -> (Vec<String>, Vec<String>) {
    let root = Root::open(vault, &[]).unwrap();
    let cancel = CancellationToken::new();
    let walked = walk(&root, &cancel, || Names { found: Vec::new(), cancel: None }).unwrap();
    let mut found: Vec<String> = walked.visitors.into_iter().flat_map(|visitor| visitor.found).collect();
    found.sort_by(|a, b| order(a, b));
    (found, walked.unreadable.into_iter().map(|unreadable| unreadable.path).collect())
}

#[test]
fn files_come_once_and_in_order() {
    let vault = tempfile::tempdir().unwrap();
    let expected = [
        "-INBOX-.md",
        "1. Project/a.md",
        "A.md",
        "a/b/c.md",
        "a/b.md",
        "a b.md",
        "a.md",
        "x.md/y.md",
        "é.md",
    ];
    for path in expected.iter().chain(&["a/p.png", "skipped/z.md"]) {
        make(vault.path(), path);
    }
    assert_eq!(names(vault.path()), (expected.map(str::to_owned).to_vec(), Vec::new()));
}

#[test]
fn a_large_folder_is_shared_out_whole() {
    let vault = tempfile::tempdir().unwrap();
    for number in 0..1000 {
        make(vault.path(), &format!("{number}.md"));
    }
    assert_eq!(names(vault.path()).0.len(), 1000);
}

#[test]
fn v12_v25_hidden_and_system_folders_are_not_entered() {
    let vault = tempfile::tempdir().unwrap();
    for path in
        [".env", ".obsidian/a.md", "sub/.git/a.md", "sub/node_modules/x/a.md", "sub/.hidden.md", "sub/a.md"]
    {
        make(vault.path(), path);
    }
    assert_eq!(names(vault.path()).0, ["sub/a.md"]);
}

#[cfg(unix)]
#[test]
fn v11_links_are_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    make(outside.path(), "secret.md");
    let vault = tempfile::tempdir().unwrap();
    make(vault.path(), "a.md");
    std::os::unix::fs::symlink(outside.path(), vault.path().join("folder")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret.md"), vault.path().join("b.md")).unwrap();
    std::os::unix::fs::symlink(".", vault.path().join("loop")).unwrap();
    assert_eq!(names(vault.path()), (vec!["a.md".to_owned()], Vec::new()));
}

#[cfg(unix)]
#[test]
fn v11_a_link_swapped_in_for_a_file_is_not_read() {
    let outside = tempfile::tempdir().unwrap();
    make(outside.path(), "secret.md");
    let vault = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret.md"), vault.path().join("a.md")).unwrap();
    let root = Root::open(vault.path(), &[]).unwrap();
    // as if `a.md` had been a file when its folder was read
    let found = Found { dir: root.dir(), name: OsStr::new("a.md"), path: "a.md" };
    assert!(found.open().is_err());
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let vault = tempfile::tempdir().unwrap();
    for path in ["a.md", "b/c.md", "d.md"] {
        make(vault.path(), path);
    }
    let close =
        |path: &str| fs::set_permissions(vault.path().join(path), fs::Permissions::from_mode(0o000)).unwrap();
    close("b");
    close("d.md");
    let (found, unreadable) = names(vault.path());
    // one who may read everything, as in a container, meets no obstacle
    if fs::read_dir(vault.path().join("b")).is_err() {
        assert_eq!((found, unreadable), (vec!["a.md".to_owned()], vec!["b".to_owned(), "d.md".to_owned()]));
    }
    fs::set_permissions(vault.path().join("b"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_file_deleted_meanwhile_is_no_fault() {
    let vault = tempfile::tempdir().unwrap();
    let root = Root::open(vault.path(), &[]).unwrap();
    let found = Found { dir: root.dir(), name: OsStr::new("gone.md"), path: "gone.md" };
    assert_eq!(Reader::default().read(&found).unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn cancelling_ends_the_walk() {
    let vault = tempfile::tempdir().unwrap();
    for number in 0..300 {
        make(vault.path(), &format!("{}/{number}.md", number % 7));
    }
    let root = Root::open(vault.path(), &[]).unwrap();
    let cancel = CancellationToken::new();
    let result = walk(&root, &cancel, || Names { found: Vec::new(), cancel: Some((3, cancel.clone())) });
    assert!(matches!(result, Err(NoteError::Cancelled)));
}

#[test]
fn our_own_folder_inside_the_vault_is_not_entered() {
    let vault = tempfile::tempdir().unwrap();
    make(vault.path(), "a.md");
    make(vault.path(), "home/settings.md");
    let root = Root::open(vault.path(), &[vault.path().join("home")]).unwrap();
    let walked =
        walk(&root, &CancellationToken::new(), || Names { found: Vec::new(), cancel: None }).unwrap();
    let found: Vec<String> = walked.visitors.into_iter().flat_map(|visitor| visitor.found).collect();
    assert_eq!(found, ["a.md"]);
}

#[test]
fn a_reader_meets_files_of_all_sizes() {
    let mut reader = Reader::default();
    for size in [0, 1, Reader::STEP - 1, Reader::STEP, Reader::STEP + 1, 3 * Reader::KEPT, 5] {
        let bytes = vec![b'x'; size];
        assert_eq!(reader.read_from(&mut bytes.as_slice(), size).unwrap(), bytes);
        // shorter by now than it was when it was examined
        assert_eq!(reader.read_from(&mut bytes.as_slice(), size * 2 + 1).unwrap(), bytes);
        // the system tells no size of some
        assert_eq!(reader.read_from(&mut bytes.as_slice(), 0).unwrap(), bytes);
    }
}

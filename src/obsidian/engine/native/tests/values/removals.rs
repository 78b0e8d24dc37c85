//! Removing and moving.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::{Value, json};

use crate::obsidian::engine::native::tests::Vault;
use crate::obsidian::engine::native::tests::elsewhere::{self, name_of};

const MODES: [&str; 3] = ["none", "local", "system"];

fn delete(path: &str, mode: &str) -> Value {
    json!({"path": path, "confirmPath": path, "trashMode": mode})
}

/// The same move by both tools.
fn moves(old: &str, new: &str, overwrite: bool) -> [(&'static str, Value); 2] {
    [
        ("move_note", json!({"oldPath": old, "newPath": new, "overwrite": overwrite})),
        (
            "move_file",
            json!({"oldPath": old, "newPath": new, "confirmOldPath": old, "confirmNewPath": new, "overwrite": overwrite}),
        ),
    ]
}

#[test]
fn a_wrong_confirmation() {
    let vault = Vault::with(&[("a.md", "A"), ("b.md", "B")]);
    for confirm in ["b.md", "A.md", "a", "a.md/", "./a.md", ""] {
        for mode in MODES {
            let wrong = json!({"path": "a.md", "confirmPath": confirm, "trashMode": mode});
            vault.refused("delete_note", wrong, "confirmation path does not match");
        }
        for (old, new) in [(confirm, "c.md"), ("a.md", confirm)] {
            let wrong =
                json!({"oldPath": "a.md", "newPath": "c.md", "confirmOldPath": old, "confirmNewPath": new});
            vault.refused("move_file", wrong, "confirmation paths do not match");
        }
    }
}

#[test]
fn a_folder() {
    let vault = Vault::with(&[("folder/a.md", "A"), ("x.md/b.md", "B"), ("c.md", "C")]);
    for folder in ["folder", "x.md", "folder/", ""] {
        for mode in MODES {
            vault.refused("delete_note", delete(folder, mode), "is not a file");
        }
        for overwrite in [false, true] {
            for (tool, arguments) in moves(folder, "new.md", overwrite) {
                vault.refused(tool, arguments, "is a directory");
            }
        }
        for (tool, arguments) in moves("c.md", folder, true) {
            vault.refused(tool, arguments, "Target path is a directory");
        }
        for (tool, arguments) in moves("c.md", folder, false) {
            vault.refused(tool, arguments, "Target file already exists");
        }
    }
}

#[test]
fn v16_the_same_path() {
    for overwrite in [false, true] {
        for new in ["a.md", "./a.md", "/a.md", "x/../a.md", " a.md ", "link/a.md"] {
            for (tool, arguments) in moves("a.md", new, overwrite) {
                let vault = Vault::with(&[("a.md", "A")]);
                symlink(".", vault.at("link")).unwrap();
                vault.done(tool, arguments);
                assert_eq!((vault.files().len(), vault.text("a.md")), (2, "A".to_owned()), "{tool} {new}");
            }
        }
    }
}

#[test]
fn v16_only_the_case_changed() {
    for overwrite in [false, true] {
        for (tool, arguments) in moves("note.md", "Note.md", overwrite) {
            let vault = Vault::with(&[("note.md", "A")]);
            vault.done(tool, arguments);
            assert_eq!((vault.files(), vault.text("Note.md")), (vec!["Note.md".to_owned()], "A".to_owned()));
        }
    }
}

/// On a disk that takes `note.md` and `Note.md` for one: NTFS as Windows sees it.
#[test]
fn v16_only_the_case_changed_on_a_disk_without_case() {
    const NAME: &str = name_of!(v16_only_the_case_changed_on_a_disk_without_case);
    let Some(disk) = elsewhere::with_disk_without_case(NAME) else { return };
    let root = disk.join("vault");
    fs::create_dir(&root).unwrap();
    let vault = Vault::at_folder(&root);
    for overwrite in [false, true] {
        for (old, new) in
            [("note.md", "Note.md"), ("NOTE.md", "note.md"), ("note.md", "note.md"), ("note.md", "NOTE.MD")]
        {
            for (tool, arguments) in moves(old, new, overwrite) {
                vault.put("note.md", "precious");
                vault.done(tool, arguments);
                assert_eq!(
                    (vault.files().len(), vault.text("note.md")),
                    (1, "precious".to_owned()),
                    "{tool} {old} {new}"
                );
            }
        }
    }
    // one of two names of a file
    fs::hard_link(vault.at("note.md"), vault.at("other.md")).unwrap();
    for (tool, arguments) in moves("note.md", "Note.md", true) {
        vault.done(tool, arguments);
        assert_eq!((vault.files().len(), vault.text("note.md")), (2, "precious".to_owned()), "{tool}");
    }
    fs::remove_file(vault.at("other.md")).unwrap();
    vault.done("patch_note", json!({"path": "Note.MD", "oldString": "precious", "newString": "patched"}));
    vault.done("write_note", json!({"path": "NOTE.md", "content": "+", "mode": "append"}));
    assert_eq!((vault.files().len(), vault.text("note.md")), (1, "patched+".to_owned()));
    vault.refused("read_note", json!({"path": ".OBSIDIAN/app.json"}), "Access denied");
    vault.done("delete_note", delete("nOtE.md", "local"));
    assert_eq!(vault.text(".trash/note.md"), "patched+");
}

#[test]
fn the_folder_of_the_target_is_missing() {
    for (tool, arguments) in moves("a.md", "new/deep/b.md", false) {
        let vault = Vault::with(&[("a.md", "A")]);
        vault.done(tool, arguments);
        assert_eq!(vault.files(), ["new/deep/b.md"]);
    }
}

#[test]
fn onto_an_existing_note_with_and_without_overwrite() {
    for (tool, arguments) in moves("a.md", "b.md", false) {
        let vault = Vault::with(&[("a.md", "A"), ("b.md", "B")]);
        vault.refused(tool, arguments, "Target file already exists: b.md. Use overwrite=true");
    }
    for (tool, arguments) in moves("a.md", "b.md", true) {
        let vault = Vault::with(&[("a.md", "A"), ("b.md", "B")]);
        vault.done(tool, arguments);
        assert_eq!((vault.files(), vault.text("b.md")), (vec!["b.md".to_owned()], "A".to_owned()));
    }
}

#[test]
fn a_read_only_folder() {
    if !elsewhere::as_nobody(name_of!(a_read_only_folder)) {
        return;
    }
    let vault = Vault::with(&[("closed/a.md", "A"), ("closed/b.md", "B"), ("open/c.md", "C")]);
    let permit = |mode| fs::set_permissions(vault.at("closed"), fs::Permissions::from_mode(mode)).unwrap();
    permit(0o500);
    for folder in ["files", "info"] {
        fs::create_dir_all(vault.outside().join("data/Trash").join(folder)).unwrap();
    }
    for mode in MODES {
        vault.refused("delete_note", delete("closed/a.md", mode), "ermission denied");
    }
    for overwrite in [false, true] {
        for (old, new) in [
            ("closed/a.md", "open/new.md"),
            ("open/c.md", "closed/new.md"),
            ("open/c.md", "closed/a.md"),
            ("closed/a.md", "closed/new.md"),
        ] {
            if !overwrite && new == "closed/a.md" {
                continue;
            }
            for (tool, arguments) in moves(old, new, overwrite) {
                vault.refused(tool, arguments, "Permission denied");
            }
        }
    }
    vault.refused("write_note", json!({"path": "closed/new.md", "content": ""}), "Permission denied");
    // The files themselves may be written, and are, in place.
    vault.done("patch_note", json!({"path": "closed/a.md", "oldString": "A", "newString": "AA"}));
    vault.done("write_note", json!({"path": "closed/b.md", "content": "BB"}));
    assert_eq!((vault.text("closed/a.md"), vault.text("closed/b.md")), ("AA".into(), "BB".into()));
    permit(0o700);
    assert_eq!(vault.files(), ["closed/a.md", "closed/b.md", "open/c.md"]);
}

#[test]
fn a_note_that_is_write_protected() {
    if !elsewhere::as_nobody(name_of!(a_note_that_is_write_protected)) {
        return;
    }
    let vault = Vault::with(&[("a.md", "A")]);
    fs::set_permissions(vault.at("a.md"), fs::Permissions::from_mode(0o400)).unwrap();
    for (tool, arguments) in [
        ("write_note", json!({"path": "a.md", "content": "x"})),
        ("write_note", json!({"path": "a.md", "content": "x", "mode": "append"})),
        ("patch_note", json!({"path": "a.md", "oldString": "A", "newString": "x"})),
        ("update_frontmatter", json!({"path": "a.md", "frontmatter": {"k": 1}})),
    ] {
        vault.refused(tool, arguments, "Permission denied");
    }
}

#[test]
fn the_trash_of_the_vault_holds_the_name_already() {
    let vault = Vault::with(&[
        (".trash/a.md", "first"),
        (".trash/sub/a.md", "sub"),
        ("a.md", "second"),
        ("sub/a.md", "third"),
    ]);
    vault.done("delete_note", delete("a.md", "local"));
    vault.done("delete_note", delete("sub/a.md", "local"));
    let expected = [
        (".trash/a 2.md", "second"),
        (".trash/a.md", "first"),
        (".trash/sub/a 2.md", "third"),
        (".trash/sub/a.md", "sub"),
    ];
    assert_eq!(vault.files(), expected.map(|(path, _)| path));
    for (path, text) in expected {
        assert_eq!(vault.text(path), text);
    }
}

#[test]
fn the_trash_of_the_vault_holds_a_folder_or_is_a_file() {
    let vault = Vault::with(&[(".trash/a.md/in.md", "folder"), ("a.md", "A")]);
    vault.done("delete_note", delete("a.md", "local"));
    assert_eq!((vault.text(".trash/a 2.md"), vault.text(".trash/a.md/in.md")), ("A".into(), "folder".into()));
    let vault = Vault::with(&[(".trash", "a file"), ("sub/a.md", "A")]);
    vault.refused("delete_note", delete("sub/a.md", "local"), "Nothing was deleted");
}

/// The number, and what the system's trash notes down beside a file, must not make the name too long.
#[test]
fn names_of_255_bytes_go_to_the_trash_one_after_the_other() {
    for name in [format!("{}.md", "n".repeat(252)), format!("{}.md", "笔".repeat(84)), "n".repeat(255)] {
        let vault = Vault::with(&[]);
        for mode in ["local", "system"] {
            for number in 1..=12 {
                vault.put(&name, format!("{mode} {number}"));
                vault.done("delete_note", delete(&name, mode));
            }
        }
        let trash = vault.outside().join("data/Trash");
        for (mode, folder) in [("local", vault.at(".trash")), ("system", trash.join("files"))] {
            let read =
                |entry: std::io::Result<fs::DirEntry>| fs::read_to_string(entry.unwrap().path()).unwrap();
            let mut kept: Vec<String> = fs::read_dir(folder).unwrap().map(read).collect();
            let mut all: Vec<String> = (1..=12).map(|number| format!("{mode} {number}")).collect();
            kept.sort();
            all.sort();
            assert_eq!(kept, all);
        }
        for info in fs::read_dir(trash.join("info")).unwrap() {
            let info = fs::read_to_string(info.unwrap().path()).unwrap();
            let path = info.lines().nth(1).unwrap().rsplit('/').next().unwrap().to_owned();
            assert_eq!(path.replace("%E7%AC%94", "笔"), name, "where it came from");
        }
    }
}

#[test]
fn the_system_trash_is_absent() {
    let vault = Vault::with(&[("a.md", "A")]);
    fs::write(vault.outside().join("data"), "no folder").unwrap();
    vault.refused("delete_note", delete("a.md", "system"), "Nothing was deleted");
}

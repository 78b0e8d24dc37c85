//! Moving and renaming: byte for byte, and never at the cost of a note.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

use serde_json::{Value, json};

use super::Vault;

/// The same move by both tools.
fn both(old: &str, new: &str, overwrite: bool) -> [(&'static str, Value); 2] {
    [
        ("move_note", json!({"oldPath": old, "newPath": new, "overwrite": overwrite})),
        (
            "move_file",
            json!({"oldPath": old, "newPath": new, "confirmOldPath": old, "confirmNewPath": new, "overwrite": overwrite}),
        ),
    ]
}

#[test]
fn n18_a_move_says_that_links_were_not_changed() {
    let vault = Vault::with(&[("a.md", "A"), ("links.md", "[[a]]")]);
    assert_eq!(
        vault.value("move_note", json!({"oldPath": " /a.md", "newPath": "deep/er/b.md"})),
        json!({
            "success": true,
            "oldPath": "a.md",
            "newPath": "deep/er/b.md",
            "message": "Successfully moved note from a.md to deep/er/b.md. Links to it in other notes were not changed",
        })
    );
    assert_eq!(vault.files(), ["deep/er/b.md", "links.md"]);
    assert_eq!(vault.text("links.md"), "[[a]]");
}

#[test]
fn u19_a_move_is_byte_exact() {
    for (tool, arguments) in both("a.md", "sub/b.md", false) {
        let vault = Vault::with(&[]);
        vault.put("a.md", b"\xef\xbb\xbf\xff\xfe\r\n\0");
        let before = vault.at("a.md").metadata().unwrap();
        vault.done(tool, arguments);
        assert_eq!(vault.bytes("sub/b.md"), b"\xef\xbb\xbf\xff\xfe\r\n\0");
        let after = vault.at("sub/b.md").metadata().unwrap();
        assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()), "the same file");
    }
}

#[test]
fn v10_a_rename_to_the_other_unicode_form_is_made() {
    let (composed, decomposed) = ("Caf\u{e9}.md", "Cafe\u{301}.md");
    for (tool, arguments) in both(decomposed, composed, false) {
        let vault = Vault::with(&[(decomposed, "A")]);
        vault.done(tool, arguments);
        assert_eq!(vault.files(), [composed]);
        assert_eq!(vault.text(composed), "A");
    }
}

#[test]
fn two_names_of_one_file_become_one() {
    for (tool, arguments) in both("a.md", "b.md", true) {
        let vault = Vault::with(&[("a.md", "A")]);
        fs::hard_link(vault.at("a.md"), vault.at("b.md")).unwrap();
        vault.done(tool, arguments);
        assert_eq!((vault.files(), vault.text("b.md")), (vec!["b.md".to_owned()], "A".to_owned()));
    }
}

#[test]
fn moves_that_cannot_be_made_say_why() {
    let vault = Vault::with(&[("a.md", "A"), ("folder/x.md", "X"), ("x.png", "P")]);
    for (tool, arguments) in both("none.md", "b.md", true) {
        vault.refused(tool, arguments, "Source file not found: none.md");
    }
    for (tool, arguments) in both("folder", "other", true) {
        vault.refused(tool, arguments, "Source path is a directory: folder");
    }
    for (tool, arguments) in both("a.md", "folder", true) {
        vault.refused(tool, arguments, "Target path is a directory: folder");
    }
    for (tool, arguments) in both("a.md", "folder", false) {
        vault.refused(tool, arguments, "Target file already exists: folder");
    }
    for (tool, arguments) in both("a.md", "", true) {
        vault.refused(tool, arguments, "Target path is a directory");
    }
    for (tool, arguments) in both("a.md", "x.png/b.md", true) {
        vault.refused(tool, arguments, "Not a directory: x.png/b.md");
    }
    let [(note, arguments), _] = both("x.png", "y.png", false);
    vault.refused(note, arguments, "Access denied: x.png");
    let [(note, arguments), _] = both("a.md", "y.png", false);
    vault.refused(note, arguments, "Access denied: y.png");
    vault.refused(
        "move_file",
        json!({"oldPath": "a.md", "newPath": "b.md", "confirmOldPath": "a.md", "confirmNewPath": "c.md"}),
        "Move cancelled: confirmation paths do not match",
    );
    vault.refused(
        "move_file",
        json!({"oldPath": "a.md", "newPath": "b.md", "confirmOldPath": "b.md", "confirmNewPath": "b.md"}),
        "Move cancelled",
    );
    vault.refused(
        "move_file",
        json!({"oldPath": "a.md", "newPath": "b.md", "confirmOldPath": "a.md"}),
        "confirmNewPath is required",
    );
}

#[test]
fn any_file_can_be_moved() {
    let vault = Vault::with(&[("x.png", "P")]);
    let [_, (tool, arguments)] = both("x.png", "img/y.png", false);
    vault.done(tool, arguments);
    assert_eq!(vault.files(), ["img/y.png"]);
}

#[test]
fn a_link_is_moved_as_a_link_while_it_leads_to_the_same() {
    for (tool, arguments) in both("link.md", "renamed.md", false) {
        let vault = Vault::with(&[("a.md", "A")]);
        symlink("a.md", vault.at("link.md")).unwrap();
        vault.done(tool, arguments);
        assert!(vault.at("renamed.md").is_symlink());
        assert_eq!(vault.text("renamed.md"), "A");
    }
    for (tool, arguments) in both("link.md", "sub/renamed.md", false) {
        let vault = Vault::with(&[("a.md", "A")]);
        symlink("a.md", vault.at("link.md")).unwrap();
        vault.refused(tool, arguments, "would lead elsewhere");
    }
}

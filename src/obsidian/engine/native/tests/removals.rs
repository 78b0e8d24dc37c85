//! Removing notes, for good or to a trash.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::Vault;

fn delete(path: &str, mode: &str) -> Value {
    json!({"path": path, "confirmPath": path, "trashMode": mode})
}

#[test]
fn a_note_is_removed_for_good_by_default() {
    let vault = Vault::with(&[("sub/a.md", "A")]);
    assert_eq!(
        vault.value("delete_note", json!({"path": "sub/a.md", "confirmPath": " /sub/a.md"})),
        json!({
            "success": true,
            "path": "sub/a.md",
            "message": "Successfully deleted note: sub/a.md. This action cannot be undone.",
        })
    );
    assert!(vault.files().is_empty() && vault.has("sub"));
}

#[test]
fn u04_removals_that_are_refused_change_nothing() {
    let vault = Vault::with(&[("a.md", "A"), ("folder/b.md", "B"), ("x.png", "P")]);
    vault.refused("delete_note", delete("a.md", "zzz"), "trashMode must be one of none, local, system");
    vault.refused(
        "delete_note",
        json!({"path": "a.md", "confirmPath": "a.md", "trashMode": null}),
        "trashMode must be one of",
    );
    vault.refused(
        "delete_note",
        json!({"path": "a.md", "confirmPath": "A.md"}),
        "Deletion cancelled: confirmation path does not match",
    );
    vault.refused("delete_note", json!({"path": "a.md"}), "confirmPath is required");
    for mode in ["none", "local", "system"] {
        vault.refused("delete_note", delete("none.md", mode), "File not found: none.md");
        vault.refused("delete_note", delete("folder", mode), "Cannot delete: folder is not a file");
        vault.refused("delete_note", delete("", mode), "is not a file");
        vault.refused("delete_note", delete("x.png", mode), "Access denied: x.png");
    }
}

#[test]
fn a_link_is_removed_and_not_what_it_leads_to() {
    for mode in ["none", "local", "system"] {
        let vault = Vault::with(&[("a.md", "A")]);
        symlink("a.md", vault.at("link.md")).unwrap();
        symlink("gone.md", vault.at("dangling.md")).unwrap();
        vault.done("delete_note", delete("link.md", mode));
        vault.done("delete_note", delete("dangling.md", mode));
        assert!(vault.has("a.md") && !vault.has("link.md") && !vault.has("dangling.md"));
    }
}

#[test]
fn a_file_in_the_trash_where_a_folder_would_be_is_no_obstacle() {
    let vault = Vault::with(&[(".trash/sub", "a file"), ("sub/a.md", "A")]);
    vault.done("delete_note", delete("sub/a.md", "local"));
    assert_eq!(vault.text(".trash/a.md"), "A");
}

#[test]
fn a_trash_that_leads_out_of_the_vault_is_not_used() {
    let vault = Vault::with(&[("a.md", "A")]);
    fs::create_dir(vault.outside().join("elsewhere")).unwrap();
    symlink("../elsewhere", vault.at(".trash")).unwrap();
    vault.refused("delete_note", delete("a.md", "local"), "Symlink target is outside vault");
}

#[test]
fn the_systems_trash_gets_the_note_and_where_it_came_from() {
    let vault = Vault::with(&[("笔 记/a%.md", "1")]);
    let trash = vault.outside().join("data/Trash");
    let done = vault.value("delete_note", delete("笔 记/a%.md", "system"));
    assert_eq!(done["message"], "Successfully moved note to system trash: 笔 记/a%.md");
    vault.put("笔 记/a%.md", "2");
    vault.done("delete_note", delete("笔 记/a%.md", "system"));
    assert!(vault.files().is_empty());
    assert_eq!(fs::read_to_string(trash.join("files/a%.md")).unwrap(), "1");
    assert_eq!(fs::read_to_string(trash.join("files/a%.md.2")).unwrap(), "2");
    let info = fs::read_to_string(trash.join("info/a%.md.2.trashinfo")).unwrap();
    let root = vault.root().canonicalize().unwrap();
    let lines: Vec<&str> = info.lines().collect();
    assert_eq!(lines[0], "[Trash Info]");
    assert_eq!(lines[1], format!("Path={}/%E7%AC%94%20%E8%AE%B0/a%25.md", root.display()));
    assert!(
        lines[2].starts_with("DeletionDate=20") && lines[2].len() == "DeletionDate=2026-01-02T03:04:05".len(),
        "{info}"
    );
}

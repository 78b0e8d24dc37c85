//! Writing, patching and frontmatter: the bytes that stay and the bytes that change.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use serde_json::json;

use super::Vault;

#[test]
fn a_note_is_written_added_to_and_put_before() {
    let vault = Vault::with(&[]);
    let done = vault.done("write_note", json!({"path": " new/a.md ", "content": "1\n"}));
    assert_eq!(done, "Successfully wrote note: new/a.md (mode: overwrite)");
    vault.done("write_note", json!({"path": "new/a.md", "content": "2\n", "mode": "append"}));
    vault.done("write_note", json!({"path": "new/a.md", "content": "0\n", "mode": "prepend"}));
    assert_eq!(vault.text("new/a.md"), "0\n1\n2\n");
    vault.done("write_note", json!({"path": "b.md", "content": "made", "mode": "append"}));
    assert_eq!(vault.text("b.md"), "made");
    vault.done("write_note", json!({"path": "b.md", "content": "body", "frontmatter": {"t": ["x"], "n": 1}}));
    assert_eq!(vault.text("b.md"), "---\nt:\n  - x\nn: 1\n---\nbody\n");
    vault.done(
        "write_note",
        json!({"path": "b.md", "content": "more\n", "mode": "append", "frontmatter": {"n": 2}}),
    );
    assert_eq!(vault.text("b.md"), "---\nt:\n  - x\nn: 2\n---\nbody\nmore\n");
    vault.done("write_note", json!({"path": "b.md", "content": "x", "frontmatter": "{\"a\": true}"}));
    assert_eq!(vault.text("b.md"), "---\na: true\n---\nx\n");
}

#[test]
fn u04_unknown_words_and_wrong_arguments_change_nothing() {
    let vault = Vault::with(&[("a.md", "old")]);
    vault.refused(
        "write_note",
        json!({"path": "a.md", "content": "x", "mode": "x"}),
        "mode must be one of overwrite, append, prepend",
    );
    vault.refused("write_note", json!({"path": "a.md", "content": "x", "mode": null}), "mode must be one of");
    vault.refused("write_note", json!({"path": "a.md"}), "content is required");
    vault.refused("write_note", json!({"path": "a.md", "content": 7}), "content must be a text");
    vault.refused(
        "write_note",
        json!({"path": "a.md", "content": "", "frontmatter": "no"}),
        "frontmatter must be a JSON object",
    );
    vault.refused(
        "write_note",
        json!({"path": "a.md", "content": "", "frontmatter": [1]}),
        "frontmatter must be a JSON object",
    );
    vault.refused("write_note", json!({"path": "", "content": ""}), "is a directory");
    vault.refused("update_frontmatter", json!({"path": "a.md"}), "frontmatter is required");
    vault.refused("update_frontmatter", json!({"path": "none.md", "frontmatter": {}}), "File not found");
    vault.refused(
        "patch_note",
        json!({"path": "a.md", "oldString": "old", "newString": "x", "replaceAll": "no"}),
        "replaceAll must be",
    );
}

#[test]
fn u10_the_body_is_edited_without_reading_the_frontmatter() {
    let broken = "---\ntitle: a: b\n---\nbody\n";
    let vault = Vault::with(&[("a.md", broken)]);
    vault.done("patch_note", json!({"path": "a.md", "oldString": "body", "newString": "text"}));
    vault.done("write_note", json!({"path": "a.md", "content": "first\n", "mode": "prepend"}));
    vault.done("write_note", json!({"path": "a.md", "content": "last\n", "mode": "append"}));
    assert_eq!(vault.text("a.md"), "---\ntitle: a: b\n---\nfirst\ntext\nlast\n");
    vault.refused(
        "update_frontmatter",
        json!({"path": "a.md", "frontmatter": {"x": 1}}),
        "Invalid frontmatter: a.md",
    );
}

#[test]
fn v03_u07_u09_bytes_outside_the_edit_stay() {
    let note = "\u{feff}---\r\ndate: 2024-01-02   # c\r\nid: 12345678901234567890\r\nhex: 0x1F\r\nlist: [a,b]  # c\r\n---\r\nbody  \r\nend";
    let vault = Vault::with(&[("a.md", note)]);
    vault.done("update_frontmatter", json!({"path": "a.md", "frontmatter": {"new": "x"}}));
    let with_key = note.replace("# c\r\n---", "# c\r\nnew: x\r\n---");
    assert_eq!(vault.text("a.md"), with_key);
    vault.done("write_note", json!({"path": "a.md", "content": "+", "mode": "append"}));
    vault.done("patch_note", json!({"path": "a.md", "oldString": "body", "newString": "text"}));
    assert_eq!(vault.text("a.md"), with_key.replace("body", "text") + "+");
    vault.done("update_frontmatter", json!({"path": "a.md", "frontmatter": {"hex": 1}, "merge": false}));
    assert_eq!(vault.text("a.md"), "\u{feff}---\r\nhex: 1\r\n---\r\ntext  \r\nend+");
}

#[test]
fn an_update_that_changes_nothing_writes_nothing() {
    let vault = Vault::with(&[("a.md", "---\na: 1\n---\n")]);
    let before = vault.at("a.md").metadata().unwrap();
    vault.done("update_frontmatter", json!({"path": "a.md", "frontmatter": {"a": 1}}));
    assert_eq!(vault.at("a.md").metadata().unwrap().ino(), before.ino());
}

#[test]
fn patches_across_lines_match_the_notes_line_ends() {
    let patch = |text: &str, old: &str, new: &str| {
        let vault = Vault::with(&[("a.md", text)]);
        vault.done("patch_note", json!({"path": "a.md", "oldString": old, "newString": new}));
        vault.text("a.md")
    };
    assert_eq!(patch("one\r\ntwo\r\nthree", "one\ntwo", "1\n2\n"), "1\r\n2\r\n\r\nthree");
    assert_eq!(patch("one\r\ntwo", "one\r\ntwo", "1\n2"), "1\n2", "as it was given");
    assert_eq!(patch("a\nb\r\nc", "a\nb", "x\ny"), "x\ny\r\nc", "found as it was given");
}

#[test]
fn patches_that_cannot_be_made_say_why() {
    let vault = Vault::with(&[("a.md", "x x")]);
    let patch = |old: &str, new: &str, reason: &str| {
        vault.refused("patch_note", json!({"path": "/a.md", "oldString": old, "newString": new}), reason);
    };
    patch("x", "y", "\"message\": \"Found 2 occurrences of the string.");
    patch("x", "y", "\"matchCount\": 2");
    patch("q", "y", "String not found in note: \\\"q\\\"");
    patch("q", "y", "\"matchCount\": 0");
    patch(&"é".repeat(60), "y", &format!("{}...", "é".repeat(50)));
    patch("", "y", "oldString cannot be empty");
    patch(" \n", "y", "oldString cannot be empty");
    patch("x", "x", "oldString and newString must be different");
    patch("x", "x", "\"path\": \"a.md\"");
    vault.refused(
        "patch_note",
        json!({"path": "none.md", "oldString": "a", "newString": "b"}),
        "Failed to patch note: File not found",
    );
}

#[test]
fn mode_and_attributes_are_kept() {
    let vault = Vault::with(&[("a.md", "old")]);
    let path = vault.at("a.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let has_attributes =
        rustix::fs::setxattr(&path, "user.tag", b"blue", rustix::fs::XattrFlags::empty()).is_ok();
    // only root can give files away
    let owner = rustix::process::geteuid().is_root().then_some(1234);
    std::os::unix::fs::chown(&path, owner, owner).unwrap();
    let before = path.metadata().unwrap();
    vault.done("patch_note", json!({"path": "a.md", "oldString": "old", "newString": "new"}));
    vault.done("write_note", json!({"path": "a.md", "content": "newer"}));
    let after = path.metadata().unwrap();
    assert_eq!(after.mode() & 0o7777, 0o640);
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert!(after.modified().unwrap() >= before.modified().unwrap());
    if has_attributes {
        let mut value = [0; 8];
        let size = rustix::fs::getxattr(&path, "user.tag", &mut value).unwrap();
        assert_eq!(&value[..size], b"blue");
    }
}

#[test]
fn a_file_with_several_names_stays_one_file() {
    let vault = Vault::with(&[("a.md", "a longer old text")]);
    fs::hard_link(vault.at("a.md"), vault.at("b.md")).unwrap();
    vault.done("write_note", json!({"path": "a.md", "content": "new"}));
    assert_eq!(vault.text("b.md"), "new");
    vault.done("patch_note", json!({"path": "b.md", "oldString": "new", "newString": "newer"}));
    assert_eq!(vault.text("a.md"), "newer");
    assert_eq!(vault.at("a.md").metadata().unwrap().ino(), vault.at("b.md").metadata().unwrap().ino());
}

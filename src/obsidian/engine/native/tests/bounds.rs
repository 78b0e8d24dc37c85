//! What no tool reaches: outside, hidden, protected; and what every tool must find.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::Vault;

/// Every tool that takes paths, about `path`.
fn calls_about(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("read_note", json!({"path": path})),
        ("get_frontmatter", json!({"path": path})),
        ("read_note_lines", json!({"path": path, "startLine": 1, "endLine": 9})),
        ("write_note", json!({"path": path, "content": "x"})),
        ("write_note", json!({"path": path, "content": "x", "mode": "append"})),
        ("write_note", json!({"path": path, "content": "x", "mode": "prepend"})),
        ("patch_note", json!({"path": path, "oldString": "secret", "newString": "x"})),
        ("update_frontmatter", json!({"path": path, "frontmatter": {"a": 1}})),
        ("delete_note", json!({"path": path, "confirmPath": path})),
        ("delete_note", json!({"path": path, "confirmPath": path, "trashMode": "local"})),
        ("delete_note", json!({"path": path, "confirmPath": path, "trashMode": "system"})),
        ("move_note", json!({"oldPath": path, "newPath": "taken.md", "overwrite": true})),
        ("move_note", json!({"oldPath": "plain.md", "newPath": path, "overwrite": true})),
        (
            "move_file",
            json!({"oldPath": path, "newPath": "t.md", "confirmOldPath": path, "confirmNewPath": "t.md", "overwrite": true}),
        ),
        (
            "move_file",
            json!({"oldPath": "plain.md", "newPath": path, "confirmOldPath": "plain.md", "confirmNewPath": path, "overwrite": true}),
        ),
    ]
}

#[track_caller]
fn all_refused(vault: &Vault, path: &str, reason: &str) {
    for (tool, arguments) in calls_about(path) {
        vault.refused(tool, arguments, reason);
    }
    let multiple = vault.value("read_multiple_notes", json!({"paths": [path]}));
    assert!(multiple["err"][0]["error"].as_str().unwrap().contains(reason), "{multiple}");
    assert_eq!(vault.value("get_notes_info", json!({"paths": [path]})), json!([]));
}

fn vault() -> Vault {
    let vault = Vault::with(&[("plain.md", "plain"), ("taken.md", "taken"), ("sub/a.md", "a")]);
    fs::write(vault.outside().join("secret.md"), "secret").unwrap();
    fs::create_dir(vault.outside().join("elsewhere")).unwrap();
    fs::write(vault.outside().join("elsewhere/secret.md"), "secret").unwrap();
    vault
}

#[test]
fn v11_paths_that_climb_out_are_refused_by_every_tool() {
    let vault = vault();
    for path in ["../secret.md", "sub/../../secret.md", r"..\secret.md", "./../secret.md", "/../secret.md"] {
        all_refused(&vault, path, "Path traversal not allowed");
    }
    vault.refused("list_directory", json!({"path": ".."}), "Path traversal not allowed");
}

#[test]
fn v11_absolute_paths_outside_name_something_inside() {
    let vault = vault();
    let outside = vault.outside().join("secret.md");
    vault.refused("read_note", json!({"path": outside}), "File not found");
}

#[test]
fn v11_links_that_leave_the_vault_are_refused_by_every_tool() {
    let vault = vault();
    symlink("../secret.md", vault.at("relative.md")).unwrap();
    symlink(vault.outside().join("secret.md"), vault.at("absolute.md")).unwrap();
    symlink("../new.md", vault.at("dangling.md")).unwrap();
    symlink(vault.outside().join("new.md"), vault.at("dangling-absolute.md")).unwrap();
    symlink("../elsewhere", vault.at("folder")).unwrap();
    symlink("sub/../../secret.md", vault.at("winding.md")).unwrap();
    symlink("relative.md", vault.at("chain.md")).unwrap();
    symlink("/", vault.at("top")).unwrap();
    for path in [
        "relative.md",
        "absolute.md",
        "dangling.md",
        "dangling-absolute.md",
        "folder/secret.md",
        "winding.md",
        "chain.md",
    ] {
        for (tool, arguments) in calls_about(path) {
            vault.refused(tool, arguments, "Symlink target is outside vault");
        }
    }
    vault.refused("read_note", json!({"path": "top/etc/hostname"}), "Symlink target is outside vault");
    vault.refused(
        "write_note",
        json!({"path": "folder/new.md", "content": ""}),
        "Symlink target is outside vault",
    );
    vault.refused("list_directory", json!({"path": "folder"}), "Symlink target is outside vault");
    let listed = vault.value("list_directory", json!({}));
    assert_eq!(listed, json!({"dirs": ["sub"], "files": ["plain.md", "taken.md"]}));
}

#[test]
fn v11_a_move_onto_a_link_replaces_the_link_and_not_what_it_leads_to() {
    let vault = vault();
    symlink("sub/a.md", vault.at("link.md")).unwrap();
    vault.refused(
        "move_note",
        json!({"oldPath": "plain.md", "newPath": "link.md"}),
        "Target file already exists",
    );
    vault.done("move_note", json!({"oldPath": "plain.md", "newPath": "link.md", "overwrite": true}));
    assert_eq!(vault.text("link.md"), "plain");
    assert_eq!(vault.text("sub/a.md"), "a");
}

#[test]
fn links_that_lead_round_in_a_circle_are_named() {
    let vault = vault();
    symlink("two.md", vault.at("one.md")).unwrap();
    symlink("one.md", vault.at("two.md")).unwrap();
    vault.refused("read_note", json!({"path": "one.md"}), "Circular symlink");
}

#[test]
fn links_that_stay_inside_are_followed() {
    let vault = vault();
    symlink("sub", vault.at("folder")).unwrap();
    symlink("a.md", vault.at("sub/link.md")).unwrap();
    symlink(vault.at("sub/a.md"), vault.at("absolute.md")).unwrap();
    symlink("../plain.md", vault.at("sub/up.md")).unwrap();
    symlink("sub/new.md", vault.at("dangling.md")).unwrap();
    for (path, content) in
        [("folder/a.md", "a"), ("sub/link.md", "a"), ("absolute.md", "a"), ("folder/up.md", "plain")]
    {
        assert_eq!(vault.value("read_note", json!({"path": path}))["content"], content, "{path}");
    }
    vault.done("patch_note", json!({"path": "folder/link.md", "oldString": "a", "newString": "b"}));
    assert_eq!(vault.text("sub/a.md"), "b");
    assert!(vault.at("sub/link.md").is_symlink(), "the link stays a link");
    vault.done("write_note", json!({"path": "dangling.md", "content": "made"}));
    assert_eq!(vault.text("sub/new.md"), "made");
    assert!(vault.at("dangling.md").is_symlink());
    let listed = vault.value("list_directory", json!({}));
    assert_eq!(listed["dirs"], json!(["folder", "sub"]));
}

#[test]
fn a_vault_reached_through_a_link_is_the_vault() {
    let vault = vault();
    let other = vault.outside().join("by-link");
    symlink(vault.root(), &other).unwrap();
    symlink(other.join("sub/a.md"), vault.at("absolute.md")).unwrap();
    assert_eq!(vault.value("read_note", json!({"path": "absolute.md"}))["content"], "a");
}

#[test]
fn v12_hidden_files_are_refused_at_any_depth() {
    let vault = vault();
    for path in [
        ".env",
        ".obsidian/app.json",
        "sub/.git/config",
        "a/node_modules/b.md",
        ".trash/old.md",
        "sub/.hidden.md",
    ] {
        vault.put(path, "secret");
        all_refused(&vault, path, "Access denied");
    }
    for path in [
        ".Obsidian/app.json",
        ".git./config",
        "sub/.GIT /config",
        "Node_Modules/x.md",
        r".obsidian\app.json",
        "./.env",
    ] {
        all_refused(&vault, path, "Access denied");
    }
    vault.refused("list_directory", json!({"path": ".obsidian"}), "Access denied");
    vault.refused("list_directory", json!({"path": "a/node_modules"}), "Access denied");
    assert_eq!(vault.value("list_directory", json!({"path": "sub"}))["files"], json!(["a.md"]));
}

#[test]
fn v12_a_link_does_not_reach_what_its_target_would_not() {
    let vault = vault();
    vault.put(".obsidian/app.json", "{}");
    symlink(".obsidian/app.json", vault.at("app.md")).unwrap();
    symlink(".obsidian", vault.at("settings")).unwrap();
    vault.refused("read_note", json!({"path": "app.md"}), "Access denied");
    vault.refused("write_note", json!({"path": "app.md", "content": ""}), "Access denied");
    vault.refused("write_note", json!({"path": "settings/new.md", "content": ""}), "Access denied");
    vault.refused("list_directory", json!({"path": "settings"}), "Access denied");
    assert_eq!(vault.value("list_directory", json!({}))["dirs"], json!(["sub"]));
}

#[test]
fn files_that_are_not_notes_are_for_move_file_alone() {
    let vault = Vault::with(&[("x.png", "secret"), ("x.json", "secret"), ("plain.md", ""), ("taken.md", "")]);
    for path in ["x.png", "x.json", "x.png/"] {
        for (tool, arguments) in calls_about(path) {
            if tool != "move_file" {
                vault.refused(tool, arguments, "Access denied");
            }
        }
    }
}

#[test]
fn our_own_folder_is_out_of_reach_by_every_way() {
    let mut vault = vault();
    vault.put("home/notegate/settings.md", "secret");
    vault.protect("home/notegate");
    symlink("home/notegate", vault.at("link")).unwrap();
    symlink("home/notegate/settings.md", vault.at("link.md")).unwrap();
    for path in [
        "home/notegate/settings.md",
        "home/notegate/new.md",
        "link/settings.md",
        "home/x/../notegate/settings.md",
    ] {
        all_refused(&vault, path, "Access denied");
    }
    vault.refused("read_note", json!({"path": "link.md"}), "Access denied");
    vault.refused("list_directory", json!({"path": "home/notegate"}), "Access denied");
    assert_eq!(vault.value("list_directory", json!({"path": "home"})), json!({"dirs": [], "files": []}));
}

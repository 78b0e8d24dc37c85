//! Links swapped in while calls run (V-11): a check before opening would be too late, so none of these
//! may ever reach what lies outside.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::{Value, json};

use super::Vault;

const ROUNDS: usize = 60;

/// What may not be read, and must stay.
const SECRET: &str = "what lies outside";

/// Every tool that could reach `path`.
fn calls(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("read_note", json!({"path": path})),
        ("read_multiple_notes", json!({"paths": [path]})),
        ("read_note_lines", json!({"path": path, "startLine": 1, "endLine": 9})),
        ("get_frontmatter", json!({"path": path})),
        ("get_notes_info", json!({"paths": [path]})),
        ("write_note", json!({"path": path, "content": "ours"})),
        ("write_note", json!({"path": path, "content": "ours", "mode": "append"})),
        ("patch_note", json!({"path": path, "oldString": "i", "newString": "I", "replaceAll": true})),
        ("update_frontmatter", json!({"path": path, "frontmatter": {"k": 1}})),
        ("manage_tags", json!({"path": path, "operation": "add", "tags": ["t"]})),
        ("move_note", json!({"oldPath": path, "newPath": "moved.md", "overwrite": true})),
        ("move_note", json!({"oldPath": "own.md", "newPath": path, "overwrite": true})),
        ("delete_note", json!({"path": path, "confirmPath": path})),
        ("delete_note", json!({"path": path, "confirmPath": path, "trashMode": "local"})),
        ("list_directory", json!({"path": path.split('/').next()})),
        ("search_notes", json!({"query": "outside"})),
        ("list_all_tags", json!({})),
        ("wiki_link", json!({"document": "note"})),
    ]
}

/// Runs all calls again and again while `one` and `other` of the vault trade places, and `restore` puts
/// back what calls took away. Nothing from outside may show, and nothing outside may change.
fn while_they_trade_places(vault: &Vault, one: &str, other: &str, path: &str, restore: impl Fn() + Sync) {
    let outside = || {
        let mut tree = vault.tree();
        tree.retain(|(path, _)| !path.starts_with(vault.root()));
        tree
    };
    let before = outside();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::SeqCst) {
                let _ = renameat_with(CWD, vault.at(one), CWD, vault.at(other), RenameFlags::EXCHANGE);
                std::hint::spin_loop();
            }
        });
        let (mut done, mut refused) = (0, 0);
        let run = || {
            for _ in 0..ROUNDS {
                for (tool, arguments) in calls(path) {
                    restore();
                    let output = vault.call(tool, arguments);
                    let shown = format!("{:?}", output.content);
                    assert!(!shown.contains(SECRET) && !shown.contains("#secret"), "{tool}: {shown}");
                    done += usize::from(!output.is_error);
                    refused += usize::from(shown.contains("outside vault"));
                }
            }
        };
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        stop.store(true, Ordering::SeqCst);
        if let Err(panic) = outcome {
            std::panic::resume_unwind(panic);
        }
        assert!(done > 0 && refused > 0, "the link was not met: {done} done, {refused} refused");
    });
    assert_eq!(outside(), before, "something outside changed");
}

#[test]
fn v11_a_folder_swapped_for_a_link_during_the_call() {
    let vault = Vault::with(&[("sub/note.md", "inside"), ("own.md", "own")]);
    fs::create_dir(vault.outside().join("elsewhere")).unwrap();
    fs::write(vault.outside().join("elsewhere/note.md"), format!("{SECRET} #secret")).unwrap();
    symlink("../elsewhere", vault.at(".swap")).unwrap();
    let sub = Dir::open_ambient_dir(vault.at("sub"), ambient_authority()).unwrap();
    while_they_trade_places(&vault, "sub", ".swap", "sub/note.md", || {
        sub.write("note.md", "inside").unwrap();
        vault.put("own.md", "own");
    });
}

#[test]
fn v11_a_note_swapped_for_a_link_during_the_call() {
    let vault = Vault::with(&[("sub/note.md", "inside"), ("sub/.own.md", "own"), ("own.md", "own")]);
    fs::write(vault.outside().join("note.md"), format!("{SECRET} #secret")).unwrap();
    symlink("../../note.md", vault.at("sub/.swap.md")).unwrap();
    while_they_trade_places(&vault, "sub/note.md", "sub/.swap.md", "sub/note.md", || {
        vault.put("own.md", "own");
        // whatever a call took or replaced: one is the note again and the other the link
        let is_link = |path: &str| vault.at(path).is_symlink();
        if is_link("sub/note.md") == is_link("sub/.swap.md") {
            let _ = fs::remove_file(vault.at("sub/.swap.md"));
            let _ = symlink("../../note.md", vault.at("sub/.swap.md"));
            let _ = fs::remove_file(vault.at("sub/note.md"));
            let _ = fs::write(vault.at("sub/note.md"), "inside");
        }
    });
}

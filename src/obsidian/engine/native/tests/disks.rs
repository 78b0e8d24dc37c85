//! Disks: one that has no room for more files, and the trash of one that is not the person's own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::elsewhere::{self, name_of};
use super::{Vault, text_of};
use crate::obsidian::Output;
use crate::obsidian::engine::native::{NativeEngine, TrashPlace};

#[test]
fn a_disk_that_takes_no_more_files_leaves_the_old_note_and_no_litter() {
    const NAME: &str = name_of!(a_disk_that_takes_no_more_files_leaves_the_old_note_and_no_litter);
    let Some(disk) = elsewhere::with_disk(NAME, "1m") else { return };
    elsewhere::mount(&["-o", "remount,nr_inodes=8", disk.to_str().unwrap()]);
    fs::create_dir(disk.join("vault")).unwrap();
    let vault = Vault::at_folder(&disk.join("vault"));
    vault.put("a.md", "old");
    let filled = (0..).take_while(|number| fs::write(vault.at(&format!("{number}.txt")), "").is_ok()).count();
    assert!(filled > 0);
    for (tool, arguments) in [
        ("write_note", json!({"path": "a.md", "content": "new"})),
        ("write_note", json!({"path": "a.md", "content": "new", "mode": "append"})),
        ("write_note", json!({"path": "new.md", "content": "new"})),
        ("write_note", json!({"path": "made/new.md", "content": "new"})),
        ("patch_note", json!({"path": "a.md", "oldString": "old", "newString": "new"})),
        ("update_frontmatter", json!({"path": "a.md", "frontmatter": {"k": 1}})),
        ("manage_tags", json!({"path": "a.md", "operation": "add", "tags": ["t"]})),
        ("move_note", json!({"oldPath": "a.md", "newPath": "made/b.md"})),
        ("delete_note", json!({"path": "a.md", "confirmPath": "a.md", "trashMode": "local"})),
        ("delete_note", json!({"path": "a.md", "confirmPath": "a.md", "trashMode": "system"})),
    ] {
        vault.refused(tool, arguments, "No space left on device");
    }
    vault.done("move_note", json!({"oldPath": "a.md", "newPath": "b.md"}));
    vault.done("delete_note", json!({"path": "0.txt", "confirmPath": "0.txt"}));
    vault.done("patch_note", json!({"path": "b.md", "oldString": "old", "newString": "new"}));
    assert_eq!(vault.text("b.md"), "new");
}

/// The vault is on a disk of its own, and the person's folder for data is on another.
#[test]
fn the_system_trash_of_another_disk() {
    let Some(disk) = elsewhere::with_disk(name_of!(the_system_trash_of_another_disk), "4m") else { return };
    let data = tempfile::tempdir().unwrap();
    let vault = Vault::at_folder(&disk.join("vault"));
    let user = rustix::process::getuid().as_raw();
    let delete = |data: Option<&Path>| -> Output {
        let engine = NativeEngine::new(TrashPlace { data_home: data.map(Path::to_owned) });
        let arguments = json!({"path": "sub/a b.md", "confirmPath": "sub/a b.md", "trashMode": "system"});
        let arguments = arguments.as_object().unwrap();
        engine.call(&vault.root(), &[], "delete_note", arguments, &CancellationToken::new()).unwrap()
    };
    let check = |trash: &Path, data: Option<&Path>| {
        vault.put("sub/a b.md", "precious");
        let output = delete(data);
        assert!(!output.is_error, "{output:?}");
        assert!(!vault.has("sub/a b.md"));
        assert_eq!(fs::read_to_string(trash.join("files/a b.md")).unwrap(), "precious");
        let info = fs::read_to_string(trash.join("info/a b.md.trashinfo")).unwrap();
        assert!(info.contains("\nPath=vault/sub/a%20b.md\n"), "{info}");
        assert_eq!(trash.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        fs::remove_dir_all(trash).unwrap();
    };
    let own = disk.join(format!(".Trash-{user}"));
    check(&own, Some(data.path()));
    check(&own, None);
    // one for all users is taken when it is as the specification wants it
    fs::create_dir(disk.join(".Trash")).unwrap();
    check(&own, None);
    fs::set_permissions(disk.join(".Trash"), fs::Permissions::from_mode(0o1777)).unwrap();
    check(&disk.join(format!(".Trash/{user}")), None);
    // and where none can be made, nothing is removed
    fs::remove_dir_all(disk.join(".Trash")).unwrap();
    fs::write(&own, "no folder").unwrap();
    vault.put("sub/a b.md", "precious");
    let refused = delete(None);
    assert!(refused.is_error && text_of(&refused).contains("Nothing was deleted"), "{refused:?}");
    assert_eq!(vault.text("sub/a b.md"), "precious");
    assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0);
}

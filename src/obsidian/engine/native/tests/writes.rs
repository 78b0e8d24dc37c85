//! How notes reach the disk: whole or not at all, and never over somebody else's change.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::elsewhere::{self, name_of};
use super::{Vault, text_of};
use crate::obsidian::engine::native::atomic::{self, Expected};
use crate::obsidian::engine::native::{NoteError, Root};

/// The hidden name that a copy of the note `name` has for a moment.
fn hidden_name(name: &str) -> String {
    let digest = <sha2::Sha256 as sha2::Digest>::digest(name);
    format!(".notegate-{}.tmp", hex::encode(&digest[..8]))
}

#[test]
fn n09_a_note_changed_meanwhile_is_not_overwritten() {
    let vault = Vault::with(&[("a.md", "old")]);
    let root = Root::open(&vault.root(), &[]).unwrap();
    let place = root.find(&root.vault_path("a.md").unwrap()).unwrap();
    let conflict = |place, expected| {
        let before = vault.tree();
        let written = atomic::write(place, b"ours", expected);
        assert!(matches!(written, Err(NoteError::Conflict { .. })), "{written:?}");
        assert_eq!(before, vault.tree());
    };
    let (bytes, identity) = place.read().unwrap();
    vault.put("a.md", "from the editor");
    conflict(&place, Expected::Same(identity, &bytes));
    conflict(&place, Expected::Nothing);
    // replaced by another file of the same size
    let (bytes, identity) = place.read().unwrap();
    fs::write(vault.at("b.md"), "from the editor").unwrap();
    fs::rename(vault.at("b.md"), vault.at("a.md")).unwrap();
    conflict(&place, Expected::Same(identity, &bytes));
    // written over with as many bytes, and within one tick of the clock
    let (bytes, identity) = place.read().unwrap();
    let modified = vault.at("a.md").metadata().unwrap().modified().unwrap();
    vault.put("a.md", "FROM THE EDITOR");
    fs::File::options().write(true).open(vault.at("a.md")).unwrap().set_modified(modified).unwrap();
    conflict(&place, Expected::Same(identity, &bytes));
    // the same, where a file is written in place since it has two names
    fs::hard_link(vault.at("a.md"), vault.at("c.md")).unwrap();
    let (_, identity) = place.read().unwrap();
    conflict(&place, Expected::Same(identity, b"what we read"));
    fs::remove_file(vault.at("c.md")).unwrap();
    // gone
    let (bytes, identity) = place.read().unwrap();
    fs::remove_file(vault.at("a.md")).unwrap();
    assert!(atomic::write(&place, b"ours", Expected::Same(identity, &bytes)).is_err());
    assert!(!vault.has("a.md"));
    // a folder by now
    fs::create_dir(vault.at("a.md")).unwrap();
    assert!(atomic::write(&place, b"ours", Expected::Same(identity, &bytes)).is_err());
    // made by another
    let place = root.find(&root.vault_path("new/c.md").unwrap()).unwrap();
    vault.put("new/c.md", "theirs");
    conflict(&place, Expected::Nothing);
}

/// An editor saves while we edit, as fast as both can. Whenever it has saved and all our calls that ran
/// then are over, the note must hold what it saved: each of our edits came before, or was refused, or
/// kept it.
#[test]
fn n09_no_change_of_another_program_is_lost() {
    const SAVED: u64 = 150;
    let vault = Vault::with(&[("a.md", "theirs 0\nours x\n")]);
    let (ended, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let (old, new) = (json!("ours x"), json!("ours y"));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0.. {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let (from, to) = if round % 2 == 0 { (&old, &new) } else { (&new, &old) };
                let patch = json!({"path": "a.md", "oldString": from, "newString": to});
                let output = vault.call("patch_note", patch);
                let text = text_of(&output);
                // Its save may also have taken our last edit back.
                let is_expected = !output.is_error || text.contains("Conflict") || text.contains("not found");
                assert!(is_expected, "{text}");
                ended.fetch_add(1, Ordering::SeqCst);
            }
        });
        for save in 1..=SAVED {
            let note =
                vault.text("a.md").replace(&format!("theirs {}\n", save - 1), &format!("theirs {save}\n"));
            fs::write(vault.outside().join("saved"), note).unwrap();
            fs::rename(vault.outside().join("saved"), vault.at("a.md")).unwrap();
            let until = ended.load(Ordering::SeqCst) + 2;
            while ended.load(Ordering::SeqCst) < until {
                std::thread::yield_now();
            }
            let found = vault.text("a.md");
            if !found.starts_with(&format!("theirs {save}\n")) {
                stop.store(true, Ordering::SeqCst);
                panic!("save {save} is lost: {found:?}");
            }
        }
        stop.store(true, Ordering::SeqCst);
    });
    assert_eq!(vault.files(), ["a.md"], "no litter");
}

#[test]
fn u27_a_reader_sees_the_old_note_or_the_new_one() {
    let vault = Vault::with(&[]);
    let sizes = [9_000_000, 4_000_000];
    let text = |round: usize| ["a", "b"][round % 2].repeat(sizes[round % 2]);
    vault.put("a.md", text(0));
    let path = vault.at("a.md");
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            for _ in 0..30 {
                let seen = fs::read(&path).unwrap();
                let whole = seen.iter().all(|byte| *byte == seen[0]) && sizes.contains(&seen.len());
                assert!(whole, "a part of a note was seen");
            }
        });
        let mut round = 0;
        while !reader.is_finished() {
            round += 1;
            vault.done("write_note", json!({"path": "a.md", "content": text(round)}));
        }
        reader.join().unwrap();
    });
    assert_eq!(vault.files(), ["a.md"], "no litter");
}

const SIZES: [usize; 2] = [300_000, 900_000];

/// Writes one note in every way, for as long as it is let.
fn write_for_ever(root: &Path) -> ! {
    let vault = Vault::at_folder(root);
    for round in 0_usize.. {
        let (letter, next) = (["a", "b", "c"][round % 3], ["b", "c", "a"][round % 3]);
        let text = letter.repeat(SIZES[round % 2]);
        vault.done("write_note", json!({"path": "k.md", "content": text, "frontmatter": {"n": letter}}));
        vault.done(
            "patch_note",
            json!({"path": "k.md", "oldString": letter, "newString": next, "replaceAll": true}),
        );
        vault.done("move_note", json!({"oldPath": "k.md", "newPath": "moved.md"}));
        vault.done("update_frontmatter", json!({"path": "moved.md", "frontmatter": {"other": round}}));
        vault.done("move_note", json!({"oldPath": "moved.md", "newPath": "k.md"}));
    }
    unreachable!("the rounds never end")
}

/// Whether the text is one that `write_for_ever` writes.
fn is_whole(text: &str) -> bool {
    let Some((block, body)) = text.strip_prefix("---\nn: ").and_then(|rest| rest.split_once("\n---\n"))
    else {
        return false;
    };
    let letter = &block[..1];
    let others = block[1..].strip_prefix("\nother: ").unwrap_or("0");
    let body = body.trim_end();
    SIZES.contains(&body.len())
        && body.bytes().all(|byte| byte == letter.as_bytes()[0])
        && others.parse::<u64>().is_ok()
}

const KILLED: &str = name_of!(a_kill_at_any_moment_leaves_the_note_whole_and_no_litter);

#[test]
fn a_kill_at_any_moment_leaves_the_note_whole_and_no_litter() {
    if let Some(root) = elsewhere::place_of_child(KILLED) {
        write_for_ever(&root);
    }
    kill_writers(&Vault::with(&[]), 25);
}

/// There the copy of a note has a hidden name all the time, so a kill does leave it.
#[test]
fn a_kill_on_a_disk_without_nameless_files_leaves_the_note_whole_too() {
    const NAME: &str = name_of!(a_kill_on_a_disk_without_nameless_files_leaves_the_note_whole_too);
    let Some(disk) = elsewhere::with_disk_without_case(NAME) else { return };
    fs::create_dir(disk.join("vault")).unwrap();
    kill_writers(&Vault::at_folder(&disk.join("vault")), 8);
}

/// Starts a child that writes, and kills it at another moment of its work each time.
fn kill_writers(vault: &Vault, kills: u64) {
    let names = ["k.md", "moved.md"];
    for kill in 0..kills {
        for name in names {
            let _ = fs::remove_file(vault.at(name));
        }
        let mut child = elsewhere::again(KILLED, &vault.root()).stdout(Stdio::null()).spawn().unwrap();
        let number = || names.iter().find_map(|name| Some(vault.at(name).metadata().ok()?.ino()));
        let (deadline, mut last, mut writes) = (Instant::now() + Duration::from_secs(60), None, 0);
        while writes < 2 + kill % 7 {
            let runs = Instant::now() < deadline && child.try_wait().unwrap().is_none();
            assert!(runs, "the child does not write");
            let now = number();
            writes += u64::from(now.is_some() && now != last);
            last = now.or(last);
        }
        // Somewhere in the next write: they take some milliseconds.
        let moment = Instant::now() + Duration::from_micros(kill * 7919 % 6000);
        while Instant::now() < moment {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let found: Vec<String> =
            names.iter().filter_map(|name| fs::read_to_string(vault.at(name)).ok()).collect();
        // Where no rename refuses a taken name, a move gives a second name before it takes the first away.
        let number_of = |name: &&str| vault.at(name).metadata().ok().map(|data| data.ino());
        let numbers: HashSet<u64> = names.iter().filter_map(number_of).collect();
        let is_one_whole_note = numbers.len() == 1 && found.iter().all(|text| is_whole(text));
        assert!(is_one_whole_note, "after kill {kill}: {:?}", vault.files());
        for hidden in vault.files().iter().filter(|name| !names.contains(&name.as_str())) {
            assert!(names.iter().any(|note| *hidden == hidden_name(note)), "litter: {hidden}");
        }
        // Whatever is left is out of every tool's sight, and goes with the next writing of the note.
        let listed = vault.value("list_directory", json!({}));
        assert_eq!(listed["files"].as_array().unwrap().len(), found.len());
        for name in names {
            vault.done("write_note", json!({"path": name, "content": "after\n"}));
            vault.done("write_note", json!({"path": name, "content": "more\n", "mode": "append"}));
        }
        assert_eq!(vault.files(), names, "after kill {kill}");
    }
}

#[test]
fn what_a_crash_left_is_taken_over_by_the_next_writing() {
    for (tool, arguments) in [
        ("write_note", json!({"path": "a.md", "content": "new"})),
        ("patch_note", json!({"path": "a.md", "oldString": "old", "newString": "new"})),
    ] {
        let vault = Vault::with(&[("a.md", "old")]);
        vault.put(&hidden_name("a.md"), "half");
        vault.done(tool, arguments);
        assert_eq!(vault.files(), ["a.md"]);
        assert_eq!(vault.text("a.md"), "new");
    }
}

#[test]
fn u02_what_another_process_is_writing_is_left_to_it() {
    let vault = Vault::with(&[("a.md", "old")]);
    vault.put(&hidden_name("a.md"), "theirs");
    // a lock is held by whoever opened the file, so this one is as good as another process's
    let held = fs::File::open(vault.at(&hidden_name("a.md"))).unwrap();
    held.try_lock().unwrap();
    vault.done("patch_note", json!({"path": "a.md", "oldString": "old", "newString": "new"}));
    vault.done("write_note", json!({"path": "a.md", "content": "newer"}));
    assert_eq!(vault.text("a.md"), "newer");
    assert_eq!(vault.files(), [hidden_name("a.md"), "a.md".into()]);
}

#[test]
fn a_full_disk_leaves_the_old_note_and_no_litter() {
    const NAME: &str = name_of!(a_full_disk_leaves_the_old_note_and_no_litter);
    let Some(disk) = elsewhere::with_disk(NAME, "1m") else { return };
    fs::create_dir(disk.join("vault")).unwrap();
    let vault = Vault::at_folder(&disk.join("vault"));
    let old = format!("---\nt: 1\n---\n{}", "old ".repeat(50_000));
    vault.put("a.md", &old);
    vault.put("b.md", &old);
    fs::hard_link(vault.at("b.md"), vault.at("c.md")).unwrap();
    // what is left of the disk is too little for another copy
    vault.put("filler.txt", vec![b'.'; 500_000]);
    let long = "new ".repeat(160_000);
    for path in ["a.md", "b.md"] {
        for (tool, arguments) in [
            ("write_note", json!({"path": path, "content": long})),
            ("write_note", json!({"path": path, "content": long, "mode": "append"})),
            ("write_note", json!({"path": path, "content": long, "mode": "prepend"})),
            (
                "patch_note",
                json!({"path": path, "oldString": "old ", "newString": "much longer ", "replaceAll": true}),
            ),
            ("update_frontmatter", json!({"path": path, "frontmatter": {"long": long}})),
            ("manage_tags", json!({"path": path, "operation": "add", "tags": [long.trim()]})),
            ("write_note", json!({"path": "new/note.md", "content": long})),
        ] {
            vault.refused(tool, arguments, "No space left on device");
        }
    }
    assert_eq!(vault.files(), ["a.md", "b.md", "c.md", "filler.txt"]);
    // no byte more is needed to move, rename and remove
    while fs::write(vault.at("rest.txt"), "x".repeat(4096)).is_ok() {
        fs::rename(vault.at("rest.txt"), vault.at(&format!("rest{}.txt", vault.files().len()))).unwrap();
    }
    let _ = fs::remove_file(vault.at("rest.txt"));
    vault.done("move_note", json!({"oldPath": "a.md", "newPath": "moved.md"}));
    assert_eq!(vault.text("moved.md"), old);
    vault.done("delete_note", json!({"path": "moved.md", "confirmPath": "moved.md", "trashMode": "local"}));
    assert_eq!(vault.text(".trash/moved.md"), old);
    vault.done("delete_note", json!({"path": "filler.txt", "confirmPath": "filler.txt"}));
    vault.done("write_note", json!({"path": "b.md", "content": "fits again"}));
    assert_eq!(vault.text("c.md"), "fits again");
}

#[test]
fn a_move_across_a_mount_point_is_whole_and_byte_exact() {
    const NAME: &str = name_of!(a_move_across_a_mount_point_is_whole_and_byte_exact);
    let Some(disk) = elsewhere::with_disk(NAME, "4m") else { return };
    let vault = Vault::with(&[]);
    let bytes = b"\xef\xbb\xbf\xff\r\n".repeat(1000);
    for folder in ["other", "closed"] {
        fs::create_dir(vault.at(folder)).unwrap();
    }
    elsewhere::mount(&["--bind", disk.to_str().unwrap(), vault.at("other").to_str().unwrap()]);
    let both = |old: &str, new: &str, overwrite: bool| {
        [
            ("move_note", json!({"oldPath": old, "newPath": new, "overwrite": overwrite})),
            (
                "move_file",
                json!({"oldPath": old, "newPath": new, "confirmOldPath": old, "confirmNewPath": new, "overwrite": overwrite}),
            ),
        ]
    };
    for (old, new) in [("a.md", "other/deep/b.md"), ("other/deep/b.md", "a.md")] {
        for (tool, arguments) in both(old, new, false) {
            vault.put(old, &bytes);
            let _ = fs::remove_file(vault.at(new));
            let before = vault.at(old).metadata().unwrap();
            vault.done(tool, arguments);
            assert_eq!((vault.bytes(new), vault.has(old)), (bytes.clone(), false));
            let after = vault.at(new).metadata().unwrap();
            assert_ne!(before.dev(), after.dev(), "two disks");
            assert_eq!((before.mtime(), before.mtime_nsec()), (after.mtime(), after.mtime_nsec()));
        }
    }
    vault.put("a.md", "A");
    vault.put("other/b.md", "B");
    for (tool, arguments) in both("a.md", "other/b.md", false) {
        vault.refused(tool, arguments, "Target file already exists");
    }
    for (tool, arguments) in both("a.md", "other/b.md", true) {
        vault.put("a.md", "A");
        vault.put("other/b.md", "B");
        vault.done(tool, arguments);
        assert_eq!((vault.text("other/b.md"), vault.has("a.md")), ("A".into(), false));
    }
    // too large for the other disk
    vault.put("large.md", vec![b'x'; 5 << 20]);
    for (tool, arguments) in both("large.md", "other/made/large.md", false) {
        vault.refused(tool, arguments, "No space left on device");
    }
    // to the trash of the vault, which is on another disk than the note
    vault.done(
        "delete_note",
        json!({"path": "other/b.md", "confirmPath": "other/b.md", "trashMode": "local"}),
    );
    assert_eq!(vault.text(".trash/other/b.md"), "A");
    // a disk that is only for reading: nothing comes, nothing goes, and nothing is doubled
    vault.put("other/c.md", "C");
    elsewhere::mount(&["-o", "remount,ro,bind", vault.at("other").to_str().unwrap()]);
    for overwrite in [false, true] {
        for (tool, arguments) in
            both("large.md", "other/d.md", overwrite).into_iter().chain(both("other/c.md", "c.md", overwrite))
        {
            vault.refused(tool, arguments, "Read-only filesystem");
        }
    }
    for (tool, arguments) in [
        ("write_note", json!({"path": "other/c.md", "content": "x"})),
        ("write_note", json!({"path": "other/new.md", "content": "x"})),
        ("patch_note", json!({"path": "other/c.md", "oldString": "C", "newString": "x"})),
        ("delete_note", json!({"path": "other/c.md", "confirmPath": "other/c.md"})),
        ("delete_note", json!({"path": "other/c.md", "confirmPath": "other/c.md", "trashMode": "local"})),
    ] {
        vault.refused(tool, arguments, "Read-only file");
    }
    assert_eq!(vault.value("read_note", json!({"path": "other/c.md"}))["content"], "C");
}

#[test]
fn a_file_that_is_mounted_by_itself_is_written_in_place() {
    const NAME: &str = name_of!(a_file_that_is_mounted_by_itself_is_written_in_place);
    let Some(disk) = elsewhere::with_disk(NAME, "1m") else { return };
    let vault = Vault::with(&[("a.md", "")]);
    fs::write(disk.join("real.md"), "old").unwrap();
    elsewhere::mount(&["--bind", disk.join("real.md").to_str().unwrap(), vault.at("a.md").to_str().unwrap()]);
    vault.done("patch_note", json!({"path": "a.md", "oldString": "old", "newString": "new"}));
    vault.done("write_note", json!({"path": "a.md", "content": "+", "mode": "append"}));
    assert_eq!(fs::read_to_string(disk.join("real.md")).unwrap(), "new+");
    vault.done("write_note", json!({"path": "a.md", "content": "newest"}));
    assert_eq!(fs::read_to_string(disk.join("real.md")).unwrap(), "newest");
    assert_eq!(vault.files(), ["a.md"]);
}

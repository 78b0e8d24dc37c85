//! How notes are written, moved and removed.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::thread;

use serde_json::json;

use super::asserted;
use crate::obsidian::engine::native::tests::Vault;
use crate::obsidian::engine::native::tests::elsewhere::{self, name_of};

asserted! {
    PROGRAMS {
        for language in ["js", "javascript", "JS", "coffee"] {
            let program = format!("---{language}\n{{ title: process.exit() }}\n---\nbody");
            let vault = Vault::with(&[("a.md", &program)]);
            assert_eq!(vault.value("read_note", json!({"path": "a.md"})), json!({"fm": {}, "content": program}));
            for (tool, arguments) in [
                ("update_frontmatter", json!({"path": "a.md", "frontmatter": {"k": 1}})),
                ("manage_tags", json!({"path": "a.md", "operation": "add", "tags": ["t"]})),
            ] {
                vault.refused(tool, arguments, &format!("written in {language}"));
            }
            vault.done("write_note", json!({"path": "a.md", "content": "+", "mode": "append"}));
            assert_eq!(vault.text("a.md"), program + "+");
        }
    }

    HALF_WRITTEN {
        for (tool, arguments) in [
            ("write_note", json!({"path": "a.md", "content": "new"})),
            ("write_note", json!({"path": "a.md", "content": "new", "mode": "append"})),
            ("patch_note", json!({"path": "a.md", "oldString": "old", "newString": "new"})),
            ("update_frontmatter", json!({"path": "a.md", "frontmatter": {"k": 1}})),
            ("manage_tags", json!({"path": "a.md", "operation": "add", "tags": ["t"]})),
        ] {
            let vault = Vault::with(&[("a.md", "the old note")]);
            // whoever reads at this moment reads the old note to its end
            let mut reader = File::open(vault.at("a.md")).unwrap();
            vault.done(tool, arguments);
            let mut seen = String::new();
            reader.read_to_string(&mut seen).unwrap();
            assert_eq!(seen, "the old note", "{tool}");
            assert_ne!(vault.text("a.md"), "the old note", "{tool}");
        }
    }

    PARALLEL_EDITS {
        for _ in 0..50 {
            let vault = Vault::with(&[("a.md", "1 2 3 4")]);
            let patch = |number: usize| {
                let patch = json!({"path": "a.md", "oldString": number.to_string(), "newString": "x"});
                !vault.call("patch_note", patch).is_error
            };
            let done = thread::scope(|scope| {
                let calls: Vec<_> = (1..=4).map(|number| scope.spawn(move || patch(number))).collect();
                calls.into_iter().map(|call| call.join().unwrap()).filter(|done| *done).count()
            });
            assert!(done >= 1 && vault.text("a.md").matches('x').count() == done, "{done}: {}", vault.text("a.md"));
            assert_eq!(vault.files(), ["a.md"]);
        }
    }

    LONG_ARGUMENTS {
        let vault = Vault::with(&[]);
        let content = "x".repeat(11 << 20);
        vault.done("write_note", json!({"path": "a.md", "content": content}));
        assert_eq!(vault.bytes("a.md").len(), 11 << 20);
    }

    INVALID_UTF8 {
        let vault = Vault::with(&[]);
        vault.put("a.md", b"one\ntwo \xff\n");
        for (tool, arguments) in [
            ("patch_note", json!({"path": "a.md", "oldString": "one", "newString": "x"})),
            ("write_note", json!({"path": "a.md", "content": "x", "mode": "append"})),
            ("update_frontmatter", json!({"path": "a.md", "frontmatter": {"a": 1}})),
            ("manage_tags", json!({"path": "a.md", "operation": "add", "tags": ["t"]})),
        ] {
            vault.refused(tool, arguments, "invalid byte at position 8 (line 2)");
        }
        vault.done("move_note", json!({"oldPath": "a.md", "newPath": "b.md"}));
        assert_eq!(vault.bytes("b.md"), b"one\ntwo \xff\n");
    }

    READ_BEFORE_WRITE {
        if elsewhere::as_nobody(name_of!(READ_BEFORE_WRITE)) {
            for mode in ["append", "prepend"] {
                let vault = Vault::with(&[("a.md", "precious")]);
                let permit = |mode| fs::set_permissions(vault.at("a.md"), fs::Permissions::from_mode(mode)).unwrap();
                permit(0o200);
                vault.refused("write_note", json!({"path": "a.md", "content": "x", "mode": mode}), "Permission denied");
                permit(0o600);
                assert_eq!(vault.text("a.md"), "precious");
            }
        }
    }

    PATCH_LINE_ENDS {
        let vault = Vault::with(&[("a.md", "one\r\ntwo\r\nthree\r\n")]);
        vault.done("patch_note", json!({"path": "a.md", "oldString": "one\ntwo", "newString": "1\n2\n3"}));
        assert_eq!(vault.text("a.md"), "1\r\n2\r\n3\r\nthree\r\n");
    }

    TIMES {
        let vault = Vault::with(&[("a.md", "---\na: 1\n---\n")]);
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
        File::options().write(true).open(vault.at("a.md")).unwrap().set_modified(time).unwrap();
        vault.done("update_frontmatter", json!({"path": "a.md", "frontmatter": {"a": 1}}));
        vault.done("manage_tags", json!({"path": "a.md", "operation": "remove", "tags": ["none"]}));
        vault.done("move_note", json!({"oldPath": "a.md", "newPath": "b.md"}));
        assert_eq!(vault.at("b.md").metadata().unwrap().modified().unwrap(), time);
    }

    TRASH_WITHOUT_A_NOTE {
        let vault = Vault::with(&[]);
        let delete = json!({"path": "none.md", "confirmPath": "none.md", "trashMode": "system"});
        vault.refused("delete_note", delete, "File not found: none.md");
    }

    TRASH_NUMBERS {
        let vault = Vault::with(&[(".trash/a.md", "first")]);
        for content in ["second", "third"] {
            vault.put("a.md", content);
            vault.done("delete_note", json!({"path": "a.md", "confirmPath": "a.md", "trashMode": "local"}));
        }
        assert_eq!(vault.files(), [".trash/a 2.md", ".trash/a 3.md", ".trash/a.md"]);
        assert_eq!((vault.text(".trash/a.md"), vault.text(".trash/a 3.md")), ("first".into(), "third".into()));
    }

    NO_EMPTY_FOLDERS {
        let vault = Vault::with(&[("a.md", "A")]);
        let long = format!("made/for/{}.md", "n".repeat(300));
        // `refused` holds that no folder is new either
        vault.refused("write_note", json!({"path": long, "content": ""}), "Failed to");
        vault.refused("move_note", json!({"oldPath": "a.md", "newPath": long}), "Failed to");
        vault.refused("delete_note", json!({"path": "x/y.md", "confirmPath": "x/y.md", "trashMode": "local"}), "File not found");
    }
}

//! Names, links, and where calls lead.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::json;

use super::asserted;
use crate::obsidian::engine::native::tests::elsewhere::{self, name_of};
use crate::obsidian::engine::native::tests::{Vault, text_of};

asserted! {
    UNICODE_FORMS {
        let (composed, decomposed) = ("Caf\u{e9}.md", "Cafe\u{301}.md");
        for (there, asked) in [(composed, decomposed), (decomposed, composed)] {
            let vault = Vault::with(&[(there, "old")]);
            vault.done("write_note", json!({"path": asked, "content": "new"}));
            assert_eq!((vault.files(), vault.text(there)), (vec![there.to_owned()], "new".to_owned()));
            let name = asked.trim_end_matches(".md");
            assert_eq!(vault.value("search_notes", json!({"query": name}))[0]["p"], there);
        }
    }

    VAULT_BY_LINK {
        let real = Vault::with(&[("a.md", "A")]);
        symlink(real.root(), real.outside().join("link")).unwrap();
        let vault = Vault::at_folder(&real.outside().join("link"));
        assert_eq!(vault.value("read_note", json!({"path": vault.at("a.md")}))["content"], "A");
        vault.done("write_note", json!({"path": vault.at("b.md"), "content": "B"}));
        assert_eq!(real.files(), ["a.md", "b.md"]);
    }

    LINKS_OUTSIDE {
        let vault = Vault::with(&[]);
        symlink("../new.md", vault.at("link.md")).unwrap();
        vault.refused("write_note", json!({"path": "link.md", "content": "escaped"}), "outside vault");
    }

    LINKS_TO_HIDDEN {
        let vault = Vault::with(&[(".obsidian/app.json", "{}"), ("a.md", "A")]);
        symlink(".obsidian/app.json", vault.at("link.md")).unwrap();
        vault.refused("read_note", json!({"path": "link.md"}), "Access denied");
        vault.refused("write_note", json!({"path": "link.md", "content": ""}), "Access denied");
        vault.refused("delete_note", json!({"path": "link.md", "confirmPath": "link.md"}), "Access denied");
        assert_eq!(vault.value("list_directory", json!({}))["files"], json!(["a.md"]));
    }

    LINKS_MOVE {
        let vault = Vault::with(&[("a.md", "A"), ("b.md", "B"), ("sub/x.md", "")]);
        symlink("a.md", vault.at("link.md")).unwrap();
        vault.done("move_note", json!({"oldPath": "link.md", "newPath": "renamed.md"}));
        assert_eq!(fs::read_link(vault.at("renamed.md")).unwrap().to_str(), Some("a.md"));
        vault.refused("move_note", json!({"oldPath": "renamed.md", "newPath": "sub/r.md"}), "would lead elsewhere");
        vault.done("move_note", json!({"oldPath": "b.md", "newPath": "renamed.md", "overwrite": true}));
        assert_eq!((vault.text("a.md"), vault.text("renamed.md")), ("A".into(), "B".into()));
    }

    DANGLING_LINKS {
        let vault = Vault::with(&[]);
        symlink("made/note.md", vault.at("link.md")).unwrap();
        vault.done("write_note", json!({"path": "link.md", "content": "made"}));
        assert_eq!(vault.text("made/note.md"), "made");
    }

    LINKS_ARE_NAMED {
        let vault = Vault::with(&[("a.md", "A")]);
        let moved = vault.done("move_note", json!({"oldPath": "a.md", "newPath": "b.md"}));
        assert!(moved.contains("Links to it in other notes were not changed"));
    }

    TWO_DOTS {
        let vault = Vault::with(&[("..foo/a.md", "A")]);
        assert_eq!(vault.value("read_note", json!({"path": "..foo/a.md"}))["content"], "A");
        vault.done("write_note", json!({"path": "..new.md", "content": "x"}));
        assert_eq!(vault.value("list_directory", json!({}))["dirs"], json!(["..foo"]));
        vault.refused("read_note", json!({"path": "../a.md"}), "Path traversal not allowed");
    }

    BACKSLASHES {
        let vault = Vault::with(&[("a/b.md", "B"), (r"x\y.md", "literal")]);
        assert_eq!(vault.value("read_note", json!({"path": r"a\b.md"}))["content"], "B");
        assert_eq!(vault.value("read_note", json!({"path": r"x\y.md"}))["content"], "literal");
        vault.done("write_note", json!({"path": r"new\z.md", "content": "z"}));
        assert_eq!(vault.text("new/z.md"), "z");
    }

    SLASH_AT_THE_END {
        let vault = Vault::with(&[("x.png", "P")]);
        vault.refused("read_note", json!({"path": "x.png/"}), "Access denied");
        vault.refused("write_note", json!({"path": "x.png/", "content": ""}), "Access denied");
    }

    FOLDERS_BY_NAME {
        let vault = Vault::with(&[("v1.2/in.md", "#tag word")]);
        assert_eq!(vault.value("wiki_link", json!({"document": "in"}))["path"], "v1.2/in.md");
        assert_eq!(vault.value("list_all_tags", json!({})), json!([{"tag": "tag", "count": 1}]));
        assert_eq!(vault.value("get_vault_stats", json!({}))["notes"], 1);
        assert_eq!(vault.value("search_notes", json!({"query": "word"}))[0]["p"], "v1.2/in.md");
    }

    HIDDEN_FOLDERS {
        let vault = Vault::with(&[(".obsidian/app.json", "{}"), ("sub/node_modules/x.md", "")]);
        for path in [".obsidian", ".obsidian/", "sub/node_modules"] {
            vault.refused("list_directory", json!({"path": path}), "Access denied");
        }
    }

    DEVICES {
        let vault = Vault::with(&[("nul.md", "old")]);
        assert_eq!(vault.value("read_note", json!({"path": "nul.md"}))["content"], "old");
        for path in ["con.md", "new/aux.md", "com1/a.md", "LPT9.txt"] {
            vault.refused("write_note", json!({"path": path, "content": ""}), "the name of a device");
            vault.refused("move_note", json!({"oldPath": "nul.md", "newPath": path}), "the name of a device");
        }
    }

    ONTO_ITSELF {
        for overwrite in [false, true] {
            let vault = Vault::with(&[("a.md", "A")]);
            vault.done("move_note", json!({"oldPath": "a.md", "newPath": "./a.md", "overwrite": overwrite}));
            vault.done(
                "move_file",
                json!({"oldPath": "a.md", "newPath": "a.md", "confirmOldPath": "a.md", "confirmNewPath": "a.md", "overwrite": overwrite}),
            );
            assert_eq!(vault.text("a.md"), "A");
        }
    }

    UNKNOWN_WORDS {
        let vault = Vault::with(&[("a.md", "A"), ("b.md", "B")]);
        for (tool, arguments) in [
            ("delete_note", json!({"path": "a.md", "confirmPath": "a.md", "trashMode": "zzz"})),
            ("manage_tags", json!({"path": "a.md", "operation": "zzz", "tags": ["x"]})),
            ("write_note", json!({"path": "a.md", "content": "x", "mode": "zzz"})),
            ("write_note", json!({"path": "a.md", "content": "x", "mode": null})),
            ("move_note", json!({"oldPath": "a.md", "newPath": "b.md", "overwrite": "yes"})),
            ("patch_note", json!({"path": "a.md", "oldString": "A", "newString": "x", "replaceAll": 1})),
            ("read_note", json!({"path": "a.md", "prettyPrint": "yes"})),
            ("read_note_lines", json!({"path": "a.md", "startLine": "1", "endLine": 2})),
            ("update_frontmatter", json!({"path": "a.md", "frontmatter": {}, "merge": "no"})),
        ] {
            vault.refused(tool, arguments, " must be ");
        }
    }

    MISSING_ARGUMENTS {
        let vault = Vault::with(&[("a.md", "A")]);
        for (tool, arguments, name) in [
            ("read_note", json!({"name": "a.md"}), "path"),
            ("read_note_lines", json!({"path": "a.md", "startLine": 1}), "endLine"),
            ("write_note", json!({"path": "a.md"}), "content"),
            ("patch_note", json!({"path": "a.md", "oldString": "A"}), "newString"),
            ("update_frontmatter", json!({"path": "a.md"}), "frontmatter"),
            ("manage_tags", json!({"path": "a.md"}), "operation"),
            ("move_note", json!({"oldPath": "a.md"}), "newPath"),
            ("move_file", json!({"oldPath": "a.md", "newPath": "b.md"}), "confirmOldPath"),
            ("delete_note", json!({"path": "a.md"}), "confirmPath"),
            ("read_multiple_notes", json!({}), "paths"),
            ("get_notes_info", json!({}), "paths"),
            ("search_notes", json!({}), "query"),
            ("wiki_link", json!({}), "document"),
        ] {
            vault.refused(tool, arguments, &format!("{name} is required"));
        }
    }

    BROKEN_FOLDERS {
        if elsewhere::as_nobody(name_of!(BROKEN_FOLDERS)) {
            let vault = Vault::with(&[("a.md", "#one word"), ("closed/b.md", "#two word"), ("closed/in/c.md", "")]);
            let permit = |mode| fs::set_permissions(vault.at("closed"), fs::Permissions::from_mode(mode)).unwrap();
            // one that tells no names, and one that tells names and nothing else
            for mode in [0o000, 0o400] {
                permit(mode);
                for (tool, arguments) in [
                    ("search_notes", json!({"query": "word"})),
                    ("list_all_tags", json!({})),
                    ("get_vault_stats", json!({})),
                    ("wiki_link", json!({"document": "a"})),
                    ("wiki_link", json!({"document": "none"})),
                    ("get_notes_info", json!({"paths": ["a.md", "closed/b.md", "none.md"]})),
                ] {
                    let output = vault.call(tool, arguments);
                    let told = output.content[1]["text"].as_str().unwrap().to_owned();
                    assert!(told.contains("\nclosed") && told.contains("denied"), "{tool} {mode:o}: {told}");
                }
                for (tool, arguments) in [
                    ("list_directory", json!({"path": "closed/in"})),
                    ("read_note", json!({"path": "closed/b.md"})),
                    ("write_note", json!({"path": "closed/new.md", "content": ""})),
                    ("move_note", json!({"oldPath": "a.md", "newPath": "closed/a.md"})),
                    ("delete_note", json!({"path": "closed/b.md", "confirmPath": "closed/b.md"})),
                ] {
                    let output = vault.call(tool, arguments);
                    let text = text_of(&output);
                    assert!(output.is_error && text.contains("Permission denied"), "{tool} {mode:o}: {text}");
                }
            }
            permit(0o000);
            let output = vault.call("list_directory", json!({"path": "closed"}));
            assert!(output.is_error && text_of(&output).contains("Permission denied"));
            permit(0o700);
        }
    }
}

//! Names of notes and spellings of paths: each goes through a whole life, by every tool.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::obsidian::engine::native::tests::{Vault, elsewhere};

/// Makes, reads, edits, finds, moves and removes a note by the path `asked`, which on disk is `there`.
#[track_caller]
fn check(asked: &str, there: &str) {
    let vault = Vault::with(&[]);
    let asked = asked.replace("<vault>", vault.root().canonicalize().unwrap().to_str().unwrap());
    let path = json!(asked);
    let value = |tool: &str, arguments: Value| vault.value(tool, arguments);
    vault.done("write_note", json!({"path": path, "content": "# Needle\nold\n", "frontmatter": {"k": 1}}));
    assert_eq!(vault.files(), [there], "{asked:?}");
    assert_eq!(value("read_note", json!({"path": path}))["content"], "# Needle\nold\n");
    assert_eq!(value("get_frontmatter", json!({"path": path})), json!({"k": 1}));
    assert_eq!(
        vault.done("read_note_lines", json!({"path": path, "startLine": 4, "endLine": 4})),
        "# Needle"
    );
    assert_eq!(value("get_note_outline", json!({"path": path}))[0]["text"], "Needle");
    assert_eq!(value("get_notes_info", json!({"paths": [path]}))[0]["hasFrontmatter"], true);
    assert_eq!(value("read_multiple_notes", json!({"paths": [path]}))["err"], json!([]));
    vault.done("patch_note", json!({"path": path, "oldString": "old", "newString": "new"}));
    vault.done("update_frontmatter", json!({"path": path, "frontmatter": {"k": 2}}));
    vault.done("manage_tags", json!({"path": path, "operation": "add", "tags": ["t"]}));
    vault.done("write_note", json!({"path": path, "content": "end\n", "mode": "append"}));
    let text = "---\nk: 2\ntags:\n  - t\n---\n# Needle\nnew\nend\n";
    assert_eq!((vault.files(), vault.text(there)), (vec![there.to_owned()], text.to_owned()));

    let (folder, name) = there.rsplit_once('/').unwrap_or(("", there));
    assert_eq!(value("list_directory", json!({"path": folder}))["files"], json!([name]));
    assert_eq!(value("get_vault_stats", json!({}))["recent"][0]["path"], there);
    if there.ends_with(".md") {
        assert_eq!(value("search_notes", json!({"query": "needle"}))[0]["p"], there);
        assert_eq!(value("list_all_tags", json!({}))[0]["tag"], "t");
    }
    vault.done("move_note", json!({"oldPath": path, "newPath": "elsewhere/moved.md"}));
    assert_eq!(vault.files(), ["elsewhere/moved.md"]);
    vault.done(
        "move_file",
        json!({"oldPath": "elsewhere/moved.md", "newPath": path, "confirmOldPath": "elsewhere/moved.md", "confirmNewPath": path}),
    );
    assert_eq!((vault.files(), vault.text(there)), (vec![there.to_owned()], text.to_owned()));
    vault.done("delete_note", json!({"path": path, "confirmPath": path, "trashMode": "local"}));
    assert_eq!(vault.files(), [format!(".trash/{there}")]);
}

macro_rules! names {
    ($($name:ident: $($path:literal)*;)*) => {
        $(#[test]
        fn $name() {
            $(check($path, $path);)*
        })*
    };
}

names! {
    spaces: "a note.md" "in a folder/ leading and trailing .md" "two  blanks.md";
    a_leading_dash: "-INBOX-.md" "--help.md" "-rf/-x.md";
    a_hash: "C# and #1.md" "#.md" "a#b/c#d.md";
    percent_20_as_text: "a%20b.md" "100%.md" "%2e%2e.md";
    a_question_mark_and_a_colon: "why?.md" "12:30.md" "a?b:c/*.md" "\"quoted\" <x> | y.md";
    emoji: "🎉.md" "📓 notes/👩‍👩‍👧.md";
    cjk: "笔记/今天的日记.md" "한국어.md";
    v14_dots_in_names: "notes..md" "v1..v2 diff.md" "..foo/a.md" "...md" "a.b.c.md";
    v15_a_folder_with_a_dot: "1. Project/a.md" "v1.2/a.md";
    a_folder_called_like_a_note: "x.md/a.md" "x.md/y.md/z.md";
    a_note_without_an_ending: "README" "folder/LICENSE" "1. Chapter";
    the_ending_markdown: "a.markdown";
    the_endings_canvas_and_base: "a.canvas" "b.base" "c.txt";
    an_ending_in_capitals: "a.MD" "b.Md";
    dollar_signs_and_quotes: "$HOME.md" "it's.md" "`x`.md" "a&b;c.md";
    a_backslash_n_as_text: "line\nbreak.md";
}

#[test]
fn a_name_of_255_bytes() {
    let name = format!("{}.md", "n".repeat(252));
    check(&name, &name);
    let cjk = format!("{}.md", "笔".repeat(84));
    check(&cjk, &cjk);
    let vault = Vault::with(&[]);
    let longer = format!("{}.md", "n".repeat(253));
    vault.refused("write_note", json!({"path": longer, "content": ""}), "Failed to");
    vault.refused("read_note", json!({"path": longer}), "Failed to");
}

#[test]
fn a_path_with_a_dot_and_a_slash_before_it() {
    check("./a.md", "a.md");
    check("././sub/./a.md", "sub/a.md");
    check("sub/../a.md", "a.md");
}

#[test]
fn an_absolute_path_inside_the_vault() {
    check("<vault>/a.md", "a.md");
    check("<vault>/sub/a.md", "sub/a.md");
    check("/a.md", "a.md");
    check("//a.md", "a.md");
}

/// As where `/home` is a link: a client knows the vault by the path it is registered with.
#[test]
fn an_absolute_path_by_way_of_a_link_to_the_vault() {
    let outer = tempfile::tempdir().unwrap();
    for folder in ["real/vault", "elsewhere"] {
        fs::create_dir_all(outer.path().join(folder)).unwrap();
    }
    symlink("real", outer.path().join("home")).unwrap();
    symlink("home/vault", outer.path().join("Notes")).unwrap();
    for registered in ["home/vault", "Notes"].map(|path| outer.path().join(path)) {
        let vault = Vault::at_folder(&registered);
        let path = |name: &str| json!(registered.join(name));
        vault.done("write_note", json!({"path": path("sub/a.md"), "content": "needle"}));
        assert_eq!(vault.files(), ["sub/a.md"]);
        assert_eq!(vault.value("read_note", json!({"path": path("sub/a.md")}))["content"], "needle");
        assert_eq!(vault.value("list_directory", json!({"path": path("")}))["dirs"], json!(["sub"]));
        assert_eq!(
            vault.value("search_notes", json!({"query": "needle", "pathPrefix": path("sub")}))[0]["p"],
            "sub/a.md"
        );
        vault.refused("read_note", json!({"path": path("../elsewhere/a.md")}), "Path traversal not allowed");
        let name = registered.file_name().unwrap().to_str().unwrap();
        let hint = "begins with the name of the vault; paths begin inside of it: sub/a.md";
        vault.refused("read_note", json!({"path": format!("{name}/sub/a.md")}), hint);
        vault.done("delete_note", json!({"path": path("sub/a.md"), "confirmPath": "sub/a.md"}));
    }
}

#[test]
fn a_path_with_backslashes() {
    check(r"sub\a.md", "sub/a.md");
    check(r".\sub\deep\a.md", "sub/deep/a.md");
}

#[test]
fn a_path_with_a_slash_at_the_end() {
    check("a.md/", "a.md");
    check("sub/a.md//", "sub/a.md");
    let vault = Vault::with(&[("sub/a.md", "")]);
    assert_eq!(vault.value("list_directory", json!({"path": "sub/"}))["files"], json!(["a.md"]));
}

#[test]
fn a_path_with_blanks_around_it() {
    check("  a.md\n", "a.md");
    // where the blanks belong to the name
    check("./ a.md", " a.md");
}

#[test]
fn a_path_with_the_vaults_own_name_first() {
    let vault = Vault::with(&[("a.md", "A")]);
    let hint = "begins with the name of the vault; paths begin inside of it: a.md";
    vault.refused("read_note", json!({"path": "vault/a.md"}), hint);
    vault.refused("patch_note", json!({"path": "vault/a.md", "oldString": "A", "newString": "B"}), hint);
    vault.refused("delete_note", json!({"path": "vault/a.md", "confirmPath": "vault/a.md"}), hint);
    vault.refused("move_note", json!({"oldPath": "vault/a.md", "newPath": "b.md"}), hint);
    // A folder of that name inside the vault is a folder like others, and can be made.
    vault.done("write_note", json!({"path": "vault/a.md", "content": "inner"}));
    assert_eq!((vault.text("vault/a.md"), vault.text("a.md")), ("inner".into(), "A".into()));
    assert_eq!(vault.value("read_note", json!({"path": "vault/a.md"}))["content"], "inner");
}

#[test]
fn v10_the_composed_and_the_decomposed_form_of_a_name() {
    for (there, asked) in
        [("Caf\u{e9}/\u{d55c}.md", "Cafe\u{301}/\u{1112}\u{1161}\u{11ab}.md"), ("e\u{301}.md", "\u{e9}.md")]
    {
        for (there, asked) in [(there, asked), (asked, there)] {
            let vault = Vault::with(&[(there, "old")]);
            assert_eq!(vault.value("read_note", json!({"path": asked}))["content"], "old");
            vault.done("write_note", json!({"path": asked, "content": "new"}));
            vault.done("patch_note", json!({"path": asked, "oldString": "new", "newString": "newer"}));
            assert_eq!((vault.files(), vault.text(there)), (vec![there.to_owned()], "newer".to_owned()));
            let listed = vault.value("search_notes", json!({"query": "newer"}));
            assert_eq!(listed.as_array().unwrap().len(), 1, "listed once");
            let name = asked.rsplit('/').next().unwrap().trim_end_matches(".md").to_uppercase();
            assert_eq!(vault.value("search_notes", json!({"query": name}))[0]["p"], there);
            vault.done("move_note", json!({"oldPath": asked, "newPath": "moved.md"}));
            vault.done("move_note", json!({"oldPath": "moved.md", "newPath": asked}));
            vault.done("delete_note", json!({"path": asked, "confirmPath": asked}));
            assert!(vault.files().is_empty());
        }
    }
}

#[test]
fn names_that_differ_only_in_case() {
    let vault = Vault::with(&[("Note.md", "upper"), ("note.md", "lower")]);
    if vault.files().len() < 2 {
        elsewhere::unchecked("names that differ only in case: this disk takes them for one");
        return;
    }
    vault.done("patch_note", json!({"path": "Note.md", "oldString": "upper", "newString": "UPPER"}));
    vault.refused("read_note", json!({"path": "NOTE.md"}), "File not found");
    vault.done("delete_note", json!({"path": "Note.md", "confirmPath": "Note.md"}));
    assert_eq!((vault.files(), vault.text("note.md")), (vec!["note.md".to_owned()], "lower".to_owned()));
}

#[test]
fn v12_a_hidden_folder() {
    let vault =
        Vault::with(&[(".hidden/a.md", "secret #tag"), ("sub/.git/b.md", "secret"), ("c.md", "open")]);
    for path in [
        ".hidden/a.md",
        "sub/.git/b.md",
        ".hidden",
        "./.hidden/a.md",
        "sub/../.hidden/a.md",
        ".HIDDEN/a.md",
        ".hidden /a.md",
    ] {
        vault.refused("read_note", json!({"path": path}), "Access denied");
        vault.refused("write_note", json!({"path": path, "content": ""}), "Access denied");
        vault.refused("move_note", json!({"oldPath": "c.md", "newPath": path}), "Access denied");
        vault.refused("list_directory", json!({"path": path}), "Access denied");
    }
    assert_eq!(vault.value("search_notes", json!({"query": "secret"})), json!([]));
    assert_eq!(vault.value("list_all_tags", json!({})), json!([]));
    let stats = vault.value("get_vault_stats", json!({}));
    assert_eq!((&stats["notes"], &stats["folders"]), (&json!(1), &json!(1)));
    vault.refused("wiki_link", json!({"document": "b"}), "No file found");
    assert_eq!(vault.value("list_directory", json!({})), json!({"dirs": ["sub"], "files": ["c.md"]}));
}

#[test]
fn v25_nested_node_modules() {
    let vault = Vault::with(&[("code/app/node_modules/x/readme.md", "needle #tag"), ("a.md", "needle")]);
    assert_eq!(vault.value("search_notes", json!({"query": "needle"})).as_array().unwrap().len(), 1);
    assert_eq!(vault.value("list_all_tags", json!({})), json!([]));
    assert_eq!(vault.value("get_vault_stats", json!({}))["notes"], 1);
}

#[test]
fn v11_trailing_dots_and_blanks_hide_nothing() {
    let vault = Vault::with(&[("a.md", "A")]);
    for path in [
        ".git./config.md",
        ".git /config.md",
        ".obsidian../x.md",
        "node_modules./x.md",
        "NODE_MODULES . /x.md",
    ] {
        vault.refused("write_note", json!({"path": path, "content": ""}), "Access denied");
    }
}

#[test]
fn a_folder_in_place_of_the_note_and_a_note_in_place_of_the_folder() {
    let vault = Vault::with(&[("x.md/in.md", ""), ("y.md", "Y")]);
    vault.refused("read_note", json!({"path": "x.md"}), "Cannot read directory as file");
    vault.refused("write_note", json!({"path": "x.md", "content": ""}), "is a directory");
    vault.refused("write_note", json!({"path": "y.md/z.md", "content": ""}), "Not a directory");
    vault.refused("list_directory", json!({"path": "y.md"}), "Not a directory");
}

#[test]
fn v04_a_vault_whose_own_path_is_odd() {
    let outer = tempfile::tempdir().unwrap();
    for name in ["it's a \"vault\" & more", "笔记 库", "a#b%20c", "-rf", "trailing "] {
        let root = outer.path().join(name);
        fs::create_dir(&root).unwrap();
        let vault = Vault::at_folder(&root);
        vault.done("write_note", json!({"path": "a.md", "content": "needle"}));
        let absolute = root.canonicalize().unwrap().join("a.md");
        assert_eq!(vault.value("read_note", json!({"path": absolute}))["content"], "needle");
        assert_eq!(vault.value("search_notes", json!({"query": "needle"}))[0]["p"], "a.md");
        symlink("a.md", vault.at("link.md")).unwrap();
        assert_eq!(vault.value("read_note", json!({"path": "link.md"}))["content"], "needle");
    }
}

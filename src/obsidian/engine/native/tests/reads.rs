//! What reading tools answer.

use serde_json::json;

use super::{Vault, text_of};

#[test]
fn a_note_is_frontmatter_and_content() {
    let vault = Vault::with(&[("a.md", "---\ntitle: T\nn: 1.0\n---\nbody\n")]);
    assert_eq!(
        vault.done("read_note", json!({"path": "a.md"})),
        r#"{"fm":{"title":"T","n":1},"content":"body\n"}"#
    );
    assert_eq!(
        vault.done("read_note", json!({"path": "a.md", "prettyPrint": true})),
        "{\n  \"fm\": {\n    \"title\": \"T\",\n    \"n\": 1\n  },\n  \"content\": \"body\\n\"\n}"
    );
    assert_eq!(vault.done("get_frontmatter", json!({"path": "a.md"})), r#"{"title":"T","n":1}"#);
}

#[test]
fn what_is_not_there_or_no_note_is_named() {
    let vault = Vault::with(&[("a.md", ""), ("folder/b.md", "")]);
    vault.refused("read_note", json!({"path": "none.md"}), "Error: File not found: none.md");
    vault.refused("read_note", json!({"path": "no/ne.md"}), "Error: File not found: no/ne.md");
    vault.refused("read_note", json!({"path": "folder"}), "Error: Cannot read directory as file: folder");
    vault.refused("read_note", json!({"path": ""}), "Error: Cannot read directory as file");
    vault.refused("read_note", json!({"path": "a.md/b.md"}), "Not a directory: a.md/b.md");
    vault.refused("read_note", json!({}), "path is required");
    vault.refused("read_note", json!({"path": 7}), "path must be a text, not 7");
    vault.refused(
        "read_note",
        json!({"path": "a.md", "prettyPrint": "yes"}),
        "prettyPrint must be true or false",
    );
    vault.refused("list_directory", json!({"path": "none"}), "Error: Directory not found: none");
    vault.refused("list_directory", json!({"path": "a.md"}), "Error: Not a directory: a.md");
}

#[test]
fn a_pipe_is_no_note_and_holds_nobody_up() {
    let vault = Vault::with(&[]);
    rustix::fs::mknodat(
        rustix::fs::CWD,
        vault.at("pipe.md"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let refused = |tool, arguments| {
        let output = vault.call(tool, arguments);
        assert!(output.is_error && text_of(&output).contains("Not a regular file"), "{output:?}");
    };
    refused("read_note", json!({"path": "pipe.md"}));
    refused("write_note", json!({"path": "pipe.md", "content": "x"}));
}

#[test]
fn several_notes_and_what_failed() {
    let vault = Vault::with(&[("a.md", "---\nt: 1\n---\nA"), ("b c.md", "B")]);
    let uri = |name: &str| format!("obsidian:///{}/{name}", vault.root().canonicalize().unwrap().display());
    assert_eq!(
        vault.done("read_multiple_notes", json!({"paths": [" a.md ", "none.md", "/b c.md"]})),
        json!({
            "ok": [
                {"path": "a.md", "obsidianUri": uri("a"), "frontmatter": {"t": 1}, "content": "A"},
                {"path": "b c.md", "obsidianUri": uri("b%20c"), "frontmatter": {}, "content": "B"},
            ],
            "err": [{"path": "none.md", "error": "File not found: none.md. Use list_directory to see available files, or check the spelling"}],
        })
        .to_string()
    );
    let bare = json!({"paths": ["a.md"], "includeContent": false, "includeFrontmatter": false});
    assert_eq!(
        vault.value("read_multiple_notes", bare)["ok"][0],
        json!({"path": "a.md", "obsidianUri": uri("a")})
    );
    vault.refused("read_multiple_notes", json!({"paths": vec!["a.md"; 11]}), "Maximum 10 files");
    assert_eq!(vault.value("read_multiple_notes", json!({"paths": []})), json!({"ok": [], "err": []}));
}

#[test]
fn facts_about_notes() {
    let vault = Vault::with(&[("a.md", "---\nt: 1\n---\n"), ("b.md", "no"), ("folder/c.md", "")]);
    let info = vault.value("get_notes_info", json!({"paths": ["a.md", "none.md", "b.md", "folder", ".env"]}));
    assert_eq!(info.as_array().unwrap().len(), 2);
    assert_eq!(info[0]["size"], 13);
    assert_eq!((&info[0]["hasFrontmatter"], &info[1]["hasFrontmatter"]), (&json!(true), &json!(false)));
    let modified = vault.at("a.md").metadata().unwrap().modified().unwrap();
    let since = modified.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64() * 1000.0;
    assert!((info[0]["modified"].as_f64().unwrap() - since).abs() <= 0.5 + 1e-3);
    let names: Vec<&String> = info[0].as_object().unwrap().keys().collect();
    assert_eq!(names, ["path", "size", "modified", "hasFrontmatter", "obsidianUri"]);
}

#[test]
fn a_folder_is_listed_by_name() {
    let vault = Vault::with(&[
        ("b.md", ""),
        ("B.md", ""),
        ("ä.png", ""),
        ("\u{ffff}", ""),
        ("😀", ""),
        ("z/x.md", ""),
        (".hidden", ""),
    ]);
    let expected = r#"{"dirs":["z"],"files":["B.md","b.md","ä.png","😀",""#.to_owned() + "\u{ffff}\"]}";
    for path in [json!({}), json!({"path": "/"}), json!({"path": "."}), json!({"path": ""})] {
        assert_eq!(vault.done("list_directory", path), expected);
    }
    assert_eq!(
        vault.done("list_directory", json!({"path": "z", "prettyPrint": true})),
        "{\n  \"dirs\": [],\n  \"files\": [\n    \"x.md\"\n  ]\n}"
    );
}

#[test]
fn u19_invalid_bytes_are_shown_as_such() {
    let vault = Vault::with(&[]);
    vault.put("a.md", b"ok \xff\xfe end");
    assert_eq!(vault.value("read_note", json!({"path": "a.md"}))["content"], "ok \u{fffd}\u{fffd} end");
}

#[test]
fn nothing_runs_for_a_cancelled_call_or_an_unknown_tool() {
    use crate::obsidian::engine::native::EngineError;
    let vault = Vault::with(&[("a.md", "old")]);
    let cancel = tokio_util::sync::CancellationToken::new();
    let arguments = json!({"path": "a.md", "content": "new"});
    let call = |tool| vault.engine().call(&vault.root(), &[], tool, arguments.as_object().unwrap(), &cancel);
    assert!(matches!(call("rm"), Err(EngineError::UnknownTool { .. })));
    cancel.cancel();
    assert!(matches!(call("write_note"), Err(EngineError::Cancelled)));
    assert_eq!(vault.text("a.md"), "old");
    let nowhere = vault.engine().call(&vault.at("none"), &[], "read_note", &serde_json::Map::new(), &cancel);
    assert!(matches!(nowhere, Err(EngineError::Vault { .. })));
    let ours = vault.engine().call(
        &vault.root(),
        &[vault.outside().to_owned()],
        "read_note",
        &serde_json::Map::new(),
        &cancel,
    );
    assert!(matches!(ours, Err(EngineError::Protected { .. })));
}

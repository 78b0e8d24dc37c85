//! The tools that look at the whole vault.

use serde_json::json;

use super::{Vault, text_of};

#[test]
fn search_answers_in_the_form_of_mcpvault() {
    let vault = Vault::with(&[("a b.md", "---\nt: 1\n---\none\ntwo words"), ("c.md", "no")]);
    let root = vault.root();
    let uri = format!("obsidian:///{}/a%20b", root.display());
    assert_eq!(
        vault.value("search_notes", json!({"query": "words"})),
        json!([{"p": "a b.md", "t": "a b", "ex": "one\ntwo words", "mc": 1, "ln": 5, "uri": uri}])
    );
    assert_eq!(vault.done("search_notes", json!({"query": "absent"})), "[]");
    assert_eq!(vault.done("search_notes", json!({"query": "absent", "prettyPrint": true})), "[]");
    vault.refused("search_notes", json!({"query": "  "}), "Search query cannot be empty");
    vault.refused("search_notes", json!({}), "query is required");
    vault.refused(
        "search_notes",
        json!({"query": "x", "excludePaths": "a"}),
        "excludePaths must be a list of texts",
    );
}

#[test]
fn tags_are_counted_as_obsidian_counts_them() {
    let vault = Vault::with(&[
        ("a.md", "---\ntags: [One, '#two']\n---\n#one `#no` #two/sub\n"),
        ("b.md", "---\ntags: one, three\n---\n"),
        ("c.txt", "#one"),
        ("d.canvas", "{\"text\": \" #no\"}"),
        ("e.md", "---\ntitle: a: b # #no\n---\n#zwei"),
        (".hidden/f.md", "#no"),
    ]);
    assert_eq!(
        vault.done("list_all_tags", json!({})),
        r#"[{"tag":"one","count":4},{"tag":"three","count":1},{"tag":"two","count":1},{"tag":"two/sub","count":1},{"tag":"zwei","count":1}]"#
    );
}

#[test]
fn stats_count_notes_folders_and_bytes() {
    let vault = Vault::with(&[
        ("a.md", "12345"),
        ("f/b.txt", "1"),
        ("f/g/README", "12"),
        ("f/p.png", "x"),
        (".git/c.md", "x"),
    ]);
    let stats = vault.value("get_vault_stats", json!({"recentCount": 2}));
    assert_eq!((&stats["notes"], &stats["folders"], &stats["size"]), (&json!(3), &json!(2), &json!(8)));
    assert_eq!(stats["recent"].as_array().unwrap().len(), 2);
    let count = |count: f64| {
        vault.value("get_vault_stats", json!({"recentCount": count}))["recent"].as_array().unwrap().len()
    };
    assert_eq!([0.0, 1.9, 1000.0, -3.0].map(count), [3, 1, 3, 0]);
    let keys: Vec<_> = stats.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["notes", "folders", "size", "recent"]);
}

#[test]
fn the_notes_that_changed_last_come_first() {
    let vault = Vault::with(&[("a.md", ""), ("b.md", ""), ("c/d.md", ""), ("c.md", "")]);
    let age = |path: &str, seconds: u64| {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        std::fs::File::options().write(true).open(vault.at(path)).unwrap().set_modified(time).unwrap();
    };
    for (path, seconds) in [("a.md", 10), ("b.md", 30), ("c/d.md", 20), ("c.md", 20)] {
        age(path, seconds);
    }
    assert_eq!(
        vault.value("get_vault_stats", json!({"recentCount": 3}))["recent"],
        json!([{"path": "b.md", "modified": 30000}, {"path": "c/d.md", "modified": 20000}, {"path": "c.md", "modified": 20000}])
    );
}

#[test]
fn a_wiki_link_leads_to_its_note() {
    let vault = Vault::with(&[
        ("x/Note.md", "deep"),
        ("Note.md", "---\na: 1\n---\nbody"),
        ("b/Note.md", "other"),
        ("image.png", "x"),
    ]);
    let found = vault.call("wiki_link", json!({"document": "[[Note#Heading|Alias]]"}));
    assert_eq!(text_of(&found), r#"{"path":"Note.md","fm":{"a":1},"content":"body"}"#);
    assert_eq!(
        found.structured,
        Some(json!({"document": "Note", "path": "Note.md", "alternatives": ["b/Note.md", "x/Note.md"]}))
    );
    let found = vault.call("wiki_link", json!({"document": "x/Note"}));
    assert_eq!(found.structured, Some(json!({"document": "x/Note", "path": "x/Note.md"})));
    let missing = vault.call("wiki_link", json!({"document": "image.png"}));
    assert!(missing.is_error && text_of(&missing).starts_with("No file found for [[image.png]]."));
    assert_eq!(missing.structured, Some(json!({"document": "image.png"})));
    let broken = vault.call("wiki_link", json!({"document": "a\\b"}));
    assert!(broken.is_error && text_of(&broken).starts_with("Invalid wiki-link syntax"));
    assert_eq!(broken.structured, Some(json!({"rawInput": "a\\b"})));
    vault.refused("wiki_link", json!({"document": "[[#Heading]]"}), "Empty wiki link");
}

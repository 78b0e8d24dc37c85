//! Searching.

use std::fs;

use serde_json::{Value, json};

use crate::obsidian::engine::native::tests::Vault;

#[track_caller]
fn found(notes: &[(&str, &str)], arguments: Value) -> Vec<String> {
    let hits = Vault::with(notes).value("search_notes", arguments);
    let mut paths: Vec<String> =
        hits.as_array().unwrap().iter().map(|hit| hit["p"].as_str().unwrap().to_owned()).collect();
    paths.sort();
    paths
}

#[track_caller]
fn finds(text: &str, query: &str) -> bool {
    !found(&[("a.md", text)], json!({ "query": query })).is_empty()
}

#[test]
fn an_empty_or_blank_query() {
    let vault = Vault::with(&[("a.md", "x")]);
    for query in ["", "   ", "\n\t", "\u{3000}"] {
        vault.refused("search_notes", json!({"query": query}), "Search query cannot be empty");
    }
}

#[test]
fn v17_regex_characters_and_options_as_text() {
    for query in ["a.*b", "(", "[x", "\\d", "^", "$", "a|b", "--pre=/bin/sh", "-e", "*", "?"] {
        assert!(finds(&format!("before {query} after"), query), "{query}");
        assert!(!finds("nothing of the kind: axxb 5", query), "{query}");
    }
}

#[test]
fn a_word_across_a_line_break() {
    assert!(finds("one\ntwo", "one two"), "both words are there");
    assert!(!finds("one\ntwo", "onetwo"));
    assert!(finds("one\ntwo", "one\ntwo"));
}

#[test]
fn cjk_without_spaces() {
    assert!(finds("我喜欢中文笔记", "中文"));
    assert!(finds("今天天气很好。", "天气很好"));
    assert!(!finds("今天天气很好。", "好吗"));
    assert!(finds("한국어노트", "국어"));
}

#[test]
fn case_folding_of_sharp_s_dotted_i_and_sigma() {
    assert!(finds("Straße", "STRAßE") && finds("STRAẞE", "straße"));
    assert!(finds("Straße", "STRASSE") && finds("STRASSE", "straße") && !finds("Straße", "STRASE"));
    assert!(finds("İstanbul", "İSTANBUL") && finds("Istanbul", "istanbul"));
    assert!(finds("ΟΔΟΣ", "οδος") && finds("οδός ΟΔΌΣ", "ΟΔΌΣ"));
    assert!(finds("ΟΔΟΣΗΜΑ οδόσημα", "ΟΔΟΣ") && finds("οδος", "οδοσ"));
    let case =
        |text: &str, query: &str| found(&[("a.md", text)], json!({"query": query, "caseSensitive": true}));
    assert!(case("Straße", "STRASSE").is_empty() && case("οδος", "οδοσ").is_empty());
    // what is shown is the note's own text, around the place
    let text = format!("{} needle {}", "ßİΣ".repeat(20), "ẞς".repeat(20));
    let hits = Vault::with(&[("a.md", &text)]).value("search_notes", json!({"query": "NEEDLE"}));
    assert_eq!(hits[0]["ex"], format!("...{} needle {}...", &"ßİΣ".repeat(7)[2..], "ẞς".repeat(10)));
    assert!(finds("ÉTÉ", "été") && finds("ПРИВЕТ", "привет"));
}

#[test]
fn limits_of_zero_minus_one_and_a_thousand() {
    let names: Vec<String> = (0..30).map(|number| format!("{number}.md")).collect();
    let notes: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "word")).collect();
    let count = |limit: Value| found(&notes, json!({"query": "word", "limit": limit})).len();
    assert_eq!([json!(0), json!(-1), json!(1000), json!(2.5), json!(3)].map(count), [0, 20, 20, 2, 3]);
    assert_eq!(found(&notes, json!({"query": "word"})).len(), 5);
}

#[test]
fn prefixes_and_excluded_paths_with_and_without_slashes() {
    let notes = [("sub/a.md", "word"), ("sub/deep/b.md", "word"), ("subway/c.md", "word"), ("d.md", "word")];
    for prefix in ["sub", "/sub", "sub/", "/sub/", "./sub", "sub\\"] {
        assert_eq!(
            found(&notes, json!({"query": "word", "pathPrefix": prefix})),
            ["sub/a.md", "sub/deep/b.md"],
            "{prefix}"
        );
        assert_eq!(
            found(&notes, json!({"query": "word", "excludePaths": [prefix]})),
            ["d.md", "subway/c.md"],
            "{prefix}"
        );
    }
    let vault = Vault::with(&notes);
    let absolute = vault.root().canonicalize().unwrap().join("sub/");
    for prefix in [json!(absolute), json!("d/../sub/./"), json!("sub//")] {
        let count = |arguments: Value| vault.value("search_notes", arguments).as_array().unwrap().len();
        assert_eq!(count(json!({"query": "word", "pathPrefix": prefix})), 2, "{prefix}");
        assert_eq!(count(json!({"query": "word", "excludePaths": [prefix]})), 2, "{prefix}");
    }
    assert!(found(&notes, json!({"query": "word", "pathPrefix": "../sub"})).is_empty());
    let both = json!({"query": "word", "pathPrefix": "sub", "excludePaths": ["/sub/deep/"]});
    assert_eq!(found(&notes, both), ["sub/a.md"]);
    assert_eq!(found(&notes, json!({"query": "word", "pathPrefix": "", "excludePaths": ["", "/"]})).len(), 4);
    assert!(found(&notes, json!({"query": "word", "pathPrefix": "none"})).is_empty());
}

#[test]
fn a_note_of_fifty_megabytes() {
    let vault = Vault::with(&[("small.md", "needle")]);
    let mut bytes = vec![b'x'; 50 << 20];
    bytes.extend_from_slice(b"\nneedle\n");
    vault.put("large.md", bytes);
    let hits = vault.value("search_notes", json!({"query": "needle"}));
    assert_eq!(hits.as_array().unwrap().len(), 2);
    let large = hits.as_array().unwrap().iter().find(|hit| hit["p"] == "large.md").unwrap();
    assert_eq!((&large["ln"], large["ex"].as_str().unwrap().ends_with("needle")), (&json!(2), true));
}

#[test]
fn a_binary_file_named_like_a_note() {
    let vault = Vault::with(&[]);
    vault.put("a.md", b"\x00\xff\xfe\x89PNG\r\n needle \xc3\x28 \x00");
    let hits = vault.value("search_notes", json!({"query": "needle"}));
    assert_eq!(hits[0]["p"], "a.md");
    assert!(hits[0]["ex"].as_str().unwrap().contains("needle"));
    vault.done("read_note", json!({"path": "a.md"}));
    vault.done("list_all_tags", json!({}));
}

#[test]
fn notes_deleted_and_made_while_the_search_runs() {
    let vault = Vault::with(&[]);
    for number in 0..200 {
        vault.put(&format!("{}/{number}.md", number % 5), "needle");
    }
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0_usize.. {
                if stop.load(std::sync::atomic::Ordering::SeqCst) {
                    return;
                }
                let path = vault.at(&format!("{}/{}.md", round % 5, round % 200));
                if fs::remove_file(&path).is_err() {
                    let _ = fs::write(path, "needle");
                }
            }
        });
        for _ in 0..40 {
            for (tool, arguments) in [
                ("search_notes", json!({"query": "needle", "limit": 20})),
                ("list_all_tags", json!({})),
                ("get_vault_stats", json!({})),
                ("wiki_link", json!({"document": "none"})),
            ] {
                let output = vault.call(tool, arguments);
                assert_eq!(output.content.len(), 1, "{tool} complains: {output:?}");
                assert!(!output.is_error || tool == "wiki_link");
            }
        }
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
    });
}

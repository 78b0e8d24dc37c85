//! Searching, listing, tags and outlines.

use serde_json::{Value, json};

use super::asserted;
use crate::obsidian::engine::native::tests::Vault;

#[track_caller]
fn tags(text: &str) -> Value {
    let vault = Vault::with(&[("a.md", text)]);
    vault.value("manage_tags", json!({"path": "a.md", "operation": "list"}))["tags"].clone()
}

#[track_caller]
fn hits(notes: &[(&str, &str)], arguments: Value) -> Vec<Value> {
    Vault::with(notes).value("search_notes", arguments).as_array().unwrap().clone()
}

asserted! {
    TAGS {
        let text = "#real `#no` https://x.y/#no [[n#no]] %%#no%% \\#no #123 word#no (#no)\n```\n#no\n```\n#日本 #a/b\n";
        assert_eq!(tags(text), json!(["real", "日本", "a/b"]));
        let listed = Vault::with(&[("a.md", text)]).value("list_all_tags", json!({}));
        let mut listed: Vec<_> = listed.as_array().unwrap().iter().map(|tag| tag["tag"].as_str().unwrap()).collect();
        listed.sort_unstable();
        assert_eq!(listed, ["a/b", "real", "日本"]);
    }

    TAG_SPELLINGS {
        assert_eq!(tags("---\nTags: [one]\n---\n"), json!(["one"]));
        assert_eq!(tags("---\ntags: one, two three\n---\n"), json!(["one", "two", "three"]));
        assert_eq!(tags("---\ntags:\n  - \"#one\"\n  - 2024\n---\n"), json!(["one"]));
        let listed = Vault::with(&[("a.md", "---\ntags: \"#one, two\"\n---\n")]).value("list_all_tags", json!({}));
        assert_eq!(listed, json!([{"tag": "one", "count": 1}, {"tag": "two", "count": 1}]));
    }

    DATA_FILES {
        let vault = Vault::with(&[("a.canvas", "{\"text\": \" #no \"}"), ("b.base", "#no\n"), ("c.md", "#yes")]);
        assert_eq!(vault.value("list_all_tags", json!({})), json!([{"tag": "yes", "count": 1}]));
    }

    LINE_NUMBERS {
        let notes = [("a.md", "---\ntitle: word\n---\nbody\nword\n")];
        assert_eq!(hits(&notes, json!({"query": "word"}))[0]["ln"], 5);
        let only = json!({"query": "word", "searchFrontmatter": true, "searchContent": false});
        assert_eq!(hits(&notes, only)[0]["ln"], 2);
    }

    EXCERPTS {
        let notes = [("a.md", format!("{} word", "İ".repeat(30))), ("b.md", format!("a word{}", "🎉".repeat(30)))];
        let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let found = hits(&notes, json!({"query": "word"}));
        let excerpts: Vec<&str> = ["a.md", "b.md"]
            .iter()
            .map(|path| found.iter().find(|hit| hit["p"] == *path).unwrap()["ex"].as_str().unwrap())
            .collect();
        assert_eq!(excerpts, [format!("...{} word", "İ".repeat(20)), format!("a word{}...", "🎉".repeat(11))]);
    }

    NEGATIVE_LIMIT {
        let names: Vec<String> = (0..25).map(|number| format!("{number}.md")).collect();
        let notes: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "word")).collect();
        assert_eq!(hits(&notes, json!({"query": "word", "limit": -1})).len(), 20);
    }

    REPEATED_WORDS {
        let notes = [("a.md", "word and word")];
        let count = |query: &str| hits(&notes, json!({"query": query}))[0]["mc"].clone();
        assert_eq!((count("word"), count("word word")), (json!(2), json!(2)));
    }

    SEARCHED_FRONTMATTER {
        for note in ["---\r\nk: needle\r\n---\r\nbody\r\n", "\u{feff}---\nk: needle\n---\nbody\n", "---\nk: needle\n---"] {
            let notes = [("a.md", note)];
            assert!(hits(&notes, json!({"query": "needle"})).is_empty(), "{note:?}");
            let only = json!({"query": "needle", "searchFrontmatter": true, "searchContent": false});
            assert_eq!(hits(&notes, only).len(), 1, "{note:?}");
        }
        assert_eq!(hits(&[("a.md", "---\n---\nneedle")], json!({"query": "needle"}))[0]["ex"], "needle");
    }

    SUBTREES {
        let notes = [("sub/Cafe\u{301}/a.md", "word")];
        for prefix in ["./sub", "sub/Caf\u{e9}", ".\\sub\\Caf\u{e9}", "x/../sub"] {
            assert_eq!(hits(&notes, json!({"query": "word", "pathPrefix": prefix})).len(), 1, "{prefix}");
            assert!(hits(&notes, json!({"query": "word", "excludePaths": [prefix]})).is_empty(), "{prefix}");
        }
    }

    WIKI_NAMES {
        let vault = Vault::with(&[("x/Note.md", "1"), ("Cafe\u{301}.md", "2"), ("deep/er/note.md", "3")]);
        let path = |document: &str| vault.value("wiki_link", json!({"document": document}))["path"].clone();
        assert_eq!(path("[[NOTE]]"), "x/Note.md");
        assert_eq!(path("[[note]]"), "deep/er/note.md", "the name as it is fits best");
        assert_eq!(path("[[Note.md]]"), "x/Note.md");
        assert_eq!(path("Caf\u{e9}"), "Cafe\u{301}.md");
    }

    CASES {
        let notes = [("a.md", "Straße οδος"), ("b.md", "STRASSE ΟΔΟΣΗΜΑ")];
        for query in ["strasse", "STRAßE", "οδοσ", "ΟΔΟΣ"] {
            assert_eq!(hits(&notes, json!({"query": query})).len(), 2, "{query}");
        }
    }

    EMBEDS {
        let vault = Vault::with(&[("Note.md", "1")]);
        assert_eq!(vault.value("wiki_link", json!({"document": "![[Note#Part]]"}))["path"], "Note.md");
    }

    OUTLINE {
        let headings = |text: &str| {
            let vault = Vault::with(&[("a.md", text)]);
            vault.value("get_note_outline", json!({"path": "a.md"}))[0].clone()
        };
        assert_eq!(headings("---\n\n# A\n"), json!({"level": 1, "text": "A", "line": 3}));
        assert_eq!(headings("```x``` code\n# A\n"), json!({"level": 1, "text": "A", "line": 2}));
        assert_eq!(headings("\u{feff}# A\n"), json!({"level": 1, "text": "A", "line": 1}));
    }

    OPENING {
        let vault = Vault::with(&[("a.md", "\u{feff}---\nk: 1\n---\n"), ("b.md", "---\r\nk: 1\r\n---\r\n"), ("c.md", "text")]);
        let info = vault.value("get_notes_info", json!({"paths": ["a.md", "b.md", "c.md"]}));
        let has: Vec<&Value> = info.as_array().unwrap().iter().map(|note| &note["hasFrontmatter"]).collect();
        assert_eq!(has, [true, true, false]);
    }
}

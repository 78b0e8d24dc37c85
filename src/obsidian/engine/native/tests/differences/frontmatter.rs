//! Frontmatter read and changed.

use serde_json::{Value, json};

use super::asserted;
use crate::obsidian::engine::native::tests::Vault;

/// The text of a note after a call on it.
#[track_caller]
fn after(text: &str, tool: &str, mut arguments: Value) -> String {
    let vault = Vault::with(&[("a.md", text)]);
    arguments["path"] = "a.md".into();
    vault.done(tool, arguments);
    vault.text("a.md")
}

#[track_caller]
fn set(text: &str, keys: Value) -> String {
    after(text, "update_frontmatter", json!({ "frontmatter": keys }))
}

#[track_caller]
fn append(text: &str) -> String {
    after(text, "write_note", json!({"content": "+", "mode": "append"}))
}

#[track_caller]
fn prepend(text: &str) -> String {
    after(text, "write_note", json!({"content": "+\n", "mode": "prepend"}))
}

#[track_caller]
fn tag(text: &str, operation: &str, tag: &str) -> String {
    after(text, "manage_tags", json!({"operation": operation, "tags": [tag]}))
}

#[track_caller]
fn read(text: &str) -> Value {
    Vault::with(&[("a.md", text)]).value("read_note", json!({"path": "a.md"}))
}

#[track_caller]
fn refused(text: &str, tool: &str, mut arguments: Value, reason: &str) {
    arguments["path"] = "a.md".into();
    Vault::with(&[("a.md", text)]).refused(tool, arguments, reason);
}

/// What sets a key, adds a tag, or adds frontmatter with text.
fn key_edits() -> Vec<(&'static str, Value)> {
    vec![
        ("update_frontmatter", json!({"frontmatter": {"k": 1}})),
        ("manage_tags", json!({"operation": "add", "tags": ["k"]})),
        ("write_note", json!({"content": "+", "mode": "append", "frontmatter": {"k": 1}})),
        ("write_note", json!({"content": "+", "mode": "prepend", "frontmatter": {"k": 1}})),
    ]
}

asserted! {
    UNTOUCHED {
        let long = format!("\"{}\"", "word ".repeat(40));
        let note = format!("---\n# c\nl: [a,b]  # c\nn: 0x1F\nd: 2024-01-02\nq: 'x'\ns: {long}\nz: 007\n---\nbody\n");
        assert_eq!(append(&note), format!("{note}+"));
        assert_eq!(prepend(&note), note.replace("body", "+\nbody"));
        assert_eq!(set(&note, json!({"k": 1})), note.replace("z: 007\n", "z: 007\nk: 1\n"));
        assert_eq!(tag(&note, "add", "t"), note.replace("z: 007\n", "z: 007\ntags:\n  - t\n"));
    }

    MARK {
        for note in ["\u{feff}---\na: 1\n---\nbody", "\u{feff}body"] {
            for changed in [append(note), prepend(note), set(note, json!({"k": 1})), tag(note, "add", "t")] {
                assert!(changed.starts_with('\u{feff}') && !changed[3..].contains('\u{feff}'), "{changed:?}");
            }
        }
    }

    CRLF_VALUES {
        for (written, value) in [("2024-01-02", json!("2024-01-02")), ("3", json!(3)), ("true", json!(true)), ("x", json!("x"))] {
            let note = format!("---\r\nk: {written}\r\n---\r\nbody\r\n");
            assert_eq!(read(&note), json!({"fm": {"k": value}, "content": "body\r\n"}));
        }
    }

    FINAL_LINE_END {
        assert_eq!(set("body", json!({"k": 1})), "---\nk: 1\n---\nbody");
        assert_eq!(tag("body", "add", "t"), "---\ntags:\n  - t\n---\nbody");
        assert_eq!(set("", json!({"k": 1})), "---\nk: 1\n---\n");
    }

    BROKEN_FRONTMATTER {
        let broken = "---\nok: 1\ntitle: a: b\n---\nbody\n";
        assert_eq!(prepend(broken), broken.replace("body", "+\nbody"));
        assert_eq!(append(broken), format!("{broken}+"));
        for (tool, arguments) in key_edits() {
            refused(broken, tool, arguments, "line 3");
        }
        assert_eq!(set(broken, json!({})), broken, "nothing to set, nothing to refuse");
        refused(broken, "manage_tags", json!({"operation": "remove", "tags": ["x"]}), "line 3");
    }

    OPEN_BLOCK {
        let open = "---\ntitle: x\n\nbody\n";
        assert_eq!(read(open), json!({"fm": {}, "content": open}));
        assert_eq!(append(open), format!("{open}+"));
        assert_eq!(set(open, json!({"k": 1})), format!("---\nk: 1\n---\n{open}"));
    }

    SECOND_BLOCK {
        let body = "---\nb: 2\n---\ntext\n";
        let replaced = after(
            &format!("---\na: 1\n---\n{body}"),
            "update_frontmatter",
            json!({"frontmatter": {"c": 3}, "merge": false}),
        );
        assert_eq!(replaced, format!("---\nc: 3\n---\n{body}"));
        assert_eq!(set(&format!("---\n---\n{body}"), json!({"c": 3})), replaced);
    }

    NOT_A_MAPPING {
        for block in ["just text", "- a\n- b", "7"] {
            let note = format!("---\n{block}\n---\nbody\n");
            for (tool, arguments) in key_edits() {
                refused(&note, tool, arguments, "not a mapping of keys");
            }
            refused(&note, "manage_tags", json!({"operation": "remove", "tags": ["x"]}), "not a mapping of keys");
            refused("old", "write_note", json!({"content": note, "frontmatter": {"k": 1}}), "not a mapping of keys");
            assert_eq!(append(&note), format!("{note}+"));
        }
    }

    TAGS_STAY_IN_THE_TEXT {
        let note = "---\ntags:\n  - a\n---\nbody #inline\n";
        assert_eq!(tag(note, "add", "b"), note.replace("  - a\n", "  - a\n  - b\n"));
        assert_eq!(tag(note, "add", "a"), note);
        assert_eq!(tag(note, "remove", "a"), "body #inline\n");
    }

    NEW_KEYS {
        let note = "---\na: 1\n# last\n---\nbody\n";
        assert_eq!(set(note, json!({"b": 2})), note.replace("# last\n", "# last\nb: 2\n"));
    }

    EMPTY_TAGS {
        for note in ["---\na: 1\ntags: []\n---\n", "---\ntags: null\na: 1\n---\n", "---\ntags:\n---\n"] {
            assert_eq!(tag(note, "remove", "x"), note);
        }
    }

    EMPTY_BLOCK {
        assert_eq!(tag("---\ntags: [a]\n---\nbody\n", "remove", "a"), "body\n");
        assert_eq!(tag("---\n# kept\ntags: [a]\n---\nbody\n", "remove", "a"), "---\n# kept\n---\nbody\n");
    }

    UNUSUAL_LAYOUT {
        refused("---\n{a: 1}\n---\n", "update_frontmatter", json!({"frontmatter": {"a": 2}}), "in braces");
        refused("---json\n{\"a\": 1}\n---\n", "update_frontmatter", json!({"frontmatter": {"a": 2}}), "in JSON");
        refused("---\na: &x 1\nb: *x\n---\n", "update_frontmatter", json!({"frontmatter": {"a": 2}}), "without touching others");
    }

    REPLACED_KEYS {
        let replaced = after(
            "---\na: 1\nb: 'two'  # c\nc: 3\n---\nbody\n",
            "update_frontmatter",
            json!({"frontmatter": {"c": 4, "b": "two"}, "merge": false}),
        );
        assert_eq!(replaced, "---\nb: 'two'  # c\nc: 4\n---\nbody\n");
    }

    TAGGED_VALUES {
        let note = "---\nb: !!binary aGk=\ns: !!set\n  ? a\n---\n";
        assert_eq!(read(note)["fm"], json!({"b": "aGk=", "s": {"a": null}}));
    }

    LAST_LINES {
        assert_eq!(read("---\nt: |+\n  a\n\n\n---\n")["fm"]["t"], "a\n\n\n");
    }

    ODD_CHARACTERS {
        let changed = set("x", json!({"a": "mark\u{feff}", "b": "line\u{85}", "c": "\u{7f}"}));
        assert_eq!(changed, "---\na: \"mark\\uFEFF\"\nb: \"line\\x85\"\nc: \"\\x7f\"\n---\nx");
        assert_eq!(read(&changed)["fm"], json!({"a": "mark\u{feff}", "b": "line\u{85}", "c": "\u{7f}"}));
    }

    LINES_IN_PLACE {
        let note = "---\na: one line\nb: 1\n---\n";
        assert_eq!(set(note, json!({"a": "one\n\ntwo"})), "---\na: |-\n  one\n\n  two\nb: 1\n---\n");
    }

    YAML_CORNERS {
        let fm = |block: &str| read(&format!("---\n{block}---\nbody"))["fm"].clone();
        assert_eq!(fm("t: [a\n,b]\n"), json!({"t": ["a", "b"]}));
        assert_eq!(fm("\tk: 1\n"), json!({"k": 1}));
        assert_eq!(fm("k: |\n  a\n\t\nz: 1\n"), json!({"k": "a\n", "z": 1}));
        assert_eq!(fm("...\nk: 1\n"), json!({"k": 1}));
        assert_eq!(fm("a: 1\n# c\n[k]: 1\n"), json!({"a": 1, "[ k ]": 1}));
        // a key twice is broken, however it is written
        assert_eq!(fm("[k]: 1\n[k]: 2\n"), json!({}));
    }

    KEY_ORDER {
        assert_eq!(
            Vault::with(&[("a.md", "---\nb: 1\n2024: x\n1: y\n---\n")]).done("get_frontmatter", json!({"path": "a.md"})),
            r#"{"b":1,"2024":"x","1":"y"}"#
        );
    }

    LONG_NUMBERS {
        let note = "---\na: 9007199254740993\nb: 12345678901234567890\nc: 123456789012345678901234567890\n---\n";
        assert_eq!(
            Vault::with(&[("a.md", note)]).done("get_frontmatter", json!({"path": "a.md"})),
            r#"{"a":9007199254740993,"b":12345678901234567890,"c":"123456789012345678901234567890"}"#
        );
        assert_eq!(set(note, json!({"d": 1})), note.replace("---\n", "").replace("a: 9", "---\na: 9") + "d: 1\n---\n");
    }

    FOLDED_LINES {
        let long = "word ".repeat(60) + "end";
        assert_eq!(set("x", json!({"a": long})), format!("---\na: {long}\n---\nx"));
    }

    LINE_ENDS {
        assert_eq!(set("one\r\ntwo\r\n", json!({"a": [1]})), "---\r\na:\r\n  - 1\r\n---\r\none\r\ntwo\r\n");
        let quoted = "---\r\na: \"x\"\r\n---\r\nbody\r\n";
        assert_eq!(set(quoted, json!({"b": "y"})), quoted.replace("\"x\"\r\n", "\"x\"\r\nb: y\r\n"));
    }
}

//! Frontmatter: each value is read, and stays as it is byte by byte while text and another key are added,
//! whatever the note's line ends and with or without a byte-order mark.

use serde_json::{Value, json};

use crate::obsidian::engine::native::tests::{Vault, text_of};

/// Holds what the block says, and that it survives edits of other things.
#[track_caller]
fn check(block: &str, expected: Value) {
    for newline in ["\n", "\r\n"] {
        for mark in ["", "\u{feff}"] {
            let text = |key: &str, body: &str| {
                format!("{mark}{}", format!("---\n{block}{key}---\n{body}").replace('\n', newline))
            };
            let vault = Vault::with(&[("a.md", &text("", "body\n"))]);
            let read = vault.value("read_note", json!({"path": "a.md"}));
            assert_eq!(read["fm"], expected, "{block:?}");
            assert_eq!(read["content"], format!("body{newline}"), "{block:?}");
            assert_eq!(vault.value("get_frontmatter", json!({"path": "a.md"})), read["fm"]);

            vault.done("write_note", json!({"path": "a.md", "content": "end", "mode": "append"}));
            vault.done(
                "write_note",
                json!({"path": "a.md", "content": format!("start{newline}"), "mode": "prepend"}),
            );
            vault.done("patch_note", json!({"path": "a.md", "oldString": "body", "newString": "text"}));
            assert_eq!(vault.text("a.md"), text("", "start\ntext\nend"), "{block:?}");

            vault.done("update_frontmatter", json!({"path": "a.md", "frontmatter": {"added key": 1}}));
            assert_eq!(vault.text("a.md"), text("added key: 1\n", "start\ntext\nend"), "{block:?}");
            vault.done("manage_tags", json!({"path": "a.md", "operation": "add", "tags": ["t"]}));
            assert_eq!(
                vault.text("a.md"),
                text("added key: 1\ntags:\n  - t\n", "start\ntext\nend"),
                "{block:?}"
            );
            for key in expected.as_object().unwrap().keys() {
                check_one_key(&text("", "body\n"), key, &expected);
            }
        }
    }
}

/// Holds that a key gets another value and goes, and that the lines of the others stay.
#[track_caller]
fn check_one_key(note: &str, key: &str, values: &Value) {
    let mut others = values.as_object().unwrap().clone();
    others.shift_remove(key);
    for merge in [true, false] {
        let vault = Vault::with(&[("a.md", note)]);
        let keys = if merge { json!({ key: "new: #1" }) } else { Value::Object(others.clone()) };
        let changed =
            vault.call("update_frontmatter", json!({"path": "a.md", "frontmatter": keys, "merge": merge}));
        let after = vault.text("a.md");
        if changed.is_error {
            assert!(text_of(&changed).contains("without touching others"), "{key:?}: {changed:?}");
            assert_eq!(after, note);
            continue;
        }
        let found = vault.value("get_frontmatter", json!({"path": "a.md"}));
        let mut expected = others.clone();
        if merge {
            expected.insert(key.to_owned(), "new: #1".into());
        }
        assert_eq!(found, Value::Object(expected), "{key:?} in {note:?}");
        // What differs is one piece, and no other key begins in it.
        let start = note.bytes().zip(after.bytes()).take_while(|(one, other)| one == other).count();
        let end = note.bytes().rev().zip(after.bytes().rev()).take_while(|(one, other)| one == other).count();
        let piece =
            String::from_utf8_lossy(&note.as_bytes()[start..note.len() - end.min(note.len() - start)]);
        for other in others.keys() {
            assert!(!piece.contains(&format!("\n{other}:")), "{other:?} was touched with {key:?}: {piece:?}");
        }
    }
}

/// Holds that the block is taken for text, stays where it is, and is not edited; `line` is the broken one.
#[track_caller]
fn check_broken(block: &str, line: usize) {
    let text = format!("---\n{block}---\nbody\n");
    let vault = Vault::with(&[("a.md", &text)]);
    assert_eq!(vault.value("read_note", json!({"path": "a.md"})), json!({"fm": {}, "content": text}));
    let reason = format!("in line {line} of the note");
    vault.refused("update_frontmatter", json!({"path": "a.md", "frontmatter": {"added": 1}}), &reason);
    vault.refused("manage_tags", json!({"path": "a.md", "operation": "add", "tags": ["t"]}), &reason);
    vault.done("write_note", json!({"path": "a.md", "content": "start\n", "mode": "prepend"}));
    vault.done("write_note", json!({"path": "a.md", "content": "end", "mode": "append"}));
    vault.done("patch_note", json!({"path": "a.md", "oldString": "body", "newString": "text"}));
    assert_eq!(vault.text("a.md"), format!("---\n{block}---\nstart\ntext\nend"));
}

macro_rules! values {
    ($($name:ident: $block:literal => $expected:tt;)*) => {
        $(#[test]
        fn $name() {
            check($block, json!($expected));
        })*
    };
}

values! {
    a_value_with_a_hash: "k: a#b\nl: a # c\nm: '# x'\nn: https://x.y/z#f\n" => {"k": "a#b", "l": "a", "m": "# x", "n": "https://x.y/z#f"};
    a_value_with_a_percent_sign: "k: 50%\nl: a%20b\n" => {"k": "50%", "l": "a%20b"};
    a_colon_and_a_space_in_quotes: "k: \"a: b\"\nl: 'c: d'\nm: a:b\n" => {"k": "a: b", "l": "c: d", "m": "a:b"};
    a_wiki_link_without_quotes: "k: [[x]]\nl: \"[[x]]\"\nm:\n  - [[x]]\n" => {"k": [["x"]], "l": "[[x]]", "m": [[["x"]]]};
    a_date: "k: 2024-01-02\nl: 2024-01-02T03:04:05\nm: 2024-01-02 03:04\n" => {"k": "2024-01-02", "l": "2024-01-02T03:04:05", "m": "2024-01-02 03:04"};
    a_year: "k: 2024\n2024: k\n" => {"k": 2024, "2024": "k"};
    yes_no_and_on: "k: yes\nl: no\nm: on\nn: off\no: y\nyes: no\n" => {"k": "yes", "l": "no", "m": "on", "n": "off", "o": "y", "yes": "no"};
    a_leading_zero: "k: 007\nl: \"007\"\nm: 0x1F\nn: 0o17\n" => {"k": 7, "l": "007", "m": 31, "n": 15};
    a_number_of_twenty_digits: "k: 12345678901234567890\nl: 98765432109876543210\n" => {"k": 12345678901234567890_u64, "l": "98765432109876543210"};
    emoji_and_cjk_keys: "😀: 1\n标题: 笔记\n键 名: 值\n\"引\": 2\n" => {"😀": 1, "标题": "笔记", "键 名": "值", "引": 2};
    nested_lists_and_maps: "k:\n  a:\n    - x\n    - y: 2\n      z: [1, {w: 3}]\nl:\n- - 1\n  - 2\n" => {"k": {"a": ["x", {"y": 2, "z": [1, {"w": 3}]}]}, "l": [[1, 2]]};
    an_anchor_and_an_alias: "k: &x\n  a: 1\nl: *x\n<<: *x\n" => {"k": {"a": 1}, "l": {"a": 1}, "<<": {"a": 1}};
    a_tab_between_key_and_value: "k:\tx\nl: \ty\nm:\t\t3\n" => {"k": "x", "l": "y", "m": 3};
    a_comment_between_keys: "# first\nk: 1\n\n  # between\nl: 2 # behind\n" => {"k": 1, "l": 2};
    a_text_of_several_lines: "k: |\n  one\n\n  # two\n   three\nl: |-\n  x\n" => {"k": "one\n\n# two\n three\n", "l": "x"};
    a_folded_text: "k: >\n  one\n  two\n\n  three\nl: one\n  two\n" => {"k": "one two\nthree\n", "l": "one two"};
    a_long_quoted_text: "k: \"wordwordwordwordwordwordwordwordword wordwordwordwordwordwordwordword wordwordwordwordword wordwordwordwordwordwordwordword word\"\n"
        => {"k": "wordwordwordwordwordwordwordwordword wordwordwordwordwordwordwordword wordwordwordwordword wordwordwordwordwordwordwordword word"};
    a_list_in_brackets_with_a_comment: "k: [a,b]  # c\nl: {x: 1,y: 2}\n" => {"k": ["a", "b"], "l": {"x": 1, "y": 2}};
    no_value_at_all: "k:\nl: ~\nm: null\nn: \"\"\n" => {"k": null, "l": null, "m": null, "n": ""};
    a_template_that_is_not_filled_in: "k: {{date}}\nl: <% tp.date %>\n" => {"k": {"{ date }": null}, "l": "<% tp.date %>"};
}

#[test]
fn a_number_of_more_digits_than_are_kept() {
    let vault = Vault::with(&[("a.md", "---\nk: 1\n---\n")]);
    let set = |value: Value| json!({"path": "a.md", "frontmatter": {"id": value}});
    vault.done("update_frontmatter", set(json!(12345678901234567890_u64)));
    assert_eq!(vault.text("a.md"), "---\nk: 1\nid: 12345678901234567890\n---\n");
    vault.done("update_frontmatter", set(json!("98765432109876543210")));
    assert_eq!(vault.text("a.md"), "---\nk: 1\nid: \"98765432109876543210\"\n---\n");
    // as a client sends it; its last digits are gone when it has been read
    for number in ["98765432109876543210", "-98765432109876543210", "[{\"a\": 98765432109876543210}]"] {
        let number: Value = serde_json::from_str(number).unwrap();
        vault.refused("update_frontmatter", set(number), "give it as a text");
    }
    vault.done("update_frontmatter", set(json!([6.022e23, 1e-7, -0.5])));
}

/// A tag that comes or goes changes its own line.
#[test]
fn n11_comments_and_quotes_in_a_list_stay() {
    let check = |block: &str, operation: &str, tag: &str, expected: &str| {
        for newline in ["\n", "\r\n"] {
            let text = |block: &str| format!("---\n{block}---\nbody\n").replace('\n', newline);
            let vault = Vault::with(&[("a.md", &text(block))]);
            vault.done("manage_tags", json!({"path": "a.md", "operation": operation, "tags": [tag]}));
            assert_eq!(vault.text("a.md"), text(expected));
        }
    };
    let block = "tags: # mine\n- 'one' # first\n# between\n- two\nk: 1\n";
    check(block, "add", "three", &block.replace("- two\n", "- two\n- three\n"));
    check(block, "remove", "two", &block.replace("- two\n", ""));
    check(block, "remove", "one", &block.replace("- 'one' # first\n", ""));
    check("tags: [a, b] # mine\nk: 1\n", "add", "c", "tags: # mine\n  - a\n  - b\n  - c\nk: 1\n");
    check("tags: a # mine\nk: 1\n", "add", "c", "tags: # mine\n  - a\n  - c\nk: 1\n");
}

#[test]
fn a_value_with_a_colon_and_a_space() {
    check_broken("ok: 1\ntitle: a: b\n", 3);
}

#[test]
fn a_value_that_begins_with_a_percent_sign() {
    check_broken("k: %x\n", 2);
}

#[test]
fn duplicate_keys() {
    check_broken("a: 1\nb: 2\na: 3\n", 4);
}

#[test]
fn a_tab_for_indent() {
    check_broken("a:\n\tb: 1\n", 3);
}

#[test]
fn a_quote_that_never_ends() {
    let vault = Vault::with(&[("a.md", "---\nk: \"open\n---\nbody\n")]);
    vault.refused("update_frontmatter", json!({"path": "a.md", "frontmatter": {"l": 1}}), "not valid YAML");
}

#[test]
fn crlf_line_ends() {
    // What every value above is held to, and a value of several lines that is new.
    let vault = Vault::with(&[("a.md", "---\r\nk: 1\r\n---\r\nbody\r\n")]);
    vault.done("update_frontmatter", json!({"path": "a.md", "frontmatter": {"l": ["x"], "m": "one\ntwo\n"}}));
    assert_eq!(vault.text("a.md"), "---\r\nk: 1\r\nl:\r\n  - x\r\nm: |\r\n  one\r\n  two\r\n---\r\nbody\r\n");
    assert_eq!(vault.value("get_frontmatter", json!({"path": "a.md"}))["l"], json!(["x"]));
}

#[test]
fn v03_a_byte_order_mark_before_the_block() {
    let vault = Vault::with(&[("a.md", "\u{feff}---\nk: 1\n---\nbody")]);
    assert_eq!(vault.value("read_note", json!({"path": "a.md"})), json!({"fm": {"k": 1}, "content": "body"}));
    vault.done("update_frontmatter", json!({"path": "a.md", "frontmatter": {"k": 2}}));
    assert_eq!(vault.text("a.md"), "\u{feff}---\nk: 2\n---\nbody");
}

#[test]
fn a_thematic_break_alone_in_the_body() {
    for text in ["one\n\n---\n\ntwo\n", "---\n\nno frontmatter\n", "---\n", "---"] {
        let vault = Vault::with(&[("a.md", text)]);
        assert_eq!(vault.value("read_note", json!({"path": "a.md"})), json!({"fm": {}, "content": text}));
        vault.done("update_frontmatter", json!({"path": "a.md", "frontmatter": {"k": 1}}));
        assert_eq!(vault.text("a.md"), format!("---\nk: 1\n---\n{text}"));
        assert_eq!(
            vault.value("read_note", json!({"path": "a.md"})),
            json!({"fm": {"k": 1}, "content": text})
        );
    }
}

#[test]
fn an_empty_block() {
    for (text, with_key) in [
        ("---\n---\nbody", "---\nk: 1\n---\nbody"),
        ("---\n\n---\nbody", "---\n\nk: 1\n---\nbody"),
        ("---\n# note\n---\nbody", "---\n# note\nk: 1\n---\nbody"),
        ("---\n{}\n---\nbody", "---\nk: 1\n---\nbody"),
        ("---\n---", "---\nk: 1\n---"),
    ] {
        let vault = Vault::with(&[("a.md", text)]);
        let body = if text.ends_with("body") { "body" } else { "" };
        assert_eq!(vault.value("read_note", json!({"path": "a.md"})), json!({"fm": {}, "content": body}));
        vault.done("update_frontmatter", json!({"path": "a.md", "frontmatter": {"k": 1}}));
        assert_eq!(vault.text("a.md"), with_key);
    }
}

#[test]
fn a_block_that_never_closes() {
    let text = "---\ntitle: x\nbody without an end\n";
    let vault = Vault::with(&[("a.md", text)]);
    assert_eq!(vault.value("read_note", json!({"path": "a.md"})), json!({"fm": {}, "content": text}));
    vault.done("write_note", json!({"path": "a.md", "content": "more\n", "mode": "append"}));
    assert_eq!(vault.text("a.md"), format!("{text}more\n"));
}

#[test]
fn a_block_that_the_content_brings_along() {
    let check = |text: &str, mode: &str, expected: &str| {
        let vault = Vault::with(&[("a.md", text)]);
        let content = "---\nown: 0x1\n---\nnew\n";
        let arguments = json!({"path": "a.md", "content": content, "mode": mode, "frontmatter": {"k": 1}});
        vault.done("write_note", arguments);
        assert_eq!(vault.text("a.md"), expected, "{text:?} {mode}");
    };
    let merged = "---\nown: 0x1\nk: 1\n---\nnew\n";
    check("body\n", "prepend", &format!("{merged}body\n"));
    check("", "append", merged);
    check("\u{feff}", "append", &format!("\u{feff}{merged}"));
    check("body\n", "overwrite", merged);
    // where the note has a block, or begins with other text, it is text
    check("---\na: 1\n---\nbody\n", "prepend", "---\na: 1\nk: 1\n---\n---\nown: 0x1\n---\nnew\nbody\n");
    check("body\n", "append", "---\nk: 1\n---\nbody\n---\nown: 0x1\n---\nnew\n");
}

#[test]
fn frontmatter_given_as_a_json_string() {
    let vault = Vault::with(&[("a.md", "---\nk: 1\n---\nbody")]);
    vault.done("update_frontmatter", json!({"path": "a.md", "frontmatter": "{\"k\": 2, \"l\": [\"x\"]}"}));
    assert_eq!(vault.text("a.md"), "---\nk: 2\nl:\n  - x\n---\nbody");
    vault
        .done("write_note", json!({"path": "b.md", "content": "body\n", "frontmatter": "{\"k\": \"a: b\"}"}));
    assert_eq!(vault.text("b.md"), "---\nk: \"a: b\"\n---\nbody\n");
    for wrong in [json!("{"), json!("[1]"), json!("text"), json!([1]), json!(7), json!(true)] {
        let reason = "frontmatter must be a JSON object";
        vault.refused("update_frontmatter", json!({"path": "a.md", "frontmatter": wrong}), reason);
        vault.refused("write_note", json!({"path": "a.md", "content": "", "frontmatter": wrong}), reason);
    }
}

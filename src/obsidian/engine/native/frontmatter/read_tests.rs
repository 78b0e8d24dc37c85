//! Frontmatter as it is read.

use serde_json::json;

use super::*;

/// What stands behind `k:` in a block, and the value it has there.
#[track_caller]
fn check_value(written: &str, expected: Value) {
    for newline in ["\n", "\r\n"] {
        let text = format!("---\nk: {written}\nz: 1\n---\nbody").replace('\n', newline);
        let note = Note::read(&text);
        assert_eq!(note.frontmatter(), &json!({ "k": expected, "z": 1 }), "{text:?} {:?}", note.error);
        assert_eq!(note.content(), "body");
    }
}

/// A note whose block cannot be read is text; the body begins behind the block all the same.
#[track_caller]
fn check_broken(block: &str) {
    let text = format!("---\n{block}\n---\nbody");
    let note = Note::read(&text);
    assert_eq!((note.frontmatter(), note.content()), (&json!({}), text.as_str()), "{block:?}");
    assert_eq!(&text[note.body_start()..], "body");
    assert!(note.error.is_some());
}

#[track_caller]
fn check(text: &str, frontmatter: Value, content: &str) {
    let note = Note::read(text);
    assert_eq!((note.frontmatter(), note.content()), (&frontmatter, content), "{text:?}");
}

#[test]
fn values_that_people_write() {
    check_value("2024-01-01", json!("2024-01-01"));
    check_value("2024", json!(2024));
    check_value("yes", json!("yes"));
    check_value("no", json!("no"));
    check_value("on", json!("on"));
    check_value("007", json!(7));
    check_value("12345678901234567890", json!(12_345_678_901_234_567_890_u64));
    check_value("123456789012345678901234567890", json!("123456789012345678901234567890"));
    check_value("50%", json!("50%"));
    check_value("a#b", json!("a#b"));
    check_value("a # comment", json!("a"));
    check_value("http://x.y/z#f", json!("http://x.y/z#f"));
    check_value("C:\\x", json!("C:\\x"));
    check_value("12:30:45", json!("12:30:45"));
    check_value("😀", json!("😀"));
    check_value("", json!(null));
    check_value("# only", json!(null));
    check_value("\"a\\nb\"", json!("a\nb"));
    check_value("'it''s'", json!("it's"));
    check_value("a\n  b", json!("a b"));
}

#[test]
fn a_wiki_link_without_quotes_is_a_list_in_a_list() {
    check_value("[[x]]", json!([["x"]]));
    check_value("\"[[x]]\"", json!("[[x]]"));
    check_value("{{date}}", json!({ "{ date }": null }));
}

#[test]
fn lists_mappings_and_blocks() {
    check_value("[a, b]", json!(["a", "b"]));
    check_value("{a: 1, b: [c]}", json!({ "a": 1, "b": ["c"] }));
    check_value("\n  - a\n  # between\n  - b: c\n    d: e", json!(["a", { "b": "c", "d": "e" }]));
    check_value("\n- a\n- b", json!(["a", "b"]));
    check_value("|\n  a\n\n  # text\n   b", json!("a\n\n# text\n b\n"));
    check_value(">-\n  a\n  b\n\n  c", json!("a b\nc"));
}

#[test]
fn anchors_and_merge_keys_are_plain() {
    check(
        "---\na: &x {k: 1}\nb: *x\n<<: *x\n---\n",
        json!({ "a": { "k": 1 }, "b": { "k": 1 }, "<<": { "k": 1 } }),
        "",
    );
}

#[test]
fn what_is_no_yaml_is_text() {
    for block in [
        "title: a: b",
        "a: 1\na: 2",
        "a: [b",
        "a: \"b",
        "a: 'b",
        "a: @b",
        "a: `b`",
        "a: %b",
        "a: - b",
        "a: *b",
        "a: 1\n b: 2",
        "a: 1\nb",
        "a:\n\tb: 1",
        "a: \"b\" c",
        "a: [b] c",
        "a: [[b]], [[c]]",
        "a: 1\n...\nb: 2",
        "%YAML 1.1\na: yes",
    ] {
        check_broken(block);
    }
}

#[test]
fn blocks_without_keys() {
    check("---\n---\nbody", json!({}), "body");
    check("---\n# comment\n---\nbody", json!({}), "body");
    check("---\njust text\n---\nbody", json!("just text"), "body");
    check("---\n- a\n---\nbody", json!(["a"]), "body");
    check("", json!({}), "");
}

#[test]
fn an_open_block_is_text() {
    check("---\n\nSome text\n", json!({}), "---\n\nSome text\n");
    check("---\ntitle: x\n", json!({}), "---\ntitle: x\n");
}

#[test]
fn v03_a_byte_order_mark_is_no_content() {
    check("\u{feff}---\na: 1\n---\nbody", json!({ "a": 1 }), "body");
    check("\u{feff}body", json!({}), "body");
}

#[test]
fn u01_a_program_is_never_run() {
    let text = "---js\n{ title: (() => { throw new Error() })() }\n---\nbody";
    check(text, json!({}), text);
    check("---json\n{\"a\": [1]}\n---\nbody", json!({ "a": [1] }), "body");
    check("---yaml\na: 1\n---\nbody", json!({ "a": 1 }), "body");
}

#[test]
fn keys_are_text_and_keep_their_order() {
    let note = Note::read("---\nb: 1\n10: x\n\"a b\": 2\nnull: 3\n1.50: 4\n日本: 5\n---\n");
    let keys: Vec<_> = note.frontmatter().as_object().unwrap().keys().collect();
    assert_eq!(keys, ["b", "10", "a b", "", "1.5", "日本"]);
}

#[test]
fn corners_of_yaml() {
    check("---\nk: |+\n  a\n\n---\n", json!({ "k": "a\n\n" }), "");
    check("---\nk: [a\n,b]\n---\n", json!({ "k": ["a", "b"] }), "");
    check("---\nk: !!str 12\nl: !x y\nm: !!int \"3\"\n---\n", json!({ "k": "12", "l": "y", "m": 3 }), "");
}

#[test]
fn a_bomb_of_aliases_is_refused() {
    let mut block = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        block += &format!("a{level}: &a{level} [{}]\n", vec![before; 10].join(","));
    }
    check_broken(block.trim_end());
    check_broken(&format!("a: {}{}", "[".repeat(5000), "]".repeat(5000)));
}

#[test]
fn a_note_is_composed() {
    let map = |value: Value| value.as_object().unwrap().clone();
    assert_eq!(compose("body", &map(json!({ "a": 1 }))).unwrap(), "---\na: 1\n---\nbody\n");
    assert_eq!(
        compose("---\nb: 0x1 # c\n---\nbody\n", &map(json!({ "a": 1 }))).unwrap(),
        "---\nb: 0x1 # c\na: 1\n---\nbody\n"
    );
    assert_eq!(compose("body", &Map::new()).unwrap(), "body");
    assert!(compose("---\na: b: c\n---\n", &map(json!({ "a": 1 }))).is_err());
}

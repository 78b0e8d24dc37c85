//! Keys set and removed: what changes, and that nothing else does.

use serde_json::{Value, json};

use super::*;

/// Sets the keys of `updates`; those that are the text `REMOVE` are removed.
#[track_caller]
fn check(text: &str, updates: Value, expected: &str) {
    let remove = json!("REMOVE");
    let updates = updates.as_object().unwrap();
    let changes: Vec<Change> =
        updates.iter().map(|(key, value)| (key.as_str(), (*value != remove).then_some(value))).collect();
    assert_eq!(edit(text, &changes).unwrap(), expected);
}

#[track_caller]
fn check_refused(text: &str, updates: Value, expected: &str) {
    let error = merge(text, updates.as_object().unwrap()).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn n11_one_key_changed_and_no_other_byte() {
    let note = "---\n# head\ntitle: 'x'   # why\n\ndate: 2024-01-01\nlist: [a,b]  # c\nn: 0x1F\nbig: 12345678901234567890\n# tail\n---\nbody";
    check(
        note,
        json!({ "n": 32 }),
        "---\n# head\ntitle: 'x'   # why\n\ndate: 2024-01-01\nlist: [a,b]  # c\nn: 32\nbig: 12345678901234567890\n# tail\n---\nbody",
    );
    check(note, json!({ "title": "it's" }), &note.replace("'x'", "'it''s'"));
    check(
        note,
        json!({ "list": ["a", "c"] }),
        &note.replace("list: [a,b]  # c\n", "list:  # c\n  - a\n  - c\n"),
    );
    check(note, json!({ "new": true }), &note.replace("# tail\n", "# tail\nnew: true\n"));
    check(note, json!({ "date": "REMOVE" }), &note.replace("date: 2024-01-01\n", ""));
    check(note, json!({ "absent": "REMOVE" }), note);
}

#[test]
fn u09_a_key_set_to_what_it_is_keeps_its_spelling() {
    let note = "---\na: 0x1F\nb: [x,  y]\nc: \"long\"\n---\n";
    check(note, json!({ "a": 31, "b": ["x", "y"], "c": "long" }), note);
}

#[test]
fn u07_crlf_and_byte_order_mark_stay() {
    check(
        "\u{feff}---\r\ndate: 2024-01-01\r\nn: 1\r\n---\r\nbody\r\n",
        json!({ "n": 2, "t": ["a", "b"], "m": "x\ny" }),
        "\u{feff}---\r\ndate: 2024-01-01\r\nn: 2\r\nt:\r\n  - a\r\n  - b\r\nm: |-\r\n  x\r\n  y\r\n---\r\nbody\r\n",
    );
    check("\u{feff}body\r\n", json!({ "a": 1 }), "\u{feff}---\r\na: 1\r\n---\r\nbody\r\n");
}

#[test]
fn a_block_is_made_and_goes() {
    check("body", json!({ "a": 1 }), "---\na: 1\n---\nbody");
    check("", json!({ "a": 1 }), "---\na: 1\n---\n");
    check("---\n---\nbody", json!({ "a": 1 }), "---\na: 1\n---\nbody");
    check("---\n{}\n---\nbody", json!({ "a": 1 }), "---\na: 1\n---\nbody");
    check("---\n# only\n---\nbody", json!({ "a": 1 }), "---\n# only\na: 1\n---\nbody");
    check("---\na: 1\n---\nbody", json!({ "a": "REMOVE" }), "body");
    check("---\na: 1\n# kept\n---\nbody", json!({ "a": "REMOVE" }), "---\n# kept\n---\nbody");
    check("body", json!({}), "body");
}

#[test]
fn a_thematic_break_is_no_block_to_edit() {
    check("---\n\nSome text\n", json!({ "a": 1 }), "---\na: 1\n---\n---\n\nSome text\n");
}

#[test]
fn values_of_several_lines_are_replaced_whole() {
    let note = "---\na: |\n  # not a comment\n  x\n\nb: >-\n  y\n  z\n# between\nc:\n  - 1\n  # inside\n  - 2\nd:\n  e: f\n---\n";
    check(
        note,
        json!({ "a": "n" }),
        "---\na: |-\n  n\n\nb: >-\n  y\n  z\n# between\nc:\n  - 1\n  # inside\n  - 2\nd:\n  e: f\n---\n",
    );
    check(note, json!({ "b": "REMOVE" }), &note.replace("b: >-\n  y\n  z\n", ""));
    check(note, json!({ "c": [3] }), &note.replace("  - 1\n  # inside\n  - 2\n", "  - 3\n  # inside\n"));
    check(note, json!({ "d": "g" }), &note.replace("d:\n  e: f\n", "d: g\n"));
    check("---\nt: [a,\n  b] # c\nz: 1\n---\n", json!({ "t": "x" }), "---\nt: x\nz: 1\n---\n");
    check("---\nt: # mine\n  - a\nz: 1\n---\n", json!({ "t": ["b"] }), "---\nt: # mine\n  - b\nz: 1\n---\n");
    check("---\nt:\n- a\n- b\nz: 1\n---\n", json!({ "t": ["a"] }), "---\nt:\n- a\nz: 1\n---\n");
}

#[test]
fn keys_in_their_spellings() {
    check("---\n\"a b\" : 1\n---\n", json!({ "a b": 2 }), "---\n\"a b\" : 2\n---\n");
    check("---\n'it''s': 1\n---\n", json!({ "it's": 2 }), "---\n'it''s': 2\n---\n");
    check("---\n日本: 1\n😀: 2\n---\n", json!({ "😀": 3, "日本": "é" }), "---\n日本: é\n😀: 3\n---\n");
    check("---\n? a\n: 1\nb: 2\n---\n", json!({ "a": 3 }), "---\na: 3\nb: 2\n---\n");
    check(
        "---\n  a: 1\n  b: 2\n---\n",
        json!({ "b": 3, "c": [1] }),
        "---\n  a: 1\n  b: 3\n  c:\n    - 1\n---\n",
    );
    check("---\n2024: x\n---\n", json!({ "2024": "y" }), "---\n2024: y\n---\n");
    check("---\na:\nb: # c\n---\n", json!({ "a": 1, "b": 2 }), "---\na: 1\nb: 2 # c\n---\n");
}

#[test]
fn a_trap_for_the_reader_is_quoted() {
    check(
        "x",
        json!({ "a": "yes", "b": "1", "c": "a: b", "d": "- x", "e": "[[x]]", "f": "", "g": "x #y", "h": "2024-01-01", "i": "x\u{feff}" }),
        "---\na: yes\nb: \"1\"\nc: \"a: b\"\nd: \"- x\"\ne: \"[[x]]\"\nf: \"\"\ng: \"x #y\"\nh: 2024-01-01\ni: \"x\\uFEFF\"\n---\nx",
    );
}

#[test]
fn long_text_stays_on_its_line() {
    let long = "word ".repeat(60) + "end";
    check("x", json!({ "a": long }), &format!("---\na: {long}\n---\nx"));
}

#[test]
fn u10_broken_yaml_is_refused_with_the_line() {
    check_refused("---\nok: 1\ntitle: a: b\n---\nbody", json!({ "x": 1 }), "line 3");
    check_refused("---\na: 1\na: 2\n---\nbody", json!({ "x": 1 }), "stands twice in line 3");
}

#[test]
fn u01_a_block_in_another_language_is_left_alone() {
    check_refused("---js\n{a: 1}\n---\nx", json!({ "x": 1 }), "written in js");
    check_refused("---json\n{\"a\": 1}\n---\nx", json!({ "x": 1 }), "written in JSON");
    check_refused("---\njust text\n---\nx", json!({ "x": 1 }), "is a text");
    check_refused("---\n{a: 1}\n---\nx", json!({ "x": 1 }), "in braces");
}

#[test]
fn an_anchor_that_others_use_is_not_lost() {
    check_refused("---\na: &x [1]\nb: *x\n---\n", json!({ "a": 1 }), "\"a\"");
    check("---\na: &x [1]\nb: *x\n---\n", json!({ "b": 1 }), "---\na: &x [1]\nb: 1\n---\n");
    check_refused("---\na: 1\n...\n---\n", json!({ "b": 1 }), "\"b\"");
}

#[test]
fn replacing_keeps_the_lines_of_what_stays() {
    let note = "---\na: 0x1F # mine\nb: 2\nc: 3\n---\nbody";
    let values = json!({ "a": 31, "d": 4, "c": 5 });
    assert_eq!(
        replace(note, values.as_object().unwrap()).unwrap(),
        "---\na: 0x1F # mine\nc: 5\nd: 4\n---\nbody"
    );
    assert_eq!(replace(note, &Map::new()).unwrap(), "body");
    assert_eq!(replace("body", &Map::new()).unwrap(), "body");
}

//! Patches: the text is what it is, never a pattern.

use serde_json::{Value, json};

use crate::obsidian::engine::native::tests::Vault;

#[track_caller]
fn patched(text: &str, old: &str, new: &str, all: bool) -> (String, Value) {
    let vault = Vault::with(&[("a.md", text)]);
    let done = vault
        .value("patch_note", json!({"path": "a.md", "oldString": old, "newString": new, "replaceAll": all}));
    (vault.text("a.md"), done["matchCount"].clone())
}

#[track_caller]
fn check(text: &str, old: &str, new: &str, expected: &str) {
    assert_eq!(patched(text, old, new, false), (expected.to_owned(), json!(1)));
}

#[test]
fn dollar_ampersand_and_dollar_one() {
    check("a b c", "b", "$& $1 $$ $` $'", "a $& $1 $$ $` $' c");
    check("cost: $1 and $&", "$1", "$2", "cost: $2 and $&");
}

#[test]
fn backslash_n_as_text() {
    check("a b c", "b", "\\n\\t\\1", "a \\n\\t\\1 c");
    check("a\\nb", "\\n", "\n", "a\nb");
}

#[test]
fn characters_of_regular_expressions() {
    check("a.c abc", "a.c", "x", "x abc");
    check("(a) [b] {c} ^$ *+?", "[b]", "(x)", "(a) (x) {c} ^$ *+?");
}

#[test]
fn an_old_string_over_several_lines_with_crlf_in_the_note_and_lf_in_the_argument() {
    check("one\r\ntwo\r\nthree\r\n", "one\ntwo\n", "1\n2\n", "1\r\n2\r\nthree\r\n");
    check("one\r\ntwo\r\n", "one\r\ntwo", "1", "1\r\n");
    check(
        "---\r\nk: 1\r\n---\r\nbody\r\n",
        "k: 1\n---\nbody",
        "k: 2\n---\ntext",
        "---\r\nk: 2\r\n---\r\ntext\r\n",
    );
    let (text, count) = patched("a\r\nb\r\na\r\nb\r\n", "a\nb", "x\ny", true);
    assert_eq!((text.as_str(), count), ("x\r\ny\r\nx\r\ny\r\n", json!(2)));
    let vault = Vault::with(&[("a.md", "a\r\nb\r\na\r\nb\r\n")]);
    vault.refused(
        "patch_note",
        json!({"path": "a.md", "oldString": "a\nb", "newString": "x"}),
        "Found 2 occurrences",
    );
}

#[test]
fn an_old_string_over_several_lines_with_other_ends_than_the_note() {
    check("one\ntwo\nthree\n", "one\r\ntwo\r\n", "1\r\n2\r\n", "1\n2\nthree\n");
    // a note of both kinds: the bytes around stay, and the new text ends its lines as the old one did
    let mixed = "a\r\n0\r\none\r\ntwo\nthree\r\nz\n";
    check(mixed, "one\ntwo\nthree", "1\n2", "a\r\n0\r\n1\r\n2\r\nz\n");
    check(mixed, "two\nthree\n", "2\n3\n", "a\r\n0\r\none\r\n2\n3\nz\n");
    check(mixed, "\none\ntwo\n", "\n1\n", "a\r\n0\r\n1\r\nthree\r\nz\n");
    let (text, count) = patched("a\r\nb\na\nb\na\r\nb", "a\r\nb\r\n", "x\n", true);
    assert_eq!((text.as_str(), count), ("x\r\nx\na\r\nb", json!(2)));
    // what is there as it was given is not looked for otherwise
    check("a\nb\r\na\r\nb", "a\nb", "x\ny", "x\ny\r\na\r\nb");
}

#[test]
fn overlapping_matches() {
    let (text, count) = patched("aaaa aaa", "aa", "b", true);
    assert_eq!((text.as_str(), count), ("bb ba", json!(3)));
    let vault = Vault::with(&[("a.md", "aaa")]);
    // counted from left to right without overlap, as they would be replaced
    vault.done("patch_note", json!({"path": "a.md", "oldString": "aa", "newString": "b"}));
    assert_eq!(vault.text("a.md"), "ba");
}

#[test]
fn an_empty_new_string() {
    check("a b c", " b", "", "a c");
    check("all of it", "all of it", "", "");
}

#[test]
fn an_old_string_equal_to_the_new_one() {
    let vault = Vault::with(&[("a.md", "x")]);
    let same = json!({"path": "a.md", "oldString": "x", "newString": "x"});
    vault.refused("patch_note", same, "oldString and newString must be different");
}

#[test]
fn a_match_that_touches_frontmatter() {
    check("---\nk: old\n---\nold body\n", "k: old", "k: new", "---\nk: new\n---\nold body\n");
    check("---\nk: 1\n---\nbody\n", "1\n---\nbody", "2\n---\ntext", "---\nk: 2\n---\ntext\n");
    check("---\nk: a: b\n---\n", "k: a: b", "k: \"a: b\"", "---\nk: \"a: b\"\n---\n");
}

#[test]
fn emoji_and_cjk() {
    check("a 👩‍👩‍👧 b 今天", "👩‍👩‍👧 b 今", "明", "a 明天");
}

#[test]
fn blanks_at_line_ends_and_a_missing_final_line_end_stay() {
    check("one  \n\ttwo\t\nold", "old", "new", "one  \n\ttwo\t\nnew");
}

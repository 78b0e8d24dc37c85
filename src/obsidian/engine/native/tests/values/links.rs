//! Wiki links, lines and outlines.

use serde_json::{Value, json};

use crate::obsidian::engine::native::tests::{Vault, text_of};

fn vault() -> Vault {
    Vault::with(&[
        ("Note.md", "root"),
        ("a/Note.md", "in a"),
        ("b/Note.md", "in b"),
        ("a/deep/Other.md", "other"),
        ("img/picture.png", "P"),
        ("Cafe\u{301}.md", "coffee"),
        ("x.md/In.md", "in a folder called like a note"),
    ])
}

#[track_caller]
fn check(link: &str, path: &str) {
    let found = vault().call("wiki_link", json!({"document": link}));
    assert_eq!(found.structured.as_ref().unwrap()["path"], path, "{link}: {found:?}");
    let text: Value = serde_json::from_str(&text_of(&found)).unwrap();
    assert_eq!(text["path"], path);
}

#[test]
fn a_link_with_an_alias() {
    check("[[Note|Shown]]", "Note.md");
    check("[[ Note | Shown ]]", "Note.md");
    check("[[Note|]]", "Note.md");
}

#[test]
fn a_link_with_a_heading_or_a_block() {
    check("[[Note#Heading]]", "Note.md");
    check("[[Note#Heading#Below|Shown]]", "Note.md");
    check("[[Note#^block-id]]", "Note.md");
}

#[test]
fn n17_an_escaped_pipe_in_a_table() {
    check("[[Note\\|Alias]]", "Note.md");
    check("[[a/Note\\|Alias]]", "a/Note.md");
}

#[test]
fn a_link_by_path() {
    check("[[a/Note]]", "a/Note.md");
    check("b/Note", "b/Note.md");
    check("[[a/deep/Other#x|y]]", "a/deep/Other.md");
    check("[[x.md/In]]", "x.md/In.md");
}

#[test]
fn the_same_name_in_three_folders() {
    let found = vault().call("wiki_link", json!({"document": "[[Note]]"}));
    let expected = json!({"document": "Note", "path": "Note.md", "alternatives": ["a/Note.md", "b/Note.md"]});
    assert_eq!(found.structured, Some(expected));
}

#[test]
fn a_link_that_embeds() {
    check("![[Note]]", "Note.md");
    check("![[a/deep/Other#x|300]]", "a/deep/Other.md");
}

#[test]
fn a_link_to_an_attachment() {
    for link in ["[[picture.png]]", "![[img/picture.png]]", "[[picture]]"] {
        vault().refused("wiki_link", json!({"document": link}), "No file found");
    }
}

#[test]
fn a_name_that_differs_in_case_or_normal_form() {
    check("[[NOTE]]", "Note.md");
    check("[[other]]", "a/deep/Other.md");
    check("[[Caf\u{e9}]]", "Cafe\u{301}.md");
    check("[[CAF\u{c9}]]", "Cafe\u{301}.md");
}

#[test]
fn links_that_name_nothing() {
    vault().refused("wiki_link", json!({"document": "[[None]]"}), "No file found for [[None]]");
    vault().refused("wiki_link", json!({"document": "[[]]"}), "Empty wiki link");
    vault().refused("wiki_link", json!({"document": "[[#Heading]]"}), "Empty wiki link");
    vault().refused("wiki_link", json!({"document": "[[a\\b]]"}), "unexpected backslash");
    vault().refused("wiki_link", json!({"document": "[[../outside]]"}), "No file found");
}

#[track_caller]
fn check_lines(text: &str, start: f64, end: f64, expected: &str) {
    let vault = Vault::with(&[("a.md", text)]);
    let lines = vault.done("read_note_lines", json!({"path": "a.md", "startLine": start, "endLine": end}));
    assert_eq!(lines, expected, "{start} {end}");
}

#[test]
fn a_start_line_beyond_the_end() {
    check_lines("one\ntwo", 9.0, 12.0, "two");
    check_lines("one\ntwo\n", 9.0, 12.0, "");
}

#[test]
fn a_start_after_the_end() {
    check_lines("one\ntwo\nthree", 3.0, 1.0, "three");
}

#[test]
fn line_zero_and_negative_lines() {
    check_lines("one\ntwo", 0.0, 0.0, "one");
    check_lines("one\ntwo", -5.0, -1.0, "one");
    check_lines("one\ntwo", -5.0, 2.0, "one\ntwo");
}

#[test]
fn fractions_of_lines() {
    check_lines("one\ntwo\nthree", 1.5, 2.5, "one\ntwo");
    check_lines("one\ntwo\nthree", 2.9, 2.9, "two");
}

#[test]
fn a_file_with_one_line_of_five_megabytes() {
    let line = "x".repeat(5_000_000);
    let vault = Vault::with(&[("a.md", &format!("# A\n{line}\n# B"))]);
    let lines = vault.done("read_note_lines", json!({"path": "a.md", "startLine": 2, "endLine": 2}));
    assert_eq!(lines.len(), line.len());
    let outline = vault.value("get_note_outline", json!({"path": "a.md"}));
    assert_eq!(outline[1], json!({"level": 1, "text": "B", "line": 3}));
}

#[track_caller]
fn check_outline(text: &str, expected: &[(usize, &str, usize)]) {
    let vault = Vault::with(&[("a.md", text)]);
    let expected: Vec<Value> = expected
        .iter()
        .map(|(level, text, line)| json!({"level": level, "text": text, "line": line}))
        .collect();
    assert_eq!(vault.value("get_note_outline", json!({"path": "a.md"})), json!(expected));
}

#[test]
fn hashes_in_code_fences() {
    check_outline("# A\n```sh\n# no\n```\n~~~\n# no\n```\n~~~\n# B\n", &[(1, "A", 1), (1, "B", 9)]);
    check_outline("````\n# no\n```\n# no\n````\n# A\n```\n# open to the end\n", &[(1, "A", 6)]);
}

#[test]
fn a_hash_without_a_space() {
    check_outline(
        "#NoSpace\n# Space\n#\tTab\n####### Seven\n\\# Escaped\n",
        &[(1, "Space", 2), (1, "Tab", 3)],
    );
}

#[test]
fn setext_headings() {
    // Left out, as MCPVault leaves them out.
    check_outline("Title\n=====\n\nSub\n---\n\n# Real\n", &[(1, "Real", 7)]);
}

#[test]
fn closing_hashes() {
    check_outline(
        "# A ##\n## B#\n### C# #\n# #\n#\n",
        &[(1, "A", 1), (2, "B#", 2), (3, "C#", 3), (1, "", 4), (1, "", 5)],
    );
}

//! Tags in the spellings that people use, and what only looks like one.

use serde_json::{Value, json};

use crate::obsidian::engine::native::tests::Vault;

/// Holds that a note has these tags, for the note alone and in the list of the vault.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let vault = Vault::with(&[("a.md", text)]);
    let tags = vault.value("manage_tags", json!({"path": "a.md", "operation": "list"}))["tags"].clone();
    assert_eq!(tags, json!(expected), "{text:?}");
    let listed = vault.value("list_all_tags", json!({}));
    let mut listed: Vec<&str> =
        listed.as_array().unwrap().iter().map(|tag| tag["tag"].as_str().unwrap()).collect();
    let mut expected: Vec<String> = expected.iter().map(|tag| tag.to_lowercase()).collect();
    listed.sort_unstable();
    expected.sort_unstable();
    assert_eq!(listed, expected, "{text:?}");
}

#[test]
fn tags_as_a_list() {
    check("---\ntags: [one, Two]\n---\n", &["one", "Two"]);
    check("---\ntags:\n  - one\n  - two\n---\n", &["one", "two"]);
    check("---\ntags:\n- one\n-\n- 7\n- null\n---\n", &["one"]);
}

#[test]
fn tags_as_one_string() {
    check("---\ntags: one\n---\n", &["one"]);
    check("---\ntags: one two\n---\n", &["one", "two"]);
    check("---\ntags: \"\"\n---\n", &[]);
    check("---\ntags: #none\n---\n", &[]);
}

#[test]
fn tags_below_a_key_in_capitals() {
    check("---\nTags: [one, two]\n---\n", &["one", "two"]);
    check("---\nTAGS:\n  - one\n---\n", &["one"]);
    check("---\ntag: no\nmytags: no\ntAgs: no\n---\n", &[]);
    let vault = Vault::with(&[("a.md", "---\nTags:\n- one\n---\n")]);
    vault.done("manage_tags", json!({"path": "a.md", "operation": "add", "tags": ["one", "two"]}));
    assert_eq!(vault.text("a.md"), "---\nTags:\n- one\n- two\n---\n");
    vault.done("manage_tags", json!({"path": "a.md", "operation": "remove", "tags": ["one", "two"]}));
    assert_eq!(vault.text("a.md"), "");
}

#[test]
fn tags_separated_by_commas() {
    check("---\ntags: \"one, two,three , #four\"\n---\n", &["one", "two", "three", "four"]);
}

#[test]
fn tags_with_and_without_a_hash() {
    check("---\ntags: [\"#one\", two]\n---\n#three\n", &["one", "two", "three"]);
    let vault = Vault::with(&[("a.md", "---\ntags: [\"#one\"]\n---\n")]);
    let tags = |arguments: Value| vault.value("manage_tags", arguments)["tags"].clone();
    assert_eq!(
        tags(json!({"path": "a.md", "operation": "add", "tags": ["#one", "one", "#two"]})),
        json!(["one", "two"])
    );
    assert_eq!(vault.text("a.md"), "---\ntags:\n  - \"#one\"\n  - two\n---\n");
    assert_eq!(tags(json!({"path": "a.md", "operation": "remove", "tags": ["one", "#two"]})), json!([]));
    assert_eq!(vault.text("a.md"), "");
}

#[test]
fn nested_tags() {
    check("---\ntags: [a/b]\n---\n#c/d/e #f/\n", &["a/b", "c/d/e", "f/"]);
}

#[test]
fn numbers_alone_are_no_tags() {
    check("#123 #2024 #1st #2024-01 #v2", &["1st", "2024-01", "v2"]);
}

#[test]
fn tags_with_cjk() {
    check(
        "---\ntags: [标签, 日本語]\n---\n#한국어 #中文，后面 #混合mixed\n",
        &["标签", "日本語", "한국어", "中文", "混合mixed"],
    );
}

#[test]
fn u13_no_tags_in_code_blocks_and_inline_code() {
    check("```\n#no\n```\n~~~ sh\n#no\n~~~\n> ```\n> #no\n> ```\n`#no` ``a `#no` b`` #yes\n", &["yes"]);
    check("```\n#no, the block is open to the end\n", &[]);
    check("text\n\n    #no\n\t#no\n\ntext #yes\n", &["yes"]);
    check("- item\n    - #yes\n\n    #yes2\n", &["yes", "yes2"]);
}

#[test]
fn u13_tags_in_headings_and_no_headings_for_tags() {
    check("# Heading #yes\n## Two\n#yes2\n##no\n", &["yes", "yes2"]);
}

#[test]
fn u13_no_tags_in_addresses() {
    check("https://x.y/#no <https://x.y/ #no> [a](https://x.y/#no) [a](#no) x.y#no\n", &["no"]);
    check("https://x.y/#no [a](#no \"#no\") x.y#no\n", &[]);
}

#[test]
fn u13_no_tags_in_comments() {
    check("%%#no%% %%\n#no\n%%\n<!-- #no --> #yes\n", &["yes"]);
}

#[test]
fn u13_no_tags_in_links_and_behind_a_backslash() {
    check("[[Note#no]] [[Note#no|#no]] ![[Note #^no]] \\#no (#no) a#no #yes\n", &["yes"]);
}

#[test]
fn u13_adding_a_tag_never_copies_those_of_the_text() {
    let vault = Vault::with(&[("a.md", "#inline\n")]);
    let added = vault.value("manage_tags", json!({"path": "a.md", "operation": "add", "tags": ["new"]}));
    assert_eq!(added["tags"], json!(["new", "inline"]));
    assert_eq!(vault.text("a.md"), "---\ntags:\n  - new\n---\n#inline\n");
    let removed =
        vault.value("manage_tags", json!({"path": "a.md", "operation": "remove", "tags": ["inline", "new"]}));
    assert_eq!(removed["tags"], json!(["inline"]), "tags of the text are the person's");
    assert_eq!(vault.text("a.md"), "#inline\n");
}

//! The tags of plain frontmatter, read line by line.
//!
//! Listing the tags of a vault means to read thousands of blocks, and nearly all of them are plain:
//! keys with words behind them, and tags in a list. A parser takes longer over one than the disk. What
//! is not plain beyond doubt is left to it.

use super::frontmatter::is_special;
use super::tags::is_key as is_key_of_tags;

/// A longer block, in bytes, is for the parser, which finds a repeated key faster and knows its limits.
const LONGEST: usize = 2048;

/// What stands under `tags`: the items of a list, or the words of a text. Empty when there is no such
/// key.
///
/// `None` when the block needs the parser.
pub fn listed(block: &str) -> Option<Vec<&str>> {
    if block.len() > LONGEST {
        return None;
    }
    let mut tags = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    let mut list = List::None;
    for line in block.lines() {
        let names_tags = keys.last().is_some_and(|key| is_key_of_tags(key));
        let blanks = line.len() - line.trim_start_matches(' ').len();
        if let Some(item) = line[blanks..].strip_prefix("- ") {
            list = match list {
                List::Expected => List::At(blanks),
                List::At(place) if place == blanks => list,
                _ => return None,
            };
            if names_tags {
                tags.push(tag(item)?);
            } else if !is_plain(item) {
                return None;
            }
            continue;
        }
        let (key, value) = line.split_once(':')?;
        let is_tags = is_key_of_tags(key);
        if !is_key(key) || keys.contains(&key) || is_tags && keys.iter().any(|key| is_key_of_tags(key)) {
            return None;
        }
        keys.push(key);
        list = if value.is_empty() { List::Expected } else { List::None };
        let value = if value.is_empty() { value } else { value.strip_prefix(' ')?.trim_matches(' ') };
        if let Some(items) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let items: Vec<&str> =
                items.split(',').map(|item| tag(item.trim_matches(' '))).collect::<Option<_>>()?;
            if is_tags {
                tags = items;
            }
        } else if is_tags && !value.is_empty() {
            tags = tag(value)?.split(' ').collect();
        } else if !value.is_empty() && !is_plain(value) {
            return None;
        }
    }
    Some(tags)
}

/// Where items may follow.
enum List {
    None,
    /// Below a key without a value.
    Expected,
    /// Behind so many blanks, like the first one.
    At(usize),
}

fn is_key(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_word) && !is_special(text)
}

/// A text that means itself, in a line and in brackets alike.
fn tag(text: &str) -> Option<&str> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/' | '.');
    let begins = text.starts_with(char::is_alphabetic);
    (begins && !text.ends_with(' ') && text.chars().all(is_word) && !is_special(text)).then_some(text)
}

/// A value that ends where it begins, on its line, whatever it means.
fn is_plain(text: &str) -> bool {
    if let Some(quoted) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return quoted.chars().all(|c| !matches!(c, '"' | '\\') && !c.is_control());
    }
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/' | '.' | ',' | ':');
    text.starts_with(char::is_alphanumeric)
        && text.chars().all(is_word)
        && !text.contains(": ")
        && !text.ends_with([':', ' '])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::frontmatter::Note;
    use super::super::tags;
    use super::*;

    /// Lines of which some are plain, some are not, and some are wrong where they stand.
    const LINES: [&str; 40] = [
        "Tags:",
        "TAGS: x",
        "tags:",
        "tags: a",
        "tags: a b",
        "tags: [a, b/c]",
        "tags: []",
        "tags: [a, ]",
        "tags:a",
        "- a",
        "  - a",
        "  - b/c",
        "    - d",
        "  - 2024",
        "  - true",
        "  - \"q\"",
        "  - a: b",
        "  - #x",
        "  -",
        "",
        " ",
        "title: A b-c",
        "title: 2026-01-02",
        "title: a: b",
        "title: [x]",
        "title: http://a.b/c",
        "title: \"a: 'b' # c\"",
        "title: \"a\\\"",
        "title: 10:30",
        "title: a:",
        "title: a, b",
        "  - \"q: r\"",
        "tags: \"a\"",
        "other:",
        "other: null",
        "true: x",
        "# comment",
        "  more",
        "标签: 中",
        "other: 中文",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn what_is_read_is_what_the_parser_reads(
            lines in prop::collection::vec(prop::sample::select(&LINES[..]), 0..6),
            newline in prop::sample::select(&["\n", "\r\n"][..]),
        ) {
            let block: String = lines.iter().flat_map(|line| [*line, newline]).collect();
            let text = format!("---{newline}{block}---{newline}");
            let note = Note::read(&text);
            if let Some(found) = listed(&block) {
                prop_assert_eq!(tags::unique(found), tags::in_frontmatter(note.frontmatter()), "{}", block);
            }
        }
    }

    #[test]
    fn plain_blocks_need_no_parser() {
        for (block, expected) in [
            (
                "title: A note\ndate: 2026-01-02 10:30\nurl: \"x: y\"\ntags:\n  - one\n  - two/three\nstatus: open\n",
                &["one", "two/three"][..],
            ),
            ("tags: [one, zwei]\n", &["one", "zwei"]),
            ("tags: one two\n", &["one", "two"]),
            ("tags:\n- 标签\n", &["标签"]),
            ("title: x\n", &[]),
            ("", &[]),
        ] {
            assert_eq!(listed(block).as_deref(), Some(expected), "{block:?}");
        }
        for block in
            ["tags: \"a\"\n", "tags:\n  - a # b\n", "tags: 1\n", "a: &b\n", "- a\n", "tags: |\n  a\n"]
        {
            assert_eq!(listed(block), None, "{block:?}");
        }
    }
}

//! Notes and names that show one difference each, and their neighbours that show none.

use super::{group, parsed, table};
use crate::differences::{self as d, Difference};
use crate::hand_written::{Case, Group};
use crate::tree::{Node, Tree};

const NOTES: &[(&str, &str)] = &[
    ("text.md", "---\njust text\n---\nbody\n"),
    ("list.md", "---\n- a\n- b\n---\nbody\n"),
    ("braces.md", "---\n{a: 1, b: 2}\n---\nbody\n"),
    ("json.md", "---json\n{\"a\": 1}\n---\nbody\n"),
    ("anchor.md", "---\nbase: &b\n  x: 1\ncopy: *b\n---\nbody\n"),
    ("one-key.md", "---\ntags:\n  - one\n---\nbody\n"),
    ("one-key-comment.md", "---\n# kept\ntags:\n  - one\n---\nbody\n"),
    ("keys.md", "---\na: 1\nb: 'two'\nc: 3\n---\nbody\n"),
    ("line.md", "---\na: one line\nb: 1\n---\nbody\n"),
    ("tagged.md", "---\nbytes: !!binary aGk=\nset: !!set\n  ? a\n---\nbody\n"),
    ("last-lines.md", "---\nt: |+\n  a\n\n\n---\nbody\n"),
    ("corner-list.md", "---\nt: [a\n,b]\nz: 1\n---\nbody\n"),
    ("corner-tab.md", "---\nt:\t1\nz: 1\n---\nbody\n"),
    ("plain.md", "body\n"),
    ("last-comment.md", "---\na: 1\n# last\n---\nbody\n"),
    ("flow-tags.md", "---\ntags: [a, b]\n---\nbody\n"),
    ("empty-tags.md", "---\na: 1\ntags: []\n---\nbody\n"),
    ("second-block.md", "---\na: 1\n---\n---\nb: 2\n---\nbody\n"),
    ("quoted.md", "---\na: \"x\"\nb: 'y'\n---\nbody\n"),
    ("tags/text.md", "---\ntags: one, two three\n---\nbody\n"),
    ("tags/hash.md", "---\ntags:\n  - \"#one\"\n  - two\n---\nbody\n"),
    ("tags/capital.md", "---\nTags:\n  - one\n---\nbody\n"),
    ("outline/break.md", "---\n\n# Below a break\n"),
    ("outline/inline.md", "```x``` is code\n# Below inline code\n"),
    ("outline/mark.md", "\u{feff}# Behind a mark\n"),
    ("v1.2/inner.md", "in a folder with a dot\n"),
    ("v1.2/deep/inner.md", "deeper\n"),
    ("search/crlf.md", "---\r\ntitle: needle\r\n---\r\nbody\r\n"),
    ("search/empty.md", "---\n---\nneedle\n"),
    ("search/words.md", "same same word\nsame\n"),
    ("search/other.md", "word and more words\n"),
    ("search/sub/x.md", "subword\n"),
    ("search/Cafe\u{301}/x.md", "coffee\n"),
    ("search/glace\u{301}.md", "ice\n"),
    ("search/lower.md", "İİİİİİİİİİİİİİİİİİİİİİİİİİİİ target and then some more text\n"),
    ("search/emoji.md", "🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉 goal x🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉\n"),
    ("busy/a.md", "blocks a folder\n"),
];

type Row = (&'static str, &'static str, Option<&'static Difference>);

const ROWS: &[Row] = &[
    ("update_frontmatter", r#"{"path":"text.md","frontmatter":{"k":1}}"#, None),
    ("update_frontmatter", r#"{"path":"list.md","frontmatter":{"k":1}}"#, None),
    ("manage_tags", r#"{"path":"text.md","operation":"add","tags":["x"]}"#, None),
    (
        "write_note",
        r#"{"path":"new.md","content":"---\njust text\n---\nbody\n","frontmatter":{"k":1}}"#,
        Some(&d::NOT_A_MAPPING),
    ),
    (
        "write_note",
        r#"{"path":"new.md","content":"---\n- a\n- b\n---\nbody\n","frontmatter":{"k":1}}"#,
        Some(&d::NOT_A_MAPPING),
    ),
    (
        "update_frontmatter",
        r#"{"path":"second-block.md","frontmatter":{"c":3},"merge":false}"#,
        Some(&d::SECOND_BLOCK),
    ),
    ("manage_tags", r#"{"path":"empty-tags.md","operation":"remove","tags":["x"]}"#, Some(&d::EMPTY_TAGS)),
    ("update_frontmatter", r#"{"path":"last-comment.md","frontmatter":{"b":2}}"#, Some(&d::NEW_KEYS)),
    ("update_frontmatter", r#"{"path":"last-comment.md","frontmatter":{"a":2}}"#, Some(&d::UNTOUCHED)),
    ("manage_tags", r#"{"path":"flow-tags.md","operation":"remove","tags":["x"]}"#, Some(&d::UNTOUCHED)),
    ("manage_tags", r#"{"path":"flow-tags.md","operation":"add","tags":["a"]}"#, Some(&d::UNTOUCHED)),
    ("manage_tags", r#"{"path":"flow-tags.md","operation":"add","tags":["c"]}"#, None),
    ("read_note", r#"{"path":"text.md"}"#, None),
    ("read_note", r#"{"path":"list.md"}"#, None),
    ("write_note", r#"{"path":"text.md","content":"+","mode":"append"}"#, None),
    ("update_frontmatter", r#"{"path":"braces.md","frontmatter":{"a":2}}"#, Some(&d::UNUSUAL_LAYOUT)),
    ("update_frontmatter", r#"{"path":"json.md","frontmatter":{"a":2}}"#, Some(&d::UNUSUAL_LAYOUT)),
    ("update_frontmatter", r#"{"path":"anchor.md","frontmatter":{"base":2}}"#, None),
    ("update_frontmatter", r#"{"path":"anchor.md","frontmatter":{"copy":2}}"#, None),
    ("update_frontmatter", r#"{"path":"anchor.md","frontmatter":{"new":2}}"#, None),
    ("manage_tags", r#"{"path":"one-key.md","operation":"remove","tags":["one"]}"#, Some(&d::EMPTY_BLOCK)),
    (
        "manage_tags",
        r#"{"path":"one-key-comment.md","operation":"remove","tags":["one"]}"#,
        Some(&d::EMPTY_BLOCK),
    ),
    (
        "update_frontmatter",
        r#"{"path":"keys.md","frontmatter":{"c":3,"b":"two"},"merge":false}"#,
        Some(&d::REPLACED_KEYS),
    ),
    ("update_frontmatter", r#"{"path":"keys.md","frontmatter":{"x":1},"merge":false}"#, None),
    (
        "update_frontmatter",
        r#"{"path":"line.md","frontmatter":{"a":"one\n\ntwo"}}"#,
        Some(&d::LINES_IN_PLACE),
    ),
    ("update_frontmatter", r#"{"path":"line.md","frontmatter":{"new":"one\n\ntwo"}}"#, None),
    ("read_note", r#"{"path":"tagged.md"}"#, Some(&d::TAGGED_VALUES)),
    ("get_frontmatter", r#"{"path":"tagged.md"}"#, Some(&d::TAGGED_VALUES)),
    ("read_note", r#"{"path":"last-lines.md"}"#, Some(&d::LAST_LINES)),
    ("read_note", r#"{"path":"corner-list.md"}"#, Some(&d::YAML_CORNERS)),
    ("read_note", r#"{"path":"corner-tab.md"}"#, None),
    (
        "update_frontmatter",
        r#"{"path":"plain.md","frontmatter":{"a":"next line \u0085"}}"#,
        Some(&d::ODD_CHARACTERS),
    ),
    ("update_frontmatter", r#"{"path":"plain.md","frontmatter":{"a":"bell \u0007"}}"#, None),
    (
        "update_frontmatter",
        r#"{"path":"plain.md","frontmatter":{"a":"mark \ufeff"}}"#,
        Some(&d::ODD_CHARACTERS),
    ),
    ("update_frontmatter", r#"{"path":"quoted.md","frontmatter":{"a":"z","b":"w"}}"#, None),
    ("update_frontmatter", r#"{"path":"quoted.md","frontmatter":{"a":1,"b":["w"]}}"#, None),
    ("manage_tags", r#"{"path":"tags/text.md","operation":"list"}"#, Some(&d::TAG_SPELLINGS)),
    ("manage_tags", r#"{"path":"tags/hash.md","operation":"list"}"#, Some(&d::TAG_SPELLINGS)),
    (
        "manage_tags",
        r#"{"path":"tags/capital.md","operation":"add","tags":["two"]}"#,
        Some(&d::TAG_SPELLINGS),
    ),
    ("manage_tags", r#"{"path":"tags/text.md","operation":"add","tags":["four"]}"#, Some(&d::TAG_SPELLINGS)),
    (
        "manage_tags",
        r#"{"path":"tags/hash.md","operation":"remove","tags":["one"]}"#,
        Some(&d::TAG_SPELLINGS),
    ),
    ("get_note_outline", r#"{"path":"outline/break.md"}"#, Some(&d::OUTLINE)),
    ("get_note_outline", r#"{"path":"outline/inline.md"}"#, Some(&d::OUTLINE)),
    ("get_note_outline", r#"{"path":"outline/mark.md"}"#, Some(&d::OUTLINE)),
    ("wiki_link", r#"{"document":"inner"}"#, Some(&d::FOLDERS_BY_NAME)),
    ("wiki_link", r#"{"document":"v1.2/inner"}"#, Some(&d::FOLDERS_BY_NAME)),
    ("list_directory", r#"{"path":"v1.2"}"#, None),
    ("read_note", r#"{"path":"v1.2/inner.md"}"#, None),
    ("search_notes", r#"{"query":"deeper"}"#, None),
    ("get_vault_stats", r#"{"recentCount":0}"#, None),
    ("search_notes", r#"{"query":"needle"}"#, Some(&d::SEARCHED_FRONTMATTER)),
    (
        "search_notes",
        r#"{"query":"needle","searchFrontmatter":true,"searchContent":false}"#,
        Some(&d::SEARCHED_FRONTMATTER),
    ),
    ("search_notes", r#"{"query":"same same word"}"#, Some(&d::REPEATED_WORDS)),
    ("search_notes", r#"{"query":"subword","pathPrefix":"./search/sub"}"#, Some(&d::SUBTREES)),
    ("search_notes", r#"{"query":"coffee","pathPrefix":"search/Caf\u00e9"}"#, Some(&d::SUBTREES)),
    ("search_notes", r#"{"query":"word","excludePaths":["./search/sub"]}"#, Some(&d::SUBTREES)),
    ("search_notes", r#"{"query":"coffee","pathPrefix":"search"}"#, None),
    ("search_notes", r#"{"query":"glac\u00e9"}"#, Some(&d::UNICODE_FORMS)),
    ("search_notes", r#"{"query":"glace\u0301"}"#, None),
    ("search_notes", r#"{"query":"target"}"#, Some(&d::EXCERPTS)),
    ("search_notes", r#"{"query":"goal"}"#, Some(&d::EXCERPTS)),
    (
        "delete_note",
        r#"{"path":"gone/away.md","confirmPath":"gone/away.md","trashMode":"local"}"#,
        Some(&d::NO_EMPTY_FOLDERS),
    ),
    ("move_note", r#"{"oldPath":"plain.md","newPath":"made/LONG.md"}"#, Some(&d::NO_EMPTY_FOLDERS)),
    ("write_note", r#"{"path":"made/LONG.md","content":""}"#, Some(&d::NO_EMPTY_FOLDERS)),
];

pub fn groups() -> Vec<Group> {
    let case = |(tool, arguments, differs): &Row| Case {
        calls: vec![((*tool).to_owned(), parsed(&arguments.replace("LONG", &"long".repeat(70))))],
        differs: *differs,
    };
    vec![
        group("corners", vault(), ROWS.iter().map(case).collect()),
        group("data files", data_files(), table("list_all_tags", &[(r#"{}"#, Some(&d::DATA_FILES))])),
        group("times", vault(), times()),
    ]
}

fn vault() -> Tree {
    NOTES.iter().map(|(path, text)| ((*path).to_owned(), Node::File(text.as_bytes().to_vec()))).collect()
}

fn data_files() -> Tree {
    let files = [("a.canvas", "{\"text\": \" #canvas \"}"), ("b.base", " #base\n"), ("c.md", "#note\n")];
    files.iter().map(|(path, text)| ((*path).to_owned(), Node::File(text.as_bytes().to_vec()))).collect()
}

/// What gives a note a new time, shown by the call after it.
fn times() -> Vec<Case> {
    let after = |tool: &str, arguments: &str, shows: &str, differs| Case {
        calls: vec![(tool.into(), parsed(arguments)), ("get_notes_info".into(), parsed(shows))],
        differs,
    };
    vec![
        after(
            "move_note",
            r#"{"oldPath":"plain.md","newPath":"b.md"}"#,
            r#"{"paths":["b.md"]}"#,
            Some(&d::TIMES),
        ),
        after(
            "update_frontmatter",
            r#"{"path":"keys.md","frontmatter":{"a":1}}"#,
            r#"{"paths":["keys.md"]}"#,
            Some(&d::TIMES),
        ),
        after(
            "update_frontmatter",
            r#"{"path":"keys.md","frontmatter":{"a":2}}"#,
            r#"{"paths":["keys.md"]}"#,
            None,
        ),
        after(
            "move_file",
            r#"{"oldPath":"plain.md","newPath":"b.md","confirmOldPath":"plain.md","confirmNewPath":"b.md"}"#,
            r#"{"paths":["b.md"]}"#,
            None,
        ),
        after("read_note", r#"{"path":"plain.md"}"#, r#"{"paths":["plain.md"]}"#, None),
    ]
}

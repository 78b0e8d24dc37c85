//! Each spelling of a path by each tool that takes one.

use serde_json::{Value, json};

use super::group;
use super::vault::whole;
use crate::differences::{self as d, Difference};
use crate::hand_written::{Case, Group};

pub fn groups() -> Vec<Group> {
    let same = |_: &str, _: &str| None;
    vec![
        group("spellings of a note", whole(), cases(SPELLINGS, same)),
        group("paths that are refused", whole(), cases(REFUSED, same)),
        group("paths that are not there", whole(), cases(&["none.md", "no/ne.md", "void/none.md"], same)),
        group("folders", whole(), cases(&["sub", "void", "folder.md", ""], same)),
        group("links", whole(), cases(LINKS, links)),
    ]
}

/// The tools about `path`, in the forms that change as little as possible.
fn calls(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("read_note", json!({"path": path})),
        ("get_frontmatter", json!({"path": path})),
        ("read_note_lines", json!({"path": path, "startLine": 1, "endLine": 1})),
        ("get_note_outline", json!({"path": path})),
        ("get_notes_info", json!({"paths": [path]})),
        ("read_multiple_notes", json!({"paths": [path]})),
        ("write_note", json!({"path": path, "content": "new text\n"})),
        ("patch_note", json!({"path": path, "oldString": "text", "newString": "words"})),
        ("manage_tags", json!({"path": path, "operation": "list"})),
        ("delete_note", json!({"path": path, "confirmPath": path})),
        ("move_note", json!({"oldPath": path, "newPath": "moved.md"})),
        (
            "move_file",
            json!({"oldPath": path, "newPath": "moved.md", "confirmOldPath": path, "confirmNewPath": "moved.md"}),
        ),
    ]
}

fn cases(paths: &[&str], differs: impl Fn(&str, &str) -> Option<&'static Difference>) -> Vec<Case> {
    let calls = paths.iter().flat_map(|path| calls(path).into_iter().map(move |call| (*path, call)));
    calls
        .map(|(path, (tool, arguments))| Case {
            calls: vec![(tool.into(), arguments)],
            differs: differs(path, tool),
        })
        .collect()
}

const SPELLINGS: &[&str] = &[
    "plain.md",
    " plain.md ",
    "/plain.md",
    "//plain.md",
    "./plain.md",
    "sub/../plain.md",
    "<vault>/plain.md",
    "plain.md/",
    "sub//plain.md",
    "sub/./plain.md",
    "sub/deep/er/note.md",
    "names/with space.md",
    "names/100% #1 (a).md",
    "names/a?b:c.md",
    "names/-dash.md",
    "names/Case.md",
    "names/emoji 😀.md",
    "names/noext",
    "names/x.markdown",
    "names/x.txt",
    "names/x.canvas",
    "names/x.base",
    "names/x.MD",
    "names/v1..v2 diff.md",
    "names/1. Project/note.md",
    "folder.md/note.md",
    "笔记/日记.md",
];

const REFUSED: &[&str] = &[
    "../outside.md",
    "sub/../../outside.md",
    "/../outside.md",
    ".hidden.md",
    ".obsidian/app.json",
    ".Obsidian/app.json",
    ".git/config",
    "sub/.git/config",
    "sub/.secret/x.md",
    "sub/node_modules/pkg/readme.md",
    "Thumbs.db",
    "sub/.DS_Store",
    ".git./config",
    "image.png",
];

const LINKS: &[&str] = &[
    "links/inside.md",
    "links/absolute.md",
    "links/folder/plain.md",
    "links/outside.md",
    "links/loop-a.md",
    "links/hidden.md",
];

fn links(path: &str, tool: &str) -> Option<&'static Difference> {
    match (path, tool) {
        ("links/inside.md", "move_note" | "move_file") | ("links/absolute.md", "move_note") => {
            Some(&d::LINKS_MOVE)
        }
        ("links/hidden.md", _) => Some(&d::LINKS_TO_HIDDEN),
        _ => None,
    }
}

//! `read_note`, `get_frontmatter`, `read_note_lines`, `get_note_outline`, `read_multiple_notes`,
//! `get_notes_info`, `list_directory`.

use serde_json::json;

use super::vault::{TAME, WILD, tame, whole};
use super::{Row, group, table};
use crate::differences::{self as d, Difference};
use crate::hand_written::{Case, Group};

pub fn groups() -> Vec<Group> {
    let mut cases = table("read_note", READ_NOTE);
    cases.extend(table("get_frontmatter", GET_FRONTMATTER));
    cases.extend(table("read_note_lines", READ_NOTE_LINES));
    cases.extend(table("get_note_outline", GET_NOTE_OUTLINE));
    cases.extend(table("read_multiple_notes", READ_MULTIPLE));
    cases.extend(table("get_notes_info", INFO));
    cases.extend(table("list_directory", LIST));
    vec![
        group("every note by every reading tool", tame(), tame_notes()),
        group("every wild note", whole(), wild_notes()),
        group("reading", whole(), cases),
    ]
}

/// Each reading tool on each of the tame notes: no difference anywhere.
fn tame_notes() -> Vec<Case> {
    let mut cases = Vec::new();
    for (path, _) in TAME {
        for (tool, arguments) in [
            ("read_note", json!({"path": path})),
            ("read_note", json!({"path": path, "prettyPrint": true})),
            ("get_frontmatter", json!({"path": path})),
            ("get_frontmatter", json!({"path": path, "prettyPrint": true})),
            ("read_note_lines", json!({"path": path, "startLine": 2, "endLine": 3})),
            ("get_note_outline", json!({"path": path})),
            ("get_notes_info", json!({"paths": [path]})),
            ("read_multiple_notes", json!({"paths": [path, "none.md"], "prettyPrint": true})),
        ] {
            cases.push(Case { calls: vec![(tool.into(), arguments)], differs: None });
        }
    }
    cases
}

/// The wild notes: those that are read alike, and those that are not.
fn wild_notes() -> Vec<Case> {
    let differs = |path: &str| -> Option<&'static Difference> {
        match path {
            "wild/open.md" => Some(&d::OPEN_BLOCK),
            "wild/numbers.md" => Some(&d::KEY_ORDER),
            "wild/crlf-front.md" => Some(&d::CRLF_VALUES),
            "wild/comments.md" => Some(&d::LONG_NUMBERS),
            _ => None,
        }
    };
    let mut cases = Vec::new();
    for (path, _) in WILD.iter().filter(|(path, _)| !path.contains("..dots")) {
        for tool in ["read_note", "get_frontmatter"] {
            cases.push(Case { calls: vec![(tool.into(), json!({"path": path}))], differs: differs(path) });
        }
        for (tool, arguments) in [
            ("read_note_lines", json!({"path": path, "startLine": 1, "endLine": 99})),
            ("get_note_outline", json!({"path": path})),
        ] {
            cases.push(Case { calls: vec![(tool.into(), arguments)], differs: None });
        }
    }
    cases
}

const READ_NOTE: &[Row] = &[
    (r#"{"path":"none.md"}"#, None),
    (r#"{"path":"no/ne.md"}"#, None),
    (r#"{"path":"sub"}"#, None),
    (r#"{"path":"void"}"#, None),
    (r#"{"path":"folder.md"}"#, None),
    (r#"{"path":"names/1. Project"}"#, None),
    (r#"{"path":""}"#, None),
    (r#"{"path":"/"}"#, None),
    (r#"{"path":"."}"#, None),
    (r#"{"path":"plain.md/x.md"}"#, None),
    (r#"{"path":"image.png"}"#, None),
    (r#"{"path":"data.json"}"#, None),
    (r#"{"path":"image.png/"}"#, Some(&d::SLASH_AT_THE_END)),
    (r#"{"path":"wild/invalid.md"}"#, None),
    (r#"{"path":"wild/caf\u00e9.md"}"#, Some(&d::UNICODE_FORMS)),
    (r#"{"path":"wild/..dots/note.md"}"#, Some(&d::TWO_DOTS)),
    (r#"{}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":null}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":7}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":["plain.md"]}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":"plain.md","prettyPrint":false}"#, None),
    (r#"{"path":"plain.md","prettyPrint":"yes"}"#, Some(&d::UNKNOWN_WORDS)),
];

const GET_FRONTMATTER: &[Row] = &[
    (r#"{"path":"none.md"}"#, None),
    (r#"{"path":"sub"}"#, None),
    (r#"{"path":"image.png"}"#, None),
    (r#"{"path":"wild/invalid.md"}"#, None),
    (r#"{}"#, Some(&d::MISSING_ARGUMENTS)),
];

const READ_NOTE_LINES: &[Row] = &[
    (r#"{"path":"repeat.md","startLine":1,"endLine":1}"#, None),
    (r#"{"path":"repeat.md","startLine":1,"endLine":2}"#, None),
    (r#"{"path":"repeat.md","startLine":2,"endLine":2}"#, None),
    (r#"{"path":"repeat.md","startLine":3,"endLine":3}"#, None),
    (r#"{"path":"repeat.md","startLine":0,"endLine":0}"#, None),
    (r#"{"path":"repeat.md","startLine":-5,"endLine":1}"#, None),
    (r#"{"path":"repeat.md","startLine":-5,"endLine":-1}"#, None),
    (r#"{"path":"repeat.md","startLine":2,"endLine":1}"#, None),
    (r#"{"path":"repeat.md","startLine":100,"endLine":200}"#, None),
    (r#"{"path":"repeat.md","startLine":1,"endLine":1e300}"#, None),
    (r#"{"path":"repeat.md","startLine":1.5,"endLine":1.5}"#, None),
    (r#"{"path":"repeat.md","startLine":1.2,"endLine":2.9}"#, None),
    (r#"{"path":"repeat.md","startLine":0.5,"endLine":1.5}"#, None),
    (r#"{"path":"repeat.md","startLine":1,"endLine":2,"prettyPrint":true}"#, None),
    (r#"{"path":"crlf.md","startLine":1,"endLine":2}"#, None),
    (r#"{"path":"crlf.md","startLine":3,"endLine":4}"#, None),
    (r#"{"path":"empty.md","startLine":1,"endLine":1}"#, None),
    (r#"{"path":"blank.md","startLine":1,"endLine":2}"#, None),
    (r#"{"path":"blank.md","startLine":2,"endLine":3}"#, None),
    (r#"{"path":"no-end.md","startLine":1,"endLine":9}"#, None),
    (r#"{"path":"wild/bom.md","startLine":1,"endLine":1}"#, None),
    (r#"{"path":"wild/invalid.md","startLine":1,"endLine":1}"#, None),
    (r#"{"path":"none.md","startLine":1,"endLine":1}"#, None),
    (r#"{"path":"sub","startLine":1,"endLine":1}"#, None),
    (r#"{"path":"image.png","startLine":1,"endLine":1}"#, None),
    (r#"{"path":"../outside.md","startLine":1,"endLine":1}"#, None),
    (r#"{"path":"repeat.md"}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":"repeat.md","startLine":1}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":"repeat.md","startLine":"1","endLine":"2"}"#, Some(&d::UNKNOWN_WORDS)),
];

const GET_NOTE_OUTLINE: &[Row] = &[
    (r#"{"path":"headings.md","prettyPrint":true}"#, None),
    (r#"{"path":"fences.md","prettyPrint":true}"#, None),
    (r#"{"path":"none.md"}"#, None),
    (r#"{"path":"sub"}"#, None),
    (r#"{"path":"image.png"}"#, None),
    (r#"{"path":"../outside.md"}"#, None),
    (r#"{"path":".hidden.md"}"#, None),
    (r#"{}"#, Some(&d::MISSING_ARGUMENTS)),
];

const READ_MULTIPLE: &[Row] = &[
    (r#"{"paths":[]}"#, None),
    (r#"{"paths":["plain.md"]}"#, None),
    (r#"{"paths":["plain.md","front.md","sub/plain.md"]}"#, None),
    (r#"{"paths":["plain.md","plain.md"]}"#, None),
    (r#"{"paths":[" plain.md "]}"#, None),
    (r#"{"paths":["/plain.md","./plain.md"]}"#, None),
    (r#"{"paths":["<vault>/plain.md"]}"#, None),
    (r#"{"paths":["front.md"],"includeContent":false}"#, None),
    (r#"{"paths":["front.md"],"includeFrontmatter":false}"#, None),
    (r#"{"paths":["front.md"],"includeContent":false,"includeFrontmatter":false}"#, None),
    (r#"{"paths":["front.md"],"prettyPrint":true}"#, None),
    (r#"{"paths":["names/100% #1 (a).md","names/emoji 😀.md","笔记/日记.md"]}"#, None),
    (r#"{"paths":["1.md","2.md","3.md","4.md","5.md","6.md","7.md","8.md","9.md","10.md","11.md"]}"#, None),
    (r#"{}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"paths":"plain.md"}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"paths":["plain.md",7]}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"paths":["plain.md"],"includeContent":"no"}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"paths":["plain.md"],"includeFrontmatter":0}"#, Some(&d::UNKNOWN_WORDS)),
];

const INFO: &[Row] = &[
    (r#"{"paths":[]}"#, None),
    (r#"{"paths":["plain.md","front.md"],"prettyPrint":true}"#, None),
    (r#"{"paths":["plain.md","none.md","sub","image.png",".hidden.md","../outside.md"]}"#, None),
    (r#"{"paths":[" plain.md ","/plain.md","./plain.md","<vault>/plain.md"]}"#, None),
    (r#"{"paths":["break.md","wild/open.md","wild/empty-block.md","wild/no-end.md"]}"#, None),
    (r#"{"paths":["wild/bom.md"]}"#, Some(&d::OPENING)),
    (r#"{"paths":["wild/crlf-front.md"]}"#, Some(&d::OPENING)),
    (r#"{"paths":["wild/invalid.md","empty.md"]}"#, None),
    (r#"{"paths":["names/100% #1 (a).md","names/emoji 😀.md","笔记/日记.md"]}"#, None),
    (
        r#"{"paths":["1.md","2.md","3.md","4.md","5.md","6.md","7.md","8.md","9.md","10.md","plain.md"]}"#,
        None,
    ),
    (r#"{}"#, Some(&d::MISSING_ARGUMENTS)),
];

const LIST: &[Row] = &[
    (r#"{}"#, None),
    (r#"{"path":""}"#, None),
    (r#"{"path":"/"}"#, None),
    (r#"{"path":"."}"#, None),
    (r#"{"path":"./"}"#, None),
    (r#"{"path":"<vault>"}"#, None),
    (r#"{"path":"<vault>/sub"}"#, None),
    (r#"{"path":"sub"}"#, None),
    (r#"{"path":"sub/"}"#, None),
    (r#"{"path":"/sub/deep"}"#, None),
    (r#"{"path":"sub/../other"}"#, None),
    (r#"{"path":"names"}"#, None),
    (r#"{"path":"names","prettyPrint":true}"#, None),
    (r#"{"path":"names/1. Project"}"#, None),
    (r#"{"path":"folder.md"}"#, None),
    (r#"{"path":"void"}"#, None),
    (r#"{"path":"void","prettyPrint":true}"#, None),
    (r#"{"path":"笔记"}"#, None),
    (r#"{"path":"links"}"#, Some(&d::LINKS_TO_HIDDEN)),
    (r#"{"path":"links/folder"}"#, None),
    (r#"{"path":"links/out-folder"}"#, None),
    (r#"{"path":"wild"}"#, Some(&d::TWO_DOTS)),
    (r#"{"path":"none"}"#, None),
    (r#"{"path":"plain.md"}"#, None),
    (r#"{"path":".."}"#, None),
    (r#"{"path":"sub/../.."}"#, None),
    (r#"{"path":".obsidian"}"#, Some(&d::HIDDEN_FOLDERS)),
    (r#"{"path":"sub/node_modules"}"#, Some(&d::HIDDEN_FOLDERS)),
    (r#"{"path":7}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"path":"sub","prettyPrint":1}"#, Some(&d::UNKNOWN_WORDS)),
];

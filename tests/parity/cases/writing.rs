//! `write_note`, `patch_note`, `update_frontmatter`, `manage_tags`, `move_note`, `move_file`.

use serde_json::json;

use super::vault::{WILD, whole};
use super::{Row, group, table};
use crate::differences::{self as d, Difference};
use crate::hand_written::{Case, Group};

pub fn groups() -> Vec<Group> {
    let mut cases = table("write_note", WRITE);
    cases.extend(table("patch_note", PATCH));
    cases.extend(table("update_frontmatter", UPDATE));
    cases.extend(table("manage_tags", TAGS));
    cases.extend(table("move_note", MOVE_NOTE));
    cases.extend(table("move_file", MOVE_FILE));
    vec![group("writing", whole(), cases), group("one key set in every wild note", whole(), one_key_set())]
}

const WRITE: &[Row] = &[
    (r#"{"path":"new.md","content":"text"}"#, None),
    (r#"{"path":"new.md","content":""}"#, None),
    (r#"{"path":"deep/new/note.md","content":"text\n"}"#, None),
    (r#"{"path":"plain.md","content":"replaced"}"#, None),
    (r#"{"path":"front.md","content":"replaced without frontmatter"}"#, None),
    (r#"{"path":"plain.md","content":"x","mode":"overwrite"}"#, None),
    (r#"{"path":"plain.md","content":"more","mode":"append"}"#, None),
    (r#"{"path":"plain.md","content":"more\n","mode":"prepend"}"#, None),
    (r#"{"path":"no-end.md","content":"more","mode":"append"}"#, None),
    (r#"{"path":"empty.md","content":"more","mode":"append"}"#, None),
    (r#"{"path":"empty.md","content":"more","mode":"prepend"}"#, None),
    (r#"{"path":"crlf.md","content":"more\r\n","mode":"append"}"#, None),
    (r#"{"path":"front.md","content":"more\n","mode":"append"}"#, None),
    (r#"{"path":"front.md","content":"more\n","mode":"prepend"}"#, None),
    (r#"{"path":"front-list.md","content":"more\n","mode":"append"}"#, None),
    (r#"{"path":"front-nested.md","content":"more\n","mode":"prepend"}"#, None),
    (r#"{"path":"front-values.md","content":"more\n","mode":"append"}"#, Some(&d::UNTOUCHED)),
    (r#"{"path":"front-text.md","content":"more\n","mode":"prepend"}"#, None),
    (r#"{"path":"front-cjk.md","content":"更多\n","mode":"append"}"#, None),
    (r#"{"path":"front-quotes.md","content":"more\n","mode":"append"}"#, None),
    (r#"{"path":"front-only.md","content":"more\n","mode":"append"}"#, None),
    (r#"{"path":"new.md","content":"text","mode":"append"}"#, None),
    (r#"{"path":"new.md","content":"text","mode":"prepend"}"#, None),
    (r#"{"path":"new.md","content":"text","frontmatter":{"title":"T"}}"#, None),
    (r#"{"path":"new.md","content":"text\n","frontmatter":{"title":"T"}}"#, None),
    (r#"{"path":"new.md","content":"","frontmatter":{"title":"T"}}"#, Some(&d::FINAL_LINE_END)),
    (r#"{"path":"new.md","content":"text","frontmatter":{}}"#, None),
    (r#"{"path":"new.md","content":"text","frontmatter":{"title":"T"},"mode":"append"}"#, None),
    (
        r#"{"path":"new.md","content":"text","frontmatter":{"tags":["a","b"],"n":1,"t":true,"e":null,"f":1.5,"l":[],"o":{}}}"#,
        None,
    ),
    (r#"{"path":"new.md","content":"text","frontmatter":{"nested":{"a":{"b":[1,{"c":2}]}}}}"#, None),
    (
        r##"{"path":"new.md","content":"text","frontmatter":{"a":"x: y","b":"# no","c":"- no","d":"[[link]]","e":"yes","f":"007","g":"2024-01-02"}}"##,
        None,
    ),
    (
        r#"{"path":"new.md","content":"text","frontmatter":{"a":"true","b":"null","c":"1.5","d":"","e":" x ","f":"it's","g":"say \"x\"","h":"@x","i":"%x","j":"*x","k":"&x"}}"#,
        None,
    ),
    (
        r#"{"path":"new.md","content":"text","frontmatter":{"a":"one\ntwo","b":"one\ntwo\n","c":"tab\there"}}"#,
        None,
    ),
    (r#"{"path":"new.md","content":"text","frontmatter":{"标题":"笔记","😀":"x","a b":1,"a: b":2}}"#, None),
    (r#"{"path":"new.md","content":"text","frontmatter":"{\"title\":\"T\"}"}"#, None),
    (
        r#"{"path":"new.md","content":"---\ntitle: own\nkeep: 1\n---\nbody","frontmatter":{"title":"T"}}"#,
        None,
    ),
    (r#"{"path":"new.md","content":"---\ntitle: own\n---\nbody"}"#, None),
    (r#"{"path":"new.md","content":"text","frontmatter":"no json"}"#, None),
    (r#"{"path":"new.md","content":"text","frontmatter":"[1]"}"#, None),
    (r#"{"path":"new.md","content":"text","frontmatter":[1]}"#, None),
    (r#"{"path":"front.md","content":"more\n","mode":"append","frontmatter":{"count":4}}"#, None),
    (r#"{"path":"front.md","content":"more\n","mode":"append","frontmatter":{"new":"x"}}"#, None),
    (
        r#"{"path":"front.md","content":"more\n","mode":"prepend","frontmatter":{"title":"B","new":["x"]}}"#,
        None,
    ),
    (r#"{"path":"plain.md","content":"more\n","mode":"append","frontmatter":{"title":"B"}}"#, None),
    (
        r#"{"path":"new.md","content":"text","frontmatter":{"a":"a long value that goes on and on until it is well over eighty characters long, which folds"}}"#,
        Some(&d::FOLDED_LINES),
    ),
    (
        r#"{"path":"plain.md","content":"---\nown: 1\n---\nmore\n","mode":"prepend","frontmatter":{"title":"T"}}"#,
        None,
    ),
    (
        r#"{"path":"empty.md","content":"---\nown: 1\n---\nmore\n","mode":"append","frontmatter":{"title":"T"}}"#,
        None,
    ),
    (r#"{"path":"image.png","content":"x"}"#, None),
    (r#"{"path":"new.png","content":"x"}"#, None),
    (r#"{"path":"sub","content":"x"}"#, None),
    (r#"{"path":"","content":"x"}"#, None),
    (r#"{"path":"plain.md/x.md","content":"x"}"#, None),
    (r#"{"path":"new/../n.md","content":"x"}"#, None),
    (r#"{"path":"links/dangling.md","content":"made"}"#, None),
    (r#"{"path":"links/dangling-folder.md","content":"made"}"#, Some(&d::DANGLING_LINKS)),
    (r#"{"path":"links/dangling-outside.md","content":"escaped"}"#, Some(&d::LINKS_OUTSIDE)),
    (r#"{"path":"links/outside.md","content":"escaped"}"#, None),
    (r#"{"path":"links/out-folder/x.md","content":"escaped"}"#, None),
    (r#"{"path":"wild/..new.md","content":"x"}"#, Some(&d::TWO_DOTS)),
    (r#"{"path":"win\\dows.md","content":"x"}"#, Some(&d::BACKSLASHES)),
    (r#"{"path":"new/nul.md","content":"x"}"#, Some(&d::DEVICES)),
    (r#"{"path":"wild/caf\u00e9.md","content":"x"}"#, Some(&d::UNICODE_FORMS)),
    (r#"{"path":"plain.md","content":"x","mode":"zzz"}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"path":"plain.md"}"#, None),
    (r#"{"content":"x"}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":"plain.md","content":7}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"path":"wild/comments.md","content":"+","mode":"append"}"#, Some(&d::UNTOUCHED)),
    (r#"{"path":"wild/crlf-front.md","content":"+","mode":"append"}"#, Some(&d::UNTOUCHED)),
    (r#"{"path":"wild/bom.md","content":"+","mode":"append"}"#, Some(&d::MARK)),
    (r#"{"path":"wild/bom-plain.md","content":"+","mode":"append"}"#, Some(&d::MARK)),
    (r#"{"path":"wild/broken.md","content":"+","mode":"append"}"#, None),
    (r#"{"path":"wild/broken.md","content":"+","mode":"prepend"}"#, Some(&d::BROKEN_FRONTMATTER)),
    (r#"{"path":"wild/open.md","content":"+","mode":"append"}"#, Some(&d::OPEN_BLOCK)),
    (r#"{"path":"wild/empty-block.md","content":"+","mode":"append"}"#, Some(&d::UNTOUCHED)),
    (r#"{"path":"wild/no-end.md","content":"+","mode":"append"}"#, None),
    (r#"{"path":"wild/body-no-end.md","content":"+","mode":"append"}"#, None),
    (r#"{"path":"wild/invalid.md","content":"+","mode":"append"}"#, Some(&d::INVALID_UTF8)),
    (r#"{"path":"sub","content":"+","mode":"append"}"#, None),
];

const PATCH: &[Row] = &[
    (r#"{"path":"plain.md","oldString":"Some","newString":"Any"}"#, None),
    (r#"{"path":"plain.md","oldString":"Some","newString":""}"#, None),
    (r#"{"path":"plain.md","oldString":"text.\nAnother","newString":"x"}"#, None),
    (r#"{"path":"plain.md","oldString":"none","newString":"x"}"#, None),
    (
        r#"{"path":"plain.md","oldString":"a string that is not there and is longer than fifty characters","newString":"x"}"#,
        None,
    ),
    (r#"{"path":"plain.md","oldString":"","newString":"x"}"#, None),
    (r#"{"path":"plain.md","oldString":" \n\t","newString":"x"}"#, None),
    (r#"{"path":"plain.md","oldString":"Some","newString":"Some"}"#, None),
    (r#"{"path":"repeat.md","oldString":"x","newString":"y"}"#, None),
    (r#"{"path":"repeat.md","oldString":"x","newString":"y","replaceAll":false}"#, None),
    (r#"{"path":"repeat.md","oldString":"x","newString":"y","replaceAll":true}"#, None),
    (r#"{"path":"repeat.md","oldString":"aa","newString":"b"}"#, None),
    (r#"{"path":"repeat.md","oldString":"a","newString":"aa","replaceAll":true}"#, None),
    (r#"{"path":"dollar.md","oldString":"$1","newString":"$2"}"#, None),
    (r#"{"path":"dollar.md","oldString":"cost","newString":"$& $1 $$ $`"}"#, None),
    (r#"{"path":"dollar.md","oldString":"cost","newString":"\\n"}"#, None),
    (r#"{"path":"search/regex.md","oldString":"a.c","newString":"-"}"#, None),
    (r#"{"path":"search/regex.md","oldString":"^ \\d","newString":"-"}"#, None),
    (r#"{"path":"front.md","oldString":"count: 3","newString":"count: 4"}"#, None),
    (r#"{"path":"front.md","oldString":"3\n---\nBody","newString":"4\n---\nText"}"#, None),
    (r#"{"path":"crlf.md","oldString":"two","newString":"2"}"#, None),
    (r#"{"path":"crlf.md","oldString":"one\r\ntwo","newString":"1\n2"}"#, None),
    (r#"{"path":"crlf.md","oldString":"one\ntwo","newString":"1\n2"}"#, Some(&d::PATCH_LINE_ENDS)),
    (r#"{"path":"crlf.md","oldString":"two","newString":"2\n3"}"#, None),
    (r#"{"path":"wild/bom.md","oldString":"body","newString":"text"}"#, None),
    (r#"{"path":"wild/comments.md","oldString":"body","newString":"text"}"#, None),
    (r#"{"path":"wild/broken.md","oldString":"a: b","newString":"\"a: b\""}"#, None),
    (r#"{"path":"wild/open.md","oldString":"without","newString":"with"}"#, None),
    (r#"{"path":"wild/invalid.md","oldString":"ok","newString":"x"}"#, Some(&d::INVALID_UTF8)),
    (r#"{"path":"front-cjk.md","oldString":"内容 内容","newString":"一"}"#, None),
    (r#"{"path":"names/emoji 😀.md","oldString":"emoji","newString":"😀"}"#, None),
    (r#"{"path":"none.md","oldString":"a","newString":"b"}"#, None),
    (r#"{"path":"sub","oldString":"a","newString":"b"}"#, None),
    (r#"{"path":"image.png","oldString":"a","newString":"b"}"#, None),
    (r#"{"path":"../outside.md","oldString":"a","newString":"b"}"#, None),
    (r#"{"path":"plain.md","oldString":"Some"}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":"plain.md","newString":"Some"}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":"repeat.md","oldString":"x","newString":"y","replaceAll":"yes"}"#, Some(&d::UNKNOWN_WORDS)),
];

const UPDATE: &[Row] = &[
    (r#"{"path":"front.md","frontmatter":{"count":4}}"#, None),
    (r#"{"path":"front.md","frontmatter":{"new":"x"}}"#, None),
    (r#"{"path":"front.md","frontmatter":{"title":null}}"#, None),
    (r#"{"path":"front.md","frontmatter":{}}"#, None),
    (r#"{"path":"front.md","frontmatter":{"count":4},"merge":true}"#, None),
    (r#"{"path":"front.md","frontmatter":{"only":1},"merge":false}"#, None),
    (r#"{"path":"front.md","frontmatter":{},"merge":false}"#, None),
    (r#"{"path":"front-list.md","frontmatter":{"tags":["three"]}}"#, None),
    (r#"{"path":"front-nested.md","frontmatter":{"outer":{"other":1}}}"#, None),
    (r#"{"path":"front-text.md","frontmatter":{"after":2}}"#, None),
    (r#"{"path":"front-text.md","frontmatter":{"long":"short"}}"#, None),
    (r#"{"path":"front-values.md","frontmatter":{"t":false,"f":2.5}}"#, Some(&d::UNTOUCHED)),
    (r#"{"path":"front-cjk.md","frontmatter":{"标题":"新"}}"#, None),
    (r#"{"path":"front-quotes.md","frontmatter":{"colon":"b: c"}}"#, None),
    (r#"{"path":"front-quotes.md","frontmatter":{"x":1}}"#, None),
    (r#"{"path":"plain.md","frontmatter":{"title":"T"}}"#, None),
    (r#"{"path":"plain.md","frontmatter":{}}"#, None),
    (r#"{"path":"empty.md","frontmatter":{"title":"T"}}"#, Some(&d::FINAL_LINE_END)),
    (r#"{"path":"no-end.md","frontmatter":{"title":"T"}}"#, Some(&d::FINAL_LINE_END)),
    (r#"{"path":"plain.md","frontmatter":{"title":"T"},"merge":false}"#, None),
    (r#"{"path":"front.md","frontmatter":"{\"count\":5}"}"#, None),
    (r#"{"path":"front.md","frontmatter":"nothing"}"#, None),
    (r#"{"path":"front.md","frontmatter":[1]}"#, None),
    (r#"{"path":"front.md","frontmatter":null}"#, None),
    (r#"{"path":"front.md"}"#, None),
    (r#"{"path":"none.md","frontmatter":{"a":1}}"#, None),
    (r#"{"path":"sub","frontmatter":{"a":1}}"#, None),
    (r#"{"path":"image.png","frontmatter":{"a":1}}"#, None),
    (r#"{"path":"../outside.md","frontmatter":{"a":1}}"#, None),
    (r#"{"frontmatter":{"a":1}}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":"front.md","frontmatter":{"a":1},"merge":"no"}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"path":"crlf.md","frontmatter":{"a":1}}"#, Some(&d::LINE_ENDS)),
];

/// What setting one key does to the wild notes.
fn update_wild(path: &str) -> Option<&'static Difference> {
    match path {
        "wild/bom.md" | "wild/bom-plain.md" => Some(&d::MARK),
        "wild/crlf-front.md" | "wild/comments.md" | "wild/blank-block.md" => Some(&d::UNTOUCHED),
        "wild/open.md" => Some(&d::OPEN_BLOCK),
        "wild/json.md" => Some(&d::UNUSUAL_LAYOUT),
        "wild/no-end.md" => Some(&d::FINAL_LINE_END),
        _ => None,
    }
}

const TAGS: &[Row] = &[
    (r#"{"path":"front-list.md","operation":"list"}"#, None),
    (r#"{"path":"tags.md","operation":"list"}"#, Some(&d::TAGS)),
    (r#"{"path":"plain.md","operation":"list"}"#, None),
    (r#"{"path":"front.md","operation":"list"}"#, None),
    (r#"{"path":"wild/tags-in-code.md","operation":"list"}"#, Some(&d::TAGS)),
    (r#"{"path":"wild/tags-text.md","operation":"list"}"#, Some(&d::TAGS)),
    (r#"{"path":"wild/tags-hash.md","operation":"list"}"#, Some(&d::TAGS)),
    (r#"{"path":"plain.md","operation":"add","tags":["one"]}"#, None),
    (r#"{"path":"plain.md","operation":"add","tags":["one","two/three","标签"]}"#, None),
    (r#"{"path":"plain.md","operation":"add","tags":[]}"#, None),
    (r#"{"path":"plain.md","operation":"add"}"#, None),
    (r#"{"path":"front.md","operation":"add","tags":["one"]}"#, None),
    (r#"{"path":"front.md","operation":"remove","tags":["one"]}"#, None),
    (r#"{"path":"front-list.md","operation":"add","tags":["three"]}"#, Some(&d::TAGS_STAY_IN_THE_TEXT)),
    (r#"{"path":"front-list.md","operation":"add","tags":["one"]}"#, Some(&d::TAGS_STAY_IN_THE_TEXT)),
    (r#"{"path":"front-list.md","operation":"remove","tags":["one"]}"#, Some(&d::TAGS_STAY_IN_THE_TEXT)),
    (r#"{"path":"search/beta.md","operation":"add","tags":["plant"]}"#, None),
    (r#"{"path":"search/beta.md","operation":"add","tags":["animal"]}"#, None),
    (r#"{"path":"search/beta.md","operation":"remove","tags":["animal"]}"#, None),
    (r#"{"path":"search/beta.md","operation":"remove","tags":["other"]}"#, None),
    (r##"{"path":"search/beta.md","operation":"add","tags":["#hash"]}"##, Some(&d::TAGS)),
    (r#"{"path":"none.md","operation":"list"}"#, None),
    (r#"{"path":"none.md","operation":"add","tags":["x"]}"#, None),
    (r#"{"path":"sub","operation":"list"}"#, None),
    (r#"{"path":"image.png","operation":"list"}"#, None),
    (r#"{"path":"../outside.md","operation":"list"}"#, None),
    (r#"{"path":"plain.md","operation":"zzz","tags":["x"]}"#, Some(&d::UNKNOWN_WORDS)),
    (r#"{"path":"plain.md"}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"path":"plain.md","operation":"add","tags":"x"}"#, Some(&d::UNKNOWN_WORDS)),
];

const MOVE_NOTE: &[Row] = &[
    (r#"{"oldPath":"plain.md","newPath":"new.md"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"deep/new/name.md"}"#, None),
    (r#"{"oldPath":" /plain.md","newPath":"./sub/new.md"}"#, None),
    (r#"{"oldPath":"<vault>/plain.md","newPath":"<vault>/sub/new.md"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"front.md"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"front.md","overwrite":false}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"front.md","overwrite":true}"#, None),
    (r#"{"oldPath":"names/Case.md","newPath":"names/CASE.md"}"#, None),
    (r#"{"oldPath":"names/Case.md","newPath":"names/case.md"}"#, None),
    (r#"{"oldPath":"names/Case.md","newPath":"names/case.md","overwrite":true}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"new"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"new.txt"}"#, None),
    (r#"{"oldPath":"wild/bom.md","newPath":"new.md"}"#, None),
    (r#"{"oldPath":"wild/crlf-front.md","newPath":"new.md"}"#, None),
    (r#"{"oldPath":"wild/invalid.md","newPath":"new.md"}"#, Some(&d::INVALID_UTF8)),
    (r#"{"oldPath":"plain.md","newPath":"plain.md"}"#, Some(&d::ONTO_ITSELF)),
    (r#"{"oldPath":"plain.md","newPath":"plain.md","overwrite":true}"#, Some(&d::ONTO_ITSELF)),
    (r#"{"oldPath":"plain.md","newPath":"sub/../plain.md","overwrite":true}"#, Some(&d::ONTO_ITSELF)),
    (r#"{"oldPath":"wild/cafe\u0301.md","newPath":"wild/caf\u00e9.md"}"#, None),
    (r#"{"oldPath":"wild/caf\u00e9.md","newPath":"new.md"}"#, Some(&d::UNICODE_FORMS)),
    (r#"{"oldPath":"none.md","newPath":"new.md"}"#, None),
    (r#"{"oldPath":"none.md","newPath":"deep/new.md"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"sub"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"image.png"}"#, None),
    (r#"{"oldPath":"image.png","newPath":"new.md"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":".hidden/new.md"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"../new.md"}"#, None),
    (r#"{"oldPath":"../outside.md","newPath":"new.md"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"links/outside.md"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"links/out-folder/new.md"}"#, None),
    (r#"{"oldPath":"plain.md","newPath":"front.md/new.md"}"#, None),
    (r#"{"oldPath":"plain.md"}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"newPath":"plain.md"}"#, Some(&d::MISSING_ARGUMENTS)),
    (r#"{"oldPath":"plain.md","newPath":"front.md","overwrite":"yes"}"#, Some(&d::UNKNOWN_WORDS)),
];

const MOVE_FILE: &[Row] = &[
    (
        r#"{"oldPath":"image.png","newPath":"new.png","confirmOldPath":"image.png","confirmNewPath":"new.png"}"#,
        None,
    ),
    (
        r#"{"oldPath":"image.png","newPath":"deep/new.png","confirmOldPath":" image.png","confirmNewPath":"/deep/new.png"}"#,
        None,
    ),
    (
        r#"{"oldPath":"image.png","newPath":"data.json","confirmOldPath":"image.png","confirmNewPath":"data.json"}"#,
        None,
    ),
    (
        r#"{"oldPath":"image.png","newPath":"data.json","confirmOldPath":"image.png","confirmNewPath":"data.json","overwrite":true}"#,
        None,
    ),
    (
        r#"{"oldPath":"plain.md","newPath":"new.md","confirmOldPath":"plain.md","confirmNewPath":"new.md"}"#,
        None,
    ),
    (
        r#"{"oldPath":"wild/invalid.md","newPath":"new.bin","confirmOldPath":"wild/invalid.md","confirmNewPath":"new.bin"}"#,
        None,
    ),
    (
        r#"{"oldPath":"image.png","newPath":"new.png","confirmOldPath":"other.png","confirmNewPath":"new.png"}"#,
        None,
    ),
    (
        r#"{"oldPath":"image.png","newPath":"new.png","confirmOldPath":"image.png","confirmNewPath":"other.png"}"#,
        None,
    ),
    (
        r#"{"oldPath":"none.png","newPath":"new.png","confirmOldPath":"none.png","confirmNewPath":"new.png"}"#,
        None,
    ),
    (r#"{"oldPath":"sub","newPath":"sub2","confirmOldPath":"sub","confirmNewPath":"sub2"}"#, None),
    (r#"{"oldPath":"image.png","newPath":"sub","confirmOldPath":"image.png","confirmNewPath":"sub"}"#, None),
    (
        r#"{"oldPath":"image.png","newPath":"sub","confirmOldPath":"image.png","confirmNewPath":"sub","overwrite":true}"#,
        None,
    ),
    (
        r#"{"oldPath":"image.png","newPath":".hidden","confirmOldPath":"image.png","confirmNewPath":".hidden"}"#,
        None,
    ),
    (
        r#"{"oldPath":".obsidian/app.json","newPath":"app.json","confirmOldPath":".obsidian/app.json","confirmNewPath":"app.json"}"#,
        None,
    ),
    (
        r#"{"oldPath":"image.png","newPath":"../new.png","confirmOldPath":"image.png","confirmNewPath":"../new.png"}"#,
        None,
    ),
    (
        r#"{"oldPath":"image.png","newPath":"image.png","confirmOldPath":"image.png","confirmNewPath":"image.png"}"#,
        Some(&d::ONTO_ITSELF),
    ),
    (
        r#"{"oldPath":"image.png","newPath":"image.png","confirmOldPath":"image.png","confirmNewPath":"image.png","overwrite":true}"#,
        Some(&d::ONTO_ITSELF),
    ),
    (
        r#"{"oldPath":"links/inside.md","newPath":"links/renamed.md","confirmOldPath":"links/inside.md","confirmNewPath":"links/renamed.md"}"#,
        None,
    ),
    (
        r#"{"oldPath":"links/absolute.md","newPath":"sub/abs.md","confirmOldPath":"links/absolute.md","confirmNewPath":"sub/abs.md"}"#,
        None,
    ),
    (
        r#"{"oldPath":"links/inside.md","newPath":"deep/er/still.md","confirmOldPath":"links/inside.md","confirmNewPath":"deep/er/still.md"}"#,
        Some(&d::LINKS_MOVE),
    ),
    (
        r#"{"oldPath":"image.png","newPath":"data.json/x.png","confirmOldPath":"image.png","confirmNewPath":"data.json/x.png"}"#,
        None,
    ),
    (r#"{"oldPath":"image.png","newPath":"new.png"}"#, Some(&d::MISSING_ARGUMENTS)),
];

fn one_key_set() -> Vec<Case> {
    let notes = WILD.iter().filter(|(path, _)| !path.contains("..dots") && !path.contains("cafe"));
    let case = |(path, _): &(&str, &str)| Case {
        calls: vec![("update_frontmatter".into(), json!({"path": path, "frontmatter": {"key": "value"}}))],
        differs: update_wild(path),
    };
    notes.map(case).collect()
}

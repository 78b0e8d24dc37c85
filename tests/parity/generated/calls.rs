//! Random calls on a vault.

use serde_json::{Value, json};

use super::dice::Dice;
use super::notes::{self, PATHS};
use crate::tree::{Node, Tree};

/// Paths that are given, though they may not be there, or not allowed.
const STRANGE: &[&str] = &[
    "none.md",
    "sub",
    "",
    "/",
    "../x.md",
    "sub/../../x.md",
    ".hidden.md",
    ".obsidian/app.json",
    "a.md/x.md",
    "./a.md",
    "/a.md",
    "sub//a.md",
    "a.md/",
    "<vault>/a.md",
    " a.md ",
    "sub\\a.md",
    "img.png/",
    "nul.md",
    "Caf\u{e9}.md",
    "..dots/new.md",
    "link.md",
    "new/folder/n.md",
];

fn path(dice: &mut Dice, vault: &Tree) -> String {
    let there: Vec<&str> = vault
        .iter()
        .filter(|(_, node)| !matches!(node, Node::Folder))
        .map(|(path, _)| path.as_str())
        .collect();
    match dice.below(10) {
        0 => dice.pick(STRANGE).to_owned(),
        1 | 2 => dice.pick(PATHS).to_owned(),
        _ if there.is_empty() => "none.md".to_owned(),
        _ => dice.pick(&there).to_owned(),
    }
}

pub fn call(dice: &mut Dice, vault: &Tree) -> (&'static str, Value) {
    let path = path(dice, vault);
    let other = self::path(dice, vault);
    let pretty = dice.in_a_hundred(30);
    match dice.below(24) {
        0 => ("read_note", json!({"path": path, "prettyPrint": pretty})),
        1 => ("get_frontmatter", json!({"path": path, "prettyPrint": pretty})),
        2 => {
            let mut bound = |from: i64| dice.below(12) as i64 + from;
            ("read_note_lines", json!({"path": path, "startLine": bound(-2), "endLine": bound(-1)}))
        }
        3 => ("get_note_outline", json!({"path": path, "prettyPrint": pretty})),
        4 => ("get_notes_info", json!({"paths": [path, other], "prettyPrint": pretty})),
        5 => {
            let mut flag = || dice.in_a_hundred(60);
            let (content, frontmatter) = (flag(), flag());
            (
                "read_multiple_notes",
                json!({"paths": [path, other], "includeContent": content, "includeFrontmatter": frontmatter}),
            )
        }
        6 => {
            let folders = [
                "",
                "/",
                "sub",
                "sub/deep",
                "笔记",
                "none",
                "a.md",
                "1. Project",
                "v1.2",
                ".obsidian",
                "folder.md",
                ".",
            ];
            ("list_directory", json!({"path": dice.pick(&folders)}))
        }
        7 => ("get_vault_stats", json!({"recentCount": dice.below(6)})),
        8 => ("list_all_tags", json!({"prettyPrint": pretty})),
        9 => {
            let links = [
                "a",
                "b",
                "[[Note]]",
                "note",
                "sub/a",
                "日",
                "none",
                "[[c|C]]",
                "[[a#Heading]]",
                "été",
                "in",
                "Caf\u{e9}",
                "[[c\\|C]]",
                "..",
                "NOTE",
            ];
            ("wiki_link", json!({"document": dice.pick(&links)}))
        }
        10 | 11 => ("search_notes", search(dice)),
        12..=14 => ("write_note", write(dice, path)),
        15 | 16 => ("patch_note", patch(dice, path)),
        17 => {
            let merge = dice.in_a_hundred(70);
            ("update_frontmatter", json!({"path": path, "frontmatter": properties(dice), "merge": merge}))
        }
        18 => {
            let operation = dice.pick(&["add", "remove", "list"]);
            let tag = dice.pick(&["one", "two/three", "新", "tag"]);
            ("manage_tags", json!({"path": path, "operation": operation, "tags": [tag]}))
        }
        19 => ("move_note", json!({"oldPath": path, "newPath": other, "overwrite": dice.in_a_hundred(50)})),
        20 => (
            "move_file",
            json!({"oldPath": path, "newPath": other, "confirmOldPath": path, "confirmNewPath": other, "overwrite": dice.in_a_hundred(50)}),
        ),
        21 => ("delete_note", json!({"path": path, "confirmPath": other})),
        _ => {
            let mode = dice.pick(&["none", "local", "system"]);
            ("delete_note", json!({"path": path, "confirmPath": path, "trashMode": mode}))
        }
    }
}

fn search(dice: &mut Dice) -> Value {
    let queries = [
        "fox",
        "FOX",
        "quick brown",
        "天气",
        "x",
        "Heading",
        "a.c",
        "[y]",
        "party",
        "note",
        "words here",
        "title",
        "é",
        "none of it",
        "in",
        "fox fox",
    ];
    let limit = [20, 20, 20, 5, 1, 0, -1][dice.below(7)];
    let mut arguments = json!({
        "query": dice.pick(&queries),
        "limit": limit,
        "caseSensitive": dice.in_a_hundred(30),
    });
    if dice.in_a_hundred(30) {
        arguments["searchFrontmatter"] = true.into();
        arguments["searchContent"] = dice.in_a_hundred(50).into();
    }
    if dice.in_a_hundred(20) {
        arguments["pathPrefix"] = dice.pick(&["sub", "/sub/", "su", "sub/deep", "./sub", "v1.2"]).into();
    }
    if dice.in_a_hundred(20) {
        arguments["excludePaths"] = json!([dice.pick(&["sub", "a.md", "", "/sub/deep/", "./sub"])]);
    }
    arguments
}

fn write(dice: &mut Dice, path: String) -> Value {
    let mode = dice.pick(&["overwrite", "append", "prepend"]);
    let mut arguments = json!({"path": path, "content": notes::body(dice), "mode": mode});
    if dice.in_a_hundred(30) {
        arguments["frontmatter"] = properties(dice);
    }
    arguments
}

fn patch(dice: &mut Dice, path: String) -> Value {
    let old = dice.pick(&[
        "fox",
        "x",
        "Some words here.",
        "# Heading",
        "text",
        "\n\n",
        "here.\n",
        "title",
        "FOX",
        "🎉",
        "none",
        " ",
        "x x",
    ]);
    let new = dice.pick(&["", "replaced", "$& $1", "two\nlines", "笔记", "fox"]);
    json!({"path": path, "oldString": old, "newString": new, "replaceAll": dice.in_a_hundred(50)})
}

pub const LONG: &str =
    "a text of more than eighty characters, which is folded to several lines by one of the two";

fn properties(dice: &mut Dice) -> Value {
    let mut properties = json!({});
    for _ in 0..dice.below(3) {
        let value = match dice.below(9) {
            0 => json!("text"),
            1 => json!(dice.below(100)),
            2 => json!(["one", "two"]),
            3 => json!("with: colon"),
            4 => json!(true),
            5 => json!("two\nlines"),
            6 => json!(LONG),
            7 => Value::Null,
            _ => json!({"inner": [1, "x"]}),
        };
        properties[dice.pick(&["title", "count", "new", "更新"])] = value;
    }
    properties
}

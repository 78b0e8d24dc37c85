//! Generated cases: random vaults, and random calls on them in a row.
//!
//! `NOTEGATE_PARITY_CASES` says how many (2,000 if it is not set), `NOTEGATE_PARITY_SEED` which. Where the
//! engines differ, the state of the note before the call must explain it by a listed difference; how often
//! each explained one is printed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::differences::Difference;
use super::differences::differences as d;
use super::tree::{Node, Tree};
use super::twins::Twins;

#[test]
fn random_calls_on_random_vaults() {
    let number =
        |name: &str, default| std::env::var(name).map_or(default, |text| text.parse::<u64>().expect(name));
    let (cases, seed) = (number("NOTEGATE_PARITY_CASES", 2_000), number("NOTEGATE_PARITY_SEED", 20_260_101));
    let mut twins = Twins::new();
    let mut explained: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut calls, mut failures) = (0, Vec::new());
    for case in 0..cases {
        let mut dice = Dice(seed.wrapping_add(case.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        twins.fill(&vault(&mut dice));
        let mut earlier = Vec::new();
        for _ in 0..=dice.below(3) {
            let before = twins.vault();
            let (tool, arguments) = call(&mut dice, &before);
            calls += 1;
            let Some(found) = twins.differ(tool, &arguments) else {
                earlier.push(tool);
                continue;
            };
            let explanation = explanation(tool, &arguments, &before).or_else(|| of_times(tool, &earlier));
            match explanation {
                Some(difference) => *explained.entry(difference.name).or_default() += 1,
                None => failures.push(format!("case {case}: {found}")),
            }
            break; // the vaults are no twins any more
        }
        if failures.len() > 20 {
            break;
        }
    }
    assert!(failures.is_empty(), "seed {seed}:\n\n{}", failures.join("\n\n"));
    println!("{calls} calls, explained differences: {explained:?}");
    let differing: u64 = explained.values().sum();
    assert!(differing * 4 < calls, "most calls must be the same: {differing} of {calls} differ");
}

/// Numbers from a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn in_a_hundred(&mut self, times: u64) -> bool {
        self.below(100) < times
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len() as u64) as usize]
    }
}

const PATHS: &[&str] = &[
    "a.md",
    "b.md",
    "Note.md",
    "note.md",
    "sub/a.md",
    "sub/deep/c.md",
    "sub/ d.md",
    "笔记/日.md",
    "été.md",
    "x.txt",
    "x.canvas",
    "noext",
    "1. Project/plan.md",
    "v1..v2.md",
    "100% #1.md",
    "🎉.md",
    "-dash.md",
    "img.png",
];

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
];

const KEYS: &[&str] = &["title", "count", "tags", "done", "aliases", "标题", "nested", "rating", "empty"];

const LINES: &[&str] = &[
    "Some words here.",
    "# Heading",
    "## Second ##",
    "",
    "- item",
    "  indented",
    "| a | b |",
    "[[Note|Alias]]",
    "今天天气很好。",
    "```",
    "~~~",
    "the quick brown fox",
    "Fox, fox and FOX.",
    "> quote",
    "---",
    "$& $1 \\n",
    "trailing  ",
    "\ttab",
    "é ü ß",
    "🎉 party",
    "1. one",
    "x x x",
    "Setext",
    "===",
    "<!-- comment -->",
    "a.c (x) [y]",
];

const TAGGED: &[&str] = &["#tag here", "text #one/two", "`#code`", "http://x.y/#frag", "#123 #日本"];

fn vault(dice: &mut Dice) -> Tree {
    let mut tree = Tree::new();
    for _ in 0..1 + dice.below(8) {
        tree.insert(dice.pick(PATHS).to_owned(), Node::File(note(dice)));
    }
    if dice.in_a_hundred(20) {
        tree.insert(".obsidian/app.json".into(), Node::File(b"{}".to_vec()));
        tree.insert(".hidden.md".into(), Node::File(b"fox".to_vec()));
    }
    if dice.in_a_hundred(10) {
        tree.insert("empty folder".into(), Node::Folder);
    }
    tree
}

fn note(dice: &mut Dice) -> Vec<u8> {
    let mut text = String::new();
    if dice.in_a_hundred(50) {
        text += &frontmatter(dice);
    }
    text += &body(dice);
    if dice.in_a_hundred(8) {
        text = text.replace('\n', "\r\n");
    }
    if dice.in_a_hundred(5) {
        text.insert(0, '\u{feff}');
    }
    let mut bytes = text.into_bytes();
    if dice.in_a_hundred(4) {
        bytes.extend_from_slice(b"\xff\xfe");
    }
    bytes
}

fn frontmatter(dice: &mut Dice) -> String {
    let mut block = String::from("---\n");
    let mut used = Vec::new();
    for _ in 0..dice.below(5) {
        let key = dice.pick(KEYS);
        if used.contains(&key) {
            continue;
        }
        used.push(key);
        let value = match key {
            "count" | "rating" => dice.pick(&[" 3", " 0", " -7", " 1.5", " 2024"]),
            "done" => dice.pick(&[" true", " false"]),
            "tags" => dice.pick(&["\n  - one", "\n  - one\n  - two/three", " []", "\n  - 标签"]),
            "aliases" => dice.pick(&[" []", "\n  - An alias"]),
            "nested" => dice.pick(&["\n  a: 1", "\n  a:\n    - x\n    - y: 2", " {}"]),
            "empty" => dice.pick(&[" null", " \"\""]),
            _ => dice.pick(&[
                " Plain text",
                " \"with: colon\"",
                " \"[[Link]]\"",
                " \"# hash\"",
                " 笔记",
                " yes",
                " 2024-01-02",
                " \"007\"",
                " |\n  two\n  lines",
            ]),
        };
        block += &format!("{key}:{value}\n");
    }
    if dice.in_a_hundred(10) {
        block += dice.pick(&[
            "# a comment\n",
            "quirk: 'single'\n",
            "quirk: [a,b]\n",
            "quirk:   wide\n",
            "broken: a: b\n",
        ]);
    }
    if dice.in_a_hundred(4) { block } else { block + "---\n" }
}

fn body(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(8) {
        text += if dice.in_a_hundred(6) { dice.pick(TAGGED) } else { dice.pick(LINES) };
        text.push('\n');
    }
    if dice.in_a_hundred(20) {
        text.pop();
    }
    text
}

fn path(dice: &mut Dice, vault: &Tree) -> String {
    let there: Vec<&str> = vault
        .iter()
        .filter(|(_, node)| matches!(node, Node::File(_)))
        .map(|(path, _)| path.as_str())
        .collect();
    match dice.below(10) {
        0 => dice.pick(STRANGE).to_owned(),
        1 | 2 => dice.pick(PATHS).to_owned(),
        _ if there.is_empty() => "none.md".to_owned(),
        _ => dice.pick(&there).to_owned(),
    }
}

fn call(dice: &mut Dice, vault: &Tree) -> (&'static str, Value) {
    let path = path(dice, vault);
    let other = self::path(dice, vault);
    let pretty = dice.in_a_hundred(30);
    match dice.below(24) {
        0 => ("read_note", json!({"path": path, "prettyPrint": pretty})),
        1 => ("get_frontmatter", json!({"path": path, "prettyPrint": pretty})),
        2 => (
            "read_note_lines",
            json!({"path": path, "startLine": dice.below(9) as i64 - 2, "endLine": dice.below(12) as i64 - 2}),
        ),
        3 => ("get_note_outline", json!({"path": path, "prettyPrint": pretty})),
        4 => ("get_notes_info", json!({"paths": [path, other], "prettyPrint": pretty})),
        5 => (
            "read_multiple_notes",
            json!({"paths": [path, other], "includeContent": dice.in_a_hundred(60), "includeFrontmatter": dice.in_a_hundred(60)}),
        ),
        6 => (
            "list_directory",
            json!({"path": dice.pick(&["", "/", "sub", "sub/deep", "笔记", "none", "a.md", "1. Project"])}),
        ),
        7 => ("get_vault_stats", json!({"recentCount": dice.below(6)})),
        8 => ("list_all_tags", json!({"prettyPrint": pretty})),
        9 => (
            "wiki_link",
            json!({"document": dice.pick(&["a", "b", "[[Note]]", "note", "sub/a", "日", "none", "[[c|C]]", "[[a#Heading]]", "été"])}),
        ),
        10 | 11 => ("search_notes", search(dice)),
        12..=14 => ("write_note", write(dice, path)),
        15 | 16 => {
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
            ]);
            let new = dice.pick(&["", "replaced", "$& $1", "two\nlines", "笔记"]);
            (
                "patch_note",
                json!({"path": path, "oldString": old, "newString": new, "replaceAll": dice.in_a_hundred(50)}),
            )
        }
        17 => (
            "update_frontmatter",
            json!({"path": path, "frontmatter": properties(dice), "merge": dice.in_a_hundred(70)}),
        ),
        18 => (
            "manage_tags",
            json!({"path": path, "operation": dice.pick(&["add", "remove", "list"]), "tags": [dice.pick(&["one", "two/three", "新"])]}),
        ),
        19 => ("move_note", json!({"oldPath": path, "newPath": other, "overwrite": dice.in_a_hundred(50)})),
        20 => (
            "move_file",
            json!({"oldPath": path, "newPath": other, "confirmOldPath": path, "confirmNewPath": other, "overwrite": dice.in_a_hundred(50)}),
        ),
        21 => ("delete_note", json!({"path": path, "confirmPath": other})),
        _ => (
            "delete_note",
            json!({"path": path, "confirmPath": path, "trashMode": dice.pick(&["none", "local", "system"])}),
        ),
    }
}

fn search(dice: &mut Dice) -> Value {
    let mut arguments = json!({
        "query": dice.pick(&["fox", "FOX", "quick brown", "天气", "x", "Heading", "a.c", "[y]", "party", "note", "words here", "title", "é", "none of it"]),
        "limit": 20,
        "caseSensitive": dice.in_a_hundred(30),
    });
    if dice.in_a_hundred(30) {
        arguments["searchFrontmatter"] = true.into();
        arguments["searchContent"] = dice.in_a_hundred(50).into();
    }
    if dice.in_a_hundred(20) {
        arguments["pathPrefix"] = dice.pick(&["sub", "/sub/", "su", "sub/deep"]).into();
    }
    if dice.in_a_hundred(20) {
        arguments["excludePaths"] = json!([dice.pick(&["sub", "a.md", "", "/sub/deep/"])]);
    }
    arguments
}

fn write(dice: &mut Dice, path: String) -> Value {
    let mut arguments =
        json!({"path": path, "content": body(dice), "mode": dice.pick(&["overwrite", "append", "prepend"])});
    if dice.in_a_hundred(30) {
        arguments["frontmatter"] = properties(dice);
    }
    arguments
}

fn properties(dice: &mut Dice) -> Value {
    let mut properties = json!({});
    for _ in 0..dice.below(3) {
        properties[dice.pick(&["title", "count", "new", "更新"])] = match dice.below(6) {
            0 => json!("text"),
            1 => json!(dice.below(100)),
            2 => json!(["one", "two"]),
            3 => json!("with: colon"),
            4 => json!(true),
            _ => json!({"inner": [1, "x"]}),
        };
    }
    properties
}

/// Which listed difference the state before a call accounts for.
fn explanation(tool: &str, arguments: &Value, before: &Tree) -> Option<&'static Difference> {
    let name = |argument: &str| arguments[argument].as_str().map(plain).unwrap_or_default();
    let given = if tool.starts_with("move_") { name("oldPath") } else { name("path") };
    let note = match before.get(&given) {
        Some(Node::File(bytes)) => bytes.as_slice(),
        _ => b"",
    };
    let text = String::from_utf8_lossy(note);
    let adds = tool == "write_note" && arguments["mode"] != "overwrite";
    let edits = adds
        || matches!(tool, "patch_note" | "update_frontmatter")
        || (tool == "manage_tags" && arguments["operation"] != "list");
    let rewrites = edits && tool != "patch_note";
    let some_note = |holds: &dyn Fn(&str) -> bool| {
        before
            .values()
            .any(|node| matches!(node, Node::File(bytes) if holds(&String::from_utf8_lossy(bytes))))
    };
    let is_open =
        |text: &str| text.trim_start_matches('\u{feff}').starts_with("---") && !text[3..].contains("\n---");
    let has_mark = |text: &str| text.starts_with('\u{feff}');
    let has_crlf_block = |text: &str| text.contains("\r\n---");
    let content = arguments["content"].as_str();
    let searches = tool == "search_notes";
    let missing = !matches!(before.get(&given), Some(Node::File(_)));
    let deletes = |mode: &str| tool == "delete_note" && arguments["trashMode"] == mode;
    let has_quirk =
        ["\r", "quirk", "# a comment", "---\n---", "tags: []"].iter().any(|quirk| text.contains(quirk));
    let sets =
        tool == "update_frontmatter" || tool == "manage_tags" || arguments.get("frontmatter").is_some();
    let ends_openly =
        (edits && !text.ends_with('\n')) || content.is_some_and(|content| !content.ends_with('\n'));
    let rules = [
        (tool.starts_with("move_") && given == name("newPath"), &d::ONTO_ITSELF),
        (deletes("system") && missing, &d::TRASH_WITHOUT_A_NOTE),
        (deletes("local") && missing, &d::NO_EMPTY_FOLDERS),
        (deletes("local") && before.contains_key(".trash"), &d::TRASH_NUMBERS),
        ((edits || tool == "move_note") && std::str::from_utf8(note).is_err(), &d::INVALID_UTF8),
        (tool == "patch_note" && text.contains("\r\n"), &d::PATCH_LINE_ENDS),
        (tool == "list_all_tags" && some_note(&|text| text.contains('#')), &d::TAGS),
        (tool == "manage_tags" && text.contains('#'), &d::TAGS),
        (tool == "wiki_link", &d::WIKI_NAMES),
        ((rewrites && has_mark(&text)) || (searches && some_note(&has_mark)), &d::MARK),
        (
            tool != "patch_note"
                && (some_note(&is_open) || content.is_some_and(|content| content.starts_with("---"))),
            &d::OPEN_BLOCK,
        ),
        (rewrites && text.contains("broken: a: b"), &d::BROKEN_FRONTMATTER),
        (rewrites && (has_quirk || arguments["merge"] == false), &d::UNTOUCHED),
        (
            tool == "get_notes_info" && some_note(&|text| text.contains("---\r\n") || has_mark(text)),
            &d::OPENING,
        ),
        (!searches && some_note(&has_crlf_block), &d::CRLF_VALUES),
        (
            searches && some_note(&|text| has_crlf_block(text) || text.contains("---\n---")),
            &d::SEARCHED_FRONTMATTER,
        ),
        (sets && ends_openly, &d::FINAL_LINE_END),
    ];
    rules.into_iter().find(|(holds, _)| *holds).map(|(_, difference)| difference)
}

/// What earlier calls account for: times that only one of the engines changed.
fn of_times(tool: &str, earlier: &[&str]) -> Option<&'static Difference> {
    let shows_times = matches!(tool, "get_vault_stats" | "get_notes_info");
    let keeps_times = |tool: &&str| matches!(*tool, "update_frontmatter" | "manage_tags" | "move_note");
    (shows_times && earlier.iter().any(keeps_times)).then_some(&d::TIMES)
}

/// A path as it is meant.
fn plain(path: &str) -> String {
    let path = path.trim().trim_start_matches("<vault>").trim_start_matches("./").trim_matches('/');
    path.replace("//", "/")
}

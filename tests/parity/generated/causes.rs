//! The causes of listed differences, as far as generated cases meet them, each with a repair that takes it away
//! from a vault or a call, and nothing else.

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

use super::Setting;
use super::calls::LONG;
use super::promises::found;
use crate::differences::{self as d, Difference};
use crate::tree::{Node, Tree};
use crate::twins::Twins;

pub struct Cause {
    pub difference: &'static Difference,
    /// It may make the difference between done and refused.
    pub flags: bool,
    /// The same without the cause; unchanged where the cause is not there.
    pub repair: fn(&Setting, &mut Twins) -> Setting,
}

const fn cause(
    difference: &'static Difference,
    flags: bool,
    repair: fn(&Setting, &mut Twins) -> Setting,
) -> Cause {
    Cause { difference, flags, repair }
}

/// MCPVault's own writing is the last of them: it is what remains when all else is as it has it.
pub const CAUSES: &[Cause] = &[
    cause(&d::INVALID_UTF8, true, |s, _| {
        let mut s = s.clone();
        for node in s.vault.values_mut() {
            if let Node::File(bytes) = node {
                *bytes = String::from_utf8_lossy(bytes).into_owned().into_bytes();
            }
        }
        s
    }),
    // paths
    cause(&d::TWO_DOTS, true, |s, _| renamed(s, |path| path.replace("..dots", "dots"))),
    cause(&d::UNICODE_FORMS, true, |s, _| renamed(s, |path| path.nfc().collect())),
    cause(&d::FOLDERS_BY_NAME, true, |s, _| match s.tool {
        "wiki_link" | "list_all_tags" | "get_vault_stats" | "search_notes" => {
            renamed(s, |path| path.replace("v1.2", "v12"))
        }
        _ => s.clone(),
    }),
    cause(&d::BACKSLASHES, true, |s, _| with_paths(s, |path| path.replace('\\', "/"))),
    cause(&d::SLASH_AT_THE_END, true, |s, _| with_paths(s, |path| path.replace("img.png/", "img.png"))),
    cause(&d::DEVICES, true, |s, _| with_paths(s, |path| path.replace("nul.md", "nil.md"))),
    cause(&d::HIDDEN_FOLDERS, true, |s, _| match s.tool {
        "list_directory" => with_paths(s, |path| path.replace(".obsidian", "sub")),
        _ => s.clone(),
    }),
    cause(&d::LINKS_OUTSIDE, true, |s, _| linked(s, &["../new.md"])),
    cause(&d::LINKS_TO_HIDDEN, true, |s, _| linked(s, &[".obsidian/app.json"])),
    cause(&d::LINKS_MOVE, true, |s, _| match s.tool {
        "move_note" | "move_file" => linked(s, &["a.md", "<vault>/sub/a.md", "nothing.md"]),
        _ => s.clone(),
    }),
    cause(&d::DANGLING_LINKS, true, |s, _| {
        let mut s = s.clone();
        if s.vault.values().any(|node| matches!(node, Node::Link(target) if target == "<vault>/sub/a.md")) {
            s.vault.entry("sub".into()).or_insert(Node::Folder);
        }
        s
    }),
    cause(&d::ONTO_ITSELF, true, |s, _| {
        let mut s = s.clone();
        if s.tool.starts_with("move_") && found(&s, "oldPath") == found(&s, "newPath") {
            for name in ["newPath", "confirmNewPath"] {
                s.arguments[name] = "another name.md".into();
            }
        }
        s
    }),
    // the trash
    cause(&d::TRASH_WITHOUT_A_NOTE, true, |s, _| with_note_to_delete(s, "system")),
    cause(&d::NO_EMPTY_FOLDERS, false, |s, _| {
        let mut s = s.clone();
        if s.tool == "delete_note" && s.arguments["trashMode"] == "local" {
            let path = format!(".trash/{}", found(&s, "path").unwrap_or_default());
            for (at, _) in path.match_indices('/') {
                s.vault.entry(path[..at].to_owned()).or_insert(Node::Folder);
            }
        }
        s
    }),
    cause(&d::TRASH_NUMBERS, false, |s, _| {
        let mut s = s.clone();
        s.vault.retain(|path, _| !path.starts_with(".trash"));
        s
    }),
    cause(&d::TIMES, false, |s, _| match s.tool {
        "get_vault_stats" | "get_notes_info" => Setting { used: false, ..s.clone() },
        _ => s.clone(),
    }),
    // searching and links
    cause(&d::NEGATIVE_LIMIT, false, |s, _| with_argument(s, "limit", &json!(-1), json!(20))),
    cause(&d::REPEATED_WORDS, false, |s, _| with_argument(s, "query", &json!("fox fox"), json!("fox"))),
    cause(&d::SUBTREES, false, |s, _| match s.tool {
        "search_notes" => with_texts(s, |text| text.replace("./sub", "sub")),
        _ => s.clone(),
    }),
    cause(&d::EXCERPTS, false, |s, _| match s.tool {
        "search_notes" => with_notes(s, |text| text.replace('🎉', "qq")),
        _ => s.clone(),
    }),
    cause(&d::WIKI_NAMES, true, |s, _| without_other_spellings(s)),
    // bytes of notes
    cause(&d::MARK, false, |s, _| if s.writes() { without_mark(s) } else { s.clone() }),
    cause(
        &d::OPENING,
        false,
        |s, _| if s.tool == "get_notes_info" { lf(&without_mark(s)) } else { s.clone() },
    ),
    cause(&d::OUTLINE, false, |s, _| match s.tool {
        "get_note_outline" => with_notes(&closed(&without_mark(s)), |text| text.replace("```x```", "x")),
        _ => s.clone(),
    }),
    cause(&d::SEARCHED_FRONTMATTER, false, |s, _| match s.tool {
        "search_notes" => {
            with_notes(&lf(&without_mark(s)), |text| text.replace("---\n---\n", "---\nk: 1\n---\n"))
        }
        _ => s.clone(),
    }),
    cause(&d::CRLF_VALUES, false, |s, _| if s.writes() { s.clone() } else { lf(s) }),
    cause(&d::PATCH_LINE_ENDS, true, |s, _| if s.tool == "patch_note" { lf(s) } else { s.clone() }),
    cause(&d::LINE_ENDS, true, |s, _| if s.writes() && s.tool != "patch_note" { lf(s) } else { s.clone() }),
    cause(&d::FINAL_LINE_END, false, |s, _| {
        let mut s = with_notes(s, |text| match body_alone(text) {
            body if body.is_empty() => format!("{}\nbody\n", text.trim_end_matches('\n')),
            body if body.ends_with('\n') => text.to_owned(),
            _ => format!("{text}\n"),
        });
        let content = s.arguments.get("content").and_then(Value::as_str);
        if let Some(content) = content.filter(|text| body_alone(text).is_empty() || !text.ends_with('\n')) {
            s.arguments["content"] = format!("{content}\nbody\n").into();
        }
        s
    }),
    // frontmatter
    cause(&d::OPEN_BLOCK, true, |s, _| closed(s)),
    cause(&d::SECOND_BLOCK, true, |s, _| match s.writes() {
        true => with_notes(s, |text| match body_alone(text) {
            body if body.len() < text.len() && body.starts_with("---") => {
                format!("{}\n{body}", &text[..text.len() - body.len()])
            }
            _ => text.to_owned(),
        }),
        false => s.clone(),
    }),
    cause(&d::BROKEN_FRONTMATTER, true, with_valid_frontmatter),
    cause(&d::NOT_A_MAPPING, true, |s, _| without_odd_blocks(s)),
    cause(&d::UNUSUAL_LAYOUT, true, |s, _| without_odd_blocks(s)),
    cause(&d::EMPTY_BLOCK, false, |s, _| match s.tool {
        "manage_tags" => with_notes(s, |text| {
            text.replacen("---\n", "---\nkept: 1\n", usize::from(text.starts_with("---\n")))
        }),
        _ => s.clone(),
    }),
    cause(&d::REPLACED_KEYS, false, |s, _| match s.arguments["merge"] == false {
        true => with_notes(s, |text| body_alone(text)),
        false => s.clone(),
    }),
    cause(&d::KEY_ORDER, false, |s, _| {
        with_notes(s, |text| text.replace("\n2024: ", "\ny2024: ").replace("\n2024:\n", "\ny2024:\n"))
    }),
    cause(&d::LONG_NUMBERS, false, |s, _| {
        with_notes(s, |text| {
            ["123456789012345678901234567890", "12345678901234567890", "9007199254740993"]
                .iter()
                .fold(text.to_owned(), |text, number| text.replace(number, "17"))
        })
    }),
    cause(&d::LAST_LINES, false, |s, _| {
        with_notes(s, |text| text.replace("|+\n", "|\n").replace(">+\n", ">\n"))
    }),
    cause(&d::YAML_CORNERS, true, |s, _| with_notes(s, without_corners)),
    cause(&d::LINES_IN_PLACE, false, |s, _| with_texts(s, |text| text.replace("two\nlines", "two lines"))),
    cause(&d::FOLDED_LINES, false, |s, _| with_texts(s, |text| text.replace(LONG, "short"))),
    // tags
    cause(&d::TAGS, false, |s, _| without_doubtful_tags(s)),
    cause(&d::TAG_SPELLINGS, false, |s, _| match s.tool {
        "manage_tags" | "list_all_tags" => with_notes(s, |text| {
            let lines = text.split_inclusive('\n').map(|line| match line.strip_prefix("tags: ") {
                Some(tags) if !tags.starts_with('[') => format!("tagged: {tags}"),
                _ => line.replace("  - \"#one\"", "  - one"),
            });
            lines.collect()
        }),
        _ => s.clone(),
    }),
    cause(&d::DATA_FILES, false, |s, _| match s.tool {
        "list_all_tags" => renamed(s, |path| path.replace("x.canvas", "x.canvas.md")),
        _ => s.clone(),
    }),
    cause(&d::EMPTY_TAGS, false, |s, _| match s.arguments["operation"] == "remove" {
        true => with_notes(s, |text| text.replace("\ntags: []\n", "\n")),
        false => s.clone(),
    }),
    cause(&d::TAGS_STAY_IN_THE_TEXT, false, |s, _| match s.tool {
        "manage_tags" if s.writes() => with_notes(s, |text| {
            let at = text.len() - body_alone(text).len();
            format!("{}{}", &text[..at], text[at..].replace('#', ""))
        }),
        _ => s.clone(),
    }),
    cause(&d::UNTOUCHED, false, as_mcpvault_writes_it),
];

fn with_argument(setting: &Setting, name: &str, from: &Value, to: Value) -> Setting {
    let mut setting = setting.clone();
    if setting.arguments.get(name) == Some(from) {
        setting.arguments[name] = to;
    }
    setting
}

/// With each text among the arguments changed.
fn with_texts(setting: &Setting, change: impl Fn(&str) -> String) -> Setting {
    fn changed(value: &Value, change: &impl Fn(&str) -> String) -> Value {
        match value {
            Value::String(text) => change(text).into(),
            Value::Array(items) => items.iter().map(|item| changed(item, change)).collect(),
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| (name.clone(), changed(value, change))).collect()
            }
            other => other.clone(),
        }
    }
    Setting { arguments: changed(&setting.arguments, &change), ..setting.clone() }
}

/// With each path among the arguments changed.
fn with_paths(setting: &Setting, change: impl Fn(&str) -> String) -> Setting {
    let mut setting = setting.clone();
    for name in
        ["path", "confirmPath", "oldPath", "newPath", "confirmOldPath", "confirmNewPath", "paths", "document"]
    {
        match setting.arguments.get_mut(name) {
            Some(Value::String(path)) => *path = change(path),
            Some(Value::Array(paths)) => {
                for path in paths.iter_mut() {
                    *path = change(path.as_str().unwrap()).into();
                }
            }
            _ => {}
        }
    }
    setting
}

/// With each path changed, in the vault and in the call.
fn renamed(setting: &Setting, change: impl Fn(&str) -> String) -> Setting {
    let vault: Tree = setting.vault.iter().map(|(path, node)| (change(path), node.clone())).collect();
    Setting { vault, ..with_paths(setting, change) }
}

/// With the text of each note changed.
fn with_notes(setting: &Setting, change: impl Fn(&str) -> String) -> Setting {
    let mut setting = setting.clone();
    for node in setting.vault.values_mut() {
        if let Node::File(bytes) = node
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            let lf = text.replace("\r\n", "\n");
            let changed = change(&lf);
            if changed != lf {
                let ends = if lf == text { "\n" } else { "\r\n" };
                *bytes = changed.replace('\n', ends).into_bytes();
            }
        }
    }
    setting
}

fn without_mark(setting: &Setting) -> Setting {
    with_notes(setting, |text| text.trim_start_matches('\u{feff}').to_owned())
}

fn lf(setting: &Setting) -> Setting {
    let mut setting = setting.clone();
    for node in setting.vault.values_mut() {
        if let Node::File(bytes) = node
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            *bytes = text.replace("\r\n", "\n").into_bytes();
        }
    }
    setting
}

/// With a plain file in the place of a link to one of `targets`.
fn linked(setting: &Setting, targets: &[&str]) -> Setting {
    let mut setting = setting.clone();
    for node in setting.vault.values_mut() {
        if matches!(node, Node::Link(target) if targets.contains(&target.as_str())) {
            *node = Node::File(b"in place of a link\n".to_vec());
        }
    }
    setting
}

fn with_note_to_delete(setting: &Setting, mode: &str) -> Setting {
    let mut setting = setting.clone();
    if setting.tool == "delete_note"
        && setting.arguments["trashMode"] == mode
        && let Some(path) = found(&setting, "path").filter(|path| !path.is_empty())
    {
        setting.vault.entry(path).or_insert(Node::File(b"x".to_vec()));
    }
    setting
}

/// Without notes whose names a link fits in other case, another Unicode form, or with the ending.
fn without_other_spellings(setting: &Setting) -> Setting {
    let mut setting = setting.clone();
    if setting.tool == "wiki_link" {
        let given = setting.arguments["document"].as_str().unwrap().trim_matches(['[', ']']);
        let document = given.split(['|', '#', '\\']).next().unwrap_or_default().to_owned();
        let folded = |text: &str| text.nfc().collect::<String>().to_lowercase();
        setting.vault.retain(|path, _| {
            let stem = path.strip_suffix(".md").unwrap_or(path);
            let name = if document.contains('/') { stem } else { stem.rsplit('/').next().unwrap() };
            name == document || folded(name) != folded(&document)
        });
    }
    setting
}

fn opens(text: &str) -> Option<&str> {
    text.trim_start_matches('\u{feff}').strip_prefix("---")
}

/// With a blank line above what looks like a block but never closes.
fn closed(setting: &Setting) -> Setting {
    let close = |text: &str| match opens(text) {
        Some(rest) if !rest.contains("\n---") => format!("\n{text}"),
        _ => text.to_owned(),
    };
    let mut setting = with_notes(setting, close);
    if let Some(content) = setting.arguments.get("content").and_then(Value::as_str) {
        setting.arguments["content"] = close(content).into();
    }
    setting
}

/// The text without the block that it begins with.
fn body_alone(text: &str) -> String {
    let Some(rest) = opens(text) else { return text.to_owned() };
    let Some(end) = rest.find("\n---") else { return text.to_owned() };
    let behind = &rest[end + 4..];
    behind.trim_start_matches('\r').strip_prefix('\n').unwrap_or(behind).to_owned()
}

/// What MCPVault reads in each note, by its path. The notes stand under names that it takes.
fn read_by_mcpvault(vault: &Tree, twins: &mut Twins) -> Vec<(String, Value)> {
    let notes: Vec<(&String, &Node)> =
        vault.iter().filter(|(_, node)| matches!(node, Node::File(_))).collect();
    let named = notes.iter().enumerate().map(|(number, (_, node))| (format!("{number}.md"), (*node).clone()));
    twins.fill(&named.collect());
    let read = |(number, (path, _)): (usize, &(&String, &Node))| {
        let read = twins.oracle.call("read_note", &json!({"path": format!("{number}.md")}));
        let read = serde_json::from_str(read.content[0]["text"].as_str().unwrap());
        ((*path).clone(), read.unwrap_or_default())
    };
    notes.iter().enumerate().map(read).collect()
}

/// With `k: 1` in each block that MCPVault cannot read.
fn with_valid_frontmatter(setting: &Setting, twins: &mut Twins) -> Setting {
    let mut repaired = setting.clone();
    for (path, read) in read_by_mcpvault(&setting.vault, twins) {
        let Some(Node::File(bytes)) = repaired.vault.get_mut(&path) else { continue };
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        let body = body_alone(text);
        if body != text && read["content"] == text {
            *bytes = format!("---\nk: 1\n---\n{body}").into_bytes();
        }
    }
    repaired
}

/// With `k: 1` in each block that is no mapping, or one in braces, in the vault and in the text to be written.
fn without_odd_blocks(setting: &Setting) -> Setting {
    let repair = |text: &str| match opens(text) {
        Some(rest) if rest.starts_with(['\n', '\r']) => {
            let first = rest.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
            match first {
                Some(line)
                    if line.starts_with(['{', '-']) && line != "---"
                        || !line.contains(':') && line != "---" =>
                {
                    format!("---\nk: 1\n---\n{}", body_alone(text))
                }
                _ => text.to_owned(),
            }
        }
        _ => text.to_owned(),
    };
    let mut setting = with_notes(setting, repair);
    if let Some(content) = setting.arguments.get("content").and_then(Value::as_str) {
        setting.arguments["content"] = repair(content).into();
    }
    setting
}

/// Without the few spellings of YAML that MCPVault's parser takes for broken or reads in its own way.
fn without_corners(text: &str) -> String {
    let mut text = text.to_owned();
    for (corner, plain) in [
        ("\n[k]:", "\nk1:"),
        ("\n{k}:", "\nk2:"),
        ("\n{{x}}:", "\nk3:"),
        ("\n\tk: 1", "\nk4: 1"),
        ("\n\t\n", "\n\n"),
        ("\n...\n", "\n"),
    ] {
        text = text.replace(corner, plain);
    }
    text
}

/// Without `#` where one of the two sees a tag and the other does not.
fn without_doubtful_tags(setting: &Setting) -> Setting {
    let alike: &[&str] = match setting.tool {
        "list_all_tags" => &["#tag here", "text #one/two"],
        "manage_tags" => &["#tag here"],
        _ => return setting.clone(),
    };
    with_notes(setting, |text| {
        let (block, body) = text.split_at(text.len() - body_alone(text).len());
        let lines = body.split('\n').map(|line| match line {
            line if alike.contains(&line) => line.to_owned(),
            line if line.starts_with("```") || line.starts_with("~~~") => String::new(),
            line => without_marks(line),
        });
        format!("{block}{}", lines.collect::<Vec<_>>().join("\n"))
    })
}

/// The line without each `#` that something follows.
fn without_marks(line: &str) -> String {
    let follows = |at: usize| line[at + 1..].starts_with(|c: char| c != ' ' && c != '#');
    line.char_indices().filter(|(at, c)| *c != '#' || !follows(*at)).map(|(_, c)| c).collect()
}

/// With each note as MCPVault writes it when nothing is to change, unless it says something else then.
fn as_mcpvault_writes_it(setting: &Setting, twins: &mut Twins) -> Setting {
    let mut repaired = setting.clone();
    if !setting.writes() {
        return repaired;
    }
    let before = read_by_mcpvault(&setting.vault, twins);
    for (number, (path, _)) in before.iter().enumerate() {
        let name = format!("{number}.md");
        twins.oracle.call("write_note", &json!({"path": name, "content": "", "mode": "append"}));
        let written = std::fs::read(twins.vault_of("one").join(name)).unwrap();
        let Some(Node::File(bytes)) = repaired.vault.get_mut(path) else { continue };
        if std::str::from_utf8(bytes).is_ok() {
            *bytes = written;
        }
    }
    if read_by_mcpvault(&repaired.vault, twins) == before { repaired } else { setting.clone() }
}

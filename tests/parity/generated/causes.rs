//! The causes of listed differences, as far as generated cases meet them, each with the repair that takes it
//! away from a vault or a call, and nothing else.

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

use super::Setting;
use super::calls::LONG;
use super::promises::found;
use super::repairs::{
    as_mcpvault_writes_it, body_alone, closed, lf, linked, renamed, with_argument, with_note_to_delete,
    with_notes, with_paths, with_texts, with_valid_frontmatter, without_corners, without_doubtful_tags,
    without_empty_tags, without_last_comment, without_mark, without_odd_blocks, without_odd_tags,
    without_other_spellings,
};
use crate::differences::{self as d, Difference};
use crate::tree::Node;
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
    cause(&d::BACKSLASHES, true, |s, _| renamed(s, |path| path.replace('\\', "/"))),
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
        true => with_notes(s, body_alone),
        false => s.clone(),
    }),
    cause(
        &d::NEW_KEYS,
        false,
        |s, _| if s.writes() { with_notes(s, without_last_comment) } else { s.clone() },
    ),
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
    cause(&d::TAG_SPELLINGS, false, |s, twins| match s.tool {
        "manage_tags" | "list_all_tags" => without_odd_tags(s, twins),
        _ => s.clone(),
    }),
    cause(&d::DATA_FILES, false, |s, _| match s.tool {
        "list_all_tags" => renamed(s, |path| path.replace("x.canvas", "x.canvas.md")),
        _ => s.clone(),
    }),
    cause(&d::EMPTY_TAGS, false, |s, _| match s.arguments["operation"] == "remove" {
        true => with_notes(s, without_empty_tags),
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

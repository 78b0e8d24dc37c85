//! When two answers say the same.
//!
//! A success must be the same text to the last byte, and the same structured content. A refusal must be
//! marked as one and mean the same: its fields are equal, and its words begin as the other's do, or are
//! in the same row of the table below.

use std::fmt;

use notegate::obsidian::Output;
use serde_json::Value;

use super::tree::{Node, Tree};

/// An answer without what differs between two runs: the vault's path, and times of this test.
#[derive(PartialEq)]
pub struct Answer {
    pub text: String,
    pub structured: Option<Value>,
    pub is_error: bool,
}

impl Answer {
    pub fn new(output: &Output, root: &str) -> Self {
        let text: Vec<&str> =
            output.content.iter().map(|block| block["text"].as_str().unwrap_or("?")).collect();
        Self {
            text: without_recent_times(&text.join("\n---\n").replace(root, "<vault>")),
            structured: output.structured.clone(),
            is_error: output.is_error,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", if self.is_error { "refused" } else { "done" }, self.text)?;
        self.structured.as_ref().map_or(Ok(()), |structured| write!(f, " {structured}"))
    }
}

/// Files that a test made anew have times that no two engines share.
fn without_recent_times(text: &str) -> String {
    let mut parts = text.split("\"modified\":");
    let mut cleaned = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let blanks = part.len() - part.trim_start().len();
        let digits = part[blanks..].find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len() - blanks);
        let recent = part[blanks..blanks + digits].parse::<u64>().is_ok_and(|time| time > 1_650_000_000_000);
        cleaned += "\"modified\":";
        cleaned += if recent { " now" } else { &part[..blanks + digits] };
        cleaned += &part[blanks + digits..];
    }
    cleaned
}

/// What differs, in words; empty when nothing does.
///
/// `vault` is what both engines looked at.
pub fn difference(tool: &str, arguments: &Value, vault: &Tree, upstream: &Answer, native: &Answer) -> String {
    let same_text = if tool == "read_multiple_notes" && !native.is_error {
        with_meanings(&upstream.text) == with_meanings(&native.text)
    } else if tool == "search_notes" && !native.is_error {
        with_lines_of_the_note(&upstream.text, arguments, vault) == native.text
    } else if native.is_error {
        meaning(&upstream.text) == meaning(&native.text)
    } else {
        native.text == upstream.text
            || (tool.starts_with("move_") && without_link_notice(&native.text) == upstream.text)
    };
    if same_text && upstream.is_error == native.is_error && upstream.structured == native.structured {
        return String::new();
    }
    format!("  upstream: {upstream}\n  native:   {native}\n")
}

/// The answer with the errors of single notes by what they mean. Layout and order stay in the text.
fn with_meanings(text: &str) -> String {
    let mut text = text.to_owned();
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    for failed in value["err"].as_array().into_iter().flatten() {
        let error = failed["error"].as_str().unwrap_or_default();
        text = text.replace(&Value::from(error).to_string(), &meaning_of_words(error));
    }
    text
}

/// Results of a search with their lines counted as the native engine counts them (LINE_NUMBERS): from the
/// start of the note, and not from where the text that was searched begins.
fn with_lines_of_the_note(text: &str, arguments: &Value, vault: &Tree) -> String {
    let Ok(Value::Array(mut results)) = serde_json::from_str(text) else { return text.to_owned() };
    let flag = |name: &str, default: bool| arguments[name].as_bool().unwrap_or(default);
    for result in &mut results {
        let path = format!("vault/{}", result["p"].as_str().unwrap_or_default());
        let Some(Node::File(bytes)) = vault.get(&path) else { continue };
        let note = String::from_utf8_lossy(bytes);
        let block = note.strip_prefix("---\n").and_then(|rest| rest.find("\n---\n"));
        let before = match (block, flag("searchContent", true), flag("searchFrontmatter", false)) {
            (Some(end), true, false) => note[..4 + end + 5].matches('\n').count(),
            (Some(_), false, true) => 1,
            _ => 0,
        };
        if result["ln"] != 0 {
            result["ln"] = (result["ln"].as_u64().unwrap_or_default() + before as u64).into();
        }
    }
    let results = Value::Array(results);
    if arguments["prettyPrint"] == true { format!("{results:#}") } else { results.to_string() }
}

/// N-18: after a move, ours says in addition that links were not changed.
fn without_link_notice(text: &str) -> String {
    text.replace(". Links to it in other notes were not changed", "")
}

/// Words by which a refusal begins, a row for each meaning. MCPVault passes on some errors of the system
/// as they are.
const MEANINGS: [&[&str]; 14] = [
    &["File not found", "ENOENT", "Source file not found"],
    &["Cannot read directory as file", "EISDIR", "Failed to write file: EISDIR"],
    &["Not a directory", "ENOTDIR"],
    &["Access denied"],
    &["Path traversal not allowed"],
    &["Symlink target is outside vault"],
    &["Circular symlink detected", "ELOOP"],
    &["Failed to patch note", "Failed to patch file"],
    &["Failed to move note"],
    &["Failed to move file", "Failed to inspect source file"],
    &["Invalid frontmatter", "Failed to stringify frontmatter"],
    &["Failed to write file"],
    &["content is required", "Content is required"],
    &["frontmatter must be a JSON object"],
];

/// A refusal without its own wording: the row of its first words, or those words; in an outcome, all
/// other fields as well.
fn meaning(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(mut fields)) => {
            if let Some(message) = fields.get_mut("message") {
                *message = meaning_of_words(message.as_str().unwrap_or_default()).into();
            }
            Value::Object(fields).to_string()
        }
        _ => meaning_of_words(text),
    }
}

fn meaning_of_words(text: &str) -> String {
    let words = text.strip_prefix("Error: ").unwrap_or(text);
    let row = MEANINGS.iter().position(|row| row.iter().any(|start| words.starts_with(start)));
    match row {
        Some(row) => format!("meaning {row}"),
        None => words.split([':', '.', '"', '(', '—']).next().unwrap_or(words).trim_end().to_owned(),
    }
}

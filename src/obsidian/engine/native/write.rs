//! `write_note` and `update_frontmatter`.

use serde_json::{Map, Value};

use super::answer;
use super::atomic::Expected;
use super::call::Call;
use super::error::NoteError;
use super::frontmatter::{self, EditError, Fence, Note};
use super::path::VaultPath;
use super::root::Kind;
use crate::obsidian::Output;

/// Writes a whole note, or adds to one at its end or behind its frontmatter.
pub fn write_note(call: &Call<'_>) -> Result<Output, NoteError> {
    let given = call.arguments.path("path")?;
    let mode = call.arguments.word("mode", &["overwrite", "append", "prepend"])?;
    let content = call.arguments.text("content")?;
    let properties = properties(call)?.unwrap_or_default();
    let path = call.note_path("path")?;
    let place = call.root.find(&path)?;
    if place.kind == Kind::Folder {
        return Err(NoteError::Said(format!("Failed to write file: {} - it is a directory", path.shown)));
    }
    if mode == "overwrite" || place.kind == Kind::Missing {
        let expected = if mode == "overwrite" { Expected::Any } else { Expected::Nothing };
        let text = frontmatter::compose(content, &properties).map_err(|error| invalid(&path, error))?;
        call.write(&place, &text, expected)?;
    } else {
        add(call, &path, content, &properties, mode == "append")?;
    }
    Ok(answer::text(format!("Successfully wrote note: {given} (mode: {mode})")))
}

fn add(
    call: &Call<'_>,
    path: &VaultPath,
    content: &str,
    properties: &Map<String, Value>,
    at_end: bool,
) -> Result<(), NoteError> {
    let note = call.read_to_edit(path)?;
    let merged = |text: &str| frontmatter::merge(text, properties).map_err(|error| invalid(path, error));
    let text = if becomes_start(&note.text, content, at_end) {
        // the block that the content may bring along is that of the note then
        merged(&with_added(&note.text, content, at_end))?
    } else {
        with_added(&merged(&note.text)?, content, at_end)
    };
    call.write(&note.place, &text, note.unchanged())
}

/// Whether a note without frontmatter will begin with the block of `content`.
fn becomes_start(text: &str, content: &str, at_end: bool) -> bool {
    let start = Note::read(text).body_start();
    Fence::find(text).is_none() && Fence::find(content).is_some() && (!at_end || start == text.len())
}

/// `text` with `content` at its end or in front of its body. The block of frontmatter is not read: it
/// stays where it is and as it is, also when it is broken (U-10).
fn with_added(text: &str, content: &str, at_end: bool) -> String {
    let note = Note::read(text);
    let body = note.body_start();
    let at = if at_end { text.len() } else { body };
    // A mark that ends the note without a line end must not run into the new text.
    let line_end = match note.fence() {
        Some(fence) if at == body && !text[..body].ends_with('\n') => fence.newline,
        _ => "",
    };
    [&text[..at], line_end, content, &text[at..]].concat()
}

/// Sets keys of the frontmatter; with `merge: false` removes all others.
pub fn update_frontmatter(call: &Call<'_>) -> Result<Output, NoteError> {
    let given = call.arguments.path("path")?;
    let merge = call.arguments.flag("merge", true)?;
    let properties = properties(call)?.ok_or_else(|| NoteError::Said("frontmatter is required".into()))?;
    let path = call.note_path("path")?;
    let note = call.read_to_edit(&path)?;
    let edited = if merge {
        frontmatter::merge(&note.text, &properties)
    } else {
        frontmatter::replace(&note.text, &properties)
    };
    let edited = edited.map_err(|error| invalid(&path, error))?;
    if edited != note.text {
        call.write(&note.place, &edited, note.unchanged())?;
    }
    Ok(answer::text(format!("Successfully updated frontmatter for: {given}")))
}

/// The argument `frontmatter`: an object, or the text of one.
fn properties(call: &Call<'_>) -> Result<Option<Map<String, Value>>, NoteError> {
    let wrong = |found: &str| Err(NoteError::Said(format!("frontmatter must be a JSON object, got {found}")));
    match call.arguments.get("frontmatter") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(map)) => Ok(Some(map.clone())),
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(Value::Object(map)) => Ok(Some(map)),
            _ => wrong("a string that is not valid JSON"),
        },
        Some(Value::Array(_)) => wrong("a list"),
        Some(Value::Bool(_)) => wrong("true or false"),
        Some(Value::Number(_)) => wrong("a number"),
    }
}

fn invalid(path: &VaultPath, error: EditError) -> NoteError {
    NoteError::Frontmatter { path: path.shown.clone(), source: error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u10_the_block_of_frontmatter_never_moves() {
        let check = |text: &str, at_end, expected: &str| {
            assert_eq!(with_added(text, "NEW\n", at_end), expected, "{text:?}");
        };
        check("---\ntitle: a: b\n---\nbody\n", false, "---\ntitle: a: b\n---\nNEW\nbody\n");
        check("---\ntitle: a: b\n---\nbody\n", true, "---\ntitle: a: b\n---\nbody\nNEW\n");
        check("---\r\na: 1\r\n---\r\nbody", false, "---\r\na: 1\r\n---\r\nNEW\nbody");
        check("\u{feff}---\na: 1\n---\nbody", false, "\u{feff}---\na: 1\n---\nNEW\nbody");
        check("\u{feff}body", false, "\u{feff}NEW\nbody");
        check("---\na: 1\n---", false, "---\na: 1\n---\nNEW\n");
        check("---\na: 1\n---", true, "---\na: 1\n---\nNEW\n");
        check("---\r\na: 1\r\n---", true, "---\r\na: 1\r\n---\r\nNEW\n");
        check("---\n\nonly a break\n", false, "NEW\n---\n\nonly a break\n");
        check("---\n---\nbody", false, "---\n---\nNEW\nbody");
        check("no line end", true, "no line endNEW\n");
        check("", true, "NEW\n");
    }
}
